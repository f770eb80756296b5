"""Files of every small format with any one value replaced by something else: a run or a sentence,
never a traceback.
"""

import copy
import json

import pytest

from reportkit.errors import ScoresError
from reportkit.inputs.files import File
from reportkit.readers import FORMATS, alpaca_eval, evalplus, every_eval_ever, helm, swebench

STRANGE = [None, [], {}, "", "\u2028../../../etc/passwd\n", -1, 10**400, float("nan"), [[1]]]
STAT = {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": 1.0}
REQUEST = {
    "instance": {
        "id": "a",
        "input": {"text": "?"},
        "split": "test",
        "sub_split": "s",
        "extra_data": {"p": "1"},
        "references": [
            {"output": {"text": "4"}, "tags": ["correct"]},
            {"output": {"text": "5"}, "tags": []},
        ],
    },
    "train_trial_index": 0,
    "reference_index": 0,
    "request_mode": "original",
    "prompt_truncated": False,
    "result": {
        "success": True,
        "completions": [{"text": "4", "logprob": -1.0}],
        "request_datetime": 1700000000,
    },
}
ADAPTER = {
    "method": "multiple_choice_separate_original",
    "model": "m",
    "max_eval_instances": 9,
    "temperature": 0.0,
}
DOCUMENTS = {
    (helm, "per_instance_stats.json"): {
        "per_instance_stats.json": [{"instance_id": "a", "train_trial_index": 0, "stats": [STAT]}],
        "run_spec.json": {
            "name": "e:k=v",
            "scenario_spec": {"class_name": "c", "args": {"k": "v"}},
            "adapter_spec": ADAPTER,
            "groups": ["g"],
        },
        "scenario_state.json": {
            "adapter_spec": ADAPTER,
            "request_states": [REQUEST, REQUEST | {"reference_index": 1}],
        },
        "stats.json": [STAT],
    },
    (swebench, "m.r.json"): {
        "m.r.json": {
            "total_instances": 2,
            "resolved_instances": 1,
            "resolved_ids": ["a__b-1"],
            "unresolved_ids": ["a__b-2"],
            "submitted_ids": ["a__b-1", "a__b-2"],
            "error_ids": [],
            "infra_failure_ids": [],
        },
    },
    (swebench, "report.json"): {
        "report.json": {"a__b-1": {"patch_exists": True, "resolved": True}}
    },
    (evalplus, "eval_results.json"): {
        "eval_results.json": {
            "date": "2024-01-01 10:00",
            "hash": "h",
            "eval": {
                "HumanEval/0": [{"solution": "", "base_status": "pass", "plus_status": "fail"}],
                "HumanEval/1": [{"solution": "", "status": "pass"}],
                "HumanEval/2": {"nfiles": 1, "base": [["success", []]], "plus": [["failed", []]]},
            },
        },
        "pass_at_k.json": {"pass@1": 0.5},
    },
    (alpaca_eval, "annotations.json"): {
        "annotations.json": [
            {
                "instruction": "?",
                "output_1": "",
                "generator_1": "a",
                "generator_2": "b",
                "annotator": "c",
                "preference": 1.5,
                "dataset": "d",
            }
        ],
    },
    (every_eval_ever, "u_samples.jsonl"): {
        "u_samples.jsonl": {
            "evaluation_id": "i",
            "evaluation_name": "e",
            "model_id": "m",
            "sample_id": "s",
            "evaluation_result_id": "r",
            "interaction_type": "single_turn",
            "input": {"raw": "?", "reference": ["4"], "choices": None},
            "evaluation": {"score": 1.0},
            "error": None,
            "metadata": {"epoch": "1"},
        },
        "u.json": {
            "evaluation_id": "e",
            "evaluation_timestamp": "17",
            "eval_library": {"name": "l", "version": "1"},
            "source_metadata": {"source_name": "reportkit"},
            "evaluation_results": [
                {
                    "evaluation_result_id": "r",
                    "metric_config": {"metric_name": "acc", "metric_unit": "percent"},
                    "score_details": {
                        "score": 1.0,
                        "details": {"n_error": "1", "n_answers": "1", "n_planned": "3"},
                        "uncertainty": {"standard_error": {"value": 0.1, "method": "x"}},
                    },
                    "generation_config": {"generation_args": {"temperature": 0}},
                }
            ],
        },
    },
}


def places(value, path=()):
    """Every place in a JSON value, the value itself first."""
    yield path
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in pairs:
        yield from places(inner, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    out = copy.deepcopy(value)
    at = out
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = new
    return out


each_format = pytest.mark.parametrize(
    "module, name", DOCUMENTS, ids=lambda v: getattr(v, "HARNESS", v)
)


@each_format
def test_one_format_claims_a_file_and_no_other_does(tmp_path, module, name):
    for file, value in DOCUMENTS[module, name].items():
        (tmp_path / file).write_text(json.dumps(value))
    assert [r.name for r in FORMATS if r.claims(File(str(tmp_path / name)))] == [module.HARNESS]


@each_format
def test_any_value_replaced_is_a_run_or_a_sentence(tmp_path, module, name):
    documents = DOCUMENTS[module, name]
    folder = tmp_path / "run" / "model" / "instance"
    folder.mkdir(parents=True)
    for file, value in documents.items():
        (folder / file).write_text(json.dumps(value))
    assert module.read(File(str(folder / name)))
    refused = 0
    for file, value in documents.items():
        for path in places(value):
            for new in STRANGE:
                (folder / file).write_text(json.dumps(replaced(value, path, new)))
                try:
                    runs = module.read(File(str(folder / name)))
                except ScoresError as error:
                    refused += 1
                    assert str(folder) in str(error) and "\n" not in str(error).replace(
                        str(path), ""
                    )
                    continue
                for run in runs:
                    rows = run.rows
                    assert (rows["score"].isna() == (rows["status"] != "ok")).all(), (
                        file,
                        path,
                        new,
                    )
                    assert (
                        rows["question_id"].map(type).eq(str).all()
                        and rows["metric"].map(type).eq(str).all()
                    )
                    assert (
                        isinstance(run.model, str)
                        and isinstance(run.eval, str)
                        and rows["epoch"].dtype.kind == "i"
                    )
        (folder / file).write_text(json.dumps(value))
    assert refused
