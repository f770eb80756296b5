"""A DataFrame of the user's own as a table, for all formats."""

import math
import re
from decimal import Decimal
from numbers import Real
from typing import Any

import pandas as pd

from reportkit.errors import OutputError
from reportkit.tables.grid import Column, undefined_is_none
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count, fixed

SIGNIFICANT = 3  # digits of the largest number of a column, where decimals are not said
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def table_of_frame(
    frame: "pd.DataFrame | pd.Series[Any]", name: str, caption: str, digits: int | None = None
) -> Table:
    """A frame as a table: numbers at the right with the decimals of their column, texts at the
    left, a dash for what is undefined.

    An index that says something comes first. Columns of several levels get spanning heads. digits:
    decimals of all numbers that are not whole; None: three significant digits of the largest number
    of each column, and no more decimals than its numbers have. Raises OutputError where the name
    cannot be that of a file.

    >>> made = table_of_frame(pd.DataFrame({"who": ["a", "b"], "x": [0.5, None]}), "mine", "Mine.")
    >>> made.cells, made.columns[1].align
    ((('a', '0.5'), ('b', '—')), 'r')
    """
    if not _NAME.fullmatch(name):
        raise OutputError(
            f"a table cannot be saved under the name {name!r}; use letters, digits, - and _ alone"
        )
    if isinstance(frame, pd.Series):
        frame = frame.to_frame()
    if not isinstance(frame.index, pd.RangeIndex) or frame.index.name is not None:
        names = [str(n) if n is not None else "" for n in frame.index.names]
        index = frame.index.to_frame(index=False)
        values = [index.iloc[:, j].tolist() for j in range(index.shape[1])]
        keys: list[Any] = [*names, *frame.columns]
    else:
        values, keys = [], list(frame.columns)
    values += [frame.iloc[:, j].tolist() for j in range(frame.shape[1])]
    columns = [_column(key, column) for key, column in zip(keys, values, strict=True)]
    texts = [_texts(column, digits) for column in values]
    return Table(
        name,
        caption,
        tuple(columns),
        tuple(zip(*texts, strict=True)),
        undefined_is_none(zip(*(_numbers(column) for column in values), strict=True)),
        fields=tuple(
            tuple({c.head: v} for c, v in zip(columns, row, strict=True))
            for row in zip(*values, strict=True)
        ),
    ).edited(lambda table: table)


def _column(key: Any, values: list[Any]) -> Column:
    *groups, head = key if isinstance(key, tuple) else (key,)
    group = " ".join(str(g) for g in groups if str(g))
    return Column(str(head), "r" if _numeric(values) else "l", group)


def _number(value: Any) -> float | None:
    """A value as a number; None of text, of truth and of what is not there."""
    if isinstance(value, bool) or not isinstance(value, Real) or value != value:
        return None
    return float(value)


def _absent(value: Any) -> bool:
    return value is None or value is pd.NA or value is pd.NaT or value != value


def _numeric(values: list[Any]) -> bool:
    there = [v for v in values if not _absent(v)]
    return bool(there) and all(_number(v) is not None for v in there)


def _numbers(values: list[Any]) -> list[float | None]:
    return [None if _absent(v) else _number(v) for v in values]


def _decimals(x: float) -> int:
    """The decimals that a number is written with: one that was rounded has no more.

    >>> _decimals(0.036), _decimals(1.0), _decimals(2.5e-07)
    (3, 0, 8)
    """
    return max(0, -int(Decimal(repr(x)).normalize().as_tuple().exponent))


def _texts(values: list[Any], digits: int | None) -> list[str]:
    if not _numeric(values):
        return [DASH if _absent(v) else str(v) for v in values]
    known = [x for x in _numbers(values) if x is not None and math.isfinite(x)]
    if all(x.is_integer() for x in known):
        return [DASH if x is None else count(x) for x in _numbers(values)]
    if digits is None:
        largest = max(abs(x) for x in known)
        digits = max(0, SIGNIFICANT - 1 - math.floor(math.log10(largest)))
        digits = min(digits, max(map(_decimals, known)))
    return [DASH if x is None else fixed(x, digits) for x in _numbers(values)]
