"""Answer noise that a plan assumes, or that a pilot shows and nothing is left beside it."""

import functools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan, whole

from reportkit import stats
from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answers import _founds, need_of
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.margins import EQUIVALENCE, NOT_WORSE
from reportkit.analysis.planning.others import UNPAIRED
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.public import public_range
from reportkit.analysis.planning.work import Work, ends_of, work_of
from reportkit.decisions import Decisions
from reportkit.errors import PlanError
from reportkit.figures.planning import title_epochs, title_power
from reportkit.plans import asked_of
from reportkit.stats.planning.assured import Known, partly_known, units_needed
from reportkit.tables.planning import plan_table, planning_json
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.pasted import probabilities_sentence
from reportkit.tables.planning.prose import findings, methods_sentence

IDEA = {"difference": 0.05, "mean": 0.8}
LOW, HIGH = 0.29, 0.42  # quartiles of the correlations of public evals of 0/1 answers
V = 0.8 * 0.2


def work(pilot=None, **said) -> Work:
    asked = asked_of(said)
    return work_of(asked, ground_of(asked, pilot))


@functools.cache
def planned(**said) -> Planned:
    return plan(**said)


def other(p: Planned, name: str):
    return next(x for x in p.others if x.name == name)


def need(**said):
    w = work(**IDEA, **said)
    return need_of(w, w.asked.difference)


def rows(p: Planned) -> dict[str, str]:
    return {t.question: t.answer for t in told(p)}


# Assumed ------------------------------------------------------------------------------------------


def test_the_ends_of_assumed_noise_are_none_and_nearly_all_that_the_correlation_leaves():
    """By hand: n SE^2 = 2 V (1 - w - r) + 2 w V / K."""
    r = public_range("correlation", "binary")
    assert (r.low, r.high) == (LOW, HIGH)
    least, most = ends_of(work(**IDEA, epochs=25), Shape(25.0, 25.0))
    noise = 0.9 * (1 - HIGH)
    by_hand = 2 * V * (1 - noise - HIGH) + 2 * noise * V / 25
    assert least.variance == pytest.approx(by_hand, rel=1e-12)
    assert most.variance == pytest.approx(2 * V * (1 - LOW), rel=1e-12)
    # one answer each: answer noise changes nothing, and the range is that of the correlation
    low, high = ends_of(work(**IDEA), Shape())
    assert low.variance == pytest.approx(2 * V * (1 - HIGH), rel=1e-12)
    assert high.variance == pytest.approx(2 * V * (1 - LOW), rel=1e-12)


def test_a_range_holds_whatever_the_noise_is():
    """177 (150 to 186) was printed, where 516 are needed if a tenth of the variance is noise."""
    p = planned(**IDEA, epochs=25)
    much = planned(**IDEA, epochs=25, correlation=HIGH, noise=0.9 * (1 - HIGH))
    none = planned(**IDEA, epochs=25, correlation=LOW, noise=0)
    assert (p.need.low, p.need.high) == (much.need.questions, none.need.questions)
    for noise in (0.1, 0.43):
        given = need(epochs=25, noise=noise)
        assert p.need.low < given.low < given.high < p.need.high
    for name in (EQUIVALENCE, NOT_WORSE):
        found, low, high = (other(x, name) for x in (p, much, none))
        assert (found.low, found.high) == (low.questions, high.questions)


def test_what_questions_find_has_the_range_of_the_noise():
    p = planned(**IDEA, epochs=25)
    n, f = p.need.questions, p.found
    ends = {"correlation": HIGH, "noise": 0.9 * (1 - HIGH)}, {"correlation": LOW, "noise": 0}
    much, none = (_founds(work(**IDEA, epochs=25, **x), [n])[0] for x in ends)
    assert (f.low, f.high) == pytest.approx((much.detectable, none.detectable))
    assert (f.power_low, f.power_high) == pytest.approx((none.power, much.power))
    assert f.power_low < 0.4 and f.low < p.asked.difference < f.high
    for said in ({"correlation": 0.4, "epochs": 25, "noise": 0.43}, {"correlation": 0.4}):
        assert math.isnan(_founds(work(**IDEA, **said), [n])[0].low)


