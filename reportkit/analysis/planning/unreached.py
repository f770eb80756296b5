"""Why no design with the questions that an eval has finds a difference."""

import math
from collections.abc import Sequence

from reportkit.analysis.planning.answered import assumed_noise_of
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.limits import fewer_than, limits_of
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.analysis.planning.solve import Count
from reportkit.analysis.planning.work import Work, range_of
from reportkit.text.left_open import with_ends
from reportkit.text.numbers import count, counted, share_of


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
        low, high = range_of(w, difference, shape[-1], least)
        at, then, more = _at_noise(w, low)
        return Reason(
            f"cannot be reached{at}: the questions themselves{then} differ too much; even with "
            f"unlimited answers to each it takes {with_ends(least, low, high)} questions{more}",
            kind="never",
        )
    return Reason(
        f"cannot be reached with up to {tried} to each; more answers than that would find it",
        kind="never",
    )


def _at_noise(w: Work, low: float) -> tuple[str, str, str]:
    """What a reason also says where answer noise is assumed and at other noise the questions that
    there are may be enough; low: the fewest that are needed at the ends of what is not known.
    """
    noise = assumed_noise_of(w.ground.known)
    if noise is None or not low <= w.asked.questions:
        return "", "", ""
    at = f" at the assumed answer noise of {share_of(noise.value)}"
    return at, " then", f". With more answer noise {count(w.asked.questions)} may do: give noise"


def _of_several(reasons: Sequence[Reason]) -> Reason:
    """One that holds for every design comes first, then one by which some may do.

    >>> _of_several([Reason("too many", kind="never"), Reason("the pilot does not show it")])
    'the pilot does not show it'
    """
    first = [r for r in reasons if r.kind == "off scale"]
    unknown = [r for r in reasons if not r.never]
    return next(iter([*first, *unknown, *reasons]), NONE)
