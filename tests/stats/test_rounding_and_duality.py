"""What a cold reading of the statistics found: rounding that passed for a difference, p-values that
changed with the level.
"""

import math

import numpy as np
import pytest
from scipy import special
from support.close import alike

from reportkit import stats
from reportkit.stats.means.proportions import wilson_ends

Z2 = 1.959963984540054**2
RNG_ANSWERS = np.round(np.random.default_rng(1).random((60, 3)), 1)


# Rounding is not a difference ---------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1.0, 73.0])
def test_the_same_answers_in_another_order_are_no_difference(scale):
    e = RNG_ANSWERS * scale
    a, b = (e[:, 0] + e[:, 1] + e[:, 2]) / 3, (e[:, 2] + e[:, 1] + e[:, 0]) / 3
    assert (a != b).any()  # by their last bit
    d = stats.paired_difference(a, b, share=scale == 1.0)
    assert (d.estimate.value, d.estimate.se, d.p_value) == (0.0, 0.0, 1.0)
    assert alike(d, stats.paired_difference(a, a, share=scale == 1.0))
    pairs = stats.all_pairs(np.column_stack([a, b, 1.0 - a]), share=scale == 1.0)
    assert (pairs.difference[0], pairs.se[0], pairs.p_value[0]) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("n", [4, 10, 60])
def test_a_constant_difference_of_large_scores_has_no_interval(n):
    b = np.round(np.random.default_rng(n).random(n) * 100, 1)
    a = b + 0.1  # rounded to the digits of 100: the differences vary by 1e-14
    assert len(set(a - b)) > 1
    d = stats.paired_difference(a, b)
    assert d.estimate.se == 0.0 and d.interval.method == "none" and math.isnan(d.p_value)
    pairs = stats.all_pairs(np.column_stack([a, b]))
    assert pairs.se[0] == 0.0 and pairs.method[0] == "none" and math.isnan(pairs.p_value[0])


def test_differences_that_cancel_in_every_cluster_are_no_difference():
    # 0 in threes, but for rounding
    d = np.array([0.1, 0.2, -0.3, -0.1, 0.3, -0.2, 0.1, 0.1, -0.2] * 5)
    b = np.full(len(d), 0.5)
    clusters = np.repeat(np.arange(15), 3)
    one = stats.paired_difference(b + d, b, clusters, share=True)
    assert (one.estimate.value, one.estimate.se, one.p_value) == (0.0, 0.0, 1.0)
    assert one.interval.low == -one.interval.high < 0.0
    pairs = stats.all_pairs(np.column_stack([b + d, b]), clusters, share=True)
    assert (pairs.difference[0], pairs.se[0], pairs.p_value[0]) == (0.0, 0.0, 1.0)
    assert alike(float(pairs.high[0]), one.interval.high)


@pytest.mark.parametrize("missing", [False, True])
def test_a_model_that_is_constant_but_for_rounding_has_no_correlation(missing):
    rng = np.random.default_rng(3)
    s = np.column_stack([np.where(rng.random(40) < 0.5, 0.1 + 0.2, 0.3), rng.random(40)])
    if missing:
        s[:5, 1] = np.nan
    assert len(set(s[:, 0])) == 2
    assert np.isnan(stats.all_pairs(s, share=True).correlation).all()
    assert math.isnan(stats.correlation(s[5:, 0], s[5:, 1]))


# Intervals and p-values ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_p_values_do_not_depend_on_the_level_and_agree_with_each_interval(seed):
    """Clusters that err less together than chance: the effective questions are limited to the
    questions there are.
    """
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(5), 6)
    a = np.tile([1.0, 0.0, 1.0, 1.0, 0.0, 1.0], 5)
    b = np.where(rng.random(30) < 0.8, a, 1.0 - a)
    found = {
        level: stats.paired_difference(a, b, clusters, binary=True, level=level)
        for level in (0.3, 0.5, 0.8, 0.9, 0.95, 0.99, 0.9999)
    }
    p = found[0.95].p_value
    for level, d in found.items():
        assert d.interval.method == "tango-effective"
        assert d.p_value == pytest.approx(p, rel=1e-12)
        assert (d.interval.low <= 0.0 <= d.interval.high) == (p >= 1.0 - level)


def test_p_value_by_hand_where_the_effective_questions_are_limited():
    """Gains and losses cancel within clusters, which makes the SE small: p is that of McNemar, 2
    Phi(-6 / sqrt 10).
    """
    clusters = np.repeat(np.arange(8), 4)
    d = np.tile([1.0, -1.0, 0.0, 0.0], 8)
    d[[1, 5, 9, 13]], d[[17, 21]] = 0.0, 0.0  # gains 8, losses 2
    a, b = np.maximum(d, 0.0), np.maximum(-d, 0.0)
    one = stats.paired_difference(a, b, clusters, binary=True)
    z = 6.0 / math.sqrt(10.0)
    by_cluster = one.estimate.value / one.estimate.se
    assert by_cluster > z  # clusters make it look more certain than independent questions would be
    assert one.p_value == pytest.approx(2.0 * special.ndtr(-z), rel=1e-12)


