"""The figures of a plan: power over questions, the detectable difference over answers with the
limit that none can pass, and the cheapest design for each difference.
"""

import math
from typing import TYPE_CHECKING, Any

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.solve import SAME, Curve
from reportkit.figures.canvas import (
    COLOURS,
    GREY,
    INK,
    LINE,
    MARK,
    MARKERS,
    NARROW,
    TYPE,
    axes,
    sheet,
    write_foot,
)
from reportkit.figures.power import step_text
from reportkit.stats.evidence import FEW_CLUSTERS
from reportkit.tables.planning.against import one_model
from reportkit.tables.planning.designs import each_model, epochs_text, models_of, unequal
from reportkit.tables.planning.noise import noise_of_title, of_probabilities
from reportkit.tables.planning.words import (
    cost_text,
    words_of,
)
from reportkit.text.figure_width import wrapped
from reportkit.text.numbers import count, percent_of

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure as Canvas

HEIGHT = 2.4  # inches, of the axes
KEY = 0.175  # from one line of the legend to the next
LEFT, LETTER = 0.62, 0.09  # inches: room for "100%" and a label, and for one letter more
STEP = 1.25  # times as steep as around it: a corner that is seen
NEAR = 0.03  # of an axis, that its first tick stands away from its end, or else at it
DOTTED: dict[str, Any] = {"linewidth": 0.8, "linestyle": ":", "color": INK, "zorder": 1.5}


def _sheet(
    p: Planned, width: float, foot: str, keys: int, longest: int = 0
) -> "tuple[Canvas, Any, float]":
    """A sheet with axes, the line below them, and room for a legend of so many lines. longest:
    letters of what stands at the left of the axes.
    """
    lines = wrapped([foot, *p.fictional * ["fictional data"]], width - 0.2, TYPE)
    room = KEY * keys
    bottom = 0.42 + LINE * len(lines) + room
    canvas = sheet(width, 0.12 + HEIGHT + bottom)
    ax = axes(canvas, LEFT + LETTER * max(0, longest - 4), 0.2, bottom, HEIGHT)
    ax.grid(color=GREY, linewidth=0.5)
    ax.spines[["right", "top"]].set_visible(False)
    write_foot(canvas, lines, room + 0.12)
    return canvas, ax, room


def _legend(canvas: "Canvas", handles: list[Any], width: float) -> None:
    at = ((0.1 if width < NARROW else 0.45) / width, 0)
    canvas.legend(handles=handles, loc="lower left", bbox_to_anchor=at, handlelength=2.5)


def _tick(x: float, _: Any) -> str:
    return count(round(x, 6)) if x >= 1 else f"{x:g}"


