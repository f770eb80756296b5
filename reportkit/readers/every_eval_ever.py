"""every-eval-ever (schema 0.3.0): an aggregate <uuid>.json with a line for each sample and result
in <uuid>_samples.jsonl.

Field names read in the schemas and converters of every-eval-ever 0.3.0. The format demands a score,
so its converters write 0 for an errored sample: here that is an error without a score. Writing it
is loading/export.py.
"""

import math
from typing import Any

import pandas as pd

from reportkit.decisions.ranges import text_of
from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.fields import field_names
from reportkit.readers.parsing import (
    as_dict,
    as_list,
    content_hash,
    field_text,
    json_lines,
    load_json,
    number,
)
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.scores.ranges import ranged_rows
from reportkit.scores.run import HarnessMetric, Run
from reportkit.scores.selfcheck import HOW, computed
from reportkit.text.numbers import counted

HARNESS = "every_eval_ever"
ENDING = "_samples.jsonl"
UNKNOWN_DEVELOPER = "unknown/"  # what our own export writes before a model without one
# method of the standard error that our own export writes with clusters
CLUSTERED = "analytic, cluster-robust (CR2)"
# methods of standard errors by the name that the self-check has for them
_METHODS = {"": "mean", "analytic": "mean", CLUSTERED: "cr2"}
# statuses that our own export counts: it writes no sample of them
WITHOUT_SCORE = ("error", "unscored", "invalidated")
_COLUMNS = ("question_id", "epoch", "metric", "score", "status", "score_raw", "content_hash")


def claims(file: File) -> Claim:
    head = file.head()
    if file.name.endswith(".jsonl"):
        keys = (b'"evaluation_id"', b'"sample_id"', b'"interaction_type"')
        return "run" if all(k in head for k in keys) else ""
    keys = (b'"schema_version"', b'"evaluation_id"', b'"retrieved_timestamp"')
    if not file.name.endswith(".json") or not all(k in head for k in keys):
        return ""
    # without samples: read says so
    return "part" if file.sibling(file.name.removesuffix(".json") + ENDING) else "run"


def read(file: File) -> list[Run]:
    if not file.name.endswith(".jsonl"):
        raise BrokenFile(
            f"{file.path}: results without samples: add "
            f"{file.name.removesuffix('.json')}{ENDING}, or read the "
            "logs that they were made of"
        )
    samples: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for n, sample in json_lines(file):
        names = [field_text(sample.get(k)) for k in ("evaluation_name", "model_id", "sample_id")]
        if not all(names):
            raise BrokenFile(
                f"{file.path}, line {n}: no evaluation_name, model_id or sample_id; convert the "
                "log again"
            )
        samples.setdefault((str(names[0]), str(names[1])), []).append(sample)
    if not samples:
        raise BrokenFile(f"{file.path}: no sample in it; convert the log again")
    beside = (
        file.sibling(file.name.removesuffix(ENDING) + ".json")
        if file.name.endswith(ENDING)
        else None
    )
    aggregate = load_json(beside) if beside else {}
    return [_run(file, name, model, aggregate, group) for (name, model), group in samples.items()]


