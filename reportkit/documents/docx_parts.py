"""A table too wide for its page, in parts: which columns and which rows each part has."""

from collections.abc import Sequence
from typing import Any

from reportkit.documents.pandoc import Node, text_of
from reportkit.tables.grid import runs_that_share
from reportkit.tables.writers.html import OF_EVALS
from reportkit.text.numbers import DASH


def labels(rows: list[list[str]], texts: int) -> int:
    """How many columns say which row it is: the first, and where rows share it as many columns of
    text beside it as tell all of them apart; texts: columns of text that the table begins with.
    Where these do not tell them apart either, the first alone.

    >>> pairs = [["GSM8K", "A", "B"], ["GSM8K", "A", "C"], ["MGSM", "A", "B"]]
    >>> labels(pairs, 3), labels(pairs, 1), labels([["A", "yes"], ["B", "no"]], 2)
    (3, 1, 1)
    """
    for columns in range(1, texts + 1):
        if len({tuple(row[:columns]) for row in rows}) == len(rows):
            return columns
    return 1


def texts(rows: Sequence[Node]) -> int:
    """How many columns of text a table begins with. rows: the cells of each, of pandoc's tree.

    >>> left, right = ([0, {"t": f"Align{side}"}] for side in ("Left", "Right"))
    >>> texts([[left, left, right, left], [left, left, left, left]]), texts([])
    (2, 0)
    """
    text = [all(c[1]["t"] == "AlignLeft" for c in column) for column in zip(*rows, strict=False)]
    return [*text, False].index(False)


def section(table: Node, row: Any) -> bool:
    """A heading over the rows below it."""
    return len(row[1]) == 1 and row[1][0][3] == len(table["c"][2]) > 1


def is_of_evals(table: Node) -> bool:
    """Whether pandoc's tree of a table is that of models by evals."""
    return any(OF_EVALS in attributes[1] for attributes, _ in table["c"][3][1])


def scored_rows(rows: Sequence[Sequence[str]], headings: Sequence[bool]) -> list[int]:
    """The rows of a part of models by evals that have a score, each heading with the first of its
    rows. headings: whether a row is one.

    >>> scored_rows([["A", DASH], ["B", "1.0"], ["Head"], ["C", DASH]], [False, False, True, False])
    [1]
    """
    kept: list[int] = []
    above: list[int] = []
    for i, (row, heading) in enumerate(zip(rows, headings, strict=True)):
        if heading:
            above = [i]
        elif any(text != DASH for text in row[1:]):
            kept += [*above, i]
            above = []
    return kept


def divided(rows: Sequence[Node], points: list[float], line: float) -> list[list[int]]:
    """shares() of models by evals, cut between evals that share no model where that takes at most
    one part more. rows: the cells of each, of pandoc's tree; none of another table.
    """
    plain = shares(points, line)
    if not rows:
        return plain
    cells = [[text_of(cell[4]) for cell in row] for row in rows]
    scored = [{i for i, row in enumerate(cells) if row[j] != DASH} for j in range(1, len(points))]
    apart = [
        [run[k - 1] + 1 for k in part]
        for run in runs_that_share(scored)
        for part in shares([points[0], *(points[j + 1] for j in run)], line)
    ]
    return apart if len(plain) > 1 and len(apart) <= len(plain) + 1 else plain


def shares(points: list[float], line: float) -> list[list[int]]:
    """The columns of each part, beside the first column, which every part has. points: the width of
    each column; line: that of a part. There are as few parts as the line allows. They have about
    the same number of columns: the last is not one column alone because those before it are full.

    >>> shares([10.0] * 10, line=90.0), shares([10.0, 70.0, 10.0, 10.0, 10.0], line=90.0)
    ([[1, 2, 3, 4, 5], [6, 7, 8, 9]], [[1, 2], [3, 4]])
    """
    columns = len(points)
    fewest = len(_shared(points, line, parts=1, more=columns))
    found = (_shared(points, line, fewest, more) for more in range(columns + 1))
    return next(shared for shared in found if len(shared) == fewest)


def _shared(points: list[float], line: float, parts: int, more: int) -> list[list[int]]:
    """Each part has an even share of the columns that are left, and `more` where these fit."""
    shared: list[list[int]] = []
    room, most = 0.0, 0
    for column in range(1, len(points)):
        if not shared or points[column] > room or len(shared[-1]) == most:
            left = len(points) - column
            most = -(-left // max(1, parts - len(shared))) + more
            room = line - points[0]
            shared.append([])
        shared[-1].append(column)
        room -= points[column]
    return shared
