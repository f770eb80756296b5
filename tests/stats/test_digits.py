"""Scores that doubles hardly tell apart, and very large and very small ones: every number is right
or refused in a sentence, with no warning of numpy's.

What is right is computed with fractions: the means, the variances and the correlations of the
doubles at hand, exactly.
"""

import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from reportkit import analyse, make_table, stats
from reportkit.errors import ScoresError
from reportkit.stats import digits

N = 24
RNG = np.random.default_rng(0)
WHOLE = [RNG.integers(0, 10, N).astype(float) for _ in range(2)]
SHARES = [RNG.random(N) for _ in range(2)]
CLUSTERS = {"none": None, "even": np.repeat(np.arange(8), 3),
            "uneven": np.repeat(np.arange(6), [1, 2, 3, 4, 6, 8])}  # fmt: skip
OFFSETS = (1e6, 1e12, 1e15, 4e15, -1e15)
SCALES = (1e-300, 1e-200, 1e-160, 1e-100, 1e-50, 1e50, 1e100, 1e160, 1e200, 1e300)
PAIRS = {
    **{f"whole + {x:g}": (WHOLE[0] + x, WHOLE[1] + x) for x in OFFSETS},
    **{f"whole + {x:g} and whole": (WHOLE[0] + x, WHOLE[1]) for x in OFFSETS},
    **{f"shares x {x:g}": (SHARES[0] * x, SHARES[1] * x) for x in SCALES},
    **{f"shares x {x:g} and shares": (SHARES[0] * x, SHARES[1]) for x in SCALES},
    **{f"one {x:g}": (np.r_[x, np.zeros(N - 1)], np.zeros(N)) for x in SCALES},
    "denormals": (5e-324 * WHOLE[0], np.zeros(N)),
}
# No whole numbers, and little of their differences is left.
LOST = {f"shares + {x:g}": (SHARES[0] + x, SHARES[1] + x) for x in (1e12, 1e15, 4e15, -1e15)}


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def moments(s, clusters):
    """Mean, and the CR2 variance of the mean, of doubles as fractions."""
    x = [Fraction(float(v)) for v in s]
    mean = sum(x) / N
    u = [v - mean for v in x]
    if clusters is None:
        return mean, sum(v * v for v in u) / (N - 1) / N
    total = Fraction(0)
    for c in np.unique(clusters):
        mine = [v for v, label in zip(u, clusters, strict=True) if label == c]
        total += sum(mine) ** 2 / (1 - Fraction(len(mine), N))
    return mean, total / N**2


def root(x):
    """The root of a fraction far outside the range of doubles."""
    if x == 0:
        return 0.0
    half = (x.numerator.bit_length() - x.denominator.bit_length()) // 2
    return math.ldexp(math.sqrt(x / Fraction(2) ** (2 * half)), half)


def near(found, expected):
    """To a millionth; of denormal numbers, to the next of them."""
    least = Fraction(5e-324)
    return (
        abs(Fraction(float(found)) - Fraction(expected)) <= abs(Fraction(expected)) / 10**6 + least
    )


@pytest.mark.parametrize("by", CLUSTERS)
@pytest.mark.parametrize("pair", PAIRS)
def test_means_and_differences_are_exact(pair, by):
    (a, b), clusters = PAIRS[pair], CLUSTERS[by]
    for s in (a, b):
        e, (mean, variance) = stats.mean_estimate(s, clusters), moments(s, clusters)
        assert near(e.value, mean) and near(e.se, root(variance))
        stats.mean_interval(s, clusters)
    mean, variance = moments(a - b, clusters)
    one = stats.paired_difference(a, b, clusters)
    assert near(one.estimate.value, mean) and near(one.estimate.se, root(variance))
    pairs = stats.all_pairs(np.column_stack([a, b]), clusters)
    assert near(pairs.difference[0], mean) and near(pairs.se[0], root(variance))
    assert pairs.p_value[0] == pytest.approx(one.p_value, rel=1e-9, nan_ok=True)
    missing = stats.all_pairs(np.column_stack([np.where(np.arange(N) % 5, a, np.nan), b]), clusters)
    assert missing.n_questions[0] == N - 5


