"""Newcombe's paired interval, F1, Wilcoxon's W+ and the difference of all available answers,
against published examples, scipy, statsmodels and definitions written out again.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from reportkit import stats

# Newcombe's paired interval -----------------------------------------------------------------------


def test_airway_hyper_responsiveness():
    """Bentur et al. 2009, 1/1/7/12: (-0.507, -0.026) in Fagerland, Lydersen & Laake 2014."""
    i = stats.newcombe_paired_interval(1, 1, 7, 12)
    assert (round(i.low, 3), round(i.high, 3)) == (-0.507, -0.026)


@pytest.mark.parametrize(
    "table",
    [(36, 12, 2, 0), (14, 5, 0, 22), (1, 7, 1, 12), (20, 0, 0, 5), (0, 3, 4, 0), (9, 1, 1, 9)],
)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_newcombe_by_definition(table, level):
    """Method 10 written out again on Wilson's intervals of statsmodels."""
    a, b, c, d = table
    n = sum(table)
    p1, p2 = (a + b) / n, (a + c) / n
    (l1, u1), (l2, u2) = (
        proportion_confint(k, n, 1 - level, method="wilson") for k in (a + b, a + c)
    )
    product = a * d - b * c
    corrected = product if product <= 0 else max(product - n / 2, 0)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    phi = corrected / math.sqrt(margins) if margins else 0.0
    delta = math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    epsilon = math.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
    found = stats.newcombe_paired_interval(*table, level)
    theta = (b - c) / n
    assert found.low == pytest.approx(theta - delta, abs=1e-12)
    assert found.high == pytest.approx(theta + epsilon, abs=1e-12)
    swapped = stats.newcombe_paired_interval(a, c, b, d, level)
    assert (swapped.low, swapped.high) == (pytest.approx(-found.high), pytest.approx(-found.low))
    assert -1.0 <= found.low <= theta <= found.high <= 1.0


@pytest.mark.parametrize(
    "table", [(0, 0, 0, 0), (1, -1, 2, 3), (0.5, 1, 2, 3), (math.nan, 1, 2, 3)]
)
def test_what_are_no_counts(table):
    with pytest.raises(ValueError, match="are no counts of questions; give four whole numbers"):
        stats.newcombe_paired_interval(*table)


# F1 -----------------------------------------------------------------------------------------------


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    tp, fp, fn = 30, 10, 20
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    assert stats.f1_score(tp, fp, fn) == pytest.approx(2 / (1 / precision + 1 / recall))
    assert stats.f1_score(0, 3, 0) == 0.0 and stats.f1_score(5, 0, 0) == 1.0
    assert math.isnan(stats.f1_score(0, 0, 0))
    with pytest.raises(ValueError, match="tp=1, fp=-1, fn=0: counts cannot be negative"):
        stats.f1_score(1, -1, 0)


# Wilcoxon's W+ ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_w_plus_is_scipys(seed):
    d = np.random.default_rng(seed).integers(-4, 6, 20).astype(float)
    found = stats.signed_ranks(d)
    theirs = scipy_stats.wilcoxon(d, alternative="greater", method="asymptotic")
    assert found.positive == theirs.statistic  # W+, where the alternative is one-sided
    assert min(found.positive, found.negative) == scipy_stats.wilcoxon(d, method="approx").statistic
    n = int((d != 0).sum())
    assert found.n == n and found.positive + found.negative == n * (n + 1) / 2


def test_no_difference_has_no_ranks():
    assert stats.signed_ranks(np.zeros(3)) == stats.SignedRanks(0.0, 0.0, 0)


# All available answers ----------------------------------------------------------------------------


def scores(seed, n=60, lost=0.2):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    a, b = x + rng.normal(size=n), x + 0.3 + rng.normal(size=n)
    a[rng.random(n) < lost], b[rng.random(n) < lost] = np.nan, np.nan
    return a, b


def test_without_a_missing_score_it_is_equation_7():
    a, b = scores(1, lost=0.0)
    labels = np.arange(60) // 4
    for clusters, se in ((None, "clt"), (labels, "cr1")):
        one = stats.available_difference(a, b, clusters)
        two = stats.paired_difference(a, b, clusters, se=se, share=False)
        assert one.estimate.se == pytest.approx(two.estimate.se, rel=1e-12)
        assert one.estimate.df == two.estimate.df
        assert one.p_value == pytest.approx(two.p_value, rel=1e-9)
        assert one.interval.low == pytest.approx(two.interval.low, rel=1e-9)


def test_no_common_question_is_the_unpaired_se():
    rng = np.random.default_rng(2)
    a, b = np.r_[rng.normal(size=9), [np.nan] * 6], np.r_[[np.nan] * 9, rng.normal(size=6)]
    found = stats.available_difference(a, b)
    expected = math.sqrt(np.nanvar(a, ddof=1) / 9 + np.nanvar(b, ddof=1) / 6)
    assert found.estimate.se == pytest.approx(expected, rel=1e-12) and found.estimate.df == 5
    assert math.isnan(found.correlation)


