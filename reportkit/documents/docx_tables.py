"""Tables of a Word document: widths of columns, size of type, what becomes of one wider than the
page. A table here is that of pandoc's tree.
"""

import copy
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from reportkit.documents.docx_parts import divided, is_of_evals, labels, scored_rows, section, texts
from reportkit.documents.pandoc import Node, text_of
from reportkit.text.figure_width import letters_width

MM = 72 / 25.4
A4 = (210 * MM, 297 * MM)
MARGIN = 22 * MM
PORTRAIT, LANDSCAPE = (side - 2 * MARGIN for side in A4)  # points between the margins
LINE = 396.0  # points of a line that pandoc takes a column's share of
EM = 0.53  # of the size of type: the width of a letter or digit of Calibri, with some room
BOLD = 1.15  # how much wider bold type is, of words; of digits 1.10
PADDING = 7.0  # points left and right of a cell's text
AIR = 9.0  # points more of each column of a table that does not fill its line
APART = 6.0  # points more between a column that ends at the right and text that starts at the left
HANG = 6.0  # points that a line of a row's name that goes on is set in
LONGEST = 28  # letters of a cell of text, beyond which it breaks into lines
# Letters of a word that stays whole; of a longer one as many stand in a line as of a text.
WORD = 40
# Rows of a table that stays on one page: with heading, caption and notes a third of it.
KEPT = 12
# A paragraph that pandoc does not leave out, with the style that keeps its row with the next.
EMPTY = {"t": "Para", "c": [{"t": "RawInline", "c": ["openxml", "<w:r />"]}]}
# Of type in points: ending of the style, and size.
SIZES = (("", 9.0), (" Small", 8.0), (" Smaller", 7.5))
NOTE = "Table Note"  # the style of what stands below a table
UPRIGHT = 2  # parts below each other rather than on a turned page; one more if all leave out rows


@dataclass(frozen=True, slots=True)
class Placed:
    """A table, or the parts of one, as blocks; turned: on a page of landscape; left_out: its parts
    leave out rows.
    """

    blocks: list[Node]
    turned: bool
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class _Widths:
    """Of each column the letters that it needs, in Calibri; in ems of the font that may stand in
    for it, its longest word, what it needs, and what it would take without breaking a text; and the
    points that no text stands in.
    """

    letters: list[int]
    words: list[float]
    least: list[float]
    most: list[float]
    empty: list[float]

    def of(self, kept: list[int]) -> "_Widths":
        """Those of some columns."""
        return _Widths(*([getattr(self, name)[i] for i in kept] for name in self.__slots__))

    def points(self, size: float, whole: str = "") -> list[float]:
        """Points of each column. whole: what does not break where Calibri is missing: all texts,
        or the words.
        """
        ems = [EM * n for n in self.letters]
        if whole == "words":
            ems = [max(pair) for pair in zip(ems, self.words, strict=True)]
        if whole == "all":
            ems = self.least
        return [size * em + empty for em, empty in zip(ems, self.empty, strict=True)]

    def filled(self, size: float, line: float, whole: str = "") -> list[float]:
        """Points of each column. What the line has left goes first to words, so that none breaks
        where Calibri is missing, then to numbers, and then to columns of long text; each time the
        columns that want little have it all, so that a long name takes no room of a number. A line
        too short for the letters has what does not break, `whole`, as in points().
        """
        points = self.points(size)
        if sum(points) >= line:
            points = self.points(size, whole)
        if sum(points) >= line:
            return [p * line / sum(points) for p in points]
        for ems in (self.words, self.least, self.most):
            left = line - sum(points)
            room = zip(ems, self.empty, points, strict=True)
            wanted = [max(0.0, size * em + empty - p) for em, empty, p in room]
            order = sorted(range(len(wanted)), key=wanted.__getitem__)
            for others, j in zip(reversed(range(len(order))), order, strict=True):
                given = min(wanted[j], left / (others + 1))
                points[j] += given
                left -= given
        air = min(AIR, (line - sum(points)) / len(points))
        return [p + air for p in points]


