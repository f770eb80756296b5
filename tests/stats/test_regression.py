"""Logistic regression against statsmodels, Newton's method written out here, closed forms, and what
must be refused.
"""

import itertools
import math
import sys

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from reportkit.errors import MissingPackageError, ReportkitError
from reportkit.stats import mean_estimate
from reportkit.stats.regression import logistic_regression


def drawn(n: int, b: list[float], seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Answers with logit b_0 + b_1 x_1 + ..., normal covariates, and 25 cluster labels."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, len(b) - 1))
    return (
        (rng.random(n) < 1 / (1 + np.exp(-b[0] - x @ b[1:]))).astype(float),
        x,
        rng.integers(0, 25, n),
    )


def newton(y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Coefficients, their covariance, the log-likelihood: by Newton's method with halved steps."""
    design = np.column_stack([np.ones(len(y)), x])

    def likelihood(b: np.ndarray) -> float:
        return -float(np.logaddexp(0.0, -(2 * y - 1) * (design @ b)).sum())

    b = np.zeros(design.shape[1])
    for _ in range(200):
        p = 1 / (1 + np.exp(-design @ b))
        information = design.T @ (design * (p * (1 - p))[:, None])
        step = np.linalg.solve(information, design.T @ (y - p))
        while likelihood(b + step) < likelihood(b) - 1e-9:
            step /= 2
        b = b + step
        if np.abs(step).max() < 1e-13 * np.abs(b).max():
            break
    return b, np.linalg.inv(information), likelihood(b)


# Against other computations -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "b"), [(40, [0.3, 0.5]), (500, [1.0, -2.0, 0.0]), (3000, [-3.0, 1.0, 0.2, -0.7])]
)
def test_fit_is_statsmodels(n, b):
    y, x, _ = drawn(n, b)
    fit, expected = logistic_regression(y, x), sm.Logit(y, sm.add_constant(x)).fit(disp=0)
    assert fit.names == ("intercept", *(f"x{j}" for j in range(1, len(b))))
    for found, wanted in [
        (fit.coefficients, expected.params),
        (fit.se, expected.bse),
        (fit.z, expected.tvalues),
    ]:
        assert found == pytest.approx(np.asarray(wanted), rel=1e-8)
    assert fit.p_values == pytest.approx(np.asarray(expected.pvalues), rel=1e-6)
    assert (fit.aic, fit.log_likelihood) == pytest.approx((expected.aic, expected.llf), rel=1e-10)
    # statsmodels fits the intercept by an optimiser; here it is a closed form, hence the looser
    # tolerance.
    assert fit.log_likelihood_null == pytest.approx(expected.llnull, rel=1e-7)
    assert fit.lr_chi2 == pytest.approx(expected.llr, rel=1e-5)
    assert fit.lr_p_value == pytest.approx(expected.llr_pvalue, rel=1e-4)
    assert (fit.lr_df, fit.n_questions, fit.n_clusters) == (len(b) - 1, n, n)


def test_fit_is_newtons_method_written_out():
    y, x, _ = drawn(300, [0.5, 1.0, -0.4])
    b, covariance, likelihood = newton(y, x)
    fit = logistic_regression(y, x)
    assert fit.coefficients == pytest.approx(b, rel=1e-10)
    assert fit.se == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-10)
    assert fit.z == pytest.approx(fit.coefficients / fit.se, rel=1e-14)
    assert fit.p_values == pytest.approx(2 * scipy_stats.norm.sf(np.abs(fit.z)), rel=1e-9)
    assert fit.aic == pytest.approx(-2 * likelihood + 2 * 3, rel=1e-12)
    share = y.mean()
    null = 300 * (share * math.log(share) + (1 - share) * math.log(1 - share))
    assert fit.lr_chi2 == pytest.approx(2 * (likelihood - null), rel=1e-9)
    assert fit.lr_p_value == pytest.approx(scipy_stats.chi2.sf(fit.lr_chi2, 2), rel=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "c", "d"), [(3, 1, 1, 3), (10, 4, 7, 7), (1, 30, 2, 5), (2000, 1, 1, 3000)]
)
def test_two_groups_have_a_closed_form(a, b, c, d):
    """a right and b wrong where x = 0, c and d where x = 1: log odds a/b, log odds ratio, Woolf's
    standard error.
    """
    y, x = np.repeat([1, 0, 1, 0], [a, b, c, d]), np.repeat([0, 1], [a + b, c + d])
    fit = logistic_regression(y, x)
    assert fit.coefficients == pytest.approx(
        [math.log(a / b), math.log(c * b / (d * a))], rel=1e-9, abs=1e-12
    )
    assert fit.se == pytest.approx(
        [math.sqrt(1 / a + 1 / b), math.sqrt(1 / a + 1 / b + 1 / c + 1 / d)], rel=1e-9
    )


