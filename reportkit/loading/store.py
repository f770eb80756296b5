"""Scores folders: Parquet, a folder for each eval and a file for each run, read one eval at a time.

    scores/_reportkit.json                      says what the folder is
    scores/runs.parquet                         a row for each run: where it came from, which files
    hold it, all but its rows scores/eval=<url-quoted name>/<hash>.parquet             its answers,
    sorted by metric, question, epoch scores/questions/eval=<url-quoted name>/<hash>.parquet
    question_id, content_hash, metadata (JSON); once for all runs

A file is named by the hash of its bytes, so it never changes and runs with the same questions share
one. What runs.parquet lists is in the folder, and nothing else: replacing that one file is what
commits. Sources that could not be read, each with the reason, stand in its schema's metadata: who
reads the folder is told of them, as who reads the logs is.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reportkit.errors import ScoresError
from reportkit.inputs.files import File, reached
from reportkit.inputs.sources import MARK
from reportkit.scores.rows import QUESTION_FIELDS, STATUSES
from reportkit.scores.run import ROWS, HarnessMetric, Run

FORMAT = "reportkit/scores@1"
RUNS_FILE = "runs.parquet"
BROKEN = b"reportkit.broken"  # key of the metadata of runs.parquet
ROW_GROUP = 250_000
NAME_BYTES = 240  # of a folder's name: file systems end at 255
Coded = tuple[pa.Array, pd.CategoricalDtype]  # texts as Parquet has them and as pandas does
# ids, and each field's codes and categories
Known = tuple[pd.Index, dict[str, tuple[np.ndarray, pd.CategoricalDtype]]]
NO_ROWS = pd.DataFrame()
_NAME = re.compile(r"(questions/)?eval=[^/]+/[0-9a-f]+\.parquet")
NOTHING: Mapping[str, str] = MappingProxyType({})
_JSON = ("harness_metrics", "notes")
_TOLD = tuple(
    f.name
    for f in fields(Run)
    if f.name not in ("rows", "file", "sha256", "inputs", "counts", "checks", *_JSON)
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A run, or one model's part of a plain table, as runs.parquet lists it. `run` has no rows."""

    source: str  # absolute path or URL of the file it came from
    sha256: str  # of that file
    state: str  # JSON: what was looked at when it was read, with sizes and times
    position: int  # among the parts of its source
    table: bool  # of a plain table: no run of a harness
    path: str  # of the rows, from the folder
    questions: str  # of the questions; empty: none
    columns: tuple[str, ...]
    n_rows: int
    n_questions: int
    n_scored: int
    n_error: int
    run: Run

    @property
    def order(self) -> tuple[Any, ...]:
        """As a walk over folders finds the sources, tables before logs: what order of import or
        date cannot change.
        """
        *folders, name = self.source.split("/")
        return (not self.table, [(1, f) for f in folders] + [(0, name)], self.position)


# Writing ------------------------------------------------------------------------------------------


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


def encode(run: Run) -> tuple[bytes, bytes]:
    """Rows and questions of a run as Parquet; the questions are b"" where nothing is known of them."""
    rows = run.rows.reset_index(drop=True)
    metric = pd.factorize(rows["metric"])[0]
    question, ids = pd.factorize(rows["question_id"].astype(object), sort=True)
    epoch = (
        rows["epoch"].to_numpy()
        if rows["epoch"].dtype.kind in "iu"
        else pd.factorize(rows["epoch"], sort=True)[0]
    )
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
    told = {
        c: rows[c] for c in rows.columns if c not in of_questions and c not in ("eval", "model")
    }
    told |= {"model": pd.Series(run.model, rows.index, dtype=object)}
    told |= {"run_id": told.get("run_id", pd.Series(run.run_id, rows.index, dtype=object))}
    return _parquet({c: _column(told[c], c) for c in told}), _questions(
        rows.iloc[first], ids, of_questions
    )


