"""All pairs of models, the comparisons that a report shows, and which models are not found below
the best.
"""

import math

import numpy as np

from reportkit import stats
from reportkit.results import DifferenceResult, MeanResult, PowerResult
from reportkit.scores.select import EvalScores, is_share


def compare(
    e: EvalScores,
    means: tuple[MeanResult, ...],
    parts: list[stats.Components],
    baseline: str,
    level: float,
    power: float,
    lower: bool,
) -> tuple[
    tuple[DifferenceResult, ...],
    tuple[PowerResult, ...],
    tuple[tuple[float, ...], ...],
    tuple[str, ...],
]:
    """All pairs at once, of them the rows that the report shows, and the models that no pair finds
    below the best.
    """
    count = len(e.models)
    single = np.array([e.binary and e.epochs[:, m].max(initial=0) <= 1 for m in range(count)])
    pairs = stats.all_pairs(
        e.means, e.clusters, binary=single, share=is_share(e.low, e.high), level=level
    )
    matrix = np.full((count, count), math.nan)
    matrix[pairs.first, pairs.second] = matrix[pairs.second, pairs.first] = pairs.correlation
    for m in range(count):
        column = e.means[~np.isnan(e.means[:, m]), m]
        if len(column) > 1 and (column != column[0]).any():
            matrix[m, m] = 1.0
    where = {
        (int(i), int(j)): k for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True))
    }
    against = e.models.index(baseline) if baseline else -1
    wanted = [(m, against) for m in range(count) if m != against] if baseline else list(where)
    rows = [
        (a, b, where[(a, b)], 1.0) if (a, b) in where else (a, b, where[(b, a)], -1.0)
        for a, b in wanted
    ]
    adjusted = stats.holm(np.array([pairs.p_value[k] for _, _, k, _ in rows]))
    everyone = not np.isnan(e.means).any()
    differences, power_rows = [], []
    for (a, b, k, sign), p_adjusted in zip(rows, adjusted, strict=True):
        n, se = int(pairs.n_questions[k]), float(pairs.se[k])
        # The subtraction of two floats is exact in sign: swapping models flips it and nothing else.
        low, high = (pairs.low[k], pairs.high[k]) if sign > 0 else (-pairs.high[k], -pairs.low[k])
        both = ~np.isnan(e.means[:, a]) & ~np.isnan(e.means[:, b])
        sides = (parts[a], parts[b]) if everyone else (_common(e, a, both), _common(e, b, both))
        omega2, mde = _detectable(se, n, sides, level, power)
        differences.append(
            DifferenceResult(
                model=e.models[a],
                baseline=e.models[b],
                difference=sign * float(pairs.difference[k]) + 0.0,
                se=se,
                df=float(pairs.df[k]),
                ci_low=float(low),
                ci_high=float(high),
                level=level,
                method=str(pairs.method[k]),
                p_value=float(pairs.p_value[k]),
                p_adjusted=float(p_adjusted),
                correlation=float(pairs.correlation[k]),
                n_questions=n,
                n_clusters=int(pairs.n_clusters[k]),
                n_only_model=means[a].n_questions - n,
                n_only_baseline=means[b].n_questions - n,
                se_unpaired=_unpaired_se(e, a, b, both, means),
                mde=mde,
            )  # fmt: skip
        )
        if n:
            power_rows.append(
                PowerResult(
                    e.models[a],
                    e.models[b],
                    omega2,
                    sides[0].within,
                    sides[1].within,
                    sides[0].epochs,
                    sides[1].epochs,
                    n,
                    round(1.0 - level, 12),
                    power,
                    mde,
                )  # fmt: skip
            )
    return (
        tuple(differences),
        tuple(power_rows),
        tuple(tuple(map(float, row)) for row in matrix),
        _best(means, pairs, level, -1.0 if lower else 1.0),
    )


def _best(
    means: tuple[MeanResult, ...], pairs: stats.Pairs, level: float, sign: float
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


def _unpaired_se(
    e: EvalScores, a: int, b: int, both: np.ndarray, means: tuple[MeanResult, ...]
) -> float:
    """SE of the difference if the pairing were ignored, on the common questions."""
    n = int(both.sum())
    if n == means[a].n_questions == means[b].n_questions:
        return math.hypot(means[a].se, means[b].se)
    if n < 2:
        return math.nan
    clusters = None if e.clusters is None else e.clusters[both]
    return math.hypot(*(stats.mean_estimate(e.means[both, m], clusters).se for m in (a, b)))


def _detectable(
    se: float, n: int, sides: tuple[stats.Components, stats.Components], level: float, power: float
) -> tuple[float, float]:
    """omega^2, and the smallest difference this eval would detect (equation 10); nan where the SE
    is undefined or 0.
    """
    if not se > 0.0:
        return math.nan, math.nan
    a, b = sides
    # One answer for each question cannot be told from its noise: then that side's noise is part of
    # omega^2's total.
    omega2 = stats.omega_squared(se, n, a.noise, b.noise)
    if math.isnan(omega2):
        return math.nan, stats.minimum_detectable_effect(n, n * se**2, level=level, power=power)
    total = max(n * se**2, a.noise + b.noise)
    return omega2, stats.minimum_detectable_effect(n, total, level=level, power=power)
