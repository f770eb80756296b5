"""The rows of the scores table: their schema, what one row can break, names and numbers as they
come, frames put together.
"""

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import cast

import numpy as np
import pandas as pd

from reportkit.decisions.ranges import range_text
from reportkit.errors import ScoresError, did_you_mean
from reportkit.scores.columns import ANSWER as ANSWER
from reportkit.scores.columns import COLUMNS as COLUMNS
from reportkit.scores.columns import ZEROED as ZEROED

REQUIRED = ("model", "question_id", "score")
EPOCH_NAMES = ("sample", "repeat", "trial", "attempt", "run")
BETTER = "better"  # column: which scores of the row's metric are better; empty: higher
RANGE = "score_range"  # column: the range of the row's metric, such as "0,100"; empty: not declared
FICTIONAL = "fictional"  # column: whether the score was generated for a demonstration
LIMIT = "limit"  # column: what cut the run down to part of the questions, as "what=how many"
PLANNED = "n_planned"  # column: answers that the run set out to get, where some are not in the rows
ORIGINAL_ID = "original_id"  # column: the question's id before the decision `id` made another
# Columns with a meaning here; every other one may be a metric or hold clusters.
OWN_COLUMNS = (*COLUMNS, ZEROED, BETTER, RANGE, FICTIONAL, LIMIT, PLANNED)
DIRECTIONS = ("higher", "lower")
STATUSES = ("ok", "error", "unscored", "invalidated")
HASHES = ("content_hash", "question_hash", "question_sha1", "sample_hash", "doc_hash")
LARGEST = 1e50  # of a score: its fourth power is a number too
MOST_EPOCHS = 10**9
QUESTION_FIELDS = (
    "metadata.",
    "doc.",
    "specific.",
    "extra_data.",
)  # how readers begin the names of a question's fields
# in place of a field that clusters the questions: they are not clustered, whatever the logs say
NO_CLUSTERS = "none"
HEADLINE = "score"  # the metric's name where a table has no column for it

_TRUTH = {"true": 1.0, "false": 0.0, True: 1.0, False: 0.0}
_MISSING = {"", "nan", "null", "none", "na", "n/a"}


class _Problems:
    """What a table breaks: a sentence for each column and rule, with its count and examples."""

    def __init__(self, frame: pd.DataFrame, where: str):
        self.frame, self.where = frame, where
        self.sentences: list[str] = []

    def note(self, bad: np.ndarray, column: str, what: str, todo: str) -> None:
        """bad: (n,) of bool, the rows that break the rule."""
        if not bad.any():
            return
        first = zip(np.flatnonzero(bad)[:3], self.frame[column][bad][:3], strict=True)
        shown = ", ".join(f"{v!r} (row {i + 1})" for i, v in first)
        self.sentences.append(
            f"{self.where}: column {column!r}: {what} in {int(bad.sum())} of {len(bad)} rows: "
            f"{shown}; {todo}"
        )


def check_rows(
    frame: pd.DataFrame, where: str = "the table", *, renumber: bool = True
) -> pd.DataFrame:
    """A table with columns model, question_id, score (and more) in the schema of COLUMNS; further
    columns stay.

    Raises ScoresError with every kind of violation, its count and first examples. A missing score
    becomes status "unscored"; it is never 0. renumber: count epochs from 1; left out by a reader of
    many files, which does it for all.
    """
    _check_columns(frame, where)
    problems = _Problems(frame, where)
    out = frame.copy()
    _take_names(out, problems)
    out["score"] = _scores(out, problems)
    out["epoch"] = _epochs(out, problems) if "epoch" in out.columns else 1
    if renumber and not problems.sentences:
        out = number_epochs(out)
    for column, dtype in out.dtypes.items():
        if column not in COLUMNS and pd.api.types.is_object_dtype(dtype):
            out[column] = _hashable(out[column])
    if BETTER in out.columns:
        out[BETTER] = _directions(out, problems)
    if RANGE in out.columns:
        out[RANGE] = _ranges(out, problems)
    out["status"] = _statuses(out, problems)
    # The score is null exactly where the status is not ok.
    out.loc[(out["status"] == "ok") & np.isnan(out["score"]), "status"] = "unscored"
    out.loc[out["status"] != "ok", "score"] = np.nan
    if problems.sentences:
        raise ScoresError("\n".join(problems.sentences))
    return out


