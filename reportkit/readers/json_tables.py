"""Tables in JSON: a line for each row, one array of rows, or rows somewhere in a document."""

import json
import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile
from reportkit.inputs.json_paths import Found, PathError, candidates, is_there, rows_at, value_at
from reportkit.inputs.layouts import Layout, captures, is_constant, is_path
from reportkit.readers.parsing import LONGEST_FIELD, parse_json

# Of JSON lines, each of which may name columns of its own: a table has the same ones in every line.
MOST_COLUMNS = 2000
INDEX = "index"
PLACES = "--columns 'model=[0],question_id=[1],score=[2]'"  # of rows without names
# A table as pandas calls "split": MLflow and W&B write theirs so.
_SPLIT = re.compile(r'\s*\{\s*"columns"\s*:\s*\[\s*"')
FREE_CELLS = 10**7  # rows times columns; more only where the lines fill them


def read_json(text: str, path: str, layout: Layout) -> pd.DataFrame:
    """Rows of JSON lines, of an array, or of a document where the layout says where they are."""
    if _SPLIT.match(text) and _is_split(document := _parsed(text, path)):
        return _split_frame(document, path)
    paths = [v for v in layout.columns.values() if not is_constant(v) and not captures(v)]
    if layout.rows or any(map(is_path, paths)):
        return _mapped_rows(documents(text, path), path, layout)
    if text.lstrip().startswith("["):
        return _frame(_entries(text, path), len(text), path)
    return _frame(_lines(text, path), len(text), path)


def is_split(head: bytes) -> bool:
    """Whether a file begins as the tables of MLflow and W&B do: the columns, then the rows."""
    return bool(_SPLIT.match(head.decode("utf-8-sig", "replace")))


def _is_split(document: Any) -> bool:
    rows = document.get("data")
    return isinstance(rows, list) and bool(rows) and isinstance(rows[0], list)


def _split_frame(document: Any, path: str) -> pd.DataFrame:
    """Lists of values under the names that stand beside them, once; `index` is each row's place, or
    what the file calls so.
    """
    names, rows = [str(n) for n in document["columns"]], document["data"]
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(names):
            raise BrokenFile(f"{path}: entry {number} of data is no list of {len(names)} values")
    _check_filled(len(names), len(rows), 10**9, path)
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    index = document.get("index")
    if INDEX not in names:
        known = isinstance(index, list) and len(index) == len(rows)
        frame[INDEX] = index if known else range(len(rows))
    return frame


def documents(text: str, path: str) -> list[Any]:
    """The JSON documents of a text: one as a whole, or one for each line."""
    try:
        return [_parsed(text, path)]
    except BrokenFile:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2:
            raise
    return [_parsed(line, f"{path}, line {n}") for n, line in lines]


def _parsed(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise BrokenFile(
            f"{where}: not JSON ({error}); if the file was cut off on its way, copy it again"
        ) from None
    except RecursionError:
        raise BrokenFile(
            f"{where}: JSON nested deeper than any table; leave the file out"
        ) from None


def _entries(text: str, path: str) -> Iterable[tuple[str, Any]]:
    for number, entry in enumerate(_parsed(text, path), 1):
        yield f"{path}, entry {number}", entry


def _lines(text: str, path: str) -> Iterable[tuple[str, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            yield where, parse_json(line)
        except ValueError as error:
            raise _no_lines(text, path, where, error) from None
        except RecursionError:
            raise BrokenFile(
                f"{where}: JSON nested deeper than any table; leave the file out"
            ) from None


def _no_lines(text: str, path: str, where: str, error: ValueError) -> BrokenFile:
    """Why a text is no JSON lines: perhaps it is one document, and has rows somewhere."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return BrokenFile(f"{where}: not JSON ({error}); one object is needed on each line")
    return BrokenFile(f"{path}: {no_rows(document)}")


def no_rows(document: Any) -> str:
    """What to do with a document whose rows nobody has named."""
    there = candidates(document)
    if not there:
        return "one JSON document without rows; leave the file out"
    best, n = there[0]
    return (
        f"one JSON document, and nothing says where its rows are; there are {n} at {best!r}: say "
        f"--read 'rows={best}', or let reportkit init propose it"
    )


def _frame(rows: Iterable[tuple[str, Any]], size: int, path: str) -> pd.DataFrame:
    kept: list[dict[str, Any]] = []
    names: set[str] = set()
    for where, row in rows:
        if not isinstance(row, dict):
            told = f"{where}: a {type(row).__name__}, not an object of columns and values"
            hint = f"; name its places: --read 'rows=[*]' {PLACES}" if isinstance(row, list) else ""
            raise BrokenFile(told + hint)
        names.update(row)
        kept.append(row)
        _check_filled(len(names), len(kept), size, where)
    if len(kept) == 1 and candidates(kept[0]) and not {"model", "score"} & names:
        raise BrokenFile(f"{path}: {no_rows(kept[0])}")
    return pd.DataFrame(kept, dtype=object)


def _check_filled(columns: int, rows: int, size: int, where: str) -> None:
    if columns > MOST_COLUMNS or columns * rows > max(FREE_CELLS, 4 * size):
        raise BrokenFile(
            f"{where}: {columns} different columns in {rows} lines; a table has the same ones in "
            "every line"
        )


def _mapped_rows(found: list[Any], path: str, layout: Layout) -> pd.DataFrame:
    """The rows that a layout names. A column that it maps is called as it is there, by its
    path; of the rest only short texts and numbers are kept.
    """
    try:
        rows = _objects([row for one in found for row in rows_at(one, layout.rows)])
        if not layout.rows and len(found) == 1 and isinstance(found[0], list):
            rows = rows_at(found[0], "[*]")
        theirs = [v for v in layout.columns.values() if not is_constant(v) and not captures(v)]
        kept: list[dict[str, Any]] = []
        names: set[str] = set()
        for row in rows:
            own = _short(row)
            own |= {t: value_at(row, t) for t in theirs if is_there(row, t)}
            names.update(own)
            kept.append(own)
            _check_filled(len(names), len(kept), 10**9, path)
    except PathError as error:
        raise BrokenFile(f"{path}: {error}") from None
    if not names and all(isinstance(row.value, list) for row in rows):
        raise BrokenFile(f"{path}: its rows are lists; name their places: {PLACES}")
    return pd.DataFrame(kept, dtype=object)


def _objects(rows: list[Found]) -> list[Found]:
    """Of an object's values, where some are objects, those: the others say what these are, such as
    the type that OpenCompass writes among the details.
    """
    if not any(isinstance(r.value, dict) for r in rows):
        return rows
    return [r for r in rows if isinstance(r.value, dict) or not isinstance(r.key, str)]


def _short(row: Found) -> dict[str, Any]:
    if not isinstance(row.value, dict):
        return {}
    return {
        name: value
        for name, value in row.value.items()
        if isinstance(value, int | float)
        or (isinstance(value, str) and len(value) <= LONGEST_FIELD)
    }
