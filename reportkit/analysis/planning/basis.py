"""What a plan rests on: expected scores, or a pilot's, as a design for any answers and clusters."""

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from reportkit import stats
from reportkit.analysis.detectable import designs_of
from reportkit.analysis.planning.changed import certain, in_clusters, scaled, with_published
from reportkit.analysis.planning.pilot import Pilot, variance_of, whole
from reportkit.analysis.planning.reasons import (
    GIVEN_NOISE,
    LARGE_CLUSTERS,
    NO_CLUSTERS,
    NO_NOISE,
    NO_OMEGA,
    NO_OTHER_SE,
    NO_OWN_VARIANCE,
    NO_SUCH_CLUSTERS,
    NO_VARIANCE_LEFT,
    NONE,
    TOO_ALIKE,
    Reason,
    given_icc,
    too_few_so_large,
)
from reportkit.record import Record
from reportkit.results import PowerResult
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.alternative import alternative, grown
from reportkit.stats.planning.assured import Known, partly_known
from reportkit.stats.planning.detectable import FEW_LARGE, NEWCOMBE, NO_TEST, refusals
from reportkit.stats.planning.expected import ExpectedPair, clustered, expected_design
from reportkit.stats.planning.several_answers import within_questions

LEAST_SHOWN = 1e-3  # of a score's variance: models that differ by less are hardly two
LEAST_LEFT = 0.01  # of the questions' own variance, that an ICC below 0 leaves a cluster


