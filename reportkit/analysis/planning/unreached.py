"""Why no design with the questions that an eval has finds a difference."""

import math
from collections.abc import Sequence

from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.limits import UNSTATED
from reportkit.analysis.planning.solve import NEVER, OFF_SCALE, Count
from reportkit.analysis.planning.work import Work
from reportkit.text.numbers import counted


def why_none(w: Work, difference: float, shapes: Sequence[Shape], counts: Sequence[Count]) -> str:
    """The reason that holds for all of these designs, none of which has few enough questions.

    What answers without end leave tells whether the questions differ too much, or whether more
    answers than are tried would do.
    """
    known = [s for s, c in zip(shapes, counts, strict=True) if c.questions == c.questions]
    if not known:
        return _of_several([c.reason for c in counts if c.reason])
    second = math.inf if w.asked.paired else w.shape.epochs_b
    endless = w.count(difference, Shape(math.inf, second, w.shape.cluster_size))
    least = min(c.questions for c in (*counts, endless) if c.questions == c.questions)
    fewest = [c.questions for c in (*counts, endless) if c.least and c.questions == least]
    if fewest and least > w.asked.questions:
        return f"{UNSTATED} fewer than {counted(least, 'question')}"
    limit = counted(w.asked.questions, "question")
    tried = counted(max(s.epochs_a for s in known), "answer")
    no_end = not isinstance(w.basis, Observation) and w.variances().omega2 == 0.0
    if math.isnan(endless.questions) and not no_end:
        return (
            f"{limit} do not find it with {tried} to each, and whether more answers would is not "
            f"known: {endless.reason}"
        )
    if least > w.asked.questions and not no_end:
        return (
            "cannot be reached: the questions themselves differ too much; even with unlimited "
            f"answers to each it takes {counted(least, 'question')}"
        )
    return f"cannot be reached with up to {tried} to each; more answers than that would find it"


def _of_several(reasons: Sequence[str]) -> str:
    """One that holds for every design comes first, then one by which some may do.

    >>> _of_several([NEVER[0], "the pilot does not show it"])
    'the pilot does not show it'
    """
    first = [r for r in reasons if r.startswith(OFF_SCALE)]
    unknown = [r for r in reasons if not r.startswith(NEVER)]
    return next(iter([*first, *unknown, *reasons]), "")
