"""Detectable differences deliver the power they state: against enumeration, integration and
simulation written apart from the package.
"""

import math
from dataclasses import MISSING, fields, replace

import numpy as np
import pytest
from scipy import optimize, special
from scipy import stats as scipy_stats
from statsmodels.stats.power import TTestPower
from support.assured import assured_power, assured_ratio_by_integration

from reportkit.stats.evidence import effective_number
from reportkit.stats.pairs.paired import difference_ends
from reportkit.stats.pairs.tango import DifferenceArrays
from reportkit.stats.planning.alternative import alternative, grown
from reportkit.stats.planning.assured import assured, assured_ratio, units_needed
from reportkit.stats.planning.certainty import certain_df
from reportkit.stats.planning.detectable import (
    PairDesigns,
    Plan,
    beyond_t,
    detectable_difference,
    direction,
    refusals,
    times_needed,
    too_few,
)
from reportkit.stats.planning.discordance import (
    discordance,
    latent_correlation,
    mcnemar_power,
    smoothed,
)
from reportkit.stats.planning.expected import KNOWN, expected_design, expected_pair
from reportkit.stats.planning.needed import minimum_detectable_effect
from reportkit.stats.planning.tails import pair_ends

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


@pytest.mark.parametrize("n", [35.7, 49.5, 49.99999999, 50.0])
def test_parts_of_a_question_find_as_much_as_whole_ones(n):
    """Where nearly every question tells two models apart, all but a few in 10^7 samples find it.
    Chances of 0 to 35 discordant questions of 35.7 summed to less than 1, here to 0.06.
    """
    assert mcnemar_power(0.98, 0.0, n) > 0.999
    assert mcnemar_power(1.0, 0.0, n) > 0.999
    # as between the whole numbers: Bin(m; n, .1) P[all m of one side, m >= 4]
    low, high = (scipy_stats.binom.sf(3, k, 0.1) for k in (math.floor(n), math.ceil(n)))
    assert low - 1e-4 <= mcnemar_power(0.1, 0.0, n).item() <= high + 1e-4


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


def test_the_last_bits_of_shares_choose_no_plan():
    """One model right in all that the other is, and in one question more: McNemar's test needs four
    such questions, and 551 hold them at 1%: P[Bin(551, .01) >= 4] is the first above 80%. By a
    rounding of 1e-17 it was 1,697.
    """
    bits = np.array([-3, -1, 0, 1, 3]) * 2.0**-53
    assert scipy_stats.binom.sf(3, [550, 551], 0.01).round(4).tolist() == [0.7997, 0.8009]
    a = latent_correlation(np.full(5, 0.8), np.full(5, 0.6) + bits, np.full(5, 0.2))
    assert np.ptp(a) < 1e-6
    p10, p01 = discordance(np.full(5, 0.8), np.full(5, 0.01), a)
    assert p10 == pytest.approx(0.01, rel=1e-6) and p01.max() < 1e-9


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


@pytest.mark.parametrize("n, mean, r", [(30, 0.95, 0.2), (100, 0.9, 0.4), (60, 0.5, 0.7)])
def test_the_difference_has_its_power_by_enumeration(n, mean, r):
    """The counts with their fractions, the copula by scipy, McNemar's power over all tables."""
    both = n * (mean**2 + r * mean * (1 - mean))
    only = n * mean - both
    total = n + 1.1  # 0.5 twice for one alone, 0.1 for none
    share = (n * mean + 0.5) / total
    q = 2 * (only + 0.5) / total
    rho = optimize.brentq(lambda x: sum(joint(share, share, x)) - q, -0.99, 0.9999)
    found = detectable_difference(
        designs(n=float(n), clusters=float(n), mean_a=mean, mean_b=mean, correlation=r)
    ).item()
    p10, p01 = joint(share, share - found, rho)
    assert enumerated_power(p10, max(p01, 0.0), n) == pytest.approx(0.8, abs=3e-3)


