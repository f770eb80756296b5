"""Where and how large a table stands in LaTeX: at 8 pt or more, in a column of two where it fits
one, else as wide as the text, then turned, then in parts; no type is scaled.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from reportkit.tables.grid import Column, Grid, is_wide
from reportkit.tables.writers.latex_lines import HEAD, HEADS, even, label_lines
from reportkit.tables.writers.latex_parts import (
    column_parts,
    mixed,
    notes_height,
    of_part,
    row_parts,
)
from reportkit.tables.writers.latex_place import (
    LABEL,
    LINE,
    NARROW,
    ONE_LINE,
    PAGE,
    SIZES,
    SURE,
    TURNED_HEAD,
    Layout,
    Place,
    Size,
)
from reportkit.tables.writers.latex_rows import whole_names
from reportkit.text.latex_width import text_width, wrap

# A label that does not stay in one line breaks where it is wider than LABEL, or than these shares
# of the line, as narrow as it needs to be.
LABEL_SHARES = (0.3, 0.27, 0.22)
HEAD_LINES = 12  # a head of 200 words gets wider, not higher than the page
MOST_LINES = 2  # of a label in a column; a name that needs more has a longer line
TALL = 4  # lines of a head; one that would be taller is turned
IDEAL = (False, 1, False, False, 0)  # it fits, in one part, with level heads of few lines

# Of models or evals: level, level with names that break behind marks, upright.
Heads = Literal["level", "parted", "turned"]


def chosen(table: Grid, places: Sequence[Place], *, breaks: bool) -> Layout:
    """The layout in the first place that holds all columns, else in the last place in parts.

    breaks: the rows can go on over pages, so that only columns make further parts.
    """
    for place, wider in itertools.zip_longest(places, places[1:]):
        if wider and not _may_hold(table, place):
            continue
        layout = _best(table, place, breaks)
        whole = layout.fits and len(layout.parts) == 1
        asks = _cramped(layout) or (len(layout.rows) > 1 and _in_one(table, wider, breaks))
        if whole and not (place.standing == "column" and asks):
            return _narrower(_with_lower_labels(layout, table), table)
    in_text = replace(place, standing="text", line=LINE, page=PAGE)
    if place.standing == "turned" and len(places) > 1:
        upright = _best(table, in_text, breaks)
        fewer = pieces(upright, breaks) <= pieces(layout, breaks)
        if upright.fits and (len(layout.parts) > 1 or fewer):
            return upright
    return layout


def _narrower(layout: Layout, table: Grid) -> Layout:
    """A table of a column, for the narrowest column where it is as good in this one: with smaller
    type, or with names in two lines that are whole in this one. For the few points that it lacked
    it would be as wide as the text there.
    """
    place = layout.place
    if place.standing != "column" or layout.width <= SURE * NARROW:
        return layout
    narrow = replace(place, line=NARROW)
    ways = _laid(table, narrow, _limits(table, narrow))
    return next(
        (way for way in ways if _as_good(way, layout) and whole_names(way) <= place.line), layout
    )


def _with_lower_labels(layout: Layout, table: Grid) -> Layout:
    """With labels of two lines where they have more, and heads that are narrower and no taller make
    room for them in the same type.
    """
    if not _cramped(layout):
        return layout
    limits = range(int(LABEL_SHARES[0] * layout.place.line), int(LABEL), 8)
    ways = (way for way in _laid(table, layout.place, limits) if way.size == layout.size)
    return next((way for way in ways if _as_good(way, layout)), layout)


def _as_good(way: Layout, than: Layout) -> bool:
    whole = way.fits and len(way.parts) == 1 and len(way.rows) <= len(than.rows)
    return (
        whole
        and not _cramped(way)
        and way.turned_heads == than.turned_heads
        and _head_lines(way) <= _head_lines(than)
    )


def _head_lines(layout: Layout) -> int:
    return max(column.head.count("\n") + 1 for column in layout.table.columns)


def _cramped(layout: Layout) -> bool:
    """Whether the lines of labels or of notes are so many that the table asks for a longer line."""
    lines = max((t.count("\n") + 1 for row in layout.table.cells for t in row), default=0)
    return lines > MOST_LINES or layout.notes > layout.place.page / 2.0


def _in_one(table: Grid, place: Place | None, breaks: bool) -> bool:
    """Whether a longer line, where labels have fewer lines, holds the table in one piece."""
    if place is None:
        return False
    layout = _best(table, place, breaks)
    return layout.fits and len(layout.parts) * len(layout.rows) == 1


def roomier(layout: Layout, table: Grid) -> Layout:
    """Labels, then the heads of models or evals in fewer lines, as far as their part has room for
    them; table: before they were broken.
    """
    layout = _with_longer_labels(layout, table)
    for part in () if layout.turned_heads else layout.parts:
        many = [j for j in part if is_wide(table.columns[j].key)]
        trial = _with_lower_heads(layout, table, many)
        while trial is not layout and trial.width_of(part) <= SURE * layout.place.line:
            layout = trial
            trial = _with_lower_heads(layout, table, many)
    return layout


def _with_lower_heads(layout: Layout, table: Grid, many: Sequence[int]) -> Layout:
    """With one line less of the tallest heads, of all that are as tall: to break some of them less
    would make columns uneven and the head no lower.
    """
    tallest = max((layout.table.columns[j].head.count("\n") for j in many), default=0)
    for j in many:
        if layout.table.columns[j].head.count("\n") == tallest:
            layout = _in_fewer_lines(layout, j, table.columns[j].head)
    return layout


def _with_longer_labels(layout: Layout, table: Grid) -> Layout:
    """With the fewest lines of labels for which every part has room."""
    best = layout
    narrowest = LABEL_SHARES[-1] * layout.place.line
    for limit in range(int(narrowest), int(layout.place.line / layout.size.wider), 8):
        trial = _with_labels(layout, table, float(limit))
        if not trial.fits:
            break
        if _label_lines(trial) < _label_lines(best):
            best = trial
    return replace(best, rows=row_parts(best))


def _with_labels(layout: Layout, table: Grid, limit: float) -> Layout:
    """With labels that break where they are wider than the limit, at 10 pt."""
    left = [j for j, column in enumerate(table.columns) if column.align == "l"]
    cells = [list(row) for row in layout.table.cells]
    for row, before in zip(cells, table.cells, strict=True):
        for j in left:
            row[j] = label_lines(before[j], limit, j < table.labels)
    made = replace(layout.table, cells=tuple(map(tuple, cells)))
    widths = list(layout.widths)
    for j in left:
        widths[j] = _column(made, j, layout.size, False)
    return replace(layout, table=made, widths=tuple(widths))


def _label_lines(layout: Layout) -> int:
    """Of all rows together."""
    return sum(max(text.count("\n") + 1 for text in row) for row in layout.table.cells)


def _in_fewer_lines(layout: Layout, j: int, head: str) -> Layout:
    """With one line less of a column's head; the same where it has one."""
    lines = layout.table.columns[j].head.count("\n")
    if not lines:
        return layout
    limits = range(int(HEAD), int(text_width(head)) + 8, 4)
    fewer = next(t for t in (even(head, limit) for limit in limits) if t.count("\n") < lines)
    columns = list(layout.table.columns)
    columns[j] = replace(columns[j], head=fewer)
    made = replace(layout.table, columns=tuple(columns))
    widths = list(layout.widths)
    widths[j] = _column(made, j, layout.size, False)
    return replace(layout, table=made, widths=tuple(widths))


