"""Records -> figures: six kinds at the width of a page or a column, as SVG, PDF and PNG with
alternative texts.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit.errors import ReportkitError, UnknownNameError, did_you_mean
from reportkit.figures import bars, captions, curves, forest, matrices
from reportkit.figures.canvas import RC, WIDTHS
from reportkit.figures.captions import KINDS
from reportkit.results import EvalResult
from reportkit.text import figure_width as glyphs

if TYPE_CHECKING:  # matplotlib costs most of a second, so it waits for the first draw
    from matplotlib.figure import Figure as Canvas

SEVERAL = ("means", "differences")  # kinds that show several evals in one figure
ONE: dict[str, "Callable[[EvalResult, float], Canvas | None]"] = {
    "means": lambda result, width: forest.means([result], width),
    "differences": lambda result, width: (
        forest.differences([result], width)
        if captions.against_one(result)
        else matrices.differences(result, width)
    ),
    "correlations": matrices.correlations,
    "power": curves.power,
    "variance": bars.variance,
    "ranks": bars.ranks,
}


@dataclass(frozen=True)
class Figure:
    """One finished figure. `title` is for the caption and not drawn; `alt` says the content in a
    sentence.
    """

    name: str  # the kind; of a column figure with "-column"
    title: str
    alt: str
    svg: bytes
    pdf: bytes
    png: bytes


def draw(
    result: EvalResult | Sequence[EvalResult], kind: str, width: str = "page"
) -> Figure | None:
    """One kind of figure of an eval, or None where it would show nothing (one model has no
    differences).

    Several evals make one forest plot with a heading for each: of means, or of differences from the
    one baseline that all of them have. Evals in percent share an axis; every other has its own.
    width: "page" (6.5 inches) or "column" (3.17), with type of the same size and fewer words.
    UnknownNameError: no such kind or width. ReportkitError: evals that one figure cannot show, of
    another kind, at several levels, or with more rows than a page has.
    """
    for given, known, what in ((kind, KINDS, "figure"), (width, tuple(WIDTHS), "width")):
        if given not in known:
            raise UnknownNameError(f"there is no {what} {given!r}{did_you_mean(given, known)}")
    results = [result] if isinstance(result, EvalResult) else list(result)
    _check_together(results, kind)
    import matplotlib.style

    # One list of fonts for the whole figure; matplotlib's own defaults and ours on top: a user's
    # matplotlibrc must not change a report.
    fonts = glyphs.families("".join(name for r in results for name in (r.eval, *r.models)))
    with matplotlib.style.context(["default", RC | {"font.family": list(fonts)}]):  # type: ignore[list-item]
        if len(results) == 1:
            canvas = ONE[kind](results[0], WIDTHS[width])
        else:
            canvas = (forest.means if kind == "means" else forest.differences)(
                results, WIDTHS[width]
            )
        if canvas is None:
            return None
        svg = _saved(canvas)
        matplotlib.rcParams["svg.fonttype"] = "none"
        pdf, png = _converted(_saved(canvas), fonts)
    title, alt = captions.caption(results, kind)
    return Figure(kind if width == "page" else f"{kind}-{width}", title, alt, svg, pdf, png)


def _check_together(results: Sequence[EvalResult], kind: str) -> None:
    if not results:
        raise ReportkitError("there is no eval to draw; give one result or several")
    if len(results) == 1:
        return
    if kind not in SEVERAL:
        raise ReportkitError(
            f"a figure of {kind} shows one eval, not {len(results)}; draw them one by one"
        )
    if len({r.level for r in results}) > 1:
        levels = ", ".join(f"{level:g}" for level in sorted({r.level for r in results}))
        raise ReportkitError(
            f"evals with intervals at the levels {levels} cannot share a figure; use one level"
        )
    baselines = {d.baseline for r in results for d in r.differences}
    if kind == "differences" and len(baselines) > 1:
        raise ReportkitError(
            f"differences of {len(results)} evals are from {len(baselines)} baselines; name one "
            "baseline for all"
        )
    rows = sum(1 + len(r.means if kind == "means" else r.differences) for r in results)
    if rows > forest.MOST:
        raise ReportkitError(
            f"{len(results)} evals make {rows} rows, and a page has {forest.MOST}; "
            "name fewer models, or draw the evals in several figures"
        )


def _saved(canvas: "Canvas") -> bytes:
    """The canvas as SVG, without what differs from one build to the next."""
    buffer = io.BytesIO()
    canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _converted(svg: bytes, fonts: Sequence[str]) -> Iterator[bytes]:
    """An SVG whose text is text as PDF, where it stays text in the embedded fonts, and as PNG.

    Typst takes a tenth of the time of matplotlib's own PDF, which cuts a font down in Python.
    """
    import typst

    source: Any = b"""#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg")"""
    compiler: Any = typst.Compiler(
        font_paths=glyphs.folders(fonts), ignore_system_fonts=True, sys_inputs={"svg": svg.decode()}
    )
    for form in ("pdf", "png"):
        yield compiler.compile(source, format=form, ppi=150 if form == "png" else None)
