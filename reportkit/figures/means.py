"""Means with their intervals, as a forest plot of one eval or of several."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.analysis.questioned import shares, usual
from reportkit.figures.forest import forest
from reportkit.figures.words import brackets, ends, estimate, listed, value_of
from reportkit.results import EvalResult, MeanResult
from reportkit.tables.captions import (
    intervals_of,
    metric_of,
    metrics_of,
    of_each,
    questions_of,
    sentence,
)
from reportkit.text.numbers import counted, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def draw(result: EvalResult, width: float) -> "Canvas | None":
    return forest([result], [result.means], width, lambda: title(result))


def title(result: EvalResult) -> str:
    others = ""
    if result.other_questions:
        others = f"not of {usual(result)}: {shares(result.other_questions)}"
    intervals = intervals_of(result.means, result.level)
    about = sentence(intervals, metric_of(result), questions_of(result), others)
    return f"{result.eval}: mean score of each model. {about}"


def alt(result: EvalResult) -> str:
    u = units_of(result)
    known = [m for m in result.means if math.isfinite(m.mean)]
    said = [f"{m.model} {estimate(u, m)}" for m in ends(known, value_of)]
    what = f"Forest plot of the mean score on {result.eval}"
    return f"{what}, {listed(said, len(known), 'model')}.{brackets(known, result.level)}"


# Of several evals ---------------------------------------------------------------------------------


def rows(result: EvalResult) -> Sequence[MeanResult]:
    return result.means


def draw_several(results: Sequence[EvalResult], width: float) -> "Canvas | None":
    return forest(results, [r.means for r in results], width, lambda: title_several(results))


def title_several(results: Sequence[EvalResult]) -> str:
    intervals = intervals_of([m for r in results for m in r.means], results[0].level)
    about = sentence(intervals, metrics_of(results), of_each(results))
    return f"Mean scores on {counted(len(results), 'eval')}. {about}"
