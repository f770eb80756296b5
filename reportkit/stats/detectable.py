"""The smallest true difference that the test of a report finds with a stated power, for many pairs
of models at once, and the questions that a given difference needs.

What is planned is the test that is printed: McNemar's for 0/1 scores with one answer each, t with
the degrees of freedom of the standard error, or Tango's on effective questions. The variance is
that of the difference to be found, not that of equal models: two shares cannot differ without
questions in which they differ. And power counts that the variance is itself an estimate.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.assured import assured_ratio
from reportkit.stats.discordance import discordance, latent_correlation, mcnemar_power, smoothed
from reportkit.stats.evidence import FEW_UNITS, dense, most_answers, sparse_df
from reportkit.stats.intervals import z_quantile

MCNEMAR, TANGO, T = "tango", "tango-effective", "t"
Excess = Callable[[np.ndarray], np.ndarray]
# What clusters add to the variance grows with this power of what it grows by without them: with 1
# where the correlation in clusters is the same at every mean, with 2 or more where it comes from
# effects on the logit of a share. Chosen by benchmarks/power.py.
CLUSTERED_GROWTH = 2.0
# The same of answers that are not 0 or 1, between the ends of the scale: they spread more the
# farther they are from an end.
SHARES_GROWTH = 1.25
# Degrees of freedom that a variance keeps when answer noise is taken off it: the rest is floored at
# 0, which makes up for more. Chosen likewise.
LEAST_KNOWN = 12.0


@dataclass(frozen=True, slots=True)
class PairDesigns(Record):
    """What is known of P paired comparisons, arrays of shape (P,): scores on a scale of 0 to 1, or
    of no bounds.

    method: of the printed interval; others than "tango", "tango-effective" and "t" have no test to
    plan for. bounded: scores lie between 0 and 1; the fields below it are used for these alone.
    """

    method: np.ndarray
    n: np.ndarray  # common questions
    clusters: np.ndarray  # of them; n without clusters
    se: np.ndarray
    df: np.ndarray
    bounded: np.ndarray
    mean_a: np.ndarray
    mean_b: np.ndarray
    correlation: np.ndarray  # Pearson, over questions; nan where a side is constant
    apart: np.ndarray  # mean of |a - b|; of 0/1 scores, the share of discordant questions
    shown: np.ndarray  # effective number of clusters in which the models differ
    binary: np.ndarray  # 0/1 scores, one answer for each question
    alone: np.ndarray  # SE^2 if questions were independent; nan as se^2
    right: np.ndarray  # every answer is 0 or 1, whatever their number for a question

    def __len__(self) -> int:
        return len(self.n)

    def take(self, which: np.ndarray) -> "PairDesigns":
        """These pairs alone, or each as often as it is named."""
        return PairDesigns(*(getattr(self, f.name)[which] for f in fields(self)))


# Two models that differ ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Alternative:
    """The model that keeps its mean, and how the other goes with it."""

    share: np.ndarray  # of the one that keeps it, as if scales were turned so that it is above 1/2
    down: np.ndarray  # whether the other is worse; else the scale is turned
    latent: np.ndarray
    now: np.ndarray  # p10 + p01 - (p10 - p01)^2 as observed
    apart: np.ndarray  # p10 + p01 as observed


def _alternative(d: PairDesigns) -> _Alternative:
    """Two models of the observed means and correlation, of which one moves away from the other.

    The one that keeps its mean is the one farther from 1/2 where the two are significantly apart,
    else both have their joint mean. The other moves to where the scale leaves more room, and where
    scores vary more: downwards from a mean above 1/2.
    """
    a, b = d.mean_a, d.mean_b
    spread_a, spread_b = (np.sqrt(np.maximum(m * (1.0 - m), 0.0)) for m in (a, b))
    r = np.where(np.isnan(d.correlation), 0.0, d.correlation)
    least, most = np.maximum(0.0, a + b - 1.0), np.minimum(a, b)
    both = np.clip(a * b + r * spread_a * spread_b, least, most)
    smooth_a, smooth_b, q = smoothed(d.n * both, d.n * (a - both), d.n * (b - both), d.n)
    joint = (smooth_a + smooth_b) / 2.0
    down = joint >= 0.5
    outer = np.where(down, np.maximum(smooth_a, smooth_b), np.minimum(smooth_a, smooth_b))
    with np.errstate(invalid="ignore"):
        apart = np.abs(a - b) > z_quantile(0.95) * d.se
    share = np.where(apart, outer, joint)
    latent = latent_correlation(smooth_a, smooth_b, q)
    now = q - (smooth_a - smooth_b) ** 2
    return _Alternative(np.where(down, share, 1.0 - share), down, latent, now, q)


def direction(designs: PairDesigns) -> tuple[np.ndarray, np.ndarray]:
    """Of bounded scores: whether the detectable difference is downwards from the higher model, and
    the most that the scale leaves there; upwards from the lower one, where both are below 1/2.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "tango", 100, 100, 0.02, 99.0, True, 0.97, 0.97, 0.0, 0.06, 6.0, True, 4e-4, True)))
    >>> down, room = direction(d)
    >>> down.item(), room.round(2).item()
    (True, 0.97)
    """
    other = _alternative(designs)
    return other.down, np.where(designs.bounded, other.share, np.inf)


# Plans --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """How the eval is changed, and what is asked of it; questions and noise: shape (P,), or one
    number for all pairs.
    """

    questions: np.ndarray | float = 1.0  # times as many, in as many times the clusters
    noise: np.ndarray | float = 1.0  # share of a difference's variance that more answers leave
    level: float = 0.95
    power: float = 0.8


def detectable_difference(designs: PairDesigns, plan: Plan | None = None) -> np.ndarray:
    """The smallest true difference that each pair's printed test finds with the plan's power, shape
    (P,), in units of the scale.

    "tango" (0/1, one answer each): mcnemar_power at the discordance that the difference brings.
    "t" and "tango-effective": difference / SE reaches assured_ratio, SE^2 growing with the
    difference as p10 + p01 - (p10 - p01)^2 does; "tango-effective" with its statistic, smaller by
    sqrt(1 - difference^2 / mean |d|), and its degrees of freedom. Scores without bounds keep their
    SE.

    nan: no test, no SE (0 or undefined), or no difference that the scale allows is found so often.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 1.0, 399.0, False, 50.0, 50.0, 0.5, 20.0, 400.0, False, 1.0, False)))
    >>> detectable_difference(d).round(2).item()   # 2.80 by equation 10
    2.81
    """
    plan = plan or Plan()
    given = np.arange(len(designs))
    usable = given[_usable(designs)]
    found = np.full(len(designs), np.nan)
    if not len(usable):
        return found
    d = designs.take(usable)
    plan = _of_pairs(plan, usable, len(designs))
    other = _alternative(d) if d.bounded.any() else None
    most = _room(d, other, plan)
    found[usable] = _increasing_root(_excess(d, other, plan), np.zeros(len(d)), most)
    return found


def _increasing_root(f: Excess, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Where increasing functions become 0, entry by entry; nan where they are below 0 at `high`.

    False position, with halved ordinates of an end that stays (Illinois): what is solved here is
    nearly linear. To 1e-10 of the root.
    """
    at_low, at_high = f(low), f(high)
    root = np.where(at_high >= 0.0, high, np.nan)
    open_ = (at_high >= 0.0) & (at_low < 0.0)
    root = np.where(at_low >= 0.0, low, root)
    side = np.zeros(len(low))
    for _ in range(100):
        if not open_.any():
            break
        with np.errstate(invalid="ignore", divide="ignore"):
            guess = high - at_high * (high - low) / (at_high - at_low)
        guess = np.where((guess > low) & (guess < high), guess, (low + high) / 2.0)
        at = f(guess)
        enough = at >= 0.0
        at_low = np.where(enough & (side > 0), at_low / 2.0, at_low)
        at_high = np.where(~enough & (side < 0), at_high / 2.0, at_high)
        high, at_high = np.where(enough, guess, high), np.where(enough, at, at_high)
        low, at_low = np.where(enough, low, guess), np.where(enough, at_low, at)
        side = np.where(enough, 1.0, -1.0)
        root = np.where(open_, guess, root)
        open_ &= (np.abs(at) >= 1e-9) & (high - low > 1e-10 * np.abs(guess))
    return root


