"""Columns of words in a table that has evals across: what they say of a row, such as a setting."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reportkit.loading.published.changes import number_of
from reportkit.loading.published.columns import name_of
from reportkit.loading.published.heads import Head, place_of
from reportkit.loading.published.numbers import ABSENT, plain_cell
from reportkit.loading.published.sheet import Sheet

_INTERVAL = re.compile(
    r"[(\[]\s*[+\-−–]?[\d.]+\s*%?\s*(?:[,;–—-]|to)\s*[+\-−–]?[\d.]+\s*%?\s*[)\]]"
)
Rows = Sequence[tuple[int, tuple[str, ...]]]


def texts(heads: Sequence[Head], rows: Rows) -> list[int]:
    """The columns that hold words and no number, of a table with models down and no column of
    evals or means: they name no eval.
    """
    keys = {head.key for head in heads}
    if "model" not in keys or keys & {"eval", "mean", "difference", "baseline"}:
        return []
    found = []
    for j, head in enumerate(heads):
        cells = [cells[j] for _, cells in rows if plain_cell(cells[j]).casefold() not in ABSENT]
        if not head.key and cells and not any(_holds_digit_first(cell) for cell in cells):
            found.append(j)
    return found


def _holds_digit_first(cell: str) -> bool:
    """Whether a cell holds a number or an interval, or begins like a number: that is not told by a
    guess.
    """
    begins = re.match(r"[+\-−–<>~±≈.$]*\s*\d", plain_cell(cell)) is not None
    return begins or number_of(cell) is not None or _INTERVAL.fullmatch(cell.strip()) is not None


def without_texts(heads: Sequence[Head], rows: Rows) -> list[Head]:
    """The heads; columns of words are not used."""
    of = texts(heads, rows)
    return [replace(h, key="unused") if j in of else h for j, h in enumerate(heads)]


def with_settings(sheet: Sheet, heads: Sequence[Head]) -> Sheet:
    """The table with the words of such columns behind the names of models, where a name stands in
    several rows and these tell them apart: "Heron (int4)".
    """
    at = place_of(heads, "model")
    names = [name_of(cells[at]) for _, cells in sheet.rows] if at is not None else []
    of = texts(heads, sheet.rows)
    if at is None or not of or len(set(names)) == len(names):
        return sheet
    rows = []
    for (line, cells), name in zip(sheet.rows, names, strict=True):
        words = ", ".join(name_of(cells[j]) for j in of if cells[j].strip())
        told = f"{name} ({words})" if words and name else name
        rows.append((line, (*cells[:at], told, *cells[at + 1 :])))
    return replace(sheet, rows=tuple(rows))
