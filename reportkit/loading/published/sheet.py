"""A table as cells of text: what every format of a file becomes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reportkit.errors import ScoresError
from reportkit.loading.published.no_means import check_means
from reportkit.loading.published.two_heads import Unjoined, is_second, joined

ONE_LINE = "write one line of heads, with a name in each column"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table as text. rows: the line of the file and the cells of each. names: of which model or
    eval each column is, where two lines of heads say it.
    """

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    line: int = 1  # of the heads
    by: str = ""  # what parts the cells of a CSV
    names: tuple[str, ...] = ()
    caption: str = ""  # whole, where name is what is left of it in a sentence
    notes: str = ""  # the text below it, which may be of something else
    below: str = ""  # notes below it that are its own

    @property
    def told(self) -> str:
        """What the caption says, and the notes below."""
        return " ".join(f"{self.caption} {self.below}".split())


@dataclass(frozen=True, slots=True)
class Sheets:
    """All of a file; said: the options that it brings itself (TOML)."""

    sheets: tuple[Sheet, ...]
    said: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it is read. across: the most columns that one of its cells spans; such a cell stands
    in each of them.
    """

    line: int
    cells: tuple[str, ...]
    across: int = 1


LONGEST = 60  # characters of a caption that names a table


def headed(name: str, rows: Sequence[Row], heads: int, file: str, line: int) -> Sheet:
    """A table with its heads: so many of its rows, or one more where the next can be nothing else.
    line: of the file, where the table begins. ScoresError without a row, and where it is not sure
    what heads mean.
    """
    if not rows:
        raise ScoresError(f"{file}, line {line}: the table has no row; copy it whole")
    if heads < 2 and len(rows) > 1 and is_second(rows[0].cells, rows[1].cells):
        heads = 2
    heads = max(heads, 1)
    lines = [row.cells for row in rows]
    check_means(lines[:heads], lines[heads:], f"{file}, line {rows[0].line}")
    if heads > 2:
        raise ScoresError(f"{file}, line {rows[0].line}: {heads} rows are heads; {ONE_LINE}")
    for row in rows[heads:] if heads > 1 else rows:
        if row.across > 1:
            raise ScoresError(
                f"{file}, line {row.line}: a cell spans {row.across} columns; {ONE_LINE}, and no "
                "heading between the rows"
            )
    body = tuple((row.line, row.cells) for row in rows[heads:])
    if heads == 1:
        return Sheet(name, rows[0].cells, body, rows[0].line)
    try:
        made = joined(rows[0].cells, rows[1].cells, rows[0].across > 1)
        for _, cells in body:
            if any(text and not head for text, head in zip(cells, made.heads, strict=False)):
                raise Unjoined("a column has none")
    except Unjoined as why:
        raise ScoresError(
            f"{file}, line {rows[0].line}: 2 rows are heads, and {why}; {ONE_LINE}"
        ) from None
    return Sheet(name, made.heads, body, rows[0].line, names=made.names if any(made.names) else ())


def named(sheets: Sequence[Sheet]) -> Sheets:
    """Tables under short names. Of captions that begin alike, zero-shot and five-shot, each table
    is told by its place among them: authors do not have the file.
    """
    alike: dict[str, list[str]] = {}
    for s in sheets:
        of = alike.setdefault(name_of_caption(s.name), [])
        of += [s.name] * (s.name not in of)
    return Sheets(tuple(
        replace(s, name=_among(s.name, alike), caption=s.caption or s.name) for s in sheets
    ))  # fmt: skip


def _among(caption: str, alike: Mapping[str, Sequence[str]]) -> str:
    short = name_of_caption(caption)
    of = alike[short]
    return f"{short} ({of.index(caption) + 1} of {len(of)})" if len(of) > 1 else short


def name_of_caption(caption: str) -> str:
    """What names a table in a sentence: its caption up to the first full stop or semicolon, cut
    where it is long.

    >>> name_of_caption("Table 3: Accuracy of our models. All runs are zero-shot.")
    'Table 3: Accuracy of our models'
    >>> name_of_caption("Table 2: Accuracy (%); ± denotes the standard error.")
    'Table 2: Accuracy (%)'
    """
    name = re.split(r"[.;] ", " ".join(caption.split()))[0].rstrip(".:;")
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
