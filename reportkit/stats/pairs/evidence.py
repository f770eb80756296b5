"""Pairs of shares that surely differ in enough clusters for a t interval, from matrix products."""

import numpy as np

from reportkit.stats.evidence import dense
from reportkit.stats.pairs.missing import row_blocks

# Of the sums that a bound is the difference of: more than their rounding.
SLACK = 1e-9


def surely_dense(
    squares: np.ndarray, codes: np.ndarray | None, clusters: np.ndarray, n: np.ndarray
) -> np.ndarray:
    """Pairs of shares whose t interval stands, shape (P,), by a bound that is at hand.

    squares: sum d^2 of each pair, on its n common questions in so many clusters. |d| <= 1, so the
    effective number of clusters that show a difference is at least sum d^2 over the largest
    cluster.
    """
    largest = 1 if codes is None else int(np.bincount(codes).max())
    return dense(squares / largest, clusters, n)


def surely_dense_in_clusters(
    s: np.ndarray,
    codes: np.ndarray,
    pairs: tuple[np.ndarray, np.ndarray],
    clusters: np.ndarray,
    n: np.ndarray,
) -> np.ndarray:
    """The same by a closer bound, which takes two products: sum over clusters of sum d^2 / m_c.

    s: shape (questions, M), shares, nan where a model has none. codes: shape (questions,), the
    cluster of each. pairs: columns of s, shape (P,) each, with n common questions in so many
    clusters. With a_c the mean of |d| in a cluster, at most 1, (sum a)^2 / sum a^2 is at least sum
    a, and that is at least the bound, whatever part of the questions it is summed over: the sum
    stops where all pairs have enough.
    """
    columns, places = np.unique(np.concatenate(pairs), return_inverse=True)
    i, j = places[: len(n)], places[len(n) :]
    k = len(columns)
    weight = 1.0 / np.bincount(codes)[codes]
    own, cross = np.zeros((k, k)), np.zeros((k, k))
    sure = np.zeros(len(n), dtype=bool)
    for rows in row_blocks(len(s), k):
        x = s[rows, columns]
        held = x == x
        x[~held] = 0.0
        weighted = x * weight[rows, None]
        cross += weighted.T @ x
        own += (weighted * x).T @ held.astype(float)
        both = own[i, j] + own[j, i]
        sure = dense((1.0 - SLACK) * both - 2.0 * cross[i, j], clusters, n)
        if sure.all():
            break
    return sure
