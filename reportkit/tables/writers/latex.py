"""How a table is set in LaTeX: what the template prints of each part, the packages, and what is
said of the width.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, get_args

from markupsafe import Markup

from reportkit.errors import ScoresError, UnknownFormatError
from reportkit.tables.grid import Grid
from reportkit.tables.writers.latex_fit import chosen, roomier, whole
from reportkit.tables.writers.latex_groups import below_baselines
from reportkit.tables.writers.latex_parts import of_part, with_left_out
from reportkit.tables.writers.latex_place import (
    COLUMN,
    FLOATS,
    IN_COLUMN,
    IN_TEXT,
    LINE,
    ON_ITS_SIDE,
    PAGE,
    SURE,
    Layout,
    Place,
)
from reportkit.tables.writers.latex_rows import measured, part_of, whole_names
from reportkit.text.latex import SLIDE_TYPE
from reportkit.text.numbers import counted, percent_of

Align = Literal["plain", "siunitx"]
Wide = Literal["fit", "scale", "split", "turn"]
Span = Literal["column", "page"]
Long = Literal["longtable", "parts"]

REPORT_LINE = 455.0  # points of the line of report.tex
NARROWEST, LOWEST = 120.0, 100.0  # points of a line and of a page that can be asked for
# A float of the text's width, and what begins and ends the box in it that is turned.
TURNING = (
    r"\def\rkfloat{table*}\def\rkturn{\begin{lrbox}{0}\begin{minipage}{\textheight}}"
    r"\def\rkturned{\end{minipage}\end{lrbox}\rotatebox{90}{\usebox{0}}}"
)
NOTES = 240.0  # points of a line of notes, where a table is narrower
# Points of a line of beamer, of the type of notes, and of the smallest type to be read.
SLIDE, NOTE, READ = 307.0, 8.0, 8.0
TINY = 0.76  # of the width of a table is its width in the smallest type that LaTeX has


def _check_room(what: str, points: Any, least: float) -> None:
    """ScoresError where a length that was given, other than 0, is too small for any table."""
    known = isinstance(points, Real)
    if known and (points == 0 or points >= least):
        return
    shown = f"{points:g}" if known else points
    raise ScoresError(f"{what.format(shown)} holds no table; give {least:g} pt or more")


@dataclass(frozen=True, slots=True)
class Options:
    """How render_table() should set a table in LaTeX; UnknownFormatError where there is no such
    choice.

    wide: "fit" takes the first of a column, the text's width, a turned page, and parts that holds
    the table. width: points of the line that it is laid out for; 0: those of common classes.
    height: points of the page, as of a slide: what is longer comes in parts; 0: those of article.
    """

    align: Align = "plain"
    wide: Wide = "fit"
    span: Span = "column"
    long: Long = "longtable"
    width: float = 0.0
    height: float = 0.0

    def __post_init__(self) -> None:
        for name, choices in (("align", Align), ("wide", Wide), ("span", Span), ("long", Long)):
            if getattr(self, name) not in get_args(choices):
                raise UnknownFormatError(
                    f"no {name} {getattr(self, name)!r}; there are {', '.join(get_args(choices))}"
                )
        _check_room("a line of {} pt", self.width, NARROWEST)
        _check_room("a page {} pt high", self.height, LOWEST)

    @property
    def given(self) -> bool:
        """Whether the table is laid out for one line or one page."""
        return bool(self.width or self.height)

    @property
    def places(self) -> list[Place]:
        """Where the table can stand, the best place first."""
        if self.wide == "turn":
            return [replace(ON_ITS_SIDE, line=self.width or ON_ITS_SIDE.line)]
        if self.given:
            return [Place("given", self.width or LINE, self.height or PAGE)]
        places = [IN_TEXT] if self.span == "page" else [IN_COLUMN, IN_TEXT]
        return [*places, ON_ITS_SIDE] if self.wide == "fit" else places


@dataclass(frozen=True, slots=True)
class Setting:
    """A table as it will stand in a document.

    longtable: its rows go on over pages. scaled: its type is made as small as the line asks for.
    """

    layout: Layout
    longtable: bool
    scaled: bool

    @property
    def turned(self) -> bool:
        return self.layout.place.standing == "turned"

    @property
    def pieces(self) -> list[tuple[Layout, Sequence[int], range]]:
        """The parts: the layout with the rows that the part's columns have, these columns, and
        which of these rows.
        """
        pieces = []
        for columns in self.layout.parts:
            own = of_part(self.layout, columns)
            parts = [range(len(own.table.cells))] if self.longtable else own.rows
            pieces += [(own, columns, rows) for rows in parts]
        return pieces


def _setting(table: Grid, options: Options) -> Setting:
    """Columns in the place that holds them; rows beyond a page in a longtable, but for a table of
    evals by models and for a table of a column, which has no pages of its own.
    """
    breaks = options.long == "longtable" and not table.fit and not options.height
    scaled = options.wide == "scale"
    places = options.places
    if scaled:
        layout = whole(table, places[-1])
    else:
        layout = _chosen(table, places, breaks)
    few = layout.place.standing == "column" and len(layout.rows) <= FLOATS
    scaled = scaled and layout.width > _line(options)
    held = not scaled or TINY * layout.width <= _line(options)
    longtable = breaks and held and not few and len(layout.rows) > 1
    return Setting(layout, longtable, scaled)


def _chosen(table: Grid, places: Sequence[Place], breaks: bool) -> Layout:
    """The layout; of a table that no line holds upright, that with a heading for each baseline
    where it has fewer pages. Names take the room that a given line leaves, as in the PDF.
    """
    layout = chosen(table, places, breaks=breaks)
    if len(layout.parts) == 1 and layout.place.standing != "turned":
        given = layout.place.standing == "given" and layout.fits
        return roomier(layout, table) if given else layout
    grouped = below_baselines(table)
    if grouped is None:
        return layout
    other = chosen(grouped, places, breaks=breaks)

    def size(way: Layout) -> tuple[bool, int, bool]:
        return not way.fits, len(way.parts) * len(way.rows), way.place.standing == "turned"

    return other if size(other) < size(layout) else layout


def _line(options: Options) -> float:
    return options.width or LINE


# What is said of the width ------------------------------------------------------------------------


def width_told(table: Grid, options: Options = Options()) -> str:
    """One sentence where the table does not fit the column or the line that was asked for; else
    the empty string.
    """
    setting = _setting(table, options)
    own = setting.layout.place.standing in ("column", "given") and not setting.scaled
    if own and len(setting.layout.parts) == 1:
        return ""
    return f"table {table.name}: {_measure(setting, options)}"


def _measure(setting: Setting, options: Options) -> str:
    """How wide the table is, and what was made of that."""
    layout = setting.layout
    width = f"{layout.width:.0f} pt wide at {layout.size.points} pt"
    if setting.scaled:
        line = _line(options)
        share = percent_of(round(line / layout.width, 2))
        return f"{width}, scaled to {share} on a line of {line:g} pt; no other --wide scales type."
    n = len(setting.pieces)
    parts = f", in {counted(n, 'part')}" if n > 1 else ""
    standing = layout.place.standing
    if standing == "given":
        high = f" on a page {options.height:g} pt high" if options.height else ""
        return f"{width}{parts}, for a line of {layout.place.line:g} pt{high}."
    if standing == "column":
        own = f"for a column of {layout.place.line:g} pt"
        return f"{width}{parts}, {own} or the text of one column."
    asked = options.span == "page" or options.wide in ("turn", "scale")
    why = "" if asked else f"too wide for a column of {COLUMN:g} pt: "
    if standing == "turned":
        narrower = "" if options.wide == "turn" else " where the text is narrower"
        return f"{why}{width}{parts}, on a page turned by 90 degrees{narrower}."
    pages = ", on pages of one column" if setting.longtable else ""
    return f"{why}{width}{parts}, for text of {LINE:g} pt or more{pages}."


# What the template sets ---------------------------------------------------------------------------


def layout(table: Grid, options: Options) -> dict[str, Any]:
    """What templates/table.tex.j2 needs: the parts with their columns and rows, the packages, and
    what is said of the width.
    """
    setting = _setting(table, options)
    made = setting.layout
    pieces = setting.pieces
    parts = [
        part_of(own, (columns, rows), options.align, (k, len(pieces)))
        for k, (own, columns, rows) in enumerate(pieces, 1)
    ]
    for part in parts:
        part["flush"] = part["flush"] and not options.height  # no slide is left half empty
    measure = _measure(setting, options)
    names = whole_names(made)
    return {
        "parts": parts,
        "longtable": setting.longtable,
        "size": made.size,
        "turned": setting.turned,
        "turning": Markup(TURNING),
        "environment": Markup(_environment(setting, options)),
        "narrowest": Markup(f"{math.ceil(made.width / SURE)}"),
        "scaled": setting.scaled,
        "whole": Markup(f"{math.ceil(names)}") if names and not setting.scaled else "",
        "measured": measured(made) if names else {},
        "narrow": Markup(f"{NOTES:g}") if made.width_of(made.parts[-1]) < NOTES else "",
        "packages": [Markup(p) for p in _packages(setting, any(p["siunitx"] for p in parts))],
        "fonts": Markup(" and, for pdflatex, [T1]{fontenc}"),
        "measure": Markup(measure[0].upper() + measure[1:]),
        "table": with_left_out(table, [own for own, *_ in pieces]),
        "slide": Markup(_on_slides(setting, options, table)),
    }


def _on_slides(setting: Setting, options: Options, table: Grid) -> str:
    """How to have a table on slides that a slide of beamer shows in small type or not at all."""
    made = setting.layout
    size, share = made.size.points, min(1.0, SLIDE / made.width)
    points = share * (min(size, NOTE) if table.notes else size)
    if options.given or (points >= READ and not setting.longtable):
        return ""
    shown = f"has it in type of {points:.1f} pt"
    if setting.longtable:
        shown = "has no room for it"
    elif share * size < SLIDE_TYPE:
        shown = "may have no room for it"  # the font and the slide's line say, which TeX knows
    of_plan = table.name.partition("-")[0] == "planning"
    command = f"power --table {table.name}" if of_plan else "table KIND SCORES"
    return (
        f"A slide of beamer {shown}: reportkit {command} --format tex "
        f"--width {SLIDE:g} --height 200 makes parts for slides."
    )


def _environment(setting: Setting, options: Options) -> str:
    """The float, with a star for the text's width in a class of two columns; empty where LaTeX
    takes the first that is wide enough.
    """
    if options.wide == "turn":
        return "table*"
    if options.span == "page":
        return "table*" if not setting.turned else ""
    return "table" if options.given else ""


def _packages(setting: Setting, siunitx: bool) -> list[str]:
    packages = ["booktabs", "threeparttable"]
    packages += ["threeparttablex", "longtable"] if setting.longtable else []
    if setting.turned:
        packages.append("pdflscape" if setting.longtable else "graphicx")
    packages += ["adjustbox"] * (setting.scaled and not setting.longtable)
    packages += ["graphicx"] * (setting.layout.turned_heads and "graphicx" not in packages)
    return packages + ["siunitx"] * siunitx
