"""Forest plots: means, or differences from a baseline, with their intervals, grouped by eval."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    NARROW,
    Rows,
    axes,
    axis_units,
    foot_lines,
    lay_rows,
    sheet,
    write_foot,
    write_rows,
)
from reportkit.figures.captions import baseline_of, estimate, value_of
from reportkit.results import DifferenceResult, EvalResult, MeanResult
from reportkit.text.figure_width import short_name
from reportkit.text.numbers import percent_of, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MOST = 71  # rows of a page
AXIS = 0.44  # inches below the rows of a panel that is not the last: ticks and what they are


def means(results: Sequence[EvalResult], width: float) -> "Canvas | None":
    return _forest(results, [r.means for r in results], width)


def differences(results: Sequence[EvalResult], width: float) -> "Canvas | None":
    """Against one baseline (two models are such a case) intervals fit; every pair needs a matrix."""
    return _forest(results, [r.differences for r in results], width)


def _axis(
    results: Sequence[EvalResult],
    records: Sequence[MeanResult | DifferenceResult],
    narrow: bool,
    headed: bool,
) -> str:
    """The words of one axis, which names its eval where no heading does."""
    units = axis_units(results[0], narrow)[1]
    if isinstance(records[0], DifferenceResult):
        return (
            f"Difference from {short_name(baseline_of(results[0]), 16 if narrow else 40)} ({units})"
        )
    on = "" if headed else f" on {short_name(results[0].eval, 20 if narrow else 40)}"
    return f"Mean score{on}{' (%)' if results[0].scale.percent else ''}"


def _forest(
    results: Sequence[EvalResult],
    records: Sequence[Sequence[MeanResult | DifferenceResult]],
    width: float,
) -> "Canvas | None":
    """A line for each record, top down, with the numbers in words at the right; a heading for each
    of several evals.
    """
    if not any(math.isfinite(value_of(row)) for given in records for row in given):
        return None
    narrow, several = width < NARROW, len(results) > 1
    shown_evals = [(r, given) for r, given in zip(results, records, strict=True) if given]
    results, records = [r for r, _ in shown_evals], [given for _, given in shown_evals]
    lines: list[tuple[EvalResult, MeanResult | DifferenceResult | None]] = []
    for result, given in zip(results, records, strict=True):
        lines += [(result, None)] * several + [(result, row) for row in given]
    texts = [_text(result, row, narrow) for result, row in lines]
    headings = frozenset(i for i, (_, row) in enumerate(lines) if row is None)
    names = [result.eval if row is None else row.model for result, row in lines]
    rows = lay_rows(names, [texts], width, least=1.2 if narrow else 1.8, headings=headings)

    # Evals in percent that follow each other share an axis; scores in units of their own share
    # none.
    panels = [
        [i for i, _ in group]
        for _, group in groupby(
            enumerate(lines), key=lambda x: x[1][0].scale.percent or (x[1][0].eval, x[1][0].metric)
        )
    ]
    known = [row for _, row in lines if row is not None and math.isfinite(value_of(row))]
    notes = [f"{percent_of(results[0].level)} CI"] if any(map(_bounded, known)) else []
    notes += [] if all(map(_bounded, known)) else ["hollow: interval undefined"]
    shown = [_shown(lines, panel) for panel in panels]
    titles = [_axis(evals, rows_here, narrow, several) for evals, rows_here in shown]
    # The first note is of the axis, not after it: "Mean score on MATH (%), 95% CI".
    last = [", ".join([titles[-1], *notes[:1]]), *notes[1:]]
    marked = next((r for r in results if r.fictional), results[0])
    foot = foot_lines(last, marked, width)
    bottom = 0.54 + LINE * (len(foot) - 1)
    canvas = sheet(width, 0.06 + rows.pitch * len(lines) + AXIS * (len(panels) - 1) + bottom)
    top = canvas.get_figheight() - 0.06
    for k, panel in enumerate(panels):
        height = rows.pitch * len(panel)
        ax = axes(canvas, rows.left, rows.right, top - height, height)
        _panel(ax, lines, panel, rows)
        top -= height + AXIS
        if k < len(panels) - 1:
            write_foot(canvas, [titles[k]], top + 0.04)
    write_foot(canvas, foot)
    return canvas


def _text(result: EvalResult, row: MeanResult | DifferenceResult | None, narrow: bool) -> str:
    if row is None:
        return ""
    u = units_of(result)
    return (
        u.number(value_of(row), sign=isinstance(row, DifferenceResult))
        if narrow
        else estimate(u, row)
    )


def _bounded(row: MeanResult | DifferenceResult) -> bool:
    return all(map(math.isfinite, (value_of(row), row.ci_low, row.ci_high)))


def _shown(lines: Sequence[Any], panel: Sequence[int]) -> tuple[list[EvalResult], list[Any]]:
    """The evals of a panel, each once, and its records."""
    return list({id(lines[i][0]): lines[i][0] for i in panel}.values()), [
        lines[i][1] for i in panel if lines[i][1]
    ]


def _panel(ax: Any, lines: Sequence[Any], panel: Sequence[int], rows: Rows) -> None:
    """Intervals, points and the axis of some lines."""
    from matplotlib.ticker import MaxNLocator

    scale = lines[panel[0]][0].scale
    factor = 100.0 if scale.percent else 1.0
    write_rows(ax, rows, panel[0], panel[-1] + 1)
    values = {
        i: tuple(factor * v for v in (value_of(row), row.ci_low, row.ci_high))
        for i in panel
        if (row := lines[i][1]) is not None
    }
    bounded = [i for i, v in values.items() if all(map(math.isfinite, v))]
    hollow = [i for i, v in values.items() if i not in bounded and math.isfinite(v[0])]
    zero = any(isinstance(lines[i][1], DifferenceResult) for i in panel)
    if zero:
        ax.axvline(0, color=INK, linewidth=0.8, zorder=1.5)
    ends = [values[i] for i in bounded]
    ax.hlines(
        bounded,
        [e[1] for e in ends],
        [e[2] for e in ends],
        color=COLOURS[0],
        linewidth=min(1.6, rows.size / 5),
    )
    dot: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": rows.size * 0.55,
        "color": COLOURS[0],
    }
    ax.plot([values[i][0] for i in bounded], bounded, **dot)
    ax.plot([values[i][0] for i in hollow], hollow, markerfacecolor="white", **dot)
    shown = (
        [x for i in bounded for x in values[i]]
        + [values[i][0] for i in hollow]
        + ([0.0] if zero else [])
    )
    low, high = min(shown, default=0.0), max(shown, default=1.0)
    pad = 0.06 * (high - low) or 0.05 * factor * (abs(scale.high - scale.low) or 1)
    ax.set_xlim(low - pad, high + pad)
    ax.xaxis.set_major_locator(
        MaxNLocator(5 if ax.get_position().width * ax.figure.get_figwidth() > 1.6 else 3)
    )
    ax.grid(axis="x", color=GREY, linewidth=0.5)
