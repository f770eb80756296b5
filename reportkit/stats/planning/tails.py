"""How far a variance can be trusted: scores near an end of their scale have long tails, and few
large clusters decide more than many small ones.
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


def pair_skewness(scores: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Of pairs of models on their common questions: mean third moment over mean variance^1.5, both
    about each model's own mean.

    scores: between 0 and 1, shape (n, M), nan where there is none; i, j: the models of each pair.
    nan: a pair whose scores do not vary, or without common questions.

    >>> right = np.repeat([1.0, 0.0], [9, 1])[:, None]     # (1 - 2p) / sqrt(p (1 - p)), p = 0.9
    >>> pair_skewness(np.hstack([right, right]), np.array([0]), np.array([1])).round(6).tolist()
    [-2.666667]
    >>> pair_skewness(np.array([[0.5, 0.5]]), np.array([0]), np.array([1])).tolist()
    [nan]
    """
    known = ~np.isnan(scores)
    counts = np.maximum(known.sum(axis=0), 1)
    far = np.where(known, scores - np.where(known, scores, 0.0).sum(axis=0) / counts, 0.0)
    of_common = known.astype(float)
    n = of_common.T @ of_common
    first, second, third = ((far**power).T @ of_common for power in (1, 2, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / n
        variance = second / n - mean**2
        cube = third / n - 3.0 * mean * second / n + 2.0 * mean**3
        joint = (variance[i, j] + variance[j, i]) / 2.0
        found = (cube[i, j] + cube[j, i]) / 2.0 / joint**1.5
    size = np.abs(np.where(known, scores, 0.0)).max(initial=0.0)
    return np.where(joint > (ROUNDING * size) ** 2, found, np.nan)


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
