"""The records of tables that are made only on request. Standard library only; nan inside is null in
JSON and a dash in print.
"""

from dataclasses import dataclass

from reportkit.record import Record


@dataclass(frozen=True, slots=True)
class PosteriorResult(Record):
    """Posterior of one model's share of right answers, or of the difference of two models."""

    model: str
    baseline: str  # empty: of the model's own share; else of model minus baseline
    mean: float
    ci_low: float  # equal-tailed
    ci_high: float
    level: float
    p_greater: float  # P(model > baseline); nan for one model, and where no posterior is offered
    icc: float  # posterior mean of the correlation of two answers of a cluster; nan without them
    method: (
        str  # beta-binomial, jeffreys, clustered-posterior, bivariate-normal, beta-difference, none
    )
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
    pass_at: float
    pass_at_se: float
    pass_at_low: float
    pass_at_high: float
    pass_hat: float
    pass_hat_se: float
    pass_hat_low: float
    pass_hat_high: float
    level: float
    n_questions: int  # with at least k answers
    n_left_out: int  # with fewer
    n_clusters: int


@dataclass(frozen=True, slots=True)
class CommonResult(Record):
    """Mean of one model on the questions that all models answered."""

    model: str
    mean: float
    se: float
    df: float
    ci_low: float
    ci_high: float
    level: float
    method: str  # of the interval, as of MeanResult
    n_questions: int  # that all models answered
    n_clusters: int
    mean_all: float  # on all its questions: the means table's
    n_all: int


@dataclass(frozen=True, slots=True)
class EquivalenceResult(Record):
    """Whether two models are shown to be about as good: model minus baseline against a margin, in
    score units.
    """

    model: str
    baseline: str
    difference: float
    se: float
    df: float
    ci_low: float
    ci_high: float
    level: float  # of the interval: 0.9 where each test has alpha = 0.05
    method: str  # of the interval, as of DifferenceResult
    margin: float
    alpha: float
    # of "the difference is at least the margin, one way or the other"
    p_equivalence: float
    equivalent: str  # yes: the interval lies within the margin; no: not shown; none: no interval
    p_non_inferiority: float  # of "the model is worse than the baseline by the margin or more"
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
    difference: float
    se: float
    ci_low: float
    ci_high: float
    level: float  # of all intervals of the family together
    method: str  # max-t, bonferroni or none
    interval: str  # how the interval itself was made, as the method of DifferenceResult
    p_adjusted: float  # for the family; below 1 - level exactly where the interval excludes 0
    # of max-t: SEs to each side of a difference; of Bonferroni nan
    critical: float
    critical_error: float  # standard error of critical, from its simulation
    n_comparisons: int  # in the family
    n_questions: int  # common to the two
    n_clusters: int


@dataclass(frozen=True, slots=True)
class StratumResult(Record):
    """Weighted mean of one model: over one stratum, or over all of them."""

    model: str
    stratum: str  # empty: over all questions
    # of the stratum, as a share of the weights of all questions of the eval; over all 1
    weight: float
    mean: float
    se: float
    df: float
    ci_low: float
    ci_high: float
    level: float
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
    probability: float  # mean probability of the right answer
    probability_se: float
    sampled: float
    sampled_se: float
    # 1 - (probability_se / sampled_se)^2: what probabilities take off the variance of the mean
    reduction: float
    # the same as repeated answers predict it; nan with one answer each, or clusters
    predicted: float
    difference: float  # probability minus sampled, paired
    se: float
    ci_low: float  # of the difference
    ci_high: float
    level: float
    method: str  # of the interval, as of DifferenceResult
    p_value: float
    n_questions: int  # with both
    n_clusters: int


@dataclass(frozen=True, slots=True)
class ClusteringResult(Record):
    """What else clusters can be said to do to one model's mean, in score units."""

    model: str
    mean: float  # over questions, as everywhere
    se: float  # CR2: the report's
    df: float
    se_cr3: float  # the jackknife that leaves out a cluster at a time
    se_paper: float  # equation 4 of Miller 2024 as printed
    # clustered by the declared field and the crossed one; nan without a crossed field
    se_two_way: float
    df_two_way: float
    # yes: the two-way variance is negative, and se_two_way that of the larger one-way variance
    negative: str
    icc: float  # correlation of two questions of a cluster
    kish: float  # 1 + (m - 1) icc: the design effect that the ICC alone predicts
    n_clusters: int
    effective: float  # clusters of one size that would tell as much
    cluster_mean: float  # over the means of the clusters, which all weigh the same
    cluster_se: float
    cluster_df: float
    cluster_low: float
    cluster_high: float
    level: float
    method: str  # of the interval of cluster_mean, as of MeanResult
    n_questions: int


@dataclass(frozen=True, slots=True)
class OtherMethodsResult(Record):
    """One paired difference by the report's method and by others: model minus baseline, in score
    units. What does not apply to a pair is nan.
    """

    model: str
    baseline: str
    difference: float
    se: float
    ci_low: float  # as in the table of every pair
    ci_high: float
    level: float
    method: str  # as of DifferenceResult
    p_value: float
    p_bh: float  # Benjamini & Hochberg over the comparisons of the list
    # of one 0/1 answer each without clusters
    p_exact: float  # McNemar's exact p
    p_mid: float
    newcombe_low: float
    newcombe_high: float
    correlation: float  # Pearson, over common questions
    correlation_clusters: float  # r_c, with SE^2 = SE_A^2 + SE_B^2 - 2 r_c SE_A SE_B
    # of all answers of both models, where one lacks some
    available: float
    available_se: float
    available_low: float
    available_high: float
    available_p: float
    n_questions: int  # common
    n_model: int  # that the model answered
    n_baseline: int
    n_clusters: int


@dataclass(frozen=True, slots=True)
class F1Result(Record):
    """F1 of one model on questions whose right answer is positive or negative."""

    model: str
    f1: float
    ci_low: float  # of the posterior; nan where answers depend on each other
    ci_high: float
    level: float
    method: str  # f1-posterior or none
    precision: float
    recall: float
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
    coefficient: float  # nan where no fit exists: see reason
    se: float
    ci_low: float
    ci_high: float
    level: float
    z: float
    p_value: float
    # of the whole fit
    aic: float
    lr_chi2: float
    lr_df: int
    lr_p_value: float  # nan with clusters or several answers, which the likelihood ratio ignores
    log_likelihood: float
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
    mean: float  # assumed true mean or difference, in score units
    icc: float  # assumed correlation of two questions of a cluster; nan without clusters
    # assumed correlation of two 0/1 answers to a question; nan where it plays no part
    answer_icc: float
    level: float
    coverage: float  # nan where there is nothing to certify: see reason
    simulation_error: float  # standard error of coverage
    not_printed: float  # share of the simulated evals that have no interval
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
