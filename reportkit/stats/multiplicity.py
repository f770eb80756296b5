"""Adjusting p-values for how many comparisons a report displays."""

import numpy as np


def holm(p_values: np.ndarray) -> np.ndarray:
    """Holm's step-down adjusted p-values, shape (m,) (Holm 1979); nan stays nan and does not count.

    The k-th smallest of m is multiplied by m-k+1, made monotone, capped at 1.

    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=float)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return adjusted
