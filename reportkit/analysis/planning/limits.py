"""What is not planned: too few questions or clusters, and differences that are too large."""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.reasons import NONE, Reason, apart
from reportkit.record import Record
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.against import least_right, least_told
from reportkit.stats.planning.alternative import alternative, grown_at
from reportkit.stats.planning.detectable import LEAST_QUESTIONS
from reportkit.text.numbers import counted

# The fewest clusters that are planned: with fewer, no power was found to be kept
# (benchmarks/planning.py).
LEAST_CLUSTERS = 8
# With an expected score so near to an end of the scale, a few clusters hold most of what the models
# lose, and laws differ in how. Of 0.8, 12 clusters were found to keep 0.74 to 0.84, 30 of them 0.77
# to 0.85, 50 of them 0.78 to 0.82 (the designs that were worst before; benchmarks/planning.md).
NEAR_AN_END, LEAST_NEAR = 0.05, 50
# Of right and wrong answers of models with questions of their own: the points that the better one
# is expected to lose (or the worse one to win). With 1.5 and 3 of them plans were found to keep
# 0.768 and 0.776 of 0.8.
LEAST_LOST = 4.0
# Of means of several right and wrong answers: the questions on which the models are expected to
# differ, in effect. With 7.8 to 8 of them plans were found to keep 0.72 to 0.75 of 0.8, with 9.5
# 0.779. One answer to each question has the power of McNemar's test, which is counted out.
LEAST_SHOWN = 10.0
# In clusters, where answers to a question are nearly all alike (answer noise of less than 0.4 of an
# answer's variance): with 5 to 10 of them plans were found to keep 0.81 to 0.87, with 10 to 20 of
# them 0.81 to 0.84, from 20 on 0.80 to 0.82. With more noise they keep 0.79 to 0.82 at any number,
# but near an end of the scale: 0.836 with 9.8 of them.
LITTLE_NOISE, LEAST_SHOWN_ALIKE = 0.4, 20.0
# A difference of more times what the expected score leaves to the end of its scale changes the law
# of the scores, and laws differ in how: in clusters plans were found to keep 0.75 to 0.84 of 0.8,
# and without clusters, of scores in part, 0.82 to 0.84.
FARTHEST, FARTHEST_ALONE = 2.0, 0.7
NO_DIFFERENCE = "no difference is stated for so few questions"
UNSTATED = "no power is stated for"  # begins the reasons of what may be found


@dataclass(frozen=True, slots=True)
class Limits(Record):
    """What is planned: no fewer questions or clusters, and no larger difference, in score units."""

    questions: int
    clusters: int  # where there are some
    difference: float  # inf: any


def limits_of(design: PairDesigns | Reason, width: float, difference: float = math.nan) -> Limits:
    """Of a design and the difference to be found; of one that cannot be had, those of any."""
    if isinstance(design, Reason):
        return Limits(int(LEAST_QUESTIONS), LEAST_CLUSTERS, math.inf)
    most = width * float(farthest(design)[0])
    return Limits(least_questions(design, difference / width), least_clusters(design), most)


def least_questions(d: PairDesigns, effect: float = math.nan) -> int:
    """The fewest questions that are planned for such models, and for a difference of theirs that is
    such a part of the scale.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 0.02, 798.0, True, 0.97, 0.97, 0.0, 0.06, 24.0, True, 4e-4, True)))
    >>> from dataclasses import replace
    >>> d = replace(d, own=np.ones(1, bool))
    >>> least_questions(d)   # 4 wrong answers, 0.03 to a question
    134
    """
    return int(fewest_questions(d, np.full(1, effect))[0])


def fewest_questions(designs: PairDesigns, effects: np.ndarray) -> np.ndarray:
    """least_questions of each design and its difference, shape (P,)."""
    d, every = designs, np.full(len(designs), LEAST_QUESTIONS)
    with np.errstate(invalid="ignore", divide="ignore"):
        lost = np.ceil(LEAST_LOST / _end(d) * (1 - 1e-12))
        shares = np.full(len(d), math.nan)  # of so large a pilot they are not counted
        several = np.flatnonzero(d.right & ~d.separate & ~d.binary & ~np.isnan(effects))
        if len(several):
            of = d.take(several)
            shares[several] = grown_at(of, effects[several]).shown / of.n
        shown = np.ceil(_least_shown(d) / shares * (1 - 1e-12))
    own = d.right & d.separate & ~_grouped(d)
    fewest = np.fmax(every, np.where(own, lost, shown))
    if d.fixed is None:
        return fewest
    share = alternative(d).share
    against = np.fmax(least_told(d, share, effects), least_right(d, share))
    return np.fmax(fewest, np.ceil(against * (1 - 1e-12)))


