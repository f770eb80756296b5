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
from reportkit.stats.planning.share_powers import MOST_ALIKE, Grid, grids_of, share_powers
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
    square: np.ndarray  # mean of (a - b)^2 over questions, shape (P,)


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
    some = mean_over(spread)
    # where questions are all right or all wrong nothing is left
    spread = np.where(
        _wide(some) > TINY, spread * _wide(left / np.maximum(some, TINY)), _wide(left)
    )
    apart = special.ndtr(first) - special.ndtr(second)
    return ClusterShares(gap, spread, size, alone + apart**2)


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


def sum_tails(
    first: np.ndarray,
    second: np.ndarray,
    own: np.ndarray,
    both: np.ndarray,
    size: np.ndarray,
    alone: np.ndarray,
) -> Tails:
    """Of a cluster's sum of differences, of models with these shares right, shape (P,); the rest as
    in cluster_shares. Those of a question within a cluster are taken as normal.

    With D a cluster's difference less the mean one, W a question's variance in it and m its
    questions, the central moments are m^2 E D^2 + m E W, m^3 E D^3 + 3 m^2 E D W, and m^4 E D^4 +
    6 m^3 E D^2 W + 3 m^2 E W^2. Given what the cluster means for both models, the two shares are
    independent, and all of these follow from the means of their powers.

    >>> one = np.ones(1)   # clusters that mean nothing: normal
    >>> t = sum_tails(0.8 * one, 0.5 * one, 0.0 * one, 0.0 * one, 10 * one, 0.2 * one)
    >>> abs(t.skew.round(9).item()), abs(t.excess.round(9).item())
    (0.0, 0.0)
    """
    both = np.clip(both, 0.0, MOST_ALIKE)
    own = np.clip(own, both, 1.0 - 1e-9)
    skew, excess = np.zeros(len(first)), np.zeros(len(first))
    for k, grid in grids_of(both):
        a, b = (share_powers(x[k], own[k], both[k], grid) for x in (first, second))
        skew[k], excess[k] = _sum_tails(a, b, grid, size[k], alone[k])
    return Tails(skew, excess)


def _sum_tails(
    a: np.ndarray, b: np.ndarray, grid: Grid, m: np.ndarray, alone: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of pairs of one grid. a, b: share_powers of the two models."""
    (p, p2, p3, p4), (q, q2, q3, q4) = a, b
    gap, d2, d3, d4 = (
        grid.mean(x)
        for x in (
            p - q,
            p2 - 2.0 * p * q + q2,
            p3 - 3.0 * p2 * q + 3.0 * p * q2 - q3,
            p4 - 4.0 * p3 * q + 6.0 * p2 * q2 - 4.0 * p * q3 + q4,
        )
    )
    square, cube = d2 - gap**2, d3 - 3.0 * gap * d2 + 2.0 * gap**3
    fourth = d4 - 4.0 * gap * d3 + 6.0 * gap**2 * d2 - 3.0 * gap**4
    # W goes with p (1 - p) + q (1 - q): its mean, with the difference, its square, and W squared
    w, dw, d2w, w2 = (
        grid.mean(x)
        for x in (
            p - p2 + q - q2,
            p2 - p3 + p2 * q - p * q2 - q2 + q3,
            p3 - p4 - p2 * q - p2 * q2 + 2.0 * p3 * q - p * q2 - p2 * q2 + 2.0 * p * q3 + q3 - q4,
            p2 - 2.0 * p3 + p4 + 2.0 * (p - p2) * (q - q2) + q2 - 2.0 * q3 + q4,
        )
    )
    times = np.maximum(alone - square, 0.0) / np.maximum(w, TINY)
    within, off_w = times * w, times * (dw - gap * w)
    square_w, w_w = times * (d2w - 2.0 * gap * dw + gap**2 * w), times**2 * w2
    variance = m * square + within
    third = m * cube + 3.0 * off_w
    last = m * m * fourth + 6.0 * m * square_w + 3.0 * w_w
    return np.sqrt(m) * third / variance**1.5, last / variance**2 - 3.0


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
    # no mean of |a - b| has a larger square than the mean of its squares
    squares = np.minimum(mean_over(size * size), c.square)
    within = c.square - squares
    return (squares - apart**2 + within / c.size) / apart**2
