"""The mean of each model, with its standard error, interval and variance components."""

import math
from typing import Any

from reportkit import stats
from reportkit.results import MeanResult
from reportkit.scores.select import EvalScores, is_share
from reportkit.stats.means.statistics import statistics_of


def components_of(e: EvalScores, column: int) -> stats.Components:
    here = e.epochs[:, column] > 0
    return stats.components(
        e.means[here, column], e.variances[here, column], e.epochs[here, column]
    )


def mean_result(e: EvalScores, column: int, parts: stats.Components, level: float) -> MeanResult:
    here = e.epochs[:, column] > 0
    counts: dict[str, Any] = {
        "n_questions": int(here.sum()),
        "n_answers": int(e.epochs[:, column].sum()),
        "n_unscored": int(e.n_unscored[column]),
        "n_errors": int(e.n_errors[column]),
    }
    if not here.any():  # every answer of this model is missing
        nan = math.nan
        return MeanResult(
            e.models[column],
            nan,
            nan,
            nan,
            nan,
            nan,
            level,
            "none",
            n_clusters=0,
            se_unclustered=nan,
            design_effect=nan,
            variance_between=nan,
            variance_within=nan,
            **counts,
        )
    scores = e.means[here, column]
    clusters = None if e.clusters is None else e.clusters[here]
    estimate = stats.mean_estimate(scores, clusters)
    plain = estimate if clusters is None else stats.mean_estimate(scores, se="clt")
    interval = stats.mean_interval(
        scores,
        clusters,
        binary=e.binary,
        share=is_share(e.low, e.high),
        n_answers=counts["n_answers"],
        level=level,
    )
    effect = (estimate.se / plain.se) ** 2 if plain.se > 0.0 else math.nan
    beside: dict[str, Any] = dict(statistics_of(scores, clusters))
    return MeanResult(
        model=e.models[column],
        mean=estimate.value,
        se=estimate.se,
        df=estimate.df,
        ci_low=interval.low,
        ci_high=interval.high,
        level=level,
        method=interval.method,
        n_clusters=estimate.n_clusters,
        se_unclustered=plain.se,
        design_effect=effect,
        variance_between=parts.between,
        variance_within=parts.within,
        **beside,
        **counts,
    )
