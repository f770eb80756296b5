"""OpenAI Evals' record files: the harness's own numbers from our rows, and what a reader meets in
files that people keep.

Expected numbers of the shared logs: expected.json, written by evals 3.0.1. Those of the small
files: worked in the test.
"""

import json
import math
import random
from pathlib import Path

import numpy as np
import pytest
from support import places

from reportkit import read_scores, stats
from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File
from reportkit.readers import openai_evals

LOGS = places.LOGS / "openai_evals"
shared = places.needs(LOGS)
SPEC = {
    "spec": {
        "completion_fns": ["m"],
        "eval_name": "e.dev.v0",
        "run_id": "r1",
        "created_at": "2026-01-02 03:04:05.6",
        "run_config": {"max_samples": None},
    }
}


def only(path):
    [run] = openai_evals.read(File(str(path)))
    return run


@shared
def test_every_accuracy_comes_out_of_the_rows_and_its_random_error_has_a_reason():
    for log in json.loads((LOGS / "expected.json").read_text())["logs"]:
        run, told = only(LOGS / log["file"]), log["final_report"]
        own = stats.mean_estimate(run.rows["score"].to_numpy())
        assert own.value == pytest.approx(told["accuracy"], abs=1e-9)
        [claim] = run.harness_metrics
        assert (claim.mean, claim.se) == (told["accuracy"], told["boostrap_std"])
        assert claim.se_reason == openai_evals.HALVES
        # A thousand random halves: their spread has a relative error near 1 / sqrt(2 * 1000), here
        # within five of these.
        assert claim.se == pytest.approx(own.se, rel=5 / math.sqrt(2000))
        assert len(run.rows) == log["n_match_events"] and run.model == log["completion_fns"][0]


