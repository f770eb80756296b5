"""A table that shows itself, and gives tables like it with other digits, order, names, columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.results import EvalResult, SuiteResult
from reportkit.tables.captions import Caption
from reportkit.tables.cells import Style
from reportkit.tables.given import is_number, text_of
from reportkit.tables.grid import MODEL_KEY, Column, Grid, undefined_is_none
from reportkit.tables.notes import left_by
from reportkit.tables.renaming import captioned, renamed
from reportkit.tables.writers.latex import REPORT_LINE
from reportkit.tables.writers.plain import plain_text
from reportkit.tables.writers.render import render_drop_in, render_table
from reportkit.text.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Column", "Recipe", "Table"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a table was made, so that it can be made again with other names or decimals.

    results: of evals, or the one suite; what `make` takes.

    edits: what was done to it since, in order; they know rows and columns by their places.
    """

    results: tuple[EvalResult, ...] | tuple[SuiteResult, ...]
    style: Style
    make: Callable[[Any, Style], "Table"]
    edits: tuple[Callable[["Table"], "Table"], ...] = ()
    shape: tuple[int, int] = (0, 0)  # rows and columns before any edit

    def again(self) -> "Table":
        table = captioned(self.make, self.results, self.style)
        table = replace(table, recipe=replace(self, edits=()))
        if self.edits and _shape(table) != self.shape:
            raise ScoresError(
                f"with these names table {table.name!r} is laid out in another way; give the names "
                "before other changes"
            )
        for edit in self.edits:
            table = table.edited(edit)
        return table


