"""Which interval a mean gets, and the intervals themselves."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.clusters import cluster_means
from reportkit.stats.mean import Estimate, mean_estimate

# up to so many answers short of 0 or n, Wilson's end is mended (Brown, Cai & DasGupta 2001)
FEW_ANSWERS = 3
# below, shares never get a t interval: questions, clusters of several questions
FEW_UNITS, FEW_CLUSTERS = 10, 100
# so many that show the outcome are enough for t, however many there are
SHOWN_UNITS, SHOWN_CLUSTERS = 25, 100
# below, only 0/1 answers get an interval: no method covers the others nine times of ten
LEAST_UNITS = 4
MEAN_FLOOR, DIFFERENCE_FLOOR = 2.0, 4.0  # least degrees of freedom that sparse_df leaves


@dataclass(frozen=True, slots=True)
class Interval(Record):
    """Ends of an interval in the units of the estimate; nan where it cannot be had, and then method
    is "none".
    """

    low: float
    high: float
    level: float
    method: str


def no_interval(level: float) -> Interval:
    return Interval(math.nan, math.nan, level, "none")


def z_quantile(level: float) -> float:
    """The two-sided normal quantile: 1.959964 at level 0.95.

    >>> round(z_quantile(0.95), 6)
    1.959964
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level={level} is not between 0 and 1; write 95% as 0.95")
    return float(special.ndtri(0.5 + level / 2.0))


def t_quantile(level: float, df: float | np.ndarray) -> np.ndarray:
    """The two-sided quantile of Student's t; df may be fractional and any shape."""
    z_quantile(level)  # checks the level
    return special.stdtrit(df, 0.5 + level / 2.0)


def normal_interval(estimate: Estimate, level: float = 0.95) -> Interval:
    """Value +- z SE: equation 3 of Miller 2024 as printed. The default report uses t_interval.

    >>> i = normal_interval(Estimate(0.655, 0.00672, 4999.0, 5000, 5000))
    >>> round(i.low, 4), round(i.high, 4)
    (0.6418, 0.6682)
    """
    if not estimate.se > 0.0:
        return no_interval(level)
    half = z_quantile(level) * estimate.se
    return Interval(estimate.value - half, estimate.value + half, level, "normal")


def t_interval(estimate: Estimate, level: float = 0.95) -> Interval:
    """Value +- t_df SE, with the degrees of freedom of the SE (Satterthwaite for CR2). Not clipped
    to the scale.

    Not available (nan, method "none") when the SE is undefined or 0: a width of zero would claim
    certainty.

    >>> i = t_interval(Estimate(0.75, 0.25, 3.0, 4, 4))   # t_3 = 3.182
    >>> round(i.low, 3), round(i.high, 3), i.method
    (-0.046, 1.546, 't')
    """
    if not estimate.se > 0.0:
        return no_interval(level)
    half = float(t_quantile(level, estimate.df)) * estimate.se
    return Interval(estimate.value - half, estimate.value + half, level, "t")


