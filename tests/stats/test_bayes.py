"""Bayesian intervals against slow definitions: plain products of Gauss rules, exact fractions,
scipy's quad, mpmath.
"""

import math
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special
from scipy import stats as scipy_stats

from reportkit import stats
from reportkit.stats.bayes import bivariate, quadrature

# One share ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 3, 30, 300, 3_000, 100_000])
def test_beta_binomial_with_no_success_is_closed_form(n):
    """Beta(1, n+1): the quantile at p is 1 - (1-p)^(1/(n+1)), and n of n is its mirror image."""
    none, all_right = stats.beta_binomial_interval(0, n), stats.beta_binomial_interval(n, n)
    ends = [-math.expm1(math.log1p(-p) / (n + 1)) for p in (0.025, 0.975)]
    assert (none.low, none.high) == pytest.approx(ends, rel=1e-11)
    assert (1 - all_right.high, 1 - all_right.low) == pytest.approx(ends, rel=1e-9)


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (2, 3), (17, 30), (299, 300), (50_000, 100_000)]
)
def test_beta_binomial_against_scipy(successes, n):
    for prior, method in (
        ((1, 1), "beta-binomial"),
        ((0.5, 0.5), "jeffreys"),
        ((2, 3), "beta-binomial"),
    ):
        found = stats.beta_binomial_interval(successes, n, 0.9, prior=prior)
        posterior = scipy_stats.beta(prior[0] + successes, prior[1] + n - successes)
        assert posterior.cdf([found.low, found.high]) == pytest.approx([0.05, 0.95], abs=1e-11)
        assert (found.level, found.method) == (0.9, method)


# Bowyer et al. 2025: coverage at 95% averaged over theta ~ U(0, 1), as the closed form of their
# experiment gives it.
PUBLISHED = {
    3: (0.496, 0.956, 0.995, 0.950),
    10: (0.769, 0.954, 0.984, 0.950),
    30: (0.875, 0.952, 0.973, 0.950),
    100: (0.922, 0.951, 0.965, 0.950),
    300: (0.939, 0.951, 0.959, 0.950),
}


@pytest.mark.parametrize("n", PUBLISHED)
def test_published_coverage(n):
    """sum_k [I_high(k+1, n-k+1) - I_low(k+1, n-k+1)] / (n+1); the other three columns show that it
    can be missed.
    """

    def clt(k: int) -> tuple[float, float]:
        half = 1.959964 * math.sqrt(k / n * (1 - k / n) / n)
        return max(k / n - half, 0.0), min(k / n + half, 1.0)

    def ends(interval: stats.Interval) -> tuple[float, float]:
        return interval.low, interval.high

    methods = (
        clt,
        lambda k: ends(stats.wilson_interval(k, n)),
        lambda k: ends(stats.clopper_pearson_interval(k, n)),
        lambda k: ends(stats.beta_binomial_interval(k, n)),
    )
    for method, published in zip(methods, PUBLISHED[n], strict=True):
        covered = [special.betainc(k + 1, n - k + 1, x) for k in range(n + 1) for x in method(k)]
        coverage = (sum(covered[1::2]) - sum(covered[::2])) / (n + 1)
        assert coverage == pytest.approx(published, abs=0.00051)


# F1 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "counts",
    [(0, 0, 0), (3, 1, 2), (0, 5, 5), (40, 3, 7), (60_000, 20_000, 10_000), (0, 0, 90_000)],
)
def test_f1_moments_by_quad(counts):
    tp, fp, fn = counts
    posterior = scipy_stats.beta(1 + tp, 2 + fp + fn)
    low, high = posterior.ppf([1e-15, 1 - 1e-13])
    moment = [
        integrate.quad(
            lambda g, k=k: posterior.pdf(g) * (2 * g / (1 + g)) ** k, low, high, epsabs=0, limit=200
        )[0]
        for k in (1, 2)
    ]
    found = stats.f1_posterior(tp, fp, fn)
    assert found.mean == pytest.approx(moment[0], rel=1e-8)
    assert found.sd == pytest.approx(math.sqrt(moment[1] - moment[0] ** 2), rel=1e-4)
    for end, p in ((found.interval.low, 0.025), (found.interval.high, 0.975)):
        assert posterior.cdf(end / (2 - end)) == pytest.approx(p, abs=1e-11)


