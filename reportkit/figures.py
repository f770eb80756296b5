"""Records -> figures: four kinds, each as SVG, PDF and PNG bytes with its alternative text."""

import io
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.results import EvalResult, PowerResult

if TYPE_CHECKING:  # matplotlib costs most of a second, so it waits for the first draw
    from matplotlib.figure import Figure as Canvas

Kind = Literal["means", "differences", "correlations", "power"]
KINDS: tuple[Kind, ...] = get_args(Kind)

WIDTH = 6.5  # inches: the text width of a letter page with 1 inch margins
PITCH = 0.111  # smallest height of a row: 71 models and the axis fit the 9 inches of a page
ALPHA = 0.05
LABEL = 40  # characters of a name before it is elided
ANNOTATED = 12  # models up to which the cells of a matrix carry numbers
PAIRS = 6  # curves that can still be told apart
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
)  # Okabe and Ito: safe for colour-blind readers
MARKERS = "osD^vP"
INK, GREY, BAND = "#222222", "#d9d9d9", "#f4f4f4"

_RC: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],  # ships with matplotlib, so the bytes do not depend on the fonts of the machine
    "font.size": 8,
    "text.parse_math": False,  # a model may be called $x$
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#888888",
    "axes.linewidth": 0.6,
    "axes.unicode_minus": True,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "legend.fontsize": 7.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "reportkit",  # ids would be random otherwise
    "pdf.fonttype": 42,  # type 3, the default, is refused by several journals
}
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


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
    axes, words = _DRAWN[kind]
    with _style():
        canvas = axes(result)
        if canvas is None:
            return None
        title, alt = words(result)
        saved = {}
        for form, metadata in _METADATA.items():
            buffer = io.BytesIO()
            canvas.savefig(buffer, format=form, dpi=150 if form == "png" else 72, metadata=metadata)
            saved[form] = buffer.getvalue()
    note = " (fictional data)" if result.fictional else ""
    return Figure(kind, f"{title}{note}.", f"{alt}{' The data are fictional.' if note else ''}", **saved)


@contextmanager
def _style() -> Iterator[None]:
    """matplotlib's own defaults and ours on top: a user's matplotlibrc must not change a report."""
    import matplotlib.style
    from fontTools.subset import Options

    # matplotlib places every glyph itself, so the layout tables of the font are dead weight in a PDF, and cutting them
    # down was half of the time that all figures took. matplotlib has no switch for it, hence fontTools' own default.
    kept = getattr(Options, "_drop_tables_default", [])
    Options._drop_tables_default = [*kept, "GDEF", "GPOS", "GSUB", "kern", "MATH"]
    try:
        with matplotlib.style.context(["default", _RC]):  # type: ignore[list-item]
            yield
    finally:
        Options._drop_tables_default = kept


# ---------------------------------------------------------------------------------------------------- forest plots


def _means_axes(result: EvalResult) -> "Canvas | None":
    rows = [(m.model, m.mean, m.ci_low, m.ci_high) for m in result.means]
    texts = [_estimate(result, *row[1:]) for row in rows]
    return _forest(result, rows, texts, f"Mean score on {_short(result.eval)}{' (%)' if result.scale.percent else ''}")


def _differences_axes(result: EvalResult) -> "Canvas | None":
    """Against one baseline (two models are such a case) intervals fit; every pair needs a matrix."""
    baselines = {d.baseline for d in result.differences}
    if len(baselines) != 1:
        return _difference_matrix(result)
    rows = [(d.model, d.difference, d.ci_low, d.ci_high) for d in result.differences]
    texts = [_estimate(result, *row[1:], signed=True) for row in rows]
    return _forest(result, rows, texts, f"Difference from {_short(baselines.pop())}{_unit(result)}", zero=True)


def _forest(
    result: EvalResult,
    rows: Sequence[tuple[str, float, float, float]],
    texts: Sequence[str],
    axis: str,
    *,
    zero: bool = False,
) -> "Canvas | None":
    """Rows of name, point, low, high, top down, with the numbers in words at the right."""
    if not any(math.isfinite(row[1]) for row in rows):
        return None
    from matplotlib.patches import Rectangle
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import blended_transform_factory

    factor = 100 if result.scale.percent else 1
    values = [tuple(factor * v for v in row[1:]) for row in rows]
    bounded = [i for i, v in enumerate(values) if all(map(math.isfinite, v))]
    hollow = [i for i, v in enumerate(values) if i not in bounded and math.isfinite(v[0])]
    notes = [axis + (f", {100 * result.level:g}% confidence interval" if bounded else "")]
    if hollow:
        notes.append("hollow: interval undefined")
    if result.fictional:
        notes.append("fictional data")

    pitch = min(0.27, max(PITCH, 8.0 / len(rows)))
    size = min(8.5, pitch * 72 * 0.82)
    labels = _labels([row[0] for row in rows], room=2.7, size=size)
    left = 0.22 + max(_width(label, size) for label in labels)
    right = 0.2 + max(_width(text, size) for text in texts)
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
    _caption(canvas, notes)
    return canvas


