"""What moved between two builds: which changes are alarms, and which are part of another."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.analysis.moved import ALPHA, compare
from reportkit.analysis.rounds import Answers, Known, Round

MODELS = ("a", "b", "c")


def known(value, se=0.02, n=200):
    """With an interval that is no wider than t makes it."""
    return Known(value, se, n - 1.0, value - 1.9 * se, value + 1.9 * se, 0.95, n, n)


def a_round(name, scores, *, questions=None, counts=1, clusters=None, **fields):
    """scores: (n, M)."""
    scores = np.asarray(scores, dtype=float)
    n, m = scores.shape
    ids = np.array([f"q{i:04d}" for i in range(n)] if questions is None else questions, object)
    models = MODELS[:m]
    answers = Answers(
        ids, models, scores, np.full((n, m), np.nan), np.full((n, m), counts), clusters
    )
    means = {model: known(float(scores[:, k].mean())) for k, model in enumerate(models)}
    return Round(name, "acc", models, n, means, fields.pop("differences", {}), answers, **fields)


def flipped(scores, model, worse, better=0):
    """So many right answers of a model wrong, and so many wrong ones right."""
    found = np.array(scores, dtype=float)
    column = found[:, model]
    right, wrong = np.flatnonzero(column == 1.0), np.flatnonzero(column == 0.0)
    column[right[:worse]], column[wrong[:better]] = 0.0, 1.0
    return found


@pytest.fixture
def suite():
    """Ten evals of 200 questions."""
    rng = np.random.default_rng(3)
    return {f"e{k}": (rng.random((200, 3)) < 0.6).astype(float) for k in range(10)}


def rounds(suite, **fields):
    return [a_round(name, scores, **fields) for name, scores in suite.items()]


def named(found):
    return [(m.kind, m.eval, m.model) for m in found.settled]


def test_the_same_build_has_not_moved(suite):
    found = compare(rounds(suite), rounds(suite))
    assert found.same and found.settled == []
    assert {m.status for m in found.all} == {"unchanged"}
    assert all(math.isnan(m.p_value) for m in found.all)


def test_a_model_that_fell_everywhere_is_one_alarm_and_names_its_evals(suite):
    after = {name: flipped(s, 1, 25, 3) for name, s in suite.items()}
    found = compare(rounds(suite), rounds(after))
    assert named(found) == [("model", "", "b")]
    [line] = found.settled
    assert line.change == pytest.approx(-22 / 200) and line.worse and line.n_evals == 10
    # Each eval: sqrt(28) / 200; the average of ten: over sqrt(10).
    assert line.p_value == pytest.approx(
        2.0 * scipy_stats.norm.sf(22 / math.sqrt(28.0) * math.sqrt(10.0))
    )
    parts = [m for m in found.means if m.model == "b"]
    assert found.parts("b") == parts  # each fell by 22
    assert {(m.status, m.explained_by, m.beyond) for m in parts} == {("explained", "model", False)}
    assert {m.n_evals for m in found.means} == {1}


def test_a_difference_to_a_model_that_fell_everywhere_is_explained_by_the_model(suite):
    """45 answers of 200 turned in each eval: z = sqrt(45) = 6.7 of each difference alone."""
    pair = {("b", "a"): known(0.0)}
    after = {name: flipped(s, 1, 45) for name, s in suite.items()}
    found = compare(rounds(suite, differences=pair), rounds(after, differences=pair))
    assert named(found) == [("model", "", "b")]
    told = {(d.status, d.explained_by) for d in found.differences}
    assert len(found.differences) == 10 and told == {("explained", "model")}


def test_the_first_half_of_alpha_goes_to_the_models(suite):
    """Two models changed: Holm's factors 2 and 1, and 2 for the half."""
    after = {k: flipped(flipped(s, 1, 8), 0, 4, 2) for k, s in suite.items()}
    found = compare(rounds(suite), rounds(after))
    p = {m.model: m.p_value for m in found.models}
    # z of each eval sqrt(8) and 2 / sqrt(6), of ten together sqrt(10) times that
    assert p["b"] == pytest.approx(2.0 * scipy_stats.norm.sf(math.sqrt(80.0)))
    assert p["a"] == pytest.approx(2.0 * scipy_stats.norm.sf(2.0 / math.sqrt(6.0) * math.sqrt(10)))
    adjusted = {m.model: m.p_adjusted for m in found.models}
    assert adjusted["b"] == pytest.approx(4.0 * p["b"])
    assert adjusted["a"] == pytest.approx(2.0 * p["a"])
    assert math.isnan(adjusted["c"])  # exactly nothing


