"""The smallest true difference that the test of a report finds with a stated power, for many pairs
of models at once, and the questions that a given difference needs.

What is planned is the test that is printed: McNemar's for 0/1 scores with one answer each, t with
the degrees of freedom of the standard error, or Tango's on effective questions. The variance is
that of the difference to be found, not that of equal models: two shares cannot differ without
questions in which they differ. Power counts that the variance is itself an estimate, and a pair
whose data cannot bear a plan has none (refusals).
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.evidence import FEW_UNITS, dense, most_answers, sparse_df
from reportkit.stats.intervals import t_quantile, z_quantile
from reportkit.stats.pairs.designs import KNOWN, PairDesigns
from reportkit.stats.planning.against import against, against_power
from reportkit.stats.planning.alternative import (
    Alternative,
    Grown,
    alternative,
    common,
    grown,
    shown_when,
)
from reportkit.stats.planning.assured import assured, assured_ratio, beyond_t, partly_known
from reportkit.stats.planning.certainty import certain_df, seen_df, worth_of
from reportkit.stats.planning.discordance import discordance, mcnemar_power
from reportkit.stats.planning.newcombe import newcombe_power
from reportkit.stats.planning.roots import first_enough, highest, increasing_root

MCNEMAR, TANGO, T, NEWCOMBE = "tango", "tango-effective", "t", "newcombe"
# Reasons for no plan
NO_TEST, NO_VARIANCE, NEAR_END, FEW_LARGE = "no-test", "no-variance", "near-end", "few-large"
# With fewer points, of both models together, between their scores and the nearer end of the scale,
# what models further from it would do is not in the data. Chosen by benchmarks/power.py, as are
# the two below.
LEAST_POINTS = 2.0
# With a variance that is worth fewer clusters, the degrees of freedom depend on how alike their
# questions are, which so few do not tell.
LEAST_ALIKE = 5.0
# A variance with fewer degrees of freedom says nothing: what it asks for is beyond any scale.
LEAST_KNOWN_DF = 2.0
# No eval of fewer questions is planned.
LEAST_QUESTIONS = 30.0
# Questions of ours, from the largest on: the law of few published answers has steps, so that beside
# them more questions may find a little less.
STEPPED = (1e6, 1e5, 2e4, 5e3, 2e3, 500.0)


def direction(designs: PairDesigns) -> tuple[np.ndarray, np.ndarray]:
    """Of bounded scores: whether the detectable difference is downwards from the higher model, and
    the most that the scale leaves there; upwards from the lower one, where both are below 1/2.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "tango", 100, 100, 0.02, 99.0, True, 0.97, 0.97, 0.0, 0.06, 6.0, True, 4e-4, True)))
    >>> down, room = direction(d)
    >>> down.item(), room.round(2).item()
    (True, 0.96)
    """
    other = alternative(designs)
    return other.down, np.where(designs.bounded, _left_by_scale(designs, other), np.inf)


# Plans --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plan(Record):
    """How the eval is changed, and what is asked of it; but for the level, shape (P,) or one number
    for all pairs.
    """

    questions: np.ndarray | float = 1.0  # times as many, in as many times the clusters
    noise: np.ndarray | float = 1.0  # share of a difference's variance that more answers leave
    level: float = 0.95
    power: np.ndarray | float = 0.8
    answers: np.ndarray | float = 1.0  # times as many to each question; `noise` says what is left


def detectable_difference(designs: PairDesigns, plan: Plan | None = None) -> np.ndarray:
    """The smallest true difference that each pair's printed test finds with the plan's power, shape
    (P,), in units of the scale.

    "tango" (0/1, one answer each): mcnemar_power at the discordance that the difference brings.
    "newcombe" (the same against a published mean): newcombe_power of both shares.
    "t" and "tango-effective": difference / SE reaches assured_ratio, SE^2 growing with the
    difference (alternative.grown); "tango-effective" with its statistic, smaller by
    sqrt(1 - d^2 / mean |d|) (beyond_t), and its degrees of freedom. Scores without bounds keep
    their SE.

    nan: refusals gives a reason, or no difference that the scale allows is found so often.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 1.0, 399.0, False, 50.0, 50.0, 0.5, 20.0, 400.0, False, 1.0, False)))
    >>> detectable_difference(d).round(2).item()   # 2.80 by equation 10
    2.81
    """
    plan = plan or Plan()
    usable = np.flatnonzero(refusals(designs) == "")
    found = np.full(len(designs), np.nan)
    if not len(usable):
        return found
    d = designs.take(usable)
    plan = _of_pairs(plan, usable, len(designs))
    other = alternative(d) if d.bounded.any() else None

    def excess(difference: np.ndarray) -> np.ndarray:
        found = _excess(d, plan, difference, _changed(d, other, plan, difference))
        return np.where(np.isnan(found) & (difference == 0.0), -1.0, found)  # 0 is never found

    room = _room(d, other, plan)
    if d.fixed is not None:
        room = highest(excess, room)  # at an end of the scale a counted interval finds nothing
    found[usable] = increasing_root(excess, np.zeros(len(d)), room, _near(d))
    return found


def refusals(designs: PairDesigns) -> np.ndarray:
    """Why a pair has no plan, shape (P,) of strings; empty where it has one.

    "no-test": its interval has no test, or its SE is undefined. "no-variance": the models answer
    alike, and do not show by how many questions they could differ. "near-end": of bounded scores,
    both models together have lost, or won, fewer than 2 points (a question each), and their
    variance is more than the square of what they lost on average; not of means of 0/1 answers.
    "few-large": were the questions of a cluster alike, the SE would be worth fewer than 5 clusters
    of one size (tails.worth).

    >>> d = PairDesigns(*(np.array([x, x]) for x in (
    ...     "tango", 100, 100, 0.02, 99.0, True, 0.99, 0.97, 0.0, 0.04, 4.0, True, 4e-4, True)))
    >>> refusals(replace(d, mean_b=np.array([0.99, 1.0]))).tolist()   # 1 + 1 points lost; 1 + 0
    ['', 'near-end']
    """
    d = designs
    with np.errstate(invalid="ignore", over="ignore"):
        test = np.isin(d.method, (MCNEMAR, TANGO, T, NEWCOMBE)) & (d.se > 0.0)
        mean = (d.mean_a + d.mean_b) / 2.0
        end = np.minimum(mean, 1.0 - mean)
        # spread no farther than they are from the end, scores have no long tail towards the other
        spread = d.n * d.alone / (2.0 * (1.0 - common(d)))
        # means of several answers lose a point in parts, and so lose more often
        near = d.bounded & (spread > end**2) & ~(d.right & ~d.binary)
        points = np.where(near, 2.0 * d.n * end, np.inf)
    alike = np.full(len(d), np.inf) if d.alike is None else d.alike
    why = np.full(len(d), "", dtype="U12")
    # what should be a whole number is not, in its last bits
    why[alike < LEAST_ALIKE * (1.0 - 1e-9)] = FEW_LARGE
    why[points < LEAST_POINTS * (1.0 - 1e-9)] = NEAR_END
    why[~test] = NO_TEST
    why[d.se == 0.0] = NO_VARIANCE
    return why


def _of_pairs(plan: Plan, which: np.ndarray, count: int) -> Plan:
    questions, noise, power, answers = (
        np.broadcast_to(np.asarray(v, dtype=float), (count,))[which]
        for v in (plan.questions, plan.noise, plan.power, plan.answers)
    )
    return replace(plan, questions=questions, noise=noise, power=power, answers=answers)


def times_needed(
    designs: PairDesigns, difference: np.ndarray | float, plan: Plan | None = None
) -> np.ndarray:
    """How many times the questions (and clusters) each pair needs, shape (P,), to find a true
    difference, one or one for each pair, with the plan's power. Its `questions` is not used.

    nan where detectable_difference is for any number, or the scale does not leave the difference.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 1.0, 399.0, False, 50.0, 50.0, 0.5, 20.0, 400.0, False, 1.0, False)))
    >>> times_needed(d, 1.4).round(2).item()   # 4 by equation 9
    4.03
    """
    plan = plan or Plan()
    found = np.full(len(designs), np.nan)
    usable = np.flatnonzero(refusals(designs) == "")
    if not len(usable):
        return found
    d, every = designs.take(usable), np.broadcast_to(difference, (len(designs),))[usable]
    plan = _of_pairs(plan, usable, len(designs))
    other = alternative(d) if d.bounded.any() else None
    within = (every > 0.0) & (every <= _room(d, other, plan))
    changed = _changed(d, other, plan, every)  # whatever the number of questions is

    def excess(times: np.ndarray) -> np.ndarray:
        at = _excess(d, replace(plan, questions=np.exp(times)), every, changed)
        return np.where(within, at, -1.0)

    # with fewer than one degree of freedom nothing is found
    low = np.log(2.0 / np.minimum(worth_of(d), d.df + 1.0))
    high = np.full(len(d), math.log(1e12))
    if (d.method == NEWCOMBE).any():
        steps = [np.where(d.method == NEWCOMBE, np.log(n / d.n), high) for n in STEPPED]
        high = first_enough(excess, [high, *steps])
    found[usable] = np.exp(increasing_root(excess, low, high, _near(d), skips=_skips(d)))
    return found


def too_few(designs: PairDesigns, times: np.ndarray) -> np.ndarray:
    """Whether so many times the questions are fewer than 30: no power is promised for so few.

    >>> d = PairDesigns(*(np.array([x]) for x in (
    ...     "t", 400, 400, 1.0, 399.0, False, 50.0, 50.0, 0.5, 20.0, 400.0, False, 1.0, False)))
    >>> too_few(d, np.array([0.07])).item(), too_few(d, np.array([0.08])).item()
    (True, False)
    """
    return np.asarray(designs.n * times < LEAST_QUESTIONS * (1.0 - 1e-8))


def _room(d: PairDesigns, other: Alternative | None, plan: Plan) -> np.ndarray:
    """The largest difference that the scale leaves; without bounds, one that is surely found."""
    ratio = assured_ratio(np.inf, level=plan.level, power=plan.power)
    far = 1e3 * ratio * d.se * np.sqrt(d.clusters)
    return far if other is None else np.where(d.bounded, _left_by_scale(d, other), far)


def _left_by_scale(d: PairDesigns, other: Alternative) -> np.ndarray:
    """The largest difference of bounded scores: of models of which one moves towards the middle of
    the scale and beyond, or away from it (PairDesigns.moved).
    """
    away = np.zeros(len(d), bool) if d.moved is None else d.moved < 0.0
    return np.where(away, 1.0 - other.share, other.share)


@dataclass(frozen=True, slots=True)
class Changed(Record):
    """What a true difference makes of bounded scores; p10 and p01 have shape (P,)."""

    p10: np.ndarray
    p01: np.ndarray
    grown: Grown | None  # None: every pair has a test that is counted out, and does not ask
    share: np.ndarray  # Alternative's


def _changed(
    d: PairDesigns, other: Alternative | None, plan: Plan, difference: np.ndarray
) -> Changed | None:
    if other is None:
        return None
    p10, p01 = discordance(other.share, np.minimum(difference, other.share), other.latent)
    if np.isin(d.method, (MCNEMAR, NEWCOMBE)).all():
        return Changed(p10, p01, None, other.share)
    at = grown(d, other, difference, p10 + p01, plan.answers)
    return Changed(p10, p01, at, other.share)


def _excess(d: PairDesigns, plan: Plan, difference: np.ndarray, at: Changed | None) -> np.ndarray:
    """By how much differences, shape (P,), are found more often than the plan's power: 0 at it, on
    scales that are nearly linear in the difference.
    """
    if at is None:
        return _by_t(d, plan, difference, None)
    counted = np.isin(d.method, (MCNEMAR, NEWCOMBE))
    found = np.full(len(d), np.nan) if counted.all() else _by_t(d, plan, difference, at)
    beta = np.broadcast_to(special.ndtri(plan.power), (len(d),))
    n = d.n * plan.questions
    for method in (MCNEMAR, NEWCOMBE):
        k = np.flatnonzero((d.method == method) & ~np.isnan(n))
        if not len(k):
            continue
        if method == MCNEMAR:
            power = mcnemar_power(at.p10[k], at.p01[k], n[k], level=plan.level)
        else:
            assert d.fixed_n is not None
            ours = np.maximum(at.share - difference, 0.0)[k]
            power = newcombe_power(ours, at.share[k], n[k], d.fixed_n[k], level=plan.level)
        found[k] = special.ndtri(np.clip(power, 1e-12, 1.0 - 1e-12)) - beta[k]
    k = np.flatnonzero(by_interval(d) & (found != -1.0))
    if at.grown is not None and len(k):
        power = against_power(
            d, at.grown.variance, plan.questions, at.share, difference, k, plan.level
        )
        found[k] = special.ndtri(power) - beta[k]
    return found


def _skips(d: PairDesigns) -> bool:
    """Whether _excess may be given nan for the questions of a pair that need not be asked again."""
    return bool((d.method == NEWCOMBE).all())


def _near(d: PairDesigns) -> np.ndarray:
    """How near to a root is near enough, shape (P,): a sum over bins takes its time, and has small
    steps. It is a pair's own, so that a pair has one number among any others.
    """
    return np.where(by_interval(d), 1e-7, 1e-10)


def by_interval(d: PairDesigns) -> np.ndarray:
    """Whether the interval against a published mean is counted out (against_power), shape (P,). A
    pilot's own error is counted by t alone.
    """
    against_mean = d.fixed is not None
    known = d.bounded & (d.n >= KNOWN) & ~np.isin(d.method, (MCNEMAR, NEWCOMBE))
    return np.asarray(against_mean & known)


def _by_t(d: PairDesigns, plan: Plan, difference: np.ndarray, of: Changed | None) -> np.ndarray:
    """Difference over SE beyond what t, or Tango's test on effective questions, asks for."""
    times = plan.questions
    growth, apart, known = np.ones(len(d)), d.apart, seen_df(d)
    shown = shown_when(d, apart)
    own_df, skew = certain_df(d, times=times), np.zeros(len(d))
    floor, left, at = np.zeros(len(d)), known, None if of is None else of.grown
    if at is not None:
        growth = np.where(d.bounded, at.variance, 1.0)
        apart, shown = at.apart, at.shown
        known = np.where(d.bounded, at.known, known)
        floor, left = at.floor, at.left
        own_df = np.where(d.bounded, certain_df(d, at.tails.excess, times), own_df)
        skew = np.where(d.bounded, at.tails.skew / np.sqrt(worth_of(d) * times), 0.0)
    se = d.se * np.sqrt(growth * plan.noise / times)
    df, clusters, n = times * (d.df + 1.0) - 1.0, d.clusters * times, d.n * times
    shown = shown * times
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        score = (d.method == TANGO) & ~dense(shown, clusters, n)
        sure = known >= LEAST_KNOWN_DF
        part = plan.noise if d.left is None else plan.noise * d.left
        left = np.where(clusters < n, left * part**2, left)
        tested = np.where(score, sparse_df(df, shown, clusters), df)
        how = partly_known(known, part, floor, left)
        if d.fixed is not None:  # all of a plan's designs are against one published mean, or none
            share = np.full(len(d), 0.5) if of is None else of.share
            test = against(d, growth, times, share, difference)
            se, tested, own_df, skew = test.se, test.df, test.own_df, test.skew
            how = replace(how, df=how.df * test.known)
        # effective_tango counts no more than so many questions
        most = np.where(clusters < FEW_UNITS, most_answers(shown, clusters), np.inf)
        most = np.minimum(np.where(d.binary, n, most), 1e200)  # no limit, and not 0 times inf
        # and takes no SE that would count more; n (1 - d^2 / mean |d|) / mean |d| is 1 / SE^2 of n.
        # With a variance that is only estimated too much was asked for: .83, with it left out .81
        z = z_quantile(plan.level)
        least = z / t_quantile(plan.level, tested) * np.sqrt(
            np.maximum(apart - difference**2, 0.0) / most
        ) / se  # fmt: skip
        enough = assured(
            tested, how, level=plan.level, power=plan.power, own_df=own_df, skew=skew,
            least=np.where(score & (d.n >= KNOWN), least, 0.0),
        )  # fmt: skip
        found = difference / se - enough.ratio
        found = np.where(score, found - beyond_t(difference, se, apart, enough.edge), found)
        limit = z + special.ndtri(plan.power)
        plain = difference * np.sqrt(most / apart) - limit
        found = np.where(score, np.minimum(found, plain), found)
        return np.where((tested > 0.0) & sure, found, -1.0)