def test_f1_is_that_of_the_dirichlet():
    """400,000 seeded draws of Dirichlet(1 + counts), as published; tolerances are five standard
    errors.
    """
    tp, fp, fn, tn = 12, 3, 5, 20
    draws = np.random.default_rng(0).dirichlet([1 + tp, 1 + fp, 1 + fn, 1 + tn], size=400_000)
    f1 = 2 * draws[:, 0] / (2 * draws[:, 0] + draws[:, 1] + draws[:, 2])
    found = stats.f1_posterior(tp, fp, fn, tn)
    assert f1.mean() == pytest.approx(found.mean, abs=5 * found.sd / math.sqrt(len(f1)))
    for end, p in ((found.interval.low, 0.025), (found.interval.high, 0.975)):
        assert (f1 <= end).mean() == pytest.approx(p, abs=5 * math.sqrt(0.025 * 0.975 / len(f1)))
    assert stats.f1_posterior(tp, fp, fn, 0) == found


# Two models, different questions ------------------------------------------------------------------


def exact_p_greater(s_a: int, n_a: int, s_b: int, n_b: int) -> Fraction:
    """The closed sum of Bowyer et al. 2025, sum_{i < a_A} B(a_B+i, b_A+b_B) / [(b_A+i) B(1+i, b_A)
    B(a_B, b_B)].
    """

    def beta(a: int, b: int) -> Fraction:
        return Fraction(1, b * comb(a + b - 1, b))

    a, b, c, d = 1 + s_a, 1 + n_a - s_a, 1 + s_b, 1 + n_b - s_b
    return sum(beta(c + i, b + d) / ((b + i) * beta(1 + i, b) * beta(c, d)) for i in range(a))


@pytest.mark.parametrize(
    "counts",
    [(1, 1, 0, 1), (0, 3, 3, 3), (2, 3, 1, 3), (3, 3, 3, 3), (20, 30, 17, 30), (0, 30, 1, 7),
     (200, 300, 180, 300), (300, 300, 297, 300), (3, 3, 250, 300), (150, 300, 15, 30)],
)  # fmt: skip
def test_unpaired_p_greater_is_the_integer_sum(counts):
    assert stats.unpaired_posterior(*counts).p_greater == pytest.approx(
        float(exact_p_greater(*counts)), abs=1e-12
    )


UNPAIRED = [
    (1, 1, 0, 1),
    (2, 3, 1, 3),
    (0, 3, 3, 3),
    (0, 30, 30, 30),
    (20, 30, 17, 30),
    (3, 3, 0, 100_000),
    (2, 3, 60_000, 100_000),
    (2_900, 3_000, 2_880, 3_000),
    (100_000, 100_000, 99_990, 100_000),
    (0, 100_000, 0, 100_000),
    (60_000, 100_000, 59_800, 100_000),
]


@pytest.mark.parametrize("counts", UNPAIRED)
def test_unpaired_distribution_by_quad(counts):
    """The mean over theta_B of P(theta_A <= theta_B + d) by scipy's quad: .025 and .975 at the
    ends, P(A > B) at 0.
    """
    s_a, n_a, s_b, n_b = counts
    a, b = scipy_stats.beta(1 + s_a, 1 + n_a - s_a), scipy_stats.beta(1 + s_b, 1 + n_b - s_b)

    def at_most(line) -> float:
        """P(theta_A <= line(theta_B)), cut at the quantiles of both and where the line leaves [0,
        1].
        """
        low, high = b.ppf(1e-14), b.isf(1e-14)
        marks = np.linspace(low, high, 4001)
        inside = np.flatnonzero(np.diff(np.sign(line(marks) * (1 - line(marks)))))
        cuts = [
            low,
            *b.ppf([1e-6, 0.01, 0.2, 0.5, 0.8, 0.99]),
            b.isf(1e-6),
            *marks[inside],
            *marks[inside + 1],
            high,
        ]
        cuts = np.unique(cuts)
        return sum(
            integrate.quad(lambda t: b.pdf(t) * a.cdf(line(t)), x, y, epsabs=1e-11, limit=100)[0]
            for x, y in zip(cuts[:-1], cuts[1:], strict=True)
        )

    found = stats.unpaired_posterior(*counts)
    assert 1 - at_most(lambda t: t) == pytest.approx(found.p_greater, abs=1e-8)
    for end, p in ((found.difference.low, 0.025), (found.difference.high, 0.975)):
        assert at_most(lambda t, end=end: t + end) == pytest.approx(p, abs=1e-7)
    for end, p in ((found.odds_ratio.low, 0.025), (found.odds_ratio.high, 0.975)):
        assert at_most(lambda t, end=end: end * t / (1 - t + end * t)) == pytest.approx(p, abs=1e-7)
    assert found.mean == pytest.approx(a.mean() - b.mean(), abs=1e-12)
    assert found.sd == pytest.approx(math.hypot(a.std(), b.std()), rel=1e-9)


