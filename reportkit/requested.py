"""The records of tables that are made only on request. Standard library only; nan inside is null in
JSON and a dash in print.
"""

import math
from dataclasses import dataclass

from reportkit.record import Apart, Record, Score, Unmoved


@dataclass(frozen=True, slots=True)
class PosteriorResult(Record):
    """Posterior of one model's share of right answers, or of the difference of two models."""

    model: str
    baseline: str  # empty: of the model's own share; else of model minus baseline
    mean: Score
    ci_low: Score  # equal-tailed
    ci_high: Score
    level: Unmoved
    p_greater: Unmoved  # P(model > baseline); nan for one model, and where no posterior is offered
    icc: Unmoved  # posterior mean of the correlation of two answers of a cluster; nan without them
    # beta-binomial, jeffreys, clustered-posterior, bivariate-normal, beta-difference, none
    method: str
    n_questions: int  # of a pair, the common ones
    n_clusters: int
    reason: str  # why there is none; empty where there is one


@dataclass(frozen=True, slots=True)
class PassResult(Record):
    """The chance that k answers of one model to a question hold a right one (pass@k), and that all
    of them are right (pass^k).
    """

    model: str
    k: int
    pass_at: Score
    pass_at_se: Apart
    pass_at_low: Score
    pass_at_high: Score
    pass_hat: Score
    pass_hat_se: Apart
    pass_hat_low: Score
    pass_hat_high: Score
    level: Unmoved
    n_questions: int  # with at least k answers
    n_left_out: int  # with fewer
    n_clusters: int


@dataclass(frozen=True, slots=True)
class CommonResult(Record):
    """Mean of one model on the questions that all models answered."""

    model: str
    mean: Score
    se: Apart
    df: Unmoved
    ci_low: Score
    ci_high: Score
    level: Unmoved
    method: str  # of the interval, as of MeanResult
    n_questions: int  # that all models answered
    n_clusters: int
    mean_all: Score  # on all its questions: the means table's
    n_all: int


@dataclass(frozen=True, slots=True)
class EquivalenceResult(Record):
    """Whether two models are shown to be about as good: model minus baseline against a margin, in
    score units.
    """

    model: str
    baseline: str
    difference: Apart
    se: Apart
    df: Unmoved
    ci_low: Apart
    ci_high: Apart
    level: Unmoved  # of the interval: 0.9 where each test has alpha = 0.05
    method: str  # of the interval, as of DifferenceResult
    margin: Apart
    alpha: Unmoved
    # of "the difference is at least the margin, one way or the other"
    p_equivalence: Unmoved
    equivalent: str  # yes: the interval lies within the margin; no: not shown; none: no interval
    p_non_inferiority: Unmoved  # of "the model is worse than the baseline by the margin or more"
    non_inferior: str
    n_questions: int  # common
    n_clusters: int


@dataclass(frozen=True, slots=True)
class SimultaneousResult(Record):
    """One comparison of a family whose intervals all hold together with probability `level`: model
    minus baseline, in score units.
    """

    model: str
    baseline: str
    difference: Apart
    se: Apart
    ci_low: Apart
    ci_high: Apart
    level: Unmoved  # of all intervals of the family together
    method: str  # max-t, bonferroni or none
    interval: str  # how the interval itself was made, as the method of DifferenceResult
    p_adjusted: Unmoved  # for the family; below 1 - level exactly where the interval excludes 0
    # of max-t: SEs to each side of a difference; of Bonferroni nan
    critical: Unmoved
    critical_error: Unmoved  # standard error of critical, from its simulation
    n_comparisons: int  # in the family
    n_questions: int  # common to the two
    n_clusters: int


@dataclass(frozen=True, slots=True)
class StratumResult(Record):
    """Weighted mean of one model: over one stratum, or over all of them."""

    model: str
    stratum: str  # empty: over all questions
    # of the stratum, as a share of the weights of all questions of the eval; over all 1
    weight: Unmoved
    mean: Score
    se: Apart
    df: Unmoved
    ci_low: Score
    ci_high: Score
    level: Unmoved
    method: str  # of the interval, as of MeanResult
    n_questions: int
    n_clusters: int


@dataclass(frozen=True, slots=True)
class ScoresComparedResult(Record):
    """One model's mean by next-token probability beside its mean by sampled answers, on the same
    questions.
    """

    model: str
    sampled_metric: str
    probability: Score  # mean probability of the right answer
    probability_se: Apart
    sampled: Score
    sampled_se: Apart
    # 1 - (probability_se / sampled_se)^2: what probabilities take off the variance of the mean
    reduction: Unmoved
    # the same as repeated answers predict it; nan with one answer each, or clusters
    predicted: Unmoved
    difference: Apart  # probability minus sampled, paired
    se: Apart
    ci_low: Apart  # of the difference
    ci_high: Apart
    level: Unmoved
    method: str  # of the interval, as of DifferenceResult
    p_value: Unmoved
    n_questions: int  # with both
    n_clusters: int


