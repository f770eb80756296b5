"""The statistics of eval scores: arrays in, frozen records out; never a frame, a path or a model's name."""

from reportkit.stats.certificate import Certificate, certify_difference, certify_mean
from reportkit.stats.components import Components, components, omega_squared
from reportkit.stats.intervals import (
    Interval,
    clopper_pearson_interval,
    mean_interval,
    modified_wilson_interval,
    normal_interval,
    t_interval,
    wilson_interval,
)
from reportkit.stats.mean import Estimate, mean_estimate
from reportkit.stats.multiplicity import holm
from reportkit.stats.paired import (
    Difference,
    correlation,
    mcnemar_p_value,
    paired_difference,
    tango_interval,
    unpaired_difference,
)
from reportkit.stats.pairwise import Pairs, all_pairs
from reportkit.stats.power import minimum_detectable_effect, power, questions_needed

__all__ = [
    "Certificate",
    "Components",
    "Difference",
    "Estimate",
    "Interval",
    "Pairs",
    "all_pairs",
    "certify_difference",
    "certify_mean",
    "clopper_pearson_interval",
    "components",
    "correlation",
    "holm",
    "mcnemar_p_value",
    "mean_estimate",
    "mean_interval",
    "minimum_detectable_effect",
    "modified_wilson_interval",
    "normal_interval",
    "omega_squared",
    "paired_difference",
    "power",
    "questions_needed",
    "t_interval",
    "tango_interval",
    "unpaired_difference",
    "wilson_interval",
]
