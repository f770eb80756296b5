"""Variance components: what more answers buy, probabilities beside samples, appendix C with
clusters, cluster correlation.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.places import DATA, needs

from reportkit.stats.means.mean import mean_estimate
from reportkit.stats.pairs.paired import correlation, paired_difference
from reportkit.stats.planning.pilot import (
    omega_squared_printed,
    paired_components,
    question_moments,
    sigma_squared_printed,
    variance_df,
)
from reportkit.stats.variance_components import (
    RemovableShare,
    cluster_correlation,
    components,
    omega_squared,
    probability_comparison,
    removable_share,
    resampling_reduction,
)

law = settings(derandomize=True, deadline=None)


def test_four_values_are_enough_for_the_df_of_a_variance():
    """-1, -1, 1, 1: V = 4/3 and m_4 = 1, so 2 V^2 over (m_4 - V^2 / 3) / 4 is 384/11."""
    assert variance_df(np.array([-1.0, -1.0, 1.0, 1.0])) == pytest.approx(384 / 11)
    assert math.isnan(variance_df(np.array([-1.0, 0.0, 1.0])))


# What more answers buy ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("k", "expected"), [(1, 0), (2, 1 / 3), (4, 1 / 2), (6, 5 / 9), (math.inf, 2 / 3)]
)
def test_uniform_difficulty(k, expected):
    """Miller 2024, section 3.1: printed 1/3, 1/2, 5/9 and 2/3 for x ~ U[0, 1]; (1 + 2/K)/3 of the
    variance is left.
    """
    assert resampling_reduction(1 / 12, 1 / 6, k) == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert 1 - resampling_reduction(1 / 12, 1 / 6, k) == pytest.approx((1 + 2 / k) / 3, rel=1e-12)


def test_reduction_and_removable_share_are_the_two_halves_of_one_account():
    """Of the variance with one answer: (1 - reduction to K)(1 - share still removable) is what no
    answer removes.
    """
    for between, within, k in itertools.product([0.01, 0.2], [0.0, 0.05, 0.25], [1, 3, 10]):
        left = 1 - resampling_reduction(between, within, k)
        share = removable_share(between, within, k)
        assert left * (1 - share.variance) == pytest.approx(between / (between + within), rel=1e-12)
        assert (1 - share.se) ** 2 == pytest.approx(1 - share.variance, rel=1e-12)


def test_removable_share_of_components_takes_the_noise():
    """Uneven K: noise is (1/n) sum sigma_i^2 / K_i, and the share is noise over the variance of
    question means.
    """
    means, variances = np.array([0.5, 1.0, 0.25, 0.0]), np.array([0.5, 0.0, 0.25, 0.0])
    parts = components(means, variances, np.array([2, 3, 4, 5]))
    by_hand = (0.5 / 2 + 0.25 / 4) / 4
    assert parts.noise == pytest.approx(by_hand, rel=1e-12)
    assert removable_share(parts.between, parts.noise).variance == pytest.approx(
        by_hand / means.var(ddof=1), rel=1e-12
    )


def test_nothing_to_remove_is_undefined_and_wrong_arguments_are_said():
    assert math.isnan(resampling_reduction(0.0, 0.0, 3)) and math.isnan(
        resampling_reduction(math.nan, 0.1, 3)
    )
    assert math.isnan(removable_share(0.0, 0.0).se) and math.isnan(
        removable_share(0.1, math.nan).variance
    )
    assert removable_share(0.0, 0.1) == RemovableShare(1.0, 1.0)
    with pytest.raises(
        ValueError, match="between=-0.1 and within=0.1 are variances; neither can be negative"
    ):
        resampling_reduction(-0.1, 0.1, 2)
    with pytest.raises(
        ValueError, match="epochs=0 is not a number of answers per question; give at least 1"
    ):
        removable_share(0.1, 0.1, 0)


# Probabilities beside sampled scores --------------------------------------------------------------


def test_probabilities_save_two_thirds_of_the_variance_of_uniform_difficulty():
    """Section 3.2: Var(p) = 1/12 against 1/4, so 2/3; p on a grid, answers drawn once (4,000: three
    SEs are 0.03).
    """
    p = (np.arange(4000) + 0.5) / 4000
    answers = (np.random.default_rng(3).random(4000) < p).astype(float)
    found = probability_comparison(p, answers)
    assert found.reduction == pytest.approx(2 / 3, abs=0.03)
    assert found.reduction == 1 - (mean_estimate(p).se / mean_estimate(answers).se) ** 2
    assert found.difference.estimate == paired_difference(p, answers).estimate
    # Var(answer - p) = E[p(1-p)] = 1/6, which is what pairing leaves.
    assert found.difference.estimate.se == pytest.approx(math.sqrt(1 / 6 / 4000), rel=0.03)


@pytest.mark.parametrize(("low", "factor", "mean"), [(0.0, 3.0, 1 / 2), (1 / 3, 81 / 16, 3 / 4)])
def test_answers_at_temperature_zero_measure_something_else(low, factor, mean):
    """Section 3.3: x ~ U[low, 1] made 1{x > 0.5}: three times the variance, 5.0625 times and a mean
    of 3/4, not 2/3.
    """
    x = low + (1 - low) * (np.arange(30_000) + 0.5) / 30_000
    found = probability_comparison(x, (x > 0.5).astype(float))
    assert 1 / (1 - found.reduction) == pytest.approx(factor, rel=1e-3)
    assert found.sampled.value == pytest.approx(mean, abs=1e-4)
    assert found.difference.estimate.value == pytest.approx((1 + low) / 2 - mean, abs=1e-4)


@pytest.mark.slow
def test_agreement_is_covered_as_often_as_its_level_says():
    """2,000 evals of 60 questions in 12 clusters, answers drawn from p: the 95% interval holds 0 in
    .95 +- .015 of them.

    Three SEs of a share of 2,000 are .0146. Negative control: answers at temperature 0 from p ~
    U[1/3, 1] are caught.
    """
    rng = np.random.default_rng(11)
    clusters = np.repeat(np.arange(12), 5)
    inside = caught = 0
    for _ in range(2000):
        p = np.clip(rng.random(12)[clusters] * 0.6 + rng.random(60) * 0.4, 0, 1)
        found = probability_comparison(
            p, (rng.random(60) < p).astype(float), clusters
        ).difference.interval
        inside += found.low <= 0 <= found.high
    for _ in range(200):
        p = 1 / 3 + 2 / 3 * rng.random(400)
        found = probability_comparison(p, (p > 0.5).astype(float)).difference
        caught += found.p_value < 0.05
    assert inside / 2000 == pytest.approx(0.95, abs=0.015)
    assert caught > 190


def test_probabilities_in_clusters_have_clustered_errors():
    """Clusters of two questions: the SE of cluster means, by numpy. A probability of 1 is one."""
    p = np.array([0.9, 1.0, 0.4, 0.3, 0.6, 0.8])
    found = probability_comparison(p, np.ones(6), np.repeat([0, 1, 2], 2))
    expected = p.reshape(3, 2).mean(axis=1).std(ddof=1) / math.sqrt(3)
    assert found.probability.se == pytest.approx(expected)


def test_several_answers_and_undefined_reductions():
    p = np.array([0.2, 0.9, 0.6])
    assert math.isnan(probability_comparison(p, np.ones(3)).reduction)  # sampled variance 0
    # one cluster
    assert math.isnan(probability_comparison(p, np.array([0.0, 0.5, 1.0]), np.zeros(3)).reduction)
    assert probability_comparison(p, np.array([0.0, 0.5, 1.0])).reduction > 0
    with pytest.raises(
        ValueError,
        match=r"1 of 3 values of p_correct are outside \[0, 1\]; give probabilities, not logs",
    ):
        probability_comparison(np.array([0.2, -0.9, 0.6]), np.ones(3))


@needs(DATA)
def test_boolq_next_token_probabilities():
    """BoolQ, gpt2: .51545 (.002877 naive, .003053 clustered) and accuracy .53578 (.008723): the
    note of the data file.

    `correct` is 1{p > 0.5}, an answer at temperature 0: it scores something else, 2.0 points
    higher, as section 3.3 says.
    """
    import pandas as pd

    frame = pd.read_parquet(DATA / "boolq_next_token.parquet").query("model == 'gpt2'")
    p, answers = frame["score"].to_numpy(), frame["correct"].to_numpy(dtype=float)
    plain = probability_comparison(p, answers)
    assert (round(plain.probability.value, 5), round(plain.probability.se, 6)) == (
        0.51545,
        0.002877,
    )
    assert (round(plain.sampled.value, 5), round(plain.sampled.se, 6)) == (0.53578, 0.008723)
    assert plain.reduction == pytest.approx(1 - (0.002877 / 0.008723) ** 2, abs=1e-3)
    clustered = probability_comparison(p, answers, frame["cluster_id"].to_numpy(), se="cr0")
    assert round(clustered.probability.se, 6) == pytest.approx(0.003053, abs=1.1e-6)
    assert plain.difference.p_value < 0.01


# Appendix C ---------------------------------------------------------------------------------------


def slow_appendix_c(
    a: np.ndarray, b: np.ndarray, clusters: np.ndarray
) -> tuple[float, float, float]:
    """omega_cl^2 = V(x_A) + V(x_B) - 2 C(x_A, x_B) and both sigma_cl^2, sum by sum as printed;
    complete (n, K) answers.
    """
    n = len(a)
    pairs = [(i, j) for i in range(n) for j in range(n) if clusters[i] == clusters[j]]
    xa, xb = a.mean(axis=1), b.mean(axis=1)
    da, db = xa - xa.mean(), xb - xb.mean()
    omega2 = (
        sum(da[i] * da[j] + db[i] * db[j] - da[i] * db[j] - db[i] * da[j] for i, j in pairs) / n
    )

    def sigma2(s: np.ndarray) -> float:
        k, e = s.shape[1], s - s.mean(axis=1, keepdims=True)
        return sum(e[i, t] * e[j, t] for t in range(k) for i, j in pairs) / (n * (k - 1))

    return omega2, sigma2(a), sigma2(b)


def pilot(seed: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(6), [1, 2, 3, 4, 5, 6])
    x = np.clip(0.5 + 0.3 * rng.normal(size=6)[clusters] + 0.1 * rng.normal(size=21), 0, 1)
    return (
        (rng.random((21, 4)) < x[:, None]) * 1.0,
        (rng.random((21, 3)) < x[:, None]) * 1.0,
        clusters,
    )


def test_printed_forms_are_the_papers_sums():
    a, b, clusters = pilot()
    found = paired_components(a, b, clusters, form="printed")
    assert (found.omega2, found.sigma2_a, found.sigma2_b) == pytest.approx(
        slow_appendix_c(a, b, clusters), rel=1e-12
    )
    assert omega_squared_printed(a.mean(axis=1), b.mean(axis=1), clusters) == found.omega2


def test_corrected_form_is_section_1_1_b_sum_by_sum():
    """[G/(G-1)] (1/n) sum_c (sum_i d_ic - m_c d)^2 - q_A - q_B, q = (1/n) sum_i s_i^2 / K_i, K
    uneven.
    """
    a, b, clusters = pilot()
    a[3, 2:], a[7, 3] = np.nan, np.nan
    means = np.array([[v for v in row if v == v] for row in a.tolist()], dtype=object)
    mean_a = np.array([np.mean(v) for v in means])
    d = mean_a - b.mean(axis=1)
    plug_in = (
        sum((d[clusters == k].sum() - (clusters == k).sum() * d.mean()) ** 2 for k in range(6)) / 21
    )
    q_a = sum(np.var(v, ddof=1) / len(v) for v in means) / 21
    q_b = sum(np.var(v, ddof=1) / 3 for v in b) / 21
    found = paired_components(a, b, clusters, se="cr1")
    assert found.variance == pytest.approx(6 / 5 * plug_in, rel=1e-12)
    assert found.omega2 == pytest.approx(max(0.0, 6 / 5 * plug_in - q_a - q_b), rel=1e-12)
    assert found.sigma2_a == pytest.approx(sum(np.var(v, ddof=1) for v in means) / 21, rel=1e-12)
    assert found.epochs_a == pytest.approx(21 / (19 / 4 + 1 / 2 + 1 / 3), rel=1e-12)
    assert not found.floored and (found.n_questions, found.n_clusters) == (21, 6)


def test_questions_with_one_answer_lend_no_variance_but_have_noise():
    """Two questions with two answers (variances 0.5 and 0), one with one: sigma^2 = 1/4, q = (0.5/2
    + 0 + (1/4)/1) / 3.
    """
    a = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, np.nan]])
    found = paired_components(a, np.zeros((3, 2)))
    assert found.sigma2_a == 0.25
    assert found.omega2 == pytest.approx(max(0.0, np.var([0.5, 1, 0], ddof=1) - 0.5 / 3), rel=1e-12)


@pytest.mark.parametrize("form", ["corrected", "shared-runs"])
def test_the_noise_of_both_models_is_taken_off(form):
    """omega^2 = n SE^2 - sigma_A^2/K_A - sigma_B^2/K_B."""
    a, b, clusters = pilot()
    found = paired_components(a, b, clusters, form=form)
    noise = found.sigma2_a / found.epochs_a + found.sigma2_b / found.epochs_b
    assert not found.floored and found.sigma2_b > 0.0
    assert found.omega2 == pytest.approx(found.variance - noise, rel=1e-12)


def test_numbering_the_answers_otherwise_changes_the_printed_form_only():
    a, b, clusters = pilot()
    other = a.copy()
    other[4] = other[4][::-1]
    other[12] = np.roll(other[12], 1)
    one, two = (paired_components(x, b, clusters) for x in (a, other))
    assert one == two
    assert sigma_squared_printed(a, clusters) != pytest.approx(
        sigma_squared_printed(other, clusters), rel=1e-3
    )


def simulate(rng: np.random.Generator, sizes: list[int], k_a: int, k_b: int, shared: float = 0.0):
    """Normal answers: omega^2 per question 0.04 + 0.02 in common with the cluster; sigma_A^2 = 0.2,
    sigma_B^2 = 0.1.

    shared: variance of an error that all questions of a cluster have in common in a run of the
    first model.
    """
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    n = len(clusters)
    x = (
        math.sqrt(0.04) * rng.normal(size=n)
        + math.sqrt(0.02) * rng.normal(size=len(sizes))[clusters]
    )
    common = rng.normal(size=n)  # what both models find hard
    a = (common + x)[:, None] + math.sqrt(0.2 - shared) * rng.normal(size=(n, k_a))
    a += math.sqrt(shared) * rng.normal(size=(len(sizes), k_a))[clusters]
    return a, common[:, None] + math.sqrt(0.1) * rng.normal(size=(n, k_b)), clusters


def average(
    sizes: list[int], repeats: int, shared: float = 0.0, **options
) -> tuple[np.ndarray, np.ndarray]:
    """Mean over simulated pilots of (omega2, sigma2_a, sigma2_b), and the SE of that mean."""
    rng = np.random.default_rng(17)
    found = []
    for _ in range(repeats):
        f = paired_components(*simulate(rng, sizes, 3, 2, shared), **options)
        found.append([f.omega2, f.sigma2_a, f.sigma2_b])
    return np.mean(found, axis=0), np.std(found, axis=0) / math.sqrt(repeats)


def test_corrected_form_is_unbiased_and_the_printed_one_is_not():
    """60 clusters of 4: omega_cl^2 = 0.04 + 0.02 * 4 = 0.12; the plug-in has 59/60 of 0.12 + 0.2/3
    + 0.1/2.

    400 pilots, four SEs of the simulation's mean.
    """
    mean, se = average([4] * 60, 400)
    assert np.all(np.abs(mean - [0.12, 0.2, 0.1]) < 4 * se)
    printed, se = average([4] * 60, 400, form="printed")
    assert np.all(np.abs(printed - [59 / 60 * (0.12 + 0.2 / 3 + 0.1 / 2), 0.2, 0.1]) < 4 * se)
    assert printed[0] - 0.12 > 20 * se[0]


def test_shared_runs_keep_the_error_that_a_run_makes_in_common():
    """Of sigma_A^2 = 0.2, 0.05 is common to the 4 questions of a cluster in a run: sigma_cl^2 = 0.2
    + 3 * 0.05 = 0.35.
    """
    mean, se = average([4] * 60, 400, shared=0.05, form="shared-runs")
    assert np.all(np.abs(mean - [0.12, 0.35, 0.1]) < 4 * se)
    blind, se = average([4] * 60, 400, shared=0.05)  # negative control: the diagonal cannot see it
    assert blind[0] - 0.12 == pytest.approx(0.15 / 3, abs=4 * se[0])


def test_cr2_removes_the_noise_without_bias_in_uneven_clusters():
    """No difference between questions and clusters of 1 to 40: n CR2^2 expects q exactly, n CR1^2
    does not.

    E[S_c^2] for independent noise of variance 1 is m_c (1 - m_c/n): CR1 sums it to G/(G-1) (1 - sum
    m_c^2 / n^2), which is 5/4 (1 - 1631/2401). The functions' expectation is exact too: they are
    quadratic, so unit vectors give the trace.
    """
    m = np.array([1, 1, 2, 5, 40])
    n, g = m.sum(), len(m)
    clusters = np.repeat(np.arange(g), m)
    means = {
        se: sum(mean_estimate(u, clusters, se=se).se ** 2 * n for u in np.eye(n))
        for se in ("cr1", "cr2")
    }
    assert means["cr2"] == pytest.approx(1.0, rel=1e-9) and means["cr1"] == pytest.approx(
        5 / 4 * (1 - 1631 / 2401), rel=1e-9
    )


def test_between_needs_two_questions():
    """Means 0.2 and 0.6 vary by 0.08, less the noise 0.04 / 2 of two answers each; one question
    varies by nothing that is known.
    """
    means, variances, epochs = np.array([0.2, 0.6]), np.array([0.04, 0.04]), np.array([2, 2])
    two = components(means, variances, epochs)
    assert (two.between, two.within) == (pytest.approx(0.06), pytest.approx(0.04))
    one = components(means[:1], variances[:1], epochs[:1])
    assert math.isnan(one.between) and one.within == pytest.approx(0.04)


@pytest.mark.parametrize("n, k, right", [(30, 3, 1), (10, 7, 5), (400, 3, 2)])
def test_a_variance_that_is_all_noise_is_0_and_no_rounding(n, k, right):
    """Var(means) and q are made equal here, by hand; their difference is 1e-18 or the like."""
    answers = np.zeros((n, k))
    answers[:, :right] = 1.0
    within = answers.var(axis=1, ddof=1)
    means = np.where(np.arange(n) % 2, 1.0, -1.0) * np.sqrt(within.mean() / k * (n - 1) / n)
    c = components(means, within, np.full(n, k))
    assert c.between == 0.0 < c.noise
    error = mean_estimate(means).se
    assert omega_squared(error, n, c.noise, 0.0) == 0.0
    assert omega_squared(error, n, c.noise * (1.0 - 1e-6), 0.0) > 0.0


def test_one_answer_cannot_separate_and_negative_is_floored():
    a, b = np.array([[1.0], [0.0], [1.0], [1.0]]), np.array([[1.0], [1.0], [0.0], [1.0]])
    found = paired_components(a, b)
    assert math.isnan(found.omega2) and math.isnan(found.sigma2_a) and not found.floored
    assert found.variance == pytest.approx(2 / 3, rel=1e-12)  # d = 0, -1, 1, 0
    noisy = paired_components(np.array([[1.0, 0.0], [0.0, 1.0]]), np.zeros((2, 2)))
    assert (noisy.omega2, noisy.floored, noisy.sigma2_a) == (0.0, True, 0.5)
    small = paired_components(np.array([[1.0, 1.0], [0.5, 0.5], [0.5, 0.5]]), np.zeros((3, 2)))
    assert small.omega2 == pytest.approx(1 / 12, rel=1e-12) and not small.floored
    alone = paired_components(np.ones((3, 2)), np.zeros((3, 2)), np.zeros(3))
    assert math.isnan(alone.omega2) and math.isnan(alone.variance)


def test_wrong_answers_are_said():
    full = np.ones((3, 2))
    with pytest.raises(
        ValueError, match="form='plug-in' is not one of corrected, shared-runs, printed"
    ):
        paired_components(full, full, form="plug-in")
    with pytest.raises(ValueError, match="answered 3 and 2 questions"):
        paired_components(full, full[:2])
    with pytest.raises(ValueError, match=r"answers have shape \(3,\); give one row per question"):
        question_moments(np.ones(3))
    holes = np.array([[1.0, np.nan], [np.nan, np.nan]])
    with pytest.raises(ValueError, match="1 of 2 questions have no answer; drop them first"):
        question_moments(holes)
    with pytest.raises(
        ValueError, match="1 of 1 questions have fewer than 2 answers; runs need them all"
    ):
        sigma_squared_printed(holes[:1])


# Cluster correlation ------------------------------------------------------------------------------

grid = st.integers(0, 64).map(lambda k: k / 64)


@st.composite
def pairs(draw) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(3, 25))
    a, b = (np.array(draw(st.lists(grid, min_size=n, max_size=n))) for _ in "ab")
    return a, b, np.array(draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)))


@law
@given(pairs(), st.sampled_from(["cr0", "cr1", "cr2"]))
def test_paired_error_follows_from_two_errors_and_the_cluster_correlation(data, se):
    a, b, clusters = data
    r = cluster_correlation(a, b, clusters, se=se)
    one, other = mean_estimate(a, clusters, se=se).se, mean_estimate(b, clusters, se=se).se
    paired = mean_estimate(a - b, clusters, se=se).se
    if not (one > 0 and other > 0):
        assert math.isnan(r)
        return
    assert -1 <= r <= 1
    assert paired**2 == pytest.approx(
        one**2 + other**2 - 2 * r * one * other, rel=1e-9, abs=1e-12 * (one + other) ** 2
    )
    assert r == pytest.approx(cluster_correlation(b, a, clusters, se=se), rel=1e-12, abs=1e-15)


@law
@given(pairs())
def test_without_clusters_it_is_pearsons(data):
    a, b, _ = data
    for r in (cluster_correlation(a, b), cluster_correlation(a, b, np.arange(len(a)), se="cr0")):
        assert r == pytest.approx(correlation(a, b), rel=1e-9, abs=1e-9, nan_ok=True)


@law
@given(pairs(), st.permutations(range(6)))
def test_names_of_clusters_and_copies_of_questions_do_not_matter(data, names):
    a, b, clusters = data
    renamed = np.array([f"c{names[k]}" for k in clusters])
    twice = [np.repeat(v, 2) for v in (a, b, clusters)]
    r = cluster_correlation(a, b, clusters)
    assume(not math.isnan(r))
    assert cluster_correlation(a, b, renamed) == pytest.approx(r, rel=1e-9, abs=1e-9)
    assert cluster_correlation(*twice) == pytest.approx(r, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("r_c", "expected"), [(0.37, "1.742"), (0.0, "2.193"), (0.7, "1.204")])
def test_x3_pearson_does_not_give_the_clustered_error(r_c, expected):
    """MGSM of Miller 2024, Table 5: SEs 1.6 and 1.5, Pearson .37 in all three; the SE is 1.74, 2.19
    or 1.20 with r_c: sqrt(4.81 - 4.8 r_c).

    -2.7 with 1.204 has p = .025: the conclusion turns on a correlation that the paper's formula
    does not use. Clusters of two questions: their sums are set by half the scores' common part,
    Pearson by the part that cancels within a cluster.
    """
    g = 250
    q, _ = np.linalg.qr(np.column_stack([np.ones(g), np.random.default_rng(8).normal(size=(g, 4))]))
    # cluster means; correlation r_c
    sum_a, sum_b = q[:, 1], r_c * q[:, 1] + math.sqrt(1 - r_c**2) * q[:, 2]
    within = 0.37 + (0.37 - r_c)  # Pearson is the average of the two, as both parts weigh the same
    gap_a, gap_b = q[:, 3], within * q[:, 3] + math.sqrt(1 - within**2) * q[:, 4]
    clusters = np.tile(np.arange(g), 2)
    a, b = (
        np.concatenate([sum_a + gap_a, sum_a - gap_a]),
        np.concatenate([sum_b + gap_b, sum_b - gap_b]),
    )
    a, b = 1.6 * a / mean_estimate(a, clusters).se, 1.5 * b / mean_estimate(b, clusters).se
    found = paired_difference(a, b, clusters)
    assert found.correlation == pytest.approx(0.37, abs=1e-9)
    assert cluster_correlation(a, b, clusters) == pytest.approx(r_c, abs=1e-9)
    assert f"{found.estimate.se:.3f}" == expected
    if r_c == 0.7:
        assert f"{math.erfc(2.7 / found.estimate.se / math.sqrt(2)):.3f}" == "0.025"


def test_wrong_kinds_are_said():
    s = np.array([1.0, 0.0, 1.0])
    with pytest.raises(
        ValueError,
        match=r"se='clt' is not one of cr0, cr1, cr2; for unclustered errors use correlation",
    ):
        cluster_correlation(s, s, se="clt")
    with pytest.raises(ValueError, match="answered 3 and 2 questions"):
        cluster_correlation(s, s[:2])
