"""A table of many comparisons below a heading for each baseline, which needs a column less."""

import itertools
from dataclasses import replace
from typing import Any

from reportkit.tables.grid import Column, Grid

BASELINE = "baseline"


def below_baselines(table: Grid) -> Grid | None:
    """The comparisons with each baseline below a heading that names it; None where the table has
    headings already, or the rows of a baseline do not follow each other.

    A number stands in each row in the place of the name: a heading is not told again on the next
    page. With one baseline there is no number either.

    >>> columns = (Column("Model", "l", key="model"), Column("Baseline", "l", key="baseline"))
    >>> table = Grid("t", "T.", columns, (("b", "a"), ("c", "a"), ("c", "b")))
    >>> grouped = below_baselines(table)
    >>> grouped.sections, grouped.cells
    (((0, 'Baseline 1: a'), (2, 'Baseline 2: b')), (('b', '1'), ('c', '1'), ('c', '2')))
    """
    place = next((j for j, c in enumerate(table.columns) if c.key == BASELINE), None)
    if place is None or table.sections or not table.cells:
        return None
    names = [row[place] for row in table.cells]
    runs = [(name, len(list(run))) for name, run in itertools.groupby(names)]
    if len({name for name, _ in runs}) < len(runs):
        return None
    if len(runs) == 1:
        return replace(_without(table, place), sections=((0, f"Baseline: {runs[0][0]}"),))
    starts = [0, *itertools.accumulate(n for _, n in runs)]
    headings = [f"Baseline {k}: {name}" for k, (name, _) in enumerate(runs, 1)]
    numbers = [str(k) for k, (_, n) in enumerate(runs, 1) for _ in range(n)]
    head = table.columns[place].head
    return replace(
        table,
        columns=_with(table.columns, place, Column(head, "l", key=BASELINE)),
        cells=tuple(_with(row, place, n) for row, n in zip(table.cells, numbers, strict=True)),
        sections=tuple(zip(starts, headings, strict=False)),
    )


def _with(row: tuple[Any, ...], place: int, cell: Any) -> tuple[Any, ...]:
    return (*row[:place], cell, *row[place + 1 :])


def _without(table: Grid, place: int) -> Grid:
    """The table without one of its columns."""
    kept = [j for j in range(len(table.columns)) if j != place]
    return replace(
        table,
        columns=tuple(table.columns[j] for j in kept),
        cells=tuple(tuple(row[j] for j in kept) for row in table.cells),
        values=tuple(tuple(row[j] for j in kept) for row in table.values),
        bold=frozenset((i, kept.index(j)) for i, j in table.bold if j != place),
    )
