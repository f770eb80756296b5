"""What all answers of a plan share: what is asked, what it rests on, and what a design costs."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit import stats
from reportkit.analysis.planning.basis import Basis, Expectation, Observation, Shape, Variances
from reportkit.analysis.planning.far_apart import at_end
from reportkit.analysis.planning.few_published import with_limit
from reportkit.analysis.planning.fewer import Fewer, fewer_of
from reportkit.analysis.planning.ground import Ground
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.analysis.planning.solve import Count, Curve, Goal, Size, curve, detectable, needed
from reportkit.analysis.planning.together import LEAST_FACTOR
from reportkit.plans import Asked
from reportkit.record import Record
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.detectable import MCNEMAR, NEWCOMBE, by_interval, refusals


@dataclass(frozen=True, slots=True)
class Work(Record):
    """What all answers share."""

    asked: Asked
    ground: Ground
    goal: Goal
    adjusted: Goal
    factors: tuple[float, float]

    @property
    def basis(self) -> Basis:
        return self._basis_at(self.goal)

    def _basis_at(self, goal: Goal) -> Basis:
        """What the plan rests on, in a test of this goal's level."""
        return _at_level(self.ground.basis, goal)

    @property
    def for_each(self) -> "Work":
        """The work of each comparison, where several share the level."""
        return replace(self, goal=self.adjusted)

    @property
    def shape(self) -> Shape:
        return self.ground.shape

    def variances(self, shape: Shape | None = None) -> Variances:
        return self.basis.variances((shape or self.shape).cluster_size)

    def count(self, difference: float, shape: Shape, goal: Goal | None = None) -> Count:
        return self.counts(difference, [shape], goal)[0]

    def counts(
        self, difference: float, shapes: Sequence[Shape], goal: Goal | None = None
    ) -> list[Count]:
        """The questions that a difference needs, of each shape: no more than of fewer answers."""
        fewer = fewer_of(self._basis_at(goal or self.goal), shapes)
        return self.counts_of(difference, fewer, goal)

    def counts_of(self, difference: float, fewer: Fewer, goal: Goal | None = None) -> list[Count]:
        """counts of shapes whose designs are there."""
        goal = goal or self.goal
        found = needed(fewer.designs, difference, fewer.shapes, goal)
        found = [found[i] for i in fewer.best(np.array([c.questions for c in found]))]
        shapes = [fewer.shapes[c.own[0]] for c in fewer.choices]
        return with_limit(found, self._basis_at(goal), difference, shapes, goal)

    def sizes(
        self, questions: float, shapes: Sequence[Shape], goal: Goal | None = None
    ) -> list[Size]:
        """What so many questions find, of each shape: no less than with fewer answers."""
        goal = goal or self.goal
        fewer = fewer_of(self._basis_at(goal), shapes)
        found = detectable(fewer.designs, questions, fewer.shapes, goal)
        return [found[i] for i in fewer.best(np.array([s.difference for s in found]))]

    def curve(self, difference: float, goal: Goal | None = None) -> Curve:
        """The power of the plan's shape by questions: no less than with fewer answers."""
        goal = goal or self.goal
        return curve(fewer_of(self._basis_at(goal), [self.shape]), difference, goal)

    def cost(self, questions: float, clusters: float, shape: Shape) -> float:
        """Of a plan; nan where no cost is said."""
        if not self.asked.priced:
            return math.nan
        of_question, of_cluster, of_a, of_b = self.asked.costs
        answers = shape.epochs_a * of_a + (shape.epochs_b * of_b if self.asked.paired else 0.0)
        grouped = 0.0 if math.isnan(clusters) else clusters * of_cluster
        return questions * (of_question + answers) + grouped


def work_of(asked: Asked, ground: Ground) -> Work:
    width = ground.basis.width
    goal = Goal(asked.level, asked.power, width, ground.percent)
    adjusted = Goal(asked.adjusted_level, asked.power, width, ground.percent)
    return Work(asked, ground, goal, adjusted, range_factors(ground))


def _at_level(basis: Basis, goal: Goal) -> Basis:
    return replace(basis, level=goal.level) if isinstance(basis, Expectation) else basis


def one_answer(w: Work) -> float:
    """n SE^2 of the difference in the plan's clusters, by a pilot with one answer each, which need
    not tell answer noise from the rest; nan without one, and where more answers are planned.
    """
    design = w.basis.design(w.shape)
    if not isinstance(w.basis, Observation) or isinstance(design, Reason):
        return math.nan
    return float(design.n[0] * design.se[0] ** 2) * w.basis.width**2


def range_factors(ground: Ground) -> tuple[float, float]:
    """By how much the variance of a pilot may be off, at 95%; 1 and 1 of what is expected.

    Of 0/1 scores with one answer each it is the share of questions that tell the models apart, with
    Wilson's interval; else the chi-squared range of its degrees of freedom.
    """
    basis = ground.basis
    if not isinstance(basis, Observation):
        return 1.0, 1.0
    p = basis.power
    if p.method == "tango" and p.apart > 0.0:
        share = p.apart / basis.width
        interval = stats.wilson_interval(round(share * p.n_questions), p.n_questions)
        return interval.low / share, interval.high / share
    if not basis.pilot_df > 0.0:
        return math.nan, math.nan
    return stats.variance_range(basis.pilot_df)


