"""Several evals together: every expected number is computed here from the scores, with numpy, scipy
and statsmodels.
"""

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as sps
from statsmodels.stats.multitest import multipletests
from support.score_tests import score_tail
from support.scores_made import frame_of, result_of

from reportkit.analysis import analyse
from reportkit.analysis.suite import suite_of
from reportkit.analysis.suite_overall import mean_difference
from reportkit.errors import ScoresError
from reportkit.scores.rows import check_rows
from reportkit.tables import make_table
from reportkit.tables.suite.family import apart_notes

NAN = math.nan
RNG = np.random.default_rng(11)


def scores(n, means, noise=0.15):
    """models x questions of scores inside 0 to 1, correlated over the questions."""
    hard = RNG.normal(0.0, 0.1, n)
    return np.clip(
        np.array(means)[:, None] + hard + RNG.normal(0, noise, (len(means), n)), 0.01, 0.99
    )


SCORES = {
    "big": scores(300, [0.60, 0.55, 0.50]),
    "mid": scores(90, [0.50, 0.49, 0.41]),
    "few": scores(25, [0.70, 0.72, 0.60]),
}


@pytest.fixture(scope="module")
def results():
    return [result_of(x, eval=name) for name, x in SCORES.items()]


def by_hand(parts, weights):
    """Value, SE and Welch-Satterthwaite df of a weighted mean of (d, se, df)."""
    w = np.array(weights, dtype=float) / np.sum(weights)
    d, se, df = map(np.array, zip(*parts, strict=True))
    v = (w * se) ** 2
    return float(w @ d), math.sqrt(v.sum()), v.sum() ** 2 / (v**2 / df).sum()


def paired(x, i, j):
    d = x[i] - x[j]
    return d.mean(), d.std(ddof=1) / math.sqrt(len(d)), len(d) - 1


@pytest.mark.parametrize("weights", [None, {"big": 3.0, "mid": 1.0, "few": 0.5}])
def test_the_mean_difference_over_evals(results, weights):
    s = suite_of(results, weights=weights)
    assert [(d.model, d.baseline) for d in s.overall] == list(itertools.combinations("ABC", 2))
    used = [1, 1, 1] if weights is None else list(weights.values())
    p_values = []
    for d in s.overall:
        i, j = "ABC".index(d.model), "ABC".index(d.baseline)
        value, se, df = by_hand([paired(x, i, j) for x in SCORES.values()], used)
        assert (d.difference, d.se, d.df) == pytest.approx((value, se, df), rel=1e-9)
        p_values.append(2 * sps.t.sf(abs(value / se), df))
        assert d.p_value == pytest.approx(p_values[-1], rel=1e-9)
        assert (d.ci_low, d.ci_high) == pytest.approx(sps.t.interval(0.95, df, value, se))
        assert (d.n_evals, d.n_all, d.n_questions, d.reason) == (3, 3, 415, "")
    holm = multipletests(p_values, method="holm")[1]
    assert [d.p_adjusted for d in s.overall] == pytest.approx(list(holm), rel=1e-9)


def test_one_family_over_all_evals(results):
    s = suite_of(results)
    assert len(s.differences) == 9 == s.n_tests
    known = [d.p_value for r in results for d in r.pairs]
    assert [d.p_value for d in s.differences] == known
    holm = multipletests(known, method="holm")[1]
    assert [d.p_adjusted for d in s.differences] == pytest.approx(list(holm), rel=1e-9)
    # Larger than where each eval is a family by itself.
    alone = [
        p for r in results for p in multipletests([d.p_value for d in r.pairs], method="holm")[1]
    ]
    assert all(d.p_adjusted >= p for d, p in zip(s.differences, alone, strict=True))
    assert any(d.p_adjusted > p for d, p in zip(s.differences, alone, strict=True))


