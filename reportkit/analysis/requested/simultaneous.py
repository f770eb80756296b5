"""Intervals of differences that hold together: of every pair, or of each model against the named
baseline.
"""

import math

import numpy as np

from reportkit import stats
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import SimultaneousResult
from reportkit.scores.select import EvalScores, is_share


def simultaneous(q: Request) -> tuple[SimultaneousResult, ...]:
    """Of all models with a score, every pair i < j; with a named baseline, each model against it.

    By max-t where it holds: all of these models answered the same questions, each pair differs in
    enough of them for a t interval, and the degrees of freedom are 30 and more, and not fewer than
    models (stats.max_t). Elsewhere Bonferroni's: the interval that the report prints, at level 1 -
    (1 - level) / P, each pair on its own common questions.
    """
    e = q.scores
    columns = np.array(e.scored)
    baseline = None
    if q.decisions.baseline:
        place = np.flatnonzero(columns == e.models.index(q.decisions.baseline))
        if not len(place):
            raise Refused("The baseline has no score, so nothing can be compared with it.")
        baseline = int(place[0])
    count = len(columns)
    family = count * (count - 1) // 2 if baseline is None else count - 1
    if family < 2:
        raise Refused(
            "There are not several comparisons, so an interval of the differences table holds by "
            "itself."
        )
    return of_family(q, columns, baseline)


def of_family(
    q: Request, columns: np.ndarray, baseline: int | None
) -> tuple[SimultaneousResult, ...]:
    """Of every pair i < j of some models, or of each against one of them: by max-t where it holds,
    elsewhere by Bonferroni's intervals.

    columns: of these models, (M,), each with a score; baseline: its place in them.
    """
    e = q.scores
    joint = _max_t(q, columns, baseline)
    if joint is None:
        return _bonferroni(q, columns, baseline)
    n = len(e.questions)
    n_clusters = n if e.clusters is None else len(np.unique(e.clusters))
    return tuple(
        SimultaneousResult(
            model=e.models[columns[joint.first[k]]],
            baseline=e.models[columns[joint.second[k]]],
            difference=float(joint.difference[k]),
            se=float(joint.se[k]),
            ci_low=float(low),
            ci_high=float(high),
            level=joint.level,
            method=joint.method,
            interval="t",
            p_adjusted=float(joint.p_value[k]),
            critical=joint.critical,
            critical_error=joint.critical_error,
            n_comparisons=joint.n_comparisons,
            n_questions=n,
            n_clusters=n_clusters,
        )
        for k, (low, high) in enumerate(zip(*_within(e, joint.low, joint.high), strict=True))
    )


def _within(e: EvalScores, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends cut off where no difference of shares can lie."""
    if not is_share(e.low, e.high):
        return low, high
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def _max_t(q: Request, columns: np.ndarray, baseline: int | None) -> stats.Simultaneous | None:
    """The max-t intervals; None where they do not hold."""
    e, level = q.scores, q.decisions.level
    scores = e.means[:, columns]
    if np.isnan(scores).any():
        return None
    share = is_share(e.low, e.high)
    pairs = stats.all_pairs(scores, e.clusters, binary=False, share=share, level=level)
    chosen = _family(pairs, baseline)
    if (pairs.method[chosen] != "t").any():
        return None
    rng = np.random.default_rng(q.decisions.seed)
    joint = stats.simultaneous_pairs(scores, e.clusters, baseline=baseline, level=level, rng=rng)
    return joint if joint.method == "max-t" else None


def _family(pairs: stats.Pairs, baseline: int | None) -> np.ndarray:
    """The places of the family's pairs among all."""
    if baseline is None:
        return np.arange(len(pairs.first))
    return np.flatnonzero((pairs.first == baseline) | (pairs.second == baseline))


def _bonferroni(
    q: Request, columns: np.ndarray, baseline: int | None
) -> tuple[SimultaneousResult, ...]:
    """The report's own intervals, each at 1 - (1 - level) / P."""
    e, level = q.scores, q.decisions.level
    count = len(columns)
    family = count * (count - 1) // 2 if baseline is None else count - 1
    single = np.array([e.binary and e.epochs[:, column].max() <= 1 for column in columns])
    pairs = stats.all_pairs(
        e.means[:, columns],
        e.clusters,
        binary=single,
        share=is_share(e.low, e.high),
        level=1.0 - (1.0 - level) / family,
    )
    found = []
    for k in map(int, _family(pairs, baseline)):
        a, b, sign = int(pairs.first[k]), int(pairs.second[k]), 1.0
        low, high = float(pairs.low[k]), float(pairs.high[k])
        if a == baseline:
            a, b, sign = b, a, -1.0
            low, high = -high, -low
        interval = str(pairs.method[k])
        found.append(
            SimultaneousResult(
                model=e.models[columns[a]],
                baseline=e.models[columns[b]],
                difference=sign * float(pairs.difference[k]) + 0.0,
                se=float(pairs.se[k]),
                ci_low=low,
                ci_high=high,
                level=level,
                method="none" if interval == "none" else "bonferroni",
                interval=interval,
                p_adjusted=float(np.minimum(1.0, family * pairs.p_value[k])),
                critical=math.nan,
                critical_error=math.nan,
                n_comparisons=family,
                n_questions=int(pairs.n_questions[k]),
                n_clusters=int(pairs.n_clusters[k]),
            )
        )
    return tuple(found)
