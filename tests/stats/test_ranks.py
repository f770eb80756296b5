"""Rank sets against their definition, and whether all true ranks are in their sets as often as
promised.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.stats.families.ranks import rank_sets
from reportkit.stats.families.simultaneous import max_t, simultaneous_pairs

FIRST, SECOND = np.triu_indices(4, 1)  # 01 02 03 12 13 23


def test_by_hand():
    """Four models: 0 beats 2 and 3, 1 beats 3, the rest is open. Nobody is surely above 0 or 1; 0
    and 1 are above 3.
    """
    low = np.array([-0.1, 0.1, 0.3, -0.2, 0.1, -0.3])
    found = rank_sets(np.array([0.9, 0.8, 0.6, 0.5]), low, low + 0.4, FIRST, SECOND)
    assert found.rank.tolist() == [1, 2, 3, 4]
    assert found.best.tolist() == [1, 1, 2, 3]
    assert found.worst.tolist() == [2, 3, 4, 4]


def test_the_order_of_a_pair_only_turns_its_interval():
    low = np.array([-0.1, 0.1, 0.3, -0.2, 0.1, -0.3])
    one = rank_sets(np.arange(4.0), low, low + 0.4, FIRST, SECOND)
    other = rank_sets(np.arange(4.0), -(low + 0.4), -low, SECOND, FIRST)
    assert one.best.tolist() == other.best.tolist() and one.worst.tolist() == other.worst.tolist()


@pytest.mark.parametrize(("low", "high"), [(math.nan, math.nan), (0.0, 1.0), (-1.0, 0.0)])
def test_an_interval_that_is_undefined_or_touches_zero_excludes_nothing(low, high):
    found = rank_sets(
        np.array([1.0, 0.0]), np.array([low]), np.array([high]), np.array([0]), np.array([1])
    )
    assert (found.best.tolist(), found.worst.tolist()) == ([1, 1], [2, 2])


def test_ties_share_the_best_rank():
    """1/10 + 2/10 is 3/10 but for rounding."""
    none = np.array([])
    found = rank_sets(np.array([0.1 + 0.2, 0.9, 0.3, 0.1, math.nan]), none, none, none, none)
    assert found.rank[:4].tolist() == [2, 1, 2, 4] and math.isnan(found.rank[4])
    assert found.best.tolist() == [1] * 5 and found.worst.tolist() == [5] * 5


def test_against_a_baseline_only_the_baseline_separates():
    """Two models above the baseline, one below: each is placed against it, not among themselves."""
    intervals = max_t(
        np.array([5.0, 50.0, 60.0, -50.0]), np.eye(4), baseline=0, rng=np.random.default_rng(0)
    )
    found = rank_sets(
        np.array([5.0, 50.0, 60.0, -50.0]),
        intervals.low,
        intervals.high,
        intervals.first,
        intervals.second,
    )
    assert found.best.tolist() == [3, 1, 1, 2]
    assert found.worst.tolist() == [3, 3, 3, 4]


ends = st.floats(-1, 1, allow_nan=False) | st.just(0.0)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(ends, ends), min_size=10, max_size=10),
    st.lists(ends, min_size=5, max_size=5),
)
def test_sets_are_their_definition_and_hold_true_ranks_when_intervals_hold(intervals, truth):
    low, high = np.array([sorted(pair) for pair in intervals]).T
    first, second = np.triu_indices(5, 1)
    # Stretch the intervals to hold the true differences.
    difference = np.array(truth)[first] - np.array(truth)[second]
    low, high = np.minimum(low, difference), np.maximum(high, difference)
    found = rank_sets(np.array(truth), low, high, first, second)
    ends = {(i, j): (a, b) for i, j, a, b in zip(first, second, low, high, strict=True)}
    for i in range(5):
        beaten_by = sum(
            (ends[j, i][0] > 0) if j < i else (ends[i, j][1] < 0) for j in range(5) if j != i
        )
        beats = sum(
            (ends[i, j][0] > 0) if i < j else (ends[j, i][1] < 0) for j in range(5) if j != i
        )
        assert (found.best[i], found.worst[i]) == (1 + beaten_by, 5 - beats)
        # Every rank that equal true means could be given.
        assert found.best[i] <= 1 + sum(t > truth[i] for t in truth)
        assert found.worst[i] >= 5 - sum(t < truth[i] for t in truth)


@pytest.mark.parametrize("truth", [[0.0] * 6, [0.0, 0.0, 0.1, 0.3, 0.3, 1.0]])
def test_all_true_ranks_are_in_their_sets_as_often_as_promised(truth):
    """300 evals of 6 models on 100 questions; three standard errors of simulation below 95% would
    be a finding.
    """
    rng, held, separated, runs = np.random.default_rng(17), 0, 0, 300
    t = np.array(truth)
    least, most = (
        1 + (t[None, :] > t[:, None]).sum(axis=1),
        6 - (t[None, :] < t[:, None]).sum(axis=1),
    )
    for _ in range(runs):
        s = t + rng.normal(size=(100, 6)) + rng.normal(size=(100, 1))
        found = simultaneous_pairs(s, rng=rng, draws=500)
        ranks = rank_sets(s.mean(axis=0), found.low, found.high, found.first, found.second)
        held += ((ranks.best <= least) & (ranks.worst >= most)).all()
        separated += (ranks.worst - ranks.best).sum() < 30
        assert ((ranks.best <= ranks.rank) & (ranks.rank <= ranks.worst)).all()
    assert held / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    # Not by saying nothing: equal models are told apart in about 5%, the sixth model of the other
    # case always.
    assert separated == runs if truth[5] else separated / runs < 0.09


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [0.1], [0.2, 0.3], [0], [1]), "of one length"),
        (([1.0, 2.0], [0.1], [0.2], [0], [2]), "two different models of 2"),
        (([1.0, 2.0], [0.1], [0.2], [1], [1]), "two different models of 2"),
        (([1.0, 2.0], [0.3], [0.2], [0], [1]), "1 of 1 intervals"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        rank_sets(*(np.array(a) for a in arguments))


def test_every_ranking_that_the_intervals_allow_is_in_the_sets_and_no_smaller_sets_would_do():
    """Three models, by trying: the true order may be any permutation whose signs no interval
    contradicts.
    """
    first, second = np.triu_indices(3, 1)
    low, high = np.array([-0.2, 0.1, 0.1]), np.array([0.4, 0.8, 0.6])
    found = rank_sets(np.array([0.7, 0.6, 0.2]), low, high, first, second)
    possible: list[set[int]] = [set(), set(), set()]
    for order in itertools.permutations(range(3)):  # order[r] has rank r + 1
        rank = [order.index(i) + 1 for i in range(3)]
        above = [rank[i] < rank[j] for i, j in zip(first, second, strict=True)]
        if not any(
            (a and h < 0) or (not a and lo > 0) for a, lo, h in zip(above, low, high, strict=True)
        ):
            for i in range(3):
                possible[i].add(rank[i])
    assert [(min(p), max(p)) for p in possible] == list(zip(found.best, found.worst, strict=True))
