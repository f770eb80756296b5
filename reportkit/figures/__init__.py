"""Records -> figures: the registry of kinds, and each drawn at the width of a page or a column as
SVG, PDF and PNG with an alternative text.
"""

import base64
import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import ReportkitError, UnknownNameError, did_you_mean
from reportkit.figures import (
    correlations,
    differences,
    heat,
    means,
    planning,
    power,
    ranks,
    variance,
)
from reportkit.figures.canvas import PHONE, RC, WIDTHS
from reportkit.figures.forest import MOST
from reportkit.figures.words import told
from reportkit.publishing.whole import write_whole
from reportkit.results import DifferenceResult, EvalResult, MeanResult, SuiteResult
from reportkit.tables.renaming import in_captions
from reportkit.text import figure_width as glyphs
from reportkit.text.escaping import escape
from reportkit.text.numbers import counted

if TYPE_CHECKING:  # matplotlib costs most of a second, so it waits for the first draw
    import pandas as pd
    from matplotlib.figure import Figure as Canvas

    from reportkit.analysis.planning import Planned
    from reportkit.scores.scores import Scores


@dataclass(frozen=True)
class Several:
    """One figure of several evals: how it is drawn, its title, an eval's records in it, and what
    the alternative text says of these.
    """

    draw: "Callable[[Sequence[EvalResult], float], Canvas | None]"
    title: Callable[[Sequence[EvalResult]], str]
    rows: Callable[[EvalResult], Sequence[MeanResult | DifferenceResult]]
    alt: Callable[[EvalResult], str]


@dataclass(frozen=True)
class Kind:
    """One kind of figure: its drawing at a width in inches (None: nothing to show), its title and
    its alternative text, both without the words about fictional data. A title is a caption that
    stands alone: the eval, what is shown, the intervals, metric and questions. Its last full stop
    may be left out.

    Title and alternative text are asked for only where the drawing is not None. on_request: no
    report has it by itself; `reportkit figure` draws it, and a cell that a user adds.
    """

    draw: "Callable[[EvalResult, float], Canvas | None]"
    title: Callable[[EvalResult], str]
    alt: Callable[[EvalResult], str]
    several: Several | None = None  # None: a figure shows one eval
    on_request: bool = False


_MEANS = Several(means.draw_several, means.title_several, means.rows, means.alt)
_DIFFERENCES = Several(
    differences.draw_several, differences.title_several, differences.rows, differences.alt_forest
)

KINDS: dict[str, Kind] = {
    "means": Kind(means.draw, means.title, means.alt, _MEANS),
    "differences": Kind(differences.draw, differences.title, differences.alt, _DIFFERENCES),
    "correlations": Kind(correlations.draw, correlations.title, correlations.alt),
    "power": Kind(power.draw, power.title, power.alt),
    "variance": Kind(variance.draw, variance.title, variance.alt),
    "ranks": Kind(ranks.draw, ranks.title, ranks.alt),
}


@dataclass(frozen=True)
class OneKind:
    """One kind of figure over several evals together, or of a plan, as Kind."""

    draw: "Callable[[Any, float], Canvas | None]"
    title: Callable[[Any], str]
    alt: Callable[[Any], str]


SUITE_KINDS: dict[str, OneKind] = {
    "suite-scores": OneKind(heat.draw_scores, heat.title_scores, heat.alt_scores),
    "suite-differences": OneKind(
        heat.draw_differences, heat.title_differences, heat.alt_differences
    ),
    "suite-ranks": OneKind(
        lambda s, width: ranks.draw(ranked(s), width, lambda _: ranks.title_suite(s)),
        ranks.title_suite,
        lambda s: ranks.alt(ranked(s)),
    ),
}


PLAN_KINDS: dict[str, OneKind] = {
    "planning-power": OneKind(planning.draw_power, planning.title_power, planning.alt_power),
    "planning-epochs": OneKind(planning.draw_epochs, planning.title_epochs, planning.alt_epochs),
    "planning-costs": OneKind(planning.draw_costs, planning.title_costs, planning.alt_costs),
}
FORMATS = ("svg", "pdf", "png")
_SHEETS: Mapping[str, float] = WIDTHS | {"phone": PHONE}


