"""Whether a printed interval follows from the numbers beside it, and by which method."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from reportkit.analysis.published.groups import unsaid, unsaid_groups
from reportkit.analysis.published.means import GROUPED, answers_of, one_answer, whole
from reportkit.analysis.published.words import (
    as_count,
    as_points,
    as_printed,
    finding,
    near,
    overlap,
)
from reportkit.published import (
    PERCENT,
    SHARE,
    Finding,
    Printed,
    PublishedDifference,
    PublishedMean,
    Severity,
    Span,
)
from reportkit.stats.intervals import t_quantile, z_quantile
from reportkit.stats.means.proportions import counted_ends, wilson_ends
from reportkit.stats.published import largest_se, quotient_span, smallest_binary_se
from reportkit.text.numbers import fixed, percent_of

LEVELS = (0.5, 0.68, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
UNEVEN = 4.0  # how many times fewer degrees of freedom than clusters uneven sizes may leave
CLOSE = 0.1  # a share of the quantile: so near to it lie bootstraps and score intervals


@dataclass(frozen=True, slots=True)
class Printout:
    """An interval with its estimate, as a mean's row or a difference's has them."""

    row: PublishedMean | PublishedDifference
    value: Printed
    low: Printed
    high: Printed
    se: Printed | None
    level: float
    assumed: bool  # the level is not printed
    df: float  # the fewest degrees of freedom that the table lets a t have; 0: it does not say

    @property
    def half(self) -> Span:
        """Half the width; of an interval cut off at an end of the scale, the other arm."""
        low, high, value = self.low.span(), self.high.span(), self.value.span()
        if self.cut_low:
            return max(0.0, high[0] - value[1]), high[1] - value[0]
        if self.cut_high:
            return max(0.0, value[0] - low[1]), value[1] - low[0]
        return max(0.0, (high[0] - low[1]) / 2.0), (high[1] - low[0]) / 2.0

    @property
    def cut_low(self) -> bool:
        return self.row.scale.known and self.low.span()[0] <= self._least

    @property
    def cut_high(self) -> bool:
        return self.row.scale.known and self.high.span()[1] >= self.row.scale.high

    @property
    def _least(self) -> float:
        scale = self.row.scale
        return scale.low if isinstance(self.row, PublishedMean) else -scale.width

    @property
    def even(self) -> bool:
        """Whether the estimate may lie in the middle."""
        if self.cut_low or self.cut_high:
            return True
        low, high = self.low.span(), self.high.span()
        middle = (low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0
        return overlap(middle, self.value.span())

    @property
    def text(self) -> str:
        if isinstance(self.row, PublishedMean):
            return f"({', '.join(as_printed(x, self.row.scale) for x in (self.low, self.high))})"
        ends = (fixed(x.value, x.digits, sign=True) for x in (self.low, self.high))
        return f"({', '.join(ends)})" + (" points" if self.row.scale.percent else "")

    @property
    def value_text(self) -> str:
        if isinstance(self.row, PublishedMean):
            return as_printed(self.value, self.row.scale)
        return as_points(self.value, self.row.scale, sign=True)


def fewest_df(rows: Iterable[PublishedMean]) -> float:
    """The fewest degrees of freedom of a t for these means; 0 where the table does not tell. Of
    clusters of uneven size Satterthwaite's number is smaller than their count.
    """
    found = []
    for m in rows:
        if m.clusters is not None:
            found.append(max(1.0, (m.clusters.value - 1.0) / UNEVEN))
        elif m.grouped or m.n is None:
            found.append(0.0)
        else:
            found.append(whole(m.n)[0] - 1.0)
    return min(found, default=0.0)


def printout(row: PublishedMean | PublishedDifference, level: float, df: float) -> Printout | None:
    """The printed interval of a row; None without one. level and df: as in check_interval."""
    value = row.mean if isinstance(row, PublishedMean) else row.difference
    if row.low is None or row.high is None or value is None:
        return None
    assumed = row.level != row.level
    return Printout(
        row, value, row.low, row.high, row.se, level if assumed else row.level, assumed, df
    )


def narrow_half(i: Printout) -> float:
    """Half of the narrowest interval, at its level, of a mean of independent right-or-wrong
    answers, where what is printed beside it without an error is clearly narrower; else nan.
    """
    m = i.row
    if not isinstance(m, PublishedMean) or m.n is None or i.se is not None or _binomial(i):
        return math.nan
    least = smallest_binary_se(m.scale.share(i.value.span()), whole(m.n)[1]) * m.scale.width
    half = z_quantile(i.level) * least
    if not overlap(i.value.span(), (i.low.span()[0], i.high.span()[1])):
        return math.nan
    return half if i.half[1] < half * (1.0 - CLOSE) else math.nan


def check_interval(
    row: PublishedMean | PublishedDifference, level: float, df: float
) -> Iterator[Finding]:
    """Every finding about a printed interval. level: of intervals that do not say theirs. df: as
    fewest_df gives them.
    """
    i = printout(row, level, df)
    if i is None:
        return
    if i.low.span()[0] > i.high.span()[1]:
        text = f"the interval {i.text} ends below its start"
        yield finding(row, "interval-ends", "inconsistent", text)
    elif not overlap(i.value.span(), (i.low.span()[0], i.high.span()[1])):
        yield finding(
            row, "interval-outside", "inconsistent",
            f"{i.value_text} lies outside of its interval {i.text}",
        )  # fmt: skip
    elif row.se is not None and not _binomial(i):
        yield from _of_error(i, row.se)
    elif row.se is None and isinstance(row, PublishedMean) and not _binomial(i):
        yield from _too_wide(i, row)
        yield from _too_narrow(i, row)


def _of_error(i: Printout, se: Printed) -> Iterator[Finding]:
    """Whether the interval is the estimate -+ a quantile times the error."""
    multiples = quotient_span(i.half, se.span())
    quantiles = _quantiles(i)
    if overlap(multiples, quantiles) and i.even:
        return
    percent = percent_of(i.level)
    write = as_printed if isinstance(i.row, PublishedMean) else as_points
    error = write(se, i.row.scale)
    times = f"{multiples[0]:.2f} to {multiples[1]:.2f}"
    if multiples[1] == math.inf:
        times = f"{multiples[0]:.2f} or more"
    at_end = (i.cut_low or i.cut_high) and multiples[0] > quantiles[0]
    if not i.even or at_end:
        middle = "does not have {} in its middle, so it is not that number"
        longer = "reaches further from {} than that number"
        how = (longer if at_end else middle).format(i.value_text)
        yield finding(
            i.row, "interval-uneven", "condition",
            f"the interval {i.text} {how} ± a multiple of the standard error {error}",
            "a score interval or a bootstrap made it; the table does not name the method",
        )  # fmt: skip
        return
    wanted = f"{quantiles[0]:.2f}"
    if quantiles[0] + 0.005 < quantiles[1] < math.inf:
        wanted += f" (z) to {quantiles[1]:.2f} (t)"
    text = (
        f"the interval {i.text} reaches {times} standard errors ({error}) to each side; at "
        f"{percent} it would be {wanted}"
    )
    others = [x for x in LEVELS if multiples[0] <= z_quantile(x) <= multiples[1]]
    if others:
        text += f". It fits a level of {percent_of(others[0])}"
    unless = f"its level is not {percent}; the table does not say it"
    if not i.assumed:
        unless = _excuse(i, multiples)
    severity: Severity = "condition" if unless else "inconsistent"
    yield finding(i.row, "interval-error", severity, text, unless)


def _quantiles(i: Printout) -> Span:
    """z, and t with the fewest degrees of freedom that the table lets it have."""
    z = z_quantile(i.level)
    return z, float(t_quantile(i.level, i.df)) if i.df >= 1.0 else math.inf


def _excuse(i: Printout, multiples: Span) -> str:
    """When a method that the table need not name gives such an interval: few clusters, a score
    interval, a bootstrap. Empty where none does.
    """
    low, high = _quantiles(i)
    if overlap(multiples, (low * (1.0 - CLOSE), high * (1.0 + CLOSE))):
        return "it was made by another method, or with few groups of questions"
    known = unsaid_groups(i.row)
    if known is None or multiples[1] < low:
        return ""
    return (
        f"it allows for the groups in which questions of {i.row.eval} are known to come "
        f"({known.groups}), and there are few of them; {unsaid(i.row, 'says neither')}"
    )


# Shares of right answers --------------------------------------------------------------------------


def _binomial(i: Printout) -> bool:
    """Whether an interval for a share of right answers gives both ends: Wilson's, as it is or
    mended, or Clopper and Pearson's.
    """
    m = i.row
    n = answers_of(m) if isinstance(m, PublishedMean) else None
    if n is None or m.scale not in (PERCENT, SHARE):
        return False
    p = np.linspace(*m.scale.share(i.value.span()), 9)
    ends = [
        wilson_ends(p, n, i.level),
        wilson_ends(p, n, i.level, modified=True),
        counted_ends(p, n, i.level),
        _jeffreys_ends(p, n, i.level),
        _agresti_ends(p, n, i.level),
        _corrected_ends(p, n, i.level),
        _exact_ends(p, n, i.level),
    ]
    return any(_covers(low, i.low, m) and _covers(high, i.high, m) for low, high in ends)


def _exact_ends(p: np.ndarray, n: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Clopper and Pearson's, also between counts."""
    k, tail = p * n, (1.0 - level) / 2.0
    low = special.betaincinv(np.maximum(k, 1e-12), n - k + 1.0, tail)
    high = special.betaincinv(k + 1.0, np.maximum(n - k, 1e-12), 1.0 - tail)
    return np.where(k <= 0.0, 0.0, low), np.where(k >= n, 1.0, high)


