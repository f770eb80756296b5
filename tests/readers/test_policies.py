"""Which runs count: formats.md, section 9, rule by rule, on runs made here."""

import pandas as pd
import pytest

from reportkit.errors import ScoresError
from reportkit.readers.policies import Options, choose_runs, frame_of
from reportkit.run import Run


def run(model="a", eval="e", n=4, **given):
    rows = pd.DataFrame(
        {"question_id": [f"q{i}" for i in range(n)], "epoch": 1, "metric": "m", "score": [i % 2 for i in range(n)]}
    ).assign(status="ok", score=lambda f: f["score"].astype(float))
    given = {"file": f"{eval}-{model}-{given.get('created', '')}", "harness": "h"} | given
    return Run(eval=eval, model=model, rows=given.pop("rows", rows), **given)


def chosen(these, **options):
    kept, left = choose_runs(these, {"": Options(**options)} if options else {}, {})
    return kept, [f"{why} {instead}".rstrip() for _, why, instead in left]


def test_a_copy_counts_once():
    kept, why = chosen([run(sha256="x", file="1"), run(sha256="x", file="2"), run("b", sha256="y")])
    assert [r.file for r in kept] == ["1", "e-b-"] and len(why) == 1 and "1" in why[0]


def test_the_same_run_in_two_containers_counts_once():
    kept, _ = chosen([run(run_id="r", file="x.eval"), run(run_id="r", file="x.json")])
    assert [r.file for r in kept] == ["x.eval"]


def test_a_retry_replaces_what_it_retries():
    first, second = run(task_id="t", created="1", status="error"), run(task_id="t", created="2")
    kept, why = chosen([second, first])
    assert kept == [second] and "retried" in why[0]


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_end_well_is_left_out_and_said(status):
    kept, why = chosen([run(), run("b", status=status)])
    assert [r.model for r in kept] == ["a"] and status in why[0]


def test_a_smoke_test_gives_way_to_the_full_run_and_stays_where_it_is_alone():
    kept, why = chosen([run(n=10, created="1"), run(n=3, created="2", limit="limit=3"), run("b", n=3)])
    assert [(r.model, len(r.rows)) for r in kept] == [("a", 10), ("b", 3)] and "3 of 10 questions (limit=3)" in why[0]


def test_two_full_runs_stop_until_the_user_chooses():
    runs = [run(created="2026-01-02"), run(created="2026-01-01")]
    with pytest.raises(ScoresError, match="2 full runs: 2026-01-01 .*; 2026-01-02 .*--runs latest, first or pool"):
        chosen(runs)
    assert [r.created for r in chosen(runs, runs="latest")[0]] == ["2026-01-02"]
    assert [r.created for r in chosen(runs, runs="first")[0]] == ["2026-01-01"]
    [pooled], why = chosen(runs, runs="pool")
    assert pooled.rows["epoch"].tolist() == [1] * 4 + [2] * 4 and not why and "pooled" in pooled.notes[-1]


def test_versions_arguments_and_harnesses_are_evals_of_their_own():
    kept, _ = chosen([run(eval_version="1"), run("b", eval_version="2")])
    assert [r.eval for r in kept] == ["e (version 1)", "e (version 2)"]
    kept, _ = chosen([run(eval_args="subject=x"), run("b")])
    assert [r.eval for r in kept] == ["e (subject=x)", "e (defaults)"]
    kept, _ = chosen([run(eval_version="1"), run("b", harness="g")])
    assert [r.eval for r in kept] == ["e (h)", "e (g)"]


def test_errors_are_zero_only_where_an_eval_says_so():
    broken = run()
    broken.rows.loc[0, ["score", "status"]] = [float("nan"), "error"]
    assert chosen([broken])[0][0].rows["score"].isna().sum() == 1
    rows = chosen([broken], errors="zero")[0][0].rows
    assert rows.loc[0, "score"] == 0.0 and rows.loc[0, "status"] == "ok"


def test_fields_declared_for_an_eval_are_used_and_a_misspelt_one_is_named():
    with_fields = run()
    with_fields.rows["doc.id"], with_fields.rows["doc.passage"] = list("wxyz"), ["p", "p", "q", "q"]
    [kept], _ = chosen([with_fields], id="doc.id", cluster="doc.passage")
    frame = frame_of(kept)
    assert frame["question_id"].tolist() == list("wxyz") and frame["cluster_id"].tolist() == ["p", "p", "q", "q"]
    with pytest.raises(ScoresError, match="cluster = 'doc.pasage' is no field .* did you mean 'doc.passage'"):
        chosen([with_fields], cluster="doc.pasage")
    with pytest.raises(ScoresError, match="errors = 'nought' is no choice"):
        Options(errors="nought")


def test_the_headline_comes_first_and_aliases_name_models():
    two = run()
    two.rows = pd.concat([two.rows, two.rows.assign(metric="best")], ignore_index=True)
    two.headline = "best"
    kept, _ = choose_runs([two], {}, {"a": "Model A"})
    frame = frame_of(kept[0])
    assert frame["metric"].iloc[0] == "best" and set(frame["model"]) == {"Model A"}
