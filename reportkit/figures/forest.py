"""How a forest plot is drawn: a line for each record with its interval and its numbers, grouped by
eval.
"""

import math
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    NARROW,
    axes,
    axis_units,
    foot_lines,
    least_axis,
    sheet,
    write_foot,
)
from reportkit.figures.rows import Rows, lay_rows, write_rows
from reportkit.figures.words import estimate, told, value_of
from reportkit.results import DifferenceResult, EvalResult, MeanResult
from reportkit.text.figure_width import isolated, short_names
from reportkit.text.numbers import percent_of, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MOST = 71  # rows of a page
DOT, LEAST_DOT = 4.5, 2.0  # points: what is usual, and the least that can be seen
PART = 0.55  # of a bar, that its dot takes
AXIS = 0.44  # inches below the rows of a panel that is not the last: ticks and what they are

Record = MeanResult | DifferenceResult
Line = tuple[EvalResult, Record | None]  # None: the heading of an eval


def baseline_of(result: EvalResult) -> str:
    return result.differences[0].baseline


def forest(
    results: Sequence[EvalResult],
    records: Sequence[Sequence[Record]],
    width: float,
    title: Callable[[], str],
) -> "Canvas | None":
    """A line for each record, top down, with the numbers in words at the right; a heading for each
    of several evals. title: of its caption. None where no record has a value.
    """
    if not any(math.isfinite(value_of(row)) for given in records for row in given):
        return None
    narrow, several = width < NARROW, len(results) > 1
    lines: list[Line] = []
    for result, given in zip(results, records, strict=True):
        if several and given:
            lines.append((result, None))
        lines += [(result, row) for row in given]
    texts = [_text(result, row, narrow) for result, row in lines]
    headings = frozenset(i for i, (_, row) in enumerate(lines) if row is None)
    names = [result.eval if row is None else row.model for result, row in lines]
    look: dict[str, Any] = {"least": least_axis(width), "headings": headings}
    caption = told(title(), any(r.fictional for r in results))
    rows = lay_rows(names, [texts], width, **look, caption=caption)

    panels = _panels(lines)
    titles = [_axis([lines[i] for i in panel], narrow, several) for panel in panels]
    # The first note is of the axis, not after it: "Mean score on MATH (%), 95% CI".
    notes = _notes(lines)
    last = [", ".join([titles[-1], *notes[:1]]), *notes[1:]]
    marked = next((r for r, _ in lines if r.fictional), lines[0][0])
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


def _panels(lines: Sequence[Line]) -> list[list[int]]:
    """Lines that share an axis: those of evals in percent that follow each other. Scores in units
    of their own share none.
    """

    def axis(line: tuple[int, Line]) -> object:
        result = line[1][0]
        return result.scale.percent or (result.eval, result.metric)

    return [[i for i, _ in group] for _, group in groupby(enumerate(lines), key=axis)]


def _axis(lines: Sequence[Line], narrow: bool, headed: bool) -> str:
    """The words of one axis, which names its eval where no heading does."""
    result = lines[0][0]
    if any(isinstance(row, DifferenceResult) for _, row in lines):
        baseline = isolated(short_names(result.models)[baseline_of(result)])
        return f"Difference from {baseline} ({axis_units(result, narrow)[1]})"
    name = "Mean score"
    if not headed:
        name += f" on {_short(result.eval)}"
    return f"{name} (%)" if result.scale.percent else name


def _short(name: str) -> str:
    return isolated(short_names([name])[name])


def _notes(lines: Sequence[Line]) -> list[str]:
    """What the bars are, and what a point without one is."""
    known = [row for _, row in lines if row is not None and math.isfinite(value_of(row))]
    bounded = sum(map(_bounded, known))
    notes = []
    if bounded:
        chosen = any(isinstance(row, DifferenceResult) and row.ci_comparisons > 1 for row in known)
        allowing = " that allows for the choice of the best" if chosen else ""
        notes.append(f"{percent_of(lines[0][0].level)}\u00a0CI{allowing}")
    if bounded < len(known):
        notes.append("hollow: interval undefined")
    return notes


def _text(result: EvalResult, row: Record | None, narrow: bool) -> str:
    if row is None:
        return ""
    u = units_of(result)
    if narrow:
        return u.number(value_of(row), sign=isinstance(row, DifferenceResult))
    return estimate(u, row)


def _bounded(row: Record) -> bool:
    return all(map(math.isfinite, (value_of(row), row.ci_low, row.ci_high)))


def _panel(ax: Any, lines: Sequence[Line], panel: Sequence[int], rows: Rows) -> None:
    """Intervals, points and the axis of some lines."""
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
    bars = [values[i] for i in bounded]
    shown = [x for bar in bars for x in bar] + [values[i][0] for i in hollow]
    if any(isinstance(lines[i][1], DifferenceResult) for i in panel):
        ax.axvline(0, color=INK, linewidth=0.8, zorder=0.6)
        shown.append(0.0)
    lows, highs = [bar[1] for bar in bars], [bar[2] for bar in bars]
    ax.hlines(bounded, lows, highs, color=COLOURS[0], linewidth=1.6)
    _limits(ax, shown, 0.05 * factor * (abs(scale.high - scale.low) or 1))
    usual = min(DOT, rows.thick * (72 if rows.above else 36))
    dot: dict[str, Any] = {"linestyle": "none", "marker": "o", "color": COLOURS[0]}
    ax.plot([bar[0] for bar in bars], bounded, markersize=min(usual, _within(ax, bars)), **dot)
    ax.plot(
        [values[i][0] for i in hollow], hollow, markerfacecolor="white", markersize=usual, **dot
    )
    ax.grid(axis="x", color=GREY, linewidth=0.5)


def _within(ax: Any, bars: Sequence[tuple[float, ...]]) -> float:
    """Points of a dot that leaves most bars to be seen on both sides of it."""
    low, high = ax.get_xlim()
    points = 72 * ax.get_position().width * ax.figure.get_figwidth() / (high - low)
    lengths = sorted(points * (bar[2] - bar[1]) for bar in bars)
    return max(LEAST_DOT, PART * lengths[len(lengths) // 2]) if lengths else DOT


def _limits(ax: Any, shown: Sequence[float], least: float) -> None:
    """The ends of an axis around what it shows; `least`: the room beside a single point."""
    from matplotlib.ticker import MaxNLocator

    low, high = min(shown, default=0.0), max(shown, default=1.0)
    pad = 0.06 * (high - low) or least
    ax.set_xlim(low - pad, high + pad)
    wide = ax.get_position().width * ax.figure.get_figwidth() > 1.6  # inches
    most, least_ticks = (5, 3) if wide else (3, 2)
    steps = [1, 2, 5, 10]
    ax.xaxis.set_major_locator(MaxNLocator(most, steps=steps, min_n_ticks=least_ticks))
