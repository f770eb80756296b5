"""One model that is run against another's published mean: its questions, and what formulas give."""

import math
from dataclasses import replace

import numpy as np

from reportkit import stats
from reportkit.analysis.planning.answered import Need, Other
from reportkit.analysis.planning.basis import Expectation, Observation, Shape
from reportkit.analysis.planning.few_published import larger_mean
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.reasons import Reason, apart, enough_of_ours
from reportkit.analysis.planning.solve import LARGEST
from reportkit.analysis.planning.work import Work, one_answer, range_of, test_of, work_of
from reportkit.stats.planning.against import ours_is_lower
from reportkit.stats.planning.alternative import alternative
from reportkit.stats.planning.detectable import Plan, direction
from reportkit.stats.planning.limit import least_of_any

PUBLISHED_MEAN = "against a published mean"
# Times the published questions: a plan of more of ours is so near to the limit of a published mean
# that one of a few more published questions spares most of ours.
MANY_TIMES = 5
INSTEAD = (
    "Where the other model can be run too, or its scores of single questions are had, a plan of "
    "common questions (design = paired) usually finds smaller differences."
)


def published_mean(w: Work, pilot: Pilot | None) -> Other:
    """What a plan says whose design is unpaired, of one model and a published mean."""
    apart = w
    if w.asked.paired:
        asked = replace(w.asked, design="unpaired")
        if pilot is not None and not pilot.single and isinstance(w.basis, Observation):
            asked = replace(asked, noise=math.nan)  # the pilot shows it
        apart = work_of(asked, ground_of(asked, pilot))
    difference, shape = apart.asked.difference, apart.shape
    found = apart.count(difference, shape)
    questions = math.inf if found.reason.never else found.questions
    low, high = range_of(apart, difference, shape, found.questions)
    return Other(
        PUBLISHED_MEAN, questions, found.clusters,
        formula_questions(apart, difference, shape, apart.asked.level), reason=found.reason,
        least=found.least, low=low, high=high, test=test_of(apart),
    )  # fmt: skip


def of_one_model(w: Work, need: Need) -> tuple[str, ...]:
    """Sentences where one model is run against a published mean: the direction that is planned, the
    smallest difference there is to find, what to do where the plan has no number, and what a plan
    of two models has besides, and this one has not.
    """
    if math.isnan(w.asked.published_questions):
        return ()
    left_out = (
        "Only one model is run. That two models are equal, or that one is not worse, is not "
        "planned against a published mean."
    )
    limit = _limit(w) + _near_limit(w, need)
    return (*filter(None, [_direction(w), limit]), *[INSTEAD] * bool(need.reason), left_out)


def _limit(w: Work) -> str:
    """The difference that the published mean's own error leaves to be found; empty where it is not
    known, or is why the plan has no number, which says so itself.
    """
    d = w.basis.design(w.shape)
    if isinstance(d, Reason):
        return ""
    plan = Plan(level=w.goal.level, power=w.goal.power)
    least = float(least_of_any(d, plan, LARGEST)[0]) * w.goal.width
    if not least <= w.asked.difference:
        return ""
    return (
        f"The published mean keeps its own error: no difference below "
        f"{apart(least, w.goal.percent)} is found, whatever is asked of ours."
    )


def _near_limit(w: Work, need: Need) -> str:
    """So near to that limit that most questions are wasted: a published mean that spares them."""
    many = MANY_TIMES * w.asked.published_questions
    if not need.questions > many or not isinstance(w.basis, Expectation):
        return ""
    larger, ours = larger_mean(w.basis, need.difference, w.shape, w.goal)
    if not ours < need.questions:
        return ""
    enough = enough_of_ours(larger.published, ours, larger.published_se)
    return f" So near to it, most questions of ours find little: {enough}."


def _direction(w: Work) -> str:
    """Which of both models is taken to score higher, and why; empty where that changes nothing, or
    no model can be so far away.
    """
    d = w.basis.design(w.shape)
    if isinstance(d, Reason) or not d.bounded[0]:
        return ""
    other, effect = alternative(d), np.full(1, w.asked.difference / w.basis.width)
    if effect > direction(d)[1]:
        return ""
    lower = bool(ours_is_lower(d, other.share, other.down, effect)[0])
    which, contrary = ("lower", "higher") if lower else ("higher", "lower")
    text = f"The plan is for a model that scores {which} than the published one"
    if d.moved is None:
        text += ". This is the safe direction: the model's scores then vary more"
        if d.right[0]:
            text += f", and one that scores {contrary} by as much is found at least as often"
        return f"{text}."
    if d.moved[0] < 0.0 and lower == other.down[0]:
        return f"{text}: the scale leaves one that scores {contrary} by as much no such spread."
    return (
        f"{text}, as spread and other_se say: the one whose scores vary more is nearer to the "
        "middle of the scale."
    )


def formula_questions(w: Work, difference: float, shape: Shape, level: float) -> float:
    """n = V_A / (d^2 / z^2 - V_B / n_B), z the sum of both quantiles; nan where no n is enough."""
    own, theirs = _variances(w, shape)
    z = stats.minimum_detectable_effect(1, 1.0, level=level, power=w.asked.power)
    left = (difference / z) ** 2 - theirs / w.asked.published_questions
    return math.ceil(own / left * (1 - 1e-12)) if left > 0.0 and own > 0.0 else math.nan


def formula_square(w: Work, questions: float, shape: Shape) -> float:
    """SE^2 of the difference of models that are alike, with so many questions: V / n of both, or
    V_A / n + V_B / n_B; nan where it is not known.
    """
    if w.asked.published_questions == w.asked.published_questions:
        own, theirs = _variances(w, shape)
        return own / questions + theirs / w.asked.published_questions
    total = w.variances().at(shape)
    if math.isnan(total) and shape == w.shape:
        total = one_answer(w)
    return total / questions


def question_variance(w: Work, shape: Shape) -> float:
    """Of one question's difference, in squared score units; V_A, of a question's score of ours,
    against a published mean.
    """
    if w.asked.published_questions == w.asked.published_questions:
        return _variances(w, shape)[0]
    return w.variances().at(shape)


def _variances(w: Work, shape: Shape) -> tuple[float, float]:
    """V_A and V_B of models that are alike, in squared score units; nan where not known."""
    design = w.basis.design(shape)
    if isinstance(design, Reason) or design.fixed is None:
        return math.nan, math.nan
    square = w.basis.width**2
    total, theirs = float(design.n[0] * design.se[0] ** 2), float(design.fixed[0])
    return square * max(total - theirs, 0.0), square * theirs
