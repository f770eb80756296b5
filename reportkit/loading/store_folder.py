"""The files of a scores folder that is being written: made, locked, swept, and taken away again.

Files are written aside and moved into place under the hash of their bytes, and count only once
runs.parquet lists them: the rename of that one file is what publishes. The folder is not exchanged
as a report's is: it may hold hundreds of gigabytes, of which an import adds a few.

A folder at a URL is the same (store_remote.py): an object store has no renames and no locks, but
each of its objects is complete or absent.
"""

import hashlib
import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.errors import OutputError, ScoresError
from reportkit.inputs.sources import MARK
from reportkit.loading import store
from reportkit.loading.store import RUNS_FILE
from reportkit.loading.store_schema import FORMAT, Entry
from reportkit.publishing.aside import STATE, Aside, turn
from reportkit.publishing.place import make_writable
from reportkit.scores.run import Run

Known = dict[str, list[Entry]]  # of each source, its entries


class Home(ABC):
    """A scores folder in the making. place: its path or URL. Names are paths from it."""

    place: str

    @abstractmethod
    def prepare(self) -> None:
        """OutputError where no scores can go there."""

    @abstractmethod
    def turn(self) -> Any:
        """A context in which no other import of it is at work, as far as the place knows locks."""

    @abstractmethod
    def has(self, name: str) -> bool: ...

    @abstractmethod
    def read(self, name: str) -> bytes: ...

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Complete or absent. OutputError where it cannot be."""

    @abstractmethod
    def sweep(self, listed: set[str]) -> set[str]:
        """Removes files of rows and questions that are not listed, and returns those listed that
        are there.
        """

    @abstractmethod
    def unmake(self) -> None:
        """Removes what an import made that found nothing; what others put there meanwhile stays."""


class LocalHome(Home):
    """A folder of this machine."""

    def __init__(self, folder: Path):
        self.folder, self.place = folder, str(folder)
        self._made = [p for p in (folder, *folder.parents) if not p.exists()]
        self._aside: Aside | None = None

    def prepare(self) -> None:
        make_writable(self.folder, "--to")
        check_own(self.place, os.listdir(self.folder))

    @contextmanager
    def turn(self) -> Iterator[None]:
        with turn(self.folder), Aside(self.folder) as self._aside:
            yield

    def has(self, name: str) -> bool:
        return (self.folder / name).exists()

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        assert self._aside is not None, "written in its turn only"
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._aside.write(path, data)
        except OSError as error:
            raise OutputError(
                f"{path}: cannot be written: {error.strerror}; make room, or choose another --to"
            ) from None

    def sweep(self, listed: set[str]) -> set[str]:
        folder, there = self.folder, set()
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

    def unmake(self) -> None:
        self.sweep(set())
        for name in (MARK, RUNS_FILE):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / STATE, ignore_errors=True)
        with suppress(OSError):
            for path in (*self.folder.glob("questions"), *self._made):
                path.rmdir()


def check_own(place: str, names: list[str]) -> None:
    """OutputError where a folder with these names in it is somebody else's."""
    foreign = [n for n in names if not _ours(n)]
    if foreign and MARK not in names:
        raise OutputError(
            f"{place}: no scores folder, and it holds {foreign[0]!r}; choose a new or an empty one "
            "with --to"
        )


def _ours(name: str) -> bool:
    return name in (STATE, RUNS_FILE) or name.startswith((".fuse", ".nfs", ".DS_Store"))


def begin(home: Home) -> None:
    """The mark comes last: where it stands, runs.parquet does."""
    mark = (json.dumps({"format": FORMAT}) + "\n").encode()
    if not home.has(MARK):
        home.write(RUNS_FILE, store.runs_bytes([]))
        home.write(MARK, mark)
    try:
        store.check_mark(home.place)
    except ScoresError as error:
        raise OutputError(str(error)) from None
    # An older folder's mark: what is written from now on is of this format.
    if home.read(MARK) != mark:
        home.write(MARK, mark)


def store_run(entry: Entry, run: Run, home: Home, there: set[str]) -> Entry:
    """Writes the rows of a run, unless they are there, and returns its entry with their paths and
    counts.
    """
    rows, questions = store.encode(run)
    folder = store.eval_folder(run.eval)
    path = f"{folder}/{_digest(rows)}.parquet"
    beside = f"questions/{folder}/{_digest(questions)}.parquet" if questions else ""
    for name, data in ((beside, questions), (path, rows)):
        if name and name not in there:
            home.write(name, data)
            there.add(name)
    counts: dict[str, Any] = store.counts(run.rows)
    return replace(entry, path=path, questions=beside, **counts)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]


def commit(home: Home, known: Known, broken: Mapping[str, str]) -> None:
    data = store.runs_bytes((e for entries in known.values() for e in entries), broken)
    if home.read(RUNS_FILE) != data:
        home.write(RUNS_FILE, data)


def sweep(home: Home, known: Known) -> set[str]:
    """Removes what runs.parquet does not list, and returns what is there of it."""
    entries = (e for entries in known.values() for e in entries)
    return home.sweep({n for e in entries for n in (e.path, e.questions) if n})