shares = st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(shares, shares)
def test_unpaired_swapped_and_mirrored(a, b):
    there, back = stats.unpaired_posterior(*a, *b), stats.unpaired_posterior(*b, *a)
    wrong = stats.unpaired_posterior(a[1] - a[0], a[1], b[1] - b[0], b[1])
    assert there.p_greater + back.p_greater == pytest.approx(1.0, abs=1e-12)
    assert there.p_greater + wrong.p_greater == pytest.approx(1.0, abs=1e-9)
    for other in (back, wrong):
        assert (there.difference.low, there.difference.high) == pytest.approx(
            (-other.difference.high, -other.difference.low), abs=1e-9
        )
        assert there.odds_ratio.low * other.odds_ratio.high == pytest.approx(1.0, rel=1e-6)
    assert -1.0 <= there.difference.low < there.mean < there.difference.high <= 1.0
    assert 0.0 < there.odds_ratio.low < there.odds_ratio.high < math.inf


def test_unpaired_identical_posteriors_are_even():
    assert stats.unpaired_posterior(70, 100, 70, 100).p_greater == 0.5


# Clusters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "sizes"),
    [
        ([5, 3], [5, 5]),
        ([5, 5], [5, 5]),
        ([5, 0], [5, 5]),
        ([2, 3, 0], [5, 4, 7]),
        ([1], [3]),
        ([0, 0, 1], [2, 2, 2]),
    ],
)
def test_clustered_by_a_product_of_gauss_rules(successes, sizes):
    """theta and log d by Gauss-Legendre on graded pieces, scipy's beta-binomial; log d is cut at
    -30, d at 40.
    """

    x, w = np.polynomial.legendre.leggauss(40)

    def mass(low: float, high: float, weight=lambda theta, d: 1.0) -> float:
        """Gauss-Legendre in theta (graded towards 0 and 1) by log d."""
        cuts = np.unique(
            np.clip([low, high, 1e-6, 1e-3, 0.03, 0.2, 0.5, 0.8, 0.97, 0.999, 1 - 1e-6], low, high)
        )
        theta = np.concatenate(
            [(a + b) / 2 + (b - a) / 2 * x for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
        )
        w_theta = np.concatenate(
            [(b - a) / 2 * w for a, b in zip(cuts[:-1], cuts[1:], strict=True)]
        )
        edges = np.array([-30.0, -10.0, -4.0, -1.0, 1.0, 2.5, math.log(40.0)])
        log_d = np.concatenate(
            [(a + b) / 2 + (b - a) / 2 * x for a, b in zip(edges[:-1], edges[1:], strict=True)]
        )
        w_d = np.concatenate([(b - a) / 2 * w for a, b in zip(edges[:-1], edges[1:], strict=True)])
        t, d = theta[:, None], np.exp(log_d)[None, :]
        terms = [
            scipy_stats.betabinom.pmf(y, n, d * t, d * (1 - t))
            for y, n in zip(successes, sizes, strict=True)
        ]
        return float(w_theta @ (np.exp(-d) * d * np.prod(terms, axis=0) * weight(t, d)) @ w_d)

    found = stats.clustered_posterior(np.array(successes), np.array(sizes))
    whole = mass(0.0, 1.0)
    assert mass(0.0, found.interval.low) / whole == pytest.approx(0.025, abs=2e-6)
    assert mass(found.interval.high, 1.0) / whole == pytest.approx(0.025, abs=2e-6)
    assert mass(0.0, 1.0, lambda t, d: t) / whole == pytest.approx(found.mean, abs=1e-6)
    assert mass(0.0, 1.0, lambda t, d: (t - found.mean) ** 2) / whole == pytest.approx(
        found.sd**2, abs=1e-6
    )
    assert mass(0.0, 1.0, lambda t, d: 1 / (1 + d)) / whole == pytest.approx(found.icc, abs=1e-6)


@pytest.mark.parametrize(
    ("clusters", "theta", "d", "width"),
    [(60, 0.8, 2.0, 5.0), (5_000, 0.7, 3.0, 0.6), (5_000, 0.99, 0.5, 2.5)],
)
def test_clustered_needle_by_a_dense_grid(clusters, theta, d, width):
    """A plain midpoint sum over (theta, log d), ten standard deviations each way; scipy's
    beta-binomial.

    In the last case the ridge slants: theta and d go up together.
    """
    rng = np.random.default_rng(2)
    successes = rng.binomial(20, rng.beta(d * theta, d * (1 - theta), clusters))
    found = stats.clustered_posterior(successes, np.full(clusters, 20))
    values, times = np.unique(successes, return_counts=True)
    middle = (np.arange(300) + 0.5) / 300
    t = np.clip(found.mean + 20 * found.sd * (middle - 0.5), 1e-9, 1 - 1e-9)
    grid_d = np.exp(math.log(1 / found.icc - 1) + width * (middle - 0.5))
    log_density = -grid_d[None, :] + sum(
        c * scipy_stats.betabinom.logpmf(y, 20, t[:, None] * grid_d, (1 - t[:, None]) * grid_d)
        for y, c in zip(values, times, strict=True)
    )
    weights = np.exp(log_density - log_density.max()) * grid_d
    assert (
        max(weights[0].max(), weights[-1].max(), weights[:, 0].max(), weights[:, -1].max())
        < 1e-6 * weights.max()
    )
    of_t = weights.sum(axis=1) / weights.sum()
    upto = np.cumsum(of_t) - of_t / 2
    assert np.interp([found.interval.low, found.interval.high], t, upto) == pytest.approx(
        [0.025, 0.975], abs=2e-4
    )
    assert of_t @ t == pytest.approx(found.mean, abs=1e-4 * found.sd)
    assert weights.sum(axis=0) / weights.sum() @ (1 / (1 + grid_d)) == pytest.approx(
        found.icc, abs=1e-5
    )


@pytest.mark.parametrize(
    ("right", "clusters"), [(1, 1), (3, 4), (0, 30), (299, 300), (60_000, 100_000)]
)
def test_clusters_of_one_answer_are_a_plain_share(right, clusters):
    """P(success) is theta whatever d: Beta(1 + S, 1 + T - S), and d keeps its prior: E 1/(1+d) = e
    E_1(1).
    """
    found = stats.clustered_posterior(
        (np.arange(clusters) < right).astype(int), np.ones(clusters, dtype=int)
    )
    plain = stats.beta_binomial_interval(right, clusters)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (plain.low, plain.high), abs=1e-6 * found.sd + 1e-9
    )
    assert found.mean == pytest.approx((1 + right) / (2 + clusters), abs=1e-8)
    assert found.icc == pytest.approx(math.e * special.exp1(1.0), abs=1e-6)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    st.lists(
        shares.filter(lambda s: s[1] <= 400) | st.sampled_from([(0, 5), (3, 5), (5, 5)]),
        min_size=1,
        max_size=8,
    )
)
def test_clusters_mirrored_and_reordered(cells):
    y, n = np.array(cells).T
    found, mirrored = (
        stats.clustered_posterior(y, n),
        stats.clustered_posterior((n - y)[::-1], n[::-1]),
    )
    assert found.mean + mirrored.mean == pytest.approx(1.0, abs=1e-6)
    assert found.interval.low + mirrored.interval.high == pytest.approx(1.0, abs=2e-6)
    assert (found.sd, found.icc) == pytest.approx((mirrored.sd, mirrored.icc), abs=1e-6)


