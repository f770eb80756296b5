"""Bayesian intervals for 0/1 scores (Bowyer, Aitchison & Ivanova 2025), by closed form or
quadrature: nothing is drawn.

The published package samples the prior and weights the draws, which leaves 3 effective draws of
10,000 at 1,000 questions. Here the same posteriors are integrated, so that the same counts always
give the same digits.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bivariate import log_density, slice_modes, slices, u_of_difference
from reportkit.stats.intervals import Interval, z_quantile
from reportkit.stats.quadrature import gauss_legendre, quantile, refine, smooth_cdf, zoom


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


@dataclass(frozen=True, slots=True)
class UnpairedPosterior(Record):
    """Posterior of two shares of right answers on different questions: first model against second."""

    mean: float  # of the difference, first minus second
    sd: float
    difference: Interval  # equal-tailed
    odds_ratio: Interval  # equal-tailed
    p_greater: float  # P(first > second)


@dataclass(frozen=True, slots=True)
class PairedPosterior(Record):
    """Posterior of the difference of two shares of right answers on the same questions: first model
    minus second.
    """

    mean: float
    sd: float
    difference: Interval  # equal-tailed
    p_greater: float  # P(first > second)


def _check_share(successes: float, n: float, whose: str = "") -> None:
    if not 0 <= successes <= n or not n >= 1:
        raise ValueError(
            f"{successes} successes of {n}{whose} is no share; 0 <= successes <= n and n >= 1 "
            "are needed"
        )


def _tail(level: float) -> float:
    z_quantile(level)  # checks the level
    return (1.0 - level) / 2.0


def _beta_interval(a: float, b: float, level: float, method: str) -> Interval:
    """Equal-tailed interval of Beta(a, b); the upper end by its distance from 1, which keeps its
    digits.
    """
    tail = _tail(level)
    low, high = special.betaincinv(a, b, tail), 1.0 - special.betaincinv(b, a, tail)
    return Interval(float(low), float(high), level, method)


def beta_binomial_interval(
    successes: float, n: float, level: float = 0.95, *, prior: tuple[float, float] = (1.0, 1.0)
) -> Interval:
    """Equal-tailed posterior interval of a share with a Beta prior: quantiles of Beta(a + S, b + n
    - S).

    successes, n: counts, n >= 1. prior: (a, b) > 0; (1, 1) is uniform (Bowyer et al. 2025, method
    "beta-binomial"), (0.5, 0.5) is Jeffreys' (method "jeffreys"). Never of zero width and never
    outside [0, 1]. Averaged over shares drawn from the prior the coverage is exactly `level`; at
    one given share it is not. Jeffreys' ends are not moved to 0 and 1 at S = 0 and S = n, as Brown,
    Cai & DasGupta 2001 do.

    >>> i = beta_binomial_interval(0, 9)   # Beta(1, 10): 1 - 0.975^(1/10), 1 - 0.025^(1/10)
    >>> round(i.low, 6), round(i.high, 6), i.method
    (0.002529, 0.308497, 'beta-binomial')
    """
    _check_share(successes, n)
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


# Two models, different questions ------------------------------------------------------------------

TINY = 1e-16  # what may be cut off either end of a Beta distribution


def _beta_moments(a: float, b: float) -> tuple[float, float]:
    return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1.0))


def _difference_cdf(
    first: tuple[float, float], second: tuple[float, float]
) -> Callable[[float], float]:
    """d -> P(X - Y <= d) for independent Betas, X the narrower: the mean over X of P(Y >= X - d)."""
    a, b = first
    ends = float(special.betaincinv(a, b, TINY)), 1.0 - float(special.betaincinv(b, a, TINY))

    def cdf(d: float) -> float:
        low, high = max(ends[0], d), min(ends[1], 1.0 + d)  # outside, P(Y >= X - d) is 1 or 0
        below = float(special.betainc(a, b, min(low, 1.0)))
        if low >= high:
            return below
        x, weight = gauss_legendre(low, high)
        density = np.exp(
            special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b)
        )
        return below + float(
            (weight * density * special.betaincc(*second, np.clip(x - d, 0.0, 1.0))).sum()
        )

    return cdf


def _log_odds_ratio_cdf(
    first: tuple[float, float], second: tuple[float, float]
) -> Callable[[float], float]:
    """c -> P(logit X - logit Y <= c) for independent Betas, X the narrower."""
    a, b = first
    x, weight = gauss_legendre(*_logit_range(first, TINY))
    weight = weight * np.exp(
        a * special.log_expit(x) + b * special.log_expit(-x) - special.betaln(a, b)
    )
    return lambda c: float((weight * special.betaincc(*second, special.expit(x - c))).sum())


def _logit_range(beta: tuple[float, float], tail: float) -> tuple[float, float]:
    a, b = beta
    return float(special.logit(special.betaincinv(a, b, tail))), -float(
        special.logit(special.betaincinv(b, a, tail))
    )


def _mirrored(cdf: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: 1.0 - cdf(-x)


def unpaired_posterior(
    successes_a: int, n_a: int, successes_b: int, n_b: int, level: float = 0.95
) -> UnpairedPosterior:
    """Two models on different questions: P(A > B), difference and odds ratio with uniform priors
    (Bowyer et al. 2025).

    theta_A ~ Beta(1 + S_A, 1 + n_A - S_A), theta_B likewise and independent. Distribution functions
    are one-dimensional Gauss-Legendre integrals over the narrower posterior, exact to about 1e-11
    from 1 to 100,000 questions; the ends solve them (methods "beta-difference" and
    "beta-odds-ratio"). P(A > B) + P(B > A) = 1.

    >>> # densities 2t and 2(1-t): P(A > B) = 5/6, mean 2/3 - 1/3
    >>> p = unpaired_posterior(1, 1, 0, 1)
    >>> round(p.p_greater, 12), round(p.mean, 12), round(p.sd, 12)   # sd = sqrt(1/18 + 1/18)
    (0.833333333333, 0.333333333333, 0.333333333333)
    """
    _check_share(successes_a, n_a, " of the first model")
    _check_share(successes_b, n_b, " of the second model")
    a = (1.0 + successes_a, 1.0 + n_a - successes_a)
    b = (1.0 + successes_b, 1.0 + n_b - successes_b)
    tail = _tail(level)
    (mean_a, var_a), (mean_b, var_b) = _beta_moments(*a), _beta_moments(*b)
    difference, odds = (
        cdf(a, b) if key_a <= key_b else _mirrored(cdf(b, a))
        for cdf, key_a, key_b in (
            (_difference_cdf, (var_a, a), (var_b, b)),
            # The variance of a logit is trigamma(a) + trigamma(b).
            (_log_odds_ratio_cdf, (_trigamma_sum(a), a), (_trigamma_sum(b), b)),
        )
    )

    def solve(
        cdf: Callable[[float], float], ends: Callable[..., tuple[float, float]], p: float
    ) -> float:
        # A union bound: below the difference of quantiles at p/2 lies at most p; above the other
        # one at most 1 - p.
        low = ends(a, p / 2.0)[0] - ends(b, p / 2.0)[1]
        high = ends(a, (1.0 - p) / 2.0)[1] - ends(b, (1.0 - p) / 2.0)[0]
        return quantile(cdf, p, low, high)

    d_low, d_high = (solve(difference, _beta_range, p) for p in (tail, 1.0 - tail))
    o_low, o_high = (math.exp(solve(odds, _logit_range, p)) for p in (tail, 1.0 - tail))
    return UnpairedPosterior(
        mean=mean_a - mean_b,
        sd=math.sqrt(var_a + var_b),
        difference=Interval(d_low, d_high, level, "beta-difference"),
        odds_ratio=Interval(o_low, o_high, level, "beta-odds-ratio"),
        p_greater=0.5 if a == b else min(max(1.0 - difference(0.0), 0.0), 1.0),
    )


def _beta_range(beta: tuple[float, float], tail: float) -> tuple[float, float]:
    a, b = beta
    return float(special.betaincinv(a, b, tail)), 1.0 - float(special.betaincinv(b, a, tail))


def _trigamma_sum(beta: tuple[float, float]) -> float:
    return float(special.polygamma(1, beta[0]) + special.polygamma(1, beta[1]))


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
    The interval is of theta, the mean over clusters: every cluster weighs the same, unlike
    mean_estimate, where every question does (method "clustered-posterior"). Integrated over (logit
    theta, log d) on the part of the plane that holds the mass, from one cluster, where d runs over
    decades, to thousands; the nodes are increased until the ends move by less than 1e-6 and a
    ten-thousandth of the sd.

    >>> # single answers: Beta(2, 2) whatever d
    >>> p = clustered_posterior(np.array([1, 0]), np.array([1, 1]))
    >>> # 1/2, 1/20, root of 3 x^2 - 2 x^3 = 0.025
    >>> [round(x, 6) for x in (p.mean, p.sd**2, p.interval.low)]
    [0.5, 0.05, 0.094299]
    """
    y, n = np.asarray(successes), np.asarray(sizes)
    if y.ndim != 1 or y.shape != n.shape or len(y) == 0:
        raise ValueError(
            f"successes have shape {y.shape} and sizes {n.shape}; give both for each of at least "
            "one cluster"
        )
    if not ((y >= 0) & (y <= n) & (n >= 1)).all():
        bad = int(np.argmin((y >= 0) & (y <= n) & (n >= 1)))
        raise ValueError(
            f"cluster {bad} has {y[bad]} successes of {n[bad]}; 0 <= successes <= sizes, sizes "
            ">= 1 are needed"
        )
    tail = _tail(level)

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


