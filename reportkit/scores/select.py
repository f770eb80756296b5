"""One eval's selection as arrays: question means over epochs, pairing."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from reportkit.decisions.values import plain
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.facts import FlaggedRows
from reportkit.scores.arrays import by_question, codes_of
from reportkit.scores.beside import declared, fictional, is_cut, limit_of, planned_of, shots
from reportkit.scores.fields import labels_of
from reportkit.scores.flags import flagged_rows
from reportkit.scores.frames import scores_of
from reportkit.scores.ranges import Unit, check_digits, metric_range, unit_of
from reportkit.scores.rows import (
    BETTER,
    NO_CLUSTERS,
    OWN_COLUMNS,
    QUESTION_FIELDS,
    lower_is_better,
    names,
    numbers,
    where,
    zeroed,
)
from reportkit.scores.scores import Scores
from reportkit.scores.validation import Violation, declared_cluster, validate

__all__ = ["EvalScores", "Violation", "is_share", "select", "slug", "split_names", "validate"]

MOST_MODELS = 500  # 124,750 pairs


# One eval -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EvalScores:
    """One eval and metric, as arrays: rows are questions, columns are models. Missing is nan in
    means, 0 in epochs.
    """

    eval: str
    metric: str
    models: tuple[str, ...]
    questions: np.ndarray  # ids
    means: np.ndarray  # (n, M) mean over epochs
    variances: np.ndarray  # (n, M) variance of the answers, divisor K-1; nan where K < 2
    epochs: np.ndarray  # (n, M) answers with a score
    clusters: np.ndarray | None  # (n,) codes from 0; None where no clusters are declared
    cluster_field: str
    n_unscored: np.ndarray  # (M,) answers without a score
    n_errors: np.ndarray
    n_zeroed: np.ndarray  # (M,) answers with the score 0 because they failed or were not given
    # smallest and largest score of the whole eval, all models; of a known range its ends
    low: float
    high: float
    binary: bool  # each answer is one of two scores, 0 or 1, or the two ends of the range
    fictional: bool
    n_asked: int  # questions, those without a score from any model too
    category: str = ""  # of the eval, if its rows agree on one
    shots: tuple[str, ...] = ()  # of each model, if its rows agree; empty where none is known
    lower: bool = False  # lower scores are better
    limits: tuple[str, ...] = ()  # of each model, what cut its questions down; "" where nothing did
    n_planned: tuple[int, ...] = ()  # of each model, answers that its runs set out to get
    unit: Unit = Unit()  # of the analysis; the arrays are in it where select was asked so
    flagged: tuple[FlaggedRows, ...] = ()  # columns that call answers failed whose scores count

    @property
    def scored(self) -> list[int]:
        """The columns of models that have a score."""
        return [int(m) for m in np.flatnonzero((self.epochs > 0).any(axis=0))]

    def both(self, a: int, b: int) -> np.ndarray:
        """Which questions the models of two columns have a score of, shape (n,)."""
        return np.asarray((self.epochs[:, a] > 0) & (self.epochs[:, b] > 0))

    def with_order(self, columns: Sequence[int]) -> "EvalScores":
        """The same scores with the models in another order; columns: places in the old one."""

        def arranged(values: Any) -> tuple[Any, ...]:
            return tuple(values[column] for column in columns) if values else ()

        at = np.asarray(columns, dtype=np.intp)
        return replace(
            self,
            models=arranged(self.models),
            means=np.ascontiguousarray(self.means[:, at]),
            variances=np.ascontiguousarray(self.variances[:, at]),
            epochs=np.ascontiguousarray(self.epochs[:, at]),
            n_unscored=self.n_unscored[at],
            n_errors=self.n_errors[at],
            n_zeroed=self.n_zeroed[at],
            shots=arranged(self.shots),
            limits=arranged(self.limits),
            n_planned=arranged(self.n_planned),
        )


def select(
    scores: "pd.DataFrame | Scores",
    eval: str = "",
    *,
    models: Sequence[str] = (),
    metric: str = "",
    cluster: str = "",
    unit: bool = False,
) -> EvalScores:
    """One eval's scores as arrays, for the named models (all, in order of appearance, where none is
    named).

    scores: Scores, or a DataFrame as frames.scores_of takes it. metric: a value of the column
    `metric`, or the name of a numeric column of its own; empty: the first one. cluster: the column
    that holds clusters, empty for `cluster_id`, "none" for no clusters. unit: scores as the
    analysis has them, from 0 to 1 where their range is known; else they are as they came. Raises
    UnknownNameError with the close match, and ScoresError for what validate finds in this eval, or
    a score outside its range.
    """
    scores = scores_of(scores, eval)
    eval = _one_eval(scores, eval)
    rows = where(scores.rows, (scores.rows["eval"] == eval).to_numpy())
    looked_at = rows
    if cluster and cluster != "cluster_id":
        looked_at = rows.assign(cluster_id=None)  # what is wrong with it does not matter
    if broken := validate(Scores(looked_at, scores.facts)):
        raise ScoresError("\n".join(v.message for v in broken))
    return sound_scores(Scores(rows, scores.facts), eval, models, metric, cluster, unit)


def sound_scores(
    scores: Scores, eval: str, models: Sequence[str], metric: str, cluster: str, unit: bool = False
) -> EvalScores:
    """As `select`, of rows of one eval in which `validate` finds nothing."""
    rows = scores.rows
    # those without this metric too: their rows are empty, not gone
    known = list(pd.unique(rows["model"]))
    rows = metric_rows(rows, eval, metric)
    values = rows["score"].to_numpy()
    present = values[~np.isnan(values)]
    if not len(present):
        raise ScoresError(
            f"eval {eval!r}: none of its {len(rows)} rows has a score; there is nothing to "
            "report on"
        )
    chosen = _chosen(models, known, eval)
    if len(chosen) > MOST_MODELS:
        raise ScoresError(
            f"eval {eval!r} has {len(chosen):,} models, such as {chosen[0]!r}; at most "
            f"{MOST_MODELS:,} are compared: name those that you want with --models, or name the "
            "right column with --columns model=NAME"
        )
    lower, its_unit = lower_is_better(rows), unit_of(rows)
    within = its_unit.within if unit else np.asarray
    field = cluster or declared_cluster(scores.facts, eval)
    labels = _clusters(rows, eval, cluster)
    if models:
        rows = where(rows, rows["model"].isin(chosen).to_numpy())
    # Sorted by name also where a scores folder brought categories in an order of its own.
    q, ids = codes_of(rows["question_id"])
    m, there = codes_of(rows["model"])
    m = np.array([chosen.index(model) for model in there])[m]
    score = rows["score"].to_numpy()
    means, variances, epochs = by_question(q, m, within(score), (len(ids), len(chosen)))
    check_digits(its_unit, means, chosen, f"eval {eval!r}")
    # a question that no model has a score for is not in the eval
    answered = (epochs > 0).any(axis=1)
    codes = None
    if labels is not None:
        codes = np.unique(labels.reindex(ids).to_numpy()[answered], return_inverse=True)[1]

    def counted(where: np.ndarray) -> np.ndarray:
        return np.bincount(m[where], minlength=len(chosen))

    status, said = pd.factorize(rows["status"])
    of_models = [rows[rows["model"] == c] for c in chosen] if is_cut(rows) else []
    limits = tuple(map(limit_of, of_models))
    planned = tuple(map(planned_of, of_models))
    ends = np.array(its_unit.ends or (present.min(), present.max()))
    low, high = map(float, within(ends))
    return EvalScores(
        eval,
        str(rows["metric"].iloc[0]),
        tuple(chosen),
        ids[answered],
        means[answered],
        variances[answered],
        epochs[answered],
        codes,
        field if labels is not None else "",
        counted(np.isin(said, ["unscored", "invalidated"])[status]),
        counted(np.asarray(said == "error")[status]),
        counted(zeroed(rows) & (score == 0.0)),
        low,
        high,
        bool(np.isin(present, its_unit.ends or (0.0, 1.0)).all()),
        fictional(rows),
        len(ids),
        declared(rows, "category"),
        shots(rows, chosen),
        lower,
        limits if any(limits) else (),
        planned if any(planned) else (),
        its_unit,
        flagged_rows(rows, chosen),
    )


def _one_eval(scores: Scores, eval: str) -> str:
    """The eval of that name, or the only one; UnknownNameError where there is none such."""
    evals = list(pd.unique(scores.rows["eval"]))
    if not eval and len(evals) > 1:
        raise UnknownNameError(
            f"the scores hold {len(evals)} evals; name one (--eval){did_you_mean('', evals)}"
        )
    eval = eval or evals[0]
    if eval not in evals:
        raise UnknownNameError(f"no eval {eval!r}{did_you_mean(eval, evals)}")
    return eval


def _chosen(models: Sequence[str], known: list[str], eval: str) -> list[str]:
    """The models that are named, all where none is."""
    for name in models:
        if name not in known:
            raise UnknownNameError(f"eval {eval!r}: no model {name!r}{did_you_mean(name, known)}")
    if len(set(models)) < len(models):
        raise UnknownNameError(
            f"a model is named twice in {', '.join(map(repr, models))}; name each once"
        )
    return list(models) or known


def metric_rows(rows: pd.DataFrame, eval: str, metric: str) -> pd.DataFrame:
    """The rows of one metric: one of the column `metric`, or a numeric column that stands beside
    `score`.
    """
    there = list(pd.unique(rows["metric"]))
    if not metric or metric in there:
        if len(there) == 1:
            return rows
        return rows[rows["metric"] == (metric or there[0])]
    if metric in _further(rows):
        score, bad = numbers(rows[metric])
        if bad.any():
            raise ScoresError(
                f"eval {eval!r}: column {metric!r} is no metric: {int(bad.sum())} of {len(bad)} "
                "values are not numbers, "
                f"the first is {rows[metric][bad].iloc[0]!r}"
            )
        here = (rows["metric"] == there[0]).to_numpy()
        # Which scores are better is known of this column where it holds for every metric.
        if BETTER in rows.columns and rows[BETTER].nunique(dropna=False) > 1:
            rows = rows.drop(columns=BETTER)
        rows = metric_range(rows, metric)
        rows = rows[here].assign(score=np.where(zeroed(rows), 0.0, score)[here], metric=metric)
        rows.loc[(rows["status"] == "ok") & rows["score"].isna(), "status"] = "unscored"
        return rows.assign(score=rows["score"].where(rows["status"] == "ok"))
    raise UnknownNameError(
        f"eval {eval!r}: no metric {metric!r}{did_you_mean(metric, metrics_there(rows))}"
    )


def metrics_there(rows: pd.DataFrame) -> list[str]:
    """The metrics that `metric_rows` can choose: first those of the column `metric`."""
    columns = [c for c in _further(rows) if not numbers(rows[c])[1].any() and rows[c].notna().any()]
    return [*pd.unique(rows["metric"]), *columns]


def _further(rows: pd.DataFrame) -> list[str]:
    """Columns that may be a metric beside `score`."""
    return [
        c for c in rows.columns if c not in OWN_COLUMNS and not str(c).startswith(QUESTION_FIELDS)
    ]


def _clusters(rows: pd.DataFrame, eval: str, cluster: str) -> pd.Series | None:
    """Cluster label of each question, or None where none are declared."""
    field = cluster or "cluster_id"
    if cluster == NO_CLUSTERS and cluster not in rows.columns:
        return None
    undeclared = not cluster and field in rows.columns
    if undeclared:
        labels = rows[field]
        if labels.isna().all() or names(labels.drop_duplicates()).isna().all():
            return None
    return labels_of(rows, eval, field, "cluster")


def split_names(value: object, known: Iterable[str]) -> list[str]:
    """Names from a comma-separated text or a list; a name that itself has a comma is found among
    the known ones.

    >>> split_names("a, b,c", ["a", "b,c"])
    ['a', 'b,c']
    >>> split_names("a,-- ", ["a", "-- "])
    ['a', '-- ']
    """
    value = plain(value)
    if value is None or value == "":
        return []
    if not isinstance(value, str):
        return [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)]
    there = set(known)
    parts, listed = value.split(","), []
    while parts:
        name, length = parts[0].strip(), 1
        for number in range(len(parts), 0, -1):
            joined = ",".join(parts[:number])
            if meant := there & {joined.strip(), joined}:  # spaces may be of the name itself
                name, length = sorted(meant, key=len)[0], number
                break
        listed.append(name)
        parts = parts[length:]
    return [name for name in listed if name]


def slug(name: str) -> str:
    """A folder's name for any name: readable, safe, and different for different names.

    >>> slug("MATH"), slug("../x"), slug("a/b") == slug("a:b")
    ('MATH', 'x-d6b96a', False)
    """
    kept = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip("-.")[:80]
    if kept and kept == name and name.upper() not in _RESERVED:
        return kept
    return f"{kept or 'eval'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


# Names a report folder may not take: devices on Windows, and what lies beside it: the index, the
# failed notebooks.
_RESERVED = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    "INDEX.HTML",
    "FAILED",
    *(f"{d}{i}" for d in ("COM", "LPT") for i in range(1, 10)),
}


def is_share(low: float, high: float) -> bool:
    """Whether scores within [low, high] are shares, printed as percent."""
    return low >= 0.0 and high <= 1.0 and not math.isnan(low)
