"""Columns that say of answers that they failed, while the rows have scores that count."""

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from reportkit.facts import FlaggedRows
from reportkit.scores.rows import HASHES, OWN_COLUMNS, QUESTION_FIELDS, ZEROED, names, numbers

# Words of a column's name that say that the answers in question are no proper ones.
FAILED = frozenset(
    {"error", "errors", "errored", "exception", "exceptions", "fail", "failed", "fails", "failure"}
    | {"failures", "timeout", "timeouts", "crash", "crashed", "abort", "aborted", "cancelled"}
    | {"canceled", "killed", "oom", "invalid", "unparsed", "unparsable", "traceback", "noanswer"}
)
FAILED_PAIRS = frozenset(
    {("timed", "out"), ("no", "answer"), ("no", "response"), ("empty", "output")}
)
# Words of a column's name whose values may say so.
STATES = frozenset({"status", "state", "outcome"})
# What a column of words says where nothing failed.
_SOUND = frozenset({"no", "n", "ok", "okay", "success", "passed", "pass", "-", "[]", "{}"})
# A share of a model's rows from which somebody has to decide what they count.
SHARE = 0.01
# Where so much of the lowest scores is flagged, and nothing else, the column repeats the score.
REPEATS = 0.99


def flagged_rows(rows: pd.DataFrame, models: Sequence[str]) -> tuple[FlaggedRows, ...]:
    """The columns of one eval and metric that call rows with a score failed.

    A column is one by its name (error, failed, timeout, no_answer ...) where it is true or false or
    holds words in some rows; or by what it says, where it is a status (timeout, error ...). Left
    out: what flags every row; what repeats the score, such as `failed` of a score that is 1 where
    it is false; words that are the same for every answer to a question, since they are of the
    question; and flags on less than SHARE of the rows of every model. `zeroed` is one where its
    rows have other scores than 0.
    """
    scored = rows["score"].notna().to_numpy()
    found = []
    for column in rows.columns:
        flags, text = _flags(rows, str(column))
        if flags is None:
            continue
        flags = flags & scored
        score = rows["score"].to_numpy()
        if column == ZEROED:
            flags &= score != 0.0
        if not flags.any() or _repeats_the_score(flags[scored], score[scored]):
            continue
        of_models = _counts(rows, flags, scored, models)
        if of_models and not (text and _of_questions(rows, flags)):
            zero = int((flags & (score == 0.0)).sum())
            counts = int(flags.sum()), int(scored.sum()), zero
            found.append(FlaggedRows(str(column), text, *counts, of_models))
    return tuple(found)


def _flags(rows: pd.DataFrame, column: str) -> tuple[np.ndarray | None, bool]:
    """Where a column says that the answer failed: (n,) of bool; and whether in words. None: it is
    no such column.
    """
    if column in (*OWN_COLUMNS, *HASHES) and column != ZEROED:
        return None, False
    if column.startswith(QUESTION_FIELDS):
        return None, False
    words = words_of(column)
    if column == ZEROED or _says_failed(words):
        values, bad = numbers(rows[column])
        known = values[~np.isnan(values)]
        if len(known) and (bad.any() or not np.isin(known, (0.0, 1.0)).all()):
            return None, False  # a measurement, or numbers and words
        if not bad.any():
            return values == 1.0, False
        said = rows[column].astype(object).map(lambda v: str(v).strip().lower())
        return bad & ~said.isin(_SOUND).to_numpy(), True
    if STATES & {*words}:
        labels = names(rows[column])
        failing = [v for v in labels.dropna().unique() if _says_failed(words_of(str(v)))]
        return labels.isin(failing).to_numpy(), True
    return None, False


def _says_failed(words: Sequence[str]) -> bool:
    return bool(FAILED & {*words} or FAILED_PAIRS & {*zip(words, words[1:], strict=False)})


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters.

    >>> words_of("parseError"), words_of("timed_out"), words_of("exit status")
    (['parse', 'error'], ['timed', 'out'], ['exit', 'status'])
    """
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]


def _repeats_the_score(flags: np.ndarray, score: np.ndarray) -> bool:
    """Whether the flags follow from the scores, or flag every row; flags, score: (n,).

    Of scores of two values: the flagged rows are those of the lower one, and nearly all of these.
    Of other scores: the flagged rows have several scores, all below those of the others. Failures
    that all count as one lowest score are none of this.
    """
    if flags.all():
        return True
    flagged, others = score[flags], score[~flags]
    if len(np.unique(score)) <= 2:
        lowest = score == score.min()
        return bool(lowest[flags].all() and flags.sum() >= REPEATS * lowest.sum())
    return bool(flagged.min() < flagged.max() < others.min())


def _counts(
    rows: pd.DataFrame, flags: np.ndarray, scored: np.ndarray, models: Sequence[str]
) -> tuple[tuple[str, int], ...]:
    """Flagged rows of each model that has any, the most first; none where all have few."""
    model = rows["model"].astype(object)
    flagged, all_rows = model[flags].value_counts(), model[scored].value_counts()
    counts = {m: int(flagged.get(m, 0)) for m in models}
    if not any(n and n >= SHARE * all_rows[m] for m, n in counts.items()):
        return ()
    return tuple(sorted(((m, n) for m, n in counts.items() if n), key=lambda c: -c[1]))


def _of_questions(rows: pd.DataFrame, flags: np.ndarray) -> bool:
    """Whether every answer to a question has the same flag, while several models answered."""
    if rows["model"].nunique() < 2:
        return False
    pairs = pd.DataFrame({"q": rows["question_id"].to_numpy(), "flag": flags})
    return not pairs.drop_duplicates()["q"].duplicated().any()
