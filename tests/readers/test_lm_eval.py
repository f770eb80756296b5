"""lm-eval's files: its own numbers from our rows, and what a reader meets in folders that people
keep.

Expected numbers of the shared logs: expected.json, written by lm-eval 0.4.13. Those of the small
files: worked in the test.
"""

import json
import math
from pathlib import Path

import pytest
from support import places
from support.lm_eval_logs import STAMP, group_of, line, runs_of, write

from reportkit import read_scores, stats
from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File
from reportkit.readers import lm_eval
from reportkit.scores.scores import facts_of
from reportkit.scores.selfcheck import check_run
from reportkit.stats.means.grouped import pooled

LOGS = places.LOGS / "lm_eval"
shared = places.needs(LOGS)


def test_a_field_of_a_question_that_is_4_and_4_0_is_one_group(tmp_path):
    """By hand: passages 4 and 5 of two questions each; JSON has both kinds of number."""
    rows = [line(k, doc={"passage": v}) for k, v in enumerate((4, 4.0, 5, 5.0, 5.5))]
    write(tmp_path / "m", "t", rows)
    [run] = runs_of(tmp_path).values()
    assert run.rows["doc.passage"].tolist() == ["4", "4", "5", "5", "5.5"]


def estimate(run, metric, cluster=""):
    rows = run.rows[run.rows["metric"] == metric]
    return stats.mean_estimate(
        rows["score"].to_numpy(), rows[cluster].to_numpy() if cluster else None
    )


# Real files ---------------------------------------------------------------------------------------


@shared
def test_every_mean_and_standard_error_that_lm_eval_printed_comes_out_of_the_rows():
    runs, compared = runs_of(LOGS), 0
    for log in json.loads((LOGS / "expected.json").read_text())["logs"]:
        for name, told in log["results"].items():
            run = runs[log["model_name"], name]
            for key in (k for k in told if "," in k and "_stderr," not in k):
                metric, chosen = key.split(",")
                own, se = estimate(run, key), told[f"{metric}_stderr,{chosen}"]
                if name in log["groups"]:
                    rows = run.rows[run.rows["metric"] == key]
                    mean, own_se = pooled(rows["score"].to_numpy(), rows["subtask"].to_numpy())
                else:
                    mean, own_se = own.value, own.se
                assert mean == pytest.approx(told[key], abs=1e-9)
                assert se == "N/A" or own_se == pytest.approx(se, abs=1e-9)
                claim = next(m for m in run.harness_metrics if m.metric == key)
                assert claim.mean == told[key] and (
                    math.isnan(claim.se) if se == "N/A" else claim.se == se
                )
                assert (claim.how == "mean") == (name not in log["groups"])
                compared += 1
    # three models: 4 subtasks of 3 metrics, a group of 2, two evals of 2 filters
    assert compared == 54


@shared
def test_what_a_run_says_of_itself_is_what_the_results_file_says():
    run = runs_of(LOGS)["alpha", "own_sums"]
    assert (run.eval_version, run.harness_version, run.shots, run.temperature) == (
        "1.0",
        "0.4.13",
        "0",
        "0.7",
    )
    assert run.created == "2026-11-21T12:04:14+00:00"  # date 1795262654.8
    assert (run.headline, run.n_planned, run.status, run.limit) == (
        "exact_match,first",
        40,
        "success",
        "",
    )


@shared
def test_one_question_has_the_same_hash_in_every_model_and_fields_stand_as_clusters():
    runs = runs_of(LOGS)
    first, second = (runs[m, "own_reading"].rows for m in ("alpha", "beta"))
    assert first["content_hash"].str.fullmatch("[0-9a-f]{16}").all()
    assert first["content_hash"].tolist() == second["content_hash"].tolist()
    assert first["doc.passage_id"].nunique() == 14
    assert "doc.passage" not in first  # a text of the question, not a group of questions


