"""The unrounded records of a table as CSV that spreadsheets do not take for formulas."""

import csv
import io
import math
import re
from typing import Any

from reportkit.tables.grid import Grid


def csv_text(table: Grid, raw: bool = False) -> str:
    """The unrounded records; undefined is empty. raw: text as it is, for a program to read."""
    cell = _raw_cell if raw else csv_cell
    out = io.StringIO()
    names = [c.head for c in table.columns]
    if table.data:  # records of several kinds may stand below each other
        names = list(dict.fromkeys(name for record in table.data for name in record))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([cell(name) for name in names])
    records = (
        [[record.get(name) for name in names] for record in table.data]
        if table.data
        else table.cells
    )
    for record in records:
        writer.writerow([cell(v) for v in record])
    return out.getvalue().encode("utf-8", "replace").decode()


def _raw_cell(value: Any) -> Any:
    return "" if isinstance(value, float) and not math.isfinite(value) else value


def csv_cell(value: Any) -> Any:
    """A number as it is, undefined empty; text so that no spreadsheet takes it for a formula and
    every reader reads it.

    >>> csv_cell("=1+1"), csv_cell("−2.1%"), csv_cell("a\\r\\nb")
    ("'=1+1", '−2.1%', 'a\\nb')
    >>> csv_cell(-2.1), csv_cell(float("nan"))
    (-2.1, '')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    if not isinstance(value, str):
        return value
    # Line ends as the file's own, and NUL, at which some readers stop, as its picture.
    text = re.sub(r"\r\n?", "\n", value).replace("\0", "\u2400")
    formula = re.match(r"\s*[=+\-@＝＋－＠]|[\t\n]", text) and not re.fullmatch(
        r"[+-]?[.,]?\d[\d.,]*%?", text
    )
    return f"'{text}" if formula else text
