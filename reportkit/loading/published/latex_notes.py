"""The caption of a table of LaTeX, and the notes below it."""

import re

from reportkit.loading.published.latex_rows import KINDS
from reportkit.loading.published.latex_text import Unread, braced, plain_latex

_FLOAT = re.compile(r"\\(begin|end)\s*\{(?:(?:side(?:ways)?)?table|wraptable|\\rkfloat)\*?\}")
_CAPTION = re.compile(r"\\caption(?:of\s*\{\w+\})?\*?\s*(?:\[[^\]]*\])?\s*(?=\{)")
_BEGIN = re.compile(rf"\\begin\s*\{{(?:{KINDS})\}}")
# What may end between a table and the notes below it, and how such notes begin.
_ENDS = r"\s*(?:(?:\\end\s*\{(?!table)[^{}]*\}|\}|\\\\|\\par\b|\\(?:small|med|big)skip\b|%|"
_ENDS += r"\\vspace\*?\{[^{}]*\}|\\vskip\s*-?[\d.]+\w\w)\s*)*"
_NOTES = re.compile(
    _ENDS + r"(?:\{?\\(?:footnotesize|scriptsize|small|tiny|raggedright|textit\{Notes?)\b"
    r"|\\begin\s*\{(?:tablenotes|minipage|flushleft)\}|\\parbox|(?:\\emph\{)?Notes?\b)"
)
_OWN_NOTES = re.compile(r"\\begin\{TableNotes\}(.*?)\\end\{TableNotes\}", re.DOTALL)
# Commands whose arguments are no text.
_SET = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\[[^\]]*\])?|\\(?:v|h)space\*?\s*\{[^{}]*\}|"
    r"\\(?:label|ref|cref|Cref|input|include)\s*\{[^{}]*\}|\\fontsize\{[^{}]*\}\{[^{}]*\}|"
    r"\\(?:setlength|addtolength)\s*\{[^{}]*\}\s*\{[^{}]*\}|\\item\b|\\parbox(?:\[\w\])?\{[^{}]*\}|"
    r"\\(?:cite|citep|citet)\*?(?:\[[^\]]*\])*\{[^{}]*\}"
)


def caption_of(text: str, start: int, end: int, kind: str) -> str:
    """The caption of the float that a table stands in, if it is alone there; of a longtable the
    one inside it.
    """
    place = (start, end) if kind == "longtable" else _float(text, start, end)
    found = _CAPTION.search(text, *place) if place else None
    if found is None:
        return ""
    try:
        return _plain(text[found.end() : braced(text, found.end())])
    except Unread:
        return ""


def notes_of(text: str, start: int, end: int, caption: str) -> str:
    """The notes below a table: what stands there in its float, or in small type below it."""
    inside = _float(text, start, end)
    behind = text[text.find("}", end) + 1 :]
    following = _BEGIN.search(behind)
    if inside:
        behind = text[text.find("}", end) + 1 : inside[1]]
    elif own := _OWN_NOTES.findall(text[:start]):
        return _plain(own[-1])
    elif not _NOTES.match(behind):
        return ""
    else:
        behind = re.split(r"\n\s*\n", behind[_first(behind) :], maxsplit=1)[0]
    if following:
        behind = behind[: following.start()]
    return _plain(_without_caption(behind))


def _first(text: str) -> int:
    match = re.match(_ENDS, text)
    return match.end() if match else 0


def _float(text: str, start: int, end: int) -> tuple[int, int] | None:
    """From where to where the float of a table is; None where it stands in none."""
    opens = [m for m in _FLOAT.finditer(text, 0, start) if m[1] == "begin"]
    closes = _FLOAT.search(text, end)
    if not opens or closes is None or closes[1] != "end":
        return None
    return opens[-1].end(), closes.start()


def _without_caption(text: str) -> str:
    found = _CAPTION.search(text)
    if found is None:
        return text
    try:
        return text[: found.start()] + text[braced(text, found.end()) :]
    except Unread:
        return text[: found.start()]


def _plain(text: str) -> str:
    text = _SET.sub(" ", text)
    try:
        return plain_latex(text)
    except Unread:  # it is no number
        text = re.sub(r"\\pm\b", "±", text).replace("\\%", "%")
        return " ".join(re.sub(r"\\[A-Za-z]+|[{}$\\]", " ", text).split())
