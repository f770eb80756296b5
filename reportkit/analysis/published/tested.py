"""The differences that a table prints with an error of their own, held against 0."""

import math
from collections.abc import Iterable, Iterator, Sequence

from reportkit.analysis.published.differences import fits_means, pairs_of
from reportkit.analysis.published.pairs import settled
from reportkit.published import (
    CheckedDifference,
    Finding,
    PublishedDifference,
    PublishedMean,
    PublishedTable,
    Span,
)
from reportkit.stats.intervals import z_quantile
from reportkit.stats.published import summary_difference

Error = tuple[float, Span, int]  # an error, what it may be before rounding, its decimals


def checked_differences(
    table: PublishedTable, findings: Iterable[Finding], level: float
) -> tuple[CheckedDifference, ...]:
    """Each printed difference that has an error or an interval, of known sign. One that is found
    inconsistent is left out, and one that does not follow from its means.
    """
    odd = {(f.who, f.table, f.line) for f in findings if f.severity == "inconsistent"}
    return tuple(_tested(table, odd, level))


def _tested(
    table: PublishedTable, odd: set[tuple[str, str, int]], level: float
) -> Iterator[CheckedDifference]:
    for d in table.differences:
        who = f"{d.eval}, {d.model} − {d.baseline}"
        means = [m for m in table.means if m.eval == d.eval]
        error = error_of(d, level)
        if d.difference is None or error is None or (who, d.place.table, d.place.line) in odd:
            continue
        if d.order != "free" and _may_follow(d, means):
            yield _made(d, d.difference.value, error, level)


def _may_follow(d: PublishedDifference, means: Sequence[PublishedMean]) -> bool:
    """Whether a difference is that of its means, with its sign, where the file has them."""
    known = [p for p in pairs_of(d, means) if all(m.mean is not None for m in p)]
    return not known or any(fits_means(d, p) for p in known)


def error_of(d: PublishedDifference, level: float) -> Error | None:
    """The printed error of a difference, else half of its interval over z; None without both."""
    if d.se is not None:
        low, high = d.se.span()
        return (d.se.value, (max(0.0, low), high), d.se.digits) if d.se.value > 0.0 else None
    if d.low is None or d.high is None or not d.high.value > d.low.value:
        return None
    z = 2.0 * z_quantile(d.level if d.level == d.level else level)
    left, right = d.low.span(), d.high.span()
    ends = max(0.0, right[0] - left[1]) / z, (right[1] - left[0]) / z
    return (d.high.value - d.low.value) / z, ends, d.low.digits + 1


def _made(d: PublishedDifference, value: float, error: Error, level: float) -> CheckedDifference:
    assert d.difference is not None
    se, (least, most), digits = error
    s = summary_difference(value, se, 0.0, 0.0, level=level)
    size = sorted(abs(x) for x in d.difference.span())
    near = 0.0 if d.difference.span()[0] <= 0.0 <= d.difference.span()[1] else size[0]
    at_most = summary_difference(near, most, 0.0, 0.0).p_value
    at_least = summary_difference(size[1], least, 0.0, 0.0).p_value
    at_least = 0.0 if math.isnan(at_least) else at_least  # an error may be next to nothing
    return CheckedDifference(
        d.eval, d.model, d.baseline, value, se, s.low, s.high, level, s.z, s.p_value,
        settled(at_least, at_most, 1.0 - level), d.scale.percent, d.difference.digits, digits,
        d.place.table, d.place.line,
    )  # fmt: skip
