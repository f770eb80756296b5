"""A declared range of scores: where it comes from, which metric it is of, and what leaves it."""

import numpy as np
import pandas as pd
import pytest

from reportkit import analyse, read_scores, select, validate
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError
from reportkit.scores.ranges import Unit, proposed_range


def frame(score, model="A", **more):
    rows = {"model": model, "question_id": [f"q{i}" for i in range(len(score))], "score": score}
    return pd.DataFrame(rows | more)


# Which range holds --------------------------------------------------------------------------------


def test_a_range_in_the_rows_and_one_that_is_decided():
    rows = frame([1.0, 4, 10], score_range=["1,10", None, "1.0, 10"])
    assert select(rows).unit == Unit(1.0, 10.0, "declared")
    assert select(rows, unit=True).means.ravel().tolist() == [0.0, round(1 / 3, 15), 1.0]
    assert select(rows).means.ravel().tolist() == [1.0, 4.0, 10.0]  # as they came, if not asked
    assert analyse(rows)[0].scale.low == 1.0
    assert analyse(rows, range=(0, 10))[0].scale.low == 0.0  # a decision beats the rows
    assert analyse(rows, range="none")[0].scale.known == ""


def test_rows_that_disagree_are_refused_until_it_is_decided():
    rows = frame([1.0, 4, 10], score_range=["1,10", "0,10", None])
    with pytest.raises(ScoresError, match="range is '0,10' and '1,10'; decide it with range"):
        analyse(rows)
    assert analyse(rows, range="0,10")[0].scale.known == "declared"


def test_a_range_is_of_one_metric():
    """Two metrics in rows, and `f1` in a column of its own beside the first."""
    rows = pd.concat([
        frame([0.0, 1, 1], metric="acc", f1=[0.0, 50, 100]),
        frame([1.0, 10, 4], metric="judge"),
    ])  # fmt: skip
    for metric, said, low, high in (
        ("acc", "judge:1,10", 0.0, 1.0),
        ("judge", "judge:1,10", 1.0, 10.0),
        ("judge", "0,10", 0.0, 10.0),
        ("f1", "0,200", 0.0, 200.0),
        ("f1", "judge:1,10;f1:0,100", 0.0, 100.0),
    ):
        scale = analyse(rows, metric=metric, range=said)[0].scale
        assert (scale.low, scale.high) == (low, high), (metric, said)
    assert analyse(rows, metric="f1", range="judge:1,10")[0].scale.known == ""
    # Read with all decisions, each metric finds its own.
    several = rows.assign(score_range=[*["0,1;f1:0,100"] * 3, *["1,10"] * 3])
    found = {m: select(several, metric=m).unit.ends for m in ("acc", "judge", "f1")}
    assert found == {"acc": (0.0, 1.0), "judge": (1.0, 10.0), "f1": (0.0, 100.0)}


def test_read_scores_writes_it_into_the_rows(tmp_path):
    frame([1.0, 4, 10]).to_csv(tmp_path / "e.csv", index=False)
    found = read_scores(tmp_path / "e.csv", decisions=Decisions(evals={"e": {"range": [1, 10]}}))
    assert found["score_range"].tolist() == ["1,10"] * 3
    assert analyse(found)[0].scale.known == "declared"


def test_a_range_that_is_none_is_refused_with_its_row():
    with pytest.raises(ScoresError, match="'score_range': no range in 1 of 2 rows: '0-1' .row 2."):
        analyse(frame([0.1, 0.2], score_range=["0,1", "0-1"]))


# Scores that leave it -----------------------------------------------------------------------------


@pytest.mark.parametrize("outside", [0.5, 10.25, -3.0])
def test_one_score_outside_is_named(outside):
    rows = frame([1.0, outside, 10], model=["A", "B", "A"], eval="E")
    shown = f"{outside:g}".replace("-", "−")
    with pytest.raises(ScoresError) as caught:
        analyse(rows, range="1,10")
    assert str(caught.value) == (
        "eval 'E': 1 score is outside the declared range of 'score', 1 to 10; the first is "
        f"{shown} of model 'B' on question 'q1'; correct the score, or the range"
    )


def test_a_failed_answer_that_counts_as_0_below_the_range_says_what_to_do():
    """Nobody can correct the 0 of --errors zero."""
    rows = frame([1.0, np.nan, 10], status=["ok", "error", "ok"])
    with pytest.raises(ScoresError, match="counts as 0 because the answer failed; leave such"):
        analyse(rows, range="1,10", errors="zero")
    assert analyse(rows, range="1,10", errors="exclude")[0].means[0].mean == 5.5


def test_ends_are_inside_and_missing_scores_are_nowhere():
    rows = frame([1.0, 10.0, np.nan])
    assert analyse(rows, range="1,10")[0].means[0].n_questions == 2
    assert validate(rows) == []


# 0 and 100 ----------------------------------------------------------------------------------------


def test_0_and_100_are_two_values_without_a_declaration():
    unit = select(frame([0.0, 100, 100])).unit
    assert unit == Unit(0.0, 100.0, "seen") and select(frame([0.0, 100, 100])).binary
    assert select(frame([100.0, 100])).unit.known == "seen"
    assert select(frame([0.0, 0])).unit == Unit()  # 0 alone is a 0 of 0 and 1
    assert select(frame([0.0, 50, 100])).unit.known == ""
    assert select(frame([0.0, 1, 1])).unit == Unit()
    found = analyse(frame([0.0, 100, 100]), range="none")[0]
    assert found.scale.known == "" and found.means[0].method == "none"


def test_check_proposes_and_never_guesses():
    found = {
        "1,5": [1, 2, 5.0],
        "0,5": [0.5, 5],
        "1,7": [1, 6],
        "1,10": [2, 9],
        "0,10": [0, 8],
        "0,100": [3, 72.5],
        "-1,1": [-0.2, 0.9],
        "": [0.1, 0.9],
    }
    assert {proposed_range(np.array(scores)): scores for scores in found.values()} == found
    assert proposed_range(np.array([-3.0, 5.0])) == proposed_range(np.array([5.0, 300.0])) == ""
    assert analyse(frame([2.0, 9.0]))[0].scale.known == ""
