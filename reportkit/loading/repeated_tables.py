"""Which of several plain tables counts, where they answer the same questions: copies, and the
decision `runs`. What `policies` is for logs.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pandas as pd

from reportkit.decisions import Decisions
from reportkit.facts import LeftOut, RunFacts
from reportkit.readers.many_tables import Part
from reportkit.scores.repeated import DATES, KEY

# Columns that say when an answer was given, the first that a table has.
EARLIEST, LATEST = 1e9, 1e11  # seconds since 1970: 2001 and 5138
_YEAR_FIRST = r"\d{4}([-/]?\d\d)([-/]?\d\d)"
_PLACE = "#table"  # a column: which table a row is of


# Rows that do not count: of which eval and model, and their questions; None: all.
_Gone = tuple[tuple[str, str], set[str] | None]


@dataclass(frozen=True, slots=True)
class Table:
    """The checked rows of a plain table: a frame of its own, or a part of one."""

    held: pd.DataFrame | Part
    path: str
    sha256: str

    @property
    def rows(self) -> pd.DataFrame:
        return self.held.rows if isinstance(self.held, Part) else self.held

    @property
    def evals(self) -> list[str]:
        if isinstance(self.held, Part):
            return list(self.held.evals)
        return list(map(str, self.held["eval"].unique()))

    @property
    def models(self) -> list[str]:
        if isinstance(self.held, Part):
            return list(self.held.models)
        return list(map(str, self.held["model"].unique()))

    def of(self, evals: Collection[str]) -> "Table":
        """The rows of some evals."""
        if all(e in evals for e in self.evals):
            return self
        return replace(self, held=self.rows[self.rows["eval"].isin(evals)])


def rows_of(tables: Iterable[Table]) -> list[pd.DataFrame]:
    """The rows of tables, in their order: of parts of one frame that follow each other, one."""
    frames: list[pd.DataFrame | Part] = []
    for table in tables:
        held, last = table.held, frames[-1] if frames else None
        if (
            isinstance(held, Part)
            and isinstance(last, Part)
            and last.whole is held.whole
            and last.end == held.start
        ):
            frames[-1] = replace(last, end=held.end)
        elif len(held):
            frames.append(held)
    return [f.rows if isinstance(f, Part) else f for f in frames]


def choose_tables(
    tables: Sequence[Table], decisions: Decisions
) -> tuple[list[Table], list[LeftOut], list[tuple[str, str]]]:
    """The tables with the rows that count, what is left out with the reason, and evals that wait
    for a choice.

    A table with the same bytes as another is a copy. By `latest` or `first`, of tables that answer
    the same question of an eval for one model, one counts: its date is in a column (DATES), else
    the file's own. Where each has questions that another lacks, that is decided for each question.
    A table with part of the questions of another does not count. Of rows that one table repeats,
    the date in the column decides. By any other decision repeated rows stay, and validate names
    them.
    """
    left: list[LeftOut] = []
    waiting: list[tuple[str, str]] = []
    tables = list(_without_copies(tables, left))
    wanted = {e for t in tables for e in t.evals}
    dated = [e for e in wanted if decisions.of(str(e)).runs in ("latest", "first")]
    if not dated:
        return tables, left, waiting
    rows = pd.concat(
        [t.rows[KEY].assign(**{_PLACE: k}) for k, t in enumerate(tables)], ignore_index=True
    )
    rows = rows[rows["eval"].isin(dated)]
    groups = rows[rows.duplicated(KEY, keep=False)].groupby(["eval", "model"], sort=False)
    gone: dict[int, list[_Gone]] = {}
    for (eval, model), repeated in groups:
        name, of = (str(eval), str(model)), decisions.of(str(eval)).runs
        tables = [_of_one_table(t, name, of) for t in tables]
        for linked in _linked(repeated):
            same = _whole(tables, linked, name)
            for k in linked:
                if k not in same:
                    gone.setdefault(k, []).append((name, None))
                    why = "has part of the questions only, all of them are in"
                    left.append(_left(tables[k], name, why, tables[same[0]]))
            ordered = _ordered({k: tables[k] for k in same}, name, of)
            if ordered is None:
                waiting.append((name[0], _choice([tables[k] for k in same], name, of)))
                continue
            for k, instead, questions in _given_way(tables, ordered, name):
                gone.setdefault(k, []).append((name, questions))
                left.append(_left(tables[k], name, _why(tables[k], name, questions, of), instead))
    return [_less(t, gone.get(k, [])) for k, t in enumerate(tables)], left, waiting


def _without_copies(tables: Sequence[Table], left: list[LeftOut]) -> Iterator[Table]:
    """The tables, without those that have the bytes, the evals and the models of one before: a
    layout may take a name from the path, and the same bytes are then another model's answers.
    """
    seen: dict[tuple[str, ...], Table] = {}
    for table in tables:
        key = (table.sha256, *table.evals, "", *table.models)
        first = seen.setdefault(key, table) if table.sha256 else table
        if first is table or first.path == table.path:
            yield table
            continue
        for name in table.rows[["eval", "model"]].drop_duplicates().itertuples(index=False):
            left.append(_left(table, (str(name[0]), str(name[1])), "a copy of", first))


def _left(table: Table, name: tuple[str, str], why: str, instead: Table) -> LeftOut:
    run = RunFacts("", *name, file=table.path, sha256=table.sha256)
    return LeftOut(run, why, instead.path, (name[0],))


def _linked(repeated: pd.DataFrame) -> list[list[int]]:
    """Tables that answer the same questions, two of them or more at a time."""
    groups: list[set[int]] = []
    for places in {tuple(sorted(set(g))) for _, g in repeated.groupby(KEY)[_PLACE]}:
        joined = set(places)
        for group in [g for g in groups if g & joined]:
            joined |= group
            groups.remove(group)
        groups.append(joined)
    return [sorted(g) for g in groups if len(g) > 1]


def _whole(tables: Sequence[Table], places: Sequence[int], name: tuple[str, str]) -> list[int]:
    """Of tables that answer the same questions those that are not part of another, as of logs."""
    asked = {k: _asked(tables[k], name) for k in places}
    return [k for k in places if not any(asked[k] < other for other in asked.values())]


def _mine(table: Table, name: tuple[str, str]) -> np.ndarray:
    return ((table.rows["eval"] == name[0]) & (table.rows["model"] == name[1])).to_numpy()


def _asked(table: Table, name: tuple[str, str]) -> set[str]:
    return {*table.rows["question_id"][_mine(table, name)]}


def _given_way(
    tables: Sequence[Table], ordered: Sequence[int], name: tuple[str, str]
) -> Iterator[tuple[int, Table, set[str]]]:
    """Each table that gives way in some questions or in all: its place, the table that counts
    instead in most of them, and the questions. ordered: places, the table that counts first.
    """
    asked = {k: _asked(tables[k], name) for k in ordered}
    taken: dict[str, int] = {}
    for k in ordered:
        lost = {q for q in asked[k] if q in taken}
        if lost:
            counts = [taken[q] for q in lost]
            yield k, tables[max(ordered, key=counts.count)], lost
        taken |= {q: k for q in asked[k] - lost}


def _why(table: Table, name: tuple[str, str], questions: set[str], of: str) -> str:
    n = len(_asked(table, name))
    if len(questions) == n:
        return f"another table counts ({of}):"
    return f"{len(questions)} of its {n} questions are answered in another table ({of}):"


def _less(table: Table, gone: Sequence[_Gone]) -> Table:
    keep = np.ones(len(table.rows), bool)
    for name, questions in gone:
        rows = _mine(table, name)
        if questions is not None:
            rows = rows & table.rows["question_id"].isin(questions).to_numpy()
        keep &= ~rows
    return table if keep.all() else replace(table, held=table.rows[keep])


def _of_one_table(table: Table, name: tuple[str, str], of: str) -> Table:
    """A table in which each question is answered once, where a column tells which answer counts."""
    mine = table.rows[_mine(table, name)]
    if not mine.duplicated(KEY).any():
        return table
    when = _dates(mine)
    if when is None or mine.assign(when=when).duplicated([*KEY, "when"]).any():
        return table
    ordered = mine.assign(when=when).sort_values("when", kind="stable")
    kept = ordered.drop_duplicates(KEY, keep="last" if of == "latest" else "first").index
    return replace(table, held=table.rows.drop(index=mine.index.difference(kept)))


def _dates(rows: pd.DataFrame) -> pd.Series | None:
    """When each row was made, by its column; None where a row does not tell."""
    column = next((c for c in DATES if c in rows.columns), None)
    if column is None:
        return None
    when = _times(rows[column])
    return None if when.isna().any() else when


def _times(column: pd.Series) -> pd.Series:
    """Dates that begin with the year, and seconds since 1970 or parts of them. All else is missing:
    03/04/2026 is a day of March or of April, and a small number is how long something took.
    """
    texts = column.astype(object).where(column.notna(), "").map(str).str.strip()
    seconds = pd.to_numeric(texts, errors="coerce")
    for _ in range(3):  # of milliseconds, microseconds or nanoseconds
        seconds = seconds.where(seconds.abs() < LATEST, seconds / 1000)
    seconds = seconds.where(seconds > EARLIEST)
    dates = texts.where(texts.str.match(_YEAR_FIRST))
    found = pd.to_datetime(dates, utc=True, errors="coerce", format="mixed")
    return found.fillna(pd.to_datetime(seconds, unit="s", utc=True))


def _ordered(tables: Mapping[int, Table], name: tuple[str, str], of: str) -> list[int] | None:
    """The places of these tables, the one that counts first; None where no date tells. Where all
    have the same questions, it is enough to know which is the first.
    """
    columns = [_dates(t.rows[_mine(t, name)]) for t in tables.values()]
    times: list[datetime | None]
    if all(c is not None for c in columns):
        times = [c.max().to_pydatetime() for c in columns if c is not None]
    else:
        times = [_file_date(t.path) for t in tables.values()]
    known = {k: t for k, t in zip(tables, times, strict=True) if t is not None}
    if len(known) < len(times):
        return None
    ordered = sorted(known, key=lambda k: known[k], reverse=of == "latest")
    apart = len({frozenset(_asked(t, name)) for t in tables.values()}) > 1
    pairs = list(pairwise(ordered)) if apart else list(pairwise(ordered))[:1]
    return None if any(known[a] == known[b] for a, b in pairs) else ordered


def _file_date(path: str) -> datetime | None:
    """When a file was last changed; None of a file elsewhere, or one that is gone."""
    try:
        return datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
    except OSError:
        return None


def _choice(tables: Sequence[Table], name: tuple[str, str], of: str) -> str:
    files = "; ".join(t.path for t in tables)
    return (
        f"eval {name[0]!r}: model {name[1]!r} has {len(tables)} tables of the same questions, and "
        f"neither a column ({', '.join(DATES)}) nor their files' dates tell the {of}: {files}; "
        "name the files you want"
    )
