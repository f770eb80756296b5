"""DataFrames in: a table of scores, one row each or one column for each model, checked as a file's
rows are.
"""

import hashlib

import numpy as np
import pandas as pd

from reportkit.decisions.ranges import range_text
from reportkit.errors import ScoresError, did_you_mean
from reportkit.facts import Facts, Source
from reportkit.scores.rows import (
    BETTER,
    COLUMNS,
    DIRECTIONS,
    EPOCH_NAMES,
    OWN_COLUMNS,
    RANGE,
    REQUIRED,
    check_rows,
    numbers,
    with_epochs,
)
from reportkit.scores.scores import Scores, facts_of

NAME = "DataFrame"  # what a manifest calls an input that was no file
WHERE = "the DataFrame"
FORMS = (
    "give a row for each score (columns model, question_id, score), or a column for each model and "
    "the question ids as the index"
)


def scores_of(scores: object, eval: str = "") -> Scores:
    """Scores; or a DataFrame, with a row for each score, or wide, with a column for each model.

    Of the first kind, the columns model, question_id and score are required; eval, epoch, metric,
    cluster_id, status and better are understood. In a wide table the index holds the question ids,
    or a column question_id, or a first column of texts that are all different. eval: the eval's
    name where the table has no column for it. Rows that read_scores made are taken as they are;
    all others are checked as the rows of a file are. Raises ScoresError.
    """
    if isinstance(scores, Scores):
        return scores
    if not isinstance(scores, pd.DataFrame):
        raise ScoresError(f"scores are of type {type(scores).__name__}, not a table; {FORMS}")
    if is_checked(scores):
        return Scores(scores, facts_of(scores))
    if not len(scores):
        raise ScoresError(f"{WHERE} has no rows; {FORMS}")
    if scores.columns.nlevels > 1:
        raise ScoresError(f"{WHERE} has several levels of column names; {FORMS}")
    twice = [str(c) for c in scores.columns[scores.columns.duplicated()]]
    if twice:
        raise ScoresError(f"{WHERE}: column {twice[0]!r} occurs twice; keep one of them")
    table = _checked_index(scores) if _is_long(scores) else _long(scores)
    if "eval" not in table.columns and eval:
        table = table.assign(eval=eval)
    return Scores(check_rows(with_epochs(table), WHERE), facts_of(scores))


def is_checked(frame: pd.DataFrame) -> bool:
    """Whether rows are as check_rows leaves them. They are neither checked again nor copied."""
    if not {*COLUMNS} <= {*frame.columns} or not frame.columns.is_unique:
        return False
    if frame["score"].dtype != np.float64 or frame["epoch"].dtype.kind not in "iu":
        return False
    if not all(_has_text(frame[c]) for c in ("eval", "model", "question_id", "metric", "status")):
        return False
    cluster = frame["cluster_id"].dropna()
    if len(cluster) and not _has_text(cluster):
        return False
    if BETTER in frame.columns and not frame[BETTER].dropna().isin(DIRECTIONS).all():
        return False
    if RANGE in frame.columns and not _are_ranges(frame[RANGE]):
        return False
    scored = frame["score"].notna().to_numpy()
    return bool(np.array_equal(scored, (frame["status"] == "ok").to_numpy())) and not bool(
        np.isinf(frame["score"].to_numpy()).any()
    )


def _are_ranges(column: pd.Series) -> bool:
    """Whether every value is a range, as its one text, or missing."""
    try:
        return all(range_text(text) == text for text in column.dropna().unique())
    except ScoresError:
        return False