@pytest.mark.parametrize("pair", PAIRS)
def test_correlations_are_exact(pair):
    x, y = ([Fraction(float(v)) for v in s] for s in PAIRS[pair])
    u, v = ([w - sum(s) / N for w in s] for s in (x, y))
    products = [sum(a * b for a, b in zip(*two, strict=True)) for two in ((u, v), (u, u), (v, v))]
    for r in (stats.correlation(*PAIRS[pair]), stats.cluster_correlation(*PAIRS[pair])):
        if products[1] * products[2] == 0:
            assert math.isnan(r)
        else:
            squared = products[0] ** 2 / (products[1] * products[2])
            assert r == pytest.approx(
                math.copysign(root(squared), 1 if products[0] > 0 else -1), rel=1e-6
            )


@pytest.mark.parametrize("pair", PAIRS)
def test_what_else_there_is_gives_numbers_or_a_sentence(pair):
    (a, b), even = PAIRS[pair], CLUSTERS["even"]
    both = np.column_stack([a, b])
    for function in (
        lambda: stats.unpaired_difference(a, b),
        lambda: stats.design_effect(a, even),
        lambda: stats.components(a, np.abs(b), np.full(N, 2)),
        lambda: stats.stratified_mean(a, np.arange(N) % 2),
    ):
        function()
    for function in (
        lambda: stats.cluster_weighted_mean(a, even),  # means of clusters are not whole
        lambda: stats.weighted_mean(a, np.ones(N), even),
        lambda: stats.two_way_se(a, even, np.arange(N) % 3),
        lambda: stats.mean_covariance(both, even),
        lambda: stats.paired_components(both, both[:, ::-1], even),
        lambda: stats.certify_mean(a, even, repeats=10, rng=np.random.default_rng(0)),
        lambda: stats.certify_difference(a, b, repeats=10, rng=np.random.default_rng(0)),
    ):
        try:
            function()
        except ValueError as error:
            assert "in another unit" in str(error) or "subtract a constant" in str(error)


@pytest.mark.parametrize("pair", LOST)
def test_what_doubles_cannot_tell_is_refused(pair):
    a, b = LOST[pair]
    for function in (
        lambda: stats.mean_estimate(a),
        lambda: stats.paired_difference(a, b),
        lambda: stats.all_pairs(np.column_stack([a, b])),
    ):
        if pair == "shares + 1e+12":  # 1e-4 of their spread is left: right to as much
            function()
            continue
        with pytest.raises(ValueError, match="rounded too much for their differences; subtract"):
            function()


def frame(a, b):
    rows = {"model": np.repeat(["A", "B"], N), "question_id": np.tile(np.arange(N), 2)}
    return pd.DataFrame(rows | {"score": np.r_[a, b]})


def test_a_report_of_whole_numbers_far_from_0_is_that_of_the_numbers_near_0():
    """The issue's scores, 1e15 + 0..9, printed a difference of 0.0 (0.0) and p = 1."""
    near0, far = (analyse(frame(*(s + x for s in WHOLE)))[0] for x in (0.0, 1e15))
    for name in ("difference", "se", "df", "ci_low", "ci_high", "p_value", "correlation", "mde"):
        one, other = (getattr(r.differences[0], name) for r in (near0, far))
        assert one == pytest.approx(other, rel=1e-12), name
    assert far.means[0].se == pytest.approx(near0.means[0].se, rel=1e-12)
    assert far.means[0].mean == pytest.approx(near0.means[0].mean + 1e15, abs=0.125)
    assert far.scale.low == 1e15 + min(map(min, WHOLE))
    # Means of several answers are whole no more; they are taken near 0.
    both = pd.concat([frame(*(s + 1e15 for s in WHOLE)), frame(*(s[::-1] + 1e15 for s in WHOLE))])
    repeated, _ = analyse(both.assign(epoch=np.repeat([1, 2], 2 * N)))
    d = ((WHOLE[0] + WHOLE[0][::-1]) - (WHOLE[1] + WHOLE[1][::-1])) / 2
    assert repeated.differences[0].difference == pytest.approx(d.mean(), rel=1e-12)
    assert repeated.differences[0].se == pytest.approx(d.std(ddof=1) / math.sqrt(N), rel=1e-12)


