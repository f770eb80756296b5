"""Score tests of paired shares, written out from the paper: references for what the package does by
intervals.
"""

import math

from scipy import stats as scipy_stats


def score_tail(b: int, c: int, n: int, margin: float) -> float:
    """P of Tango's score statistic at D = margin (Tango 1998, equation 4), lower tail."""
    linear = (2 * n - b + c) * margin - b - c
    root = math.sqrt(linear**2 + 8 * n * c * margin * (1 - margin))
    share = (root - linear) / (4 * n)
    z = (b - c - n * margin) / math.sqrt(n * (2 * share + margin * (1 - margin)))
    return float(scipy_stats.norm.cdf(z))
