"""Which runs count: formats.md, section 9, rule by rule, on runs made here."""

from dataclasses import replace

import pandas as pd
import pytest

from reportkit.analysis.usage import usage_of
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.loading.declared import frame_of
from reportkit.loading.policies import choose_runs, told_together
from reportkit.scores.run import Run
from reportkit.scores.selfcheck import SelfCheck, verdict


def run(model="a", eval="e", n=4, **given):
    rows = pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in range(n)],
            "epoch": 1,
            "metric": "m",
            "score": [i % 2 for i in range(n)],
        }
    ).assign(status="ok", score=lambda f: f["score"].astype(float))
    given = {"file": f"{eval}-{model}-{given.get('created', '')}", "harness": "h"} | given
    return Run(eval=eval, model=model, rows=given.pop("rows", rows), **given)


def chosen(these, **options):
    kept, left, waiting = choose_runs(these, Decisions(**options), {})
    if waiting:
        raise ScoresError("\n".join(why for _, why in waiting))
    return kept, [f"{why} {instead}".rstrip() for _, why, instead in left]


def test_a_copy_counts_once():
    kept, why = chosen([run(sha256="x", file="1"), run(sha256="x", file="2"), run("b", sha256="y")])
    assert [r.file for r in kept] == ["1", "e-b-"] and len(why) == 1 and "1" in why[0]


def test_the_same_run_in_two_containers_counts_once():
    kept, _ = chosen([run(run_id="r", file="x.eval"), run(run_id="r", file="x.json")])
    assert [r.file for r in kept] == ["x.eval"]


def test_a_run_that_ended_stands_before_what_was_written_meanwhile():
    early = run(n=2, run_id="r", file="a", status="started")
    kept, [why] = chosen([early, run(run_id="r", file="b")])
    assert [r.file for r in kept] == ["b"] and "ended in b" in why


def scoring(file: str, written: str = "", metric: str = "m", right: int = 0, **given) -> Run:
    """A log of one run under one scoring."""
    made = run(run_id="r", task_id="t", file=file, created="1", written=written, **given)
    made.rows["metric"] = metric
    made.rows["score"] = [float(i % 2 == right) for i in range(len(made.rows))]
    return made


def test_of_scorings_of_the_same_answers_the_last_counts():
    """As `inspect score` leaves them: the run's id and date stay, and so do its answers."""
    early, late = (
        scoring(f, f"2026-01-0{k}T00:00:00", right=k - 1) for k, f in ((1, "a"), (2, "b"))
    )
    for these in ([early, late], [late, early]):
        for options in ({}, {"runs": "pool"}, {"runs": "first"}):
            [kept], [why] = chosen(these, **options)
            assert kept.file == "b" and why == "the same answers, scored again in b"
            assert len(kept.rows) == 4 and kept.rows["epoch"].max() == 1  # no answer twice


def test_a_log_with_all_scores_of_another_and_more_is_the_last_whatever_its_date():
    first = scoring("a", "2026-01-02T00:00:00")
    second = scoring("b", "2026-01-01T00:00:00", "n", 1)
    both = replace(second, rows=pd.concat([first.rows, second.rows], ignore_index=True))
    assert [r.file for r in chosen([first, both])[0]] == ["b"]


def test_a_log_without_scores_is_before_one_with_scores():
    bare = scoring("z", "2026-01-03T00:00:00")
    bare = replace(bare, rows=bare.rows.assign(score=float("nan"), status="unscored"))
    late = scoring("a", "2026-01-01T00:00:00")
    assert [r.file for r in chosen([late, bare])[0]] == ["a"]


@pytest.mark.parametrize("seconds", ("", "2026-01-01T00:00:02"))
def test_scorings_that_nothing_orders_are_not_pooled(seconds):
    """A zip tells times in steps of two seconds."""
    these = [scoring("a", "2026-01-01T00:00:00"), scoring("b", seconds, right=1)]
    for runs in ("ask", "latest", "pool"):
        with pytest.raises(ScoresError, match="has 2 scorings of the same answers.*a; b; name the"):
            chosen(these, runs=runs)


def test_two_runs_of_which_the_harness_made_one_name_are_two_runs():
    """Nothing tells when their logs were written: other scores are other answers."""
    these = [scoring("a"), scoring("b", right=1)]
    with pytest.raises(ScoresError, match="has 2 full runs"):
        chosen(these)
    with pytest.raises(ScoresError, match="dates do not tell the latest: 1 a; 1 b; name the files"):
        chosen(these, runs="latest")
    [both], _ = chosen(these, runs="pool")
    assert len(both.rows) == 8


def test_logs_of_one_run_id_in_another_order_are_copies():
    shuffled = run(run_id="r", file="b")
    shuffled = replace(shuffled, rows=shuffled.rows.iloc[::-1])
    assert len(chosen([run(run_id="r", file="a"), shuffled])[0]) == 1