def _jeffreys_ends(p: np.ndarray, n: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles of Beta(k + 1/2, n - k + 1/2), with the scale's ends at k = 0 and k = n."""
    k, tail = p * n, (1.0 - level) / 2.0
    low = special.betaincinv(k + 0.5, n - k + 0.5, tail)
    high = special.betaincinv(k + 0.5, n - k + 0.5, 1.0 - tail)
    return np.where(k <= 0.0, 0.0, low), np.where(k >= n, 1.0, high)


def _agresti_ends(p: np.ndarray, n: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Agresti and Coull (1998): z^2/2 right and z^2/2 wrong answers added."""
    z = z_quantile(level)
    middle = (p * n + z * z / 2.0) / (n + z * z)
    half = z * np.sqrt(middle * (1.0 - middle) / (n + z * z))
    return np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)


def _corrected_ends(p: np.ndarray, n: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's with continuity correction (Newcombe 1998, method 4)."""
    z = z_quantile(level)
    middle, below = 2.0 * n * p + z * z, 2.0 * (n + z * z)
    left = np.maximum(0.0, z * z - 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) + 1.0))
    right = np.maximum(0.0, z * z + 2.0 - 1.0 / n + 4.0 * p * (n * (1.0 - p) - 1.0))
    low = (middle - 1.0 - z * np.sqrt(left)) / below
    high = (middle + 1.0 + z * np.sqrt(right)) / below
    low = np.where(p <= 0.0, 0.0, np.maximum(0.0, low))
    return low, np.where(p >= 1.0, 1.0, np.minimum(1.0, high))


