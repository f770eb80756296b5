"""The report on a published table: its notebook is run, and its documents are made."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reportkit.builds.job import Job, Output
from reportkit.builds.run import run
from reportkit.decisions import Decisions
from reportkit.documents import DEFAULT, checked_formats
from reportkit.errors import DocumentError
from reportkit.loading.handover import Handover, write_handover
from reportkit.publishing.place import make_writable
from reportkit.report.checked import NAME, given_of, title_of
from reportkit.report.manifest import with_formats
from reportkit.text.assets import asset


def build_checked(
    path: str, said: Mapping[str, Any], out: str, formats: Sequence[str] = DEFAULT
) -> Path:
    """Makes the report on the table in a file, into the folder `out`. DocumentError where it could
    not be made. said: the options of the check.
    """
    formats = checked_formats(formats)
    folder = Path(out).resolve()
    make_writable(folder.parent, "--out")
    words = {k: ";".join(v) if isinstance(v, tuple) else v for k, v in said.items() if v}
    parameters = {"table": str(Path(path).resolve()), **words}
    with tempfile.TemporaryDirectory() as aside:
        given = with_formats(given_of(path, out), formats)
        write_handover(Path(aside), Handover(NAME, given=given))
        job = Job(
            str(asset("notebooks", f"{NAME}.ipynb")),
            Decisions(),
            (),
            folder.name,
            title_of(Path(path)),
            parameters,
            Output(notebook=NAME, formats=formats, out=str(folder.parent)),
            handover=aside,
        )
        problem = run(job)
    if problem:
        raise DocumentError(problem)
    return folder
