"""Every worked number of the literature that the statistics follow, with its verdict: right,
rounded, or wrong in print.

Miller 2024 is arXiv 2411.00640; Bowyer et al. 2025 is arXiv 2503.01747; Ivanova et al. 2024 is
"Towards more rigorous evaluations of language models". X1 to X12 number the paper's slips. Where
print and formula differ, both are asserted.
"""

import math

import numpy as np
import pytest
from scipy import special

from reportkit import stats
from reportkit.stats import Estimate


def percent(x: float, places: int = 1) -> str:
    return f"{100 * x:.{places}f}"


def reading(mean: float, se: float, n: int = 10**9) -> Estimate:
    """A published mean and standard error, for functions that take an estimate."""
    return Estimate(mean, se, float(n - 1), n, n)


# Miller 2024, sections 2 and 3 --------------------------------------------------------------------


def test_x1_equation_two_is_smaller_than_equation_one():
    """7 right of 10: 0.15275 (divisor n-1) against 0.14491 (divisor n); their ratio is
    sqrt(n/(n-1)).
    """
    s = np.array([1.0] * 7 + [0.0] * 3)
    one, two = stats.mean_estimate(s, se="clt").se, stats.mean_estimate(s, se="bernoulli").se
    assert (round(one, 5), round(two, 5)) == (0.15275, 0.14491)
    assert one == pytest.approx(two * math.sqrt(10 / 9), rel=1e-12)
    assert stats.mean_estimate(s).se == one  # what a report prints


UNIFORM_BETWEEN, UNIFORM_WITHIN = 1 / 12, 1 / 6  # x ~ U[0, 1], binary answers: Var(x), E[x(1-x)]


@pytest.mark.parametrize(
    ("k", "expected"), [(2, ".3333"), (4, ".5000"), (6, ".5556"), (math.inf, ".6667")]
)
def test_section_3_1_more_answers(k, expected):
    """Variance falls by 1/3, 1/2, 5/9 and at most 2/3; through the smallest effect, which is its
    root.
    """
    one = stats.minimum_detectable_effect(100, UNIFORM_BETWEEN, UNIFORM_WITHIN)
    more = stats.minimum_detectable_effect(100, UNIFORM_BETWEEN, UNIFORM_WITHIN, epochs_a=k)
    assert f"{1 - (more / one) ** 2:.4f}".lstrip("0") == expected


def uniform_answers(
    epochs: int, questions: int = 4000
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Question means, answer variances and counts whose moments are those of x ~ U[0, 1] with
    Bernoulli answers.
    """
    x = (np.arange(questions) + 0.5) / questions
    right = np.random.default_rng(0).binomial(epochs, x)
    means = right / epochs
    return means, epochs * means * (1 - means) / (epochs - 1), np.full(questions, epochs)


def test_section_3_1_components_of_the_uniform_example():
    """Var(x) = 1/12 and E[sigma^2] = 1/6, with three standard errors of sampling (4,000 questions,
    10 answers).
    """
    found = stats.components(*uniform_answers(10))
    assert found.within == pytest.approx(1 / 6, abs=0.004)
    assert found.between == pytest.approx(1 / 12, abs=0.004)
    assert found.noise == pytest.approx(found.within / 10, rel=1e-12)


@pytest.mark.parametrize(("low", "factor", "mean"), [(0.0, 3.0, 1 / 2), (1 / 3, 81 / 16, 3 / 4)])
def test_section_3_3_lower_temperature(low, factor, mean):
    """x ~ U[low, 1] made 1{x > 0.5}: variance "tripled" (3), "approximately five-fold" (5.0625)."""
    x = low + (1 - low) * (np.arange(300_000) + 0.5) / 300_000
    certain = stats.mean_estimate((x > 0.5).astype(float))
    assert (certain.se / stats.mean_estimate(x).se) ** 2 == pytest.approx(factor, rel=1e-4)
    assert certain.value == pytest.approx(mean, abs=1e-5)


# Miller 2024, section 4 and its tables ------------------------------------------------------------


def correlated_uniform(r: float, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Two columns with sample variance 1/12 and sample correlation r, exactly."""
    rng = np.random.default_rng(4)
    q, _ = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, 2))]))
    a, b = (q[:, k] * math.sqrt((n - 1) / 12) for k in (1, 2))
    return 0.5 + a, 0.5 + r * a + math.sqrt(1 - r * r) * b


