"""Plain tables of scores: CSV, JSON lines and Parquet, told apart by their bytes."""

import csv
import io
import os
import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import pandas as pd

from reportkit.errors import ScoresError, did_you_mean
from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.sources import MARK
from reportkit.inputs.unpacking import gunzip, parquet_frame
from reportkit.readers.parsing import parse_json
from reportkit.scores.rows import REQUIRED, check_rows, with_epochs

SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".jsonl", ".jsonl.gz", ".ndjson", ".parquet")

# Of JSON lines, each of which may name columns of its own: a table has the same ones in every line.
MOST_COLUMNS = 2000
FREE_CELLS = 10**7  # rows times columns; more only where the lines fill them


MAP = "tell its name in the table with --columns {}=THEIRS or [columns] in reportkit.toml"
WIDE = "give a table with a column for each model as a DataFrame, in Python"


MAPPED = "mapped"


class NoScores(Exception):
    """The file is a table of something else."""


def read(file: File, columns: Mapping[str, str], *, must_be_scores: bool) -> pd.DataFrame:
    """One file as a checked frame. Its attrs[MAPPED] holds the columns that had other names."""
    path = file.path
    if file.name == MARK:
        raise NoScores("a scores folder inside another folder; give its own path to read it")
    if not must_be_scores and not file.name.endswith(SUFFIXES):
        raise NoScores("neither a log of a known harness nor a table")
    frame = _parse(file.read(), path)
    if not len(frame.columns):
        raise BrokenFile(
            f"{path}: the file is empty; a scores table has the columns {', '.join(REQUIRED)}"
        )
    mapped = tuple(c for c in columns if c in frame.columns)
    frame = _renamed(frame, columns, path, must_be_scores)
    if not len(frame):
        raise BrokenFile(f"{path}: the table has a head and no rows; there is nothing to report on")
    if "eval" not in frame.columns:
        frame["eval"] = _eval_of(file)
    out = check_rows(with_epochs(frame), path, renumber=False)
    out.attrs[MAPPED] = mapped
    return out


def _renamed(
    frame: pd.DataFrame, columns: Mapping[str, str], path: str, must_be_scores: bool
) -> pd.DataFrame:
    """The table with our names of columns. NoScores or ScoresError where it lacks some of them."""
    had = [str(c) for c in frame.columns]
    unknown = [c for c in columns if c not in had and columns[c] not in had]
    # A column of our name gives way to the one that is said to be it.
    there = [c for c in columns if c in frame.columns]
    given_way = [columns[c] for c in there if columns[c] != c and columns[c] not in there]
    frame = frame.drop(columns=given_way, errors="ignore").rename(columns=dict(columns))
    lacking = [c for c in REQUIRED if c not in frame.columns]
    if len(lacking) > 1 and not must_be_scores:
        raise NoScores(f"no columns {' and '.join(map(repr, lacking))}")
    if unknown:
        raise ScoresError(f"{path}: no column {unknown[0]!r} to map{did_you_mean(unknown[0], had)}")
    if lacking:
        hint = did_you_mean(lacking[0], frame.columns) if len(lacking) == 1 else ""
        if not hint:
            hint = f"; there are {', '.join(repr(str(c)) for c in list(frame.columns)[:12])}"
        ways = ["rename it", MAP.format(lacking[0])]
        if "model" in lacking and "score" in lacking:
            ways.append(WIDE)
        raise ScoresError(
            f"{path}: no column {', '.join(map(repr, lacking))}{hint} ({'; or '.join(ways)})"
        )
    return frame


def _eval_of(file: File) -> str:
    """The eval of a table without that column, by the name of its folder or file.

    A folder partitioned by eval, as DuckDB, Polars and pandas write it, has it in its own name.
    """
    kind, _, value = posixpath.basename(file.folder.replace(os.sep, "/")).partition("=")
    if kind == "eval" and value:
        return unquote(value)
    name = os.path.basename(file.path)
    suffixes = Path(name).suffixes[-2:] if name.endswith(".gz") else Path(name).suffixes[-1:]
    return name.removesuffix("".join(suffixes)) or name


def all_mapped(columns: Mapping[str, str], found: Collection[str], sources: Sequence[str]) -> None:
    """ScoresError for a column that no table has. Each table had one of our name, so the mapping is
    perhaps a slip.
    """
    lost = [c for c in columns if c not in found]
    if lost:
        raise ScoresError(
            f"{', '.join(sources)}: no table has a column {lost[0]!r} to read as "
            f"{columns[lost[0]]!r}{did_you_mean(lost[0], found)}; correct the mapping, or leave it "
            "out"
        )


