"""What a pilot says of two models that are alike, where its own are far apart: a plan then takes
both to be like the one that is farther from the middle of the scale, the outer one.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from reportkit.analysis.planning.answered import Like
from reportkit.analysis.planning.basis import Observation
from reportkit.analysis.planning.changed import certain, with_discordance
from reportkit.analysis.planning.piloted import mean_range
from reportkit.record import Record
from reportkit.results import MeanResult
from reportkit.stats.intervals import t_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.alternative import LEAST_LEFT, TINY, alternative, grown_at, has_ends
from reportkit.stats.planning.detectable import MCNEMAR
from reportkit.stats.planning.outer_spread import outer_spread
from reportkit.stats.planning.roots import increasing_root

NEAR = 1e-3  # of the way from a mean to the end of its range


def alike(d: PairDesigns) -> tuple[PairDesigns, float]:
    """The design of two models that are alike, and its variance over that of the pilot's: the
    design as it is, and 1, where these are not significantly apart, or scores have no ends.
    """
    if not d.bounded[0] or not alternative(d).lead[0] > 0.0:
        return d, 1.0
    at = grown_at(d, np.zeros(1))
    times = float(at.variance[0])
    return replace(d, se=d.se * math.sqrt(times), apart=at.apart, shown=at.shown), times


def at_end(basis: Observation, d: PairDesigns, times: float) -> tuple[PairDesigns, float]:
    """The pilot's design where its variance is so many times what it is, and what two models like
    the outer one vary by is at an end of its own range, as if known; and how many times its
    variance is then. MOVER puts the two together, on the log scale. nan where there is no range.
    """
    if alike(d)[1] == 1.0:
        return certain(d, times), times
    outer = _outer_of(basis, d)
    if has_ends(d, alternative(d))[0]:
        least, most = _far_of_shares(basis, outer)
        return _scaled(d, times, most if times > 1.0 else least)
    low, high = (_far_at(d, outer, end) for end in outer.ends)
    end, far = outer.ends[0], low
    if (high > low) == (times > 1.0):
        end, far = outer.ends[1], high
    if not d.binary[0] or d.separate[0] or math.isnan(far):
        return _scaled(d, times, far)
    seen = math.log(_when_alike(_single(d, times)) / _when_alike(d))
    found = _single(_moved(d, outer, end, times, seen + _added(seen, far)), times)
    return found, _variance(found) / _variance(d)


def like_of(basis: Observation, d: PairDesigns) -> Like | None:
    """The outer model, in score units; None where the two are not far apart."""
    if alike(d)[1] == 1.0:
        return None
    outer, other, least = _outer_of(basis, d), alternative(d), basis.pilot.result.scale.ends[0]
    score, low, high = (least + basis.width * x for x in (outer.mean, *outer.ends))
    if has_ends(d, other)[0]:
        low = high = math.nan
    return Like(score, low, high, bool(other.down[0]))


@dataclass(frozen=True, slots=True)
class _Outer(Record):
    """The outer model of a design."""

    name: str  # of its mean there
    model: MeanResult
    mean: float  # as a share of the scale
    ends: tuple[float, float]  # its 95% range

    def put(self, d: PairDesigns, mean: float) -> PairDesigns:
        """The design with another mean of it; of single 0/1 answers as many tell the two apart."""
        moved = replace(d, **{self.name: np.array([mean])})
        if not d.binary[0] or d.separate[0]:
            return moved
        moved = with_discordance(moved, 1.0)
        before, after = (x.apart - (x.mean_a - x.mean_b) ** 2 for x in (d, moved))
        return replace(moved, se=moved.se * np.sqrt(np.maximum(after, TINY) / before))


def _outer_of(basis: Observation, d: PairDesigns) -> _Outer:
    p, result = basis.power, basis.pilot.result
    a, b = float(d.mean_a[0]), float(d.mean_b[0])
    first = (a > b) == (a + b >= 1.0)
    model = next(m for m in result.means if m.model == (p.model if first else p.baseline))
    low, high = (
        (end - result.scale.ends[0]) / basis.width for end in mean_range([model], basis.pilot)
    )
    return _Outer("mean_a" if first else "mean_b", model, a if first else b, (low, high))


def _moved(d: PairDesigns, outer: _Outer, end: float, times: float, far: float) -> PairDesigns:
    """The design of single 0/1 answers with so many times the variance, and the outer mean so far
    towards the end of its range that the variance of models alike is off by `far`.
    """
    now = _when_alike(d)

    def at(part: float) -> PairDesigns:
        return outer.put(d, outer.mean + part * (end - outer.mean))

    def over(parts: np.ndarray) -> np.ndarray:
        then = _when_alike(_single(at(float(parts[0])), times))
        return np.array([abs(math.log(then / now)) - abs(far)])

    part = float(increasing_root(over, np.zeros(1), np.ones(1), NEAR)[0])
    return at(1.0 if math.isnan(part) else part)


def _far_at(d: PairDesigns, outer: _Outer, mean: float) -> float:
    """How far the variance of models alike is off at another mean of theirs, on the log scale. The
    inner model's mean errs with the variance that the pilot shows.
    """
    if math.isnan(mean):
        return mean
    return math.log(max(_when_alike(outer.put(d, mean)), TINY) / max(_when_alike(d), TINY))


def _far_of_shares(basis: Observation, outer: _Outer) -> tuple[float, float]:
    """Both ends of the same of scores in part, whose ends, skewness and means err together. In
    clusters the error is larger as that of the outer model's mean is.
    """
    assert basis.pilot.scores is not None
    x, y = basis.pilot.scores
    m = outer.model
    if m.model != basis.pilot.result.models[0]:
        x, y = y, x
    if not m.se_unclustered > 0.0:  # all its scores are the same
        return math.nan, math.nan
    spread, se = outer_spread(x, y)
    half = float(t_quantile(0.95, m.df)) * se * m.se / m.se_unclustered
    low, spread = max(spread - half, LEAST_LEFT), max(spread, LEAST_LEFT)
    return math.log(low / spread), math.log1p(half / spread)


def _scaled(d: PairDesigns, times: float, far: float) -> tuple[PairDesigns, float]:
    if math.isnan(far):
        return d, math.nan
    times *= math.exp(_added(math.log(times), far))
    return certain(d, times), times


def _added(seen: float, far: float) -> float:
    """By how much both are more than the first alone."""
    return math.copysign(math.hypot(seen, far) - abs(seen), seen)


def _single(d: PairDesigns, times: float) -> PairDesigns:
    """certain, of single 0/1 answers, which without clusters vary by q less the squared difference,
    q the share that tells the models apart.
    """
    found = certain(d, times)
    if found.method[0] != MCNEMAR:
        return found
    square = (found.mean_a - found.mean_b) ** 2
    return replace(found, se=np.sqrt((found.apart - square) / found.n))


def _when_alike(d: PairDesigns) -> float:
    return _variance(d) * alike(d)[1]


def _variance(d: PairDesigns) -> float:
    """n SE^2."""
    return float(d.n[0] * d.se[0] ** 2)
