"""Every printed cell and note of the data table, counted by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_made import result_of, rows_of

from reportkit.facts import LeftOut, RunFacts, SelfCheck, Source, Unread
from reportkit.results import UsageResult
from reportkit.tables import make_table
from reportkit.tables.usage import money_text, time_text

DASH = "\N{EM DASH}"
NAN = np.nan
# A answered all of 5 questions twice; B lacks one answer to q1 and both to q2.
SCORES = np.array(
    [
        [[1, 0], [1, 1], [0, 0], [1, 1], [0, 1]],
        [[1, 1], [0, NAN], [NAN, NAN], [1, 0], [0, 0]],
    ]
)


def run(model: str, **facts) -> RunFacts:
    """What a log tells of a run."""
    return RunFacts("inspect", "toy", model, harness_version="0.3.1", **facts)


def check(reason: str = "", agrees: bool = True) -> SelfCheck:
    return replace(SelfCheck("f", "toy", "A", "points", 0.5, 0.1, 0.5, 0.1, agrees), reason=reason)


@pytest.fixture(scope="module")
def result():
    return result_of(SCORES)


def test_what_was_read(result):
    """B: 4 of 5 questions, 7 of 10 answers."""
    table = make_table(result, "data")
    assert [c.head for c in table.columns] == [
        "Model", "Questions", "of all", "Answers", "Without a score",
    ]  # fmt: skip
    assert table.cells == (("A", "5", "100.0%", "10", "0"), ("B", "4", "80.0%", "7", "3"))
    assert table.whole.columns[-1].head == "Errors"
    assert table.notes[:2] == (
        "Each model: no errors.",
        "A missing score is left out; no 0 takes its place.",
    )


def test_answers_that_are_the_questions_again_have_no_column():
    """A answered 3 questions and B 2, each once. It stays where a log says how many it planned, and
    where an eval below has several answers to each.
    """
    once = result_of([[1, 0, 1], [1, 0, NAN]], eval="once")
    twice = result_of(SCORES, eval="twice")
    table = make_table(once, "data")
    assert [c.head for c in table.columns] == ["Model", "Questions", "of all", "Without a score"]
    assert [row[:2] for row in table.cells] == [("A", "3"), ("B", "2")]
    assert "answers" in [c.key for c in table.whole.columns]
    assert [row["n_answers"] for row in table.data] == [3, 2]
    logged = replace(once, runs=(run("A", n_planned=3),), n_planned=(3, 0))
    for stays in (make_table(logged, "data"), make_table([once, twice], "data")):
        assert "Answers" in [c.head for c in stays.columns]
    two = make_table([once, replace(once, eval="again")], "data")
    assert "Questions" in [c.head for c in two.columns] and "Answers" not in str(two)


def test_of_logs_what_was_planned_and_the_check(result):
    logs = (run("A", n_planned=1200, checks=[check()]), run("B"))
    logged = replace(result, runs=logs, n_planned=(1200, 0))
    rows = rows_of(make_table(logged, "data"))
    assert [row["planned"] for row in rows] == ["1,200", DASH]
    assert [row["check"] for row in rows] == ["agrees", DASH]
    differs = replace(result, runs=(run("A", checks=[check("0.5 is not 0.7", agrees=False)]),))
    table = make_table(differs, "data")
    assert rows_of(table)[0]["check"] == "differs"
    assert "A: the harness check differs: 0.5 is not 0.7." in table.notes
    assert any("that inspect 0.3.1 printed" in n for n in table.notes)


def test_questions_that_no_model_has_a_score_of(result):
    """8 were asked: 5 of 8 and 4 of 8."""
    table = make_table(replace(result, n_asked=8), "data")
    assert [row["share"] for row in rows_of(table)] == ["62.5%", "50.0%"]
    assert "8 questions in all, of which 5 have a score." in table.notes


def test_answers_that_count_as_zero_are_errors_too(result):
    table = make_table(replace(result, zeroed=(0, 2)), "data")
    assert [row["errors"] for row in rows_of(table)] == ["0", "2"]
    assert any("answers that failed or were not given count as 0" in n for n in table.notes)


def test_what_does_not_count_is_named(result):
    dated = run("A", file="x.eval", created="2025-01-02T03:04")
    left = (
        LeftOut(dated, "retried by", "y.eval"),
        LeftOut(replace(dated, created=""), "retried by"),
    )
    files = tuple(Source(f"f{i}", "ab" * 32, 1000 + i) for i in range(8))
    table = make_table(
        replace(
            result,
            left_out=left,
            unread=tuple(Unread(f"u{i}", "broken") for i in range(7)),
            options={"errors": "zero", "aliases": {"a": "b"}},
            sources=files,
        ),
        "data",
    )
    notes = list(table.notes)
    assert "Left out: A, x.eval of 2025-01-02: retried by y.eval." in notes
    assert "Left out: A, x.eval: retried by." in notes
    assert "Not read: u5: broken." in notes and "Not read: u6: broken." not in notes
    assert "And 1 further file not read." in notes
    assert "Decided for this eval: errors = zero." in notes
    assert "f0: 1,000 rows, SHA-256 abababababab." in notes
    assert "And 2 further files." in notes and "manifest.json names all of them." in notes


def test_of_several_evals_a_number_of_one_is_that_of_each(result):
    both = [replace(r, n_asked=6) for r in (result, result_of(SCORES, eval="b"))]
    table = make_table(both, "data")
    assert "In each eval: 6 questions in all, of which 5 have a score." in table.notes
    assert [row["eval"] for row in rows_of(table)] == ["toy", "toy", "b", "b"]


def test_how_many_questions_there_are_is_said_where_no_row_says_it(result):
    """A has all 5: its row says so."""
    assert not [n for n in make_table(result, "data").notes if "in all" in n]


def test_every_cell_number_key_and_note_of_a_read_eval(result):
    """The whole table, of logs: A planned 1,200 answers, B's log does not say how many."""
    made = [
        run("A", n_planned=1200, checks=[check()]),
        run("B", checks=[replace(check("no numbers", agrees=None), metric="other")]),
    ]
    read = replace(
        result,
        runs=tuple(made),
        n_planned=(1200, 0),
        n_asked=6,
        left_out=(LeftOut(run("B", file="z"), "older"),),
        unread=(Unread("u", "broken"),),
        sources=(Source("f", "cd" * 32, 17),),
    )
    table = make_table(read, "data").whole
    assert (table.name, table.title) == ("data", "toy: what was read.")
    assert [(c.head, c.align, c.key) for c in table.columns] == [
        ("Model", "l", "model"),
        ("Questions", "r", "questions"),
        ("of all", "r", "share"),
        ("Planned", "r", "planned"),
        ("Answers", "r", "answers"),
        ("Without a score", "r", "unscored"),
        ("Errors", "r", "errors"),
        ("Harness check", "l", "check"),
    ]
    assert table.cells == (
        ("A", "5", "83.3%", "1,200", "10", "0", "0", "agrees"),
        ("B", "4", "66.7%", DASH, "7", "3", "0", DASH),
    )
    assert table.values == (
        (None, 5, 5 / 6, 1200, 10, 0, 0, None),
        (None, 4, 4 / 6, None, 7, 3, 0, None),
    )
    assert [(str(n), n.kind, n.about, n.counts) for n in table.notes] == [
        ("6 questions in all, of which 5 have a score.", "questions", "", True),
        (
            "Harness check: whether the means and standard errors that inspect 0.3.1 printed "
            "come out of the rows.",
            "check",
            "",
            False,
        ),
        ("Left out: B, z: older.", "left out", "", False),
        ("Not read: u: broken.", "unread", "", False),
        ("A missing score is left out; no 0 takes its place.", "missing", "", False),
        ("f: 17 rows, SHA-256 cdcdcdcdcdcd.", "file", "", False),
    ]
    assert table.data == (
        {
            "eval": "toy",
            "metric": "points",
            "model": "A",
            "n_questions": 5,
            "n_clusters": 5,
            "n_answers": 10,
            "n_unscored": 0,
            "n_errors": 0,
            "n_planned": 1200,
            "n_runs": 1,
            "harness_check": "agrees",
        },
        {
            "eval": "toy",
            "metric": "points",
            "model": "B",
            "n_questions": 4,
            "n_clusters": 4,
            "n_answers": 7,
            "n_unscored": 3,
            "n_errors": 0,
            "n_planned": None,
            "n_runs": 1,
            "harness_check": "",
        },
    )