def test_the_other_half_goes_to_single_means_that_changed(suite):
    """One eval, three means of which two changed: Holm's factor 2, and 2 for the half."""
    after = {"e0": flipped(flipped(suite["e0"], 0, 30, 2), 1, 5, 4)}
    found = compare(rounds({"e0": suite["e0"]}), rounds(after))
    assert found.models == ()  # one eval has no average
    a, b, c = found.means
    assert a.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(28 / math.sqrt(32.0)))
    assert a.p_adjusted == pytest.approx(4.0 * a.p_value)
    assert b.p_adjusted == 1.0 and math.isnan(c.p_adjusted)
    assert named(found) == [("mean", "e0", "a")]


def test_an_alarm_is_told_at_five_percent_where_nothing_else_is_said(suite):
    """Six answers of one mean went wrong: 2 x 2 sf(sqrt(6)) = 0.0286, of five 0.0507."""
    told = {}
    for wrong in (5, 6):
        after = {"e0": flipped(suite["e0"], 0, wrong)}
        [line] = [m for m in compare(rounds({"e0": suite["e0"]}), rounds(after)).means if m.worse]
        assert line.p_adjusted == pytest.approx(4.0 * scipy_stats.norm.sf(math.sqrt(wrong)))
        told[wrong] = line.status
    assert told == {5: "open", 6: "settled"}


def test_one_eval_that_broke_is_the_alarm_and_not_its_model(suite):
    after = suite | {"e4": flipped(suite["e4"], 2, 100)}
    found = compare(rounds(suite), rounds(after))
    assert named(found) == [("mean", "e4", "c")]
    [line] = [m for m in found.models if m.model == "c"]
    assert (line.status, line.explained_by, line.alone) == ("explained", "mean", "e4")


def test_an_eval_unlike_the_models_others_is_marked(suite):
    after = {name: flipped(s, 0, 22) for name, s in suite.items()}
    after["e7"] = flipped(suite["e7"], 0, 110)
    found = compare(rounds(suite), rounds(after))
    assert named(found) == [("model", "", "a")]
    assert [m.eval for m in found.means if m.beyond] == ["e7"]
    # Each beside the average of its nine others: 110 and 22 of 200; 22 and (8 x 22 + 110) / 9.
    p = {m.eval: m.p_value for m in found.means if m.model == "a"}
    z = {"e7": 88.0 / math.sqrt(110.0 + 22.0 / 9.0), "e0": 88.0 / 9.0 / math.sqrt(22 + 286 / 81)}
    assert {e: p[e] for e in z} == pytest.approx(
        {e: 2 * scipy_stats.norm.sf(x) for e, x in z.items()}
    )


def test_a_change_where_lower_is_better(suite):
    after = {name: flipped(s, 1, 25) for name, s in suite.items()}
    found = compare(rounds(suite, lower=True), rounds(after, lower=True))
    [line] = found.settled
    assert line.change == pytest.approx(25 / 200) and line.worse is False
    assert all(m.change < 0 and m.worse is False for m in found.means if m.model == "b")


def test_directions_and_scales_are_one_before_they_are_averaged(suite):
    """Half of the evals fall from 0 to 1; half, of which lower is better, rise from 0 to 10."""
    before, after = [], []
    for k, (name, s) in enumerate(suite.items()):
        if k % 2:
            more = flipped(s, 1, 0, 20) * 10
            fields = {"lower": True, "width": 10.0, "percent": False}
            before.append(a_round(name, s * 10, **fields))
            after.append(a_round(name, more, **fields))
        else:
            before.append(a_round(name, s))
            after.append(a_round(name, flipped(s, 1, 20)))
    [line] = compare(before, after).settled
    assert (line.kind, line.model, line.worse) == ("model", "b", True)
    assert line.change == pytest.approx(-0.1)


