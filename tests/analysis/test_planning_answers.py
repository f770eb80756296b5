"""More answers to each question, in a plan: never more questions, and the number that costs least,
by plans of each number on its own.
"""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import plan
from support.sweeps import slow

from reportkit.analysis.planning.answers import _founds, need_of
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import answers_rows, epochs_curve, frontier, within
from reportkit.analysis.planning.margins import equivalence, not_worse
from reportkit.analysis.planning.pilot import Pilot, pilot_of
from reportkit.analysis.planning.work import Work, ranges_of, work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import told

NUMBERS = (*map(float, range(1, 65)), 96.0, 100.0, 1000.0)
SOME = (1, 2, 3, 5, 8, 13, 24, 31, 48, 64, 1000)
ASKED = {"01": {"difference": 0.05}, "shares": {"difference": 0.02}, "own": {"difference": 0.4}}


def scores(kind: str, clusters: int = 0, answers: tuple[int, int] = (2, 2), n: int = 100):
    """Two answers of two models to each question: right or wrong, shares, or in units of their
    own; in clusters of so many questions.
    """
    rng = np.random.default_rng(1)
    hard = rng.normal(0.0, 1.5, n)
    if clusters:
        hard += np.repeat(rng.normal(0.0, 0.7, n // clusters), clusters)
    rows = []
    for model, ability, k in zip("AB", (1.0, 0.7), answers, strict=True):
        p = 1.0 / (1.0 + np.exp(hard - ability + rng.normal(0.0, 0.6, n)))[:, None]
        if kind == "01":
            drawn = (rng.random((n, k)) < p).astype(float)
        elif kind == "shares":
            drawn = rng.beta(3.0 * p + 0.05, 3.05 - 3.0 * p, (n, k))
        else:
            drawn = 10.0 * p + rng.normal(0.0, 2.0, (n, k))
        for (q, e), score in np.ndenumerate(drawn):
            row = {"model": model, "question_id": f"q{q}", "epoch": e, "score": score}
            rows.append(row | ({"cluster_id": f"c{q // clusters}"} if clusters else {}))
    return pd.DataFrame(rows)


def pilot(kind: str, clusters: int = 0, answers: tuple[int, int] = (2, 2)) -> Pilot:
    return pilot_of(scores(kind, clusters, answers), Decisions())


def work(of: Pilot | None, **said) -> Work:
    asked = asked_of(said)
    return work_of(asked, ground_of(asked, of))


def never_up(sizes, up_to: float = 0.0) -> bool:
    return all(b <= a + up_to for a, b in itertools.pairwise(sizes)) and sizes[-1] < sizes[0]


# Never worse --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "clusters", "numbers"),
    [
        ("01", 0, (2, 24, 1000)),
        ("shares", 4, (2, 24, 1000)),
        ("own", 0, (2, 24, 1000)),
        *(
            pytest.param(*case, (2, 8, 24, 64, 1000), marks=pytest.mark.slow)
            for case in itertools.product(ASKED, (0, 4))
        ),
    ],
)
def test_equivalence_needs_no_more_questions_of_more_answers_either(kind, clusters, numbers):
    of = pilot(kind, clusters)
    works = [work(of, **ASKED[kind], epochs=k) for k in numbers]
    for answer in (equivalence, not_worse):
        assert never_up([answer(w).questions for w in works])


@pytest.mark.slow  # 15 to 60 seconds each
@pytest.mark.parametrize(("kind", "clusters"), itertools.product(ASKED, (0, 4)))
def test_more_answers_need_no_more_questions_find_no_less_and_have_no_less_power(kind, clusters):
    """A definition: who has more answers can leave some out. With an allowance for what each number
    leaves of the pilot's variance, 1,000 right or wrong answers asked for more questions than 24.
    """
    of, d = pilot(kind, clusters), ASKED[kind]["difference"]
    w = work(of, **ASKED[kind], comparisons=3)
    shapes = [Shape(k, k, w.shape.cluster_size) for k in NUMBERS]
    for goal in (w.goal, w.adjusted):
        assert never_up([c.questions for c in w.counts(d, shapes, goal)])
        assert never_up([s.difference for s in w.sizes(300.0, shapes, goal)])
    low, high = zip(*ranges_of(w, d, shapes), strict=True)
    assert never_up(low) and never_up(high)
    plans = [work(of, **ASKED[kind], epochs=k, comparisons=3) for k in SOME]
    needs, founds = [need_of(w, d) for w in plans], [_founds(w, [150.0])[0] for w in plans]
    for x in needs:
        at = NUMBERS.index(x.epochs_a)
        assert (x.low, x.high) == (low[at], high[at]) and x.low <= x.questions <= x.high
    assert never_up([x.adjusted for x in needs])
    for name in ("power", "power_adjusted"):
        assert never_up([-getattr(x, name) for x in founds]), name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "clusters"),
    [slow("01", 0), ("01", 4), slow("shares", 0)],
)
def test_a_row_of_answers_is_the_plan_of_so_many(kind, clusters):
    """The table of answers, its figure, and what each number of answers says by itself."""
    of, d = pilot(kind, clusters), ASKED[kind]["difference"]
    rows = answers_rows(work(of, **ASKED[kind]), 300.0)
    curve = dict(epochs_curve(work(of, **ASKED[kind]), 300.0))
    assert never_up([r.questions for r in rows if r.name != "next-token probabilities"])
    for r in rows:
        if not r.name:
            alone = work(of, **ASKED[kind], epochs=r.epochs_a)
            need, [found] = need_of(alone, d), _founds(alone, [300.0])
            assert (r.questions, r.clusters) == pytest.approx(
                (need.questions, need.clusters), nan_ok=True)  # fmt: skip
            assert (r.low, r.high) == (need.low, need.high)
            assert r.detectable == pytest.approx(found.detectable, rel=1e-9)
            assert curve.get(r.epochs_a, r.detectable) == pytest.approx(r.detectable, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "clusters"),
    [slow("01", 0), ("01", 4), slow("shares", 0)],
)
def test_the_questions_that_more_answers_need_have_the_power_that_is_planned(kind, clusters):
    """The curve of power at the number that is needed, which is whole questions, or clusters."""
    of = pilot(kind, clusters)
    for k in (2, 64, 1000):
        w = work(of, **ASKED[kind], epochs=k)
        n = need_of(w, ASKED[kind]["difference"]).questions
        assert 0.7995 < w.curve(ASKED[kind]["difference"]).at(n) < 0.83