def test_fractions_are_added_to_the_counts():
    """Half a question to each side from two on that differ, nothing to one, a quarter between."""
    for only_a, only_b, added in ((4.0, 2.0, 0.5), (1.0, 0.0, 0.0), (1.0, 0.5, 0.25)):
        a, b, q = smoothed(*(np.array([v]) for v in (20.0, only_a, only_b, 30.0)))
        total = 30.1 + 2 * added
        expected = (20 + only_a + added, 20 + only_b + added, only_a + only_b + 2 * added)
        assert [v.item() * total for v in (a, b, q)] == pytest.approx(expected)


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


def test_clusters_that_are_worth_less_than_half_their_number_have_a_number_too():
    """The search for it starts where two clusters are left of what they are worth, not of all."""
    uneven = designs(method="tango-effective", clusters=20.0, df=15.0, shown=16.8, n=200.0,
                     se=0.073, alone=7.3e-4, mean_a=0.6, mean_b=0.66, correlation=0.2, apart=0.29,
                     binary=False, right=False)  # fmt: skip
    uneven = replace(uneven, worth=np.array([8.0]), alike=np.array([7.0]))
    assert 2.0 < times_needed(uneven, 0.1).item() < 8.0


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
    assert direction(apart)[1].item() == pytest.approx(97.5 / 101.1)
    near = designs(mean_a=0.97, mean_b=0.96, se=0.04)
    assert direction(near)[1].item() == pytest.approx((97.5 + 96.5) / 2 / 101.1)


def test_pairs_do_not_touch_each_other():
    """Each entry is that of its pair alone, in the order given."""
    pairs = [
        designs(), designs(method="none"), designs(method="t", clusters=200.0, n=400.0, df=199.0),
        designs(method="tango-effective", clusters=12.0, df=11.0, n=120.0, shown=9.0),
    ]  # fmt: skip
    alone = [detectable_difference(p).item() for p in pairs]
    names = [f.name for f in fields(PairDesigns) if f.default is MISSING]
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


# How a variance grows, and how well it is known ---------------------------------------------------


def growth(pair: PairDesigns, difference: float):
    """What such a difference changes, with the discordance of independent answers."""
    other = alternative(pair)
    p10, p01 = discordance(other.share, np.array([difference]), other.latent)
    return grown(pair, other, np.array([difference]), p10 + p01)


def fractions(part: float, mean: float = 0.9, **given) -> PairDesigns:
    """Many scores whose variance is such a part of p (1 - p), independent of the other model's."""
    alone = 2.0 * part * mean * (1.0 - mean) / 1e5
    base = {"method": "t", "n": 1e5, "clusters": 1e5, "df": 1e5, "binary": False, "right": False,
            "mean_a": mean, "mean_b": mean, "correlation": 0.0, "alone": alone,
            "se": math.sqrt(alone)}  # fmt: skip
    return designs(**(base | given))


@pytest.mark.parametrize("part", [0.2, 0.8])
def test_the_variance_of_fractions_grows_with_a_power_of_each_models_own(part):
    """Means .9 and .9 - .3: (1 + (v_2 / v_1)^x) / 2, with v = p (1 - p) and x = 1.4 - .55 s, s the
    variance over v_1; in clusters alone x = 2.4 - 1.4 s. Answers that are right or wrong, several
    of unknown noise: 1.25 and 2.
    """
    pair = fractions(part)
    ratio = 0.6 * 0.4 / (0.9 * 0.1)
    clustered = replace(pair, clusters=np.array([1e3]), se=np.array([1e3]))
    several = {"right": np.array([True])}
    for design, power in (
        (pair, 1.4 - 0.55 * part), (clustered, 2.4 - 1.4 * part),
        (replace(pair, **several), 1.25), (replace(clustered, **several), 2.0),
    ):  # fmt: skip
        found = growth(design, 0.3).variance.item()
        assert found == pytest.approx((1 + ratio**power) / 2, rel=1e-3)


