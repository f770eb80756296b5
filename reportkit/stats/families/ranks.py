"""Which ranks the data allow: rank sets from simultaneous intervals of differences."""

from dataclasses import dataclass

import numpy as np

from reportkit.record import Record

# Means closer than this share of the largest are equal: they differ by the rounding of their sums.
TIE = 1e-12


@dataclass(frozen=True, slots=True)
class RankSets(Record):
    """Ranks of M models, arrays of shape (M,); 1 is the highest mean, best <= worst."""

    rank: np.ndarray  # of the estimates; tied models share the best; nan where the mean is nan
    best: np.ndarray  # 1 + the number of models surely above this one
    worst: np.ndarray  # M - the number of models surely below it


def rank_sets(
    means: np.ndarray, low: np.ndarray, high: np.ndarray, first: np.ndarray, second: np.ndarray
) -> RankSets:
    """For each model the ranks that no interval of a difference rules out (Klein, Wright &
    Wieczorek 2020).

    means: shape (M,), higher is better (turn the signs of a loss, and of its differences, first).
    low, high: shape (P,), intervals of mean[first] - mean[second], from max_t; first, second: shape
    (P,), columns from 0.

    best = 1 + #{j: the interval of j - i lies above 0}, worst = M - #{j: the interval of i - j lies
    above 0}. If the intervals hold together with probability `level`, so do all M rank sets: every
    true rank is in its set, and where true means are equal, every rank they could be given.
    Mogstad, Romano, Shaikh & Wilhelm 2024 get smaller sets by stepping down. With intervals of one
    comparison at a time nothing is promised of all together. An interval that is undefined (nan),
    touches 0 or is not given excludes nothing.

    >>> low, high = np.array([-0.1, 0.2, 0.1]), np.array([0.3, 0.6, 0.5])
    >>> first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> r = rank_sets(np.array([0.9, 0.8, 0.5]), low, high, first, second)
    >>> # the first two cannot be told apart; the third is last
    >>> r.rank.tolist(), r.best.tolist(), r.worst.tolist()
    ([1.0, 2.0, 3.0], [1, 1, 3], [2, 2, 3])
    """
    means, low, high = (np.asarray(a, dtype=float) for a in (means, low, high))
    i, j = np.asarray(first, dtype=int), np.asarray(second, dtype=int)
    m = len(means)
    if means.ndim != 1 or low.ndim != 1 or not low.shape == high.shape == i.shape == j.shape:
        shapes = [a.shape for a in (low, high, i, j)]
        raise ValueError(
            f"low, high, first, second have shapes {shapes}; give one list each, of one length"
        )
    if len(i) and not (min(i.min(), j.min()) >= 0 and max(i.max(), j.max()) < m and (i != j).all()):
        raise ValueError(f"some pair is not of two different models of {m}; count them from 0")
    if (low > high).any():
        raise ValueError(
            f"{int((low > high).sum())} of {len(low)} intervals have their low end above the "
            "high end"
        )
    # [a, b]: a is surely above b; a pair given twice counts once
    above = np.zeros((m, m), dtype=bool)
    first_wins, second_wins = low > 0.0, high < 0.0
    above[i[first_wins], j[first_wins]] = True
    above[j[second_wins], i[second_wins]] = True
    tie = TIE * np.nanmax(np.abs(means), initial=0.0)
    higher = means[None, :] - means[:, None] > tie
    rank = np.where(np.isnan(means), np.nan, 1.0 + higher.sum(axis=1))
    return RankSets(rank, 1 + above.sum(axis=0), m - above.sum(axis=1))