@shared
def test_a_group_is_its_subtasks_questions_with_the_subtask_as_a_cluster():
    run = runs_of(LOGS)["alpha", "own_mcq"]
    rows = run.rows[run.rows["metric"] == "acc,none"]
    assert rows["question_id"].is_unique and "own_mcq_colours/0" in set(rows["question_id"])
    assert estimate(run, "acc,none", "subtask").n_clusters == 4
    assert run.cluster == ""  # a candidate; clusters are declared
    assert "subgroup" not in rows


@shared
def test_the_whole_folder_is_read_as_groups_and_tasks_of_three_models():
    frame = read_scores(LOGS)
    assert set(frame["eval"]) >= {"own_mcq", "own_mcq_colours", "own_reading", "own_sums"}
    assert set(frame["model"]) == {"alpha", "beta", "gamma"}
    assert set(frame.loc[frame["eval"].str.startswith("own_mcq"), "category"]) == {"own_mcq"}


@shared
def test_a_results_file_that_the_user_names_brings_its_tasks_too():
    skipped = []
    results = next(LOGS.glob("alpha/results_*"))
    frame = read_scores(results)
    assert frame["eval"].nunique() == 7
    again = read_scores(
        [results, *LOGS.glob("alpha/samples_*")], skipped=lambda _, why: skipped.append(why)
    )
    assert len(again) == len(frame) and set(skipped) == {"read already"}


# Small files --------------------------------------------------------------------------------------


def choice(doc_id, probabilities, target="0", texts="ABCD", acc=None, **more):
    """A line of a multiple-choice task whose log-likelihoods are logs of these numbers, written as
    text.
    """
    pairs = [[str(math.log(p)), "False"] for p in probabilities]
    arguments = {f"gen_args_{i}": {"arg_0": "Q", "arg_1": f" {t}"} for i, t in enumerate(texts)}
    return line(doc_id, acc, target=target, filtered_resps=pairs, arguments=arguments, **more)


def only(path):
    [run] = lm_eval.read(File(str(path)))
    return run


def test_the_probability_of_the_right_choice_is_the_softmax_of_the_choices(tmp_path):
    lines = [
        choice(0, [0.2, 0.1, 0.1], "0", "ABC"),
        choice(1, [0.3, 0.1], "1", "AB"),
        choice(2, [0.1, 0.1, 0.3], "[1, 2]", "ABC"),
    ]
    run = only(write(tmp_path, "t", lines))
    p = run.rows.loc[run.rows["metric"] == "p_correct", "score"].tolist()
    assert p == pytest.approx([0.5, 0.25, 0.8])  # several right choices count together
    assert run.p_kind == "next-token"


def test_of_mutual_information_only_the_first_half_are_the_choices_themselves(tmp_path):
    row = choice(
        0,
        [0.6, 0.2, 0.01, 0.9],
        "1",
        ["red", "blue", "red", "blue"],
        0.0,
        metrics=["acc", "acc_mutual_info"],
        acc_mutual_info=0.0,
    )
    run = only(write(tmp_path, "t", [row]))
    assert run.rows.loc[run.rows["metric"] == "p_correct", "score"].tolist() == pytest.approx(
        [0.25]
    )
    assert run.p_kind == "sequence"  # sums over the tokens of a word


def test_a_target_may_be_the_text_of_a_choice(tmp_path):
    run = only(write(tmp_path, "t", [choice(0, [0.1, 0.3], "Bern", ["Rome", "Bern"], 1.0)]))
    assert run.rows.loc[run.rows["metric"] == "p_correct", "score"].tolist() == pytest.approx(
        [0.75]
    )


def test_a_probability_that_contradicts_acc_is_left_out_with_a_note(tmp_path):
    run = only(write(tmp_path, "t", [choice(0, [0.1, 0.9], "0", "AB", acc=1.0)]))
    assert set(run.rows["metric"]) == {"acc,none"}
    assert any("p_correct is left out" in n for n in run.notes)