def test_the_kinds_of_the_other_notes(result):
    """Of one file more than are named, of a decision, of zeros, of a check that says why."""
    six = [Unread(f"u{i}", "broken") for i in range(6)]
    files = [Source(f"f{i}", "ab" * 32, 1) for i in range(6)]
    logs = (run("A", checks=[check("0.5 is not 0.7", agrees=False)]),)
    full = replace(result, unread=tuple(six), sources=tuple(files))
    assert not [n for n in make_table(full, "data").notes if "further" in n]
    more = replace(
        full,
        unread=(*six, six[0]),
        sources=(*files, files[0]),
        options={"errors": "zero", "id": "x"},
        zeroed=(1, 0),
        runs=logs,
    )
    notes = [(str(n), n.kind) for n in make_table(more, "data").notes]
    assert [n for n in notes if not n[0].startswith(("Not", "f", "Harness", "5"))] == [
        ("A: the harness check differs: 0.5 is not 0.7.", "check"),
        ("And 1 further file not read.", "unread"),
        ("Decided for this eval: errors = zero, id = x.", "options"),
        (
            "A missing score is left out; answers that failed or were not given count as 0.",
            "missing",
        ),
        ("And 1 further file.", "file"),
        ("manifest.json names all of them.", "files"),
    ]
    assert [k for text, k in notes if text.startswith("Not read")] == ["unread"] * 6


