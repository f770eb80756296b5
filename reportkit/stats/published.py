"""What printed numbers allow: bounds of standard errors and counts, and comparisons from means and
standard errors alone. A printed number is a span (low, high) of the values it may stand for.
"""

import math
from dataclasses import dataclass

from scipy import special

from reportkit.record import Record
from reportkit.stats.intervals import z_quantile

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SummaryDifference(Record):
    """A difference of two means of which only standard errors are known."""

    difference: float
    se: float
    low: float
    high: float
    z: float
    p_value: float  # two-sided


def possible_counts(mean: Span, n: int) -> range:
    """The numbers of right answers k for which k/n lies in a span of shares; empty where none does.

    mean: shares between 0 and 1; n: answers, each right or wrong.

    >>> list(possible_counts((0.8355, 0.837), 164))   # 137/164 = .8354, 138/164 = .8415
    []
    >>> list(possible_counts((0.6545, 0.656), 200))
    [131]
    """
    if n < 1:
        raise ValueError(f"n={n} answers; at least one is needed")
    low, high = mean
    slack = 1e-9
    first, last = math.ceil(low * n - slack), math.floor(high * n + slack)
    return range(max(0, first), min(n, last) + 1)


def largest_se(mean: Span, n: float) -> float:
    """The largest standard error of a mean of n independent scores between 0 and 1.

    sqrt(p (1-p) / (n-1)), reached where every score is 0 or 1 (Bhatia & Davis 2000, with the
    divisor n-1 of Miller 2024, equation 1); at the share in the span that is nearest to 1/2. nan
    for fewer than two scores.

    >>> round(largest_se((0.8355, 0.837), 164), 5)   # sqrt(.8355 * .1645 / 163)
    0.02904
    """
    if n < 2:
        return math.nan
    p = min(max(0.5, mean[0]), mean[1])
    return math.sqrt(max(0.0, p * (1.0 - p)) / (n - 1.0))


def smallest_binary_se(mean: Span, n: float) -> float:
    """The smallest of sqrt(p (1-p) / n) over a span of shares: the standard error of n scores that
    are all 0 or 1 is not below it, by either divisor (Miller 2024, equations 1 and 2).

    >>> round(smallest_binary_se((0.8355, 0.837), 164), 5)   # sqrt(.837 * .163 / 164)
    0.02884
    """
    return math.sqrt(max(0.0, min(p * (1.0 - p) for p in mean)) / n)


def means_for_se(se: float, n: float) -> Span:
    """The shares p at which n independent scores between 0 and 1 can have a standard error this
    large: 1/2 -+ sqrt(1/4 - se^2 (n-1)); nan where none can.

    >>> low, high = means_for_se(0.00435, 9622)
    >>> round(low, 3), round(high, 3)
    (0.239, 0.761)
    """
    left = 0.25 - se * se * (n - 1.0)
    if left < 0.0:
        return math.nan, math.nan
    return 0.5 - math.sqrt(left), 0.5 + math.sqrt(left)


def summary_difference(
    mean_a: float, se_a: float, mean_b: float, se_b: float, *, level: float = 0.95, r: float = 0.0
) -> SummaryDifference:
    """The difference of two printed means, A minus B, from their standard errors.

    SE = sqrt(SE_A^2 + SE_B^2 - 2 r SE_A SE_B), interval and z by the normal law: equations 5 and 6
    of Miller 2024 at r = 0, as for models that answered different questions. r: correlation of the
    two models' scores over the questions; the paper's section 4.2 for a paired analysis. z and p
    are nan where the SE is 0, and all but the difference where an SE is nan. A standard error below
    0 and a correlation beyond -1 and 1 are a ValueError.

    >>> d = summary_difference(0.655, 0.007, 0.630, 0.007)
    >>> round(d.se, 4), round(d.z, 2)   # .025 / .0099
    (0.0099, 2.53)
    """
    if se_a < 0.0 or se_b < 0.0 or abs(r) > 1.0:
        raise ValueError(
            f"se_a={se_a}, se_b={se_b}, r={r}: a standard error is not below 0, and a correlation "
            "lies between -1 and 1"
        )
    difference = mean_a - mean_b
    squared = se_a * se_a + se_b * se_b - 2.0 * r * se_a * se_b
    se = math.sqrt(0.0 if squared < 0.0 else squared)  # nan stays nan
    half = z_quantile(level) * se
    z = difference / se if se > 0.0 else math.nan
    p = float(2.0 * special.ndtr(-abs(z)))
    return SummaryDifference(difference, se, difference - half, difference + half, z, p)


