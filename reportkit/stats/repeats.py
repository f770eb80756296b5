"""Several answers to each question: the chance that k of them are all right (pass^k) or any is
(pass@k).
"""

import numpy as np

from reportkit.stats.digits import floats


def pass_hat_k(successes: np.ndarray, epochs: np.ndarray | int, k: int) -> np.ndarray:
    """pass^k of each question, shape (n,): the chance that k answers drawn without replacement are
    all right.

    successes: shape (n,), right answers c of each question; epochs: shape (n,) or one number, all
    its answers K. C(c, k) / C(K, k), unbiased for p^k where answers are independent (Yao et al.
    2024, tau-bench). It is a product of k factors, so no factorial overflows. pass^1 is the share
    of right answers.

    These are question scores: mean_estimate of them gives the eval's pass^k with its standard
    error, clustered or not. Undefined (nan) where a question has fewer than k answers; drop these
    questions first, and say how many they were.

    >>> pass_hat_k(np.array([4, 2, 1]), 4, 2).round(4).tolist()   # 6/6, 1/6, 0/6
    [1.0, 0.1667, 0.0]
    """
    c, n = _checked(successes, epochs, k)
    score = np.ones(c.shape)
    for j in range(k):
        score *= np.maximum(c - j, 0.0) / np.maximum(n - j, 1.0)
    return np.where(n >= k, score, np.nan)


def pass_at_k(successes: np.ndarray, epochs: np.ndarray | int, k: int) -> np.ndarray:
    """pass@k of each question, shape (n,): the chance that k answers drawn without replacement hold
    a right one.

    successes: shape (n,), right answers c of each question; epochs: shape (n,) or one number, all
    its answers K. 1 - C(K-c, k) / C(K, k), unbiased for 1 - (1-p)^k where answers are independent
    (Chen et al. 2021, equation 1). It is the sum of the chances that the first right answer is the
    first one drawn, the second, and so on, so nothing overflows or cancels. pass@1 is the share of
    right answers. It is not 1 - (1 - c/K)^k, which is biased.

    These are question scores: mean_estimate of them gives the eval's pass@k with its standard
    error, clustered or not. Undefined (nan) where a question has fewer than k answers; drop these
    questions first, and say how many they were.

    >>> # 1 - 0/6, 1 - 1/6, 1 - 3/6, 1 - 6/6
    >>> pass_at_k(np.array([4, 2, 1, 0]), 4, 2).round(4).tolist()
    [1.0, 0.8333, 0.5, 0.0]
    """
    c, n = _checked(successes, epochs, k)
    score = np.zeros(c.shape)
    for j in range(k):
        score += (1.0 - score) * np.minimum(1.0, c / np.maximum(n - j, 1.0))
    return np.where(n >= k, score, np.nan)


def _checked(
    successes: np.ndarray, epochs: np.ndarray | int, k: int
) -> tuple[np.ndarray, np.ndarray]:
    c = floats(successes)
    n = floats(epochs)
    if c.ndim != 1 or n.shape not in ((), c.shape):
        raise ValueError(
            f"successes have shape {c.shape}, epochs {n.shape}; give both for each question"
        )
    n = np.broadcast_to(n, c.shape)
    if k != int(k) or k < 1:
        raise ValueError(f"k={k} is not a whole number of answers from 1")
    wrong = ~((c >= 0) & (c <= n) & (c == np.floor(c)) & (n == np.floor(n)) & np.isfinite(n))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"{int(wrong.sum())} of {len(c)} questions have no valid counts, first number {i} "
            f"with {c[i]:g} of {n[i]:g}; "
            "whole numbers, 0 <= successes <= epochs, are needed: score answers 0 or 1"
        )
    return c, n