def _constant(column: pd.Series, question: np.ndarray, first: np.ndarray) -> bool:
    codes = pd.factorize(column.astype(object))[0]
    return bool((codes == codes[first][question]).all())


def _questions(rows: pd.DataFrame, ids: Iterable[str], columns: Sequence[str]) -> bytes:
    if not columns:
        return b""
    data = {"question_id": pa.array(list(ids), pa.string())}
    if "content_hash" in columns:
        data["content_hash"] = pa.array(_texts(rows["content_hash"]), pa.string())
    named = [c for c in columns if c != "content_hash"]
    values = zip(*(_texts(rows[c]) for c in named), strict=True) if named else [()] * len(rows)
    texts = [
        json.dumps({c: v for c, v in zip(named, row, strict=True) if v is not None})
        for row in values
    ]
    return _parquet(data | {"metadata": pa.array(texts, pa.string()).dictionary_encode()})


def _column(values: pd.Series, name: str) -> pa.Array:
    if name == "epoch" and values.dtype.kind in "iu":
        return pa.array(values.to_numpy(), pa.int16() if abs(values).max() < 2**15 else pa.int64())
    if values.dtype.kind in "iufb":
        return pa.array(values.to_numpy(), from_pandas=True)
    return pa.array(_texts(values), pa.string()).dictionary_encode()


def _texts(values: pd.Series) -> list[str | None]:
    """As text; what no encoding can hold (half a surrogate pair) as its escape."""
    missing = values.isna().to_numpy()
    found = (
        None if m else v if isinstance(v, str) else str(v)
        for v, m in zip(values.tolist(), missing, strict=True)
    )
    return [
        v if v is None or v.isascii() else v.encode("utf-8", "backslashreplace").decode()
        for v in found
    ]


def _parquet(columns: dict[str, pa.Array], metadata: Mapping[bytes, str] | None = None) -> bytes:
    table = pa.table(columns).replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    coded = [f.name for f in table.schema if pa.types.is_dictionary(f.type)]
    pq.write_table(table, sink, compression="zstd", row_group_size=ROW_GROUP, use_dictionary=coded)
    return sink.getvalue().to_pybytes()


def runs_bytes(entries: Iterable[Entry], broken: Mapping[str, str] = NOTHING) -> bytes:
    """runs.parquet: the same for the same entries. broken: sources that could not be read, with the
    reasons.
    """
    ordered = sorted(entries, key=lambda e: e.order)
    data: dict[str, Any] = {
        c: [getattr(e, c) for e in ordered]
        for c in (
            "source",
            "sha256",
            "state",
            "position",
            "table",
            "path",
            "questions",
            "n_rows",
            "n_questions",
            "n_scored",
            "n_error",
        )
    }
    data |= {c: [getattr(e.run, c) for e in ordered] for c in _TOLD}
    data["run_sha256"] = [e.run.sha256 for e in ordered]
    data["harness_metrics"] = [
        json.dumps([asdict(m) for m in e.run.harness_metrics]) for e in ordered
    ]
    data["notes"] = [json.dumps(e.run.notes) for e in ordered]
    data["columns"] = [json.dumps(list(e.columns)) for e in ordered]
    whole = {"position", "n_rows", "n_questions", "n_scored", "n_error", "n_planned"}
    types = {
        c: pa.int64()
        if c in whole
        else pa.bool_()
        if c in ("table", "positional_ids")
        else pa.string()
        for c in data
    }
    return _parquet(
        {
            c: pa.array(
                v if types[c] != pa.string() else _texts(pd.Series(v, dtype=object)), types[c]
            )
            for c, v in data.items()
        },
        {BROKEN: json.dumps(dict(sorted(broken.items())))} if broken else None,
    )


# Reading ------------------------------------------------------------------------------------------


