"""Bars for each model: what its variance is made of, and the ranks that it may have."""

import math
from typing import TYPE_CHECKING, Any

from reportkit.analysis.answer_noise import answer_noise
from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    NARROW,
    axes,
    foot_lines,
    lay_rows,
    sheet,
    write_foot,
    write_rows,
)
from reportkit.figures.captions import ranked, ranks_of
from reportkit.results import EvalResult
from reportkit.text.numbers import percent_of, share_of, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BETWEEN: dict[str, Any] = {"facecolor": COLOURS[0], "edgecolor": COLOURS[0], "linewidth": 0.5}
WITHIN: dict[str, Any] = {
    "facecolor": "#fdf0d5",
    "edgecolor": "#a05a00",
    "linewidth": 0.5,
    "hatch": "//////",
}


def variance(result: EvalResult, width: float) -> "Canvas | None":
    """Shares of the squared SE, and the SE with more answers: the numbers of the table of
    variances.
    """
    noise = [answer_noise(m) for m in result.means]
    known = [i for i, a in enumerate(noise) if math.isfinite(a.share)]
    if not known:
        return None
    from matplotlib.patches import Patch

    narrow, u = width < NARROW, units_of(result)
    heads = ["now", "2×", "∞"] if narrow else ["Within", "SE now", "2× answers", "unlimited"]
    columns = [[share_of(a.share) for a in noise]] if not narrow else []
    columns += [
        [u.error(se) for se in kind]
        for kind in zip(*((a.now, a.doubled, a.unlimited) for a in noise), strict=True)
    ]
    names = [m.model for m in result.means]
    texts = [[head, *column] for head, column in zip(heads, columns, strict=True)]
    rows = lay_rows(["", *names], texts, width, least=0.85 if narrow else 1.8)
    parts = ["Share of the squared SE"]
    parts += ["right: SE with answers as now, 2×, unlimited"] if narrow else []
    foot = foot_lines(parts, result, width)
    height, bottom = rows.pitch * len(rows.labels), 0.72 + LINE * (len(foot) - 1)
    canvas = sheet(width, 0.06 + height + bottom)
    ax = axes(canvas, rows.left, rows.right, bottom, height)
    write_rows(ax, rows, 0, len(rows.labels))
    at, share = [i + 1 for i in known], [min(max(noise[i].share, 0.0), 1.0) for i in known]
    ax.barh(at, [1.0 - s for s in share], 0.66, label="between", **BETWEEN)
    ax.barh(at, share, 0.66, [1.0 - s for s in share], label="within", **WITHIN)
    ax.set_xlim(0, 1)
    ticks = (0, 1) if narrow else (0, 0.25, 0.5, 0.75, 1)
    ax.set_xticks(ticks, [percent_of(t) for t in ticks])
    handles = [
        Patch(label="between questions", **BETWEEN),
        Patch(label="within (answer noise)", **WITHIN),
    ]
    look: dict[str, Any] = {
        "ncols": 2,
        "handlelength": 1.6,
        "columnspacing": 1.2,
        "borderaxespad": 0,
    }
    y = (0.22 + LINE * (len(foot) - 1) + 0.03) / canvas.get_figheight()
    canvas.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, y), **look)
    write_foot(canvas, foot)
    return canvas


def ranks(result: EvalResult, width: float) -> "Canvas | None":
    """The interval of ranks of each model, in the order of the estimates."""
    records = ranked(result)
    if len(records) < 2 or not any(math.isfinite(r.low) for r in records):
        return None
    from matplotlib.ticker import MaxNLocator

    narrow = width < NARROW
    rows = lay_rows(
        [r.model for r in records],
        [[ranks_of(r) for r in records]],
        width,
        least=1.2 if narrow else 1.8,
    )
    foot = foot_lines(
        [
            f"Rank (1: {result.top} score)",
            f"bars: simultaneous {percent_of(records[0].level)} confidence sets",
        ],
        result,
        width,
    )
    height, bottom = rows.pitch * len(records), 0.54 + LINE * (len(foot) - 1)
    canvas = sheet(width, 0.06 + height + bottom)
    ax = axes(canvas, rows.left, rows.right, bottom, height)
    write_rows(ax, rows, 0, len(records))
    known = [(i, r) for i, r in enumerate(records) if math.isfinite(r.low)]
    at = [i for i, _ in known]
    # A set of one rank is a bar too: the caps of the line make it a square behind its point.
    thick = min(6.0, rows.pitch * 72 * 0.5)
    ax.hlines(
        at, [r.low for _, r in known], [r.high for _, r in known], color="#a6cbe3", linewidth=thick,
        capstyle="projecting",
    )  # fmt: skip
    points = [(r.rank, i) for i, r in known if math.isfinite(r.rank)]
    ax.plot(
        [x for x, _ in points],
        [y for _, y in points],
        "o",
        color=COLOURS[0],
        markersize=min(4.5, thick * 0.8),
        markeredgecolor="white",
        markeredgewidth=0.4,
    )
    last = max(r.high for _, r in known)
    ax.set_xlim(0.4, last + 0.6)
    ax.xaxis.set_major_locator(MaxNLocator(5 if narrow else 10, integer=True, min_n_ticks=1))
    if last <= (6 if narrow else 15):
        ax.set_xticks(range(1, int(last) + 1))
    ax.grid(axis="x", color=GREY, linewidth=0.5)
    ax.tick_params("x", color=INK)
    write_foot(canvas, foot)
    return canvas
