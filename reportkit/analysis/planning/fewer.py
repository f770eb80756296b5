"""More answers never need more questions, and never find less: the one place that sees to it.

What many answers leave of a pilot's variance is known less well than all of it, and the allowance
for that may ask for more than the answers spare. But where the power of fewer answers holds, that
of more does: the same test then has less answer noise. So of a shape the best plan counts, of its
own and of those with fewer answers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reportkit.analysis.planning.basis import Basis, Observation, Shape, Variances
from reportkit.analysis.planning.reasons import Reason
from reportkit.record import Record
from reportkit.stats.pairs.designs import PairDesigns

MOST_EPOCHS = 64  # up to so many answers to each question every number is a step
STEPS = (*range(1, MOST_EPOCHS + 1), 96, 128, 192, 256, 384, 512, 768, 1024, math.inf)


@dataclass(frozen=True, slots=True)
class Choice(Record):
    """Places in Fewer.designs: those that may stand for one shape."""

    own: tuple[int, ...]  # the shape's, and those with fewer answers and no less noise
    # with those, the step after a shape that is none: what that one comes to is the shape's least.
    # Empty: it is a step
    after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fewer(Record):
    """The designs by which some shapes are planned."""

    shapes: tuple[Shape, ...]
    designs: tuple[PairDesigns | Reason, ...]
    choices: tuple[Choice, ...]  # of each shape that is asked for

    def best(self, sizes: np.ndarray) -> np.ndarray:
        """Which design counts for each shape that is asked for, shape (S,) or (S, Q).

        sizes: questions or differences by all designs, shape (D,) or (D, Q); nan: not known.

        >>> sizes = np.array([80.0, 60.0, 70.0, np.nan])
        >>> steps = [Choice((0,)), Choice((1, 0)), Choice((2, 0, 1)), Choice((3, 0, 1, 2))]
        >>> Fewer((), (), tuple(steps)).best(sizes).tolist()
        [0, 1, 1, 1]
        >>> # between the first two; less than the second is more than is known of it
        >>> Fewer((), (), (Choice((2, 0), (1, 0)),)).best(sizes).tolist()
        [2]
        >>> Fewer((), (), (Choice((2, 0), (1, 0)),)).best(np.array([80.0, 60.0, 50.0])).tolist()
        [1]
        """
        known = np.where(np.isnan(sizes), math.inf, sizes)
        return np.array([_best(c, known) for c in self.choices])


def _best(c: Choice, known: np.ndarray) -> np.ndarray:
    least = _least(c.own, known)
    if not c.after:
        return least
    after = _least(c.after, known)
    own, beyond = known[c.own[0]], known[c.after[0]]
    less = own < np.take_along_axis(known, after[None], 0)[0]
    return np.where(less & np.isfinite(beyond), after, least)


def _least(places: tuple[int, ...], known: np.ndarray) -> np.ndarray:
    return np.asarray(places)[np.argmin(known[list(places)], axis=0)]


def alone(design: PairDesigns | Reason, shape: Shape) -> Fewer:
    """A design that none stands for."""
    return Fewer((shape,), (design,), (Choice((0,)),))


def fewer_of(basis: Basis, shapes: Sequence[Shape]) -> Fewer:
    """The designs of these shapes, and of all that may stand for one."""
    steps = {size: _steps(basis, size) for size in {s.cluster_size for s in shapes}}
    near = [_near(shape, *steps[shape.cluster_size]) for shape in shapes]
    every = list(dict.fromkeys([*shapes, *(s for fewer, after in near for s in (*fewer, *after))]))
    designs = tuple(basis.design(s) for s in every)
    place = {s: i for i, s in enumerate(every)}
    choices = []
    for shape, (fewer, after) in zip(shapes, near, strict=True):
        own, beyond = place[shape], [place[s] for s in after]
        others = [place[s] for s in fewer if s != shape]
        alike = [i for i in others if _same_test(designs[i], designs[own])]
        choices.append(Choice((own, *alike), (*beyond, *alike) if beyond else ()))
    return Fewer(tuple(every), designs, tuple(choices))


def _steps(basis: Basis, cluster_size: float) -> tuple[dict[Shape, float], Variances]:
    """The numbers of answers that every shape is compared with, and their noise, most first; none
    of what is expected, which counts as known, so that more answers find more by themselves.
    """
    v = basis.variances(cluster_size)
    if not isinstance(basis, Observation) or math.isnan(v.sigma2_a + v.sigma2_b):
        return {}, v
    own = Shape(basis.own.epochs_a, basis.own.epochs_b, cluster_size)
    every = {*(Shape(float(k), float(k), cluster_size) for k in STEPS), own}
    return {s: v.noise(s) for s in sorted(every, key=lambda s: (-v.noise(s), s.epochs_a))}, v


def _near(shape: Shape, steps: dict[Shape, float], v: Variances) -> tuple[list[Shape], list[Shape]]:
    """The steps with no more answers and no less noise; and the next one, of a shape that is no
    step.
    """
    noise, most = v.noise(shape), max(shape.epochs_a, shape.epochs_b)
    fewer = [s for s, x in steps.items() if x >= noise and max(s.epochs_a, s.epochs_b) <= most]
    after = [s for s, x in steps.items() if x < noise]
    return fewer, [] if shape in steps else after[:1]


def _same_test(a: PairDesigns | Reason, b: PairDesigns | Reason) -> bool:
    """Whether both are plans of one test: one answer each, right or wrong, has McNemar's, and fewer
    questions may do for it than for the test of several answers that are nearly all alike.
    """
    if isinstance(a, Reason) or isinstance(b, Reason):
        return False
    return bool(a.method[0] == b.method[0])
