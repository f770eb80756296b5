"""Plans of models that answer each question several times: against scipy's bivariate normal, and
against evals drawn here.
"""

import math

import numpy as np
import pytest
from scipy import special
from scipy import stats as scipy_stats

from reportkit.stats.planning.alternative import alternative, grown
from reportkit.stats.planning.assured import Known
from reportkit.stats.planning.certainty import certain_df
from reportkit.stats.planning.detectable import (
    PairDesigns,
    Plan,
    detectable_difference,
    times_needed,
)
from reportkit.stats.planning.discordance import discordance
from reportkit.stats.planning.several_answers import changed, question_law, share_powers

OWN, BOTH = 0.6, 0.45  # correlations of the normal variables behind right and wrong


def orthant(p: float, q: float, rho: float) -> float:
    """Both right, by scipy's bivariate normal law."""
    law = scipy_stats.multivariate_normal([0.0, 0.0], [[1.0, rho], [rho, 1.0]])
    return float(law.cdf([special.ndtri(p), special.ndtri(q)]))


def variance(p: float, q: float, k: float) -> float:
    """Of a question's difference: each model's shares vary, and its K answers; less what is common
    to both.
    """
    of_shares = [orthant(x, x, OWN) - x * x for x in (p, q)]
    noise = [(x * (1.0 - x) - v) / k for x, v in zip((p, q), of_shares, strict=True)]
    return sum(of_shares) + sum(noise) - 2.0 * (orthant(p, q, BOTH) - p * q)


def pair(mean: float, k: float, n: float = 1e6, **more) -> PairDesigns:
    """What a large eval of this law shows."""
    shares = orthant(mean, mean, OWN) - mean**2
    v = variance(mean, mean, k)
    values = {
        "method": "t", "n": n, "clusters": n, "se": math.sqrt(v / n), "df": n - 1.0,
        "bounded": True, "mean_a": mean, "mean_b": mean, "correlation": 0.5, "apart": 0.1,
        "shown": n / 3.0, "binary": False, "alone": v / n, "right": True,
        "within": 1.0 - shares / (mean * (1.0 - mean)), "answers": k,
    } | more  # fmt: skip
    return PairDesigns(**{name: np.array([x]) for name, x in values.items()})


def at(design: PairDesigns, difference: float, answers: float = 1.0):
    other = alternative(design)
    gap = np.array([difference])
    p10, p01 = discordance(other.share, gap, other.latent)
    return grown(design, other, gap, p10 + p01, answers)


def drawn(p: float, q: float, k: int, shape: tuple[int, ...], seed: int):
    """Right answers of both models in each question, of this law."""
    rng = np.random.default_rng(seed)
    z, a, b = rng.standard_normal((3, *shape))
    shares = (
        special.ndtr(
            (special.ndtri(m) + math.sqrt(BOTH) * z + math.sqrt(OWN - BOTH) * own)
            / math.sqrt(1.0 - OWN)
        )
        for m, own in ((p, a), (q, b))
    )
    return [rng.binomial(k, x) / k for x in shares]


@pytest.mark.parametrize("mean", [0.95, 0.7])
@pytest.mark.parametrize("k", [2, 10])
def test_the_variance_grows_as_that_of_the_law(mean, k):
    """At the same correlations of the normal variables, by scipy; 5% to 95% of the worse model."""
    for difference in (0.02, 0.1, 0.3):
        expected = variance(mean, mean - difference, k) / variance(mean, mean, k)
        assert at(pair(mean, k), difference).variance.item() == pytest.approx(expected, rel=5e-3)


def test_more_answers_grow_by_their_own_variance():
    """8 answers for each of 2: at the difference over at none, both with 8 (scipy)."""
    expected = variance(0.95, 0.9, 8) / variance(0.95, 0.95, 8)
    assert at(pair(0.95, 2), 0.05, 4.0).variance.item() == pytest.approx(expected, rel=5e-3)
    # a design that counts the 8 already is the same
    v = variance(0.95, 0.95, 8)
    counted = pair(0.95, 2, more=4.0, alone=v / 1e6, se=math.sqrt(v / 1e6))
    assert at(counted, 0.05).variance.item() == pytest.approx(expected, rel=5e-3)


