"""What a plan tells where a published mean rests on too few wrong answers, and what its own error
leaves to be found.
"""

import math
import re

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

from reportkit.stats import wilson_interval
from reportkit.tables.notes import without_files
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.noise import noise_words
from reportkit.tables.planning.prose import methods_sentence

EIGHT = {"design": "unpaired", "level": 0.99, "mean": 0.71, "epochs": 8, "noise": 0.5}


def least_found(mean: float, n: int, level: float, power: float) -> float:
    """Of ever more questions of ours only the published mean errs: a worse model is found where its
    score is below Wilson's lower end, which is so in `power` of the published counts.
    """
    law = scipy_stats.binom(n, mean)
    right = max(k for k in range(n + 1) if law.sf(k - 1) >= power)
    return mean - wilson_interval(right, n, level=level).low


@pytest.mark.parametrize("n", [120, 127])
def test_what_no_number_finds_is_told_of_several_answers_as_of_one(n):
    """Of 120 published questions 34.8 are wrong, where a plan of several answers asks for 39.7: it
    said that more published questions may help, and with 137, 300 and 400 nothing was found.
    """
    least = least_found(0.71, n, 0.99, 0.8)
    told = f"so uncertain that no difference below {100 * least:.3g} points is found"
    need = need_alone(**EIGHT, other_questions=n, difference=least - 0.001)
    assert told in need.reason and need.reason.never
    more = need_alone(**EIGHT, other_questions=n, difference=least + 0.01)
    assert math.isnan(more.questions) and not more.reason.never
    one = need_alone(**{**EIGHT, "epochs": 1}, other_questions=n, difference=least + 0.01)
    assert more.reason == (
        "a plan asks for a published mean that rests on at least 39.7 questions with wrong "
        f"answers, and this one rests on {math.floor(2.9 * n) / 10:.1f}. More questions of ours do "
        "not help, but 1 answer to each question (epochs = 1) has no such rule: "
        f"{one.questions:,.0f} questions are then enough"
    )


@pytest.mark.parametrize(
    ("said", "why", "least"),
    [  # z of 95% and 80% 2.80159, times the root of V_B / n_B
        # .71 * .29 (1 + 9 * .1) / 120; 12 (.29^2 / (.29^2 + .0391)) clusters are 8.19
        ({"mean": 0.71, "other_questions": 120, "cluster_size": 10, "icc_scores": 0.1},
         "30 clusters with wrong answers, and this one rests on 8.1 in effect", "16"),
        # .28 * .72 (.5 + .5 / 3) / 30
        ({"mean": 0.28, "other_questions": 30, "epochs": 4, "epochs_b": 3},
         "20 questions with right answers, and this one rests on 11.0 in effect", "18.8"),
        # of 60 (.05 / (.05^2 + .0135)) is .05^2 of what they vary by: 9.3; .015 is the error
        ({"mean": 0.95, "other_questions": 60, "answers": "shares", "spread": 0.1,
          "other_se": 0.015, "difference": 0.03},
         "20 questions with partly wrong answers, and this one rests on 9.3 in effect", "4.2"),
    ],
)  # fmt: skip
def test_where_one_answer_has_no_number_either_the_formula_tells(said, why, least):
    said = {"difference": 0.2, "design": "unpaired", "noise": 0.5, **said}
    reason = need_alone(**said).reason
    assert f"at least {why}. More questions of ours do not help. By the formula," in reason
    assert f". By the formula, its own error hides differences below {least} points" in reason


