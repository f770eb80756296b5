"""Simultaneous intervals and p-values of many differences, from their joint covariance (single-step
max-t).
"""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes, in_clusters, row_sums
from reportkit.stats.digits import check_squares, floats
from reportkit.stats.families.exceedance import bonferroni, critical_value, exceedance, thresholds
from reportkit.stats.intervals import t_quantile
from reportkit.stats.means.mean import satterthwaite_df

# A variance of a difference below this share of the two models' own is the rounding of a
# subtraction: it is 0.
VARIANCE_ROUNDING = 1e-10
# A covariance whose halves differ by more than this share of the largest variance is a mistake.
ASYMMETRY = 1e-8
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
    s = floats(scores)
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
    check_squares(s)
    n = len(s)
    codes = cluster_codes(clusters, n)
    x = s - s[0]  # exact, far from 0 too
    x -= x.mean(axis=0)
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

    >>> scores = np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    >>> s = simultaneous_pairs(scores, rng=np.random.default_rng(0))
    >>> s.difference.item(), s.se.round(4).item(), s.p_value.round(4).item()
    (0.5, 0.2887, 0.1817)
    >>> round(s.critical, 3)   # t_3
    3.182
    """
    covariance, df = mean_covariance(scores, clusters)
    means = np.asarray(scores, dtype=float).mean(axis=0)
    return max_t(means, covariance, df, baseline=baseline, level=level, rng=rng, draws=draws)


def max_t(  # noqa: PLR0913 (keyword options of a public statistic)
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
    if draws is None:
        draws = int(min(2**16, max(2**13, 4e8 / max(m, 1) ** 2)))
    _check(means, v, baseline)
    if draws < 2 or df <= 0:
        raise ValueError(f"draws={draws} must be at least 2 and df={df} above 0")
    t_quantile(level, 1.0)  # checks the level
    _check_covariance(v)
    first, second = _comparisons(m, baseline)
    difference, se = means[first] - means[second], _standard_errors(v, first, second)
    family = np.flatnonzero((se > 0.0) & ~math.isnan(df))
    low, high, p_value = (np.full(len(first), np.nan) for _ in range(3))
    critical, error, method = math.nan, math.nan, "none"
    p = len(family)
    if p:
        method = _method(p, m, df, pooled)
        if method in ("t", "bonferroni"):
            exceed, error_at = bonferroni(p, df)
        else:
            drawn = thresholds(v, first[family], second[family], se[family], rng, draws)
            exceed, error_at = exceedance(p, *drawn, df, pooled)
        critical = critical_value(exceed, level, p, df)
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
        p,
        level,
    )


def _check(means: np.ndarray, v: np.ndarray, baseline: int | None) -> None:
    m = len(means)
    if means.ndim != 1 or v.shape != (m, m):
        raise ValueError(
            f"means have shape {means.shape}, their covariance {v.shape}; M means need an M x M "
            "matrix"
        )
    if baseline is not None and not 0 <= baseline < m:
        raise ValueError(f"baseline={baseline} is not one of {m} models; count them from 0")


def _check_covariance(v: np.ndarray) -> None:
    """Finite and symmetric, but for the models whose variance is nan."""
    known = ~np.isnan(np.diag(v))
    inner = v[np.ix_(known, known)]
    largest = np.diag(inner).max(initial=0.0)
    if not np.isfinite(inner).all() or (abs(inner - inner.T) > ASYMMETRY * largest).any():
        raise ValueError(
            "the covariance of the means is not symmetric and finite; set a model without one to "
            "nan"
        )


def _comparisons(m: int, baseline: int | None) -> tuple[np.ndarray, np.ndarray]:
    """First and second model of every comparison of the family."""
    if baseline is None:
        first, second = np.triu_indices(m, 1)
        return first, second
    return np.delete(np.arange(m), baseline), np.full(m - 1, baseline)


def _standard_errors(v: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Of the differences; 0 where the variance is rounding, nan where it is."""
    own = np.diag(v)
    variance, size = own[first] + own[second] - 2.0 * v[first, second], own[first] + own[second]
    zero = variance <= VARIANCE_ROUNDING * size
    if (variance < -VARIANCE_ROUNDING * size).any():
        raise ValueError(
            "the covariance of the means gives some difference a negative variance; it is no "
            "covariance"
        )
    return np.where(zero, 0.0, np.sqrt(np.where(zero, 0.0, variance)))


def _method(comparisons: int, models: int, df: float, pooled: bool) -> str:
    if comparisons == 1:
        return "t"
    if pooled and math.isfinite(df):
        return "multivariate-t"
    return "bonferroni" if df < max(LEAST_DF, models) else "max-t"