def whole(table: Grid, place: Place) -> Layout:
    """All columns beside each other, however wide."""
    return next(_laid(table, replace(place, line=math.inf), (LABEL,), (HEAD,)))


def _may_hold(table: Grid, place: Place) -> bool:
    """Whether the narrowest way has room for all columns beside each other."""
    ways = (
        _set(table, place, heads, _limits(table, place)[-1], SIZES[-1], HEAD)
        for heads in _heads(table)
    )
    every = range(len(table.columns))
    return any(way.width_of(every) <= SURE * place.line for way in ways)


def _limits(table: Grid, place: Place) -> tuple[float, ...]:
    """How wide a label may be, the widest first."""
    left = [j for j, c in enumerate(table.columns) if c.align == "l"]
    widest = max((_body(table, j) for j in left), default=0.0)
    whole = (widest,) if LABEL < widest <= ONE_LINE else ()
    return (*whole, LABEL, *(share * place.line for share in LABEL_SHARES))


def _heads(table: Grid) -> tuple[Heads, ...]:
    """Level heads and, where columns are many, those whose names break behind marks, and upright
    ones.
    """
    many = any(is_wide(c.key) for c in table.columns)
    return ("level", "parted", "turned") if many else ("level",)


def _best(table: Grid, place: Place, breaks: bool) -> Layout:
    """The layout with the fewest parts; of these the one with level heads, unless they are tall,
    with whole names in them and the larger type.
    """
    ways: list[Layout] = []

    def worse(way: Layout) -> tuple[bool, int, bool, bool, int]:
        tall = any(c.head.count("\n") >= TALL for c in way.table.columns)
        heads = 1 if way.turned_heads else 2 * tall
        return not way.fits, pieces(way, breaks), mixed(way), len(way.rows) > 1, heads

    for way in _laid(table, place, _limits(table, place)):
        if worse(way) == IDEAL:  # none can be better, and of equals the first counts
            return way
        ways.append(way)
    best = min(ways, key=worse)
    if best.fits or place.standing != "given":  # no other place replaces a given line
        return best
    apart = min(_laid(table, place, _limits(table, place), divided=True), key=worse)
    return apart if apart.fits else best


