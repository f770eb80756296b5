"""Tables that have models or evals across -> entries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportkit.errors import ScoresError
from reportkit.loading.published.averages import Numbers, is_average
from reportkit.loading.published.changes import is_difference, is_sure, number_of, pair_of, plain
from reportkit.loading.published.columns import OF_NAME, Owned, behind, name_of, owned
from reportkit.loading.published.entries import Entry, Unused, sized
from reportkit.loading.published.heads import (
    NAMES,
    OF_EVAL,
    Head,
    check_slips,
    key_of,
    place_of,
    read_head,
)
from reportkit.loading.published.numbers import plain_cell
from reportkit.loading.published.others import drop_others, is_gap, is_no_score
from reportkit.loading.published.rows import Rows, check_named
from reportkit.loading.published.sheet import Sheet
from reportkit.published import Place

Cells = dict[str, tuple[str, Head]]  # of an entry, by key


@dataclass(frozen=True, slots=True)
class _Whose:
    """Which model minus which. order: "said" where the table says it, else "free"."""

    model: str
    baseline: str
    order: str


def _whose(head: Head, models: Sequence[str]) -> _Whose | None:
    """Of which two models a difference is; None where nobody says it."""
    known = {plain(model): model for model in models}
    model, baseline = (known.get(plain(x), "") for x in (head.model, head.baseline))
    if head.model:
        return _Whose(model, baseline, "said") if model and baseline else None
    if len(models) != 2 or (head.baseline and not baseline):
        return None
    if baseline:
        return _Whose(next(m for m in models if m != baseline), baseline, "said")
    # "Difference on MATH" is not of all rows, "Difference (Heron − Human)" not of these models
    inside = re.search(r"[(\[](.*)[)\]]", head.text)
    others = inside and (is_sure(inside[1]) or " - " in inside[1])
    free = key_of(head.text) == "difference" and not others
    return _Whose(models[0], models[1], "free") if free else None


def _difference(of: _Whose, head: Head, row: Entry, cells: Cells, file: str) -> Entry:
    """The entry of a difference beside its means. cells: with the difference below "difference"."""
    text = plain_cell(cells["difference"][0])
    if head.text.casefold() == "delta" and re.match(r"[\d.]", text):
        raise ScoresError(
            f"{file}, line {row.place.line}: 'Delta' may be a model or a difference, and {text!r} "
            "has no sign; name it 'Difference', or give the model a longer name"
        )
    entry = replace(
        row, model=of.model, baseline=of.baseline, cells=cells, column=head.text, order=of.order
    )
    sized(entry)
    entry.cells.pop("n", None)
    return entry


# Models across, evals down ------------------------------------------------------------------------


def models_across(
    sheet: Sheet, heads: list[Head], file: str, unused: Unused, of: Owned | None = None
) -> Iterator[Entry]:
    """A row for each eval, and a column for each model. of: of which model each column is, where
    two lines of heads say it.
    """
    at, where = place_of(heads, "eval"), f"{file}, line {sheet.line}"
    if at is None:
        if heads[0].key:
            raise ScoresError(
                f"{where}: there is no column 'eval'; there are "
                f"{', '.join(repr(h.text) for h in heads)}; name the first one eval"
            )
        at = 0
    of_models = of or owned(heads, at, where)
    check_slips(_whole_names(of_models), where, True)
    models = list(dict.fromkeys(model for model, _ in of_models.values()))
    if not models:
        raise ScoresError(
            f"{where}: no column holds the means; name it 'mean', or give each "
            "model a column of its own"
        )
    unused.columns += [h.text for h in heads if h.key == "unused" and h.text]
    unused.averages += [(h.text, "models") for h in heads if h.key == "average"]
    whose = _whose_of_columns(heads, models, unused)
    evals = [name_of(cells[at]) for _, cells in sheet.rows]
    averaged = sum(not is_average(name) for name in evals) > 1
    of_means = [j for j, (_, head) in of_models.items() if head.key == "mean"]
    gaps = _gaps(evals, [[number_of(cells[j]) for j in of_means] for _, cells in sheet.rows])
    for (line, cells), name in zip(sheet.rows, evals, strict=True):
        if name in gaps:
            unused.rows.append(name)
            continue
        row = Entry(Place(sheet.name, line), name, average=averaged and is_average(name))
        unused.averages += [(name, "evals")] * row.average
        shared = _shared(heads, cells)
        for model in models:
            entry = replace(row, model=model, cells=shared | _own(of_models, model, cells))
            sized(entry)
            if "mean" in entry.cells:
                yield entry
        for j, two in whose.items():
            if cells[j].strip():
                yield _difference(two, heads[j], row, _with_errors(heads, j, cells), file)


def _gaps(names: Sequence[str], rows: Sequence[Numbers]) -> set[str]:
    """The names of rows that are of no score."""
    evals = [numbers for name, numbers in zip(names, rows, strict=True) if not is_no_score(name)]
    columns = [list(column) for column in zip(*evals, strict=True)] or [[] for _ in rows[0]]
    return {name for name, own in zip(names, rows, strict=True) if is_gap(name, own, columns)}


def _whose_of_columns(
    heads: Sequence[Head], models: Sequence[str], unused: Unused
) -> dict[int, _Whose]:
    """The columns of differences of which it is known whose they are."""
    found: dict[int, _Whose] = {}
    for j, head in enumerate(heads):
        two = _whose(head, models) if head.key == "difference" else None
        if two is not None:
            found[j] = two
        elif head.key == "difference":
            unused.columns.append(head.text)
            unused.of_models(head.text, models)
    return found


def _with_errors(heads: Sequence[Head], at: int, cells: Sequence[str]) -> Cells:
    """What a row says of the difference in one column."""
    told = {heads[i].key: (cells[i], heads[i]) for i in behind(heads, at) if cells[i].strip()}
    return told | {"difference": (cells[at], heads[at])}


# Evals across, models down ------------------------------------------------------------------------


def evals_across(
    sheet: Sheet, heads: list[Head], file: str, unused: Unused, of: Owned | None = None
) -> Iterator[Entry]:
    """A row for each model, and a column for each eval. of: of which eval each column is, where two
    lines of heads say it.
    """
    at, where = place_of(heads, "model") or 0, f"{file}, line {sheet.line}"
    of_evals = of or owned(heads, at, where)
    check_slips([heads[at], *_whole_names(of_evals)], where, True)
    evals = {name: j for j, (name, head) in of_evals.items() if head.key == "mean"}
    if not evals:
        known = ", ".join(NAMES["mean"][:4])
        raise ScoresError(
            f"{where}: no column holds the means; name it one of {known}, or "
            "give each eval a column of its own"
        )
    unused.columns += [h.text for h in heads if h.key == "unused" and h.text]
    unused.averages += [(h.text, "evals") for h in heads if h.key == "average"]
    sizes = next((cells for _, cells in sheet.rows if key_of(cells[at]) == "n"), ())
    rows = Rows(sheet, at, evals)
    columns = _differences_of_columns(heads, rows, list(evals), unused)
    for line, cells in sheet.rows:
        model = name_of(cells[at])
        check_named(model, [cells[j] for j in evals.values()], f"{file}, line {line}")
        if not model or key_of(plain_cell(cells[at])) == "n":
            continue
        if model not in rows.models:
            yield from _row_of_differences(rows, heads, (line, cells), of_evals, file, unused)
            continue
        row = Entry(Place(sheet.name, line), model=model)
        for name, j in evals.items():
            # of several evals nobody knows of which a further column is
            shared = _shared(heads, cells) if len(evals) == 1 else {}
            entry = replace(row, eval=name, cells=shared | _own(of_evals, name, cells))
            if sizes and sizes[j].strip():
                entry.cells["n"] = (sizes[j], Head("n", "n"))
            sized(entry)
            if "mean" in entry.cells:
                yield entry
        yield from _averages(row, heads, cells)
        yield from _from_baselines(row, heads, cells, columns, file)


def _from_baselines(
    row: Entry,
    heads: Sequence[Head],
    cells: Sequence[str],
    columns: dict[int, tuple[str, str]],
    file: str,
) -> Iterator[Entry]:
    """The differences of a row's model from others. columns: of which eval, and from which one."""
    for j, (name, baseline) in columns.items():
        if row.model != baseline and cells[j].strip():
            two = _Whose(row.model, baseline, "said")
            told = _with_errors(heads, j, cells)
            yield _difference(two, heads[j], replace(row, eval=name), told, file)


