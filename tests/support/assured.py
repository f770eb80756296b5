"""Power of a t test that is planned with an estimated standard error, integrated with scipy."""

import math

from scipy import integrate, optimize
from scipy import stats as scipy_stats


def assured_power(ratio: float, df: float, known_df: float, level: float = 0.95) -> float:
    """P(|t| > critical) where the true difference is `ratio` times a root of chi-squared of
    known_df over known_df: the noncentral t of df, averaged over that root.
    """
    t = scipy_stats.t.ppf((1 + level) / 2, df)

    def upper(shift: float) -> float:
        return float(scipy_stats.nct.sf(t, df, shift))

    if math.isinf(known_df):
        return upper(ratio)
    root = scipy_stats.chi(known_df, scale=1 / math.sqrt(known_df))
    ends = root.ppf(1e-9), root.ppf(1 - 1e-9)
    return integrate.quad(lambda s: upper(ratio * s) * root.pdf(s), *ends, epsabs=1e-7)[0]


def assured_ratio_by_integration(
    df: float, known_df: float, level: float = 0.95, power: float = 0.8
) -> float:
    return float(
        optimize.brentq(lambda c: assured_power(c, df, known_df, level) - power, 0.5, 12, xtol=1e-5)
    )