# Two models, the same questions -------------------------------------------------------------------

# Phi_2 at (h, k, tanh z) and the other three patterns: mpmath at 40 digits, as the integral over
# the first normal of the conditional probability of the second, int_{-inf}^{h} phi(x) Phi((k - rho
# x) / sqrt(1 - rho^2)) dx.
MPMATH = [
    (
        0.5,
        -0.3,
        0.7,
        (0.3442012928302085, 0.3472611684438046, 0.03788728498083886, 0.270650253745148),
    ),
    (
        -1.2,
        2.1,
        -1.5,
        (0.09751067653537681, 0.01755899368633147, 0.8846249029018066, 0.0003054268764850843),
    ),
    (
        1.0,
        1.0,
        8.0,
        (0.8412799800788054, 6.476598973755374e-5, 6.476598973755374e-5, 0.1585904879417195),
    ),
    (
        1.0,
        1.001,
        8.0,
        (0.8413398864905247, 4.859578018238302e-6, 0.0002467093171952556, 0.1584085446142618),
    ),
    (
        2.5,
        2.4999,
        5.0,
        (0.9936952156929672, 9.511898125667434e-5, 9.336593208821976e-5, 0.006116299393687915),
    ),
    (
        -3.0,
        -3.0,
        0.3,
        (2.245876692398693e-5, 0.001327439264706108, 0.001327439264706108, 0.9973226627036638),
    ),
    (
        -0.7,
        0.7,
        -8.0,
        (8.357802489362527e-5, 0.2418800741981794, 0.7579527697520333, 8.357802489362527e-5),
    ),
    (
        -0.7,
        0.7001,
        -8.0,
        (0.0001001138570862463, 0.2418635383659868, 0.7579674582202621, 6.888955666487974e-5),
    ),
    (
        4.0,
        4.2,
        0.1,
        (0.9999549853300721, 1.33434280947505e-5, 3.16689209119641e-5, 2.320921155826199e-9),
    ),
    (
        0.0,
        1.3,
        2.0,
        (0.499999989527115, 1.047288497413348e-8, 0.4031995258872746, 0.09680047411272535),
    ),
    (
        0.0,
        0.0,
        -3.0,
        (0.01583464131863463, 0.4841653586813654, 0.4841653586813654, 0.01583464131863463),
    ),
    (
        -6.0,
        -5.0,
        1.0,
        (3.142511686334311e-10, 6.723364764042671e-10, 2.863373207105605e-7, 0.9999997126760916),
    ),
]


