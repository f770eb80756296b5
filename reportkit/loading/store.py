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

import json
import shlex
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import filesystem, reached
from reportkit.inputs.files import File
from reportkit.inputs.paths import is_url
from reportkit.inputs.sources import MARK
from reportkit.loading.store_rows import counts, encode, eval_folder
from reportkit.loading.store_schema import (
    FORMAT,
    READABLE,
    Entry,
    broken_of,
    entries_of,
    runs_bytes,
)
from reportkit.scores.rows import STATUSES
from reportkit.scores.run import ROWS, Run

__all__ = [
    "FORMAT",
    "RUNS_FILE",
    "Entry",
    "check_mark",
    "contents",
    "counts",
    "encode",
    "eval_folder",
    "held",
    "read",
    "runs_bytes",
]

RUNS_FILE = "runs.parquet"
Coded = tuple[pa.Array, pd.CategoricalDtype]  # texts as Parquet has them and as pandas does
# ids, and each field's codes and categories
Known = tuple[pd.Index, dict[str, tuple[np.ndarray, pd.CategoricalDtype]]]


def contents(folder: str, named: Collection[str] = ()) -> tuple[list[Entry], dict[str, str]]:
    """What a scores folder holds, without its rows, and the sources that could not be read, with
    the reasons. named: of these evals alone, where any are.

    Raises ScoresError where the folder is damaged.
    """
    if is_url(folder):  # what this process has seen before may have been replaced
        filesystem(folder)[0].invalidate_cache()
    check_mark(folder)
    table = _read_table(folder, RUNS_FILE)
    try:
        return entries_of(table, named), broken_of(table)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ScoresError(
            f"{folder}/{RUNS_FILE}: not as reportkit wrote it ({str(error)[:80]}); import the "
            "logs into a new folder"
        ) from None


def check_mark(folder: str) -> None:
    """ScoresError where the folder's mark is damaged, or of another format."""
    try:
        mark = json.loads(File(f"{folder.rstrip('/')}/{MARK}").read())
        written = mark.get("format") if isinstance(mark, dict) else None
    except (ValueError, RecursionError):
        written = None
    if written not in READABLE:
        raise ScoresError(
            f"{folder}: {MARK} says the format {str(written)[:60]!r}, where this version reads "
            f"{' and '.join(READABLE)}; import the logs into a new folder"
        )


def held(folder: str, named: Collection[str] = ()) -> tuple[list[Entry], dict[str, str]]:
    """The contents of a folder that somebody wants to report on: ScoresError where it holds no
    runs.
    """
    entries, broken = contents(folder, named)
    if not entries and not (named and contents(folder)[0]):
        raise ScoresError(
            f"{folder}: this scores folder holds no runs; fill it with reportkit import LOGS "
            f"--to {shlex.quote(folder)}"
        )
    return entries, broken


def _read_table(folder: str, path: str, leave: Collection[str] = ()) -> pa.Table:
    file = File(f"{folder.rstrip('/')}/{path}")
    try:
        with reached(file.path), file.open() as stream:
            parquet = pq.ParquetFile(stream, page_checksum_verification=True)
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
    frame = pd.DataFrame({**missing, **rows}, columns=list(missing), copy=False)
    return Run.of(entry.run, frame)


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
