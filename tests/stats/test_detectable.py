"""Detectable differences deliver the power they state: against enumeration, integration and
simulation written apart from the package.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import optimize, special
from scipy import stats as scipy_stats
from statsmodels.stats.power import TTestPower
from support.assured import assured_power, assured_ratio_by_integration

from reportkit.stats.assured import assured_ratio, units_needed
from reportkit.stats.detectable import (
    PairDesigns,
    Plan,
    detectable_difference,
    direction,
    times_needed,
)
from reportkit.stats.discordance import (
    discordance,
    latent_correlation,
    mcnemar_power,
    smoothed,
)
from reportkit.stats.power import minimum_detectable_effect

Z = scipy_stats.norm.ppf(0.975)


# The t of an estimated variance -------------------------------------------------------------------


@pytest.mark.parametrize("df", [3, 5, 7, 11, 19, 49, 200])
@pytest.mark.parametrize("wanted", [0.7, 0.8, 0.9])
def test_the_ratio_has_its_power_by_integration(df, wanted):
    """The noncentral t of df, averaged over a root of chi-squared (scipy); within .004, and .009
    with 3 degrees.
    """
    ratio = assured_ratio(df, df, power=wanted).item()
    assert assured_power(ratio, df, df) == pytest.approx(wanted, abs=0.009 if df == 3 else 0.004)


@pytest.mark.parametrize("df", [4, 9, 29, 300])
def test_with_a_known_variance_it_is_the_noncentral_t(df):
    """statsmodels' effect size of a one-sample t test of df + 1 observations; within 0.6%."""
    exact = TTestPower().solve_power(nobs=df + 1, power=0.8, alpha=0.05) * math.sqrt(df + 1)
    assert assured_ratio(df).item() == pytest.approx(exact, rel=0.006)


def test_with_two_different_degrees_of_freedom():
    """A plan from 8 clusters (7 degrees) for 80 clusters; other levels too."""
    for df, known, level in ((79, 7, 0.95), (7, 79, 0.95), (15, 15, 0.9), (15, 15, 0.99)):
        ratio = assured_ratio(df, known, level=level).item()
        assert assured_power(ratio, df, known, level) == pytest.approx(0.8, abs=0.005)


def test_with_everything_known_it_is_equation_10():
    assert assured_ratio(np.inf).item() == pytest.approx(Z + scipy_stats.norm.ppf(0.8), rel=1e-12)
    # below one half, the other root
    assert assured_ratio(np.inf, power=0.3).item() == pytest.approx(
        Z + scipy_stats.norm.ppf(0.3), rel=1e-12
    )
    with pytest.raises(ValueError, match="power=80 is not between 0 and 1"):
        assured_ratio(9.0, power=80)


def test_power_over_reports_that_print_what_they_estimate():
    """20,000 pairs of evals in 8 clusters: the first prints its difference, in the second it is
    true. Three simulation errors are .009; the normal form adds .004.
    """
    rng = np.random.default_rng(31)
    ratio = assured_ratio(7.0, 7.0).item()
    first, second = rng.normal(size=(2, 20_000, 8))
    printed = ratio * first.std(axis=1, ddof=1) / math.sqrt(8)
    t = (second.mean(axis=1) + printed) / (second.std(axis=1, ddof=1) / math.sqrt(8))
    found = float((np.abs(t) > scipy_stats.t.ppf(0.975, 7)).mean())
    assert found == pytest.approx(0.8, abs=0.013)


@pytest.mark.parametrize("size", [1, 10])
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.6])
def test_units_needed_have_their_power_by_statsmodels(size, effect):
    """The least number of clusters whose means' t test has the power; within the 0.5% of power that
    the normal form is off.
    """
    found = units_needed(effect, 0.4, size)
    sd = math.sqrt(0.4 / size)

    def at(g: int) -> float:
        return float(TTestPower().power(effect / sd, g, 0.05))

    assert at(found.clusters) > 0.795 and at(found.clusters - 1) < 0.805
    assert found.questions == size * found.clusters


