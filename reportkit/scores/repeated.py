"""Repeated rows: which column tells them apart, so that they can be questions, or repeats, of their
own.
"""

import numpy as np
import pandas as pd

from reportkit.scores.flags import words_of
from reportkit.scores.rows import HASHES, ORIGINAL_ID, OWN_COLUMNS, names, numbers

# Columns that tell when a row was made.
DATES = ("created", "created_at", "date", "timestamp", "time")
KEY = ["eval", "model", "question_id", "epoch", "metric"]
# Words of a column that numbers answers to one question.
REPEATS = frozenset(
    {"seed", "sample", "repeat", "repetition", "trial", "attempt", "run", "rollout", "iteration"}
    | {"try", "epoch", "replicate", "draw", "generation"}
)
# Words of a column that is of the question, also where a single model's rows cannot show it.
CONTENT = frozenset(
    {"question", "prompt", "input", "content", "part", "sub", "subquestion", "subproblem", "step"}
    | {"turn", "hash"}
)
ALIKE = 0.1  # of the repeated rows, the share that a column may leave alike
# Of the pairs of id and value, the share that more than one model has, where they are questions.
SHARED = 0.8


KEEP = "keep one of each, or number repeats of a question in a column 'epoch'"


def advice(rows: pd.DataFrame, files: bool = True) -> str:
    """What to do with the repeated rows of one eval.

    files: they come from files, which the options of the commands are about. Of a DataFrame no
    option chooses between rows.
    """
    column = separating(rows)
    if not column and (date := _of_several_dates(rows)):
        runs = "--runs latest or first chooses" if files else "keep only the rows of"
        return (
            f"column {date!r} tells them apart: where they are several runs, {runs} the one that "
            f"counts; else {KEEP}"
        )
    keep = f"{KEEP}; between tables --runs latest or first chooses" if files else KEEP
    if not column:
        return keep
    if _numbers_repeats(rows, column):
        so = f"say so with --columns epoch={column}" if files else "call it 'epoch'"
        return f"if column {column!r} numbers repeats of a question, {so}; else keep one of each"
    ids = f"--id question_id+{column} --cluster {ORIGINAL_ID}"
    if not files:
        ids = f"id={f'question_id+{column}'!r}, cluster={ORIGINAL_ID!r}"
    return (
        f"if they are several questions of one problem, which column {column!r} tells apart, give "
        f"them ids of their own, with the problem as the cluster: {ids}; else {keep}"
    )


def _numbers_repeats(rows: pd.DataFrame, column: str) -> bool:
    """Whether a column says which of several answers to a question it is: by its name, or as a
    column `answer` of whole numbers from 0 or 1 on, as few as one question has answers.
    """
    words = {*words_of(column)}
    if REPEATS & words:
        return True
    values, text = numbers(rows[column])
    if "answer" not in words or text.any() or np.isnan(values).any():
        return False
    first, most = int(values.min()), int(rows.groupby(KEY, observed=True).size().max())
    return first in (0, 1) and {*values.tolist()} == {*range(first, first + most)}


def _of_several_dates(rows: pd.DataFrame) -> str:
    """The column of dates in which repeated rows differ; "" where there is none."""
    repeated = rows[rows.duplicated(KEY, keep=False)]
    for column in DATES:
        if column in repeated.columns and not repeated.duplicated([*KEY, column]).any():
            return column
    return ""


def separating(rows: pd.DataFrame) -> str:
    """The column in which repeated rows differ and that is the question's, not the answer's; ""
    where there is none. Of several the one with the fewest values. A few rows may be the same in it
    too (ALIKE): they are found again when the ids are made of it.

    It is the question's where most of its values, each with its id, are there for more than one
    model; of a single model, where its values come again under other ids or its name says so.
    """
    repeated = rows[rows.duplicated(KEY, keep=False)]
    found: dict[str, int] = {}
    for column in repeated.columns:
        if column in OWN_COLUMNS or column == ORIGINAL_ID or column in DATES:
            continue
        labels = names(repeated[column])
        if labels.isna().any() or _is_measured(repeated[column]):
            continue
        labelled = repeated[KEY].assign(label=labels.astype(object))
        alike = labelled.duplicated().sum() / labelled.duplicated(KEY).sum()
        if alike <= ALIKE and _of_questions(labelled, str(column)):
            found[str(column)] = int(labels.nunique())
    return min(found, key=lambda c: (c in HASHES, found[c])) if found else ""


def _is_measured(column: pd.Series) -> bool:
    """Whether a column holds decimals: a measurement, not a label."""
    values, text = numbers(column)
    return bool(not text.any() and (values % 1 != 0).any())


def _of_questions(labelled: pd.DataFrame, column: str) -> bool:
    """Whether the labels are of the questions; labelled: the repeated rows, KEY and label."""
    pairs = labelled[["model", "question_id", "label"]].drop_duplicates()
    if pairs["model"].nunique() > 1:
        models = pairs.groupby(["question_id", "label"], observed=True).size()
        return bool((models > 1).mean() >= SHARED)
    words = {*words_of(column)}
    return bool(CONTENT & words or REPEATS & words or 2 * pairs["label"].nunique() <= len(pairs))
