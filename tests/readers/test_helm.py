"""HELM run folders: HELM's own means from our rows, and what a folder can lack or hold beside its
scores.
"""

import json
import math
from pathlib import Path

import fsspec
import pytest
from support import places

from reportkit import read_scores
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File
from reportkit.loading.importing import import_scores
from reportkit.readers import helm
from reportkit.readers.helm.metrics import headline_of
from reportkit.scores.scores import facts_of
from reportkit.scores.selfcheck import check_run, verdict
from reportkit.stats import mean_estimate

LOGS = places.LOGS / "helm"
real = places.needs(LOGS)


def read(folder: Path):
    return helm.read(File(str(folder / helm.STATS)))[0]


def stat(name, mean, **more):
    return {"name": {"name": name, "split": "test"} | more, "count": 1, "mean": mean}


def write_run(
    folder: Path,
    *,
    method="generation",
    answers=None,
    requests=None,
    totals=(),
    name="own:subject=a,model=org_m",
):
    """A run of three questions (or those given): scores 1, 0, 1."""
    folder.mkdir(parents=True, exist_ok=True)
    if answers is None:
        answers = [
            (f"id{k}", 0, [stat("exact_match", s), stat("num_bytes", 9)])
            for k, s in enumerate([1, 0, 1])
        ]
    entries = [{"instance_id": i, "train_trial_index": t, "stats": s} for i, t, s in answers]
    if requests is None:
        requests = [request(i, t) for i, t, _ in answers]
    adapter = {
        "method": method,
        "model": "org/m",
        "max_eval_instances": 100,
        "max_train_instances": 5,
        "temperature": 0.0,
    }
    spec = {
        "name": name,
        "scenario_spec": {"class_name": "x.Own", "args": {"subject": "a"}},
        "adapter_spec": adapter,
    }
    for file, value in (
        (helm.STATS, entries),
        ("run_spec.json", spec),
        ("scenario_state.json", {"adapter_spec": adapter, "request_states": requests}),
        ("stats.json", list(totals)),
    ):
        (folder / file).write_text(json.dumps(value, indent=2))
    return folder


def request(
    id,
    trial=0,
    *,
    success=True,
    logprob=0.0,
    index=None,
    mode=None,
    references=(("4", True), ("5", False)),
    **more,
):
    told = [{"output": {"text": t}, "tags": ["correct"] * right} for t, right in references]
    instance = {
        "id": id,
        "input": {"text": f"Question {id}?"},
        "references": told,
        "split": "test",
    } | more
    result = {
        "success": success,
        "completions": [{"text": "4", "logprob": logprob}],
        "request_datetime": 1700000000,
    }
    out = {"instance": instance, "train_trial_index": trial, "result": result}
    return out | ({"reference_index": index, "request_mode": mode} if index is not None else {})


# Real files ---------------------------------------------------------------------------------------


def expected():
    return json.loads((LOGS / "expected.json").read_text())["logs"] if LOGS.is_dir() else []


@real
@pytest.mark.parametrize("log", expected(), ids=lambda log: log["model"])
def test_every_mean_that_helm_printed_comes_out_of_the_rows(log):
    run = read(LOGS / log["run"])
    assert run.model == log["model"] and run.eval == "own_reading" and run.headline == "exact_match"
    for said in log["stats"]:  # HELM's own numbers, from expected.json
        means = run.rows[run.rows["metric"] == said["name"]].groupby("question_id")["score"].mean()
        assert abs(mean_estimate(means.to_numpy()).value - said["mean"]) < 1e-9
        theirs = next(m for m in run.harness_metrics if m.metric == said["name"])
        assert theirs.mean == said["mean"] and math.isnan(theirs.se) and theirs.reason == helm.NO_SE


@real
def test_a_folder_of_runs_is_one_table_and_nothing_of_it_is_named_as_unread():
    left = []
    frame = read_scores(LOGS / "runs", skipped=lambda path, why: left.append(Path(path).name))
    assert sorted(frame["model"].unique()) == ["own/alpha", "own/beta", "own/gamma"]
    assert left == ["summary.json"]  # of the suite, not of a run
    # the same question has one hash
    assert frame.groupby("question_id")["content_hash"].nunique().max() == 1
    states = json.loads((LOGS / expected()[0]["run"] / "scenario_state.json").read_text())[
        "request_states"
    ]
    passages = {s["instance"]["id"]: s["instance"]["extra_data"]["passage_id"] for s in states}
    assert dict(zip(frame["question_id"], frame["extra_data.passage_id"], strict=True)) == passages


