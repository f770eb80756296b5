"""Date, tokens and time of real logs, against what other files or fields of the harness say."""

import json
from datetime import datetime

import pytest
from support.places import LOGS, needs

from reportkit.loading.anything import any_scores
from reportkit.loading.importing import import_scores
from reportkit.readers.spent import whole_run

pytestmark = needs(LOGS)


def runs(folder: str) -> dict:
    """The runs that were read, by eval and model."""
    scores = any_scores([str(LOGS / folder)])
    return {(r.eval, r.model): r for r in scores.facts.runs}


def test_inspect():
    """Against the sums over the samples, which Inspect counts one by one, and its two stamps."""
    from inspect_ai.log import list_eval_logs, read_eval_log

    found, seen = runs("inspect"), 0
    for info in list_eval_logs(str(LOGS / "inspect"), formats=["eval"]):
        log = read_eval_log(info)
        run = found[log.eval.task, log.eval.model]
        used = [s.model_usage[log.eval.model] for s in log.samples]
        assert run.tokens_in == sum(u.total_tokens - u.output_tokens for u in used) > 0
        assert run.tokens_out == sum(u.output_tokens for u in used) > 0
        assert (run.tokens_cache_read, run.tokens_cache_write) == (0, 0)
        start, end = map(datetime.fromisoformat, (log.stats.started_at, log.stats.completed_at))
        assert run.seconds == (end - start).total_seconds()
        assert run.created[:10] == "2026-11-21" and run.time_of == ""
        seen += 1
    assert seen == 15


def test_tokens_of_a_model_that_grades_itself_are_not_known():
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ModelConfig

    from reportkit.readers.inspect.spent import spent

    [path] = (LOGS / "inspect").glob("*_reading_89XN*.eval")
    log = read_eval_log(str(path), header_only=True)
    assert spent(log)["tokens_in"] > 0
    log.eval.model_roles = {"grader": ModelConfig(model="other/model")}
    assert spent(log)["tokens_in"] > 0
    log.eval.model_roles = {"grader": [ModelConfig(model=log.eval.model)]}
    assert spent(log) == {"seconds": 1.0}


def test_inspect_counts_tokens_of_a_cache_apart():
    """A header of the shared logs with usage of its own: 7 + 20 + 30 tokens went in."""
    from inspect_ai.log import read_eval_log
    from inspect_ai.model import ModelUsage

    from reportkit.readers.inspect.spent import spent

    [path] = (LOGS / "inspect").glob("*_reading_89XN*.eval")
    log = read_eval_log(str(path), header_only=True)
    usage = ModelUsage(
        input_tokens=7, output_tokens=5, input_tokens_cache_read=20, input_tokens_cache_write=30
    )
    log.stats.model_usage = {log.eval.model: usage, "grader": ModelUsage(input_tokens=99)}
    assert spent(log) == {
        "seconds": 1.0, "tokens_in": 57, "tokens_out": 5,
        "tokens_cache_read": 20, "tokens_cache_write": 30,
    }  # fmt: skip
    known = {
        # the total says whether those of a cache are among those that went in, and whether those
        # of reasoning are among those that came out
        (1000, 50, 1050, 800, 0): (1000, 50),
        (200, 50, 1050, 800, 0): (1000, 50),
        (1000, 50, 6050, 0, 5000): (1000, 5050),
        (1000, 5050, 6050, 0, 5000): (1000, 5050),
        (1000, 50, 1051, 0, 0): None,  # it adds up in no way
    }
    for (into, out, total, cached, thought), expected in known.items():
        log.stats.model_usage = {
            log.eval.model: ModelUsage(
                input_tokens=into, output_tokens=out, total_tokens=total,
                input_tokens_cache_read=cached, reasoning_tokens=thought,
            )
        }  # fmt: skip
        found = spent(log)
        assert (found.get("tokens_in"), found.get("tokens_out")) == (expected or (None, None))
    for damaged in ({"input_tokens": -1}, {"output_tokens": 10**18}):
        log.stats.model_usage = {log.eval.model: ModelUsage(**damaged)}
        assert spent(log) == {"seconds": 1.0}
    log.stats.model_usage, log.stats.completed_at = {"grader": usage}, "yesterday"
    assert spent(log) == {}


