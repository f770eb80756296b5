"""How a table is laid out for LaTeX: which columns and rows make a part, how columns align, and
what fits the page.
"""

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from markupsafe import Markup

from reportkit.tables.grid import Column, Grid
from reportkit.tables.siunitx import latex_cell, siunitx_column
from reportkit.text.latex_width import text_width, wrap
from reportkit.text.numbers import counted, percent_of

Align = Literal["plain", "siunitx"]
Wide = Literal["scale", "split", "turn"]
Span = Literal["column", "page"]
Long = Literal["longtable", "parts"]

# \linewidth of article at 10 pt; a column of a two-column class has about 252, NeurIPS 397
LINE = 345.0
TURNED = 550.0  # \textheight of article
NARROWEST = 120.0  # points of a line that can be asked for
TWICE_TABCOLSEP = 12.0
LABEL = 150.0  # names wider than this break into lines
# heads of a table that is too wide break between words, and inside those wider than this
HEAD, HEAD_WORD = 36.0, 80.0
LONG, LONG_TURNED = 40, 24  # lines from which a table breaks over pages
FLOATS = 12  # parts between which LaTeX has to put out what it holds
SMALLEST = 1.5  # how many times wider than the page a longtable can be and still fit at \tiny


@dataclass(frozen=True, slots=True)
class Options:
    """How render_table() should set a table in LaTeX; ValueError where there is no such choice.

    width: points of the line that a table of evals by models is laid out for; 0: see latex_fit.
    """

    align: Align = "plain"
    wide: Wide = "scale"
    span: Span = "column"
    long: Long = "longtable"
    width: float = 0.0

    def __post_init__(self) -> None:
        for name, choices in (("align", Align), ("wide", Wide), ("span", Span), ("long", Long)):
            if getattr(self, name) not in get_args(choices):
                raise ValueError(
                    f"no {name} {getattr(self, name)!r}; there are {', '.join(get_args(choices))}"
                )
        if self.width and not self.width >= NARROWEST:
            raise ValueError(
                f"a line of {self.width:g} pt holds no table; give {NARROWEST:g} pt or more"
            )


# --- widths


def tex_width(table: Grid) -> float:
    """The table's own width in points at 10 pt, as render_table() sets it before anything is
    scaled.
    """
    table = _broken(table)
    return round(_width(table, range(len(table.columns))), 1)


def width_warning(table: Grid) -> str:
    """One sentence where the table is wider than the text of article, and scaled; else the empty
    string.
    """
    if table.fit:
        return ""
    width = tex_width(table)
    if width <= 1.02 * LINE:
        return ""
    return (
        f"table {table.name} is {width:.0f} pt wide at 10 pt, the text of article {LINE:.0f} pt: "
        "it is scaled to "
        f"{percent_of(round(LINE / width, 2))}; choose --wide split or turn"
    )


def _column_widths(table: Grid) -> list[float]:
    bodies = _body_widths(table)
    return [max(text_width(c.head), body) for c, body in zip(table.columns, bodies, strict=True)]


def _body_widths(table: Grid) -> list[float]:
    return [
        max(
            (text_width(row[j], bold=(i, j) in table.bold) for i, row in enumerate(table.cells)),
            default=0.0,
        )
        for j in range(len(table.columns))
    ]


def _width(table: Grid, columns: Sequence[int]) -> float:
    widths, total = _column_widths(table), 0.0
    for name, run in itertools.groupby(columns, key=lambda j: table.columns[j].group):
        own = [widths[j] + TWICE_TABCOLSEP for j in run]
        total += max(sum(own), text_width(name) + TWICE_TABCOLSEP)
    return max(
        total - TWICE_TABCOLSEP, *(text_width(heading) for _, heading in table.sections), 0.0
    )


