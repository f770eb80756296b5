"""Two models that differ by more than those observed: how much more their difference then varies,
and how well that is known.
"""

from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.intervals import z_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.certainty import seen_df, worth_of
from reportkit.stats.planning.cluster_shares import unlike_clusters
from reportkit.stats.planning.discordance import discordance, latent_correlation, smoothed
from reportkit.stats.planning.expected_law import Growth, expected_growth
from reportkit.stats.planning.several_answers import (
    Changed,
    SeveralAnswers,
    changed,
    several_answers,
)
from reportkit.stats.planning.tails import Tails, beta_tails

# Where a model's scores vary more, they do so with such a power of p (1 - p), p their mean: right
# and wrong answers, and what clusters add to them. 1 would be scores at the two ends alone, 2
# effects on the logit of a share. Chosen by benchmarks/power.py, as all constants here.
RIGHT_GROWTH, RIGHT_CLUSTERED = 1.25, 2.0
# Of other scores tails.spread_ends tells it; at least this part of the observed variance is left.
LEAST_LEFT = 0.1
# What clusters add to them, and all of it where these ends are not known, goes with a power of
# p (1 - p): the first less the second times s, their variance as a part of p (1 - p). Near 0 a
# score is a question's share itself, near 1 most scores are at the ends.
SHARES_GROWTH, SHARES_CLUSTERED = (1.4, 0.55), (2.4, 1.4)
# Excess kurtosis of the sums of clusters, for the squared coefficient of variation of the clusters'
# mean |d|: of 0/1 scores, of others.
UNLIKE_BINARY, UNLIKE = 1.5, 3.5
TINY = 1e-30  # a part that is not 0


@dataclass(frozen=True, slots=True)
class Alternative(Record):
    """The model that keeps its mean, and how the other goes with it."""

    kept: np.ndarray  # the mean
    share: np.ndarray  # the same, as if scales were turned so that it is above 1/2
    down: np.ndarray  # whether the other is worse; else the scale is turned
    latent: np.ndarray
    now: np.ndarray  # p10 + p01 - (p10 - p01)^2 as observed
    apart: np.ndarray  # p10 + p01 as observed
    mean_a: np.ndarray  # as observed
    mean_b: np.ndarray
    lead: np.ndarray  # how far the two are apart, if significantly; else 0
    several: tuple[SeveralAnswers, ...]  # of pairs with several 0/1 answers to a question

    @property
    def spread(self) -> np.ndarray:
        """p (1 - p) as observed, the mean of both models."""
        a, b = self.mean_a, self.mean_b
        return (a * (1.0 - a) + b * (1.0 - b)) / 2.0


def alternative(d: PairDesigns) -> Alternative:
    """Two models of the observed means and correlation, of which one moves away from the other.

    The one that keeps its mean is the one farther from 1/2 where the two are significantly apart,
    else both have their joint mean. The other moves to where the scale leaves more room, and where
    scores vary more: downwards from a mean above 1/2.
    """
    a, b = d.mean_a, d.mean_b
    spread_a, spread_b = (np.sqrt(np.maximum(m * (1.0 - m), 0.0)) for m in (a, b))
    r = np.where(np.isnan(d.correlation), 0.0, d.correlation)
    least, most = np.maximum(0.0, a + b - 1.0), np.minimum(a, b)
    both = np.clip(a * b + r * spread_a * spread_b, least, most)
    smooth_a, smooth_b, q = smoothed(d.n * both, d.n * (a - both), d.n * (b - both), d.n)
    joint = (smooth_a + smooth_b) / 2.0
    down = joint >= 0.5
    outer = np.where(down, np.maximum(smooth_a, smooth_b), np.minimum(smooth_a, smooth_b))
    with np.errstate(invalid="ignore"):
        apart = np.abs(a - b) > z_quantile(0.95) * d.se
    kept = np.where(apart, outer, joint)
    latent = latent_correlation(smooth_a, smooth_b, q)
    now = q - (smooth_a - smooth_b) ** 2
    lead = np.where(apart, np.abs(smooth_a - smooth_b), 0.0)
    share = np.where(down, kept, 1.0 - kept)
    several = several_answers(d, lead)
    return Alternative(kept, share, down, latent, now, q, smooth_a, smooth_b, lead, several)


