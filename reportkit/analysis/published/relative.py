"""Columns of differences that are relative changes of the other mean, by their numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reportkit.analysis.published.differences import Pair, fits_means, pairs_of
from reportkit.analysis.published.words import overlap
from reportkit.published import Printed, PublishedDifference, PublishedTable, Span
from reportkit.text.numbers import fixed

MOST = 0.5  # of the numbers, more than this part tells what they are


def without_relative(table: PublishedTable) -> PublishedTable:
    """The table without columns, or rows, of which most numbers are relative changes of the means,
    100 (a/b - 1), and more of them are that alone than the difference alone; a sentence for each.
    """
    columns: dict[tuple[str, str], list[PublishedDifference]] = {}
    for d in table.differences:
        columns.setdefault((d.place.table, d.column or "difference"), []).append(d)
    told: list[str] = []
    left: list[PublishedDifference] = []
    for (_, name), rows in columns.items():
        known = [_Fit(d, p) for d in rows if (p := _known(d, table))]
        relative = [f for f in known if f.relative]
        alone = sum(not f.plain for f in relative)
        if alone <= sum(f.plain and not f.relative for f in known):
            continue
        if len(relative) > MOST * len(known):
            left += rows
            told.append(_said(name, known, relative))
    if not left:
        return table
    kept = tuple(d for d in table.differences if d not in left)
    return replace(table, differences=kept, read_as=(*table.read_as, *told))


def _known(d: PublishedDifference, table: PublishedTable) -> list[Pair]:
    """The means that a difference may be of, in both orders."""
    found = pairs_of(d, [m for m in table.means if m.eval == d.eval])
    known = [p for p in found if p[0].mean is not None and p[1].mean is not None]
    turned = [(b, a) for a, b in known] if d.order != "said" else []
    return [*known, *turned]


class _Fit:
    """Whether a number fits the difference of its means, their relative change, or both."""

    def __init__(self, d: PublishedDifference, pairs: Sequence[Pair]):
        self.plain = any(fits_means(d, p) for p in pairs)
        of = [p for p in pairs if d.difference is not None and _is_change(d.difference, p)]
        self.row, self.of = d, of[0] if of else None

    @property
    def relative(self) -> bool:
        return self.of is not None


def _is_change(printed: Printed, pair: Pair) -> bool:
    return any(overlap(span, printed.span()) for span in _changes(pair))


def _changes(pair: Pair) -> Iterator[Span]:
    """100 (a/b - 1), whatever the means were before rounding; of shares also without the 100."""
    a, b = (m.mean.span() for m in pair if m.mean is not None)
    if not (b[0] > 0.0 and a[0] >= 0.0):
        return
    low, high = a[0] / b[1] - 1.0, a[1] / b[0] - 1.0
    yield 100.0 * low, 100.0 * high
    if not pair[0].scale.percent:
        yield low, high


def _in_percent(printed: Printed, pair: Pair) -> bool:
    """Whether it is a change with the 100 alone, which is the first of `_changes`."""
    return not any(overlap(span, printed.span()) for span in list(_changes(pair))[1:])


def _said(name: str, known: Sequence[_Fit], relative: Sequence[_Fit]) -> str:
    """That a column is not used, with one of its numbers."""
    first = next(f for f in relative if not f.plain)
    assert first.of is not None and first.row.difference is not None
    a, b = (m.mean for m in first.of)
    assert a is not None and b is not None
    change = fixed(first.row.difference.value, first.row.difference.digits, sign=True)
    means = f"{fixed(a.value, a.digits)} / {fixed(b.value, b.digits)} − 1"
    unit = ", in percent" * _in_percent(first.row.difference, first.of)
    many = f"{len(relative)} of its {len(known)} numbers fit"
    if len(relative) == len(known):
        many = "its numbers fit" if len(known) > 1 else "its number fits"
    return (
        f"{name!r} is not used: {many} a relative change of the means, and not their difference. "
        f"{change} is {means}{unit} ({first.row.eval})."
    )