def test_s5_by_definition():
    a, b = scores(3)
    has_a, has_b = ~np.isnan(a), ~np.isnan(b)
    both = has_a & has_b
    covariance = ((a[both] - a[both].mean()) * (b[both] - b[both].mean())).sum() / (both.sum() - 1)
    variance = (
        a[has_a].var(ddof=1) / has_a.sum()
        + b[has_b].var(ddof=1) / has_b.sum()
        - 2 * both.sum() * covariance / (has_a.sum() * has_b.sum())
    )
    found = stats.available_difference(a, b)
    assert found.estimate.value == pytest.approx(np.nanmean(a) - np.nanmean(b), rel=1e-12)
    assert found.estimate.se == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert found.estimate.n_questions == (has_a | has_b).sum()
    t = scipy_stats.t(min(has_a.sum(), has_b.sum()) - 1)
    assert found.p_value == pytest.approx(
        2 * t.sf(abs(found.estimate.value) / found.estimate.se), rel=1e-9
    )
    # Every question its own cluster: no clusters, to the last digit.
    assert stats.available_difference(a, b, np.arange(60)) == found


def test_it_covers_where_scores_are_missing_at_random():
    """1,000 simulated pairs with a true difference of -0.3; three simulation errors are .021."""
    held = [
        i.low <= -0.3 <= i.high
        for i in (stats.available_difference(*scores(1000 + k)).interval for k in range(1000))
    ]
    assert abs(np.mean(held) - 0.95) < 0.021


@pytest.mark.parametrize("unit", [1.0, 100.0])
def test_no_difference_of_shares_goes_beyond_the_scale(unit):
    """1 1 1 1 and 0 0 0 0 1, of which two questions are common: 0.8 with an SE of 0.2 and three
    degrees of freedom ends at 1.44 on a scale that ends at 1.
    """
    nan = math.nan
    a = unit * np.array([1.0, 1, 1, 1, nan, nan, nan])
    b = unit * np.array([nan, nan, 0.0, 0, 0, 0, 1])
    found = stats.available_difference(a, b)
    assert (found.estimate.value, found.estimate.se) == pytest.approx((0.8 * unit, 0.2 * unit))
    t = scipy_stats.t.interval(0.95, 3, 0.8, 0.2)
    assert t[1] > 1.4 and found.interval.high == unit
    assert found.interval.low == pytest.approx(t[0] * unit)
    own_units = stats.available_difference(a, b, share=False).interval
    assert own_units.high == pytest.approx(t[1] * unit)


def test_three_questions_of_a_model_have_no_interval():
    """As in paired_difference: t of so few shares is too sure or says nothing (-1,516 points)."""
    a, b = np.array([1.0, 0.5, 0.9, math.nan]), np.array([0.2, 0.4, 0.1, 0.6])
    found = stats.available_difference(a, b)
    assert found.estimate.se > 0.0 and math.isnan(found.p_value)
    assert found.interval.method == "none"


def test_a_difference_that_cannot_be_had():
    nan = math.nan
    one = stats.available_difference(np.array([1.0, nan]), np.array([0.0, 1.0]))
    assert one.estimate.value == 0.5 and math.isnan(one.estimate.se) and math.isnan(one.p_value)
    with pytest.raises(ValueError, match="a model has no score at all"):
        stats.available_difference(np.array([nan, nan]), np.array([0.0, 1.0]))
    cluster = stats.available_difference(np.arange(3.0), np.ones(3), np.zeros(3))
    assert math.isnan(cluster.estimate.se) and cluster.interval.method == "none"


def test_clusters_with_missing_scores_by_definition():
    """The sandwich of the sum, cluster by cluster: what a model lacks adds nothing to it."""
    a, b = scores(4)
    a[:8] = np.nan  # two clusters of which one model has nothing
    labels = np.arange(60) // 4
    n_a, n_b = np.count_nonzero(~np.isnan(a)), np.count_nonzero(~np.isnan(b))
    total = 0.0
    for c in range(15):
        psi = 0.0
        for x, y in zip(a[labels == c], b[labels == c], strict=True):
            psi += 0.0 if np.isnan(x) else (x - np.nanmean(a)) / n_a
            psi -= 0.0 if np.isnan(y) else (y - np.nanmean(b)) / n_b
        total += psi**2
    found = stats.available_difference(a, b, labels)
    assert found.estimate.se == pytest.approx(math.sqrt(15 / 14 * total), rel=1e-12)
    assert (found.estimate.df, found.estimate.n_clusters) == (12, 15)  # 13 clusters, less 1
    both = ~np.isnan(a) & ~np.isnan(b)
    expected = scipy_stats.pearsonr(a[both], b[both]).statistic
    assert found.correlation == pytest.approx(expected, rel=1e-12)


def test_two_questions_are_enough_for_an_error():
    """(1, 0) and (1, 1) of two common questions: variances 1/2 and 0, covariance 0, so the SE is
    root(1/4); of (1, 0) twice, variances and covariance are 1/2, and the SE is 0.
    """
    one = stats.available_difference(np.array([1.0, 0.0]), np.array([1.0, 1.0]))
    assert (one.estimate.value, one.estimate.se, one.estimate.df) == (-0.5, 0.5, 1.0)
    same = stats.available_difference(np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    assert same.estimate.se == 0.0
    # one common question has no covariance: 1/2 / 2 + 1/2 / 2
    nan = math.nan
    apart = stats.available_difference(np.array([1.0, 0.0, nan]), np.array([nan, 1.0, 0.0]))
    assert apart.estimate.se == pytest.approx(math.sqrt(0.5), rel=1e-12)


def test_what_is_no_score_is_named():
    """Not a number that numpy makes of it, nor numpy's own error."""
    with pytest.raises(ValueError, match="1 of 6 scores are infinite"):
        stats.available_difference([1.0, 0.0, math.inf], [1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="the models answered 1 and 3 questions"):
        stats.paired_difference(None, [1.0, 0.0, 1.0])
