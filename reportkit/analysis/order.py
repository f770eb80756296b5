"""In which order a report names its models."""

import math
from collections.abc import Sequence

import numpy as np

from reportkit import stats
from reportkit.decisions import Decisions
from reportkit.scores.select import EvalScores

SORTED_FROM = 8  # models from which a reader looks for the best one, not for a name


def in_order(e: EvalScores, d: Decisions) -> EvalScores:
    """The scores with their models in the order that tables and figures show.

    Where the user names the models, or they are few, it is the order in which they come. Else the
    best mean comes first; of equal means (but for rounding) the model with more questions, then by
    name; models without a score come last.
    """
    return e.with_order(best_first(e)) if is_sorted(e, d) else e


def is_sorted(e: EvalScores, d: Decisions) -> bool:
    """Whether the models stand in the order of their scores."""
    return not d.models and len(e.models) >= SORTED_FROM


def best_first(e: EvalScores) -> list[int]:
    """The columns of the models, the best mean first."""
    answered = e.epochs > 0
    n = answered.sum(axis=0)
    sums = np.where(answered, e.means, 0.0).sum(axis=0)
    values = np.where(n > 0, sums / np.maximum(n, 1), np.inf)
    values = np.where(n > 0, values if e.lower else -values, np.inf)
    return ranked(values.tolist(), n.tolist(), e.models)


def best_of(values: Sequence[float], lower: bool = False) -> list[int]:
    """The places of the best value; several, where they are equal but for rounding. nan is none.

    >>> best_of([0.3, float("nan"), 0.1 + 0.2, 0.2]), best_of([0.3, 0.2], lower=True)
    ([0, 2], [1])
    """
    known = [v for v in values if v == v]
    best = (min if lower else max)(known, default=math.nan)
    tie = stats.TIE * max(map(abs, known), default=0.0)
    return [i for i, v in enumerate(values) if abs(v - best) <= tie]


def ranked(values: Sequence[float], sizes: Sequence[int], names: Sequence[str]) -> list[int]:
    """Places by value, the smallest first; of equal values (but for rounding) the larger size, then
    by name.

    >>> ranked([2.0, 1.0, 1.0, float("inf")], [5, 5, 9, 0], ("a", "b", "c", "d"))
    [2, 1, 0, 3]
    """
    finite = [abs(v) for v in values if v != float("inf")]
    tie = stats.TIE * max(finite, default=0.0)
    places = sorted(range(len(values)), key=lambda i: (values[i], names[i]))
    steps: dict[int, int] = {}
    step = 0
    for before, i in zip([*places[:1], *places], places, strict=False):
        step += values[i] - values[before] > tie
        steps[i] = step
    return sorted(places, key=lambda i: (steps[i], -sizes[i], names[i]))
