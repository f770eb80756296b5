"""A pilot without one part of its questions, part by part: how its values err, and err together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.analysis.planning.pilot import Pilot, answers_of, clusters_of
from reportkit.record import Record
from reportkit.results import MeanResult
from reportkit.stats.planning.pilot import question_moments
from reportkit.stats.variance_components import Components, components

PARTS = 60  # that are left out in turn, at most


@dataclass(frozen=True, slots=True)
class _Answered(Record):
    """The questions that one model answered: of each, shape (n,), what its answers show, its
    cluster (without clusters the question itself) and its part.
    """

    means: np.ndarray
    variances: np.ndarray
    counts: np.ndarray
    units: np.ndarray
    parts: np.ndarray

    def without(self, part: int) -> "_Answered":
        kept = self.parts != part
        values = (self.means, self.variances, self.counts, self.units, self.parts)
        return _Answered(*(v[kept] for v in values))

    def components(self) -> Components:
        return components(self.means, self.variances, self.counts)


def pilots_left(pilot: Pilot) -> Iterator[tuple[Pilot, float]]:
    """The pilot without each part of its clusters, or of its questions where it has none; with the
    share of these that the part has. Of more than PARTS of them, parts are drawn at random, as
    alike in size as can be. No pilot where a model has answers to one part alone.
    """
    assert pilot.rows is not None
    tables = [answers_of(pilot.rows, m) for m in pilot.result.models]
    labels = clusters_of(pilot.rows, pilot.result)
    questions = sorted(set().union(*(t.index for t in tables)))
    names = questions if labels is None else labels.reindex(questions).to_list()
    units, codes = np.unique(names, return_inverse=True)
    parts = np.random.default_rng(1).permutation(len(units)) % min(len(units), PARTS)
    of_question = pd.DataFrame({"unit": codes, "part": parts[codes]}, index=questions)
    models = [_answered(t, of_question) for t in tables]
    pair = []
    if pilot.power is not None:
        common = tables[0].index.intersection(tables[1].index)
        pair = [_answered(t.loc[common], of_question) for t in tables]
    if any(len(np.unique(m.parts)) < 2 for m in (*models, *pair)):
        return
    for part in range(int(parts.max()) + 1):
        left = of_question[of_question["part"] != part]
        without = _with_means(pilot, left, [m.without(part) for m in models])
        if pair:
            without = _with_pair(without, *(x.without(part) for x in pair))
        yield without, float((parts == part).mean())


def _answered(table: pd.DataFrame, of_question: pd.DataFrame) -> _Answered:
    found = of_question.loc[table.index]
    moments = question_moments(table.to_numpy(dtype=float))
    return _Answered(*moments, found["unit"].to_numpy(), found["part"].to_numpy())


def _with_means(pilot: Pilot, questions: pd.DataFrame, models: list[_Answered]) -> Pilot:
    r = pilot.result
    means = tuple(_mean_of(m, a) for m, a in zip(r.means, models, strict=True))
    clusters = questions["unit"].nunique()
    changed = replace(r, means=means, n_questions=len(questions), n_clusters=clusters)
    return replace(pilot, result=changed)


def _mean_of(m: MeanResult, a: _Answered) -> MeanResult:
    found, alone = stats.mean_estimate(a.means, a.units), stats.mean_estimate(a.means)
    shown = a.components()
    return replace(
        m, mean=found.value, se=found.se, se_unclustered=alone.se, n_questions=alone.n_questions,
        variance_between=shown.between, variance_within=shown.within,
    )  # fmt: skip


def _with_pair(pilot: Pilot, a: _Answered, b: _Answered) -> Pilot:
    assert pilot.power is not None and pilot.corrected is not None
    difference, of = a.means - b.means, (a.components(), b.components())
    power = replace(
        pilot.power,
        n_questions=len(difference),
        n_clusters=len(np.unique(a.units)),
        se=stats.mean_estimate(difference, a.units).se,
        se_unclustered=stats.mean_estimate(difference).se,
        correlation=stats.correlation(a.means, b.means),
    )
    corrected = replace(
        pilot.corrected, sigma2_a=of[0].within, epochs_a=of[0].epochs,
        sigma2_b=of[1].within, epochs_b=of[1].epochs,
    )  # fmt: skip
    return replace(pilot, result=replace(pilot.result, power=(power,)), corrected=corrected)
