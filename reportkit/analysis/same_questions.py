"""Evals that ask the same questions again, such as in two languages or of two judges: their scores
go together, so that their errors do not average out as those of independent evals.

The same ids are no proof: 0, 1, 2 are ids of many evals. Two evals ask the same questions where
they have ids in common and the mean scores of these questions go together more than chance.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.analysis.shared import CHANCE
from reportkit.results import EvalResult
from reportkit.scores.select import EvalScores
from reportkit.stats.pairing import pairing_p_value

# Familywise, over all pairs of evals that have ids in common (Holm). What asks the same questions
# is far below it, and one suite in a thousand is said to by chance.
ALPHA = 0.001
_FLAT = 1e-12  # of the largest score: what rounding may leave of a column that never varies


@dataclass(frozen=True, slots=True)
class Answers:
    """ids: (n,) hashes of the questions' ids; clusters: (n,) codes, or None; scores: (n, M)."""

    ids: np.ndarray
    clusters: np.ndarray | None
    scores: np.ndarray


def packed_answers(e: EvalScores) -> bytes:
    """What a frozen record holds of an eval's scores."""
    ids = pd.util.hash_array(np.array(list(map(str, e.questions)), dtype=object), categorize=False)
    clusters = np.full(len(ids), -1) if e.clusters is None else np.asarray(e.clusters)
    scores = np.ascontiguousarray(e.means, dtype=np.float64)
    return ids.tobytes() + clusters.astype(np.int64).tobytes() + scores.tobytes()


def answers_of(r: EvalResult) -> Answers:
    """Nothing where the record holds none."""
    n = r.n_questions if r.answers else 0
    ids = np.frombuffer(r.answers, dtype=np.uint64, count=n)
    clusters = np.frombuffer(r.answers, dtype=np.int64, count=n, offset=8 * n if n else 0)
    scores = np.frombuffer(r.answers, dtype=np.float64, offset=16 * n if n else 0)
    scores = scores.reshape(n, -1 if n else len(r.models))
    return Answers(ids, None if n and clusters[0] < 0 else clusters, scores)


# Which evals --------------------------------------------------------------------------------------


def same_questions(results: Sequence[EvalResult]) -> tuple[tuple[str, ...], ...]:
    """The groups of evals that ask the same questions, in the order of the evals.

    Compared are pairs of evals with more ids in common than CHANCE lets be. A pair asks the same
    questions where `pairing_p_value` of their mean scores, adjusted by Holm over all such pairs, is
    below ALPHA; with clusters, of the sums over these, since questions of a cluster go together in
    any eval. What goes with the same eval is one group.
    """
    evals = [answers_of(r) for r in results]
    pairs, p_values = [], []
    for i, j in itertools.combinations(range(len(evals)), 2):
        a, b = evals[i], evals[j]
        _, at_a, at_b = np.intersect1d(a.ids, b.ids, return_indices=True)
        if len(at_a) > CHANCE * np.sqrt(float(len(a.ids)) * len(b.ids)):
            both = [m for m in results[i].models if m in results[j].models]
            here = _levels(a, results[i].models, both, at_a)
            there = _levels(b, results[j].models, both, at_b)
            units = _units([_of(a, at_a), _of(b, at_b)])
            sums = (np.bincount(u, weights=x) for u, x in zip(units, (here, there), strict=True))
            pairs.append((i, j))
            p_values.append(pairing_p_value(*sums))
    group = list(range(len(evals)))
    for (i, j), p in zip(pairs, stats.holm(np.array(p_values)), strict=True):
        if p < ALPHA:
            old = max(group[i], group[j])
            group = [min(group[i], group[j]) if g == old else g for g in group]
    found = (
        [r.eval for r, g in zip(results, group, strict=True) if g == k] for k in range(len(group))
    )
    return tuple(tuple(names) for names in found if len(names) > 1)


def _levels(a: Answers, models: Sequence[str], both: Sequence[str], at: np.ndarray) -> np.ndarray:
    """How far each question's scores lie above those of the models, on average over models: of
    those that both evals have, or where there are none of all.
    """
    columns = [k for k, m in enumerate(models) if m in both] or list(range(len(models)))
    x = a.scores[at][:, columns]
    there = ~np.isnan(x)
    counts = there.sum(axis=0)
    means = np.where(there, x, 0.0).sum(axis=0) / np.maximum(counts, 1)
    above = np.where(there, x - means, 0.0).sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    return np.asarray(above - above.mean())


def _of(a: Answers, at: np.ndarray) -> Answers:
    return Answers(a.ids[at], None if a.clusters is None else a.clusters[at], a.scores[at])