def test_scores_without_a_scale_are_tested_alone(suite):
    own = {"width": math.nan, "percent": False}
    after = {name: flipped(s, 1, 40) for name, s in suite.items()}
    found = compare(rounds(suite, **own), rounds(after, **own))
    assert found.models == ()
    assert {m.kind for m in found.settled} == {"mean"} and len(found.settled) == 10


def test_a_change_without_a_scale_is_an_alarm_beside_its_models(suite):
    """b falls everywhere: one alarm for the nine evals that have a scale, and one for e0."""
    after = {name: flipped(s, 1, 40) for name, s in suite.items()}
    own = {"width": math.nan, "percent": False}
    nights = [
        [a_round(name, s, **(own if name == "e0" else {})) for name, s in of.items()]
        for of in (suite, after)
    ]
    assert named(compare(*nights)) == [("model", "", "b"), ("mean", "e0", "b")]


def test_the_change_is_of_the_questions_that_both_builds_have():
    rng = np.random.default_rng(4)
    old = (rng.random((150, 2)) < 0.7).astype(float)
    new = np.vstack([flipped(old, 0, 10)[:120], np.zeros((60, 2))])
    ids = [f"q{i:04d}" for i in range(120)] + [f"new{i}" for i in range(60)]
    found = compare([a_round("e", old)], [a_round("e", new, questions=ids)])
    a, b = found.means
    assert a.n_questions == b.n_questions == 120 and a.paired
    assert a.change == pytest.approx(new[:120, 0].mean() - old[:120, 0].mean())
    assert b.status == "unchanged"  # on common questions; its printed mean is another
    assert b.old == pytest.approx(old[:, 1].mean()) and b.new == pytest.approx(new[:, 1].mean())
    assert found.changed_evals == (("e", "questions 150 to 180"),)


def test_questions_in_another_order_are_the_same():
    old = (np.random.default_rng(1).random((50, 2)) < 0.5).astype(float)
    order = np.random.default_rng(2).permutation(50)
    ids = np.array([f"q{i:04d}" for i in range(50)], object)
    found = compare([a_round("e", old)], [a_round("e", old[order], questions=ids[order])])
    assert found.same


def test_missing_answers_leave_their_questions_out():
    old = np.ones((20, 1))
    new = np.zeros((20, 1))
    one, two = a_round("e", old), a_round("e", new)
    two.answers.counts[:5] = 0
    two.answers.means[:5] = np.nan
    assert compare([one], [two]).means[0].n_questions == 15


def test_clusters_are_one_vote_each(suite):
    """Ten questions of one cluster that all changed: z = 1, not sqrt(10)."""
    clusters = np.arange(200) // 10
    old = np.ones((200, 1))
    new = old.copy()
    new[:10] = 0.0
    fields = {"clusters": clusters}
    found = compare([a_round("e", old, **fields)], [a_round("e", new, **fields)])
    assert found.means[0].p_value == pytest.approx(2.0 * scipy_stats.norm.sf(1.0))


def test_without_questions_the_printed_means_are_compared():
    """(0.60 - 0.72) / sqrt(0.03^2 + 0.04^2), Welch's degrees of freedom."""
    one = Round("e", "acc", ("a",), 200, {"a": known(0.72, 0.03)})
    two = Round("e", "acc", ("a",), 150, {"a": known(0.60, 0.04, 150)})
    [a] = compare([one], [two]).means
    assert (a.paired, a.n_questions) == (False, 150)
    df = 0.05**4 / (0.03**4 / 199 + 0.04**4 / 149)
    assert a.p_value == pytest.approx(2.0 * scipy_stats.t.sf(0.12 / 0.05, df))
    assert a.change == pytest.approx(-0.12) and a.se == pytest.approx(0.05)


