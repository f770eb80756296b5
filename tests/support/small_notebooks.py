"""Notebooks that end soon: they write a report of one sentence, and import nothing of ours."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from reportkit.builds import run as runs
from reportkit.report.outputs import record_outputs

PARAMETERS = 'eval = ""\nscores = ""\nlevel = 0.95\nseed = 0\nout = ""'
WRITE = """
import json, pathlib
place = pathlib.Path(out)
made = {"fictional": not scores, "inputs": [], "parameters": {"level": level}}
(place / "manifest.json").write_text(json.dumps(made))
(place / "results.json").write_text(json.dumps({"report": {"name": eval}, "evals": []}))
(place / "tables").mkdir()
(place / "tables/a.md").write_text(f"{eval} {level}")
"""


def small_notebook(path: Path, *cells: str) -> Path:
    """A notebook with these cells before the last, which writes the report."""
    sources = [PARAMETERS, *cells, WRITE]
    nb = new_notebook(cells=[new_code_cell(source) for source in sources])
    nb.cells[0].metadata["tags"] = ["parameters"]
    nb.metadata["kernelspec"] = {
        "name": "python3", "display_name": "Python 3", "language": "python",
    }  # fmt: skip
    nbformat.write(nb, path)
    return path


def without_kernels(patch: pytest.MonkeyPatch) -> None:
    """From now on a build writes what such a notebook would, and runs none: for tests that only
    need reports to be there.
    """

    def write(job, aside: Path) -> None:
        names: dict = {}
        exec(PARAMETERS, names)
        exec(WRITE, names | job.parameters | {"out": aside})
        record_outputs(aside)

    patch.setattr(runs, "write_report", write)
