"""What is the rounding of doubles and what is a difference: values on both sides of each limit,
which are those that the comments of the constants name.
"""

import math

import numpy as np
import pytest

from reportkit.stats.families.ranks import rank_sets
from reportkit.stats.families.simultaneous import _check_covariance, _standard_errors
from reportkit.stats.kinds import kind_of


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
