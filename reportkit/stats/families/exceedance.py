"""How often the largest of many standardised differences exceeds a value, and which value it
exceeds with a given probability.
"""

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from reportkit.stats.intervals import t_quantile

# Two comparisons whose correlation is closer to 1 than this count as one.
SAME = 1e-8

# P(max |T| >= c) as a function of c, and the standard error of the c that solves it
Curve = tuple[Callable[[np.ndarray], np.ndarray], Callable[[float], float]]


def critical_value(
    exceed: Callable[[np.ndarray], np.ndarray], level: float, comparisons: int, df: float
) -> float:
    """The c at which exceed(c) = 1 - level, by bisection between the quantile of one comparison and
    Bonferroni's.
    """
    low = float(t_quantile(level, df))
    high = float(t_quantile(1.0 - (1.0 - level) / comparisons, df)) if comparisons > 1 else low
    while high - low > 1e-12 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if exceed(np.array([middle]))[0] >= 1.0 - level:
            low = middle
        else:
            high = middle
    return low


def bonferroni(comparisons: int, df: float) -> Curve:
    """As exceedance, but as the sum of the comparisons' own probabilities; exact for one
    comparison.
    """
    return (lambda c: np.minimum(1.0, 2.0 * comparisons * special.stdtr(df, -c))), (lambda c: 0.0)


def exceedance(
    comparisons: int, threshold: np.ndarray, weight: np.ndarray, df: float, pooled: bool
) -> Curve:
    """P(max |T| >= c) as a function of c, shape in = shape out, and the standard error of the c
    that solves it.

    For the normal it is G(x) = 2P E[w Phi(-max(x, t))] over the draws: Bonferroni's sum less what
    that counts twice. Where each comparison has its own SE, T exceeds c where the normal exceeds
    the x of the same tail area. Where the SE is pooled, T = Z/s with s^2 = chi^2_df / df, and the
    probability is E G(c s): the sum has a closed form, and what it counts twice is averaged over s
    by quadrature.
    """
    draws = len(threshold)
    order = np.argsort(threshold)
    t, w = threshold[order], 2.0 * comparisons / draws * weight[order]
    # Sums over the draws with a threshold above the k-th: of their weights, and of weight times
    # normal tail.
    weights, tails = (np.append(np.cumsum(a[::-1])[::-1], 0.0) for a in (w, w * special.ndtr(-t)))
    scale, share = np.ones(1), np.ones(1)
    if pooled and math.isfinite(df):
        nodes, share = special.roots_legendre(128)
        nodes, share = (1.0 + nodes) / 2.0, share / 2.0
        # Over the quantiles of s. The sixth power puts most points at small s, where a small
        # p-value is decided.
        scale, share = (
            np.sqrt(2.0 / df * special.gammaincinv(df / 2.0, nodes**6)),
            share * 6.0 * nodes**5,
        )

    def normal(c: np.ndarray) -> np.ndarray:
        return np.multiply.outer(c if pooled else -special.ndtri(special.stdtr(df, -c)), scale)

    def exceed(c: np.ndarray) -> np.ndarray:
        x = normal(c)
        k = np.searchsorted(t, x, side="right")
        twice = (special.ndtr(-x) * weights[k] - tails[k]) @ share
        one = 2.0 * special.stdtr(df, -c)
        return np.clip(weights[0] * one / 2.0 - twice, one, np.minimum(1.0, comparisons * one))

    def error(c: float) -> float:
        every = max(1, draws // 512)  # of the sorted draws: enough to know their spread
        x = np.maximum(normal(np.array(c))[:, None], t[::every])
        spread = draws * np.std(w[::every] * (share @ special.ndtr(-x)), ddof=1)
        slope = (exceed(np.array([c - 0.01])) - exceed(np.array([c + 0.01])))[0] / 0.02
        return float(spread / math.sqrt(draws) / slope)

    return exceed, error


def thresholds(
    v: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    se: np.ndarray,
    rng: np.random.Generator,
    draws: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Thresholds t and weights w, shape (draws,), with P(max |Z| >= c) = 2P E[w Phi(-max(c, t))]
    for P comparisons.

    {max |Z| >= c} is the disjoint union over j of {|Z_j| >= c and Z_j is the largest}. Given what
    is independent of Z_j, W = X - Z_j Cov(X, Z_j), the second holds from some t(W) on: |W_k + r_k
    z| <= z for all k, r_k the correlation with Z_j, once z >= max over k of W_k / (1 - r_k) and of
    -W_k / (1 + r_k). So one draw of W for a random j gives the whole curve in c, smooth and
    monotone. Its variance for each draw is below p (p_Bonferroni - p) (as in Owen, Maximov &
    Chertkov 2019, who count instead). It is therefore precise in the tail, where Bonferroni is
    nearly right. Comparisons with a correlation of 1 are largest together; the weight is one over
    their number.
    """
    m, p = len(v), len(first)
    used = np.unique(np.concatenate([first, second]))
    position = np.empty(m, dtype=int)
    position[used] = np.arange(len(used))
    i, j, m = position[first], position[second], len(used)
    v = v[np.ix_(used, used)]
    values, vectors = np.linalg.eigh(v)
    if values[0] < -1e-6 * values[-1]:
        raise ValueError(
            "the covariance of the means has a negative eigenvalue; it is no covariance"
        )
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    sd = np.full((m, m), np.inf)  # outside the family: never the largest
    sd[i, j] = sd[j, i] = se
    limit = SAME * sd
    # Every comparison is drawn equally often, except in the last round.
    picks = np.resize(rng.permutation(p), draws)
    threshold, weight = np.empty(draws), np.empty(draws)
    step = max(1, 2**18 // m**2)
    gap, ratio, same = (
        np.empty((step, m, m)),
        np.empty((step, m, m)),
        np.empty((step, m, m), dtype=bool),
    )
    for start in range(0, draws, step):
        pick = picks[start : start + step]
        b, rows = len(pick), np.arange(len(pick))
        a, c, scale = i[pick], j[pick], se[pick][:, None]
        x = rng.standard_normal((b, m)) @ root.T
        slope = (v[a] - v[c]) / scale
        w = x - slope * ((x[rows, a] - x[rows, c])[:, None] / scale)
        g, r, s = gap[:b], ratio[:b], same[:b]
        # Both signs of a comparison at once: as i minus j and as j minus i.
        np.subtract(slope[:, None, :], slope[:, :, None], out=g)
        np.add(g, sd, out=g)
        np.less(g, limit, out=s)
        np.copyto(g, np.inf, where=s)
        np.subtract(w[:, :, None], w[:, None, :], out=r)
        np.divide(r, g, out=r)
        threshold[start : start + b] = r.reshape(b, -1).max(axis=1)
        weight[start : start + b] = 1.0 / np.count_nonzero(s.reshape(b, -1), axis=1)
    return threshold, weight
