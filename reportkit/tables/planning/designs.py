"""A plan's designs in words: whose answers they are, the cheapest design, and how to plan it."""

import math

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Answers, Cheapest
from reportkit.analysis.planning.reasons import NO_OMEGA
from reportkit.tables.planning.noise import assumed_noise
from reportkit.tables.planning.options import to_give
from reportkit.tables.planning.words import (
    cost_range,
    cost_text,
    sized_text,
    unanswered,
    words_of,
)
from reportkit.text.numbers import count, counted, share_of

WIDE = 5.0  # times its lower end is the upper end of a range that settles little


def models_of(p: Planned) -> tuple[str, str]:
    """The two models by the pilot's names, else what they are called in a plan."""
    if p.pilot is not None and len(p.pilot.models) == 2:
        return p.pilot.models[0], p.pilot.models[1]
    return "the first model", "the second model"


def each_model(p: Planned, a: float, b: float) -> str:
    """Answers to each question: 4 answers, or 4 answers of A and 1 of B. Where only the first model
    is run, its own.
    """
    own = counted(a, "answer")
    if a == b or not p.asked.paired:
        return own
    first, second = models_of(p)
    return f"{own} of {first} and {count(b)} of {second}"


def in_one(p: Planned) -> str:
    """Behind what is of one comparison, where several share the level."""
    return " for one comparison" * (p.asked.comparisons > 1)


def epochs_text(a: float, b: float) -> str:
    """The same in a cell; `epochs_words` says below whose numbers are two.

    >>> epochs_text(4.0, 4.0), epochs_text(4.0, 1.0), epochs_text(float("inf"), float("inf"))
    ('4', '4, 1', 'no limit')
    """
    first, second = ("no limit" if math.isinf(k) else count(k) for k in (a, b))
    return first if first == second else f"{first}, {second}"


def epochs_of(p: Planned, x: Answers | Cheapest) -> str:
    """The same of the models that are run."""
    alone = not math.isnan(p.asked.published_questions)
    return epochs_text(x.epochs_a, x.epochs_a if alone else x.epochs_b)


def unequal(rows: tuple[Answers, ...] | tuple[Cheapest, ...]) -> bool:
    """Whether a row has numbers of answers that differ between the models."""
    return any(r.epochs_a < r.epochs_b or r.epochs_a > r.epochs_b for r in rows)


def epochs_words(p: Planned, rows: tuple[Answers, ...] | tuple[Cheapest, ...]) -> str:
    """Whose answers they are where a cell has two numbers; empty where none has."""
    if not unequal(rows) or not math.isnan(p.asked.published_questions):
        return ""
    first, second = models_of(p)
    return f"Two numbers: answers of {first}, then of {second}."


def no_more_answers(p: Planned) -> bool:
    """Whether a pilot does not show what more answers than its own would leave."""
    return any(a.reason == NO_OMEGA for a in p.answers)


# The cheapest -------------------------------------------------------------------------------------


def best_of(p: Planned) -> Answers | None:
    """The answers that cost least, with any number of questions; None where it is not known."""
    return next((a for a in p.answers if a.best), None)


def _as_asked(p: Planned, x: Answers | Cheapest) -> bool:
    return (x.epochs_a, x.epochs_b) == (p.shape.epochs_a, p.shape.epochs_b)


def to_plan(p: Planned, x: Answers | Cheapest) -> str:
    """What to give for a plan of this design; empty where it is the plan's own."""
    if _as_asked(p, x):
        return ""
    second = {"epochs_b": x.epochs_b} if x.epochs_a != x.epochs_b else {}
    return f"give {to_give(epochs=x.epochs_a, **second)}"


def planned_by(p: Planned, x: Answers | Cheapest) -> str:
    """How the other answers, and the sentence for a methods section, come to be of this design."""
    give = to_plan(p, x)
    return f" For a plan of this design, {give}." if give else ""


