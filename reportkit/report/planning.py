"""The report of a plan: what the cells of its notebook call."""

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.analysis.planning import asked_of, plan
from reportkit.decisions import SPECS, Decisions
from reportkit.decisions.values import number_text
from reportkit.decisions.words import words_of_several
from reportkit.documents.macros import Number
from reportkit.documents.prose import planning as prose_planning
from reportkit.loading.config import Settings, load
from reportkit.loading.handover import read_handover
from reportkit.loading.read import load_scores
from reportkit.loading.reading import Reading
from reportkit.plans import DECIDED, QUESTIONS
from reportkit.report.base import BaseReport, text
from reportkit.report.manifest import as_given, manifest
from reportkit.report.parameters import PILOT, PLANNING_PARAMETERS
from reportkit.report.shown import Shown, show_prose
from reportkit.report.worktree import with_tree
from reportkit.results import Results
from reportkit.scores.frames import scores_of, with_source
from reportkit.scores.in_memory import is_frame
from reportkit.scores.scores import Scores
from reportkit.tables.planning import PLANNING, plan_table, planning_json
from reportkit.tables.table import Table

NAME = "planning"  # of the report's folder, and of the table of answers


class PlanningReport(BaseReport):
    """The report of a plan.

    In a notebook: `report = PlanningReport.from_notebook(globals())`, then one call in each cell.
    In a script: `PlanningReport(difference=0.03, scores="pilot.csv")`; scores may be a DataFrame.
    """

    PARAMETERS = PLANNING_PARAMETERS

    def __init__(self, **parameters: Any):
        super().__init__(parameters)
        said = {k: v for k, v in parameters.items() if k in SPECS and k not in QUESTIONS}
        job = read_handover()  # of the build that runs the notebook
        self.build = job.notebook if job else ""
        sources = self.parameters["scores"]
        pilot = job.scores if job and self.real and job.reads(sources) else None
        self.decisions = Decisions().beaten_by(said)
        self.given = (job.given if job else None) or as_given(sources if self.real else [])
        settings = Settings() if job else load()
        if self.real and pilot is None:
            settings = load()
            self.decisions = settings.decisions.beaten_by(said)
            self.given = as_given(sources, config=settings.file)
            pilot = _pilot(sources, settings.reading(self.decisions))
        asked = {k: v for k, v in parameters.items() if k in QUESTIONS}
        self.planned = plan(asked_of(asked, settings.decisions), pilot, self.decisions)
        self.theme = self.decisions.theme
        self.folder = Path(text(self.parameters["out"]) or os.path.join("reports", NAME))
        if not job:
            self.given = with_tree(self.given, self.folder)
        self.title = prose_planning.title(self.planned)

    # What a cell shows ----------------------------------------------------------------------------

    def findings(self) -> Shown:
        """Shows in sentences what the plan comes to."""
        return show_prose(prose_planning.findings(self.planned))

    def methods_sentence(self) -> Shown:
        """Shows a sentence for a methods section, to paste."""
        return show_prose(prose_planning.to_paste(self.planned))

    def methods(self) -> Shown:
        """Shows each answer with its formula and what it assumes."""
        return show_prose(prose_planning.methods(self.planned))

    def table(self, kind: str | Table) -> Shown | None:
        """Shows a table of the plan, and saves it in tables/. Returns None where the plan has
        nothing for it: a heading above it is then left out of the documents.

        kind: "planning", "planning-known" and so on, or a table that you have changed.
        """
        if isinstance(kind, Table):
            self.save_table(kind)
            return self.show_table(kind)
        made = plan_table(self.planned, kind)
        if PLANNING[kind].instead(self.planned):
            return None
        shown = made
        if kind != NAME and self.is_saved(NAME):  # the answers above have said what the plan says
            said = self.planned.notes
            shown = replace(made, notes=tuple(n for n in made.notes if n not in said))
        self.save_table(made)
        return self.show_table(shown)

    def figure(self, kind: str, width: str = "page") -> Shown | None:
        """Shows a figure of the plan, and saves it in figures/ as SVG, PDF and PNG. Returns None
        where there is nothing to draw.

        kind: "planning-power", "planning-epochs" or "planning-costs". width: "page" or "column";
        both are saved.
        """
        from reportkit.figures import draw_plan

        return self.drawn(lambda at: draw_plan(self.planned, kind, at), width)

    # What it leaves behind ------------------------------------------------------------------------

    def save_rest(self) -> None:
        for kind, about in PLANNING.items():
            if not self.is_saved(kind) and not about.instead(self.planned):
                self.save_table(plan_table(self.planned, kind))

    def numbers(self) -> list[Number]:
        return prose_planning.numbers(self.planned)

    def _recorded(self) -> dict[str, Any]:
        """What was asked and decided, and the pilot's files by names that tell them apart."""
        facts = self.planned.pilot
        files = [s.file for s in facts.sources] if facts else []
        decided = {k: v for k, v in self.decisions.parameters().items() if k not in QUESTIONS}
        recorded = decided | self.planned.asked.parameters()
        recorded["scores"] = files[0] if len(files) == 1 else files or ""
        recorded["eval"] = facts.eval if facts else ""
        return {name: recorded[name] for name in PLANNING_PARAMETERS if name in recorded}

    def _decided(self) -> list[str]:
        """The words of what is decided of the pilot, and of the look."""
        changed = self.decisions.changed()
        own = Decisions(**{k: v for k, v in changed.items() if k in (*PILOT, "theme")})
        facts = self.planned.pilot
        return words_of_several({facts.eval: own} if facts else {}, own)

    def results(self) -> Results:
        notebook, found = self.build or NAME, planning_json(self.planned)
        return Results(NAME, notebook, self._recorded(), (), planning=found)

    def manifest(self) -> dict[str, Any]:
        options = self.given["options"]
        words = ["reportkit", "build", *self.given["sources"]]
        words += [] if "--notebook" in options else ["--notebook", NAME]
        asked = self.planned.asked
        # what reportkit.toml may decide is named at its default too
        for name, value in (asked.said() | {k: getattr(asked, k) for k in DECIDED}).items():
            words += ["--ask", f"{name}={number_text(value)}"]
        words += [*self._decided(), *options]
        recorded = self._recorded()
        command = None if self.given.get("in_memory") else shlex.join(words)
        made = manifest([], {**recorded, "seed": None}, command, self.given)
        facts = self.planned.pilot
        inputs = [{"file": s.file, "sha256": s.sha256, "rows": s.rows}
                  for s in (facts.sources if facts else ())]  # fmt: skip
        return made | {
            "inputs": inputs, "parameters": recorded, "seed": None,
            # of no scores: neither real nor generated
            "fictional": self.planned.fictional if facts else None,
        }  # fmt: skip


def _pilot(sources: Any, reading: Reading) -> Scores:
    if is_frame(sources):
        return with_source(scores_of(sources))
    return load_scores(sources, reading)
