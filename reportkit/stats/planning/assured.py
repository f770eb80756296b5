"""Power of a t test when the standard error that it was planned with is itself an estimate."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bayes.quadrature import normal_nodes
from reportkit.stats.intervals import t_quantile
from reportkit.stats.planning.quantities import given

TINY = 1e-30  # a variance that is not 0
# Steps to the root of Tango's statistic, and the least that it may be of t's.
STEPS, LEAST_SHARE = 6, 0.05
# Skewness can take off so much of what a statistic varies by, and no more.
LEAST_SPREAD = 0.25
# Degrees of freedom that a variance keeps when answer noise is taken off it: the rest is floored at
# 0, which makes up for more.
LEAST_KNOWN = 12.0
# Without answer noise models differ by so many standard errors of that difference's variance, where
# less is seen.
LEAST_TRUE = 0.7


def assured_ratio(
    df: np.ndarray | float,
    known_df: np.ndarray | float = math.inf,
    *,
    level: float = 0.95,
    power: np.ndarray | float = 0.8,
    own_df: np.ndarray | float | None = None,
    skew: np.ndarray | float = 0.0,
) -> np.ndarray:
    """True difference over its printed SE at which a t test of df degrees of freedom is significant
    with the given power.

    known_df: degrees of freedom of the printed SE, which was estimated from other data than the
    test will see. With the SE known (inf) this is the noncentral t's shift. With an SE estimated
    from as few clusters the printed difference errs with it, and a power of 0.8 on average over
    such reports asks for more. It is the c of P(Z + c S_1 > t S_2) = power, Z normal and df S^2
    chi-squared, where c S_1 - t S_2 counts as normal: within 0.004 of the power from 5 degrees on.
    nan where no difference has that power.

    own_df: degrees of freedom that the SE of the test really has, where they are not those of its t
    quantile: few large clusters, long tails. skew: of the mean difference, towards the difference
    that is looked for; mean and SE then err together, and c S_1 + Z - t S_2 varies by t skew less.

    >>> assured_ratio(np.inf).round(4).item()            # z_{a/2} + z_b of equation 10
    2.8016
    >>> assured_ratio(9.0).round(2).item()               # noncentral t of 9
    3.15
    >>> assured_ratio(9.0, 9.0).round(2).item()
    3.46
    """
    return assured(df, known_df, level=level, power=power, own_df=own_df, skew=skew).ratio


@dataclass(frozen=True, slots=True)
class Assured(Record):
    """A true difference that is found with some power, over its printed SE."""

    ratio: np.ndarray  # assured_ratio
    # the difference that is significant by a hair, where evals most often miss: t S_2 there
    edge: np.ndarray


@dataclass(frozen=True, slots=True)
class Known(Record):
    """How well a variance is known."""

    df: np.ndarray | float = math.inf
    # the least that its estimate can be, over what it is; then that is as of a normal law, with the
    # variance 2 / df
    least: np.ndarray | float = 0.0

    def root(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the root of the estimate, over that of what it estimates.

        >>> Known(math.inf, 1.0).root()[0].item(), Known(math.inf).root()[0].item()
        (1.0, 1.0)
        >>> # of 1 + Z / 2, half of the time 1: mean of the square 1 + (1/2) / sqrt(2 pi)
        >>> mean, variance = Known(8.0, 1.0).root()
        >>> round(float(variance + mean * mean), 3)
        1.199
        """
        mean, spread = _root_of_chi(self.df)
        least = np.asarray(self.least, dtype=float)
        if not (least > 0.0).any():
            return mean, spread
        of_mean, of_spread = _root_of_floored(self.df, least)
        return np.where(least > 0.0, of_mean, mean), np.where(least > 0.0, of_spread, spread)


def partly_known(
    df: np.ndarray, part: np.ndarray | float, floor: np.ndarray, left: np.ndarray
) -> Known:
    """How well a part of a variance is known, where answer noise was taken off the rest.

    df: of all of it; the part errs by as much as all did. floor: of what is left, the part that is
    answer noise, which is known and is the least that it can be; 0 where that is not known. left:
    degrees of freedom of the estimate of what is left, where there is a floor.

    >>> zero = np.zeros(1)
    >>> partly_known(np.array([59.0]), 0.5, zero, zero + 59.0).df.round(2).item()   # 59 / 4
    14.75
    """
    known = np.maximum(df * part**2, np.minimum(df, LEAST_KNOWN))
    true = floor + np.maximum(1.0 - floor, LEAST_TRUE * np.sqrt(2.0 / left))
    known = np.where(floor > 0.0, left * true**2, known)
    return Known(known, floor / true)


