"""Power of Tango's test against a margin: right and wrong answers of two models that are alike."""

import math

import numpy as np
from scipy import special

from reportkit.stats.intervals import z_quantile

REACH = 5.0  # standard deviations of a count on both sides of its mean; what lies beyond is 6e-7
# More questions that tell the models apart are planned by the formula, which is near enough then.
MOST_COUNTED = 400.0
# Of the first number of questions: how far a search goes down and up, and its steps.
DOWN, UP, STEP = 0.75, 1.1, 0.01


def margin_power(
    n: int, apart: float, margin: float, *, level: float = 0.9, both: bool = True
) -> float:
    """Chance that Tango's interval of two models that are alike lies within -margin and +margin, or
    above -margin alone (both=False).

    n: questions. apart: the share of them that one model alone has right, half of it each model's.
    margin: a difference of shares, between 0 and 1. level: of the interval, 0.9 for two one-sided
    tests at 5%. The sum over Bin(k; n, apart) Bin(b; k, 1/2) of the counts that show it. With c = k
    - b an end of the interval lies within the margin where Z(M) = (b - c - nM) / sqrt(n (2q + M (1
    - M))) < -z, q the likeliest share of c where the shares differ by M (Tango 1998).

    >>> round(margin_power(874, 0.252, 0.05), 2)
    0.8
    >>> round(margin_power(874, 0.252, 0.05, both=False), 2)
    0.9
    """
    z, spread = z_quantile(level), math.sqrt(n * apart * (1.0 - apart))
    low, high = n * apart - REACH * spread - 2.0, n * apart + REACH * spread + 2.0
    k = np.arange(max(0, math.floor(low)), min(n, math.ceil(high)) + 1.0)[:, None]
    most = k[-1, 0]
    wide = REACH * math.sqrt(most) / 2.0 + 1.0
    b = np.floor(k / 2.0) + np.arange(-math.ceil(wide), math.ceil(wide) + 2.0)
    there = (b >= 0.0) & (b <= k)
    b = np.clip(b, 0.0, k)
    c = k - b
    chance = np.where(there, _binomial(k, n, apart) * _binomial(b, k, 0.5), 0.0)
    shown = _score(c, b, n, margin) < -z
    if both:
        shown &= _score(b, c, n, margin) < -z
    return float(chance[shown].sum())


def margin_questions(
    near: float, apart: float, margin: float, *, level: float, power: float, both: bool
) -> int:
    """The questions from which on margin_power is `power` or more, sought downwards from 10% above
    `near` in steps of 1%, then one by one. Where 10% more are not enough, the search first goes up:
    of ever so few questions that tell models apart, the power falls until one of them may be seen.

    Counts are whole, so that the power falls a little and rises again from one n to the next.

    >>> margin_questions(464, 0.0407, 0.03, level=0.9, power=0.8, both=True)
    440
    >>> [round(margin_power(n, 0.0407, 0.03), 3) for n in (439, 440)]
    [0.792, 0.806]
    """

    def enough(n: int) -> bool:
        return margin_power(n, apart, margin, level=level, both=both) >= power

    step = max(1, round(STEP * near))
    found = math.ceil(UP * near)
    while not enough(found):
        found += step
    while found - step > DOWN * near and enough(found - step):
        found -= step
    for n in range(found - 1, found - step, -1):
        if not enough(n):
            break
        found = n
    return found


def _binomial(k: np.ndarray, n: np.ndarray | float, share: float) -> np.ndarray:
    """Bin(k; n, share)."""
    ways = special.gammaln(n + 1.0) - special.gammaln(k + 1.0) - special.gammaln(n - k + 1.0)
    return np.asarray(np.exp(ways + special.xlogy(k, share) + special.xlog1py(n - k, -share)))


def _score(b: np.ndarray, c: np.ndarray, n: float, margin: float) -> np.ndarray:
    """Tango's Z at the margin."""
    linear = (2.0 * n - b + c) * margin - b - c
    root = np.sqrt(linear**2 + 8.0 * n * c * margin * (1.0 - margin))
    q = (root - linear) / (4.0 * n)
    return np.asarray((b - c - n * margin) / np.sqrt(n * (2.0 * q + margin * (1.0 - margin))))
