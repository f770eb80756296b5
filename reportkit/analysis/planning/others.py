"""Answers beside the one difference: equivalence, not being worse, one model alone, a subset."""

import math
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.against import PUBLISHED_MEAN, published_mean
from reportkit.analysis.planning.answered import Need, Other
from reportkit.analysis.planning.basis import Expectation, Observation
from reportkit.analysis.planning.far_apart import alike
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.limits import fewer_than, limits_of
from reportkit.analysis.planning.margins import equivalence, not_worse, total_of
from reportkit.analysis.planning.pilot import Pilot, variance_of
from reportkit.analysis.planning.reasons import NO_NOISE, NO_OWN_VARIANCE, Reason, given_icc
from reportkit.analysis.planning.solve import WHY
from reportkit.analysis.planning.work import Work, ends_of, ordered, range_of, work_of
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.detectable import NO_TEST

UNPAIRED = "unpaired"
SUBSET, OF_THIS_EVAL = "subset", "subset, this eval alone"


def other_answers(w: Work, need: Need, pilot: Pilot | None) -> tuple[Other, ...]:
    """Each answer that this plan has; those that it does not call for are left out."""
    found = []
    if math.isnan(w.asked.published_questions):
        found = [equivalence(w), not_worse(w)]
    if w.asked.paired:
        found.append(_off_scale(UNPAIRED, need) or _unpaired(w, pilot))
    if w.asked.other_questions == w.asked.other_questions:
        found.append(_off_scale(PUBLISHED_MEAN, need) or published_mean(w, pilot))
    if w.asked.questions == w.asked.questions:
        found.append(_subset(w, need))
        if w.asked.paired:
            found.append(_of_this_eval(w))
    return tuple(found)


def _off_scale(name: str, need: Need) -> Other | None:
    """What no two models can differ by, no questions show, however they are put."""
    if need.reason.kind != "off scale":
        return None
    return Other(name, math.inf, math.nan, math.nan, reason=need.reason)


# One model alone ----------------------------------------------------------------------------------


def _own_variances(w: Work, pilot: Pilot | None) -> tuple[float, float] | Reason:
    """Of both models' question scores, in score units; or why they are not known."""
    shape = w.shape
    if isinstance(w.basis, Expectation):
        pair = w.basis.pair
        if math.isnan(pair.score_variance):
            return NO_OWN_VARIANCE
        square = w.basis.width**2
        added = (shape.cluster_size - 1.0) * w.basis.icc_scores * pair.score_variance
        return tuple(
            square * (pair.score_variance + added - sigma2 * (1.0 - 1.0 / k))
            for sigma2, k in ((pair.sigma2_a, shape.epochs_a), (pair.sigma2_b, shape.epochs_b))
        )  # type: ignore[return-value]
    if pilot is None or len(pilot.result.means) != 2:
        return Reason("it needs the scores of two models")
    v = w.variances()
    icc = next((k.value for k in w.ground.known if k.name == "icc_scores"), math.nan)
    found = []
    for m, sigma2, k in zip(
        pilot.result.means, (v.sigma2_a, v.sigma2_b), (shape.epochs_a, shape.epochs_b), strict=True
    ):
        added = 0.0
        if shape.grouped:
            added = (shape.cluster_size - 1.0) * icc * variance_of(m)
        noise = 0.0 if k == 1.0 else sigma2 * (1.0 - 1.0 / k)
        found.append(variance_of(m) + added - noise)
    if shape.grouped and math.isnan(icc):
        return WHY[NO_TEST]
    if math.isnan(sum(found)):
        return NO_NOISE
    if not sum(found) > 0.0:  # one question would do, if that were so
        if shape.grouped and w.asked.icc_scores < 0.0:
            return given_icc("icc_scores")
        return Reason("the pilot's scores do not vary, and do not show by how much they could")
    return found[0], found[1]