def test_without_questions_the_printed_differences_are_compared():
    """(0.02 - 0.10) / sqrt(0.03^2 + 0.04^2), Welch's degrees of freedom: of the difference, not of
    the models' means, which have other errors. One build's questions alone are not enough.
    """
    means = {"a": known(0.5, 0.05), "b": known(0.6, 0.06)}
    one, two = (
        Round("e", "acc", ("a", "b"), n, means, {("b", "a"): known(value, se, n)})
        for value, se, n in ((0.10, 0.03, 200), (0.02, 0.04, 150))
    )
    answers = a_round("e", np.zeros((200, 2))).answers
    df = 0.05**4 / (0.03**4 / 199 + 0.04**4 / 149)
    for before, after in ((one, two), (replace(one, answers=answers), two)):
        [d] = compare([before], [after]).differences
        assert (d.model, d.baseline, d.old, d.new) == ("b", "a", 0.10, 0.02)
        assert (d.change, d.se) == pytest.approx((-0.08, 0.05))
        assert d.p_value == pytest.approx(2.0 * scipy_stats.t.sf(0.08 / 0.05, df))
        assert (d.paired, d.n_questions) == (False, 150)


def test_equal_printed_means_are_not_tested():
    one = Round("e", "acc", ("a",), 200, {"a": known(0.72, 0.03)})
    [a] = compare([one], [one]).means
    assert a.status == "unchanged"


def test_a_change_without_an_error_is_said_to_be_untested():
    one = Round("e", "acc", ("a",), 1, {"a": known(0.0, math.nan, 1)})
    two = Round("e", "acc", ("a",), 1, {"a": known(1.0, math.nan, 1)})
    [a] = compare([one], [two]).means
    assert a.status == "untested" and math.isnan(a.p_adjusted)


def with_difference(scores, **fields):
    d = float((scores[:, 1] - scores[:, 0]).mean())
    return a_round("e", scores, differences={("b", "a"): known(d)}, **fields)


def test_a_difference_is_named_where_neither_model_is():
    """Both models change by less than is settled, against each other."""
    scores = np.zeros((400, 2))
    scores[:200] = 1.0
    after = flipped(flipped(scores, 0, 0, 5), 1, 5)
    found = compare([with_difference(scores)], [with_difference(after)])
    assert named(found) == [("difference", "e", "b")]
    [d] = found.differences
    assert d.change == pytest.approx(-10 / 400) and d.worse is None
    # a gains 5 questions and b loses 5 others: ten changes of -1
    assert d.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(10 / math.sqrt(10.0)))
    # three tests, of which this one is the surest; half of alpha
    assert d.p_adjusted == pytest.approx(6.0 * d.p_value)


def test_a_difference_is_part_of_its_models_change():
    scores = np.ones((400, 2))
    found = compare([with_difference(scores)], [with_difference(flipped(scores, 1, 60))])
    assert named(found) == [("mean", "e", "b")]
    assert [(d.status, d.explained_by) for d in found.differences] == [("explained", "mean")]


def test_names_that_came_and_went(suite):
    old = [*rounds({k: suite[k] for k in ("e0", "e1")}), a_round("gone", suite["e2"])]
    new = [a_round("e0", suite["e0"][:, :2]), a_round("new", suite["e3"])]
    new.append(replace(a_round("e1", suite["e1"]), metric="f1"))
    found = compare(old, new)
    assert found.new_evals == ("new",) and found.gone_evals == ("gone",)
    assert found.gone_models == (("e0", "c"),) and found.new_models == ()
    assert found.changed_evals == (("e1", "metric acc to f1: not compared"),)
    assert {m.eval for m in found.means} == {"e0"} and not found.same


