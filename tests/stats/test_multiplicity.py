"""Adjusted p-values and max-t intervals against statsmodels, scipy, exact integrals and simulated
maxima.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, special
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests

from reportkit.stats import all_pairs, mean_estimate, paired_difference
from reportkit.stats.families import simultaneous
from reportkit.stats.families.simultaneous import max_t, mean_covariance, simultaneous_pairs
from reportkit.stats.multiplicity import benjamini_hochberg, holm


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# Adjusted p-values --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_benjamini_hochberg(seed):
    p = seeded(seed).random(11) ** 3
    p[3] = p[4]  # a tie
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1], rel=1e-12)
    assert benjamini_hochberg(p) == pytest.approx(scipy_stats.false_discovery_control(p), rel=1e-12)


def test_benjamini_hochberg_by_hand():
    """0.01 x 4/1, 0.02 x 4/2, 0.03 x 4/3 and 0.5: the three small ones meet at 0.04."""
    assert benjamini_hochberg(np.array([0.5, 0.02, 0.03, 0.01])) == pytest.approx(
        [0.5, 0.04, 0.04, 0.04]
    )


def test_holm_by_hand():
    """0.01 x 4, 0.02 x 3, 0.03 x 2 (no less than the 0.06 before it), and 0.5 x 1."""
    p = np.array([0.5, 0.02, 0.03, 0.01])
    assert holm(p) == pytest.approx([0.5, 0.06, 0.06, 0.04])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_adjusted_p_values_stop_at_one(adjust):
    """0.7 x 3 and 0.8 x 2 are more than 1; p-values of exactly 0 and 1 are p-values."""
    assert holm(np.array([0.7, 0.8, 0.9])).tolist() == [1.0, 1.0, 1.0]
    assert adjust(np.array([0, 1])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_unknown_p_values_stay_unknown_and_do_not_count(adjust):
    p = np.array([np.nan, 0.01, 0.2, np.nan, 0.04])
    found = adjust(p)
    assert np.isnan(found[[0, 3]]).all()
    assert found[[1, 2, 4]].tolist() == adjust(p[[1, 2, 4]]).tolist()
    assert adjust(np.array([])).shape == (0,) and np.isnan(adjust(np.array([np.nan]))).all()


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [[0.1, 1.2], [-0.1], [[0.1, 0.2]]])
def test_what_is_no_list_of_p_values_is_refused(adjust, p):
    with pytest.raises(ValueError, match="numbers from 0 to 1"):
        adjust(np.array(p))


# The critical value -------------------------------------------------------------------------------


def close(found: simultaneous.Simultaneous, critical: float) -> bool:
    """Within four standard errors of the simulation, and these small enough to be of use (0.3% of
    c).
    """
    assert found.critical_error < 0.003 * found.critical
    return abs(found.critical - critical) < 4.0 * found.critical_error + 1e-9


@pytest.mark.parametrize(
    ("models", "printed", "bonferroni"),
    [(5, "2.73", "2.81"), (10, "3.16", "3.26"), (20, "3.54", "3.65")],
)
def test_equal_variances_are_tukey(models, printed, bonferroni):
    """The specification's numbers (S12); Tukey's studentized range over sqrt 2 by scipy."""
    found = max_t(np.zeros(models), np.eye(models), rng=seeded())
    tukey = scipy_stats.studentized_range.ppf(0.95, models, np.inf) / math.sqrt(2)
    assert f"{tukey:.2f}" == printed and close(found, tukey) and abs(found.critical - tukey) < 0.005
    assert f"{scipy_stats.norm.isf(0.025 / found.n_comparisons):.2f}" == bonferroni


@pytest.mark.parametrize("df", [2, 5, 11.5, 60])
@pytest.mark.parametrize("models", [3, 8])
@pytest.mark.parametrize("level", [0.9, 0.99])
def test_equal_variances_with_few_degrees_of_freedom_are_tukey(models, df, level):
    """Also with a common correlation: differences do not see what all models share."""
    tukey = scipy_stats.studentized_range.ppf(level, models, df) / math.sqrt(2)
    covariance = 0.3 * np.eye(models) + 0.7
    found = max_t(np.zeros(models), covariance, df, level=level, pooled=True, rng=seeded(1))
    assert abs(found.critical - tukey) < 4.0 * found.critical_error < 0.03 * tukey


def test_two_hundred_models_are_tukey():
    found = max_t(np.zeros(200), np.eye(200), rng=seeded(), draws=2**11)
    assert found.n_comparisons == 19_900
    tukey = scipy_stats.studentized_range.ppf(0.95, 200, np.inf) / math.sqrt(2)
    assert abs(found.critical - tukey) < 4.0 * found.critical_error < 0.02


@pytest.mark.parametrize(("others", "printed"), [(2, "2.21"), (5, "2.51"), (9, "2.69")])
@pytest.mark.parametrize("df", [6, math.inf])
def test_against_a_baseline_is_dunnett(others, df, printed):
    """Equal variances: correlation 1/2, and given what the baseline contributes the comparisons are
    independent.

    P(all |Z| <= c) = int phi(u) [Phi(c sqrt 2 + u) - Phi(-c sqrt 2 + u)]^k du; Dunnett's tables for
    infinite df have the printed numbers. For T, c is multiplied by s = sqrt(chi^2/df) and the
    result averaged over s.
    """
    u = np.linspace(-9, 9, 1801)
    s = (
        np.ones(1)
        if math.isinf(df)
        else np.sqrt(scipy_stats.chi2.ppf((np.arange(400) + 0.5) / 400, df) / df)
    )

    def covered(c: float) -> float:
        edge = math.sqrt(2) * c * s[:, None]
        inside = (special.ndtr(edge + u) - special.ndtr(u - edge)) ** others
        return float(np.mean((scipy_stats.norm.pdf(u) * inside).sum(axis=1) * 0.01))

    dunnett = optimize.brentq(lambda c: covered(c) - 0.95, 1.9, 8, xtol=1e-5)
    found = max_t(
        np.zeros(others + 1), np.eye(others + 1), df, baseline=0, pooled=True, rng=seeded()
    )
    assert found.n_comparisons == others
    if math.isinf(df):
        assert close(found, dunnett) and f"{dunnett:.2f}" == printed
    else:  # the midpoints of s know c to 0.1% or so
        assert found.critical == pytest.approx(dunnett, rel=0.003)


def exact_for_three(
    covariance: np.ndarray, pairs: list[tuple[int, int]], df: float, c: float
) -> float:
    """P(max |T| >= c) for three models, by the angle of the two differences that there are.

    (d_01, d_02) = L u R with u on the circle, uniform; max |Z| = R m(u), and R >= r has probability
    exp(-r^2/2), for the multivariate t (1 + r^2/df)^(-df/2).
    """
    basis = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0]])
    contrasts = np.array([np.eye(3)[i] - np.eye(3)[j] for i, j in pairs])
    coefficients = np.linalg.lstsq(basis.T, contrasts.T, rcond=None)[0].T
    angle = (np.arange(20_000) + 0.5) * math.pi / 20_000
    z = (
        coefficients
        @ np.linalg.cholesky(basis @ covariance @ basis.T)
        @ [np.cos(angle), np.sin(angle)]
    )
    sd = np.sqrt(np.einsum("ki,ij,kj->k", contrasts, covariance, contrasts))
    r2 = (c / np.abs(z / sd[:, None]).max(axis=0)) ** 2
    return float(np.mean(np.exp(-r2 / 2) if math.isinf(df) else (1 + r2 / df) ** (-df / 2)))


@pytest.mark.parametrize("baseline", [None, 0, 2])
@pytest.mark.parametrize("df", [1, 3.7, 40, math.inf])
def test_any_three_models_have_an_exact_answer(baseline, df):
    rng = seeded(5)
    root = rng.normal(size=(3, 3)) * [[1.0], [3.0], [0.2]]
    covariance = root @ root.T
    means = rng.normal(size=3) * np.sqrt(np.diag(covariance)) * 2
    found = max_t(means, covariance, df, baseline=baseline, pooled=True, rng=rng)
    pairs = list(zip(found.first, found.second, strict=True))
    critical = optimize.brentq(lambda c: exact_for_three(covariance, pairs, df, c) - 0.05, 1.9, 40)
    assert abs(found.critical - critical) < 4.0 * found.critical_error < 0.02 * critical
    expected = [
        exact_for_three(covariance, pairs, df, t) for t in np.abs(found.difference) / found.se
    ]
    assert found.p_value == pytest.approx(expected, rel=0.02, abs=1e-6)


def test_small_adjusted_p_values_keep_their_digits():
    """Tails from 0.3 down to 5e-10, where a count of simulated maxima has nothing left."""
    covariance, pairs = np.diag([1.0, 2.0, 0.5]), [(0, 1), (0, 2), (1, 2)]
    for df, rel in ((1, 0.02), (5, 0.01), (math.inf, 0.01)):
        for alpha in (0.5, 1e-3, 1e-6, 1e-9):
            t = -special.stdtrit(df, alpha / 6)
            means = np.array([t * math.sqrt(3.0), 0.0, 0.0])  # the first difference has this t
            found = max_t(means, covariance, df, pooled=True, rng=seeded())
            assert found.p_value[0] == pytest.approx(
                exact_for_three(covariance, pairs, df, t), rel=rel
            )


def awkward() -> dict[str, np.ndarray]:
    """Covariances of six models; names say what is hard about them."""
    rng = seeded(11)
    plain = (lambda b: b @ b.T)(rng.normal(size=(6, 6)))
    clone, between, near = np.eye(6), np.eye(6), np.eye(6)
    clone[4] = clone[5] = clone[0]
    between[5] = (between[0] + between[1]) / 2
    near[4:] *= 1e-3
    near[4:, 0] = 1.0
    few = rng.normal(size=(6, 2))
    return {
        "general": plain,
        "identical models": clone @ plain @ clone.T,
        "one between two others": between @ plain @ between.T,
        "nearly identical models": near @ plain @ near.T,
        "three clusters": few @ few.T,
        "six orders of size": np.diag(10.0 ** np.arange(-6, 0)) + 0.5,
    }


@pytest.mark.parametrize("case", awkward())
@pytest.mark.parametrize("df", [6, math.inf])
@pytest.mark.parametrize("baseline", [None, 0])
def test_awkward_covariances_against_simulated_maxima(case, df, baseline):
    """The share of maxima above the critical value is 5%, and above each |t| its p-value; 100,000
    maxima.
    """
    rng, covariance, n = seeded(3), awkward()[case], 100_000
    found = max_t(rng.normal(size=6), covariance, df, baseline=baseline, pooled=True, rng=rng)
    kept = found.se > 0
    assert kept.sum() == found.n_comparisons
    values, vectors = np.linalg.eigh(covariance)
    x = rng.standard_normal((n, 6)) @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    z = np.abs(x[:, found.first[kept]] - x[:, found.second[kept]]) / found.se[kept]
    largest = z.max(axis=1) / (1.0 if math.isinf(df) else np.sqrt(rng.chisquare(df, n) / df))
    assert (largest > found.critical).mean() == pytest.approx(
        0.05, abs=4 * math.sqrt(0.05 * 0.95 / n)
    )
    t = np.abs(found.difference[kept]) / found.se[kept]
    assert found.p_value[kept] == pytest.approx([(largest >= x).mean() for x in t], abs=0.02)


@pytest.mark.parametrize(("df", "pooled"), [(8.0, True), (40.0, False), (math.inf, False)])
def test_the_error_is_that_of_repeated_simulations(df, pooled):
    covariance = awkward()["general"]
    runs = [
        max_t(np.zeros(6), covariance, df, pooled=pooled, rng=seeded(k), draws=2000)
        for k in range(60)
    ]
    spread, stated = np.std([r.critical for r in runs]), np.mean([r.critical_error for r in runs])
    # drawing each comparison equally often makes it a little smaller
    assert 0.6 * stated < spread < 1.3 * stated


def test_the_generator_decides():
    one, again, other = (
        max_t(np.zeros(6), awkward()["general"], rng=seeded(k)).critical for k in (1, 1, 2)
    )
    assert one == again != other


# The record ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("df", [1.0, 7.3, math.inf])
def test_two_models_are_one_comparison(df):
    """Exactly the t interval and p-value, whatever the covariance; nothing is drawn."""
    covariance = np.array([[2.0, 0.3], [0.3, 0.5]])
    rng = seeded()
    state = rng.bit_generator.state
    found = max_t(np.array([1.0, 3.0]), covariance, df, rng=rng)
    se, quantile = math.sqrt(1.9), scipy_stats.t.ppf(0.975, df)
    assert found.low[0] == pytest.approx(-2.0 - quantile * se, rel=1e-12)
    assert found.high[0] == pytest.approx(-2.0 + quantile * se, rel=1e-12)
    assert found.p_value[0] == pytest.approx(2 * scipy_stats.t.sf(2.0 / se, df), rel=1e-12)
    assert (found.critical_error, found.method) == (0.0, "t") and rng.bit_generator.state == state


# Standard errors of their own ---------------------------------------------------------------------


@pytest.mark.parametrize("df", [30.0, 77.7, 5000.0])
def test_own_errors_give_each_t_the_tail_of_its_normal(df):
    """c is the t quantile of the tail area of the normal c, and p the normal p of the z with the
    same tail as t.
    """
    covariance, means = awkward()["general"], np.arange(6.0)
    normal, found = (max_t(means, covariance, d, rng=seeded()) for d in (math.inf, df))
    assert (normal.method, found.method) == ("max-t", "max-t")
    assert found.critical == pytest.approx(
        scipy_stats.t.isf(scipy_stats.norm.sf(normal.critical), df), rel=1e-9
    )
    z = scipy_stats.norm.isf(scipy_stats.t.sf(np.abs(found.difference) / found.se, df))
    scaled = max_t(np.array([z[0] * normal.se[0], *np.zeros(5)]), covariance, rng=seeded())
    assert found.p_value[0] == pytest.approx(scaled.p_value[0], rel=1e-9)


@pytest.mark.parametrize(("models", "df"), [(4, 29.9), (4, 3.0), (40, 39.0)])
def test_few_degrees_of_freedom_are_bonferroni(models, df):
    means, rng = np.arange(models) / 2.0, seeded()
    state = rng.bit_generator.state
    found = max_t(means, np.eye(models), df, rng=rng)
    p = models * (models - 1) / 2
    assert (found.method, found.critical_error) == (
        "bonferroni",
        0.0,
    ) and rng.bit_generator.state == state
    assert found.critical == pytest.approx(scipy_stats.t.isf(0.025 / p, df), rel=1e-9)
    single = 2 * scipy_stats.t.sf(np.abs(found.difference) / math.sqrt(2), df)
    assert found.p_value == pytest.approx(multipletests(single, method="bonferroni")[1], rel=1e-9)


def test_methods_are_named():
    named = {
        (df, pooled): max_t(
            np.zeros(3), np.eye(3), df, pooled=pooled, rng=seeded(), draws=100
        ).method
        for df in (8.0, 80.0, math.inf)
        for pooled in (False, True)
    }
    assert named == {
        (8.0, False): "bonferroni", (80.0, False): "max-t", (math.inf, False): "max-t",
        (8.0, True): "multivariate-t", (80.0, True): "multivariate-t", (math.inf, True): "max-t",
    }  # fmt: skip


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6),
    st.integers(2, 7),
    st.sampled_from([1.0, 4.5, 35.5, math.inf]),
    st.booleans(),
    st.booleans(),
)
def test_laws(seed, models, df, against, pooled):
    rng = seeded(seed)
    root = rng.normal(size=(models, models)) * rng.choice([0.1, 1.0], models)[:, None]
    means, baseline = rng.normal(size=models) * 3, int(rng.integers(models)) if against else None
    found = max_t(means, root @ root.T, df, baseline=baseline, pooled=pooled, rng=rng, draws=500)
    t, m = np.abs(found.difference) / found.se, len(found.first)
    # Between one comparison and Bonferroni.
    one = scipy_stats.t.ppf(0.975, df)
    assert one * (1 - 1e-9) <= found.critical <= scipy_stats.t.isf(0.025 / m, df) * (1 + 1e-9)
    single = 2 * scipy_stats.t.sf(t, df)
    assert (found.p_value >= single * (1 - 1e-9)).all() and (
        found.p_value <= np.minimum(1, m * single) + 1e-12
    ).all()
    # p < 0.05 exactly where the interval excludes 0, and larger t have smaller p.
    decided = np.abs(t - found.critical) > 1e-6
    excludes = (found.low > 0) | (found.high < 0)
    assert (excludes == (found.p_value < 0.05))[decided].all()
    assert (np.diff(found.p_value[np.argsort(t)]) <= 1e-12).all()
    assert (found.high + found.low) / 2 == pytest.approx(found.difference, abs=1e-9)
    if against:
        assert (found.second == baseline).all() and sorted([*found.first, baseline]) == list(
            range(models)
        )


def test_a_family_against_a_baseline_has_narrower_intervals():
    every, few = (max_t(np.arange(6.0), np.eye(6), baseline=b, rng=seeded()) for b in (None, 2))
    assert few.critical < every.critical
    assert few.difference.tolist() == [-2.0, -1.0, 1.0, 2.0, 3.0]


def test_comparisons_that_cannot_be_had_are_left_out_of_the_family():
    """Model 2 is a copy of model 0 up to a constant, model 4 has no variance: six pairs less one
    copy remain of ten.
    """
    covariance = np.diag([1.0, 1.0, 1.0, 1.0, np.nan])
    covariance[0, 2] = covariance[2, 0] = 1.0
    found = max_t(np.array([0.0, 1.0, 0.5, 2.0, 9.0]), covariance, rng=seeded())
    gone = [(i, j) == (0, 2) or j == 4 for i, j in zip(found.first, found.second, strict=True)]
    for values in (found.low, found.high, found.p_value):
        assert np.isnan(values).tolist() == gone
    assert found.n_comparisons == 5 and found.se[1] == 0.0 and np.isnan(found.se[3])
    # What is left is the family of three models: 0 and 2 say the same.
    three = max_t(np.array([0.0, 1.0, 2.0]), np.eye(3), rng=seeded(1))
    assert found.critical == pytest.approx(three.critical, abs=0.01)


@pytest.mark.parametrize("models", [1, 3])
def test_without_any_comparison_all_is_undefined(models):
    found = max_t(np.zeros(models), np.zeros((models, models)), rng=seeded())
    assert (
        found.method == "none"
        and math.isnan(found.critical)
        and math.isnan(found.critical_error)
        and found.n_comparisons == 0
    )
    assert np.isnan(found.low).all() and len(found.low) == models * (models - 1) // 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"covariance": np.eye(2)}, "M x M"),
        ({"covariance": np.eye(3) + [[0, 1, 0], [0, 0, 0], [0, 0, 0]]}, "not symmetric"),
        ({"covariance": np.where(np.eye(3), 1.0, np.nan)}, "finite"),
        ({"covariance": np.eye(3) * 2 - 5 * (1 - np.eye(3)) * -1}, "negative variance"),
        ({"covariance": np.eye(3), "baseline": 3}, "baseline=3"),
        ({"covariance": np.eye(3), "level": 95}, "level=95"),
        ({"covariance": np.eye(3), "draws": 1}, "draws=1"),
        ({"covariance": np.eye(3), "df": 0.0}, "df=0"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        max_t(np.zeros(3), **{"rng": seeded(), **arguments})


def test_a_matrix_that_is_no_covariance_is_refused_though_each_variance_is_positive():
    """Differences from the first with variances 1, 1, 1 and covariances of -0.9 between them:
    eigenvalue 1 - 1.8.
    """
    differences = np.full((3, 3), -0.9) + 1.9 * np.eye(3)
    covariance = np.zeros((4, 4))
    covariance[1:, 1:] = differences
    with pytest.raises(ValueError, match="eigenvalue"):
        max_t(np.zeros(4), covariance, rng=seeded())


# From scores --------------------------------------------------------------------------------------


def scores(n: int = 90, models: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Scores that share the difficulty of their question and the luck of their cluster; lopsided
    clusters.
    """
    rng = seeded(8)
    clusters = rng.permutation(
        np.repeat(np.arange(14), [20, 1, 1, 5, 9, 2, 14, 3, 3, 8, 12, 6, 4, 2])
    )
    effect = rng.normal(size=(14, models))[clusters]
    return rng.normal(size=(n, models)) + rng.normal(size=(n, 1)) + effect + 0.3 * np.arange(
        models
    ), clusters


