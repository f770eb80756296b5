"""What doubles can tell: scores far from 0 beside their spread, very large and very small ones.

A double has 16 digits. Scores of 1e15 + 0..9 differ in the last two of them, and a mean of theirs
is rounded by as much as they differ. Whole numbers up to 2^53 are exact all the same, and so are
their differences; of others little is left.
"""

import math
from typing import Any

import numpy as np

# A standard error, or a difference, below this share of the largest score is the rounding of sums
# that cancel: it is 0.
ROUNDING = 1e-14
WHOLE = 2.0**53  # whole numbers up to here are exact
NEAR = 1e-6  # a spread above this share of the largest score needs no care
# Scores whose spread is a share of the largest between these have lost digits that count; below,
# they are equal but for rounding.
SAME, BLURRED = 4e-15, 1e-12
ORDINARY = 1e9  # only smaller scores may differ by rounding alone, as means of 0.1, 0.2, 0.3 do
# Within these, squares and fourth powers are numbers too.
TINY, HUGE = 1e-75, 1e75


def floats(values: Any) -> np.ndarray:
    """Numbers as doubles, of any shape. What a masked array hides is missing, nan: numpy's own
    conversion would bring the hidden number back.

    >>> floats(np.ma.masked_greater([1, 7], 5))
    array([ 1., nan])
    """
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(float), np.nan)
    return np.asarray(values, dtype=float)


def pair_of_floats(a: Any, b: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two models' scores of the same questions; ValueError where they are not as many."""
    a, b = floats(a), floats(b)
    if a.shape != b.shape:
        raise ValueError(
            f"the models answered {a.size} and {b.size} questions; give both scores of the "
            "common ones"
        )
    return a, b


def check_finite(s: np.ndarray) -> None:
    """ValueError where a score is missing or infinite."""
    finite = np.isfinite(s)
    if not finite.all():
        raise ValueError(
            f"{int((~finite).sum())} of {len(s)} scores are missing or infinite; drop them first"
        )


def whole(s: np.ndarray) -> bool:
    """Whether all scores are whole numbers that doubles hold exactly.

    >>> whole(np.array([1e15, 3.0])), whole(np.array([0.5])), whole(np.array([1e17]))
    (True, False, False)
    """
    return bool(((s == np.floor(s)) & (np.abs(s) <= WHOLE)).all())


def blurred(low: float, high: float) -> bool:
    """Whether scores between low and high differ by little more than their rounding. Shares may do
    so near 1: what they lack to 1 does not matter there.

    >>> blurred(1e15, 1e15 + 9), blurred(0.3, 0.1 + 0.2), blurred(1.0 - 1e-13, 1.0)
    (True, False, False)
    """
    largest, spread = max(-low, high), high - low
    same = SAME * largest if largest < ORDINARY else 0.0
    return not 0.0 <= low <= high <= 1.0 and same < spread < BLURRED * largest


def rounding_of(s: np.ndarray, low: float, high: float) -> float:
    """What is 0 but for the rounding of scores between low and high; ValueError where that may be
    all there is.
    """
    largest = max(-low, high)
    if not blurred(low, high):
        return ROUNDING * largest
    if whole(s):
        return ROUNDING * (high - low)
    raise ValueError(
        f"scores run from {low!r} to {high!r}, and numbers of this size are rounded too much for "
        "their differences; subtract a constant first"
    )


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a - b, shape (n,), scores of the same questions; 0 where it is the rounding of their means.
    Whole numbers have none.

    >>> differences(np.array([0.1 + 0.2, 1.0]), np.array([0.3, 0.5])).tolist()
    [0.0, 0.5]
    """
    d = a - b
    if len(d) and not (whole(a) and whole(b)):
        d[np.abs(d) < ROUNDING * max(np.abs(a).max(), np.abs(b).max())] = 0.0
    return d


def exponent(largest: float) -> int:
    """The power of 2 that scores are divided by before they are squared; 0 where none is needed.

    >>> exponent(1.0), exponent(2.0**500), exponent(0.0)
    (0, 500, 0)
    """
    if largest == 0.0 or TINY <= largest <= HUGE:
        return 0
    return math.frexp(largest)[1] - 1


def check_squares(*scores: np.ndarray) -> None:
    """ValueError where a double does not hold the squares of scores, and those of the squares."""
    for s in scores:
        known = s[np.isfinite(s)]
        if known.size and exponent(max(-float(known.min()), float(known.max()))):
            raise ValueError(
                f"the largest score is {float(np.abs(known).max()):g}, too large or too small for "
                "its variance; give scores in another unit"
            )


def squared_back(variance: float, power: int) -> float:
    """A variance of scores that were divided by 2^power, in their own units; nan where a double
    does not hold it.

    >>> squared_back(0.25, 1), squared_back(0.25, 600), squared_back(0.25, -600)
    (1.0, nan, nan)
    """
    if not power or not variance > 0.0:
        return variance
    try:
        x = math.ldexp(variance, 2 * power)
    except OverflowError:
        return math.nan
    return x if x > 0.0 else math.nan
