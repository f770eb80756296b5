"""Tails of scores near an end, and what clusters of unlike sizes are worth: against scipy, by hand
and by simulation.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.stats.means.design import effective_clusters
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.alternative import UNLIKE_BINARY, alternative, grown
from reportkit.stats.planning.tails import beta_tails, pair_ends, spread_ends, worth


@pytest.mark.parametrize(("a", "b"), [(2.0, 3.0), (0.5, 0.5), (9.7, 0.3), (0.12, 3.88)])
def test_tails_are_those_of_the_beta_law(a, b):
    """scipy's skewness and excess kurtosis of Beta(a, b), from its mean and variance alone."""
    mean, variance, skew, excess = scipy_stats.beta.stats(a, b, moments="mvsk")
    found = beta_tails(float(mean), float(variance))
    assert found.skew.item() == pytest.approx(float(skew))
    assert found.excess.item() == pytest.approx(float(excess))


def test_as_much_variance_as_can_be_is_right_and_wrong():
    """Bernoulli's tails by scipy; more variance than the scale allows is no more."""
    _, _, skew, excess = scipy_stats.bernoulli.stats(0.97, moments="mvsk")
    for variance in (0.97 * 0.03, 0.05):
        found = beta_tails(0.97, variance)
        assert found.skew.item() == pytest.approx(float(skew))
        assert found.excess.item() == pytest.approx(float(excess))


def test_what_clusters_are_worth_by_their_sizes():
    """Independent questions: n^2 / sum m^2. All alike: (sum m^2)^2 / sum m^4. One size: G."""
    sizes = np.array([100] + [5] * 15)
    given = effective_clusters(np.repeat(np.arange(16), sizes))
    found = worth(sizes, np.array([1.0, 0.3, np.nan, 1e9, np.inf]))
    assert found == pytest.approx([given.effective] * 3 + [given.effective_worst] * 2, rel=1e-12)
    assert worth(np.full(7, 4), np.array([1.0, 2.5])).tolist() == [7.0, 7.0]
    assert worth(np.ones(5), 1.0).item() == 5.0


def test_the_worth_is_the_degrees_of_freedom_of_uneven_clusters():
    """20,000 evals of normal scores in 2 clusters of 15 and 18 of 5; 0.2 of their variance is
    shared in a cluster. 2 E(V)^2 / Var(V) of the CR2 variance is near what they are worth, less 1.
    CR2's own degrees of freedom, which suppose no share, are more.
    """
    rng = np.random.default_rng(11)
    sizes = np.array([15, 15] + [5] * 18)
    n = sizes.sum()
    shared = rng.normal(0.0, np.sqrt(0.2), (20_000, 20)) * sizes
    sums = shared + rng.normal(0.0, np.sqrt(0.8 * sizes), (20_000, 20))
    centred = sums - sums.sum(axis=1, keepdims=True) * sizes / n
    variance = (centred**2 / (1.0 - sizes / n)).sum(axis=1) / n**2
    df = 2.0 * variance.mean() ** 2 / variance.var()
    effect = 1.0 + 0.2 * ((sizes**2).sum() / n - 1.0)
    assert df == pytest.approx(worth(sizes, effect).item() - 1.0, rel=0.15)
    assert effective_clusters(np.repeat(np.arange(20), sizes)).df > 1.2 * df


def test_ends_have_the_moments_of_the_scores():
    """Means, variances and third moments of three models' common questions by numpy and scipy."""
    rng = np.random.default_rng(3)
    scores = rng.beta(3.0, 1.0, (200, 3))
    scores[:20, 0] = scores[170:, 2] = np.nan
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    for i, j, low, high in zip(first, second, *pair_ends(scores, first, second), strict=True):
        both = scores[:, [i, j]]
        both = both[~np.isnan(both).any(axis=1)]
        mean, gap = both.mean(), both[:, 0].mean() - both[:, 1].mean()
        variance, third = both.var(axis=0, ddof=1).mean(), scipy_stats.moment(both, 3).mean()
        bend = (1 + variance / (mean * (1 - mean))) / 2
        assert bend * ((mean - low) * (high - mean) - gap**2 / 4) == pytest.approx(variance)
        assert bend * (low + high - 2 * mean) == pytest.approx(third / variance)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.5, 1.0), (0.0, 0.9)])
def test_ends_of_scores_at_two_points(low, high):
    """9 of 10 high. Right and wrong: 0 and 1. Else the variance is not all that there could be, and
    the ends are farther apart than the points, by the formula.
    """
    mean, variance = 0.1 * low + 0.9 * high, 0.09 * (high - low) ** 2
    found = spread_ends(mean, variance, -0.072 * (high - low) ** 3)
    bend = (1 + variance / (mean * (1 - mean))) / 2
    slope = -0.8 * (high - low) / bend
    root = math.sqrt(slope**2 + 4 * variance / bend)
    assert found == pytest.approx([mean + (slope - root) / 2, mean + (slope + root) / 2])
    if (low, high) == (0.0, 1.0):
        assert found == pytest.approx([0.0, 1.0])


def test_scores_that_do_not_vary_have_no_ends():
    alike = np.full((30, 2), 0.3)
    assert np.isnan(pair_ends(alike, np.array([0]), np.array([1]))).all()


def in_clusters(shown: float) -> PairDesigns:
    """200,000 right and wrong answers to 40 clusters, of means 0.8 and no correlation."""
    one = {
        "method": "tango-effective", "n": 200_000.0, "clusters": 40.0, "df": 39.0,
        "se": math.sqrt(0.0015), "alone": 0.001, "mean_a": 0.8, "mean_b": 0.8,
        "correlation": 0.0, "apart": 0.32, "shown": shown,
        "bounded": True, "binary": True, "right": True,
    }  # fmt: skip
    return PairDesigns(**{name: np.array([value]) for name, value in one.items()})


def tails_of(d: PairDesigns):
    other = alternative(d)
    return grown(d, other, np.zeros(1), other.apart).tails


def test_what_clusters_add_has_the_tails_of_their_means():
    """SE^2 is 0.0015, 0.001 of it without clusters: a model's cluster means have the variance
    40 (0.0015 - 0.001) / 2 = 0.01, and scipy's excess kurtosis of Beta laws of it. The difference
    of two such has half of that, and a third of the variance is theirs.
    """
    excess = scipy_stats.beta.stats(0.8 * 15, 0.2 * 15, moments="k")  # .16 / .01 - 1 = 15
    found = tails_of(in_clusters(40.0))
    assert found.excess.item() == pytest.approx(float(excess) / 2 / 3**2, rel=1e-3)
    assert found.skew.item() == pytest.approx(0.0, abs=1e-6)  # the two have one law


def test_at_least_one_cluster_shows_a_difference():
    """40 clusters of which one shows it: the squared coefficient of variation is 40 / 1 - 1."""
    none = tails_of(in_clusters(40.0)).excess.item()
    for shown in (1.0, 0.5):
        found = tails_of(in_clusters(shown)).excess.item()
        assert found - none == pytest.approx(UNLIKE_BINARY * 39.0)
