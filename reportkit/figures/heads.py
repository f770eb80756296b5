"""The heads of a matrix's columns: names level or upright, or numbers of a list below."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from reportkit.figures.canvas import LEADING, SMALLEST, TIGHT
from reportkit.text.figure_width import apart, fitted, in_lines, short_names, text_width

HEADS = 2.2  # inches that an upright head has at most
SPACING = 1.05  # from one line of a name to the next, in sizes of its type
DESCENT = 0.24  # of DejaVu Sans below its baseline, in sizes of the type
# Inches of a key below the figure: a line, the margins of the sheet, between two lists, and between
# a number and its name.
KEY_LINE, MARGIN, APART, GAP = SMALLEST * TIGHT / 72, 0.1, 0.1, 0.05


@dataclass(frozen=True)
class Heads:
    """The heads of the columns as text; an empty one is not shown."""

    texts: Sequence[str]
    size: float  # points
    high: float  # inches
    upright: bool = False
    numbers: bool = False  # in place of names


def heads_of(names: Sequence[str], wide: float) -> Heads:
    """Names level in up to three lines that cut no word, or upright in as many as a column has room
    for, or else numbers, whose names are listed below the figure.
    """
    labels = list(short_names(names).values())
    line = LEADING / 72  # inches for a point of type
    for size in (8.0, SMALLEST):
        room = 0.94 * wide
        level = [in_lines(x, room=room, size=size, most=3, anywhere=False) for x in labels]
        if all(level):
            high = max(map(len, level)) * size * line + 0.03
            return Heads(["\n".join(x) for x in level], size, high)
    lines = min(3, int(wide / (SMALLEST * line)))
    if lines == 0:
        step = next((k for k in (1, 2, 5, 10, 20, 50) if k * wide > 0.18), 100)
        first = 1 if step > 2 else step
        texts = [f"{i}" if i == first or i % step == 0 else "" for i in range(1, len(names) + 1)]
        return Heads(texts, SMALLEST, SMALLEST * line + 0.03, numbers=True)
    for anywhere, most in product((False, True), range(1, lines + 1)):
        size = max(SMALLEST, min(8.0, 0.9 * wide / line / most))
        look: dict[str, Any] = {"size": size, "most": most, "anywhere": anywhere}
        fits = [in_lines(x, room=HEADS, **look) for x in labels]
        texts = ["\n".join(x) for x in fits]
        if all(fits):
            break
    else:
        texts = apart(labels, room=HEADS, size=size, most=lines)
    high = max(text_width(part, size) for text in texts for part in text.split("\n"))
    return Heads(texts, size, high + 0.05, upright=True)


@dataclass(frozen=True)
class Key:
    """The names of numbered columns, listed side by side: what each list has in a line."""

    lists: Sequence[Sequence[tuple[str, str]]]  # number and name; a name goes on without a number
    across: float = 0.0  # inches from one list to the next
    number: float = 0.0  # inches of the numbers

    @property
    def high(self) -> float:
        return KEY_LINE * max(map(len, self.lists), default=0)


def key_of(names: Sequence[str], width: float) -> Key:
    """The names of numbered columns in as few lines as lists side by side need; a name that one
    line does not hold goes on in the next, and no word is cut.
    """
    labels = list(short_names(names).values())
    number = text_width(f"{len(labels)}", SMALLEST) + GAP
    shortest: Key | None = None
    for n in (1, 2, 3, 4):
        across = (width - 2 * MARGIN + APART) / n
        look: dict[str, Any] = {"room": across - APART - number, "size": SMALLEST}
        if n == 1:
            made = [fitted(x, most=3, **look).split("\n") for x in labels]
        else:
            made = [list(in_lines(x, most=3, anywhere=False, **look)) for x in labels]
        if not all(made):
            break
        key = Key(_parted(made, n), across, number)
        if shortest is None or key.high < shortest.high:
            shortest = key
    assert shortest is not None
    return shortest


def _parted(names: Sequence[Sequence[str]], n: int) -> list[list[tuple[str, str]]]:
    """Names in lines, numbered, in n lists of which the longest is as short as can be."""
    most = math.ceil(sum(map(len, names)) / n)
    while True:
        lists: list[list[tuple[str, str]]] = [[]]
        for i, lines in enumerate(names, 1):
            if lists[-1] and len(lists[-1]) + len(lines) > most:
                lists.append([])
            lists[-1] += [(f"{i}" * (k == 0), line) for k, line in enumerate(lines)]
        if len(lists) <= n:
            return lists
        most += 1


def write_key(canvas: Any, key: Key, y: float) -> None:
    """The key, its last line y inches from below."""
    width, height = canvas.get_size_inches()
    look: dict[str, Any] = {"va": "bottom", "fontsize": SMALLEST}
    top = y + key.high - KEY_LINE
    for k, part in enumerate(key.lists):
        x = MARGIN + k * key.across + key.number
        for i, (no, line) in enumerate(part):
            at = (top - i * KEY_LINE) / height
            if no:
                canvas.text((x - GAP) / width, at, no, ha="right", **look)
            canvas.text(x / width, at, line, ha="left", **look)


def write_heads(ax: Any, texts: Mapping[int, str], size: float, near: float) -> None:
    """Level heads of columns, so many points above the cells.

    Each line is a text of its own: matplotlib moves the lines of one text with what hangs below
    them, so that heads side by side stood at other heights.
    """
    look: dict[str, Any] = {"ha": "center", "va": "baseline", "fontsize": size}
    place: dict[str, Any] = {"xycoords": ax.get_xaxis_transform(), "textcoords": "offset points"}
    for column, text in texts.items():
        for k, line in enumerate(reversed(text.split("\n"))):
            up = near + (DESCENT + SPACING * k) * size
            ax.annotate(line, (column, 1.0), (0.0, up), annotation_clip=False, **place, **look)