@dataclass(frozen=True, repr=False)
class Figure:
    """One finished figure, which a notebook shows. `title` is for the caption and not drawn; `alt`
    says the content in a sentence.
    """

    name: str  # the kind; of a column figure with "-column"
    title: str
    alt: str
    svg: bytes
    pdf: bytes
    png: bytes

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure to a file. The end of the path decides the format: .svg, .pdf or .png.

        UnknownNameError: another end. OutputError: the file cannot be written.
        """
        path = check_path(path)
        write_whole(path, getattr(self, path.suffix.lower().removeprefix(".")))
        return path

    def __repr__(self) -> str:
        return f"<Figure {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        """The picture with its caption and alternative text."""
        data = base64.b64encode(self.svg).decode()
        alt, title = escape(self.alt, "html"), escape(self.title, "html")
        return (
            f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{alt}">'
            f"<figcaption>{title}</figcaption></figure>"
        )

    def _repr_png_(self) -> tuple[bytes, dict[str, str]]:
        """For what shows no HTML: a console with pictures, LaTeX; with its metadata."""
        return self.png, {"alt": self.alt}


def check_path(path: str | os.PathLike[str]) -> Path:
    """The path of a figure; UnknownNameError where its end names none of FORMATS."""
    path = Path(path)
    if path.suffix.lower().removeprefix(".") not in FORMATS:
        raise UnknownNameError(
            f"{path}: a figure has no format {path.suffix!r}; end the path in .svg, .pdf or .png"
        )
    return path


def draw(
    result: "EvalResult | Sequence[EvalResult] | pd.DataFrame | Scores",
    kind: str,
    width: str = "page",
) -> Figure | None:
    """One kind of figure of an eval, or None where it would show nothing (one model has no
    differences).

    Several evals make one forest plot with a heading for each: of means, or of differences from the
    one baseline that all of them have. Evals in percent share an axis; every other has its own.
    width: "page" (6.5 inches) or "column" (3.17), with type of the same size and fewer words.
    UnknownNameError: no such kind or width. ReportkitError: evals that one figure cannot show, of
    another kind, at several levels, or with more rows than a page has.
    """
    about = _kind_of(KINDS, kind, width)
    from reportkit.analysis import results_given

    results = results_given(result, f"figure {kind!r}")
    if len(results) != 1:
        _check_together(results, kind)
    drawn = functools.partial(_drawn, results, about, _SHEETS[width])
    finished = _finished(drawn, [name for r in results for name in (r.eval, *r.models)])
    if finished is None:
        return None
    title, alt = _words(in_captions(results), about)
    return Figure(_named(kind, width), title, alt, *finished)


def draw_suite(suite: SuiteResult, kind: str, width: str = "page") -> Figure | None:
    """One kind of figure of several evals together, or None where it would show nothing.

    kind: suite-scores, suite-differences or suite-ranks. width: as of draw. UnknownNameError: no
    such kind or width.
    """
    about = _kind_of(SUITE_KINDS, kind, width)
    names = [*suite.models, *(r.eval for r in suite.evals)]
    return _one(about, suite, kind, width, names)


def draw_plan(p: "Planned", kind: str, width: str = "page") -> Figure | None:
    """One kind of figure of a plan, or None where it would show nothing.

    kind: planning-power, planning-epochs or planning-costs. width: as of draw. UnknownNameError: no
    such kind or width.
    """
    return _one(_kind_of(PLAN_KINDS, kind, width), p, kind, width, [])


def _kind_of(kinds: "Mapping[str, Any]", kind: str, width: str) -> Any:
    if kind not in kinds:
        raise UnknownNameError(f"there is no figure {kind!r}{did_you_mean(kind, kinds)}")
    if width not in _SHEETS:
        raise UnknownNameError(f"there is no width {width!r}{did_you_mean(width, WIDTHS)}")
    return kinds[kind]


def _one(about: Any, of: Any, kind: str, width: str, names: Sequence[str]) -> Figure | None:
    """A figure of a suite or a plan; names: all that it has, which decide the fonts."""
    finished = _finished(functools.partial(about.draw, of, _SHEETS[width]), names)
    if finished is None:
        return None
    if isinstance(of, SuiteResult):
        [of] = in_captions([of])
    title, alt = _told(about.title(of), about.alt(of), of.fictional)
    return Figure(_named(kind, width), title, alt, *finished)


def ranked(s: SuiteResult) -> EvalResult:
    """The suite as the figure of ranks takes it: its ranks by the averages over the evals."""
    first = next((r for r in s.evals if r.eval in s.weights), s.evals[0])
    name = f"the average over {counted(len(s.weights), 'eval')}"
    return replace(first, eval=name, models=s.models, ranks=s.ranks, fictional=s.fictional)


def _named(kind: str, width: str) -> str:
    return kind if width == "page" else f"{kind}-{width}"


def _finished(
    drawn: "Callable[[], Canvas | None]", names: Sequence[str]
) -> tuple[bytes, bytes, bytes] | None:
    """A drawing as SVG, PDF and PNG; None where there is nothing to show. names: all that it has,
    which decide the fonts.
    """
    import matplotlib.style

    # One list of fonts for the whole figure; matplotlib's own defaults and ours on top: a user's
    # matplotlibrc must not change a report.
    fonts = glyphs.families("".join(names))
    with matplotlib.style.context(["default", RC | {"font.family": list(fonts)}]):  # type: ignore[list-item]
        canvas = drawn()
        if canvas is None:
            return None
        from reportkit.figures.svg import as_svg

        svg = as_svg(canvas)
        pdf, png = _converted(svg, fonts)
    return svg, pdf, png


def _drawn(results: Sequence[EvalResult], kind: Kind, width: float) -> "Canvas | None":
    if len(results) == 1 or kind.several is None:
        return kind.draw(results[0], width)
    return kind.several.draw(results, width)


def _words(results: Sequence[EvalResult], kind: Kind) -> tuple[str, str]:
    """Title and alternative text; of several evals, what is said of each."""
    if len(results) == 1 or kind.several is None:
        title, alt = kind.title(results[0]), kind.alt(results[0])
    else:
        shown = [r for r in results if kind.several.rows(r)]
        title = kind.several.title(shown)
        each = " ".join(kind.several.alt(r) for r in shown)
        alt = f"{counted(len(shown), 'forest plot')}, one for each eval. {each}"
    return _told(title, alt, any(r.fictional for r in results))


def _told(title: str, alt: str, fictional: bool) -> tuple[str, str]:
    """Title and alternative text, with the words about fictional data where they are."""
    if fictional:
        alt += " The data are fictional."
    return told(title, fictional), alt


def _check_together(results: Sequence[EvalResult], kind: str) -> None:
    """ReportkitError where no figure of this kind can show these evals together."""
    several = KINDS[kind].several
    if several is None:
        raise ReportkitError(
            f"a figure of {kind} shows one eval, not {len(results)}; draw them one by one"
        )
    if len({r.level for r in results}) > 1:
        levels = ", ".join(f"{level:g}" for level in sorted({r.level for r in results}))
        raise ReportkitError(
            f"evals with intervals at the levels {levels} cannot share a figure; use one level"
        )
    records = [row for r in results for row in several.rows(r)]
    baselines = {row.baseline for row in records if isinstance(row, DifferenceResult)}
    if len(baselines) > 1:
        raise ReportkitError(
            f"differences of {len(results)} evals are from {len(baselines)} baselines; name one "
            "baseline for all"
        )
    rows = len(results) + len(records)
    if rows > MOST:
        raise ReportkitError(
            f"{len(results)} evals make {rows} rows, and a page has {MOST}; "
            "name fewer models, or draw the evals in several figures"
        )


def _converted(svg: bytes, fonts: Sequence[str]) -> Iterator[bytes]:
    """An SVG whose text is text as PDF, where it stays text in the embedded fonts, and as PNG.

    Typst takes a tenth of the time of matplotlib's own PDF, which cuts a font down in Python.
    """
    import typst

    from reportkit.figures.svg import PPI, for_typst, with_size

    source: Any = b"""#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg")"""
    known = _fonts_in_typst(tuple(glyphs.folders(fonts)))
    compiler: Any = typst.Compiler(
        font_paths=known, ignore_system_fonts=True, sys_inputs={"svg": for_typst(svg)}
    )
    # PDF 1.5 is what LaTeX makes and takes without a warning.
    yield compiler.compile(source, format="pdf", pdf_standards="1.5")
    yield with_size(compiler.compile(source, format="png", ppi=PPI))


@functools.lru_cache(maxsize=4)
def _fonts_in_typst(folders: tuple[str, ...]) -> Any:
    """The fonts of some folders as Typst knows them, looked through once."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=list(folders))
