"""All pairs at once against the two-model function on each pair: the definition the products must
reproduce.
"""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.stats import all_pairs, holm, mcnemar_p_value, paired_difference, tango_interval
from reportkit.stats.pairs import every as pairs_module
from reportkit.stats.pairs import missing as missing_module

SE_KINDS = ("cr2", "cr1", "cr0", "clt")
NUMBERS = ("difference", "se", "df", "low", "high", "p_value", "correlation")


def compare(scores, clusters, *, binary=False, share=False, se="cr2", spread=1.0):
    """Every field of every pair against paired_difference: 1e-12 of the spread of the scores, and
    no nan in one only.
    """
    pairs = all_pairs(scores, clusters, binary=binary, share=share, se=se)
    m = scores.shape[1]
    assert list(zip(pairs.first, pairs.second, strict=True)) == list(
        itertools.combinations(range(m), 2)
    )
    flags = np.broadcast_to(np.asarray(binary), (m,))
    for k, (i, j) in enumerate(itertools.combinations(range(m), 2)):
        a, b = scores[:, i], scores[:, j]
        common = ~np.isnan(a) & ~np.isnan(b)
        found = [getattr(pairs, name)[k] for name in NUMBERS]
        if not common.any():
            assert np.isnan(found).all() and (pairs.n_questions[k], pairs.n_clusters[k]) == (0, 0)
            continue
        own = None if clusters is None else clusters[common]
        both = bool(flags[i] and flags[j])
        one = paired_difference(a[common], b[common], own, binary=both, share=share, se=se)
        e = one.estimate
        expected = [
            e.value,
            e.se,
            e.df,
            one.interval.low,
            one.interval.high,
            one.p_value,
            one.correlation,
        ]
        np.testing.assert_allclose(
            found[:2], expected[:2], rtol=1e-12, atol=1e-12 * spread, err_msg=f"{i}-{j}"
        )
        np.testing.assert_allclose(
            found[2:], expected[2:], rtol=1e-9, atol=1e-11 * spread, err_msg=f"{i}-{j}"
        )
        assert (pairs.method[k], pairs.n_questions[k]) == (one.interval.method, e.n_questions)
        assert pairs.n_clusters[k] == e.n_clusters
        apart = (a - b)[common]
        sem = apart.std(ddof=1) / math.sqrt(len(apart)) if len(apart) > 1 else math.nan
        np.testing.assert_allclose(
            pairs.se_unclustered[k], sem, rtol=1e-9, atol=1e-9 * spread, err_msg=f"{i}-{j}"
        )
    np.testing.assert_array_equal(pairs.p_adjusted, holm(pairs.p_value))
    return pairs


@pytest.mark.parametrize("se", SE_KINDS)
@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("groups", [None, 1, 5, 60])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 200])
def test_all_pairs_equal_each_pair(binary, missing, groups, n, se):
    rng = np.random.default_rng(n)
    scores = rng.random((n, 7))
    if binary:
        scores = (scores > 0.3).astype(float)
    # Identical, constant and opposite models are where subtraction of sums goes wrong.
    scores[:, 1], scores[:, 2], scores[:, 3], scores[:, 4] = (
        scores[:, 0],
        1.0,
        0.0,
        1.0 - scores[:, 0],
    )
    if missing:
        holes = rng.random(scores.shape) < 0.2
        holes[0] = False  # every pair keeps a common question
        scores[holes] = np.nan
    compare(scores, None if groups is None else rng.integers(0, groups, n), binary=binary, se=se)


@pytest.mark.parametrize("share", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("n", "groups"), [(3, None), (9, None), (400, None), (60, 3), (60, 20), (600, 60), (3000, 400)]
)
def test_shares_that_differ_in_few_clusters(n, groups, missing, share):
    """From every question to one in a hundred: t, score intervals and none, as paired_difference
    chooses.
    """
    rng = np.random.default_rng(n)
    base = rng.random(n)
    scores = np.column_stack(
        [np.where(rng.random(n) < f, rng.random(n), base) for f in (0.01, 0.05, 0.2, 0.6, 1.0)]
    )
    if missing:
        scores[1:][rng.random((n - 1, 5)) < 0.1] = np.nan
    clusters = None if groups is None else rng.integers(0, groups, n)
    pairs = compare(scores, clusters, share=share)
    compare(
        (scores > 0.3) + np.where(np.isnan(scores), np.nan, 0.0), clusters, binary=True, share=share
    )
    if n == 3000 and share:
        assert {"t", "tango-effective"} <= set(pairs.method)


