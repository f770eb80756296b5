"""The law of clusters' differences against scipy's multivariate normal and simulation; Tango's
statistic beyond t by simulation.
"""

from itertools import product

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.stats.planning.assured import assured, beyond_t
from reportkit.stats.planning.cluster_shares import (
    NODES,
    ClusterShares,
    cluster_shares,
    mean_over,
    sum_tails,
    unlike_clusters,
)
from reportkit.stats.planning.expected_law import mean_apart

ONE = np.ones(1)


def shares(first: float, second: float, own: float, both: float, size: float, alone: float):
    return cluster_shares(*(v * ONE for v in (first, second, own, both, size, alone)))


@pytest.mark.parametrize(("own", "both"), [(0.05, 0.03), (0.3, 0.15), (0.4, 0.0)])
def test_moments_of_the_clusters_differences_are_orthants(own, both):
    """E D^3 is a sum of chances that three answers to a cluster's questions are right, by scipy's
    trivariate normal, which errs by 1e-5 in each of 8; E D^2 that of two.
    """
    at = {"a": scipy_stats.norm.ppf(0.9), "b": scipy_stats.norm.ppf(0.75)}

    def moment(k: int) -> float:
        total = 0.0
        for models in product("ab", repeat=k):
            r = np.array([[own if x == y else both for y in models] for x in models])
            np.fill_diagonal(r, 1.0)
            right = scipy_stats.multivariate_normal(cov=r, seed=1).cdf([at[x] for x in models])
            total += (-1) ** models.count("b") * float(right)
        return total

    found = shares(at["a"], at["b"], own, both, 10, 0.2)
    assert mean_over(found.gap).item() == pytest.approx(0.15, abs=1e-4)
    assert mean_over(found.gap**2).item() == pytest.approx(moment(2), rel=1e-3)
    assert mean_over(found.gap**3).item() == pytest.approx(moment(3), abs=1e-4)


@pytest.mark.parametrize(
    ("low", "own", "both"), [(0.75, 0.3, 0.15), (0.85, 0.1, 0.08), (0.5, 0.6, 0.3)]
)
def test_sums_of_clusters_by_simulation(low, own, both):
    """200,000 clusters of 20 right and wrong answers; questions of a cluster are independent, and
    so are the two models on one question, given the cluster.
    """
    rng, clusters, m = np.random.default_rng(3), 200_000, 20
    u, *own_effects = rng.standard_normal((3, clusters))
    p = [
        scipy_stats.norm.cdf(
            (scipy_stats.norm.ppf(mean) + np.sqrt(both) * u + np.sqrt(own - both) * w)
            / np.sqrt(1 - own)
        )
        for mean, w in zip((0.9, low), own_effects, strict=True)
    ]
    only_a, only_b, _ = rng.multinomial(
        m, np.stack([p[0] * (1 - p[1]), p[1] * (1 - p[0]), 1 - p[0] - p[1] + 2 * p[0] * p[1]], -1)
    ).T
    sums, differ = only_a - only_b, (only_a + only_b) / m
    # of one question: independent given the cluster
    alone = float(differ.mean() - (sums.mean() / m) ** 2)
    tails = sum_tails(*(v * ONE for v in (0.9, low, own, both, m, alone)))
    assert tails.skew.item() == pytest.approx(scipy_stats.skew(sums), abs=0.03)
    assert tails.excess.item() == pytest.approx(scipy_stats.kurtosis(sums), abs=0.1)
    found = shares(*scipy_stats.norm.ppf([0.9, low]), own, both, m, alone)
    unlike = unlike_clusters(found, differ.mean() * ONE, ONE).item()
    assert unlike == pytest.approx(differ.var() / differ.mean() ** 2, rel=0.06)


def test_a_pair_has_the_same_tails_whatever_is_beside_it():
    """Plans of a curve and of a table are solved in other company."""
    many = [np.linspace(a, b, 7) for a, b in ((0.6, 0.95), (0.5, 0.8), (0.99, 0.2), (0.98, 0))]
    rest = np.full(7, 10.0), np.full(7, 0.3)
    together = sum_tails(*many, *rest)
    for i in range(7):  # of three grids
        alone = sum_tails(*(v[i : i + 1] for v in (*many, *rest)))
        assert together.skew[i] == alone.skew[0] and together.excess[i] == alone.excess[0]