def test_low_means_are_high_means_turned_over():
    high, low = (at(pair(m, 5), 0.04).variance.item() for m in (0.93, 0.07))
    assert high == pytest.approx(low, rel=1e-6)


@pytest.mark.parametrize("k", [2, 10])
def test_skewness_and_tails_are_those_of_drawn_questions(k):
    """.95 and .9, 2 million questions by numpy; the formula of fractions fails this."""
    a, b = drawn(0.95, 0.9, k, (2_000_000,), k)
    found = at(pair(0.95, k), 0.05)
    assert found.tails.skew.item() == pytest.approx(scipy_stats.skew(a - b), rel=0.02)
    assert found.tails.excess.item() == pytest.approx(scipy_stats.kurtosis(a - b), rel=0.03)
    # as a part of what it is at no difference, |a - b| within 10%
    same = drawn(0.95, 0.95, k, (2_000_000,), k)
    expected = np.abs(a - b).mean() / np.abs(same[0] - same[1]).mean()
    assert found.apart.item() / 0.1 == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(("mean", "k"), [(0.9, 2), (0.9, 10), (0.6, 4)])
def test_degrees_of_freedom_of_a_variance_and_of_what_more_answers_leave(mean, k):
    """2 E(V)^2 / Var(V) over 6,000 evals of 200 questions: of the variance of differences, and of
    that with three quarters of the answer noise, as each eval shows it, taken off.
    """
    a, b = drawn(mean, mean, k, (6_000, 200), 7)
    v = (a - b).var(axis=1, ddof=1)
    noise = ((a * (1.0 - a) + b * (1.0 - b)) / (k - 1)).mean(axis=1)
    known, left = (2.0 * x.mean() ** 2 / x.var() for x in (v, v - 0.75 * noise))
    found = at(pair(mean, k, n=200.0), 0.0, 4.0)
    assert found.known.item() == pytest.approx(known, rel=0.08)
    assert found.left.item() == pytest.approx(left, rel=0.12)
    assert found.floor.item() == pytest.approx(
        noise.mean() / 4 / (v - 0.75 * noise).mean(), rel=0.03
    )
    assert at(pair(mean, k, n=200.0), 0.0).floor.item() == 0.0  # no more answers


def test_a_floored_variance_by_simulation():
    """The root of max(1 + .5 Z, .6), 2 million draws; df 8 has that variance."""
    z = np.random.default_rng(3).standard_normal(2_000_000)
    root = np.sqrt(np.maximum(1.0 + 0.5 * z, 0.6))
    mean, spread = Known(8.0, 0.6).root()
    assert mean.item() == pytest.approx(root.mean(), abs=1e-3)
    assert spread.item() == pytest.approx(root.var(), abs=1e-3)


def test_a_plan_for_more_answers_counts_that_their_noise_is_the_least():
    """Of 8 answers for 2, 100 questions: the variance that is left has 6 degrees of freedom, and
    44% of it is noise. The ratio of difference and SE at which 80% of evals are significant, where
    the SE is the root of max(1 + sqrt(2 / 6) Z, .44): by 200,000 draws, within 4%.
    """
    design = pair(0.9, 2, n=100.0, shown=60.0)
    found = at(design, 0.0, 4.0)
    left, floor = float(found.left.item()), float(found.floor.item())
    assert left == pytest.approx(6.2, abs=0.2) and floor == pytest.approx(0.44, abs=0.01)
    v2, v8 = variance(0.9, 0.9, 2), variance(0.9, 0.9, 8)
    mde = detectable_difference(design, Plan(noise=v8 / v2, answers=4.0)).item()
    growth = at(design, mde, 4.0).variance.item()
    ratio = mde / math.sqrt(v8 * growth / 100.0)
    z, error = np.random.default_rng(5).standard_normal((2, 200_000))
    root = np.sqrt(np.maximum(1.0 + math.sqrt(2.0 / left) * z, floor))
    needed = np.quantile((scipy_stats.t.ppf(0.975, 99) - error) / root, 0.8)
    assert ratio == pytest.approx(needed, rel=0.04)


