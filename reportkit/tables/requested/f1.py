"""The table of F1."""

import math

from reportkit.decisions.values import split_positive
from reportkit.requested import F1Result
from reportkit.results import EvalResult
from reportkit.tables.cells import Style, interval_fields
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, missing_notes, undefined_notes
from reportkit.text.numbers import DASH, count, fixed, percent_of


def f1(r: EvalResult, style: Style) -> Draft:
    """F1 with its credible interval, precision, recall and the counts of each model."""
    rows: tuple[F1Result, ...] = r.requested["f1"]  # type: ignore[assignment]
    interval = f"{percent_of(r.level)} credible"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec("f1", "F1", lambda x: fixed(x.f1, 3), lambda x: x.f1),
        ColumnSpec(
            "ci",
            interval,
            _interval,
            lambda x: x.ci_low,
            fields=interval_fields(interval),
        ),
        ColumnSpec(
            "precision", "Precision", lambda x: fixed(x.precision, 3), lambda x: x.precision
        ),
        ColumnSpec("recall", "Recall", lambda x: fixed(x.recall, 3), lambda x: x.recall),
        *(_count_spec(key) for key in ("tp", "fp", "fn", "tn")),
    ]
    return Draft(
        "f1", "F1 of each model.", r, specs, rows, [*_notes(r, rows), *missing_notes(r)], rows
    )


def _count_spec(key: str) -> ColumnSpec:
    def read(x: F1Result) -> int:
        return int(getattr(x, key))

    return ColumnSpec(key, key.upper(), lambda x: count(read(x)), read)


def _interval(x: F1Result) -> str:
    if math.isnan(x.ci_low):
        return DASH
    return f"({fixed(x.ci_low, 3)}, {fixed(x.ci_high, 3)})"


def _notes(r: EvalResult, rows: tuple[F1Result, ...]) -> list[Note]:
    field, value = split_positive(str(r.options.get("positive", "")))
    notes = [
        Note(
            f"Positive: questions whose {field} is {value}. TP: right answers to these; FN: wrong "
            "ones; TN, FP: right and wrong answers to all others, so an answer that is neither "
            "counts as wrong."
        ),
        Note("F1: 2 TP / (2 TP + FP + FN).", about="f1"),
    ]
    if any(x.method != "none" for x in rows):
        text = (
            "Given the scores and uniform priors of the four shares, the true F1 lies in the "
            f"credible interval with {percent_of(r.level)} probability (Bowyer, Aitchison & "
            "Ivanova 2025)."
        )
        notes.append(Note(text, about="ci"))
    reasons = []
    if any(x.method == "none" for x in rows):
        reasons.append(
            "no interval, since answers of a cluster or of a question depend on each other"
        )
    if any(math.isnan(x.precision) or math.isnan(x.recall) for x in rows):
        reasons.append("no answer to count")
    return notes + undefined_notes(reasons)
