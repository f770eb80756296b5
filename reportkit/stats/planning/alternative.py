"""Two models that differ by more than those observed: how much more their difference then varies,
and how well that is known.
"""

from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.intervals import z_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.cluster_shares import sum_tails, unlike_clusters
from reportkit.stats.planning.discordance import latent_correlation, smoothed
from reportkit.stats.planning.expected_law import Growth, expected_growth
from reportkit.stats.planning.tails import Tails, beta_tails

# Where a model's scores vary more, they do so with such a power of p (1 - p), p their mean: scores
# between the ends, means of 0/1 answers, and what clusters add. 1 would be scores at the two ends
# alone, 2 effects on the logit of a share. Chosen by benchmarks/power.py, as all constants here.
SHARES_GROWTH, ANSWERS_GROWTH, CLUSTERED_GROWTH = 1.25, 1.35, 2.0
# Excess kurtosis of the sums of clusters, for the squared coefficient of variation of the clusters'
# mean |d|: of 0/1 scores, of others.
UNLIKE_BINARY, UNLIKE = 1.5, 3.5
TINY = 1e-30  # a part that is not 0


@dataclass(frozen=True, slots=True)
class Alternative(Record):
    """The model that keeps its mean, and how the other goes with it."""

    share: np.ndarray  # of the one that keeps it, as if scales were turned so that it is above 1/2
    down: np.ndarray  # whether the other is worse; else the scale is turned
    latent: np.ndarray
    now: np.ndarray  # p10 + p01 - (p10 - p01)^2 as observed
    apart: np.ndarray  # p10 + p01 as observed
    spread_a: np.ndarray  # p (1 - p) as observed
    spread_b: np.ndarray
    lead: np.ndarray  # how far the two are apart, if significantly; else 0


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
    share = np.where(apart, outer, joint)
    latent = latent_correlation(smooth_a, smooth_b, q)
    now = q - (smooth_a - smooth_b) ** 2
    spread_a, spread_b = smooth_a * (1.0 - smooth_a), smooth_b * (1.0 - smooth_b)
    lead = np.where(apart, np.abs(smooth_a - smooth_b), 0.0)
    share = np.where(down, share, 1.0 - share)
    return Alternative(share, down, latent, now, q, spread_a, spread_b, lead)


@dataclass(frozen=True, slots=True)
class Grown(Record):
    """Of models that differ so, shape (P,)."""

    variance: np.ndarray  # over that observed
    apart: np.ndarray  # mean of |a - b|
    shown: np.ndarray  # effective number of clusters in which the models differ
    tails: Tails  # of the clusters' sums of differences
    known: np.ndarray  # degrees of freedom of the observed variance


