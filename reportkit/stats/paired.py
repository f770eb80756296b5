"""Two models on the same questions: difference, interval, p-value, correlation."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.stats.intervals import Interval, no_interval, t_interval, z_quantile
from reportkit.stats.mean import Estimate, SeKind, mean_estimate


@dataclass(frozen=True, slots=True)
class Difference:
    """First model minus second, in score units."""

    estimate: Estimate
    interval: Interval
    p_value: float  # two-sided, of no difference; nan when it cannot be had
    correlation: float  # Pearson, over questions; nan if a side is constant


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson correlation of two models' question scores, shape (n,) each; nan if one of them is constant.

    >>> correlation(np.array([1.0, 0, 1, 0]), np.array([1.0, 0, 0, 0])).__round__(4)
    0.5774
    """
    x, y = a - a.mean(), b - b.mean()
    if (a == a[0]).all() or (b == b[0]).all():
        return math.nan
    r = float(x @ y) / math.sqrt(float(x @ x) * float(y @ y))
    return min(1.0, max(-1.0, r))


def tango_interval(
    only_a: np.ndarray | float, only_b: np.ndarray | float, n: np.ndarray | float, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Tango's score interval of the difference of two paired shares (Tango 1998), for arrays of pairs at once.

    only_a, only_b: questions that only the first, only the second model has right; n: all questions (broadcast shapes).
    The ends solve |Z(D)| = z with Z(D) = (b - c - nD) / sqrt(n (2q + D(1-D))), q the constrained estimate of the share
    of only_b. It excludes 0 exactly when McNemar's p < 1 - level. Ends are found by Newton's method, kept inside a
    bracket, to 1e-13.

    >>> low, high = tango_interval(0, 0, 100)   # identical models: -+ z^2 / (n + z^2)
    >>> round(float(high), 6), round(3.841459 / 103.841459, 6)
    (0.036993, 0.036993)
    """
    b, c, n = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (only_a, only_b, n)))
    z, shape = z_quantile(level), b.shape

    def upper(b: np.ndarray, c: np.ndarray, n: np.ndarray) -> np.ndarray:
        """The D above (b-c)/n at which Z(D) = -z; 1 where every question differs the same way."""
        ends = np.ones_like(b)
        left = np.flatnonzero(b - c < n)
        b, c, n = b[left], c[left], n[left]
        low, high = (b - c) / n, np.ones_like(b)
        d = (b - c + z * np.sqrt(b + c - (b - c) ** 2 / n + z * z)) / (n + z * z)  # exact where b = c = 0
        for _ in range(100):
            linear, room, turn = (2.0 * n - b + c) * d - b - c, d * (1.0 - d), 1.0 - 2.0 * d
            # linear^2 + 8nc D(1-D), written so that nothing cancels at the ends of the scale.
            root = np.sqrt(((2.0 * n - b - c) * d - (b - c)) ** 2 + 4.0 * b * c * (1.0 - d * d))
            with np.errstate(invalid="ignore", divide="ignore"):
                # (root - linear) / 4n cancels when linear > 0; the product of the roots gives the other form.
                q = np.where(linear > 0.0, 2.0 * c * room / (root + linear), (root - linear) / (4.0 * n))
                spread = np.sqrt(n * np.maximum(2.0 * q + room, 0.0))
                at = n * d - (b - c) - z * spread
                q_slope = (c * turn - (2.0 * n - b + c) * q) / root  # from 2n q^2 + linear q = c D(1-D)
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

    # The lower end of (b, c) is minus the upper end of (c, b). A few thousand at a time stay in the processor's cache.
    both = np.concatenate([b, c], axis=None), np.concatenate([c, b], axis=None), np.concatenate([n, n], axis=None)
    parts = [upper(*(v[k : k + 4096] for v in both)) for k in range(0, len(both[0]), 4096)]
    ends = np.concatenate(parts) if parts else both[0]
    return (-ends[b.size :]).reshape(shape), ends[: b.size].reshape(shape)


def mcnemar_p_value(only_a: int, only_b: int, *, method: str = "asymptotic") -> float:
    """McNemar's two-sided p-value from the questions that only one of two models has right.

    "asymptotic": z = (b-c)/sqrt(b+c), the dual of tango_interval. "exact": min(1, 2 P[Bin(b+c, 1/2) <= min(b, c)]).
    "mid-p": the exact one less P[Bin = min(b, c)]. With no discordant question the p-value is 1.

    >>> round(mcnemar_p_value(10, 2), 4), round(mcnemar_p_value(10, 2, method="exact"), 4)
    (0.0209, 0.0386)
    """
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


def paired_difference(
    a: np.ndarray,
    b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool = False,
    level: float = 0.95,
    se: SeKind = "cr2",
) -> Difference:
    """Difference of two models on the same questions: equation 7 of Miller 2024, or its clustered form.

    a, b: shape (n,), question scores in the same order; clusters: shape (n,) labels or None.
    binary: both are 0/1 with one answer for each question; then the unclustered interval is Tango's and p is McNemar's
    (exact where every question differs the same way). Otherwise t with the degrees of freedom of the SE.
    se: as in mean_estimate, on a - b: "clt" is equation 7, "cr0" is equation 8, "paper" the form of equation 4.

    With an SE of 0: p is 1 if the difference is 0, otherwise undefined unless binary; the interval is Tango's if binary
    (on clusters as if each were one question, "tango-clusters"), otherwise none. One question: only the difference.

    >>> d = paired_difference(np.array([1.0, 1, 1, 0]), np.array([1.0, 0, 0, 0]))   # d = 0 1 1 0
    >>> d.estimate.value, round(d.estimate.se, 4), round(d.p_value, 4)   # sqrt((1/3)/4), t_3 = 1.732
    (0.5, 0.2887, 0.1817)
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if a.shape != b.shape:
        raise ValueError(f"the models answered {len(a)} and {len(b)} questions; give both scores of the common ones")
    estimate = mean_estimate(a - b, clusters, se=se)
    only_a, only_b = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    interval, p_value = difference_interval(
        estimate, clustered=clusters is not None, binary=binary, only_a=only_a, only_b=only_b, level=level
    )
    return Difference(estimate, interval, p_value, correlation(a, b))


def difference_interval(
    estimate: Estimate, *, clustered: bool, binary: bool, only_a: int, only_b: int, level: float
) -> tuple[Interval, float]:
    """Interval and p-value of one paired difference; the rules that paired_difference and all_pairs share."""
    if math.isnan(estimate.se):
        return no_interval(level), math.nan
    degenerate = estimate.se == 0.0
    if binary and not clustered:
        low, high = tango_interval(only_a, only_b, estimate.n_questions, level)
        exact = "exact" if degenerate and estimate.value != 0.0 else "asymptotic"
        return Interval(float(low), float(high), level, "tango"), mcnemar_p_value(only_a, only_b, method=exact)
    if not degenerate:
        t = abs(estimate.value) / estimate.se
        return t_interval(estimate, level), float(2.0 * special.stdtr(estimate.df, -t))
    if binary and abs(estimate.value) in (0.0, 1.0):
        g = estimate.n_clusters
        b, c = (g if estimate.value > 0 else 0), (g if estimate.value < 0 else 0)
        low, high = tango_interval(b, c, g, level)
        return Interval(float(low), float(high), level, "tango-clusters"), mcnemar_p_value(b, c, method="exact")
    return no_interval(level), 1.0 if estimate.value == 0.0 else math.nan


def unpaired_difference(
    a: np.ndarray,
    b: np.ndarray,
    clusters_a: np.ndarray | None = None,
    clusters_b: np.ndarray | None = None,
    *,
    level: float = 0.95,
    se: SeKind = "cr2",
) -> Difference:
    """Difference of two models on different questions: equations 5 and 6 of Miller 2024.

    SE = sqrt(SE_A^2 + SE_B^2) with Welch's degrees of freedom; the paper uses z. Where questions are shared, use
    paired_difference: this one ignores what they have in common. Undefined where either SE is.

    >>> d = unpaired_difference(np.array([1.0, 0, 1, 1]), np.array([0.0, 0, 1, 0]))
    >>> d.estimate.value, round(d.estimate.se, 4), round(d.estimate.df, 9)   # sqrt(0.25^2 + 0.25^2)
    (0.5, 0.3536, 6.0)
    """
    x, y = mean_estimate(a, clusters_a, se=se), mean_estimate(b, clusters_b, se=se)
    error = math.hypot(x.se, y.se)
    df = math.nan
    if error > 0.0:
        df = error**4 / (x.se**4 / x.df + y.se**4 / y.df)
    estimate = Estimate(x.value - y.value, error, df, x.n_questions + y.n_questions, x.n_clusters + y.n_clusters)
    p = 2.0 * special.stdtr(df, -abs(estimate.value) / error) if error > 0.0 else math.nan
    return Difference(estimate, t_interval(estimate, level), float(p), math.nan)