def assured(  # noqa: PLR0913 (keyword options of a public statistic)
    df: np.ndarray | float,
    known: Known | np.ndarray | float = math.inf,
    *,
    level: float = 0.95,
    power: np.ndarray | float = 0.8,
    own_df: np.ndarray | float | None = None,
    skew: np.ndarray | float = 0.0,
    least: np.ndarray | float = 0.0,
) -> Assured:
    """assured_ratio, and the likeliest difference of an eval that is just not significant.

    known: Known, or its degrees of freedom. least: below which the SE of the test is not taken,
    over what it is; S_2 is then as of a normal law, and no less than that.

    Of all evals with c S_1 + Z = t S_2 the likeliest has S_2 at its mean plus b (t v_2 - skew / 2)
    / s: b the normal quantile of the power, v_2 the variance of S_2, s the root of the variance of
    c S_1 + Z - t S_2 (the design point of first-order reliability, Hasofer and Lind 1974).

    >>> a = assured(9.0)
    >>> a.ratio.round(2).item(), a.edge.round(2).item()   # t_9 is 2.26
    (3.15, 2.41)
    """
    _check_share(power)
    beta = special.ndtri(power)
    t = t_quantile(level, np.asarray(df, dtype=float))
    root_1, spread_1 = (known if isinstance(known, Known) else Known(known)).root()
    root_2, spread_2, free = _at_least(*_root_of_chi(df if own_df is None else own_df), least)
    skew = free * np.asarray(skew)  # where the SE is the least, it does not err with the mean
    # (c r1 - t r2)^2 = beta^2 (1 + c^2 v1 + t^2 v2 - t skew), the root on beta's side
    square = root_1**2 - beta**2 * spread_1
    half = root_1 * t * root_2
    least = np.maximum(1.0 + t * t * spread_2 - t * skew, LEAST_SPREAD)
    rest = (t * root_2) ** 2 - beta**2 * least
    with np.errstate(invalid="ignore"):
        root = np.sqrt(np.maximum(half * half - square * rest, 0.0))
        ratio = (half + np.copysign(1.0, beta) * root) / square
        ratio = np.where(square > 0.0, ratio, np.nan)
        total = np.sqrt(least + ratio * ratio * spread_1)
        edge = t * (root_2 + beta * (t * spread_2 - skew / 2.0) / total)
    return Assured(ratio, edge)


def check_power(level: float, power: float) -> None:
    """ValueError for a power that is no share, or that a test has where there is no difference.

    >>> check_power(0.95, 0.8)
    """
    _check_share(power)
    if not power > 1.0 - level:
        raise ValueError(
            f"power={power} is not above 1 - level={1.0 - level:.4g}, which the test has where "
            "there is no difference; give more"
        )


def _check_share(power: np.ndarray | float) -> None:
    if not ((np.asarray(power) > 0.0) & (np.asarray(power) < 1.0)).all():
        raise ValueError(f"power={power} is not between 0 and 1; write 80% as 0.8")


