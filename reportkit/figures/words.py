"""Words that the captions and alternative texts of several kinds share."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from reportkit.results import DifferenceResult, EvalResult, MeanResult
from reportkit.suites import SuiteDifference
from reportkit.text.numbers import DASH, Units, count, percent_of

Record = TypeVar("Record")

FULL = 6  # models or pairs that an alternative text names one by one


def told(title: str, fictional: bool) -> str:
    """A title as the caption says it, with the words about fictional data where they are."""
    return title.removesuffix(".") + ("; fictional data." if fictional else ".")


def value_of(record: MeanResult | DifferenceResult) -> float:
    return record.mean if isinstance(record, MeanResult) else record.difference


def estimate(u: Units, record: MeanResult | DifferenceResult) -> str:
    """A mean or a difference with its interval, in the words of the tables."""
    signed, value = isinstance(record, DifferenceResult), value_of(record)
    if not math.isfinite(value):
        return DASH
    interval = u.interval(record.ci_low, record.ci_high, sign=signed)
    return f"{u.number(value, sign=signed)} {interval}"


def brackets(records: Sequence[MeanResult | DifferenceResult], level: float) -> str:
    """What stands in the brackets of an alternative text: no caption and no note is beside it.

    >>> brackets([], 0.95)
    ''
    """
    known = [x for x in records if math.isfinite(x.ci_low)]
    if not known:
        return ""
    chosen = any(isinstance(x, DifferenceResult) and x.ci_comparisons > 1 for x in known)
    of = f"{percent_of(level)} interval"
    if chosen:
        return f" In brackets: {of}s that allow for the choice of the best."
    if len(known) == 1:
        return f" In brackets: the {of}."
    return f" In brackets: {of}s, each by itself and not adjusted."


def alpha_of(result: EvalResult) -> str:
    """The level of significance in print: that of the tables and the prose."""
    return f"{1.0 - result.level:.4g}"


def what_is_coloured(pairs: Sequence[DifferenceResult | SuiteDifference], settled: str) -> str:
    """Which cells of a matrix of differences have a colour. settled: how a pair is settled, as
    "adjusted p below 0.05".
    """
    if any(d.p_adjusted < 1.0 - d.level for d in pairs):
        return f"coloured: {settled}"
    return f"none has an {settled}"


def ends(items: Sequence[Record], key: Callable[[Record], float]) -> Sequence[Record]:
    """All of a few; of many the highest and the lowest, which is what a listener can hold. Of
    several that are alike, the first at the top and the last at the end.
    """
    if len(items) <= FULL:
        return items
    return [max(items, key=key), min(reversed(items), key=key)]


def listed(said: Sequence[str], n: int, noun: str, order: str = "from highest to lowest") -> str:
    """How many there are, and what is said of these or of the two ends.

    >>> listed(["A 0.9", "Z 0.1"], 26, "model")
    '26 models, from highest to lowest: A 0.9; Z 0.1'
    """
    how = f", {order}" if len(said) < n else ""
    return f"{count(n)} {noun}{'s' * (n != 1)}{how}: {'; '.join(said)}"
