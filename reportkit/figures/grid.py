"""How a matrix is drawn: cells in colour with numbers and shapes, names or numbers of models, and
the legend.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reportkit.figures.canvas import (
    GREY,
    INK,
    LEADING,
    LINE,
    NARROW,
    SMALLEST,
    TYPE,
    axes,
    foot_lines,
    sheet,
    tallest,
    unreadable,
    write_foot,
)
from reportkit.figures.round_numbers import round_between
from reportkit.figures.row_names import row_names, write_names
from reportkit.results import EvalResult
from reportkit.text.figure_width import text_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ANNOTATED = 12  # models up to which the cells carry numbers
MATRIX = 3.2  # inches of all rows: two matrices share a page of A4, with their captions
WIDEST = 1.3  # inches of a cell
NAMES = 0.54  # of the width is for names that no other room holds
PALE = "#f0f0f0"  # of a cell that has no place on the scale of the colours
CROSSING = 0.179  # relative luminance on which white and black have the same contrast, 4.6:1
# Inches of a cell that has a white edge. A screen draws it a pixel wide: in narrower cells it would
# hide most of the colour, which then no longer is that of the key.
EDGED = 0.07
ALONE = 0.055  # inches of a diamond in a cell that has no number
DASH = 0.45  # of the width of a cell, at most
KEY = 0.16  # inches of a line of the legend
_SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
# looks round at its size
_RING = [(math.cos(k * math.pi / 5), math.sin(k * math.pi / 5)) for k in range(10)]
OUTLINES: dict[str, list[tuple[float, float]]] = {  # in a square from -1 to 1, where y points down
    "^": [(-1, 0.87), (1, 0.87), (0, -0.87)],
    "v": [(-1, -0.87), (1, -0.87), (0, 0.87)],
    "o": [(0.6 * x, 0.6 * y) for x, y in _RING],
    "D": [(0, -0.8), (0.8, 0), (0, 0.8), (-0.8, 0)],
    "_": [(-1, -0.12), (1, -0.12), (1, 0.12), (-1, 0.12)],
}

Cell = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Grid:
    """What a matrix shows. A cell that is in `cells` as nan is grey; one that has only a text or a
    shape is pale; any other stays white.

    models: the heads of the columns. rows: the names of the rows; empty: the models again. texts:
    what cells say in place of their values. tick: what the scale of the colours says; empty: as
    the cells.
    """

    models: Sequence[str]
    cells: Mapping[Cell, float]
    shapes: Mapping[Cell, str]  # ^, v, o, D or _ in a cell
    words: Mapping[str, str]  # what a shape says
    colours: str  # name of a colour map, and the values at its ends
    ends: tuple[float, float]
    show: Callable[[float], str]
    key: str  # what the numbers are
    caption: Callable[[], str] = str  # what stands below the figure
    rows: Sequence[str] = ()
    texts: Mapping[Cell, str] = field(default_factory=dict)
    tick: Callable[[float], str] | None = None
    span: tuple[float, float] = (0.0, 1.0)  # shares of the colour map that stand at the ends

    @property
    def halved(self) -> bool:
        """Whether 0 is the middle of the scale, so that one side of it may be empty."""
        return self.ends[0] == -self.ends[1]

    @property
    def signed(self) -> bool:
        return self.ends[0] < 0.0

    @property
    def used(self) -> list[str]:
        return [shape for shape in OUTLINES if shape in self.shapes.values()]

    @property
    def many(self) -> bool:
        """Whether a cell has no room for a number."""
        return not self.rows and len(self.models) > ANNOTATED


def draw_grid(result: EvalResult, g: Grid, width: float) -> "Canvas | None":
    """The lower triangle of a matrix of models. The last model has no column, and the first no row
    where names head the columns; where numbers do, its row says which model is 1.
    """
    coloured = any(map(math.isfinite, g.cells.values()))
    if not g.texts and not coloured:
        return None
    n, narrow, used = len(g.models), width < NARROW, g.used
    foot = foot_lines(g.key.split("; "), result, width - 0.4)
    # Upwards: the line of words, the colours with their ticks, in a column the legend, and the
    # heads of the columns.
    snug = narrow and g.many  # so that 58 models fit a column
    bar = (0.3 if snug else 0.34) + LINE * len(foot)
    beside = coloured and not narrow and max(text_width(line, TYPE) for line in foot) < 2.5
    legend = bar - 0.18
    if narrow and coloured:
        legend = bar + 0.15
    elif beside:
        legend = 0.14
    lines = math.ceil(len(used) / abreast(used, width))
    bottom = max(bar + 0.1 * coloured, legend + KEY * lines) + (0.18 if snug else 0.3)
    high = (tallest(width, g.caption()) - 0.08 - bottom) / n
    pitch, size, names = row_names(
        g.models, (1.25 if narrow else 2.45), high, most_room=NAMES * width, whole=MATRIX
    )
    # Rows have their number beside the name, which the heads of the columns repeat.
    number = text_width(f"  {n}", size)
    left = 0.2 + number + max(text_width(x, size) for name in names for x in name.split("\n"))
    wide = min(WIDEST, (width - left - 0.12) / (n - 1))  # inches, of a cell
    if unreadable(width, wide):
        return None
    named = max(text_width(x, size) for name in names for x in name.split("\n")) < 0.94 * wide
    if named:
        bottom += max(name.count("\n") for name in names) * size * LEADING / 72
    columns, first = n - 1, int(named)
    tall = pitch * (n - first)
    canvas = sheet(width, 0.08 + tall + bottom)
    ax = axes(canvas, left, width - left - wide * columns, bottom, tall)
    colours = colour_cells(ax, g, wide)
    written = write_cells(ax, g, wide)
    mark_cells(ax, g, used, wide, pitch, written)
    write_names(ax, names, size, wide, named)
    ax.set_xlim(-0.5, columns - 0.5)
    ax.set_ylim(n - 0.5, first - 0.5)
    if coloured:
        colour_key(canvas, g, colours, bar)
    if used:
        shape_key(canvas, g, used, legend, coloured)
    write_foot(canvas, foot, x=0.3)
    return canvas


def colour_key(canvas: Any, g: Grid, colours: Any, bottom: float) -> None:
    """The scale of the colours, with its ends and round numbers between; bottom: inches from
    below.
    """
    width, height = canvas.get_size_inches()
    scale = canvas.add_axes((0.3 / width, bottom / height, 2.0 / width, 0.1 / height))
    canvas.colorbar(colours, cax=scale, orientation="horizontal")
    low, high = _told_ends(g)
    scale.set_xlim(low, high)
    ticks = [low, *round_between(low, high), high]
    scale.set_xticks(ticks, [(g.tick or g.show)(t) for t in ticks], fontsize=SMALLEST)


def _told_ends(g: Grid) -> tuple[float, float]:
    """The part of the scale that has cells: one side of 0, where all lie there."""
    known = [v for v in g.cells.values() if math.isfinite(v)]
    low, high = g.ends
    if not g.halved:
        return low, high
    return (0.0 if min(known) >= 0.0 else low), (0.0 if max(known) <= 0.0 else high)


def abreast(used: Sequence[str], width: float) -> int:
    """How many shapes of the legend stand side by side: in a column, where words are few, all up to
    three.
    """
    if width >= NARROW:
        return 1
    return len(used) if 0 < len(used) <= 3 else 2


def shape_key(canvas: Any, g: Grid, used: Sequence[str], bottom: float, coloured: bool) -> None:
    """What the shapes stand for: below the scale of the colours in a column, else beside it, or at
    its place where no cell is coloured.
    """
    width, height = canvas.get_size_inches()
    canvas.legend(
        handles=[legend_key(shape, g.words[shape]) for shape in used],
        loc="lower left",
        ncols=abreast(used, width),
        columnspacing=1.0,
        handletextpad=0.5,
        handlelength=1.2,
        bbox_to_anchor=((0.22 if width < NARROW or not coloured else 3.0) / width, bottom / height),
        borderaxespad=0,
        labelspacing=0.3,
    )


def colour_cells(ax: Any, g: Grid, wide: float) -> Any:
    """A path for each of the map's colours: a third of the time of a mesh, which writes every cell
    by itself. wide: inches of a cell.
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    scale = ScalarMappable(Normalize(*_mapped(g)), colormaps[g.colours])
    known = [at for at, value in g.cells.items() if math.isfinite(value)]
    alike: dict[tuple[float, ...], list[Cell]] = {}
    for at, colour in zip(
        known, scale.to_rgba(np.array([g.cells[at] for at in known])).tolist(), strict=True
    ):
        alike.setdefault(tuple(colour), []).append(at)
    edge: dict[str, Any] = {"edgecolor": "white", "linewidth": 0.2 if g.many else 0.8}
    if wide < EDGED:
        edge["linewidth"] = 0.0
    if pale := [at for at in {**g.texts, **g.shapes} if at not in g.cells]:
        _add(ax, _SQUARE, pale, label="pale", facecolor=PALE, **edge)
    if undefined := sorted(at for at, shape in g.shapes.items() if shape == "_"):
        _add(ax, _SQUARE, undefined, label="undefined", facecolor=GREY, **edge)
    for facecolor, here in alike.items():
        _add(ax, _SQUARE, here, label="cells", facecolor=facecolor, **edge)
    ax.set_xlim(-0.5, len(g.models) - 0.5)
    return scale