def _parse(data: bytes, path: str) -> pd.DataFrame:
    if data[:4] == b"PAR1":
        return parquet_frame(data, path)
    if data[:2] == b"\x1f\x8b":
        data = gunzip(data, path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BrokenFile(
            f"{path}: not a table: byte {error.start} is not UTF-8 text; give CSV, JSON lines or "
            "Parquet"
        ) from None
    if "\0" in text:
        raise BrokenFile(
            f"{path}: not a table: it holds binary data; give CSV, JSON lines or Parquet"
        )
    if not text.strip():
        return pd.DataFrame()
    return _json_lines(text, path) if text.lstrip()[0] in "{[" else _csv(text, path)


def _json_lines(text: str, path: str) -> pd.DataFrame:
    rows = []
    names: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
        except ValueError as error:
            raise BrokenFile(
                f"{path}, line {number}: not JSON ({error}); one object is needed on each line"
            ) from None
        except RecursionError:
            raise BrokenFile(
                f"{path}, line {number}: JSON nested deeper than any table; leave the file out"
            ) from None
        if not isinstance(row, dict):
            raise BrokenFile(
                f"{path}, line {number}: a {type(row).__name__}, not an object of columns and "
                "values"
            )
        names.update(row)
        rows.append(row)
        if len(names) > MOST_COLUMNS or len(names) * len(rows) > max(FREE_CELLS, 4 * len(text)):
            raise BrokenFile(
                f"{path}, line {number}: {len(names)} different columns in {len(rows)} lines; a "
                "table has "
                "the same ones in every line"
            )
    return pd.DataFrame(rows, dtype=object)


def _csv(text: str, path: str) -> pd.DataFrame:
    text = re.sub(r"\A\s*[\r\n]", "", text)  # blank lines before the head
    head = text.strip().splitlines()[0]
    if head.startswith("<"):
        raise BrokenFile(
            f"{path}: a web page or XML ({head[:60]!r}), not a table; give CSV, JSON lines or "
            "Parquet"
        )
    separator = max([",", "\t", ";"], key=head.count)
    if not head.count(separator):
        raise BrokenFile(
            f"{path}: not a table: its first line is {head[:60]!r}; give CSV, JSON lines or Parquet"
        )
    try:
        # Everything as text: a model may be called NA, and an id 007.
        frame = pd.read_csv(
            io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, na_filter=False
        )
        first = next(csv.reader(io.StringIO(text), delimiter=separator))
        if not isinstance(frame.index, pd.RangeIndex):
            raise BrokenFile(
                f"{path}: rows have more cells than the head has columns; quote the cells that "
                "hold a comma"
            )
        if len(first) != len(frame.columns):
            raise ValueError(f"its head is read as {len(first)} or as {len(frame.columns)} columns")
        short = _short_rows(text, separator, len(frame), len(first))
    except BrokenFile:
        raise
    except (pd.errors.ParserError, ValueError, csv.Error) as error:
        reason = str(error).strip().removeprefix("Error tokenizing data. C error: ")
        raise BrokenFile(
            f"{path}: not a table: {reason}; quote the cells that hold a {separator!r} or a quote"
        ) from None
    if short:
        raise BrokenFile(
            f"{path}: {len(short)} of {len(frame)} rows have fewer cells than the head has "
            "columns, the first is "
            f"row {short[0]}; if the file was cut off on its way, copy it again"
        )
    # pandas would call a second column of one name "score.1"
    frame.columns = [name.strip() for name in first]
    return frame


def _short_rows(text: str, separator: str, n: int, width: int) -> list[int]:
    """Rows that end early. pandas fills them with "", which looks like an empty score. The rows are
    read again only where the number of separators is wrong.
    """
    if '"' not in text and text.count(separator) == (n + 1) * (width - 1):
        return []
    # of the whole process, and 128 KB: less than a prompt may have
    limit = csv.field_size_limit(2**31 - 1)
    try:
        rows = (
            r
            for r in csv.reader(io.StringIO(text), delimiter=separator)
            if any(c.strip() for c in r) or len(r) > 1
        )
        return [k for k, row in enumerate(rows) if len(row) < width]
    finally:
        csv.field_size_limit(limit)
