"""The designs of a plan in words: the models' names, the cheapest design, what is said once."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.plans import need_alone, plan, whole

from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import LEAST_SAVED, NO_LIMIT, search
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.reasons import NO_OMEGA
from reportkit.analysis.planning.work import work_of
from reportkit.decisions import Decisions
from reportkit.documents.prose.planning import methods
from reportkit.figures import draw_plan
from reportkit.plans import asked_of
from reportkit.tables.planning import PLANNING, plan_table, planning_json
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.designs import cheapest
from reportkit.tables.planning.pasted import pasted
from reportkit.tables.planning.prose import findings, methods_sentence
from reportkit.tables.planning.words import cost_range, needed_text

COSTS = {"difference": 0.05, "cost_question": 5, "cost_answer": 0.1}
IDEA = {"mean": 0.8, "noise": 0.3, **COSTS}


def pilot(answers: int = 3, n: int = 60, apart: float = 0.5) -> pd.DataFrame:
    """Right or wrong answers of Falcon and Heron, by a logistic law; apart: of their abilities."""
    rng, rows = np.random.default_rng(7), []
    for i, ease in enumerate(rng.normal(1.0, 1.5, n)):
        for model, ability in (("Falcon", 0.0), ("Heron", -apart)):
            chance = 1.0 / (1.0 + np.exp(-(ease + ability + rng.normal(0.0, 1.2))))
            for k, x in enumerate(rng.random(answers)):
                rows.append((model, f"q{i}", k, float(x < chance)))
    return pd.DataFrame(rows, columns=["model", "question_id", "epoch", "score"])


@pytest.mark.parametrize(
    ("ends", "wide"),
    [
        ((40, 201), 1),
        pytest.param((40, 200), 0, marks=pytest.mark.slow),
        pytest.param((40, math.nan), 1, marks=pytest.mark.slow),
    ],
)
def test_a_recommendation_that_a_pilot_leaves_open_says_so(ends, wide):
    """An upper end of more than five times the lower one, or none."""
    p = plan(None, pilot(), **COSTS)
    low, high = map(float, ends)
    answers = tuple(replace(a, low=low, high=high) if a.best else a for a in p.answers)
    said = cheapest(replace(p, answers=answers))
    assert said.count("The pilot leaves this wide open; a larger one would narrow it.") == wide


@pytest.mark.slow
def test_unequal_answers_are_those_of_models_with_names_everywhere():
    """An answer of Heron costs ten times as much, so that it answers less often."""
    p = plan(None, pilot(), cost_answer_b=1, **COSTS)
    best = next(a for a in p.answers if a.best)
    a, b = int(best.epochs_a), int(best.epochs_b)
    assert a > b
    said = f"{a} answers of Falcon and {b} of Heron to each of "
    row = next(t for t in told(p) if t.question == "Answers to each question that cost least")
    assert said in row.answer and said in findings(p)
    assert f"give epochs = {a} and epochs_b = {b}." in findings(p)
    for kind in ("planning-epochs", "planning-costs"):
        table = plan_table(p, kind)
        assert any(f"{a}, {b}" in cells for cells in table.cells)
        assert "Two numbers: answers of Falcon, then of Heron." in table.notes
    asked = next(c for c in p.cheapest if c.difference == 0.05)
    assert (asked.epochs_a, asked.epochs_b, asked.cost) == (a, b, best.cost)
    figure = draw_plan(p, "planning-costs")
    assert said.removesuffix(" to each of ") in figure.alt
    assert "of Falcon and of Heron where these are two" in figure.title
    own = plan(None, pilot(), epochs=a, epochs_b=b, **COSTS)
    for text in (methods_sentence(own), told(own)[0].question):
        assert f"{a} answers of Falcon and {b} of Heron" in text


@pytest.mark.slow
@pytest.mark.parametrize(("second", "unequal"), [(0.1, False), (0.12, False), (1.0, True)])
def test_unequal_answers_have_to_save_2_percent_beside_equal_ones(second, unequal):
    """The best of 1 to 64 equal numbers, and of all: that of unequal ones costs 2% less, or is not
    proposed.
    """
    p = plan(None, pilot(), cost_answer_b=second, **COSTS)
    asked = asked_of({"cost_answer_b": second, **COSTS})
    w = work_of(asked, ground_of(asked, pilot_of(pilot(), Decisions())))
    [designs] = search(w, [0.05])
    best = next(a for a in p.answers if a.best)
    assert (best.epochs_a != best.epochs_b) == unequal
    equal = min(x.price for x in designs if x.shape.epochs_a == x.shape.epochs_b)
    assert unequal or min(x.price for x in designs) > 0.98 * equal
    assert LEAST_SAVED == 0.02
    assert best.cost <= 0.98 * equal if unequal else best.cost == pytest.approx(equal)


def test_unequal_answers_that_a_plan_has_itself_may_cost_least():
    p = plan(None, pilot(), epochs=10, epochs_b=9, cost_answer_b=0.12, **COSTS)
    best = next(a for a in p.answers if a.best)
    assert best.cost <= p.need.cost


@pytest.mark.slow
def test_the_lead_says_what_was_asked_then_the_cheapest_design_and_what_it_saves():
    p = plan(**IDEA)
    best = next(a for a in p.answers if a.best)
    saved = round(100 * (1 - best.cost / p.need.cost))
    text = findings(p)
    assert text.startswith(f"It takes {p.need.questions:,.0f} (")
    assert f"The cheapest design is {best.epochs_a:.0f} answers to each of " in text
    assert f", which saves {saved}%. For a plan of" in text
    assert text.endswith(f"give epochs = {best.epochs_a:.0f}.")
    assert f": it costs {best.cost:,.0f}" in text
    own = findings(plan(**IDEA, epochs=best.epochs_a))
    assert own.endswith("No other number of answers to each question costs less.")
    one = findings(plan(None, pilot(1), **COSTS))  # nothing tells what a second answer would do
    assert "costs less" not in one and "cheapest" not in one


def test_the_lead_names_the_number_that_can_show_a_gap():
    """ "So many questions" was read as very many."""
    p = plan(None, pilot(), difference=0.05)
    number = f"{p.need.questions:,.0f}"
    gap = f"{100 * p.gaps[0].difference:.1f} points"
    said = f" {number} questions can show the gap of {gap} between the two models."
    assert said in findings(p)


@pytest.mark.slow
def test_the_lead_says_that_the_cheapest_design_rests_on_noise_that_is_assumed():
    clause = "This rests on an assumed answer noise of 44% of one answer's variance: give yours"
    assert findings(plan(mean=0.8, **COSTS)).count(clause) == 1
    assert clause in findings(plan(mean=0.8, questions=1000, **COSTS))
    assert "assumed" not in findings(plan(**IDEA))
    several = findings(plan(mean=0.8, epochs=5, **COSTS))  # says it already, of the first number
    assert several.count("Give yours as noise") == 1 and clause not in several


def test_a_formula_that_gives_more_than_the_plan_says_why():
    """Models 15 apart near the upper end of 0 to 100, and a plan for 3: they vary less there."""
    rng, rows = np.random.default_rng(1), []
    for i, ease in enumerate(rng.normal(0.9, 0.2, 200)):
        for model, less in (("Falcon", 0.0), ("Heron", 0.15)):
            score = 100 * np.clip(ease - less + rng.normal(0.0, 0.14), 0, 1)
            rows.append((model, f"q{i}", round(score)))
    scores = pd.DataFrame(rows, columns=["model", "question_id", "score"])
    p = plan(None, scores, Decisions(range="0,100"), difference=3)
    assert p.need.questions < p.need.equation
    # of a large pilot the number is the formula's with the variance at the difference
    assert p.need.questions == pytest.approx(p.pilot.growth * p.need.equation, rel=0.03)
    means = scores.groupby("model")["score"].mean()
    assert p.pilot.apart == pytest.approx(abs(means["Falcon"] - means["Heron"]))
    text = told(p)[0].assumes
    assert f"gives {p.need.equation:,.0f}. That is more: the formula takes the variance of" in text
    assert f"its variance is {p.pilot.growth:.2f} times that." in text
    assert "larger" not in text and text.count("correlation is kept") == 1


@pytest.mark.slow
def test_why_a_formula_gives_another_number_is_said_where_they_are_far_apart():
    """Of unlimited answers a pilot of 60 shows little; of what is expected nothing is left open."""
    rng, rows = np.random.default_rng(3), []
    for i, ease in enumerate(rng.random(60)):
        for model, shift in (("Falcon", 0.1), ("Heron", 0.0)):
            right = rng.random(2) < np.clip(ease + shift + rng.normal(0.0, 0.25), 0.0, 1.0)
            rows += [(model, f"q{i}", k, float(x)) for k, x in enumerate(right)]
    scores = pd.DataFrame(rows, columns=["model", "question_id", "epoch", "score"])
    because = "It also takes the variance that the pilot's 60 questions show as certain."
    head = "with unlimited answers to each"

    def limit(p):
        row = next(a for a in p.answers if a.name == NO_LIMIT)
        [text] = [t.assumes for t in told(p) if t.question.endswith(head)]
        return row.detectable / row.equation, text

    ratio, text = limit(plan(None, scores, difference=0.05))
    assert ratio > 1.05 and "t in place of z" in text and because in text
    ratio, text = limit(plan(difference=0.03, epochs=2))
    assert ratio < 1.05 and "The formula gives" in text and "t in place of z" not in text


def zero() -> pd.DataFrame:
    """Both models have the same chance on every question: omega^2 is 0."""
    rng, rows = np.random.default_rng(8), []
    for i, chance in enumerate(rng.random(40)):
        for model in ("Falcon", "Heron"):
            rows += [(model, f"q{i}", k, float(x < chance)) for k, x in enumerate(rng.random(2))]
    return pd.DataFrame(rows, columns=["model", "question_id", "epoch", "score"])


def test_a_long_reason_is_said_once():
    p = plan(None, zero(), epochs=10, questions=500, **COSTS)
    assert p.variances.omega2 == 0.0 and p.need.reason == NO_OMEGA
    answers = [t.answer for t in told(p)]
    assert sum(NO_OMEGA in text for text in answers) == 1
    assert answers.count("not known, as above") >= 3
    rest = [findings(p), methods_sentence(p), methods(p)]
    rest += [note for kind in PLANNING for note in plan_table(p, kind).notes]
    assert not any(NO_OMEGA in str(text) for text in rest)
    assert findings(p).startswith(
        "What 500 questions with 10 answers to each find is not known: the pilot cannot tell ω²"
    )
    assert "—" not in " ".join(t.assumes for t in told(p))


def test_a_table_of_dashes_is_none():
    p = plan(None, zero(), epochs=10, questions=500, **COSTS)
    for kind in ("planning-differences", "planning-sizes", "planning-gaps"):
        assert "not known: " in PLANNING[kind].instead(p)
    assert not PLANNING["planning-epochs"].instead(p)  # has what the pilot's own answers do


@pytest.mark.parametrize(
    ("said", "cited"),
    [
        ({"difference": 0.05}, ["Miller", "Connor", "Schuirmann"]),
        ({"difference": 0.05, "questions": 900}, ["Miller", "Connor", "Schuirmann", "Cochran"]),
        ({"difference": 0.05, "epochs": 5}, ["Miller", "Schuirmann"]),
        (
            {"difference": 0.05, "epochs": 5, "cluster_size": 8, "cost_cluster": 3, **COSTS},
            ["Miller", "Schuirmann", "Cochran"],
        ),
    ],
)
def test_references_are_those_that_a_sentence_cites(said, cited):
    text, _, references = methods(plan(mean=0.8, **said)).partition("**References.** ")
    names = ("Miller", "Connor", "Schuirmann", "Cochran")
    assert [n for n in names if n in references] == cited
    assert all(n in text for n in cited)
    assert "*Adding Error Bars to Evals*, arXiv" in references and "\\*" not in references


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "whose"),
    [
        ({"answers": "shares", "spread": 0.3, "other_se": 0.009}, "Donner & Zou 2012, *Stat"),
        ({}, "Newcombe 1998, *Statistics in Medicine*."),
    ],
)
def test_a_plan_against_a_published_mean_has_the_references_of_its_interval(said, whose):
    """It had none: the paper of the interval was no key, and Miller stands in the tables' notes."""
    p = plan(mean=0.71, difference=0.04, design="unpaired", other_questions=1319, **said)
    assert whose.partition(",")[0] in " ".join(x.sentence for x in pasted(p))
    _, _, references = methods(p).partition("**References.** ")
    assert references.startswith("Miller 2024, *Adding Error Bars") and whose in references


