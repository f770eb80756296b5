"""The report over several evals: what the cells of its notebook call."""

import functools
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reportkit.analysis import analyse
from reportkit.analysis.suite_decided import decided_suite, named_suite
from reportkit.decisions import SPECS, Decisions
from reportkit.decisions.values import split
from reportkit.documents.macros import Number, numbers
from reportkit.documents.prose import suite as prose_suite
from reportkit.documents.prose import suite_warnings, warning_list
from reportkit.loading.config import Settings, load
from reportkit.loading.declared import decided_for, decided_scores
from reportkit.loading.evals import check_models, of_those_run, open_scores
from reportkit.loading.handover import Handover, read_handover
from reportkit.loading.reading import Reading
from reportkit.report.base import BaseReport, text
from reportkit.report.behind import rows_behind
from reportkit.report.manifest import as_given, manifest, suite_command, suite_parameters
from reportkit.report.parameters import SUITE_PARAMETERS
from reportkit.report.shown import Shown, show_notes, show_prose
from reportkit.results import EvalResult, Results, SuiteResult, Warning
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores
from reportkit.scores.select import split_names
from reportkit.tables import KINDS, Kind, Table, make_table
from reportkit.tables.shortened import (
    SHOWN_ROWS,
    first_rows,
    only_rows,
    says_nothing,
    shortened_of_suite,
    together,
)
from reportkit.tables.suite import hidden
from reportkit.text.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

NAME = "suite"  # of the report's folder
# Tables that no cell has to show.
REST = ("suite", "suite-overall", "suite-differences", "suite-ranks", "power", "power-all", "data")


