"""The schema of a scores folder's runs.parquet: its columns, their types and defaults.

A folder written before a column was added is read: the column takes its default. A column that this
version does not know is ignored. A change that older versions would misread is a new format.
"""

import base64
import json
import re
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reportkit.facts import HarnessMetric, RunFacts, from_json, to_json
from reportkit.loading.store.files import SEAL, UNSEALED, parquet_bytes, sealed
from reportkit.loading.store.rows import as_texts
from reportkit.scores.run import ROWS

FORMAT = "reportkit/scores@3"
READABLE = ("reportkit/scores@1", "reportkit/scores@2", FORMAT)
BROKEN = b"reportkit.broken"  # key of the metadata of runs.parquet
# Where the rows of a run and its questions lie.
_ROWS_PLACE = ("path", "first_row", "file_rows", "file_bytes")
PLACE = (*_ROWS_PLACE, "questions", "first_question", "n_known", "questions_bytes")
MOST_FACTS = 2**28  # bytes of what a file may say of its runs
_NAME = re.compile(r"(questions/)?eval=[^/]+/[0-9a-f]+\.parquet")


@dataclass(frozen=True, slots=True)
class Entry:
    """A run, or one model's part of a plain table, as runs.parquet lists it."""

    source: str  # absolute path or URL of the file it came from
    sha256: str  # of that file
    state: str  # JSON: what was looked at when it was read, with sizes and times
    position: int  # among the parts of its source
    table: bool  # of a plain table: no run of a harness
    columns: tuple[str, ...]
    run: RunFacts
    content: str = ""  # hash of the rows and questions; empty: written before it was kept
    path: str = ""  # of the file that holds the rows, from the folder
    first_row: int = 0  # the first of the run's rows there, from 0
    file_rows: int = 0  # of all runs in that file; 0: of this run alone
    file_bytes: int = 0  # its size; 0: not known
    questions: str = ""  # of the file that holds the questions; empty: none
    first_question: int = 0
    n_known: int = 0  # questions that are the run's there; 0: all of the file
    questions_bytes: int = 0
    n_rows: int = 0
    n_questions: int = 0
    n_scored: int = 0
    n_error: int = 0

    @property
    def order(self) -> tuple[Any, ...]:
        """What entries are sorted by: tables first, then as a walk over folders finds the files. No
        order of import and no date changes it.
        """
        *folders, name = self.source.split("/")
        return (not self.table, [(1, f) for f in folders] + [(0, name)], self.position)


@dataclass(frozen=True, slots=True)
class StoreColumn:
    """A column of runs.parquet. default: its value where a file has no such column; None: every
    file has it.
    """

    name: str
    kind: type[str] | type[int] | type[float] | type[bool] = str
    default: str | int | float | bool | None = None


ENTRY_COLUMNS = (
    StoreColumn("source"),
    StoreColumn("sha256"),
    StoreColumn("state", default="{}"),
    StoreColumn("position", int, 0),
    StoreColumn("table", bool),
    StoreColumn("content", default=""),
    StoreColumn("path"),
    StoreColumn("first_row", int, 0),
    StoreColumn("file_rows", int, 0),
    StoreColumn("file_bytes", int, 0),
    StoreColumn("questions", default=""),
    StoreColumn("first_question", int, 0),
    StoreColumn("n_known", int, 0),
    StoreColumn("questions_bytes", int, 0),
    StoreColumn("n_rows", int),
    StoreColumn("n_questions", int, 0),
    StoreColumn("n_scored", int, 0),
    StoreColumn("n_error", int, 0),
)
RUN_COLUMNS = (
    StoreColumn("harness"),
    StoreColumn("eval"),
    StoreColumn("model"),
    StoreColumn("logged_eval", default=""),
    StoreColumn("run_id", default=""),
    StoreColumn("task_id", default=""),
    StoreColumn("eval_version", default=""),
    StoreColumn("eval_args", default=""),
    StoreColumn("harness_version", default=""),
    StoreColumn("created", default=""),
    StoreColumn("written", default=""),
    StoreColumn("status", default="success"),
    StoreColumn("limit", default=""),
    StoreColumn("shots", default=""),
    StoreColumn("temperature", default=""),
    StoreColumn("n_planned", int, 0),
    StoreColumn("tokens_in", int, 0),
    StoreColumn("tokens_out", int, 0),
    StoreColumn("tokens_cache_read", int, 0),
    StoreColumn("tokens_cache_write", int, 0),
    StoreColumn("seconds", float, 0.0),
    StoreColumn("time_of", default=""),
    StoreColumn("headline", default=""),
    StoreColumn("cluster", default=""),
    StoreColumn("category", default=""),
    StoreColumn("positional_ids", bool, False),
    StoreColumn("p_kind", default=""),
)
# The sha256 of a run beside that of its source, and lists, as JSON.
OTHER_COLUMNS = (
    StoreColumn("run_sha256", default=""),
    StoreColumn("harness_metrics", default="[]"),
    StoreColumn("notes", default="[]"),
    StoreColumn("columns"),
)
COLUMNS = (*ENTRY_COLUMNS, *RUN_COLUMNS, *OTHER_COLUMNS)
_ARROW = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}


def runs_bytes(entries: Iterable[Entry], broken: Mapping[str, str] | None = None) -> bytes:
    """runs.parquet: the same for the same entries. broken: sources that could not be read, with the
    reasons.
    """
    rows = [_row(e) for e in sorted(entries, key=lambda e: e.order)]
    data = {c.name: _array([row[c.name] for row in rows], c) for c in COLUMNS}
    metadata = {BROKEN: json.dumps(dict(sorted(broken.items())))} if broken else {}
    return sealed(parquet_bytes(data, {**metadata, SEAL: UNSEALED}))


