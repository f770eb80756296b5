"""The mean of two models' differences over several evals, with its test."""

import math
from collections.abc import Mapping

from scipy import special

from reportkit import stats
from reportkit.analysis.same_questions import INDEPENDENT, Together
from reportkit.results import DifferenceResult, EvalResult
from reportkit.suites import OverallResult

Comparison = tuple[str, str]  # model, baseline
Pairs = Mapping[Comparison, DifferenceResult]
NAMED = 3  # evals that a reason names


def pairs_of(r: EvalResult) -> Pairs:
    """Every pair of an eval by its two models."""
    return {(d.model, d.baseline): d for d in r.pairs}


def pair_of(pairs: Pairs, comparison: Comparison) -> DifferenceResult | None:
    """A comparison in this direction; None where the eval lacks one of the two models."""
    model, baseline = comparison
    if comparison in pairs:
        return pairs[comparison]
    other = pairs.get((baseline, model))
    return None if other is None else other.turned()


def mean_difference(  # noqa: PLR0913 (all but the first two are the same for every comparison)
    comparison: Comparison,
    both: Mapping[str, DifferenceResult],
    weights: Mapping[str, float],
    n_all: int,
    level: float,
    width: float = math.inf,
    same: Together = INDEPENDENT,
) -> OverallResult:
    """The mean of one comparison's differences. both: on the evals that both models have. width:
    the most that two scores of these evals can differ by. same: which of the evals ask the same
    questions.
    """
    parts = {name: _known(d) for name, d in both.items()}
    unknown = [name for name, e in parts.items() if math.isnan(e.se)]
    value, p, ends, reason = _NONE, math.nan, _NONE_ENDS, ""
    if not parts:
        reason = "no averaged eval has questions that both answered"
    else:
        value = stats.macro_average(
            list(parts.values()),
            [weights[name] for name in parts],
            same.correlations(list(parts), *comparison),
        )
    if unknown:
        some = ", ".join(unknown[:NAMED])
        more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
        reason = f"the SE of the difference is undefined on {some}{more}"
    elif parts:
        p, ends = _p_of(value), ends_of(value, level, width)
    return OverallResult(
        model=comparison[0],
        baseline=comparison[1],
        difference=value.value,
        se=value.se,
        df=value.df,
        ci_low=ends[0],
        ci_high=ends[1],
        level=level,
        p_value=p,
        p_adjusted=math.nan,
        n_evals=len(parts),
        n_all=n_all,
        n_questions=same.n_questions(
            list(both), comparison, [d.n_questions for d in both.values()]
        ),
        ci_comparisons=1,
        reason=reason,
    )


_NONE = stats.Estimate(math.nan, math.nan, math.nan, 0, 0)
_NONE_ENDS = (math.nan, math.nan)


def _known(d: DifferenceResult) -> stats.Estimate:
    """The difference with its SE; one of 0 is taken from the interval, which knows how few the
    questions are.
    """
    se, df = d.se, d.df
    if se == 0.0:
        half = max(d.difference - d.ci_low, d.ci_high - d.difference)
        se = half / float(special.stdtrit(df, 0.5 + d.level / 2.0))
    return stats.Estimate(
        d.difference, se if se > 0.0 else math.nan, df, d.n_questions, d.n_clusters
    )


def _p_of(e: stats.Estimate) -> float:
    """Two-sided p of Student's t."""
    return 2.0 * float(special.stdtr(e.df, -abs(e.value) / e.se))


def ends_of(e: stats.Estimate, level: float, width: float) -> tuple[float, float]:
    """The interval of Student's t, the dual of its p, cut off where no difference can lie."""
    interval = stats.t_interval(e, level)
    return max(interval.low, -width), min(interval.high, width)
