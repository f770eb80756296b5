"""What every report does, whatever it is of: parameters of a notebook, numbers of its tables and
figures, saving, finishing with the documents. A report of a kind says the rest (see `Report`).
"""

import ast
import shutil
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from reportkit.decisions import Decisions
from reportkit.documents.macros import Number, list_numbers, render_numbers
from reportkit.documents.prose.made import how_made
from reportkit.errors import OutputError, UnknownNameError, did_you_mean
from reportkit.publishing.aside import Aside
from reportkit.publishing.place import home_of, keep_real, owned
from reportkit.report.notebook import BUILT_IN, OUTPUT, plain_notebook, running_notebook
from reportkit.report.outputs import record_outputs
from reportkit.report.shown import (
    Shown,
    how_to_convert,
    show_aside,
    show_figure,
    show_prose,
    show_table,
)
from reportkit.report.worktree import with_tree
from reportkit.results import Results, Warning
from reportkit.scores.in_memory import is_frame
from reportkit.tables import FORMATS, KINDS, Table
from reportkit.tables.notes import without_files
from reportkit.tables.shortened import least, says_nothing
from reportkit.tables.writers.render import render_drop_in
from reportkit.text.brought import render_preamble
from reportkit.text.notebooks import light_nbformat
from reportkit.text.visible import json_text, visible

if TYPE_CHECKING:
    import pandas as pd

    from reportkit.figures import Figure

BUILTINS = ("eval", "id", "range")  # of Python's, that a parameter may be named like


