"""The statistics of eval scores: arrays in, frozen records out; never a frame, a path or a model's
name.
"""

from reportkit.stats.assured import assured_ratio, units_needed
from reportkit.stats.available import available_difference
from reportkit.stats.averages import (
    cluster_weighted_mean,
    macro_average,
    stratified_mean,
    weighted_mean,
)
from reportkit.stats.bayes import (
    ClusteredPosterior,
    Posterior,
    beta_binomial_interval,
    clustered_posterior,
    f1_posterior,
)
from reportkit.stats.bayes_pairs import (
    PairedPosterior,
    UnpairedPosterior,
    paired_p_greater,
    paired_posterior,
    unpaired_posterior,
)
from reportkit.stats.best import BestSet, ahead, best_set
from reportkit.stats.certificate import Certificate, certify_difference, certify_mean
from reportkit.stats.components import (
    Components,
    ProbabilityComparison,
    RemovableShare,
    cluster_correlation,
    components,
    omega_squared,
    probability_comparison,
    removable_share,
    resampling_reduction,
)
from reportkit.stats.design import (
    DesignEffect,
    EffectiveClusters,
    TwoWay,
    design_effect,
    effective_clusters,
    finite_population,
    two_way_se,
)
from reportkit.stats.detectable import PairDesigns, Plan, detectable_difference, times_needed
from reportkit.stats.discordance import mcnemar_power
from reportkit.stats.epochs import BestEpochs, best_epochs, epochs_for_share
from reportkit.stats.equivalence import Equivalence, NonInferiority, equivalence, non_inferiority
from reportkit.stats.exact import (
    OddsRatio,
    SignedRanks,
    ZTest,
    fisher_exact_p_value,
    fisher_odds_ratio_interval,
    signed_ranks,
    two_proportion_z,
    wilcoxon_p_value,
)
from reportkit.stats.intervals import Interval, normal_interval, t_interval
from reportkit.stats.mean import Estimate, mean_estimate
from reportkit.stats.mean_intervals import mean_interval
from reportkit.stats.multiplicity import benjamini_hochberg, holm
from reportkit.stats.paired import Difference, correlation, paired_difference, unpaired_difference
from reportkit.stats.paired_counts import f1_score, newcombe_paired_interval
from reportkit.stats.pairwise import Pairs, all_pairs
from reportkit.stats.pilot import (
    PairedComponents,
    omega_squared_printed,
    paired_components,
    question_moments,
    sigma_squared_printed,
)
from reportkit.stats.power import (
    QuestionsRange,
    clustered_omega_squared,
    clusters_needed,
    mcnemar_questions_needed,
    minimum_detectable_effect,
    noninferiority_questions_needed,
    power,
    questions_needed,
    questions_range,
    unpaired_questions_needed,
    variance_range,
)
from reportkit.stats.proportions import (
    clopper_pearson_interval,
    counted_interval,
    modified_wilson_interval,
    wilson_interval,
)
from reportkit.stats.published import (
    SummaryDifference,
    correlation_needed,
    largest_se,
    possible_counts,
    summary_difference,
)
from reportkit.stats.ranks import TIE, RankSets, rank_sets
from reportkit.stats.regression import LogisticFit, logistic_regression
from reportkit.stats.repeats import pass_at_k, pass_hat_k
from reportkit.stats.simultaneous import Simultaneous, max_t, mean_covariance, simultaneous_pairs
from reportkit.stats.tango import mcnemar_p_value, tango_interval

__all__ = [
    "mcnemar_power",
    "times_needed",
    "detectable_difference",
    "Plan",
    "PairDesigns",
    "units_needed",
    "assured_ratio",
    "BestSet",
    "ahead",
    "best_set",
    "TIE",
    "BestEpochs",
    "Certificate",
    "ClusteredPosterior",
    "Components",
    "DesignEffect",
    "Difference",
    "EffectiveClusters",
    "Equivalence",
    "Estimate",
    "Interval",
    "LogisticFit",
    "NonInferiority",
    "OddsRatio",
    "PairedComponents",
    "PairedPosterior",
    "Pairs",
    "Posterior",
    "ProbabilityComparison",
    "QuestionsRange",
    "RankSets",
    "RemovableShare",
    "SignedRanks",
    "SummaryDifference",
    "Simultaneous",
    "TwoWay",
    "UnpairedPosterior",
    "ZTest",
    "all_pairs",
    "available_difference",
    "benjamini_hochberg",
    "best_epochs",
    "beta_binomial_interval",
    "certify_difference",
    "certify_mean",
    "clopper_pearson_interval",
    "cluster_correlation",
    "cluster_weighted_mean",
    "clustered_omega_squared",
    "clustered_posterior",
    "clusters_needed",
    "components",
    "counted_interval",
    "correlation",
    "correlation_needed",
    "design_effect",
    "effective_clusters",
    "epochs_for_share",
    "equivalence",
    "f1_posterior",
    "f1_score",
    "finite_population",
    "fisher_exact_p_value",
    "fisher_odds_ratio_interval",
    "holm",
    "largest_se",
    "logistic_regression",
    "macro_average",
    "max_t",
    "mcnemar_p_value",
    "mcnemar_questions_needed",
    "mean_covariance",
    "mean_estimate",
    "mean_interval",
    "minimum_detectable_effect",
    "modified_wilson_interval",
    "newcombe_paired_interval",
    "non_inferiority",
    "noninferiority_questions_needed",
    "normal_interval",
    "omega_squared",
    "omega_squared_printed",
    "paired_components",
    "paired_difference",
    "paired_p_greater",
    "paired_posterior",
    "pass_at_k",
    "pass_hat_k",
    "possible_counts",
    "power",
    "probability_comparison",
    "question_moments",
    "questions_needed",
    "questions_range",
    "rank_sets",
    "removable_share",
    "resampling_reduction",
    "sigma_squared_printed",
    "signed_ranks",
    "simultaneous_pairs",
    "stratified_mean",
    "summary_difference",
    "t_interval",
    "tango_interval",
    "two_proportion_z",
    "two_way_se",
    "unpaired_difference",
    "unpaired_posterior",
    "unpaired_questions_needed",
    "variance_range",
    "weighted_mean",
    "wilcoxon_p_value",
    "wilson_interval",
]
