"""The parts of a table that a line or a page of LaTeX does not hold whole: which columns and which
rows each has.
"""

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from reportkit.tables.grid import (
    Grid,
    is_models_by_evals,
    is_wide,
    of_rows,
    rows_of_part,
    runs_that_share,
)
from reportkit.tables.notes import LEFT_OUT
from reportkit.tables.writers.latex_place import CAPTION, LABEL, SIZES, SURE, TURNED_HEAD, Layout
from reportkit.text.latex_width import text_width
from reportkit.text.numbers import DASH


def column_parts(layout: Layout, divided: bool = False) -> list[list[int]]:
    """The columns of each part: the labels, and some of the others, as even as they come; divided:
    columns below one spanning head may come in different parts.
    """
    columns = layout.table.columns
    every = list(range(len(columns)))
    many = [j for j in every if is_wide(columns[j].key)]
    if many:
        return _parts_of_many(layout, many)
    if layout.width_of(every) <= SURE * layout.place.line:
        return [every]
    labels, others = every[: layout.table.labels], every[layout.table.labels :]
    units = [[j] for j in others] if divided else _units(layout, others)
    return _divided(layout, labels, [], units) or [every]


def _parts_of_many(layout: Layout, many: Sequence[int]) -> list[list[int]]:
    """What is told of each row beside the many stands in the first part where it costs no further
    one, else in a last part of its own.
    """
    rest = [j for j in range(len(layout.table.columns)) if j not in many]
    label, facts = rest[:1], rest[1:]
    alone = _by_models(layout, label, [], many)
    beside = _by_models(layout, label, facts, many)
    if not facts or (beside and len(beside) <= len(alone)):
        return beside or alone
    return [*alone, [*label, *facts]]


def _by_models(
    layout: Layout, label: Sequence[int], facts: Sequence[int], many: Sequence[int]
) -> list[list[int]]:
    """Parts of the many, of evals cut where they share no model: part by part, half of the cells
    would be dashes. That may cost one part more.
    """
    plain = _divided(layout, label, facts, [[j] for j in many])
    if len(plain) < 2 or not is_models_by_evals(layout.whole):
        return plain
    runs = [[[many[k]] for k in run] for run in _runs(layout.whole.cells, tuple(many))]
    apart = [_divided(layout, label, facts if run is runs[0] else [], run) for run in runs]
    return sum(apart, []) if all(apart) and len(sum(apart, [])) <= len(plain) + 1 else plain


@functools.lru_cache(maxsize=64)
def _runs(cells: Sequence[Sequence[str]], columns: Sequence[int]) -> list[list[int]]:
    return runs_that_share({i for i, row in enumerate(cells) if row[j] != DASH} for j in columns)


def mixed(layout: Layout) -> bool:
    """Whether one of several parts has evals that share no model."""
    if len(layout.parts) < 2 or not is_models_by_evals(layout.whole):
        return False
    many = [j for j, c in enumerate(layout.whole.columns) if is_wide(c.key)]
    parts = (tuple(j for j in part if j in many) for part in layout.parts)
    return any(len(_runs(layout.whole.cells, part)) > 1 for part in parts)


def _units(layout: Layout, columns: Sequence[int]) -> list[list[int]]:
    """Columns that stay together: those below one spanning head, where a line holds them."""
    units: list[list[int]] = []
    for name, run in itertools.groupby(columns, key=lambda j: layout.table.columns[j].group):
        own = list(run)
        together = name and layout.width_of(own) <= 0.6 * layout.place.line
        units += [own] if together else [[j] for j in own]
    return units


def _divided(
    layout: Layout, label: Sequence[int], facts: Sequence[int], units: Sequence[Sequence[int]]
) -> list[list[int]]:
    """Parts that fit the line, the fewest there are and as even as they come; none where not even
    one of the units stands beside the facts.
    """
    if not units:
        return []

    def greedy(limit: float) -> list[list[int]]:
        parts = [[*label, *facts]]
        fresh = True
        for unit in units:
            if not fresh and layout.width_of([*parts[-1], *unit]) > limit:
                parts.append([*label])
            parts[-1] += unit
            fresh = False
        return sorted(map(sorted, parts), key=lambda part: max(part))

    line = SURE * layout.place.line
    if facts and layout.width_of([*label, *facts, *units[0]]) > line:
        return []
    parts = greedy(line)
    if math.isinf(line):
        return parts
    for limit in range(int(line), 0, -5):
        narrower = greedy(float(limit))
        if len(narrower) > len(parts):
            break
        parts = narrower
    return parts


def of_part(layout: Layout, columns: Sequence[int]) -> Layout:
    """The layout with the rows of one of several parts of columns alone."""
    kept = rows_of_part(layout.whole, columns)
    if len(layout.parts) < 2 or len(kept) == len(layout.whole.cells):
        return layout
    table, whole = (of_rows(t, kept) for t in (layout.table, layout.whole))
    told = layout.notes + notes_height(layout, (LEFT_OUT,))
    made = replace(layout, table=table, whole=whole, notes=told)
    return replace(made, rows=row_parts(made))


def with_left_out(table: Grid, parts: Sequence[Layout]) -> Grid:
    """The table with a note where its parts leave out rows."""
    if all(len(part.table.cells) == len(table.cells) for part in parts):
        return table
    return replace(table, notes=(" ".join((*table.notes, LEFT_OUT)),))


def notes_height(layout: Layout, notes: Sequence[str]) -> float:
    """Points of notes below the widest part, in the smallest type."""
    small = SIZES[-1]
    length = text_width(" ".join(notes)) * small.wider
    return length / max(layout.width, LABEL) * small.lead


def row_parts(layout: Layout) -> list[range]:
    """The rows of each part: what a page holds below the caption, the heads and above the notes."""
    table, lead = layout.table, layout.size.lead
    lines = max((c.head.count("\n") + 1 for c in table.columns), default=0)
    heads = TURNED_HEAD if layout.turned_heads else lead * lines
    # spanning heads, with half a line for the rule below them
    heads += lead * max((c.group.count("\n") + 1.5 for c in table.columns if c.group), default=0.0)
    caption = CAPTION * max(3, math.ceil(text_width(table.title) / layout.place.line))
    room = layout.place.page - caption - heads
    above: dict[int, float] = {}
    for row, text in table.sections:
        above[row] = above.get(row, 0.0) + lead * (text.count("\n") + 1.6)
    heights = [
        lead * (max(text.count("\n") for text in row) + 1) + above.get(i, 0.0)
        for i, row in enumerate(table.cells)
    ]
    # even parts, of which the last has room for the notes, and each for a heading that goes on
    notes = min(layout.notes, room / 2)
    if sum(heights) + notes > room:
        room = max(room - max(above.values(), default=0.0), room / 2)
    n = max(1, math.ceil((sum(heights) + notes) / room))
    each = (sum(heights) + notes) / n
    parts: list[range] = []
    start, height = 0, 0.0
    for i, own in enumerate(heights):
        if height and height + own > each and len(parts) < n - 1:
            parts.append(range(start, i))
            start, height = i, 0.0
        height += own
    return [*parts, range(start, len(heights))]
