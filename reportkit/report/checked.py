"""The report on a published table: what the cells of its notebook call."""

from pathlib import Path
from typing import Any

from reportkit.analysis.published import check_published
from reportkit.decisions import Decisions
from reportkit.documents.macros import Number
from reportkit.documents.prose import checked as prose_checked
from reportkit.documents.prose import checked_authors, checked_pairs
from reportkit.errors import ScoresError
from reportkit.loading.handover import read_handover
from reportkit.loading.published import read_published
from reportkit.published import CheckedTable
from reportkit.report.base import BaseReport, text
from reportkit.report.manifest import as_given, checked_command, manifest
from reportkit.report.parameters import CHECK_PARAMETERS
from reportkit.report.shown import Shown, show_prose
from reportkit.scores.select import slug
from reportkit.tables.published import TABLES, make_checked
from reportkit.tables.shortened import first_rows
from reportkit.tables.table import Table

NAME = "check-table"  # of the notebook


class CheckReport(BaseReport):
    """The report on one published table.

    In a notebook: `report = CheckReport.from_notebook(globals())`, then one call in each cell. In a
    script: `CheckReport(table="table.md", scale="percent")`.
    """

    PARAMETERS = CHECK_PARAMETERS

    def __init__(self, **parameters: Any):
        super().__init__(parameters)
        if not self.parameters["table"]:
            raise ScoresError("no table is given; name the file that holds it with 'table'")
        job = read_handover()
        self.build = job.notebook if job else ""
        path = Path(text(self.parameters["table"]))
        said = {k: v for k, v in parameters.items() if k not in ("table", "out")}
        table, self.options = read_published(path, said)
        self.checked: CheckedTable = check_published(table, self.options)
        self.decisions = Decisions()
        default = Path("reports", slug(path.stem))
        self.folder = Path(text(self.parameters["out"]) or default)
        self.title = title_of(path)
        self.given = (job and job.given) or given_of(str(path), str(self.folder))

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        """Shows what does not fit together, what holds only under a condition, what to know."""
        return show_prose(prose_checked.findings(self.checked))

    def conclusions(self) -> Shown:
        """Shows in sentences what the pairs allow to conclude."""
        return show_prose(checked_pairs.conclusions(self.checked))

    def to_authors(self) -> Shown:
        """Shows a paragraph that can be sent to the authors."""
        return show_prose(checked_authors.to_authors(self.checked))

    def methods(self) -> Shown:
        """Shows what the check rests on, and what was left out."""
        return show_prose(prose_checked.methods(self.checked))

    def table(self, kind: str | Table) -> Shown | None:
        """Shows a table, and saves it in tables/. None where it would have no row.

        kind: "checked-means", "checked-pairs", "checked-counts", or one that you have changed.
        """
        made = kind if isinstance(kind, Table) else make_checked(self.checked, kind)
        if not made.cells:
            return None
        self.save_table(made)
        return self.show_table(first_rows(made))

    # What it leaves behind ------------------------------------------------------------------------

    def save_rest(self) -> None:
        for kind in TABLES:
            made = make_checked(self.checked, kind)
            if made.cells and not self.is_saved(kind):
                self.save_table(made)

    def numbers(self) -> list[Number]:
        """None: the numbers are others'."""
        return []

    def results(self) -> CheckedTable:  # type: ignore[override]
        return self.checked

    def manifest(self) -> dict[str, Any]:
        recorded = {
            k: v for k, v in self.parameters.items() if k != "out" and v not in ("", ())
        } | {"table": self.checked.table.file}
        table = self.checked.table
        counts = {f"{kind}s": n for kind, n in table.counts.items()}
        source = {"file": table.file, "sha256": table.sha256, **counts}
        command = checked_command(self.given, self.options.said())
        made = manifest((), recorded | {"seed": None}, command, self.given)  # nothing is drawn
        return made | {"inputs": [source], "parameters": recorded}


def given_of(path: str, out: str) -> dict[str, list[str]]:
    """What a command said of the file, and of the folder its name alone: a report has the same
    bytes in whatever folder it is made.

    >>> given_of("table.md", "checked/x")["options"], given_of("table.md", "/other/x/")["options"]
    (['--out', 'x'], ['--out', 'x'])
    """
    return as_given(path, ["--out", Path(out).name])


def title_of(path: Path) -> str:
    """What the documents about a file are called."""
    return f"{path.name}, checked"
