"""What is known all the same where a published mean rests on too little."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.basis import Basis, Expectation, Shape
from reportkit.analysis.planning.reasons import (
    TOO_MANY,
    Reason,
    with_formula,
    with_more_published,
    with_one_answer,
)
from reportkit.analysis.planning.solve import LARGEST, Count, Goal, needed
from reportkit.stats.planning.clusters import clusters_needed


def with_limit(
    counts: Sequence[Count],
    basis: Basis,
    difference: float,
    shapes: Sequence[Shape],
    goal: Goal,
) -> list[Count]:
    """The counts of these shapes. Of those that have no number as the published mean rests on too
    few answers, the reason tells what one answer of ours to each question comes to, which is
    counted out: its limit is the published mean's own error, so that it is that of more answers
    too. Else it tells what that error leaves by formula. Of these, and of those that this error
    leaves no number, it tells a published mean that would do.
    """
    if not isinstance(basis, Expectation):
        return list(counts)
    singles: dict[Shape, Count] = {}
    found = []
    for count, shape in zip(counts, shapes, strict=True):
        if count.reason.kind == "few published":
            one = replace(shape, epochs_a=1.0)
            if one not in singles:
                [singles[one]] = needed([basis.design(one)], difference, [one], goal)
            why = _told(count.reason, singles[one], basis, difference, shape, goal)
            found.append(replace(count, reason=why))
        elif count.reason.kind == "published":
            why = _with_larger(count.reason, basis, difference, shape, goal)
            found.append(replace(count, reason=why))
        else:
            found.append(count)
    return found


def _told(
    few: Reason, single: Count, basis: Expectation, difference: float, shape: Shape, goal: Goal
) -> Reason:
    if single.reason is TOO_MANY:  # more answers may do
        return few
    if single.reason.kind == "published":
        return _with_larger(single.reason, basis, difference, shape, goal)
    if single.reason.never:
        return single.reason
    if not math.isnan(single.questions):
        return with_one_answer(few, single.questions)
    few = with_formula(few, _least(basis, shape, goal), percent=goal.percent)
    return _with_larger(few, basis, difference, shape, goal)


def _with_larger(
    why: Reason, basis: Expectation, difference: float, shape: Shape, goal: Goal
) -> Reason:
    """The reason, with a published mean that would do and what it takes of ours."""
    larger, ours = larger_mean(basis, difference, shape, goal)
    if math.isnan(ours):
        return why
    return with_more_published(why, larger.published, ours, larger.published_se)


def larger_mean(
    basis: Expectation, difference: float, shape: Shape, goal: Goal
) -> tuple[Expectation, float]:
    """The basis with a published mean that would do, and the questions that it takes of ours; nan
    where these are not known.
    """
    larger = _large_enough(basis, (_least(basis, shape, goal) / difference) ** 2, shape)
    [ours] = needed([larger.design(shape)], difference, [shape], goal)
    return larger, ours.questions


def _least(basis: Expectation, shape: Shape, goal: Goal) -> float:
    """The difference that the published mean's own error leaves to be found, by formula."""
    z = stats.minimum_detectable_effect(1, 1.0, level=goal.level, power=goal.power)
    return z * _published_error(basis, shape)


def _published_error(basis: Expectation, shape: Shape) -> float:
    """The standard error of the published mean, of a model that scores as is expected."""
    design = basis.design(shape)
    if not isinstance(design, Reason) and design.fixed is not None:
        return basis.width * math.sqrt(float(design.fixed[0]) / basis.published)
    if basis.pair.answers != "binary":
        return basis.published_se
    of_both = basis.variances(shape.cluster_size).at(replace(shape, epochs_a=shape.epochs_b))
    return math.sqrt(of_both / 2.0 / basis.published)


def _large_enough(basis: Expectation, short: float, shape: Shape) -> Expectation:
    """The basis with a published mean that shows enough of what is lost, and of which half would
    do by formula: about as many questions of ours are then enough. short: times the questions that
    the formula asks for, of those there are.
    """
    size = shape.cluster_size

    def of(clusters: float) -> Expectation:
        questions = math.ceil(clusters * size)
        se = basis.published_se * math.sqrt(basis.published / questions)
        return replace(basis, published=float(questions), published_se=float(f"{se:.3g}"))

    def shows_enough(clusters: int) -> bool:
        design = of(clusters).design(shape)
        return not isinstance(design, Reason) or design.kind != "few published"

    most = clusters_needed(LARGEST, size)
    fewest = bisect_left(range(most), True, lo=2, key=shows_enough)
    return of(max(fewest, clusters_needed(2.0 * short * basis.published, size)))
