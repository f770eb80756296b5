"""The front page's table: the suite's own where there is one, else evals by models from what the
reports hold.
"""

import html
import math
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from reportkit.analysis.order import best_of
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
from reportkit.results import BEST_AND_WORSE, Scale
from reportkit.tables.data_notes import OTHER as OTHER_QUESTIONS
from reportkit.tables.draft import OTHER, Cell, filled
from reportkit.tables.grid import EVAL_KEY, MODEL_KEY, Column, models_are_rows
from reportkit.tables.scales import scales_of
from reportkit.tables.table import Table
from reportkit.tables.writers.render import render_table
from reportkit.text.figure_width import LABEL
from reportkit.text.numbers import DASH, Units, count, counted, joined, percent_of, units_for

FIGURE = re.compile(r"<figure class=\"rk-table\".*</figure>", re.DOTALL)
SECTION = re.compile(r"(<th scope=\"rowgroup\"[^>]*>)([^<]*)(</th>)")
# A name may have marks of where its lines end, and below it a metric.
WITHIN = re.compile(r"<wbr>|</?(?:span|bdi)\b[^>]*>")
HEADS = {
    scope: re.compile(
        rf"(<th scope=\"{scope}\"[^>]*>)((?:[^<]|{WITHIN.pattern})*)((?:<br>.*?)?</th>)"
    )
    for scope in ("row", "col")
}


def front_table(out: Path, reports: Sequence[Stored]) -> Markup:
    """The table as HTML for a page that has our style and script; empty where there are no evals.
    A suite that is older than the reports of its evals is not shown.

    The drop-in tables/suite.html of the suite's report is ours, so its figure is taken as it is:
    the page's policy runs no script of a file that was changed.
    """
    path = out / SUITE / "tables" / "suite.html"
    suite = [r for r in reports if r.name == SUITE]
    if suite and not outdated(suite[0], reports) and path.is_file():
        found = FIGURE.search(path.read_text(encoding="utf-8"))
        if found:
            return _linked(found[0], reports)
    evals = [e for r in reports if r.name != SUITE for e in r.evals]
    if not evals:
        return Markup("")
    return _linked(render_table(scores_table(evals), "html"), reports)


MODEL = "Model"  # head of the first column where models are the rows
NAMED = 3  # models that the first sentence names beside the best


def leading(reports: Sequence[Stored]) -> str:
    """Which model is the best, and how sure that is: by the average over the evals, as the suite's
    ranks say, or by the mean of the only eval; of one model its mean. Of a plan alone its first
    answer. Empty of several evals without a suite, or with one that is older than their reports.
    """
    suite = next((r for r in reports if r.name == SUITE), None)
    told = ""
    if len(reports) == 1 and (answers := reports[0].results.get("planning", {}).get("told")):
        return f"{answers[0]['question']}: {answers[0]['answer']}."
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
    mean = named_error(units, _number(top["mean"]), _number(top["se"]))
    if len(e["models"]) == 1:
        return f"{short[top['model']]} scores {mean} on {on}."
    if len(scored) < 2:
        return ""
    text = f"{short[top['model']]} has {best_mean(on, lower)}, {mean}"
    sure = {m["model"]: m.get("may_be_best") for m in e["means"]}
    if sure.pop(top["model"]) != "yes":
        return f"{text}."
    others = [short[m] for m in _best_first(e["models"], [e]) if sure.get(m) == "yes"]
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
    units = units_for([_number(a["se"]) for a in averages.values()], percent)
    short = _short([x["model"] for x in ranks])
    top = averages[name]
    mean = named_error(units, _number(top["mean"]), _number(top["se"]))
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
        if own := [m for m in _best_first(list(may), [e]) if may[m] == "yes"]:
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


def outdated(suite: Stored, reports: Sequence[Stored]) -> list[str]:
    """The evals of a suite whose own reports hold other numbers, or another model: the suite was
    not built when they were, or failed.
    """
    known = {key: numbers for e in suite.evals for key, numbers in _numbers_of(e).items()}
    evals = {(e["eval"], e["metric"]) for e in suite.evals}
    own = [e for r in reports if r.name != SUITE for e in r.evals]
    return [
        e["eval"]
        for e in own
        if (e["eval"], e["metric"]) in evals
        and any(known.get(key) != numbers for key, numbers in _numbers_of(e).items())
    ]


def _numbers_of(e: Mapping[str, Any]) -> dict[tuple[str, str, str], tuple[Any, ...]]:
    """The means of an eval of results.json, by eval, metric and model."""
    return {
        (e["eval"], e["metric"], m["model"]): (m["mean"], m["se"], m["n_questions"])
        for m in e["means"]
    }


def _linked(table: str, reports: Sequence[Stored]) -> Markup:
    """The table with each eval's name as a link to its report, and headings that stay in view."""
    folders = {r.title: r.name for r in reports if r.name != SUITE}

    def link(match: re.Match[str]) -> str:
        start, name, end = match.groups()
        folder = folders.get(html.unescape(WITHIN.sub("", name)))
        if folder is None:
            return match[0]
        return f'{start}<a href="./{urllib.parse.quote(folder)}/report.html">{name}</a>{end}'

    first = HEADS["col"].search(table)
    models_in_rows = first is not None and first[2] == MODEL
    heads = HEADS["col" if models_in_rows else "row"]
    return Markup(heads.sub(link, SECTION.sub(r"\1<span>\2</span>\3", table)))


