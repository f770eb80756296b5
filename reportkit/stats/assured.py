"""Power of a t test when the standard error that it was planned with is itself an estimate."""

import math

import numpy as np
from scipy import special

from reportkit.stats.intervals import t_quantile


def assured_ratio(
    df: np.ndarray | float,
    known_df: np.ndarray | float = math.inf,
    *,
    level: float = 0.95,
    power: float = 0.8,
) -> np.ndarray:
    """True difference over its printed SE at which a t test of df degrees of freedom is significant
    with the given power.

    known_df: degrees of freedom of the printed SE, which was estimated from other data than the
    test will see. With the SE known (inf) this is the noncentral t's shift. With an SE estimated
    from as few clusters the printed difference errs with it, and a power of 0.8 on average over
    such reports asks for more. It is the c of P(Z + c S_1 > t S_2) = power, Z normal and df S^2
    chi-squared, where c S_1 - t S_2 counts as normal: within 0.004 of the power from 3 degrees on.
    nan where no difference has that power.

    >>> assured_ratio(np.inf).round(4).item()            # z_{a/2} + z_b of equation 10
    2.8016
    >>> assured_ratio(9.0).round(2).item()               # noncentral t of 9: 3.16
    3.16
    >>> assured_ratio(9.0, 9.0).round(2).item()
    3.48
    """
    if not 0.0 < power < 1.0:
        raise ValueError(f"power={power} is not between 0 and 1; write 80% as 0.8")
    beta = float(special.ndtri(power))
    t = t_quantile(level, np.asarray(df, dtype=float))
    (root_1, spread_1), (root_2, spread_2) = _root_of_chi(known_df), _root_of_chi(df)
    # (c r1 - t r2)^2 = beta^2 (1 + c^2 v1 + t^2 v2), the root on beta's side
    square = root_1**2 - beta**2 * spread_1
    half = root_1 * t * root_2
    rest = (t * root_2) ** 2 - beta**2 * (1.0 + t * t * spread_2)
    with np.errstate(invalid="ignore"):
        root = np.sqrt(np.maximum(half * half - square * rest, 0.0))
        return np.where(square > 0.0, (half + math.copysign(1.0, beta) * root) / square, np.nan)


def _root_of_chi(df: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of the root of chi-squared over its degrees of freedom."""
    given = np.asarray(df, dtype=float)
    x = np.minimum(given, 1e7)
    with np.errstate(invalid="ignore"):
        mean = np.exp(special.gammaln((x + 1.0) / 2.0) - special.gammaln(x / 2.0))
        mean = np.where(np.isinf(given), 1.0, mean * np.sqrt(2.0 / x))
    return mean, np.maximum(1.0 - mean * mean, 0.0)