def pieces(layout: Layout, breaks: bool) -> int:
    """The parts, and one more where a part has evals that share no model; of a matrix that goes on
    over pages, their lines: one part more, with names in one line, can be shorter.
    """
    matrix = len(layout.parts) > 1 and any(is_wide(c.key) for c in layout.table.columns)
    if breaks and matrix:
        lines = (max(t.count("\n") + 1 for t in row) for row in layout.table.cells)
        return len(layout.parts) * sum(lines)
    pages = (1 if breaks else len(of_part(layout, part).rows) for part in layout.parts)
    return sum(pages) + mixed(layout)


def _laid(
    table: Grid,
    place: Place,
    limits: Sequence[float],
    widest: Sequence[float] = HEADS,
    divided: bool = False,
) -> Iterator[Layout]:
    """The table in each size, in parts; divided: also of columns below one spanning head."""
    for way in itertools.product(_heads(table), limits, SIZES, widest):
        layout = _set(table, place, *way)
        layout = replace(layout, parts=column_parts(layout, divided))
        layout = replace(layout, table=_with_spans(layout), notes=notes_height(layout, table.notes))
        yield replace(layout, rows=row_parts(layout))


def _set(table: Grid, place: Place, heads: Heads, limit: float, size: Size, head: float) -> Layout:
    """The table in one size, in lines, and not in parts yet."""
    turned = heads == "turned"
    broken = _broken(table, heads, limit / size.wider, head)
    widths = tuple(_column(broken, j, size, turned) for j in range(len(broken.columns)))
    return Layout(broken, size, turned, place, widths, table)


def _broken(table: Grid, heads: Heads, limit: float, widest: float) -> Grid:
    """Labels and heads in lines. heads: of models or evals. widest: what a line of a level head
    takes at least.
    """
    left = [c.align == "l" for c in table.columns]
    names = table.labels
    cells = tuple(
        tuple(label_lines(t, limit, j < names) if left[j] else t for j, t in enumerate(row))
        for row in table.cells
    )
    broken = replace(table, cells=cells)
    columns = []
    for j, column in enumerate(broken.columns):
        many = is_wide(column.key)
        if many and heads == "turned":
            head = wrap(column.head, TURNED_HEAD)
        else:
            shortest = text_width(column.head) / HEAD_LINES
            room = max(widest, shortest, _body(broken, j))
            head = even(column.head, room, many and heads == "parted")
        columns.append(replace(column, head=head))
    return replace(broken, columns=tuple(columns))


# Widths -------------------------------------------------------------------------------------------


def _body(table: Grid, j: int) -> float:
    """The widest cell of a column, at 10 pt."""
    bold = {i for i, column in table.bold if column == j}
    return _widest(tuple((row[j], i in bold) for i, row in enumerate(table.cells)))


@functools.lru_cache(maxsize=256)
def _widest(cells: tuple[tuple[str, bool], ...]) -> float:
    return max((text_width(text, bold=bold) for text, bold in dict.fromkeys(cells)), default=0.0)


def _column(table: Grid, j: int, size: Size, turned: bool) -> float:
    """Points of a column."""
    column = table.columns[j]
    head = text_width(column.head)
    if turned and is_wide(column.key):
        head = 10.0 * column.head.count("\n") + 10.0
    return max(head, _body(table, j)) * size.wider


def _with_spans(layout: Layout) -> Grid:
    """Spanning heads broken to the width of their columns, and headings to that of the table, in
    the part where that is narrowest.
    """
    table, wider = layout.table, layout.size.wider
    names: dict[str, float] = {}
    for part in layout.parts:
        for name, run in itertools.groupby(part, key=lambda j: table.columns[j].group):
            room = layout.width_of(list(run)) / wider
            names[name] = min(names.get(name, math.inf), room)

    def with_group(column: Column) -> Column:
        if not column.group:
            return column
        room = max(names[column.group], HEAD)
        return replace(column, group=even(column.group, room))

    sections = tuple((row, wrap(text, layout.heading)) for row, text in table.sections)
    return replace(table, columns=tuple(map(with_group, table.columns)), sections=sections)
