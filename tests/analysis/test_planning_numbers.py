"""Numbers of a plan one by one, each from a formula that is worked here."""

import functools
import importlib
import math
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.power import tt_ind_solve_power
from support.places import ROOT
from support.plans import plan

from reportkit.analysis.planning import layouts, solve
from reportkit.analysis.planning.answers import _curves, _differences, _sizes, need_of
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.changed import certain, in_clusters, with_discordance
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import (
    answers_rows,
    best_shape,
    epochs_curve,
    frontier,
    layouts_of,
)
from reportkit.analysis.planning.limits import least_questions, limits_of, too_few, too_few_of
from reportkit.analysis.planning.others import other_answers
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.public import public_range
from reportkit.analysis.planning.reasons import TOO_UNCERTAIN, Reason
from reportkit.analysis.planning.solve import (
    Goal,
    _without_ends,
    detectable,
    needed,
)
from reportkit.analysis.planning.work import Work, range_of, work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.stats.planning.alternative import grown_at
from reportkit.stats.planning.detectable import PairDesigns

Z = 1.959964 + 0.841621  # statistics.md, section 0
# One answer's variance is .21, of which .3 is noise. Of a difference with one answer each it is
# 2 * .21 * (1 - .3) = .294: sigma^2 = .063 of each model, omega^2 = .168. Two questions of a
# cluster share .1 * .294.
CLUSTERED = {
    "difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.3, "icc": 0.1,
    "cluster_size": 10, "cost_question": 1.0, "cost_answer": 0.1, "cost_cluster": 20.0,
}  # fmt: skip
SINGLE = {"difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.3}


def work(**said) -> Work:
    asked = asked_of(said)
    return work_of(asked, ground_of(asked, None))


def test_clusters_of_other_sizes():
    """Kish: 1 + (m - 1) .1 times the questions; few clusters need up to 4% more, by t. A question
    costs 1 and two answers .2, a cluster 20.
    """
    rows, best = layouts_of(work(**CLUSTERED))
    assert best == 11  # the size that costs least has a row
    assert [r.cluster_size for r in rows] == [1, 2, 5, 10, 11, 20, 50]
    assert [r.asked for r in rows] == [False, False, False, True, False, False, False]
    alone = work(**SINGLE).count(0.05, Shape()).questions
    assert rows[0].questions == rows[0].clusters == alone
    for r in rows:
        more = r.questions / (alone * (1 + (r.cluster_size - 1) * 0.1))
        assert 0.999 < more < 1.04 and r.questions == r.clusters * r.cluster_size
        assert r.cost == pytest.approx(1.2 * r.questions + 20 * r.clusters)
    assert layouts_of(work(**SINGLE))[0] == ()
    fours = layouts_of(work(**CLUSTERED | {"cluster_size": 4}))[0]
    assert [r.cluster_size for r in fours] == [1, 2, 4, 5, 10, 11, 20, 50]


@pytest.mark.parametrize(
    ("said", "least"),
    [
        ({}, 12.0),  # sqrt(20 / 1.2 * (.294 - .0294) / .0294) = 12.2
        # four answers leave .168 + .126 / 4, and cost .8: sqrt(20 / 1.8 * .1701 / .0294) = 8.02
        ({"epochs": 4}, 8.0),
        ({"cost_question": 1000.0}, 1.0),
        ({"icc": 0.0}, math.inf),
        ({"cost_cluster": 0.0}, math.nan),
    ],
)
def test_the_clusters_that_cost_least(said, least):
    """Cochran 1977, equation 9.6; whole clusters and degrees of freedom may move it by one."""
    w = work(**CLUSTERED | said)
    assert layouts._formula_size(w) == pytest.approx(least, nan_ok=True)
    found = layouts_of(w)[1]
    assert abs(found - least) <= 1.0 or math.isinf(least) or math.isnan(found) == math.isnan(least)


def test_no_size_of_clusters_costs_less_than_the_one_that_is_named():
    """Of plans for each size by itself, from a pilot too, which says less of larger clusters."""
    rng = np.random.default_rng(8)
    shared = rng.normal(0.0, 0.1, (2, 15, 1)) + rng.normal(0.0, 0.2, (2, 15, 4))
    rows = [
        {"model": m, "question_id": f"q{g}-{i}", "cluster_id": g, "score": float(x)}
        for m, model in zip("ab", shared, strict=True)
        for (g, i), x in np.ndenumerate(model)
    ]
    pilot = pilot_of(pd.DataFrame(rows), Decisions())
    costs = {"difference": 0.1, "cost_question": 8.0, "cost_answer": 0.2, "cost_cluster": 40.0}
    for of, said in ((None, CLUSTERED), (pilot, costs)):
        ground = functools.partial(ground_of, pilot=of)

        def price(size, said=said, ground=ground):
            asked = asked_of(said | {"cluster_size": size})
            return need_of(work_of(asked, ground(asked)), asked.difference).cost

        asked = asked_of(said)
        best = layouts_of(work_of(asked, ground(asked)))[1]
        prices = {size: price(size) for size in map(float, range(2, 21))}
        assert min(prices, key=prices.get) == best


def test_answers_to_each_question():
    """omega^2 = .168 + 9 * .0294 in clusters, sigma^2 = .126 of both."""
    rows = answers_rows(work(**CLUSTERED), 1000.0)
    known = [r for r in rows if not r.name]
    assert [r.epochs_a for r in known] == [1, 2, 3, 4, 6, 8, 10, 16, 32]
    for r in known:
        assert r.epochs_b == r.epochs_a
        assert r.variance == pytest.approx(0.4326 + 0.126 / r.epochs_a)
        assert r.cost == pytest.approx(r.questions * (1 + 0.2 * r.epochs_a) + 20 * r.clusters)
    assert [r.epochs_a for r in rows if r.best] == [min(known, key=lambda r: r.cost).epochs_a]
    limit, probabilities = rows[-2:]
    assert limit.variance == probabilities.variance == pytest.approx(0.4326)
    assert math.isnan(limit.cost) and limit.questions == probabilities.questions
    one_pass = 1.2 * limit.questions + 20 * limit.clusters
    assert probabilities.cost == pytest.approx(one_pass)
    # a difference goes with the root of the variance, nearly: less so by what it changes itself
    ratio = known[-1].detectable / known[0].detectable
    assert ratio == pytest.approx(math.sqrt((0.4326 + 0.126 / 32) / 0.5586), rel=0.01)
    numbers = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, math.inf]
    found = dict(epochs_curve(work(**CLUSTERED), 1000.0))
    assert list(found) == numbers
    assert all(found[r.epochs_a] == r.detectable for r in (*known, limit))


