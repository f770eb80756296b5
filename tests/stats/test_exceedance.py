"""The chance that the largest of two independent standardised differences exceeds a value, against
one integral over the spread.
"""

import numpy as np
import pytest
from scipy import integrate
from scipy import stats as scipy_stats

from reportkit.stats.families.exceedance import critical_value, exceedance, thresholds

DRAWS = 2**14


def two_independent(df: float, pooled: bool):
    """Models 1 to 4, independent and of variance 1: 1 against 2, and 3 against 4."""
    pairs = np.array([0, 2]), np.array([1, 3])
    se = np.full(2, np.sqrt(2.0))
    drawn = thresholds(np.eye(4), *pairs, se, np.random.default_rng(7), DRAWS)
    return exceedance(2, *drawn, df, pooled)


def with_pooled_spread(c: float, df: float) -> float:
    """1 - E[(2 Phi(c s) - 1)^2], s^2 = chi^2_df / df, by scipy's quadrature over s."""
    chi = scipy_stats.chi(df, scale=1.0 / np.sqrt(df))

    def inside(s: float) -> float:
        return chi.pdf(s) * (2.0 * scipy_stats.norm.cdf(c * s) - 1.0) ** 2

    return 1.0 - integrate.quad(inside, 0.0, 6.0, epsabs=1e-12, limit=200)[0]


@pytest.mark.parametrize("df", [2.0, 5.0, 30.0])
@pytest.mark.parametrize("c", [1.5, 2.0, 3.0])
def test_a_pooled_spread_is_averaged_over(df, c):
    exceed, _ = two_independent(df, True)
    exact = with_pooled_spread(c, df)
    bonferroni = 4.0 * scipy_stats.t.sf(c, df)
    # the draws tell the difference from Bonferroni's sum; four simulation errors of it
    error = np.sqrt(exact * (bonferroni - exact) / DRAWS)
    assert exceed(np.array([c]))[0] == pytest.approx(exact, abs=4.0 * error)
    assert 4.0 * error < (bonferroni - exact) / 2.0  # so that a sum in its place would be seen


@pytest.mark.parametrize("df", [3.0, np.inf])
def test_spreads_of_their_own_are_independent(df):
    """P(max |T| >= c) = 1 - P(|T| < c)^2, so the critical value is Sidak's."""
    exceed, error = two_independent(df, False)
    sidak = scipy_stats.t.isf((1.0 - 0.95**0.5) / 2.0, df)
    found = critical_value(exceed, 0.95, 2, df)
    assert abs(found - sidak) < 4.0 * error(found) < 0.02
