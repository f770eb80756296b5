"""Sources -> scores: every file is read once, and what cannot be read is named."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.inputs.files import BrokenFile, File, listed_once
from reportkit.inputs.sources import covers, expand, is_store, without_path
from reportkit.loading import store
from reportkit.loading.declared import differing, frame_of, same, table_rows
from reportkit.loading.policies import choose_runs, named_evals
from reportkit.readers import computations, read_file, tabular
from reportkit.readers.parsing import first_line
from reportkit.scores.rows import (
    DECIDED,
    LEFT_OUT,
    RUNS,
    SOURCES,
    UNREAD,
    Told,
    number_epochs,
    scores_frame,
)
from reportkit.scores.run import Run
from reportkit.scores.selfcheck import SelfCheck, check_run


def read_scores(
    source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    decisions: Decisions | None = None,
    *,
    evals: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    logs: Mapping[str, Sequence[str]] | None = None,
    aliases: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    skipped: Callable[[str, str], None] = lambda _path, _reason: None,
    undecided: Callable[[str, str], None] | None = None,
) -> pd.DataFrame:
    """Scores from one or more files, folders (with all below them), globs or URLs, as one frame.

    Logs of eval harnesses (FORMATS), plain tables (CSV, JSON lines, Parquet; gzip too) and scores
    folders that `reportkit import` wrote may be mixed. evals: only these; of a scores folder
    nothing else is loaded, and its texts come as categories. columns maps a column of plain tables
    to the name of section "Scores" of the README, {"prompt_id": "question_id"}. decisions: what
    is decided of the scores (errors, runs, match_on, id and so on). aliases: models' names as they
    are to be called. logs: files, folders, globs or URLs of an eval, as its logs call it: of the
    sources, only these count for it.

    Every rule a row can break is checked, all of them at once; what concerns a whole eval
    (duplicates, clusters that disagree) is found by scores.validate. The files, with hash and row
    count, stand in `frame.attrs["sources"]`, the runs of logs in `frame.attrs["runs"]`. A file
    named by the user must hold scores; one found in a folder that is broken or something else is
    left out and told to `skipped`, unless `strict`. Where several runs of a model could count and
    none is chosen, `undecided` is told the eval and the choice, and the model is left out; without
    it that is a ScoresError. Raises ScoresError, and UnknownNameError for an eval that is not
    there.
    """
    sources = [
        os.fspath(s) for s in ([source] if isinstance(source, str | os.PathLike) else source)
    ]
    decisions, aliases = decisions or Decisions(), aliases or {}
    held = {s: store.held(s) for s in sources if is_store(s)}
    stores = {s: listed for s, (listed, _) in held.items()}
    # when a folder was imported
    unread = {path: why for _, left in held.values() for path, why in left.items()}
    if unread and strict:
        raise ScoresError("\n".join(f"{path}: {why}" for path, why in unread.items()))
    found = _Found(decisions, aliases, logs or {}, skipped)
    broken = found.read_files(
        [s for s in sources if s not in stores], columns or {}, strict, progress
    )
    if broken and not found.frames and not found.runs and not stores:
        raise ScoresError("\n".join(why for _, why in broken))
    lost = [(path, without_path(why, path)) for path, why in [*unread.items(), *broken]]
    for path, why in lost:
        skipped(path, why)
    entries = [
        e for listed in stores.values() for e in listed if found.counts(e.run.eval, e.source)
    ]
    named = named_evals([*found.runs, *(e.run for e in entries if not e.table)], aliases)
    known = {name: None for f in found.frames for name in f["eval"].unique()} | {
        name: None for name, _ in named
    }
    known |= {e.run.eval: None for e in entries if e.table}
    for name in evals:
        if name not in known:
            raise UnknownNameError(f"no eval {name!r}{did_you_mean(name, known)}")
    wanted = {*(evals or known)}
    logged = wanted | {run.eval for name, run in named if name in wanted}  # as the logs call them
    for folder, listed in stores.items():
        progress(folder)
        found.read_store(folder, listed, logged)
    for run in found.runs:
        run.checks, run.counts = _checks(run), _counts(run)  # of the rows as the log has them
    kept, left_out, waiting = choose_runs(
        [r for r in found.runs if r.eval in logged], decisions, aliases
    )
    waiting = [(name, why) for name, why in waiting if name in wanted]
    for run, why, instead in left_out:
        skipped(run.file, f"{why} {instead}".rstrip())
    kept = [r for r in kept if r.eval in wanted]
    frames = [f[f["eval"].isin(wanted)] if evals else f for f in found.frames]
    frames = [f for f in frames if len(f)] + [frame_of(run) for run in kept]
    if waiting and (undecided is None or not frames):
        raise ScoresError("\n".join(why for _, why in waiting))
    for name, why in waiting:
        undecided(name, why)  # type: ignore[misc]
    if not frames:
        more = f" and {len(found.others) - 3} more" if len(found.others) > 3 else ""
        seen = f" ({'; '.join(found.others[:3])}{more})" if found.others else ""
        raise ScoresError(
            f"{', '.join(sources)}: no scores here{seen}; give logs of an eval harness, or "
            "tables with the "
            f"columns {', '.join(tabular.REQUIRED)} ({tabular.MAP})"
        )
    frame = number_epochs(scores_frame(frames))
    for record in found.records:
        finally_in = [run.eval for run in kept if record["path"] in run.inputs]
        record["evals"] = record["logged"] if record["table"] else list(dict.fromkeys(finally_in))
    frame.attrs[SOURCES] = Told(
        r for r in found.records if not evals or wanted.intersection(r["evals"])
    )
    names = {"aliases": dict(aliases)} if aliases else {}
    as_logged = {r.eval: r.logged_eval or r.eval for r in kept}
    decided = {
        e: differing(decisions.of(e, as_logged.get(e, ""))) | names for e in frame["eval"].unique()
    }
    frame.attrs[DECIDED] = Told({"eval": e, "options": o} for e, o in decided.items() if o)
    frame.attrs[UNREAD] = Told({"file": path, "why": why} for path, why in lost)
    frame.attrs[RUNS] = Told(_told(r) for r in kept)
    frame.attrs[LEFT_OUT] = Told(
        _told(r)
        | {
            "why": why,
            "instead": instead,
            "evals": [e for e, name in as_logged.items() if r.eval in (e, name)],
        }
        for r, why, instead in left_out
    )
    return frame


@dataclass(slots=True)
class _Found:
    """What the sources hold: checked tables, runs of logs, and a record of each file."""

    decisions: Decisions
    aliases: Mapping[str, str]
    logs: Mapping[str, Sequence[str]]
    skipped: Callable[[str, str], None]
    frames: list[pd.DataFrame] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)  # why each file that is no scores is none

    def read_files(
        self,
        sources: Sequence[str],
        columns: Mapping[str, str],
        strict: bool,
        progress: Callable[[str], None],
    ) -> list[tuple[str, str]]:
        """Reads every file; returns those that are broken and may be left out. ScoresError with all
        that may not.
        """
        problems: list[tuple[str, str]] = []
        mapped: set[str] = set()
        broken: list[tuple[str, str]] = []
        with listed_once():
            for file in _once(sources):
                progress(file.path)
                try:
                    held = read_file(file, columns)
                    if isinstance(held, pd.DataFrame):
                        mapped |= set(held.attrs.pop(tabular.MAPPED))
                    self._add(file, held)
                    (problems if strict else broken).extend(
                        (file.path, f"{file.path}: {what}") for what in file.lacks
                    )
                except tabular.NoScores as reason:
                    self.skipped(file.path, str(reason))
                    self.others.append(f"{file.path}: {reason}")
                except BrokenFile as error:
                    (problems if file.named or strict else broken).append((file.path, str(error)))
                except (ScoresError, UnknownNameError) as error:
                    problems.append((file.path, str(error)))
        if problems:
            raise ScoresError("\n".join(why for _, why in problems + broken))
        if self.frames:
            tabular.all_mapped(columns, mapped, sources)
        return broken

    def _add(self, file: File, found: "list[Run] | pd.DataFrame | None") -> None:
        if found is None:
            return
        if isinstance(found, pd.DataFrame):
            table = True
            counting = [e for e in found["eval"].unique() if self.counts(str(e), file.path)]
            found = found[found["eval"].isin(counting)]
            self.frames.append(table_rows(found, file.path, self.decisions, self.aliases))
            rows, held = len(found), list(found["eval"].unique())
        else:
            table = False
            found = [run for run in found if self.counts(run.eval, file.path)]
            for run in found:
                run.inputs = [file.path]
            self.runs += found
            rows, held = sum(len(r.rows) for r in found), list(dict.fromkeys(r.eval for r in found))
        if not held:
            return
        # A name, not a path: the same inputs give the same report wherever they lie.
        self.records.append(
            {
                "file": file.name,
                "sha256": file.sha256(),
                "rows": rows,
                "path": file.path,
                "within": "",
                "table": table,
                "logged": held,
            }
        )

    def counts(self, eval: str, path: str) -> bool:
        """Whether a file counts for an eval; one that does not is told."""
        if from_its_logs(self.logs, eval, path):
            return True
        why = (
            f"eval {eval!r} is left out here: logs of [evals.{eval!r}] in reportkit.toml names "
            "other files"
        )
        if f"{path}: {why}" not in self.others:
            self.others.append(f"{path}: {why}")
            self.skipped(path, why)
        return False

    def read_store(self, folder: str, listed: list[store.Entry], logged: set[str]) -> None:
        """The evals of a scores folder that are asked for, as the logs call them."""
        for entry, run in store.read(
            folder, listed, lambda e: e.run.eval in logged and self.counts(e.run.eval, e.source)
        ):
            if entry.table:
                told = {"eval": same(run.eval, run.rows), "model": same(run.model, run.rows)}
                self.frames.append(
                    table_rows(run.rows.assign(**told), entry.source, self.decisions, self.aliases)
                )
            else:
                run.inputs = [entry.source]
                self.runs.append(run)
            told_before = next((r for r in self.records[-1:] if r["path"] == entry.source), None)
            if told_before:  # a source with several parts is one record
                told_before["rows"] += len(run.rows)
                told_before["logged"] += [run.eval] * (run.eval not in told_before["logged"])
                continue
            self.records.append(
                {
                    "file": File(entry.source).name,
                    "sha256": entry.sha256,
                    "rows": len(run.rows),
                    "path": entry.source,
                    "within": folder,
                    "table": entry.table,
                    "logged": [run.eval],
                }
            )


def _once(sources: Sequence[str]) -> list[File]:
    """The files of sources that may overlap."""
    found: dict[str, File] = {}
    for file in (f for s in sources for f in expand(s)):
        found.setdefault(file.path if file.remote else os.path.abspath(file.path), file)
    return list(found.values())


def from_its_logs(logs: Mapping[str, Sequence[str]], eval: str, path: str) -> bool:
    """Whether a file is among those that are named for an eval; of an eval with none named, every
    file is.
    """
    return not logs.get(eval) or any(covers(given, path) for given in logs[eval])


def _checks(run: Run) -> list[SelfCheck]:
    """The self-check of a run; numbers that it cannot take leave the run without one, and do not
    stop the reading.
    """
    try:
        return check_run(run, computations(run.harness))
    except Exception as error:
        run.notes = [
            *run.notes,
            f"its harness's own numbers could not be compared ({first_line(error)})",
        ]
        return []


def _told(run: Run) -> dict[str, Any]:
    """What the data table, the self-check and a store keep of a run: all but its rows."""
    return {f: getattr(run, f) for f in run.__slots__ if f != "rows"}


def _counts(run: Run) -> dict[str, int]:
    """Answers by status, of the metric that the log puts first."""
    metrics = run.rows["metric"]
    mine = metrics == run.headline
    if not mine.any():
        mine = metrics == (metrics.iloc[0] if len(metrics) else "")
    status = run.rows["status"] if mine.all() else run.rows["status"][mine]
    return {str(k): int(n) for k, n in status.value_counts().items() if n}
