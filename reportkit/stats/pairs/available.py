"""Two models of which each lacks some of the other's questions: the difference of all that is
there.
"""

import math
from dataclasses import replace

import numpy as np
from scipy import special

from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import check_squares, floats
from reportkit.stats.evidence import LEAST_UNITS
from reportkit.stats.intervals import Interval, no_interval, t_interval
from reportkit.stats.kinds import Kind, kind_of
from reportkit.stats.means.mean import Estimate
from reportkit.stats.pairs.paired import Difference, correlation


def available_difference(
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    share: bool | None = None,
    level: float = 0.95,
) -> Difference:
    """The difference of two models' means, each over all its own answers, with what they share.

    a, b: shape (n,), scores of the same questions, nan where a model has none; clusters: shape (n,)
    labels or None. SE^2 = s_A^2/n_A + s_B^2/n_B - 2 n_C s_AB / (n_A n_B), with s_AB the covariance
    on the n_C common questions (divisor n_C - 1). In clusters G/(G-1) sum_c (sum_i psi_i)^2, with
    psi_i = (a_i - mean a)/n_A - (b_i - mean b)/n_B and 0 for what is missing: the sandwich of the
    same sum (CR1). t, with degrees of freedom of the model that has fewer questions (clusters).
    Without a missing score it is equation 7 of Miller 2024. share: scores lie between 0 and 1, and
    the interval is cut off at -1 and 1; where it is not said, it is seen in the scores, as in
    paired_difference.

    **Valid only where scores are missing at random**: a model that lacks the hardest fifth of its
    questions gains by it, and no standard error shows that. A report compares common questions
    (paired_difference) instead.

    The correlation is that of the common questions. Undefined (nan): SE, interval and p-value where
    a model has fewer than two questions (clusters), or the variance comes out negative; the
    interval and p-value also with fewer than four, and where the SE is 0. A model without any score
    is a ValueError.

    >>> a, b = np.array([1.0, 0, 1, 1, np.nan]), np.array([0.0, 0, 1, np.nan, 0])
    >>> # 3/4 - 1/4; variances 1/4, 1/4; covariance of (1, 0, 1) and (0, 0, 1) is 1/6
    >>> d = available_difference(a, b)
    >>> d.estimate.value, round(d.estimate.se**2, 4)   # 1/16 + 1/16 - 2 * 3 * (1/6) / 16
    (0.5, 0.0625)
    """
    a, b = floats(a), floats(b)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(
            f"scores have shapes {a.shape} and {b.shape}; give both models' scores of the same "
            "questions, nan where there is none"
        )
    has_a, has_b = ~np.isnan(a), ~np.isnan(b)
    if not (has_a.any() and has_b.any()):
        raise ValueError("a model has no score at all; there is nothing to compare")
    if n_infinite := int(np.isinf(a).sum() + np.isinf(b).sum()):
        raise ValueError(f"{n_infinite} of {2 * a.size} scores are infinite; drop them first")
    check_squares(a, b)
    n_a, n_b, both = int(has_a.sum()), int(has_b.sum()), has_a & has_b
    value = float(a[has_a].mean() - b[has_b].mean())
    codes, known = cluster_codes(clusters, len(a)), has_a | has_b
    n = groups = int(known.sum())
    if codes is not None:
        groups = len(np.unique(codes[known]))
    if codes is None or groups == n:
        variance, units = _variance(a, b), (n_a, n_b)
    else:
        psi = np.where(has_a, a - a[has_a].mean(), 0.0) / n_a
        psi -= np.where(has_b, b - b[has_b].mean(), 0.0) / n_b
        labels = np.unique(codes[known], return_inverse=True)[1]
        sums = np.bincount(labels, weights=psi[known])
        variance = groups / (groups - 1) * float((sums**2).sum()) if groups > 1 else math.nan
        units = (len(np.unique(codes[has_a])), len(np.unique(codes[has_b])))
    df = float(min(units) - 1)
    se = math.sqrt(variance) if variance >= 0.0 and df >= 1.0 else math.nan
    df = df if se == se else math.nan
    estimate = Estimate(value, se, df, n, groups)
    interval, p = no_interval(level), math.nan
    if se > 0.0 and min(units) >= LEAST_UNITS:
        p = float(2.0 * special.stdtr(df, -abs(value) / se))
        interval = _within(t_interval(estimate, level), kind_of(None, share, a, b))
    r = correlation(a[both], b[both]) if both.sum() > 1 else math.nan
    return Difference(estimate, interval, p, r)


def _within(i: Interval, kind: Kind) -> Interval:
    """Of shares, cut off where no difference can lie."""
    if not kind.share:
        return i
    return replace(i, low=max(i.low, -kind.factor), high=min(i.high, kind.factor))


def _variance(a: np.ndarray, b: np.ndarray) -> float:
    """Of the difference of the means of what is there, without clusters."""
    own_a, own_b = a[~np.isnan(a)], b[~np.isnan(b)]
    if min(len(own_a), len(own_b)) < 2:
        return math.nan
    both = ~np.isnan(a) & ~np.isnan(b)
    covariance = float(np.cov(a[both], b[both])[0, 1]) if both.sum() > 1 else 0.0
    own = float(own_a.var(ddof=1)) / len(own_a) + float(own_b.var(ddof=1)) / len(own_b)
    return own - 2.0 * int(both.sum()) * covariance / (len(own_a) * len(own_b))