def test_the_first_sentence_and_row_say_what_is_not_known():
    p = planned(**IDEA, epochs=25)
    assert findings(p).startswith("It takes 183 (90 to 771) questions, with 25 answers to each,")
    assumed = "Answer noise is assumed to be 44% of one answer's variance."
    wide = (
        "The range in brackets goes from nearly as much noise as the correlation leaves to none "
        "(771 questions). Give yours as noise to narrow it."
    )
    assert f"{assumed} {wide}" in findings(p)
    assert f"{assumed} {wide}" in " ".join(plan_table(p).notes)
    answers = rows(p)
    assert answers["Smallest difference that 183 questions find"] == "4.99 points (3.41 to 10.64)"
    assert answers["Power of 183 questions for a difference of 5 points"] == "80% (27% to 98%)"
    assert "44% answer noise (assumed; range: 90 to 771 questions)" in methods_sentence(p)
    known = {row[0]: row for row in plan_table(p, "planning-known").cells}
    assert known["Share of one answer's variance that is answer noise"][2:] == (
        "assumed",
        "0% to 64%",
    )
    brackets = "with nearly all the answer noise that the correlation leaves, and with none"
    for kind in ("planning-differences", "planning-sizes"):
        assert brackets in " ".join(plan_table(p, kind).notes)
    assert title_power(p).endswith("(α\u00a0=\u00a00.05, answer noise of 44% assumed)")
    assert "answer noise of 44% assumed" in title_epochs(p)
    given = planned(**IDEA, epochs=25, noise=0.43)
    assert "assumed" not in title_power(given) + title_epochs(given)
    assert "assumed" not in findings(given) and brackets not in told(given)[0].assumes


def test_questions_that_the_eval_has_are_found_with_the_range_of_the_noise():
    p = planned(**IDEA, epochs=25, questions=177)
    assert "is 5.08 percentage points (3.47 to 10.84); their power" in findings(p)
    assert "is 79% (27% to 98%)." in findings(p)


def test_a_correlation_that_is_given_leaves_the_noise_open():
    p = planned(**IDEA, correlation=0.5, epochs=8)
    much, none = (need(correlation=0.5, epochs=8, noise=w).questions for w in (0.45, 0))
    assert (p.need.low, p.need.high) == (much, none)
    assert "as no correlation was given" not in told(p)[0].assumes
    assert math.isnan(need(correlation=0.5).low)  # one answer each: nothing is open


@pytest.mark.parametrize("icc", [0.2, -0.03])
def test_noise_leaves_room_for_what_is_alike_in_a_cluster(icc):
    """icc times the variance of a difference is at most omega^2, and no less than -1/7 of that."""
    said = {**IDEA, "correlation": 0.5, "cluster_size": 8, "icc": icc}
    least, most = ends_of(work(**said, epochs=5), Shape(5.0, 5.0, 8.0))
    alike = max(icc, -7 * icc)
    noise = 0.5 * (1 - alike)
    by_hand = 2 * V * (1 - noise - 0.5) + 2 * V * 0.5 * 7 * icc + 2 * V * noise / 5
    assert least.variance == pytest.approx(by_hand, rel=1e-6)
    assert most.variance == pytest.approx(2 * V * 0.5 * (1 + 7 * icc), rel=1e-12)


def test_of_models_with_questions_of_their_own_the_noise_is_open_too():
    """V - w V (1 - 1 / K) of each model, w from 0 to the upper quartile of public evals."""
    most = public_range("noise").high
    assert most == 0.78
    ends = ends_of(work(**IDEA, design="unpaired", epochs=5), Shape(5.0, 5.0))
    by_hand = [2 * V * (1 - w * (1 - 1 / 5)) for w in (most, 0.0)]
    assert [e.variance for e in ends] == pytest.approx(by_hand, rel=1e-12)
    p = planned(**IDEA, epochs=25)
    apart = other(p, UNPAIRED)
    assert apart.low < apart.questions < apart.high
    one = other(planned(**IDEA), UNPAIRED)  # of one answer each, and without a correlation
    assert math.isnan(one.low) and math.isnan(one.high)


