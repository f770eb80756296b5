"""A table as plain text for a terminal: aligned columns between the caption and the notes."""

import textwrap
import unicodedata
from collections.abc import Sequence

from reportkit.tables.grid import Grid

WIDTH = 100  # characters of a line of prose, caption and notes too, at most
GAP = "  "  # between columns
LEAST_TEXT = 16  # characters: a column of texts is not made narrower


def plain_text(grid: Grid, width: int | None = None) -> str:
    """Caption, columns and notes; bold has stars, as in Markdown.

    width: characters of the terminal that shows it; None: lines are as long as their columns. Where
    these are longer than the terminal's, heads and texts are wrapped; where that is not enough,
    each row is a block with a line for each of its cells.
    """
    heads = [_head(grid, j) for j in range(len(grid.columns))]
    body = [[_cell(grid, i, j) for j in range(len(grid.columns))] for i in range(len(grid.cells))]
    widths = [max(_width(row[j]) for row in [heads, *body]) for j in range(len(grid.columns))]
    fitting = widths if width is None else _fitted(grid, heads, body, widths, width)
    prose = prose_width(width)
    lines = [*_wrapped(grid.title, prose), ""]
    if fitting is None:
        lines += _blocks(grid, heads, body, width)
    else:
        lines += _aligned(grid, heads, body, fitting)
    lines += [""] * bool(grid.notes)
    for note in grid.notes:
        lines += _wrapped(note, prose)
    return "\n".join(lines)


def prose_width(width: int | None) -> int:
    """Characters of a line of prose, on a terminal of such a width or, with None, in a file.

    >>> prose_width(None), prose_width(80), prose_width(200)
    (100, 80, 100)
    """
    return WIDTH if width is None else min(WIDTH, width)


def _aligned(
    grid: Grid, heads: Sequence[str], body: Sequence[Sequence[str]], widths: Sequence[int]
) -> list[str]:
    """Rows below heads; with an empty line between rows of which some take several lines."""
    rows = [_row(grid, row, widths) for row in body]
    several = any(len(row) > 1 for row in rows)
    lines = [*_row(grid, heads, widths), GAP.join("-" * width for width in widths)]
    headings = dict(grid.sections)
    for i, row in enumerate(rows):
        if i in headings:
            lines += [""] * (i > 0) + [_printable(headings[i])]
        elif several and i > 0:
            lines.append("")
        lines += row
    return lines


def _row(grid: Grid, cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The lines of one row, whose cells are broken to their widths."""
    broken = [broken_text(text, width) for text, width in zip(cells, widths, strict=True)]
    most = max((len(parts) for parts in broken), default=1)
    filled = [[*parts, *[""] * (most - len(parts))] for parts in broken]
    return [_line(grid, [parts[i] for parts in filled], widths) for i in range(most)]


def _fitted(
    grid: Grid,
    heads: Sequence[str],
    body: Sequence[Sequence[str]],
    widths: Sequence[int],
    width: int,
) -> list[int] | None:
    """Widths of columns that fit a line: the widest of those that can be broken give way. None
    where they cannot: numbers, and words, are not broken.
    """
    found, least = list(widths), []
    for j, column in enumerate(grid.columns):
        cells = [row[j] for row in body]
        texts = [heads[j], *cells] if column.align == "l" else [heads[j]]
        words = [_width(word) for text in texts for word in text.split(" ")]
        whole = [] if column.align == "l" else [_width(text) for text in cells]
        text = min(LEAST_TEXT, widths[j]) if column.align == "l" else 0
        least.append(max([*words, *whole, text]))
    room = width - len(GAP) * (len(found) - 1)
    while sum(found) > room:
        wide = max(range(len(found)), key=lambda j: (found[j] > least[j], found[j]))
        if found[wide] <= least[wide]:
            return None
        found[wide] -= 1
    return found


def _blocks(
    grid: Grid, heads: Sequence[str], body: Sequence[Sequence[str]], width: int | None
) -> list[str]:
    """Each row by itself: its cells behind their heads, an empty line between rows."""
    behind = max((_width(head) for head in heads), default=0)
    room = max((width or WIDTH) - behind - len(GAP), LEAST_TEXT)
    headings, lines = dict(grid.sections), []
    for i, row in enumerate(body):
        lines += [""] * (i > 0)
        if i in headings:
            lines += [_printable(headings[i]), ""]
        for head, text in zip(heads, row, strict=True):
            first, *rest = broken_text(text, room)
            lines.append(f"{head}{' ' * (behind - _width(head))}{GAP}{first}".rstrip())
            lines += [f"{' ' * behind}{GAP}{part}" for part in rest]
    return lines


def broken_text(text: str, width: float) -> list[str]:
    """Lines of a text no wider than the terminal's columns, broken between words alone.

    >>> broken_text("2 answers to each", 9), broken_text("gpt-unbroken", 4)
    (['2 answers', 'to each'], ['gpt-unbroken'])
    """
    first, *words = text.split(" ")
    lines = [first]
    for word in words:
        if _width(lines[-1]) + 1 + _width(word) > width:
            lines.append(word)
        else:
            lines[-1] += f" {word}"
    return lines


def _head(grid: Grid, j: int) -> str:
    column = grid.columns[j]
    text = f"{column.group}: {column.head}" if column.group else column.head
    return _printable(text)


def _cell(grid: Grid, i: int, j: int) -> str:
    text = _printable(grid.cells[i][j])
    if (i, j) in grid.bold:
        return f"**{text}**"
    return text


def _line(grid: Grid, row: Sequence[str], widths: Sequence[int]) -> str:
    cells = []
    for column, text, width in zip(grid.columns, row, widths, strict=True):
        space = " " * (width - _width(text))
        cells.append(text + space if column.align == "l" else space + text)
    return GAP.join(cells).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(_printable(text), width)


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
