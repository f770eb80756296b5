"""Every pair of models at once: differences, standard errors, intervals and correlations from matrix products."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.stats.intervals import t_quantile
from reportkit.stats.mean import ROUNDING, Estimate, cluster_codes, mean_estimate, satterthwaite_df
from reportkit.stats.paired import correlation, difference_interval, tango_interval


@dataclass(frozen=True, slots=True)
class Pairs:
    """All P = M(M-1)/2 pairs of M models, first minus second; every array has shape (P,), in score units."""

    first: np.ndarray  # column of the first model
    second: np.ndarray
    difference: np.ndarray
    se: np.ndarray  # CR2; nan where it is undefined
    df: np.ndarray
    low: np.ndarray
    high: np.ndarray
    method: np.ndarray  # of strings: tango, tango-clusters, t, none
    p_value: np.ndarray
    correlation: np.ndarray  # Pearson, on common questions
    n_questions: np.ndarray  # common questions
    n_clusters: np.ndarray
    level: float


def all_pairs(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: np.ndarray | bool = False,
    level: float = 0.95,
) -> Pairs:
    """Paired differences of every pair of models, each pair on its own common questions.

    scores: shape (n, M), question means, nan where a model has none. clusters: shape (n,) labels, or None.
    binary: shape (M,) or one for all: the model's scores are 0/1 with one answer for each question.

    The numbers are those of paired_difference on each pair; the way there is not. With x the centred scores and C their
    cluster sums, sum (d - mean d)^2 is g_ii + g_jj - 2 g_ij for G = x'x, and the CR2 sum is the same in C'WC, W the
    weights 1/(1 - m_c/n): two matrix products, whatever the number of pairs. Missing scores add the products with the
    0/1 mask, and, with clusters, one small product for each cluster. Pairs whose variance is within rounding of 0 are
    done again from their own differences, so that identical models have an SE of exactly 0.

    >>> p = all_pairs(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    >>> p.difference.tolist(), p.se.round(4).tolist(), p.n_questions.tolist()
    ([0.5], [0.2887], [4])
    """
    s = np.asarray(scores, dtype=float)
    n, m = s.shape
    codes = cluster_codes(clusters, n)
    i, j = np.triu_indices(m, 1)
    complete = not math.isnan(float(s.sum()))
    moments = _complete(s, codes, i, j) if complete else _incomplete(s, ~np.isnan(s), codes, i, j)
    difference, squares, variance, df, r, common, groups, size = moments
    defined = (common > 1) & (groups > 1)
    se = np.where(defined, np.sqrt(np.maximum(variance, 0.0)), np.nan)
    df = np.where(defined, df, np.nan)
    r[common < 2] = np.nan
    both_binary = np.broadcast_to(np.asarray(binary, dtype=bool), (m,))
    both_binary = both_binary[i] & both_binary[j]
    pairs = Pairs(
        i, j, difference, se, df, np.full(len(i), np.nan), np.full(len(i), np.nan), np.full(len(i), "none", dtype=object),
        np.full(len(i), np.nan), r, common, groups, level,
    )  # fmt: skip
    _intervals(pairs, squares, both_binary & (codes is None))
    # Within rounding of zero the subtraction above has no digits left: take these few pairs from their own differences.
    with np.errstate(invalid="ignore"):
        lost = np.flatnonzero((variance <= 1e-10 * size) & (common > 0))
    for k in lost:
        _redo(pairs, int(k), s, codes, bool(both_binary[k]))
    return pairs


def _complete(s: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, ...]:
    n = len(s)
    means = s.mean(axis=0)
    x = s - means
    gram = x.T @ x
    own = np.diag(gram).copy()
    squares = own[i] + own[j] - 2.0 * gram[i, j]
    groups, df, scale = n, n - 1.0, n * max(n - 1, 1)
    variance, size = squares / scale, (own[i] + own[j]) / scale
    if codes is not None:
        sums, sizes = cluster_sums(x, codes)
        groups, df = len(sizes), satterthwaite_df(sizes, n)
        if 1 < groups < n:
            sums *= np.sqrt(1.0 / (1.0 - sizes / n))[:, None]
            clustered = sums.T @ sums
            own_c = np.diag(clustered)
            variance = (own_c[i] + own_c[j] - 2.0 * clustered[i, j]) / n**2
            size = np.maximum(size, (own_c[i] + own_c[j]) / n**2)
    flat = np.flatnonzero(own <= 1e-12 * n * (means * means + own / n))  # the few that may be constant
    constant = np.zeros(s.shape[1], dtype=bool)
    constant[flat] = (s[:, flat] == s[0, flat]).all(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.clip(gram[i, j] / np.sqrt(own[i] * own[j]), -1.0, 1.0)
    r[constant[i] | constant[j]] = np.nan
    full = np.full(len(i), n)
    return means[i] - means[j], squares, variance, np.full(len(i), df), r, full, np.full(len(i), groups), size


def cluster_sums(x: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums over the questions of each cluster, shape (G, M), and the sizes, shape (G,); empty codes are left out."""
    from scipy import sparse

    groups, rows = np.unique(codes, return_inverse=True)
    n = len(codes)
    member = sparse.csr_array((np.ones(n), (rows, np.arange(n))), shape=(len(groups), n))
    return member @ x, np.bincount(rows)


def _incomplete(
    s: np.ndarray, known: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray
) -> tuple[np.ndarray, ...]:
    mask = known.astype(float)
    count = mask.sum(axis=0)
    # Centred on the model's own mean, so that the products below stay small; each pair's own mean is taken off later.
    means = np.where(known, s, 0.0).sum(axis=0) / np.maximum(count, 1.0)
    x = np.where(known, s - means, 0.0)
    n = (mask.T @ mask)[i, j]
    sums, squares, cross = x.T @ mask, (x * x).T @ mask, (x.T @ x)[i, j]
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = (sums[i, j] - sums[j, i]) / n  # of the centred scores, over the pair's common questions
        difference = means[i] - means[j] + shift
        var_a, var_b = squares[i, j] - sums[i, j] ** 2 / n, squares[j, i] - sums[j, i] ** 2 / n
        cov = cross - sums[i, j] * sums[j, i] / n
        total = var_a + var_b - 2.0 * cov
        variance, size = total / (n * (n - 1.0)), (squares[i, j] + squares[j, i]) / (n * np.maximum(n - 1.0, 1.0))
        r = np.clip(cov / np.sqrt(var_a * var_b), -1.0, 1.0)
        r[(var_a <= 1e-13 * squares[i, j]) | (var_b <= 1e-13 * squares[j, i])] = np.nan
        groups, df = n, n - 1.0
        if codes is not None:
            variance, df, groups, size = _incomplete_clusters(x, mask, codes, i, j, n, shift, size)
    return difference, total, variance, df, r, n.astype(int), groups.astype(int), size


def _incomplete_clusters(
    x: np.ndarray,
    mask: np.ndarray,
    codes: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    n: np.ndarray,
    shift: np.ndarray,
    size: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """CR2 when each pair has its own cluster sizes: one product for each cluster, sums over clusters for all pairs."""
    weighted, m2, u1, u2, groups = (np.zeros(len(i)) for _ in range(5))
    order = np.argsort(codes, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        own, held = x[rows], mask[rows]
        sums = own.T @ held
        m = (held.T @ held)[i, j]
        residual = sums[i, j] - sums[j, i] - m * shift
        factor = np.where((m > 0) & (m < n), 1.0 / (1.0 - m / n), 0.0)
        weighted += factor * residual**2
        u = factor * m * m
        m2, u1, u2, groups = m2 + m * m, u1 + u, u2 + u * u, groups + (m > 0)
    singletons = groups == n
    variance = np.where(singletons, np.nan, weighted / n**2)
    df = np.where(singletons, n - 1.0, 1.0 / (m2 / n**2 + (u1 * u1 - u2) / n**4))
    # Singletons: the same as unclustered, to the last digit.
    return np.where(singletons, weighted / n**2, variance), df, groups, np.maximum(size, weighted / n**2)


def _intervals(pairs: Pairs, squares: np.ndarray, tango: np.ndarray) -> None:
    """Fills in interval, method and p-value of every pair with an SE, as difference_interval does for one."""
    n = pairs.n_questions
    t = (pairs.se > 0.0) & ~tango
    if t.any():
        dfs, inverse = np.unique(pairs.df[t], return_inverse=True)  # complete data have one df for all pairs
        half = t_quantile(pairs.level, dfs)[inverse] * pairs.se[t]
        pairs.low[t], pairs.high[t] = pairs.difference[t] - half, pairs.difference[t] + half
        pairs.p_value[t] = 2.0 * special.stdtr(pairs.df[t], -np.abs(pairs.difference[t]) / pairs.se[t])
        pairs.method[t] = "t"
    tango = tango & (n > 1)
    if tango.any():
        nt, net = n[tango], np.rint(pairs.difference[tango] * n[tango])
        # b - c is the sum of d, b + c the sum of d^2; rint takes off the rounding of the products.
        discordant = np.rint(squares[tango] + net**2 / nt)
        b, c = (discordant + net) / 2.0, (discordant - net) / 2.0
        pairs.low[tango], pairs.high[tango] = tango_interval(b, c, nt, pairs.level)
        with np.errstate(invalid="ignore", divide="ignore"):
            z = np.where(discordant > 0, np.abs(net) / np.sqrt(discordant), 0.0)
        pairs.p_value[tango] = 2.0 * special.ndtr(-z)
        pairs.method[tango] = "tango"


def _redo(pairs: Pairs, k: int, s: np.ndarray, codes: np.ndarray | None, binary: bool) -> None:
    """One pair from its own differences, by the rules of a single pair."""
    a, b = s[:, pairs.first[k]], s[:, pairs.second[k]]
    common = ~np.isnan(a) & ~np.isnan(b)
    a, b = a[common], b[common]
    estimate: Estimate = mean_estimate(a - b, None if codes is None else codes[common])
    if estimate.se < ROUNDING * float(max(np.abs(a).max(), np.abs(b).max())):
        estimate = Estimate(estimate.value, 0.0, estimate.df, estimate.n_questions, estimate.n_clusters)
    interval, p_value = difference_interval(
        a - b, estimate, None if codes is None else codes[common], binary=binary, share=False, level=pairs.level
    )
    pairs.difference[k], pairs.se[k], pairs.df[k] = estimate.value, estimate.se, estimate.df
    pairs.low[k], pairs.high[k], pairs.method[k] = interval.low, interval.high, interval.method
    pairs.p_value[k] = p_value
    pairs.correlation[k] = correlation(a, b) if len(a) > 1 else math.nan
