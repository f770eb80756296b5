"""The table that a model report opens with: evals by models, with an average and published scores
where these are declared.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from reportkit.results import EvalResult, SuiteResult
from reportkit.suites import MacroResult, PublishedScore
from reportkit.tables.cells import Style, estimate_cell, estimate_fields
from reportkit.tables.data_notes import mark_of
from reportkit.tables.draft import OTHER, ColumnSpec, category_sections, filled
from reportkit.tables.elsewhere import PUBLISHED, published_note, published_text
from reportkit.tables.grid import EVAL_KEY, MODEL_KEY, PUBLISHED_KEY, models_are_rows
from reportkit.tables.means import means
from reportkit.tables.notes import UNTOLD, Note
from reportkit.tables.scales import scales_of
from reportkit.tables.several import (
    agreed,
    facts_of,
    model_column,
    notes_of,
    shots_notes,
    title_of_means,
)
from reportkit.tables.suite.family import (
    apart_notes,
    finest,
    flat_note,
    kept,
    untold_average,
    weight_note,
)
from reportkit.tables.suite.same import averaged_groups, groups_named
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH

AVERAGE = "Average"
ALL = "All evals"  # above the average, where evals have categories


def suite(s: SuiteResult, style: Style) -> Table:
    """Evals in rows and models in columns, or the other way round; the style says which, or the
    number of models, with those that have published scores alone.

    Bold marks, on each eval, the best model and all that the paired tests do not find worse.
    """
    if not style.rows:
        n_models = len(s.models) + len(published_models(s))
        turned = models_are_rows(n_models, len(s.evals))
        style = replace(style, rows="models" if turned else "evals")
    table = _models_in_rows(s, style) if style.rows == "models" else _evals_in_rows(s, style)
    title = title_of_means(s.evals, len(s.models), style)
    return replace(table, name="suite", title=title, data=_data(s, style), fit=True)


def _data(s: SuiteResult, style: Style) -> tuple[dict[str, Any], ...]:
    """Records of the CSV: the means of each eval with its published scores, then the averages, in
    records that name no eval.
    """
    found = [d for r in s.evals for d in means(_with_published(r, s), style).csv_records()]
    if _averaged(s):
        found += [{"eval": "", "average": s.average} | asdict(a) for a in s.averages]
    return tuple(found)


def _with_published(r: EvalResult, s: SuiteResult) -> EvalResult:
    return replace(r, published=tuple(p for p in s.published if p.eval == r.eval))


# Evals in rows ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table: an eval, or the average over all."""

    eval: EvalResult | None
    averages: dict[str, MacroResult]


def _evals_in_rows(s: SuiteResult, style: Style) -> Table:
    facts = [spec for spec in facts_of(s.evals) if spec.shown]
    specs = [
        ColumnSpec("eval", "Eval", lambda r: r.eval, align="l"),
        *facts,
        *(_with_average(model_column(m, s.evals[0], style), m, s, style) for m in s.models),
        *(_published_column(model, s, style) for model in published_models(s)),
    ]
    specs = [_of_eval(spec) for spec in specs]
    rows = [_Row(r, {}) for r in s.evals]
    if _averaged(s):
        rows.append(_Row(None, {a.model: a for a in s.averages}))
    cells = [[spec.cell(row) for spec in specs] for row in rows]
    table = filled("suite", "", [spec.column for spec in specs], cells)
    sections = category_sections(s.evals, range(len(s.evals)), len(s.evals))
    if sections and _averaged(s):
        sections = (*sections, (len(s.evals), ALL))
    shown = {spec.key for spec in facts}
    ends = [(r.eval, r.scale, r.lower) for r in s.evals]
    if _averaged(s):
        ends.append((AVERAGE, finest(s).scale, finest(s).lower))
    notes = _notes(s, style, shown)
    return replace(table, sections=sections, notes=notes, scales=scales_of(ends))


