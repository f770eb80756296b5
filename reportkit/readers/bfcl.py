"""BFCL (Berkeley Function-Calling Leaderboard): BFCL_v4_<category>_score.json begins with a line of
totals and then lists the failures only.

A score file alone does not say which questions were right. They are all that the result file has
(score/<model>/.../X_score.json beside result/<model>/.../X_result.json) and the score file has not.
Without it, or where the counts disagree, the file is refused. Layout of bfcl-eval of 2025; in 2024
the result files had a longer name, and a failure its place in the result file, from 1
(HuanzhiMao/BFCL-Result b4adfc9: all 852 score files of 2024-08-11 give their own accuracy).
"""

import re
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.paths import folder_of, joined, name_of
from reportkit.readers.parsing import as_dict, field_text, json_lines, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run

HARNESS = "bfcl"
METRIC = "correct"
SCORE, RESULT = "_score.json", "_result.json"
OLD = "gorilla_openfunctions_v1_test_"  # how names of result files began in 2024
NO_SE = "BFCL gives no standard error"
_TOTALS = re.compile(rb'\s*\{"accuracy":[^{}]*"total_count":')
_ANSWER = re.compile(rb'\s*\{"idx?":.*"result":', re.DOTALL)
DEEPEST = 8  # folders between score/ and a score file: model/agentic/memory/kv is four


def claims(file: File) -> Claim:
    if file.name.endswith(SCORE):
        return "run" if _TOTALS.match(file.head()) else ""
    if file.name.endswith(RESULT) and _ANSWER.match(file.head()):
        return "part"
    return ""


def read(file: File) -> list[Run]:
    lines = [row for _, row in json_lines(file)]
    if not lines:
        raise BrokenFile(f"{file.path}: the file is empty; copy it again, or run the eval again")
    totals, failures = as_dict(lines[0]), lines[1:]
    total, correct = number(totals.get("total_count")), number(totals.get("correct_count"))
    answers = _answers_of(file)
    if answers is None:
        raise BrokenFile(
            f"{file.path}: it lists the {len(failures)} failures only, of {total:.0f} questions, "
            f"and not which ones were right; put the folder result/ beside score/, with "
            f"{file.name.removesuffix(SCORE)}{RESULT}"
        )
    ids = list(dict.fromkeys(answers))
    wrong = {_failed(row, answers) for row in failures}
    unknown = wrong - set(ids)
    if len(ids) != total or unknown or total - len(wrong) != correct:
        raise BrokenFile(
            f"{file.path}: it counts {total:.0f} questions and {correct:.0f} right ones; the "
            f"result file has {len(ids)} questions, and {len(wrong)} failures are listed"
            f"{f', {len(unknown)} of other questions' if unknown else ''}; give the two of one run"
        )
    rows = pd.DataFrame(
        {
            "question_id": ids,
            "epoch": 1,
            "metric": METRIC,
            "score": [float(i not in wrong) for i in ids],
            "status": "ok",
        }
    )
    model = next((field_text(row.get("model_name")) for row in failures), None)
    return [
        Run(
            HARNESS,
            file.name.removesuffix(SCORE),
            model or _model_folder(file),
            rows,
            file=file.path,
            sha256=file.sha256(),
            n_planned=len(ids),
            headline=METRIC,
            category="BFCL",
            harness_metrics=[
                HarnessMetric(METRIC, number(totals.get("accuracy")), se_reason=NO_SE)
            ],
        )
    ]


def _failed(row: dict[str, Any], answers: list[str]) -> str | None:
    """The id of a question that failed; a number is its place among the answers, from 1."""
    id = row.get("id")
    if type(id) is not int:
        return field_text(id)
    return answers[id - 1] if 0 < id <= len(answers) else None


def _places(file: File) -> tuple[str, list[str]]:
    """The folder above score/, and the folders between it and the file; "" where there is none."""
    inner: list[str] = []
    folder = file.folder
    for _ in range(DEEPEST):
        if name_of(folder) == "score":
            return folder_of(folder) or ".", inner[::-1]
        inner.append(name_of(folder))
        folder = folder_of(folder)
    return "", []


def _model_folder(file: File) -> str:
    """The folder of the model is the first below score/."""
    _, inner = _places(file)
    return next(iter(inner), "") or name_of(file.folder) or "model"


def _answers_of(file: File) -> list[str] | None:
    """The ids of all questions, from the result file; None where there is none."""
    above, inner = _places(file)
    stem = file.name.removesuffix(SCORE) + RESULT
    for name in (stem, OLD + stem):
        beside = file.sibling(name)
        if beside is None and above:
            path = joined(above, "result", *inner, name)
            beside = File(path, False, file.root).sibling(name)
        if beside is not None:
            told = (row for _, row in json_lines(beside))
            return [field_text(row.get("id", row.get("idx"))) or "" for row in told]
    return None


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    guide=Guide(
        harness="BFCL",
        files=("`*_score.json` under `score/` with `*_result.json` under `result/`; of 2024 too"),
        about=("a score file lists failures only; without the result file it is refused."),
    ),
)
