"""McNemar's exact p-values, beside the p of comparisons that few questions decide."""

from collections.abc import Iterable
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.chances import pair_counts
from reportkit.results import DifferenceResult
from reportkit.scores.select import EvalScores

FEW = 25  # questions that only one of two models has right, below which the report says them


def with_exact(
    e: EvalScores, differences: Iterable[DifferenceResult]
) -> tuple[DifferenceResult, ...]:
    """The same differences with McNemar's exact p and mid-p (Fagerland, Lydersen & Laake 2013),
    where the interval is Tango's and fewer than 25 questions tell the two models apart.
    """
    return tuple(_with_exact(e, d) if d.method == "tango" else d for d in differences)


def _with_exact(e: EvalScores, d: DifferenceResult) -> DifferenceResult:
    _, only_a, only_b, _ = pair_counts(e, e.models.index(d.model), e.models.index(d.baseline))
    if only_a + only_b >= FEW:
        return d
    exact, mid = (
        stats.mcnemar_p_value(only_a, only_b, method=method) for method in ("exact", "mid-p")
    )
    return replace(d, p_exact=exact, p_mid=mid)