def _run(
    file: File, name: str, model: str, aggregate: dict[str, Any], samples: list[dict[str, Any]]
) -> Run:
    results = _results(
        aggregate, list(dict.fromkeys(field_text(s.get("evaluation_result_id")) for s in samples))
    )
    metrics = _metric_names(results)
    columns: dict[str, list[Any]] = {c: [] for c in _COLUMNS}
    fields: list[dict[str, str | None]] = []
    repeats: dict[tuple[str, str], int] = {}
    for s in samples:
        metric = metrics[field_text(s.get("evaluation_result_id"))]
        id, asked, more = str(s["sample_id"]), as_dict(s.get("input")), as_dict(s.get("metadata"))
        repeats[id, metric] = repeats.get((id, metric), 0) + 1
        epoch = number(_whole(more.get("epoch")))
        raw = as_dict(s.get("evaluation")).get("score")
        score = number(raw)
        status = "unscored" if math.isnan(score) else "ok"
        if s.get("error"):
            status = "error"
        hashed = field_text(more.get("content_hash"))  # of our own export, which holds no texts
        if asked.get("raw"):
            hashed = content_hash(asked["raw"], asked.get("choices"), asked.get("reference"))
        values = (
            id,
            repeats[id, metric] if math.isnan(epoch) else int(epoch),
            metric,
            score if status == "ok" else math.nan,
            status,
            field_text(raw),
            hashed,
        )
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)
        fields.append(
            {
                f"metadata.{k}": field_text(v)
                for k, v in more.items()
                if k not in ("epoch", "content_hash")
            }
        )
    rows = pd.DataFrame(columns).join(
        pd.DataFrame(fields, columns=field_names(fields), dtype=object).dropna(
            axis="columns", how="all"
        )
    )
    rows = _with_ranges(rows, results, metrics)
    notes = []
    if not aggregate:
        notes.append(
            "no aggregate file beside it: metrics are named by their ids, and there are no "
            "results to compare with"
        )
    if k := int((rows["status"] == "error").sum()):
        notes.append(
            f"{counted(k, 'answer')} with an error: no score here, whatever number the file gives"
        )
    planned, without = _planned(aggregate, results)
    if without:
        notes.append(
            f"the format cannot hold answers without a score: the file counts {without}, but "
            "does not say which"
        )
    library, cluster = as_dict(aggregate.get("eval_library")), _cluster(aggregate, rows)
    config = next(
        (
            as_dict(as_dict(r.get("generation_config")).get("generation_args"))
            for r in results.values()
        ),
        {},
    )
    version = field_text(library.get("version")) or ""
    return Run(
        HARNESS,
        name,
        model.removeprefix(UNKNOWN_DEVELOPER),
        rows,
        file=file.path,
        sha256=file.sha256(),
        run_id=file.name.removesuffix(ENDING),
        harness_version="" if version == "unknown" else version,
        created=_iso(aggregate.get("evaluation_timestamp")),
        temperature=field_text(config.get("temperature")) or "",
        n_planned=planned,
        headline=str(rows["metric"].iloc[0]),
        cluster=cluster,
        notes=notes,
        harness_metrics=_harness_metrics(results, metrics, cluster, rows),
    )


def _results(aggregate: dict[str, Any], ids: list[str | None]) -> dict[str | None, dict[str, Any]]:
    """The aggregate's result for each id that samples point to; without an id, the only one."""
    results = [as_dict(r) for r in as_list(aggregate.get("evaluation_results"))]
    by_id = {field_text(r.get("evaluation_result_id")): r for r in results}
    only = results[0] if len(results) == 1 else {}
    return {id: only if id is None else by_id.get(id, {}) for id in ids}


def _metric_names(results: dict[str | None, dict[str, Any]]) -> dict[str | None, str]:
    """A name for each result: its metric's, or the result's id where two results share one."""
    names: dict[str | None, str] = {}
    for id, result in results.items():
        config = as_dict(result.get("metric_config"))
        names[id] = (
            field_text(config.get("metric_name"))
            or field_text(config.get("metric_id"))
            or id
            or "score"
        )
    taken = list(names.values())
    return {id: name if taken.count(name) == 1 else id or "score" for id, name in names.items()}


def _with_ranges(
    rows: pd.DataFrame, results: dict[str | None, dict[str, Any]], metrics: dict[str | None, str]
) -> pd.DataFrame:
    """Rows with the ranges that the file declares; a range that its own samples leave, or that is
    of another unit, as of shares that a file calls percent, says nothing of them.
    """
    for id, metric in metrics.items():
        config = as_dict(results[id].get("metric_config"))
        low, high = (number(config.get(f"{end}_score")) for end in ("min", "max"))
        score = rows["score"][rows["metric"] == metric]
        if math.isfinite(low) and low < high < math.inf and low <= score.min() and (
            1.0 < score.max() <= high
        ):  # fmt: skip
            rows = ranged_rows(rows, text_of({metric: (low, high)}), metric)
    return rows