@pytest.mark.parametrize("clustered", [False, True])
def test_covariance_is_that_of_the_pairs(clustered):
    s, labels = scores()
    clusters = labels if clustered else None
    covariance, df = mean_covariance(s, clusters)
    for i in range(4):
        own = mean_estimate(s[:, i], clusters)
        assert (math.sqrt(covariance[i, i]), df) == pytest.approx((own.se, own.df), rel=1e-10)
    found, pairs = simultaneous_pairs(s, clusters, rng=seeded()), all_pairs(s, clusters)
    for name in ("first", "second", "difference", "se"):
        assert getattr(found, name) == pytest.approx(getattr(pairs, name), rel=1e-10)
    assert found.df == pytest.approx(pairs.df[0], rel=1e-12)
    assert found.high - found.low == pytest.approx(
        (pairs.high - pairs.low) * found.critical / t975(found.df), rel=1e-9
    )


def t975(df: float) -> float:
    return float(scipy_stats.t.ppf(0.975, df))


def test_unclustered_covariance_is_numpy_s():
    s, _ = scores()
    assert mean_covariance(s)[0] == pytest.approx(np.cov(s.T) / len(s), rel=1e-12)
    assert mean_covariance(s, np.arange(len(s)))[0] == pytest.approx(
        np.cov(s.T) / len(s), rel=1e-12
    )


