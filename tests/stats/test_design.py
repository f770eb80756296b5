"""Designs: against statsmodels, slow definitions and simulation; laws for any input; MMLU's
subjects as strata or clusters.
"""

import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups
from support.places import DATA, needs

from reportkit.stats.intervals import t_interval, t_quantile
from reportkit.stats.means.averages import (
    cluster_weighted_mean,
    macro_average,
    stratified_mean,
    weighted_mean,
)
from reportkit.stats.means.design import (
    DesignEffect,
    design_effect,
    effective_clusters,
    finite_population,
    two_way_se,
)
from reportkit.stats.means.mean import Estimate, mean_estimate
from reportkit.stats.pairs.paired import unpaired_difference
from reportkit.stats.variance_components import components

law = settings(derandomize=True, deadline=None)

grid = st.integers(0, 64).map(lambda k: k / 64)


@st.composite
def evals(draw, least: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores and two kinds of labels."""
    n = draw(st.integers(least, 25))
    s = np.array(draw(st.lists(grid, min_size=n, max_size=n)))
    one, other = (np.array(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))) for _ in "ab")
    return s, one, other


def close(one: float, other: float) -> bool:
    return one == pytest.approx(other, rel=1e-9, abs=1e-12, nan_ok=True)


def same(one: Estimate, other: Estimate) -> bool:
    return all(
        close(getattr(one, f), getattr(other, f))
        for f in ("value", "se", "df", "n_questions", "n_clusters")
    )


def lopsided(seed: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """60 normal scores with an effect of their cluster (12, of 1 to 9 questions), and weights."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 5, 5])
    return rng.normal(size=12)[clusters] + rng.normal(size=60), clusters, rng.random(60) + 0.2


# Design effect ------------------------------------------------------------------------------------


def test_icc_is_that_of_an_analysis_of_variance():
    """Mean squares from statsmodels' one-way analysis of variance; m0 written out."""
    import pandas as pd
    from statsmodels.formula.api import ols

    s, clusters, _ = lopsided()
    table = sm.stats.anova_lm(ols("s ~ C(c)", pd.DataFrame({"s": s, "c": clusters})).fit())
    msb, msw = table["mean_sq"]
    sizes = np.bincount(clusters)
    m0 = (60 - (sizes**2).sum() / 60) / 11
    found = design_effect(s, clusters)
    assert found.icc == pytest.approx((msb - msw) / (msb + (m0 - 1) * msw), rel=1e-9)
    assert found.kish == pytest.approx(1 + ((sizes**2).sum() / 60 - 1) * found.icc, rel=1e-12)
    assert found.design_effect == pytest.approx(
        (mean_estimate(s, clusters).se / mean_estimate(s).se) ** 2, rel=1e-12
    )
    assert (found.n_effective, found.ratio**2) == pytest.approx(
        (60 / found.design_effect, found.design_effect), rel=1e-12
    )


def test_equal_clusters_have_the_effect_that_their_icc_predicts():
    """With G clusters of m, V_CR1 / V_eq1 = MSB / MST; Kish's 1 + (m-1) icc has m MSB / (MSB +
    (m-1) MSW) for it.

    MST is ((G-1) MSB + (n-G) MSW) / (n-1), so the two agree but for a (G-1)/G: within 2% at G =
    100.
    """
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(100), 5)
    s = rng.normal(size=100)[clusters] * 0.7 + rng.normal(size=500)
    found = design_effect(s, clusters)
    assert found.design_effect == pytest.approx(found.kish, rel=0.02)
    assert found.icc == pytest.approx(0.49 / 1.49, abs=0.12)


def test_icc_recovers_the_truth_in_uneven_clusters():
    """400 evals with ICC .3 and sizes 1 to 15: the ANOVA estimate averages .3 within .015."""
    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(45), np.resize([1, 2, 3, 5, 15], 45))
    n = len(clusters)
    found = [
        design_effect(
            math.sqrt(0.3) * rng.normal(size=45)[clusters] + math.sqrt(0.7) * rng.normal(size=n),
            clusters,
        ).icc
        for _ in range(400)
    ]
    assert np.mean(found) == pytest.approx(0.3, abs=0.015)