def test_other_numbers_of_answers_are_judged_by_their_spread():
    """All 40 answers of the second round are right by luck, after 10 each with 9 right: about 0 the
    changes are all 0.1, which would be sure; by the spread of the answers z = 2.0 (each question:
    10 of 11 right, s^2 = 10/11 * 1/11 * 11/10, over 10 and 1 answers).
    """
    old, new = a_round("e", np.full((40, 1), 0.9), counts=10), a_round("e", np.ones((40, 1)))
    old.answers.variances[:] = 0.9 * 0.1 * 10 / 9
    [a] = compare([old], [new]).means
    variance = (10 / 11) * (1 / 11) * (11 / 10) * (1 + 1 / 10)
    z = 40 * 0.1 / math.sqrt(40 * variance)
    assert z == pytest.approx(2.0)
    assert a.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(z))
    assert a.status == "open"


@pytest.mark.slow
def test_quiet_nights_are_quiet():
    """120 nights of 12 evals and 4 models, every answer drawn again: with alarms on 5% of nights,
    more than 13 come with probability .005.
    """
    rng = np.random.default_rng(8)
    models = ("a", "b", "c", "d")
    alarms = 0
    for _ in range(120):
        chances = [rng.beta(1.0, 0.6, (n, 4)) for n in (30, 60, 120, 250) * 3]
        nights = []
        for _ in range(2):
            suite = []
            for k, p in enumerate(chances):
                scores = (rng.random(p.shape) < p).astype(float)
                blank, ones = np.full(p.shape, np.nan), np.ones(p.shape, int)
                answers = Answers(np.arange(len(p)), models, scores, blank, ones)
                means = {m: known(0.5) for m in models}
                suite.append(Round(f"e{k}", "acc", models, len(p), means, {}, answers))
            nights.append(suite)
        alarms += bool(compare(*nights).settled)
    assert scipy_stats.binom.sf(13, 120, ALPHA) < 0.01
    assert alarms <= 13


def test_a_group_beside_its_subtasks_is_in_no_models_average(suite):
    """The line of a model is that of the subtasks alone: the group holds the same questions."""
    new = {name: flipped(scores, 0, 8, 2) for name, scores in suite.items()}
    alone = compare(rounds(suite), rounds(new))
    parts = ("e0", "e1", "e2")

    def with_group(of):
        ids = [f"{e}/{i}" for e in parts for i in range(200)]
        scores = np.concatenate([of[e] for e in parts])
        return [*rounds(of), a_round("group", scores, questions=ids, subtasks=parts)]

    found = compare(with_group(suite), with_group(new))
    for line, known in zip(found.models, alone.models, strict=True):
        assert (line.change, line.se, line.n_evals) == (known.change, known.se, 10)
    assert "group" in [m.eval for m in found.means]
    some = ("group", "e0", "e5")
    left = [[r for r in with_group(of) if r.eval in some] for of in (suite, new)]
    assert {m.n_questions for m in compare(*left).models} == {800}  # group and e5


def test_the_evals_of_a_models_change_stand_by_their_scales():
    """b falls by .30 of a share, by 20 points of 100 and by .10 of a share; in an eval in units of
    its own it falls by 5, which is in no average and has no place among these.
    """
    start = (np.arange(200) % 2 == 0).astype(float)[:, None] * np.ones(3)
    percent, own = ({"width": w, "percent": False} for w in (100.0, math.nan))
    falls = {"s": (60, 1.0, {}), "p": (40, 100.0, percent), "t": (20, 1.0, {}), "o": (99, 9.0, own)}
    old = [a_round(e, start * unit, **more) for e, (_, unit, more) in falls.items()]
    new = [a_round(e, flipped(start, 1, k) * u, **more) for e, (k, u, more) in falls.items()]
    found = compare(old, new)
    [line] = [m for m in found.models if m.model == "b"]
    assert line.change == pytest.approx(-(0.3 + 0.2 + 0.1) / 3) and line.n_evals == 3
    assert [(m.eval, m.change) for m in found.parts("b")] == [
        ("s", pytest.approx(-0.3)), ("p", pytest.approx(-20.0)), ("t", pytest.approx(-0.1))
    ]  # fmt: skip


# e1 is in tens of points, e2 and e3 are errors, of which the lower is better, e3 in percent
UNITS = {"e1": (10.0, False), "e2": (1.0, True), "e3": (100.0, True)}


