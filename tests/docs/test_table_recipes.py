"""The recipes of docs/scores.md: the very words of the page, on small files in the shape that the
tool writes. The page says which repository and version each shape is from.
"""

import json
import re
import shlex

import pyarrow as pa
import pytest
from click.testing import CliRunner
from support.guide import DOCS

from reportkit.cli import commands

ROW = re.compile(r"\| (?P<tool>[^|]+) \| (?P<how>[^|]*`--[^|]+) \|")
MET = {"name": "Correct", "success": True}

# Of each tool its files, and by hand: the eval, the mean and the number of answers with a score.
TOOLS: dict[str, tuple[dict[str, object], tuple[str, float, int]]] = {
    "tau-bench": (
        {"gpt.json": [{"task_id": k, "reward": float(k == 0), "info": {}, "traj": [], "trial": t}
                      for t in (0, 1) for k in (0, 1)]},
        ("gpt", 0.5, 4),
    ),
    "tau2": (
        {"run.json": {
            "timestamp": "2026-06-30",
            "info": {"agent_info": {"llm": "ours"}, "environment_info": {"domain_name": "retail"}},
            "tasks": [{"id": "0"}, {"id": "1"}, {"id": "2"}],
            "simulations": [
                {"task_id": str(k), "trial": 0, "reward_info": r, "termination_reason": why}
                for k, (r, why) in enumerate((
                    ({"reward": 1.0}, "user_stop"), ({"reward": 0.0}, "max_steps"),
                    ({"reward": 0.0}, "infrastructure_error"),
                ))
            ],
        }},
        ("retail", 0.5, 2),
    ),
    "tau2, a folder `RUN/simulations/`": (
        {"ours/results.json": {"info": {}, "tasks": []},
         "ours/simulations/a.json": {"id": "a", "task_id": "0", "trial": 0,
                                     "termination_reason": "user_stop",
                                     "reward_info": {"reward": 1.0}},
         "ours/simulations/b.json": {"id": "b", "task_id": "1", "trial": 0,
                                     "termination_reason": "infrastructure_error",
                                     "reward_info": None}},
        ("airline", 1.0, 1),
    ),
    "terminal-bench": (
        {f"ours/{run}/results.json": {"accuracy": 0.5, "results": [
            {"task_id": "a", "trial_name": f"a.{run}", "is_resolved": True},
            {"task_id": "b", "trial_name": f"b.{run}", "is_resolved": None}]}
         for run in ("2025-08-25__12-29-38", "2025-08-25__13-35-43")},
        ("terminal-bench", 0.5, 4),
    ),
    "LiveCodeBench": (
        {"ours/Scenario.codegeneration_10_0.2_eval_all.json": [
            {"question_id": "1873_A", "graded_list": [True, False], "pass@1": 0.5},
            {"question_id": 2757, "graded_list": [True, True], "pass@1": 1.0}]},
        ("livecodebench", 0.75, 4),
    ),
    "MathArena, published tables": (
        {"aime.jsonl": [
            {"problem_idx": "1", "model_name": "ours", "idx_answer": i, "correct": i > 0}
            for i in range(4)]},
        ("aime", 0.75, 4),
    ),
    "MathArena, `outputs/`": (
        {f"outputs/aime_2025/openai/ours/{k}.json.zst":
         {"idx": k, "gold_answer": "70", "answers": ["70", "1"], "correct": [True, k == 2]}
         for k in (1, 2)},
        ("aime_2025", 0.75, 4),
    ),
    "OpenCompass, `results/`": (
        {"results/ours/gsm8k.json": {"accuracy (2 runs average)": 75.0, "details": [
            {"example_abbr": f"gsm8k_{k}", "pred": ["a", "a"], "answer": ["a", "b"],
             "correct": [True, k == 0]} for k in range(2)]}},
        ("gsm8k", 0.75, 4),
    ),
    "OpenCompass, choices by perplexity": (
        {"results/ours/ceval.json": {"accuracy": 50.0, "details": {"type": "PPL"} | {
            str(k): {"origin_prediction": {}, "predictions": "A", "references": "B",
                     "correct": k == 0} for k in range(2)}}},
        ("ceval", 0.5, 2),
    ),
    "promptfoo": (
        {"output.json": {"evalId": "eval-x", "results": {
            "version": 3, "stats": {"successes": 1, "failures": 1, "errors": 1},
            "results": [{"testIdx": k, "promptIdx": 0, "provider": {"id": "ours", "label": ""},
                         "score": float(k == 0), "success": k == 0, "failureReason": k}
                        for k in range(3)]}}},
        ("output", 0.5, 2),
    ),
    "promptfoo with `--repeat`": (
        {"output.json": {"evalId": "eval-x", "results": {"version": 3, "results": [
            {"testIdx": 2 * k + repeat, "promptIdx": 0, "provider": {"id": "ours", "label": ""},
             "score": float(k == 0), "failureReason": k, "vars": {"question": f"q{k}"}}
            for k in range(2) for repeat in range(2)]}}},
        ("output", 0.5, 4),
    ),
    "DeepEval": (
        {".latest_test_run.json": {"testRunData": {"testCases": [
            {"name": f"test_case_{k}", "success": k == 0, "order": k,
             "metricsData": [MET | {"score": s}, MET | {"name": "Other", "score": 0.25}]}
            for k, s in enumerate((1.0, 0.5))]}}},
        ("mine", 0.75, 2),
    ),
    "MLflow": (
        {"eval_results_table.json": {
            "columns": ["inputs", "outputs", "answer_correctness/v1/score"],
            "data": [["?", "a", 1.0], ["?", "b", 0.0], ["?", "c", None]]}},
        ("eval_results_table", 0.5, 2),
    ),
    "W&B": (
        {"media/table/predictions_0_49db.table.json": {
            "columns": ["id", "prediction", "correct"],
            "data": [["q1", "a", True], ["q2", "b", False]]}},
        ("mine", 0.5, 2),
    ),
}  # fmt: skip


def recipes() -> dict[str, list[str]]:
    """The words of each tool's row on the page."""
    page = (DOCS / "scores.md").read_text().split("## Recipes")[1].split("### What")[0]
    return {
        m["tool"]: [w for code in re.findall("`(--[^`]+)`", m["how"]) for w in shlex.split(code)]
        for m in ROW.finditer(page)
    }


def test_every_tool_of_the_page_has_a_file():
    assert recipes().keys() == TOOLS.keys()


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_the_words_of_the_page_read_the_tools_file(tmp_path, monkeypatch, tool):
    files, (eval, mean, answers) = TOOLS[tool]
    for name, value in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(v) + "\n" for v in value] if name.endswith("l") else [json.dumps(value)]
        data = "".join(lines).encode()
        packed = name.endswith(".zst")
        path.write_bytes(pa.compress(data, "zstd", asbytes=True) if packed else data)
    monkeypatch.chdir(tmp_path)
    sources = [name for name in files if name.startswith(".")] or ["."]  # a folder hides these
    told = CliRunner().invoke(
        commands,
        ["table", "means", *sources, *recipes()[tool], "--format", "csv"],
        catch_exceptions=False,
    )
    assert told.exit_code == 0, told.output
    head, row = (line.split(",") for line in told.stdout.splitlines()[:2])
    found = dict(zip(head, row, strict=True))
    assert float(found["mean"]) == pytest.approx(mean, abs=1e-12), told.output
    assert int(found["n_answers"]) == answers
    assert found.get("eval", eval) == eval
    if "repeat" in tool:
        assert int(found["n_questions"]) == 2
    if tool == "tau-bench":
        assert found["model"] == "ours"