def test_what_clusters_add_is_not_answer_noise():
    """Half of the variance is the clusters'; answers without end leave three quarters or less of
    the other half, so that what grows is theirs in a larger part.
    """
    v = variance(0.9, 0.9, 2)
    n = 1000.0
    design = pair(0.9, 2, n=n, clusters=100.0, df=99.0, alone=v / n, se=math.sqrt(2 * v / n),
                  shown=90.0, worth=100.0, alike=100.0)  # fmt: skip
    v8 = variance(0.9, 0.9, 8)
    part = v8 / (v8 + v)
    own = variance(0.9, 0.8, 8) / v8
    joint = (1.0 + (0.16 / 0.09) ** 2) / 2.0
    found = at(design, 0.1, 4.0).variance.item()
    assert found == pytest.approx(part * own + (1.0 - part) * joint, rel=0.01)


def test_in_clusters_what_more_answers_leave_is_known_as_its_evals_show():
    """6,000 evals of 25 clusters of 8 questions, 2 answers each: CR2's variance of even clusters,
    less three quarters of the answer noise that each eval shows. 2 E(V)^2 / Var(V) of the rest over
    that of the whole is the square of the part that is left: noise is known far better. And so much
    of the rest is noise.
    """
    n, groups = 200, 25
    rng = np.random.default_rng(11)
    z, a, b = rng.standard_normal((3, 6_000, n))
    of_all, of_a, of_b = np.repeat(rng.standard_normal((3, 6_000, groups)), n // groups, axis=2)
    shared = math.sqrt(0.3) * z + math.sqrt(0.15) * of_all
    scores = [
        rng.binomial(2, special.ndtr((special.ndtri(0.9) + shared + x) / math.sqrt(1.0 - OWN))) / 2
        for x in (math.sqrt(0.1) * a + math.sqrt(0.05) * of_a,
                  math.sqrt(0.1) * b + math.sqrt(0.05) * of_b)
    ]  # fmt: skip
    gap = scores[0] - scores[1]
    sums = (gap - gap.mean(axis=1)[:, None]).reshape(6_000, groups, -1).sum(axis=2)
    v = (sums**2).sum(axis=1) / (1.0 - 1.0 / groups) / n  # n SE^2
    noise = sum(x * (1.0 - x) for x in scores).mean(axis=1)  # / (2 - 1)
    left = v - 0.75 * noise
    design = pair(0.9, 2, n=float(n), clusters=float(groups), df=groups - 1.0,
                  alone=gap.var(axis=1, ddof=1).mean() / n, se=math.sqrt(v.mean() / n),
                  shown=20.0, worth=float(groups), alike=float(groups))  # fmt: skip
    found = at(design, 0.0, 4.0)
    df, whole = (2.0 * x.mean() ** 2 / x.var() for x in (left, v))
    assert df / whole == pytest.approx((left.mean() / v.mean()) ** 2, rel=0.1)
    assert found.left.item() == found.known.item()
    assert found.floor.item() == pytest.approx(noise.mean() / 4 / left.mean(), rel=0.05)
    assert at(design, 0.0).floor.item() == 0.0


def test_in_clusters_too_a_plan_counts_that_the_noise_of_more_answers_is_the_least():
    """As without clusters: the variance that is left has known x left^2 degrees of freedom, and its
    part of noise is its least. By 200,000 draws of t's and the plan's SE, within 4%.
    """
    v, v8, n = variance(0.9, 0.9, 2), variance(0.9, 0.9, 8), 1000.0
    design = pair(0.9, 2, n=n, clusters=40.0, df=39.0, alone=v / n, se=math.sqrt(1.4 * v / n),
                  shown=36.0, worth=40.0, alike=40.0)  # fmt: skip
    noise = (v8 + 0.4 * v) / (1.4 * v)
    mde = detectable_difference(design, Plan(noise=noise, answers=4.0)).item()
    found = at(design, mde, 4.0)
    left, floor = found.left.item() * noise**2, found.floor.item()
    ratio = mde / math.sqrt(1.4 * v * noise * found.variance.item() / n)
    z, error = np.random.default_rng(5).standard_normal((2, 200_000))
    own = certain_df(design, found.tails.excess).item()
    chi = np.sqrt(np.random.default_rng(6).chisquare(own, 200_000) / own)
    root = np.sqrt(np.maximum(1.0 + math.sqrt(2.0 / left) * z, floor))
    needed = np.quantile((scipy_stats.t.ppf(0.975, 39) * chi - error) / root, 0.8)
    assert ratio == pytest.approx(needed, rel=0.04)


def test_no_answer_noise_leaves_the_power_of_fractions():
    """Where it is not known, (1 + (v_2 / v_1)^1.25) / 2, v = p (1 - p)."""
    unknown = pair(0.9, 2, within=math.nan, n=1e5)
    expected = (1.0 + (0.24 / 0.09) ** 1.25) / 2.0
    assert at(unknown, 0.3).variance.item() == pytest.approx(expected, rel=1e-3)
    assert not alternative(unknown).several
    assert not alternative(pair(0.9, 1, binary=True)).several
    assert not alternative(pair(0.9, 2, right=False)).several


def test_questions_needed_from_a_large_eval_have_their_power():
    """10 answers, .95: the questions for 5 points, scipy's t test of 20,000 evals of that size."""
    large = pair(0.95, 10)
    n = math.ceil(times_needed(large, 0.05).item() * 1e6)
    a, b = drawn(0.95, 0.9, 10, (20_000, n), 1)
    p = scipy_stats.ttest_rel(a, b, axis=1).pvalue
    assert 0.77 < float((p < 0.05).mean()) < 0.84


def test_pairs_do_not_touch_each_other():
    """Rows with several answers and with one, in one array: each as alone."""
    designs = [pair(0.95, 10, n=300.0, shown=90.0), pair(0.8, 4, n=200.0, shown=90.0),
               pair(0.9, 1, n=200.0, binary=True, right=True, method="tango")]  # fmt: skip
    names = PairDesigns.__dataclass_fields__
    many = PairDesigns(**{
        f: np.concatenate([getattr(d, f) for d in designs])
        for f in names if getattr(designs[0], f) is not None
    })  # fmt: skip
    alone = [detectable_difference(d).item() for d in designs]
    assert detectable_difference(many) == pytest.approx(alone, rel=1e-9)


def test_shares_that_are_the_same_in_every_question_are_binomial():
    """scipy's binomial moments; and a growth of .3 / .18."""
    one = np.ones(1)
    a, b = (share_powers(p * one, 0.0 * one, 0.0 * one) for p in (0.9, 0.7))
    q = question_law(a, b, one / 7)
    laws = [scipy_stats.binom(7, p) for p in (0.9, 0.7)]
    var, third, fourth = (
        sum(sign**m * float(f(law)) / 7**m for sign, law in zip((1, -1), laws, strict=True))
        for m, f in (
            (2, lambda x: x.var()),
            (3, lambda x: x.stats("s") * x.std() ** 3),
            (4, lambda x: x.stats("k") * x.var() ** 2),
        )
    )
    assert q.variance.item() == pytest.approx(var)
    assert q.skew.item() == pytest.approx(third / var**1.5)
    assert q.excess.item() == pytest.approx(fourth / var**2)
    # the mean of the squared difference is its variance and .2^2
    assert q.certain.item() == pytest.approx(q.apart.item() ** 2 / (var + 0.2**2))
    independent = pair(0.9, 7, within=1.0, alone=2 * 0.09 / 7 / 1e6)
    law = alternative(independent).several
    assert changed(law, np.array([0.2])).variance.item() == pytest.approx(0.3 / 0.18, rel=1e-3)


@pytest.mark.parametrize("k", [1, 2, 4, 8])
def test_answers_right_half_of_the_time_differ_as_two_binomials(k):
    """The mean of |a - b| of shares of 1/2, the sum over both laws by scipy: within 1%."""
    chance = scipy_stats.binom.pmf(np.arange(k + 1), k, 0.5)
    gap = np.abs(np.subtract.outer(np.arange(k + 1), np.arange(k + 1))) / k
    one = np.ones(1)
    half = share_powers(0.5 * one, 0.0 * one, 0.0 * one)
    found = question_law(half, half, one / k).apart.item()
    assert found == pytest.approx(chance @ gap @ chance, rel=0.01)
