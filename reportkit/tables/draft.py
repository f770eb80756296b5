"""Records and column specs -> tables: head, text, value and bold of a column are made together, for
one eval and for several.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from reportkit.results import EvalResult
from reportkit.tables.captions import about_several, caption_of
from reportkit.tables.grid import Column, undefined_is_none
from reportkit.tables.notes import (
    IN_CAPTIONS,
    Note,
    fictional_notes,
    joined_notes,
    left_by,
    without_metric,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, counted

OTHER = "Other evals"  # heading of the evals without a category, where some have one


@dataclass(frozen=True, slots=True)
class Cell:
    """One finished cell."""

    text: str
    value: float | None
    bold: bool
    fields: Mapping[str, Any]  # unrounded, by the names that a frame has for them


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """One column of a table: its head, and how a record becomes its text and its number.

    key: by which layouts choose columns. value: None where the column is text. bold: which records'
    cells are. fields: the unrounded numbers by the names that to_frame() gives them; empty: the
    value under the head. shown: False leaves the column out. mark: what stands behind a record's
    text, and a note explains. core: only the full table has the columns that are not.

    same: of a column that prints one text in every row, what a note says in its place ("2,500
    questions"), or "" where something else says it; None: the column stays. idle: texts that say
    nothing, so that the column goes from a table of one row too. lower: as in Column.
    """

    key: str
    head: str
    text: Callable[[Any], str]
    value: Callable[[Any], float | None] | None = None
    align: str = "r"
    group: str = ""
    shown: bool = True
    bold: Callable[[Any], bool] | None = None
    mark: Callable[[Any], str] | None = None
    fields: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    core: bool = True
    same: Callable[[str], str] | None = None
    idle: Collection[str] = ()
    lower: bool = False

    @property
    def column(self) -> Column:
        return Column(self.head, self.align, self.group, self.key, self.lower)

    @property
    def _name(self) -> str:
        """What a frame calls the one number of the column."""
        name = f"{self.group}: {self.head}" if self.group else self.head
        return name.replace("\n", " ")

    def cell(self, record: Any) -> Cell:
        text = self.text(record)
        value = None if self.value is None else self.value(record)
        if self.fields:
            fields = {name: _number(read(record)) for name, read in self.fields.items()}
        else:
            fields = {self._name: text if self.value is None else _number(value)}
        shown = text if self.mark is None else text + self.mark(record)
        return Cell(shown, value, self.bold is not None and self.bold(record), fields)

    def told(self, text: str, value: float | None) -> Cell:
        """A cell of no record: its number stands under the first of the column's fields."""
        own = text if self.value is None else _number(value)
        names = list(self.fields) or [self._name]
        fields = {name: own if i == 0 else math.nan for i, name in enumerate(names)}
        return Cell(text, value, False, fields)


def _number(value: Any) -> Any:
    """What a frame holds: undefined is nan."""
    return math.nan if value is None else value


@dataclass(frozen=True, slots=True)
class Draft:
    """A table of one eval before it is text.

    title: what it shows, without the eval's name, in a small letter first and a full stop last.
    notes: empty ones go. data: what the CSV has; records of results get the eval and its metric.
    below: further rows, each with text and number of some columns by key; the others have a dash.
    each: what a row is, where a note tells what all of them share. about: a further sentence of
    the caption of one eval's table (see captions); told: keys of columns that it stands for where
    they print one text. single: columns go from a table of one row too.
    full: every column stands, whatever it says.
    """

    name: str
    title: str
    result: EvalResult
    specs: Sequence[ColumnSpec]
    records: Sequence[Any]
    notes: Sequence[Note]
    data: Sequence[Any]
    below: Sequence[Mapping[str, tuple[str, float | None]]] = ()
    each: str = "Each model"
    about: str = ""
    told: Collection[str] = ()
    single: bool = False
    full: bool = False

    @property
    def shown(self) -> list[ColumnSpec]:
        return [spec for spec in self.specs if spec.shown]

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes, and those that are empty but have a form for several evals."""
        return (*fictional_notes(self.result), *(n for n in self.notes if n or n.wide))

    def rows(self, keys: Sequence[str]) -> list[list[Cell]]:
        """The cells of each record, in the order of the keys."""
        specs = {spec.key: spec for spec in self.shown}
        rows = [[specs[key].cell(record) for key in keys] for record in self.records]
        return rows + [[specs[key].told(*row.get(key, (DASH, None))) for key in keys]
                       for row in self.below]  # fmt: skip

    def csv_records(self) -> list[dict[str, Any]]:
        labels = {"eval": self.result.eval, "metric": self.result.metric}
        return [labels | (d if isinstance(d, dict) else _fields_of(d)) for d in self.data]

    def laid_out(self, keys: Collection[str], heads: Mapping[str, str] | None = None) -> "Draft":
        """Some of the columns in an order of one's own, nothing in bold; notes about other columns
        go.

        heads: other heads, by key.
        """
        heads = heads or {}
        known = {spec.key: spec for spec in self.shown}
        specs = [
            replace(known[key], head=heads.get(key, known[key].head), bold=None)
            for key in keys
            if key in known
        ]
        notes = [n for n in self.notes if (not n.about or n.about in keys) and n.kind != "range"]
        return replace(self, specs=specs, notes=notes, full=True)


def _fields_of(record: Any) -> dict[str, Any]:
    """The fields of a record, as they are: asdict would copy each."""
    return {f.name: getattr(record, f.name) for f in fields(record)}


def table_of(draft: Draft) -> Table:
    """The table of one eval, its name in the title."""
    keys = [spec.key for spec in draft.shown]
    table = filled(
        draft.name,
        caption_of(f"{draft.result.eval}: {draft.title}", draft.about),
        [spec.column for spec in draft.shown],
        draft.rows(keys),
    )
    data = tuple(draft.csv_records())
    notes = tuple(n for n in draft.all_notes if n and not (draft.about and n.kind in IN_CAPTIONS))
    r = draft.result
    return _short(replace(table, notes=notes, eval=r.eval, data=data, lower=r.lower), [draft])


def _short(table: Table, drafts: Sequence[Draft]) -> Table:
    """The table without the columns that only its full form has, and those that print one text in
    every row.
    """
    if any(draft.full for draft in drafts):
        return table
    first, several = drafts[0], len(drafts) > 1
    rows = table.cells if several else table.cells[: len(first.records)]
    told = () if several else first.told
    return said_once(table, first.shown, first.each, rows, told=told, single=first.single)


def said_once(
    table: Table,
    columns: Sequence[ColumnSpec],
    each: str,
    rows: Sequence[Sequence[str]],
    *,
    told: Collection[str] = (),
    single: bool = False,
) -> Table:
    """The table without the columns that are not core, and those that print one text in all of
    these rows; a note tells this text. The whole table stays behind it.

    each: what a row is. told: keys of columns of which the caption tells the text. single: columns
    go from a table of one row too.
    """
    specs = {spec.key: spec for spec in columns}
    gone, phrases = set(), []
    for j, column in enumerate(table.columns):
        spec = specs.get(column.key)
        if spec is None:
            continue
        texts = {row[j] for row in rows}
        if not spec.core:
            gone.add(column.key)
        elif spec.same is not None and _says_once(
            texts, len(rows), texts if column.key in told or single else spec.idle
        ):
            gone.add(column.key)
            phrases.append("" if column.key in told else spec.same(texts.pop()))
    if not gone:
        return table
    notes = left_by(table.notes, gone)
    if any(phrases):
        place = sum(isinstance(n, Note) and n.kind == "fictional" for n in notes)
        text = f"{each}: {', '.join(filter(None, phrases))}."
        notes.insert(place, Note(text, "same"))
    places = [j for j, column in enumerate(table.columns) if column.key not in gone]
    shown = table.of_columns(places)
    if not any(DASH in text for row in shown.cells for text in row):
        notes = [n for n in notes if not n.startswith(f"{DASH}:")]
    return replace(shown, notes=tuple(notes), whole=table)


def _says_once(texts: Collection[str], rows: int, idle: Collection[str]) -> bool:
    """Whether a column prints one text; of a single row, one that says nothing."""
    return len(texts) == 1 and (rows > 1 or not set(texts).isdisjoint(idle))


def table_of_several(drafts: Sequence[Draft], theme: str) -> Table:
    """The records of each eval one below the other, with a column for the eval; columns that some
    evals lack are left out.
    """
    results = [draft.result for draft in drafts]
    keys = [spec.key for spec in drafts[0].shown]
    for draft in drafts:
        own = {spec.key for spec in draft.shown}
        keys = [key for key in keys if key in own]
    rows: list[list[Cell]] = []
    starts = []
    for draft in drafts:
        starts.append(len(rows))
        name = draft.result.eval
        label = Cell(name, None, False, {"Eval": name})
        rows += [[label, *cells] for cells in draft.rows(keys)]
    columns = {spec.key: spec.column for spec in drafts[0].shown}
    title = drafts[0].title.rstrip(".")
    printed = {spec.key: spec.shown for spec in drafts[0].specs}
    interval = "ci" in keys or (theme == "ci" and printed.get("ci") is False)
    records = [x for draft in drafts for x in draft.records if interval and hasattr(x, "method")]
    about = about_several(results, records, theme)
    table = filled(
        drafts[0].name,
        caption_of(f"{title[0].upper()}{title[1:]}, on {counted(len(drafts), 'eval')}.", about),
        [Column("Eval", "l", key="eval"), *(columns[key] for key in keys)],
        rows,
    )
    table = replace(
        table,
        notes=joined_notes(results, [_notes_beside(draft, keys) for draft in drafts]),
        sections=category_sections(results, starts, len(rows)),
        data=tuple(record for draft in drafts for record in draft.csv_records()),
        lower=all(r.lower for r in results),
    )
    return _short(table, drafts)


def _notes_beside(draft: Draft, keys: Collection[str]) -> list[Note]:
    """What a draft says below columns of these keys; what it says of its other columns goes."""
    gone = {spec.key for spec in draft.shown}.difference(keys)
    return [note for note in without_metric(draft.all_notes) if note.about not in gone]


def filled(
    name: str, title: str, columns: Iterable[Column], rows: Sequence[Sequence[Cell]]
) -> Table:
    """A table of finished cells."""
    return Table(
        name,
        title,
        tuple(columns),
        tuple(tuple(cell.text for cell in row) for row in rows),
        undefined_is_none([cell.value for cell in row] for row in rows),
        bold=frozenset(
            (i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell.bold
        ),
        fields=tuple(tuple(cell.fields for cell in row) for row in rows),
    )


def category_sections(
    results: Sequence[EvalResult], starts: Sequence[int], size: int
) -> tuple[tuple[int, str], ...]:
    """Headings of the categories, each above the first of its rows; starts: the first row of each
    eval.
    """
    if not any(r.category for r in results):
        return ()
    ends = [*starts[1:], size]
    sections: list[tuple[int, str]] = []
    for r, start, end in zip(results, starts, ends, strict=True):
        heading = r.category or OTHER
        if end > start and (not sections or sections[-1][1] != heading):
            sections.append((start, heading))
    return tuple(sections)
