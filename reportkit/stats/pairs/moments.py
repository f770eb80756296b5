"""The moments of every pair of models at once, from matrix products: differences, variances,
correlations.

With x the centred scores and C their cluster sums, sum (d - mean d)^2 of a pair is g_ii + g_jj -
2 g_ij for G = x'x, and the CR2 sum is the same in C'WC. A subtraction loses digits where two models
hardly differ: the limits below say where too few are left, and such a pair is done again from its
own differences.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from reportkit.stats.clusters import in_clusters, row_sums
from reportkit.stats.means.mean import satterthwaite_df
from reportkit.stats.pairs.missing import (
    ClusterSums,
    Common,
    Patterns,
    cluster_sums_of_pairs,
    common_sums,
    patterns_of,
    row_blocks,
)
from reportkit.stats.pairs.paired import constant
from reportkit.stats.pairs.patterns import sums_by_pattern

PairSeKind = Literal["cr2", "cr1", "cr0", "clt"]

# Below this share of the variance of the two models, that of their difference has lost digits in
# the subtraction.
CANCELLED = 1e-6
# Up to this square of mean over spread, sums of the scores themselves keep twelve digits of the
# variance.
RAW = 300.0
# So has a variance of cluster sums below this share of the scores' own squares: the sums themselves
# cancelled.
BALANCED = 1e-12
# And a variance below this share of the squared distance from 0: the scores hardly differ by more
# than their rounding.
FAR = 1e-20


@dataclass(frozen=True, slots=True)
class Moments:
    """What the products say of every pair, shape (P,) each."""

    difference: np.ndarray
    squares: np.ndarray  # sum of (d - mean d)^2
    variance: np.ndarray  # of the mean of d
    df: np.ndarray
    correlation: np.ndarray
    n: np.ndarray
    groups: np.ndarray
    cancelled: np.ndarray  # too few digits left: to be done again


def moments_of_complete(
    s: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray, se: PairSeKind
) -> Moments | None:
    """None where a score is missing or infinite."""
    n, m = s.shape
    groups = n if codes is None else int(np.count_nonzero(np.bincount(codes)))
    clustered = 1 < groups < n and se != "clt"
    order, rank, sizes = in_clusters(codes if clustered else None, n)
    sums = s
    if clustered:
        sums = row_sums(s if order is None else s[order], rank)
    with np.errstate(invalid="ignore"):
        means = sums.sum(axis=0) / n
    if not np.isfinite(means).all():
        return None
    gram, rest = s.T @ s, np.zeros(m)
    own = np.diag(gram) - n * means * means
    if (n * means * means <= RAW * own).all():
        # The scores themselves will do, which spares a pass: what the means add takes few digits
        # from the spread.
        gram -= np.outer(n * means, means)
        if clustered:
            _less_means(sums, sizes, means)
    else:
        gram, sums = np.zeros((m, m)), np.zeros((groups if clustered else 0, m))
        buffer = np.empty((next(row_blocks(n, m)).stop, m))
        for rows in row_blocks(n, m):
            x = buffer[: rows.stop - rows.start]
            np.subtract(
                s[rows] if order is None else s.take(order[rows], 0, out=x, mode="clip"),
                means,
                out=x,
            )
            gram += x.T @ x
            rest += x.sum(axis=0)
            if clustered:
                sums[rank[rows.start] : rank[rows.stop - 1] + 1] += row_sums(
                    x, rank[rows] - rank[rows.start]
                )
        # The means had their own rounding, which is large beside the spread where the scores are
        # far from 0.
        gram -= np.outer(rest, rest / n)
    own = np.diag(gram).copy()
    cross, total = gram[i, j], own[i] + own[j]
    squares = total - 2.0 * cross
    scale = n**2 if se == "cr0" else n * max(n - 1, 1)
    far = FAR * n * (means[i] ** 2 + means[j] ** 2)
    variance, cancelled = squares / scale, squares <= np.maximum(CANCELLED * total, far)
    df = n - 1.0
    if clustered:
        if rest.any():
            _less_means(sums, sizes, rest / n)
        if se == "cr2":
            df = satterthwaite_df(sizes, n)
            sums *= np.sqrt(1.0 / (1.0 - sizes / n))[:, None]
        else:
            df = groups - 1.0
        of_sums = sums.T @ sums
        own_sums = np.diag(of_sums).copy()
        total_of_sums = own_sums[i] + own_sums[j]
        variance = total_of_sums - 2.0 * of_sums[i, j]
        cancelled |= variance <= np.maximum(CANCELLED * total_of_sums, BALANCED * total)
        variance *= (groups / (groups - 1) if se == "cr1" else 1.0) / n**2
    # the few that may be constant
    flat = np.flatnonzero(own <= 1e-12 * n * (means * means + own / n))
    own[flat[constant(s[:, flat])]] = np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip(cross / (np.sqrt(own)[i] * np.sqrt(own)[j]), -1.0, 1.0)
    difference = (means[i] - means[j]) + (rest[i] - rest[j]) / n
    count = len(i)
    return Moments(
        difference,
        squares,
        variance,
        np.full(count, df),
        r,
        np.full(count, n),
        np.full(count, groups),
        cancelled,
    )


def _less_means(sums: np.ndarray, sizes: np.ndarray, means: np.ndarray) -> None:
    """Takes what the means add off the sums of clusters of these sizes, shape (G, M), in place."""
    size = sizes.astype(float)[:, None]
    for rows in row_blocks(*sums.shape):
        sums[rows] -= size[rows] * means


def moments_of_counts(
    s: np.ndarray, i: np.ndarray, j: np.ndarray, se: PairSeKind
) -> Moments | None:
    """0/1 scores without clusters: everything follows from counts, exact in single precision. None
    for other scores.
    """
    n, m = s.shape
    both = np.zeros((m, m))  # questions that both have right
    for rows in row_blocks(n, m):
        right = s[rows].astype(bool)
        if not (right == s[rows]).all():
            return None
        x = right.astype(np.float32)
        both += x.T @ x
    right = np.diag(both).copy()
    net, joint = right[i] - right[j], both[i, j]
    squares = right[i] + right[j] - 2.0 * joint - net * net / n
    variance = squares / (n**2 if se == "cr0" else n * max(n - 1, 1))
    spread = np.sqrt(right * (n - right))  # 0 for a constant model, which has no correlation
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip((n * joint - right[i] * right[j]) / (spread[i] * spread[j]), -1.0, 1.0)
    full = np.full(len(i), n)
    return Moments(net / n, squares, variance, full - 1.0, r, full, full, squares <= 0.0)


def moments_of_incomplete(
    s: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray, se: PairSeKind
) -> Moments:
    patterns = patterns_of(s)
    common = common_sums(s, patterns)
    n = common.n[i, j]
    sum_a, sum_b = common.sums[i, j], common.sums[j, i]
    square_a, square_b = common.squares[i, j], common.squares[j, i]
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = (sum_a - sum_b) / n  # the difference about the centres
        difference = (common.centre[i] - common.centre[j]) + shift
        var_a, var_b = square_a - sum_a * sum_a / n, square_b - sum_b * sum_b / n
        cov = common.cross[i, j] - sum_a * sum_b / n
        squares = var_a + var_b - 2.0 * cov
        r = np.clip(cov / np.sqrt(var_a * var_b), -1.0, 1.0)
        cancelled = (squares <= CANCELLED * (square_a + square_b)) & (n > 1)
        far_a, far_b = (FAR * n * common.centre[k] ** 2 for k in (i, j))
        cancelled |= ((var_a <= np.maximum(CANCELLED * square_a, far_a)) |
                      (var_b <= np.maximum(CANCELLED * square_b, far_b))) & (n > 1)  # fmt: skip
        variance, df, groups = squares / (n * n if se == "cr0" else n * (n - 1.0)), n - 1.0, n
        if codes is not None:
            c = _in_clusters(s, codes, common, patterns, weighted=se == "cr2")
            groups = c.groups[i, j]
            clustered = (groups < n) & (se != "clt")
            m2, u, wd2, pull = c.m2[i, j], c.u[i, j], c.wd2[i, j], c.wmd[i, j] * shift
            size = wd2 + shift * shift * u
            of_sums = size - 2.0 * pull  # sum of w (D - m shift)^2
            cancelled |= clustered & (
                of_sums
                <= np.maximum(CANCELLED * (size + c.own[i, j]), BALANCED * (square_a + square_b))
            )
            if se == "cr2":
                own_df = 1.0 / (m2 / n**2 + (u * u - c.u2[i, j]) / n**4)
            else:
                own_df = groups - 1.0
                of_sums *= groups / own_df if se == "cr1" else 1.0
            variance, df = (
                np.where(clustered, of_sums / n**2, variance),
                np.where(clustered, own_df, df),
            )
    r[n < 2] = np.nan
    return Moments(
        difference, squares, variance, df, r, n.astype(int), groups.astype(int), cancelled
    )


def _in_clusters(
    s: np.ndarray, codes: np.ndarray, common: Common, patterns: Patterns, *, weighted: bool
) -> ClusterSums:
    """By pairs of patterns where they are few, else by pairs of models."""
    if patterns.few:
        return sums_by_pattern(s, codes, common.centre, patterns, weighted=weighted)
    return cluster_sums_of_pairs(s, codes, common.centre, common.n, weighted=weighted)
