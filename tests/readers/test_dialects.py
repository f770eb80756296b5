"""lmms-eval, EvalScope, OLMES and BFCL: files as these harnesses write them, with data of ours."""

import json
from pathlib import Path

import pytest

from reportkit import read_scores
from reportkit.errors import ScoresError
from reportkit.scores.scores import facts_of


def lines(path: Path, rows: list) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))


def document(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


# lmms-eval ----------------------------------------------------------------------------------------


def test_lmms_eval_has_the_stamp_first_and_no_documents(tmp_path):
    folder = tmp_path / "org__model"
    row = {
        "target": "a",
        "resps": ["x"],
        "filtered_resps": ["b"],
        "token_counts": [{"output_tokens": 3}],
        "input": "?",
    }
    scored = [
        {"doc_id": k} | row | {"doc_hash": f"{k:064x}", "exact_match": k % 2,
                               "mme_score": {"score": k, "category": "c"}}
        for k in range(4)
    ]  # fmt: skip
    lines(folder / "20260806_101112_samples_chart.jsonl", scored)
    document(
        folder / "20260806_101112_results.json",
        {
            "results": {
                "chart": {
                    "alias": "chart",
                    "exact_match,none": 0.5,
                    "exact_match_stderr,none": 0.288675134594813,
                    "mme_score,none": 6.0,
                    "mme_score_stderr,none": "N/A",
                }
            },
            "configs": {"chart": {"metric_list": [{"metric": "exact_match"}]}},
            "versions": {"chart": 1},
            "n-shot": {"chart": 0},
            "config": {"model": "qwen", "model_args": "pretrained=org/model"},
            "model_name": "org/model",
            "date": "20260806_101112",
        },
    )
    found = read_scores(tmp_path)
    assert found["eval"].unique().tolist() == ["chart"]
    assert found["model"].unique().tolist() == ["org/model"]
    named = read_scores(folder / "20260806_101112_results.json")
    assert named["score"].tolist() == found["score"].tolist()
    mine = found[found["metric"].str.startswith("exact_match")]
    assert mine["score"].tolist() == [0, 1, 0, 1]
    [run] = facts_of(found).runs
    assert run.harness == "lmms-eval" and run.created == "2026-08-06T10:11:12"
    checks = {c.metric: c for c in run.checks}
    assert checks["exact_match,none"].agrees is True  # sqrt(1/3/4) = 0.2887
    assert checks["mme_score,none"].agrees is None
    assert "own function" in checks["mme_score,none"].reason


def test_lmms_eval_does_not_hash_a_document_with_a_picture(tmp_path):
    """A public MME log has the SHA-256 of "null" on all 2,374 lines."""
    nothing = "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"
    asked = [("code?", "1.png"), ("code?", "2.png"), ("cat?", "2.png"), ("cat?", "2.png")]
    lines(
        tmp_path / "20260806_101112_samples_mme.jsonl",
        [
            {"doc_id": k, "target": "Yes", "filtered_resps": "Yes", "doc_hash": nothing,
             "input_media": [media], "mme_score": {"score": 1.0}, "input": text}
            for k, (text, media) in enumerate(asked)
        ],
    )  # fmt: skip
    document(
        tmp_path / "20260806_101112_results.json",
        {"results": {"mme": {"mme_score_stderr,none": "N/A"}}, "model_name": "m"},
    )
    found = read_scores(tmp_path)
    assert found["content_hash"].nunique() == 3
    [run] = facts_of(found).runs
    assert [n for n in run.notes if "word for word" in n] == [
        "1 question repeats another one word for word (doc_hash): both are kept"
    ]


# EvalScope ----------------------------------------------------------------------------------------


def review(question: int, attempt: int, value: dict, status: str = "success") -> dict:
    return {
        "index": 2 * question + attempt,
        "target": "4",
        "sample_score": {
            "score": {"value": value, "status": status, "main_score_name": "acc"},
            "sample_id": 2 * question + attempt,
            "group_id": question,
            "generation_index": attempt,
            "sample_metadata": {"level": f"l{question}"},
        },
        "messages": [{"role": "user", "content": f"q{question}"}],
    }


def test_evalscope_repeats_are_epochs_and_a_failed_judge_is_no_zero(tmp_path):
    rows = [
        review(0, 0, {"acc": 1.0}),
        review(0, 1, {"acc": 0.0}),
        review(1, 0, {}, "parse_error"),
        review(1, 1, {"acc": 1.0}, "fallback"),
    ]
    lines(tmp_path / "reviews" / "ours" / "gsm_main.jsonl", rows)
    lines(tmp_path / "predictions" / "ours" / "gsm_main.jsonl", [{"index": 0, "model": "x"}])
    report = {
        "dataset_name": "gsm",
        "model_name": "Ours-7B",
        "metrics": [{"name": "mean_acc", "score": 0.6667, "categories": [
            {"name": ["default"], "subsets": [{"name": "main", "score": 0.6667, "num": 3}]}
        ]}],
    }  # fmt: skip
    document(tmp_path / "reports" / "ours" / "gsm.json", report)
    found = read_scores(tmp_path)
    told = found[["question_id", "epoch", "status", "metadata.level"]]
    assert [tuple(r) for r in told.itertuples(index=False)] == [
        ("0", 1, "ok", "l0"),
        ("0", 2, "ok", "l0"),
        ("1", 1, "unscored", "l1"),
        ("1", 2, "ok", "l1"),
    ]
    assert found["model"].unique().tolist() == ["Ours-7B"]
    [run] = facts_of(found).runs
    assert run.category == "gsm"
    # 2 of 3 answers are right; the question means are 1/2 and 1
    [check] = run.checks
    assert (check.harness_mean, check.mean, check.agrees) == (0.6667, 0.75, False)
    assert "averages answers" in check.reason


@pytest.mark.parametrize("told, agrees", [(0.3333, True), (0.3334, False)])
def test_evalscope_rounds_to_four_digits_and_names_what_is_of_all_subsets(tmp_path, told, agrees):
    """One of three is right: 0.33333..., as EvalScope writes it 0.3333."""
    rows = [review(k, 0, {"acc": float(k == 0)}) for k in range(3)]
    for subset in ("IQ", "EQ"):
        lines(tmp_path / "reviews" / "ours" / f"iquiz_{subset}.jsonl", rows)
    subsets = [{"name": s, "score": told, "num": 3} for s in ("IQ", "EQ")]
    metric = {"name": "mean_acc", "num": 6, "score": told, "macro_score": told}
    report = {
        "dataset_name": "iquiz",
        "model_name": "ours",
        "metrics": [metric | {"categories": [{"name": ["default"], "subsets": subsets}]}],
    }
    document(tmp_path / "reports" / "ours" / "iquiz.json", report)
    for run in facts_of(read_scores(tmp_path)).runs:
        assert [(c.metric, c.called, c.agrees) for c in run.checks] == [
            ("acc", "", agrees),
            ("mean_acc", "score of all", None),
            ("mean_acc", "macro_score of all", None),
        ]


# OLMES --------------------------------------------------------------------------------------------


def olmes(folder, *, metrics=True):
    """Two questions as oe_eval/metrics/metric.py (MCAccuracy) and run_eval.py write them."""
    rows = [
        {
            "doc_id": k,
            "native_id": f"n{k}",
            "metrics": {
                "predicted_index_raw": 3,
                "predicted_index_uncond": None,
                "correct_choice": 3 - k,
                "acc_raw": 1 - k,
                "acc_per_char": 1,
                "acc_uncond": None,
                "no_answer": 0,
                "bits_per_byte_corr": 0.5 + k,
            },
            "model_output": [{"sum_logits": -1.5}],
            "label": 3 - k,
            "task_hash": "ab",
            "model_hash": "cd",
        }
        for k in range(2)
    ]
    lines(folder / "task-003-arc_easy-predictions.jsonl", rows)
    told = {
        "task_name": "arc_easy",
        "task_hash": "ab",
        "model_hash": "cd",
        "model_config": {"model": "olmo"},
        "task_config": {"primary_metric": "acc_per_char", "num_shots": 5},
        "current_date": "2025-05-16 10:09:03 UTC",
        "num_instances": 2,
        "metrics": {
            "acc_raw": 0.5,
            "acc_per_char": 1.0,
            "bits_per_byte_corr": 1.0,
            "primary_score": 1.0,
            "extra_metrics": {"total_price": 0.25},
        },
        "task_idx": 3,
    }
    if metrics:
        document(folder / "task-003-arc_easy-metrics.json", told)


def test_olmes_scores_are_those_that_it_has_a_number_of(tmp_path):
    olmes(tmp_path)
    found = read_scores(tmp_path)
    [run] = facts_of(found).runs
    assert (run.eval, run.model, run.shots, run.headline, run.created) == (
        "arc_easy", "olmo", "5", "acc_per_char", "2025-05-16T10:09:03+00:00"
    )  # fmt: skip
    assert sorted(found["metric"].unique()) == ["acc_per_char", "acc_raw", "bits_per_byte_corr"]
    assert {c.metric: c.agrees for c in run.checks} == {
        "acc_raw": True, "acc_per_char": True, "bits_per_byte_corr": True, "primary_score": None,
        "total_price": None,
    }  # fmt: skip
    lower = found[found["better"] == "lower"]["metric"].unique().tolist()
    assert lower == ["bits_per_byte_corr"]
    assert sorted(found["metadata.native_id"].unique()) == ["n0", "n1"]


def test_olmes_without_its_metrics_takes_no_index_of_a_choice_for_a_score(tmp_path):
    olmes(tmp_path / "olmo", metrics=False)
    found = read_scores(tmp_path)
    [run] = facts_of(found).runs
    assert (run.model, run.headline) == ("olmo", "acc_raw")
    assert sorted(found["metric"].unique()) == ["acc_per_char", "acc_raw", "bits_per_byte_corr"]


# BFCL ---------------------------------------------------------------------------------------------


def bfcl(folder: Path, total: int = 4, right: int = 3, results: int = 4) -> Path:
    score = folder / "score" / "org_m" / "live" / "BFCL_v4_simple_score.json"
    lines(
        score,
        [
            {"accuracy": right / total, "correct_count": right, "total_count": total},
            {"id": "simple_2", "model_name": "org_m", "valid": False, "error": ["x"]},
        ],
    )
    if results:
        lines(
            folder / "result" / "org_m" / "live" / "BFCL_v4_simple_result.json",
            [{"id": f"simple_{k}", "result": "f()"} for k in range(results)],
        )
    return score


def test_bfcl_failures_with_all_questions_beside_them(tmp_path):
    bfcl(tmp_path)
    found = read_scores(tmp_path)
    assert found["score"].tolist() == [1, 1, 0, 1]
    assert found["eval"].unique().tolist() == ["BFCL_v4_simple"]
    [run] = facts_of(found).runs
    assert run.model == "org_m" and [c.agrees for c in run.checks] == [True]


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (
            {"results": 0},
            "lists the 1 failures only, of 4 questions",
        ),
        ({"results": 3}, "the result file has 3 questions"),
        ({"right": 2}, "counts 4 questions and 2 right ones"),
    ],
)
def test_bfcl_failures_alone_or_with_other_counts_are_refused(tmp_path, made, told):
    score = bfcl(tmp_path, **made)
    with pytest.raises(ScoresError, match=told):
        read_scores(str(score))


