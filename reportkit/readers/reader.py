"""What a reader is: the record that each format of logs has in the registry readers.FORMATS."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from reportkit.inputs.files import File
from reportkit.scores.run import Run
from reportkit.scores.selfcheck import Own, no_own

# What a file is to a reader: a "run" that it reads, a "part" of a run that another file stands for,
# or "", no file of this format.
Claim = Literal["run", "part", ""]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """A harness's row in the guide's page on logs, in Markdown."""

    harness: str  # as it calls itself
    files: str
    about: str  # what a user should know


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A format of logs.

    A new one is a module here with its READER, a line in FORMATS, and a sample log in
    tests/readers/test_conformance.py, which says what holds for every reader.

    claims looks at a file's first bytes, its name and its neighbours. It raises nothing but
    BrokenFile. read gives the runs of a file that it claims. It raises BrokenFile, in one sentence,
    where the file cannot be read.

    Fields of the questions are columns of the rows, so that users can cluster by them. Their names
    begin with `prefix`, one of rows.QUESTION_FIELDS; a new format takes "metadata.". Columns that
    the format itself defines, such as lm-eval's "subtask", stand in `columns`.
    """

    name: str  # of the harness, as Run.harness has it
    claims: Callable[[File], Claim]
    read: Callable[[File], list[Run]]
    guide: Guide
    prefix: str = "metadata."
    columns: tuple[str, ...] = ()
    computation: Own = no_own  # what the harness computes in a way of its own, by its name
    extra: str = ""  # of pyproject.toml: the packages that read needs


def when_changed(file: File) -> str:
    """When a file was last changed, on this machine's clock; "" of a file elsewhere."""
    if file.remote:
        return ""
    changed = datetime.fromtimestamp(os.stat(file.path).st_mtime)
    return changed.isoformat(timespec="seconds")
