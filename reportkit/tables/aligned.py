"""Numbers that stand on their decimal points: room as wide as a digit, in a column where some
numbers have more digits than others. Each format leaves the room in its own way (see escaping.py).
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from reportkit.tables.grid import Grid, is_wide
from reportkit.text.escaping import POINT, SPACE

_MARKS = re.compile(r"\s*([†‡]+)$")  # behind a number, beyond the edge of the others
_NUMBER = re.compile(r"([+−]?\d[\d,]*)((?:\.\d+)?)")
_UNIT = re.compile(r"%?,?")
ALONE, BESIDE = "0", "0 (0)"  # shapes of a count, and of one with another in brackets
BRACKETS = POINT * 4  # as wide as a space and two brackets


def aligned(table: Grid) -> Grid:
    """The table with its numbers padded, in columns that align right.

    >>> from reportkit.tables.grid import Column
    >>> cells = (("2.5% (0.7%)",), ("12.5% (10.7%)",), ("—",))
    >>> t = aligned(Grid("t", "", (Column("a"),), cells))
    >>> [row[0].replace(SPACE, "_") for row in t.cells]
    ['2.5% _(0.7%)', '12.5% (10.7%)', '—']
    >>> cells = (("2.5% ‡",), ("12.5%",), ("—",))
    >>> t = aligned(Grid("t", "", (Column("a"),), cells))
    >>> [row[0].replace(SPACE, "_").replace(POINT, ",") for row in t.cells]
    ['2.5% ‡', '12.5%,_', '—']
    >>> t = aligned(Grid("t", "", (Column("a"),), (("264",), ("5,970 (61)",))))
    >>> [row[0].replace(SPACE, "_").replace(POINT, ",") for row in t.cells]   # below 5,970
    ['264,,,,__', '5,970 (61)']
    """
    one = len(table.columns) == 2  # whose errors stand beside their numbers at any width
    columns = [
        _padded([row[j] for row in table.cells], is_wide(column.key) and not one)
        if column.align == "r"
        else None
        for j, column in enumerate(table.columns)
    ]
    cells = tuple(
        tuple(text if own is None else own[i] for text, own in zip(row, columns, strict=True))
        for i, row in enumerate(table.cells)
    )
    return replace(table, cells=cells)


def _padded(texts: Sequence[str], in_lines: bool) -> list[str]:
    """The cells of a column: those of one shape have each of their numbers below each other.

    in_lines: an error may stand below its number, and would be pushed aside by the room of a mark.
    """
    marks = [None if in_lines else _MARKS.search(text) for text in texts]
    texts = [text[: m.start()] if m else text for text, m in zip(texts, marks, strict=True)]
    shapes = [_NUMBER.sub("0", text).replace("<", "").replace(">", "") for text in texts]
    padded = list(texts)
    for shape in dict.fromkeys(shapes):
        rows = [i for i, own in enumerate(shapes) if own == shape and "0" in own]
        numbers = [_NUMBER.findall(texts[i]) for i in rows]
        before = [max((whole for whole, _ in slot), key=len) for slot in zip(*numbers, strict=True)]
        after = [max(len(decimals) for _, decimals in slot) for slot in zip(*numbers, strict=True)]
        for i in rows:
            padded[i] = _one(texts[i], before, after)
    _beside(padded, shapes)
    most = max((len(m[1]) for m in marks if m), default=0)
    return [_marked(text, m, most) for text, m in zip(padded, marks, strict=True)]


def _beside(texts: list[str], shapes: Sequence[str]) -> None:
    """Room behind counts that stand alone where others have a second one in brackets: a count of
    questions stands below one with its clusters.
    """
    counts = [text for text, shape in zip(texts, shapes, strict=True) if shape in (ALONE, BESIDE)]
    brackets = [text[text.index("(") + 1 : -1] for text in counts if text.endswith(")")]
    if not brackets or any("." in text for text in counts):
        return
    widest = max(brackets, key=len).replace(",", POINT)
    room = BRACKETS + re.sub(r"\d", SPACE, widest)
    for i, shape in enumerate(shapes):
        texts[i] += room * (shape == ALONE)


def _marked(text: str, mark: re.Match[str] | None, most: int) -> str:
    """A cell with its mark, or with the room of one: a space as wide as a point, and digits."""
    if mark:
        return text + mark[0] + SPACE * (most - len(mark[1]))
    return text + (POINT + SPACE * most) * (most > 0 and _NUMBER.search(text) is not None)


def _room(longest: str, own: str) -> str:
    """What a number lacks to the left; a comma is as narrow as a point.

    >>> _room("1,591", "140") == POINT + SPACE
    True
    """
    commas = longest.count(",") - own.count(",")
    return POINT * commas + SPACE * (len(longest) - len(own) - commas)


def _one(text: str, before: Sequence[str], after: Sequence[int]) -> str:
    """One cell. A bracket stays at its number; what stands first has nothing to its left. before:
    of each number the longest part before the point; after: the most decimals.
    """
    out, end = "", 0
    for k, found in enumerate(_NUMBER.finditer(text)):
        between = text[end : found.start()]
        space = _room(before[k], found[1]) if k else ""
        bracket = re.search(r"[(\[<>]*$", between)
        cut = bracket.start() if bracket else len(between)
        out += between[:cut] + space + between[cut:]
        out += found[0]
        end = found.end()
        missing = after[k] - len(found[2])
        # A percent sign and a comma stay at their number, as does all that follows the last one.
        unit = None if k == len(before) - 1 else _UNIT.match(text, end)
        rest = unit[0] if unit else text[end:]
        # A whole number lacks the point too, which is narrower than a digit.
        point = POINT if missing and not found[2] else ""
        out += rest + point + SPACE * (missing - len(point))
        end += len(rest)
    return out
