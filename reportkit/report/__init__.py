"""What a notebook calls: read its parameters, show a table or a figure, save the drop-ins, finish
with results.json.
"""

import ast
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis import analyse
from reportkit.documents import prose
from reportkit.documents.macros import numbers, render_numbers
from reportkit.errors import OutputError, UnknownNameError, did_you_mean
from reportkit.loading.config import load
from reportkit.loading.handover import GIVEN, read_prepared
from reportkit.loading.read import read_scores
from reportkit.report.manifest import as_given, manifest, recorded_parameters
from reportkit.report.outputs import record_outputs
from reportkit.report.shown import Shown, show_figure, show_prose, show_table
from reportkit.results import EvalResult, Results, Warning
from reportkit.scores.select import slug, split_names
from reportkit.tables import FORMATS, KINDS, Kind, Table, check_theme, make_table
from reportkit.tables.render import render_drop_in, render_preamble
from reportkit.tables.shortened import SHOWN_COLUMNS, shortened
from reportkit.text.escaping import escape

if TYPE_CHECKING:
    from reportkit.figures import Figure


PARAMETERS: dict[str, Any] = {
    "eval": "MATH",
    "models": "",
    "baseline": "",
    "scores": "",
    "metric": "",
    "cluster": "",
    "level": 0.95,
    "power": 0.8,
    "theme": "error-bars",
    "out": "",
    "seed": 0,
    "certificate": False,
}
# models up to which a figure is also saved at the width of a column; more are hard to read there
COLUMN_MODELS = 30
BUILD = "REPORTKIT_BUILD"  # set by a build, to the notebook's name: it makes the documents itself