def test_a_run_without_a_date_is_not_the_latest_by_its_name():
    with pytest.raises(
        ScoresError, match="dates do not tell the latest: no date run10.json; no date run9.json"
    ):
        chosen([run(file="run9.json"), run(file="run10.json")], runs="latest")
    with pytest.raises(ScoresError, match="do not tell the first"):
        chosen([run(file="x"), run(file="y", created="2026-01-01")], runs="first")


def test_only_what_the_dates_allow_is_offered():
    with pytest.raises(
        ScoresError,
        match=r'choose with --runs pool \(.*\[evals."e"\], runs = "pool", or name the files',
    ):
        chosen([run(file="x"), run(file="y")])


def test_parts_of_an_eval_are_joined_only_when_asked():
    whole = run(n=10)
    parts = [
        run(rows=whole.rows.iloc[a:b], file=f, created=f) for f, a, b in (("1", 0, 4), ("2", 4, 10))
    ]
    with pytest.raises(
        ScoresError, match="2 runs on different questions: 1 1; 2 2; join them with --runs pool"
    ):
        chosen(parts)
    [joined], why = chosen(parts, runs="pool")
    assert joined.rows["question_id"].nunique() == 10 and not why
    # 6 and 6 questions, 2 in common: none is a part of the other
    with pytest.raises(ScoresError, match="has 2 runs"):
        chosen([run(rows=whole.rows.iloc[:6], file="1"), run(rows=whole.rows.iloc[4:], file="2")])


def test_what_is_decided_for_an_eval_holds_for_what_was_made_of_it_and_for_no_other_name():
    rows = {"x": run().rows.assign(g="p")}
    runs = [run(eval_args=f"style={s}", rows=rows["x"], file=s) for s in ("plain (short)", "long")]
    kept, *_ = choose_runs(runs, Decisions(evals={"e": {"cluster": "g"}}), {})
    assert [(r.eval, r.cluster) for r in kept] == [
        ("e (style=plain (short))", "g"),
        ("e (style=long)", "g"),
    ]
    of_math = Decisions(evals={"MATH": {"errors": "zero"}})
    assert of_math.of("MATH (hard)") == Decisions()
    assert of_math.of("MATH (hard)", "MATH").errors == "zero"


def test_pooled_runs_say_which_of_them_the_harness_vouches_for():
    first, second = run(file="1", created="1"), run(file="2", created="2")
    first = replace(first, checks=[SelfCheck("1", "e", "a", "m", 0.5, 0.1, 0.5, 0.1, True)])
    [pooled], _ = chosen([first, second], runs="pool")
    assert verdict(pooled.checks) == "agrees for 1 of 2 runs"


def test_pooled_runs_took_what_all_of_them_took():
    """1 + 3 million tokens, 10 + 20 seconds; a run that does not say it leaves the sum unknown."""
    first = run(file="1", created="2026-01-01", tokens_in=1_000_000, tokens_out=10, seconds=10.0)
    second = run(
        file="2", created="2026-01-03", tokens_in=3_000_000, tokens_out=20, seconds=20.0,
        tokens_cache_read=5,
    )  # fmt: skip
    [both], _ = chosen([first, second], runs="pool")
    assert (both.tokens_in, both.tokens_out, both.seconds) == (4_000_000, 30, 30.0)
    assert (both.tokens_cache_read, both.since, both.created) == (5, "2026-01-01", "2026-01-03")
    [u] = usage_of(
        ["a"], [both], Decisions(prices={"a": {"input": 3.0, "output": 15.0, "cache_read": 3.0}})
    )
    # 4 million at 3 and 30 at 15 for each million
    assert u.cost == pytest.approx(12.0 + 30 * 15 / 1e6, rel=1e-12)
    assert u.created == "2026-01-01/2026-01-03"
    [both], _ = chosen([replace(first, tokens_out=0), second], runs="pool")
    assert (both.tokens_in, both.tokens_out, both.tokens_cache_read, both.seconds) == (
        0,
        0,
        0,
        30.0,
    )


def test_pooled_runs_name_every_setting_they_were_made_with():
    first = run(file="1", created="1", shots="0", limit="limit=4", temperature="0")
    second = run(file="2", created="2", shots="5", temperature="0")
    [both], _ = chosen([first, second], runs="pool")
    assert (both.shots, both.limit, both.temperature) == ("0, 5", "limit=4", "0")
    [both], _ = chosen([replace(first, shots=""), second], runs="pool")
    assert both.shots == "unknown, 5"
    versions = [replace(first, harness_version="0.3.90"), replace(second, harness_version="0.4")]
    [both], _ = chosen(versions, runs="pool")
    assert both.harness_version == "0.3.90, 0.4"
    assert both.makers() == [("h", "0.3.90"), ("h", "0.4")]
    assert first.makers() == [("h", "")]