def test_a_part_of_an_eval_says_what_is_drawn_and_what_it_keeps():
    p = plan(difference=0.05, mean=0.8, questions=1000)
    rows = {t.question: t for t in told(p)}
    first = rows["Questions to draw at random from the eval's 1,000, still to find 5 points with "
                 "80% power"]  # fmt: skip
    assert "on the questions that are drawn, with 1 answer to each" in first.assumes
    assert "not only about these 1,000." in first.assumes
    assert "The same, where the claim is about these 1,000 questions and no others" in rows


@pytest.mark.slow
def test_json_has_the_design_that_the_lead_names():
    p = plan(None, pilot(), cost_answer_b=1, **COSTS)
    found = planning_json(whole(p))
    best = next(a for a in found["answers"] if a["best"])
    assert f"{best['epochs_a']:.0f} answers of {found['pilot']['models'][0]}" in findings(p)


def test_the_design_of_questions_that_are_too_few_has_its_range_and_the_formula_of_its_answers():
    """Three answers to each question have the t test, not McNemar's; its ends are those of a plan
    of three answers.
    """
    said = {"difference": 0.05, "mean": 0.8}
    three = need_alone(**said, epochs=3)
    p = plan(**said, questions=400)
    [row] = [t for t in told(p) if t.question.startswith("Fewest answers")]
    assert p.test == "mcnemar"
    assert row.answer == f"3 answers to each of {needed_text(three)} questions"
    assert row.formula.startswith("n = (z_{a/2} + z_b)^2 (omega^2")
    assert f"With 3 answers to each, {needed_text(three)} questions find 5 points." in findings(p)
    one = plan(difference=0.05, mean=0.8, questions=700)  # McNemar's
    [row] = [t for t in told(one) if t.question.startswith("Fewest answers")]
    assert "Connor 1987" in row.formula


