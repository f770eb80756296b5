"""Models with the same score on every question, and when that says nothing."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from support.scores_made import frame_of, result_of

from reportkit.analysis import analyse
from reportkit.analysis.copies import _without_rounding, agreement, copies
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


def test_the_same_answers_in_another_order_are_a_copy():
    """The answers 0.1, 0.7, 0.9 in another order have another mean, by rounding alone."""
    answers = np.array([[0.1, 0.7, 0.9], [0.3, 0.2, 0.1], [0.2, 0.1, 0.9], [0.1, 0.4, 0.7]] * 5)
    assert (answers.mean(axis=1) != answers[:, ::-1].mean(axis=1)).any()
    assert groups(answers, answers / 3, answers[:, ::-1]) == [("A", "C")]
    other = answers.copy()
    other[7, 1] += 0.001
    assert groups(answers, other) == []


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
    """Three pairs ask for 7 + log2(3) = 8.58 bits. 10 questions with 5 right have log2(252) = 7.98.
    With 12, log2(924) = 9.85, but the third model, which is right where they are wrong, leaves
    -log2(0.75^2 + 0.25^2) = 0.678 a question: 8.14 of 12, 9.49 of 14.
    """
    for n, named in ((10, []), (12, []), (14, [("A", "B")])):
        scores = (np.arange(n) < n // 2).astype(float)
        assert groups(scores, scores, 1.0 - scores) == named


def of_many(scores: np.ndarray) -> list[tuple[str, ...]]:
    """The groups of any number of models; scores: questions x models."""
    e = select(frame_of(np.array([A, B])), "toy")
    names = tuple(f"m{i}" for i in range(scores.shape[1]))
    return [c.models for c in copies(replace(e, models=names, means=scores))]


def test_questions_that_are_easy_or_hard_for_all_say_little():
    """20 models that are right on the same 15 of 30 questions; 18 of them are wrong on one of these
    each. The two others agree because the questions are as they are.
    """
    scores = np.tile((np.arange(30) < 15).astype(float)[:, None], (1, 20))
    for m in range(2, 20):
        scores[m % 15, m] = 0.0
        scores[15 + m // 15, m] = 1.0  # no two of the 18 alike
    assert agreement(scores[:, 0], np.empty((30, 0))) > 20.0 and of_many(scores) == []
    # Where the others' scores are another thing on each question, the two are named.
    scores[:, 2:] = np.random.default_rng(2).random((30, 18)) < 0.5
    assert of_many(scores) == [("m0", "m1")]


def test_agreement_by_orders_and_by_questions():
    nobody = np.empty((5, 0))
    # 5! / (2! 2! 1!) = 30 orders
    scores = np.array([1.0, 2, 2, 1, 3])
    assert 2 ** agreement(scores, nobody) == pytest.approx(30.0, rel=1e-12)
    # By hand: two others with 1 on each question, f = 2/5, 2/5, 1/5: p = 2.4/3, 0.4/3, 0.2/3, the
    # sum of squares 5.96 / 9; a missing score counts for nothing, and 4 is nobody's among the five.
    chance = 5.96 / 9.0
    ones = np.ones((5, 2))
    assert 2 ** -agreement(scores, ones) == pytest.approx(chance**5, rel=1e-12)
    gaps = np.column_stack([ones, np.full(5, np.nan)])
    assert agreement(scores, gaps) == agreement(scores, ones)
    fours = np.column_stack([np.ones(5), np.full(5, 4.0)])
    # p = 1.4/3, 0.4/3, 0.2/3 and 1/3
    chance = (1.4**2 + 0.4**2 + 0.2**2 + 1.0) / 9.0
    expected = min(5 * -np.log2(chance), np.log2(30.0))
    assert agreement(scores, fours) == pytest.approx(expected, rel=1e-12)


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
    for kind in ("means", "differences", "data"):
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


@pytest.mark.parametrize(("apart", "same"), [(0.4e-12, True), (2e-12, False)])
def test_means_of_several_answers_are_the_same_to_twelve_digits(apart, same):
    """Of the largest mean, 8 here: that of one order of its answers and of another."""
    means = np.array([[8.0, 8.0], [2.0, 2.0 + 8.0 * apart]])
    e = SimpleNamespace(means=means, epochs=np.full((2, 2), 3))
    found = _without_rounding(e)
    assert np.array_equal(found[:, 0], found[:, 1]) is same
