"""The first sentence of the front page: which model is the best, and how sure that is."""

from collections.abc import Mapping, Sequence
from typing import Any

from reportkit.analysis.order import best_of
from reportkit.builds.front import best_first, number, outdated, units_in
from reportkit.builds.rounds import SUITE, Stored
from reportkit.documents.prose.best import (
    OVERALL,
    PAIRED,
    WORSE,
    best_average,
    best_mean,
    best_of_each,
    is_best,
    may_be_best,
    with_averages,
)
from reportkit.documents.prose.suite_groups import LINES
from reportkit.documents.prose.words import in_sentences, named_error, set_apart
from reportkit.results import BEST_AND_WORSE
from reportkit.text.figure_width import LABEL
from reportkit.text.numbers import count, joined, units_for

EACH = "for each of"  # comparisons, in the question of a plan
NAMED = 3  # models that the first sentence names beside the best


def leading(reports: Sequence[Stored]) -> str:
    """Which model is the best, and how sure that is: by the average over the evals, as the suite's
    ranks say, or by the mean of the only eval; of one model its mean. Of a plan alone its first
    answer, and the number for each of several comparisons. Empty of several evals without a suite,
    or with one that is older than their reports.
    """
    suite = next((r for r in reports if r.name == SUITE), None)
    told = ""
    if len(reports) == 1 and (answers := reports[0].results.get("planning", {}).get("told")):
        first, *others = answers
        planned = [first, *(a for a in others[:1] if EACH in a["question"])]
        return " ".join(f"{a['question']}: {a['answer']}." for a in planned)
    if suite is not None:
        told = "" if outdated(suite, reports) else _best_over(suite) or _best_of_each(suite)
    elif len(evals := [e for r in reports for e in r.evals]) == 1:
        told = _best_on(evals[0])
    if told and any(r.manifest.get("fictional") for r in reports):
        return f"{told} The models are fictional and their scores generated."
    return told


def _best_on(e: Mapping[str, Any]) -> str:
    """The best model of an eval of results.json, or its only one; empty where two share the best
    mean.
    """
    scored, lower = [m for m in e["means"] if m["mean"] is not None], bool(e.get("lower"))
    best = [scored[i] for i in best_of([m["mean"] for m in scored], lower)]
    if len(best) != 1:
        return ""
    top, units = best[0], units_in(e)
    short, on = _short(e["models"]), _short([e["eval"]])[e["eval"]]
    mean = named_error(units, number(top["mean"]), number(top["se"]))
    if len(e["models"]) == 1:
        return f"{short[top['model']]} scores {mean} on {on}."
    if len(scored) < 2:
        return ""
    text = f"{short[top['model']]} has {best_mean(on, lower)}, {mean}"
    sure = {m["model"]: m.get("may_be_best") for m in e["means"]}
    if sure.pop(top["model"]) != "yes":
        return f"{text}."
    others = [short[m] for m in best_first(e["models"], [e]) if sure.get(m) == "yes"]
    if others:
        return f"{text}, {_may_also(others, PAIRED, BEST_AND_WORSE[lower][1])}."
    known = all(may == "no" for may in sure.values()) and len(scored) == len(e["means"])
    return f"{text}, {is_best(top['level'])}." if known else f"{text}."


def _best_over(suite: Stored) -> str:
    """The best model of a suite; empty where two share the best average."""
    of = suite.results.get("suite") or {}
    averages = {a["model"]: a for a in of.get("averages", ()) if a["mean"] is not None}
    ranks = [x for x in of.get("ranks", ()) if x["rank"] is not None and x["model"] in averages]
    best = [x for x in ranks if x["rank"] == 1.0]
    n_evals = len(of.get("weights", ()))
    if len(ranks) < 2 or len(best) != 1 or n_evals < 2:
        return ""
    name = best[0]["model"]
    scales = {e["eval"]: e.get("scale") or {"percent": True} for e in suite.evals}
    percent = bool(scales[next(iter(of["weights"]))]["percent"])
    units = units_for([number(a["se"]) for a in averages.values()], percent)
    short = _short([x["model"] for x in ranks])
    top = averages[name]
    mean = named_error(units, number(top["mean"]), number(top["se"]))
    some = with_averages(len(ranks), len(of["ranks"]))
    text = f"{short[name]} has {best_average(n_evals)}{some}, {mean}"
    others = [short[x["model"]] for x in ranks if x["low"] == 1.0 and x["model"] != name]
    if others:
        return f"{text}, {_may_also(others, OVERALL, WORSE)}."
    if not best[0]["low"] == best[0]["high"] == 1.0:
        return f"{text}."
    return f"{text}, {is_best(best[0]['level'], 'of these' if some else 'model on average')}."


def _best_of_each(suite: Stored) -> str:
    """On how many evals each model is or may be the best, in the words of the suite's findings;
    empty where some model has an average, or where the findings tell the few evals one by one.
    """
    of = suite.results.get("suite") or {}
    if not of or any(a["mean"] is not None for a in of["averages"]):
        return ""
    counted = [e for e in suite.evals if e["means"] and e["eval"] not in of.get("shared", {})]
    if len(counted) <= LINES:
        return ""
    short = _short([m["model"] for e in counted for m in e["means"]])
    best, sure = [], True
    for e in counted:
        may = {m["model"]: m.get("may_be_best") for m in e["means"]}
        if own := [m for m in best_first(list(may), [e]) if may[m] == "yes"]:
            best.append([short[m] for m in own])
            sure = sure and sum(x != "no" for x in may.values()) == 1
    if len(best) <= LINES or len(of["overall"]) <= LINES:
        return ""
    return best_of_each(best, counted[0]["means"][0]["level"] if sure else None)


def _short(names: Sequence[str]) -> dict[str, str]:
    """Each name as findings write it. Only for long names fonts are read."""
    if max(map(len, names)) > LABEL:
        return in_sentences(names)
    return set_apart(names)


def _may_also(others: Sequence[str], tests: str, worse: str) -> str:
    """That these models may be the best too: many by their number, with the names of the first."""
    who = joined(others)
    if len(others) > NAMED:
        more = f"{count(len(others) - NAMED)} more"
        who = f"one of {count(len(others))} others ({joined([*others[:NAMED], more], 'and')})"
    return may_be_best(who, len(others), tests, worse)
