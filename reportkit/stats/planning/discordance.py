"""Questions that only one of two models has right: how many a true difference brings, and how often
McNemar's test then finds it.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from reportkit.stats.bayes.bivariate import orthants
from reportkit.stats.intervals import z_quantile

# Up to so many expected discordant questions power is summed over their number; above, the normal
# form errs by less than 0.005.
SUMMED = 60
# What is added to the counts of two models before their correlation is taken, so that no cell is
# empty: only one right (each), both wrong. Reports of models that answer alike print no plan; so
# where one question differs, as often as not fewer were to be expected, and nothing is added to it.
# Chosen by benchmarks/power.py.
ADDED_TO_ONE, ADDED_TO_NONE = 0.5, 0.1
NESTED = 1e-9  # a part of the discordant questions, far above rounding


def mcnemar_power(
    p10: np.ndarray | float, p01: np.ndarray | float, n: np.ndarray | float, *, level: float = 0.95
) -> np.ndarray:
    """Chance that McNemar's test of n questions finds that two models differ, for arrays of pairs.

    p10, p01: shares of questions that only the first, only the second model has right (broadcast
    shapes). The test is the one that reports print, mcnemar_p_value's "asymptotic" one and the dual
    of tango_interval: |b - c| > z sqrt(b + c). With q = p10 + p01, power is the sum over m of
    Bin(m; n, q) P[|2 Bin(m, p10/q) - m| > z sqrt(m)], to 1e-4 (the inner probability is read off
    a table in p10/q). Where more than 60 discordant questions are expected, it is the normal form,
    Phi((k s - z) / sqrt(1 - k^2 + k^2 (1-q)/4)) with k = |p10 - p01|/q and s = sqrt(nq) - (1-q)/(8
    sqrt(nq)), the mean of the root of m. At p10 = p01 it is the size of the test, about 1 - level.
    Shares that are none are a ValueError.

    >>> mcnemar_power(0.2, 0.1, 234).round(3).item()   # Connor's size for 80%
    0.808
    >>> mcnemar_power(0.3, 0.0, 20).round(3).item()    # four or more of 20: 1 - B(3; 20, .3)
    0.893
    """
    p10, p01, n = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (p10, p01, n)))
    shape = n.shape
    p10, p01, n = (v.reshape(-1) for v in (p10, p01, n))
    if not ((p10 >= 0.0) & (p01 >= 0.0) & (p10 + p01 <= 1.0 + 1e-12) & (n >= 0.0)).all():
        raise ValueError("p10 and p01 are shares of the same n questions: >= 0, their sum <= 1")
    z = z_quantile(level)
    q = np.minimum(p10 + p01, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        k = np.where(q > 0.0, np.abs(p10 - p01) / q, 0.0)
        root = np.sqrt(n * q)
        root = root - (1.0 - q) / (8.0 * root)
        spread = np.sqrt(1.0 - k * k + k * k * (1.0 - q) / 4.0)
        found = special.ndtr((k * root - z) / spread) + special.ndtr((-k * root - z) / spread)
    few = n * q <= SUMMED
    if few.any():
        found[few] = _summed(n[few], q[few], k[few], level)
    return found.reshape(shape)


def _summed(n: np.ndarray, q: np.ndarray, k: np.ndarray, level: float) -> np.ndarray:
    """Power by the sum over the number of discordant questions."""
    table = _given_discordant(level)
    last = min(table.shape[1], int((n * q + 9.0 * np.sqrt(n * q)).max()) + 10, int(n.max()) + 1)
    m = np.arange(last, dtype=float)
    n, q = n[:, None], np.minimum(q[:, None], 1.0 - 1e-12)
    # Whole questions only: a plan may ask for parts of one. Then the shares sum to less than 1, the
    # less the nearer q is to 1.
    rest = np.maximum(n - m, 0.0)
    log_share = (
        special.gammaln(n + 1.0)
        - special.gammaln(m + 1.0)
        - special.gammaln(rest + 1.0)
        + special.xlogy(m, q)
        + special.xlog1py(rest, -q)
    )
    share = np.where(m <= n, np.exp(log_share), 0.0)
    share /= share.sum(axis=1, keepdims=True)
    at = k * (len(table) - 1)
    left = np.minimum(at.astype(int), len(table) - 2)
    along = (at - left)[:, None]
    rows = table[:, :last]
    return np.einsum("pm,pm->p", share, rows[left] * (1.0 - along) + rows[left + 1] * along)


@lru_cache(maxsize=8)
def _given_discordant(level: float) -> np.ndarray:
    """Power given the number of discordant questions, 0 to 159 (columns), by k = 2 p10/q - 1 from 0
    to 1 (rows).
    """
    z = z_quantile(level)
    m = np.arange(160)[:, None]
    right = (1.0 + np.linspace(0.0, 1.0, 257)) / 2.0
    # The least number of one side that is significant: b - (m - b) > z sqrt(m).
    least = np.floor((m + z * np.sqrt(m)) / 2.0).astype(int) + 1
    upper = special.bdtrc(np.minimum(least - 1, m), m, right)
    lower = special.bdtr(np.maximum(m - least, 0), m, right)
    return np.ascontiguousarray(np.where(least <= m, upper + lower, 0.0).T)


def quantiles(share: np.ndarray) -> np.ndarray:
    """Of a standard normal variable; no further out than doubles tell."""
    return np.asarray(np.clip(special.ndtri(share), -37.0, 37.0))


def latent_correlation(
    share_a: np.ndarray, share_b: np.ndarray, discordant: np.ndarray
) -> np.ndarray:
    """atanh of the correlation of two normals of which one exceeds 0 in a share of `discordant`
    without the other.

    share_a, share_b: chances that each exceeds 0. It is the tetrachoric correlation (Pearson 1900):
    of two models that are right where ability and luck exceed a question's difficulty. By
    bisection, from -6 to 9; the nearer end where the shares leave no such table. Where one model is
    right in all that the other is, it is the upper end: the last bits of the shares must not choose
    another.

    >>> z = latent_correlation(np.array([0.5]), np.array([0.5]), np.array([1 / 3]))
    >>> np.tanh(z).round(6).item()   # orthants of correlation 1/2 are 1/3, 1/6, 1/6, 1/3
    0.5
    """
    every = np.array(np.broadcast_arrays(share_a, share_b, discordant), dtype=float)
    return _bisected(every.tobytes(), every.shape).copy()


@lru_cache(maxsize=256)  # all numbers of a plan are asked of the same few designs
def _bisected(shares: bytes, shape: tuple[int, ...]) -> np.ndarray:
    a, b, q = np.frombuffer(shares).reshape(shape)
    h, k = quantiles(a), quantiles(b)
    low, high = np.full(q.shape, -6.0), np.full(q.shape, 9.0)
    for _ in range(32):
        middle = (low + high) / 2.0
        _, only_a, only_b, _ = orthants(h, k, middle)
        more = only_a + only_b > q * (1.0 - NESTED)
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return (low + high) / 2.0


def discordance(
    share: np.ndarray, difference: np.ndarray, latent: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Shares of questions that only one of two models has right, one with `share`, the other
    `difference` below it.

    latent: of latent_correlation, which stays as the second model gets worse: then p10 + p01 grows
    with the difference, and is never below it.

    >>> p10, p01 = discordance(np.array([0.9]), np.array([0.3]), np.array([0.0]))
    >>> p10.round(9).item(), p01.round(9).item()   # independent: .9 * .4 and .1 * .6
    (0.36, 0.06)
    """
    with np.errstate(invalid="ignore"):
        h, k = special.ndtri(share), special.ndtri(np.maximum(share - difference, 0.0))
    h, k = np.clip(h, -37.0, 37.0), np.clip(k, -37.0, 37.0)
    _, p10, p01, _ = orthants(h, k, latent)
    return p10, p01


def smoothed(
    both: np.ndarray, only_a: np.ndarray, only_b: np.ndarray, n: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of two models and of their discordant questions from counts, with a fraction of a
    question added to rare cells.

    Counts without it would say that what was not seen in n questions cannot be. Where only one
    model is right in one question or less, nothing is added to these; from two on, 1/2 each.

    >>> a, b, q = smoothed(*(np.array([x]) for x in (7.0, 2.0, 0.0, 10.0)))
    >>> a.round(4).item(), b.round(4).item(), q.round(4).item()   # 9.5, 7.5 and 3 of 11.1
    (0.8559, 0.6757, 0.2703)
    """
    added = ADDED_TO_ONE * np.clip(only_a + only_b - 1.0, 0.0, 1.0)
    total = n + 2.0 * added + ADDED_TO_NONE
    only_a, only_b = only_a + added, only_b + added
    return (both + only_a) / total, (both + only_b) / total, (only_a + only_b) / total
