"""Values of decisions that are more than a text or a number: all ways to write one, as one text."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reportkit.errors import ScoresError, UnknownNameError, did_you_mean


def margin_text(value: Any) -> str:
    """A margin as one text; empty where none is declared, as where it is 0.

    ScoresError for what is no number above 0.

    >>> margin_text(0.02), margin_text(" 2e-2"), margin_text(5), margin_text(0), margin_text(None)
    ('0.02', '0.02', '5', '', '')
    """
    if value is None or value == "":
        return ""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0.0 <= number < math.inf:
        raise ScoresError(
            f"margin = {value!r} is no margin; give a number above 0 in the scores' own units, "
            "such as 0.02"
        )
    return repr(number).removesuffix(".0") if number else ""


def some_of(
    decision: str, choices: Sequence[str], elsewhere: Mapping[str, str]
) -> Callable[[Any], str]:
    """What makes one text of several choices, between commas or in a list: each once, in the order
    of the choices. UnknownNameError for what is none; elsewhere: of names that belong to another
    place, what the error says.

    >>> some_of("tables", ("a", "b"), {})(["b", "a", "b"])
    'a,b'
    """

    def text(value: Any) -> str:
        names = split(value)
        for name in names:
            if name in elsewhere:
                why = elsewhere[name].format(name=name)
                raise UnknownNameError(f"{decision} = {value!r}: {name!r} {why}")
            if name not in choices:
                raise UnknownNameError(
                    f"{decision} = {value!r}: {name!r} is none of them{did_you_mean(name, choices)}"
                )
        return ",".join(choice for choice in choices if choice in names)

    return text


def fields_text(value: Any) -> str:
    """Names of fields as one text, each once.

    >>> fields_text(["digits", "carry", "digits"]), fields_text("digits, carry"), fields_text(None)
    ('digits,carry', 'digits,carry', '')
    """
    return ",".join(dict.fromkeys(split(value)))


def positive_text(value: Any) -> str:
    """A field and the value that it has where the right answer is positive; ScoresError for
    anything else.

    >>> positive_text("target:yes"), positive_text("")
    ('target:yes', '')
    """
    text = "" if value is None else str(value)
    if text and not all(split_positive(text)):
        raise ScoresError(
            f"positive = {value!r} names no field and value; write them as target:yes, with the "
            "value that the field has where the right answer is positive"
        )
    return text


def split_positive(text: str) -> tuple[str, str]:
    """The field and the value of a decision `positive`; the value may hold a colon.

    >>> split_positive("target:12:30"), split_positive("")
    (('target', '12:30'), ('', ''))
    """
    field, _, value = text.partition(":")
    return field, value


def split(names: Any) -> list[str]:
    """Names between commas or in a list, none of which holds a comma.

    >>> split("a, b,"), split(("a", "b")), split(None)
    (['a', 'b'], ['a', 'b'], [])
    """
    if names is None:
        return []
    parts = names if isinstance(names, list | tuple) else str(names).split(",")
    return [str(part).strip() for part in parts if str(part).strip()]
