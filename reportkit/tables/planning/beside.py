"""What stands beside a number of questions: its test, what its formula gives and leaves out, and
what a pilot leaves open.
"""

import math

from reportkit.analysis.planning import Planned
from reportkit.tables.planning.noise import alike_words, ends_words, noise_kept
from reportkit.tables.planning.words import ranged, share_score, words_of
from reportkit.text.numbers import count, counted, plain_number, span

# What a number of questions takes into account beside its formula, by its test.
BY_TEST = {
    "mcnemar": "McNemar's test of right and wrong answers. It allows for this: the more the models "
    "differ, the more questions tell them apart",
    "t": "the t test of the report. It allows for the degrees of freedom of the standard error, "
    "and for the variance of models that differ by so much",
    "welch": "Welch's t test of two models that answer different questions. It allows for the "
    "variance of models that differ by so much",
    "mover": "the report's interval of the difference, which joins those of both means (Donner & "
    "Zou 2012) and then leaves out 0. It counts all means and standard errors that both may have",
    "newcombe": "Newcombe's interval of the difference of two shares, which then leaves out 0. It "
    "counts all numbers of right answers that both models may have",
}

FORMULA = {
    "mcnemar": "Connor's formula leaves that out",
    "t": "Equation 9 of Miller 2024 leaves both out",
    "welch": "The formula leaves that out",
    "mover": "The formula takes the means as normal and the errors as known",
    "newcombe": "The formula takes the two shares as normal, and their variances as those of "
    "models that do not differ",
}


def by_test(test: str, equation: float) -> str:
    """Whose number it is, beside that of the formula."""
    text = f"The number is that of {BY_TEST[test]}."
    if math.isnan(equation):
        return text
    return f"{text} {FORMULA[test]}, and gives {count(equation)}."


SAME_ENDS = " In brackets: at the same ends."
APART = 0.05  # a number and its formula's that differ by more want a reason


def apart(number: float, equation: float) -> bool:
    """
    >>> apart(2.8, 2.1), apart(2.1, 2.05), apart(math.nan, 2.1)
    (True, False, False)
    """
    return abs(number / equation - 1.0) > APART


def pilot_words(p: Planned, number: float, equation: float) -> str:
    """That a number allows for what its pilot leaves open, beside that of a formula which is far
    from it; empty where it is near.
    """
    return as_certain(p, "It also") if apart(number, equation) else ""


def as_certain(p: Planned, which: str = "The number") -> str:
    """That a number leaves out what its pilot leaves open; empty where none does."""
    if p.pilot is None or not p.pilot.ranges:
        return ""
    few = counted(p.pilot.n_questions, "question")
    return f" {which} takes the variance that the pilot's {few} show as certain."


def by_formula(p: Planned) -> str:
    """Whose variance the formula takes."""
    observed = p.pilot is not None and p.pilot.ranges
    return "the pilot's two models" if observed else "models that do not differ"


def both_at(p: Planned) -> str:
    """Where two models are that do not differ, of a pilot whose own are far apart; else empty."""
    like = None if p.pilot is None else p.pilot.like
    return "" if like is None else f" (both at {_score(p, like.score)})"


def formula_above(p: Planned) -> str:
    """Why the formula gives more than the plan; empty where it gives no more."""
    if p.pilot is None or not (p.need.questions < p.need.equation and p.pilot.growth < 1.0):
        return ""
    w = words_of(p)
    kept = "The pilot's correlation is kept, so that the difference of models "
    if not p.asked.paired:
        kept = "The difference of models "
    return (
        " That is more: the formula takes the variance of the pilot's two models, which are "
        f"{w.difference(p.pilot.apart)} apart. {kept}"
        f"{w.given(p.asked.difference)} apart is taken to vary less: its variance"
        f" is {p.pilot.growth:.2f} times that."
    )