@dataclass(frozen=True, slots=True)
class ClusteringResult(Record):
    """What else clusters can be said to do to one model's mean, in score units."""

    model: str
    mean: Score  # over questions, as everywhere
    se: Apart  # CR2: the report's
    df: Unmoved
    se_cr3: Apart  # the jackknife that leaves out a cluster at a time
    se_paper: Apart  # equation 4 of Miller 2024 as printed
    # clustered by the declared field and the crossed one; nan without a crossed field
    se_two_way: Apart
    df_two_way: Unmoved
    # yes: the two-way variance is negative, and se_two_way that of the larger one-way variance
    negative: str
    icc: Unmoved  # correlation of two questions of a cluster
    kish: Unmoved  # 1 + (m - 1) icc: the design effect that the ICC alone predicts
    n_clusters: int
    effective: Unmoved  # clusters of one size that would tell as much
    cluster_mean: Score  # over the means of the clusters, which all weigh the same
    cluster_se: Apart
    cluster_df: Unmoved
    cluster_low: Score
    cluster_high: Score
    level: Unmoved
    method: str  # of the interval of cluster_mean, as of MeanResult
    n_questions: int


@dataclass(frozen=True, slots=True)
class OtherMethodsResult(Record):
    """One paired difference by the report's method and by others: model minus baseline, in score
    units. What does not apply to a pair is nan.
    """

    model: str
    baseline: str
    difference: Apart
    se: Apart
    ci_low: Apart  # as in the table of every pair
    ci_high: Apart
    level: Unmoved
    method: str  # as of DifferenceResult
    p_value: Unmoved
    p_bh: Unmoved  # Benjamini & Hochberg over the comparisons of the list
    # of one 0/1 answer each without clusters
    p_exact: Unmoved  # McNemar's exact p
    p_mid: Unmoved
    newcombe_low: Apart
    newcombe_high: Apart
    correlation: Unmoved  # Pearson, over common questions
    correlation_clusters: Unmoved  # r_c, with SE^2 = SE_A^2 + SE_B^2 - 2 r_c SE_A SE_B
    # of all answers of both models, where one lacks some
    available: Apart
    available_se: Apart
    available_low: Apart
    available_high: Apart
    available_p: Unmoved
    n_questions: int  # common
    n_model: int  # that the model answered
    n_baseline: int
    n_clusters: int
    # of other scores without clusters: Wilcoxon's sum of the ranks above 0, and its exact p
    w_plus: Unmoved = math.nan
    p_signed_ranks: Unmoved = math.nan


@dataclass(frozen=True, slots=True)
class F1Result(Record):
    """F1 of one model on questions whose right answer is positive or negative."""

    model: str
    f1: Unmoved
    ci_low: Unmoved  # of the posterior; nan where answers depend on each other
    ci_high: Unmoved
    level: Unmoved
    method: str  # f1-posterior or none
    precision: Unmoved
    recall: Unmoved
    tp: int  # right answers to positive questions
    fp: int  # wrong answers to negative ones
    fn: int  # wrong answers to positive ones
    tn: int


@dataclass(frozen=True, slots=True)
class RegressionResult(Record):
    """One coefficient of a logistic regression of one model's right answers, in log odds per
    unit.
    """

    model: str
    covariate: str  # intercept, or the name of a field
    coefficient: Unmoved  # nan where no fit exists: see reason
    se: Unmoved
    ci_low: Unmoved
    ci_high: Unmoved
    level: Unmoved
    z: Unmoved
    p_value: Unmoved
    # of the whole fit
    aic: Unmoved
    lr_chi2: Unmoved
    lr_df: int
    lr_p_value: Unmoved  # nan with clusters or several answers, which the likelihood ratio ignores
    log_likelihood: Unmoved
    n_answers: int
    n_clusters: int  # in which answers depend on each other
    reason: str  # why there is none; empty where there is one


@dataclass(frozen=True, slots=True)
class CertificateResult(Record):
    """Simulated coverage of one printed interval, for data of the eval's own shape; made only when
    asked for.
    """

    model: str
    baseline: str  # empty: the interval of the model's mean; else of model minus baseline
    method: str  # of the printed interval; on a simulated eval the same rule may choose another
    n_questions: int
    n_clusters: int
    n_answers: int  # of both models, for a difference
    mean: Score  # assumed true mean or difference, in score units
    icc: Unmoved  # assumed correlation of two questions of a cluster; nan without clusters
    # assumed correlation of two 0/1 answers to a question; nan where it plays no part
    answer_icc: Unmoved
    level: Unmoved
    coverage: Unmoved  # nan where there is nothing to certify: see reason
    simulation_error: Unmoved  # standard error of coverage
    not_printed: Unmoved  # share of the simulated evals that have no interval
    repeats: int
    reason: str


# Of each table that is made only on request, what its records are; its name is their key in
# results.json. Not here: ranks, which every result has, and certificates, which have a field of
# their own.
REQUESTED: dict[str, type[Record]] = {
    "posterior": PosteriorResult,
    "pass": PassResult,
    "common": CommonResult,
    "equivalence": EquivalenceResult,
    "simultaneous": SimultaneousResult,
    "strata": StratumResult,
    "scores-compared": ScoresComparedResult,
    "clustering-all": ClusteringResult,
    "other-methods": OtherMethodsResult,
    "f1": F1Result,
    "regression": RegressionResult,
}