def test_with_a_baseline_every_other_model_is_compared_with_it():
    results = [result_of(x, eval=name, baseline="B") for name, x in SCORES.items()]
    s = suite_of(results)
    assert s.baseline == "B"
    assert [(d.model, d.baseline) for d in s.overall] == [("A", "B"), ("C", "B")]
    assert {(d.model, d.baseline) for d in s.differences} == {("A", "B"), ("C", "B")}
    # B - C was computed as a pair: turned, it is C - B, and so are the ends of its interval.
    [turned] = [d for d in s.differences if d.eval == "big" and d.model == "C"]
    value, se, df = paired(SCORES["big"], 2, 1)
    assert (turned.difference, turned.se) == pytest.approx((value, se))
    assert (turned.ci_low, turned.ci_high) == pytest.approx(sps.t.interval(0.95, df, value, se))
    assert s.overall[1].difference < 0.0 and len(s.differences) == 6


def without(model, eval):
    """The result of an eval on which one model was not run."""
    frame = frame_of(SCORES[eval], eval=eval)
    return analyse(frame[frame["model"] != model])[0]


def test_a_model_that_some_evals_lack(results):
    """C was not run on `few`: its comparisons are over the two others, and it has no average."""
    s = suite_of([results[0], results[1], without("C", "few")])
    [ac] = [d for d in s.overall if (d.model, d.baseline) == ("A", "C")]
    value, se, _ = by_hand([paired(SCORES[e], 0, 2) for e in ("big", "mid")], [1, 1])
    assert (ac.difference, ac.se, ac.n_evals, ac.n_all) == pytest.approx((value, se, 2, 3))
    assert len(s.differences) == 7
    assert [math.isnan(a.mean) for a in s.averages] == [False, False, True]
    assert [math.isnan(x.rank) for x in s.ranks] == [False, False, True]


def test_models_come_in_the_order_that_is_named(results):
    s = suite_of([without("C", "few"), results[0]], models=["C", "A"])
    assert s.models == ("C", "A", "B")
    assert [(d.model, d.baseline) for d in s.overall][:2] == [("C", "A"), ("C", "B")]


def test_an_se_of_0_is_taken_from_the_interval():
    """Both models have the same answers on 20 questions: Tango's interval says how little that is,
    its larger half over t of 19 degrees of freedom is the SE.
    """
    same = np.array([[1, 0, 1, 1.0] * 5, [1, 0, 1, 1.0] * 5])
    other = RNG.integers(0, 2, (2, 200)).astype(float)
    r, q = result_of(same, eval="same"), result_of(other, eval="other")
    [pair] = r.pairs
    assert pair.se == 0.0 and pair.ci_high == pytest.approx(0.1611, abs=1e-4)
    known = pair.ci_high / sps.t.ppf(0.975, 19)
    s = suite_of([r, q])
    assert s.overall[0].se == pytest.approx(math.hypot(known, q.pairs[0].se) / 2, rel=1e-9)


@pytest.mark.parametrize("ahead", [True, False])
def test_an_se_of_0_beside_a_difference_is_of_the_longer_arm(ahead):
    """One model is right on all of 20 questions, the other on none: the difference is 1, and the
    arm that points to 0 ends where Tango's score statistic has a tail of 2.5%.
    """
    best = np.ones(20), np.zeros(20)
    other = np.clip(RNG.normal(0.5, 0.2, (2, 60)), 0.0, 1.0)
    r, q = result_of(best if ahead else best[::-1], eval="all"), result_of(other, eval="other")
    [pair] = r.pairs
    assert (pair.difference, pair.se) == (1.0 if ahead else -1.0, 0.0)
    arm = 1.0 - min(abs(pair.ci_low), abs(pair.ci_high))
    assert 1.0 - score_tail(20, 0, 20, 1.0 - arm) == pytest.approx(0.025, rel=1e-6)
    known = arm / sps.t.ppf(0.975, 19)
    [d] = suite_of([r, q]).overall
    assert d.se == pytest.approx(math.hypot(known, q.pairs[0].se) / 2, rel=1e-9)


def test_an_undefined_se_refuses_the_test_and_names_the_eval(results):
    flat = np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.15, 0.2, 0.5]])
    s = suite_of([*results, result_of(flat, eval="flat")])
    ab, ac, _ = s.overall
    assert ab.reason == "the SE of the difference is undefined on flat"
    assert math.isnan(ab.p_value) and math.isnan(ab.ci_low) and math.isnan(ab.p_adjusted)
    assert ac.reason == "" and 0.0 < ac.p_value < 1.0


