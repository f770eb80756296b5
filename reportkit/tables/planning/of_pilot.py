"""What a plan says of the ranges of values that it takes of a pilot."""

import math
from dataclasses import replace

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import PILOT, Known, PilotFacts
from reportkit.analysis.planning.parted import PARTS
from reportkit.analysis.planning.piloted import turns_at
from reportkit.text.numbers import counted, fixed, joined, plain_number, span

CLUSTERS_LEAVE = "; no narrower than the chi-squared range of so many clusters"

OF_SCORES = ("spread", "noise", "icc_scores")  # of one model

OWN = {  # of a pilot
    "spread": "spread",
    "correlation": "correlation",
    "noise": "answer noise",
    "icc": "ICC of differences",
    "icc_scores": "ICC of scores",
}


def pilot_ends(p: Planned) -> list[str]:
    """Which values of a pilot the ends of a range have; none where its variance has the range."""
    words = (mean_words(p), own_spread_words(p), correlation_words(p), together_words(p))
    return [text for text in words if text]


def open_names(p: Planned) -> list[str]:
    """The same in a sentence that has named them."""
    if p.pilot is not None and p.pilot.together:
        return ["what the pilot shows"]
    names = {"mean": "score", "spread": "standard deviation", "correlation": "correlation"}
    return [f"that {word}" for name, word in names.items() if _open(p, name) is not None]


def mean_words(p: Planned) -> str:
    """Which expected scores the ends of a range have; empty where no pilot leaves it open."""
    k = _open(p, "mean")
    if k is None:
        return ""
    return (
        f"at the ends of the 95% interval (Wilson) of the pilot's mean, {mean_range(p, k)}; where "
        "the middle of the scale is between them, there in place of the nearer one"
    )


def mean_range(p: Planned, k: Known) -> str:
    """Both ends of an expected score."""
    if not p.percent:
        return span(plain_number(k.low), plain_number(k.high))
    return span(*(f"{fixed(100.0 * end, 1)}%" for end in (k.low, k.high)))


def own_spread_words(p: Planned) -> str:
    """Which spreads the ends of a range have; empty where no pilot leaves it open."""
    k = _open(p, "spread")
    if k is None:
        return ""
    ends, turn = span(plain_number(k.low), plain_number(k.high)), turns_at(p.asked, k)
    text = f"at the ends of the 95% range (chi-squared) of the pilot's spread, {ends}"
    if math.isnan(turn):
        return text
    return (
        f"{text}, and at {plain_number(turn)} between them, where the plan turns to the other side "
        "of the published mean"
    )


def correlation_words(p: Planned) -> str:
    """Which correlations the ends of a range have; empty where no pilot leaves it open."""
    k = _open(p, "correlation")
    if k is None:
        return ""
    ends = span(fixed(k.low, 2), fixed(k.high, 2))
    return f"at the ends of the 95% interval (Fisher's z) of the pilot's correlation, {ends}"


def together_words(p: Planned) -> str:
    """That the ends of a range have the variance which several values of a pilot leave open
    together; empty where none are so.
    """
    if p.pilot is None or not p.pilot.together:
        return ""
    return (
        f"at the ends of the 95% range of the variance (jackknife over {_units(p.pilot)}) that "
        f"{_together(p.pilot)} leave{'s' * (len(p.pilot.together) == 1)} open"
    )


def own_variance_words(p: Planned) -> str:
    """The same of models with questions of their own, whose scores alone count."""
    names = [k.name for k in p.known if k.source == PILOT and k.name in OF_SCORES]
    if p.pilot is None or not p.pilot.together or not names:
        return ""
    return together_words(replace(p, pilot=replace(p.pilot, together=tuple(names))))


def _together(of: PilotFacts) -> str:
    return f"the pilot's {joined([OWN[name] for name in of.together], 'and')}"


def _units(of: PilotFacts) -> str:
    of_clusters = counted(of.n_clusters, "cluster"), counted(of.n_questions, "question")
    return f"its {of_clusters[not of.clustered]}"


def _open(p: Planned, name: str) -> Known | None:
    of_pilot = (k for k in p.known if k.name == name and k.source == PILOT and k.low < k.high)
    return next(of_pilot, None)


def cut_iccs(p: Planned) -> list[str]:
    """That an ICC of the pilot is not what it shows."""
    cut = any(
        k.name in ("icc", "icc_scores") and k.value == 0.0 and k.source == PILOT for k in p.known
    )
    return ["An ICC that the pilot shows to be below 0 is taken as 0."] * cut


def pilot_ranges(p: Planned) -> list[str]:
    """What these ranges are, each in a sentence."""
    notes = []
    if _open(p, "mean") is not None:
        notes.append("Range of the expected score: the 95% interval of the pilot's mean (Wilson).")
    if _open(p, "spread") is not None:
        notes.append(
            "Range of the spread: the 95% range of the pilot's, chi-squared with the degrees of "
            "freedom that the fourth moment of its scores gives."
        )
    if _open(p, "correlation") is not None:
        notes.append(
            "Range of the correlation: the 95% interval of the pilot's, by Fisher's z with the "
            "error that what each question adds to it shows."
        )
    if p.pilot is not None and p.pilot.together:
        of = "cluster" if p.pilot.clustered else "question"
        many = f", or one of {PARTS} parts of them," * (p.pilot.n_clusters > PARTS)
        notes.append(
            f"Range by {_together(p.pilot)}: that of the variance. Each {of}{many} is left out in "
            "turn, and what the variance changes by says how far it may be off (jackknife), with "
            "the degrees of freedom that the fourth moment of these changes gives"
            f"{CLUSTERS_LEAVE * any(name.startswith('icc') for name in p.pilot.together)}."
        )
    return notes
