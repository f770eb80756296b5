"""Variances for planning, from the answers of a pilot: appendix C of Miller 2024, corrected and as
printed.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from reportkit.record import Record
from reportkit.stats.clusters import cluster_codes
from reportkit.stats.digits import TINY, check_squares, floats
from reportkit.stats.intervals import t_quantile
from reportkit.stats.means.mean import SeKind, mean_estimate
from reportkit.stats.variance_components import components

ROUNDED = 1e-9  # of a correlation: as near to 1 as that it is 1
Form = Literal["corrected", "shared-runs", "printed"]


@dataclass(frozen=True, slots=True)
class PairedComponents(Record):
    """The variances that equations 9 and 10 of Miller 2024 ask for, in squared score units."""

    # variance over questions of the true difference; clustered where clusters were given
    omega2: float
    sigma2_a: float  # variance of one answer of the first model within a question
    sigma2_b: float
    epochs_a: float  # harmonic mean of the answers per question
    epochs_b: float
    variance: float  # n SE^2 of the paired difference as observed; needs no second answer
    floored: bool  # omega2 came out negative and was set to 0: it cannot be told from 0
    n_questions: int
    n_clusters: int


def question_moments(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means, variances (divisor K-1; nan where K=1) and counts of each question's answers, shape
    (n,) each.

    answers: shape (n, K), nan where a question has fewer than K. A question with no answer is a
    ValueError.

    >>> [v.tolist() for v in question_moments(np.array([[1.0, 0.0], [1.0, np.nan]]))]
    [[0.5, 1.0], [0.5, nan], [2, 1]]
    """
    s = floats(answers)
    if s.ndim != 2 or s.size == 0:
        raise ValueError(
            f"answers have shape {s.shape}; give one row per question and one column per answer"
        )
    check_squares(s)
    known = ~np.isnan(s)
    count = known.sum(axis=1)
    if not count.all():
        raise ValueError(
            f"{int((count == 0).sum())} of {len(s)} questions have no answer; drop them first"
        )
    means = np.where(known, s, 0.0).sum(axis=1) / count
    squares = (np.where(known, s - means[:, None], 0.0) ** 2).sum(axis=1)
    return means, np.where(count > 1, squares / np.maximum(count - 1, 1), np.nan), count


def paired_components(
    answers_a: np.ndarray,
    answers_b: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    form: Form = "corrected",
    se: SeKind = "cr2",
) -> PairedComponents:
    """omega^2, sigma_A^2 and sigma_B^2 of a pilot, for questions_needed and
    minimum_detectable_effect.

    answers_a, answers_b: shapes (n, K_A) and (n, K_B), the same questions, nan where a question has
    fewer answers. clusters: shape (n,) labels or None. form:

    - "corrected" (default): sigma^2 as `within` of components, the mean of the questions' answer
      variances; omega^2 = n SE^2 - q_A - q_B, q the mean of sigma_i^2 / K_i, SE of the paired
      difference, `se` as in mean_estimate. "cr1" is [G/(G-1)] (1/n) sum_c (sum_{i in c}
      (d_i - d))^2 - q_A - q_B, unbiased for equal clusters; with "cr2" the noise is removed without
      bias whatever the sizes, when it is alike in all questions.
    - "shared-runs": column k of the answers is one run (a seed, a server's session) whose answers
      may err together; then sigma^2 keeps the cross terms of appendix C (sigma_squared_printed),
      and so does what omega^2 loses.
    - "printed": appendix C of Miller 2024 to the letter, omega^2 the plug-in
      (omega_squared_printed), sigma^2 with cross terms. Counts the answer noise twice in equations
      9 and 10; here so that the paper can be reproduced.

    Undefined (nan): sigma^2 of a model with one answer to every question, and then omega^2 (unless
    "printed"): plan with `variance`, which is omega^2 + sigma_A^2 + sigma_B^2 of one answer.
    omega^2 too with fewer than two clusters.

    >>> a, b = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), np.zeros((3, 2))   # d = 1, 0.5, 0
    >>> c = paired_components(a, b)
    >>> # 0.5/3, 0.25, 0.25 - (0.5/3)/2
    >>> round(c.sigma2_a, 4), round(c.variance, 4), round(c.omega2, 4)
    (0.1667, 0.25, 0.1667)
    """
    if form not in get_args(Form):
        raise ValueError(f"form={form!r} is not one of {', '.join(get_args(Form))}")
    a, b = question_moments(answers_a), question_moments(answers_b)
    if len(a[0]) != len(b[0]):
        raise ValueError(
            f"the models answered {len(a[0])} and {len(b[0])} questions; give both on the common "
            "ones"
        )
    n = len(a[0])
    parts_a, parts_b = components(*a), components(*b)
    estimate = mean_estimate(a[0] - b[0], clusters, se=se)
    sigma2_a, sigma2_b, noise = parts_a.within, parts_b.within, parts_a.noise + parts_b.noise
    if form != "corrected":
        sigma2_a, sigma2_b = (
            sigma_squared_printed(answers_a, clusters),
            sigma_squared_printed(answers_b, clusters),
        )
        noise = sigma2_a / parts_a.epochs + sigma2_b / parts_b.epochs
    variance = n * estimate.se**2
    omega2 = omega_squared_printed(a[0], b[0], clusters) if form == "printed" else variance - noise
    return PairedComponents(
        omega2 if math.isnan(omega2) else max(0.0, omega2),
        sigma2_a,
        sigma2_b,
        parts_a.epochs,
        parts_b.epochs,
        variance,
        omega2 < 0.0,
        n,
        estimate.n_clusters,
    )


