"""Text as LaTeX that prints it in pdflatex, xelatex and lualatex alike."""

import functools
import hashlib
import itertools
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence

from reportkit.text.visible import JOINERS, one_line

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # In braces, so that neither is read as the argument of a row end before it.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}

_MATH = {
    "−": "-",
    "±": r"\pm",
    "×": r"\times",
    "÷": r"\div",
    "·": r"\cdot",
    "≥": r"\geq",
    "≤": r"\leq",
    "≠": r"\neq",
    "≈": r"\approx",
    "∞": r"\infty",
    "√": r"\surd",
    "∑": r"\sum",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "²": "^2",
    "³": "^3",
    "¹": "^1",
    "∈": r"\in",
    "∼": r"\sim",
    "½": r"\frac12",
    "Γ": r"\Gamma",
    "Δ": r"\Delta",
    "Θ": r"\Theta",
    "Λ": r"\Lambda",
    "Ξ": r"\Xi",
    "Π": r"\Pi",
    "Σ": r"\Sigma",
    "Φ": r"\Phi",
    "Ψ": r"\Psi",
    "Ω": r"\Omega",
    "α": r"\alpha",
    "β": r"\beta",
    "γ": r"\gamma",
    "δ": r"\delta",
    "ε": r"\varepsilon",
    "ζ": r"\zeta",
    "η": r"\eta",
    "θ": r"\theta",
    "ι": r"\iota",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "μ": r"\mu",
    "µ": r"\mu",
    "ν": r"\nu",
    "ξ": r"\xi",
    "π": r"\pi",
    "ρ": r"\rho",
    "σ": r"\sigma",
    "τ": r"\tau",
    "φ": r"\varphi",
    "χ": r"\chi",
    "ψ": r"\psi",
    "ω": r"\omega",
    "υ": r"\upsilon",
    "°": r"^\circ",
    "′": r"^\prime",
    "✓": r"\surd",
    "⋅": r"\cdot",
    "†": r"\dagger",
    "‡": r"\ddagger",
    "•": r"\bullet",
    "¬": r"\neg",
}

_TEXT = {
    "—": "---",
    "–": "--",
    "…": r"\ldots{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "\u00a0": "~",
    "\u202f": r"\,",
    "\u2009": r"\,",
    "\u2007": r"\phantom{0}",
    "\u2008": r"\phantom{.}",
    "\u200b": "",
    "\u00ad": r"\-",
    "\u2010": "-",
    "\u2011": "-",
    "§": r"\S{}",
    "¶": r"\P{}",
    "©": r"\copyright{}",
    "£": r"\pounds{}",
    "¡": r"\textexclamdown{}",
    "¿": r"\textquestiondown{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "€": r"\texteuro{}",
    "®": r"\textregistered{}",
    "™": r"\texttrademark{}",
}

# Latin letters that T1 has and every OpenType text font has; all else goes through \rkchar.
LATEX_DIRECT = {
    chr(i)
    for i in [*range(0xC0, 0x180)]
    if i not in (0xD7, 0xF7, 0x126, 0x127, 0x138, 0x13F, 0x140, 0x149)
}
LATEX_DIRECT -= {chr(i) for i in (0x166, 0x167, 0x17F)}


def latex_char(char: str) -> str:
    """One character beyond ASCII as LaTeX that pdflatex, xelatex and lualatex all print.

    >>> latex_char("−"), latex_char("é"), latex_char("中")
    ('$-$', 'é', '\\\\rkchar{4E2D}')
    """
    if char in _MATH:
        return f"${_MATH[char]}$"
    if char in _TEXT:
        return _TEXT[char]
    if char in LATEX_DIRECT or char < "\x7f":
        return char
    # Marks without a shape, and code points without a meaning: no font is asked for them.
    if unicodedata.category(char) in ("Cf", "Co", "Cn") and char not in JOINERS:
        return f"U+{ord(char):04X}"
    return rf"\rkchar{{{ord(char):04X}}}"


