"""Variance between questions and within them, answer noise removed: what more questions or more
answers would buy.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import exponent, floats, pair_of_floats, squared_back
from reportkit.stats.means.mean import Estimate, SeKind, about_mean, mean_estimate, unit_spread
from reportkit.stats.pairs.paired import Difference, paired_difference

SAME = 1e-12  # two variances are equal but for rounding where they differ by less of themselves


@dataclass(frozen=True, slots=True)
class Components(Record):
    """Variances in squared score units. All nan when no question has two answers: one answer cannot
    tell them apart.
    """

    # Var(x), the variance over questions of the expected score; 0 where the estimate is negative
    between: float
    within: float  # sigma^2, the mean variance of one answer within a question
    # q = (1/n) sum_i sigma_i^2 / K_i: what answer noise adds to the variance of question means
    noise: float
    epochs: float  # harmonic mean of the answers per question


@dataclass(frozen=True, slots=True)
class RemovableShare(Record):
    """How much less uncertain a mean would be with unlimited answers per question: shares of its
    variance and of its SE.
    """

    variance: float
    se: float


@dataclass(frozen=True, slots=True)
class ProbabilityComparison(Record):
    """One model's mean from next-token probabilities and from sampled answers to the same
    questions.
    """

    probability: Estimate
    sampled: Estimate
    reduction: float  # 1 - V_probability / V_sampled; nan where the second is 0 or undefined
    difference: Difference  # probability minus sampled, paired: both must measure the same thing


def components(means: np.ndarray, variances: np.ndarray, epochs: np.ndarray) -> Components:
    """Variance components of one model's scores on n questions.

    means: shape (n,), question means. variances: shape (n,), variance of the answers of a question
    with divisor K-1 (nan or anything where K=1). epochs: shape (n,), answers per question, K.

    within = mean of the variances over questions with K >= 2 (the j = i part of Miller 2024,
    appendix C; the printed cross terms depend on how answers are numbered). between = Var(means) -
    q, at least 0 (also where it is the rounding of two equal numbers); the printed plug-in is too
    large by q. A question with one answer takes `within` as its variance in q.

    >>> c = components(np.array([0.5, 1.0, 0.0]), np.array([0.5, 0.0, 0.0]), np.array([2, 2, 2]))
    >>> round(c.within, 4), round(c.noise, 4), round(c.between, 4)   # 0.5/3, /2, 0.25 - 0.0833
    (0.1667, 0.0833, 0.1667)
    """
    means, variances, k = floats(means), floats(variances), floats(epochs)
    if not ((k >= 1.0) & (k < np.inf)).all():
        raise ValueError(
            f"{int((~((k >= 1.0) & (k < np.inf))).sum())} of {len(k)} questions have no number of "
            "answers of at least 1; drop them first"
        )
    repeated = k >= 2
    harmonic = _harmonic(k)
    if not repeated.any():
        return Components(math.nan, math.nan, math.nan, harmonic)
    with np.errstate(over="ignore"):
        within = float(variances[repeated].mean())
        filled = np.where(repeated, variances, within)
        noise = float((filled / k).mean())
    if math.isinf(within) or math.isinf(noise):
        return Components(math.nan, math.nan, math.nan, harmonic)
    between = math.nan
    if len(k) > 1:
        between = _floored(_variance(means) - noise, noise)
    return Components(between, within, noise, harmonic)


def _harmonic(k: np.ndarray) -> float:
    """The harmonic mean of numbers of answers, which is the number itself where all are alike."""
    if not len(k) or k.min() == k.max():
        return float(k[0]) if len(k) else math.nan
    return len(k) / float((1.0 / k).sum())


def _floored(variance: float, taken: float) -> float:
    """What is left of a variance; 0 where it is negative or the rounding of what was taken off."""
    return 0.0 if variance <= SAME * taken else variance


def _variance(means: np.ndarray) -> float:
    """Sample variance, far from 0 too; nan where a double does not hold it."""
    size = exponent(max(-float(means.min()), float(means.max())))
    s = np.ldexp(means, -size)
    u = about_mean(s, float(s.min()), float(s.max()))[1]
    power = exponent(max(-float(u.min()), float(u.max())))
    x = np.ldexp(u, -power)
    return squared_back(float(x @ x) / (len(x) - 1), power + size)


def omega_squared(se: float, n: int, noise_a: float, noise_b: float) -> float:
    """Variance over questions of the true difference of two models, n SE^2 - q_A - q_B, floored at
    0.

    se: standard error of the paired difference on n questions; noise_a, noise_b: `noise` of
    components. The printed plug-in (appendix C) subtracts nothing, and so counts answer noise
    twice. With the report's own SE (CR2), equation 10 and the SE agree; for equal cluster sizes
    this is the G/(G-1) correction of the printed form. Undefined (nan) where either noise is.

    >>> round(omega_squared(0.05, 100, 0.05, 0.05), 4)   # 100 * 0.0025 - 0.1
    0.15
    """
    noise = noise_a + noise_b
    return _floored(n * se**2 - noise, noise)


# What more answers buy ----------------------------------------------------------------------------


def resampling_reduction(between: float, within: float, epochs: float) -> float:
    """How much smaller the variance of a mean is with K answers per question than with one, as a
    share.

    (1 - 1/K) within / (between + within), from Var = (Var(x) + E[sigma^2]/K) / n (Miller 2024,
    section 3.1; the paper prints it for uniform difficulty only). between, within: as in
    Components; epochs: K >= 1, math.inf for the limit, which is also what next-token probabilities
    reach (section 3.2). Undefined (nan) when a variance is, or both are 0.

    >>> # 0, 1/3, 1/2, 5/9, 2/3
    >>> [round(resampling_reduction(1/12, 1/6, k), 4) for k in (1, 2, 4, 6, math.inf)]
    [0.0, 0.3333, 0.5, 0.5556, 0.6667]
    """
    _check_components(between, within, epochs)
    total = between + within
    return (1.0 - 1.0 / epochs) * within / total if total > 0.0 else math.nan


def removable_share(between: float, within: float, epochs: float = 1) -> RemovableShare:
    """Share of the variance, and of the SE, of a mean of K answers that unlimited further answers
    would remove.

    With v = within / K: v / (between + v) of the variance and 1 - sqrt(between / (between + v)) of
    the SE; a report may say "more answers would cut the SE by at most 7%". From Components take
    `between` and `noise`, and leave epochs at 1: noise is v for any mix of K. For a clustered SE,
    `between` is n SE^2 - noise. For a paired difference, it is omega_squared, with the sum of both
    models' noise. Both shares are 1 where `between` is 0: the data then cannot show that questions
    differ. Undefined (nan) when a variance is, or both are 0.

    >>> # v = 1/60: (1/60) / (6/60) of the variance, 1 - sqrt(5/6) of the SE
    >>> r = removable_share(1/12, 1/6, 10)
    >>> round(r.variance, 4), round(r.se, 4)
    (0.1667, 0.0871)
    """
    _check_components(between, within, epochs)
    total = between + within / epochs
    if not total > 0.0:
        return RemovableShare(math.nan, math.nan)
    return RemovableShare(1.0 - between / total, 1.0 - math.sqrt(between / total))


def _check_components(between: float, within: float, epochs: float) -> None:
    if between < 0.0 or within < 0.0:
        raise ValueError(
            f"between={between} and within={within} are variances; neither can be negative"
        )
    if not epochs >= 1:
        raise ValueError(
            f"epochs={epochs} is not a number of answers per question; give at least 1"
        )


def probability_comparison(
    p_correct: np.ndarray,
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    se: SeKind = "cr2",
    level: float = 0.95,
) -> ProbabilityComparison:
    """Next-token probabilities beside sampled scores of one model: how much variance they save, and
    whether the two agree.

    p_correct: shape (n,), probability of the right answer; scores: shape (n,), sampled answers
    marked 0/1, or means of K; clusters: shape (n,) labels or None. Scores from probabilities have
    no answer noise (Miller 2024, section 3.2). Compared with K = 1, they should cut the variance by
    resampling_reduction(between, within, inf): by 2/3 where difficulty is uniform. The two scores
    have the same expectation only if the answers were drawn at the temperature of the
    probabilities; the paired difference and its SE check that. Answers at temperature 0, 1{p >
    0.5}, measure something else, with a larger variance (section 3.3). The reduction can be
    negative.

    >>> c = probability_comparison(np.array([0.9, 0.6, 0.4, 0.1]), np.array([1.0, 0.0, 1.0, 0.0]))
    >>> round(c.reduction, 4), round(c.difference.estimate.value, 9)   # 1 - (0.34/3)/(1/3)
    (0.66, 0.0)
    """
    p = floats(p_correct)
    outside = int(((p < 0.0) | (p > 1.0)).sum())
    if outside:
        raise ValueError(
            f"{outside} of {p.size} values of p_correct are outside [0, 1]; give probabilities, "
            "not logs"
        )
    difference = paired_difference(p, scores, clusters, level=level, se=se)
    probability, sampled = mean_estimate(p, clusters, se=se), mean_estimate(scores, clusters, se=se)
    reduction = 1.0 - (probability.se / sampled.se) ** 2 if sampled.se > 0.0 else math.nan
    return ProbabilityComparison(probability, sampled, reduction, difference)


# How two models move together over clusters -------------------------------------------------------


def cluster_correlation(
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    se: Literal["cr0", "cr1", "cr2"] = "cr2",
) -> float:
    """The correlation that ties clustered SEs together: SE_paired^2 = SE_A^2 + SE_B^2 - 2 r_c SE_A
    SE_B, exactly.

    r_c = sum_c w_c S_Ac S_Bc / sqrt(sum_c w_c S_Ac^2 sum_c w_c S_Bc^2), S the cluster sums of
    scores less their mean. a, b: shape (n,), scores of the same questions. w_c = 1 makes it exact
    for "cr0" (equation 8 of Miller 2024) and for "cr1", w_c = 1/(1 - m_c/n) for "cr2", the default
    of reports; with equal cluster sizes the three are one. For unclustered SEs this is Pearson's r
    (`correlation`). Miller's section 4.2 and Table 5 put Pearson's r beside clustered SEs, where it
    can be too high or too low. Undefined (nan) where either SE is 0 or undefined.

    >>> a, b = np.array([1.0, 1, 0, 0, 1, 0]), np.array([1.0, 0, 0, 1, 1, 0])
    >>> c = np.array([1, 1, 2, 2, 3, 3])
    >>> round(cluster_correlation(a, b, c), 4)   # sums 1, -1, 0 and 0, 0, 0
    nan
    >>> # 1, -1, 0 and 1, 0, -1: 1/2
    >>> round(cluster_correlation(a, np.array([1.0, 1, 0, 1, 0, 0]), c), 4)
    0.5
    """
    if se not in ("cr0", "cr1", "cr2"):
        raise ValueError(
            f"se={se!r} is not one of cr0, cr1, cr2; for unclustered errors use correlation()"
        )
    a, b = pair_of_floats(a, b)
    one, other = mean_estimate(a, clusters, se=se), mean_estimate(b, clusters, se=se)
    if not (one.se > 0.0 and other.se > 0.0):  # also where rounding is all there is
        return math.nan
    n = len(a)
    codes = cluster_codes(clusters, n)
    codes = np.arange(n) if codes is None else codes
    sizes = np.bincount(codes)
    sums_a, sums_b = (np.bincount(codes, weights=unit_spread(s)) for s in (a, b))
    weights = 1.0 / (1.0 - sizes / n) if se == "cr2" else np.ones(len(sizes))
    r = (weights * sums_a * sums_b).sum() / math.sqrt(
        (weights * sums_a**2).sum() * (weights * sums_b**2).sum()
    )
    return min(1.0, max(-1.0, float(r)))
