"""Evals of the scores table: what their rows break together, one eval's selection, question means
over epochs, pairing.
"""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.scores.rows import (
    COLUMNS,
    DECIDED,
    HASHES,
    NO_CLUSTERS,
    QUESTION_FIELDS,
    RUNS,
    names,
    numbers,
    zeroed,
)


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that an eval's rows break: how often, with the first examples."""

    eval: str
    rule: str
    count: int
    message: str


def _short(text: object) -> str:
    """An id that fits a line of a message."""
    return f"{str(text)[:20]}…" if len(str(text)) > 24 else str(text)


# Evals: what rows break together ------------------------------------------------------------------


def validate(frame: pd.DataFrame) -> list[Violation]:
    """Every rule that the rows of an eval break together: repeated rows, clusters and questions
    that disagree.
    """
    found: list[Violation] = []

    def note(rows: pd.DataFrame, rule: str, what: str, todo: str, shown: Sequence[str]) -> None:
        for name, group in rows.groupby("eval", sort=False, observed=True):
            first = group.drop_duplicates(list(shown)).head(3)
            examples = "; ".join(
                ", ".join(f"{c} {_short(r[c])!r}" for c in shown) for _, r in first.iterrows()
            )
            found.append(
                Violation(
                    str(name),
                    rule,
                    len(group),
                    f"eval {name!r}: {len(group)} {what}: {examples}; {todo}",
                )
            )

    key = ["eval", "model", "question_id", "epoch", "metric"]
    repeats = frame[frame.duplicated(key, keep="first")]
    # Only the first of equal rows is a score; the others would count a question twice.
    note(
        repeats,
        "duplicate",
        "repeated rows",
        "keep one of each, or number repeats of a question in a column 'epoch'",
        ["model", "question_id"],
    )
    clusters = frame[["eval", "question_id", "cluster_id"]].drop_duplicates()
    known = clusters[clusters["cluster_id"].notna()]
    declared = known["eval"].unique()
    blank = clusters[clusters["cluster_id"].isna() & clusters["eval"].isin(declared)]
    fields = {_declared_cluster(frame, e) for e in blank["eval"].unique()}
    note(
        blank,
        "no-cluster",
        f"questions without a cluster ({', '.join(fields)}), where others have one",
        "give every question one, or choose: --cluster EVAL=FIELD, or --cluster EVAL=none for no "
        "clusters",
        ["question_id"],
    )
    note(
        known[known.duplicated(["eval", "question_id"])],
        "two-clusters",
        "questions in two clusters",
        "a question belongs to one cluster, the same for every model",
        ["question_id", "cluster_id"],
    )
    by_hash = "with a column content_hash you can "
    for column in (c for c in HASHES if c in frame.columns):
        texts = frame.loc[
            frame[column].notna() & (frame[column] != ""), ["eval", "question_id", column]
        ].drop_duplicates()
        twice = texts[texts.duplicated(["eval", "question_id"])].drop_duplicates(
            ["eval", "question_id"]
        )
        shuffled = any(
            r["positional_ids"]
            for r in frame.attrs.get(RUNS, ())
            if r["eval"] in set(twice["eval"])
        )
        note(
            twice,
            "two-questions",
            f"ids that stand for questions of different content ({column}"
            f"{'; the ids are positions in a list that was shuffled' if shuffled else ''})",
            "these are not the same questions, so models cannot be paired by id; "
            f"{'' if column == 'content_hash' else by_hash}"
            'pair them by content: --match-on content_hash, or match_on = "content_hash" in '
            "reportkit.toml",
            ["question_id"],
        )
    return found


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
    low: float  # smallest and largest score of the whole eval, all models
    high: float
    binary: bool
    fictional: bool
    n_asked: int  # questions, those without a score from any model too
    category: str = ""  # of the eval, if its rows agree on one
    shots: tuple[str, ...] = ()  # of each model, if its rows agree; empty where none is known


