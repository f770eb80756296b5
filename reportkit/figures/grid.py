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
    LINE,
    NARROW,
    PITCH,
    TYPE,
    axes,
    foot_lines,
    sheet,
    write_foot,
)
from reportkit.results import EvalResult
from reportkit.text.figure_width import fit_names, text_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ANNOTATED = 12  # models up to which the cells carry numbers
SMALLEST = 5.0  # points: numbers that would be smaller are left out
TALLEST = 9.0  # inches of a page
KEY = 0.16  # inches of a line of the legend
_SQUARE = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
# looks round at its size
_RING = [(math.cos(k * math.pi / 5), math.sin(k * math.pi / 5)) for k in range(10)]
OUTLINES: dict[str, list[tuple[float, float]]] = {  # in a square from -1 to 1, where y points down
    "^": [(-1, 0.87), (1, 0.87), (0, -0.87)],
    "v": [(-1, -0.87), (1, -0.87), (0, 0.87)],
    "o": [(0.6 * x, 0.6 * y) for x, y in _RING],
    "_": [(-1, -0.12), (1, -0.12), (1, 0.12), (-1, 0.12)],
}

Cell = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Grid:
    """What a matrix shows. A cell that is in `cells` as nan is grey; one that is not there stays
    white.

    models: the heads of the columns. rows: the names of the rows; empty: the models again. texts:
    what cells say in place of their values.
    """

    models: Sequence[str]
    cells: Mapping[Cell, float]
    shapes: Mapping[Cell, str]  # ^, v, o or _ in a cell
    words: Mapping[str, str]  # what a shape says
    colours: str  # name of a colour map, and the values at its ends
    ends: tuple[float, float]
    show: Callable[[float], str]
    key: str  # what the numbers are
    rows: Sequence[str] = ()
    texts: Mapping[Cell, str] = field(default_factory=dict)

    @property
    def signed(self) -> bool:
        return self.ends[0] < 0.0

    @property
    def many(self) -> bool:
        """Whether a cell has no room for a number."""
        return not self.rows and len(self.models) > ANNOTATED


def draw_grid(result: EvalResult, g: Grid, width: float) -> "Canvas | None":
    if not any(map(math.isfinite, g.cells.values())):
        return None
    n, narrow = len(g.models), width < NARROW
    used = [shape for shape in OUTLINES if shape in g.shapes.values()]
    foot = foot_lines([g.key], result, width - 0.4)
    # Upwards: the line of words, the colours with their ticks, in a column the legend, and the
    # heads of the columns.
    bar = 0.34 + LINE * len(foot)
    beside = not narrow and max(text_width(line, TYPE) for line in foot) < 2.5
    legend = bar - 0.18
    if narrow:
        legend = bar + 0.2
    elif beside:
        legend = 0.14
    bottom = max(bar + 0.1, legend + KEY * len(used)) + 0.3
    pitch = min(0.42, max(4.0 / n, min(PITCH, (TALLEST - 0.08 - bottom) / n), 0.1))
    size = min(8.5, pitch * 72 * 0.82)
    # Rows have their number beside the name, which tells apart what looks the same when elided.
    room = 2.2
    if narrow:
        room = 1.0 if n <= 30 else 0.75
    names = fit_names(g.models, room=room, size=size, number=False)
    left = 0.2 + max(text_width(f"{name}  {n}", size) for name in names)
    wide = (width - left - 0.12) / n  # inches, of a cell
    canvas = sheet(width, 0.08 + pitch * n + bottom)
    ax = axes(canvas, left, 0.12, bottom, pitch * n)
    colours = colour_cells(ax, g)
    written = write_cells(ax, g, wide)
    mark_cells(ax, g, used, wide, pitch, written)
    _name(ax, names, size, wide)

    low, high = g.ends
    # 0 between the ends where it has room beside them.
    middle = 0.0 if low < -0.25 * (high - low) else (low + high) / 2
    colour_key(canvas, g, colours, middle, bar)
    if used:
        shape_key(canvas, g, used, legend)
    write_foot(canvas, foot, x=0.3)
    return canvas


