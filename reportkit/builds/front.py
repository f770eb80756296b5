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

from reportkit.builds.rounds import SUITE, Stored
from reportkit.documents.prose.best import WORSE
from reportkit.results import BEST_AND_WORSE, Scale
from reportkit.tables.data_notes import OTHER as OTHER_QUESTIONS
from reportkit.tables.data_notes import mark_text
from reportkit.tables.draft import OTHER, Cell, filled
from reportkit.tables.grid import EVAL_KEY, MODEL_KEY, Column, models_are_rows
from reportkit.tables.notes import untold_text
from reportkit.tables.scales import scales_of
from reportkit.tables.table import Table
from reportkit.tables.writers.render import render_table
from reportkit.text.numbers import DASH, Units, counted, percent_of, units_for

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
    evals = [e for r in in_order(reports) for e in r.evals]
    if not evals:
        return Markup("")
    return _linked(render_table(scores_table(evals), "html"), reports)


def in_order(reports: Sequence[Stored]) -> list[Stored]:
    """The reports but the suite's, in the order of the table: that of the suite, or else that in
    which one counts, evals of one category together.
    """
    rest = sorted((r for r in reports if r.name != SUITE), key=lambda r: _in_numbers(r.title))
    suite = next((r for r in reports if r.name == SUITE), None)
    if suite is None or outdated(suite, reports):
        evals = _by_category([e for r in rest for e in r.evals])
    else:
        evals = list(suite.evals)
    places = {e["eval"]: place for place, e in reversed([*enumerate(evals)])}
    last = len(places)
    return sorted(
        rest, key=lambda r: min((places.get(e["eval"], last) for e in r.evals), default=last)
    )


def _in_numbers(name: str) -> list[Any]:
    """A key that puts names in the order in which one counts.

    >>> sorted(["Eval 10", "eval 2"], key=_in_numbers)
    ['eval 2', 'Eval 10']
    """
    parts = re.split(r"([0-9]+)", name.casefold())
    return [int(part) if k % 2 else part for k, part in enumerate(parts)]


def _by_category(evals: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Evals of one category together, those without one last."""
    order = list(dict.fromkeys(e.get("category", "") for e in evals))
    return sorted(evals, key=lambda e: (not e.get("category"), order.index(e.get("category", ""))))


MODEL = "Model"  # head of the first column where models are the rows


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
    evals = _by_category(evals)
    models = list(dict.fromkeys(m for e in evals for m in e["models"]))
    names = [e["eval"] for e in evals]
    labels = [
        f"{e['eval']} ({e['metric']})" if names.count(e["eval"]) > 1 else e["eval"] for e in evals
    ]
    title = f"Mean score (standard error) of {counted(len(models), 'model')} on "
    title += f"{counted(len(evals), 'eval')}."
    if models_are_rows(len(models), len(evals)):
        return _models_in_rows(title, evals, labels, best_first(models, evals))
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


def best_first(models: Sequence[str], evals: Sequence[Mapping[str, Any]]) -> list[str]:
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
    low, high = (number(of.get(end)) for end in ("low", "high"))
    return Scale(low, high, bool(of["percent"]), False, of.get("known", ""))


def units_in(e: Mapping[str, Any]) -> Units:
    """How this page prints the means of an eval of results.json."""
    scale = e.get("scale") or {"percent": True}
    return units_for([number(m["se"]) for m in e["means"]], bool(scale["percent"]))


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
        mean, se = number(m["mean"]), number(m["se"])
        bold = m.get("may_be_best") == "yes"
        mark = mark_text(_is_untold(m), model in others)
        cells.append(Cell(units.with_error(mean, se) + mark, mean, bold, {head: mean}))
    return cells


def _is_untold(m: Mapping[str, Any]) -> bool:
    """Whether too little is known of a model with a mean."""
    return m.get("may_be_best") == "unknown" and m["mean"] is not None


def _of_others(e: Mapping[str, Any]) -> set[str]:
    """The models whose means are not of the questions that most models answered."""
    return {o["model"] for o in e.get("other_questions", ())}


def number(value: float | None) -> float:
    """A number of results.json, which writes nan as nothing."""
    return math.nan if value is None else value


def _notes(
    evals: Sequence[Mapping[str, Any]], models: Sequence[str], where: str
) -> tuple[str, ...]:
    """where: in each row or in each column an eval stands."""
    notes = []
    if any(m.get("may_be_best") == "yes" for e in evals for m in e["means"]):
        level = percent_of(evals[0]["means"][0]["level"])
        notes.append(f"Bold: in each {where} the {level} confidence set for the best model.")
    if lower := {bool(e.get("lower")) for e in evals if any(map(_is_untold, e["means"]))}:
        notes.append(untold_text(WORSE if len(lower) > 1 else BEST_AND_WORSE[lower.pop()][1]))
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
