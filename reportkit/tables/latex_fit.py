"""How a table of evals by models is laid out for LaTeX: at 8 pt or more, for the width of a venue's
line; what does not fit goes on in further parts, and no type is scaled.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from reportkit.tables.grid import EVAL_KEY, MODEL_KEY, PUBLISHED_KEY, Grid
from reportkit.tables.latex import FLOATS, HEAD, HEAD_WORD, LINE, TURNED, Options, part_of
from reportkit.text.latex_width import text_width, wrap
from reportkit.text.numbers import counted

COLUMN = 252.0  # points of a column of two
# A label breaks into lines where it is wider than this share of the line.
LABEL = 0.3
TALL = 4  # lines of a head; one that would be taller is turned
TURNED_HEAD = 130.0  # points: a turned head that is longer breaks
SURE = 0.98  # of the line is used: kerns and other fonts
# Heights in points: of the text of article, of a turned page, and of a caption.
PAGE, TURNED_PAGE, CAPTION = 520.0, 300.0, 36.0


@dataclass(frozen=True, slots=True)
class Size:
    """A size of type: points, what text is wider there than at 10 pt (small type is cut wider), and
    the points between two columns.
    """

    points: int
    wider: float
    gap: float

    @property
    def lead(self) -> float:
        return 1.2 * self.points


SIZES = (Size(9, 0.925, 8.0), Size(8, 0.85, 6.0))


@dataclass(frozen=True, slots=True)
class _Layout:
    """One way to set a table: its lines broken, its columns and rows in parts."""

    table: Grid
    size: Size
    turned_heads: bool
    line: float
    parts: Sequence[Sequence[int]] = ()
    rows: Sequence[range] = ()


def fitted(table: Grid, options: Options) -> dict[str, Any]:
    """What templates/table.tex.j2 needs: the parts with their columns and rows, and the packages.

    options.width: points of the line. Without it a column of two where the table fits one, else the
    text of article, which is narrower than that of any venue, in a table* that two columns share;
    with wide="turn" the height of the page.
    """
    turned = options.wide == "turn"
    star = options.span == "page" or turned
    page = TURNED_PAGE if turned else PAGE
    chosen = _chosen(table, options.width or _line(turned, star), page)
    if not (options.width or star) and len(chosen.parts) > 1:
        star, chosen = True, _chosen(table, LINE, page)
    pieces = [(c, r) for c in chosen.parts for r in chosen.rows]
    parts = [_piece(chosen, piece, options, (k, len(pieces))) for k, piece in enumerate(pieces, 1)]
    siunitx = any(part["siunitx"] for part in parts)
    packages = ["booktabs", "threeparttable"]
    packages += ["rotating"] * turned + ["graphicx"] * chosen.turned_heads + ["siunitx"] * siunitx
    in_parts = f", in {counted(len(parts), 'part')}" if len(parts) > 1 else ""
    return {
        "parts": parts,
        "longtable": False,
        "fitted": chosen.size,
        "turned": turned,
        "star": Markup("*" if star else ""),
        "packages": [Markup(p) for p in packages],
        "fonts": Markup(" and, for pdflatex, [T1]{fontenc}"),
        "measure": Markup(
            f"Laid out for a line of {chosen.line:g}pt at {chosen.size.points}pt{in_parts}."
        ),
    }


def _line(turned: bool, star: bool) -> float:
    if turned:
        return TURNED
    return LINE if star else COLUMN


def _chosen(table: Grid, line: float, page: float) -> _Layout:
    """The layout with the fewest parts; of these the one with level heads, unless they are tall,
    and the larger type.
    """
    laid = [_laid(table, size, turned, line) for turned in (False, True) for size in SIZES]
    ways = [replace(way, rows=_row_parts(way, page)) for way in laid]
    tall = any(c.head.count("\n") >= TALL for c in ways[0].table.columns)

    def pieces(way: _Layout) -> int:
        return len(way.parts) * len(way.rows)

    return min(ways, key=lambda way: (pieces(way), way.turned_heads != tall))


def _laid(table: Grid, size: Size, turned: bool, line: float) -> _Layout:
    """The table at one size. turned: the heads of models or evals stand upright."""
    left = [c.align == "l" for c in table.columns]
    limit = LABEL * line / size.wider
    cells = tuple(
        tuple(wrap(text, limit) if label else text for text, label in zip(row, left, strict=True))
        for row in table.cells
    )
    broken = replace(table, cells=cells)
    columns = []
    for j, column in enumerate(broken.columns):
        if turned and _is_wide(column.key):
            head = wrap(column.head, TURNED_HEAD)
        else:
            head = _even(column.head, max(HEAD, _body(broken, j)))
        columns.append(replace(column, head=head))
    broken = replace(broken, columns=tuple(columns))
    layout = _Layout(broken, size, turned, line)
    layout = replace(layout, parts=_column_parts(layout))
    return replace(layout, table=_with_groups(layout))


def _even(head: str, limit: float) -> str:
    """A head in as many lines as the limit asks for, as even as they come."""
    lines = wrap(head, limit, HEAD_WORD)
    for narrower in range(int(limit), int(HEAD), -2):
        tried = wrap(head, narrower, HEAD_WORD)
        if tried.count("\n") > lines.count("\n"):
            break
        lines = tried
    return lines


def _is_wide(key: str) -> bool:
    """Whether a column is of a model or an eval: one of the many."""
    return key.startswith((MODEL_KEY, EVAL_KEY, PUBLISHED_KEY))


# Widths -------------------------------------------------------------------------------------------


def _body(table: Grid, j: int) -> float:
    """The widest cell of a column, at 10 pt."""
    return max(
        (text_width(row[j], bold=(i, j) in table.bold) for i, row in enumerate(table.cells)),
        default=0.0,
    )


def _column(layout: _Layout, j: int) -> float:
    column = layout.table.columns[j]
    head = text_width(column.head)
    if layout.turned_heads and _is_wide(column.key):
        head = 10.0 * layout.table.columns[j].head.count("\n") + 10.0
    return max(head, _body(layout.table, j)) * layout.size.wider


def _width(layout: _Layout, columns: Sequence[int]) -> float:
    """What a part of the table takes of the line; a spanning head breaks into lines."""
    own = [_column(layout, j) + layout.size.gap for j in columns]
    return sum(own) - layout.size.gap


# Parts --------------------------------------------------------------------------------------------


def _column_parts(layout: _Layout) -> list[list[int]]:
    """The columns of each part: the label, some of the many, as even as they come. What is told of
    each row beside them stands in the first part where it costs no further one, else in a last part
    of its own.
    """
    many = [j for j, c in enumerate(layout.table.columns) if _is_wide(c.key)]
    rest = [j for j in range(len(layout.table.columns)) if j not in many]
    label, facts = rest[:1], rest[1:]
    if not many:
        return [rest]
    alone = _divided(layout, label, [], many)
    beside = _divided(layout, label, facts, many)
    if not facts or (beside and len(beside) <= len(alone)):
        return beside or alone
    return [*alone, [*label, *facts]]


def _divided(
    layout: _Layout, label: Sequence[int], facts: Sequence[int], many: Sequence[int]
) -> list[list[int]]:
    """Parts that fit the line, the fewest there are and as even as they come; none where not even
    one of the many stands beside the facts.
    """

    def greedy(limit: float) -> list[list[int]]:
        parts = [[*label, *facts]]
        fresh = True
        for j in many:
            if not fresh and _width(layout, [*parts[-1], j]) > limit:
                parts.append([*label])
            parts[-1].append(j)
            fresh = False
        return sorted(map(sorted, parts), key=lambda part: max(part))

    line = SURE * layout.line
    if facts and _width(layout, [*label, *facts, many[0]]) > line:
        return []
    parts = greedy(line)
    for limit in range(int(line), 0, -5):
        narrower = greedy(float(limit))
        if len(narrower) > len(parts):
            break
        parts = narrower
    return parts


def _with_groups(layout: _Layout) -> Grid:
    """Spanning heads broken to the width of their columns in the part where that is narrowest."""
    names: dict[str, float] = {}
    for part in layout.parts:
        for name, run in itertools.groupby(part, key=lambda j: layout.table.columns[j].group):
            own = list(run)
            room = _width(layout, own) / layout.size.wider
            names[name] = min(names.get(name, math.inf), room)
    columns = (
        replace(c, group=wrap(c.group, max(names[c.group], HEAD), HEAD_WORD) if c.group else "")
        for c in layout.table.columns
    )
    return replace(layout.table, columns=tuple(columns))


def _row_parts(layout: _Layout, page: float) -> list[range]:
    """The rows of each part: what a page holds below the caption, the heads and above the notes."""
    table, lead = layout.table, layout.size.lead
    widest = max(_width(layout, part) for part in layout.parts)
    notes = text_width(" ".join(table.notes)) * SIZES[-1].wider / widest * SIZES[-1].lead
    heads = max(
        TURNED_HEAD if layout.turned_heads else lead * (c.head.count("\n") + 1)
        for c in table.columns
    )
    room = page - CAPTION - heads
    above = {row for row, _ in table.sections}
    heights = [
        lead * (max(text.count("\n") for text in row) + 1) + 1.6 * lead * (i in above)
        for i, row in enumerate(table.cells)
    ]
    # even parts, of which the last has room for the notes
    n = max(1, math.ceil((sum(heights) + min(notes, room / 2)) / room))
    each = (sum(heights) + min(notes, room / 2)) / n
    parts: list[range] = []
    start, height = 0, 0.0
    for i, own in enumerate(heights):
        if height and height + own > each and len(parts) < n - 1:
            parts.append(range(start, i))
            start, height = i, 0.0
        height += own
    return [*parts, range(start, len(heights))]


def _piece(
    layout: _Layout, piece: tuple[Sequence[int], range], options: Options, place: tuple[int, int]
) -> dict[str, Any]:
    """What the template sets of one part; the notes stand below the last."""
    columns, rows = piece
    made = part_of(layout.table, columns, rows, options.align, place)
    for head, j in zip(made["heads"], columns, strict=True):
        head["turned"] = layout.turned_heads and _is_wide(layout.table.columns[j].key)
    number, pieces = place
    flush = number > 1 and (number - 1) % FLOATS == 0
    return made | {"last": number == pieces, "flush": flush}
