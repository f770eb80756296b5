"""How wide text is in LaTeX's own font, in points at 10 pt, so that a table that does not fit is
known before LaTeX runs.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable

# Advance widths of Computer Modern Roman 10 pt in hundredths of a point, from cmr10.tfm. The marks
# that LaTeX sets from another font (< > | " \ { } _) have the widths they have there.
_CMR10 = {
    278: "!',.:;[]`il|",
    306: "fj",
    333: "- ",
    361: "I",
    389: "()t",
    392: "rs",
    444: "cez",
    472: "?",
    500: '–“”$*/0123456789\\^ago{}~"',
    528: "kqvxy",
    514: "J",
    556: "Sbdhnpu",
    600: "_",
    611: "Z",
    625: "L",
    653: "F",
    681: "EP",
    708: "B",
    722: "CTw",
    736: "R",
    750: "AHNUVXY",
    764: "D",
    778: "&+=@KOQ<>−±×÷≤≥≠≈",
    785: "G",
    833: "#%m",
    917: "M",
    1000: "—→←",
    1028: "W",
}
_WIDTHS = {char: width / 100.0 for width, chars in _CMR10.items() for char in chars}
_BOLD = 1.15  # cmbx10 over cmr10; 1.15 exactly for digits
_OTHER, _WIDE = 6.5, 10.0


@functools.lru_cache(maxsize=4096)
def _char_width(char: str) -> float:
    if char in _WIDTHS:
        return _WIDTHS[char]
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    base = unicodedata.normalize("NFKD", char)[0]
    if base != char and base in _WIDTHS:
        return _WIDTHS[base]
    return _WIDE if unicodedata.east_asian_width(char) in "WF" else _OTHER


def text_width(text: str, *, bold: bool = False) -> float:
    """Width of the widest line in points at 10 pt; kerns are left out.

    >>> text_width("65.5% (0.7%)"), round(text_width("long\\nline"), 2)
    (58.33, 18.34)
    """
    width = max(sum(map(_char_width, line)) for line in text.split("\n"))
    return round(width * (_BOLD if bold else 1.0), 2)


def wrap(text: str, limit: float, word: float = 0.0) -> str:
    """The text broken into lines of at most `limit` points: at spaces, else after -, _, / and the
    like, else anywhere.

    word: a word that is no wider stays whole, however narrow the limit.

    >>> wrap("Answers per question", 40)
    'Answers\\nper\\nquestion'
    >>> wrap("meta-llama/Llama-3.1-405B-Instruct", 80)
    'meta-llama/\\nLlama-3.1-405B-\\nInstruct'
    """
    return "\n".join(
        line for part in text.split("\n") for line in _wrapped(part, limit, max(limit, word))
    )


def _wrapped(text: str, limit: float, word: float) -> Iterable[str]:
    line = ""
    for piece in _pieces(text, word):
        if line.strip() and text_width((line + piece).rstrip()) > limit:
            yield line.strip()
            line = ""
        line += piece
    yield line.strip()


def _pieces(text: str, limit: float) -> Iterable[str]:
    """What stays together: words with their space, their parts after a mark, and of a part too long
    as much as fits.
    """
    for word in re.findall(r"\s*\S+\s*?|\s+", text):
        if text_width(word.strip()) <= limit:
            yield word
            continue
        for part in re.findall(r"[^-_/.:,@|+=]*[-_/.:,@|+=]+|[^-_/.:,@|+=]+", word):
            piece = ""
            for char in part:
                if piece and unicodedata.combining(char) == 0 and text_width(piece + char) > limit:
                    yield piece
                    piece = ""
                piece += char
            yield piece
