"""Paired differences by other methods than the report's, for comparison with work that has them."""

import math
from dataclasses import dataclass

import numpy as np

from reportkit import stats
from reportkit.analysis.chances import grouped, pair_counts
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import OtherMethodsResult
from reportkit.results import DifferenceResult
from reportkit.scores.select import EvalScores, is_share
from reportkit.stats.digits import differences

RANKED = 500  # questions that may differ where Wilcoxon's p is counted: a hundredth of a second


@dataclass(frozen=True, slots=True)
class _Counted:
    """What the counts of two models' right answers say; nan where they do not apply."""

    p_exact: float = math.nan
    p_mid: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class _Available:
    """The difference of all answers of two models; nan where no answer is missing."""

    value: float = math.nan
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p_value: float = math.nan


def other_methods(q: Request) -> tuple[OtherMethodsResult, ...]:
    """Of every pair of models; with a named baseline, of each model with it.

    Two models without a common question have no paired difference, and are left out.
    """
    r = q.result
    listed = [d for d in (r.differences if r.baseline else r.pairs) if d.n_questions]
    if len(r.models) < 2:
        raise Refused("There is one model, so there is nothing to compare.")
    if not listed:
        raise Refused("No two models have a question in common, so there is nothing to compare.")
    adjusted = stats.benjamini_hochberg(np.array([d.p_value for d in listed]))
    return tuple(_of_pair(q, d, float(p)) for d, p in zip(listed, adjusted, strict=True))


def _of_pair(q: Request, d: DifferenceResult, p_bh: float) -> OtherMethodsResult:
    e, level = q.scores, q.decisions.level
    a, b = e.models.index(d.model), e.models.index(d.baseline)
    counted, available = _counted(e, a, b, level), _available(e, a, b, level)
    w_plus, p_signed_ranks = _signed_ranks(e, a, b)
    return OtherMethodsResult(
        model=d.model,
        baseline=d.baseline,
        difference=d.difference,
        se=d.se,
        ci_low=d.ci_low,
        ci_high=d.ci_high,
        level=level,
        method=d.method,
        p_value=d.p_value,
        p_bh=p_bh,
        p_exact=counted.p_exact,
        p_mid=counted.p_mid,
        newcombe_low=counted.low,
        newcombe_high=counted.high,
        correlation=d.correlation,
        correlation_clusters=_correlation(e, a, b),
        available=available.value,
        available_se=available.se,
        available_low=available.low,
        available_high=available.high,
        available_p=available.p_value,
        n_questions=d.n_questions,
        n_model=d.n_questions + d.n_only_model,
        n_baseline=d.n_questions + d.n_only_baseline,
        n_clusters=d.n_clusters,
        w_plus=w_plus,
        p_signed_ranks=p_signed_ranks,
    )


def _counted(e: EvalScores, a: int, b: int, level: float) -> _Counted:
    """McNemar's exact p-values and Newcombe's interval, of one 0/1 answer each without clusters."""
    if not e.binary or grouped(e, a) or grouped(e, b):
        return _Counted()
    both, only_a, only_b, neither = pair_counts(e, a, b)
    exact, mid = (
        stats.mcnemar_p_value(only_a, only_b, method=method) for method in ("exact", "mid-p")
    )
    interval = stats.newcombe_paired_interval(both, only_a, only_b, neither, level)
    return _Counted(exact, mid, interval.low, interval.high)


def _signed_ranks(e: EvalScores, a: int, b: int) -> tuple[float, float]:
    """Wilcoxon's W+ and exact p of the questions' differences; nan with clusters, of one 0/1 answer
    each (McNemar's exact p is the same), and of more than RANKED questions that differ.
    """
    both = e.both(a, b)
    of = differences(e.means[both, a], e.means[both, b])
    single = e.binary and not (grouped(e, a) or grouped(e, b))
    if e.clusters is not None or single or np.count_nonzero(of) > RANKED:
        return math.nan, math.nan
    return stats.signed_ranks(of).positive, stats.wilcoxon_p_value(of)


def _correlation(e: EvalScores, a: int, b: int) -> float:
    """The correlation that joins the clustered SEs of two models; nan without clusters."""
    if e.clusters is None:
        return math.nan
    both = e.both(a, b)
    return stats.cluster_correlation(e.means[both, a], e.means[both, b], e.clusters[both])


def _available(e: EvalScores, a: int, b: int, level: float) -> _Available:
    """All answers of both models, where one of them lacks some of the other's questions."""
    has_a, has_b = e.epochs[:, a] > 0, e.epochs[:, b] > 0
    if (has_a == has_b).all():
        return _Available()
    share = is_share(e.low, e.high)
    found = stats.available_difference(
        e.means[:, a], e.means[:, b], e.clusters, share=share, level=level
    )
    of, i = found.estimate, found.interval
    return _Available(of.value, of.se, i.low, i.high, found.p_value)
