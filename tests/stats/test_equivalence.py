"""Equivalence and non-inferiority against statsmodels, scipy, and the worked numbers of the
literature.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.weightstats import ttost_paired

from reportkit.stats import Estimate, mean_estimate, t_interval
from reportkit.stats.pairs.margins import equivalence, non_inferiority


def difference(value: float, se: float, df: float = math.inf) -> Estimate:
    return Estimate(value, se, df, 100, 100)


@pytest.mark.parametrize(
    ("value", "se", "p", "low", "high"),
    [
        (-0.027, 0.01742, ".093", "-5.6", "0.2"),
        (-0.031, 0.021, ".183", "-6.6", "0.4"),
        (0.025, 0.00678, ".000", "1.4", "3.6"),
    ],
)
def test_miller_2024_table_5_at_five_points(value, se, p, low, high):
    """X11: MGSM .093 and HumanEval .18 are not shown equivalent; MATH is, though it differs from 0.

    By hand for MGSM: (5 - 2.7) / 1.742 = 1.320, a normal tail of .0934; ends -2.7 -+ 1.645 x 1.742.
    """
    found = equivalence(difference(value, se), 0.05)
    assert f"{found.p_value:.3f}".lstrip("0") == p
    assert (f"{100 * found.interval.low:.1f}", f"{100 * found.interval.high:.1f}") == (low, high)
    assert found.interval.level == pytest.approx(0.9)
    assert found.equivalent == (p == ".000")


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("shift", [-0.2, 0.0, 0.04])
@pytest.mark.parametrize("n", [3, 40])
def test_tost_is_that_of_statsmodels(n, shift, margin):
    rng = np.random.default_rng(n)
    a = rng.random(n)
    b = a + rng.normal(shift, 0.1, n)
    p, above, below = ttost_paired(a, b, -margin, margin)
    found = equivalence(mean_estimate(a - b), margin)
    assert found.p_value == pytest.approx(p, rel=1e-9)
    # The two one-sided tests by themselves: the first not worse than the second, and the second
    # than the first.
    assert non_inferiority(mean_estimate(a - b), margin).p_value == pytest.approx(
        above[1], rel=1e-9
    )
    assert non_inferiority(mean_estimate(b - a), margin).p_value == pytest.approx(
        below[1], rel=1e-9
    )


def test_non_inferiority_is_a_one_sided_t_test():
    rng = np.random.default_rng(2)
    d = rng.normal(0.01, 0.2, 25)
    test = scipy_stats.ttest_1samp(d, -0.1, alternative="greater")
    found = non_inferiority(mean_estimate(d), 0.1, level=0.975)
    assert found.p_value == pytest.approx(test.pvalue, rel=1e-9)
    assert found.bound == pytest.approx(test.confidence_interval(0.975).low, rel=1e-9)
    assert found.non_inferior == (test.pvalue < 0.025)


values = st.floats(-1, 1)
errors = st.floats(1e-6, 1)
dfs = st.floats(1, 1e4) | st.just(math.inf)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(values, errors, dfs, st.floats(1e-6, 2), st.sampled_from([0.9, 0.95, 0.975]))
def test_duality_with_the_intervals(value, se, df, margin, level):
    """p < alpha exactly where the interval at 1 - 2 alpha is inside the margins, or the bound above
    the lower one.
    """
    e = difference(value, se, df)
    found, one = equivalence(e, margin, level=level), non_inferiority(e, margin, level=level)
    # or rounding decides
    assume(min(abs(found.p_value - (1 - level)), abs(one.p_value - (1 - level))) > 1e-9)
    assert found.equivalent == (found.p_value < 1 - level)
    assert found.equivalent == (-margin < found.interval.low and found.interval.high < margin)
    assert one.non_inferior == (one.p_value < 1 - level) == (one.bound > -margin)
    assert one.bound == pytest.approx(t_interval(e, 2 * level - 1).low, rel=1e-12)
    # Equivalence is non-inferiority both ways.
    other = non_inferiority(difference(-value, se, df), margin, level=level)
    assert found.p_value == max(one.p_value, other.p_value)
    assert found.equivalent == (one.non_inferior and other.non_inferior)


@settings(deadline=None, derandomize=True)
@given(values, errors, dfs, st.floats(1e-3, 1), st.floats(1.001, 3))
def test_a_wider_margin_is_easier_and_the_sign_does_not_matter(value, se, df, margin, wider):
    one = equivalence(difference(value, se, df), margin)
    assert equivalence(difference(value, se, df), margin * wider).p_value <= one.p_value
    assert equivalence(difference(-value, se, df), margin).p_value == one.p_value


@pytest.mark.parametrize("se", [0.0, math.nan])
@pytest.mark.parametrize("value", [0.0, 0.2])
def test_no_standard_error_shows_nothing(value, se):
    """Also identical models: an SE of 0 is no knowledge of how far the difference could have
    varied.
    """
    e = Estimate(value, se, math.nan if math.isnan(se) else 9.0, 10, 10)
    found, one = equivalence(e, 0.5), non_inferiority(e, 0.5)
    assert (
        math.isnan(found.p_value)
        and math.isnan(found.interval.low)
        and math.isnan(found.interval.high)
    )
    assert found.interval.method == "none" and not found.equivalent
    assert math.isnan(one.p_value) and math.isnan(one.bound) and not one.non_inferior


@pytest.mark.parametrize("test", [equivalence, non_inferiority])
@pytest.mark.parametrize("margin", [0.0, -0.05, math.nan, math.inf])
def test_a_margin_that_is_none_is_refused(test, margin):
    with pytest.raises(ValueError, match="margin=.* is not a number above 0"):
        test(difference(0.0, 0.1), margin)


@pytest.mark.parametrize("test", [equivalence, non_inferiority])
@pytest.mark.parametrize("level", [0.5, 1.0, 95, 0.05])
def test_levels(test, level):
    with pytest.raises(ValueError, match="between 0.5 and 1"):
        test(difference(0.0, 0.1), 0.05, level=level)


def test_a_difference_at_the_margin_is_called_equivalent_in_five_percent():
    """Size of the test: 20,000 differences of 20 questions with a true difference equal to the
    margin.
    """
    d = np.random.default_rng(4).normal(0.3, 0.25, (20_000, 20))
    margin = 0.3
    errors = sum(
        equivalence(Estimate(m, s, 19.0, 20, 20), margin).equivalent
        for m, s in zip(d.mean(axis=1), d.std(axis=1, ddof=1) / math.sqrt(20), strict=True)
    )
    assert errors / 20_000 == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 20_000))


def test_what_was_asked_stands_beside_the_answer():
    """The margin and the level are those given, and the interval's level is 2 x 0.9 - 1."""
    two = equivalence(difference(0.0, 0.01), 0.05, level=0.9)
    assert (two.margin, two.level) == (0.05, 0.9)
    assert two.interval.level == pytest.approx(0.8)
    one = non_inferiority(difference(0.0, 0.01), 0.03, level=0.9)
    assert (one.margin, one.level) == (0.03, 0.9)
    # z at 0.9 is 1.2816
    assert one.bound == pytest.approx(-0.012816, abs=1e-6)
