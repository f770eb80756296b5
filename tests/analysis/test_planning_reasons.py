"""Each answer that a plan does not have, with the reason that holds for it and no other."""

import copy
import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

from reportkit.analysis.planning.answers import need_of
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import NO_LIMIT, within
from reportkit.analysis.planning.others import other_answers
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.reasons import (
    NO_NOISE,
    NO_SUCH_CLUSTERS,
    NO_VARIANCE_LEFT,
    TOO_ALIKE,
    TOO_MANY,
    Reason,
)
from reportkit.analysis.planning.unreached import why_none
from reportkit.analysis.planning.work import Work, one_answer, work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import _once, told
from reportkit.tables.planning.prose import findings
from reportkit.tables.planning.telling import Told
from reportkit.tables.planning.words import needed_text

Z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)


def work(pilot=None, **said) -> Work:
    asked = asked_of({"difference": 0.05, **said})
    return work_of(asked, ground_of(asked, pilot))


def why(w: Work) -> str:
    found = within(w)
    assert found is not None and math.isnan(found.questions)
    return found.reason


def scores(alike: float, n: int = 60, size: int = 4) -> pd.DataFrame:
    """Two models' scores in clusters of four. alike: what a cluster shares of their difference;
    below 0 the differences of a cluster cancel.
    """
    rng = np.random.default_rng(8)
    base, gap = rng.normal(50, 10, n), rng.normal(0, 5, n).reshape(-1, size)
    gap += min(alike, 0.0) * gap.mean(axis=1, keepdims=True)
    gap += max(alike, 0.0) * rng.normal(0, 5, (n // size, 1))
    rows = [
        {"model": m, "question_id": f"q{q}", "score": base[q] + sign * gap.ravel()[q] / 2,
         "cluster_id": f"p{q // size}"}
        for m, sign in (("A", 1), ("B", -1))
        for q in range(n)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def gaps(frame: pd.DataFrame) -> np.ndarray:
    """The difference of the models' scores in each question."""
    a, b = (frame[frame["model"] == m]["score"].to_numpy() for m in "AB")
    return a - b


# Too few questions --------------------------------------------------------------------------------


def test_questions_that_differ_too_much_cannot_do_with_any_number_of_answers():
    """Without answer noise z^2 omega^2 / d^2 = 314 questions, and by t two more."""
    reason = why(work(omega2=0.1, sigma2=0.1, questions=200))
    assert reason == (
        "cannot be reached: the questions themselves differ too much; even with unlimited answers "
        f"to each it takes {math.ceil(Z**2 * 0.1 / 0.05**2) + 2} questions"
    )


def test_such_a_number_of_questions_has_its_range():
    """As the row of unlimited answers in its table. The upper end is without answer noise,
    z^2 V / d^2 with the variance V at the difference, and the lowest correlation of public evals.
    """
    said = {"difference": 0.05, "mean": 0.8, "epochs": 2, "questions": 150}
    reason, p = why(work(**said)), plan(**said)
    [row] = [a for a in p.answers if a.name == NO_LIMIT]
    assert row.low < 150 < row.questions < row.high
    assert f"answers to each it takes {needed_text(row)} questions" in reason
    a, b = 0.8 * 0.2, 0.75 * 0.25  # of one answer of each model
    variance = a + b - 2 * p.known[1].low * math.sqrt(a * b)
    assert row.high == pytest.approx(Z**2 * variance / 0.05**2, rel=0.01)


def test_what_assumed_noise_decides_is_not_said_to_be_out_of_reach():
    """0.44 of the variance is 0.75 of the 0.59 that the median correlation, 0.41, leaves. That more
    noise does is asked of a plan with it. At 30 questions, fewer than the range has, none does.
    """
    said = {"difference": 0.03, "mean": 0.85}
    reason = why(work(**said, questions=300))
    assert reason.startswith(
        "cannot be reached at the assumed answer noise of 44%: the questions themselves then "
        "differ too much; even with unlimited answers to each it takes 356 ("
    )
    assert reason.endswith(" questions. With more answer noise 300 may do: give noise")
    more = plan(**said, questions=300, noise=0.55).within
    assert more is not None and more.questions <= 300
    for w in (work(**said, questions=130), work(**said, questions=350, noise=0.44)):
        assert why(w).startswith("cannot be reached: the questions themselves differ too much")
        assert why(w).endswith(" questions") and "give noise" not in why(w)
    text = findings(plan(**said, questions=300))
    assert "the difference cannot be reached at the assumed answer noise of 44%: " in text


@pytest.mark.parametrize("omega2", [0.0, 1e-4])
def test_where_all_is_answer_noise_questions_do_not_differ_too_much(omega2):
    """64 answers leave 2 * 3 / 64 of the variance: 294 questions; enough answers, nearly none."""
    w = work(omega2=omega2, sigma2=3.0, questions=100)
    assert why(w) == (
        "cannot be reached with up to 64 answers to each; more answers than that would find it"
    )


def test_fewer_questions_than_are_planned_are_not_said_to_be_too_few():
    """A difference of 30 points: 30 questions would do, and fewer are not planned."""
    w = work(difference=0.3, mean=0.6, correlation=0.5, noise=0.2, questions=20)
    assert why(w) == "no power is stated for fewer than 30 questions"
    p = plan(difference=0.3, mean=0.6, correlation=0.5, noise=0.2, questions=20)
    of = {t.question: t.answer for t in told(p)}
    told_above = "no power is stated for fewer than 30 questions"
    assert of["Smallest difference that 20 questions find"] == f"not known: {told_above}"
    drawn = "Questions to draw at random from the eval's 20, still to find 30 points with 80% power"
    assert of[drawn] == "not known, as above"


def test_what_more_answers_would_do_is_not_known_by_a_pilot_of_one():
    w = work(pilot_of(scores(0.5), Decisions()), difference=0.5, questions=100)
    assert why(w) == (
        "100 questions do not find it with 1 answer to each, and whether more answers would is not "
        f"known: {NO_NOISE}"
    )


def test_of_several_reasons_the_end_of_the_scale_comes_first():
    w = work(difference=0.65, mean=0.6, questions=100)
    assert why(w).startswith("the scale ends 60 points from the expected score")
    assert why_none(w, 0.65, [], []) == ""


def test_the_findings_say_whether_it_cannot_be_or_is_not_known():
    never = findings(plan(difference=0.05, omega2=0.1, sigma2=0.1, questions=200))
    assert (
        "With these questions the difference cannot be reached: the questions themselves differ"
        in never
    )
    one = findings(plan(None, scores(0.5), difference=0.5, questions=100))
    whether = "Whether more answers to each find it with these questions is not known: "
    assert f"{whether}{NO_NOISE.short}." in one  # once: the reason that ends with it says it again


def test_a_table_of_costs_has_a_reason_for_each_difference():
    p = plan(difference=0.05, omega2=0.1, sigma2=0.1, questions=400, cost_question=1, cost_answer=1)
    table = plan_table(p, "planning-costs")
    assert [row[2] for row in table.cells].count("cannot be reached") == 2
    first = "2.5 points cannot be reached: the questions themselves differ too much; even with "
    assert any(n.startswith(first) for n in table.notes)


def test_without_noise_no_reason_speaks_of_a_pilot_that_there_is_not():
    p = plan(difference=0.05, omega2=0.0, sigma2=0.2)
    row = next(a for a in p.answers if a.name == NO_LIMIT)
    assert row.reason == NO_VARIANCE_LEFT
    assert "pilot" not in str(plan_table(p, "planning-epochs"))


# Long and short forms -----------------------------------------------------------------------------


def test_a_reason_that_rests_on_one_told_above_is_short():
    """The first names the cause in full; the second ends with it, and takes its short form."""
    first = Told("A", "not known", "", "", "", why=NO_NOISE)
    resting = Reason.resting("100 questions do not find it: ", NO_NOISE)
    after = Told("B", "not known", "", "", "", why=resting)
    p = plan(difference=0.05)
    assert [t.answer for t in _once(p, [first, after, first], short=False)] == [
        f"not known: {NO_NOISE}",
        f"not known: 100 questions do not find it: {NO_NOISE.short}",
        "not known, as above",
    ]
    # what a reason ends with has been said with it
    assert _once(p, [after, first], short=False)[1].answer == "not known, as above"
    assert _once(p, [first], short=True)[0].answer == f"not known: {NO_NOISE.short}"


def test_a_name_that_reads_as_a_reason_stays_as_it_is():
    """Words are chosen, not replaced: a note that happens to hold a reason's words keeps them."""
    p = plan(None, scores(0.5), difference=0.5)
    p = replace(p, notes=(f"A note: {NO_NOISE}.",))
    notes = [str(n) for n in plan_table(p, "planning-known").notes]
    assert any(f"A note: {NO_NOISE}." in n for n in notes)


def test_a_reason_is_text_and_cannot_be_changed():
    why = pickle.loads(pickle.dumps(NO_NOISE))
    assert (why, why.short, why.never) == (NO_NOISE, NO_NOISE.short, False)
    assert json.loads(json.dumps({"reason": why}))["reason"] == str(NO_NOISE)
    assert copy.deepcopy(TOO_MANY).never
    with pytest.raises(AttributeError, match="cannot be changed"):
        why.short = "other"


# Clusters -----------------------------------------------------------------------------------------


def test_clusters_that_an_icc_below_0_cannot_have_say_so():
    """An ICC of -1/3 leaves nothing in clusters of four, and none can be larger."""
    p = plan(None, scores(-0.9), difference=2.0)
    assert p.layouts[-1].reason == NO_SUCH_CLUSTERS
    [note] = [n for n in plan_table(p, "planning-clusters").notes if "not known" in n]
    assert note == f"Clusters of 5, 10, 20, 50: not known, as {NO_SUCH_CLUSTERS}."


def test_clusters_are_not_refused_for_what_more_answers_would_leave():
    """Random answers in clusters: omega^2 is 0 and the ICC below 0, and no answers are added."""
    rng = np.random.default_rng(3)
    rows = [
        (model, f"q{i}", f"c{i // 8}", k, float(rng.random() < 0.6))
        for i in range(160) for model in "AB" for k in (1, 2)
    ]  # fmt: skip
    names = ["model", "question_id", "cluster_id", "epoch", "score"]
    p = plan(None, pd.DataFrame(rows, columns=names), difference=0.05)
    assert p.variances.omega2 == 0.0
    larger = [x for x in p.layouts if x.cluster_size > 8.0 and x.reason]
    assert larger and all(x.reason == NO_SUCH_CLUSTERS for x in larger)


def test_the_size_of_clusters_that_costs_least_is_one_of_the_table():
    """By the formula more questions in a cluster always cost less, where the ICC is below 0; the
    table has sizes that are not known, and such as cost more.
    """
    p = plan(None, scores(-0.2), difference=2.0, noise=0.0, cost_question=1, cost_cluster=3)
    assert math.isinf(p.best_size)
    [answer] = [t.answer for t in told(p) if t.question == "Clusters, and how large"]
    least = min((x for x in p.layouts if x.cost == x.cost), key=lambda x: x.cost)
    end = f"sizes in the table of clusters, {least.cluster_size:g} questions in each cost least"
    assert answer.endswith(end)


def test_a_pilot_of_one_answer_in_clusters_of_another_size():
    """Of one answer the variance in clusters of 6 is V (1 + 5 ICC), ICC by that in clusters of 4:
    equation 9 and equivalence had the variance of the pilot's own clusters, and none.
    """
    frame = scores(0.7)
    gap = gaps(frame)
    sums, g = (gap - gap.mean()).reshape(-1, 4).sum(axis=1), 15
    alone, total = gap.var(ddof=1), g / (g - 1) * (sums**2).sum() / 60
    expected = alone * (1 + 5 * (total / alone - 1) / 3)
    pilot = pilot_of(frame, Decisions())
    w = work(pilot, difference=2.0, cluster_size=6)
    assert one_answer(w) == pytest.approx(expected)
    assert need_of(w, 2.0).equation == math.ceil(Z**2 * expected / 4)
    equivalence = other_answers(w, need_of(w, 2.0), pilot)[0]
    z = scipy_stats.norm.ppf(0.95) + scipy_stats.norm.ppf(0.9)
    assert equivalence.equation == math.ceil(z**2 * expected / 4)
    # of three answers nothing is known: the formula gave the number of one
    assert math.isnan(one_answer(work(pilot, difference=2.0, epochs=3)))
    assert all(math.isnan(f.equation) for f in plan(None, frame, difference=2.0, epochs=3).founds)


def test_an_icc_that_is_given_beats_that_of_a_pilot_in_its_own_clusters():
    """V (1 + 3 ICC) with .3: it was told as given, and the number was that of the pilot's ICC."""
    frame = scores(0.7)
    gap = gaps(frame)
    w = work(pilot_of(frame, Decisions()), difference=2.0, icc=0.3)
    design = w.basis.design(w.shape)
    assert design.n.item() * design.se.item() ** 2 == pytest.approx(gap.var(ddof=1) * 1.9)


def test_a_part_of_an_eval_in_clusters_is_not_planned_and_says_so():
    p = plan(difference=0.05, mean=0.7, cluster_size=5, icc=0.1, questions=1000)
    assert p.others[-1].reason == "this is planned only without clusters"


def test_of_a_pilot_in_which_one_model_has_one_answer_nothing_is_said_of_both():
    """A has four answers for each question: that the pilot has one is untrue of it."""
    rng = np.random.default_rng(7)
    rows = [
        {"model": m, "question_id": f"q{i}", "epoch": k, "score": float(rng.random() < 0.6)}
        for m, answers in (("A", 4), ("B", 1))
        for i in range(120)
        for k in range(1, answers + 1)
    ]
    p = plan(None, pd.DataFrame(rows), difference=0.1)
    texts = [text for t in told(p) for text in (t.answer, t.assumes, t.why)]
    assert any("a model has one answer for each question" in text for text in texts)
    assert not any("pilot has one" in text or "pilot's one" in text for text in texts)


def test_models_that_hardly_differ_with_several_answers_have_no_number():
    """A correlation of 0.9999 without noise: 1 in 10,000 of a score's variance, twice, is left. It
    was a division by 0, and then "more than 10 million questions".
    """
    said = {"difference": 0.05, "mean": 0.6, "noise": 0.0, "epochs": 3}
    assert need_alone(correlation=0.9999, **said).reason == TOO_ALIKE
    assert need_alone(correlation=0.999, **said).questions > 0.0
    assert need_alone(correlation=0.9999, **(said | {"epochs": 1})).questions > 0.0