def _add(
    ax: Any,
    outline: Sequence[tuple[float, float]],
    where: Sequence[Cell],
    down: float = 0,
    **look: Any,
) -> None:
    """One path for the same outline in many cells: 71 x 71 patches would take seconds."""
    import numpy as np
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    shapes = np.array([[(j + x, i + y + down) for x, y in outline] for i, j in where])
    # add_patch would measure it
    ax.add_artist(PathPatch(Path.make_compound_path_from_polys(shapes), **look))


def _mapped(g: Grid) -> tuple[float, float]:
    """The values at the ends of the colour map."""
    (low, high), (first, last) = g.ends, g.span
    whole = (high - low) / (last - first)
    return low - first * whole, high + (1.0 - last) * whole


def _inks(g: Grid) -> dict[Cell, str]:
    """White on a dark cell: of white and black the one with the higher contrast (WCAG 2.2)."""
    import numpy as np
    from matplotlib import colormaps

    values = np.array(list(g.cells.values()))
    low, high = _mapped(g)
    colours = colormaps[g.colours].with_extremes(bad="white")(
        np.ma.masked_invalid((values - low) / (high - low))
    )
    shares = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)[
        :, :3
    ]
    dark = shares @ (0.2126, 0.7152, 0.0722) < CROSSING
    return dict(zip(g.cells, np.where(dark, "white", "black").tolist(), strict=True))


