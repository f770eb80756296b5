"""A table as plain text for a terminal: aligned columns between the caption and the notes."""

import textwrap
import unicodedata

from reportkit.tables.grid import Grid

WIDTH = 100  # characters to which caption and notes are wrapped


def plain_text(grid: Grid) -> str:
    """Caption, columns and notes; bold has stars, as in Markdown."""
    heads = [_head(grid, j) for j in range(len(grid.columns))]
    body = [[_cell(grid, i, j) for j in range(len(grid.columns))] for i in range(len(grid.cells))]
    widths = [max(_width(row[j]) for row in [heads, *body]) for j in range(len(grid.columns))]
    headings = dict(grid.sections)
    lines = [*_wrapped(grid.title), "", _line(grid, heads, widths)]
    lines.append("  ".join("-" * width for width in widths))
    for i, row in enumerate(body):
        if i in headings:
            lines += [""] * (i > 0) + [_printable(headings[i])]
        lines.append(_line(grid, row, widths))
    lines += [""] * bool(grid.notes)
    for note in grid.notes:
        lines += _wrapped(note)
    return "\n".join(lines)


def _head(grid: Grid, j: int) -> str:
    column = grid.columns[j]
    text = f"{column.group}: {column.head}" if column.group else column.head
    return _printable(text)


def _cell(grid: Grid, i: int, j: int) -> str:
    text = _printable(grid.cells[i][j])
    if (i, j) in grid.bold:
        return f"**{text}**"
    return text


def _line(grid: Grid, row: list[str], widths: list[int]) -> str:
    cells = []
    for column, text, width in zip(grid.columns, row, widths, strict=True):
        space = " " * (width - _width(text))
        cells.append(text + space if column.align == "l" else space + text)
    return "  ".join(cells).rstrip()


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(_printable(text), WIDTH)


def _printable(text: str) -> str:
    """One line, without what could steer a terminal."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)


def _width(text: str) -> int:
    """Columns of a terminal: wide characters take two, combining ones none."""
    total = 0
    for char in text:
        if unicodedata.combining(char):
            continue
        total += 2 if unicodedata.east_asian_width(char) in "WF" else 1
    return total
