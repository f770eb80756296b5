"""Fisher, Wilcoxon, the pooled z, pass^k and pass@k against their definitions in integers, scipy
and statsmodels.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from scipy.stats.contingency import odds_ratio
from statsmodels.stats.proportion import proportions_ztest

from reportkit.stats import mcnemar_p_value, mean_estimate
from reportkit.stats.exact import (
    fisher_exact_p_value,
    fisher_odds_ratio_interval,
    two_proportion_z,
    wilcoxon_p_value,
)
from reportkit.stats.repeats import pass_at_k, pass_hat_k

laws = settings(derandomize=True, deadline=None, max_examples=150)


def weights(a: int, n: int, b: int, m: int) -> dict[int, int]:
    """C(n, x) C(m, a+b-x), as integers, for every table with the totals of a of n and b of m."""
    return {
        x: math.comb(n, x) * math.comb(m, a + b - x)
        for x in range(max(0, a + b - m), min(n, a + b) + 1)
    }


@st.composite
def totals(draw, largest: int = 40) -> tuple[int, int, int, int]:
    n, m = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    return draw(st.integers(0, n)), n, draw(st.integers(0, m)), m


# Fisher -------------------------------------------------------------------------------------------


def test_fisher_is_its_definition_on_every_small_table():
    """Every table of up to 6 and 7 answers: integers, so that ties are ties."""
    for n, m in itertools.product(range(7), range(8)):
        for a, b in itertools.product(range(n + 1), range(m + 1)):
            w = weights(a, n, b, m)
            expected = Fraction(sum(v for v in w.values() if v <= w[a]), sum(w.values()))
            assert fisher_exact_p_value(a, n, b, m) == pytest.approx(float(expected), rel=1e-13), (
                a,
                n,
                b,
                m,
            )


@laws
@given(totals())
def test_fisher_is_scipy(table):
    a, n, b, m = table
    expected = scipy_stats.fisher_exact([[a, n - a], [b, m - b]]).pvalue
    assert fisher_exact_p_value(a, n, b, m) == pytest.approx(expected, rel=1e-9)


@laws
@given(totals())
def test_fisher_does_not_mind_which_model_or_outcome_comes_first(table):
    a, n, b, m = table
    p = fisher_exact_p_value(a, n, b, m)
    assert 0.0 < p <= 1.0
    assert fisher_exact_p_value(b, m, a, n) == pytest.approx(p, rel=1e-12)
    assert fisher_exact_p_value(n - a, n, m - b, m) == pytest.approx(p, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b"), [(25_000, 25_300), (24_800, 25_300), (100, 160), (49_900, 49_950)]
)
def test_fisher_of_100_000_answers_is_its_definition_in_integers(a, b):
    """Equal halves: every table has a mirror image that is just as likely, which rounding must not
    hide.
    """
    n, k = 50_000, a + b
    # Neighbours from one another, outwards from the centre, in integers; what lies beyond weighs
    # less than 1e-30.
    centre = k // 2
    w = {centre: math.comb(n, centre) * math.comb(n, k - centre)}
    for x in range(centre, min(n, k, centre + 2000)):
        w[x + 1] = w[x] * (n - x) * (k - x) // ((x + 1) * (n - k + x + 1))
    for x in range(centre, max(0, k - n, centre - 2000), -1):
        w[x - 1] = w[x] * x * (n - k + x) // ((n - x + 1) * (k - x + 1))
    expected = Fraction(sum(v for v in w.values() if v <= w[a]), math.comb(2 * n, k))
    assert fisher_exact_p_value(a, n, b, n) == pytest.approx(float(expected), rel=1e-10)


@pytest.mark.parametrize(
    "table", [(0, 5, 0, 9), (5, 5, 9, 9), (0, 0, 3, 9), (2, 7, 0, 0), (0, 0, 0, 0)]
)
def test_one_possible_table_says_nothing(table):
    """scipy, too, gives p = 1 and an odds ratio of nan where a margin is empty."""
    assert fisher_exact_p_value(*table) == 1.0
    found = fisher_odds_ratio_interval(*table)
    assert (
        math.isnan(found.estimate)
        and math.isnan(found.interval.low)
        and math.isnan(found.interval.high)
    )
    assert found.interval.method == "none"


# Odds ratios --------------------------------------------------------------------------------------


@settings(laws, max_examples=60)
@given(totals(25), st.sampled_from([0.8, 0.95, 0.99]))
def test_odds_ratio_is_scipy(table, level):
    a, n, b, m = table
    if len(weights(a, n, b, m)) == 1:
        return
    found = fisher_odds_ratio_interval(a, n, b, m, level)
    expected = odds_ratio([[a, n - a], [b, m - b]], kind="conditional")
    interval = expected.confidence_interval(level)
    assert found.estimate == pytest.approx(expected.statistic, rel=1e-6)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (interval.low, interval.high), rel=1e-6
    )
    assert found.interval.level == level and found.interval.method == "fisher"


def share(w: dict[int, int], psi: float, kept) -> float:
    """P_psi(X in kept), by the definition."""
    weighted = {x: v * Fraction(psi) ** x for x, v in w.items()}
    return float(sum(v for x, v in weighted.items() if kept(x)) / sum(weighted.values()))


@settings(laws, max_examples=40)
@given(totals(12), st.sampled_from([0.5, 0.95, 0.999]))
def test_odds_ratio_ends_are_the_inverted_test(table, level):
    """P(X >= x) at the lower end and P(X <= x) at the upper are (1-level)/2; E[X] = x at the
    estimate.
    """
    a, n, b, m = table
    w = weights(a, n, b, m)
    if len(w) == 1:
        return
    found = fisher_odds_ratio_interval(a, n, b, m, level)
    if a == min(w):
        assert found.estimate == found.interval.low == 0.0
    else:
        assert share(w, found.interval.low, lambda x: x >= a) == pytest.approx(
            (1 - level) / 2, rel=1e-9
        )
    if a == max(w):
        assert found.estimate == found.interval.high == math.inf
    else:
        assert share(w, found.interval.high, lambda x: x <= a) == pytest.approx(
            (1 - level) / 2, rel=1e-9
        )
    if min(w) < a < max(w):
        mean = sum(x * share(w, found.estimate, lambda y, x=x: y == x) for x in w)
        assert mean == pytest.approx(a, rel=1e-9)
        assert found.interval.low < found.estimate < found.interval.high


@settings(laws, max_examples=40)
@given(totals(30))
def test_swapping_the_models_inverts_the_odds_ratio(table):
    a, n, b, m = table
    one, other = fisher_odds_ratio_interval(a, n, b, m), fisher_odds_ratio_interval(b, m, a, n)
    if math.isnan(one.estimate):
        assert math.isnan(other.estimate)
        return
    pairs = [(one.estimate, other.estimate), (one.interval.low, other.interval.high)]
    for x, y in [*pairs, (one.interval.high, other.interval.low)]:
        assert (x, y) in ((0.0, math.inf), (math.inf, 0.0)) or x * y == pytest.approx(1.0, rel=1e-9)


def test_odds_ratio_of_100_000_answers():
    """Against scipy 1.17, and Woolf's log odds ratio -+ (z s + s^2/2): the exact ends are half an
    answer further out.
    """
    a, n, b, m = 25_000, 50_000, 25_400, 50_000
    found = fisher_odds_ratio_interval(a, n, b, m)
    # odds_ratio([[a, n - a], [b, m - b]]).confidence_interval(0.95), written down because it takes
    # 40 seconds
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (0.9447113137957533, 0.9928958046971872), rel=1e-9
    )
    log_ratio = math.log(a * (m - b) / (b * (n - a)))
    variance = 1 / a + 1 / (n - a) + 1 / b + 1 / (m - b)
    half = 1.959963984540054 * math.sqrt(variance) + variance / 2
    assert math.log(found.estimate) == pytest.approx(log_ratio, abs=1e-6)
    assert math.log(found.interval.low) == pytest.approx(log_ratio - half, abs=1e-6)
    assert math.log(found.interval.high) == pytest.approx(log_ratio + half, abs=1e-6)


def test_one_of_50_000_against_none():
    """P_psi(X = 1) = psi / (1 + psi) whatever the equal sizes: by hand, 1/39 at the lower end."""
    found = fisher_odds_ratio_interval(1, 50_000, 0, 50_000)
    assert (found.estimate, found.interval.high) == (math.inf, math.inf)
    assert found.interval.low == pytest.approx(1 / 39, rel=1e-9)


# The pooled z -------------------------------------------------------------------------------------


@laws
@given(totals(60))
def test_two_proportions_are_statsmodels(table):
    a, n, b, m = table
    found = two_proportion_z(a, n, b, m)
    if a + b in (0, n + m):
        assert (found.difference, found.se, found.p_value) == (0.0, 0.0, 1.0) and math.isnan(
            found.z
        )
        return
    z, p = proportions_ztest([a, b], [n, m])
    assert (found.z, found.p_value) == pytest.approx((z, p), rel=1e-9, abs=1e-12)
    chi2 = scipy_stats.chi2_contingency([[a, n - a], [b, m - b]], correction=False)
    assert found.z**2 == pytest.approx(chi2.statistic, rel=1e-9, abs=1e-12)
    assert found.difference == pytest.approx(found.z * found.se, abs=1e-15)


def test_two_proportions_without_answers_are_undefined():
    found = two_proportion_z(0, 0, 3, 9)
    assert all(math.isnan(v) for v in (found.difference, found.se, found.z, found.p_value))


@pytest.mark.parametrize(
    "function", [fisher_exact_p_value, fisher_odds_ratio_interval, two_proportion_z]
)
@pytest.mark.parametrize("table", [(5, 4, 0, 3), (-1, 4, 0, 3), (0.5, 4, 0, 3), (1, 4, 2, 2.5)])
def test_what_is_no_count_is_refused(function, table):
    with pytest.raises(
        ValueError,
        match="successes of .* are no counts; whole numbers, 0 <= successes <= n, are needed",
    ):
        function(*table)


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_odds_ratio_refuses_a_level_outside_0_to_1(level):
    with pytest.raises(ValueError, match="write 95% as 0.95"):
        fisher_odds_ratio_interval(3, 4, 1, 4, level)


# Wilcoxon -----------------------------------------------------------------------------------------


def by_enumeration(differences: list[int], alternative: str) -> Fraction:
    """All 2^n signs of the ranks, in integers."""
    d = [v for v in differences if v]
    if not d:
        return Fraction(1)
    sizes = [abs(v) for v in d]
    # Twice the midrank: those below count twice, those equal once, and one more.
    ranks = [2 * sum(w < v for w in sizes) + sum(w == v for w in sizes) + 1 for v in sizes]
    observed = sum(r for r, v in zip(ranks, d, strict=True) if v > 0)
    sums = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s)
        for signs in itertools.product((0, 1), repeat=len(d))
    ]
    above, below = (
        Fraction(sum(keep), len(sums))
        for keep in ([s >= observed for s in sums], [s <= observed for s in sums])
    )
    return {"greater": above, "less": below, "two-sided": min(Fraction(1), 2 * min(above, below))}[
        alternative
    ]


@laws
@given(
    st.lists(st.integers(-6, 6), min_size=1, max_size=9),
    st.sampled_from(["two-sided", "greater", "less"]),
)
def test_wilcoxon_counts_all_signs(differences, alternative):
    found = wilcoxon_p_value(np.array(differences, dtype=float), alternative)
    assert found == pytest.approx(float(by_enumeration(differences, alternative)), rel=1e-13)


@pytest.mark.parametrize("n", [1, 2, 7, 30, 200])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_wilcoxon_without_ties_is_scipy(n, alternative):
    d = np.random.default_rng(n).normal(0.1, 1.0, n)
    expected = scipy_stats.wilcoxon(d, alternative=alternative, method="exact").pvalue
    assert wilcoxon_p_value(d, alternative) == pytest.approx(expected, rel=1e-9)


def test_wilcoxon_with_ties_is_scipys_permutation_test():
    d = np.array([3.0, -1, 1, 2, 2, -2, 5, 3, 4, -1, 2, 6])
    every = scipy_stats.PermutationMethod(n_resamples=2**12)
    assert wilcoxon_p_value(d) == pytest.approx(
        scipy_stats.wilcoxon(d, method=every).pvalue, rel=1e-12
    )


@pytest.mark.parametrize(("plus", "minus"), [(5, 2), (600, 550), (1100, 900)])
def test_wilcoxon_of_equal_sizes_is_the_sign_test(plus, minus):
    """Differences of 0/1 scores are all tied, and then the test is McNemar's exact one."""
    d = np.repeat([1.0, -1.0, 0.0], [plus, minus, 300])
    assert wilcoxon_p_value(d) == pytest.approx(
        mcnemar_p_value(plus, minus, method="exact"), rel=1e-9
    )