def test_the_answers_that_are_asked_for_have_a_row_of_their_own():
    rows = [r for r in answers_rows(work(**SINGLE, epochs=5, epochs_b=2), 500.0) if not r.name]
    pairs = [(r.epochs_a, r.epochs_b) for r in rows]
    assert pairs == sorted(pairs) and (5.0, 2.0) in pairs and len(pairs) == 10


@pytest.mark.parametrize(
    "said",
    [{}, {"cost_answer": 0.01}, {"cost_cluster": 0.0}, {"cost_answer": 0.001}, {"epochs_b": 3}],
)
def test_the_cheapest_answers_by_brute_force(said):
    """The least (1 + 20 / 10 + 2 K c) (.4326 + .126 / K), of K up to 100."""
    given = CLUSTERED | said
    question = 1.0 + given["cost_cluster"] / 10
    prices = {
        k: (question + 2 * k * given["cost_answer"]) * (0.4326 + 0.126 / k) for k in range(1, 101)
    }
    found = best_shape(work(**given))
    assert found == Shape(*[float(min(prices, key=lambda k: prices[k]))] * 2, 10.0)


def test_against_answers_that_are_there_only_ours_are_chosen():
    """Unpaired: 2 * .21 - .126 is left, with .063 / 2 of the other model's two answers."""
    w = work(difference=0.05, mean=0.7, noise=0.3, design="unpaired", epochs_b=2,
             cost_question=1.0, cost_answer=0.01)  # fmt: skip
    rest = 2 * 0.21 - 0.126 + 0.063 / 2
    prices = {k: (1 + 0.01 * k) * (rest + 0.063 / k) for k in range(1, 101)}
    assert best_shape(w) == Shape(float(min(prices, key=lambda k: prices[k])), 2.0, 1.0)
    assert w.cost(100, math.nan, Shape(3.0, 2.0)) == pytest.approx(100 * 1.03)