def _check_columns(frame: pd.DataFrame, where: str) -> None:
    """ScoresError where a required column is missing, or a column occurs twice."""
    lacking = [c for c in REQUIRED if c not in frame.columns]
    if lacking:
        columns = " and no column ".join(map(repr, lacking))
        near = did_you_mean(lacking[0], map(str, frame.columns))
        what, more = ("it", "") if len(lacking) == 1 else ("them", ", ...")
        raise ScoresError(
            f"{where}: no column {columns}{near}; rename what holds {what}, with "
            f"frame.rename(columns={{'NAME': {lacking[0]!r}{more}}})"
        )
    if len(set(frame.columns)) < len(frame.columns):
        twice = sorted({str(c) for c in frame.columns if (frame.columns == c).sum() > 1})
        raise ScoresError(f"{where}: column {twice[0]!r} occurs twice; keep one of them")


def _take_names(out: pd.DataFrame, problems: _Problems) -> None:
    """Names as text, in place; columns that are not there take their defaults."""
    if "eval" not in out.columns:
        out["eval"] = "eval"
    for column in ("eval", "model", "question_id", "cluster_id", "metric"):
        if column not in out.columns:
            out[column] = HEADLINE if column == "metric" else None
            continue
        out[column] = names(out[column])
        if column == "question_id":
            out.loc[out[column].isin(["nan", "NaN"]), column] = None
        if column != "cluster_id":
            problems.note(out[column].isna().to_numpy(), column, "no value", "every row needs one")


def _scores(out: pd.DataFrame, problems: _Problems) -> np.ndarray:
    score, bad = numbers(out["score"])
    todo = "write a number, or leave the cell empty where there is no score"
    problems.note(bad, "score", "not a number", todo)
    problems.note(np.isinf(score), "score", "infinite", "write a finite number")
    beyond = np.isfinite(score) & (abs(score) > LARGEST)
    problems.note(beyond, "score", f"beyond {LARGEST:g}", "write it in another unit")
    return score


def _statuses(out: pd.DataFrame, problems: _Problems) -> "pd.Series | str":
    if "status" not in out.columns:
        return "ok"
    status = names(out["status"].astype(object)).fillna("ok")
    unknown = ~status.isin(STATUSES).to_numpy()
    problems.note(unknown, "status", "unknown", f"use one of {', '.join(STATUSES)}")
    return status


def _directions(out: pd.DataFrame, problems: _Problems) -> pd.Series:
    better = names(out[BETTER].astype(object))
    unknown = (better.notna() & ~better.isin(DIRECTIONS)).to_numpy()
    todo = "write higher or lower, or call the column otherwise"
    problems.note(unknown, BETTER, "unknown", todo)
    return better


def _ranges(out: pd.DataFrame, problems: _Problems) -> pd.Series:
    told = names(out[RANGE].astype(object))
    texts: dict[str, str] = {}
    for text in told.dropna().unique():
        with suppress(ScoresError):
            texts[text] = range_text(text)
    unknown = (told.notna() & ~told.isin(list(texts))).to_numpy()
    problems.note(unknown, RANGE, "no range", "write low,high, or call the column otherwise")
    return told.map(texts, na_action="ignore")


