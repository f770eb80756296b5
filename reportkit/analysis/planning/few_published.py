"""What is known all the same where too few published answers show what the models lose."""

import math
from collections.abc import Sequence
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.basis import Basis, Expectation, Shape
from reportkit.analysis.planning.reasons import TOO_MANY, Reason, with_formula, with_one_answer
from reportkit.analysis.planning.solve import Count, Goal, needed


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
    too. Else it tells what that error leaves by formula.
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
            why = _told(count.reason, singles[one], basis, shape, goal)
            found.append(replace(count, reason=why))
        else:
            found.append(count)
    return found


def _told(few: Reason, single: Count, basis: Expectation, shape: Shape, goal: Goal) -> Reason:
    if single.reason is TOO_MANY:  # more answers may do
        return few
    if single.reason.never:
        return single.reason
    if not math.isnan(single.questions):
        return with_one_answer(few, single.questions)
    z = stats.minimum_detectable_effect(1, 1.0, level=goal.level, power=goal.power)
    return with_formula(few, z * _published_error(basis, shape), percent=goal.percent)


def _published_error(basis: Expectation, shape: Shape) -> float:
    """The standard error of the published mean, of a model that scores as is expected."""
    if basis.pair.answers != "binary":
        return basis.published_se
    of_both = basis.variances(shape.cluster_size).at(replace(shape, epochs_a=shape.epochs_b))
    return math.sqrt(of_both / 2.0 / basis.published)
