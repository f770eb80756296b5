"""Rank sets that hold together, for the table of ranks."""

from dataclasses import replace

import numpy as np

from reportkit import stats
from reportkit.analysis.requested.request import Request
from reportkit.analysis.requested.simultaneous import of_family
from reportkit.results import RankResult


def joint_ranks(q: Request) -> tuple[RankResult, ...]:
    """The rank sets of a result, each with the set that holds together with those of all others.

    From intervals of every pair that hold together (Klein, Wright & Wieczorek 2020). A model
    without a score has no such set, and is not among the others.
    """
    e, ranks = q.scores, q.result.ranks
    columns = np.array(e.scored)
    if len(columns) < 2 or not ranks:
        return ranks
    place = {e.models[column]: k for k, column in enumerate(columns)}
    intervals = of_family(q, columns, None)
    ends = np.array([(i.ci_low, i.ci_high) for i in intervals])
    if e.lower:
        ends = -ends[:, ::-1]
    first, second = (
        np.array([place[model] for model in models])
        for models in ([i.model for i in intervals], [i.baseline for i in intervals])
    )
    sign = -1.0 if e.lower else 1.0
    means = sign * np.array([q.result.means[column].mean for column in columns])
    sets = stats.rank_sets(means, ends[:, 0], ends[:, 1], first, second)
    return tuple(
        replace(
            r,
            joint_low=float(sets.best[place[r.model]]),
            joint_high=float(sets.worst[place[r.model]]),
        )
        if r.model in place
        else r
        for r in ranks
    )
