"""Two models on the same questions, known by four counts: both right, one of them, neither."""

import math

from reportkit.stats.intervals import Interval
from reportkit.stats.means.proportions import wilson_interval


def newcombe_paired_interval(
    both: int, only_a: int, only_b: int, neither: int, level: float = 0.95
) -> Interval:
    """The interval of the difference of two paired shares that joins their Wilson intervals:
    Newcombe 1998 (Stat Med 17:2635), method 10, "square and add".

    both, only_a, only_b, neither: questions that both models, only the first, only the second and
    no model has right. With theta = p_A - p_B, (l, u) Wilson's interval of each share and phi the
    correlation of the two: theta - sqrt((p_A - l_A)^2 - 2 phi (p_A - l_A)(u_B - p_B) +
    (u_B - p_B)^2), and the upper end likewise. phi = (both neither - only_a only_b) over the root
    of the product of the four margins; a product above 0 loses n/2, but not its sign; 0 where a
    margin is 0.

    A report uses tango_interval, the dual of McNemar's p: this one is for comparison with work that
    has it. Never outside -1 to 1. Counts that are not whole, negative or all 0 are a ValueError.

    >>> # airway hyper-responsiveness of Bentur et al. 2009
    >>> i = newcombe_paired_interval(1, 1, 7, 12)
    >>> round(i.low, 3), round(i.high, 3), i.method
    (-0.507, -0.026, 'newcombe-paired')
    """
    counts = both, only_a, only_b, neither
    if not all(math.isfinite(k) and k >= 0 and k == k // 1 for k in counts) or not sum(counts):
        raise ValueError(
            f"{', '.join(map(str, counts))} are no counts of questions; give four whole numbers "
            "from 0, of which one is above 0"
        )
    n = int(sum(counts))
    right_a, right_b = int(both + only_a), int(both + only_b)
    a, b = (wilson_interval(right, n, level) for right in (right_a, right_b))
    p_a, p_b = right_a / n, right_b / n
    phi = _correlation(counts, right_a, right_b, n)
    low = _joined(p_a - a.low, b.high - p_b, phi)
    high = _joined(a.high - p_a, p_b - b.low, phi)
    theta = (only_a - only_b) / n
    return Interval(theta - low, theta + high, level, "newcombe-paired")


def _correlation(counts: tuple[int, int, int, int], right_a: int, right_b: int, n: int) -> float:
    """Newcombe's phi; a positive one with its continuity correction."""
    both, only_a, only_b, neither = counts
    margins = right_a * (n - right_a) * right_b * (n - right_b)
    if not margins:
        return 0.0
    product = float(both * neither - only_a * only_b)
    if product > 0.0:
        product = max(product - n / 2.0, 0.0)
    return product / math.sqrt(margins)


def _joined(one: float, other: float, phi: float) -> float:
    return math.sqrt(max(one**2 - 2.0 * phi * one * other + other**2, 0.0))


def f1_score(tp: int, fp: int, fn: int) -> float:
    """F1 of counts, 2 TP / (2 TP + FP + FN): the harmonic mean of precision TP / (TP + FP) and
    recall TP / (TP + FN).

    Undefined (nan) where all three are 0: nothing is there, and nothing was found. Negative counts
    are a ValueError. What is known of it is f1_posterior's.

    >>> f1_score(8, 2, 4)   # precision 4/5, recall 2/3
    0.7272727272727273
    """
    if min(tp, fp, fn) < 0:
        raise ValueError(f"tp={tp}, fp={fp}, fn={fn}: counts cannot be negative")
    total = 2 * tp + fp + fn
    return 2 * tp / total if total else math.nan
