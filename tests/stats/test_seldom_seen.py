"""Numbers that other tests come near to and do not see: of scores in percent, of scores far from 1,
of three groups, of one discordant question. Each is worked by hand, by numpy or by scipy.
"""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as sps

from reportkit.stats import digits
from reportkit.stats.bayes.bivariate import _derivatives, log_density
from reportkit.stats.changes import paired_change
from reportkit.stats.coverage.certificate import _changes
from reportkit.stats.coverage.shape import rescaled
from reportkit.stats.families.simultaneous import _standard_errors
from reportkit.stats.means.grouped import pooled
from reportkit.stats.means.intervals import mean_interval
from reportkit.stats.pairs.available import available_difference
from reportkit.stats.pairs.every import all_pairs
from reportkit.stats.pairs.patterns import _parts
from reportkit.stats.pairs.tango import DifferenceArrays, effective_tango
from reportkit.stats.variance_components import probability_comparison
from reportkit.tables.frames import table_of_frame
from reportkit.tables.power import _effects

ANSWERS = (np.random.default_rng(4).random((3, 30)) < [[0.8], [0.6], [0.5]]).astype(float)


def test_three_subtasks_are_pooled_each_by_itself():
    """Sums of squares 1/2, 2/3 and 1; sqrt(13/6 / (9 - 3) / 9). Of the means 1/2, 2/3, 1/2 with
    squared errors 1/4, 1/9 and 1/12: sqrt(4/9) / 3.
    """
    scores = np.array([1.0, 0, 1, 1, 0, 0, 0, 1, 1])
    subtasks = np.array(list("aabbbcccc"))
    assert pooled(scores, subtasks) == pytest.approx((5 / 9, math.sqrt(13 / 324)))
    assert pooled(scores, subtasks, "macro") == pytest.approx((5 / 9, 2 / 9))


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(10), 3)])
def test_answers_in_percent_have_a_hundred_times_the_numbers(clusters):
    share, percent = (mean_interval(k * ANSWERS[0], clusters) for k in (1.0, 100.0))
    assert 0.0 < share.low < ANSWERS[0].mean() < share.high < 1.0
    ends = (100.0 * share.low, 100.0 * share.high)
    assert (percent.low, percent.high) == pytest.approx(ends) and percent.method == share.method
    one, other = (all_pairs(k * ANSWERS.T, clusters) for k in (1.0, 100.0))
    for name in ("difference", "se", "low", "high", "apart", "se_unclustered"):
        found = getattr(other, name)
        assert found == pytest.approx(100.0 * getattr(one, name)) and np.any(found != 0.0), name
    assert other.p_value == pytest.approx(one.p_value)
    gaps = 100.0 * (ANSWERS[0] - ANSWERS[1])
    assert other.se_unclustered[0] == pytest.approx(sps.sem(gaps))


def test_a_model_in_one_cluster_has_no_error():
    """The other is in three: the least of both degrees of freedom is 0."""
    a = np.array([1.0, 0, np.nan, np.nan, np.nan, np.nan])
    b = np.array([1.0, 1, 0, 1, 0, 0])
    found = available_difference(a, b, np.array(list("xxyyzz")))
    assert found.estimate.value == 0.0 and math.isnan(found.estimate.se)
    assert math.isnan(found.estimate.df) and math.isnan(found.interval.low)


def test_both_errors_of_a_probability_comparison_are_of_one_kind():
    """CR0 by numpy: sqrt(sum of squared sums of deviations of the clusters) / n."""
    p = np.array([0.9, 0.8, 0.3, 0.6, 0.2, 0.4, 0.7, 0.1])
    right = np.array([1.0, 1, 0, 1, 0, 0, 0, 1])
    codes = np.array([0, 0, 0, 0, 1, 1, 2, 3])

    def cr0(x):
        return math.sqrt((np.bincount(codes, weights=x - x.mean()) ** 2).sum()) / 8

    found = probability_comparison(p, right, codes, se="cr0")
    assert (found.probability.se, found.sampled.se) == pytest.approx((cr0(p), cr0(right)))
    assert found.reduction == pytest.approx(1.0 - (cr0(p) / cr0(right)) ** 2)


def test_one_discordant_question_has_the_p_of_mcnemar():
    """One of 50 questions: Z = 1, so that p is 2 Phi(-1), by scipy, whatever the smaller t."""
    v0 = (1.0 - 1.0 / 50) / 50**2
    numbers = (0.02, math.sqrt(v0) / 2.0, 49.0, 50, 50, 1.0, 0.0, 50.0)
    _, _, p = effective_tango(DifferenceArrays(*map(np.array, numbers)), most=50)
    assert p.item() == pytest.approx(2.0 * sps.norm.cdf(-1.0))


@pytest.mark.parametrize("kind", [bool, np.uint8, np.float32, object])
def test_scores_are_doubles(kind):
    """0 less 1 is -1: bytes would make 255 of it."""
    found = digits.floats(np.array([0, 1], dtype=kind))
    assert found.dtype == np.float64 and (found[0] - found[1]) == -1.0