def _unpaired(w: Work, pilot: Pilot | None) -> Other:
    """What a plan says whose design is unpaired."""
    own = _own_variances(w, pilot)
    if isinstance(own, Reason):
        return Other(UNPAIRED, math.nan, math.nan, math.nan, reason=own)
    asked = replace(w.asked, design="unpaired", other_questions=math.nan)
    if pilot is not None and not pilot.single and isinstance(w.basis, Observation):
        asked = replace(asked, noise=math.nan)  # the pilot shows it
    apart = work_of(asked, ground_of(asked, pilot))
    found = apart.count(asked.difference, apart.shape)
    if isinstance(apart.basis, Observation):
        total = total_of(apart)
        if not total > 0.0:  # fewer answers than are planned do not show it
            return Other(UNPAIRED, math.nan, math.nan, math.nan, reason=found.reason)
        own = total / 2.0, total / 2.0
    plain = stats.unpaired_questions_needed(
        asked.difference, *own, level=asked.level, power=asked.power
    )
    low, high = range_of(apart, asked.difference, apart.shape, found.questions)
    return Other(
        UNPAIRED, found.questions, found.clusters, plain, reason=found.reason, least=found.least,
        low=low, high=high,
    )  # fmt: skip


# A part of an eval --------------------------------------------------------------------------------


def _subset(w: Work, need: Need) -> Other:
    whole = w.asked.questions
    if need.questions <= whole:
        share = need.questions / whole
        return Other(
            SUBSET, need.questions, need.clusters, need.equation, share, low=need.low,
            high=need.high,
        )  # fmt: skip
    reason = need.reason or Reason(
        f"cannot be reached: all {whole:,.0f} questions of the eval are fewer than are needed",
        kind="never",
    )
    if need.least:
        most = limits_of(w.basis.design(w.shape), w.basis.width).difference
        reason = fewer_than(need.questions, need.difference, most, percent=w.goal.percent)
    questions = math.inf if reason.never else math.nan
    return Other(SUBSET, questions, math.nan, need.equation, reason=reason)


def _of_this_eval(w: Work) -> Other:
    """The least random part of the eval that finds a difference of the models' means over all of
    it: what was not asked is all that is left to chance, and answer noise.
    """
    whole, total = int(w.asked.questions), total_of(w)
    if w.shape.grouped or not total > 0.0:
        reason = Reason("this is planned only without clusters")
        if not w.shape.grouped:
            reason = Reason("the variance of the difference is not known, or 0")
        return Other(OF_THIS_EVAL, math.nan, math.nan, math.nan, reason=reason)
    noise = w.variances().noise(w.shape)
    if math.isnan(noise):
        reason = Reason("with one answer for each question it is not known what is answer noise")
        return Other(OF_THIS_EVAL, math.nan, math.nan, math.nan, reason=reason)

    n = _least_part(w, total * _alike(w.basis.design(w.shape)), noise)
    if math.isinf(n):
        reason = Reason(
            f"cannot be reached: with all {whole:,} questions answer noise alone hides it; ask for "
            "more answers to each", kind="never",
        )  # fmt: skip
        return Other(OF_THIS_EVAL, math.inf, math.nan, math.nan, reason=reason)
    low, high = _range_of_part(w, n)
    return Other(OF_THIS_EVAL, n, math.nan, math.nan, n / whole, low=low, high=high)


def _alike(design: PairDesigns | Reason) -> float:
    """What the variance of a pilot's two models is times where both are like the outer one."""
    return 1.0 if isinstance(design, Reason) else alike(design)[1]


def _least_part(w: Work, total: float, noise: float) -> float:
    """The fewest of the eval's questions that do, with this n SE^2 and what of it is answer noise;
    inf where all do not.
    """
    whole = int(w.asked.questions)

    def enough(n: int) -> bool:
        part = stats.Estimate(0.0, math.sqrt(total / n), n - 1.0, n, n)
        se = stats.finite_population(part, questions=whole, noise=min(noise, total)).se
        if se == 0.0:
            return True
        return stats.power(w.asked.difference, se, level=w.asked.level, df=n - 1.0) >= w.asked.power

    if not enough(whole):
        return math.inf
    low, high = 1, whole
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(high, min(whole, 30))


def _range_of_part(w: Work, n: float) -> tuple[float, float]:
    """The same at the ends of what is not known; nan where nothing is."""
    ends = ends_of(w, w.shape)
    bases = w.ground.ends(w.shape) or [w.basis] * len(ends)
    noises = [b.variances(w.shape.cluster_size).noise(w.shape) for b in bases]
    found = [
        _least_part(w, end.variance * _alike(end.design), noise)
        for end, noise in zip(ends, noises, strict=True)
        if end.variance > 0.0
    ]
    return ordered(*found, n) if len(found) > 1 else (math.nan, math.nan)
