"""What a plan says of whom its questions are for: both models, or one that is run against another
model's published mean.
"""

import math

from reportkit.analysis.planning import Planned
from reportkit.tables.planning.designs import in_one, models_of
from reportkit.tables.planning.telling import (
    CONNOR,
    CONNOR_MATHS,
    NINE,
    NINE_MATHS,
    TEN,
    TEN_MATHS,
)
from reportkit.tables.planning.words import size_text
from reportkit.text.numbers import counted

ONE = "n = V_A / (difference^2 / (z_{a/2} + z_b)^2 - V_B / n_B)"
ONE_MATHS = r"n = V_A / (\delta^2/\left(z_{\alpha/2} + z_\beta\right)^2 - V_B/n_B)"
ONE_FINDS = "difference = (z_{a/2} + z_b) sqrt(V_A / n + V_B / n_B)"
ONE_FINDS_MATHS = r"\delta = (z_{\alpha/2} + z_\beta) \sqrt{V_A/n + V_B/n_B}"
LIMIT = "difference = (z_{a/2} + z_b) sqrt((V_A - sigma_A^2) / n + V_B / n_B), V_A of one answer"
LIMIT_MATHS = r"\delta_\infty = (z_{\alpha/2} + z_\beta) \sqrt{(V_A - \sigma_A^2)/n + V_B/n_B}"


def one_model(p: Planned) -> bool:
    """Whether one model is run, and compared with another's published mean."""
    return not math.isnan(p.asked.published_questions)


def published(p: Planned) -> str:
    return f"another model's published mean of {counted(p.asked.published_questions, 'question')}"


def whose(p: Planned) -> str:
    """Behind a number of questions: whose they are; empty where both models answer them."""
    if one_model(p):
        return f" of one model against {published(p)}"
    return "" if p.asked.paired else " for each model"


def head_of(p: Planned, difference: str, answers: str) -> str:
    """The first question of a plan."""
    head = f"Questions{whose(p)} to find a difference of {difference}, with {answers} to each"
    if one_model(p):
        head = (
            f"Questions to find a difference of {difference} from {published(p)}, with {answers} "
            "to each"
        )
    return f"{head},{in_one(p)}" if in_one(p) else head


def needs_by(p: Planned, several: bool = False) -> tuple[str, str]:
    """The formula of the questions that a difference needs, and the same in TeX. several: of
    another design than the plan's, in which a question has several answers.
    """
    if one_model(p):
        return ONE, ONE_MATHS
    return (CONNOR, CONNOR_MATHS) if p.test == "mcnemar" and not several else (NINE, NINE_MATHS)


def finds_by(p: Planned) -> tuple[str, str]:
    """The same of the difference that questions find."""
    return (ONE_FINDS, ONE_FINDS_MATHS) if one_model(p) else (TEN, TEN_MATHS)


def is_told(p: Planned) -> bool:
    """Whether one model's scores are told as they are at the difference, beside a published mean
    with its standard error.
    """
    return any(k.name == "other_se" for k in p.known)


def against_words(p: Planned) -> str:
    """What is taken for granted of a published mean; empty without one."""
    if not one_model(p):
        return ""
    first, second = models_of(p)
    answers = counted(p.shape.epochs_b, "answer")
    text = (
        f" V is the variance of a model's question scores. Only {first} is run. The mean of "
        f"{second} is of {answers} to each question (epochs_b), and its own error stays."
    )
    if p.clustered:
        text += (
            f" Its questions are taken to lie in clusters of {size_text(p.shape.cluster_size)} too."
        )
    if not any(k.name == "mean" for k in p.known):
        return text
    text += " The published mean is expected to be the score of the plan (mean)."
    if is_told(p):
        return (
            f"{text} V_B / n_B is the square of its standard error (other_se). V_A is the variance "
            f"of the scores of {first} (spread) as they are where the means differ by so much: the "
            "model whose scores vary more is taken to be nearer to the middle of the scale."
        )
    return (
        f"{text} Either may be better: the plan is for the direction in which the scores of "
        f"{first} vary more, which is towards the middle of the scale."
    )


def no_noise_by(p: Planned) -> tuple[str, str]:
    """That the models that are run have no answer noise."""
    if one_model(p):
        return "sigma_A^2 = 0", r"\sigma_A^2 = 0"
    return "sigma_A^2 = sigma_B^2 = 0", r"\sigma_A^2 = \sigma_B^2 = 0"


def little_by(p: Planned) -> tuple[str, str]:
    """From how many answers on noise is less than a fifth of what differs between questions."""
    if one_model(p):
        return "sigma_A^2 / (K omega^2) < 1/5", r"\sigma_A^2 / (K \omega^2) < 1/5"
    return (
        "(sigma_A^2 + sigma_B^2) / (K omega^2) < 1/5",
        r"(\sigma_A^2 + \sigma_B^2) / (K \omega^2) < 1/5",
    )


def keeps_its_error(p: Planned) -> str:
    """Behind equation 9 or 10 of Miller 2024: what it is where one model is run."""
    return "; the published mean keeps its own error" if one_model(p) else ""
