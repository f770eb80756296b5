"""The notes about detectable differences: which is meant, and why there is none."""

from collections.abc import Iterable

from reportkit.analysis.detectable import SCALE
from reportkit.results import EvalResult, PowerResult
from reportkit.stats.planning.detectable import (
    FEW_LARGE,
    LEAST_ALIKE,
    NEAR_END,
    NO_TEST,
    NO_VARIANCE,
)
from reportkit.tables.notes import Note
from reportkit.text.numbers import DASH

FEW = "few-clusters"  # FEW_LARGE, where there are no more of them

REASONS = {
    NO_TEST: "the pair has no test, with too few questions or clusters",
    NO_VARIANCE: "the two models differ by the same amount, or not at all, on every question or in "
    "every cluster",
    NEAR_END: "the two models together are fewer than 2 questions away from an end of the scale",
    FEW: f"the two models compared have fewer than {LEAST_ALIKE:g} clusters in common",
    FEW_LARGE: "a few clusters hold most of the questions, so that the eval may be worth fewer "
    f"than {LEAST_ALIKE:g} clusters of one size",
    SCALE: "no difference that the scale leaves would be found so often",
}


def meant_notes(r: EvalResult) -> list[Note]:
    """In which direction the difference is looked for: a bounded scale leaves more room one way."""
    ways = {p.direction for p in r.power if p.direction}
    if not ways:
        return []
    text = "In a detectable difference the correlation is as observed; one model is at its mean"
    wide = f"{text}, the other lower, or higher where both are below the middle of the scale."
    told = wide if len(ways) > 1 else f"{text}, the other {ways.pop()}."
    return [Note(told, about="mde", wide=wide)]


def no_mde_notes(r: EvalResult) -> list[Note]:
    """Why a detectable difference beside a defined difference is a dash; where the row has nothing
    but dashes, the table says why itself.
    """
    reasons = _told(p for p in r.power if p.reason != NO_TEST)
    text = f"Detectable, {DASH}: {'; or '.join(reasons)}."
    return [Note(text, "undefined", about="mde")] if reasons else []


def dash_note(r: EvalResult) -> Note:
    """Why a detectable difference, or a number of questions, is a dash."""
    return Note(f"{DASH}: {reasons_of(r)}.", "undefined")


def reasons_of(r: EvalResult) -> str:
    """Why comparisons have no detectable difference, in words."""
    return "; or ".join(_told(r.power) or [REASONS[SCALE]])


def _told(powers: Iterable[PowerResult]) -> list[str]:
    """The reasons of some comparisons, each once."""
    given = set()
    for p in powers:
        few = p.reason == FEW_LARGE and p.n_clusters < LEAST_ALIKE
        given.add(FEW if few else p.reason)
    return [text for code, text in REASONS.items() if code in given]
