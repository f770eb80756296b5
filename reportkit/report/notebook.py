"""The notebook that is running now, as papermill has saved it; and notebooks without what differs
between equal runs.
"""

import glob
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reportkit.report.manifest import named
from reportkit.report.parameters import NAMES


def running_notebook(parameters: Mapping[str, Any]) -> Any | None:
    """The executed notebook so far, when this kernel was started by papermill's command; otherwise
    None.

    A kernel is not told the name of its notebook. But papermill saves its output after every cell,
    with the output's own path in the metadata, and the command line of the kernel's parent process
    names that path, perhaps with placeholders such as {eval}. parameters: those this notebook runs
    with, so that no other's output is taken for it.
    """
    import nbformat
    import psutil

    if "ipykernel" not in sys.modules:
        return None
    try:
        parent = psutil.Process().parent()
        words, folder = (parent.cmdline(), parent.cwd()) if parent else ([], "")
    except psutil.Error:
        return None
    for word in (w for w in words if w.endswith(".ipynb")):
        for path in _named(word, folder):
            try:
                notebook = nbformat.read(path, as_version=4)
            except (ValueError, OSError):  # not a notebook, or caught in the middle of a write
                continue
            recorded = notebook.metadata.get("papermill", {})
            if Path(folder, recorded.get("output_path") or "") == path and all(
                parameters.get(k, v) == v for k, v in recorded.get("parameters", {}).items()
            ):
                return notebook
    return None


def _named(word: str, folder: str) -> list[Path]:
    """The files that a path of the command line may mean, the latest first."""
    if Path(folder, word).is_file():
        return [Path(folder, word)]
    pattern = "*".join(glob.escape(part) for part in re.split(r"\{[^{}]*\}", word))
    found = (
        [Path(folder, name) for name in glob.glob(pattern, root_dir=folder)]
        if pattern != word
        else []
    )
    return sorted((p for p in found if p.is_file()), key=lambda p: -p.stat().st_mtime_ns)


def plain_notebook(notebook: Any) -> str:
    """A notebook as text without times, process ids, folders and random ids: equal runs give equal
    bytes.
    """
    import nbformat

    nb = nbformat.from_dict(notebook)
    recorded = nb.metadata.get("papermill", {})
    parameters = {k: v for k, v in recorded.get("parameters", {}).items() if k != "out"}
    order = {name: place for place, name in enumerate(NAMES)}
    parameters = dict(sorted(parameters.items(), key=lambda p: order.get(p[0], len(order))))
    if "scores" in parameters:
        parameters["scores"] = named(parameters["scores"])
    nb.metadata = nbformat.from_dict(
        {"kernelspec": dict(nb.metadata.get("kernelspec", {})), "language_info": {"name": "python"}}
        | {"papermill": {"parameters": parameters}}
    )
    for number, cell in enumerate(nb.cells, 1):
        tags = cell.metadata.get("tags", [])
        cell.id = f"cell-{number}"
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if "injected-parameters" in tags:
            cell.source = (
                "\n".join(["# Parameters", *(f"{k} = {v!r}" for k, v in parameters.items())]) + "\n"
            )
        for output in cell.get("outputs", []):
            output.get("metadata", {}).clear()
    return nbformat.writes(nb, version=4) + "\n"
