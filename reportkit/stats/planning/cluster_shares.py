"""What two models' shares right are in the clusters of an eval, and with that the law of the
clusters' sums of differences: how skewed it is, how long its tails are, and how many clusters show
the difference.

A model that got worse loses most in the clusters that were hard before: differences are then
skewed. Mean and standard error err together, so that fewer clusters are enough; and where a
cluster's share stays near an end it varies less than others, so that the error is known less well.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.planning.tails import Tails

# Of a normal law, in each of three directions; moments up to the fourth to 1%.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(7)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
TINY = 1e-30
CUBE = (WEIGHTS[:, None, None] * WEIGHTS[:, None] * WEIGHTS).reshape(-1)


@dataclass(frozen=True, slots=True)
class ClusterShares(Record):
    """Of P pairs at the nodes of a quadrature, arrays of shape (P, 7, 7, 7)."""

    gap: np.ndarray  # the models' difference in a cluster
    spread: np.ndarray  # variance of one question's difference within the cluster
    size: np.ndarray  # questions of a cluster, shape (P,)


def cluster_shares(
    first: np.ndarray,
    second: np.ndarray,
    own: np.ndarray,
    both: np.ndarray,
    size: np.ndarray,
    alone: np.ndarray,
) -> ClusterShares:
    """Of models that answer right where a normal variable exceeds 0, shape (P,) each.

    first, second: the means of the two models' variables, whose variance is 1. own, both: the
    correlation of one model's, and of two models', variables on two questions of a cluster. alone:
    variance of one question's difference.

    Within a cluster questions are independent. What the differences of the shares leave of `alone`
    goes with p (1 - p) of the two models.

    >>> one = np.ones(1)
    >>> c = cluster_shares(1.28 * one, 0.84 * one, 0.2 * one, 0.1 * one, 10 * one, 0.2 * one)
    >>> mean_over(c.gap).round(4).item()   # Phi(1.28) - Phi(0.84)
    0.1002
    >>> mean_over(c.spread + (c.gap - 0.1002) ** 2).round(6).item()
    0.2
    """
    both = np.maximum(both, 0.0)
    own = np.clip(own, both, 1.0 - 1e-9)
    at = (_shares_in(h, own, both) for h in (first, second))
    p, q = next(at)[:, :, :, None], next(at)[:, :, None, :]
    gap, spread = p - q, p * (1.0 - p) + q * (1.0 - q)
    off = gap - _wide(mean_over(gap))
    left = np.maximum(alone - mean_over(off * off), 0.0)
    # where questions are all right or all wrong nothing is left
    return ClusterShares(gap, spread * _wide(left / np.maximum(mean_over(spread), TINY)), size)


def _shares_in(at: np.ndarray, own: np.ndarray, both: np.ndarray) -> np.ndarray:
    """A model's share right by what a cluster means for both models, and for it alone, shape (P, 7,
    7).
    """
    at, own, both = (x[:, None, None] for x in (at, own, both))
    shift = np.sqrt(both) * NODES[:, None] + np.sqrt(own - both) * NODES
    return np.asarray(special.ndtr((at + shift) / np.sqrt(1.0 - own)))


def mean_over(x: np.ndarray) -> np.ndarray:
    """Over clusters, shape (P,); each pair's sum is the same whatever pairs are beside it."""
    return np.asarray((x.reshape(len(x), -1) * CUBE).sum(axis=1))


def _wide(x: np.ndarray) -> np.ndarray:
    return x[:, None, None, None]


def sum_tails(c: ClusterShares) -> Tails:
    """Of a cluster's sum of differences, those of a question within a cluster taken as normal: with
    D a cluster's difference less the mean one, W a question's variance in it and m its questions,
    the central moments are m^2 E D^2 + m E W, m^3 E D^3 + 3 m^2 E D W, and m^4 E D^4 + 6 m^3 E D^2
    W + 3 m^2 E W^2.

    >>> one = np.ones(1)   # clusters that mean nothing: normal
    >>> c = cluster_shares(one, 0.0 * one, 0.0 * one, 0.0 * one, 10 * one, 0.2 * one)
    >>> t = sum_tails(c)
    >>> abs(t.skew.round(9).item()), abs(t.excess.round(9).item())
    (0.0, 0.0)
    """
    m, off = c.size, c.gap - _wide(mean_over(c.gap))
    square, within = off * off, c.spread
    variance = m * mean_over(square) + mean_over(within)
    third = m * mean_over(square * off) + 3.0 * mean_over(off * within)
    fourth = (
        m * m * mean_over(square * square)
        + 6.0 * m * mean_over(square * within)
        + 3.0 * mean_over(within * within)
    )
    return Tails(np.sqrt(m) * third / variance**1.5, fourth / variance**2 - 3.0)


def unlike_clusters(c: ClusterShares, apart: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Squared coefficient of variation of the clusters' mean |a - b|, shape (P,).

    apart: the mean of |a - b|. part: the variance of a model's scores as a part of the most that
    their mean allows; at 1 scores are 0 or 1, and |a - b| goes with (a - b)^2, at 0 with its root.

    >>> one = np.ones(1)   # 0/1, 10 questions each, of which 0.2 differ: (1 - 0.2) / 0.2 / 10
    >>> c = cluster_shares(one, one, 0.0 * one, 0.0 * one, 10 * one, 0.2 * one)
    >>> unlike_clusters(c, 0.2 * one, one).round(9).item()
    0.4
    """
    second = c.gap * c.gap + c.spread
    size = second ** _wide((1.0 + part) / 2.0)
    size = size * _wide(apart / mean_over(size))
    squares = mean_over(size * size)
    within = np.maximum(mean_over(second) - squares, 0.0)
    return (squares - apart**2 + within / c.size) / apart**2