@functools.lru_cache(maxsize=64)
def _broken_parts(table: Grid) -> tuple[tuple[Column, ...], tuple[tuple[str, ...], ...]]:
    left = [c.align == "l" for c in table.columns]
    cells = tuple(
        tuple(wrap(text, LABEL) if label else text for text, label in zip(row, left, strict=True))
        for row in table.cells
    )
    broken = replace(table, cells=cells)
    columns = table.columns
    if _width(broken, range(len(columns))) > LINE:
        bodies = _body_widths(broken)
        columns = tuple(
            replace(c, head=wrap(c.head, max(HEAD, body), HEAD_WORD))
            for c, body in zip(columns, bodies, strict=True)
        )
        # A spanning head has the width of its columns.
        spans: list[Column] = []
        for name, run in itertools.groupby(
            zip(columns, bodies, strict=True), key=lambda pair: pair[0].group
        ):
            own = list(run)
            limit = sum(max(text_width(c.head), body) for c, body in own) + TWICE_TABCOLSEP * (
                len(own) - 1
            )
            spans += [replace(c, group=wrap(name, max(limit, HEAD), HEAD_WORD)) for c, _ in own]
        columns = tuple(spans)
    return columns, cells


def _broken(table: Grid) -> Grid:
    """The table with long names in lines, and the heads too where it is wider than the page."""
    widths_of = Grid(
        table.name,
        table.title,
        table.columns,
        table.cells,
        bold=table.bold,
        sections=table.sections,
    )
    columns, cells = _broken_parts(widths_of)
    return replace(table, columns=columns, cells=cells)


# --- parts


def _column_parts(table: Grid) -> list[list[int]]:
    """The columns of each part, the labels at the left repeated, as even as they come."""
    labels = list(
        itertools.takewhile(lambda j: table.columns[j].align == "l", range(len(table.columns)))
    )
    rest = range(len(labels), len(table.columns))

    def divided(limit: float) -> list[list[int]]:
        parts: list[list[int]] = []
        for j in rest:
            if parts and _width(table, labels + parts[-1] + [j]) <= limit:
                parts[-1].append(j)
            else:
                parts.append([j])
        return parts

    parts = divided(LINE)
    # the same number of parts, narrower: none is left with a single column
    for limit in range(int(LINE), 0, -10):
        if len(divided(limit)) > len(parts):
            break
        parts = divided(limit)
    return [labels + part for part in parts] or [labels]


def _lines(table: Grid) -> list[int]:
    """How many lines each row takes, with the heading above it."""
    above = {row for row, _ in table.sections}
    return [
        max(text.count("\n") for text in row) + 1 + (i in above)
        for i, row in enumerate(table.cells)
    ]


def _row_parts(table: Grid, most: int) -> list[range]:
    parts, start, height = [], 0, 0
    for i, lines in enumerate(_lines(table)):
        if height and height + lines > most:
            parts.append(range(start, i))
            start, height = i, 0
        height += lines
    return [*parts, range(start, len(table.cells))]


# --- what the template sets


def layout(table: Grid, options: Options) -> dict[str, Any]:
    """What templates/table.tex.j2 needs: the parts with their columns and rows, the packages, and
    what is said of the width.
    """
    table = _broken(table)
    every = list(range(len(table.columns)))
    natural = round(_width(table, every), 1)
    too_wide = natural > LINE
    turned = options.wide == "turn" and too_wide
    line, most_lines = (TURNED, LONG_TURNED) if turned else (LINE, LONG)
    long = sum(_lines(table)) > most_lines
    columns = _column_parts(table) if options.wide == "split" and too_wide else [every]
    fitted = max(_width(table, part) for part in columns)
    in_parts = long and (options.long == "parts" or fitted > SMALLEST * line)
    rows = _row_parts(table, most_lines) if in_parts else [range(len(table.cells))]
    pieces = [(c, r) for c in columns for r in rows]
    parts = [
        part_of(table, c, r, options.align, (k, len(pieces))) for k, (c, r) in enumerate(pieces, 1)
    ]
    longtable = long and not in_parts
    siunitx = any(part["siunitx"] for part in parts)
    return {
        "parts": parts,
        "longtable": longtable,
        "fitted": None,
        "turned": turned,
        "star": Markup("*" if options.span == "page" else ""),
        "fit": longtable and fitted > 0.85 * LINE,
        "packages": [Markup(p) for p in _packages(longtable, turned, siunitx)],
        "fonts": Markup(" and, for pdflatex, [T1]{fontenc}"),
        "measure": Markup(_measure(table, natural, options, len(columns), longtable)),
    }


