"""Builds the reports of several evals. papermill runs the notebook of each, its documents are made,
and the finished folder takes the place of the old one.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from reportkit.builds.after import Made, check_output, conclude
from reportkit.builds.changed import changed
from reportkit.builds.fingerprint import asked, read_fingerprints, remember, seen
from reportkit.builds.job import Job, Output, Summary
from reportkit.builds.moved import Before, look_before
from reportkit.builds.plan import build_plan, is_plan
from reportkit.builds.planning import (
    Planned,
    command_words,
    is_suite,
    known_parameters,
    planned,
    report_folders,
    suite_job,
)
from reportkit.builds.prepare import prepare
from reportkit.builds.rounds import replaced
from reportkit.builds.runners import check_executor, runner
from reportkit.decisions import SPECS, TOGETHER, Decisions
from reportkit.decisions.values import split
from reportkit.documents import checked_formats
from reportkit.errors import (
    NotebookError,
    ReportkitError,
    ScoresError,
    UnknownNameError,
    check_keywords,
    did_you_mean,
)
from reportkit.inputs.files import watched
from reportkit.loading.cache import ReadLogs
from reportkit.loading.config import Settings
from reportkit.loading.evals import Evals, open_scores
from reportkit.loading.handover import JOB, Handed, Handover, write_handover
from reportkit.loading.read import Paths, paths_of
from reportkit.publishing.aside import STATE, Aside, turn
from reportkit.report.manifest import as_given, in_memory, with_formats
from reportkit.report.worktree import with_tree
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores

SUITE = "suite"  # the notebook over several evals


def build(
    sources: "Paths | pd.DataFrame | Scores" = (),
    decisions: Decisions | None = None,
    *,
    output: Output | None = None,
    settings: Settings | None = None,
    strict: bool = False,
    progress: "Progress" = lambda _message, _done, _all: None,
    **said: Any,
) -> Summary:
    """One report for each eval in the sources (none: the demonstration), one over all of them where
    they are two or more, and an index over the folder. The sources are paths and URLs, or a
    DataFrame of scores.

    decisions: what is decided; without them, what settings of reportkit.toml (config.load) decide.
    said: decisions and fields of Output by their names, such as baseline="A", out="reports"; they
    beat both. strict: a broken file of a folder is an error. Everything is checked before anything
    is written: ReportkitError where a name fits no eval, or where no eval can be built. When a
    report fails, its notebook goes to out/failed, the last good report stays as it is, and the
    others are built.
    """
    settings = settings or Settings()
    sources = sources if is_frame(sources) else paths_of(sources)
    output, said = _output(output or Output(), said)
    d = (decisions or settings.decisions).beaten_by(said)
    words, began = asked(sources, {**said, "strict": strict}, settings, output), time.time()
    path = notebook_path(output.notebook)  # it is there
    if is_plan(path):
        of_pilot = _paths_of_pilot(sources, settings)
        words_of_it = command_words(path, output, settings)
        told = as_given(of_pilot, words_of_it, settings.file if of_pilot else "")
        told = with_formats(told, output.formats)
        return build_plan(
            path, of_pilot, told, settings.reading(d, strict=strict), output=output, said=said
        )
    summary = Summary(Path(output.out))
    reading = settings.reading(
        d,
        strict=strict,
        progress=lambda path: progress(f"reading {path}", 0, 0),
        skipped=lambda path, why: summary.skipped.update({path: why}),
        logs_read=ReadLogs.at(summary.out / STATE / "read"),
    )
    with watched() as looked:
        there = open_scores(sources, reading)
    there.check_evals(e for e in d.evals if e not in settings.decisions.evals)
    there.models_of(d.models, d.baseline)
    names = there.logged, there.models, d.prices
    summary.notes = settings.unused(*names) if there.sources else []
    chosen = there.chosen(d.eval)
    plan = planned(there, d, chosen, summary)
    if not plan:  # nothing can be built: the input or the options are wrong
        raise ScoresError("\n".join(_together(summary.failures)))
    # an eval that fails may have the metric of a range
    of_all = [] if summary.failures else list(plan)
    summary.notes += there.check_ranges(of_all, d, settings.decisions)
    jobs = _jobs(there, plan, d, output, said, summary)
    folders = {e: job.name for job in jobs if not job.each for e in job.evals}
    notebooks = {job.notebook: job.parameters for job in jobs}
    for notebook, parameters in notebooks.items():
        _check_parameters(Path(notebook), parameters)
    given = _given(sources, settings, output)

    def waiting() -> None:
        progress(f"{summary.out}: another build is at work here, waits for its end", 0, len(jobs))

    with (
        runner(output) as run_all,  # first: of a cluster that is not there nothing is written
        turn(prepare(summary.out, bool(there.sources)), waiting),
        Aside(summary.out, "scores") as aside,
    ):
        if reading.logs_read is not None:
            reading.logs_read.write(aside)
        kept = read_fingerprints(summary.out)
        parts = changed(jobs, there, given, kept, summary)
        jobs = [job for job in jobs if job.name in parts]
        before = look_before(summary, jobs, () if d.eval else there.evals, output.against)
        command = with_formats(given, output.formats)
        if jobs and there.sources:  # a commit alone makes no report again
            command = with_tree(command, summary.out)
        jobs = _all_handed_over(jobs, there, aside.new, command, summary.failures)
        for job in _run_jobs(run_all(jobs), len(jobs), summary, progress):
            kept.built(job.name, parts[job.name])
            kept.write(aside)
        for report in replaced(summary.out, folders):
            aside.retire(report)
        _conclude(summary, before, Made(there, d, said, command, jobs, output))
        if decisions is None:
            files = [*notebooks, *looked]
            remember(kept, words, lambda: seen(there.sources, files, began), summary)
            kept.write(aside)
    return summary


Progress = Callable[[str, int, int], None]


def _jobs(
    there: Evals,
    plan: Mapping[str, Decisions],
    d: Decisions,
    output: Output,
    said: Mapping[str, Any],
    summary: Summary,
) -> list[Job]:
    """The reports to make: of each eval, and of two or more one over all; of a notebook over
    several evals that one alone.
    """
    path = notebook_path(output.notebook)
    folders = dict(zip(plan, report_folders(list(plan)), strict=True))
    over_all = path if is_suite(path) else None
    jobs = []
    for eval_name, decided in plan.items() if over_all is None else ():
        own = decided.without(*TOGETHER)
        given = _parameters(own, {*_named(said, eval_name, there.logged[eval_name])} - {*TOGETHER})
        if there.sources:
            given["scores"] = there.files(eval_name)
        folder = folders[eval_name]
        jobs.append(Job(str(path), own, (eval_name,), folder, eval_name, given, output))
    if len(plan) > 1 and over_all is None:
        over_all = notebook_path(SUITE)
    if over_all is not None:
        evals = Planned(plan, folders, dict(summary.failures))
        given = _parameters(d, _named(said))
        jobs.append(suite_job(over_all, d, evals, output, given, there.sources))
    return jobs


def _run_jobs(
    ended: Iterable[tuple[Job, str | None]], n_jobs: int, summary: Summary, progress: Progress
) -> Iterator[Job]:
    """Tells of each job when it ends. Yields those that are built."""
    for number, (job, problem) in enumerate(ended, 1):
        if problem is None:
            summary.built.append(job.name)
            yield job
        else:
            summary.failures[job.title] = problem
        progress(f"{job.title}: {'built' if problem is None else 'failed'}", number, n_jobs)
    summary.built.sort()


def _conclude(summary: Summary, before: Before, made: Made) -> None:
    """The end of a build; a front page that cannot be written is a failure that is named with the
    others.
    """
    try:
        conclude(summary, before, made)
    except OSError as error:
        summary.failures["index.html"] = f"cannot be written: {error.strerror or error}"


def _output(output: Output, said: Mapping[str, Any]) -> tuple[Output, dict[str, Any]]:
    """The output with the fields that keywords name; and the other keywords: decisions."""
    fields = Output.__dataclass_fields__
    check_keywords("build", said, [*SPECS, *fields, "evals"])
    output = replace(output, **{k: v for k, v in said.items() if k in fields})
    formats = checked_formats(split(output.formats))
    output = replace(output, formats=formats, out=os.fspath(output.out))
    check_output(output)
    check_executor(output.executor)
    if output.jobs is not None and output.jobs < 1:
        raise UnknownNameError(f"{output.jobs} jobs cannot build anything; give 1 or more")
    return output, {k: v for k, v in said.items() if k not in fields}


def _together(failures: Mapping[str, str]) -> list[str]:
    """The problems of evals, each problem once, with the evals that have it."""
    evals: dict[str, list[str]] = {}
    for eval_name, problem in failures.items():
        evals.setdefault(problem.removeprefix(f"eval {eval_name!r}: "), []).append(eval_name)
    lines = []
    for problem, names in evals.items():
        if len(names) == 1:
            lines.append(failures[names[0]])
        else:
            more = f" and {len(names) - 8} more" if len(names) > 8 else ""
            lines.append(f"evals {', '.join(map(repr, names[:8]))}{more}: {problem}")
    return lines


def _named(said: Mapping[str, Any], *eval_names: str) -> set[str]:
    """The decisions that a command has named, for all evals or for one of these names."""
    evals = said.get("evals", {})
    return {*said, *(name for e in eval_names for name in evals.get(e, {}))}


def _parameters(d: Decisions, named: Iterable[str]) -> dict[str, Any]:
    """What a notebook is given: the decisions that differ from the defaults, or were named. For the
    rest, the notebook's own parameters hold.
    """
    given = {"eval", *d.changed(), *named}
    return {k: v for k, v in d.parameters().items() if k in given and v != ""}


def _given(
    sources: "Sequence[str] | pd.DataFrame | Scores", settings: Settings, output: Output
) -> dict[str, Any]:
    """What the manifest's command says beside the decisions."""
    if is_frame(sources):
        return in_memory()
    # where the file names them, the command need not
    own = settings.file and tuple(sources) == settings.sources
    words = command_words(notebook_path(output.notebook), output, settings)
    return as_given(() if own else sources, words, settings.file)