def test_answers_that_differ_between_the_models_are_never_worse_either():
    """Of a pilot with three and two answers, other numbers of both."""
    w = work(pilot("01", 0, (3, 2)), difference=0.05)
    shapes = [Shape(float(a), float(b)) for a in (3, 5, 9, 20, 70) for b in (2, 4, 11, 30, 90)]
    sizes = dict(zip(shapes, w.counts(0.05, shapes), strict=True))
    for a, b in itertools.product(shapes, shapes):
        if a.epochs_a <= b.epochs_a and a.epochs_b <= b.epochs_b:
            assert sizes[b].questions <= sizes[a].questions, (a, b)
    alone = [w.count(0.05, s).questions for s in shapes]  # whatever is asked for beside it
    assert alone == [sizes[s].questions for s in shapes]


def test_mcnemars_number_is_not_that_of_answers_that_are_nearly_all_alike():
    """Of 0.94 with a correlation of .73 and .15 of noise, 30 questions find .2 with one answer
    each. With four the report's test found it in 0.771 of 12,000 evals of the family "0/1, 4
    answers, little noise" (benchmarks/planning.py), and in 0.896 of those of 36.
    """
    said = {"difference": 0.2, "mean": 0.94, "correlation": 0.73, "noise": 0.149}
    one, four = (plan(**said, epochs=k) for k in (1, 4))
    assert one.need.questions == 30 and four.need.questions > 33
    rows = {a.epochs_a: a.questions for a in one.answers}
    assert rows[4] == four.need.questions
    notes = [str(n) for n in plan_table(one, "planning-epochs").notes]
    assert any(n.startswith("One right or wrong answer each has McNemar's test") for n in notes)
    row = next(t for t in told(one) if t.question.startswith("With next-token"))
    assert row.answer.endswith(", no fewer")