@pytest.mark.slow
def test_a_plan_of_questions_of_their_own_says_that_its_pilots_models_are_taken_as_alike():
    """If they are not, it has more power: up to 0.861 (benchmarks/planning.md, pilots of 40)."""
    said = "taken as alike, and one of them then as worse. If they are in truth 20 points apart, "

    def first(**more) -> str:
        return told(plan(None, pilot(1), difference=0.2, **more))[0].assumes

    assert said in first(design="unpaired") and "up to 86% in place of 80%" in first(
        design="unpaired"
    )
    assert "taken as alike" not in first()
    assert "taken as alike" not in first(design="unpaired", other_questions=900)
    points = pilot(3).groupby(["model", "question_id"], as_index=False).score.mean()
    free = plan(None, points.assign(score=10.0 * points.score), difference=2.0, design="unpaired")
    assert "taken as alike" not in told(free)[0].assumes  # no ends of a scale: all vary alike


@pytest.mark.slow
def test_what_several_comparisons_do_not_find_has_its_reason_everywhere():
    """It had a dash and no reason, and the methods sentence was "No plan: .". The published mean's
    error alone is sqrt(.71 .29 / 1319) = .0125, and z of .05 / 10 with 80% power 2.807 + .842: a
    difference of 4 points is less than .0456, and more than 2.802 times .0125.
    """
    said = {"mean": 0.71, "design": "unpaired", "difference": 0.04, "other_questions": 1319}
    p = plan(**said, comparisons=10)
    assert p.need.questions > 5000 and math.isnan(p.need.adjusted)
    [same] = [t for t in told(p) if t.question == "The same, for each of 10 comparisons"]
    assert same.answer.startswith("cannot be reached: the other model's mean of 1,319 questions")
    short = "the other model's published mean is too uncertain for so small a difference."
    assert methods_sentence(p) == f"No plan: {short}"
    unknown = "Where 10 comparisons share this level, no number of questions is known to find it"
    assert f"{unknown}: {short}" in findings(p)
    notes = [str(n) for n in plan_table(p, "planning-differences").notes]
    assert notes[-2:] == [f"1 point, 2 points, 3 points: {short}",
                          f"4 points, for each of 10 comparisons: {short}"]  # fmt: skip


