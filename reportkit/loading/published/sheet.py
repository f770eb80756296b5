"""A table as cells of text: what every format of a file becomes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table as text. rows: the line of the file and the cells of each."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    line: int = 1  # of the heads
    by: str = ""  # what parts the cells of a CSV


@dataclass(frozen=True, slots=True)
class Sheets:
    """All of a file; said: the options that it brings itself (TOML)."""

    sheets: tuple[Sheet, ...]
    said: dict[str, Any] = field(default_factory=dict)


Row = tuple[int, tuple[str, ...]]
LONGEST = 60  # characters of a caption that names a table


def headed(name: str, heads: list[Row], body: list[Row]) -> Sheet:
    """A table with one line of heads."""
    [(line, cells)] = heads
    return Sheet(name, cells, tuple(body), line)


def named(sheets: Sequence[Sheet]) -> Sheets:
    """Tables under short names. Of captions that begin alike, zero-shot and five-shot, each table
    keeps a name of its own.
    """
    short = [name_of_caption(s.name) for s in sheets]
    of = {(name, s.name) for name, s in zip(short, sheets, strict=True)}
    alike = {name for name in short if sum(name == x for x, _ in of) > 1}
    return Sheets(tuple(
        replace(s, name=f"{name} (line {s.line})" if name in alike else name)
        for name, s in zip(short, sheets, strict=True)
    ))  # fmt: skip


def name_of_caption(caption: str) -> str:
    """What names a table in a sentence: its caption up to the first full stop, cut where it is
    long.

    >>> name_of_caption("Table 3: Accuracy of our models. All runs are zero-shot.")
    'Table 3: Accuracy of our models'
    """
    name = " ".join(caption.split()).partition(". ")[0].rstrip(".:")
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"