def test_nothing_but_noise_is_planned():
    """1 - .3 - .7 is 0, and was 5e-17, of which the last part was divided by."""
    p = plan(difference=0.05, mean=0.7, correlation=0.3, noise=0.7)
    assert p.variances.omega2 == 0.0 and math.isinf(p.share_epochs)


def test_the_limit_of_answers_stands_beside_its_formula():
    """(1.96 + .84) sqrt(omega^2 / n), of models with questions of their own with what the other
    model's answers leave: .42 - .126 + .063 / 2.
    """
    z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)
    said = {"difference": 0.05, "mean": 0.7, "noise": 0.3, "questions": 900}
    for more, variance in (
        ({"correlation": 0.3}, 0.168), ({"design": "unpaired", "epochs_b": 2}, 0.3255),
    ):  # fmt: skip
        p = plan(**said, **more)
        limit = next(a for a in p.answers if a.name == "no limit")
        assert limit.equation == pytest.approx(z * math.sqrt(variance / 900))
        [row] = [t for t in told(p) if "unlimited" in t.question]
        assert row.assumes.endswith(f" The formula gives {100 * limit.equation:.1f} points.")


def test_the_limit_of_answers_has_the_range_of_correlation_and_noise():
    """As given at the ends: correlations of 0.42 and 0.29, with 0.9 of what the first leaves as
    answer noise, and with none. Of .8 omega^2 is 0.32 (1 - r - noise).
    """
    said = {"difference": 0.05, "mean": 0.8, "questions": 641}
    p = plan(**said)
    limit = next(a for a in p.answers if a.name == "no limit")
    ends = []
    for r, noise in ((0.42, 0.9 * 0.58), (0.29, 0.0)):
        given = plan(**said, correlation=r, noise=noise)
        ends.append(next(a for a in given.answers if a.name == "no limit"))
    assert (limit.detectable_low, limit.detectable_high) == (
        pytest.approx(ends[0].detectable), pytest.approx(ends[1].detectable)
    )  # fmt: skip
    z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)
    assert limit.detectable_low == pytest.approx(z * math.sqrt(0.32 * 0.058 / 641), rel=0.03)
    assert limit.detectable_high == pytest.approx(z * math.sqrt(0.32 * 0.71 / 641), rel=0.06)
    [row] = [t for t in told(p) if "unlimited" in t.question]
    assert row.answer == "2.5 points (1.5 to 5.5)"
    assert row.assumes.endswith(" In brackets: at the same ends.")
    assert math.isnan(ends[0].detectable_low) and math.isnan(p.answers[0].detectable_low)
    [alone] = [t for t in told(plan(**said, correlation=0.42, noise=0.3)) if "unlim" in t.question]
    assert "(" not in alone.answer and "In brackets" not in alone.assumes