# Two models, the same questions -------------------------------------------------------------------

PAIRED_DROP = 22.0  # logarithms below the peak at which the density is cut: e^-22 = 3e-10


def paired_posterior(
    both: int, only_a: int, only_b: int, neither: int, level: float = 0.95
) -> PairedPosterior:
    """Two models on the same questions, right or wrong: the bivariate normal model of Bowyer et al.
    2025.

    both, only_a, only_b, neither: counts of questions by which models are right. theta_A and
    theta_B are uniform, rho is 2 Beta(4, 2) - 1, and the models are right where two normals with
    means Phi^-1(theta) and correlation rho are positive. The posterior of theta_A - theta_B: mean,
    sd, equal-tailed interval (method "bivariate-normal"), P(A > B).

    By quadrature over z = atanh rho and, for each z, over the two means, on a grid that is centred
    and scaled on the slice; sums along lines of constant mu_A + mu_B, on which the difference
    increases with mu_A - mu_B, give a smooth distribution function. The grid is refined until ends
    and P move by less than 1e-5 and a thousandth of the sd; what is left is of the order of that
    squared (an ArithmeticError says that they did not settle: levels above 0.99999). Exchanging the
    models mirrors everything exactly: P(A > B) + P(B > A) = 1.

    >>> p = paired_posterior(205, 35, 25, 35)   # Tango's interval: (-0.0177, 0.0851)
    >>> round(p.difference.low, 4), round(p.difference.high, 4), round(p.p_greater, 3)
    (-0.0178, 0.0847, 0.9)
    >>> paired_posterior(26, 0, 0, 4).p_greater   # identical models
    0.5
    """
    if min(both, only_a, only_b, neither) < 0 or both + only_a + only_b + neither < 1:
        raise ValueError(
            f"both={both}, only_a={only_a}, only_b={only_b}, neither={neither}: counts cannot be "
            "negative "
            "and at least one question is needed"
        )
    tail = _tail(level)
    if only_b > only_a:
        p = paired_posterior(both, only_b, only_a, neither, level)
        ends = Interval(-p.difference.high, -p.difference.low, level, p.difference.method)
        return PairedPosterior(-p.mean, p.sd, ends, 1.0 - p.p_greater)
    counts = np.array([both, only_a, only_b, neither], dtype=float)

    def log_mass(z: np.ndarray) -> np.ndarray:
        """Laplace's approximation of a slice: enough to find the range of z."""
        u, v, uu, uv, vv = slice_modes(counts, z)
        with np.errstate(all="ignore"):
            found = log_density(counts, u, v, z) - np.log(uu * vv - uv * uv) / 2.0
        return np.where(np.isfinite(found), found, -np.inf)

    ((z_low, z_high),) = zoom(log_mass, [(-16.0, 20.0)], PAIRED_DROP)

    def integrate(nodes: int) -> tuple[float, float, float, float, float]:
        z = np.linspace(z_low, z_high, nodes)
        at = slices(counts, z, PAIRED_DROP)
        y1 = np.linspace(-at.reach[0], at.reach[1], nodes, axis=-1)
        y2 = np.linspace(-at.reach[2], at.reach[3], nodes, axis=-1)
        # Axes: z, y2, y1.
        v = at.v[:, None] + at.sv[:, None] * y2
        u = (at.u[:, None] + (at.slope * at.sv)[:, None] * y2)[:, :, None] + (at.su[:, None] * y1)[
            :, None, :
        ]
        weights = log_density(counts, u, v[:, :, None], z[:, None, None])
        cell = at.su * at.sv * (y1[:, 1] - y1[:, 0]) * (y2[:, 1] - y2[:, 0])
        weights = np.exp(weights - weights.max()) * cell[:, None, None]
        weights /= weights.sum()
        rows = weights.sum(axis=2) > 1e-10 / nodes
        u, v, weights = u[rows], v[rows], weights[rows]
        difference = special.ndtr((v[:, None] + u) / 2.0) - special.ndtr((v[:, None] - u) / 2.0)
        mean = float((weights * difference).sum())
        sd = math.sqrt(float((weights * (difference - mean) ** 2).sum()))
        first, spacing = u[:, 0], u[:, 1] - u[:, 0]

        def cdf(d: float) -> float:
            if abs(d) >= 1.0:
                return float(d > 0.0)
            upto = u_of_difference(d, v) if d else np.zeros_like(v)
            return float(smooth_cdf((upto - first) / spacing, weights).sum())

        # Quantiles of the grid's points are near: they bracket the smooth ones, mostly.
        order = np.argsort(difference, axis=None)
        cumulative = np.cumsum(weights.ravel()[order])
        ends = []
        for p in (tail, 1.0 - tail):
            at_p = min(int(np.searchsorted(cumulative, p)), len(order) - 1)
            near = float(difference.ravel()[order[at_p]])
            ends.append(quantile(cdf, p, near - sd / 20.0, near + sd / 20.0))
        return ends[0], ends[1], sd, mean, cdf(0.0)

    low, high, sd, mean, p_not = refine(integrate, 1e-5)
    p_greater = min(max(1.0 - p_not, 0.0), 1.0)
    if only_a == only_b:  # symmetric, up to rounding
        low, high, mean, p_greater = (low - high) / 2.0, (high - low) / 2.0, 0.0, 0.5
    return PairedPosterior(mean, sd, Interval(low, high, level, "bivariate-normal"), p_greater)
