"""What stands after ±: a standard error or half of an interval, as the user says, or as the numbers
tell. A number that is like neither is not used, and the report says so.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from reportkit.advised import Advised, Line, Option
from reportkit.published import PERCENT, SHARE, PublishedDifference, PublishedMean, PublishedTable

# How large a number is beside the error of right-or-wrong answers.
SE, INTERVAL = (0.75, 1.25), (1.6, 2.4)
WORDS = {"se": "a standard error", "interval": "half of the interval"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """word: se, interval, or empty where the numbers do not tell. alike: how many numbers are as
    large as that. told: how many tell anything. odd: places among the means of those that are like
    neither and too large for the word. se, interval: a line with a number like that.
    """

    word: str
    alike: int = 0
    told: int = 0
    odd: tuple[int, ...] = ()
    se: int = 0
    interval: int = 0


def meaning_of(table: PublishedTable) -> Meaning:
    """What stands after ±, told by the error that right-or-wrong answers would have: it is as large
    as that (se), or twice as large (interval). Of the numbers that tell anything more than half
    must be like one of the two, and none like the other. table: read with errors after ±.
    """
    ratios = {i: r for i, m in enumerate(table.means) if (r := _ratio(m)) == r}
    se, interval = (_within(ratios, ends) for ends in (SE, INTERVAL))
    if se and interval:
        lines = (table.means[of[0]].place.line for of in (se, interval))
        return Meaning("", 0, len(ratios), (), *lines)
    alike = se or interval
    if len(alike) <= len(ratios) - len(alike):
        return Meaning("")
    word, most = ("se", SE[1]) if se else ("interval", INTERVAL[1])
    odd = tuple(i for i, r in ratios.items() if r > most)
    return Meaning(word, len(alike), len(ratios), odd)


def _within(ratios: dict[int, float], ends: tuple[float, float]) -> list[int]:
    return [i for i, r in ratios.items() if ends[0] <= r <= ends[1]]


def _ratio(m: PublishedMean) -> float:
    """The number after ± over the error of right-or-wrong answers; nan where it tells nothing."""
    if m.se is None or "±" not in m.se.text or m.mean is None or m.n is None:
        return math.nan
    if m.scale not in (PERCENT, SHARE):
        return math.nan
    p = m.scale.share((m.mean.value, m.mean.value))[0]
    usual = m.scale.width * math.sqrt(p * (1.0 - p) / m.n.value)
    if not usual > 2.0 * m.se.step:
        return math.nan
    ratio = m.se.value / usual
    return math.nan if m.grouped and ratio > SE[1] else ratio  # an error of groups, or an interval


def without_odd(
    table: PublishedTable, before: PublishedTable, odd: Iterable[int]
) -> PublishedTable:
    """The table without the numbers that are like neither. before: as meaning_of had it."""
    means = list(table.means)
    for i in odd:
        m = means[i]
        kept = replace(m, odd=before.means[i].se)
        if m.se is not None and "±" in m.se.text:
            kept = replace(kept, se=None)
        if m.low is not None and "±" in m.low.text:
            kept = replace(kept, low=None, high=None)
        means[i] = kept
    return replace(table, means=tuple(means))


def read_as(table: PublishedTable, meant: Meaning | None = None) -> Iterable[Line]:
    """What a number after ± was taken for, and why. meant: None where the user says it."""
    rows: list[Any] = [*table.means, *table.differences]
    for word, name in (("se", "se"), ("interval", "low")):
        numbers = (getattr(r, name) for r in rows)
        if not any(x is not None and "±" in x.text for x in numbers):
            continue
        if meant is None or not meant.word:
            yield f"A number after ± is read as {WORDS[word]}."
            continue
        other = "interval" if word == "se" else "se"
        size = "as large as" if word == "se" else "about twice as large as"
        yield Advised(
            f"A number after ± is read as {WORDS[word]}: {meant.alike} of the {meant.told} that "
            f"tell it are {size} the standard error of right-or-wrong answers.",
            (Option("plus-minus", other, "if it is not"),),
        )


def unsaid(table: PublishedTable, row: PublishedMean | PublishedDifference, m: Meaning) -> str:
    """Asks what stands after ±; without a scale or a number of questions, for these too, as the
    numbers may then tell.
    """
    assert row.se is not None
    why = "the numbers do not tell"
    if m.se and m.interval:
        why = (
            f"the numbers tell two things (line {m.se} a standard error, line {m.interval} half "
            "of an interval)"
        )
    text = (
        f"{table.file}, line {row.place.line}: what stands after ± in {row.se.text!r} is not said, "
        f"and {why}; say --plus-minus se for standard errors, or --plus-minus interval for half an "
        "interval"
    )
    needed = []
    unknown = next((m.eval for m in table.means if m.n is None), "")
    if unknown:
        name = unknown if " " not in unknown else f"'{unknown}'"
        needed.append(f"--questions {name}=NUMBER")
    if not all(m.scale.known for m in table.means):
        needed.append("--scale percent where the means are percentages")
    if needed:
        text += f"; the numbers may tell with {' and '.join(needed)}"
    return text