def laid_out(table: Node) -> Placed:
    """The table with its widths and styles. Type is smaller rather than that a word breaks where
    Calibri is missing. One too wide for that is in two parts, each with the columns that say which
    row it is, as in the PDF: a turned page leaves the rest of the page before it empty. One too
    wide for two, or whose cells reach over columns, is on a turned page; and one too wide even for
    that in parts.
    """
    table = copy.deepcopy(table)
    _aligned(table)
    _unstacked(table)
    widths = _measured(table)
    whole = ("all", "words")
    upright = _whole(table, widths, product((PORTRAIT,), whole, SIZES))
    if upright is not None:
        return Placed([upright], False)
    parts = list(_parts(table, widths, PORTRAIT, "words"))
    short = all(len(body(part)) < len(body(table)) for part in parts)
    if len(parts) == UPRIGHT or (len(parts) == UPRIGHT + 1 and short):
        return _in_parts(table, parts, False)
    turned = _whole(table, widths, product((LANDSCAPE,), (*whole, ""), SIZES))
    if turned is not None:
        return Placed([turned], True)
    return _in_parts(table, list(_parts(table, widths, LANDSCAPE)), True)


def _in_parts(table: Node, parts: list[Node], turned: bool) -> Placed:
    return Placed(parts, turned, any(len(body(part)) < len(body(table)) for part in parts))


def _whole(
    table: Node, widths: _Widths, ways: Iterable[tuple[float, str, tuple[str, float]]]
) -> Node | None:
    """The table in the first of the lines and sizes of type that have room for all of it."""
    for line, whole, (style, size) in ways:
        if sum(widths.points(size, whole)) <= line:
            _finished(table, widths.filled(size, line, whole), style)
            return table
    return None


def _parts(table: Node, widths: _Widths, line: float, whole: str = "") -> Iterator[Node]:
    """The table in as many parts as lines of this width need, each with the labels of the rows."""
    style, size = SIZES[1]
    points = widths.points(size, whole)
    n = _labels(table, points, line)
    if _spanned(table) or (n == 1 and points[0] > line / 2):
        part = copy.deepcopy(table)
        _finished(part, widths.filled(size, line), style)
        yield part
        return
    shared = [sum(points[:n]), *points[n:]]
    scored = _named(table) if is_of_evals(table) else []
    for columns in divided(scored, shared, line):
        kept = [*range(n), *(n - 1 + j for j in columns)]
        part = _part(table, kept, widths.of(kept).filled(size, line, whole), style)
        if columns[0] > 1:  # the caption stands above the first part alone
            part["c"][1] = [None, []]
        yield part


def _labels(table: Node, points: list[float], line: float) -> int:
    """How many columns each part begins with: the first alone where more leave no room."""
    n = labels([list(map(text_of, row)) for row in _named(table)], texts(_named(table)))
    return n if sum(points[:n]) + max(points[n:], default=line) <= line else 1


def _part(table: Node, kept: list[int], points: list[float], style: str) -> Node:
    """Some of the columns, with the width of each."""
    part = copy.deepcopy(table)
    part["c"][2] = [part["c"][2][i] for i in kept]
    for row in _rows(part):
        if section(table, row):
            row[1][0][3] = len(kept)
        else:
            row[1] = [row[1][i] for i in kept if i < len(row[1])]
    if is_of_evals(table):
        for bodies in part["c"][4]:
            rows = bodies[3]
            texts = [[text_of(cell[4]) for cell in row[1]] for row in rows]
            kept = scored_rows(texts, [section(part, row) for row in rows])
            bodies[3] = [rows[i] for i in kept]
    _finished(part, points, style)
    return part


# --- a row of pandoc's tree: [attributes, cells]; a cell: [attributes, align, down, across, blocks]


def _head(table: Node) -> list[Any]:
    return table["c"][3][1]


def body(table: Node) -> list[Any]:
    bodies = [row for part in table["c"][4] for row in [*part[2], *part[3]]]
    return [*bodies, *table["c"][5][1]]


def _rows(table: Node) -> list[Any]:
    return [*_head(table), *body(table)]


def _named(table: Node) -> list[Any]:
    """The cells of each row that is no heading."""
    return [row[1] for row in body(table) if not section(table, row)]


def _spanned(table: Node) -> bool:
    """Some cell reaches over columns or rows, so that the columns hold together."""
    rows = [row for row in _rows(table) if not section(table, row)]
    return any(cell[2] > 1 or cell[3] > 1 for row in rows for cell in row[1])