# Less correlation than public evals have ----------------------------------------------------------


def test_a_correlation_that_noise_takes_lower_is_said_to_be():
    p = planned(**IDEA, noise=0.7)
    said = (
        "The correlation is assumed to be 0.27, lower than in public evals (0.41): answer noise of "
        "70% leaves 0.30 at most."
    )
    assert any(n.startswith(said) for n in p.notes)
    for kind in ("planning", "planning-known"):
        assert said in " ".join(plan_table(p, kind).notes)
    known = {row[0]: row for row in plan_table(p, "planning-known").cells}
    assert known["Correlation of the models' scores"][1:] == ("0.27", "assumed")
    leaves = "a correlation of 0.27 (assumed, as so much answer noise leaves no higher one)"
    assert leaves in methods_sentence(p)
    assert planned(**IDEA, noise=0).notes == ()


# Pilots -------------------------------------------------------------------------------------------


def pilot_frame(seed: int, n: int, k: int, low: float, high: float) -> pd.DataFrame:
    """Two models alike: the same chance to be right on each question."""
    rng = np.random.default_rng(seed)
    chance = rng.uniform(low, high, n)
    return pd.DataFrame(
        {"model": model, "question_id": f"q{i}", "epoch": e + 1, "score": float(rng.random() < p)}
        for model in "ab"
        for i, p in enumerate(chance)
        for e in range(k)
    )


@functools.cache
def alike() -> pd.DataFrame:
    """Of which all of the difference's variance is answer noise, as far as is seen."""
    return pilot_frame(3, 60, 2, 0.4, 0.95)


def test_a_pilot_without_a_true_difference_shows_nothing_of_more_answers():
    """Equivalence took 12 questions and non-inferiority 9, where a difference was not known."""
    p = plan(None, alike(), difference=0.1, epochs=32)
    assert p.variances.omega2 == 0.0 and math.isnan(p.need.questions)
    for name in (EQUIVALENCE, NOT_WORSE):
        x = other(p, name)
        assert math.isnan(x.questions) and math.isnan(x.equation) and x.reason == p.need.reason
    # nor has a formula a number, of a variance that is taken to be 0
    assert math.isnan(p.need.equation) and all(math.isnan(f.equation) for f in p.founds)
    assert all(math.isnan(f.power_equation) for f in p.founds)
    own = plan(None, alike(), difference=0.1)
    assert other(own, EQUIVALENCE).questions > own.need.questions > 0


def test_a_pilot_whose_correlation_is_more_than_its_noise_leaves_says_so():
    p = plan(None, alike(), difference=0.1)
    of = {k.name: k.value for k in p.known}
    assert of["correlation"] > 1.0 - of["noise"]
    said = (
        f"The pilot's two models correlate by {of['correlation']:.2f} with one answer each, more "
        f"than the {1 - of['noise']:.2f} that answer noise of {of['noise']:.0%} leaves: both are "
        "estimates, and err. What more answers would leave of the variance is not known."
    )
    assert p.notes == (said,)
    assert said in " ".join(plan_table(p, "planning-known").notes)
    with pytest.raises(PlanError, match=r"as both are estimates; give correlation too, or leave"):
        plan(None, alike(), difference=0.1, mean=0.7)
    assert need_alone(None, alike(), difference=0.1, mean=0.7, correlation=0.2).questions > 0


def test_noise_that_contradicts_a_pilot_is_refused():
    """With one answer each, the scores of models of which w is noise correlate by 1 - w at most."""
    one = pilot_frame(1, 100, 1, 0.0, 1.0)
    wide = one.pivot(index="question_id", columns="model", values="score")
    r = float(np.corrcoef(wide["a"], wide["b"])[0, 1])
    most = math.floor(100 * (1 - r)) / 100
    assert need_alone(None, one, difference=0.1, noise=most).questions > 0
    said = rf"noise = {most + 0.02:g} contradicts the pilot.* correlate by {r:.2f}, .* {most:g} of"
    for more in ({}, {"mean": 0.7}):
        with pytest.raises(PlanError, match=said):
            plan(None, one, difference=0.1, noise=most + 0.02, **more)
    apart = {"difference": 0.1, "noise": most + 0.02, "design": "unpaired"}
    assert need_alone(None, one, **apart).questions > 0  # it asks for no correlation


