"""What a plan says of answer noise that is assumed, or that next-token probabilities spare, and of
the public evals that it rests on.
"""

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import GIVEN, PUBLIC, Answers
from reportkit.analysis.planning.ground import MOST_NOISE, PART_CORRELATION, PART_NOISE
from reportkit.analysis.planning.layouts import PROBABILITIES
from reportkit.analysis.planning.public import correlation_ranges
from reportkit.text.numbers import percent_of, plain_number, share_of

SCORES = {
    "binary": "right-or-wrong answers",
    "share": "shares and next-token probabilities",
    None: "all kinds of scores",
}


def assumed(p: Planned) -> str:
    """How the assumes of an answer end that rests on answer noise of which nothing is said."""
    text = " How much of a score is answer noise is assumed, and decides this: give noise."
    return text * p.noise_assumed


def assumed_noise(p: Planned) -> str:
    """The answer noise that nobody gave and no pilot tells; empty where it is known."""
    noise = next((k for k in p.known if k.name == "noise"), None)
    if noise is None or not p.noise_assumed:
        return ""
    return f"an assumed answer noise of {share_of(noise.value)} of a score's variance"


def noise_of_title(p: Planned) -> str:
    """The same in the title of a figure, which has no brackets."""
    noise = next((k for k in p.known if k.name == "noise"), None)
    if noise is None or not p.noise_assumed:
        return ""
    return f", answer noise of {share_of(noise.value)} assumed"


def ends_words(p: Planned) -> str:
    """What the ends of a range are that is not a pilot's."""
    public = {k.name for k in p.known if k.source == PUBLIC}
    parts = []
    if p.noise_open:
        much = "nearly all the answer noise that the correlation leaves"
        if not p.asked.paired:
            much = "answer noise at the upper quartile of public evals"
        parts.append(f"with {much}, and with none, as no noise was given")
    if "correlation" in public:
        parts.append(
            "at the upper and the lower quartile of the correlations of public evals, as no "
            "correlation was given"
        )
    if "spread" in public:
        parts.append(
            "at the lower and the upper quartile of the standard deviations in public evals, as no "
            "spread was given"
        )
    return f"the same {'; '.join(parts)}"


def spread_words(p: Planned) -> str:
    """That public evals say how much scores vary; empty where it is known."""
    spread = next((k for k in p.known if k.name == "spread" and k.source == PUBLIC), None)
    if spread is None:
        return ""
    value, low, high = map(plain_number, (spread.value, spread.low, spread.high))
    return (
        f"How much scores vary is taken from public evals: a standard deviation of {value} ({low} "
        f"to {high}). Give spread to narrow the range."
    )


def noise_kept(p: Planned) -> str:
    """What the ends of a pilot's range are for more answers than it has."""
    given = (k.value for k in p.known if k.name.startswith("epochs") and k.source == GIVEN)
    if not max(given, default=1.0) > 1.0:
        return ""
    return (
        " For more answers than the pilot's its answer noise is taken as known there, and the rest "
        "is what differs between questions."
    )


def of_probabilities(p: Planned) -> Answers | None:
    """The row of next-token probabilities, where what they would leave is known."""
    if p.variances.sigma2_a + p.variances.sigma2_b == 0.0:  # they gain nothing
        return None
    named = (a for a in p.answers if a.name == PROBABILITIES and a.questions == a.questions)
    return next(named, None)


def limits_of_known(p: Planned) -> list[str]:
    """What the ranges of public evals are, and what was taken in place of these evals' numbers."""
    public = {k.name: k for k in p.known if k.source == PUBLIC}
    notes = []
    if any(k.low == k.low for k in public.values() if k.name != "noise"):
        notes.append(
            "Range: the quartiles of what public evals show, each with its repository in the table "
            "of public evals."
        )
    correlation = public.get("correlation")
    if correlation is not None:
        notes += [
            f"Correlation: of {r.evals} public evals of {SCORES[r.answers]}."
            for r in correlation_ranges()
            if r.low == correlation.low
        ]
    if p.noise_assumed:
        notes.append(
            f"Answer noise: no more is assumed than {percent_of(PART_NOISE)} of what the "
            "correlation leaves, as it is independent of the other model's. Few public evals show "
            f"it, so that its range is wide: from none to {_most_noise(p)}. Give your own."
        )
    usual = [r.high for r in correlation_ranges()]
    if correlation is not None and correlation.high not in usual:
        notes.append(
            f"Correlation: no more is assumed than {percent_of(PART_CORRELATION)} of what answer "
            "noise leaves, which may be less than in those evals; give your own."
        )
    return notes


def _most_noise(p: Planned) -> str:
    if not p.asked.paired:
        return "the upper quartile of public evals"
    return f"{percent_of(MOST_NOISE)} of what the correlation leaves"
