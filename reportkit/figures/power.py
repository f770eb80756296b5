"""Power curves: the difference that so many questions detect by the report's own test, with this
eval's own number of questions marked.
"""

import math
from typing import TYPE_CHECKING, Any

from reportkit.analysis.detectable import detectable_with
from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    MARKERS,
    NARROW,
    axes,
    axis_units,
    foot_lines,
    sheet,
    write_foot,
)
from reportkit.results import EvalResult, PowerResult
from reportkit.text.figure_width import fit_names
from reportkit.text.numbers import count, percent_of, units_of

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure as Canvas

DASHED: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2))}
HEIGHT = 2.5  # inches, of the axes
PAIRS = 6  # curves that can still be told apart


def draw(result: EvalResult, width: float) -> "Canvas | None":
    """The smallest detectable difference from an eighth of the questions to eight times as many, in
    as many times the clusters.
    """
    pairs, note = _drawn_pairs(result)
    if not pairs:
        return None
    import numpy as np
    from matplotlib.lines import Line2D

    narrow = width < NARROW
    factor, unit = axis_units(result)
    steps = np.geomspace(1 / 8, 8, 65)
    dashed = [_curve(p, result, steps, answers=4.0) for p in pairs]
    repeated = any(np.isfinite(y).any() for y in dashed)
    foot = foot_lines(["Number of questions (log scale)"], result, width)
    keys = 0.175 * (len(pairs) + repeated + bool(note))
    bottom = 0.42 + LINE * len(foot) + keys
    canvas = sheet(width, 0.1 + HEIGHT + bottom)
    ax = axes(canvas, 0.62, 0.3 if not narrow else 0.2, bottom, HEIGHT)
    names = [name for p in pairs for name in (p.model, p.baseline)]
    names = fit_names(names, room=1.05 if narrow else 2.0, size=7.5, number=False)
    legend = []
    for k, (p, more) in enumerate(zip(pairs, dashed, strict=True)):
        x, y = p.n_questions * steps, factor * _curve(p, result, steps)
        label = f"{names[2 * k]} vs {names[2 * k + 1]}"
        here = {
            "marker": MARKERS[k],
            "markevery": [32],
            "markersize": 6,
            "markeredgecolor": "white",
        }
        legend += ax.plot(x, y, color=COLOURS[k], linewidth=1.4, label=label, **here)
        if np.isfinite(more).any():
            ax.plot(x, factor * more, color=COLOURS[k], **DASHED)
    if repeated:
        times = "4×" if narrow else "four times"
        words = f"dashed: {times} the answers per question"
        legend.append(Line2D([], [], color=INK, label=words, **DASHED))
    if note:
        legend.append(Line2D([], [], linestyle="none", label=f"shown: {note}"))

    ax.set_xscale("log")
    low, high = min(p.n_questions for p in pairs) / 8, max(p.n_questions for p in pairs) * 8
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(_ticks(high / low, narrow))
    ax.xaxis.set_major_formatter(lambda x, _: count(x))
    ax.minorticks_off()
    ax.grid(color=GREY, linewidth=0.5)
    ax.spines[["right", "top"]].set_visible(False)
    ax.set_ylabel(f"Detectable difference ({unit})")
    _guides(ax, result)
    write_foot(canvas, foot, keys + 0.12)
    at = ((0.1 if narrow else 0.45) / width, 0)
    canvas.legend(handles=legend, loc="lower left", bbox_to_anchor=at, handlelength=3.5)
    return canvas


def title(result: EvalResult) -> str:
    first = _drawn_pairs(result)[0][0]
    return (
        f"Smallest detectable difference on {result.eval} by number of questions "
        f"(α = {first.alpha:.4g}, power {percent_of(first.power)})"
    )


def alt(result: EvalResult) -> str:
    u = units_of(result)
    pairs, note = _drawn_pairs(result)
    said = [f"{p.model} and {p.baseline} {u.error(p.mde)} at {count(p.n_questions)}" for p in pairs]
    return (
        "Curves of the detectable difference, falling with the number of "
        f"questions{note and f', for {note}'}: {'; '.join(said)} questions."
    )


def _drawn_pairs(result: EvalResult) -> tuple[list[PowerResult], str]:
    """The pairs whose power is drawn, and what to say if these are not all."""
    known = [p for p in result.power if math.isfinite(p.mde) and p.mde > 0 and p.n_questions > 0]
    shown = known[:PAIRS]
    if len(shown) == len(result.power):
        return shown, ""
    note = f"{len(shown)} of {count(len(result.power))} pairs"
    if len(shown) < len(known):
        note = f"the first {note}"
    return shown, note


def _ticks(span: float, narrow: bool) -> Any:
    """Where the axis of questions has ticks, which spans so many times its least number."""
    from matplotlib.ticker import LogLocator

    if span >= (200 if narrow else 2000):
        most = {"numticks": 4} if narrow and span > 1e4 else {}
        return LogLocator(subs=(1,), **most)
    return LogLocator(subs=(1, 3) if narrow else (1, 2, 5))


def _guides(ax: Any, result: EvalResult) -> None:
    """From the mark on each curve a thin line to both axes, and what it says in words where no
    curve runs: top right.
    """
    from matplotlib.lines import Line2D

    pairs, _ = _drawn_pairs(result)
    u, (factor, _) = units_of(result), axis_units(result)
    low, handles = ax.get_xlim()[0], []
    for k, p in enumerate(pairs):
        y = factor * p.mde
        thin: dict[str, Any] = {"linewidth": 0.7, "linestyle": ":", "zorder": 1.5}
        ax.plot(
            [low, p.n_questions, p.n_questions], [y, y, 0], color=COLOURS[k], label="guide", **thin
        )
        look: dict[str, Any] = {
            "marker": MARKERS[k],
            "markersize": 5,
            "color": COLOURS[k],
            "markeredgecolor": "white",
        }
        text = f"n = {count(p.n_questions)} → {u.error(p.mde)}"
        handles.append(Line2D([], [], linestyle="none", label=text, **look))
    box: dict[str, Any] = {
        "frameon": True,
        "framealpha": 1,
        "edgecolor": "none",
        "borderaxespad": 0,
        "borderpad": 0.2,
    }
    ax.legend(handles=handles, loc="upper right", handlelength=1, labelspacing=0.25, **box)


def _curve(
    p: PowerResult, result: EvalResult, steps: "np.ndarray", answers: float = 1.0
) -> "np.ndarray":
    """The smallest detectable difference at so many times the questions; nan where there is none,
    and everywhere where more answers are asked for but would change nothing.
    """
    import numpy as np

    noise = p.sigma2_model + p.sigma2_baseline
    if answers != 1.0 and not noise > 0:
        return np.full(len(steps), math.nan)
    found = detectable_with([p] * len(steps), result.scale, questions=steps, answers=answers)
    if answers == 1.0:
        found[len(steps) // 2] = p.mde  # the mark is the cell of the table
    return found
