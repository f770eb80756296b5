"""What is asked of a plan and cannot be: a difference as large as the scale, more answer noise than
a pilot leaves.
"""

import math

from reportkit.analysis.planning.answered import GIVEN, PILOT, Known
from reportkit.analysis.planning.pilot import Pilot
from reportkit.errors import PlanError
from reportkit.plans import Asked

PERCENT = 10.0  # as wide a scale may have its scores written as shares
PRINTED = 1.05  # times what it was: what a standard error of two digits may be printed as


def check_on_scale(a: Asked, pilot: Pilot | None) -> None:
    """PlanError for a difference that is as large as the scale: it may be meant in points."""
    low, high = (0.0, 1.0) if pilot is None else pilot.result.scale.ends
    for name in ("difference", "margin"):
        value = getattr(a, name)
        if not value >= high - low:  # nan is not said
            continue
        advice = f"give less than {high - low:g}"
        if high - low == 1.0 and 1.0 < value < 100.0:
            advice = f"write {value:g} points as {value / 100.0:g}"
        if pilot is None:
            advice += "; of scores in units of their own, say answers = own-units"
        raise PlanError(
            f"{name} = {value:g}: scores from {low:g} to {high:g} cannot differ by so much; "
            f"{advice}"
        )


def check_other_se(a: Asked, most: float) -> None:
    """PlanError for a standard error of a published mean that its scores cannot have. most: their
    largest standard deviation; in clusters, of questions that are all alike. 0: there is no such
    mean, and others say so.
    """
    size = 1.0 if math.isnan(a.cluster_size) else a.cluster_size
    largest = most * math.sqrt(size / max(a.other_questions - size, size))
    if a.other_se > largest * PRINTED > 0.0:
        advice = "give it on the scale of the mean, and cluster_size if it is one of clusters"
        if 0.1 <= a.other_se <= 100.0 * largest:
            advice = f"write {a.other_se:g} points as {a.other_se / 100.0:g}"
        raise PlanError(
            f"other_se = {a.other_se:g}: a mean of {a.other_questions:,.0f} such scores has a "
            f"standard error of at most {largest:.3g}; {advice}"
        )


def most_spreads(a: Asked, mean: float, ends: tuple[float, float]) -> tuple[float, float]:
    """The largest standard deviations of scores between these ends: with such a mean, and of our
    model, which is the difference away beside the standard error of a published mean.

    >>> a = Asked(difference=0.2, design="unpaired", other_questions=800, other_se=0.01)
    >>> [round(s, 4) for s in most_spreads(a, 0.5, (0.0, 1.0))]   # sqrt(.5 .5), sqrt(.7 .3)
    [0.5, 0.4583]
    """
    low, high = ends

    def most_at(score: float) -> float:
        return math.sqrt(max(0.0, (score - low) * (high - score)))

    if math.isnan(a.published_questions + a.other_se):
        return most_at(mean), most_at(mean)
    return most_at(mean), max(most_at(mean - a.difference), most_at(mean + a.difference))


def check_spread(a: Asked, spread: Known, mean: Known, ends: tuple[float, float]) -> None:
    """PlanError for scores that cannot vary so (most_spreads)."""
    low, high = ends
    most, ours = most_spreads(a, mean.value, ends)
    told = not math.isnan(a.published_questions + a.other_se)
    # where nothing is left, there is no such mean, or no model so far away, and others say so
    beyond, too_far = (0.0 < m * (1.0 + 1e-9) < spread.value for m in (most, ours))
    if not (beyond or too_far):
        return
    scores, value = f"scores from {low:g} to {high:g}", f"spread = {spread.value:g}"
    give, units = "", _in_units(mean.value, high - low)
    if spread.source == PILOT and (units or not told):
        raise PlanError(
            f"mean = {mean.value:g}: {scores} with such a mean have a standard deviation of at "
            f"most {most:.3g}, and those of the pilot have {spread.value:.3g}; {units}give spread"
        )
    if spread.source != GIVEN:
        of = "the pilot" if spread.source == PILOT else "public evals"
        value, give = f"the standard deviation of {of}, {spread.value:.3g}", "; give spread"
    if too_far and told:
        raise PlanError(
            f"{value}: it is that of your model, and {scores} whose mean is {a.difference:g} from "
            f"the published one, {mean.value:g}, have {ours:.3g} at most{give}"
        )
    if told:
        raise PlanError(
            f"{value}: your model may have it, {a.difference:g} from the published mean of "
            f"{mean.value:g}; a plan asks for one that scores with the published mean can have "
            f"too, {most:.3g} at most"
        )
    raise PlanError(
        f"{value}: {scores} with a mean of {mean.value:g} have a standard deviation of at most "
        f"{most:.3g}"
    )


