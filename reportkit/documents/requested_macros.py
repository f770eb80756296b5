"""What the tables on request add to numbers.tex: the macros of each of their records."""

from collections.abc import Callable
from typing import Any

from reportkit.requested import CommonResult, PassResult, PosteriorResult
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


# Of each table, a record's numbers by their names; a table without a line here has no macros.
MACROS: dict[str, Callable[[Any, Units], dict[str, str]]] = {
    "posterior": _posterior,
    "pass": _pass,
    "common": _common,
}
