"""What an eval costs that more than two models answer. Expected costs are counted here."""

import math

import pytest
from support.plans import plan

from reportkit.tables.planning import plan_table

ASKED = {"difference": 0.05, "mean": 0.8, "correlation": 0.4, "noise": 0.3,
         "cost_question": 0.4, "cost_answer": 0.02}  # fmt: skip


def test_the_cost_is_that_of_all_models_answers():
    """A question costs 0.4, and six answers of 0.02 each."""
    p = plan(**ASKED, cost_models=6)
    assert p.need.questions == plan(**ASKED).need.questions
    assert p.need.cost == pytest.approx(p.need.questions * (0.4 + 6 * 0.02))
    five = plan(**ASKED, cost_models=5, epochs=3)  # half of five is no whole number
    assert five.need.cost == pytest.approx(five.need.questions * (0.4 + 5 * 3 * 0.02))


@pytest.mark.slow
@pytest.mark.parametrize("models", [3, 6, 20])
def test_no_number_of_answers_that_all_give_costs_less(models):
    p = plan(**ASKED, cost_models=models)
    [best] = [a for a in p.answers if a.best]
    assert best.epochs_a == best.epochs_b
    costs = {}
    for k in range(1, 9):
        q = plan(**ASKED, epochs=k)
        costs[k] = q.need.questions * (0.4 + models * k * 0.02)
    assert best.cost == pytest.approx(min(costs.values()))
    assert costs[int(best.epochs_a)] == min(costs.values())


def test_more_models_get_fewer_answers_each():
    """K = sqrt(2 c_q / (M c_A)) sigma / omega. Of a score's variance 0.3 is noise, so that sigma^2
    is 0.3 of it, omega^2 2 (1 - 0.3 - 0.4), and K sqrt(2 x 0.4 / (0.02 M)) sqrt(0.3 / 0.6).
    """
    for models in (2, 10):
        [best] = [a for a in plan(**ASKED, cost_models=models).answers if a.best]
        assert abs(best.epochs_a - math.sqrt(0.8 / (models * 0.02) * 0.5)) <= 1.0


def test_words_say_whose_cost_it_is():
    p = plan(**ASKED, cost_models=6, comparisons=15)
    cells = " ".join(str(c) for row in plan_table(p, "planning").cells for c in row)
    assert (
        cells.count(" for all 6 models") == 4
    )  # of one comparison and of each, and their cheapest
    assert "two models of a comparison" not in cells
    known = {row[0]: row[1] for row in plan_table(p, "planning-known").cells}
    assert known["Models that answer each question"] == "6"
    alone = plan(**ASKED | {"correlation": math.nan}, cost_models=6, design="unpaired",
                 other_questions=5000)  # fmt: skip
    assert "cost_models = 6 changes nothing: only one model is run." in " ".join(alone.notes)
    assert alone.need.cost == pytest.approx(alone.need.questions * (0.4 + 0.02))
