"""Intervals of a share of right answers: Wilson's, as it is and corrected, and the exact one."""

import math

import numpy as np
from scipy import special

from reportkit.stats.intervals import Interval, z_quantile

# Within so many answers of 0 or of n, Wilson's end is corrected: its coverage there falls to 0.86.
# Brown, Cai & DasGupta 2001 correct 1 to 3, depending on n; 3 is right for every n.
FEW_ANSWERS = 3
# With up to so many right or wrong, and with these fewer answers (at most a tenth), counted_ends
# covers no share less than .93 from 30 answers on, where Wilson's interval covers .919 at worst; it
# is 1% wider on average (n from 30 to 99; benchmarks/coverage.py).
RARE_ANSWERS, FEWER_ANSWERS, FEWER_SHARE = 10, 3.0, 0.1


def wilson_ends(
    share: np.ndarray | float, n: np.ndarray | float, level: float = 0.95, *, modified: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of Wilson's score interval for shares of n answers (any shapes that broadcast; n may be
    fractional).

    [p + z^2/2n -+ (z/2n) sqrt(4n p(1-p) + z^2)] / (1 + z^2/n), exactly 0 at p = 0 and 1 at p = 1
    (Wilson 1927). modified: within 3 answers of 0 or of n, the end on that side reaches at least
    the one-sided exact bound at the full alpha = 1 - level, BetaInv(alpha; x, n-x+1), because all
    error is on one side there. Brown, Cai & DasGupta 2001 do the same with the Poisson bound, and
    within 2 answers where n <= 50. At n = 15 and a true share of 0.99 the coverage is 0.86 without
    this, and 0.99 with it.

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
    # At 0 and 1 the end is exact; rounding must not make 99.9 of a perfect score's end.
    low, high = np.where(p <= 0.0, 0.0, centre - half), np.where(p >= 1.0, 1.0, centre + half)
    if modified:
        for x, other, lower in ((n * p, n * (1.0 - p), True), (n * (1.0 - p), n * p, False)):
            few = (x > 0.0) & (x <= FEW_ANSWERS + 1e-9)
            bound = np.zeros(p.shape)
            bound[few] = special.betaincinv(x[few], other[few] + 1.0, 1.0 - level)
            if lower:
                low = np.where(few, np.minimum(low, bound), low)
            else:
                high = np.where(few, np.maximum(high, 1.0 - bound), high)
    return low, high


def _share(successes: float, n: float) -> float:
    """Right answers as a share of all. A count that a product made may be off by rounding."""
    finite = math.isfinite(successes) and math.isfinite(n)
    right, answers = (round(successes), round(n)) if finite else (-1, 0)
    if finite and (abs(right - successes) > 1e-9 * max(n, 1.0) or answers != n):
        hint = ""
        if 0.0 < successes < 1.0:
            hint = f"; for a share of {successes:g} give {round(successes * n)} and {n:g}"
        raise ValueError(
            f"{successes} successes of {n} are no counts: give whole numbers, the right answers "
            f"and all{hint}; scores that are not counts have mean_interval"
        )
    if not 0 <= right <= answers or answers < 1:
        raise ValueError(
            f"{successes} successes of {n} is no share; 0 <= successes <= n and n >= 1 are needed"
        )
    return right / answers


def wilson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's score interval of a share (Wilson 1927).

    successes: right answers of n; whole numbers, else ValueError: 0.65 of 100 is 65 of 100. The
    width is never 0, and the ends are never outside [0, 1]. Formula: wilson_ends. Reports use
    counted_interval.

    >>> i = wilson_interval(15, 15)   # 1 / (1 + z^2/15)
    >>> round(i.low, 4), i.high
    (0.7961, 1.0)
    """
    low, high = wilson_ends(_share(successes, n), n, level)
    return Interval(float(low), float(high), level, "wilson")


def modified_wilson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's interval with its ends near 0 and 1 corrected (Brown, Cai & DasGupta 2001); formula:
    wilson_ends.

    Its method is "wilson" where nothing is corrected: at 0 and n right answers, and more than 3
    answers from both.

    >>> modified_wilson_interval(74, 100) == wilson_interval(74, 100)
    True
    >>> i = modified_wilson_interval(4, 5)   # Wilson ends at 0.964; 0.95^(1/5) = 0.98979
    >>> i.method, round(i.high, 5)
    ('wilson-modified', 0.98979)
    """
    low, high = map(float, wilson_ends(_share(successes, n), n, level, modified=True))
    return _named(low, high, wilson_interval(successes, n, level))


def _named(low: float, high: float, plain: Interval) -> Interval:
    """Wilson's own where nothing was corrected."""
    if (low, high) == (plain.low, plain.high):
        return plain
    return Interval(low, high, plain.level, "wilson-modified")


def counted_ends(
    share: np.ndarray | float, n: np.ndarray | float, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Ends of a report's interval of the share of right ones of n independent answers.

    Wilson's; but where 1 to 10 answers are right, or 1 to 10 wrong, it is no narrower than Wilson's
    on three answers fewer (of n below 30, on 0.9 n), and than the modified one on n (wilson_ends).

    >>> low, high = counted_ends([0.5, 5 / 6], [40, 24])   # -+ (1/2) z / sqrt(40 + z^2)
    >>> low.round(4).tolist(), high.round(4).tolist()   # and Wilson's of 5/6 of 21.6
    ([0.352, 0.6297], [0.648, 0.9363])
    """
    p, n = np.broadcast_arrays(np.asarray(share, dtype=float), np.asarray(n, dtype=float))
    rarer = np.minimum(p, 1.0 - p) * n
    rare = (rarer > 1e-9) & (rarer <= RARE_ANSWERS + 1e-9)
    fewer = n - rare * np.minimum(FEWER_ANSWERS, FEWER_SHARE * n)
    wide, mended = wilson_ends(p, fewer, level), wilson_ends(p, n, level, modified=True)
    return np.minimum(wide[0], mended[0]), np.maximum(wide[1], mended[1])


def counted_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """The interval of a report for a share of right answers, successes of n. Formula: counted_ends.

    Its method is "wilson" where it is Wilson's: with no right or wrong answer, or with more than 10
    of both; else "wilson-modified".

    >>> counted_interval(74, 100) == wilson_interval(74, 100)
    True
    >>> i = counted_interval(29, 30)   # Wilson ends at 0.9941; 0.95^(1/30) = 0.99829
    >>> i.method, round(i.high, 5)
    ('wilson-modified', 0.99829)
    """
    low, high = map(float, counted_ends(_share(successes, n), n, level))
    return _named(low, high, wilson_interval(successes, n, level))


def clopper_pearson_interval(successes: int, n: int, level: float = 0.95) -> Interval:
    """The exact binomial interval (Clopper & Pearson 1934): quantiles of Beta(S, n-S+1) and
    Beta(S+1, n-S).

    >>> i = clopper_pearson_interval(0, 10)
    >>> i.low, round(i.high, 4)   # 1 - 0.025^(1/10)
    (0.0, 0.3085)
    """
    _share(successes, n)  # checks the counts
    successes, tail = round(successes), (1.0 - level) / 2.0
    z_quantile(level)
    low, high = 0.0, 1.0
    if successes > 0:
        low = float(special.betaincinv(successes, n - successes + 1, tail))
    if successes < n:
        high = float(special.betaincinv(successes + 1, n - successes, 1.0 - tail))
    return Interval(low, high, level, "clopper-pearson")
