"""Sources -> scores: every file is read once, and what cannot be read is named."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np
import pandas as pd

from reportkit.decisions import Decisions
from reportkit.decisions.values import plain, split
from reportkit.errors import ScoresError, UnknownNameError, check_keywords, did_you_mean
from reportkit.facts import Decided, Facts, LeftOut, SelfCheck, Source, Unread
from reportkit.inputs.layouts import layout_of, layouts_of
from reportkit.inputs.sources import is_store, without_path
from reportkit.loading import store
from reportkit.loading.declared import differing, has_one_metric
from reportkit.loading.policies import Left, choose_runs, named_evals, told_together
from reportkit.loading.reading import Contents, Reading
from reportkit.loading.repeated_tables import Table, choose_tables, rows_of
from reportkit.loading.together import frames_of
from reportkit.readers import computations, tabular
from reportkit.readers.parsing import first_line
from reportkit.scores.rows import number_epochs, scores_frame
from reportkit.scores.run import Run
from reportkit.scores.scores import Scores
from reportkit.scores.selfcheck import check_run

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
OWN = ("decisions", "evals", "columns", "logs", "aliases")  # keywords of read_scores
_GIVE = "give a file, a folder, a glob or a URL"
SHOWN = 3  # runs that are named where none counts
MOST_TOLD = 20  # files that are named where none can be read


class Listeners(TypedDict, total=False):
    """How strict a reading is, and who is told what; read_scores explains each."""

    strict: bool
    progress: Callable[[str], None]
    skipped: Callable[[str, str], None]
    undecided: Callable[[str, str], None] | None


class Further(Listeners, total=False):
    """How tables are laid out, and what Listeners has."""

    layouts: Sequence[Mapping[str, Any]]


def read_scores(
    source: Paths,
    decisions: Decisions | None = None,
    *,
    evals: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    logs: Mapping[str, Sequence[str]] | None = None,
    aliases: Mapping[str, str] | None = None,
    **further: Unpack[Further],
) -> pd.DataFrame:
    """Scores from one or more files, folders (with all below them), globs or URLs, as one frame.

    Logs of eval harnesses (readers.FORMATS), plain tables (CSV, JSON lines, Parquet; gzip too) and
    scores folders that `reportkit import` wrote may be mixed. evals: only these; of a scores folder
    nothing else is loaded, and its texts come as categories. columns maps a column of plain tables
    to the name of section "Scores" of the README, {"prompt_id": "question_id"}. layouts: how plain
    tables are laid out, with the keys of [[layouts]] in reportkit.toml (inputs.layouts.KEYS); the
    first whose `files` fit a path counts. logs: of an eval, by its name in the logs, the files,
    folders, globs or URLs that alone count for it. decisions:
    what is decided of the scores (errors, runs, match_on, id and so on). aliases: the models' names
    in the logs, each with the name to print.

    Every rule a row can break is checked, all of them at once; what concerns a whole eval
    (duplicates, clusters that disagree) is found by validate. The frame carries facts of its runs
    and files (scores.facts_of), which concat, merge and files may lose; every number of a report
    comes from the rows alone. Raises ScoresError, and UnknownNameError for an eval that is not
    there.

    A file named by the user must hold scores. One that is found in a folder, and is broken or
    something else, is left out: `skipped` is called with its path and the reason. strict: it is an
    error. progress is called with each path. Where several runs of a model could count and none is
    chosen, `undecided` is called with the eval and the choice, and the model is left out; without
    it that is a ScoresError.
    """
    check_keywords("read_scores", further, [*OWN, *Further.__annotations__])
    evals = split(evals) if isinstance(evals, str) else evals
    d = decisions or Decisions()
    tables = tuple(map(layout_of, further.get("layouts", ())))
    listeners: dict[str, Any] = {k: v for k, v in further.items() if k != "layouts"}
    layouts = replace(layouts_of(columns), tables=tables)
    reading = Reading(decisions=d, layouts=layouts, logs=logs, aliases=aliases, **listeners)
    return load_scores(source, reading, evals).frame()


def load_scores(source: Paths, reading: Reading, evals: Sequence[str] = ()) -> Scores:
    """As read_scores, with the facts beside the rows."""
    sources = paths_of(source)
    if not sources:
        raise ScoresError(f"no scores are named; {_GIVE}")
    stores, lost = _stores(sources, reading, evals)
    contents = Contents(reading)
    broken = contents.read_files([s for s in sources if s not in stores])
    if broken and not contents.tables and not contents.runs and not stores:
        reasons = contents.reasons(broken)
        more = [f"and {len(reasons) - MOST_TOLD} more files"] if len(reasons) > MOST_TOLD else []
        raise ScoresError("\n".join([*reasons[:MOST_TOLD], *more]))
    unread = [Unread(path, without_path(why, path)) for path, why in [*lost, *broken]]
    for file in unread:
        reading.skipped(file.file, file.why)
    try:
        wanted, logged = _wanted(contents, stores, evals)
    except UnknownNameError:  # the error names what there is
        _wanted(contents, _stores(sources, reading)[0], evals)
        raise
    for folder, listed in stores.items():
        reading.progress(folder)
        contents.read_store(folder, listed, logged)
    kept, left = _kept(contents, wanted, logged)
    tables, out = _tables(contents, wanted)
    frames = rows_of(tables) + frames_of(kept)
    if not frames:
        raise _none_counts(sources, left) if left else _nothing(sources, contents.others)
    rows = number_epochs(scores_frame(frames))
    held: dict[str, set[str]] = {}
    for table in tables:
        held.setdefault(table.path, set()).update(table.evals)
    of_sources = [_with_evals(s, kept, held.get(s.path, set())) for s in contents.sources]
    facts = Facts(
        runs=tuple(r.facts() for r in kept),
        left_out=(*_left_out(left, kept), *out),
        sources=tuple(s for s in of_sources if not evals or wanted.intersection(s.evals)),
        unread=tuple(unread),
        decided=_decisions(rows, kept, reading),
    )
    return Scores(rows, facts)


def paths_of(source: Paths) -> list[str]:
    """One path or URL, or several, as a list. ScoresError for what is none: an empty one is the
    variable of a script that holds nothing.

    >>> paths_of("a.csv"), paths_of(("a.csv", "b.csv")), paths_of(())
    (['a.csv'], ['a.csv', 'b.csv'], [])
    """
    many = [source] if isinstance(source, str | os.PathLike) else plain(source)
    if not isinstance(many, list | tuple):
        raise ScoresError(f"scores are of type {type(source).__name__}: {_GIVE}")
    others = [type(s).__name__ for s in many if not isinstance(s, str | os.PathLike)]
    if others:
        raise ScoresError(f"scores are a list in which one is of type {others[0]}: {_GIVE}")
    paths = [os.fspath(s) for s in many]
    if not all(path.strip() for path in paths):
        raise ScoresError(f"an empty path names no scores; {_GIVE}, or leave it out")
    return paths


def _stores(
    sources: Sequence[str], reading: Reading, evals: Sequence[str] = ()
) -> tuple[dict[str, list[store.Entry]], list[tuple[str, str]]]:
    """The scores folders among the sources, with what they hold of these evals, and the files that
    could not be read when they were imported.
    """
    contents = {s: store.held(s, evals) for s in sources if is_store(s)}
    lost = {path: why for _, broken in contents.values() for path, why in broken.items()}
    if lost and reading.strict:
        raise ScoresError("\n".join(f"{path}: {why}" for path, why in lost.items()))
    return {s: listed for s, (listed, _) in contents.items()}, list(lost.items())


def _wanted(
    contents: Contents, stores: Mapping[str, list[store.Entry]], evals: Sequence[str]
) -> tuple[set[str], set[str]]:
    """The evals that are asked for, all where none is; and their names in the logs beside them."""
    entries = [
        e for listed in stores.values() for e in listed if contents.counts(e.run.eval, e.source)
    ]
    runs = [*contents.runs, *(e.run for e in entries if not e.table)]
    named = named_evals(runs, contents.reading.aliases or {})
    known = dict.fromkeys(name for t in contents.tables for name in t.evals)
    known |= dict.fromkeys(name for name, _ in named)
    known |= dict.fromkeys(e.run.eval for e in entries if e.table)
    for name in evals:
        if name not in known:
            raise UnknownNameError(f"no eval {name!r}{did_you_mean(name, known)}")
    wanted = {*(evals or known)}
    return wanted, wanted | {run.eval for name, run in named if name in wanted}


def _kept(contents: Contents, wanted: set[str], logged: set[str]) -> tuple[list[Run], Left]:
    """The runs that count, and those that do not; ScoresError where the user has to choose, unless
    `undecided` takes it.
    """
    reading = contents.reading
    # of the rows as the log has them
    checked = [_checked(run) for run in contents.runs if run.eval in logged]
    kept, left, waiting = choose_runs(checked, reading.decisions, reading.aliases or {})
    waiting = [(name, why) for name, why in waiting if name in wanted]
    for run, why, instead in left:
        reading.skipped(run.file, f"{why} {instead}".rstrip())
    kept = [r for r in kept if r.eval in wanted]
    for name, why in waiting:
        if reading.undecided is not None:
            reading.undecided(name, why)
    if waiting and (reading.undecided is None or not (kept or _has_rows(contents, wanted))):
        raise ScoresError(told_together([why for _, why in waiting]))
    return kept, left


def _has_rows(contents: Contents, wanted: set[str]) -> bool:
    return any(e in wanted for t in contents.tables for e in t.evals)


def _tables(contents: Contents, wanted: set[str]) -> tuple[list[Table], list[LeftOut]]:
    """The plain tables with the rows that count, and what does not; ScoresError as in _kept."""
    reading = contents.reading
    tables = [t.of(wanted) for t in contents.tables]
    kept, out, waiting = choose_tables(tables, reading.decisions)
    for gone in out:
        reading.skipped(gone.run.file, f"{gone.why} {gone.instead}")
    for name, why in waiting:
        if reading.undecided is None:
            raise ScoresError(told_together([why for _, why in waiting]))
        reading.undecided(name, why)
    return kept, out


def _nothing(sources: Sequence[str], others: Sequence[str]) -> ScoresError:
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    seen = f" ({'; '.join(others[:3])}{more})" if others else ""
    return ScoresError(
        f"{', '.join(sources)}: no scores here{seen}; give logs of an eval harness, or "
        f"tables with the columns {', '.join(tabular.REQUIRED)} "
        f"({tabular.MAP.format('question_id')})"
    )


def _none_counts(sources: Sequence[str], left: Left) -> ScoresError:
    """Where there are runs, and each of them is left out."""
    told = [f"{run.file}: {f'{why} {instead}'.strip()}" for run, why, instead in left]
    more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
    counts = f"none of the {len(told)} runs here counts" if told[1:] else "no run counts"
    return ScoresError(f"{', '.join(sources)}: {counts}: {'; '.join(told[:SHOWN])}{more}")


def _with_evals(source: Source, kept: Sequence[Run], there: Collection[str]) -> Source:
    """A source with the evals that its rows are part of, after the policies. there: those of its
    tables.
    """
    if source.table:
        return replace(source, evals=tuple(e for e in source.logged if e in there))
    evals = dict.fromkeys(run.eval for run in kept if source.path in run.inputs)
    return replace(source, evals=tuple(evals))


def _left_out(left: Left, kept: Sequence[Run]) -> tuple[LeftOut, ...]:
    as_logged = {r.eval: r.logged_eval or r.eval for r in kept}
    return tuple(
        LeftOut(
            run.facts(),
            why,
            instead,
            tuple(e for e, name in as_logged.items() if run.eval in (e, name)),
        )
        for run, why, instead in left
    )


def _decisions(rows: pd.DataFrame, kept: Sequence[Run], reading: Reading) -> tuple[Decided, ...]:
    """What is decided for each eval, where it is not the default."""
    as_logged = {r.eval: r.logged_eval for r in kept}
    aliases = {"aliases": dict(reading.aliases)} if reading.aliases else {}
    decided = []
    for name in rows["eval"].unique():
        options = differing(reading.decisions.of(name, as_logged.get(name, ""))) | aliases
        if options:
            decided.append(Decided(name, options))
    return tuple(decided)


def _checked(run: Run) -> Run:
    """A run with its self-check and counts. Numbers that the self-check cannot take leave the run
    without one, and do not stop the reading.
    """
    checks: list[SelfCheck] = []
    notes = run.notes
    try:
        checks = check_run(run, computations(run.harness))
    except Exception as error:
        lost = f"its harness's own numbers could not be compared ({first_line(error)})"
        notes = [*run.notes, lost]
    return replace(run, checks=checks, counts=_counts(run), notes=notes)


def _counts(run: Run) -> dict[str, int]:
    """Answers by status, of the metric that the log puts first."""
    metrics, status = run.rows["metric"], run.rows["status"]
    coded = status.array  # `status.cat` makes a frame's worth of objects
    if isinstance(coded, pd.Categorical) and has_one_metric(run.rows):
        found = np.bincount(coded.codes, minlength=len(coded.categories))
        by_status = dict(zip(coded.categories, found.tolist(), strict=True))
        return dict(sorted(((k, n) for k, n in by_status.items() if n), key=lambda kn: -kn[1]))
    mine = metrics == run.headline
    if not mine.any():
        mine = metrics == (metrics.iloc[0] if len(metrics) else "")
    status = status if mine.all() else status[mine]
    return {str(k): int(n) for k, n in status.value_counts().items() if n}
