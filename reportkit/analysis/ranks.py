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
    wider than max-t intervals.
    """
    scored = np.flatnonzero((e.epochs > 0).any(axis=0))
    m = len(scored)
    if len(e.models) < 2:
        return ()
    found = {column: (math.nan, math.nan, math.nan) for column in range(len(e.models))}
    if m > 1:
        scores = e.means[:, scored]
        single = np.array([e.binary and e.epochs[:, column].max() <= 1 for column in scored])
        joint = 1.0 - (1.0 - level) / (m * (m - 1) / 2)
        pairs = stats.all_pairs(
            scores, e.clusters, binary=single, share=is_share(e.low, e.high), level=joint
        )
        ends = (-pairs.high, -pairs.low) if lower else (pairs.low, pairs.high)
        sign = -1.0 if lower else 1.0
        sets = stats.rank_sets(sign * np.nanmean(scores, axis=0), *ends, pairs.first, pairs.second)
        difference = np.full((m, m), 0.0)
        difference[pairs.first, pairs.second], difference[pairs.second, pairs.first] = (
            sign * pairs.difference,
            -sign * pairs.difference,
        )
        tie = stats.TIE * np.nanmax(np.abs(scores))
        rank = np.where(
            np.isnan(difference).any(axis=1), math.nan, 1.0 + (difference < -tie).sum(axis=1)
        )
        for k, column in enumerate(scored):
            found[int(column)] = float(rank[k]), float(sets.best[k]), float(sets.worst[k])
    method = "bonferroni" if m > 1 else "none"
    return tuple(
        RankResult(e.models[column], *place, level, method) for column, place in found.items()
    )
