"""Columns that could be clusters: those that are the same for every answer to a question, and group
the questions.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from reportkit.scores.rows import (
    BETTER,
    COLUMNS,
    HASHES,
    LIMIT,
    PLANNED,
    RANGE,
    ZEROED,
    names,
    numbers,
)
from reportkit.text.numbers import count

NAMED = 20  # fields that a line names
CELLS = 10**6  # of columns that are looked at together
_NO_FIELDS = ("run_id", "shots", "category", "score_raw", ZEROED, BETTER, RANGE, LIMIT, PLANNED)


def cluster_candidates(rows: pd.DataFrame, declared: str = "") -> list[tuple[str, int]]:
    """Fields that are the same for every answer to a question and group the questions, with the
    number of groups; never used unless declared.
    """
    question, ids = pd.factorize(rows["question_id"])
    no_fields = {*COLUMNS, *HASHES, *_NO_FIELDS, declared}
    further = [c for c in rows.columns if c not in no_fields]
    some = np.zeros(len(ids), dtype=np.intp)  # a row of each question; any of its answers will do
    some[question] = np.arange(len(rows))
    found: dict[str, int] = {}
    for part, labels, kept in _labelled(rows, further):
        of_questions = labels[some]
        same = (labels == of_questions[question]).all(axis=0) & (labels >= 0).all(axis=0)
        groups = 1 + (np.diff(np.sort(of_questions, axis=0), axis=0) != 0).sum(axis=0)
        for k in np.flatnonzero(same & (groups > 1) & (groups < len(ids))):
            if not _measured(kept[np.unique(of_questions[:, k])]):
                found[part[int(k)]] = int(groups[k])
    return [(c, found[c]) for c in further if c in found]


def candidates_text(found: Sequence[tuple[str, int]]) -> str:
    """What cluster_candidates found, in a line: the first of many.

    >>> candidates_text([("passage", 15), ("topic", 3)])
    'passage (15 groups), topic (3 groups)'
    """
    more = f" and {count(len(found) - NAMED)} more fields" if len(found) > NAMED else ""
    return ", ".join(f"{field} ({count(n)} groups)" for field, n in found[:NAMED]) + more


def _labelled(
    rows: pd.DataFrame, columns: Sequence[str]
) -> Iterator[tuple[Sequence[str], np.ndarray, np.ndarray]]:
    """Some columns at a time, the numbers of their rows' labels, (n, columns), -1 where there is
    none, and the labels.
    """
    together = CELLS // max(len(rows), 1)
    of_text = {c for c, t in rows.dtypes.items() if isinstance(t, pd.StringDtype)}
    texts = [c for c in columns if c in of_text] if together > 1 else []
    for start in range(0, len(texts), together or 1):
        part = texts[start : start + together]
        cells = rows[part].to_numpy(dtype=object)
        codes, kept = pd.factorize(cells.ravel())
        empty = np.append(kept == "", False)
        yield part, np.where(empty[codes], -1, codes).reshape(cells.shape), kept
    there = {*texts}
    for name in columns:
        if name not in there:
            labels, kept = _labels(rows[name])
            if 1 < len(kept) < len(rows):
                yield [name], labels[:, None], kept


def _labels(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's label, -1 where it has none, and the labels."""
    if column.dtype == object:  # 1 and True are equal, and two labels
        labels, kept = pd.factorize(names(column))
        return labels, np.asarray(kept, dtype=object)
    # a name for each value, not for each row
    codes, values = pd.factorize(column)
    named, kept = pd.factorize(names(pd.Series(values)))
    return np.append(named, -1)[codes], np.asarray(kept, dtype=object)


def _measured(labels: np.ndarray) -> bool:
    """Whether they are numbers, and not all of them whole: a measurement."""
    if all(str(label).isdecimal() for label in labels):  # as most are; the rest costs more
        return False
    values, text = numbers(pd.Series(labels, dtype=object))
    return not text.any() and bool((values % 1 != 0).any())
