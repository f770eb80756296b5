"""A model by another name has it wherever a result says its name."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from support.scores_made import result_of

from reportkit.errors import ScoresError
from reportkit.facts import Copies, FlaggedRows, LeftOut, OtherQuestions, RunFacts
from reportkit.results import CertificateResult
from reportkit.tables import make_table
from reportkit.tables.renaming import renamed_result

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


def test_marks_and_notes_of_a_table_follow_the_name():
    """C answered the first four questions alone: its mean keeps the mark."""
    part = np.where(np.arange(8) < 4, RIGHT[2], NAN)
    table = make_table(result_of(np.array([RIGHT[0], RIGHT[1], part])), "means")
    renamed = table.with_names({"C": "Ours"})
    assert [row[1:] for row in renamed.cells] == [row[1:] for row in table.cells]
    assert "‡" in renamed.cells[2][1] and any(
        n == "‡: not of all 8 questions: Ours 4 of 8." for n in renamed.notes
    )