def _letters(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide


def _unstacked(table: Node) -> None:
    """A head beside those of groups takes both rows of a page: here it stands in the lower one,
    below an empty cell, so that each column can be measured, and be in a part of the table.
    """
    if len(_head(table)) != 2:
        return
    (_, upper), (_, lower) = _head(table)
    column = 0
    for i, cell in enumerate(upper):
        if cell[2] == 2:
            cell[2] = 1
            lower.insert(column, cell)
            upper[i] = [["", [], []], cell[1], 1, cell[3], []]
        column += cell[3]


def _measured(table: Node) -> _Widths:
    columns = len(table["c"][2])
    letters = [1] * columns
    words, least, most = ([0.0] * columns for _ in range(3))
    empty = [PADDING] * columns
    for rows, heads in ((_head(table), True), (body(table), False)):
        for row in rows:
            if sum(cell[3] for cell in row[1]) != columns:
                continue  # a cell from above reaches into it
            column, before = 0, ""
            for cell in row[1]:
                if cell[3] == 1:
                    text = text_of(cell[4])
                    bold = heads or _bold(cell[4])
                    letters[column] = max(letters[column], _letters_needed(text, heads))
                    words[column] = max(words[column], _longest_word(text, bold))
                    least[column] = max(least[column], _needed(text, heads, bold))
                    most[column] = max(most[column], _width(_longest_line(text), bold))
                    if before == "AlignRight" and cell[1]["t"] == "AlignLeft":
                        empty[column] = PADDING + APART
                before = cell[1]["t"]
                column += cell[3]
    for j in range(texts(_named(table))):
        if most[j] > least[j]:  # a row's name may take lines
            empty[j] += HANG
    return _Widths(letters, words, least, [max(p) for p in zip(least, most, strict=True)], empty)


def _bold(blocks: Any) -> bool:
    return '"t": "Strong"' in json.dumps(blocks)


def _longest_line(text: str) -> str:
    return max(text.split("\n"), key=_letters)


def _width(text: str, bold: bool) -> float:
    """In ems of DejaVu Sans, the widest font that may stand in."""
    return letters_width(text, 1.0) * 72 * (BOLD if bold else 1.0)


def _words(text: str) -> list[str]:
    """
    >>> _words("65.5% (0.7%)"), _words("gpt-4o-mini")
    (['65.5%', '(0.7%)'], ['gpt-', '4o-', 'mini'])
    """
    return [word for word in re.findall(r"[^\s/-]*[/-]?", text) if word]


def _longest_word(text: str, bold: bool) -> float:
    lines = (word if _letters(word) <= WORD else word[:LONGEST] for word in _words(text))
    return max((_width(line, bold) for line in lines), default=0.0)


def _needed(text: str, head: bool, bold: bool) -> float:
    """Ems of what `_letters_needed` counts."""
    if head:
        whole = _width(text.replace("\n", " "), bold)
        return max(_longest_word(text, bold), whole / 3 + 1.0)
    return max(_longest_word(text, bold), _width(_longest_line(text)[:LONGEST], bold))


def _letters_needed(text: str, head: bool) -> int:
    """Letters that a cell needs: a head breaks between words, and after a hyphen or a slash, into
    two lines or three, a long text where it can, a number nowhere.
    """
    letters = map(_letters, text.replace("\n", " ").split(" "))
    words = max((n if n <= WORD else LONGEST for n in letters), default=1)
    if head:  # bold
        longest = max(map(_letters, _words(text)), default=1)
        return max(longest + 1, -(-_letters(text) // 3) + 1)
    return max(words, min(_letters(_longest_line(text)), LONGEST))


def _aligned(table: Node) -> None:
    """Our own cells say by their class how they align."""
    kinds = {"l": "AlignLeft", "r": "AlignRight", "c": "AlignCenter"}
    for row in _rows(table):
        for cell in row[1]:
            for name in cell[0][1]:
                cell[1] = {"t": kinds[name]} if name in kinds else cell[1]
            cell[0] = ["", [], []]


def _finished(table: Node, points: list[float], style: str) -> None:
    """Widths of the columns, and the styles of paragraphs. Rows of a short table stay together, and
    the last with the notes below; `ended` is for a table without.
    """
    for spec, width in zip(table["c"][2], points, strict=True):
        spec[1] = {"t": "ColWidth", "c": round(width + 0.1, 1) / LINE}
    for row in _head(table):
        _styled(row, f"Table Head{style}")
    rows = body(table)
    for i, row in enumerate(rows):
        kept = len(rows) <= KEPT or i < 2 or i >= len(rows) - 2
        kind = "Table Text" if kept else "Table Row"
        _styled(row, f"{'Table Head' if section(table, row) else kind}{style}")


def _styled(row: Any, style: str) -> None:
    for cell in row[1]:
        cell[4] = [styled(style, [paragraph(p) for p in cell[4]] or [EMPTY])]


def paragraph(node: Node) -> Node:
    """A block that takes a style: pandoc gives "Compact" to plain text."""
    return node | {"t": "Para"} if node["t"] == "Plain" else node


def styled(style: str, blocks: list[Node]) -> Node:
    """The blocks with their paragraphs in a style of the document."""
    return {"t": "Div", "c": [["", [], [["custom-style", style]]], blocks]}
