"""The standard error that a harness pools over the subtasks of a group."""

import math

import numpy as np


def pooled(scores: np.ndarray, subtasks: np.ndarray, how: str = "pooled") -> tuple[float, float]:
    """lm-eval's mean and standard error of a group, only to check its numbers: this is not the
    standard error of the mean over subtasks.

    scores: shape (n,). subtasks: shape (n,), labels. pooled: SE sqrt(sum (n-1) n se^2 / (N-k) / N)
    over k subtasks of n questions, N together. macro: sqrt(sum se^2) / k, and the mean of the
    subtasks' means. nan where every subtask has one question; for macro, where any has.

    >>> mean, se = pooled(np.array([1.0, 0, 1, 1, 0, 0]), np.array(list("aaaabb")))
    >>> round(mean, 3), round(se, 3)
    (0.5, 0.177)
    """
    groups = [scores[subtasks == label] for label in dict.fromkeys(subtasks)]
    n = np.array([len(g) for g in groups])
    variances = np.array([g.var(ddof=1) if len(g) > 1 else math.nan for g in groups])
    if how == "macro":
        means = [float(g.mean()) for g in groups]
        return float(np.mean(means)), math.sqrt(float((variances / n).sum())) / len(n)
    total = int(n.sum())
    if total == len(n):  # one question in each, as with --limit 1: no spread can be seen
        return float(scores.mean()), math.nan
    # (n-1) n se^2 is the sum of squares within a subtask, which is 0 where it has one question.
    within = float(((n - 1) * np.where(n > 1, variances, 0.0)).sum())
    return float(scores.mean()), math.sqrt(within / (total - len(n)) / total)
