"""What a plan says, where a reader took it for something else."""

import math

import numpy as np
import pandas as pd
import pytest
from support.plans import need_alone, plan

from reportkit.analysis.planning.answers import _founds
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.public import public_range
from reportkit.analysis.planning.work import work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.tables.planning import PLANNING, plan_table
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import findings, methods_sentence

IDEA = {"difference": 0.03, "mean": 0.75}
COSTS = {"cost_question": 5, "cost_answer": 0.1}
GROUPED = {**IDEA, "cluster_size": 5, "icc": 0.1, "noise": 0.3, **COSTS, "cost_cluster": 20}


def assumes(p) -> dict[str, str]:
    return {t.question: t.assumes for t in told(p)}


def cells(p, name: str) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in plan_table(p, name).cells}


def test_what_the_cheapest_design_saves_without_answer_noise():
    """8 answers for 5 + 2 * 8 * 0.1 each in place of 5.2 then gain nothing: 27% more for as many
    questions, and 31% with the t test in place of McNemar's; by plans that know it.
    """
    p = plan(**IDEA, **COSTS)
    best = next(a for a in p.answers if a.best)
    given = {**IDEA, **COSTS, "noise": 0, "correlation": 0.29}  # the lower quartile
    one, many = (need_alone(**given, epochs=k).cost for k in (1, best.epochs_a))
    more = round(100 * (many / one - 1))
    assert 27 <= more <= 33
    assert f"; if there is no answer noise, it costs {more}% more than the first. " in findings(p)
    assert "no answer noise, it" not in findings(plan(**IDEA, **COSTS, noise=0.4))
    same = plan(**IDEA, **COSTS, correlation=0.29)
    assert "; if there is no answer noise, it costs" in findings(same)


def test_the_size_of_clusters_that_costs_least_is_a_row_and_says_what_it_saves():
    p = plan(**GROUPED)
    least = next(x for x in p.layouts if x.cluster_size == p.best_size)
    asked = next(x for x in p.layouts if x.asked)
    assert least.cost == min(x.cost for x in p.layouts if x.cost == x.cost) < asked.cost
    saved = (
        f"{100 * (1 - least.cost / asked.cost):.0f}%" if least.cost < 0.99 * asked.cost else "<1%"
    )
    table = plan_table(p, "planning-clusters")
    keys = [c.key for c in table.columns]
    planned = p.layouts.index(asked), keys.index("size")
    assert set(table.bold) == {(p.layouts.index(least), keys.index("cost")), planned}
    note = f"Bold: the planned size and the least cost, {saved} less than that of the planned size."
    assert note in table.notes
    assert "5" in [row[0] for row in table.cells]
    answer = next(t for t in told(p) if t.question == "Clusters, and how large")
    assert answer.answer.endswith(
        f"{p.best_size:.0f} questions in each would cost least, {saved} less"
    )
    assert "section 9.6 of Cochran 1977." in answer.assumes


def test_where_assumed_noise_and_each_range_are_from():
    """0.75 (1 - 0.41) and 0.9 (1 - 0.29): the range of noise is no quartile."""
    notes = " ".join(plan_table(plan(**IDEA), "planning-known").notes)
    assert "Range of the correlation: the quartiles of what public evals show" in notes
    assert "75% of the variance that the correlation leaves, 0.75 × (1 − 0.41) = 44%." in notes
    assert "90% of what the lowest correlation leaves, 0.90 × (1 − 0.29) = 64%" in notes
    # 0.75 (1 - 0.4) and 0.9 (1 - 0.4)
    given = " ".join(plan_table(plan(**IDEA, correlation=0.4), "planning-known").notes)
    assert "leaves, 0.75 × (1 − 0.40) = 45%. Range: from none to 90% of what the corr" in given
    assert "of what the correlation leaves, 0.90 × (1 − 0.40) = 54%, as few" in given
    grouped = " ".join(plan_table(plan(**IDEA, cluster_size=4, icc=0.2), "planning-known").notes)
    # (1 - 0.2) (1 - 0.29)
    assert "from none to 57%, which is all that the correlation and the ICC leave" in grouped
    apart = " ".join(plan_table(plan(**IDEA, design="unpaired"), "planning-known").notes)
    assert "that the median correlation of public evals leaves" in apart


