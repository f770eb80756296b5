"""A scores folder that a disk or a copy has damaged: what of it is damaged, and its list of runs
made again from the files.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import reached
from reportkit.inputs.sources import MARK, is_store, without_path
from reportkit.loading.store import OF_OTHERS, RUNS_FILE, contents
from reportkit.loading.store.files import DIGITS, checked_bytes
from reportkit.loading.store.folder import Home, Known, begin, commit, sweep
from reportkit.loading.store.packs import FACTS
from reportkit.loading.store.remote import home_at
from reportkit.loading.store.schema import Entry, entries_told
from reportkit.text.numbers import counted

OWN_NAME = re.compile(rf"[0-9a-f]{{{DIGITS}}}\.parquet")


@dataclass(slots=True)
class Checked:
    """What a check of every byte of a scores folder found. damaged: files, from the folder, with
    the reasons. lost: runs that only a damaged file held, which a repair takes out.
    """

    files: int = 0
    runs: int = 0
    damaged: dict[str, str] = field(default_factory=dict)
    lost: list[Entry] = field(default_factory=list)


def verify_scores(folder: str | os.PathLike[str]) -> Checked:
    """Reads every file that a scores folder lists and holds it against its hash. Nothing is
    written.

    Raises ScoresError where there is no scores folder.
    """
    place = os.fspath(folder)
    _check_there(place)
    try:
        entries, _ = contents(place)
    except ScoresError as error:
        return Checked(1, 0, {RUNS_FILE: without_path(str(error), f"{place}/{RUNS_FILE}")})
    damaged = damaged_of(place, entries)
    lost = [e for e in entries if e.path in damaged or e.questions in damaged]
    return Checked(len(_files(entries)), len(entries), damaged, lost)


def damaged_of(place: str, entries: Iterable[Entry]) -> dict[str, str]:
    """The files of these entries that are not as they were written, with the reasons."""
    damaged = {}
    for name in _files(entries):
        try:
            checked_bytes(place, name)
        except ScoresError as error:
            damaged[name] = without_path(str(error), f"{place.rstrip('/')}/{name}")
    return damaged


def _files(entries: Iterable[Entry]) -> list[str]:
    return sorted({name for e in entries for name in (e.path, e.questions) if name})


def _check_there(place: str) -> None:
    """ScoresError where nothing looks like a scores folder, whole or damaged."""
    there = is_store(place) or "://" in place or os.path.exists(os.path.join(place, RUNS_FILE))
    if not (there or any(OWN_NAME.fullmatch(p.name) for p in Path(place).glob("eval=*/*"))):
        raise ScoresError(f"{place}: no scores folder is there; name one with --to")


def repair_scores(folder: str | os.PathLike[str]) -> Checked:
    """Takes what is damaged out of a scores folder. Where its list of runs is damaged or gone, it
    is made again from what the other files say of themselves.

    Of a source with two versions in the folder, which an import that was killed may leave, neither
    is listed: nothing tells which is the later. Raises ScoresError where there is no scores folder,
    or where files of an older version do not say whose they are.
    """
    place = os.fspath(folder)
    _check_there(place)
    home = home_at(place)
    with home.turn():
        damaged: dict[str, str] = {}
        try:
            entries, broken = contents(place)
        except ScoresError as error:
            damaged[RUNS_FILE] = without_path(str(error), f"{place}/{RUNS_FILE}")
            entries, broken = _entries_in(home, damaged), {}
        damaged |= damaged_of(place, entries)
        lost = [e for e in entries if e.path in damaged or e.questions in damaged]
        kept = [e for e in entries if e not in lost]
        versions: dict[tuple[str, int], set[str]] = {}
        for e in kept:
            versions.setdefault((e.source, e.position), set()).add(f"{e.content} {e.path}")
        twice = [e for e in kept if len(versions[e.source, e.position]) > 1]
        known: Known = {}
        for e in (e for e in kept if e not in twice):
            known.setdefault(e.source, []).append(e)
        _begin_again(home, damaged)
        commit(home, known, broken)
        sweep(home, known)
    runs = sum(map(len, known.values()))
    return Checked(len(_files(entries)), runs, damaged, [*lost, *twice])


def _begin_again(home: Home, damaged: dict[str, str]) -> None:
    """A list of runs and a mark, where they are damaged or gone."""
    if RUNS_FILE in damaged:
        for name in (MARK, RUNS_FILE):
            home.remove(name)
    begin(home)


def _entries_in(home: Home, damaged: dict[str, str]) -> list[Entry]:
    """What the files of rows say of themselves; those that are damaged go into `damaged`."""
    entries: list[Entry] = []
    untold: list[str] = []
    for name, size in sorted(home.files().items()):
        if not OWN_NAME.fullmatch(name.rpartition("/")[2]):
            raise ScoresError(
                f"{home.place}/{name}: no file that an import wrote, so this may be no scores "
                "folder; move it elsewhere first"
            )
        if not name.startswith("eval="):
            continue
        try:
            data = checked_bytes(home.place, name)
            with reached(name):
                metadata = pq.ParquetFile(pa.BufferReader(data)).metadata
            told = (metadata.metadata or {}).get(FACTS)
            place = {"path": name, "file_rows": metadata.num_rows, "file_bytes": size}
            if told is None:
                untold.append(name)
            else:
                entries += entries_told(told, place)
        except OF_OTHERS as error:
            damaged[name] = without_path(str(error), f"{home.place}/{name}")
    if untold:
        raise ScoresError(
            f"{home.place}: its list of runs is damaged or gone, and of "
            f"{counted(len(untold), 'file')} of an older version, such as {untold[0]}, nothing "
            "says whose answers are there; import the logs into a new folder"
        )
    if not entries:
        raise ScoresError(
            f"{home.place}: its list of runs is damaged or gone, and so is every file of answers; "
            "import the logs into a new folder"
        )
    return entries