def _has_text(column: pd.Series) -> bool:
    """Whether every value is a text that is not empty."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        if (column.cat.codes == -1).any():
            return False
        column = pd.Series(column.cat.categories)
    kind = pd.api.types.infer_dtype(column, skipna=False)
    return kind in ("string", "empty") and not (column == "").any()


def _is_long(frame: pd.DataFrame) -> bool:
    """Whether a table means to have a row for each score."""
    return any(c in frame.columns for c in (*COLUMNS, *EPOCH_NAMES) if c != "question_id")


def _checked_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame; ScoresError where its index holds a column of ours that nothing else holds, such
    as the clusters: without them the errors would be too small.
    """
    held = [c for c in OWN_COLUMNS if c in frame.index.names and c not in frame.columns]
    if held:
        raise ScoresError(
            f"{WHERE}: {held[0]!r} is in the index, which is not read; bring it back with "
            "frame.reset_index()"
        )
    return frame


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    """A wide table with a row for each score; ScoresError where it is not clear what it holds."""
    by_index = frame.index.nlevels == 1 and _holds_ids(frame.index)
    named = "question_id" in frame.columns
    texts = [c for c in frame.columns if c != "question_id" and _is_text(frame[c])]
    first = frame.columns[0]
    by_first = not named and texts == [first] and frame[first].is_unique
    if frame.index.nlevels > 1:
        raise ScoresError(f"{WHERE} has an index of several levels; {FORMS}")
    if texts and not by_first:
        _refuse(
            frame,
            f"column {str(texts[0])!r} holds text, so it is no model's scores (columns with other "
            "names: frame.rename(columns=...))",
        )
    if by_index and (named or by_first):
        column = "question_id" if named else str(first)
        raise ScoresError(
            f"{WHERE}: both its index and its column {column!r} could be the question ids; drop "
            "one of them (frame.reset_index(drop=True), or frame.drop(columns=...))"
        )
    if not (by_index or named or by_first):
        _refuse(
            frame,
            "nothing in it is clearly the question ids (an index of numbers is taken for them "
            'only under a name: frame.rename_axis("question_id"))',
        )
    ids, scores = np.asarray(frame.index, dtype=object), frame
    if not by_index:
        column = "question_id" if named else first
        ids, scores = np.asarray(frame[column], dtype=object), frame.drop(columns=column)
    if not len(scores.columns):
        _refuse(frame, "it has no column of scores")
    return pd.DataFrame(
        {
            "model": np.repeat([str(c) for c in scores.columns], len(frame)),
            "question_id": np.tile(ids, len(scores.columns)),
            "score": np.concatenate([numbers(scores[c])[0] for c in scores.columns]),
        }
    )


def _holds_ids(index: pd.Index) -> bool:
    """Whether an index is more than the row numbers that pandas gives by itself."""
    return index.name is not None or not pd.api.types.is_numeric_dtype(index.dtype)


def _is_text(column: pd.Series) -> bool:
    return bool(numbers(column)[1].any())


def _refuse(frame: pd.DataFrame, why: str) -> None:
    lacking = [c for c in REQUIRED if c not in frame.columns]
    close = "".join(_close(c, frame) for c in lacking)
    raise ScoresError(f"{WHERE}: no column {lacking[0]!r}, and {why}{close}; {FORMS}")


def _close(name: str, frame: pd.DataFrame) -> str:
    meant = did_you_mean(name, map(str, frame.columns))
    return f"{meant} (for {name!r})" if "did you mean" in meant else ""


def with_source(scores: Scores) -> Scores:
    """The scores with a record of the DataFrame that they were, where they tell of no file."""
    if scores.facts.sources:
        return scores
    evals = tuple(scores.evals)
    source = Source(NAME, rows_hash(scores.rows), len(scores.rows), evals, path=NAME, table=True)
    facts = Facts(
        scores.facts.runs,
        scores.facts.left_out,
        (source,),
        scores.facts.unread,
        scores.facts.decided,
    )
    return Scores(scores.rows, facts)


def rows_hash(rows: pd.DataFrame) -> str:
    """SHA-256 of the rows: the same for the same values in the same order, whatever pandas holds
    them in.
    """
    columns = sorted(map(str, rows.columns))
    digest = hashlib.sha256("\0".join(columns).encode("utf-8", "surrogatepass"))
    for name in columns:
        column = rows[name]
        if column.dtype.kind not in "iufb":
            column = column.astype(object).map(lambda v: "" if pd.isna(v) else str(v))
        digest.update(pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes())
    return digest.hexdigest()
