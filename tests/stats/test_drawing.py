"""What the simulations of certificates draw: chances by hand and by scipy, and streams of numbers
that only the names decide.
"""

import hashlib
import math

import numpy as np
import pytest
from scipy.stats import betabinom, binom
from support.scores_made import frame_of

from reportkit.analysis import analyse
from reportkit.analysis.certificates import _stream
from reportkit.stats.coverage.certificate import _changes, certify_difference, certify_mean
from reportkit.stats.coverage.drawing import beta_binomial, count_draws
from reportkit.stats.coverage.shape import check_repeats, mean_and_spread, rescaled


@pytest.mark.parametrize(
    ("n", "mean", "concentration"), [(1, 0.3, 2.0), (5, 0.7, 0.4), (9, 0.5, 30)]
)
def test_chances_of_counts_are_scipys(n, mean, concentration):
    k = np.arange(n + 1)
    a, b = mean * concentration, (1 - mean) * concentration
    got = beta_binomial(k, n, mean, concentration)
    assert got == pytest.approx(betabinom.pmf(k, n, a, b), rel=1e-10)
    assert beta_binomial(k, n, mean, math.inf) == pytest.approx(binom.pmf(k, n, mean), rel=1e-10)


@pytest.mark.parametrize("mean", [0.0, 0.3, 1.0])
def test_answers_that_all_agree_are_all_right_or_all_wrong(mean):
    """A concentration of 0: the share itself is 0 or 1."""
    assert beta_binomial(np.arange(4), 3, mean, 0.0).tolist() == [1 - mean, 0.0, 0.0, mean]
    assert beta_binomial(np.arange(1), 0, mean, 0.0).tolist() == [1.0]


@pytest.mark.parametrize(
    ("n", "shares", "together"),
    [(2, (0.5, 0.0), False), (3, (0.5, 0.0), True), (3, (0.5, 0.1), False), (4, (0.5, 0.1), True)],
)
def test_units_are_drawn_together_where_that_takes_fewer_numbers(n, shares, together):
    """One answer is right or wrong, 2 outcomes; or a gain, a loss or a tie, 3."""
    rng = np.random.default_rng(0)
    draw, units, asked = count_draws(rng, *[np.ones(n, dtype=int)] * 2, shares, math.inf)
    up, down, alike = draw(7)
    assert len(units) == len(asked) == (2 + (shares[1] > 0) if together else n)
    assert alike.shape == ((7, len(units)) if together else (1,))
    if together:
        assert (alike.sum(axis=1) == n).all()
    assert (up + down).max() == 1
    apart = count_draws(rng, *[np.ones(n, dtype=int)] * 2, shares, math.inf, together=False)
    assert apart[0](7)[2].shape == (1,)


def test_units_and_answers_of_what_is_drawn_together():
    """Five questions of two answers and six of one: 3 outcomes and 2, each with its questions."""
    rng = np.random.default_rng(0)
    asked = np.repeat([2, 1], [5, 6])
    draw, units, answers = count_draws(rng, np.ones(11), asked, (0.5, 0.0), math.inf)
    assert (units.tolist(), answers.tolist()) == ([1] * 5, [1, 1, 2, 2, 2])
    up, down, alike = draw(20_000)
    assert (up.tolist(), down.tolist()) == ([[0, 1, 0, 1, 2]], [[0] * 5])
    assert (alike[:, :2].sum(axis=1) == 6).all() and (alike[:, 2:].sum(axis=1) == 5).all()
    # Means of the multinomials: 6 x (1/2, 1/2) and 5 x (1/4, 1/2, 1/4), each to 0.05.
    assert alike.mean(axis=0) == pytest.approx([3, 3, 1.25, 2.5, 1.25], abs=0.05)


def test_gains_losses_and_ties_have_their_shares():
    """Four questions, a gain with 0.5 and a loss with 0.1: ties, losses and gains in turn."""
    rng = np.random.default_rng(0)
    draw, _, _ = count_draws(rng, *[np.ones(4, dtype=int)] * 2, (0.5, 0.1), math.inf)
    up, down, alike = draw(20_000)
    assert (up.tolist(), down.tolist()) == ([[0, 0, 1]], [[0, 1, 0]])
    assert alike.mean(axis=0) == pytest.approx([1.6, 0.4, 2.0], abs=0.05)
    each, _, _ = count_draws(rng, *[np.ones(2, dtype=int)] * 2, (0.5, 0.1), math.inf)
    up, down, _ = each(20_000)
    assert (up.mean(), down.mean()) == pytest.approx((0.5, 0.1), abs=0.01)


def test_gains_of_one_question():
    """Nothing: 1 for certain. Of 0.2 and 0.6: mean 0.4, variance 0.04, mean square 0.2; the Beta
    of that variance has 0.4 x 0.6 / 0.04 - 1 = 5.
    """
    assert mean_and_spread(np.array([])) == (1.0, math.inf, 1.0)
    assert mean_and_spread(np.array([0.2, 0.6])) == pytest.approx((0.4, 5.0, 0.2))
    assert mean_and_spread(np.array([1.0, 1.0])) == (1.0, math.inf, 1.0)


