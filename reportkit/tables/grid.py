"""A table as finished text: columns, cells and notes, before any format lays them out."""

import itertools
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from reportkit.text.numbers import DASH

MODEL_KEY = "model:"  # how the keys of columns begin that belong to one model
EVAL_KEY = "eval:"  # and to one eval
PUBLISHED_KEY = "published:"  # and to a model that has published scores alone
MANY_MODELS = 6  # columns of models up to which an error stands beside its score
STATISTIC = "Statistic"  # the first head of a summary: its rows are lowest, median and highest


def is_wide(key: str) -> bool:
    """Whether a column is of a model or an eval: one of the many."""
    return key.startswith((MODEL_KEY, EVAL_KEY, PUBLISHED_KEY))


def models_are_rows(n_models: int, n_evals: int) -> bool:
    """Whether a table of evals by models has a row for each model, where nobody chose: of many
    models, and more than evals. In one row of them the best would be out of sight.

    >>> models_are_rows(58, 5), models_are_rows(6, 5), models_are_rows(7, 7)
    (True, False, False)
    """
    return n_models > max(MANY_MODELS, n_evals)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, how it aligns, and the key by which code knows it."""

    head: str
    align: str = "r"  # l, r or c
    group: str = ""  # columns next to each other with the same group share a spanning head
    key: str = ""  # as in its ColumnSpec; empty in a table made by hand
    lower: bool = False  # scores of an eval of which lower ones are better


@dataclass(frozen=True, slots=True)
class Grid:
    """What the formats need of a table: finished plain Unicode text (see render.py).

    name: letters and digits, the file's stem and LaTeX label. cells: rows of text, as long as
    columns. values: for each cell the unrounded number it shows (sort key), or None for text. bold:
    (row, column) pairs. sections: (row, heading) pairs: the heading stands above that row and holds
    until the next. number: of the table in its document, where the format does not count itself
    (HTML, Markdown); None in a drop-in. scales: of rows of evals with different scales, by their
    names: their scores sort by the place between the worst and the best (see scales). data: the
    unrounded records for the CSV, every row a mapping with the same keys. fit: a table of evals by
    models, which LaTeX lays out for a line (see latex_fit).
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
    fit: bool = False
    lower: bool = False  # lower scores are better, in all columns of scores
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    data: tuple[dict[str, Any], ...] = field(default=(), repr=False)

    @property
    def labels(self) -> int:
        """How many columns of text it begins with: they say which row it is."""
        return len(list(itertools.takewhile(lambda c: c.align == "l", self.columns)))


AnyGrid = TypeVar("AnyGrid", bound=Grid)


def of_rows(table: AnyGrid, kept: Sequence[int]) -> AnyGrid:
    """Some rows in their order, each heading above the first that is left of its rows."""
    place = {row: i for i, row in enumerate(kept)}
    ends = [*(row for row, _ in table.sections[1:]), len(table.cells)]
    firsts = [
        (next((place[i] for i in range(row, end) if i in place), None), heading)
        for (row, heading), end in zip(table.sections, ends, strict=False)
    ]
    return replace(
        table,
        cells=tuple(table.cells[i] for i in kept),
        values=tuple(table.values[i] for i in kept) if table.values else (),
        bold=frozenset((place[i], j) for i, j in table.bold if i in place),
        sections=tuple((first, heading) for first, heading in firsts if first is not None),
    )


def is_models_by_evals(table: Grid) -> bool:
    """Whether a table has a row for each model and a column for each eval."""
    return table.fit and any(column.key.startswith(EVAL_KEY) for column in table.columns)


def rows_of_part(table: Grid, columns: Sequence[int]) -> list[int]:
    """The rows that a part of the columns has: of models by evals without those of the models that
    have no score in its evals, where others have one; else all.
    """
    every = list(range(len(table.cells)))
    evals = [j for j in columns if table.columns[j].key.startswith(EVAL_KEY)]
    if not is_models_by_evals(table) or not evals:
        return every
    return [i for i in every if any(table.cells[i][j] != DASH for j in evals)] or every


def runs_that_share(scored: Iterable[Set[int]]) -> list[list[int]]:
    """Evals in runs: each shares a model with one before it in its run. A table in parts is better
    cut between the runs. One without scores begins none. scored: of each eval the models that have
    a score.

    >>> runs_that_share([set(), {0, 1}, {1, 2}, {2}, {3}, set(), {3, 4}])
    [[0, 1, 2, 3], [4, 5, 6]]
    """
    runs: list[list[int]] = []
    seen: set[int] = set()
    for i, models in enumerate(scored):
        if not runs or (seen and models and not seen & models):
            runs.append([])
            seen = set()
        runs[-1].append(i)
        seen |= models
    return runs


def undefined_is_none(
    rows: Iterable[Sequence[float | None]],
) -> tuple[tuple[float | None, ...], ...]:
    """The values of a table: nan is no number to sort by."""
    return tuple(tuple(None if v is None or v != v else v for v in row) for row in rows)
