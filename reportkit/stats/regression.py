"""What makes a question hard: logistic regression of right answers on properties of questions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.errors import MissingPackageError, add_extra
from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import floats


@dataclass(frozen=True, slots=True)
class LogisticFit(Record):
    """A fitted logistic regression; arrays have shape (p+1,), the intercept first, coefficients in
    log odds per unit.
    """

    names: tuple[str, ...]
    coefficients: np.ndarray
    # from the information matrix, or clustered (then nan with no more clusters than coefficients)
    se: np.ndarray
    z: np.ndarray  # Wald, coefficients / se; nan where se is undefined or 0
    p_values: np.ndarray  # two-sided, normal
    log_likelihood: float
    log_likelihood_null: float  # of the intercept alone
    aic: float  # -2 log_likelihood + 2 (p+1)
    lr_chi2: float  # 2 (log_likelihood - log_likelihood_null)
    lr_df: int  # p
    # nan with clusters, whose answers the likelihood takes for independent, and without covariates
    lr_p_value: float
    n_questions: int
    n_clusters: int


def logistic_regression(
    correct: np.ndarray,
    covariates: np.ndarray,
    names: Sequence[str] | None = None,
    clusters: np.ndarray | None = None,
) -> LogisticFit:
    """Maximum likelihood fit of logit P(correct) = b_0 + b_1 x_1 + ... + b_p x_p, by statsmodels.

    correct: shape (n,), 0 or 1. covariates: shape (n, p), or (n,) for one, no constant among them;
    names: p of them (default x1, x2, ...). clusters: shape (n,) labels, or None.

    AIC is the deviance plus 2 (p+1). lr_chi2 is the deviance of the intercept alone less that of
    the fit, on p degrees of freedom. R's glm gives the same, and Ivanova et al. 2024 print it
    (total_digits and carry of an addition). With clusters the SEs are the sandwich of Liang & Zeger
    1986 times sqrt(G/(G-1)), as in Stata and in mean_estimate's "cr1". z treats them as known, so
    with fewer than about 40 clusters the p-values are too small. They are nan where there are no
    more clusters than coefficients.

    ValueError where no finite estimate exists: answers are all right or all wrong; a covariate is
    constant or follows from the others; or a combination of covariates says of each answer whether
    it is right (separation, found by linear programming: Albert & Anderson 1984; Konis 2007).
    MissingPackageError without statsmodels.

    >>> correct = np.array([1, 1, 1, 0, 1, 0, 0, 0])   # odds 3/1 where x is 0, 1/3 where it is 1
    >>> fit = logistic_regression(correct, np.array([0, 0, 0, 0, 1, 1, 1, 1]), names=["carry"])
    >>> fit.names, fit.coefficients.round(4).tolist()   # log 3, log 1/9
    (('intercept', 'carry'), [1.0986, -2.1972])
    >>> fit.se.round(4).tolist()   # sqrt(1/3 + 1/1), sqrt(1/3 + 1/1 + 1/1 + 1/3)
    [1.1547, 1.633]
    """
    y, x, labels = _checked(correct, covariates, names)
    n, width = x.shape
    codes = cluster_codes(clusters, n)
    # The fit is made in an orthogonal basis of the columns, so that the size and offset of a
    # covariate do not matter.
    basis, triangle = _basis(x, labels)
    _check_separation(y, basis)
    try:
        from statsmodels.discrete.discrete_model import Logit
    except ImportError:
        raise MissingPackageError(
            "logistic regression needs statsmodels, which is not installed; "
            + add_extra("regression")
        ) from None
    share = float(y.mean())
    start = np.zeros(width)
    # the intercept alone; from 0 Newton's steps can overshoot
    start[0] = special.logit(share) / basis[0, 0]
    with np.errstate(over="ignore"):
        fit = Logit(y, basis).fit(
            start, method="newton", maxiter=100, tol=1e-10, disp=0, warn_convergence=False
        )
    if not fit.mle_retvals["converged"]:
        raise ValueError(
            f"the regression on {', '.join(labels[1:])} did not converge; drop or coarsen a "
            "covariate"
        )
    to_columns = np.linalg.inv(triangle)
    coefficients = to_columns @ fit.params
    covariance, groups = np.asarray(fit.cov_params()), n
    variance = np.diag(to_columns @ covariance @ to_columns.T)
    if codes is not None:
        covariance, groups = _clustered(basis * fit.resid_response[:, None], covariance, codes)
        clustered = np.diag(to_columns @ covariance @ to_columns.T)
        variance = np.where(
            clustered < 1e-20 * variance, 0.0, clustered
        )  # clusters that are all alike, but for rounding
    se = np.sqrt(variance)
    z = np.divide(coefficients, se, out=np.full(width, math.nan), where=se > 0.0)
    log_likelihood = float(fit.llf)
    null = -n * float(special.entr(share) + special.entr(1.0 - share))
    chi2, df = max(0.0, 2.0 * (log_likelihood - null)), width - 1
    return LogisticFit(
        labels, coefficients, se, z, 2.0 * special.ndtr(-np.abs(z)), log_likelihood, null,
        2.0 * width - 2.0 * log_likelihood, chi2, df,
        float(special.chdtrc(df, chi2)) if df and codes is None else math.nan, n, groups,
    )  # fmt: skip


def _checked(
    correct: np.ndarray, covariates: np.ndarray, names: Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Answers, the columns with a leading constant, and their names."""
    y = floats(correct)
    x = floats(covariates)
    x = x[:, None] if x.ndim == 1 else x
    if y.ndim != 1 or x.ndim != 2 or len(x) != len(y) or len(y) == 0:
        raise ValueError(
            f"correct has shape {y.shape}, covariates {np.shape(covariates)}; give (n,) answers "
            "and (n, p) covariates"
        )
    labels = tuple(names) if names is not None else tuple(f"x{j}" for j in range(1, x.shape[1] + 1))
    if len(labels) != x.shape[1]:
        raise ValueError(f"{len(labels)} names for {x.shape[1]} covariates; give one for each")
    if not ((y == 0) | (y == 1)).all():
        raise ValueError(
            f"{int((~((y == 0) | (y == 1))).sum())} of {len(y)} answers are neither 0 nor 1; "
            "drop or score them"
        )
    if (y == y[0]).all():
        raise ValueError(
            f"all {len(y)} answers are {'right' if y[0] else 'wrong'}; a regression needs some "
            "of both"
        )
    for name, column in zip(labels, x.T, strict=True):
        if not np.isfinite(column).all():
            bad = int((~np.isfinite(column)).sum())
            raise ValueError(
                f"{name} is missing or infinite for {bad} of {len(y)} questions; drop them first"
            )
    return y, np.column_stack([np.ones(len(y)), x]), ("intercept", *labels)


