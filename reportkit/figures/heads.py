"""The heads of a matrix's columns: names level or upright, or numbers of a list below."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from reportkit.figures.canvas import LEADING, SMALLEST, TYPE
from reportkit.text.figure_width import apart, fitted, in_lines, short_names, text_width

HEADS = 2.2  # inches that an upright head has at most
SPACING = 1.05  # from one line of a name to the next, in sizes of its type
DESCENT = 0.24  # of DejaVu Sans below its baseline, in sizes of the type


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


def numbered(names: Sequence[str], width: float) -> list[str]:
    """The names of numbered columns, one below the other."""
    labels = short_names(names).values()
    room = width - 0.4
    return [
        f"{i}  " + fitted(label, room=room - text_width(f"{i}  ", TYPE), size=TYPE)
        for i, label in enumerate(labels, 1)
    ]


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
