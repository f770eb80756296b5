"""EvalPlus and BigCodeBench: *eval_results.json, for each task a list of answers.

Field names read in evalplus 0.3.1 and bigcodebench 0.2.5 (evaluate.py), the older lists of base and
plus results in evalplus/evalplus at 0310ad2e. An answer passes plus if it passes the base tests and
the added ones, as EvalPlus counts; a timeout is a failure. The mean over a task's answers is
pass@1. The file names no model: its own name does.
"""

import math
import posixpath
import re
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.chances import chance
from reportkit.readers.parsing import as_dict, as_list, field_text, load_json, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run
from reportkit.scores.selfcheck import Computation, by_answers, computed
from reportkit.stats import pass_at_k

HARNESS = "evalplus"
MOST_ANSWERS = 10**6  # to a question, of which a pass@k can be

_PASSED, _FAILED = ("pass", "success"), ("fail", "failed", "timeout", "timed out")
_START = re.compile(rb'\s*\{\s*("(date|hash)"\s*:\s*(null|"[^"]*")\s*,\s*)*"eval"\s*:\s*\{')
_SETS = {"HumanEval": "HumanEval+", "Mbpp": "MBPP+"}
_ENDING = re.compile(r"[_.-]?eval_results(\.json)?$")
# org--model_vllm_temp_0.0 and
# org--model--main--bigcodebench-hard-instruct--vllm-0.0-1-sanitized_calibrated
_EVALPLUS = re.compile(
    r"(?P<model>.+?)(?:_(?:vllm|hf|openai|anthropic|bedrock|google|gemini|gptqmodel|ollama))?"
    r"_temp_(?P<temperature>\d+(?:\.\d+)?)(?P<rest>.*)"
)
_BIGCODE = re.compile(
    r"(?P<model>.+?)(?:--skip_prefill)?(?:--main)?--bigcodebench(?P<set>(?:-hard)?-(?:instruct|complete))"
    r"(?:--\w+-(?P<temperature>\d+(?:\.\d+)?)-\d+)?.*"
)


def claims(file: File) -> Claim:
    head = file.head()
    if not file.name.endswith(".json") or not head.lstrip().startswith(b"{"):
        return ""
    if file.name.endswith("pass_at_k.json") and b'"pass@1"' in head:
        return (
            "part" if file.sibling(file.name.replace("pass_at_k.json", "eval_results.json")) else ""
        )
    if not _START.match(head):  # logs of other harnesses hold an "eval" as well
        return ""
    both = (
        (b'"base_status"', b'"plus_status"'),
        (b'"solution"', b'"status"'),
        (b'"nfiles"', b'"base"'),
        (b'"files"', b'"base"'),
    )
    return "run" if any(all(k in head for k in keys) for keys in both) else ""


def read(file: File) -> list[Run]:
    log = load_json(file)
    tasks = as_dict(log.get("eval"))
    columns: dict[str, list[Any]] = {
        c: [] for c in ("question_id", "epoch", "metric", "score", "status", "score_raw")
    }
    unknown = 0
    for task, answers in tasks.items():
        for epoch, statuses in enumerate(_answers(answers), 1):
            for metric, status in statuses.items():
                score = _score(status)
                if metric == "plus" and score == 1.0:
                    score = _score(statuses["base"])
                unknown += math.isnan(score)
                values = (
                    task,
                    epoch,
                    metric,
                    score,
                    "unscored" if math.isnan(score) else "ok",
                    field_text(status),
                )
                for column, value in zip(columns.values(), values, strict=True):
                    column.append(value)
    rows = pd.DataFrame(columns)
    if not len(rows):
        raise BrokenFile(f"{file.path}: results of no task; run the evaluation again")
    notes = (
        [f"{unknown} results have no status: unscored, while the harness counts them as failed"]
        if unknown
        else []
    )
    empty = [t for t, a in tasks.items() if not _answers(a)]
    if empty:
        notes.append(
            f"{len(empty)} tasks have no answer and are left out, the first is {empty[0][:60]!r}"
        )
    model, name, temperature = _named(file, str(next(iter(tasks))))
    metrics = list(dict.fromkeys(rows["metric"]))
    date = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)", str(log.get("date")))
    return [
        Run(
            HARNESS,
            name,
            model,
            rows,
            file=file.path,
            sha256=file.sha256(),
            eval_version=field_text(log.get("hash")) or "",
            created=f"{date[1]}T{date[2]}" if date else "",
            temperature=temperature,
            n_planned=int((rows["metric"] == metrics[0]).sum()),
            headline="plus" if "plus" in metrics else metrics[0],
            notes=notes,
            harness_metrics=_pass_at_k(file, unknown, rows),
        )
    ]


