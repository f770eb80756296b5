"""What nbconvert calls: `jupyter nbconvert --to reportkit-html out.ipynb`."""

import ast
import functools
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from traitlets import default
from traitlets.config import Config

from reportkit.documents import FORMATS, Format
from reportkit.documents.cells import HIDDEN, Cells
from reportkit.documents.make import document_of
from reportkit.scores.select import slug


class ReportExporter(Exporter):
    """Notebook -> one document without its code. Its images, where it does not hold them, and what
    else it needs are files beside it.
    """

    form: Format

    @property
    def default_config(self) -> Config:
        config = super().default_config  # what a user's own removes by tags, beside ours
        config.merge(Config({"TagRemovePreprocessor": {"enabled": True}}))
        return config

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **kw: Any
    ) -> tuple[Any, dict[str, Any]]:
        nb, resources = super().from_notebook_node(nb, resources, **kw)
        figures = resources.get("output_files_dir") or "."
        if not re.fullmatch(r"[\w.-]+", figures, re.ASCII):  # else no format could name it
            figures = slug(figures)
        with tempfile.TemporaryDirectory() as aside:
            folder = Path(aside)
            title = title_of(nb) or resources["metadata"].get("name") or "Report"
            written = self.form.write(document_of(nb, Cells(self.form, folder, figures), title))
            beside = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
        if self.form.binary:
            return written, resources
        if not self.form.embeds:
            resources["outputs"] = (resources.get("outputs") or {}) | beside
        return written.decode(), resources


class CommandExporter(ReportExporter):
    """A ReportExporter that Jupyter Server does not offer: its entry point is named with a hyphen,
    which the server's addresses do not take. JupyterLab's menu has the one with an underscore.
    """

    @default("enabled")
    def _enabled(self) -> bool:
        server = sys.modules.get("jupyter_server.serverapp")
        return server is None or not server.ServerApp.initialized()


def title_of(nb: Any) -> str:
    """What the notebook's metadata or its first heading says; else the eval that it is of."""
    said = nb.metadata.get("title", "")
    if said:
        return str(said)
    for cell in nb.cells[:1]:
        if cell.cell_type == "markdown" and cell.source.lstrip().startswith("# "):
            return cell.source.lstrip()[2:].partition("\n")[0].strip()
    return str(_parameters(nb).get("eval", ""))


def _parameters(nb: Any) -> dict[str, Any]:
    """What the parameters of a notebook were: as its cells assign them, the injected ones last."""
    found: dict[str, Any] = {}
    for cell in nb.cells:
        if not HIDDEN.isdisjoint(cell.metadata.get("tags", [])):
            found |= _assigned(cell.source)
    return found


def _assigned(source: str) -> Mapping[str, Any]:
    """Constants that a cell assigns to names."""
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return {}
    found = {}
    for node in body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            continue
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Constant):
            found[target.id] = node.value.value
    return found


@functools.cache
def exporter(name: str, for_command: bool = False) -> type[ReportExporter]:
    """The exporter of a format: HtmlExporter of "html"; HtmlCommandExporter for nbconvert's
    command.
    """
    form = FORMATS[name]
    values = {
        "__module__": __name__,
        "form": form,
        "output_mimetype": form.mime,
        "file_extension": f".{form.name}",
        "export_from_notebook": f"Report, {form.title}",
    }
    base = CommandExporter if for_command else ReportExporter
    return type(f"{name.capitalize()}{'Command' * for_command}Exporter", (base,), values)


def __getattr__(name: str) -> type[ReportExporter]:
    """HtmlExporter, HtmlCommandExporter, MdExporter, ...: what entry_points() names."""
    stem = name.removesuffix("Exporter")
    form = stem.removesuffix("Command").lower()
    if stem != name and form in FORMATS:
        return exporter(form, stem.endswith("Command"))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
