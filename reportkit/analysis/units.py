"""Records from the unit of the analysis, where a known range is 0 to 1, to the scores' own units.

A statistic of scores a + b s follows that of s: a mean goes to a + b mean, a difference and a
standard error to b times it, a variance to b^2 times it; p-values, correlations, degrees of freedom
and counts stay. The table below says it of each number of each record, once for all.
"""

from dataclasses import fields, replace
from typing import Any, Literal, TypeVar

from reportkit.requested import PosteriorResult
from reportkit.results import CertificateResult, EvalResult
from reportkit.scores.ranges import Unit

Kind = TypeVar("Kind")
Moves = Literal["score", "difference", "squared", "not"]

# How each number of a record moves with the unit of the scores; a mean and its interval are scores.
MOVES: dict[str, dict[str, Moves]] = {
    "MeanResult": {
        "mean": "score",
        "se": "difference",
        "df": "not",
        "ci_low": "score",
        "ci_high": "score",
        "level": "not",
        "se_unclustered": "difference",
        "design_effect": "not",
        "variance_between": "squared",
        "variance_within": "squared",
        "mean_common": "score",
        "rank": "not",
        "rank_low": "not",
        "rank_high": "not",
    },
    "DifferenceResult": {
        "difference": "difference",
        "se": "difference",
        "df": "not",
        "ci_low": "difference",
        "ci_high": "difference",
        "level": "not",
        "p_value": "not",
        "p_adjusted": "not",
        "correlation": "not",
        "se_unpaired": "difference",
        "mde": "difference",
        "mean_model": "score",
        "mean_baseline": "score",
        "p_greater": "not",
    },
    "PowerResult": {
        "omega2": "squared",
        "sigma2_model": "squared",
        "sigma2_baseline": "squared",
        "epochs_model": "not",
        "epochs_baseline": "not",
        "alpha": "not",
        "power": "not",
        "mde": "difference",
        "se": "difference",
        "df": "not",
        "se_unclustered": "difference",
        "mean_model": "score",
        "mean_baseline": "score",
        "correlation": "not",
        "apart": "difference",
        "shown": "not",
        "worth": "not",
        "alike": "not",
        "room": "difference",
    },
    "RankResult": {"rank": "not", "low": "not", "high": "not", "level": "not"},
    "CertificateResult": {
        "mean": "score",
        "icc": "not",
        "answer_icc": "not",
        "level": "not",
        "coverage": "not",
        "simulation_error": "not",
        "not_printed": "not",
    },
    "PosteriorResult": {
        "mean": "score",
        "ci_low": "score",
        "ci_high": "score",
        "level": "not",
        "p_greater": "not",
        "icc": "not",
    },
    "PassResult": {
        "pass_at": "score",
        "pass_at_se": "difference",
        "pass_at_low": "score",
        "pass_at_high": "score",
        "pass_hat": "score",
        "pass_hat_se": "difference",
        "pass_hat_low": "score",
        "pass_hat_high": "score",
        "level": "not",
    },
    "CommonResult": {
        "mean": "score",
        "se": "difference",
        "df": "not",
        "ci_low": "score",
        "ci_high": "score",
        "level": "not",
        "mean_all": "score",
    },
    "EquivalenceResult": {
        "difference": "difference",
        "se": "difference",
        "df": "not",
        "ci_low": "difference",
        "ci_high": "difference",
        "level": "not",
        "margin": "difference",
        "alpha": "not",
        "p_equivalence": "not",
        "p_non_inferiority": "not",
    },
    "SimultaneousResult": {
        "difference": "difference",
        "se": "difference",
        "ci_low": "difference",
        "ci_high": "difference",
        "level": "not",
        "p_adjusted": "not",
        "critical": "not",
        "critical_error": "not",
    },
    "StratumResult": {
        "weight": "not",
        "mean": "score",
        "se": "difference",
        "df": "not",
        "ci_low": "score",
        "ci_high": "score",
        "level": "not",
    },
    "ScoresComparedResult": {
        "probability": "score",
        "probability_se": "difference",
        "sampled": "score",
        "sampled_se": "difference",
        "reduction": "not",
        "predicted": "not",
        "difference": "difference",
        "se": "difference",
        "ci_low": "difference",
        "ci_high": "difference",
        "level": "not",
        "p_value": "not",
    },
}
# Records of one model, or of two where they name a baseline: then a score is a difference.
OF_BOTH = (CertificateResult, PosteriorResult)


def in_own_units(result: EvalResult, unit: Unit) -> EvalResult:
    """The result with every number of its records in the scores' own units."""
    if unit.own:
        return result
    moved: dict[str, Any] = {}
    for f in fields(result):
        records = getattr(result, f.name)
        if isinstance(records, tuple) and records and type(records[0]).__name__ in MOVES:
            moved[f.name] = tuple(_moved(record, unit) for record in records)
    moved["requested"] = {
        table: tuple(_moved(record, unit) for record in records)
        for table, records in result.requested.items()
    }
    return replace(result, **moved)


def _moved(record: Kind, unit: Unit) -> Kind:
    of_two = isinstance(record, OF_BOTH) and record.baseline != ""
    changed: dict[str, float] = {}
    for name, how in MOVES[type(record).__name__].items():
        x = getattr(record, name)
        if how == "score" and not of_two:
            changed[name] = unit.value(x)
        elif how in ("score", "difference"):
            changed[name] = unit.width * x
        elif how == "squared":
            changed[name] = unit.width**2 * x
    return replace(record, **changed)  # type: ignore[type-var]
