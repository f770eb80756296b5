"""What the sources of one reading hold: checked tables, runs of logs, and a record of each file."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.facts import Source
from reportkit.inputs.file_systems import NotInstalled
from reportkit.inputs.files import File, listed_once
from reportkit.inputs.layouts import Layouts
from reportkit.inputs.sources import covers, expand, without_path
from reportkit.loading import store
from reportkit.loading.cache import ReadLogs
from reportkit.loading.declared import differing, same, table_rows
from reportkit.loading.repeated_tables import Table
from reportkit.readers import is_log, read_file, tabular
from reportkit.readers.many_tables import Part, parts_of
from reportkit.scores.run import Run
from reportkit.text.numbers import counted


def _ignored(*_: Any) -> None:
    """A message that nobody waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How sources are read, and who is told what. read_scores explains each."""

    layouts: Layouts = Layouts()
    logs: Mapping[str, Sequence[str]] | None = None
    decisions: Decisions = Decisions()
    aliases: Mapping[str, str] | None = None
    strict: bool = False
    progress: Callable[[str], None] = _ignored
    skipped: Callable[[str, str], None] = _ignored
    undecided: Callable[[str, str], None] | None = None
    logs_read: ReadLogs | None = None  # before, by a build


@dataclass(slots=True)
class Contents:
    """What the sources hold, as far as they are read."""

    reading: Reading
    tables: list[Table] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # why each file without scores has none
    uninstalled: set[str] = field(default_factory=set)  # files that need a package
    _plain: dict[str, bool] = field(default_factory=dict)  # whether nothing is decided of an eval

    def read_files(self, sources: Sequence[str]) -> list[tuple[str, str]]:
        """Reads every file; returns those that are broken and may be left out, with the reasons.
        ScoresError with all that may not be left out.
        """
        how = self.reading
        problems: list[tuple[str, str]] = []
        broken: list[tuple[str, str]] = []
        mapped: set[str] = set()
        with listed_once():
            files = _once(sources)
            together = parts_of(files, how.layouts, is_log)
            for file in files:
                if (part := together.get(file.path)) is not None and self._add_part(file, part):
                    mapped |= {*part.whole.attrs[tabular.MAPPED]}
                    continue
                try:
                    content = self._content(file)
                except tabular.NoScores as reason:
                    how.skipped(file.path, str(reason))
                    self.others.append(f"{file.path}: {reason}")
                    continue
                except ScoresError as error:
                    if isinstance(error, NotInstalled):
                        self.uninstalled.add(file.path)
                    fatal = file.named or how.strict
                    (problems if fatal else broken).append((file.path, str(error)))
                    continue
                if isinstance(content, pd.DataFrame):
                    mapped |= set(content.attrs.pop(tabular.MAPPED))
                try:  # what the user decided is not the file's fault
                    self._add(file, content)
                except (ScoresError, UnknownNameError) as error:
                    problems.append((file.path, str(error)))
                lacking = [(file.path, f"{file.path}: {what}") for what in file.lacks]
                (problems if how.strict else broken).extend(lacking)
        if problems:
            raise ScoresError("\n".join(self.reasons(problems + broken)))
        if self.tables:
            tabular.all_mapped(how.layouts.columns, mapped, sources)
        return broken

    def reasons(self, files: Sequence[tuple[str, str]]) -> list[str]:
        """A line for each file; one for all files that need the same package."""
        together: dict[str, list[tuple[str, str]]] = {}
        for path, why in files:
            shared = without_path(why, path) if path in self.uninstalled else why
            together.setdefault(shared, []).append((path, why))
        return [_all_told(*told[0], len(dict(told)) - 1) for told in together.values()]

    def _content(self, file: File) -> "list[Run] | pd.DataFrame | None":
        how = self.reading
        if how.logs_read is not None:
            kept = how.logs_read.kept(file)
            if kept is not None:
                return kept
        how.progress(file.path)
        if how.logs_read is not None:
            return how.logs_read.read(file, how.layouts)
        return read_file(file, how.layouts)

    def _add_part(self, file: File, part: Part) -> bool:
        """Adds the table of a file that was read with others; False where something is decided of
        its rows.
        """
        how = self.reading
        if how.aliases or how.logs or not all(map(self._undecided, part.evals)):
            return False
        how.progress(file.path)
        self.tables.append(Table(part, file.path, file.sha256()))
        self._add_source(file, len(part), part.evals, is_table=True)
        return True

    def _undecided(self, eval: str) -> bool:
        if eval not in self._plain:
            self._plain[eval] = not differing(self.reading.decisions.of(eval))
        return self._plain[eval]

    def _add(self, file: File, content: "list[Run] | pd.DataFrame | None") -> None:
        if content is None:
            return
        if isinstance(content, pd.DataFrame):
            names = [e for e in content["eval"].unique() if self.counts(str(e), file.path)]
            rows = content[content["eval"].isin(names)]
            self._add_table(rows, file.path, file.sha256())
            n_rows, evals = len(rows), list(rows["eval"].unique())
        else:
            runs = [run for run in content if self.counts(run.eval, file.path)]
            self.runs += [replace(run, inputs=(file.path,)) for run in runs]
            n_rows, evals = sum(len(r.rows) for r in runs), [r.eval for r in runs]
        if evals:
            self._add_source(file, n_rows, evals, is_table=isinstance(content, pd.DataFrame))

    def _add_source(self, file: File, n_rows: int, evals: Iterable[str], *, is_table: bool) -> None:
        logged = tuple(dict.fromkeys(evals))
        self.sources.append(
            Source(file.name, file.sha256(), n_rows, path=file.path, table=is_table, logged=logged)
        )

    def _add_table(self, rows: pd.DataFrame, path: str, sha256: str) -> None:
        how = self.reading
        rows = table_rows(rows, path, how.decisions, how.aliases or {})
        self.tables.append(Table(rows, path, sha256))

    def counts(self, eval: str, path: str) -> bool:
        """Whether a file counts for an eval; one that does not is reported."""
        if from_its_logs(self.reading.logs or {}, eval, path):
            return True
        why = (
            f"eval {eval!r} is left out here: logs of [evals.{eval!r}] in reportkit.toml names "
            "other files"
        )
        if f"{path}: {why}" not in self.others:
            self.others.append(f"{path}: {why}")
            self.reading.skipped(path, why)
        return False

    def read_store(self, folder: str, listed: list[store.Entry], logged: set[str]) -> None:
        """Reads the evals of a scores folder that are asked for, by their names in the logs."""

        def wanted(entry: store.Entry) -> bool:
            return entry.run.eval in logged and self.counts(entry.run.eval, entry.source)

        for entry, run in store.read(folder, listed, wanted):
            if entry.table:
                names = {"eval": same(run.eval, run.rows), "model": same(run.model, run.rows)}
                self._add_table(run.rows.assign(**names), entry.source, entry.sha256)
            else:
                self.runs.append(replace(run, inputs=(entry.source,)))
            self._add_entry(folder, entry, len(run.rows))

    def _add_entry(self, folder: str, entry: store.Entry, n_rows: int) -> None:
        """A record of an entry's source; the parts of one source, which follow each other, are one
        record.
        """
        last = self.sources[-1] if self.sources else None
        if last is not None and last.path == entry.source:
            logged = tuple(dict.fromkeys([*last.logged, entry.run.eval]))
            self.sources[-1] = replace(last, rows=last.rows + n_rows, logged=logged)
            return
        self.sources.append(
            Source(
                File(entry.source).name,
                entry.sha256,
                n_rows,
                path=entry.source,
                within=folder,
                table=entry.table,
                logged=(entry.run.eval,),
            )
        )


def _all_told(path: str, why: str, more: int) -> str:
    """The reason of a file, which begins with its path, and of so many more files."""
    if not more:
        return why
    return f"{path} and {counted(more, 'more file')}: {without_path(why, path)}"


def _once(sources: Sequence[str]) -> list[File]:
    """The files of sources that may overlap."""
    files: dict[str, File] = {}
    for file in (f for s in sources for f in expand(s)):
        files.setdefault(file.path if file.remote else os.path.abspath(file.path), file)
    return list(files.values())


def from_its_logs(logs: Mapping[str, Sequence[str]], eval: str, path: str) -> bool:
    """Whether a file is among those that are named for an eval; where none is named, every file
    is.
    """
    return not logs.get(eval) or any(covers(given, path) for given in logs[eval])
