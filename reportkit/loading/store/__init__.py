"""Scores folders: Parquet, a folder for each eval, read one eval at a time.

    scores/_reportkit.json                      says what the folder is
    scores/runs.parquet                         a row for each run: where it came from, which file
                                                holds it from which row on, all but its rows
    scores/eval=<url-quoted name>/<hash>.parquet
                                                answers of runs, one run after another, each sorted
                                                by metric, question, epoch
    scores/questions/eval=<url-quoted name>/<hash>.parquet
                                                question_id, content_hash, metadata (JSON); once for
                                                all runs that have the same

A file is named by the hash of its bytes, so it never changes, and each read finds whether it did.
What runs.parquet lists is in the folder, and nothing else: replacing that one file, which holds a
hash of itself, is what commits. Sources that could not be read, each with the reason, stand in its
metadata: who reads the folder is told of them, as who reads the logs is.
"""

import json
import shlex
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import filesystem, reached
from reportkit.inputs.files import File
from reportkit.inputs.paths import is_url
from reportkit.inputs.sources import MARK, without_path
from reportkit.loading.store.files import checked_bytes, seal_of, table_of
from reportkit.loading.store.frames import FileColumns, Known, known_of
from reportkit.loading.store.packs import cut
from reportkit.loading.store.schema import FORMAT, READABLE, Entry, broken_of, entries_of
from reportkit.scores.run import Run

RUNS_FILE = "runs.parquet"
# What a file raises that has its right hash and is none of ours.
OF_OTHERS = (ScoresError, ValueError, TypeError, KeyError, IndexError, AttributeError)


def contents(folder: str, named: Collection[str] = ()) -> tuple[list[Entry], dict[str, str]]:
    """What a scores folder holds, without its rows, and the sources that could not be read, with
    the reasons. named: of these evals alone, where any are.

    Raises ScoresError where the folder is damaged.
    """
    if is_url(folder):  # what this process has seen before may have been replaced
        filesystem(folder)[0].invalidate_cache()
    written = check_mark(folder)
    path = f"{folder.rstrip('/')}/{RUNS_FILE}"
    try:
        data = File(path).read()
        intact = seal_of(data)
        if intact is False or (intact is None and written == FORMAT):
            raise ValueError("its checksum is not that of its content")
        with reached(path):
            table = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True).read()
    except (ScoresError, ValueError) as error:
        why = f"damaged or gone ({without_path(str(error), path)})"
        raise ScoresError(f"{path}: {why}; {mended(folder)}") from None
    try:
        return entries_of(table, named), broken_of(table)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        why = f"not as reportkit wrote it ({str(error)[:80]})"
        raise ScoresError(f"{path}: {why}; {mended(folder)}") from None


def mended(folder: str) -> str:
    """How the list of runs is made again."""
    return f"make it again from the files with reportkit import --repair --to {shlex.quote(folder)}"


def check_mark(folder: str) -> str:
    """The format of a folder. ScoresError where its mark is damaged, or of another format."""
    try:
        mark = json.loads(File(f"{folder.rstrip('/')}/{MARK}").read())
        written = mark.get("format") if isinstance(mark, dict) else None
    except (ValueError, RecursionError):
        written = None
    if written not in READABLE:
        raise ScoresError(
            f"{folder}: {MARK} says the format {str(written)[:60]!r}, where this version reads "
            f"{', '.join(READABLE)}; if the file is damaged, {mended(folder)}, else import the "
            "logs into a new folder"
        )
    return str(written)


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
    try:
        return table_of(checked_bytes(folder, path), path, leave)
    except ScoresError as error:
        raise _damaged(folder, path, str(error)) from None


def _damaged(folder: str, path: str, why: str) -> ScoresError:
    full = f"{folder.rstrip('/')}/{path}"
    return ScoresError(
        f"{full}: damaged or gone ({without_path(without_path(why, full), path)}); mend it from "
        f"its logs with reportkit import LOGS --verify --to {shlex.quote(folder)}"
    )


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
    files = list(dict.fromkeys(e.path for e in entries))
    named = list(dict.fromkeys(e.questions for e in entries if e.questions))
    kept = {c for e in entries for c in e.columns}
    with ThreadPoolExecutor(4) as pool:
        asked = dict(zip(named, pool.map(lambda q: _read_table(folder, q), named), strict=True))
        leave = {"model", "run_id"} - kept
        tables = dict(
            zip(files, pool.map(lambda p: _read_table(folder, p, leave), files), strict=True)
        )
    columns: dict[str, FileColumns] = {}
    known: dict[tuple[str, int, int], Known | None] = {("", 0, 0): None}
    runs = []
    for e in entries:
        place = (e.questions, e.first_question, e.n_known)
        try:
            if e.path not in columns:
                columns[e.path] = FileColumns(tables.pop(e.path))
            if place not in known:
                table = asked[e.questions]
                known[place] = known_of(cut(table, e.first_question, e.n_known or table.num_rows))
            rows = columns[e.path].rows(e, known[place])
        except OF_OTHERS as error:
            raise _damaged(folder, e.path, f"not as reportkit wrote it: {error}") from None
        runs.append(Run.of(e.run, rows))
    return runs
