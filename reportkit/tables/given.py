"""What a user puts into a table, as a cell prints it."""

import math
from numbers import Real
from typing import Any

from reportkit.text.numbers import DASH, bare, count, fixed


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def text_of(value: Any, digits: int | None) -> str:
    """A value as a cell prints it.

    >>> [text_of(x, 2) for x in (1234.5, True, "x", None)]
    ['1234.50', 'True', 'x', '—']
    >>> [text_of(x, None) for x in (1234.0, 0.125, math.inf, math.nan)]
    ['1,234', '0.125', '—', '—']
    """
    if value is None:
        return DASH
    if not is_number(value):
        return str(value)
    if digits is not None:
        return fixed(float(value), digits)
    if float(value).is_integer():
        return count(float(value))
    return bare(float(value)) if math.isfinite(value) else DASH
