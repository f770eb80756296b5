"""Runs a job: its notebook in a folder aside, then its documents; then this folder takes the place
of the old one.
"""

import concurrent.futures
import logging
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from reportkit import interrupts
from reportkit.builds.job import FAILED, Job
from reportkit.errors import DocumentError, NotebookError, ReportkitError, is_full
from reportkit.kernels.client import Origin, join, lost, serving
from reportkit.machine import processors
from reportkit.publishing.aside import Aside
from reportkit.text.notebooks import light_nbformat, light_papermill

# Reports that the processes of --jobs make on the average before new ones take their place: what a
# library keeps of each report has an end.
AT_MOST = 50
WORTH = 3  # reports: a process of its own takes about as long to start as two of them
MOST = 4  # processes that nobody asked for; each takes 0.3 to 0.4 GB
START = 600  # seconds for a kernel to start: on a busy machine papermill's 60 are not enough
DIED = "its process died; perhaps the machine ran out of memory"


def at_once(jobs: int | None, reports: int) -> int:
    """How many reports are made at once. jobs: what the user says; None: what this machine has
    processors for, where there are enough reports that further processes pay.

    >>> at_once(3, 60), at_once(None, 2)
    (3, 1)
    """
    if jobs is not None:
        return jobs
    most = min(unasked(), reports // WORTH)
    return most if most > 1 and _have_locks() else 1


def unasked() -> int:
    """How many processes this machine has room for, where nobody says how many.

    >>> 1 <= unasked() <= MOST
    True
    """
    return min(processors(), MOST)


def _have_locks() -> bool:
    """Whether processes can wait for each other here: some containers have no room for that."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except (ImportError, OSError):
        return False
    return True


def run_all(plan: Sequence[Job], jobs: int | None) -> Iterator[tuple[Job, str | None]]:
    """Runs the jobs in this process or in several; jobs: see at_once. Yields each when it ends,
    with its problem or None.
    """
    if not plan:
        return
    with serving() as server:
        yield from _run_all(plan, at_once(jobs, len(plan)), server)


def _run_all(
    plan: Sequence[Job], jobs: int, server: Origin | None
) -> Iterator[tuple[Job, str | None]]:
    if jobs == 1 or len(plan) < 2:
        for job in plan:
            yield job, run(job)
        return
    again = []
    for k in range(0, len(plan), jobs * AT_MOST):
        part = plan[k : k + jobs * AT_MOST]
        for job, error, problem in _in_processes(part, min(jobs, len(part)), server):
            if isinstance(error, BrokenProcessPool):
                again.append(job)
            else:
                yield job, sentence(error) if error else problem
    # A process that died took the jobs of the others with it: each of them gets one of its own.
    for job in again:
        for _, error, problem in _in_processes([job], 1, server):
            yield job, sentence(error) if error else problem


def _in_processes(
    plan: Sequence[Job], jobs: int, server: Origin | None
) -> Iterator[tuple[Job, BaseException | None, str | None]]:
    """Each job when it ends, with what its process raised, or with what `run` returned."""
    context = multiprocessing.get_context("spawn")
    pool = concurrent.futures.ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(server,)
    )
    try:
        with interrupts.held():
            waiting = {pool.submit(_run_one, job): job for job in plan}
        for done in concurrent.futures.as_completed(waiting):
            error = done.exception()
            yield waiting[done], error, None if error else done.result()
    finally:  # an interrupt begins no further job
        pool.shutdown(cancel_futures=True)


def _begin(server: Origin | None) -> None:
    interrupts.wait_for_work()
    join(server)
    light_papermill()


def _run_one(job: Job) -> str | None:
    """The pool hands each process a job more than it works at; no interrupt takes that back."""
    with interrupts.at_work():
        return run(job)


def sentence(error: BaseException) -> str:
    """What ended a process that made a report."""
    if isinstance(error, BrokenProcessPool):
        return DIED
    return str(error) or type(error).__name__


Make = Callable[[Job, Path], None]  # writes a report into a folder, or raises its problem


def run(job: Job, make: Make | None = None) -> str | None:
    """Makes one report aside and puts it in place. Returns the problem as a sentence, or None.

    make: what writes the report into the folder aside; without it, `write_report`.
    """
    problem = _made(job, make or write_report)
    if problem is not None and lost():  # with the process that kernels are forked from
        join(None)
        problem = _made(job, make or write_report)
    return problem


def _made(job: Job, make: Make) -> str | None:
    out = Path(job.output.out)
    try:
        with Aside(out, job.name) as aside:
            return _run(job, out, aside, make)
    except OSError as error:
        return str(error)


def _run(job: Job, out: Path, aside: Aside, make: Make) -> str | None:
    kept = out / FAILED / f"{job.name}.ipynb"
    try:
        make(job, aside.new)
        aside.publish(out / job.name)
        kept.unlink(missing_ok=True)
        return None
    except (ReportkitError, OSError) as error:
        failed = aside.new / "report.ipynb"
        if not failed.is_file() or is_full(error):  # of a full disk, it may be half a notebook
            return str(error)
        kept.parent.mkdir(exist_ok=True)
        os.replace(failed, kept)
        return f"{error} (the notebook as it failed: {kept})"


def write_report(job: Job, aside: Path) -> None:
    """Runs a job's notebook and makes its documents, all in a folder. ReportkitError or OSError
    where it fails.
    """
    nbformat = light_nbformat()  # before papermill, which imports all of it
    import papermill
    from nbclient.exceptions import CellTimeoutError

    from reportkit.documents.make import make_documents
    from reportkit.kernels import VARIABLE, engine
    from reportkit.report.notebook import plain_notebook
    from reportkit.report.outputs import record_outputs

    logging.getLogger("papermill").setLevel(logging.ERROR)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = job.handover
    target = aside / "report.ipynb"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            executed = papermill.execute_notebook(
                job.notebook,
                str(target),
                engine_name=engine.register(),
                parameters=dict(job.parameters) | {"out": str(aside.resolve())},
                progress_bar=False,
                start_timeout=START,
                execution_timeout=job.output.time_limit or None,
                # The kernel says at every start that loopback is not encrypted: no failure, and
                # nothing new.
                extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            )
    except papermill.PapermillExecutionError as error:
        where = f"cell {error.exec_count}" if error.exec_count else "a cell"
        message = (
            f"{error.evalue}"
            if error.ename.endswith("Error") and error.evalue
            else f"{error.ename} {error.evalue}"
        )
        raise NotebookError(
            f"{Path(job.notebook).name}, {where}: {error.ename}: {message}"
        ) from None
    except CellTimeoutError:
        raise NotebookError(
            f"{Path(job.notebook).name}: a cell took longer than {job.output.time_limit:g} "
            "seconds; give it more with --time-limit"
        ) from None
    # papermill and nbclient have many classes for a kernel that is missing or has died
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise NotebookError(f"{Path(job.notebook).name}: could not be run: {first}") from None
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before
    text = plain_notebook(executed)
    target.write_text(text, encoding="utf-8")
    if not (aside / "results.json").is_file():
        raise NotebookError(
            f"{Path(job.notebook).name}: the notebook ended without report.finish(); add it as "
            "last cell"
        )
    try:
        make_documents(
            nbformat.reads(text, as_version=4),
            aside,
            formats=job.output.formats,
            title=job.heading or job.title,
        )
    except ReportkitError:
        raise
    except Exception as error:  # whatever fails here, the other reports go on
        raise DocumentError(
            f"{job.title}: the documents could not be made: {type(error).__name__}: {error}"
        ) from error
    record_outputs(aside)
