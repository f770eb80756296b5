"""EvalScope: reviews/<model>/<benchmark>_<subset>.jsonl is a run, reports/<model>/<benchmark>.json
has the harness's own numbers.

Fields as evalscope/api/evaluator/cache.py and api/metric/scorer.py wrote them in August 2026
(modelscope/evalscope fde259d, and the real files of its examples/viz, ten of which were read). A
score whose status is neither success nor fallback is none: EvalScope leaves it out, and so do we.
Repeats of a question share a group_id; generation_index, or their order, is the epoch.
"""

import re
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.inputs.paths import folder_of, joined, name_of
from reportkit.readers.fields import short_fields
from reportkit.readers.parsing import (
    as_dict,
    as_list,
    content_hash,
    field_text,
    json_lines,
    label,
    load_json,
    number,
)
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.run import HarnessMetric, Run

HARNESS = "evalscope"
MOST_EPOCHS = 10**6  # of a question
USABLE = ("success", "fallback")
ROUNDED = "EvalScope rounds its numbers to four digits, and gives no standard error"
BY_ANSWERS = "EvalScope averages answers, and its questions have unlike numbers of them"
SEVERAL = "of several subsets, which are evals of their own"
LOST = "no score of any question under this name"
_LINE = re.compile(rb'\s*\{"index":')
_REPORT = re.compile(rb'\s*\{.*"dataset_name":.*"metrics":\s*\[', re.DOTALL)


def claims(file: File) -> Claim:
    if _LINE.match(file.head()):
        if b'"sample_score":' in file.head() or name_of(folder_of(file.folder)) == "reviews":
            return "run"
        return "part" if name_of(folder_of(file.folder)) == "predictions" else ""
    if file.name.endswith(".json") and name_of(folder_of(file.folder)) == "reports":
        return "part" if _REPORT.match(file.head()) and b'"model_name":' in file.head() else ""
    return ""


def read(file: File) -> list[Run]:
    lines = [(n, as_dict(row.get("sample_score")), row) for n, row in json_lines(file)]
    values = [as_dict(as_dict(score.get("score")).get("value")) for _, score, _ in lines]
    names = list(dict.fromkeys(m for v in values for m, x in v.items() if _is_score(x)))
    if not names:
        raise BrokenFile(f"{file.path}: no score of any question in it; run the eval again")
    report, benchmark = _report_of(file)
    rows = _rows(lines, names)
    eval = file.name.removesuffix(".jsonl")
    subset = eval.removeprefix(f"{benchmark}_") if benchmark else ""
    main = as_dict(lines[0][1].get("score")).get("main_score_name")
    model = field_text(report.get("model_name")) or name_of(file.folder) or "model"
    return [
        Run(
            HARNESS,
            eval,
            model,
            rows,
            file=file.path,
            sha256=file.sha256(),
            n_planned=rows["question_id"].nunique(),
            headline=main if main in names else names[0],
            category=benchmark if benchmark != eval else "",
            harness_metrics=_harness_metrics(report, subset, rows),
            notes=[] if report else ["no report of the benchmark beside it in reports/"],
        )
    ]


def _is_score(value: object) -> bool:
    return isinstance(value, int | float)