@shared
def test_random_halves_spread_like_the_standard_error_of_the_mean():
    run = only(next(LOGS.glob("*_alpha_*")))
    scores, draw = run.rows["score"].to_list(), random.Random(1)
    spread = np.std([np.mean(draw.sample(scores, len(scores) // 2)) for _ in range(20_000)])
    # A half without replacement has variance s^2 / (n/2) * (1 - 1/2) = s^2 / n, that of the mean of
    # all.
    assert spread == pytest.approx(stats.mean_estimate(np.array(scores)).se, rel=0.02)


@shared
def test_questions_are_in_the_order_of_their_numbers_and_the_same_in_all_models():
    runs = [only(path) for path in sorted(LOGS.glob("2*.jsonl"))]
    assert runs[0].rows["question_id"].tolist() == [f"own-sums.dev.{i}" for i in range(60)]
    assert len({tuple(r.rows["content_hash"]) for r in runs}) == 1
    assert (runs[0].status, runs[0].n_planned, runs[0].run_id) == (
        "success",
        60,
        "261121123110IETGUEKU",
    )


@shared
def test_the_folder_is_read_and_its_file_of_questions_is_not():
    skipped = []
    frame = read_scores(LOGS, skipped=lambda path, _: skipped.append(Path(path).name))
    assert len(frame) == 180 and sorted(skipped) == ["expected.json", "samples.jsonl"]


# Small files --------------------------------------------------------------------------------------


def event(number, question, type="match", **data):
    return {
        "run_id": "r1",
        "event_id": number,
        "sample_id": f"e.dev.{question}",
        "type": type,
        "data": data,
        "created_at": "2026-01-02",
    }


def write(folder, *lines):
    path = folder / "record.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


REPORT = {"final_report": {"accuracy": 0.5, "boostrap_std": 0.1}, "run_id": "r1"}
EVENTS = [
    event(3, 1, correct=False),
    event(0, 0, correct=True),
    event(1, 2, correct=True),
    event(2, 10, correct=False),
]


@pytest.mark.parametrize(
    "lines",
    [[SPEC, REPORT, *EVENTS], [SPEC, *EVENTS, REPORT], [*EVENTS, REPORT, SPEC]],
    ids=["report first", "report last", "spec last"],
)
def test_lines_may_come_in_any_order(tmp_path, lines):
    path = write(tmp_path, *lines)
    assert openai_evals.claims(File(str(path))) == "run"
    run = only(path)
    assert run.rows["question_id"].tolist() == ["e.dev.0", "e.dev.1", "e.dev.2", "e.dev.10"]
    assert run.rows["score"].tolist() == [1.0, 0.0, 1.0, 0.0]
    assert (run.eval, run.model, run.created) == ("e.dev.v0", "m", "2026-01-02T03:04:05.6")


def test_a_question_without_a_match_event_is_an_error_and_never_zero(tmp_path):
    run = only(
        write(
            tmp_path,
            SPEC,
            *EVENTS,
            event(4, 3, "sampling", prompt="Q"),
            event(5, 3, "error", message="x"),
            REPORT,
        )
    )
    lost = run.rows[run.rows["question_id"] == "e.dev.3"]
    assert lost["status"].tolist() == ["error"] and lost["score"].isna().all()
    assert (run.n_planned, run.harness_metrics[0].how) == (5, "mean")
    assert run.notes == [
        "1 question without a match or metrics event: an error here, which evals itself does not "
        "count"
    ]


def test_several_match_events_of_a_question_are_epochs_in_their_order(tmp_path):
    lines = [
        event(9, 0, correct=True),
        event(2, 0, correct=False),
        event(5, 1, correct=True),
        event(7, 1, correct=True),
    ]
    run = only(write(tmp_path, SPEC, *lines, REPORT))
    assert run.rows[["question_id", "epoch", "score"]].to_numpy().tolist() == [
        ["e.dev.0", 1, 0.0],
        ["e.dev.0", 2, 1.0],
        ["e.dev.1", 1, 1.0],
        ["e.dev.1", 2, 1.0],
    ]
    uneven = only(write(tmp_path, SPEC, *lines[:3], REPORT))
    assert uneven.harness_metrics[0].reason == openai_evals.UNEVEN


def test_metrics_events_of_a_graded_eval_are_metrics_and_their_words_are_left_out(tmp_path):
    graded = [
        event(i, i, "metrics", choice="ABC"[i], score=s, invalid=None)
        for i, s in enumerate((1.0, 0.25, None))
    ]
    spec = {"spec": SPEC["spec"] | {"completion_fns": ["m", "grader"]}}
    report = {"final_report": {"score": 0.625, "counts/A": 1}}
    run = only(write(tmp_path, spec, *graded, report))
    scores = run.rows[run.rows["metric"] == "score"]
    assert (
        scores["status"].tolist() == ["ok", "ok", "unscored"]
        and run.headline == "score"
        and run.model == "m"
    )
    assert run.notes == [
        "choice is left out: its values are not numbers",
        "invalid is left out: it has no values",
        "further completion functions, such as the grader: grader",
    ]
    assert [(m.metric, m.how, bool(m.reason)) for m in run.harness_metrics] == [
        ("score", "mean", False),
        ("counts/A", "", True),
    ]


def test_a_match_event_and_the_accuracy_of_one_question_are_one_answer(tmp_path):
    # evals/elsuite/basic/fuzzy_match.py records both for each answer: three questions, of which two
    # are right.
    right, lines = (True, False, True), []
    for k, correct in enumerate(right):
        lines += [
            event(2 * k, k, correct=correct),
            event(2 * k + 1, k, "metrics", accuracy=float(correct), f1_score=0.5),
        ]
    report = {"final_report": {"accuracy": 2 / 3, "f1_score": 0.5}}
    run = only(write(tmp_path, SPEC, *lines, report))
    assert run.rows[["question_id", "epoch", "metric", "score"]].to_numpy().tolist() == [
        [f"e.dev.{k}", 1, metric, score]
        for metric, scores in (("accuracy", right), ("f1_score", (0.5,) * 3))
        for k, score in enumerate(scores)
    ]
    assert [(m.metric, m.how, m.mean) for m in run.harness_metrics] == [
        ("accuracy", "mean", 2 / 3), ("f1_score", "mean", 0.5)]  # fmt: skip


def test_several_answers_of_such_a_question_stay_epochs(tmp_path):
    lines = [
        event(0, 0, correct=True),
        event(1, 0, "metrics", accuracy=1.0),
        event(2, 0, correct=False),
        event(3, 0, "metrics", accuracy=0.0),
        event(4, 1, "metrics", accuracy=1.0),
    ]
    rows = only(write(tmp_path, SPEC, *lines, REPORT)).rows
    assert rows[["question_id", "epoch", "score"]].to_numpy().tolist() == [
        ["e.dev.0", 1, 1.0],
        ["e.dev.0", 2, 0.0],
        ["e.dev.1", 1, 1.0],
    ]


def test_words_that_a_metrics_event_calls_accuracy_take_no_match_away(tmp_path):
    run = only(
        write(
            tmp_path,
            SPEC,
            event(0, 0, correct=True),
            event(1, 0, "metrics", accuracy="high"),
            REPORT,
        )
    )
    assert run.rows[["metric", "score"]].to_numpy().tolist() == [["accuracy", 1.0]]


def test_a_run_without_a_report_has_not_ended_and_does_not_count(tmp_path):
    path = write(tmp_path, SPEC, *EVENTS)
    assert only(path).status == "started"
    skipped = []
    with pytest.raises(ScoresError):
        read_scores(path, skipped=lambda _, why: skipped.append(why))
    assert "the run ended with status 'started'" in skipped[0]


def test_the_question_is_the_last_message_whatever_examples_stand_before_it(tmp_path):
    def prompts(*before):
        messages = [
            *({"role": "user", "content": b} for b in before),
            {"role": "user", "content": "What is 2 + 2?"},
        ]
        return event(0, 0, "sampling", prompt=messages), event(
            1, 0, "match", correct=True, expected="4"
        )

    first, second = (
        only(write(tmp_path, SPEC, *prompts(*b), REPORT)).rows["content_hash"][0]
        for b in ((), ("2 + 1?", "3"))
    )
    assert first == second and len(first) == 16
    plain = only(
        write(
            tmp_path,
            SPEC,
            event(0, 0, "sampling", prompt="Q: 2 + 2?\nA:"),
            event(1, 0, correct=True),
            REPORT,
        )
    )
    assert plain.rows["content_hash"].isna().all()


BROKEN = {
    "cut off": (json.dumps(SPEC) + "\n" + json.dumps(EVENTS[0])[:-9], "line 2: not JSON"),
    "no scores": (json.dumps(SPEC) + "\n" + json.dumps(REPORT), "no match or metrics event"),
    "no spec": (json.dumps(EVENTS[0]), "no line names the eval"),
    "a strange spec": (
        json.dumps({"spec": {"eval_name": None}}) + "\n" + json.dumps(EVENTS[0]),
        "no line names the eval",
    ),
    "too deep": (json.dumps(SPEC) + '\n{"data": ' + "[" * 100_000, "nested deeper"),
}


@pytest.mark.parametrize(("content", "why"), BROKEN.values(), ids=BROKEN)
def test_broken_files_are_one_sentence_that_names_the_file(tmp_path, content, why):
    path = tmp_path / "record.jsonl"
    path.write_text(content)
    assert openai_evals.claims(File(str(path))) == "run"
    with pytest.raises(BrokenFile, match=why) as raised:
        only(path)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value)


def test_strange_values_are_data(tmp_path):
    lines = [
        event("x", 0, correct=True),
        event(None, 1, correct="yes"),
        event(2, 2, correct=1e999),
        {"sample_id": {}, "type": []},
    ]
    spec = {"spec": {"completion_fns": "m", "eval_name": "<b>", "run_config": [], "created_at": 7}}
    run = only(write(tmp_path, spec, *lines, {"final_report": [1]}))
    assert run.rows["status"].tolist()[:3] == ["ok", "unscored", "unscored"]
    assert (run.eval, run.model, run.status) == ("<b>", "model", "success")


def test_other_json_lines_are_not_claimed(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"input": [], "ideal": "91"}\n')
    assert openai_evals.claims(File(str(path))) == ""
