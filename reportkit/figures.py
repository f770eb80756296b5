"""Records -> figures: four kinds, each as SVG, PDF and PNG bytes with its alternative text."""

import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit import captions
from reportkit.captions import KINDS, text_width
from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.formatting import count, fixed, percent_of, units_of
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult

if TYPE_CHECKING:  # matplotlib costs most of a second, so it waits for the first draw
    from matplotlib.figure import Figure as Canvas

WIDTH = 6.5  # inches: the text width of a letter page with 1 inch margins
PITCH = 0.111  # smallest height of a row: 71 models and the axis fit the 9 inches of a page
ANNOTATED = 12  # models up to which the cells of a matrix carry numbers
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")  # Okabe and Ito: safe for the colour-blind
MARKERS = "osD^vP"
DASHED: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (4, 2))}
INK, GREY, BAND = "#222222", "#d9d9d9", "#f4f4f4"

_RC: dict[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("axes.linewidth", "xtick.major.width", "ytick.major.width"), 0.6),
    "font.family": [captions.FONT],
    "font.size": 8,
    "text.parse_math": False,  # a model may be called $x$
    "axes.edgecolor": "#888888",
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "reportkit",  # ids would be random otherwise
}

Cell = tuple[int, int]  # row, column


@dataclass(frozen=True)
class Figure:
    """One finished figure. `title` is for the caption and not drawn; `alt` says the content in a sentence."""

    name: str
    title: str
    alt: str
    svg: bytes
    pdf: bytes
    png: bytes


def draw(result: EvalResult, kind: str) -> Figure | None:
    """One kind of figure of an eval, or None where it would show nothing (one model has no differences)."""
    if kind not in KINDS:
        raise UnknownNameError(f"there is no figure {kind!r}{did_you_mean(kind, KINDS)}")
    import matplotlib.style

    # matplotlib's own defaults and ours on top: a user's matplotlibrc must not change a report.
    with matplotlib.style.context(["default", _RC]):  # type: ignore[list-item]
        canvas = _DRAWN[kind](result)
        if canvas is None:
            return None
        svg = _saved(canvas)
        matplotlib.rcParams["svg.fonttype"] = "none"
        pdf, png = _converted(_saved(canvas))
    title, alt = captions.caption(result, kind)
    return Figure(kind, title, alt, svg, pdf, png)


def _saved(canvas: "Canvas") -> bytes:
    """The canvas as SVG, without what differs from one build to the next."""
    buffer = io.BytesIO()
    canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _converted(svg: bytes) -> Iterator[bytes]:
    """An SVG whose text is text as PDF, where it stays text in the one embedded font, and as PNG.

    Typst takes a tenth of the time of matplotlib's own PDF, which cuts a font down in Python.
    """
    import matplotlib
    import typst

    source: Any = b"""#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg")"""
    fonts = os.path.join(matplotlib.get_data_path(), "fonts", "ttf")
    compiler: Any = typst.Compiler(font_paths=[fonts], ignore_system_fonts=True, sys_inputs={"svg": svg.decode()})
    for form in ("pdf", "png"):
        yield compiler.compile(source, format=form, ppi=150 if form == "png" else None)


def _axis_units(result: EvalResult) -> tuple[float, str]:
    """What scores are multiplied by on an axis of differences, and the units they then have."""
    return (100.0, "percentage points") if result.scale.percent else (1.0, "score units")


# Forest plots ---------------------------------------------------------------------------------------------------------


def _means(result: EvalResult) -> "Canvas | None":
    axis = f"Mean score on {captions.short_name(result.eval)}{' (%)' if result.scale.percent else ''}"
    return _forest(result, result.means, axis)


def _differences(result: EvalResult) -> "Canvas | None":
    """Against one baseline (two models are such a case) intervals fit; every pair needs a matrix."""
    baselines = {d.baseline for d in result.differences}
    if len(baselines) != 1:
        return _difference_matrix(result)
    axis = f"Difference from {captions.short_name(baselines.pop())} ({_axis_units(result)[1]})"
    return _forest(result, result.differences, axis, zero=True)