def variance_df(x: np.ndarray) -> float:
    """Degrees of freedom that the variance of these values has, by their own fourth moment.

    x: shape (n,), independent. A variance with f degrees of freedom has 2 V^2 / f as its own
    variance; that of any law's is (m_4 - V^2 (n - 3) / (n - 1)) / n (Mood, Graybill and Boes 1974,
    VI.2.3). n - 1 for a normal law, fewer for long tails. Undefined (nan) below 4 values, and where
    all are alike.

    >>> round(variance_df(np.array([-2.0, 0, 0, 0, 0, 0, 0, 2])), 2)   # V = 8/7, m_4 = 4
    6.81
    """
    return variances_df(x, np.zeros(len(x)))


def variances_df(x: np.ndarray, y: np.ndarray) -> float:
    """Degrees of freedom of the sum of two variances, as variance_df has them of one.

    x, y: shape (n,), of the same n questions; where they go together the two err together. With
    u = (x - mean)^2 + (y - mean)^2 the sum V has the variance (mean u^2 - V^2) / n + 2 (V_x^2 +
    V_y^2 + 2 C^2) / (n (n - 1)), C the covariance of x and y. Undefined (nan) below 4 values, and
    where all are alike.

    >>> x = np.array([-2.0, 0, 0, 0, 0, 0, 0, 2])
    >>> # (half of it is x's, and the other half is the same)
    >>> round(variances_df(x, x), 2), round(variances_df(x, -x), 2), round(variance_df(x), 2)
    (6.81, 6.81, 6.81)
    >>> variances_df(x, np.zeros(8)) == variance_df(x)
    True
    """
    n = len(x)
    a, b = x - x.mean(), y - y.mean()
    of_x, of_y, both = (float((u * w).sum()) / max(n - 1, 1) for u, w in ((a, a), (b, b), (a, b)))
    v = of_x + of_y
    if n < 4 or v < TINY**2:
        return math.nan
    square = float(((a**2 + b**2) ** 2).mean())
    own = (square - v**2 + 2.0 * (of_x**2 + of_y**2 + 2.0 * both**2) / (n - 1)) / n
    return 2.0 * v**2 / own if own > 0.0 else math.inf