def test_models_without_a_common_eval():
    one = result_of(SCORES["big"], eval="one", models=["A", "B"])
    two = result_of(SCORES["mid"], eval="two", models=["C"])
    s = suite_of([one, two])
    [bc] = [d for d in s.overall if (d.model, d.baseline) == ("B", "C")]
    assert bc.reason == "no averaged eval has questions that both answered" and bc.n_evals == 0
    assert math.isnan(bc.difference)


def test_evals_of_another_kind_are_not_averaged(results):
    points = result_of(SCORES["few"] * 40, eval="points")
    worse = result_of(SCORES["few"], eval="loss", better="lower")
    s = suite_of([points, *results, worse])
    assert list(s.weights) == ["big", "mid", "few"]
    assert s.apart == {
        "points": "it has scores in units of its own",
        "loss": "it has scores of which lower is better",
    }
    assert s.overall == suite_of(results).overall
    assert len(s.differences) == 15  # the family has them


def test_two_evals_in_units_of_their_own_are_not_averaged():
    """Milliseconds and BLEU have no average, though both have no known range."""
    own = [result_of(SCORES["few"] * k, eval=name) for k, name in ((40, "ms"), (7, "bleu"))]
    s = suite_of(own)
    assert list(s.apart) == ["bleu"] and all(o.n_evals == 1 for o in s.overall)


def test_evals_that_are_left_out_for_one_reason_are_one_sentence(results):
    own = [result_of(SCORES["few"] * k, eval=name) for k, name in ((40, "ms"), (7, "bleu"))]
    told = list(apart_notes(suite_of([*own, *results])))
    assert told == ["Not averaged: ms, bleu (each has scores in units of its own)."]
    told = list(apart_notes(suite_of([own[0], *results])))
    assert told == ["Not averaged: ms (it has scores in units of its own)."]
    weights = {"big": 1.0, "mid": 0.0, "few": 0.0}
    told = list(apart_notes(suite_of(results, weights=weights)))
    assert told == ["Not averaged: mid, few (each weight is 0)."]


def test_a_weight_of_0_leaves_an_eval_out(results):
    s = suite_of(results, weights={"big": 1.0, "mid": 2.0})
    assert s.apart == {"few": "its weight is 0"} and s.overall[0].n_all == 2


def test_where_lower_is_better_the_ranks_turn(results):
    lower = [result_of(x, eval=name, better="lower") for name, x in SCORES.items()]
    averages = np.mean([x.mean(axis=1) for x in SCORES.values()], axis=0)
    assert [x.rank for x in suite_of(results).ranks] == sps.rankdata(-averages).tolist()
    assert [x.rank for x in suite_of(lower).ranks] == sps.rankdata(averages).tolist()
    assert suite_of(lower).overall == suite_of(results).overall  # differences keep their signs


def test_ranks_follow_the_tests(results):
    """Three models: each shares the level with at most two others, at half of it each way."""
    s = suite_of(results)
    p = {(d.model, d.baseline): d.p_value for d in s.overall}
    assert p["A", "B"] > 0.05 > 2 * p["A", "C"] and 2 * p["B", "C"] < 0.05
    assert [(x.low, x.high) for x in s.ranks] == [(1.0, 2.0), (1.0, 2.0), (3.0, 3.0)]


def test_no_model_is_bold_that_a_printed_adjusted_p_puts_behind_a_bold_one():
    """With a baseline Holm's last p counts once, where the rank's own test shares the level with
    three rivals: 3 p / 2 > 0.05 > p.
    """
    rng = np.random.default_rng(13)
    results = []
    for name in "xy":
        a = rng.uniform(0.4, 0.8, 30)
        steps, noises = (0.0, 0.08, 0.085, 0.085), (0.0, 0.25, 0.1, 0.1)
        rows = [a - d + (rng.normal(0, z, 30) if z else 0.0)
                for d, z in zip(steps, noises, strict=True)]  # fmt: skip
        x = np.array(rows).clip(0.01, 0.99)
        results.append(result_of(x, eval=name, baseline="A"))
    s = suite_of(results)
    p = s.overall[0]
    assert (p.model, p.baseline) == ("B", "A") and p.difference < 0.0
    assert 1.5 * p.p_value > 0.05 > p.p_adjusted == p.p_value
    assert [x.low for x in s.ranks] == [1.0, 2.0, 2.0, 2.0]
    assert {m for row in s_bold(s) for m in row} == {"A"}


