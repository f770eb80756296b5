"""Words that findings share: names, few and short, and lines that a page holds."""

import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from reportkit.analysis.best import found_better
from reportkit.results import DifferenceResult, EvalResult, SuiteResult
from reportkit.suites import OverallResult
from reportkit.tables.renaming import renamed
from reportkit.text.figure_width import shortened_names
from reportkit.text.numbers import Units, count

Result = TypeVar("Result", EvalResult, SuiteResult)
LONGEST = 270  # characters of three lines of a page
NAMED = 6  # models that a line names; of more, the first and how many there are
ROOM = 120  # characters of these names, beyond which there are fewer
# A name whose end is seen at once: words of letters, digits and the marks of versions and paths,
# then perhaps brackets.
PLAIN = re.compile(
    r"(?=[\w./@~])[\w.:/@+~#…-]*[\w+-]( [\w.:/@+~#…-]*[\w+-])*( ?\([\w .:,;/@+~=%-]+\))*"
)


def short_named(r: EvalResult) -> EvalResult:
    """The result with its names as sentences write them."""
    short = {name: shortened_names([name]).get(name, name) for name in (r.eval, r.metric)}
    of_eval = set_apart([short[r.eval]])[short[r.eval]]
    return with_short_models(replace(r, eval=of_eval, metric=short[r.metric]))


def with_short_models(of: Result) -> Result:
    """The result, or the suite, with the names of models as sentences write them: long ones without
    their middle, and in quotes where one has marks that a sentence has too.
    """
    short = {name: name for name in of.models} | shortened_names(of.models)
    apart = set_apart(list(short.values()))
    names = {name: apart[label] for name, label in short.items() if apart[label] != name}
    return renamed(of, names) if names else of


def set_apart(names: Sequence[str]) -> dict[str, str]:
    """Each name as a sentence writes it: all of them in quotes where the end of one would not be
    seen at once.

    >>> set_apart(["gpt-4o (tool-calling)", "Qwen 3"])
    {'gpt-4o (tool-calling)': 'gpt-4o (tool-calling)', 'Qwen 3': 'Qwen 3'}
    >>> list(set_apart(["a", "b, or c: d"]).values())
    ['“a”', '“b, or c: d”']
    """
    plain = all(PLAIN.fullmatch(name) for name in names)
    return {name: name if plain else f"“{name}”" for name in names}


def short_enough(*texts: str) -> str:
    """The first text that three lines hold, or else the last one."""
    return next((text for text in texts if len(text) <= LONGEST), texts[-1])


def listed(names: Sequence[str], last: str = "or") -> str:
    """
    >>> listed(["A"]), listed(["A", "B", "C"]), listed(["A", "B"], "and")
    ('A', 'A, B or C', 'A and B')
    """
    return f" {last} ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def few(names: Sequence[str]) -> bool:
    """Whether a sentence names them all."""
    return len(names) <= NAMED and len(listed(names)) <= ROOM


def first_of(names: Sequence[str], most: int = NAMED, last: str = "and") -> str:
    """The first names, as many as ROOM holds, and how many more there are.

    >>> first_of(["A", "B"]), first_of(list("ABCDEFGH"))
    ('A and B', 'A, B, C, D, E, F and 2 more')
    >>> len(first_of(["A" * 60, "B" * 60, "C" * 60, "D" * 60]))
    133
    """
    if len(names) <= most + 1 and len(listed(names, last)) <= ROOM:
        return listed(names, last)
    lengths = itertools.accumulate(len(name) + 2 for name in names[:most])
    shown = max(1, sum(length <= ROOM + 4 for length in lengths))
    if shown >= len(names):
        return listed(names, last)
    return f"{', '.join(names[:shown])} {last} {count(len(names) - shown)} more"


def settled_worse(
    models: Sequence[str], shown: Sequence[DifferenceResult | OverallResult], lower: bool
) -> set[str]:
    """The models that a settled comparison puts behind another."""
    found = found_better(models, shown, lower)
    return {model for j, model in enumerate(models) if found[:, j].any()}


def named_error(u: Units, x: float, se: float) -> str:
    """An estimate with its standard error, named as where a text uses it first.

    >>> named_error(Units(True, 1), 0.78, 0.015)
    '78.0% (standard error 1.5%)'
    """
    if math.isnan(x) or math.isnan(se):
        return u.with_error(x, se)
    return f"{u.number(x)} (standard error {u.error(se)})"