def test_without_costs_or_noise_no_answers_are_best():
    assert best_shape(work(**SINGLE)) is None
    assert best_shape(work(**SINGLE, cost_question=1.0)) is None
    assert best_shape(work(difference=0.03, omega2=0.1, cost_question=1, cost_answer=1)) == Shape()
    # nothing but noise: more answers always pay, unless questions cost nothing
    noise = {"difference": 0.05, "mean": 0.7, "correlation": 0.0, "noise": 1.0, "cost_answer": 0.1}
    assert math.isinf(best_shape(work(**noise, cost_question=1.0)).epochs_a)
    assert best_shape(work(**noise)) is None
    # of the other model's answers nothing varies either
    alone = {"omega2": 0.0, "sigma2": 0.1, "sigma2_b": 0.0, "design": "unpaired"}
    assert best_shape(work(difference=0.05, **alone, cost_answer=1.0)) is None


def test_the_frontier_is_of_so_many_times_the_difference(monkeypatch):
    w = work(**SINGLE, cost_question=4.0, cost_answer=0.25)
    monkeypatch.setattr(layouts, "_designs", lambda w, differences: tuple(differences))
    assert [d / 0.05 for d in frontier(w)] == pytest.approx([0.5, 0.7, 1, 1.4, 2, 3, 4])
    assert frontier(work(**SINGLE)) == ()


def test_the_cheapest_design_of_a_difference_by_brute_force():
    """The cheapest of up to 12 answers, by their own numbers of questions. Models that nothing
    tells apart have the same number; others of each would save a thousandth.
    """
    w = work(**SINGLE, cost_question=4.0, cost_answer=0.25)
    [found] = layouts._designs(w, [0.07])
    shapes = [Shape(float(a), float(b)) for a in range(1, 13) for b in range(1, 13)]
    counts = needed([w.basis.design(s) for s in shapes], 0.07, shapes, w.goal)
    prices = {
        s: c.questions * (4 + 0.25 * (s.epochs_a + s.epochs_b))
        for c, s in zip(counts, shapes, strict=True)
    }
    assert found.cost == pytest.approx(
        min(x for s, x in prices.items() if s.epochs_a == s.epochs_b)
    )
    assert found.cost < 1.001 * min(prices.values())
    assert found.cost == prices[Shape(found.epochs_a, found.epochs_b)]
    assert (found.difference, found.reason) == (0.07, "")


def test_many_cheap_answers_are_on_the_frontier():
    """12, 16, 24, 32, 48, 64; with a limit of questions, and no prices, the first enough."""
    twelve, sixteen = (work(**SINGLE, epochs=k).count(0.05, Shape(k, k)) for k in (12.0, 16.0))
    assert sixteen.questions < twelve.questions
    limited = layouts.within(work(**SINGLE, questions=sixteen.questions))
    assert (limited.epochs_a, limited.questions) == (16, sixteen.questions)
    small = SINGLE | {"difference": 0.01}
    most = work(**small, epochs=64).count(0.01, Shape(64.0, 64.0)).questions
    assert layouts.within(work(**small, questions=most)).epochs_a == 64
    none = layouts.within(work(**small, questions=most - 1))
    assert math.isnan(none.questions) and "up to 64 answers" in none.reason


def test_questions_and_the_difference_that_they_find_are_inverse():
    """Also at the fewest that are planned, which are then no rounding up."""
    for said, numbers in ((SINGLE, (30.0, 500.0)), (CLUSTERED, (80.0, 500.0))):
        w = work(**said)
        for n in numbers:
            [size] = detectable([w.basis.design(w.shape)], n, [w.shape], w.goal)
            count = w.count(size.difference, w.shape)
            assert (count.questions, count.least) == (n, False)


def test_other_answers_in_clusters_and_with_more_answers():
    """Each model's scores vary by .21 + 9 * .2 * .21 with clusters, less 3/4 of its noise with four
    answers. Against a mean of 3,000 questions: V_A / (d^2 / z^2 - V_B / 3000).
    """
    said = {**CLUSTERED, "icc_scores": 0.2, "epochs": 4, "epochs_b": 1}
    w = work(**said, other_questions=3000)
    own = 0.21 + 9 * 0.2 * 0.21
    first, second = own - 0.063 * 0.75, own
    found = {o.name: o for o in other_answers(w, need_of(w, 0.05), None)}
    unpaired = found["unpaired"]
    assert unpaired.equation == math.ceil(Z**2 * (first + second) / 0.05**2)
    # more by t, with the variance that the models have when they differ: as where it is the plan
    apart = work(**said, design="unpaired").count(0.05, w.shape)
    assert (unpaired.questions, unpaired.clusters) == (apart.questions, apart.clusters)
    assert unpaired.equation < unpaired.questions == 10 * unpaired.clusters
    published = found["against a published mean"]
    assert published.equation == math.ceil(first / (0.05**2 / Z**2 - second / 3000))
    assert published.equation < published.questions == 10 * published.clusters
    # twice the one-sided 5%; models alike must pass both tests, each with 90%
    total = 0.4326 + 0.063 / 4 + 0.063
    alike = math.ceil((1.644854 + 1.281552) ** 2 * total / 0.05**2)
    assert found["equivalence"].equation == alike
    # t of so many clusters asks for little more than z
    assert alike <= 10 * found["equivalence"].clusters < 1.01 * alike + 10
    assert found["equivalence"].questions == 10 * found["equivalence"].clusters
    worse = math.ceil((1.644854 + 0.841621) ** 2 * total / 0.05**2)
    assert found["non-inferiority"].equation == worse
    assert worse <= found["non-inferiority"].questions < 1.02 * worse + 10


