"""Which interval a mean or a difference gets, each rule against its definition, and the coverage it
was chosen for.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint
from support.benchmarks import benchmark

from reportkit.stats import (
    Estimate,
    counted_interval,
    mean_estimate,
    mean_interval,
    modified_wilson_interval,
    normal_interval,
    paired_difference,
    t_interval,
    tango_interval,
    unpaired_difference,
    wilson_interval,
)
from reportkit.stats.evidence import effective_number, sparse_df
from reportkit.stats.means.proportions import wilson_ends

Z = scipy_stats.norm.ppf(0.975)


coverage = benchmark("coverage")


# Binary means -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 15, 40, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_modified_wilson_is_wilson_but_for_one_to_three_answers(n, level):
    """There its end is Clopper and Pearson's one-sided bound at alpha (statsmodels at 2 alpha), if
    that is further out.
    """
    for k in range(n + 1):
        found = modified_wilson_interval(k, n, level)
        plain = proportion_confint(k, n, alpha=1 - level, method="wilson")
        bound = proportion_confint(k, n, alpha=2 * (1 - level), method="beta")
        low = min(plain[0], bound[0]) if 1 <= k <= 3 else plain[0]
        high = max(plain[1], bound[1]) if 1 <= n - k <= 3 else plain[1]
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        assert found.method == (
            "wilson" if (low, high) == pytest.approx(plain, abs=1e-12) else "wilson-modified"
        )


@pytest.mark.parametrize("n", [2, 5, 15, 40, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_counted_interval_is_wilson_but_for_one_to_ten_answers(n, level):
    """There it is at least Wilson's of n - 3 answers, or of 0.9 n (statsmodels), and for one to
    three its end is Clopper and Pearson's one-sided bound at alpha (statsmodels at 2 alpha), if
    that is further out.
    """
    for k in range(n + 1):
        found = counted_interval(k, n, level)
        low, high = plain = proportion_confint(k, n, alpha=1 - level, method="wilson")
        bound = proportion_confint(k, n, alpha=2 * (1 - level), method="beta")
        rare = 1 <= min(k, n - k) <= 10
        if rare:
            m = n - min(3, n / 10)
            low, high = proportion_confint(k * m / n, m, alpha=1 - level, method="wilson")
        low = min(low, bound[0]) if 1 <= k <= 3 else low
        high = max(high, bound[1]) if 1 <= n - k <= 3 else high
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)
        assert found.low <= plain[0] + 1e-12 and found.high >= plain[1] - 1e-12
        same = (low, high) == pytest.approx(plain, abs=1e-12)
        assert found.method == ("wilson" if same else "wilson-modified")


@pytest.mark.parametrize("n", [30, 38, 60, 100, 300])
def test_no_share_of_right_answers_is_covered_less_than_93_percent(n):
    """Summed over all counts, no simulation: 400 means for each n, and shares nearer to 1 still.
    Wilson's interval alone covers .919 at n = 38.
    """
    k, shares = np.arange(n + 1), np.append(0.5 + (np.arange(400) + 0.5) / 800, [0.999, 0.9995])
    chance = scipy_stats.binom.pmf(k, n, shares[:, None])
    ours = [counted_interval(c, n) for c in k]
    low, high = (np.array([getattr(i, end) for i in ours]) for end in ("low", "high"))
    covered = (chance * ((low <= shares[:, None]) & (shares[:, None] <= high))).sum(axis=1)
    assert covered.min() >= 0.93 and 0.94 < np.median(covered) < 0.965


def test_coverage_at_a_mean_of_99_percent_of_15():
    """Wilson's interval of 14 of 15 ends at 0.988, so it covers 0.99 only when all are right:
    0.99^15 = 0.860.
    """
    k, p = np.arange(16), 0.99
    chance = scipy_stats.binom.pmf(k, 15, p)

    def covered(interval):
        return sum(c for c, i in zip(chance, map(interval, k), strict=True) if i.low <= p <= i.high)

    assert covered(lambda k: wilson_interval(k, 15)) == pytest.approx(0.99**15, rel=1e-12)
    assert covered(lambda k: counted_interval(k, 15)) == pytest.approx(
        0.99**15 + 15 * 0.99**14 * 0.01, rel=1e-12
    )


def test_no_interval_of_three_questions_unless_binary():
    assert mean_interval(np.array([0.2, 0.9, 0.4]), share=True).method == "none"
    assert mean_interval(np.array([3.0, 9.0, 4.0])).method == "none"
    assert mean_interval(np.array([1.0, 0.0, 1.0]), binary=True).method == "wilson-modified"
    fractional = paired_difference(np.array([0.2, 0.9, 0.4]), np.array([0.1, 0.2, 0.9]), share=True)
    assert (
        fractional.interval.method == "none"
        and math.isnan(fractional.p_value)
        and fractional.estimate.se > 0
    )
    binary = paired_difference(np.array([1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0]), binary=True)
    assert binary.interval.method == "tango"


# Few clusters that show the rarer outcome ---------------------------------------------------------


def by_definition(scores, clusters, most):
    """Wilson's with mended ends on n* = p(1-p)/SE^2 (z/t)^2, df max(df (2e-1)/(G-1), 4) for e
    effective clusters, in plain sums; n* at most G e / (1 - (2e-1)/(G-1)), and `most`.
    """
    e = mean_estimate(scores, clusters)
    p, labels = e.value, np.arange(len(scores)) if clusters is None else clusters
    rates = [np.mean((1 - scores if p >= 0.5 else scores)[labels == c]) for c in np.unique(labels)]
    shown, g = sum(rates) ** 2 / sum(r * r for r in rates), len(rates)
    part = min(1.0, (2 * shown - 1) / (g - 1))
    df = max(e.df * part, min(e.df, 4.0))
    limit = g * shown / (1 - part) if part < 1 else math.inf
    n = min(most, limit, p * (1 - p) / e.se**2 * (Z / scipy_stats.t.ppf(0.975, df)) ** 2)
    low, high = wilson_ends(p, n, modified=True)
    return float(low), float(high)


def test_binary_scores_in_clusters():
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(20), rng.integers(1, 15, 20))
    scores = (
        rng.random(len(clusters)) < np.where(rng.random(20) < 0.25, 0.4, 0.99)[clusters]
    ).astype(float)
    found = mean_interval(scores, clusters, binary=True)
    assert found.method == "wilson-effective"
    assert (found.low, found.high) == pytest.approx(
        by_definition(scores, clusters, len(scores)), rel=1e-9
    )


def test_fractional_scores_of_which_few_are_low():
    rng = np.random.default_rng(2)
    scores = np.where(rng.random(80) < 0.06, rng.random(80), 1.0)
    found = mean_interval(scores, share=True)
    assert found.method == "wilson-effective"
    assert (found.low, found.high) == pytest.approx(by_definition(scores, None, math.inf), rel=1e-9)
    assert mean_interval(scores) == found  # seen to be shares
    assert mean_interval(scores, share=False).method == "t"  # said to be none
    assert mean_interval(rng.random(80), share=True).method == "t"  # half of them show it


def test_differences_in_few_clusters_by_definition():
    """Tango on b, c, n scaled to n* = n V_0/V (z/t)^2; p is 2 T(-|Z_0| sqrt(n*/n) t/z) and excludes
    0 with the interval.
    """
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(40), 10)
    a = (rng.random(400) < 0.97).astype(float)
    b = np.where(np.isin(clusters, [3, 7, 20]), (rng.random(400) < 0.5), a).astype(float)
    found = paired_difference(a, b, clusters, binary=True)
    d, e = a - b, found.estimate
    gain, loss = float((d > 0).sum()), float((d < 0).sum())
    rates = [np.abs(d[clusters == c]).mean() for c in range(40)]
    df = max(39 * (2 * sum(rates) ** 2 / sum(r * r for r in rates) - 1) / 39, 4.0)
    t = scipy_stats.t.ppf(0.975, df)
    n = 400 * ((gain + loss - (gain - loss) ** 2 / 400) / 400**2) / e.se**2 * (Z / t) ** 2
    low, high = tango_interval(gain * n / 400, loss * n / 400, n)
    assert found.interval.method == "tango-effective"
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (float(low), float(high)), rel=1e-9
    )
    statistic = abs(gain - loss) / math.sqrt(gain + loss) * math.sqrt(n / 400) * t / Z
    assert found.p_value == pytest.approx(2 * scipy_stats.t.sf(statistic, df), rel=1e-9)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["clustered", "fractional", "unpaired"])
def test_the_interval_touches_zero_where_its_level_is_one_minus_p(kind, seed):
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(25), 6)
    a = (rng.random(150) < 0.95).astype(float)
    b = np.where(np.isin(clusters, [3, 7, 20]), (rng.random(150) < 0.5), a).astype(float)
    if kind == "fractional":
        b = np.where(rng.random(150) < 0.1, rng.random(150), a)

    def found(level):
        if kind == "unpaired":
            return unpaired_difference(a, b[:90], binary=True, level=level)
        labels = clusters if kind == "clustered" else None
        return paired_difference(a, b, labels, binary=kind == "clustered", share=True, level=level)

    p = found(0.95).p_value
    at = found(1.0 - p).interval
    assert min(abs(at.low), abs(at.high)) < 1e-6 and at.method in ("tango-effective", "newcombe")


def test_effective_numbers_and_sparse_degrees_of_freedom():
    assert effective_number(
        np.array([[2.0, 2.0, 2.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    ).tolist() == [3.0, 1.0, 0.0]
    # 9 (2*3-1)/9 = 5; half of the clusters: df as it is; one cluster: 4; 4 above df: df.
    assert [float(sparse_df(9.0, e, 10)) for e in (3.0, 5.0, 5.5, 1.0)] == [5.0, 9.0, 9.0, 4.0]
    assert float(sparse_df(1.5, 1.0, 10)) == 1.5


def test_unpaired_shares_by_newcombe():
    """Newcombe 1998, table II, (a) 56/70 against 48/80 by method 10: (0.0524, 0.3339)."""
    a, b = np.repeat([1.0, 0.0], [56, 14]), np.repeat([1.0, 0.0], [48, 32])
    found = unpaired_difference(a, b, binary=True)
    assert (round(found.interval.low, 4), round(found.interval.high, 4)) == (0.0524, 0.3339)
    mirrored = unpaired_difference(b, a, binary=True)
    assert (-mirrored.interval.high, mirrored.p_value) == pytest.approx(
        (found.interval.low, found.p_value), rel=1e-9
    )


# Coverage -----------------------------------------------------------------------------------------

HARD = [
    # 0.91 by Wilson on n* alone
    ("clustered", 0.97, (("sizes", "equal"), ("size", 5), ("icc", 0.3)), 50),
    ("clustered", 0.99, (("sizes", "uneven"), ("size", 20), ("icc", 0.7)), 50),  # 0.80
    ("clustered", 0.9, (("sizes", "giant"), ("size", 20), ("icc", 0.3)), 10),
    ("fractional", 0.97, (("scores", "beta 1"),), 30),  # 0.76 by t
    ("epochs", 0.97, (("epochs", 10), ("icc", 0.5)), 30),
    ("paired", 0.97, (("other", 0.9), ("r", 0.7), ("scores", "mostly 0 or 1")), 30),  # 0.90 by t
    (
        "paired clustered",
        0.97,
        (("other", 0.9), ("sizes", "uneven"), ("size", 20), ("icc", 0.5), ("r", 0.5)),
        20,
    ),
    ("unpaired", 0.97, (("other", 0.9), ("scores", "binary")), 30),
    ("own units", 0.97, (("scores", "judge 1 to 10"),), 30),
    ("clustered logit-normal", 0.9, (("sizes", "equal"), ("size", 20), ("icc", 0.3)), 20),
    ("clustered five answers", 0.9, (("sizes", "pareto"), ("size", 5), ("icc", 0.3)), 50),
    ("size tied to difficulty", 0.9, (("harder", "large"), ("strength", 1), ("icc", 0.3)), 20),
]


@pytest.mark.parametrize(("design", "share", "options", "units"), HARD)
def test_hard_cells_are_covered(design, share, options, units):
    """At least 0.93 of 1,500 seeded evals, less three simulation errors; the whole grid is `make
    coverage`.
    """
    sizes = coverage.cluster_sizes(
        dict(options).get("sizes", "equal"), units, dict(options).get("size", 1)
    )
    cell = coverage.Cell(design, int(sizes.sum()), units, share, options)
    found = {row["method"]: row for row in coverage.run(cell, 1500)}
    ours = found[coverage.OURS]
    assert ours["coverage"] >= 0.93 - 3 * ours["simulation_error"]
    assert ours["not_printed"] == 0.0
    assert found["normal (paper)"]["coverage"] < ours["coverage"]  # or the cell would not be hard


def test_coverage_of_binary_means_is_summed_not_simulated():
    cell = coverage.Cell("binary", 30, 30, 0.9, ())
    rows = {name: (share, width) for name, share, width, *_ in coverage.measure(cell, 0)}
    ends = [proportion_confint(k, 30, method="wilson") for k in range(31)]
    chance = scipy_stats.binom.pmf(np.arange(31), 30, 0.9)
    inside = sum(c for c, (low, high) in zip(chance, ends, strict=True) if low <= 0.9 <= high)
    width = sum(c * (high - low) for c, (low, high) in zip(chance, ends, strict=True))
    assert rows["Wilson"] == pytest.approx((inside, width))


# Laws of the default interval ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["binary", "clusters", "share", "clustered share"])
def test_intervals_of_means_are_nested_mirror_and_stay_on_the_scale(kind, seed):
    """A higher level has the wider interval; 1 - score has the interval 1 - high to 1 - low; no end
    is beyond 0 or 1, and the mean is inside.
    """
    rng = np.random.default_rng([seed, len(kind)])
    n = int(rng.integers(5, 130))
    codes = np.sort(rng.integers(0, max(4, n // 4), n))
    theta = rng.beta(4.0, 0.4, n)[codes]
    scores = (rng.random(n) < theta).astype(float) if kind in ("binary", "clusters") else theta
    clusters = codes if "cluster" in kind else None
    words = {"binary": kind in ("binary", "clusters"), "share": True}
    inner = None
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        found = mean_interval(scores, clusters, **words, level=level)
        other = mean_interval(1.0 - scores, clusters, **words, level=level)
        mirrored = (pytest.approx(1.0 - other.high), pytest.approx(1.0 - other.low))
        assert (found.low, found.high) == mirrored
        assert 0.0 <= found.low <= scores.mean() + 1e-12
        assert scores.mean() - 1e-12 <= found.high <= 1.0
        if inner is not None:
            assert found.low <= inner.low + 1e-12 and found.high >= inner.high - 1e-12
        inner = found


def test_one_more_right_answer_never_lowers_an_end():
    for n in (5, 20, 30, 100, 300):
        ends = [counted_interval(k, n) for k in range(n + 1)]
        assert (np.diff([i.low for i in ends]) >= 0).all()
        assert (np.diff([i.high for i in ends]) >= 0).all()


# The plain intervals ------------------------------------------------------------------------------


@pytest.mark.parametrize("make, method", [(normal_interval, "normal"), (t_interval, "t")])
def test_the_plain_intervals_are_scipys_and_say_what_they_are(make, method):
    estimate = Estimate(0.4, 0.05, 7.5, 20, 9)
    law = scipy_stats.norm() if method == "normal" else scipy_stats.t(7.5)
    found = make(estimate, 0.9)
    assert (found.level, found.method) == (0.9, method)
    ends = [0.4 + 0.05 * float(law.ppf(q)) for q in (0.05, 0.95)]
    assert [found.low, found.high] == pytest.approx(ends)
    assert make(estimate).level == 0.95
    for se in (0.0, math.nan):
        none = make(Estimate(0.4, se, 7.5, 20, 9), 0.9)
        assert (none.level, none.method) == (0.9, "none")
        assert math.isnan(none.low) and math.isnan(none.high)


# The rules at their edges -------------------------------------------------------------------------


@pytest.mark.parametrize("score, low, high", [(1.0, 10 / (10 + Z**2), 1.0), (0.0, 0.0, None)])
def test_a_constant_0_or_1_among_shares_is_so_many_answers(score, low, high):
    """Ten questions, all 1: Wilson's interval of 10 right of 10, whose low end is 10/(10 + z^2)."""
    found = mean_interval(np.full(10, score), share=True)
    high = Z**2 / (10 + Z**2) if high is None else high
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))
    assert found.method == "wilson-effective"


