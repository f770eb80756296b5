"""Several evals -> what is said of them together: every difference in one family, the mean of each
model's differences over evals, averages, ranks.
"""

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit import stats
from reportkit.analysis.best import EVERY_PAIR, ahead_of, found_better
from reportkit.analysis.macro import OWN, averaged, kind_of
from reportkit.analysis.order import ranked
from reportkit.analysis.same_questions import INDEPENDENT, Together, grouped, same_questions
from reportkit.analysis.shared import n_distinct, shared
from reportkit.analysis.suite_overall import Comparison, ends_of, mean_difference, pair_of, pairs_of
from reportkit.errors import ScoresError
from reportkit.results import DifferenceResult, EvalResult, RankResult, SuiteResult
from reportkit.suites import MacroResult, OverallResult, SuiteDifference


def suite_of(
    results: Sequence[EvalResult],
    *,
    models: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    left_out: Mapping[str, str] | None = None,
) -> SuiteResult:
    """What several evals say together.

    models: their order; others come after them as they first appear. Without it the models, where
    they are more than four, stand in the order of their averages, those without one by their mean
    difference from the best. weights: of evals by name, relative; None: all weigh the same.
    left_out: evals of the suite that have no numbers, with the reason. With a baseline every other
    model is compared with it; without one every pair of up to four models, and of more the best
    average with each other model, over all evals alone.

    The family: all comparisons of all evals, adjusted by Holm. Overall: for each comparison the
    weighted mean of its differences over the evals that both models have; these are taken as
    independent, so SE = sqrt(sum w^2 SE^2), with Welch-Satterthwaite degrees of freedom and
    Student's t; of evals that `same_questions` finds, the correlations of the errors count.
    Where every question has the same difference, so that the SE is 0, the eval's own
    interval says how far the difference is known: its larger half over the quantile of t. It is
    undefined where an eval has neither.

    Only evals of one kind (range of scores, which scores are better) are averaged: the most
    frequent kind. Of evals that share questions, such as a group and its subtasks, only those count
    that `shared` leaves, in averages and in comparisons of single evals. ScoresError without an
    eval, at different levels, or with several baselines.
    """
    evals = by_category(results)
    _check(evals)
    names = list(dict.fromkeys(m for r in evals for m in r.models))
    names = [
        *(m for m in dict.fromkeys(models) if m in names),
        *(m for m in names if m not in models),
    ]
    baseline = next((r.baseline for r in evals if r.baseline), "")
    found = _Together(evals, tuple(names), baseline, _weights(evals, weights))
    inside, apart = found.pooled()
    twice = shared(inside)
    pooled = [r for r in inside if r.eval not in twice]
    apart |= {name: s.reason for name, s in twice.items()}
    same = same_questions([r for r in evals if r.eval not in twice])
    found = replace(found, same=grouped(pooled, same))
    averages = found.averages(pooled)
    if not models and len(names) > EVERY_PAIR and pooled:
        averages = found.best_first(averages, pooled)
        names = [a.model for a in averages]
        found = replace(found, models=tuple(names))
    every = found.overall(pooled, itertools.combinations(names, 2))
    leader = "" if baseline or len(names) <= EVERY_PAIR else _leader(averages, pooled)
    overall = _shown(found, pooled, every, leader)
    ranks = found.ranks(pooled, averages, every, overall)
    return SuiteResult(
        evals=tuple(evals),
        models=tuple(names),
        baseline=baseline,
        differences=found.differences(twice),
        overall=overall,
        averages=averages,
        ranks=ranks,
        weights={r.eval: found.weights[r.eval] for r in pooled},
        apart=apart,
        leader=leader,
        left_out=dict(left_out or {}),
        shared=twice,
        same_questions=same,
        n_questions=n_distinct(evals) - grouped(evals, same).repeated(),
    )


def by_category(results: Sequence[EvalResult]) -> list[EvalResult]:
    """Evals of one category together, in the order in which the categories first appear; of one
    name, with the metric.
    """
    order = list(dict.fromkeys(r.category for r in results))
    names = [r.eval for r in results]
    apart = []
    for r in results:
        if names.count(r.eval) > 1:
            r = replace(r, eval=f"{r.eval} ({r.metric})")
        apart.append(r)
    return sorted(apart, key=lambda r: (not r.category, order.index(r.category)))