def test_design_effect_at_its_edges():
    s = np.array([1.0, 0.0, 1.0, 0.0])
    single = design_effect(s, np.arange(4))
    assert (single.design_effect, single.ratio, single.n_effective) == (1.0, 1.0, 4.0)
    assert math.isnan(single.icc) and math.isnan(single.kish)
    # both clusters average 1/2: MSB 0, MSW 1/2, icc -1/(m-1)
    balanced = design_effect(s, np.array([0, 0, 1, 1]))
    assert (balanced.design_effect, balanced.icc, balanced.kish) == (0.0, -1.0, 0.0) and math.isnan(
        balanced.n_effective
    )
    alike = design_effect(s, np.array([0, 1, 0, 1]))  # clusters of two identical questions
    assert (alike.icc, alike.kish) == (1.0, 2.0)
    for undefined in (
        design_effect(s, np.zeros(4)),
        design_effect(np.ones(4), np.array([0, 0, 1, 1])),
    ):
        assert all(math.isnan(getattr(undefined, f)) for f in DesignEffect.__slots__[:5])


@law
@given(evals(), st.permutations(range(5)), st.integers(-3, 3))
def test_design_effect_does_not_depend_on_names_or_units(data, names, shift):
    s, clusters, _ = data
    one = design_effect(s, clusters)
    other = design_effect(4 * s + shift, np.array([f"c{names[k]}" for k in clusters]))
    assert all(close(getattr(one, f), getattr(other, f)) for f in DesignEffect.__slots__)


# Effective clusters -------------------------------------------------------------------------------


def test_effective_clusters_by_the_papers_definition():
    """Carter, Schnepel & Steigerwald: G / (1 + sum_c (g_c - g)^2 / (G g^2)), g_c = 1' Omega_c 1 /
    n^2.

    Omega_c the identity for independent questions, all ones for questions that are all alike.
    """
    sizes = np.array([1, 2, 3, 10, 40])
    found = effective_clusters(np.repeat(np.arange(5), sizes))
    for value, g_c in [(found.effective, sizes * 1.0), (found.effective_worst, sizes**2 * 1.0)]:
        assert value == pytest.approx(
            5 / (1 + ((g_c - g_c.mean()) ** 2).sum() / (5 * g_c.mean() ** 2)), rel=1e-12
        )
    assert found.df == mean_estimate(np.arange(56.0), np.repeat(np.arange(5), sizes)).df


def test_equal_clusters_are_worth_their_number():
    found = effective_clusters(np.repeat(["a", "b", "c"], 4))
    assert (found.n_clusters, found.effective, found.effective_worst, found.df) == (
        3,
        3.0,
        3.0,
        2.0,
    )
    assert (
        math.isnan(effective_clusters(np.zeros(4)).df)
        and effective_clusters(np.zeros(4)).effective == 1.0
    )
    none = np.array([])
    for refused in (lambda: effective_clusters(none), lambda: two_way_se(none, none, none)):
        with pytest.raises(
            ValueError, match="there are no questions; give a score and a label for at least one"
        ):
            refused()


# Averages of evals --------------------------------------------------------------------------------


def test_macro_average_of_the_papers_three_differences():
    """Miller 2024, Table 5: -1.1 (SE .94), z = -1.17 (X11), from 2.5 (.678), -2.7 (1.742), -3.1
    (2.1).
    """
    parts = [Estimate(*v, math.inf, 1000, 1000) for v in [(2.5, 0.678), (-2.7, 1.742), (-3.1, 2.1)]]
    found = macro_average(parts)
    assert (f"{found.value:.1f}", f"{found.se:.2f}", f"{found.value / found.se:.2f}") == (
        "-1.1",
        "0.94",
        "-1.17",
    )
    assert math.isinf(found.df) and (found.n_questions, found.n_clusters) == (3000, 3000)


