"""What the template prints of each part of a LaTeX table: its heads, its rows, and where a name may
stand in one line.
"""

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from reportkit.tables.grid import is_wide
from reportkit.tables.writers.latex_place import (
    FLOATS,
    ONE_LINE,
    SET_IN,
    SURE,
    TURNED_HEAD,
    Layout,
)
from reportkit.tables.writers.siunitx import latex_cell, siunitx_column
from reportkit.text.latex import latex
from reportkit.text.latex_width import text_width, wrap

NEAR = 0.9  # of the widest name: in another font one so wide may be wider


def part_of(
    made: Layout, piece: tuple[Sequence[int], range], align: str, place: tuple[int, int]
) -> dict[str, Any]:
    """What the template sets of one part; place: its number, and of how many."""
    table = made.table
    columns, rows = piece
    number, pieces = place
    title, part = table.title, ""
    if pieces > 1:
        part = f"(part\u00a0{number}\u00a0of\u00a0{pieces})"
        title = f"{title.removesuffix('.')} {part}."
    specs = [siunitx_column(table, j) if align == "siunitx" else "" for j in columns]
    aligns = [
        Markup("c" if s else table.columns[j].align) for j, s in zip(columns, specs, strict=True)
    ]
    upright = [made.turned_heads and is_wide(column.key) for column in table.columns]
    headings: dict[int, list[dict[str, str]]] = {}
    for (row, lines), (_, heading) in zip(table.sections, made.whole.sections, strict=True):
        headings.setdefault(row, []).append(_heading(heading, lines))
    again = _again(made)
    start = rows[0] if rows else 0  # a table may have no rows
    going_on = max((row for row in again if row < start), default=-1)
    if start not in headings and going_on >= 0:
        headings[start] = [again[going_on]]
    starts = headings or _runs(table.cells, rows)
    return {
        "first": number == 1,
        "last": number == pieces,
        "flush": number > 1 and (number - 1) % FLOATS == 0,
        "title": title,
        "piece": part,
        "spec": Markup("").join(
            Markup(s or table.columns[j].align) for j, s in zip(columns, specs, strict=True)
        ),
        "n": len(columns),
        "siunitx": any(specs),
        "groups": _groups(made, columns),
        "room": made.heading * made.size.wider,
        "goes_on": bool(rows) and start in again,
        "heads": [
            {
                "align": a,
                "spec": _edges(a, k, k, len(columns)),
                "room": TURNED_HEAD if upright[j] else made.widths[j],
                "text": table.columns[j].head,
                "whole": _far(made.whole.columns[j].head, table.columns[j].head),
                "turned": upright[j],
            }
            for k, (j, a) in enumerate(zip(columns, aligns, strict=True), 1)
        ],
        "rows": [
            {
                "first": i == rows[0],
                "tall": max(text.count("\n") for text in table.cells[i]) > 2,
                "headings": headings.get(i, []),
                "again": again.get(i),
                "stops": i < rows[-1] and i + 1 in headings,
                "held": _held(i, rows[-1], starts),
                "cells": [
                    latex_cell(table, i, j, bool(s))
                    | {
                        "room": made.widths[j],
                        "lines": _name_lines(made, i, j),
                        "whole": _far(made.whole.cells[i][j], table.cells[i][j]),
                    }
                    for j, s in zip(columns, specs, strict=True)
                ],
            }
            for i in rows
        ],
    }


def _heading(text: str, lines: str) -> dict[str, str]:
    """A heading in its lines, and in one where they are for codes alone."""
    return {"text": lines, "whole": _far(text, lines)}


def _again(made: Layout) -> dict[int, dict[str, str]]:
    """What stands above the rows of a section that go on on the next page or in the next part, by
    its first row.
    """
    told: dict[int, str] = {}
    for row, heading in made.whole.sections:
        told[row] = f"{told[row]}: {heading}" if row in told else heading
    found = {row: f"{text}, continued" for row, text in told.items()}
    return {row: _heading(text, wrap(text, made.heading)) for row, text in found.items()}


def _runs(cells: Sequence[Sequence[str]], rows: range) -> set[int]:
    """The first rows of each eval, or of what else the first column tells: of most tables each."""
    return {i for i in rows if i == rows[0] or cells[i][0] != cells[i - 1][0]}


def _held(row: int, last: int, starts: Collection[int]) -> bool:
    """Whether a row shares its page with the next: the first row of a section or an eval does, and
    its last but one, so that none stands alone at a page's foot or head.
    """
    ends = row + 2 in starts or row + 1 == last
    return row < last and row + 1 not in starts and (row in starts or ends)


def _edges(align: Markup, first: int, last: int, n: int) -> Markup:
    """A head stands flush with the table's edges, as the cells below it do."""
    return "@{}" * (first == 1) + align + "@{}" * (last == n)