@dataclass(frozen=True, slots=True)
class Shape(Record):
    """How an eval is laid out: answers to each question of both models, questions of a cluster."""

    epochs_a: float = 1.0
    epochs_b: float = 1.0
    cluster_size: float = 1.0

    @property
    def grouped(self) -> bool:
        return self.cluster_size > 1.0

    @property
    def several(self) -> bool:
        """Whether a model gives more than one answer to each question."""
        return (self.epochs_a, self.epochs_b) != (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Variances(Record):
    """What equations 9 and 10 ask for, in squared score units; nan where it is not known."""

    omega2: float  # with what clusters add
    sigma2_a: float
    sigma2_b: float

    def at(self, shape: Shape) -> float:
        """n SE^2 of the difference."""
        if math.isinf(shape.epochs_a) and math.isinf(shape.epochs_b):
            return self.omega2
        return self.omega2 + self.sigma2_a / shape.epochs_a + self.sigma2_b / shape.epochs_b

    def noise(self, shape: Shape) -> float:
        """What answer noise adds to n SE^2."""
        return self.sigma2_a / shape.epochs_a + self.sigma2_b / shape.epochs_b


class Basis(Protocol):
    """Expected or observed: both give a design for a shape, in units of `width`."""

    @property
    def width(self) -> float: ...
    def design(self, shape: Shape) -> PairDesigns | Reason:
        """The design, or the reason that there is none."""
        ...

    def variances(self, cluster_size: float) -> Variances: ...
    @property
    def pilot_df(self) -> float:
        """Degrees of freedom of the variance; inf of what is expected."""
        ...


# Expected -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Expectation(Record):
    """Scores that are expected. icc: of differences with one answer each. unpaired: the models
    answer different questions, so that pair.correlation is 0.
    """

    pair: ExpectedPair  # without clusters
    icc: float = 0.0
    icc_scores: float = 0.0
    unpaired: bool = False
    width: float = 1.0
    pilot_df: float = math.inf
    published: float = math.nan  # questions of another model's mean that ours is compared with
    published_se: float = math.nan  # its; the scores' variance is then ours, where the means differ
    level: float = 0.95  # of the test: a higher one asks more of what a published mean shows
    times: float = 1.0  # the variance over that of these scores: at an end of what is not known

    def design(self, shape: Shape) -> PairDesigns | Reason:
        pair = self._in_clusters(shape.cluster_size)
        if pair is None:
            return given_icc("icc_scores" if self.unpaired else "icc")
        if self.published == self.published:
            return self._against(pair, shape)
        left = self.variances(shape.cluster_size).at(shape) / self.width**2
        hardly = LEAST_SHOWN if shape.several and pair.answers != "free" else 0.0
        if left == 0.0 or left < hardly * pair.score_variance:
            return TOO_ALIKE if left > 0.0 else NO_VARIANCE_LEFT
        found = certain(expected_design(pair, shape.epochs_a, shape.epochs_b), self.times)
        return _separate(found) if self.unpaired else found

    def _against(self, pair: ExpectedPair, shape: Shape) -> PairDesigns | Reason:
        """The published model is the one that keeps its mean: of a law the first."""
        if math.isnan(pair.score_variance):
            return NO_OWN_VARIANCE
        first, second = shape.epochs_b, shape.epochs_a
        found = _separate(certain(expected_design(pair, first, second), self.times))
        if found.binary[0] and not shape.grouped:  # both shares say how often each count is had
            found = replace(found, method=np.array([NEWCOMBE]))
        theirs = pair.clustered_variance(shape.epochs_b, shape.epochs_b) / 2.0 * self.times
        se = math.nan if pair.answers == "binary" else self.published_se / self.width
        if pair.answers == "share" and math.isnan(se):
            return NO_OTHER_SE
        return with_published(found, theirs, self.published, shape.cluster_size, se, self.level)

    def _in_clusters(self, size: float) -> ExpectedPair | None:
        """None where the ICC cannot be so in clusters of this size, or leaves nothing to vary."""
        try:
            found = clustered(self.pair, size, self.icc, self.icc_scores)
        except ValueError:
            return None
        noise = found.sigma2_a + found.sigma2_b  # which varies in any cluster
        return found if noise > 0.0 or 1.0 + (size - 1.0) * found.icc > LEAST_LEFT else None

    def variances(self, cluster_size: float) -> Variances:
        pair = self._in_clusters(cluster_size)
        if pair is None:
            return Variances(math.nan, math.nan, math.nan)
        omega2 = stats.clustered_omega_squared(pair.omega2, pair.icc, cluster_size)
        square = self.width**2 * self.times
        return Variances(omega2 * square, pair.sigma2_a * square, pair.sigma2_b * square)


def _separate(d: PairDesigns) -> PairDesigns:
    """The expected models with questions of their own: Welch's t of both."""
    return replace(d, method=np.array(["t"]), df=2.0 * d.clusters - 2.0, own=np.ones(1, bool))


# Observed -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Observation(Record):
    """A pilot of two models. noise: the share of one answer's variance within questions, where the
    pilot does not show it; nan: not known. icc: of differences with one answer each, in place of
    the pilot's.
    """

    pilot: Pilot
    noise: float = math.nan
    icc: float = math.nan
    published: float = math.nan  # as of Expectation: of the pilot's second model

    @property
    def width(self) -> float:
        low, high = self.pilot.result.scale.ends
        return high - low if self.power.direction else 1.0

    @property
    def power(self) -> PowerResult:
        assert self.pilot.power is not None
        return self.pilot.power

    @property
    def own(self) -> Shape:
        """The pilot's shape."""
        p = self.power
        return Shape(whole(p.epochs_model), whole(p.epochs_baseline), self.pilot.cluster_size)

    def variances(self, cluster_size: float) -> Variances:
        p = self.power
        sigma_a, sigma_b = p.sigma2_model, p.sigma2_baseline
        if math.isnan(sigma_a + sigma_b):  # one answer each
            parts = [self.noise * variance_of(m) for m in self.pilot.result.means]
            sigma_a, sigma_b = parts
        observed = p.n_questions * p.se_unclustered**2
        noise = sigma_a / p.epochs_model + sigma_b / p.epochs_baseline
        alone = max(0.0, observed - noise) if noise == noise else math.nan
        added = self._added(cluster_size)
        omega2 = math.nan if math.isnan(alone + added) else max(0.0, alone + added)
        return Variances(omega2, sigma_a, sigma_b)

    def in_cluster(self, cluster_size: float) -> float:
        """The intraclass correlation of the pilot's differences with one answer to each question,
        or the one that was given.
        """
        if not math.isnan(self.icc):
            return self.icc
        size = self.pilot.cluster_size
        if size == 1.0:
            return 0.0 if cluster_size == 1.0 else math.nan
        return self._added(size) / (size - 1.0) / self._of_one

    @property
    def _of_one(self) -> float:
        """n SE^2 of the difference with one answer to each question, clusters ignored."""
        p = self.power
        of_one = p.n_questions * p.se_unclustered**2
        epochs = p.epochs_model, p.epochs_baseline
        for m, k in zip(self.pilot.result.means, epochs, strict=True):
            if m.variance_within > 0.0:
                of_one += m.variance_within * (1.0 - 1.0 / k)
        return of_one

    @property
    def pilot_df(self) -> float:
        design = self._seen()
        by_law = float(design.df[0])
        if design.bounded[0]:
            other = alternative(design)
            by_law = float(grown(design, other, np.zeros(1), other.apart).known[0])
        # What is seen may have longer tails than the law.
        return by_law if math.isnan(self.pilot.df) else min(by_law, self.pilot.df)

    def design(self, shape: Shape) -> PairDesigns | Reason:
        found = self._design(shape)
        if isinstance(found, Reason) or math.isnan(self.published):
            return found
        second, sigma2 = self.pilot.result.means[1], self.variances(shape.cluster_size).sigma2_b
        one = variance_of(second)
        own = one
        if shape.grouped:
            own += one * (shape.cluster_size - 1.0) * self.in_cluster(shape.cluster_size)
        if shape.epochs_b != 1.0:
            own -= sigma2 * (1.0 - 1.0 / shape.epochs_b)
        if math.isnan(own):
            return NO_NOISE
        return with_published(found, own / self.width**2, self.published, shape.cluster_size)

    def _seen(self) -> PairDesigns:
        """The pilot as it is."""
        found = designs_of([self.power], self.pilot.result.scale)
        return replace(found, own=np.ones(1, bool)) if self.pilot.separate else found

    def _design(self, shape: Shape) -> PairDesigns | Reason:
        p = self.power
        design = self._seen()
        own, variances = self.own, self.variances(shape.cluster_size)
        if shape == own and math.isnan(self.icc):
            # answer noise, which is known better than what is seen of all, is the least there is
            seen, least = p.n_questions * p.se**2, variances.at(own)
            if p.sigma2_model >= 0.0 and least > seen * (1.0 + 1e-9) > 0.0:
                return scaled(design, least / seen, single=False)
            return design
        more = (shape.epochs_a, shape.epochs_b) != (own.epochs_a, own.epochs_b)
        if more and math.isnan(variances.sigma2_a + variances.sigma2_b):
            return NO_NOISE
        now = p.n_questions * p.se**2
        if not now > 0.0:  # refused by itself
            return design
        alone = p.n_questions * p.se_unclustered**2
        after = variances.at(shape) if more else alone + self._added(shape.cluster_size)
        if math.isnan(after):
            return NO_CLUSTERS
        # omega^2 at its floor: the noise alone may be more than what the pilot varies by
        known = variances.at(own) if more else now
        least = LEAST_LEFT * alone if self.icc < 0.0 else 0.0
        if not after > least or (variances.omega2 == 0.0 and after < known):
            shown = self.variances(own.cluster_size).omega2 > 0.0
            alike = more or not self.in_cluster(shape.cluster_size) < 0.0
            return self._given(own) or (NO_OMEGA if alike and not shown else NO_SUCH_CLUSTERS)
        if shape.cluster_size != own.cluster_size:
            sized = self._of_size(design, shape)
            if isinstance(sized, Reason):
                return sized
            design = sized
        found = scaled(design, after / now, single=not more)
        if more:
            found = replace(found, **self._answers(variances, shape))
        return replace(found, left=np.full(1, min(1.0, after / now)))

    def _of_size(self, design: PairDesigns, shape: Shape) -> PairDesigns | Reason:
        """The pilot as it is, in clusters of another size."""
        refused = refusals(design)[0]
        if refused == FEW_LARGE and shape.grouped:
            return LARGE_CLUSTERS  # how alike those of other sizes are is not known either
        found = in_clusters(design, shape.cluster_size)
        if not refused and refusals(found)[0] in (FEW_LARGE, NO_TEST):
            return too_few_so_large(self.power.n_questions, shape.cluster_size)
        return found

    def _given(self, own: Shape) -> Reason:
        """What was given beside the pilot that leaves no variance; empty where the pilot does."""
        if self.icc < 0.0 and replace(self, icc=math.nan).variances(own.cluster_size).omega2 != 0.0:
            return given_icc("icc_scores" if self.pilot.separate else "icc")
        return GIVEN_NOISE if self.noise > 0.0 else NONE

    def _answers(self, v: Variances, shape: Shape) -> dict[str, np.ndarray]:
        """Of PairDesigns, what repeated answers show, and how many more of them a shape has."""
        p, low, own = self.power, self.pilot.result.scale.ends[0], self.own
        if not p.direction:
            return {}
        means = tuple(np.array([(m - low) / self.width]) for m in (p.mean_model, p.mean_baseline))
        sigma2 = tuple(np.array([s / self.width**2]) for s in (v.sigma2_a, v.sigma2_b))
        before = 1.0 / own.epochs_a + 1.0 / own.epochs_b
        after = 1.0 / shape.epochs_a + 1.0 / shape.epochs_b
        within = within_questions((sigma2[0], sigma2[1]), (means[0], means[1]))
        more = np.full(1, before / after if after > 0.0 else math.inf)
        return {"within": within, "answers": np.full(1, 2.0 / before), "more": more}

    def known(self, shape: Shape) -> Known:
        """How well n SE^2 of models that are alike is known in a shape, as for a difference."""
        design, df, part = self.design(shape), self.pilot_df, self.part(shape)
        floor, left = np.zeros(1), np.full(1, df)
        if not isinstance(design, Reason) and design.bounded[0]:
            other = alternative(design)
            at = grown(design, other, np.zeros(1), other.apart)
            floor, left = at.floor, at.left * (part**2 if shape.grouped else 1.0)
        return partly_known(np.full(1, df), part, floor, left)

    def part(self, shape: Shape) -> float:
        """What is left of the pilot's n SE^2 in another shape, as a part of it."""
        p = self.power
        after = self.variances(shape.cluster_size).at(shape)
        part = after / (p.n_questions * p.se**2)
        return min(1.0, part) if part > 0.0 and shape != self.own else 1.0

    def _added(self, cluster_size: float) -> float:
        """What clusters add to n SE^2: answer noise, which is not alike, has no part in it."""
        p = self.power
        if cluster_size == self.pilot.cluster_size and math.isnan(self.icc):
            return p.n_questions * (p.se**2 - p.se_unclustered**2)
        return self._of_one * (cluster_size - 1.0) * self.in_cluster(cluster_size)