@pytest.mark.parametrize(("difference", "spread"), [(0.1, 0.15), (6.5, 10.0)])
def test_models_of_their_own_questions_have_the_degrees_of_freedom_of_both(difference, spread):
    """Of so few questions t's tails count: statsmodels' power of a t test of two groups."""
    given = {"difference": difference, "spread": spread, "answers": "own-units", "noise": 0.1}
    n = tt_ind_solve_power(difference / spread, alpha=0.05, power=0.8)
    assert 36 < n < 39
    assert work(**given, design="unpaired").count(difference, Shape()).questions == math.ceil(n)


def test_rows_beside_what_is_asked():
    w = work(**SINGLE | {"difference": 0.07})
    assert _differences(w) == [0.01, 0.02, 0.03, 0.05, 0.07, 0.1]
    # four curves, of the differences nearest to .07 in their ratio
    assert [c.difference for c in _curves(w)] == [0.03, 0.05, 0.07, 0.1]
    near = _curves(work(**SINGLE | {"difference": 0.02}))
    assert [c.difference for c in near] == [0.01, 0.02, 0.03, 0.05]
    own = work(difference=3.0, answers="own-units", spread=12.0, correlation=0.5, noise=0.1)
    assert _differences(own) == [1.5, 3.0, 6.0, 12.0]
    assert _sizes(600.0) == [100, 200, 500, 600, 1000, 2000, 5000]
    assert _sizes(math.nan) == [100, 200, 500, 1000, 2000, 5000]


def test_the_power_of_a_curve_is_the_noncentral_t():
    """Without bounds, a difference of 0.2 standard deviations, by scipy; between two points too."""
    w = work(difference=0.2, answers="own-units", spread=1.0, correlation=0.5, noise=0.1)
    c = w.curve(0.2)
    assert len(c.questions) == len(c.powers) == 50
    for n in (60, 120, 198, 350):
        t = scipy_stats.t.ppf(0.975, n - 1)
        law = scipy_stats.nct(n - 1, 0.2 * math.sqrt(n))
        assert c.at(n) == pytest.approx(law.sf(t) + law.cdf(-t), abs=0.004)
    assert math.isnan(c.at(math.nan))


def test_the_power_of_few_questions_falls_to_the_level():
    """By the normal law, with v = 2 * .21 * (1 - .43) as the variance of a question's difference;
    the curve begins at .1, which is not the power of fewer questions.
    """
    w = work(difference=0.01, mean=0.7, correlation=0.43)
    c = w.curve(0.01)
    for n in (30, 100, 300, 800, 2000):
        far = 0.01 / math.sqrt(2 * 0.21 * 0.57 / n)
        law = scipy_stats.norm
        assert c.at(n) == pytest.approx(law.cdf(far - 1.96) + law.cdf(-far - 1.96), abs=0.005)


def test_a_search_that_stopped_at_its_end_is_no_point_of_a_curve():
    """A pilot of 50 with four answers each gave 2 questions for powers of .1 and .117."""
    far = np.array([0.69, 0.79, 0.9, 1.9, 2.8])
    found = _without_ends(np.array([2.0, 2.0, 604.0, 2915.0, 6630.0]), far)
    assert found[2:].tolist() == [604.0, 2915.0, 6630.0]
    assert found[:2] == pytest.approx([604 * (0.69 / 0.9) ** 2, 604 * (0.79 / 0.9) ** 2])