def _groups(made: Layout, columns: Sequence[int]) -> list[dict[str, Any]]:
    """Spanning heads: runs of columns with the same group, where any has a name."""
    groups, start = [], 1
    for name, run in itertools.groupby(columns, key=lambda j: made.table.columns[j].group):
        own = list(run)
        span, room = len(own), made.width_of(own)
        last = start + span - 1
        spec = _edges(Markup("c"), start, last, len(columns))
        group = {"name": name, "span": span, "spec": spec, "first": start, "last": last}
        # A rule ends with the table's edge, as the rules above and below it do.
        trim = "l" * (start > 1) + "r" * (last < len(columns))
        groups.append(group | {"room": room, "trim": Markup(trim)})
        start += span
    return groups if any(g["name"] for g in groups) else []


# Names that were broken for a narrow place -----------------------------------------------------


def _far(text: str, lines: str) -> str:
    """A text that was broken where it may print as codes, which are wider than its letters; else
    the empty string.
    """
    broken = "\n" in lines and "\n" not in text
    return text if broken and _prints_codes(text) else ""


def _prints_codes(text: str) -> bool:
    """Whether an engine without its letters prints it as codes; what runs from the right does."""
    return r"\rkchar" in latex(text)


def _may_be_whole(made: Layout, i: int, j: int) -> bool:
    """Whether a label that was broken stands in one line where the line has room: none that hardly
    any line holds, and none that may print as codes or runs from the right.
    """
    if made.table.columns[j].align != "l" or "\n" not in made.table.cells[i][j]:
        return False
    name = made.whole.cells[i][j]
    return "\n" not in name and text_width(name) <= ONE_LINE and not _prints_codes(name)


def whole_names(made: Layout) -> float:
    """Points of a line that holds every part with its names in one line each; 0 where none of them
    was broken, and of a table of text alone where some stay broken: half of a plan stood in lines
    beside answers in one.
    """
    widths = list(made.widths)
    if made.table.labels == len(widths) and _some_stay_broken(made):
        return 0.0
    for j, names in _broken_names(made).items():
        widths[j] = max(widths[j], *(_name_width(made, *name) for name in names))
    if tuple(widths) == made.widths:
        return 0.0
    return replace(made, widths=tuple(widths)).width / SURE


def _some_stay_broken(made: Layout) -> bool:
    return any(
        "\n" in text and not _may_be_whole(made, i, j)
        for i, row in enumerate(made.table.cells)
        for j, text in enumerate(row)
    )


def measured(made: Layout) -> dict[str, Any]:
    """How LaTeX measures that line in the type in use, as Times is narrower than Computer Modern:
    the broken names that may be the widest of each column, and beside them points of gaps, and how
    many times ten digits all else is as wide as.
    """
    columns, widths = [], list(made.widths)
    for j, names in _broken_names(made).items():
        own = {name: _name_width(made, *name) for name in names}
        widest = max(own.values())
        if widest > made.widths[j]:
            near = [name for name, width in own.items() if width > NEAR * widest]
            columns.append([{"text": text, "bold": bold} for text, bold in near])
            widths[j] = 0.0
    rest = replace(made, widths=tuple(widths))
    part = max(made.parts, key=rest.width_of)
    gaps = made.size.gap * (len(part) - 1)
    tens = (rest.width_of(part) - gaps) / SURE / (text_width("0" * 10) * made.size.wider)
    return {
        "names": columns,
        "gaps": Markup(f"{gaps:g}"),
        "tens": Markup(f"{math.ceil(100 * tens) / 100:g}"),
    }


def _broken_names(made: Layout) -> dict[int, list[tuple[str, bool]]]:
    """By column, the names that may stand in one line, each once, and whether they are bold."""
    found: dict[int, dict[tuple[str, bool], None]] = {}
    for i, row in enumerate(made.whole.cells):
        for j, name in enumerate(row):
            if _may_be_whole(made, i, j):
                found.setdefault(j, {})[name, (i, j) in made.table.bold] = None
    return {j: list(names) for j, names in found.items()}


def _name_width(made: Layout, name: str, bold: bool) -> float:
    return text_width(name, bold=bold) * made.size.wider


def _name_lines(made: Layout, i: int, j: int) -> list[dict[str, Any]]:
    """The lines of a label and what stands behind each: \\rkbreak with what replaces it in a whole
    name, and with what the next line begins with; none for a label that stays as it is.
    """
    if not _may_be_whole(made, i, j):
        return []
    lines = made.table.cells[i][j].split("\n")
    found, rest = [], made.whole.cells[i][j].strip()
    for line, after in itertools.zip_longest(lines, lines[1:]):
        own = line.removeprefix(SET_IN)
        rest = rest.removeprefix(own)
        joint = ""
        if after is not None:
            space = " " if rest[:1].isspace() else ""
            room = latex(SET_IN) if after.startswith(SET_IN) else ""
            joint = rf"\rkbreak{{{space}}}{{{room}}}"
        rest = rest.lstrip()
        found.append({"text": own, "joint": Markup(joint)})
    return found
