"""The records of tables that are made only on request: one function for each table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reportkit.analysis.requested.clustering_all import clustering_all
from reportkit.analysis.requested.common import common
from reportkit.analysis.requested.equivalence import equivalence
from reportkit.analysis.requested.f1 import f1
from reportkit.analysis.requested.joint_ranks import joint_ranks
from reportkit.analysis.requested.other_methods import other_methods
from reportkit.analysis.requested.passes import passes
from reportkit.analysis.requested.posterior import posterior
from reportkit.analysis.requested.regression import regression
from reportkit.analysis.requested.request import Refused, Request
from reportkit.analysis.requested.scores_compared import scores_compared
from reportkit.analysis.requested.simultaneous import simultaneous
from reportkit.analysis.requested.strata import strata
from reportkit.record import Record

__all__ = ["RECORDS", "Made", "Refused", "Request", "joint_ranks", "requested"]

# Of each table its records, or Refused where it cannot be made of these scores.
RECORDS: dict[str, Callable[[Request], tuple[Record, ...]]] = {
    "posterior": posterior,
    "pass": passes,
    "common": common,
    "equivalence": equivalence,
    "simultaneous": simultaneous,
    "strata": strata,
    "scores-compared": scores_compared,
    "clustering-all": clustering_all,
    "other-methods": other_methods,
    "f1": f1,
    "regression": regression,
}


@dataclass(frozen=True, slots=True)
class Made:
    """What EvalResult has of the tables that were asked for: their records, or why there are
    none.
    """

    requested: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)


def requested(request: Request) -> Made:
    """The records of each table that is asked for and has records of its own."""
    made: dict[str, tuple[Record, ...]] = {}
    refused: dict[str, str] = {}
    for table in request.decisions.asked:
        if table not in RECORDS:
            continue
        try:
            made[table] = RECORDS[table](request)
        except Refused as why:
            refused[table] = str(why)
    return Made(made, refused)