def _harness_metrics(
    results: dict[str | None, dict[str, Any]],
    metrics: dict[str | None, str],
    cluster: str,
    rows: pd.DataFrame,
) -> list[HarnessMetric]:
    out = []
    for id, metric in metrics.items():
        result = results[id]
        details, config = as_dict(result.get("score_details")), as_dict(result.get("metric_config"))
        mean = number(details.get("score"))
        if math.isnan(mean):
            continue
        se = as_dict(as_dict(details.get("uncertainty")).get("standard_error"))
        method = field_text(se.get("method")) or ""
        reason = "" if se else "the file gives no standard error"
        reason = (
            f"its standard error is from: {method}" if method and method != "analytic" else reason
        )
        how = _METHODS.get(method, method)
        by = cluster if how == "cr2" else ""
        own = rows[rows["metric"] == metric]
        unit = 1.0
        if config.get("metric_unit") == "percent" and own["score"].max() <= 1.0:
            unit, reason = 100.0, "given in percent, as the file says"
        counted = (math.nan, math.nan)
        if (own["status"] == "error").any() and how in HOW:
            reason = "the file counts errored samples as 0"
            counted = computed(
                own.assign(score=own["score"].mask(own["status"] == "error", 0.0)), how, by
            )
        theirs = (mean / unit, number(se.get("value")) / unit)
        lower = config.get("lower_is_better") is True
        out.append(HarnessMetric(metric, *theirs, how, by, reason, "", *counted, lower))
        out += _spreads(metric, as_dict(details.get("uncertainty")), unit)
    return out


def _spreads(metric: str, uncertainty: dict[str, Any], unit: float) -> list[HarnessMetric]:
    """The further numbers of a result's uncertainty, which are named and not compared."""
    interval = as_dict(uncertainty.get("confidence_interval"))
    told = {"standard deviation": number(uncertainty.get("standard_deviation"))}
    told |= {f"{end} end of interval": number(interval.get(end)) for end in ("lower", "upper")}
    why = "the file does not tell how it was computed"
    return [
        HarnessMetric(metric, value / unit, how="", called=name, reason=why)
        for name, value in told.items()
        if not math.isnan(value)
    ]


def _ours(aggregate: dict[str, Any]) -> bool:
    return as_dict(aggregate.get("source_metadata")).get("source_name") == "reportkit"


def _planned(
    aggregate: dict[str, Any], results: dict[str | None, dict[str, Any]]
) -> tuple[int, str]:
    """How many answers our own export was made of, and those without a score in words; 0 and "" of
    other files.

    Of several metrics the one with the most: a run plans its answers, and not each metric is of all
    of them.
    """
    most, words = 0, ""
    for result in results.values() if _ours(aggregate) else ():
        details = as_dict(as_dict(result.get("score_details")).get("details"))
        n = {k: _whole(details.get(f"n_{k}")) or 0 for k in ("answers", *WITHOUT_SCORE, "planned")}
        held = sum(v for k, v in n.items() if k != "planned")
        n["missing"] = max(n["planned"] - held, 0)
        if held + n["missing"] > most:
            most = held + n["missing"]
            words = ", ".join(f"{n[k]} {k}" for k in (*WITHOUT_SCORE, "missing") if n[k])
    return most, words


def _cluster(aggregate: dict[str, Any], rows: pd.DataFrame) -> str:
    """The column of the clusters that our own export declared."""
    column = "metadata.cluster_id"
    return (
        column if _ours(aggregate) and column in rows.columns and rows[column].notna().all() else ""
    )


def _whole(value: object) -> int | None:
    """A count from 1, which the format holds as text."""
    return (
        int(value)
        if isinstance(value, str) and value.isascii() and value.isdigit() and 0 < len(value) < 9
        else None
    )


def _iso(value: object) -> str:
    """A time in ISO 8601, from that or from seconds since 1970."""
    text = field_text(value) or ""
    try:
        seconds = float(text)
    except ValueError:
        return text
    return pd.Timestamp(seconds, unit="s", tz="UTC").isoformat() if 0 < seconds < 1e11 else ""


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    guide=Guide(
        harness="every-eval-ever",
        files="aggregate with samples",
        about="also [written](#writing-for-the-public-store).",
    ),
)