@dataclass(frozen=True, slots=True)
class End(Record):
    """One end of what is not known: the variance of models that are alike, and their design."""

    variance: float  # n SE^2, in squared score units
    design: PairDesigns | Reason


def ends_of(w: Work, shape: Shape) -> Sequence[End]:
    """What a pilot's own uncertainty, or the range of public evals, leaves open: two ends, and what
    Ground.ends has between them; none where that is not known, or nothing is.
    """
    bases = [_at_level(b, w.goal) for b in w.ground.ends(shape)]
    if not isinstance(w.basis, Observation):
        return [End(b.variances(shape.cluster_size).at(shape), b.design(shape)) for b in bases]
    of_pilot = [b for b in bases if isinstance(b, Observation)] or [w.basis] * 2
    found = []
    for basis, factor in zip(of_pilot, w.factors, strict=True):
        design = basis.design(shape)
        if isinstance(design, Reason) or math.isnan(factor) or refusals(design)[0]:
            return ()
        # the variance that is left errs by as much as all of it did
        times = max(1.0 + (factor - 1.0) / basis.part(shape), LEAST_FACTOR)
        end, times = at_end(basis, design, times)
        if math.isnan(times):
            return ()
        total = float(design.n[0] * design.se[0] ** 2) * w.goal.width**2
        found.append(End(total * times, end))
    return found


def range_of(
    w: Work, difference: float, shape: Shape, number: float = math.nan
) -> tuple[float, float]:
    """The questions that a difference needs at these ends. number: those of the plan, which is
    between them; with an allowance for a pilot, or near an end of the scale, both may be fewer.
    """
    return ranges_of(w, difference, [shape], [number])[0]


def ranges_of(
    w: Work, difference: float, shapes: Sequence[Shape], numbers: Sequence[float] = ()
) -> list[tuple[float, float]]:
    """range_of each shape, whose ends are no more than with fewer answers."""
    fewer, many, designs = _ends_of_fewer(w, shapes)
    if not many:
        return [(math.nan, math.nan)] * len(shapes)
    counts = needed(designs, difference, [*fewer.shapes] * many, w.goal)
    sizes = np.array([c.questions for c in counts]).reshape(many, -1)
    by_shape = zip(*(of[fewer.best(of)].tolist() for of in sizes), strict=True)
    of_plan = numbers or [math.nan] * len(shapes)
    return [ordered(*found, n) for found, n in zip(by_shape, of_plan, strict=True)]


def _ends_of_fewer(
    w: Work, shapes: Sequence[Shape]
) -> tuple[Fewer, int, list[PairDesigns | Reason]]:
    """The shapes by which some are planned, how many ends they have (0: none), and the designs at
    the first end of each shape, then at the next.
    """
    fewer = fewer_of(w.basis, shapes)
    ends = [ends_of(w, s) for s in fewer.shapes]
    many = max(map(len, ends))
    return fewer, many, [e[i].design if e else NONE for i in range(many) for e in ends]


def finds_ranges(w: Work, shape: Shape) -> Callable[[float, float], tuple[float, float]]:
    """Of n questions and the smallest difference that the plan finds with them, what they find at
    both ends of what is not known, which is no more than with fewer answers; nan where that is not
    known. What is given is between them.
    """
    fewer, many, designs = _ends_of_fewer(w, [shape])

    def at(n: float, finds: float) -> tuple[float, float]:
        if not many or math.isnan(finds):
            return math.nan, math.nan
        sizes = detectable(designs, n, [*fewer.shapes] * many, w.goal)
        by_end = np.array([size.difference for size in sizes]).reshape(many, -1)
        return ordered(*(float(of[fewer.best(of)[0]]) for of in by_end), finds)

    return at


def ordered(low: float, high: float, *others: float) -> tuple[float, float]:
    """The lowest and the highest of numbers at the ends of what is not known, which may be the
    other way about, as a higher correlation does not always help McNemar's test. An end that is nan
    stays so.

    >>> ordered(90.0, 80.0, 70.0, math.nan)
    (70.0, 90.0)
    """
    if low > high:
        low, high = high, low
    for x in others:
        low, high = x if x < low else low, x if x > high else high
    return low, high


def test_of(w: Work) -> str:
    """The test of the report that is planned for: mcnemar, t, welch, or against a published mean
    newcombe and mover.
    """
    design = w.basis.design(w.shape)
    if isinstance(design, Reason):
        if design.kind == "few published":
            return "mover"
        return "t" if w.asked.paired else "welch"
    method = design.method[0]
    if w.asked.paired:
        return "mcnemar" if method == MCNEMAR else "t"
    if method == NEWCOMBE:
        return "newcombe"
    return "mover" if by_interval(design)[0] else "welch"
