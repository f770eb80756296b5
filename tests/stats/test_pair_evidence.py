"""Which pairs of shares surely differ in enough clusters, against a look at each pair."""

import numpy as np
import pytest

from reportkit import stats
from reportkit.stats.clusters import cluster_means
from reportkit.stats.evidence import dense, effective_number
from reportkit.stats.pairs.evidence import surely_dense_in_clusters


def looked_at(s, codes, i, j):
    """Of one pair: common questions, clusters, effective number of clusters that show a difference,
    and the bound sum over clusters of sum d^2 / size, all by a loop over clusters.
    """
    d = np.abs(s[:, i] - s[:, j])
    common = ~np.isnan(d)
    shown = effective_number(cluster_means(d[common], codes[common]))
    bound = 0.0
    for c in np.unique(codes):
        bound += float(np.nansum(d[codes == c] ** 2)) / np.count_nonzero(codes == c)
    return common.sum(), len(np.unique(codes[common])), float(shown), bound


def designs():
    """Shares where some pairs differ in enough of 400 clusters by the bound, some by a look alone,
    and some not at all.
    """
    rng = np.random.default_rng(20240919)
    codes = rng.permutation(np.repeat(np.arange(400), rng.integers(1, 9, 400)))
    apart = rng.random(14) * 0.9  # how often a model is off
    apart[[0, 1, 7, 8]] = 0.02
    off = rng.random((len(codes), 14)) < apart
    s = np.where(off, rng.random((len(codes), 14)), 1.0)
    s[:, 7:] = np.where(off[:, 7:], 0.0, 1.0)
    yield s, codes
    missing = s.copy()
    missing[rng.random(s.shape) < 0.2] = np.nan
    missing[codes < 50, 3] = np.nan
    yield missing, codes


@pytest.mark.parametrize("s, codes", designs(), ids=["complete", "missing"])
def test_pairs_are_sure_where_the_bound_says_so(s, codes):
    i, j = np.triu_indices(s.shape[1], 1)
    one_by_one = [looked_at(s, codes, *pair) for pair in zip(i, j, strict=True)]
    n, clusters, shown, bound = map(np.array, zip(*one_by_one, strict=True))
    sure = surely_dense_in_clusters(s, codes, (i, j), clusters, n)
    assert sure.tolist() == dense(bound, clusters, n).tolist()
    assert (shown >= bound).all() and dense(shown, clusters, n)[sure].all()
    # the design has pairs of each kind
    assert (
        sure.any()
        and (dense(shown, clusters, n) & ~sure).any()
        and (~dense(shown, clusters, n)).any()
    )


@pytest.mark.parametrize("apart", [slice(0, 75_000), slice(100_000, 175_000)])
def test_the_sum_goes_on_until_all_pairs_have_enough(apart):
    """2 models in 350 clusters of 500 questions, which differ by 1 in 150 of the clusters, all in
    the first block of rows (100,000 of them) or all after it; 100 clusters are enough.
    """
    s = np.ones((175_000, 2))
    s[apart, 1] = 0.0
    codes = np.repeat(np.arange(350), 500)
    pair, one = (np.array([0]), np.array([1])), np.array([350])
    assert surely_dense_in_clusters(s, codes, pair, one, np.array([175_000])).all()
    s[apart, 1] = np.where(codes[apart] % 3 == 0, 1.0, 0.0)  # 100 clusters: no more than a tie
    assert not surely_dense_in_clusters(s, codes, pair, one, np.array([175_000])).any()


@pytest.mark.parametrize("s, codes", designs(), ids=["complete", "missing"])
def test_every_pair_is_still_that_of_paired_difference(s, codes):
    """Few pairs are looked at one by one, many by the bound first: the same numbers, whichever."""
    pairs = stats.all_pairs(s, codes)
    for k in range(len(pairs.first)):
        a, b = s[:, pairs.first[k]], s[:, pairs.second[k]]
        common = ~(np.isnan(a) | np.isnan(b))
        one = stats.paired_difference(a[common], b[common], codes[common], binary=False, share=True)
        mine = [x[k] for x in (pairs.low, pairs.high, pairs.p_value)]
        expected = [one.interval.low, one.interval.high, one.p_value]
        assert mine == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert pairs.method[k] == one.interval.method
