"""Rows of a scores folder as frames: texts as categories, which runs of one file share."""

import json
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from reportkit.errors import ScoresError
from reportkit.loading.store.schema import Entry
from reportkit.scores.rows import STATUSES
from reportkit.scores.run import ROWS

# ids, and each field's codes and categories
Known = tuple[pd.Index, dict[str, tuple[np.ndarray, pd.CategoricalDtype]]]
Cut = tuple[np.ndarray | None, pd.CategoricalDtype]  # the codes' new places, and their texts
_STATUS = pd.CategoricalDtype(list(STATUSES))
_NONE: tuple[np.ndarray, Cut] = np.array([-2]), (None, _STATUS)  # no codes are these


class FileColumns:
    """The columns of a file of rows, of which each run has a part."""

    def __init__(self, table: pa.Table):
        self.n = table.num_rows
        self.values: dict[str, np.ndarray] = {}
        self.texts: dict[str, pd.Index] = {}
        self._with_gaps: dict[str, pa.ChunkedArray] = {}  # where a run without any has its type
        self._cuts: dict[tuple[str, bytes], Cut] = {}
        self._last: dict[
            str, tuple[np.ndarray, Cut]
        ] = {}  # of the run before: codes, and their cut
        for name in table.column_names:
            column = table[name]
            if pa.types.is_dictionary(column.type):
                coded = column.unify_dictionaries().combine_chunks()
                self.values[name] = coded.indices.fill_null(-1).to_numpy()
                self.texts[name] = pd.Index(coded.dictionary.to_pandas())
            else:
                self.values[name] = column.to_numpy()
                if column.null_count and not pa.types.is_floating(column.type):
                    self._with_gaps[name] = column

    def rows(self, entry: Entry, known: Known | None) -> pd.DataFrame:
        """The rows of one run; `known`: what its questions have. ScoresError where the file has
        others.
        """
        first, end = entry.first_row, entry.first_row + entry.n_rows
        total = entry.file_rows or entry.n_rows
        if end > self.n or total != self.n or not {*ROWS} <= {*self.values}:
            raise ScoresError(f"{self.n} rows, columns {', '.join(self.values)}")
        mine = {*entry.columns}
        rows: dict[str, Any] = {
            name: self._cut(name, values, slice(first, end))
            for name, values in self.values.items()
            if name in mine
        }
        if known is not None:
            ids, columns = known
            asked = rows["question_id"]
            where = asked.codes
            if not ids.equals(asked.categories):
                where = ids.get_indexer(asked.categories)[where]
            rows |= {
                n: pd.Categorical.from_codes(c[where], dtype=dtype, validate=False)
                for n, (c, dtype) in columns.items()
            }
        return pd.DataFrame({c: rows.get(c) for c in entry.columns}, copy=False)

    def _cut(self, name: str, values: np.ndarray, part: slice) -> Any:
        """A run's part of a column. Its categories are the texts that it has, in their order."""
        if name in self._with_gaps:
            return self._with_gaps[name][part].to_pandas()
        values = values[part]
        if name not in self.texts:
            return values
        # the runs of a file mostly answer the same questions in the same order
        before, (place, dtype) = self._last.get(name, _NONE)
        if not np.array_equal(before, values):
            place, dtype = self._cut_of(name, values)
            self._last[name] = values, (place, dtype)
        codes = values if place is None else place[values]
        return pd.Categorical.from_codes(codes, dtype=dtype, validate=False)

    def _cut_of(self, name: str, values: np.ndarray) -> Cut:
        seen = pd.unique(values)
        seen = seen[seen >= 0]
        key = (name, seen.tobytes())
        if key not in self._cuts:
            self._cuts[key] = self._texts_of(name, seen)
        return self._cuts[key]

    def _texts_of(self, name: str, seen: np.ndarray) -> Cut:
        texts = self.texts[name]
        if name == "status":  # policies change it to others of these
            place = np.append(_STATUS.categories.get_indexer(texts), -1).astype(np.int8)
            return place, _STATUS
        if np.array_equal(seen, np.arange(len(texts))):
            return None, pd.CategoricalDtype(texts)
        place = np.full(len(texts) + 1, -1, np.int32)  # the last is that of no text, -1
        place[seen] = np.arange(len(seen))
        return place, pd.CategoricalDtype(texts[seen])


def known_of(table: pa.Table) -> Known:
    """Ids of questions, and each field of theirs as codes of categories; metadata that many share
    is parsed once.
    """
    metadata = table["metadata"].unify_dictionaries().combine_chunks()
    used, codes = np.unique(metadata.indices.to_numpy(), return_inverse=True)
    distinct = [json.loads(t) for t in metadata.dictionary.take(pa.array(used)).to_pylist()]
    columns: dict[str, Any] = {
        name: np.array([d.get(name) for d in distinct], dtype=object)[codes]
        for name in dict.fromkeys(k for d in distinct for k in d)
    }
    if "content_hash" in table.column_names:
        columns["content_hash"] = np.array(table["content_hash"].to_pylist(), dtype=object)
    coded = {name: pd.Categorical(values) for name, values in columns.items()}
    return pd.Index(table["question_id"].to_pylist()), {
        n: (c.codes, c.dtype) for n, c in coded.items()
    }
