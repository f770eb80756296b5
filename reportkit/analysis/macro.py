"""The average over several evals of each model."""

import math
from collections.abc import Sequence

import numpy as np

from reportkit import stats
from reportkit.analysis.same_questions import INDEPENDENT, Together, together
from reportkit.analysis.shared import shared
from reportkit.errors import ScoresError
from reportkit.results import EvalResult, MeanResult
from reportkit.suites import MacroResult, Shared
from reportkit.text.numbers import bare

OWN = "scores in units of its own"


def macro_results(results: Sequence[EvalResult]) -> tuple[MacroResult, ...]:
    """The macro average of every model, in the order in which models first appear.

    All evals weigh the same: SE = sqrt(sum SE_e^2) / E of E evals (stats.macro_average); evals are
    taken as independent, but for those that `same_questions` finds to ask the same questions: of
    these the errors' correlations count. The interval joins those of the evals, as Donner & Zou
    2012 do for sums: the mean less sqrt(sum (mean_e - low_e)^2) / E, and likewise above; so it
    stays within the scale where theirs do, and an eval whose answers are all right adds what its
    own interval says. An eval whose questions stand in others, such as a group beside its
    subtasks, is left out. ScoresError where the evals have no average.
    """
    results = _of_one_kind(results)
    models = dict.fromkeys(m for r in results for m in r.models)
    same = together(results)
    return tuple(averaged(results, model, same=same) for model in models)


def averaged_evals(
    results: Sequence[EvalResult],
) -> tuple[list[EvalResult], dict[str, Shared]]:
    """The evals of a macro average, and those whose questions stand in them."""
    twice = {} if _named_twice(results) else shared(results)
    return [r for r in results if r.eval not in twice], twice


def _named_twice(results: Sequence[EvalResult]) -> str:
    names = [r.eval for r in results]
    return next((name for name in names if names.count(name) > 1), "")


def _of_one_kind(results: Sequence[EvalResult]) -> list[EvalResult]:
    """The evals that are averaged; ScoresError where they have no average."""
    if len(results) < 2:
        raise ScoresError("a macro average is over several evals; give two or more")
    if twice := _named_twice(results):
        raise ScoresError(
            f"eval {twice!r} is there twice, and two metrics of the same answers are not "
            "independent; a macro average takes each eval once"
        )
    inside, again = averaged_evals(results)
    if len(inside) < 2:
        told = "; ".join(f"of {name}, {s.reason}" for name, s in again.items())
        raise ScoresError(f"a macro average is over several evals that share no questions; {told}")
    names = [r.eval for r in inside]
    kinds = [kind_of(r) for r in inside]
    for of in zip(*kinds, strict=True):
        other = next((i for i, text in enumerate(of) if text != of[0]), 0)
        if other:
            raise ScoresError(
                f"eval {names[0]!r} has {of[0]} and eval {names[other]!r} has {of[other]}, so "
                "their means have no average; choose evals of one kind with eval"
            )
    return inside


def kind_of(r: EvalResult) -> tuple[str, str]:
    """What evals must share to be averaged, in words: the range of scores, and which are better."""
    return _scale(r), f"scores of which {'lower' if r.lower else 'higher'} is better"


def _scale(r: EvalResult) -> str:
    """The range of an eval's scores, as far as it is known."""
    if r.scale.percent:
        return "scores from 0 to 1"
    if r.scale.known:
        return f"scores from {bare(r.scale.low)} to {bare(r.scale.high)}"
    return f"{OWN} ({r.eval})"  # no other eval is known to have them


def averaged(
    results: Sequence[EvalResult],
    model: str,
    weights: Sequence[float] = (),
    same: Together = INDEPENDENT,
) -> MacroResult:
    """The average of one model over evals of one kind; undefined where it has no score of some.

    same: which of the evals ask the same questions.
    """
    having = [r.eval for r in results for m in r.means if m.model == model and m.n_questions]
    means = [m for r in results for m in r.means if m.model == model and m.n_questions]
    shares = [1.0] * len(results) if not weights else list(weights)
    value = se = df = low = high = math.nan
    if len(means) == len(results):
        r = same.correlations(having, model)
        found = stats.macro_average([_estimate(m) for m in means], shares, r)
        value, se, df = found.value, found.se, found.df
        low = value - _joined([m.mean - m.ci_low for m in means], shares, r)
        high = value + _joined([m.ci_high - m.mean for m in means], shares, r)
    return MacroResult(
        model=model,
        mean=value,
        se=se,
        df=df,
        ci_low=low,
        ci_high=high,
        level=results[0].level,
        n_evals=len(means),
        n_all=len(results),
        n_questions=same.n_questions(having, [model], [m.n_questions for m in means]),
    )


def _estimate(m: MeanResult) -> stats.Estimate:
    return stats.Estimate(m.mean, m.se, m.df, m.n_questions, m.n_clusters)


def _joined(
    distances: Sequence[float], weights: Sequence[float], r: np.ndarray | None = None
) -> float:
    """How far an end lies from the average: sqrt(sum w^2 d^2), with weights that sum to 1; of
    correlated means sqrt(sum w_e w_f r_ef d_e d_f) (Zou 2007).
    """
    if r is not None:
        d = np.array(weights) * np.array(distances)
        return math.sqrt(float(d @ r @ d)) / math.fsum(weights)
    parts = (w * d for w, d in zip(weights, distances, strict=True) if w > 0.0)
    return math.sqrt(math.fsum(part * part for part in parts)) / math.fsum(weights)
