"""The mean of question scores and its standard error, clustered or not: one variance for everything
(CR2).
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import NEAR, ROUNDING, check_finite, exponent, floats, rounding_of

SeKind = Literal["cr2", "cr1", "cr0", "cr3", "paper", "clt", "bernoulli"]


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
    - "cr3": sqrt((G-1)/G sum_c S_c^2 / (1 - m_c/n)^2) / n, with G-1 degrees of freedom: the
      jackknife that leaves out one cluster at a time, sqrt((G-1)/G sum_c (mean without c - mean)^2)
      (Bell & McCaffrey 2002; Cameron & Miller 2015). Never below "cr2" with uneven clusters; with
      equal sizes it is "cr1". clubSandwich's CR3 has no (G-1)/G.
    - "cr0": sqrt(sum_c S_c^2) / n, Miller 2024 appendix A and, on differences, equation 8.
    - "paper": equation 4 as printed, sqrt(SE_CLT^2 + (1/n^2) sum_c sum_{i != j} u_i u_j); nan if
      that is negative.
    - "clt": equation 1, clusters ignored. "bernoulli": equation 2, sqrt(mean (1-mean) / n), for 0/1
      scores; nan where a score lies beyond 0 and 1.

    Undefined (nan): every se and df with one question, and the clustered ones with one cluster.
    Equations 4 and 8 would print a number there; it means nothing. An SE below 1e-14 of the largest
    score is the rounding of sums that cancel: it is 0. An empty array or a nan score is a
    ValueError, and so are scores so far from 0 that doubles do not tell their differences; whole
    numbers to 2^53 are exact.

    >>> mean_estimate(np.array([1.0, 0.0, 1.0, 1.0]))
    Estimate(value=0.75, se=0.25, df=3.0, n_questions=4, n_clusters=4)
    >>> mean_estimate(np.array([1.0, 1.0, 0.0, 0.0]), np.array(["p", "p", "q", "q"]))
    Estimate(value=0.5, se=0.5, df=1.0, n_questions=4, n_clusters=2)
    """
    if se not in get_args(SeKind):
        raise ValueError(f"se={se!r} is not one of {', '.join(get_args(SeKind))}")
    s, low, high = checked(scores)
    e = estimate_of(s, clusters, se, (low, high))
    if 0.0 < e.se < ROUNDING * max(-low, high) and e.se < rounding_of(s, low, high):
        return replace(e, se=0.0)
    return e


def checked(scores: np.ndarray) -> tuple[np.ndarray, float, float]:
    """The scores as numbers, the lowest and the highest; ValueError where there are none, or one is
    missing or infinite.
    """
    s = floats(scores)
    if s.ndim != 1 or len(s) == 0:
        raise ValueError(
            f"scores have shape {s.shape}; a mean needs one number for each of at least one "
            "question"
        )
    check_finite(s)
    return s, float(s.min()), float(s.max())


def estimate_of(
    s: np.ndarray, clusters: np.ndarray | None, se: SeKind, ends: tuple[float, float] | None = None
) -> Estimate:
    """mean_estimate of checked scores, where an SE that is rounding beside their distance from 0 is
    left as it is. ends: the lowest and the highest, if known.
    """
    n, (low, high) = len(s), ends or (float(s.min()), float(s.max()))
    power = exponent(max(-low, high))
    if power:
        s, low, high = np.ldexp(s, -power), math.ldexp(low, -power), math.ldexp(high, -power)
    codes = cluster_codes(clusters, n)
    mean, u = about_mean(s, low, high)
    g, df, sums_squared = n, float(n - 1), math.nan
    squares = _sum_of_squares(u)
    unclustered = squares / max(n - 1, 1) / n
    clustered = se not in ("clt", "bernoulli")
    if codes is not None:
        sizes, sums = _of_clusters(codes, u)
        g = len(sizes)
        if clustered:
            df = satterthwaite_df(sizes, n) if se == "cr2" else float(g - 1)
            sums_squared = _weighted(sums, sizes, n, se)
    if n < 2 or (g < 2 and clustered):
        return Estimate(math.ldexp(mean, power), math.nan, math.nan, n, g)
    if se == "bernoulli":
        mean, is_share = math.ldexp(mean, power), low >= 0.0 and math.ldexp(high, power) <= 1.0
        error = _root(mean * (1.0 - mean) / n, 0.0) if is_share else math.nan
        return Estimate(mean, error, df, n, g)
    if se == "clt" or (g == n and se in ("cr2", "cr3")):
        variance = unclustered
    else:
        sums_squared = squares if codes is None else sums_squared
        variance = sums_squared / n**2 * (g / (g - 1) if se == "cr1" else 1.0)
        if se == "paper":
            variance = unclustered + (sums_squared - squares) / n**2
    error = _root(variance, ROUNDING * (high - low))
    return Estimate(math.ldexp(mean, power), math.ldexp(error, power), df, n, g)


def about_mean(s: np.ndarray, low: float, high: float) -> tuple[float, np.ndarray]:
    """The mean of scores between low and high, and the scores less their mean, shape (n,). Far from
    0 both go by a score among them: the subtraction of near numbers is exact.
    """
    if low == high:  # a constant: the mean may be off by one bit
        return float(s[0]), np.zeros(len(s))
    if high - low > NEAR * max(-low, high):
        mean = float(s.mean())
        return mean, s - mean
    x = s - s[0]
    shift = float(x.mean())
    return float(s[0]) + shift, x - shift


def unit_spread(s: np.ndarray) -> np.ndarray:
    """Scores less their mean, over a power of 2 where their squares would be no numbers: for what
    does not depend on the unit.
    """
    u = _scaled(s)
    return _scaled(about_mean(u, float(u.min()), float(u.max()))[1])


def _scaled(s: np.ndarray) -> np.ndarray:
    power = exponent(max(-float(s.min()), float(s.max())))
    return np.ldexp(s, -power) if power else s


def _of_clusters(codes: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sizes and sums of u of the clusters that have a question, shape (G,) each."""
    sizes = np.bincount(codes)
    sums = np.bincount(codes, weights=u)
    if not sizes.all():
        sizes, sums = sizes[sizes > 0], sums[sizes > 0]
    return sizes, sums


def _weighted(sums: np.ndarray, sizes: np.ndarray, n: int, se: SeKind) -> float:
    """The sum of the squared cluster sums with their weights; nan with one cluster."""
    if len(sizes) < 2:
        return math.nan
    if se == "cr2":
        return float(np.einsum("i,i,i->", sums, sums, 1.0 / (1.0 - sizes / n)))
    if se == "cr3":
        g = len(sizes)
        return (g - 1) / g * _sum_of_squares(sums / (1.0 - sizes / n))
    return _sum_of_squares(sums)


def _root(variance: float, smallest: float) -> float:
    """The standard error of a variance: 0 where that is rounding, nan where it is negative."""
    if abs(variance) < smallest * smallest:
        variance = 0.0
    return math.sqrt(variance) if variance >= 0.0 else math.nan