def test_two_evals_have_welchs_degrees_of_freedom():
    """Half the sum of two means has half the error of their difference, and its degrees of freedom
    (unpaired_difference).
    """
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=12), 3 * rng.normal(size=30)
    found, welch = (
        macro_average([mean_estimate(a), mean_estimate(b)]),
        unpaired_difference(a, b).estimate,
    )
    assert (found.se, found.df) == pytest.approx((welch.se / 2, welch.df), rel=1e-12)
    assert found.value == pytest.approx((a.mean() + b.mean()) / 2, rel=1e-12)


def test_weights_of_evals():
    parts = [Estimate(0.2, 0.01, 9.0, 10, 10), Estimate(0.8, 0.03, 19.0, 20, 5)]
    assert macro_average(parts, [3, 1]) == macro_average(parts, [0.75, 0.25])
    found = macro_average(parts, [3, 1])
    assert found.value == pytest.approx(0.35, rel=1e-12)
    assert found.se == pytest.approx(math.hypot(0.0075, 0.0075), rel=1e-12)
    assert macro_average(parts, [1, 0]) == parts[0] == macro_average(parts[:1])
    unknown = [*parts, Estimate(0.5, math.nan, math.nan, 1, 1)]
    assert macro_average(unknown).value == pytest.approx(0.5) and math.isnan(
        macro_average(unknown).se
    )
    assert math.isnan(macro_average(unknown).df)
    assert same(macro_average(unknown, [3, 1, 0]), found)
    perfect = macro_average([Estimate(1.0, 0.0, 9.0, 10, 10), Estimate(0.0, 0.0, 4.0, 5, 5)])
    assert (perfect.value, perfect.se, perfect.df) == (0.5, 0.0, 13.0)
    with pytest.raises(
        ValueError, match=r"weights have shape \(3,\) for 2 estimates; give one each"
    ):
        macro_average(parts, [1, 1, 1])
    for bad in ([1, -1], [0, 0], [1, math.nan]):
        with pytest.raises(
            ValueError,
            match="weights of estimates must be finite and not negative, and one of them above 0",
        ):
            macro_average(parts, bad)
    with pytest.raises(ValueError, match="there are no estimates to average"):
        macro_average([])


# Strata -------------------------------------------------------------------------------------------


def test_strata_sum_by_sum():
    """sum W_h mean_h, sqrt(sum W_h^2 s_h^2 / n_h) and Satterthwaite, h by h, for given and
    proportional weights.
    """
    s, strata, _ = lopsided()
    s, strata = s[strata > 0], strata[strata > 0]  # stratum 0 has one question
    given_weights = {h: float(h) for h in range(1, 12)}
    for weights in (None, given_weights):
        share = np.array(
            [(strata == h).mean() if weights is None else h / 66 for h in range(1, 12)]
        )
        columns = [s[strata == h] for h in range(1, 12)]
        parts = [w**2 * x.var(ddof=1) / len(x) for w, x in zip(share, columns, strict=True)]
        df = sum(parts) ** 2 / sum(v**2 / (len(x) - 1) for v, x in zip(parts, columns, strict=True))
        found = stratified_mean(s, strata, weights)
        assert found.value == pytest.approx(
            sum(w * x.mean() for w, x in zip(share, columns, strict=True)), rel=1e-9
        )
        assert (found.se, found.df) == pytest.approx((math.sqrt(sum(parts)), df), rel=1e-9)
        assert (found.n_questions, found.n_clusters) == (59, 59)


def test_a_stratum_with_one_question_has_no_known_error():
    s, strata, _ = lopsided()
    found = stratified_mean(s, strata)
    assert (
        found.value == pytest.approx(s.mean(), rel=1e-9)
        and math.isnan(found.se)
        and math.isnan(found.df)
    )
    without = stratified_mean(s, strata, {h: float(h > 0) for h in range(12)})
    assert without.se > 0  # weight 0: it does not count