@pytest.mark.parametrize(("h", "k", "z", "expected"), MPMATH)
def test_bivariate_normal_against_mpmath(h, k, z, expected):
    """To 1e-15, and to nine digits of cells as small as 1e-9."""
    found = [float(p) for p in bivariate.orthants(h, k, z)]
    assert found == pytest.approx(expected, abs=1e-15)
    assert found == pytest.approx(expected, rel=1e-9)


def test_bivariate_normal_against_scipy():
    """multivariate_normal.cdf (Genz): arrays here, one at a time there."""
    rng = np.random.default_rng(7)
    h, k, z = rng.normal(size=(3, 60)) * np.array([[1.5], [1.5], [2.0]])
    rho = np.tanh(z)
    for signs, found in zip(
        ((1, 1), (1, -1), (-1, 1), (-1, -1)), bivariate.orthants(h, k, z), strict=True
    ):
        r = rho * signs[0] * signs[1]
        expected = [
            scipy_stats.multivariate_normal.cdf(
                [signs[0] * x, signs[1] * y], cov=[[1, c], [c, 1]], allow_singular=True
            )
            for x, y, c in zip(h, k, r, strict=True)
        ]
        assert found == pytest.approx(np.array(expected), abs=1e-9)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(-12, 12), st.floats(-12, 12), st.floats(-18, 18))
def test_bivariate_normal_is_a_distribution(h, k, z):
    """No cell is negative, they add up to the margins, and exchanging the normals exchanges the
    cells exactly.
    """
    cells = np.array(bivariate.orthants(h, k, z))
    assert (cells >= 0.0).all()
    assert cells[0] + cells[1] == pytest.approx(special.ndtr(h), abs=1e-15)
    assert cells[0] + cells[2] == pytest.approx(special.ndtr(k), abs=1e-15)
    assert cells.sum() == pytest.approx(1.0, abs=1e-15)
    assert (np.array(bivariate.orthants(k, h, z)) == cells[[0, 2, 1, 3]]).all()


