"""Power curves: the difference that so many questions detect by the report's own test, with this
eval's own number of questions marked.
"""

import functools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reportkit.analysis.detectable import detectable_with
from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    MARK,
    MARKERS,
    NARROW,
    axes,
    axis_units,
    foot_lines,
    sheet,
    write_foot,
)
from reportkit.results import EvalResult, PowerResult, Scale
from reportkit.stats.evidence import dense_from
from reportkit.tables.captions import compared_of, metric_of, sentence
from reportkit.text.figure_width import isolated, short_names, wrapped
from reportkit.text.numbers import Units, count, percent_of, units_of

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure as Canvas

DASHED: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2))}
HEIGHT = 2.5  # inches, of the axes
STEPS = 65  # points of a curve; the one in the middle is the eval's own
# Questions that the axis begins at, or with half of the eval's: with fewer, few clusters and few
# questions that tell the models apart ask for almost all of the scale.
FEWEST = 30.0
KEYS = 7.5  # points, of the legend's type
STEP = 0.99  # of what a curve falls by from one point to the next, where more of it can be seen
BEND = 0.02  # by so much less of it a curve falls from one point to the next, behind a bend
SCORE = "tango-effective"  # method of the test whose place t takes
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
    steps = _steps()
    dashed = [_curve(p, result.scale, answers=4.0) for p in pairs]
    repeated = any(np.isfinite(y).any() for y in dashed)
    against = _against(result, pairs)
    told = ["Number of questions (log scale)", *[f"each model against {against}"] * bool(against)]
    sizes = {p.n_questions for p in pairs}
    if len(sizes) == 1 < len(pairs):  # said once, not of each curve
        told.append(f"marks: n\u00a0=\u00a0{count(*sizes)}")
    foot = foot_lines(told, result, width)
    labels = _labels(result, pairs, against)
    if repeated:
        labels.append(f"dashed: {'4×' if narrow else 'four times'} the answers per question")
    labels += [f"shown: {note}"] * bool(note)
    indent = 0.1 if narrow else 0.45
    labels = ["\n".join(wrapped([x], width - indent - 0.55, KEYS)) for x in labels]
    keys = sum(0.04 + 0.122 * (1 + x.count("\n")) for x in labels)
    bottom = 0.42 + LINE * len(foot) + keys
    canvas = sheet(width, 0.1 + HEIGHT + bottom)
    ax = axes(canvas, 0.62, 0.3 if not narrow else 0.2, bottom, HEIGHT)
    handles, curves = [], []
    for k, (p, more) in enumerate(zip(pairs, dashed, strict=True)):
        x, y = p.n_questions * steps, factor * _curve(p, result.scale)
        here = {"marker": MARKERS[k], "markevery": [STEPS // 2]} | MARK
        handles += ax.plot(x, y, color=COLOURS[k], linewidth=1.4, **here)
        curves.append((x, y))
        if np.isfinite(more).any():
            ax.plot(x, factor * more, color=COLOURS[k], **DASHED)
    if repeated:
        handles.append(Line2D([], [], color=INK, **DASHED))
    handles += [Line2D([], [], linestyle="none")] * bool(note)

    _limits(ax, result, curves, narrow)
    ax.grid(color=GREY, linewidth=0.5)
    ax.spines[["right", "top"]].set_visible(False)
    ax.set_ylabel(f"Detectable difference ({unit})")
    _guides(ax, result)
    write_foot(canvas, foot, keys + 0.12)
    look: dict[str, Any] = {"handlelength": 2.6, "labelspacing": 0.35, "borderaxespad": 0.3}
    at = (indent / width, 0)
    canvas.legend(handles, labels, loc="lower left", bbox_to_anchor=at, fontsize=KEYS, **look)
    return canvas


def _against(result: EvalResult, pairs: Sequence[PowerResult]) -> str:
    """The short name of the one baseline of several pairs; empty where there are several."""
    baselines = {p.baseline for p in pairs}
    if len(pairs) < 2 or len(baselines) > 1:
        return ""
    [baseline] = baselines
    return isolated(short_names(result.models)[baseline])


def _labels(result: EvalResult, pairs: Sequence[PowerResult], against: str) -> list[str]:
    """What the legend says of each curve: whose it is, and where its mark stands."""
    u, short = units_of(result), short_names(result.models)
    labels = []
    several = len(pairs) == 1 or len({p.n_questions for p in pairs}) > 1
    for p in pairs:
        name = isolated(short[p.model])
        if not against:
            name += f" vs {isolated(short[p.baseline])}"
        at = f" at n\u00a0=\u00a0{count(p.n_questions)}" if several else ""
        said = _said(u, p.mde).replace(" ", "\u00a0")
        labels.append(f"{name}: {said}{at}")
    return labels


def _said(u: Units, mde: float) -> str:
    """A detectable difference with the units of the axis."""
    return u.of_differences.error(mde) + " points" * u.percent


def _limits(ax: Any, result: EvalResult, curves: "Sequence[tuple[Any, Any]]", narrow: bool) -> None:
    """Axes from the fewest questions with a detectable difference, but no fewer than FEWEST, and
    from 0 to the largest of them that the scale has.
    """
    import numpy as np
    from matplotlib.ticker import MaxNLocator

    known = [(x[np.isfinite(y)], y[np.isfinite(y)]) for x, y in curves]
    own = min(x[len(x) // 2] for x, _ in curves)
    low = max(2.0, min(x.min() for x, _ in known), min(FEWEST, own / 2.0))
    high = max(x.max() for x, _ in known)
    top = max(y[x >= low].max(initial=0.0) for x, y in known)
    if result.scale.bounded:
        ends = result.scale.ends
        top = min(top, (ends[1] - ends[0]) * axis_units(result)[0])
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(0, 1.03 * top)
    ax.yaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    ax.xaxis.set_major_locator(_ticks(high / low, narrow))
    ax.xaxis.set_major_formatter(lambda x, _: count(x))
    ax.minorticks_off()


def title(result: EvalResult) -> str:
    pairs = _drawn_pairs(result)[0]
    first = pairs[0]
    alpha = f"α\u00a0=\u00a0{first.alpha:.4g}"
    test = f"paired two-sided tests at {alpha}, power {percent_of(first.power)}"
    marks = f"marks: this eval's {compared_of(result, pairs)}"
    reach = "each curve from an eighth of its questions to eight times as many"
    reach *= len({p.n_questions for p in pairs}) > 1
    about = sentence(
        test, metric_of(result), marks, reach, _step(result, pairs), _bend(result, pairs)
    )
    what = "smallest detectable difference by number of questions"
    return f"{result.eval}: {what}. {about}"


def _step(result: EvalResult, pairs: Sequence[PowerResult]) -> str:
    """Why a curve falls at once where t takes the place of another test, and at which number on the
    axis; empty where none does.
    """
    import numpy as np

    places = set()
    for p in pairs:
        if p.method != SCORE:
            continue
        y, clusters = _curve(p, result.scale), p.n_clusters or p.n_questions
        most = dense_from(p.shown, clusters, p.n_questions)
        k = int(np.searchsorted(clusters * _steps(), most))
        if 1 < k < STEPS and y[k] / y[k - 1] < STEP * y[k - 1] / y[k - 2]:
            places.add((math.ceil(most), p.n_questions / clusters))
    if not places:
        return ""
    return step_text(*places.pop()) if len(places) == 1 else f"steps: {ANOTHER_TEST}"


ANOTHER_TEST = "the printed test is another from there on"


def step_text(clusters: int, size: float) -> str:
    """That a curve steps at so many clusters of a size, in questions as the axis counts.

    >>> step_text(147, 1.0)
    'a step at 147 questions: the printed test is another from there on'
    """
    where = f"{count(round(clusters * size))} questions"
    if size != 1.0:
        where += f" ({count(clusters)} clusters)"
    return f"a step at {where}: {ANOTHER_TEST}"


def _bend(result: EvalResult, pairs: Sequence[PowerResult]) -> str:
    """Why curves of few clusters fall less at once: their standard error, which is hardly known,
    asks for no more than the questions alone. Empty where none does in sight.
    """
    import numpy as np

    for p in pairs:
        if p.method != SCORE or not p.n_clusters < p.n_questions:
            continue
        y = _curve(p, result.scale)[p.n_questions * _steps() >= FEWEST]
        less = np.diff(y[1:] / y[:-1])
        before, here, behind = less[:-2], less[1:-1], less[2:]  # a step falls more before
        if ((before > -BEND) & (here > BEND) & (behind < BEND / 2.0)).any():
            return "left of a bend the few clusters decide, right of it the questions"
    return ""


def alt(result: EvalResult) -> str:
    u = units_of(result)
    pairs, note = _drawn_pairs(result)
    said = [
        f"{p.model} and {p.baseline} {_said(u, p.mde)} at {count(p.n_questions)}" for p in pairs
    ]
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
    """From the mark on each curve a thin line to both axes."""
    pairs, _ = _drawn_pairs(result)
    factor, _ = axis_units(result)
    low = ax.get_xlim()[0]
    for k, p in enumerate(pairs):
        y = factor * p.mde
        thin: dict[str, Any] = {"linewidth": 0.7, "linestyle": ":", "zorder": 1.5}
        ax.plot(
            [low, p.n_questions, p.n_questions], [y, y, 0], color=COLOURS[k], label="guide", **thin
        )


def _steps() -> "np.ndarray":
    """Of how many times the questions each curve tells."""
    import numpy as np

    return np.geomspace(1 / 8, 8, STEPS)


@functools.lru_cache(maxsize=4 * PAIRS)  # a figure is drawn at two widths
def _curve(p: PowerResult, scale: Scale, answers: float = 1.0) -> "np.ndarray":
    """The smallest detectable difference at each step; nan where there is none, and everywhere
    where more answers are asked for but would change nothing.
    """
    import numpy as np

    steps = _steps()
    noise = p.sigma2_model + p.sigma2_baseline
    if answers != 1.0 and not noise > 0:
        return np.full(len(steps), math.nan)
    found = detectable_with([p] * len(steps), scale, questions=steps, answers=answers)
    if answers == 1.0:
        found[len(steps) // 2] = p.mde  # the mark is the cell of the table
    return found