def test_a_published_mean_beside_a_plan_of_both_models_has_its_own_formula():
    """z^2 = 7.849, v = .71 * .29: v / (.08^2 / z^2 - v / 1319) = 312.3, the number of that answer
    and of no other one.
    """
    p = plan(difference=0.08, mean=0.71, other_questions=1319)
    said = assumes(p)["Questions against another model's published mean of 1,319 questions"]
    assert "Newcombe's interval of the difference of two shares" in said  # it said Welch's t
    assert said.endswith("of models that do not differ, and gives 313.")


def test_the_fewest_of_another_answer_are_not_those_of_the_largest_difference():
    """12 points are more than the 10 that are planned where .05 is left to the end of the scale; 8
    clusters show equal models to be within 30 points, whatever the plan's difference is.
    """
    given = {"mean": 0.95, "correlation": 0.3, "cluster_size": 5, "icc": 0.1, "margin": 0.3}
    p = plan(difference=0.12, **given)
    text = {t.question: t.answer for t in told(p)}
    fewest = "40 questions, in 8 clusters of 5, the fewest that are planned"
    assert text["Questions to show that two equal models are within 30 points"] == fewest
    own = text["Questions for each model, where each answers its own, for 12 points"]
    assert own.endswith(" clusters of 5, those of 10.0 points")


@pytest.mark.slow
def test_brackets_of_models_apart_say_which_icc_is_from_public_evals():
    head = "Questions for each model, where each answers its own, for 3 points"
    because = "in public evals, as no icc_scores was given."
    grouped = {**IDEA, "cluster_size": 5, "icc": 0.1}
    assert assumes(plan(**grouped))[head].count(because) == 1
    assert because not in assumes(plan(**grouped, icc_scores=0.2))[head]


def test_scores_without_answer_noise_have_that_for_a_formula():
    [row] = [t for t in told(plan(**IDEA, noise=0.0)) if t.question.startswith("More answers")]
    assert row.answer == "gain nothing: a score has no answer noise"
    assert row.formula == "sigma_A^2 = sigma_B^2 = 0"


def test_no_model_is_called_fictional_that_is_not():
    p = plan(**IDEA)
    assert not any("ictional" in note for kind in PLANNING for note in plan_table(p, kind).notes)


def pilot(answers: int, scale: float = 1.0, size: int = 1) -> pd.DataFrame:
    rng, rows = np.random.default_rng(6), []
    for i, ease in enumerate(rng.normal(0.6, 0.15, 60)):
        for model, less in (("A", 0.0), ("B", 0.05)):
            for k in range(answers):
                score = scale * np.clip(ease - less + rng.normal(0, 0.15), 0, 1)
                rows.append((model, f"q{i}", k, round(score, 4), f"c{i // size}"))
    frame = pd.DataFrame(rows, columns=["model", "question_id", "epoch", "score", "cluster_id"])
    return frame if size > 1 else frame.drop(columns="cluster_id")


def test_what_a_pilot_of_scores_from_0_to_100_rests_on():
    scores = pilot(1, 100.0)
    p = plan(None, scores, Decisions(range="0,100"), difference=3)
    found = cells(p, "planning-known")
    for model, of in scores.groupby("model")["score"]:
        value, source = found[f"Standard deviation of scores of {model}"][:2]
        assert float(value) == pytest.approx(of.std(), rel=0.01) and source == "the pilot"
    assert tuple(found["Ends of the scale"][:2]) == ("0 to 100", "given")
    assert "Correlation of the models' scores" in found  # of one answer, as there is no other


