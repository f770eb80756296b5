"""What one import does with each source, and what it did."""

import glob
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File, state, watched
from reportkit.inputs.layouts import Layouts
from reportkit.inputs.sources import MARK, covers, without_path
from reportkit.loading import store
from reportkit.loading.import_pieces import runs_in_pieces
from reportkit.loading.store.folder import (
    Home,
    Known,
    commit,
    place,
    store_parts,
    sweep,
)
from reportkit.loading.store.packs import Part, part_of
from reportkit.loading.store.repair import damaged_of
from reportkit.loading.store.schema import PLACE, Entry
from reportkit.readers import read_file, tabular
from reportkit.readers.tabular import NoScores
from reportkit.scores.run import Run
from reportkit.version import __version__

COMMIT = 5.0  # seconds of work that a kill can cost
WAITING = 500_000  # rows that wait in memory until they are written


@dataclass(slots=True)
class Imported:
    """What an import did; skipped maps a path to the reason. gone: sources whose runs stay or, if
    so asked, went.
    """

    folder: Path | str  # str: a URL
    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    refused: list[str] = field(
        default_factory=list
    )  # of these the tables that were named, and break a rule
    damaged: dict[str, str] = field(default_factory=dict)  # files that no source mended
    runs: int = 0  # in the folder now
    rows: int = 0