LONGEST = 20
SHORTEST = 3  # letters of a word that may stand alone in the next line
IDENTIFIER = 14  # characters of the longest word that stays whole, brackets and commas with it
_CLOSING = (*").,:;!?'", "''", "{]}", r"\}", r"\guillemotright{}")
# \rkline{30pt}{...}: a line that was measured, and in further lines of that width where an engine
# without its letters prints their codes, which are wider.
IN_LINES = (
    r"\setbox0\hbox{#2}\ifdim\wd0>#1\relax \parbox[t]{#1}{\raggedright #2\strut}\else \box0 \fi"
)
# \rkfits{30pt}{lines}{whole}: a text in one line where that is no wider, as in an engine with its
# letters; else in the lines that its codes take.
WHERE_IT_FITS = r"\setbox0\hbox{#3}\ifdim\wd0>#1\relax #2\else \box0 \fi"
SLIDE_TYPE = 6.0  # points of the smallest type that a slide of beamer shows a table in
_CODES = ("U+", r"\rk")  # how what may print as codes begins
# Accents that LaTeX sets over any letter.
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}


def _accented(text: str) -> str | None:
    """A letter and its accents, at most one of them beyond the letters of LATEX_DIRECT; None for
    anything else.

    >>> _accented("q\\u0303"), _accented("ế"), _accented("x\\u0303\\u0301")
    ('\\\\~{q}', "\\\\'{ê}", None)
    """
    letters = unicodedata.normalize("NFD", text)
    base = unicodedata.normalize("NFC", letters[:-1])
    if (
        len(base) == 1
        and (base in LATEX_DIRECT or base.isascii() and base.isalpha())
        and letters[-1] in _ACCENTS
    ):
        return rf"\{_ACCENTS[letters[-1]]}{{{base}}}"
    return None


def _latex_pieces(text: str) -> Iterator[str]:
    """The text as LaTeX, in pieces between which a line may break; letters of one script beyond
    Latin are one run.
    """
    run: list[str] = []
    for cluster in [*re.findall(r"(?s).[\u0300-\u036f\ufe00-\ufe0f]*", text), ""]:
        far = (
            cluster != ""
            and latex_char(cluster[0]).startswith(r"\rkchar")
            and _accented(cluster) is None
        )
        if far or (run and cluster == " " and _right_to_left(run[0])):
            run += cluster
            continue
        if run:
            yield from _latex_run("".join(run))
            run = []
        if cluster:
            if len(cluster) > 1 or latex_char(cluster).startswith(r"\rkchar"):
                yield _accented(cluster) or "".join(map(_latex_one, cluster))
            else:
                yield _latex_one(cluster)


def _latex_one(char: str) -> str:
    return r"{\kern0pt}" if char == "\0" else _LATEX.get(char) or latex_char(char)


def _latex_run(run: str) -> Iterator[str]:
    """Far characters together, so that they can join and, where they do, run from right to left."""
    text = "".join(map(_latex_one, run.rstrip(" ")))
    if len(run.rstrip(" ")) > 1:
        text = rf"\rkrtl{{{text}}}" if _right_to_left(run[0]) else rf"\rktext{{{text}}}"
    yield text
    yield from " " if run.endswith(" ") else ""


def _right_to_left(char: str) -> bool:
    return unicodedata.bidirectional(char) in ("R", "AL")


def latex(text: str) -> str:
    """
    >>> print(latex("a_b 65.5% [−1.2]"))
    a\\_b 65.5\\% {[}$-$1.2{]}
    >>> print(latex("中文"))
    \\rktext{\\rkchar{4E2D}\\rkchar{6587}}
    """
    return "".join(_latex_pieces(_kerned(text)))


