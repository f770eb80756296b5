"""The confidence set for the best of many models: by a plain count, and by simulation."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit import stats

ALPHA = 0.05


def matrix(scores: np.ndarray) -> np.ndarray:
    """One-sided p of scipy's paired t test, row better than column."""
    m = scores.shape[1]
    p = np.full((m, m), np.nan)
    for i in range(m):
        for j in range(m):
            if i != j:
                test = scipy_stats.ttest_rel(scores[:, i], scores[:, j], alternative="greater")
                p[i, j] = test.pvalue
    return p


def test_one_sided_p_values_are_scipys():
    s = np.random.default_rng(1).normal(size=(20, 5))
    np.testing.assert_allclose(stats.ahead(stats.all_pairs(s), 5), matrix(s), rtol=1e-9)
    turned = stats.ahead(stats.all_pairs(-s), 5, lower=True)
    np.testing.assert_allclose(turned, matrix(s), rtol=1e-9)


def by_counting(means: np.ndarray, p: np.ndarray) -> tuple[set[int], set[int], list, list]:
    """Bold, untold, and the ends of the rank sets, model by model, from the words of best_set."""
    m = len(means)
    rivals = [max(1, sum(p[i, j] > ALPHA / 2 for j in range(m) if j != i)) for i in range(m)]
    chiefs = [max(1, sum(p[j, i] > ALPHA / 2 for j in range(m) if j != i)) for i in range(m)]
    worse = {i for i in range(m) if any(p[j, i] * rivals[i] < ALPHA for j in range(m) if j != i)}
    bold = {
        i
        for i in range(m)
        if i not in worse and not any(means[j] > means[i] for j in worse)
    }  # fmt: skip
    untold = set(range(m)) - worse - bold
    low, high = [], []
    for i in range(m):
        before = sum(2 * p[j, i] * rivals[i] < ALPHA for j in range(m) if j != i)
        after = sum(2 * p[i, j] * chiefs[i] < ALPHA for j in range(m) if j != i)
        low.append(max(1 + before, 1 + (i in worse)))
        high.append(max(m - after, low[-1]))
        if bold == {i} and len(worse) == m - 1:
            high[-1] = 1
        if i in untold:
            low[-1] = high[-1] = np.nan
    return bold, untold, low, high


def test_the_set_is_what_its_words_say():
    """120 evals of 2 to 7 models, some with much more spread than others."""
    rng, marked = np.random.default_rng(4), 0
    for _ in range(120):
        m = int(rng.integers(2, 8))
        spread, truth = rng.choice([0.2, 1.0, 4.0], size=m), rng.choice([0.0, 0.5, 2.0], size=m)
        s = truth + spread * rng.normal(size=(12, m)) + rng.normal(size=(12, 1))
        p = matrix(s)
        found = stats.best_set(s.mean(axis=0), p)
        bold, untold, low, high = by_counting(s.mean(axis=0), p)
        assert set(np.flatnonzero(found.bold)) == bold
        assert set(np.flatnonzero(found.untold)) == untold
        np.testing.assert_array_equal(found.low, low)
        np.testing.assert_array_equal(found.high, high)
        marked += len(untold)
    assert marked > 10


def test_lower_turns_everything_round():
    s = np.random.default_rng(3).normal(size=(30, 4)) + [0.0, 0.3, 0.6, 2.0]
    one = stats.best_set(s.mean(axis=0), matrix(s))
    other = stats.best_set(-s.mean(axis=0), matrix(s), lower=True)
    for name in ("bold", "untold", "low", "high", "rivals"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_what_another_test_found_leaves_the_set():
    p = np.array([[np.nan, 0.3], [0.7, np.nan]])
    means, found = np.array([0.6, 0.5]), np.array([[False, True], [False, False]])
    assert stats.best_set(means, p).bold.tolist() == [True, True]
    one = stats.best_set(means, p, found=found)
    assert (one.bold.tolist(), one.low.tolist(), one.high.tolist()) == (
        [True, False],
        [1, 2],
        [1, 2],
    )


def test_without_a_mean_or_a_test_nothing_is_said():
    p = np.full((3, 3), np.nan)
    p[0, 1], p[1, 0] = 0.2, 0.8
    found = stats.best_set(np.array([0.5, 0.4, 0.3]), p)
    assert found.bold.tolist() == [True, True, False] and found.untold.tolist() == [False] * 2 + [
        True
    ]
    # The highest mean without a test: those below it are not bold.
    top = stats.best_set(np.array([0.5, 0.4, 0.9]), p)
    assert not top.bold.any() and top.untold.all()
    none = stats.best_set(np.array([0.5, 0.4, np.nan]), p)
    assert none.bold.tolist() == [True, True, False] and not none.untold.any()
    assert none.high[:2].tolist() == [2, 2] and np.isnan(none.high[2])
    with pytest.raises(ValueError, match="M means need an M x M matrix"):
        stats.best_set(np.zeros(3), np.zeros((2, 2)))


@pytest.mark.parametrize("pattern", ["equal", "two tied", "steady best"])
def test_the_best_model_is_left_out_no_more_than_promised(pattern):
    """3,000 evals of 6 models, 60 questions; two SEs of simulation above 5% would be a finding.

    "steady best": its scores hardly vary, so its differences are nearly independent; Holm's
    step-down over the comparisons with the highest mean leaves it out in 6% there.
    """
    rng, runs, out, sizes = np.random.default_rng(8), 3000, 0, 0
    truth = np.array([0.0, 0.0, -2.0, -2.0, -2.0, -2.0]) if pattern == "two tied" else np.zeros(6)
    spread = np.ones(6)
    if pattern == "steady best":
        spread[0] = 0.1
    for _ in range(runs):
        s = truth + spread * rng.normal(size=(60, 6))
        p = stats.ahead(stats.all_pairs(s), 6)
        found = stats.best_set(s.mean(axis=0), p)
        possible = found.bold | found.untold
        out, sizes = out + (not possible[0]), sizes + possible.sum()
    assert out / runs <= ALPHA + 2 * (ALPHA * (1 - ALPHA) / runs) ** 0.5
    if pattern == "two tied":  # the level is used, where Bonferroni over 5 would use a fifth
        assert out / runs > 0.035 and sizes / runs < 2


def test_of_equal_means_neither_lies_below_the_other():
    """The third is ahead of the first for certain, of the second perhaps; both have its mean."""
    p = np.array([[np.nan, 0.5, 0.999], [0.5, np.nan, 0.8], [0.001, 0.2, np.nan]])
    for gap, bold in ((0.0, True), (1e-15, True), (1e-6, False)):
        found = stats.best_set(np.array([0.5, 0.5 - gap, 0.6]), p)
        assert found.bold.tolist() == [False, bold, True] and found.untold[1] != bold