@pytest.mark.parametrize("se", SE_KINDS)
@pytest.mark.parametrize("clustered", [False, True])
def test_some_models_binary(clustered, se):
    rng = np.random.default_rng(5)
    scores = rng.random((50, 5))
    binary = np.array([True, False, True, True, False])
    scores[:, binary] = scores[:, binary].round()
    clusters = rng.integers(0, 9, 50) if clustered else None
    compare(scores, clusters, binary=binary, se=se)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    compare(scores, clusters, binary=binary, se=se)


@pytest.mark.parametrize("se", SE_KINDS)
def test_holes_of_every_shape(se):
    """Whole clusters, whole stretches, all but one question, all but one cluster; everything."""
    rng = np.random.default_rng(6)
    n = 120
    clusters = np.repeat(np.arange(30), 4)
    clusters[100:] = 99  # one of twenty
    scores = rng.random((n, 8))
    scores[clusters < 5, 0] = np.nan
    scores[:90, 1] = np.nan
    scores[:, 2] = np.nan
    scores[7, 2] = 0.25
    scores[clusters != 11, 3] = np.nan
    scores[:, 4] = np.nan
    scores[rng.random(n) < 0.5, 5] = np.nan
    pairs = compare(scores, clusters, se=se)
    compare(scores, None, se=se)
    compare(scores, rng.permutation(clusters), se=se)
    assert set(pairs.n_questions[pairs.first == 2]) == {0, 1}
    one_cluster = (pairs.first == 3) & (pairs.second == 6)
    assert (pairs.n_questions[one_cluster], pairs.n_clusters[one_cluster]) == (4, 1)
    assert math.isnan(pairs.se[one_cluster][0]) == (se != "clt")


@pytest.mark.parametrize("offset", [0.0, -1e6, 1e6 + 0.1])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("clustered", [False, True])
def test_scores_far_from_zero_lose_no_digits(offset, missing, clustered):
    rng = np.random.default_rng(7)
    scores = offset + rng.random((3000, 4))
    scores[:, 3] = scores[:, 2] + 1e-2 * rng.random(3000)
    scores[rng.random(scores.shape) < missing] = np.nan
    compare(scores, rng.integers(0, 200, 3000) if clustered else None)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_models_that_hardly_differ(clustered, missing):
    """Differences of a millionth of the scores: their variance is 1e-12 of what the products
    subtract.
    """
    rng = np.random.default_rng(8)
    scores = rng.random((400, 1)) + 1e-6 * rng.random((400, 4))
    scores[:, 3] = scores[:, 0] + 0.125  # a constant difference, to rounding
    if missing:
        scores[rng.random(scores.shape) < 0.1] = np.nan
    clusters = rng.integers(0, 40, 400) if clustered else None
    pairs = compare(scores, clusters)
    for k in range(3):  # to nine digits of their own, not only of the scores
        a, b = scores[:, pairs.first[k]], scores[:, pairs.second[k]]
        common = ~np.isnan(a - b)
        one = paired_difference(
            a[common], b[common], None if clusters is None else clusters[common]
        )
        assert pairs.se[k] == pytest.approx(one.estimate.se, rel=1e-9)


