"""Whole tables over several evals, every cell, number, key and note, from records made by hand."""

import csv
import io
import math
from dataclasses import replace

import pytest

from reportkit.results import EvalResult, MeanResult, Scale
from reportkit.tables import make_table
from reportkit.tables.cells import Style
from reportkit.tables.draft import table_of_several
from reportkit.tables.grid import Column
from reportkit.tables.means import means
from reportkit.tables.notes import NOTHING, Note, joined_notes
from reportkit.tables.writers.render import render_table

DASH = "\N{EM DASH}"
ONE = MeanResult(
    "A", 0.6, 0.03, 12.3, 0.54, 0.66, 0.95, "t", 900, 60, 900, 0, 0, 0.02, 2.25, 0.1, 0.2
)


def eval_of(name: str, *made: MeanResult, **fields) -> EvalResult:
    given = {"metric": "match", "n_questions": 900, "n_clusters": 60, "baseline": ""} | fields
    return EvalResult(
        eval=name,
        models=tuple(m.model for m in made),
        means=made,
        differences=(),
        power=(),
        **({"clustered": True, "cluster_field": "passage", "scale": Scale(0, 1, True, False)}
           | given),
    )  # fmt: skip


A, B = ONE, replace(ONE, model="B", mean=0.5, se=0.04, ci_low=0.42, ci_high=0.58)
FIRST = eval_of("first", A, B, best=("A",), category="Code", shots=("5", "0"), fictional=True)
SECOND = eval_of(
    "second",
    replace(A, n_questions=100, n_answers=200, mean=0.1),
    metric="f1",
    n_questions=1100,
    n_clusters=7,
    clustered=False,
    category="Maths",
    fictional=True,
)
THIRD = eval_of("third", A, B, category="Code", best=("B",), fictional=True)


def without_bold(table) -> list[str]:
    return [n for n in table.notes if n.kind != "bold"]


def test_models_in_columns():
    """Evals of one category stand together; B has no score in the second eval."""
    table = make_table([FIRST, SECOND, THIRD], "means")
    assert (table.name, table.title) == (
        "means",
        "Mean score (standard error) of 2 models on 3 evals. Metric: match, f1 on second; 900 to "
        "1,100 questions in each eval.",
    )
    assert table.columns == (
        Column("Eval", "l", key="eval"),
        Column("Metric", "l", key="metric"),
        Column("Questions", "r", key="questions"),
        Column("Clusters", "r", key="clusters"),
        Column("Shots", "r", key="shots"),
        Column("Answers", "r", key="answers"),
        Column("A", "r", key="model:A"),
        Column("B", "r", key="model:B"),
    )
    assert table.cells == (
        ("first", "match", "900", "60", "5, 0", "1", "60.0% (3.0%)", "50.0% (4.0%)"),
        ("third", "match", "900", "60", DASH, "1", "60.0% (3.0%)", "50.0% (4.0%)"),
        ("second", "f1", "1,100", DASH, DASH, "2", "10.0% (3.0%)", DASH),
    )
    assert table.values == (
        (None, None, 900, 60, None, None, 0.6, 0.5),
        (None, None, 900, 60, None, None, 0.6, 0.5),
        (None, None, 1100, None, None, None, 0.1, None),
    )
    assert table.bold == {(0, 6), (1, 7)}
    assert table.sections == ((0, "Code"), (2, "Maths"))
    found = [(str(n), n.kind, n.about) for n in table.notes if n.kind != "bold"]
    assert found == [
        ("Fictional models, generated scores.", "fictional", ""),
        ("Answers: for each question.", "", "answers"),
        (f"Clusters {DASH}: none are declared.", "", "clusters"),
        (f"{DASH}: the model has no scores of that eval.", "", ""),
    ]
    rows = list(csv.DictReader(io.StringIO(render_table(table, "csv"))))
    assert [(row["eval"], row["metric"], row["model"], row["mean"]) for row in rows] == [
        ("first", "match", "A", "0.6"),
        ("first", "match", "B", "0.5"),
        ("third", "match", "A", "0.6"),
        ("third", "match", "B", "0.5"),
        ("second", "f1", "A", "0.1"),
    ]
    frame = table.to_frame()
    assert list(frame["A"]) == [0.6, 0.6, 0.1] and list(frame["B SE"][:2]) == [0.04, 0.04]
    assert math.isnan(frame["B"][2])


def test_columns_that_say_nothing_are_left_out():
    plain = replace(FIRST, clustered=False, shots=(), category="", fictional=False)
    table = make_table([plain, replace(plain, eval="b")], "means")
    assert [c.key for c in table.columns] == ["eval", "questions", "model:A", "model:B"]
    assert without_bold(table) == [] and table.sections == ()
    assert "Metric: match; 900 questions in each eval." in table.title


def test_shots_and_answers_that_differ_stand_beside_each_other():
    """900 answers to 900 questions and 1,350 to 900: 1 and 1.5."""
    more = replace(FIRST, means=(A, replace(B, n_answers=1350)), shots=("5", "5"))
    none = replace(B, n_questions=0, n_answers=0, mean=math.nan, se=math.nan)
    gone = replace(FIRST, eval="gone", means=(A, none), shots=("", ""))
    table = make_table([more, gone], "means")
    keys = [c.key for c in table.columns]
    shots, answers = keys.index("shots"), keys.index("answers")
    assert [row[shots] for row in table.cells] == ["5", DASH]
    assert [row[answers] for row in table.cells] == ["1, 1.5", "1"]
    assert "gone: No score of this metric: B." in table.notes


