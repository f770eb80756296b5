"""Widths of characters that the widths of LaTeX's type do not know, where a page has their fonts:
a table is laid out with letters as wide in their place.
"""

import unicodedata
from collections.abc import Callable
from dataclasses import replace

from reportkit.tables.grid import Grid
from reportkit.text.visible import INVISIBLE, JOINERS

# Letters whose widths are known: as wide as their type is high, as wide as others, and of no width.
WIDE, LETTER, MARK = "\u4e2d", "\u0416", "\u0301"
_KNOWN = "\u0530"  # below: Latin, Greek and Cyrillic
_PICTURES = ("So", "Sk")  # pictures, and what changes their colour


def stood_in(table: Grid) -> Grid:
    """The table with a letter of known width for each character of other scripts and each emoji."""
    return _each(table, lambda text, _: text if text.isascii() else "".join(map(_stand_in, text)))


def restored(laid_out: Grid, table: Grid) -> Grid:
    """A table that was laid out with stand-ins, with its own characters; its lines stay."""
    return _each(laid_out, _own, table)


def _own(text: str, original: str) -> str:
    """The characters of the original in the lines of the text."""
    letters = iter([c for c in original if not c.isspace()])
    return "".join(c if c.isspace() else next(letters) for c in text)


def _stand_in(char: str) -> str:
    """
    >>> [_stand_in(c) for c in "a\u0646\u4e2d\U0001f989\u200d"] == ["a", LETTER, WIDE, WIDE, MARK]
    True
    """
    category = unicodedata.category(char)
    if char in JOINERS or (char >= _KNOWN and category in ("Mn", "Me")):
        return MARK
    if char < _KNOWN or ord(char) in INVISIBLE:
        return char
    if category[0] not in "LM" and category not in _PICTURES:
        return char
    wide = category in _PICTURES or unicodedata.east_asian_width(char) in "WF"
    return WIDE if wide else LETTER


def _each(table: Grid, change: Callable[[str, str], str], other: Grid | None = None) -> Grid:
    """The table with each text that a layout breaks changed, given the same text of another."""
    beside = other or table
    return replace(
        table,
        cells=tuple(
            tuple(map(change, row, own)) for row, own in zip(table.cells, beside.cells, strict=True)
        ),
        columns=tuple(
            replace(
                column, head=change(column.head, own.head), group=change(column.group, own.group)
            )
            for column, own in zip(table.columns, beside.columns, strict=True)
        ),
        sections=tuple(
            (row, change(text, own))
            for (row, text), (_, own) in zip(table.sections, beside.sections, strict=True)
        ),
    )