def test_coverage_of_strata_whose_list_is_fixed():
    """Six subjects, always the same, 4 to 12 questions each: the t interval holds the truth in .95
    +- .015 of 2,000.

    Clustered by subject it would hold it in all: subjects differ by far more than their questions
    do.
    """
    rng = np.random.default_rng(7)
    strata = np.repeat(np.arange(6), [4, 6, 8, 8, 10, 12])
    level = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    spread = np.array([1.0, 0.5, 1.0, 2.0, 1.0, 1.0])
    truth, inside, clustered = level[strata].mean(), 0, 0
    for _ in range(2000):
        s = level[strata] + spread[strata] * rng.normal(size=48)
        interval, wide = (
            t_interval(stratified_mean(s, strata)),
            t_interval(mean_estimate(s, strata)),
        )
        inside += interval.low <= truth <= interval.high
        clustered += wide.low <= truth <= wide.high
    assert inside / 2000 == pytest.approx(0.95, abs=0.015)
    assert clustered == 2000


@law
@given(evals())
def test_one_stratum_is_the_plain_mean(data):
    s, clusters, _ = data
    assert stratified_mean(s, np.zeros(len(s))) == mean_estimate(s)
    assert same(
        stratified_mean(s, np.full(len(s), "x"), clusters=clusters), mean_estimate(s, clusters)
    )


@law
@given(evals(), st.permutations(range(5)))
def test_names_and_scale_of_strata_do_not_matter(data, names):
    s, strata, _ = data
    one = stratified_mean(s, strata)
    assert close(one.value, s.mean())  # proportional weights
    assert same(stratified_mean(s, np.array([f"h{names[k]}" for k in strata])), one)
    counts = {k: int((strata == k).sum()) for k in np.unique(strata)}
    assert same(stratified_mean(s, strata, counts), one)
    assert same(stratified_mean(s, strata, {k: 10 * v for k, v in counts.items()}), one)


def test_equal_strata_take_the_difference_between_them_out():
    """Equal n_h, proportional: SE^2 is MSW / n, and the naive SE^2 is MST / n."""
    rng = np.random.default_rng(8)
    strata = np.repeat(np.arange(5), 6)
    s = rng.normal(size=5)[strata] + rng.normal(size=30)
    msw = np.mean([s[strata == h].var(ddof=1) for h in range(5)])
    assert stratified_mean(s, strata).se == pytest.approx(math.sqrt(msw / 30), rel=1e-12)


def test_clusters_nest_in_strata():
    s, clusters, _ = lopsided()
    strata = np.where(clusters < 6, "low", "high")
    found = stratified_mean(s, strata, {"low": 1, "high": 1}, clusters)
    parts = [mean_estimate(s[strata == h], clusters[strata == h]) for h in ("low", "high")]
    assert same(found, macro_average(parts)) and found.n_clusters == 12
    with pytest.raises(ValueError, match="a cluster has questions in two strata"):
        stratified_mean(s, np.arange(60) % 2, clusters=clusters)


def test_wrong_strata_are_said():
    s = np.array([1.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="2 strata have a weight or questions, not both: b, c"):
        stratified_mean(s, np.array(["a", "a", "b"]), {"a": 1, "c": 1})
    with pytest.raises(ValueError, match="some cluster labels are missing"):
        stratified_mean(s, np.array(["a", None, "b"], dtype=object))


# Weights ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("clustered", [True, False])
def test_weighted_mean_is_a_weighted_regression_on_a_constant(clustered):
    s, clusters, w = lopsided()
    groups = clusters if clustered else np.arange(60)
    fit = sm.WLS(s, np.ones(60), weights=w).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}
    )
    found = weighted_mean(s, w, clusters if clustered else None)
    assert (found.value, found.se) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-9)
    assert found.df == len(set(groups)) - 1


@law
@given(evals(), st.integers(1, 5))
def test_equal_weights_are_no_weights(data, w):
    s, clusters, _ = data
    weights = np.full(len(s), float(w))
    assert same(weighted_mean(s, weights), mean_estimate(s))
    assert same(weighted_mean(s, weights, clusters), mean_estimate(s, clusters, se="cr1"))
    assert same(weighted_mean(s, weights, np.arange(len(s))), mean_estimate(s))


