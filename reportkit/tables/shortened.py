"""What a document shows of a long table: its summary, some of its rows, or a sentence."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.results import EvalResult
from reportkit.tables.grid import STATISTIC, Column, of_rows
from reportkit.tables.notes import FICTIONAL, FILES, NOTHING, REPEATS, Note
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count

SHOWN_ROWS = 100  # of a table in the document; the drop-in has all
CUT_FROM = 1.25  # times as many rows: to leave out a few more would save hardly a line
SHOWN_PAIRS = 40  # of a table with a row for each comparison
SHOWN_COLUMNS = 14
QUESTIONS = "questions"  # the key of a column
ALIKE = 3  # rows that say the same stand in one
NAMES = ("model", "baseline", "other", "eval")  # keys of columns that only name
PLACES = {"Lowest": 0.0, "Median": 0.5, "Highest": 1.0}


def says_nothing(table: Table) -> bool:
    """Whether a table shows names alone, nothing but dashes beside them, or what stands elsewhere
    and nothing that its user added.
    """
    if table.recipe and not table.recipe.edits and any(map(_is_repeated, table.notes)):
        return True
    places = [j for j, column in enumerate(table.columns) if column.key not in NAMES]
    return all(row[j] == DASH for row in table.cells for j in places)


def least(table: Table) -> Table:
    """A table that says nothing, as a drop-in: its caption and, in place of rows, the notes that
    say what is the same in every row, or why there is none. The CSV has all columns. A table that
    was made of names alone stays as it is.
    """
    whole = table.whole or table
    dashes = (all(row[j] == DASH for row in whole.cells) for j in range(len(whole.columns)))
    why = tuple(filter(_is_repeated, table.notes))
    if not table.notes or not (why or table.whole or any(dashes)):
        return table
    bare = replace(table, columns=(), cells=(), values=(), fields=(), sections=())
    if why:
        first = [n for n in table.notes if isinstance(n, Note) and n.kind == FICTIONAL.kind]
        bare = replace(bare, notes=(*first, *why))
    return replace(bare, bold=frozenset(), recipe=None, whole=whole)


def _is_repeated(note: str) -> bool:
    return isinstance(note, Note) and note.kind == REPEATS


def shortened(table: Table, result: EvalResult, summarised_from: int = 0, full: str = "") -> Table:
    """A table as the document shows it: of very many rows the summary, of comparisons those with
    the best model; rows that are alike together.

    summarised_from: rows beyond which the summary stands alone; 0: never. full: the table that has
    all rows; empty: it has them itself.
    """
    n = len(table.cells)
    if says_nothing(table):
        return table
    if summarised_from and n > summarised_from:
        return summary(table, full)
    if table.name == "data":
        table = together(table)
        n = len(table.cells)
    if n > SHOWN_PAIRS and result.best and not result.baseline and _compares(table):
        best = result.best[0]
        rows = [i for i in range(n) if best in _models_of(table, i)]
        if len(rows) <= SHOWN_ROWS:
            which = f"Comparisons with the {result.top} mean, that of {best}"
            return only_rows(table, rows, which)
    return first_rows(table)


def first_rows(table: Table) -> Table:
    """A long table without the rows beyond the limit, where these are a good part of it."""
    n = len(table.cells)
    kept = range(SHOWN_ROWS if n > CUT_FROM * SHOWN_ROWS else n)
    return only_rows(table, kept, "The first rows")


def _compares(table: Table) -> bool:
    return any(column.key == "baseline" for column in table.columns)


def _models_of(table: Table, row: int) -> list[str]:
    cells = zip(table.columns, table.cells[row], strict=True)
    return [text for column, text in cells if column.key in ("model", "baseline")]


def shortened_of_suite(table: Table, evals: int, summarised_from: int, full: str) -> Table:
    """A table of several evals as a suite's document shows it: of very many rows the summary, of
    each eval where there are few evals. Evals of which it has no number are told in a note alone.
    """
    if says_nothing(table):
        return table
    if 0 < summarised_from < len(table.cells):
        table = summary(table, full) if evals > summarised_from else summary_of_evals(table, full)
    return of_evals_with_numbers(table)


def together(table: Table) -> Table:
    """Of a table with a row for each model, the most rows of an eval that say the same in one
    (of equally many the fullest, so that models that miss much are named), after the others,
    which stay in their order: of two such rows a reader could not know which models each is of.
    Where one row is left of each of several evals, for the same number of models, a note tells
    it in place of their column.
    """
    place = [column.key for column in table.columns].index("model")
    said = [(*row[:place], *row[place + 1 :]) for row in table.cells]
    if max(Counter(said).values(), default=0) < ALIKE:
        return table
    questions = next((k for k, c in enumerate(table.columns) if c.key == QUESTIONS), None)

    def full(row: int) -> float:
        """How many questions the row's model answered."""
        n = None if questions is None or not table.values else table.values[row][questions]
        return n if n is not None and n == n else 0.0

    rows: list[tuple[int, tuple[str, ...]]] = []
    starts: dict[int, int] = {}  # the first row of each eval -> where it comes to stand
    for of_eval in rows_of_evals(table):
        starts[of_eval[0]] = len(rows)
        n_of = Counter(said[i] for i in of_eval)
        n, what = max(n_of.values()), said[max(of_eval, key=lambda i: (n_of[said[i]], full(i)))]
        alike = [i for i in of_eval if n >= ALIKE and said[i] == what]
        rows += [(i, table.cells[i]) for i in of_eval if i not in alike]
        if alike:
            name = f"Each of {count(n)}{' other' * (n < len(of_eval))} models"
            rows.append((alike[0], (*what[:place], name, *what[place:])))
    shown = replace(
        table,
        cells=tuple(cells for _, cells in rows),
        values=tuple(table.values[i] for i, _ in rows) if table.values else (),
        fields=(),
        bold=frozenset(),
        sections=tuple((starts[row], heading) for row, heading in table.sections),
        recipe=None,
        whole=None,
    )
    names = {cells[place] for _, cells in rows}
    if len(rows) == 1 or len(names) > 1 or says_nothing(shown):
        return shown
    note = Note(f"Each row holds for {names.pop().lower()}.", "same")
    places = [j for j in range(len(table.columns)) if j != place]
    return replace(shown.of_columns(places), notes=(note, *table.notes))


