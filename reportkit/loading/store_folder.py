"""The files of a scores folder that is being written: made, locked, swept, and taken away again.

Files are written aside and moved into place under the hash of their bytes, and count only once
runs.parquet lists them.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.errors import OutputError, ScoresError
from reportkit.inputs.sources import MARK
from reportkit.loading import store
from reportkit.loading.store import RUNS_FILE
from reportkit.loading.store_schema import FORMAT, Entry
from reportkit.scores.run import Run

LOCK = ".lock"
PART = ".part-"  # beginning of the name of a file that is being written
Known = dict[str, list[Entry]]  # of each source, its entries


def prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        foreign = (
            [] if (folder / MARK).exists() else [n for n in os.listdir(folder) if not _ours(n)]
        )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written: {error.strerror}; choose another folder with --to"
        ) from None
    if foreign:
        raise OutputError(
            f"{folder}: no scores folder, and it holds {foreign[0]!r}; choose a new or an empty "
            "one with --to"
        )


def _ours(name: str) -> bool:
    return name in (LOCK, RUNS_FILE) or name.startswith((PART, ".fuse", ".nfs", ".DS_Store"))


def begin(folder: Path) -> None:
    """The mark comes last: where it stands, runs.parquet does."""
    mark = (json.dumps({"format": FORMAT}) + "\n").encode()
    if not (folder / MARK).exists():
        write(folder / RUNS_FILE, store.runs_bytes([]))
        write(folder / MARK, mark)
    try:
        store.check_mark(str(folder))
    except ScoresError as error:
        raise OutputError(str(error)) from None
    # An older folder's mark: what is written from now on is of this format.
    if (folder / MARK).read_bytes() != mark:
        write(folder / MARK, mark)


def unmake(folder: Path, made: Iterable[Path]) -> None:
    """Removes what an import made that found nothing; what others put there meanwhile stays."""
    sweep(folder, {})
    for name in (MARK, RUNS_FILE, LOCK):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        for path in (*folder.glob("questions"), *made):
            path.rmdir()


def store_run(entry: Entry, run: Run, folder: Path, there: set[str]) -> Entry:
    """Writes the rows of a run, unless they are there, and returns its entry with their paths and
    counts.
    """
    rows, questions = store.encode(run)
    home = store.eval_folder(run.eval)
    path = f"{home}/{_digest(rows)}.parquet"
    beside = f"questions/{home}/{_digest(questions)}.parquet" if questions else ""
    for name, data in ((beside, questions), (path, rows)):
        if name and name not in there:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write(folder / name, data)
            there.add(name)
    counts: dict[str, Any] = store.counts(run.rows)
    return replace(entry, path=path, questions=beside, **counts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def commit(folder: Path, known: Known, broken: Mapping[str, str]) -> None:
    data = store.runs_bytes((e for entries in known.values() for e in entries), broken)
    if (folder / RUNS_FILE).read_bytes() != data:
        write(folder / RUNS_FILE, data)


def write(path: Path, data: bytes) -> None:
    """Complete or absent."""
    try:
        handle, aside = tempfile.mkstemp(prefix=PART, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(aside, 0o644)
            os.replace(aside, path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written: {error.strerror}; make room, or choose another --to"
        ) from None


def sweep(folder: Path, known: Known) -> set[str]:
    """Removes what runs.parquet does not list, and returns what is there of it."""
    listed = {n for entries in known.values() for e in entries for n in (e.path, e.questions)}
    there = set()
    for here, folders, names in os.walk(folder):
        place = Path(here).relative_to(folder)
        if place == Path("."):
            folders[:] = [f for f in folders if f.startswith("eval=") or f == "questions"]
        for name in names:
            path = (place / name).as_posix()
            if path in listed:
                there.add(path)
            elif name.startswith(PART) or (place != Path(".") and name.endswith(".parquet")):
                (folder / path).unlink(missing_ok=True)
        if place not in (Path("."), Path("questions")) and not os.listdir(here):
            os.rmdir(here)
    return there
