"""Commands and printed text of a Word document, in type so small that a line need not break within
a word: an option or a name that breaks at its hyphen reads as two.
"""

import re

from reportkit.documents.docx_tables import PORTRAIT, styled
from reportkit.documents.pandoc import Node

# Of a letter of Consolas and of the widest font that may stand in, in sizes of the type.
EMS = (0.55, 0.602)
USUAL = 9.5  # points, of the style Verbatim Char
SMALLER = ((" Small", 8.5), (" Smaller", 7.5))  # ending of the style, and points


def code_block(text: str) -> Node:
    """The text in the usual type or, where that keeps words whole, in smaller one. A command for
    which no size does has lines of its own, which a shell reads as one.
    """
    ending = _ending(text)
    if ending is None and text.startswith("reportkit "):
        text, ending = _continued(text, int(PORTRAIT / (USUAL * max(EMS)))), ""
    if not ending:
        return {"t": "CodeBlock", "c": [["", [], []], text]}
    runs: list[Node] = []
    for line in text.split("\n"):
        runs += [{"t": "LineBreak"}, {"t": "Str", "c": line}]
    style = [["custom-style", f"Verbatim Char{ending}"]]
    span: Node = {"t": "Span", "c": [["", [], style], runs[1:]]}
    return styled(f"Source Code{ending}", [{"t": "Para", "c": [span]}])


def _continued(command: str, room: int) -> str:
    r"""The command in lines of so many letters, an option with its value; as it is, where one is
    longer.

    >>> print(_continued("reportkit build --eval 'a b' --eval c", 25))
    reportkit build \
      --eval 'a b' --eval c
    """
    words = re.findall(r"""(?:--\S+ )?(?:'[^']*'|"[^"]*"|[^\s'"])+""", command)
    lines = words[:1]
    for word in words[1:]:
        if len(f"{lines[-1]} {word} \\") > room:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    text = " \\\n".join(lines)
    whole = " ".join(words) == command and max(map(len, text.split("\n"))) <= room
    return text if whole else command


def _ending(text: str) -> str | None:
    """The first style that keeps every line whole, else one that breaks lines at spaces alone;
    none, where no size does.
    """
    lines = text.split("\n")
    sizes = (("", USUAL), *SMALLER)
    for whole in (True, False):
        for ending, size in sizes:
            rooms = [int(PORTRAIT / (size * em)) for em in EMS]
            if all(_keeps(line, room, whole) for line in lines for room in rooms):
                return ending
    return None


def _keeps(line: str, room: int, whole: bool) -> bool:
    """Whether a line of so many letters has room for it all, or breaks at spaces alone.

    >>> _keeps("make --eval a-b", 14, True), _keeps("make --eval a-b", 14, False)
    (False, False)
    >>> _keeps("make --eval a-b", 12, False)
    True
    """
    if whole:
        return len(line) <= room
    left = 0
    for word in line.split(" "):
        if left and left + len(word) > room:
            if any(sign in word[: room - left] for sign in "-/"):
                return False
            left = 0
        if len(word) > room:
            return False
        left += len(word) + 1
    return True
