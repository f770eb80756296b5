"""What is the rounding of doubles and what is a difference: values on both sides of each limit,
which are those that the comments of the constants name.
"""

import math

import numpy as np
import pytest

from reportkit.stats.exact import wilcoxon_p_value
from reportkit.stats.families.ranks import rank_sets
from reportkit.stats.families.simultaneous import _check_covariance, _standard_errors
from reportkit.stats.kinds import kind_of
from reportkit.stats.variance_components import _floored


@pytest.mark.parametrize(("apart", "rank"), [(0.9e-12, 1.0), (1.1e-12, 2.0)])
def test_means_within_1e_12_of_the_largest_have_one_rank(apart, rank):
    found = rank_sets([4.0, 4.0 - 4.0 * apart], [-1.0], [1.0], [0], [1])
    assert found.rank.tolist() == [1.0, rank]


@pytest.mark.parametrize(("over", "refused"), [(0.9e-9, False), (1.1e-9, True)])
@pytest.mark.parametrize("end", [0.0, 1.0])
def test_shares_may_be_beyond_0_and_1_by_1e_9(end, over, refused):
    scores = np.array([0.5, end + math.copysign(over, end - 0.5)])
    if refused:
        with pytest.raises(ValueError, match="need scores between 0 and 1"):
            kind_of(False, True, scores)
    else:
        assert kind_of(False, True, scores).share


@pytest.mark.parametrize(("share", "se"), [(0.9e-10, 0.0), (1.1e-10, math.sqrt(2.2e-10))])
def test_a_variance_below_1e_10_of_the_models_own_is_rounding(share, se):
    """1 + 1 - 2 (1 - x) = 2 x, beside 1 + 1."""
    v = np.array([[1.0, 1.0 - share], [1.0 - share, 1.0]])
    assert _standard_errors(v, np.array([0]), np.array([1])) == pytest.approx([se], rel=1e-5)


def test_a_variance_that_is_negative_by_more_than_rounding_is_none():
    v = np.array([[1.0, 1.0 + 0.9e-10], [1.0 + 0.9e-10, 1.0]])
    assert _standard_errors(v, np.array([0]), np.array([1])).tolist() == [0.0]
    v[0, 1] = v[1, 0] = 1.0 + 1.1e-10
    with pytest.raises(ValueError, match="negative variance"):
        _standard_errors(v, np.array([0]), np.array([1]))


def test_halves_of_a_covariance_may_differ_by_1e_8_of_the_largest_variance():
    v = np.array([[4.0, 1.0], [1.0 + 4.0 * 0.9e-8, 2.0]])
    _check_covariance(v)
    v[1, 0] = 1.0 + 4.0 * 1.1e-8
    with pytest.raises(ValueError, match="not symmetric"):
        _check_covariance(v)


@pytest.mark.parametrize(("apart", "two", "tied"), [(0.9e-9, 1.0, 4 / 8), (1.1e-9, 0.5, 3 / 8)])
def test_differences_within_1e_9_of_the_largest_are_0_or_equal(apart, two, tied):
    """Of one difference above 0 p is 2 / 2, of two 2 / 4. One below 0 of three: of the 8 sums of
    the ranks 1, 2.5 and 2.5 four are 2.5 or less; of 1, 2 and 3 three are 2 or less.
    """
    assert wilcoxon_p_value(np.array([1.0, apart])) == two
    assert wilcoxon_p_value(np.array([0.5, 1.0, apart - 1.0]), "greater") == tied


@pytest.mark.parametrize(("left", "kept"), [(0.9e-12, False), (1.1e-12, True)])
def test_what_is_left_of_a_variance_is_0_below_1e_12_of_what_was_taken_off(left, kept):
    assert _floored(3.0 * left, 3.0) == (3.0 * left if kept else 0.0)