def select(
    frame: pd.DataFrame,
    eval: str = "",
    *,
    models: Sequence[str] = (),
    metric: str = "",
    cluster: str = "",
) -> EvalScores:
    """One eval's scores as arrays, for the named models (all, in order of appearance, where none is
    named).

    metric: a value of the column `metric`, or the name of a numeric column of its own; empty: the
    first one. cluster: the column that holds clusters, empty for `cluster_id`, "none" for no
    clusters. Raises UnknownNameError with the close match, and ScoresError for what validate finds
    in this eval.
    """
    evals = list(pd.unique(frame["eval"]))
    if not eval:
        if len(evals) > 1:
            raise UnknownNameError(
                f"the scores hold {len(evals)} evals, so name one{did_you_mean('', evals)}"
            )
        eval = evals[0]
    if eval not in evals:
        raise UnknownNameError(f"no eval {eval!r}{did_you_mean(eval, evals)}")
    rows = frame[frame["eval"] == eval]
    if cluster and cluster != "cluster_id":
        rows = rows.assign(cluster_id=None)  # what is wrong with it does not matter
    if broken := validate(rows):
        raise ScoresError("\n".join(v.message for v in broken))
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
    for name in models:
        if name not in known:
            raise UnknownNameError(f"eval {eval!r}: no model {name!r}{did_you_mean(name, known)}")
    if len(set(models)) < len(models):
        raise UnknownNameError(
            f"a model is named twice in {', '.join(map(repr, models))}; name each once"
        )
    chosen = list(models) or known
    field = cluster or _declared_cluster(frame, eval)
    labels = _clusters(rows, eval, cluster)
    rows = rows[rows["model"].isin(chosen)]
    # Sorted by name also where a scores folder brought categories in an order of its own.
    questions = rows["question_id"].astype("category").cat.remove_unused_categories()
    ids = np.sort(np.asarray(questions.cat.categories, dtype=object))
    q = questions.cat.set_categories(ids).cat.codes.to_numpy(np.int64)
    m = rows["model"].astype("category").cat.set_categories(chosen).cat.codes.to_numpy(np.int64)
    score = rows["score"].to_numpy()
    scored = ~np.isnan(score)
    shape = (len(ids), len(chosen))
    cell = (q * len(chosen) + m)[scored]
    size = shape[0] * shape[1]
    epochs = np.bincount(cell, minlength=size)
    sums = np.bincount(cell, weights=score[scored], minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / epochs
        squares = np.bincount(cell, weights=(score[scored] - means[cell]) ** 2, minlength=size)
        variances = np.where(epochs > 1, squares / (epochs - 1), np.nan)
    means, variances, epochs = means.reshape(shape), variances.reshape(shape), epochs.reshape(shape)
    # a question that no model has a score for is not in the eval
    answered = (epochs > 0).any(axis=1)
    codes = (
        None
        if labels is None
        else np.unique(labels.reindex(ids).to_numpy()[answered], return_inverse=True)[1]
    )
    status = rows["status"]
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
        np.bincount(m[status.isin(["unscored", "invalidated"]).to_numpy()], minlength=len(chosen)),
        np.bincount(m[(status == "error").to_numpy()], minlength=len(chosen)),
        np.bincount(m[zeroed(rows) & scored], minlength=len(chosen)),
        float(present.min()),
        float(present.max()),
        bool(np.isin(present, (0.0, 1.0)).all()),
        "fictional" in rows.columns
        and bool(rows["fictional"].astype(str).str.lower().eq("true").any()),
        len(ids),
        _declared(rows, "category"),
        _shots(rows, chosen),
    )


def _declared_cluster(frame: pd.DataFrame, eval: str) -> str:
    """The field that the logs of an eval name as its clusters, where they agree; otherwise the
    column that holds them.
    """
    told = {r["cluster"] for r in frame.attrs.get(RUNS, ()) if r["eval"] == eval}
    told |= {
        d["options"].get("cluster", "")
        for d in frame.attrs.get(DECIDED, ())
        if d["eval"] == eval and not told
    }
    return next(iter(told)) if len(told) == 1 and told != {""} else "cluster_id"