def _basis(x: np.ndarray, labels: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Orthogonal columns q of mean square 1 and a triangle r, with x = q r."""
    n, width = x.shape
    for j in range(1, width):
        if (x[:, j] == x[0, j]).all():
            raise ValueError(f"{labels[j]} is {x[0, j]:g} for all {n} questions; leave it out")
    if width > n:
        raise ValueError(
            f"{width} coefficients from {n} questions; give fewer covariates or more questions"
        )
    q, r = np.linalg.qr(x)
    lengths = np.sqrt((x * x).sum(axis=0))
    for j in range(1, width):
        if abs(r[j, j]) <= 1e-11 * lengths[j]:
            raise ValueError(
                f"{labels[j]} follows from {', '.join(labels[:j])}; leave one of them out"
            )
    return q * math.sqrt(n), r / math.sqrt(n)


def _check_separation(y: np.ndarray, basis: np.ndarray) -> None:
    """Whether a direction b has (2y-1) x'b >= 0 for all questions: then the likelihood rises along
    it for ever.
    """
    from scipy import optimize

    signed = basis * (2.0 * y - 1.0)[:, None]
    # Without separation b = 0 is the only feasible point; with it, the best one reaches a bound.
    found = optimize.linprog(
        -signed.mean(axis=0), A_ub=-signed, b_ub=np.zeros(len(y)), bounds=(-1.0, 1.0)
    )
    if found.success and np.abs(found.x).max() > 0.5:
        sure = int((signed @ found.x > 1e-6).sum())
        raise ValueError(
            f"the covariates tell right from wrong answers without error for at least {sure} of "
            f"{len(y)} questions "
            "(separation), so that no finite coefficient fits; drop or coarsen a covariate"
        )


def _clustered(
    gradients: np.ndarray, bread: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, int]:
    """G/(G-1) B (sum_c g_c g_c') B and G, g_c the sum of gradients (y - p) x over cluster c.

    nan with no more clusters than columns: the G sums add up to 0, so that their products have rank
    G-1 at most.
    """
    groups, rows = np.unique(codes, return_inverse=True)
    g = len(groups)
    if g <= len(bread):
        return np.full_like(bread, np.nan), g
    sums = np.column_stack([np.bincount(rows, weights=column) for column in gradients.T])
    return g / (g - 1) * bread @ (sums.T @ sums) @ bread, g