@pytest.mark.parametrize(
    ("said", "fewest"),
    [  # 30 clusters where .29^2 / (.29^2 + .71 * .29 * 1.9 / 10) = 0.6825 of one counts: 43.96
        ({"mean": 0.71, "other_questions": 120, "cluster_size": 10, "icc_scores": 0.1}, 440),
        # twice .39121 (2.80159 / .03)^2 = 3411.8, by which the published error alone leaves .03
        ({"mean": 0.71, "other_questions": 120, "cluster_size": 10, "icc_scores": 0.1,
          "difference": 0.03}, 6830),
        # 20 where .05^2 / (.05^2 + .0135) = 0.15625 of one counts: 128; twice .0135 * 8721 is 235.5
        ({"mean": 0.95, "other_questions": 60, "answers": "shares", "spread": 0.1,
          "other_se": 0.015, "difference": 0.03}, 236),
        # "cannot be reached": twice V (2.80159 / d)^2, V = .82 .18, 20^2 and 300 .018^2
        ({"mean": 0.82, "other_questions": 500, "difference": 0.05}, 927),
        ({"answers": "own-units", "spread": 20, "other_questions": 300, "difference": 3}, 698),
        ({"mean": 0.6, "other_questions": 300, "answers": "shares", "spread": 0.3,
          "other_se": 0.018, "difference": 0.05}, 611),
    ],
)  # fmt: skip
def test_a_published_mean_that_would_do_is_named_and_does(said, fewest):
    """It named none: with "30 clusters" nobody knows how many questions these are."""
    said = {"difference": 0.2, "design": "unpaired", "noise": 0.5, **said}
    told = re.search(
        r"\. Against a published mean of ([\d,]+) questions(?: \(other_se = (.+)\))?, "
        r"([\d,]+) of ours would be enough$",
        need_alone(**said).reason,
    )
    published, ours = (int(n.replace(",", "")) for n in told.group(1, 3))
    assert published == fewest
    if "other_se" in said:
        error = said["other_se"] * math.sqrt(said["other_questions"] / published)
        said["other_se"] = float(told.group(2))
        assert said["other_se"] == pytest.approx(error, rel=0.005)  # of three digits
    assert need_alone(**{**said, "other_questions": published}).questions == ours


@pytest.mark.slow
def test_a_plan_names_the_difference_that_the_published_error_leaves():
    """Of 420 published questions: 8 points take 34,213 of ours. The law of the published mean is
    smooth here, and that of `least_found` has steps of 0.04 of power, or 0.1 points.
    """
    p = plan(**EIGHT, other_questions=420, difference=0.08)
    assert p.need.questions > 30_000
    [note] = [n for n in p.notes if "keeps its own error" in n]
    told = re.search(r"no difference below ([\d.]+) points is found, whatever", note)
    assert float(told[1]) == pytest.approx(100 * least_found(0.71, 420, 0.99, 0.8), abs=0.1)
    assert float(told[1]) < 8.0
    none = plan(**EIGHT, other_questions=300, difference=0.08)
    assert not [n for n in none.notes if "keeps its own error" in n]  # its reason says so


def test_a_plan_without_a_number_is_of_the_test_that_is_printed():
    """The interval of both means, of several answers, and not Welch's t."""
    p = plan(**EIGHT, other_questions=120, difference=0.2)
    assert p.test == "mover"
    assert methods_sentence(p) == (
        "No plan: the published mean rests on too few questions with wrong answers for several "
        "answers to each of ours."
    )


def newcombe_found(ours: float, n: int, theirs: float, m: int) -> float:
    """How often Newcombe's 95% interval (method 10) of two shares leaves out 0: summed over both
    binomial laws.
    """
    z = scipy_stats.norm.ppf(0.975)

    def wilson(k: np.ndarray, size: int) -> tuple[np.ndarray, ...]:
        p = k / size
        middle, half = p + z**2 / (2 * size), z * np.sqrt(p * (1 - p) / size + z**2 / size**2 / 4)
        return p, (middle - half) / (1 + z**2 / size), (middle + half) / (1 + z**2 / size)

    k, j = np.arange(n + 1), np.arange(m + 1)
    (p, l1, u1), (q, l2, u2) = wilson(k[:, None], n), wilson(j[None], m)
    low = p - q - np.sqrt((p - l1) ** 2 + (u2 - q) ** 2)
    high = p - q + np.sqrt((u1 - p) ** 2 + (q - l2) ** 2)
    law = np.outer(scipy_stats.binom.pmf(k, n, ours), scipy_stats.binom.pmf(j, m, theirs))
    return float(law[(low > 0) | (high < 0)].sum())


