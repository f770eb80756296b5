"""Which of many models may be the best, and which ranks each may have: one family of comparisons
for each model, those with all others.
"""

from dataclasses import dataclass

import numpy as np

from reportkit.record import Record
from reportkit.stats.families.ranks import TIE
from reportkit.stats.pairs.every import Pairs


@dataclass(frozen=True, slots=True)
class BestSet(Record):
    """The models that may be the best, arrays of shape (M,).

    A model is in one of four states: bold; not told (it may be the best, but its mean lies below
    one that may not, or no test compares it); found worse than another; without a mean.
    """

    bold: np.ndarray
    untold: np.ndarray
    rivals: np.ndarray  # comparisons that share the level when the model is tested; at least 1
    low: np.ndarray  # best rank; 1 exactly where bold, nan where untold or without a mean
    high: np.ndarray  # worst rank
    better: np.ndarray  # shape (M, M): the row is found better than the column


def ahead(pairs: Pairs, models: int, lower: bool = False) -> np.ndarray:
    """One-sided p-values, shape (M, M): row against column, small where the row scored better.

    Half the two-sided p of the pair, or 1 minus that where the row scored worse; so it agrees with
    the interval and the p that are printed. nan where the pair has no test, and on the diagonal.

    lower: lower scores are better.

    >>> from reportkit.stats.pairs.every import all_pairs
    >>> s = np.array([[1.0, 0.0]] * 9 + [[0.0, 0.0]] * 6)
    >>> p = ahead(all_pairs(s, binary=True), 2)
    >>> p[0, 1].round(5).item(), p[1, 0].round(5).item()   # McNemar's z = 3
    (0.00135, 0.99865)
    """
    i, j = pairs.first, pairs.second
    difference = -pairs.difference if lower else pairs.difference
    one = np.where(difference > 0.0, pairs.p_value / 2.0, 1.0 - pairs.p_value / 2.0)
    other = np.where(difference < 0.0, pairs.p_value / 2.0, 1.0 - pairs.p_value / 2.0)
    p = np.full((models, models), np.nan)
    p[i, j], p[j, i] = one, other
    return p


def best_set(
    means: np.ndarray,
    p_ahead: np.ndarray,
    level: float = 0.95,
    *,
    lower: bool = False,
    found: np.ndarray | None = None,
) -> BestSet:
    """A confidence set for the best of M models, and the ranks of each.

    means: shape (M,), of all scores of a model, nan without one. p_ahead: from `ahead`, shape (M,
    M). lower: lower scores are better. found: shape (M, M), True where the row is known to be
    better than the column from a test that p_ahead does not hold; None: nowhere.

    Model i is found worse where some j is ahead of it with p_ji <= alpha / r_i, alpha = 1 - level:
    one-sided tests against all others (Hsu 1984), which share alpha by Bonferroni. r_i, its rivals,
    counts the models that i itself is not clearly ahead of, with a one-sided p above alpha / 2: a
    model that lies clearly below i cannot be the one that beats it (moments are selected so in
    Romano, Shaikh & Wolf 2014). Only the truly best model must not be found worse, so nothing is
    adjusted for the number of models i. Simulated, the truly best is left out in no more than 5% of
    evals (within two simulation errors) at the 95% level, also with few questions, clusters and
    missing scores (benchmarks/best.md); Holm's step-down over the comparisons with the highest mean
    leaves it out in up to 6%, Bonferroni over all M - 1 keeps larger sets.

    Bold: not found worse, tested at least once, and no better mean belongs to a model that is not
    bold. A rank set holds the model's true rank (1 + the models truly better; those that tie share
    it) with probability `level`, each set by itself: 1 + the models ahead of it to M - the models
    behind it, both by the same tests at alpha / 2. It starts at 1 exactly where the model is bold,
    and it ends at 1 for the only model that is bold where all others are found worse.

    >>> p = np.array([[np.nan, 0.2, 0.001], [0.8, np.nan, 0.01], [0.999, 0.99, np.nan]])
    >>> b = best_set(np.array([0.9, 0.88, 0.5]), p)
    >>> b.bold.tolist(), b.rivals.tolist(), b.low.tolist(), b.high.tolist()
    ([True, True, False], [1, 1, 2], [1.0, 1.0, 3.0], [2.0, 2.0, 3.0])
    """
    means, p = np.asarray(means, dtype=float), np.asarray(p_ahead, dtype=float)
    m, alpha = len(means), 1.0 - level
    if means.ndim != 1 or p.shape != (m, m):
        raise ValueError(
            f"means have shape {means.shape}, the p-values {p.shape}; M means need an M x M matrix"
        )
    known = ~np.isnan(p)
    surely = np.zeros((m, m), dtype=bool) if found is None else np.asarray(found, dtype=bool)
    rivals = np.maximum((known & ~(p <= alpha / 2.0)).sum(axis=1), 1)
    masters = np.maximum((known & ~(alpha / 2.0 >= p.T)).sum(axis=1), 1)
    with np.errstate(invalid="ignore"):
        beaten = (p * rivals[None, :] < alpha) | surely
        worse = beaten.any(axis=0)
        behind = (2.0 * p * rivals[None, :] < alpha) | surely
        before = (2.0 * p * masters[:, None] < alpha) | surely
    scored = ~np.isnan(means)
    possible = scored & ~worse
    good = possible & known.any(axis=1)
    value = -means if lower else means
    # Equal but for rounding is equal: neither lies below the other.
    tie = TIE * np.nanmax(np.abs(means), initial=0.0)
    top = np.where(scored & ~good, value, -np.inf).max(initial=-np.inf)
    bold = good & (value >= top - tie)
    low = np.where(worse, np.maximum(1.0 + behind.sum(axis=0), 2.0), 1.0)
    high = scored.sum() - before.sum(axis=1).astype(float)
    if bold.sum() == 1 and worse[scored & ~bold].all():
        high[bold] = 1.0
    high = np.maximum(high, low)
    untold = possible & ~bold
    low[untold | ~scored], high[untold | ~scored] = np.nan, np.nan
    return BestSet(bold, untold, rivals, low, high, beaten)
