"""Which interval a mean gets, and the intervals themselves."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.stats.mean import Estimate


@dataclass(frozen=True, slots=True)
class Interval:
    """Ends of an interval in the units of the estimate; nan where it cannot be had, and then method is "none"."""

    low: float
    high: float
    level: float
    method: str


def no_interval(level: float) -> Interval:
    return Interval(math.nan, math.nan, level, "none")


def z_quantile(level: float) -> float:
    """The two-sided normal quantile: 1.959964 at level 0.95.

    >>> round(z_quantile(0.95), 6)
    1.959964
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level={level} is not between 0 and 1; write 95% as 0.95")
    return float(special.ndtri(0.5 + level / 2.0))


def t_quantile(level: float, df: float | np.ndarray) -> np.ndarray:
    """The two-sided quantile of Student's t; df may be fractional and any shape."""
    z_quantile(level)  # checks the level
    return special.stdtrit(df, 0.5 + level / 2.0)


def normal_interval(estimate: Estimate, level: float = 0.95) -> Interval:
    """Value +- z SE: equation 3 of Miller 2024 as printed. The default report uses t_interval.

    >>> i = normal_interval(Estimate(0.655, 0.00672, 4999.0, 5000, 5000))
    >>> round(i.low, 4), round(i.high, 4)
    (0.6418, 0.6682)
    """
    if not estimate.se > 0.0:
        return no_interval(level)
    half = z_quantile(level) * estimate.se
    return Interval(estimate.value - half, estimate.value + half, level, "normal")


def t_interval(estimate: Estimate, level: float = 0.95) -> Interval:
    """Value +- t_df SE, with the degrees of freedom of the SE (Satterthwaite for CR2). Not clipped to the scale.

    Not available (nan, method "none") when the SE is undefined or 0: a width of zero would claim certainty.

    >>> i = t_interval(Estimate(0.75, 0.25, 3.0, 4, 4))   # t_3 = 3.182
    >>> round(i.low, 3), round(i.high, 3), i.method
    (-0.046, 1.546, 't')
    """
    if not estimate.se > 0.0:
        return no_interval(level)
    half = float(t_quantile(level, estimate.df)) * estimate.se
    return Interval(estimate.value - half, estimate.value + half, level, "t")


def wilson_interval(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share (Wilson 1927); successes and n may be effective, fractional numbers.

    [p + z^2/2n -+ (z/2n) sqrt(4n p(1-p) + z^2)] / (1 + z^2/n). Never of zero width, never outside [0, 1].

    >>> i = wilson_interval(74, 100)   # Ivanova et al. 2024 print (64.6, 81.6)
    >>> round(100 * i.low, 1), round(100 * i.high, 1)
    (64.6, 81.6)
    """
    if not n > 0.0 or not -1e-9 <= successes <= n * (1 + 1e-9):
        raise ValueError(f"{successes} successes of {n} is no share; Wilson's interval needs 0 <= successes <= n > 0")
    z = z_quantile(level)
    p = min(max(successes / n, 0.0), 1.0)
    scale = 1.0 + z * z / n
    centre = (p + z * z / (2.0 * n)) / scale
    half = z / (2.0 * n) * math.sqrt(4.0 * n * p * (1.0 - p) + z * z) / scale
    # At 0 and 1 the end is exact; rounding must not turn a perfect score's end into 99.9.
    return Interval(0.0 if p == 0.0 else centre - half, 1.0 if p == 1.0 else centre + half, level, "wilson")


def clopper_pearson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """The exact binomial interval (Clopper & Pearson 1934): quantiles of Beta(S, n-S+1) and Beta(S+1, n-S).

    >>> i = clopper_pearson_interval(0, 10)
    >>> i.low, round(i.high, 4)   # 1 - 0.025^(1/10)
    (0.0, 0.3085)
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"{successes} successes of {n} is no share; 0 <= successes <= n and n >= 1 are needed")
    tail = (1.0 - level) / 2.0
    z_quantile(level)
    low = 0.0 if successes == 0 else float(special.betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(special.betaincinv(successes + 1, n - successes, 1.0 - tail))
    return Interval(low, high, level, "clopper-pearson")


def effective_n(estimate: Estimate, n_answers: int, level: float = 0.95) -> float:
    """Answers that would carry as much information if they were independent, for a binary mean (Korn & Graubard 1998).

    n* = min(n_answers, [p(1-p)/V] (z/t_df)^2), and the number of clusters where p is 0 or 1 or V = 0; the (z/t)^2 lets
    Wilson's interval, which uses z, carry the degrees of freedom of V (Dean & Pagano 2015).
    """
    p, variance = estimate.value, estimate.se**2
    if not variance > 0.0 or p <= 0.0 or p >= 1.0:
        return float(estimate.n_clusters)
    return min(
        float(n_answers), p * (1 - p) / variance * (z_quantile(level) / float(t_quantile(level, estimate.df))) ** 2
    )


def mean_interval(
    estimate: Estimate, *, binary: bool, n_answers: int | None = None, clustered: bool = False, level: float = 0.95
) -> Interval:
    """The default interval of a mean score.

    estimate: from mean_estimate with se="cr2". binary: whether every answer is 0 or 1.
    n_answers: number of answers behind the mean (default: one for each question); clustered: whether clusters are declared.

    Binary, one answer for each question, no clusters: Wilson. Binary otherwise: Wilson on effective_n ("wilson-effective").
    Not binary: t, not clipped; with an SE of 0 there is none. Fewer than two clusters or questions: none.

    >>> round(mean_interval(Estimate(1.0, 0.0, 14.0, 15, 15), binary=True).low, 3)   # 15 of 15
    0.796
    """
    answers = estimate.n_questions if n_answers is None else n_answers
    if math.isnan(estimate.se):
        return no_interval(level)
    if not binary:
        return t_interval(estimate, level)
    if not clustered and answers == estimate.n_questions:
        return wilson_interval(round(estimate.value * answers), answers, level)
    n = effective_n(estimate, answers, level)
    found = wilson_interval(min(max(estimate.value, 0.0), 1.0) * n, n, level)
    return Interval(found.low, found.high, level, "wilson-effective")
