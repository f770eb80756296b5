"""Simultaneous intervals and p-values of many differences, from their joint covariance (single-step
max-t).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes, in_clusters, row_sums
from reportkit.stats.intervals import t_quantile
from reportkit.stats.mean import satterthwaite_df

# A variance of a difference below this share of the two models' own is the rounding of a
# subtraction: it is 0.
VARIANCE_ROUNDING = 1e-10
# Two comparisons whose correlation is closer to 1 than this are one.
SAME = 1e-8
# With fewer degrees of freedom the covariance is too uncertain to build on; Bonferroni needs none.
LEAST_DF = 30.0


@dataclass(frozen=True, slots=True)
class Simultaneous(Record):
    """Comparisons of models whose intervals hold together: all of them cover with probability
    `level`.

    Arrays have shape (P,), first model minus second, in score units.
    """

    first: np.ndarray  # column of the first model
    second: np.ndarray
    difference: np.ndarray
    se: np.ndarray  # nan where it is undefined
    low: np.ndarray  # difference -+ critical se; nan where se is nan or 0
    high: np.ndarray
    p_value: np.ndarray  # adjusted for the family; nan with the interval
    df: float
    critical: float  # in place of the t quantile of one comparison; nan if no comparison can be had
    # standard error of critical, from its simulation; 0 where none was needed
    critical_error: float
    method: str  # max-t, multivariate-t, bonferroni, t (one comparison) or none
    n_comparisons: int  # in the family: those with an interval
    level: float


def mean_covariance(
    scores: np.ndarray, clusters: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """Covariance matrix of the models' means, shape (M, M), and the degrees of freedom of its
    contrasts.

    scores: shape (n, M), question means of models that all answered the same questions; clusters:
    shape (n,) or None. The matrix is sum_c S_c S_c' / (1 - m_c/n) / n^2, S_c the models' sums of
    deviations over cluster c: the CR2 form of mean_estimate, so that the variance of a difference,
    V_ii + V_jj - 2 V_ij, is that of paired_difference. One question or one cluster: all nan. A
    missing score is a ValueError.

    >>> v, df = mean_covariance(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))
    >>> v.round(4).tolist(), df   # sample variances 1/4 and 1/4, covariance 1/12, over 4
    ([[0.0625, 0.0208], [0.0208, 0.0625]], 3.0)
    """
    s = np.asarray(scores, dtype=float)
    if s.ndim != 2 or 0 in s.shape:
        raise ValueError(
            f"scores have shape {s.shape}; give one row for each question and one column for "
            "each model"
        )
    bad = int((~np.isfinite(s)).any(axis=1).sum())
    if bad:
        raise ValueError(
            f"{bad} of {len(s)} questions lack the score of some model; keep those that all "
            "models have"
        )
    n = len(s)
    codes = cluster_codes(clusters, n)
    x = s - s.mean(axis=0)
    sizes = np.ones(n)
    if codes is not None:
        order, rank, sizes = in_clusters(codes, n)
        x = row_sums(x if order is None else x[order], rank)
    if len(sizes) < 2:
        return np.full((s.shape[1],) * 2, np.nan), math.nan
    x = x * np.sqrt(1.0 / (1.0 - sizes / n))[:, None]
    return x.T @ x / n**2, satterthwaite_df(sizes, n)


def simultaneous_pairs(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    baseline: int | None = None,
    level: float = 0.95,
    rng: np.random.Generator,
    draws: int | None = None,
) -> Simultaneous:
    """Simultaneous intervals of every pair of models, or of each model against a baseline, from
    their scores.

    scores: shape (n, M), question means without a missing one; clusters: shape (n,) or None. The
    rest as in max_t, which this calls with the means, their covariance (mean_covariance) and its
    degrees of freedom.

    >>> s = simultaneous_pairs(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]), rng=np.random.default_rng(0))
    >>> # t_3
    >>> s.difference.tolist(), s.se.round(4).tolist(), s.p_value.round(4).tolist(), round(s.critical, 3)
    ([0.5], [0.2887], [0.1817], 3.182)
    """
    covariance, df = mean_covariance(scores, clusters)
    means = np.asarray(scores, dtype=float).mean(axis=0)
    return max_t(means, covariance, df, baseline=baseline, level=level, rng=rng, draws=draws)


def max_t(
    means: np.ndarray,
    covariance: np.ndarray,
    df: float = math.inf,
    *,
    baseline: int | None = None,
    level: float = 0.95,
    pooled: bool = False,
    rng: np.random.Generator,
    draws: int | None = None,
) -> Simultaneous:
    """Single-step max-t intervals and p-values of comparisons of M models (Hothorn, Bretz &
    Westfall 2008).

    means: shape (M,); covariance: of the means, shape (M, M); df: its degrees of freedom, inf for
    the normal. baseline: the model (from 0) that every other is compared with, "model minus
    baseline"; None: all pairs i < j, "i minus j". The family is what a report displays: against a
    baseline it has M - 1 comparisons and narrower intervals. rng, draws: generator and size of the
    simulation, whose standard error is the record's critical_error. By default as many draws as
    make it about 0.001 (up to 80 models) to 0.002, or 0.1% of c when df is small; p-values are then
    right to 0.001 around 0.05 and to 0.01 around 0.5. Time is that of draws times M^2 (200 models:
    a few seconds), memory that of M^2.

    The intervals are difference -+ c SE and hold together with probability `level`; a p-value is
    below 1 - level exactly where its interval excludes 0. Both lie between those of one comparison,
    which they are when there is only one, and Bonferroni's. With infinite df: P(max |Z_ij| <= c) =
    level and p = P(max |Z_ij| >= |z|), Z the standardised differences of a normal with this
    covariance; for equal variances c is Tukey's studentized range over sqrt 2. With finite df,
    departing from the source, which knows the covariance up to one factor: here each difference has
    an SE of its own, and the SEs hardly err together. So each t has its own t_df, joined as the
    normals are (a Gaussian copula): c is the t_df quantile of the tail area of the normal c
    ("max-t"), and below 30 degrees of freedom, or fewer than models, Bonferroni's ("bonferroni").
    Simulated coverage at 95%, 5 and 12 models in 20 uneven clusters (df 15): Bonferroni .95 and
    .96, multivariate t .93 and .87; "max-t" with df from 30 to 100, 5 to 50 models: .94 to .95.

    pooled=True is the source's: the multivariate t of one variance estimated with df
    degrees of freedom ("multivariate-t"); for equal variances Tukey's with df. It is right only
    where the covariance has such a variance.

    Left out of the family, and nan in the answer: comparisons with a variance of 0 (to rounding:
    below 1e-10 of the two models' own) or of a model whose variance is nan. A covariance that
    cannot be one is a ValueError.

    >>> # Tukey: 3.858 / sqrt 2 = 2.728
    >>> five = max_t(np.arange(5.0), np.eye(5), rng=np.random.default_rng(0))
    >>> round(five.critical, 2), five.critical_error < 0.002, five.n_comparisons
    (2.73, True, 10)
    >>> one = max_t(np.array([0.672, 0.0]), np.eye(2), 10, rng=np.random.default_rng(0))
    >>> round(one.critical, 4), one.method   # t_10
    (2.2281, 't')
    """
    means, v = np.asarray(means, dtype=float), np.asarray(covariance, dtype=float)
    m = len(means)
    if means.ndim != 1 or v.shape != (m, m):
        raise ValueError(
            f"means have shape {means.shape}, their covariance {v.shape}; M means need an M x M "
            "matrix"
        )
    if baseline is not None and not 0 <= baseline < m:
        raise ValueError(f"baseline={baseline} is not one of {m} models; count them from 0")
    if draws is None:
        draws = int(min(2**16, max(2**13, 4e8 / max(m, 1) ** 2)))
    if draws < 2 or df <= 0:
        raise ValueError(f"draws={draws} must be at least 2 and df={df} above 0")
    t_quantile(level, 1.0)  # checks the level
    known = ~np.isnan(np.diag(v))
    inner = v[np.ix_(known, known)]
    if (
        not np.isfinite(inner).all()
        or (abs(inner - inner.T) > 1e-8 * np.diag(inner).max(initial=0.0)).any()
    ):
        raise ValueError(
            "the covariance of the means is not symmetric and finite; set a model without one to "
            "nan"
        )
    if baseline is None:
        first, second = np.triu_indices(m, 1)
    else:
        first = np.delete(np.arange(m), baseline)
        second = np.full(m - 1, baseline)
    own = np.diag(v)
    variance, size = own[first] + own[second] - 2.0 * v[first, second], own[first] + own[second]
    zero = variance <= VARIANCE_ROUNDING * size
    if (variance < -VARIANCE_ROUNDING * size).any():
        raise ValueError(
            "the covariance of the means gives some difference a negative variance; it is no "
            "covariance"
        )
    se = np.where(zero, 0.0, np.sqrt(np.where(zero, 0.0, variance)))
    difference = means[first] - means[second]
    family = np.flatnonzero((se > 0.0) & ~math.isnan(df))
    low, high, p_value = (np.full(len(first), np.nan) for _ in range(3))
    critical, error, method = math.nan, math.nan, "none"
    if len(family):
        p = len(family)
        if p == 1:
            method = "t"
        elif pooled and math.isfinite(df):
            method = "multivariate-t"
        else:
            method = "bonferroni" if df < max(LEAST_DF, m) else "max-t"
        if method in ("t", "bonferroni"):
            exceed, error_at = _bonferroni(p, df)
        else:
            thresholds = _thresholds(v, first[family], second[family], se[family], rng, draws)
            exceed, error_at = _exceedance(p, *thresholds, df, pooled)
        critical = _critical(exceed, level, p, df)
        error = error_at(critical)
        low[family] = difference[family] - critical * se[family]
        high[family] = difference[family] + critical * se[family]
        p_value[family] = exceed(np.abs(difference[family]) / se[family])
    return Simultaneous(
        first,
        second,
        difference,
        se,
        low,
        high,
        p_value,
        float(df),
        critical,
        error,
        method,
        len(family),
        level,
    )


def _critical(
    exceed: Callable[[np.ndarray], np.ndarray], level: float, comparisons: int, df: float
) -> float:
    """The c at which exceed(c) = 1 - level, by bisection between the quantile of one comparison and
    Bonferroni's.
    """
    low = float(t_quantile(level, df))
    high = float(t_quantile(1.0 - (1.0 - level) / comparisons, df)) if comparisons > 1 else low
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        low, high = (
            (middle, high) if exceed(np.array([middle]))[0] >= 1.0 - level else (low, middle)
        )
    return low


Curve = tuple[Callable[[np.ndarray], np.ndarray], Callable[[float], float]]


def _bonferroni(comparisons: int, df: float) -> Curve:
    """As _exceedance, by the sum of the comparisons' own probabilities; exact for one."""
    return (lambda c: np.minimum(1.0, 2.0 * comparisons * special.stdtr(df, -c))), (lambda c: 0.0)


def _exceedance(
    comparisons: int, threshold: np.ndarray, weight: np.ndarray, df: float, pooled: bool
) -> Curve:
    """P(max |T| >= c) as a function of c, shape in = shape out, and the standard error of the c
    that solves it.

    For the normal it is G(x) = 2P E[w Phi(-max(x, t))] over the draws: Bonferroni's sum less what
    it counts twice. With own SEs T exceeds c where the normal exceeds the x of the same tail area.
    Pooled, T = Z/s with s^2 = chi^2_df / df, and it is E G(c s): the sum has a closed form, what is
    counted twice is averaged over s by quadrature.
    """
    draws = len(threshold)
    order = np.argsort(threshold)
    t, w = threshold[order], 2.0 * comparisons / draws * weight[order]
    # Sums over the draws with a threshold above the k-th: of their weights, and of weight times
    # normal tail.
    weights, tails = (np.append(np.cumsum(a[::-1])[::-1], 0.0) for a in (w, w * special.ndtr(-t)))
    scale, share = np.ones(1), np.ones(1)
    if pooled and math.isfinite(df):
        nodes, share = special.roots_legendre(128)
        nodes, share = (1.0 + nodes) / 2.0, share / 2.0
        # Over the quantiles of s; the sixth power crowds the points at small s, where a small
        # p-value is decided.
        scale, share = (
            np.sqrt(2.0 / df * special.gammaincinv(df / 2.0, nodes**6)),
            share * 6.0 * nodes**5,
        )

    def normal(c: np.ndarray) -> np.ndarray:
        return np.multiply.outer(c if pooled else -special.ndtri(special.stdtr(df, -c)), scale)

    def exceed(c: np.ndarray) -> np.ndarray:
        x = normal(c)
        k = np.searchsorted(t, x, side="right")
        twice = (special.ndtr(-x) * weights[k] - tails[k]) @ share
        one = 2.0 * special.stdtr(df, -c)
        return np.clip(weights[0] * one / 2.0 - twice, one, np.minimum(1.0, comparisons * one))

    def error(c: float) -> float:
        every = max(1, draws // 512)  # of the sorted draws: enough to know their spread
        x = np.maximum(normal(np.array(c))[:, None], t[::every])
        spread = draws * np.std(w[::every] * (share @ special.ndtr(-x)), ddof=1)
        slope = (exceed(np.array([c - 0.01])) - exceed(np.array([c + 0.01])))[0] / 0.02
        return float(spread / math.sqrt(draws) / slope)

    return exceed, error


def _thresholds(
    v: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    se: np.ndarray,
    rng: np.random.Generator,
    draws: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Thresholds t and weights w, shape (draws,), with P(max |Z| >= c) = 2P E[w Phi(-max(c, t))]
    for P comparisons.

    {max |Z| >= c} is the disjoint union over j of {|Z_j| >= c and Z_j is the largest}. Given what
    is independent of Z_j, W = X - Z_j Cov(X, Z_j), the second holds from some t(W) on: |W_k + r_k
    z| <= z for all k, r_k the correlation with Z_j, once z >= max over k of W_k / (1 - r_k) and of
    -W_k / (1 + r_k). So one draw of W for a j chosen at random gives the whole curve in c, smooth
    and monotone, with a variance below p (p_Bonferroni - p) for each draw (as in Owen, Maximov &
    Chertkov 2019, who count instead): precise in the tail, where Bonferroni is nearly right.
    Comparisons with a correlation of 1 are largest together; the weight is one over their number.
    """
    m, p = len(v), len(first)
    used = np.unique(np.concatenate([first, second]))
    position = np.empty(m, dtype=int)
    position[used] = np.arange(len(used))
    i, j, m = position[first], position[second], len(used)
    v = v[np.ix_(used, used)]
    values, vectors = np.linalg.eigh(v)
    if values[0] < -1e-6 * values[-1]:
        raise ValueError(
            "the covariance of the means has a negative eigenvalue; it is no covariance"
        )
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    sd = np.full((m, m), np.inf)  # outside the family: never the largest
    sd[i, j] = sd[j, i] = se
    limit = SAME * sd
    # Every comparison is drawn equally often, but for the last round.
    picks = np.resize(rng.permutation(p), draws)
    threshold, weight = np.empty(draws), np.empty(draws)
    step = max(1, 2**18 // m**2)
    gap, ratio, same = (
        np.empty((step, m, m)),
        np.empty((step, m, m)),
        np.empty((step, m, m), dtype=bool),
    )
    for start in range(0, draws, step):
        pick = picks[start : start + step]
        b, rows = len(pick), np.arange(len(pick))
        a, c, scale = i[pick], j[pick], se[pick][:, None]
        x = rng.standard_normal((b, m)) @ root.T
        slope = (v[a] - v[c]) / scale
        w = x - slope * ((x[rows, a] - x[rows, c])[:, None] / scale)
        g, r, s = gap[:b], ratio[:b], same[:b]
        # Both signs of a comparison at once: as i minus j and as j minus i.
        np.subtract(slope[:, None, :], slope[:, :, None], out=g)
        np.add(g, sd, out=g)
        np.less(g, limit, out=s)
        np.copyto(g, np.inf, where=s)
        np.subtract(w[:, :, None], w[:, None, :], out=r)
        np.divide(r, g, out=r)
        threshold[start : start + b] = r.reshape(b, -1).max(axis=1)
        weight[start : start + b] = 1.0 / np.count_nonzero(s.reshape(b, -1), axis=1)
    return threshold, weight
