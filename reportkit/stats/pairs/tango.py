"""Two models by the questions that only one of them has right: Tango's interval and McNemar's p,
and their like in clusters.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.stats.digits import floats
from reportkit.stats.evidence import sparse_df
from reportkit.stats.intervals import t_quantile, z_quantile


def tango_interval(
    only_a: np.ndarray | float,
    only_b: np.ndarray | float,
    n: np.ndarray | float,
    level: float = 0.95,
) -> tuple[np.ndarray, np.ndarray]:
    """Tango's score interval of the difference of two paired shares (Tango 1998), for arrays of
    pairs at once.

    only_a, only_b: questions that only the first, only the second model has right; n: all questions
    (broadcast shapes); fractions are effective numbers. The ends solve |Z(D)| = z with Z(D) = (b -
    c - nD) / sqrt(n (2q + D(1-D))), q the constrained estimate of the share of only_b. It excludes
    0 exactly when McNemar's p < 1 - level. Ends are found by Newton's method, kept inside a
    bracket, to 1e-13. nan where a number is, or n is 0; numbers that are negative, or together more
    than n, are a ValueError.

    >>> low, high = tango_interval(0, 0, 100)   # identical models: -+ z^2 / (n + z^2)
    >>> round(float(high), 6), round(3.841459 / 103.841459, 6)
    (0.036993, 0.036993)
    """
    b, c, n = np.broadcast_arrays(*map(floats, (only_a, only_b, n)))
    unknown = np.isnan(b + c + n) | (n == 0.0)
    counts = (np.minimum(b, c) >= 0.0) & (b + c <= n * (1.0 + 1e-9)) & (n < np.inf)
    if not (unknown | counts).all():
        raise ValueError(
            "only_a and only_b are questions of n: neither can be negative, nor both together be "
            "more than n, which is finite"
        )
    low, high = tango_ends(b, c, n, level)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def tango_ends(
    b: np.ndarray, c: np.ndarray, n: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """tango_interval of arrays of one shape that need no check.

    >>> low, high = tango_ends(*map(np.array, (0.0, 0.0, 100.0)), 0.95)
    >>> round(float(high), 6)
    0.036993
    """
    z, shape = z_quantile(level), b.shape

    def upper(b: np.ndarray, c: np.ndarray, n: np.ndarray) -> np.ndarray:
        """The D above (b-c)/n at which Z(D) = -z; 1 where every question differs the same way."""
        ends = np.ones_like(b)
        left = np.flatnonzero(b - c < n)
        b, c, n = b[left], c[left], n[left]
        low, high = (b - c) / n, np.ones_like(b)
        # exact where b = c = 0
        d = (b - c + z * np.sqrt(b + c - (b - c) ** 2 / n + z * z)) / (n + z * z)
        for _ in range(100):
            linear, room, turn = (2.0 * n - b + c) * d - b - c, d * (1.0 - d), 1.0 - 2.0 * d
            # linear^2 + 8nc D(1-D), written so that nothing cancels at the ends of the scale.
            root = np.sqrt(((2.0 * n - b - c) * d - (b - c)) ** 2 + 4.0 * b * c * (1.0 - d * d))
            with np.errstate(invalid="ignore", divide="ignore"):
                # (root - linear) / 4n cancels when linear > 0; the product of the roots gives the
                # other form.
                q = np.where(
                    linear > 0.0, 2.0 * c * room / (root + linear), (root - linear) / (4.0 * n)
                )
                spread = np.sqrt(n * np.maximum(2.0 * q + room, 0.0))
                at = n * d - (b - c) - z * spread
                # from 2n q^2 + linear q = c D(1-D)
                q_slope = (c * turn - (2.0 * n - b + c) * q) / root
                guess = d - at / (n - z * n * (2.0 * q_slope + turn) / (2.0 * spread))
            low, high = np.where(at <= 0.0, d, low), np.where(at <= 0.0, high, d)
            guess = np.where((guess >= low) & (guess <= high), guess, (low + high) / 2.0)
            moved = np.abs(guess - d) > 1e-10  # Newton's next step would be far below rounding
            d = guess
            if 2 * np.count_nonzero(moved) < len(d):
                ends[left] = d
                left, b, c, n, low, high, d = (v[moved] for v in (left, b, c, n, low, high, d))
            if not len(d):
                break
        ends[left] = d
        return ends

    # The lower end of (b, c) is minus the upper end of (c, b). A few thousand at a time stay in the
    # processor's cache.
    both = (
        np.concatenate([b, c], axis=None),
        np.concatenate([c, b], axis=None),
        np.concatenate([n, n], axis=None),
    )
    parts = [upper(*(v[k : k + 4096] for v in both)) for k in range(0, len(both[0]), 4096)]
    ends = np.concatenate(parts) if parts else both[0]
    return (-ends[b.size :]).reshape(shape), ends[: b.size].reshape(shape)


def mcnemar_p_value(only_a: int, only_b: int, *, method: str = "asymptotic") -> float:
    """McNemar's two-sided p-value from the questions that only one of two models has right.

    "asymptotic": z = (b-c)/sqrt(b+c), the dual of tango_interval. "exact": min(1, 2 P[Bin(b+c, 1/2)
    <= min(b, c)]). "mid-p": the exact one less P[Bin = min(b, c)]. With no discordant question the
    p-value is 1.

    >>> round(mcnemar_p_value(10, 2), 4), round(mcnemar_p_value(10, 2, method="exact"), 4)
    (0.0209, 0.0386)
    """
    if any(not (count >= 0 and count == count // 1 < math.inf) for count in (only_a, only_b)):
        raise ValueError(
            f"{only_a} and {only_b} are no counts; give the questions that only one model has right"
        )
    b, c = int(only_a), int(only_b)
    if b + c == 0:
        return 1.0
    if method == "asymptotic":
        return float(2.0 * special.ndtr(-abs(b - c) / math.sqrt(b + c)))
    if method not in ("exact", "mid-p"):
        raise ValueError(f"method={method!r} is not one of asymptotic, exact, mid-p")
    tail = 2.0 * float(special.bdtr(min(b, c), b + c, 0.5))
    if method == "mid-p":
        log_point = special.gammaln(b + c + 1) - special.gammaln(b + 1) - special.gammaln(c + 1)
        tail -= math.exp(float(log_point) - (b + c) * math.log(2.0))
    return min(1.0, tail)


@dataclass(frozen=True, slots=True)
class DifferenceArrays:
    """Many paired differences: arrays of one shape, one entry each pair."""

    value: np.ndarray
    se: np.ndarray
    df: np.ndarray
    n: np.ndarray  # common questions
    clusters: np.ndarray  # of them; as many as questions where there are none
    # Sums over questions of the positive and of the negative parts of the differences of scores; of
    # 0/1 scores, questions that only one model has right.
    gain: np.ndarray
    loss: np.ndarray
    informative: np.ndarray  # effective number of clusters in which the models differ


def effective_tango(
    of: DifferenceArrays, *, most: np.ndarray | float, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tango's interval on the effective number of questions, and its p-value, of scores between 0
    and 1.

    most: limit of n*, the effective number.

    n* = [V_0 / SE^2] (z/t)^2, with V_0 = ((b + c) - (b - c)^2/n) / n^2 the variance if each
    question were independent and each difference -1, 0 or 1, and t with sparse_df; tango_interval
    then takes b, c and n scaled to n*. It is to Tango's interval what Wilson's on effective answers
    is to Wilson's. p is its dual, the same at every level and below 1 - level exactly where the
    interval excludes 0: with Z = |b - c| / sqrt(b + c) the larger of 2 T_df(-Z sqrt(V_0 / SE^2))
    and 2 Phi(-Z sqrt(most/n)). With an SE of 0, n* is the number of clusters G and p is McNemar's
    on as many questions: 2 Phi(-Z sqrt(G/n)), 1 where the differences add up to 0.

    >>> flat = DifferenceArrays(*map(np.array, (0.0, 0.0, 49.0, 500, 50, 0.0, 0.0, 0.0)))
    >>> low, high, p = effective_tango(flat, most=500)
    >>> round(high.item(), 4), p.item()   # z^2 / (50 + z^2)
    (0.0713, 1.0)
    """
    arrays = (of.gain, of.loss, of.n, of.clusters)
    gain, loss, n, clusters = (np.asarray(v, dtype=float) for v in arrays)
    se = np.asarray(of.se, dtype=float)
    flat = ~(se > 0.0)
    dfs = sparse_df(of.df, of.informative, clusters)
    ratio = z_quantile(level) / t_quantile(level, dfs)
    with np.errstate(invalid="ignore", divide="ignore"):
        plain = ((gain + loss) - (gain - loss) ** 2 / n) / n**2
        effective = np.where(flat, clusters, np.minimum(most, n * plain / se**2 * ratio**2))
        b, c, total = np.broadcast_arrays(gain * effective / n, loss * effective / n, effective)
        low, high = tango_ends(b, c, total, level)
        z = np.where(gain + loss > 0.0, np.abs(gain - loss) / np.sqrt(gain + loss), 0.0)
        p = 2.0 * np.maximum(
            special.stdtr(dfs, -z * np.sqrt(plain) / se), special.ndtr(-z * np.sqrt(most / n))
        )
        p = np.where(flat, 2.0 * special.ndtr(-z * np.sqrt(clusters / n)), p)
        # equal, but for the rounding of the sums
        balanced = np.abs(gain - loss) <= 1e-9 * (gain + loss)
        p = np.where((z == 0.0) | (flat & balanced), 1.0, p)
    return low, high, p