def test_x2_pairing_halves_the_variance():
    """Variances 1/12, r = 1/2: 1/6 falls to 1/12. The paper prints 1/9 and "1/3", which r = 1/3
    would give.
    """

    def variances(r: float) -> tuple[float, float]:
        a, b = correlated_uniform(r)
        paired, unpaired = stats.paired_difference(a, b), stats.unpaired_difference(a, b)
        assert paired.correlation == pytest.approx(r, abs=1e-9)
        return len(a) * unpaired.estimate.se**2, len(a) * paired.estimate.se**2

    assert variances(1 / 2) == pytest.approx((1 / 6, 1 / 12), rel=1e-9)
    assert variances(1 / 3) == pytest.approx((1 / 6, 1 / 9), rel=1e-9)


@pytest.mark.parametrize(
    ("se_a", "se_b", "r", "exact", "printed"),
    [(0.672, 0.683, 0.5, ".678", "0.7"), (1.6, 1.5, 0.37, "1.742", "1.7"),
     (1.6, 1.5, 0, "2.19", "2.2"), (1.6, 1.5, 0.7, "1.20", "1.2")],
)  # fmt: skip
def test_section_4_2_standard_error_from_two_and_their_correlation(se_a, se_b, r, exact, printed):
    """Table 5, MATH and MGSM; X3: with r of cluster sums 0 or 0.7 the same MGSM errors give 2.19 or
    1.20.
    """
    a, b = correlated_uniform(r)
    scale = math.sqrt(12 * len(a))  # a standard error of 1
    found = stats.paired_difference(a * se_a * scale, b * se_b * scale).estimate.se
    assert f"{found:.{len(exact.partition('.')[2])}f}".lstrip("0") == exact.lstrip("0")
    assert f"{found:.1f}" == printed


@pytest.mark.parametrize(
    ("difference", "se", "exact", "printed"),
    [
        (2.5, 0.678, "+1.17 +3.83", "+1.2 +3.8"),  # MATH
        (-2.7, 1.742, "-6.11 +0.71", "-6.1 +0.7"),  # MGSM
        (-3.1, 2.1, "-7.22 +1.02", "-7.2 +1.0"),  # HumanEval
    ],
)
def test_table_5_intervals(difference, se, exact, printed):
    found = stats.normal_interval(reading(difference, se))
    assert f"{found.low:+.2f} {found.high:+.2f}" == exact
    assert f"{found.low:+.1f} {found.high:+.1f}" == printed


def test_x9_human_eval_errors_are_impossible():
    """Of 164 scores in [0, 1] with means 83.6 and 86.7 the largest SEs are 2.90 and 2.66; Table 2
    prints 3.2 and 3.0.
    """
    for mean, largest, printed in [(0.836, "2.90", 3.2), (0.867, "2.66", 3.0)]:
        # Binary scores have the largest variance of a given mean: equation 1 on them is its own
        # maximum.
        bound = math.sqrt(mean * (1 - mean) / 163)
        right = round(mean * 164)
        assert stats.mean_estimate(np.repeat([1.0, 0.0], [right, 164 - right])).se == pytest.approx(
            bound, rel=0.01
        )
        assert percent(bound, 2) == largest and 100 * bound < printed


def test_x9_table_5_human_eval_error_does_not_follow_from_table_2():
    a, b = correlated_uniform(0.64)
    scale = math.sqrt(12 * len(a))
    # printed: 2.1
    assert f"{stats.paired_difference(a * 3.2 * scale, b * 3.0 * scale).estimate.se:.2f}" == "2.64"


@pytest.mark.parametrize(
    ("clustered", "naive", "exact", "printed"),
    [(1.34, 0.44, 3.045, 3.05), (0.51, 0.46, 1.109, 1.10), (1.62, 0.86, 1.884, 1.88)],
)
def test_table_4_ratios(clustered, naive, exact, printed):
    """DROP, RACE-H, MGSM. The printed ratios are of unrounded errors: within what rounding to .01
    allows.
    """
    assert round(clustered / naive, 3) == exact
    slack = (clustered + 0.005) / (naive - 0.005) - clustered / naive
    assert abs(clustered / naive - printed) <= slack


def test_x12_clustering_decides_mgsm():
    """Unclustered SE .95: z = -2.84, p = .0045. Clustered 1.74: p = .12."""
    assert f"{-2.7 / 0.95:.2f}" == "-2.84"
    for se, p in [(0.95, ".0045"), (1.74, ".12")]:
        exact = math.erfc(2.7 / se / math.sqrt(2))
        assert f"{exact:.{len(p) - 1}f}".lstrip("0") == p
        # The interval that just reaches 0 has level 1 - p.
        touching = stats.normal_interval(reading(-2.7, se), level=1 - exact)
        assert touching.high == pytest.approx(0.0, abs=1e-9)