def _by_count(axis: Any, narrow: bool, span: float) -> None:
    """Ticks of a log axis as plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter

    subs = (1, 2, 5) if span < 200 and not narrow else (1, 3)
    most = 100 if narrow else 2000
    axis.set_major_locator(LogLocator(subs=subs if span < most else (1,)))
    axis.set_major_formatter(_tick)
    axis.set_minor_formatter(NullFormatter())


# Power over questions -----------------------------------------------------------------------------


def draw_power(p: Planned, width: float) -> "Canvas | None":
    """Power by the number of questions, a curve for each difference."""
    import numpy as np

    drawn = _drawn(p)
    if not drawn:
        return None
    w, narrow = words_of(p), width < NARROW
    canvas, ax, _ = _sheet(p, width, "Number of questions (log scale)", len(drawn))
    handles = []
    for k, (c, x) in enumerate(drawn):
        asked = c.difference == p.asked.difference
        label = f"difference of {w.given(c.difference)}" + asked * " (asked for)"
        look: dict[str, Any] = {"color": COLOURS[k], "linewidth": 2.0 if asked else 1.2}
        spots = np.flatnonzero(np.isfinite(c.questions))[8::16].tolist()
        look |= {"marker": MARKERS[k], "clip_on": False} | MARK  # whole at a power of 100%
        at, powers = x, c.powers
        if one_model(p):
            at, powers = _between(x, c.powers)
            spots = [int(np.abs(at - x[k]).argmin()) for k in spots if np.isfinite(x[k])]
        handles += ax.plot(at, 100 * powers, label=label, markevery=spots, **look)
    low = min(float(np.nanmin(x)) for _, x in drawn)
    high = max(float(np.nanmax(x)) for _, x in drawn)
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(0, 100)
    _by_count(ax.xaxis, narrow, high / low)
    ax.minorticks_off()
    ax.axhline(100 * p.asked.power, **DOTTED)
    n = p.need.questions
    if low <= n <= high:
        ax.plot([n, n], [0, 100 * p.asked.power], **DOTTED)
        ax.annotate(f"{count(n)}", (n, 2), xytext=(3, 0), textcoords="offset points", fontsize=7.5,
                    backgroundcolor="white", zorder=4, va="bottom",
                    bbox={"pad": 0.6, "facecolor": "white", "edgecolor": "none"})  # fmt: skip
    ax.yaxis.set_major_formatter(lambda y, _: f"{y:.0f}%")
    ax.set_ylabel("Power")
    _legend(canvas, handles, width)
    return canvas


def _drawn(p: Planned) -> "list[tuple[Curve, np.ndarray]]":
    """The curves, and their questions from the fewest that are planned; nan below."""
    import numpy as np

    least = float(p.limits.questions)
    if p.clustered:
        least = max(least, p.limits.clusters * p.shape.cluster_size)
    fewest = [max(least, c.least) for c in p.curves]
    known = [
        (c, np.where(c.questions >= few, c.questions, math.nan))
        for c, few in zip(p.curves, fewest, strict=True)
    ]
    return [(c, x) for c, x in known if np.isfinite(x).sum() > 1]


def _between(questions: "np.ndarray", powers: "np.ndarray") -> "tuple[np.ndarray, np.ndarray]":
    """The curve with points between its own, which lie far apart where a published mean's own error
    leaves little to gain: straight lines between them had kinks, and erred by up to
    0.5 points. These are within 0.1 points of what is counted out there.
    """
    import numpy as np
    from scipy.interpolate import PchipInterpolator
    from scipy.special import ndtr, ndtri

    known = _apart(questions)
    x = np.log(questions[known])
    between = np.concatenate([np.linspace(a, b, 9)[:-1] for a, b in zip(x, x[1:], strict=False)])
    at = np.append(between, x[-1])
    return np.exp(at), ndtr(PchipInterpolator(x, ndtri(powers[known]))(at))


def _apart(questions: "np.ndarray") -> "np.ndarray":
    """Which points of a curve are known; of those of a step, which have one number, the last."""
    import numpy as np

    known = np.flatnonzero(np.isfinite(questions))
    x = questions[known]
    return known[np.append(np.diff(x) > SAME * x[:-1], True)]


def title_power(p: Planned) -> str:
    noise = noise_of_title(p) if p.noise_open else ""
    return f"Power by the number of questions (α\u00a0=\u00a0{p.asked.alpha:.4g}{noise}{_step(p)})"


def _step(p: Planned) -> str:
    """Why a curve rises at once where t takes the place of another test; empty where none does."""
    if p.clustered and any(_steps(c, p.shape.cluster_size) for c, _ in _drawn(p)):
        return f"; {step_text(FEW_CLUSTERS, p.shape.cluster_size)}"
    return ""


def _steps(c: Curve, size: float) -> bool:
    """Whether the power's probit, nearly a line in the root of the number of questions, rises more
    between the two points around so many clusters than it does before and behind them.
    """
    import numpy as np
    from scipy.special import ndtri

    known = _apart(c.questions)
    roots, probits = np.sqrt(c.questions[known] / size), ndtri(c.powers[known])
    k = int(np.searchsorted(roots, math.sqrt(FEW_CLUSTERS) * (1.0 - SAME)))
    if not 2 <= k < len(roots) - 1:
        return False
    before, there, behind = np.diff(probits[k - 2 : k + 2]) / np.diff(roots[k - 2 : k + 2])
    return bool(there > STEP * max(before, behind))


def alt_power(p: Planned) -> str:
    w = words_of(p)
    said = [
        f"a difference of {w.given(n.difference)} needs {count(n.questions)} questions"
        for n in p.needs
        if any(c.difference == n.difference for c in p.curves) and n.questions == n.questions
    ]
    goal = percent_of(p.asked.power)
    return f"Curves of power, rising with the number of questions. For {goal}: {'; '.join(said)}."


# Differences over answers -------------------------------------------------------------------------


def draw_epochs(p: Planned, width: float) -> "Canvas | None":
    """The smallest detectable difference by answers to each question, and its limit."""
    known = [(k, d) for k, d in p.epochs_curve if d == d]
    finite = [(k, d) for k, d in known if math.isfinite(k)]
    if len(finite) < 2 or not p.variances.sigma2_a + p.variances.sigma2_b > 0.0:
        return None
    from matplotlib.lines import Line2D

    factor, w, narrow = 100.0 if p.percent else 1.0, words_of(p), width < NARROW
    limit = next((d for k, d in known if math.isinf(k)), math.nan)
    handles: list[Any] = []
    canvas, ax, _ = _sheet(p, width, "Answers to each question (log scale)", 2)
    x, y = ([v[i] for v in finite] for i in (0, 1))
    y = [factor * d for d in y]
    label = f"{count(p.found.questions)} questions"
    handles += ax.plot(x, y, color=COLOURS[0], marker="o", markersize=4, linewidth=1.6,
                       markeredgecolor="white", label=label)  # fmt: skip
    if limit == limit:
        dashed: dict[str, Any] = {"color": COLOURS[1], "linewidth": 1.2, "linestyle": (0, (4, 2))}
        ax.axhline(factor * limit, **dashed)
        text = "the limit"
        if not narrow:
            text += f", {w.difference(limit)}"
            text += ": next-token probabilities reach it" if of_probabilities(p) else ""
        handles.append(Line2D([], [], label=text, **dashed))
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(lambda k, _: count(k))
    ax.minorticks_off()
    ax.set_ylim(0, 1.08 * max(y))
    unit = " (points)" if p.percent else ""
    ax.set_ylabel(f"Detectable difference{unit}")
    _legend(canvas, handles, width)
    return canvas


def title_epochs(p: Planned) -> str:
    return (
        f"Smallest difference that {count(p.found.questions)} questions detect, by answers to each "
        f"(α\u00a0=\u00a0{p.asked.alpha:.4g}, power {percent_of(p.asked.power)}{noise_of_title(p)})"
    )


def alt_epochs(p: Planned) -> str:
    w = words_of(p)
    said = [f"{w.difference(d)} with {epochs_text(k, k)}" for k, d in p.epochs_curve
            if d == d and k in (1, 4, 16, math.inf)]  # fmt: skip
    ends = any(d == d and math.isinf(k) for k, d in p.epochs_curve)
    line = ", towards a line that it does not pass" if ends else ""
    return (
        f"A curve that falls with the number of answers to each question{line}: {'; '.join(said)}."
    )


# Costs --------------------------------------------------------------------------------------------


def draw_costs(p: Planned, width: float) -> "Canvas | None":
    """What the cheapest design for each difference costs, with its questions and answers."""
    known = [c for c in p.cheapest if c.cost == c.cost]
    if len(known) < 2:
        return None
    from matplotlib.ticker import NullFormatter

    factor, w, narrow = 100.0 if p.percent else 1.0, words_of(p), width < NARROW
    x, y = [factor * c.difference for c in known], [c.cost for c in known]
    least = 10.0 ** math.floor(math.log10(min(y)))
    longest = max(len(_tick(cost, None)) for cost in (round(1.5 * max(y)), least))
    foot = f"Difference to be found ({'points, ' * p.percent}log scale)"
    canvas, ax, _ = _sheet(p, width, foot, 0, longest)
    ax.plot(x, y, color=COLOURS[0], marker="o", markersize=5, linewidth=1.6,
            markeredgecolor="white")  # fmt: skip
    for c, at, cost in zip(known, x, y, strict=True):
        asked = c.difference == p.asked.difference
        if narrow and not asked:
            continue
        text = f"{count(c.questions)} × {epochs_text(c.epochs_a, c.epochs_b)}"
        ax.annotate(text, (at, cost), xytext=(5, 4), textcoords="offset points", fontsize=7.5,
                    weight="bold" if asked else "normal")  # fmt: skip
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(0.9 * min(x), 1.45 * max(x))
    low, high = 0.75 * min(y), 1.5 * max(y)
    ax.set_ylim(low, high)
    ax.set_xticks(x if not narrow else x[::2])
    ax.xaxis.set_major_formatter(lambda v, _: w.cell(v / factor))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()
    _by_count(ax.yaxis, narrow, max(y) / min(y))
    # The line of a tick just above the axis would double it.
    near = low * (high / low) ** NEAR
    ax.set_ylim(min((c for c in ax.get_yticks() if low < c < near), default=low), high)
    ax.set_ylabel("Cost (log scale)")
    return canvas


def title_costs(p: Planned) -> str:
    whose = ""
    if p.asked.paired and unequal(p.cheapest):
        whose = ", of {} and of {} where these are two".format(*models_of(p))
    return (
        "Cost of the cheapest design for each difference; labels: questions × answers to each"
        f"{whose} (α\u00a0=\u00a0{p.asked.alpha:.4g}, power {percent_of(p.asked.power)}"
        f"{noise_of_title(p)})"
    )


def alt_costs(p: Planned) -> str:
    w = words_of(p)
    said = [
        f"{w.difference(c.difference)} costs {cost_text(c.cost)} with {count(c.questions)} "
        f"questions and {each_model(p, c.epochs_a, c.epochs_b)} to each"
        for c in p.cheapest
        if c.cost == c.cost
    ]
    return f"A line that falls as the difference grows: {'; '.join(said)}."
