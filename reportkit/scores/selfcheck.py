"""What a harness said of its run, recomputed from the rows: each mean and standard error agrees, or
differs for a reason.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.facts import HarnessMetric, SelfCheck
from reportkit.scores.run import Run
from reportkit.stats.means.grouped import pooled
from reportkit.stats.means.mean import SeKind

TOLERANCE = 1e-9  # of a number up to 1, and relative above
UNEXPLAINED = "no known reason"


Pair = tuple[float, float]
# Mean and standard error of scores, question codes from 0 and cluster codes (or None), all (n,).
Computation = Callable[[np.ndarray, np.ndarray, np.ndarray | None], Pair]
# A harness's own computations: the function that a name of HarnessMetric.how stands for, or None.
Own = Callable[[str], Computation | None]


def no_own(how: str) -> Computation | None:
    """The computations of a harness that has none of its own."""
    return None


def _by_question(
    scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None, se: SeKind
) -> Pair:
    """Mean of the question means, and its standard error."""
    counts = np.bincount(questions)
    means = np.bincount(questions, weights=scores) / counts
    labels = None
    if clusters is not None:
        labels = np.empty(len(counts), dtype=clusters.dtype)
        labels[questions] = clusters
    found = stats.mean_estimate(means, labels, se=se)
    return found.value, found.se


def _mean(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
    return _by_question(scores, questions, clusters, "clt" if clusters is None else "cr1")


def _rounded(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
    mean, se = _mean(scores, questions, clusters)
    return round(mean, 4), se


def _cr2(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
    return _by_question(scores, questions, clusters, "cr2")


def reduced(
    scores: np.ndarray,
    questions: np.ndarray,
    clusters: np.ndarray | None,
    reduce: Callable[[np.ndarray], float],
) -> tuple[np.ndarray, np.ndarray | None]:
    """What `reduce` makes of each question's scored answers, which come in the order of the rows,
    and the questions' clusters. A question for which it is nan is left out.

    >>> reduced(np.array([0.0, 1.0, 0.0]), np.array([0, 0, 1]), np.array([7, 7, 8]), max)
    (array([1., 0.]), array([7, 8]))
    """
    order = np.argsort(questions, kind="stable")
    first = np.unique(questions[order], return_index=True)[1]
    values = np.array([reduce(a) for a in np.split(scores[order], first[1:])])
    known = ~np.isnan(values)
    return values[known], None if clusters is None else clusters[order][first][known]


def by_answers(reduce: Callable[[np.ndarray], float]) -> Computation:
    """The mean over questions of what `reduce` makes of a question's scored answers.

    >>> largest = by_answers(max)
    >>> largest(np.array([0.0, 1.0, 0.0]), np.array([0, 0, 1]), None)
    (0.5, 0.5)
    """

    def compute(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
        values, labels = reduced(scores, questions, clusters, reduce)
        if not len(values):
            return math.nan, math.nan
        return _mean(values, np.arange(len(values)), labels)

    return compute


def _grouped(how: str) -> Computation:
    def compute(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
        if clusters is None:
            return math.nan, math.nan
        return pooled(scores, clusters, how)

    return compute


# The names of HarnessMetric.how that every harness may use.
HOW: dict[str, Computation] = {
    "mean": _mean,
    "mean-cr1": _mean,
    "mean-4": _rounded,
    "cr2": _cr2,
    "pooled": _grouped("pooled"),
    "macro": _grouped("macro"),
}
# A report takes the mean of the questions too. By any other name, a number of the harness is
# another one than the report's, though it can be computed again.
OF_REPORTS = ("mean", "mean-cr1", "mean-4", "cr2", "pooled")


def nothing(run: Run) -> SelfCheck:
    """Of a run whose harness left no numbers."""
    nan = math.nan
    return SelfCheck(
        run.file,
        run.eval,
        run.model,
        run.headline,
        nan,
        nan,
        nan,
        nan,
        None,
        "the harness left no numbers",
    )


def check_run(run: Run, own: Own = no_own) -> list[SelfCheck]:
    """Every mean and SE of the harness beside ours; from the rows as the log has them, before any
    policy changes them. own: the computations that the run's harness has of its own.
    """
    return [_check(run, theirs, own) for theirs in run.harness_metrics]


def _check(run: Run, theirs: HarnessMetric, own: Own) -> SelfCheck:
    def record(ours: Pair, agrees: bool | None, reason: str) -> SelfCheck:
        return SelfCheck(
            run.file,
            run.eval,
            run.model,
            theirs.metric,
            theirs.mean,
            theirs.se,
            *ours,
            agrees,
            reason,
            theirs.how,
            theirs.cluster,
            theirs.called,
            "=".join(theirs.where),
        )

    undefined = (math.nan, math.nan)
    if computation(theirs.how, own) is None:
        return record(
            undefined,
            None,
            theirs.reason or f"its computation, {theirs.how or 'not named'}, is none of ours",
        )
    if lacking := [c for c in (*theirs.where[:1], theirs.cluster) if c and c not in run.rows]:
        return record(
            undefined,
            None,
            theirs.reason or f"the log has no field {lacking[0]!r} of its questions",
        )
    rows = rows_of(run.rows, theirs)
    if not rows["score"].notna().any():
        return record(
            undefined, None, theirs.reason or "the log holds no scores of questions under this name"
        )
    ours = computed(rows, theirs.how, theirs.cluster, own)
    if math.isnan(theirs.mean) and math.isnan(theirs.se):
        return record(ours, None, theirs.reason or "the harness printed no number")
    known = "; ".join(r for r in (theirs.reason, theirs.se_reason) if r)
    if equal(theirs, ours):
        return record(ours, True, known)
    if equal(theirs, (theirs.counted_mean, theirs.counted_se)):
        return record(ours, False, theirs.reason)
    if same(theirs.mean, ours[0]):
        return record(ours, False, theirs.se_reason or UNEXPLAINED)
    if run.status != "success" and theirs.reason:  # left out of every report, and half written
        return record(ours, None, theirs.reason)
    return record(ours, False, UNEXPLAINED)


def rows_of(rows: pd.DataFrame, number: HarnessMetric) -> pd.DataFrame:
    """The rows that a number of the harness is of."""
    mine = rows["metric"] == number.metric
    if number.where:
        column, value = number.where
        mine &= rows[column] == value
    return rows[mine]


def computation(how: str, own: Own = no_own) -> Computation | None:
    """What a name of HarnessMetric.how stands for; None: it cannot be computed from the rows."""
    return HOW.get(how) or own(how)


def computed(rows: pd.DataFrame, how: str = "mean", cluster: str = "", own: Own = no_own) -> Pair:
    """Mean and standard error of the rows of one metric. They are nan where no row has a score, and
    where the computation is not known.
    """
    rows = rows[rows["score"].notna()]
    compute = computation(how, own)
    if rows.empty or compute is None:
        return math.nan, math.nan
    questions = pd.factorize(rows["question_id"])[0]
    clusters = pd.factorize(rows[cluster], use_na_sentinel=False)[0] if cluster else None
    return compute(rows["score"].to_numpy(dtype=float), questions, clusters)


def equal(theirs: HarnessMetric, ours: Pair) -> bool:
    """Whether every number that the harness printed is ours."""
    return all(
        same(h, o) for h, o in zip((theirs.mean, theirs.se), ours, strict=True) if not math.isnan(h)
    )


def same(theirs: float, ours: float) -> bool:
    """Equal to TOLERANCE; an undefined number of ours equals none of theirs.

    >>> same(0.5, 0.5 + 1e-10), same(0.5, 0.5 + 1e-8), same(0.0, float("nan"))
    (True, False, False)
    """
    return abs(theirs - ours) <= TOLERANCE * max(1.0, abs(theirs))


def verdict(checks: Sequence[SelfCheck]) -> str:
    """One run's checks in a word and its reasons: agrees; differs: why; not compared: why; or ""
    without any.

    A number that comes out of the rows, but by a formula that is not the mean of questions, differs
    from ours. Numbers that are no means, such as a standard deviation, are told only where they
    differ for no known reason, and where there is nothing else.

    >>> one = SelfCheck("f", "e", "m", "acc", 0.5, 0.1, 0.5, 0.1, True)
    >>> verdict([one]), verdict([])
    ('agrees', '')
    """
    files = list(dict.fromkeys(c.file for c in checks))  # several where runs are pooled
    unexplained = [c for c in checks if c.agrees is False and c.reason == UNEXPLAINED]
    means = [c for c in checks if not c.called]
    if checks and not (means or unexplained):
        return "not compared: no mean is among the harness's numbers"
    # What is of some questions alone counts where the harness has nothing else.
    checks = [c for c in means if not c.part] or means
    agreeing = [c for c in checks if c.agrees and c.how in OF_REPORTS]
    differing = [c for c in checks if c.agrees is False] or [
        c for c in checks if c.agrees and not agreeing
    ]
    differing = [*differing, *(c for c in unexplained if c not in differing)]
    part = len({c.file for c in agreeing})
    if agreeing and not differing:
        return "agrees" if part == len(files) else f"agrees for {part} of {len(files)} runs"
    found = differing or checks
    why = "; ".join(dict.fromkeys(c.reason for c in found if c.reason))
    if not found:
        return ""
    return f"differs: {why}" if differing else f"not compared: {why}"
