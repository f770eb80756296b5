"""Showing that two models are about as good: equivalence and non-inferiority within a margin."""

import math
from dataclasses import dataclass

from scipy import special

from reportkit.record import Record
from reportkit.stats.intervals import Interval, t_interval, t_quantile
from reportkit.stats.means.mean import Estimate


@dataclass(frozen=True, slots=True)
class Equivalence(Record):
    """Whether a difference is shown to lie within -margin and margin, in score units."""

    margin: float
    # of "the difference is at least the margin, one way or the other"; nan when it cannot be had
    p_value: float
    interval: Interval  # at 2 level - 1: 90% for a test at 5%
    # p_value < 1 - level; False also where the p-value is undefined: nothing is shown
    equivalent: bool
    level: float


@dataclass(frozen=True, slots=True)
class NonInferiority(Record):
    """Whether a difference is shown to lie above -margin, in score units."""

    margin: float
    p_value: float  # of "the first is worse by the margin or more"; nan when it cannot be had
    # one-sided lower confidence bound of the difference at level; nan with the p-value
    bound: float
    # p_value < 1 - level; False also where the p-value is undefined: nothing is shown
    non_inferior: bool
    level: float


def equivalence(estimate: Estimate, margin: float, *, level: float = 0.95) -> Equivalence:
    """Two one-sided t-tests of a difference against a margin (TOST, Schuirmann 1987).

    estimate: of a difference, with its SE and degrees of freedom (inf for the normal); margin: the
    smallest difference that matters, in score units, chosen before looking. p = max{P(T > (diff +
    margin)/SE), P(T > (margin - diff)/SE)}: below 1 - level exactly where the interval at 2 level -
    1 lies inside (-margin, margin). A large p-value does not show a difference, as a large p-value
    of the ordinary test does not show equivalence.

    Undefined: p-value and interval are nan where the SE is undefined or 0: an SE of 0 says that the
    data cannot tell how far the difference varies, not that it is known. A margin that is not above
    0, or a level of 0.5 or less, is a ValueError.

    >>> # MGSM, a margin of 5 points
    >>> e = equivalence(Estimate(-0.027, 0.0174, math.inf, 2500, 250), 0.05)
    >>> round(e.p_value, 3), round(e.interval.low, 3), round(e.interval.high, 3), e.equivalent
    (0.093, -0.056, 0.002, False)
    """
    _check(margin, level)
    narrow = 2.0 * level - 1.0
    distance = margin - abs(estimate.value)
    p = _tail(estimate, distance)
    return Equivalence(margin, p, t_interval(estimate, narrow), p < 1.0 - level, level)


def non_inferiority(estimate: Estimate, margin: float, *, level: float = 0.95) -> NonInferiority:
    """One-sided t-test that the first model is not worse by the margin or more (one side of
    Schuirmann 1987).

    estimate: of first minus second, higher is better; margin: the largest loss that would not
    matter, in score units. p = P(T > (diff + margin)/SE), below 1 - level exactly where the bound
    diff - t_{level} SE is above -margin. Undefined and refused as in equivalence.

    >>> n = non_inferiority(Estimate(-0.01, 0.01, math.inf, 100, 100), 0.03)   # z = 2
    >>> round(n.p_value, 4), round(n.bound, 4), n.non_inferior
    (0.0228, -0.0264, True)
    """
    _check(margin, level)
    p = _tail(estimate, estimate.value + margin)
    bound = math.nan
    if estimate.se > 0.0:
        bound = estimate.value - float(t_quantile(2.0 * level - 1.0, estimate.df)) * estimate.se
    return NonInferiority(margin, p, bound, p < 1.0 - level, level)


def _tail(estimate: Estimate, distance: float) -> float:
    """P(T > distance / SE); nan where the SE is undefined or 0."""
    return (
        float(special.stdtr(estimate.df, -distance / estimate.se))
        if estimate.se > 0.0
        else math.nan
    )


def _check(margin: float, level: float) -> None:
    if not 0.0 < margin < math.inf:
        raise ValueError(
            f"margin={margin} is not a number above 0; give the smallest difference that matters"
        )
    if not 0.5 < level < 1.0:
        raise ValueError(
            f"level={level} is not between 0.5 and 1; a one-sided test at 5% has level 0.95"
        )
