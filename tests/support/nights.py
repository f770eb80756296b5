"""Builds on disk without notebooks: what a build leaves that the next one, diff and the front page
read.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reportkit.analysis import analyse
from reportkit.builds.after import look
from reportkit.builds.job import Output, Summary
from reportkit.builds.moved import look_before
from reportkit.results import Results
from reportkit.scores.frames import scores_of
from reportkit.scores.select import select, slug


@dataclass(frozen=True)
class Named:
    name: str


def frame(answers: Mapping[str, Mapping[str, Iterable[float]]], **columns) -> pd.DataFrame:
    """Scores of evals and models, question by question: {eval: {model: scores}}."""
    rows = [
        {"eval": e, "model": m, "question_id": f"q{k}", "score": s} | columns
        for e, models in answers.items()
        for m, scores in models.items()
        for k, s in enumerate(scores)
    ]
    return pd.DataFrame(rows)


def write_report(out: Path, scores: pd.DataFrame, eval: str, sha256: str = "0" * 64) -> str:
    """A report's results.json and manifest.json; its folder's name."""
    result, warnings = analyse(scores, eval)
    folder = out / slug(eval)
    folder.mkdir(parents=True, exist_ok=True)
    made = Results(folder.name, "template", {}, (result,), warnings).to_json()
    (folder / "results.json").write_text(json.dumps(made), encoding="utf-8")
    inputs = [{"file": "scores.csv", "sha256": sha256, "rows": len(scores)}]
    (folder / "manifest.json").write_text(json.dumps({"inputs": inputs}), encoding="utf-8")
    return folder.name


def file_of(name: str) -> str:
    """The file that a report's scores are read from."""
    return f"in/{name}.csv"


def build_night(
    out: Path,
    scores: pd.DataFrame,
    *,
    whole: bool = True,
    skipped: Mapping[str, str] | None = None,
    **output,
) -> Summary:
    """What a build of these scores does around its notebooks; skipped: files not read, with why."""
    names = {slug(e): e for e in scores["eval"].unique()}
    given = Output(out=str(out), **output)
    summary = Summary(out, skipped=dict(skipped or {}))
    before = look_before(
        summary, list(map(Named, names)), list(names.values()) if whole else (), given.against
    )
    summary.built = sorted(write_report(out, scores, e) for e in names.values())
    known = scores_of(scores)
    look(
        summary,
        before,
        given,
        lambda name: [select(known, names[name])],
        lambda name: [file_of(name)],
    )
    return summary