def _score(status: object) -> float:
    if status in _PASSED:
        return 1.0
    return 0.0 if status in _FAILED else math.nan


def _answers(results: object) -> list[dict[str, Any]]:
    """Each answer's status by metric. Formerly a task was one object: {"base": [["success", …], …],
    "plus": […]}.
    """
    if isinstance(results, dict):
        base, plus = as_list(results.get("base")), as_list(results.get("plus"))
        kept = {"base": base} | ({"plus": plus} if plus else {})
        return [
            {m: _first(r[i]) if i < len(r) else None for m, r in kept.items()}
            for i in range(len(base))
        ]
    out = []
    for answer in map(as_dict, as_list(results)):
        if "base_status" in answer:
            added = answer.get("plus_status")  # null where only the base tests ran
            out.append({"base": answer["base_status"]} | ({} if added is None else {"plus": added}))
        else:
            out.append({"pass": answer.get("status")})
    return out


def _first(result: object) -> object:
    return result[0] if isinstance(result, list) and result else result


def _named(file: File, task: str) -> tuple[str, str, str]:
    """Model, eval and temperature, from the file's name (or its folder's) and a task's id."""
    name = _SETS.get(task.partition("/")[0], task.partition("/")[0])
    stem = _ENDING.sub("", file.name)
    if stem in ("", "samples", "samples-sanitized"):  # the names that the tools' own examples give
        stem = posixpath.basename(file.folder.replace("\\", "/")) or "model"
    stem = stem.removesuffix(".jsonl")
    match = _BIGCODE.fullmatch(stem) or _EVALPLUS.fullmatch(stem)
    if match is None:
        return stem.replace("--", "/", 1), name, ""
    parts = match.groupdict()
    if parts.get("set"):
        name += parts["set"].replace("-", " ").title().replace(" ", "-")
    return match["model"].replace("--", "/", 1), name, match["temperature"] or ""


def _pass_at_k(file: File, unknown: int, rows: pd.DataFrame) -> list[HarnessMetric]:
    """BigCodeBench writes its pass@k beside the results; EvalPlus only prints it."""
    beside = (
        file.sibling(file.name.replace("eval_results.json", "pass_at_k.json"))
        if "eval_results" in file.name
        else None
    )
    told = load_json(beside) if beside else {}
    counted = f"BigCodeBench counts {unknown} results without a status as failed; " * bool(unknown)
    out = []
    for name, value in told.items():
        k = name.removeprefix("pass@")
        mean = number(value)
        if k == name or not k.isdecimal() or not 0 < int(k) < MOST_ANSWERS or math.isnan(mean):
            continue
        how = "mean" if k == "1" else f"pass_at_{k}"
        failed = rows[rows["metric"] == "pass"].fillna({"score": 0.0})
        reason = f"{counted}BigCodeBench prints no standard error"
        if k != "1":
            reason = f"{counted}the chance that one of {k} answers is right"
        out.append(
            HarnessMetric(
                "pass",
                mean,
                how=how,
                reason=reason,
                called="" if k == "1" else name,
                counted_mean=computed(failed, how, own=computation)[0] if unknown else math.nan,
            )
        )
    return out


def computation(how: str) -> Computation | None:
    """BigCodeBench's pass@k, by the name "pass_at_5"."""
    k = how.removeprefix("pass_at_")
    return by_answers(chance(pass_at_k, int(k))) if k != how and k.isdecimal() else None


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    computation=computation,
    guide=Guide(
        harness="EvalPlus, BigCodeBench",
        files="`*eval_results.json`",
        about="the mean over a task's answers is pass@1.",
    ),
)
