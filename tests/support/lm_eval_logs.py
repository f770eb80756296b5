"""lm-eval logs, written."""

import json

from reportkit.inputs.sources import expand
from reportkit.readers import lm_eval

STAMP = "2026-01-02T03-04-05.678901"


def runs_of(folder):
    files = [f for f in expand(str(folder)) if lm_eval.claims(f) == "run"]
    return {(r.model, r.eval): r for f in files for r in lm_eval.read(f)}


def line(doc_id, acc=1.0, **more):
    return {
        "doc_id": doc_id,
        "doc": {"q": doc_id},
        "target": "0",
        "arguments": {},
        "resps": [["x"]],
        "filtered_resps": ["x"],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"{doc_id:064x}",
        "acc": acc,
        **more,
    }


def write(folder, task, lines, *, stamp=STAMP, results=None, **more):
    """A samples file, and beside it the results of all tasks that were written so far."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{task}_{stamp}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in lines))
    beside = folder / f"results_{stamp}.json"
    told = json.loads(beside.read_text()) if beside.exists() else {"results": {}}
    told["results"][task] = results or {"alias": task, "acc,none": 0.5, "acc_stderr,none": "N/A"}
    told |= {
        "config": {"model_args": "model=m", "limit": None},
        "model_name": "m",
        "date": 1.7e9,
        **more,
    }
    beside.write_text(json.dumps(told))
    return path


def group_of(folder, sizes, told, **more):
    for name, n in sizes.items():
        last = write(folder, name, [line(i, float(i % 3 == 0)) for i in range(n)])
    results = folder / f"results_{STAMP}.json"
    content = json.loads(results.read_text())
    # lm-eval writes the groups right after the results.
    results.write_text(
        json.dumps({"results": content.pop("results"), "groups": told, **content, **more})
    )
    return last
