"""The report of a plan: one job, of no eval. Its parameters are checked before anything is
written.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reportkit.analysis.planning import asked_of, plan
from reportkit.builds.history import add_history
from reportkit.builds.index import write_index
from reportkit.builds.job import Job, Output, Summary
from reportkit.builds.planning import known_parameters
from reportkit.builds.prepare import prepare
from reportkit.builds.rounds import stored
from reportkit.builds.runners import runner
from reportkit.decisions import flag
from reportkit.documents.prose.planning import title
from reportkit.errors import PlanError
from reportkit.loading.declared import decided_for
from reportkit.loading.handover import Handover, write_handover
from reportkit.loading.read import load_scores
from reportkit.loading.reading import Reading
from reportkit.plans import DECIDED, QUESTIONS, Asked
from reportkit.publishing.aside import Aside, turn
from reportkit.report.parameters import PILOT, PLANNING_PARAMETERS
from reportkit.report.worktree import with_tree

NAME = "planning"  # of the notebook, and of the report's folder


def is_plan(notebook: Path) -> bool:
    """Whether a notebook plans an eval: it has the parameters of ours. NotebookError where
    papermill cannot read it.
    """
    return notebook.stem == NAME or {*Asked().parameters()} <= {*known_parameters(notebook)}


def asked_words(words: Sequence[str]) -> dict[str, str]:
    """What NAME=VALUE words ask of a plan.

    >>> asked_words(["difference=0.05", "published=A:0.9;B:0.8"])
    {'difference': '0.05', 'published': 'A:0.9;B:0.8'}
    """
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise PlanError(f"--ask {word}: write NAME=VALUE, such as difference=0.03")
        name, value = name.strip(), value.strip()
        if name in PILOT:
            option = f"{flag(name)} {shlex.quote(value)}"
            raise PlanError(
                f"--ask {word}: {name} is decided of the pilot's scores; write {option}"
            )
        found[name] = value
    return found


def build_plan(
    notebook: Path,
    sources: Sequence[str],
    given: Mapping[str, Any],
    reading: Reading,
    *,
    output: Output,
    said: Mapping[str, Any],
) -> Summary:
    """The report of a plan, in the folder planning, with the front page made again.

    sources: of a pilot; none: no pilot. given: what the command says (manifest.as_given). reading:
    how the pilot is read, and what is decided. said: decisions that a command names, of which those
    of the pilot count. PlanError for a plan that cannot be.
    """
    decisions = reading.decisions
    decided = decisions.parameters()
    both = {k: decided[k] for k in said if k in QUESTIONS}  # --level beside --ask
    asked = asked_of(both | asked_words(output.ask), decisions)
    summary = Summary(Path(output.out))
    reading = replace(reading, skipped=summary.skipped.__setitem__)
    pilot = load_scores(sources, reading) if sources else None
    planned = plan(asked, pilot, decisions)
    # with what reportkit.toml may decide, for whoever runs the notebook again
    parameters: dict[str, Any] = asked.said() | {k: getattr(asked, k) for k in DECIDED}
    parameters |= {k: decided[k] for k in said if k in PLANNING_PARAMETERS and k not in QUESTIONS}
    eval = planned.pilot.eval if planned.pilot else ""
    if pilot is not None:
        own = replace(decided_for(pilot, eval, decisions), eval=eval).changed()
        parameters |= {k: own[k] for k in own if k in (*PILOT, "theme")}
        parameters["scores"] = list(sources) if len(sources) > 1 else sources[0]
    job = Job(
        str(notebook), decisions, (), NAME, NAME, parameters, output, heading=title(planned)
    )  # fmt: skip
    with (
        runner(output) as run_all,
        turn(prepare(summary.out, True)),
        Aside(summary.out, "scores") as aside,
    ):
        folder = (aside.new / NAME).resolve()
        given = with_tree(given, summary.out)
        write_handover(folder, Handover(notebook.stem, eval, sources, given, pilot))
        for _, problem in run_all([replace(job, handover=str(folder))]):
            if problem is None:
                summary.built.append(NAME)
            else:
                summary.failures[NAME] = problem
        reports = stored(summary.out)
        write_index(summary, reports, add_history(summary.out, reports))
    return summary
