"""What was given and leaves a plan nothing to vary by, and pilots that do not show a variance: each
reason names what it is, and what to do.
"""

import math

import numpy as np
import pandas as pd
import pytest
from support.plans import need_alone, plan

from reportkit.analysis.planning.reasons import (
    GIVEN_NOISE,
    LARGE_CLUSTERS,
    NO_SUCH_CLUSTERS,
    given_icc,
)
from reportkit.errors import PlanError
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import told


def pilot(sizes, epochs: int = 1, seed: int = 8) -> pd.DataFrame:
    """Two models' scores in units of their own, in clusters of these sizes."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    base, shared = rng.normal(50, 10, len(cluster)), rng.normal(0, 2, len(sizes))
    gap = rng.normal(0, 5, len(cluster)) + shared[cluster]
    rows = [
        {"model": m, "question_id": f"q{q}", "cluster_id": f"c{cluster[q]}", "epoch": k + 1,
         "score": base[q] + sign * gap[q] / 2 + rng.normal(0, 3)}
        for m, sign in (("A", 1), ("B", -1)) for q in range(len(cluster)) for k in range(epochs)
    ]  # fmt: skip
    return pd.DataFrame(rows)


EVEN = [4] * 15


def test_an_icc_that_was_given_is_not_blamed_on_the_pilot():
    """In clusters of 4 an ICC of -1/3, and in such of 10 one of -1/9, leaves their means nothing to
    vary by; the pilot's own is above 0.
    """
    for said in ({"icc": -0.3333}, {"icc": -0.3, "cluster_size": 10}):
        p = plan(scores=pilot(EVEN), difference=2.0, **said)
        assert p.need.reason == given_icc("icc") and math.isnan(p.need.questions)
        assert NO_SUCH_CLUSTERS not in {o.reason for o in p.others}
    assert need_alone(scores=pilot(EVEN), difference=2.0, icc=-0.3).questions > 0
    several = plan(scores=pilot(EVEN, 3), difference=2.0, icc=-0.33, epochs=8)
    assert several.need.reason == given_icc("icc")
    assert "all of the variance is answer noise" not in " ".join(t.answer for t in told(several))


def test_an_icc_of_scores_that_was_given_is_not_blamed_on_the_pilots_scores():
    p = plan(scores=pilot(EVEN), difference=2.0, icc_scores=-0.34)
    assert p.need.questions > 0
    apart = next(o for o in p.others if o.name == "unpaired")
    assert apart.reason == given_icc("icc_scores")
    alone = plan(scores=pilot(EVEN), difference=2.0, icc_scores=-0.5, design="unpaired")
    assert alone.need.reason == given_icc("icc_scores")


def test_noise_that_was_given_is_not_blamed_on_the_pilot():
    """The pilot's correlation leaves 0.12 and a bit to noise: then nothing is left of omega^2."""
    scores = pilot(EVEN)
    with pytest.raises(PlanError) as caught:
        plan(scores=scores, difference=2.0, noise=0.9, epochs=4)
    most = float(str(caught.value).partition("answer noise is ")[2].split()[0])
    p = plan(scores=scores, difference=2.0, noise=most, epochs=4)
    assert p.need.reason == GIVEN_NOISE
    assert need_alone(scores=scores, difference=2.0, noise=most / 2, epochs=4).questions > 0


@pytest.mark.parametrize(
    ("said", "words"),
    [  # -1 / (5 - 1); less what answer noise takes: (1 - 0.5) / 4 of scores
        ({"icc": -0.25, "noise": 0}, "icc = -0.25 cannot be in clusters of 5 questions: it is "
         "above -0.25; give one nearer to 0"),
        ({"icc_scores": -0.2, "noise": 0.5}, "icc_scores = -0.2 cannot be in clusters of 5 "
         "questions: it is above -0.125, as 50% of the variance of scores is answer noise, which "
         "is not alike; give one nearer to 0"),
        # noise of 0.8 = 1 - r leaves nothing of the differences
        ({"icc": -0.2, "noise": 0.2, "correlation": 0.8}, "icc = -0.2 cannot be in clusters of 5 "
         "questions: it is 0 at most, as 100% of the variance of differences is answer noise"),
        # 0.75 (1 - r) of 1 - r is assumed: 75% of the differences
        ({"icc": 0.4}, "it is 0.25 at most, as 75% of the variance of differences is answer "
         "noise, which is not alike; this noise is assumed: give noise, or an ICC nearer to 0"),
        ({"icc": 1.5}, "icc = 1.5 is none: it is 1 where the questions of a cluster are all alike"),
    ],
)  # fmt: skip
def test_an_icc_that_cannot_be_is_refused_with_its_cause(said, words):
    with pytest.raises(PlanError) as caught:
        plan(cluster_size=5, **said)
    assert words in str(caught.value)


