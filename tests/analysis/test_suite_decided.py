"""What is decided of several evals: weights, order, names, published scores; expected numbers from
the means of the scores.
"""

import numpy as np
import pytest
from support.scores_made import result_of

from reportkit.analysis.suite import suite_of
from reportkit.analysis.suite_decided import decided_suite, evals_for, ordered, suite_for
from reportkit.decisions import Decisions
from reportkit.errors import ScoresError, UnknownNameError

RNG = np.random.default_rng(5)
SIZES = {"big": 80, "mid": 40, "few": 20}
SCORES = {
    name: np.clip(RNG.normal(0.5, 0.1, (2, n)) + np.array([[0.05 * n / 40], [0.0]]), 0, 1)
    for name, n in SIZES.items()
}
GAPS = {name: x[0].mean() - x[1].mean() for name, x in SCORES.items()}
OWN = {
    "big": Decisions(
        name="Large", metric_name="Share", published={"Ours 2": {"score": 0.61, "source": "paper"}}
    ),
    "few": Decisions(weight="0.25", published="Other:0.4"),
    "mid": Decisions(weight="0"),
}


@pytest.fixture(scope="module")
def results():
    return [result_of(x, eval=name) for name, x in SCORES.items()]


@pytest.mark.parametrize(
    ("average", "weights"),
    [("", [1, 1, 1]), ("equal", [1, 1, 1]), ("questions", [80, 40, 20]), ("weights", [1, 0, 0.25])],
)
def test_how_much_each_eval_weighs(average, weights, results):
    """Without a weight of its own an eval has 1; one of 0 leaves it out."""
    s = decided_suite(results, Decisions(average=average), OWN)
    expected = np.average(list(GAPS.values()), weights=weights)
    assert s.overall[0].difference == pytest.approx(expected, rel=1e-9)
    assert s.average == average and s.overall[0].n_all == np.count_nonzero(weights)


def test_evals_stand_in_the_order_that_is_decided(results):
    d = Decisions(order="few, mid")
    assert [r.eval for r in ordered(results, d)] == ["few", "mid", "big"]
    assert [r.eval for r in decided_suite(results, d, OWN).evals] == ["few", "mid", "big"]
    assert [(r.eval, r.metric) for r in evals_for(results, d, OWN)][2] == ("Large", "Share")
    with pytest.raises(UnknownNameError, match="no eval or category 'few1'; did you mean 'few'"):
        ordered(results, Decisions(order="few1"))


def test_a_difference_on_an_eval_has_its_degrees_of_freedom(results):
    """One less than the eval has questions: its scores are shares without clusters."""
    found = {(d.eval, d.df) for d in decided_suite(results, Decisions(), {}).differences}
    assert found == {(name, n - 1.0) for name, n in SIZES.items()}


def test_names_go_through_every_record(results):
    plain, named = (f(results, Decisions(), OWN) for f in (decided_suite, suite_for))
    assert [(r.eval, r.metric) for r in named.evals] == [
        ("Large", "Share"), ("mid", "points"), ("few", "points"),
    ]  # fmt: skip
    assert {(d.eval, d.metric) for d in named.differences} == {
        ("Large", "Share"), ("mid", "points"), ("few", "points"),
    }  # fmt: skip
    assert [d.difference for d in named.differences] == [d.difference for d in plain.differences]
    assert [(p.eval, p.model, p.score, p.source) for p in plain.published] == [
        ("big", "Ours 2", 0.61, "paper"), ("few", "Other", 0.4, ""),
    ]  # fmt: skip
    assert [p.eval for p in named.published] == ["Large", "few"]
    weighted = suite_for(results, Decisions(average="weights"), OWN)
    assert weighted.weights == {"Large": 1.0, "few": 0.25}
    assert weighted.apart == {"mid": "its weight is 0"}
    with pytest.raises(ScoresError, match="two evals would be called 'mid'; choose two names"):
        suite_for(results, Decisions(), {"few": Decisions(name="mid")})


def test_what_was_left_out_is_kept_and_two_models_have_ranks(results):
    s = decided_suite(results, Decisions(), OWN, {"none": "no scores"})
    assert s.left_out == {"none": "no scores"} and suite_of(results).left_out == {}
    assert [r.rank for r in s.ranks] == [1, 2]  # A leads on every eval


def test_of_many_evals_without_an_se_three_are_named():
    """Every difference is the same on all 3 questions of an eval, so that no SE is known."""
    flat = np.array([[0.3, 0.4, 0.5], [0.2, 0.3, 0.4]])
    made = [result_of(flat, eval=f"e{k}") for k in range(5)]
    reason = suite_of(made).overall[0].reason
    assert reason == "the SE of the difference is undefined on e0, e1, e2 and 2 more"
    assert suite_of(made[:3]).overall[0].reason.endswith(" on e0, e1, e2")
