"""Plain tables of scores: formats (table_formats), layouts (mapping), and the rules of the rows."""

import os
import posixpath
from collections.abc import Callable, Collection, Mapping, Sequence
from urllib.parse import unquote

import numpy as np
import pandas as pd

from reportkit.errors import ScoresError, did_you_mean
from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.layouts import Layout, Layouts, captures, is_constant, is_path
from reportkit.inputs.sources import MARK
from reportkit.inputs.unpacking import packing_of, unpacked
from reportkit.readers.csv_tables import read_csv
from reportkit.readers.json_tables import is_split
from reportkit.readers.mapped_values import hint
from reportkit.readers.mapping import NoPath, mapped
from reportkit.readers.table_formats import SUFFIXES, Table, parsed, stem_of
from reportkit.scores.rows import REQUIRED, check_rows, with_epochs

MAP = "tell its name in the table with --columns {}=THEIRS or [columns] in reportkit.toml"
WIDE = "for a table with a column for each model say --read wide=A,B with their names"
MEANS = "for a table of means there is reportkit check-table"

MAPPED = "mapped"


class NoScores(Exception):
    """The file is a table of something else."""


def read(file: File, layouts: Layouts, *, must_be_scores: bool) -> pd.DataFrame:
    """One file as a checked frame. Its attrs[MAPPED] holds the columns that had other names.

    must_be_scores: the user named the file. One that is found in a folder, and has none of the
    columns of scores, is NoScores.
    """
    path, layout = file.path, layouts.of(file.path)
    if file.name == MARK:
        raise NoScores("a scores folder inside another folder; give its own path to read it")
    must_be_scores |= layouts.is_named(path)
    if not must_be_scores and not _may_be_table(file, layout):
        raise NoScores("neither a log of a known harness nor a table")
    try:
        frame = _parsed(file, layout)
        if not len(frame.columns):
            raise BrokenFile(
                f"{path}: the file is empty; a scores table has the columns {', '.join(REQUIRED)}"
            )
        had = [str(c) for c in frame.columns]
        frame, unknown = mapped(frame, layout, path)
    except NoPath as reason:
        if must_be_scores:
            raise ScoresError(f"{path}: {reason}; correct the pattern") from None
        raise NoScores(str(reason)) from None
    _check_columns(frame, had, unknown, path, must_be_scores)
    if layout.statuses and "status" not in frame.columns:
        raise ScoresError(
            f"{path}: statuses are said, and there is no column 'status'; {MAP.format('status')}"
        )
    if not len(frame):
        raise BrokenFile(f"{path}: the table has a head and no rows; there is nothing to report on")
    if "eval" not in frame.columns:
        frame["eval"] = eval_of(file)
    out = _checked(frame, path)
    out.attrs[MAPPED] = tuple(t for t in layouts.columns.values() if t in had)
    return out


def table_of(text: str, layout: Layout, evals: Callable[[], np.ndarray]) -> pd.DataFrame:
    """Separated values as a checked frame with the columns MAPPED, as `read` gives a file.

    evals: the eval of each row, where the table has no column for it. ScoresError or NoScores where
    a rule is broken, in words that name no file.
    """
    frame = read_csv(text, "")
    had = [str(c) for c in frame.columns]
    frame, unknown = mapped(frame, layout, "")
    _check_columns(frame, had, unknown, "", must_be_scores=False)
    if "eval" not in frame.columns:
        frame["eval"] = evals()
    out = _checked(frame, "")
    out.attrs[MAPPED] = tuple(t for t in layout.columns.values() if t in had)
    return out


def _may_be_table(file: File, layout: Layout) -> bool:
    """Whether a file of a folder can be a table: by its suffix, or as JSON that holds an array or
    whose rows are named.
    """
    if file.name.endswith(SUFFIXES):
        return True
    if not file.name.endswith(".json"):
        return False
    head = file.head().lstrip(b"\xef\xbb\xbf \t\r\n")
    return bool(layout.rows) or head.startswith(b"[") or is_split(head)


def _parsed(file: File, layout: Layout) -> pd.DataFrame:
    data = file.read()
    return parsed(Table(unpacked(data, file.path) if packing_of(data) else data, file, layout))


def _checked(frame: pd.DataFrame, path: str) -> pd.DataFrame:
    try:
        return check_rows(with_epochs(frame), path, renumber=False)
    except ScoresError as error:
        told = hint(frame["score"]) if "column 'score': not a number" in str(error) else ""
        raise type(error)(f"{error}\n{path}: {told}" if told else str(error)) from None


def _check_columns(
    frame: pd.DataFrame, had: list[str], unknown: Sequence[str], path: str, must_be_scores: bool
) -> None:
    """NoScores or ScoresError where the table lacks some columns."""
    lacking = [c for c in REQUIRED if c not in frame.columns]
    if len(lacking) > 1 and not must_be_scores:
        raise NoScores(f"no columns {' and '.join(map(repr, lacking))}")
    if unknown:
        raise ScoresError(f"{path}: no column {unknown[0]!r} to map{did_you_mean(unknown[0], had)}")
    if not lacking:
        return
    close = did_you_mean(lacking[0], frame.columns) if len(lacking) == 1 else ""
    if not close:
        close = f"; there are {', '.join(repr(str(c)) for c in list(frame.columns)[:12])}"
    ways = ["rename it", MAP.format(lacking[0])]
    if "model" in lacking and "score" in lacking:
        ways.append(WIDE)
    if not {"question_id", "score"} & {*frame.columns} and {"mean", "se"} & {*frame.columns}:
        ways.append(MEANS)
    raise ScoresError(
        f"{path}: no column {', '.join(map(repr, lacking))}{close} ({'; or '.join(ways)})"
    )


def eval_of(file: File) -> str:
    """The eval of a table without that column, by the name of its folder or file.

    A folder partitioned by eval, as DuckDB, Polars and pandas write it, has it in its own name.
    """
    kind, _, value = posixpath.basename(file.folder.replace(os.sep, "/")).partition("=")
    if kind == "eval" and value:
        return unquote(value)
    return stem_of(os.path.basename(file.path))


def all_mapped(columns: Mapping[str, str], found: Collection[str], sources: Sequence[str]) -> None:
    """ScoresError for a column that no table has. Each table had one of our name, so the mapping is
    perhaps a slip.
    """
    lost = [(ours, t) for ours, t in columns.items() if t not in found and not _is_made(t)]
    if lost:
        ours, theirs = lost[0]
        close = did_you_mean(theirs, found) if found else ""
        raise ScoresError(
            f"{', '.join(sources)}: no table has a column {theirs!r} to read as "
            f"{ours!r}{close}; correct the mapping, or leave it "
            "out"
        )


def _is_made(theirs: str) -> bool:
    """Whether a value of `columns` is no name of a column."""
    return is_constant(theirs) or is_path(theirs) or bool(captures(theirs))
