"""The table of coverage certificates."""

import math
from dataclasses import replace

from reportkit.results import EvalResult
from reportkit.tables.cells import Style, model_or_pair
from reportkit.tables.columns import clusters_column, questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note
from reportkit.text.numbers import DASH, Units, bare, count, fixed, percent_of

ASSUMED = "Assumed"


def certificate(r: EvalResult, style: Style) -> Draft:
    """Simulated coverage of each printed interval, with its simulation error, and what was assumed.

    The CSV has every column; here those that are the same empty thing in every row are left out.
    """
    units, shares = replace(style, point=" points").units(r), Units(True, 1)
    specs = [
        ColumnSpec("name", "Interval of", model_or_pair, align="l"),
        ColumnSpec(
            "coverage",
            "Coverage",
            lambda c: shares.with_error(c.coverage, c.simulation_error),
            lambda c: c.coverage,
            fields={
                "Coverage": lambda c: c.coverage,
                "Simulation error": lambda c: c.simulation_error,
            },
        ),
        ColumnSpec(
            "none",
            "No interval",
            lambda c: shares.error(c.not_printed),
            lambda c: c.not_printed,
            shown=_some_without_interval(r),
        ),
        ColumnSpec(
            "mean",
            "Mean",
            lambda c: units.number(c.mean, sign=bool(c.baseline)),
            lambda c: c.mean,
            group=ASSUMED,
        ),
        ColumnSpec(
            "icc",
            "ICC",
            lambda c: fixed(c.icc, 2),
            lambda c: c.icc,
            group=ASSUMED,
            shown=r.clustered,
        ),
        ColumnSpec(
            "answer_icc",
            "Answer ICC",
            lambda c: fixed(c.answer_icc, 2),
            lambda c: c.answer_icc,
            group=ASSUMED,
            shown=_answers_correlate(r),
        ),
        questions_column(),
        clusters_column(shown=r.clustered),
        ColumnSpec("answers", "Answers", lambda c: count(c.n_answers), lambda c: c.n_answers),
        ColumnSpec("method", "Method", lambda c: c.method),
    ]
    if r.certificates:
        notes = _notes(r)
    else:
        notes = [Note("No certificate was made; ask for one with --certificate.", "empty")]
    title = "coverage certificate, simulated for data of this shape."
    return Draft("certificate", title, r, specs, r.certificates, notes, r.certificates)


def _some_without_interval(r: EvalResult) -> bool:
    return any(c.not_printed > 0.0 for c in r.certificates)


def _answers_correlate(r: EvalResult) -> bool:
    return any(not math.isnan(c.answer_icc) for c in r.certificates)


def _notes(r: EvalResult) -> list[Note]:
    first = r.certificates[0]
    parts = "questions and answers"
    if r.clustered:
        parts = "questions, clusters and answers"
    observed = "mean is that"
    if r.clustered or _answers_correlate(r):
        observed = "mean and correlations (ICC) are those"
    notes = [
        Note(
            f"Coverage (simulation error): {count(first.repeats)} evals are simulated, with the "
            f"{parts} of this one; their true {observed} observed here. Each gets an "
            "interval as this report makes them. Coverage is the share of the intervals that hold "
            f"the true mean; they promise {percent_of(first.level)}."
        )
    ]
    if r.clustered:
        notes.append(Note("ICC: correlation of two questions of a cluster, at least 0."))
    if _answers_correlate(r):
        notes.append(Note("Answer ICC: correlation of two answers to a question."))
    if r.scale.bounded and any(m.se == 0.0 and m.mean in r.scale.ends for m in r.means):
        low, high = map(bare, r.scale.ends)
        text = (
            f"Where all scores are {low} or all are {high}, the simulation takes a mean that is "
            "half a question away, and correlations of 0."
        )
        notes.append(Note(text))
    if any(c.baseline for c in r.certificates):
        notes.append(Note("Of two models: the mean difference, and the answers of both."))
    if _some_without_interval(r):
        text = "No interval: simulated evals that get none; they do not count in coverage."
        notes.append(Note(text, about="none"))
    else:
        notes.append(Note("All simulated evals have an interval."))
    notes.append(
        Note(
            "This says whether the method suits data like these. It does not say that an interval "
            "printed here is right. It says nothing about other questions, other means or other "
            "correlations, or about what the simulation leaves out."
        )
    )
    reasons = sorted({c.reason for c in r.certificates if c.reason})
    if reasons:
        notes.append(Note(f"{DASH} under coverage: {'; '.join(reasons)}.", "undefined"))
    return notes