@pytest.mark.parametrize("key", ["id", "idx"])
def test_bfcl_of_2024_gives_a_failure_by_its_place(tmp_path, key):
    """As HuanzhiMao/BFCL-Result b4adfc9 has it: place 3, from 1, is the third of the result file,
    whose own numbers, where they are numbers, count from 0.
    """
    lines(
        tmp_path / "score" / "org_m" / "simple_score.json",
        [
            {"accuracy": 0.75, "correct_count": 3, "total_count": 4},
            {"id": 3, "model_name": "org_m", "test_category": "simple", "valid": False},
        ],
    )
    lines(
        tmp_path / "result" / "org_m" / "gorilla_openfunctions_v1_test_simple_result.json",
        [{key: f"simple_{k}" if key == "id" else k, "result": "f()"} for k in range(4)],
    )
    found = read_scores(tmp_path)
    assert found["score"].tolist() == [1, 1, 0, 1]
    assert found["question_id"].tolist()[2] == ("simple_2" if key == "id" else "2")
    [run] = facts_of(found).runs
    assert [c.agrees for c in run.checks] == [True]


def test_bfcl_a_failure_at_no_place_is_refused(tmp_path):
    score = bfcl(tmp_path)
    told = [json.loads(line) for line in score.read_text().splitlines()]
    lines(score, [told[0], told[1] | {"id": 9}])
    with pytest.raises(ScoresError, match="1 of other questions"):
        read_scores(str(score))


def test_bfcl_memory_lies_four_folders_deep(tmp_path):
    """As bfcl_eval/utils.py, get_directory_structure_by_category, has it (gorilla 6ea5797)."""
    inner = "org_m/agentic/memory/kv/BFCL_v4_memory_kv"
    failure = {"id": "memory_kv_1", "valid": False}
    totals = {"accuracy": 0.5, "correct_count": 1, "total_count": 2, "by_kind": {"a": {"n": 2}}}
    lines(tmp_path / "score" / f"{inner}_score.json", [totals, failure])
    answers = [{"id": f"memory_kv_{k}", "result": []} for k in range(2)]
    lines(tmp_path / "result" / f"{inner}_result.json", answers)
    found = read_scores(tmp_path)
    assert found["score"].tolist() == [1, 0] and found["model"].unique().tolist() == ["org_m"]
