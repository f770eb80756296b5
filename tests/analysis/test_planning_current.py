"""The published scores of current models, as the score that a plan expects."""

import pandas as pd
import pytest
from support.plans import need_alone, plan

from reportkit.analysis.planning.answered import DEFAULT, GIVEN, PILOT, PUBLISHED
from reportkit.errors import PlanError
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.prose import methods_sentence

TWO = "A:0.55; B:0.60"


def expected(p):
    return next(k for k in p.known if k.name == "mean")


def test_published_scores_say_which_score_is_expected():
    """(0.55 + 0.60) / 2 = 0.575, and no assumed 70%."""
    p, told = plan(published=TWO), plan(mean=0.575)
    assert expected(p).value == pytest.approx(0.575, abs=1e-12)
    assert expected(p).source == PUBLISHED
    assert p.need.questions == told.need.questions > need_alone().questions
    assert expected(plan()).source == DEFAULT and expected(plan()).value == 0.7


def test_what_is_given_or_seen_holds_over_published_scores():
    assert expected(plan(published=TWO, mean=0.8)).source == GIVEN
    rows = [(m, q, float((q * (3 + i)) % 7 < 4)) for i, m in enumerate("XY") for q in range(40)]
    scores = {"model": [r[0] for r in rows], "question_id": [f"q{r[1]}" for r in rows],
              "score": [r[2] for r in rows]}  # fmt: skip
    p = plan(scores=pd.DataFrame(scores), published=TWO)
    assert PUBLISHED not in {k.source for k in p.known}
    assert p.known[0].source == PILOT and [g.model for g in p.gaps] == ["B"]


def test_a_plan_tells_where_its_expected_score_is_from():
    p = plan(published=TWO)
    said = "The expected score, 57.5%, is the mean of the published scores, 55% to 60%."
    assert any(n.startswith(said) for n in plan_table(p).notes)
    said = "Range of the expected score: the lowest and the highest published score."
    table = plan_table(p, "planning-known")
    assert said in table.notes
    assert list(table.cells[0][1:]) == ["57.5%", "published scores", "55.0% to 60.0%"]
    assert "an expected score of 57.5% (the mean of published scores)" in methods_sentence(p)
    assert "an expected score of 60% (as published)" in methods_sentence(plan(published="A:0.6"))
    one = " ".join(plan_table(plan(published="A:0.6")).notes)
    assert "The expected score, 60%, is the published one. Give yours as mean." in one


def test_published_scores_that_cannot_be_expected_are_refused():
    with pytest.raises(PlanError, match="every score is 1, at which no models can be told apart"):
        plan(published="A:1; B:1")
    assert expected(plan(published="A:1; B:1", mean=0.9)).value == 0.9
    with pytest.raises(PlanError, match="score 55 of 'A' is not from 0 to 1; write 55% as 0.55"):
        plan(published="A:55; B:60")
    own = plan(published="A:4; B:7", answers="own-units", spread=3.0, difference=1.0)
    assert [g.difference for g in own.gaps] == [3.0]
