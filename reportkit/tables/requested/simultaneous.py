"""The table of intervals of differences that hold together."""

import math

from reportkit.requested import SimultaneousResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.columns import difference_column, interval_column, questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, difference_notes, undefined_note
from reportkit.text.numbers import counted, fixed, format_p_value, percent_of


def simultaneous(r: EvalResult, style: Style) -> Draft:
    """Difference, simultaneous interval and adjusted p of each comparison of the family."""
    rows: tuple[SimultaneousResult, ...] = r.requested["simultaneous"]  # type: ignore[assignment]
    units = style.signed_units(r)
    interval = f"Simultaneous {percent_of(rows[0].level)} CI"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec("baseline", "Baseline", lambda x: x.baseline, align="l"),
        difference_column(units),
        interval_column(interval, units, sign=True),
        ColumnSpec(
            "p_adjusted",
            "Adjusted p",
            lambda x: format_p_value(x.p_adjusted, level=r.level),
            lambda x: x.p_adjusted,
        ),
        questions_column(shown=len({x.n_questions for x in rows}) > 1),
    ]
    notes = [*_notes(r, rows), *difference_notes(r, style)]
    notes.append(undefined_note(any(math.isnan(x.ci_low) for x in rows)))
    title = "differences with intervals that hold together."
    return Draft("simultaneous", title, r, specs, rows, notes, rows)


def _notes(r: EvalResult, rows: tuple[SimultaneousResult, ...]) -> list[Note]:
    first = rows[0]
    number = counted(first.n_comparisons, "comparison")
    family = f"{number}: every pair of models"
    if r.baseline:
        family = f"{number}: each model with {r.baseline}"
    text = (
        f"Family of {family}. With {percent_of(first.level)} confidence all intervals hold "
        "together, and an adjusted p is below "
        f"{percent_of(1.0 - first.level)} exactly where the interval excludes 0."
    )
    notes = [Note("Model minus baseline, on common questions.", "pairing")]
    notes.append(Note(text, "family", counts=True))
    if first.method == "max-t":
        how = (
            f"max-t: the difference ± {fixed(first.critical, 2)} SE, from the joint distribution "
            "of all differences (Hothorn, Bretz & Westfall 2008)."
        )
    else:
        how = (
            "Bonferroni: each interval is made as in the differences table, at level 1 − "
            f"{percent_of(1.0 - first.level)} / {first.n_comparisons}, and p is multiplied by "
            f"{first.n_comparisons}."
        )
    notes.append(Note(how, "method", counts=True))
    return notes