def wilson_ends(
    share: np.ndarray | float, n: np.ndarray | float, level: float = 0.95, *, modified: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of Wilson's score interval for shares of n answers (any shapes that broadcast; n may be
    fractional).

    [p + z^2/2n -+ (z/2n) sqrt(4n p(1-p) + z^2)] / (1 + z^2/n), exactly 0 at p = 0 and 1 at p = 1
    (Wilson 1927). modified: with at most 3 answers short of 0 or of n, the end on that side reaches
    at least the one-sided exact bound at the full alpha = 1 - level, BetaInv(alpha; x, n-x+1):
    there all error is on one side. Brown, Cai & DasGupta 2001 do so with the Poisson bound, and for
    at most 2 answers where n <= 50. Without it coverage at n = 15 and a true share of 0.99 is 0.86,
    with it 0.99.

    >>> # Ivanova et al. 2024 print (64.6, 81.6)
    >>> low, high = wilson_ends([0.74, 0.99], 100, modified=True)
    >>> # plain Wilson ends at 0.9982; 1 - 0.95^(1/100) = 0.0005
    >>> low.round(3).tolist(), high.round(4).tolist()
    ([0.646, 0.946], [0.816, 0.9995])
    """
    p, n = np.broadcast_arrays(
        np.clip(np.asarray(share, dtype=float), 0.0, 1.0), np.asarray(n, dtype=float)
    )
    z = z_quantile(level)
    scale = 1.0 + z * z / n
    centre = (p + z * z / (2.0 * n)) / scale
    half = z / (2.0 * n) * np.sqrt(4.0 * n * p * (1.0 - p) + z * z) / scale
    # At 0 and 1 the end is exact; rounding must not turn a perfect score's end into 99.9.
    low, high = np.where(p <= 0.0, 0.0, centre - half), np.where(p >= 1.0, 1.0, centre + half)
    if modified:
        for x, other, lower in ((n * p, n * (1.0 - p), True), (n * (1.0 - p), n * p, False)):
            few = (x > 0.0) & (x <= FEW_ANSWERS + 1e-9)
            bound = special.betaincinv(
                np.where(few, x, 1.0), np.where(few, other + 1.0, 1.0), 1.0 - level
            )
            if lower:
                low = np.where(few, np.minimum(low, bound), low)
            else:
                high = np.where(few, np.maximum(high, 1.0 - bound), high)
    return low, high


def _share(successes: float, n: float) -> float:
    if not n > 0.0 or not -1e-9 <= successes <= n * (1 + 1e-9):
        raise ValueError(
            f"{successes} successes of {n} is no share; 0 <= successes <= n and n > 0 are needed"
        )
    return min(max(successes / n, 0.0), 1.0)


def wilson_interval(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share (Wilson 1927); successes and n may be effective,
    fractional numbers.

    Never of zero width, never outside [0, 1]. Formula: wilson_ends. The report's own is
    modified_wilson_interval.

    >>> i = wilson_interval(15, 15)   # 1 / (1 + z^2/15)
    >>> round(i.low, 4), i.high
    (0.7961, 1.0)
    """
    low, high = wilson_ends(_share(successes, n), n, level)
    return Interval(float(low), float(high), level, "wilson")


