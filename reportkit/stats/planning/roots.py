"""Roots of many increasing functions at once."""

from collections.abc import Callable, Sequence

import numpy as np

Excess = Callable[[np.ndarray], np.ndarray]
PARTS = (0.97, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2)  # of a room whose end is beyond what can be found


def increasing_root(
    f: Excess, low: np.ndarray, high: np.ndarray, near: float = 1e-10
) -> np.ndarray:
    """Where increasing functions become 0, entry by entry; nan where they are below 0 at `high`.

    False position, with halved ordinates of an end that stays (Illinois): what is solved here is
    nearly linear. near: how near to the root is near enough, as a part of it.

    >>> increasing_root(lambda x: x**2 - 2.0, np.zeros(1), np.full(1, 9.0)).round(4).item()
    1.4142
    """
    at_low, at_high = f(low), f(high)
    root = np.where(at_high >= 0.0, high, np.nan)
    open_ = (at_high >= 0.0) & (at_low < 0.0)
    root = np.where(at_low >= 0.0, low, root)
    side = np.zeros(len(low))
    for _ in range(100):
        if not open_.any():
            break
        with np.errstate(invalid="ignore", divide="ignore"):
            guess = high - at_high * (high - low) / (at_high - at_low)
        guess = np.where((guess > low) & (guess < high), guess, (low + high) / 2.0)
        at = f(guess)
        enough = at >= 0.0
        at_low = np.where(enough & (side > 0), at_low / 2.0, at_low)
        at_high = np.where(~enough & (side < 0), at_high / 2.0, at_high)
        high, at_high = np.where(enough, guess, high), np.where(enough, at, at_high)
        low, at_low = np.where(enough, low, guess), np.where(enough, at_low, at)
        side = np.where(enough, 1.0, -1.0)
        root = np.where(open_, guess, root)
        open_ &= (np.abs(at) >= 10.0 * near) & (high - low > near * np.abs(guess))
    return root


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