def range_words(p: Planned) -> str:
    """What the brackets behind a number of questions are, and what they take for granted."""
    if not ranged(p.need):
        return ""
    if p.pilot is not None and p.pilot.ranges:
        return (
            f" The pilot's {counted(p.pilot.n_questions, 'question')} show a variance; the true "
            f"one may be from {p.pilot.factor_low:.2f} to {p.pilot.factor_high:.2f} times as large "
            "(95% range). In brackets: the questions needed at both ends. The number before the "
            f"brackets allows for this uncertainty.{and_like(p)}{and_alike(p)}{noise_kept(p)}"
            f"{_kept_words(p)}"
        )
    if p.limited and p.found.low == p.found.low:  # which stands above, and says it
        return SAME_ENDS
    return f" In brackets: {ends_words(p)}"


def left_open(p: Planned) -> str:
    """What the brackets are, where the variance of a pilot has not been told."""
    if p.pilot is not None and p.pilot.ranges:
        return f"what the pilot's variance leaves open (95%).{and_like(p)}{and_alike(p)}"
    return ends_words(p)


def plan_of(p: Planned) -> str:
    """Which models a plan is for whose pilot has two that are far apart; empty of any other."""
    if p.pilot is None or p.pilot.like is None:
        return ""
    first, second = scores_of(p, p.asked.difference)
    return (
        f" The pilot's two models are far apart. The plan is for one at {first} and one at "
        f"{second}. For models near the pilot's other one the number is another: give its score as "
        "mean."
    )


def scores_of(p: Planned, difference: float) -> tuple[str, str]:
    """The scores of the two models of such a plan."""
    assert p.pilot is not None and p.pilot.like is not None
    like = p.pilot.like
    return _score(p, like.score), _score(p, like.other(difference))


def between(p: Planned, difference: float) -> str:
    """The same behind the difference that a plan finds; empty of any other plan."""
    if p.pilot is None or p.pilot.like is None or math.isnan(difference):
        return ""
    first, second = scores_of(p, difference)
    return f" (from {first} to {second})"


def _score(p: Planned, x: float) -> str:
    return share_score(x) if p.percent else plain_number(x, 4)


def and_like(p: Planned) -> str:
    """What a range has beside its variance where a pilot's models are far apart; else empty."""
    like = None if p.pilot is None else p.pilot.like
    if like is None:
        return ""
    score = _score(p, like.score)
    if math.isnan(like.low):
        return f" The range also allows for what is not known of how scores vary at {score}."
    ends = span(_score(p, like.low), _score(p, like.high))
    return f" The range also allows for the error of the score of {score} ({ends})."


def and_alike(p: Planned) -> str:
    """What a range holds beside the pilot's variance; empty where that is all."""
    alike = alike_words(p)
    return f" The range also has what is not known of clusters: its ends are {alike}." * bool(alike)


def _kept_words(p: Planned) -> str:
    """What is taken for granted of models that are not as far apart as the pilot's."""
    if not p.percent and p.width == 1.0:  # without ends of a scale all vary alike
        return ""
    if not p.asked.paired:
        return _alike_words(p)
    if formula_above(p):
        return ""
    apart = f"models {words_of(p).given(p.asked.difference)} apart"
    less = f"the difference of {apart} is taken to vary less than that of models further apart"
    if p.test == "mcnemar":
        less = f"{apart} are taken to differ in fewer questions than models further apart"
    text = f" The pilot's correlation is kept. So {less}"
    far = p.pilot.apart if p.pilot is not None else math.nan
    text += f"; the pilot's are {words_of(p).difference(far)} apart." if far == far else "."
    low = p.pilot.factor_low if p.pilot is not None else math.nan
    if p.need.low < (1.0 - APART) * low * p.need.equation:
        text += " This spares most at the lower end of the range, where the variance is smallest."
    return text


def _alike_words(p: Planned) -> str:
    """What is taken for granted of a pilot's models that then answer questions of their own."""
    if not math.isnan(p.asked.other_questions):
        return ""
    return (
        " Models that the pilot does not show to differ are taken as alike, and one of them then "
        f"as worse. If they are in truth {words_of(p).given(p.asked.difference)} apart, the power "
        "is higher than planned: up to 86% in place of 80%, near an end of the scale."
    )