@pytest.mark.parametrize(("a", "b"), [(2.0, 2.0), (9.0, 1.0), (1.0, 1.0)])
def test_how_far_apart_independent_scores_are(a, b):
    """Gini's mean difference of Beta(a, b), by scipy's distribution function: twice the integral of
    F (1 - F). Scores are Phi of a normal here: alike to 3%.
    """
    mean, variance = (float(v) for v in scipy_stats.beta.stats(a, b))
    x = np.linspace(0.0, 1.0, 100_001)
    f = scipy_stats.beta.cdf(x, a, b)
    gini = 2.0 * float(np.mean(f * (1.0 - f)))
    assert mean_apart(mean, variance, 0.0) == pytest.approx(gini, rel=0.03)


@pytest.mark.parametrize(("df", "apart"), [(7, 0.4), (7, 1.0), (19, 0.4), (99, 0.12)])
def test_tangos_statistic_is_found_as_often_as_planned(df, apart):
    """10^6 evals: a normal difference, chi-squared over df for its SE^2, and a mean |a - b| that
    goes with the difference as that of independent questions does. Planned 80%, to 0.02; without
    beyond_t 0.70 of the first are found, and 0.79 of the last.
    """
    rng, level, se = np.random.default_rng(5), 0.95, 0.1 if apart > 0.2 else 0.03
    plan = assured(float(df))
    ratio = float(plan.ratio)
    for _ in range(40):
        more = beyond_t(ratio * se * ONE, se * ONE, apart * ONE, plan.edge * ONE)
        ratio = float(plan.ratio) + more.item()
    true = ratio * se
    value = true + se * rng.standard_normal(1_000_000)
    given = se * np.sqrt(rng.chisquare(df, 1_000_000) / df)
    of_eval = np.maximum(apart + true / apart * (value - true), np.abs(value))
    statistic = value * np.sqrt(np.maximum(1.0 - value**2 / of_eval, 0.0)) / given
    t = scipy_stats.t.ppf((1 + level) / 2, df)
    assert (statistic > t).mean() == pytest.approx(0.8, abs=0.02)
    assert (np.abs(value) / given > t).mean() > (statistic > t).mean() + 0.01


def test_how_unlike_clusters_are_that_differ_by_chance_alone():
    """All clusters alike, and (a - b)^2 has the mean .2: |a - b| with the mean .35 varies by
    .2 - .35^2 within clusters of 10, and by nothing between them.
    """
    alike = cluster_shares(ONE, ONE, 0.0 * ONE, 0.0 * ONE, 10.0 * ONE, 0.2 * ONE)
    found = unlike_clusters(alike, 0.35 * ONE, 0.0 * ONE).item()
    assert found == pytest.approx((0.2 - 0.35**2) / 10 / 0.35**2)


@pytest.mark.parametrize(("part", "power"), [(0.0, 1.0), (0.5, 2.25), (1.0, 4.0)])
def test_how_unlike_clusters_are_whose_squares_are_lognormal(part, power):
    """With (a - b)^2 of exp(2 s Z) in a cluster, |a - b| goes with exp(2 h s Z), h = (1 + part)/2.
    The mean of exp(t Z) is exp(t^2 / 2), so its squared coefficient of variation is
    exp((2 h s)^2) - 1.
    """
    s = 0.3
    wide = np.exp(2.0 * s * NODES)[:, None, None] * np.ones((1, 7, 7, 7))
    square = np.exp(2.0 * s**2) * ONE
    clusters = ClusterShares(0.0 * wide, wide, 1e12 * ONE, square)  # all is between such clusters
    found = unlike_clusters(clusters, 0.8 * ONE, part * ONE).item()
    assert found == pytest.approx(np.expm1(power * s**2), rel=1e-4)
