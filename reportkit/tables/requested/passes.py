"""The table of pass@k and pass^k."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from reportkit.requested import PassResult
from reportkit.results import EvalResult
from reportkit.tables.cells import (
    Fields,
    Style,
    estimate_cell,
    estimate_fields,
    estimate_head,
    interval_fields,
)
from reportkit.tables.columns import questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, missing_notes, score_notes, undefined_note
from reportkit.text.numbers import count, percent_of

AT, HAT = "pass@k", "pass^k"


@dataclass(frozen=True, slots=True)
class _Chance:
    """One of the two estimates of a row, as a cell prints it."""

    mean: float
    se: float
    ci_low: float
    ci_high: float


def _at(p: PassResult) -> _Chance:
    return _Chance(p.pass_at, p.pass_at_se, p.pass_at_low, p.pass_at_high)


def _hat(p: PassResult) -> _Chance:
    return _Chance(p.pass_hat, p.pass_hat_se, p.pass_hat_low, p.pass_hat_high)


def passes(r: EvalResult, style: Style) -> Draft:
    """pass@k and pass^k with error and interval, for each model and k."""
    rows: tuple[PassResult, ...] = r.requested["pass"]  # type: ignore[assignment]
    specs = [
        ColumnSpec("model", "Model", lambda p: p.model, align="l"),
        ColumnSpec("k", "k", lambda p: count(p.k), lambda p: p.k),
        *_estimate_specs("pass_at", AT, _at, r, style),
        *_estimate_specs("pass_hat", HAT, _hat, r, style),
        questions_column(),
    ]
    notes = [
        Note(
            f"{AT}: chance that k answers to a question hold a right one; {HAT}: that all k are "
            "right. Both are unbiased estimates, averaged over the questions with at least k "
            "answers."
        ),
        *score_notes(r, style),
        *_fewer(r, rows),
        *missing_notes(r),
        undefined_note(any(_undefined(read(p)) for p in rows for read in (_at, _hat))),
    ]
    title = f"{AT} and {HAT} of each model."
    return Draft("pass", title, r, specs, rows, notes, rows)


def _undefined(c: _Chance) -> bool:
    return math.isnan(c.se) or math.isnan(c.ci_low)


def _estimate_specs(
    key: str, what: str, read: Callable[[PassResult], _Chance], r: EvalResult, style: Style
) -> list[ColumnSpec]:
    """The estimate, and its interval where the theme has a column for it."""
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    return [
        ColumnSpec(
            key,
            estimate_head(what, r, style),
            lambda p: estimate_cell(read(p), r, style),
            lambda p: read(p).mean,
            fields=_of(read, estimate_fields(what, r, style)),
        ),
        ColumnSpec(
            f"{key}_ci",
            interval,
            lambda p: units.interval(read(p).ci_low, read(p).ci_high),
            lambda p: read(p).ci_low,
            shown=style.theme != "ci",
            fields=_of(read, interval_fields(f"{what} {interval}")),
        ),
    ]


def _of(read: Callable[[PassResult], _Chance], fields: Fields) -> Fields:
    """The fields of one of the two estimates of a row."""

    def reader(field: Callable[[_Chance], float]) -> Callable[[PassResult], float]:
        return lambda p: field(read(p))

    return {name: reader(field) for name, field in fields.items()}


def _fewer(r: EvalResult, rows: tuple[PassResult, ...]) -> list[Note]:
    """Which rows leave questions out, and which models have none."""
    notes = []
    if any(p.n_left_out for p in rows):
        text = "Questions with fewer than k answers are left out of that row."
        notes.append(Note(text, about="questions"))
    without = [m.model for m in r.means if m.n_questions and m.model not in {p.model for p in rows}]
    if without:
        notes.append(Note(f"One answer to each question, so no row: {', '.join(without)}."))
    return notes
