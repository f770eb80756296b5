"""What printed numbers allow: bounds and comparisons against brute force and the paper."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.stats.intervals import z_quantile
from reportkit.stats.published import (
    correlation_needed,
    difference_se_span,
    largest_se,
    means_for_se,
    possible_counts,
    quotient_span,
    smallest_binary_se,
    summary_difference,
)


@pytest.mark.parametrize("n", [1, 7, 164, 1319])
def test_possible_counts_are_all_that_lie_in_the_span(n):
    rng = np.random.default_rng(n)
    for _ in range(200):
        low = rng.uniform(-0.05, 1.0)
        high = low + rng.exponential(0.01)
        wanted = [k for k in range(n + 1) if low <= k / n <= high]
        assert list(possible_counts((low, high), n)) == wanted


def test_ends_of_the_span_count():
    assert list(possible_counts((0.25, 0.5), 4)) == [1, 2]
    with pytest.raises(ValueError, match="at least one"):
        possible_counts((0.0, 1.0), 0)


def test_no_scores_have_a_larger_error_and_binary_ones_reach_it():
    """Drawn scores between 0 and 1, and 0/1 scores, by equation 1."""
    rng = np.random.default_rng(3)
    for n in (2, 5, 40):
        for _ in range(200):
            x = rng.beta(rng.uniform(0.1, 3), rng.uniform(0.1, 3), n)
            m = x.mean()
            assert x.std(ddof=1) / math.sqrt(n) <= largest_se((m, m), n) + 1e-12
            y = (x > 0.5).astype(float)
            m = y.mean()
            assert y.std(ddof=1) / math.sqrt(n) == pytest.approx(largest_se((m, m), n), abs=1e-12)
            assert smallest_binary_se((m, m), n) == pytest.approx(y.std() / math.sqrt(n), abs=1e-12)


def test_the_papers_bounds():
    """statistics.md X9: 2.90 and 2.66 for HumanEval, .829 for MGSM, at the means as rounded."""
    assert 100 * largest_se((0.8355, 0.8365), 164) == pytest.approx(2.90, abs=0.005)
    assert 100 * largest_se((0.8665, 0.8675), 164) == pytest.approx(2.66, abs=0.005)
    assert 100 * largest_se((0.7795, 0.7805), 2500) == pytest.approx(0.829, abs=0.0005)


def test_the_span_is_searched_for_the_share_nearest_to_a_half():
    assert largest_se((0.3, 0.9), 11) == pytest.approx(0.5 / math.sqrt(10))
    assert smallest_binary_se((0.3, 0.9), 10) == pytest.approx(math.sqrt(0.09 / 10))
    assert math.isnan(largest_se((0.5, 0.5), 1))


def test_means_for_an_error_are_those_whose_largest_error_it_is():
    low, high = means_for_se(0.0044, 9622)
    assert 100 * low == pytest.approx(24, abs=0.9) and 100 * high == pytest.approx(76, abs=0.9)
    assert largest_se((low, low), 9622) == pytest.approx(0.0044)
    assert high == pytest.approx(1 - low)
    assert all(map(math.isnan, means_for_se(0.2, 100)))


def test_a_difference_from_summaries_is_equations_5_and_6():
    d = summary_difference(0.655, 0.00672, 0.630, 0.00683, level=0.9)
    se = math.hypot(0.00672, 0.00683)
    assert (d.se, d.z) == (pytest.approx(se), pytest.approx(0.025 / se))
    assert d.p_value == pytest.approx(2 * scipy_stats.norm.sf(0.025 / se))
    assert d.high - d.low == pytest.approx(2 * z_quantile(0.9) * se)


def test_a_paired_difference_is_that_of_table_5():
    """statistics.md 1.2: SE .678 for .672, .683 and r .5; 1.742 for 1.6, 1.5 and r .37."""
    assert summary_difference(65.5, 0.672, 63.0, 0.683, r=0.5).se == pytest.approx(0.678, abs=5e-4)
    assert summary_difference(75.3, 1.6, 78.0, 1.5, r=0.37).se == pytest.approx(1.742, abs=5e-4)


def test_an_unknown_error_stays_unknown():
    d = summary_difference(1.0, math.nan, 0.5, 0.1)
    assert d.difference == 0.5
    assert all(map(math.isnan, (d.se, d.low, d.high, d.z, d.p_value)))
    equal = summary_difference(1.0, 0.1, 0.5, 0.1, r=1.0)
    assert equal.se == 0.0 and math.isnan(equal.z)
    assert math.isnan(correlation_needed(0.5, math.nan, 0.1))


def test_at_the_correlation_needed_p_is_the_level():
    for difference, a, b in ((0.015, 0.007, 0.008), (-0.02, 0.01, 0.012)):
        r = correlation_needed(difference, a, b)
        p = summary_difference(difference, a, 0.0, b, r=r).p_value
        assert p == pytest.approx(0.05) and -1.0 < r < 1.0
    assert correlation_needed(1.0, 0.1, 0.1) == -1.0
    assert math.isnan(correlation_needed(0.0001, 0.1, 0.2))


def test_spans_of_errors_hold_every_value_and_no_more():
    """Against a fine grid over the three spans."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        a, b = (tuple(sorted(rng.uniform(0, 4, 2))) for _ in range(2))
        r = tuple(sorted(rng.uniform(-1, 1, 2)))
        grid = [np.linspace(*s, 25) for s in (a, b, r)]
        values = [
            math.sqrt(max(0.0, x * x + y * y - 2 * c * x * y))
            for x, y, c in itertools.product(*grid)
        ]
        low, high = difference_se_span(a, b, r)
        assert low <= min(values) + 1e-12 and high >= max(values) - 1e-12
        assert low == pytest.approx(min(values), abs=0.15)
        assert high == pytest.approx(max(values))


def test_the_least_error_may_lie_inside_a_span():
    """At r = 1, errors of 1 to 3 and of 2: both 2, so 0."""
    assert difference_se_span((1.0, 3.0), (2.0, 2.0), (1.0, 1.0))[0] == 0.0


def test_quotients():
    assert quotient_span((1.335, 1.345), (0.435, 0.445)) == pytest.approx((3.0, 3.092), abs=1e-3)
    assert quotient_span((-0.1, 1.0), (0.0, 0.0)) == (math.inf, math.inf)


@pytest.mark.parametrize("impossible", [{"r": 1.01}, {"r": -1.5}, {"se_a": -0.1}, {"se_b": -0.1}])
def test_errors_below_0_and_correlations_beyond_1_are_refused(impossible):
    given = {"mean_a": 0.6, "se_a": 0.1, "mean_b": 0.5, "se_b": 0.1} | impossible
    with pytest.raises(ValueError):
        summary_difference(**given)
