"""The average over several evals of each model."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit import stats
from reportkit.errors import ScoresError
from reportkit.record import Record
from reportkit.results import EvalResult, MeanResult
from reportkit.text.numbers import bare


@dataclass(frozen=True, slots=True)
class MacroResult(Record):
    """Average of one model's means over several evals, every eval with the same weight."""

    model: str
    mean: float  # nan where the model has no score of some eval
    se: float
    df: float  # Welch-Satterthwaite
    ci_low: float
    ci_high: float
    level: float
    n_evals: int  # with a score of the model
    n_all: int  # evals
    n_questions: int  # of all of these


def macro_results(results: Sequence[EvalResult]) -> tuple[MacroResult, ...]:
    """The macro average of every model, in the order in which models first appear.

    SE = sqrt(sum SE_e^2) / E of E evals (stats.macro_average), whose questions are taken as
    independent. The interval joins those of the evals, as Donner & Zou 2012 do for sums: the mean
    less sqrt(sum (mean_e - low_e)^2) / E, and likewise above; so it stays within the scale where
    theirs do, and an eval whose answers are all right adds what its own interval says. ScoresError
    where the evals have no average.
    """
    _check(results)
    models = dict.fromkeys(m for r in results for m in r.models)
    return tuple(_of_model(results, model) for model in models)


def _check(results: Sequence[EvalResult]) -> None:
    if len(results) < 2:
        raise ScoresError("a macro average is over several evals; give two or more")
    names = [r.eval for r in results]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ScoresError(
            f"eval {twice!r} is there twice, and two metrics of the same answers are not "
            "independent; a macro average takes each eval once"
        )
    for say in (_scale, _better):
        of = [say(r) for r in results]
        other = next((i for i, text in enumerate(of) if text != of[0]), 0)
        if other:
            raise ScoresError(
                f"eval {names[0]!r} has {of[0]} and eval {names[other]!r} has {of[other]}, so "
                "their means have no average; choose evals of one kind with eval"
            )


def _scale(r: EvalResult) -> str:
    """The range of an eval's scores, as far as it is known."""
    if r.scale.percent:
        return "scores from 0 to 1"
    if r.scale.known:
        return f"scores from {bare(r.scale.low)} to {bare(r.scale.high)}"
    return "scores in units of its own"


def _better(r: EvalResult) -> str:
    return f"scores of which {'lower' if r.lower else 'higher'} is better"


def _of_model(results: Sequence[EvalResult], model: str) -> MacroResult:
    means = [m for r in results for m in r.means if m.model == model and m.n_questions]
    value = se = df = low = high = math.nan
    if len(means) == len(results):
        found = stats.macro_average([_estimate(m) for m in means])
        value, se, df = found.value, found.se, found.df
        low = value - _joined([m.mean - m.ci_low for m in means])
        high = value + _joined([m.ci_high - m.mean for m in means])
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
        n_questions=sum(m.n_questions for m in means),
    )


def _estimate(m: MeanResult) -> stats.Estimate:
    return stats.Estimate(m.mean, m.se, m.df, m.n_questions, m.n_clusters)


def _joined(distances: Sequence[float]) -> float:
    """How far an end lies from the average of E means: the root of the summed squares, over E."""
    return math.sqrt(math.fsum(d * d for d in distances)) / len(distances)
