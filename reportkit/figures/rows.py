"""Rows of a figure: a name at the left or above its bar, finished text in columns at the right."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from reportkit.figures.canvas import BAND, HEADING, LEADING, PITCH, SMALLEST, tallest
from reportkit.text.figure_width import (
    LEAST,
    apart,
    cuts_number,
    elided,
    fitted,
    in_lines,
    letters_width,
    short_names,
    text_width,
)

NAMES = 2.7  # inches that names beside their bars take at most
LOWER = 0.2  # of the room of a bar: a name above it stands nearer to its own bar than to the last
EDGE = 0.1  # inches between the sheet's edge and a name
BAR = 0.055  # inches that a bar below its name has at least
AROUND = 0.92  # inches of a page that its rows leave to the axis and the words below
MANY = 3.375  # inches that rows take before they come nearer to each other, down to
NEAR = 0.135  # inches for a line of text, as in a table: two figures of 25 models share a page
# Inches of an axis beside names that have no other room, and where they would be cut even so.
SPARE, LAST = 0.8, 0.6
# Where names stand, in the order to try: lines of text, and whether above the bar.
PLACES = ((1, False), (2, False), (1, True), (2, True), (3, True))


@dataclass(frozen=True)
class Rows:
    """Lines from top to bottom, laid out."""

    labels: Sequence[str]  # a name may have several lines of text
    columns: Sequence[Sequence[str]]
    pitch: float  # inches from one line to the next
    size: float  # of the type, in points
    left: float = 0.0  # margins that the names and the text need
    headings: frozenset[int] = frozenset()  # lines with the name of an eval
    above: float = 0.0  # share of a line's height that the name above its bar takes
    cut: bool = False  # names are shorter than in other figures

    def widths(self) -> list[float]:
        return [max(text_width(text, self.size) for text in column) for column in self.columns]

    @property
    def right(self) -> float:
        """Inches that the columns need."""
        return 0.12 + sum(w + 0.1 for w in self.widths())

    @property
    def thick(self) -> float:
        """Inches that the bar of a line has."""
        return self.pitch * (1.0 - self.above)


def lay_rows(
    names: Sequence[str],
    columns: Sequence[Sequence[str]],
    width: float,
    *,
    least: float,
    headings: frozenset[int] = frozenset(),
    caption: str = "",
) -> Rows:
    """How large the rows can be, and the room that leaves `least` inches for the axes; a column has
    a text for each. caption: what stands below the figure.

    Names stand beside their bars, in two lines where they need them, or else above; the same axis
    holds them without a date in two lines, if it can. Where a page has no room for that, the axis
    is narrower, or else the names are cut, in a column the sooner.
    """
    own = [i for i, name in enumerate(names) if name and i not in headings]
    short = short_names([names[i] for i in own])
    labels = [short[names[i]] for i in own]
    bare = Rows(names, columns, 0.0, 0.0, headings=headings)
    high = tallest(width, caption) - AROUND
    spare = min(least, SPARE)
    rooms = ((least, NAMES), (spare, width), (min(spare, LAST), width))
    # Words are broken only where no room holds them whole.
    for anywhere, (axis, most) in product((False, True), rooms):
        dated: Rows | None = None  # a date or a version goes on in the next line
        for (lines, above), smallest in product(PLACES, (False, True)):
            rows = _sized(bare, high, lines, above, smallest)
            if rows is None:
                continue
            room = min(_room(rows, width, axis), width if above else most)
            look: dict[str, Any] = {"size": rows.size, "most": lines, "anywhere": anywhere}
            broken = [in_lines(x, room=room, **look) for x in labels]
            if not all(broken):
                continue
            made = _named(rows, own, ["\n".join(x) for x in broken], width)
            if not any(map(cuts_number, broken, labels)):
                return made
            dated = dated or made
        if dated is not None:
            return dated
    rows = _sized(bare, high, 1, True, True)
    if rows is None:
        rows = replace(bare, pitch=max(PITCH, high / len(names)), size=SMALLEST)
        widest = max(letters_width(elided(x, LEAST), SMALLEST) for x in labels)
        room = max(_room(rows, width, spare), min(widest, _room(rows, width, 0.45)))
    else:
        room = _room(rows, width, spare)
    shorter = apart(labels, room=room, size=SMALLEST)
    return _named(replace(rows, cut=True), own, shorter, width)


def _sized(bare: Rows, tall: float, lines: int, above: bool, smallest: bool) -> Rows | None:
    """Rows whose names have so many lines of text, or None where a page has no room for them all.

    tall: inches that there are for all rows. smallest: in type of the smallest size.
    """
    high = max(PITCH, tall / len(bare.labels))  # inches that there are for a row
    bar = BAR if above else 0.0
    single = lines == 1 and not above
    need = PITCH if single else lines * SMALLEST * LEADING / 72 + bar
    if need > high + 0.004:
        return None
    usual = 0.27 if single else 0.18 + 0.12 * lines
    near = NEAR if single else need + NEAR / 2
    pitch = max(need, min(usual, high, max(near, MANY / len(bare.labels))))
    size = (pitch - bar) * 72 / (LEADING * lines) * 0.95
    size = max(SMALLEST, min(7.5 if above else 8.5, size))
    if smallest:
        size = SMALLEST
    share = above * lines * size * LEADING / 72 / pitch
    return replace(bare, pitch=pitch, size=size, above=share)


def _room(rows: Rows, width: float, least: float) -> float:
    """Inches for names, above their bars or beside axes of at least so many."""
    room = width - rows.right - EDGE
    return room if rows.above else room - 0.12 - least


def _named(rows: Rows, own: Sequence[int], texts: Sequence[str], width: float) -> Rows:
    """With the names of their own lines, and those of the headings."""
    told = dict(zip(own, texts, strict=True))
    left = EDGE
    if not rows.above:
        parts = [part for text in texts for part in text.split("\n")]
        left = 0.22 + max(text_width(part, rows.size) for part in parts)
    for i in rows.headings:
        [label] = short_names([rows.labels[i]]).values()
        told[i] = fitted(label, room=width - 0.3, size=rows.size)
    return replace(rows, labels=[told.get(i, "") for i in range(len(rows.labels))], left=left)


def write_rows(ax: Any, rows: Rows, start: int, stop: int) -> None:
    """Names, numbers and bands of the lines from start to stop, on axes where the bar of line i
    stands at y = i.
    """
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import blended_transform_factory

    canvas = ax.figure
    width = canvas.get_figwidth()
    across = blended_transform_factory(canvas.transFigure, ax.transData)
    top = (1.0 + rows.above) / 2  # of a line, above its bar
    ax.set_ylim(stop - top, start - top)
    plain = [i for i in range(start, stop) if i not in rows.headings]
    beside = {"fontsize": rows.size, "linespacing": 1.05}
    ax.set_yticks(plain, ["" if rows.above else rows.labels[i] for i in plain], **beside)
    ax.tick_params("y", length=0)
    ax.spines[["left", "right", "top"]].set_visible(False)
    for k, i in enumerate(range(start, stop)):  # bands lead the eye from name to number
        here: dict[str, Any] = {"transform": across, "clip_on": False, "linewidth": 0, "zorder": 0}
        if i in rows.headings:
            at: dict[str, Any] = {"transform": across, "va": "center_baseline"}
            ax.text(0.1 / width, i, rows.labels[i], fontsize=rows.size, **at)
            ax.add_patch(Rectangle((0, i - top), 1, 1, color=HEADING, **here))
        elif k % 2:
            ax.add_patch(Rectangle((0, i - top), 1, 1, color=BAND, **here))
        if rows.above and i not in rows.headings:
            middle = i - top + rows.above / 2 + LOWER * (1.0 - rows.above)
            name = ax.text(EDGE / width, middle, rows.labels[i], transform=across, va="center")
            name.set(**beside, zorder=0.7)  # on the lines, of the grid and of 0, and below the bars
            name.set_bbox({"color": BAND if k % 2 else "white", "pad": 0.6, "linewidth": 0})
    text: dict[str, Any] = {
        "transform": across,
        "ha": "right",
        "va": "center_baseline",
        "fontsize": rows.size,
    }
    edge = width - 0.08
    for column, room in reversed(list(zip(rows.columns, rows.widths(), strict=True))):
        for i in range(start, stop):
            ax.text(edge / width, i - rows.above / 2, column[i], **text)
        edge -= room + 0.1
