"""A table as finished text, before any format lays it out."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from reportkit.formatting import count
from reportkit.results import EvalResult

Theme = Literal["error-bars", "plain", "pm", "ci", "stacked"]
Row = tuple[list[str], list[float | None]]


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
    sections: (row, heading) pairs: the heading stands above that row and holds until the next. number: of the table in
    its document, where the format does not count itself (HTML, Markdown); None in a drop-in.
    data: the unrounded records for the CSV, every row a mapping with the same keys.
    """

    name: str
    title: str  # the caption, a full sentence
    columns: tuple[Column, ...]
    cells: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float | None, ...], ...] = ()
    notes: tuple[str, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    sections: tuple[tuple[int, str], ...] = ()
    number: int | None = None
    data: tuple[dict[str, Any], ...] = field(default=(), repr=False)


def table_of(
    name: str,
    title: str,
    columns: list[Column],
    rows: Iterable[Row],
    notes: Iterable[str],
    data: list[Any],
    r: EvalResult,
) -> Table:
    """A table of one eval, its name in the title; undefined values become None, empty notes go."""
    rows = list(rows)
    labels = ["Fictional models, generated scores."] if r.fictional else []
    return Table(
        name,
        f"{r.eval}: {title}",
        tuple(columns),
        tuple(tuple(cells) for cells, _ in rows),
        tuple(tuple(None if v is None or v != v else v for v in values) for _, values in rows),
        tuple(labels + [n for n in notes if n]),
        data=tuple(d if isinstance(d, dict) else {"eval": r.eval, "metric": r.metric} | asdict(d) for d in data),
    )


def shorten(table: Table, rows: int) -> Table:
    """The first rows of a long table, with a note of where the rest is."""
    if len(table.cells) <= rows:
        return table
    note = f"The first {rows} of {count(len(table.cells))} rows; the whole table is tables/{table.name}.csv."
    return replace(table, cells=table.cells[:rows], values=table.values[:rows], notes=(*table.notes, note))