def norm(row):
    """The line with acc_norm in place of acc, by which nothing about the right choice can be
    checked.
    """
    return {k: v for k, v in row.items() if k != "acc"} | {"metrics": ["acc_norm"], "acc_norm": 1.0}


@pytest.mark.parametrize("acc", [True, False], ids=["acc", "acc_norm"])
@pytest.mark.parametrize("target", ["was big.", "1"])
def test_of_several_inputs_with_one_continuation_the_target_names_none(tmp_path, target, acc):
    # As winogrande's samples are: the context holds the option, the continuation is the same. The
    # model prefers the right one, choice k % 2, every time; choice 0 for all would give a mean near
    # a half.
    lines = [
        choice(
            k,
            [0.8, 0.2] if k % 2 == 0 else [0.2, 0.8],
            target,
            [target] * 2,
            1.0,
            doc={"answer": "12"[k % 2]},
        )
        for k in range(6)
    ]
    run = only(write(tmp_path, "t", lines if acc else list(map(norm, lines))))
    assert "p_correct" not in set(run.rows["metric"]) and not run.p_kind
    assert any(n.startswith("p_correct is left out: ") for n in run.notes)


def test_a_number_that_is_an_index_and_another_choices_text_needs_acc_to_tell(tmp_path):
    # choice 2 is "3", which is the likeliest; "2" is choice 1
    row = choice(0, [0.1, 0.1, 0.3], "2", "123", 1.0)
    first, second = (
        only(write(tmp_path / "a", "t", [row])),
        only(write(tmp_path / "b", "t", [norm(row)])),
    )
    # 0.3 of 0.5
    assert first.rows.loc[first.rows["metric"] == "p_correct", "score"].tolist() == pytest.approx(
        [0.6]
    )
    assert "p_correct" not in set(second.rows["metric"])
    assert "the target of 1 of 1 questions does not tell which choice is right" in second.notes[0]
    plain = only(write(tmp_path / "c", "t", [norm(choice(0, [0.1, 0.1, 0.3], "2", "ABC"))]))
    assert plain.rows.loc[plain.rows["metric"] == "p_correct", "score"].tolist() == pytest.approx(
        [0.6]
    )


def test_a_text_that_only_the_document_lists_needs_acc_to_tell(tmp_path):
    row = choice(0, [0.1, 0.3], "Bern", "AB", 1.0, doc={"choices": ["Rome", "Bern"]})
    first, second = (
        only(write(tmp_path / "a", "t", [row])),
        only(write(tmp_path / "b", "t", [norm(row)])),
    )
    assert first.rows.loc[first.rows["metric"] == "p_correct", "score"].tolist() == pytest.approx(
        [0.75]
    )
    assert "p_correct" not in set(second.rows["metric"])


def test_brier_scores_come_from_the_log_likelihoods(tmp_path):
    row = choice(
        0,
        [0.7, 0.2, 0.1],
        "0",
        "ABC",
        1.0,
        metrics=["acc", "brier_score"],
        brier_score=[0, "[0.7 0.2 0.1]"],
    )
    run = only(write(tmp_path, "t", [row]))
    # 0.3^2 + 0.2^2 + 0.1^2
    assert run.rows.loc[
        run.rows["metric"] == "brier_score,none", "score"
    ].tolist() == pytest.approx([0.14])


def test_values_that_are_no_scores_are_left_out_with_a_note(tmp_path):
    more = {
        "metrics": ["acc", "f1", "mcc", "perplexity"],
        "f1": [1, 0],
        "mcc": [1, 1],
        "perplexity": -4.2,
    }
    told = {"acc,none": 1.0, "acc_stderr,none": "N/A", "f1,none": 0.5, "f1_stderr,none": 0.1}
    run = only(write(tmp_path, "t", [line(0, **more)], results=told))
    assert set(run.rows["metric"]) == {"acc,none"}
    assert [n.split()[0] for n in run.notes] == ["f1,none", "mcc,none", "perplexity,none"]
    f1 = next(m for m in run.harness_metrics if m.metric == "f1,none")
    assert f1.how == "" and f1.reason and f1.se == 0.1


