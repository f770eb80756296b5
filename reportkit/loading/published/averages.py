"""Columns and rows that are averages over others, and no eval or model of their own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from reportkit.loading.published.changes import MOST, number_of
from reportkit.loading.published.columns import OF_NAME, splits
from reportkit.loading.published.heads import Head, without_brackets
from reportkit.loading.published.others import is_no_name
from reportkit.published import Printed

_AVERAGE = re.compile(
    r"(?:overall|macro|micro|(?:overall |macro |micro |unweighted |weighted )?(?:average|avg|mean))"
    r"(?: score| accuracy| performance)?"
    r"(?: (?:of|over|across|on) (?:all |the )*(?:\d+ )?\w+)?"
)
_RUN = re.compile(r"(?:run|seed|trial|fold|epoch|repeat)s? ?[#_-]?\d+")
NEAR = 2.0  # an average is no more than this many times the largest of what it is of
Numbers = list[Printed | None]  # of a column, a row each


def is_average(text: str) -> bool:
    """Whether a head or a row is named after an average over others.

    >>> [is_average(x) for x in ("Avg.", "Macro-avg (5 evals)", "Overall", "Averaged-7B")]
    [True, True, True, False]
    >>> [is_average(x) for x in ("Mean of all", "Macro", "Average over 5 evals", "Macro F1")]
    [True, True, True, False]
    """
    word = re.sub(r"[._*#%↑–-]", " ", without_brackets(text).casefold())
    return _AVERAGE.fullmatch(" ".join(word.split())) is not None


def without_averages(
    heads: Sequence[Head], rows: Sequence[Sequence[str]], first: int
) -> list[Head]:
    """The heads; an average over other columns has the key "average", and an error behind it, or
    named after it, is not used. Where nothing stands beside it that can be a score, it is the mean
    of a list. first: the column of the other names.
    """
    columns = [[number_of(row[j]) for row in rows] for j in range(len(heads))]
    names = {j: columns[j] for j, h in enumerate(heads) if j != first and _is_name(h)}
    names = {j: numbers for j, numbers in names.items() if any(numbers)}
    found: list[Head] = []
    for j, head in enumerate(heads):
        behind = found and found[-1].key in ("average", "unused_average")
        unsaid = not head.key and is_average(head.text)
        if j != first and (head.key == "mean" or unsaid):
            kind = _kind(head, columns[j], list(names.values()))
            two = unsaid and kind == "mean" and any(h.key == "mean" for h in [*heads, *found])
            head = replace(head, key="unused" if two else kind)
        elif behind and head.key in OF_NAME:
            head = replace(head, key="unused_average")
        found.append(head)
    averages = {h.text.casefold() for h in found if h.key == "average"}
    return [replace(h, key="unused") if _is_beside(h, averages) else h for h in found]


def _is_beside(head: Head, averages: set[str]) -> bool:
    """Whether a column is the error or the interval of an average: "Overall SE"."""
    if head.key:
        return head.key == "unused_average"
    return any(
        name.casefold() in averages and said.key in OF_NAME for name, said in splits(head.text)
    )


def may_be_average(heads: Sequence[Head], rows: Sequence[Sequence[str]], first: int) -> str:
    """The first column beside which a mean of a list may as well be an average over columns; the
    empty string where there is none. Its numbers are as large, and nothing else tells.
    """
    mean = next((j for j, h in enumerate(heads) if h.key == "mean" and is_average(h.text)), None)
    if mean is None:
        return ""
    own = [number_of(row[mean]) for row in rows]
    for j, head in enumerate(heads):
        numbers = [number_of(row[j]) for row in rows]
        if j != first and _is_name(head) and any(numbers) and _near(own, [numbers]) == 1.0:
            return head.text
    return ""


def _is_name(head: Head) -> bool:
    """Whether a head may be the name of a model or an eval."""
    run = _RUN.fullmatch(without_brackets(head.text).casefold().strip(". "))
    return not (head.key or is_no_name(head.text) or run or is_average(head.text))


def _kind(head: Head, own: Numbers, names: Sequence[Numbers]) -> str:
    """Whether a column is the average of others, or the mean of a list."""
    fits = _part([_fits(x, others) for x, others in _rows(own, names)])
    if not is_average(head.text):  # "Score" may be one, where every row says so
        return "average" if len(names) > 1 and fits == 1.0 and len(own) > 1 else "mean"
    alike = [numbers for numbers in names if _alike(own, numbers)]
    if alike and _near(own, alike) > MOST:
        return "average"
    if len(names) > 1 and (fits > MOST or not head.key):
        return "average"
    return "mean"


def _rows(own: Numbers, names: Sequence[Numbers]) -> list[tuple[Printed, list[Printed]]]:
    """Each number of a column with those of others beside it, where no number is missing."""
    found = []
    for i, x in enumerate(own):
        others = [number for numbers in names if (number := numbers[i]) is not None]
        if x is not None and others and len(others) == len(names):
            found.append((x, others))
    return found


def _part(told: Sequence[bool]) -> float:
    return sum(told) / len(told) if told else 0.0


def _fits(own: Printed, others: Sequence[Printed]) -> bool:
    """Whether a number is the mean of others, as they are printed."""
    return abs(fmean(x.value for x in others) - own.value) <= own.step


def _near(own: Numbers, names: Sequence[Numbers]) -> float:
    """In which part of the rows a number is about as large as others beside it."""
    told = []
    for x, others in _rows(own, names):
        sizes = [abs(o.value) for o in others]
        told.append(min(sizes) / NEAR <= abs(x.value) <= max(sizes) * NEAR)
    return _part(told)


def _alike(own: Numbers, other: Numbers) -> bool:
    """Whether most numbers of two columns are printed alike: with a %, or with as many decimals."""
    told = []
    for x, y in zip(own, other, strict=True):
        if x is not None and y is not None:
            percent = {"%" in x.text, "%" in y.text}
            told.append(percent == {True} or (percent == {False} and x.step == y.step < 1.0))
    return _part(told) > MOST
