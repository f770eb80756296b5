"""What all figures share: sizes, colours, and a sheet with margins in inches."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reportkit.results import EvalResult
from reportkit.text import latex_width
from reportkit.text.figure_width import wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

# Inches: the text width of a letter page with margins of 1 inch, and a column of two on it.
WIDTHS = {"page": 6.5, "column": 3.17}  # inches; a column of article in two columns has 3.175
# Inches of a figure that a phone scrolls past: as wide as a column, and as high as its rows need.
PHONE = 3.16
NARROW = 4.0  # below this width a figure has fewer words
SMALLEST = 7.0  # points, of any text
LEADING = 1.18  # from one line of a name to the next, in sizes of its type
TIGHT = 1.06  # the same where the height has no room for more
TALLEST = {"page": 9.0, "phone": 36.0}  # inches that a figure is high at most
LEAST_CELL = 0.04  # inches of a cell in which a phone shows what it holds
# Points of LaTeX. A column of article in two columns is 229.5 wide and 550 high; a figure there
# shares it with its caption, what is above that and what hangs below its last line.
COLUMN, AROUND, CAPTION, POINTS = (229.5, 550.0), 13.0, 12.0, 72.27
# Lines of a caption that a figure of a column leaves room for: fewer would change the figure with
# its words, and more would leave too little of it.
CAPTION_LINES = (3, 8)
PITCH = 0.094  # smallest height of a row, with type of 7 points: 58 models fit a column
TYPE = 8  # points, of the line below a figure
LINE = 0.135  # inches from one line of it to the next
# Okabe and Ito: safe for the colour-blind
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
MARKERS = "osD^vP"
INK, GREY, BAND, HEADING = "#222222", "#d9d9d9", "#f4f4f4", "#dde6ec"
# A mark on a curve: the palest of the colours have less than 3:1 on white, its edge has more.
MARK: dict[str, Any] = {"markersize": 5.5, "markeredgecolor": INK, "markeredgewidth": 0.7}

RC: dict[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), 0.6),
    "font.size": TYPE,
    "text.parse_math": False,  # a model may be called $x$
    "axes.edgecolor": "#888888",
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "svg.hashsalt": "reportkit",  # ids would be random otherwise
}


def tallest(width: float, caption: str) -> float:
    """Inches that a figure of this width is high at most, so that a column of two holds its caption
    too.

    >>> tallest(WIDTHS["page"], "Any caption."), round(tallest(WIDTHS["column"], "Short."), 2)
    (9.0, 6.93)
    """
    if width == PHONE:
        return TALLEST["phone"]
    if width >= NARROW:
        return TALLEST["page"]
    across, high = COLUMN
    lines = latex_width.wrap(f"Figure 10: {caption}", across).count("\n") + 1
    least, most = CAPTION_LINES
    return (high - AROUND - CAPTION * min(most, max(least, lines))) / POINTS


def least_axis(width: float) -> float:
    """Inches of an axis beside names: on a phone there is room to set them above the bars."""
    if width == PHONE:
        return 2.0
    return 1.2 if width < NARROW else 1.8


def unreadable(width: float, cell: float) -> bool:
    """Whether cells of so many inches are too narrow for a phone."""
    return width == PHONE and cell < LEAST_CELL


def axis_units(result: EvalResult, narrow: bool = False) -> tuple[float, str]:
    """What scores are multiplied by on an axis of differences, and the units they then have."""
    if not result.scale.percent:
        return 1.0, "score units"
    return 100.0, "points" if narrow else "percentage points"


def sheet(width: float, height: float) -> "Canvas":
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height))


def axes(canvas: "Canvas", left: float, right: float, bottom: float, height: float) -> Any:
    """Axes with margins in inches: automatic layouts draw everything twice to find them."""
    width, total = canvas.get_size_inches()
    ax = canvas.add_axes(
        (left / width, bottom / total, (width - left - right) / width, height / total)
    )
    ax.set_axisbelow(True)
    return ax


def foot_lines(parts: Sequence[str], result: EvalResult, width: float) -> list[str]:
    """What stands below a figure, in lines that fit it."""
    return wrapped([*parts, *result.fictional * ["fictional data"]], width - 0.2, TYPE)


def write_foot(
    canvas: "Canvas", lines: Sequence[str], y: float = 0.1, x: float | None = None
) -> None:
    """Lines from y inches up, centred on the sheet unless x says where they start."""
    width, height = canvas.get_size_inches()
    at, ha = (0.5, "center") if x is None else (x / width, "left")
    for i, line in enumerate(reversed(lines)):
        canvas.text(at, (y + i * LINE) / height, line, ha=ha, va="bottom", fontsize=TYPE)