def _usable(d: PairDesigns) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        # Models that answer alike do not show by how many questions they could differ.
        return np.isin(d.method, (MCNEMAR, TANGO, T)) & (d.se > 0.0)


def _of_pairs(plan: Plan, which: np.ndarray, count: int) -> Plan:
    questions, noise = (
        np.broadcast_to(np.asarray(v, dtype=float), (count,))[which]
        for v in (plan.questions, plan.noise)
    )
    return replace(plan, questions=questions, noise=noise)


def times_needed(designs: PairDesigns, difference: float, plan: Plan | None = None) -> np.ndarray:
    """How many times the questions (and clusters) each pair needs for a true difference to be found
    with the plan's power, shape (P,).

    nan where detectable_difference is for any number, or the difference is more than the scale
    leaves. The plan's `questions` is not used.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 1.0, 399.0, False, 50.0, 50.0, 0.5, 20.0, 400.0, False, 1.0, False)))
    >>> times_needed(d, 1.4).round(2).item()   # 4 by equation 9
    4.03
    """
    plan = plan or Plan()
    found = np.full(len(designs), np.nan)
    usable = np.flatnonzero(_usable(designs))
    if not len(usable) or not difference > 0.0:
        return found
    d = designs.take(usable)
    plan = _of_pairs(plan, usable, len(designs))
    other = _alternative(d) if d.bounded.any() else None
    within = difference <= _room(d, other, plan)

    def excess(times: np.ndarray) -> np.ndarray:
        at = _excess(d, other, replace(plan, questions=np.exp(times)))
        return np.where(within, at(np.full(len(d), difference)), -1.0)

    low, high = np.log(2.0 / d.clusters), np.full(len(d), math.log(1e12))
    found[usable] = np.exp(_increasing_root(excess, low, high))
    return found


