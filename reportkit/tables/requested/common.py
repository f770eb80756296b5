"""The table of means on the questions that all models answered."""

from reportkit.requested import CommonResult
from reportkit.results import EvalResult
from reportkit.tables.cells import (
    Style,
    estimate_words,
)
from reportkit.tables.columns import estimate_column, interval_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, score_notes, undefined_note
from reportkit.text.numbers import count, counted, percent_of

OWN = "All its questions"


def common(r: EvalResult, style: Style) -> Draft:
    """Mean (SE) and interval on the common questions, beside the mean on all questions of each
    model.
    """
    rows: tuple[CommonResult, ...] = r.requested["common"]  # type: ignore[assignment]
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    specs = [
        ColumnSpec("model", "Model", lambda c: c.model, align="l"),
        estimate_column("mean", "Mean", r, style),
        interval_column(interval, units, shown=style.theme != "ci"),
        ColumnSpec(
            "mean_all",
            "Mean",
            lambda c: units.number(c.mean_all),
            lambda c: c.mean_all,
            group=OWN,
        ),
        ColumnSpec("n_all", "Questions", lambda c: count(c.n_all), lambda c: c.n_all, group=OWN),
    ]
    text = f"On the {counted(rows[0].n_questions, 'question')} that all models answered"
    if r.clustered:
        text += f", in {counted(rows[0].n_clusters, 'cluster')} ({r.cluster_field})"
    none = [m.model for m in r.means if not m.n_questions]
    notes = [
        Note(f"{text}.", "common", counts=True),
        Note(f"Without any score, and left out: {', '.join(none)}." if none else ""),
        *score_notes(r, style),
        undefined_note(any(c.se != c.se or c.ci_low != c.ci_low for c in rows)),
    ]
    title = f"{estimate_words('mean score', r, style)} of each model on the common questions."
    return Draft("common", title, r, specs, rows, notes, rows)
