"""What a plan answers: frozen records, of which its tables, figures and sentences are made."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reportkit.analysis.planning.basis import Shape, Variances
from reportkit.analysis.planning.limits import Limits
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.analysis.planning.solve import Curve
from reportkit.facts import Source
from reportkit.plans import Asked
from reportkit.record import Record

GIVEN, PILOT, PUBLIC, DEFAULT = "given", "pilot", "public evals", "default"
PUBLISHED = "published scores"  # those that were given of current models


@dataclass(frozen=True, slots=True)
class Known(Record):
    """One thing that the plan rests on, and where it is from."""

    name: str
    value: float
    source: str  # GIVEN, PILOT, PUBLIC, PUBLISHED or DEFAULT; else the name of a file
    low: float = math.nan  # the range of public evals or published scores, where it is from them
    high: float = math.nan
    text: str = ""  # in place of the value


def assumed_noise_of(known: Sequence[Known]) -> Known | None:
    """The answer noise that a plan rests on, where nobody gave it and no pilot shows it."""
    return next((k for k in known if k.name == "noise" and k.source in (PUBLIC, DEFAULT)), None)


@dataclass(frozen=True, slots=True)
class Need(Record):
    """Questions that a difference needs. low and high: what a small pilot, or the range of public
    evals, leaves open.
    """

    difference: float
    epochs_a: float
    epochs_b: float
    questions: float
    clusters: float
    low: float
    high: float
    adjusted: float  # after Bonferroni for the comparisons that are asked for
    adjusted_clusters: float
    equation: float  # equation 9 of Miller 2024; of 0/1 answers with one each, Connor 1987
    cost: float
    least: bool = False  # fewer would do, and are not planned
    reason: Reason = NONE
    adjusted_cost: float = math.nan  # of the adjusted questions, as what follows
    adjusted_least: bool = False
    adjusted_reason: Reason = NONE
    adjusted_low: float = math.nan
    adjusted_high: float = math.nan

    @property
    def for_each(self) -> "Need":
        """What each of the comparisons needs, as the number of one."""
        return replace(
            self, questions=self.adjusted, clusters=self.adjusted_clusters, low=self.adjusted_low,
            high=self.adjusted_high, cost=self.adjusted_cost, least=self.adjusted_least,
            reason=self.adjusted_reason,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found(Record):
    """What so many questions find."""

    questions: float
    clusters: float
    detectable: float
    adjusted: float  # the smallest difference after Bonferroni
    equation: float  # equation 10
    power: float  # of the difference that is asked for
    power_adjusted: float
    power_equation: float  # by the normal form of equations 9 and 10
    reason: Reason = NONE
    cost: float = math.nan
    low: float = math.nan  # detectable: what a pilot, public evals or assumed noise leave open
    high: float = math.nan
    power_low: float = math.nan
    power_high: float = math.nan
    adjusted_reason: Reason = NONE


@dataclass(frozen=True, slots=True)
class Answers(Record):
    """What so many answers to each question do; of `name` "next-token probabilities" there is no
    answer noise, and of "no limit" there are as many answers as one likes.
    """

    name: str
    epochs_a: float
    epochs_b: float
    variance: float  # n SE^2
    detectable: float  # with the plan's questions
    questions: float  # for the plan's difference
    clusters: float
    cost: float
    best: bool = False  # costs least of all numbers of answers that are looked at
    reason: Reason = NONE
    low: float = math.nan  # of questions: what a small pilot leaves open
    high: float = math.nan
    equation: float = math.nan  # equation 10, of what is detectable
    detectable_low: float = math.nan  # what the same leaves open of it; of "no limit" alone
    detectable_high: float = math.nan


@dataclass(frozen=True, slots=True)
class Layout(Record):
    """Clusters of one size."""

    cluster_size: float
    questions: float
    clusters: float
    cost: float
    asked: bool = False
    reason: Reason = NONE


@dataclass(frozen=True, slots=True)
class Cheapest(Record):
    """The cheapest design that finds a difference."""

    difference: float
    epochs_a: float
    epochs_b: float
    questions: float
    clusters: float
    cost: float
    reason: Reason = NONE
    # of questions, of the design for the plan's difference: what is left open
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Other(Record):
    """An answer of another kind: equivalence, a subset, and so on."""

    name: str
    questions: float
    clusters: float
    equation: float
    share: float = math.nan  # of the eval, of a subset
    reason: Reason = NONE
    least: bool = False  # fewer would do, and are not planned
    low: float = math.nan  # of questions: what is left open
    high: float = math.nan
    test: str = ""  # as the plan's, of one model against a published mean


@dataclass(frozen=True, slots=True)
class Gap(Record):
    """Two current models, and whether the eval can show that they differ by so much."""

    model: str
    baseline: str
    difference: float
    needed: float  # questions
    shown: bool


@dataclass(frozen=True, slots=True)
class Like(Record):
    """The model of a pilot that both models of a plan are like, before one of them is nearer to the
    middle of the scale: its score, and the 95% interval of that; nan where a range has, in its
    place, how well the pilot shows what scores vary by there.
    """

    score: float
    low: float
    high: float
    down: bool  # whether the other model of the plan scores lower

    def other(self, difference: float) -> float:
        """The other model's score."""
        return self.score - difference if self.down else self.score + difference