# -------------------------------------------------------------------------------------------------------- matrices


def _difference_matrix(result: EvalResult) -> "Canvas | None":
    place = {model: i for i, model in enumerate(result.models)}
    factor = 100 if result.scale.percent else 1
    cells, unclear = {}, set()
    for d in result.differences:  # lists a pair once; the other direction is its negative
        for at, sign in (((place[d.model], place[d.baseline]), 1), ((place[d.baseline], place[d.model]), -1)):
            cells[at] = sign * factor * d.difference
            if not d.p_adjusted < ALPHA:  # nan is unclear too
                unclear.add(at)
    top = max((abs(v) for v in cells.values() if math.isfinite(v)), default=0.0) or 1.0

    def show(value: float) -> str:
        return _number(result, value / factor, signed=True)

    return _matrix(result, cells, unclear, top, show, f"Row minus column{_unit(result)}")


def _correlations_axes(result: EvalResult) -> "Canvas | None":
    cells = {(i, j): r for i, row in enumerate(result.correlations) for j, r in enumerate(row[:i])}
    return _matrix(result, cells, set(), 1.0, _correlation, "Correlation of question scores")


def _matrix(
    result: EvalResult,
    cells: dict[tuple[int, int], float],
    unclear: set[tuple[int, int]],
    top: float,
    show: Callable[[float], str],
    scale: str,
) -> "Canvas | None":
    """Models x models. cells: (row, column) -> value; unclear ones are hatched; colours run from -top to top."""
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
    names = _labels(result.models, room=2.2, size=size)
    left = 0.22 + max(_width(f"{name}  {n}", size) for name in names)
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

    def mark(where: list[tuple[int, int]], label: str, **look: Any) -> None:
        """One path for all the cells: a patch for each of 71 x 71 would take seconds."""
        corners = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5))
        points = [(j + x, i + y) for i, j in where for x, y in corners]
        codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(where)
        ax.add_patch(PathPatch(Path(points, codes), linewidth=0, **look))
        legend.append(Patch(linewidth=0, label=label, **look))

    undefined = sorted(at for at, value in cells.items() if not math.isfinite(value))
    if unclear:
        label = f"hatched: adjusted p ≥ {ALPHA:g} or undefined"
        mark(sorted(unclear), label, facecolor="none", hatch="/////", edgecolor="#8a8a8a")
    if undefined:
        mark(undefined, "grey with a dash: undefined", facecolor=GREY)
        ax.plot([j for _, j in undefined], [i for i, _ in undefined], "_", color=INK, markersize=pitch * 20)
    if n <= ANNOTATED:
        texts = {at: show(value) for at, value in cells.items() if math.isfinite(value)}
        fit = min(8, 0.84 * cell / max(_width(text, 1) for text in texts.values()))
        for (i, j), text in texts.items():
            colour = colours(norm(cells[i, j]))
            ink = "white" if np.dot(colour[:3], (0.299, 0.587, 0.114)) < 0.5 else INK
            clear = {"facecolor": colour, "edgecolor": "none", "pad": 0.8} if (i, j) in unclear else None  # of hatch
            ax.text(j, i, text, ha="center", va="center", fontsize=fit, color=ink, bbox=clear)

    # Names head the columns where they fit side by side, otherwise numbers that the rows repeat.
    named = max(_width(name, size) for name in names) < 0.94 * cell
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
    _caption(canvas, [scale, *(["fictional data"] if result.fictional else [])], x=0.3)
    return canvas


# ----------------------------------------------------------------------------------------------------------- power


