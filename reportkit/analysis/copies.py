"""Models that have the same score on every question: perhaps one model under two names."""

import math

import numpy as np

from reportkit.facts import Copies
from reportkit.scores.select import EvalScores

# Bits of agreement from which two models are named: by chance, models with these scores on
# questions of one difficulty would agree on all of them less than once in 2^7 = 128 evals.
BITS = 7.0
ROWS = 4096  # questions that are hashed at once, so that memory stays small


def copies(e: EvalScores) -> tuple[Copies, ...]:
    """Groups of models with the same score on every question, and the same questions.

    Scores that hardly vary say nothing: the same n scores can be given to the questions in
    n! / prod(n_v!) orders, n_v questions with score v, and log2 of that must reach BITS, and the
    log2 of the number of pairs of models besides. Columns are hashed, so that the cost is that of
    reading the scores once, whatever the number of pairs.
    """
    groups: dict[int, list[int]] = {}
    for column, key in enumerate(_hashes(e.means).tolist()):
        groups.setdefault(key, []).append(column)
    pairs = len(e.models) * (len(e.models) - 1) / 2
    found = []
    for columns in groups.values():
        first = e.means[:, columns[0]]
        same = [c for c in columns if np.array_equal(first, e.means[:, c], equal_nan=True)]
        scored = first[~np.isnan(first)]
        if len(same) > 1 and agreement(scored) >= BITS + math.log2(pairs):
            found.append(Copies(tuple(e.models[c] for c in same), len(scored)))
    return tuple(found)


def agreement(scores: np.ndarray) -> float:
    """log2 of the number of different orders of these scores, shape (n,).

    >>> round(agreement(np.array([1.0, 1, 0, 0])), 4), agreement(np.ones(50))  # log2 of 6, and of 1
    (2.585, 0.0)
    """
    counts = np.unique(scores, return_counts=True)[1]
    orders = math.lgamma(len(scores) + 1) - sum(math.lgamma(n + 1) for n in counts.tolist())
    return orders / math.log(2.0) + 0.0


def _hashes(scores: np.ndarray) -> np.ndarray:
    """(M,) numbers, the same for equal columns of (n, M) scores: sums of the bits of each score
    times a number of its row, modulo 2^64.
    """
    n, m = scores.shape
    drawn = np.random.default_rng(0).integers(0, 2**62, size=(n, 1))
    factors = (2 * drawn + 1).astype(np.uint64)  # odd: no score's bits get lost
    sums = np.zeros(m, dtype=np.uint64)
    for start in range(0, n, ROWS):
        part = scores[start : start + ROWS] + 0.0  # one zero, and below one nan
        part[np.isnan(part)] = np.nan
        bits = part.view(np.uint64)
        # The low bits of round numbers are 0 and would stay so: fold the high ones down.
        bits = bits ^ (bits >> np.uint64(29))
        sums += (bits * factors[start : start + ROWS]).sum(axis=0, dtype=np.uint64)
    return sums
