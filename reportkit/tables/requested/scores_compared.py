"""The table of next-token probabilities beside sampled answers."""

import math

from reportkit.requested import ScoresComparedResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.columns import difference_column, interval_column, questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, undefined_note
from reportkit.text.numbers import DASH, fixed, format_p_value, percent_of


def scores_compared(r: EvalResult, style: Style) -> Draft:
    """Both means with SE, what probabilities take off the variance, and the difference."""
    rows: tuple[ScoresComparedResult, ...] = r.requested["scores-compared"]  # type: ignore[assignment]
    units = style.signed_units(r)
    interval = f"{percent_of(r.level)} CI"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec(
            "probability",
            "Probability (SE)",
            lambda x: units.with_error(x.probability, x.probability_se),
            lambda x: x.probability,
            fields={
                "Probability": lambda x: x.probability,
                "Probability SE": lambda x: x.probability_se,
            },
        ),
        ColumnSpec(
            "sampled",
            "Sampled (SE)",
            lambda x: units.with_error(x.sampled, x.sampled_se),
            lambda x: x.sampled,
            fields={"Sampled": lambda x: x.sampled, "Sampled SE": lambda x: x.sampled_se},
        ),
        ColumnSpec(
            "reduction", "Variance saved", lambda x: _share(x.reduction), lambda x: x.reduction
        ),
        ColumnSpec(
            "predicted",
            "Predicted",
            lambda x: _share(x.predicted),
            lambda x: x.predicted,
            shown=any(not math.isnan(x.predicted) for x in rows),
        ),
        difference_column(units),
        interval_column(interval, units, sign=True),
        ColumnSpec(
            "p_value",
            "p",
            lambda x: format_p_value(x.p_value, level=r.level),
            lambda x: x.p_value,
        ),
        questions_column(),
    ]
    undefined = any(math.isnan(x.reduction) or math.isnan(x.ci_low) for x in rows)
    notes = [*_notes(r, rows), undefined_note(undefined)]
    if not units.unit:
        notes.append(Note("Scores are percentages.", "units"))
    title = "next-token probabilities beside sampled answers to the same questions."
    return Draft("scores-compared", title, r, specs, rows, notes, rows)


def _share(x: float) -> str:
    """A share in whole percents; a negative one says that probabilities vary more."""
    text = fixed(100.0 * x, 0)
    return text if text == DASH else f"{text}%"


def _notes(r: EvalResult, rows: tuple[ScoresComparedResult, ...]) -> list[Note]:
    notes = [
        Note(
            "Probability: the mean probability that the model gives the right answer (metric "
            f"p_correct). Sampled: the mean score of its answers (metric {rows[0].sampled_metric})."
        ),
        Note(
            "Variance saved: 1 − (SE of probability / SE of sampled)², as a probability has no "
            "noise of a single answer (Miller 2024, section 3.2).",
            about="reduction",
        ),
        Note(
            "Difference: probability minus sampled, paired. The two should agree only where "
            "answers were drawn at the temperature of the probabilities.",
            about="difference",
        ),
    ]
    if any(not math.isnan(x.predicted) for x in rows):
        text = "Predicted: the same from the variance of repeated answers to a question."
        notes.append(Note(text, about="predicted"))
    without = [m.model for m in r.means if m.model not in {x.model for x in rows}]
    if without:
        notes.append(Note(f"Without a question that has both: {', '.join(without)}.", "missing"))
    return notes