def test_a_retry_that_failed_is_no_later_log_to_count():
    """The task ended well and was then retried in vain: what ended well counts, and the other is
    named for how it ended.
    """
    first, second = run(task_id="t", created="1"), run(task_id="t", created="2", status="error")
    kept, [why] = chosen([first, second])
    assert kept[0].file == first.file and why.startswith("the run ended with status 'error'")


def test_a_retry_replaces_what_it_retries():
    first, second = run(task_id="t", created="1", status="error"), run(task_id="t", created="2")
    kept, why = chosen([second, first])
    assert kept == [second] and "retried" in why[0]


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_end_well_is_left_out_and_said(status):
    kept, why = chosen([run(), run("b", status=status)])
    assert [r.model for r in kept] == ["a"] and status in why[0]


def test_a_smoke_test_gives_way_to_the_full_run_and_stays_where_it_is_alone():
    kept, why = chosen(
        [run(n=10, created="1"), run(n=3, created="2", limit="limit=3"), run("b", n=3)]
    )
    assert [(r.model, len(r.rows)) for r in kept] == [
        ("a", 10),
        ("b", 3),
    ] and "3 of 10 questions (limit=3)" in why[0]


def test_two_full_runs_stop_until_the_user_chooses():
    runs = [run(created="2026-01-02"), run(created="2026-01-01")]
    with pytest.raises(
        ScoresError, match="2 full runs: 2026-01-01 .*; 2026-01-02 .*--runs latest, first or pool"
    ):
        chosen(runs)
    assert [r.created for r in chosen(runs, runs="latest")[0]] == ["2026-01-02"]
    assert [r.created for r in chosen(runs, runs="first")[0]] == ["2026-01-01"]
    [pooled], why = chosen(runs, runs="pool")
    assert (
        pooled.rows["epoch"].tolist() == [1] * 4 + [2] * 4
        and not why
        and "pooled" in pooled.notes[-1]
    )


def test_versions_arguments_and_harnesses_are_evals_of_their_own():
    kept, _ = chosen([run(eval_version="1"), run("b", eval_version="2")])
    assert [r.eval for r in kept] == ["e (version 1)", "e (version 2)"]
    kept, _ = chosen([run(eval_args="subject=x"), run("b")])
    assert [r.eval for r in kept] == ["e (subject=x)", "e (defaults)"]
    kept, _ = chosen([run(eval_version="1"), run("b", harness="g")])
    assert [r.eval for r in kept] == ["e (h)", "e (g)"]


def test_a_log_that_lost_its_version_says_why_it_stands_alone():
    kept, _ = chosen([run(eval_version="2"), run("b")])
    assert [r.eval for r in kept] == ["e (version 2)", "e (version unknown)"]
    assert (
        not kept[0].notes
        and "does not tell the version of e, which others have as 2" in kept[1].notes[0]
    )


def test_the_logs_own_clusters_can_be_turned_off():
    with_clusters = run(cluster="metadata.p")
    with_clusters.rows["metadata.p"] = list("aabb")
    assert frame_of(chosen([with_clusters])[0][0])["cluster_id"].tolist() == list("aabb")
    assert frame_of(chosen([with_clusters], cluster="none")[0][0])["cluster_id"].isna().all()


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
    assert frame["question_id"].tolist() == list("wxyz") and frame["cluster_id"].tolist() == [
        "p",
        "p",
        "q",
        "q",
    ]
    with pytest.raises(
        ScoresError, match="cluster = 'doc.pasage' is no field .* did you mean 'doc.passage'"
    ):
        chosen([with_fields], cluster="doc.pasage")
    with pytest.raises(ScoresError, match="errors = 'nought' is no choice"):
        Decisions(errors="nought")


def test_the_headline_comes_first_and_aliases_name_models():
    two = run()
    rows = pd.concat([two.rows, two.rows.assign(metric="best")], ignore_index=True)
    two = replace(two, rows=rows, headline="best")
    kept, *_ = choose_runs([two], Decisions(), {"a": "Model A"})
    frame = frame_of(kept[0])
    assert frame["metric"].iloc[0] == "best" and set(frame["model"]) == {"Model A"}


def test_of_many_choices_three_are_told_and_what_decides_for_all():
    """A second night of many models on many evals asks the same of each of them."""
    assert told_together(["a", "b", "c"]) == "a\nb\nc"
    [*first, last] = told_together(["a", "b", "c", "d", "e"]).split("\n")
    assert first == ["a", "b", "c"]
    assert last == (
        "2 more of the same kind; --runs latest decides for all evals, and so does runs = "
        '"latest" at the head of reportkit.toml, before the first section'
    )