def contents(folder: str) -> tuple[list[Entry], dict[str, str]]:
    """What a scores folder holds, without its rows, and the sources that could not be read, with
    the reasons.

    Raises ScoresError where the folder is damaged.
    """
    check_mark(folder)
    table = _read_table(folder, RUNS_FILE)
    found = table.to_pylist()
    if found and not {"source", "sha256", "run_sha256", *_TOLD, *_JSON} <= found[0].keys():
        raise ScoresError(
            f"{folder}: written by another version of reportkit; import the logs into a new folder"
        )
    try:
        entries = [_entry(row) for row in found]
        broken = {
            str(k): str(v)
            for k, v in json.loads((table.schema.metadata or {}).get(BROKEN, b"{}")).items()
        }
        return sorted(entries, key=lambda e: e.order), broken
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ScoresError(
            f"{folder}/{RUNS_FILE}: not as reportkit wrote it ({str(error)[:80]}); import the "
            "logs into a new folder"
        ) from None


def _entry(row: dict[str, Any]) -> Entry:
    """A row of runs.parquet; ValueError, TypeError and the like where somebody else wrote it."""
    metrics = [HarnessMetric(**m) for m in json.loads(row["harness_metrics"])]
    run = Run(
        **{c: row[c] for c in _TOLD},
        rows=NO_ROWS,
        sha256=row["run_sha256"],
        file=row["source"],
        harness_metrics=metrics,
        notes=list(json.loads(row["notes"])),
    )
    kept = {f.name: row[f.name] for f in fields(Entry) if f.name not in ("run", "columns")}
    entry = Entry(**kept, columns=tuple(json.loads(row["columns"])), run=run)
    for name in (entry.path, entry.questions):
        if name and not _NAME.fullmatch(name):  # a path from elsewhere is not followed
            raise ValueError(f"{name!r} is no file of a scores folder")
    for record in (entry, run):
        for f in fields(record):
            if f.type in (str, int, bool) and not isinstance(getattr(record, f.name), f.type):
                raise TypeError(f"{f.name} is {getattr(record, f.name)!r}")
    if not {*ROWS} <= {*entry.columns}:
        raise ValueError(f"columns are {entry.columns!r}")
    return entry


def check_mark(folder: str) -> None:
    """ScoresError where the folder's mark is damaged, or of another format."""
    try:
        told = json.loads(File(f"{folder.rstrip('/')}/{MARK}").read())
        written = told.get("format") if isinstance(told, dict) else None
    except (ValueError, RecursionError):
        written = None
    if written != FORMAT:
        raise ScoresError(
            f"{folder}: {MARK} says the format {str(written)[:60]!r}, where this version reads "
            f"{FORMAT}; import the logs "
            "into a new folder"
        )


def held(folder: str) -> tuple[list[Entry], dict[str, str]]:
    """The contents of a folder that somebody wants to report on: ScoresError where it holds no
    runs.
    """
    entries, broken = contents(folder)
    if not entries:
        raise ScoresError(
            f"{folder}: this scores folder holds no runs; fill it with reportkit import LOGS "
            f"--to {shlex.quote(folder)}"
        )
    return entries, broken


def _read_table(folder: str, path: str, leave: Collection[str] = ()) -> pa.Table:
    file = File(f"{folder.rstrip('/')}/{path}")
    try:
        with reached(file.path), file.open() as stream:
            parquet = pq.ParquetFile(stream)
            return parquet.read([c for c in parquet.schema_arrow.names if c not in leave])
    except ScoresError as error:
        why = f"{file.path}: damaged or gone ({str(error).removeprefix(f'{file.path}: ')})"
        if path == RUNS_FILE:
            raise ScoresError(f"{why}; import the logs into a new folder") from None
        raise ScoresError(
            f"{why}; delete it if it is there, and import the logs again with reportkit import "
            f"LOGS --to {shlex.quote(folder)}"
        ) from None


def read(
    folder: str, listed: list[Entry], wanted: Callable[[Entry], bool]
) -> list[tuple[Entry, Run]]:
    """The wanted of the listed entries with their rows; listed again where an import replaced a
    file in between.
    """
    while True:
        chosen = [e for e in listed if wanted(e)]
        try:
            return list(zip(chosen, _load(folder, chosen), strict=True))
        except ScoresError:
            before, listed = chosen, contents(folder)[0]
            if before == [e for e in listed if wanted(e)]:
                raise