class BaseReport(ABC):
    """A report in the making. In a notebook: `report = Report.from_notebook(globals())`, then a
    call per cell, and `report.finish()`.

    A kind of report sets `PARAMETERS`, and in its `__init__` the title and the folder; it says what
    its results.json, manifest.json and numbers.tex are, and has the methods that cells call.
    """

    PARAMETERS: ClassVar[Mapping[str, Any]]
    title: str  # of the documents
    folder: Path  # where the finished report stands; until then its files are made aside
    of = ""  # the eval that the report is of, in the labels of its figures
    decisions: Decisions = Decisions()
    warnings: tuple[Warning, ...] | None = None  # None: a kind of report that looks for none
    given: Mapping[str, Any]  # what the command said: see manifest.as_given
    build = ""  # the notebook's name in a build, which makes the documents itself

    def __init__(self, parameters: Mapping[str, Any]):
        for name in parameters:
            if name not in self.PARAMETERS:
                raise UnknownNameError(
                    f"no parameter {name!r}{did_you_mean(name, self.PARAMETERS)}"
                )
        self.parameters: dict[str, Any] = {**self.PARAMETERS, **parameters}
        scores = self.parameters.get("scores", "")
        self.real = is_frame(scores) or bool(scores)  # somebody gave scores
        self._saved: set[str] = set()
        self._numbers: dict[str, dict[str, int]] = {}
        self._output = ""  # the notebook's own file, where a parameter names it
        self._aside: Aside | None = None
        self._published = False

    def goes_to(self, default: str) -> None:
        """Sets the folder of the report, where no parameter names it to the default, and says in
        `given` in which tree real scores were read. OutputError where it is of the demonstration
        and would take the place of a report of real scores.
        """
        self.folder = Path(text(self.parameters["out"]) or default)
        if self.build:  # which has looked already
            return
        if self.real:
            self.given = with_tree(self.given, self.folder)
        else:
            keep_real(self.folder, "out")

    @classmethod
    def from_notebook(cls, namespace: dict[str, Any]) -> Self:
        """The report that the notebook's parameters ask for; namespace: globals().

        A parameter that the notebook does not have is an error here; papermill only warns. `eval`,
        `id` and `range` are taken out of the namespace, so that the builtins work in later cells.
        """
        declared, injected = {*cls.PARAMETERS, *BUILT_IN}, []
        for cell in filter(None, namespace.get("In", [])):
            assigned = _assigned(cell)
            if cell.lstrip().startswith("# Parameters"):  # the cell that papermill writes
                injected += assigned
            else:
                declared |= set(assigned)
        for name in injected:
            if name not in declared:
                known = sorted(declared & set(cls.PARAMETERS))
                raise UnknownNameError(f"no parameter {name!r}{did_you_mean(name, known)}")
        values = {
            name: namespace[name]
            for name, default in cls.PARAMETERS.items()
            if name in namespace and (name in injected or namespace[name] != default)
        }
        for builtin in BUILTINS:
            namespace.pop(builtin, None)
        report = cls(**values)
        report._output = str(namespace.get(OUTPUT) or "")
        return report

    # What a kind of report says -------------------------------------------------------------------

    @abstractmethod
    def results(self) -> Results:
        """results.json."""

    @abstractmethod
    def manifest(self) -> Mapping[str, Any]:
        """manifest.json, without the outputs."""

    @abstractmethod
    def numbers(self) -> Sequence[Number]:
        """numbers.tex and numbers.md."""

    @abstractmethod
    def save_rest(self) -> None:
        """Save the tables that no cell showed."""

    @abstractmethod
    def table(self, kind: str) -> Shown | None:
        """Show a table, and save it; None where there is none to show."""

    # What cells show and save ---------------------------------------------------------------------

    def requested(self) -> None:
        """Shows the tables that the report was asked for (decision `tables`), under a heading of
        their own; nothing where it was asked for none.
        """
        from IPython.display import display

        if self.decisions.asked:
            display(show_prose("## On request"))
        for kind in self.decisions.asked:
            display(self.table(kind))

    def made(self) -> Shown:
        """Shows how the report was made: who made the numbers, inputs, where the warnings stand,
        decisions, seed, versions, and the command that makes it again.
        """
        from IPython.display import display

        made = self.manifest()
        warned = None if self.warnings is None else bool(self.warnings)
        listed = show_prose(how_made(made, warned))
        if not made["command"]:
            return listed
        display(listed)
        display(show_prose("**Made again by:**"))
        return Shown({"text/plain": visible(made["command"])})

    def drawn(
        self, draw: "Callable[[str], Figure | None]", width: str, shown: bool = True
    ) -> Shown | None:
        """A figure at this width, shown and saved; None where there is nothing to draw. One as wide
        as a page is saved at the width of a column too. shown: False saves it alone.
        """
        figure = draw(width)
        if figure is None:
            return None
        self.save_figure(figure)
        narrow = draw("column") if width == "page" else None
        if narrow is not None:
            self.save_figure(narrow)
        if not shown:
            return None
        from reportkit.figures.phones import for_phone

        return self.show_figure(figure, for_phone(narrow or figure, draw))

    def number(self, kind: str, name: str) -> int:
        """Of a table or figure in this document; of a cell that is run again, its own."""
        numbers = self._numbers.setdefault(kind, {})
        return numbers.setdefault(name, len(numbers) + 1)

    def show_table(self, table: Table) -> Shown:
        """A table with its number."""
        return show_table(replace(table, number=self.number("table", table.name)))

    def show_figure(self, figure: "Figure", narrow: bytes = b"") -> Shown:
        """A figure with its number; narrow: the same for phones, as SVG."""
        number = self.number("figure", figure.name)
        return show_figure(figure, number, narrow, self.of)

    def save(
        self, frame: "pd.DataFrame | Table", name: str, caption: str = "", digits: int | None = None
    ) -> Shown:
        """Shows a table of your own with its number, and saves it in tables/ in all formats.

        frame: a DataFrame or Series, or a Table. name: of the files and the label, of letters,
        digits, - and _. caption: a sentence. digits: decimals; None: three significant digits of
        the largest number of each column, and no more decimals than its numbers have. Raises
        OutputError for a name that is no file's, and for one of our own tables'.
        """
        from reportkit.tables.frames import table_of_frame

        if isinstance(frame, Table):
            table = replace(frame, name=name, title=caption or frame.title)
        else:
            table = table_of_frame(frame, name, caption, digits)
        if name in KINDS:
            raise OutputError(
                f"{name!r} is the name of one of our tables; save yours under another, or show a "
                "changed table of ours with report.table(table)"
            )
        self.save_table(table)
        return self.show_table(table)

    def save_table(self, table: Table) -> None:
        """Saves a table as drop-ins: what its notes say of files of ours, a paper does not need;
        one that says nothing has what is the same in every row.
        """
        if says_nothing(table):
            table = least(table)
        table = replace(table, notes=without_files(table.notes))
        raw = self.decisions.csv_text == "raw"
        for fmt in FORMATS:
            text = render_drop_in(table, fmt, raw=raw)
            self._write(f"tables/{table.name}.{fmt}", text.encode())
        self._saved.add(table.name)

    def is_saved(self, table: str) -> bool:
        return table in self._saved

    def save_figure(self, figure: "Figure") -> None:
        for suffix in ("svg", "pdf", "png"):
            self._write(f"figures/{figure.name}.{suffix}", getattr(figure, suffix))

    def finish(self, documents: bool = True) -> Shown | None:
        """Saves the rest: tables that no cell showed, numbers.tex and numbers.md, results.json,
        manifest.json. Then all that was saved takes the place of the report before, in one step;
        files of the user's own in its folder stay.

        Under papermill it also makes the documents, from the notebook as papermill has saved it so
        far. A build makes them itself, from the finished notebook, and puts them in place.
        """
        self.save_rest()
        found = self.numbers()
        self._write("numbers.tex", render_numbers(found).encode())
        self._write("numbers.md", list_numbers(found).encode())
        self._write("reportkit-preamble.tex", render_preamble().encode())
        self._write("results.json", json_text(self.results().to_json()).encode(errors="replace"))
        self._write("manifest.json", json_text(self.manifest()).encode(errors="replace"))
        if self.build:
            return None
        made = documents and self._documents()
        self._publish()
        where = f"The tables, figures and numbers are in `{self.folder.absolute()}`."
        if made:
            where = f"The report is in `{self.folder.absolute()}`."
        elif documents:
            where = f"{where} {how_to_convert()}"
        return show_aside(where)

    def _documents(self) -> bool:
        """Makes the documents of this notebook, where its own file is known for certain."""
        from reportkit.documents.make import make_documents

        notebook = running_notebook(self.parameters, self._output)
        if notebook is None:
            return False
        stable = plain_notebook(notebook)
        self._write("report.ipynb", stable.encode())
        made = light_nbformat().reads(stable, as_version=4)
        make_documents(made, self._making(), title=self.title)
        return True

    def _write(self, name: str, data: bytes) -> None:
        try:
            path = self._making() / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise self._unwritable(error) from None

    def _making(self) -> Path:
        """The folder in which the report is made: in a build the job's, and otherwise one aside."""
        folder = Path(self.folder)
        if self.build:
            return folder
        if self._aside is None:
            folder = folder.resolve()
            self._aside = Aside(home_of(folder), folder.name)
            weakref.finalize(self, self._aside.close)
        if self._published:  # a cell runs again: what it saves is part of the same report
            for name in owned(folder):
                target = self._aside.new / name
                if (folder / name).is_file() and target.is_relative_to(self._aside.new):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(folder / name, target)
            self._published = False
        return self._aside.new

    def _publish(self) -> None:
        making = self._making()
        record_outputs(making)
        try:
            if self._aside is not None:
                self._aside.publish(Path(self.folder).resolve())
        except OSError as error:
            raise self._unwritable(error) from None
        self._published = True

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self.folder}: cannot be written: {error.strerror}; choose another folder with 'out'"
        )


def text(value: Any) -> str:
    """papermill guesses types: a name such as 007 or None comes back as a number or an object."""
    return "" if value is None else str(value)


def _assigned(source: str) -> list[str]:
    """Names that a cell assigns at its top level."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell with magics assigns no parameter
        return []
    found: list[ast.expr] = []
    for node in body:
        if isinstance(node, ast.Assign):
            found += node.targets
        elif isinstance(node, ast.AnnAssign):
            found.append(node.target)
    return [target.id for target in found if isinstance(target, ast.Name)]