def of_evals_with_numbers(table: Table) -> Table:
    """Without the rows of the evals of which a note says why there is no number."""
    if not any(isinstance(note, Note) and note.kind == NOTHING for note in table.notes):
        return table
    places = [j for j, column in enumerate(table.columns) if column.key not in NAMES]
    kept = [
        i
        for of_eval in rows_of_evals(table)
        if any(table.cells[i][j] != DASH for i in of_eval for j in places)
        for i in of_eval
    ]
    return _rows_of(table, kept)


def rows_of_evals(table: Table) -> list[list[int]]:
    """The rows of each eval, in their order."""
    keys = [column.key for column in table.columns]
    evals: dict[str, list[int]] = {}
    for i, row in enumerate(table.cells):
        evals.setdefault(row[keys.index("eval")] if "eval" in keys else "", []).append(i)
    return list(evals.values())


def only_rows(table: Table, rows: Sequence[int], which: str) -> Table:
    """Some rows of a long table, with a note of which they are and where the rest is."""
    if len(rows) == len(table.cells):
        return table
    note = Note(f"{which}: {count(len(rows))} of {count(len(table.cells))} rows.", "rows")
    file = Note(f"The whole table is tables/{table.name}.csv.", FILES)
    shown = _rows_of(table, sorted(rows))
    return replace(shown, sections=(), notes=(note, file, *table.notes))


def _rows_of(table: Table, kept: Sequence[int]) -> Table:
    """Some rows, with their headings, as a table of its own."""
    fields = tuple(table.fields[i] for i in kept) if table.fields else ()
    return replace(of_rows(table, kept), fields=fields, recipe=None, whole=None)


