"""Sentences below a table about its data: means of other questions, models that may be copies,
failures that count, differences that are not those of the printed means.
"""

import math
from collections.abc import Sequence
from decimal import Decimal

from reportkit.analysis.questioned import copied, flagged, shares, usual
from reportkit.analysis.settings import unlike
from reportkit.results import DifferenceResult, EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.notes import FILES, UNTOLD, Note
from reportkit.text.numbers import DASH, MINUS, Units, counted

OTHER = "‡"  # behind a mean that is of other questions than those of most models
SPELLED_OUT = 5  # models up to which a note gives every mean on the common questions


def data_notes(r: EvalResult) -> list[Note]:
    """What is doubtful about the scores, whatever is made of them."""
    return [
        *(Note(f"{text}.", "copies", counts=True) for text in copied(r.copies)),
        *(Note(f"{flagged(f)}.", "flagged", counts=True) for f in r.flagged),
    ]


def settings_notes(r: EvalResult) -> list[Note]:
    """In which settings the compared runs are not alike."""
    return [Note(f"{t}.", "settings") for t in unlike(r.models, r.shots, r.limits, r.runs)]


# Means of other questions -------------------------------------------------------------------------


def mark_of(r: EvalResult, model: str) -> str:
    """What stands behind a mean: the mark of a model of which too little is known, that of a mean
    of other questions than most, both, or nothing.
    """
    return mark_text(model in r.untold, any(o.model == model for o in r.other_questions))


def mark_text(untold: bool, other: bool) -> str:
    """The same of what is known of a mean.

    >>> mark_text(True, True), mark_text(False, False)
    (' †‡', '')
    """
    marks = UNTOLD * untold + OTHER * other
    return f" {marks}" if marks else ""


def other_notes(r: EvalResult, style: Style) -> list[Note]:
    """What the mark stands for, with how many questions of how many, and the means on the common
    questions.
    """
    if not r.other_questions:
        return []
    text = f"{OTHER}: not of {usual(r)}: {shares(r.other_questions)}."
    notes = [Note(text, "other questions", about="mean", counts=True)]
    scored = [m for m in r.means if m.n_questions]
    kind = FILES if r.n_common and len(scored) > SPELLED_OUT else "other questions"
    return [*notes, Note(f"{_on_common(r, style)}.", kind, about="mean", counts=True)]


def _on_common(r: EvalResult, style: Style) -> str:
    """The means on the questions that all models answered, or where they are."""
    if not r.n_common:
        return "No question was answered by all models"
    on = f"Means on the {counted(r.n_common, 'question')} that all models answered"
    scored = [m for m in r.means if m.n_questions]
    if len(scored) > SPELLED_OUT:
        return f"{on}: column mean_common of means.csv"
    units = style.signed_units(r)
    means = (f"{m.model} {units.number(m.mean_common)}" for m in scored)
    return f"{on}: {', '.join(means)}"


# Differences --------------------------------------------------------------------------------------


def apart_notes(r: EvalResult, records: Sequence[DifferenceResult], units: Units) -> list[Note]:
    """Why a difference is not that of the two printed means: other questions, or rounding."""
    apart = [why_apart(d, r, units) for d in records]
    notes = []
    questions = apart.count("questions")
    if questions:
        every = questions == len(records) > 1
        rows = "every row" if every else counted(questions, "row")
        text = (
            f"In {rows} the difference is not that of the two printed means, since these are of "
            "all questions of each model."
        )
        notes.append(Note(text, "apart", about="difference", counts=not every))
    if "rounding" in apart:
        text = "Differences are computed before rounding, so the last digit may differ."
        notes.append(Note(text, "apart", about="difference"))
    return notes


def why_apart(d: DifferenceResult, r: EvalResult, units: Units) -> str:
    """Why a printed difference is not that of the two printed means: "questions", "rounding", or
    "" where it is, or where a number is not printed.
    """
    means = {m.model: m.mean for m in r.means}
    a, b = means.get(d.model, math.nan), means.get(d.baseline, math.nan)
    if subtracts(a, b, d.difference, units):
        return ""
    of_same_questions = not (d.n_only_model or d.n_only_baseline)
    if of_same_questions or units.number(a - b) == units.number(d.difference):
        return "rounding"
    return "questions"


def subtracts(a: float, b: float, difference: float, units: Units) -> bool:
    """Whether two printed means have the printed difference; also where one is not printed.

    >>> units = Units(True, 1)
    >>> subtracts(0.655, 0.630, 0.025, units), subtracts(0.6554, 0.6296, 0.0258, units)
    (True, False)
    """
    shown = [units.number(x) for x in (a, b, difference)]
    if DASH in shown:
        return True
    first_mean, second_mean, printed = map(_printed, shown)
    return first_mean - second_mean == printed


def _printed(text: str) -> Decimal:
    """The number that a reader sees.

    >>> _printed("−2.10%"), _printed("+0.5")
    (Decimal('-2.10'), Decimal('0.5'))
    """
    return Decimal(text.rstrip("%").replace(MINUS, "-"))
