"""Bayesian intervals of one model's 0/1 scores (Bowyer, Aitchison & Ivanova 2025), by closed form
or quadrature: nothing is drawn.

The published package draws from the prior and weights the draws: at 1,000 questions, 10,000 draws
are worth 3. Here the same posteriors are integrated. The same counts always give the same digits.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bayes.quadrature import quantile, refine, smooth_cdf, zoom
from reportkit.stats.digits import floats
from reportkit.stats.intervals import Interval, z_quantile


@dataclass(frozen=True, slots=True)
class Posterior(Record):
    """Posterior of one number, in its own units."""

    mean: float
    sd: float
    interval: Interval  # equal-tailed


@dataclass(frozen=True, slots=True)
class ClusteredPosterior(Record):
    """Posterior of the mean share of right answers over clusters: every cluster weighs the same."""

    mean: float
    sd: float
    interval: Interval  # equal-tailed
    icc: float  # posterior mean of the correlation of two answers of one cluster, 1 / (1 + d)


def check_share(successes: float, n: float, whose: str = "") -> None:
    if not 0 <= successes <= n or not n >= 1:
        raise ValueError(
            f"{successes} successes of {n}{whose} is no share; 0 <= successes <= n and n >= 1 "
            "are needed"
        )


def tail_of(level: float) -> float:
    z_quantile(level)  # checks the level
    return (1.0 - level) / 2.0


def _beta_interval(a: float, b: float, level: float, method: str) -> Interval:
    """Equal-tailed interval of Beta(a, b). The upper end is found by its distance from 1, which
    keeps its digits.
    """
    tail = tail_of(level)
    low, high = special.betaincinv(a, b, tail), 1.0 - special.betaincinv(b, a, tail)
    return Interval(float(low), float(high), level, method)


def beta_binomial_interval(
    successes: float, n: float, level: float = 0.95, *, prior: tuple[float, float] = (1.0, 1.0)
) -> Interval:
    """Equal-tailed posterior interval of a share with a Beta prior: quantiles of Beta(a + S, b + n
    - S).

    successes, n: counts, n >= 1. prior: (a, b) > 0; (1, 1) is uniform (Bowyer et al. 2025, method
    "beta-binomial"), (0.5, 0.5) is Jeffreys' (method "jeffreys"). The width is never 0, and the
    ends are never outside [0, 1]. Over shares drawn from the prior, the average coverage is exactly
    `level`; at one given share it is not. Jeffreys' ends are not moved to 0 and 1 at S = 0 and S =
    n, as Brown, Cai & DasGupta 2001 do.

    >>> i = beta_binomial_interval(0, 9)   # Beta(1, 10): 1 - 0.975^(1/10), 1 - 0.025^(1/10)
    >>> round(i.low, 6), round(i.high, 6), i.method
    (0.002529, 0.308497, 'beta-binomial')
    """
    check_share(successes, n)
    a, b = prior
    if not (a > 0.0 and b > 0.0):
        raise ValueError(f"prior={prior} is no Beta distribution; both numbers must be positive")
    return _beta_interval(
        a + successes, b + n - successes, level, "jeffreys" if a == b == 0.5 else "beta-binomial"
    )


def f1_posterior(tp: int, fp: int, fn: int, tn: int = 0, level: float = 0.95) -> Posterior:
    """Posterior of F1 = 2 TP / (2 TP + FP + FN) with a uniform prior on the four shares, in closed
    form.

    With Dirichlet(1, 1, 1, 1) on (TP, FP, FN, TN), g = TP / (TP + FP + FN) ~ Beta(1 + tp, 2 + fp +
    fn) and F1 is 2g / (1 + g); tn does not matter. Bowyer et al. 2025 sample the Dirichlet; this is
    the same distribution. The ends are those of g transformed (method "f1-posterior"); the mean is
    2 - sum_k 2^-k (b)_k / (a + b)_k, k >= 0, for g ~ Beta(a, b), from E[1/(1+g)] = 2F1(1, a; a+b;
    -1) by Pfaff's transformation, and the sd likewise.

    >>> p = f1_posterior(0, 0, 0)   # g ~ Beta(1, 2): E[F1] = int 4 g (1-g) / (1+g) = 6 - 8 log 2
    >>> round(p.mean, 6), round(6 - 8 * math.log(2), 6)
    (0.454823, 0.454823)
    """
    if min(tp, fp, fn, tn) < 0:
        raise ValueError(f"tp={tp}, fp={fp}, fn={fn}, tn={tn}: counts cannot be negative")
    a, b = 1.0 + tp, 2.0 + fp + fn
    k = np.arange(64)  # each term is at most half the one before
    terms = np.concatenate([[1.0], np.cumprod((b + k) / (2.0 * (a + b + k)))])
    # E 1/(1+g), 1/(1+g)^2
    first, second = float(terms.sum()) / 2.0, float(((np.arange(65) + 1.0) * terms).sum()) / 4.0
    g = _beta_interval(a, b, level, "f1-posterior")
    ends = Interval(2.0 * g.low / (1.0 + g.low), 2.0 * g.high / (1.0 + g.high), level, g.method)
    return Posterior(2.0 - 2.0 * first, 2.0 * math.sqrt(max(0.0, second - first * first)), ends)


# One model, clustered questions -------------------------------------------------------------------


def _log_rising(a: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """sum_t log of a (a+1) ... (a + y_t - 1) for counts y, shape (T,), at arrays a; equal counts
    are grouped.
    """
    values, times = np.unique(counts[counts > 0], return_counts=True)
    at = -float(times.sum()) * special.gammaln(a)
    for y, c in zip(values, times, strict=True):
        at = at + c * special.gammaln(a + y)
    return at


def clustered_posterior(
    successes: np.ndarray, sizes: np.ndarray, level: float = 0.95
) -> ClusteredPosterior:
    """One model on questions in clusters: the hierarchical Beta-Binomial model of Bowyer et al.
    2025.

    successes, sizes: shape (T,), right answers and answers of each cluster. d ~ Gamma(1, 1), theta
    ~ Beta(1, 1), theta_t ~ Beta(d theta, d (1 - theta)), successes_t ~ Binomial(sizes_t, theta_t).
    The interval is of theta, the mean over clusters (method "clustered-posterior"). Every cluster
    weighs the same; in mean_estimate every question does. The integral is over (logit theta, log
    d), on the part of the plane that holds the mass. It works from one cluster, where d runs over
    decades, to thousands. Nodes are added until the ends move by less than 1e-6 and a
    ten-thousandth of the sd.

    >>> # single answers: Beta(2, 2) whatever d
    >>> p = clustered_posterior(np.array([1, 0]), np.array([1, 1]))
    >>> # 1/2, 1/20, root of 3 x^2 - 2 x^3 = 0.025
    >>> [round(x, 6) for x in (p.mean, p.sd**2, p.interval.low)]
    [0.5, 0.05, 0.094299]
    """
    y, n = floats(successes), floats(sizes)
    if y.ndim != 1 or y.shape != n.shape or len(y) == 0:
        raise ValueError(
            f"successes have shape {y.shape} and sizes {n.shape}; give both for each of at least "
            "one cluster"
        )
    counts = (
        (y >= 0) & (y <= n) & (n >= 1) & np.isfinite(n) & (y == np.floor(y)) & (n == np.floor(n))
    )
    if not counts.all():
        bad = int(np.argmin(counts))
        raise ValueError(
            f"cluster {bad} has {y[bad]:g} successes of {n[bad]:g}; whole numbers, 0 <= successes "
            "<= sizes, sizes >= 1, are needed"
        )
    tail = tail_of(level)

    def log_posterior(x: np.ndarray, log_d: np.ndarray) -> np.ndarray:
        d = np.exp(log_d)
        right, wrong = special.log_expit(x), special.log_expit(-x)
        prior = right + wrong + log_d - d  # with the Jacobians theta (1 - theta) and d
        a, b = np.exp(log_d + right), np.exp(log_d + wrong)
        return prior + _log_rising(a, y) + _log_rising(b, n - y) - _log_rising(d, n)

    box = zoom(log_posterior, [(-60.0, 60.0), (-60.0, 6.0)])

    def integrate(nodes: int) -> tuple[float, float, float, float, float]:
        x, log_d = (np.linspace(low, high, nodes) for low, high in box)
        weights = log_posterior(x[:, None], log_d[None, :])
        weights = np.exp(weights - weights.max())
        weights /= weights.sum()
        of_x, theta = weights.sum(axis=1), special.expit(x)
        mean = float(of_x @ theta)
        sd = math.sqrt(float(of_x @ (theta - mean) ** 2))
        step = x[1] - x[0]

        def cdf(at: float) -> float:
            return float(smooth_cdf((at - x[0]) / step, of_x))

        low, high = (
            float(special.expit(quantile(cdf, p, x[0], x[-1]))) for p in (tail, 1.0 - tail)
        )
        return low, high, sd, mean, float(weights.sum(axis=0) @ special.expit(-log_d))

    low, high, sd, mean, icc = refine(integrate, 1e-6)
    return ClusteredPosterior(mean, sd, Interval(low, high, level, "clustered-posterior"), icc)