@dataclass(frozen=True, slots=True, repr=False)
class Table(Grid):
    """A table as finished text, with its caption and notes.

    print(table) shows it, a notebook's cell too. Every method gives a new table, which render_table
    sets in every format; a column is named by its head or its key. The CSV of a table that was
    changed holds the columns that it shows, unrounded.

    fields: for each cell the unrounded numbers it shows, by the names that to_frame() gives them.
    whole: the same table with the columns that it leaves out, as they say the same in every row or
    belong to its full form; None where there are none. to_frame() and with_columns() know them.
    """

    fields: tuple[tuple[Mapping[str, Any], ...], ...] = field(default=(), repr=False, compare=False)
    recipe: Recipe | None = field(default=None, repr=False, compare=False)
    whole: "Table | None" = field(default=None, repr=False, compare=False)

    # How it shows itself --------------------------------------------------------------------------

    def __str__(self) -> str:
        return plain_text(self)

    def __repr__(self) -> str:
        return plain_text(self)

    def _repr_html_(self) -> str:
        return render_drop_in(self, "html")

    def _repr_markdown_(self) -> str:
        return render_table(self, "md")

    def _repr_latex_(self) -> str:
        return render_table(self, "tex", width=REPORT_LINE)

    def to_frame(self) -> "pd.DataFrame":
        """The unrounded numbers as a pandas DataFrame, a row for each row of the table.

        A column that prints an estimate with its error gives two: Mean and SE.
        """
        import pandas as pd

        return pd.DataFrame(self.records())

    def records(self) -> list[dict[str, Any]]:
        """The unrounded numbers of each row, by readable names; texts as they print."""
        rows: list[dict[str, Any]] = []
        table = self.whole or self
        for cells in table.fields or table._fields_of_cells():
            row: dict[str, Any] = {}
            for fields in cells:
                for name, value in fields.items():
                    row[_free_name(name, row)] = value
            rows.append(row)
        return rows

    def _fields_of_cells(self) -> list[list[dict[str, Any]]]:
        """Of a table made by hand: the values, and the text of what has none."""
        rows = []
        for i, cells in enumerate(self.cells):
            fields = []
            for j, (column, text) in enumerate(zip(self.columns, cells, strict=True)):
                value = self.values[i][j] if self.values else None
                numeric = bool(self.values) and any(row[j] is not None for row in self.values)
                fields.append({column.head: value if numeric else text})
            rows.append(fields)
        return rows

    # Tables like it -------------------------------------------------------------------------------

    def with_digits(self, digits: int) -> "Table":
        """Scores, differences and their errors with so many decimals (of a percent, where they are
        percentages).
        """
        recipe = self._recipe("other digits")
        style = replace(recipe.style, digits=digits)
        return replace(replace(recipe, style=style).again(), number=self.number)

    def with_names(self, names: Mapping[str, str]) -> "Table":
        """Models by other names, everywhere in the table; names: old name -> new name."""
        recipe = self._recipe("other names")
        known = list(dict.fromkeys(m for r in recipe.results for m in r.models))
        for name in names:
            if name not in known:
                raise UnknownNameError(
                    f"no model {name!r} in this table{did_you_mean(name, known)}"
                )
        results = tuple(renamed(r, names) for r in recipe.results)
        return replace(replace(recipe, results=results).again(), number=self.number)

    def with_notes(self, *notes: str) -> "Table":
        """Other sentences below the table."""
        return self.edited(lambda table: replace(table, notes=notes))

    def with_title(self, title: str) -> "Table":
        """Another caption."""
        return self.edited(lambda table: replace(table, title=title))

    def without(self, *columns: str) -> "Table":
        """Without some columns, and without the notes that explain them."""
        names = [name for name in columns if not self._left_out(name)]
        gone = {self._place(name) for name in names}
        return self._with_places([j for j in range(len(self.columns)) if j not in gone])

    def with_columns(self, *columns: str) -> "Table":
        """These columns alone, in this order."""
        if self.whole is not None and any(map(self._left_out, columns)):
            whole = self.whole
            places = [whole._place(name) for name in columns]
            rows = range(len(self.cells))

            def edit(table: Table) -> Table:
                return replace(
                    _picked(table.whole or table, rows, places),
                    title=table.title, number=table.number, recipe=table.recipe,
                )  # fmt: skip

            return self.edited(edit)
        return self._with_places([self._place(name) for name in columns])

    def of_columns(self, places: Sequence[int]) -> "Table":
        """Some columns by their places, with all notes."""
        return replace(_picked(self, range(len(self.cells)), places), notes=self.notes)

    def with_models(self, *models: str) -> "Table":
        """Models in this order, those not named after them: rows, columns, or both in a matrix."""
        known = self._models()
        for name in models:
            if name not in known:
                raise UnknownNameError(
                    f"no model {name!r} in this table{did_you_mean(name, known)}"
                )
        order = {name: place for place, name in enumerate(models)}
        places = list(range(len(self.columns)))
        heads = [j for j in places if self.columns[j].key.startswith(MODEL_KEY)]
        for place, j in zip(heads, sorted(heads, key=self._order_of_head(order)), strict=True):
            places[place] = j
        rows = sorted(range(len(self.cells)), key=self._order_of_row(order))

        def edit(table: Table) -> Table:
            whole = table.whole
            if whole is not None:
                whole = _picked(whole, rows, range(len(whole.columns)))
            return replace(_picked(table, rows, places), whole=whole)

        return self.edited(edit)

    def with_column(
        self,
        head: str,
        content: Sequence[Any] | Callable[[dict[str, Any]], Any],
        *,
        digits: int | None = None,
        align: str = "",
        group: str = "",
    ) -> "Table":
        """With one more column at the end.

        content: a number or text for each row, or a function of a row's records(). digits: decimals
        of the numbers; None: as they are. align: l, r or c; empty: text left, numbers right.
        """
        if callable(content):
            values = [content(record) for record in self.records()]
        else:
            values = list(content)
        if len(values) != len(self.cells):
            raise ScoresError(
                f"column {head!r} has {counted(len(values), 'value')} for "
                f"{counted(len(self.cells), 'row')}; "
                "give one for each row, in the order of the table"
            )
        numeric = all(v is None or is_number(v) for v in values)
        column = Column(head, align or ("r" if numeric else "l"), group, key=head)
        texts = [text_of(v, digits) for v in values]
        numbers = [float(v) if is_number(v) else None for v in values]

        def edit(table: Table) -> Table:
            fields = table.fields or table._fields_of_cells()
            grown = table.values or ((None,) * len(table.columns),) * len(table.cells)
            return replace(
                table,
                whole=None,
                columns=(*table.columns, column),
                cells=tuple((*row, t) for row, t in zip(table.cells, texts, strict=True)),
                values=undefined_is_none((*row, v) for row, v in zip(grown, numbers, strict=True)),
                fields=tuple((*row, {head: v}) for row, v in zip(fields, values, strict=True)),
            )

        return self.edited(edit)

    # How they are made ----------------------------------------------------------------------------

    def edited(self, edit: Callable[["Table"], "Table"]) -> "Table":
        """The table after a change that stays when digits or names change later."""
        table = edit(self)
        if self.recipe is not None:
            shape = self.recipe.shape if self.recipe.edits else _shape(self)
            recipe = replace(self.recipe, edits=(*self.recipe.edits, edit), shape=shape)
            table = replace(table, recipe=recipe)
        return replace(table, data=tuple(table.records()))

    def _recipe(self, what: str) -> Recipe:
        if self.recipe is None:
            raise ScoresError(
                f"table {self.name!r} was made by hand or cut down: {what} need a table from "
                "make_table()"
            )
        return self.recipe

    def _left_out(self, name: str) -> bool:
        """Whether the whole table alone has this column."""
        if self.whole is None:
            return False
        heads = {c.head for c in self.columns} | {c.key for c in self.columns}
        known = {c.head for c in self.whole.columns} | {c.key for c in self.whole.columns}
        return name in known - heads

    def _place(self, name: str) -> int:
        """Where a column stands, by its head or its key."""
        heads = [c.head.replace("\n", " ") for c in self.columns]
        for names in (heads, [c.key for c in self.columns]):
            if name in names:
                return names.index(name)
        raise UnknownNameError(f"no column {name!r} in this table{did_you_mean(name, heads)}")

    def _with_places(self, places: Sequence[int]) -> "Table":
        rows = range(len(self.cells))
        return self.edited(lambda table: _picked(table, rows, places))

    def _models(self) -> list[str]:
        heads = [c.key.removeprefix(MODEL_KEY) for c in self.columns if c.key.startswith(MODEL_KEY)]
        cells = [name for row in self._names("model", "baseline", "other") for name in row]
        return list(dict.fromkeys([*heads, *cells]))

    def _names(self, *keys: str) -> list[list[str]]:
        """What stands in each row under columns of names."""
        places = [j for j, column in enumerate(self.columns) if column.key in keys]
        fields = self.fields or self._fields_of_cells()
        return [[str(next(iter(row[j].values()))) for j in places] for row in fields]

    def _order_of_head(self, order: Mapping[str, int]) -> Callable[[int], int]:
        def key(j: int) -> int:
            return order.get(self.columns[j].key.removeprefix(MODEL_KEY), len(order))

        return key

    def _order_of_row(self, order: Mapping[str, int]) -> Callable[[int], tuple[int, ...]]:
        """Evals stay in their order, and under each the models come in theirs."""
        evals = [tuple(names) for names in self._names("eval")]
        first = {names: evals.index(names) for names in dict.fromkeys(evals)}
        models = self._names("model", "baseline", "other")

        def key(i: int) -> tuple[int, ...]:
            places = [order.get(name, len(order)) for name in models[i]]
            return (first[evals[i]], *places)

        return key


def _shape(table: Table) -> tuple[int, int]:
    return len(table.cells), len(table.columns)


def _picked(table: Table, rows: Sequence[int], places: Sequence[int]) -> Table:
    """Rows and columns of a table by their places, in this order; notes on columns that go, go."""
    keys = {table.columns[j].key for j in places}
    gone = {column.key for column in table.columns} - keys
    new_row = {old: new for new, old in enumerate(rows)}
    new_place = {old: new for new, old in enumerate(places)}

    def pick(cells: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
        return tuple(tuple(cells[i][j] for j in places) for i in rows) if cells else ()

    return replace(
        table,
        columns=tuple(table.columns[j] for j in places),
        cells=pick(table.cells),
        values=pick(table.values),
        fields=pick(table.fields),
        bold=frozenset(
            (new_row[i], new_place[j]) for i, j in table.bold if i in new_row and j in new_place
        ),
        title=table.title.without(gone) if isinstance(table.title, Caption) else table.title,
        notes=tuple(left_by(table.notes, gone)),
        whole=None,
    )


def _free_name(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a number where a column before it has the same."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free