def _measure(table: Grid, natural: float, options: Options, n_parts: int, longtable: bool) -> str:
    text = (
        f"Its own width is {natural:.0f}pt at 10pt; a line of article has 345pt, of NeurIPS "
        "397pt, of a column about 252pt."
    )
    if natural <= LINE:
        return text
    if options.wide == "split" and n_parts > 1:
        return f"{text} Split into {counted(n_parts, 'part')}."
    if options.wide == "turn":
        return f"{text} Turned by 90 degrees."
    how = "Set in smaller type where it does not fit" if longtable else "Scaled to the line"
    return f"{text} {how}: {percent_of(round(LINE / natural, 2))} of its size in article."


def _packages(longtable: bool, turned: bool, siunitx: bool) -> list[str]:
    packages = ["booktabs", "threeparttable"]
    packages += ["threeparttablex", "longtable"] if longtable else ["adjustbox"]
    if turned:
        packages.append("pdflscape" if longtable else "rotating")
    if siunitx:
        packages.append("siunitx")
    return packages


def part_of(
    table: Grid, columns: Sequence[int], rows: range, align: Align, place: tuple[int, int]
) -> dict[str, Any]:
    """What the template sets of one part; place: its number, and of how many."""
    number, pieces = place
    title = table.title
    if pieces > 1:
        title = f"{title.removesuffix('.')} (part {number} of {pieces})."
    specs = [siunitx_column(table, j) if align == "siunitx" else "" for j in columns]
    aligns = [
        Markup("c" if s else table.columns[j].align) for j, s in zip(columns, specs, strict=True)
    ]
    headings: dict[int, list[str]] = {}
    for row, heading in table.sections:
        headings.setdefault(row, []).append(heading)
    return {
        "first": number == 1,
        "flush": number > 1 and (number - 1) % FLOATS == 0,
        "title": title,
        "spec": Markup("").join(
            Markup(s or table.columns[j].align) for j, s in zip(columns, specs, strict=True)
        ),
        "n": len(columns),
        "siunitx": any(specs),
        "groups": _groups(table, columns),
        "heads": [
            {
                "align": a,
                "spec": _edges(a, k, k, len(columns)),
                "text": table.columns[j].head,
                "turned": False,
            }
            for k, (j, a) in enumerate(zip(columns, aligns, strict=True), 1)
        ],
        "rows": [
            {
                "first": i == rows[0],
                "headings": headings.get(i, []),
                "cells": [
                    latex_cell(table, i, j, bool(s)) for j, s in zip(columns, specs, strict=True)
                ],
            }
            for i in rows
        ],
    }


def _edges(align: Markup, first: int, last: int, n: int) -> Markup:
    """A head stands flush with the table's edges, as the cells below it do."""
    return "@{}" * (first == 1) + align + "@{}" * (last == n)


def _groups(table: Grid, columns: Sequence[int]) -> list[dict[str, Any]]:
    """Spanning heads: runs of columns with the same group, where any has a name."""
    groups, start = [], 1
    for name, run in itertools.groupby(table.columns[j].group for j in columns):
        span = len(list(run))
        last = start + span - 1
        spec = _edges(Markup("c"), start, last, len(columns))
        groups.append({"name": name, "span": span, "spec": spec, "first": start, "last": last})
        start += span
    return groups if any(g["name"] for g in groups) else []
