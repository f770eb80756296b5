"""What a harness said of its run, recomputed from the rows: each mean and standard error agrees, or
differs for a reason.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reportkit import stats
from reportkit.scores.run import HarnessMetric, Run
from reportkit.stats.grouped import pooled
from reportkit.stats.mean import SeKind

TOLERANCE = 1e-9  # of a number up to 1, and relative above
UNEXPLAINED = "no known reason"


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """One number of the harness beside ours, in score units.

    eval and model as the log names them. agrees: of every number that both sides have; None where
    nothing is compared. reason: why not, or what else there is to know; where they differ and no
    reason is known, UNEXPLAINED.
    """

    file: str
    eval: str
    model: str
    metric: str
    harness_mean: float
    harness_se: float
    mean: float  # ours, by the harness's own formula; nan where not compared
    se: float
    agrees: bool | None
    reason: str = ""
    how: str = "mean"  # a name of HOW, or of a computation that is none of ours
    cluster: str = ""


Pair = tuple[float, float]


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


def _cr2(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
    return _by_question(scores, questions, clusters, "cr2")


def _grouped(how: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray | None], Pair]:
    def compute(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
        if clusters is None:
            return math.nan, math.nan
        return pooled(scores, clusters, how)

    return compute


# The names of HarnessMetric.how, each with its function of scores, question codes from 0 and
# cluster codes, all (n,).
HOW: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray | None], Pair]] = {
    "mean": _mean,
    "mean-cr1": _mean,
    "cr2": _cr2,
    "pooled": _grouped("pooled"),
    "macro": _grouped("macro"),
}
NOT_OURS = ("macro",)  # of these the mean is another than that of a report


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


def check_run(run: Run) -> list[SelfCheck]:
    """Every mean and SE of the harness beside ours; from the rows as the log has them, before any
    policy changes them.
    """
    return [_check(run, told) for told in run.harness_metrics]


def _check(run: Run, told: HarnessMetric) -> SelfCheck:
    def record(ours: Pair, agrees: bool | None, reason: str) -> SelfCheck:
        return SelfCheck(
            run.file,
            run.eval,
            run.model,
            told.metric,
            told.mean,
            told.se,
            *ours,
            agrees,
            reason,
            told.how,
            told.cluster,
        )

    undefined = (math.nan, math.nan)
    if not compares(told.how):
        return record(
            undefined,
            None,
            told.reason or f"its computation, {told.how or 'not named'}, is none of ours",
        )
    rows = run.rows[run.rows["metric"] == told.metric]
    if not rows["score"].notna().any():
        return record(
            undefined, None, told.reason or "the log holds no scores of questions under this name"
        )
    if told.cluster and told.cluster not in rows.columns:
        return record(
            undefined, None, told.reason or f"the log has no field {told.cluster!r} to cluster by"
        )
    ours = computed(rows, told.how, told.cluster)
    if math.isnan(told.mean) and math.isnan(told.se):
        return record(ours, None, told.reason or "the harness printed no number")
    known = "; ".join(r for r in (told.reason, told.se_reason) if r)
    if _equal(told, ours):
        return record(ours, True, known)
    if _equal(told, (told.counted_mean, told.counted_se)):
        return record(ours, False, told.reason)
    if same(told.mean, ours[0]):
        return record(ours, False, told.se_reason or UNEXPLAINED)
    if run.status != "success" and told.reason:  # left out of every report, and half written
        return record(ours, None, told.reason)
    return record(ours, False, UNEXPLAINED)


def compares(how: str) -> bool:
    """Whether a computation is one that can be made again here: a name of HOW, or a reducer's."""
    return how in HOW or _reducer(how) is not None


def _reducer(how: str) -> Callable[[np.ndarray], float] | None:
    """What a reducer of Inspect AI makes of a question's scored answers; None: not known here.

    >>> [_reducer(n)(np.array([1.0, 0.0, 0.0, 1.0, 0.0])) for n in ("mode", "max", "median", "at_least_2", "pass_at_2")]
    [0.0, 1.0, 0.0, 1.0, 0.7]
    """
    name, _, k = how.rpartition("_")
    if name in ("pass_at", "pass_k") and k.isdecimal() and 0 < int(k) < 10_000:
        chance = stats.pass_at_k if name == "pass_at" else stats.pass_hat_k
        return lambda s: float(chance(np.array([(s >= 1.0).sum()]), len(s), int(k))[0])
    if name == "at_least" and k.isdecimal():
        return lambda s: float((s >= 1.0).sum() >= int(k))
    simple: dict[str, Callable[[np.ndarray], float]] = {
        "mode": lambda s: float(Counter(s.tolist()).most_common(1)[0][0]),
        "median": lambda s: float(np.median(s)),
        "max": lambda s: float(s.max()),
    }
    return simple.get(how)


def computed(rows: pd.DataFrame, how: str = "mean", cluster: str = "") -> Pair:
    """Mean and standard error of the rows of one metric, as HOW or a reducer makes them; without a
    score, of none: nan.
    """
    rows = rows[rows["score"].notna()]
    if (reduce := _reducer(how)) is not None and len(rows):
        by_question = rows.groupby("question_id", sort=False, observed=True)
        first = by_question[[cluster] if cluster else []].first()
        rows = (
            first.assign(score=by_question["score"].agg(lambda s: reduce(s.to_numpy())))
            .dropna(subset="score")
            .reset_index()
        )
        how = "mean-cr1" if cluster else "mean"
    if rows.empty:
        return math.nan, math.nan
    questions = pd.factorize(rows["question_id"])[0]
    clusters = pd.factorize(rows[cluster], use_na_sentinel=False)[0] if cluster else None
    return HOW[how](rows["score"].to_numpy(dtype=float), questions, clusters)


def _equal(told: HarnessMetric, ours: Pair) -> bool:
    """Whether every number that the harness printed is ours."""
    return all(
        same(h, o) for h, o in zip((told.mean, told.se), ours, strict=True) if not math.isnan(h)
    )


def same(theirs: float, ours: float) -> bool:
    """Equal to TOLERANCE; an undefined number of ours equals none of theirs.

    >>> same(0.5, 0.5 + 1e-10), same(0.5, 0.5 + 1e-8), same(0.0, float("nan"))
    (True, False, False)
    """
    return abs(theirs - ours) <= TOLERANCE * max(1.0, abs(theirs))


def verdict(checks: list[SelfCheck]) -> str:
    """One run's checks in a word and its reasons: agrees; differs: why; not compared: why; or ""
    without any.

    A number that comes out of the rows, but by a formula that is not the mean of questions, differs
    from ours.

    >>> one = SelfCheck("f", "e", "m", "acc", 0.5, 0.1, 0.5, 0.1, True)
    >>> verdict([one]), verdict([])
    ('agrees', '')
    """
    files = list(dict.fromkeys(c.file for c in checks))  # several where runs are pooled
    agreeing = [c for c in checks if c.agrees and c.how not in NOT_OURS and _reducer(c.how) is None]
    differing = [c for c in checks if c.agrees is False] or [
        c for c in checks if c.agrees and not agreeing
    ]
    part = len({c.file for c in agreeing})
    if agreeing and not differing:
        return "agrees" if part == len(files) else f"agrees for {part} of {len(files)} runs"
    found = differing or checks
    why = "; ".join(dict.fromkeys(c.reason for c in found))
    return f"{'differs' if differing else 'not compared'}: {why}" if found else ""
