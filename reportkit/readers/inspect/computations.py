"""What Inspect computes of scores, made again: means, spreads and intervals of reduced answers."""

import math
from collections.abc import Callable

import numpy as np

from reportkit import stats
from reportkit.readers.inspect.reducers import reducer
from reportkit.scores.selfcheck import Computation, Pair, reduced

Statistic = Callable[[np.ndarray, "np.ndarray | None"], Pair]
ANSWERS = "answers"  # in place of a reducer: each answer by itself


def computation(how: str) -> Computation | None:
    """What the self-check computes for a reducer, such as "pass_at_2", or for a statistic of what
    the reducer makes of each question: "std of pass_at_2", "lower 0.95". None where nothing here
    has that name.

    >>> answers = np.array([1.0, 0.0, 0.0, 0.0]), np.array([0, 0, 1, 1]), None
    >>> [round(computation(how)(*answers)[0], 3) for how in ("pass_at_2", "std", "var of max")]
    [0.5, 0.354, 0.5]
    """
    if not how:
        return None
    name, of, reducer_name = how.partition(" of ")
    statistic = _statistic(name)
    if statistic is None and not of:
        statistic, reducer_name = _mean, how
    reduce = reducer(reducer_name or "mean")
    if statistic is None or (reduce is None and reducer_name != ANSWERS):
        return None

    def compute(scores: np.ndarray, questions: np.ndarray, clusters: np.ndarray | None) -> Pair:
        values, labels = scores, clusters
        if reduce is not None:
            values, labels = reduced(scores, questions, clusters, reduce)
        return statistic(values, labels) if len(values) else (math.nan, math.nan)

    return compute


def _statistic(name: str) -> Statistic | None:
    kind, _, rest = name.partition(" ")
    if kind == "macro" and rest in _PLAIN:
        return _macro(_PLAIN[rest])
    if kind in _ENDS:
        return _end(kind, float(rest))
    if name in _PLAIN and name != "mean":
        return lambda values, labels: (_PLAIN[name](values), math.nan)
    return None


def _mean(values: np.ndarray, labels: np.ndarray | None) -> Pair:
    found = stats.mean_estimate(values, labels, se="clt" if labels is None else "cr1")
    return found.value, found.se


def _spread(values: np.ndarray) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


_PLAIN: dict[str, Callable[[np.ndarray], float]] = {
    "mean": lambda values: float(values.mean()),
    "std": _spread,
    "var": lambda values: _spread(values) ** 2,
    "stderr": lambda values: _spread(values) / math.sqrt(len(values)),
}


def _macro(plain: Callable[[np.ndarray], float]) -> Statistic:
    """The mean over groups of a group's statistic. The groups come as the clusters."""

    def compute(values: np.ndarray, labels: np.ndarray | None) -> Pair:
        if labels is None:
            return math.nan, math.nan
        groups = [values[labels == label] for label in np.unique(labels)]
        return float(np.mean([plain(g) for g in groups])), math.nan

    return compute


_ENDS = ("lower", "upper", "wilson-lower", "wilson-upper")


def _end(kind: str, level: float) -> Statistic:
    """An end of ci() or ci_wilson(). With clusters, Wilson's has the effective number of questions
    p (1 - p) / SE^2, at most n, and the quantile of t with one degree less than clusters (Franco et
    al. 2019, as Inspect has it).
    """

    def compute(values: np.ndarray, labels: np.ndarray | None) -> Pair:
        from reportkit.stats.intervals import t_quantile, z_quantile  # needs scipy: 0.2 s

        mean, se = _mean(values, labels)
        n = float(len(values))
        units = n if labels is None else float(len(np.unique(labels)))
        if units < 2 or math.isnan(se):
            return math.nan, math.nan
        t = float(t_quantile(level, units - 1))
        sign = -1.0 if kind.endswith("lower") else 1.0
        if not kind.startswith("wilson"):
            return mean + sign * t * se, math.nan
        z = z_quantile(level) if labels is None else t
        p = float(np.clip(mean, 0.0, 1.0))
        if labels is not None and p * (1.0 - p) > 0.0 and se > 0.0:
            n = min(p * (1.0 - p) / se**2, n)
        half = z * math.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
        end = (p + z * z / (2.0 * n) + sign * half) / (1.0 + z * z / n)
        return float(np.clip(end, 0.0, 1.0)), math.nan

    return compute