def _rows(
    lines: list[tuple[int, dict[str, Any], dict[str, Any]]], names: list[str]
) -> pd.DataFrame:
    """A row for each answer and metric."""
    fields = [
        {k: label(v) for k, v in as_dict(s.get("sample_metadata")).items() if v is not None}
        for _, s, _ in lines
    ]
    further = {f"metadata.{n}": v for n, v in short_fields(fields).items()}
    seen: dict[str, int] = {}
    out: list[dict[str, Any]] = []
    for k, (_, sample, row) in enumerate(lines):
        own = sample.get("sample_id", row.get("index"))
        group = sample.get("group_id")
        question = field_text(own if group is None else group) or str(row.get("index"))
        seen[question] = seen.get(question, 0) + 1
        planned = sample.get("generation_index")
        epoch = (
            planned + 1 if type(planned) is int and 0 <= planned < MOST_EPOCHS else seen[question]
        )
        score = as_dict(sample.get("score"))
        usable = score.get("status", "success") in USABLE
        hashed = content_hash(_asked(row), None, row.get("target"))
        for name in names:
            value = number(as_dict(score.get("value")).get(name)) if usable else float("nan")
            out.append(
                {
                    "question_id": question,
                    "epoch": epoch,
                    "metric": name,
                    "score": value,
                    "status": "ok" if value == value else "unscored",
                    "content_hash": hashed,
                }
                | {c: v[k] for c, v in further.items()}
            )
    rows = pd.DataFrame(out)
    twice = rows.duplicated(["question_id", "epoch", "metric"])
    if twice.any():
        rows["epoch"] = rows.groupby(["question_id", "metric"]).cumcount() + 1
    return rows


def _asked(row: dict[str, Any]) -> object:
    """What the model was asked: the messages before its answer, or the text of older files."""
    asked = [m.get("content") for m in as_list(row.get("messages"))
             if isinstance(m, dict) and m.get("role") in ("user", "system")]  # fmt: skip
    return asked or row.get("input")


def _report_of(file: File) -> tuple[dict[str, Any], str]:
    """The report of the benchmark that a file of reviews is part of, and the benchmark's name."""
    model = name_of(file.folder)
    folder = joined(folder_of(folder_of(file.folder)), "reports", model)
    stem = file.name.removesuffix(".jsonl")
    place = File(joined(folder, "-"), False, file.root)
    try:
        there = [f for f in place.siblings("*.json") if f"{stem}_".startswith(f"{_bare(f)}_")]
        best = max(there, key=lambda f: len(f.name), default=None)
        if best is not None:
            return load_json(best), _bare(best)
    except (BrokenFile, OSError):
        pass
    return {}, ""


def _bare(file: File) -> str:
    return file.name.removesuffix(".json")


def _harness_metrics(
    report: dict[str, Any], subset: str, rows: pd.DataFrame
) -> list[HarnessMetric]:
    """The report's numbers of this subset, and those of all subsets where there are several."""
    out: list[HarnessMetric] = []
    for metric in map(as_dict, as_list(report.get("metrics"))):
        name = field_text(metric.get("name")) or "score"
        categories = [as_dict(c) for c in as_list(metric.get("categories"))]
        subsets = [as_dict(s) for c in categories for s in as_list(c.get("subsets"))]
        for one in subsets:
            if field_text(one.get("name")) == subset:
                out.append(_of_subset(name, number(one.get("score")), rows))
                break
        for key in ("score", "macro_score"):
            if len(subsets) > 1 and isinstance(metric.get(key), int | float):
                out.append(
                    HarnessMetric(
                        name, number(metric[key]), how="", called=f"{key} of all", reason=SEVERAL
                    )
                )
    return out


def _of_subset(name: str, mean: float, rows: pd.DataFrame) -> HarnessMetric:
    """mean_acc is the mean of acc."""
    there = set(rows["metric"])
    metric = next((n for n in (name, name.removeprefix("mean_")) if n in there), "")
    if not metric:
        return HarnessMetric(name, mean, how="", reason=LOST)
    scored = rows[(rows["metric"] == metric) & rows["score"].notna()]
    unlike = scored["question_id"].value_counts().nunique() > 1
    return HarnessMetric(
        metric,
        mean,
        how="mean-4",
        se_reason=ROUNDED,
        reason=BY_ANSWERS if unlike else "",
        counted_mean=round(float(scored["score"].mean()), 4) if unlike else float("nan"),
    )


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    guide=Guide(
        harness="EvalScope",
        files="`reviews/MODEL/*.jsonl` with `reports/`",
        about=(
            "repeats of a question are epochs. A score that EvalScope marks as failed counts "
            "as unscored, as EvalScope itself does. It rounds its means to four digits; "
            "`check` compares ours rounded so."
        ),
    ),
)
