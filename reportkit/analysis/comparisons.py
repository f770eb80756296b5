"""All pairs of models, the comparisons that a report shows, and which models are not found below
the best.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportkit import stats
from reportkit.decisions import Decisions
from reportkit.results import DifferenceResult, MeanResult, PowerResult
from reportkit.scores.select import EvalScores, is_share

Sides = tuple[stats.Components, stats.Components]


@dataclass(frozen=True, slots=True)
class Compared:
    """What comes of comparing the models of an eval.

    correlations: models x models. best: the model of the best mean, then all that the paired test
    does not find worse.
    """

    differences: tuple[DifferenceResult, ...]
    power: tuple[PowerResult, ...]
    correlations: tuple[tuple[float, ...], ...]
    best: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """A comparison that the report shows: model minus baseline, as columns of the scores.

    pair: its place among all pairs. sign: -1 where that pair is baseline minus model.
    """

    model: int
    baseline: int
    pair: int
    sign: float


def compare(
    e: EvalScores,
    means: Sequence[MeanResult],
    parts: Sequence[stats.Components],
    d: Decisions,
    lower: bool,
) -> Compared:
    """All pairs at once, and of them the rows that the report shows.

    parts: the variance components of each model. d: its baseline, level and power count. lower:
    lower scores are better.
    """
    pairs = _all_pairs(e, d.level)
    rows = _rows(e, pairs, d.baseline)
    adjusted = stats.holm(np.array([pairs.p_value[row.pair] for row in rows]))
    complete = not np.isnan(e.means).any()
    differences, power = [], []
    for row, p_adjusted in zip(rows, adjusted, strict=True):
        both = ~np.isnan(e.means[:, row.model]) & ~np.isnan(e.means[:, row.baseline])
        if complete:
            sides = parts[row.model], parts[row.baseline]
        else:
            sides = _common(e, row.model, both), _common(e, row.baseline, both)
        n, se = int(pairs.n_questions[row.pair]), float(pairs.se[row.pair])
        omega2, mde = _detectable(se, n, sides, d)
        low, high = pairs.low[row.pair], pairs.high[row.pair]
        if row.sign < 0:
            low, high = -high, -low
        differences.append(
            DifferenceResult(
                model=e.models[row.model],
                baseline=e.models[row.baseline],
                # The subtraction of two floats is exact in sign: swapping models flips it and
                # nothing else.
                difference=row.sign * float(pairs.difference[row.pair]) + 0.0,
                se=se,
                df=float(pairs.df[row.pair]),
                ci_low=float(low),
                ci_high=float(high),
                level=d.level,
                method=str(pairs.method[row.pair]),
                p_value=float(pairs.p_value[row.pair]),
                p_adjusted=float(p_adjusted),
                correlation=float(pairs.correlation[row.pair]),
                n_questions=n,
                n_clusters=int(pairs.n_clusters[row.pair]),
                n_only_model=means[row.model].n_questions - n,
                n_only_baseline=means[row.baseline].n_questions - n,
                se_unpaired=_unpaired_se(e, row, both, means),
                mde=mde,
                mean_model=_mean_of(e, row.model, both),
                mean_baseline=_mean_of(e, row.baseline, both),
            )
        )
        if n:
            power.append(
                PowerResult(
                    model=e.models[row.model],
                    baseline=e.models[row.baseline],
                    omega2=omega2,
                    sigma2_model=sides[0].within,
                    sigma2_baseline=sides[1].within,
                    epochs_model=sides[0].epochs,
                    epochs_baseline=sides[1].epochs,
                    n_questions=n,
                    alpha=round(1.0 - d.level, 12),
                    power=d.power,
                    mde=mde,
                )
            )
    best = _best(means, pairs, d.level, -1.0 if lower else 1.0)
    return Compared(tuple(differences), tuple(power), _correlations(e, pairs), best)


def _all_pairs(e: EvalScores, level: float) -> stats.Pairs:
    """Every pair of models; 0/1 scores with one answer each have a method of their own."""
    columns = range(len(e.models))
    single = np.array([e.binary and e.epochs[:, m].max(initial=0) <= 1 for m in columns])
    share = is_share(e.low, e.high)
    return stats.all_pairs(e.means, e.clusters, binary=single, share=share, level=level)


def _rows(e: EvalScores, pairs: stats.Pairs, baseline: str) -> list[_Row]:
    """The comparisons with a baseline, or every pair."""
    ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    place = {pair: k for k, pair in enumerate(ends)}
    if not baseline:
        return [_Row(a, b, k, 1.0) for (a, b), k in place.items()]
    b = e.models.index(baseline)
    rows = []
    for a in range(len(e.models)):
        if (a, b) in place:
            rows.append(_Row(a, b, place[a, b], 1.0))
        elif (b, a) in place:
            rows.append(_Row(a, b, place[b, a], -1.0))
    return rows


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


def _best(
    means: Sequence[MeanResult], pairs: stats.Pairs, level: float, sign: float
) -> tuple[str, ...]:
    """The model of the best mean, then all that the paired test does not find worse, by their
    means; sign -1: lower is better.

    Holm over every pair, also where the report shows those with a baseline alone: which model is
    best was not known beforehand. A pair that cannot be tested does not tell the two apart.
    """
    ranked = sorted(
        (i for i, m in enumerate(means) if m.mean == m.mean), key=lambda i: -sign * means[i].mean
    )
    if len(ranked) < 2:
        return ()
    settled = pairs.p_adjusted < 1.0 - level
    worse = {*pairs.second[settled & (pairs.first == ranked[0]) & (sign * pairs.difference > 0)]}
    worse |= {*pairs.first[settled & (pairs.second == ranked[0]) & (sign * pairs.difference < 0)]}
    return tuple(means[i].model for i in ranked if i not in worse)


def _common(e: EvalScores, column: int, both: np.ndarray) -> stats.Components:
    return stats.components(
        e.means[both, column], e.variances[both, column], e.epochs[both, column]
    )


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


def _detectable(se: float, n: int, sides: Sides, d: Decisions) -> tuple[float, float]:
    """omega^2, and the smallest difference this eval would detect (equation 10); nan where the SE
    is undefined or 0.
    """
    if not se > 0.0:
        return math.nan, math.nan
    noise = [side.noise for side in sides]
    # One answer for each question cannot be told from its noise: then that side's noise is part of
    # omega^2's total.
    omega2 = stats.omega_squared(se, n, *noise)
    total = n * se**2
    if not math.isnan(omega2):
        total = max(total, sum(noise))
    mde = stats.minimum_detectable_effect(n, total, level=d.level, power=d.power)
    return omega2, mde
