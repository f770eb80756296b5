"""What a plan says of what it took, and of what it does not do: a direction, a pilot that nothing
is taken from, scores that cannot vary so.
"""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm
from support.plans import need_alone, plan
from support.sweeps import slow

from reportkit.decisions import Decisions
from reportkit.documents.prose.planning import methods
from reportkit.errors import PlanError
from reportkit.figures.planning import _between
from reportkit.stats.planning.newcombe import newcombe_power
from reportkit.tables.planning import plan_table

ONE = {"design": "unpaired", "other_questions": 1319}
SHARES = {**ONE, "answers": "shares", "other_se": 0.004}


def pilot(models: str = "AB", scale: float = 1.0) -> pd.DataFrame:
    """50 questions, right or wrong; or shares between 0 and 1, times a scale."""
    rng = np.random.default_rng(3)
    score = rng.integers(0, 2, 50) if scale == 1.0 else scale * rng.beta(0.4, 0.4, 50)
    rows = [
        {"model": m, "question_id": f"q{q}", "score": float(scale - s if (q + k) % 9 == 0 else s)}
        for k, m in enumerate(models)
        for q, s in enumerate(score)
    ]
    return pd.DataFrame(rows)


def said(p) -> str:
    return " ".join(p.notes)


# Directions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mean", "which", "other"), [(0.7, "lower", "higher"), slow(0.3, "higher", "lower")]
)
def test_a_plan_against_a_published_mean_says_its_direction_in_short(mean, which, other):
    """Towards the middle of the scale; by both binomial laws the other direction has more power."""
    p = plan(**ONE, mean=mean, difference=0.08)
    assert (
        f"The plan is for a model that scores {which} than the published one. This is the safe "
        f"direction: the model's scores then vary more, and one that scores {other} by as much is "
        "found at least as often." in said(p)
    )
    sign = -1 if which == "lower" else 1
    found, contrary = (
        newcombe_power(mean + s * 0.08, mean, p.need.questions, 1319).item() for s in (sign, -sign)
    )
    assert 0.8 <= found < contrary


@pytest.mark.parametrize(("se", "which"), [(0.008, "lower"), (0.011, "higher")])
def test_the_spread_says_the_direction_of_scores_in_part(se, which):
    """0.3 is more than .008 sqrt(1319) = .29, and less than .011 sqrt(1319) = .40."""
    p = plan(**{**SHARES, "other_se": se}, mean=0.71, spread=0.3, difference=0.04)
    assert (
        f"The plan is for a model that scores {which} than the published one, as spread and "
        "other_se say: the one whose scores vary more is nearer to the middle of the scale."
    ) in said(p)


def test_where_both_directions_are_alike_none_is_said():
    for p in (plan(difference=0.04, mean=0.7),
              plan(**ONE, answers="own-units", spread=20, difference=4)):  # fmt: skip
        assert "The plan is for a model" not in said(p)


def test_a_negative_difference_is_told_that_both_directions_are_tested():
    with pytest.raises(PlanError, match="-0.04: give its size; the test looks both ways"):
        plan(**ONE, mean=0.7, difference=-0.04)


def test_a_scale_that_ends_in_one_direction_does_not_speak_of_all_models():
    """From .97 a worse model could be 4 points away."""
    p = plan(**SHARES, mean=0.97, spread=0.1, difference=0.04)
    if p.need.reason:
        assert "no model" not in p.need.reason and "The plan is for a model" not in said(p)
        assert p.need.reason.startswith(
            "the scale ends 3 points from the published mean, on the side of models whose scores "
            "vary less"
        )
    paired = plan(mean=0.7, difference=0.75)
    assert "so that no model can be so far away" in paired.need.reason