def names(column: pd.Series) -> pd.Series:
    """Names as text, None where there is none: 7 and 7.0 are "7", "" and nan are missing."""
    if isinstance(column.dtype, pd.CategoricalDtype) and pd.api.types.is_string_dtype(
        column.cat.categories.dtype
    ):
        return column.cat.remove_categories([""]) if "" in column.cat.categories else column
    if column.dtype.kind == "f":
        whole = column.notna() & (column == column.round()) & (column.abs() < 2.0**53)
        numbers = column.astype(object).where(
            ~whole, column.where(whole, 0).astype("int64").astype(str)
        )
        return (
            numbers.where(column.notna(), None)
            .map(lambda v: None if pd.isna(v) else str(v))
            .astype(object)
        )
    if isinstance(column.dtype, pd.StringDtype):
        return column.astype(object).where(column.notna() & (column != ""), None)
    values = column.to_numpy(dtype=object)
    absent = column.isna().to_numpy()
    text = [value if isinstance(value, str) else _name(value) for value in values[~absent]]
    found = np.full(len(values), None, dtype=object)
    found[~absent] = [t or None for t in text]
    return pd.Series(found, index=column.index, name=column.name, dtype=object)


def _name(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _hashable(column: pd.Series) -> pd.Series:
    """Lists and objects as JSON: nothing could count or group them."""
    nested = column.map(lambda v: isinstance(v, list | dict | np.ndarray))
    text = column[nested].map(
        lambda v: json.dumps(
            v.tolist() if isinstance(v, np.ndarray) else v, ensure_ascii=False, default=str
        )
    )
    return column.where(~nested, text) if nested.any() else column


def numbers(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Values as floats, and where there is text that is no number; true and false are 1 and 0,
    missing is nan.
    """
    if column.dtype.kind in "fiub":
        return column.to_numpy(dtype=float), np.zeros(len(column), dtype=bool)
    if column.dtype.kind in "mM":  # a date is no number, though pandas makes one of it
        return np.full(len(column), np.nan), column.notna().to_numpy()
    if column.dtype.kind == "c":  # nor has a complex number a place among scores
        return np.full(len(column), np.nan), column.notna().to_numpy()
    if isinstance(column.dtype, pd.StringDtype):  # each text once: few scores are all there are
        codes, texts = pd.factorize(column)
        floats, bad = numbers(pd.Series(texts, dtype=object))
        return np.append(floats, np.nan)[codes], np.append(bad, False)[codes]
    values = column.astype(object).map(lambda v: v.strip().lower() if isinstance(v, str) else v)
    values = values.map(lambda v: _TRUTH.get(v, v) if isinstance(v, str | bool | np.bool_) else v)
    absent = values.isna() | values.isin(_MISSING)
    values = values.map(lambda v: math.inf if type(v) is int and v.bit_length() > 1023 else v)
    floats = pd.to_numeric(values.where(~absent), errors="coerce").to_numpy(dtype=float)
    return floats, np.isnan(floats) & ~absent.to_numpy()


def where(rows: pd.DataFrame, mask: np.ndarray) -> pd.DataFrame:
    """The rows of a mask; the frame itself where that is every row: a copy of thousands of columns
    takes as long as reading them.
    """
    return rows if mask.all() else rows[mask]


def zeroed(rows: pd.DataFrame) -> np.ndarray:
    """Where the score is 0 because the answer failed or was not given: (n,) of bool."""
    if ZEROED not in rows.columns:
        return np.zeros(len(rows), dtype=bool)
    return numbers(rows[ZEROED])[0] == 1.0


def lower_is_better(rows: pd.DataFrame) -> bool:
    """Whether lower scores are better, as the rows of one eval and metric say; a row that says
    nothing counts for neither. ScoresError where they disagree.
    """
    if BETTER not in rows.columns:
        return False
    lower, higher = (int((rows[BETTER] == way).sum()) for way in ("lower", "higher"))
    if lower and higher:
        raise ScoresError(
            f"eval {rows['eval'].iloc[0]!r}: {lower} rows say that lower scores are better, and "
            f"{higher} that higher ones are; decide it with better (higher or lower)"
        )
    return lower > 0


def _epochs(frame: pd.DataFrame, problems: _Problems) -> np.ndarray:
    """Epochs as whole numbers; labels stay text. A text where most are numbers is a mistake."""
    epochs, bad = numbers(frame["epoch"])
    todo = "number the repeats 1, 2, 3"
    if not bad.any() and not np.isnan(epochs).any():
        problems.note(epochs != np.round(epochs), "epoch", "not whole", todo)
        problems.note(abs(epochs) > MOST_EPOCHS, "epoch", f"beyond {MOST_EPOCHS:g}", todo)
        epochs = np.clip(epochs, -MOST_EPOCHS, MOST_EPOCHS)
        return np.round(epochs).astype(int)
    missing = frame["epoch"].isna().to_numpy() | (frame["epoch"] == "").to_numpy()
    problems.note(missing, "epoch", "no value", "number the repeats")
    if 2 * bad.sum() <= len(bad):
        problems.note(bad & ~missing, "epoch", "not a number", f"{todo}, or give all of them names")
    return frame["epoch"].astype(str).astype(object).to_numpy()


def with_epochs(frame: pd.DataFrame) -> pd.DataFrame:
    """A column `epoch` where the table calls it otherwise (EPOCH_NAMES)."""
    name = next((c for c in EPOCH_NAMES if c in frame.columns), None)
    if "epoch" in frame.columns or name is None:
        return frame
    return frame.rename(columns={name: "epoch"})


def number_epochs(frame: pd.DataFrame) -> pd.DataFrame:
    """Epochs from 1 in every eval, whatever they start from; labels that are no numbers count in
    their order.
    """
    if pd.api.types.is_integer_dtype(frame["epoch"]):
        evals, epochs = (
            frame["eval"].astype("category").cat.codes.to_numpy(),
            frame["epoch"].to_numpy(),
        )
        first = np.full(evals.max(initial=0) + 1, np.iinfo(epochs.dtype).max, epochs.dtype)
        # of one kind and size, which is six times as fast as a groupby
        np.minimum.at(first, evals, epochs)
        if (first == 1).all():
            return frame
        return frame.assign(epoch=epochs.astype(np.int64) - first[evals] + 1)
    labels = frame["epoch"].astype(str)
    return frame.assign(
        epoch=labels.groupby(frame["eval"], sort=False, observed=True).transform(
            lambda e: pd.factorize(e, sort=True)[0] + 1
        )
    )


def scores_frame(frames: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Checked frames as one; columns that only some have are missing in the others."""
    frames = list(frames)
    if len(frames) == 1:
        return frames[0].reset_index(drop=True)
    columns = list(dict.fromkeys(c for f in frames for c in f.columns))
    # pandas turns categories that differ into text: a scores folder's rows would take ten times the
    # memory.
    coded = [
        c
        for c in columns
        if all(isinstance(f[c].dtype, pd.CategoricalDtype) for f in frames if c in f)
    ]
    plain = [
        pd.DataFrame({c: f[c] for c in f.columns if c not in coded}, copy=False) for f in frames
    ]
    out = pd.concat(plain, ignore_index=True)
    texts = {c: joined([f[c] if c in f else len(f) for f in frames]) for c in coded}
    return pd.DataFrame({c: texts[c] if c in texts else out[c] for c in columns}, copy=False)


def joined(parts: Sequence["pd.Series | int"]) -> pd.Categorical:
    """Categories one after another; a number stands for so many missing values."""
    coded = [p if isinstance(p, int) else cast(pd.Categorical, p.array) for p in parts]
    there = [cast(pd.CategoricalDtype, p.dtype) for p in coded if not isinstance(p, int)]
    dtype = there[0]
    if not all(t is dtype or t.categories.equals(dtype.categories) for t in there):
        distinct = pd.unique(np.concatenate([t.categories.to_numpy(dtype=object) for t in there]))
        dtype = pd.CategoricalDtype(pd.Index(distinct))
    size = np.min_scalar_type(-len(dtype.categories) - 1)
    codes: list[np.ndarray] = []
    for part in coded:
        if isinstance(part, int):
            codes.append(np.full(part, -1, dtype=size))
            continue
        own, mine = part.categories, part.codes
        if not (own is dtype.categories or own.equals(dtype.categories)):
            mine = np.append(dtype.categories.get_indexer(own), -1).astype(size)[mine]
        codes.append(mine)
    return pd.Categorical.from_codes(np.concatenate(codes), dtype=dtype, validate=False)