def test_two_models_from_scores_are_the_paired_difference():
    s, clusters = scores(models=2)
    found, one = (
        simultaneous_pairs(s, clusters, rng=seeded()),
        paired_difference(s[:, 0], s[:, 1], clusters),
    )
    expected = (one.interval.low, one.interval.high, one.p_value)
    assert (found.low[0], found.high[0], found.p_value[0]) == pytest.approx(expected, rel=1e-9)


def test_identical_models_and_one_cluster_from_scores():
    s, clusters = scores()
    twice = np.column_stack([s, s[:, 1]])
    for labels in (None, clusters):
        found = simultaneous_pairs(twice, labels, rng=seeded())
        k = list(zip(found.first, found.second, strict=True)).index((1, 4))
        assert (found.difference[k], found.se[k]) == (0.0, 0.0) and np.isnan(
            [found.low[k], found.p_value[k]]
        ).all()
        assert found.n_comparisons == 9
    # The copy adds nothing to the maximum.
    one, both = (simultaneous_pairs(x, rng=seeded()).critical for x in (s, twice))
    assert both == pytest.approx(one, abs=0.005)
    for alone in (
        simultaneous_pairs(s, np.zeros(90, dtype=int), rng=seeded()),
        simultaneous_pairs(s[:1], rng=seeded()),
    ):
        assert np.isnan([alone.critical, alone.df, *alone.se, *alone.low, *alone.p_value]).all()
        assert np.isfinite(alone.difference).all()