@pytest.mark.parametrize(
    ("mean", "least", "difference"),
    [(0.94, 8, 0.11), (0.96, 50, 0.08), (0.06, 8, 0.11), (0.04, 50, 0.08)],
)
def test_the_fewest_clusters_that_are_planned(mean, least, difference):
    """Fifty where the expected score is within .05 of an end (benchmarks/planning.md)."""
    asked = {"mean": mean, "correlation": 0.3, "cluster_size": 500, "icc": 1e-3, "icc_scores": 0.01}
    w = work(difference=difference, **asked)
    design = w.basis.design(w.shape)
    found = w.count(difference, w.shape)
    assert (found.clusters, found.questions, found.least) == (least, 500 * least, True)
    assert too_few(500 * least, w.shape, design) == ""
    assert f"fewer than {least} clusters" in too_few(500 * least - 1, w.shape, design)


@pytest.mark.parametrize("mean", [0.95, 0.05])
def test_a_difference_of_more_than_twice_what_the_scale_leaves_is_planned_as_that(mean):
    """0.05 is left: 0.12 has the questions of 0.1 and their power, by the definition; what fewer
    questions find beyond it is not known. Right and wrong answers without clusters have no such
    limit: 0.12 takes fewer questions than 0.1.
    """
    w = work(difference=0.12, mean=mean, correlation=0.3, cluster_size=5, icc=0.1)
    design = w.basis.design(w.shape)
    at, beyond = w.count(0.1, w.shape), w.count(0.12, w.shape)
    assert (at.least, beyond.least) == (False, True) and beyond.questions == at.questions > 60
    assert limits_of(design, 1.0).difference == pytest.approx(0.1)
    assert w.curve(0.12).at(200) == pytest.approx(w.curve(0.1).at(200))
    [found] = detectable([design], 60, [w.shape], w.goal)
    assert (
        math.isnan(found.difference)
        and "differences of more than 0.1 of the scale:" in found.reason
    )
    # scores from 0 to 100: the same part of their scale
    [percent] = detectable([design], 60, [w.shape], replace(w.goal, width=100.0))
    assert percent.reason == found.reason
    [many] = detectable([design], 2000, [w.shape], w.goal)
    assert not math.isnan(many.difference)
    alone = work(difference=0.12, mean=mean, correlation=0.3)
    assert alone.count(0.12, Shape()).questions < alone.count(0.1, Shape()).questions
    assert math.isinf(limits_of(alone.basis.design(Shape()), 1.0).difference)


@pytest.mark.parametrize("mean", [0.9, 0.1])
def test_a_difference_of_more_than_0_7_times_what_the_scale_leaves_to_scores_in_part(mean):
    """0.1 is left, 0.07 the largest that is planned (benchmarks/planning.md); in clusters 0.2."""
    said = {"mean": mean, "spread": 0.15, "correlation": 0.3, "answers": "shares"}
    w = work(difference=0.09, **said)
    design, shape = w.basis.design(w.shape), w.shape
    assert limits_of(design, 1.0).difference == pytest.approx(0.07)
    at, beyond = w.count(0.07, shape), w.count(0.09, shape)
    assert (at.least, beyond.least) == (False, True) and beyond.questions == at.questions > 30
    [found] = detectable([design], at.questions - 5, [shape], w.goal)
    assert (
        math.isnan(found.difference)
        and "differences of more than 0.07 of the scale:" in found.reason
    )
    [found] = detectable([design], at.questions, [shape], w.goal)
    assert found.difference == pytest.approx(0.07, rel=0.02)
    grouped = work(difference=0.09, cluster_size=5, icc=0.1, **said)
    assert limits_of(grouped.basis.design(grouped.shape), 1.0).difference == pytest.approx(0.2)
    assert not grouped.count(0.09, grouped.shape).least


def test_no_fewer_questions_than_have_four_wrong_answers_where_each_model_has_its_own():
    """4 / 0.04 = 100; the reason names them. With 30 in all, paired answers have the 30 of any."""
    w = work(difference=0.3, mean=0.96, design="unpaired")
    found, design = w.count(0.3, Shape()), w.basis.design(Shape())
    assert (found.questions, found.least) == (100, True)
    assert "fewer than 100 questions" in too_few(99, Shape(), design)
    assert limits_of(design, 1.0).questions == 100
    paired = work(difference=0.3, mean=0.96, correlation=0.3)
    assert limits_of(paired.basis.design(Shape()), 1.0).questions == 30


