"""What the tables on request add to numbers.tex: the macros of each of their records."""

from collections.abc import Callable
from typing import Any

from reportkit.requested import (
    ClusteringResult,
    CommonResult,
    EquivalenceResult,
    F1Result,
    OtherMethodsResult,
    PassResult,
    PosteriorResult,
    RegressionResult,
    ScoresComparedResult,
    SimultaneousResult,
    StratumResult,
)
from reportkit.text.numbers import DASH, Units, count, fixed, format_p_value


def _posterior(p: PosteriorResult, u: Units) -> dict[str, str]:
    if not p.baseline:
        return {"posteriormean": u.number(p.mean), "posteriorci": u.interval(p.ci_low, p.ci_high)}
    return {
        "posteriormean": in_points(u.number(p.mean, sign=True), u),
        "posteriorci": in_points(u.interval(p.ci_low, p.ci_high, sign=True), u),
        "pgreater": format_p_value(p.p_greater),
    }


def in_points(text: str, u: Units) -> str:
    """A difference in prose. That of two shares is in points: 2.5% may be read as a part of the
    score.
    """
    return f"{text} points" if u.percent and text != DASH else text


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
        "equivalenceci": in_points(u.interval(e.ci_low, e.ci_high, sign=True), u),
        "equivalencep": format_p_value(e.p_equivalence, level=1.0 - e.alpha),
        "noninferiorityp": format_p_value(e.p_non_inferiority, level=1.0 - e.alpha),
    }


def _simultaneous(s: SimultaneousResult, u: Units) -> dict[str, str]:
    return {
        "simultaneousci": in_points(u.interval(s.ci_low, s.ci_high, sign=True), u),
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


def _clustering_all(c: ClusteringResult, u: Units) -> dict[str, str]:
    texts = {
        "icc": fixed(c.icc, 2),
        "effectiveclusters": fixed(c.effective, 1),
        "crthreese": u.error(c.se_cr3),
        "clustermean": u.number(c.cluster_mean),
        "clustermeanse": u.error(c.cluster_se),
        "clustermeanci": u.interval(c.cluster_low, c.cluster_high),
    }
    if c.negative:
        texts["twowayse"] = u.error(c.se_two_way)
    return texts


def _other_methods(d: OtherMethodsResult, u: Units) -> dict[str, str]:
    texts = {"bhp": format_p_value(d.p_bh, level=d.level)}
    if d.p_exact == d.p_exact:
        texts |= {
            "exactp": format_p_value(d.p_exact, level=d.level),
            "midp": format_p_value(d.p_mid, level=d.level),
            "newcombeci": in_points(u.interval(d.newcombe_low, d.newcombe_high, sign=True), u),
        }
    if d.w_plus == d.w_plus:
        texts |= {
            "wplus": fixed(d.w_plus, 1),
            "signedrankp": format_p_value(d.p_signed_ranks, level=d.level),
        }
    if d.available == d.available:
        texts |= {
            "allanswers": in_points(u.number(d.available, sign=True), u),
            "allanswersse": in_points(u.of_differences.error(d.available_se), u),
            "allanswersci": in_points(u.interval(d.available_low, d.available_high, sign=True), u),
        }
    return texts


def _f1(x: F1Result, u: Units) -> dict[str, str]:
    return {
        "fone": fixed(x.f1, 3),
        "foneci": f"({fixed(x.ci_low, 3)}, {fixed(x.ci_high, 3)})",
        "precision": fixed(x.precision, 3),
        "recall": fixed(x.recall, 3),
    }


def _regression(x: RegressionResult, u: Units) -> dict[str, str]:
    return {
        f"coefficient {x.covariate}": fixed(x.coefficient, 3, sign=True),
        f"coefficientse {x.covariate}": fixed(x.se, 3),
    }


# Of each table, a record's numbers by their names; a table without a line here has no macros.
MACROS: dict[str, Callable[[Any, Units], dict[str, str]]] = {
    "posterior": _posterior,
    "pass": _pass,
    "common": _common,
    "equivalence": _equivalence,
    "simultaneous": _simultaneous,
    "strata": _strata,
    "scores-compared": _scores_compared,
    "clustering-all": _clustering_all,
    "other-methods": _other_methods,
    "f1": _f1,
    "regression": _regression,
}