class SlowPaired:
    """The posterior in (d, m, z), theta_A = m + d/2 and theta_B = m - d/2, by Gauss-Legendre rules
    on graded pieces.

    Nothing is shared with the module but the cell probabilities, which the tests above check: no
    modes, no slices, no trapezoid rule, no interpolation. The pieces of d end at 0 and at the ends
    that are asked for, so that each probability is a sum of whole pieces.
    """

    def __init__(self, counts, cuts_d=()):
        both, only_a, only_b, neither = counts
        n = sum(counts)
        self.counts, self.rule = counts, np.polynomial.legendre.leggauss(8)
        # Where to put the pieces: mean and covariance of (d, m) in the observed shares, m moving
        # with d.
        self.d0, m0 = (only_a - only_b) / n, (both + (only_a + only_b) / 2) / n
        p, q = (both + only_a + 0.5) / (n + 1), (both + only_b + 0.5) / (n + 1)
        sd_d = math.sqrt(max((only_a + only_b + 1) / n - self.d0**2, 1 / n) / n)
        self.slope = (p * (1 - p) - q * (1 - q)) / (2 * n * sd_d**2)
        var_m = (p * (1 - p) + q * (1 - q)) / (2 * n) - sd_d**2 / 4
        sd_m = math.sqrt(max(var_m - self.slope**2 * sd_d**2, 0.0) + 1 / n**2)
        graded = np.array([0.0, 0.08, 0.4, 1.5, 3, 6, 12, 40])
        graded = np.concatenate([-graded[::-1], graded[1:]])
        self.d_edges = np.unique(
            np.clip([*(self.d0 + sd_d * graded), *(sd_d * graded[6:9]), *cuts_d], -1.0, 1.0)
        )
        self.m_edges = m0 + sd_m * np.array([-40, -12, -5, -2.5, 0, 2.5, 5, 12, 40])
        # z: where any point of a coarse set of (d, m) comes within e^-28 of the best.
        d = self.d0 + sd_d * np.linspace(-4, 4, 9)[:, None, None]
        m = m0 + self.slope * (d - self.d0) + sd_m * np.linspace(-6, 6, 13)[None, :, None]
        z = np.linspace(-14, 18, 400)
        profile = self.log_density(d, m, z[None, None, :]).max(axis=(0, 1))
        seen = z[profile > profile.max() - 28]
        self.z, self.w_z = self.nodes(np.linspace(seen[0] - 0.08, seen[-1] + 0.08, 9))

    def nodes(self, edges):
        x, w = self.rule
        half = np.diff(edges)[:, None] / 2
        return (edges[:-1, None] + half * (1 + x)).ravel(), (half * w).ravel()

    def log_density(self, d, m, z):
        inside = (np.abs(d) / 2 < m) & (np.abs(d) / 2 < 1 - m)
        a, b = (
            np.clip(np.where(inside, x, 0.5), 1e-300, 1 - 2**-53) for x in (m + d / 2, m - d / 2)
        )
        found = 4 * special.log_expit(2 * z) + 2 * special.log_expit(-2 * z)
        for count, p in zip(
            self.counts, bivariate.orthants(special.ndtri(a), special.ndtri(b), z), strict=True
        ):
            found = found + special.xlogy(count, np.maximum(p, 1e-300))
        return np.where(inside, found, -np.inf)

    def density(self):
        """Nodes of d, their weights, and the density there, up to a constant."""
        d, w_d = self.nodes(self.d_edges)
        rows = []
        for at in d:  # m runs from |d|/2 to 1 - |d|/2
            edges = np.unique(
                np.clip(self.m_edges + self.slope * (at - self.d0), abs(at) / 2, 1 - abs(at) / 2)
            )
            if len(edges) == 1:  # far outside
                rows.append((np.full((1, len(self.z)), -np.inf), np.zeros(1)))
                continue
            m, w_m = self.nodes(edges)
            rows.append((self.log_density(at, m[:, None], self.z[None, :]), w_m))
        top = max(values.max() for values, _ in rows)
        return d, w_d, np.array([w_m @ np.exp(values - top) @ self.w_z for values, w_m in rows])


PAIRED = [
    (2, 1, 0, 0),
    (0, 0, 0, 3),
    (1, 1, 1, 0),
    (0, 3, 0, 0),
    (0, 2, 1, 0),  # N = 3
    (10, 5, 3, 12),
    (27, 0, 0, 3),
    (30, 0, 0, 0),
    (0, 15, 15, 0),
    (0, 30, 0, 0),
    (21, 8, 0, 1),
    (205, 35, 25, 35),
    (150, 0, 0, 150),
    (299, 1, 0, 0),
    (10, 280, 5, 5),
    (2_000, 200, 150, 650),
    (2_900, 3, 0, 97),
    (1_500, 1_480, 10, 10),
    (60_000, 5_000, 4_800, 30_200),
    (98_000, 5, 1_990, 5),
    (60_000, 0, 0, 40_000),
    (99_990, 1, 0, 9),
    (0, 50_100, 49_900, 0),
]


