"""One eval in one build, as the comparison with another build needs it, and its changes from one
build to the other.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from reportkit.stats.changes import (
    Change,
    answer_variance,
    from_interval,
    paired_change,
    unpaired_change,
)
from reportkit.stats.means.mean import Estimate

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Known:
    """What results.json says of a mean or a difference: the value, its SE and its interval."""

    value: float
    se: float
    df: float
    low: float
    high: float
    level: float
    n_questions: int
    n_clusters: int

    @property
    def estimate(self) -> Estimate:
        """With an SE that is not below what the interval says."""
        own = Estimate(self.value, self.se, self.df, self.n_questions, self.n_clusters)
        return from_interval(own, self.low, self.high, self.level)


@dataclass(frozen=True, slots=True)
class Answers:
    """The question scores of one eval in one build, (n, M) for n questions and M models.

    means: over the answers of a question; nan where there is none. variances: of these answers
    (divisor K-1), nan below two. counts: of answers. clusters: (n,) labels; None where none are
    declared.
    """

    questions: np.ndarray
    models: tuple[str, ...]
    means: np.ndarray
    variances: np.ndarray
    counts: np.ndarray
    clusters: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One eval of one build.

    width: of the scale of its scores; nan where their range is not known. percent: they are shares,
    printed as percent. lower: lower scores are better. answers: None where the build's questions
    are not known.
    """

    eval: str
    metric: str
    models: tuple[str, ...]
    n_questions: int
    means: Mapping[str, Known]
    differences: Mapping[Pair, Known] = field(default_factory=dict)
    answers: Answers | None = None
    lower: bool = False
    percent: bool = True
    width: float = 1.0
    subtasks: tuple[str, ...] = ()  # of a group, the evals that its questions are from

    @property
    def key(self) -> Pair:
        return self.eval, self.metric


@dataclass(frozen=True, slots=True)
class Paired:
    """Two rounds of answers to the questions that both have, in one order."""

    old: Answers
    new: Answers

    def change(self, model: str, baseline: str = "") -> Change | None:
        """The change of a model's mean, or of its difference to a baseline; None where no question
        has all the scores that it needs.
        """
        names = [model, baseline] if baseline else [model]
        if not all(name in side.models for name in names for side in (self.old, self.new)):
            return None
        old, new = (
            [_column(side, side.models.index(name)) for name in names]
            for side in (self.old, self.new)
        )
        there = np.logical_and.reduce([c.counts > 0 for c in (*old, *new)])
        if not there.any():
            return None
        scores = [of[0].means - of[1].means if baseline else of[0].means for of in (old, new)]
        clusters = self.new.clusters
        return paired_change(
            scores[0][there],
            scores[1][there],
            None if clusters is None else clusters[there],
            answer_variance=_variance(old, new, there),
        )


def _column(side: Answers, column: int) -> Answers:
    return Answers(
        side.questions,
        (side.models[column],),
        side.means[:, column],
        side.variances[:, column],
        side.counts[:, column],
    )


def _variance(old: list[Answers], new: list[Answers], there: np.ndarray) -> np.ndarray | None:
    """The variance of each question's change by its answers, where the rounds have different
    numbers of them; a difference has that of both models.
    """
    found = None
    for a, b in zip(old, new, strict=True):
        k, m = a.counts[there].astype(float), b.counts[there].astype(float)
        if (k == m).all():
            continue
        d = b.means[there] - a.means[there]
        own = answer_variance(d, (a.variances[there], b.variances[there]), (k, m))
        found = own if found is None else found + own
    return found


def paired(old: Round, new: Round) -> Paired | None:
    """The questions that both rounds have; None where they are not known, or none is in both."""
    if old.answers is None or new.answers is None:
        return None
    _, i, j = np.intersect1d(
        old.answers.questions, new.answers.questions, assume_unique=True, return_indices=True
    )
    if not len(i):
        return None
    return Paired(_rows(old.answers, i), _rows(new.answers, j))


def _rows(of: Answers, rows: np.ndarray) -> Answers:
    return Answers(
        of.questions[rows],
        of.models,
        of.means[rows],
        of.variances[rows],
        of.counts[rows],
        None if of.clusters is None else of.clusters[rows],
    )


def changed(old: Round, new: Round, pairs: Paired | None, names: Pair) -> tuple[Change, bool]:
    """The change of a mean (names: model, "") or of a difference (model, baseline), and whether it
    is paired.
    """
    model, baseline = names
    found = pairs.change(model, baseline) if pairs else None
    if found is not None:
        return found, True
    if baseline:
        before, after = old.differences.get(names), new.differences.get(names)
    else:
        before, after = old.means.get(model), new.means.get(model)
    if before is None or after is None:
        nothing = Estimate(math.nan, math.nan, math.nan, 0, 0)
        return Change(nothing, math.nan, math.nan), False
    return unpaired_change(before.estimate, after.estimate), False
