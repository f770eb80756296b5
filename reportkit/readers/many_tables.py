"""Small tables with one head, parsed and checked as one: thousands of them cost little more than
their bytes.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reportkit.errors import ReportkitError
from reportkit.inputs.files import HEAD, File
from reportkit.inputs.layouts import Layout, Layouts, captures
from reportkit.inputs.pointers import told_of
from reportkit.readers.parsing import escaped
from reportkit.readers.tabular import NoScores, eval_of, table_of

FEWEST = 10  # files that are read together; of fewer each is read by itself
SUFFIXES = (".csv", ".tsv")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The rows of one file in a checked table that was made of many."""

    whole: pd.DataFrame
    start: int
    end: int
    evals: tuple[str, ...]  # in the order of the rows
    models: tuple[str, ...]

    @property
    def rows(self) -> pd.DataFrame:
        return self.whole.iloc[self.start : self.end].reset_index(drop=True)

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class _Small:
    """A file of separated values without quotes: its lines are its rows."""

    file: File
    head: str
    body: bytes
    sha256: str

    @property
    def n(self) -> int:
        return self.body.count(b"\n")


def parts_of(
    files: Sequence[File], layouts: Layouts, is_log: Callable[[File], bool]
) -> dict[str, Part]:
    """The parts of those files that can be read together, by their paths: exactly the rows that
    each by itself gives. Files that need a closer look, or break a rule, are not among them.

    is_log: whether a reader of logs claims a file.
    """
    layout = layouts.of("")
    if layouts.tables or not layout.is_plain or any(map(captures, layout.columns.values())):
        return {}
    listed = [f for f in files if f.name.endswith(SUFFIXES) and not f.remote]
    alike: dict[str, list[_Small]] = {}
    for file in listed if len(listed) >= FEWEST else ():
        small = _small(file)
        if small is not None and not is_log(file):
            alike.setdefault(small.head, []).append(small)
    found: dict[str, Part] = {}
    for group in alike.values():
        if len(group) >= FEWEST:
            found |= _parts(group, layout)
    return found


def _small(file: File) -> _Small | None:
    """A file whose lines can stand among those of others; None where that is not certain."""
    try:
        data = file.head()
    except (ReportkitError, OSError):
        return None
    if len(data) >= HEAD or escaped(file.path) != file.path or told_of(data):
        return None
    line, _, body = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").partition(b"\n")
    if not body or any(byte in data for byte in (b'"', b"\0")) or b"\r" in body + line:
        return None
    try:
        head, _ = line.decode(), body.decode()
    except UnicodeDecodeError:
        return None
    body = body if body.endswith(b"\n") else body + b"\n"
    separator = max([",", "\t", ";"], key=head.count)
    n, between = body.count(b"\n"), head.count(separator)
    if head.splitlines() != [head.strip()] or head[0] in "{[<" or not between:
        return None
    # a row that is short, or blank, needs words of its own
    if body.count(separator.encode()) != n * between:
        return None
    return _Small(file, head, body, hashlib.sha256(data).hexdigest())


def _parts(group: Sequence[_Small], layout: Layout) -> dict[str, Part]:
    """The parts of files with one head. Where one of them breaks a rule, halves are read, so that
    few have to be read by themselves.
    """
    whole = _whole(group, layout)
    if whole is None:
        half = len(group) // 2
        if half < FEWEST:
            return {}
        return _parts(group[:half], layout) | _parts(group[half:], layout)
    ends = np.cumsum([s.n for s in group]).tolist()
    evals, models = whole["eval"].tolist(), whole["model"].tolist()
    found = {}
    for small, start, end in zip(group, [0, *ends], ends, strict=False):
        small.file.know_sha256(small.sha256)
        told = [tuple(dict.fromkeys(column[start:end])) for column in (evals, models)]
        found[small.file.path] = Part(whole, start, end, *told)
    return found


def _whole(group: Sequence[_Small], layout: Layout) -> pd.DataFrame | None:
    """The rows of all files; None where a rule is broken."""
    text = f"{group[0].head}\n{b''.join(s.body for s in group).decode()}"
    sizes = [s.n for s in group]
    try:
        whole = table_of(text, layout, lambda: np.repeat([eval_of(s.file) for s in group], sizes))
    except (ReportkitError, NoScores, ValueError):
        return None
    # a label in one file makes labels of the numbers in all
    if len(whole) != sum(sizes) or whole["epoch"].dtype.kind not in "iu":
        return None
    return whole