def test_what_a_pilot_of_several_answers_in_clusters_rests_on():
    p = plan(None, pilot(3, size=5), Decisions(), difference=0.03)
    found = cells(p, "planning-known")
    assert "Correlation of the models' scores, one answer each" in found
    for what in ("ICC of the differences in a cluster", "ICC of one model's scores in a cluster"):
        assert f"{what}, one answer each" in found
    assert "Answers to each question, B" in found
    notes = " ".join(plan_table(p, "planning-known").notes)
    assert "The noise share in that table is another number" in notes
    first = assumes(p)[told(p)[0].question]
    low, high = p.pilot.factor_low, p.pilot.factor_high
    assert f"the true one may be from {low:.2f} to {high:.2f} times as large" in first
    given = plan(None, pilot(3, size=5), Decisions(), difference=0.03, icc_scores=0.2)
    row = cells(given, "planning-known")["ICC of one model's scores in a cluster"]
    assert row[1] == "given" and not any("icc_scores" in n for n in given.notes)


def test_what_questions_find_has_the_range_of_the_correlation():
    """With it as given at its quartiles."""
    p = plan(**IDEA)
    n = p.need.questions
    ends = []
    for r in (0.42, 0.29):
        asked = asked_of({**IDEA, "correlation": r, "noise": 0.3})
        ends.append(_founds(work_of(asked, ground_of(asked, None)), [n])[0])
    assert (p.found.low, p.found.high) == pytest.approx([f.detectable for f in ends])
    assert (p.found.power_low, p.found.power_high) == pytest.approx([f.power for f in ends[::-1]])
    text = {t.question: t.answer for t in told(p)}
    assert text[f"Smallest difference that {n:,.0f} questions find"] == "3.0 points (3.0 to 3.3)"
    assert any(x.startswith("In brackets: the same at the upper and the lower quartile")
               for x in plan_table(p, "planning-sizes").notes)  # fmt: skip
    assert math.isnan(plan(**IDEA, correlation=0.4).found.low)


def test_each_row_names_its_formula_and_what_to_give_for_it():
    said = assumes(plan(**IDEA, **COSTS))
    texts = " ".join(said.values())
    for vague in ("As above", "leaves that out, and gives 1,928. That", "Cochran 1977 (9.6)"):
        assert vague not in texts
    assert "Connor's formula leaves that out, and gives 1,928." in texts
    assert "Equation 10 leaves these out" in texts and "with the SE of models that do not" in texts
    assert "give epochs = 8." in texts and "Give yours as noise." in texts and " --" not in texts
    maths = next(t.maths for t in told(plan(**IDEA, **COSTS)) if "cost least" in t.question)
    assert "an answer of model $M$ costs $c_M" in maths


@pytest.mark.slow
def test_a_power_at_the_edge_of_its_range_is_explained():
    """The median correlation of public evals is next to their upper quartile."""
    r = public_range("correlation", "binary")
    assert (r.middle - r.low) / (r.high - r.low) > 0.75
    first, size, power = told(plan(difference=0.05, mean=0.8))[:3]
    text = (
        f"The plan takes a correlation of {r.middle}, near one end of {r.low} to {r.high}: so its "
        "numbers are near one end of their ranges."
    )
    assert first.assumes.endswith(text)
    assert size.assumes.endswith("In brackets: at the same ends.")
    n = size.question.split()[3]
    ends = f"In brackets: the power of the same {n} questions at the same ends."
    assert power.assumes.endswith(ends)
    of_noise = told(plan(difference=0.05, mean=0.8, epochs=25))[0]
    assert "near one end" not in of_noise.assumes
    limited = told(plan(difference=0.05, mean=0.8, questions=400))
    assert limited[0].assumes.endswith(text) and limited[1].assumes.endswith("at the same ends.")
    needs = next(t for t in limited if t.question.startswith("Questions to find"))
    assert needs.assumes.endswith("In brackets: at the same ends.")


