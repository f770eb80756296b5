"""Power of Tango's test against a margin, against a sum over all counts and the interval itself."""

import numpy as np
import pytest
from scipy import stats

from reportkit.stats.pairs.tango import tango_interval
from reportkit.stats.planning.within_margin import margin_power, margin_questions


def by_intervals(n: int, apart: float, margin: float, level: float, *, both: bool) -> float:
    """The same from the ends of the intervals of all pairs of counts, none left out."""
    b, c = (v.ravel() for v in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    b, c = b[b + c <= n], c[b + c <= n]
    low, high = tango_interval(b, c, n, level)
    shown = (low > -margin) & (high < margin) if both else low > -margin
    rest = [apart / 2, apart / 2, 1 - apart]
    chance = stats.multinomial.pmf(np.stack([b, c, n - b - c], axis=1), n, rest)
    return float(chance[shown].sum())


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize(
    ("n", "apart", "margin", "level"),
    [(60, 0.5, 0.2, 0.9), (90, 0.08, 0.07, 0.9), (120, 0.25, 0.12, 0.98), (40, 0.02, 0.1, 0.9)],
)
def test_the_power_is_the_sum_over_the_counts_whose_interval_is_within(
    n, apart, margin, level, both
):
    """To 2e-6: counts that are so unlikely are left out (5 standard deviations on both sides)."""
    found = margin_power(n, apart, margin, level=level, both=both)
    assert found == pytest.approx(by_intervals(n, apart, margin, level, both=both), abs=2e-6)


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("first", [0.92, 1.0, 1.08])  # the first number over the one that is found
def test_the_questions_are_the_first_from_which_on_the_power_is_kept(first, both):
    apart, margin, ask = 0.1, 0.05, {"level": 0.9, "both": both}
    n = margin_questions(round(first * (393 if both else 276)), apart, margin, power=0.8, **ask)
    assert by_intervals(n, apart, margin, 0.9, both=both) >= 0.8 - 2e-6
    assert by_intervals(n - 1, apart, margin, 0.9, both=both) < 0.8
    later = [margin_power(m, apart, margin, **ask) for m in range(n, round(1.05 * n))]
    assert min(later) >= 0.8


@pytest.mark.parametrize(
    ("near", "margin", "level", "power", "both"),
    [(39, 0.07, 0.8, 0.9, True), (146, 0.02, 0.8, 0.8, False), (37, 0.1, 0.9, 0.9, True)],
)
def test_so_few_that_tell_models_apart_that_the_power_first_falls(near, margin, level, power, both):
    """Under 1 such question is expected: the power falls, as (1 - q)^n where none may be seen, and
    1.1 times the formula's number is too few; q = 2 * 0.99 * 0.01 * 0.2.
    """
    q = 0.00396
    assert by_intervals(round(1.1 * near), q, margin, level, both=both) < power
    n = margin_questions(near, q, margin, level=level, power=power, both=both)
    assert by_intervals(n, q, margin, level, both=both) >= power - 2e-6
    assert by_intervals(n - 1, q, margin, level, both=both) < power
    assert n < 1.3 * near
