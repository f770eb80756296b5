"""Which models are shown to be about as good, or not worse, within the declared margin."""

import math
from collections.abc import Callable
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.requested.request import Refused, Request
from reportkit.requested import EquivalenceResult
from reportkit.results import DifferenceResult
from reportkit.scores.select import is_share
from reportkit.text.numbers import bare

LEAST_ALPHA = 1e-14  # no p-value is computed below it
# Nor beyond this one: scipy's quantiles of t are 0 at levels of 1e-9, with 4 degrees of freedom.
MOST_ALPHA = 0.5 - 1e-6

Ends = Callable[[float], stats.Interval]


def equivalence(q: Request) -> tuple[EquivalenceResult, ...]:
    """Of each comparison of the report, two one-sided tests against the margin.

    Each test has alpha = 1 - level, so the interval that shows both has level 1 - 2 alpha
    (Schuirmann 1987). It is the interval that the report would print at this level: by t as in
    stats.equivalence, or Tango's, where t tests of few differences would be too sure.
    """
    margin = _margin(q)
    return tuple(_of_pair(q, d, margin) for d in q.result.differences)


def _margin(q: Request) -> float:
    e, d = q.scores, q.decisions
    if not d.margin:
        raise Refused(
            "No equivalence is tested, since there is no margin; declare the smallest difference "
            "that matters, such as --margin 0.02."
        )
    if not d.level > 0.5:
        raise Refused(
            "No equivalence is tested, since a one-sided test needs a level above 0.5; take a "
            "--level such as 0.95."
        )
    if len(e.models) < 2:
        raise Refused("There is one model, so there is nothing to compare.")
    margin = float(d.margin) / e.unit.width  # declared in own units
    if is_share(e.low, e.high) and margin >= 1.0:
        low, high = bare(e.unit.low), bare(e.unit.high)
        raise Refused(
            f"No equivalence is tested, since scores from {low} to {high} differ by less than the "
            f"margin {d.margin} in any case; give it in the scores' own units, such as "
            f"{bare(0.02 * e.unit.width)}."
        )
    return margin


def _of_pair(q: Request, d: DifferenceResult, margin: float) -> EquivalenceResult:
    alpha = round(1.0 - q.decisions.level, 12)
    interval, p_equivalence, p_worse = _tests(q, d, margin)
    return EquivalenceResult(
        model=d.model,
        baseline=d.baseline,
        difference=d.difference,
        se=d.se,
        df=d.df,
        ci_low=interval.low,
        ci_high=interval.high,
        level=interval.level,
        method=interval.method,
        margin=margin,
        alpha=alpha,
        p_equivalence=p_equivalence,
        equivalent=_verdict(p_equivalence, alpha),
        p_non_inferiority=p_worse,
        non_inferior=_verdict(p_worse, alpha),
        n_questions=d.n_questions,
        n_clusters=d.n_clusters,
    )


def _verdict(p: float, alpha: float) -> str:
    if math.isnan(p):
        return "none"
    return "yes" if p < alpha else "no"


def _tests(q: Request, d: DifferenceResult, margin: float) -> tuple[stats.Interval, float, float]:
    """The interval at 2 level - 1, and the p-values of equivalence and of non-inferiority."""
    level, lower = q.decisions.level, q.scores.lower
    narrow = round(2.0 * level - 1.0, 12)
    if not d.n_questions:
        return stats.Interval(math.nan, math.nan, narrow, "none"), math.nan, math.nan
    ends = _ends(q, d)
    interval = ends(narrow)
    if interval.method == "none":
        return interval, math.nan, math.nan
    if interval.method == "t":
        of = stats.Estimate(d.difference, d.se, d.df, d.n_questions, d.n_clusters)
        better = replace(of, value=-of.value) if lower else of  # above 0: the model is better
        both = stats.equivalence(of, margin, level=level)
        one = stats.non_inferiority(better, margin, level=level)
        return interval, both.p_value, one.p_value
    above = _touching(ends, d.difference, margin)
    below = _touching(_mirrored(ends), -d.difference, margin)
    return interval, max(above, below), above if lower else below


def _ends(q: Request, d: DifferenceResult) -> Ends:
    """The interval of a comparison by the report's rule, at any level."""
    e = q.scores
    a, b = e.models.index(d.model), e.models.index(d.baseline)
    both = e.both(a, b)
    clusters = None if e.clusters is None else e.clusters[both]
    binary = e.binary and int(e.epochs[:, [a, b]].max()) <= 1
    share = is_share(e.low, e.high)

    def at(level: float) -> stats.Interval:
        return stats.paired_difference(
            e.means[both, a], e.means[both, b], clusters, binary=binary, share=share, level=level
        ).interval

    return at


def _mirrored(ends: Ends) -> Ends:
    """The intervals of baseline minus model."""

    def at(level: float) -> stats.Interval:
        i = ends(level)
        return stats.Interval(-i.high, -i.low, level, i.method)

    return at


def _touching(ends: Ends, difference: float, margin: float) -> float:
    """The one-sided p-value of "the difference is the margin or more": the alpha at which the upper
    end of the interval at 1 - 2 alpha is the margin; of a difference beyond the margin, 1 less the
    alpha at which the lower end is.
    """
    from scipy import optimize  # it takes as long as the rest of the package

    beyond = difference > margin
    sign = 1.0 if beyond else -1.0

    def past(log_alpha: float) -> float:
        interval = ends(-math.expm1(log_alpha + math.log(2.0)))
        return sign * ((interval.low if beyond else interval.high) - margin)

    first, last = math.log(LEAST_ALPHA), math.log(MOST_ALPHA)
    if past(last) <= 0.0:  # the difference is the margin, but for rounding
        alpha = 0.5
    elif past(first) >= 0.0:
        alpha = LEAST_ALPHA
    else:
        alpha = math.exp(optimize.brentq(past, first, last, xtol=1e-10))
    return 1.0 - alpha if beyond else alpha