def in_units(r, answers):
    """A round in another unit: scores from 0 to width, or what is missing to it."""
    width, errors = UNITS.get(r.eval, (1.0, False))
    sign = -1.0 if errors else 1.0

    def moved(k, start):
        ends = sorted((start + sign * width * k.low, start + sign * width * k.high))
        return replace(k, value=start + sign * width * k.value, se=width * k.se,
                       low=ends[0], high=ends[1])  # fmt: skip

    return replace(
        r, lower=errors, width=width, percent=width == 1.0,
        means={m: moved(k, width * errors) for m, k in r.means.items()},
        differences={m: moved(k, 0.0) for m, k in r.differences.items()},
        answers=replace(r.answers, means=width * errors + sign * width * r.answers.means)
        if answers else None,
    )  # fmt: skip


@pytest.mark.parametrize("answers", [True, False], ids=["questions", "means"])
def test_the_units_of_evals_decide_nothing(suite, answers):
    """b falls everywhere, in e1 by more; c breaks in e5, and hardly moves in e3; a hardly moves."""
    pair = {("b", "a"): known(0.05)}
    after = {k: flipped(flipped(s, 1, 30, 4), 0, 2, 1) for k, s in suite.items()}
    after["e1"] = flipped(after["e1"], 1, 60)
    after["e5"], after["e3"] = flipped(after["e5"], 2, 90), flipped(after["e3"], 2, 3)
    after["e2"] = flipped(suite["e2"], 1, 30, 4)
    turned = {("b", "a"): known(-0.07)}
    nights = rounds(suite, differences=pair), rounds(after, differences=turned)
    shares = compare(
        *([in_units(replace(r, eval=f"_{r.eval}"), answers) for r in n] for n in nights)
    )
    others = compare(*([in_units(r, answers) for r in n] for n in nights))
    assert {m.status for m in others.all} >= {"settled", "explained", "open"}
    assert others.parts("b")[0].eval == "e1"
    for one, other in zip(shares.all, others.all, strict=True):
        width, errors = UNITS.get(other.eval, (1.0, False))
        sign = -1.0 if errors else 1.0
        assert (one.status, one.explained_by, one.beyond) == (
            other.status, other.explained_by, other.beyond,
        )  # fmt: skip
        assert (one.worse, one.alone.strip("_")) == (other.worse, other.alone)
        assert (sign * width * one.change, width * one.se) == pytest.approx(
            (other.change, other.se)
        )
        assert (one.p_value, one.p_adjusted) == pytest.approx(
            (other.p_value, other.p_adjusted), rel=1e-9, nan_ok=True
        )
        assert not other.p_adjusted > 1.0


def test_the_error_of_a_change_is_that_of_its_clusters():
    """20 clusters of 5 questions: the standard error of the means of the clusters' changes."""
    rng = np.random.default_rng(12)
    old, new = rng.random((2, 100, 2))
    clusters = np.arange(100) // 5
    found = compare(*([with_difference(s, clusters=clusters)] for s in (old, new)))
    changes = new - old
    for m, d in zip(found.means, changes.T, strict=True):
        assert m.se == pytest.approx(scipy_stats.sem(d.reshape(20, 5).mean(axis=1)))
    [d] = found.differences
    gap = (changes[:, 1] - changes[:, 0]).reshape(20, 5).mean(axis=1)
    assert (d.se, d.change) == pytest.approx((scipy_stats.sem(gap), gap.mean()))


def test_a_difference_has_the_spread_of_the_answers_of_both_models():
    """As above, of two models: b has 9 of 10 right and then 1 of 1, a has 1 of 10 and then 0 of 1.
    The difference changes by .2, and its variance is the sum of both.
    """
    old = with_difference(np.tile([0.1, 0.9], (40, 1)), counts=10)
    new = with_difference(np.tile([0.0, 1.0], (40, 1)))
    old.answers.variances[:] = 0.9 * 0.1 * 10 / 9
    [d] = compare([old], [new]).differences
    variance = 2 * (10 / 11) * (1 / 11) * (11 / 10) * (1 + 1 / 10)
    z = 40 * 0.2 / math.sqrt(40 * variance)
    assert d.change == pytest.approx(0.2)
    assert d.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(z))
    # b of as many answers as before, and alike, adds nothing: z of a's change alone
    one = replace(new, answers=replace(new.answers, counts=np.tile([1, 10], (40, 1))))
    one.answers.means[:, 1], one.answers.variances[:, 1] = 0.9, 0.9 * 0.1 * 10 / 9
    [d] = compare([old], [one]).differences
    z = 40 * 0.1 / math.sqrt(40 * variance / 2)
    assert d.p_value == pytest.approx(2.0 * scipy_stats.norm.sf(z))