def test_equivalence_allows_for_what_a_small_pilot_does_not_know():
    """Of 60 questions with two answers each, planned with 32: the part of the variance that is left
    is known with 59 times its square, or 12, degrees of freedom. By scipy: the least n of which
    margin / SE is the c of P(Z + c S > t) = power.
    """
    rng = np.random.default_rng(7)
    question, own = rng.normal(0, 1, (1, 60, 1)), rng.normal(0, 0.2, (2, 60, 1))
    scores = 5 + question + own + rng.normal(0, 0.35, (2, 60, 2))
    frame = pd.DataFrame(
        {"model": "ab"[m], "question_id": f"q{q}", "epoch": k, "score": s}
        for (m, q, k), s in np.ndenumerate(scores)
    )
    pilot = pilot_of(frame, Decisions())
    said = {"difference": 0.12, "answers": "own-units"}
    w = work(pilot, **said, epochs=32)
    p = plan(None, frame, **said, epochs=32)
    d = scores.mean(axis=2)[0] - scores.mean(axis=2)[1]
    within = scores.var(axis=2, ddof=1).mean(axis=1)
    seen = d.var(ddof=1)
    left = seen - within.sum() * (1 / 2 - 1 / 32)
    df = max(w.basis.pilot_df * (left / seen) ** 2, 12.0)
    assert 12.0 <= df < w.basis.pilot_df / 2
    for name, power in ((EQUIVALENCE, 0.9), (NOT_WORSE, 0.8)):
        by_hand = units_needed(0.12, left, pilot_df=Known(df), level=0.9, power=power).questions
        assert other(p, name).questions == by_hand
        assert by_hand > stats.units_needed(
            0.12, left, pilot_df=w.basis.pilot_df, level=0.9, power=power
        ).questions  # fmt: skip
        of = other(p, name)
        assert of.low < of.questions < of.high
        # the ends: the variance of the pilot's 95% range, known
        ends = [max(1 + (f - 1) * seen / left, 0.01) * left for f in w.factors]
        certain = [
            max(30, units_needed(0.12, v, pilot_df=math.inf, level=0.9, power=power).questions)
            for v in ends
        ]
        assert [of.low, of.high] == certain
    same = plan(None, frame, **said)  # as many answers: all of the variance is known as before
    for name, power in ((EQUIVALENCE, 0.9), (NOT_WORSE, 0.8)):
        whole = stats.units_needed(
            0.12, float(seen), pilot_df=w.basis.pilot_df, level=0.9, power=power
        )
        assert other(same, name).questions == whole.questions


def test_equivalence_is_shown_as_often_as_planned_over_pilots():
    """Simulated: pilots of 60 questions with two answers each; plans with 32. Before, equivalence
    was shown in 72% of cases, and not in 80%.
    """
    rng, omega2, sigma2, margin = np.random.default_rng(11), 0.05, 0.2, 0.08
    seen = (omega2 + sigma2 / 2) * rng.chisquare(59, 400) / 59
    noise = sigma2 * rng.chisquare(120, 400) / 120
    left = seen - noise * (1 / 2 - 1 / 32)
    plausible = left > noise / 32
    true, zero = omega2 + sigma2 / 32, np.zeros(1)

    def shown(known) -> float:
        powers = []
        for v, part in zip(left[plausible], (left / seen)[plausible], strict=True):
            n = units_needed(margin, float(v), pilot_df=known(part), level=0.9, power=0.9).questions
            t = scipy_stats.t.ppf(0.95, n - 1)
            miss = scipy_stats.nct.cdf(t, n - 1, margin / math.sqrt(true / n))
            powers.append(max(0.0, 1.0 - 2.0 * miss))
        return float(np.mean(powers))

    df = np.full(1, 59.0)
    assert shown(lambda part: partly_known(df, part, zero, df)) == pytest.approx(0.8, abs=0.02)
    assert shown(lambda part: Known(df)) < 0.75


