"""OpenAI Evals (3.0.1): a record file of JSON lines, its spec, its final report, and events in any
order.

A match event is an answer and whether it is right; model-graded evals write metrics events.
FuzzyMatch writes both for one answer. A question's further events are further epochs. A question
without either is an error: the harness leaves it out of its accuracy.
"""

import math
import re
from itertools import zip_longest
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.fields import check_filled
from reportkit.readers.parsing import as_dict, as_list, content_hash, field_text, json_lines, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run
from reportkit.text.numbers import counted

HARNESS = "openai-evals"
MATCH = "accuracy"  # what the final report calls the mean of the match events
HALVES = "its standard error is the spread of random half samples (boostrap_std)"
UNEVEN = "a mean over answers, where questions have different numbers of them"
_SPEC = re.compile(rb'\s*\{"spec":\s*\{')
# Other first lines: keys in this order, found one after the other (a pattern with as many ".*"
# takes the cube of a line).
_OTHERS = (
    (b'{"final_report":', b'"run_id"'),
    (b'{"run_id":', b'"event_id":', b'"sample_id":', b'"type":'),
)
_Events = list[tuple[int, Any]]  # each with its place in the log and its value
_ByQuestion = dict[str, _Events]
_Answers = dict[str, _ByQuestion]  # by metric


def claims(file: File) -> Claim:
    first = file.head().lstrip().split(b"\n", 1)[0]
    return "run" if _SPEC.match(first) or any(_in_order(first, keys) for keys in _OTHERS) else ""


def _in_order(line: bytes, keys: tuple[bytes, ...]) -> bool:
    at = 0 if line.startswith(keys[0]) else -1
    for key in keys:
        at = line.find(key, at) if at >= 0 else -1
    return at >= 0


def read(file: File) -> list[Run]:
    spec, report, events = _lines(file)
    if not spec.get("eval_name"):
        raise BrokenFile(
            f"{file.path}: no line names the eval and the model (spec); copy the file again, "
            "from its beginning"
        )
    notes: list[str] = []
    answers, questions, hashes = _answers(events, notes)
    if not answers:
        raise BrokenFile(
            f"{file.path}: no match or metrics event in it, so no scores; run the eval again"
        )
    check_filled(
        file.path, len(answers), len(answers) * len(questions), sum(map(len, answers.values()))
    )
    rows, errors = _rows(answers, questions, hashes)
    if errors:
        notes.append(
            f"{counted(errors, 'question')} without a match or metrics event: an error here, which "
            "evals itself does not count"
        )
    if report is None:
        notes.append("no final report: the run did not end")
    functions = [f for f in (field_text(v) for v in as_list(spec.get("completion_fns"))) if f]
    if len(functions) > 1:
        notes.append(
            f"further completion functions, such as the grader: {', '.join(functions[1:])}"
        )
    limit = as_dict(spec.get("run_config")).get("max_samples")
    return [
        Run(
            HARNESS,
            str(spec["eval_name"]),
            functions[0] if functions else "model",
            rows,
            file=file.path,
            sha256=file.sha256(),
            run_id=field_text(spec.get("run_id")) or "",
            created=(field_text(spec.get("created_at")) or "").replace(" ", "T"),
            status="success" if report is not None else "started",
            limit="" if limit is None else f"max_samples={limit}",
            n_planned=len(questions),
            headline=rows["metric"].iloc[0],
            notes=notes,
            harness_metrics=_harness_metrics(report or {}, rows),
        )
    ]


def _lines(file: File) -> tuple[dict[str, Any], dict[str, Any] | None, list[dict[str, Any]]]:
    spec: dict[str, Any] = {}
    report: dict[str, Any] | None = None
    events: list[dict[str, Any]] = []
    for _, line in json_lines(file):
        if "spec" in line:
            spec = as_dict(line["spec"])
        elif "final_report" in line:  # may come before the events
            report = as_dict(line["final_report"])
        elif line.get("sample_id") is not None:
            data = as_dict(line.get("data"))
            order = line.get("event_id")
            events.append(
                {
                    "id": str(line["sample_id"]),
                    "order": order if isinstance(order, int) else len(events),
                    "type": line.get("type"),
                    "data": data,
                }
            )
    return spec, report, sorted(events, key=lambda e: e["order"])


