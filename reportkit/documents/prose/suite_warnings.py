"""The warnings of several evals, each said once."""

from collections.abc import Sequence
from dataclasses import replace

from reportkit.analysis.warnings import READ, WIDE, of_few_clusters
from reportkit.documents.prose.words import first_of
from reportkit.results import EvalResult, Warning
from reportkit.text.numbers import count, joined

FEW = "few-clusters"  # the code
MOST = 12  # evals that one warning names


def together(warnings: Sequence[Warning], evals: Sequence[EvalResult]) -> list[Warning]:
    """Each message once: after the names of the evals that it is of, unless that is all of them or
    the message names its eval, in quotes. Of few clusters one tells of all evals.
    """
    of: dict[str, list[str]] = {}
    first: dict[str, Warning] = {}
    for w in _few_as_one(warnings, evals):
        if w.code == "saturated":  # a suite prints no interval of a single eval's mean
            w = replace(w, message=w.message.replace(READ, f"{READ} in the eval's own report"))
        of.setdefault(w.message, []).append(w.eval)
        first.setdefault(w.message, w)
    told = []
    for message, w in first.items():
        names = list(dict.fromkeys(of[message]))
        named = not w.eval or any(repr(name) in message for name in names)
        if len(names) < len(evals) and not named:
            message = f"{first_of(names)}: {message}"
        told.append(replace(w, message=message))
    return told


def _few_as_one(warnings: Sequence[Warning], evals: Sequence[EvalResult]) -> list[Warning]:
    """In place of one for each eval, the first tells of all whose errors rest on few clusters."""
    few = [w for w in warnings if w.code == FEW]
    if len(few) < 2:
        return list(warnings)
    of = {r.eval: min(means, key=lambda m: m.df) for r in evals if (means := of_few_clusters(r))}
    each = [f"{name} {count(m.n_clusters)} ({m.df:.1f})" for name, m in of.items()]
    shown = [*each[:MOST], f"{count(len(each) - MOST)} more"] if len(each) > MOST else each
    wide = WIDE * any(w.message.endswith(WIDE) for w in few)
    message = (
        f"The standard errors of {count(len(each))} evals rest on few clusters (in brackets their "
        f"degrees of freedom): {joined(shown, 'and')}.{wide}"
    )
    one = replace(few[0], eval="", message=message)
    return [one if w is few[0] else w for w in warnings if w.code != FEW or w is few[0]]
