"""A published table in a file -> records: Markdown, CSV, TOML, LaTeX or HTML, as pasted."""

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.advised import Line
from reportkit.errors import ScoresError, did_you_mean
from reportkit.inputs.paths import near
from reportkit.loading.published import plus_minus
from reportkit.loading.published.captions import told_by_caption, told_of_groups
from reportkit.loading.published.entries import Entry, Unused
from reportkit.loading.published.heads import Head, key_of
from reportkit.loading.published.layout import entries_of
from reportkit.loading.published.marks import unmark
from reportkit.loading.published.numbers import (
    Cell,
    has_decimal_comma,
    level_of,
    may_have_decimal_comma,
    p_value,
    read_cell,
    remarks_in,
)
from reportkit.loading.published.options import CHOICES, CheckOptions
from reportkit.loading.published.questions import check_heads, check_rows
from reportkit.loading.published.scales import scale_said, with_scales
from reportkit.loading.published.settings import with_settings
from reportkit.loading.published.sheet import Sheet
from reportkit.loading.published.sheets import sheets_of
from reportkit.loading.published.sizes import sizes_told, with_sizes
from reportkit.published import Printed, PublishedDifference, PublishedMean, PublishedTable
from reportkit.text.numbers import count

__all__ = ["CheckOptions", "read_published"]

NOTHING = "no row has a mean or a difference; there should be eval, model, mean and n"
MOST = 2**20  # bytes: a table of a report is small
COUNTS = ("n", "clusters", "answers")
NUMBERS = (*COUNTS, "se", "se_naive", "ratio", "correlation", "low", "high")


def read_published(
    path: str | Path, said: Mapping[str, Any] | None = None
) -> tuple[PublishedTable, CheckOptions]:
    """The table in a file, and the options: those in `said`, then what a TOML file brings.

    ScoresError for a file that is not there or holds no table, and for a cell that is no number:
    it names the line and what to do.
    """
    data = _bytes(Path(path))
    name = Path(path).name
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScoresError(
            f"{name} is not text in UTF-8; save it as UTF-8. For scores of single questions there "
            "is reportkit check"
        ) from None
    sheets = sheets_of(text, name)
    options = CheckOptions().beaten_by(sheets.said).beaten_by(said or {})
    for sheet in sheets.sheets:
        check_heads(sheet, name)
        _check_commas(sheet, name, options)
    unused = Unused(eval=options.eval)
    told: list[Line] = []
    tables = [list(entries_of(sheet, name, unused)) for sheet in sheets.sheets]
    for sheet, table in zip(sheets.sheets, tables, strict=True):
        check_rows(table, name)
        told += told_by_caption(sheet, table, name, options)
        told += sizes_told(sheet, table)
        told += told_of_groups(sheet, table, options)
    entries = [e for table in tables for e in table]
    told = [*unmark(tables), *unused.told(), *_remarks(entries), *dict.fromkeys(told)]
    if not entries:
        raise ScoresError(f"{name}: {NOTHING}")
    empty = PublishedTable(name, hashlib.sha256(data).hexdigest(), (), (), tuple(told))
    found = _filled(empty, entries, options)
    if not (found.means or found.differences):
        raise ScoresError(f"{name}: {NOTHING}")
    return with_settings(found), options


def _remarks(entries: Sequence[Entry]) -> Iterator[str]:
    """Words behind numbers may say that a number is of something else: they are named."""
    cells = [e.cells[key][0] for e in entries for key in ("mean", "difference") if key in e.cells]
    found = list(dict.fromkeys(remark for cell in cells for remark in remarks_in(cell)))
    if found:
        more = f" and {count(len(found) - 5)} more" if len(found) > 5 else ""
        yield f"Remarks behind numbers are not used: {', '.join(found[:5])}{more}."


def _filled(
    empty: PublishedTable, entries: Sequence[Entry], options: CheckOptions
) -> PublishedTable:
    """The table with its rows; where it has ± and nobody says what that is, the numbers tell."""
    table = _read(empty, entries, replace(options, plus_minus=options.plus_minus or "se"))
    rows: list[PublishedMean | PublishedDifference] = [*table.means, *table.differences]
    asked = [r for r in rows if r.se is not None and "±" in r.se.text]
    meant = None
    if asked and not options.plus_minus:
        meant = plus_minus.meaning_of(table)
        if not meant.word:
            raise ScoresError(plus_minus.unsaid(table, asked[0], meant))
        again = _read(empty, entries, replace(options, plus_minus=meant.word))
        table = plus_minus.without_odd(again, table, meant.odd)
    if not asked and any(e.after for e in entries):
        return table  # it is told that the caption says it
    return replace(table, read_as=(*table.read_as, *plus_minus.read_as(table, meant)))