def _in_units(value: float, width: float) -> str:
    """How a share is written on a wider scale, where it may be one."""
    if width < PERCENT or not 0.0 < value < 1.0:
        return ""
    return f"write {100.0 * value:g}% as {value * width:g}, or "


def check_noise(a: Asked, pilot: Pilot | None) -> None:
    """PlanError for answer noise that contradicts the pilot's correlation: that of two models is
    independent, so that their scores correlate by at most 1 - noise. The pilot's own noise and
    correlation may do so as estimates; then all that was seen is taken together, or nothing.
    """
    beside = [n for n in ("mean", "spread") if not math.isnan(getattr(a, n))]
    if pilot is None or not a.paired or a.correlation == a.correlation:
        return
    given = a.noise == a.noise and (pilot.single or bool(beside))
    most = 1.0 - pilot.correlation
    if given and a.noise > most + 1e-9:
        raise PlanError(
            f"noise = {a.noise:g} contradicts the pilot: its two models' scores correlate by "
            f"{pilot.correlation:.2f}, so that answer noise is {_cut(most):g} of a score's "
            "variance at most; give no more than that, or leave noise out"
        )
    if beside and not given and pilot.noise > most + 1e-9:
        raise PlanError(
            f"the pilot's two models correlate by {pilot.correlation:.2f}, more than the "
            f"{1.0 - pilot.noise:.2f} that its answer noise leaves, as both are estimates; give "
            f"correlation too, or leave out {' and '.join(beside)}"
        )


def check_correlation(correlation: Known, mean: Known, least: float) -> None:
    """PlanError for a correlation that right-or-wrong answers with such a mean cannot have. least:
    the lowest that they can have.
    """
    if correlation.source != GIVEN or correlation.value >= least - 1e-9:
        return
    scores = f"right-or-wrong answers of two models with a mean of {mean.value:g}"
    lowest = f"{scores} correlate by {_cut(least, up=True):g} at least"
    raise PlanError(f"correlation = {correlation.value:g}: {lowest}; give no less than that")


def _cut(most: float, *, up: bool = False) -> float:
    """To two digits, and no more than it is, nor below 0; up: no less than it is.

    >>> _cut(0.257), _cut(-0.257, up=True)
    (0.25, -0.25)
    """
    if up:
        return math.ceil(100.0 * most - 1e-9) / 100.0
    return max(0.0, math.floor(100.0 * most + 1e-9) / 100.0)


def check_alike(name: str, icc: float, size: float, true: float, noise: Known) -> None:
    """PlanError for an ICC that cannot be in clusters of so many questions. true: the part of the
    variance that is no answer noise, which alone can be alike; nan is not said.
    """
    least = -true / (size - 1.0)
    if math.isnan(icc) or least < icc <= true * (1.0 + 1e-9) or icc == 0.0:
        return
    if abs(icc) > 1.0:
        raise PlanError(
            f"{name} = {icc:g} is none: it is 1 where the questions of a cluster are all alike, "
            "and 0 where a cluster says nothing of its questions"
        )
    most = f"{true:.2g} at most" if icc > 0.0 or true == 0.0 else f"above {least:.3g}"
    text = f"{name} = {icc:g} cannot be in clusters of {size:g} questions: it is {most}"
    if true < 1.0:
        of = "scores" if name == "icc_scores" else "differences"
        part = f"{1.0 - true:.0%} of the variance of {of}"
        text += f", as {part} is answer noise, which is not alike"
    if noise.source in (GIVEN, PILOT):
        raise PlanError(f"{text}; give one nearer to 0")
    raise PlanError(f"{text}; this noise is assumed: give noise, or an ICC nearer to 0")
