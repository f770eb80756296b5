"""Records from the unit of the analysis, where a known range is 0 to 1, to the scores' own units.

A statistic of scores a + b s follows that of s: a mean goes to a + b mean, a difference and a
standard error to b times it, a variance to b^2 times it; p-values, correlations, degrees of freedom
and counts stay. A record says it of each of its numbers, by their types (reportkit.record).
"""

from dataclasses import fields, replace
from typing import Annotated, Any, Literal, get_origin, get_type_hints

from reportkit.requested import PosteriorResult
from reportkit.results import CertificateResult, EvalResult
from reportkit.scores.ranges import Unit

Moves = Literal["score", "difference", "squared", "not"]

# Records of one model, or of two where they name a baseline: then a score is a difference.
OF_BOTH = (CertificateResult, PosteriorResult)


def moves_of(record: type) -> dict[str, Moves]:
    """How each number of a kind of record moves; empty for what has no numbers of scores.

    >>> from reportkit.results import MeanResult
    >>> moves_of(MeanResult)["se"], moves_of(CertificateResult)["mean"]
    ('difference', 'score')
    """
    hints = get_type_hints(record, include_extras=True)
    return {n: h.__metadata__[0] for n, h in hints.items() if get_origin(h) is Annotated}


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