def test_scores_on_0_to_1():
    """2 and 5 of a range of 0 to 10, of their own, and equal ones, whose width counts as 1."""
    s = np.array([2.0, 5.0])
    x, start, width = rescaled(s, False, 0.0, 10.0)
    assert (x.tolist(), start, width) == ([0.2, 0.5], 0.0, 10.0)
    x, start, width = rescaled(s, False, None, None)
    assert (x.tolist(), start, width) == ([0.0, 1.0], 2.0, 3.0)
    x, start, width = rescaled(s[:1], False, None, None)
    assert (x.tolist(), start, width) == ([0.0], 2.0, 1.0)
    assert rescaled(s / 10, True, None, None)[1:] == (0.0, 1.0)
    with pytest.raises(ValueError) as caught:
        rescaled(s, False, 3.0, 10.0)
    assert str(caught.value) == ("scores run from 2 to 5, beyond 3 to 10; give low and high of all")
    with pytest.raises(ValueError) as caught:
        rescaled(s, True, None, None)
    assert str(caught.value) == (
        "scores run from 2 to 5; binary and share need scores between 0 and 1"
    )
    with pytest.raises(ValueError) as caught:
        check_repeats(0)
    assert str(caught.value) == (
        "repeats=0 simulates nothing; give 1 or more, 2000 for an error of half a percent"
    )


def test_how_shares_of_gains_and_losses_correlate():
    """Gains 0.2 and 0.8 and a loss of 0.5 in 5 questions: the share of the variance that gains and
    losses of one size would have, by hand.
    """
    changes = _changes(np.array([0.2, 0.8, -0.5, 0.0, 0.0]), 0.1)
    mean = 0.4 * 0.5 - 0.2 * 0.5
    variance = 0.4 * (0.04 + 0.64) / 2 + 0.2 * 0.25 - mean**2
    shared = 0.4 * 0.25 + 0.2 * 0.25 - mean**2
    assert (changes.shares, changes.whole) == ((0.4, 0.2), False)
    assert changes.mean == pytest.approx(mean)
    assert changes.rho == pytest.approx(0.1 * variance / shared)
    assert changes.icc == pytest.approx(0.1)
    # More than shares can make common is lowered to what they can.
    most = _changes(np.array([0.2, 0.8, -0.5, 0.0, 0.0]), 0.9)
    assert most.rho == 1.0 and most.icc == pytest.approx(shared / variance)


def test_two_questions_can_be_certified():
    """1 of 2 right: 0, 1 or 2 right with chances 1/4, 1/2, 1/4, and every interval holds 1/2."""
    c = certify_mean(np.array([0.0, 1.0]), binary=True, repeats=200, rng=np.random.default_rng(0))
    assert (c.mean, c.coverage, c.not_printed) == (0.5, 1.0, 0.0)


def test_the_names_alone_decide_what_is_drawn():
    """The first four big-endian words of SHA-256 of the names, by numpy."""
    words = np.frombuffer(hashlib.sha256(b"toy\0A\0B").digest(), ">u4")[:4]
    sequence = np.random.SeedSequence(7, spawn_key=tuple(int(w) for w in words))
    expected = np.random.default_rng(sequence).random(3).tolist()
    assert _stream(7, "toy", "A", "B").random(3).tolist() == expected
    assert _stream(7, "toy", "AB").random(3).tolist() != expected


# 3 answers in points, so that the range of the eval differs from that of one model.
POINTS = np.array([[2, 5, 9, 4, 8, 3, 7, 6, 5, 4, 8, 2], [0, 10, 5, 6, 3, 9, 7, 4, 2, 8, 6, 1]])
RIGHT = np.array([[1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1], [1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0]])


@pytest.mark.parametrize(
    ("scores", "binary"), [(POINTS, False), (RIGHT, True), (np.tile(RIGHT, 10), True)]
)
def test_a_report_certifies_with_its_level_range_and_kind_of_answers(scores, binary):
    """The same numbers as from the statistics themselves, called with what the eval has."""
    result, _ = analyse(frame_of(scores), level=0.8, certificate=True, seed=7)
    shape = {"binary": binary, "share": binary, "low": scores.min(), "high": scores.max()}
    s = scores.astype(float)
    expected = [
        certify_mean(s[0], level=0.8, rng=_stream(7, "toy", "A"), **shape),
        certify_mean(s[1], level=0.8, rng=_stream(7, "toy", "B"), **shape),
        certify_difference(s[0], s[1], level=0.8, rng=_stream(7, "toy", "A", "B"), **shape),
    ]
    for got, want in zip(result.certificates, expected, strict=True):
        assert (got.coverage, got.level, got.repeats) == (want.coverage, 0.8, 2000)
        assert got.mean == pytest.approx(want.mean)
        assert got.simulation_error == pytest.approx(want.simulation_error)
    n = scores.shape[1]
    assert [c.n_answers for c in result.certificates] == [n, n, 2 * n]


def test_what_a_certificate_holds_of_its_call():
    a, b = np.array([1.0, 0, 1, 1, 0, 1, 1, 0]), np.array([1.0, 1, 0, 1, 0, 0, 1, 0])
    rng = np.random.default_rng(0)
    c = certify_difference(a, b, binary=True, level=0.9, repeats=300, rng=rng)
    assert (c.repeats, c.level, c.mean) == (300, 0.9, 0.125) and math.isnan(c.answer_icc)
    m = certify_mean(a, binary=True, level=0.9, repeats=300, rng=rng)
    assert (m.repeats, m.level, m.mean) == (300, 0.9, 0.625)
