"""The statistics against statsmodels, scipy, and definitions written out here: dense matrices and
numerical maximisation.
"""

import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower, normal_power
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW

from reportkit import stats

RTOL = 1e-9


def lopsided(rng: np.random.Generator) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Scores with an effect of their cluster, and cluster labels; sizes named by the key."""
    sizes = {
        "one giant": [100] + 15 * [5],
        "few": [3, 1, 40],
        "two": [7, 2],
        "singletons and pairs": 20 * [1] + 10 * [2],
        "three hold two thirds": 3 * [60] + 20 * [4],
        "equal": 12 * [4],
        "random": list(rng.integers(1, 30, 40)),
    }
    cases = {}
    for name, m in sizes.items():
        clusters = rng.permutation(np.repeat(np.arange(len(m)), m))
        effect = rng.normal(size=len(m))[clusters]
        cases[name] = (rng.normal(size=len(clusters)) + effect, clusters)
    return cases


CASES = lopsided(np.random.default_rng(7))


# Means --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("kind", "correction"), [("cr0", False), ("cr1", True)])
def test_clustered_errors_are_those_of_a_regression_on_a_constant(case, kind, correction):
    s, clusters = CASES[case]
    options = {"groups": clusters, "use_correction": correction}
    fit = sm.OLS(s, np.ones(len(s))).fit(cov_type="cluster", cov_kwds=options)
    found = stats.mean_estimate(s, clusters, se=kind)
    assert found.value == pytest.approx(fit.params[0], rel=RTOL)
    assert found.se == pytest.approx(fit.bse[0], rel=RTOL)


def test_unclustered_error_is_that_of_a_regression_on_a_constant():
    s, _ = CASES["random"]
    fit = sm.OLS(s, np.ones(len(s))).fit()
    found = stats.mean_estimate(s)
    interval = stats.t_interval(found)
    assert found.se == pytest.approx(fit.bse[0], rel=RTOL)
    assert [interval.low, interval.high] == pytest.approx(fit.conf_int()[0].tolist(), rel=RTOL)


def inverse_root(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(values**-0.5) @ vectors.T


def dense_cr2(s: np.ndarray, clusters: np.ndarray) -> tuple[float, float]:
    """CR2 standard error and Satterthwaite degrees of freedom of a mean, from n x n matrices.

    Bell & McCaffrey 2002 for X = 1: H = XX'/n, residuals of cluster c multiplied by A_c = (I -
    H_cc)^(-1/2). The variance is a sum over clusters of (g_c'y)^2 with g_c = (I - H) rows of c,
    times A_c, times X_c / n; under independent errors it has degrees of freedom (tr P)^2 / tr(P^2),
    P_cd = g_c'g_d.
    """
    n = len(s)
    hat = np.full((n, n), 1.0 / n)
    columns = []
    for c in np.unique(clusters):
        rows = np.flatnonzero(clusters == c)
        adjust = inverse_root(np.eye(len(rows)) - hat[np.ix_(rows, rows)])
        columns.append((np.eye(n) - hat)[rows].T @ adjust @ np.ones(len(rows)) / n)
    g = np.array(columns).T
    p = g.T @ g
    return math.sqrt(float(((g.T @ s) ** 2).sum())), float(np.trace(p) ** 2 / np.trace(p @ p))


@pytest.mark.parametrize("case", CASES)
def test_cr2_is_its_dense_definition(case):
    s, clusters = CASES[case]
    found = stats.mean_estimate(s, clusters)
    assert (found.se, found.df) == pytest.approx(dense_cr2(s, clusters), rel=RTOL)


@pytest.mark.parametrize("case", CASES)
def test_cr2_of_differences_is_its_dense_definition_for_one_pair_and_for_all(case):
    s, clusters = CASES[case]
    other = np.random.default_rng(11).normal(size=len(s)) + 0.5 * s
    expected = dense_cr2(s - other, clusters)
    one = stats.paired_difference(s, other, clusters).estimate
    every = stats.all_pairs(np.column_stack([s, other]), clusters)
    assert (one.se, one.df) == pytest.approx(expected, rel=RTOL)
    assert (every.se[0], every.df[0]) == pytest.approx(expected, rel=RTOL)


@pytest.mark.parametrize("case", CASES)
def test_cr2_is_unbiased_when_questions_are_independent(case):
    """E s'Qs = tr Q for unit errors; CR2 must give 1/n exactly. Q by polarisation from the function
    itself.
    """
    clusters = CASES[case][1]
    n = len(clusters)
    total = sum(stats.mean_estimate(row, clusters).se ** 2 for row in np.eye(n))
    assert total == pytest.approx(1.0 / n, rel=RTOL)


def test_equation_four_is_its_double_sum():
    s, clusters = CASES["few"]
    u = s - s.mean()
    same = clusters[:, None] == clusters[None, :]
    np.fill_diagonal(same, False)
    expected = math.sqrt(s.var(ddof=1) / len(s) + (np.outer(u, u) * same).sum() / len(s) ** 2)
    assert stats.mean_estimate(s, clusters, se="paper").se == pytest.approx(expected, rel=RTOL)


# Shares -------------------------------------------------------------------------------------------

SHARES = [
    (0, 1),
    (1, 1),
    (0, 20),
    (20, 20),
    (1, 20),
    (7, 10),
    (74, 100),
    (3275, 5000),
    (1, 100_000),
]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize(("successes", "n"), SHARES)
def test_intervals_of_shares(successes, n, level):
    wilson = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    exact = proportion_confint(successes, n, alpha=1 - level, method="beta")
    found = (
        stats.wilson_interval(successes, n, level),
        stats.clopper_pearson_interval(successes, n, level),
    )
    assert (found[0].low, found[0].high) == pytest.approx(wilson, rel=RTOL, abs=1e-12)
    assert (found[1].low, found[1].high) == pytest.approx(exact, rel=RTOL, abs=1e-12)


def test_unclustered_binary_mean_gets_wilson():
    s = np.repeat([1.0, 0.0], [74, 26])
    found = stats.mean_interval(s, binary=True)
    expected = proportion_confint(74, 100, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, rel=RTOL)
    assert found.method == "wilson"


def test_clustered_binary_mean_gets_wilson_on_the_effective_sample():
    """Korn & Graubard 1998 with the t of Dean & Pagano 2015, from the dense CR2 and scipy's
    quantiles.
    """
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(12), [30, 1, 5, 5, 9, 2, 14, 3, 3, 8, 20, 6])
    s = (rng.random(len(clusters)) < 0.2 + 0.6 * rng.random(12)[clusters]).astype(float)
    se, df = dense_cr2(s, clusters)
    p, z, t = s.mean(), scipy_stats.norm.ppf(0.975), scipy_stats.t.ppf(0.975, df)
    n = min(len(s), p * (1 - p) / se**2 * (z / t) ** 2)
    assert n < len(s)  # or clustering would not have been tried
    expected = proportion_confint(p * n, n, method="wilson")
    found = stats.mean_interval(s, clusters, binary=True)
    assert (found.low, found.high) == pytest.approx(expected, rel=RTOL)
    assert found.method == "wilson-effective"


# Paired binary ------------------------------------------------------------------------------------

DISCORDANT = [(0, 1), (1, 1), (10, 2), (2, 10), (638, 513), (0, 30), (5, 5)]


@pytest.mark.parametrize(("b", "c"), DISCORDANT)
def test_mcnemar(b, c):
    table = [[50, b], [c, 20]]
    exact = mcnemar(table, exact=True).pvalue
    asymptotic = mcnemar(table, exact=False, correction=False).pvalue
    assert stats.mcnemar_p_value(b, c, method="exact") == pytest.approx(exact, rel=RTOL)
    assert stats.mcnemar_p_value(b, c) == pytest.approx(asymptotic, rel=RTOL)
    mid = 2 * scipy_stats.binom.cdf(min(b, c), b + c, 0.5) - scipy_stats.binom.pmf(
        min(b, c), b + c, 0.5
    )
    assert stats.mcnemar_p_value(b, c, method="mid-p") == pytest.approx(min(1.0, mid), rel=RTOL)


def tango_z(d: float, b: int, c: int, n: int) -> float:
    """Score statistic at a true difference d, with the share of c maximised numerically under p10 =
    p01 + d.

    The multinomial likelihood is b log(p01 + d) + c log p01 + (n-b-c) log(1 - d - 2 p01), concave
    in p01: its maximum is where the slope falls through 0, or an end of what is possible. w is the
    distance of p01 from its lowest value.
    """
    width = (1.0 - abs(d)) / 2.0
    starts = (b, max(d, 0.0)), (c, max(-d, 0.0))

    def slope(w: float) -> float:
        rest = (n - b - c) / (width - w) if n > b + c else 0.0
        return sum(k / (start + w) for k, start in starts if k) - rest

    first, last = width * 1e-15, width * (1 - 1e-15)
    if slope(first) <= 0.0:
        w = 0.0
    elif slope(last) >= 0.0:
        w = width
    else:
        w = optimize.brentq(slope, first, last, xtol=1e-300, rtol=1e-15)
    return (b - c - n * d) / math.sqrt(n * (2.0 * (max(-d, 0.0) + w) + d - d * d))


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize(
    ("b", "c", "n"), [(10, 2, 40), (0, 5, 20), (7, 0, 9), (638, 513, 5000), (3, 3, 12), (1, 0, 50)]
)
def test_tango_is_the_root_of_its_score(b, c, n, level):
    z, centre, edge = scipy_stats.norm.ppf(0.5 + level / 2), (b - c) / n, 1 - 1e-9
    high = optimize.brentq(lambda d: tango_z(d, b, c, n) + z, centre + 1e-12, edge, xtol=1e-14)
    low = optimize.brentq(lambda d: tango_z(d, b, c, n) - z, -edge, centre - 1e-12, xtol=1e-14)
    found = stats.tango_interval(b, c, n, level)
    assert [float(v) for v in found] == pytest.approx([low, high], rel=RTOL, abs=1e-10)


@pytest.mark.parametrize("n", [12, 100])
def test_tango_excludes_zero_exactly_when_mcnemar_is_significant(n):
    decided = set()
    for b, c in itertools.product(range(13), repeat=2):
        if b + c <= n:
            low, high = stats.tango_interval(b, c, n)
            significant = stats.mcnemar_p_value(b, c) < 0.05
            assert (low > 0 or high < 0) == significant, (b, c)
            decided.add(significant)
    assert decided == {True, False}


# Two samples, several comparisons, power ----------------------------------------------------------


def test_unpaired_is_welch():
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.3, 1.0, 30), rng.normal(0.0, 2.5, 17)
    compare = CompareMeans(DescrStatsW(a), DescrStatsW(b))
    t, p, df = compare.ttest_ind(usevar="unequal")
    found = stats.unpaired_difference(a, b)
    e = found.estimate
    assert (e.value / e.se, found.p_value, e.df) == pytest.approx((t, p, df), rel=RTOL)
    interval = compare.tconfint_diff(usevar="unequal")
    assert (found.interval.low, found.interval.high) == pytest.approx(interval, rel=RTOL)


def test_paired_is_the_t_test_of_differences():
    rng = np.random.default_rng(6)
    a = rng.random(25)
    b = a + rng.normal(0.02, 0.1, 25)
    found = stats.paired_difference(a, b)
    t, p = scipy_stats.ttest_rel(a, b)
    assert (found.estimate.value / found.estimate.se, found.p_value) == pytest.approx(
        (t, p), rel=RTOL
    )
    assert found.correlation == pytest.approx(scipy_stats.pearsonr(a, b).statistic, rel=RTOL)


def test_holm(monkeypatch):
    monkeypatch.setattr("gc.collect", lambda: 0)  # statsmodels does so in each call
    for seed in range(20):
        p = np.random.default_rng(seed).random(9) ** 3
        assert stats.holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=RTOL)
    assert stats.holm(np.array([0.02, 0.02, 0.5, 0.9])) == pytest.approx([0.08, 0.08, 1.0, 1.0])


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize(
    ("effect", "n", "variance"),
    [(0.03, 969, 1 / 9), (0.01, 50, 0.2), (0.2, 30, 0.25), (0.0, 9, 1.0)],
)
def test_power_is_that_of_a_z_test(effect, n, variance, level):
    # One sample of differences: ratio 0 is statsmodels' way to say that there is no second sample.
    expected = NormalIndPower().power(effect / math.sqrt(variance), n, 1 - level, ratio=0)
    assert stats.power(effect, math.sqrt(variance / n), level=level) == pytest.approx(
        expected, rel=RTOL
    )


@pytest.mark.parametrize("wanted", [0.7, 0.8, 0.9, 0.99])
@pytest.mark.parametrize(
    ("omega2", "sigma2_a", "sigma2_b", "k_a", "k_b"), [(1 / 9, 0, 0, 1, 1), (0.05, 0.1, 0.2, 3, 10)]
)
def test_sample_size_and_smallest_effect(omega2, sigma2_a, sigma2_b, k_a, k_b, wanted):
    """Roots of statsmodels' power, one tail of the two: equations 9 and 10 leave out significance
    in the wrong direction.
    """
    variance = omega2 + sigma2_a / k_a + sigma2_b / k_b

    def one_tail(effect: float, n: float) -> float:
        return normal_power(effect / math.sqrt(variance), n, 0.025, alternative="larger") - wanted

    size = optimize.brentq(lambda n: one_tail(0.03, n), 1, 1e5, xtol=1e-9)
    assert stats.questions_needed(
        0.03, omega2, sigma2_a, sigma2_b, k_a, k_b, power=wanted
    ) == math.ceil(size)
    effect = optimize.brentq(lambda e: one_tail(e, 400), 1e-6, 1.0, xtol=1e-16)
    smallest = stats.minimum_detectable_effect(
        400, omega2, sigma2_a, sigma2_b, k_a, k_b, power=wanted
    )
    assert smallest == pytest.approx(effect, rel=RTOL)
