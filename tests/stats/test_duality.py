"""An interval excludes 0 exactly where its p-value is below 1 - level: for every pair, whatever the
method that its scores, its clusters and its luck give it.
"""

import numpy as np
import pytest
from scipy import special

from reportkit import stats

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
METHODS = {"t", "tango", "tango-effective", "tango-clusters", "none"}


def violations(low, high, p_value, level) -> np.ndarray:
    """Pairs, of any shape, whose interval and p-value tell two stories: one says that 0 is out and
    the other does not, or one of them alone is there.
    """
    low, high, p_value = (np.asarray(v, dtype=float) for v in (low, high, p_value))
    excludes = (low > 0.0) | (high < 0.0)
    return excludes != (p_value < 1.0 - level)


# Enumerated ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_every_pair_of_up_to_30_questions(level):
    """All 5,452 ways in which 2 to 30 questions are right for one model alone, the other alone, or
    alike; the corner where one model alone has every question right among them.
    """
    cases = [(b, c, n) for n in range(2, 31) for b in range(n + 1) for c in range(n + 1 - b)]
    assert len(cases) == 5452
    b, c, n = (np.array(v) for v in zip(*cases, strict=True))
    low, high = stats.tango_interval(b, c, n, level)
    p = np.array([stats.mcnemar_p_value(*pair) for pair in zip(b, c, strict=True)])
    assert not violations(low, high, p, level).any()
    assert (violations(low, high, np.minimum(1.0, 2.0 * p), level)).any()  # the check can fail


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_one_model_alone_has_every_question_right(sign, level):
    """Z(D) = sqrt(n (1-D)/(1+D)) there, so Tango's low end is (n - z^2)/(n + z^2) and p is that of
    z = sqrt(n), as McNemar's of n discordant questions: 0.0253 of five.
    """
    z = special.ndtri(0.5 + level / 2.0)
    for n in range(2, 31):
        a, b = (np.ones(n), np.zeros(n))[:: int(sign)]
        found = [stats.paired_difference(a, b, binary=True, level=level)]
        clusters = np.repeat(np.arange(n), 3)
        repeated = np.repeat(a, 3), np.repeat(b, 3), clusters
        found += [
            stats.paired_difference(*repeated, binary=True, level=level),
            stats.paired_difference(a, b, share=True, level=level),
        ]
        assert [d.interval.method for d in found] == [
            "tango",
            "tango-clusters",
            "tango-clusters" if n >= 4 else "none",
        ]
        for d in found[: 3 if n >= 4 else 2]:
            near, far = sorted([sign * d.interval.low, sign * d.interval.high])
            assert (near, far) == (pytest.approx((n - z * z) / (n + z * z), abs=1e-12), 1.0)
            assert d.p_value == pytest.approx(2.0 * special.ndtr(-np.sqrt(n)), rel=1e-12)
            assert not violations(d.interval.low, d.interval.high, d.p_value, level)
        pairs = stats.all_pairs(np.column_stack([a, b]), binary=True, level=level)
        assert not violations(pairs.low, pairs.high, pairs.p_value, level).any()
    five = stats.paired_difference(np.ones(5), np.zeros(5), binary=True)
    assert round(five.p_value, 4) == 0.0253 and five.interval.low > 0.0


# Drawn --------------------------------------------------------------------------------------------


def drawn(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, dict]:
    """Two models' scores and clusters, and what is known of them: 3 to 200 questions, alike or
    apart, with few or no differences or with all of one kind.
    """
    n = int(np.exp(rng.uniform(np.log(3.0), np.log(200.999))))
    kind = rng.choice(["binary", "share", "epochs", "units"])
    mean, apart = rng.choice([0.02, 0.3, 0.5, 0.9, 0.99, 1.0]), rng.choice([0.0, 0.05, 0.3, 1.0])
    codes = rng.integers(0, rng.integers(2, n + 1), n)
    theta = rng.beta(5.0 * mean + 1e-3, 5.0 * (1.0 - mean) + 1e-3, n)[codes]
    if kind == "binary":
        scores = (rng.random((2, n)) < theta).astype(float)
    elif kind == "epochs":
        scores = rng.binomial(4, theta, (2, n)) / 4.0
    else:
        scores = rng.beta(4.0 * theta + 1e-3, 4.0 * (1.0 - theta) + 1e-3, (2, n)).round(3)
    a = scores[0]
    b = np.where(rng.random(n) < apart, rng.choice([scores[1], 1.0 - a]), a)
    if kind == "units":
        a, b = 73.0 * a, 73.0 * b
    clusters = codes if rng.random() < 0.6 else None
    return a, b, clusters, {"binary": kind == "binary", "share": kind != "units"}


def check(count: int, seed: int) -> dict[str, int]:
    """How many pairs of each method were drawn; every one is tried at one level, one by one and as
    a pair among all.
    """
    rng = np.random.default_rng(seed)
    methods = dict.fromkeys(METHODS, 0)
    for _ in range(count):
        a, b, clusters, known = drawn(rng)
        level = float(rng.choice(LEVELS))
        one = stats.paired_difference(a, b, clusters, **known, level=level)
        methods[one.interval.method] += 1
        many = stats.all_pairs(np.column_stack([a, b]), clusters, **known, level=level)
        found = (
            (one.interval.low, one.interval.high, one.p_value),
            (many.low[0], many.high[0], many.p_value[0]),
        )
        for low, high, p in found:
            if one.interval.method == "none":
                assert np.isnan(low) and np.isnan(high) and (np.isnan(p) or p == 1.0)
                continue
            assert not violations(low, high, p, level), (a, b, clusters, known, level)
            assert low <= one.estimate.value <= high
            if known["share"]:
                assert low >= -1.0 and high <= 1.0
    return methods


def test_random_pairs():
    assert min(check(700, seed=1).values()) > 20  # every method comes up


@pytest.mark.slow
def test_a_hundred_thousand_random_pairs():
    methods = check(100_000, seed=2)
    assert sum(methods.values()) == 100_000 and min(methods.values()) > 1000


def test_a_t_interval_of_shares_ends_at_the_scale():
    """Ten differences, nine of 1 and one of .3: .93 +- 2.262 * .07 would end at 1.088, but no
    difference of shares is above 1. The truth is not there either, so coverage is the same.
    """
    d = np.array([0.3] + [1.0] * 9)
    half = special.stdtrit(9, 0.975) * d.std(ddof=1) / np.sqrt(10)
    assert half == pytest.approx(2.262 * 0.07, abs=1e-4)
    for a, b in ((d, np.zeros(10)), (np.zeros(10), d)):
        sign = np.sign(a.mean() - b.mean())
        many = stats.all_pairs(np.column_stack([a, b]), share=True)
        one = stats.paired_difference(a, b, share=True)
        for low, high in (
            (one.interval.low, one.interval.high),
            (float(many.low[0]), float(many.high[0])),
        ):
            near, far = sorted([sign * low, sign * high])
            assert (near, far) == (pytest.approx(0.93 - half), 1.0)
        assert one.interval.method == "t"
        # of unknown scale: not cut off
        free = stats.paired_difference(a, b, binary=False, share=False).interval
        assert max(abs(free.low), abs(free.high)) == pytest.approx(0.93 + half)
