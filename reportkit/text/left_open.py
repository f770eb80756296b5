"""Numbers of questions with the range of what is not known, as text."""

import math

from reportkit.text.numbers import DASH, count, span

SIGNIFICANT = 3  # digits of a number of questions that is known to no more


def rounded(n: float, up: bool = True) -> float:
    """A number of questions to three digits, upwards (or downwards, of the lower end).

    >>> rounded(1303), rounded(1248, up=False), rounded(87)
    (1310, 1240, 87)
    """
    if not math.isfinite(n) or n < 10**SIGNIFICANT:
        return n
    unit = 10 ** (math.floor(math.log10(n)) - SIGNIFICANT + 1)
    return (math.ceil(n / unit) if up else math.floor(n / unit)) * unit


def ends_of(low: float, high: float) -> str:
    """What is left open, by itself. An end that is not known below is a dash; above there is none.

    The ends are rounded away from each other, to three digits.

    >>> ends_of(854, 2252), ends_of(854, math.nan)
    ('854 to 2,260', '854 or more')
    """
    lower = count(rounded(low, up=False)) if low == low else DASH
    return span(lower, count(rounded(high))) if high == high else f"{lower} or more"


def is_open(n: float, low: float, high: float) -> bool:
    """Whether something is left open: a range of the number alone, as of the fewest questions that
    are planned, says nothing.
    """
    known = not (math.isnan(low) and math.isnan(high))
    return known and ends_of(low, high) != count(n)


def with_ends(n: float, low: float, high: float) -> str:
    """A number of questions with its range; the number itself is not rounded, for its cost and its
    power are those of the number that is printed.

    >>> with_ends(1310, 854, 2252), with_ends(30, 30, 30), with_ends(30, math.nan, math.nan)
    ('1,310 (854 to 2,260)', '30', '30')
    """
    return f"{count(n)} ({ends_of(low, high)})" if is_open(n, low, high) else count(n)
