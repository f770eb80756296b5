"""The numbers of one model or one pair of models, as records; nan where a number is undefined."""

import math
from dataclasses import dataclass, replace
from typing import Any

from reportkit.record import Apart, Record, Score, Squared, Unmoved


@dataclass(frozen=True, slots=True)
class MeanResult(Record):
    """Mean score of one model on one eval, in score units."""

    model: str
    mean: Score
    se: Apart  # nan when undefined (fewer than two clusters), never 0 for that reason
    df: Unmoved  # Satterthwaite degrees of freedom of se
    ci_low: Score
    ci_high: Score
    level: Unmoved
    method: str  # how the interval was made: wilson, wilson-modified, wilson-effective, t, none
    n_questions: int  # with a score
    n_clusters: int  # equal to n_questions where no clusters are declared
    n_answers: int
    n_unscored: int
    n_errors: int
    se_unclustered: Apart  # Miller 2024, equation 1
    design_effect: Unmoved  # (se / se_unclustered)^2
    # Var(x) over questions, answer noise removed; nan when every question has one answer
    variance_between: Squared
    variance_within: Squared  # mean variance of one answer within a question; nan likewise
    mean_common: Score = math.nan  # on the questions that all models answered; nan where none is
    # 1 + the models that scored better on common questions; nan without common questions with all
    rank: Unmoved = math.nan
    # the ranks that the data allow (RankResult); nan where too little is known, or of one model
    rank_low: Unmoved = math.nan
    rank_high: Unmoved = math.nan
    # yes: in bold; no: another model is found better; unknown: too little data; empty: one model
    may_be_best: str = ""
    # correlation of two questions of a cluster, by analysis of variance; nan without clusters
    icc: Unmoved = math.nan


@dataclass(frozen=True, slots=True)
class DifferenceResult(Record):
    """Difference of two models on their common questions: model minus baseline, in score units."""

    model: str
    baseline: str
    difference: Apart
    se: Apart
    df: Unmoved
    ci_low: Apart
    ci_high: Apart
    level: Unmoved
    method: str  # tango, tango-effective, tango-clusters, t, none
    p_value: Unmoved
    # Holm over the comparisons of the list; of those with a best model that the data chose, p_value
    # times ci_comparisons
    p_adjusted: Unmoved
    correlation: Unmoved  # Pearson, over common questions
    n_questions: int  # common
    n_clusters: int
    n_only_model: int
    n_only_baseline: int
    se_unpaired: Apart
    mde: Apart
    mean_model: Score = math.nan  # on the common questions of the two; their difference is ours
    mean_baseline: Score = math.nan
    # comparisons that the interval allows for: 1, it stands alone and is the dual of p_value; more,
    # it is the dual of p_adjusted
    ci_comparisons: int = 1
    # P(model > baseline), of evals of fewer than 100 questions with one 0/1 answer each, for the
    # report's own comparisons; else nan
    p_greater: Unmoved = math.nan
    # McNemar's exact p and mid-p, of the report's own comparisons in which fewer than 25 questions
    # tell the models apart, with one 0/1 answer each and no clusters; else nan
    p_exact: Unmoved = math.nan
    p_mid: Unmoved = math.nan

    def turned(self) -> "DifferenceResult":
        """The same comparison seen from the other model. What has no direction stays."""
        return turned(
            self,
            n_only_model=self.n_only_baseline,
            n_only_baseline=self.n_only_model,
            mean_model=self.mean_baseline,
            mean_baseline=self.mean_model,
            p_greater=1.0 - self.p_greater,
        )


def turned(record: Any, **more: Any) -> Any:
    """A difference of two models, with its interval, seen from the other model. more: further
    fields that have a direction.
    """
    return replace(
        record,
        model=record.baseline,
        baseline=record.model,
        difference=0.0 - record.difference,
        ci_low=0.0 - record.ci_high,
        ci_high=0.0 - record.ci_low,
        **more,
    )


@dataclass(frozen=True, slots=True)
class PowerResult(Record):
    """The smallest true difference of two models that the printed test finds with this power."""

    model: str
    baseline: str
    # variance over questions of the true difference, answer noise removed; nan at one answer each
    omega2: Squared
    sigma2_model: Squared  # mean within-question variance of one answer
    sigma2_baseline: Squared
    epochs_model: Unmoved  # answers per question (harmonic mean)
    epochs_baseline: Unmoved
    n_questions: int
    alpha: Unmoved
    power: Unmoved
    mde: Apart  # nan where there is none: see reason
    method: str = "t"  # of the difference
    n_clusters: int = 0
    se: Apart = math.nan
    df: Unmoved = math.inf
    se_unclustered: Apart = math.nan
    mean_model: Score = math.nan  # on the common questions
    mean_baseline: Score = math.nan
    correlation: Unmoved = math.nan
    apart: Apart = math.nan  # mean of the absolute differences of question scores
    shown: Unmoved = math.nan  # effective number of clusters in which the models differ
    # clusters of one size that the SE is worth, as questions of a cluster are seen to be alike, and
    # if they all were; nan without clusters
    worth: Unmoved = math.nan
    alike: Unmoved = math.nan
    # where the second model lies: "lower" than the first, "higher"; empty without bounds of scores
    direction: str = ""
    room: Apart = math.nan  # the largest difference that the scale leaves in that direction
    # why mde is nan: no-test, no-variance, near-end, few-large, scale
    reason: str = ""
    # of fractions, the ends between which the two models' scores vary: their variance at a mean p
    # goes with (p - low) (high - p)
    spread_low: Score = math.nan
    spread_high: Score = math.nan


@dataclass(frozen=True, slots=True)
class RankResult(Record):
    """The ranks that one model may have; its true rank is among them with probability `level`."""

    model: str
    # 1 + the models that scored better on common questions; nan without common questions with all
    # others
    rank: Unmoved
    # best rank that the tests do not rule out, 1 exactly where the model may be the best; nan
    # where too little is known
    low: Unmoved
    high: Unmoved  # worst such rank
    level: Unmoved  # of each set
    method: str  # how the model's comparisons with the others share the level: bonferroni
    # the ranks of the sets that all hold together with probability `level`; nan where the table
    # of ranks was not asked for, or of a model without a score
    joint_low: Unmoved = math.nan
    joint_high: Unmoved = math.nan


@dataclass(frozen=True, slots=True)
class UsageResult(Record):
    """What the runs of one model took, as their logs say. No number of it moves with the unit of
    the scores.
    """

    model: str
    # day of the run, ISO 8601; of several runs the first and the last with "/" between; empty where
    # unknown
    created: str
    tokens_in: float  # of the model itself, those from a cache too; nan where a run does not say it
    tokens_out: float
    seconds: float  # nan likewise
    time_of: str  # what the time is of; empty: each run from its start to its end
    cost: float  # nan without the tokens, or without a price of them
    currency: str  # of the cost; empty without one
