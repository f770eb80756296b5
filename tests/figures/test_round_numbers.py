"""Ends of scales, of what there is nothing of."""

import pytest

from reportkit.figures.round_numbers import round_up


@pytest.mark.parametrize("value", [0.0, -0.2, float("nan")])
def test_a_scale_of_nothing_ends_at_1(value):
    """Differences that are all 0 have no power of ten."""
    assert round_up(value) == 1.0