def _check(evals: Sequence[EvalResult]) -> None:
    if not evals:
        raise ScoresError("a suite is of evals; give one or more")
    if len({r.level for r in evals}) > 1:
        raise ScoresError(
            "evals analysed at different levels make no suite; analyse all of them at one level"
        )
    baselines = list(dict.fromkeys(r.baseline for r in evals if r.baseline))
    if len(baselines) > 1:
        raise ScoresError(
            f"evals with the baselines {baselines[0]!r} and {baselines[1]!r} make no suite; "
            "name one baseline for all"
        )


def _weights(evals: Sequence[EvalResult], given: Mapping[str, float] | None) -> dict[str, float]:
    if given is None:
        return {r.eval: 1.0 for r in evals}
    weights = {r.eval: float(given.get(r.eval, 0.0)) for r in evals}
    if evals and not any(weights.values()):
        raise ScoresError(
            "weight is 0 for every eval, so that nothing is left to average; give one of them a "
            "weight above 0"
        )
    return weights


@dataclass(frozen=True, slots=True)
class _Together:
    """The evals, and how they count."""

    evals: Sequence[EvalResult]
    models: tuple[str, ...]
    baseline: str
    weights: Mapping[str, float]
    same: Together = INDEPENDENT

    def comparisons(self) -> list[Comparison]:
        """Those of single evals."""
        if self.baseline:
            return [(m, self.baseline) for m in self.models if m != self.baseline]
        if len(self.models) <= EVERY_PAIR:
            return list(itertools.combinations(self.models, 2))
        return []

    def pooled(self) -> tuple[list[EvalResult], dict[str, str]]:
        """The evals that are averaged, and of each other one why it is not."""
        counts = Counter(kind_of(r) for r in self.evals)
        kind = max(counts, key=lambda k: counts[k])  # of equally many, the first
        inside: list[EvalResult] = []
        apart = {}
        for r in self.evals:
            if kind_of(r) != kind:
                own = (a for a, b in zip(kind_of(r), kind, strict=True) if a != b)
                said = " and ".join(own).replace(f"{OWN} ({r.eval})", OWN)  # the eval is named
                apart[r.eval] = f"it has {said}"
            elif not self.weights[r.eval] > 0.0:
                apart[r.eval] = "its weight is 0"
            else:
                inside.append(r)
        return inside, apart

    def averages(self, pooled: Sequence[EvalResult]) -> tuple[MacroResult, ...]:
        if not pooled:
            return ()
        weights = [self.weights[r.eval] for r in pooled]
        return tuple(averaged(pooled, model, weights, self.same) for model in self.models)

    def best_first(
        self, averages: Sequence[MacroResult], pooled: Sequence[EvalResult]
    ) -> tuple[MacroResult, ...]:
        """The best average first. Models without one come after them, by their mean difference from
        the best average on the evals that both have; those without that come last, as they were.
        """
        sign = 1.0 if pooled[0].lower else -1.0
        leader = _leader(averages, pooled)
        without = [a.model for a in averages if a.mean != a.mean]
        behind = self.overall(pooled, [(m, leader) for m in without]) if leader else []
        gaps = {d.model: d.difference for d in behind}
        order = []
        for values in ([a.mean for a in averages], [gaps.get(m, math.nan) for m in self.models]):
            left = [i for i in range(len(values)) if i not in order and values[i] == values[i]]
            places = ranked([sign * values[i] for i in left], [0] * len(left),
                            [self.models[i] for i in left])  # fmt: skip
            order += [left[k] for k in places]
        order += [i for i in range(len(averages)) if i not in order]
        return tuple(averages[i] for i in order)

    def differences(self, twice: Collection[str]) -> tuple[SuiteDifference, ...]:
        """The comparisons of every eval but these, adjusted as one family."""
        evals = [r for r in self.evals if r.eval not in twice]
        found = [
            _of_eval(r, d)
            for r, pairs in zip(evals, map(pairs_of, evals), strict=True)
            for d in (pair_of(pairs, comparison) for comparison in self.comparisons())
            if d is not None and d.n_questions
        ]
        adjusted = stats.holm(np.array([d.p_value for d in found]))
        return tuple(replace(d, p_adjusted=float(p)) for d, p in zip(found, adjusted, strict=True))

    def overall(
        self, pooled: Sequence[EvalResult], comparisons: Iterable[Comparison]
    ) -> list[OverallResult]:
        """The mean differences of these comparisons, not adjusted yet."""
        level, width = self.evals[0].level, _width(pooled)
        pairs = [pairs_of(r) for r in pooled]
        found = []
        for comparison in comparisons:
            own = [
                (r.eval, pair_of(known, comparison)) for r, known in zip(pooled, pairs, strict=True)
            ]
            both = {name: d for name, d in own if d is not None and d.n_questions}
            mean = mean_difference(
                comparison, both, self.weights, len(pooled), level, width, self.same
            )
            found.append(mean)
        return found

    def ranks(
        self,
        pooled: Sequence[EvalResult],
        averages: Sequence[MacroResult],
        every: Sequence[OverallResult],
        shown: Sequence[OverallResult],
    ) -> tuple[RankResult, ...]:
        """Rank and rank set of each model that has an average, by the overall comparisons (see
        stats.best_set) and what the shown ones' adjusted p find; undefined for the others.
        """
        if len(self.models) < 2 or not pooled:
            return ()
        level, lower = self.evals[0].level, pooled[0].lower
        values = np.array([a.mean for a in averages])
        whole = ~np.isnan(values)
        both = np.outer(whole, whole)
        ahead = np.where(both, ahead_of(self.models, every, lower), math.nan)
        better = found_better(self.models, shown, lower) & both
        sets = stats.best_set(values, ahead, level, lower=lower, found=better)
        tie = stats.TIE * np.nanmax(np.abs(values), initial=0.0)
        signed = -values if lower else values
        higher = signed[None, :] - signed[:, None] > tie
        ranks = np.where(whole & (whole.sum() > 1), 1.0 + higher.sum(axis=1), math.nan)
        method = "bonferroni" if whole.sum() > 1 else "none"
        low, high = (np.where(whole.sum() > 1, x, math.nan) for x in (sets.low, sets.high))
        return tuple(
            RankResult(m, float(r), float(lo), float(hi), level, method)
            for m, r, lo, hi in zip(self.models, ranks, low, high, strict=True)
        )


