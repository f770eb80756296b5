"""An interval, its quantiles, and the two plain intervals: by the normal and by Student's t."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.means.mean import Estimate


@dataclass(frozen=True, slots=True)
class Interval(Record):
    """Ends of an interval in the units of the estimate; nan where it cannot be had, and then method
    is "none".
    """

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
    """Value +- t_df SE, with the degrees of freedom of the SE (Satterthwaite for CR2). Not clipped
    to the scale.

    Not available (nan, method "none") when the SE is undefined or 0: a width of zero would claim
    certainty.

    >>> i = t_interval(Estimate(0.75, 0.25, 3.0, 4, 4))   # t_3 = 3.182
    >>> round(i.low, 3), round(i.high, 3), i.method
    (-0.046, 1.546, 't')
    """
    if not estimate.se > 0.0:
        return no_interval(level)
    half = float(t_quantile(level, estimate.df)) * estimate.se
    return Interval(estimate.value - half, estimate.value + half, level, "t")
