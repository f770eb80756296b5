"""Power of Newcombe's interval: right and wrong answers of two models to different questions."""

import numpy as np
from scipy import special

from reportkit.stats.means.proportions import wilson_ends

# Numbers of right answers are taken one by one, or in so many bins, up to so many standard
# deviations from their mean.
BINS, REACH = 32, 4.5
SLIVER = 1e-5  # of the other side of a rectangle: as good as a line
MOST = 1e8  # more questions have the power of so many


def newcombe_power(
    share_a: np.ndarray | float,
    share_b: np.ndarray | float,
    n_a: np.ndarray | float,
    n_b: np.ndarray | float,
    *,
    level: float = 0.95,
) -> np.ndarray:
    """Chance that two models with these shares right, on so many questions of their own, are found
    to differ: that the interval of unpaired_difference (Newcombe 1998, method 10, of modified
    Wilson intervals) leaves out 0. Arrays or numbers that broadcast to shape (P,).

    The sum of both binomial laws, Bin(x; n_A, p_A) Bin(y; n_B, p_B), over the pairs of counts that
    are significant; of a pair at the edge, the part of it that would be if counts were not whole,
    and of a pair of bins the part that lies beyond the edge.
    It is within 0.005 of the sum that counts such a pair as all or nothing, and that sum jumps by
    as much from one n to the next. Parts of a question are allowed.

    >>> newcombe_power(0.91, 0.95, 450, 1000).round(2).item()
    0.81
    >>> newcombe_power(0.7, 0.7, 300, 300).round(2).item()   # about 1 - level
    0.05
    """
    given = (np.asarray(v, dtype=float).reshape(-1, 1) for v in (share_a, share_b, n_a, n_b))
    a, b, of_a, of_b = np.broadcast_arrays(*given)
    of_a, of_b = np.minimum(of_a, MOST), np.minimum(of_b, MOST)
    if (b == b[:1]).all() and (of_b == of_b[:1]).all():  # one published mean of many designs
        b, of_b = b[:1], of_b[:1]
    (x, of_x, wide_x), (y, of_y, wide_y) = _counts(a, of_a), _counts(b, of_b)
    low_x, high_x = wilson_ends(x, of_a, level, modified=True)
    low_y, high_y = wilson_ends(y, of_b, level, modified=True)
    gap = x[:, :, None] - y[:, None, :]
    # a bin of k counts is as wide as what varies as much as they do, of single counts one alone
    apart_y = np.sqrt(np.maximum(wide_y**2 - of_b**-2.0, 0.0))
    widths = apart_y[:, :, None], wide_x[:, :, None]
    found = np.zeros(gap.shape)
    for sign, own, other in ((1.0, x - low_x, high_y - y), (-1.0, high_x - x, y - low_y)):
        beyond = sign * gap - np.hypot(own[:, :, None], other[:, None, :])
        found += _part_beyond(beyond, *widths)
    return np.asarray(np.einsum("px,pxy,py->p", of_x, found, np.broadcast_to(of_y, of_x.shape)))


def _part_beyond(beyond: np.ndarray, narrow: np.ndarray, wide: np.ndarray) -> np.ndarray:
    """The part of a rectangle with these sides that lies beyond a line at 45 degrees, whose
    distance from the middle, along a side, is `beyond`.

    >>> at = np.array([0.0, 0.5, 1.5])
    >>> _part_beyond(at, np.array(1.0), np.array(2.0))
    array([0.5 , 0.75, 1.  ])
    >>> _part_beyond(at, np.array(0.0), np.array(2.0)).round(4)
    array([0.5 , 0.75, 1.  ])
    """
    narrow = np.maximum(narrow, SLIVER * wide)
    half, flat = (narrow + wide) / 2.0, np.abs(narrow - wide) / 2.0
    at = np.clip(beyond, -half, half)
    corners = sum(
        sign * np.maximum(at + to, 0.0) ** 2
        for sign, to in ((1.0, half), (-1.0, flat), (-1.0, -flat), (1.0, -half))
    )
    return np.asarray(corners / (2.0 * narrow * wide))


def _counts(share: np.ndarray, n: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The likely numbers of right answers, as shares: of each bin the middle, the chance, and how
    wide it is, shapes (P, BINS), (P, BINS) and (P, 1).
    """
    middle, reach = n * share, REACH * np.sqrt(n * share * (1.0 - share)) + 2.0
    low = np.maximum(np.floor(middle - reach), 0.0)
    high = np.minimum(np.ceil(middle + reach), np.ceil(n))
    step = np.maximum((high - low + 1.0) / BINS, 1.0)
    edges = low + step * np.arange(BINS + 1)
    chance = np.diff(_fewer(edges, share, n), axis=1)
    return np.clip((edges[:, :-1] + (step - 1.0) / 2.0) / n, 0.0, 1.0), chance, step / n


def _fewer(count: np.ndarray, share: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Chance of fewer right answers than `count`, which need not be whole."""
    inside = (count > 0.0) & (count < n + 1.0)
    k = np.where(inside, count, 1.0)
    rest = np.where(inside, n - k + 1.0, 1.0)
    found = np.where(inside, special.betaincc(k, rest, share), 1.0)
    return np.asarray(np.where(count > 0.0, found, 0.0))
