"""Tables as text -> entries: for each eval and model the cells that say something of it. Three
layouts are read: a row for each mean or difference; models across and evals down; evals across and
models down.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.errors import ScoresError
from reportkit.loading.published.columns import (
    OF_NAME,
    Owned,
    after_difference,
    name_of,
    owned,
)
from reportkit.loading.published.entries import Entry, Row, name_baselines, parted, sized, take
from reportkit.loading.published.heads import (
    NAMES,
    OF_EVAL,
    Head,
    key_of,
    near_miss,
    place_of,
    read_head,
    without_changes,
)
from reportkit.loading.published.numbers import is_number, level_of, plain_cell
from reportkit.loading.published.sheet import Sheet
from reportkit.published import Place

# What is said of a mean and is no part of its name.
NO_NAMES = ("p", "p value", "adjusted p", "detectable", "rank", "note", "notes", "z")


def entries_of(sheet: Sheet, file: str, ignored: list[str], of_eval: str = "") -> Iterator[Entry]:
    """The entries of one table. ignored: heads of columns that are not used are added to it.
    of_eval: the eval of a table that names none.
    """
    heads = without_changes([read_head(text) for text in sheet.heads])
    _check_shape(sheet, file)
    width = len(heads)
    full = tuple((line, (*cells, *[""] * width)[:width]) for line, cells in sheet.rows)
    sheet = replace(sheet, rows=full)
    heads = [replace(h, key="unused") if _is_other_level(h, j, sheet) else h
             for j, h in enumerate(heads)]  # fmt: skip
    if sheet.names:
        yield from _of_two_lines(sheet, heads, file, ignored)
        return
    keys = {head.key for head in heads}
    listed = keys & {"mean", "difference"} and ("model" in keys or "eval" in keys)
    if (listed or _spread(keys)) and not _is_wide(heads, keys):
        yield from _long(sheet, heads, file, ignored, of_eval)
        return
    if "eval" not in keys and ("model" in keys or _sizes_below(sheet, heads)):
        yield from _evals_across(sheet, heads, file, ignored)
        return
    if "eval" not in keys:
        word = f"the head {heads[0].text!r}" if heads[0].text else "an empty head"
        raise ScoresError(
            f"{file}, line {sheet.line}: {word} does not say whether the rows are evals or models; "
            "call the first column eval or model"
        )
    yield from _models_across(sheet, heads, file, ignored)


def _is_other_level(head: Head, column: int, sheet: Sheet) -> bool:
    """Whether a column called level is not of intervals: MATH has a Level 5."""
    if head.key != "level":
        return False
    return any(math.isnan(level_of(cells[column])) for _, cells in sheet.rows)


def _of_two_lines(
    sheet: Sheet, heads: Sequence[Head], file: str, ignored: list[str]
) -> Iterator[Entry]:
    """Of a table whose two lines of heads say of which model or eval each column is."""
    of = {j: (name, heads[j]) for j, name in enumerate(sheet.names) if name}
    rest = [replace(head, key="") if j in of else head for j, head in enumerate(heads)]
    across = _models_across if place_of(rest, "model") is None else _evals_across
    yield from across(sheet, rest, file, ignored, of)


def _sizes_below(sheet: Sheet, heads: Sequence[Head]) -> bool:
    """Whether a row holds the numbers of questions, under a first column without a known head."""
    return not heads[0].key and any(key_of(plain_cell(cells[0])) == "n" for _, cells in sheet.rows)


def _spread(keys: set[str]) -> bool:
    """Clustered and naive errors of evals, as in Table 4 of Miller 2024."""
    return {"se", "se_naive"} <= keys


def _is_wide(heads: Sequence[Head], keys: set[str]) -> bool:
    """Names across with a column of their differences: two or more models, or evals of which
    nobody says which of them it is of.
    """
    names = sum(not h.key for h in heads)
    if "model" in keys:
        return names > 0 and keys.isdisjoint(("eval", "baseline", "mean"))
    return "mean" not in keys and names > 1


def _check_shape(sheet: Sheet, file: str) -> None:
    if not sheet.rows:
        raise ScoresError(f"{file}, line {sheet.line}: heads without a row below them; add rows")
    for line, cells in sheet.rows:
        if len(cells) > len(sheet.heads) and any(cells[len(sheet.heads) :]):
            raise ScoresError(
                f"{file}, line {line}: {len(cells)} cells below {len(sheet.heads)} heads; put a "
                'cell with a comma in quotes, such as "65.5 [64.2, 66.8]", and numbers as 1319'
            )


def _slips(heads: Sequence[Head], file: str, line: int, names_allowed: bool) -> None:
    """An error for a head that is nearly a known one: a slip would silently lose a column."""
    for head in heads:
        near = "" if head.key else near_miss(head.text)
        if near:
            kind = " (or rename the model)" if names_allowed else ""
            raise ScoresError(
                f"{file}, line {line}: no column {head.text!r} is known; did you mean {near!r}? "
                f"Rename it{kind}"
            )


# A row for each mean or difference ----------------------------------------------------------------


def _long(
    sheet: Sheet, heads: list[Head], file: str, ignored: list[str], of_eval: str
) -> Iterator[Entry]:
    _slips(heads, file, sheet.line, False)
    keys = {head.key for head in heads}
    if not _spread(keys) and "model" not in keys:
        raise ScoresError(
            f"{file}, line {sheet.line}: there is no column 'model'; there are "
            f"{', '.join(repr(h.text) for h in heads if h.text)}; add one, or rename the one that "
            "names the models"
        )
    means = [repr(h.text) for h in heads if h.key == "mean"]
    if len(means) > 1:
        raise ScoresError(
            f"{file}, line {sheet.line}: {len(means)} columns hold means ({', '.join(means)}); "
            "leave one of them, or write the others as evals of their own"
        )
    if "eval" not in keys and len(keys & {"mean", "difference"}) and heads[0].key == "":
        heads = [replace(heads[0], key="eval"), *heads[1:]]
    ignored += [h.text for h in heads if h.key in ("", "unused") and h.text]
    eval_before = "" if place_of(heads, "eval") is not None else of_eval
    found: list[Row] = []
    for line, cells in sheet.rows:
        entry = Entry(Place(sheet.name, line))
        for head, cell in zip(heads, cells, strict=False):
            take(entry, head, cell)
        sized(entry)
        entry.eval = entry.eval or eval_before  # a merged cell is empty in the rows below
        eval_before = entry.eval
        found.append((entry, cells))
    name_baselines([entry for entry, _ in found])
    yield from _told_apart(list(parted(found, heads, ignored)), heads)


def _told_apart(found: Sequence[Row], heads: Sequence[Head]) -> Iterator[Entry]:
    """Entries; an eval of which a column tells rows apart, such as filters, is one for each."""
    rows: dict[tuple[str, str, str], list[Sequence[str]]] = {}
    for entry, cells in found:
        if not entry.is_difference and "mean" in entry.cells:
            key = entry.place.table, entry.eval, entry.model
            rows.setdefault(key, []).append(cells)
    apart: dict[str, set[int]] = {}
    for (_, name, _), group in rows.items():
        for j, head in enumerate(heads):
            if _tells(head) and len({cells[j] for cells in group}) > 1:
                apart.setdefault(name, set()).add(j)
    for entry, cells in found:
        told = [cells[j] for j in sorted(apart.get(entry.eval, ())) if cells[j].strip()]
        if told and not entry.is_difference:
            entry.eval = f"{entry.eval} ({', '.join(map(name_of, told))})"
        yield entry


def _tells(head: Head) -> bool:
    """Whether a column that is not used may say what a mean is of."""
    word = head.text.casefold().replace("-", " ").replace("_", " ").strip()
    return head.key in ("", "unused") and word not in NO_NAMES


# Models across, evals down ------------------------------------------------------------------------


def _models_across(
    sheet: Sheet, heads: list[Head], file: str, ignored: list[str], of: Owned | None = None
) -> Iterator[Entry]:
    at = place_of(heads, "eval")
    if at is None:
        if heads[0].key:
            raise ScoresError(
                f"{file}, line {sheet.line}: there is no column 'eval'; there are "
                f"{', '.join(repr(h.text) for h in heads)}; name the first one eval"
            )
        at = 0
    of_models = of or owned(heads, at, f"{file}, line {sheet.line}")
    _slips(_whole_names(of_models), file, sheet.line, True)
    models = list(dict.fromkeys(model for model, _ in of_models.values()))
    if not models:
        raise ScoresError(
            f"{file}, line {sheet.line}: no column holds the means; name it 'mean', or give each "
            "model a column of its own"
        )
    if _of_others(heads, models):
        ignored += [h.text for h in heads if h.key == "difference"]
    for line, cells in sheet.rows:
        place, name = Place(sheet.name, line), name_of(cells[at])
        shared = _shared(heads, cells)
        for model in models:
            entry = Entry(place, name, model, cells=shared | _own(of_models, model, cells))
            sized(entry)
            if "mean" in entry.cells:
                yield entry
        yield from _difference_of(heads, cells, Entry(place, name), models, file)


def _of_others(heads: Sequence[Head], models: Sequence[str]) -> bool:
    """Whether the column of differences is not of the two models of a table."""
    named = [h.baseline for h in heads if h.key == "difference" and h.baseline]
    return len(models) != 2 or any(name not in models for name in named)


def _difference_of(
    heads: Sequence[Head], cells: Sequence[str], row: Entry, models: Sequence[str], file: str
) -> Iterator[Entry]:
    """The difference of the two models of a row, the first minus the second."""
    at = place_of(heads, "difference")
    if at is None or at >= len(cells) or not cells[at].strip() or _of_others(heads, models):
        return
    text = plain_cell(cells[at])
    if heads[at].text.casefold() == "delta" and re.match(r"[\d.]", text):
        raise ScoresError(
            f"{file}, line {row.place.line}: 'Delta' may be a model or a difference, and {text!r} "
            "has no sign; name the column 'Difference', or give the model a longer name"
        )
    told = {heads[j].key: (cells[j], heads[j]) for j in after_difference(heads) if cells[j].strip()}
    told["difference"] = (cells[at], heads[at])
    yield replace(row, model=models[0], baseline=models[1], cells=told)


# Evals across, models down ------------------------------------------------------------------------


def _evals_across(
    sheet: Sheet, heads: list[Head], file: str, ignored: list[str], of: Owned | None = None
) -> Iterator[Entry]:
    at = place_of(heads, "model") or 0
    of_evals = of or owned(heads, at, f"{file}, line {sheet.line}")
    _slips([heads[at], *_whole_names(of_evals)], file, sheet.line, True)
    evals = {name: j for j, (name, head) in of_evals.items() if head.key == "mean"}
    if not evals:
        known = ", ".join(NAMES["mean"][:4])
        raise ScoresError(
            f"{file}, line {sheet.line}: no column holds the means; name it one of {known}, or "
            "give each eval a column of its own"
        )
    ignored += [h.text for h in heads if h.key == "difference"]
    sizes: Sequence[str] = ()
    for _, cells in sheet.rows:
        if key_of(cells[at]) == "n":
            sizes = cells
    for line, cells in sheet.rows:
        model = name_of(cells[at])
        if not model and any(is_number(cells[j]) for j in evals.values()):
            raise ScoresError(f"{file}, line {line}: the row names no model; fill it in")
        if not model or key_of(plain_cell(cells[at])) == "n":
            continue
        for name, j in evals.items():
            # of several evals nobody knows of which a further column is
            entry = Entry(Place(sheet.name, line), name, model)
            entry.cells = _shared(heads, cells) if len(evals) == 1 else {}
            entry.cells |= _own(of_evals, name, cells)
            if sizes and sizes[j].strip():
                entry.cells["n"] = (sizes[j], Head("n", "n"))
            sized(entry)
            if "mean" in entry.cells:
                yield entry


def _whole_names(columns: Owned) -> list[Head]:
    """The heads of means that are names and nothing else."""
    return [replace(h, key="") for name, h in columns.values() if name == name_of(h.text)]


def _own(columns: Owned, name: str, cells: Sequence[str]) -> dict[str, tuple[str, Head]]:
    """What a row says of one name."""
    return {
        head.key: (cells[j], head)
        for j, (owner, head) in columns.items()
        if owner == name and cells[j].strip()
    }


def _shared(heads: Sequence[Head], cells: Sequence[str]) -> dict[str, tuple[str, Head]]:
    """What a row says of all its means."""
    return {
        head.key: (cell, head)
        for head, cell in zip(heads, cells, strict=True)
        if head.key in OF_EVAL and head.key not in OF_NAME and cell.strip()
    }