@law
@given(evals(), st.data())
def test_whole_weights_are_copies_inside_the_cluster(data, draw):
    """Weight k is a question asked k times inside its cluster; weight 0 is a question that is not
    there.
    """
    s, clusters, _ = data
    w = np.array(draw.draw(st.lists(st.integers(0, 3), min_size=len(s), max_size=len(s))))
    assume(w.sum() > 0)
    one = weighted_mean(s, w, clusters)
    other = mean_estimate(np.repeat(s, w), np.repeat(clusters, w), se="cr1")
    assert all(
        close(getattr(one, f), getattr(other, f)) for f in ("value", "se", "df", "n_clusters")
    )
    assert one.n_questions == (w > 0).sum()


def test_clusters_that_weigh_the_same():
    """Weights 1/m_c make the weighted mean the cluster-weighted one: both estimators, one number
    (and equation 1 on means).
    """
    s, clusters, _ = lopsided()
    sizes = np.bincount(clusters)
    found, weighted = (
        cluster_weighted_mean(s, clusters),
        weighted_mean(s, 1 / sizes[clusters], clusters),
    )
    assert same(found, weighted)
    means = np.array([s[clusters == k].mean() for k in range(12)])
    assert (found.value, found.se) == pytest.approx(
        (means.mean(), means.std(ddof=1) / math.sqrt(12)), rel=1e-12
    )
    assert (found.df, found.n_questions, found.n_clusters) == (11.0, 60, 12)


@law
@given(evals())
def test_cluster_weighted_mean_of_copies_and_singletons(data):
    s, clusters, _ = data
    assert same(cluster_weighted_mean(s, np.arange(len(s))), mean_estimate(s))
    one, twice = (
        cluster_weighted_mean(s, clusters),
        cluster_weighted_mean(np.repeat(s, 2), np.repeat(clusters, 2)),
    )
    assert close(one.value, twice.value) and close(one.se, twice.se) and close(one.df, twice.df)


def test_weights_at_their_edges():
    constant = weighted_mean(np.full(5, 0.1), np.arange(1.0, 6.0))
    assert (constant.value, constant.se) == (0.1, 0.0)
    assert math.isnan(weighted_mean(np.array([1.0, 0.0]), np.array([1.0, 0.0])).se)
    assert math.isnan(weighted_mean(np.array([1.0, 0.0]), np.ones(2), np.zeros(2)).df)
    assert math.isnan(cluster_weighted_mean(np.array([1.0, 0.0]), np.zeros(2)).se)
    with pytest.raises(ValueError, match="weights of questions must be finite and not negative"):
        weighted_mean(np.ones(2), np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match="1 of 2 scores are missing or infinite; drop them first"):
        weighted_mean(np.array([1.0, np.nan]), np.ones(2))


# Finite evals -------------------------------------------------------------------------------------


def test_part_of_a_finite_eval_over_every_part():
    """All 70 subsets of 4 of 8 questions: the mean of the corrected SE^2 is the variance of their
    means, exactly.
    """
    s = np.array([0.0, 0.1, 0.5, 0.5, 0.7, 1.0, 1.0, 0.2])
    parts = [mean_estimate(s[list(rows)]) for rows in itertools.combinations(range(8), 4)]
    corrected = [finite_population(e, questions=8).se ** 2 for e in parts]
    assert np.mean(corrected) == pytest.approx(np.var([e.value for e in parts]), rel=1e-12)
    assert finite_population(parts[0], questions=8).se == pytest.approx(
        parts[0].se * math.sqrt(0.5), rel=1e-12
    )


def test_whole_clusters_of_a_finite_eval_over_every_part():
    """All 20 choices of 3 of 6 equal clusters, likewise by 1 - g/G."""
    s, clusters = np.random.default_rng(9).random(18), np.repeat(np.arange(6), 3)
    rows = [np.isin(clusters, some) for some in itertools.combinations(range(6), 3)]
    parts = [mean_estimate(s[r], clusters[r]) for r in rows]
    corrected = [finite_population(e, clusters=6).se ** 2 for e in parts]
    assert np.mean(corrected) == pytest.approx(np.var([e.value for e in parts]), rel=1e-12)