def _forest(
    result: EvalResult, rows: Sequence[MeanResult | DifferenceResult], axis: str, *, zero: bool = False
) -> "Canvas | None":
    """A row for each record, top down, with the numbers in words at the right."""
    if not any(math.isfinite(captions.value_of(row)) for row in rows):
        return None
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import blended_transform_factory

    factor, _ = _axis_units(result)
    values = [tuple(factor * v for v in (captions.value_of(row), row.ci_low, row.ci_high)) for row in rows]
    texts = [captions.estimate(units_of(result), row) for row in rows]
    bounded = [i for i, v in enumerate(values) if all(map(math.isfinite, v))]
    hollow = [i for i, v in enumerate(values) if i not in bounded and math.isfinite(v[0])]
    notes = [axis + (f", {percent_of(result.level)} CI" if bounded else "")]
    if hollow:
        notes.append("hollow: interval undefined")

    pitch = min(0.27, max(PITCH, 8.0 / len(rows)))
    size = min(8.5, pitch * 72 * 0.82)
    labels = captions.fit_names([row.model for row in rows], room=2.7, size=size)
    left = 0.22 + max(text_width(label, size) for label in labels)
    right = 0.2 + max(text_width(text, size) for text in texts)
    canvas, ax = _canvas(left, right, 0.06, 0.54, pitch * len(rows))

    across = blended_transform_factory(canvas.transFigure, ax.transData)
    for i in range(1, len(rows), 2):  # bands lead the eye from name to number
        ax.add_patch(Rectangle((0, i - 0.5), 1, 1, transform=across, clip_on=False, color=BAND, linewidth=0, zorder=0))
    if zero:
        ax.axvline(0, color=INK, linewidth=0.8, zorder=1.5)
    ends = [values[i] for i in bounded]
    ax.hlines(bounded, [e[1] for e in ends], [e[2] for e in ends], color=COLOURS[0], linewidth=min(1.6, size / 5))
    dot = {"linestyle": "none", "marker": "o", "markersize": size * 0.55, "color": COLOURS[0]}
    ax.plot([values[i][0] for i in bounded], bounded, **dot)
    ax.plot([values[i][0] for i in hollow], hollow, markerfacecolor="white", **dot)

    shown = [x for i in bounded for x in values[i]] + [values[i][0] for i in hollow] + ([0.0] if zero else [])
    low, high = min(shown), max(shown)
    pad = 0.06 * (high - low) or 0.05 * factor * (abs(result.scale.high - result.scale.low) or 1)
    ax.set_xlim(low - pad, high + pad)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), labels, fontsize=size)
    ax.tick_params("y", length=0)
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.grid(axis="x", color=GREY, linewidth=0.5)
    ax.spines[["left", "right", "top"]].set_visible(False)
    for i, text in enumerate(texts):
        ax.text(1 - 0.08 / WIDTH, i, text, transform=across, ha="right", va="center_baseline", fontsize=size)
    _caption(canvas, result, notes)
    return canvas


# Matrices -------------------------------------------------------------------------------------------------------------


def _difference_matrix(result: EvalResult) -> "Canvas | None":
    place = {model: i for i, model in enumerate(result.models)}
    cells, unclear = {}, set()
    for d in result.differences:  # lists a pair once; the other direction is its negative
        for at, sign in (((place[d.model], place[d.baseline]), 1), ((place[d.baseline], place[d.model]), -1)):
            cells[at] = sign * d.difference
            if not d.p_adjusted < 1.0 - result.level:  # nan is unclear too
                unclear.add(at)
    u = units_of(result)
    top = max((abs(v) for v in cells.values() if math.isfinite(v)), default=0.0) or 1.0
    key = f"Row minus column ({_axis_units(result)[1]})"  # the units stand here, as the cells have no room for them
    return _matrix(result, cells, unclear, top, lambda v: u.number(v, sign=True).removesuffix("%"), key)


def _correlations(result: EvalResult) -> "Canvas | None":
    cells = {(i, j): r for i, row in enumerate(result.correlations) for j, r in enumerate(row[:i])}
    return _matrix(result, cells, set(), 1.0, lambda r: fixed(r, 2), "Correlation of question scores")


