"""Why no design with the questions that an eval has finds a difference."""

import math
from collections.abc import Sequence

from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.limits import fewer_than, limits_of
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.analysis.planning.solve import Count
from reportkit.analysis.planning.work import Work, range_of
from reportkit.text.left_open import with_ends
from reportkit.text.numbers import counted


def why_none(
    w: Work, difference: float, shapes: Sequence[Shape], counts: Sequence[Count]
) -> Reason:
    """The reason that holds for all of these designs, none of which has few enough questions.

    What answers without end leave tells whether the questions differ too much, or whether more
    answers than are tried would do.
    """
    known = [s for s, c in zip(shapes, counts, strict=True) if c.questions == c.questions]
    if not known:
        return _of_several([c.reason for c in counts if c.reason])
    second = math.inf if w.asked.paired else w.shape.epochs_b
    beyond = Shape(math.inf, second, w.shape.cluster_size)
    endless = w.count(difference, beyond)
    every = [*counts, endless]
    least = min(c.questions for c in every if c.questions == c.questions)
    fewest = [c for c in every if c.least and c.questions == least]
    if fewest and least > w.asked.questions:
        most = limits_of(w.basis.design(w.shape), w.basis.width).difference
        return fewer_than(least, difference, most, percent=w.goal.percent)
    limit = counted(w.asked.questions, "question")
    tried = counted(max(s.epochs_a for s in known), "answer")
    no_end = not isinstance(w.basis, Observation) and w.variances().omega2 == 0.0
    if math.isnan(endless.questions) and not no_end:
        return Reason.resting(
            f"{limit} do not find it with {tried} to each, and whether more answers would is not "
            "known: ", endless.reason,
        )  # fmt: skip
    if least > w.asked.questions and not no_end:
        shape = [s for s, c in zip([*shapes, beyond], every, strict=True) if c.questions == least]
        takes = with_ends(least, *range_of(w, difference, shape[-1], least))
        return Reason(
            "cannot be reached: the questions themselves differ too much; even with unlimited "
            f"answers to each it takes {takes} questions", kind="never",
        )  # fmt: skip
    return Reason(
        f"cannot be reached with up to {tried} to each; more answers than that would find it",
        kind="never",
    )


def _of_several(reasons: Sequence[Reason]) -> Reason:
    """One that holds for every design comes first, then one by which some may do.

    >>> _of_several([Reason("too many", kind="never"), Reason("the pilot does not show it")])
    'the pilot does not show it'
    """
    first = [r for r in reasons if r.kind == "off scale"]
    unknown = [r for r in reasons if not r.never]
    return next(iter([*first, *unknown, *reasons]), NONE)