def test_wilcoxon_of_many_is_near_its_normal_limit_and_its_tails_stay_exact():
    d = np.random.default_rng(5).normal(0.03, 1.0, 1100)
    assert wilcoxon_p_value(d) == pytest.approx(
        scipy_stats.wilcoxon(d, method="asymptotic").pvalue, abs=1e-3
    )
    # All above 0 but the three smallest: sums 0 to 6 of ranks 1 to 6; 1 1 1 2 2 3 4 ways, 14 / 2^n.
    d = np.arange(1.0, 701.0) * np.repeat([-1.0, 1.0], [3, 697])
    assert wilcoxon_p_value(d, "greater") == pytest.approx(14 * 2.0**-700, rel=1e-12)


@laws
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.sampled_from([0.1, 1 / 3, 7.0]))
def test_wilcoxon_turns_with_the_sign_and_not_with_the_scale(differences, scale):
    d = np.array(differences, dtype=float)
    assert wilcoxon_p_value(d) == wilcoxon_p_value(-d) == wilcoxon_p_value(scale * d)
    assert wilcoxon_p_value(d, "greater") == wilcoxon_p_value(-d, "less")
    assert wilcoxon_p_value(d, "greater") + wilcoxon_p_value(d, "less") >= 1.0 - 1e-12
    assert wilcoxon_p_value(np.r_[d, 0.0, 0.0]) == wilcoxon_p_value(d)