class Report:
    """One eval's report in the making. In a notebook: `report = Report.from_notebook(globals())`,
    then a call per cell.
    """

    def __init__(self, **parameters: Any):
        unknown = [p for p in parameters if p not in PARAMETERS]
        if unknown:
            raise UnknownNameError(
                f"no parameter {unknown[0]!r}{did_you_mean(unknown[0], PARAMETERS)}"
            )
        given = PARAMETERS | parameters
        check_theme(str(given["theme"]))
        self.parameters = given
        self.theme = str(given["theme"])
        self.certificate = _text(given["certificate"]).strip().lower() not in (
            "",
            "false",
            "no",
            "off",
            "0",
        )
        sources = given["scores"]
        self.given = as_given([])
        if sources:
            frame = _read(_text(given["eval"]), sources)
            self.given = frame.attrs.pop(GIVEN, None) or as_given(sources)
        else:
            from reportkit.loading.demo import EVALS, demo_scores

            name = str(given["eval"])
            frame = demo_scores([name] if name in EVALS else None)
        models = given["models"]
        self.result: EvalResult
        self.warnings: tuple[Warning, ...]
        self.result, self.warnings = analyse(
            frame,
            _text(given["eval"]),
            models=split_names(models, frame["model"].unique()),
            baseline=_text(given["baseline"]),
            metric=_text(given["metric"]),
            cluster=_text(given["cluster"]),
            level=float(given["level"]),
            power=float(given["power"]),
            certificate=self.certificate,
            seed=int(given["seed"] or 0),
        )
        self.folder = Path(_text(given["out"]) or os.path.join("reports", slug(self.result.eval)))
        self._saved: set[str] = set()
        self._numbers: dict[str, dict[str, int]] = {}

    @classmethod
    def from_notebook(cls, namespace: dict[str, Any]) -> "Report":
        """The report that a notebook's parameters ask for.

        Fails on a parameter that the notebook does not have, which papermill lets pass with a
        warning. Takes `eval` out of the namespace, so that the builtin works in the cells that
        follow.
        """
        cells = [cell for cell in namespace.get("In", []) if cell]
        declared, injected = set(PARAMETERS), []
        for cell in cells:
            assigned = _assigned(cell)
            if cell.lstrip().startswith("# Parameters"):  # the cell that papermill writes
                injected += assigned
            else:
                declared |= set(assigned)
        for name in injected:
            if name not in declared:
                raise UnknownNameError(
                    f"no parameter {name!r}{did_you_mean(name, sorted(declared & set(PARAMETERS)))}"
                )
        values = {name: namespace[name] for name in PARAMETERS if name in namespace}
        namespace.pop("eval", None)
        return cls(**values)

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        return show_prose(prose.findings(self.result))

    def methods(self) -> Shown:
        return show_prose(prose.methods(self.result))

    def notes(self) -> Shown:
        """The warnings, or that there are none."""
        return show_prose(
            prose.warning_list(self.warnings) if self.warnings else "There are no warnings."
        )

    def table(self, kind: str) -> Shown | None:
        """A table, saved as drop-ins; in the document a long one is cut and a matrix of many models
        left to its figure.

        None for the coverage certificate of a report that was not asked for one (parameter
        `certificate`).
        """
        about = KINDS.get(kind, Kind())  # make_table says so where there is no such kind
        if about.on_request and not self.certificate:
            return None
        table = make_table(self.result, kind, self.theme)
        self._save_table(table)
        instead = about.instead(self.result)
        if instead:
            return show_prose(instead)
        if len(table.columns) > SHOWN_COLUMNS:
            return show_prose(
                f"{escape(table.title, 'md')} With {len(self.result.models)} models it is "
                f"left to the figure and to tables/{table.name}.csv."
            )
        short = shortened(table, self.result, about.summarised_from)
        return show_table(replace(short, number=self._number("table", kind)))

    def _number(self, kind: str, name: str) -> int:
        """The number of a table or figure in this document: its own again when a cell is run again."""
        numbers = self._numbers.setdefault(kind, {})
        return numbers.setdefault(name, len(numbers) + 1)

    def figure(self, kind: str, width: str = "page") -> Shown | None:
        """A figure, saved as SVG, PDF and PNG; None where there is nothing to draw.

        width: "page", or "column" to show figures/<kind>-column.*, of half that width. Of up to 30
        models both are saved.
        """
        from reportkit.figures import draw

        figure = draw(self.result, kind, width)
        if figure is None:
            return None
        self._save_figure(figure)
        narrow = None
        if width == "page" and len(self.result.models) <= COLUMN_MODELS:
            narrow = draw(self.result, kind, "column")
            if narrow is not None:
                self._save_figure(narrow)
        number = self._number("figure", figure.name)
        return show_figure(
            figure.name, figure.title, figure.alt, figure.svg, number, narrow.svg if narrow else b""
        )

    # What it leaves behind ------------------------------------------------------------------------

    def _save_figure(self, figure: "Figure") -> None:
        for suffix in ("svg", "pdf", "png"):
            self._write(f"figures/{figure.name}.{suffix}", getattr(figure, suffix))

    def _save_table(self, table: Table) -> None:
        for fmt in FORMATS:
            self._write(f"tables/{table.name}.{fmt}", render_drop_in(table, fmt).encode())
        self._saved.add(table.name)

    def finish(self, documents: bool = True) -> Shown | None:
        """Saves what is not saved yet: the tables no cell showed, macros, results.json and
        manifest.json.

        Run by bare papermill, also makes the documents from the notebook as papermill has saved it
        so far; a build makes them itself, from the finished notebook.
        """
        for kind, about in KINDS.items():
            wanted = about.in_reports and (self.certificate or not about.on_request)
            if wanted and kind not in self._saved:
                self._save_table(make_table(self.result, kind, self.theme))
        self._write("numbers.tex", render_numbers(numbers(self.result)).encode())
        self._write("reportkit-preamble.tex", render_preamble().encode())
        recorded = recorded_parameters(
            {k: v for k, v in self.parameters.items() if k != "certificate"}
        )
        if self.certificate:
            recorded["certificate"] = True
        stem = os.environ.get(BUILD, "") or "template"
        results = Results(slug(self.result.eval), stem, recorded, (self.result,), self.warnings)
        self._write("results.json", _json(results.to_json()))
        self._write("manifest.json", _json(manifest(self.result, recorded, self.given)))
        record_outputs(self.folder)
        if not documents or os.environ.get(BUILD):
            return None
        from reportkit.report.notebook import running_notebook

        notebook = running_notebook(self.parameters)
        if notebook is None:
            return show_prose(
                f"Drop-ins are in `{self.folder}`. The documents are made by `reportkit build "
                "--notebook PATH`, or by "
                "running this notebook with papermill."
            )
        from reportkit.documents.exporter import make_documents
        from reportkit.report.notebook import plain_notebook

        stable = plain_notebook(notebook)
        self._write("report.ipynb", stable.encode())
        import nbformat

        make_documents(nbformat.reads(stable, as_version=4), self.folder, title=self.result.eval)
        record_outputs(self.folder)
        return None

    def _write(self, name: str, data: bytes) -> None:
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}.part")
            aside.write_bytes(data)
            aside.replace(path)
        except OSError as error:
            raise OutputError(
                f"{path}: cannot be written: {error.strerror}; choose another folder with 'out'"
            ) from None


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode(
        "utf-8", "replace"
    )


def _read(eval: str, sources: Any) -> pd.DataFrame:
    """What the build has prepared of the sources; run by itself, a notebook reads them, as a
    reportkit.toml here decides.
    """
    frame = read_prepared(eval, sources)
    if frame is None:
        settings = load()
        frame = read_scores(
            sources,
            evals=[eval] if eval else (),
            columns=settings.columns,
            logs=settings.logs,
            options=settings.options,
            aliases=settings.aliases,
        )
        frame.attrs[GIVEN] = as_given(sources, config=settings.file)
    return frame


def _text(value: Any) -> str:
    """papermill guesses types: a name such as 007 or None comes back as a number or an object."""
    return "" if value is None else str(value)


def _assigned(source: str) -> list[str]:
    """Names that a cell assigns at its top level."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell with magics assigns no parameter
        return []
    found: list[str] = []
    for node in body:
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        found += [t.id for t in targets if isinstance(t, ast.Name)]
    return found
