"""Small evals made in a test, from arrays to the result that tables and warnings are made of."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reportkit.analysis import analyse
from reportkit.results import EvalResult
from reportkit.scores.rows import check_rows

NAMES = ("A", "B", "C", "D", "E", "F")


def frame_of(
    scores: np.ndarray, clusters: Sequence[str] = (), eval: str = "toy", metric: str = "points"
) -> pd.DataFrame:
    """scores: models x questions, or models x questions x answers; nan: no score."""
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 2:
        scores = scores[:, :, None]
    rows = [
        {
            "eval": eval,
            "model": NAMES[m],
            "question_id": f"q{q}",
            "epoch": str(e + 1),
            "metric": metric,
            "score": "" if np.isnan(x) else repr(float(x)),
            "cluster_id": clusters[q] if len(clusters) else "",
        }
        for (m, q, e), x in np.ndenumerate(scores)
    ]
    frame = pd.DataFrame(rows, dtype=str)
    return check_rows(frame if len(clusters) else frame.drop(columns="cluster_id"))


def result_of(scores: np.ndarray, clusters: Sequence[str] = (), **options) -> EvalResult:
    """The result of such an eval; options: as of frame_of and analyse."""
    named = {k: options.pop(k) for k in ("eval", "metric") if k in options}
    result, _ = analyse(frame_of(scores, clusters, **named), **options)
    return result


def rows_of(table) -> list[dict[str, str]]:
    """Each row's cells by the key of their column; those that the table leaves out too."""
    table = table.whole or table
    keys = [column.key for column in table.columns]
    return [dict(zip(keys, cells, strict=True)) for cells in table.cells]


def columns_of(table, row: int = 0) -> list[tuple[str, str, str, float | None]]:
    """Of each column the key, the head (the group first), and a row's cell and number; those that
    the table leaves out too.
    """
    table = table.whole or table
    heads = [f"{c.group}: {c.head}" if c.group else c.head for c in table.columns]
    keys = [column.key for column in table.columns]
    return list(zip(keys, heads, table.cells[row], table.values[row], strict=True))
