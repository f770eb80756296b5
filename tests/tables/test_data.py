"""Every printed cell and note of the data table, counted by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_made import result_of, rows_of

from reportkit.facts import LeftOut, RunFacts, SelfCheck, Source, Unread
from reportkit.tables import make_table

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
    assert [c.head for c in make_table(result, "data").columns] == [
        "Model", "Questions", "of all", "Answers", "Without a score", "Errors",
    ]  # fmt: skip
    assert make_table(result, "data").cells == (
        ("A", "5", "100.0%", "10", "0", "0"),
        ("B", "4", "80.0%", "7", "3", "0"),
    )
    assert make_table(result, "data").notes[:2] == (
        "5 questions in all.",
        "A missing score is left out; it is never 0.",
    )


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
    assert "And 2 further files, named with all others in manifest.json." in notes


def test_of_several_evals_a_number_of_one_is_that_of_each(result):
    table = make_table([result, result_of(SCORES, eval="b")], "data")
    assert "In each eval: 5 questions in all." in table.notes
    assert [row["eval"] for row in rows_of(table)] == ["toy", "toy", "b", "b"]
