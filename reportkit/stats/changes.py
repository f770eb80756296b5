"""The change of a mean between two rounds of answers to the same questions."""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import ROUNDING, whole
from reportkit.stats.intervals import t_quantile
from reportkit.stats.means.averages import macro_average
from reportkit.stats.means.mean import Estimate, checked, estimate_of


@dataclass(frozen=True, slots=True)
class Change(Record):
    """A change of a mean, new less old, in score units.

    estimate: the change, with the standard error that says how well it is known. null_se: the
    standard error that it has if nothing changed, of which the p-value is made. null_df: its
    degrees of freedom, infinite where it is known as a sum of squares about 0.
    """

    estimate: Estimate
    null_se: float  # 0 exactly where no question changed; nan where it cannot be had
    null_df: float

    @property
    def p_value(self) -> float:
        """Two-sided, of no change; nan where null_se is 0 or undefined.

        >>> paired_change(np.zeros(4), np.array([1.0, 1, 1, 1])).p_value.__round__(4)  # z = 4 / 2
        0.0455
        """
        if not self.null_se > 0.0:
            return math.nan
        z = -abs(self.estimate.value) / self.null_se
        return float(2.0 * special.stdtr(self.null_df, z))


def paired_change(
    old: np.ndarray,
    new: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    answer_variance: np.ndarray | None = None,
) -> Change:
    """The change on questions that both rounds answered.

    old, new: shape (n,), question scores in the same order (means over the answers of a question).
    clusters: shape (n,), labels or None. answer_variance: shape (n,), the variance of each
    question's change by the spread of its answers alone (see answer_variance), where the two
    rounds have different numbers of answers; else None.

    estimate is mean_estimate of new - old (CR2). With the sum S_c of the changes of cluster c,
    null_se = sqrt(sum_c S_c^2) / n: the variance about 0. If nothing changed, the two answers of
    a question could have come in the other order, so every S_c is as likely with the other sign,
    and value / null_se is a sum of independent signs over its own length, which has no heavier
    tails than the normal (Hoeffding 1963; Efron 1969) however few the clusters are. For 0/1
    scores and no clusters it is McNemar's test. With different numbers of answers the signs are
    not alike; null_se is then not below what answer_variance says.

    Changes, and an SE of them, below 1e-14 of the largest score are the rounding of means, and 0;
    whole numbers have none.

    >>> c = paired_change(np.array([1.0, 1, 0, 0, 1]), np.array([1.0, 0, 0, 0, 0]))  # -1 twice
    >>> c.estimate.value, round(c.null_se, 4)                                        # sqrt(2) / 5
    (-0.4, 0.2828)
    """
    a, b = checked(old)[0], checked(new)[0]
    if a.shape != b.shape:
        raise ValueError(
            f"the rounds have {len(a)} and {len(b)} questions; give both scores of the common ones"
        )
    d = b - a
    rounding = ROUNDING * max(float(np.abs(a).max()), float(np.abs(b).max()))
    if whole(a) and whole(b):
        rounding = 0.0
    d[np.abs(d) < rounding] = 0.0
    codes = cluster_codes(clusters, len(d))
    sums = d if codes is None else np.bincount(codes, weights=d)
    squares = float(np.einsum("i,i->", sums, sums))
    if answer_variance is not None:
        squares = max(squares, float(np.sum(answer_variance)))
    estimate = estimate_of(d, codes, "cr2")
    if estimate.se < rounding or not d.any():
        estimate = replace(estimate, se=0.0)
    if not d.any():
        return Change(estimate, 0.0, math.inf)
    return Change(estimate, math.sqrt(squares) / len(d), math.inf)


def answer_variance(
    difference: np.ndarray, within: tuple[np.ndarray, np.ndarray], answers: tuple[np.ndarray, ...]
) -> np.ndarray:
    """The variance of each question's change, shape (n,), if all its answers are alike.

    difference: new mean less old; within: the variances of the old and of the new answers (divisor
    K-1; nan at one answer); answers: their numbers K and L. Pooled over both rounds, s^2 has the
    sum of squares (K-1) v + (L-1) w + difference^2 K L / (K+L) over K+L-1, and the change has the
    variance s^2 (1/K + 1/L): that of a permutation of the question's answers. With one answer in
    each round it is difference^2.

    >>> one = np.array([1.0])
    >>> answer_variance(np.array([-1.0]), (one * np.nan, one * np.nan), (one, one))
    array([1.])
    """
    k, m = answers
    inside = sum(
        (n - 1.0) * np.where(n > 1.0, v, 0.0) for v, n in zip(within, answers, strict=True)
    )
    pooled = (inside + difference**2 * k * m / (k + m)) / (k + m - 1.0)
    return np.asarray(pooled * (1.0 / k + 1.0 / m))


def unpaired_change(old: Estimate, new: Estimate) -> Change:
    """The change of a mean whose rounds have no question in common, or whose questions are not
    known: sqrt(SE^2 + SE^2) with Welch's degrees of freedom (equations 5 and 6 of Miller 2024).

    Of the same questions it is too large, so a change is found later than it could be. nan where
    an SE is undefined; equal values with SEs of 0 have not changed.

    >>> c = unpaired_change(Estimate(0.8, 0.03, 99, 100, 100), Estimate(0.6, 0.04, 99, 100, 100))
    >>> round(c.null_se, 3), round(c.null_df, 1)
    (0.05, 183.6)
    """
    value = new.value - old.value
    error = math.hypot(old.se, new.se)
    df = math.nan
    if error > 0.0:
        parts = [(e.se / error) ** 4 / e.df for e in (old, new) if e.se > 0.0]
        df = 1.0 / math.fsum(parts) if math.fsum(parts) > 0.0 else math.inf
    n = min(old.n_questions, new.n_questions)
    estimate = Estimate(value, error, df, n, min(old.n_clusters, new.n_clusters))
    return Change(estimate, error, df)


def from_interval(estimate: Estimate, low: float, high: float, level: float) -> Estimate:
    """An estimate whose SE is not below what half its interval says: all answers right have an SE
    of 0, and an interval (Wilson's) that says how far that is known.

    >>> e = from_interval(Estimate(1.0, 0.0, 99.0, 100, 100), 0.963, 1.0, 0.95)
    >>> round(e.se, 4)                                             # 0.037 / (2 * 1.984)
    0.0093
    """
    if not (estimate.df > 0.0 and high > low):
        return estimate
    return replace(
        estimate, se=max(estimate.se, (high - low) / (2.0 * float(t_quantile(level, estimate.df))))
    )


def overall_change(changes: "list[Change]", factors: "list[float]") -> Change:
    """The average of independent changes, each with the same weight: of one model over several
    evals.

    factors: what brings each to one scale and direction. Both standard errors are combined as
    macro_average does. A change of exactly nothing counts, as 0.

    >>> c = [Change(Estimate(v, 0.3, 9.0, 10, 10), 0.4, math.inf) for v in (-0.5, 0.1)]
    >>> o = overall_change(c, [1.0, 1.0])
    >>> round(o.estimate.value, 2), round(o.null_se, 4)             # 0.4 sqrt(2) / 2
    (-0.2, 0.2828)
    """
    estimates, nulls = [], []
    for change, factor in zip(changes, factors, strict=True):
        e = change.estimate
        e = replace(e, value=e.value * factor, se=e.se * abs(factor))
        estimates.append(e)
        nulls.append(replace(e, se=change.null_se * abs(factor), df=change.null_df))
    estimate, null = macro_average(estimates), macro_average(nulls)
    return Change(estimate, null.se, null.df if null.se > 0.0 else math.inf)