@pytest.mark.parametrize("b", [[0.3, 0.5], [1.0, -1.0, 0.2]])
def test_clustered_errors_are_statsmodels(b):
    y, x, clusters = drawn(600, b)
    options = {"groups": clusters, "use_correction": False}
    expected = sm.Logit(y, sm.add_constant(x)).fit(disp=0, cov_type="cluster", cov_kwds=options)
    fit, plain = logistic_regression(y, x, clusters=clusters), logistic_regression(y, x)
    assert fit.se == pytest.approx(np.asarray(expected.bse) * math.sqrt(25 / 24), rel=1e-8)
    assert fit.z == pytest.approx(fit.coefficients / fit.se, rel=1e-12)
    assert fit.coefficients.tolist() == plain.coefficients.tolist()
    assert (fit.n_clusters, fit.aic, fit.lr_chi2) == (25, plain.aic, plain.lr_chi2)
    # a likelihood of dependent answers as if they were independent has no chi2
    assert math.isnan(fit.lr_p_value)


def test_intercept_alone_is_the_mean():
    """Delta method: SE(logit p) = SE(p) / (p (1-p)), with the clustered SE of the mean (CR1)."""
    y, _, clusters = drawn(400, [0.8, 1.0])
    mean, fit = (
        mean_estimate(y, clusters, se="cr1"),
        logistic_regression(y, np.empty((400, 0)), clusters=clusters),
    )
    assert fit.coefficients == pytest.approx([math.log(mean.value / (1 - mean.value))], rel=1e-10)
    assert fit.se == pytest.approx([mean.se / (mean.value * (1 - mean.value))], rel=1e-10)
    assert (fit.names, fit.lr_df) == (("intercept",), 0)
    assert fit.lr_chi2 == pytest.approx(0.0, abs=1e-9) and math.isnan(fit.lr_p_value)


def test_copies_of_questions_as_clusters():
    """Every question three times, each a cluster: the errors of the distinct questions, not smaller
    by sqrt(3).
    """
    y, x, _ = drawn(60, [0.2, 0.6])
    one = logistic_regression(y, x, clusters=np.arange(60))
    three = logistic_regression(
        np.tile(y, 3), np.tile(x, (3, 1)), clusters=np.tile(np.arange(60), 3)
    )
    assert three.coefficients == pytest.approx(one.coefficients, rel=1e-9)
    assert three.se == pytest.approx(one.se, rel=1e-9)


@pytest.mark.parametrize(("groups", "defined"), [(1, False), (2, False), (3, True), (9, True)])
def test_too_few_clusters_leave_the_errors_undefined(groups, defined):
    """Scores sum to 0, so G clusters give a matrix of rank G-1: two coefficients need three."""
    y, x, _ = drawn(90, [0.2, 0.6])
    fit = logistic_regression(y, x, clusters=np.arange(90) % groups)
    assert np.isfinite([fit.se, fit.z, fit.p_values]).all() == defined
    assert np.isnan([fit.se, fit.z, fit.p_values]).all() != defined
    assert np.isfinite(fit.coefficients).all() and fit.n_clusters == groups


def test_clusters_all_alike_leave_no_error_and_no_z():
    """Every cluster has 2 of 3 right: the clustered SE is 0, as that of the mean is, and z is
    undefined.
    """
    y, clusters = np.tile([1.0, 0.0, 1.0], 8), np.repeat(np.arange(8), 3)
    assert mean_estimate(y, clusters, se="cr1").se == 0.0
    fit = logistic_regression(y, np.empty((24, 0)), clusters=clusters)
    assert fit.se.tolist() == [0.0] and np.isnan(fit.z).all() and np.isnan(fit.p_values).all()


@pytest.mark.parametrize(
    ("offset", "scale"), [(2020.0, 1.0), (0.0, 1e6), (1.7e9, 1e5), (-3.0, 1e-6)]
)
def test_units_of_a_covariate_do_not_matter(offset, scale):
    y, x, clusters = drawn(500, [0.4, 0.8, -0.3])
    plain = logistic_regression(y, x, clusters=clusters)
    moved = logistic_regression(y, x * [scale, 1.0] + [offset, 0.0], clusters=clusters)
    assert moved.coefficients[1:] * [scale, 1.0] == pytest.approx(plain.coefficients[1:], rel=1e-6)
    assert moved.se[1:] * [scale, 1.0] == pytest.approx(plain.se[1:], rel=1e-6)
    assert moved.aic == pytest.approx(plain.aic, rel=1e-9)


