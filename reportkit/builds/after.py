"""What a build does when its reports are in place: it compares, remembers, and writes the front
page and the page for CI.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from reportkit.builds.history import add_history
from reportkit.builds.index import write_index
from reportkit.builds.job import Output, Summary
from reportkit.builds.moved import Before, Gate, gate_falls, look_after
from reportkit.builds.rounds import open_build, stored
from reportkit.documents.moved import json_text, to_json
from reportkit.errors import OutputError, UnknownNameError
from reportkit.scores.select import EvalScores
from reportkit.text.environment import environment

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


def conclude(
    summary: Summary,
    before: Before,
    output: Output,
    scores: Callable[[str], Iterable[EvalScores]],
) -> None:
    """Compares the new reports with those before, decides the gate, adds to the history, and writes
    index.html and the summary. scores: a report's evals by its folder.
    """
    reports = stored(summary.out)
    summary.compared = look_after(before, reports, summary.built, scores)
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
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from None


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
