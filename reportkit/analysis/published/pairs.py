"""What each pair of printed means allows to conclude."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportkit.analysis.published.means import answers_of, counts_of, fractional, whole
from reportkit.analysis.published.words import overlap
from reportkit.published import CheckedMean, CheckedPair, Printed, PublishedMean, Span
from reportkit.stats.exact import (
    fisher_exact_p_value,
    fisher_odds_ratio_interval,
    two_proportion_z,
)
from reportkit.stats.intervals import z_quantile
from reportkit.stats.means.proportions import clopper_pearson_interval, modified_wilson_interval
from reportkit.stats.multiplicity import holm
from reportkit.stats.pairs.paired import unpaired_difference
from reportkit.stats.published import (
    correlation_enough,
    correlation_needed,
    difference_se_span,
    largest_se,
    summary_difference,
)

MOST_ANSWERS = 200_000  # of which exact tests are made


def usable(means: Sequence[PublishedMean]) -> list[PublishedMean]:
    """The mean of each model that is compared: of several rows the one whose error allows for
    groups, else the first with an error, else the first.
    """
    best: dict[str, PublishedMean] = {}
    for m in means:
        if m.mean is None or not m.model or outside(m):
            continue
        before = best.get(m.model)
        if before is None or _worth(m) > _worth(before):
            best[m.model] = m
    return list(best.values())


def shown(means: Sequence[PublishedMean]) -> list[PublishedMean]:
    """The means that are compared, and those outside their scale, which are in no pair."""
    compared = [(m.place, m.model) for m in usable(means)]
    return [m for m in means if outside(m) or (m.place, m.model) in compared]


def outside(m: PublishedMean) -> bool:
    """Whether the mean is one that no scores of its scale have."""
    ends = (m.scale.low, m.scale.high)
    return m.mean is not None and m.scale.known and not overlap(m.mean.span(), ends)


def _worth(m: PublishedMean) -> int:
    return (m.se is not None or m.low is not None) + (m.se is not None and m.grouped)


def error_of(m: PublishedMean, level: float) -> tuple[float, Span, str]:
    """The standard error of a mean, what it may be before rounding, and where it is from."""
    if m.se is not None and m.se.value < 0.0:
        return math.nan, (math.nan, math.nan), "none"
    if m.se is not None:
        low, high = m.se.span()
        return m.se.value, (max(0.0, low), high), "printed"
    if m.low is not None and m.high is not None:
        return _of_interval(m, m.low, m.high, z_quantile(m.level if m.level == m.level else level))
    if m.mean is not None and m.n is not None and m.scale.known and not outside(m):
        n = whole(m.n)[0]
        most = largest_se(m.scale.share((m.mean.value, m.mean.value)), n) * m.scale.width
        wide = largest_se(m.scale.share(m.mean.span()), n) * m.scale.width
        return most, (most, wide), "largest"
    return math.nan, (math.nan, math.nan), "none"


def _of_interval(
    m: PublishedMean, low: Printed, high: Printed, z: float
) -> tuple[float, Span, str]:
    """Half of an interval over z; of one that the scale's end cut off, the other arm over z."""
    left, right = low.span(), high.span()
    half = (high.value - low.value) / 2.0
    span = max(0.0, right[0] - left[1]) / 2.0, (right[1] - left[0]) / 2.0
    cut_low = m.scale.known and left[0] <= m.scale.low
    cut_high = m.scale.known and right[1] >= m.scale.high
    if (cut_low and cut_high) or half < 0.0:  # an interval that ends below its start has no error
        return math.nan, (math.nan, math.nan), "none"
    if (cut_low or cut_high) and m.mean is not None:
        value = m.mean.span()
        arm, arms = m.mean.value - low.value, (value[0] - left[1], value[1] - left[0])
        if cut_low:
            arm, arms = high.value - m.mean.value, (right[0] - value[1], right[1] - value[0])
        half, span = max(half, arm), (max(span[0], arms[0]), max(span[1], arms[1]))
    return half / z, (span[0] / z, span[1] / z), "interval"


def right_answers(m: PublishedMean) -> int | None:
    """The one number of right answers that a mean of one answer to each question stands for."""
    if m.scores == "fractional" or fractional(m) or m.grouped or m.several:
        return None
    if m.answers is not None:
        return None
    found = counts_of(m, "nearest")
    return found[0] if found is not None and len(found) == 1 else None


def checked_mean(m: PublishedMean, level: float) -> CheckedMean:
    """A mean with its error, and with the intervals of the count that it stands for."""
    assert m.mean is not None
    se, _, origin = error_of(m, level)
    right, n = None if outside(m) else right_answers(m), answers_of(m)
    found = CheckedMean(
        eval=m.eval, model=m.model, mean=m.mean.value,
        n=m.n.value if m.n is not None else math.nan, se=se, se_from=origin,
        counts="" if right is None else str(right),
        ci_low=math.nan, ci_high=math.nan, exact_low=math.nan, exact_high=math.nan,
        table=m.place.table, line=m.place.line,
    )  # fmt: skip
    if right is None or n is None:
        return found
    score, exact = (
        f(right, n, level) for f in (modified_wilson_interval, clopper_pearson_interval)
    )
    low, width = m.scale.low, m.scale.width
    return replace(
        found,
        ci_low=low + score.low * width,
        ci_high=low + score.high * width,
        exact_low=low + exact.low * width,
        exact_high=low + exact.high * width,
    )