def test_wilcoxon_ties_what_rounding_parts():
    """0.6 - 0.7 and 0 - 0.1 differ in the last bits, 0.3 - (0.1 + 0.2) is not quite 0; the ranks
    must not see it.
    """
    rounded = np.array([0.6 - 0.7, 0 - 0.1, 0.3, 1.1 - 1.0, 0.3 - (0.1 + 0.2), 0.2])
    assert len(set(np.abs(rounded))) == 6
    assert wilcoxon_p_value(rounded, "less") == float(by_enumeration([-1, -1, 3, 1, 0, 2], "less"))


def test_wilcoxon_of_no_difference_is_one():
    assert wilcoxon_p_value(np.zeros(4)) == wilcoxon_p_value(np.zeros(1), "greater") == 1.0


@pytest.mark.parametrize(
    ("differences", "alternative", "message"),
    [
        ([], "two-sided", "at least one question"),
        ([[1.0, 2.0]], "two-sided", r"shape \(1, 2\)"),
        ([1.0, math.nan, 2.0], "two-sided", "1 of 3 differences are missing or infinite"),
        ([1.0], "larger", "alternative='larger' is not one of two-sided, greater, less"),
        (
            np.arange(1, 2002),
            "less",
            "2001 differences are not 0, and exact counts stop at 2000; use paired_difference",
        ),
    ],
)
def test_wilcoxon_refuses(differences, alternative, message):
    with pytest.raises(ValueError, match=message):
        wilcoxon_p_value(np.array(differences, dtype=float), alternative)


