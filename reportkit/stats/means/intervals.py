"""Which interval a mean gets: Wilson's for counts of right answers, Student's t where there is
evidence enough, and Wilson's on an effective number of answers where there is not.
"""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.stats.clusters import cluster_means
from reportkit.stats.digits import floats
from reportkit.stats.evidence import (
    LEAST_UNITS,
    dense,
    most_answers,
    rarer_outcome,
    sparse_df,
)
from reportkit.stats.intervals import Interval, no_interval, t_quantile, z_quantile
from reportkit.stats.kinds import check_answers, kind_of
from reportkit.stats.means.mean import mean_estimate
from reportkit.stats.means.proportions import counted_interval, wilson_ends


@dataclass(frozen=True, slots=True)
class MeanArrays:
    """Many means, or one: arrays of one shape; what they have in common may be a number."""

    value: np.ndarray
    se: np.ndarray
    df: np.ndarray | float
    n: np.ndarray | int  # questions
    clusters: np.ndarray | int  # of them; as many as questions where there are none
    informative: np.ndarray  # effective number of clusters that show the rarer outcome


def effective_share_ends(
    of: MeanArrays, most: np.ndarray | float, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Modified Wilson ends on the effective number of answers, for means of scores between 0 and 1.

    n* = [p(1-p)/SE^2] (z/t)^2, at most `most`; the number of clusters where the SE is 0 (Korn &
    Graubard 1998; the (z/t)^2 lets Wilson's interval, which uses z, carry the degrees of freedom of
    the SE: Dean & Pagano 2015). t has sparse_df.

    >>> # z^2/(50+z^2)
    >>> one, none = np.ones(1), np.zeros(1)
    >>> low, high = effective_share_ends(MeanArrays(one, none, 49.0, 500, 50, none), 500)
    >>> round(1 - low.item(), 4), high.item()
    (0.0713, 1.0)
    """
    p, se = np.clip(of.value, 0.0, 1.0), of.se
    t = t_quantile(level, sparse_df(of.df, of.informative, of.clusters))
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.where(
            (se > 0.0) & (p > 0.0) & (p < 1.0),
            np.minimum(most, p * (1.0 - p) / se**2 * (z_quantile(level) / t) ** 2),
            of.clusters,
        )
    # Beyond, as of a share of 1e-320, n p (1 - p) is no number.
    return wilson_ends(p, np.minimum(n, 1e300), level, modified=True)


def mean_ends(
    of: MeanArrays, *, answers: int = 0, share: bool, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ends and methods of the default interval of many means; the rule itself, see mean_interval.

    answers: of binary scores, how many stand behind the mean; 0 says that the scores are not
    binary.

    >>> means = MeanArrays(np.array([0.5]), np.array([0.1]), 9.0, 10, 10, np.array([5.5]))
    >>> low, high, method = mean_ends(means, share=True)
    >>> low.round(4).item(), high.round(4).item(), method.item()   # t_9 = 2.2622
    (0.2738, 0.7262, 't')
    """
    value, se = of.value, of.se
    with np.errstate(invalid="ignore"):
        half = t_quantile(level, of.df) * se
        score = np.zeros(value.shape, dtype=bool)
        if answers or share:
            flat = (se == 0.0) & ((answers > 0) | (value <= 0.0) | (value >= 1.0))
            sparse = (answers > 0) | ~dense(of.informative, of.clusters, of.n)
            score = flat | ((se > 0.0) & sparse)
        t = (se > 0.0) & ~score
    if not answers:
        enough = np.asarray(of.clusters) >= LEAST_UNITS
        t, score = t & enough, score & enough
    low, high = np.where(t, value - half, np.nan), np.where(t, value + half, np.nan)
    if answers or share:
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    if score.any():
        most = most_answers(of.informative, of.clusters)
        if answers:
            most = np.minimum(most, float(answers))
        ends = effective_share_ends(of, most, level)
        low, high = np.where(score, ends[0], low), np.where(score, ends[1], high)
    return low, high, np.where(t, "t", np.where(score, "wilson-effective", "none"))


def mean_interval(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool | None = None,
    share: bool | None = None,
    n_answers: int | None = None,
    level: float = 0.95,
) -> Interval:
    """The default interval of a mean score; chosen by simulated coverage (benchmarks/coverage.py).

    scores: shape (n,), question means; clusters: shape (n,) labels or None, as in mean_estimate.
    binary: every answer is 0 or 1. share: scores lie between 0 and 1. n_answers: answers behind the
    mean (default: one for each question). Where neither binary nor share is said, it is seen in the
    scores, as in a report; scores that are all 0 or 100 are right and wrong answers in percent. Of
    means of several answers only the caller knows whether the answers were 0 or 1: say binary.

    Binary, one answer for each question, no clusters (or each question its own):
    counted_interval. Binary otherwise: effective_share_ends ("wilson-effective"). Shares
    that are not binary: t if dense (half of the questions, or 25, show the rarer outcome), else
    effective_share_ends. n* is at most what few clusters can say (evidence.most_answers). Anything
    else: t. Of shares no interval goes beyond 0 and 1. With an SE of 0, binary scores, and a
    constant 0 or 1 among shares, get Wilson's interval on the number of clusters; others have no
    interval. Fewer than two clusters or questions: none; fewer than four, only binary scores have
    one.

    >>> i = mean_interval(np.ones(15))
    >>> round(i.low, 3), i.high
    (0.796, 1.0)
    >>> i = mean_interval(np.array([2.0, 4.0, 0.0, 4.0]))   # 2.5 +- 3.182 * 0.9574
    >>> round(i.low, 3), round(i.high, 3)
    (-0.547, 5.547)
    """
    s = floats(scores)
    kind = kind_of(binary, share, s)
    if kind.factor != 1.0:
        s, said = s / kind.factor, {"binary": kind.binary, "share": kind.share}
        i = mean_interval(s, clusters, **said, n_answers=n_answers, level=level)
        return Interval(kind.factor * i.low, kind.factor * i.high, level, i.method)
    binary, share = kind.binary, kind.share
    estimate = mean_estimate(s, clusters)
    if math.isnan(estimate.se):
        return no_interval(level)
    n = len(s)
    answers = n if n_answers is None else n_answers
    if binary and estimate.n_clusters == n == answers:
        check_answers(s)
        return counted_interval(round(min(max(estimate.value, 0.0), 1.0) * n), n, level)
    of = MeanArrays(
        np.array(estimate.value),
        np.array(estimate.se),
        estimate.df,
        n,
        estimate.n_clusters,
        rarer_outcome(cluster_means(s, clusters)),
    )
    low, high, method = mean_ends(of, answers=answers if binary else 0, share=share, level=level)
    return Interval(float(low), float(high), level, str(method))
