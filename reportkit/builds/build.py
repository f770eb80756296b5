"""A grid of reports: each eval's notebook run by papermill, its documents made, the finished folder
swapped in.
"""

import concurrent.futures
import multiprocessing
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.builds.index import write_index
from reportkit.builds.job import Job, Summary
from reportkit.builds.run import run
from reportkit.documents import DEFAULT, check_formats
from reportkit.errors import (
    NotebookError,
    OutputError,
    ReportkitError,
    ScoresError,
    UnknownNameError,
    did_you_mean,
)
from reportkit.loading.config import Settings
from reportkit.loading.opened import check_baseline, open_scores
from reportkit.report.manifest import as_given
from reportkit.scores.select import select, slug


def build(
    sources: Sequence[str] = (),
    *,
    evals: str | Sequence[str] = "",
    models: str | Sequence[str] = "",
    baseline: str = "",
    metric: str = "",
    clusters: Mapping[str, str] | None = None,
    notebook: str = "template",
    formats: Sequence[str] = DEFAULT,
    theme: str = "error-bars",
    out: str | os.PathLike[str] = "reports",
    jobs: int = 1,
    certificate: bool = False,
    settings: Settings | None = None,
    strict: bool = False,
    progress: Callable[[str, int, int], None] = lambda _message, _done, _all: None,
) -> Summary:
    """One report for each eval in the sources (none: the demonstration), and an index over the
    folder.

    clusters maps an eval to the field that groups its questions; the key "" stands for every eval.
    certificate: also simulate what the intervals cover. settings: what reportkit.toml decides
    (config.load). strict: a broken file of a folder is an error. Options are checked before
    anything is written: a name that fits no eval, or input that breaks a rule everywhere, raises a
    ReportkitError. A report that fails leaves its notebook in out/failed and the last good report
    alone; the others are built.
    """
    from reportkit.tables import check_theme

    check_theme(theme)
    check_formats(formats)
    if jobs < 1:
        raise UnknownNameError(f"{jobs} jobs cannot build anything; give 1 or more")
    path = notebook_path(notebook)
    summary = Summary(Path(out))
    settings = settings or Settings()
    opened = open_scores(
        sources,
        options=settings.options,
        aliases=settings.aliases,
        columns=settings.columns,
        logs=settings.logs,
        strict=strict,
        progress=lambda path: progress(f"reading {path}", 0, 0),
        skipped=lambda path, why: summary.skipped.update({path: why}),
    )
    chosen, fields = opened.chosen(evals), opened.clusters(clusters or {})
    summary.notes = settings.unused(opened.logged, opened.models) if sources else []
    wanted = opened.models_of(models, baseline)
    plan = []
    for eval_name in chosen:
        parameters = {
            "eval": eval_name,
            "models": wanted,
            "baseline": baseline,
            "metric": metric,
            "theme": theme,
            "certificate": certificate,
            "cluster": fields[eval_name],
            "scores": opened.files(eval_name),
        }
        try:
            rows = opened.of(eval_name)
            check_baseline(rows, eval_name, baseline)
            select(
                rows, eval_name, models=wanted, metric=metric, cluster=str(parameters["cluster"])
            )
            parameters = {k: v for k, v in parameters.items() if v}
            plan.append(Job(eval_name, "", str(path), parameters, tuple(formats), str(out)))
        except ReportkitError as error:
            summary.failures[eval_name] = str(error)
    if not plan:  # nothing can be built: the input or the options are wrong
        raise ScoresError("\n".join(summary.failures.values()))
    _check_parameters(path, plan[0].parameters)
    _prepare(summary.out)
    plan = [replace(job, name=name) for job, name in _named(plan)]
    with tempfile.TemporaryDirectory(prefix=".scores-", dir=summary.out) as aside:
        if sources:
            # What the file names, the command that names the file need not.
            own = settings.file and tuple(sources) == settings.sources
            words = [
                *settings.said,
                *(
                    ["--notebook", as_given(notebook)["sources"][0]]
                    if path == Path(notebook)
                    else []
                ),
            ]
            given = as_given(() if own else sources, words, settings.file)
            plan = [_prepared(job, opened.of(job.eval), Path(aside), given) for job in plan]
        for number, (job, problem) in enumerate(_run_all(plan, jobs), 1):
            if problem is None:
                summary.built.append(job.name)
            else:
                summary.failures[job.eval] = problem
            progress(f"{job.eval}: {'built' if problem is None else 'failed'}", number, len(plan))
    summary.built.sort()
    write_index(summary)
    return summary


def notebook_path(notebook: str) -> Path:
    """The notebook of a name that reportkit ships, or of the user's own path."""
    from reportkit.text.assets import asset

    shipped = (
        Path(asset("notebooks", f"{notebook}.ipynb")) if notebook.isidentifier() else Path(notebook)
    )
    if shipped.is_file():
        return shipped
    if Path(notebook).is_file():
        return Path(notebook)
    raise UnknownNameError(f"no notebook {notebook!r}; give 'template' or the path of your own")


def _prepared(job: Job, frame: Any, folder: Path, given: Mapping[str, Any]) -> Job:
    """The job with its eval's rows written aside: the logs are read once, and every notebook sees
    the same choices.
    """
    from reportkit.loading.handover import write_prepared

    path = folder / f"{job.name}.parquet"
    write_prepared(frame, job.eval, job.parameters["scores"], path, given)
    return replace(job, prepared=str(path.resolve()))


def _named(plan: Sequence[Job]) -> Iterable[tuple[Job, str]]:
    """Folder names that differ also where the file system does not tell upper from lower case."""
    folded = [slug(job.eval).casefold() for job in plan]
    for job, fold in zip(plan, folded, strict=True):
        yield (
            job,
            slug(job.eval) if folded.count(fold) == 1 else slug(job.eval + "\0").replace("\0", ""),
        )


def _check_parameters(notebook: Path, parameters: Mapping[str, Any]) -> None:
    """papermill only warns about a parameter that the notebook does not have; the report would be
    on the wrong thing.
    """
    import papermill

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            known = list(papermill.inspect_notebook(str(notebook)))
        # whatever a file that is no notebook makes of papermill's readers
        except Exception as error:
            raise NotebookError(
                f"{notebook}: not a notebook that papermill can read: {error}"
            ) from None
    for name in parameters:
        if name not in known:
            raise NotebookError(f"{notebook}: no parameter {name!r}{did_you_mean(name, known)}")


def _prepare(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise OutputError(
            f"{out}: cannot be written: {error.strerror}; choose another folder with --out"
        ) from None


def _run_all(plan: Sequence[Job], jobs: int) -> Iterable[tuple[Job, str | None]]:
    """Runs the jobs, in this process or in several, and yields each as it ends, with its problem or
    None.
    """
    if jobs == 1 or len(plan) == 1:
        for job in plan:
            yield job, run(job)
        return
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(jobs, len(plan)), mp_context=context) as pool:
        waiting = {pool.submit(run, job): job for job in plan}
        for done in concurrent.futures.as_completed(waiting):
            error = done.exception()
            yield waiting[done], str(error) or type(error).__name__ if error else done.result()
