"""How much evidence a number rests on: the rules of evidence.py by hand, at their edges."""

import math

import numpy as np
import pytest

from reportkit.stats.evidence import (
    dense,
    effective_number,
    most_answers,
    rarer_outcome,
    sparse_df,
)


def test_equal_weights_that_are_as_concentrated():
    """(sum w)^2 / sum w^2: 16 / 10 for 3 and 1."""
    weights = np.array([[1.0, 1, 0, 0], [3.0, 1, 0, 0], [0.0, 0, 0, 0]])
    assert effective_number(weights).tolist() == [2.0, 1.6, 0.0]
    for scale in (1e-200, 1e200):
        assert effective_number(weights[1] * scale) == pytest.approx(1.6)


def test_the_outcome_that_fewer_clusters_show():
    """Right in 0, 0, 1/2 and 1/4: 0.75^2 / 0.3125 = 1.8; the other way round it is the same."""
    shares = np.array([0.0, 0.0, 0.5, 0.25])
    assert rarer_outcome(shares) == pytest.approx(1.8)
    assert rarer_outcome(1.0 - shares) == pytest.approx(1.8)
    assert rarer_outcome(np.ones(4)) == 0.0


@pytest.mark.parametrize(
    ("df", "informative", "clusters", "expected"),
    [
        (49.0, 5.5, 50, 10.0),  # 49 x (2 x 5.5 - 1) / 49
        (49.0, 25.0, 50, 49.0),
        (49.0, 40.0, 50, 49.0),  # never above df
        (49.0, 1.2, 50, 4.0),  # 1.4 is below the floor
        (49.0, 0.1, 50, 4.0),
        (1.5, 1.2, 50, 1.5),  # a df below the floor stays
        (30.0, 8.0, 31, 15.0),
        (math.nan, 8.0, 31, math.nan),
        (0.0, 1.0, 1, 0.0),
        (0.0, 0.5, 1, math.nan),
    ],
)
def test_degrees_of_freedom_of_the_clusters_that_show_the_outcome(
    df, informative, clusters, expected
):
    got = sparse_df(df, informative, clusters)
    assert got == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("informative", "clusters", "n", "expected"),
    [
        (5.0, 10, 10, True),  # half of 10 questions
        (4.9, 10, 10, False),
        (9.0, 9, 9, False),  # fewer than 10
        (25.0, 164, 164, True),
        (24.9, 164, 164, False),
        (99.0, 99, 500, False),  # fewer than 100 clusters of several questions
        (50.0, 100, 500, True),
        (49.9, 100, 500, False),
        (100.0, 1000, 5000, True),
        (99.9, 1000, 5000, False),
    ],
)
def test_where_a_t_interval_needs_no_help(informative, clusters, n, expected):
    assert dense(informative, clusters, n).item() is expected


def test_the_limit_of_effective_answers():
    """G i / (1 - (2 i - 1) / (G - 1)): of 100 clusters 1 shows 100 x 99 / 98, 5.5 show 550 x 99 /
    89, 50 no limit; below half a cluster the share is 0.
    """
    got = most_answers(np.array([0.25, 1.0, 5.5, 50.0, 60.0]), 100)
    assert got == pytest.approx([25.0, 9900 / 98, 54450 / 89, math.inf, math.inf])
    assert most_answers(np.array([0.5, 1.0]), 1).tolist() == [math.inf, math.inf]
