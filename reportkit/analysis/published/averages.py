"""Whether a printed average over evals is that of the printed means."""

from collections.abc import Iterator, Sequence
from statistics import fmean

from reportkit.analysis.published.words import as_printed, finding, near, overlap
from reportkit.loading.published.numbers import scaled
from reportkit.published import Finding, PublishedMean, PublishedTable, Span


def check_averages(table: PublishedTable) -> Iterator[Finding]:
    """A finding for each average that is not the plain mean of the means of its model, where all
    evals of the table are printed for that model. A weighted one may differ, but within the means.
    """
    for a in table.averages:
        of_table = [m for m in table.means if m.place.table == a.place.table]
        rows = [m for m in of_table if m.model == a.model and m.mean is not None]
        evals = {m.eval for m in of_table}
        if len(rows) < 2 or len(rows) != len(evals) or len({m.scale for m in rows}) > 1:
            continue
        if a.mean is None or _follows(a, rows):
            continue
        mean = fmean(m.mean.value for m in rows if m.mean is not None)
        scale = rows[0].scale
        text = (
            f"the average {as_printed(a.mean, scale)} is not the plain mean of the {len(rows)} "
            f"means of this model, {near(mean, a.mean, scale)}"
        )
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


def _meets(a: PublishedMean, span: Span) -> bool:
    own = (scaled(a.mean, factor) for factor in (1.0, 100.0))
    return any(x is not None and overlap(x.span(), span) for x in own)
