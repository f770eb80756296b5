"""The ends of a pilot's range where its models hardly have a wrong answer in common."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

from reportkit.analysis.planning.solve import WHY
from reportkit.decisions import Decisions
from reportkit.stats.planning.detectable import NO_TEST
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import methods_sentence


def pilot(n, both, a, b) -> pd.DataFrame:
    """Two models that are wrong on `both` questions, and on a and b others."""
    wrong = {"A": [*range(both), *range(both, both + a)]}
    wrong["B"] = [*range(both), *range(both + a, both + a + b)]
    return pd.DataFrame(
        {"model": m, "question_id": f"q{i}", "score": float(i not in of)}
        for m, of in wrong.items() for i in range(n)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("n", "a", "b", "difference"), [(100, 10, 10, 0.03), (60, 5, 5, 0.05), (380, 13, 6, 0.02)]
)
def test_the_upper_end_has_as_many_wrong_answers_as_it_takes(n, a, b, difference):
    """The upper end of Wilson's interval of the share q that tells the models apart, by scipy. No
    question is missed by both, so that each model misses q / 2: models of that mean, and of the
    lowest correlation that it allows. The models are not significantly apart, 13 and 6 of 380
    neither (McNemar's p is 0.11), and count as alike.
    """
    need = need_alone(scores=pilot(n, 0, a, b), difference=difference)
    q = scipy_stats.binomtest(a + b, n).proportion_ci(method="wilson").high
    mean = 1.0 - q / 2.0
    at_end = need_alone(difference=difference, mean=mean, correlation=-(1.0 - mean) / mean)
    assert need.low < need.questions < need.high == at_end.questions


@pytest.mark.parametrize("n", [20, 24, 60, 150])
@pytest.mark.parametrize("wrong", [4, 5, 9])
def test_a_pilot_of_which_one_model_has_no_wrong_answer_has_a_range(n, wrong):
    """It ended in a traceback, by the last digit of 0 / 0, or had no upper end above the number."""
    need = need_alone(scores=pilot(n, 0, 0, wrong), difference=0.05)
    assert need.low < need.questions < need.high


def test_beside_a_mean_there_is_no_range_without_a_question_that_both_have_wrong():
    """Nor without one that both have right. 10 wrong answers each, of 40."""
    for scores, ranged in (
        (pilot(40, 0, 10, 10), False), (pilot(40, 1, 9, 9), True), (pilot(20, 0, 10, 10), False),
        (pilot(21, 1, 10, 9), True),
    ):  # fmt: skip
        p = plan(scores=scores, difference=0.1, mean=0.7)
        assert (p.need.low == p.need.low) == ranged
        certain = "mean given in place of the pilot's: what else its"
        assert any(n.startswith(certain) for n in p.notes) != ranged


@pytest.mark.parametrize("clustered", [True, False])
def test_a_published_mean_that_is_not_given_leaves_scores_in_part_without_a_range(clustered):
    """In clusters, or with two answers each: as with one answer, and without clusters."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": f"q{i}", "epoch": k, "score": float(rng.beta(6.0, 1.0)),
         **({"cluster_id": f"c{i // 5}"} if clustered else {})}
        for m in "AB" for i in range(60) for k in range(1 if clustered else 2)
    ]  # fmt: skip
    of = {"scores": pd.DataFrame(rows), "decisions": Decisions(range="0,1")}
    said = {"difference": 0.05, "design": "unpaired", "other_questions": 800, "other_se": 0.005}
    left_out = need_alone(**of, **said)
    assert left_out.questions > 0 and math.isnan(left_out.low) and math.isnan(left_out.high)
    given = need_alone(**of, **said, mean=0.85)
    assert given.low <= given.questions <= given.high


def test_unlimited_answers_of_models_that_hardly_differ_have_a_range():
    """Without answer noise, as good as nothing is left to vary at the lower end. It printed the
    whole scale as the upper one, 77 points.
    """
    rng = np.random.default_rng(22)
    ease = rng.beta(6.0, 0.6, 60)
    scores = pd.DataFrame(
        {"model": m, "question_id": f"q{q}", "epoch": k, "score": float(rng.random() < p)}
        for m in "AB" for q, p in enumerate(ease) for k in range(2)
    )  # fmt: skip
    p = plan(scores=scores, difference=0.05, questions=300)
    limit = next(a for a in p.answers if a.name == "no limit")
    assert limit.detectable_low < limit.detectable < limit.detectable_high < p.found.high


def test_what_so_many_questions_find_says_what_its_brackets_are():
    p = plan(scores=pilot(60, 5, 6, 6), difference=0.05, questions=300)
    [text] = [t.assumes for t in told(p) if t.question.startswith("Smallest difference that 300")]
    assert "In brackets: what the pilot's variance leaves open (95%)." in text


def test_a_lower_end_that_is_not_known_leaves_the_upper_one_to_a_paper():
    p = plan(scores=pilot(60, 5, 6, 6), difference=0.05)
    told = replace(p, need=replace(p.need, low=math.nan, high=1234.0))
    assert "(95% range: up to 1,240 questions)" in methods_sentence(told)


def test_a_pilot_of_one_cluster_has_one_reason():
    """Its scores vary, and no answer noise would help."""
    scores = pilot(30, 2, 6, 6).assign(cluster_id="c")
    p = plan(scores=scores, difference=0.05)
    assert p.need.reason == WHY[NO_TEST]
    assert {o.reason for o in p.others} == {WHY[NO_TEST]}