class Work:
    """One import at work. known: the entries of each source. broken: sources that could not be
    read, with the reasons. there: the files of the folder, with their bytes. mapped: columns of
    tables that were called otherwise. waiting: what is read, and not yet written.
    """

    def __init__(
        self,
        done: Imported,
        home: Home,
        layouts: Layouts,
        progress: Callable[[str], None],
    ):
        self.done, self.home, self.layouts, self.progress = done, home, layouts, progress
        self.known: Known = {}
        listed, self.broken = store.contents(home.place)
        for entry in listed:
            self.known.setdefault(entry.source, []).append(entry)
        self.there = sweep(home, self.known)
        self.mapped: set[str] = set()
        self.tables = False
        self.waiting: dict[tuple[str, int], Part] = {}
        self.damaged: dict[str, str] = {}
        self.rows_waiting = 0
        self.written: list[Entry] = []  # since the last flush

    def verify(self) -> None:
        """Reads every file of the folder: a damaged one is as good as gone."""
        entries = [e for of_source in self.known.values() for e in of_source]
        self.damaged = damaged_of(self.home.place, entries)
        for name in self.damaged:
            self.there.pop(name, None)

    def still_damaged(self) -> dict[str, str]:
        """The damaged files that runs are still listed in, since no source of theirs was read."""
        entries = [e for of_source in self.known.values() for e in of_source]
        listed = {n for e in entries for n in (e.path, e.questions)} - {*self.there}
        return {n: why for n, why in self.damaged.items() if n in listed}

    def flush(self) -> None:
        """Writes the parts that wait, and lists where they are."""
        self._write()
        listed = {(e.source, e.position) for of_source in self.known.values() for e in of_source}
        place(self.known, [e for e in self.written if (e.source, e.position) in listed])
        self.written.clear()

    def _write(self) -> None:
        """Writes the parts that wait. What is not listed in the end is swept."""
        self.written += store_parts(self.waiting.values(), self.home, self.there)
        self.waiting.clear()
        self.rows_waiting = 0

    def bring(self, files: Iterable[File]) -> None:
        """Reads what is new or changed of the files into the folder."""
        last = time.monotonic()
        for file in files:
            if file.name == MARK:
                continue
            self._bring_file(file)
            if time.monotonic() - last > COMMIT:
                self.flush()
                commit(self.home, self.known, self.broken)
                last = time.monotonic()
        if self.tables and not self.done.unchanged:
            tabular.all_mapped(self.layouts.columns, self.mapped, [str(self.done.folder)])

    def _bring_file(self, file: File) -> None:
        done, source = self.done, source_of(file)
        before = self.known.get(source, [])
        if before and source not in self.broken and self._is_fresh(before):
            done.unchanged.append(file.path)
            return
        self.progress(file.path)
        self.broken.pop(source, None)
        try:
            entries = self._read(file, source)
        except (NoScores, ScoresError) as error:
            self._skip(file, error, bool(before))
            return
        if file.lacks:
            done.skipped[file.path] = self.broken[source] = "; ".join(file.lacks)
        if not entries and not before:
            return  # part of a run that another file stands for
        before = before or self._moved_from(entries[0])
        self.known[source] = self._settled(file, entries, before)
        self.tables |= any(e.table for e in entries)

    def _settled(self, file: File, entries: list[Entry], before: list[Entry]) -> list[Entry]:
        """What is listed of a source that was read: where it is as it was before, what was written
        then counts.
        """
        as_before = entries
        if len(entries) == len(before):
            pairs = zip(entries, before, strict=True)
            as_before = [replace(new, **_place_of(old)) for new, old in pairs]
        same = [replace(e, state="") for e in as_before] == [replace(e, state="") for e in before]
        if same:
            self.done.unchanged.append(file.path)
        elif before:
            self.done.replaced.append(file.path)
        else:
            self.done.added.append(file.path)
        if not (same and self._all_there(before)):
            return entries
        for e in entries:
            self.waiting.pop((e.source, e.position), None)
        self.written = [e for e in self.written if e.source != entries[0].source]
        return as_before

    def _moved_from(self, entry: Entry) -> list[Entry]:
        """What was imported of the same bytes in a place where they are no more: a folder that was
        moved is the same source. It is taken out.
        """
        for source, entries in self.known.items():
            if entries and entries[0].sha256 == entry.sha256 and is_lost(source):
                return self.known.pop(source)
        return []

    def _skip(self, file: File, error: Exception, before: bool) -> None:
        """A file that is not read. before: runs of it are in the folder."""
        why = without_path(str(error), file.path)
        if before:
            why += "; what was imported of it before stays"
        self.done.skipped[file.path] = why
        if isinstance(error, ScoresError):
            self.broken[source_of(file)] = why
            if file.named and not isinstance(error, BrokenFile):
                self.done.refused.append(file.path)

    def _read(self, file: File, source: str) -> list[Entry]:
        """Reads one file and writes its runs; none where it belongs to a run that another file
        stands for.
        """
        # taken first: what changes meanwhile is seen by the next import
        before = {source: state(file.path)}
        with watched() as paths:
            runs: Iterable[Run] | None = runs_in_pieces(file, self.layouts, self.mapped)
            content = None if runs is not None else read_file(file, self.layouts)
        table = runs is not None or isinstance(content, pd.DataFrame)
        if isinstance(content, pd.DataFrame):
            self.mapped.update(content.attrs.pop(tabular.MAPPED, ()))
            runs = _runs_of(content)
        elif content is not None:
            runs = content
        if runs is None:
            return []
        looked = before | {p: state(p) for p in sorted(paths) if p != file.path}
        looked_at = json.dumps({"rules": _rules(self.layouts), "looked at": looked})
        entries = []
        for position, run in enumerate(replace(r, file=source) for r in runs):
            columns = tuple(map(str, run.rows.columns))
            entry = Entry(
                source, file.sha256(), looked_at, position, table, columns=columns, run=run.facts()
            )
            part = part_of(entry, run)
            self.waiting[source, position] = part
            entries.append(part.entry)
            self.rows_waiting += part.rows.num_rows
            if self.rows_waiting > WAITING:
                self._write()
        return entries

    def _all_there(self, entries: list[Entry]) -> bool:
        """Whether the files that hold runs are there, none of them cut off."""
        named = {e.path: e.file_bytes for e in entries}
        named |= {e.questions: e.questions_bytes for e in entries if e.questions}
        there = {name: self.there.get(name) for name in named if name}
        return all(size and size == (named[name] or size) for name, size in there.items())

    def _is_fresh(self, entries: list[Entry]) -> bool:
        """Whether nothing that was looked at has changed, and all that was written is there."""
        if not self._all_there(entries):
            return False
        looked_at = json.loads(entries[0].state)
        return looked_at.get("rules") == _rules(self.layouts) and all(
            state(p) == s for p, s in looked_at["looked at"].items()
        )

    def drop(
        self, read: set[str], given: Sequence[str], lost: Sequence[str], drop_gone: bool
    ) -> None:
        """Finds the sources that are gone, and takes them out where the user says so.

        read: sources that are there. lost: what the user named, and is not there.
        """
        known, broken, folder = self.known, self.broken, self.done.folder
        sources = dict.fromkeys([*known, *broken])
        absent = [s for s in sources if s not in read and _gone(s, given)]
        for s in lost:
            if not any(covers(s, a) for a in absent):
                raise ScoresError(f"{s}: no such file or folder, and {folder} holds nothing of it")
        self.done.gone = [s for s in absent if known.get(s)]
        for s in list(broken):
            if s in absent or ("://" not in s and not os.path.lexists(s)):
                del broken[s]
        for s in self.done.gone if drop_gone else ():
            del known[s]


def _place_of(entry: Entry) -> dict[str, Any]:
    """Where the rows and questions of an entry lie."""
    return {name: getattr(entry, name) for name in PLACE}


def _runs_of(table: pd.DataFrame) -> list[Run]:
    """A plain table as one run for each eval and model."""
    groups = table.groupby(["eval", "model"], sort=False, observed=True)
    return [
        Run("", str(e), str(m), rows=rows.drop(columns=["eval", "model"]))
        for (e, m), rows in groups
    ]


def source_of(file: File) -> str:
    return file.path if file.remote else Path(os.path.abspath(file.path)).as_posix()


def _gone(source: str, given: Iterable[str]) -> bool:
    """Whether a source that no given file is lay where they are, and is there no more."""
    return ("://" in source or not os.path.lexists(source)) and any(
        covers(g, source) for g in given
    )


def _rules(layouts: Layouts) -> str:
    return f"reportkit {__version__}, {json.dumps(layouts.rules())}"


def is_lost(source: str) -> bool:
    """Whether a source that was named is there no more."""
    return "://" not in source and not glob.glob(source) and not os.path.lexists(source)
