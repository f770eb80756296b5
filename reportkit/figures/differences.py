"""Differences between models: a forest plot where all are from one baseline, else a matrix with
significance marked by shape.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.figures.canvas import NARROW, axis_units
from reportkit.figures.forest import baseline_of, forest
from reportkit.figures.grid import Cell, Grid, draw_grid
from reportkit.figures.round_numbers import round_tick, round_up
from reportkit.figures.words import (
    alpha_of,
    brackets,
    ends,
    estimate,
    listed,
    told,
    value_of,
    what_is_coloured,
)
from reportkit.results import DifferenceResult, EvalResult
from reportkit.tables.captions import (
    common_in_clusters,
    common_of,
    intervals_of,
    metric_of,
    metrics_of,
    sentence,
)
from reportkit.text.numbers import count, counted, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def draw(result: EvalResult, width: float) -> "Canvas | None":
    """Against one baseline intervals fit; every pair needs a matrix."""
    if _against_one(result):
        return forest([result], [result.differences], width, lambda: title(result))
    return _matrix(result, width)


def title(result: EvalResult) -> str:
    points = ", in percentage points" if result.scale.percent else ""
    if _against_one(result):
        shown: Sequence[DifferenceResult] = result.differences
        what = f"paired differences from {baseline_of(result)}{points}"
        drawn = intervals_of(shown, result.level)
    else:
        shown = _pairs(result)
        order = f", the {result.top} mean first" if result.leader else ""
        what = f"paired differences between every two models{order}{points}"
        tests = sum(d.p_value == d.p_value for d in shown)
        drawn = what_is_coloured(shown, f"adjusted p\u00a0below\u00a0{alpha_of(result)}")
        if tests > 1:
            drawn += f" (Holm over {counted(tests, 'pair')}{_other_family(result, tests)})"
    about = sentence(drawn, metric_of(result), common_in_clusters(result, shown))
    return f"{result.eval}: {what}. {about}"


def _other_family(result: EvalResult, tests: int) -> str:
    """That a table of fewer comparisons adjusts for these alone: a pair may be settled there."""
    own = sum(d.p_value == d.p_value for d in result.differences)
    return f"; the table of differences adjusts for {count(own)}" * (1 < own < tests)


def alt(result: EvalResult) -> str:
    return alt_forest(result) if _against_one(result) else _told("Matrix", _pairs(result), result)


def alt_forest(result: EvalResult) -> str:
    return _told("Forest plot", result.differences, result)


def _told(kind: str, shown: Sequence[DifferenceResult], result: EvalResult) -> str:
    """The alternative text of a figure with these differences."""
    u = units_of(result)
    known = [d for d in shown if math.isfinite(d.difference)]
    clear = sum(d.p_adjusted < 1.0 - result.level for d in known)
    points = " in percentage points" * u.percent
    said = [f"{d.model} minus {d.baseline} {estimate(u, d)}" for d in ends(known, value_of)]
    return (
        f"{kind} of differences on {result.eval}{points}, "
        f"{listed(said, len(known), 'comparison')}; "
        f"{count(clear)} of {count(len(known))} {'has' if clear == 1 else 'have'} an adjusted p "
        f"below {alpha_of(result)}.{brackets(known, result.level)}"
    )


def _against_one(result: EvalResult) -> bool:
    """All differences are from one baseline that was named; two models are such a case."""
    return not result.leader and len({d.baseline for d in result.differences}) == 1


# Of several evals ---------------------------------------------------------------------------------


def rows(result: EvalResult) -> Sequence[DifferenceResult]:
    return result.differences


def draw_several(results: Sequence[EvalResult], width: float) -> "Canvas | None":
    return forest(results, [r.differences for r in results], width, lambda: title_several(results))


def title_several(results: Sequence[EvalResult]) -> str:
    every = [d for r in results for d in r.differences]
    common = f"{common_of(every)} in each eval"
    about = sentence(intervals_of(every, results[0].level), metrics_of(results), common)
    evals, baseline = counted(len(results), "eval"), baseline_of(results[0])
    return f"Paired differences from {baseline} on {evals}. {about}"


# The matrix ---------------------------------------------------------------------------------------


def _matrix(result: EvalResult, width: float) -> "Canvas | None":
    """Each pair once, with the sign that the table of differences gives it: model minus best where
    the best was chosen, so that the best stands in the first column, else the earlier of two models
    minus the later.
    """
    models, sign = (_best_first(result), 1.0) if result.leader else (result.models, -1.0)
    row = "row" if result.leader else "column"
    place = {model: i for i, model in enumerate(models)}
    u, narrow = units_of(result), width < NARROW
    factor, unit = axis_units(result, narrow)
    cells: dict[Cell, float] = {}
    texts: dict[Cell, str] = {}
    shapes: dict[Cell, str] = {}
    for d in _pairs(result):
        low, high = sorted((place[d.model], place[d.baseline]))
        value = sign * (d.difference if place[d.model] == high else -d.difference)
        clear = d.p_adjusted < 1.0 - result.level  # an undefined p is unclear too
        shapes[high, low] = _shape(value, clear)
        # What is not settled has no colour, however large it is.
        if clear or math.isnan(value):
            cells[high, low] = value
        if not math.isnan(value):
            texts[high, low] = u.number(value, sign=True).removesuffix("%")
    top = max((abs(v) for v in cells.values() if math.isfinite(v)), default=1.0)
    top = round_up(factor * top) / factor
    alpha = alpha_of(result)
    tested = "" if narrow else f", adjusted p < {alpha}"  # of a column the line below says it
    untested = any(math.isnan(d.p_adjusted) for d in _pairs(result))
    unclear = f"no colour: adjusted p ≥ {alpha}{' or undefined' * untested}"
    grid = Grid(
        models=models,
        cells=cells,
        texts=texts,
        shapes=shapes,
        words={
            "^": f"{row} higher{tested}",
            "v": f"{row} lower{tested}",
            "o": "not settled" if narrow else unclear,
            "_": "undefined" if narrow else "undefined difference",
        },
        colours="PuOr",
        ends=(-top, top),
        tick=lambda v: round_tick(factor * v),
        # The units stand here, as the cells have no room for them.
        key=_key(result, narrow, unit),
        show=lambda v: u.number(v, sign=True).removesuffix("%"),
        caption=lambda: told(title(result), result.fictional),
    )
    return draw_grid(result, grid, width)


def _pairs(result: EvalResult) -> Sequence[DifferenceResult]:
    """Every pair; the report's own comparisons are that where no best model was chosen."""
    return result.pairs if result.leader else result.differences