def facts_text(entries: Iterable[Entry]) -> str:
    """What a file of rows says of its runs in its own metadata: all but where they lie and when
    their sources were looked at. The list of runs can be made again from it.
    """
    rows = [{k: v for k, v in _row(e).items() if k not in ("state", *_ROWS_PLACE)} for e in entries]
    packed = zlib.compress(json.dumps(rows).encode("utf-8", "backslashreplace"), 9)
    return base64.b64encode(packed).decode()


def entries_told(text: bytes | str, place: Mapping[str, Any]) -> list[Entry]:
    """The entries of facts_text, which lie at this place, one after another; ValueError or
    TypeError where somebody else wrote it.
    """
    unpack, first = zlib.decompressobj(), 0
    rows = json.loads(unpack.decompress(base64.b64decode(text, validate=True), MOST_FACTS))
    for row in rows:
        row |= {**place, "first_row": first, "state": "{}"}
        first += row["n_rows"]
    lacking = {c.name for c in COLUMNS if c.default is None}
    table = {c.name: [row.get(c.name, c.default) for row in rows] for c in COLUMNS}
    if not rows or any(lacking - {*row} for row in rows):
        raise ValueError("not what an import writes of its runs")
    return entries_of(pa.table({c.name: _array(table[c.name], c) for c in COLUMNS}))


def _row(entry: Entry) -> dict[str, Any]:
    run = to_json(entry.run)
    return {
        **{c.name: getattr(entry, c.name) for c in ENTRY_COLUMNS},
        **{c.name: run[c.name] for c in RUN_COLUMNS},
        "run_sha256": entry.run.sha256,
        "harness_metrics": json.dumps(run["harness_metrics"]),
        "notes": json.dumps(run["notes"]),
        "columns": json.dumps(list(entry.columns)),
    }


def _array(values: list[Any], column: StoreColumn) -> pa.Array:
    if column.kind is str:
        values = as_texts(pd.Series(values, dtype=object))
    return pa.array(values, _ARROW[column.kind])


def entries_of(table: pa.Table, named: Collection[str] = ()) -> list[Entry]:
    """What runs.parquet lists; ValueError or TypeError where somebody else wrote it.

    named: evals, as reports call them: of others no entry is made, which of ten thousand runs
    would take longer than to read the rows of one eval. None named: all.
    """
    if named and "eval" in table.column_names:
        logged = table["eval"].unique().to_pylist()
        mine = [e for e in logged if any(n == e or n.startswith(f"{e} (") for n in named)]
        table = table.filter(pc.is_in(table["eval"], pa.array(mine, pa.string())))
    columns = {c.name: _values(table, c) for c in COLUMNS}
    metrics: dict[str, tuple[HarnessMetric, ...]] = {}
    for text in {*columns["harness_metrics"]}:
        metrics[text] = tuple(from_json(HarnessMetric, m) for m in json.loads(text))
    for name in ("notes", "columns"):  # of many runs they are the same
        lists = {text: tuple(map(str, json.loads(text))) for text in {*columns[name]}}
        columns[name] = [lists[text] for text in columns[name]]
    columns["harness_metrics"] = [metrics[text] for text in columns["harness_metrics"]]
    of_run = {name: columns[name] for name in _RUN_FIELDS}
    of_run |= {"file": columns["source"], "sha256": columns["run_sha256"]}
    runs = [
        RunFacts(**dict(zip(of_run, v, strict=True))) for v in zip(*of_run.values(), strict=True)
    ]
    of_entry = {c.name: columns[c.name] for c in ENTRY_COLUMNS}
    of_entry |= {"columns": columns["columns"], "run": runs}
    entries = [
        Entry(**dict(zip(of_entry, v, strict=True))) for v in zip(*of_entry.values(), strict=True)
    ]
    for entry in entries:
        _check(entry)
    return sorted(entries, key=lambda e: e.order)


def broken_of(table: pa.Table) -> dict[str, str]:
    """The sources that could not be read when they were imported, with the reasons."""
    broken = json.loads((table.schema.metadata or {}).get(BROKEN, b"{}"))
    return {str(k): str(v) for k, v in broken.items()}


_RUN_FIELDS = (*(c.name for c in RUN_COLUMNS), "harness_metrics", "notes")
_IS = {
    str: pa.types.is_string,
    int: pa.types.is_integer,
    float: pa.types.is_floating,
    bool: pa.types.is_boolean,
}


def _values(table: pa.Table, column: StoreColumn) -> list[Any]:
    """A column of runs.parquet, each value of the column's type."""
    if column.name not in table.column_names:
        if column.default is None:
            raise ValueError(f"column {column.name!r} is missing")
        return [column.default] * table.num_rows
    values = table[column.name]
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if table.num_rows and not (_IS[column.kind](values.type) and values.null_count == 0):
        raise TypeError(f"{column.name} is {values.type}, with {values.null_count} missing")
    return list(values.to_pylist())


def _check(entry: Entry) -> None:
    for name in (entry.path, entry.questions):
        if name and not _NAME.fullmatch(name):  # a path from elsewhere is not followed
            raise ValueError(f"{name!r} is no file of a scores folder")
    if not {*ROWS} <= {*entry.columns}:
        raise ValueError(f"columns are {entry.columns!r}")
    counted = (entry.first_row, entry.n_rows, entry.first_question, entry.n_known)
    if min(counted) < 0:
        raise ValueError(f"a run of {entry.n_rows} rows from row {entry.first_row}")
