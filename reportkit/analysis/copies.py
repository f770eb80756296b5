"""Models that have the same score on every question: perhaps one model under two names."""

import math

import numpy as np

from reportkit.facts import Copies
from reportkit.scores.select import EvalScores

# Bits of agreement from which two models are named: by chance, models that differ would agree on
# all questions less than once in 2^7 = 128 evals.
BITS = 7.0
ROWS = 4096  # questions that are hashed at once, so that memory stays small
DIGITS = 12  # of the largest mean, to which means of several answers are compared
LOOKED_AT = 2000  # questions on which the chance of agreement is counted; more would only add bits


def copies(e: EvalScores) -> tuple[Copies, ...]:
    """Groups of models with the same score on every question, and the same questions.

    Agreement that chance gives says nothing: where nearly all scores are equal, where a question is
    easy or hard for all models, or in a short eval. So the agreement, in bits, must reach BITS, and
    the log2 of the number of pairs of models besides. Columns are hashed, so that the cost is that
    of reading the scores once, whatever the number of pairs.
    """
    means = _without_rounding(e)
    groups: dict[int, list[int]] = {}
    for column, key in enumerate(_hashes(means).tolist()):
        groups.setdefault(key, []).append(column)
    pairs = len(e.models) * (len(e.models) - 1) / 2
    found = []
    for columns in groups.values():
        first = means[:, columns[0]]
        same = [c for c in columns if np.array_equal(first, means[:, c], equal_nan=True)]
        scored = np.flatnonzero(~np.isnan(first))
        if len(same) < 2 or not len(scored):
            continue
        looked_at = scored[:: -(-len(scored) // LOOKED_AT)]
        others = np.delete(means[looked_at], same, axis=1)
        if agreement(first[looked_at], others) >= BITS + math.log2(pairs):
            found.append(Copies(tuple(e.models[c] for c in same), len(scored)))
    return tuple(found)


def _without_rounding(e: EvalScores) -> np.ndarray:
    """Question means, of which those of the same answers in another order are the same too."""
    if e.epochs.max(initial=0) < 2:
        return e.means
    largest = float(np.nanmax(np.abs(e.means), initial=0.0)) or 1.0
    return np.asarray(np.round(e.means / largest, DIGITS))


def agreement(scores: np.ndarray, others: np.ndarray) -> float:
    """How unlikely it is that another model has the same scores by chance, in bits: the smaller of
    two numbers, each -log2 of a chance.

    scores: (n,) of the models that agree. others: (n, m) of the other models on these questions,
    nan where one has none. First, one order among all that these scores could have over the
    questions: n! / prod(n_v!) with n_v scores v. Second, question by question: two models agree
    with probability sum_v p_v^2, where p_v = (c_v + f_v) / (c + 1): of c others with a score c_v
    have the score v, and f_v = n_v / n counts as one more model. Questions that all models find
    easy, or hard, add little to the second.

    >>> right, nobody = np.array([1.0, 1, 0, 0]), np.empty((4, 0))
    >>> round(agreement(right, nobody), 4), agreement(np.ones(4), nobody)  # log2 of 6, and of 1
    (2.585, 0.0)
    """
    values, counts = np.unique(scores, return_counts=True)
    orders = math.lgamma(len(scores) + 1) - sum(math.lgamma(n + 1) for n in counts.tolist())
    share = counts / len(scores)
    squares, crossed, c = np.zeros((3, len(scores)))
    for q, row in enumerate(others):
        found, times = np.unique(row[~np.isnan(row)], return_counts=True)
        at = np.minimum(np.searchsorted(values, found), len(values) - 1)
        shares = np.where(values[at] == found, share[at], 0.0)
        squares[q], crossed[q], c[q] = (times**2).sum(), (times * shares).sum(), times.sum()
    chance = (squares + 2.0 * crossed + (share**2).sum()) / (c + 1.0) ** 2
    return min(orders / math.log(2.0), float(-np.log2(chance).sum())) + 0.0


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
