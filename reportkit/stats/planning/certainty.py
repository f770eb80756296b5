"""How well the variance of a difference is known, in degrees of freedom: of an eval that is to be,
and of the scores that its plan rests on.
"""

import numpy as np

from reportkit.stats.pairs.designs import PairDesigns


def certain_df(
    d: PairDesigns, excess: np.ndarray | float = 0.0, times: np.ndarray | float = 1.0
) -> np.ndarray:
    """Degrees of freedom that the variance of so many times the clusters really has.

    Var(V) / V^2 = 2 / f + excess / G: f the degrees of freedom with normal sums of clusters, but no
    more than clusters of one size would have that are worth as much, G the number of those.
    """
    worth = worth_of(d) * times
    df = times * (d.df + 1.0) - 1.0
    if d.worth is not None:
        df = np.minimum(df, worth - 1.0)
    return _with_tails(df, worth, excess)


def seen_df(d: PairDesigns, excess: np.ndarray | float = 0.0) -> np.ndarray:
    """certain_df of the variance that the plan rests on: seen in single questions, where clusters
    are those of the plan alone.
    """
    if d.seen_df is None:
        return certain_df(d, excess)
    return _with_tails(d.seen_df, worth_of(d), excess)


def _with_tails(df: np.ndarray, worth: np.ndarray, excess: np.ndarray | float) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return 2.0 / (2.0 / df + np.maximum(excess, -1.0) / worth)


def worth_of(d: PairDesigns) -> np.ndarray:
    """How many clusters of one size each pair's SE is worth."""
    return d.clusters if d.worth is None else np.minimum(d.worth, d.clusters)