def _power_axes(result: EvalResult) -> "Canvas | None":
    """Equation 10 of Miller 2024: at fixed variances the detectable effect goes with one over the root of questions."""
    pairs = _powered(result)
    if not pairs:
        return None
    import numpy as np
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FixedLocator, NullLocator

    factor = 100 if result.scale.percent else 1
    dashed = [_more_epochs(p) for p in pairs]
    rows = len(pairs) + any(map(math.isfinite, dashed))
    canvas, ax = _canvas(0.62, 0.14, 0.1, 0.54 + 0.175 * rows, 2.5)
    names = _labels([name for p in pairs for name in (p.model, p.baseline)], room=2.0, size=7.5, number=False)
    legend = []
    for k, (p, ratio) in enumerate(zip(pairs, dashed, strict=True)):
        x = np.geomspace(p.n_questions / 8, p.n_questions * 8, 65)
        y = factor * p.mde * np.sqrt(p.n_questions / x)
        look: dict[str, Any] = {"color": COLOURS[k], "linewidth": 1.4}
        ax.plot(x, y, **look)
        if math.isfinite(ratio):
            ax.plot(x, ratio * y, linestyle=(0, (4, 2)), **(look | {"linewidth": 1.0}))
        ax.plot([p.n_questions], [factor * p.mde], MARKERS[k], color=COLOURS[k], markersize=6, markeredgecolor="white")
        here = f"{_number(result, p.mde)} at {p.n_questions:,} questions"
        label = f"{names[2 * k]} vs {names[2 * k + 1]}: {here}"
        legend.append(Line2D([], [], marker=MARKERS[k], markersize=5, label=label, **look))
    if rows > len(pairs):
        label = "dashed: four times the answers per question"
        legend.append(Line2D([], [], color=INK, linewidth=1.0, linestyle=(0, (4, 2)), label=label))

    low, high = min(p.n_questions for p in pairs) / 8, max(p.n_questions for p in pairs) * 8
    ax.set_xscale("log")
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=0)
    steps = (1, 2, 5) if high / low < 2000 else (1,)
    ticks = [s * 10**k for k in range(12) for s in steps if low <= s * 10**k <= high]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xticklabels([f"{t:,}" for t in ticks])
    ax.grid(color=GREY, linewidth=0.5)
    ax.spines[["right", "top"]].set_visible(False)
    ax.set_xlabel("Number of questions (log scale)" + (", fictional data" if result.fictional else ""))
    ax.set_ylabel(f"Detectable difference{_unit(result)}")
    canvas.legend(handles=legend, loc="lower left", bbox_to_anchor=(0.45 / WIDTH, 0), handlelength=3)
    return canvas


def _powered(result: EvalResult) -> list[PowerResult]:
    return [p for p in result.power if math.isfinite(p.mde) and p.mde > 0 and p.n_questions > 0][:PAIRS]


def _more_epochs(p: PowerResult) -> float:
    """Detectable effect at four times the epochs over that at these epochs; nan without repeated answers to tell."""
    noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline if p.epochs_model else math.nan
    now, then = p.omega2 + noise, p.omega2 + noise / 4
    return math.sqrt(then / now) if noise > 0 and then > 0 and math.isfinite(now) else math.nan


# ----------------------------------------------------------------------------------------------------------- words


def _means_words(result: EvalResult) -> tuple[str, str]:
    known = [m for m in result.means if math.isfinite(m.mean)]
    title = f"Mean score on {result.eval} with {100 * result.level:g}% confidence intervals"
    said = [f"{m.model} {_estimate(result, m.mean, m.ci_low, m.ci_high)}" for m in _ends(known, lambda m: m.mean)]
    return title, f"Forest plot of the mean score on {result.eval}, {_count(said, len(known), 'model')}: {_list(said)}."


def _differences_words(result: EvalResult) -> tuple[str, str]:
    known = [d for d in result.differences if math.isfinite(d.difference)]
    clear = sum(d.p_adjusted < ALPHA for d in known)
    matrix = len({d.baseline for d in result.differences}) > 1
    over = "between every two models" if matrix else f"from {result.differences[0].baseline}"
    said = [
        f"{d.model} minus {d.baseline} {_estimate(result, d.difference, d.ci_low, d.ci_high, signed=True)}"
        for d in _ends(known, lambda d: d.difference)
    ]
    title = f"Differences in score on {result.eval} {over}"
    verdict = f"{clear} of {len(known)} have an adjusted p below {ALPHA:g}"
    return title, f"{'Matrix' if matrix else 'Forest plot'} of differences{_unit(result)} on {result.eval}, " + (
        f"{_count(said, len(known), 'comparison')}: {_list(said)}; {verdict}."
    )


def _correlations_words(result: EvalResult) -> tuple[str, str]:
    pairs = [(r, i, j) for i, row in enumerate(result.correlations) for j, r in enumerate(row[:i]) if math.isfinite(r)]
    said = [f"{result.models[i]} and {result.models[j]} {_correlation(r)}" for r, i, j in _ends(pairs, lambda p: p[0])]
    title = f"Correlations of question scores between models on {result.eval}"
    return title, f"Matrix of correlations on {result.eval}, {_count(said, len(pairs), 'pair')}: {_list(said)}."


def _power_words(result: EvalResult) -> tuple[str, str]:
    pairs = _powered(result)
    said = [f"{p.model} and {p.baseline} {_number(result, p.mde)} at {p.n_questions:,}" for p in pairs]
    title = (
        f"Smallest detectable difference on {result.eval} by number of questions "
        f"(α = {pairs[0].alpha:g}, power {100 * pairs[0].power:g}%)"
    )
    some = "" if len(pairs) == len(result.power) else f", for {len(pairs)} of {len(result.power)} pairs"
    return title, (
        f"Curves of the detectable difference{_unit(result)}, falling with the square root of the number of "
        f"questions{some}: {_list(said)} questions."
    )


