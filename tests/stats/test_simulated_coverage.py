"""Counting simulated intervals, by hand, in one batch of rows and in several."""

import math

import numpy as np
import pytest

from reportkit.stats.coverage.simulated import (
    DRAWN_AT_ONCE,
    coverage_of,
    effective_of,
    moments_of,
    simulation_error,
)
from reportkit.stats.means.mean import mean_estimate


def ends_of(low, high):
    """Intervals in turn, and the number of rows that each call asked for."""
    left, asked = [np.asarray(low, dtype=float), np.asarray(high, dtype=float)], []

    def ends(rows: int):
        asked.append(rows)
        now = (left[0][:rows], left[1][:rows])
        left[:] = [left[0][rows:], left[1][rows:]]
        return now

    return ends, asked


NAN = math.nan
# Around the truth 0.5: two hold it, one lies above, one below, one is not printed.
LOW, HIGH = [0.4, 0.6, 0.1, NAN, 0.5], [0.6, 0.7, 0.4, NAN, 0.5]


@pytest.mark.parametrize(
    ("columns", "batches"),
    [(1, [5]), (DRAWN_AT_ONCE // 2, [2, 2, 1]), (DRAWN_AT_ONCE * 3, [1] * 5)],
)
def test_intervals_count_the_same_in_batches(columns, batches):
    ends, asked = ends_of(LOW, HIGH)
    assert coverage_of(ends, 0.5, columns, 5) == (0.5, simulation_error(0.5, 4), 0.2, "")
    assert asked == batches


@pytest.mark.parametrize(("low", "high"), [(0.5, 0.9), (0.1, 0.5)])
@pytest.mark.parametrize(("beyond", "held"), [(0.0, 1.0), (5e-13, 1.0), (2e-12, 0.0)])
def test_an_end_on_the_truth_holds_it_to_rounding(low, high, beyond, held):
    """An end that misses the truth by 5e-13 holds it, one that misses it by 2e-12 does not."""
    if low == 0.5:
        low += beyond
    else:
        high -= beyond
    ends, _ = ends_of([low], [high])
    assert coverage_of(ends, 0.5, 1, 1)[0] == held


def test_without_any_interval_there_is_no_coverage():
    ends, _ = ends_of([NAN] * 3, [NAN] * 3)
    coverage, error, missing, why = coverage_of(ends, 0.5, 1, 3)
    assert math.isnan(coverage) and math.isnan(error)
    assert (missing, why) == (1.0, "no simulated eval has an interval")


def test_the_error_is_half_of_wilsons_interval_at_1():
    """c = 0.9 of 10: sqrt(.09/10 + 1/400) / 1.1; of c = 1: (1/20) / 1.1."""
    assert simulation_error(0.9, 10) == pytest.approx(math.sqrt(0.009 + 0.0025) / 1.1)
    assert simulation_error(1.0, 10) == pytest.approx(0.05 / 1.1)


def test_units_that_are_alike_count_as_often():
    """Three questions right 1, 0 and 1 as two kinds: the numbers of mean_estimate, and the
    effective number of right ones, 2.
    """
    total, units = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([1.0, 1.0])
    alike = np.array([[2.0, 1.0], [0.0, 3.0]])
    value, se = moments_of(total, alike, units, 3)
    expected = mean_estimate(np.array([1.0, 0.0, 1.0]))
    assert value == pytest.approx([expected.value, 0.0])
    assert se == pytest.approx([expected.se, 0.0]) and se[1] == 0.0
    assert effective_of(total, alike).tolist() == [2.0, 0.0]
    assert effective_of(total, np.array([[2.0, 1.0], [1.0, 2.0]])).tolist() == [2.0, 1.0]
    small = np.array([[0.25, 0.5]])
    # (0.25 x 2 + 0.5)^2 / (2 x 0.0625 + 0.25) = 8/3
    assert effective_of(small, np.array([[2.0, 1.0]])) == pytest.approx([8 / 3])
    assert effective_of(small, np.ones(1)) == pytest.approx([0.5625 / 0.3125])


def test_clusters_that_are_alike():
    """Clusters of 2 and 1 questions with 1 and 1 right of them: CR2, as mean_estimate."""
    value, se = moments_of(np.array([[1.0, 1.0]]), np.array([[1.0, 2.0]]), np.array([2.0, 1.0]), 4)
    expected = mean_estimate(np.array([1.0, 0, 1, 1]), np.array([0, 0, 1, 2]))
    assert (value[0], se[0]) == pytest.approx((expected.value, expected.se))
