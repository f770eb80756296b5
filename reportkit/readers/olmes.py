"""OLMES (oe-eval): task-<number>-<task>-predictions.jsonl is a run; the file of the same name that
ends with -metrics.json has its settings and numbers.

Field names as oe_eval/run_eval.py and oe_eval/metrics/metric.py write them, in forks of
allenai/olmes on GitHub (davidheineman/olmes 6e901a3 of 2025, yi-yvonne-yu/olmes 8cd2645): doc_id,
native_id, metrics, model_output and label in a line of predictions; task_name, model_config,
task_config, current_date and metrics, with extra_metrics inside, beside it. A line's metrics hold
more than scores: the index of the choice that was taken, and of the right one.
"""

import re
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.fields import check_filled
from reportkit.readers.parsing import as_dict, field_text, json_lines, load_json, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run

HARNESS = "olmes"
PREDICTIONS = "-predictions.jsonl"
METRICS = "-metrics.json"
OTHERWISE = "not a mean of scores of questions"
_NO_SCORES = ("predicted_index", "correct_choice", "no_answer")
_LOWER = "bits_per_byte"  # lower ones are better
_TASK = re.compile(r"task-\d+-(.+?)(?:-predictions\.jsonl|-metrics\.json)$")
_LINE = re.compile(rb'\s*\{"doc_id":.*"metrics":\s*\{', re.DOTALL)


def claims(file: File) -> Claim:
    if file.name.endswith(PREDICTIONS):
        return "run" if _LINE.match(file.head()) else ""
    if file.name.endswith(METRICS) and b'"task_config":' in file.head():
        return "part" if not file.named else ""
    return ""


def read(file: File) -> list[Run]:
    lines = [row for _, row in json_lines(file)]
    values = [as_dict(row.get("metrics")) for row in lines]
    told, notes = _metrics_of(file)
    config = as_dict(told.get("task_config"))
    primary = field_text(config.get("primary_metric")) or ""
    numbers = _flat(told.get("metrics"))
    names = _scores_among(values, {*numbers, primary})
    if not names:
        raise BrokenFile(f"{file.path}: no score of any question in it; run the eval again")
    check_filled(file.path, len(names), len(names) * len(lines), sum(map(len, values)))
    match = _TASK.search(file.name)
    stem = match[1] if match else file.name.removesuffix(PREDICTIONS)
    model = field_text(as_dict(told.get("model_config")).get("model"))
    return [
        Run(
            HARNESS,
            field_text(told.get("task_name")) or stem,
            model or re.split(r"[/\\]", file.folder)[-1] or "model",
            _rows(file, lines, names),
            file=file.path,
            sha256=file.sha256(),
            run_id=field_text(told.get("model_hash")) or "",
            created=_created(told.get("current_date")),
            shots=field_text(config.get("num_shots")) or "",
            limit=_limit(config),
            n_planned=len(lines),
            headline=primary if primary in names else names[0],
            harness_metrics=_harness_metrics(numbers, names, primary),
            notes=notes,
        )
    ]


def _flat(metrics: Any) -> dict[str, float]:
    """OLMES's numbers of the task; what it calls extra is told like the others."""
    told = as_dict(metrics)
    both = {**as_dict(told.get("extra_metrics")), **told}
    return {k: number(v) for k, v in both.items() if isinstance(v, int | float)}


def _scores_among(values: list[dict[str, Any]], told: set[str]) -> list[str]:
    """The metrics that are scores: those that OLMES has a number of, or without any all that are
    numbers and no index of a choice.
    """
    names = list(
        dict.fromkeys(m for v in values for m, x in v.items() if isinstance(x, int | float))
    )
    return [n for n in names if n in told] or [n for n in names if not n.startswith(_NO_SCORES)]


def _created(told: Any) -> str:
    """OLMES's "2025-05-16 10:09:03 UTC" as ISO has it; "" where it is no date."""
    try:
        found = datetime.strptime(str(told), "%Y-%m-%d %H:%M:%S UTC")
    except ValueError:
        return ""
    return found.replace(tzinfo=UTC).isoformat()


def _limit(config: dict[str, Any]) -> str:
    limit = field_text(config.get("limit"))
    return f"limit={limit}" if limit else ""


def _rows(file: File, lines: list[dict[str, Any]], names: list[str]) -> pd.DataFrame:
    out: list[dict[str, Any]] = []
    for row in lines:
        doc = field_text(row.get("doc_id"))
        if doc is None:
            raise BrokenFile(f"{file.path}: a line without doc_id; copy the file again")
        native = field_text(row.get("native_id"))
        for name in names:
            score = number(as_dict(row.get("metrics")).get(name))
            out.append(
                {
                    "question_id": doc,
                    "epoch": 1,
                    "metric": name,
                    "score": score,
                    "status": "ok" if score == score else "unscored",
                    "metadata.native_id": native,
                }
            )
    rows = pd.DataFrame(out)
    rows["epoch"] = rows.groupby(["question_id", "metric"]).cumcount() + 1
    if rows["metadata.native_id"].isna().all():
        return rows.drop(columns="metadata.native_id")
    return rows


def _metrics_of(file: File) -> tuple[dict[str, Any], list[str]]:
    """What the file of metrics says, and a note where there is none."""
    beside = file.sibling(file.name.removesuffix(PREDICTIONS) + METRICS)
    if beside is None:
        return {}, ["no file of metrics beside it: the folder names the model"]
    try:
        return load_json(beside), []
    except BrokenFile as error:
        return {}, [f"its file of metrics is not read, and the folder names the model: {error}"]


def _harness_metrics(told: dict[str, float], names: list[str], primary: str) -> list[HarnessMetric]:
    out = []
    for name, value in told.items():
        lower = name.startswith(_LOWER)
        if name in names:
            out.append(
                HarnessMetric(name, value, se_reason="OLMES gives none", lower_is_better=lower)
            )
        else:
            why = f"{primary} once more" if name == "primary_score" and primary else OTHERWISE
            out.append(HarnessMetric(name, value, how="", reason=why))
    return out


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    guide=Guide(
        harness="OLMES",
        files="`task-*-predictions.jsonl` with `task-*-metrics.json`",
        about=(
            "the scores are those that OLMES has a number of. Without the file of metrics the "
            "folder names the model."
        ),
    ),
)