def test_answer_noise_is_not_averaged_away_by_asking_every_question():
    """Half, then all, of 40 questions with 3 answers: variance of the mean about the eval's
    expected scores.

    3,000 draws; the average of the corrected V is within 6% of it (three SEs of a variance),
    without `noise` far below.
    """
    rng = np.random.default_rng(10)
    x = rng.random(40)
    for n in (20, 40):
        means, corrected, plain = [], [], []
        for _ in range(3000):
            rows = rng.permutation(40)[:n]
            right = rng.binomial(3, x[rows]) / 3
            e = mean_estimate(right)
            noise = components(right, right * (1 - right) * 3 / 2, np.full(n, 3)).noise
            means.append(e.value)
            corrected.append(finite_population(e, questions=40, noise=noise).se ** 2)
            plain.append(finite_population(e, questions=40).se ** 2)
        truth = np.mean((np.array(means) - x.mean()) ** 2)
        assert np.mean(corrected) == pytest.approx(truth, rel=0.08)
        assert np.mean(plain) < 0.8 * truth


def test_finite_evals_at_their_edges():
    e = Estimate(0.5, 0.05, 9.0, 10, 5)
    assert (
        finite_population(e, questions=10)
        == Estimate(0.5, 0.0, 9.0, 10, 5)
        == finite_population(e, clusters=5)
    )
    assert finite_population(e, questions=10**12).se == pytest.approx(0.05, rel=1e-9)
    assert finite_population(e, questions=10, noise=0.1).se == pytest.approx(0.1, rel=1e-12)
    assert math.isnan(finite_population(e, questions=20, noise=math.nan).se)
    assert math.isnan(finite_population(Estimate(0.5, math.nan, math.nan, 1, 1), questions=4).se)
    with pytest.raises(
        ValueError, match="the estimate has 10 questions, the whole eval 9; a part cannot be larger"
    ):
        finite_population(e, questions=9)
    with pytest.raises(ValueError, match="the estimate has 5 clusters, the whole eval 4"):
        finite_population(e, clusters=4)
    for both in ({}, {"questions": 20, "clusters": 9}):
        with pytest.raises(ValueError, match="one of the two"):
            finite_population(e, **both)


# Crossed clusters ---------------------------------------------------------------------------------


@pytest.mark.parametrize("correction", [True, False])
def test_two_way_is_statsmodels(correction):
    """cov_cluster_2groups of a regression on a constant: each of the three with its own G/(G-1), or
    none.
    """
    rng = np.random.default_rng(12)
    one, other = rng.integers(0, 9, 120), rng.integers(0, 14, 120)
    s = rng.normal(size=9)[one] + rng.normal(size=14)[other] + rng.normal(size=120)
    fit = sm.OLS(s, np.ones(120)).fit()
    both, first, second = cov_cluster_2groups(fit, one, other, use_correction=correction)
    found = two_way_se(s, one, other, se="cr1" if correction else "cr0")
    assert found.variance == pytest.approx(both[0, 0], rel=1e-9)
    assert (found.se_first, found.se_second) == pytest.approx(
        (first[0, 0] ** 0.5, second[0, 0] ** 0.5), rel=1e-9
    )
    assert found.estimate.se == pytest.approx(both[0, 0] ** 0.5, rel=1e-9)
    assert (found.estimate.df, found.estimate.n_clusters, found.negative) == (8.0, 9, False)


def test_two_way_over_all_pairs_of_questions():
    """CR0: (1/n^2) times the sum of u_i u_j over pairs that share a row or a column."""
    s, one, _ = lopsided()
    other = np.arange(60) % 7
    u = s - s.mean()
    share = (one[:, None] == one) | (other[:, None] == other)
    assert two_way_se(s, one, other, se="cr0").variance == pytest.approx(
        (share * np.outer(u, u)).sum() / 60**2, rel=1e-9
    )


