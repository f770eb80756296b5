"""Tables of a LaTeX file: tabular, tabular*, tabularx, tabulary and array. What they cannot be sure
of is refused.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from reportkit.errors import ScoresError
from reportkit.loading.published.latex_notes import caption_of, notes_of
from reportkit.loading.published.latex_rows import KINDS, without_inner, without_pages
from reportkit.loading.published.latex_text import Unread, braced, spanning
from reportkit.loading.published.sheet import Row, Sheet, Sheets, headed, named

_BEGIN = re.compile(rf"\\begin\s*\{{({KINDS})\}}")
_BASELINE = re.compile(r"Baseline (\d+): (.+)")
WIDE = ("tabular*", "tabularx", "tabulary")  # which take a width
READ = (*WIDE, "tabular", "array", "longtable")
_RULE = re.compile(
    r"\s*\\(?:(?P<across>toprule|midrule|bottomrule|hline|hlineB|Xhline|specialrule|cmidrule|cline"
    r"|addlinespace|morecmidrules|rowcolor|arrayrulecolor|rule|noalign)\b)"
)
_ARGUMENT = re.compile(r"\s*(?:\[[^\]]*\]|\((?:[lr]|\{[^}]*\})*\)|\{[^{}]*\})")
# What columns may have beside their cells: how they are set, and space.
_HARMLESS = re.compile(
    r"\\(?:raggedright|raggedleft|centering|arraybackslash|bfseries|itshape|small|footnotesize|quad"
    r"|vrule|hskip|extracolsep|hspace\*?)(?![A-Za-z])(?:\{[^{}]*\})?|\\[,; ]|[$|]|\\fill"
)
INNER = ("midrule", "hline", "hlineB", "Xhline", "specialrule")  # may part heads from rows


def is_latex(text: str) -> bool:
    return _BEGIN.search(text) is not None


def latex_sheets(text: str, name: str) -> Sheets:
    """The tables of a text. ScoresError with the line where something is not read."""
    text = re.sub(r"(?<!\\)((?:\\\\)*)%[^\n]*", r"\1", text)  # remarks
    text = without_inner(text)
    found = list(_sheets(text, name))
    if not found:
        raise ScoresError(f"{name}: there is no \\begin{{tabular}}; paste the table whole")
    return named(found)


def _sheets(text: str, name: str) -> Iterator[Sheet]:
    at = 0
    while match := _BEGIN.search(text, at):
        kind, line = match[1], _line(text, match.start())
        if kind not in READ:
            raise ScoresError(
                f"{name}, line {line}: a {kind} is not read; write it as tabular, with one line of "
                "heads"
            )
        try:
            start = _behind_columns(text, match.end(), kind)
        except Unread as error:
            raise ScoresError(f"{name}, line {line}: {error}") from None
        end = text.find(f"\\end{{{kind}}}", start)
        if end < 0:
            raise ScoresError(f"{name}, line {line}: there is no \\end{{{kind}}}; paste it whole")
        inner = _BEGIN.search(text, start, end)
        if inner:
            raise ScoresError(
                f"{name}, line {_line(text, inner.start())}: a table stands in a cell; write its "
                "text in one line"
            )
        caption = caption_of(text, start, end, kind)
        whole = without_pages(text, start, end) if kind == "longtable" else text
        sheet = _sheet(whole, start, end, name, caption)
        yield replace(sheet, below=notes_of(text, start, end, caption))
        at = end


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _behind_columns(text: str, at: int, kind: str) -> int:
    """Where the rows begin: behind the width, [t] and the columns."""
    columns = ""
    for what in ("width", "place", "columns"):
        if what == "width" and kind not in WIDE:
            continue
        while text[at : at + 1].isspace():
            at += 1
        if what == "place":
            at = text.find("]", at) + 1 if text[at : at + 1] == "[" else at
        elif text[at : at + 1] != "{":
            raise Unread(f"\\begin{{{kind}}} has no columns in braces; write them, such as {{lrr}}")
        else:
            end = braced(text, at)
            columns, at = text[at:end], end
    for inserted in re.findall(r"[<>@!]\s*(\{(?:[^{}]|\{[^{}]*\})*\})", columns):
        if _HARMLESS.sub("", inserted[1:-1]).strip():
            raise Unread(
                f"the columns print {inserted} beside their cells; write it in the cells, and "
                "plain columns such as {lrr}"
            )
    if "S" in columns:
        raise Unread(
            "columns of kind S (siunitx) print numbers in a way of their own; write them as r"
        )
    return at


def _sheet(text: str, start: int, end: int, name: str, caption: str) -> Sheet:
    """The rows of one table; those before the first rule that more rows follow are heads."""
    rows: list[Row] = []
    heads = 0
    for row, rules in _rows(text, start, end, name):
        if rules & set(INNER) and rows and not heads:
            heads = len(rows)
        if any(row.cells):
            rows.append(row)
    return headed(caption, _with_baselines(rows), heads, name, _line(text, start))


def _with_baselines(rows: list[Row]) -> list[Row]:
    """The rows of reportkit's own differences with the baseline's name in place of its number,
    which stands in a heading between rows: "Baseline 1: Heron".
    """
    found = [(row, _BASELINE.fullmatch(row.cells[0])) for row in rows if row.across > 1]
    names = {match[1]: match[2] for _, match in found if match}
    if not names:
        return rows
    at = next((j for row in rows for j, x in enumerate(row.cells) if x == "Baseline"), 0)
    headings = [row for row, match in found if match]
    kept = [row for row in rows if row not in headings]
    return [
        replace(row, cells=(*row.cells[:at], names.get(row.cells[at], row.cells[at]),
                            *row.cells[at + 1 :])) if len(row.cells) > at else row
        for row in kept
    ]  # fmt: skip


def _rows(text: str, start: int, end: int, name: str) -> Iterator[tuple[Row, set[str]]]:
    """Each row, and the rules above it."""
    at = start
    while at < end:
        at, rules = _behind_rules(text, at, end, name)
        cells, behind = _cells(text, at, end, name)
        first = at + len(text[at:end]) - len(text[at:end].lstrip())
        each = tuple(cell for cell, across in cells for _ in range(across))
        yield Row(_line(text, first), each, max(across for _, across in cells)), rules
        at = behind


def _behind_rules(text: str, at: int, end: int, name: str) -> tuple[int, set[str]]:
    found = set()
    while match := _RULE.match(text, at, end):
        found.add(match["across"])
        at = match.end()
        while argument := _ARGUMENT.match(text, at, end):
            at = argument.end()
    return at, found


def _cells(text: str, at: int, end: int, name: str) -> tuple[list[tuple[str, int]], int]:
    """The cells of one row, each with the columns that it spans, and the place behind it."""
    parts, part, i = [], at, at
    while i < end:
        if text[i] == "{":
            i = _closed(text, i, name)
        elif text[i] == "&":
            parts.append(text[part:i])
            part = i = i + 1
        elif text.startswith(("\\\\", "\\tabularnewline"), i):
            parts.append(text[part:i])
            behind = re.compile(r"\\(?:\\|tabularnewline\b)\s*\*?[ \t]*(?:\[[^\]\n]*\])?")
            match = behind.match(text, i)
            assert match is not None
            return _plain(parts, text, at, name), match.end()
        else:
            i += 2 if text[i] == "\\" else 1
    return _plain([*parts, text[part:end]], text, at, name), end


def _closed(text: str, at: int, name: str) -> int:
    try:
        return braced(text, at)
    except Unread as error:
        raise ScoresError(f"{name}, line {_line(text, at)}: {error}") from None


def _plain(parts: list[str], text: str, at: int, name: str) -> list[tuple[str, int]]:
    found = []
    for part in parts:
        at += len(part) - len(part.lstrip())
        try:
            found.append(spanning(part))
        except Unread as error:
            raise ScoresError(f"{name}, line {_line(text, at)}: {error}") from None
        at += len(part.lstrip()) + 1
    return found