def _room(d: PairDesigns, other: _Alternative | None, plan: Plan) -> np.ndarray:
    """The largest difference that the scale leaves; without bounds, one that is surely found."""
    ratio = assured_ratio(np.inf, level=plan.level, power=plan.power)
    far = 1e3 * ratio * d.se * np.sqrt(d.clusters)
    return far if other is None else np.where(d.bounded, other.share, far)


def _excess(d: PairDesigns, other: _Alternative | None, plan: Plan) -> Excess:
    """By how much differences, shape (P,), are found more often than the plan's power: 0 at it, on
    scales that are nearly linear in the difference.
    """
    single = np.flatnonzero(d.method == MCNEMAR)
    beta = float(special.ndtri(plan.power))

    def excess(difference: np.ndarray) -> np.ndarray:
        if other is None:
            return _by_t(d, plan, difference, None)
        p10, p01 = discordance(other.share, np.minimum(difference, other.share), other.latent)
        if len(single) == len(d):
            found = np.empty(len(d))
        else:
            found = _by_t(d, plan, difference, (other, p10 + p01))
        if len(single):
            n = (d.n * plan.questions)[single]
            power = mcnemar_power(p10[single], p01[single], n, level=plan.level)
            found[single] = special.ndtri(np.clip(power, 1e-12, 1.0 - 1e-12)) - beta
        return found

    return excess


def _by_t(
    d: PairDesigns,
    plan: Plan,
    difference: np.ndarray,
    shares: tuple[_Alternative, np.ndarray] | None,
) -> np.ndarray:
    """Difference over SE beyond what t, or Tango's test on effective questions, asks for."""
    growth, apart = np.ones(len(d)), d.apart
    if shares is not None:
        other, q = shares
        with np.errstate(invalid="ignore", divide="ignore"):
            growth = np.where(d.bounded, (q - difference**2) / other.now, 1.0)
            apart = np.maximum(d.apart * q / other.apart, difference)
            alone = np.minimum(np.where(d.alone > 0.0, d.alone / d.se**2, 1.0), 1.0)
            plain = growth ** np.where(d.right, 1.0, SHARES_GROWTH)
            growth = alone * plain + (1.0 - alone) * growth**CLUSTERED_GROWTH
    se = d.se * np.sqrt(growth * plan.noise / plan.questions)
    df = plan.questions * (d.df + 1.0) - 1.0
    clusters, n = d.clusters * plan.questions, d.n * plan.questions
    shown = _shown(d, apart) * plan.questions
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        score = (d.method == TANGO) & ~dense(shown, clusters, n)
        shrunk = np.sqrt(np.maximum(1.0 - difference**2 / apart, 0.0))
        statistic = difference / se
        known = np.where(d.method == TANGO, sparse_df(d.df, d.shown, d.clusters), d.df)
        # What is left of a variance errs by as much as all of it.
        known = np.maximum(known * plan.noise**2, np.minimum(known, LEAST_KNOWN))
        tested = np.where(score, sparse_df(df, shown, clusters), df)
        enough = assured_ratio(tested, known, level=plan.level, power=plan.power)
        found = np.where(score, statistic * shrunk, statistic) - enough
        # effective_tango counts no more than so many questions
        most = np.where(clusters < FEW_UNITS, most_answers(shown, clusters), np.inf)
        most = np.minimum(np.where(d.binary, n, most), 1e200)  # no limit, and not 0 times inf
        plain = difference * np.sqrt(most / apart)
        limit = z_quantile(plan.level) + float(special.ndtri(plan.power))
        found = np.where(score, np.minimum(found, plain - limit), found)
        return np.where(tested > 0.0, found, -1.0)


def _shown(d: PairDesigns, apart: np.ndarray) -> np.ndarray:
    """Effective number of clusters in which the models differ, when they differ in more questions.

    The squared coefficient of variation of the clusters' shares of such questions goes with (1 - q)
    / q.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        now = np.maximum(d.clusters / d.shown - 1.0, 0.0)
        odds, odds_now = (np.maximum(1.0 - x, 0.0) / x for x in (apart, d.apart))
        spread = np.where(odds_now > 0.0, now * odds / odds_now, now)
        return d.clusters / (1.0 + spread)
