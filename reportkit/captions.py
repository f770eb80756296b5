"""The words of the figures: titles, alternative texts, and names as short as their room."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

from reportkit.formatting import DASH, Units, count, fixed, percent_of, units_of
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult

Kind = Literal["means", "differences", "correlations", "power"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FONT = "DejaVu Sans"  # ships with matplotlib, so the bytes do not depend on the fonts of the machine
LABEL = 40  # characters of a name before it is elided
PAIRS = 6  # power curves that can still be told apart


def caption(result: EvalResult, kind: Kind) -> tuple[str, str]:
    """Title and alternative text of a figure that shows something."""
    title, alt = _CAPTIONS[kind](result)
    return (f"{title} (fictional data).", f"{alt} The data are fictional.") if result.fictional else (f"{title}.", alt)


def value_of(record: MeanResult | DifferenceResult) -> float:
    return record.mean if isinstance(record, MeanResult) else record.difference


def estimate(u: Units, record: MeanResult | DifferenceResult) -> str:
    """A mean or a difference with its interval, in the words of the tables."""
    signed, value = isinstance(record, DifferenceResult), value_of(record)
    if not math.isfinite(value):
        return DASH
    return f"{u.number(value, sign=signed)} {u.interval(record.ci_low, record.ci_high, sign=signed)}"


def alpha_of(result: EvalResult) -> str:
    """The level of significance in print: that of the tables and the prose."""
    return f"{1.0 - result.level:.4g}"


def pairs_with_curves(result: EvalResult) -> tuple[list[PowerResult], str]:
    """The pairs whose power is drawn, and what to say if these are not all."""
    known = [p for p in result.power if math.isfinite(p.mde) and p.mde > 0 and p.n_questions > 0]
    shown = known[:PAIRS]
    note = f"{len(shown)} of {count(len(result.power))} pairs" if len(shown) < len(result.power) else ""
    return shown, f"the first {note}" if len(shown) < len(known) else note


# Titles and alternative texts -----------------------------------------------------------------------------------------


def _means(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    known = [m for m in result.means if math.isfinite(m.mean)]
    said = [f"{m.model} {estimate(u, m)}" for m in _ends(known, value_of)]
    title = f"Mean score on {result.eval} with {percent_of(result.level)} confidence intervals"
    return title, f"Forest plot of the mean score on {result.eval}, {_told(said, len(known), 'model')}."


def _differences(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    known = [d for d in result.differences if math.isfinite(d.difference)]
    clear = sum(d.p_adjusted < 1.0 - result.level for d in known)
    said = [f"{d.model} minus {d.baseline} {estimate(u, d)}" for d in _ends(known, value_of)]
    matrix = len({d.baseline for d in result.differences}) > 1
    over = "between every two models" if matrix else f"from {result.differences[0].baseline}"
    return f"Differences in score on {result.eval} {over}", (
        f"{'Matrix' if matrix else 'Forest plot'} of differences on {result.eval}, "
        f"{_told(said, len(known), 'comparison')}; "
        f"{count(clear)} of {count(len(known))} have an adjusted p below {alpha_of(result)}."
    )


def _correlations(result: EvalResult) -> tuple[str, str]:
    pairs = [(r, i, j) for i, row in enumerate(result.correlations) for j, r in enumerate(row[:i]) if math.isfinite(r)]
    said = [f"{result.models[i]} and {result.models[j]} {fixed(r, 2)}" for r, i, j in _ends(pairs, lambda p: p[0])]
    title = f"Correlations of question scores between models on {result.eval}"
    return title, f"Matrix of correlations on {result.eval}, {_told(said, len(pairs), 'pair')}."


def _power(result: EvalResult) -> tuple[str, str]:
    u = units_of(result)
    pairs, note = pairs_with_curves(result)
    said = [f"{p.model} and {p.baseline} {u.error(p.mde)} at {count(p.n_questions)}" for p in pairs]
    title = (
        f"Smallest detectable difference on {result.eval} by number of questions "
        f"(α = {pairs[0].alpha:.4g}, power {percent_of(pairs[0].power)})"
    )
    return title, (
        "Curves of the detectable difference, falling with the square root of the number of questions"
        f"{note and f', for {note}'}: {'; '.join(said)} questions."
    )


_CAPTIONS = {"means": _means, "differences": _differences, "correlations": _correlations, "power": _power}


def _ends(items: list[Any], key: Callable[[Any], float], full: int = 6) -> list[Any]:
    """All of a few; of many the two ends, which is what a listener can hold."""
    return items if len(items) <= full else [max(items, key=key), min(items, key=key)]


def _told(said: list[str], n: int, noun: str) -> str:
    """
    >>> _told(["A 0.9", "Z 0.1"], 26, "model")
    '26 models, from highest to lowest: A 0.9; Z 0.1'
    """
    order = ", from highest to lowest" if len(said) < n else ""
    return f"{count(n)} {noun}{'s' * (n != 1)}{order}: {'; '.join(said)}"


# Names in a figure ----------------------------------------------------------------------------------------------------


def fit_names(names: Sequence[str], *, room: float, size: float, number: bool = True) -> list[str]:
    """Names as they can be drawn in `room` inches; two that look the same when elided get their row's number."""
    labels = []
    for name in names:
        keep = LABEL
        while text_width(label := short_name(name, keep), size) > room and keep > 8:
            keep -= 1
        labels.append(label)
    seen = Counter(labels)
    return [f"{x} #{i}" if number and seen[x] > 1 else x for i, x in enumerate(labels, 1)]


def short_name(name: str, keep: int = LABEL) -> str:
    """A name the font can draw, elided in the middle: versions and sizes stand at the end.

    >>> short_name("a-model-with-a-name-longer-than-its-row-of-the-plot-v2", 20)
    'a-model-wi…e-plot-v2'
    >>> short_name("中")
    '<U+4E2D>'
    """
    glyphs = _glyphs()
    text = "".join(c if ord(c) in glyphs and c.isprintable() else f"<U+{ord(c):04X}>" for c in name)
    return text if len(text) <= keep else f"{text[: keep // 2]}…{text[len(text) - (keep - 1) // 2 :]}"


@lru_cache(maxsize=1)
def _glyphs() -> frozenset[int]:
    """Characters of the font. The others are named: a box would hide which, and another font may not be there."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(get_font(findfont(FONT)).get_charmap())


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Inches that a text takes at a font size in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=FONT, size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72
