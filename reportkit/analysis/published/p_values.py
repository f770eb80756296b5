"""Whether a printed p-value can come of the difference that it stands beside, and its error."""

import math
from collections.abc import Iterator, Sequence

from scipy import special

from reportkit.analysis.published.differences import pairs_of
from reportkit.analysis.published.tested import error_of
from reportkit.analysis.published.words import as_points, finding, overlap, told_by_mark
from reportkit.published import Finding, PublishedDifference, PublishedMean, Severity, Span
from reportkit.stats.published import difference_se_span
from reportkit.text.numbers import fixed, span

# So far from z a bootstrap, a rank test or an exact test may lie: a share of it.
CLOSE = 0.25
LEAST = 1e-12  # below which p-values are not told apart


def check_p_value(
    d: PublishedDifference, means: Sequence[PublishedMean], level: float, df: float
) -> Iterator[Finding]:
    """A finding for a p-value that is smaller than z gives it, one-sided, or larger than t gives
    it. Larger ones may be adjusted; smaller ones may be of ranks or signs, where the table does
    not say that it tests means, or allow for pairs where the error does not. Where the table has
    no error of the difference nothing is said: two means' errors do not tell that of a pair. df:
    the fewest degrees of freedom of a t; 0: not known.
    """
    error = error_of(d, level)
    if d.p is None or d.difference is None or error is None:
        return
    p = max(0.0, d.p.span()[0]), min(1.0, d.p.span()[1])
    z = _z(d, error[1])
    if _tail(z[1]) > p[1]:  # smaller than a one-sided z at its largest
        yield from _small(d, means, p, error[1])
    elif "adjusted" not in d.p_said and 2.0 * _t_tail(z[0] * (1.0 - CLOSE), df) < p[0]:
        yield finding(
            d, "p-large", "condition",
            f"{_of(d)} give z = {_between(z)}, and so p = {_p_between(z)} two-sided; "
            f"{_said(d)} is larger",
            "it is adjusted for several comparisons, or of another test than its error",
        )  # fmt: skip


def _small(
    d: PublishedDifference, means: Sequence[PublishedMean], p: Span, error: Span
) -> Iterator[Finding]:
    z = _z(d, error)
    text = f"{_of(d)} give z = {_between(z)}, and so p = {_p_between(z)} two-sided; {_said(d)}"
    text += " is below even the half of that, which a one-sided test gives"
    unless = ""
    binary = bool(means) and all(m.scores == "binary" for m in means)
    if _tail(z[1] * (1.0 + CLOSE)) <= max(p[1], LEAST):
        unless = "it is of another test than its error, such as an exact one"
    elif not (binary or "means" in d.p_said):
        unless = "it is of another test than that of means, such as one of ranks or signs"
    elif _unpaired(d, means, error):
        unless = "it is of a paired test, and the error is that of different questions"
    elif any(m.grouped for m in means) or d.beside == "maybe":
        unless = "it is of a test that does not allow for groups of questions, and the error does"
    pairs = [m for pair in pairs_of(d, means) for m in pair]
    severity: Severity = "condition"
    if not unless:
        severity, unless = told_by_mark(bool(d.mark) or any(m.mark for m in pairs))
    yield finding(d, "p-small", severity, text, unless)


def _z(d: PublishedDifference, error: Span) -> Span:
    """The least and the most of |difference| / error."""
    assert d.difference is not None
    low, high = d.difference.span()
    size = sorted((abs(low), abs(high)))
    least = 0.0 if low <= 0.0 <= high else size[0]
    most = size[1] / error[0] if error[0] > 0.0 else math.inf
    return (least / error[1] if error[1] > 0.0 else math.inf), most


def _unpaired(d: PublishedDifference, means: Sequence[PublishedMean], error: Span) -> bool:
    """Whether the error is that of two means of different questions."""
    for a, b in pairs_of(d, means):
        if a.se is not None and b.se is not None:
            x, y = ((max(0.0, m.span()[0]), m.span()[1]) for m in (a.se, b.se))
            if overlap(difference_se_span(x, y, (0.0, 0.0)), error):
                return True
    return False


def _tail(z: float) -> float:
    return float(special.ndtr(-z))


def _t_tail(t: float, df: float) -> float:
    """Of a t with the fewest degrees of freedom that the table lets it have; of 1 where it does not
    say.
    """
    return float(special.stdtr(max(1.0, df), -t))


def _of(d: PublishedDifference) -> str:
    assert d.difference is not None
    beside = "its interval"
    if d.se is not None:
        beside = f"its standard error {as_points(d.se, d.scale)}"
    return f"the difference {as_points(d.difference, d.scale, sign=True)} and {beside}"


def _said(d: PublishedDifference) -> str:
    assert d.p is not None
    return f"the printed p, {d.p.text},"


def _between(z: Span) -> str:
    if z[1] == math.inf:
        return f"{fixed(z[0], 2)} or more"
    return span(fixed(z[0], 2), fixed(z[1], 2))


def _p_between(z: Span) -> str:
    return span(*(f"{2.0 * _tail(x):.2g}" for x in reversed(z)))
