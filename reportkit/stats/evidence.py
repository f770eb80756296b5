"""How much evidence a mean or a difference rests on: only the clusters that show the outcome count.

With a mean of 0.97 a few questions hold all errors, and only these few say anything about the
spread. The limits below decide where Student's t may be used, and what is done elsewhere. Each was
chosen by simulated coverage (benchmarks/coverage.py).
"""

import numpy as np

from reportkit.stats.digits import exponent

# With fewer than 10 questions, or 100 clusters of several questions, a share never gets a t
# interval.
FEW_UNITS, FEW_CLUSTERS = 10, 100
# If so many show the rarer outcome, t may be used, however many there are in all: questions, or
# clusters of several.
SHOWN_UNITS, SHOWN_CLUSTERS = 25, 100
# With fewer units only 0/1 answers get an interval: for other scores, no method covers the truth
# nine times in ten.
LEAST_UNITS = 4
# The least degrees of freedom that sparse_df leaves: at 95% the t quantile of 4 is 2.8, of 1 12.7.
LEAST_DF = 4.0


def effective_number(weights: np.ndarray) -> np.ndarray:
    """The number of equal weights that are as concentrated as these: (sum w)^2 / sum w^2 over the
    last axis (Kish 1965); 0 if all are 0.

    >>> effective_number(np.array([[1.0, 1, 0, 0], [3.0, 1, 0, 0]])).tolist()
    [2.0, 1.6]
    """
    w = np.asarray(weights, dtype=float)
    power = exponent(float(np.abs(w).max(initial=0.0)))
    w = np.ldexp(w, -power) if power else w
    total, squares = w.sum(axis=-1), (w * w).sum(axis=-1)
    return np.divide(total * total, squares, out=np.zeros_like(squares), where=squares > 0.0)


def rarer_outcome(shares: np.ndarray) -> np.ndarray:
    """Effective number of clusters that show the rarer of two outcomes, from each cluster's mean
    score (last axis).

    >>> rarer_outcome(np.array([1.0, 1.0, 1.0, 0.5])).item()
    1.0
    """
    return np.minimum(effective_number(shares), effective_number(1.0 - shares))


def sparse_df(
    df: np.ndarray | float,
    informative: np.ndarray | float,
    clusters: np.ndarray | float,
) -> np.ndarray:
    """Degrees of freedom of a variance where only some of the clusters show the outcome.

    informative: effective number of those (effective_number); clusters: all of them, G. The result
    is df (2 informative - 1) / (G - 1), at most df and at least 4 (or df, if smaller). Where at
    least half of the clusters show the outcome, it is df. With a mean of 0.97 a few clusters hold
    all errors, and the variance is known only as well as from those few. Rule and floor were chosen
    by benchmarks/coverage.py.

    >>> sparse_df(49.0, 5.5, 50).item(), sparse_df(49.0, 30.0, 50).item()
    (10.0, 49.0)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        shown = np.clip(
            (2.0 * np.asarray(informative) - 1.0) / (np.asarray(clusters) - 1.0), 0.0, 1.0
        )
    return np.maximum(df * shown, np.minimum(df, LEAST_DF))


def dense(
    informative: np.ndarray | float, clusters: np.ndarray | int, n: np.ndarray | int
) -> np.ndarray:
    """Whether a t interval can be used as it is: half of the units show the outcome, or enough of
    them do (see sparse_df).

    clusters: how many there are of n questions. 25 questions are enough, or 100 clusters of several
    questions. Fewer than 10 questions or 100 clusters in all are never enough. Chosen by
    benchmarks/coverage.py.

    >>> dense(5.0, 10, 10).item(), dense(25.0, 164, 164).item(), dense(25.0, 164, 500).item()
    (True, True, False)
    """
    clusters = np.asarray(clusters)
    alone = clusters == n
    shown = informative >= np.minimum(clusters / 2.0, np.where(alone, SHOWN_UNITS, SHOWN_CLUSTERS))
    return shown & (clusters >= np.where(alone, FEW_UNITS, FEW_CLUSTERS))


def dense_from(informative: float, clusters: int, n: int) -> float:
    """The least number of clusters, of questions without clusters, at which `dense` is true, where
    those that show the outcome grow with it.

    >>> dense_from(12.5, 100, 100), dense_from(12.0, 15, 60)   # 25 are twice 12.5; 100 clusters
    (200.0, 100.0)
    """
    alone = clusters == n
    shown, least = (SHOWN_UNITS, FEW_UNITS) if alone else (SHOWN_CLUSTERS, FEW_CLUSTERS)
    if informative >= clusters / 2.0:
        return float(least)
    return max(least, shown * clusters / informative) if informative > 0.0 else np.inf


def most_answers(informative: np.ndarray, clusters: np.ndarray | int) -> np.ndarray:
    """The most effective answers that scores may count as: a variance seen in few clusters may be
    far too small.

    The formula is G e / (1 - s) with s = (2 e - 1) / (G - 1): G clusters (questions, without
    clusters), of which e, an effective number, show the rarer outcome. There is no limit where s is
    1 or more, as from half of the clusters on. Chosen by benchmarks/coverage.py.

    >>> most_answers(np.array([1.0, 5.5, 50.0]), 100).round(1).tolist()
    [101.0, 611.8, inf]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        shown = np.clip((2.0 * informative - 1.0) / (np.asarray(clusters) - 1.0), 0.0, 1.0)
        return np.where(shown < 1.0, clusters * informative / (1.0 - shown), np.inf)
