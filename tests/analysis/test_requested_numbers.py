"""Numbers of tables on request, at another level and in clusters: by scipy and statsmodels."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as sps
from support.scores_made import frame_of, result_of

import reportkit
from reportkit import stats
from reportkit.analysis.order import best_first
from reportkit.analysis.requested.passes import steps

RNG = np.random.default_rng(12)
CLUSTERS = [f"c{q // 4}" for q in range(48)]
RIGHT = (RNG.random((2, 48)) < np.array([[0.75], [0.6]])).astype(float)


def test_the_interval_of_the_mean_of_clusters_has_the_level_and_keeps_to_the_scale():
    """In units without bounds the t interval of 12 means; shares near 1 stay below it."""
    scores = RNG.normal(40.0, 9.0, (1, 48))
    result = result_of(scores, CLUSTERS, tables="clustering-all", level=0.9)
    [row] = result.requested["clustering-all"]
    means = scores.reshape(12, 4).mean(axis=1)
    ends = sps.t.interval(0.9, 11, means.mean(), sps.sem(means))
    assert (row.cluster_low, row.cluster_high) == pytest.approx(ends) and row.level == 0.9
    high = np.array([[0.99, 1, 1, 1, 0.99, 1, 1, 1, 0.8, 0.8, 0.8, 0.8, 1, 1, 1, 1, 1, 0.95, 1, 1]])
    shares = result_of(high, CLUSTERS[:20], tables="clustering-all")
    [row] = shares.requested["clustering-all"]
    five = high.reshape(5, 4).mean(axis=1)
    assert sps.t.interval(0.95, 4, five.mean(), sps.sem(five))[1] > 1.0 >= row.cluster_high


def test_a_posterior_has_its_level_and_its_clusters():
    """Beta(1 + s, 1 + n - s) by scipy; of sums of clusters the hierarchical model's."""
    one, two, pair = result_of(RIGHT, tables="posterior", level=0.9).requested["posterior"]
    for row, answers in ((one, RIGHT[0]), (two, RIGHT[1])):
        law = sps.beta(1 + answers.sum(), 1 + 48 - answers.sum())
        assert (row.ci_low, row.ci_high) == pytest.approx((law.ppf(0.05), law.ppf(0.95)))
        assert (row.mean, row.n_clusters, row.level) == (pytest.approx(law.mean()), 48, 0.9)
    assert pair.level == 0.9 and pair.n_questions == 48 and pair.method != "none"
    grouped = result_of(RIGHT, CLUSTERS, tables="posterior").requested["posterior"]
    assert {row.level for row in grouped} == {0.95}
    sums = RIGHT[0].reshape(12, 4).sum(axis=1)
    found = stats.clustered_posterior(sums, np.full(12, 4))
    assert (grouped[0].mean, grouped[0].ci_low, grouped[0].n_clusters) == (
        pytest.approx(found.mean), pytest.approx(found.interval.low), 12,
    )  # fmt: skip
    assert grouped[0].icc == pytest.approx(found.icc)
    assert (grouped[2].method, grouped[2].n_clusters) == ("none", 12)
    assert math.isnan(grouped[2].mean) and "dependent" in grouped[2].reason


def test_means_on_common_questions_are_those_of_an_eval_of_these_alone():
    """In clusters, at another level: CR2 by numpy, each cluster's squared sum of deviations over 1
    less its share of the questions.
    """
    scores = np.random.default_rng(31).uniform(10.0, 90.0, (2, 48))
    scores[1, [3, 4, 5, 6, 7, 20]] = math.nan
    there = ~np.isnan(scores[1])
    kept = [c for c, is_there in zip(CLUSTERS, there, strict=True) if is_there]
    rows = result_of(scores, CLUSTERS, tables="common", level=0.9).requested["common"]
    alone = result_of(scores[:, there], kept, level=0.9).means
    assert [r.model for r in rows] == ["A", "B"] and there.sum() == 42
    for r, m, x in zip(rows, alone, scores[:, there], strict=True):
        codes = np.unique(kept, return_inverse=True)[1]
        sums, sizes = np.bincount(codes, weights=x - x.mean()), np.bincount(codes)
        g = 11  # of 12: the second has no common question
        assert (r.mean, r.n_questions, r.n_clusters) == (pytest.approx(x.mean()), 42, g)
        assert r.se == pytest.approx(math.sqrt((sums**2 / (1.0 - sizes / 42)).sum()) / 42)
        assert (r.se, r.df, r.ci_low, r.ci_high) == (m.se, m.df, m.ci_low, m.ci_high)
        assert r.level == 0.9