def test_clusters_of_one_question_are_no_clusters():
    rng = np.random.default_rng(0)
    a, b = (rng.random((2, 40)) < 0.6).astype(float)
    names = np.array([f"c{k}" for k in range(40)])
    assert alike(stats.mean_interval(a, names, binary=True), stats.mean_interval(a, binary=True))
    alone = stats.paired_difference(a, b, binary=True)
    assert alike(stats.paired_difference(a, b, names, binary=True), alone)
    assert alone.interval.method == "tango"
    pairs = stats.all_pairs(np.column_stack([a, b]), names, binary=True)
    assert alike(float(pairs.low[0]), alone.interval.low) and pairs.method[0] == "tango"
    assert alike(float(pairs.p_value[0]), alone.p_value)


def test_an_interval_mirrors_at_a_mean_of_one_half_in_uneven_clusters():
    a = np.array([1.0, 1, 0, 0, 0, 1, 0, 1])
    clusters = np.array([3, 1, 0, 2, 3, 1, 3, 3])
    one = stats.mean_interval(a, clusters, binary=True)
    other = stats.mean_interval(1.0 - a, clusters, binary=True)
    assert (other.low, other.high) == (pytest.approx(1.0 - one.high), pytest.approx(1.0 - one.low))


@pytest.mark.parametrize("a", [[1.0, 0, 1, 0], [1.0, 1, 1], [0.0, 1, 1, 0, 1]])
def test_unpaired_models_with_equal_means(a):
    d = stats.unpaired_difference(np.array(a), np.array(a[::-1]), binary=True)
    assert (d.estimate.value, d.p_value) == (0.0, 1.0)
    assert d.interval.low == -d.interval.high < 0.0


@pytest.mark.parametrize("a", [np.full(6, 0.7), np.array([0.2, 0.7])])
def test_unpaired_share_without_an_interval_of_its_own_has_none_of_the_difference(a):
    """A model that is constant, or of two questions, says nothing about its own spread."""
    d = stats.unpaired_difference(a, np.random.default_rng(0).random(9), share=True)
    assert d.interval.method == "none" and math.isnan(d.interval.low) and math.isnan(d.p_value)


@pytest.mark.parametrize("df", [1.0, 2.8, 9.0, 60.0, 1000.0])
def test_power_of_large_effects(df):
    """scipy's noncentral t is nan far out; E Phi(shift - t s) over s^2 = chi2 / df, by Gauss's
    rule, is not.
    """
    nodes, weights = special.roots_legendre(400)
    s = np.sqrt(2.0 / df * special.gammaincinv(df / 2.0, (1.0 + nodes) / 2.0))
    t = special.stdtrit(df, 0.975)
    for shift in np.arange(0.0, 45.0, 0.75):
        by_hand = weights / 2.0 @ (special.ndtr(shift - t * s) + special.ndtr(-shift - t * s))
        assert stats.power(shift, 1.0, df=df) == pytest.approx(by_hand, abs=2e-5)


@pytest.mark.parametrize(
    ("scores", "clusters", "answers", "groups"),
    [([1.0, 0, 1, 0, 0, 1], ["x", "x", "y", "y", "z", "z"], 6, 3), ([0.5] * 4, None, 8, 4)],
)
def test_binary_scores_alike_in_every_cluster_are_so_many_answers(
    scores, clusters, answers, groups
):
    """An SE of 0 says that clusters agree, not that nothing is uncertain: Wilson's interval of half
    of G answers.
    """
    scores, clusters = np.array(scores), None if clusters is None else np.array(clusters)
    assert stats.mean_estimate(scores, clusters).se == 0.0
    found = stats.mean_interval(scores, clusters, binary=True, share=True, n_answers=answers)
    half = 0.5 * math.sqrt(Z2 / (groups + Z2))  # (z / 2n) sqrt(n + z^2) / (1 + z^2 / n)
    assert found.low <= 0.5 - half + 1e-12 and found.high == pytest.approx(1.0 - found.low)
    assert tuple(map(float, wilson_ends(0.5, groups))) == (
        pytest.approx(0.5 - half),
        pytest.approx(0.5 + half),
    )
    # a constant that is not binary
    assert math.isnan(stats.mean_interval(np.full(8, 0.5), share=True).low)
