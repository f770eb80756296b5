"""All pairs at once against the two-model function on each pair: the definition the products must reproduce."""

import itertools

import numpy as np
import pytest

from reportkit.stats import all_pairs, paired_difference


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("groups", [None, 1, 5, 60])
@pytest.mark.parametrize("n", [2, 3, 8, 40, 200])
def test_all_pairs_equal_each_pair(binary, missing, groups, n):
    rng = np.random.default_rng(n)
    scores = rng.random((n, 7))
    if binary:
        scores = (scores > 0.3).astype(float)
    # Identical, constant and opposite models are where subtraction of sums goes wrong.
    scores[:, 1], scores[:, 2], scores[:, 3], scores[:, 4] = scores[:, 0], 1.0, 0.0, 1.0 - scores[:, 0]
    if missing:
        holes = rng.random(scores.shape) < 0.2
        holes[0] = False  # every pair keeps a common question
        scores[holes] = np.nan
    clusters = None if groups is None else rng.integers(0, groups, n)
    pairs = all_pairs(scores, clusters, binary=binary)
    assert list(zip(pairs.first, pairs.second, strict=True)) == list(itertools.combinations(range(7), 2))
    for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        a, b = scores[:, i], scores[:, j]
        common = ~np.isnan(a) & ~np.isnan(b)
        one = paired_difference(a[common], b[common], None if clusters is None else clusters[common], binary=binary)
        e = one.estimate
        expected = [e.value, e.se, e.df, one.interval.low, one.interval.high, one.p_value, one.correlation]
        fields = ("difference", "se", "df", "low", "high", "p_value", "correlation")
        found = [getattr(pairs, name)[k] for name in fields]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11, err_msg=f"{i}-{j}: {fields}")
        assert (pairs.method[k], pairs.n_questions[k]) == (one.interval.method, e.n_questions)
        assert pairs.n_clusters[k] == e.n_clusters


def test_no_common_question_is_undefined_and_leaves_the_other_pairs_alone():
    nan = np.nan
    scores = np.array([[1.0, nan, 1.0], [0.0, nan, 1.0], [nan, 1.0, 0.0], [nan, 0.0, 1.0]])
    pairs = all_pairs(scores)
    assert pairs.n_questions.tolist() == [0, 2, 2]
    assert np.isnan([pairs.difference[0], pairs.se[0], pairs.p_value[0], pairs.low[0]]).all()
    assert pairs.difference[1:].tolist() == [-0.5, 0.0]