@pytest.mark.parametrize("counts", PAIRED, ids=str)
def test_paired_against_plain_quadrature(counts):
    """.025 below either end, P(A > B), mean and sd; the ends' error is that of the probability over
    the density.
    """
    found = stats.paired_posterior(*counts)
    d, w, density = SlowPaired(counts, (found.difference.low, found.difference.high)).density()
    mass = w * density / (w @ density)
    for end, p in ((found.difference.low, 0.025), (found.difference.high, 0.975)):
        height = density[np.abs(d - end).argmin()] / (w @ density)
        error = abs(mass[d < end].sum() - p) / height
        assert error < min(1e-5, 1e-3 * found.sd)
    assert mass[d > 0].sum() == pytest.approx(found.p_greater, abs=2e-5)
    assert mass @ d == pytest.approx(found.mean, abs=1e-4 * found.sd)
    assert math.sqrt(mass @ (d - found.mean) ** 2) == pytest.approx(found.sd, rel=1e-3)


def test_paired_published_interval():
    """Bowyer et al.'s model by quadrature at n = 300: (-.0178, .0847) beside Tango's (-.0177,
    .0851).

    Tango's ends fix 35 and 25 discordant questions; the number that both have right is the one that
    fits.
    """
    found = stats.paired_posterior(205, 35, 25, 35)
    low, high = stats.tango_interval(35, 25, 300)
    assert (round(float(low), 4), round(float(high), 4)) == (-0.0177, 0.0851)
    assert (round(found.difference.low, 4), round(found.difference.high, 4)) == (-0.0178, 0.0847)
    # McNemar's z
    assert found.p_greater == pytest.approx(special.ndtr(10 / math.sqrt(60)), abs=0.005)


@pytest.mark.parametrize(
    ("n", "within"), [(100, 0.005), (1_000, 5e-4), (10_000, 5e-5), (100_000, 5e-6)]
)
def test_paired_tends_to_tango(n, within):
    """The same shares at more and more questions: the prior's part of an end falls as 1/n, the
    width as its root.
    """
    counts = [round(share * n) for share in (0.5, 0.15, 0.1, 0.25)]
    found = stats.paired_posterior(*counts).difference
    low, high = stats.tango_interval(counts[1], counts[2], n)
    assert (found.low, found.high) == pytest.approx((float(low), float(high)), abs=within)


cells = st.one_of(st.just(0), st.integers(0, 5), st.integers(0, 300), st.integers(0, 3_000))


@settings(max_examples=5, deadline=None, derandomize=True)
@given(cells, cells, cells, cells)
def test_paired_swapped_and_mirrored(both, only_a, only_b, neither):
    if both + only_a + only_b + neither == 0:
        both = 1
    there, back = (
        stats.paired_posterior(both, *only, neither)
        for only in ((only_a, only_b), (only_b, only_a))
    )
    assert there.p_greater + back.p_greater == 1.0
    assert (there.mean, there.difference.low, there.difference.high) == (
        -back.mean, -back.difference.high, -back.difference.low
    )  # fmt: skip
    assert there.sd == back.sd
    assert -1.0 < there.difference.low < there.mean < there.difference.high < 1.0
    # Right and wrong exchanged: shares become one less themselves.
    wrong = stats.paired_posterior(neither, only_b, only_a, both)
    assert (wrong.difference.low, wrong.difference.high) == pytest.approx(
        (back.difference.low, back.difference.high), abs=1e-5
    )
    assert wrong.p_greater == pytest.approx(back.p_greater, abs=1e-5)


@pytest.mark.parametrize("n", [3, 30, 300, 3_000, 100_000])
def test_paired_identical_models(n):
    """No discordant question: P = 1/2 exactly, and an interval that excludes no difference,
    narrower with n.
    """
    right = 2 * n // 3
    found = stats.paired_posterior(right, 0, 0, n - right)
    tango = float(stats.tango_interval(0, 0, n)[1])
    assert (found.p_greater, found.mean) == (0.5, 0.0)
    assert found.difference.low == -found.difference.high < 0.0
    assert found.difference.high < 1.5 * tango


