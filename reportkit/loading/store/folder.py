"""The files of a scores folder that is being written: made, locked, swept, and taken away again.

Files are written aside and moved into place under the hash of their bytes, and count only once
runs.parquet lists them: the rename of that one file is what publishes. The folder is not exchanged
as a report's is: it may hold hundreds of gigabytes, of which an import adds a few.

A folder at a URL is the same (store_remote.py): an object store has no renames and no locks, but
each of its objects is complete or absent.
"""

import json
import os
import posixpath
import shutil
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from reportkit.errors import OutputError, ScoresError
from reportkit.inputs.sources import MARK
from reportkit.loading.store import RUNS_FILE, check_mark, contents
from reportkit.loading.store.packs import Part, files_of, parts_in, together, untidy
from reportkit.loading.store.schema import FORMAT, Entry, runs_bytes
from reportkit.publishing.aside import STATE, Aside, kept, turn
from reportkit.publishing.place import make_writable

Known = dict[str, list[Entry]]  # of each source, its entries
PARTS = ("eval=*/*.parquet", "questions/eval=*/*.parquet")


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
    def remove(self, name: str) -> None:
        """Takes a file away, if it is there."""

    @abstractmethod
    def files(self) -> dict[str, int]:
        """The files of rows and questions that are there, with their bytes."""

    @abstractmethod
    def sweep(self, listed: Collection[str]) -> dict[str, int]:
        """Removes files of rows and questions that are not listed, and returns those listed that
        are there, with their bytes.
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
        for made in self._made:
            kept(made.parent)
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
            _make(path.parent)
            self._aside.write(path, data)
        except OSError as error:
            raise OutputError(
                f"{path}: cannot be written: {error.strerror}; make room, or choose another --to"
            ) from None

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def files(self) -> dict[str, int]:
        return {
            path.relative_to(self.folder).as_posix(): path.stat().st_size
            for path in (p for pattern in PARTS for p in self.folder.glob(pattern))
        }

    def sweep(self, listed: Collection[str]) -> dict[str, int]:
        there = self.files()
        for name in there.keys() - {*listed}:
            (self.folder / name).unlink(missing_ok=True)
        folders = [f for p in PARTS for f in self.folder.glob(posixpath.dirname(p))]
        for folder in folders:
            if not os.listdir(folder):
                os.rmdir(folder)
        return {name: size for name, size in there.items() if name in listed}

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
        home.write(RUNS_FILE, runs_bytes([]))
        home.write(MARK, mark)
    try:
        check_mark(home.place)
    except ScoresError as error:
        raise OutputError(str(error)) from None
    # An older folder's mark: what is written from now on is of this format. The list first: in this
    # format it has a seal.
    if home.read(MARK) != mark:
        home.write(RUNS_FILE, runs_bytes(*contents(home.place)))
        home.write(MARK, mark)


def _make(folder: Path) -> None:
    """A folder that is on the disk when this returns."""
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir(exist_ok=True)
        kept(folder.parent)


def store_parts(parts: Iterable[Part], home: Home, there: dict[str, int]) -> list[Entry]:
    """Writes parts, unless they are there, and returns their entries with their places."""
    placed: list[Entry] = []
    for group in together(parts):
        files, entries = files_of(group)
        for name, data in files:
            if there.get(name) != len(data):
                home.write(name, data)
                there[name] = len(data)
        placed += entries
    return placed


def tidy(home: Home, known: Known, there: dict[str, int]) -> None:
    """Files that are small and many are put together, and rows that no run has any more are left
    behind.
    """
    entries = [e for of_source in known.values() for e in of_source]
    for again in untidy(entries):
        place(known, store_parts(parts_in(home.place, again), home, there))


def place(known: Known, placed: Iterable[Entry]) -> None:
    """Puts entries in the place of those of the same part of the same source."""
    now = {(e.source, e.position): e for e in placed}
    for source in {source for source, _ in now}:
        known[source] = [now.get((source, e.position), e) for e in known[source]]


def commit(home: Home, known: Known, broken: Mapping[str, str]) -> None:
    data = runs_bytes((e for entries in known.values() for e in entries), broken)
    if home.read(RUNS_FILE) != data:
        home.write(RUNS_FILE, data)


def sweep(home: Home, known: Known) -> dict[str, int]:
    """Removes what runs.parquet does not list, and returns what is there of it."""
    entries = (e for entries in known.values() for e in entries)
    return home.sweep({n for e in entries for n in (e.path, e.questions) if n})
