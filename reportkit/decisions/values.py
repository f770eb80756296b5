"""Values of decisions that are more than a text or a number: all ways to write one, as one text."""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from reportkit.errors import PlanError, ScoresError, UnknownNameError, did_you_mean

MOST_DIGITS = 15  # decimals


def plain(value: Any) -> Any:
    """A value with Python's own types: of an array, a Series, a set or a generator its list, of a
    set sorted; of a number of numpy the number; anything else as it is.

    >>> plain({"b", "a"}), plain(iter((0, 100))), plain("a,b"), plain(None)
    (['a', 'b'], [0, 100], 'a,b', None)
    """
    if hasattr(value, "tolist"):  # of numpy and pandas
        return value.tolist()
    if isinstance(value, Set):
        return sorted(value, key=str)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping | list | tuple):
        return list(value)
    return value


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
    return number_text(number) if number else ""


def digits_text(value: Any) -> str:
    """A number of decimals as one text; empty: as the standard errors need them. ScoresError for
    what is no whole number from 0 to 15.

    >>> digits_text(2), digits_text(" 0 "), digits_text(None)
    ('2', '0', '')
    """
    text = "" if value is None else str(value).strip()
    if text and not (text.isdigit() and int(text) <= MOST_DIGITS):
        raise ScoresError(
            f"digits = {text} is no number of decimals: give a whole number from 0 to {MOST_DIGITS}"
        )
    return text


def weight_text(value: Any) -> str:
    """An eval's weight as one text. ScoresError for what is no number from 0.

    >>> weight_text(2), weight_text("0.50"), weight_text(0), weight_text("")
    ('2', '0.5', '0', '')
    """
    if value is None or value == "":
        return ""
    number = _finite(value)
    if not number >= 0.0:
        raise ScoresError(f"weight = {value!r} is no weight; give a number from 0, such as 2")
    return number_text(number)


def number_text(value: Any) -> str:
    """A value as its user writes it: a whole number without .0, any other as it is.

    >>> number_text(300.0), number_text(0.05), number_text("paired")
    ('300', '0.05', 'paired')
    """
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _finite(value: Any) -> float:
    """A number; nan for what is none."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def published_text(value: Any) -> str:
    """Published scores of an eval as one text, JSON: for each model its score and where it stands.

    value: such a text; a mapping of models to a score, or to `score` and `source`; or
    MODEL:SCORE, several after ";". ScoresError for anything else.

    >>> published_text({"GPT-4": 0.425}) == published_text("GPT-4: 0.425")
    True
    >>> published_of(published_text({"GPT-4": {"score": 0.425, "source": "OpenAI 2023"}}))
    {'GPT-4': (0.425, 'OpenAI 2023')}
    """
    if value is None or value == "" or value == {}:
        return ""
    told = value
    if isinstance(value, str):
        told = _json_of(value) if value.lstrip().startswith("{") else _pairs_of(value)
    found = {}
    for model, of in told.items() if isinstance(told, Mapping) else ():
        about = of if isinstance(of, Mapping) else {"score": of}
        score = _finite(about.get("score"))
        if math.isnan(score) or not {*about} <= {"score", "source"}:
            raise ScoresError(_NOT_PUBLISHED.format(value))
        found[str(model)] = {"score": score, "source": str(about.get("source", ""))}
    if not found:
        raise ScoresError(_NOT_PUBLISHED.format(value))
    return json.dumps(found, ensure_ascii=False)


_NOT_PUBLISHED = (
    "published = {!r} says no scores; write MODEL:SCORE, or a table of models, each with a score, "
    "or with score and source"
)


def _json_of(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError:
        return {}


def _pairs_of(text: str) -> dict[str, str]:
    pairs = (part.rpartition(":") for part in text.split(";") if part.strip())
    return _once([(model.strip(), score) for model, _, score in pairs])


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """ScoresError where a name has two values: no one can say which of them is meant."""
    found = dict(pairs)
    for name, value in pairs:
        if found[name] != value:
            raise ScoresError(
                f"published says two scores of {name!r}, {str(value).strip()} and "
                f"{str(found[name]).strip()}; leave one out"
            )
    return found


def published_of(text: str) -> dict[str, tuple[float, str]]:
    """The models of such a text, each with its score and its source."""
    found = json.loads(text) if text else {}
    return {model: (of["score"], of["source"]) for model, of in found.items()}


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


def listed(names: list[str]) -> str | tuple[str, ...]:
    """A list of names; one alone is a text. Joined by commas, two could be read as the name of a
    third.
    """
    return tuple(names) if len(names) > 1 else "".join(names)


def split(names: Any) -> list[str]:
    """Names between commas or in a list, none of which holds a comma.

    >>> split("a, b,"), split(("a", "b")), split(None)
    (['a', 'b'], ['a', 'b'], [])
    """
    if names is None:
        return []
    names = plain(names)
    parts = names if isinstance(names, list | tuple) else str(names).split(",")
    return [str(part).strip() for part in parts if str(part).strip()]


def check_power(level: float, power: float) -> None:
    """ScoresError for a power that a test has where there is no difference at all.

    >>> check_power(0.95, 0.8)
    """
    if power <= 1.0 - level:
        raise ScoresError(
            f"power = {power:g} is not above 1 - level = {1.0 - level:.4g}, which the test has "
            "where there is no difference; give more"
        )


def only_number(text: object) -> str:
    """The one number within a text, such as a price; empty where there are more, or a comma that
    may part thousands.

    >>> only_number("'$12'"), only_number("'5 to 10'"), only_number("'1,500'"), only_number("0,05")
    ('12', '', '', '0.05')
    """
    if isinstance(text, str):
        text = re.sub(r"(?<![0-9.,])0,(?=[0-9]+(?![0-9.,]))", "0.", text)
    found = re.findall(r"-?[0-9]+(?:\.[0-9]+)?", text) if isinstance(text, str) else []
    return found[0] if len(found) == 1 else ""


def as_share(value: str) -> str:
    """How a text in percent is written.

    >>> as_share("'5%'"), as_share("'five%'")
    ('; write 5% as 0.05', '; write 70% as 0.7')
    """
    try:
        number = float(value.strip("'").removesuffix("%"))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        return "; write 70% as 0.7"
    return f"; write {number:g}% as {number / 100.0:g}"


def as_number(name: str, value: Any, default: float) -> float:
    """A value that is asked of a plan, as a number; PlanError for what is none.

    >>> as_number("mean", "0.7", math.nan), as_number("power", "", 0.8)
    (0.7, 0.8)
    """
    if value is None or value == "":
        return default
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
        value = repr(value)
    if math.isnan(number) and isinstance(value, str) and value.endswith("%'"):
        raise PlanError(f"{name} = {value} is not a number{as_share(value)}")
    if math.isnan(number) and (digits := only_number(value)):
        raise PlanError(f"{name} = {value} is not a number; write {digits}")
    if math.isnan(number) and not math.isnan(default):
        raise PlanError(f"{name} = {value} is not a number; give one such as {default:g}")
    if math.isinf(number) or (math.isnan(number) and not isinstance(value, float)):
        raise PlanError(f"{name} = {value} is not a number")
    return number
