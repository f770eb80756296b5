"""One eval in several tables of a file: zero-shot in one, eight-shot in the other."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from reportkit.published import PublishedDifference, PublishedMean, PublishedTable

Row = TypeVar("Row", PublishedMean, PublishedDifference)


def told_apart(*captions: str) -> bool:
    """Whether two captions say more than a number, and not the same: zero-shot and five-shot.

    >>> told_apart("Table 1: zero-shot", "Table 2: 8-shot"), told_apart("Table 1", "Table 2")
    (True, False)
    """
    rest = [re.sub(r"^\W*(?:table\s*)?\d+\w?\W*", "", c.casefold()).strip() for c in captions]
    return rest[0] != rest[1]


def with_settings(table: PublishedTable) -> PublishedTable:
    """The table, where an eval of which tables with unlike captions print other means of one model
    is one eval for each of them: else the numbers of one table would be in no pair.
    """
    names: dict[tuple[str, str], str] = {}  # by eval and table
    for name in dict.fromkeys(m.eval for m in table.means):
        groups = _groups([m for m in table.means if m.eval == name and m.mean is not None])
        first = [group[0] for group in groups]
        for group, short in zip(groups, _short(first), strict=True):
            if len(groups) > 1:
                names |= {(name, of): f"{name} ({short})" for of in group}
    if not names:
        return table
    evals = list(dict.fromkeys(name for name, _ in names))
    tables = list(dict.fromkeys(of for _, of in names))
    note = (
        f"Means of {' and '.join(evals) if len(evals) < 3 else f'{len(evals)} evals'} differ "
        f"between tables whose captions differ ({'; '.join(tables)}): each is read as another "
        "setting, with a name and pairs of its own."
    )
    return replace(
        table,
        means=tuple(_named(m, names) for m in table.means),
        differences=tuple(_named(d, names) for d in table.differences),
        read_as=(*table.read_as, note),
    )


def _named(row: Row, names: Mapping[tuple[str, str], str]) -> Row:
    return replace(row, eval=names.get((row.eval, row.place.table), row.eval))


def _groups(means: Sequence[PublishedMean]) -> list[list[str]]:
    """The tables of one eval, those together whose means do not contradict each other."""
    groups: list[list[str]] = []
    for table in dict.fromkeys(m.place.table for m in means):
        for group in groups:
            if not any(_differ(means, table, other) for other in group):
                group.append(table)
                break
        else:
            groups.append([table])
    return groups


def _differ(means: Sequence[PublishedMean], table: str, other: str) -> bool:
    """Whether two tables that their captions tell apart print unlike means of one model."""
    if not told_apart(table, other):
        return False
    here, there = ([m for m in means if m.place.table == x] for x in (table, other))
    return any(_unlike(a, b) for a in here for b in there if a.model == b.model)


def _unlike(a: PublishedMean, b: PublishedMean) -> bool:
    assert a.mean is not None and b.mean is not None
    (low, high), (least, most) = a.mean.span(), b.mean.span()
    return high < least or most < low


def _short(captions: Sequence[str]) -> list[str]:
    """What tells tables apart in the name of an eval: their numbers, else their captions."""
    number = re.compile(r"(?:supplementary )?table\s+\w+(?:\.\w+)*", re.IGNORECASE)
    found = [number.match(caption) for caption in captions]
    numbers = [match[0] if match else "" for match in found]
    if all(numbers) and len(set(numbers)) == len(numbers):
        return numbers
    return [re.sub(r"[()\[\]]", "", c) or "no caption" for c in captions]
