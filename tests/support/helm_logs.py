"""HELM logs, written."""

import json
from pathlib import Path


def helm(folder: Path, model="m", eval="reading", scores=(1.0, 0.0, 1.0), passage="p") -> Path:
    """A run of HELM: questions 0, 1, ... with a passage each."""
    folder.mkdir(parents=True, exist_ok=True)
    stats = [
        {"instance_id": f"id{k}", "train_trial_index": 0,
         "stats": [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": s}]}
        for k, s in enumerate(scores)
    ]  # fmt: skip
    requests = [
        {
            "instance": {
                "id": f"id{k}",
                "input": {"text": f"question {k}"},
                "split": "test",
                "references": [],
                "extra_data": {"passage_id": f"{passage}{k // 2}"},
            },
            "train_trial_index": 0,
            "request_mode": "original",
            "result": {"success": True, "completions": []},
        }
        for k in range(len(scores))
    ]
    adapter = {"method": "generation", "model": model}
    spec = {
        "name": eval,
        "scenario_spec": {"class_name": "c", "args": {}},
        "adapter_spec": adapter,
        "groups": [eval],
    }
    for name, data in {
        "run_spec.json": spec,
        "scenario_state.json": {"adapter_spec": adapter, "request_states": requests},
        "per_instance_stats.json": stats,
    }.items():
        (folder / name).write_text(json.dumps(data), encoding="utf-8")
    return folder / "per_instance_stats.json"
