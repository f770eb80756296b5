"""Power of the interval of two means of different questions: what a report tests of scores in part,
and of right and wrong answers in clusters or several to each question.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.evidence import most_answers
from reportkit.stats.means.intervals import MeanArrays, effective_share_ends, mean_ends
from reportkit.stats.planning.tails import beta_tails

# Means are taken in so many bins, up to so many standard errors from what is expected; the
# variances that go with each at so many nodes.
BINS, REACH, NODES = 20, 4.5, 4
SQRT_2_PI = math.sqrt(2.0 * math.pi)
TURN = 0.618  # by so much of a step the nodes of a bin lie beyond those of the one before
CLOSE = 0.98  # the most that a mean and its variance are taken to err together
LEAST_EXCESS = -1.9  # of scores at two points half of the time each it is -2
INSIDE = 1e-9  # of the scale: no mean that may be seen is nearer to an end


@dataclass(frozen=True, slots=True)
class Side(Record):
    """One of two means as it is expected, arrays of shape (P,)."""

    mean: np.ndarray  # of scores between 0 and 1
    square: np.ndarray  # of its standard error
    units: np.ndarray  # clusters, or questions where there are none
    questions: np.ndarray
    answers: np.ndarray  # to all of them


def mover_power(ours: Side, theirs: Side, right: np.ndarray, *, level: float = 0.95) -> np.ndarray:
    """Chance that the interval of unpaired_difference shows which mean is higher, shape (P,). It is
    mover_ends of both means' own intervals (mean_ends), which may be t's or Wilson's on effective
    answers. That it shows the wrong one is not counted.

    right: whether the answers are right or wrong. A mean and its variance have the joint law of
    units that are Beta variables: the mean by its skewness and kurtosis (Cornish and Fisher 1938),
    the variance as of a lognormal law, correlated with it by skewness. How many units show the
    rarer outcome follows from both. The sum over bins of both means, and nodes of both variances;
    of a pair of bins at the edge, the part that lies beyond.

    >>> a, b = (Side(*(np.array([x]) for x in (m, 0.04 / n, n, n, n)))
    ...         for m, n in ((0.56, 300.0), (0.5, 300.0)))
    >>> none = np.zeros(1, bool)
    >>> mover_power(a, b, none).round(3).item()   # 0.956 by t of 598 at .06 / sqrt(2 * .04 / 300)
    0.955
    """
    above = (ours.mean > theirs.mean)[:, None]
    (x, own, of_x), (y, other, of_y) = (
        _errors(side, right, up, level) for side, up in ((ours, ~above), (theirs, above))
    )
    own, other = (np.where(np.isnan(v), np.inf, v) for v in (own, other))
    # as far as a uniform variable reaches that varies as both bins together
    wide = 2.0 * REACH / BINS * np.sqrt(ours.square + theirs.square)[:, None]
    x, y = (np.where(above, v, -v) / wide for v in (x, y))
    own, other = (v / wide**2 for v in (own, other))
    found = own[:, :, None] + other[:, None, :]  # in place: most of a plan's time goes here
    np.sqrt(found, out=found)
    np.subtract((x + 0.5)[:, :, None], found, out=found)
    found -= y[:, None, :]
    np.clip(found, 0.0, 1.0, out=found)
    return np.asarray(((found @ of_y[:, :, None])[:, :, 0] * of_x).sum(axis=1))


def _errors(
    side: Side, right: np.ndarray, up: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Means that may be seen, the squared lengths of their intervals to one side, and their
    chances, each of shape (P, BINS * NODES).
    """
    mean, square, units, n, answers = (
        np.asarray(v, dtype=float)[:, None, None]
        for v in (side.mean, side.square, side.units, side.questions, side.answers)
    )
    tails = beta_tails(mean, np.minimum(square * units, mean * (1.0 - mean)))
    skew = tails.skew / np.sqrt(units)
    excess = np.maximum(tails.excess, LEAST_EXCESS) / units
    edges = np.linspace(-REACH, REACH, BINS + 1)
    chance = np.diff(special.ndtr(edges))[:, None]
    z = -np.diff(np.exp(-(edges**2) / 2.0))[:, None] / (SQRT_2_PI * chance)  # its mean in a bin
    turns = np.modf(TURN * np.arange(BINS))[0][:, None]
    y = special.ndtri((np.arange(NODES) + np.clip(turns, 0.03, 0.97)) / NODES)
    seen = np.clip(mean + np.sqrt(square) * _skewed(z, skew, excess), INSIDE, 1.0 - INSIDE)
    varies = np.log1p(2.0 / np.maximum(units - 1.0, 1.0) + excess)
    together = np.clip(skew / np.sqrt(varies), -CLOSE, CLOSE)
    root = np.sqrt(varies) * (together * z + np.sqrt(1.0 - together**2) * y) - varies / 2.0
    squares = square * np.exp(root)
    rarer = np.minimum(seen, 1.0 - seen) ** 2
    shown = units * rarer / (rarer + (units - 1.0) * squares)
    seen = np.broadcast_to(seen, shown.shape)
    of = MeanArrays(seen, np.sqrt(squares), units - 1.0, n, units, shown)
    ends = mean_ends(of, share=True, level=level)[:2]
    if right.any():
        counted = effective_share_ends(of, np.minimum(most_answers(shown, units), answers), level)
        of_right = right[:, None, None]
        ends = (np.where(of_right, counted[0], ends[0]), np.where(of_right, counted[1], ends[1]))
    reach = np.where(up[:, :, None], ends[1] - seen, seen - ends[0]) ** 2
    weights = np.broadcast_to(chance / NODES, shown.shape)
    rows = len(mean)
    return seen.reshape(rows, -1), reach.reshape(rows, -1), weights.reshape(rows, -1)


def _skewed(z: np.ndarray, skew: np.ndarray, excess: np.ndarray) -> np.ndarray:
    """The quantile of a law with these tails that a standard normal one has at z, to the second
    order.

    >>> # the median: -skew / 6
    >>> _skewed(np.zeros(1), np.array(0.3), np.array(0.0)).round(9).item()
    -0.05
    """
    return np.asarray(
        z + skew * (z * z - 1.0) / 6.0 + excess * (z**3 - 3.0 * z) / 24.0
        - skew**2 * (2.0 * z**3 - 5.0 * z) / 36.0
    )  # fmt: skip
