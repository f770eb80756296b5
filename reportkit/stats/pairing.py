"""Whether two columns go together by the names of their rows: whether the pairing is more than
chance.
"""

import math

import numpy as np

from reportkit.stats.digits import ROUNDING


def pairing_p_value(a: np.ndarray, b: np.ndarray) -> float:
    """One-sided p of the hypothesis that a's rows are paired with b's by chance.

    a, b: shape (n,). With x_i = (a_i - mean a)(b_i - mean b) and T = sum x_i, it is the larger of
    two tails of the normal law. Over all pairings T has mean 0 and variance sum a^2 sum b^2 /
    (n - 1), exactly (Hoeffding 1951). T / sqrt(sum x^2) keeps the level where a few rows make up
    T, such as the one question that all answer wrong (Efron 1969). 1 where a column never varies.

    >>> a = np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0])
    >>> round(pairing_p_value(a, a), 4), pairing_p_value(a, 1.0 - a) > 0.99
    (0.0041, True)
    """
    x, y = (v - v.mean() if len(v) else v for v in (a, b))
    if any(np.abs(d).max(initial=0.0) <= ROUNDING * np.abs(v).max(initial=0.0)
           for d, v in ((x, a), (y, b))):  # fmt: skip
        return 1.0
    parts = x * y
    total = float(parts.sum())
    by_variance = total / math.sqrt(float(x @ x) * float(y @ y) / (len(a) - 1))
    by_itself = total / math.sqrt(float(parts @ parts))
    return 0.5 * math.erfc(min(by_variance, by_itself) / math.sqrt(2.0))
