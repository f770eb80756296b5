"""Sums over clusters of every pair of models, when few patterns of missing questions are shared by
many models.

Models that lack the same questions have the same common questions with any other model, and so the
same cluster sizes and weights. A pair of patterns then needs one product of cluster sums, as
complete scores do.
"""

from dataclasses import dataclass

import numpy as np

from reportkit.stats.clusters import row_sums
from reportkit.stats.pairs.missing import ClusterSums, Patterns, row_blocks


def sums_by_pattern(
    s: np.ndarray, codes: np.ndarray, centre: np.ndarray, patterns: Patterns, *, weighted: bool
) -> ClusterSums:
    """The same as cluster_sums_of_pairs, by pairs of patterns.

    codes: shape (n,), the cluster of each question. centre: shape (M,), near each model's mean.
    """
    m = s.shape[1]
    parts = _parts(s, codes, centre, patterns)
    members = [np.flatnonzero(patterns.code == k) for k in range(len(patterns.model))]
    out = np.zeros((7, m, m))
    for g, mine in enumerate(members):
        for h in range(g, len(members)):
            _add_pair(out, parts, (g, h), (mine, members[h]), weighted)
    return ClusterSums(*out)


@dataclass(frozen=True, slots=True)
class _Parts:
    """Clusters cut into parts whose questions are missing in the same patterns; in the order of
    their clusters.
    """

    sums: np.ndarray  # (S, M), of the scores about the centres, 0 where there is none
    size: np.ndarray  # (S,)
    cluster: np.ndarray  # (S,)
    known: np.ndarray  # (S, K): the pattern has these questions


def _parts(s: np.ndarray, codes: np.ndarray, centre: np.ndarray, patterns: Patterns) -> _Parts:
    n, m = s.shape
    known = ~np.isnan(s[:, patterns.model])
    bits = known @ (1 << np.arange(known.shape[1], dtype=np.int64))
    kind = np.unique(bits, return_inverse=True)[1]
    order = np.lexsort((kind, codes))
    change = (np.diff(codes[order]) != 0) | (np.diff(kind[order]) != 0)
    rank = np.concatenate([[0], np.cumsum(change)])
    first = order[np.concatenate([[True], change])]
    sums = np.zeros((len(first), m))
    for rows in row_blocks(n, m):
        here = rank[rows]
        x = s[order[rows]] - centre
        x[np.isnan(x)] = 0.0
        sums[here[0] : here[-1] + 1] += row_sums(x, here - here[0])
    return _Parts(sums, np.bincount(rank), codes[first], known[first])


def _add_pair(
    out: np.ndarray,
    parts: _Parts,
    pair: tuple[int, int],
    models: tuple[np.ndarray, np.ndarray],
    weighted: bool,
) -> None:
    """Adds the sums of all models of one pattern with all models of another, or of the same."""
    both = np.flatnonzero(parts.known[:, pair[0]] & parts.known[:, pair[1]])
    if len(both) == 0:
        return
    change = np.diff(parts.cluster[both]) != 0
    rank = np.concatenate([[0], np.cumsum(change)])
    size = np.bincount(rank, weights=parts.size[both])
    a, b = (row_sums(parts.sums[np.ix_(both, columns)], rank) for columns in models)
    w = np.ones(len(size))
    with np.errstate(divide="ignore", invalid="ignore"):
        if weighted:  # one cluster has all: undefined, and so is the pair
            w = 1.0 / (1.0 - size / size.sum())
        wa = a * w[:, None]
        cross = wa.T @ b
        own_a, own_b = np.einsum("cm,cm->m", wa, a), w @ (b * b)
        own = own_a[:, None] + own_b
        pull = ((w * size) @ a)[:, None] - (w * size) @ b
        weight = w * size * size
        wd2 = own - 2.0 * cross
    one, other = np.ix_(*models), np.ix_(*models[::-1])
    same = (len(size), size @ size, wd2, pull, weight.sum(), weight @ weight, own)
    for k, value in enumerate(same):
        out[k][one] = value
        out[k][other] = np.transpose(value)
    out[3][other] = -pull.T
