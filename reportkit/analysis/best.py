"""Which comparisons a report shows, and what they say together: which models may be the best, and
the ranks of each.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit import stats
from reportkit.analysis.order import ranked
from reportkit.decisions import Decisions
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult, RankResult
from reportkit.scores.select import EvalScores, is_share
from reportkit.suites import OverallResult

EVERY_PAIR = 4  # models up to which a report compares every pair by itself


@dataclass(frozen=True, slots=True)
class Standing:
    """What the comparisons say of the models.

    differences, power: the report's own comparisons. leader: the model that they are with, where
    the data chose it, else empty. best: the models in bold, the best mean first. untold: those of
    which too little is known.
    """

    differences: tuple[DifferenceResult, ...]
    power: tuple[PowerResult, ...]
    leader: str
    best: tuple[str, ...]
    untold: tuple[str, ...]
    ranks: tuple[RankResult, ...]


def standing(
    e: EvalScores,
    means: Sequence[MeanResult],
    every: Sequence[tuple[DifferenceResult, PowerResult]],
    pairs: stats.Pairs,
    d: Decisions,
) -> Standing:
    """The report's own comparisons, and the models that may be the best.

    every: the records of all pairs, in the order of `pairs`.
    """
    values = np.array([m.mean for m in means])
    p_ahead = stats.ahead(pairs, len(means), e.lower)
    alone = stats.best_set(values, p_ahead, d.level, lower=e.lower)
    leader = ""
    if d.baseline:
        own = _holm(_with(every, e.models, d.baseline))
    elif len(e.models) <= EVERY_PAIR:
        own = list(every)
    else:
        leader = _leader(means, ~np.isnan(p_ahead).all(axis=1), e.lower)
        with_leader = _with(every, e.models, leader)
        own = [(_for_chosen(e, one, alone.rivals), power) for one, power in with_leader]
    shown = [one for one, _ in (*own, *every)]
    found = found_better(e.models, shown, e.lower)
    b = stats.best_set(values, p_ahead, d.level, lower=e.lower, found=found)
    several = np.isfinite(values).sum() > 1
    return Standing(
        tuple(one for one, _ in own),
        tuple(power for _, power in own if power.n_questions),
        leader,
        tuple(m.model for m in _ranked(means, e.lower) if several and b.bold[_at(e, m)]),
        tuple(m.model for m in _ranked(means, e.lower) if several and b.untold[_at(e, m)]),
        _ranks(e, pairs, b, d.level),
    )


def placed(means: Sequence[MeanResult], s: Standing) -> tuple[MeanResult, ...]:
    """The means with their ranks, and whether each may be the best."""
    if not s.ranks:
        return tuple(means)
    answers = dict.fromkeys(s.best, "yes") | dict.fromkeys(s.untold, "unknown")
    return tuple(
        replace(
            m,
            rank=r.rank,
            rank_low=r.low,
            rank_high=r.high,
            may_be_best=answers.get(m.model, "no") if m.n_questions else "unknown",
        )
        for m, r in zip(means, s.ranks, strict=True)
    )


def _at(e: EvalScores, m: MeanResult) -> int:
    return e.models.index(m.model)


def _ranked(means: Sequence[MeanResult], lower: bool) -> list[MeanResult]:
    """The models with a mean, the best first; of equal means (but for rounding) the one with more
    questions, then by name: never by the order of the input.
    """
    scored = [m for m in means if m.mean == m.mean]
    values = [m.mean if lower else -m.mean for m in scored]
    sizes = [m.n_questions for m in scored]
    return [scored[i] for i in ranked(values, sizes, [m.model for m in scored])]


def _leader(means: Sequence[MeanResult], tested: np.ndarray, lower: bool) -> str:
    """The best mean among the models that some test compares; empty without a test."""
    names = {m.model for m, is_tested in zip(means, tested, strict=True) if is_tested}
    ranked = _ranked(means, lower)
    return next((m.model for m in ranked if m.model in names), ranked[0].model if ranked else "")


def _with(
    every: Sequence[tuple[DifferenceResult, PowerResult]], models: Sequence[str], baseline: str
) -> list[tuple[DifferenceResult, PowerResult]]:
    """The comparisons with one model, each "other minus it", in the order of the models."""
    order = {model: k for k, model in enumerate(models)}
    own = [(a, p) for a, p in every if baseline in (a.model, a.baseline)]
    own = [(a, p) if a.baseline == baseline else (a.turned(), _turned_power(p)) for a, p in own]
    return sorted(own, key=lambda pair: order[pair[0].model])


def _turned_power(p: PowerResult) -> PowerResult:
    return replace(
        p,
        model=p.baseline,
        baseline=p.model,
        sigma2_model=p.sigma2_baseline,
        sigma2_baseline=p.sigma2_model,
        epochs_model=p.epochs_baseline,
        epochs_baseline=p.epochs_model,
        mean_model=p.mean_baseline,
        mean_baseline=p.mean_model,
    )


def _holm(
    own: Sequence[tuple[DifferenceResult, PowerResult]],
) -> list[tuple[DifferenceResult, PowerResult]]:
    adjusted = stats.holm(np.array([one.p_value for one, _ in own]))
    return [
        (replace(one, p_adjusted=float(p)), power)
        for (one, power), p in zip(own, adjusted, strict=True)
    ]


def _for_chosen(e: EvalScores, d: DifferenceResult, rivals: np.ndarray) -> DifferenceResult:
    """A comparison with a best model that the data chose: adjusted p and interval allow for every
    rival of the other model that could have been chosen.

    Of a given model, the comparisons with all its rivals hold together (Bonferroni), so the one
    with the chosen best holds, whichever that is. The two are each other's dual.
    """
    a, b = e.models.index(d.model), e.models.index(d.baseline)
    r = int(rivals[a])
    if math.isnan(d.p_value):
        return replace(d, p_adjusted=math.nan, ci_comparisons=r)
    single = bool(e.binary and e.epochs[:, [a, b]].max() <= 1)
    joint = stats.all_pairs(
        e.means[:, [a, b]],
        e.clusters,
        binary=single,
        share=is_share(e.low, e.high),
        level=1.0 - (1.0 - d.level) / r,
    )
    return replace(
        d,
        ci_low=float(joint.low[0]),
        ci_high=float(joint.high[0]),
        p_adjusted=min(1.0, r * d.p_value),
        ci_comparisons=r,
    )


def found_better(
    models: Sequence[str], shown: Sequence[DifferenceResult | OverallResult], lower: bool
) -> np.ndarray:
    """[i, j]: some printed adjusted p puts model j behind model i."""
    place = {model: k for k, model in enumerate(models)}
    found = np.zeros((len(models), len(models)), dtype=bool)
    for d in shown:
        if d.p_adjusted < 1.0 - d.level:
            first, second = place[d.model], place[d.baseline]
            if (d.difference < 0.0) != lower:
                first, second = second, first
            found[first, second] = True
    return found


def ahead_of(
    models: Sequence[str], pairs: Iterable[DifferenceResult | OverallResult], lower: bool
) -> np.ndarray:
    """stats.ahead, of the records of some pairs of these models."""
    place = {model: k for k, model in enumerate(models)}
    p = np.full((len(models), len(models)), math.nan)
    for d in pairs:
        i, j = place[d.model], place[d.baseline]
        gain, half = -d.difference if lower else d.difference, d.p_value / 2.0
        p[i, j] = half if gain > 0.0 else 1.0 - half
        p[j, i] = half if gain < 0.0 else 1.0 - half
    return p


def better_one_sided(r: EvalResult) -> dict[str, set[str]]:
    """Of each model those that the one-sided tests of the set for the best find better."""
    values = np.array([m.mean for m in r.means])
    p = ahead_of(r.models, r.pairs, r.lower)
    better = stats.best_set(values, p, r.level, lower=r.lower).better
    return {
        model: {other for i, other in enumerate(r.models) if better[i, j]}
        for j, model in enumerate(r.models)
    }


def _ranks(
    e: EvalScores, pairs: stats.Pairs, b: stats.BestSet, level: float
) -> tuple[RankResult, ...]:
    """Rank and rank set of every model; none for one model alone. The rank is that on common
    questions.
    """
    m = len(e.models)
    if m < 2:
        return ()
    difference = np.zeros((m, m))
    sign = -1.0 if e.lower else 1.0
    difference[pairs.first, pairs.second] = sign * pairs.difference
    difference[pairs.second, pairs.first] = -sign * pairs.difference
    scored = (e.epochs > 0).any(axis=0)
    tie = stats.TIE * np.nanmax(np.abs(e.means), initial=0.0)
    better = (difference < -tie).sum(axis=1)
    known = ~np.isnan(difference[:, scored]).any(axis=1) & scored & (scored.sum() > 1)
    rank = np.where(known, 1.0 + better, math.nan)
    low, high = (np.where(scored.sum() > 1, x, math.nan) for x in (b.low, b.high))
    method = "bonferroni" if scored.sum() > 1 else "none"
    return tuple(
        RankResult(model, float(r), float(lo), float(hi), level, method)
        for model, r, lo, hi in zip(e.models, rank, low, high, strict=True)
    )