def s_bold(s):
    """The models whose averages are bold."""
    table = make_table(replace(s, average="macro"), "suite")
    last = len(table.cells) - 1
    yield [table.columns[j].head for i, j in table.bold if i == last]


def five(n, seed):
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 0.1, n)
    means = np.array([0.5, 0.62, 0.58, 0.55, 0.40])[:, None]
    return np.clip(means + hard + rng.normal(0, 0.1, (5, n)), 0.01, 0.99)


def test_of_many_models_the_comparisons_are_with_the_best_average():
    data = [five(60, 1), five(40, 2)]
    s = suite_of([result_of(x, eval=f"e{k}") for k, x in enumerate(data)])
    averages = np.mean([x.mean(axis=1) for x in data], axis=0)
    assert s.leader == "ABCDE"[int(averages.argmax())] == "B"
    # More than four models stand in the order of their averages, on a phone the best in view.
    assert "".join(s.models) == "".join("ABCDE"[i] for i in np.argsort(-averages)) != "ABCDE"
    assert [(d.model, d.baseline) for d in s.overall] == [(m, "B") for m in s.models[1:]]
    assert s.differences == () and s.n_tests == 0
    for d in s.overall:
        i = "ABCDE".index(d.model)
        value, se, df = by_hand([paired(x, i, 1) for x in data], [1, 1])
        p = 2 * sps.t.sf(abs(value / se), df)
        assert d.p_adjusted == pytest.approx(min(1.0, 4 * p), rel=1e-9)
        low, high = sps.t.interval(1 - 0.05 / 4, df, value, se)
        assert (d.ci_low, d.ci_high, d.ci_comparisons) == pytest.approx((low, high, 4))


def test_many_models_without_an_average_stand_by_their_difference_from_the_best():
    """Model k is worse than model 0 by k hundredths. Models 3 and 4 miss an eval each, and the one
    that 4 misses is the hard one, so that its own evals have the higher mean.
    """
    rng = np.random.default_rng(9)
    evals = []
    for name, level, gone in (("e", 0.9, -1), ("f", 0.4, 4), ("g", 0.9, 3)):
        x = level - 0.01 * np.arange(10)[:, None] + rng.normal(0, 0.001, (10, 30))
        rows = [
            (name, f"m{k}", q, x[k, q])
            for k in (8, 4, 0, 3, 1, 2, 6, 5, 7, 9)
            for q in range(30)
            if k != gone
        ]
        columns = ["eval", "model", "question_id", "score"]
        evals.append(analyse(check_rows(pd.DataFrame(rows, columns=columns)))[0])
    s = suite_of(evals)
    known = {r.eval: {m.model: m.mean for m in r.means} for r in evals}
    assert known["e"]["m4"] + known["g"]["m4"] > known["e"]["m3"] + known["f"]["m3"]
    assert s.models == ("m0", "m1", "m2", "m5", "m6", "m7", "m8", "m9", "m3", "m4")
    assert [a.model for a in s.averages] == list(s.models)
    assert [d.model for d in s.overall] == list(s.models[1:])


def test_averages_have_the_level_of_their_evals():
    """At 90% each arm is the square root of the sum of squares of those of the evals, over 2."""
    parts = [result_of(x[:2], eval=name, level=0.9) for name, x in list(SCORES.items())[:2]]
    [d] = suite_of(parts).overall
    assert (d.ci_low, d.ci_high) == pytest.approx(sps.t.interval(0.9, d.df, d.difference, d.se))
    for k, m in enumerate(suite_of(parts).averages):
        arms = [p.means[k].ci_high - p.means[k].mean for p in parts]
        assert (m.level, m.n_evals, m.n_questions) == (0.9, 2, 390)
        assert m.ci_high - m.mean == pytest.approx(math.hypot(*arms) / 2)


def test_a_suite_needs_evals_of_one_level_and_one_baseline(results):
    with pytest.raises(ScoresError, match="give one or more"):
        suite_of([])
    other = [result_of(SCORES["few"], eval="x", level=0.9)]
    with pytest.raises(ScoresError, match="different levels"):
        suite_of([*results, *other])
    a, b = (result_of(SCORES["few"], eval=m, baseline=m) for m in "AB")
    with pytest.raises(ScoresError, match="'A' and 'B' make no suite"):
        suite_of([a, b])