def _width(pooled: Sequence[EvalResult]) -> float:
    """The most that two scores can differ by; evals that are averaged have one range."""
    if not (pooled and pooled[0].scale.bounded):
        return math.inf
    low, high = pooled[0].scale.ends
    return high - low


def _of_eval(r: EvalResult, d: DifferenceResult) -> SuiteDifference:
    return SuiteDifference(
        eval=r.eval,
        metric=r.metric,
        model=d.model,
        baseline=d.baseline,
        difference=d.difference,
        se=d.se,
        df=d.df,
        ci_low=d.ci_low,
        ci_high=d.ci_high,
        level=d.level,
        method=d.method,
        p_value=d.p_value,
        p_adjusted=math.nan,
        n_questions=d.n_questions,
        n_clusters=d.n_clusters,
    )


def _shown(
    found: _Together,
    pooled: Sequence[EvalResult],
    every: Sequence[OverallResult],
    leader: str,
) -> tuple[OverallResult, ...]:
    """The overall comparisons of the report, adjusted."""
    if leader:
        return _with_leader(found, pooled, leader)
    own = list(every)
    if found.baseline:
        own = found.overall(pooled, found.comparisons())
    adjusted = stats.holm(np.array([d.p_value for d in own]))
    return tuple(replace(d, p_adjusted=float(p)) for d, p in zip(own, adjusted, strict=True))


def _with_leader(
    found: _Together, pooled: Sequence[EvalResult], leader: str
) -> tuple[OverallResult, ...]:
    """Comparisons with the model that has the best average: the data chose it, so each allows for
    every model that could have been chosen (Bonferroni), in its interval too.
    """
    others = [m for m in found.models if m != leader]
    rivals = len(others)
    shown = []
    for d in found.overall(pooled, [(m, leader) for m in others]):
        e = stats.Estimate(d.difference, d.se, d.df, d.n_questions, 0)
        low, high = ends_of(e, 1.0 - (1.0 - d.level) / rivals, _width(pooled))
        p = min(1.0, rivals * d.p_value) if d.p_value == d.p_value else math.nan
        shown.append(replace(d, p_adjusted=p, ci_low=low, ci_high=high, ci_comparisons=rivals))
    return tuple(shown)


def _leader(averages: Sequence[MacroResult], pooled: Sequence[EvalResult]) -> str:
    """The best average; of equal ones the first name. Empty where no model has one."""
    known = [a for a in averages if a.mean == a.mean]
    if not known:
        return ""
    sign = 1.0 if pooled[0].lower else -1.0
    return min(known, key=lambda a: (sign * a.mean, a.model)).model
