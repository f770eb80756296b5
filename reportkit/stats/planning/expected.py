"""Two models of which no scores are known yet: what is expected of them, as a design to plan with.

A design of PairDesigns is one that was observed, and its variance errs. What is expected is taken
as known: it stands for an observed eval of so many questions that nothing is left to chance.
"""

import functools
import math
from dataclasses import dataclass, fields, replace
from typing import Literal, get_args

import numpy as np

from reportkit.record import Record
from reportkit.stats.pairs.designs import KNOWN, PairDesigns
from reportkit.stats.planning.clusters import clustered_omega_squared
from reportkit.stats.planning.expected_law import Law, latent_of, mean_apart

Answers = Literal["binary", "share", "free"]
# (mean |d|)^2 / mean d^2 of differences with a normal law
NORMAL_SPREAD = 2.0 / math.pi
ROUNDING = 1e-9  # of shares of a variance


@dataclass(frozen=True, slots=True)
class ExpectedPair(Record):
    """What is expected of two models' scores, on a scale of 0 to 1 where it has ends.

    answers: "binary" (each is right or wrong), "share" (between 0 and 1), "free" (no bounds; mean
    and correlation are not used).
    """

    answers: Answers
    mean: float  # of both models, before one of them is better
    correlation: float  # of their scores with one answer for each question
    omega2: float  # variance over questions of the true difference
    sigma2_a: float  # variance of one answer within a question
    sigma2_b: float
    score_variance: float = math.nan  # of one answer's score; of scores without bounds not needed
    cluster_size: float = 1.0
    icc: float = 0.0  # of the true differences of the questions of a cluster
    icc_scores: float = 0.0  # of one model's scores, with one answer for each question

    def variance(self, epochs_a: float = 1, epochs_b: float = 1) -> float:
        """Of one question's difference, clusters not counted."""
        return self.omega2 + self.sigma2_a / epochs_a + self.sigma2_b / epochs_b

    def clustered_variance(self, epochs_a: float = 1, epochs_b: float = 1) -> float:
        """n SE^2 of the difference: what clusters add is added to the questions' own part."""
        omega2 = clustered_omega_squared(self.omega2, self.icc, self.cluster_size)
        return omega2 + self.sigma2_a / epochs_a + self.sigma2_b / epochs_b


def expected_pair(  # noqa: PLR0913 (keyword options of a public statistic)
    answers: Answers,
    *,
    mean: float = math.nan,
    variance: float = math.nan,
    noise: float = 0.0,
    correlation: float = 0.0,
    cluster_size: float = 1.0,
    icc: float = 0.0,
    icc_scores: float = 0.0,
) -> ExpectedPair:
    """What equations 9 and 10 of Miller 2024 need, from what an author of an eval can expect.

    variance V: of one answer's score, over questions and answers; of right and wrong answers it is
    mean (1 - mean). noise w: the part of V within questions. correlation r: of the two models'
    scores with one answer for each question. icc: of their differences with one answer each, in a
    cluster. Then sigma^2 = w V for each model and omega^2 = 2 V (1 - w - r): answer noise is
    independent, so r is at most 1 - w. What cannot be is a ValueError that says why.

    >>> e = expected_pair("share", mean=0.5, variance=1/4, noise=2/3, correlation=1/6)   # uniform x
    >>> round(e.omega2, 6), round(e.sigma2_a, 6)       # 1/12 and 1/6: r = 0.5 of the true scores
    (0.083333, 0.166667)
    """
    if answers not in get_args(Answers):
        raise ValueError(f"answers={answers!r} is not one of {', '.join(get_args(Answers))}")
    if answers != "free":
        if not 0.0 < mean < 1.0:
            raise ValueError(_no_mean(mean))
        most = mean * (1.0 - mean)
        if answers == "binary":
            variance = most
        if variance > most * (1.0 + 1e-9):
            raise ValueError(
                f"scores between 0 and 1 with a mean of {mean:g} have a variance of at most "
                f"{most:.4g} (mean times 1 - mean), not {variance:.4g}"
            )
    if not 0.0 < variance < math.inf:
        raise ValueError(
            f"a variance of scores of {variance:g} is no number above 0: where every score is the "
            "same there is nothing to plan"
        )
    _check_parts(noise, correlation)
    left = 1.0 - noise - correlation
    # what noise leaves nothing of is 0, and not the last bits of that
    omega2 = 2.0 * variance * left if left > ROUNDING else 0.0
    sigma2 = noise * variance
    pair = ExpectedPair(answers, mean, correlation, omega2, sigma2, sigma2, variance)
    return clustered(pair, cluster_size, icc, icc_scores)