def _of_eval(spec: ColumnSpec) -> ColumnSpec:
    """A column of evals whose row of averages is its label, or empty."""
    if spec.key.startswith((MODEL_KEY, PUBLISHED_KEY)):
        return spec
    average = AVERAGE if spec.key == "eval" else ""
    value = spec.value

    def text(row: _Row) -> str:
        return spec.text(row.eval) if row.eval is not None else average

    def number(row: _Row) -> float | None:
        return value(row.eval) if value is not None and row.eval is not None else None

    return replace(spec, text=text, value=number if value is not None else None)


def _with_average(spec: ColumnSpec, model: str, s: SuiteResult, style: Style) -> ColumnSpec:
    """The column of a model, with its average in the last row."""
    r, best, untold = finest(s), best_average(s), untold_average(s)

    def either(
        of_eval: Callable[[EvalResult], Any], of_average: Callable[[MacroResult], Any]
    ) -> Callable[[_Row], Any]:
        def read(row: _Row) -> Any:
            return of_average(row.averages[model]) if row.eval is None else of_eval(row.eval)

        return read

    averaged = estimate_fields(model, r, style)
    assert spec.value is not None and spec.bold is not None and spec.mark is not None
    return replace(
        spec,
        text=either(spec.text, lambda a: estimate_cell(a, r, style)),
        value=either(spec.value, lambda a: a.mean),
        bold=either(spec.bold, lambda a: a.model in best),
        mark=either(spec.mark, lambda a: UNTOLD * (a.model in untold)),
        fields={name: either(read, averaged[name]) for name, read in spec.fields.items()},
    )


def best_average(s: SuiteResult) -> set[str]:
    """The models whose average may be the best."""
    return {x.model for x in s.ranks if x.low == 1.0}


def _averaged(s: SuiteResult) -> bool:
    return bool(s.average) and len(s.weights) > 1


# Published scores ---------------------------------------------------------------------------------


def published_models(s: SuiteResult) -> list[str]:
    return list(dict.fromkeys(p.model for p in s.published))


def _published_score(s: SuiteResult, eval: str, model: str) -> PublishedScore | None:
    return next((p for p in s.published if (p.eval, p.model) == (eval, model)), None)


def _published_column(model: str, s: SuiteResult, style: Style) -> ColumnSpec:
    def found(row: _Row) -> PublishedScore | None:
        return None if row.eval is None else _published_score(s, row.eval.eval, model)

    def text(row: _Row) -> str:
        return "" if row.eval is None else published_text(found(row), row.eval, style)

    def value(row: _Row) -> float | None:
        p = found(row)
        return None if p is None else p.score

    return ColumnSpec(f"{PUBLISHED_KEY}{model}", model, text, value, group=PUBLISHED)


# Models in rows -----------------------------------------------------------------------------------


def _models_in_rows(s: SuiteResult, style: Style) -> Table:
    """The same turned: above each eval its category, below its name the metric and the shots where
    they differ.
    """
    rows = [(model, False) for model in s.models]
    rows += [(model, True) for model in published_models(s)]
    specs = [
        ColumnSpec("model", "Model", lambda row: row[0], align="l"),
        *(_eval_column(r, s, style) for r in s.evals),
    ]
    if _averaged(s):
        specs.append(_average_column(s, style))
    cells = [[spec.cell(row) for spec in specs] for row in rows]
    table = filled("suite", "", [spec.column for spec in specs], cells)
    sections = ((len(s.models), PUBLISHED),) if published_models(s) else ()
    return replace(table, sections=sections, notes=_notes(s, style, {"metric"}))


