"""What a build does when its reports are in place: it compares, remembers, and writes the front
page and the page for CI.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reportkit.builds.history import add_history
from reportkit.builds.index import write_index
from reportkit.builds.job import Job, Output, Summary
from reportkit.builds.moved import Before, Gate, gate_falls, look_after
from reportkit.builds.rounds import open_build, stored
from reportkit.decisions import Decisions
from reportkit.documents.moved import to_json
from reportkit.errors import OutputError, UnknownNameError
from reportkit.loading.declared import decided_scores
from reportkit.loading.evals import Evals
from reportkit.publishing.whole import write_whole
from reportkit.report.manifest import rerun_command, rerun_suite_command
from reportkit.scores.select import EvalScores, select
from reportkit.text.environment import environment
from reportkit.text.visible import json_text

FORMAT = "reportkit/summary@1"
PAGES = (".md", ".json")


def check_output(output: Output) -> None:
    """UnknownNameError for a gate that there is not, or a summary of another kind; ScoresError
    where there is no pinned build.
    """
    Gate(output.fail_on, output.min_effect)
    if output.against:
        open_build(output.against)
    if output.summary and Path(output.summary).suffix not in PAGES:
        raise UnknownNameError(
            f"--summary {output.summary}: a summary is {' or '.join(PAGES)}; name such a file"
        )


@dataclass(frozen=True, slots=True)
class Made:
    """What a build was asked for: its evals, its decisions, those that its command named, what else
    the command said (manifest.as_given), its jobs, its output.
    """

    there: Evals
    decisions: Decisions
    said: Mapping[str, Any]
    given: Mapping[str, Any]
    jobs: Sequence[Job]
    output: Output

    def scores(self, folder: str) -> Iterator[EvalScores]:
        """The evals of one report with their question scores, by its folder."""
        [job] = [job for job in self.jobs if job.name == folder]
        for eval_name in job.evals:
            d = job.decisions
            models = self.there.models_of(d.models)
            if models and d.baseline and d.baseline not in models:
                models.append(d.baseline)
            scores = decided_scores(self.there.of(eval_name), eval_name, d)
            yield select(scores, eval_name, models=models, metric=d.metric, cluster=d.cluster)

    def read(self, folder: str) -> list[str]:
        """The files that the evals of one report were read from, by its folder."""
        evals = [e for job in self.jobs if job.name == folder for e in job.evals]
        return [path for e in evals for path in self.there.files(e)]

    def command(self, title: str) -> str:
        """The command that builds a failed report again; empty of a report that is of no eval."""
        for job in self.jobs:
            if job.title == title and job.each:
                evals = {e.eval: Decisions(**e.decisions) for e in job.each}
                return rerun_suite_command(evals, job.decisions, self.given, self.output.out)
        if title not in self.there.logged:
            return ""
        own = replace(self.there.decided(self.decisions, title), eval=title)
        evals = self.said.get("evals", {})
        names = (title, self.there.logged[title])
        said = {*self.said, *(name for e in names for name in evals.get(e, {}))}
        return rerun_command(own, said, self.given, self.output.out)


def conclude(summary: Summary, before: Before, made: Made) -> None:
    """Compares the new reports with those before, decides the gate, adds to the history, and writes
    index.html and the summary.
    """
    summary.commands = {title: made.command(title) for title in summary.failures}
    look(summary, before, made.output, made.scores, made.read)


def look(
    summary: Summary,
    before: Before,
    output: Output,
    scores: Callable[[str], Iterable[EvalScores]],
    read: Callable[[str], Iterable[str]] = lambda _folder: (),
) -> None:
    """`conclude` with the question scores of a report, and its files, by its folder."""
    reports = stored(summary.out)
    summary.compared = look_after(before, reports, summary.built, scores, read)
    summary.gate = gate_falls(Gate(output.fail_on, output.min_effect), summary.compared)
    write_index(summary, reports, add_history(summary.out, reports))
    if output.summary:
        _write(Path(output.summary), summary)


def _write(path: Path, summary: Summary) -> None:
    text = _markdown(summary)
    if path.suffix == ".json":
        text = json_text(_json(summary))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
    write_whole(path, text.encode(errors="replace"))


def _markdown(summary: Summary) -> str:
    template = environment("md").get_template("summary.md.j2")
    moved = [c.told for c in summary.compared]
    return template.render(summary=summary, moved=moved, failures=_failures(summary))


def _failures(summary: Summary) -> list[dict[str, str]]:
    return [
        {"name": name, "message": why, "command": summary.commands.get(name, "")}
        for name, why in sorted(summary.failures.items())
    ]


def _json(summary: Summary) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "status": summary.status,
        "built": list(summary.built),
        "failures": _failures(summary),
        "skipped": [{"name": n, "message": m} for n, m in sorted(summary.skipped.items())],
        "gate": summary.gate,
        "compared": [to_json(c.comparison, c.against) for c in summary.compared],
    }