def _averages(row: Entry, heads: Sequence[Head], cells: Sequence[str]) -> Iterator[Entry]:
    """What a row says in columns of averages over evals."""
    for head, cell in zip(heads, cells, strict=True):
        if head.key == "average" and cell.strip():
            told = {"mean": (cell, replace(head, key="mean"))}
            yield replace(row, eval=head.text, average=True, cells=told)


def _row_of_differences(
    rows: Rows,
    heads: Sequence[Head],
    row: tuple[int, Sequence[str]],
    of_evals: Owned,
    file: str,
    unused: Unused,
) -> Iterator[Entry]:
    """What a row says that is of no model: the differences of two, or nothing that is used."""
    line, cells = row
    name = name_of(cells[rows.at])
    head = read_head(name)
    if name in rows.pairs:
        model, baseline = rows.pairs[name]
        head = replace(head, key="difference", model=model, baseline=baseline)
    two = _whose(head, rows.models) if head.key == "difference" else None
    if two is None:
        unused.rows.append(name)
        if head.key == "difference":
            unused.of_models(name, rows.models)
        return
    for of in dict.fromkeys(of for of, _ in of_evals.values()):
        told = _own(of_evals, of, cells)
        if "mean" in told:
            text, own = told.pop("mean")
            told["difference"] = (text, replace(own, key="difference"))
            entry = Entry(Place(rows.table, line), of)
            yield _difference(two, head, entry, told, file)
    for column, cell in zip(heads, cells, strict=True):
        if column.key == "average" and cell.strip():
            told = {"difference": (cell, replace(column, key="difference"))}
            entry = Entry(Place(rows.table, line), column.text, average=True)
            yield _difference(two, head, entry, told, file)


