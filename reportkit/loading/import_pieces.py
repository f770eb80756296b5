"""A long table of separated values, imported piece by piece.

Each piece is some megabytes of whole rows under the table's own head, read and checked as a table
is. What it has of each model waits packed, so that memory holds one piece as a frame and the rest
as a few bytes a row. A table of which a piece breaks a rule, or whose pieces have columns of
different types, is read as a whole: what is said of it names its own rows, and its types are those
of all.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd
import pyarrow as pa

from reportkit.errors import ScoresError
from reportkit.inputs.file_systems import reached
from reportkit.inputs.files import File
from reportkit.inputs.layouts import Layouts
from reportkit.loading.store.rows import as_texts
from reportkit.readers import read_file, tabular
from reportkit.readers.tabular import NoScores
from reportkit.scores.run import Run

LONG = 16 * 2**20  # bytes of a table that is read in pieces
PIECE = 2**20  # bytes of a piece; as a frame it is ten times as large
_SUFFIXES = (".csv", ".tsv")
_PACKED = pa.ipc.IpcWriteOptions(compression="zstd")


@dataclass(slots=True)
class _Piece(File):
    """Some rows of a table, with its head: a file to who reads it."""

    data: bytes = b""

    def read(self) -> bytes:
        return self.data

    def head(self) -> bytes:
        return self.data[:65536]


@dataclass(slots=True)
class _Packed:
    """The rows of one eval and model as far as they are read."""

    parts: list[pa.Buffer] = field(default_factory=list)

    def take(self, rows: pd.DataFrame) -> None:
        table = pa.table({str(c): _array(rows[c]) for c in rows})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema, options=_PACKED) as stream:
            stream.write_table(table)
        self.parts.append(sink.getvalue())

    def rows(self) -> pd.DataFrame:
        tables = [pa.ipc.open_stream(part).read_all() for part in self.parts]
        return pa.concat_tables(tables).unify_dictionaries().to_pandas()


def _array(column: pd.Series) -> pa.Array:
    if column.dtype.kind in "iufb":
        return pa.array(column.to_numpy())
    codes, texts = pd.factorize(column)
    return pa.DictionaryArray.from_arrays(
        pa.array(codes.astype("int32"), mask=codes < 0),
        pa.array(as_texts(pd.Series(texts, dtype=object)), pa.string()),
    )


def runs_in_pieces(file: File, layouts: Layouts, mapped: set[str]) -> Iterator[Run] | None:
    """A long table as one run for each eval and model, as the whole table gives them; None where it
    is read as a whole. mapped: takes the columns that had other names.
    """
    if not file.name.endswith(_SUFFIXES) or file.size() < LONG:
        return None
    if not layouts.of(file.path).is_plain:  # a comment or an encoding goes through the whole text
        return None
    packed: dict[tuple[str, str], _Packed] = {}
    types: dict[str, dict[str, bool]] = {}
    try:
        for piece in _pieces(file):
            frame = read_file(piece, layouts)
            if not isinstance(frame, pd.DataFrame) or piece.lacks:
                return None
            mapped.update(frame.attrs.pop(tabular.MAPPED, ()))
            kinds = {str(c): frame[c].dtype.kind in "iuf" for c in frame}
            if types.setdefault("of", kinds) != kinds:
                return None
            groups = frame.groupby(["eval", "model"], sort=False, observed=True)
            for (e, m), rows in groups:
                key = str(e), str(m)
                packed.setdefault(key, _Packed()).take(rows.drop(columns=["eval", "model"]))
    except (NoScores, ScoresError):
        return None
    if not packed:  # one line: the whole text tells why it is no table
        return None
    return (Run("", e, m, rows=packed.pop((e, m)).rows()) for e, m in list(packed))


def _pieces(file: File) -> Iterator[_Piece]:
    """Whole rows at a time: a piece ends at the end of a line that no quotes hold open."""
    with reached(file.path), file.open() as stream:
        head = stream.readline()
        while rows := stream.read(PIECE):
            rows += stream.readline()
            while rows.count(b'"') % 2 and (more := stream.read(PIECE) + stream.readline()):
                rows += more
            yield _Piece(file.path, file.named, file.root, data=head + rows)