# Next-token probabilities -------------------------------------------------------------------------


def test_without_answer_noise_more_answers_gain_nothing_and_that_is_said():
    p = planned(**IDEA, noise=0)
    answers = rows(p)
    head = "More answers to each question, or next-token probabilities"
    assert answers[head] == "gain nothing: a score has no answer noise"
    assert probabilities_sentence(p) == ""
    shares = planned(**IDEA, noise=0, answers="shares")  # more than one token
    assert rows(shares)["More answers to each question"].startswith("gain nothing")


def test_a_sentence_for_a_methods_section_of_next_token_probabilities():
    p = planned(**IDEA, correlation=0.5, noise=0.3)
    row = next(x for x in p.answers if x.name == "next-token probabilities")
    said = probabilities_sentence(p)
    assert said.startswith(
        f"We planned {row.questions:.0f} questions, scored by next-token probabilities in place of "
        "sampled answers, so that a paired t test at a two-sided level of 5% finds a true "
        "difference of 5 percentage points with at least 80% power, for an expected score of 80%, "
        "a correlation of 0.50 and 30% answer noise (Miller 2024"
    )
    assert planning_json(whole(p))["methods_probabilities"] == said
    limited = planned(**IDEA, correlation=0.5, noise=0.3, questions=300)
    assert probabilities_sentence(limited).startswith("We use 300 questions, scored by")
    assert probabilities_sentence(planned(**IDEA, noise=0.3, comparisons=3)) == ""


def test_the_sentence_of_next_token_probabilities_stands_where_they_are_known_to_spare_questions():
    """Noise that nobody gave shows nothing. Noise w spares w / (1 - r) of the questions, which is
    8% of w = 0.05 with r = 0.41, and 12% of 0.07: a tenth is worth a sentence.
    """
    assumed = planned(**IDEA)
    assert "With next-token probabilities in place of sampled answers" in rows(assumed)
    assert probabilities_sentence(assumed) == ""
    assert planning_json(whole(assumed))["methods_probabilities"] is None
    assert probabilities_sentence(planned(**IDEA, noise=0.05)) == ""
    assert probabilities_sentence(planned(**IDEA, noise=0.07)) != ""
    variances = planned(difference=0.05, omega2=0.1, sigma2=0.02)
    assert probabilities_sentence(variances).startswith("We planned ")


def test_as_many_questions_are_not_0_percent_fewer():
    p = planned(**IDEA, epochs=25, noise=0.1)
    text = rows(p)["With next-token probabilities in place of sampled answers"]
    assert text.endswith("questions, nearly as many")


@pytest.mark.slow
def test_a_spread_of_public_evals_is_in_the_range():
    """By hand: n SE^2 = 2 V (1 - r), V and r at the quartiles of public evals. "1,447 (1,380 to
    1,570)" was printed where a spread of the lower quartile takes 701.
    """
    asked = {"difference": 0.03, "mean": 0.7, "answers": "shares"}
    r, s = public_range("correlation", "share"), public_range("spread")
    least, most = ends_of(work(**asked), Shape())
    low, high = (0.7 * 0.3 * x for x in (s.low, s.high))
    assert least.variance == pytest.approx(2 * low * (1 - r.high), rel=1e-9)
    assert most.variance == pytest.approx(2 * high * (1 - r.low), rel=1e-9)
    alone = ends_of(work(**asked, correlation=0.5), Shape())
    assert [e.variance for e in alone] == pytest.approx([low, high])  # 2 V (1 - .5)
    p = planned(**asked)
    assert "a standard deviation of 0.402 (0.279 to 0.422). Give yours as spread" in findings(p)
    assert "as no spread was given" in told(p)[0].assumes
    given = planned(**asked, spread=0.4)
    assert "as spread" not in findings(given) and "spread" not in told(given)[0].assumes


# Clusters that are not known ----------------------------------------------------------------------

CLUSTERS = {"difference": 0.04, "mean": 0.7, "cluster_size": 5}
ALIKE, UNLIKE = {"icc": 0.1, "icc_scores": 0.2}, {"icc": 0.02, "icc_scores": 0.09}  # quartiles


