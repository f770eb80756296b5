"""Means with their intervals, as a forest plot of one eval or of several."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.analysis.questioned import shares, usual
from reportkit.figures.forest import forest
from reportkit.figures.words import ends, estimate, listed, value_of
from reportkit.results import EvalResult, MeanResult
from reportkit.text.numbers import counted, percent_of, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def draw(result: EvalResult, width: float) -> "Canvas | None":
    return draw_several([result], width)


def title(result: EvalResult) -> str:
    text = f"Mean score on {result.eval} with {percent_of(result.level)} confidence intervals"
    if result.other_questions:
        text += f"; not of {usual(result)}: {shares(result.other_questions)}"
    return text


def alt(result: EvalResult) -> str:
    u = units_of(result)
    known = [m for m in result.means if math.isfinite(m.mean)]
    said = [f"{m.model} {estimate(u, m)}" for m in ends(known, value_of)]
    return f"Forest plot of the mean score on {result.eval}, {listed(said, len(known), 'model')}."


# Of several evals ---------------------------------------------------------------------------------


def rows(result: EvalResult) -> Sequence[MeanResult]:
    return result.means


def draw_several(results: Sequence[EvalResult], width: float) -> "Canvas | None":
    return forest(results, [r.means for r in results], width)


def title_several(results: Sequence[EvalResult]) -> str:
    evals, level = counted(len(results), "eval"), percent_of(results[0].level)
    return f"Mean scores on {evals} with {level} confidence intervals"