def _differences_of_columns(
    heads: Sequence[Head], rows: Rows, evals: Sequence[str], unused: Unused
) -> dict[int, tuple[str, str]]:
    """The columns of differences: of which eval, and from which model. "Difference to Alba" is of
    the only eval, "Difference to Alba on MATH" of the one that it names.
    """
    models = {plain(model): model for model in rows.models}
    known = {plain(name): name for name in evals}
    found: dict[int, tuple[str, str]] = {}
    for j, head in enumerate(heads):
        if head.key != "difference":
            continue
        baseline, _, name = head.baseline.partition(" on ")
        if plain(head.baseline) in models:
            baseline, name = head.baseline, ""
        if not head.baseline:
            name = head.text.partition(" on ")[2]
        own = known.get(plain(name), "") if name or len(evals) > 1 else evals[0]
        of = models.get(plain(baseline), "")
        if of and own:
            found[j] = (own, of)
            continue
        unused.columns.append(head.text)
        if rows.models:
            missing = "on which eval" if of else "from which model"
            missing += "" if of or own else ", and on which eval,"
            example = f"Difference to {of or rows.models[0]} on {own or evals[0]}"
            unused.whose.append((head.text, missing, example))
    return found


def unnamed(entries: Sequence[Entry], unused: Unused) -> None:
    """Of a list with a row for each mean: rows of averages are marked, rows of a difference become
    one or lose their cells.
    """
    drop_others(entries, unused)
    means = [e for e in entries if "mean" in e.cells]
    evals = {e.eval for e in means if not is_average(e.eval)}
    models = list(dict.fromkeys(e.model for e in means if e.model and not is_difference(e.model)))
    for e in means:
        if len(evals) > 1 and is_average(e.eval):
            e.average = True
            unused.averages.append((e.eval, "evals"))
        named = not e.model or e.model.casefold() == "delta"  # Delta may be a model
        if named or e.is_difference or (e.model in models and not is_sure(e.model)):
            continue
        head = read_head(e.model)
        pair = pair_of(e.model, [m for m in models if m != e.model])
        if pair:
            head = replace(head, key="difference", model=pair[0], baseline=pair[1])
        elif e.model in models:
            continue
        two = _whose(head, models) if head.key == "difference" else None
        if two is None:
            unused.rows.append(e.model)
            e.cells = {}
            continue
        e.column, e.order, e.model, e.baseline = e.model, two.order, two.model, two.baseline
        e.cells["difference"] = e.cells.pop("mean")


def _whole_names(columns: Owned) -> list[Head]:
    """The heads of means that are names and nothing else."""
    return [replace(h, key="") for name, h in columns.values() if name == name_of(h.text)]


def _own(columns: Owned, name: str, cells: Sequence[str]) -> Cells:
    """What a row says of one name."""
    return {
        head.key: (cells[j], head)
        for j, (owner, head) in columns.items()
        if owner == name and cells[j].strip()
    }


def _shared(heads: Sequence[Head], cells: Sequence[str]) -> Cells:
    """What a row says of all its means."""
    return {
        head.key: (cell, head)
        for head, cell in zip(heads, cells, strict=True)
        if head.key in OF_EVAL and head.key not in OF_NAME and cell.strip()
    }
