"""What a pilot shows of another model's published mean: the mean of its second model, which says
how right and wrong answers vary, and not how scores in part do.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.answered import PILOT, Known
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.pilot import Pilot
from reportkit.plans import Asked
from reportkit.results import MeanResult
from reportkit.stats.intervals import t_quantile, z_quantile
from reportkit.stats.means.proportions import wilson_ends
from reportkit.stats.planning.pilot import correlation_ends

# Of right and wrong answers of a model, the rarer ones that a range of the correlation asks for.
# With fewer the range held the true one in as few as 72% of pilots, with these in 95% to 99%
# (benchmarks/planning.md).
LEAST_RARER = 5
# Questions that both models have wrong, and right. Without one of the first the range held the true
# correlation in none of 32 pilots of 380 questions with 96% right, with one or more in 87 of 88.
LEAST_BOTH = 1


def shows_published_mean(a: Asked, pilot: Pilot, shape: Shape) -> bool:
    """Whether a plan against a published mean takes no more of the pilot than the mean of its
    second model: of right and wrong answers, one to each question, without clusters, and not all
    alike.

    Simulated, with our model the difference away: such plans have 0.77 to 0.85 of 0.80; those by
    the variance that the pilot shows of both models together had 0.80 to 0.97
    (benchmarks/planning.md).
    """
    if math.isnan(a.published_questions) or not math.isnan(a.mean):
        return False
    if pilot.answers != "binary" or not pilot.single or shape.several or shape.grouped:
        return False
    low, high = pilot.result.scale.ends
    return low < pilot.result.means[-1].mean < high


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


# Ranges of what a pilot shows ---------------------------------------------------------------------


def has_ranges(pilot: Pilot) -> bool:
    """Whether each value that a plan takes of a pilot beside given ones has a range of its own: of
    one answer to each question, and without clusters. Else they have one: see together.py.
    """
    return pilot.single and not pilot.result.clustered


def takes_published_mean(a: Asked, pilot: Pilot) -> bool:
    """Whether scores in part are planned against a published mean that is not given: the plan then
    takes it of the pilot too, and how they vary where it is another is not known. With ranges, such
    plans held what the truth needs in 0.73 to 0.83 where it was 5 and 7 points off.
    """
    published = not math.isnan(a.published_questions) and math.isnan(a.mean)
    return published and pilot.answers == "share"


def with_range(k: Known, a: Asked, pilot: Pilot, most: float) -> Known:
    """A mean or a spread of a pilot with its 95% range, where it has one: the mean of right and
    wrong answers; the spread of other scores, but not where the published mean too is the pilot's.
    most: no spread is larger.
    """
    low = high = math.nan
    if k.name == "mean" and pilot.answers == "binary":
        low, high = mean_range(who_shows("mean", a, pilot), pilot)
    elif k.name == "spread" and has_ranges(pilot) and not takes_published_mean(a, pilot):
        low, high = _spread_range(k.value, who_shows("spread", a, pilot), pilot, most)
    return replace(k, low=low, high=high)


def mean_range(means: Sequence[MeanResult], pilot: Pilot) -> tuple[float, float]:
    """Wilson's interval (1927) of one model's mean m. Of the mean of two, in clusters and of
    several answers it is that of so many answers as vary like it: m (1 - m) / SE^2, of two with
    SE^2 = (SE_A^2 + SE_B^2) / 2 - SE^2 of their difference / 4. In clusters these are (z / t)^2 as
    many, for the degrees of freedom of the SE.
    """
    low, high = pilot.result.scale.ends
    share = (sum(m.mean for m in means) / len(means) - low) / (high - low)
    n: float = means[0].n_questions
    if len(means) > 1 or not has_ranges(pilot):
        square = means[0].se ** 2
        if len(means) > 1:
            of_difference = pilot.power.se if pilot.power else math.nan
            square = sum(m.se**2 for m in means) / 2.0 - of_difference**2 / 4.0
        if not square > 0.0:
            return math.nan, math.nan
        n = share * (1.0 - share) * (high - low) ** 2 / square
    if pilot.result.clustered:
        n *= float(z_quantile(0.95) / t_quantile(0.95, min(m.df for m in means))) ** 2
    ends = wilson_ends(share, n)
    return low + (high - low) * float(ends[0]), low + (high - low) * float(ends[1])


def _spread_range(
    spread: float, means: Sequence[MeanResult], pilot: Pilot, most: float
) -> tuple[float, float]:
    """By variance_range with the fewest degrees of freedom that a model's scores have."""
    df = min(pilot.own_df[m.model] for m in means)
    if not df > 0.0:
        return math.nan, math.nan
    low, high = (spread * math.sqrt(times) for times in stats.variance_range(df))
    return low, max(spread, min(high, most))


def correlation_range(pilot: Pilot, least: float, most: float) -> tuple[float, float]:
    """The 95% range of the pilot's correlation by correlation_ends, where it has one, between
    `least` and `most`, which the scores can have. None of right and wrong answers of which a model
    has fewer than LEAST_RARER of one kind, or the two have none in common.
    """
    if pilot.scores is None or not has_ranges(pilot):
        return math.nan, math.nan
    if lacking(pilot):
        return math.nan, math.nan
    low, high = correlation_ends(*pilot.scores)
    if math.isnan(low):
        return low, high
    taken = max(pilot.correlation, least)
    return min(taken, max(low, least)), max(taken, min(high, most))


def lacking(pilot: Pilot) -> str:
    """What right and wrong answers lack for a range of their correlation; empty where they vary
    enough, and of other scores. Of each model LEAST_RARER questions have a right answer, and as
    many a wrong one; of several answers to a question each counts for its part. Counted as whole,
    pilots of 12 and 40 questions with 10 and 4 answers each, 89% of them right, had ranges of the
    variance that held it in 0.79 and 0.85. And LEAST_BOTH questions have a right answer of both
    models, and as many a wrong one: where none has a wrong one of both, all that was seen is that
    the models differ.
    """
    if pilot.answers != "binary" or pilot.scores is None:
        return ""
    low, high = pilot.result.scale.ends
    right = [(x - low) / (high - low) for x in pilot.scores]
    for kind, shares in (("wrong", [1.0 - x for x in right]), ("right", right)):
        if min(x.sum() for x in shares) < LEAST_RARER * (1.0 - 1e-9):
            return f"a model has fewer than {LEAST_RARER} questions with a {kind} answer"
        if len(shares) == 2 and (shares[0] * shares[1]).sum() < LEAST_BOTH * (1.0 - 1e-9):
            return f"no question has a {kind} answer of both models"
    return ""


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