def test_numbers_amid_their_ranges_are_not_said_to_be_near_an_end():
    """Of shares public evals leave the correlation and the standard deviation open."""
    p = plan(difference=0.05, mean=0.8, answers="shares")
    assert 0.25 < (p.need.questions - p.need.low) / (p.need.high - p.need.low) < 0.75
    assert "near one end" not in told(p)[0].assumes


def test_both_values_near_an_end_are_named():
    """Of clusters the ICC is next to its lower quartile, which asks for few questions too."""
    icc = public_range("icc")
    assert (icc.middle - icc.low) / (icc.high - icc.low) < 0.25
    [note] = [n for n in plan_table(plan(difference=0.04, cluster_size=5), "planning-sizes").notes
              if n.startswith("In brackets")]  # fmt: skip
    assert (
        f", and an ICC of differences of {icc.middle:.2f}, near one end of {icc.low:.2f} to "
        f"{icc.high:.2f}: so its numbers are near one end of their ranges."
    ) in note


@pytest.mark.slow
def test_no_text_of_a_plan_has_an_option_of_a_command():
    """In a document its hyphens end lines, and none is run there; the command says it once."""
    p = plan(None, pilot(1), difference=0.1, cluster_size=4, **COSTS)
    of_one = plan(difference=0.05, design="unpaired", other_questions=1000, published="A:0.9;B:0.8")
    for made in (p, of_one, plan(difference=0.05, answers="shares", epochs=3)):
        notes = [n for kind in PLANNING for n in plan_table(made, kind).notes]
        texts = [findings(made), methods_sentence(made), *(t.assumes for t in told(made)), *notes]
        assert not any("--" in text for text in texts)


def test_models_that_are_known_are_named():
    """Of a pilot of two: whose answers and costs a row has, and who is run against a mean."""
    rows = plan_table(plan(None, pilot(1), difference=0.1, cost_answer=1, cost_answer_b=2),
                      "planning-known").cells  # fmt: skip
    heads = [str(row[0]) for row in rows]
    assert {"Answers to each question, A", "Answers to each question, B"} <= {*heads}
    assert {"Cost of an answer of A", "Cost of an answer of B"} <= {*heads}
    alone = told(plan(None, pilot(1), difference=0.2, design="unpaired", other_questions=900,
                      cost_answer=1))  # fmt: skip
    texts = " ".join(t.assumes for t in alone)
    assert "Only A is run. The mean of B is of 1 answer to each question" in texts
    assert "first model" not in texts and "second model" not in texts


def test_a_number_that_was_given_is_printed_as_it_was_given():
    """An ICC of 0.03 was "0.0300" in the table and "0.03" in the text; a cost of 5 was "5.00"."""
    given = {"icc": 0.0325, "icc_scores": 0.1, "cost_question": 12000, "cost_answer": 0.00042}
    p = plan(**IDEA, cluster_size=5, cost_cluster=20, **given)
    values = {what: row[0] for what, row in cells(p, "planning-known").items()}
    assert values["ICC of the differences in a cluster"] == "0.0325"
    assert "an intraclass correlation of 0.0325" in methods_sentence(p)
    assert values["ICC of one model's scores in a cluster"] == "0.1"
    assert values["Cost of a question"] == "12,000" and values["Cost of a cluster"] == "20"
    assert values["Cost of an answer"] == "0.00042"


def test_the_icc_of_a_pilot_is_one_number_in_the_table_and_in_the_text():
    p = plan(None, pilot(3, size=5), Decisions(), difference=0.03)
    [icc] = [k.value for k in p.known if k.name == "icc"]
    rounded = f"{icc:.2g}".replace("-", "−")  # two significant digits
    row = cells(p, "planning-known")["ICC of the differences in a cluster, one answer each"]
    assert row[0] == rounded