# What the runs took -------------------------------------------------------------------------------


def used(model: str, **told) -> UsageResult:
    nothing = {"created": "", "tokens_in": NAN, "tokens_out": NAN, "seconds": NAN, "time_of": ""}
    return UsageResult(model, **(nothing | {"cost": NAN, "currency": ""} | told))


def test_what_the_runs_took(result):
    usage = (
        used("A", created="2026-11-19/2026-11-21", tokens_in=1234567, tokens_out=89.0,
             seconds=125.4, cost=1234.567, currency="EUR"),
        used("B", created="2026-11-20", seconds=0.3, time_of="one run of 2 evals together"),
    )  # fmt: skip
    table = make_table(replace(result, usage=usage), "data")
    heads = {c.key: c.head for c in table.columns}
    assert heads["cost"] == "Cost (EUR)"
    a, b = rows_of(table)
    keys = ("created", "tokens_in", "tokens_out", "seconds", "cost")
    assert [a[k] for k in keys] == [
        "2026-11-19 to 2026-11-21", "1,234,567", "89", "2 min 5 s", "1,234.57",
    ]  # fmt: skip
    assert [b[k] for k in keys] == ["2026-11-20", DASH, DASH, "<1 s §", DASH]
    assert "§: the time of one run of 2 evals together." in table.notes
    assert "Time: from the start of a run to its end." in table.notes
    assert any(n.startswith("Cost: tokens times the prices") for n in table.notes)
    first, second = table.data
    assert first["cost"] == 1234.567 and first["created"] == "2026-11-19/2026-11-21"
    assert second["time_of"] == "one run of 2 evals together" and np.isnan(second["cost"])


def test_a_fact_that_no_log_holds_is_no_column(result):
    usage = (used("A", created="2026-11-20"), used("B"))
    table = make_table(replace(result, usage=usage), "data")
    keys = {c.key for c in table.columns}
    assert "created" in keys and not keys & {"tokens_in", "tokens_out", "seconds", "cost"}
    assert [row["created"] for row in rows_of(table)] == ["2026-11-20", DASH]
    assert not any(n.startswith(("Tokens:", "Time:", "Cost:", "§")) for n in table.notes)
    assert not {"created", "cost"} & {*make_table(result, "data").data[0]}


def test_of_several_evals_a_column_that_one_has_all_have(result):
    other = replace(result, eval="other", usage=(used("A", tokens_in=7.0, tokens_out=8.0),))
    table = make_table([result, other], "data")
    assert [row["tokens_in"] for row in rows_of(table)] == [DASH, DASH, "7", DASH]
    assert [row.get("tokens_out") for row in table.data] == [None, None, 8.0, None]


@pytest.mark.parametrize(
    "seconds, text",
    [(0.99, "<1 s"), (1.0, "1 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (3599.7, "1 h 0 min"),
     (7265, "2 h 1 min"), (86400 * 2, "48 h 0 min")],
)  # fmt: skip
def test_times(seconds, text):
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    "cost, text", [(0.0, "0.00"), (0.0049, "<0.01"), (0.005, "0.01"), (9999.999, "10,000.00")]
)
def test_costs(cost, text):
    assert money_text(cost) == text
