"""Tables of databases and workbooks: SQLite, DuckDB, Excel and OpenDocument, and Arrow's own files.

A database is opened read-only, and only tables that it holds are read: no view, and nothing that
the file could make it run.
"""

import io
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import pandas as pd

from reportkit.errors import MissingPackageError, ScoresError, add_extra, did_you_mean
from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.unpacking import check_cells, check_zip, unpacked_at_most
from reportkit.readers.mapping import folded
from reportkit.scores.rows import REQUIRED

MOST_CELLS = 10**8  # of a table of a database, rows times columns
BATCH = 50_000  # rows that are fetched at once
NO_DUCKDB = f"a DuckDB file needs the package duckdb; {add_extra('tables')}"
NO_CALAMINE = f"a workbook needs the package python-calamine; {add_extra('tables')}"


def chosen(names: Sequence[str], wanted: str, path: str, fitting: Sequence[str] = ()) -> str:
    """The table to read: the one that is asked for, the only one, or the only one with the columns
    of scores. ScoresError, with those there are, where it is none.
    """
    if wanted:
        if wanted in names:
            return wanted
        raise ScoresError(f"{path}: no table {wanted!r}{did_you_mean(wanted, names)}")
    if len(names) == 1:
        return names[0]
    if len(fitting) == 1:
        return fitting[0]
    if not names:
        raise BrokenFile(f"{path}: it holds no table")
    shown = ", ".join(map(repr, names[:10]))
    more = f" and {len(names) - 10} more" if len(names) > 10 else ""
    raise ScoresError(
        f"{path}: {len(names)} tables, {shown}{more}; say which one with --read table=NAME or "
        "table in [[layouts]]"
    )


def read_sqlite(file: File, data: bytes, wanted: str) -> pd.DataFrame:
    """One table of an SQLite file. It is read from a copy in memory, so nothing can be written."""
    log = file.sibling(file.name + "-wal")
    if log is not None and log.size():
        raise BrokenFile(
            f"{file.path}: a program is writing to it, or ended without closing it (there is "
            f"{log.name}); close the program, or copy the database with its backup command"
        )
    # A database in WAL mode cannot be opened in memory; there is no log, so it is a plain one.
    data = data[:18] + b"\1\1" + data[20:] if data[18:20] == b"\2\2" else data
    try:
        with closing(sqlite3.connect(":memory:")) as base:
            base.deserialize(data)
            base.execute("PRAGMA trusted_schema=OFF")
            base.execute("PRAGMA query_only=ON")
            listed = base.execute(
                "SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' "
                "AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
            )
            names = [str(n) for (n,) in listed]
            fitting = [n for n in names if _is_fitting(_columns_of(base, _quoted(n)))]
            name = chosen(names, wanted, file.path, fitting)
            cursor = base.execute(f"SELECT * FROM {_quoted(name)}")
            columns = [str(c[0]) for c in cursor.description]
            rows = _fetched(cursor, len(columns), file.path)
    except (sqlite3.Error, MemoryError) as error:
        raise BrokenFile(
            f"{file.path}: not a readable SQLite file ({error}); copy it again"
        ) from None
    return pd.DataFrame(rows, columns=columns, dtype=object)


def _columns_of(base: Any, table: str) -> list[str]:
    """The columns of a table, whose name is as SQL has it."""
    cursor = base.execute(f"SELECT * FROM {table} LIMIT 0")
    return [str(c[0]) for c in cursor.description]


def _is_fitting(columns: Sequence[str]) -> bool:
    return set(REQUIRED) <= {folded(c) for c in columns}


def _quoted(name: str) -> str:
    """A name as SQL has it: whatever it holds, it ends no quotes."""
    return '"' + name.replace('"', '""') + '"'


