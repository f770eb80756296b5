"""Which fonts cover a text, how wide it is in them, and names as short as their room."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

# ships with matplotlib, so the bytes do not depend on the fonts of the machine
BASE = "DejaVu Sans"
LABEL = 40  # characters of a name before it is elided


def families(text: str) -> tuple[str, ...]:
    """The fonts that a text needs, in the order to try them: the one place where this is decided.

    DejaVu Sans has Latin, Greek, Cyrillic, Arabic and Hebrew. Where it lacks a character, the
    Chinese, Japanese and Korean font (19 MB) is loaded too, in the forms of the language that the
    text shows. What neither has is named by `_drawn`; another font would be one more line here.

    >>> families("GPT-7B"), families("モデル")[1:], families("通义千问")[1:]
    (('DejaVu Sans',), ('Noto Sans CJK JP',), ('Noto Sans CJK SC',))
    """
    if all(ord(c) in _glyphs(BASE) for c in text if c.isprintable()):
        return (BASE,)
    cjk = f"Noto Sans CJK {_language(text)}"
    _load_cjk()
    if any(ord(c) in _glyphs(cjk) for c in text):
        return (BASE, cjk)
    return (BASE,)


def _language(text: str) -> str:
    """Whose forms of the characters a text needs: Japanese, Korean or else Chinese."""
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in text}
    if scripts & {"HIRAGANA", "KATAKANA"}:
        return "JP"
    if "HANGUL" in scripts:
        return "KR"
    return "SC"


def folders(fonts: Sequence[str]) -> list[str]:
    """Where the files of these fonts are, for a program that is given folders."""
    from pathlib import Path

    return sorted({str(Path(_file(font)).parent) for font in fonts})


@lru_cache(maxsize=1)
def _load_cjk() -> None:
    from matplotlib.font_manager import fontManager
    from noto_cjk_sans_otc import FONT_PATH

    fontManager.addfont(FONT_PATH)


def _file(font: str) -> Any:
    from matplotlib.font_manager import findfont

    return findfont(font, fallback_to_default=False)


@lru_cache(maxsize=8)
def _glyphs(font: str) -> frozenset[int]:
    from matplotlib.font_manager import get_font

    return frozenset(get_font(_file(font)).get_charmap())


def _drawn(text: str) -> list[str]:
    """Its characters; what no font has, or what does not print, is named: a box would hide which it
    is.

    >>> _drawn("α\\u0915\\u202e中")
    ['α', 'U+0915', 'U+202E', '中']
    """
    fonts = families(text)
    known = [c.isprintable() and any(ord(c) in _glyphs(font) for font in fonts) for c in text]
    return [c if drawn else f"U+{ord(c):04X}" for c, drawn in zip(text, known, strict=True)]


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Inches that a text takes at a font size in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families(text)), size=size)
    return float(text_to_path.get_text_width_height_descent(text, font, False)[0]) / 72


def fit_names(names: Sequence[str], *, room: float, size: float, number: bool = True) -> list[str]:
    """Names as they can be drawn in `room` inches; two names that look the same when elided get
    their row's number.
    """
    labels = []
    for name in names:
        keep = LABEL
        while text_width(label := short_name(name, keep), size) > room and keep > 3:
            keep -= 1
        labels.append(label)
    seen = Counter(dict(zip(names, labels, strict=True)).values())
    return [f"{x} #{i}" if number and seen[x] > 1 else x for i, x in enumerate(labels, 1)]


def short_name(name: str, keep: int = LABEL) -> str:
    """A name as the fonts can draw it, elided in the middle: versions and sizes stand at the end.

    A name with letters from right to left is isolated, so that it runs its way and the text around
    it runs on.

    >>> short_name("a-model-with-a-name-longer-than-its-row-of-the-plot-v2", 20)
    'a-model-wi…e-plot-v2'
    """
    drawn = _drawn(name)
    if len(drawn) > keep:  # a character that is named stays whole
        drawn = [*drawn[: keep // 2], "…", *drawn[len(drawn) - (keep - 1) // 2 :]]
    text = "".join(drawn)
    if any(unicodedata.bidirectional(c) in ("R", "AL") for c in text):
        return f"\u2068{text}\u2069"
    return text


def wrapped(parts: Sequence[str], room: float, size: float) -> list[str]:
    """Parts of a sentence joined by semicolons, in lines of at most `room` inches; a long part
    breaks at its spaces.

    >>> wrapped(["Mean score (%), 95% CI", "hollow: interval undefined"], 2.0, 8)
    ['Mean score (%), 95% CI;', 'hollow: interval undefined']
    """
    lines: list[str] = []
    for i, part in enumerate(parts):
        text = part + (";" if i < len(parts) - 1 else "")
        if lines and text_width(f"{lines[-1]} {text}", size) <= room:
            lines[-1] += f" {text}"
            continue
        lines.append("")
        for word in text.split(" "):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and text_width(longer, size) > room:
                lines.append(word)
            else:
                lines[-1] = longer
    return lines
