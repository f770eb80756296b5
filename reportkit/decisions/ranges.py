"""A declared range of scores: how a user says it, its one text, and what the text says of a
metric.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from reportkit.decisions.values import number_text
from reportkit.errors import ScoresError

NO_RANGE = "none"  # the scores have no range, whatever they or their rows say
FURTHEST = 1e50  # of an end; as far as a score may be
_HOW = "write low and high, such as 0,100"
# A metric's name, with a backslash before ; and \ that are its own.
_PART = re.compile(r"(?:(?P<name>(?:\\.|[^\\;])+?):)?(?P<low>[^,:;]+),(?P<high>[^,:;]+)(?:;|$)",
                   re.DOTALL)  # fmt: skip

Range = tuple[float, float]


def range_text(value: Any) -> str:
    """A declared range as one text: "0,100", or "judge:1,10" for one metric, several after ";".

    value: such a text; two numbers; or a mapping of metrics to two numbers each. "none": no range.
    Empty: nothing is declared. ScoresError where the ends are no numbers or not in their order.

    >>> range_text([0, 100]), range_text("0.0, 1e2"), range_text({"judge": (1, 10)})
    ('0,100', '0,100', 'judge:1,10')
    """
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        parts = {str(name): _ends(pair, value) for name, pair in value.items()}
    elif isinstance(value, str) and value.strip() == NO_RANGE:
        return NO_RANGE
    elif isinstance(value, str):
        parts = _parsed(value)
    else:
        parts = {"": _ends(value, value)}
    return text_of(parts)


def text_of(parts: Mapping[str, Range]) -> str:
    """The text of the ranges of metrics; "" stands for the metric that is reported."""
    texts = []
    for name, (low, high) in parts.items():
        named = re.sub(r"([\\;])", r"\\\1", name) + ":" if name else ""
        texts.append(f"{named}{number_text(low)},{number_text(high)}")
    return ";".join(texts)


def ranges_of(text: str) -> dict[str, Range]:
    """The ranges that a text declares, by their metrics; "" stands for the metric that is reported.

    >>> ranges_of("0,1;judge:1,10")
    {'': (0.0, 1.0), 'judge': (1.0, 10.0)}
    """
    return {} if text in ("", NO_RANGE) else _parsed(text)


def _parsed(text: str) -> dict[str, Range]:
    parts: dict[str, Range] = {}
    at = 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            raise ScoresError(f"range = {text!r} is no range; {_HOW}")
        name = re.sub(r"\\(.)", r"\1", found["name"] or "", flags=re.DOTALL)
        if name in parts:
            of = f"metric {name!r}" if name else "the metric"
            raise ScoresError(f"range = {text!r} says two ranges of {of}; keep one")
        parts[name] = _ends((found["low"], found["high"]), text)
        at = found.end()
    return parts


def _ends(pair: Any, said: Any) -> Range:
    """Two numbers in their order; ScoresError for anything else. said: what the user wrote."""
    try:
        low, high = map(float, pair)
    except (TypeError, ValueError, OverflowError):
        raise ScoresError(f"range = {said!r} is no range; {_HOW}") from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ScoresError(f"range = {said!r} has an end that is not finite; {_HOW}")
    if max(abs(low), abs(high)) > FURTHEST:
        raise ScoresError(f"range = {said!r} goes beyond {FURTHEST:g}; use another unit")
    if low == high:
        raise ScoresError(
            f"range = {said!r} has two equal ends, so every score is the same; {_HOW}"
        )
    if low > high:
        turned = f"{number_text(high)},{number_text(low)}"
        raise ScoresError(
            f"range = {said!r} runs backwards: write {turned}; which scores "
            "are better is another decision, better"
        )
    if high - low < 1.0 / FURTHEST:
        raise ScoresError(f"range = {said!r} is narrower than {1 / FURTHEST:g}; use another unit")
    return low + 0.0, high + 0.0