def _units(evals: Sequence[Answers]) -> list[np.ndarray]:
    """Of each eval the unit of every question, as codes that mean the same in all: a question, with
    the clusters that hold it, and what these hold.
    """
    sizes = [len(a.ids) for a in evals]
    _, codes = np.unique(np.concatenate([a.ids for a in evals]), return_inverse=True)
    if any(a.clusters is not None for a in evals):
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        nodes, n = [], int(codes.max(initial=-1)) + 1
        for a, own in zip(evals, np.split(codes, np.cumsum(sizes)[:-1]), strict=True):
            inside = (
                own if a.clusters is None else n + np.unique(a.clusters, return_inverse=True)[1]
            )
            nodes.append(inside)
            n = max(n, int(inside.max(initial=-1)) + 1)
        ends = (codes, np.concatenate(nodes))
        links = sparse.coo_array((np.ones(len(codes)), ends), shape=(n, n))
        codes = connected_components(links, directed=False)[1][codes]
    return np.split(codes, np.cumsum(sizes)[:-1])


# What it does to an average -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Together:
    """Evals that are averaged, with those that ask the same questions. units: of each eval in a
    group, of every question.
    """

    groups: tuple[tuple[str, ...], ...]
    evals: Mapping[str, tuple[EvalResult, Answers]] = field(repr=False)
    units: Mapping[str, np.ndarray] = field(repr=False)

    def correlations(self, evals: Sequence[str], model: str, other: str = "") -> np.ndarray | None:
        """How the errors of a model's means on these evals go together, or those of its differences
        from another model, shape (E, E); None where no two ask the same questions.

        r = sum_u U V / sqrt(sum_u U^2 sum_u V^2), over the units u, of the sums U and V of the
        scores less their mean in each eval: so the SE of an average is that of the units' weighted
        sums. It is no less than 0, as an average is no surer than of independent evals; 1 where a
        column never varies, so that nothing is known.
        """
        r = np.eye(len(evals))
        for names in self.groups:
            places = [k for k, name in enumerate(evals) if name in names]
            if len(places) < 2:
                continue
            n = 1 + max(int(self.units[name].max(initial=-1)) for name in names)
            sums = [self._sums(evals[k], model, other, n) for k in places]
            for (i, a), (j, b) in itertools.combinations(zip(places, sums, strict=True), 2):
                r[i, j] = r[j, i] = 1.0 if a is None or b is None else max(0.0, float(a @ b))
        return r if (r - np.eye(len(evals))).any() else None

    def _sums(self, eval: str, model: str, other: str, n: int) -> np.ndarray | None:
        """Of length 1; None where they are all 0."""
        result, a = self.evals[eval]
        x = a.scores[:, result.models.index(model)]
        if other:
            x = x - a.scores[:, result.models.index(other)]
        there = ~np.isnan(x)
        x = x[there]
        sums = np.bincount(self.units[eval][there], weights=x - x.mean(), minlength=n)
        length = float(np.sqrt(sums @ sums))
        size = float(np.abs(a.scores[there]).max(initial=0.0)) * len(x) ** 0.5
        return None if length <= _FLAT * size else sums / length

    def n_questions(
        self, evals: Sequence[str], models: Sequence[str], counts: Sequence[int]
    ) -> int:
        """How many questions of these evals the models answered, each once.

        counts: of each eval.
        """
        again = 0
        for names in self.groups:
            seen = [self._answered(name, models) for name in evals if name in names]
            if seen:
                again += sum(map(len, seen)) - len(np.unique(np.concatenate(seen)))
        return sum(counts) - again

    def repeated(self) -> int:
        """Questions that count again where each eval counts its own."""
        ids = ([self.evals[name][1].ids for name in names] for names in self.groups)
        return sum(sum(map(len, own)) - len(np.unique(np.concatenate(own))) for own in ids)

    def _answered(self, eval: str, models: Sequence[str]) -> np.ndarray:
        result, a = self.evals[eval]
        columns = [result.models.index(m) for m in models]
        return a.ids[~np.isnan(a.scores[:, columns]).any(axis=1)]


INDEPENDENT = Together((), {}, {})


def together(results: Sequence[EvalResult]) -> Together:
    """What the averages of these evals take into account."""
    return grouped(results, same_questions(results))


def grouped(results: Sequence[EvalResult], groups: Sequence[Sequence[str]]) -> Together:
    """Of these evals, with groups that are known; of a group only those that are here."""
    by_name = {r.eval: r for r in results}
    inside = (tuple(name for name in names if name in by_name) for names in groups)
    kept = tuple(names for names in inside if len(names) > 1)
    evals: dict[str, tuple[EvalResult, Answers]] = {}
    units: dict[str, np.ndarray] = {}
    for names in kept:
        found = [answers_of(by_name[name]) for name in names]
        evals |= {name: (by_name[name], a) for name, a in zip(names, found, strict=True)}
        units |= dict(zip(names, _units(found), strict=True))
    return Together(kept, evals, units)