def test_missing_scores_are_refused():
    s, _ = scores()
    s[3, 1] = s[5, 0] = s[5, 2] = np.nan
    with pytest.raises(ValueError, match="2 of 90 questions"):
        simultaneous_pairs(s, rng=seeded())
    with pytest.raises(ValueError, match="one row for each question"):
        mean_covariance(s[:, 0])


@pytest.mark.parametrize(
    ("clusters", "method"), [(None, "max-t"), (60, "max-t"), (14, "bonferroni")]
)
def test_intervals_hold_together(clusters, method):
    """400 evals of 5 models with equal true means: all intervals hold in 95%, where single ones
    would in 70% or so.
    """
    rng, together, apart, methods = seeded(21), 0, 0, set()
    for _ in range(400):
        labels = (
            None
            if clusters is None
            else np.repeat(np.arange(clusters), rng.integers(1, 6, clusters))
        )
        n = 120 if labels is None else len(labels)
        s = rng.normal(size=(n, 5)) * [1, 1, 2, 0.5, 1] + rng.normal(size=(n, 1))
        if labels is not None:
            s += rng.normal(size=(clusters, 5))[labels]
        found = simultaneous_pairs(s, labels, rng=rng, draws=500)
        t = np.abs(found.difference / found.se).max()
        together += t <= found.critical
        apart += t <= t975(found.df)
        methods.add(found.method)
    assert methods == {method}
    assert 0.95 - 3 * math.sqrt(0.95 * 0.05 / 400) < together / 400 < 0.99
    assert apart / 400 < 0.85


def test_order_of_models_only_turns_signs():
    """The same family, named backwards: the same intervals with their ends exchanged, but for the
    simulation.
    """
    s, _ = scores()
    one, other = (simultaneous_pairs(x, rng=seeded()) for x in (s, s[:, ::-1]))
    turned = {
        (3 - j, 3 - i): k for k, (i, j) in enumerate(zip(other.first, other.second, strict=True))
    }
    order = [turned[pair] for pair in itertools.combinations(range(4), 2)]
    assert one.low == pytest.approx(-other.high[order], rel=0.01)
    assert one.high == pytest.approx(-other.low[order], rel=0.01)
    assert one.p_value == pytest.approx(other.p_value[order], abs=0.02)