def test_categories_come_together_in_the_order_of_the_evals(results):
    made = [replace(r, category=c) for r, c in zip(results, ("x", "", "x"), strict=True)]
    assert [r.eval for r in suite_of(made).evals] == ["big", "few", "mid"]


def test_the_test_keeps_its_level():
    """4,000 suites of 12 evals of 40 questions, two models of the same true means: the overall p is
    below 5% in .05 of them, within 3 errors (.0103).
    """
    rng = np.random.default_rng(3)
    n, evals, draws = 40, 12, 4000
    d = rng.normal(0, 1, (draws, evals, n)) * rng.uniform(0.05, 0.3, (1, evals, 1))
    means, ses = d.mean(axis=2), d.std(axis=2, ddof=1) / math.sqrt(n)
    base = result_of(SCORES["few"][:2], eval="e").pairs[0]
    found = 0
    from reportkit.analysis.suite_overall import mean_difference

    for mean, se in zip(means, ses, strict=True):
        both = {
            f"e{k}": replace(base, difference=x, se=y, df=n - 1.0)
            for k, (x, y) in enumerate(zip(mean.tolist(), se.tolist(), strict=True))
        }
        one = mean_difference(("A", "B"), both, dict.fromkeys(both, 1.0), evals, 0.95)
        found += one.p_value < 0.05
    assert found / draws == pytest.approx(0.05, abs=0.0103)


def test_the_frame_of_a_suites_records(results):
    frame = pd.DataFrame([d.to_frame().iloc[0] for d in suite_of(results).differences])
    assert list(frame["eval"]) == ["big"] * 3 + ["mid"] * 3 + ["few"] * 3


def test_weights_of_0_alone_leave_nothing_to_average(results):
    with pytest.raises(ScoresError, match="weight is 0 for every eval"):
        suite_of(results, weights={"big": 0.0, "mid": 0.0, "few": 0.0})


@pytest.mark.parametrize(("names", "width"), [("AB", 1.0), ("AB", 100.0), ("ABCDE", 1.0)])
def test_no_mean_difference_goes_beyond_what_the_scores_leave(names, width):
    """A and B share two answers of one eval, with the differences 0.4 and -0.2: t with one degree
    of freedom, of 0.1 and its SE of 0.3, reaches from -3.7 to 3.9, and no two shares differ by more
    than 1. With five models the interval allows for four that could have been chosen, and is wider.
    """
    few = np.array([[0.9, 0.4, NAN], [0.5, 0.6, NAN], *[[NAN, NAN, 0.5]] * (len(names) - 2)])
    more = np.array([[0.8, 0.7, 0.9], [NAN, NAN, NAN], *[[0.4, 0.1, 0.2]] * (len(names) - 2)])
    results = [
        result_of(width * x, eval=name, range=(0, width)) for name, x in (("few", few), ("b", more))
    ]
    [d] = [d for d in suite_of(results).overall if {d.model, d.baseline} == {"A", "B"}]
    low, high = sps.t.interval(0.95, 1, 0.1, 0.3)
    assert low < -1.0 < 1.0 < high and (d.n_evals, d.n_questions) == (1, 2)
    assert (d.ci_low, d.ci_high) == (-width, width)
    assert d.p_value == pytest.approx(2 * sps.t.sf(1 / 3, 1))


@pytest.mark.parametrize(("evals", "said"), [(3, "e0, e1, e2"), (4, "e0, e1, e2 and 1 more")])
def test_up_to_three_evals_without_an_error_are_named(evals, said):
    """An error of 0 beside an interval of no width is none."""
    d = SimpleNamespace(
        difference=0.1, se=0.0, df=3.0, ci_low=0.1, ci_high=0.1, level=0.95, n_questions=4,
        n_clusters=4,
    )  # fmt: skip
    both = {f"e{i}": d for i in range(evals)}
    found = mean_difference(("A", "B"), both, dict.fromkeys(both, 1.0), evals, 0.95)
    assert found.reason == f"the SE of the difference is undefined on {said}"
    assert math.isnan(found.se) and math.isnan(found.p_value)
