"""How a pilot of two models that are far apart says that scores vary where both are like one of
them, and how well it shows that.
"""

import math

import numpy as np

from reportkit.stats.digits import floats


def outer_spread(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The variance of a model's scores at the mean of x, over that of both models, by the ends
    between which they vary (tails.spread_ends); and its standard error.

    x, y: shape (n,), scores of the same n independent questions. With v and T the variance and the
    third moment, means of both models, and e half of how far the mean of x is beyond that of y, c
    (p - low) (high - p) at the mean of x is v + T e / v, so that this is g = 1 + T e / v^2. A
    question adds (T' e + T e' - 2 T e v' / v) / v^2 to it, with u the scores less their mean, v' =
    mean of u^2 - v, T' = mean of (u^3 - 3 v_u u) - T, and e' that of half the difference.
    Undefined (nan): fewer than 2 questions, scores that do not vary.

    >>> x, y = np.array([1.0, 1, 1, 0]), np.array([1.0, 0, 0, 0])
    >>> # v = 3/16, T = 0, e = 1/4, T' = -1/16, 0, 0, 1/16: -4/9 and 4/9 are added
    >>> [round(v, 4) for v in outer_spread(x, y)]    # sqrt((32 / 81) / 12)
    [1.0, 0.1814]
    """
    n = len(x)
    if n < 2:
        return math.nan, math.nan
    u = np.stack([w - w.mean() for w in (floats(x), floats(y))])
    v, cube = float((u**2).mean()), float((u**3).mean())
    if not v > 0.0:
        return math.nan, math.nan
    half = float(np.mean(x) - np.mean(y)) / 2.0
    of_each = (u**2).mean(axis=1, keepdims=True)
    cubes = (u**3 - 3.0 * of_each * u).mean(axis=0) - cube
    squares, halves = (u**2).mean(axis=0) - v, (u[0] - u[1]) / 2.0
    added = (cubes * half + cube * halves - 2.0 * cube * half * squares / v) / v**2
    se = math.sqrt(float((added**2).sum()) / (n * (n - 1)))
    return 1.0 + cube * half / v**2, se
