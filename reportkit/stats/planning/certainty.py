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
    return _with_tails(_normal_df(d, times), worth_of(d) * times, excess)


def seen_df(d: PairDesigns, excess: np.ndarray | float = 0.0) -> np.ndarray:
    """certain_df of the variance that the plan rests on: seen in single questions, or in clusters
    of another size, where clusters are those of the plan alone.
    """
    return _with_tails(normal_seen_df(d), worth_of(d), excess)


def normal_seen_df(d: PairDesigns) -> np.ndarray:
    """The same with normal sums of clusters: what `seen_df` of PairDesigns says, or leaves out."""
    return _normal_df(d) if d.seen_df is None else d.seen_df


def _normal_df(d: PairDesigns, times: np.ndarray | float = 1.0) -> np.ndarray:
    """certain_df of normal sums of clusters."""
    df = times * (d.df + 1.0) - 1.0
    return df if d.worth is None else np.minimum(df, worth_of(d) * times - 1.0)


def _with_tails(df: np.ndarray, worth: np.ndarray, excess: np.ndarray | float) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return 2.0 / (2.0 / df + np.maximum(excess, -1.0) / worth)


def worth_of(d: PairDesigns) -> np.ndarray:
    """How many clusters of one size each pair's SE is worth."""
    return d.clusters if d.worth is None else np.minimum(d.worth, d.clusters)
