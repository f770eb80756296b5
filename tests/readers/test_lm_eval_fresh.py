"""The installed lm-eval, run on tiny tasks with a made-up model and no network: its numbers from
our rows.

Expected numbers: the results file that the same run wrote.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT

from reportkit import read_scores, stats
from reportkit.inputs.sources import expand
from reportkit.readers import lm_eval
from reportkit.stats.means.grouped import pooled

pytestmark = pytest.mark.slow  # a run takes half a minute; logs on file are read in any case

CHOICE = """
dataset_path: json
test_split: test
output_type: multiple_choice
doc_to_text: "{{question}}"
fewshot_split: test
doc_to_choice: ["A", "B", "C"]
doc_to_target: label
metric_list:
  [{metric: acc}, {metric: acc_norm}, {metric: acc_mutual_info}, {metric: brier_score},
   {metric: mcc}]
metadata: {version: 3.0}
"""
WRITTEN = r"""
task: sums
dataset_path: json
dataset_kwargs: {data_files: {test: DATA/sums.jsonl}}
test_split: test
fewshot_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\n"], do_sample: true, temperature: 0.5}
filter_list:
  - {name: strict, filter: [{function: take_first}]}
  - name: flexible-extract
    filter: [{function: regex, regex_pattern: "([0-9]+)"}, {function: take_first}]
metric_list: [{metric: exact_match}]
metadata: {version: 1.0}
"""
GROUP = """
group: letters
task: [letters_law, letters_art]
aggregate_metric_list: [{metric: acc, weight_by_size: BY_SIZE}]
metadata: {version: 1.0}
"""


def write_tasks(folder: Path) -> None:
    for subject, n in (("law", 12), ("art", 7)):
        docs = [
            {"question": f"{subject} {i}?", "label": i % 3, "page": f"p{i // 3}"} for i in range(n)
        ]
        docs[-1] = docs[0]  # the same document twice
        (folder / f"{subject}.jsonl").write_text("".join(json.dumps(d) + "\n" for d in docs))
        data = f"dataset_kwargs: {{data_files: {{test: {folder}/{subject}.jsonl}}}}"
        (folder / f"{subject}.yaml").write_text(f"task: letters_{subject}\n{data}\n{CHOICE}")
    sums = [{"question": f"{i} + {i}?", "answer": str(2 * i)} for i in range(9)]
    (folder / "sums.jsonl").write_text("".join(json.dumps(d) + "\n" for d in sums))
    (folder / "sums.yaml").write_text(WRITTEN.replace("DATA", str(folder)))
    (folder / "letters.yaml").write_text(GROUP.replace("BY_SIZE", "true"))
    (folder / "alike.yaml").write_text(
        GROUP.replace("letters\n", "alike\n", 1).replace("BY_SIZE", "false")
    )


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Two runs: all questions, and a smoke test on half of them, with two examples before each, in
    another group.
    """
    home = tmp_path_factory.mktemp("lm-eval")
    tasks = home / "tasks"
    tasks.mkdir()
    write_tasks(tasks)
    offline = {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(home / "cache"),
        "TQDM_DISABLE": "1",
    }
    for further in (
        ["--tasks", "letters,sums"],
        ["--tasks", "alike,sums", "--limit", "0.5", "--num_fewshot", "2"],
    ):
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                ROOT / "tests" / "support" / "lm_eval_run.py",
                tasks,
                home / "logs",
                "org/tiny",
                *further,
            ],
            env=os.environ | offline,
            cwd=home,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-3000:]
    return home / "logs"


@pytest.fixture(scope="module")
def runs(logs):
    return [r for f in expand(str(logs)) if lm_eval.claims(f) == "run" for r in lm_eval.read(f)]


def test_every_number_of_a_fresh_run_comes_out_of_the_rows(logs, runs):
    compared = set()
    for path in logs.rglob("results_*.json"):
        results = json.loads(path.read_text())
        stamp = path.stem.removeprefix("results_")
        for name, told in results["results"].items():
            run = next(r for r in runs if r.eval == name and stamp in r.file)
            for claim in run.harness_metrics:
                metric, chosen = claim.metric.split(",")
                rows = run.rows[run.rows["metric"] == claim.metric]
                if claim.how in ("pooled", "macro"):
                    mean, se = pooled(
                        rows["score"].to_numpy(), rows["subtask"].to_numpy(), claim.how
                    )
                elif claim.how == "mean":
                    own = stats.mean_estimate(rows["score"].to_numpy())
                    mean, se = own.value, own.se
                else:
                    assert claim.reason and metric == "mcc"
                    continue
                assert mean == pytest.approx(told[claim.metric], abs=1e-9)
                printed = told[f"{metric}_stderr,{chosen}"]
                assert printed == "N/A" or se == pytest.approx(printed, abs=1e-9)
                compared.add((name, claim.metric, claim.how))
    assert {(n, h) for n, _, h in compared} == {
        ("letters", "pooled"),
        ("alike", "macro"),
        ("letters_law", "mean"),
        ("letters_art", "mean"),
        ("sums", "mean"),
    }
    assert {m for n, m, _ in compared if n == "letters_law"} == {
        "acc,none",
        "acc_norm,none",
        "acc_mutual_info,none",
        "brier_score,none",
    }


def test_probabilities_of_letters_agree_with_the_accuracy_of_the_same_rows(runs):
    run = next(r for r in runs if r.eval == "letters_law")
    wide = run.rows.pivot(index="question_id", columns="metric", values="score")
    assert run.p_kind == "next-token" and wide["p_correct"].between(0, 1).all()
    # Of three choices the likeliest has more than a third, and one that is not has less than half.
    assert (wide["p_correct"][wide["acc,none"] == 1] > 1 / 3).all()
    assert (wide["p_correct"][wide["acc,none"] == 0] < 1 / 2).all()


def test_settings_of_a_fresh_run_are_read(runs):
    full, smoke = sorted((r for r in runs if r.eval == "sums"), key=lambda r: -r.n_planned)
    assert (full.n_planned, full.limit, full.shots, full.temperature, full.model) == (
        9,
        "",
        "0",
        "0.5",
        "org/tiny",
    )
    assert (smoke.n_planned, smoke.limit, smoke.shots) == (5, "limit=0.5", "2")
    law = next(r for r in runs if r.eval == "letters_law" and not r.limit)
    assert law.eval_version == "3.0" and any("1 question repeats another" in n for n in law.notes)
    assert law.rows["doc.page"].nunique() == 4
    assert {r.category for r in runs if r.eval.startswith("letters")} == {"letters", "alike"}


def test_the_folder_of_a_fresh_run_becomes_scores(logs):
    skipped = []
    frame = read_scores(logs, skipped=lambda _, why: skipped.append(why))
    assert set(frame["eval"]) == {"letters", "alike", "letters_art", "letters_law", "sums"}
    assert sorted(why.split(", where")[0] for why in skipped) == [
        f"{n} of {most} questions (limit=0.5)" for n, most in ((4, 7), (5, 9), (6, 12))
    ]