def test_rare_mistakes_fit():
    """20 wrong of 20,000: Newton's method from 0 would start far off."""
    rng = np.random.default_rng(2)
    y, x = np.ones(20_000), rng.normal(size=(20_000, 2))
    y[rng.choice(20_000, 20, replace=False)] = 0
    fit = logistic_regression(y, x)
    b, covariance, _ = newton(y, x)
    assert fit.coefficients == pytest.approx(b, rel=1e-8)
    assert fit.se == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-8)


# What must be refused -----------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=120)
@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=4, max_size=9))
def test_separation_by_one_covariate_is_found_and_nothing_else(pairs):
    """One covariate separates exactly where the wrong answers end before, or where, the right ones
    begin.
    """
    x, y = np.array([float(v) for v, _ in pairs]), np.array([right for _, right in pairs])
    if y.all() or not y.any() or len(set(x)) == 1:
        return
    separated = x[y].min() >= x[~y].max() or x[~y].min() >= x[y].max()
    if separated:
        with pytest.raises(ValueError, match="separation"):
            logistic_regression(y, x)
    else:
        fit = logistic_regression(y, x)
        assert np.isfinite([*fit.coefficients, *fit.se, fit.aic]).all()


def test_separation_by_two_covariates_together():
    """Neither total_digits nor carry separates alone; right exactly where their sum is below 6
    does.
    """
    x = np.array(list(itertools.product(range(6), range(6))), dtype=float)
    y = x.sum(axis=1) < 6
    for column in x.T:
        assert np.isfinite(logistic_regression(y, column).se).all()
    with pytest.raises(
        ValueError,
        match=r"without error for at least [0-9]+ of 36 questions \(separation\).*drop or coarsen",
    ):
        logistic_regression(y, x)


def test_separation_of_a_few_questions():
    """Quasi-separation: a flag that only ever goes with right answers, though most questions do not
    have it.
    """
    y, x, _ = drawn(200, [0.0, 0.5])
    flag = np.zeros(200)
    flag[np.flatnonzero(y)[:4]] = 1.0
    with pytest.raises(ValueError, match="without error for at least 4 of 200 questions"):
        logistic_regression(y, np.column_stack([x, flag]))


RIGHT, COLUMN = np.array([1.0, 0, 1, 0, 1, 1]), np.array([1.0, 2, 3, 4, 5, 3])


@pytest.mark.parametrize(
    ("correct", "covariates", "names", "message"),
    [
        (np.ones(6), COLUMN, None, "all 6 answers are right; a regression needs some of both"),
        (np.zeros(6), COLUMN, None, "all 6 answers are wrong"),
        (RIGHT * 0.5, COLUMN, None, "4 of 6 answers are neither 0 nor 1"),
        (np.where(RIGHT == 1, math.nan, 0), COLUMN, None, "4 of 6 answers are neither 0 nor 1"),
        (RIGHT, COLUMN[:5], None, r"correct has shape \(6,\), covariates \(5,\); give \(n,\) "
                                  r"answers"),
        (np.array([]), np.empty((0, 1)), None, r"correct has shape \(0,\)"),
        (RIGHT, COLUMN, ["a", "b"], "2 names for 1 covariates; give one for each"),
        (RIGHT, np.full(6, 3.0), ["shots"], "shots is 3 for all 6 questions; leave it out"),
        (RIGHT, np.where(COLUMN == 2, math.inf, COLUMN), ["size"], "size is missing or infinite "
                                                                   "for 1 of 6 questions"),
        (RIGHT, np.c_[COLUMN, 2 * COLUMN - 7], ["a", "b"], "b follows from intercept, a; leave "
                                                           "one of them out"),
        (RIGHT[:2], np.array([[1.0, 2], [2, 5]]), None, "3 coefficients from 2 questions"),
    ],
)  # fmt: skip
def test_regression_refuses(correct, covariates, names, message):
    with pytest.raises(ValueError, match=message):
        logistic_regression(correct, covariates, names)


def test_without_statsmodels_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.discrete.discrete_model", None)
    with pytest.raises(
        MissingPackageError, match=r'needs statsmodels, .*: pip install -e "\.\[regression\]"'
    ) as error:
        logistic_regression(RIGHT, COLUMN)
    assert isinstance(error.value, ReportkitError) and isinstance(error.value, ImportError)
