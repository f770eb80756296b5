"""What a simulation needs to know of an eval: scores on 0..1, sizes of clusters, correlations."""

import math

import numpy as np

from reportkit.stats.clusters import cluster_codes
from reportkit.stats.coverage.drawing import concentration_of
from reportkit.stats.means.design import design_effect
from reportkit.stats.variance_components import components

CONSTANT = "the scores do not vary, so no interval is printed"


def rescaled(
    s: np.ndarray, bounded: bool, low: float | None, high: float | None
) -> tuple[np.ndarray, float, float]:
    """Scores on 0..1, and the start and width of their own units."""
    if bounded:
        if s.min() < 0.0 or s.max() > 1.0:
            raise ValueError(
                f"scores run from {s.min():g} to {s.max():g}; binary and share need scores "
                "between 0 and 1"
            )
        return s, 0.0, 1.0
    start = float(s.min()) if low is None else low
    end = float(s.max()) if high is None else high
    if not start <= s.min() or not s.max() <= end:
        raise ValueError(
            f"scores run from {s.min():g} to {s.max():g}, beyond {start:g} to {end:g}; give low "
            "and high of all"
        )
    width = end - start if end > start else 1.0
    return (s - start) / width, start, width


def check_repeats(repeats: int) -> None:
    if repeats < 1:
        raise ValueError(
            f"repeats={repeats} simulates nothing; give 1 or more, 2000 for an error of half a "
            "percent"
        )


def reason_undefined(se: float, n: int, constant: bool) -> str:
    if n < 2:
        return "one question"
    if math.isnan(se):
        return "one cluster"
    return CONSTANT if constant else ""


def sizes_and_order(clusters: np.ndarray | None, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Questions of each cluster, shape (G,), and the questions in the order of their clusters,
    shape (n,).
    """
    codes = cluster_codes(clusters, n)
    if codes is None:
        return np.ones(n, dtype=int), np.arange(n)
    sizes = np.bincount(codes)
    return sizes[sizes > 0], np.argsort(codes, kind="stable")


def icc_of(x: np.ndarray, clusters: np.ndarray | None) -> float:
    """ICC by analysis of variance. It is 0 where scores are constant, and nan where no two
    questions share a cluster.
    """
    if clusters is None or (sizes_and_order(clusters, len(x))[0] == 1).all():
        return math.nan
    icc = design_effect(x, clusters).icc
    return icc if icc == icc else 0.0


def answer_icc_of(x: np.ndarray, k: np.ndarray) -> float:
    """Correlation of two 0/1 answers to a question, from question means and counts; 0 where they do
    not decide it.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = components(x, x * (1.0 - x) * k / (k - 1.0), k)
    total = parts.between + parts.within
    return parts.between / total if total > 0.0 else 0.0


def mean_and_spread(x: np.ndarray) -> tuple[float, float, float]:
    """Mean of gains (or losses), concentration of the Beta that has their variance, and mean
    square. If there are none: 1, inf and 1.
    """
    if not len(x):
        return 1.0, math.inf, 1.0
    mean = float(x.mean())
    most = mean * (1.0 - mean)
    variance = float(x.var())
    concentration = concentration_of(variance / most if most > 0.0 else 0.0)
    return mean, concentration, mean**2 + variance
