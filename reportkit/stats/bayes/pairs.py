"""Bayesian intervals of the difference of two models' 0/1 scores (Bowyer, Aitchison & Ivanova
2025), on different questions or on the same ones, by quadrature.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bayes.bivariate import log_density, slice_modes, slices, u_of_difference
from reportkit.stats.bayes.quadrature import gauss_legendre, quantile, refine, smooth_cdf, zoom
from reportkit.stats.bayes.shares import check_share, tail_of
from reportkit.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class UnpairedPosterior(Record):
    """Posterior of two shares of right answers on different questions: first model and second."""

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


# Two models, different questions ------------------------------------------------------------------

TINY = 1e-16  # what may be cut off either end of a Beta distribution


def _beta_moments(a: float, b: float) -> tuple[float, float]:
    return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1.0))


def _difference_cdf(
    first: tuple[float, float], second: tuple[float, float]
) -> Callable[[float], float]:
    """d -> P(X - Y <= d) for independent Betas, X the narrower: the mean of P(Y >= X - d)."""
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

    theta_A ~ Beta(1 + S_A, 1 + n_A - S_A); theta_B is alike and independent. The distribution
    functions are Gauss-Legendre integrals over the narrower posterior, exact to about 1e-11 from 1
    to 100,000 questions. The ends are their quantiles (methods "beta-difference" and
    "beta-odds-ratio"). P(A > B) + P(B > A) = 1.

    >>> # densities 2t and 2(1-t): P(A > B) = 5/6, mean 2/3 - 1/3
    >>> p = unpaired_posterior(1, 1, 0, 1)
    >>> round(p.p_greater, 12), round(p.mean, 12), round(p.sd, 12)   # sd = sqrt(1/18 + 1/18)
    (0.833333333333, 0.333333333333, 0.333333333333)
    """
    check_share(successes_a, n_a, " of the first model")
    check_share(successes_b, n_b, " of the second model")
    a = (1.0 + successes_a, 1.0 + n_a - successes_a)
    b = (1.0 + successes_b, 1.0 + n_b - successes_b)
    tail = tail_of(level)
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
        # A union bound: at most p lies below the difference of the quantiles at p/2, and at most 1
        # - p above the other one.
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


# Two models, the same questions -------------------------------------------------------------------

PAIRED_DROP = 22.0  # logarithms below the peak at which the density is cut: e^-22 = 3e-10


def paired_posterior(
    both: int, only_a: int, only_b: int, neither: int, level: float = 0.95
) -> PairedPosterior:
    """Two models on the same questions, right or wrong: the bivariate normal model of Bowyer et al.
    2025.

    both, only_a, only_b, neither: how many questions both models have right, the first alone, the
    second alone, none of them. theta_A and theta_B are uniform, rho is 2 Beta(4, 2) - 1. A model is
    right where its normal is positive; the two normals have means Phi^-1(theta) and correlation
    rho. The posterior of theta_A - theta_B: mean, sd, equal-tailed interval (method
    "bivariate-normal"), P(A > B).

    The quadrature is over z = atanh rho and, for each z, over the two means, on a grid that fits
    this slice. On a line of constant mu_A + mu_B the difference increases with mu_A - mu_B, so sums
    along these lines give a smooth distribution function. The grid is refined until the ends and P
    move by less than 1e-5 and a thousandth of the sd; the error that is left is about the square of
    that. An ArithmeticError says that they did not settle (levels above 0.99999). Exchanging the
    models mirrors everything exactly: P(A > B) + P(B > A) = 1.

    >>> p = paired_posterior(205, 35, 25, 35)   # Tango's interval: (-0.0177, 0.0851)
    >>> round(p.difference.low, 4), round(p.difference.high, 4), round(p.p_greater, 3)
    (-0.0178, 0.0847, 0.9)
    >>> paired_posterior(26, 0, 0, 4).p_greater   # identical models
    0.5
    """
    _check_counts(both, only_a, only_b, neither)
    tail = tail_of(level)
    if only_b > only_a:
        p = paired_posterior(both, only_b, only_a, neither, level)
        ends = Interval(-p.difference.high, -p.difference.low, level, p.difference.method)
        return PairedPosterior(-p.mean, p.sd, ends, 1.0 - p.p_greater)
    lines_of = _lines(np.array([both, only_a, only_b, neither], dtype=float))

    def integrate(nodes: int) -> tuple[float, float, float, float, float]:
        u, v, weights = lines_of(nodes)
        difference = special.ndtr((v[:, None] + u) / 2.0) - special.ndtr((v[:, None] - u) / 2.0)
        mean = float((weights * difference).sum())
        sd = math.sqrt(float((weights * (difference - mean) ** 2).sum()))

        def cdf(d: float) -> float:
            if abs(d) >= 1.0:
                return float(d > 0.0)
            return _up_to(u_of_difference(d, v) if d else np.zeros_like(v), u, weights)

        # The quantiles of the grid's points are near, so they mostly bracket the smooth ones.
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


def paired_p_greater(both: int, only_a: int, only_b: int, neither: int) -> float:
    """P(A > B) of paired_posterior, in a third of its time: no quantile is searched for.

    both, only_a, only_b, neither: counts of questions by which models are right. Refined until it
    moves by less than 1e-5.

    >>> round(paired_p_greater(205, 35, 25, 35), 3)
    0.9
    """
    _check_counts(both, only_a, only_b, neither)
    if only_a == only_b:
        return 0.5
    if only_b > only_a:
        return 1.0 - paired_p_greater(both, only_b, only_a, neither)
    lines_of = _lines(np.array([both, only_a, only_b, neither], dtype=float))

    def integrate(nodes: int) -> tuple[float, float, float]:
        u, v, weights = lines_of(nodes)
        p = _up_to(np.zeros_like(v), u, weights)
        return p, p, 1.0  # as refine has them: two results, and a spread that asks for no more

    p_not, _, _ = refine(integrate, 1e-5)
    return min(max(1.0 - p_not, 0.0), 1.0)


def _check_counts(both: int, only_a: int, only_b: int, neither: int) -> None:
    if min(both, only_a, only_b, neither) < 0 or both + only_a + only_b + neither < 1:
        raise ValueError(
            f"both={both}, only_a={only_a}, only_b={only_b}, neither={neither}: counts cannot be "
            "negative "
            "and at least one question is needed"
        )


def _lines(counts: np.ndarray) -> Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The posterior along lines of constant v = mu_A + mu_B, for a number of nodes on each axis: u
    = mu_A - mu_B at equal steps, shape (lines, nodes); v, shape (lines,); and weights, as u.
    """

    def log_mass(z: np.ndarray) -> np.ndarray:
        """Laplace's approximation of a slice: enough to find the range of z."""
        u, v, uu, uv, vv = slice_modes(counts, z)
        with np.errstate(all="ignore"):
            found = log_density(counts, u, v, z) - np.log(uu * vv - uv * uv) / 2.0
        return np.where(np.isfinite(found), found, -np.inf)

    ((z_low, z_high),) = zoom(log_mass, [(-16.0, 20.0)], PAIRED_DROP)

    def of_nodes(nodes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
        return u[rows], v[rows], weights[rows]

    return of_nodes


def _up_to(limit: np.ndarray, u: np.ndarray, weights: np.ndarray) -> float:
    """The share of the posterior where u is at most the limit of its line."""
    first, spacing = u[:, 0], u[:, 1] - u[:, 0]
    return float(smooth_cdf((limit - first) / spacing, weights).sum())