def _ends(items: list[Any], key: Callable[[Any], float], full: int = 6) -> list[Any]:
    """All of a few; of many the two ends, which is what a listener can hold."""
    return items if len(items) <= full else [max(items, key=key), min(items, key=key)]


def _count(said: list[str], n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}" + (", from highest to lowest" if len(said) < n else "")


def _list(said: list[str]) -> str:
    return "; ".join(said)


def _number(result: EvalResult, value: float, *, signed: bool = False) -> str:
    """A score or difference in print: percent or points with one decimal, else three digits of the scale's range."""
    if not math.isfinite(value):
        return "—"
    span = abs(result.scale.high - result.scale.low)
    ranged = math.isfinite(span) and span > 0
    places = 1 if result.scale.percent else max(0, 3 - math.ceil(math.log10(span))) if ranged else 3
    factor = 100 if result.scale.percent else 1
    text = f"{abs(value) * factor:.{places}f}"
    if not signed and value < result.scale.high and text == f"{result.scale.high * factor:.{places}f}":
        text = f"{abs(result.scale.high) * factor - 10**-places:.{places}f}"  # only a perfect score reads 100.0
    sign = "" if not float(text) else "−" if value < 0 else "+" if signed else ""
    return sign + text


def _estimate(result: EvalResult, value: float, low: float, high: float, *, signed: bool = False) -> str:
    if not math.isfinite(value):
        return "—"
    ends = [_number(result, v, signed=signed) for v in (low, high)]
    interval = f"[{', '.join(ends)}]" if math.isfinite(low) and math.isfinite(high) else "[—]"
    return f"{_number(result, value, signed=signed)}{'%' if result.scale.percent and not signed else ''} {interval}"


def _correlation(r: float) -> str:
    return f"{r:z.2f}".replace("-", "−")


def _unit(result: EvalResult) -> str:
    return " (percentage points)" if result.scale.percent else " (score units)"


# ---------------------------------------------------------------------------------------------------------- layout


def _canvas(left: float, right: float, top: float, bottom: float, height: float) -> "tuple[Canvas, Any]":
    """A page-wide canvas and axes with margins in inches: automatic layouts draw everything twice to find them."""
    from matplotlib.figure import Figure as Canvas

    total = top + height + bottom
    canvas = Canvas(figsize=(WIDTH, total))
    ax = canvas.add_axes((left / WIDTH, bottom / total, (WIDTH - left - right) / WIDTH, height / total))
    ax.set_axisbelow(True)
    return canvas, ax


def _caption(canvas: "Canvas", parts: list[str], x: float | None = None) -> None:
    """The bottom line: what the axis or the colours show, centred on the page unless x says where it starts."""
    at, ha = (0.5, "center") if x is None else (x / WIDTH, "left")
    canvas.text(at, 0.1 / canvas.get_figheight(), "; ".join(parts), ha=ha, va="bottom")


def _labels(names: Sequence[str], *, room: float, size: float, number: bool = True) -> list[str]:
    """Names as they can be drawn in `room` inches; two that look the same when elided get their row's number."""
    labels = []
    for name in names:
        keep = LABEL
        while _width(label := _short(name, keep), size) > room and keep > 8:
            keep -= 1
        labels.append(label)
    seen = Counter(labels)
    return [f"{x} #{i}" if number and seen[x] > 1 else x for i, x in enumerate(labels, 1)]


def _short(name: str, keep: int = LABEL) -> str:
    """A name the font can draw, elided in the middle: versions and sizes stand at the end.

    >>> _short("a-model-with-a-name-longer-than-its-row-of-the-plot-v2", 20)
    'a-model-wi…e-plot-v2'
    >>> _short("中")
    '<U+4E2D>'
    """
    glyphs = _glyphs()
    text = "".join(c if ord(c) in glyphs and c.isprintable() else f"<U+{ord(c):04X}>" for c in name)
    return text if len(text) <= keep else f"{text[: keep // 2]}…{text[len(text) - (keep - 1) // 2 :]}"


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Characters of the font. The others are named: a box would hide which, and another font may not be there."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont("DejaVu Sans")).get_charmap())


@lru_cache(maxsize=4096)
def _width(text: str, size: float) -> float:
    """Inches that a text takes at a font size in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family="DejaVu Sans", size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72


_DRAWN = {
    "means": (_means_axes, _means_words),
    "differences": (_differences_axes, _differences_words),
    "correlations": (_correlations_axes, _correlations_words),
    "power": (_power_axes, _power_words),
}
