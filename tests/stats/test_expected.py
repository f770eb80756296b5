"""Designs of models that are expected, and how their variance changes with the difference."""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.stats.planning.cluster_shares import sum_tails
from reportkit.stats.planning.clusters import clustered_omega_squared
from reportkit.stats.planning.detectable import Plan, detectable_difference, times_needed
from reportkit.stats.planning.expected import (
    KNOWN,
    clustered,
    expected_design,
    expected_pair,
    known,
)
from reportkit.stats.planning.expected_law import expected_growth, latent_of


def test_variances_follow_from_scores():
    """V = .16, noise .25 of it; Cov = .5 V: omega^2 = 2 (.12 - .08), sigma^2 = .04."""
    pair = expected_pair("binary", mean=0.8, noise=0.25, correlation=0.5)
    assert pair.omega2 == pytest.approx(0.08) and pair.sigma2_a == pytest.approx(0.04)
    assert pair.variance(1, 1) == pytest.approx(0.16) and pair.variance(4, 2) == pytest.approx(0.11)


def test_clusters_add_what_their_questions_share():
    """icc .05 of a difference with one answer: .05 * .16 for each of 9 others."""
    pair = expected_pair("binary", mean=0.8, noise=0.25, correlation=0.5, cluster_size=10, icc=0.05)
    assert pair.clustered_variance() == pytest.approx(0.16 + 9 * 0.05 * 0.16)
    assert pair.clustered_variance(4, 4) == pytest.approx(0.08 + 0.02 + 9 * 0.05 * 0.16)
    assert clustered_omega_squared(pair.omega2, pair.icc, 10) == pytest.approx(0.08 + 0.072)


def test_how_far_apart_the_answers_to_a_question_are():
    """Right and wrong, one answer each: E|a - b| is E(a - b)^2 = 2 * .16 * .5. Shares: by 400,000
    pairs of scores drawn as Phi of correlated normals, with the correlations that give their
    variance and covariance. The variance of |d| in squares of its mean lowers the effective number
    of clusters that show a difference: of means of 10, a tenth of that.
    """
    single = expected_design(expected_pair("binary", mean=0.8, correlation=0.5))
    assert single.apart.item() == pytest.approx(0.16)
    pair = expected_pair("share", mean=0.6, variance=0.1, correlation=0.4, cluster_size=10)
    shares = expected_design(pair)
    own, both = np.tanh(latent_of(0.6, np.array([0.1, 0.04])))
    normals = [[own, both], [both, own]]
    z = np.random.default_rng(8).multivariate_normal([0.0, 0.0], normals, 400_000)
    scores = scipy_stats.norm.cdf((scipy_stats.norm.ppf(0.6) + z) / math.sqrt(1.0 - own))
    assert scores.var() == pytest.approx(0.1, rel=0.01)
    size = np.abs(scores[:, 0] - scores[:, 1])
    assert shares.apart.item() == pytest.approx(size.mean(), rel=0.01)
    expected = KNOWN / 10 / (1 + size.var() / size.mean() ** 2 / 10)
    assert shares.shown.item() == pytest.approx(expected, rel=0.01)


def test_how_far_apart_answers_without_bounds_are():
    """A difference of variance 1 that is normal: E|d| = sqrt(2 / pi) by scipy's half-normal law."""
    pair = expected_pair("free", variance=1.0, correlation=0.5)
    assert expected_design(pair).apart.item() == pytest.approx(scipy_stats.halfnorm.mean())


def test_without_bounds_a_plan_is_the_noncentral_t():
    """n questions by statsmodels' TTestPower for sd 1 and a difference of 0.2: 198.15."""
    pair = expected_pair("free", variance=1.0, correlation=0.5)  # a difference of variance 1
    times = float(times_needed(expected_design(pair), 0.2, Plan())[0])
    assert times * KNOWN == pytest.approx(198.15, abs=0.4)


