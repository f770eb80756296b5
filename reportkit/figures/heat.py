"""Heat maps over several evals: scores, and differences with what is settled marked by shape."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reportkit.analysis.order import best_of
from reportkit.figures.canvas import (
    INK,
    LINE,
    NARROW,
    axes,
    foot_lines,
    sheet,
    tallest,
    unreadable,
    write_foot,
)
from reportkit.figures.grid import (
    KEY,
    NAMES,
    Cell,
    Grid,
    abreast,
    colour_cells,
    colour_key,
    mark_cells,
    shape_key,
    write_cells,
)
from reportkit.figures.heads import HEADS, SPACING, Key, heads_of, key_of, write_heads, write_key
from reportkit.figures.round_numbers import round_tick, round_up
from reportkit.figures.row_names import row_names, write_bands
from reportkit.figures.words import told, what_is_coloured
from reportkit.results import EvalResult, SuiteResult
from reportkit.suites import SuiteDifference
from reportkit.tables.captions import common_of, metrics_of, of_each, sentence
from reportkit.text.figure_width import short_names, text_width
from reportkit.text.numbers import count, counted, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROOMY = 0.2  # inches of a row that holds a number and a shape
# Shares of the blues: the first is told from the white of a model that was not run; on the last,
# dark numbers have a contrast of 4.5:1.
LIGHT = (0.125, 0.65)
NEAR = 2.0  # points from a name to the cells
FULL = 6  # evals, models or comparisons that an alternative text names one by one


# Scores -------------------------------------------------------------------------------------------


def draw_scores(s: SuiteResult, width: float) -> "Canvas | None":
    """Evals by models; the colour is the mean's place on the scale of the eval, a diamond marks
    the models that may be the best.
    """
    cells: dict[Cell, float] = {}
    texts: dict[Cell, str] = {}
    shapes: dict[Cell, str] = {}
    for i, r in enumerate(s.evals):
        units = units_of(r)
        for m in r.means:
            at = (i, s.models.index(m.model))
            if not math.isfinite(m.mean):
                continue
            texts[at] = units.number(m.mean).removesuffix("%")
            if r.scale.bounded:
                low, high = r.scale.ends
                cells[at] = (m.mean - low) / (high - low)
            if m.model in r.best:
                shapes[at] = "D"
    # The colours reach from the lowest to the highest tenth of the scale that holds a score, with
    # a tenth in their middle.
    least = math.floor(10 * min(cells.values(), default=0.0))
    most = max(least + 1, math.ceil(10 * max(cells.values(), default=1.0)))
    if (most - least) % 2:
        least, most = (least - 1, most) if least > 0 else (least, most + 1)
    unknown = [r.eval for r in s.evals if not r.scale.bounded]
    place = "its place from the lowest (0%) to the highest possible score (100%)"
    if width < NARROW:
        place = "place on the eval's scale"
    key = [f"Mean score; colour: {place}"]
    key += [f"no colour: {counted(len(unknown), 'eval')} without a known range"] * bool(unknown)
    key += ["empty: not run"] * _has_gaps(s)
    grid = Grid(
        models=s.models,
        cells=cells,
        shapes=shapes,
        words={"D": "may be the best of its eval"},  # a ring is what is not settled
        colours="Blues",
        ends=(least / 10, most / 10),
        span=LIGHT,
        show=lambda v: f"{100 * v:.0f}%",
        key="; ".join(key),
        caption=lambda: told(title_scores(s), s.fictional),
        rows=[r.eval for r in s.evals],
        texts=texts,
    )
    return _draw(s, grid, width)


def title_scores(s: SuiteResult) -> str:
    models, evals = counted(len(s.models), "model"), counted(len(s.evals), "eval")
    about = sentence(metrics_of(s.evals), of_each(s.evals))
    return f"Mean scores of {models} on {evals}. {about}"


def alt_scores(s: SuiteResult) -> str:
    said = []
    for r in s.evals[:FULL]:
        best = [r.means[i] for i in best_of([m.mean for m in r.means], r.lower)]
        if best:
            names = " and ".join(m.model for m in best)
            who = names if len(best) <= FULL else counted(len(best), "model")
            said.append(f"{r.eval} {who} {units_of(r).number(best[0].mean)}")
    more = f"; and {count(len(s.evals) - FULL)} more evals" if len(s.evals) > FULL else ""
    return f"Heat map of scores, evals by models. Best means: {'; '.join(said)}{more}."


def _has_gaps(s: SuiteResult) -> bool:
    return any(set(s.models) - {m.model for m in r.means if m.n_questions} for r in s.evals)


# Differences --------------------------------------------------------------------------------------


def draw_differences(s: SuiteResult, width: float) -> "Canvas | None":
    """Evals by comparisons; triangles mark those that are settled over the whole family."""
    columns = list(dict.fromkeys((d.model, d.baseline) for d in s.differences))
    places = {r.eval: i for i, r in enumerate(s.counted)}
    of = {r.eval: r for r in s.evals}
    cells: dict[Cell, float] = {}
    texts: dict[Cell, str] = {}
    shapes: dict[Cell, str] = {}
    for d in s.differences:
        r = of[d.eval]
        at = (places[d.eval], columns.index((d.model, d.baseline)))
        if not math.isfinite(d.difference):
            continue
        texts[at] = units_of(r).number(d.difference, sign=True).removesuffix("%")
        shapes[at] = _shape(d, r)
        if r.scale.bounded and shapes[at] != "o":  # what is not settled has no colour
            low, high = r.scale.ends
            cells[at] = _better(d, r) / (high - low)
    top = round_up(100 * max((abs(v) for v in cells.values()), default=1.0)) / 100
    one = {b for _, b in columns} == {s.baseline}
    narrow, alpha = width < NARROW, f"{1.0 - s.level:.4g}"
    tested = "" if narrow else f", adjusted p < {alpha}"  # of a column the line below says it
    # Of percentages the colour is the difference itself, in points.
    share = "" if _in_points(s) else "%"
    grid = Grid(
        models=[a if one else f"{a} − {b}" for a, b in columns],
        cells=cells,
        shapes=shapes,
        words={
            "^": f"better{tested}",
            "v": f"worse{tested}",
            "o": "not settled" if narrow else "no colour: not settled",
        },
        colours="PuOr",
        ends=(-top, top),
        show=lambda v: round_tick(100.0 * v) + share * (v != 0.0),
        key=_differences_key(s, one, narrow),
        caption=lambda: told(title_differences(s), s.fictional),
        rows=[r.eval for r in s.counted],
        texts=texts,
    )
    return _draw(s, grid, width)


def _differences_key(s: SuiteResult, one: bool, narrow: bool) -> str:
    minus = f"Model minus {short_names(s.models)[s.baseline]}" if one else "First minus second"
    lower = "; where lower is better, a better model has a minus" * any(r.lower for r in s.evals)
    units = "in points or units of the eval; colour: share of the scale, worse to better"
    if _in_points(s):
        units = "in percentage points; colour: the same, worse to better"
    tests = f"p adjusted over all {count(s.n_tests)} comparisons"
    if narrow:
        settled = f"settled: p\u00a0<\u00a0{1.0 - s.level:.4g}"
        tests = f"{settled}, adjusted over all {count(s.n_tests)} comparisons"
    return f"{minus}, {units}{lower}; {tests}"


def _in_points(s: SuiteResult) -> bool:
    """Whether every difference is in points."""
    return all(r.scale.percent for r in s.evals)


def _better(d: SuiteDifference, r: EvalResult) -> float:
    return -d.difference if r.lower else d.difference


def _shape(d: SuiteDifference, r: EvalResult) -> str:
    if not d.p_adjusted < 1.0 - d.level:
        return "o"
    return "^" if _better(d, r) > 0.0 else "v"


def title_differences(s: SuiteResult) -> str:
    over = f"from {s.baseline}" if s.baseline else "between models"
    shown = [r for r in s.evals if any(d.eval == r.eval for d in s.differences)]
    drawn = what_is_coloured(s.differences, f"adjusted p\u00a0below\u00a0{1.0 - s.level:.4g}")
    about = sentence(
        f"{drawn} (Holm over {counted(s.n_tests, 'comparison')})",
        metrics_of(shown),
        f"{common_of(s.differences)} in each eval",
    )
    return f"Paired differences {over} on {counted(len(s.counted), 'eval')}. {about}"


def _difference(d: SuiteDifference, r: EvalResult) -> str:
    text = units_of(r).number(d.difference, sign=True)
    return f"{text} points" if r.scale.percent else text


def alt_differences(s: SuiteResult) -> str:
    of = {r.eval: r for r in s.evals}
    settled = [d for d in s.differences if d.p_adjusted < 1.0 - d.level]
    settled.sort(key=lambda d: d.p_value)
    said = [
        f"{d.model} minus {d.baseline} on {d.eval} {_difference(d, of[d.eval])}"
        for d in settled[:FULL]
    ]
    clearest = f" The clearest: {'; '.join(said)}." if said else ""
    return (
        f"Heat map of differences, evals by comparisons: {count(len(settled))} of "
        f"{count(s.n_tests)} are settled.{clearest}"
    )


# Drawing ------------------------------------------------------------------------------------------


def _draw(s: SuiteResult, g: Grid, width: float) -> "Canvas | None":
    if not g.texts:
        return None
    n, m, narrow, used = len(g.models), len(g.rows), width < NARROW, g.used
    foot = foot_lines(g.key.split("; "), _noted(s), width - 0.4)
    bar = 0.34 + LINE * len(foot)
    legend = bar + 0.2 if narrow else bar - 0.05
    lines = math.ceil(len(used) / abreast(used, width))
    bottom = max(bar + 0.25, legend + KEY * lines) + 0.1
    room = 1.2 if narrow else 1.9
    key, above = Key(()), HEADS
    # Once more, where names that no head has room for are listed below the figure.
    for _ in range(2):
        high = (tallest(width, g.caption()) - above - bottom - key.high) / m
        usual = min(0.27, high) if key.lists else 0.27
        pitch, size, names = row_names(g.rows, room, high, usual, most_room=NAMES * width)
        left = 0.16 + max(text_width(line, size) for name in names for line in name.split("\n"))
        wide = (width - left - 0.1) / n
        heads = heads_of(g.models, wide)
        if not heads.numbers:
            break
        key, above = key_of(g.models, width), 0.1 + heads.high
    if unreadable(width, wide):
        return None
    raised = key.high
    bottom += raised
    canvas = sheet(width, 0.1 + heads.high + pitch * m + bottom)
    ax = axes(canvas, left, 0.1, bottom, pitch * m)
    scale = colour_cells(ax, g, wide)
    # Where a row has no room for both, scores are numbers and differences shapes.
    both = pitch >= ROOMY
    numbers = g if both else replace(g, shapes={})
    written = (both or not g.signed) and write_cells(ax, numbers, wide, 0.82 * 72 * pitch)
    marked = both or not written
    if marked:
        mark_cells(ax, g, used, wide, pitch, written)
    ax.set_yticks(range(m), names, fontsize=size, linespacing=SPACING)
    write_bands(ax, names)
    ax.set_ylim(m - 0.5, -0.5)
    ax.tick_params(length=0, pad=NEAR)
    if heads.upright:
        ax.xaxis.tick_top()
        ax.set_xticks(range(n), heads.texts, fontsize=heads.size, rotation=90, linespacing=SPACING)
    else:
        ax.set_xticks([])
        shown = {i: text for i, text in enumerate(heads.texts) if text}
        write_heads(ax, shown, heads.size, NEAR)
    ax.spines[:].set_visible(False)
    evals = s.counted if g.signed else s.evals
    for row in _new_categories(evals):
        ax.axhline(row - 0.5, color=INK, linewidth=0.5)
    if g.cells:
        colour_key(canvas, g, scale, bar + raised)
    if used and marked:
        shape_key(canvas, g, used, legend + raised, bool(g.cells))
    write_foot(canvas, foot, 0.1 + raised, x=0.3)
    write_key(canvas, key, 0.1 - 0.04 * bool(key.lists))
    return canvas


def _new_categories(evals: Sequence[EvalResult]) -> Sequence[int]:
    """The rows that start a category."""
    kinds = [r.category for r in evals]
    return [i for i in range(1, len(kinds)) if kinds[i] != kinds[i - 1]]


def _noted(s: SuiteResult) -> EvalResult:
    """The eval whose data are fictional where those of any are, as the foot says."""
    return next((r for r in s.evals if r.fictional), s.evals[0])