# pass^k and pass@k --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_passes_count_the_draws(n):
    """Every draw of k of the n answers, c of them right."""
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        draws = list(itertools.combinations([1] * c + [0] * (n - c), k))
        every, some = (sum(map(rule, draws)) / len(draws) for rule in (all, any))
        assert pass_hat_k(np.array([c]), n, k)[0] == pytest.approx(every, rel=1e-14)
        assert pass_at_k(np.array([c]), n, k)[0] == pytest.approx(some, rel=1e-14)


@laws
@given(st.integers(1, 300), st.data())
def test_passes_are_ratios_of_binomial_coefficients(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    every = Fraction(math.comb(c, k), math.comb(n, k))
    none = Fraction(math.comb(n - c, k), math.comb(n, k))
    assert pass_hat_k(np.array([c]), n, k)[0] == pytest.approx(float(every), rel=1e-12)
    assert pass_at_k(np.array([c]), n, k)[0] == pytest.approx(float(1 - none), rel=1e-12)


def test_one_answer_passes_as_often_as_it_is_right():
    c, n = np.array([0, 1, 3, 7, 10]), np.array([1, 3, 7, 7, 11])
    assert pass_hat_k(c, n, 1).tolist() == pass_at_k(c, n, 1).tolist() == (c / n).tolist()


def test_passes_of_a_million_answers():
    """By hand: one right of n is drawn with chance k/n, and one wrong of n is not with chance 1 -
    k/n.
    """
    assert pass_at_k(np.array([1]), 1_000_000, 1000)[0] == pytest.approx(0.001, rel=1e-12)
    assert pass_hat_k(np.array([999_999]), 1_000_000, 1000)[0] == pytest.approx(0.999, rel=1e-12)


@pytest.mark.parametrize("p", [0.03, 0.5, 0.8])
@pytest.mark.parametrize(("n", "k"), [(4, 1), (4, 3), (10, 4)])
def test_passes_are_unbiased(p, n, k):
    """Over c ~ Bin(n, p): p^k and 1 - (1-p)^k; the plug-in (c/n)^k is not."""
    c = np.arange(n + 1)
    chance = scipy_stats.binom.pmf(c, n, p)
    assert chance @ pass_hat_k(c, n, k) == pytest.approx(p**k, rel=1e-12)
    assert chance @ pass_at_k(c, n, k) == pytest.approx(1 - (1 - p) ** k, rel=1e-12)
    if k > 1:
        assert chance @ (c / n) ** k > p**k * 1.01


def test_too_few_answers_are_undefined():
    c, n = np.array([2, 3, 0]), np.array([2, 4, 3])
    for scores in (pass_hat_k(c, n, 3), pass_at_k(c, n, 3)):
        assert np.isnan(scores).tolist() == [True, False, False]
    with pytest.raises(ValueError, match="1 of 3 scores are missing"):
        mean_estimate(pass_hat_k(c, n, 3))


@pytest.mark.parametrize("function", [pass_hat_k, pass_at_k])
@pytest.mark.parametrize(
    ("successes", "epochs", "k", "message"),
    [
        ([1, 2], 4, 0, "k=0 is not a whole number of answers from 1"),
        ([1, 2], 4, 1.5, "k=1.5 is not"),
        ([1, 5], 4, 2, "1 of 2 questions have no valid counts, first number 1 with 5 of 4"),
        ([0.5, 2], 4, 2, "first number 0 with 0.5 of 4; .* score answers 0 or 1"),
        ([1, math.nan], 4, 2, "first number 1 with nan of 4"),
        ([1, 2], [4, 4, 4], 2, r"successes have shape \(2,\), epochs \(3,\)"),
    ],
)
def test_passes_refuse(function, successes, epochs, k, message):
    with pytest.raises(ValueError, match=message):
        function(np.array(successes), np.array(epochs), k)