def test_the_rounding_of_scores_is_no_difference():
    """Of whole numbers beside others, and of scores far from 1: two doubles that are neighbours."""
    near = np.nextafter(1.0, 2.0)
    assert digits.differences(np.array([1.0, 0.0]), np.array([near, 0.5])).tolist() == [0.0, -0.5]
    old = np.array([1e6 + 0.5, 3e5 + 0.25, 2e5 + 0.125, 1e5])
    found = paired_change(old, np.nextafter(old, 0.0))
    assert (found.estimate.value, found.estimate.se, found.null_se) == (0.0, 0.0, 0.0)
    for size in (0.3, 3e5):  # a variance of rounding is 0 at any size
        v = np.array([[size, np.nextafter(size, 0.0)], [np.nextafter(size, 0.0), size]])
        assert 2.0 * (v[0, 0] - v[0, 1]) > 0.0
        assert _standard_errors(v, np.array([0]), np.array([1])).tolist() == [0.0]


def test_where_every_question_is_lost_a_certificate_draws_some_that_are_not():
    """Of 9 questions 1 / (2 * 10) short of all: a share of .95."""
    for d, shares in ((-1.0, (0.0, 0.95)), (1.0, (0.95, 0.0))):
        assert _changes(np.full(9, d), math.nan).shares == pytest.approx(shares)


def test_shares_above_1_are_refused():
    for scores in ([0.2, 1.5], [-0.5, 0.2]):
        with pytest.raises(ValueError, match="need scores between 0 and 1"):
            rescaled(np.array(scores), True, None, None)


@pytest.mark.parametrize(
    ("values", "texts"),
    [((12345.67, 2.7), ["12346", "3"]), ((123.45, 2.7), ["123", "3"]),
     ((12.34, 2.5), ["12.3", "2.5"]), ((0.01234, 0.5), ["0.012", "0.500"])],
)  # fmt: skip
def test_a_saved_frame_has_three_digits_of_its_largest_number(values, texts):
    table = table_of_frame(pd.DataFrame({"x": values}), "t", "")
    assert [row[-1] for row in table.cells] == texts


def test_differences_worth_finding_are_hundredths_of_the_range():
    """1, 2 and 5 of 100 points, also from -50 to 50."""
    for low, high in ((0.0, 1000.0), (-500.0, 500.0)):
        scale = SimpleNamespace(percent=False, low=low, high=high)
        assert _effects(SimpleNamespace(scale=scale)) == [10.0, 20.0, 50.0]


@pytest.mark.parametrize("at", [(0.3, -0.4, 0.5), (-0.6, 0.9, -0.2), (0.0, 0.1, 1.2)])
def test_slopes_of_a_posterior_are_those_of_its_logarithm(at):
    """Gradient and minus the Hessian by differences of log_density, in u and in v."""
    counts, step = np.array([12.0, 5.0, 3.0, 9.0]), 1e-3
    u, v, z = (np.array([x]) for x in at)

    def f(a: float, b: float) -> float:
        return log_density(counts, u + a * step, v + b * step, z).item()

    slopes = ((f(1, 0) - f(-1, 0)) / (2 * step), (f(0, 1) - f(0, -1)) / (2 * step))
    bends = [2 * f(0, 0) - f(*k) - f(-k[0], -k[1]) for k in ((1, 0), (0, 1))]
    cross = (f(1, -1) + f(-1, 1) - f(1, 1) - f(-1, -1)) / 4.0
    expected = (*slopes, bends[0] / step**2, cross / step**2, bends[1] / step**2)
    found = [x.item() for x in _derivatives(counts, u, v, z)]
    assert found == pytest.approx(expected, rel=2e-4, abs=2e-4)


def test_the_sums_of_a_pattern_leave_out_what_is_missing():
    """Two clusters of two questions, of which the second model lacks one; about centres of 1/2."""
    nan = math.nan
    s = np.array([[1.0, nan], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
    patterns = SimpleNamespace(model=np.array([0, 1]))
    parts = _parts(s, np.array([0, 0, 1, 1]), np.array([0.5, 0.5]), patterns)
    rows = {(int(c), bool(k)): tuple(x) for c, (_, k), x in zip(
        parts.cluster, parts.known, parts.sums, strict=True
    )}  # fmt: skip
    assert rows == {(0, False): (0.5, 0.0), (0, True): (-0.5, 0.5), (1, True): (1.0, 0.0)}


def test_scores_that_run_against_each_other_are_correlated_by_no_less_than_minus_1():
    for seed in range(40):
        s = np.random.default_rng(seed).random((12, 1))
        found = all_pairs(np.hstack([s, 1.0 - s, 0.3 - 0.2 * s]), share=False).correlation
        assert found == pytest.approx([-1.0, -1.0, 1.0]) and (np.abs(found) <= 1.0).all()