def _matrix(
    result: EvalResult, cells: dict[Cell, float], unclear: set[Cell], top: float, show: Callable[[float], str], key: str
) -> "Canvas | None":
    """Models x models. Unclear ones are hatched; colours run from -top to top."""
    if not any(map(math.isfinite, cells.values())):
        return None
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import Normalize
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.path import Path

    n = len(result.models)
    pitch = min(0.42, max(PITCH, 4.0 / n))
    size = min(8.5, pitch * 72 * 0.82)
    names = captions.fit_names(result.models, room=2.2, size=size)
    left = 0.22 + max(text_width(f"{name}  {n}", size) for name in names)
    cell = (WIDTH - left - 0.12) / n
    canvas, ax = _canvas(left, 0.12, 0.08, 1.0, pitch * n)

    grid = np.full((n, n), np.nan)
    for at, value in cells.items():
        grid[at] = value
    colours, norm = colormaps["PuOr"], Normalize(-top, top)
    line = 0.8 if n <= ANNOTATED else 0.2
    edges = np.arange(n + 1) - 0.5
    mesh = ax.pcolormesh(edges, edges, grid, cmap=colours, norm=norm, edgecolors="white", linewidth=line)

    legend = []

    def mark(where: list[Cell], label: str, **look: Any) -> None:
        """One path for all the cells: a patch for each of 71 x 71 would take seconds."""
        corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        outlines = np.array([[(j + x, i + y) for x, y in corners] for i, j in where])
        ax.add_patch(PathPatch(Path.make_compound_path_from_polys(outlines), linewidth=0, **look))
        legend.append(Patch(linewidth=0, label=label, **look))

    undefined = sorted(at for at, value in cells.items() if not math.isfinite(value))
    if unclear:
        label = f"hatched: adjusted p ≥ {captions.alpha_of(result)} or undefined"
        mark(sorted(unclear), label, facecolor="none", hatch="/////", edgecolor="#8a8a8a")
    if undefined:
        mark(undefined, "grey with a dash: undefined", facecolor=GREY)
        ax.plot([j for _, j in undefined], [i for i, _ in undefined], "_", color=INK, markersize=pitch * 20)
    if n <= ANNOTATED:
        texts = {at: show(value) for at, value in cells.items() if math.isfinite(value)}
        fit = min(8, 0.84 * cell / max(text_width(text, 1) for text in texts.values()))
        for (i, j), text in texts.items():
            colour = colours(norm(cells[i, j]))
            ink = "white" if np.dot(colour[:3], (0.299, 0.587, 0.114)) < 0.5 else INK
            clear = {"facecolor": colour, "edgecolor": "none", "pad": 0.8} if (i, j) in unclear else None  # of hatch
            ax.text(j, i, text, ha="center", va="center", fontsize=fit, color=ink, bbox=clear)

    # Names head the columns where they fit side by side, otherwise numbers that the rows repeat.
    named = max(text_width(name, size) for name in names) < 0.94 * cell
    step = 1 if cell * 72 > 8 else 5
    heads = list(range(n)) if step == 1 else [0, *range(step - 1, n, step)]
    ax.set_xticks(heads, names if named else [f"{i + 1}" for i in heads], fontsize=size if named else min(size, 7))
    ax.set_yticks(range(n), names if named else [f"{name}  {i + 1}" for i, name in enumerate(names)], fontsize=size)
    ax.set_ylim(n - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)

    height = canvas.get_figheight()
    bar = canvas.add_axes((0.3 / WIDTH, 0.52 / height, 2.3 / WIDTH, 0.1 / height))
    canvas.colorbar(mesh, cax=bar, orientation="horizontal")
    bar.set_xticks([-top, 0, top], [show(-top), show(0), show(top)], fontsize=7)
    if legend:
        canvas.legend(handles=legend, loc="center right", bbox_to_anchor=(1, 0.4 / height))
    _caption(canvas, result, [key], x=0.3)
    return canvas


