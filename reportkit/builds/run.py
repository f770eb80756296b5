"""Runs a job: its notebook in a folder aside, then its documents; then this folder takes the place
of the old one.
"""

import logging
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from reportkit.builds.job import FAILED, Job
from reportkit.errors import DocumentError, NotebookError, ReportkitError


def run(job: Job) -> str | None:
    """Makes one report aside and puts it in place. Returns the problem as a sentence, or None."""
    out = Path(job.output.out)
    aside = Path(tempfile.mkdtemp(prefix=f".{job.name}-", dir=out))
    try:
        _execute(job, aside)
        _swap(aside, out / job.name)
        (out / FAILED / f"{job.name}.ipynb").unlink(missing_ok=True)
        return None
    except (ReportkitError, OSError) as error:
        kept = out / FAILED / f"{job.name}.ipynb"
        if (aside / "report.ipynb").is_file():
            kept.parent.mkdir(exist_ok=True)
            os.replace(aside / "report.ipynb", kept)
            return f"{error} (the notebook as it failed: {kept})"
        return str(error)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _execute(job: Job, aside: Path) -> None:
    import nbformat
    import papermill

    from reportkit.documents.exporter import make_documents
    from reportkit.loading.handover import VARIABLE
    from reportkit.report.notebook import plain_notebook
    from reportkit.report.outputs import record_outputs

    logging.getLogger("papermill").setLevel(logging.ERROR)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = job.handover
    target = aside / "report.ipynb"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            papermill.execute_notebook(
                job.notebook,
                str(target),
                parameters=dict(job.parameters) | {"out": str(aside.resolve())},
                progress_bar=False,
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
    # papermill and nbclient have many classes for a kernel that is missing or has died
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise NotebookError(f"{Path(job.notebook).name}: could not be run: {first}") from None
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before
    text = plain_notebook(nbformat.read(target, as_version=4))
    target.write_text(text, encoding="utf-8")
    if not (aside / "results.json").is_file():
        raise NotebookError(
            f"{Path(job.notebook).name}: the notebook ended without report.finish(); add it as "
            "last cell"
        )
    try:
        make_documents(
            nbformat.reads(text, as_version=4), aside, formats=job.output.formats, title=job.title
        )
    except ReportkitError:
        raise
    except Exception as error:  # whatever fails here, the other reports go on
        raise DocumentError(
            f"{job.title}: the documents could not be made: {type(error).__name__}: {error}"
        ) from error
    record_outputs(aside, ["**/*"])  # the folder is new, so all in it is the report's


def _swap(aside: Path, final: Path) -> None:
    """The finished folder takes the place of the old one. The old one is removed only when the new
    one is there.
    """
    aside.chmod(0o755)
    old = None
    if final.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{final.name}-old-", dir=final.parent))
        os.replace(final, old / "report")
    os.replace(aside, final)
    if old is not None:
        shutil.rmtree(old, ignore_errors=True)
