"""Records from the unit of the analysis, where a known range is 0 to 1, to the scores' own units.

A statistic of scores a + b s follows that of s: a mean goes to a + b mean, a difference and a
standard error to b times it, a variance to b^2 times it; p-values, correlations, degrees of freedom
and counts stay. A record says it of each of its numbers, by their types (reportkit.estimates), or
the table below does.
"""

from dataclasses import fields, replace
from typing import Annotated, Any, Literal, get_origin, get_type_hints

from reportkit.requested import PosteriorResult
from reportkit.results import CertificateResult, EvalResult
from reportkit.scores.ranges import Unit

Moves = Literal["score", "difference", "squared", "not"]

# How each number of a record moves with the unit of the scores, where its type does not say it.
MOVES: dict[str, dict[str, Moves]] = {
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
        "p_exact": "not",
        "p_mid": "not",
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
    "RankResult": {
        "rank": "not",
        "low": "not",
        "high": "not",
        "level": "not",
        "joint_low": "not",
        "joint_high": "not",
    },
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
    "ClusteringResult": {
        "mean": "score",
        "se": "difference",
        "df": "not",
        "se_cr3": "difference",
        "se_paper": "difference",
        "se_two_way": "difference",
        "df_two_way": "not",
        "icc": "not",
        "kish": "not",
        "effective": "not",
        "cluster_mean": "score",
        "cluster_se": "difference",
        "cluster_df": "not",
        "cluster_low": "score",
        "cluster_high": "score",
        "level": "not",
    },
    "OtherMethodsResult": {
        "difference": "difference",
        "se": "difference",
        "ci_low": "difference",
        "ci_high": "difference",
        "level": "not",
        "p_value": "not",
        "p_bh": "not",
        "p_exact": "not",
        "p_mid": "not",
        "newcombe_low": "difference",
        "newcombe_high": "difference",
        "correlation": "not",
        "correlation_clusters": "not",
        "available": "difference",
        "available_se": "difference",
        "available_low": "difference",
        "available_high": "difference",
        "available_p": "not",
    },
    "F1Result": {
        "f1": "not",
        "ci_low": "not",
        "ci_high": "not",
        "level": "not",
        "precision": "not",
        "recall": "not",
    },
    "RegressionResult": {
        "coefficient": "not",
        "se": "not",
        "ci_low": "not",
        "ci_high": "not",
        "level": "not",
        "z": "not",
        "p_value": "not",
        "aic": "not",
        "lr_chi2": "not",
        "lr_p_value": "not",
        "log_likelihood": "not",
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


def moves_of(record: type) -> dict[str, Moves]:
    """How each number of a kind of record moves; empty for what has no numbers of scores.

    >>> from reportkit.results import MeanResult
    >>> moves_of(MeanResult)["se"], moves_of(CertificateResult)["mean"]
    ('difference', 'score')
    """
    hints = get_type_hints(record, include_extras=True)
    said = {n: h.__metadata__[0] for n, h in hints.items() if get_origin(h) is Annotated}
    return MOVES.get(record.__name__, {}) | said


def in_own_units(result: EvalResult, unit: Unit) -> EvalResult:
    """The result with every number of its records in the scores' own units."""
    if unit.own:
        return result
    moved: dict[str, Any] = {}
    for f in fields(result):
        records = getattr(result, f.name)
        if isinstance(records, tuple) and records and moves_of(type(records[0])):
            moved[f.name] = _moved(records, unit)
    moved["requested"] = {
        table: _moved(records, unit) for table, records in result.requested.items()
    }
    return replace(result, **moved)


def _moved(records: tuple[Any, ...], unit: Unit) -> tuple[Any, ...]:
    """Records of one kind."""
    if not records:
        return ()
    moves = moves_of(type(records[0]))
    return tuple(_one_moved(record, moves, unit) for record in records)


def _one_moved(record: Any, moves: dict[str, Moves], unit: Unit) -> Any:
    of_two = isinstance(record, OF_BOTH) and record.baseline != ""
    changed: dict[str, float] = {}
    for name, how in moves.items():
        x = getattr(record, name)
        if how == "score" and not of_two:
            changed[name] = unit.value(x)
        elif how in ("score", "difference"):
            changed[name] = unit.width * x
        elif how == "squared":
            changed[name] = unit.width**2 * x
    return replace(record, **changed)
