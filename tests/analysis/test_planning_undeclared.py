"""What a pilot's scores may have and nobody declared: a plan says so, and does not say that it is
not there. What is given beside a pilot and not used is told.
"""

import numpy as np
import pandas as pd
import pytest
from support.plans import need_alone, plan

from reportkit.decisions import Decisions
from reportkit.errors import PlanError
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.prose import methods_sentence

QUESTIONS, SIZE = 40, 4


def pilot(low: float = 0.0, high: float = 1.0, field: str = "passage") -> pd.DataFrame:
    """Two models' right and wrong answers, as two scores; four questions of each passage."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": model, "question_id": f"q{q}", "score": high if rng.random() < p else low,
         field: f"p{q // SIZE}"}
        for model, p in (("A", 0.7), ("B", 0.6))
        for q in range(QUESTIONS)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def text_of(*tables: object) -> str:
    return " ".join(" ".join(str(t).split()) for t in tables)


def test_a_column_that_could_be_clusters_is_named_with_what_uses_it():
    p = plan(None, pilot(), difference=0.1)
    said = text_of(
        plan_table(p), plan_table(p, "planning-known"), plan_table(p, "planning-clusters")
    )
    hint = (
        "Could be clusters of the pilot: passage (10 groups). The plan does not use them; give "
        "one: cluster = passage."
    )
    assert said.count(hint) == 3
    assert "No questions share a source" not in said
    assert p.pilot.candidates == (("passage", QUESTIONS // SIZE),)
    # that nothing was declared does not show that no questions share a source
    assert {k.name: k.source for k in p.known}["cluster_size"] == "default"


@pytest.mark.parametrize("cluster", ["passage", "none"])
def test_clusters_that_are_declared_or_refused_are_not_told(cluster):
    p = plan(None, pilot(), Decisions(cluster=cluster), difference=0.1)
    assert p.notes == () and p.pilot.candidates == ()
    assert p.shape.cluster_size == (SIZE if cluster == "passage" else 1.0)


def test_a_name_that_a_shell_would_read_is_quoted():
    p = plan(None, pilot(field="of $HOME"), difference=0.1)
    assert "cluster = 'of $HOME'." in p.notes[0]


def test_scores_from_20_to_80_could_have_a_range():
    p = plan(None, pilot(20.0, 80.0), Decisions(cluster="none"), difference=5)
    [note] = p.notes
    assert note == (
        "The pilot's scores could have a range: 0,100. Without it they are planned in units of "
        "their own, as scores without ends; give it: range = 0,100."
    )
    declared = Decisions(cluster="none", range="0,100")
    assert plan(None, pilot(20.0, 80.0), declared, difference=5).notes == ()
    assert plan(None, pilot(0.0, 100.0), Decisions(cluster="none"), difference=5).notes == ()


def test_a_kind_of_answers_beside_a_pilot_changes_nothing_and_says_so():
    right, none = pilot(), Decisions(cluster="none")
    [note] = plan(None, right, none, difference=0.1, answers="shares").notes
    assert note == (
        "answers = shares changes nothing: the pilot's scores show what they are, and a declared "
        "range where their scale ends."
    )
    in_part = right.assign(score=0.2 + 0.6 * right["score"])
    assert plan(None, in_part, none, difference=0.1, answers="shares").notes == ()


def test_an_expected_mean_beside_a_pilot_in_clusters_is_on_its_scale():
    """0 to 100 in place of 0 to 1: as many questions, and a formula that gives as many."""
    one, hundred = (
        need_alone(None, pilot(0.0, width), Decisions(cluster="passage", range=f"0,{width:g}"),
             difference=0.1 * width, mean=0.6 * width)
        for width in (1.0, 100.0)
    )  # fmt: skip
    assert (hundred.questions, hundred.equation) == (one.questions, one.equation)


def test_a_pilot_of_one_model_keeps_its_candidates_for_clusters():
    scores = pilot()
    p = plan(None, scores[scores["model"] == "A"], difference=0.1)
    assert "Could be clusters of the pilot: passage (10 groups)." in " ".join(p.notes)


def test_the_methods_sentence_has_the_pilots_clusters():
    p = plan(None, pilot(), Decisions(cluster="passage"), difference=0.1)
    assert ", from a pilot of 40 questions in 10 clusters (95% range: " in methods_sentence(p)
    beside = plan(None, pilot(), Decisions(cluster="passage"), difference=0.1, mean=0.6)
    assert "(a pilot of 40 questions in 10 clusters)" in methods_sentence(beside)
    alone = plan(None, pilot(), Decisions(cluster="none"), difference=0.1)
    assert ", from a pilot of 40 questions (95% range: " in methods_sentence(alone)


def test_the_methods_sentence_says_what_is_assumed_and_the_spread():
    """The spread of public evals is a part of sqrt(mean (1 - mean)), .458 at .7."""
    sentence = methods_sentence(plan(difference=0.05, answers="shares", correlation=0.4))
    assert (
        "for an expected score of 70% (assumed), a standard deviation of scores of 0.4" in sentence
    )
    assert (
        " (from public evals) and a correlation of 0.40; between the quartiles of public evals"
        in sentence
    )
    given = plan(difference=0.05, answers="shares", mean=0.6, spread=0.25, correlation=0.4)
    assert (
        "an expected score of 60%, a standard deviation of scores of 0.25 and a correlation"
    ) in methods_sentence(given)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        # sqrt(.8 * .2) = .4
        ({"answers": "shares", "mean": 0.8, "spread": 0.5},
         "spread = 0.5: scores from 0 to 1 with a mean of 0.8 have a standard deviation of at most "
         "0.4$"),
        ({"answers": "own-units", "spread": 0.0}, "spread = 0: where every score is the same"),
        # a traceback: the root of a negative variance
        ({"answers": "shares", "mean": 80}, "mean = 80 is no expected score between 0 and 1"),
        # and not its published error, of which such a mean leaves nothing
        ({"answers": "shares", "mean": 71.2, "spread": 0.3, "design": "unpaired",
          "other_questions": 1319, "other_se": 0.009}, r"write 71\.2% as 0\.712$"),
    ],
)  # fmt: skip
def test_a_spread_that_cannot_be_is_named_as_it_was_given(said, why):
    with pytest.raises(PlanError, match=why):
        plan(difference=0.05, **said)


def test_a_difference_that_is_small_on_a_wide_scale_is_told_as_what_it_is():
    """0.03 of 0 to 100 is 0.03%; 3% of it are 3. 0.098 of it is no 0.099%."""
    said = "a difference of 0.03 is 0.03% of it; 3% is written as 3."
    ranged = Decisions(range="0,100", cluster="none")
    assert said in " ".join(plan(None, pilot(0.0, 100.0), ranged, difference=0.03).notes)
    [note] = plan(None, pilot(0.0, 100.0), ranged, difference=0.098).notes
    assert note.endswith("a difference of 0.098 is 0.098% of it; 9.8% is written as 9.8.")
    assert plan(None, pilot(0.0, 100.0), ranged, difference=3).notes == ()
    assert plan(None, pilot(), Decisions(cluster="none"), difference=0.03).notes == ()
    assert plan(None, pilot(), Decisions(cluster="none"), difference=0.0015).notes == ()


@pytest.mark.parametrize(("difference", "said"), [(0.19, True), (0.21, False)])
def test_a_difference_below_a_fifth_of_a_percent_of_the_scale_is_told(difference, said):
    p = plan(
        None, pilot(0.0, 100.0), Decisions(range="0,100", cluster="none"), difference=difference
    )
    assert ("written as" in " ".join(p.notes)) is said
