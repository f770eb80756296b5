"""lighteval (0.13): details_<task>|<shots>_<stamp>.parquet is a run; results_<stamp>.json names its
model and settings.

The rows are shuffled, and cut by max_samples after that, but their ids stay the places in the whole
split. Of the results only the tasks' own lines count: "all" and "<task>:_average" hold a plain mean
of standard errors, which is the error of nothing.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File, seekable
from reportkit.inputs.paths import folder_of, joined
from reportkit.inputs.unpacking import check_parquet
from reportkit.readers.choices import is_letter, p_right
from reportkit.readers.fields import short_fields
from reportkit.readers.lighteval.numbers import harness_metrics
from reportkit.readers.parsing import (
    as_dict,
    as_list,
    content_hash,
    field_text,
    label,
    load_json,
    number,
)
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.readers.spent import whole_run
from reportkit.scores.run import Run
from reportkit.text.numbers import counted

HARNESS = "lighteval"
_STAMP = r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_NAME = re.compile(rf"^(?:details_(?P<task>.+)|results)_(?P<stamp>{_STAMP})\.(?:parquet|json)$")
_RESULTS = re.compile(
    rb'\s*\{\s*"config_general":\s*\{.*"(lighteval_sha|num_fewshot_seeds|max_samples)"', re.DOTALL
)
# Everything else (prompts, tokens, answers) stays in the file; types of nested fields vary by task.
_COLUMNS = [
    "doc.id",
    "doc.query",
    "doc.choices",
    "doc.gold_index",
    "doc.specific",
    "doc.task_name",
    "doc.num_samples",
    "metric",
    "model_response.logprobs",
]
# Columns of older versions.
_FLAT = {"full_prompt", "predictions", "pred_logits", "cont_tokens", "padded", "metrics", "example"}


def claims(file: File) -> Claim:
    if file.head()[:4] == b"PAR1":
        fields = _fields(file)
        return (
            "run"
            if {"doc", "metric", "model_response"} <= fields or len(_FLAT & fields) > 3
            else ""
        )
    if not _RESULTS.match(file.head()):
        return ""
    return "run" if file.named or not _details(file) else "part"  # without details: read says so


def read(file: File) -> list[Run]:
    if file.head()[:4] == b"PAR1":
        return [_run(file)]
    details = _details(file)
    if not details:
        raise BrokenFile(
            f"{file.path}: results without scores of questions; run lighteval with "
            "--save-details, or copy the "
            "details folder too"
        )
    return [_run(d) for d in details]


# Files --------------------------------------------------------------------------------------------


@contextmanager
def _parquet(file: File) -> Iterator[Any]:
    """The opened file and its size, or BrokenFile."""
    import pyarrow.parquet as pq

    with seekable(file) as near, near.open() as stream:
        try:
            parquet = pq.ParquetFile(stream)
        # pyarrow's own classes vary; the file is at fault in all of them
        except Exception as error:
            raise BrokenFile(_unreadable(file, error)) from None
        yield parquet, near.size()


def _unreadable(file: File, error: Exception) -> str:
    return f"{file.path}: not a readable Parquet file: {str(error).splitlines()[0]}; copy it again"


def _fields(file: File) -> set[str]:
    try:
        with _parquet(file) as (parquet, _):
            return set(parquet.schema_arrow.names)
    except BrokenFile:
        return set()  # whoever reads tables says so


def _there(folder: str, file: File, pattern: str) -> list[File]:
    """Files of a folder that may not exist."""
    try:
        return File(joined(folder, "-"), False, file.root).siblings(pattern)
    except OSError:
        return []


def _moved(file: File, here: str, there: str) -> str:
    """The folder beside: .../results/org/model as .../details/org/model; "" where the path has no
    such part.
    """
    mark = "/" if file.remote else os.sep
    before, found, after = f"{mark}{file.folder}{mark}".rpartition(f"{mark}{here}{mark}")
    return f"{before}{mark}{there}{mark}{after}"[1:].rstrip(mark) if found else ""


def _stamp(file: File) -> str:
    match = _NAME.match(file.name)
    return match["stamp"] if match else ""


def _details(results: File) -> list[File]:
    stamp, folder = _stamp(results), _moved(results, "results", "details")
    if not stamp:
        return []
    beside = _there(joined(folder, stamp), results, f"*_{stamp}.parquet") if folder else []
    return beside or _there(results.folder, results, f"details_*_{stamp}.parquet")


def _results_of(details: File) -> tuple[dict[str, Any], list[str]]:
    """The results file of details; BrokenFile where it cannot be read: model and version would be
    another run's.
    """
    stamp = _stamp(details)
    beside = _moved(details, "details", "results")
    for folder in (details.folder, folder_of(beside)) if stamp else ():
        for results in _there(folder, details, f"results_{stamp}.json"):
            return load_json(results), []
    return {}, [
        "no results file of the same stamp: the folder names the model, settings are unknown"
    ]


# One file of details ------------------------------------------------------------------------------


def _run(file: File) -> Run:
    results, notes = _results_of(file)
    docs, metrics, logliks = _columns(file)
    match = _NAME.match(file.name)
    full = (
        field_text(docs[0].get("task_name"))
        or (match and match["task"])
        or os.path.splitext(file.name)[0]
    )
    task, bar, shots = full.rpartition("|")
    task, shots = (task, shots) if bar and shots.isdigit() else (full, "")
    general = as_dict(results.get("config_general"))
    config = as_dict(as_dict(results.get("config_tasks")).get(full))
    settings = as_dict(as_dict(general.get("model_config")).get("generation_parameters"))
    stamp, model = _stamp(file), field_text(general.get("model_name")) or _model_of(file)
    rows, headline, kind = _rows(file, docs, metrics, logliks, notes)
    own, n_asked = harness_metrics(as_dict(results.get("results")), full, config, rows)
    version = as_dict(results.get("versions")).get(full, config.get("version"))
    limit, sha = general.get("max_samples"), field_text(general.get("lighteval_sha")) or ""
    day, _, time = stamp.partition("T")
    return Run(
        HARNESS,
        task,
        model,
        rows,
        file=file.path,
        sha256=file.sha256(),
        run_id=f"{model}/{full}/{stamp}" if stamp else "",
        eval_version=field_text(version) or "",
        harness_version="" if sha == "?" else sha,
        created=f"{day}T{time.split('.')[0].replace('-', ':')}" if stamp else "",
        n_planned=max(len(docs), n_asked),
        headline=headline,
        limit="" if limit is None else f"max_samples={field_text(limit)}",
        shots=field_text(config.get("num_fewshots")) or shots,
        temperature=field_text(settings.get("temperature")) or "",
        category=task.split(":")[0] if ":" in task else "",
        p_kind=kind,
        notes=notes,
        **_time(results),
        harness_metrics=own,
    )


def _time(results: dict[str, Any]) -> dict[str, Any]:
    """How long the run took, over all its tasks. lighteval spells the field so."""
    seconds = as_dict(results.get("config_general")).get("total_evaluation_time_secondes")
    return whole_run(seconds, len(as_dict(results.get("config_tasks"))))


def _model_of(file: File) -> str:
    """details/org/model/<stamp>/: what stands between."""
    parts = re.split(r"[/\\]", file.folder)
    after = parts[len(parts) - parts[::-1].index("details") :] if "details" in parts else parts
    return "/".join(after[:-1] if "details" in parts else after[-1:]) or "model"


def _columns(file: File) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[list[Any]]]:
    """Documents, metrics and log-likelihoods of the choices, row by row."""
    with _parquet(file) as (parquet, size):
        names = parquet.schema_arrow.names
        if not {"doc", "metric"} <= set(names):
            raise BrokenFile(
                f"{file.path}: details of a lighteval before 0.11, which cannot be read; run the "
                "eval with a newer lighteval, or give a table of its scores"
            )
        if twice := next(
            (n for n in ("doc", "metric", "model_response") if names.count(n) > 1), ""
        ):
            raise BrokenFile(f"{file.path}: column {twice!r} occurs twice; run the eval again")
        check_parquet(parquet.metadata, size, file.path)
        try:
            table = parquet.read(columns=_COLUMNS)
            columns = {c: table[c].to_pylist() for c in table.column_names}
        except Exception as error:  # damaged pages, texts that are no UTF-8
            raise BrokenFile(_unreadable(file, error)) from None
    if not table.num_rows or not {"doc", "metric"} <= columns.keys():
        raise BrokenFile(f"{file.path}: details of no question; run the eval again")
    docs, metrics = ([as_dict(v) for v in columns[c]] for c in ("doc", "metric"))
    answers = columns.get("model_response", [None] * len(docs))
    return docs, metrics, [as_list(as_dict(a).get("logprobs")) for a in answers]


def _rows(
    file: File,
    docs: list[dict[str, Any]],
    metrics: list[dict[str, Any]],
    logliks: list[list[Any]],
    notes: list[str],
) -> tuple[pd.DataFrame, str, str]:
    """One row for each question and metric, the headline metric, and what kind of probability
    p_correct is.
    """
    if nameless := sum(d.get("id") is None for d in docs):
        raise BrokenFile(
            f"{file.path}: {counted(nameless, 'question')} without an id; run the eval again"
        )
    values: dict[str, list[float]] = {}
    for name in dict.fromkeys(m for row in metrics for m in row):
        raw = [row.get(name) for row in metrics]
        if any(v is not None and not isinstance(v, int | float) for v in raw):
            notes.append(f"{name} is left out: its values of questions are not numbers")
        else:
            values[name] = [number(v) for v in raw]
    if not values:
        raise BrokenFile(
            f"{file.path}: no score of any question in it: {'; '.join(notes) or 'no metrics'}"
        )
    headline, kind = next(iter(values)), ""
    golds = [_golds(d) for d in docs]
    if all(
        len(ll) > 1 and len(ll) == len(as_list(d.get("choices")))
        for ll, d in zip(logliks, docs, strict=True)
    ):
        known = [[number(v) for v in ll] for ll in logliks]
        values["p_correct"] = [p_right(ll, g) for ll, g in zip(known, golds, strict=True)]
        letters = all(is_letter(str(c)) for d in docs for c in d["choices"])
        kind = "next-token" if letters else "sequence"
    if any(isinstance(n := d.get("num_samples"), int) and n > 1 for d in docs):
        notes.append("a question has several answers, and lighteval keeps one score for them all")
    ids = [str(d["id"]) for d in docs]
    hashes = [content_hash(d.get("query"), d.get("choices"), d.get("gold_index")) for d in docs]
    if twice := len(docs) - len(set(hashes)):
        repeat = "question repeats" if twice == 1 else "questions repeat"
        notes.append(f"{twice} {repeat} another one word for word: both are kept")
    scores = [s for column in values.values() for s in column]
    columns: dict[str, Any] = {
        "question_id": ids * len(values),
        "epoch": 1,
        "metric": [m for m in values for _ in docs],
        "score": scores,
        "status": ["ok" if s == s else "unscored" for s in scores],
        "content_hash": hashes * len(values),
    }
    fields = [
        {k: label(v) for k, v in as_dict(d.get("specific")).items() if v is not None} for d in docs
    ]
    for name, texts in short_fields(fields).items():
        columns[f"specific.{name}"] = texts * len(values)
    return pd.DataFrame(columns), headline, kind


def _golds(doc: dict[str, Any]) -> list[int]:
    gold = doc.get("gold_index")
    golds = gold if isinstance(gold, list) else [gold]
    valid = [g for g in golds if isinstance(g, int) and 0 <= g < len(as_list(doc.get("choices")))]
    return valid if len(valid) == len(golds) else []


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    prefix="specific.",
    guide=Guide(
        harness="lighteval",
        files="details with results",
        about="run it with `--save-details`.",
    ),
)
