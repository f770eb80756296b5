"""The probability that a model gives the right choice, from the log-likelihoods of all choices."""

import math
from collections.abc import Sequence


def probabilities(logliks: Sequence[float]) -> list[float]:
    """The choices' shares (softmax); nan where a log-likelihood is unknown, or no choice has a
    chance.

    >>> [round(p, 3) for p in probabilities([-1.0, -2.0, -math.inf])]
    [0.731, 0.269, 0.0]
    """
    most = max(logliks, default=math.nan)
    if any(math.isnan(v) for v in logliks) or not math.isfinite(most):
        return [math.nan] * len(logliks)
    weights = [math.exp(v - most) for v in logliks]
    total = math.fsum(weights)
    return [w / total for w in weights]


def p_right(logliks: Sequence[float], golds: Sequence[int]) -> float:
    """Probability of the right choices together; nan without any."""
    shares = probabilities(logliks)
    return min(math.fsum(shares[g] for g in set(golds)), 1.0) if golds else math.nan


def brier(logliks: Sequence[float], gold: int) -> float:
    """Sum over the choices of the squared distance to the truth: 0 to 2, lower is better."""
    return math.fsum((p - (k == gold)) ** 2 for k, p in enumerate(probabilities(logliks)))


def is_letter(choice: str) -> bool:
    """Whether a choice is one letter or digit, so that its log-likelihood is that of the next
    token.

    >>> is_letter(" A"), is_letter(" Paris")
    (True, False)
    """
    return len(choice.strip()) == 1 and choice.strip().isalnum()