def _load(folder: str, entries: Sequence[Entry]) -> list[Run]:
    """Runs with their rows, whose texts are categories; where they are the same they are shared."""
    shared: dict[str, Coded] = {}
    with ThreadPoolExecutor(4) as pool:
        named = dict.fromkeys(e.questions for e in entries if e.questions)
        questions = dict(
            zip(named, pool.map(lambda q: _known(_read_table(folder, q)), named), strict=True)
        )
        return list(
            pool.map(lambda e: _run(folder, e, questions.get(e.questions), shared), entries)
        )


def _run(folder: str, entry: Entry, known: "Known | None", shared: "dict[str, Coded]") -> Run:
    """A run with its rows; `known`: what its questions have."""
    table = _read_table(folder, entry.path, {"model", "run_id"} - {*entry.columns})
    if table.num_rows != entry.n_rows or not {*ROWS} <= {*table.column_names}:
        raise ScoresError(
            f"{folder}/{entry.path}: not as reportkit wrote it ({table.num_rows} rows, columns "
            f"{', '.join(table.column_names)}); delete it, and import the logs again with "
            f"reportkit import LOGS --to {shlex.quote(folder)}"
        )
    rows = {name: _values(table[name], name, shared) for name in table.column_names}
    # policies change it to others of these
    rows["status"] = rows["status"].set_categories(list(STATUSES))
    if known is not None:
        ids, columns = known
        codes, categories = rows["question_id"].codes, rows["question_id"].categories
        where = codes if ids.equals(categories) else ids.get_indexer(categories)[codes]
        rows |= {
            n: pd.Categorical.from_codes(c[where], dtype=dtype, validate=False)
            for n, (c, dtype) in columns.items()
        }
    missing = dict.fromkeys(entry.columns)
    return replace(
        entry.run, rows=pd.DataFrame({**missing, **rows}, columns=list(missing), copy=False)
    )


def _values(column: pa.ChunkedArray, name: str, shared: "dict[str, Coded]") -> Any:
    if not pa.types.is_dictionary(column.type):
        return (
            column.to_numpy() if column.type in (pa.int16(), pa.float64()) else column.to_pandas()
        )
    coded = column.combine_chunks()
    dictionary, dtype = shared.get(name, (None, None))
    if dictionary is None or not coded.dictionary.equals(dictionary):
        dtype = pd.CategoricalDtype(coded.dictionary.to_pandas())
        shared.setdefault(name, (coded.dictionary, dtype))
    return pd.Categorical.from_codes(
        coded.indices.fill_null(-1).to_numpy(), dtype=dtype, validate=False
    )


def _known(table: pa.Table) -> Known:
    """Ids of questions, and each field of theirs as codes of categories; metadata that many share
    is parsed once.
    """
    metadata = table["metadata"].combine_chunks()
    distinct = [json.loads(text) for text in metadata.dictionary.to_pylist()]
    codes = metadata.indices.to_numpy()
    columns: dict[str, Any] = {
        name: np.array([d.get(name) for d in distinct], dtype=object)[codes]
        for name in dict.fromkeys(k for d in distinct for k in d)
    }
    if "content_hash" in table.column_names:
        columns["content_hash"] = table["content_hash"].to_numpy()
    coded = {name: pd.Categorical(values) for name, values in columns.items()}
    return pd.Index(table["question_id"].to_pylist()), {
        n: (c.codes, c.dtype) for n, c in coded.items()
    }


def counts(rows: pd.DataFrame) -> dict[str, int]:
    """What runs.parquet says of a run's rows."""
    return {
        "n_rows": len(rows),
        "n_questions": rows["question_id"].nunique(),
        "n_scored": int((rows["status"] == "ok").sum()),
        "n_error": int((rows["status"] == "error").sum()),
    }
