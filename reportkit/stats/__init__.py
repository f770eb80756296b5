"""The statistics of eval scores: arrays in, frozen records out; never a frame, a path or a model's
name. Each name is imported when it is first used: scipy is not needed to look around.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what a type checker sees; _NAMES below is where each name really comes from
    from reportkit.stats.bayes.pairs import PairedPosterior as PairedPosterior
    from reportkit.stats.bayes.pairs import UnpairedPosterior as UnpairedPosterior
    from reportkit.stats.bayes.pairs import paired_p_greater as paired_p_greater
    from reportkit.stats.bayes.pairs import paired_posterior as paired_posterior
    from reportkit.stats.bayes.pairs import unpaired_posterior as unpaired_posterior
    from reportkit.stats.bayes.shares import ClusteredPosterior as ClusteredPosterior
    from reportkit.stats.bayes.shares import Posterior as Posterior
    from reportkit.stats.bayes.shares import beta_binomial_interval as beta_binomial_interval
    from reportkit.stats.bayes.shares import clustered_posterior as clustered_posterior
    from reportkit.stats.bayes.shares import f1_posterior as f1_posterior
    from reportkit.stats.coverage.certificate import Certificate as Certificate
    from reportkit.stats.coverage.certificate import certify_difference as certify_difference
    from reportkit.stats.coverage.certificate import certify_mean as certify_mean
    from reportkit.stats.exact import OddsRatio as OddsRatio
    from reportkit.stats.exact import SignedRanks as SignedRanks
    from reportkit.stats.exact import ZTest as ZTest
    from reportkit.stats.exact import fisher_exact_p_value as fisher_exact_p_value
    from reportkit.stats.exact import fisher_odds_ratio_interval as fisher_odds_ratio_interval
    from reportkit.stats.exact import signed_ranks as signed_ranks
    from reportkit.stats.exact import two_proportion_z as two_proportion_z
    from reportkit.stats.exact import wilcoxon_p_value as wilcoxon_p_value
    from reportkit.stats.families.best import BestSet as BestSet
    from reportkit.stats.families.best import ahead as ahead
    from reportkit.stats.families.best import best_set as best_set
    from reportkit.stats.families.ranks import TIE as TIE
    from reportkit.stats.families.ranks import RankSets as RankSets
    from reportkit.stats.families.ranks import rank_sets as rank_sets
    from reportkit.stats.families.simultaneous import Simultaneous as Simultaneous
    from reportkit.stats.families.simultaneous import max_t as max_t
    from reportkit.stats.families.simultaneous import mean_covariance as mean_covariance
    from reportkit.stats.families.simultaneous import simultaneous_pairs as simultaneous_pairs
    from reportkit.stats.intervals import Interval as Interval
    from reportkit.stats.intervals import normal_interval as normal_interval
    from reportkit.stats.intervals import t_interval as t_interval
    from reportkit.stats.means.averages import cluster_weighted_mean as cluster_weighted_mean
    from reportkit.stats.means.averages import macro_average as macro_average
    from reportkit.stats.means.averages import stratified_mean as stratified_mean
    from reportkit.stats.means.averages import weighted_mean as weighted_mean
    from reportkit.stats.means.design import DesignEffect as DesignEffect
    from reportkit.stats.means.design import EffectiveClusters as EffectiveClusters
    from reportkit.stats.means.design import TwoWay as TwoWay
    from reportkit.stats.means.design import design_effect as design_effect
    from reportkit.stats.means.design import effective_clusters as effective_clusters
    from reportkit.stats.means.design import finite_population as finite_population
    from reportkit.stats.means.design import two_way_se as two_way_se
    from reportkit.stats.means.intervals import mean_interval as mean_interval
    from reportkit.stats.means.mean import Estimate as Estimate
    from reportkit.stats.means.mean import mean_estimate as mean_estimate
    from reportkit.stats.means.proportions import (
        clopper_pearson_interval as clopper_pearson_interval,
    )
    from reportkit.stats.means.proportions import counted_interval as counted_interval
    from reportkit.stats.means.proportions import (
        modified_wilson_interval as modified_wilson_interval,
    )
    from reportkit.stats.means.proportions import wilson_interval as wilson_interval
    from reportkit.stats.multiplicity import benjamini_hochberg as benjamini_hochberg
    from reportkit.stats.multiplicity import holm as holm
    from reportkit.stats.pairs.available import available_difference as available_difference
    from reportkit.stats.pairs.counts import f1_score as f1_score
    from reportkit.stats.pairs.counts import newcombe_paired_interval as newcombe_paired_interval
    from reportkit.stats.pairs.every import Pairs as Pairs
    from reportkit.stats.pairs.every import all_pairs as all_pairs
    from reportkit.stats.pairs.margins import Equivalence as Equivalence
    from reportkit.stats.pairs.margins import NonInferiority as NonInferiority
    from reportkit.stats.pairs.margins import equivalence as equivalence
    from reportkit.stats.pairs.margins import non_inferiority as non_inferiority
    from reportkit.stats.pairs.paired import Difference as Difference
    from reportkit.stats.pairs.paired import correlation as correlation
    from reportkit.stats.pairs.paired import paired_difference as paired_difference
    from reportkit.stats.pairs.paired import unpaired_difference as unpaired_difference
    from reportkit.stats.pairs.tango import mcnemar_p_value as mcnemar_p_value
    from reportkit.stats.pairs.tango import tango_interval as tango_interval
    from reportkit.stats.planning.assured import assured_ratio as assured_ratio
    from reportkit.stats.planning.assured import units_needed as units_needed
    from reportkit.stats.planning.clusters import clustered_omega_squared as clustered_omega_squared
    from reportkit.stats.planning.clusters import clusters_needed as clusters_needed
    from reportkit.stats.planning.detectable import PairDesigns as PairDesigns
    from reportkit.stats.planning.detectable import Plan as Plan
    from reportkit.stats.planning.detectable import detectable_difference as detectable_difference
    from reportkit.stats.planning.detectable import times_needed as times_needed
    from reportkit.stats.planning.discordance import mcnemar_power as mcnemar_power
    from reportkit.stats.planning.epochs import BestEpochs as BestEpochs
    from reportkit.stats.planning.epochs import best_epochs as best_epochs
    from reportkit.stats.planning.epochs import epochs_for_share as epochs_for_share
    from reportkit.stats.planning.needed import QuestionsRange as QuestionsRange
    from reportkit.stats.planning.needed import mcnemar_questions_needed as mcnemar_questions_needed
    from reportkit.stats.planning.needed import (
        minimum_detectable_effect as minimum_detectable_effect,
    )
    from reportkit.stats.planning.needed import (
        noninferiority_questions_needed as noninferiority_questions_needed,
    )
    from reportkit.stats.planning.needed import power as power
    from reportkit.stats.planning.needed import questions_needed as questions_needed
    from reportkit.stats.planning.needed import questions_range as questions_range
    from reportkit.stats.planning.needed import (
        unpaired_questions_needed as unpaired_questions_needed,
    )
    from reportkit.stats.planning.needed import variance_range as variance_range
    from reportkit.stats.planning.pilot import PairedComponents as PairedComponents
    from reportkit.stats.planning.pilot import omega_squared_printed as omega_squared_printed
    from reportkit.stats.planning.pilot import paired_components as paired_components
    from reportkit.stats.planning.pilot import question_moments as question_moments
    from reportkit.stats.planning.pilot import sigma_squared_printed as sigma_squared_printed
    from reportkit.stats.published import SummaryDifference as SummaryDifference
    from reportkit.stats.published import correlation_needed as correlation_needed
    from reportkit.stats.published import largest_se as largest_se
    from reportkit.stats.published import possible_counts as possible_counts
    from reportkit.stats.published import summary_difference as summary_difference
    from reportkit.stats.regression import LogisticFit as LogisticFit
    from reportkit.stats.regression import logistic_regression as logistic_regression
    from reportkit.stats.repeats import pass_at_k as pass_at_k
    from reportkit.stats.repeats import pass_hat_k as pass_hat_k
    from reportkit.stats.variance_components import Components as Components
    from reportkit.stats.variance_components import ProbabilityComparison as ProbabilityComparison
    from reportkit.stats.variance_components import RemovableShare as RemovableShare
    from reportkit.stats.variance_components import cluster_correlation as cluster_correlation
    from reportkit.stats.variance_components import components as components
    from reportkit.stats.variance_components import omega_squared as omega_squared
    from reportkit.stats.variance_components import probability_comparison as probability_comparison
    from reportkit.stats.variance_components import removable_share as removable_share
    from reportkit.stats.variance_components import resampling_reduction as resampling_reduction

_NAMES = {
    "planning.assured": "assured_ratio units_needed",
    "pairs.available": "available_difference",
    "means.averages": "cluster_weighted_mean macro_average stratified_mean weighted_mean",
    "bayes.shares": (
        "ClusteredPosterior Posterior beta_binomial_interval clustered_posterior f1_posterior"
    ),
    "bayes.pairs": (
        "PairedPosterior UnpairedPosterior paired_p_greater paired_posterior unpaired_posterior"
    ),
    "families.best": "BestSet ahead best_set",
    "coverage.certificate": "Certificate certify_difference certify_mean",
    "planning.clusters": "clustered_omega_squared clusters_needed",
    "means.design": (
        "DesignEffect EffectiveClusters TwoWay design_effect effective_clusters "
        "finite_population two_way_se"
    ),
    "planning.detectable": "PairDesigns Plan detectable_difference times_needed",
    "planning.discordance": "mcnemar_power",
    "planning.epochs": "BestEpochs best_epochs epochs_for_share",
    "exact": (
        "OddsRatio SignedRanks ZTest fisher_exact_p_value fisher_odds_ratio_interval "
        "signed_ranks two_proportion_z wilcoxon_p_value"
    ),
    "intervals": "Interval normal_interval t_interval",
    "pairs.margins": "Equivalence NonInferiority equivalence non_inferiority",
    "means.mean": "Estimate mean_estimate",
    "means.intervals": "mean_interval",
    "multiplicity": "benjamini_hochberg holm",
    "planning.needed": (
        "QuestionsRange mcnemar_questions_needed minimum_detectable_effect "
        "noninferiority_questions_needed power questions_needed questions_range "
        "unpaired_questions_needed variance_range"
    ),
    "pairs.paired": "Difference correlation paired_difference unpaired_difference",
    "pairs.counts": "f1_score newcombe_paired_interval",
    "pairs.every": "Pairs all_pairs",
    "planning.pilot": (
        "PairedComponents omega_squared_printed paired_components question_moments "
        "sigma_squared_printed"
    ),
    "means.proportions": (
        "clopper_pearson_interval counted_interval modified_wilson_interval wilson_interval"
    ),
    "published": (
        "SummaryDifference correlation_needed largest_se possible_counts summary_difference"
    ),
    "families.ranks": "TIE RankSets rank_sets",
    "regression": "LogisticFit logistic_regression",
    "repeats": "pass_at_k pass_hat_k",
    "families.simultaneous": "Simultaneous max_t mean_covariance simultaneous_pairs",
    "pairs.tango": "mcnemar_p_value tango_interval",
    "variance_components": (
        "Components ProbabilityComparison RemovableShare cluster_correlation components "
        "omega_squared probability_comparison removable_share resampling_reduction"
    ),
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'reportkit.stats' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"reportkit.stats.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