@pytest.mark.parametrize(("difference", "epochs"), [(0.0, 1), (0.1, 1), (0.1, 4), (0.3, 2)])
def test_the_variance_at_a_difference_by_simulation(difference, epochs):
    """400,000 questions of two models in clusters of 5, drawn from the latent normals."""
    given = {"mean": 0.8, "noise": 0.4, "correlation": 0.3, "icc": 0.05, "icc_scores": 0.15}
    pair = expected_pair("binary", cluster_size=5, **given)
    law = expected_design(pair, epochs, epochs).law
    growth = expected_growth(law, np.array([0.8]), np.array([difference]))
    n, m, rng = 400_000, 5, np.random.default_rng(1)
    joint = 0.05 * 2 * 0.16 * (1 - 0.3) / 2  # of each model alone: half of what differences share
    within, crossed, models, question = (
        np.tanh(latent_of(0.8, np.array([c]))[0])
        for c in (0.15 * 0.16, 0.15 * 0.16 - joint, 0.3 * 0.16, 0.6 * 0.16)
    )

    def normal(per_cluster: bool) -> np.ndarray:
        if per_cluster:
            return np.repeat(rng.standard_normal(n // m), m)
        return rng.standard_normal(n)

    both = math.sqrt(crossed) * normal(True) + math.sqrt(models - crossed) * normal(False)
    scores = []
    for mean in (0.8, 0.8 - difference):
        own = math.sqrt(within - crossed) * normal(True)
        rest = question - models - (within - crossed)
        own += math.sqrt(rest) * normal(False)
        answers = [
            scipy_stats.norm.ppf(mean) + both + own + math.sqrt(1 - question) * normal(False) > 0
            for _ in range(epochs)
        ]
        scores.append(np.mean(answers, axis=0))
    gap = scores[0] - scores[1]
    sums = (gap - gap.mean()).reshape(-1, m).sum(axis=1)
    planned = pair.clustered_variance(epochs, epochs) * growth.variance[0]
    assert planned == pytest.approx(sums.var() / m, rel=0.015)
    alone = pair.variance(epochs, epochs) * growth.plain[0]
    assert alone == pytest.approx(gap.var(), rel=0.01)
    if epochs > 1:
        return  # the tails of means of answers within a cluster are alternative's
    tails = growth.tails
    assert tails.skew.item() == pytest.approx(scipy_stats.skew(sums), abs=0.05)
    assert tails.excess.item() == pytest.approx(scipy_stats.kurtosis(sums), abs=0.3)


def test_the_tails_of_growth_are_those_of_a_cluster_of_its_size():
    """Those of sum_tails, which test_cluster_shares draws, with a cluster's two questions."""
    given = {"mean": 0.8, "noise": 0.4, "correlation": 0.3, "icc": 0.05, "icc_scores": 0.15}
    pair = expected_pair("binary", cluster_size=2, **given)
    high, low = np.array([0.8]), np.array([0.6])
    growth = expected_growth(expected_design(pair).law, high, high - low)
    joint = 0.05 * 2 * 0.16 * (1 - 0.3) / 2  # of each model alone: half of what differences share
    own, both = (np.tanh(latent_of(0.8, np.array([0.15 * 0.16 - c]))) for c in (0.0, joint))
    alone = pair.variance(1, 1) * growth.plain
    of_two, of_three = (sum_tails(high, low, own, both, np.array([m]), alone) for m in (2.0, 3.0))
    assert growth.tails.skew == pytest.approx(of_two.skew, rel=1e-3)
    assert growth.tails.excess == pytest.approx(of_two.excess, rel=1e-3)
    assert abs(of_three.skew / of_two.skew - 1.0) > 0.05


def test_hard_clusters_cost_a_worse_model_more():
    """Without an ICC of scores a difference brings no variance between clusters of its own."""
    given = {"mean": 0.9, "correlation": 0.3, "cluster_size": 20, "icc": 0.02, "noise": 0.2}
    alike, unlike = (
        expected_design(expected_pair("binary", icc_scores=icc, **given)) for icc in (0.0, 0.2)
    )
    at = np.array([0.9]), np.array([0.1])
    less, more = (expected_growth(d.law, *at) for d in (alike, unlike))
    assert more.variance > less.variance
    assert more.tails.skew > less.tails.skew
    found = [float(detectable_difference(d, Plan(200 / KNOWN))[0]) for d in (alike, unlike)]
    assert found[1] > found[0]


def test_an_observed_design_that_counts_as_known_needs_fewer_questions():
    """known leaves n SE^2 and the clusters' share as they are."""
    pair = expected_pair("share", mean=0.6, variance=0.1, correlation=0.4)
    small = known(expected_design(pair), 100 / KNOWN)
    assert small.n[0] == pytest.approx(100) and small.df[0] == pytest.approx(99)
    assert small.n[0] * small.se[0] ** 2 == pytest.approx(pair.variance())
    again = known(small)
    assert times_needed(small, 0.1, Plan())[0] * 100 > times_needed(again, 0.1, Plan())[0] * 1e9


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"answers": "other"}, "is not one of binary, share, free"),
        ({"answers": "free", "variance": 0.0}, "nothing to plan"),
        ({"answers": "binary", "mean": 0.5, "icc_scores": 2.0}, "of scores of 2 is none"),
        ({"answers": "binary", "mean": 0.5, "cluster_size": 0.5}, "at least one"),
    ],
)
def test_what_cannot_be_expected(said, why):
    with pytest.raises(ValueError, match=why):
        expected_pair(**said)


def test_one_question_to_a_cluster_is_no_cluster():
    pair = expected_pair("binary", mean=0.7, correlation=0.3, noise=0.2)
    assert clustered(pair, 1.0, 0.3, 0.5).icc == 0.0
