"""Power against another model's published mean: its questions are as many as they are, and however
many are asked of ours, its error stays.
"""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.intervals import z_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.mover import Side, mover_power
from reportkit.stats.planning.tails import beta_tails

# Of the variance of both models, the least that ours has: what a pilot shows of the two together
# and of the published one alone errs.
LEAST_OWN = 0.05
TINY = 1e-30  # of a mean at the end of the scale
LEAST_LEFT = 1e-6  # to an end, of a mean whose interval is counted out
# Questions or clusters of ours, in effect, and published clusters of right or wrong answers: with
# fewer, plans were found to have from 0.12 less power than is said to 0.09 more
# (benchmarks/planning.md). Of several right or wrong answers to each question, without clusters,
# fewer questions of ours do.
LEAST_OURS, LEAST_RIGHT_PUBLISHED = 40.0, 30.0
LEAST_SEVERAL = 25.0
NEAR_ONE = 1.0 - 1e-12  # the same at the other end; a Beta law has no tails at 1 itself


@dataclass(frozen=True, slots=True)
class Against(Record):
    """The test of so many questions of ours against a published mean, shape (P,)."""

    se: np.ndarray
    df: np.ndarray  # of Welch's t
    own_df: np.ndarray  # that the squared SE really has
    skew: np.ndarray  # of the difference of the means, towards the difference that is looked for
    # Degrees of freedom that a pilot knows this SE by, over those it knows V_A + V_B by: two
    # variances with as many each
    known: np.ndarray
    ours: Side
    theirs: Side


def against(
    d: PairDesigns,
    growth: np.ndarray,
    times: np.ndarray | float,
    share: np.ndarray,
    difference: np.ndarray,
) -> Against:
    """Of designs with a published mean, which has `fixed_n` questions, and n SE^2 = V_A + V_B, V_B
    in `fixed`.

    The published model keeps its mean, and ours moves away from it to where scores vary more: V_A
    has all of what (V_A + V_B) grows by, unless it is told as it is there (`moved`). With n
    questions of ours, SE^2 = V_A / n + V_B / n_B. times: n over the design's questions. share:
    Alternative's. Scores of a cluster are summed, and its mean has the tails of a Beta law.

    >>> from reportkit.stats.planning.expected import expected_design, expected_pair
    >>> from dataclasses import replace
    >>> d = replace(expected_design(expected_pair("binary", mean=0.7)),
    ...     fixed=np.array([0.21]), fixed_n=np.array([1000.0]), fixed_df=np.array([999.0]))
    >>> one = np.ones(1)
    >>> of = against(d, one, 400 / d.n, 0.7 * one, 0.0 * one)
    >>> round(of.se.item() ** 2, 9)   # .21 / 400 + .21 / 1000
    0.000735
    >>> round(of.df.item(), 1)        # .000735^2 / (.000525^2 / 399 + .00021^2 / 999)
    735.1
    """
    assert d.fixed is not None and d.fixed_n is not None and d.fixed_df is not None
    total = d.n * d.se**2
    # of a law the second model is ours, with its own answers; of an observed pair the growth is
    # that of models alike, of which one moves
    moved = np.full(len(d), math.nan) if d.moved is None else d.moved
    growth = np.where(np.isnan(moved), growth, 1.0)
    own = total * growth - d.fixed if d.law is not None else (total - d.fixed) * (2 * growth - 1)
    own = np.maximum(own, LEAST_OWN * total)
    ours, theirs = own / (d.n * times), d.fixed / d.fixed_n
    square = ours + theirs
    size, clusters = d.n / d.clusters, d.clusters * times
    away = _away(moved, own / size, share + difference)
    mean_ours = np.where(away, share + difference, share - difference)
    df = clusters - 1.0
    with np.errstate(invalid="ignore", divide="ignore"):
        third, errs = np.zeros(len(d)), np.zeros(len(d))
        for mean, each, count, free in (
            (share, d.fixed / size, d.fixed_n / size, d.fixed_df),
            (np.clip(mean_ours, TINY, NEAR_ONE), own / size, clusters, df),
        ):
            most = np.minimum(each, mean * (1.0 - mean))  # at an end of the scale all are alike
            tails = beta_tails(mean, most)
            skew, excess = most**1.5 * tails.skew, most**2 * np.maximum(tails.excess, -1.0)
            skew, excess = (np.where(d.bounded, t, 0.0) for t in (skew, excess))
            third = skew / count**2 - third  # of theirs less that of ours, but for the sign
            errs = errs + 2.0 * (each / count) ** 2 / free + excess / count**3
        tested = square**2 / (ours**2 / df + theirs**2 / d.fixed_df)
    third = np.where(away, -third, third)
    known = square**2 / (2.0 * (ours**2 + theirs**2))
    mean_ours = np.clip(mean_ours, LEAST_LEFT, 1.0 - LEAST_LEFT)
    # at an end of the scale all are alike
    alike = np.minimum(own / size, mean_ours * (1.0 - mean_ours)) / clusters
    each_theirs, each_ours = _answers(d)
    n, n_theirs = d.n * times, (d.fixed_df + 1.0) * size
    one = Side(mean_ours, alike, clusters, n, n * each_ours)
    other = Side(share, theirs, d.fixed_df + 1.0, n_theirs, n_theirs * each_theirs)
    return Against(
        np.sqrt(square), tested, 2.0 * square**2 / errs, -third / square**1.5, known, one, other
    )