# The cheapest -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (None, {"mean": 0.7, "correlation": 0.3, "noise": 0.5, "cost_answer": 0.01}),
        pytest.param(
            None, {"mean": 0.7, "correlation": 0.3, "noise": 0.6, "cost_answer": 0.004},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            None, {"mean": 0.7, "correlation": 0.3, "noise": 0.5, "cost_answer": 0.01,
                   "cost_answer_b": 0.2},
            marks=pytest.mark.slow,  # `shares` has unequal costs
        ),
        (None, {"mean": 0.7, "noise": 0.5, "cost_answer": 0.01, "design": "unpaired"}),
        pytest.param(("01", 0), {"cost_answer": 0.002}, marks=pytest.mark.slow),
        (("01", 4), {"cost_answer": 0.02, "cost_cluster": 3.0}),
        (("shares", 0), {"cost_answer": 0.01, "cost_answer_b": 0.03}),
    ],
)  # fmt: skip
def test_all_name_one_cheapest_design_and_no_number_of_answers_costs_less(of, said):
    """By the price of the plan of each number of answers on its own. 36 answers cost 4,248, and 48
    were called cheapest for 4,390.
    """
    given = {"difference": 0.04, "cost_question": 4.0, **said}
    of = of and pilot(*of)
    w = work(of, **given)
    beside = {} if w.asked.paired else {"epochs_b": 1}
    rows = answers_rows(w, 300.0)
    [row] = [r for r in rows if r.best]
    prices = {}
    for k in range(1, 65):
        if k % 8 == 1 or abs(k - row.epochs_a) < 3:
            one = work(of, **given, epochs=k, **beside)
            n = one.count(0.04, one.shape)
            prices[k] = one.cost(n.questions, n.clusters, one.shape)
    [design] = [c for c in frontier(w) if c.difference == 0.04]
    assert row.cost <= min(prices.values())
    assert row.cost == min(r.cost for r in rows if not r.name)
    if row.epochs_a == row.epochs_b or not w.asked.paired:
        assert row.cost == min(prices.values()) == prices[int(row.epochs_a)]
    for name in ("epochs_a", "epochs_b", "questions", "cost"):
        assert getattr(design, name) == getattr(row, name)
    alone = work(of, **given, epochs=row.epochs_a, epochs_b=row.epochs_b)
    assert need_of(alone, 0.04).cost == row.cost
    p = plan(alone.asked) if of is None else None
    if p is not None:  # also where it is the plan's own
        assert next(a for a in p.answers if a.best).cost == p.need.cost == row.cost


def test_a_number_of_answers_between_those_of_the_table_is_the_first_that_is_enough():
    """Without costs, the fewest answers that do with the questions."""
    said = {"difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.5}
    by_answers = {k: need_of(work(None, **said, epochs=k), 0.05).questions for k in (18, 19)}
    limit = by_answers[19]
    assert by_answers[18] > limit
    found = within(work(None, **said, questions=limit))
    assert (found.epochs_a, found.epochs_b, found.questions) == (19, 19, limit)


def test_a_pilot_without_omega2_names_the_cheapest_of_its_own_answers_everywhere():
    """Both models have the same chance on every question."""
    rng = np.random.default_rng(8)
    chance, rows = rng.random(40), []
    for model, epoch in itertools.product("AB", (1, 2)):
        right = (rng.random(40) < chance).astype(float)
        ids = [f"q{i}" for i in range(40)]
        rows.append(pd.DataFrame({"model": model, "question_id": ids, "score": right,
                                  "epoch": epoch}))  # fmt: skip
    p = plan(None, pd.concat(rows), difference=0.05, cost_question=9, cost_answer=0.1)
    assert p.variances.omega2 == 0.0
    [row] = [t for t in told(p) if t.question == "Answers to each question that cost least"]
    best, design = (next(a for a in p.answers if a.best),
                    next(c for c in p.cheapest if c.difference == 0.05))  # fmt: skip
    assert row.value == best.epochs_a == design.epochs_a == 2 and best.cost == design.cost
    assert row.assumes.startswith("No more answers than the pilot's are planned: the pilot")
    notes = " ".join(str(n) for n in plan_table(p, "planning-costs").notes)
    assert "Planned were no more answers than the pilot has, as the pilot cannot" in notes


@pytest.mark.slow
def test_what_a_pilots_range_takes_as_known_is_said_of_more_answers_alone():
    said, frame = "its answer noise is taken as known there", scores("01")  # of two answers each
    assert said in told(plan(None, frame, difference=0.05, epochs=20))[0].assumes
    for k in ({}, {"epochs": 1}):
        assert said not in told(plan(None, frame, difference=0.05, **k))[0].assumes