def test_few_questions_find_what_more_do_not():
    """Of 60 published questions 2,000 find 17.8 points, and ever more find 18: the published count
    has steps. It said that no difference below 18 points is found, and 78% for 2,000.
    """
    p = plan(design="unpaired", mean=0.71, other_questions=60, difference=0.179)
    n = int(p.need.questions)
    assert newcombe_found(0.531, n, 0.71, 60) == pytest.approx(0.8, abs=0.005)
    assert p.found.power == pytest.approx(0.8, abs=0.002)
    [note] = [x for x in p.notes if "keeps its own error" in x]
    told = float(re.search(r"no difference below ([\d.]+) points", note)[1])
    assert told < 100 * need_found(p) and newcombe_found(0.71 - told / 100, n, 0.71, 60) < 0.8


def need_found(p) -> float:
    """The smallest difference that any of the plan's sizes finds."""
    return min(f.detectable for f in p.founds if f.detectable == f.detectable)


def test_the_fewest_questions_have_the_power_that_they_were_planned_for():
    """62 questions, rounded up from 61.7, are also the fewest that are planned: their power was
    read off as if the curve ended at 75, and was 75%. Simulated with Beta scores it is 0.816.
    """
    p = plan(design="unpaired", mean=0.71, answers="shares", other_questions=60, other_se=0.05,
             spread=0.36, difference=0.2)  # fmt: skip
    assert p.need.questions == 62 and p.found.detectable < 0.2
    assert 0.8 <= p.found.power < 0.805


@pytest.mark.slow
def test_what_to_do_without_a_number_is_told():
    none = plan(design="unpaired", mean=0.71, other_questions=60, difference=0.1)
    assert any("a plan of common questions (design = paired)" in n for n in none.notes)
    some = plan(design="unpaired", mean=0.71, other_questions=60, difference=0.25)
    assert not any("design = paired" in n for n in some.notes)


@pytest.mark.slow
def test_no_range_is_explained_where_no_number_has_one():
    """It explained brackets that stood nowhere."""
    said = {"design": "unpaired", "mean": 0.71, "other_questions": 60, "epochs": 8}
    none = plan(**said, difference=0.1)
    text, advice = noise_words(none)
    assert text.endswith("of one answer's variance.") and advice == "Give yours as noise."
    assert without_files(noise_words(none)) == (text,)  # a paper has no such advice
    some = plan(**{**said, "other_questions": 2000}, difference=0.1)
    assert "The range in brackets goes from" in noise_words(some)[0]


def test_a_plan_without_a_number_has_no_table_without_one():
    """Every row said "cannot be reached", and the table of answers had a head alone."""
    p = plan(**EIGHT, other_questions=120, difference=0.08)
    few = "the other model's published mean is too uncertain for so small a difference"
    table = plan_table(p, "planning-differences")
    assert not table.cells and table.title == (
        f"No number of questions finds any of the differences that are looked at: {few}."
    )
    table = plan_table(p, "planning-epochs")
    assert not table.cells and table.title == (
        f"What more answers to each question would buy is not known: {few}."
    )


def test_each_difference_has_its_own_reason():
    """The questions of one answer to each stood beside reasons of other differences."""
    p = plan(**EIGHT, other_questions=120, difference=0.2)
    title = plan_table(p, "planning-differences").title
    assert "10 points cannot be reached: the other model's mean" in title
    one = need_alone(**{**EIGHT, "epochs": 1}, other_questions=120, difference=0.2)
    assert f" 20 points: {p.need.reason}." in title and f" {one.questions:,.0f} qu" in p.need.reason
