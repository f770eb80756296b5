"""Two lines of heads -> one: of which model or eval each column is, and what it holds. What is not
certain is refused.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportkit.loading.published.columns import OF_NAME, name_of
from reportkit.loading.published.heads import OF_EVAL, near_miss, read_head
from reportkit.loading.published.numbers import is_number, plain_name
from reportkit.loading.published.others import is_no_name

ROWS = ("eval", "model")  # what a row is of
SHARED = tuple(key for key in OF_EVAL if key not in OF_NAME)  # said of an eval, of all its models
HELD = ("mean", *OF_NAME, "n", "clusters", "answers")  # what a column of one name may hold


class Unjoined(ValueError):
    """Why two lines of heads are not read: a clause."""


@dataclass(frozen=True, slots=True)
class Joined:
    """One line of heads. names: of which model or eval each column is; empty where none is."""

    heads: tuple[str, ...]
    names: tuple[str, ...]


def is_second(top: Sequence[str], bottom: Sequence[str]) -> bool:
    """Whether the first row below a line of heads is a second line of them, and nothing else: words
    for what columns hold, or what rows are of below an empty cell, and no number.

    >>> is_second(("Model", "MATH", ""), ("", "mean", "SE")), is_second(("Model",), ("Nimbus",))
    (True, False)
    """
    pairs = list(zip(*_padded(top, bottom), strict=True))
    if any(map(_has_number, (b for _, b in pairs))):
        return False
    if any(not t and _key(b) in ROWS for t, b in pairs):
        return True
    t, b = pairs[0]
    if b and b != t:  # a heading between rows, such as "Accuracy"
        return False
    own = [b for t, b in pairs if b and b != t]
    return bool(own) and all(_key(b) in HELD for b in own)


def joined(top: Sequence[str], bottom: Sequence[str], spans: bool) -> Joined:
    """The heads of both lines. spans: whether cells say how many columns they span; where they do
    not, an empty cell is what stands to its left. Unjoined where it is not sure what they mean.

    >>> joined(("Model", "MATH", ""), ("", "mean", "SE"), False).names
    ('', 'MATH', 'MATH')
    """
    top, bottom = _padded(top, bottom)
    if not spans:
        top = _filled(top, bottom)
    columns = [_column(t, b) for t, b in zip(top, bottom, strict=True)]
    heads, names = tuple(c[0] for c in columns), tuple(c[1] for c in columns)
    _check_held(top, names, heads)
    if any(names):
        _check_rows(heads, names, {_key(t) for t, n in zip(top, names, strict=True) if n})
        _check_names(heads, names, spans)
    return Joined(heads, names)


def _key(text: str) -> str:
    """What a head says of the numbers below it; empty for a name."""
    return read_head(name_of(text)).key


def _has_number(text: str) -> bool:
    """Whether a cell holds a number, and not the level of an interval, as in 95% CI."""
    return is_number(text) and _key(text) not in ("ci", "low", "high")


def _padded(top: Sequence[str], bottom: Sequence[str]) -> tuple[list[str], list[str]]:
    width = max(len(top), len(bottom))
    return [*top, *[""] * (width - len(top))], [*bottom, *[""] * (width - len(bottom))]


def _filled(top: Sequence[str], bottom: Sequence[str]) -> list[str]:
    """The upper line, where a cell reaches right over cells that are empty beside it."""
    found: list[str] = []
    reaching = ""
    for t, b in zip(top, bottom, strict=True):
        if t or not b:
            reaching = t if b and t != b else ""
        found.append(t or reaching)
    return found


def _column(t: str, b: str) -> tuple[str, str]:
    """The head of a column, and its name."""
    if not (t and b) or plain_name(t) == plain_name(b):
        return name_of(t or b), ""
    t, b = name_of(t), name_of(b)
    above, below = _key(t), _key(b)
    if _has_number(t) or _has_number(b):
        raise Unjoined(f"the second, {b!r} below {t!r}, has a number")
    percent = " (%)" if read_head(t).percent else ""
    if not above and below in HELD:
        return b + percent, plain_name(t)
    if not below and above in HELD:
        return t, plain_name(b)
    if not below and above in ROWS:
        return "mean", plain_name(b)
    if above == "mean" and below in ("mean", *OF_NAME):
        return b + percent, ""
    raise Unjoined(f"it is not sure what {b!r} below {t!r} is")


def _check_held(top: Sequence[str], names: Sequence[str], heads: Sequence[str]) -> None:
    """A word for scores stands over names, or over what is held of them, and not over both."""
    over: dict[str, set[bool]] = {}
    for t, name, head in zip(top, names, heads, strict=True):
        if _key(t) in HELD and head:
            over.setdefault(t, set()).add(bool(name))
    for t, kinds in over.items():
        if len(kinds) > 1:
            raise Unjoined(f"{t!r} stands over names and over other heads")
        of = [_key(h) for h, x in zip(heads, top, strict=True) if x == t]
        if kinds == {False} and "mean" not in of and _key(t) == "mean":
            raise Unjoined(f"no column below {t!r} holds the means")
    if not any(names):
        keys = [_key(h) for h in heads if _key(h)]
        twice = next((h for h in heads if _key(h) and keys.count(_key(h)) > 1), "")
        if twice:
            raise Unjoined(f"two columns are named {twice!r}")


def _check_rows(heads: Sequence[str], names: Sequence[str], above: set[str]) -> None:
    """One column says what rows are of; others without a name are of the eval of the row."""
    alone = [h for h, name in zip(heads, names, strict=True) if h and not name]
    of_rows = [_key(h) for h in alone if _key(h) in ROWS]
    if len(of_rows) != 1:
        raise Unjoined("rows may be of models or of evals: name the one column that says it so")
    if of_rows[0] in above:
        raise Unjoined(f"rows and columns are both said to be of one {of_rows[0]}")
    for head in alone:
        if _key(head) not in (*of_rows, *(SHARED if of_rows == ["eval"] else ())):
            raise Unjoined(f"it is not sure of which name {head!r} is")


def _check_names(heads: Sequence[str], names: Sequence[str], spans: bool) -> None:
    held: dict[str, list[str]] = {}
    for name, head in zip(names, heads, strict=True):
        if name:
            held.setdefault(name, []).append(_key(head))
    for name, keys in held.items():
        if not re.search(r"[^\W\d_]", name) or is_no_name(name):
            raise Unjoined(f"{name!r} is no name of a model or an eval")
        if near_miss(name):
            raise Unjoined(f"no head {name!r} is known (did you mean {near_miss(name)!r}?)")
        for problem in _problems(name, keys):
            raise Unjoined(problem)
    if not spans and len({tuple(keys) for keys in held.values()}) > 1:
        raise Unjoined("names have unlike columns below them, so that it is not sure whose each is")


def _problems(name: str, keys: Sequence[str]) -> Iterator[str]:
    if "mean" not in keys:
        yield f"no column holds the means of {name!r}"
    if ("low" in keys) != ("high" in keys):
        yield f"{name!r} has one end of an interval"
    if len(set(keys)) < len(keys):
        yield f"two columns of {name!r} hold the same"