@pytest.mark.parametrize("pair", [*PAIRS, *LOST])
def test_a_report_is_made_or_refused(pair):
    a, b = (PAIRS | LOST)[pair]
    try:
        result, _ = analyse(frame(a, b))
    except ScoresError as error:
        assert any(why in str(error) for why in ("beyond 1e+50", "too small", "subtract a const"))
        return
    assert pair not in LOST
    for kind in ("means", "differences", "correlations", "variance", "power"):
        str(make_table(result, kind))
    mean, variance = moments(a - b, None)
    assert near(result.differences[0].difference, mean)
    assert near(result.differences[0].se, root(variance))


def test_scores_of_a_report_that_are_too_small_are_refused_and_one_small_model_is_not():
    with pytest.raises(ScoresError, match="no score is beyond 9.9[0-9]+e-201, too small for a var"):
        analyse(frame(*PAIRS["shares x 1e-200"]))
    result, _ = analyse(frame(*PAIRS["shares x 1e-200 and shares"]))
    assert result.means[0].mean > 0.0 and result.means[0].se > 0.0


# What counts as rounding: each edge by the words of digits.py, with numbers that doubles hold -----


@pytest.mark.parametrize(
    "low, high, expected",
    [
        (0.0, 1.0, False),  # shares, whatever their spread
        (1.0 - 1e-13, 1.0, False),
        (0.0, 0.0, False),
        (0.5, 0.5 + 1e-13, False),
        (2.0, 2.0 + 1e-13, True),  # no shares: a spread of 5e-14 of them
        (-1e-13, 1.0, False),
        (1.5, 1.5, False),  # no spread
        (1.5, 1.5 + 1e-13, True),
        (8.0, 8.0 + 2.0**-49, False),  # 2^-49 / 8 is 2.2e-16: equal but for rounding
        (8.0, 8.0 + 2.0**-45, False),  # 3.6e-15
        (8.0, 8.0 + 2.0**-44, True),  # 7.1e-15
        (1024.0, 1024.0 + 2.0**-30, True),  # 9.1e-13
        (1024.0, 1024.0 + 2.0**-29, False),  # 1.8e-12
        (2.0**29, 2.0**29 + 2.0**-19, False),  # 3.6e-15 of 5e8, below ORDINARY
        (2.0**30, 2.0**30 + 2.0**-18, True),  # the same share of 1e9: nothing rounds so
        (-(2.0**30) - 2.0**-18, -(2.0**30), True),
        (-8.0 - 2.0**-44, -8.0, True),
    ],
)
def test_what_is_blurred(low, high, expected):
    assert digits.blurred(low, high) is expected


def test_rounding_is_a_share_of_the_largest_score():
    """1e-14 of it, whichever its sign; of whole numbers that doubles blur, of their spread."""
    assert digits.rounding_of(np.array([-4.0, 1.0]), -4.0, 1.0) == 4e-14
    assert digits.rounding_of(np.array([-1.0, 4.0]), -1.0, 4.0) == 4e-14
    low = 2.0**52
    assert digits.rounding_of(np.array([low, low + 8.0]), low, low + 8.0) == 8e-14


@pytest.mark.parametrize(
    "variance, power, expected",
    [(0.25, 0, 0.25), (0.25, 3, 16.0), (0.25, -3, 0.25 / 64), (0.0, 5, 0.0), (-0.5, 5, -0.5)],
)
def test_a_variance_goes_back_to_its_unit(variance, power, expected):
    assert digits.squared_back(variance, power) == expected


@pytest.mark.parametrize(("largest", "held"), [(1e75, True), (1.01e75, False), (1e-75, True),
                                               (0.99e-75, False)])  # fmt: skip
def test_scores_from_which_squares_are_refused(largest, held):
    """1e-75 to 1e75: fourth powers, 1e-300 to 1e300, and their sums are normal doubles."""
    scores = np.array([0.0, largest, largest / 2])
    assert (digits.exponent(largest) == 0) == held
    if held:
        digits.check_squares(scores)
        return
    with pytest.raises(ValueError, match="too large or too small for its variance"):
        digits.check_squares(scores)
