"""The names of a matrix's rows, in as many lines as they need."""

import math
from collections.abc import Sequence
from typing import Any

from reportkit.figures.canvas import BAND, INK, LEADING, PITCH, SMALLEST, TIGHT
from reportkit.text.figure_width import (
    LEAST,
    apart,
    cuts_number,
    elided,
    in_lines,
    isolated,
    letters_width,
    short_names,
    text_width,
)

ASCENT = 0.76  # of DejaVu Sans above its baseline, in sizes of the type
SPACE = 0.03  # inches between a band behind a name and the cells
STEP = 0.1  # inches by which a line becomes wider, so that it ends behind a word


def row_names(
    names: Sequence[str],
    room: float,
    high: float,
    tallest: float = 0.42,
    most_room: float = 0.0,
    whole: float = 4.0,
) -> tuple[float, float, list[str]]:
    """How high rows are, the size of their names, and the names in as many lines as they need.

    whole: inches of all rows, where names are short. room: inches of a line. high: inches of a row
    where all stand on a page. Where so many lines cut a word, or a row has no room for a second
    one, a line has up to most_room inches; else names are cut, never to fewer than 25 letters.
    """
    labels = list(short_names(names).values())
    usual = min(tallest, max(whole / len(names), min(0.111, high), PITCH))
    line = SMALLEST * LEADING / 72  # inches of a line of the smallest type
    widest = max(letters_width(label, 1) for label in labels)
    places = [(most, room, False) for most in (1, 2, 3)]
    for k in range(1, 1 + math.ceil((most_room - room) / STEP)):
        places += [(most, min(most_room, room + STEP * k), False) for most in (2, 3)]
    places += [(2, room, True), (3, room, True)]
    for most, across, anywhere in places:
        need = most * line
        pitch = usual if most == 1 else max(usual, need, min(need + 0.02, high))
        size = min(8.5, pitch * 72 * 0.82, pitch * 72 / LEADING / most)
        if most == 1:  # rather somewhat smaller than in two lines
            size = min(size, 0.999 * across / widest)
        size = max(SMALLEST, size)
        look: dict[str, Any] = {"size": size, "most": most, "anywhere": anywhere}
        found = [in_lines(label, room=across, **look) for label in labels]
        if any(
            map(cuts_number, found, labels)
        ):  # rather somewhat smaller than with a date in two lines
            look["size"] = size = SMALLEST
            found = [in_lines(label, room=across, **look) for label in labels]
        if all(found) and (most == 1 or pitch <= high + 0.004):
            return pitch, size, ["\n".join(lines) for lines in found]
    if widest * SMALLEST <= most_room:
        return usual, SMALLEST, [isolated(label) for label in labels]
    most = max(1, min(3, int(high * 72 / SMALLEST / TIGHT)))
    found = [in_lines(label, room=room, size=SMALLEST, most=most) for label in labels]
    if all(found):  # rather near to each other than cut
        pitch = max(usual, min(high, most * line + 0.02))
        return pitch, SMALLEST, ["\n".join(lines) for lines in found]
    most = max(1, min(3, int(high / line)))
    pitch = max(usual, min(high, most * line + 0.02))
    # cut to as many lines as a row holds
    widest = max(letters_width(elided(label, LEAST), SMALLEST) for label in labels)
    room = max(room, widest / most)
    return pitch, SMALLEST, apart(labels, room=room, size=SMALLEST, most=most)


def write_names(ax: Any, names: Sequence[str], size: float, wide: float, named: bool) -> None:
    """The names of rows; of a matrix, whose names head the columns too where they fit side by side,
    and else are numbered in both.
    """
    n = len(names)
    room = text_width(f"{n}", SMALLEST) + 0.03
    step = next((step for step in (1, 2, 5, 10, 20, 50) if step * wide > room), 100)
    heads = list(range(n - 1)) if step == 1 else [0, *range(step - 1, n - 1, step)]
    look: dict[str, Any] = {"linespacing": 1.05}
    texts = [names[i] if named else f"{i + 1}" for i in heads]
    level = named and "\n" not in "".join(texts)  # their tops depend on their descenders
    along: dict[str, Any] = {"va": "baseline"} if level else {}
    ax.set_xticks(heads, texts, fontsize=size if named else SMALLEST, **along, **look)
    if level:
        ax.tick_params("x", pad=3.5 + ASCENT * size)
    rows = range(int(named), n)
    ax.set_yticks(rows, [names[i] for i in rows], fontsize=size, **look)
    if not named:
        ax.tick_params("y", pad=3.5 + 72 * text_width(f"  {n}", size))
        at: dict[str, Any] = {"va": "center_baseline", "fontsize": size, "ha": "right"}
        for i in range(n):
            place = {"xytext": (-3.5, 0), "textcoords": "offset points", "annotation_clip": False}
            ax.annotate(f"{i + 1}", (-0.5, i), color=INK, **place, **at)
    if not named:
        write_bands(ax, names)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def write_bands(ax: Any, names: Sequence[str]) -> None:
    """Every second row's name on a band, where some have several lines: lines of two names stand as
    near as those of one.
    """
    if "\n" not in "".join(names):
        return
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import blended_transform_factory

    across = blended_transform_factory(ax.figure.transFigure, ax.transData)
    end = ax.get_position().x0 - SPACE / ax.figure.get_figwidth()
    look: dict[str, Any] = {"color": BAND, "linewidth": 0, "zorder": 0, "clip_on": False}
    for i in range(1, len(names), 2):
        ax.add_patch(Rectangle((0, i - 0.5), end, 1, transform=across, label="band", **look))
