"""The change of a mean between two rounds: against enumeration, McNemar's test and scipy."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit import stats
from reportkit.stats.changes import (
    Change,
    answer_variance,
    from_interval,
    overall_change,
    paired_change,
    unpaired_change,
)
from reportkit.stats.means.mean import Estimate


def test_of_right_and_wrong_answers_it_is_mcnemars_test():
    """14 questions got worse and 5 better: z = 9 / sqrt(19), by hand and by the house's own."""
    old = np.r_[np.ones(14), np.zeros(5), np.ones(50), np.zeros(31)]
    new = np.r_[np.zeros(14), np.ones(5), np.ones(50), np.zeros(31)]
    change = paired_change(old, new)
    assert change.estimate.value == pytest.approx(-0.09)
    assert change.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(9.0 / math.sqrt(19.0)))
    assert change.p_value == pytest.approx(stats.paired_difference(new, old).p_value)
    assert change.estimate == stats.paired_difference(new, old).estimate


@pytest.mark.parametrize("clustered", [False, True])
def test_the_variance_is_that_of_all_ways_to_swap_the_rounds(clustered):
    """Each question (each cluster) could have had its two rounds in the other order: over all 2^G
    orders the change has a mean of 0 and this standard deviation.
    """
    rng = np.random.default_rng(5)
    old, new = rng.random((2, 12)).round(2)
    clusters = np.repeat(np.arange(6), 2) if clustered else None
    units = clusters if clustered else np.arange(12)
    values = []
    for signs in itertools.product((-1.0, 1.0), repeat=int(units.max()) + 1):
        values.append(float((np.array(signs)[units] * (new - old)).mean()))
    assert paired_change(old, new, clusters).null_se == pytest.approx(np.std(values), rel=1e-12)


def test_the_normal_is_not_below_what_all_orders_give_far_out():
    """All 14 changes go one way: 2 of the 2^14 orders are as extreme, and p is not smaller."""
    old, new = np.ones(14), np.zeros(14)
    assert paired_change(old, new).p_value >= 2.0 * 2.0**-14
    assert paired_change(old, new).p_value == pytest.approx(
        2.0 * scipy_stats.norm.sf(math.sqrt(14.0))
    )


def test_rounding_of_means_is_no_change():
    old, new = np.full(9, 0.1 + 0.2), np.full(9, 0.3)
    change = paired_change(old, new)
    assert (change.estimate.value, change.estimate.se, change.null_se) == (0.0, 0.0, 0.0)
    assert math.isnan(change.p_value)


def test_rounds_of_other_lengths_are_refused():
    with pytest.raises(ValueError, match="3 and 2 questions"):
        paired_change(np.ones(3), np.ones(2))


@pytest.mark.parametrize(("k", "m"), [(1, 1), (1, 3), (2, 3)])
def test_the_variance_by_answers_is_that_of_all_ways_to_deal_them(k, m):
    """Every choice of k of a question's k + m answers as its first round, counted out."""
    answers = np.array([0.0, 1.0, 0.25, 0.5, 1.0])[: k + m]
    first, second = answers[:k], answers[k:]
    changes = []
    for chosen in itertools.combinations(range(k + m), k):
        rest = [i for i in range(k + m) if i not in chosen]
        changes.append(answers[rest].mean() - answers[list(chosen)].mean())

    def spread(of):
        return np.array([of.var(ddof=1) if len(of) > 1 else math.nan])

    found = answer_variance(
        np.array([second.mean() - first.mean()]),
        (spread(first), spread(second)),
        (np.array([float(k)]), np.array([float(m)])),
    )
    assert found == pytest.approx(np.var(changes), rel=1e-12)


def test_the_larger_of_the_two_variances_counts():
    old, new = np.array([1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0])
    small, large = (
        paired_change(old, new, answer_variance=np.full(3, v)).null_se for v in (0.1, 4.0)
    )
    assert small == paired_change(old, new).null_se == pytest.approx(1.0 / 3.0)
    assert large == pytest.approx(math.sqrt(12.0) / 3.0)