def _answers(
    events: list[dict[str, Any]], notes: list[str]
) -> tuple[_Answers, list[str], dict[str, str]]:
    """Values by metric and question, all questions, and the hashes of those whose text is there."""
    answers: _Answers = {}
    matches: _ByQuestion = {}
    prompts: dict[str, str] = {}
    targets: dict[str, Any] = {}
    skipped: set[str] = set()
    for event in events:
        id, data = event["id"], event["data"]
        if event["type"] == "match":
            answers.setdefault(MATCH, {})  # its place among the metrics
            matches.setdefault(id, []).append((event["order"], data.get("correct")))
            targets.setdefault(id, data.get("expected"))
        elif event["type"] == "metrics":
            for name, value in data.items():
                if value is None or isinstance(value, int | float):
                    answers.setdefault(name, {}).setdefault(id, []).append((event["order"], value))
                else:
                    skipped.add(name)
        elif event["type"] == "sampling" and (text := _question(data.get("prompt"))):
            prompts.setdefault(id, text)  # the first: a grader's prompt comes later
    notes += [f"{name} is left out: its values are not numbers" for name in sorted(skipped)]
    blank = [
        m
        for m, by_question in answers.items()
        if m != MATCH and all(v is None for a in by_question.values() for _, v in a)
    ]
    notes += [f"{name} is left out: it has no values" for name in blank if name not in skipped]
    for name in {*skipped, *blank}:
        answers.pop(name, None)
    if matches:
        answers[MATCH] = _paired(matches, answers.get(MATCH, {}))
    questions = sorted({e["id"] for e in events}, key=_numbered)
    hashes = {q: content_hash(prompts[q], None, targets.get(q)) for q in questions if q in prompts}
    return answers, questions, hashes


def _paired(matches: _ByQuestion, accuracies: _ByQuestion) -> _ByQuestion:
    """Match events and what metrics events call accuracy: of one question, the k-th of each are the
    same answer.
    """
    return {
        id: [
            match or accuracy
            for match, accuracy in zip_longest(matches.get(id, []), accuracies.get(id, []))
        ]
        for id in {**matches, **accuracies}
    }


def _question(prompt: object) -> str:
    """The last message: those before it, and a prompt of plain text, differ with the model and its
    examples.
    """
    messages = as_list(prompt)
    content = as_dict(messages[-1]).get("content") if messages else None
    return content if isinstance(content, str) else ""


def _numbered(id: str) -> tuple[str, int, str]:
    """own.dev.9 before own.dev.10."""
    name, _, index = id.rpartition(".")
    return (name, int(index), id) if index.isdecimal() and len(index) < 19 else (id, -1, id)


def _rows(
    answers: _Answers, questions: list[str], hashes: dict[str, str]
) -> tuple[pd.DataFrame, int]:
    ids, epochs, metrics, scores, status = [], [], [], [], []
    unanswered, answered = (
        0,
        {question for by_question in answers.values() for question in by_question},
    )
    for metric, by_question in answers.items():
        for question in questions:
            values = by_question.get(question)
            gone = question not in answered
            unanswered += gone and metric == next(iter(answers))
            for epoch, (_, value) in enumerate(values or [(0, None)], 1):
                score = number(value)
                ids.append(question)
                epochs.append(epoch)
                metrics.append(metric)
                scores.append(score)
                lacking = "error" if gone else "unscored"
                status.append(lacking if math.isnan(score) else "ok")
    columns = {
        "question_id": ids,
        "epoch": epochs,
        "metric": metrics,
        "score": scores,
        "status": status,
    }
    return pd.DataFrame({**columns, "content_hash": [hashes.get(q) for q in ids]}), unanswered


def _harness_metrics(report: dict[str, Any], rows: pd.DataFrame) -> list[HarnessMetric]:
    out = []
    for name, value in report.items():
        if not isinstance(value, int | float):
            continue
        if name in ("boostrap_std", "bootstrap_std"):
            if MATCH not in report:
                told = HarnessMetric(MATCH, number(value), how="", called=name, reason=HALVES)
                out.append(told)
            continue
        own = rows[(rows["metric"] == name) & rows["score"].notna()]
        if own.empty:
            out.append(
                HarnessMetric(
                    name, number(value), how="", reason="no scores of questions under this name"
                )
            )
            continue
        uneven = own.groupby("question_id").size().nunique() > 1
        se = (
            number(report.get("boostrap_std", report.get("bootstrap_std")))
            if name == MATCH
            else float("nan")
        )
        out.append(
            HarnessMetric(
                name,
                number(value),
                se,
                how="" if uneven else "mean",
                reason=UNEVEN if uneven else "",
                se_reason=HALVES if se == se and not uneven else "",
            )
        )
    return out


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    guide=Guide(
        harness="OpenAI Evals",
        files="record files",
        about="a file without a final report counts as an unfinished run.",
    ),
)