def scores_table(evals: Sequence[Mapping[str, Any]]) -> Table:
    """Mean (SE) of evals and models, from the evals of results.json; bold as their own tables have
    it. Evals are the rows, those of one category together; of many models the models are.
    """
    order = list(dict.fromkeys(e.get("category", "") for e in evals))
    evals = sorted(evals, key=lambda e: (not e.get("category"), order.index(e.get("category", ""))))
    models = list(dict.fromkeys(m for e in evals for m in e["models"]))
    names = [e["eval"] for e in evals]
    labels = [
        f"{e['eval']} ({e['metric']})" if names.count(e["eval"]) > 1 else e["eval"] for e in evals
    ]
    title = f"Mean score (standard error) of {counted(len(models), 'model')} on "
    title += f"{counted(len(evals), 'eval')}."
    if models_are_rows(len(models), len(evals)):
        return _models_in_rows(title, evals, labels, _best_first(models, evals))
    columns = [Column("Eval", "l", key="eval")]
    columns += [Column(m, "r", key=f"{MODEL_KEY}{m}") for m in models]
    rows = [
        [Cell(label, None, False, {"Eval": label}), *_cells(e, models, models)]
        for e, label in zip(evals, labels, strict=True)
    ]
    notes, sections = _notes(evals, models, "row"), _sections(evals)
    table = filled("scores", title, columns, rows)
    ends = [(x, _scale(e), bool(e.get("lower"))) for e, x in zip(evals, labels, strict=True)]
    look: dict[str, Any] = {"notes": notes, "sections": sections, "scales": scales_of(ends)}
    return table.edited(lambda t: replace(t, **look))


def _models_in_rows(
    title: str, evals: Sequence[Mapping[str, Any]], labels: Sequence[str], models: Sequence[str]
) -> Table:
    """The same turned: above each eval its category."""
    columns, cells = [Column(MODEL, "l", key="model")], []
    for e, label in zip(evals, labels, strict=True):
        columns.append(Column(label, "r", _section(e, evals), f"{EVAL_KEY}{label}"))
        cells.append(_cells(e, models, [label] * len(models)))
    names = [Cell(model, None, False, {MODEL: model}) for model in models]
    table = filled("scores", title, columns, [*zip(names, *cells, strict=True)])
    notes, lower = _notes(evals, models, "column"), all(e.get("lower") for e in evals)
    return table.edited(lambda t: replace(t, notes=notes, lower=lower))


def _best_first(models: Sequence[str], evals: Sequence[Mapping[str, Any]]) -> list[str]:
    """The models by their means on the first eval, those without one last; equal ones by the next
    eval.
    """
    places = []
    for e in evals:
        sign = 1.0 if e.get("lower") else -1.0
        places.append({m["model"]: sign * m["mean"] for m in e["means"] if m["mean"] is not None})
    return sorted(models, key=lambda model: [of.get(model, math.inf) for of in places])


def _scale(e: Mapping[str, Any]) -> Scale:
    """Of an eval of results.json, in which an older version may have less of it."""
    of = e.get("scale") or {"percent": True}
    low, high = (_number(of.get(end)) for end in ("low", "high"))
    return Scale(low, high, bool(of["percent"]), False, of.get("known", ""))


def units_in(e: Mapping[str, Any]) -> Units:
    """How this page prints the means of an eval of results.json."""
    scale = e.get("scale") or {"percent": True}
    return units_for([_number(m["se"]) for m in e["means"]], bool(scale["percent"]))


def _cells(e: Mapping[str, Any], models: Sequence[str], heads: Sequence[str]) -> list[Cell]:
    """The cells of an eval; heads: of the columns in which they stand."""
    of = {m["model"]: m for m in e["means"]}
    units, others = units_in(e), _of_others(e)
    cells = []
    for model, head in zip(models, heads, strict=True):
        m = of.get(model)
        if m is None:
            cells.append(Cell(DASH, None, False, {head: math.nan}))
            continue
        mean, se = _number(m["mean"]), _number(m["se"])
        bold = m.get("may_be_best") == "yes"
        mark = f" {OTHER_QUESTIONS}" if model in others else ""
        cells.append(Cell(units.with_error(mean, se) + mark, mean, bold, {head: mean}))
    return cells


def _of_others(e: Mapping[str, Any]) -> set[str]:
    """The models whose means are not of the questions that most models answered."""
    return {o["model"] for o in e.get("other_questions", ())}


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _notes(
    evals: Sequence[Mapping[str, Any]], models: Sequence[str], where: str
) -> tuple[str, ...]:
    """where: in each row or in each column an eval stands."""
    notes = []
    if any(m.get("may_be_best") == "yes" for e in evals for m in e["means"]):
        level = percent_of(evals[0]["means"][0]["level"])
        notes.append(f"Bold: in each {where} the {level} confidence set for the best model.")
    if any(map(_of_others, evals)):
        notes.append(
            f"{OTHER_QUESTIONS}: not of all the questions that most models answered; see its "
            "report."
        )
    if any(len(e["models"]) < len(models) for e in evals):
        notes.append(f"{DASH}: the model has no scores of that eval.")
    return tuple(notes)


def _section(e: Mapping[str, Any], evals: Sequence[Mapping[str, Any]]) -> str:
    """The heading over an eval; empty where none has a category."""
    return (e.get("category") or OTHER) if any(x.get("category") for x in evals) else ""


def _sections(evals: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, str], ...]:
    sections: list[tuple[int, str]] = []
    for row, e in enumerate(evals):
        heading = _section(e, evals)
        if heading and (not sections or sections[-1][1] != heading):
            sections.append((row, heading))
    return tuple(sections)
