"""What a report says of a model's scores beside their mean: one function for each field of the
record of a mean, by the field's name.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np

from reportkit.stats.means.design import cluster_icc
from reportkit.stats.means.mean import mean_estimate

# scores of questions, shape (n,), n >= 1; labels of their clusters, shape (n,), None where no
# clusters are declared; nan where the statistic is undefined
Statistic = Callable[[np.ndarray, np.ndarray | None], float]


def icc(scores: np.ndarray, clusters: np.ndarray | None) -> float:
    """The correlation of two questions of a cluster, by analysis of variance (Donner & Koval 1980).

    Undefined (nan): without clusters, with one cluster, where no cluster has two questions, and of
    scores that are all the same.

    >>> # MSB 1/2, MSW 1/6
    >>> round(icc(np.array([1.0, 1, 1, 0, 0, 0]), np.array([1, 1, 2, 2, 3, 3])), 12)
    0.5
    >>> icc(np.ones(6), np.array([1, 1, 2, 2, 3, 3])), icc(np.arange(6.0), None)
    (nan, nan)
    """
    if clusters is None or not mean_estimate(scores, se="clt").se > 0.0:
        return math.nan
    return cluster_icc(scores, clusters)


STATISTICS: Mapping[str, Statistic] = {"icc": icc}


def statistics_of(scores: np.ndarray, clusters: np.ndarray | None) -> dict[str, float]:
    """The value of each statistic of these scores.

    >>> statistics_of(np.array([1.0, 1, 0, 0]), np.array([1, 1, 2, 2]))
    {'icc': 1.0}
    """
    return {field: statistic(scores, clusters) for field, statistic in STATISTICS.items()}