@pytest.mark.parametrize("method", ["max-t", "bonferroni"])
def test_simultaneous_intervals_are_of_the_models_that_they_name(method):
    scores = np.random.default_rng(9).uniform(0.1, 0.9, (3, 40))
    if method == "bonferroni":
        scores[2, 4] = math.nan
    said = {"tables": "simultaneous", "baseline": "B"}
    rows = result_of(scores, **said).requested["simultaneous"]
    assert [(r.model, r.baseline, r.method) for r in rows] == [
        ("A", "B", method), ("C", "B", method),
    ]  # fmt: skip
    for r, k in zip(rows, (0, 2), strict=True):
        assert r.difference == pytest.approx(np.nanmean(scores[k] - scores[1]))
        assert r.ci_low < r.difference < r.ci_high
        there = int((~np.isnan(scores[[k, 1]])).all(axis=0).sum())
        assert (r.n_questions, r.level) == (there, 0.95)


ALIKE = np.repeat(RNG.random((2, 12)) < 0.5, 4, axis=1).astype(float)


@pytest.mark.parametrize("scores", [ALIKE, 0.2 + 0.5 * ALIKE + RNG.uniform(0.0, 0.1, (2, 48))])
def test_equivalence_in_clusters_has_the_intervals_of_the_differences(scores):
    """At a level of 95% the interval is the report's own at 90%."""
    [row] = result_of(scores, CLUSTERS, tables="equivalence", margin=0.1).requested["equivalence"]
    [d] = result_of(scores, CLUSTERS, level=0.9).differences
    assert (row.ci_low, row.ci_high) == pytest.approx((d.ci_low, d.ci_high), rel=1e-9)
    assert row.level == 0.9 and row.n_clusters == 12
    [plain] = result_of(scores, tables="equivalence", margin=0.1).requested["equivalence"]
    assert abs(plain.ci_low - row.ci_low) > 1e-3


def regression_of(answers: np.ndarray, clusters=(), **said):
    """Of one model; the covariate is true on the first half of the questions."""
    frame = frame_of(answers[None], clusters)
    carry = frame["question_id"].str[1:].astype(int) < answers.shape[0] // 2
    frame = frame.assign(carry=carry.map({True: "True", False: "false"}))
    said = {"tables": "regression", "covariates": "carry"} | said
    return reportkit.analyse(frame, "toy", **said)[0].requested["regression"]


def test_a_regression_on_one_true_or_false_field_is_its_two_by_two_table():
    """Log odds, and their difference; SE^2 the sum of 1 / count; the G test by scipy."""
    right = np.repeat([1.0, 0.0, 1.0, 0.0], [20, 10, 12, 18])  # 20 of 30 true, 12 of 30 false
    intercept, carry = regression_of(right, level=0.9)
    first, slope = math.log(12 / 18), math.log(20 / 10) - math.log(12 / 18)
    for row, value, se in (
        (intercept, first, math.sqrt(1 / 12 + 1 / 18)),
        (carry, slope, math.sqrt(1 / 12 + 1 / 18 + 1 / 20 + 1 / 10)),
    ):
        assert (row.coefficient, row.se) == pytest.approx((value, se), rel=1e-5)
        ends = sps.norm.interval(0.9, value, se)
        assert (row.ci_low, row.ci_high) == pytest.approx(ends, rel=1e-4) and row.level == 0.9
        assert row.p_value == pytest.approx(2 * sps.norm.sf(abs(value / se)), rel=1e-4)
        assert (row.n_answers, row.n_clusters) == (60, 60)
    table = [[20, 10], [12, 18]]
    g, p, *_ = sps.chi2_contingency(table, correction=False, lambda_="log-likelihood")
    assert (carry.lr_chi2, carry.lr_p_value) == pytest.approx((g, p), rel=1e-6)
    assert carry.lr_df == 1