def _declared(rows: pd.DataFrame, column: str) -> str:
    """The one value of a column, or "" where there are several: a question's category is not the
    eval's.
    """
    values = list(names(rows[column].drop_duplicates())) if column in rows.columns else []
    return str(values[0]) if len(values) == 1 and not pd.isna(values[0]) else ""


def _shots(rows: pd.DataFrame, models: Sequence[str]) -> tuple[str, ...]:
    found = (
        tuple(_declared(rows[rows["model"] == m], "shots") for m in models)
        if "shots" in rows.columns
        else ()
    )
    return found if any(found) else ()


def metric_rows(rows: pd.DataFrame, eval: str, metric: str) -> pd.DataFrame:
    """The rows of one metric: one of the column `metric`, or a numeric column that stands beside
    `score`.
    """
    there = list(pd.unique(rows["metric"]))
    if not metric or metric in there:
        return rows[rows["metric"] == (metric or there[0])]
    further = [
        c for c in rows.columns if c not in COLUMNS and not str(c).startswith(QUESTION_FIELDS)
    ]
    if metric in further:
        score, bad = numbers(rows[metric])
        if bad.any():
            raise ScoresError(
                f"eval {eval!r}: column {metric!r} is no metric: {int(bad.sum())} of {len(bad)} "
                "values are not numbers, "
                f"the first is {rows[metric][bad].iloc[0]!r}"
            )
        here = (rows["metric"] == there[0]).to_numpy()
        rows = rows[here].assign(score=np.where(zeroed(rows), 0.0, score)[here], metric=metric)
        rows.loc[(rows["status"] == "ok") & rows["score"].isna(), "status"] = "unscored"
        return rows.assign(score=rows["score"].where(rows["status"] == "ok"))
    columns = [c for c in further if not numbers(rows[c])[1].any() and rows[c].notna().any()]
    raise UnknownNameError(
        f"eval {eval!r}: no metric {metric!r}{did_you_mean(metric, [*there, *columns])}"
    )


def _clusters(rows: pd.DataFrame, eval: str, cluster: str) -> pd.Series | None:
    """Cluster label of each question, or None where none are declared."""
    field = cluster or "cluster_id"
    if cluster == NO_CLUSTERS and cluster not in rows.columns:
        return None
    if field not in rows.columns:
        further = [c for c in rows.columns if c not in COLUMNS or c == "cluster_id"]
        raise UnknownNameError(
            f"eval {eval!r}: no field {field!r} to cluster by{did_you_mean(field, further)}"
        )
    labels = names(rows[field])
    if labels.isna().all() and not cluster:
        return None
    if labels.isna().any():
        question = rows["question_id"][labels.isna()].iloc[0]
        raise ScoresError(
            f"eval {eval!r}: {int(labels.isna().sum())} rows have no {field!r}, the first is "
            f"question {question!r}; "
            "every question needs a cluster"
        )
    by_question = pd.DataFrame({"q": rows["question_id"], "c": labels}).drop_duplicates()
    twice = by_question[by_question.duplicated("q")]
    if len(twice):
        raise ScoresError(
            f"eval {eval!r}: {len(twice)} questions have two values of {field!r}, the first is "
            f"{twice['q'].iloc[0]!r}; "
            "a question belongs to one cluster"
        )
    return by_question.set_index("q")["c"]


def split_names(value: object, known: Iterable[str]) -> list[str]:
    """Names from a comma-separated text or a list; a name that itself has a comma is found among
    the known ones.

    >>> split_names("a, b,c", ["a", "b,c"])
    ['a', 'b,c']
    """
    if value is None or value == "":
        return []
    if not isinstance(value, str):
        return [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)]
    there = set(known)
    parts, found = value.split(","), []
    while parts:
        lengths = range(len(parts), 0, -1)
        length = next((k for k in lengths if ",".join(parts[:k]).strip() in there), 1)
        found.append(",".join(parts[:length]).strip())
        parts = parts[length:]
    return [name for name in found if name]


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
