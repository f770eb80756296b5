"""Dotted paths into JSON: where the rows of a document are, and where a row has its values.

    task_id                 a field of the row
    reward_info.reward      a field of a field; a dot that belongs to a name is written \\.
    graded_list[*]          every entry of a list, or every value of an object (info.*); a text that
                            is a list, as CSV has it, counts as one
    choices[0].text         one entry
    $.info.model            seen from the whole document
    ^.domain                seen from the object around the row, ^^ from the one around that
    @key                    the row's own key in its object, or its position in its list
    .                       the row itself

A path is data. It looks up keys of objects and places in lists, and does nothing else.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from reportkit.errors import ScoresError

STAR = object()  # every entry
KEY = "@key"
ROW = "."
LONGEST = 1000  # characters of a path
DEEPEST = 4  # levels at which candidates are looked for
SHOWN = 5
LONGEST_LIST = 10**5  # characters of a list that is written as text

_PART = re.compile(r"(?P<name>(?:\\.|[^.\[\]\\])+)|\[(?P<at>\*|\d{1,9})\]|\.")


class PathError(ScoresError):
    """A path that cannot be read, or leads nowhere."""


@dataclass(frozen=True, slots=True)
class Found:
    """One row of a document: the value, its own key or position, and the objects around it, the
    outermost first.
    """

    value: Any
    key: str | int
    around: tuple[dict[str, Any], ...]
    document: Any


def steps_of(path: str) -> tuple[Any, ...]:
    r"""The names, positions and stars of a path. PathError where it is none.

    >>> steps_of("a.b[0].c"), steps_of(r"v1\.5.x")
    (('a', 'b', 0, 'c'), ('v1.5', 'x'))
    """
    if len(path) > LONGEST:
        raise PathError(f"a path of {len(path)} characters; {LONGEST} are enough for any")
    steps: list[Any] = []
    at, wants_name = 0, True
    while at < len(path):
        part = _PART.match(path, at)
        if part is None or (part[0] == "." and wants_name):
            raise PathError(f"{path!r} is no path; write a.b, a[0] or a[*]")
        if part["name"] is not None:
            if not wants_name:
                raise PathError(f"{path!r} is no path: a dot is missing before {part['name']!r}")
            steps.append(STAR if part["name"] == "*" else re.sub(r"\\(.)", r"\1", part["name"]))
        elif part["at"] is not None:
            steps.append(STAR if part["at"] == "*" else int(part["at"]))
        wants_name = part[0] == "."
        at = part.end()
    if wants_name and path:
        raise PathError(f"{path!r} is no path: it ends with a dot")
    return tuple(steps)


def has_star(path: str) -> bool:
    """Whether a path gives several values.

    >>> has_star("graded_list[*]"), has_star("a.b")
    (True, False)
    """
    if path in (KEY, ROW):
        return False
    return STAR in steps_of(path.lstrip("$^").removeprefix("."))


def rows_at(document: Any, path: str) -> list[Found]:
    """The rows of a document. PathError, with the paths at which there are rows, where the path
    leads to none.

    >>> [f.value["id"] for f in rows_at({"runs": [{"id": 1}, {"id": 2}]}, "runs[*]")]
    [1, 2]
    """
    found = [Found(document, 0, (), document)]
    for step in steps_of(path.removeprefix("$").removeprefix(".")):
        found = [inner for one in found for inner in _inside(one, step)]
    if not found:
        there = candidates(document)
        shown = ", ".join(f"{p!r} ({n} rows)" for p, n in there[:SHOWN])
        raise PathError(f"no rows at {path!r}" + (f"; there are rows at {shown}" if there else ""))
    return found


def _inside(one: Found, step: Any) -> Iterator[Found]:
    value = one.value
    around = (*one.around, value) if isinstance(value, dict) else one.around
    if step is STAR:
        value = listed(value)
        pairs: Any = ()
        if isinstance(value, dict):
            pairs = value.items()
        elif isinstance(value, list):
            pairs = enumerate(value)
        for key, inner in pairs:
            yield Found(inner, key, around, one.document)
    elif _has(value, step):
        yield Found(value[step], one.key, around, one.document)


def _has(value: Any, step: Any) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and step < len(value)


def value_at(row: Found, path: str) -> Any:
    """What a row has at a path: the value, a list of values where the path has a star, or None.

    >>> value_at(rows_at({"m": "x", "r": [{"a": {"b": 7}}]}, "r[*]")[0], "a.b")
    7
    >>> value_at(rows_at({"m": "x", "r": [{"a": {"b": 7}}]}, "r[*]")[0], "$.m")
    'x'
    """
    if path == KEY:
        return row.key
    if path == ROW:
        return row.value
    if isinstance(row.value, dict) and path in row.value:
        return row.value[path]
    if path.startswith("$"):
        return _value(row.document, path[1:].removeprefix("."))
    if path.startswith("^"):
        inner = path.lstrip("^")
        up = len(path) - len(inner)
        return _value(row.around[-up], inner.removeprefix(".")) if up <= len(row.around) else None
    return _value(row.value, path)


def listed(value: Any) -> Any:
    """The list that a text is, as JSON, Python or numpy write it; anything else as it is.

    >>> listed("[0, 1]"), listed("[True, None]"), listed("[0. 1.]"), listed("pass")
    ([0, 1], [True, None], [0.0, 1.0], 'pass')
    """
    text = value.strip() if isinstance(value, str) and len(value) <= LONGEST_LIST else ""
    if not (text.startswith("[") and text.endswith("]")):
        return value
    readers: tuple[Callable[[str], Any], ...] = (json.loads, ast.literal_eval, _numbers)
    for read in readers:
        # what a parser cannot take is no list; it may be nested deeper than any
        with suppress(ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return read(text)
    return value


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text[1:-1].split()]


def is_there(row: Found, path: str) -> bool:
    """Whether the row has what a path leads to: a null there, or on the way, counts as there.

    >>> row = Found({"info": None, "a": {"b": 7}}, 0, (), None)
    >>> is_there(row, "info.reward"), is_there(row, "a.reward")
    (True, False)
    """
    if path in (KEY, ROW) or path[0] in "$^" or not isinstance(row.value, dict):
        return value_at(row, path) is not None
    if path in row.value:
        return True
    value: Any = row.value
    for step in steps_of(path):
        if value is None:
            return True
        if step is STAR:
            return value_at(row, path) is not None
        if not _has(value, step):
            return False
        value = value[step]
    return True


def _value(value: Any, path: str) -> Any:
    found, several = [value], False
    for step in steps_of(path):
        if step is STAR:
            several = True
            _check_lists(found, path)
        found = [inner.value for one in found for inner in _inside(Found(one, 0, (), None), step)]
    if several:
        return found
    return found[0] if found else None


def _check_lists(values: list[Any], path: str) -> None:
    """PathError where a value is neither a list nor an object, nor missing."""
    for value in values:
        if value is not None and value != "" and not isinstance(listed(value), list | dict):
            raise PathError(
                f"{str(value)[:60]!r} is no list, as {path!r} takes it to be; write it without "
                "[*], or as a list such as [0, 1]"
            )


def candidates(document: Any) -> list[tuple[str, int]]:
    """The paths at which a document has rows (objects, several of them), with how many; the most
    first.

    >>> candidates({"info": {"model": "m"}, "simulations": [{"a": 1}, {"a": 2}]})
    [('simulations[*]', 2)]
    """
    found: list[tuple[str, int]] = []

    def look(value: Any, path: str, depth: int) -> None:
        if isinstance(value, list):
            rows = sum(isinstance(v, dict) for v in value)
            if rows and rows == len(value):
                found.append((f"{path}[*]", rows))
                if depth < DEEPEST:
                    look(value[0], f"{path}[*]", depth + 1)
        elif isinstance(value, dict):
            if len(value) > 1 and all(isinstance(v, dict) for v in value.values()):
                keys = [frozenset(v) for v in value.values()]
                if len(set(keys)) == 1 or len(keys) > SHOWN:
                    found.append((f"{path}.*" if path else "*", len(value)))
                    return
            if depth < DEEPEST:
                for name, inner in value.items():
                    quoted = re.sub(r"([.\[\]\\])", r"\\\1", name)
                    look(inner, f"{path}.{quoted}" if path else quoted, depth + 1)

    look(document, "", 0)
    found = [(p, _count(document, p)) for p, _ in found]
    return sorted(found, key=lambda f: -f[1])


def _count(document: Any, path: str) -> int:
    try:
        return len(rows_at(document, path))
    except PathError:
        return 0
