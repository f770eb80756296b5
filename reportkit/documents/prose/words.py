"""Words that findings share: names, few and short, numbers of comparisons, and lines that a page
holds.
"""

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
from reportkit.text.numbers import Units, count, counted, format_p_value, joined, percent_of, span

Result = TypeVar("Result", EvalResult, SuiteResult)
Pair = TypeVar("Pair", DifferenceResult, OverallResult)
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
    of_eval = in_sentences([r.eval])[r.eval]
    metric = shortened_names([r.metric]).get(r.metric, r.metric)
    return with_short_models(replace(r, eval=of_eval, metric=metric))


def with_short_models(of: Result) -> Result:
    """The result, or the suite, with the names of models as sentences write them."""
    names = {name: text for name, text in in_sentences(of.models).items() if text != name}
    return renamed(of, names) if names else of


def in_sentences(names: Sequence[str]) -> dict[str, str]:
    """Each name as a sentence writes it: a long one without its middle, and all of them in quotes
    where one has marks that a sentence has too.
    """
    short = {name: name for name in names} | shortened_names(names)
    apart = set_apart(list(short.values()))
    return {name: apart[label] for name, label in short.items()}


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


def few(names: Sequence[str]) -> bool:
    """Whether a sentence names them all."""
    return len(names) <= NAMED and len(joined(names)) <= ROOM


def first_of(
    names: Sequence[str], most: int = NAMED, last: str = "and", what: str = "", room: int = ROOM
) -> str:
    """The first names, as many as the room holds, and how many more there are; what: which noun
    these have.

    >>> first_of(["A", "B"]), first_of(list("ABCDEFGH"))
    ('A and B', 'A, B, C, D, E, F and 2 more')
    >>> len(first_of(["A" * 60, "B" * 60, "C" * 60, "D" * 60]))
    133
    >>> first_of(["A on 4", "B on 2", "C on 1"], most=1, what="model")
    'A on 4 and 2 more models'
    """
    if len(names) <= most + 1 and len(joined(names, last)) <= room:
        return joined(names, last)
    lengths = itertools.accumulate(len(name) + 2 for name in names[:most])
    shown = max(1, sum(length <= room + 4 for length in lengths))
    n = len(names) - shown
    if n <= 0:
        return joined(names, last)
    more = f"{count(n)} more" if not what else counted(n, f"more {what}")
    return f"{', '.join(names[:shown])} {last} {more}"


def settled_worse(
    models: Sequence[str], shown: Sequence[DifferenceResult | OverallResult], lower: bool
) -> set[str]:
    """The models that a settled comparison puts behind another."""
    found = found_better(models, shown, lower)
    return {model for j, model in enumerate(models) if found[:, j].any()}


def by_winner(settled: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Settled comparisons by the model that is ahead: that of most comes first, then by name."""
    won: dict[str, list[Pair]] = {}
    for d in settled:
        won.setdefault(d.model, []).append(d)
    return {m: won[m] for m in sorted(won, key=lambda model: (-len(won[model]), model))}


def largest_p(own: Sequence[DifferenceResult | OverallResult], level: float) -> str:
    """The largest p of some settled comparisons."""
    worst = max(d.p_adjusted for d in own)
    return p_words("adjusted p", worst, level).replace("=", "at\u00a0most").replace("<", "below")


def p_words(label: str, p: float, level: float) -> str:
    """
    >>> p_words("p", 0.0004, 0.95), p_words("adjusted p", 0.25, 0.95)
    ('p\xa0<\xa00.001', 'adjusted p\xa0=\xa00.250')
    """
    text = format_p_value(p, level=level)
    sign, number = (text[0], text[1:]) if text[0] in "<>" else ("=", text)
    return f"{label}\u00a0{sign}\u00a0{number}"


def interval_of(d: DifferenceResult | OverallResult, u: Units) -> str:
    """The interval of a difference, with its level."""
    bare = replace(u, unit="")  # differences of percentages are points
    ends = bare.interval(d.ci_low, d.ci_high, sign=True).strip("()").split(", ")
    return f"{percent_of(d.level)} interval {span(ends[0], ends[-1])}"


def signed(u: Units, x: float) -> str:
    """A difference with its sign.

    >>> signed(Units(True, 1), 0.031), signed(Units(False, 2), -0.5)
    ('+3.1 points', '−0.50')
    """
    return f"{replace(u, unit='').number(x, sign=True)}{' points' * u.percent}"


def signed_range(u: Units, differences: Sequence[float]) -> str:
    """From the smallest to the largest of some differences, with their signs.

    >>> signed_range(Units(True, 1), [0.031, -0.01])
    '−1.0 to +3.1 points'
    """
    bare = replace(u, unit="")
    low, high = (bare.number(x, sign=True) for x in (min(differences), max(differences)))
    return f"{span(low, high)}{' points' * u.percent}"


def size_range(u: Units, sizes: Sequence[float]) -> str:
    """From the smallest to the largest of some sizes.

    >>> size_range(Units(True, 1), [0.031, 0.012]), size_range(Units(True, 1), [0.031])
    ('1.2 to 3.1 points', '3.1 points')
    """
    low, high = u.points(min(sizes)), u.points(max(sizes))
    return high if low == high else f"{low.split(' ')[0]} to {high}"


def named_error(u: Units, x: float, se: float) -> str:
    """An estimate with its standard error, named as where a text uses it first.

    >>> named_error(Units(True, 1), 0.78, 0.015)
    '78.0% (standard error 1.5%)'
    """
    if math.isnan(x) or math.isnan(se):
        return u.with_error(x, se)
    return f"{u.number(x)} (standard error {u.error(se)})"