def without(round_, model, rows):
    """The round without a model's answers to some questions, and its mean over the others."""
    answers, column = round_.answers, round_.models.index(model)
    counts = answers.counts.copy()
    counts[rows, column] = 0
    left = answers.means[counts[:, column] > 0, column]
    means = dict(round_.means) | {model: known(float(left.mean()), n=len(left))}
    return replace(round_, means=means, answers=replace(answers, counts=counts))


def test_questions_that_a_model_no_longer_answers_are_told(suite):
    """A crash on the questions that a model got wrong: each common question is as it was, and the
    printed mean is 1.
    """
    old = rounds(suite)
    wrong = np.flatnonzero(suite["e0"][:, 0] == 0.0)
    new = [without(old[0], "a", wrong), *old[1:]]
    found = compare(old, new)
    assert {m.status for m in found.all} == {"unchanged"} and not found.same
    [lost] = found.lost
    assert (lost.eval, lost.model, lost.n_lost, lost.n_old, lost.n_new) == (
        "e0", "a", len(wrong), 200, 200 - len(wrong),
    )  # fmt: skip
    assert lost.old == suite["e0"][:, 0].mean() and lost.new == 1.0
    assert lost.matters and compare(new, old).lost == ()  # more questions are no loss


def test_few_lost_questions_matter_where_they_move_the_mean_by_more_than_its_error():
    scores = np.tile([[1.0, 1.0, 1.0]], (200, 1))
    scores[:4, 0] = 0.0  # the mean is 0.98; without one of the wrong ones 196 / 199 = 0.985
    old = a_round("e", scores)
    [one] = compare([old], [without(old, "a", [0])]).lost
    assert one.n_lost == 1 and not one.matters  # by 0.005 of an SE of 0.02
    [ten] = compare([old], [without(old, "b", range(10))]).lost
    assert ten.n_lost == 10 and not ten.matters  # 5% of 200, and the mean as it was
    [eleven] = compare([old], [without(old, "b", range(11))]).lost
    assert eleven.matters
    narrow = replace(old, means=dict(old.means) | {"a": known(0.98, se=0.004)})
    [moved] = compare([narrow], [without(narrow, "a", [0])]).lost
    assert moved.matters  # by 0.005 of an SE of 0.004


def test_other_questions_are_compared_by_their_means_and_none_is_lost():
    scores = np.ones((50, 3))
    other = a_round("e", scores[:40], questions=[f"r{i}" for i in range(40)])
    assert compare([a_round("e", scores)], [other]).lost == ()


def test_without_the_questions_their_numbers_tell_what_is_lost():
    old = replace(a_round("e", np.ones((50, 3))), answers=None)
    new = replace(old, means=dict(old.means) | {"b": known(1.0, n=44)})
    [lost] = compare([old], [new]).lost
    assert (lost.model, lost.n_lost) == ("b", 200 - 44)  # `known` has 200


def test_a_model_whose_questions_only_one_build_knows_has_lost_what_their_numbers_tell():
    every, of_two = a_round("e", np.ones((50, 3))), a_round("e", np.ones((50, 2))).answers
    means = dict(every.means) | {"c": known(1.0, n=44)}
    for then, now in ((every.answers, of_two), (of_two, every.answers)):
        [lost] = compare([replace(every, answers=then)],
                         [replace(every, answers=now, means=means)]).lost  # fmt: skip
        assert (lost.model, lost.n_lost) == ("c", 200 - 44)  # `known` has 200
