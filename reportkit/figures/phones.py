"""What a phone shows of a figure."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reportkit.figures import Figure

CROWDED = 4.5 * 72  # points: in a column figure as high as this the rows had to come near


def for_phone(column: "Figure", draw: "Callable[[str], Figure | None]") -> bytes:
    """The SVG that a phone shows in place of the figure of a page; empty where that is the one to
    read there, as its cells are too narrow in any column.

    column: the figure of a column. One with many rows is drawn again, as high as they need: its
    names stand above their bars. draw: draws at the width of this name.
    """
    high = re.search(rb'<svg[^>]* height="([\d.]+)pt"', column.svg)
    if high is None or float(high[1]) < CROWDED:
        return column.svg
    drawn = draw("phone")
    return drawn.svg if drawn else b""
