"""What a pilot shows of another model's published mean: the mean of its second model, which says
how right and wrong answers vary, and not how scores in part do.
"""

import math
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.answered import PILOT, Known
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.refused import most_spreads
from reportkit.plans import Asked
from reportkit.results import MeanResult


def published_mean_of(a: Asked, pilot: Pilot, shape: Shape) -> Known | None:
    """The mean of the pilot's second model with its 95% interval (Wilson 1927), where a plan
    against a published mean needs no more of the pilot: of right and wrong answers, one to each
    question, without clusters, and not all alike. None elsewhere.

    Simulated, with our model the difference away: such plans have 0.77 to 0.85 of 0.80; those by
    the variance that the pilot shows of both models together had 0.80 to 0.97
    (benchmarks/planning.md).
    """
    if math.isnan(a.published_questions) or not math.isnan(a.mean):
        return None
    if pilot.answers != "binary" or not pilot.single or shape.several or shape.grouped:
        return None
    m, (low, high) = pilot.result.means[-1], pilot.result.scale.ends
    if not low < m.mean < high:
        return None
    share = (m.mean - low) / (high - low)
    of = stats.wilson_interval(round(share * m.n_questions), m.n_questions)
    ends = [low + (high - low) * end for end in (of.low, of.high)]
    return Known("mean", m.mean, PILOT, ends[0], ends[1])


def shows_difference(a: Asked, pilot: Pilot) -> bool:
    """Whether the plan can rest on the variance that the pilot shows of its two models together.

    Against a published mean that of scores in part says too little: how they vary where ours is the
    difference away, no pilot of models that are alike shows. Simulated, plans by it had 0.71 to
    0.85 of 0.80 (benchmarks/planning.md).
    """
    published = not math.isnan(a.published_questions)
    return pilot.power is not None and not (published and pilot.answers == "share")


def who_shows(name: str, a: Asked, pilot: Pilot) -> tuple[MeanResult, ...]:
    """The models of the pilot whose mean, or spread, a plan takes: both; against a published mean
    the second is the published one, and ours is the first.
    """
    means = pilot.result.means
    if math.isnan(a.published_questions):
        return means
    return means[-1:] if name == "mean" else means[:1]


def with_range(spread: Known, a: Asked, pilot: Pilot | None, scale: tuple[float, float]) -> Known:
    """The spread with its 95% range, where it is that of a pilot's first model, planned against a
    published mean that is given: by variance_range with the degrees of freedom of `own_df`, and no
    more than the scale leaves. Without a range: several answers, whose noise is another unknown;
    clusters; scores that are all alike.
    """
    against = not math.isnan(a.published_questions + a.mean) and spread.source == PILOT
    if pilot is None or not (against and pilot.single and pilot.own_df > 0.0):
        return spread
    low, high = (spread.value * math.sqrt(times) for times in stats.variance_range(pilot.own_df))
    if pilot.answers == "share":
        high = max(spread.value, min(high, *most_spreads(a, a.mean, scale)))
    return replace(spread, low=low, high=high)


def turns_at(a: Asked, spread: Known) -> float:
    """The spread in the range of a pilot's from which on our scores vary more than the published
    ones: there the plan turns to the other side of the published mean. nan where there is none.

    >>> a = Asked(difference=0.05, design="unpaired", other_questions=400, other_se=0.01)
    >>> turns_at(a, Known("spread", 0.22, PILOT, 0.18, 0.26))
    0.2
    """
    theirs = a.other_se * math.sqrt(a.published_questions)
    return theirs if spread.source == PILOT and spread.low < theirs < spread.high else math.nan


def ends_of_mean(k: Known, scale: tuple[float, float]) -> tuple[float, float]:
    """Of its range, the means of the least and of the most variance: those that are farthest from
    the middle of the scale and nearest to it.

    >>> k = Known("mean", 0.45, PILOT, 0.3, 0.6)
    >>> ends_of_mean(k, (0.0, 1.0))
    (0.3, 0.5)
    """
    middle = sum(scale) / 2.0
    farthest = max(k.low, k.high, key=lambda end: abs(end - middle))
    return farthest, min(max(k.low, middle), k.high)
