"""What makes a question hard: logistic regressions of right answers on fields of the questions."""

import math

import numpy as np

from reportkit import stats
from reportkit.analysis.chances import grouped
from reportkit.analysis.requested.request import Refused, Request, check_right
from reportkit.decisions.values import split
from reportkit.errors import MissingPackageError, ScoresError
from reportkit.requested import RegressionResult

# Clusters below which a clustered SE, taken as known, makes intervals too short and p too small.
ENOUGH = 40
INTERCEPT = "intercept"  # what stats.logistic_regression calls its constant


def regression(q: Request) -> tuple[RegressionResult, ...]:
    """Of each model with a score, the coefficients of its regression, the intercept first.

    Every answer is an observation. With clusters, or several answers to a question, the standard
    errors are clustered, by the declared field or by question, and with fewer than 40 clusters
    there is no interval and no p.
    """
    e = q.scores
    names = split(q.decisions.covariates)
    if not e.binary:
        raise Refused(
            "No regression is made, since it takes answers that are right or wrong, and these "
            "scores have more than two values."
        )
    check_right(e, "regression")
    if not names:
        raise Refused(
            "No regression is made, since no fields are named that may make questions hard; name "
            "them, such as --covariates digits,carry."
        )
    if INTERCEPT in names:
        raise ScoresError(
            f"eval {e.eval!r}: a covariate is called {INTERCEPT!r}, as the constant of the "
            "regression is; give the field another name"
        )
    covariates = np.column_stack([_numbers(q, name) for name in names])
    columns = e.scored
    try:
        return tuple(r for column in columns for r in _of_model(q, column, covariates, names))
    except MissingPackageError as why:
        raise Refused(f"No regression is made: {why}.") from None


def _numbers(q: Request, name: str) -> np.ndarray:
    """A field as a number for each question; ScoresError where it has no number."""
    texts = q.field(name, "covariate")
    numbers = np.array([_number(text) for text in texts])
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        e = q.scores
        raise ScoresError(
            f"eval {e.eval!r}: {len(bad)} questions have no number in {name!r}, the first is "
            f"{e.questions[bad[0]]!r} with {str(texts[bad[0]])!r}; a covariate needs one for each"
        )
    return numbers


def _number(text: object) -> float:
    """A number, or 1 and 0 for true and false."""
    word = str(text).strip().lower()
    if word in ("true", "false"):
        return float(word == "true")
    try:
        return float(word)
    except ValueError:
        return math.nan


def _of_model(
    q: Request, column: int, covariates: np.ndarray, names: list[str]
) -> list[RegressionResult]:
    e, level = q.scores, q.decisions.level
    here = e.epochs[:, column] > 0
    answers = e.epochs[here, column]
    right = np.rint(e.means[here, column] * answers).astype(int)
    # Each answer: of a question the right ones first.
    place = np.concatenate([np.arange(k) for k in answers])
    correct = (place < np.repeat(right, answers)).astype(float)
    clusters = None
    if grouped(e, column):
        own = np.arange(int(here.sum())) if e.clusters is None else e.clusters[here]
        clusters = np.repeat(own, answers)
    rows = np.repeat(covariates[here], answers, axis=0)
    counts = (len(correct), len(correct) if clusters is None else len(np.unique(clusters)))
    model = e.models[column]
    try:
        fit = stats.logistic_regression(correct, rows, names, clusters)
    except ValueError as why:
        return [_without(model, name, level, counts, str(why)) for name in (INTERCEPT, *names)]
    return [_coefficient(model, fit, k, level) for k in range(len(fit.names))]


def _coefficient(model: str, fit: stats.LogisticFit, k: int, level: float) -> RegressionResult:
    value, se = float(fit.coefficients[k]), float(fit.se[k])
    of = stats.Estimate(value, se, math.inf, fit.n_questions, fit.n_clusters)
    interval, z, p = stats.normal_interval(of, level), float(fit.z[k]), float(fit.p_values[k])
    if fit.n_clusters < min(fit.n_questions, ENOUGH):
        interval, z, p = stats.Interval(math.nan, math.nan, level, "none"), math.nan, math.nan
    return RegressionResult(
        model=model,
        covariate=fit.names[k],
        coefficient=value,
        se=se,
        ci_low=interval.low,
        ci_high=interval.high,
        level=level,
        z=z,
        p_value=p,
        aic=fit.aic,
        lr_chi2=fit.lr_chi2,
        lr_df=fit.lr_df,
        lr_p_value=fit.lr_p_value,
        log_likelihood=fit.log_likelihood,
        n_answers=fit.n_questions,
        n_clusters=fit.n_clusters,
        reason="",
    )


def _without(
    model: str, name: str, level: float, counts: tuple[int, int], why: str
) -> RegressionResult:
    """Where no finite estimate exists."""
    nan = math.nan
    return RegressionResult(
        model=model,
        covariate=name,
        coefficient=nan,
        se=nan,
        ci_low=nan,
        ci_high=nan,
        level=level,
        z=nan,
        p_value=nan,
        aic=nan,
        lr_chi2=nan,
        lr_df=0,
        lr_p_value=nan,
        log_likelihood=nan,
        n_answers=counts[0],
        n_clusters=counts[1],
        reason=why,
    )
