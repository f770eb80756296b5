"""One escape for each format: any text prints as itself. Jinja environments call these."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterator

# What a name must not smuggle into a file: controls show their code point, lone surrogates the
# replacement mark, and so do marks that reorder the text around them.
_INVISIBLE = (
    {i: f"U+{i:04X}" for i in [*range(32), 0x7F] if chr(i) not in "\t\n\r"}
    | dict.fromkeys([*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF], "\ufffd")
    | {i: f"U+{i:04X}" for i in [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]}
    | {0x2028: " ", 0x2029: " "}
)


def visible(text: str) -> str:
    """The text with every control character shown; line ends stay."""
    return text.translate(_INVISIBLE)


def _one_line(text: str) -> str:
    return re.sub(r"[\t\n\r ]+", " ", text.translate(_INVISIBLE)).strip(" ")


_CONTROLS = ("Cc", "Cf", "Cs", "Zl", "Zp")
_JOINERS = "\u200c\u200d"  # within words of some scripts, and emoji


def terminal(text: str) -> str:
    r"""One line for a terminal: what would move the cursor, colour, end the line or turn its order
    shows as its escape.

    >>> terminal("a\x1b[2J\nb\u202ec é 中")
    'a\\x1b[2J\\nb\\u202ec é 中'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        repr(c)[1:-1] if unicodedata.category(c) in _CONTROLS and c not in _JOINERS else c
        for c in text
    )


NOTHING = "<!-- -->"  # parts two characters of Markdown without showing
# Markdown: entities where a backslash would not do everywhere ($ on GitHub, | inside tables,
# autolinks).
_MD = {ord(c): f"&#{ord(c)};" for c in "\\|$`~^"} | {ord(c): "\\" + c for c in "*_[]#"}
_MD |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}


def markdown(text: str) -> str:
    """
    >>> markdown("[a|b](x) *c*")
    '\\\\[a&#124;b\\\\](x) \\\\*c\\\\*'
    """
    text = _one_line(text).translate(_MD)
    text = re.sub(r"(?i)(https?|ftp|mailto)(:)|(www)(\.)", _unlink, text)
    # GitHub looks for @names and :smile: in the text that it has rendered: an escape does not hide
    # them, this does.
    text = re.sub(r"@|:(?=[\w+-]+:)", rf"\g<0>{NOTHING}", text)
    # What would open a list, a rule or a heading at the start of a line.
    text = re.sub(r"^([-+=])", r"\\\1", text)
    return re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", text)


def _unlink(match: re.Match[str]) -> str:
    """Break what GitHub would turn into a link by itself."""
    word, mark = [g for g in match.groups() if g]
    return f"{word}&#{ord(mark)};"


_TYPST = {ord(c): "\\" + c for c in "\\`*_#$<>@~[]'\"/-=+"}


def typst(text: str) -> str:
    """
    >>> typst("a--b // #c...")
    'a\\\\-\\\\-b \\\\/\\\\/ \\\\#c\\\\.\\\\..'
    """
    text = re.sub(r"[^\s\u1100-\uffff]{32,}", _breakable, _one_line(text)).translate(_TYPST)
    text = re.sub(r"\.(?=\.)", r"\\.", text)
    text = re.sub(r"^(\d+)\.(?=\s|$)", r"\1\\.", text)
    return text.replace("\0", "#box();")


def _breakable(word: re.Match[str]) -> str:
    """A word too long for a line may break after its marks, or after 16 letters; an empty box adds
    no character.
    """
    word_marks = re.sub(r"(?<=[-_/.:,|])(?=\w)", "\0", word[0])
    return re.sub(r"(\w{16})(?=\w)", "\\1\0", word_marks)


def typst_string(text: str) -> str:
    """A string of Typst code.

    >>> print(typst_string('a"b'))
    "a\\"b"
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


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
    if unicodedata.category(char) in ("Cf", "Co", "Cn") and char not in _JOINERS:
        return f"U+{ord(char):04X}"
    return rf"\rkchar{{{ord(char):04X}}}"


LONGEST = 20
_JOINERS = "\u200c\u200d"
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


def latex_flowing(text: str) -> str:
    r"""The same for captions, notes and paragraphs: words longer than LONGEST characters can break,
    without a hyphen.

    >>> print(latex_flowing("a" * 30))
    aaaaaaaaaaaaaaaaaaaa\allowbreak{}aaaaaaaaaa
    """
    pieces: list[str] = []
    since = 0
    for piece in _latex_pieces(_kerned(text)):
        if piece != " " and (
            since >= LONGEST or since > 8 and pieces[-1] in ("/", r"\_", "-", ".", ":")
        ):
            pieces.append(r"\allowbreak{}")
            since = 0
        since = 0 if piece in (" ", "~") else since + 1 + 6 * piece.count(r"\rkchar")
        pieces.append(piece)
    return "".join(pieces)


def _kerned(text: str) -> str:
    # A kern in between: neither -- nor ,, nor '' nor !‘ runs together into another character, in
    # any engine.
    text = unicodedata.normalize("NFC", _one_line(text))
    return re.sub(r"[-–—](?=[-–—])|[,'`‘’“”!?](?=[,'`‘’“”])|<(?=<)|>(?=>)", "\\g<0>\0", text)


ESCAPES: dict[str, Callable[[str], str]] = {
    "md": markdown,
    "tex": latex,
    "html": lambda text: html.escape(text.translate(_INVISIBLE)),
    "typ": typst,
}


def escape(text: str, fmt: str) -> str:
    """Plain text as source of `md`, `tex`, `html` or `typ` that prints exactly that text."""
    return ESCAPES[fmt](text)
