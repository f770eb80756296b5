"""What proves that a file of a scores folder is as it was written: the hash in its name, or a seal.

A file of rows or of questions is named by the hash of its bytes. The list of runs keeps its name,
so it holds the hash of itself: in its metadata, computed with zeros in the hash's place. Each read
computes it again, so one bit that flipped anywhere is found before anything is decoded.
"""

import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import reached
from reportkit.inputs.files import File

SEAL = b"reportkit.seal"
UNSEALED = "0" * 64
_SEALED = re.compile(re.escape(SEAL) + rb"..([0-9a-f]{64})", re.DOTALL)
DIGITS = 24  # of a hash, in a name


def digest(data: bytes) -> str:
    """The hash by which a file is named.

    >>> digest(b"")
    'e3b0c44298fc1c149afbf4c8'
    """
    return hashlib.sha256(data).hexdigest()[:DIGITS]


def sealed(data: bytes) -> bytes:
    """A file that was written with the seal UNSEALED, with the hash in its place."""
    start, end = _place(data)
    return data[:start] + hashlib.sha256(data).hexdigest().encode() + data[end:]


def seal_of(data: bytes) -> bool | None:
    """Whether a file is as it was sealed; None where it has no seal."""
    try:
        start, end = _place(data)
    except ValueError:
        return None
    whole = hashlib.sha256(data[:start])
    whole.update(UNSEALED.encode())
    whole.update(data[end:])
    return whole.hexdigest().encode() == data[start:end]


def _place(data: bytes) -> tuple[int, int]:
    """Where the seal's hash is: the last, since all that sources are called stands before it."""
    found = _SEALED.match(data, max(data.rfind(SEAL), 0))
    if found is None:
        raise ValueError("no seal")
    return found.span(1)


def checked_bytes(folder: str, path: str) -> bytes:
    """The bytes of a file of rows or questions; ScoresError where they are not those of its
    name.
    """
    file = File(f"{folder.rstrip('/')}/{path}")
    data = file.read()
    stem = file.name.removesuffix(".parquet")
    if len(stem) < DIGITS or not file.sha256().startswith(stem):
        raise ScoresError("its bytes are not those of its name")
    return data


def table_of(data: bytes, path: str, leave: Collection[str] = ()) -> pa.Table:
    """A file's bytes as a table whose texts are coded. leave: columns that are not read."""
    with reached(path):
        schema = pq.read_schema(pa.BufferReader(data))
        texts = [f.name for f in schema if pa.types.is_string(f.type)]
        parquet = pq.ParquetFile(
            pa.BufferReader(data), read_dictionary=texts, page_checksum_verification=True
        )
        return parquet.read([n for n in schema.names if n not in leave])


def compact(table: pa.Table) -> pa.Table:
    """A table with each coded column in one piece, whose dictionary has the texts that occur, in
    the order in which they do: the same table for the same rows, whatever they were cut from.
    """
    table = table.unify_dictionaries().combine_chunks()
    for k, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            table = table.set_column(k, field.name, _compact(table.column(k).combine_chunks()))
    return table


def _compact(coded: Any) -> pa.DictionaryArray:
    if isinstance(coded, pa.ChunkedArray):  # of a table without rows
        return pa.array([], pa.string()).dictionary_encode()
    codes = coded.indices.fill_null(-1).to_numpy()
    seen = pd.unique(codes)
    seen = seen[seen >= 0]
    place = np.full(len(coded.dictionary) + 1, -1, np.int32)  # the last is that of no text, -1
    place[seen] = np.arange(len(seen))
    mine = place[codes]
    return pa.DictionaryArray.from_arrays(
        pa.array(mine, mask=mine < 0), coded.dictionary.take(pa.array(seen))
    )


def parquet_bytes(
    columns: "dict[str, pa.Array] | pa.Table",
    metadata: Mapping[bytes, str] | None = None,
    rows: int = 250_000,
) -> bytes:
    """A table as Parquet: the same bytes for the same table. rows: of a row group."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    table = table.replace_schema_metadata(None)
    sink = pa.BufferOutputStream()
    # Pages have checksums for who reads a file with another tool. The schema is not stored: it
    # would hold the metadata a second time.
    options: dict[str, Any] = {"write_page_checksum": True, "store_schema": False}
    with pq.ParquetWriter(sink, table.schema, compression="zstd", **options) as writer:
        writer.write_table(table, row_group_size=rows)
        if metadata:
            writer.add_key_value_metadata(metadata)
    return sink.getvalue().to_pybytes()
