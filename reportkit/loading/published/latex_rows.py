"""LaTeX around the rows of a table, taken out so that rows alone are left: tables of one column
that break a cell's text, and what a longtable repeats on its pages. Places and lines stay.
"""

import re

KINDS = r"tabular\*?|tabularx|tabulary|array|longtable|tblr|xltabular|longtblr|supertabular"
_TABLE = re.compile(rf"\\(begin|end)\s*\{{({KINDS})\}}")
_BREAKS = re.compile(r"\s*(?:\[[a-z]\])?\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_SECTION = re.compile(r"\\end(firsthead|head|foot|lastfoot)(?![A-Za-z])")
_NOTES = re.compile(
    r"\\noalign\s*\{[^\n]*\n\s*\\insertTableNotes\s*\\\\|\\insertTableNotes\s*(?:\\\\)?"
)
_BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_TITLE = re.compile(rf"\\(caption|label)\*?\s*(?:\[[^\[\]]*\])?\s*{_BRACED}")


def without_inner(text: str) -> str:
    """A text in which a tabular of one column, which breaks the text of a cell, is a pair of
    braces.

    >>> inner = r"\\begin{tabular}[c]{@{}c@{}}A\\\\B\\end{tabular}"
    >>> without_inner(r"\\begin{tabular}{l}" + inner).split()
    ['\\\\begin{tabular}{l}{', 'A\\\\\\\\B}']
    """
    opens: list[re.Match[str]] = []
    for match in _TABLE.finditer(text):
        if match[1] == "begin":
            opens.append(match)
        elif opens:
            begin = opens.pop()
            columns = _BREAKS.match(text, begin.end())
            if not (opens and columns and begin[2] == match[2] == "tabular"):
                continue
            if not re.search(r"(?<!\\)&", text[columns.end() : match.start()]):
                text = _blank(text, begin.start(), columns.end(), "{")
                text = _blank(text, match.start(), match.end(), "}")
    return text


def _blank(text: str, start: int, end: int, kept: str = "") -> str:
    """A text with a part of it blank, but for its lines."""
    blank = re.sub(r"[^\n]", " ", text[start + len(kept) : end])
    return text[:start] + kept + blank + text[end:]


def without_pages(text: str, start: int, end: int) -> str:
    """A text in which a longtable has its heads once, and its rows: without the heads and feet of
    its pages, its caption and its notes.
    """
    sections = list(_SECTION.finditer(text, start, end))
    first = next((m for m in sections if m[1] == "firsthead"), None)
    first = first or next((m for m in sections if m[1] == "head"), None)
    parts: list[tuple[int, int]] = []
    if sections:
        kept = first.start() if first else start
        parts.append((kept, sections[-1].end()))
    parts += [m.span() for m in _NOTES.finditer(text, start, end)]
    for m in _TITLE.finditer(text, start, end):
        behind = re.compile(r"\s*(?:\\(?:label)\{[^{}]*\})?\s*\\\\").match(text, m.end(), end)
        parts.append((m.start(), behind.end() if behind else m.end()))
    for begin, stop in parts:
        text = _blank(text, begin, stop)
    return text