def colour_key(canvas: Any, g: Grid, colours: Any, middle: float, bottom: float) -> None:
    """The scale of the colours, with its ends and a number between; bottom: inches from below."""
    width, height = canvas.get_size_inches()
    scale = canvas.add_axes((0.3 / width, bottom / height, 2.0 / width, 0.1 / height))
    canvas.colorbar(colours, cax=scale, orientation="horizontal")
    ticks = [g.ends[0], middle, g.ends[1]]
    scale.set_xticks(ticks, [g.show(t) for t in ticks], fontsize=7)


def shape_key(canvas: Any, g: Grid, used: Sequence[str], bottom: float) -> None:
    """What the shapes stand for: below the scale of the colours in a column, else beside it."""
    width, height = canvas.get_size_inches()
    canvas.legend(
        handles=[legend_key(shape, g.words[shape]) for shape in used],
        loc="lower left",
        handlelength=1.2,
        bbox_to_anchor=((0.22 if width < NARROW else 3.0) / width, bottom / height),
        borderaxespad=0,
        labelspacing=0.3,
    )


def colour_cells(ax: Any, g: Grid) -> Any:
    """A path for each of the map's colours: a third of the time of a mesh, which writes every cell
    by itself.
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    scale = ScalarMappable(Normalize(*g.ends), colormaps[g.colours])
    known = [at for at, value in g.cells.items() if math.isfinite(value)]
    alike: dict[tuple[float, ...], list[Cell]] = {}
    for at, colour in zip(
        known, scale.to_rgba(np.array([g.cells[at] for at in known])).tolist(), strict=True
    ):
        alike.setdefault(tuple(colour), []).append(at)
    edge: dict[str, Any] = {
        "edgecolor": "white",
        "linewidth": 0.2 if g.many else 0.8,
    }
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


def _inks(g: Grid) -> dict[Cell, str]:
    """White on a dark cell."""
    import numpy as np
    from matplotlib import colormaps

    values = np.array(list(g.cells.values()))
    low, high = g.ends
    colours = colormaps[g.colours].with_extremes(bad="white")(
        np.ma.masked_invalid((values - low) / (high - low))
    )
    dark = colours[:, :3] @ (0.299, 0.587, 0.114) < 0.5
    return dict(zip(g.cells, np.where(dark, "white", INK).tolist(), strict=True))


def write_cells(ax: Any, g: Grid, wide: float, most: float = 8.0) -> bool:
    """Numbers in the cells, above the shapes there; whether there was room for them. most: size
    of their type in points.
    """
    texts = {at: g.show(value) for at, value in g.cells.items() if math.isfinite(value)}
    texts |= g.texts
    fit = min(8.0, most, 0.84 * wide / max(text_width(text, 1) for text in texts.values()))
    if g.many or fit < SMALLEST:
        return False
    inks = dict.fromkeys(texts, INK) | _inks(g)
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
        where = sorted(at for at, s in g.shapes.items() if s == shape)
        if shape == "_":
            _add(ax, _SQUARE, where, label="undefined", facecolor=GREY, linewidth=0)
        outline = [(x * across / wide / 2, y * along / pitch / 2) for x, y in OUTLINES[shape]]
        down = 0.26 if written and shape != "_" else 0.0
        for ink in (INK, "white"):
            here = [at for at in where if inks.get(at, INK) == ink]
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
    return Line2D([], [], **look)


def _name(ax: Any, names: Sequence[str], size: float, wide: float) -> None:
    """Names head the columns where they fit side by side, else numbers that the rows repeat."""
    n = len(names)
    named = len(set(names)) == n and max(text_width(name, size) for name in names) < 0.94 * wide
    room = text_width(f"{n}", 7) + 0.03
    step = next((step for step in (1, 2, 5, 10, 20, 50) if step * wide > room), 100)
    heads = list(range(n)) if step == 1 else [0, *range(step - 1, n, step)]
    ax.set_xticks(
        heads,
        names if named else [f"{i + 1}" for i in heads],
        fontsize=size if named else min(size, 7),
    )
    ax.set_yticks(
        range(n),
        names if named else [f"{name}  {i + 1}" for i, name in enumerate(names)],
        fontsize=size,
    )
    ax.set_ylim(n - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