def write_cells(ax: Any, g: Grid, wide: float, most: float = 8.0) -> bool:
    """Numbers in the cells, above the shapes there; whether there was room for them. most: size
    of their type in points.
    """
    texts = {at: g.show(value) for at, value in g.cells.items() if math.isfinite(value)}
    texts |= g.texts
    fit = min(8.0, most, 0.84 * wide / max(text_width(text, 1) for text in texts.values()))
    if g.many or fit < SMALLEST:
        return False
    inks = dict.fromkeys(texts, "black") | _inks(g)
    for (i, j), text in texts.items():
        lift = 0.15 if (i, j) in g.shapes else 0.0
        ax.text(j, i - lift, text, ha="center", va="center", fontsize=fit, color=inks[i, j])
    return True


def mark_cells(
    ax: Any, g: Grid, used: Sequence[str], wide: float, pitch: float, written: bool
) -> None:
    """The shapes of the cells, below the numbers where these are written."""
    # Stretched with their cells up to twice as tall as wide, so that they can be told apart in
    # narrow ones.
    largest = 0.1 if written else 0.16
    across = min(largest, 0.7 * wide)
    along = min(largest, 0.62 * pitch, 2.0 * across)
    across = min(across, 1.3 * along)
    inks = _inks(g)
    for shape in used:  # rings and dashes come after the triangles
        if shape == "o":  # quieter than what is clear, and round
            across = along = min(across, along) * (1.0 if written else 0.7)
        if shape == "D":  # the one mark, in a narrow cell as wide as it is
            across = along = min(across, along)
            if not written:
                across = along = min(ALONE, 0.62 * pitch, 0.95 * wide) / 0.8
        where = sorted(at for at, s in g.shapes.items() if s == shape)
        if shape == "_":  # those of neighbours stand apart
            across = min(across, DASH * wide)
        outline = [(x * across / wide / 2, y * along / pitch / 2) for x, y in OUTLINES[shape]]
        down = 0.26 if written and shape != "_" else 0.0
        for ink in ("black", "white"):
            here = [at for at in where if inks.get(at, "black") == ink]
            look: dict[str, Any] = {"facecolor": ink, "linewidth": 0}
            if shape == "o":
                look = {"facecolor": "none", "edgecolor": ink, "linewidth": min(0.7, 6 * wide)}
            if here:
                _add(ax, outline, here, down, label=shape, **look)


def legend_key(shape: str, words: str) -> Any:
    """What a shape says, for the legend."""
    from matplotlib.lines import Line2D

    look: dict[str, Any] = {
        "linestyle": "none",
        "marker": shape,
        "color": INK,
        "label": words,
        "markersize": 5,
    }
    if shape == "o":
        look |= {"markerfacecolor": "none", "markeredgewidth": 0.7, "markersize": 4}
    if shape == "D":  # the size is that of its sides
        look |= {"markeredgewidth": 0, "markersize": 4}
    return Line2D([], [], **look)