def _fetched(cursor: Any, width: int, path: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    while batch := cursor.fetchmany(BATCH):
        rows += batch
        if len(rows) * width > MOST_CELLS:
            raise BrokenFile(
                f"{path}: more than {MOST_CELLS:,} cells in one table; write it as Parquet"
            )
    return rows


def read_duckdb(file: File, wanted: str) -> pd.DataFrame:
    """One table of a DuckDB file, opened read-only and without access to other files."""
    try:
        import duckdb
    except ImportError:
        raise MissingPackageError(NO_DUCKDB) from None
    settings: dict[str, Any] = {
        "enable_external_access": "false",
        "autoload_known_extensions": "false",
    }
    try:
        with (
            _near(file) as path,
            closing(duckdb.connect(path, read_only=True, config=settings)) as base,
        ):
            listed = base.execute(
                "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary "
                "AND schema_name = 'main' ORDER BY table_name"
            )
            names = [str(n) for (n,) in listed.fetchall()]
            fitting = [n for n in names if _is_fitting(_columns_of(base, f"main.{_quoted(n)}"))]
            name = chosen(names, wanted, file.path, fitting)
            columns = _columns_of(base, f"main.{_quoted(name)}")
            rows = _fetched(
                base.execute(f"SELECT * FROM main.{_quoted(name)}"), len(columns), file.path
            )
    except duckdb.Error as error:
        reason = str(error).splitlines()[0].replace(file.path, "it")
        raise BrokenFile(f"{file.path}: not a readable DuckDB file ({reason})") from None
    return pd.DataFrame(rows, columns=columns, dtype=object)


@contextmanager
def _near(file: File) -> Iterator[str]:
    """A path of this machine: DuckDB reads no others."""
    if not file.remote:
        yield file.path
        return
    with tempfile.TemporaryDirectory() as folder:
        near = os.path.join(folder, "copy.duckdb")
        with open(near, "wb") as out:
            out.write(file.read())
        yield near


def read_workbook(data: bytes, path: str, wanted: str) -> pd.DataFrame:
    """One sheet of an Excel or OpenDocument file; its first row is the head."""
    try:
        import python_calamine as calamine
    except ImportError:
        raise MissingPackageError(NO_CALAMINE) from None
    if data[:2] == b"PK":
        check_zip(data, path)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = {n: _sheet(book, n) for n in book.sheet_names}
    except Exception as error:  # its classes vary; the file is at fault in all of them
        raise BrokenFile(f"{path}: not a readable workbook ({error}); save it again") from None
    filled = [n for n, rows in sheets.items() if len(rows) > 1]
    fitting = [n for n in filled if _is_fitting([str(c).strip() for c in sheets[n][0]])]
    head, *rows = sheets[chosen(filled or list(sheets), wanted, path, fitting)] or [[]]
    width = max((k + 1 for k, c in enumerate(head) if str(c).strip()), default=0)
    cells = [[_cell(c) for c in row[:width]] for row in rows]
    names = [str(_cell(c) or "").strip() for c in head[:width]]
    return pd.DataFrame([r for r in cells if any(c is not None for c in r)], columns=names,
                        dtype=object)  # fmt: skip


def _sheet(book: Any, name: str) -> list[list[Any]]:
    sheet = book.get_sheet_by_name(name)
    if sheet.height * sheet.width > MOST_CELLS:
        raise ValueError(f"sheet {name!r} has {sheet.height:,} rows of {sheet.width:,} cells")
    rows: list[list[Any]] = sheet.to_python(skip_empty_area=True)
    return rows


def _cell(value: Any) -> Any:
    """A cell as a table of text would have it: empty is none, and a whole number has no point."""
    if value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value if isinstance(value, int | float | str) else str(value)


def read_arrow(data: bytes, path: str) -> pd.DataFrame:
    """A file of Arrow's own format, which Feather is since its version 2."""
    import pyarrow as pa

    _check_buffers(data, path)
    try:
        with pa.ipc.open_file(pa.BufferReader(data)) as parts:
            table = parts.read_all()
        check_cells(table.num_rows, table.num_columns, len(data), path)
        table.validate(full=True)
        return table.to_pandas()
    except BrokenFile:
        raise
    except Exception as error:  # pyarrow's own classes vary; the file is at fault in all of them
        raise BrokenFile(
            f"{path}: not a readable Feather file: {str(error).splitlines()[0]}"
        ) from None


_FRAMES = (b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18")  # how zstd and lz4 begin


def _check_buffers(data: bytes, path: str) -> None:
    """BrokenFile where the packed parts of a file say that they unpack to far more than scores do.
    Each has its size unpacked in the eight bytes before it.
    """
    total = 0
    for magic in _FRAMES:
        at = data.find(magic, 8)
        while at > 0:
            if at % 8 == 0:
                total += max(0, int.from_bytes(data[at - 8 : at], "little", signed=True))
            at = data.find(magic, at + 4)
    if total > unpacked_at_most(len(data)):
        raise BrokenFile(
            f"{path}: unpacks to {total / 2**20:,.0f} MB from {len(data):,} bytes, far more than "
            "scores do; if it is right, split it"
        )
