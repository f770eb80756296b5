"""The mean of question scores and its standard error, clustered or not: one variance for everything
(CR2).
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes

SeKind = Literal["cr2", "cr1", "cr0", "paper", "clt", "bernoulli"]

# A standard error below this share of the largest score is the rounding of sums that cancel: it is
# 0.
ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class Estimate(Record):
    """An estimate with its standard error, both in score units."""

    value: float
    se: float  # nan when undefined (fewer than two clusters), never 0 for that reason
    df: float  # degrees of freedom of se; nan with it
    n_questions: int
    n_clusters: int


def satterthwaite_df(sizes: np.ndarray, n: int) -> float:
    """Degrees of freedom of the CR2 variance of a mean of n questions in clusters of the given
    sizes, shape (G,).

    (tr P)^2 / tr(P^2) with P_cd = (a_c a_d / n^2)(m_c 1{c=d} - m_c m_d / n) and a_c = (1 -
    m_c/n)^(-1/2), by sums over clusters: tr P = 1/n, and the off-diagonal part of tr(P^2)
    factorises. Bell & McCaffrey 2002; Pustejovsky & Tipton 2018. Singletons give n-1, equal sizes
    G-1; fewer than two clusters give nan.

    >>> satterthwaite_df(np.ones(5), 5), satterthwaite_df(np.full(4, 3), 12)
    (4.0, 3.0)
    """
    m = np.asarray(sizes, dtype=float)
    m = m[m > 0]
    if len(m) < 2:
        return math.nan
    if (m == m[0]).all():  # known in closed form; no rounding
        return float(len(m) - 1)
    u = m * m / (1.0 - m / n)
    off_diagonal = float(u.sum()) ** 2 - _sum_of_squares(u)
    return 1.0 / (_sum_of_squares(m) / n**2 + off_diagonal / n**4)


def _sum_of_squares(x: np.ndarray) -> float:
    """x'x without BLAS, whose threads cost more than they save on one long vector."""
    return float(np.einsum("i,i->", x, x))


def mean_estimate(
    scores: np.ndarray, clusters: np.ndarray | None = None, *, se: SeKind = "cr2"
) -> Estimate:
    """Mean question score with its standard error.

    scores: shape (n,), one number per question (already averaged over epochs), no nan.
    clusters: shape (n,), labels; None puts every question in its own cluster.
    se: which standard error, with u_i = s_i - mean, S_c the sum of u over cluster c, m_c its size,
    G clusters:

    - "cr2" (default): sqrt(sum_c S_c^2 / (1 - m_c/n)) / n, Satterthwaite degrees of freedom (Bell
      & McCaffrey 2002). With singletons it is equation 1 of Miller 2024 to the last digit; with
      equal sizes it is "cr1".
    - "cr1": "cr0" times sqrt(G/(G-1)), with G-1 degrees of freedom.
    - "cr0": sqrt(sum_c S_c^2) / n, Miller 2024 appendix A and, on differences, equation 8.
    - "paper": equation 4 as printed, sqrt(SE_CLT^2 + (1/n^2) sum_c sum_{i != j} u_i u_j); nan if
      that is negative.
    - "clt": equation 1, clusters ignored. "bernoulli": equation 2, sqrt(mean (1-mean) / n), for 0/1
      scores.

    Undefined (nan): every se and df with one question, and the clustered ones with one cluster.
    Equations 4 and 8 would print a number there; it means nothing. An empty array or a nan score is
    a ValueError.

    >>> mean_estimate(np.array([1.0, 0.0, 1.0, 1.0]))
    Estimate(value=0.75, se=0.25, df=3.0, n_questions=4, n_clusters=4)
    >>> mean_estimate(np.array([1.0, 1.0, 0.0, 0.0]), np.array(["p", "p", "q", "q"]))
    Estimate(value=0.5, se=0.5, df=1.0, n_questions=4, n_clusters=2)
    """
    if se not in get_args(SeKind):
        raise ValueError(f"se={se!r} is not one of {', '.join(get_args(SeKind))}")
    s, mean = _checked(scores)
    n = len(s)
    codes = cluster_codes(clusters, n)
    low, high = float(s.min()), float(s.max())
    if low == high:  # a constant: the mean may be off by one bit
        mean = float(s[0])
    u = s - mean
    squares = _sum_of_squares(u)
    if codes is None:
        g, sums_squared, weighted = n, squares, math.nan
        df = float(n - 1)
    else:
        sizes, sums = _of_clusters(codes, u)
        g, sums_squared, weighted = len(sizes), _sum_of_squares(sums), _weighted(sums, sizes, n)
        df = satterthwaite_df(sizes, n) if se == "cr2" else float(g - 1)
    clustered = se not in ("clt", "bernoulli")
    if n < 2 or (g < 2 and clustered):
        return Estimate(mean, math.nan, math.nan, n, g)
    if not clustered:
        df = float(n - 1)
    unclustered = squares / (n - 1) / n
    if se == "bernoulli":
        variance = mean * (1.0 - mean) / n
    elif se == "clt" or (se == "cr2" and g == n):
        variance = unclustered
    elif se == "cr2":
        variance = weighted / n**2
    elif se == "paper":
        variance = unclustered + (sums_squared - squares) / n**2
    else:
        variance = sums_squared / n**2 * (g / (g - 1) if se == "cr1" else 1.0)
    return Estimate(mean, _root(variance, max(-low, high)), df, n, g)


def _checked(scores: np.ndarray) -> tuple[np.ndarray, float]:
    """The scores as numbers, and their mean."""
    s = np.asarray(scores, dtype=float)
    if s.ndim != 1 or len(s) == 0:
        raise ValueError(
            f"scores have shape {s.shape}; a mean needs one number for each of at least one "
            "question"
        )
    mean = float(s.mean())
    if not math.isfinite(mean):
        raise ValueError(
            f"{int((~np.isfinite(s)).sum())} of {len(s)} scores are missing or infinite; drop "
            "them first"
        )
    return s, mean


def _of_clusters(codes: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and sums of u of the clusters that have a question, shape (G,) each."""
    sizes = np.bincount(codes)
    sums = np.bincount(codes, weights=u)
    if not sizes.all():
        sizes, sums = sizes[sizes > 0], sums[sizes > 0]
    return sizes, sums


def _weighted(sums: np.ndarray, sizes: np.ndarray, n: int) -> float:
    """The sum of CR2, sum_c S_c^2 / (1 - m_c/n); nan with one cluster."""
    if len(sizes) < 2:
        return math.nan
    return float(np.einsum("i,i,i->", sums, sums, 1.0 / (1.0 - sizes / n)))


def _root(variance: float, largest: float) -> float:
    """The standard error of a variance: 0 where that is rounding beside the largest score, nan
    where it is negative or infinite.
    """
    size = ROUNDING * largest
    if abs(variance) < size * size:  # a power would raise where this is infinite
        variance = 0.0
    if not 0.0 <= variance < math.inf:
        return math.nan
    return math.sqrt(variance)
