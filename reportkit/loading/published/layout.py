"""Tables as text -> entries: for each eval and model the cells that say something of it. Three
layouts are read: a row for each mean or difference; models across and evals down; evals across and
models down.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from reportkit.errors import ScoresError
from reportkit.loading.published.heads import (
    NAMES,
    OF_EVAL,
    Head,
    key_of,
    near_miss,
    place_of,
    read_head,
)
from reportkit.loading.published.numbers import plain_cell
from reportkit.loading.published.sheets import Sheet
from reportkit.published import Place

_SIZE = re.compile(r"\(\s*n\s*=\s*([\d,]+)\s*\)|,\s*n\s*=\s*([\d,]+)$", re.IGNORECASE)
# A head of models may say what stands in brackets below it: "Galleon (SE)".
_BESIDE = re.compile(
    r"\s*\((?:±\s*)?(?:se|s\.e\.|std\.? ?err(?:or)?|standard error)\)$", re.IGNORECASE
)
# What is said of a mean and is no part of its name.
NO_NAMES = ("p", "p value", "adjusted p", "detectable", "rank", "note", "notes", "z")
SPREADS = ("std", "sd", "stdev", "std dev", "standard deviation", "σ", "variance", "var", "range")


@dataclass(slots=True)
class Entry:
    """What one table says of one mean or difference: cells of text with their heads, by key."""

    place: Place
    eval: str = ""
    model: str = ""
    baseline: str = ""
    cells: dict[str, tuple[str, Head]] = field(default_factory=dict)

    @property
    def is_difference(self) -> bool:
        return "difference" in self.cells


def entries_of(sheet: Sheet, file: str, ignored: list[str]) -> Iterator[Entry]:
    """The entries of one table. ignored: heads of columns that are not used are added to it."""
    heads = [read_head(text) for text in sheet.heads]
    _check_shape(sheet, file)
    width = len(heads)
    full = tuple((line, (*cells, *[""] * width)[:width]) for line, cells in sheet.rows)
    sheet = replace(sheet, rows=full)
    keys = {head.key for head in heads}
    listed = keys & {"mean", "difference"} and ("model" in keys or "eval" in keys)
    if (listed or _spread(keys)) and not _is_wide(heads, keys):
        yield from _long(sheet, heads, file, ignored)
        return
    if "eval" not in keys and ("model" in keys or _sizes_below(sheet, heads)):
        yield from _evals_across(sheet, heads, file)
    else:
        yield from _models_across(sheet, heads, file)


def _sizes_below(sheet: Sheet, heads: Sequence[Head]) -> bool:
    """Whether a row holds the numbers of questions, under a first column without a known head."""
    return not heads[0].key and any(key_of(plain_cell(cells[0])) == "n" for _, cells in sheet.rows)


def _spread(keys: set[str]) -> bool:
    """Clustered and naive errors of evals, as in Table 4 of Miller 2024."""
    return {"se", "se_naive"} <= keys


def _is_wide(heads: Sequence[Head], keys: set[str]) -> bool:
    """Models across with a column of their differences: two names or more beside it."""
    return "model" not in keys and "mean" not in keys and sum(not h.key for h in heads) > 1


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


def _long(sheet: Sheet, heads: list[Head], file: str, ignored: list[str]) -> Iterator[Entry]:
    _slips(heads, file, sheet.line, False)
    keys = {head.key for head in heads}
    if not _spread(keys) and "model" not in keys:
        raise ScoresError(
            f"{file}, line {sheet.line}: there is no column 'model'; there are "
            f"{', '.join(repr(h.text) for h in heads if h.text)}; add one, or rename the one that "
            "names the models"
        )
    if "eval" not in keys and len(keys & {"mean", "difference"}) and heads[0].key == "":
        heads = [replace(heads[0], key="eval"), *heads[1:]]
    ignored += [h.text for h in heads if h.key in ("", "unused") and h.text]
    eval_before = ""
    found: list[tuple[Entry, Sequence[str]]] = []
    for line, cells in sheet.rows:
        entry = Entry(Place(sheet.name, line))
        for head, cell in zip(heads, cells, strict=False):
            _take(entry, head, cell)
        _sized(entry)
        entry.eval = entry.eval or eval_before  # a merged cell is empty in the rows below
        eval_before = entry.eval
        found.append((entry, cells))
    yield from _told_apart(found, heads)


def _told_apart(
    found: Sequence[tuple[Entry, Sequence[str]]], heads: Sequence[Head]
) -> Iterator[Entry]:
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


def _take(entry: Entry, head: Head, cell: str) -> None:
    if head.key in ("eval", "model", "baseline"):
        setattr(entry, head.key, name_of(cell))
    elif head.key == "table":
        entry.place = replace(entry.place, table=name_of(cell))
    elif head.key and head.key != "unused" and cell.strip():
        entry.cells.setdefault(head.key, (cell, head))


def _sized(entry: Entry) -> None:
    """An eval named GSM8K (n=1319) has its number of questions in its name."""
    found = _SIZE.search(entry.eval)
    if found:
        entry.eval = _SIZE.sub("", entry.eval).strip()
        entry.cells.setdefault("n", (found[1] or found[2], Head("n", "n")))


def name_of(cell: str) -> str:
    """A name as it prints: without the marks of bold, with what is escaped.

    >>> name_of("**GPT\\\\_4**"), name_of('"Galleon"')
    ('GPT_4', 'Galleon')
    """
    cell = cell.strip()
    for mark in ("**", "__", "*", "`", '"', "“", "”"):
        ends = mark if mark not in "“”" else "”"
        start = mark if mark not in "“”" else "“"
        if len(cell) > 2 * len(mark) and cell.startswith(start) and cell.endswith(ends):
            cell = cell[len(mark) : -len(mark)]
    return re.sub(r"\\([\\`*_{}\[\]()#+.!|~$&%<>-])", r"\1", cell).strip()


# Models across, evals down ------------------------------------------------------------------------


def _models_across(sheet: Sheet, heads: list[Head], file: str) -> Iterator[Entry]:
    at = place_of(heads, "eval")
    if at is None:
        if heads[0].key:
            raise ScoresError(
                f"{file}, line {sheet.line}: there is no column 'eval'; there are "
                f"{', '.join(repr(h.text) for h in heads)}; name the first one eval"
            )
        at = 0
    of_models = _owned(heads, at, f"{file}, line {sheet.line}")
    _slips([h for j, h in enumerate(heads) if j in of_models], file, sheet.line, True)
    models = list(dict.fromkeys(model for model, _ in of_models.values()))
    if not models:
        raise ScoresError(
            f"{file}, line {sheet.line}: no column holds the means; name it 'mean', or give each "
            "model a column of its own"
        )
    for line, cells in sheet.rows:
        place, name = Place(sheet.name, line), name_of(cells[at])
        shared = _shared(heads, cells)
        for model in models:
            entry = Entry(place, name, model, cells=dict(shared))
            for j, (owner, head) in of_models.items():
                if owner == model and j < len(cells) and cells[j].strip():
                    entry.cells[head.key] = (cells[j], head)
            _sized(entry)
            if "mean" in entry.cells:
                yield entry
        yield from _difference_of(heads, cells, Entry(place, name), models, file)


def _owned(heads: Sequence[Head], at: int, where: str) -> dict[int, tuple[str, Head]]:
    """The columns of models: each with its model, and what it holds of it ("Galleon SE")."""
    names = {j: head for j, head in enumerate(heads) if j != at and not head.key}
    plain = {name_of(head.text) for head in names.values()}
    found = {}
    for j, head in names.items():
        text = name_of(head.text)
        owner, key = _BESIDE.sub("", text) or text, "mean"
        for cut in range(len(text) - 1, 0, -1):
            before, after = text[:cut].strip(" :,("), text[cut:].strip(" :,()")
            if before in plain and before != text and key_of(after) in ("se", "ci", "low", "high"):
                owner, key = before, key_of(after)
                break
            if before in plain and after.casefold() in SPREADS:
                raise ScoresError(
                    f"{where}: the column {text!r} is no model and no standard error; leave it "
                    f"out, or give {before + ' SE'!r}"
                )
        found[j] = (owner, replace(head, key=key))
    return found


def _difference_of(
    heads: Sequence[Head], cells: Sequence[str], row: Entry, models: Sequence[str], file: str
) -> Iterator[Entry]:
    """The difference of the two models of a row, the first minus the second."""
    at = place_of(heads, "difference")
    if at is None or at >= len(cells) or not cells[at].strip() or len(models) != 2:
        return
    text = plain_cell(cells[at])
    if heads[at].text.casefold() == "delta" and re.match(r"[\d.]", text):
        raise ScoresError(
            f"{file}, line {row.place.line}: 'Delta' may be a model or a difference, and {text!r} "
            "has no sign; name the column 'Difference', or give the model a longer name"
        )
    told = {"difference": (cells[at], heads[at])}
    yield replace(row, model=models[0], baseline=models[1], cells=told)


# Evals across, models down ------------------------------------------------------------------------


def _evals_across(sheet: Sheet, heads: list[Head], file: str) -> Iterator[Entry]:
    _slips(heads, file, sheet.line, True)
    at = place_of(heads, "model") or 0
    evals = {j: head for j, head in enumerate(heads) if j != at and not head.key}
    if not evals:
        known = ", ".join(NAMES["mean"][:4])
        raise ScoresError(
            f"{file}, line {sheet.line}: no column holds the means; name it one of {known}, or "
            "give each eval a column of its own"
        )
    sizes: dict[int, tuple[str, Head]] = {}
    for _, cells in sheet.rows:
        if key_of(cells[at]) == "n":
            sizes = {j: (cells[j], Head("n", "n")) for j in evals if cells[j].strip()}
    for line, cells in sheet.rows:
        model = name_of(cells[at])
        if not model or key_of(plain_cell(cells[at])) == "n":
            continue
        for j, head in evals.items():
            if cells[j].strip():
                entry = Entry(Place(sheet.name, line), name_of(sheet.heads[j]), model)
                entry.cells["mean"] = (cells[j], replace(head, key="mean"))
                if j in sizes:
                    entry.cells["n"] = sizes[j]
                if len(evals) == 1:  # else nobody knows of which eval a further column is
                    entry.cells |= _shared(heads, cells)
                _sized(entry)
                yield entry


def _shared(heads: Sequence[Head], cells: Sequence[str]) -> dict[str, tuple[str, Head]]:
    """What a row says of all its means."""
    return {
        head.key: (cell, head)
        for head, cell in zip(heads, cells, strict=True)
        if head.key in OF_EVAL and cell.strip()
    }