# Spreads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "why"),
    [  # sqrt(.03 * .97) = .171; sqrt(.1 * .9) = .3; sqrt(.45 * .55) = .497
        ({"mean": 0.03, "spread": 0.3, "difference": 0.2},
         "spread = 0.3: your model may have it, 0.2 from the published mean of 0.03; a plan asks "
         "for one that scores with the published mean can have too, 0.171 at most"),
        ({"mean": 0.5, "spread": 0.45, "difference": 0.4},
         "spread = 0.45: it is that of your model, and scores from 0 to 1 whose mean is 0.4 from "
         "the published one, 0.5, have 0.3 at most"),
        ({"mean": 0.5, "spread": 0.55, "difference": 0.05},
         "spread = 0.55: it is that of your model, and scores from 0 to 1 whose mean is 0.05 from "
         "the published one, 0.5, have 0.497 at most"),
    ],
)  # fmt: skip
def test_a_spread_is_looked_at_where_our_model_is(given, why):
    with pytest.raises(PlanError) as caught:
        plan(**SHARES, **given)
    assert str(caught.value) == why


def test_a_mean_in_other_units_than_the_pilots_is_named_and_not_its_spread():
    ranged = Decisions(range="0,100")
    for more in ({}, {**ONE, "other_se": 1}):
        with pytest.raises(PlanError) as caught:
            plan(None, pilot(scale=100.0), ranged, difference=5, mean=0.7, **more)
        assert str(caught.value).startswith("mean = 0.7: scores from 0 to 100 with such a mean")
        assert str(caught.value).endswith("; write 70% as 70, or give spread")
    p = plan(None, pilot(scale=100.0), ranged, difference=5, spread=0.7)
    assert (
        "The scale is 100 wide, so that a standard deviation of 0.7 is 0.7% of it; 70% is written "
        "as 70."
    ) in said(p)


# What is not taken --------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pilot_that_nothing_is_taken_from_is_told():
    none = (
        "given in place of the pilot's: the plan takes nothing from the scores of its 50 questions."
    )
    assert f"mean {none}" in said(plan(None, pilot("A"), **ONE, mean=0.7, difference=0.05))
    assert f"mean {none}" in said(plan(None, pilot(), **ONE, mean=0.7, difference=0.05))
    both = {"mean": 0.7, "correlation": 0.5}
    assert f"mean and correlation {none}" in said(plan(None, pilot(), **both, difference=0.05))
    assert "takes nothing" not in said(plan(None, pilot(), mean=0.7, difference=0.05))


def test_a_standard_error_of_right_and_wrong_answers_says_what_to_give_of_others():
    p = plan(**ONE, mean=0.7, other_se=0.01, difference=0.05)
    assert "of scores in part, say answers = shares, and give spread." in said(p)


@pytest.mark.parametrize("questions", [3, 4])
def test_so_few_published_questions_are_what_limits_a_plan(questions):
    """It was: more than 10 million questions would be needed."""
    said = {"design": "unpaired", "difference": 0.04, "mean": 0.7, "other_questions": questions}
    assert re.fullmatch(
        rf"cannot be reached: the other model's mean of {questions} questions alone is so "
        r"uncertain that no difference below [\d.]+ points is found, whatever is asked of ours\. "
        r"Against a published mean of [\d,]+ questions, [\d,]+ of ours would be enough",
        need_alone(**said).reason,
    )
    none = need_alone(**{**said, "mean": 0.5, "other_questions": 2}).reason
    assert "alone is so uncertain that no difference that the scale leaves is found" in none
    # of several answers no fewer than 20 wrong ones are planned with
    short = "the published mean rests on too few questions with wrong answers"
    assert need_alone(**{**said, "epochs_b": 3, "noise": 0.5}).reason.short == short


def by_hand(ours: float, theirs: float, n: int, published: int) -> float:
    """How often Newcombe's interval (method 10 of 1998) leaves out 0: both binomial laws summed,
    and Wilson's limits written out.
    """

    def wilson(right, of):
        z2, p = norm.ppf(0.975) ** 2, right / of
        middle, half = p + z2 / (2 * of), np.sqrt(z2 * (p * (1 - p) / of + z2 / (4 * of**2)))
        return p, (middle - half) / (1 + z2 / of), (middle + half) / (1 + z2 / of)

    a, b = np.arange(n + 1)[:, None], np.arange(published + 1)[None]
    (p, low_a, high_a), (q, low_b, high_b) = wilson(a, n), wilson(b, published)
    low = p - q - np.sqrt((p - low_a) ** 2 + (high_b - q) ** 2)
    high = p - q + np.sqrt((high_a - p) ** 2 + (q - low_b) ** 2)
    weight = binom.pmf(a, n, ours) * binom.pmf(b, published, theirs)
    return float(weight[(low > 0) | (high < 0)].sum())