def test_four_questions_have_an_interval_and_three_have_none():
    """Scores that are not binary: Student's t on 3 degrees of freedom, by scipy; the level counts.
    Shares are not dense here, and have the intervals on effective numbers.
    """
    a, b = np.array([0.25, 0.75, 0.5, 0.25]), np.array([0.5, 0.25, 0.25, 0.75])
    for level in (0.8, 0.95):
        for x, found in (
            (a, mean_interval(a, share=False, level=level)),
            (a - b, paired_difference(a, b, share=False, level=level).interval),
        ):
            ends = scipy_stats.t.interval(level, 3, x.mean(), x.std(ddof=1) / 2)
            assert (found.low, found.high) == (pytest.approx(ends[0]), pytest.approx(ends[1]))
            assert (found.level, found.method) == (level, "t")
    assert mean_interval(a) == mean_interval(a, share=True)
    assert mean_interval(a, share=True).method == "wilson-effective"
    assert paired_difference(a, b, share=True).interval.method == "tango-effective"
    for share in (False, True):
        for none in (
            mean_interval(a[:3], share=share, level=0.8),
            paired_difference(a[:3], b[:3], share=share, level=0.8).interval,
        ):
            assert (none.level, none.method) == (0.8, "none") and math.isnan(none.low)


@pytest.mark.parametrize("sign", [1, -1])
def test_one_model_alone_is_right_in_every_cluster(sign):
    """No spread between clusters: McNemar's p of as many questions as there are clusters."""
    clusters = np.repeat(np.arange(5), 2)
    right, wrong = np.ones(10), np.zeros(10)
    a, b = (right, wrong) if sign > 0 else (wrong, right)
    found = paired_difference(a, b, clusters, binary=True)
    assert found.p_value == pytest.approx(2 * scipy_stats.norm.sf(math.sqrt(5)))
    assert paired_difference(a, a, clusters, binary=True).p_value == 1.0


def test_many_pairs_have_the_intervals_of_each():
    """More pairs than are computed at a time: the first, one in the middle and the last."""
    b = np.arange(9000) % 50
    low, high = tango_interval(b, np.full(9000, 7), np.full(9000, 100), 0.95)
    assert low.shape == high.shape == (9000,)
    for i in (0, 4095, 4096, 4097, 8999):
        one = tango_interval(b[i : i + 1], np.array([7]), np.array([100]), 0.95)
        assert (low[i], high[i]) == (pytest.approx(one[0][0]), pytest.approx(one[1][0]))


def test_an_unpaired_difference_has_no_correlation():
    found = unpaired_difference(np.array([1.0, 2.0, 4.0, 7.0]), np.array([2.0, 3.0, 3.0, 5.0]))
    assert math.isnan(found.correlation)
    right = np.array([1.0, 1.0, 1.0, 0.0])
    assert math.isnan(unpaired_difference(right, 1.0 - right, binary=True).correlation)


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_of_0_or_1_is_none(level):
    with pytest.raises(ValueError, match=f"level={level} is not between 0 and 1; write 95% as"):
        normal_interval(Estimate(0.4, 0.05, 7.5, 20, 9), level)