@dataclass(frozen=True, slots=True)
class Grown(Record):
    """Of models that differ so, shape (P,)."""

    variance: np.ndarray  # over that observed
    apart: np.ndarray  # mean of |a - b|
    shown: np.ndarray  # effective number of clusters in which the models differ
    tails: Tails  # of the clusters' sums of differences
    known: np.ndarray  # degrees of freedom of the observed variance
    # Of what more answers leave of the variance: the part that they make alone (0: no more, or
    # their noise is not known), and the degrees of freedom of the estimate; in clusters, of the
    # observed variance
    floor: np.ndarray
    left: np.ndarray


def grown(
    d: PairDesigns,
    other: Alternative,
    difference: np.ndarray,
    discordant: np.ndarray,
    answers: np.ndarray | float = 1.0,
) -> Grown:
    """What of bounded scores a true difference changes.

    discordant: p10 + p01 at the difference, as of 0/1 scores with the observed correlation. The
    variance of 0/1 scores with one answer each grows as p10 + p01 - difference^2 does; with
    several, and so many times more answers, as several_answers has it. Of other scores, and of what
    clusters add, each model's part grows with a power of p (1 - p) that depends on how far the
    scores lie apart for their mean.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = np.minimum(np.where(d.alone > 0.0, d.alone / d.se**2, 1.0), 1.0)
        means, powers = _means(other, difference), _powers(d, other)
        own = _growth(means * (1.0 - means), powers[0])
        if d.low is not None:
            shares = _growth(_between(d, means), 1.0)
            own = np.where(has_ends(d, other), shares, own)
        plain = np.where(d.binary, (discordant - difference**2) / other.now, own)
        apart = np.maximum(d.apart * discordant / other.apart, difference)
        many = changed(other.several, difference, answers) if other.several else None
        if many is not None:
            plain[many.pairs] = many.variance
            apart[many.pairs] = np.maximum(d.apart[many.pairs] * many.apart, difference[many.pairs])
        joint = _growth(means * (1.0 - means), powers[1])
        part = alone.copy()
        if many is not None:  # what clusters add is not answer noise
            k, rest = many.pairs, alone[many.pairs] * many.left
            part[k] = rest / (rest + (1.0 - alone[k]))  # 1 where alone is
        variance = part * plain + (1.0 - part) * joint
        law = None if d.law is None else expected_growth(d.law, other.share, difference)
        if law is not None:
            alone, plain, variance = law.alone, law.plain, law.variance
            part = alone
        alone_then = part * plain / variance
        shown = shown_when(d, apart)
        floor, now, left, then = _of_several(d, many, shown, part)
        at_lead = _tails(d, other, other.lead, alone, d.apart, now)
        tails = _tails(d, other, difference, alone_then, apart, then)
        known = left_df = seen_df(d, at_lead.excess)
        if floor.any():
            at_lead = _tails(d, other, other.lead, alone, d.apart, left)
            # in clusters the noise is known far better than what clusters add
            left_df = np.where(d.clusters < d.n, known, seen_df(d, at_lead.excess))
    if law is not None:
        grouped = d.clusters < d.n
        expected = _of_expected(d, other, difference, law, np.where(grouped, alone_then, 0.0))
        # single right and wrong answers have the tails of Bernoulli's law, a Beta law's limit
        known_law = grouped | ~d.binary
        skew = np.where(known_law, expected.skew, np.maximum(tails.skew, 0.0))
        tails = Tails(skew, np.where(known_law, expected.excess, tails.excess))
        unlike = unlike_clusters(law.shares, apart, _of_scores(d, other))
        shown = np.where(grouped, d.clusters / (1.0 + unlike), shown)
    return Grown(variance, apart, shown, tails, known, floor, left_df)


def grown_at(d: PairDesigns, difference: np.ndarray) -> Grown:
    """grown, of models that differ so and have the observed correlation."""
    other = alternative(d)
    p10, p01 = discordance(other.share, np.minimum(difference, other.share), other.latent)
    return grown(d, other, difference, p10 + p01)


OfSome = tuple[np.ndarray, Tails] | None  # pairs, and the tails of their questions' differences


def _of_several(
    d: PairDesigns, many: Changed | None, shown: np.ndarray, part: np.ndarray
) -> tuple[np.ndarray, OfSome, OfSome, OfSome]:
    """The floor of Grown, and tails: as observed, of what more answers leave, at the difference.

    part: of the variance that they leave, what is there without clusters, answer noise among it.
    Without clusters, the number of questions in which the models differ is put in `shown`.
    """
    floor = np.zeros(len(d))
    if many is None:
        return floor, None, None, None
    k = many.pairs
    plain = (d.clusters == d.n)[k]
    floor[k] = many.floor * np.where(plain, 1.0, part[k])
    shown[k] = np.where(plain, np.minimum(d.shown[k] * many.certain, d.n[k]), shown[k])
    now, then = ((k, Tails(q.skew, q.excess)) for q in (many.now, many.then))
    return floor, now, (k, Tails(many.now.skew, many.excess)), then


def _of_expected(
    d: PairDesigns, other: Alternative, difference: np.ndarray, law: Growth, alone: np.ndarray
) -> Tails:
    """Of sums of clusters whose law is expected: that of the clusters' differences, and of the
    questions' within them.
    """
    r, size = common(d), d.n / d.clusters
    scores = _of_difference(other.share, difference, _of_scores(d, other), r)
    clusters = law.tails
    return Tails(
        clusters.skew + alone**1.5 * scores.skew / np.sqrt(size * (1.0 - r)),
        clusters.excess + alone**2 * scores.excess / (size * (1.0 - r)),
    )


def _growth(variances: np.ndarray, power: np.ndarray | float) -> np.ndarray:
    """Variance of the two models over that of the two as observed.

    variances: of a model, to a power, at the means of _means, shape (4, P).
    """
    ratios = variances[1:] / variances[0]
    low, a, b = np.where(ratios > 1.0, ratios**power, ratios)
    return (1.0 + low) / (a + b)


def _means(other: Alternative, difference: np.ndarray) -> np.ndarray:
    """Of the model that keeps its mean, where the other comes to, and of both as observed."""
    moved = np.clip(other.kept + np.where(other.down, -difference, difference), 0.0, 1.0)
    return np.stack([other.kept, moved, other.mean_a, other.mean_b])


def has_ends(d: PairDesigns, other: Alternative) -> np.ndarray:
    """Whether scores in part have known ends, and the model that keeps its mean lies between them:
    they are of both models' scores together, which say nothing of a model far apart from the other.
    """
    if d.low is None or d.high is None:
        return np.zeros(len(d), dtype=bool)
    return np.asarray(~d.right & (d.low < other.kept) & (other.kept < d.high))


def _between(d: PairDesigns, means: np.ndarray) -> np.ndarray:
    """A model's variance at these means, but for a factor: (p - low) (high - p)."""
    assert d.low is not None and d.high is not None
    found = (means - d.low) * (d.high - means)
    return np.maximum(found, LEAST_LEFT * (found[2] + found[3]) / 2.0)