def cheapest(p: Planned) -> str:
    """The cheapest design beside the one that was asked for, how to plan it, and what it saves."""
    best = best_of(p)
    if best is None or math.isnan(p.variances.sigma2_a + p.variances.sigma2_b):
        return ""  # of one answer each nothing tells what more would do
    of, one = "", in_one(p)
    if no_more_answers(p):
        of = "Of the designs with no more answers than the pilot has, "
    if _as_asked(p, best):
        text = f"{of}no other number of answers to each question costs less{one}."
    else:
        answers = each_model(p, best.epochs_a, best.epochs_b)
        text = (
            f"{of}the cheapest design{one} is {answers} to each of {sized_text(p, best)}: it "
            f"costs {cost_range(best)}{_saved(best.cost, p.need.cost)}{_without_noise(p, best)}."
            f"{planned_by(p, best)}"
        )
        if p.pilot is not None and best.low > 0.0 and not best.high <= WIDE * best.low:
            text += " The pilot leaves this wide open; a larger one would narrow it."
    return text[0].upper() + text[1:] + _for_each(p) + _rests(p)


def for_each(p: Planned) -> str:
    return f"for each of {count(p.asked.comparisons)} comparisons"


def whose_cost(p: Planned) -> str:
    """Behind a cost of several comparisons: of whom it is."""
    if p.asked.of_many:
        return f" for all {count(p.asked.cost_models)} models"
    return " for the two models of a comparison" if p.asked.paired else " for one model"


def of_all(p: Planned) -> str:
    """Behind a cost: whose it is, where more than two models are run."""
    return whose_cost(p) if p.asked.of_many else ""


def _for_each(p: Planned) -> str:
    """The cheapest design where several comparisons share the level."""
    x = p.for_each
    if x is None or math.isnan(x.questions):
        return ""
    answers = each_model(p, x.epochs_a, x.epochs_b)
    return (
        f" {for_each(p).capitalize()} it is {answers} to each of {sized_text(p, x)}, which costs "
        f"{cost_range(x)}{whose_cost(p)}."
    )


def with_these(p: Planned) -> str:
    """How the questions that the eval has find the difference: the cheapest design of no more than
    these; without costs, more answers where one each is not enough.
    """
    x, n = p.within, counted(p.asked.questions, "question")
    enough = p.found.power >= p.asked.power
    if x is None or (enough and math.isnan(x.cost)):
        return ""
    if math.isnan(x.questions):
        told = unanswered(x.reason.cause or x.reason, short=True)
        if x.reason.never:
            return f"With these questions the difference {told}."
        return f"Whether more answers to each find it with these questions is {told}."
    difference = words_of(p).given(p.asked.difference)
    answers = each_model(p, x.epochs_a, x.epochs_b)
    size = sized_text(p, x)
    if x.cost == x.cost:
        # all the questions may have more power, and cost more for that: nothing is said to be saved
        text = (
            f"Of the designs with no more than {n}, the cheapest that finds the difference"
            f"{in_one(p)} is {answers} to each of {size}: it costs {cost_text(x.cost)}{of_all(p)}."
        )
    else:
        text = f"With {answers} to each, {size} find {difference}."
    return text + planned_by(p, x) + _rests(p)


def _saved(cost: float, beside: float) -> str:
    """
    >>> _saved(60.0, 100.0), _saved(100.0, 100.0), _saved(60.0, math.nan)
    (', which saves 40%', '', '')
    """
    if not cost < beside:
        return ""
    return f", which saves {share_of(1.0 - cost / beside)}"


def _without_noise(p: Planned, best: Answers) -> str:
    """What the cheapest design would save, or cost, if there were no answer noise; empty where
    noise is not assumed. At that end of both ranges the rest that is not known is the same.
    """
    if not (p.noise_assumed and best.cost < p.need.cost and math.isfinite(best.high)):
        return ""
    own = p.need.high if p.need.high == p.need.high else p.need.questions
    times = best.cost / best.questions * best.high / (p.need.cost / p.need.questions * own)
    change = share_of(abs(times - 1.0))
    if change == "0%" or not math.isfinite(times):
        return ""
    if times < 1.0:
        return f" ({change} if there is no answer noise)"
    return f"; if there is no answer noise, it costs {change} more than the first"


def _rests(p: Planned) -> str:
    """That it rests on noise which nobody gave; said once, where `noise_words` does not."""
    if p.noise_open or not p.noise_assumed:
        return ""
    return f" This rests on {assumed_noise(p)}: give yours as noise."