def grown(
    d: PairDesigns, other: Alternative, difference: np.ndarray, discordant: np.ndarray
) -> Grown:
    """What of bounded scores a true difference changes.

    discordant: p10 + p01 at the difference, as of 0/1 scores with the observed correlation. The
    variance of 0/1 scores with one answer each grows as p10 + p01 - difference^2 does. Of other
    scores, and of what clusters add, each model's part grows with a power of p (1 - p).
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = np.minimum(np.where(d.alone > 0.0, d.alone / d.se**2, 1.0), 1.0)
        own = _growth(other, difference, np.where(d.right, ANSWERS_GROWTH, SHARES_GROWTH))
        latent = (discordant - difference**2) / other.now
        # The more, the nearer the difference is to that of one answer each, right or wrong; no more
        # than twice as much, as questions that tell models apart may be too few to be counted.
        part = np.clip(d.n * d.alone / (other.spread_a + other.spread_b), 0.0, 1.0)
        answers = own + part * np.clip(latent - own, 0.0, own)
        plain = np.where(d.binary, latent, np.where(d.right, answers, own))
        joint = _growth(other, difference, np.full(len(d), CLUSTERED_GROWTH))
        variance = alone * plain + (1.0 - alone) * joint
        apart = np.maximum(d.apart * discordant / other.apart, difference)
        law = None if d.law is None else expected_growth(d.law, other.share, difference)
        if law is not None:
            alone, plain, variance = law.alone, law.plain, law.variance
        alone_then = alone * plain / variance
        known = certain_df(d, _tails(d, other, other.lead, alone, d.apart).excess)
        tails, shown = _tails(d, other, difference, alone_then, apart), shown_when(d, apart)
    if law is not None:
        grouped = d.clusters < d.n
        expected = _of_expected(d, other, difference, law, np.where(grouped, alone_then, 0.0))
        # single right and wrong answers have the tails of Bernoulli's law, a Beta law's limit
        known_law = grouped | ~d.binary
        skew = np.where(known_law, expected.skew, np.maximum(tails.skew, 0.0))
        tails = Tails(skew, np.where(known_law, expected.excess, tails.excess))
        unlike = unlike_clusters(law.shares, apart, _of_scores(d, other))
        shown = np.where(grouped, d.clusters / (1.0 + unlike), shown)
    return Grown(variance, apart, shown, tails, known)


def _of_expected(
    d: PairDesigns, other: Alternative, difference: np.ndarray, law: Growth, alone: np.ndarray
) -> Tails:
    """Of sums of clusters whose law is expected: that of the clusters' differences, and of the
    questions' within them.
    """
    r, size = common(d), d.n / d.clusters
    scores = _of_difference(other.share, difference, _of_scores(d, other), r)
    clusters = sum_tails(law.shares)
    return Tails(
        clusters.skew + alone**1.5 * scores.skew / np.sqrt(size * (1.0 - r)),
        clusters.excess + alone**2 * scores.excess / (size * (1.0 - r)),
    )


def _growth(other: Alternative, difference: np.ndarray, power: np.ndarray) -> np.ndarray:
    """Variance of the two models over that of the two as observed."""
    base = other.share * (1.0 - other.share)
    low = np.maximum(other.share - difference, 0.0)

    def of(spread: np.ndarray) -> np.ndarray:
        ratio = spread / base
        return np.where(ratio > 1.0, ratio**power, ratio)

    return (1.0 + of(low * (1.0 - low))) / (of(other.spread_a) + of(other.spread_b))


# How well a variance is known ---------------------------------------------------------------------


def certain_df(
    d: PairDesigns, excess: np.ndarray | float = 0.0, times: np.ndarray | float = 1.0
) -> np.ndarray:
    """Degrees of freedom that the variance of so many times the clusters really has.

    Var(V) / V^2 = 2 / f + excess / G: f the degrees of freedom with normal sums of clusters, but no
    more than clusters of one size would have that are worth as much, G the number of those.
    """
    worth = worth_of(d) * times
    df = times * (d.df + 1.0) - 1.0
    if d.worth is not None:
        df = np.minimum(df, worth - 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return 2.0 / (2.0 / df + np.maximum(excess, -1.0) / worth)


def worth_of(d: PairDesigns) -> np.ndarray:
    """How many clusters of one size each pair's SE is worth."""
    return d.clusters if d.worth is None else np.minimum(d.worth, d.clusters)


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
    base = (other.spread_a + other.spread_b) / 2.0
    part = np.clip(d.n * d.alone / (2.0 * (1.0 - common(d)) * base), TINY, 1.0)
    return np.where(d.binary, 1.0, part)


def _tails(
    d: PairDesigns,
    other: Alternative,
    difference: np.ndarray,
    alone: np.ndarray,
    apart: np.ndarray,
) -> Tails:
    """Of the sums of clusters: a model's scores, and the means of its clusters, have the tails of a
    Beta law; and where models differ more in some clusters than in others, sums do too.

    alone: the part of the variance that is there without clusters.
    """
    base = (other.spread_a + other.spread_b) / 2.0
    r, of_scores = common(d), _of_scores(d, other)
    of_clusters = np.clip(worth_of(d) * (d.se**2 - d.alone) / (2.0 * base), TINY, 1.0)
    scores = _of_difference(other.share, difference, of_scores, r)
    clusters = _of_difference(other.share, difference, of_clusters, r)
    size, rest = d.n / d.clusters, 1.0 - alone
    skew = alone**1.5 * scores.skew / np.sqrt(size * (1.0 - r)) + rest**1.5 * clusters.skew
    plain = alone**2 * scores.excess / (size * (1.0 - r))
    # nan where so many clusters show a difference that they need not be counted
    unlike = np.nan_to_num(d.clusters / shown_when(d, apart) - 1.0)
    unlike = np.minimum(unlike, d.clusters - 1.0)  # at least one cluster shows one
    # scores of which most are 0 or 1 are told apart like these
    kind = UNLIKE + (UNLIKE_BINARY - UNLIKE) * of_scores
    grouped = kind * unlike + np.where(d.binary, 0.0, plain)
    excess = np.where(d.clusters < d.n, grouped, plain)
    return Tails(skew, excess + rest**2 * clusters.excess)


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
