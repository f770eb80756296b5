"""The scales of the rows of a table of several evals, by which their scores sort."""

import math
from collections.abc import Iterable, Mapping

from reportkit.results import Scale

Ends = Mapping[str, tuple[float, float]]


def scales_of(evals: Iterable[tuple[str, Scale, bool]]) -> Ends:
    """The worst and the best score of each eval by its name, where not all are shares of which the
    highest is the best; of scores without a known range the lowest and the highest seen. The last
    of each three: whether lower is better.

    >>> tens = Scale(1.0, 10.0, False, False)
    >>> scales_of([("a", Scale(0.0, 1.0, True, True), False), ("b", tens, False)])
    {'a': (0.0, 1.0), 'b': (1.0, 10.0)}
    """
    found = {}
    for name, scale, lower in evals:
        low, high = scale.ends if scale.bounded else (scale.low, scale.high)
        found[name] = (high, low) if lower else (low, high)
    return found if set(found.values()) - {(0.0, 1.0)} else {}


def place_of(value: float, ends: tuple[float, float]) -> float | None:
    """Where a score lies from the worst (0) to the best (1); None where nobody knows.

    >>> place_of(5.5, (1.0, 10.0)), place_of(0.25, (1.0, 0.0)), place_of(3.0, (3.0, 3.0))
    (0.5, 0.75, None)
    """
    worst, best = ends
    if not math.isfinite(best - worst) or best == worst:
        return None
    return (value - worst) / (best - worst)