def _no_mean(mean: float) -> str:
    """Why this is no expected score of right answers or shares."""
    text = f"mean = {mean:g} is no expected score between 0 and 1"
    if 1.0 < mean < 100.0:
        return f"{text}; write {mean:g}% as {mean / 100.0:g}"
    if mean in (0.0, 1.0):
        return (
            f"{text}: where all answers are right, or all wrong, no models can be told apart; give "
            "a score such as 0.97 or 0.03"
        )
    return f"{text}; write 80% as 0.8"


def _check_parts(noise: float, correlation: float) -> None:
    if not 0.0 <= noise <= 1.0:
        raise ValueError(
            f"noise = {noise:g} is no share: it is the share of a score's variance that is answer "
            "noise, 0 where a model always answers a question alike, and at most 1"
            f"{f'; write {noise:g}% as {noise / 100.0:g}' if 1.0 < noise < 100.0 else ''}"
        )
    if not -1.0 <= correlation < 1.0:
        raise ValueError(
            f"correlation = {correlation:g} cannot be planned with: give -1 or more, and less than "
            "1; at 1 the two models have the same score on every question, and no difference is "
            "left to find"
        )
    if correlation > 1.0 - noise + ROUNDING:
        raise ValueError(
            f"a correlation of {correlation:g} is impossible with {noise:.0%} of the variance "
            "within questions: answer noise of two models is independent, so their scores "
            f"correlate by at most {1.0 - noise:.2g}; give less of one of them"
        )


def clustered(
    pair: ExpectedPair, cluster_size: float, icc: float, icc_scores: float = 0.0
) -> ExpectedPair:
    """The same in clusters of so many questions. icc: of differences with one answer each.
    icc_scores: of one model's scores; hard clusters cost a worse model more, so that a difference
    brings an ICC of its own.

    Only true differences of questions can be alike: icc times the variance of a difference is at
    most omega^2, else ValueError.
    """
    if not 1.0 <= cluster_size < math.inf:
        raise ValueError(f"{cluster_size:g} questions for each cluster: it has at least one")
    if not -1.0 <= icc <= 1.0:
        raise ValueError(
            f"an intraclass correlation of {icc:g} is none: it is 1 where the questions of a "
            "cluster are all alike, and 0 where a cluster says nothing of its questions"
        )
    if not -1.0 <= icc_scores <= 1.0:
        raise ValueError(f"an intraclass correlation of scores of {icc_scores:g} is none")
    pair = replace(pair, cluster_size=cluster_size, icc=0.0, icc_scores=max(icc_scores, 0.0))
    if icc == 0.0 or cluster_size == 1.0:
        return pair
    variance = pair.variance()
    if icc * variance > pair.omega2 * (1.0 + 1e-9):
        raise ValueError(
            f"an intraclass correlation of {icc:g} of the differences is impossible: answer noise "
            f"is {1.0 - pair.omega2 / variance:.0%} of their variance and independent, so it is at "
            f"most {pair.omega2 / variance:.2g}"
        )
    of_true = min(1.0, icc * variance / pair.omega2) if pair.omega2 > 0.0 else 0.0
    if 1.0 + (cluster_size - 1.0) * of_true < 0.0:
        raise ValueError(
            f"an intraclass correlation of {icc:g} is impossible for clusters of {cluster_size:g} "
            f"questions: it is no lower than {-pair.omega2 / variance / (cluster_size - 1.0):.2g}"
        )
    return replace(pair, icc=of_true)


