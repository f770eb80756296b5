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
from reportkit.stats.certificate import certify_difference, certify_mean
from reportkit.stats.drawing import beta_binomial
from reportkit.stats.eval_shape import mean_and_spread


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


def test_gains_of_one_question():
    """Nothing: 1 for certain. Of 0.2 and 0.6: mean 0.4, variance 0.04, mean square 0.2; the Beta
    of that variance has 0.4 x 0.6 / 0.04 - 1 = 5.
    """
    assert mean_and_spread(np.array([])) == (1.0, math.inf, 1.0)
    assert mean_and_spread(np.array([0.2, 0.6])) == pytest.approx((0.4, 5.0, 0.2))
    assert mean_and_spread(np.array([1.0, 1.0])) == (1.0, math.inf, 1.0)


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


@pytest.mark.parametrize(("scores", "binary"), [(POINTS, False), (RIGHT, True)])
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
    assert [c.n_answers for c in result.certificates] == [12, 12, 24]


def test_what_a_certificate_holds_of_its_call():
    a, b = np.array([1.0, 0, 1, 1, 0, 1, 1, 0]), np.array([1.0, 1, 0, 1, 0, 0, 1, 0])
    rng = np.random.default_rng(0)
    c = certify_difference(a, b, binary=True, level=0.9, repeats=300, rng=rng)
    assert (c.repeats, c.level, c.mean) == (300, 0.9, 0.125) and math.isnan(c.answer_icc)
    m = certify_mean(a, binary=True, level=0.9, repeats=300, rng=rng)
    assert (m.repeats, m.level, m.mean) == (300, 0.9, 0.625)
