"""The table of equivalence and non-inferiority within a declared margin."""

import math

from reportkit.requested import EquivalenceResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.columns import difference_column, interval_column, questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, difference_notes, undefined_note
from reportkit.text.numbers import DASH, bare, format_p_value, percent_of

VERDICTS = {"yes": "yes", "no": "no", "none": DASH}
EQUIVALENT, NOT_WORSE = "Equivalent", "Not worse"


def equivalence(r: EvalResult, style: Style) -> Draft:
    """Difference, its interval at 1 - 2 alpha, and both verdicts with p, for each comparison."""
    rows: tuple[EquivalenceResult, ...] = r.requested["equivalence"]  # type: ignore[assignment]
    units = style.signed_units(r)
    interval = f"{percent_of(rows[0].level)} CI" if rows else "CI"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec("baseline", "Baseline", lambda x: x.baseline, align="l"),
        difference_column(units),
        interval_column(interval, units, sign=True),
        ColumnSpec("equivalent", "Shown", lambda x: VERDICTS[x.equivalent], group=EQUIVALENT),
        ColumnSpec(
            "p_equivalence",
            "p",
            lambda x: format_p_value(x.p_equivalence, level=r.level),
            lambda x: x.p_equivalence,
            group=EQUIVALENT,
        ),
        ColumnSpec("non_inferior", "Shown", lambda x: VERDICTS[x.non_inferior], group=NOT_WORSE),
        ColumnSpec(
            "p_non_inferiority",
            "p",
            lambda x: format_p_value(x.p_non_inferiority, level=r.level),
            lambda x: x.p_non_inferiority,
            group=NOT_WORSE,
        ),
        questions_column(shown=len({x.n_questions for x in rows}) > 1),
    ]
    notes = [*_notes(r, rows), *difference_notes(r, style)]
    notes.append(undefined_note(any(math.isnan(x.p_equivalence) for x in rows)))
    title = "which models are shown to be about as good, and which not to be worse."
    return Draft("equivalence", title, r, specs, rows, notes, rows)


def _notes(r: EvalResult, rows: tuple[EquivalenceResult, ...]) -> list[Note]:
    if not rows:
        return [Note("No two models have a question in common.", "empty")]
    first = rows[0]
    text = (
        "Model minus baseline, on common questions. The margin, declared before looking: "
        f"{_size(first.margin, r)}."
    )
    notes = [Note(text, "margin", counts=True)]
    if r.leader:
        text = (
            f"Baseline: the {r.top} mean{r.among}, which the data chose, so the other models look "
            "somewhat worse than they are."
        )
        notes.append(Note(text, "leader", about="baseline"))
    level, alpha = percent_of(first.level), percent_of(first.alpha)
    notes.append(
        Note(
            f"{EQUIVALENT}: the {level} interval lies within the margin on both sides, which two "
            f"one-sided tests at the {alpha} level show (Schuirmann 1987).",
            about="equivalent",
        )
    )
    notes.append(
        Note(
            f"{NOT_WORSE} (non-inferior): one of the two tests, that the model's mean is not "
            f"{r.worse} than the baseline's by the margin or more.",
            about="non_inferior",
        )
    )
    text = "No: not shown, which says neither that the models differ nor that they do not."
    if len(rows) > 1:
        text += " These p-values are not adjusted for several comparisons."
    notes.append(Note(text, about="equivalent"))
    return notes


def _size(margin: float, r: EvalResult) -> str:
    """The margin with all the digits that were given."""
    if r.scale.percent:
        return f"{bare(round(100.0 * margin, 10))} percentage points"
    return bare(margin)
