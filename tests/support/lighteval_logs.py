"""lighteval details, written."""

import json

import pyarrow as pa
import pyarrow.parquet as pq

STAMP = "2026-01-02T03-04-05.678901"


def row(id, metric, logprobs=(), choices=("A", "B"), gold=0, **doc):
    told = {
        "query": f"question {id}",
        "choices": list(choices),
        "gold_index": gold,
        "specific": None,
        "id": id,
        "task_name": "suite|t|5",
        "num_samples": 1,
    } | doc
    return {
        "doc": told,
        "metric": metric,
        "model_response": {"input": "long", "logprobs": list(logprobs)},
    }


def write(home, rows, *, task="suite|t|5", results=None, general=None, stamp=STAMP):
    """details/org/m/<stamp>/details_*.parquet and, unless results is False,
    results/org/m/results_*.json.
    """
    folder = home / "details" / "org" / "m" / stamp
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"details_{task}_{stamp}.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    if results is not False:
        beside = home / "results" / "org" / "m"
        beside.mkdir(parents=True, exist_ok=True)
        told = {
            "config_general": {"lighteval_sha": "?", "max_samples": None, "model_name": "org/m"}
            | (general or {}),
            "results": {task: {"em": 0.5, "em_stderr": 0.1}},
        } | (results or {})
        (beside / f"results_{stamp}.json").write_text(json.dumps(told))
    return path