def _best_first(result: EvalResult) -> list[str]:
    """The models from the best mean down, those without a score last; where the user named them,
    the best and then the others in the user's order.
    """
    if result.named:
        return list(dict.fromkeys([result.leader, *result.models]))
    known = [m for m in result.means if math.isfinite(m.mean)]
    known.sort(key=lambda m: m.mean if result.lower else -m.mean)
    first = list(dict.fromkeys([result.leader, *(m.model for m in known)]))
    return [*first, *(model for model in result.models if model not in first)]


def _key(result: EvalResult, narrow: bool, unit: str) -> str:
    """What the numbers are, and over which comparisons p is adjusted, where those of the table are
    others.
    """
    parts = [f"{'Row minus column' if result.leader else 'Column minus row'} ({unit})"]
    tests = sum(d.p_value == d.p_value for d in _pairs(result))
    if narrow:
        over = f" ({count(tests)} pairs)" if tests > 1 else ""
        settled = f"adjusted p\u00a0<\u00a0{alpha_of(result)}"
        parts.append(f"{what_is_coloured(_pairs(result), settled)}{over}")
    elif result.leader:
        parts.append(f"p adjusted over all {count(tests)} pairs")
    return "; ".join(parts)


def _shape(difference: float, clear: bool) -> str:
    if math.isnan(difference):
        return "_"
    if not clear:
        return "o"
    return "^" if difference > 0 else "v"
