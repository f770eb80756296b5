"""Whether a printed difference, and its standard error, follow from the printed means."""

import math
from collections.abc import Iterator, Sequence
from itertools import product

from reportkit.analysis.published.words import (
    as_points,
    as_printed,
    finding,
    minus,
    overlap,
    told_by_mark,
)
from reportkit.published import (
    Finding,
    Printed,
    PublishedDifference,
    PublishedMean,
    Span,
)
from reportkit.stats.published import difference_se_span
from reportkit.text.numbers import fixed

Pair = tuple[PublishedMean, PublishedMean]
ANY = (-1.0, 1.0)  # correlations


def check_difference(d: PublishedDifference, means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """Every finding about one printed difference, its interval aside. means: of its eval."""
    if d.correlation is not None and not overlap(d.correlation.span(), ANY):
        yield finding(
            d, "correlation-outside", "inconsistent",
            f"the correlation {d.correlation.text} lies outside of −1 to 1",
        )  # fmt: skip
        return
    pairs = pairs_of(d, means)
    yield from _of_means(d, pairs)
    if d.se is not None:
        yield from _of_errors(d, d.se, pairs)


def pairs_of(d: PublishedDifference, means: Sequence[PublishedMean]) -> list[Pair]:
    """The means that a difference may be of: those of its own table, else of all tables."""
    ours = [m for m in means if m.model == d.model]
    theirs = [m for m in means if m.model == d.baseline]
    found = list(product(ours, theirs))
    own = [p for p in found if all(m.place.table == d.place.table for m in p)]
    together = [p for p in found if p[0].place.table == p[1].place.table]
    return own or together or found


def _same_questions(pair: Pair) -> bool:
    """Whether nothing says that the two means are of other numbers of questions."""
    a, b = (m.n for m in pair)
    return a is None or b is None or overlap(a.span(), b.span())


def _marked(d: PublishedDifference, pairs: Sequence[Pair]) -> bool:
    """Whether a mark may say that the means are of another run: within one table it says nothing
    of that.
    """
    rows = [m for pair in pairs for m in pair]
    own = d.place.table and all(m.place.table == d.place.table for m in rows)
    return not own and (bool(d.mark) or any(m.mark for m in rows))


# The difference -----------------------------------------------------------------------------------


def _of_means(d: PublishedDifference, pairs: Sequence[Pair]) -> Iterator[Finding]:
    known = [p for p in pairs if p[0].mean is not None and p[1].mean is not None]
    if d.difference is None or not known or any(fits_means(d, p) for p in known):
        return
    if any(_fits_counts(d.difference, p) for p in known):
        return
    turned = any(fits_means(d, (b, a)) for a, b in known)
    column = d.order != "said" and any(m.place == d.place for p in known for m in p)
    if turned and (column or d.order in ("free", "told")):
        return  # the table may mean the second minus the first, or give no signs
    if d.order == "free":
        severity, unless = told_by_mark(_marked(d, known))
        yield finding(d, "difference-means", severity, _neither(d, d.difference, known[0]), unless)
        return
    printed = as_points(d.difference, d.scale, sign=True)
    said = []
    for a, b in known:
        assert a.mean is not None and b.mean is not None
        where = f" in {a.place.table}" if a.place.table != d.place.table else ""
        said.append(
            f"{as_printed(a.mean, a.scale)} and {as_printed(b.mean, b.scale)}{where}, whose "
            f"difference is {as_points(_gap(a, b), a.scale, sign=True)}"
        )
    text = f"the difference {printed} does not follow from the means {'; '.join(said)}"
    if not all(_same_questions(p) for p in known):
        unless = (
            "it is of the questions that both models answered; the means are of different numbers"
        )
        yield finding(d, "difference-means", "condition", text, unless)
    elif turned and d.order:
        unless = f"it is {d.baseline} − {d.model}, or has no sign"
        yield finding(d, "difference-means", "condition", text, unless)
    else:
        severity, unless = told_by_mark(_marked(d, known))
        yield finding(d, "difference-means", severity, text, unless)


def _neither(d: PublishedDifference, printed: Printed, pair: Pair) -> str:
    """That a difference fits its means in no order, where nothing tells the order."""
    a, b = pair
    ahead, behind = (as_points(_gap(*p), a.scale, sign=True) for p in ((a, b), (b, a)))
    return (
        f"the difference {as_points(printed, d.scale)} is neither {d.model} − {d.baseline} "
        f"({ahead}) nor {d.baseline} − {d.model} ({behind})"
    )


def _gap(a: PublishedMean, b: PublishedMean) -> Printed:
    assert a.mean is not None and b.mean is not None
    return Printed("", a.mean.value - b.mean.value, min(a.mean.step, b.mean.step))


def fits_means(d: PublishedDifference, pair: Pair) -> bool:
    """Whether a printed difference is that of two printed means, the first minus the second."""
    if d.difference is None or any(m.mean is None for m in pair):
        return False
    return overlap(_apart(pair), d.difference.span())


def _fits_counts(difference: Printed, pair: Pair) -> bool:
    """Whether what was read as means may be numbers of answers: whole ones, of which the difference
    is that of their shares of all questions, in whichever order.
    """
    a, b = (m.mean for m in pair)
    if a is None or b is None or pair[0].n is None or {a.step, b.step} != {1.0}:
        return False
    share = abs(a.value - b.value) / pair[0].n.value
    low, high = difference.span()
    return any(low <= x <= high for size in (share, 100.0 * share) for x in (size, -size))


def _apart(pair: Pair) -> Span:
    a, b = (m.mean for m in pair)
    assert a is not None and b is not None
    return minus(a.span(), b.span())


# Its standard error -------------------------------------------------------------------------------


def _of_errors(d: PublishedDifference, se: Printed, pairs: Sequence[Pair]) -> Iterator[Finding]:
    """At the printed correlation, else at any. Errors that allow for groups go with a correlation
    of groups, which no table prints, so those are held against any.
    """
    found = [(a, b, x, y) for a, b in pairs for x, y in _errors(a, b)]
    if not found:
        return
    at, r, code = "any correlation", ANY, "difference-se"
    grouped = any(m.grouped for a, b, _, _ in found for m in (a, b))
    if d.correlation is not None and not grouped:
        at, code = f"the printed correlation {d.correlation.text}", "difference-se-correlation"
        low, high = d.correlation.span()
        r = max(-1.0, low), min(1.0, high)
    follows = [difference_se_span(_positive(x), _positive(y), r) for _, _, x, y in found]
    if any(overlap(span, se.span()) for span in follows):
        return
    said = "; ".join(
        f"{as_printed(x, d.scale)} and {as_printed(y, d.scale)}, which give {_between(span, se)}"
        for (_, _, x, y), span in zip(found, follows, strict=True)
    )
    text = (
        f"the standard error of the difference, {as_points(se, d.scale)}, does not follow at {at} "
        f"from the standard errors {said}"
    )
    if not all(_same_questions((a, b)) for a, b, _, _ in found):
        yield finding(
            d, code, "condition",
            text,
            "it is of the questions that both models answered; the means are of different numbers",
        )  # fmt: skip
        return
    severity, unless = told_by_mark(_marked(d, [(a, b) for a, b, _, _ in found]))
    yield finding(d, code, severity, text + (_implied(found, se) if r != ANY else ""), unless)


def _errors(a: PublishedMean, b: PublishedMean) -> Iterator[tuple[Printed, Printed]]:
    """The pairs of errors of one kind."""
    for x, y in ((a.se, b.se), (a.se_naive, b.se_naive)):
        if x is not None and y is not None:
            yield x, y


def _positive(x: Printed) -> Span:
    low, high = x.span()
    return max(0.0, low), max(0.0, high)


def _between(span: Span, se: Printed) -> str:
    low, high = (fixed(x, se.digits + 1) for x in span)
    return low if low == high else f"{low} to {high}"


def _implied(
    found: Sequence[tuple[PublishedMean, PublishedMean, Printed, Printed]], se: Printed
) -> str:
    """The correlation at which the printed errors go together."""
    _, _, x, y = found[0]
    product_ = 2.0 * x.value * y.value
    if len(found) > 1 or product_ == 0.0:
        return ""
    r = (x.value**2 + y.value**2 - se.value**2) / product_
    return f". It would at {fixed(r, 2)}" if math.fabs(r) <= 1.0 else ""