# Power ----------------------------------------------------------------------------------------------------------------


def _power(result: EvalResult) -> "Canvas | None":
    """Equation 10 of Miller 2024: at fixed variances the detectable effect goes with one over the root of questions."""
    pairs, note = captions.pairs_with_curves(result)
    if not pairs:
        return None
    import numpy as np
    from matplotlib.lines import Line2D
    from matplotlib.ticker import LogLocator

    u = units_of(result)
    factor, unit = _axis_units(result)
    dashed = [_more_epochs(p) for p in pairs]
    repeated = any(map(math.isfinite, dashed))
    rows = len(pairs) + repeated + bool(note)
    canvas, ax = _canvas(0.62, 0.3, 0.1, 0.54 + 0.175 * rows, 2.5)
    names = captions.fit_names(
        [name for p in pairs for name in (p.model, p.baseline)], room=2.0, size=7.5, number=False
    )
    legend = []
    for k, (p, ratio) in enumerate(zip(pairs, dashed, strict=True)):
        x = np.geomspace(p.n_questions / 8, p.n_questions * 8, 65)
        y = factor * p.mde * np.sqrt(p.n_questions / x)
        label = f"{names[2 * k]} vs {names[2 * k + 1]}: {u.error(p.mde)} at {count(p.n_questions)} questions"
        here = {"marker": MARKERS[k], "markevery": [32], "markersize": 6, "markeredgecolor": "white"}
        legend += ax.plot(x, y, color=COLOURS[k], linewidth=1.4, label=label, **here)
        if math.isfinite(ratio):
            ax.plot(x, ratio * y, color=COLOURS[k], **DASHED)
    if repeated:
        legend.append(Line2D([], [], color=INK, label="dashed: four times the answers per question", **DASHED))
    if note:
        legend.append(Line2D([], [], linestyle="none", label=f"shown: {note}"))

    ax.set_xscale("log")
    low, high = min(p.n_questions for p in pairs) / 8, max(p.n_questions for p in pairs) * 8
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 2000 else (1,)))
    ax.xaxis.set_major_formatter(lambda x, _: count(x))
    ax.minorticks_off()
    ax.grid(color=GREY, linewidth=0.5)
    ax.spines[["right", "top"]].set_visible(False)
    ax.set_xlabel("Number of questions (log scale)" + (", fictional data" if result.fictional else ""))
    ax.set_ylabel(f"Detectable difference ({unit})")
    canvas.legend(handles=legend, loc="lower left", bbox_to_anchor=(0.45 / WIDTH, 0), handlelength=3)
    return canvas


def _more_epochs(p: PowerResult) -> float:
    """Detectable effect at four times the epochs over that at these epochs; nan without repeated answers to tell."""
    noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline if p.epochs_model else math.nan
    now, then = p.omega2 + noise, p.omega2 + noise / 4
    return math.sqrt(then / now) if noise > 0 and then > 0 and math.isfinite(now) else math.nan


# Layout ---------------------------------------------------------------------------------------------------------------


def _canvas(left: float, right: float, top: float, bottom: float, height: float) -> "tuple[Canvas, Any]":
    """A page-wide canvas and axes with margins in inches: automatic layouts draw everything twice to find them."""
    from matplotlib.figure import Figure as Canvas

    total = top + height + bottom
    canvas = Canvas(figsize=(WIDTH, total))
    ax = canvas.add_axes((left / WIDTH, bottom / total, (WIDTH - left - right) / WIDTH, height / total))
    ax.set_axisbelow(True)
    return canvas, ax


def _caption(canvas: "Canvas", result: EvalResult, parts: list[str], x: float | None = None) -> None:
    """The bottom line: what the axis or the colours show, centred on the page unless x says where it starts."""
    at, ha = (0.5, "center") if x is None else (x / WIDTH, "left")
    canvas.text(
        at, 0.1 / canvas.get_figheight(), "; ".join(parts + result.fictional * ["fictional data"]), ha=ha, va="bottom"
    )


_DRAWN = {"means": _means, "differences": _differences, "correlations": _correlations, "power": _power}
