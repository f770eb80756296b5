"""Next-token probabilities beside sampled answers to the same questions."""

import math

import numpy as np

from reportkit import stats
from reportkit.analysis.means import components_of
from reportkit.analysis.requested.common import of_questions
from reportkit.analysis.requested.request import Refused, Request
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.requested import ScoresComparedResult
from reportkit.scores.select import EvalScores, is_share
from reportkit.text.numbers import bare

PROBABILITY = "p_correct"  # what every reader calls the probability of the right answer


def scores_compared(q: Request) -> tuple[ScoresComparedResult, ...]:
    """Of each model with both, on the questions that have both (Miller 2024, section 3.2)."""
    sampled, probability = _both(q)
    models = [m for m in sampled.models if m in probability.models]
    found = [_of_model(q, sampled, probability, model) for model in models]
    rows = tuple(r for r in found if r is not None)
    if not rows:
        raise Refused(
            "No scores are compared, since no model has sampled answers and probabilities of the "
            "right answers to the same question."
        )
    return rows


def _both(q: Request) -> tuple[EvalScores, EvalScores]:
    """The sampled scores and the probabilities."""
    sampled = q.scores
    if sampled.metric == PROBABILITY:
        sampled = q.of_metric("")  # the headline metric
    if sampled.metric == PROBABILITY:
        raise Refused(
            f"No scores are compared, since the eval has no metric of sampled answers beside "
            f"{PROBABILITY}."
        )
    try:
        probability = q.of_metric(PROBABILITY)
    except UnknownNameError:
        raise Refused(
            "No scores are compared, since there are no probabilities of the right answers (metric "
            f"{PROBABILITY})."
        ) from None
    except ScoresError as why:
        raise Refused(f"No scores are compared by {PROBABILITY}: {why}.") from None
    if sampled.lower:
        raise Refused(
            f"No scores are compared, since lower scores of {sampled.metric} are better, and a "
            "higher probability of the right answer is."
        )
    for e in (sampled, probability):
        if not is_share(e.low, e.high):
            raise Refused(
                f"No scores are compared, since both must lie between 0 and 1, and {e.metric} runs "
                f"from {bare(e.unit.value(e.low))} to {bare(e.unit.value(e.high))}."
            )
    return sampled, probability


def _of_model(
    q: Request, sampled: EvalScores, probability: EvalScores, model: str
) -> ScoresComparedResult | None:
    """None where the model has no question with both."""
    common = np.intersect1d(sampled.questions, probability.questions)
    s, p = (of_questions(e, np.isin(e.questions, common)) for e in (sampled, probability))
    a, b = s.models.index(model), p.models.index(model)
    both = (s.epochs[:, a] > 0) & (p.epochs[:, b] > 0)
    if not both.any():
        return None
    s, p = of_questions(s, both), of_questions(p, both)
    level = q.decisions.level
    found = stats.probability_comparison(p.means[:, b], s.means[:, a], s.clusters, level=level)
    difference = found.difference
    return ScoresComparedResult(
        model=model,
        sampled_metric=s.metric,
        probability=found.probability.value,
        probability_se=found.probability.se,
        sampled=found.sampled.value,
        sampled_se=found.sampled.se,
        reduction=found.reduction,
        predicted=_predicted(s, a),
        difference=difference.estimate.value,
        se=difference.estimate.se,
        ci_low=difference.interval.low,
        ci_high=difference.interval.high,
        level=level,
        method=difference.interval.method,
        p_value=difference.p_value,
        n_questions=difference.estimate.n_questions,
        n_clusters=difference.estimate.n_clusters,
    )


def _predicted(e: EvalScores, column: int) -> float:
    """The reduction that repeated answers predict: unlimited answers against those there are.

    With r(K) of stats.resampling_reduction, 1 - V(inf) / V(K) = 1 - (1 - r(inf)) / (1 - r(K)).
    Clusters add a covariance that no answer takes off, so of clustered SEs there is none.
    """
    parts = components_of(e, column)
    if e.clusters is not None or math.isnan(parts.within):
        return math.nan
    limit, here = (
        stats.resampling_reduction(parts.between, parts.within, k) for k in (math.inf, parts.epochs)
    )
    return 1.0 - (1.0 - limit) / (1.0 - here)