def _read(empty: PublishedTable, entries: Sequence[Entry], options: CheckOptions) -> PublishedTable:
    """The table with its rows, where it is known what stands after ±."""
    rows = [_row(e, empty.file, options) for e in entries if not e.average]
    # a model whose cell is empty was not run
    there = [r for r in rows if isinstance(r, PublishedMean)]
    means = tuple(with_sizes([m for m in there if m.mean is not None or not m.model], options))
    differences = tuple(r for r in rows if isinstance(r, PublishedDifference))
    averages = [_row(e, empty.file, options) for e in entries if e.average]
    kept = tuple(r for r in averages if isinstance(r, PublishedMean) and r.mean is not None)
    of = tuple(replace(r, average=True) for r in averages if isinstance(r, PublishedDifference))
    table = replace(empty, means=means, differences=differences, averages=kept, of_averages=of)
    return with_scales(table, options)


def _check_commas(sheet: Sheet, file: str, options: CheckOptions) -> None:
    """Semicolons part the cells where commas part decimals: 65,512 is not read by a guess."""
    if sheet.by != ";" or options.decimal:
        return
    counts = {j for j, text in enumerate(sheet.heads) if key_of(text) in COUNTS}
    for line, cells in sheet.rows:
        for j, cell in enumerate(cells):
            if j not in counts and may_have_decimal_comma(cell):
                raise ScoresError(
                    f"{file}, line {line}: the comma of {cell!r} may part thousands or decimals; "
                    "say --decimal comma or --decimal point"
                )


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise ScoresError(f"{path} is a folder; give the file that holds the table")
    if not path.is_file():
        raise ScoresError(f"{path} is not there{near(str(path))}")
    with path.open("rb") as stream:
        data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise ScoresError(
            f"{path} is larger than 1 MB, which is no table of a report; for scores of single "
            "questions there is reportkit check"
        )
    return data


def _row(e: Entry, file: str, options: CheckOptions) -> PublishedMean | PublishedDifference:
    _check_names(e, file)
    comma = options.decimal == "comma"
    cells = {
        key: _cell(text, head, e, file, options)
        for key, (text, head) in e.cells.items()
        if key not in ("level", "scale", "scores", "errors", "p")
    }
    parts: dict[str, Any] = {key: c.value for key, c in cells.items() if key in NUMBERS and c}
    main = cells.get("difference" if e.is_difference else "mean")
    interval = cells.get("ci")
    percent = _percent(e, "difference" if e.is_difference else "mean", main)
    if main is not None:
        head = e.cells["difference" if e.is_difference else "mean"][1]
        _check_beside(main, head, e, file)
        parts |= _beside(main, parts, e.after or options.plus_minus, head, bool(e.after))
    if interval is not None and interval.low is not None:
        parts |= {"low": interval.low, "high": interval.high}
    level = _level(e)
    if not (options.usual_scale or options.scale_for(e.eval) or "scale" in e.cells):
        _check_units(main, parts, e, file)
    of: dict[str, Any] = {"place": e.place, "eval": e.eval, "model": e.model, "level": level}
    of |= {"mark": e.mark, "beside": e.beside}
    if e.is_difference:
        keys = ("se", "low", "high", "correlation")
        own = {k: v for k, v in parts.items() if k in keys}
        value = main.value if main else None
        of |= {"column": e.column, "order": e.order, "p_said": e.p_said}
        of["p"] = p_value(e.cells["p"][0]) if "p" in e.cells else None
        row = PublishedDifference(**of, baseline=e.baseline, difference=value, **own)
        return replace(row, scale=scale_said(e, percent, options))
    parts.pop("correlation", None)
    mean = PublishedMean(
        **of,
        mean=main.value if main else None,
        **parts,
        scores=_word(e, "scores", file) or options.scores,
        errors=_word(e, "errors", file) or _errors(e, options),
        several=e.several,
    )
    _check_counts(mean, file, comma)
    return replace(mean, scale=scale_said(e, percent, options))


def _level(e: Entry) -> float:
    """Of the row's interval: in a column of its own, or in the head of the interval; else nan."""
    if "level" in e.cells:
        return level_of(e.cells["level"][0])
    return next((h.level for _, h in e.cells.values() if h.level == h.level), math.nan)


def _check_beside(main: Cell, head: Head, e: Entry, file: str) -> None:
    """A number in brackets with a sign is a change; below a head with SD it is no error."""
    if head.spread and (main.beside is not None or main.plus_minus is not None):
        raise ScoresError(
            f"{file}, line {e.place.line}: {head.text!r} says that a standard deviation stands "
            "beside the mean; give the standard error in its place, or leave it out"
        )
    if main.beside is not None and main.value is not None and main.beside.text[:1] in "+-−–":
        raise ScoresError(
            f"{file}, line {e.place.line}: ({main.beside.text}) has a sign, so it is a change and "
            "no standard error; give it a column of its own named 'difference', or leave it out"
        )