def against_power(  # noqa: PLR0913
    d: PairDesigns,
    growth: np.ndarray,
    times: np.ndarray | float,
    share: np.ndarray,
    difference: np.ndarray,
    which: np.ndarray,
    level: float,
) -> np.ndarray:
    """The power of the printed interval, of the designs `which` alone; the rest as in against."""
    k = which
    of = np.broadcast_to(times, (len(d),))[k]
    test = against(d.take(k), growth[k], of, share[k], difference[k])
    power = mover_power(test.ours, test.theirs, d.right[k], level=level)
    return np.clip(power, 1e-12, 1.0 - 1e-12)


def _answers(d: PairDesigns) -> np.ndarray:
    """Answers to each question, of the published model and of ours, which is the second of a law,
    shape (2, P); of a pilot, whose interval is not counted out, 1.
    """
    if d.law is None:
        return np.ones((2, len(d)))
    with np.errstate(divide="ignore"):
        return np.asarray(1.0 / d.law[:, -2:].T)


def _away(moved: np.ndarray, variance: np.ndarray, above: np.ndarray) -> np.ndarray:
    """Whether ours is nearer to the end of the scale: not where it leaves no such variance."""
    return np.asarray((moved < 0.0) & (variance <= above * (1.0 - above)))


def ours_is_lower(
    d: PairDesigns, share: np.ndarray, down: np.ndarray, difference: np.ndarray
) -> np.ndarray:
    """Whether ours is planned with the lower mean, shape (P,). share, down: Alternative's.

    >>> from reportkit.stats.planning.expected import expected_design, expected_pair
    >>> d = expected_design(expected_pair("binary", mean=0.7))
    >>> from dataclasses import replace
    >>> d, one = replace(d, fixed=np.array([0.21])), np.ones(1)
    >>> ours_is_lower(d, 0.7 * one, one == 1.0, 0.05 * one).item()
    True
    """
    assert d.fixed is not None
    moved = np.full(len(d), math.nan) if d.moved is None else d.moved
    return np.asarray(down != _away(moved, _own(d), share + difference))


