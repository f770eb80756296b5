"""Packed files within limits: what a small file could make of itself is refused before it is made.

Real logs and tables stay far below each limit: scores pack to a twentieth of their size, and a
scores folder that import writes has files of at most a million rows.
"""

import gzip
import io
import zlib
from typing import Any

import pandas as pd

from reportkit.inputs.files import MOST, BrokenFile

FREE = 2**28  # bytes that any file may unpack to; a larger one to
TIMES = 100  # its own size
# the same of rows times columns, of which Parquet packs many alike to nothing
FREE_CELLS = 5 * 10**6
MOST_CELLS = 5 * 10**8
LONG_TEXTS = 2**26  # bytes of a column of texts; a longer one stays coded, each text once


def unpacked_at_most(size: int) -> int:
    """Bytes that a file of `size` bytes may unpack to.

    >>> unpacked_at_most(1000) == 2**28, unpacked_at_most(10**7), unpacked_at_most(10**12) == MOST
    (True, 1000000000, True)
    """
    return min(MOST, max(FREE, TIMES * size))


def gunzip(data: bytes, path: str) -> bytes:
    """The content of a gzip file; BrokenFile where it is damaged or too large."""
    most, blocks, size = unpacked_at_most(len(data)), [], 0
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            while block := stream.read(2**20):
                blocks.append(block)
                size += len(block)
                if size > most:
                    raise BrokenFile(
                        f"{path}: unpacks to more than {most // 2**20} MB, far more than scores "
                        "do; if it is "
                        "right, give it unpacked"
                    )
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenFile(f"{path}: not a readable gzip file ({error}); copy it again") from None
    return b"".join(blocks)


def check_parquet(metadata: Any, size: int, path: str) -> None:
    """BrokenFile where a Parquet file of `size` bytes says that it holds more than a file of scores
    does.
    """
    cells = metadata.num_rows * metadata.num_columns
    if cells > min(MOST_CELLS, max(FREE_CELLS, TIMES * size)):
        raise BrokenFile(
            f"{path}: {metadata.num_rows:,} rows of {metadata.num_columns} columns in {size:,} "
            "bytes, far more "
            "than scores have; if it is right, split it into files of a million rows"
        )
    unpacked = sum(metadata.row_group(g).total_byte_size for g in range(metadata.num_row_groups))
    if unpacked > unpacked_at_most(size):
        raise BrokenFile(
            f"{path}: unpacks to {unpacked / 2**20:,.0f} MB from {size:,} bytes, far more than "
            "scores do; if "
            "it is right, split it"
        )


def parquet_frame(data: bytes, path: str) -> pd.DataFrame:
    """A Parquet file as pandas reads it; BrokenFile where it is damaged or too large."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(io.BytesIO(data))
        check_parquet(parquet.metadata, len(data), path)
        texts = [f.name for f in parquet.schema_arrow if f.type in (pa.string(), pa.large_string())]
        table = pq.ParquetFile(io.BytesIO(data), read_dictionary=texts).read()
        table.validate(full=True)  # bytes that are no UTF-8 would be found by whoever looks at them
        for k, field in enumerate(table.schema):
            if field.name not in texts or not pa.types.is_dictionary(field.type):
                continue
            coded = table.column(k)
            lengths = [pc.binary_length(c.dictionary).take(c.indices) for c in coded.chunks]
            if sum(pc.sum(n).as_py() or 0 for n in lengths) <= LONG_TEXTS:
                table = table.set_column(k, field.name, coded.cast(field.type.value_type))
        return table.to_pandas()
    except BrokenFile:
        raise
    except Exception as error:  # pyarrow's own classes vary; the file is at fault in all of them
        raise BrokenFile(
            f"{path}: not a readable Parquet file: {str(error).splitlines()[0]}"
        ) from None
