"""A model by another name has it wherever a result says its name."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from support.scores_made import result_of
from support.suites_made import suite_results

from reportkit.analysis.suite import suite_of
from reportkit.errors import ScoresError
from reportkit.facts import Copies, FlaggedRows, LeftOut, OtherQuestions, RunFacts
from reportkit.figures import draw
from reportkit.results import CertificateResult
from reportkit.tables import KINDS, make_table
from reportkit.tables.renaming import in_captions, renamed, renamed_result

NAN = math.nan
RIGHT = np.array([[1, 1, 1, 0, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 1, 0, 0, 1, 0]])


@pytest.fixture
def full():
    """A result with every kind of record that names a model: B, and A and C beside it."""
    run = RunFacts("helm", "toy", "B")
    one = CertificateResult("B", "A", "t", 8, 8, 16, 0.1, NAN, NAN, 0.95, 0.9, 0.01, 0.0, 2000, "")
    return replace(
        result_of(RIGHT, baseline="B"),
        best=("A", "B"),
        untold=("B",),
        leader="B",
        runs=(run,),
        left_out=(LeftOut(run, "older"), LeftOut(replace(run, model="D"), "broken")),
        certificates=(one, replace(one, model="A", baseline="B")),
        copies=(Copies(("A", "B"), 8),),
        other_questions=(OtherQuestions("B", 8, 4, 0),),
        flagged=(FlaggedRows("failed", False, 3, 24, 1, (("B", 2), ("A", 1))),),
    )


def test_nothing_calls_the_model_by_its_old_name(full):
    """Each field of the result that says B says Ours then, and nothing else changes."""
    renamed = renamed_result(full, {"B": "Ours"})
    said = [f.name for f in fields(full) if "'B'" in repr(getattr(full, f.name))]
    assert {"means", "differences", "pairs", "ranks", "left_out", "copies", "flagged"} <= set(said)
    for f in fields(full):
        old, new = repr(getattr(full, f.name)), repr(getattr(renamed, f.name))
        assert new == old.replace("'B'", "'Ours'"), f.name


def test_two_names_are_exchanged(full):
    renamed = renamed_result(full, {"A": "B", "B": "A"})
    assert (renamed.models, renamed.baseline) == (("B", "A", "C"), "A")
    assert renamed.flagged[0].models == (("A", 2), ("B", 1))
    other = renamed_result(full, {"C": "Ours"})
    assert (other.baseline, other.leader, other.best) == ("B", "B", ("A", "B"))
    with pytest.raises(ScoresError) as caught:
        renamed_result(full, {"A": "C"})
    assert str(caught.value) == "two models of eval 'toy' would be called 'C'; choose two names"


def test_a_suite_has_the_other_name_in_every_eval():
    suite = suite_of(suite_results(3, 3))
    old = suite.models[0]
    new = renamed(suite, {old: "ours"})
    assert new.models[0] == "ours" and all("ours" in r.models for r in new.evals)
    assert old not in str(new) and [r.n_questions for r in new.evals] == [40, 40, 40]


def test_marks_and_notes_of_a_table_follow_the_name():
    """C answered the first four questions alone: its mean keeps the mark."""
    part = np.where(np.arange(8) < 4, RIGHT[2], NAN)
    table = make_table(result_of(np.array([RIGHT[0], RIGHT[1], part])), "means")
    renamed = table.with_names({"C": "Ours"})
    assert [row[1:] for row in renamed.cells] == [row[1:] for row in table.cells]
    assert "‡" in renamed.cells[2][1] and any(
        n == "‡: not of all 8 questions: Ours 4 of 8." for n in renamed.notes
    )


LONG = "model-" + "x" * 190 + "-v2"
SHORT = "model-" + "x" * 24 + "…" + "x" * 26 + "-v2"  # 60 characters, as figures write it


@pytest.mark.parametrize("kind", sorted(k for k, v in KINDS.items() if v.one and not v.records))
def test_no_long_name_stands_whole_in_a_caption_or_a_note(kind):
    """A name of 199 letters made a caption of seven lines. The cells and the CSV have it whole."""
    names = {"A": LONG, "B": "short"}
    result = replace(renamed_result(result_of(RIGHT, baseline="A"), names), eval="e" * 200)
    table = make_table(result, kind)
    texts = [table.title, *table.notes]
    if table.whole is not None:
        texts += [table.whole.title, *table.whole.notes]
    assert not [t for t in texts if LONG in t or "e" * 61 in t]
    assert table.data == make_table(result, kind).data
    assert not [r for r in table.data if SHORT in r.values() or "…" in str(r.get("eval"))]


def test_a_caption_says_the_short_name():
    result = renamed_result(result_of(RIGHT, baseline="A"), {"A": LONG})
    table = make_table(result, "differences")
    assert f"Model minus {SHORT}, in" in table.title
    assert {row[0] for row in make_table(result, "means").cells} == {LONG, "B", "C"}
    figure = draw(result, "differences")
    assert SHORT in figure.title and LONG not in figure.title
    assert SHORT in figure.alt and LONG not in figure.alt


def test_short_names_stay_as_they_are():
    results = [result_of(RIGHT)]
    assert in_captions(results) is results