def test_a_score_that_is_missing_is_unscored_and_never_zero(tmp_path):
    lines = [line(0), line(1, None), line(2, math.nan), line(3, metrics=["other"], other=1)]
    rows = only(write(tmp_path, "t", lines)).rows
    acc = rows[rows["metric"] == "acc,none"]
    assert acc["status"].tolist() == ["ok", "unscored", "unscored", "unscored"]
    assert acc["score"].isna().tolist() == [False, True, True, True]


def test_lines_of_older_versions_name_neither_filter_nor_metrics(tmp_path):
    row = {
        k: v
        for k, v in line(0, 0.0, exact=1.0).items()
        if k not in ("filter", "metrics", "doc_hash")
    }
    run = only(write(tmp_path, "t", [row]))
    assert run.rows[["metric", "score"]].to_numpy().tolist() == [
        ["acc,none", 0.0],
        ["exact,none", 1.0],
    ]
    assert run.rows["content_hash"].str.fullmatch("[0-9a-f]{16}").all()


def test_predictions_without_scores_are_named(tmp_path):
    told = {"bypass,none": 999, "bypass_stderr,none": "N/A"}
    path = write(tmp_path, "t", [line(0, metrics=["bypass"], bypass=None)], results=told)
    with pytest.raises(
        BrokenFile, match=r"samples_t_.*: predictions without scores \(--predict_only\)"
    ):
        only(path)


def test_a_cut_file_is_named_and_the_others_are_read(tmp_path):
    cut = write(tmp_path, "cut", [line(0), line(1)])
    cut.write_text(cut.read_text()[:-30])
    short = write(
        tmp_path, "short", [line(0)], **{"n-samples": {"short": {"original": 9, "effective": 3}}}
    )
    empty = write(tmp_path, "empty", [])
    write(tmp_path, "good", [line(0), line(1, 0.0)])
    skipped = {}
    frame = read_scores(tmp_path, skipped=lambda path, why: skipped.update({Path(path).name: why}))
    assert set(frame["eval"]) == {"good"}
    assert "line 2: not JSON" in skipped[cut.name]
    assert "1 of the 3 questions" in skipped[short.name]
    assert "empty" in skipped[empty.name]


def test_a_filter_that_lost_answers_is_not_compared(tmp_path):
    """Both questions are there under one filter; under the other one line is gone."""
    lines = [line(0), line(1, 0.0), line(0, filter="strict")]
    told = {"acc,none": 0.5, "acc_stderr,none": "N/A", "acc,strict": 0.75}
    n = {"n-samples": {"t": {"original": 2, "effective": 2}}}
    checks = check_run(only(write(tmp_path, "t", lines, results=told, **n)))
    assert [(c.metric, c.agrees) for c in checks] == [("acc,none", True), ("acc,strict", None)]
    assert checks[1].reason == "the file holds 1 of the 2 questions that lm-eval scored"


def test_results_without_samples_are_named(tmp_path):
    write(tmp_path, "t", [line(0)]).unlink()
    with pytest.raises(
        ScoresError, match="results without scores of questions; run lm-eval with --log_samples"
    ):
        read_scores(tmp_path)


def test_a_cut_results_file_is_named_and_its_samples_are_read(tmp_path):
    write(tmp_path / "org__m", "t", [line(0), line(1, 0.0)])
    results = tmp_path / "org__m" / f"results_{STAMP}.json"
    results.write_text(results.read_text()[:-9])
    skipped = []
    frame = read_scores(tmp_path, skipped=lambda path, _: skipped.append(path))
    assert set(frame["model"]) == {"org__m"} and skipped == [str(results)]
    assert "the folder names the model" in facts_of(frame).runs[0].notes[0]