def summary(table: Table, full: str = "") -> Table:
    """Lowest, median and highest number of every column, for a table too long to read; each is a
    cell of the table.

    The median of an even number of cells is the lower of the two in the middle, so that it is one
    of them. full: the table that has all rows; empty: it has them itself.
    """
    n = len(table.cells)
    columns = [j for j in range(len(table.columns)) if _numeric(table, j)]
    # Rows that have every number, where there are any: columns of different rows would not compare.
    complete = [i for i in range(n) if all(table.values[i][j] is not None for j in columns)]
    chosen = {
        name: [_row_at(table, j, place, complete or range(n)) for j in columns]
        for name, place in PLACES.items()
    }
    rows = f"{count(n)} rows"
    if 0 < len(complete) < n:
        rows = f"the {count(len(complete))} of {rows} that have every number"
    return replace(
        table,
        columns=(Column(STATISTIC, "l"), *(table.columns[j] for j in columns)),
        cells=tuple((name, *_texts(table, rows, columns)) for name, rows in chosen.items()),
        values=tuple((None, *_numbers(table, rows, columns)) for rows in chosen.values()),
        fields=(),
        bold=frozenset(),
        sections=(),
        notes=(
            Note(f"Over {rows}, column by column.", "rows"),
            Note(f"The whole table is tables/{full or table.name}.csv.", FILES),
            *_concerning(table, columns, dashes=len(complete) < n),
        ),
        recipe=None,
        whole=None,
    )


def summary_of_evals(table: Table, full: str) -> Table:
    """Of a table with several rows for each eval, one row for each: the median of every column, as
    in summary(). full: the table that has all rows.
    """
    columns = [j for j in range(len(table.columns)) if _numeric(table, j)]
    name = [column.key for column in table.columns].index("eval")
    evals = rows_of_evals(table)
    chosen = [_medians(table, columns, rows) for rows in evals]
    starts = {rows[0]: i for i, rows in enumerate(evals)}
    cells = tuple(
        (table.cells[rows[0]][name], *_texts(table, own, columns))
        for rows, own in zip(evals, chosen, strict=True)
    )
    return replace(
        table,
        columns=(table.columns[name], *(table.columns[j] for j in columns)),
        cells=cells,
        values=tuple((None, *_numbers(table, own, columns)) for own in chosen),
        fields=(),
        bold=frozenset(),
        sections=tuple((starts[row], heading) for row, heading in table.sections),
        notes=(
            Note("Of each eval the median over its comparisons, column by column.", "rows"),
            Note(f"The whole table is tables/{full}.csv.", FILES),
            *_concerning(table, columns, dashes=any(DASH in row for row in cells)),
        ),
        recipe=None,
        whole=None,
    )


def _medians(table: Table, columns: Sequence[int], rows: Sequence[int]) -> list[int | None]:
    """Of some rows, for each column the one with its median."""
    complete = [i for i in rows if all(table.values[i][j] is not None for j in columns)]
    return [_row_at(table, j, PLACES["Median"], complete or rows) for j in columns]


def _concerning(table: Table, columns: Sequence[int], *, dashes: bool) -> Iterator[str]:
    """The notes about what a summary shows: the whole table, or a column of it. dashes: some of it
    is undefined, and a note says why.
    """
    keys = [table.columns[j].key for j in columns]
    for note in table.notes:
        kind, about = (note.kind, note.about) if isinstance(note, Note) else ("", "")
        if (not about or about in keys) and (dashes or kind != "undefined"):
            yield note


def _numeric(table: Table, column: int) -> bool:
    return any(row[column] is not None for row in table.values)


def _row_at(table: Table, column: int, place: float, rows: Sequence[int]) -> int | None:
    """Of these rows, the one whose number stands at a place between the lowest, 0, and the highest,
    1.
    """
    known = [i for i in rows if table.values[i][column] is not None]
    if not known:
        return None
    ranked = sorted(known, key=lambda i: table.values[i][column] or 0.0)
    return ranked[int(place * (len(ranked) - 1))]


def _texts(table: Table, rows: Sequence[int | None], columns: Sequence[int]) -> list[str]:
    return [DASH if i is None else table.cells[i][j] for i, j in zip(rows, columns, strict=True)]


def _numbers(
    table: Table, rows: Sequence[int | None], columns: Sequence[int]
) -> list[float | None]:
    return [None if i is None else table.values[i][j] for i, j in zip(rows, columns, strict=True)]
