"""The notebook that is running now, as papermill has saved it; and notebooks without what differs between equal runs."""

import os
import sys
from pathlib import Path
from typing import Any

from reportkit.manifest import recorded_parameters


def running_notebook() -> Any | None:
    """The executed notebook so far, when this kernel was started by papermill's command; otherwise None.

    A kernel is not told the name of its notebook. papermill saves the output after every cell, and its command line,
    which the kernel's parent process has, names the file.
    """
    import nbformat

    path = _output_path()
    if path is None or not path.is_file():
        return None
    try:
        return nbformat.read(path, as_version=4)
    except (ValueError, OSError):  # caught in the middle of a write, or not a notebook
        return None


def _output_path() -> Path | None:
    import psutil

    if "ipykernel" not in sys.modules:
        return None
    try:
        parent = psutil.Process().parent()
        words = parent.cmdline() if parent else []
        folder = parent.cwd() if parent else ""
    except psutil.Error:
        return None
    starts = [
        k for k, w in enumerate(words) if os.path.basename(w) in ("papermill", "papermill.exe", "papermill-script.py")
    ]
    starts += [k for k, w in enumerate(words) if k and words[k - 1] == "-m" and w == "papermill"]
    if not starts:
        return None
    found = _output_argument(words[starts[0] + 1 :])
    return Path(folder, found) if found and "://" not in found and "{" not in found else None


def _output_argument(words: list[str]) -> str | None:
    """The second positional argument of papermill's own command line, parsed by papermill's own options."""
    from papermill.cli import papermill

    try:
        context = papermill.make_context("papermill", list(words), resilient_parsing=True)
    except Exception:  # click's errors: papermill itself would have stopped on them
        return None
    return context.params.get("output_path")


def plain_notebook(notebook: Any) -> str:
    """A notebook as text without times, process ids, folders and random ids: equal runs give equal bytes."""
    import nbformat

    nb = nbformat.from_dict(notebook)
    recorded = nb.metadata.get("papermill", {})
    parameters = {k: v for k, v in recorded.get("parameters", {}).items() if k != "out"}
    if "scores" in parameters:
        parameters = recorded_parameters(parameters)
    nb.metadata = nbformat.from_dict(
        {"kernelspec": dict(nb.metadata.get("kernelspec", {})), "language_info": {"name": "python"}}
        | {"papermill": {"parameters": parameters}}
    )
    for number, cell in enumerate(nb.cells, 1):
        tags = cell.metadata.get("tags", [])
        cell.id = f"cell-{number}"
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if "injected-parameters" in tags:
            cell.source = "\n".join(["# Parameters", *(f"{k} = {v!r}" for k, v in parameters.items())]) + "\n"
        for output in cell.get("outputs", []):
            output.get("metadata", {}).clear()
    return nbformat.writes(nb, version=4) + "\n"
