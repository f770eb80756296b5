"""Questions in clusters: labels as codes, means and sums over clusters."""

import numpy as np


def cluster_codes(clusters: np.ndarray | None, n: int) -> np.ndarray | None:
    """Labels of any type, shape (n,), as integers 0..G-1. None stays None: every question is its
    own cluster.

    Integers that already run from 0 without large gaps are used as they are: large inputs need no
    sort.

    >>> cluster_codes(np.array(["b", "a", "b"]), 3)
    array([1, 0, 1])
    """
    if clusters is None:
        return None
    labels = np.asarray(clusters)
    if labels.shape != (n,):
        raise ValueError(
            f"clusters have shape {labels.shape}, scores have {n} questions; give one label per "
            "question"
        )
    if labels.dtype.kind in "iu" and n and labels.min() >= 0 and labels.max() < 4 * n + 16:
        return labels
    if labels.dtype.kind == "f" and np.isnan(labels).any():
        raise ValueError(
            f"{int(np.isnan(labels).sum())} of {n} cluster labels are missing; every question "
            "needs one"
        )
    if labels.dtype.kind == "O" and any(x is None or x != x for x in labels):
        raise ValueError("some cluster labels are missing; every question needs one")
    return np.unique(labels, return_inverse=True)[1]


def cluster_means(scores: np.ndarray, clusters: np.ndarray | None) -> np.ndarray:
    """Mean score of each cluster, shape (G,); the scores themselves where clusters is None.

    >>> cluster_means(np.array([1.0, 0.0, 0.5]), np.array(["p", "p", "q"])).tolist()
    [0.5, 0.5]
    """
    codes = cluster_codes(clusters, len(scores))
    if codes is None:
        return scores
    sizes = np.bincount(codes)
    held = sizes > 0
    return np.bincount(codes, weights=scores)[held] / sizes[held]


def in_clusters(
    codes: np.ndarray | None, n: int
) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """An order of the questions that keeps clusters together (None: as it is), the cluster of each,
    the sizes.
    """
    if codes is None:
        return None, np.arange(n), np.ones(n, dtype=int)
    order = None
    if (np.diff(codes) < 0).any():
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
    rank = np.cumsum(np.diff(codes, prepend=codes[0]) > 0)
    return order, rank, np.bincount(rank)


def row_sums(x: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Sums of the rows of each group, from group 0 to the last one. reduceat would be many times
    slower.
    """
    from scipy import sparse

    k = len(group)
    starts = np.append(np.flatnonzero(np.diff(group, prepend=-1)), k)
    return sparse.csr_array((np.ones(k), np.arange(k), starts), shape=(len(starts) - 1, k)) @ x


def sizes_and_codes(clusters: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sizes m_c > 0, shape (G,), and codes 0..G-1 without gaps, shape (n,)."""
    if n == 0:
        raise ValueError("there are no questions; give a score and a label for at least one")
    codes = np.asarray(cluster_codes(clusters, n))
    _, rows, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    return sizes, rows