@pytest.mark.slow
def test_a_range_holds_how_alike_clusters_are():
    """1,415 (1,390 to 1,700) was printed, where 2,130 are needed at the upper quartile of ICCs. By
    hand: of one question's difference 2 V (1 - r) (1 + 4 ICC), V = 0.7 * 0.3.
    """
    r, s = public_range("icc"), public_range("icc_scores")
    assert {"icc": r.high, "icc_scores": s.high} == ALIKE
    assert {"icc": r.low, "icc_scores": s.low} == UNLIKE
    p = planned(**CLUSTERS)
    few = planned(**CLUSTERS, **UNLIKE, correlation=HIGH)
    many = planned(**CLUSTERS, **ALIKE, correlation=LOW)
    assert (p.need.low, p.need.high) == (few.need.questions, many.need.questions)
    least, most = ends_of(work(**CLUSTERS), Shape(1.0, 1.0, 5.0))
    assert least.variance == pytest.approx(0.42 * (1 - HIGH) * 1.08, rel=1e-12)
    assert most.variance == pytest.approx(0.42 * (1 - LOW) * 1.4, rel=1e-12)
    apart = [other(x, UNPAIRED) for x in (p, few, many)]
    assert (apart[0].low, apart[0].high) == (apart[1].questions, apart[2].questions)
    for said in ("quartile of the ICCs in public evals", "quartile of the ICC of scores in public"):
        assert any(said in t.assumes for t in told(p))
    given = planned(**CLUSTERS, **ALIKE)
    assert not any("ICC of scores in" in t.assumes or "ICCs in" in t.assumes for t in told(given))
    # the same quartiles where the variances are given
    said = {"difference": 0.04, "omega2": 0.1, "sigma2": 0.05, "cluster_size": 5}
    known = planned(**said)
    by_icc = [planned(**said, icc=x).need.questions for x in (0.02, 0.1)]
    assert [known.need.low, known.need.high] == by_icc


def test_the_sentence_of_methods_has_the_range_of_public_evals():
    assert "; between the quartiles of public evals 1,340 to 2,130 questions (" in methods_sentence(
        planned(**CLUSTERS)
    )
    assert "quartiles" not in methods_sentence(planned(**CLUSTERS, **ALIKE, correlation=LOW))


def test_scores_in_clusters_are_no_more_alike_than_answer_noise_leaves():
    """Of public evals .16, and .9 (1 - .9) = .09 of what is left: the plan was refused for an ICC
    that nobody gave. One that was given and cannot be is refused as before.
    """
    said = {"difference": 0.05, "mean": 0.7, "cluster_size": 5, "noise": 0.9, "correlation": 0.05}
    p = plan(**said)
    of = {k.name: (k.value, k.source) for k in p.known}
    assert of["icc_scores"] == (pytest.approx(0.09), "public evals")
    [apart] = [o for o in p.others if o.name == "unpaired"]
    # z^2 (V_A + V_B) (1 + 4 * .09) / difference^2
    z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)
    assert apart.equation == math.ceil(z**2 * 2 * 0.21 * 1.36 / 0.05**2)
    with pytest.raises(PlanError, match="0.16 cannot be in clusters of 5 questions: it is 0.1 at"):
        plan(**said, icc_scores=0.16)


def test_how_well_a_part_is_known_has_a_least_and_with_a_floor_a_most():
    """By hand. A tenth of all, known to 100: .1^2 * 100 = 1, but 12 of the 100 are kept. Of what is
    left, known to 8, a floor of .9: models differ by .7 * sqrt(2 / 8) = .35 and not by .1, so that
    the truth is 1.25 of what is seen: 8 * 1.25^2 = 12.5, and the floor .9 / 1.25 of it.
    """
    hundred, eight, zero = np.array([100.0]), np.array([8.0]), np.zeros(1)
    assert partly_known(hundred, 0.1, zero, hundred).df.item() == pytest.approx(12.0)
    floored = partly_known(hundred, 0.1, zero + 0.9, eight)
    assert floored.df.item() == pytest.approx(12.5)
    assert np.asarray(floored.least).item() == pytest.approx(0.72)