@pytest.mark.slow
def test_a_plan_against_a_published_mean_says_its_own_formulas():
    """They were those of two models with as many questions each: 883 for 4 points where 733 is
    printed. Of the noise of .375 (1 - .5) only that of ours goes: 5 * .375 / .625 answers.
    """
    said = {"answers": "shares", "spread": 0.3, "other_se": 0.009, "other_questions": 1319}
    p = plan(mean=0.71, difference=0.04, design="unpaired", **said)
    own = "; the published mean keeps its own error."
    needs, sizes = (plan_table(p, f"planning-{name}") for name in ("differences", "sizes"))
    assert f"By formula: equation 9 of Miller 2024, with z{own}" in needs.notes
    assert f"By formula: equation 10 of Miller 2024{own}" in sizes.notes
    assert "By formula" in [c.head for c in sizes.columns]
    text = " ".join(plan_table(p, "planning-epochs").notes)
    assert "with answer noise at the upper quartile of public evals, and with none." in text
    little = next(t for t in told(p) if t.question.endswith("gain little after"))
    assert little.formula == "sigma_A^2 / (K omega^2) < 1/5"
    noise = next(k.value for k in p.known if k.name == "noise")
    assert little.value == math.floor(5 * noise / (1 - noise)) + 1 == 4  # of 3 it is a fifth
    both = plan(mean=0.71, difference=0.04, design="unpaired")
    assert not any(own in note for note in plan_table(both, "planning-sizes").notes)


def test_a_table_of_clusters_says_why_single_questions_may_take_fewer():
    """The allowance of 60 questions is less than that of 12 clusters, whatever the ICC is."""
    rng = np.random.default_rng(4)
    rows = [
        {"model": m, "question_id": f"q{i}", "score": x, "cluster_id": f"c{i // 5}"}
        for m in "AB"
        for i, x in enumerate((rng.random(60) < 0.7).astype(float))
    ]
    [note] = [
        n
        for n in plan_table(
            plan(None, pd.DataFrame(rows), difference=0.1), "planning-clusters"
        ).notes
        if n.startswith("The pilot's")
    ]
    assert note == (
        "The pilot's 60 questions show how single questions vary, and its 12 clusters, less well, "
        "how clusters do. Each number allows for that."
    )


def test_the_default_difference_of_scores_in_own_units_is_told():
    """0.03 on a scale of nine points: z^2 * 2 * 1.9^2 * (1 - r) / 0.03^2 is tens of thousands."""
    own = {"answers": "own-units", "spread": 1.9}
    said = (
        "A difference of 0.03 is the default, which is meant for scores from 0 to 1. These are in "
        "units of their own: give the difference that matters as difference."
    )
    default = plan_table(plan(**own), "planning")
    assert said in default.notes and plan(**own).need.questions > 30_000
    others = plan(**own, difference=0.3), plan(), plan(answers="shares"), plan(omega2=0.1)
    assert not any("is the default" in str(plan_table(p, "planning")) for p in others)
    rng = np.random.default_rng(3)
    rows = [(m, f"q{q}", float(rng.integers(1, 11))) for m in "AB" for q in range(60)]
    pilot = pd.DataFrame(rows, columns=["model", "question_id", "score"])
    ranged = {"decisions": Decisions(range="1,10")}
    assert said in plan_table(plan(None, pilot, **ranged), "planning").notes
    assert said not in plan_table(plan(None, pilot, difference=0.3, **ranged), "planning").notes


def test_what_an_eval_leaves_to_chance_has_the_symbols_of_the_other_formulas():
    """q was answer noise in its words and in documents, noise in its formula, and the share of
    questions that tell models apart in Connor's formula below it.
    """
    rows = [t for t in told(plan(**IDEA, questions=2000)) if "these 2,000 questions" in t.question]
    assert [t.formula.partition(" = ")[2] for t in rows] == [
        "(1 - n/N) Var(d)/n + (n/N) (sigma_A^2/K_A + sigma_B^2/K_B)/n"
    ]
    assert rows[0].maths.endswith(r"(n/N)\,(\sigma_A^2/K_A + \sigma_B^2/K_B)/n")
    assert "and answer noise (Cochran 1977)." in rows[0].assumes