def test_samples_without_results_are_read_under_their_folders_name(tmp_path):
    write(tmp_path / "org__m", "t", [line(0), line(1, 0.0)])
    (tmp_path / "org__m" / f"results_{STAMP}.json").unlink()
    [run] = runs_of(tmp_path).values()
    assert (run.model, run.eval, run.created) == ("org__m", "t", "2026-01-02T03:04:05")
    assert "no results file" in run.notes[0]


def test_results_with_a_name_of_their_own_belong_to_the_samples_of_their_stamp(tmp_path):
    write(tmp_path, "t", [line(0)])
    (tmp_path / f"results_{STAMP}.json").rename(tmp_path / f"mine_{STAMP}.json")
    [run] = runs_of(tmp_path).values()
    assert run.model == "m"


def test_of_several_stamps_the_user_chooses_and_a_smoke_test_does_not_count(tmp_path):
    lines = [line(i, float(i % 2)) for i in range(4)]
    write(tmp_path, "t", lines)
    write(
        tmp_path,
        "t",
        lines[:2],
        stamp="2026-01-03T03-04-05.0",
        config={"model_args": "model=m", "limit": 2.0},
    )
    skipped = []
    frame = read_scores(tmp_path, skipped=lambda _, why: skipped.append(why))
    assert len(frame) == 4 and skipped == [
        "2 of 4 questions (limit=2.0), where another run of m has all"
    ]
    write(tmp_path, "t", [*lines[:3], line(3, 0.0)], stamp="2026-01-04T03-04-05.0")
    with pytest.raises(ScoresError, match="has 2 full runs"):
        read_scores(tmp_path)


def test_a_document_that_occurs_twice_is_kept_twice_with_a_note(tmp_path):
    run = only(write(tmp_path, "t", [line(0), line(1, doc_hash=line(0)["doc_hash"])]))
    assert run.rows["question_id"].tolist() == ["0", "1"]
    assert run.notes == ["1 question repeats another one word for word (doc_hash): both are kept"]


def test_a_name_that_lm_eval_made_up_is_told(tmp_path):
    run = only(
        write(tmp_path, "t", [line(0)], config={"model_args": "base_url=x"}, model_name="a1b2c3")
    )
    assert run.notes == [
        "the model's arguments do not name it, so lm-eval made up 'a1b2c3': give it a name"
    ]


def test_nested_groups_are_one_eval_with_the_inner_group_as_a_column(tmp_path):
    number = {"acc,none": 0.4, "acc_stderr,none": 0.1}
    group_of(
        tmp_path,
        {"a": 4, "b": 4, "c": 2},
        {"all": number, "inner": number},
        group_subtasks={"board": ["all"], "all": ["inner", "c"], "inner": ["a", "b"]},
    )
    runs = runs_of(tmp_path)
    # "board" has no number of its own
    assert {e for _, e in runs} == {"a", "b", "c", "all", "inner"}
    rows = runs["m", "all"].rows
    assert dict(zip(rows["subtask"], rows["subgroup"], strict=True)) == {
        "a": "inner",
        "b": "inner",
        "c": None,
    }
    assert {r.category for r in runs.values()} == {"all"}


def test_a_group_that_weighs_its_subtasks_alike_is_told_from_one_that_weighs_questions(tmp_path):
    # a: 2 of 4 are right, b: 1 of 1; plain mean of both 0.75, of the questions 0.6
    group_of(
        tmp_path,
        {"a": 4, "b": 1},
        {"g": {"acc,none": 0.75, "acc_stderr,none": 0.1}},
        group_subtasks={"g": ["a", "b"]},
    )
    [claim] = runs_of(tmp_path)["m", "g"].harness_metrics
    assert (claim.how, claim.reason) == ("macro", lm_eval.MACRO)


def test_what_is_said_of_a_groups_error_does_not_advise_clusters_of_fixed_subtasks(tmp_path):
    """Fixed subtasks are strata (docs/statistics.md): pooling their variances is right there."""
    group_of(
        tmp_path,
        {"a": 4, "b": 2},
        {"g": {"acc,none": 0.5, "acc_stderr,none": 0.2}},
        group_subtasks={"g": ["a", "b"]},
    )
    [claim] = runs_of(tmp_path)["m", "g"].harness_metrics
    assert claim.how == "pooled"
    assert claim.reason.endswith("these subtasks alone; for others like them: --cluster subtask")