def test_a_regression_in_clusters_and_of_several_answers():
    """statsmodels' clustered errors, by the field and by question, with G / (G - 1) and without its
    (n - 1) / (n - 2); below 40 clusters no p.
    """
    right = (RNG.random((48, 2)) < 0.6).astype(float)
    x = sm.add_constant(np.repeat(np.arange(48) < 24, 2).astype(float))
    for clusters, groups in (((), np.arange(48)), (CLUSTERS, np.arange(48) // 4)):
        own = np.repeat(groups, 2)
        fit = sm.Logit(right.ravel(), x).fit(disp=0, cov_type="cluster", cov_kwds={"groups": own})
        rows = regression_of(right, clusters)
        assert [r.se for r in rows] == pytest.approx(list(fit.bse * math.sqrt(94 / 95)), rel=1e-4)
        assert {(r.n_answers, r.n_clusters) for r in rows} == {(96, len(set(groups)))}
        assert all(math.isnan(r.p_value) == bool(clusters) for r in rows)


def test_pass_at_k_of_models_with_several_answers_alone():
    """Three answers to 40 questions: at k = 3 each question passes or not, with Wilson's interval
    (scipy). A model with one answer to each has no row.
    """
    answers = np.full((2, 40, 3), np.nan)
    answers[0] = RNG.random((40, 3)) < 0.75
    answers[1, :, 0] = 1.0
    answers[1, :9, 0] = 0.0
    rows = result_of(answers, tables="pass", level=0.9).requested["pass"]
    assert [(r.model, r.k) for r in rows] == [("A", 1), ("A", 2), ("A", 3)]
    every = int(answers[0].all(axis=1).sum())
    assert 11 <= every <= 29  # where the interval is Wilson's as it is
    ends = sps.binomtest(every, 40).proportion_ci(0.9, method="wilson")
    assert rows[2].pass_hat == every / 40
    assert (rows[2].pass_hat_low, rows[2].pass_hat_high) == pytest.approx((ends.low, ends.high))
    # pass@2 of c right ones of 3: 1 - C(3 - c, 2) / 3; pass^2: C(c, 2) / 3. Shares, as of an eval.
    c = answers[0].sum(axis=1)
    shares = [np.where(c == 1, 2 / 3, np.minimum(c, 1)), np.where(c == 2, 1 / 3, c == 3)]
    own = [result_of([x, x[::-1]], level=0.9).means[0] for x in shares]
    two = rows[1]
    assert (two.pass_at_low, two.pass_at_high) == pytest.approx((own[0].ci_low, own[0].ci_high))
    assert (two.pass_hat_low, two.pass_hat_high) == pytest.approx((own[1].ci_low, own[1].ci_high))
    assert {r.level for r in rows} == {0.9}


# What a report says of small evals alone ----------------------------------------------------------


@pytest.mark.parametrize(("n", "said"), [(99, True), (100, False)])
def test_from_100_questions_no_chance_stands_beside_a_difference(n, said):
    right = np.array([np.arange(n) % 3 > 0, np.arange(n) % 2 > 0]).astype(float)
    [d] = result_of(right).differences
    assert math.isnan(d.p_greater) != said


@pytest.mark.parametrize(("apart", "said"), [(24, True), (25, False)])
def test_from_25_discordant_questions_no_exact_p_stands_beside_a_difference(apart, said):
    """By scipy's binomial test, 10 against the others."""
    first = np.r_[np.ones(10), np.zeros(apart - 10), np.ones(80)]
    second = np.r_[np.zeros(10), np.ones(apart - 10), np.ones(80)]
    [d] = result_of(np.array([first, second])).differences
    if said:
        assert d.p_exact == pytest.approx(sps.binomtest(10, apart).pvalue)
    assert math.isnan(d.p_exact) != said and math.isnan(d.p_mid) != said


def test_a_model_with_one_question_has_a_place_by_its_mean():
    means = np.array([[1.0, 0.6, 0.5, math.nan], [math.nan, 0.8, 0.5, math.nan]])
    epochs = (~np.isnan(means)).astype(int)
    e = SimpleNamespace(means=means, epochs=epochs, models=tuple("DBCA"), lower=False)
    assert [e.models[i] for i in best_first(e)] == ["D", "B", "C", "A"]


@pytest.mark.parametrize(("clusters", "tested"), [(40, True), (39, False)])
def test_a_regression_has_a_p_from_40_clusters_on(clusters, tested):
    right = (np.arange(3 * clusters) % 7 < 4).astype(float)
    rows = regression_of(right, [f"c{q // 3}" for q in range(3 * clusters)])
    assert all(math.isnan(r.p_value) != tested and r.n_clusters == clusters for r in rows)
    assert all(math.isnan(r.ci_low) != tested and r.se > 0.0 for r in rows)


def test_up_to_8_answers_every_k_has_a_row():
    assert steps(8) == [1, 2, 3, 4, 5, 6, 7, 8] and steps(9) == [1, 2, 4, 8, 9]


def test_each_model_of_other_methods_has_all_its_questions():
    """20 questions, of which A lacks 3 and B 5 others: 12 are common."""
    scores = np.random.default_rng(8).normal(50.0, 9.0, (2, 20))
    scores[0, :3], scores[1, 15:] = math.nan, math.nan
    [row] = result_of(scores, tables="other-methods").requested["other-methods"]
    assert (row.n_questions, row.n_model, row.n_baseline) == (12, 17, 15)


def test_simultaneous_intervals_in_clusters_have_the_clustered_errors():
    """Each lies round its difference, and reaches further than the interval of it alone."""
    passage = np.repeat(RNG.normal(40.0, 9.0, (3, 60)), 4, axis=1)
    clusters = [f"c{q // 4}" for q in range(240)]
    scores = passage + RNG.normal(0.0, 2.0, (3, 240))
    result = result_of(scores, clusters, tables="simultaneous")
    rows = result.requested["simultaneous"]
    assert len(rows) == len(result.differences) == 3
    for row, d in zip(rows, result.differences, strict=True):
        assert (row.method, row.n_clusters) == ("max-t", 60)
        assert row.se == pytest.approx(d.se, rel=1e-9)
        assert row.ci_low < d.ci_low < d.ci_high < row.ci_high
        assert row.ci_high - row.ci_low == pytest.approx(2 * row.critical * d.se)


def test_a_stratum_of_questions_that_weigh_the_same_has_the_interval_of_its_answers():
    """12 of 24 and 14 of 30 right: Wilson's intervals, by scipy, and the mean of both shares."""
    right = np.repeat([1.0, 0.0, 1.0, 0.0], [12, 12, 14, 16])
    frame = frame_of(right[None])
    frame = frame.assign(kind=["a"] * 24 + ["b"] * 30)
    rows = reportkit.analyse(frame, "toy", tables="strata", strata="kind")[0].requested["strata"]
    found = {r.stratum: r for r in rows}
    for name, k, n in (("a", 12, 24), ("b", 14, 30)):
        ends = sps.binomtest(k, n).proportion_ci(method="wilson")
        row = found[name]
        assert (row.ci_low, row.ci_high) == pytest.approx((ends.low, ends.high))
        assert row.mean == k / n and row.se == pytest.approx(right_se(k, n))
    # Each weighs as its questions; the errors of strata are independent.
    both = math.hypot(24 / 54 * right_se(12, 24), 30 / 54 * right_se(14, 30))
    assert (found[""].mean, found[""].se) == pytest.approx((26 / 54, both))


def right_se(k: int, n: int) -> float:
    """Equation 1 of Miller 2024 for right and wrong answers."""
    return math.sqrt(k / n * (1 - k / n) / (n - 1))


def test_a_regression_without_a_finite_estimate_counts_its_answers():
    rows = regression_of(np.ones(60))
    assert all(math.isnan(r.coefficient) and r.reason for r in rows)
    assert {(r.n_answers, r.n_clusters) for r in rows} == {(60, 60)}