class SuiteReport(BaseReport):
    """The report over several evals.

    In a notebook: `report = SuiteReport.from_notebook(globals())`, then one call in each cell. In a
    script: `SuiteReport(evals="MATH,MGSM", scores="scores/")`, with decisions by their names.
    """

    PARAMETERS = SUITE_PARAMETERS

    def __init__(self, **parameters: Any):
        super().__init__(parameters)
        said = {k: v for k, v in parameters.items() if k in SPECS}
        sources = self.parameters["scores"]
        job = read_handover()  # of the build that runs the notebook
        self.build = job.notebook if job else ""
        self.given = as_given(sources if self.real else [])
        self.links: dict[str, str] = {}  # eval -> the page of its own report
        left_out: Mapping[str, str] = {}
        if job and job.evals and (not self.real or job.reads(sources)):
            self.given = job.given or self.given
            self.links = {e.eval: e.report for e in job.evals if e.report}
            self.decisions, left_out = Decisions().beaten_by(said), job.left_out
            self._each = functools.partial(_handed, job, said)
        else:
            settings = load() if self.real else Settings()
            self.given = as_given(sources if self.real else [], config=settings.file)
            self.decisions = settings.decisions.beaten_by(said)
            evals = text_or_names(self.parameters["evals"])
            reading = settings.reading(replace(self.decisions, eval=evals))
            self._each = functools.partial(_read, sources, reading)
        self.decided: dict[str, Decisions] = {}  # eval -> all that is decided for it
        results: list[EvalResult] = []
        found: list[Warning] = []
        there: list[str] = []  # the models of all evals
        for scores, name, decided in self._each():
            here = scores.of(name).rows["model"].unique().tolist()
            there += here
            own = of_those_run(decided, split_names(decided.models, here), here)
            if own is None:
                continue
            result, warnings = analyse(scores, own)
            self.decided[result.eval] = replace(decided_for(scores, name, own), eval=result.eval)
            results.append(result)
            found += warnings
        models = split_names(self.decisions.models, there)
        check_models([*models, *filter(None, [self.decisions.baseline])], there)
        decisions = replace(self.decisions, models=tuple(models))
        self.suite = decided_suite(results, decisions, self.decided, left_out)
        # as the evals stand, in whatever order they were read
        place = {r.eval: number for number, r in enumerate(self.suite.evals)}
        found.sort(key=lambda w: place.get(w.eval, len(place)))
        self.warnings: tuple[Warning, ...] = tuple(found)
        self.shown = named_suite(self.suite, self.decided)  # with evals and metrics as tables say
        self.theme = self.decisions.theme
        self.goes_to(os.path.join("reports", NAME))
        self.title = title_of(len(results))

    @property
    def result(self) -> SuiteResult:
        """Every number of the suite as records, for cells of your own; `.evals` has each eval's."""
        return self.suite

    @functools.cached_property
    def scores(self) -> "pd.DataFrame":
        """The scores that the numbers come from, of all evals below each other, for cells of your
        own: a row for each model, question and epoch. They are read when they are first asked for.
        """
        import pandas as pd

        of = {r.eval: r for r in self.suite.evals}
        parts = [
            rows_behind(decided_scores(scores.of(name), name, self.decided[name]), of[name])
            for scores, name, _ in self._each()
            if name in of
        ]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        """Shows in sentences what is settled over all evals, and what is not."""
        return show_prose(prose_suite.findings(self.shown))

    def methods(self) -> Shown:
        """Shows which methods the numbers come from, with formulas and sources."""
        intervals = self.theme in ("ci", "pm") or "macro" in self.decisions.asked
        return show_prose(prose_suite.methods(self.shown, intervals=intervals))

    def notes(self) -> Shown | None:
        """Shows the warnings of all evals. Returns None where there are none: `made` says that."""
        told = suite_warnings.together(self.warnings, self.suite.evals)
        return show_prose(warning_list(told)) if told else None

    def reports(self) -> Shown:
        """Shows the list of evals, with links to their own reports where a build made these."""
        return show_prose(prose_suite.reports(self.shown, self._links()))

    def table(self, kind: str | Table, digits: int | None = None) -> Shown:
        """Shows a table over all evals, and saves it in tables/. Of a long table the document shows
        some rows.

        kind: "suite", "suite-overall", "suite-differences", "suite-ranks", the name of any table of
        an eval, or a table of make_table that you have changed. digits: decimals of scores; None:
        as the standard errors need them.
        """
        if isinstance(kind, Table):
            self.save_table(kind)
            return self.show_table(kind)
        instead = self._instead(kind)
        if instead:
            return show_prose(instead)
        table = self._made(kind, digits)
        self.save_table(table)
        if kind == "suite-differences" and len(table.cells) > SHOWN_ROWS:
            settled = [
                i for i, d in enumerate(self.shown.differences) if d.p_adjusted < self._alpha
            ]
            which = "Comparisons with an adjusted p below the level"
            return self.show_table(only_rows(table, settled[:SHOWN_ROWS], which))
        if says_nothing(table):
            return show_notes(table)
        return self.show_table(first_rows(table))

    def figure(self, kind: str, width: str = "page") -> Shown | None:
        """Shows a figure over all evals, and saves it in figures/ as SVG, PDF and PNG. Returns None
        where there is nothing to draw.

        kind: "suite-scores", "suite-differences" or "suite-ranks". width: "page", or "column" for
        one of half that width, figures/<kind>-column.*. Both are saved.
        """
        from reportkit.figures import draw_suite

        if self._instead(kind):
            return None
        return self.drawn(lambda at: draw_suite(self.shown, kind, at), width)

    def _links(self) -> dict[str, str]:
        """The page of each eval's own report, by the name that the eval has here."""
        both = zip(self.suite.evals, self.shown.evals, strict=True)
        return {shown.eval: self.links.get(r.eval, "") for r, shown in both}

    @property
    def _alpha(self) -> float:
        return 1.0 - self.suite.level

    def _made(self, kind: str, digits: int | None = None) -> Table:
        about = KINDS.get(kind, Kind())
        of = self.shown if about.suite is not None else self.shown.evals
        if digits is None and self.decisions.digits:
            digits = int(self.decisions.digits)
        made = make_table(of, kind, self.theme, digits, self.decisions.rows)
        made = hidden(made, split(self.decisions.hide))
        if kind == "data":  # its CSV has every model
            return together(made)
        if about.suite is not None or not about.full:
            return made
        return shortened_of_suite(made, len(self.shown.evals), about.summarised_from, about.full)

    def _instead(self, kind: str) -> str:
        """The sentence that stands in the place of a table that would say nothing."""
        about = KINDS.get(kind, Kind())
        if kind in prose_suite.INSTEAD:
            return prose_suite.INSTEAD[kind](self.shown)
        if len({about.instead(r) for r in self.suite.evals}) == 1:
            return about.instead(self.suite.evals[0])
        return ""

    # What it leaves behind ------------------------------------------------------------------------

    def save_rest(self) -> None:
        for kind in (*REST, *self.decisions.asked):
            if not self.is_saved(kind) and not self._instead(kind):
                self.save_table(self._made(kind))

    def numbers(self) -> list[Number]:
        return [number for r in self.suite.evals for number in numbers(r)]

    def results(self) -> Results:
        recorded = suite_parameters(self.decisions, self.suite.evals)
        notebook = self.build or NAME
        return Results(NAME, notebook, recorded, self.suite.evals, self.warnings, self.suite)

    def manifest(self) -> dict[str, Any]:
        recorded = suite_parameters(self.decisions, self.suite.evals)
        own = {r.eval: self.decided[r.eval] for r in self.suite.evals}
        command = suite_command(own, self.decisions, self.given)
        return manifest(self.suite.evals, recorded, command, self.given)


def title_of(n: int) -> str:
    """What the documents of a suite of n evals are called."""
    return f"Suite of {counted(n, 'eval')}"


def text_or_names(value: Any) -> Any:
    """The evals that a notebook names: a text with commas, or a list."""
    return [text(v) for v in value] if isinstance(value, list | tuple) else text(value)


def _handed(job: Handover, said: Mapping[str, Any]) -> Iterator[tuple[Scores, str, Decisions]]:
    """The evals that a build hands over, each with what is decided for it; what a notebook of the
    user's own decides comes first.
    """
    for e in job.evals:
        scores = e.scores()
        if scores is None:
            scores = _demonstration([e.eval])
        yield scores, e.eval, Decisions(**e.decisions).beaten_by(said)


def _demonstration(evals: list[str] | None = None) -> Scores:
    from reportkit.loading.demo import demo_scores
    from reportkit.scores.frames import scores_of

    return scores_of(demo_scores(evals))


def _read(sources: Any, reading: Reading) -> Iterator[tuple[Scores, str, Decisions]]:
    """The evals that a notebook reads itself."""
    if not is_frame(sources):
        named = [sources] if isinstance(sources, str) else sources or ()
        sources = [s for s in named if s]  # none: the demonstration
    there = open_scores(sources, reading)
    for name in there.chosen(reading.decisions.eval):
        yield there.of(name), name, replace(there.decided(reading.decisions, name), eval=name)
