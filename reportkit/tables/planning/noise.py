"""What a plan says of answer noise that is assumed, or that next-token probabilities spare."""

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import PUBLIC, Answers
from reportkit.analysis.planning.layouts import PROBABILITIES
from reportkit.text.numbers import share_of


def assumed(p: Planned) -> str:
    """How the assumes of an answer end that rests on answer noise of which nothing is said."""
    text = " How much of a score is answer noise is assumed, and decides this: give noise."
    return text * p.noise_assumed


def noise_of_title(p: Planned) -> str:
    """The same in the title of a figure, which has no brackets."""
    noise = next((k for k in p.known if k.name == "noise"), None)
    if noise is None or not p.noise_assumed:
        return ""
    return f", answer noise of {share_of(noise.value)} assumed"


def ends_words(p: Planned) -> str:
    """What the ends of a range are that is not a pilot's."""
    quartiles = "the upper and the lower quartile of the correlations of public evals"
    if not p.noise_open:
        return f"the same at {quartiles}, as no correlation was given"
    much = "nearly all the answer noise that the correlation leaves"
    if not p.asked.paired:
        much = "answer noise at the upper quartile of public evals"
    text = f"the same with {much}, and with none, as no noise was given"
    if any(k.name == "correlation" and k.source == PUBLIC for k in p.known):
        text += f"; at {quartiles}, as no correlation was given"
    return text


def of_probabilities(p: Planned) -> Answers | None:
    """The row of next-token probabilities, where what they would leave is known."""
    if p.variances.sigma2_a + p.variances.sigma2_b == 0.0:  # they gain nothing
        return None
    named = (a for a in p.answers if a.name == PROBABILITIES and a.questions == a.questions)
    return next(named, None)
