"""What no eval can have is refused with a sentence, or is nan; no number is made of it."""

import math

import numpy as np
import pytest

from reportkit import stats
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError

BEYOND = [1.0, 0.0, 5.0, 3.0, 2.0]
HALVES = [1.0, 0.0, 0.5, 1.0, 1.0]
RIGHT = [1.0, 0.0, 1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: stats.mean_interval(BEYOND, share=True),
        lambda: stats.mean_interval(BEYOND, binary=True),
        lambda: stats.paired_difference(BEYOND, RIGHT, share=True),
        lambda: stats.unpaired_difference(BEYOND, RIGHT, share=True),
    ],
)
def test_scores_said_to_be_shares_lie_between_0_and_1(make):
    with pytest.raises(ValueError, match="scores run from 0 to 5"):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: stats.mean_interval(HALVES, binary=True),
        lambda: stats.paired_difference(HALVES, RIGHT, binary=True),
        lambda: stats.unpaired_difference(HALVES, RIGHT, binary=True),
    ],
)
def test_scores_said_to_be_right_or_wrong_are_0_or_1(make):
    with pytest.raises(ValueError, match=r"1 of 5 scores are neither 0 nor 1, such as 0\.5"):
        make()


def test_means_of_several_right_or_wrong_answers_are_no_mistake():
    assert stats.mean_interval(HALVES, binary=True, n_answers=10).method == "wilson-effective"


def test_equation_2_is_for_scores_between_0_and_1():
    assert math.isnan(stats.mean_estimate([2.0, 0.0, 1.0], se="bernoulli").se)
    # sqrt(0.6 * 0.4 / 5)
    assert stats.mean_estimate(RIGHT, se="bernoulli").se == pytest.approx(math.sqrt(0.048))


def test_tangos_interval_of_what_cannot_be_counted():
    for counts in ((-1, 6, 10), (6, 6, 10), (1, 6, math.inf)):
        with pytest.raises(ValueError, match="questions of n"):
            stats.tango_interval(*counts)
    low, high = stats.tango_interval([math.nan, 0.0, 0.0], [1.0, 0.0, 0.0], [10.0, 0.0, 100.0])
    assert np.isnan(low[:2]).all()
    assert np.isnan(high[:2]).all()
    # identical models: z^2 / (n + z^2), z^2 = 3.841459 (Tango 1998)
    assert high[2] == pytest.approx(3.841459 / 103.841459, abs=1e-7)


def test_a_power_that_a_test_has_without_a_difference_is_no_plan():
    for make in (
        lambda: stats.questions_needed(0.03, 1 / 9, power=0.04),
        lambda: stats.minimum_detectable_effect(198, 1 / 9, power=0.04),
        lambda: stats.units_needed(0.03, 1 / 9, power=0.04),
        lambda: stats.mcnemar_questions_needed(0.2, 0.1, power=0.04),
    ):
        with pytest.raises(ValueError, match=r"power=0\.04 is not above 1 - level=0\.05"):
            make()
    with pytest.raises(ScoresError, match=r"power = 0\.05 is not above 1 - level = 0\.05"):
        Decisions(power=0.05)
    with pytest.raises(ScoresError, match="is not above"):
        Decisions(power=0.8, level=0.1)


def test_plans_of_no_effect_no_answer_and_no_pilot():
    for effect in (math.nan, math.inf):
        with pytest.raises(ValueError, match="no difference"):
            stats.questions_needed(effect, 0.1)
    with pytest.raises(ValueError, match="effect of 0"):
        stats.questions_needed(1e-200, 0.1)
    with pytest.raises(ValueError, match="at least one answer"):
        stats.questions_needed(0.03, 0.1, 0.1, 0.1, 0.5, 1)
    for more in ({"pilot_df": 0.0}, {"pilot_df": math.nan}):
        with pytest.raises(ValueError, match="df above 0"):
            stats.units_needed(0.03, 0.1, **more)
    assert math.isnan(stats.minimum_detectable_effect(100, 0.1, df=0.0))


def test_published_numbers_that_cannot_be():
    for a, r in ((-0.01, 0.0), (0.01, 1.5)):
        with pytest.raises(ValueError, match="standard error is not below 0"):
            stats.summary_difference(0.6, a, 0.5, 0.01, r=r)


def test_counts_in_clusters_are_whole_and_finite():
    for successes, sizes in (([1.5, 2.0], [4, 4]), ([1, 2], [math.inf, 4]), ([1, 2], [4, None])):
        with pytest.raises(ValueError, match="successes of"):
            stats.clustered_posterior(successes, sizes)


def test_numbers_of_answers_are_1_or_more():
    for epochs in ([2.0, 0.0], [2.0, math.nan]):
        with pytest.raises(ValueError, match="1 of 2 questions have no number of answers"):
            stats.components([0.5, 1.0], [0.5, 0.0], epochs)


def test_what_a_mask_hides_is_missing():
    hidden = np.ma.array([1.0, 0.0, 1.0, 0.0], mask=[False, False, False, True])
    rng = np.random.default_rng(0)
    for make in (
        lambda: stats.pass_at_k(hidden, 4, 2),
        lambda: stats.clustered_posterior(hidden, [4, 4, 4, 4]),
        lambda: stats.logistic_regression(hidden, [1.0, 2.0, 3.0, 4.0]),
        lambda: stats.omega_squared_printed(hidden, [0.0, 0.0, 1.0, 1.0]),
        lambda: stats.certify_mean(hidden, rng=rng, repeats=10),
    ):
        with pytest.raises(ValueError, match=r"1 of 4|cluster 3 has nan"):
            make()


def test_equal_means_differ_by_exactly_0():
    # Both models have the same number of right answers, on questions of which each lacks others.
    rng = np.random.default_rng(3)
    for n in (7, 53, 300):
        right = np.arange(n + 6) % 3 == 0
        a, b = right.astype(float), right.astype(float)
        a[:3], b[-3:] = np.nan, np.nan
        both = np.flatnonzero(~np.isnan(a + b))
        b[both] = rng.permutation(a[both])
        third = np.where(rng.random(n + 6) < 0.2, np.nan, 1.0 - right)
        for clusters in (None, np.arange(n + 6) // 2):
            pairs = stats.all_pairs(np.column_stack([a, b, third]), clusters)
            assert pairs.difference[0] == 0.0
            assert pairs.p_value[0] == 1.0
