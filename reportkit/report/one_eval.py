"""An eval's report: what the cells of its notebook call."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import named_eval
from reportkit.decisions import SPECS, Decisions
from reportkit.decisions.values import split
from reportkit.documents import prose
from reportkit.documents.macros import Number, numbers
from reportkit.errors import UnknownNameError
from reportkit.loading.config import load
from reportkit.loading.declared import LATER, decided_for, decided_scores
from reportkit.loading.handover import read_handover
from reportkit.loading.read import load_scores
from reportkit.report.base import BaseReport, text
from reportkit.report.behind import rows_behind
from reportkit.report.manifest import as_given, build_command, manifest, recorded_parameters
from reportkit.report.parameters import PARAMETERS
from reportkit.report.shown import Shown, show_notes, show_prose
from reportkit.results import EvalResult, Results, Warning
from reportkit.scores.frames import scores_of, with_source
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores
from reportkit.scores.select import slug
from reportkit.tables import KINDS, Kind, Table, make_table
from reportkit.tables.shortened import SHOWN_COLUMNS, says_nothing, shortened
from reportkit.tables.suite import hidden

if TYPE_CHECKING:
    import pandas as pd


class Report(BaseReport):
    """One eval's report.

    In a notebook: `report = Report.from_notebook(globals())`, then one call in each cell. In a
    script: `Report(eval="MATH", scores="scores.csv")`, with decisions by their names; scores may be
    a DataFrame.
    """

    PARAMETERS = PARAMETERS

    def __init__(self, **parameters: Any):
        super().__init__(parameters)
        said = {k: v for k, v in parameters.items() if k in SPECS}
        self.said = tuple(said)  # decisions that the notebook takes, and not the file
        sources = self.parameters["scores"]
        job = read_handover()  # of the build that runs the notebook
        self.build = job.notebook if job else ""
        self.given = (job and job.given) or as_given(sources if self.real else [])
        eval = text(self.parameters["eval"])
        handed = job.scores_of(eval, sources) if job and self.real else None
        if job and handed:
            scores, file = handed, Decisions()
        elif self.real:
            named = "eval" in parameters
            scores, file, self.given = _read(eval, sources, said, named)
            eval = _the_eval(eval, scores, named)
        else:
            from reportkit.loading.demo import EVALS, demo_scores

            scores, file = scores_of(demo_scores([eval] if eval in EVALS else None)), Decisions()
        self.result: EvalResult
        self.warnings: tuple[Warning, ...]
        decisions = file.beaten_by(said | {"eval": eval})
        self.result, self.warnings = analyse(scores, decisions)
        self.decisions = decided_for(scores, self.result.eval, decisions)
        self._scores = decided_scores(scores.of(self.result.eval), self.result.eval, self.decisions)
        self.theme = self.decisions.theme
        self.shown = named_eval(self.result, self.decisions)  # with eval and metric as tables say
        self.goes_to(os.path.join("reports", slug(self.result.eval)))
        self.title = self.of = self.shown.eval

    @property
    def scores(self) -> "pd.DataFrame":
        """The scores that the numbers come from, for cells of your own: a row for each model,
        question and epoch, in the columns of the scores table, fields of the questions after them.
        """
        return rows_behind(self._scores, self.result)

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        """Shows the main results in sentences."""
        return show_prose(prose.findings(self.shown))

    def methods(self) -> Shown:
        """Shows which methods the numbers come from, with formulas and sources."""
        return show_prose(prose.methods(self.shown))

    def notes(self) -> Shown | None:
        """Shows the warnings. Returns None where there are none: `made` says that."""
        return show_prose(prose.warning_list(self.warnings)) if self.warnings else None

    def table(self, kind: str | Table, digits: int | None = None) -> Shown | None:
        """Shows a table, and saves it in tables/. The document shows the first rows of a long
        table, leaves a matrix of many models to its figure, and a table that would say nothing out;
        of one that has the same in every row it shows the notes.

        kind: "means", "differences" and so on, or a table of make_table that you have changed: it
        takes the place of ours. digits: decimals of scores; None: as the standard errors need them.
        Returns None where there is nothing to show, and for a table that is made only on request,
        unless the report was asked for it (decision `tables`).
        """
        if isinstance(kind, Table):
            self.save_table(kind)
            return self.show_table(kind)
        about = KINDS.get(kind, Kind())  # make_table says so where there is no such kind
        asked = kind in self.decisions.asked
        if about.on_request and not asked:
            return None
        instead = about.instead(self.shown)
        if about.on_request and instead:
            return show_prose(instead)
        table = self._short(kind, digits)
        self.save_table(table)
        if instead or len(table.columns) > SHOWN_COLUMNS:
            return None
        short = shortened(table, self.shown, about.summarised_from)
        if says_nothing(short):
            return show_notes(short)
        return self.show_table(short)

    def figure(self, kind: str, width: str = "page") -> Shown | None:
        """Shows a figure, and saves it in figures/ as SVG, PDF and PNG. Returns None where there is
        nothing to draw, and for what a table says already, which is saved alone: the mean and the
        variance of one model, and correlations where every pair is in the table of differences.

        kind: "means", "ranks" and so on. width: "page", or "column" for one of half that width,
        figures/<kind>-column.*. Both are saved.
        """
        from reportkit.figures import draw

        repeats = {
            "means": len(self.result.models) == 1,
            "variance": len(self.result.models) == 1,
            "correlations": len(self.result.pairs) == len(self.result.differences),
        }
        shown = not repeats.get(kind, False)
        return self.drawn(lambda at: draw(self.shown, kind, at), width, shown)

    def _short(self, kind: str, digits: int | None = None) -> Table:
        """A table as the document shows it, where another kind has all of it; else all of it."""
        about = KINDS.get(kind, Kind())
        table = self._made(kind, digits)
        if not about.full:
            return table
        return shortened(table, self.shown, about.summarised_from, about.full)

    def _made(self, kind: str, digits: int | None = None) -> Table:
        if digits is None and self.decisions.digits:
            digits = int(self.decisions.digits)
        made = make_table(self.shown, kind, self.theme, digits)
        return hidden(made, split(self.decisions.hide))

    # What it leaves behind ------------------------------------------------------------------------

    def save_rest(self) -> None:
        for kind, about in KINDS.items():
            wanted = about.in_reports
            if about.on_request:
                wanted = kind in self.decisions.asked or about.aside
                wanted = wanted and not about.instead(self.result)
            if wanted and not self.is_saved(kind):
                self.save_table(self._made(kind) if about.aside else self._short(kind))

    def numbers(self) -> list[Number]:
        return numbers(self.result)

    def results(self) -> Results:
        recorded = recorded_parameters(self.decisions, self.result)
        name, notebook = slug(self.result.eval), self.build or "template"
        return Results(name, notebook, recorded, (self.result,), self.warnings)

    def manifest(self) -> dict[str, Any]:
        recorded = recorded_parameters(self.decisions, self.result)
        command = build_command(self.result.eval, self.decisions, self.said, self.given)
        return manifest([self.result], recorded, command, self.given)


def _read(
    eval: str, sources: Any, said: Mapping[str, Any], named: bool
) -> tuple[Scores, Decisions, Mapping[str, Any]]:
    """The scores of a notebook that no build runs, what a reportkit.toml in its folder decides, and
    what the command says of both. named: the user said which eval, and it is not the one that the
    notebook shows by itself. UnknownNameError where the user named an eval that is not there.
    """
    settings = load()
    given = as_given(sources, config=settings.file)
    if is_frame(sources):
        scores = with_source(scores_of(sources, eval if named else ""))
        return scores, settings.decisions, given
    reading = settings.reading(settings.decisions.beaten_by(said).without(*LATER))
    try:
        scores = load_scores(sources, reading, [eval] if eval else ())
    except UnknownNameError as error:
        if named or not str(error).startswith(f"no eval {eval!r}"):
            raise
        scores = load_scores(sources, reading)
    return scores, settings.decisions, given


def _the_eval(eval: str, scores: Scores, named: bool) -> str:
    """The eval to report on: the only one there is, where the user named none."""
    if named or eval in scores.evals:
        return eval
    if len(scores.evals) == 1:
        return scores.evals[0]
    raise UnknownNameError(
        "no eval is named, so name one: -p eval NAME (in Python eval=NAME); there are "
        + ", ".join(map(repr, scores.evals))
    )
