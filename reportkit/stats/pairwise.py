"""Every pair of models at once: differences, standard errors, intervals and correlations from
matrix products.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes, cluster_means, in_clusters, row_sums
from reportkit.stats.intervals import LEAST_UNITS, dense, effective_number, t_quantile, z_quantile
from reportkit.stats.mean import satterthwaite_df
from reportkit.stats.multiplicity import holm
from reportkit.stats.paired import constant, difference_ends, paired_difference
from reportkit.stats.pairwise_missing import cluster_sums_of_pairs, common_sums, row_blocks
from reportkit.stats.tango import tango_interval

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
class Pairs(Record):
    """All P = M(M-1)/2 pairs of M models, first minus second; every array has shape (P,), in score
    units.
    """

    first: np.ndarray  # column of the first model
    second: np.ndarray
    difference: np.ndarray
    se: np.ndarray  # of the kind asked for; nan where it is undefined
    df: np.ndarray
    low: np.ndarray
    high: np.ndarray
    method: np.ndarray  # of strings: tango, tango-effective, tango-clusters, t, none
    p_value: np.ndarray
    correlation: np.ndarray  # Pearson, on common questions
    n_questions: np.ndarray  # common questions
    n_clusters: np.ndarray
    level: float
    p_adjusted: np.ndarray  # Holm, over all pairs with a p-value


@dataclass(frozen=True, slots=True)
class _Moments:
    """What the products say of every pair, shape (P,) each."""

    difference: np.ndarray
    squares: np.ndarray  # sum of (d - mean d)^2
    variance: np.ndarray  # of the mean of d
    df: np.ndarray
    correlation: np.ndarray
    n: np.ndarray
    groups: np.ndarray
    cancelled: np.ndarray  # too few digits left: to be done again


def all_pairs(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: np.ndarray | bool = False,
    share: bool = False,
    level: float = 0.95,
    se: PairSeKind = "cr2",
) -> Pairs:
    """Paired differences of every pair of models, each pair on its own common questions.

    scores: shape (n, M), question means, nan where a model has none. clusters: shape (n,) labels,
    or None. binary: shape (M,) or one for all: the model's scores are 0/1 with one answer for each
    question. share: all scores lie between 0 and 1. se: "cr2", "cr1", "cr0" or "clt", as in
    paired_difference; intervals and p-values follow it and its df.

    The numbers are those of paired_difference on each pair, to 1e-12 of the spread of the scores;
    the way there is not. With x the centred scores and C their cluster sums, sum (d - mean d)^2 is
    g_ii + g_jj - 2 g_ij for G = x'x, and the CR2 sum is the same in C'WC, W the weights 1/(1 -
    m_c/n): two matrix products, whatever the number of pairs. Missing scores add the products with
    the 0/1 mask, and, with clusters, sums over clusters of each pair's own cluster sizes and
    weights (pairwise_missing). Pairs whose variance is within rounding of 0 are done again by
    paired_difference, so that identical models have an SE of exactly 0; pairs of shares that may
    differ in few clusters are looked at one by one.

    Undefined is nan: everything without a common question; SE, interval and p-value with one
    question, or, unless se is "clt", one cluster. p_adjusted is Holm's over all pairs that have a
    p-value.

    >>> p = all_pairs(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    >>> p.difference.tolist(), p.se.round(4).tolist(), p.n_questions.tolist()
    ([0.5], [0.2887], [4])
    """
    if se not in get_args(PairSeKind):
        raise ValueError(f"se={se!r} is not one of {', '.join(get_args(PairSeKind))}")
    s = np.asarray(scores, dtype=float)
    if s.ndim != 2 or len(s) == 0:
        raise ValueError(
            f"scores have shape {s.shape}; all_pairs needs (questions, models) and at least one "
            "question"
        )
    z_quantile(level)  # checks the level
    n, m = s.shape
    codes = cluster_codes(clusters, n)
    i, j = np.triu_indices(m, 1)
    is_binary = np.broadcast_to(np.asarray(binary, dtype=bool), (m,))
    both_binary = is_binary[i] & is_binary[j]
    found = _counts(s, i, j, se) if codes is None and is_binary.all() else None
    if found is None:
        with np.errstate(invalid="ignore"):
            means = s.mean(axis=0)
        complete = bool(np.isfinite(means).all())
        if not complete and (infinite := int(np.isinf(s).sum())):
            raise ValueError(f"{infinite} of {s.size} scores are infinite; drop them first")
        found = (
            _complete(s, means, codes, i, j, se) if complete else _incomplete(s, codes, i, j, se)
        )
    defined = (found.n > 1) & ((found.groups > 1) | (se == "clt"))
    error = np.where(defined, np.sqrt(np.maximum(found.variance, 0.0)), np.nan)
    df = np.where(defined, found.df, np.nan)
    tango = both_binary & (found.groups == found.n)
    low, high, p_value, method = _intervals(
        found.difference,
        error,
        df,
        found.n,
        found.squares,
        tango,
        both_binary | (found.groups >= LEAST_UNITS),
        level,
    )
    pairs = Pairs(
        i,
        j,
        found.difference,
        error,
        df,
        low,
        high,
        method,
        p_value,
        found.correlation,
        found.n,
        found.groups,
        level,
        np.empty(len(i)),
    )
    if share or is_binary.any():
        bounded = (both_binary | share) & ~tango & ~found.cancelled & (error > 0.0)
        _score_intervals(
            pairs,
            np.flatnonzero(bounded & ~_surely_dense(pairs, found.squares, codes)),
            s,
            codes,
            both_binary,
        )
    _redo(pairs, np.flatnonzero(found.cancelled & (found.n > 0)), s, codes, both_binary, share, se)
    pairs.p_adjusted[:] = holm(pairs.p_value)
    return pairs


def _complete(
    s: np.ndarray,
    means: np.ndarray,
    codes: np.ndarray | None,
    i: np.ndarray,
    j: np.ndarray,
    se: PairSeKind,
) -> _Moments:
    n, m = s.shape
    groups = n if codes is None else int(np.count_nonzero(np.bincount(codes)))
    clustered = 1 < groups < n and se != "clt"
    order, rank, sizes = in_clusters(codes if clustered else None, n)
    gram, rest = s.T @ s, np.zeros(m)
    own = np.diag(gram) - n * means * means
    if (n * means * means <= RAW * own).all():
        # The scores themselves will do, which spares a pass: what the means add takes few digits
        # from the spread.
        gram -= np.outer(n * means, means)
        if clustered:
            sums = row_sums(s if order is None else s[order], rank) - np.outer(sizes, means)
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
            sums -= np.outer(sizes, rest / n)
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
    return _Moments(
        difference,
        squares,
        variance,
        np.full(count, df),
        r,
        np.full(count, n),
        np.full(count, groups),
        cancelled,
    )


def _counts(s: np.ndarray, i: np.ndarray, j: np.ndarray, se: PairSeKind) -> _Moments | None:
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
    return _Moments(net / n, squares, variance, full - 1.0, r, full, full, squares <= 0.0)


def _incomplete(
    s: np.ndarray, codes: np.ndarray | None, i: np.ndarray, j: np.ndarray, se: PairSeKind
) -> _Moments:
    common = common_sums(s)
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
            c = cluster_sums_of_pairs(s, codes, common.centre, common.n, weighted=se == "cr2")
            groups = c.groups[i, j]
            clustered = (groups < n) & (se != "clt")
            m2, u, wd2, pull = c.m2[i, j], c.u[i, j], c.wd2[i, j], c.wmd[i, j] * shift
            size = wd2 + shift * shift * u
            of_sums = size - 2.0 * pull  # sum of w (D - m shift)^2
            cancelled |= clustered & (
                of_sums <= np.maximum(CANCELLED * size, BALANCED * (square_a + square_b))
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
    return _Moments(
        difference, squares, variance, df, r, n.astype(int), groups.astype(int), cancelled
    )


def _intervals(
    difference: np.ndarray,
    se: np.ndarray,
    df: np.ndarray,
    n: np.ndarray,
    squares: np.ndarray,
    tango: np.ndarray,
    enough: np.ndarray,
    level: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Low, high, p-value and method of every pair, shape (P,) each, as difference_interval has them
    for one.

    squares: sum of (d - mean d)^2; tango: binary pairs without clusters; enough: others with the
    units for a t interval. Pairs with an SE of 0 are left to _redo, those that may differ in few
    clusters to _score_intervals.
    """
    low, high, p_value = (np.full(len(se), np.nan) for _ in range(3))
    method = np.full(len(se), "none", dtype="U15")
    t = np.flatnonzero((se > 0.0) & enough & ~tango)
    if len(t):
        d, error, its_df = difference[t], se[t], df[t]
        dfs, which = (
            (its_df[:1], 0)
            if (its_df == its_df[0]).all()
            else np.unique(its_df, return_inverse=True)
        )
        half = t_quantile(level, dfs)[which] * error
        low[t], high[t] = d - half, d + half
        p_value[t] = 2.0 * special.stdtr(its_df, -np.abs(d) / error)
        method[t] = "t"
    b = np.flatnonzero(tango & (n > 1))
    if len(b):
        count = n[b]
        # Of 0/1 scores the sum of d is b - c and that of d^2 is b + c; rint takes off the rounding
        # of the products.
        net = np.rint(difference[b] * count)
        discordant = np.rint(squares[b] + net**2 / count)
        low[b], high[b] = tango_interval(
            (discordant + net) / 2.0, (discordant - net) / 2.0, count, level
        )
        p_value[b] = 2.0 * special.ndtr(-np.abs(net) / np.sqrt(np.maximum(discordant, 1.0)))
        method[b] = "tango"
    return low, high, p_value, method


def _surely_dense(pairs: Pairs, squares: np.ndarray, codes: np.ndarray | None) -> np.ndarray:
    """Pairs of shares whose t interval stands, by a bound that the products give.

    |d| <= 1, so the effective number of clusters that show a difference is at least sum d^2 over the largest cluster.
    """
    largest = 1 if codes is None else int(np.bincount(codes).max())
    least = (squares + pairs.n_questions * pairs.difference**2) / largest
    return dense(least, pairs.n_clusters, pairs.n_questions)


def _score_intervals(
    pairs: Pairs, which: np.ndarray, s: np.ndarray, codes: np.ndarray | None, binary: np.ndarray
) -> None:
    """Intervals of these pairs by the rule of paired_difference, from their own differences and the
    SE already found.
    """
    gain, loss, informative = (np.empty(len(which)) for _ in range(3))
    columns = np.unique(np.concatenate([pairs.first[which], pairs.second[which]]))
    of = {int(c): np.ascontiguousarray(s[:, c]) for c in columns}
    for at, k in enumerate(which):
        d = of[int(pairs.first[k])] - of[int(pairs.second[k])]
        own = codes
        if pairs.n_questions[k] < len(d):
            common = ~np.isnan(d)
            d, own = d[common], None if codes is None else codes[common]
        size = np.abs(d)
        total, net = float(size.sum()), float(d.sum())
        gain[at], loss[at] = (total + net) / 2.0, (total - net) / 2.0
        informative[at] = effective_number(cluster_means(size, own))
    for kind in (True, False):
        here = binary[which] == kind
        k = which[here]
        if len(k):
            pairs.low[k], pairs.high[k], pairs.p_value[k], pairs.method[k] = difference_ends(
                pairs.difference[k],
                pairs.se[k],
                pairs.df[k],
                pairs.n_questions[k],
                pairs.n_clusters[k],
                gain[here],
                loss[here],
                informative[here],
                binary=kind,
                share=True,
                level=pairs.level,
            )


def _redo(
    pairs: Pairs,
    which: np.ndarray,
    s: np.ndarray,
    codes: np.ndarray | None,
    binary: np.ndarray,
    share: bool,
    se: PairSeKind,
) -> None:
    """These pairs from their own differences, by paired_difference itself."""
    columns = np.unique(np.concatenate([pairs.first[which], pairs.second[which]]))
    of = {int(c): np.ascontiguousarray(s[:, c]) for c in columns}
    for k in which:
        a, b = of[int(pairs.first[k])], of[int(pairs.second[k])]
        common = ~(np.isnan(a) | np.isnan(b))
        one = paired_difference(
            a[common],
            b[common],
            None if codes is None else codes[common],
            binary=bool(binary[k]),
            share=share,
            level=pairs.level,
            se=se,
        )
        e, interval = one.estimate, one.interval
        pairs.difference[k], pairs.se[k], pairs.df[k], pairs.p_value[k] = (
            e.value,
            e.se,
            e.df,
            one.p_value,
        )
        pairs.low[k], pairs.high[k], pairs.method[k] = interval.low, interval.high, interval.method
        pairs.correlation[k] = one.correlation
