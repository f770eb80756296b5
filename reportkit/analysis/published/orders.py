"""Which model minus which a column of differences is, where it stands beside its means."""

from collections.abc import Sequence
from dataclasses import replace

from reportkit.analysis.published.differences import fits_means, pairs_of
from reportkit.published import PublishedDifference, PublishedMean, PublishedTable


def ordered(table: PublishedTable) -> PublishedTable:
    """The table, each column of differences in the order that fits the means of most of its rows.
    Where both orders fit as many, the order of the head stays, and a column without one stays
    "free". A sentence tells of a head whose order the numbers turn round.
    """
    columns: dict[tuple[object, ...], list[int]] = {}
    for i, d in enumerate(table.differences):
        if d.order:
            key = (d.place.table, d.column, *sorted((d.model, d.baseline)))
            columns.setdefault(key, []).append(i)
    rows, told = list(table.differences), []
    for places in columns.values():
        column = [rows[i] for i in places]
        ahead = _fitting(column, table.means)
        behind = _fitting([_turned(d) for d in column], table.means)
        if behind > ahead:
            column = [_turned(d) for d in column]
        if behind > ahead and column[0].order == "said":
            told.append(
                f"The numbers below {column[0].column!r} fit {column[0].model} − "
                f"{column[0].baseline}, and are read so."
            )
        elif behind != ahead and column[0].order == "free":
            column = [replace(d, order="told") for d in column]
        for i, d in zip(places, column, strict=True):
            rows[i] = d
    return replace(table, differences=tuple(rows), read_as=(*table.read_as, *told))


def _turned(d: PublishedDifference) -> PublishedDifference:
    return replace(d, model=d.baseline, baseline=d.model)


def _fitting(rows: Sequence[PublishedDifference], means: Sequence[PublishedMean]) -> int:
    """How many differences follow from their means."""
    found = 0
    for d in rows:
        of = [m for m in means if m.eval == d.eval]
        found += any(fits_means(d, pair) for pair in pairs_of(d, of))
    return found