def test_of_means_alone_it_is_welchs_test():
    old, new = Estimate(0.7, 0.02, 49, 50, 50), Estimate(0.6, 0.05, 19, 20, 20)
    welch = scipy_stats.ttest_ind_from_stats(
        0.6, 0.05 * math.sqrt(20), 20, 0.7, 0.02 * math.sqrt(50), 50, equal_var=False
    )
    assert unpaired_change(old, new).p_value == pytest.approx(welch.pvalue, rel=1e-9)
    assert unpaired_change(old, new).estimate.value == pytest.approx(-0.1)


def test_of_means_with_normal_intervals_it_is_the_test_of_the_normal_distribution():
    old, new = (Estimate(v, se, math.inf, 50, 50) for v, se in ((0.7, 0.03), (0.6, 0.04)))
    change = unpaired_change(old, new)
    assert change.null_df == math.inf
    assert change.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(2.0), rel=1e-9)


def test_an_unknown_error_stays_unknown():
    nothing = Estimate(0.5, math.nan, math.nan, 1, 1)
    assert math.isnan(unpaired_change(nothing, Estimate(0.6, 0.1, 9, 10, 10)).p_value)


def test_all_right_is_known_as_far_as_its_interval_says():
    """Wilson's interval of 100 of 100 is (0.9630, 1): half of it over t_99 = 1.9842."""
    interval = stats.wilson_interval(100, 100)
    own = Estimate(1.0, 0.0, 99.0, 100, 100)
    found = from_interval(own, interval.low, interval.high, 0.95)
    assert found.se == pytest.approx((1.0 - interval.low) / 2.0 / 1.98422, rel=1e-5)
    assert from_interval(Estimate(0.5, 0.2, 99.0, 100, 100), 0.4, 0.6, 0.95).se == 0.2
    assert from_interval(own, math.nan, math.nan, 0.95) == own


def test_the_overall_change_is_the_average_of_independent_ones():
    rng = np.random.default_rng(2)
    parts = []
    for n in (40, 80, 30):
        old = (rng.random(n) < 0.7).astype(float)
        parts.append(paired_change(old, (rng.random(n) < 0.6).astype(float)))
    factors = [1.0, -1.0, 0.5]
    values = [p.estimate.value * f for p, f in zip(parts, factors, strict=True)]
    nulls = [p.null_se * f for p, f in zip(parts, factors, strict=True)]
    found = overall_change(parts, factors)
    assert found.estimate.value == pytest.approx(sum(values) / 3)
    assert found.null_se == pytest.approx(math.hypot(*nulls) / 3)
    z = abs(found.estimate.value) / found.null_se
    assert found.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(z))


def test_unpaired_parts_keep_their_degrees_of_freedom():
    """Welch-Satterthwaite with infinite df for the paired part: (a + b)^2 / (b^2 / 4)."""
    paired = Change(Estimate(-0.1, 0.1, 9.0, 10, 10), 0.3, math.inf)
    other = Change(Estimate(-0.1, 0.1, 4.0, 10, 10), 0.4, 4.0)
    found = overall_change([paired, other], [1.0, 1.0])
    assert found.null_se == pytest.approx(0.25)
    assert found.null_df == pytest.approx((0.09 + 0.16) ** 2 / (0.16**2 / 4.0))


def test_the_same_change_of_every_question_has_no_error():
    old = np.array([0.1, 0.7, 1.3, 2.9])
    c = paired_change(old, old + 0.3)  # 0.3 but for the rounding of each sum
    assert c.estimate.value == pytest.approx(0.3, rel=1e-12)
    assert c.estimate.se == 0.0
    assert c.null_se == pytest.approx(0.3 / 2, rel=1e-12)  # sqrt(4 * 0.3^2) / 4


def test_whole_numbers_far_from_0_have_no_rounding():
    old = np.array([1e15, 1e15 + 2, 1e15 + 4, 1e15 + 8])
    c = paired_change(old, old + np.array([1.0, 0.0, 2.0, 1.0]))
    assert c.estimate.value == 1.0
    # squares about the mean 1: 0 + 1 + 1 + 0; sqrt(2 / 3 / 4)
    assert c.estimate.se == pytest.approx((1 / 6) ** 0.5, rel=1e-12)
