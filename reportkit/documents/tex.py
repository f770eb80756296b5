"""report.tex: compiles as it stands with pdflatex, xelatex and lualatex, beside figures/ and
reportkit-preamble.tex.
"""

import re

from markupsafe import Markup

from reportkit.documents.document import Document, changed, converted, known_links, rendered
from reportkit.text.brought import render_preamble
from reportkit.text.latex import LATEX_DIRECT, latex_char
from reportkit.text.latex_words import command_lines
from reportkit.text.visible import visible

_LABEL = re.compile(r"\\label\{([^{}]+)\}")
_LINK = re.compile(r"\\hyperref\[([^\]]+)\]")
# Hebrew, Arabic and their kin, with the spaces between words; before it what takes text as it is.
_LEFT = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]"
_AS_IT_IS = (
    r"\\begin\{verbatim\}.*?\\end\{verbatim\}|\\(?:label|href|url)\{[^{}]*\}|\\hyperref\[[^\]]*\]"
)
_LEFTWARDS = re.compile(rf"(?s){_AS_IT_IS}|(?P<run>{_LEFT}(?:{_LEFT}| (?={_LEFT}))*)")

_HEADING = re.compile(r"\\(?:(?:sub)*section|(?:sub)?paragraph)\{")


def write(document: Document) -> str:
    preamble = Markup(r"\input{reportkit-preamble}")
    beside = document.folder / "reportkit-preamble.tex"
    if document.alone:
        preamble = Markup(render_preamble().strip())
    elif not beside.exists():
        beside.write_text(render_preamble(), encoding="utf-8")
    blocks = known_links(converted(document, "text/latex", "tex"), _LABEL, _LINK, "")
    blocks = changed(blocks, _leftwards)
    texts = [b.text for b in blocks] + [document.title]
    return rendered(
        document,
        "tex",
        blocks,
        preamble=preamble,
        latex_lines=command_lines,
        declare=lambda: _declarations(texts),
    )


def _leftwards(text: str) -> str:
    """Text from pandoc in which words that are written from the right run from there: by themselves
    their letters would stand in the order of the left.

    >>> _leftwards("by \u05d0\u05d1 (2%)") == "by \\\\rkrtl{\u05d0\u05d1} (2%)"
    True
    """
    return _LEFTWARDS.sub(_leftward, text)


def _leftward(found: re.Match[str]) -> str:
    run = found["run"]
    if not run:
        return found[0]
    start = found.string.rfind("\n", 0, found.start()) + 1
    if _HEADING.match(found.string, start):  # which is a bookmark too, of text alone
        return rf"\texorpdfstring{{\rkrtl{{{run}}}}}{{{run}}}"
    return rf"\rkrtl{{{run}}}"


def _declarations(texts: list[str]) -> list[tuple[Markup, Markup]]:
    """Characters that LaTeX has to be told about, with what prints them."""
    chars = sorted(
        {c for text in texts for c in visible(text) if c > "\x7f" and c not in LATEX_DIRECT}
    )
    math = re.compile(r"^\$(.*)\$$")
    return [
        (Markup(f"{ord(c):04X}"), Markup(math.sub(r"\\ensuremath{\1}", latex_char(c))))
        for c in chars
    ]
