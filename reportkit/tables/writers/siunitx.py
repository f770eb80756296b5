"""Cells of a LaTeX table as siunitx aligns them: numbers with the text before and after them."""

import re
from typing import Any

from markupsafe import Markup

from reportkit.tables.grid import Grid
from reportkit.text.escaping import escape
from reportkit.text.latex_width import text_width
from reportkit.text.numbers import DASH

_NUMBER = re.compile(r"([<>]?)([+−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(.*)")


def latex_cell(table: Grid, i: int, j: int, siunitx: bool) -> dict[str, Any]:
    """A cell: text as it is, or for an S column a number with the text before and after it, or text
    in braces.
    """
    text = table.cells[i][j]
    found = _NUMBER.fullmatch(text) if siunitx else None
    before, sign, whole, decimals, after = (
        (g or "" for g in found.groups()) if found else ("", "", "", "", text)
    )
    number = sign.replace("−", "-") + whole.replace(",", "") + decimals
    kind = "plain"
    if siunitx:
        kind = "number" if found else "text"
    return {
        "kind": kind,
        "before": before,
        "number": Markup(number),
        "text": _after(after) if found else after,
        "bold": (i, j) in table.bold,
        "align": Markup("c" if siunitx else table.columns[j].align),
    }


def _after(text: str) -> Markup:
    """What follows a number, its space kept."""
    return Markup("\\ " * text.startswith(" ") + escape(text, "tex"))


def siunitx_column(table: Grid, column: int) -> str:
    """The S column for numbers with text around them, such as a percent sign and an SE; empty for
    other columns.

    >>> from reportkit.tables.grid import Column
    >>> t = Grid("t", "", (Column("a"),), (("−2.1% (0.7%)",), ("+10.4%",), ("—",)))
    >>> print(siunitx_column(t, 0))
    S[table-format=+2.1,table-space-text-post={\\% (0.7\\%)}]
    """
    texts = [row[column] for row in table.cells if row[column] not in ("", DASH)]
    found = [m for m in map(_NUMBER.fullmatch, texts) if m and "[" not in m[5]]
    if not found or table.columns[column].align == "l" or 2 * len(found) < len(texts):
        return ""
    sign = "+" if any(m[2] for m in found) else ""
    whole = max(len(m[3].replace(",", "")) for m in found)
    decimals = max(len(m[4] or ".") - 1 for m in found)
    weight = r"\bfseries " if any(j == column for _, j in table.bold) else ""
    keys = f"table-format={sign}{whole}.{decimals}"
    keys += ",group-minimum-digits=4" if any("," in m[3] for m in found) else ""
    for key, group in (("pre", 1), ("post", 5)):
        widest = max((m[group] for m in found), key=text_width)
        keys += f",table-space-text-{key}={{{weight}{_after(widest)}}}" if widest else ""
    return f"S[{keys}]"
