"""One run's rows as the tables of a scores folder (store.py says what is in one)."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from urllib.parse import quote

import numpy as np
import pandas as pd
import pyarrow as pa

from reportkit.readers.parsing import escaped
from reportkit.scores.rows import QUESTION_FIELDS
from reportkit.scores.run import Run

NAME_BYTES = 240  # of a folder's name: file systems end at 255


def eval_folder(eval: str) -> str:
    """Folder of an eval: readable back by DuckDB and Polars unless the name is longer than a file
    system takes.

    >>> eval_folder("a/b=c"), eval_folder(".."), len(eval_folder("🙂" * 200)) < 255
    ('eval=a%2Fb%3Dc', 'eval=.%2E', True)
    """

    def quoted(text: str) -> str:
        name = "eval=" + quote(text, safe="", errors="backslashreplace")
        # Windows drops a dot at the end
        return name if not name.endswith(".") else f"{name[:-1]}%2E"

    if len(quoted(eval)) <= NAME_BYTES:
        return quoted(eval)
    short = eval[:NAME_BYTES]
    while len(quoted(short)) > NAME_BYTES - 17:
        short = short[:-1]
    return (
        f"{quoted(short)}-{hashlib.sha256(eval.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    )


def encode(run: Run) -> tuple[pa.Table, pa.Table | None]:
    """Rows and questions of a run as tables with coded texts. The questions are None where nothing
    is known of them.
    """
    rows = run.rows.reset_index(drop=True)
    metric = pd.factorize(rows["metric"])[0]
    question, ids = pd.factorize(rows["question_id"].astype(object), sort=True)
    if rows["epoch"].dtype.kind in "iu":
        epoch = rows["epoch"].to_numpy()
    else:
        epoch = pd.factorize(rows["epoch"], sort=True)[0]
    order = np.lexsort((epoch, question, metric))
    rows, question = rows.iloc[order].reset_index(drop=True), question[order]
    first = np.full(len(ids), -1)
    first[question[::-1]] = np.arange(len(rows))[::-1]
    of_questions = [
        c
        for c in rows.columns
        if c == "content_hash" or c == "subtask" or c.startswith(QUESTION_FIELDS)
    ]
    of_questions = [c for c in of_questions if _constant(rows[c], question, first)]
    not_here = (*of_questions, "eval", "model")
    columns = {c: rows[c] for c in rows.columns if c not in not_here}
    columns["model"] = pd.Series(run.model, rows.index, dtype=object)
    columns.setdefault("run_id", pd.Series(run.run_id, rows.index, dtype=object))
    table = pa.table({c: _column(column, c) for c, column in columns.items()})
    return table, _questions(rows.iloc[first], ids, of_questions)


def _constant(column: pd.Series, question: np.ndarray, first: np.ndarray) -> bool:
    codes = pd.factorize(column.astype(object))[0]
    return bool((codes == codes[first][question]).all())


def _questions(rows: pd.DataFrame, ids: Iterable[str], columns: Sequence[str]) -> pa.Table | None:
    if not columns:
        return None
    data = {"question_id": pa.array(list(ids), pa.string())}
    if "content_hash" in columns:
        data["content_hash"] = pa.array(as_texts(rows["content_hash"]), pa.string())
    named = [c for c in columns if c != "content_hash"]
    values = zip(*(as_texts(rows[c]) for c in named), strict=True) if named else [()] * len(rows)
    texts = [
        json.dumps({c: v for c, v in zip(named, row, strict=True) if v is not None})
        for row in values
    ]
    return pa.table(data | {"metadata": pa.array(texts, pa.string()).dictionary_encode()})


def _column(values: pd.Series, name: str) -> pa.Array:
    if name == "epoch" and values.dtype.kind in "iu":
        return pa.array(values.to_numpy(), pa.int16() if abs(values).max() < 2**15 else pa.int64())
    if values.dtype.kind in "iufb":
        return pa.array(values.to_numpy(), from_pandas=True)
    return pa.array(as_texts(values), pa.string()).dictionary_encode()


def as_texts(values: pd.Series) -> list[str | None]:
    """As text; what no encoding can hold (half a surrogate pair) as its escape."""
    missing = values.isna().to_numpy()
    return [None if m else escaped(str(v)) for v, m in zip(values.tolist(), missing, strict=True)]


def counts(rows: pd.DataFrame) -> dict[str, int]:
    """What runs.parquet says of a run's rows."""
    return {
        "n_rows": len(rows),
        "n_questions": rows["question_id"].nunique(),
        "n_scored": int((rows["status"] == "ok").sum()),
        "n_error": int((rows["status"] == "error").sum()),
    }