def test_x11_holm_over_three_evals():
    """MATH +2.5 (.678), MGSM -2.7 (1.742), HumanEval -3.1 (2.1): adjusted p .0007, .24, .24; MATH
    survives.
    """
    p = np.array(
        [
            math.erfc(abs(d) / se / math.sqrt(2))
            for d, se in [(2.5, 0.678), (-2.7, 1.742), (-3.1, 2.1)]
        ]
    )
    assert [f"{v:.4f}" if v < 0.01 else f"{v:.2f}" for v in stats.holm(p)] == [
        "0.0007",
        "0.24",
        "0.24",
    ]


def test_x11_average_of_the_three_differences():
    """-1.1 with SE .94: z = -1.17."""
    mean, se = (2.5 - 2.7 - 3.1) / 3, math.sqrt(0.678**2 + 1.742**2 + 2.1**2) / 3
    assert (f"{mean:.1f}", f"{se:.2f}", f"{mean / se:.2f}") == ("-1.1", "0.94", "-1.17")


# Miller 2024, section 5 ---------------------------------------------------------------------------


def test_equation_nine_example():
    """Printed ~969 from omega^2 = 1/9 (968.997, rounded up). X2: with 1/12 it is 726.75, so 727."""
    assert stats.questions_needed(0.03, 1 / 9) == 969
    assert stats.questions_needed(0.03, 1 / 12) == 727
    # The unrounded number: the effect that n questions detect is 0.03 at n = 968.997 and 726.75
    # (.748 at three places).
    assert stats.minimum_detectable_effect(968.997, 1 / 9) == pytest.approx(0.03, rel=1e-6)
    assert stats.minimum_detectable_effect(726.75, 1 / 12) == pytest.approx(0.03, rel=1e-5)


@pytest.mark.parametrize(
    ("omega2", "one", "ten"),
    [(1 / 9, "13.273", "7.567"), (1 / 12, "12.85", "6.80")],
)
def test_equation_ten_example(omega2, one, ten):
    """n = 198, sigma^2 = 1/6 each, K from 1 to 10. X7: 13.2 and 7.5 are printed, cut off and not
    rounded; X2: 1/12.
    """
    found = [stats.minimum_detectable_effect(198, omega2, 1 / 6, 1 / 6, k, k) for k in (1, 10)]
    assert [
        percent(v, len(s.partition(".")[2])) for v, s in zip(found, (one, ten), strict=True)
    ] == [one, ten]
    if omega2 == 1 / 9:
        assert [percent(v) for v in found] == ["13.3", "7.6"]
        assert [math.floor(1000 * v) / 10 for v in found] == [13.2, 7.5]


def test_x6_plug_in_omega_counts_noise_twice():
    """Uniform example, pilot and plan with K = 5: 1,890 questions instead of 1,309 (1,308.1 rounded
    up), +44%.
    """
    noise = 1 / 6 / 5
    printed = stats.questions_needed(0.03, 1 / 12 + 2 * noise, 1 / 6, 1 / 6, 5, 5)
    right = stats.questions_needed(0.03, 1 / 12, 1 / 6, 1 / 6, 5, 5)
    assert (printed, right) == (1890, 1309)
    assert f"{printed / right - 1:.0%}" == "44%"
    se = math.sqrt((1 / 12 + 2 * noise) / 1000)
    assert stats.omega_squared(se, 1000, noise, noise) == pytest.approx(1 / 12, rel=1e-12)


def test_x13_one_cluster_is_undefined():
    """Equation 8 gives 0 and equation 4 SE/sqrt(n) where all questions are one cluster; neither
    means anything.
    """
    s = np.array([1.0, 0.0, 1.0, 1.0])
    for kind in ("cr2", "cr1", "cr0", "paper"):
        assert math.isnan(stats.mean_estimate(s, np.zeros(4), se=kind).se)


# Blogs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "se", "printed_se", "interval"),
    [
        (0.55, math.sqrt(0.55 * 0.45 / 200), ".0352", "[.481,.619]"),  # A: share of 200
        (0.62, math.sqrt(0.04 / 200), ".01414", "[.592,.648]"),  # B: variance .04
        (0.62, math.sqrt(0.62 * 0.38 / 200), ".0343", "[.553,.687]"),  # B if it were a share
    ],
)
def test_summary_blog(mean, se, printed_se, interval):
    found = stats.normal_interval(reading(mean, se))
    assert f"{se:.{len(printed_se) - 1}f}"[1:] == printed_se
    assert f"[{f'{found.low:.3f}'[1:]},{f'{found.high:.3f}'[1:]}]" == interval


def test_summary_blog_share():
    """A from its answers: 110 right of 200, equation 2."""
    s = np.repeat([1.0, 0.0], [110, 90])
    assert round(stats.mean_estimate(s, se="bernoulli").se, 4) == 0.0352


