"""What is odd about one printed mean and the numbers beside it."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from reportkit.advised import Option
from reportkit.analysis.published.groups import known_partial, unsaid, unsaid_groups
from reportkit.analysis.published.words import as_count, as_printed, finding, near, overlap
from reportkit.published import (
    PERCENT,
    SHARE,
    Finding,
    Printed,
    PublishedMean,
    Rounding,
    Severity,
    Span,
)
from reportkit.stats.intervals import z_quantile
from reportkit.stats.published import (
    largest_se,
    possible_counts,
    quotient_span,
    smallest_binary_se,
)
from reportkit.text.numbers import count, share_of

BINARY = Option("scores", "binary", "if each question has one such answer")
GROUPED = Option("errors", "clustered", "if it allows for groups")
RESAMPLING = 0.07  # 1/sqrt(2B), the Monte Carlo error of the SE of a bootstrap of B = 100
SEVERAL = re.compile(
    r"\b(?:macro|average|avg|mean of|runs?|seeds?|subtasks?|parts)\b", re.IGNORECASE
)


def check_mean(m: PublishedMean) -> Iterator[Finding]:
    """Every finding about one row, intervals aside."""
    if m.mean is not None and m.scale.known:
        yield from _outside(m)
    yield from _count(m)
    yield from _clusters(m)
    for se, naive in ((m.se, False), (m.se_naive, True)):
        if se is not None:
            yield from _error(m, se, naive)
    yield from _ratio(m)
    yield from _odd(m)


def whole(n: Printed | None) -> Span:
    """The numbers of questions that a printed one may be: itself, where it is not in thousands."""
    if n is None:
        return math.nan, math.nan
    return (n.value, n.value) if n.step <= 1.0 else n.span()


def fractional(m: PublishedMean) -> bool:
    """Whether scores are between right and wrong, by the table or by what is known of the eval."""
    return m.scores == "fractional" or (m.scores == "" and known_partial(m.eval) != "")


def _outside(m: PublishedMean) -> Iterator[Finding]:
    assert m.mean is not None
    if not overlap(m.mean.span(), (m.scale.low, m.scale.high)):
        if m.mean.value < m.scale.low:  # an index may take points off
            below = finding(
                m, "mean-outside", "condition",
                f"the mean {as_printed(m.mean, m.scale)} lies below the scale of the scores, from "
                f"{m.scale.low:g}",
                "the scores may be negative",
            )  # fmt: skip
            yield replace(
                below,
                advice=(Option("scale", "LOW,HIGH", "with the smallest and the largest score"),),
            )
            return
        ends = f"{m.scale.low:g} to {m.scale.high:g}"
        yield finding(
            m, "mean-outside", "inconsistent",
            f"the mean {as_printed(m.mean, m.scale)} lies outside the scale of the scores, {ends}",
        )  # fmt: skip


# Right answers ------------------------------------------------------------------------------------


def counts_of(m: PublishedMean, how: Rounding = "either") -> range | None:
    """The numbers of right answers that a mean may stand for, if every answer is right or wrong;
    None where the table does not tell how many answers there are, or on which scale.
    """
    n = answers_of(m)
    if m.mean is None or n is None or m.scale not in (PERCENT, SHARE):
        return None
    return possible_counts(m.scale.share(m.mean.span(how)), n)


def answers_of(m: PublishedMean) -> int | None:
    """How many answers a mean is of; None where that is not printed exactly."""
    if m.n is None or m.n.step > 1.0:
        return None
    each = m.answers.value if m.answers is not None else 1.0
    return int(m.n.value * each)


def one_answer(m: PublishedMean) -> bool:
    """Whether nothing says that questions have several answers each."""
    return (m.answers is None or m.answers.value == 1.0) and not m.several


def _count(m: PublishedMean) -> Iterator[Finding]:
    n = answers_of(m)
    possible = counts_of(m)
    if possible is None or n is None or fractional(m) or m.several or m.mean is None:
        return
    if not overlap(m.mean.span(), (m.scale.low, m.scale.high)):
        return
    printed = as_printed(m.mean, m.scale)
    if possible and counts_of(m, "nearest"):
        return
    end = m.mean.value + m.mean.step  # 12.5 is not cut off 12.6, but perhaps off 12.5999...
    ended = [k for k in possible if abs(k / n * m.scale.width - end) < 1e-6 * m.mean.step]
    if len(ended) < len(possible):
        yield finding(
            m, "mean-cut", "note",
            f"if {printed} is a share of {count(n)} right-or-wrong answers, its digits were cut "
            "off, not rounded",
        )  # fmt: skip
        return
    below = math.floor(m.scale.share((m.mean.value, m.mean.value))[0] * n)
    beside = " and ".join(
        f"{count(k)} of {count(n)} is {near(k / n * m.scale.width, m.mean, m.scale)}"
        for k in (below, below + 1)
        if 0 <= k <= n
    )
    text = f"{printed} is no share of {count(n)} answers that are right or wrong: {beside}"
    reasons = []
    if m.scores != "binary":
        reasons = [
            "is a mean of several answers to each question, of fractional scores, or of another "
            "number of questions"
        ]
    if ended:
        kept = near(end, m.mean, m.scale, 0)
        reasons.append(f"was cut off by a program that kept {kept} as a number just below it")
    severity: Severity = "condition" if reasons else "inconsistent"
    unless = f"it {', or '.join(reasons)}" if reasons else ""
    found = finding(m, "mean-count", severity, text, unless)
    yield found if m.scores == "binary" else replace(found, advice=(BINARY,))


def _clusters(m: PublishedMean) -> Iterator[Finding]:
    if m.clusters is not None and m.n is not None and m.clusters.value > whole(m.n)[1]:
        yield finding(
            m, "clusters-count", "inconsistent",
            f"{as_count(m.clusters)} clusters are more than the {as_count(m.n)} questions",
        )  # fmt: skip


# Standard errors ----------------------------------------------------------------------------------


def _error(m: PublishedMean, se: Printed, naive: bool) -> Iterator[Finding]:
    if se.span()[1] < 0.0 or se.value < 0.0:
        yield finding(m, "se-negative", "inconsistent", f"the standard error {se.text} is negative")
        return
    if m.mean is None or m.n is None or not m.scale.known:
        return
    if not overlap(m.mean.span(), (m.scale.low, m.scale.high)):
        return  # it is told that the mean is outside its scale
    p, n = m.scale.share(m.mean.span()), whole(m.n)
    most = largest_se(p, n[0]) * m.scale.width
    if se.span()[0] > most and (naive or not m.grouped):
        yield _too_large(m, se, most, naive)
    if m.grouped and not naive and m.clusters is not None and m.clusters.value <= n[1]:
        yield from _beyond_clusters(m, se, m.clusters)
    if m.scores == "binary" and (naive or not m.grouped) and one_answer(m):
        least = smallest_binary_se(p, n[1]) * m.scale.width
        if se.span()[1] < least:
            yield finding(
                m, "se-minimum", "inconsistent",
                f"the standard error {as_printed(se, m.scale)} is smaller than {as_count(m.n)} "
                f"scores of 0 or 1 with the mean {as_printed(m.mean, m.scale)} have, "
                f"{near(least, se, m.scale)}",
            )  # fmt: skip


def _beyond_clusters(m: PublishedMean, se: Printed, clusters: Printed) -> Iterator[Finding]:
    """Of clusters of one size, each with all scores alike, the error is that of so many scores."""
    assert m.mean is not None
    most = largest_se(m.scale.share(m.mean.span()), whole(clusters)[0]) * m.scale.width
    if se.span()[0] > most * (1.0 + RESAMPLING):
        yield finding(
            m, "se-clusters", "condition",
            f"the standard error {as_printed(se, m.scale)} is larger than that of "
            f"{as_count(clusters)} clusters of one size with the mean "
            f"{as_printed(m.mean, m.scale)}, at most {near(most, se, m.scale)}",
            "a few of the clusters hold most of the questions",
        )  # fmt: skip


def _too_large(m: PublishedMean, se: Printed, most: float, naive: bool) -> Finding:
    assert m.mean is not None and m.n is not None
    text = (
        f"the standard error {as_printed(se, m.scale)} is too large: that of {as_count(m.n)} "
        f"independent scores from {m.scale.low:g} to {m.scale.high:g} with the mean "
        f"{as_printed(m.mean, m.scale)} is at most {near(most, se, m.scale)}"
    )
    if naive or m.errors == "naive":
        return finding(m, "se-maximum", "inconsistent", text)
    known = unsaid_groups(m)
    if se.span()[0] <= most * (1.0 + RESAMPLING):
        groups = "" if known is None else ", or it allows for groups of questions"
        return finding(
            m, "se-maximum", "condition",
            text,
            f"a bootstrap of few resamples made it, which errs by about {share_of(RESAMPLING)}"
            f"{groups}",
        )  # fmt: skip
    if SEVERAL.search(m.eval):
        return finding(
            m, "se-maximum", "condition",
            text,
            "the mean is of the means of several parts or runs",
        )  # fmt: skip
    if known is not None:
        excused = finding(
            m, "se-maximum", "condition",
            text,
            f"it allows for the groups in which questions of {m.eval} are known to come "
            f"({known.groups}); {unsaid(m)}",
        )  # fmt: skip
        return replace(excused, advice=(GROUPED, Option("errors", "naive", "if it does not")))
    if m.beside == "maybe":
        maybe = finding(
            m, "se-maximum", "condition",
            text,
            "it allows for groups of questions, or the mean is of the means of several parts or "
            "runs; the text beside the table may say so",
        )  # fmt: skip
        return replace(maybe, advice=(GROUPED,))
    neither = "" if m.beside else ", and the table names neither"
    odd = finding(
        m, "se-maximum", "inconsistent",
        f"{text}. An error that allows for groups of questions, or a mean of several parts' means, "
        f"could be larger{neither}",
    )  # fmt: skip
    return replace(odd, advice=(GROUPED,))


def _odd(m: PublishedMean) -> Iterator[Finding]:
    """A number after ± that is neither what the others are nor the other of the two."""
    if m.odd is None or m.mean is None or m.n is None or not m.scale.known:
        return
    most = largest_se(m.scale.share(m.mean.span()), whole(m.n)[0]) * m.scale.width
    half = z_quantile(0.95) * most
    yield finding(
        m, "plus-minus", "condition",
        f"the number {as_printed(m.odd, m.scale)} after ± fits neither a standard error nor half "
        f"of a 95% interval: of {as_count(m.n)} independent right-or-wrong answers with the mean "
        f"{as_printed(m.mean, m.scale)} these are {near(most, m.odd, m.scale)} and "
        f"{near(half, m.odd, m.scale)} at the most. No conclusion rests on it",
        "it is something else than the other numbers after ±, or allows for groups of questions",
    )  # fmt: skip


def _ratio(m: PublishedMean) -> Iterator[Finding]:
    if m.ratio is None or m.se is None or m.se_naive is None:
        return
    follows = quotient_span(m.se.span(), m.se_naive.span())
    if not overlap(follows, m.ratio.span()):
        yield finding(
            m, "se-ratio", "inconsistent",
            f"the ratio {m.ratio.text} does not follow from {m.se.text} and {m.se_naive.text}, "
            f"which give {follows[0]:.2f} to {follows[1]:.2f}",
        )  # fmt: skip
