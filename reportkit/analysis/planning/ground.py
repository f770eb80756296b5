"""What a plan rests on: what was given, else the pilot, published scores, or public evals."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportkit.analysis.planning import piloted
from reportkit.analysis.planning.answered import GIVEN, PUBLIC, Known
from reportkit.analysis.planning.basis import Basis, Expectation, Shape
from reportkit.analysis.planning.current import check_current
from reportkit.analysis.planning.observed import observed
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.public import known_icc, most_icc
from reportkit.analysis.planning.refused import (
    check_alike,
    check_noise,
    check_on_scale,
)
from reportkit.analysis.planning.shape import shape_of
from reportkit.analysis.planning.together import Together, err_together, together
from reportkit.analysis.planning.values import Values
from reportkit.plans import Asked
from reportkit.record import Record
from reportkit.stats.planning.expected import Answers, ExpectedPair

KINDS: dict[str, Answers] = {"right-or-wrong": "binary", "shares": "share", "own-units": "free"}

# Numbers of answers, with which an upper end is compared.
FEWER = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 256.0)


@dataclass(frozen=True, slots=True)
class Ground(Record):
    """The basis of a plan, what it is made from, and bases of the fewest and the most questions
    that what is not known leaves open; None where nothing is from public evals, or assumed.
    """

    basis: Basis
    shape: Shape
    known: tuple[Known, ...]
    answers: Answers
    percent: bool
    together: Together | None  # values of a pilot whose range is that of the variance
    low: Basis | None = None  # with one answer to each question, or with noise that is known
    high: Basis | None = None
    least: Basis | None = None  # of several answers, where their noise is assumed
    most: Basis | None = None
    turned: Basis | None = None  # where the plan turns to the other side of a published mean

    def ends(self, shape: Shape) -> tuple[Basis, ...]:
        """Both bases for such a shape, and `turned`; none where nothing is open."""
        low, high = self._open(shape)
        low_times, high_times = self._off(shape)
        if low_times != high_times:
            low, high = low or self.basis, high or self.basis
        if low is None or high is None or math.isnan(low_times + high_times):
            return ()
        turned = [self.turned] if self.turned is not None else []
        if low_times < (turn := self._turn(shape)) < high_times:
            turned = [_times(self.basis, turn)]
        return _times(low, low_times), _times(high, high_times), *turned

    def _open(self, shape: Shape) -> tuple[Basis | None, Basis | None]:
        if self.least is not None and shape.several:
            return self.least, self.most
        return self.low, self.high

    def _off(self, shape: Shape) -> tuple[float, float]:
        """What the variances of both bases are times at the ends of what a pilot's values leave
        open together; nan where that is not known. No more is left with more answers to each
        question, so that the upper end is no more than that of fewer.
        """
        if self.together is None:
            return 1.0, 1.0
        low, high = self.together.factors(shape, _variance(self.basis, shape))
        if low == high or math.isnan(low):
            return low, high
        a, b = shape.epochs_a, shape.epochs_b
        each = {*FEWER, self.shape.epochs_a, self.shape.epochs_b}
        fewer = {replace(shape, epochs_a=min(k, a), epochs_b=min(k, b)) for k in each}
        ends = [self._most(s) for s in (shape, *fewer)]
        most = min((end for end in ends if not math.isnan(end)), default=math.inf)
        known = _variance(self._open(shape)[1] or self.basis, shape)
        if math.isinf(most) or not known > 0.0:
            return math.nan, math.nan
        return low, max(most, _variance(self.basis, shape)) / known

    def _most(self, shape: Shape) -> float:
        """The variance at the upper end, by this shape alone."""
        assert self.together is not None
        times = self.together.factors(shape, _variance(self.basis, shape))[1]
        return _variance(self._open(shape)[1] or self.basis, shape) * times

    def _turn(self, shape: Shape) -> float:
        """The same where our scores vary as much as the published ones; nan where it is not told
        how these vary.
        """
        b, alike = self.basis, replace(shape, epochs_a=shape.epochs_b)
        if self.answers == "binary" or not isinstance(b, Expectation):
            return math.nan
        ours = _variance(b, alike) / 2.0
        return b.published * b.published_se**2 / ours if ours > 0.0 else math.nan


def _variance(basis: Basis, shape: Shape) -> float:
    return basis.variances(shape.cluster_size).at(shape)


def _times(basis: Basis, times: float) -> Basis:
    return replace(basis, times=times) if isinstance(basis, Expectation) else basis


def ground_of(a: Asked, pilot: Pilot | None) -> Ground:
    """The ground of what is asked. PlanError where it cannot be."""
    answers = KINDS[a.answers] if pilot is None else pilot.answers
    percent = answers != "free" if pilot is None else pilot.result.scale.percent
    shape, sizes = shape_of(a, pilot)
    if percent or answers != "free":
        check_on_scale(a, pilot)
    if percent:
        check_current(a)
    check_noise(a, pilot)
    if a.omega2 == a.omega2:
        return _of_variances(a, shape, sizes, a.answers != "own-units")
    said = [n for n in ("mean", "correlation", "spread") if not math.isnan(getattr(a, n))]
    by_mean = pilot is not None and piloted.shows_published_mean(a, pilot, shape)
    if pilot is not None and not by_mean and not said and piloted.shows_difference(a, pilot):
        seen, found, open_ends = observed(a, pilot, shape)
        return Ground(seen, shape, (*found, *sizes), pilot.answers, percent, None, *open_ends)
    values = Values(a, pilot, answers)
    joint = together(values)
    if joint is not None:
        ground = _of_values(values, shape, sizes, percent, joint)
        if not math.isnan(sum(ground._off(shape))):
            return ground
    # a range of the mean alone would leave out what may count for more
    values = replace(values, certain=bool(err_together(values)))
    return _of_values(values, shape, sizes, percent, None)


def _of_values(
    values: Values, shape: Shape, sizes: Sequence[Known], percent: bool, joint: Together | None
) -> Ground:
    """Of single values, from wherever they are known."""
    a, known = values.asked, values.all()
    if shape.grouped:
        values.check_given(shape.cluster_size)
        known += values.of_clusters()
    basis = values.basis()
    ends = [*values.of_correlations(), *values.of_noise()]
    turn = math.nan if values.answers == "binary" else piloted.turns_at(a, values.spread())
    ends += [replace(values, asked=replace(a, spread=turn)).basis()] if turn == turn else []
    return Ground(basis, shape, (*known, *sizes), values.answers, percent, joint, *ends)


def _of_variances(a: Asked, shape: Shape, sizes: tuple[Known, ...], percent: bool) -> Ground:
    """What equations 9 and 10 ask for, given as such."""
    second = a.sigma2 if math.isnan(a.sigma2_b) else a.sigma2_b
    pair = ExpectedPair("free", math.nan, 0.0, a.omega2, a.sigma2, second)
    values = {"omega2": a.omega2, "sigma2": a.sigma2, "sigma2_b": second}
    known = [Known(name, value, GIVEN) for name, value in values.items()]
    iccs = [0.0]
    if shape.grouped:
        most, true = most_icc(pair), pair.omega2 / pair.variance()
        check_alike("icc", a.icc, shape.cluster_size, true, Known("noise", 1.0 - true, GIVEN))
        icc = known_icc(a.icc, math.nan, most)
        known.append(icc)
        iccs = [icc.value]
        if icc.source == PUBLIC:
            iccs += [min(most, icc.low), min(most, icc.high)]
    basis, *ends = (Expectation(pair, icc, published=a.published_questions) for icc in iccs)
    return Ground(basis, shape, (*known, *sizes), "free", percent, None, *ends)