def _root_of_chi(df: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the root of chi-squared over its degrees of freedom."""
    given = np.asarray(df, dtype=float)
    x = np.minimum(given, 1e7)
    with np.errstate(invalid="ignore"):
        mean = np.exp(special.gammaln((x + 1.0) / 2.0) - special.gammaln(x / 2.0))
        mean = np.where(np.isinf(given), 1.0, mean * np.sqrt(2.0 / x))
    return mean, np.maximum(1.0 - mean * mean, 0.0)


def _at_least(
    root: np.ndarray, spread: np.ndarray, least: np.ndarray | float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean and variance of a normal variable that is never below `least`, and how often it is
    above.

    >>> mean, variance, free = _at_least(np.array(1.0), np.array(0.04), 1.0)   # 1 + .2 / sqrt(2 pi)
    >>> mean.round(4).item(), variance.round(4).item(), free.item()   # .04 / 2 - .0798^2
    (1.0798, 0.0136, 0.5)
    """
    sd = np.sqrt(np.maximum(spread, TINY))
    low = (np.asarray(least) - root) / sd
    free, dense = special.ndtr(-low), np.exp(-low * low / 2.0) / math.sqrt(2.0 * math.pi)
    above = sd * (dense - low * free)  # the mean of what it is above `least`
    square = sd * sd * ((1.0 + low * low) * free - low * dense)
    floored = np.asarray(least) > 0.0
    mean = np.where(floored, least + above, root)
    return mean, np.where(floored, square - above * above, spread), np.where(floored, free, 1.0)


def _root_of_floored(df: np.ndarray | float, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same of a normal variable with mean 1 and variance 2 / df that is never below `least`, by
    the trapezoid rule.
    """
    z, weights = normal_nodes(101, 5.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        square = 1.0 + np.sqrt(2.0 / np.asarray(df, dtype=float))[..., None] * z
        at = np.sqrt(np.maximum(square, least[..., None]))
    mean = at @ weights
    return mean, np.maximum((at * at) @ weights - mean * mean, 0.0)


def beyond_t(
    difference: np.ndarray, se: np.ndarray, apart: np.ndarray, edge: np.ndarray
) -> np.ndarray:
    """How much more a true difference has to be, over its SE, for Tango's statistic than for t.

    apart: mean of |a - b|. edge: assured's. Tango's statistic is d sqrt(1 - d^2 / mean |a - b|) /
    SE. It is taken where evals most often miss, at an SE that makes `edge` just significant by t:
    the result is x - edge with x sqrt(1 - (x SE)^2 / A) = edge. Where an eval's difference is
    smaller than the true one, so is its mean |a - b|, by difference / apart of it, as of
    independent questions that differ by 1: A = apart - (difference / apart) (difference - x SE).

    >>> x = beyond_t(*(np.array([v]) for v in (0.3, 0.1, 0.45, 2.5)))
    >>> x.round(3).item()   # 2.752 sqrt(1 - .0757 / .4335) = 2.5
    0.252
    """
    at = edge
    for _ in range(STEPS):
        d = np.minimum(at * se, difference)
        then = apart - difference / apart * (difference - d)
        at = edge / np.sqrt(np.maximum(1.0 - d * d / then, LEAST_SHARE))
    return np.asarray(at - edge)


@dataclass(frozen=True, slots=True)
class Units(Record):
    """Questions, and the clusters that hold them; as many without clusters."""

    questions: int
    clusters: int


def units_needed(
    effect: float,
    variance: float | None = None,
    cluster_size: float = 1.0,
    *,
    pilot_df: Known | float = math.inf,
    level: float = 0.95,
    power: float = 0.8,
) -> Units:
    """Clusters of equal size, and their questions, in which a t test finds a true difference of
    `effect` with the power: equation 9 of Miller 2024 with the t of G - 1 degrees of freedom.

    variance: of one question's difference, clustered_omega_squared where there are clusters.
    pilot_df: degrees of freedom of that variance, or Known, where a pilot gave it; its own
    uncertainty then asks for more. The least G with effect / sqrt(variance / (G size)) >=
    assured_ratio(G - 1, pilot_df). Equation 9 itself, questions_needed, promises too much with few
    clusters.

    >>> units_needed(0.03, 1/12)          # 727 by equation 9
    Units(questions=729, clusters=729)
    >>> units_needed(0.2, 0.4, 10)        # 8 clusters by equation 9, of power .67
    Units(questions=100, clusters=10)
    """
    variance = given("variance", variance)
    if not isinstance(pilot_df, Known) and not pilot_df > 0.0:
        raise ValueError(
            f"pilot_df={pilot_df}: give df above 0, or leave it out where the variance is known"
        )
    if not 0.0 < effect**2 < math.inf:
        raise ValueError(
            f"effect={effect}: an effect of 0 cannot be detected by any number of questions; give "
            "the smallest difference that matters"
        )
    if not (0.0 <= variance < math.inf and cluster_size >= 1.0):
        raise ValueError(
            f"variance={variance}, cluster_size={cluster_size}: give a variance of 0 or more, and "
            "at least one question for each cluster"
        )
    check_power(level, power)
    if np.isnan(assured(math.inf, pilot_df, level=level, power=power).ratio).any():
        raise ValueError(
            f"no number of questions has a power of {power} with a variance that is known so "
            "badly; give one that more questions or clusters show, or ask for less power"
        )

    def enough(g: int) -> bool:
        ratio = assured(float(g - 1), pilot_df, level=level, power=power).ratio.item()
        return effect**2 * g * cluster_size >= ratio**2 * variance

    high = 2
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return Units(math.ceil(high * cluster_size * (1 - 1e-12)), high)