def correlation_ends(x: np.ndarray, y: np.ndarray, level: float = 0.95) -> tuple[float, float]:
    """Ends of an interval of the correlation of these values, whatever their law.

    x, y: shape (n,), of the same n independent questions. Fisher's z = atanh r has the standard
    error sqrt(sum f^2 / (n (n - 1))) / (1 - r^2), where f = u v - r (u^2 + v^2) / 2 is what a
    question with the standard scores u and v adds to r (Devlin, Gnanadesikan and Kettenring 1975).
    The ends are tanh(z -+ t SE), t with variance_df of f. With Fisher's own 1 / sqrt(n - 3), which
    is that of normal scores, right and wrong answers had 72% in place of 95% (90% right,
    benchmarks/planning.md). Undefined (nan): fewer than 4 questions, values that are all alike, a
    correlation of 1 or -1.

    >>> x, y = np.array([0.0, 0, 1, 1, 1, 1, 1, 1]), np.array([0.0, 1, 0, 1, 1, 1, 1, 1])
    >>> # r = 1/3; u = -sqrt(3) or 1/sqrt(3): f = 2, -14/9 twice, 2/9 five times; SE = 0.4532
    >>> [round(end, 3) for end in correlation_ends(x, y)]
    [-0.566, 0.87]
    """
    n = len(x)
    if n < 4 or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return math.nan, math.nan
    u, v = ((w - w.mean()) / w.std() for w in (floats(x), floats(y)))
    r = float((u * v).mean())
    if not abs(r) < 1.0 - ROUNDED:
        return math.nan, math.nan
    added = u * v - r * (u**2 + v**2) / 2.0
    se = math.sqrt(float((added**2).sum()) / (n * (n - 1))) / (1.0 - r**2)
    half = float(t_quantile(level, variance_df(added))) * se
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def omega_squared_printed(
    means_a: np.ndarray, means_b: np.ndarray, clusters: np.ndarray | None = None
) -> float:
    """omega_cl^2 as appendix C of Miller 2024 prints it: (1/n) sum_c (sum_{i in c} (d_i - d))^2 of
    question means.

    means_a, means_b: shape (n,). It is n times appendix A's CR0 variance, short of G/(G-1), and
    biased up by sigma_A^2/K_A + sigma_B^2/K_B, so that equation 9 asks for too many questions (44%
    more in the uniform example with K = 5). paired_components corrects both. Undefined (nan) with
    one cluster, where it would be 0.

    >>> a, clusters = np.array([1.0, 1, 0, 0]), np.array([1, 1, 2, 2])
    >>> round(omega_squared_printed(a, np.zeros(4), clusters), 9)   # (1 + 1) / 4
    0.5
    """
    d = floats(means_a) - floats(means_b)
    return len(d) * mean_estimate(d, clusters, se="cr0").se ** 2


def sigma_squared_printed(answers: np.ndarray, clusters: np.ndarray | None = None) -> float:
    """sigma_cl^2 as appendix C of Miller 2024 prints it: (1/(n(K-1))) sum_k sum_c (sum_{i in c}
    e_ik)^2.

    answers: shape (n, K), the same K for every question (a nan is a ValueError); e_ik: answer less
    its question's mean. The cross terms pair answer k of one question with answer k of another.
    Where answers are drawn independently k is an arbitrary label, and the result changes when one
    question's answers are re-ordered; its expectation is that of `within` of components, its spread
    larger. Use it when column k is one run whose answers may err together. Undefined (nan) with one
    answer per question. Without clusters it is `within`.

    >>> same = np.array([[1.0, 0.0], [1.0, 0.0]])
    >>> sigma_squared_printed(same, np.zeros(2)), sigma_squared_printed(same)
    (1.0, 0.5)
    >>> # the same answers, numbered otherwise
    >>> sigma_squared_printed(np.array([[1.0, 0.0], [0.0, 1.0]]), np.zeros(2))
    0.0
    """
    s = floats(answers)
    means, _, epochs = question_moments(s)
    n, k = s.shape
    if (epochs != k).any():
        raise ValueError(
            f"{int((epochs != k).sum())} of {n} questions have fewer than {k} answers; runs need "
            "them all"
        )
    if k < 2:
        return math.nan
    codes = cluster_codes(clusters, n)
    codes = np.arange(n) if codes is None else codes
    sums = np.zeros((int(codes.max()) + 1, k))
    np.add.at(sums, codes, s - means[:, None])
    return float((sums**2).sum()) / (n * (k - 1))
