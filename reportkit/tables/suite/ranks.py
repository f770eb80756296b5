"""Where the models of a suite rank by their averages; on how many evals each may be the best."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reportkit.results import RankResult, SuiteResult
from reportkit.tables.captions import metrics_of, sentence
from reportkit.tables.cells import Style, estimate_cell, estimate_fields, estimate_head
from reportkit.tables.draft import ColumnSpec, said_once
from reportkit.tables.notes import Note, score_notes, undefined_notes, without_metric
from reportkit.tables.ranks import rank_columns
from reportkit.tables.suite.family import (
    apart_notes,
    evals_told,
    fictional_of,
    finest,
    flat_note,
    kept,
    over,
    pooled_evals,
    suite_table,
    untold_average,
    weight_note,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import count, percent_of


def suite_ranks(s: SuiteResult, style: Style) -> Table:
    """Where the models rank by their average over the evals, and on how many evals each may be the
    best.
    """
    r = finest(s)
    averages = {a.model: a for a in s.averages}
    head = f"{percent_of(s.level)} rank set"

    def of_average(read: Callable[..., float]) -> Callable[[RankResult], float]:
        return lambda x: read(averages[x.model])

    specs: list[ColumnSpec] = [
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        ColumnSpec(
            "average",
            estimate_head("Average", r, style),
            lambda x: estimate_cell(averages[x.model], r, style),
            lambda x: averages[x.model].mean,
            lower=r.lower,
            fields={
                name: of_average(read)
                for name, read in estimate_fields("Average", r, style).items()
            },
        ),
        *rank_columns(head),
        replace(
            _evals_spec("evals", "Evals", s, lambda m: m.n_questions > 0),
            same=evals_told(s),
        ),
        _evals_spec("best", "may be best", s, lambda m: m.may_be_best == "yes"),
        _evals_spec("worse", "is worse", s, lambda m: m.may_be_best == "no"),
    ]
    order = sorted(s.ranks, key=lambda x: (math.isnan(x.rank), x.rank))
    about = sentence(
        f"{percent_of(s.level)} rank sets: tests of the mean differences, each set by itself",
        metrics_of(pooled_evals(s)),
    )
    title = f"{over('ranks of the models by their average', s)} {about}"
    table = suite_table("suite-ranks", title, specs, order)
    table = replace(table, notes=tuple(kept(_rank_notes(s, style))))
    return said_once(table, specs, "Each model", table.cells)


def _evals_spec(key: str, head: str, s: SuiteResult, counts: Any) -> ColumnSpec:
    """On how many evals something holds of a model."""

    def number(x: RankResult) -> int:
        return sum(counts(m) for r in s.counted for m in r.means if m.model == x.model)

    group = "" if key == "evals" else "Evals on which it"
    return ColumnSpec(key, head, lambda x: count(number(x)), number, group=group)


def _rank_notes(s: SuiteResult, style: Style) -> list[Note]:
    lower = any(r.lower for r in pooled_evals(s))
    if not s.ranks:
        return [Note("There is one model, so there are no ranks.", "empty")]
    notes = [
        fictional_of(s),
        Note(f"Rank 1: the {'lowest' if lower else 'highest'} average over the evals."),
        weight_note(s),
        flat_note(s),
        Note(
            "Rank set: the ranks that tests of the mean differences over the evals do not rule "
            f"out; each set holds the true rank of its model with {percent_of(s.level)} confidence."
        ),
        Note(
            "May be best: the model is in the eval's own confidence set for the best model; is "
            "worse: a test finds another model better."
        ),
        *apart_notes(s),
        *without_metric(score_notes(finest(s), style)),
    ]
    reasons = []
    if any(math.isnan(x.rank) for x in s.ranks):
        reasons.append("the model has no score of some eval")
    if untold_average(s):
        reasons.append("of a rank set, too little data to tell")
    return notes + undefined_notes(reasons)