def _paths_of_pilot(
    sources: "Sequence[str] | pd.DataFrame | Scores", settings: Settings
) -> tuple[str, ...]:
    """The files of a plan's pilot: those that are named, and not those of reportkit.toml."""
    if is_frame(sources):
        raise ScoresError(
            "a plan's notebook reads its pilot from files: write the scores to one, or call "
            "reportkit.plan(scores=...)"
        )
    named = tuple(sources)
    return () if named == settings.sources else named


def notebook_path(notebook: str) -> Path:
    """The notebook that reportkit ships under this name, or the user's own at this path."""
    from reportkit.text.assets import asset

    shipped = {path.stem: path for path in sorted(asset("notebooks").glob("*.ipynb"))}
    path = shipped.get(notebook, Path(notebook))
    if path.is_file():
        return path
    raise UnknownNameError(
        f"no notebook {notebook!r}, and no file of that name{did_you_mean(notebook, shipped)}"
    )


def _all_handed_over(
    jobs: Sequence[Job],
    there: Evals,
    folder: Path,
    given: Mapping[str, Any],
    failures: dict[str, str],
) -> list[Job]:
    """The jobs, each with what its notebook is handed. A source that has gone meanwhile, or a full
    disk, is a failure of one report.
    """
    ready = []
    for job in jobs:
        try:
            ready.append(_handed_over(job, there, folder, given))
        except (ReportkitError, OSError) as error:
            failures[job.title] = str(error)
    return ready


