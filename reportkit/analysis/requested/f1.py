"""F1 of each model, on questions whose right answer is positive or negative."""

import math

import numpy as np

from reportkit import stats
from reportkit.analysis.chances import grouped
from reportkit.analysis.requested.request import Refused, Request, check_right
from reportkit.decisions.values import split_positive
from reportkit.errors import ScoresError
from reportkit.requested import F1Result


def f1(q: Request) -> tuple[F1Result, ...]:
    """Of each model with a score: the counts, F1, and its posterior interval.

    A right answer to a positive question is a true positive, a wrong one a false negative; a wrong
    answer to a negative question is a false positive. Answers that depend on each other (clusters,
    or several to a question) have F1 without an interval.
    """
    e, d = q.scores, q.decisions
    if not e.binary:
        raise Refused(
            "No F1 is made, since it takes answers that are right or wrong, and these scores have "
            "more than two values."
        )
    check_right(e, "F1")
    field, value = split_positive(d.positive)
    if not field:
        raise Refused(
            "No F1 is made, since it is not said which questions are positive; name a field and "
            "its value there, such as --positive target:yes."
        )
    labels = q.field(field, "class").astype(str)
    positive = labels == value
    if not positive.any():
        seen = ", ".join(repr(str(label)) for label in np.unique(labels)[:5])
        raise ScoresError(
            f"eval {e.eval!r}: {field!r} is {value!r} for no question; it has values such as {seen}"
        )
    columns = e.scored
    return tuple(_of_model(q, column, positive) for column in columns)


def _of_model(q: Request, column: int, positive: np.ndarray) -> F1Result:
    e, level = q.scores, q.decisions.level
    here = e.epochs[:, column] > 0
    answers = np.where(here, e.epochs[:, column], 0)
    right = np.rint(np.where(here, e.means[:, column], 0.0) * answers).astype(int)
    tp, tn = int(right[positive].sum()), int(right[~positive].sum())
    fn, fp = int(answers[positive].sum()) - tp, int(answers[~positive].sum()) - tn
    low = high = math.nan
    method = "none"
    if not grouped(e, column):
        interval = stats.f1_posterior(tp, fp, fn, tn, level).interval
        low, high, method = interval.low, interval.high, interval.method
    return F1Result(
        model=e.models[column],
        f1=stats.f1_score(tp, fp, fn),
        ci_low=low,
        ci_high=high,
        level=level,
        method=method,
        precision=tp / (tp + fp) if tp + fp else math.nan,
        recall=tp / (tp + fn) if tp + fn else math.nan,
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
    )
