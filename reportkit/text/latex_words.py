"""Words that stay together in a line of LaTeX: an option with its value, a parameter with its
number, a date, SHA-256, Student's t.
"""

import re

from markupsafe import Markup

from reportkit.text.latex import latex, latex_flowing

# As in HTML: cost_answer = 0.1, and --errors zero; what is longer breaks, as a line may be short.
# The sign that a note explains stands with its column and with the first word of why, and a product
# with its value.
_TIED = re.compile(
    r"(?:\b[^\W\d]\w* [=<] \d|\bno \d|(?<!\S)--[a-z][a-z-]* (?!-|\S+ ?[=<] )|(?:\S+ )?—: )\S*"
    r"|\d\.\d+ × \(1 − \d\.\d+\) = \d+%"
)
LONGEST = 24
_MAY = r"(?:\\allowbreak\{\})?"
_DATE = re.compile(rf"(?<!\d)((?:19|20)\d\d)-{_MAY}([01]\d)-{_MAY}([0-3]\d)(?!\d)")
# In a box: with a tie, lines ended in "Stu-". In captions of small capitals t is still t, not T.
_STUDENT = re.compile(r"\b(Student's )t\b")
_HASH = re.compile(r"\bSHA-256\b")
_OPTION = re.compile(r"(?<!\S)--[a-z]")
_WORD = re.compile(r"(?<!\S)(?:--[a-z]\S* (?:'[^']*'|(?!--)\S+)|\S*-\S*)(?!\S)")
MOST = 60  # characters of a command that stay together; report.tex has 86 in a line


def flowing(text: str) -> str:
    r"""latex_flowing() in which no line ends within a date, SHA-256 or Student's t, between a
    parameter and its number, or between an option and its value.

    >>> print(flowing("gpt-4o-2024-08-06, p < 0.001"))
    gpt-4o-\mbox{2024-08-06}, p~\textless{}~0.001
    """
    dated = _DATE.sub(r"\\mbox{\1-\2-\3}", latex_flowing(tied(text)))
    hashed = _HASH.sub(r"\\mbox{\g<0>}", dated)
    return _STUDENT.sub(r"\\mbox{\1{\\fontshape{n}\\selectfont t}}", hashed)


def tied(text: str) -> str:
    """Text with no-break spaces where a line that ends there reads badly.

    >>> tied("(cost_answer = 0.1): give --errors zero").replace("\\u00a0", "~")
    '(cost_answer~=~0.1): give --errors~zero'
    >>> tied("no 0 takes its place. Detectable, —: not estimable").replace("\\u00a0", "~")
    'no~0 takes its place. Detectable,~—:~not estimable'
    """
    return _TIED.sub(_tie, text)


def _tie(found: re.Match[str]) -> str:
    return found[0].replace(" ", "\u00a0") if len(found[0]) <= LONGEST else found[0]


def command_lines(text: str) -> list[Markup]:
    r"""Preformatted text line by line: its spaces stay, long lines break, and a quote can be copied
    into a shell: in pdflatex it would be one of type. A line of a command breaks neither behind the
    hyphens of its words nor between an option and its value.

    >>> print(*command_lines("build a-b.csv --eval gsm"))
    build\ \mbox{a-b.csv}\ \mbox{-{\kern0pt}-eval\ gsm}
    """
    return [Markup(_command_line(line.expandtabs()) or r"\mbox{}") for line in text.split("\n")]


def _command_line(line: str) -> str:
    made, done = "", 0
    for word in _WORD.finditer(line) if _OPTION.search(line) else ():
        if len(word[0]) <= MOST:
            made += rf"{_source(line[done : word.start()])}\mbox{{{_source(word[0])}}}"
            done = word.end()
    return made + _source(line[done:])


def _source(text: str) -> str:
    parts = text.replace(" ", "\u00a0").split("'")
    return r"\textquotesingle{}".join(map(latex, parts)).replace("~", r"\ ")