@real
def test_the_run_says_what_helm_wrote_of_it():
    run = read(LOGS / expected()[0]["run"])
    assert (run.limit, run.shots, run.temperature, run.n_planned) == (
        "max_eval_instances=20",
        "0",
        "0.0",
        20,
    )
    assert run.created == "2026-11-21T12:34:59+00:00"  # request_datetime 1795264499
    assert not {"num_bytes", "max_prob", "inference_runtime"} & set(run.rows["metric"])


@real
def test_a_run_cut_off_at_any_place_is_broken_and_never_a_traceback(tmp_path):
    source = LOGS / expected()[0]["run"]
    for cut in (helm.STATS, "run_spec.json", "scenario_state.json", "stats.json"):
        folder = tmp_path / cut
        folder.mkdir()
        for file in source.iterdir():
            data = file.read_bytes()
            (folder / file.name).write_bytes(data[: len(data) // 2] if file.name == cut else data)
        with pytest.raises(BrokenFile, match=f"{cut}.*copy it again"):
            read(folder)


@real
def test_runs_at_a_url_are_read_like_runs_on_a_disk():
    memory = fsspec.filesystem("memory")
    for file in (LOGS / "runs").rglob("*.json"):
        memory.pipe(f"/helm/{file.relative_to(LOGS).as_posix()}", file.read_bytes())
    assert read_scores("memory://helm")["score"].to_list() == read_scores(LOGS)["score"].to_list()


# Files written here -------------------------------------------------------------------------------


def test_a_failed_request_is_an_error_and_no_zero(tmp_path):
    requests = [request("id0"), request("id1", success=False), request("id2")]
    run = read(write_run(tmp_path, requests=requests, totals=[stat("exact_match", 2 / 3)]))
    row = run.rows[run.rows["question_id"] == "id1"].iloc[0]
    assert row["status"] == "error" and math.isnan(row["score"]) and row["score_raw"] == "0.0"
    assert "failed" in run.harness_metrics[0].reason  # HELM counts the empty answer


def test_an_answer_without_a_score_does_not_vanish(tmp_path):
    answers = [("id0", 0, [stat("exact_match", 1)]), ("id1", 0, [stat("exact_match", None)])]
    run = read(write_run(tmp_path, answers=answers, requests=[request(f"id{k}") for k in range(3)]))
    assert dict(zip(run.rows["question_id"], run.rows["status"], strict=True)) == {
        "id0": "ok", "id1": "unscored", "id2": "unscored"}  # fmt: skip


def test_a_train_trial_is_an_epoch(tmp_path):
    answers = [
        (i, t, [stat("exact_match", s)])
        for i, t, s in (("a", 0, 1), ("a", 1, 0), ("b", 0, 1), ("b", 1, 1))
    ]
    run = read(write_run(tmp_path, answers=answers, totals=[stat("exact_match", 0.75)]))
    assert run.rows["epoch"].to_list() == [1, 2, 1, 2]
    # 3 of 4
    assert run.rows.groupby("question_id")["score"].mean().mean() == run.harness_metrics[0].mean


def test_perturbed_questions_are_left_out_with_a_note(tmp_path):
    typos = {"name": "misspellings", "robustness": True}
    write_run(
        tmp_path, totals=[stat("exact_match", 0.1, perturbation=typos), stat("exact_match", 2 / 3)]
    )
    entries = json.loads((tmp_path / helm.STATS).read_text())
    entries.append({"instance_id": "id0", "perturbation": typos, "train_trial_index": 0,
                    "stats": [stat("exact_match", 0, perturbation=typos)]})  # fmt: skip
    (tmp_path / helm.STATS).write_text(json.dumps(entries))
    run = read(tmp_path)
    assert len(run.rows) == 3 and "left out: 1 answer to perturbed questions" in run.notes
    told = [(m.mean, m.how, m.called) for m in run.harness_metrics]
    assert told == [(0.1, "", "misspellings"), (2 / 3, "mean", "")]
    assert "perturbed" in run.harness_metrics[0].reason


def test_the_headline_is_what_helms_leaderboards_show_of_the_group():
    names = ["exact_match@5", "f1_score", "exact_match", "quasi_exact_match"]
    # main_name in HELM's schema_classic.yaml
    assert (
        headline_of(names, ["narrative_qa"]) == "f1_score"
        and headline_of(names, ["imdb"]) == "quasi_exact_match"
    )
    assert (
        headline_of(names, ["mmlu", 5]) == "exact_match"
        and headline_of(["zeta", "eta"], []) == "eta"
    )


def test_the_headline_is_a_score_and_bookkeeping_is_named(tmp_path):
    stats = [
        stat("num_output_tokens", 7),
        stat("own_metric", 3),
        stat("quasi_exact_match", 1),
        stat("exact_match", 0),
    ]
    run = read(write_run(tmp_path, answers=[("a", 0, stats)]))
    assert run.headline == "exact_match" and set(run.rows["metric"]) == {
        "exact_match",
        "quasi_exact_match",
        "own_metric",
    }
    assert any("num_output_tokens" in n for n in run.notes) and any(
        "own_metric" in n for n in run.notes
    )


def test_the_probability_of_the_right_choice_is_a_softmax_over_the_choices(tmp_path):
    # exp(-1) / (exp(-1) + exp(-2) + exp(-3)), the prompt's own log-probability of -40 cancels
    references = (("yes", True), ("no", False), ("maybe", False))
    requests = [
        request(
            "a",
            index=i,
            mode=mode,
            logprob=-40.0 - i - 1 if mode == "original" else -5.0,
            references=references,
        )
        for i in range(3)
        for mode in ("original", "calibration")
    ]
    write_run(
        tmp_path,
        method="multiple_choice_separate_calibrated",
        answers=[("a", 0, [stat("exact_match", 1)])],
        requests=requests,
    )
    run = read(tmp_path)
    p = run.rows[run.rows["metric"] == "p_correct"]["score"].item()
    assert p == pytest.approx(
        math.exp(-1) / (math.exp(-1) + math.exp(-2) + math.exp(-3)), abs=1e-12
    )
    assert run.p_kind == "sequence" and run.headline == "exact_match"


def test_choices_of_prompts_cut_to_different_lengths_have_no_probability(tmp_path):
    requests = [
        request("a", index=i, mode="original", logprob=-i) | {"prompt_truncated": i == 1}
        for i in range(2)
    ]
    run = read(write_run(tmp_path, method="multiple_choice_separate_original", requests=requests,
                         answers=[("a", 0, [stat("exact_match", 1)])]))  # fmt: skip
    assert (
        "p_correct" not in set(run.rows["metric"])
        and not run.p_kind
        and any("a prompt that was cut" in n for n in run.notes)
    )


@pytest.mark.parametrize("lack", ["no completion", "no request", "no number", "two completions"])
def test_where_a_choice_lacks_its_probability_that_of_the_right_one_is_unknown(tmp_path, lack):
    three = (("yes", True), ("no", False), ("maybe", False))
    asked = [
        request(q, index=i, mode="original", logprob=-i - 1, references=three)
        for q in "ab"
        for i in range(3)
    ]
    completions = asked[4]["result"]["completions"]  # of choice "no" of question b
    if lack == "no completion":
        completions.clear()
    elif lack == "no request":
        del asked[4]
    elif lack == "no number":
        completions[0]["logprob"] = None
    else:
        completions *= 2
    run = read(write_run(tmp_path, method="multiple_choice_separate_original", requests=asked,
                         answers=[(q, 0, [stat("exact_match", 1)]) for q in "ab"]))  # fmt: skip
    p = run.rows[run.rows["metric"] == "p_correct"].set_index("question_id")
    # Of question a: exp(-1) of exp(-1) + exp(-2) + exp(-3). Without "no", b would have exp(-1) of
    # exp(-1) + exp(-3).
    assert p["score"]["a"] == pytest.approx(1 / (1 + math.exp(-1) + math.exp(-2)), abs=1e-12)
    assert math.isnan(p["score"]["b"]) and p["status"]["b"] == "unscored"
    assert "no p_correct for 1 answer: a choice has no log-probability" in "; ".join(run.notes)


def test_scenario_arguments_make_evals_of_their_own(tmp_path):
    write_run(
        tmp_path / "s" / "a", name="mmlu:subject=a,method=joint,model=org_m,max_train_instances=5"
    )
    other = write_run(tmp_path / "s" / "b", name="mmlu:subject=b,method=joint,model=org_m")
    spec = json.loads((other / "run_spec.json").read_text())
    spec["scenario_spec"]["args"]["subject"] = "b"
    (other / "run_spec.json").write_text(json.dumps(spec))
    names = read_scores(tmp_path)["eval"].unique()
    assert list(names) == [
        "mmlu (method=joint, split=test, subject=a)",
        "mmlu (method=joint, split=test, subject=b)",
    ]


def test_splits_are_evals_of_their_own_as_helm_gives_a_mean_for_each(tmp_path):
    answers = [
        (i, 0, [stat("exact_match", s, split=of)])
        for i, s, of in (("a", 1, "test"), ("b", 0, "valid"), ("c", 1, "valid"))
    ]
    requests = [request("a"), request("b", split="valid"), request("c", split="valid")]
    totals = [stat("exact_match", 1.0), stat("exact_match", 0.5, split="valid")]
    write_run(tmp_path, answers=answers, requests=requests, totals=totals)
    frame = read_scores(tmp_path)
    assert frame.groupby("eval")["score"].mean().to_dict() == {
        "own (split=test, subject=a)": 1.0, "own (split=valid, subject=a)": 0.5}  # fmt: skip
    assert [r.harness_metrics[0].mean for r in facts_of(frame).runs] == [1.0, 0.5]


def test_sub_splits_and_further_data_are_columns_and_long_texts_are_not(tmp_path):
    requests = [
        request(
            "id0", sub_split="easy", extra_data={"passage": "p1", "text": "x" * 300, "tags": ["a"]}
        ),
        request("id1", sub_split="hard", extra_data={"passage": "p2"}),
        request("id2", sub_split="hard", extra_data={"passage": "p2"}),
    ]
    rows = read(write_run(tmp_path, requests=requests)).rows
    assert (
        rows["sub_split"].to_list() == ["easy", "hard", "hard"]
        and rows["extra_data.passage"].to_list()[0] == "p1"
    )
    assert not {"extra_data.text", "extra_data.tags"} & set(rows.columns)


def test_helms_means_of_sub_splits_come_out_of_their_rows(tmp_path):
    """By hand: x has the scores 1 and 0, y has 1. Without scenario_state.json too, as HELM writes
    the sub-split beside each score.
    """
    answers = [
        (id, 0, [stat("exact_match", score, sub_split=part)])
        for id, score, part in (("a", 1, "x"), ("b", 0, "x"), ("c", 1, "y"))
    ]
    totals = [stat("exact_match", 0.5, sub_split="x"), stat("exact_match", 1, sub_split="y")]
    folder = write_run(tmp_path, answers=answers, totals=totals)
    for lost in ((), ("scenario_state.json",)):
        for name in lost:
            (folder / name).unlink()
        run = read(folder)
        assert run.rows["sub_split"].to_list() == ["x", "x", "y"]
        checks = check_run(run)
        assert [(c.mean, c.part, c.agrees) for c in checks] == [
            (0.5, "sub_split=x", True),
            (1.0, "sub_split=y", True),
        ]
        assert verdict(checks) == "agrees"
    totals[0]["mean"] = 0.75
    differing = check_run(read(write_run(tmp_path, answers=answers, totals=totals)))
    assert [c.agrees for c in differing] == [False, True]


def test_a_sub_split_with_failed_requests_says_what_helm_counts(tmp_path):
    """HELM scores the failed answer 0: 1/2, where the rows have 1 alone."""
    answers = [
        (id, 0, [stat("exact_match", score, sub_split="x")]) for id, score in (("a", 1), ("b", 0))
    ]
    answers.append(("c", 0, [stat("exact_match", 1, sub_split="y")]))
    requests = [request("a"), request("b", success=False), request("c")]
    totals = [stat("exact_match", 0.5, sub_split="x"), stat("exact_match", 1, sub_split="y")]
    checks = check_run(read(write_run(tmp_path, answers=answers, requests=requests, totals=totals)))
    assert [(c.agrees, c.mean) for c in checks] == [(False, 1.0), (True, 1.0)]
    assert "1 answers whose requests failed" in checks[0].reason


@pytest.mark.parametrize("runs", ["ask", "pool", "latest", "first"])
def test_answers_of_helms_cache_count_once(tmp_path, runs):
    """The same answers in another suite, evaluated with one metric more: the fuller one counts. A
    copy in a third suite is one. Answers given at another time are another run.
    """
    one = [(f"id{k}", 0, [stat("exact_match", s)]) for k, s in enumerate((1, 0, 1))]
    more = [(i, t, [*s, stat("f1_score", 0.5)]) for i, t, s in one]
    write_run(tmp_path / "v1" / "own", answers=one)
    write_run(tmp_path / "v2" / "own", answers=more)
    write_run(tmp_path / "v3" / "own", answers=more)
    frame = read_scores(tmp_path, decisions=Decisions(runs=runs))
    assert frame.groupby("metric")["score"].agg(["count", "sum"]).values.tolist() == [
        [3, 2],
        [3, 1.5],
    ]
    why = {(left.why, left.instead.split("/")[-3]) for left in facts_of(frame).left_out}
    assert why == {("a copy of", "v2"), ("the same answers, scored again in", "v2")}
    later = [request(f"id{k}") for k in range(3)]
    for r in later:
        r["result"]["request_datetime"] += 60
    more[0][2][0]["mean"] = 0  # its answers are scored otherwise
    write_run(tmp_path / "v4" / "own", answers=more, requests=later)
    if runs == "ask":
        with pytest.raises(ScoresError, match="has 2 full runs"):
            read_scores(tmp_path)
    else:
        frame = read_scores(tmp_path, decisions=Decisions(runs=runs))
        assert frame["epoch"].max() == (2 if runs == "pool" else 1)


def cached(folder, ids, scores, *, at=1700000000):
    """A run of these questions, whose answers were given at these seconds."""
    answers = [(i, 0, [stat("exact_match", s)]) for i, s in zip(ids, scores, strict=True)]
    requests = [request(i) for i in ids]
    for r in requests:
        r["result"]["request_datetime"] = at
    write_run(folder, answers=answers, requests=requests)


@pytest.mark.parametrize("stored", [False, True])
def test_suites_that_share_part_of_their_answers_pool_each_once(tmp_path, stored):
    """By hand: a to d and c to f, of which c and d are the same answers; the later suite scored d
    otherwise. Six answers: 1 0 1 1 0 1.
    """
    cached(tmp_path / "logs" / "v1" / "own", "abcd", (1, 0, 1, 0))
    cached(tmp_path / "logs" / "v2" / "own", "cdef", (1, 1, 0, 1))
    home = tmp_path / "logs"
    if stored:
        import_scores([str(home)], tmp_path / "scores")
        home = tmp_path / "scores"
    frame = read_scores(home, decisions=Decisions(runs="pool"))
    assert dict(zip(frame["question_id"], frame["score"], strict=True)) == {
        "a": 1, "b": 0, "c": 1, "d": 1, "e": 0, "f": 1
    }  # fmt: skip
    assert len(frame) == 6 and set(frame["epoch"]) == {1} and "answer_hash" not in frame
    [run] = facts_of(frame).runs
    assert (run.n_planned, run.tokens_in) == (6, 0)
    assert "2 answers in more than one of them; each counts once" in run.notes


def test_answers_of_another_time_are_repeats(tmp_path):
    cached(tmp_path / "v1" / "own", "abcd", (1, 0, 1, 0))
    cached(tmp_path / "v2" / "own", "cdef", (1, 1, 0, 1), at=1700000060)
    frame = read_scores(tmp_path, decisions=Decisions(runs="pool"))
    assert frame.groupby("question_id")["score"].agg(list).to_dict() == {
        "a": [1], "b": [0], "c": [1, 1], "d": [0, 1], "e": [0], "f": [1]
    }  # fmt: skip


def test_what_is_no_score_is_named_with_the_reason(tmp_path):
    totals = [stat("num_bytes", 9), stat("perplexity", 3), stat("exact_match", 2 / 3)]
    run = read(write_run(tmp_path, totals=[*totals, stat("f1_score", 0.5)]))
    assert "2 counts, costs and confidences are not scores: num_bytes, perplexity" in run.notes
    told = {m.metric: m.reason for m in run.harness_metrics}
    assert told == {
        "exact_match": helm.NO_SE,
        "f1_score": "no question has a score under this name",
    }


def test_scores_alone_are_read_with_a_note_and_without_a_model_refused(tmp_path):
    write_run(tmp_path)
    (tmp_path / "scenario_state.json").unlink()
    assert any("scenario_state.json" in n for n in read(tmp_path).notes)
    (tmp_path / "run_spec.json").unlink()
    with pytest.raises(
        BrokenFile, match="with the model's name beside it; copy the whole run folder"
    ):
        read(tmp_path)


def test_a_run_without_scores_says_which_file_is_missing(tmp_path):
    write_run(tmp_path)
    (tmp_path / helm.STATS).unlink()
    with pytest.raises(ScoresError, match=r"a HELM run without per_instance_stats\.json"):
        read_scores(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", "[1, null, {}]", '[{"instance_id": "a", "stats": 5}]', "[" * 100000]
)
def test_a_hostile_or_empty_file_is_broken(tmp_path, content):
    write_run(tmp_path)
    (tmp_path / helm.STATS).write_text(content)
    with pytest.raises(ScoresError, match=r"per_instance_stats\.json"):
        read_scores(tmp_path)


def test_a_file_of_that_name_from_elsewhere_is_not_claimed(tmp_path):
    for name in (helm.STATS, "stats.json", "scenario.json", "instances.json"):
        (tmp_path / name).write_text('[{"name": "a", "count": 3}]')
        assert helm.claims(File(str(tmp_path / name))) == ""
