"""Each kind of standard error of a mean, by numpy, with its degrees of freedom."""

import math

import numpy as np
import pytest

from reportkit.stats.means.mean import mean_estimate

SCORES = np.array([0.9, 0.7, 0.4, 0.2, 0.6, 0.8, 0.3, 0.9])
CLUSTERS = np.repeat(["w", "x", "y", "z"], 2)
N, G = 8, 4
U = SCORES - SCORES.mean()
SUMS = U.reshape(4, 2).sum(axis=1)
CLT = SCORES.std(ddof=1) / math.sqrt(N)
CR0 = math.sqrt((SUMS**2).sum()) / N
PAIRS = (SUMS**2).sum() - (U**2).sum()  # the sum over i != j in one cluster


@pytest.mark.parametrize(
    "kind, se, df",
    [
        ("cr2", SCORES.reshape(4, 2).mean(axis=1).std(ddof=1) / 2, G - 1),  # clusters of one size
        ("cr1", CR0 * math.sqrt(G / (G - 1)), G - 1),
        ("cr0", CR0, G - 1),
        ("paper", math.sqrt(CLT**2 + PAIRS / N**2), G - 1),
        ("clt", CLT, N - 1),
        ("bernoulli", math.sqrt(0.6 * 0.4 / N), N - 1),  # the mean is 0.6
    ],
)
def test_every_kind_in_clusters(kind, se, df):
    found = mean_estimate(SCORES, CLUSTERS, se=kind)
    assert found.value == pytest.approx(0.6)
    assert (found.se, found.df) == (pytest.approx(se), df)
    assert (found.n_questions, found.n_clusters) == (N, G)


def test_kinds_are_named():
    with pytest.raises(
        ValueError, match="'hc3' is not one of cr2, cr1, cr0, cr3, paper, clt, bernoulli"
    ):
        mean_estimate(SCORES, CLUSTERS, se="hc3")  # type: ignore[arg-type]


@pytest.mark.parametrize("sizes", [[2, 2, 2, 2], [1, 2, 5], [1] * 8, [7, 1]])
def test_cr3_is_the_jackknife_over_clusters(sizes):
    """Leave out one cluster at a time: sqrt((G-1)/G sum (mean without it - mean)^2), by loops."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    g = len(sizes)
    without = np.array([SCORES[labels != c].mean() for c in range(g)])
    expected = math.sqrt((g - 1) / g * ((without - SCORES.mean()) ** 2).sum())
    found = mean_estimate(SCORES, labels, se="cr3")
    assert found.se == pytest.approx(expected, rel=1e-12) and found.df == g - 1
    assert found.se >= mean_estimate(SCORES, labels).se * (1 - 1e-12)
    if g == len(SCORES):  # equation 1, to the last digit
        assert found.se == mean_estimate(SCORES, se="cr3").se == mean_estimate(SCORES).se
