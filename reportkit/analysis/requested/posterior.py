"""Posteriors of shares of right answers, and the probability that one model is better."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reportkit import stats
from reportkit.analysis.chances import grouped, pair_counts
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import PosteriorResult
from reportkit.scores.select import EvalScores

PRIORS = {"uniform": (1.0, 1.0), "jeffreys": (0.5, 0.5)}
NO_PAIR = "clusters or several answers make the questions of a pair dependent"


def posterior(q: Request) -> tuple[PosteriorResult, ...]:
    """Of each model with scores, then of each comparison of the report.

    One answer for each question and no clusters: Beta-Binomial, and for two models the bivariate
    normal model of their common questions, or independent Betas where they have none. Clusters, or
    several answers: the hierarchical model, whose mean is over clusters; of two models none is
    offered.
    """
    e = q.scores
    if not e.binary:
        raise Refused(
            "No posterior is made, since it takes answers that are right or wrong, and these "
            "scores have more than two values."
        )
    columns = e.scored
    try:
        of_models = [_of_model(q, column) for column in columns]
        return (*of_models, *_of_pairs(q))
    except ArithmeticError:  # the integrals did not settle so far out in the tails
        raise Refused(
            f"No posterior is made at level {q.decisions.level:.12g}, since its ends lie too far "
            "out to be computed; take a level of 0.99999 or less."
        ) from None


def _of_model(q: Request, column: int) -> PosteriorResult:
    e, level = q.scores, q.decisions.level
    here = e.epochs[:, column] > 0
    answers = e.epochs[here, column]
    right = np.rint(e.means[here, column] * answers)
    n = int(here.sum())
    if not grouped(e, column):
        a, b = PRIORS[q.decisions.prior]
        s = int(right.sum())
        interval = stats.beta_binomial_interval(s, n, level, prior=(a, b))
        mean, icc, n_clusters = (a + s) / (a + b + n), math.nan, n
    else:
        codes = np.arange(n)
        if e.clusters is not None:
            codes = np.unique(e.clusters[here], return_inverse=True)[1]
        sizes = np.bincount(codes, weights=answers)
        found = stats.clustered_posterior(np.bincount(codes, weights=right), sizes, level)
        interval, mean, icc, n_clusters = found.interval, found.mean, found.icc, len(sizes)
    return PosteriorResult(
        model=e.models[column],
        baseline="",
        mean=mean,
        ci_low=interval.low,
        ci_high=interval.high,
        level=level,
        p_greater=math.nan,
        icc=icc,
        method=interval.method,
        n_questions=n,
        n_clusters=n_clusters,
        reason="",
    )


def _of_pairs(q: Request) -> Iterator[PosteriorResult]:
    e = q.scores
    for d in q.result.differences:
        a, b = e.models.index(d.model), e.models.index(d.baseline)
        if e.epochs[:, a].any() and e.epochs[:, b].any():
            # The same number as in the table of differences, to the last digit.
            known = not math.isnan(d.p_greater)
            found = _of_pair(q, a, b)
            yield replace(found, p_greater=d.p_greater) if known else found


def _of_pair(q: Request, a: int, b: int) -> PosteriorResult:
    e, level = q.scores, q.decisions.level
    both = e.both(a, b)
    n = n_clusters = int(both.sum())
    mean = low = high = p_greater = math.nan
    method, reason = "none", ""
    if grouped(e, a) or grouped(e, b):
        reason = NO_PAIR
        if e.clusters is not None:
            n_clusters = len(np.unique(e.clusters[both]))
    else:
        found = _of_two(e, a, b, level)
        mean, p_greater = found.mean, found.p_greater
        low, high, method = found.difference.low, found.difference.high, found.difference.method
    return PosteriorResult(
        model=e.models[a],
        baseline=e.models[b],
        mean=mean,
        ci_low=low,
        ci_high=high,
        level=level,
        p_greater=p_greater,
        icc=math.nan,
        method=method,
        n_questions=n,
        n_clusters=n_clusters,
        reason=reason,
    )


def _of_two(
    e: EvalScores, a: int, b: int, level: float
) -> stats.PairedPosterior | stats.UnpairedPosterior:
    """On their common questions; where two models have none, on those of each."""
    counts = pair_counts(e, a, b)
    if sum(counts):
        return stats.paired_posterior(*counts, level=level)
    (right_a, n_a), (right_b, n_b) = (
        (int(np.nansum(e.means[:, column])), int((e.epochs[:, column] > 0).sum()))
        for column in (a, b)
    )
    return stats.unpaired_posterior(right_a, n_a, right_b, n_b, level)