def _eval_column(r: EvalResult, s: SuiteResult, style: Style) -> ColumnSpec:
    shown = {spec.key for spec in facts_of(s.evals) if spec.shown}
    head = [r.eval]
    head += [r.metric] * ("metric" in shown)
    head += [f"{agreed(r.shots)} shots"] * ("shots" in shown and agreed(r.shots) != DASH)
    ours = {model: model_column(model, s.evals[0], style) for model in s.models}
    group = (r.category or OTHER) if any(e.category for e in s.evals) else ""

    def text(row: tuple[str, bool]) -> str:
        model, published = row
        if published:
            return published_text(_published_score(s, r.eval, model), r, style)
        return ours[model].text(r) + (mark_of(r, model) if model in r.models else "")

    def value(row: tuple[str, bool]) -> float | None:
        model, published = row
        if not published:
            read = ours[model].value
            return None if read is None else read(r)
        p = _published_score(s, r.eval, model)
        return None if p is None else p.score

    return ColumnSpec(
        f"{EVAL_KEY}{r.eval}",
        "\n".join(head),
        text,
        value,
        group=group,
        bold=lambda row: not row[1] and row[0] in r.best,
        lower=r.lower,
        fields={
            name: _mean_field(r, read) for name, read in estimate_fields(r.eval, r, style).items()
        },
    )


def _mean_field(r: EvalResult, read: Callable[..., float]) -> Callable[[tuple[str, bool]], float]:
    of = {m.model: m for m in r.means}
    return lambda row: math.nan if row[1] or row[0] not in of else read(of[row[0]])


def _average_column(s: SuiteResult, style: Style) -> ColumnSpec:
    r, best, untold = finest(s), best_average(s), untold_average(s)
    of = {a.model: a for a in s.averages}
    return ColumnSpec(
        "average",
        AVERAGE,
        lambda row: "" if row[1] else estimate_cell(of[row[0]], r, style),
        lambda row: None if row[1] else of[row[0]].mean,
        bold=lambda row: not row[1] and row[0] in best,
        mark=lambda row: UNTOLD * (not row[1] and row[0] in untold),
        lower=r.lower,
        fields={
            name: _average_field(of, read)
            for name, read in estimate_fields(AVERAGE, r, style).items()
        },
    )


def _average_field(
    of: dict[str, MacroResult], read: Callable[..., float]
) -> Callable[[tuple[str, bool]], float]:
    return lambda row: math.nan if row[1] else read(of[row[0]])


# Notes --------------------------------------------------------------------------------------------


def _notes(s: SuiteResult, style: Style, shown: set[str]) -> tuple[Note, ...]:
    notes = list(notes_of(s.evals, style, shown | {"metric"}))  # the caption says it
    where = "column" if style.rows == "models" else "row"
    notes = [*(_of_rows(note, where) for note in notes), *shots_notes(s.evals)]
    if _averaged(s):
        notes += _average_notes(s)
    if s.published:
        notes.append(published_note(s.published))
    if s.left_out:
        notes.append(Note(f"Without numbers: {', '.join(s.left_out)}.", "left out"))
    return tuple(notes)


def _of_rows(note: Note, where: str) -> Note:
    """The sentence on bold says where evals stand."""
    if note.kind != "bold" or where == "row":
        return note
    return Note(note.replace("in each row", f"in each {where}"), note.kind, about=note.about)


def _average_notes(s: SuiteResult) -> list[Note]:
    text = (
        f"{AVERAGE}: of the means of a model that was run on every eval, with the SE of "
        f"independent evals{_allowed(s)}; bold: no test of the mean differences over the evals "
        "finds another of these models better."
    )
    if untold_average(s):
        text += f" {AVERAGE} {UNTOLD}: no test finds another better, but too little is known."
    return kept([Note(text, about="average"), weight_note(s), flat_note(s), *apart_notes(s)])


def _allowed(s: SuiteResult) -> str:
    """What the SE of an average allows for."""
    groups = averaged_groups(s)
    if not groups:
        return ""
    return (
        ", which for evals that ask the same questions, by their ids and scores "
        f"({groups_named(groups)}), allows for how their errors go together"
    )


def hidden(table: Table, columns: Sequence[str]) -> Table:
    """The table without those of the columns that it has."""
    there = {name for c in table.columns for name in (c.key, c.head)}
    gone = [name for name in columns if name in there]
    return table.without(*gone) if gone else table