def test_near_the_limit_of_a_published_mean_one_that_spares_questions_is_named():
    """79,876 of ours are asked for where 698 published questions would leave 875."""
    asked = {"design": "unpaired", "other_questions": 400, "mean": 0.8, "difference": 0.06}
    p = plan(**asked)
    assert p.need.questions > 50_000
    found = re.search(
        r"no difference below 5.99 points is found, whatever is asked of ours\. So near to it, "
        r"most questions of ours find little: against a published mean of ([\d,]+) questions, "
        r"([\d,]+) of ours would be enough\.",
        said(p),
    )
    published, ours = (int(x.replace(",", "")) for x in found.groups())
    assert 0.8 <= by_hand(0.74, 0.8, ours, published) < 0.815
    assert by_hand(0.74, 0.8, ours - 20, published) < 0.802
    assert "So near to it" not in said(plan(**{**asked, "other_questions": published}))


def test_rows_of_two_tests_say_so_where_more_answers_need_more_questions():
    """Near a limit the interval of means asks for more than that of shares; elsewhere not."""
    own = (
        "1 answer to each question has a test of its own for right and wrong answers. Several "
        "have that of means, which needs more questions here."
    )
    asked = {"design": "unpaired", "other_questions": 400, "mean": 0.8, "difference": 0.06}
    p = plan(**asked)
    assert own in str(plan_table(p, "planning-epochs")).replace("\n", " ")
    assert max(r.questions for r in p.answers) > p.answers[0].questions == p.need.questions
    q = plan(**{**asked, "other_questions": 1319})
    assert own not in str(plan_table(q, "planning-epochs")).replace("\n", " ")
    assert max(r.questions for r in q.answers) == q.answers[0].questions


@pytest.mark.slow
def test_a_published_mean_that_was_not_given_is_told():
    from reportkit.tables.planning.words import current_words

    assert current_words(plan(**ONE, difference=0.05)) == [
        "The published mean is not given, and is taken to be 70%.", "Give it as mean."
    ]  # fmt: skip
    p = plan(None, pilot("A"), **ONE, difference=0.05)
    mean = pilot("A")["score"].mean()
    assert f"is taken to be that of the pilot, {100 * mean:g}%." in current_words(p)[0]
    assert current_words(plan(**ONE, mean=0.7, difference=0.05)) == []
    assert current_words(plan(difference=0.05)) == []


# Documents ----------------------------------------------------------------------------------------


def test_variances_in_a_document_are_set_as_in_its_formulas():
    text = methods(plan(**SHARES, mean=0.7, spread=0.3, difference=0.04))
    assert "$V_B / n_B$ is the square of its standard error (other\\_se). $V_A$ is the var" in text
    assert "V\\_" not in text


@pytest.mark.slow
def test_a_curve_near_its_limit_is_drawn_between_its_points():
    """Halfway between the points the power of Newcombe's interval, counted out; straight lines were
    up to 0.0045 off.
    """
    p = plan(**ONE, mean=0.71, difference=0.04)
    for c in p.curves:
        at, powers = _between(c.questions, c.powers)
        counted = newcombe_power(0.71 - c.difference, 0.71, at[4::8], 1319)
        np.testing.assert_allclose(powers[4::8], counted, atol=0.001)
        known = np.isfinite(c.questions)
        np.testing.assert_allclose(at[::8], c.questions[known], rtol=1e-12)
        np.testing.assert_allclose(powers[::8], c.powers[known], atol=1e-12)
