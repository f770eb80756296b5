"""Records -> tables of finished text. Percent signs, digits and dashes are decided here and nowhere else."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, how it aligns, and the name its values have in the CSV."""

    head: str
    align: str = "r"  # l, r or c
    group: str = ""  # columns next to each other with the same group share a spanning head


@dataclass(frozen=True, slots=True)
class Table:
    """A table as finished plain Unicode text; formats only escape it and lay it out (see render.py).

    name: letters and digits, the file's stem and LaTeX label. cells: rows of text, as long as columns.
    values: for each cell the unrounded number it shows (sort key), or None for text. bold: (row, column) pairs.
    data: the unrounded records for the CSV, every row a mapping with the same keys.
    """

    name: str
    title: str  # the caption, a full sentence
    columns: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float | None, ...], ...] = ()
    notes: tuple[str, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    data: tuple[dict[str, Any], ...] = field(default=(), repr=False)