def _least_shown(d: PairDesigns) -> np.ndarray:
    """The fewest questions on which models of several answers have to differ, shape (P,)."""
    within = np.zeros(len(d)) if d.within is None else d.within
    in_clusters = np.where(_near_an_end(d), LEAST_SHOWN, 0.0)
    in_clusters = np.where(within >= LITTLE_NOISE, in_clusters, LEAST_SHOWN_ALIKE)
    return np.where(_grouped(d), in_clusters, LEAST_SHOWN)


def _grouped(designs: PairDesigns) -> np.ndarray:
    return np.asarray(designs.clusters < designs.n * (1.0 - 1e-9))


def _end(designs: PairDesigns) -> np.ndarray:
    """What the models' expected score leaves to the nearer end of the scale."""
    mean = (designs.mean_a + designs.mean_b) / 2.0
    return np.minimum(mean, 1.0 - mean)


def least_clusters(d: PairDesigns) -> int:
    """The fewest clusters that are planned for such models."""
    return LEAST_NEAR if _near_an_end(d)[0] else LEAST_CLUSTERS


def _near_an_end(d: PairDesigns) -> np.ndarray:
    return np.asarray(d.bounded & (_end(d) < NEAR_AN_END))


def farthest(designs: PairDesigns) -> np.ndarray:
    """The largest differences that are planned, shape (P,), in units of the scale. inf: there is no
    such limit: for scores without bounds, for right and wrong answers without clusters, whose law
    follows from the two scores, and for a model whose scores are told as they are there (`moved`).

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 0.02, 399.0, True, 0.97, 0.97, 0.5, 0.03, 40.0, False, 4e-4, False)))
    >>> farthest(d).round(3).item()   # scores of 0.97 leave 0.03 to the end
    0.021
    """
    d, grouped = designs, _grouped(designs)
    mean = (d.mean_a + d.mean_b) / 2.0
    most = np.where(grouped, FARTHEST, FARTHEST_ALONE) * np.minimum(mean, 1.0 - mean)
    most = most * (1.0 + 1e-9)  # one that is just so large is not more, by its last bits
    told = np.zeros(len(d), bool) if d.moved is None else ~np.isnan(d.moved)
    return np.where(~d.bounded | (d.right & ~grouped) | told, math.inf, most)


def too_far(most: float) -> Reason:
    """Why a difference beyond `most`, as a part of the scale, is not found."""
    return Reason(
        f"{UNSTATED} differences of more than {most:.3g} of the scale: so far from the expected "
        "score, which is near an end of the scale, it is not known how scores vary"
    )


def fewer_than(
    questions: float, difference: float, most: float, *, percent: bool = False
) -> Reason:
    """Why it is not known whether fewer questions than the fewest that are planned find a
    difference: these are those of `most`, where it is beyond.

    >>> fewer_than(196, 0.08, 0.035)[:64]
    '196 questions, those of a difference of 0.035, are the fewest th'
    """
    if difference > most:
        return Reason(
            f"{counted(questions, 'question')}, those of a difference of {apart(most, percent)}, "
            "are the fewest that are planned for a larger one; whether fewer find it is not known"
        )
    return Reason(f"{UNSTATED} fewer than {counted(questions, 'question')}")


def no_power(reason: Reason, questions: float, least: float) -> Reason:
    """Why so few questions have no power for one difference. reason: why they find none that is
    known, which may be of a larger one; least: the fewest for this one.

    >>> no_power(Reason(f"{NO_DIFFERENCE}: it is too far"), 60, 132)
    'no power is stated for fewer than 132 questions for this difference'
    """
    if questions < least and reason.startswith(NO_DIFFERENCE):
        return Reason(f"{UNSTATED} fewer than {counted(least, 'question')} for this difference")
    return reason


def too_few(questions: float, shape: Shape, d: PairDesigns) -> Reason:
    """Why no power is stated for so few questions or clusters, of any difference; empty where it
    is.
    """
    least = least_questions(d)
    return too_few_of(questions, shape, d, (least, least))


def too_few_of(
    questions: float, shape: Shape, d: PairDesigns, fewest: tuple[float, float]
) -> Reason:
    """too_few. fewest: least_questions of any difference, and of the one to be found."""
    if questions < fewest[0]:
        return Reason(f"{UNSTATED} fewer than {fewest[0]:.0f} questions")
    if questions < fewest[1] and d.moved is not None:
        return Reason(
            f"{NO_DIFFERENCE}: for one that they find, {fewest[1]:,.0f} questions are the fewest "
            "that are planned"
        )
    if questions < fewest[1]:
        return Reason(
            f"{NO_DIFFERENCE}: two models that they find to differ are "
            f"expected to do so on fewer than {_least_shown(d)[0]:.0f} of them"
        )
    clusters = questions / shape.cluster_size
    least = least_clusters(d)
    if shape.grouped and clusters < least * (1 - 1e-9):
        return Reason(
            f"{UNSTATED} fewer than {least} clusters, and so few questions in clusters of "
            f"{round(shape.cluster_size, 1):g} are fewer"
        )
    return NONE