def test_no_fewer_than_thirty_questions_and_no_more_than_ten_million():
    w = work(**SINGLE)
    design = w.basis.design(Shape())
    assert too_few(30, Shape(), design) == "" and "fewer than 30" in too_few(29, Shape(), design)
    small = w.count(0.6, Shape())
    assert (small.questions, small.least) == (30, True)
    # z^2 V / d^2: 9.9 million, and 10.3
    most = math.sqrt(Z**2 * 0.294 / 1e7)
    assert w.count(1.005 * most, Shape()).questions == pytest.approx(9.9e6, rel=0.002)
    many = w.count(0.985 * most, Shape())
    assert math.isnan(many.questions) and "more than 10 million" in many.reason


def test_what_public_evals_show_stands_in_for_what_is_not_said():
    """A mean of 0.7; no correlation above .9 of what answer noise leaves; of what a correlation
    leaves, three quarters are noise at the most.
    """
    known = {k.name: k.value for k in work(difference=0.05).ground.known}
    assert (
        known["mean"] == 0.7
        and known["correlation"] == public_range("correlation", "binary").middle
    )
    noise = public_range("noise").low
    assert known["noise"] == min(noise, 0.75 * (1 - known["correlation"]))
    near = {k.name: k.value for k in work(difference=0.05, correlation=0.9).ground.known}
    assert near["noise"] == pytest.approx(min(noise, 0.075)) and noise > 0.075
    noisy = {k.name: k.value for k in work(difference=0.05, noise=0.8).ground.known}
    assert noisy["correlation"] == pytest.approx(0.18)
    assert public_range("correlation", "binary").low > 0.18
    alike = work(difference=0.05, noise=0.8, correlation=0.19, cluster_size=5).ground.known
    # .01 * 2 V is left of .81 * 2 V, and nine tenths of that may be alike in a cluster
    assert {k.name: k.value for k in alike}["icc"] == pytest.approx(0.9 * 0.01 / 0.81)


def test_the_range_is_that_of_the_quartiles_of_the_correlation():
    r = public_range("correlation", "binary")
    given = {"difference": 0.05, "mean": 0.7, "noise": 0.2}
    w = work(**given)
    at = [work(**given, correlation=x).count(0.05, Shape()).questions for x in (r.high, r.low)]
    assert r.high < 0.9 * 0.8 and range_of(w, 0.05, Shape()) == tuple(at)
    assert at[0] < w.count(0.05, Shape()).questions < at[1]
    assert all(map(math.isnan, range_of(work(**SINGLE), 0.05, Shape())))


# Pilots in another shape --------------------------------------------------------------------------


def pilot_design(**given) -> PairDesigns:
    """200 questions with one answer, means .8 and .7: 40 tell the models apart."""
    r = (0.65 - 0.56) / math.sqrt(0.16 * 0.21)
    base = {
        "method": "tango", "n": 200.0, "clusters": 200.0, "se": math.sqrt(0.19 / 200), "df": 199.0,
        "bounded": True, "mean_a": 0.8, "mean_b": 0.7, "correlation": r, "apart": 0.2,
        "shown": math.nan, "binary": True, "alone": 0.19 / 200, "right": True,
    }  # fmt: skip
    return PairDesigns(*(np.array([v]) for v in (base | given).values()))


def test_more_questions_that_tell_models_apart():
    """1.5 times as many: .3, so that both are right on (.8 + .7 - .3) / 2 = .6."""
    more = with_discordance(pilot_design(), 1.5)
    assert more.apart.item() == pytest.approx(0.3)
    assert more.correlation.item() == pytest.approx((0.6 - 0.56) / math.sqrt(0.16 * 0.21))
    assert more.se.item() == pytest.approx(math.sqrt(1.5 * 0.19 / 200))
    assert more.alone.item() == pytest.approx(1.5 * 0.19 / 200)
    assert with_discordance(pilot_design(), 0.1).apart.item() == pytest.approx(0.1)  # their gap
    # .6, of .5 that the wrong answers leave: both means .05 nearer to the middle, both right on .4
    beyond = with_discordance(pilot_design(), 3.0)
    assert beyond.apart.item() == pytest.approx(0.6)
    assert sorted((beyond.mean_a.item(), beyond.mean_b.item())) == pytest.approx([0.65, 0.75])
    r = (0.4 - 0.75 * 0.65) / math.sqrt(0.75 * 0.25 * 0.65 * 0.35)
    assert beyond.correlation.item() == pytest.approx(r)
    assert beyond.se.item() == pytest.approx(math.sqrt(3.0 * 0.19 / 200))
    assert with_discordance(pilot_design(), 9.0).apart.item() == 1.0
    # in clusters no more than the wrong answers, and the variance has the rest
    of = with_discordance(pilot_design(method="tango-effective"), 3.0)
    assert (of.apart.item(), of.mean_a.item()) == (pytest.approx(0.5), 0.8)
    assert of.se.item() == pytest.approx(math.sqrt(3.0 * 0.19 / 200))