def test_units_needed_from_a_pilot():
    """A variance that eight clusters gave: more, as it may be too small."""
    known, guessed = units_needed(0.1, 0.4, 5), units_needed(0.1, 0.4, 5, pilot_df=7)
    ratio = assured_ratio_by_integration(guessed.clusters - 1, 7)
    assert guessed.clusters == pytest.approx(ratio**2 * 0.08 / 0.01, rel=0.02)
    assert guessed.clusters > known.clusters
    with pytest.raises(ValueError, match="an effect of 0 cannot be detected"):
        units_needed(0.0, 0.1)
    with pytest.raises(ValueError, match="variance=-1"):
        units_needed(0.1, -1.0)


def test_equation_10_with_degrees_of_freedom():
    """Eight clusters: the noncentral t of 7 in place of z; the literal form stays the default."""
    exact = TTestPower().solve_power(nobs=8, power=0.8, alpha=0.05) * math.sqrt(8)
    found = minimum_detectable_effect(80, 0.4, df=7)
    assert found == pytest.approx(exact * math.sqrt(0.4 / 80), rel=6e-3)
    assert minimum_detectable_effect(80, 0.4) == pytest.approx(2.801585 * math.sqrt(0.4 / 80))


# McNemar's test -----------------------------------------------------------------------------------


def enumerated_power(p10: float, p01: float, n: int, level: float = 0.95) -> float:
    """Over every number of questions that only one model has right: the trinomial law."""
    z = scipy_stats.norm.ppf((1 + level) / 2)
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = b + c <= n
    b, c = b[inside], c[inside]
    logs = (
        special.gammaln(n + 1)
        - special.gammaln(b + 1)
        - special.gammaln(c + 1)
        - special.gammaln(n - b - c + 1)
        + special.xlogy(b, p10)
        + special.xlogy(c, p01)
        + special.xlogy(n - b - c, 1 - p10 - p01)
    )
    found = (b - c) ** 2 > z * z * (b + c)
    return float(np.exp(logs[found]).sum())


@pytest.mark.parametrize("n", [5, 12, 30, 100])
@pytest.mark.parametrize(
    "p10, p01", [(0.3, 0.0), (0.25, 0.1), (0.1, 0.1), (0.02, 0.3), (0.4, 0.15)]
)
def test_power_of_few_discordant_questions_is_a_sum(n, p10, p01):
    for level in (0.9, 0.95):
        exact = enumerated_power(p10, p01, n, level)
        assert mcnemar_power(p10, p01, n, level=level).item() == pytest.approx(exact, abs=2e-4)


@pytest.mark.parametrize("q", [0.15, 0.35])
def test_power_of_many_is_normal(q):
    """600 questions, 90 or 210 of them discordant."""
    for difference in (0.02, 0.04, 0.06, 0.08):
        p10, p01 = (q + difference) / 2, (q - difference) / 2
        exact = enumerated_power(p10, p01, 600)
        assert mcnemar_power(p10, p01, 600).item() == pytest.approx(exact, abs=0.005)


def test_power_is_that_of_the_printed_p():
    """4,000 tables of 40 questions, and McNemar's p of each by its formula; three errors .02."""
    rng = np.random.default_rng(32)
    b, c, _ = rng.multinomial(40, [0.25, 0.06, 0.69], 4000).T
    p = 2 * scipy_stats.norm.sf(np.abs(b - c) / np.sqrt(np.maximum(b + c, 1)))
    assert (p < 0.05).mean() == pytest.approx(mcnemar_power(0.25, 0.06, 40).item(), abs=0.02)


def test_shares_that_are_none_are_said():
    with pytest.raises(ValueError, match="their sum <= 1"):
        mcnemar_power(0.7, 0.4, 10)
    assert mcnemar_power(0.0, 0.0, 50).item() == 0.0


