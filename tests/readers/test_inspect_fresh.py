"""Logs made here and now by the installed inspect-ai: a version that writes something else breaks
these tests.

Expected numbers follow from inspect_fresh_logs.py: the model says "1", so that of questions q0, q1,
... with the targets "0", "1", ... `includes` holds for q1 alone; Inspect's own means and errors
stand in harness_metrics.
"""

import functools
import shutil
import signal
import subprocess
import sys

import pytest
from support.inspect_logs import ours, read
from support.places import ROOT

from reportkit import read_scores
from reportkit.decisions import Decisions
from reportkit.inputs.files import File
from reportkit.readers import inspect
from reportkit.scores.selfcheck import check_run

SCRIPT = str(ROOT / "tests" / "support" / "inspect_fresh_logs.py")

pytestmark = pytest.mark.slow  # runs take half a minute; logs on file are read in any case


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Runs by the name of their folder; `cancelled` and `killed` end their process."""
    out = tmp_path_factory.mktemp("fresh")
    # -P: the modules beside the script would hide those of the standard library
    made = subprocess.run(
        [sys.executable, "-P", SCRIPT, str(out)], capture_output=True, text=True, timeout=300
    )
    assert (out / "cancelled").is_dir(), made.stdout + made.stderr
    killed = subprocess.run(
        [sys.executable, "-P", SCRIPT, str(out), "killed"], capture_output=True, timeout=300
    )
    assert killed.returncode == -signal.SIGKILL
    return out


@pytest.fixture(scope="module")
def fresh(logs):
    @functools.cache
    def run(name: str):
        [path] = (logs / name).iterdir()
        assert inspect.claims(File(str(path))) == "run"
        return read(path)

    return run


def column(run, name: str, metric: str) -> list:
    rows = run.rows[run.rows["metric"] == metric]
    return rows[name].tolist()


@pytest.mark.parametrize(
    "name",
    [
        "graded",
        "json",
        "repeated",
        "shuffled1",
        "choices",
        "score_on_error",
        "limit",
        "named",
        "long",
    ],
)
def test_inspects_means_and_errors_come_out_of_the_rows(fresh, name):
    run = fresh(name)
    means = [h for h in run.harness_metrics if not h.called]  # and the spreads
    compared = [h for h in means if not h.reason]
    assert compared and all(h.how in ("mode", "pass_at_2") for h in means if h.reason)
    assert {c.agrees for c in check_run(run, inspect.READER.computation)} == {
        True
    }  # the reducers' numbers too
    for h in compared:
        assert h.how == ("mean-cr1" if h.cluster else "mean")
        assert ours(run, h.metric, h.cluster) == pytest.approx((h.mean, h.se), abs=1e-9)


@pytest.mark.parametrize("name, n", [("graded", 9), ("json", 10)])
def test_every_scorer_and_key_is_a_metric_and_nothing_is_zero_that_was_not_scored(fresh, name, n):
    run = fresh(name)
    nested = [f"rubric{i}/{key}" for i in ("", "1") for key in ("right", "närhet k")]
    assert set(run.rows["metric"]) == {"letters", *nested, "includes", "includes1"}
    assert [h.metric for h in run.harness_metrics if not h.called] == [
        "letters",
        "letters",
        *nested,
        "includes",
        "includes1",
    ]
    assert run.headline == "letters" and run.cluster == "metadata.group"
    # q3 failed in the solver, the scorer gave q7 up; "CPINC" by the remainder of 5, after q4: C P I
    wanted = dict(enumerate([1, 0.5, 0, None, 1, 1, 0.5, None, None, 1]))
    wanted[8] = 0.0  # N
    status = ["error" if k == 3 else "unscored" if k == 7 else "ok" for k in range(n)]
    assert column(run, "status", "letters") == status
    assert column(run, "score_raw", "letters")[:3] == ["C", "P", "I"]
    found = [None if s != s else s for s in column(run, "score", "letters")]
    assert found == [wanted[k] for k in range(n)]
    assert column(run, "status", "rubric/right") == ["error" if k == 3 else "ok" for k in range(n)]
    assert "rubric/why: " in run.notes[0]
    assert (
        "metadata.group" in run.rows
        and "metadata.text" not in run.rows
        and "metadata.list" not in run.rows
    )


def test_what_the_run_was_is_told(fresh):
    run = fresh("graded")
    assert (run.eval, run.eval_version, run.model) == ("graded", "3", "mockllm/alpha")
    assert (run.eval_args, run.temperature, run.status, run.limit) == (
        "n=9, style=of, k=v",
        "0.25",
        "success",
        "",
    )
    assert fresh("limit").limit == "limit=[2, 6]" and fresh("limit").n_planned == 4
    assert fresh("limit").rows["question_id"].tolist() == ["q2", "q3", "q4", "q5"]
    assert fresh("named").limit == 'sample_id=["q1", "q2"]'
    assert fresh("choices").temperature == "0"  # the task's setting goes before the model's


def test_each_epoch_is_a_row_and_reduced_numbers_say_that_they_are_no_means(fresh):
    run = fresh("repeated")
    assert len(run.rows) == 24 and run.n_planned == 24
    first = run.rows[run.rows["question_id"] == "q0"]
    assert first["score"].tolist()[:3] == [0, 0, 1] and first["status"].tolist()[3] == "unscored"
    reasons = [h.reason for h in run.harness_metrics]
    assert reasons[0] == "" and "pass_at_2" in reasons[1] and "mode" in reasons[2]


def test_an_errored_answer_that_was_scored_counts_as_it_does_in_inspect(fresh):
    assert set(fresh("score_on_error").rows["status"]) == {"ok"}


def test_ids_given_by_position_are_told_and_the_hash_tells_the_questions(fresh):
    one, two = fresh("shuffled1"), fresh("shuffled2")
    assert one.positional_ids and two.positional_ids and not fresh("graded").positional_ids
    assert (
        one.rows["question_id"].tolist()
        == two.rows["question_id"].tolist()
        == [str(k + 1) for k in range(8)]
    )
    assert one.rows["content_hash"].tolist() != two.rows["content_hash"].tolist()
    assert set(one.rows["content_hash"]) == set(two.rows["content_hash"])
    by = [dict(zip(r.rows["content_hash"], r.rows["metadata.k"], strict=True)) for r in (one, two)]
    assert by[0] == by[1]


def test_the_right_letters_probability_is_a_metric_of_its_own(fresh):
    run = fresh("choices")
    # A 0.5, B 0.2 + 0.1 with and without a space, C 0.1, of 0.9 in all; the right ones are A, B, C,
    # A, B, C
    shares = [5 / 9, 3 / 9, 1 / 9]
    assert column(run, "score", "p_correct") == pytest.approx(shares * 2)
    assert run.p_kind == "next-token" and run.headline == "choice"
    left_out = {
        "choices_few": "no answer has",
        "choices_shuffled": "shuffled",
        "choices_several": "several letters",
    }
    for name, why in left_out.items():
        assert "p_correct" not in set(fresh(name).rows["metric"]) and why in fresh(name).notes[0]


def test_questions_that_differ_after_a_long_beginning_or_in_an_image_differ_in_their_hash(fresh):
    assert [fresh(name).rows["content_hash"].nunique() for name in ("long", "images")] == [2, 2]


def test_a_question_has_the_same_hash_read_from_a_summary_and_from_the_whole_sample(fresh):
    summaries, whole = (
        column(fresh(name), "content_hash", "letters") for name in ("graded", "json")
    )
    assert summaries == whole[:9] and len(set(whole)) == 10


def test_invalidated_answers_keep_their_rows_without_a_score(fresh):
    run = fresh("invalidated")
    assert column(run, "status", "includes") == ["invalidated"] + ["ok"] * 9
    assert run.rows["score"].isna().tolist() == [True] + [False] * 9
    assert "invalidated" in run.harness_metrics[0].reason


def test_stopped_runs_hold_what_was_answered_and_say_how_they_ended(fresh):
    cancelled, killed = fresh("cancelled"), fresh("killed")
    assert (cancelled.status, killed.status) == ("cancelled", "started")
    assert killed.rows["question_id"].tolist() == ["q0", "q1", "q2", "q3", "q4"]  # killed at q5
    assert cancelled.rows["question_id"].tolist()[:5] == ["q0", "q1", "q2", "q3", "q4"]
    assert cancelled.n_planned == killed.n_planned == 10
    assert (
        all("cancelled" in h.reason for h in cancelled.harness_metrics)
        and not killed.harness_metrics
    )


def test_answers_in_words_leave_unscored_questions_and_a_note(fresh):
    run = fresh("unscored")
    assert run.rows["status"].tolist() == ["unscored"] * 3
    assert run.notes == ["words: 3 of 3 values are not numbers and are left out"]


def test_of_a_retried_task_the_later_log_counts(logs):
    told: list[str] = []
    frame = read_scores(logs / "set", skipped=lambda _, why: told.append(why))
    assert frame["question_id"].nunique() == 10 and set(frame["status"]) == {"ok"}
    # logs.json and eval-set.json belong to the logs and are not told
    assert [w for w in told if "retried" in w]
    assert not [w for w in told if "json" in w]


@pytest.mark.parametrize("action", ("append", "overwrite"))
def test_a_log_that_was_scored_again_stands_for_the_one_before(logs, tmp_path, action):
    """Inspect's own way of working: `inspect eval`, then `inspect score`. Of the two questions each
    answer counts once. The logs were made more than two seconds ago: another process came after.
    """
    [log] = (logs / "named").iterdir()
    first, again = tmp_path / "a.eval", tmp_path / "z.eval"
    shutil.copy(log, first)
    words = ["score", str(first), "--scorer", "exact", "--action", action, "--display", "none"]
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *words, "--output-file", str(again)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert again.is_file(), done.stdout + done.stderr
    for runs in ("ask", "pool"):
        found = read_scores([str(first), str(again)], decisions=Decisions(runs=runs))
        expected = {"append": {"includes", "exact"}, "overwrite": {"exact"}}[action]
        assert set(found["metric"]) == expected and set(found["epoch"]) == {1}
        assert len(found) == 2 * len(expected)
