"""The standard error that lm-eval pools over subtasks, by hand from its formula."""

import math

import numpy as np
import pytest

from reportkit.stats.means.grouped import pooled

# Four questions with sum of squares 3/4 about their mean of 3/4, and two that are all wrong.
SCORES, SUBTASKS = np.array([1.0, 0, 1, 1, 0, 0]), np.array(list("aaaabb"))


def test_sums_of_squares_are_pooled():
    """sqrt(3/4 / (6 - 2) / 6)."""
    assert pooled(SCORES, SUBTASKS) == pytest.approx((0.5, math.sqrt(0.75 / 4 / 6)))


def test_a_subtask_of_one_question_adds_nothing_to_the_spread():
    """Of (1) and (0, 1): sqrt(1/2 / (3 - 2) / 3)."""
    mean, se = pooled(np.array([1.0, 0, 1]), np.array(list("abb")))
    assert (mean, se) == pytest.approx((2 / 3, math.sqrt(0.5 / 3)))


def test_macro_counts_subtasks_alike():
    """Means 3/4 and 0; variance of the first mean (1/4) / 4, so that SE = sqrt(1/16) / 2."""
    assert pooled(SCORES, SUBTASKS, "macro") == pytest.approx((0.375, 0.125))
    scores, names = np.array([1.0, 0, 1, 1, 0, 1]), np.array(list("aaaabb"))
    assert pooled(scores, names, "macro") == pytest.approx((0.625, math.sqrt(1 / 16 + 1 / 4) / 2))


def test_where_no_spread_can_be_told_there_is_no_error():
    one_each = pooled(np.array([1.0, 0.0]), np.array(["a", "b"]))
    assert one_each[0] == 0.5 and math.isnan(one_each[1])
    mean, se = pooled(np.array([1.0, 0, 1]), np.array(list("abb")), "macro")
    assert mean == 0.75 and math.isnan(se)
