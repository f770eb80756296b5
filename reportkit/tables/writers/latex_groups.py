"""A table of many comparisons below a heading for each baseline, or for each model, which needs a
column less.
"""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reportkit.tables.grid import Column, Grid

BASELINE, MODEL = "baseline", "model"


def below_baselines(table: Grid) -> Grid | None:
    """The comparisons with each baseline below a heading that names it, or those of each model
    where only its rows follow each other; None where neither's do, or there are headings already.

    A number stands in each row in the place of the name: a heading is not told again on the next
    page. With one baseline there is no number either.

    >>> columns = (Column("Model", "l", key="model"), Column("Baseline", "l", key="baseline"))
    >>> table = Grid("t", "T.", columns, (("b", "a"), ("c", "a"), ("c", "b")))
    >>> grouped = below_baselines(table)
    >>> grouped.sections, grouped.cells
    (((0, 'Baseline 1: a'), (2, 'Baseline 2: b')), (('b', '1'), ('c', '1'), ('c', '2')))
    """
    keys = [column.key for column in table.columns]
    if BASELINE not in keys or table.sections or not table.cells:
        return None
    for key in (BASELINE, MODEL):
        place = keys.index(key) if key in keys else len(keys)
        names = [name for row in table.cells for name in row[place : place + 1]]
        runs = [(name, len(list(run))) for name, run in itertools.groupby(names)]
        if runs and len({name for name, _ in runs}) == len(runs):
            return _below(table, place, runs)
    return None


def _below(table: Grid, place: int, runs: Sequence[tuple[str, int]]) -> Grid:
    """The rows below headings that name what a column does; runs: the names, with their rows."""
    column = table.columns[place]
    if len(runs) == 1:
        return replace(_without(table, place), sections=((0, f"{column.head}: {runs[0][0]}"),))
    starts = [0, *itertools.accumulate(n for _, n in runs)]
    headings = [f"{column.head} {k}: {name}" for k, (name, _) in enumerate(runs, 1)]
    numbers = [str(k) for k, (_, n) in enumerate(runs, 1) for _ in range(n)]
    return replace(
        table,
        columns=_with(table.columns, place, Column(column.head, "l", key=column.key)),
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
