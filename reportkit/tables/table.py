"""A table as finished text, before any format lays it out."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from reportkit.results import EvalResult
from reportkit.text.numbers import DASH, count

Row = tuple[list[str], list[float | None]]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, how it aligns, and the name its values have in the CSV."""

    head: str
    align: str = "r"  # l, r or c
    group: str = ""  # columns next to each other with the same group share a spanning head


@dataclass(frozen=True, slots=True)
class Table:
    """A table as finished plain Unicode text; formats only escape it and lay it out (see
    render.py).

    name: letters and digits, the file's stem and LaTeX label. cells: rows of text, as long as
    columns. values: for each cell the unrounded number it shows (sort key), or None for text. bold:
    (row, column) pairs. sections: (row, heading) pairs: the heading stands above that row and holds
    until the next. number: of the table in its document, where the format does not count itself
    (HTML, Markdown); None in a drop-in. data: the unrounded records for the CSV, every row a
    mapping with the same keys.
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
    eval: str = ""  # of a table of one eval
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
        undefined_is_none(values for _, values in rows),
        tuple(labels + [n for n in notes if n]),
        data=tuple(
            d if isinstance(d, dict) else {"eval": r.eval, "metric": r.metric} | asdict(d)
            for d in data
        ),
        eval=r.eval,
    )


def undefined_is_none(
    rows: Iterable[Sequence[float | None]],
) -> tuple[tuple[float | None, ...], ...]:
    """The values of a table: nan is no number to sort by."""
    return tuple(tuple(None if v is None or v != v else v for v in row) for row in rows)


def only_rows(table: Table, rows: Sequence[int], which: str) -> Table:
    """Some rows of a long table, with a note of which they are and where the rest is."""
    if len(rows) == len(table.cells):
        return table
    note = (
        f"{which}: {count(len(rows))} of {count(len(table.cells))} rows; the whole table is "
        f"tables/{table.name}.csv."
    )
    kept, place = sorted(rows), {row: i for i, row in enumerate(sorted(rows))}
    return replace(
        table,
        cells=tuple(table.cells[i] for i in kept),
        values=tuple(table.values[i] for i in kept) if table.values else (),
        bold=frozenset((place[i], j) for i, j in table.bold if i in place),
        sections=(),
        notes=(note, *table.notes),
    )


def summary(table: Table) -> Table:
    """Lowest, median and highest number of every column, for a table too long to read; each is a
    cell of the table.

    The median of an even number of cells is the lower of the two in the middle, so that it is one
    of them.
    """
    numeric = [
        j for j in range(len(table.columns)) if any(row[j] is not None for row in table.values)
    ]
    # Rows that have every number, where there are any: columns of different rows would not compare.
    complete = [i for i, row in enumerate(table.values) if all(row[j] is not None for j in numeric)]

    def at(j: int, place: float) -> int | None:
        known = complete or [i for i, row in enumerate(table.values) if row[j] is not None]
        ranked = sorted(known, key=lambda i: table.values[i][j] or 0.0)
        return ranked[int(place * (len(ranked) - 1))] if ranked else None

    chosen = {name: [at(j, place) for j in numeric] for name, place in _PLACES.items()}
    rows = f"{count(len(table.cells))} rows"
    if 0 < len(complete) < len(table.cells):
        rows = f"the {count(len(complete))} of {rows} that have every number"
    note = f"Over {rows}; the whole table is tables/{table.name}.csv."
    return replace(
        table,
        columns=(Column("Statistic", "l"), *(table.columns[j] for j in numeric)),
        cells=tuple(
            (
                name,
                *(
                    DASH if i is None else table.cells[i][j]
                    for i, j in zip(rows, numeric, strict=True)
                ),
            )
            for name, rows in chosen.items()
        ),
        values=tuple(
            (
                None,
                *(
                    None if i is None else table.values[i][j]
                    for i, j in zip(rows, numeric, strict=True)
                ),
            )
            for rows in chosen.values()
        ),
        bold=frozenset(),
        sections=(),
        notes=(note, *table.notes),
    )


_PLACES = {"Lowest": 0.0, "Median": 0.5, "Highest": 1.0}
