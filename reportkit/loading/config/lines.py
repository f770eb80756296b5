"""On which line of a TOML file a key stands, for messages about it."""

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

Path = tuple[str, ...]


def lines_of(text: str) -> dict[Path, int]:
    """The line, from 1, on which each key of a valid TOML file first stands, by its full path.

    tomllib reads the file a statement at a time: a line, and as many more as make it whole.

    >>> lines_of('level = 0.9\\n\\n[evals.x]\\nlogs = [\\n  "a",\\n]\\nruns = "pool"')[
    ...     "evals", "x", "runs"
    ... ]
    7
    """
    found: dict[Path, int] = {}
    table: Path = ()
    statement, start = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if not statement:
            start = number
        statement += line + "\n"
        try:
            told = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue  # the statement goes on in the next line
        if statement.lstrip().startswith("["):
            [*_, table] = _paths(told, ())
            named = [table[: n + 1] for n in range(len(table))]
        else:
            named = list(_paths(told, table))
        for path in named:
            found.setdefault(path, start)
        statement = ""
    return found


def line_of(path: Sequence[Any], lines: dict[Path, int]) -> int:
    """The line of a key; of the nearest table around it where the key has none. 0: of no line."""
    parts = tuple(map(str, path))
    while parts and parts not in lines:
        parts = parts[:-1]
    return lines.get(parts, 0)


def _paths(told: Any, within: Path) -> Iterator[Path]:
    """The keys in what one statement says, the outermost first."""
    if isinstance(told, list):  # of an array of tables
        told = told[-1] if told else None
    if not isinstance(told, dict):
        return
    for key, value in told.items():
        yield (*within, key)
        yield from _paths(value, (*within, key))