def _check_units(main: Cell | None, parts: Mapping[str, Any], e: Entry, file: str) -> None:
    """A share beside a percentage is not put into one unit by a guess."""
    value = main.value if main else None
    errors = [parts[k] for k in ("se", "se_naive", "low", "high") if parts.get(k) is not None]
    if value is None:
        return
    head = any(h.percent for _, h in e.cells.values()) or e.percent
    if "%" in value.text:
        mixed = any("%" not in x.text and x.step <= value.step / 50.0 for x in errors) and not head
    else:
        mixed = abs(value.value) <= 1.0 and any("%" in x.text for x in errors) and not head
    if mixed:
        raise ScoresError(
            f"{file}, line {e.place.line}: {value.text!r} and what stands beside it look like a "
            "share and a percentage; write both in one unit, or say --scale percent or share"
        )


def _check_names(e: Entry, file: str) -> None:
    if not e.eval:
        raise ScoresError(
            f"{file}, line {e.place.line}: the row names no eval; fill in its eval, or say --eval "
            "NAME where the whole table is of one"
        )
    if not e.model and "mean" in e.cells:
        raise ScoresError(f"{file}, line {e.place.line}: the row names no model; fill it in")
    if e.is_difference and not e.baseline:
        raise ScoresError(
            f"{file}, line {e.place.line}: a difference needs two models; add a column 'baseline'"
        )


def _cell(text: str, head: Head, e: Entry, file: str, options: CheckOptions) -> Cell | None:
    comma = options.decimal == "comma"
    if not comma and has_decimal_comma(text):
        raise ScoresError(
            f"{file}, line {e.place.line}: {text!r} has a decimal comma; write it with a point, or "
            "say --decimal comma if all numbers have one"
        )
    bare = head.key == "ci" and re.fullmatch(r"[^()\[\]±]*[,;][^()\[\]±]*", text)
    try:
        found = read_cell(f"[{text}]" if bare else text, comma)
    except ValueError:
        found = Cell()
    if found is not None and found == Cell():
        raise ScoresError(
            f"{file}, line {e.place.line}: {text!r} below {head.text!r} is no number; write it "
            "like 65.5%, 65.5 (0.7) or 65.5 [64.2, 66.8], or leave the column out"
        )
    return found


def _beside(
    main: Cell, known: Mapping[str, Any], after: str, head: Head, said: bool
) -> dict[str, Any]:
    """What stands in the cell of a mean beside it; a column of its own comes first. after: what
    stands after ±. said: by the caption.
    """
    found: dict[str, Any] = {}
    if main.beside is not None and head.half and main.value is not None:
        found |= _ends(main.value, main.beside)
    elif main.beside is not None:
        found["se"] = main.beside
    if main.plus_minus is not None and (head.error or (said and after == "se")):
        found["se"] = main.plus_minus
    elif main.plus_minus is not None and after == "se":
        found["se"] = replace(main.plus_minus, text=f"± {main.plus_minus.text}")
    elif main.plus_minus is not None and main.value is not None:
        found |= _ends(main.value, main.plus_minus)
    if main.low is not None:
        found |= {"low": main.low, "high": main.high}
    return {k: v for k, v in found.items() if known.get(k) is None}


def _ends(value: Printed, half: Printed) -> dict[str, Printed]:
    """The interval value ± half, with ends as sharp as the two let them be."""
    step = value.step + half.step
    text = f"{value.text} ± {half.text}"
    low, high = value.value - half.value, value.value + half.value
    return {"low": Printed(text, low, step), "high": Printed(text, high, step)}


def _percent(e: Entry, key: str, main: Cell | None) -> bool:
    head = key in e.cells and e.cells[key][1].percent
    return bool(main and main.percent) or head or e.percent


def _word(e: Entry, key: str, file: str) -> str:
    """One of the words that a column may hold."""
    if key not in e.cells:
        return ""
    word = e.cells[key][0].strip().casefold()
    if word not in CHOICES[key]:
        raise ScoresError(
            f"{file}, line {e.place.line}: {key} = {word!r}{did_you_mean(word, CHOICES[key])}"
        )
    return word


def _errors(e: Entry, options: CheckOptions) -> str:
    """What the errors of a row are: as a head says, else as the user says, else as the caption
    says, but where the row has clusters, which say it too.
    """
    if any(head.clustered for _, head in e.cells.values()):
        return "clustered"
    return "" if "clusters" in e.cells else options.errors or e.errors


def _check_counts(m: PublishedMean, file: str, comma: bool) -> None:
    for what, number in (("questions", m.n), ("clusters", m.clusters), ("answers", m.answers)):
        if number is not None and not (number.value >= 1 and number.value.is_integer()):
            raise ScoresError(
                f"{file}, line {m.place.line}: {number.text} {what} are no count; give a whole "
                "number from 1 on"
            )