@functools.lru_cache(maxsize=1024)
def latex_flowing(text: str) -> str:
    r"""The same for captions, notes and paragraphs: words longer than LONGEST characters can break,
    without a hyphen; they end with no short line. A short word with an underscore, as a column has
    for a name, stays whole: LaTeX set clus-ter_id.

    >>> print(latex_flowing("a" * 30))
    aaaaaaaaaaaaaaaaaaaa\allowbreak{}aaaaaaaaaa
    >>> print(latex_flowing("a" * 20 + ", b"))   # no line begins with the comma
    aaaaaaaaaaaaaaaaaaaa, b
    >>> print(latex_flowing("FuseChat-Llama-3.2-3B"), latex_flowing("(cluster_id)."))
    FuseChat-\allowbreak{}Llama-3.2-3B \mbox{(cluster\_id).}
    """
    whole = list(_latex_pieces(_kerned(text)))
    pieces: list[str] = []
    since = 0
    for i, piece in enumerate(whole):
        long = since >= LONGEST or (since > 8 and pieces[-1] in ("/", r"\_", "-", ".", ":"))
        if (
            long
            and piece != " "
            and not _within_number(pieces, piece)
            and not _nearly_over(whole[i : i + SHORTEST + len(_CLOSING)])
        ):
            pieces.append(r"\allowbreak{}")
            since = 0
        since = 0 if piece in (" ", "~") else since + _letters(piece)
        pieces.append(piece)
    words = itertools.groupby(pieces, key=lambda piece: piece in (" ", "~"))
    return "".join(_unbroken(list(word)) for _, word in words)


def _unbroken(word: Sequence[str]) -> str:
    whole = r"\_" in word and r"\allowbreak{}" not in word and len(word) <= IDENTIFIER
    return rf"\mbox{{{''.join(word)}}}" if whole else "".join(word)


def _nearly_over(rest: Sequence[str]) -> bool:
    """Whether a word has fewer than SHORTEST letters left, or the next piece closes."""
    word = itertools.takewhile(lambda piece: piece not in (" ", "~"), rest)
    return rest[0] in _CLOSING or sum(piece not in _CLOSING for piece in word) < SHORTEST


def _within_number(before: Sequence[str], piece: str) -> bool:
    """Whether a piece stands behind the point of a decimal number."""
    return before[-1] == "." and before[-2:-1] != [] and (before[-2] + piece).isdecimal()


def latex_line(text: str, points: float) -> str:
    r"""A line of a cell that was measured as no wider than so many points.

    >>> print(latex_line("a_b", 20), latex_line("中文", 20))
    a\_b \rkline{20pt}{\rktext{\rkchar{4E2D}\rkchar{6587}}}
    """
    pieces = list(_latex_pieces(_kerned(text)))
    if not any(r"\rkchar" in piece for piece in pieces):
        return "".join(pieces)
    for k in range(len(pieces) - 1, 0, -1):
        if pieces[k] not in _CLOSING and any(p.startswith(_CODES) for p in pieces[k - 1 : k + 1]):
            pieces.insert(k, r"\allowbreak{}")
    return rf"\rkline{{{math.ceil(points)}pt}}{{{''.join(pieces)}}}"


def _letters(piece: str) -> int:
    """How many letters a piece prints at most: a character that no font has prints as its code."""
    return (len(piece) if piece.startswith("U+") else 1) + 6 * piece.count(r"\rkchar")


def _kerned(text: str) -> str:
    # A kern in between: neither -- nor ,, nor '' nor !‘ runs together into another character, in
    # any engine.
    text = unicodedata.normalize("NFC", one_line(text))
    return re.sub(r"[-–—](?=[-–—])|[,'`‘’“”!?](?=[,'`‘’“”])|<(?=<)|>(?=>)", "\\g<0>\0", text)


def latex_label(kind: str, eval: str, name: str) -> str:
    """<kind>:<eval>-<name>, so that a paper can hold the same table or figure of two evals; names
    of evals that lose characters stay apart.

    >>> latex_label("tab", "MATH", "means"), latex_label("fig", "", "suite-scores")
    ('tab:MATH-means', 'fig:suite-scores')
    >>> latex_label("tab", "own_reading", "means")   # with a hash of the name
    'tab:own-reading-da4724-means'
    """
    plain, own = (re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-") for text in (eval, name))
    apart = ""
    if plain != eval:
        apart = hashlib.sha256(eval.encode("utf-8", "replace")).hexdigest()[:6]
    return f"{kind}:" + "-".join(filter(None, [plain, apart, own or "table"]))