@pytest.mark.parametrize("right", [80, 30])
def test_a_correlation_that_no_two_models_can_have_is_refused(right):
    """The least of 100 questions: no question, or as few as there can be, has two answers of the
    rarer kind.
    """
    one = np.arange(100) < right
    least = float(np.corrcoef(one, one[::-1])[0, 1])
    shown = math.ceil(100 * least) / 100
    said = {"mean": right / 100, "difference": 0.1}
    with pytest.raises(PlanError) as caught:
        plan(**said, correlation=least - 0.01)
    assert str(caught.value) == (
        f"correlation = {least - 0.01:g}: right-or-wrong answers of two models with a mean of "
        f"{right / 100:g} correlate by {shown:g} at least; give no less than that"
    )
    assert need_alone(**said, correlation=least).questions > 0
    shares = {**said, "answers": "shares", "spread": 0.2}
    assert need_alone(**shares, correlation=least - 0.01).questions > 0  # they can


def test_a_pilots_correlation_that_a_given_mean_does_not_allow_is_raised_to_the_lowest():
    one = np.arange(40) % 4 < 2  # never both right: a correlation of -1
    scores = pd.DataFrame(
        {"model": m, "question_id": f"q{q}", "score": float(right)}
        for m, rights in (("A", one), ("B", ~one)) for q, right in enumerate(rights)
    )  # fmt: skip
    p = plan(scores=scores, difference=0.1, mean=0.8)
    assert p.need.questions == need_alone(difference=0.1, mean=0.8, correlation=-0.25).questions
    assert next(k.value for k in p.known if k.name == "correlation") == pytest.approx(-0.25)
    assert p.notes[-1] == (
        "The pilot's two models correlate by −1.00. Right-or-wrong answers with the mean that was "
        "given correlate by −0.25 at least: the plan takes that."
    )
    for more in ({}, {"mean": 0.5}, {"mean": 0.8, "correlation": -0.2}):
        q = plan(scores=scores, difference=0.1, **more)
        assert q.need.questions > 0 and not any("at least: the plan" in n for n in q.notes)


def test_variances_that_were_given_leave_an_icc_its_bounds():
    """omega^2 0.1 and twice sigma^2 0.1: a third of the variance may be alike."""
    given = {"omega2": 0.1, "sigma2": 0.1, "cluster_size": 4}
    with pytest.raises(PlanError, match=r"icc = 0.5 .* it is 0.33 at most, as 67% of the variance"):
        plan(**given, icc=0.5)
    assert need_alone(**given, icc=0.3).questions > need_alone(**given, icc=0.0).questions


@pytest.mark.slow
def test_clusters_too_large_for_an_icc_below_0_are_a_row_without_a_number():
    """-0.1 is above -1/(m - 1) up to 10 questions; the whole plan was refused for those of 50."""
    p = plan(icc=-0.1, cluster_size=5, noise=0, mean=0.7, correlation=0.4, difference=0.03)
    whole = plan(icc=0.0, cluster_size=5, noise=0, mean=0.7, correlation=0.4, difference=0.03)
    # n SE^2 is (1 + 4 icc) times as large
    assert p.need.equation == pytest.approx(0.6 * whole.need.equation, rel=2e-3)
    sizes = {x.cluster_size: x for x in p.layouts}
    assert sizes[10.0].questions > 0 and sizes[20.0].reason == given_icc("icc")
    [note] = [n for n in plan_table(p, "planning-clusters").notes if "not known" in n]
    assert note.startswith("Clusters of 20, 50: not known, as icc is given too far below 0")


# Pilots of few large clusters ---------------------------------------------------------------------


@pytest.mark.parametrize("said", [{}, {"cluster_size": 2}, {"cluster_size": 10, "icc": 0.1}])
def test_a_pilot_of_few_large_clusters_plans_no_clusters(said):
    """It was planned at other sizes than its own: 50 such pilots had a power of 0.85 to 0.98 in
    place of 0.8, with questions up to twice as many. Without clusters they had 0.77 to 0.81.
    """
    scores = pilot([60, 10, 10, 10, 5, 5])
    p = plan(scores=scores, difference=2.0, **said)
    assert p.need.reason == LARGE_CLUSTERS
    assert {x.reason for x in p.layouts if x.cluster_size > 1.0} == {LARGE_CLUSTERS}
    assert need_alone(scores=scores, difference=2.0, cluster_size=1).questions > 0


# Words of a part of an eval -----------------------------------------------------------------------


def test_a_subset_for_a_difference_beyond_what_is_planned_says_whose_questions_these_are():
    """Scores of 95% leave 0.7 times 0.05: larger differences get the questions of 3.5 points, and a
    power is stated for fewer.
    """
    given = {"mean": 0.95, "answers": "shares", "spread": 0.15, "difference": 0.08}
    p = plan(**given, questions=35)
    assert p.found.power > 0.0 and p.need.questions > 35
    subset = next(o for o in p.others if o.name == "subset")
    assert subset.reason == (
        f"{p.need.questions} questions, those of a difference of 3.5 points, are the fewest that "
        "are planned for a larger one; whether fewer find it is not known"
    )
    few = plan(mean=0.8, difference=0.5, questions=20)
    subset = next(o for o in few.others if o.name == "subset")
    assert subset.reason == "no power is stated for fewer than 30 questions"
