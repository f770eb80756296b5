"""Which fonts cover a text, how wide it is in them, and names as short as their room."""

import itertools
import math
import os.path
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

# ships with matplotlib, so the bytes do not depend on the fonts of the machine
BASE = "DejaVu Sans"
LABEL = 60  # characters of a name before it is elided
LEAST = 25  # characters that the narrowest place has room for
EMS = 58.0  # times the size of its type that a name may be wide: two lines of a column at 7 points
BREAKS = "/-_ .:@"  # a name breaks after one of these


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


def letters_width(text: str, size: float) -> float:
    """Inches that the letters of a text take one by one: at least its width, in a hundredth of the
    time. Pairs stand closer, and Arabic letters are joined.
    """
    return size * sum(map(_letter_width, text))


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> float:
    return text_width(letter, 1)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Each name as every figure writes it, at any width: whole up to 60 characters, and never as
    another of these.

    What is longer loses its middle, for versions and sizes stand at the end. Where two are the same
    then, each keeps the place too where it departs from the others, or else gets a number.

    >>> alike = ["x" * 40 + size + "y" * 40 for size in ("-big-", "-old-")]
    >>> found = list(short_names(alike).values())
    >>> found[0] != found[1], all("-big-" in x or "-old-" in x for x in found)
    (True, True)
    """
    different = list(dict.fromkeys(names))
    found = {name: elided(name) for name in different}
    for alike in _alike(found):
        start = len(os.path.commonprefix([_drawn(name) for name in alike]))
        found |= {name: _around(_drawn(name), start) for name in alike}
    for alike in _alike(found):
        taken = set(found.values())
        for name in alike:
            k = different.index(name) + 1
            while (label := f"{found[name]} #{k}") in taken:
                k += len(different)
            found[name] = label
            taken.add(label)
    return found


def shortened_names(names: Sequence[str]) -> dict[str, str]:
    """Of these names, those that lose letters or get a number, as short_names() writes them. The
    others stay as they are in texts, which have more letters than figures.

    >>> shortened_names(["a", "\U0001f989 owl"]), len(shortened_names(["x" * 200]))
    ({}, 1)
    """
    if all(map(_surely_whole, names)):  # without a look at the letters of a font
        return {}
    short = short_names(names)
    return {name: label for name, label in short.items() if label != "".join(_drawn(name))}


def _surely_whole(name: str) -> bool:
    """Of letters that all fonts have, and no longer than if each were an em wide."""
    plain = name.isascii() and name.isprintable() and name == " ".join(name.split())
    return plain and len(name) <= min(EMS, LABEL)


def _alike(found: Mapping[str, str]) -> list[list[str]]:
    """The names that would be written the same."""
    groups: dict[str, list[str]] = {}
    for name, label in found.items():
        groups.setdefault(label, []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def elided(name: str, keep: int = LABEL) -> str:
    """A name of at most so many characters and at most as wide, without its middle: versions and
    sizes stand at the end. A character that is named stays whole.

    >>> elided("a-model-with-a-name-longer-than-its-row-of-the-plot-v2", 20)
    'a-model-wi…e-plot-v2'
    """
    drawn = _drawn(name)
    keep = min(keep, len(drawn))
    while letters_width(_cut(drawn, keep), 1) * 72 > EMS and keep > 3:
        keep -= 1
    return _cut(drawn, keep)


def _cut(drawn: Sequence[str], keep: int, start: float = 0.5) -> str:
    """So many of these letters; start: the share of them that stand before the mark."""
    if len(drawn) <= keep:
        return "".join(drawn)
    before = round(start * keep) if start != 0.5 else keep // 2
    return "".join([*drawn[:before], "…", *drawn[len(drawn) - (keep - 1 - before) :]])


def _around(drawn: Sequence[str], start: int) -> str:
    """A long name's beginning, what stands around the place `start`, and its end."""
    part = LABEL // 3 - 1
    first = max(part, min(start - part // 2, len(drawn) - 2 * part))
    if len(drawn) <= LABEL:
        return "".join(drawn)
    parts = [drawn[:part], drawn[first : first + part], drawn[len(drawn) - part :]]
    return elided("…".join("".join(chars) for chars in parts))


@lru_cache(maxsize=4096)
def in_lines(
    label: str, *, room: float, size: float, most: int = 2, anywhere: bool = True
) -> tuple[str, ...]:
    """A shortened name in as few lines as `room` inches ask for, at most so many; () where they do
    not hold it. It breaks at a space, or else where a part of it ends, in a date or a version only
    where no other place will do, or else anywhere, if it may and so many lines do not hold its
    words whole.

    A line with letters from right to left is isolated, so that it runs its way and the text around
    it runs on.

    >>> in_lines("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", room=1.5, size=8)
    ('deepseek-ai/DeepSeek-', 'R1-Distill-Qwen-32B')
    """
    if letters_width(label, size) <= room:
        return (isolated(label),)
    least = math.ceil(letters_width(label, size) / room)
    for within in (False, True)[: 1 + anywhere]:
        for lines in range(max(2, least), most + 1):
            if found := _in_exactly(label, room, size, lines, within):
                return found
    return ()


def _in_exactly(
    label: str, room: float, size: float, lines: int, anywhere: bool
) -> tuple[str, ...]:
    """A name that one line does not hold, in so many; the first is as long as can be."""
    fits = [k for k in range(1, len(label)) if letters_width(label[:k].rstrip(), size) <= room]
    ends = [k for k in fits if label[k - 1] in BREAKS and label[k] not in BREAKS]
    ends.sort(key=lambda k: (*_parts(label, k), label[k - 1] != " ", -k))
    for k in [*ends, *fits[-1:] * anywhere]:
        rest = label[k:].strip()
        found = in_lines(rest, room=room, size=size, most=lines - 1, anywhere=anywhere)
        if found:
            return (isolated(label[:k].strip()), *found)
    return ()


def _parts(label: str, k: int) -> tuple[bool, ...]:
    """What a line that ends before the letter k would part, the worst first: a date or a version,
    what stands in brackets, a name and its version.

    >>> [_parts("GPT-5 (medium reasoning)", k) for k in (4, 14)], any(_parts("4o-2024-05-13", 3))
    ([(False, False, True), (False, True, False)], False)
    """
    digits = len(label[k:]) - len(label[k:].lstrip("0123456789"))  # of a year four
    version = label[:k].endswith("-") and label[k - 2].isalpha() and 0 < digits < 4
    return _in_number(label, k), label[:k].count("(") > label[:k].count(")"), version


def _in_number(label: str, k: int) -> bool:
    """Whether a line that ends before the letter k would cut a date or a version: 2025-|08-07."""
    return k > 1 and label[k - 1] in "-._" and label[k - 2].isdigit() and label[k].isdigit()


def cuts_number(lines: Sequence[str], label: str) -> bool:
    """Whether a name in lines has a date or a version that goes on in the next one.

    >>> cuts_number(("GPT-5 (2025-08-", "07)"), "GPT-5 (2025-08-07)")
    True
    >>> cuts_number(("GPT-5 (2025-08-0", "7)"), "GPT-5 (2025-08-07)")
    True
    >>> cuts_number(("Llama 2", "70B"), "Llama 2 70B")
    False
    """
    return any(
        _in_number(first + rest, len(first)) or (first[-1:] + rest[:1]).isdigit()
        for first, rest in itertools.pairwise(lines)
        if first + rest in label
    )


def fitted(label: str, *, room: float, size: float, most: int = 1, start: float = 0.5) -> str:
    """A shortened name in lines of `room` inches, elided further where these do not hold it; start:
    the share of the letters kept that stand before the mark.
    """
    lines = in_lines(label, room=room, size=size, most=most)
    likely = len(label) * most * room / letters_width(label, size) + 4  # letters that it can hold
    for keep in range(min(len(label), int(likely)), 2, -1):
        if lines:
            break
        lines = in_lines(_cut(label, keep, start), room=room, size=size, most=most)
    return "\n".join(lines or [isolated(_cut(label, 3))])


def apart(labels: Sequence[str], *, room: float, size: float, most: int = 1) -> list[str]:
    """Different labels as `fitted`, cut where all stay different: in the middle, else further
    along or earlier, else at both ends, or else with the number of their row.
    """
    for start in (0.5, 0.25, 0.75, 0.1, 0.9):
        found = [fitted(x, room=room, size=size, most=most, start=start) for x in labels]
        if len(set(found)) == len(set(labels)):
            return found
    found = [_from(x, labels, room=room, size=size, most=most) for x in labels]
    if len(set(found)) == len(set(labels)):
        return found
    shorter = room - text_width(f" #{len(labels)}", size)
    cut = [fitted(x, room=shorter, size=size, most=most) for x in labels]
    return [f"{text} #{i}" for i, text in enumerate(cut, 1)]


def _from(label: str, labels: Sequence[str], *, room: float, size: float, most: int) -> str:
    """A label from where labels depart from each other, without its end where there is no room."""
    start = max(0, len(os.path.commonprefix(labels)) - 6)
    rest = "…" * (start > 0) + label[start:]
    for keep in range(len(rest), 2, -1):
        text = rest if keep == len(rest) else f"{rest[:keep]}…"
        if lines := in_lines(text, room=room, size=size, most=most):
            return "\n".join(lines)
    return ""


def isolated(text: str) -> str:
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
        for word in _words(text, room, size):
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and text_width(longer, size) > room:
                lines.append(word)
            else:
                lines[-1] = longer
    return lines


def _words(text: str, room: float, size: float) -> list[str]:
    """Words, of which one that is wider than the room is broken."""
    words = []
    for word in text.split(" "):
        if text_width(word, size) <= room:
            words.append(word)
        else:
            bare = word.replace("\u2068", "").replace("\u2069", "")
            words += in_lines(bare, room=room, size=size, most=9) or (word,)
    return words
