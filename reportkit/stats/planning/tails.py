"""How far a variance can be trusted: scores near an end of their scale have long tails, and vary
otherwise at another mean; few large clusters decide more than many small ones.
"""

from dataclasses import dataclass

import numpy as np

from reportkit.record import Record

ROUNDING = 1e-12  # of scores that are alike


@dataclass(frozen=True, slots=True)
class Tails(Record):
    """Skewness and excess kurtosis, both 0 of a normal law; arrays of one shape."""

    skew: np.ndarray
    excess: np.ndarray


def beta_tails(mean: np.ndarray | float, variance: np.ndarray | float) -> Tails:
    """Tails of the Beta law with these moments: of scores between 0 and 1, or of shares of
    clusters.

    Arrays broadcast; 0 < mean < 1. With s = mean (1 - mean) / variance - 1 the sum of its two
    parameters, skew = 2 (1 - 2 mean) sqrt(s + 1) / ((s + 2) sqrt(mean (1 - mean))) and
    excess = 6 [(1 - 2 mean)^2 (s + 1) - mean (1 - mean) (s + 2)] /
    [mean (1 - mean) (s + 2) (s + 3)]. The largest variance that the scale allows gives 0/1 scores
    (s = 0); so does any larger one.

    >>> t = beta_tails(0.9, 0.09)   # 0/1: (1 - 2p) / sqrt(pq) and (1 - 6pq) / pq
    >>> t.skew.round(4).item(), t.excess.round(4).item()
    (-2.6667, 5.1111)
    >>> t = beta_tails(0.5, 1 / 12)   # uniform
    >>> t.skew.item(), t.excess.round(4).item()
    (0.0, -1.2)
    """
    m, v = np.asarray(mean, dtype=float), np.asarray(variance, dtype=float)
    most = m * (1.0 - m)
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.clip(most / v - 1.0, 0.0, 1e30)
        skew = 2.0 * (1.0 - 2.0 * m) * np.sqrt(s + 1.0) / ((s + 2.0) * np.sqrt(most))
        off = (1.0 - 2.0 * m) ** 2
        excess = 6.0 * (off * (s + 1.0) - most * (s + 2.0)) / (most * (s + 2.0) * (s + 3.0))
    return Tails(skew, excess)


def spread_ends(
    mean: np.ndarray | float,
    variance: np.ndarray | float,
    third: np.ndarray | float,
    gap: np.ndarray | float = 0.0,
) -> np.ndarray:
    """The ends, low and high, between which scores vary: at another mean p their variance is
    c (p - low) (high - p).

    mean between 0 and 1, variance, and third moment; arrays broadcast, the result has a first axis
    of two. With s = variance / (mean (1 - mean)), c = (1 + s) / 2: 1 where all scores are at two
    points. The slope at the mean is c (low + high - 2 mean) = third / variance, that of a law which
    is tilted (an exponential family). gap: variance and third moment are the means of two models so
    far apart, and `mean` lies between theirs.

    >>> spread_ends(0.5, 0.25, 0.0).tolist()     # right and wrong
    [0.0, 1.0]
    >>> low, high = spread_ends(0.9, 0.0225, -0.009)     # s = .25
    >>> round(float(0.625 * (0.9 - low) * (high - 0.9)), 9)
    0.0225
    >>> round(float(0.625 * (low + high - 1.8)), 9)      # -.009 / .0225
    -0.4
    """
    m, v = np.asarray(mean, dtype=float), np.asarray(variance, dtype=float)
    bend = (1.0 + np.minimum(v / (m * (1.0 - m)), 1.0)) / 2.0
    slope = np.asarray(third) / v / bend
    root = np.sqrt(slope**2 + 4.0 * v / bend + np.asarray(gap) ** 2)
    return np.stack([m + (slope - root) / 2.0, m + (slope + root) / 2.0])


def pair_ends(scores: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """spread_ends of pairs of models on their common questions, shape (2, P).

    scores: between 0 and 1, shape (n, M), nan where there is none; i, j: the models of each pair.
    nan: a pair whose scores do not vary, or with fewer than two common questions.

    >>> scores = np.repeat([0.8, 0.2], [5, 5])[:, None]
    >>> pair_ends(np.hstack([scores, scores]), np.array([0]), np.array([1])).round(3).tolist()
    [[0.122], [0.878]]
    >>> pair_ends(np.array([[0.5, 0.5]]), np.array([0]), np.array([1])).tolist()
    [[nan], [nan]]
    """
    known = ~np.isnan(scores)
    given, of_common = np.where(known, scores, 0.0), known.astype(float)
    middle = given.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    far = np.where(known, scores - middle, 0.0)
    n = of_common.T @ of_common
    first, second, third = ((far**power).T @ of_common for power in (1, 2, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        off = first / n
        variance = (second / n - off**2) * n / (n - 1.0)
        cube = third / n - 3.0 * off * second / n + 2.0 * off**3
        a, b = middle[i] + off[i, j], middle[j] + off[j, i]
        within, joint = ((x[i, j] + x[j, i]) / 2.0 for x in (variance, cube))
        found = spread_ends((a + b) / 2.0, within, joint, a - b)
    alike = within <= (ROUNDING * given.max(initial=0.0)) ** 2
    return np.where(alike, np.nan, found)


def worth(sizes: np.ndarray, effect: np.ndarray | float) -> np.ndarray:
    """How many clusters of one size a CR2 variance is worth, when questions of a cluster are alike.

    sizes: shape (G,), questions of each cluster. effect: design effects, V_CR2 / V_unclustered, of
    any shape, which the result has. With rho = (effect - 1) / (sum m^2 / n - 1), held to 0 to 1, a
    cluster's sum has the variance w = m + m (m - 1) rho, and the result is (sum w)^2 / sum w^2.
    CR2's degrees of freedom suppose rho = 0, as does an undefined effect here.

    >>> worth(np.array([5, 5, 5, 5]), 3.0).item()
    4.0
    >>> w = np.array([30 + 870 * 9 / 19, *[5 + 20 * 9 / 19] * 4])   # sum m^2 / n = 20
    >>> round(float(w.sum() ** 2 / (w**2).sum()), 9)
    1.273593226
    >>> worth(np.array([30, 5, 5, 5, 5]), 10.0).round(9).item()
    1.273593226
    """
    m = np.asarray(sizes, dtype=float)
    n, squares, pairs = m.sum(), (m**2).sum(), m * (m - 1.0)
    given = np.asarray(effect, dtype=float)
    spare = squares / n - 1.0
    if not spare > 0.0:
        return np.full(given.shape, float(len(m)))
    rho = np.clip(np.nan_to_num((given - 1.0) / spare), 0.0, 1.0)
    total = n + rho * pairs.sum()
    return total**2 / (squares + 2.0 * rho * (m * pairs).sum() + rho**2 * (pairs**2).sum())
