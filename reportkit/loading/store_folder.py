"""The files of a scores folder that is being written: made, locked, swept, and taken away again.

Files are written aside and moved into place under the hash of their bytes, and count only once
runs.parquet lists them: the rename of that one file is what publishes. The folder is not exchanged
as a report's is: it may hold hundreds of gigabytes, of which an import adds a few.
"""

import hashlib
import json
import os
import shutil
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
from reportkit.publishing.aside import STATE, Aside
from reportkit.publishing.place import make_writable
from reportkit.scores.run import Run

Known = dict[str, list[Entry]]  # of each source, its entries


def prepare(folder: Path) -> None:
    make_writable(folder, "--to")
    foreign = [n for n in os.listdir(folder) if not _ours(n)]
    if foreign and not (folder / MARK).exists():
        raise OutputError(
            f"{folder}: no scores folder, and it holds {foreign[0]!r}; choose a new or an empty "
            "one with --to"
        )


def _ours(name: str) -> bool:
    return name in (STATE, RUNS_FILE) or name.startswith((".fuse", ".nfs", ".DS_Store"))


def begin(aside: Aside) -> None:
    """The mark comes last: where it stands, runs.parquet does."""
    folder = aside.home
    mark = (json.dumps({"format": FORMAT}) + "\n").encode()
    if not (folder / MARK).exists():
        write(aside, folder / RUNS_FILE, store.runs_bytes([]))
        write(aside, folder / MARK, mark)
    try:
        store.check_mark(str(folder))
    except ScoresError as error:
        raise OutputError(str(error)) from None
    # An older folder's mark: what is written from now on is of this format.
    if (folder / MARK).read_bytes() != mark:
        write(aside, folder / MARK, mark)


def unmake(folder: Path, made: Iterable[Path]) -> None:
    """Removes what an import made that found nothing; what others put there meanwhile stays."""
    sweep(folder, {})
    for name in (MARK, RUNS_FILE):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / STATE, ignore_errors=True)
    with suppress(OSError):
        for path in (*folder.glob("questions"), *made):
            path.rmdir()


def store_run(entry: Entry, run: Run, aside: Aside, there: set[str]) -> Entry:
    """Writes the rows of a run, unless they are there, and returns its entry with their paths and
    counts.
    """
    rows, questions = store.encode(run)
    home = store.eval_folder(run.eval)
    path = f"{home}/{_digest(rows)}.parquet"
    beside = f"questions/{home}/{_digest(questions)}.parquet" if questions else ""
    for name, data in ((beside, questions), (path, rows)):
        if name and name not in there:
            (aside.home / name).parent.mkdir(parents=True, exist_ok=True)
            write(aside, aside.home / name, data)
            there.add(name)
    counts: dict[str, Any] = store.counts(run.rows)
    return replace(entry, path=path, questions=beside, **counts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def commit(aside: Aside, known: Known, broken: Mapping[str, str]) -> None:
    data = store.runs_bytes((e for entries in known.values() for e in entries), broken)
    listed = aside.home / RUNS_FILE
    if listed.read_bytes() != data:
        write(aside, listed, data)


def write(aside: Aside, path: Path, data: bytes) -> None:
    """Complete or absent."""
    try:
        aside.write(path, data)
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
            elif place != Path(".") and name.endswith(".parquet"):
                (folder / path).unlink(missing_ok=True)
        if place not in (Path("."), Path("questions")) and not os.listdir(here):
            os.rmdir(here)
    return there
