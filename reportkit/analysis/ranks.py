"""Which ranks each model may have."""

import math

import numpy as np

from reportkit import stats
from reportkit.results import RankResult
from reportkit.scores.select import EvalScores, is_share


def rank_results(e: EvalScores, level: float, lower: bool) -> tuple[RankResult, ...]:
    """Rank sets of all the models, also where the report shows differences from one baseline.

    From the intervals of all pairs by the rule that the report prints, at Bonferroni's level: that
    needs no simulation and no question that all models answered, and for 12 models they are only 3%
    wider than max-t intervals. A model without scores has no ranks.
    """
    if len(e.models) < 2:
        return ()
    scored = np.flatnonzero((e.epochs > 0).any(axis=0))
    if len(scored) < 2:
        nan = math.nan
        return tuple(RankResult(model, nan, nan, nan, level, "none") for model in e.models)
    places = dict.fromkeys(range(len(e.models)), (math.nan, math.nan, math.nan))
    places |= zip(map(int, scored), _places(e, scored, level, lower), strict=True)
    return tuple(
        RankResult(e.models[column], *place, level, "bonferroni")
        for column, place in places.items()
    )


def _places(
    e: EvalScores, scored: np.ndarray, level: float, lower: bool
) -> list[tuple[float, float, float]]:
    """Rank, best and worst possible rank of the models of some columns."""
    m = len(scored)
    scores = e.means[:, scored]
    single = np.array([e.binary and e.epochs[:, column].max() <= 1 for column in scored])
    joint = 1.0 - (1.0 - level) / (m * (m - 1) / 2)
    pairs = stats.all_pairs(
        scores, e.clusters, binary=single, share=is_share(e.low, e.high), level=joint
    )
    if lower:
        sign, low, high = -1.0, -pairs.high, -pairs.low
    else:
        sign, low, high = 1.0, pairs.low, pairs.high
    sets = stats.rank_sets(sign * np.nanmean(scores, axis=0), low, high, pairs.first, pairs.second)
    difference = np.full((m, m), 0.0)
    difference[pairs.first, pairs.second] = sign * pairs.difference
    difference[pairs.second, pairs.first] = -sign * pairs.difference
    tie = stats.TIE * np.nanmax(np.abs(scores))
    ahead = (difference < -tie).sum(axis=1)  # models that scored better
    rank = np.where(np.isnan(difference).any(axis=1), math.nan, 1.0 + ahead)
    return [
        (float(r), float(b), float(w)) for r, b, w in zip(rank, sets.best, sets.worst, strict=True)
    ]