def test_evals_of_one_name_say_their_metric():
    table = make_table([FIRST, replace(FIRST, metric="f1"), THIRD], "means")
    assert [row[0] for row in table.cells] == ["first (match)", "first (f1)", "third"]


@pytest.mark.parametrize(("n", "length"), [(8, 24), (9, 25), (40, 60)])
def test_models_stand_in_columns_whatever_their_number_and_names(n, length):
    made = [replace(ONE, model=f"{i}".ljust(length, "m")) for i in range(n)]
    table = make_table([eval_of("a", *made), eval_of("b", *made)], "means")
    assert sum(c.key.startswith("model:") for c in table.columns) == n and table.fit


@pytest.mark.parametrize(
    ("lower", "words"), [(False, ("highest", "lower")), (True, ("best", "worse"))]
)
@pytest.mark.parametrize("models", [2, 3])
def test_what_bold_stands_for_in_each_row(models, lower, words):
    made = [replace(ONE, model=f"m{i}", level=0.9) for i in range(models)]
    one = eval_of("a", *made, best=("m0",))
    other = replace(one, eval="b", lower=lower)
    tests = "the one-sided paired test does"
    if models > 2:
        tests = "one-sided paired tests against all others do"
    text = (
        "Bold: in each row the 90% confidence set for the best model: the "
        f"{words[0]} mean, and every model that {tests} not find {words[1]} at the 10% level."
    )
    (note,) = [n for n in make_table([one, other], "means").notes if n.kind == "bold"]
    assert note == text
    none = [replace(r, best=()) for r in (one, other)]
    assert not [n for n in make_table(none, "means").notes if n.kind == "bold"]


def test_rows_below_each_other():
    """The column of an eval stands first; columns that one of them lacks go."""
    drafts = [means(r, Style()) for r in (FIRST, SECOND)]
    table = table_of_several(drafts, "error-bars")
    table = table.whole or table
    assert table.columns[:2] == (
        Column("Eval", "l", key="eval"),
        Column("Model", "l", key="model"),
    )
    alone = make_table(FIRST, "means")
    alone = alone.whole or alone  # with a column of shots, which the other lacks
    assert "shots" in [c.key for c in alone.columns]
    kept = [i for i, c in enumerate(alone.columns) if c.key != "shots"]
    assert table.columns[1:] == tuple(alone.columns[i] for i in kept)
    for stacked, single in ((table.cells, alone.cells), (table.values, alone.values)):
        assert [list(row[1:]) for row in stacked[:2]] == [[row[i] for i in kept] for row in single]
    keys = [c.key for c in table.columns]
    cells, values = (dict(zip(keys, rows[2], strict=True)) for rows in (table.cells, table.values))
    assert [cells[k] for k in ("eval", "model", "mean", "ci", "questions", "clusters")] == [
        "second", "A", "10.0% (3.0%)", "(54.0%, 66.0%)", "100", DASH,
    ]  # fmt: skip
    assert [values[k] for k in ("eval", "model", "mean", "ci", "questions", "answers")] == [
        None, None, 0.1, 0.54, 100, 2,
    ]  # fmt: skip
    assert (table.name, table.title) == (
        "means",
        "Mean score (standard error) of each model, on 2 evals. 95% intervals: Student's t; "
        "metric: match, f1 on second; 900 to 1,100 questions in each eval.",
    )
    assert (table.bold, table.sections) == ({(0, 2)}, ((0, "Code"), (2, "Maths")))
    assert [d["model"] for d in table.data] == ["A", "B", "A"]
    assert list(table.to_frame()["Eval"]) == ["first", "first", "second"]


def test_notes_of_several_evals_keep_what_they_know():
    everywhere = Note("All.", "a", about="x")
    counting = Note("3 pairs.", "b", about="y", counts=True)
    alone = Note("4 pairs.", "c", about="z", counts=True)
    two = [FIRST, THIRD]
    joined = joined_notes(two, [[alone, everywhere, counting], [everywhere, counting]])
    assert [(str(n), n.kind, n.about, n.counts) for n in joined] == [
        ("All.", "a", "x", False),
        ("In each eval: 3 pairs.", "b", "y", False),
        ("first: 4 pairs.", "c", "z", True),
    ]
    # What holds of the only eval with a number needs no name of it.
    none = Note("No number.", NOTHING)
    joined = joined_notes(two, [[none], [everywhere, alone]])
    assert joined == ("All.", "4 pairs.", "first: No number.")
    assert joined_notes(two, [[none], [none]]) == ("No number.",)
    one = joined_notes([FIRST], [[counting]])
    assert [(str(n), n.counts) for n in one] == [("3 pairs.", True)]


def test_what_holds_for_the_same_evals_stands_behind_their_names_once():
    """Three long names stood in two sentences, one behind the other."""
    two, name = [FIRST, THIRD], THIRD.eval
    both = [Note("First."), Note("Second.")]
    assert joined_notes(two, [[], both]) == (f"{name}: First. Second.",)
    assert joined_notes(two, [[], [Note("First."), Note("Second.", "undefined")]]) == (
        f"{name}: First.", f"{name}: Second.",
    )  # fmt: skip