def _powers(d: PairDesigns, other: Alternative) -> tuple[np.ndarray, np.ndarray]:
    """The powers of p (1 - p) with which a model's scores, and what clusters add, vary more."""
    part = _of_scores(d, other)
    (own, own_less), (joint, joint_less) = SHARES_GROWTH, SHARES_CLUSTERED
    return (
        np.where(d.right, RIGHT_GROWTH, own - own_less * part),
        np.where(d.right, RIGHT_CLUSTERED, joint - joint_less * part),
    )


def shown_when(d: PairDesigns, apart: np.ndarray) -> np.ndarray:
    """Effective number of clusters in which the models differ, when they differ in more questions.

    The squared coefficient of variation of the clusters' shares of such questions goes with (1 - q)
    / q.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        now = np.maximum(d.clusters / d.shown - 1.0, 0.0)
        odds, odds_now = (np.maximum(1.0 - x, 0.0) / x for x in (apart, d.apart))
        spread = np.where(odds_now > 0.0, now * odds / odds_now, now)
        return d.clusters / (1.0 + spread)


def common(d: PairDesigns) -> np.ndarray:
    """The correlation, as far as it can be used: 0 to 0.95."""
    return np.clip(np.nan_to_num(d.correlation), 0.0, 0.95)


def _of_scores(d: PairDesigns, other: Alternative) -> np.ndarray:
    """A model's variance over questions as a part of the most that its mean allows: 1 of 0/1."""
    part = np.clip(d.n * d.alone / (2.0 * (1.0 - common(d)) * other.spread), TINY, 1.0)
    return np.where(d.binary, 1.0, part)