def modified_wilson_interval(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's interval with its ends near 0 and 1 mended (Brown, Cai & DasGupta 2001); formula:
    wilson_ends.

    Its method is "wilson" where nothing had to be mended: with no or with more than 3 answers short
    of 0 or n.

    >>> modified_wilson_interval(74, 100) == wilson_interval(74, 100)
    True
    >>> i = modified_wilson_interval(4, 5)   # Wilson ends at 0.964; 0.95^(1/5) = 0.98979
    >>> i.method, round(i.high, 5)
    ('wilson-modified', 0.98979)
    """
    plain = wilson_interval(successes, n, level)
    low, high = map(float, wilson_ends(_share(successes, n), n, level, modified=True))
    return (
        plain
        if (low, high) == (plain.low, plain.high)
        else Interval(low, high, level, "wilson-modified")
    )


def clopper_pearson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """The exact binomial interval (Clopper & Pearson 1934): quantiles of Beta(S, n-S+1) and
    Beta(S+1, n-S).

    >>> i = clopper_pearson_interval(0, 10)
    >>> i.low, round(i.high, 4)   # 1 - 0.025^(1/10)
    (0.0, 0.3085)
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(
            f"{successes} successes of {n} is no share; 0 <= successes <= n and n >= 1 are needed"
        )
    tail = (1.0 - level) / 2.0
    z_quantile(level)
    low = 0.0 if successes == 0 else float(special.betaincinv(successes, n - successes + 1, tail))
    high = (
        1.0
        if successes == n
        else float(special.betaincinv(successes + 1, n - successes, 1.0 - tail))
    )
    return Interval(low, high, level, "clopper-pearson")


def effective_number(weights: np.ndarray) -> np.ndarray:
    """How many equal weights would be as concentrated: (sum w)^2 / sum w^2 over the last axis (Kish
    1965); 0 if all are 0.

    >>> effective_number(np.array([1.0, 1, 0, 0])).item(), effective_number(np.array([3.0, 1, 0, 0])).item()
    (2.0, 1.6)
    """
    w = np.asarray(weights, dtype=float)
    total, squares = w.sum(axis=-1), (w * w).sum(axis=-1)
    return np.divide(total * total, squares, out=np.zeros_like(squares), where=squares > 0.0)


def rarer_outcome(shares: np.ndarray) -> np.ndarray:
    """Effective number of clusters that show the rarer of two outcomes, from each cluster's mean
    score (last axis).

    >>> rarer_outcome(np.array([1.0, 1.0, 1.0, 0.5])).item()
    1.0
    """
    return np.minimum(effective_number(shares), effective_number(1.0 - shares))


def sparse_df(
    df: np.ndarray | float,
    informative: np.ndarray | float,
    clusters: np.ndarray | float,
    floor: float,
) -> np.ndarray:
    """Degrees of freedom of a variance when only some of the clusters show the outcome it rests on.

    informative: effective number of those (effective_number); clusters: all of them, G. df (2
    informative - 1) / (G - 1), not above df and not below `floor` (or df, if smaller): where at
    least half of the clusters show it, df as it is. With a mean of 0.97 a few clusters hold all
    errors, and the variance is known as badly as from those few clusters. Rule and floors were
    chosen by benchmarks/coverage.py.

    >>> sparse_df(49.0, 5.5, 50, floor=2.0).item(), sparse_df(49.0, 30.0, 50, floor=2.0).item()
    (10.0, 49.0)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        shown = np.clip(
            (2.0 * np.asarray(informative) - 1.0) / (np.asarray(clusters) - 1.0), 0.0, 1.0
        )
    return np.maximum(df * shown, np.minimum(df, floor))


def dense(
    informative: np.ndarray | float, clusters: np.ndarray | int, n: np.ndarray | int
) -> np.ndarray:
    """Whether a t interval needs no help: half of the units show the outcome, or enough of them
    (see sparse_df).

    clusters: how many there are of n questions. Enough are 25 questions, or 100 clusters of several
    questions; fewer than 10 questions or 100 clusters in all never are. Chosen by
    benchmarks/coverage.py.

    >>> dense(5.0, 10, 10).item(), dense(25.0, 164, 164).item(), dense(25.0, 164, 500).item()
    (True, True, False)
    """
    clusters = np.asarray(clusters)
    alone = clusters == n
    shown = informative >= np.minimum(clusters / 2.0, np.where(alone, SHOWN_UNITS, SHOWN_CLUSTERS))
    return shown & (clusters >= np.where(alone, FEW_UNITS, FEW_CLUSTERS))


def effective_share_ends(
    share: np.ndarray,
    se: np.ndarray,
    df: np.ndarray | float,
    clusters: np.ndarray | int,
    informative: np.ndarray,
    most: np.ndarray | float,
    level: float = 0.95,
) -> tuple[np.ndarray, np.ndarray]:
    """Modified Wilson ends on the effective number of answers, for means of scores between 0 and 1,
    arrays of one shape.

    n* = [p(1-p)/SE^2] (z/t)^2, at most `most`; the number of clusters where the SE is 0 (Korn &
    Graubard 1998; the (z/t)^2 lets Wilson's interval, which uses z, carry the degrees of freedom of
    the SE: Dean & Pagano 2015). t has sparse_df.

    >>> # z^2/(50+z^2)
    >>> low, high = effective_share_ends(np.array([1.0]), np.array([0.0]), 49.0, 50, np.array([0.0]), 500)
    >>> round(1 - low.item(), 4), high.item()
    (0.0713, 1.0)
    """
    p, se = np.asarray(share, dtype=float), np.asarray(se, dtype=float)
    t = t_quantile(level, sparse_df(df, informative, clusters, MEAN_FLOOR))
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.where(
            (se > 0.0) & (p > 0.0) & (p < 1.0),
            np.minimum(most, p * (1.0 - p) / se**2 * (z_quantile(level) / t) ** 2),
            clusters,
        )
    return wilson_ends(p, n, level, modified=True)


def mean_ends(
    value: np.ndarray,
    se: np.ndarray,
    df: np.ndarray | float,
    n: np.ndarray | int,
    clusters: np.ndarray | int,
    informative: np.ndarray,
    *,
    answers: int = 0,
    share: bool,
    level: float = 0.95,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ends and methods of the default interval of many means of one shape; the rule itself, see
    mean_interval.

    informative: effective number of clusters that show the rarer outcome. answers: of binary
    scores, how many stand behind the mean; 0 says that the scores are not binary.

    >>> low, high, method = mean_ends(np.array([0.5]), np.array([0.1]), 9.0, 10, 10, np.array([5.5]), share=True)
    >>> low.round(4).item(), high.round(4).item(), method.item()   # t_9 = 2.2622
    (0.2738, 0.7262, 't')
    """
    value, se = np.asarray(value, dtype=float), np.asarray(se, dtype=float)
    with np.errstate(invalid="ignore"):
        half = t_quantile(level, df) * se
        score = np.zeros(value.shape, dtype=bool)
        if answers or share:
            flat = (se == 0.0) & ((answers > 0) | (value <= 0.0) | (value >= 1.0))
            score = flat | ((se > 0.0) & ((answers > 0) | ~dense(informative, clusters, n)))
        t = (se > 0.0) & ~score
    if not answers:
        t, score = (
            t & (np.asarray(clusters) >= LEAST_UNITS),
            score & (np.asarray(clusters) >= LEAST_UNITS),
        )
    low, high = np.where(t, value - half, np.nan), np.where(t, value + half, np.nan)
    if score.any():
        most = float(answers) if answers else most_answers(informative, clusters)
        ends = effective_share_ends(
            np.clip(value, 0.0, 1.0), se, df, clusters, informative, most, level
        )
        low, high = np.where(score, ends[0], low), np.where(score, ends[1], high)
    return low, high, np.where(t, "t", np.where(score, "wilson-effective", "none"))


def mean_interval(
    scores: np.ndarray,
    clusters: np.ndarray | None = None,
    *,
    binary: bool = False,
    share: bool = False,
    n_answers: int | None = None,
    level: float = 0.95,
) -> Interval:
    """The default interval of a mean score; chosen by simulated coverage (benchmarks/coverage.py).

    scores: shape (n,), question means; clusters: shape (n,) labels or None, as in mean_estimate.
    binary: every answer is 0 or 1. share: scores lie between 0 and 1. n_answers: answers behind the
    mean (default: one for each question).

    Binary, one answer for each question, no clusters (or each question its own): modified Wilson.
    Binary otherwise: effective_share_ends ("wilson-effective"). Shares that are not binary: t if
    dense (half of the questions, or 25, show the rarer outcome), else effective_share_ends.
    Anything else: t, not clipped. With an SE of 0, binary scores, and a constant 0 or 1 among
    shares, get Wilson's interval on the number of clusters; others have no interval. Fewer than two
    clusters or questions: none; fewer than four, only binary scores have one.

    >>> i = mean_interval(np.ones(15), binary=True)
    >>> round(i.low, 3), i.high
    (0.796, 1.0)
    >>> i = mean_interval(np.array([0.5, 1.0, 0.0, 1.0]))   # 0.625 +- 3.182 * 0.2394
    >>> round(i.low, 3), round(i.high, 3)
    (-0.137, 1.387)
    """
    s = np.asarray(scores, dtype=float)
    estimate = mean_estimate(s, clusters)
    if math.isnan(estimate.se):
        return no_interval(level)
    n = len(s)
    answers = n if n_answers is None else n_answers
    if binary and estimate.n_clusters == n == answers:
        return modified_wilson_interval(round(min(max(estimate.value, 0.0), 1.0) * n), n, level)
    low, high, method = mean_ends(
        np.array(estimate.value),
        np.array(estimate.se),
        estimate.df,
        n,
        estimate.n_clusters,
        rarer_outcome(cluster_means(s, clusters)),
        answers=answers if binary else 0,
        share=share,
        level=level,
    )
    return Interval(float(low), float(high), level, str(method))


def most_answers(informative: np.ndarray, clusters: np.ndarray | int) -> np.ndarray:
    """Limit of the effective answers of scores that are not binary: a variance seen in few clusters
    may be far too small.

    The number of clusters (questions, without clusters) times the effective number of those that
    show the rarer outcome, over 1 - the share they are of half of all; no limit from half of them
    on. Chosen by benchmarks/coverage.py.

    >>> most_answers(np.array([1.0, 5.5, 50.0]), 100).round(1).tolist()
    [101.0, 611.8, inf]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        shown = np.clip((2.0 * informative - 1.0) / (np.asarray(clusters) - 1.0), 0.0, 1.0)
        return np.where(shown < 1.0, clusters * informative / (1.0 - shown), np.inf)