def test_negative_two_way_variance_is_flagged():
    """[[1, 0], [0, 1]]: -.0625 (CR0), with rows and columns of variance 0; and one where the larger
    is above 0.
    """
    found = two_way_se(
        np.array([1.0, 0, 0, 1]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), se="cr0"
    )
    assert (found.variance, found.negative, found.estimate.se) == (-0.0625, True, 0.0)
    s = np.array([[1.0, 0, 1], [0, 1, 0.1], [0, 1, 0]])
    rows, columns = np.divmod(np.arange(9), 3)
    other = two_way_se(s.ravel(), rows, columns)
    assert other.negative and other.variance < 0 < other.estimate.se == max(
        other.se_first, other.se_second
    )


@law
@given(evals(), st.sampled_from(["cr0", "cr1", "cr2"]))
def test_nested_kinds_are_the_coarser_one(data, se):
    s, clusters, other = data
    one_way = mean_estimate(s, clusters, se=se)
    fine = np.array([f"{a}/{b}" for a, b in zip(clusters, other, strict=True)])
    for labels in (np.arange(len(s)), fine, clusters):
        found, swapped = (
            two_way_se(s, clusters, labels, se=se),
            two_way_se(s, labels, clusters, se=se),
        )
        assert close(found.estimate.se, one_way.se) and close(
            found.estimate.df, swapped.estimate.df
        )
        assert close(swapped.estimate.se, found.estimate.se) and not found.negative


@law
@given(evals())
def test_two_way_of_copies_and_swaps(data):
    s, one, other = data
    found, swapped = two_way_se(s, one, other), two_way_se(s, other, one)
    twice = two_way_se(*(np.repeat(v, 2) for v in data))
    for again in (swapped, twice):
        assert close(again.variance, found.variance) and close(again.estimate.df, found.estimate.df)
    assert math.isnan(found.estimate.se) == (len(set(one)) < 2 or len(set(other)) < 2)
    if not math.isnan(found.estimate.se):
        assert found.negative == (found.variance < 0)


# Real subjects ------------------------------------------------------------------------------------


@needs(DATA)
def test_mmlu_subjects_as_strata_or_as_clusters():
    """GPT-4 on MMLU, 14,042 questions, 57 subjects of 100 to 1,534: .334 points naive, .303
    stratified, 2.59 clustered.

    Naive .003338 and CR0 .025334 are the note's of the data file; the rest is summed here by
    pandas. What is claimed decides between errors that differ by more than eight times.
    """
    import pandas as pd

    frame = pd.read_parquet(DATA / "routellm_mmlu.parquet").query("model == 'gpt-4-1106-preview'")
    s, subject = frame["score"].to_numpy(), frame["cluster_id"].to_numpy()
    naive, strata, clusters = (
        mean_estimate(s),
        stratified_mean(s, subject),
        mean_estimate(s, subject),
    )
    groups = frame.groupby("cluster_id")["score"]
    expected = math.sqrt(((groups.size() / len(s)) ** 2 * groups.var() / groups.size()).sum())
    assert strata.se == pytest.approx(expected, rel=1e-9)
    assert [f"{100 * e.se:.3f}" for e in (naive, strata, clusters)] == ["0.334", "0.303", "2.590"]
    assert (f"{naive.se:.6f}", f"{mean_estimate(s, subject, se='cr0').se:.6f}") == (
        "0.003338",
        "0.025334",
    )
    assert strata.value == pytest.approx(naive.value, rel=1e-12)
    effect, worth = design_effect(s, subject), effective_clusters(subject)
    assert effect.design_effect == pytest.approx((clusters.se / naive.se) ** 2, rel=1e-12)
    assert worth.n_clusters == 57 and worth.effective == pytest.approx(
        len(s) ** 2 / (groups.size() ** 2).sum(), rel=1e-12
    )
    by_subject = cluster_weighted_mean(s, subject)
    assert by_subject.value == pytest.approx(groups.mean().mean(), rel=1e-12)
    # 56 degrees of freedom
    assert t_quantile(0.95, by_subject.df) == pytest.approx(2.0032, abs=1e-4)