def test_a_group_that_lacks_a_subtask_is_left_out_by_name(tmp_path):
    last = group_of(
        tmp_path,
        {"a": 3, "b": 3},
        {"g": {"acc,none": 0.3, "acc_stderr,none": 0.1}},
        group_subtasks={"g": ["a", "b"]},
    )
    last.unlink()
    skipped = []
    frame = read_scores(tmp_path, skipped=lambda _, why: skipped.append(why))
    assert set(frame["eval"]) == {"a"}
    assert "no samples file of 'b'" in skipped[0] and "group 'g' is left out" in skipped[0]


def test_a_hostile_results_file_neither_hangs_nor_reaches_other_folders(tmp_path):
    number = {"acc,none": 0.4, "acc_stderr,none": 0.1}
    (tmp_path / "secret.jsonl").write_text(json.dumps(line(0)))
    group_of(
        tmp_path / "logs",
        {"a": 4},
        {"g": number, "h": number, "../secret": number},
        versions={"a": {"x": 1}},
        group_subtasks={"g": ["h", "a"], "h": ["g", 7], "../secret": ["../secret", "../../secret"]},
        date=1e300,
        configs={"a": ["not", "an", "object"]},
        **{"n-shot": [1], "n-samples": {"a": "many"}},
    )
    frame = read_scores(tmp_path / "logs")
    assert {(e, n) for e, n in frame.groupby("eval").size().items()} == {
        ("a", 4),
        ("g", 4),
        ("h", 4),
    }


def test_groups_that_share_their_children_many_times_over_are_walked_once(tmp_path):
    # forty layers of two groups that both hold the next two: 2**40 paths
    layers = {f"{side}{i}": [f"x{i + 1}", f"y{i + 1}"] for i in range(40) for side in "xy"}
    group_of(
        tmp_path,
        {"a": 3},
        {"x0": {"acc,none": 0.3, "acc_stderr,none": 0.1}},
        group_subtasks={**layers, "x40": ["a"], "y40": ["a"]},
    )
    assert set(runs_of(tmp_path)) == {("m", "a"), ("m", "x0")}


BROKEN = {
    "too deep": '{"doc_id": 0, "doc": {}, "resps": ' + "[" * 100_000,
    "no id": '{"doc_id": {}, "doc": {}, "resps": 1}',
    "a list": '{"doc_id": 0, "doc": {}, "resps": 1}\n[1, 2]',
    "not UTF-8": '{"doc_id": 0, "doc": {}, "resps": "\xff',
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_broken_samples_are_one_sentence_that_names_the_file(tmp_path, content):
    path = tmp_path / f"samples_t_{STAMP}.jsonl"
    path.write_bytes(content.encode("latin-1"))
    assert lm_eval.claims(File(str(path))) == "run"
    with pytest.raises(BrokenFile) as raised:
        only(path)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value)


def test_other_json_is_not_claimed(tmp_path):
    for name, content in (
        (f"samples_t_{STAMP}.jsonl", '{"model": "m"}'),
        (f"results_{STAMP}.json", '{"results": {}}'),
    ):
        (tmp_path / name).write_text(content)
        assert lm_eval.claims(File(str(tmp_path / name))) == ""


def test_files_at_a_url_are_read_like_local_ones(tmp_path):
    import fsspec

    write(tmp_path, "t", [line(0), line(1, 0.0)])
    memory = fsspec.filesystem("memory")
    for path in tmp_path.iterdir():
        memory.pipe(f"/lm-eval-logs/m/{path.name}", path.read_bytes())
    frame = read_scores("memory://lm-eval-logs")
    assert set(frame["model"]) == {"m"} and len(frame) == 2
