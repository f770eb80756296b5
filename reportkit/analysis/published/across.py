"""What several rows say of one eval: a number that is printed twice, an error without its mean, an
error that does not allow for groups.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from reportkit.analysis.published.groups import known_eval, unsaid
from reportkit.analysis.published.means import whole
from reportkit.analysis.published.words import (
    as_count,
    as_printed,
    finding,
    near,
    overlap,
    told_by_mark,
)
from reportkit.loading.published.settings import told_apart
from reportkit.published import Finding, PublishedMean
from reportkit.stats.published import means_for_se
from reportkit.text.numbers import fixed

FAR_FROM = 30.0


def check_across(means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """Every finding about the rows of one eval together."""
    for a, b in combinations(means, 2):
        if a.model and a.model == b.model:
            yield from _twice(a, b)
    for m in means:
        if m.mean is None:
            yield from _without_mean(m, means)
    yield from _as_share(means)
    yield from _narrow(means)


def _as_share(means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """A mean of less than 1% among some of FAR_FROM times as much and more: it may be a share."""
    known = [m for m in means if m.mean is not None and m.scale.percent]
    for m in known:
        others = [x.mean.value for x in known if x is not m and x.mean is not None]
        if m.mean is None or not 0.0 < m.mean.value < 1.0 or not others:
            continue
        if min(others) < FAR_FROM * m.mean.value:
            continue
        yield finding(
            m, "mean-share", "note",
            f"the mean is read as {as_printed(m.mean, m.scale)}, and the others of this eval are "
            f"{fixed(min(others), 1)}% and more. If it is a share, write it as "
            f"{fixed(100.0 * m.mean.value, max(0, m.mean.digits - 2))}",
        )  # fmt: skip


def _twice(a: PublishedMean, b: PublishedMean) -> Iterator[Finding]:
    if told_apart(a.place.table, b.place.table):
        return
    severity, unless = told_by_mark(a.mark != b.mark)
    here, there = _places(a.place.table, b.place.table)
    before = a.place.line if a.place.table == b.place.table else 0
    if a.mean is not None and b.mean is not None and not overlap(a.mean.span(), b.mean.span()):
        found = finding(
            b, "mean-twice", severity,
            f"the mean is {as_printed(a.mean, a.scale)} in {here} and "
            f"{as_printed(b.mean, b.scale)} in {there}",
            unless,
        )  # fmt: skip
        yield replace(found, before=before)
    same_kind = a.grouped == b.grouped
    if (
        same_kind
        and a.se is not None
        and b.se is not None
        and not overlap(a.se.span(), b.se.span())
    ):
        found = finding(
            b, "se-twice", severity,
            f"the standard error is {as_printed(a.se, a.scale)} in {here} and "
            f"{as_printed(b.se, b.scale)} in {there}",
            unless,
        )  # fmt: skip
        yield replace(found, before=before)


def _places(a: str, b: str) -> tuple[str, str]:
    """Where two rows stand, in words for people who do not have the file."""
    if a == b:
        return "one row", "another"
    return a or "another table", b or "another table"


def _without_mean(m: PublishedMean, means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """An error of independent questions says between which shares its mean lies."""
    known = [x for x in means if x.mean is not None]
    if m.se_naive is None or m.n is None or not m.scale.known or not known:
        return
    least, n = max(0.0, m.se_naive.span()[0]) / m.scale.width, whole(m.n)[0]
    low, high = means_for_se(least, n)
    if any(overlap(x.scale.share(x.mean.span()), (low, high)) for x in known if x.mean):
        return
    error = as_printed(m.se_naive, m.scale)
    printed = ", ".join(dict.fromkeys(as_printed(x.mean, x.scale) for x in known if x.mean))
    if low != low:
        text = (
            f"no mean on this scale has a standard error of {error} with {as_count(m.n)} questions"
        )
        yield finding(m, "se-maximum", "inconsistent", text)
        return
    ends = (near(m.scale.low + x * m.scale.width, m.se_naive, m.scale, -1) for x in (low, high))
    yield finding(
        m, "se-mean", "condition",
        f"the standard error {error} of {as_count(m.n)} independent questions needs a mean between "
        f"{' and '.join(ends)}, and the means printed for this eval are {printed}",
        "it is of another model",
    )  # fmt: skip


def _narrow(means: Sequence[PublishedMean]) -> Iterator[Finding]:
    """Once for an eval of which no row says that its error allows for groups."""
    known = known_eval(means[0].eval)
    rows = [m for m in means if m.se is not None or m.low is not None]
    counted = [m for m in means if m.mean is not None and m.n is not None and m.scale.known]
    if known is None or not (rows or counted) or any(m.grouped for m in means):
        return
    text = f"its questions are known to come in groups ({known.groups}), and the table "
    if rows and all(m.errors == "naive" for m in rows):
        text += "has errors that do not allow for it. They are likely too narrow"
    elif rows:
        allow = "that its errors allow for it"
        says = unsaid(rows[0], f"does not say {allow}", allow)
        text = (
            f"{text.removesuffix('the table ')}{says}. If they do not, they are likely too narrow"
        )
    else:
        text += (
            "prints no error. The one that is taken here is that of independent questions, and "
            "likely too narrow"
        )
    if known.seen:
        text += f": clustered errors were seen to be {known.seen} times the naive ones"
    row = replace((rows or counted)[0], model="")
    yield finding(row, "se-narrow", "note", f"{text}. Source: {known.source}")