def test_summary_blog_power_line_is_wrong():
    """Variance .04, difference .02: 785 paired questions, 1,570 for each model unpaired; not
    "thousands".
    """
    assert stats.questions_needed(0.02, 0.04) == 785
    assert stats.questions_needed(0.02, 0.04 + 0.04) == 1570


# Bowyer et al. 2025, Ivanova et al. 2024 ----------------------------------------------------------


@pytest.mark.parametrize(("right", "printed"), [(74, "(64.6, 81.6)"), (95, "(88.8, 97.8)")])
def test_ivanova_wilson(right, printed):
    """Llama3-8b-it and GPT-4o on 100 questions."""
    found = stats.wilson_interval(right, 100)
    assert f"({percent(found.low)}, {percent(found.high)})" == printed


# over theta ~ U(0, 1) at 95%, in closed form; the CLT's are Bowyer et al.'s .5, .77, .87, .92
AVERAGE_COVERAGE = {
    3: (".496", ".956", ".995"), 10: (".769", ".954", ".984"), 30: (".875", ".952", ".973"),
    100: (".922", ".951", ".965"), 300: (".939", ".951", ".959"),
}  # fmt: skip


@pytest.mark.parametrize("n", AVERAGE_COVERAGE)
def test_bowyer_average_coverage(n):
    """Mean over k of the Beta(k+1, n-k+1) probability between the ends of the interval at k
    successes.
    """

    def coverage(interval) -> str:
        total = 0.0
        for k in range(n + 1):
            low, high = (min(max(v, 0.0), 1.0) for v in interval(k))
            total += special.betainc(k + 1, n - k + 1, high) - special.betainc(
                k + 1, n - k + 1, low
            )
        return f"{total / (n + 1):.3f}"[1:]

    def clt(k: int) -> tuple[float, float]:
        found = stats.normal_interval(reading(k / n, math.sqrt(k / n * (1 - k / n) / n)))
        return (found.low, found.high) if found.method != "none" else (k / n, k / n)

    def wilson(k: int) -> tuple[float, float]:
        found = stats.wilson_interval(k, n)
        return found.low, found.high

    def exact(k: int) -> tuple[float, float]:
        found = stats.clopper_pearson_interval(k, n)
        return found.low, found.high

    assert (coverage(clt), coverage(wilson), coverage(exact)) == AVERAGE_COVERAGE[n]


# What the default report does ---------------------------------------------------------------------


def test_identical_models():
    """Tango on 100 questions that never differ: +-z^2/(n + z^2), +-3.7 points; p = 1."""
    s = np.tile([1.0, 0.0], 50)
    found = stats.paired_difference(s, s, binary=True)
    assert (percent(found.interval.low), percent(found.interval.high)) == ("-3.7", "3.7")
    assert found.interval.high == pytest.approx(
        1.959963984540054**2 / (100 + 1.959963984540054**2), rel=1e-12
    )
    assert (found.estimate.value, found.estimate.se, found.p_value, found.correlation) == (
        0.0,
        0.0,
        1.0,
        1.0,
    )


def test_math_by_tango_and_by_equation_seven():
    """5,000 questions, 638 and 513 won by one model alone: (1.17, 3.83) by both."""
    a = np.repeat([1.0, 1.0, 0.0, 0.0], [2637, 638, 513, 1212])
    b = np.repeat([1.0, 0.0, 1.0, 0.0], [2637, 638, 513, 1212])
    found = stats.paired_difference(a, b, binary=True)
    wald = stats.normal_interval(found.estimate)
    for interval in (found.interval, wald):
        assert (percent(interval.low, 2), percent(interval.high, 2)) == ("1.17", "3.83")
    assert found.correlation.__round__(2) == 0.50


@pytest.mark.parametrize(
    ("right", "n", "printed"), [(15, 15, "[79.6, 100.0]"), (0, 15, "[0.0, 20.4]")]
)
def test_perfect_and_hopeless(right, n, printed):
    """15 of 15: [79.6, 100], and its mirror image."""
    found = stats.mean_interval(np.repeat([1.0, 0.0], [right, n - right]), binary=True)
    assert f"[{percent(found.low)}, {percent(found.high)}]" == printed


def test_one_giant_cluster_has_few_degrees_of_freedom():
    """100 + 15 x 5 questions: 2.8 degrees of freedom from 16 clusters."""
    clusters = np.repeat(np.arange(16), [100] + [5] * 15)
    found = stats.mean_estimate(np.random.default_rng(0).random(len(clusters)), clusters)
    assert (f"{found.df:.1f}", found.n_clusters) == ("2.8", 16)