def test_the_missing_block_differs_from_the_rest():
    """Scores missing where they are high: every pair's mean is far from its models' own means."""
    rng = np.random.default_rng(9)
    scores = rng.random((300, 5))
    scores[200:] += 50.0
    scores[200:, 0] = np.nan
    scores[250:, 1] = np.nan
    for clusters in (None, np.arange(300) // 7):
        for se in SE_KINDS:
            compare(scores, clusters, se=se, spread=50.0)


@pytest.mark.parametrize("share", [0.001, 0.02])
@pytest.mark.parametrize("se", SE_KINDS)
def test_questions_and_clusters_that_everyone_has(share, se):
    """Most questions, or most clusters, have no hole: they go through plain products."""
    rng = np.random.default_rng(11)
    scores = rng.random((500, 6))
    holes = rng.random(scores.shape) < share
    holes[17, 3] = True
    scores[holes] = np.nan
    clusters = rng.integers(0, 90, 500)
    assert 0.5 < (~holes.any(axis=1)).mean() < 1.0
    compare(scores, None, se=se)
    compare(scores, clusters, se=se)
    scores[:100, 2] = np.nan
    compare(1e6 + scores, np.sort(clusters), se=se)


@pytest.mark.parametrize("se", SE_KINDS)
@pytest.mark.parametrize(
    "shape", ["a block", "scattered", "a model without a score", "one cluster"]
)
def test_models_that_share_their_missing_questions(shape, se):
    """Few patterns of missing questions: a product of cluster sums for each pair of patterns."""
    rng = np.random.default_rng(12)
    n, m = 240, 14
    scores = rng.random((n, 1)) + rng.random((n, m))
    clusters = rng.integers(0, 50, n)
    if shape == "a block":
        scores[np.ix_(clusters < 20, range(5))] = np.nan
        scores[np.ix_(clusters > 40, range(9, 12))] = np.nan
    elif shape == "scattered":
        for pattern in range(3):
            scores[np.ix_(rng.random(n) < 0.1, range(pattern, m, 4))] = np.nan
    elif shape == "a model without a score":
        scores[:, 3] = np.nan
        scores[np.ix_(rng.random(n) < 0.3, [4, 5, 6])] = np.nan
    else:
        scores[np.ix_(clusters != 11, range(4))] = np.nan
    assert missing_module.patterns_of(scores).few
    compare(scores, clusters, se=se)
    compare(scores, None, se=se)
    compare(1e6 + scores, np.sort(clusters), se=se)


def test_cluster_sums_that_cancel_are_done_again():
    """The models differ from question to question, and by 1e-3 in the sum of a cluster: a product
    of cluster sums has too few digits left.
    """
    rng = np.random.default_rng(13)
    n, m = 400, 8
    clusters = np.repeat(np.arange(100), 4)
    level = np.repeat(10.0 * rng.random(100), 4)
    sway = np.tile([1.0, -1.0, 1.0, -1.0], 100)
    scores = np.column_stack([level + rng.random() * sway + 1e-3 * rng.random(n) for _ in range(m)])
    scores[np.ix_(clusters < 10, range(4))] = np.nan
    pairs = compare(scores, clusters)
    for k in range(0, len(pairs.first), 3):
        a, b = scores[:, pairs.first[k]], scores[:, pairs.second[k]]
        common = ~np.isnan(a - b)
        one = paired_difference(a[common], b[common], clusters[common])
        assert pairs.se[k] == pytest.approx(one.estimate.se, rel=1e-9)


def test_stacks_strips_and_threads_add_up(monkeypatch):
    """Many stacks of clusters by a few pairs of models, in threads, beside one stack."""
    rng = np.random.default_rng(10)
    scores = rng.random((900, 11))
    scores[rng.random(scores.shape) < 0.1] = np.nan
    clusters = rng.integers(0, 200, 900)
    plain = compare(scores, clusters)
    monkeypatch.setattr(missing_module, "TILE", 120)
    monkeypatch.setattr(missing_module, "STRIP", 33)
    monkeypatch.setattr(missing_module, "BLOCK", 500)
    cut = compare(scores, clusters)
    for se in SE_KINDS:  # a cluster of half the questions, too large for a stack
        compare(scores, np.where(clusters < 100, 0, clusters), se=se)
    for name in NUMBERS:
        np.testing.assert_allclose(getattr(cut, name), getattr(plain, name), rtol=1e-10)
    full = np.nan_to_num(scores)  # and the blocks of complete data, which cut clusters in two
    np.testing.assert_allclose(
        compare(full, clusters).se,
        compare(
            full, np.sort(clusters)[np.argsort(np.argsort(clusters, kind="stable"), kind="stable")]
        ).se,
        rtol=1e-12,
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.data())
def test_any_scores_clusters_and_holes(data):
    n, m = data.draw(st.integers(1, 12)), data.draw(st.integers(2, 4))
    binary = data.draw(st.booleans())
    value = st.sampled_from([0.0, 1.0]) if binary else st.sampled_from([0.0, 0.1, 0.25, 1.0, 0.7])
    value = st.one_of(value, value, value, st.just(math.nan)) if data.draw(st.booleans()) else value
    scores = np.array(
        data.draw(st.lists(st.lists(value, min_size=m, max_size=m), min_size=n, max_size=n))
    )
    labels = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    clusters = np.array(data.draw(labels)) if data.draw(st.booleans()) else None
    compare(scores, clusters, binary=binary, se=data.draw(st.sampled_from(SE_KINDS)))


def test_no_common_question_is_undefined_and_leaves_the_other_pairs_alone():
    nan = np.nan
    scores = np.array([[1.0, nan, 1.0], [0.0, nan, 1.0], [nan, 1.0, 0.0], [nan, 0.0, 1.0]])
    pairs = all_pairs(scores)
    assert pairs.n_questions.tolist() == [0, 2, 2]
    assert np.isnan(
        [pairs.difference[0], pairs.se[0], pairs.p_value[0], pairs.low[0], pairs.p_adjusted[0]]
    ).all()
    assert pairs.difference[1:].tolist() == [-0.5, 0.0]


@pytest.mark.parametrize("binary", [True, False])
def test_pairs_on_one_question_are_made_together(monkeypatch, binary):
    """180 models make 16,110 of them; nothing but their difference is defined."""
    scores = np.random.default_rng(3).integers(0, 2 if binary else 90, (1, 180)).astype(float)
    compare(scores[:, :9], None, binary=binary)

    def alone(*_, **__):
        raise AssertionError("one by one")

    monkeypatch.setattr(pairs_module, "paired_difference", alone)
    pairs = all_pairs(scores, binary=binary)
    assert len(pairs.se) == 16_110 and np.isnan([pairs.se, pairs.p_value, pairs.low]).all()
    expected = [a - b for a, b in itertools.combinations(scores[0], 2)]
    assert pairs.difference.tolist() == expected


def test_adjusted_p_values_by_hand():
    """Binary, McNemar: b - c is 4, 9 and 5 of as many discordant questions, z = 2, 3, sqrt 5. Holm:
    times 1, 3, 2.
    """
    a = np.zeros(40)
    b, c = a.copy(), a.copy()
    b[:4], c[:9] = 1.0, 1.0
    pairs = all_pairs(np.column_stack([a, b, c]), binary=True)
    p = np.array([mcnemar_p_value(4, 0), mcnemar_p_value(9, 0), mcnemar_p_value(5, 0)])
    np.testing.assert_allclose(pairs.p_value, p, rtol=1e-13)
    np.testing.assert_allclose(
        pairs.p_adjusted, [max(p[0], 2 * p[2]), 3 * p[1], 2 * p[2]], rtol=1e-13
    )


@pytest.mark.parametrize(
    ("scores", "words", "message"),
    [
        (np.ones(3), {}, "(questions, models)"),
        (np.ones((0, 2)), {}, "at least one question"),
        (np.array([[1.0, np.inf], [np.nan, 0.0]]), {}, "1 of 4 scores are infinite"),
        (np.array([[1.0, -np.inf], [1.0, np.inf]]), {}, "2 of 4 scores are infinite"),
        (np.ones((3, 2)), {"se": "paper"}, "cr2, cr1, cr0, clt"),
        (np.ones((3, 2)), {"clusters": [1, 2]}, "one label per question"),
        (np.eye(3), {"level": 95}, "0.95"),
    ],
)
def test_wrong_arguments_say_what_to_do(scores, words, message):
    with pytest.raises(ValueError) as caught:
        all_pairs(scores, **words)
    assert message in str(caught.value)


# Tango --------------------------------------------------------------------------------------------


def exact_upper_end(b: int, c: int, n: int, z: float) -> float:
    """By bisection of the defining equation in 40 digits; the constrained estimate is the root of
    Tango's quadratic.
    """
    with localcontext() as context:
        context.prec = 40
        low, high = Decimal(b - c) / n, Decimal(1)
        for _ in range(60 if b - c < n else 0):
            d = (low + high) / 2
            linear = (2 * n - b + c) * d - b - c
            q = ((linear**2 + 8 * n * c * d * (1 - d)).sqrt() - linear) / (4 * n)
            inside = (
                n * d - (b - c) <= Decimal(z) * (n * max(2 * q + d * (1 - d), Decimal(0))).sqrt()
            )
            low, high = (d, high) if inside else (low, d)
        return float(high)


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_tango_to_twelve_digits(level):
    from scipy.special import ndtri

    z = float(ndtri(0.5 + level / 2))
    cases = [(b, c, n) for n in (1, 2, 5) for b in range(n + 1) for c in range(n + 1 - b)]
    cases += [
        (999_999, 0, 10**6),
        (10**6, 0, 10**6),
        (999_999, 1, 10**6),
        (500_000, 500_000, 10**6),
        (0, 0, 10**7),
    ]
    cases += [(1, 0, 10**6), (638, 513, 5000), (3000, 1000, 14_000), (30, 0, 31), (0, 31, 31)]
    b, c, n = (np.array(v) for v in zip(*cases, strict=True))
    low, high = tango_interval(b, c, n, level)
    for k, (b1, c1, n1) in enumerate(cases):
        assert high[k] == pytest.approx(exact_upper_end(b1, c1, n1, z), abs=1e-12)
        assert low[k] == pytest.approx(-exact_upper_end(c1, b1, n1, z), abs=1e-12)


def test_tango_takes_any_shape():
    low, high = tango_interval(np.array([[3.0], [4.0]]), np.array([1.0, 2.0, 3.0]), 20)
    assert low.shape == high.shape == (2, 3)
    assert (float(low[1, 2]), float(high[1, 2])) == tuple(
        float(v) for v in tango_interval(4, 3, 20)
    )
    assert tango_interval(3, 1, 20)[0].shape == () and len(tango_interval([], [], 5)[0]) == 0


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_tango_and_mcnemar_agree_on_zero(level):
    b, c = (v.ravel() for v in np.meshgrid(np.arange(41), np.arange(41)))
    low, high = tango_interval(b, c, 100, level)
    significant = np.array([mcnemar_p_value(*pair) < 1 - level for pair in zip(b, c, strict=True)])
    np.testing.assert_array_equal((low > 0) | (high < 0), significant)
