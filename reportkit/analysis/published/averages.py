"""Whether a printed average over evals is that of the printed means, and the difference of two
averages that of the two.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from reportkit.analysis.published.words import (
    as_points,
    as_printed,
    finding,
    minus,
    near,
    overlap,
)
from reportkit.loading.published.numbers import scaled
from reportkit.published import Finding, PublishedDifference, PublishedMean, PublishedTable, Span


def check_averages(table: PublishedTable) -> Iterator[Finding]:
    """A finding for each average that is not the plain mean of the means of its model, where all
    evals of the table are printed for that model. A weighted one may differ, but within the means.
    Where the averages of nearly all other models are plain means, that is a condition.
    """
    of_each = [(a, rows) for a in table.averages if (rows := _averaged(a, table))]
    for a, rows in of_each:
        if a.mean is None or _follows(a, rows):
            continue
        mean = fmean(m.mean.value for m in rows if m.mean is not None)
        scale = rows[0].scale
        text = (
            f"the average {as_printed(a.mean, scale)} is not the plain mean of the {len(rows)} "
            f"means of this model, {near(mean, a.mean, scale)}"
        )
        others = [(x, of) for x, of in of_each if x is not a and _alike(x, a)]
        beside = [_follows(x, of) for x, of in others]
        if _inside(a, rows) and sum(beside) >= max(2, len(beside) - 1):
            yield finding(
                a, "average", "condition",
                f"{text}, as the averages of {sum(beside)} other models here are of theirs",
                "all of them are weighted, or " * _weighted([(a, rows), *others])
                + "it is over other evals than theirs",
            )  # fmt: skip
            continue
        if _inside(a, rows):
            yield finding(
                a, "average", "note", f"{text}. It may be weighted, or be over other evals"
            )
            continue
        yield finding(
            a, "average", "condition",
            f"{text}, and lies beyond all of them: no weights give it",
            "it is over other evals too",
        )  # fmt: skip


def _averaged(a: PublishedMean, table: PublishedTable) -> list[PublishedMean]:
    """The means that an average is of; none where not all evals of the table are printed for its
    model, or their scales differ.
    """
    of_table = [m for m in table.means if m.place.table == a.place.table]
    rows = [m for m in of_table if m.model == a.model and m.mean is not None]
    evals = {m.eval for m in of_table}
    whole = len(rows) == len(evals) > 1 and len({m.scale for m in rows}) == 1
    return rows if whole and a.mean is not None else []


def _alike(a: PublishedMean, b: PublishedMean) -> bool:
    """Whether two averages are of one column or row."""
    return (a.place.table, a.eval) == (b.place.table, b.eval)


def _follows(a: PublishedMean, rows: Sequence[PublishedMean]) -> bool:
    """Whether some numbers that are printed like this have this average; shares may stand beside
    percentages.
    """
    spans = [m.mean.span() for m in rows if m.mean is not None]
    span = fmean(low for low, _ in spans), fmean(high for _, high in spans)
    return _meets(a, span)


def _inside(a: PublishedMean, rows: Sequence[PublishedMean]) -> bool:
    """Whether an average lies among its means."""
    spans = [m.mean.span() for m in rows if m.mean is not None]
    return _meets(a, (min(low for low, _ in spans), max(high for _, high in spans)))


def _weighted(of_each: Sequence[tuple[PublishedMean, Sequence[PublishedMean]]]) -> bool:
    """Whether one weighting may give all these averages: of two evals, which leave each average one
    weight of the first, up to its digits; of more it is not known.

    The weight w gives a from x and y where w times the lowest x and 1 - w times the lowest y are
    not above the highest a, nor w times the highest x and 1 - w times the highest y below the
    lowest a.
    """
    low, high = 0.0, 1.0
    for a, rows in of_each:
        first, second = sorted(rows, key=lambda m: m.eval)[:2]
        if len(rows) > 2 or a.mean is None or first.mean is None or second.mean is None:
            return True
        (x0, x1), (y0, y1), (a0, a1) = first.mean.span(), second.mean.span(), a.mean.span()
        if not overlap((a0, a1), (min(x0, y0), max(x1, y1))):  # on another scale
            return True
        for start, slope, limit in ((y0, x0 - y0, a1), (-y1, y1 - x1, -a0)):
            # start + slope * w <= limit
            if slope > 0.0:
                high = min(high, (limit - start) / slope)
            elif slope < 0.0:
                low = max(low, (limit - start) / slope)
    return low <= high


def _meets(a: PublishedMean, span: Span) -> bool:
    own = (scaled(a.mean, factor) for factor in (1.0, 100.0))
    return any(x is not None and overlap(x.span(), span) for x in own)


# Differences of averages --------------------------------------------------------------------------


def check_differences_of_averages(table: PublishedTable) -> Iterator[Finding]:
    """A finding for each difference of two averages that is not that of the two, and not the plain
    mean of the differences that its column prints. table: with its columns in order.
    """
    for d in table.of_averages:
        column = [x for x in table.differences if _beside(x) == _beside(d)]
        known = averages_of(d, table)
        if not column or d.difference is None or len(known) < 2:
            continue
        first = column[0]
        a, b = known if first.model == d.model else known[::-1]
        spans = [x.difference.span() for x in column if x.difference is not None]
        whole = fmean(low for low, _ in spans), fmean(high for _, high in spans)
        free = first.order != "said"
        follow = [_between(a, b), whole, *([_between(b, a)] if free else [])]
        if any(_fits(d, span) for span in follow):
            continue
        gap = replace(d.difference, value=_value(a) - _value(b))
        yield finding(
            replace(d, model=a.model, baseline=b.model), "average-difference", "condition",
            f"the difference {as_points(d.difference, d.scale, sign=True)} does not follow from "
            f"the averages {_text(a)} and {_text(b)}, whose difference is "
            f"{as_points(gap, d.scale, sign=True)}",
            "the averages are over other evals than the difference",
        )  # fmt: skip


def averages_of(d: PublishedDifference, table: PublishedTable) -> list[PublishedMean]:
    """The averages of a difference's two models, or fewer where they are not printed."""
    of = [a for a in table.averages if (a.place.table, a.eval) == (d.place.table, d.eval)]
    found = [next((a for a in of if a.model == name), None) for name in (d.model, d.baseline)]
    return [a for a in found if a is not None and a.mean is not None]


def _beside(d: PublishedDifference) -> tuple[str, str, frozenset[str]]:
    """By what differences of one column, or of one row, are known."""
    return d.place.table, d.column, frozenset((d.model, d.baseline))


def _value(m: PublishedMean) -> float:
    assert m.mean is not None
    return m.mean.value


def _text(m: PublishedMean) -> str:
    assert m.mean is not None
    return as_printed(m.mean, m.scale)


def _between(a: PublishedMean, b: PublishedMean) -> Span:
    assert a.mean is not None and b.mean is not None
    return minus(a.mean.span(), b.mean.span())


def _fits(d: PublishedDifference, span: Span) -> bool:
    """Whether a difference lies in a span; points may stand beside shares, and shares beside %."""
    own = (scaled(d.difference, factor) for factor in (1.0, 100.0, 0.01))
    return any(x is not None and overlap(x.span(), span) for x in own)
