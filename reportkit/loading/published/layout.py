"""Tables as text -> entries: for each eval and model the cells that say something of it. Three
layouts are read: a row for each mean or difference; models across and evals down; evals across and
models down.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.errors import ScoresError
from reportkit.loading.published.averages import is_average, may_be_average, without_averages
from reportkit.loading.published.changes import other_names, without_differences
from reportkit.loading.published.columns import name_of, without_p
from reportkit.loading.published.entries import (
    Entry,
    Row,
    Unused,
    baseline_in,
    eval_in,
    name_baselines,
    parted,
    sized,
    take,
)
from reportkit.loading.published.heads import (
    BESIDE,
    Head,
    check_slips,
    key_of,
    place_of,
    read_head,
    without_changes,
)
from reportkit.loading.published.numbers import level_of, plain_cell
from reportkit.loading.published.others import without_others
from reportkit.loading.published.sheet import Sheet
from reportkit.loading.published.text_columns import with_settings, without_texts
from reportkit.loading.published.wide import evals_across, models_across, unnamed
from reportkit.published import Place


def entries_of(sheet: Sheet, file: str, unused: Unused) -> Iterator[Entry]:
    """The entries of one table. unused: what is not used is added to it."""
    heads = without_changes([read_head(text) for text in sheet.heads])
    _check_shape(sheet, file)
    width = len(heads)
    full = tuple((line, (*cells, *[""] * width)[:width]) for line, cells in sheet.rows)
    sheet = with_settings(replace(sheet, rows=full), heads)
    heads = without_texts(heads, sheet.rows)
    heads = without_others(heads, [cells for _, cells in sheet.rows])
    heads = [replace(h, key="unused") if _is_other_level(h, j, sheet) else h
             for j, h in enumerate(heads)]  # fmt: skip
    if sheet.names:
        yield from _of_two_lines(sheet, heads, file, unused)
        return
    wide = _wide_heads(heads, sheet)
    rows_of = {head.key for head in heads} & {"eval", "model"}
    # "Avg." with no eval beside it is the mean of a list
    heads = [w if w.key == "mean" else h for h, w in zip(heads, wide, strict=True)]
    averaged = any(head.key == "average" for head in wide) and len(rows_of) < 2
    told = wide if averaged else heads
    keys = {head.key for head in told}
    listed = keys & {"mean", "difference"} and rows_of
    if (listed or _spread(keys)) and not _is_wide(told, keys):
        _check_average(sheet, heads, file)
        yield from _long(sheet, without_p(heads, True), file, unused)
        return
    heads = without_p(wide, False)
    keys = {head.key for head in heads}
    if "eval" not in keys and ("model" in keys or _sizes_below(sheet, heads)):
        yield from evals_across(sheet, heads, file, unused)
        return
    if "eval" not in keys:
        word = f"the head {heads[0].text!r}" if heads[0].text else "an empty head"
        raise ScoresError(
            f"{file}, line {sheet.line}: {word} does not say whether the rows are evals or models; "
            "call the first column eval or model"
        )
    yield from models_across(sheet, heads, file, unused)


def _wide_heads(heads: Sequence[Head], sheet: Sheet) -> list[Head]:
    """The heads, if models or evals stand across: differences and averages are no names."""
    first, rows = other_names(heads), [cells for _, cells in sheet.rows]
    apart = without_differences(heads, rows, first)
    return without_changes(without_averages(apart, rows, first))


def _check_average(sheet: Sheet, heads: Sequence[Head], file: str) -> None:
    """The mean of a list that names no eval is not taken from what may be an average over evals."""
    if place_of(heads, "eval") is not None:
        return
    rows = [cells for _, cells in sheet.rows]
    beside = may_be_average(heads, rows, other_names(heads))
    if beside:
        name = next(h.text for h in heads if h.key == "mean")
        raise ScoresError(
            f"{file}, line {sheet.line}: {name!r} beside {beside!r} may be the mean of one eval or "
            "an average over several; call the column after its eval, or leave it out"
        )


def _is_other_level(head: Head, column: int, sheet: Sheet) -> bool:
    """Whether a column called level is not of intervals: MATH has a Level 5."""
    if head.key != "level":
        return False
    return any(math.isnan(level_of(cells[column])) for _, cells in sheet.rows)


def _of_two_lines(
    sheet: Sheet, heads: Sequence[Head], file: str, unused: Unused
) -> Iterator[Entry]:
    """Of a table whose two lines of heads say of which model or eval each column is."""
    of = {j: (name, heads[j]) for j, name in enumerate(sheet.names) if name}
    rest = [replace(head, key="") if j in of else head for j, head in enumerate(heads)]
    across = models_across if place_of(rest, "model") is None else evals_across
    yield from across(sheet, rest, file, unused, of)


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
                'cell with a comma in quotes, such as "65.5 [64.2, 66.8]", numbers as 1319, and a '
                "second table into a file of its own, or both into one Markdown file"
            )


# A row for each mean or difference ----------------------------------------------------------------


def _long(sheet: Sheet, heads: list[Head], file: str, unused: Unused) -> Iterator[Entry]:
    check_slips(heads, f"{file}, line {sheet.line}", False)
    keys = {head.key for head in heads}
    if not _spread(keys) and "model" not in keys:
        averages = [repr(h.text) for h in heads if is_average(h.text)]
        leave = f", or leave out {averages[0]} if it is an average of others" if averages else ""
        raise ScoresError(
            f"{file}, line {sheet.line}: there is no column 'model'; there are "
            f"{', '.join(repr(h.text) for h in heads if h.text)}; add one, or rename the one that "
            f"names the models{leave}"
        )
    means = [repr(h.text) for h in heads if h.key == "mean"]
    if len(means) > 1:
        raise ScoresError(
            f"{file}, line {sheet.line}: {len(means)} columns hold means ({', '.join(means)}); "
            "leave one of them, or write the others as evals of their own"
        )
    if "eval" not in keys and len(keys & {"mean", "difference"}) and heads[0].key == "":
        heads = [replace(heads[0], key="eval"), *heads[1:]]
    unused.columns += [h.text for h in heads if h.key in ("", "unused") and h.text]
    eval_before = "" if place_of(heads, "eval") is not None else unused.eval
    unused.eval_used = unused.eval_used or bool(eval_before)
    eval_before = eval_before or eval_in(sheet.caption)
    found: list[Row] = []
    for line, cells in sheet.rows:
        entry = Entry(Place(sheet.name, line))
        for head, cell in zip(heads, cells, strict=False):
            take(entry, head, cell)
        sized(entry)
        entry.eval = entry.eval or eval_before  # a merged cell is empty in the rows below
        eval_before = entry.eval
        found.append((entry, cells))
    unnamed([entry for entry, _ in found], unused)
    found = [row for row in found if row[0].cells]
    name_baselines([entry for entry, _ in found], baseline_in(sheet.caption))
    yield from _told_apart(list(parted(found, heads, unused)), heads)


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
    return head.key in ("", "unused") and word not in BESIDE
