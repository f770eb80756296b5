"""The table of macro averages: one row for each model, over several evals."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace

from reportkit.analysis.macro import averaged_evals, macro_results
from reportkit.analysis.same_questions import same_questions
from reportkit.analysis.suite import by_category
from reportkit.results import EvalResult
from reportkit.suites import MacroResult
from reportkit.tables.cells import (
    Style,
    estimate_words,
)
from reportkit.tables.columns import estimate_column, interval_column
from reportkit.tables.draft import ColumnSpec, filled
from reportkit.tables.notes import Note, fictional_notes, joined_notes, missing_notes, score_notes
from reportkit.tables.several import MODEL_COLUMNS
from reportkit.tables.suite.family import not_averaged
from reportkit.tables.suite.same import independent_but
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count, counted, percent_of, units_of

MEANS = "Mean"  # above the columns of the evals


def macro(results: Sequence[EvalResult], style: Style) -> Table:
    """The average of each model with error and interval, beside its mean on each of a few evals."""
    rows = macro_results(results)
    inside, twice = averaged_evals(results)
    results = by_category(inside)
    finest = max(results, key=lambda r: units_of(r).digits)  # its decimals are those of averages
    units, interval = style.signed_units(finest), f"{percent_of(finest.level)} CI"
    few = len(results) <= MODEL_COLUMNS
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        estimate_column("macro", "Macro average", finest, style),
        interval_column(interval, units, shown=style.theme != "ci"),
        ColumnSpec("evals", "Evals", lambda x: count(x.n_evals), lambda x: x.n_evals),
        *(_eval_spec(r, style) for r in (results if few else ())),
    ]
    shown = [spec for spec in specs if spec.shown]
    what = estimate_words("macro averages", finest, style)
    table = filled(
        "macro",
        f"{what[0].upper()}{what[1:]} of {counted(len(rows), 'model')} over "
        f"{counted(len(results), 'eval')}.",
        [spec.column for spec in shown],
        [[spec.cell(x) for spec in shown] for x in rows],
    )
    notes = [*_notes(results, rows, style), *not_averaged({e: s.reason for e, s in twice.items()})]
    return replace(table, notes=tuple(notes), data=tuple(asdict(x) for x in rows))


def _eval_spec(r: EvalResult, style: Style) -> ColumnSpec:
    """The column of one eval: each model's mean."""
    means = {m.model: m.mean for m in r.means}
    units = style.signed_units(r)
    return ColumnSpec(
        f"eval:{r.eval}",
        r.eval,
        lambda x: units.number(means.get(x.model, math.nan)),
        lambda x: means.get(x.model, math.nan),
        group=MEANS,
    )


def _notes(
    results: Sequence[EvalResult], rows: Sequence[MacroResult], style: Style
) -> tuple[Note, ...]:
    evals = counted(len(results), "eval")
    notes = [
        Note(
            f"Macro average: the mean of a model's means on these {evals}. Every eval weighs the "
            "same, whatever its number of questions; the average says nothing of other evals."
        ),
        Note(
            f"SE: the root of the sum of the evals' SE², over {len(results)}; "
            f"{independent_but(same_questions(results))}. "
            "Intervals join those of the evals (Donner & Zou 2012)."
        ),
    ]
    if any(x.n_evals < x.n_all for x in rows):
        text = f"{DASH}: no average, since the model has no score of some eval."
        notes.append(Note(text, "undefined"))
    elif any(math.isnan(x.se) or math.isnan(x.ci_low) for x in rows):
        text = f"{DASH}: not estimable, since an eval gives the model no SE or no interval."
        notes.append(Note(text, "undefined"))
    of_scores = [[*fictional_notes(r), *score_notes(r, style), *missing_notes(r)] for r in results]
    return (*notes, *joined_notes(results, of_scores))
