"""Runs put together into the files of a scores folder: few and large ones.

A file holds the rows of runs of one eval, one after another, and says in its metadata whose they
are (store_schema.facts_text). An import writes what it has read in one go; where the files of an
eval that are not full grow many, they become one. Rows of runs that were dropped or replaced do not
stay: who reads the folder with another tool would count them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from reportkit.errors import ScoresError
from reportkit.loading.store.files import (
    DIGITS,
    checked_bytes,
    compact,
    digest,
    parquet_bytes,
    table_of,
)
from reportkit.loading.store.rows import counts, encode, eval_folder
from reportkit.loading.store.schema import Entry, facts_text
from reportkit.scores.run import Run

FULL = 1_000_000  # rows of a file; a run of more is a file by itself
FEW = 8  # files of an eval that may be less than half full
ROW_GROUP = 250_000
FACTS = b"reportkit.runs"  # key of the metadata of a file of rows
Files = list[tuple[str, bytes]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A run that is to be written: what the list of runs says of it, its rows and questions."""

    entry: Entry
    rows: pa.Table
    questions: pa.Table | None


def part_of(entry: Entry, run: Run) -> Part:
    """A run that was read from its source."""
    rows, questions = encode(run)
    told: dict[str, Any] = counts(run.rows)
    return Part(replace(entry, content=_content(rows, questions), **told), rows, questions)


def _content(*tables: pa.Table | None) -> str:
    """A hash that is the same for the same rows and questions."""
    known = hashlib.sha256()
    for table in filter(None, tables):
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        known.update(sink.getvalue())
    return known.hexdigest()[:DIGITS]


@dataclass(slots=True)
class _Group:
    """Parts of one eval that become a file: the types of their columns, and their rows so far."""

    types: dict[str, Any] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    rows: int = 0

    def fits(self, part: Part) -> bool:
        return all(self.types.get(f.name, f.type) == f.type for f in part.rows.schema)

    def take(self, part: Part) -> None:
        self.types |= {f.name: f.type for f in part.rows.schema}
        self.parts.append(part)
        self.rows += part.rows.num_rows


def together(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """The parts that become a file each: at most FULL rows of one eval, whose columns have the same
    types where they have the same names.
    """
    evals: dict[str, list[_Group]] = {}
    for part in parts:
        groups = evals.setdefault(part.entry.run.eval, [])
        group = next((g for g in groups if g.fits(part)), None)
        if group is not None and group.rows + part.rows.num_rows > FULL:
            groups.remove(group)
            yield group.parts
            group = None
        if group is None:
            group = _Group()
            groups.append(group)
        group.take(part)
    for groups in evals.values():
        yield from (group.parts for group in groups)


def files_of(parts: Sequence[Part]) -> tuple[Files, list[Entry]]:
    """The files that hold these parts, names and bytes, and the parts' entries with their places
    in them.
    """
    parts = sorted(parts, key=lambda p: p.entry.order)
    folder = eval_folder(parts[0].entry.run.eval)
    files, entries = _questions(parts, f"questions/{folder}")
    rows = compact(pa.concat_tables([p.rows for p in parts], promote_options="default"))
    data = parquet_bytes(rows, {FACTS: facts_text(entries)}, ROW_GROUP)
    path = f"{folder}/{digest(data)}.parquet"
    of_file: dict[str, Any] = {"path": path, "file_rows": rows.num_rows, "file_bytes": len(data)}
    first, placed = 0, []
    for entry in entries:
        placed.append(replace(entry, first_row=first, **of_file))
        first += entry.n_rows
    return [*files, (path, data)], placed


def _questions(parts: Sequence[Part], folder: str) -> tuple[Files, list[Entry]]:
    """The file of the parts' questions, each list of them once; and the entries with their
    places.
    """
    starts: dict[str, int] = {}
    tables: list[pa.Table] = []
    places: list[tuple[int, int]] = []
    for part in parts:
        first, n = 0, 0
        if part.questions is not None:
            key, n = _content(compact(part.questions)), part.questions.num_rows
            if key not in starts:
                starts[key] = sum(t.num_rows for t in tables)
                tables.append(part.questions)
            first = starts[key]
        places.append((first, n))
    if not tables:
        return [], [_unplaced(p.entry) for p in parts]
    data = parquet_bytes(compact(pa.concat_tables(tables, promote_options="default")))
    path = f"{folder}/{digest(data)}.parquet"
    of_file: dict[str, Any] = {"questions": path, "questions_bytes": len(data)}
    entries = [
        replace(p.entry, first_question=first, n_known=n, **of_file) if n else _unplaced(p.entry)
        for p, (first, n) in zip(parts, places, strict=True)
    ]
    return [(path, data)], entries


def _unplaced(entry: Entry) -> Entry:
    return replace(entry, questions="", first_question=0, n_known=0, questions_bytes=0)


def cut(table: pa.Table, first: int, n: int) -> pa.Table:
    """The rows of a run in the table of its file; ScoresError where there are not so many."""
    if first + n > table.num_rows:
        raise ScoresError(f"{table.num_rows} rows, where rows {first} to {first + n} are a run's")
    return table.slice(first, n)


def parts_in(folder: str, entries: Iterable[Entry]) -> Iterator[Part]:
    """The runs of these entries as they lie in the folder; what is damaged is left out."""
    by_path: dict[str, list[Entry]] = {}
    for e in entries:
        by_path.setdefault(e.path, []).append(e)
    asked: dict[str, pa.Table] = {}
    for path, of_file in by_path.items():
        try:
            rows = table_of(checked_bytes(folder, path), path)
            for name in {e.questions for e in of_file if e.questions} - {*asked}:
                asked[name] = table_of(checked_bytes(folder, name), name)
            for e in of_file:
                known = asked.get(e.questions)
                if known is not None:
                    known = cut(known, e.first_question, e.n_known or known.num_rows)
                yield Part(e, cut(rows, e.first_row, e.n_rows), known)
        except ScoresError:
            continue


def untidy(entries: Iterable[Entry]) -> list[list[Entry]]:
    """The entries whose files are to be written anew, eval by eval: files with rows that no entry
    has, and those less than half full, where an eval has more than a few.
    """
    evals: dict[str, dict[str, list[Entry]]] = {}
    for e in entries:
        if e.path:
            evals.setdefault(e.run.eval, {}).setdefault(e.path, []).append(e)
    found = []
    for files in evals.values():
        small = [p for p, of in files.items() if (of[0].file_rows or of[0].n_rows) < FULL // 2]
        again = {p for p, of in files.items() if _has_others(of)}
        again |= {*small} if len(small) > FEW else set()
        if again:
            found.append([e for p, of in files.items() if p in again for e in of])
    return found


def _has_others(entries: Sequence[Entry]) -> bool:
    """Whether a file has rows of none of these entries, which are all that are listed of it."""
    total = entries[0].file_rows
    return bool(total) and sum({e.first_row: e.n_rows for e in entries}.values()) != total