@dataclass(frozen=True, slots=True)
class PilotFacts(Record):
    """Where a pilot's variances are from."""

    eval: str
    models: tuple[str, ...]
    n_questions: int
    n_clusters: int
    clustered: bool
    single: bool  # one answer for each question: answer noise is not known
    df: float  # of the variance of the difference
    factor_low: float  # by how much the variance may be off
    factor_high: float
    omega2: float  # corrected (statistics, appendix C), and as it is printed
    sigma2_a: float
    sigma2_b: float
    omega2_printed: float
    sigma2_printed_a: float
    sigma2_printed_b: float
    questions_low: float  # equation 9 with these, and its range (95%)
    questions_corrected: float
    questions_high: float
    questions_printed: float
    fictional: bool
    sources: tuple[Source, ...] = ()
    candidates: tuple[tuple[str, int], ...] = ()  # fields that could be clusters, and their groups
    apart: float = math.nan  # by how much the two models' means differ
    growth: float = math.nan  # the variance at the plan's difference over that of these models
    like: Like | None = None  # where the pilot's two models are far apart
    together: tuple[str, ...] = ()  # values whose range is that of the variance, beside given ones

    @property
    def ranges(self) -> bool:
        """Whether the range of a plan is what this pilot's variance leaves open; that of one model,
        or beside given scores, is not.
        """
        return math.isfinite(self.df)


@dataclass(frozen=True, slots=True, repr=False)
class Planned(Record):
    """A plan: what was asked, what it rests on, and every answer."""

    asked: Asked
    known: tuple[Known, ...]
    shape: Shape
    variances: Variances
    percent: bool
    width: float
    need: Need  # for the difference that is asked for
    needs: tuple[Need, ...]  # for others beside it
    found: Found  # with the questions that the eval has, else with those needed
    founds: tuple[Found, ...]
    answers: tuple[Answers, ...]
    share_epochs: float  # K from which answer noise is less than a fifth of omega^2
    layouts: tuple[Layout, ...]
    best_size: float  # questions of a cluster that cost least; nan without costs
    cheapest: tuple[Cheapest, ...]
    others: tuple[Other, ...]
    gaps: tuple[Gap, ...]
    within: Cheapest | None  # for the plan's difference, with the questions that the eval has
    for_each: Cheapest | None  # the cheapest where comparisons share the level; None: one alone
    test: str  # of the report: mcnemar, t, welch, newcombe, mover
    limits: Limits
    pilot: PilotFacts | None = None
    curves: tuple[Curve, ...] = field(default=())
    epochs_curve: tuple[tuple[float, float], ...] = ()  # K, detectable difference
    notes: tuple[str, ...] = ()  # what was given and changes nothing, or takes the range away

    @property
    def clustered(self) -> bool:
        return self.shape.grouped

    @property
    def limited(self) -> bool:
        """Whether the eval has so many questions and no more."""
        return self.asked.questions == self.asked.questions

    @property
    def beyond(self) -> bool:
        """Whether the difference is more than is planned: its power is that of less, or more."""
        return self.asked.difference > self.limits.difference

    @property
    def noise_assumed(self) -> bool:
        """Whether neither the user nor a pilot says how much of a score is answer noise."""
        return assumed_noise_of(self.known) is not None

    @property
    def noise_open(self) -> bool:
        """Whether the plan has several answers to each question, so that such noise matters."""
        return self.noise_assumed and self.shape.several

    @property
    def fictional(self) -> bool:
        return self.pilot is not None and self.pilot.fictional

    def __repr__(self) -> str:
        return f"<Planned difference={self.asked.difference:g} questions={self.need.questions:g}>"
