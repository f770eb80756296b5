"""The probability that one model is better than another, for evals so small that a p-value alone
says little.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from reportkit import stats
from reportkit.results import DifferenceResult
from reportkit.scores.select import EvalScores

FEW = 100  # questions from which a report shows it only on request

_p_greater = lru_cache(maxsize=4096)(stats.paired_p_greater)


def with_chances(
    e: EvalScores, differences: Iterable[DifferenceResult]
) -> tuple[DifferenceResult, ...]:
    """The same differences with P(model > baseline), where the eval has fewer than 100 questions
    and the two models one right or wrong answer to each of theirs, without clusters.

    With clusters or several answers there is no such number: the model takes questions as
    independent, and would be too sure.
    """
    if not e.binary or len(e.questions) >= FEW:
        return tuple(differences)
    return tuple(_with_chance(e, d) for d in differences)


def _with_chance(e: EvalScores, d: DifferenceResult) -> DifferenceResult:
    a, b = e.models.index(d.model), e.models.index(d.baseline)
    counts = pair_counts(e, a, b)
    if not sum(counts) or grouped(e, a) or grouped(e, b):
        return d
    return replace(d, p_greater=_p_greater(*counts))


def grouped(e: EvalScores, column: int) -> bool:
    """Whether the answers of a model depend on each other: clusters, or several to a question."""
    return e.clusters is not None or e.epochs[:, column].max(initial=0) > 1


def pair_counts(e: EvalScores, a: int, b: int) -> tuple[int, int, int, int]:
    """The common questions of two models by which of them is right: both, the first, the second,
    neither.
    """
    both = e.both(a, b)
    first, second = e.means[both, a] > 0.5, e.means[both, b] > 0.5
    n, right, only_a, only_b = map(
        int, (both.sum(), (first & second).sum(), (first & ~second).sum(), (~first & second).sum())
    )
    return right, only_a, only_b, n - right - only_a - only_b