@pytest.mark.parametrize("n", [10_000, 100_000])
def test_paired_nothing_in_common(n):
    """A always right, B never: n (1 - theta_A), n theta_B are nearly exponential, 1 - D nearly
    Gamma(2) / n.

    The prior of rho, which lets a question be wrong for A and right for B, moves the ends by a
    thousandth or so.
    """
    found = stats.paired_posterior(0, n, 0, 0).difference
    low, high = 1 - scipy_stats.gamma(2).ppf([0.975, 0.025]) / n
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.005 / n)


# Helpers and errors -------------------------------------------------------------------------------


def test_zoom_keeps_a_slanting_ridge():
    """A normal density with correlation .99 and spreads .01: all of its points within 12.5 of the
    peak are kept.
    """
    covariance = 1e-4 * np.array([[1, 0.99], [0.99, 1]])
    inverse = np.linalg.inv(covariance)

    def log_density(x, y):
        dx, dy = x - 0.3, y + 7.7
        return (
            -(inverse[0, 0] * dx * dx + 2 * inverse[0, 1] * dx * dy + inverse[1, 1] * dy * dy) / 2
        )

    for (low, high), centre in zip(
        quadrature.zoom(log_density, [(-50, 50), (-60, 6)], 12.5), (0.3, -7.7), strict=True
    ):
        # 5 spreads are 0.05
        assert centre - 0.15 < low < centre - 0.05 and centre + 0.05 < high < centre + 0.15


def test_quantile_from_any_bracket():
    for low, high in ((-1.0, 1.0), (1.9, 2.0), (0.3, 0.30001), (-5.0, -4.0)):
        assert quadrature.quantile(special.ndtr, 0.975, low, high) == pytest.approx(
            1.959963984540054, abs=1e-8
        )


def test_refine_says_when_it_does_not_settle():
    with pytest.raises(ArithmeticError, match="still moves by 0.01 at 137 nodes"):
        quadrature.refine(lambda nodes: (0.01 * (nodes in (25, 49, 97)), 1.0, 1.0), 1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: stats.beta_binomial_interval(4, 3),
            "4 successes of 3 is no share; 0 <= successes <= n",
        ),
        (lambda: stats.beta_binomial_interval(0, 0), "0 successes of 0 is no share"),
        (
            lambda: stats.beta_binomial_interval(1, 3, prior=(0, 1)),
            r"prior=\(0, 1\) is no Beta distribution",
        ),
        (
            lambda: stats.beta_binomial_interval(1, 3, 95),
            "level=95 is not between 0 and 1; write 95% as 0.95",
        ),
        (
            lambda: stats.f1_posterior(1, -1, 0),
            "tp=1, fp=-1, fn=0, tn=0: counts cannot be negative",
        ),
        (
            lambda: stats.unpaired_posterior(1, 2, 3, 2),
            "3 successes of 2 of the second model is no share",
        ),
        (
            lambda: stats.clustered_posterior(np.array([]), np.array([])),
            r"successes have shape \(0,\)",
        ),
        (
            lambda: stats.clustered_posterior(np.array([1, 4]), np.array([3, 3])),
            "cluster 1 has 4 successes of 3",
        ),
        (
            lambda: stats.clustered_posterior(np.array([0]), np.array([0])),
            "cluster 0 has 0 successes of 0",
        ),
        (lambda: stats.paired_posterior(0, 0, 0, 0), "at least one question is needed"),
        (
            lambda: stats.paired_posterior(3, -1, 0, 0),
            "both=3, only_a=-1, only_b=0, neither=0: counts cannot be negative",
        ),
        (lambda: stats.paired_posterior(3, 1, 0, 0, 1.0), "level=1.0 is not between 0 and 1"),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_same_counts_same_digits():
    """No seed: two calls agree to the last bit, and other levels nest."""
    first, second = stats.paired_posterior(14, 6, 3, 7), stats.paired_posterior(14, 6, 3, 7)
    assert first == second
    narrow = stats.paired_posterior(14, 6, 3, 7, 0.8)
    assert (
        first.difference.low
        < narrow.difference.low
        < narrow.difference.high
        < first.difference.high
    )
    assert narrow.p_greater == first.p_greater