def expected_design(pair: ExpectedPair, epochs_a: float = 1, epochs_b: float = 1) -> PairDesigns:
    """The pair as one comparison of KNOWN questions, with so many answers for each, for
    detectable_difference and times_needed: n questions are a Plan of n / KNOWN of it.

    >>> d = expected_design(expected_pair("binary", mean=0.8, correlation=0.5))
    >>> d.method.item(), round(d.se.item() ** 2 * KNOWN, 6)   # 2 * .16 * (1 - .5)
    ('tango', 0.16)
    """
    alone, variance = (
        pair.variance(epochs_a, epochs_b),
        pair.clustered_variance(epochs_a, epochs_b),
    )
    bounded, binary = pair.answers != "free", pair.answers == "binary"
    grouped = pair.cluster_size > 1.0
    single = binary and epochs_a == epochs_b == 1
    clusters = KNOWN / pair.cluster_size
    apart, concentration = _spread(pair, alone, single)
    method = "t"
    if bounded:
        method = "tango" if single and not grouped else "tango-effective"
    # a cluster's mean |d| varies less than a question's
    unlike = (1.0 / concentration - 1.0) * (1.0 + (pair.cluster_size - 1.0) * max(pair.icc, 0.0))
    correlation = pair.correlation
    values = {
        "method": method, "n": KNOWN, "clusters": clusters,
        "se": math.sqrt(variance / KNOWN), "df": clusters - 1.0, "bounded": bounded,
        "mean_a": pair.mean if bounded else 0.0, "mean_b": pair.mean if bounded else 0.0,
        "correlation": correlation, "apart": apart,
        "shown": clusters / (1.0 + unlike / pair.cluster_size),
        "binary": single, "alone": alone / KNOWN, "right": binary,
    }  # fmt: skip
    if grouped:
        values |= {"worth": clusters, "alike": clusters}
    if binary:
        noise = (pair.sigma2_a + pair.sigma2_b) / 2.0
        values["within"] = noise / pair.score_variance
    arrays = {name: np.array([value]) for name, value in values.items()}
    law = _law(pair, epochs_a, epochs_b).row() if bounded else None
    return PairDesigns(**arrays, law=law)


def _law(pair: ExpectedPair, epochs_a: float, epochs_b: float) -> Law:
    score, question, models, cluster, crossed = _latent(pair)
    others = pair.cluster_size - 1.0
    return Law(score, question, models, cluster, crossed, others, 1.0 / epochs_a, 1.0 / epochs_b)


def _latent_of_pair(pair: ExpectedPair) -> tuple[float, ...]:
    score = pair.score_variance
    joint = pair.icc * pair.omega2 / 2.0  # what each model has by itself
    within = max(pair.icc_scores * score, joint)
    true = score - (pair.sigma2_a + pair.sigma2_b) / 2.0
    of_models = true - pair.omega2 / 2.0
    covariances = np.array([score, true, of_models, within, within - joint])
    return tuple(latent_of(pair.mean, covariances).tolist())


# A pair is planned with many numbers of answers; these do not depend on them.
_latent = functools.lru_cache(maxsize=128)(_latent_of_pair)
_mean_apart = functools.lru_cache(maxsize=128)(mean_apart)


def _spread(pair: ExpectedPair, variance: float, single: bool) -> tuple[float, float]:
    """Mean of |a - b| of questions, and its square over the mean of (a - b)^2.

    Of right and wrong answers, one for each question, |a - b| is 0 or 1; of other scores on a
    scale it is that of the law by which plans grow (mean_apart); without bounds of a normal law.
    """
    if pair.answers == "free":
        apart = math.sqrt(variance * NORMAL_SPREAD)
    elif single:
        apart = variance
    else:
        shared = pair.score_variance - (pair.sigma2_a + pair.sigma2_b + pair.omega2) / 2.0
        apart = _mean_apart(pair.mean, variance / 2.0 + shared, shared)
        apart = max(apart, variance)  # no less than the mean of (a - b)^2, as |a - b| is at most 1
    return apart, apart * apart / variance if variance > 0.0 else 1.0


def known(designs: PairDesigns, times: float = KNOWN) -> PairDesigns:
    """Observed comparisons as if of so many times the questions, so that their variances count as
    known: what a plan would ask for if the pilot had hit the truth.
    """
    larger = {"n", "clusters", "shown", "worth", "alike"}
    changed = {
        f.name: value * times
        for f in fields(designs)
        if f.name in larger and (value := getattr(designs, f.name)) is not None
    }
    changed |= {
        "se": designs.se / math.sqrt(times),
        "alone": designs.alone / times,
        "df": times * (designs.df + 1.0) - 1.0,
    }
    if designs.seen_df is not None:
        changed["seen_df"] = times * (designs.seen_df + 1.0) - 1.0
    return replace(designs, **changed)