def checked_pairs(
    evals: Sequence[Sequence[PublishedMean]],
    level: float,
    correlations: Span,
    baseline: str,
) -> tuple[CheckedPair, ...]:
    """Every pair of models of each eval, or each model with the baseline; p adjusted over all."""
    found = [p for means in evals for p in _pairs(means, level, correlations, baseline)]
    if not found:
        return ()
    pairs, lows, highs = zip(*found, strict=True)
    adjusted = holm(np.array([p.p_value for p in pairs]))
    at_least, at_most = holm(np.array(lows)), holm(np.array(highs))
    return tuple(
        replace(p, p_adjusted=float(a), settled=settled(float(low), float(high), 1.0 - level))
        for p, a, low, high in zip(pairs, adjusted, at_least, at_most, strict=True)
    )


def settled(low: float, high: float, alpha: float) -> str:
    if low != low:
        return "unknown"
    if high < alpha:
        return "yes"
    return "rounding" if low < alpha else "no"


def _pairs(
    means: Sequence[PublishedMean], level: float, correlations: Span, baseline: str
) -> Iterator[tuple[CheckedPair, float, float]]:
    """Each pair with the smallest and the largest p that its digits allow."""
    models = usable(means)
    for a, b in combinations(models, 2):
        if baseline and baseline not in (a.model, b.model):
            continue
        if a.model == baseline:
            a, b = b, a
        yield _pair(a, b, level, correlations)


def _pair(
    a: PublishedMean, b: PublishedMean, level: float, correlations: Span
) -> tuple[CheckedPair, float, float]:
    assert a.mean is not None and b.mean is not None
    (se_a, span_a, _), (se_b, span_b, _) = error_of(a, level), error_of(b, level)
    values = (a.mean.value, se_a, b.mean.value, se_b)
    alone = summary_difference(*values, level=level)
    low, high = (summary_difference(*values, level=level, r=r) for r in correlations)
    p = alone.p_value
    if alone.difference == 0.0 and se_a == se_a and se_b == se_b:
        p = 1.0
    ends = _ends(a, b)
    at_least, at_most = _p_span(ends, span_a, span_b, 0.0) if p == p else (math.nan, math.nan)
    low_end, high_end = (
        settled(*_p_span(ends, span_a, span_b, r), 1.0 - level) if p == p else "unknown"
        for r in correlations
    )
    pair = CheckedPair(
        a.eval, a.model, b.model, alone.difference, alone.se, alone.low, alone.high, level,
        alone.z, p, math.nan, "unknown", *correlations, low.se, high.se, low.p_value, high.p_value,
        low_end, high_end, correlation_needed(alone.difference, se_a, se_b, level=level),
        correlation_enough(ends[0], span_a, span_b, level=level),
        *_of_counts(a, b, level),
    )  # fmt: skip
    return pair, at_least, at_most


def _p_span(difference: Span, se_a: Span, se_b: Span, r: float) -> Span:
    """The smallest and the largest p that the digits allow at a correlation. An error of 0.0 may be
    next to nothing.
    """
    least, most = difference_se_span(se_a, se_b, (r, r))
    ends = ((difference[1], least), (difference[0], most))
    low, high = (
        summary_difference(d, se, 0.0, 0.0).p_value if se > 0.0 else float(d == 0.0)
        for d, se in ends
    )
    return low, high


def _ends(a: PublishedMean, b: PublishedMean) -> Span:
    """The smallest and the largest size of a difference whose means were both rounded, or both cut
    off: one unit of the last digit to each side.
    """
    assert a.mean is not None and b.mean is not None
    size = abs(a.mean.value - b.mean.value)
    unit = (a.mean.step + b.mean.step) / 2.0
    return max(0.0, size - unit), size + unit


def _of_counts(a: PublishedMean, b: PublishedMean, level: float) -> tuple[float, ...]:
    """Fisher's p, the pooled z's p, odds ratio with its ends, ends of the difference by Newcombe;
    nan where a mean does not stand for one number of right answers.
    """
    right_a, right_b = right_answers(a), right_answers(b)
    n_a, n_b = answers_of(a), answers_of(b)
    if right_a is None or right_b is None or not n_a or not n_b or n_a + n_b > MOST_ANSWERS:
        return (math.nan,) * 7
    counts = (right_a, n_a, right_b, n_b)
    odds = fisher_odds_ratio_interval(*counts, level)
    d = unpaired_difference(
        _answers(right_a, n_a), _answers(right_b, n_b), binary=True, level=level
    )
    width = a.scale.width
    return (
        fisher_exact_p_value(*counts), two_proportion_z(*counts).p_value,
        odds.estimate, odds.interval.low, odds.interval.high,
        d.interval.low * width, d.interval.high * width,
    )  # fmt: skip


def _answers(right: int, n: int) -> np.ndarray:
    return np.repeat([1.0, 0.0], [right, n - right])