@pytest.mark.slow
def test_questions_that_find_nothing_known_of_several_comparisons_say_so():
    """Of 123 published questions of 8 answers 33 are in effect, which is enough at 5%, and not at a
    tenth of it.
    """
    said = {"mean": 0.9, "noise": 0.8, "epochs": 8, "epochs_b": 8, "design": "unpaired",
            "difference": 0.12, "other_questions": 123, "comparisons": 10}  # fmt: skip
    p = plan(**said, questions=160)
    by = {t.question: t.answer for t in told(p)}
    each = "not known for each of 10 comparisons"
    assert by["Smallest difference that 160 questions find"] == f"6.5 points; {each}"
    assert by["Power of 160 questions for a difference of 12 points"] == f"over 99%; {each}"
    short = "the published mean rests on too few questions with wrong answers"
    assert methods_sentence(p) == f"No plan: {short}."
    assert pasted(p)[0].head == "There is no sentence for your methods section:"
    assert f"(for each of 10 comparisons that share the level not known: {short})" in findings(p)


@pytest.mark.slow
def test_the_cheapest_design_of_several_comparisons_is_that_of_their_level():
    """1 - .05 / 3 is the level of each of 3."""
    said = {"difference": 0.03, "cost_question": 2.0, "cost_answer": 0.01}
    [each] = [
        t for t in told(plan(**said, comparisons=3))
        if t.question == "Answers to each question that cost least for each of 3 comparisons"
    ]  # fmt: skip
    one = plan(**said, level=1.0 - 0.05 / 3.0)
    best = next(a for a in one.answers if a.best)
    assert each.answer == (
        f"{best.epochs_a:g} answers to each of {needed_text(best)} questions; costs "
        f"{cost_range(best)} for the two models of a comparison"
    )
    assert f"For each of 3 comparisons it is {best.epochs_a:g} answers" in findings(
        plan(**said, comparisons=3)
    )
    assert "comparison" not in " ".join(t.question for t in told(one))
    note = "A number that is not said to be for each of the comparisons is for one of them."
    assert note in plan_table(plan(**said, comparisons=3), "planning").notes
    assert note not in plan_table(one, "planning").notes
    alone = plan(**said, design="unpaired", other_questions=20_000, mean=0.7, comparisons=3)
    assert "questions; costs" in told(alone)[2].answer
    assert told(alone)[2].answer.endswith(" for one model")