def joint(a: float, b: float, rho: float) -> tuple[float, float]:
    """p10 and p01 of a Gaussian copula, by scipy's bivariate normal."""
    ends = scipy_stats.norm.ppf([a, b])
    both = scipy_stats.multivariate_normal.cdf(ends, cov=[[1, rho], [rho, 1]])
    return a - both, b - both


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.6, 0.95])
def test_discordance_of_a_difference(rho):
    """The correlation is found from equal models, and kept as one of them gets worse."""
    p10, p01 = joint(0.9, 0.9, rho)
    latent = latent_correlation(*(np.array([v]) for v in (0.9, 0.9, p10 + p01)))
    assert np.tanh(latent).item() == pytest.approx(rho, abs=1e-4)
    worse = discordance(np.array([0.9]), np.array([0.25]), latent)
    assert [v.item() for v in worse] == pytest.approx(joint(0.9, 0.65, rho), abs=1e-4)
    # A difference of 25 points takes 25% of the questions at the least.
    assert sum(v.item() for v in worse) >= 0.25


# Detectable differences ---------------------------------------------------------------------------


def designs(**given) -> PairDesigns:
    """One pair of 0/1 scores unless told otherwise."""
    base = {
        "method": "tango", "n": 100.0, "clusters": 100.0, "se": 0.02, "df": 99.0, "bounded": True,
        "mean_a": 0.9, "mean_b": 0.9, "correlation": 0.4, "apart": 0.108, "shown": 10.8,
        "binary": True, "alone": 4e-4, "right": True,
    }  # fmt: skip
    return PairDesigns(*(np.array([v]) for v in (base | given).values()))


@pytest.mark.parametrize("n, mean, r", [(30, 0.97, 0.3), (100, 0.9, 0.4), (60, 0.5, 0.7)])
def test_the_difference_has_its_power_by_enumeration(n, mean, r):
    """The counts with their fractions, the copula by scipy, McNemar's power over all tables."""
    both = n * (mean**2 + r * mean * (1 - mean))
    only = n * mean - both
    total = n + 0.9  # 0.4 twice for one alone, 0.1 for none
    share = (n * mean + 0.4) / total
    q = 2 * (only + 0.4) / total
    rho = optimize.brentq(lambda x: sum(joint(share, share, x)) - q, -0.99, 0.9999)
    found = detectable_difference(
        designs(n=float(n), clusters=float(n), mean_a=mean, mean_b=mean, correlation=r)
    ).item()
    p10, p01 = joint(share, share - found, rho)
    assert enumerated_power(p10, max(p01, 0.0), n) == pytest.approx(0.8, abs=3e-3)


def test_fractions_are_added_to_the_counts():
    a, b, q = smoothed(*(np.array([v]) for v in (20.0, 4.0, 2.0, 30.0)))
    assert (a.item(), b.item(), q.item()) == pytest.approx((24.4 / 30.9, 22.4 / 30.9, 6.8 / 30.9))


def test_questions_needed_are_near_connors():
    """Two points at .99 from a pilot of 300 with Var(d) = .0167: equation 9 asks for 327, which
    find it in about half of evals; Connor's formula for .99 against .97 asks for 639.
    """
    r = 1 - 0.0167 / (2 * 0.99 * 0.01)
    pair = designs(n=300.0, clusters=300.0, mean_a=0.99, mean_b=0.99, correlation=r, se=0.0075)
    n = 300 * times_needed(pair, 0.02).item()
    assert n == pytest.approx(639, rel=0.12)
    assert math.ceil(7.848880 * 0.0167 / 0.02**2) == 328


def test_questions_needed_and_detectable_difference_invert_each_other():
    unbounded = designs(method="t", bounded=False, binary=False, correlation=0.2)
    clusters = designs(method="tango-effective", clusters=20.0, df=19.0, shown=15.0, n=200.0,
                       alone=2e-4)  # fmt: skip
    for pair, effect in ((unbounded, 0.03), (clusters, 0.05), (designs(), 0.06)):
        times = times_needed(pair, effect)
        again = detectable_difference(pair, Plan(questions=times)).item()
        assert again == pytest.approx(effect, rel=1e-4)


