"""What the tables on request add to numbers.tex: the macros of each of their records."""

from collections.abc import Callable
from typing import Any

from reportkit.requested import (
    CommonResult,
    EquivalenceResult,
    PassResult,
    PosteriorResult,
    ScoresComparedResult,
    SimultaneousResult,
    StratumResult,
)
from reportkit.text.numbers import Units, count, format_p_value


def _posterior(p: PosteriorResult, u: Units) -> dict[str, str]:
    sign = p.baseline != ""
    texts = {
        "posteriormean": u.number(p.mean, sign=sign),
        "posteriorci": u.interval(p.ci_low, p.ci_high, sign=sign),
    }
    if p.baseline:
        texts["pgreater"] = format_p_value(p.p_greater)
    return texts


def _pass(p: PassResult, u: Units) -> dict[str, str]:
    return {f"passat{p.k}": u.number(p.pass_at), f"passhat{p.k}": u.number(p.pass_hat)}


def _common(c: CommonResult, u: Units) -> dict[str, str]:
    return {
        "commonmean": u.number(c.mean),
        "commonse": u.error(c.se),
        "commonci": u.interval(c.ci_low, c.ci_high),
        "commonn": count(c.n_questions),
    }


def _equivalence(e: EquivalenceResult, u: Units) -> dict[str, str]:
    return {
        "equivalenceci": u.interval(e.ci_low, e.ci_high, sign=True),
        "equivalencep": format_p_value(e.p_equivalence, level=1.0 - e.alpha),
        "noninferiorityp": format_p_value(e.p_non_inferiority, level=1.0 - e.alpha),
    }


def _simultaneous(s: SimultaneousResult, u: Units) -> dict[str, str]:
    return {
        "simultaneousci": u.interval(s.ci_low, s.ci_high, sign=True),
        "simultaneousp": format_p_value(s.p_adjusted, level=s.level),
    }


def _strata(s: StratumResult, u: Units) -> dict[str, str]:
    """Over all strata alone: a name has no place for the stratum."""
    if s.stratum:
        return {}
    return {
        "weightedmean": u.number(s.mean),
        "weightedse": u.error(s.se),
        "weightedci": u.interval(s.ci_low, s.ci_high),
    }


def _scores_compared(s: ScoresComparedResult, u: Units) -> dict[str, str]:
    return {"probability": u.number(s.probability), "probabilityse": u.error(s.probability_se)}


# Of each table, a record's numbers by their names; a table without a line here has no macros.
MACROS: dict[str, Callable[[Any, Units], dict[str, str]]] = {
    "posterior": _posterior,
    "pass": _pass,
    "common": _common,
    "equivalence": _equivalence,
    "simultaneous": _simultaneous,
    "strata": _strata,
    "scores-compared": _scores_compared,
}