def _covers(ends: np.ndarray, printed: Printed, m: PublishedMean | PublishedDifference) -> bool:
    found = m.scale.low + ends * m.scale.width
    return overlap((float(found.min()), float(found.max())), printed.span())


def _too_wide(i: Printout, m: PublishedMean) -> Iterator[Finding]:
    """Without an error: whether the interval is wider than any scores of this scale have it."""
    if m.n is None or not m.scale.known or m.grouped:
        return
    n = whole(m.n)[0]
    if n < 2.0:
        return
    p = m.scale.share(i.value.span())
    most = float(t_quantile(i.level, n - 1.0)) * largest_se(p, n)
    low, high = _exact_ends(np.array(p), n, i.level)
    most = max(most, float(np.max(high - low)) / 2.0) * m.scale.width
    width = (i.high.span()[0] - i.low.span()[1]) / 2.0
    printed = (i.high.value - i.low.value) / 2.0
    if width > most * (1.0 + CLOSE):
        known = unsaid_groups(m)
        reasons = ["its level is another"] if i.assumed else []
        if known is not None:
            reasons.append(
                f"it allows for the groups in which questions of {m.eval} are known to come "
                f"({known.groups})"
            )
        percent = percent_of(i.level)
        more = ""
        if not reasons and m.beside == "maybe":
            reasons.append("it allows for groups of questions")
        if not reasons:
            more = ". An interval that allows for groups of questions could be wider"
            more += "" if m.beside else ", and the table does not say that it does"
        found = finding(
            m, "interval-wide", "condition" if reasons else "inconsistent",
            f"the interval {i.text} is wider than {as_count(m.n)} independent scores allow at "
            f"{percent}: half of it is {near(printed, i.low, m.scale)}, before rounding at least "
            f"{near(width, i.low, m.scale)}, and {near(most, i.low, m.scale)} is the most{more}",
            f"{', or '.join(reasons)}; {unsaid(m)}" if reasons else "",
        )  # fmt: skip
        yield replace(found, advice=(GROUPED,))


def _too_narrow(i: Printout, m: PublishedMean) -> Iterator[Finding]:
    """The same for answers that are said to be right or wrong."""
    half = narrow_half(i)
    if m.scores == "binary" and one_answer(m) and not m.grouped and half > 0.0:
        yield finding(
            m, "interval-narrow", "condition",
            f"the interval {i.text} is narrower than that of {as_count(m.n) if m.n else ''} "
            f"right-or-wrong answers at {percent_of(i.level)}: half of it is at most "
            f"{near(i.half[1], i.low, m.scale)}, and {near(half, i.low, m.scale)} would be usual",
            "it was made by another method, or its level is another",
        )  # fmt: skip
