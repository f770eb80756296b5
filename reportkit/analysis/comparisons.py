"""All pairs of models, each with its interval, its p-value and what it could detect."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportkit import stats
from reportkit.analysis.best import Standing, standing
from reportkit.analysis.detectable import Sides, detectable, power_result
from reportkit.decisions import Decisions
from reportkit.results import DifferenceResult, MeanResult
from reportkit.scores.select import EvalScores, is_share


@dataclass(frozen=True, slots=True)
class Compared:
    """What comes of comparing the models of an eval.

    pairs: every pair, adjusted by Holm over all of them. correlations: models x models. standing:
    the comparisons that the report shows, and what they say of the models.
    """

    pairs: tuple[DifferenceResult, ...]
    correlations: tuple[tuple[float, ...], ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class _Row:
    """A pair of models: model minus baseline, as columns of the scores.

    pair: its place among all pairs.
    """

    model: int
    baseline: int
    pair: int


def compare(
    e: EvalScores,
    means: Sequence[MeanResult],
    parts: Sequence[stats.Components],
    d: Decisions,
) -> Compared:
    """All pairs at once, and of them the rows that the report shows.

    parts: the variance components of each model. d: its baseline, level and power count.
    """
    pairs = _all_pairs(e, d.level)
    ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    rows = [_Row(a, b, k) for k, (a, b) in enumerate(ends)]
    complete = not np.isnan(e.means).any()
    # of scores without a gap, a model's mean is the same beside every other
    own = [_mean_of(e, m, np.isfinite(e.means[:, m])) for m in range(len(e.models))]
    differences, power = [], []
    if complete:
        sides = [(parts[row.model], parts[row.baseline]) for row in rows]
    else:
        sides = [_common(e, row) for row in rows]
    found = detectable(e, pairs, sides, d)
    for row, side in zip(rows, sides, strict=True):
        both = _both(e, row)
        n = int(pairs.n_questions[row.pair])
        differences.append(
            DifferenceResult(
                model=e.models[row.model],
                baseline=e.models[row.baseline],
                difference=float(pairs.difference[row.pair]) + 0.0,
                se=float(pairs.se[row.pair]),
                df=float(pairs.df[row.pair]),
                ci_low=float(pairs.low[row.pair]),
                ci_high=float(pairs.high[row.pair]),
                level=d.level,
                method=str(pairs.method[row.pair]),
                p_value=float(pairs.p_value[row.pair]),
                p_adjusted=float(pairs.p_adjusted[row.pair]),
                correlation=float(pairs.correlation[row.pair]),
                n_questions=n,
                n_clusters=int(pairs.n_clusters[row.pair]),
                n_only_model=means[row.model].n_questions - n,
                n_only_baseline=means[row.baseline].n_questions - n,
                se_unpaired=_unpaired_se(e, row, both, means),
                mde=float(found.mde[row.pair]),
                mean_model=own[row.model] if complete else _mean_of(e, row.model, both),
                mean_baseline=own[row.baseline] if complete else _mean_of(e, row.baseline, both),
            )
        )
        power.append(power_result(differences[-1], found.side(row.pair), side, d))
    every = tuple(zip(differences, power, strict=True))
    shown = standing(e, means, every, pairs, d)
    return Compared(tuple(differences), _correlations(e, pairs), shown)


def _all_pairs(e: EvalScores, level: float) -> stats.Pairs:
    """Every pair of models; 0/1 scores with one answer each have a method of their own."""
    columns = range(len(e.models))
    single = np.array([e.binary and e.epochs[:, m].max(initial=0) <= 1 for m in columns])
    share = is_share(e.low, e.high)
    return stats.all_pairs(e.means, e.clusters, binary=single, share=share, level=level)


def _correlations(e: EvalScores, pairs: stats.Pairs) -> tuple[tuple[float, ...], ...]:
    """Models x models; of a model with itself 1, or nan where its score never varies."""
    count = len(e.models)
    matrix = np.full((count, count), math.nan)
    matrix[pairs.first, pairs.second] = pairs.correlation
    matrix[pairs.second, pairs.first] = pairs.correlation
    for m in range(count):
        column = e.means[~np.isnan(e.means[:, m]), m]
        if len(column) > 1 and (column != column[0]).any():
            matrix[m, m] = 1.0
    return tuple(tuple(map(float, row)) for row in matrix)


def _both(e: EvalScores, row: _Row) -> np.ndarray:
    """The common questions of a pair."""
    return ~np.isnan(e.means[:, row.model]) & ~np.isnan(e.means[:, row.baseline])


def _common(e: EvalScores, row: _Row) -> Sides:
    """The variance components of a pair's models on their common questions."""
    both = _both(e, row)
    a, b = (
        stats.components(e.means[both, k], e.variances[both, k], e.epochs[both, k])
        for k in (row.model, row.baseline)
    )
    return a, b


def _mean_of(e: EvalScores, column: int, both: np.ndarray) -> float:
    """A model's mean on the common questions of a pair; nan where they have none."""
    return float(e.means[both, column].mean()) if both.any() else math.nan


def _unpaired_se(e: EvalScores, row: _Row, both: np.ndarray, means: Sequence[MeanResult]) -> float:
    """SE of the difference if the pairing were ignored, on the common questions."""
    n = int(both.sum())
    a, b = means[row.model], means[row.baseline]
    if n == a.n_questions == b.n_questions:
        return math.hypot(a.se, b.se)
    if n < 2:
        return math.nan
    clusters = None if e.clusters is None else e.clusters[both]
    columns = e.means[both, row.model], e.means[both, row.baseline]
    return math.hypot(*(stats.mean_estimate(column, clusters).se for column in columns))
