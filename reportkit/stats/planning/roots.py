"""Roots of many increasing functions at once."""

from collections.abc import Callable, Sequence

import numpy as np

Excess = Callable[[np.ndarray], np.ndarray]
PARTS = (0.97, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2)  # of a room whose end is beyond what can be found


def increasing_root(
    f: Excess,
    low: np.ndarray,
    high: np.ndarray,
    near: np.ndarray | float = 1e-10,
    *,
    skips: bool = False,
) -> np.ndarray:
    """Where increasing functions become 0, entry by entry; nan where they are below 0 at `high`.

    Inverse quadratic interpolation where the last three points are nearly on such a curve, else
    halves (Chandrupatla 1997). near: how near to the root is near enough, as a part of it; one, or
    one for each. skips: f, which takes its time, is given nan where the root is known already.

    >>> increasing_root(lambda x: x**2 - 2.0, np.zeros(1), np.full(1, 9.0)).round(4).item()
    1.4142
    """
    last, other = low, high  # the newest point, and the one on the root's other side
    at_last, at_other = f(low), f(high)
    root = np.where(at_last >= 0.0, low, np.where(at_other >= 0.0, high, np.nan))
    open_ = (at_other >= 0.0) & (at_last < 0.0)
    part = np.full(len(low), 0.5)  # of the way from the one to the other
    for _ in range(100):
        if not open_.any():
            break
        guess = last + part * (other - last)
        at = f(np.where(open_, guess, np.nan) if skips else guess)
        same = (at >= 0.0) == (at_last >= 0.0)
        before, at_before = np.where(same, last, other), np.where(same, at_last, at_other)
        other, at_other = np.where(same, other, last), np.where(same, at_other, at_last)
        last, at_last = guess, at
        best = np.where(np.abs(at_last) < np.abs(at_other), last, other)
        root = np.where(open_, best, root)
        open_ &= (np.abs(at) >= 10.0 * near) & (np.abs(other - last) > near * np.abs(best))
        part = _next_part(last, other, before, at_last, at_other, at_before)
        with np.errstate(invalid="ignore", divide="ignore"):
            least = np.fmin(0.5 * near * np.abs(best / (other - last)), 0.5)
        part = np.clip(part, least, 1.0 - least)
    return root


def _next_part(
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray,
    at_a: np.ndarray,
    at_b: np.ndarray,
    at_c: np.ndarray,
) -> np.ndarray:
    """How far from a to b the root is on the inverse parabola of three points; half of it where
    that may lead out of them.
    """
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        xi, phi = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        part = at_a / (at_b - at_a) * at_c / (at_b - at_c)
        part += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        fits = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi) & np.isfinite(part)
    return np.where(fits, part, 0.5)


def highest(f: Excess, room: np.ndarray) -> np.ndarray:
    """The room, or the largest of its PARTS, at which f is not below 0, entry by entry; the room
    itself where there is none.

    >>> highest(lambda x: np.where(x < 0.95, x - 0.5, -1.0), np.ones(1)).item()
    0.9
    """
    return first_enough(f, [room, *(room * part for part in PARTS)])


def first_enough(f: Excess, at: Sequence[np.ndarray]) -> np.ndarray:
    """The first of some points at which f is not below 0, entry by entry; the very first where
    there is none.

    >>> first_enough(lambda x: 2.0 - x, [np.array([3.0, 3.0]), np.array([2.5, 1.0])]).tolist()
    [3.0, 1.0]
    """
    found = np.full(len(at[0]), np.nan)
    for point in at:
        if not np.isnan(found).any():
            break
        found = np.where(np.isnan(found) & (f(point) >= 0.0), point, found)
    return np.where(np.isnan(found), at[0], found)