def test_a_pilot_that_shows_too_little_is_no_proof_that_a_difference_cannot_be_reached():
    """22 clusters, worth 5.5 of one size, of which 2 show a difference: no number of questions
    makes up for what is not known. With the same variance, known, there is one.
    """
    d = pilot_design(method="tango-effective", clusters=22.0, shown=2.0)
    d = replace(d, worth=np.full(1, 5.5), own=np.ones(1, bool))
    goal, shape = Goal(0.95, 0.8, 1.0, True), Shape(1.0, 1.0, 200 / 22)
    assert needed([d], 0.05, [shape], goal)[0].reason == TOO_UNCERTAIN
    assert needed([certain(d)], 0.05, [shape], goal)[0].questions > 0
    [size] = detectable([d], 400.0, [shape], goal)
    assert math.isnan(size.difference) and size.reason == TOO_UNCERTAIN
    assert detectable([certain(d)], 400.0, [shape], goal)[0].difference < 0.3
    assert not TOO_UNCERTAIN.never


def test_a_pilot_as_ifin_clusters():
    """20 clusters of 10. A question shows a difference with .2, so the squared coefficient of
    variation is .8 / .2 = 4, of a cluster's mean .4: 20 / 1.4 show it.
    """
    found = in_clusters(pilot_design(), 10.0)
    assert found.method.tolist() == ["tango-effective"]
    assert (found.clusters.item(), found.df.item()) == (20.0, 19.0)
    assert found.worth.item() == found.alike.item() == 20.0
    assert found.shown.item() == pytest.approx(20 / 1.4)
    by_t = in_clusters(pilot_design(method="t"), 10.0)
    assert by_t.method.tolist() == ["t"]
    counted = replace(found, shown=np.array([15.0]))  # three of four clusters, also of others
    assert in_clusters(counted, 5.0).shown.item() == pytest.approx(0.75 * 40)