def drawn_scores(shape: str, ability: float, rng) -> np.ndarray:
    """400,000 scores of a model of this ability, of questions of normal difficulty."""
    p = special.expit(ability + rng.standard_normal(400_000))
    if shape == "right or in part":  # a uniform part where it is not right
        return np.where(rng.random(p.shape) < p, 1.0, rng.random(p.shape))
    if shape == "thirds":  # one luck of a question, three steps of its score
        at = special.logit(p) - special.logit(rng.random(p.shape))
        return np.mean([at > step for step in (-1.0, 0.0, 1.0)], axis=0)
    if shape == "5 tests":
        return rng.binomial(5, rng.beta(p, 1.0 - p)) / 5
    if shape == "nothing or nearly all":
        return np.where(rng.random(p.shape) < p, 0.8 + 0.2 * rng.random(p.shape), 0.0)
    if shape == "right or about half":
        return np.where(rng.random(p.shape) < p, 1.0, 0.3 + 0.4 * rng.random(p.shape))
    return rng.beta(4.0 * p, 4.0 * (1.0 - p))


def two_models(shape: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two, of which one is worse by about 20 points."""
    rng = np.random.default_rng(8)
    abilities = (3.5, 1.6)
    if shape == "right or in part":
        abilities = (2.5, 0.5)
    if shape == "right or about half":
        abilities = (2.5, 0.1)
    first, second = (drawn_scores(shape, ability, rng) for ability in abilities)
    assert 0.12 < first.mean() - second.mean() < 0.25
    return first, second


@pytest.mark.parametrize("shape", ["right or in part", "thirds", "5 tests", "Beta"])
def test_scores_of_many_shapes_vary_more_as_planned(shape):
    """The variance of two models' scores, of which one gets worse by about 20 points, over that of
    two alike: numpy's of the scores drawn. A power of 1.25 for all is 25% to 36% off three of them.
    """
    first, second = two_models(shape)
    part = first.var() / (first.mean() * (1.0 - first.mean()))
    found = growth(fractions(part, first.mean()), first.mean() - second.mean())
    expected = (1.0 + second.var() / first.var()) / 2.0
    assert found.variance.item() == pytest.approx(expected, rel=0.13)


@pytest.mark.parametrize(
    "shape",
    ["right or in part", "thirds", "5 tests", "Beta", "nothing or nearly all",
     "right or about half"],
)  # fmt: skip
def test_the_ends_of_scores_say_how_scores_of_any_shape_vary_more(shape):
    """As above, with the ends of the first model's scores. Without, two are 20% off and more:
    with them none is 16% off."""
    first, second = two_models(shape)
    part = first.var() / (first.mean() * (1.0 - first.mean()))
    both = np.stack([first, first], axis=1)
    low, high = pair_ends(both, np.array([0]), np.array([1]))
    plain = fractions(part, first.mean())
    gap = first.mean() - second.mean()
    found = growth(replace(plain, low=low, high=high), gap).variance.item()
    expected = (1.0 + second.var() / first.var()) / 2.0
    assert found == pytest.approx(expected, rel=0.16)
    if shape in ("nothing or nearly all", "right or about half"):
        assert growth(plain, gap).variance.item() != pytest.approx(expected, rel=0.2)


def test_worse_and_better_vary_alike():
    """Scores turned (1 - s), as 1 - their ends, have the same plan."""
    pair = replace(fractions(0.4), low=np.array([0.3]), high=np.array([0.97]))
    turned = replace(fractions(0.4, 0.1), low=np.array([0.03]), high=np.array([0.7]))
    one, other = (growth(d, 0.3).variance.item() for d in (pair, turned))
    # (.9 - .3) (.97 - .9) = .042 and (.6 - .3) (.97 - .6) = .111
    assert one == pytest.approx((1 + 0.111 / 0.042) / 2, rel=1e-3)
    assert other == pytest.approx(one, rel=1e-4)  # 1e5 questions, smoothed


def test_a_variance_is_never_all_gone():
    """Below the lower end a tenth of what was observed is left."""
    pair = replace(fractions(0.4), low=np.array([0.7]), high=np.array([0.97]))
    assert growth(pair, 0.3).variance.item() == pytest.approx((1 + 0.1) / 2, rel=1e-3)


def test_where_a_models_scores_vary_less_the_power_is_1():
    """From 1/2 to .2: (1 + .16 / .25) / 2, with clusters and without."""
    half = designs(method="t", n=1e5, clusters=1e5, df=1e5, binary=False, right=False, mean_a=0.5,
                   mean_b=0.5)  # fmt: skip
    for pair in (half, replace(half, clusters=np.array([1e3]), alone=np.array([1e-12]))):
        assert growth(pair, 0.3).variance.item() == pytest.approx((1 + 0.64) / 2, rel=1e-3)


def test_degrees_of_freedom_of_fractions_near_an_end_by_simulation():
    """Two independent models of Beta(3.6, .4) scores, 40 questions: 2 E(V)^2 / Var(V) over 50,000
    evals. Without the tails it would be 39.
    """
    rng = np.random.default_rng(12)
    gap = rng.beta(3.6, 0.4, (50_000, 40)) - rng.beta(3.6, 0.4, (50_000, 40))
    variance = gap.var(axis=1, ddof=1)
    df = 2.0 * variance.mean() ** 2 / variance.var()
    pair = designs(method="t", n=40.0, clusters=40.0, df=39.0, se=math.sqrt(0.036 / 40),
                   alone=0.036 / 40, binary=False, right=False, correlation=0.0)  # fmt: skip
    assert df < 20.0
    assert growth(pair, 0.1).known.item() == pytest.approx(df, rel=0.15)


def test_clusters_that_were_not_counted_are_taken_as_alike():
    """`shown` is nan where the interval did not need it: nearly the plan of 990 of 1,000."""
    many = designs(method="t", n=4000.0, clusters=1000.0, df=999.0, se=0.006, alone=3e-5)
    found = [detectable_difference(replace(many, shown=np.array([s]))).item()
             for s in (math.nan, 990.0)]  # fmt: skip
    assert found[0] == pytest.approx(found[1], rel=1e-3) and 0.015 < found[0] < 0.02


def test_degrees_of_freedom_are_those_of_what_the_clusters_are_worth():
    """2 / (2 / f + excess / G); f is CR2's, or G - 1 of the clusters they are worth."""
    plain = designs(method="t", clusters=20.0, df=19.0)
    uneven = replace(plain, worth=np.array([8.0]), alike=np.array([6.0]))
    assert certain_df(plain).item() == pytest.approx(19.0)
    assert certain_df(uneven).item() == pytest.approx(7.0)
    assert certain_df(plain, 3.0).item() == pytest.approx(2 / (2 / 19 + 3 / 20))
    assert certain_df(uneven, 3.0, 2.0).item() == pytest.approx(2 / (2 / 15 + 3 / 16))


@pytest.mark.parametrize(
    ("binary", "part", "excess"), [(True, 1.0, 1.5), (False, 0.5, 2.425), (False, 1e-9, 3.5)]
)
def test_clusters_that_tell_models_apart_unevenly_are_known_less(binary, part, excess):
    """Worked by hand: 40 clusters of 10, models of mean 1/2 that differ in an effective 20 of the
    clusters, so that the squared coefficient of variation is 40 / 20 - 1 = 1. The excess of 0/1
    scores is 1.5 of it, of scores that hardly vary 3.5, of those with half of the variance that
    0/1 scores have 2.5; those are Beta(1/2, 1/2) scores, of excess -1.5, which the difference of
    two halves, and a cluster of 10 divides by 10. Then 2 / f = 2 / 39 + excess / 40.
    """
    alone = part * 2 * 0.25 / 400
    pair = designs(method="t", n=400.0, clusters=40.0, df=39.0, mean_a=0.5, mean_b=0.5, apart=0.5,
                   se=math.sqrt(alone), alone=alone, correlation=0.0, shown=20.0, binary=binary,
                   right=False)  # fmt: skip
    assert growth(pair, 0.1).known.item() == pytest.approx(2 / (2 / 39 + excess / 40), rel=1e-3)


# No plan ------------------------------------------------------------------------------------------


def test_why_a_pair_has_no_plan():
    """2 points lost by both models together are enough, 1.9 are not; 5 clusters, 4.9 are not."""
    given = {
        "": designs(mean_a=0.99, mean_b=0.99),
        "near-end": designs(mean_a=0.99, mean_b=0.991),
        "no-test": designs(method="none"),
        "no-variance": designs(method="tango-clusters", se=0.0),
        "few-large": replace(designs(clusters=20.0), worth=np.array([9.0]), alike=np.array([4.9])),
    }
    for reason, pair in given.items():
        assert refusals(pair).tolist() == [reason]
        assert math.isnan(detectable_difference(pair).item()) == bool(reason)
        assert math.isnan(times_needed(pair, 0.1).item()) == bool(reason)
    turned = designs(mean_a=0.01, mean_b=0.009)
    assert refusals(turned).tolist() == ["near-end"]
    enough = replace(designs(clusters=20.0), worth=np.array([9.0]), alike=np.array([5.0]))
    assert refusals(enough).tolist() == [""]


def test_scores_that_all_lie_near_an_end_are_not_refused():
    """Spread less than their distance from the end, they have no tail: sd .005 at .99."""
    close = designs(method="t", mean_a=0.99, mean_b=0.995, binary=False, right=False, se=5e-4,
                    alone=2.5e-7)  # fmt: skip
    assert refusals(close).tolist() == [""]
    far = replace(close, alone=np.array([1e-5]))  # sd .03
    assert refusals(far).tolist() == ["near-end"]
    assert refusals(replace(far, right=np.array([True]))).tolist() == [""]  # means of answers


def test_no_eval_of_fewer_than_30_questions_is_planned():
    pair = designs().take(np.zeros(3, dtype=int))
    assert too_few(pair, np.array([0.29, 0.3, 0.31])).tolist() == [True, False, False]


def test_a_variance_of_less_than_two_degrees_of_freedom_has_no_plan():
    """Two questions of 45 in which models of .96 differ: no number of questions is promised."""
    pair = designs(method="tango-effective", n=45.0, clusters=45.0, se=0.0077, df=44.0,
                   mean_a=0.967, mean_b=0.958, correlation=0.96, apart=0.0178, shown=5.3,
                   binary=False, alone=0.0077**2)  # fmt: skip
    assert growth(pair, 0.05).known.item() < 2.0
    assert math.isnan(times_needed(pair, 0.05).item())
    assert math.isnan(detectable_difference(pair).item())


@pytest.mark.parametrize(("df", "planned"), [(1.95, False), (2.05, True)])
def test_two_degrees_of_freedom_are_the_fewest(df, planned):
    pair = designs(method="t", bounded=False, df=df, clusters=df + 1.0)
    assert math.isnan(detectable_difference(pair).item()) != planned
    assert math.isnan(times_needed(pair, 1.0).item()) != planned


def test_a_model_near_an_end_has_a_plan_beside_one_far_from_it():
    """Means .001 and .33, 2,000 questions in 100 clusters: the variance is that of the other."""
    pair = designs(method="t", n=2000.0, clusters=100.0, df=99.0, se=0.025, mean_a=0.001,
                   mean_b=0.33, correlation=0.05, apart=0.33, shown=63.0,
                   alone=1.16e-4)  # fmt: skip
    pair = replace(pair, worth=np.array([100.0]), alike=np.array([100.0]))
    assert growth(pair, 0.02).known.item() > 30.0
    assert 0.005 < detectable_difference(pair).item() < 0.05


def test_skewness_and_the_tests_own_degrees_of_freedom():
    """By simulation: t of 19 from an SE of 6 degrees; and exponential scores, whose mean and SE err
    together: their skewness, 2 / sqrt(n), makes the needed ratio smaller.
    """
    ratio = assured_ratio(19.0, own_df=6.0).item()
    rng = np.random.default_rng(13)
    se = np.sqrt(rng.chisquare(6, 200_000) / 6)
    t = (rng.normal(size=200_000) + ratio) / se
    assert (t > scipy_stats.t.ppf(0.975, 19)).mean() == pytest.approx(0.8, abs=0.01)
    long_tail = {"skew": 2 / math.sqrt(40), "own_df": 2 / (2 / 39 + 6 / 40)}
    plain, skewed = (assured_ratio(39.0, **given).item() for given in ({}, long_tail))
    scores = rng.standard_exponential((40_000, 40)) - 1.0
    found = [
        ((scores.mean(axis=1) * math.sqrt(40) + c) / scores.std(axis=1, ddof=1)
         > scipy_stats.t.ppf(0.975, 39)).mean()
        for c in (plain, skewed)
    ]  # fmt: skip
    assert found[1] == pytest.approx(0.8, abs=0.02)
    assert abs(found[0] - 0.8) > abs(found[1] - 0.8)


def test_how_much_skewness_can_take_off():
    """z_.975 + z_.8 sqrt(1 - z_.975 skew) with all variances known, the root at least 1/2."""
    z_power = scipy_stats.norm.ppf(0.8)
    for skew, root in ((0.0, 1.0), (0.3, math.sqrt(1 - 0.3 * Z)), (0.6, 0.5)):
        assert assured_ratio(np.inf, skew=skew).item() == pytest.approx(Z + z_power * root)


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


@pytest.mark.parametrize("least", [0.8, 1.0, 1.1])
def test_an_se_that_has_a_least_value_keeps_its_power(least):
    """Simulated: 400,000 evals, 29 S^2 chi-squared, significant where c + Z > t max(S, least).
    As if S had no least value the last two have 0.77 and 0.73.
    """
    rng = np.random.default_rng(14)
    s = np.sqrt(rng.chisquare(29, 400_000) / 29)
    z, t = rng.standard_normal(400_000), scipy_stats.t.ppf(0.975, 29)
    c = assured(29.0, least=least).ratio.item()
    assert np.mean(c + z > t * np.maximum(s, least)) == pytest.approx(0.8, abs=0.004)


def test_clusters_that_mean_nearly_nothing_have_the_power_of_their_test():
    """Simulated: 30 clusters of 20 right or wrong answers of two models whose clusters mean
    nothing, 0.955 right. Tango's test counts no more than the 600 answers that there are, and kept
    0.775 of plans that left that out.
    """
    rng = np.random.default_rng(5)
    pair = expected_pair("binary", mean=0.955, cluster_size=20.0, icc_scores=1e-3)
    base = expected_design(pair)
    effect = detectable_difference(base, Plan(600 / KNOWN)).item()
    shares = np.array([0.955, 0.955 - effect])[:, None, None, None]
    a, b = (rng.random((2, 8000, 30, 20)) < shares).astype(float)
    gap = a - b
    value, size = gap.mean(axis=(1, 2)), np.abs(gap).mean(axis=2)
    sums = gap.sum(axis=2) - 20 * value[:, None]
    se = np.sqrt((sums**2).sum(axis=1) * 30 / 29) / 600
    ones, total, net = np.ones(8000), np.abs(gap).sum(axis=(1, 2)), gap.sum(axis=(1, 2))
    drawn = DifferenceArrays(
        value, se, 29.0 * ones, 600.0 * ones, 30.0 * ones, (total + net) / 2, (total - net) / 2,
        effective_number(size),
    )  # fmt: skip
    found = difference_ends(drawn, binary=True, share=True, level=0.95)[2] < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.015)


@pytest.mark.parametrize(
    ("difference", "se", "apart", "edge"),
    [(0.3, 0.1, 0.45, 2.5), (0.3, 0.13, 0.4, 2.0), (0.25, 0.09, 0.3, 2.4), (0.4, 0.14, 0.5, 2.6)],
)
def test_how_far_tangos_statistic_is_from_t(difference, se, apart, edge):
    """The root of x sqrt(1 - (x SE)^2 / A) = edge with A = apart - (d / apart) (d - x SE), by
    scipy's brentq, to 1 in 10,000 of x.
    """

    def off(x):
        far = min(x * se, difference)
        then = apart - difference / apart * (difference - far)
        return x * math.sqrt(max(1.0 - far * far / then, 0.0)) - edge

    root = optimize.brentq(off, edge, edge + 2.0)
    more = beyond_t(*(np.array([v]) for v in (difference, se, apart, edge))).item()
    assert more == pytest.approx(root - edge, abs=3e-5)