def least_told(d: PairDesigns, share: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """The fewest questions of ours whose test has the power of `against`, where the variance of
    scores in part is told as it is at the difference; nan where there is no such number.

    With 40 in effect (LEAST_OURS) the report's interval of our mean is seldom Wilson's on effective
    answers (evidence.dense). Simulated, of a better model: with 15 to 22 questions in effect plans
    kept 0.68 to 0.78 of 0.80, with 27 and more 0.79 to 0.83; with 8 to 18 clusters in effect 0.68
    to 0.72, and with 6 to 22, far from an end of the scale, up to 0.05 too much.

    >>> from reportkit.stats.planning.expected import expected_design, expected_pair
    >>> from dataclasses import replace
    >>> d = replace(expected_design(expected_pair("share", mean=0.9, variance=0.03)),
    ...     fixed=np.array([0.03]), moved=-np.ones(1))
    >>> one = np.ones(1)
    >>> least_told(d, 0.9 * one, 0.04 * one).round(1).item()   # 40 (.06^2 + .03) / .06^2
    373.3
    """
    if d.fixed is None or d.moved is None:
        return np.full(len(d), math.nan)
    own, above = _own(d), share + difference
    mean = np.where(_away(d.moved, own, above), above, share - difference)
    told = d.bounded & ~np.isnan(d.moved)
    return np.where(told, d.n / d.clusters * LEAST_OURS / in_effect(mean, own), math.nan)


def least_right(d: PairDesigns, share: np.ndarray) -> np.ndarray:
    """The fewest questions of ours, of right or wrong answers in clusters or several to a question
    against a published mean, that have LEAST_OURS clusters in effect, or LEAST_SEVERAL questions
    (times `strictness`); nan where there is no such number.

    >>> from reportkit.stats.planning.expected import expected_design, expected_pair
    >>> from dataclasses import replace
    >>> d = replace(expected_design(expected_pair("binary", mean=0.9)), fixed=np.array([0.36]))
    >>> d = replace(d, clusters=d.n / 10.0, se=np.sqrt(0.72 / d.n))   # of one cluster .36 / 10
    >>> least_right(d, np.array([0.9])).round().item()   # 10 * 40 (.1^2 + .036) / .1^2
    1840.0
    """
    if d.fixed is None:
        return np.full(len(d), math.nan)
    grouped, several = clusters_of_right(d), several_right(d)
    least = np.where(grouped, LEAST_OURS, np.where(several, LEAST_SEVERAL, math.nan))
    least = least * (1.0 if d.strict is None else d.strict)
    return d.n / d.clusters * least / in_effect(share, _own(d))


def strictness(level: float) -> float:
    """Times as many questions in effect that several right or wrong answers need at this level as
    at 95%, below which there are no fewer: (z^2 - 1) / (1.96^2 - 1), as the error of a test grows
    that is due to the skewness of its means (the first term of Cornish and Fisher's expansion).

    With as many as at 95%, five of 70 plans at 99% were found to have from 0.02 to 0.03 more power
    than is said (benchmarks/planning.md).

    >>> round(strictness(0.99), 3), strictness(0.9)
    (1.983, 1.0)
    """
    return max(1.0, (z_quantile(level) ** 2 - 1.0) / (z_quantile(0.95) ** 2 - 1.0))


def in_effect(mean: np.ndarray | float, variance: np.ndarray | float) -> np.ndarray:
    """Of questions (or clusters) with such a mean and variance, the share that shows what is lost,
    or won near the lower end, in effect: that of scores of 0 and x which vary so. No less than
    TINY.

    >>> in_effect(0.9, 0.09).round(3).item()   # a tenth of right or wrong answers
    0.1
    """
    rarer = np.minimum(mean, 1.0 - np.asarray(mean)) ** 2
    return np.asarray(np.maximum(rarer, TINY) / np.maximum(rarer + variance, TINY))


def _own(d: PairDesigns) -> np.ndarray:
    """The variance of one cluster of ours, or of a question where there are none."""
    assert d.fixed is not None
    return (d.n * d.se**2 - d.fixed) * d.clusters / d.n


def clusters_of_right(d: PairDesigns) -> np.ndarray:
    """Whether a design of expected scores has right or wrong answers in clusters, shape (P,)."""
    known = d.law is not None
    return np.asarray(known & d.right & (d.clusters < d.n * (1.0 - 1e-9)))


def several_right(d: PairDesigns) -> np.ndarray:
    """Whether it has several right or wrong answers to a question, of either model, shape (P,)."""
    return np.asarray((d.law is not None) & d.right & (_answers(d) > 1.0).any(axis=0))