def test_the_simulation_of_plans_finds_a_family_by_the_name_that_it_prints(monkeypatch, capsys):
    """`--only` takes part of a family's name; the cells of a pilot's range printed another once."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    made = importlib.import_module("planning")
    words = ["planning.py", "--pilots", "1", "--repeats", "20", "--only"]
    monkeypatch.setattr(made, "ranges", lambda d, n: made.Cell(f"range: {d.family}", *[1] * 6))
    monkeypatch.setattr(sys, "argv", [*words, "range: 0/1, 4"])
    made.main()
    lines = capsys.readouterr().out.splitlines()[:-1]
    assert [line.partition(" |")[0] for line in lines] == ["range: 0/1, 4 answers"] * 2
    monkeypatch.setattr(sys, "argv", [*words, "rnage"])
    with pytest.raises(SystemExit):
        made.main()
    assert "'rnage' is part of none of: 0/1; " in capsys.readouterr().err


def test_one_answer_to_each_question_takes_the_fewest_of_any_plan():
    """McNemar's test of one answer is counted out, also of models that differ on few questions: 30,
    and not 10 over the share on which they do.
    """
    w = work(difference=0.1, mean=0.97, correlation=0.87)
    design = w.basis.design(w.shape)
    shown = grown_at(design, np.array([0.1])).shown.item() / design.n.item()
    assert limits_of(design, 1.0, 0.1).questions == 30 < math.ceil(10 / shown)


def test_shares_of_models_apart_take_the_fewest_of_any_plan():
    """Right and wrong answers with .03 left to the end of the scale take 4 / .03 = 134."""
    given = {"difference": 0.02, "mean": 0.97, "design": "unpaired"}
    for said, least in (({}, 134), ({"answers": "shares", "spread": 0.05}, 30)):
        w = work(**given, **said)
        assert limits_of(w.basis.design(w.shape), 1.0).questions == least


@pytest.mark.parametrize(("found", "questions"), [(1200 * (1 + 5e-9), 1200), (1200.001, 1201)])
def test_a_number_that_is_whole_but_for_its_last_bits_is_not_rounded_up(
    found, questions, monkeypatch
):
    w = work(**SINGLE)
    design = w.basis.design(w.shape)
    monkeypatch.setattr(solve, "times_needed", lambda *_: np.array([found / design.n.item()]))
    [count] = needed([design], 0.05, [w.shape], w.goal)
    assert count.questions == questions


def few_for(effect: float, questions: float, w: Work) -> Reason:
    d = w.basis.design(w.shape)
    return too_few_of(questions, w.shape, d, (least_questions(d), least_questions(d, effect)))


@pytest.mark.slow
def test_in_clusters_answers_that_are_nearly_all_alike_have_to_differ_on_twice_as_many():
    """Of 4 answers with noise of less than .4 plans of 10 to 50 clusters were drawn 8,000 times
    each: they kept .81 to .87 of .8 where models are expected to differ on 5 to 10 questions, .81
    to .84 on 10 to 20, .80 to .82 on 20 and more. With more noise they kept .79 to .82 at any.
    """
    asked = {"mean": 0.8, "epochs": 4, "cluster_size": 5, "icc": 0.02}
    alike = asked | {"correlation": 0.8, "noise": 0.03}
    w = work(difference=0.08, **alike)
    design = w.basis.design(w.shape)
    share = grown_at(design, np.array([0.08])).shown.item() / design.n.item()
    least = math.ceil(20 / share)
    planned = plan(difference=0.08, **alike)
    assert planned.need.least and planned.need.questions == 5 * math.ceil(least / 5)
    few = plan(difference=0.08, questions=least - 1, **alike)
    assert math.isnan(few.found.power)
    assert "expected to do so on fewer than 20 of them" in few_for(0.08, least - 1, w)
    for noise, refused in ((0.39, True), (0.41, False)):
        w = work(difference=0.12, noise=noise, correlation=0.4, **asked)
        assert bool(few_for(0.12, 50, w)) is refused


def test_in_clusters_near_an_end_models_have_to_differ_on_ten():
    """50 clusters of 5 at .985, 4 answers: 9.8 questions, and .836 of .8 in 40,000 evals."""
    asked = {"mean": 0.985, "epochs": 4, "cluster_size": 5, "icc": 0.0, "noise": 0.9}
    w = work(difference=0.02, correlation=0.05, **asked)
    design = w.basis.design(w.shape)
    share = grown_at(design, np.array([0.02])).shown.item() / design.n.item()
    assert limits_of(design, 1.0, 0.02).questions == max(30, math.ceil(10 / share))


def test_the_fewest_questions_have_more_power_than_any_that_a_curve_asks_for():
    """Twenty points are 22 standard errors of 30 questions: sqrt(2 * .05^2 * .5 / 30) = .0091."""
    asked = {"answers": "shares", "mean": 0.5, "spread": 0.05, "correlation": 0.5}
    for questions in (30, 3000):
        planned = plan(difference=0.2, questions=questions, **asked)
        assert planned.found.power > 0.999
    assert math.isnan(plan(difference=0.2, questions=29, **asked).found.power)


def test_no_power_is_stated_where_few_answers_differ():
    """Four answers, nearly all alike in a question and in both models: drawn 8,000 times
    (benchmarks/planning.py), plans of 50 questions kept 0.72 to 0.75 of 0.8. Models that differ by
    11 points do so on 7.99 of 50, in effect.
    """
    asked = {"mean": 0.97, "correlation": 0.87, "noise": 0.04, "epochs": 4}
    few = plan(difference=0.1, questions=40, **asked)
    assert math.isnan(few.found.power) and math.isnan(few.found.detectable)
    assert "expected to do so on fewer than 10 of them" in few.found.reason
    planned = plan(difference=0.1, **asked)
    w = work(difference=0.1, **asked)
    design = w.basis.design(w.shape)
    share = grown_at(design, np.array([0.1])).shown.item() / design.n.item()
    assert planned.need.least and planned.need.questions == math.ceil(10 / share)
    assert planned.limits.questions == planned.need.questions
    n = int(planned.need.questions)
    assert few_for(0.1, n, w) == "" != few_for(0.1, n - 1, w)
    drawn = planned.curves[[c.difference for c in planned.curves].index(0.1)]
    assert drawn.least == n and math.isnan(drawn.at(n - 1)) and drawn.at(n) > 0.8
    assert np.sum(drawn.questions < n) == 1  # from which the power of n is read off