def test_helm():
    """Against HELM's own means over the 20 questions, in stats.json."""
    found = runs("helm")
    assert len(found) == 3
    for run in found.values():
        model = run.model.replace("/", "_")
        folder = LOGS / "helm/runs/own" / f"own_reading:model={model}"
        means = {
            s["name"]["name"]: s["mean"]
            for s in json.loads((folder / "stats.json").read_text())
            if s["count"] and "perturbation" not in s["name"]
        }
        assert run.tokens_in == pytest.approx(20 * means["num_prompt_tokens"], abs=1e-6)
        assert run.tokens_out == pytest.approx(20 * means["num_completion_tokens"], abs=1e-6)
        assert run.seconds == pytest.approx(20 * means["inference_runtime"], rel=1e-12)
        assert run.time_of == "all requests, added up"


def test_helm_without_a_number_of_one_answer():
    from reportkit.readers.helm.spent import spent

    def entry(id: str, **numbers: float) -> dict:
        stats = [{"name": {"name": n, "split": "test"}, "mean": x} for n, x in numbers.items()]
        return {"instance_id": id, "train_trial_index": 0, "stats": stats}

    both = [
        entry("a", num_prompt_tokens=3, num_completion_tokens=1, inference_runtime=0.5),
        entry("b", num_prompt_tokens=4, num_completion_tokens=1, inference_runtime=0.25),
    ]
    whole = {"tokens_in": 7, "tokens_out": 2, "seconds": 0.75, "time_of": "all requests, added up"}
    assert spent(both, "test", separate=False) == whole
    assert spent(both, "valid", separate=False) == spent(both, "test", separate=True) == {}
    missing = [both[0], entry("b", num_prompt_tokens=4, inference_runtime=float("nan"))]
    assert spent(missing, "test", separate=False) == {}


def test_lm_eval_times_all_its_tasks_together():
    found = runs("lm_eval")
    for model in ("alpha", "beta", "gamma"):
        [path] = (LOGS / "lm_eval" / model).glob("results_*.json")
        told = json.loads(path.read_text())
        for task in (*told["n-samples"], "own_mcq"):
            run = found[task, model]
            assert run.seconds == float(told["total_evaluation_time_seconds"])
            assert run.time_of == "one run of 6 evals together" and len(told["n-samples"]) == 6
            assert (run.tokens_in, run.tokens_out) == (0, 0)  # its files hold no tokens


def test_lighteval_times_all_its_tasks_together():
    found = runs("lighteval")
    for path in (LOGS / "lighteval/results").rglob("results_*.json"):
        told = json.loads(path.read_text())["config_general"]
        run = found["own_reading", told["model_name"]]
        # the end less the start is the same number
        assert run.seconds == pytest.approx(told["end_time"] - told["start_time"], abs=1e-6)
        assert run.time_of == "one run of 2 evals together"


@pytest.mark.parametrize("told", [None, "N/A", "", 0, -3, "inf", "nan", 1e12, [1]])
def test_what_is_no_time(told):
    assert whole_run(told, 1) == {}


def test_a_time_of_an_unknown_number_of_evals_is_none():
    assert whole_run("5", 0) == {}
    assert whole_run("5", 1) == {"seconds": 5.0, "time_of": ""}


def test_a_scores_folder_keeps_what_runs_took(tmp_path):
    import_scores([str(LOGS / "helm")], tmp_path / "scores")
    kept = {(r.eval, r.model): r for r in any_scores([str(tmp_path / "scores")]).facts.runs}
    names = ("created", "tokens_in", "tokens_out", "tokens_cache_read", "seconds", "time_of")
    for key, run in runs("helm").items():
        assert [getattr(kept[key], n) for n in names] == [getattr(run, n) for n in names]
        assert run.tokens_in > 0 and 0.0 < run.seconds < 0.01
