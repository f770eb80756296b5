"""What stands beside a plan's numbers of answers: which were looked at, and what none can pass."""

from collections.abc import Sequence

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Answers
from reportkit.analysis.planning.fewer import MOST_EPOCHS
from reportkit.analysis.planning.layouts import LEAST_SAVED, PROBABILITIES
from reportkit.analysis.planning.reasons import NO_OMEGA
from reportkit.tables.planning.against import LIMIT, LIMIT_MATHS, one_model
from reportkit.tables.planning.beside import apart, pilot_words
from reportkit.tables.planning.designs import models_of, no_more_answers
from reportkit.tables.planning.noise import assumed
from reportkit.tables.planning.words import Words
from reportkit.text.numbers import percent_of


def limit_formulas(p: Planned, w: Words, limit: Answers) -> tuple[str, str, str]:
    """Of what unlimited answers find: the formula, the same in TeX, and what it takes for granted
    with what it gives.
    """
    assumes = "More answers remove answer noise. What differs between questions stays."
    left, left_maths = "omega^2 / n", r"\omega^2 / n"
    if not p.asked.paired:
        assumes += " The other model's answers are as many as they are."
        left, left_maths = "(omega^2 + sigma_B^2/K_B) / n", r"(\omega^2 + \sigma_B^2/K_B) / n"
    formula = (
        f"difference = (z_{{a/2}} + z_b) sqrt({left})",
        rf"\delta_\infty = (z_{{\alpha/2}} + z_\beta) \sqrt{{{left_maths}}}",
    )
    if one_model(p):
        formula = LIMIT, LIMIT_MATHS
    if limit.equation == limit.equation:
        assumes += f" The formula gives {w.difference(limit.equation)}."
        if apart(limit.detectable, limit.equation):
            assumes += (
                " It leaves out what the test allows for: t in place of z, and how much models "
                "that differ by so much vary."
            )
            assumes += pilot_words(p, limit.detectable, limit.equation)
    return *formula, assumes + assumed(p)


def looked_at(p: Planned, best: Answers) -> str:
    """Of which numbers of answers the best one is the best."""
    if no_more_answers(p):
        return (
            f"No more answers than the pilot's are planned: {NO_OMEGA.short}. Of these, this costs "
            "least."
        )
    whose = "both models" if p.asked.paired else models_of(p)[0]
    if p.asked.of_many:
        whose = "each model"
    text = (
        f"The formula is a guide. Planned were 1 to {MOST_EPOCHS} answers of {whose}, and numbers "
        f"near the formula's: this costs least.{_unequal_words(p)}"
    )
    if max(best.epochs_a, best.epochs_b) == MOST_EPOCHS:
        return f"{text} More than {MOST_EPOCHS} may cost less."
    return text


def designs_words(p: Planned) -> str:
    """The same, of the cheapest designs."""
    if no_more_answers(p):
        return f"Planned were no more answers than the pilot has, as {NO_OMEGA.short}."
    text = f"Planned were 1 to {MOST_EPOCHS} answers, and numbers near the formula's."
    return text + _unequal_words(p)


def _unequal_words(p: Planned) -> str:
    """When the two models get different numbers of answers."""
    if not p.asked.paired or p.asked.of_many:
        return ""
    return f" The models get different numbers where that saves {percent_of(LEAST_SAVED)} or more."


def answers_words(p: Planned) -> str:
    """What the columns of answers and of their variance are."""
    if one_model(p):
        return (
            "Answers to each question, and the variance of its score, are of the model that is run."
        )
    return (
        "Answers: to each question, of both models where one number stands. Variance: of one "
        "question's difference."
    )


def bold_words(rows: Sequence[Answers]) -> str:
    """Of which rows the bold one costs least."""
    text = "Bold: the least cost of all numbers of answers, shown or not"
    if any(a.name == PROBABILITIES for a in rows):
        return f"{text}; {PROBABILITIES} do not take part."
    return f"{text}."


def one_answer_words(p: Planned, rows: Sequence[Answers]) -> str:
    """Why more answers than one may need more questions; empty where none do."""
    sampled = [a.questions for a in rows if not a.name and a.questions == a.questions]
    if not sampled or max(sampled) <= sampled[0]:
        return ""
    if one_model(p):
        return (
            "1 answer to each question has a test of its own for right and wrong answers. Several "
            "have that of means, which needs more questions here."
        )
    return (
        "One right or wrong answer each has McNemar's test, for which fewer questions may do than "
        "for the test of several answers that are nearly all alike."
    )