def _tails(
    d: PairDesigns,
    other: Alternative,
    difference: np.ndarray,
    alone: np.ndarray,
    apart: np.ndarray,
    of_some: OfSome = None,
) -> Tails:
    """Of the sums of clusters: a model's scores, and the means of its clusters, have the tails of a
    Beta law; and where models differ more in some clusters than in others, sums do too.

    alone: the part of the variance that is there without clusters.
    """
    r, of_scores = common(d), _of_scores(d, other)
    of_clusters = np.clip(worth_of(d) * (d.se**2 - d.alone) / (2.0 * other.spread), TINY, 1.0)
    scores = _of_difference(other.share, difference, of_scores, r)
    clusters = _of_difference(other.share, difference, of_clusters, r)
    size, rest = d.n / d.clusters, 1.0 - alone
    skew = alone**1.5 * scores.skew / np.sqrt(size * (1.0 - r))
    plain = alone**2 * scores.excess / (size * (1.0 - r))
    if of_some is not None:
        k, of = of_some
        skew[k] = alone[k] ** 1.5 * of.skew / np.sqrt(size[k])
        plain[k] = alone[k] ** 2 * of.excess / size[k]
    # nan where so many clusters show a difference that they need not be counted
    unlike = np.nan_to_num(d.clusters / shown_when(d, apart) - 1.0)
    unlike = np.minimum(unlike, d.clusters - 1.0)  # at least one cluster shows one
    # scores of which most are 0 or 1 are told apart like these
    kind = UNLIKE + (UNLIKE_BINARY - UNLIKE) * of_scores
    grouped = kind * unlike + np.where(d.binary, 0.0, plain)
    excess = np.where(d.clusters < d.n, grouped, plain)
    return Tails(skew + rest**1.5 * clusters.skew, excess + rest**2 * clusters.excess)


def _of_difference(
    share: np.ndarray, difference: np.ndarray, part: np.ndarray, correlation: np.ndarray
) -> Tails:
    """Of the difference of two Beta variables whose variances are such a part of the most that
    their means allow. What the two have in common takes the first one's skewness off it.
    """
    low = np.maximum(share - difference, TINY)
    a, b = share * (1.0 - share) * part, low * (1.0 - low) * part
    x, y = beta_tails(share, a), beta_tails(low, b)
    left = np.maximum(1.0 - 2.0 * correlation, 0.0)
    skew = (left * a**1.5 * x.skew - b**1.5 * y.skew) / (a + b) ** 1.5
    return Tails(skew, (a**2 * x.excess + b**2 * y.excess) / (a + b) ** 2)
