"""The rows of a table that has models down: which of them are models, and which are differences of
two.
"""

from collections.abc import Sequence

from reportkit.errors import ScoresError
from reportkit.loading.published.averages import is_average
from reportkit.loading.published.changes import are_differences, is_difference, is_sure, pair_of
from reportkit.loading.published.columns import name_of
from reportkit.loading.published.heads import key_of
from reportkit.loading.published.numbers import is_number, plain_cell
from reportkit.loading.published.others import is_statistic
from reportkit.loading.published.sheet import Sheet


def check_named(model: str, cells: Sequence[str], where: str) -> None:
    if not model and any(map(is_number, cells)):
        raise ScoresError(f"{where}: the row names no model; fill it in")


class Rows:
    """The rows of a table that has models down: which of them are models."""

    def __init__(self, sheet: Sheet, at: int, evals: dict[str, int]):
        self.table, self.at = sheet.name, at
        names = [name_of(cells[at]) for _, cells in sheet.rows]
        deltas = [name_of(cells[at]) for _, cells in sheet.rows if _may_be_delta(cells, at)]
        deltas = deltas if len(set(names)) > 3 else []  # a model; of two it may be the difference
        own = [n for n in names if n and key_of(plain_cell(n)) != "n"]
        own = [n for n in own if n in deltas or not (is_difference(n) or is_statistic(n))]
        models = [n for n in own if not is_average(n)]
        self.models = list(dict.fromkeys(models if len(models) > 1 else own))
        self.pairs: dict[str, tuple[str, str]] = {}
        rows = {name: cells for name, (_, cells) in zip(names, sheet.rows, strict=True)}
        for name in dict.fromkeys(names):
            pair = pair_of(name, [m for m in self.models if m != name])
            if pair is None:
                continue
            three = [rows[x] for x in (name, *pair)]
            numbers = [(three[0][j], three[1][j], three[2][j]) for j in evals.values()]
            if is_sure(name) or are_differences(numbers):
                self.pairs[name] = pair
        self.models = [m for m in self.models if m not in self.pairs]


def _may_be_delta(cells: Sequence[str], at: int) -> bool:
    """Whether a row is named Delta, as a model may be, and no number has a sign."""
    signed = any(plain_cell(c)[:1] in ("+", "-", "−", "–") for c in cells if is_number(c))
    return name_of(cells[at]).casefold() == "delta" and not signed
