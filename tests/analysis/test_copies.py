"""Models with the same score on every question, and when that says nothing."""

from dataclasses import replace

import numpy as np
import pytest
from support.scores_made import frame_of, result_of

from reportkit.analysis import analyse
from reportkit.analysis.copies import agreement, copies
from reportkit.scores.select import select
from reportkit.tables import make_table

RNG = np.random.default_rng(3)
A = (RNG.random(40) < 0.6).astype(float)
B = (RNG.random(40) < 0.6).astype(float)


def groups(*scores: np.ndarray) -> list[tuple[str, ...]]:
    return [c.models for c in copies(select(frame_of(np.array(scores)), "toy"))]


def test_two_models_with_the_same_scores_are_named():
    assert groups(A, B, A) == [("A", "C")]
    assert groups(A, B, A, A, B) == [("A", "C", "D"), ("B", "E")]
    assert groups(A, B) == []


def test_one_other_score_is_enough_to_differ():
    other = A.copy()
    other[17] = 1.0 - other[17]
    assert groups(A, other) == []


def test_the_same_scores_on_other_questions_are_no_copy():
    missing, elsewhere = A.copy(), A.copy()
    missing[3], elsewhere[5] = np.nan, np.nan
    assert groups(missing, elsewhere) == []
    assert groups(missing, B, missing) == [("A", "C")]


def test_scores_that_do_not_vary_say_nothing():
    ones, one_wrong = np.ones(100), np.ones(100)
    one_wrong[0] = 0.0  # log2 of 100 orders is 6.64, below 7
    assert groups(ones, ones) == [] and groups(one_wrong, one_wrong) == []


@pytest.mark.parametrize(
    ("right", "n", "named"),
    [
        # Orders of the scores, counted by hand: 126 of 9 questions with 4 right, 252 of 10 with 5;
        # 2^7 = 128 are asked for with one pair of models.
        (4, 9, False),
        (5, 10, True),
    ],
)
def test_few_questions_are_not_enough(right, n, named):
    scores = np.arange(n) < right
    assert bool(groups(scores.astype(float), scores.astype(float))) is named


def test_more_models_need_more_questions():
    """252 orders are more than 128 for one pair of models, and fewer than 128 for each of 3."""
    scores = (np.arange(10) < 5).astype(float)
    assert groups(scores, scores, 1.0 - scores) == []
    # 924 orders of 12 questions with 6 right are more than 3 * 128.
    scores = (np.arange(12) < 6).astype(float)
    assert groups(scores, scores, 1.0 - scores) == [("A", "B")]


def test_agreement_counts_orders_of_several_values():
    # 5! / (2! 2! 1!) = 30 orders
    assert 2 ** agreement(np.array([1.0, 2, 2, 1, 3])) == pytest.approx(30.0, rel=1e-12)


def test_zero_is_zero_whatever_its_sign():
    negative = np.where(A == 0.0, -0.0, A)
    e = select(frame_of(np.array([A, B])), "toy")
    e.means[:, 1] = np.where(e.means[:, 0] == 0.0, -0.0, e.means[:, 0])
    assert np.signbit(negative).any() and len(copies(e)) == 1


def test_tables_and_warnings_say_it():
    result, warnings = analyse(frame_of(np.array([A, B, A])))
    says = "A and C have the same score on every one of 40 questions: they may be copies of one"
    [warning] = [w for w in warnings if w.code == "same-scores"]
    assert warning.message.startswith(says) and "--models" in warning.message
    for kind in ("means", "differences"):
        [note] = [n for n in make_table(result, kind).notes if getattr(n, "kind", "") == "copies"]
        assert note == f"{says} model."


def test_a_copy_of_another_name_is_told_by_that_name():
    table = make_table(result_of(np.array([A, B, A])), "means").with_names({"C": "ours"})
    assert any("A and ours have the same score" in n for n in table.notes)


def test_the_columns_of_many_models_are_found_without_comparing_pairs():
    """60 models, three of them copies; the hash of a column is of all of its rows, also beyond the
    first block.
    """
    rng = np.random.default_rng(0)
    e = select(frame_of(np.array([A, B])), "toy")
    scores = (rng.random((9000, 60)) < 0.5).astype(float)
    scores[:, 41], scores[:, 7] = scores[:, 20], scores[:, 20]
    scores[:, 8] = scores[:, 20]
    scores[8999, 8] = 1.0 - scores[8999, 8]
    many = replace(e, models=tuple(f"m{i}" for i in range(60)), means=scores)
    [found] = copies(many)
    assert found.models == ("m7", "m20", "m41") and found.n_questions == 9000