def test_without_bounds_it_is_the_ratio_times_the_error():
    pair = designs(method="t", bounded=False, binary=False, se=2.0, df=24.0, mean_a=50.0)
    expected = 2.0 * assured_ratio_by_integration(24, 24)
    assert detectable_difference(pair).item() == pytest.approx(expected, rel=5e-3)
    four = detectable_difference(pair, Plan(questions=4.0)).item()
    assert four == pytest.approx(assured_ratio_by_integration(99, 24), rel=5e-3)


def test_answer_noise_taken_off_leaves_a_variance_that_is_known_less():
    """Half of the variance is left: of 99 degrees of freedom, a quarter; never below 12."""
    pair = designs(method="t", bounded=False, binary=False, se=1.0, df=99.0)
    for left, known in ((0.5, 24.75), (0.1, 12.0)):
        found = detectable_difference(pair, Plan(noise=left)).item()
        expected = math.sqrt(left) * assured_ratio_by_integration(99, known)
        assert found == pytest.approx(expected, rel=5e-3)


def test_what_cannot_be_found_is_a_dash():
    """Five questions are never enough for McNemar's p < .05 at .8 of evals within a scale that
    leaves half; no test, no number.
    """
    few = designs(n=5.0, clusters=5.0, mean_a=0.5, mean_b=0.5)
    assert np.isnan(detectable_difference(few)).all()
    assert np.isnan(times_needed(few, 0.6)).all()  # half is the most
    assert np.isfinite(times_needed(few, 0.4)).all()
    for none in ({"method": "none"}, {"method": "t", "se": 0.0}, {"method": "t", "se": math.nan}):
        assert np.isnan(detectable_difference(designs(**none))).all()
    assert np.isnan(times_needed(designs(), 0.0)).all()
    assert len(detectable_difference(designs().take(np.array([], dtype=int)))) == 0


def test_low_means_are_high_means_turned_over():
    """3% and 97% detect the same, the one upwards, the other downwards."""
    high = designs(mean_a=0.97, mean_b=0.95, n=60.0, clusters=60.0)
    low = designs(mean_a=0.03, mean_b=0.05, n=60.0, clusters=60.0)
    # the fractions added to the counts are not alike at both ends
    assert detectable_difference(low).item() == pytest.approx(
        detectable_difference(high).item(), rel=0.05
    )
    assert direction(high)[0].item() and not direction(low)[0].item()
    for pair in (high, low):
        assert direction(pair)[1].item() == pytest.approx(0.96, abs=0.02)


def test_models_that_are_clearly_apart_keep_the_mean_farther_from_one_half():
    """.97 against .60, SE .04: the better model keeps its .97; .97 against .96 their joint mean."""
    apart = designs(mean_a=0.97, mean_b=0.60, se=0.04)
    assert direction(apart)[1].item() == pytest.approx(97.4 / 100.9)
    near = designs(mean_a=0.97, mean_b=0.96, se=0.04)
    assert direction(near)[1].item() == pytest.approx((97.4 + 96.4) / 2 / 100.9)


def test_pairs_do_not_touch_each_other():
    """Each entry is that of its pair alone, in the order given."""
    pairs = [
        designs(), designs(method="none"), designs(method="t", clusters=200.0, n=400.0, df=199.0),
        designs(method="tango-effective", clusters=12.0, df=11.0, n=120.0, shown=9.0),
    ]  # fmt: skip
    alone = [detectable_difference(p).item() for p in pairs]
    names = [f for f in PairDesigns.__dataclass_fields__]
    many = PairDesigns(*(np.concatenate([getattr(p, f) for p in pairs]) for f in names))
    assert detectable_difference(many) == pytest.approx(alone, rel=1e-6, nan_ok=True)
    turned = detectable_difference(many.take(np.array([3, 0])))
    assert turned == pytest.approx([alone[3], alone[0]], rel=1e-6)