def _handed_over(job: Job, there: Evals, folder: Path, given: Mapping[str, Any]) -> Job:
    """The job, with what its notebook is handed. A notebook makes the demonstration's rows itself,
    so these are not handed over.
    """
    path = (folder / job.name).resolve()
    if job.each:
        evals = [replace(e, folder=_rows_of(e, there, folder)) for e in job.each]
        sources = job.parameters.get("scores", ())
        notebook = Path(job.notebook).stem
        handed = Handover(
            notebook, sources=sources, given=given, evals=tuple(evals), left_out=job.left_out
        )
        write_handover(path, handed)
        return replace(job, handover=str(path))
    eval = job.evals[0]
    scores = there.of(eval) if there.sources else None
    sources = job.parameters.get("scores", ())
    write_handover(path, Handover(Path(job.notebook).stem, eval, sources, given, scores))
    return replace(job, handover=str(path))


def _rows_of(e: Handed, there: Evals, folder: Path) -> str:
    """The folder with the rows of one eval of a suite: that of its own report's job, where it has
    one.
    """
    if not there.sources:
        return ""
    path = (folder / e.folder).resolve()
    if not (path / JOB).is_file():
        write_handover(path, Handover("", e.eval, scores=there.of(e.eval)))
    return str(path)


def _check_parameters(notebook: Path, parameters: Mapping[str, Any]) -> None:
    """NotebookError for a parameter that the notebook does not have. papermill only warns of it,
    and the report would be of something else.
    """
    known = known_parameters(notebook)
    for name in parameters:
        if name not in known:
            raise NotebookError(f"{notebook}: no parameter {name!r}{did_you_mean(name, known)}")