def correlation_needed(
    difference: float, se_a: float, se_b: float, *, level: float = 0.95
) -> float:
    """The correlation above which a paired analysis would tell the difference from 0: the r with
    |difference| = z SE(r). -1 where every one will do, nan where none up to 1 will, and where an
    SE is not known or both are 0. With one of 0, the SE of the difference is the other at every r.

    >>> round(correlation_needed(0.015, 0.007, 0.007), 2)   # 1 - (.015/1.96)^2 / (2 * .007^2)
    0.4
    >>> correlation_needed(0.8, 0.03, 0.0), correlation_needed(0.05, 0.03, 0.0)
    (-1.0, nan)
    """
    if not (se_a >= 0.0 and se_b >= 0.0 and se_a + se_b > 0.0):
        return math.nan
    wanted = (difference / z_quantile(level)) ** 2
    if se_a == 0.0 or se_b == 0.0:
        return -1.0 if wanted > max(se_a, se_b) ** 2 else math.nan
    r = (se_a * se_a + se_b * se_b - wanted) / (2.0 * se_a * se_b)
    return math.nan if r > 1.0 else max(-1.0, r)


def correlation_enough(difference: float, se_a: Span, se_b: Span, *, level: float = 0.95) -> float:
    """The correlation above which a paired analysis would tell the difference from 0 whatever the
    two standard errors are within their spans; difference: the smallest that it may be. -1 and nan
    as in correlation_needed.

    >>> round(correlation_enough(0.8, (0.25, 0.4), (0.325, 0.34)), 2)   # at .4 and .34
    0.4
    """
    # (a^2 + b^2 - w) / 2ab has no maximum within the span of a, nor within that of b
    ends = [(a, b) for a in se_a for b in se_b if not a == b == 0.0]
    found = [correlation_needed(difference, a, b, level=level) for a, b in ends]
    return math.nan if any(r != r for r in found) else max(found, default=math.nan)


def difference_se_span(se_a: Span, se_b: Span, r: Span) -> Span:
    """Between which numbers the standard error of a paired difference lies: the least and the most
    of sqrt(SE_A^2 + SE_B^2 - 2 r SE_A SE_B) over three spans.

    >>> low, high = difference_se_span((3.15, 3.25), (2.95, 3.05), (0.635, 0.645))
    >>> round(low, 2), round(high, 2)
    (2.58, 2.7)
    """
    found = []
    for each in r:
        for a in se_a:
            for b in (*se_b, min(max(each * a, se_b[0]), se_b[1])):
                found.append(a * a + b * b - 2.0 * each * a * b)
        for b in se_b:
            a = min(max(each * b, se_a[0]), se_a[1])
            found.append(a * a + b * b - 2.0 * each * a * b)
    return math.sqrt(max(0.0, min(found))), math.sqrt(max(0.0, max(found)))


def quotient_span(part: Span, whole: Span) -> Span:
    """The quotients of two spans that are not negative; up to inf where the whole may be 0.

    >>> quotient_span((1.0, 2.0), (0.0, 4.0))
    (0.25, inf)
    """
    low = part[0] / whole[1] if whole[1] > 0.0 else math.inf
    high = part[1] / whole[0] if whole[0] > 0.0 else math.inf
    return max(0.0, low), high
