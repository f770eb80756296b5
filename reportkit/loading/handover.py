"""One eval's chosen rows as Parquet with what is told of them: a build reads the logs once, its
notebooks read this.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.scores.rows import DECIDED, LEFT_OUT, RUNS, SOURCES, UNREAD, Told, names
from reportkit.scores.run import HarnessMetric
from reportkit.scores.selfcheck import SelfCheck

VARIABLE = "REPORTKIT_PREPARED"  # the file's path, set by a build for its kernel
GIVEN = "given"  # of frame.attrs: the command that the build was given
_KEY = b"reportkit"
_KEPT = (SOURCES, DECIDED, RUNS, LEFT_OUT, UNREAD)


def write_prepared(
    frame: pd.DataFrame,
    eval: str,
    scores: Sequence[str],
    path: Path,
    given: Mapping[str, Any] | None = None,
) -> None:
    """The rows of an eval; scores: the notebook's parameter that the file stands in for; given: as
    manifest.as_given.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = frame[frame["eval"] == eval].reset_index(drop=True)
    rows = rows.assign(**{c: _storable(rows[c]) for c in rows.columns if rows[c].dtype == object})
    told: dict[str, Any] = {"eval": eval, "scores": list(scores), GIVEN: given}
    for key in _KEPT:
        told[key] = [
            r for r in frame.attrs.get(key, ()) if eval in r.get("evals", [r.get("eval", eval)])
        ]
    rows.attrs = {}
    table = pa.Table.from_pandas(rows, preserve_index=False)
    text = json.dumps(told, default=_plain).encode()
    pq.write_table(
        table.replace_schema_metadata((table.schema.metadata or {}) | {_KEY: text}), path
    )


def read_prepared(eval: str, scores: Any) -> pd.DataFrame | None:
    """The rows that a build has prepared for this eval and these sources; None where it has
    prepared none.
    """
    import pyarrow.parquet as pq

    path = os.environ.get(VARIABLE)
    if not path:
        return None
    table = pq.read_table(path)
    told = json.loads(table.schema.metadata[_KEY])
    if told["eval"] != eval or told["scores"] != (
        [scores] if isinstance(scores, str) else list(scores)
    ):
        return None  # a notebook of the user's own that reads something else
    frame = table.to_pandas()
    for run in told[RUNS] + told[LEFT_OUT]:
        run["checks"] = [SelfCheck(**c) for c in run["checks"]]
        run["harness_metrics"] = [HarnessMetric(**m) for m in run["harness_metrics"]]
    frame.attrs = {key: Told(told[key]) for key in _KEPT} | {GIVEN: told[GIVEN]}
    return frame


def _storable(column: pd.Series) -> pd.Series:
    """Text and None: a column of a user's file may mix numbers, text and half characters, which
    Parquet does not hold.
    """
    text = column.dropna()
    if not text.map(lambda v: isinstance(v, str)).all():
        column = names(column)
        text = column.dropna()
    if text.map(str.isascii).all():
        return column
    return column.map(lambda v: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v)


def _plain(record: Any) -> dict[str, Any]:
    return {f: getattr(record, f) for f in record.__slots__}
