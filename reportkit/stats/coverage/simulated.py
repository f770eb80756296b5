"""How often simulated intervals hold the truth: many evals at once, counted in rows."""

import math
from collections.abc import Callable

import numpy as np

from reportkit.stats.digits import ROUNDING
from reportkit.stats.evidence import effective_number

DRAWN_AT_ONCE = 1_000_000  # numbers in one array; about ten such arrays exist at a time, 80 MB
NONE_PRINTED = "no simulated eval has an interval"

Ends = tuple[np.ndarray, np.ndarray]


def simulation_error(coverage: float, repeats: int) -> float:
    """Standard error of a simulated share, made so that it is not 0 at a share of 0 or 1.

    Half the width of Wilson's interval at z = 1: sqrt(c(1-c)/R + 1/(4R^2)) / (1 + 1/R). It is
    sqrt(c(1-c)/R) to within 1/R, and 1/(2(R+1)) where every simulated interval holds the truth.

    >>> # sqrt(.0475/2000); 1/4002
    >>> round(simulation_error(0.95, 2000), 4), round(simulation_error(1.0, 2000), 5)
    (0.0049, 0.00025)
    """
    return math.sqrt(coverage * (1.0 - coverage) / repeats + 0.25 / repeats**2) / (
        1.0 + 1.0 / repeats
    )


def moments_of(total: np.ndarray, alike: np.ndarray, units: np.ndarray, n: int) -> Ends:
    """Mean and CR2 standard error of each simulated eval, as mean_estimate has them."""
    value = (alike * total).sum(axis=1) / n
    residual = total - units * value[:, None]
    se = np.sqrt((alike * residual**2 / (1.0 - units / n)).sum(axis=1)) / n
    return value, np.where(se < ROUNDING, 0.0, se)


def effective_of(rate: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """effective_number, where a column counts for several units."""
    if alike.shape == (1,):
        return effective_number(rate)
    total, squares = (alike * rate).sum(axis=1), (alike * rate * rate).sum(axis=1)
    return np.divide(total * total, squares, out=np.zeros_like(squares), where=squares > 0.0)


def coverage_of(
    ends: Callable[[int], Ends], truth: float, columns: int, repeats: int
) -> tuple[float, float, float, str]:
    """Coverage, its simulation error, share not printed and the reason if there is no coverage."""
    printed = inside = 0
    rows = max(1, DRAWN_AT_ONCE // columns)
    for start in range(0, repeats, rows):
        low, high = ends(min(rows, repeats - start))
        printed += int((~np.isnan(low)).sum())
        inside += int(((low <= truth + 1e-12) & (truth - 1e-12 <= high)).sum())
    if not printed:
        return math.nan, math.nan, 1.0, NONE_PRINTED
    coverage = inside / printed
    return coverage, simulation_error(coverage, printed), (repeats - printed) / repeats, ""
