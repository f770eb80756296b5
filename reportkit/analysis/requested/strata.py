"""Means over strata that are all there is, and means of questions that weigh differently."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportkit import stats
from reportkit.analysis.requested.request import Refused, Request
from reportkit.errors import ScoresError
from reportkit.requested import StratumResult
from reportkit.scores.select import EvalScores, is_share
from reportkit.stats.evidence import effective_number
from reportkit.stats.means.intervals import MeanArrays, mean_ends
from reportkit.text.numbers import counted


@dataclass(frozen=True, slots=True)
class _Design:
    """What is declared of the questions; arrays of shape (n,)."""

    weights: np.ndarray  # sum to 1 over the questions of the eval
    strata: np.ndarray | None  # labels
    even: bool  # the questions of a stratum, or all where there are none, weigh the same


def strata(q: Request) -> tuple[StratumResult, ...]:
    """Of each model with a score, its mean over all questions, then over each stratum.

    A stratum weighs what its questions weigh together, the same for every model: their share of
    the questions, or of the declared weights. Within a stratum the mean is over the questions that
    the model answered; without a score in one stratum a model has no mean over all. Without strata,
    stats.weighted_mean.
    """
    design = _design(q)
    columns = q.scores.scored
    found = [_overall(q, column, design) for column in columns]
    for column in columns if design.strata is not None else ():
        found += _of_strata(q, column, design)
    order = sorted({r.stratum for r in found})
    return tuple(r for name in order for r in found if r.stratum == name)


def _design(q: Request) -> _Design:
    e, d = q.scores, q.decisions
    if not (d.strata or d.weights):
        raise Refused(
            "No strata and no weights are declared; name their field, such as --strata subject or "
            "--weights importance."
        )
    labels = q.field(d.strata, "stratum").astype(str) if d.strata else None
    weights = _weights(q) if d.weights else np.ones(len(e.questions))
    if labels is not None and e.clusters is not None:
        pairs = np.unique(np.stack([e.clusters, np.unique(labels, return_inverse=True)[1]]), axis=1)
        if pairs.shape[1] > len(np.unique(e.clusters)):
            raise Refused(
                "No mean over strata is made, since a cluster has questions in two strata; name "
                "strata that keep clusters whole."
            )
    parts = [np.ones(len(weights), dtype=bool)]
    if labels is not None:
        parts = [labels == name for name in np.unique(labels)]
    even = all(np.ptp(weights[part]) == 0.0 for part in parts)
    return _Design(weights / weights.sum(), labels, even)


def _weights(q: Request) -> np.ndarray:
    """The declared weights; ScoresError where one is no weight."""
    e, name = q.scores, q.decisions.weights
    texts = q.field(name, "weight")
    numbers = np.array([_number(text) for text in texts])
    bad = np.flatnonzero(~(np.isfinite(numbers) & (numbers >= 0.0)))
    if len(bad):
        lacking = counted(len(bad), "question")
        raise ScoresError(
            f"eval {e.eval!r}: no weight of 0 or more in {name!r}: {lacking}, "
            f"the first {e.questions[bad[0]]!r} with {str(texts[bad[0]])!r}; give each a number"
        )
    most = float(numbers.max())
    if not most > 0.0:
        raise ScoresError(f"eval {e.eval!r}: all weights in {name!r} are 0; give one above 0")
    return numbers / most  # whose sum is a number, however large they are


def _number(text: object) -> float:
    try:
        return float(str(text))
    except ValueError:
        return math.nan


def _overall(q: Request, column: int, design: _Design) -> StratumResult:
    e = q.scores
    here = e.epochs[:, column] > 0
    if design.strata is None:
        return _row(q, column, here, design, ("", 1.0))
    names = np.unique(design.strata)
    share = {name: float(design.weights[design.strata == name].sum()) for name in names}
    needed = [name for name in names if share[name] > 0.0]
    nothing = [name for name in needed if not here[design.strata == name].any()]
    if nothing:
        nan = math.nan
        estimate = stats.Estimate(nan, nan, nan, int(here.sum()), _clusters_in(e, here))
        return _result(q, column, estimate, ("", 1.0), stats.Interval(nan, nan, nan, "none"))
    scores, labels = e.means[here, column], design.strata[here]
    clusters = None if e.clusters is None else e.clusters[here]
    if design.even:
        weights = {name: share[name] for name in np.unique(labels)}
        estimate = stats.stratified_mean(scores, labels, weights, clusters)
    else:
        parts = [_estimate(e, column, here & (design.strata == h), design) for h in needed]
        estimate = stats.macro_average(parts, [share[h] for h in needed])
    # Each question's part of the mean: its stratum's, divided among those that were answered.
    parts_of = np.zeros(len(here))
    for name in needed:
        inside = here & (design.strata == name)
        parts_of[inside] = design.weights[inside] / design.weights[inside].sum() * share[name]
    interval = _interval(q, column, estimate, parts_of)
    return _result(q, column, estimate, ("", 1.0), interval)


def _of_strata(q: Request, column: int, design: _Design) -> Iterator[StratumResult]:
    assert design.strata is not None
    for name in np.unique(design.strata):
        inside = design.strata == name
        weight = float(design.weights[inside].sum())
        yield _row(q, column, inside & (q.scores.epochs[:, column] > 0), design, (name, weight))


def _row(
    q: Request, column: int, here: np.ndarray, design: _Design, of: tuple[str, float]
) -> StratumResult:
    """The weighted mean of some questions; of: the stratum and its weight."""
    e = q.scores
    if not (here.any() and design.weights[here].sum() > 0.0):
        nan = math.nan
        nothing = stats.Estimate(nan, nan, nan, int(here.sum()), _clusters_in(e, here))
        return _result(q, column, nothing, of, stats.Interval(nan, nan, nan, "none"))
    estimate = _estimate(e, column, here, design)
    if not design.even:
        interval = _interval(q, column, estimate, np.where(here, design.weights, 0.0))
    else:
        interval = stats.mean_interval(
            e.means[here, column],
            None if e.clusters is None else e.clusters[here],
            binary=e.binary,
            share=is_share(e.low, e.high),
            n_answers=int(e.epochs[here, column].sum()),
            level=q.decisions.level,
        )
    return _result(q, column, estimate, of, interval)


def _estimate(e: EvalScores, column: int, here: np.ndarray, design: _Design) -> stats.Estimate:
    scores = e.means[here, column]
    clusters = None if e.clusters is None else e.clusters[here]
    if design.even:
        return stats.mean_estimate(scores, clusters)
    return stats.weighted_mean(scores, design.weights[here], clusters)


def _interval(
    q: Request, column: int, estimate: stats.Estimate, weights: np.ndarray
) -> stats.Interval:
    """The interval of a weighted mean by the rule for shares and other scores (mean_ends): t, or
    where few questions show the rarer outcome, Wilson's on an effective number of answers. Clusters
    count as so many of equal weight as theirs are worth (Kish 1965).
    """
    e, level = q.scores, q.decisions.level
    if math.isnan(estimate.se):
        return stats.Interval(math.nan, math.nan, level, "none")
    used = weights > 0.0
    scores, w = e.means[used, column], weights[used]
    codes = np.arange(len(w))
    if e.clusters is not None:
        codes = np.unique(e.clusters[used], return_inverse=True)[1]
    right = effective_number(np.bincount(codes, weights=w * scores))
    wrong = effective_number(np.bincount(codes, weights=w * (1.0 - scores)))
    clusters = effective_number(np.bincount(codes, weights=w))
    n = effective_number(w) if len(np.unique(codes)) == len(w) else np.array(float(len(w)))
    of = MeanArrays(
        np.array(estimate.value),
        np.array(estimate.se),
        estimate.df,
        n,
        clusters,
        np.minimum(right, wrong),
    )
    low, high, method = mean_ends(of, share=is_share(e.low, e.high), level=level)
    return stats.Interval(float(low), float(high), level, str(method))


def _clusters_in(e: EvalScores, here: np.ndarray) -> int:
    return int(here.sum()) if e.clusters is None else len(np.unique(e.clusters[here]))


def _result(
    q: Request,
    column: int,
    estimate: stats.Estimate,
    of: tuple[str, float],
    interval: stats.Interval,
) -> StratumResult:
    return StratumResult(
        model=q.scores.models[column],
        stratum=of[0],
        weight=of[1],
        mean=estimate.value,
        se=estimate.se,
        df=estimate.df,
        ci_low=interval.low,
        ci_high=interval.high,
        level=q.decisions.level,
        method=interval.method,
        n_questions=estimate.n_questions,
        n_clusters=estimate.n_clusters,
    )
