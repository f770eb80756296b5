"""The table of logistic regressions: what makes a question hard."""

import math

from reportkit.analysis.requested.regression import ENOUGH, INTERCEPT
from reportkit.requested import RegressionResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style, interval_fields
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, missing_notes
from reportkit.text.numbers import DASH, count, fixed, format_p_value, percent_of


def regression(r: EvalResult, style: Style) -> Draft:
    """Coefficient with error and interval, z and p of each covariate, for each model."""
    rows: tuple[RegressionResult, ...] = r.requested["regression"]  # type: ignore[assignment]
    interval = f"{percent_of(r.level)} CI"
    specs = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec("covariate", "Covariate", lambda x: x.covariate, align="l"),
        ColumnSpec(
            "coefficient",
            "Coefficient (SE)",
            _coefficient,
            lambda x: x.coefficient,
            fields={"Coefficient": lambda x: x.coefficient, "SE": lambda x: x.se},
        ),
        ColumnSpec("ci", interval, _interval, lambda x: x.ci_low, fields=interval_fields(interval)),
        ColumnSpec("z", "z", lambda x: fixed(x.z, 2), lambda x: x.z),
        ColumnSpec(
            "p_value",
            "p",
            lambda x: format_p_value(x.p_value, level=r.level),
            lambda x: x.p_value,
        ),
        ColumnSpec("answers", "Answers", lambda x: count(x.n_answers), lambda x: x.n_answers),
    ]
    title = "logistic regression of right answers on fields of the questions."
    notes = [*_notes(r, rows), *missing_notes(r)]
    return Draft("regression", title, r, specs, rows, notes, rows)


def _coefficient(x: RegressionResult) -> str:
    if math.isnan(x.coefficient):
        return DASH
    return f"{fixed(x.coefficient, 3, sign=True)} ({fixed(x.se, 3)})"


def _interval(x: RegressionResult) -> str:
    if math.isnan(x.ci_low):
        return DASH
    return f"({fixed(x.ci_low, 3, sign=True)}, {fixed(x.ci_high, 3, sign=True)})"


def _notes(r: EvalResult, rows: tuple[RegressionResult, ...]) -> list[Note]:
    fitted = [x for x in rows if not x.reason and x.covariate == INTERCEPT]
    notes = [
        Note(
            "Log odds of a right answer for one unit more of the covariate, all else equal; "
            "maximum likelihood. z = coefficient / SE."
        )
    ]
    if any(x.n_clusters < x.n_answers for x in rows):
        by = r.cluster_field if r.clustered else "question"
        notes.append(Note(f"Standard errors are clustered by {by} (Liang & Zeger 1986)."))
    for x in fitted:
        if math.isnan(x.lr_p_value):  # the likelihood takes answers as independent
            continue
        text = (
            f"{x.model}: LR \N{GREEK SMALL LETTER CHI}²({x.lr_df}) = {fixed(x.lr_chi2, 1)}, "
            f"p {_relation(x, r.level)}, AIC {fixed(x.aic, 1)}."
        )
        notes.append(Note(text, "fit", counts=True))
    reasons = {x.model: x.reason for x in rows if x.reason}
    notes += [Note(f"{DASH}, {model}: {why}.", "undefined") for model, why in reasons.items()]
    if any(math.isnan(x.p_value) for x in rows if not x.reason):
        unit = "cluster" if r.clustered else "question"
        text = f"{DASH}: no interval and no p, with fewer than {ENOUGH} {unit}s."
        notes.append(Note(text, "undefined"))
    return notes


def _relation(x: RegressionResult, level: float) -> str:
    text = format_p_value(x.lr_p_value, level=level)
    return text if text[0] in "<>" else f"= {text}"
