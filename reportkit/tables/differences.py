"""Paired differences and correlations between models: Table 5 of Miller 2024."""

from typing import Any

from reportkit.decisions import Theme
from reportkit.results import DifferenceResult, EvalResult
from reportkit.tables.cells import LONG_HEAD, estimate_cell, estimate_head, estimate_words, units_in
from reportkit.tables.notes import dash_note, no_pair, score_notes
from reportkit.tables.table import Column, Row, Table, table_of
from reportkit.text.numbers import DASH, count, counted, fixed, format_p_value, percent_of


def differences_table(
    r: EvalResult, theme: Theme = "error-bars", *, questions: bool = False
) -> Table:
    """Paired differences with interval, p-values, correlation and smallest detectable effect: Table
    5 of Miller 2024.

    questions: a column of the common questions also where their number is the same for all, and a
    note would do.
    """
    u, level = units_in(r, theme), percent_of(r.level)
    columns = [
        Column("Model", "l"),
        Column("Baseline", "l"),
        Column(estimate_head("Difference", r, theme)),
    ]
    columns += [Column(f"{level} CI")] * (theme != "ci")
    columns += [Column(h) for h in ("p", "Adjusted p", "Correlation", "Detectable")]
    counts = {d.n_questions for d in r.differences}
    questions = questions or len(counts) > 1
    if questions:
        columns.append(Column("Questions"))

    def row(d: DifferenceResult) -> Row:
        cells = [d.model, d.baseline, estimate_cell(d, r, theme)]
        values: list[float | None] = [None, None, d.difference]
        if theme != "ci":
            cells.append(u.interval(d.ci_low, d.ci_high, sign=True))
            values.append(d.ci_low)
        cells += [
            format_p_value(d.p_value),
            format_p_value(d.p_adjusted),
            fixed(d.correlation, 2),
            u.error(d.mde),
        ]
        values += [d.p_value, d.p_adjusted, d.correlation, d.mde]
        if questions:
            cells.append(count(d.n_questions))
            values.append(d.n_questions)
        return cells, values

    power = r.power[0].power if r.power else 0.8
    notes = [
        "Model minus baseline, on "
        f"{'' if questions else count(r.differences[0].n_questions) + ' '}common questions."
        if r.power
        else no_pair(r),
        f"Adjusted p: Holm over {counted(r.n_tests, 'comparison')}; intervals are not adjusted."
        if r.n_tests > 1
        else "",
        f"Detectable: the smallest true difference found with {percent_of(power)} power at the "
        "unadjusted "
        f"{percent_of(1.0 - r.level)} level."
        if r.power
        else "",
        *score_notes(r, theme),
        dash_note(
            any(x != x for d in r.differences for x in (d.se, d.ci_low, d.correlation, d.mde))
        ),
    ]
    rows = map(row, r.differences)
    title = f"{estimate_words(theme, 'paired differences', r)}."
    return table_of("differences", title, columns, rows, notes, list(r.differences), r)


def correlations_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Pearson correlations of question scores, on the common questions of each pair."""
    # Long names would make the heads taller than the table: then columns are numbered.
    numbered = max(map(len, r.models)) > LONG_HEAD
    heads = [str(i) for i in range(1, len(r.models) + 1)] if numbered else list(r.models)
    columns = [Column("Model", "l"), *(Column(h) for h in heads)]
    names = [f"{i}. {m}" for i, m in enumerate(r.models, 1)] if numbered else list(r.models)
    rows = [
        ([m, *(fixed(c, 2) for c in line)], [None, *line])
        for m, line in zip(names, r.correlations, strict=True)
    ]
    data: list[Any] = [
        {"eval": r.eval, "metric": r.metric, "model": a, "other": b, "correlation": c}
        for a, line in zip(r.models, r.correlations, strict=True)
        for b, c in zip(r.models, line, strict=True)
    ]
    undefined = any(c != c for line in r.correlations for c in line)
    note = (
        f"{DASH}: undefined, with fewer than two common questions or a model whose score never "
        "varies."
        if undefined
        else ""
    )
    notes = ["Pearson, over common questions.", note]
    return table_of(
        "correlations",
        "correlation of question scores between models.",
        columns,
        rows,
        notes,
        data,
        r,
    )
