"""Questions needed, detectable differences and power of one basis: the searches of stats, with a
reason where there is no answer.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.changed import joined
from reportkit.analysis.planning.fewer import Fewer
from reportkit.analysis.planning.limits import (
    farthest,
    fewest_questions,
    least_clusters,
    too_far,
    too_few_of,
)
from reportkit.analysis.planning.reasons import (
    LARGE_CLUSTERS,
    NO_SIZE,
    NONE,
    TOO_MANY,
    TOO_UNCERTAIN,
    Reason,
    off_scale,
    published_limit,
)
from reportkit.record import Record
from reportkit.stats.intervals import z_quantile
from reportkit.stats.planning.alternative import alternative
from reportkit.stats.planning.detectable import (
    FEW_LARGE,
    NEAR_END,
    NO_TEST,
    NO_VARIANCE,
    PairDesigns,
    Plan,
    detectable_difference,
    direction,
    refusals,
    times_needed,
)
from reportkit.stats.planning.expected import KNOWN, known
from reportkit.stats.planning.limit import least_of_any
from reportkit.stats.planning.needed import found_by_z

# Questions over the square of what is found: a small power's are no fewer than so many of a half's
SAME = 1e-6  # of a number of questions
LEAST_EACH = 0.3
WHY = {
    NO_TEST: Reason("the pilot is too small for a test: it has too few questions or clusters"),
    NO_VARIANCE: Reason(
        "the pilot's two models have the same score on every question, or differ by the same, and "
        "do not show by how much they could"
    ),
    NEAR_END: Reason(
        "the pilot's models are too near an end of the scale: together they are fewer than 2 "
        "questions away from it"
    ),
    FEW_LARGE: LARGE_CLUSTERS,
}
LARGEST = 1e7  # questions of a plan


@dataclass(frozen=True, slots=True)
class Count(Record):
    """Questions, and the clusters that hold them; nan with a reason. least: fewer would do, and are
    not planned.
    """

    questions: float
    clusters: float = math.nan  # nan where there are none
    reason: Reason = NONE
    least: bool = False


@dataclass(frozen=True, slots=True)
class Goal(Record):
    """What a test is to reach. width: of the scale, in score units. percent: whether those are
    shares, whose differences are said in points.
    """

    level: float
    power: float
    width: float = 1.0
    percent: bool = False


def needed(
    designs: Sequence[PairDesigns | Reason], difference: float, shapes: Sequence[Shape], goal: Goal
) -> list[Count]:
    """The questions that find a difference, of each design in its shape; of one beyond `farthest`,
    those that find the farthest, which are enough.
    """
    usable = [d for d in designs if not isinstance(d, Reason)]
    if not usable:
        return [Count(math.nan, reason=d) for d in designs if isinstance(d, Reason)]
    every = joined(usable)
    effect = difference / goal.width
    far = farthest(every)
    times = times_needed(every, np.minimum(effect, far), Plan(level=goal.level, power=goal.power))
    times = np.where(effect > direction(every)[1], math.nan, times)
    fewest = fewest_questions(every, np.full(len(every), effect)).tolist()
    why = [NONE] * len(every)
    if np.isnan(times).any():
        why = _reasons(every, effect, goal)
    rows = iter(zip(times.tolist(), effect > far, fewest, why, strict=True))
    counts = []
    for d, shape in zip(designs, shapes, strict=True):
        if isinstance(d, Reason):
            counts.append(Count(math.nan, reason=d))
            continue
        found, beyond, fewest_here, reason = next(rows)
        count = Count(math.nan, reason=reason)
        if not math.isnan(found):
            # what should be whole must not be rounded up for its last bits
            units = math.ceil(float(d.clusters[0]) * found * (1 - 1e-8))
            count = planned(units, d, shape, fewest_here)
        counts.append(replace(count, least=count.least or (bool(beyond) and not count.reason)))
    return counts


def planned(units: int, d: PairDesigns, shape: Shape, fewest: float) -> Count:
    """So many clusters, or questions where there are none, but no fewer than are planned. fewest:
    least_questions of the design.
    """
    if not shape.grouped:
        least, questions = units < fewest, max(units, int(fewest))
        return Count(questions, least=least) if questions <= LARGEST else _too_many()
    clusters, few = units, least_clusters(d)
    least = clusters < few or clusters * shape.cluster_size < fewest
    clusters = max(clusters, few, math.ceil(fewest / shape.cluster_size))
    questions = math.ceil(clusters * shape.cluster_size * (1 - 1e-12))
    if questions > LARGEST:
        return _too_many()
    return Count(questions, clusters, least=least)


def _too_many() -> Count:
    return Count(math.nan, reason=TOO_MANY)


def _reasons(designs: PairDesigns, effect: float, goal: Goal) -> list[Reason]:
    """Why a search may have found nothing, of each design."""
    room, other_side = direction(designs)[1], alternative(designs).share
    found = []
    of_pilots = designs.n < KNOWN
    for code, most, other, observed in zip(
        refusals(designs), room, other_side, of_pilots, strict=True
    ):
        reason = WHY.get(str(code), TOO_UNCERTAIN if observed else TOO_MANY)
        if not code and effect > most:
            end = goal.width * most
            reason = off_scale(end, told=bool(effect <= other), percent=goal.percent)
        found.append(reason)
    return _or_published(designs, effect, goal, found)


def _or_published(
    designs: PairDesigns, effect: float, goal: Goal, reasons: list[Reason]
) -> list[Reason]:
    """The reasons, where it is a published mean's own error that limits what is found."""
    if designs.fixed_n is None or not any(r is TOO_MANY for r in reasons):
        return reasons
    least = least_of_any(designs, Plan(level=goal.level, power=goal.power), LARGEST)
    return [
        published_limit(n, goal.width * most, goal.width * effect, percent=goal.percent)
        if r is TOO_MANY and not most <= effect
        else r
        for r, n, most in zip(reasons, designs.fixed_n.tolist(), least.tolist(), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Size(Record):
    """A difference that so many questions find; nan with a reason."""

    difference: float
    reason: Reason = NONE


def detectable(
    designs: Sequence[PairDesigns | Reason], questions: float, shapes: Sequence[Shape], goal: Goal
) -> list[Size]:
    """The smallest difference that so many questions find, of each design in its shape."""
    usable = [d for d in designs if not isinstance(d, Reason)]
    found: Iterator[tuple[float, Reason, float, float]] = iter(())
    if usable:
        every = joined(usable)
        plan = Plan(questions / every.n, level=goal.level, power=goal.power)
        effects = detectable_difference(every, plan)
        far = farthest(every)
        why = [WHY.get(str(code), NO_SIZE) for code in refusals(every)]
        if np.isnan(effects).any() and (every.n < KNOWN).all():  # of a pilot
            sure = known(every)
            certain = detectable_difference(sure, replace(plan, questions=questions / sure.n))
            why = [TOO_UNCERTAIN if r is NO_SIZE and not math.isnan(x) else r
                   for r, x in zip(why, certain, strict=True)]  # fmt: skip
        why = [too_far(f) if e > f else reason
               for reason, e, f in zip(why, effects, far, strict=True)]  # fmt: skip
        values = goal.width * np.where(effects > far, math.nan, effects)
        any_size, this = (fewest_questions(every, x / goal.width).tolist()
                          for x in (np.full(len(every), math.nan), values))  # fmt: skip
        found = iter(zip(values.tolist(), why, any_size, this, strict=True))
    sizes = []
    for d, shape in zip(designs, shapes, strict=True):
        if isinstance(d, Reason):
            sizes.append(Size(math.nan, d))
            continue
        value, reason, *fewest = next(found)
        if few := too_few_of(questions, shape, d, (fewest[0], fewest[1])):
            sizes.append(Size(math.nan, few))
        else:
            sizes.append(Size(value, reason if math.isnan(value) else NONE))
    return sizes


@dataclass(frozen=True, slots=True)
class Curve(Record):
    """Power over questions, for one difference: shape (50,) each; empty without a design. level: of
    the test. least: the fewest questions whose power is stated.
    """

    difference: float
    questions: np.ndarray
    powers: np.ndarray
    level: float = 0.95
    least: float = 0.0

    def at(self, questions: float) -> float:
        """The power of so many questions, by the root of their number, in which its probit is
        nearly a line; nan beyond the curve's upper end, which no number reaches, without one, or of
        fewer questions than `least`. Below its lower end it falls to 1 - level as that of a z test
        does, which is found as often as the curve says at that end.
        """
        known = np.isfinite(self.questions)
        if not known.any() or math.isnan(questions) or questions < self.least:
            return math.nan
        least = float(self.questions[known][0])
        if questions < least:
            far = far_for(self.powers[known][:1], self.level) * math.sqrt(questions / least)
            return float(found_by_z(far, z_quantile(self.level))[0])
        root = np.sqrt(self.questions[known])
        probits = special.ndtri(self.powers[known])
        return float(special.ndtr(np.interp(math.sqrt(questions), root, probits)))


def curve(fewer: Fewer, difference: float, goal: Goal) -> Curve:
    """The questions that a difference needs in one shape, by power from 0.1 to 0.9995, the plan's
    own among them: read the other way they are its power by questions. What lies beyond the upper
    end is given as the end; of a difference beyond `farthest` they are those of the farthest, whose
    power is lower.
    """
    own, usable = fewer.designs[0], [d for d in fewer.designs if not isinstance(d, Reason)]
    if isinstance(own, Reason):
        return Curve(difference, np.empty(0), np.empty(0))
    low = max(0.1, 1.5 * (1.0 - goal.level))
    first, last, own_power = special.ndtri([low, 0.9995, goal.power])
    probits = np.linspace(first, last, 50)
    # against a published mean, none above the plan's may be reached
    probits[np.abs(probits - own_power).argmin()] = own_power
    powers = special.ndtr(probits)
    every = joined([d for d in usable for _ in powers])
    effect = np.minimum(difference / goal.width, farthest(every))
    plan = Plan(level=goal.level, power=np.tile(powers, len(usable)))
    times = times_needed(every, effect, plan) * every.n
    far = far_for(powers, goal.level)
    rows = times.reshape(-1, len(powers))
    if every.fixed is None:  # else they grow faster than the square of what is found
        rows = np.array([_without_ends(t, far) for t in rows])
    least = fewest_questions(every, effect).reshape(rows.shape)
    below = rows < least
    # the last one below stays: the power of the fewest is read off between it and the next
    last = below & np.append(~below[:, 1:], np.zeros((len(rows), 1), bool), axis=1)
    last &= least == least.min()  # of another design no power is stated there
    known = np.where(below & ~last, math.nan, rows)
    known[:, -1] = np.maximum(rows, least)[:, -1]  # the fewest may find more than any power here
    found = iter(known)
    unknown = np.full(len(powers), math.nan)
    by_design = [unknown if isinstance(d, Reason) else next(found) for d in fewer.designs]
    sizes = np.array(by_design)
    questions = np.take_along_axis(sizes, fewer.best(sizes), 0)[0]
    # no point where another design finds more with no more questions; those of a step, which many
    # powers need, are equal but for how near a root is
    after = np.fmin.accumulate(questions[::-1])[::-1]
    questions = np.where(questions <= after * (1.0 + SAME), np.fmin(questions, after), math.nan)
    return Curve(difference, questions, powers, goal.level, float(least.min()))


def far_for(powers: np.ndarray, level: float) -> np.ndarray:
    """How many standard errors a true difference is, which a z test finds with these powers.

    >>> far_for(np.array([0.05, 0.8]), 0.95).round(3).tolist()
    [0.0, 2.802]
    """
    far = np.linspace(0.0, 10.0, 20_001)
    return np.interp(powers, found_by_z(far, z_quantile(level)), far)


def _without_ends(questions: np.ndarray, far: np.ndarray) -> np.ndarray:
    """Questions by power, where the search for a small power stopped at its lower end: as many as
    go with the first power that it did find.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        each = questions / far**2  # nearly the same at every power
    ended = each < LEAST_EACH * float(each[len(each) // 2])
    if not ended.any() or ended.all():
        return questions
    return np.where(ended, each[np.flatnonzero(~ended)[0]] * far**2, questions)
