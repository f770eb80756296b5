"""A table as finished text: columns, cells and notes, before any format lays them out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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


def undefined_is_none(
    rows: Iterable[Sequence[float | None]],
) -> tuple[tuple[float | None, ...], ...]:
    """The values of a table: nan is no number to sort by."""
    return tuple(tuple(None if v is None or v != v else v for v in row) for row in rows)
