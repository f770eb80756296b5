"""A table of others' columns as a table of ours: what a layout says, done."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from reportkit.errors import ScoresError, did_you_mean
from reportkit.inputs.json_paths import Found, PathError, has_star, value_at
from reportkit.inputs.layouts import (
    ALL,
    Layout,
    captured,
    captures,
    is_constant,
    is_path,
)
from reportkit.readers.mapped_values import stated, valued
from reportkit.scores.rows import COLUMNS, EPOCH_NAMES, OWN_COLUMNS

FREE_CELLS = 5 * 10**8  # of a wide table, made long
KNOWN = (*COLUMNS, *EPOCH_NAMES)


class NoPath(Exception):
    """A file whose path is not one that its layout names."""


def mapped(frame: pd.DataFrame, layout: Layout, path: str) -> tuple[pd.DataFrame, list[str]]:
    """The table with our names of columns and values as scores are, and the columns that the layout
    names and the table lacks.
    """
    frame, unknown = _named(frame, layout, path)
    frame = _exploded(frame, layout, path)
    frame = _in_any_case(frame)
    if layout.wide:
        frame = _long(frame, layout, path)
    if layout.statuses and "status" in frame.columns:
        frame = frame.assign(status=stated(frame["status"], layout.statuses))
    if "score" in frame.columns:
        frame = valued(frame, layout, path)
    return frame, unknown


# Columns ------------------------------------------------------------------------------------------


def _given(name: str, value: str, path: str) -> str | None:
    """What a value of `columns` is for every row of a file: a constant, or a part of its path; None
    where it is the name of a column.
    """
    if is_constant(value):
        return value[1:].strip()
    if not captures(value):
        return None
    found = captured(value, path)
    if found is None:
        raise NoPath(f"its path does not fit {value!r}")
    return found[name]


def _named(frame: pd.DataFrame, layout: Layout, path: str) -> tuple[pd.DataFrame, list[str]]:
    """Columns by our names, and those that are not there. One of our name gives way to the one that
    is said to be it.
    """
    had = [str(c) for c in frame.columns]
    renamed = {t: o for o, t in layout.columns.items() if t in had}
    further: dict[str, Any] = {}
    unknown = []
    for ours, theirs in layout.columns.items():
        if renamed.get(theirs) == ours:
            continue
        value = _given(ours, theirs, path)
        if theirs in had:  # it is another of our columns too
            further[ours] = _column(frame, theirs, path)
        elif value is not None:
            further[ours] = value
        elif (inner := _inner(frame, theirs, had, path)) is not None:
            further[ours] = inner
        elif ours not in had:
            unknown.append(theirs)
    replaced = {*renamed.values(), *further}
    if not replaced:  # of thousands of columns each copy costs
        return frame, unknown
    frame = frame.drop(columns=[c for c in had if c in replaced and c not in renamed])
    return frame.rename(columns=renamed).assign(**further), unknown


def _column(frame: pd.DataFrame, name: str, path: str) -> pd.Series:
    column = frame[name]
    if isinstance(column, pd.DataFrame):
        raise ScoresError(f"{path}: column {name!r} occurs twice; keep one of them")
    return column


def _inner(frame: pd.DataFrame, theirs: str, had: Iterable[str], path: str) -> pd.Series | None:
    """What a dotted path finds in columns that hold objects, as those of Parquet may."""
    head = re.split(r"[.\[]", theirs, maxsplit=1)[0]
    if not is_path(theirs) or head not in had:
        return None
    try:
        values = [
            value_at(Found({head: None if missing else _plain(v)}, 0, (), None), theirs)
            for v, missing in zip(frame[head].tolist(), frame[head].isna(), strict=True)
        ]
    except PathError as error:
        raise ScoresError(f"{path}: {error}") from None
    return pd.Series(values, index=frame.index, dtype=object)


def _plain(value: Any) -> Any:
    """Lists and objects of Arrow as JSON has them, at every depth."""
    if isinstance(value, np.ndarray | list):
        return [_plain(v) for v in value]
    return {k: _plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def _exploded(frame: pd.DataFrame, layout: Layout, path: str) -> pd.DataFrame:
    """A row for each entry of the columns whose paths end in lists: the epochs, from 1."""
    lists = [o for o, t in layout.columns.items() if o in frame and _is_starred(t)]
    if not lists:
        return frame
    lengths = {o: frame[o].map(lambda v: len(v) if isinstance(v, list) else 0) for o in lists}
    first = lengths[lists[0]]
    for other in lists[1:]:
        if (bad := (lengths[other] != first).to_numpy()).any():
            row = int(np.flatnonzero(bad)[0])
            raise ScoresError(
                f"{path}: {lists[0]!r} and {other!r} have lists of other lengths in "
                f"{int(bad.sum())} rows, the first is row {row + 1}; give lists of one length"
            )
    # of an empty list one row without a score: the question was asked, and is not lost
    for name in lists:
        cells = [v if isinstance(v, list) and v else [None] for v in frame[name]]
        frame = frame.assign(**{name: pd.Series(cells, index=frame.index, dtype=object)})
    counts = np.maximum(first.to_numpy(), 1)
    out = frame.explode(lists, ignore_index=True)
    if "epoch" not in out.columns:
        starts = np.cumsum(counts) - counts
        out["epoch"] = np.arange(len(out)) - np.repeat(starts, counts) + 1
    return out


def _is_starred(theirs: str) -> bool:
    if is_constant(theirs) or captures(theirs):
        return False
    try:
        return has_star(theirs)
    except PathError:
        return False


def _in_any_case(frame: pd.DataFrame) -> pd.DataFrame:
    """Our columns by our names where the table writes them in another case, or with a space."""
    had = [str(c) for c in frame.columns]
    alike: dict[str, list[str]] = {}
    for name in had:
        alike.setdefault(folded(name), []).append(name)
    new = {
        alike[ours][0]: ours for ours in KNOWN if ours not in had and len(alike.get(ours, ())) == 1
    }
    return frame.rename(columns=new) if new else frame


def folded(name: str) -> str:
    """A column's name in small letters, a space or a hyphen as an underscore.

    >>> folded("Question ID ")
    'question_id'
    """
    return re.sub(r"[\s-]+", "_", name.strip()).casefold()


# Wide tables --------------------------------------------------------------------------------------


def _long(frame: pd.DataFrame, layout: Layout, path: str) -> pd.DataFrame:
    """A row for each row and each column that holds scores."""
    had = [str(c) for c in frame.columns]
    if len(set(had)) < len(had):
        twice = next(c for c in had if had.count(c) > 1)
        raise ScoresError(f"{path}: column {twice!r} occurs twice; keep one of them")
    if layout.wide == (ALL,):
        own = {*OWN_COLUMNS, *EPOCH_NAMES, *layout.columns, "category", "shots", "content_hash"}
        held = [c for c in had if c and c not in own and not c.startswith("metadata.")]
    else:
        held = list(layout.wide)
        if lost := [c for c in held if c not in had]:
            raise ScoresError(f"{path}: no column {lost[0]!r} of wide{did_you_mean(lost[0], had)}")
    if not held:
        raise ScoresError(f"{path}: no column holds scores; name them: --read wide=A,B")
    if layout.across in had and layout.across not in held:
        raise ScoresError(
            f"{path}: a column {layout.across!r} is there, and wide says that each of {held[0]!r} "
            f"and so on is a {layout.across}; say what they are: --read across=metric, or epoch"
        )
    rest = [c for c in had if c not in held and c not in ("score", layout.across)]
    if len(frame) * len(held) * (len(rest) + 2) > FREE_CELLS:
        raise ScoresError(
            f"{path}: {len(frame):,} rows of {len(held):,} wide columns are more than "
            f"{FREE_CELLS:,} cells; split the table"
        )
    return frame.melt(id_vars=rest, value_vars=held, var_name=layout.across, value_name="score")