def test_a_higher_power_and_a_higher_level_ask_for_more():
    base = detectable_difference(designs()).item()
    assert detectable_difference(designs(), Plan(power=0.9)).item() > base
    assert detectable_difference(designs(), Plan(level=0.99)).item() > base
    assert detectable_difference(designs(), Plan(questions=2.0)).item() < base


def test_clusters_cost_power_by_what_they_add():
    """Of the variance, what clusters add grows faster with the difference than the rest: as much
    again as the rest at .9, with the exponent that benchmarks/power.py chose.
    """
    kept = designs(method="t", clusters=400.0, n=4000.0, df=399.0, se=0.01, alone=1e-4, binary=True)
    added = replace(kept, alone=np.array([2e-5]))
    one, more = (detectable_difference(d).item() for d in (kept, added))
    assert 1.01 < more / one < 1.2


# Simulated ----------------------------------------------------------------------------------------


def test_simulated_power_of_printed_cells_of_right_and_wrong_answers():
    """1,000 evals of 100 questions, two models right on 85% by one latent normal law of correlation
    .5; each prints its difference, and its power at the truth is enumerated (on a grid).
    """
    rng = np.random.default_rng(33)
    p10, p01 = joint(0.85, 0.85, 0.5)
    both, b, c, _ = rng.multinomial(100, [0.85 - p10, p10, p01, 0.15 - p01], 1000).T
    a_mean, b_mean = (both + b) / 100, (both + c) / 100
    spread = np.sqrt(a_mean * (1 - a_mean) * b_mean * (1 - b_mean))
    ones = np.ones(1000)
    gap = (b - c) / 100
    se = np.sqrt(((b + c) / 100 - gap**2) / 99)
    printed = detectable_difference(
        PairDesigns(
            np.full(1000, "tango"), 100 * ones, 100 * ones, se, 99 * ones, ones > 0, a_mean, b_mean,
            (both / 100 - a_mean * b_mean) / spread, (b + c) / 100, b + c, ones > 0, se**2,
            ones > 0,
        )
    )  # fmt: skip
    grid = np.linspace(printed.min(), printed.max(), 12)
    power = [enumerated_power(*joint(0.85, 0.85 - d, 0.5), 100) for d in grid]
    assert 0.77 < np.interp(printed, grid, power).mean() < 0.84


@pytest.mark.parametrize("level, power", [(0.9, 0.8), (0.95, 0.9), (0.99, 0.6)])
def test_units_needed_keep_to_level_and_power(level, power):
    """The first number of clusters of 4 questions that is enough, by a plain count."""
    said = {"level": level, "power": power}
    g = 2
    while 0.15**2 * 4 * g < assured_ratio(float(g - 1), math.inf, **said) ** 2 * 0.5:
        g += 1
    assert units_needed(0.15, 0.5, 4, **said).clusters == g


def test_mcnemar_where_all_questions_tell_the_models_apart():
    """10 questions, each answered by one model alone, by the first with .8: |2k - 10| > 1.96
    root(10) = 6.2 is k of 9, 10 or 0, 1.
    """
    exact = sum(scipy_stats.binom.pmf(k, 10, 0.8) for k in (0, 1, 9, 10))
    assert mcnemar_power(0.8, 0.2, 10).item() == pytest.approx(exact, abs=2e-4)
    assert mcnemar_power(0.0, 0.0, 10).item() == 0.0


@pytest.mark.parametrize("questions", [1.0, 3.0])
def test_a_t_test_without_bounds_has_its_own_degrees_of_freedom(questions):
    """8 clusters have 7 degrees of freedom, three times as many 23; the variance stays known from
    7. The difference is assured_ratio of these times the SE.
    """
    pair = designs(method="t", bounded=False, n=8.0, clusters=8.0, se=0.1, df=7.0)
    ratio = assured_ratio(8.0 * questions - 1.0, 7.0).item()
    found = detectable_difference(pair, Plan(questions=questions)).item()
    assert found == pytest.approx(ratio * 0.1 / math.sqrt(questions), rel=1e-6)
