"""What a notebook calls: read its parameters, show a table or a figure, save the drop-ins, finish
with results.json.
"""

import ast
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.analysis import analyse
from reportkit.decisions import SPECS, Decisions
from reportkit.documents import prose
from reportkit.documents.macros import numbers, render_numbers
from reportkit.errors import OutputError, UnknownNameError, did_you_mean
from reportkit.loading.config import load
from reportkit.loading.declared import decided_for
from reportkit.loading.handover import read_handover
from reportkit.loading.read import load_scores
from reportkit.loading.reading import Reading
from reportkit.report.manifest import as_given, build_command, manifest, recorded_parameters
from reportkit.report.notebook import BUILT_IN, OUTPUT
from reportkit.report.outputs import record_outputs
from reportkit.report.parameters import PARAMETERS
from reportkit.report.shown import (
    Shown,
    how_to_convert,
    show_aside,
    show_figure,
    show_prose,
    show_table,
)
from reportkit.results import EvalResult, Results, Warning
from reportkit.scores.frames import scores_of
from reportkit.scores.scores import Scores
from reportkit.scores.select import slug
from reportkit.tables import FORMATS, KINDS, Kind, Table, make_table
from reportkit.tables.render import render_drop_in, render_preamble
from reportkit.tables.shortened import SHOWN_COLUMNS, shortened
from reportkit.text.escaping import escape

if TYPE_CHECKING:
    from reportkit.figures import Figure


# models up to which a figure is also saved at the width of a column; more are hard to read there
COLUMN_MODELS = 30


class Report:
    """One eval's report. In a notebook: `report = Report.from_notebook(globals())`, then one call in
    each cell. In a script: `Report(eval="MATH", scores="scores.csv")`, with decisions by their names.
    """

    def __init__(self, **parameters: Any):
        for name in parameters:
            if name not in PARAMETERS:
                raise UnknownNameError(f"no parameter {name!r}{did_you_mean(name, PARAMETERS)}")
        self.parameters = PARAMETERS | parameters
        said = {k: v for k, v in parameters.items() if k in SPECS}
        self.said = tuple(said)  # decisions that the notebook takes, and not the file
        sources = self.parameters["scores"]
        self.given: Mapping[str, Any] = as_given([])
        self._job = read_handover()  # of the build that runs the notebook
        eval = _text(self.parameters["eval"])
        handed = self._job.scores_of(eval, sources) if self._job and sources else None
        if self._job and handed:
            scores, file = handed, Decisions()
            self.given = self._job.given or as_given(sources)
        elif sources:
            scores, file, self.given = _read(eval, sources, said)
        else:
            from reportkit.loading.demo import EVALS, demo_scores

            scores, file = scores_of(demo_scores([eval] if eval in EVALS else None)), Decisions()
        self.result: EvalResult
        self.warnings: tuple[Warning, ...]
        decisions = file.beaten_by(said | {"eval": eval})
        self.result, self.warnings = analyse(scores, decisions)
        self.decisions = decided_for(scores, self.result.eval, decisions)
        self.theme = self.decisions.theme
        self.certificate = self.decisions.certificate
        folder = _text(self.parameters["out"]) or os.path.join("reports", slug(self.result.eval))
        self.folder = Path(folder)
        self._saved: set[str] = set()
        self._numbers: dict[str, dict[str, int]] = {}
        self._output = ""  # the notebook's own file, where a parameter names it

    @classmethod
    def from_notebook(cls, namespace: dict[str, Any]) -> "Report":
        """The report that the notebook's parameters ask for; namespace: globals().

        A parameter that the notebook does not have is an error here; papermill only warns. `eval`
        and `id` are taken out of the namespace, so that the builtins work in the next cells.
        """
        cells = [cell for cell in namespace.get("In", []) if cell]
        declared, injected = {*PARAMETERS, *BUILT_IN}, []
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
        values = {
            name: namespace[name]
            for name, default in PARAMETERS.items()
            if name in namespace and (name in injected or namespace[name] != default)
        }
        for builtin in ("eval", "id"):
            namespace.pop(builtin, None)
        report = cls(**values)
        report._output = str(namespace.get(OUTPUT) or "")
        return report

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        """Shows the main results in sentences."""
        return show_prose(prose.findings(self.result))

    def methods(self) -> Shown:
        """Shows which methods the numbers come from, with formulas and sources."""
        return show_prose(prose.methods(self.result))

    def notes(self) -> Shown:
        """Shows the warnings, or says that there are none."""
        return show_prose(
            prose.warning_list(self.warnings) if self.warnings else "There are no warnings."
        )

    def table(self, kind: str) -> Shown | None:
        """Shows a table, and saves it in tables/. The document shows the first rows of a long table,
        and leaves a matrix of many models to its figure.

        kind: "means", "differences" and so on. Returns None for the coverage certificate, unless
        the report was asked for one (decision `certificate`).
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
        """Shows a figure, and saves it in figures/ as SVG, PDF and PNG. Returns None where there is
        nothing to draw.

        kind: "means", "ranks" and so on. width: "page", or "column" for one of half that width,
        figures/<kind>-column.*. With up to 30 models, both are saved.
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
        """Saves the rest: tables that no cell showed, numbers.tex, results.json, manifest.json.

        Under papermill it also makes the documents, from the notebook as papermill has saved it so
        far. A build makes them itself, from the finished notebook.
        """
        for kind, about in KINDS.items():
            wanted = about.in_reports and (self.certificate or not about.on_request)
            if wanted and kind not in self._saved:
                self._save_table(make_table(self.result, kind, self.theme))
        self._write("numbers.tex", render_numbers(numbers(self.result)).encode())
        self._write("reportkit-preamble.tex", render_preamble().encode())
        recorded = recorded_parameters(self.decisions, self.result)
        stem = self._job.notebook if self._job else "template"
        results = Results(slug(self.result.eval), stem, recorded, (self.result,), self.warnings)
        self._write("results.json", _json(results.to_json()))
        command = build_command(self.result.eval, self.decisions, self.said, self.given)
        self._write("manifest.json", _json(manifest(self.result, recorded, command)))
        record_outputs(self.folder)
        if self._job:
            return None
        where = f"The tables, figures and numbers are in `{self.folder.absolute()}`."
        if documents and self._documents():
            where = f"The report is in `{self.folder.absolute()}`."
        elif documents:
            where = f"{where} {how_to_convert()}"
        return show_aside(where)

    def _documents(self) -> bool:
        """Makes the documents of this notebook, where its own file is known for certain."""
        import nbformat

        from reportkit.documents.exporter import make_documents
        from reportkit.report.notebook import plain_notebook, running_notebook

        notebook = running_notebook(self.parameters, self._output)
        if notebook is None:
            return False
        stable = plain_notebook(notebook)
        self._write("report.ipynb", stable.encode())
        make_documents(nbformat.reads(stable, as_version=4), self.folder, title=self.result.eval)
        record_outputs(self.folder)
        return True

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


def _read(
    eval: str, sources: Any, said: Mapping[str, Any]
) -> tuple[Scores, Decisions, Mapping[str, Any]]:
    """The scores of a notebook that no build runs, what a reportkit.toml in its folder decides, and
    what the command says of both.
    """
    settings = load()
    reading = Reading(
        decisions=settings.decisions.beaten_by(said).without("metric", "cluster"),
        columns=settings.columns,
        logs=settings.logs,
        aliases=settings.aliases,
    )
    scores = load_scores(sources, reading, [eval] if eval else ())
    return scores, settings.decisions, as_given(sources, config=settings.file)


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
