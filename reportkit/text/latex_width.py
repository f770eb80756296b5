"""How wide text is in LaTeX's own font, in points at 10 pt, so that a table that does not fit is
known before LaTeX runs.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

from reportkit.errors import MissingPackageError
from reportkit.text.fonts import package_file
from reportkit.text.latex import latex_char
from reportkit.text.visible import JOINERS, one_line

# Matplotlib ships the metric of Computer Modern Roman 10 pt. TeX's codes are those of ASCII, but
# for a few marks that LaTeX sets from another font or draws: their widths stand here, in
# thousandths of the size of the type.
_METRIC = "mpl-data/fonts/afm/cmr10.afm"
_ELSEWHERE = {
    167: "\u2009\u202f",
    278: "|\u2008‘’·⋅",
    333: " \u00a0\u2010\u2011",
    450: "†‡§°²³¹",
    500: '–“”\\{}^~"\u2007•↑↓',
    600: "_",
    778: "<>−±×÷≤≥≠≈∼€",
    833: "Δ√✓",
    1000: "—→←∞",
    1111: "©®",
    1333: "…",
}
_BOLD = 1.15  # cmbx10 over cmr10; 1.15 exactly for digits
_OTHER, _WIDE = 6.5, 10.0
_LOST = 1.25  # of a line of such codes some stays empty
# A word, with the number that counts it; its parts end behind marks, but within no number.
_COUNTED = r"(?:^\d+\.\s+)?"
_WORD = re.compile(rf"\s*{_COUNTED}\S+\s*?|\s+")
_INSIDE = r"(?:[^-_/.:,@|+=]|(?<=\d)[.,](?=\d))"
_PART = re.compile(rf"{_COUNTED}(?:{_INSIDE}*[-_/.:,@|+=]+|{_INSIDE}+)")
_OWNED = re.compile(rf"(\s*{_COUNTED}[^\s/]+/)([^\s/]+\s*)")
_FAR = "\u0530"  # from here on: beyond Latin, Greek and Cyrillic


@functools.cache
def _widths() -> dict[str, float]:
    """Advance widths in points at 10 pt of printable ASCII and of the marks above."""
    path = package_file("matplotlib", _METRIC)
    if path is None:
        raise MissingPackageError(
            f"matplotlib's file {_METRIC} is not there; install matplotlib again with pip"
        )
    entries = re.findall(r"(?m)^C (\d+) ; WX ([\d.]+) ;", path.read_text(encoding="ascii"))
    thousandths = {chr(int(code)): round(float(width)) for code, width in entries}
    known = {char: thousandths[char] for char in map(chr, range(0x21, 0x7F))}
    known |= {char: width for width, chars in _ELSEWHERE.items() for char in chars}
    return {char: width / 100.0 for char, width in known.items()}


@functools.lru_cache(maxsize=4096)
def _char_width(char: str) -> float:
    widths = _widths()
    if char in widths:
        return widths[char]
    shown = one_line(char)
    if len(shown) > 1:  # what cannot be seen prints as its code in every engine
        return _LOST * sum(widths[c] for c in shown)
    char = shown or char
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf") and (char in JOINERS or char < "\u0370"):
        return 0.0
    base = unicodedata.normalize("NFD", char)[0]
    if base in widths:
        return widths[base]
    if category[0] == "L" and unicodedata.east_asian_width(char) in "WF":
        return _WIDE
    if not re.search(r"\\rkchar|^U\+", latex_char(char)) or (category[0] == "L" and char < _FAR):
        return _OTHER
    # pdflatex has no font for it, or it cannot be seen: it prints as its code, which breaks badly
    return _LOST * sum(widths[c] for c in f"U+{ord(char):04X}")


@functools.lru_cache(maxsize=4096)
def text_width(text: str, *, bold: bool = False) -> float:
    """Width of the widest line in points at 10 pt; kerns are left out.

    >>> text_width("65.5% (0.7%)"), round(text_width("long\\nline"), 2)
    (58.33, 18.34)
    """
    width = max(sum(map(_char_width, line)) for line in text.split("\n"))
    return round(width * (_BOLD if bold else 1.0), 2)


def wrap(text: str, limit: float, word: float = 0.0, part: float = 0.0) -> str:
    """The text broken into lines of at most `limit` points: at spaces, else behind the one slash of
    owner/name, else after -, _, / and the like, else anywhere but within a word that is written
    from the right.

    word: a word that is no wider stays whole, however narrow the limit; part: what is no wider
    between two marks of a word.

    >>> wrap("Answers per question", 40)
    'Answers\\nper\\nquestion'
    >>> wrap("meta-llama/Llama-3.1-405B-Instruct", 80)
    'meta-llama/\\nLlama-3.1-405B-\\nInstruct'
    >>> wrap("meta-llama/Llama-3.1-405B-Instruct", 120)   # not behind 405B-
    'meta-llama/\\nLlama-3.1-405B-Instruct'
    >>> wrap("Llama-2-70b-hf", 40, 80), wrap("Mixtral-8x7b", 20, part=80)
    ('Llama-2-70b-hf', 'Mixtral-\\n8x7b')
    >>> wrap("10. Qwen-2.5-7B-Instruct", 58)   # no line ends within 2.5, nor behind 10.
    '10. Qwen-\\n2.5-7B-\\nInstruct'
    >>> wrap("\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}", 8).count("\\n")   # one word
    0
    """
    return "\n".join(
        line
        for own in text.split("\n")
        for line in _wrapped(own, limit, max(limit, word), max(limit, word, part))
    )


def _wrapped(text: str, limit: float, word: float, part: float) -> Iterable[str]:
    line = ""
    for piece in _pieces(text, limit, word, part):
        if line.strip() and text_width((line + piece).rstrip()) > limit:
            yield line.strip()
            line = ""
        line += piece
    yield line.strip()


def _pieces(text: str, limit: float, longest: float, part: float) -> Iterable[str]:
    """What stays together: words with their space, where they are no wider than the longest, their
    parts, and of a part that is too wide as much as fits.
    """
    for word in _WORD.findall(text):
        if text_width(word.strip()) <= longest:
            yield word
            continue
        for whole in _parts(word, limit):
            piece = ""
            for char in whole:
                if piece and not _held(piece[-1], char) and text_width(piece + char) > part:
                    yield piece
                    piece = ""
                piece += char
            yield piece


def _parts(word: str, limit: float) -> Sequence[str]:
    """The owner and the name of a word with one slash, where each fits on a line; else the parts
    after marks.
    """
    halves = _OWNED.fullmatch(word)
    if halves and all(text_width(half.strip()) <= limit for half in halves.groups()):
        return halves.groups()
    return _PART.findall(word)


def _held(before: str, char: str) -> bool:
    """Whether no line ends between two characters: a mark stays with its letter, and a word that is
    written from the right stays whole, since its letters join.
    """
    leftwards = {unicodedata.bidirectional(c) for c in (before, char)} <= {"R", "AL", "NSM", "BN"}
    return unicodedata.combining(char) != 0 or leftwards
