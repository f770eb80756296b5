"""The tables of a checked table: its means as they were read, what each pair allows to conclude,
exact tests of counts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from math import ceil
from typing import Any

from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.published import CheckedDifference, CheckedMean, CheckedPair, CheckedTable
from reportkit.stats.intervals import z_quantile
from reportkit.tables.draft import ColumnSpec, filled, said_once
from reportkit.tables.notes import Note
from reportkit.tables.published_marks import (
    OF_COUNTS,
    mark_notes,
    marks_of,
    pair_mark,
    pair_notes,
    reservations,
)
from reportkit.tables.published_units import (
    FROM,
    eval_units,
    in_units,
    points_note,
    points_of,
    scale_and_size,
    sharper_errors,
    standard_error_from,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    counted,
    fixed,
    format_p_value,
    percent_of,
    plain_number,
)

SETTLED = {"yes": "yes", "no": "no", "rounding": "depends on rounding"}


def checked_means(c: CheckedTable) -> Table:
    """The means that are compared, each with its error and where that is from."""
    units = eval_units(c)

    def ends(m: CheckedMean, low: str, high: str) -> str:
        a, b = (in_units(c, m.eval, getattr(m, x)) for x in (low, high))
        return units(m.eval, 0).interval(a, b)

    def mean(m: CheckedMean) -> str:
        u = units(m.eval, 0)
        value = u.number(in_units(c, m.eval, m.mean))
        if m.se != m.se:
            return value
        row = (m.eval, m.model, m.table, m.line)
        more = sharper.get(row, 0) if m.se_from == "printed" else 1
        return f"{value} ({units(m.eval, more).error(in_units(c, m.eval, m.se))})"

    sharper = sharper_errors(c)
    of_counts = any(m.counts for m in c.means)
    level = percent_of(c.level)
    specs = [
        _text("eval", "Eval", lambda m: m.eval),
        _text("model", "Model", lambda m: m.model),
        ColumnSpec("n", "Questions", lambda m: count(m.n), lambda m: m.n),
        ColumnSpec(
            "mean", "Mean (SE)", mean, lambda m: m.mean, mark=marks_of(c),
            fields={"Mean": lambda m: m.mean, "SE": lambda m: m.se},
        ),
        _text("se_from", "SE from", lambda m: FROM[m.se_from], same=standard_error_from),
        ColumnSpec(
            "counts", "Right", lambda m: count(float(m.counts)) if m.counts else DASH,
            lambda m: float(m.counts or "nan"), shown=of_counts,
        ),
        ColumnSpec(
            "ci", f"{level} CI,\nWilson", lambda m: ends(m, "ci_low", "ci_high"),
            lambda m: m.ci_low, shown=of_counts,
        ),
        ColumnSpec(
            "exact", f"{level} CI,\nexact", lambda m: ends(m, "exact_low", "exact_high"),
            lambda m: m.exact_low, shown=of_counts,
        ),
    ]  # fmt: skip
    notes: list[str] = [*mark_notes(c)]
    if any(m.se_from == "largest" for m in c.means):
        notes.append(
            "The largest possible SE: none is printed; no independent scores of this scale have a "
            "larger one, and one right-or-wrong answer to each question has it."
        )
    if of_counts:
        notes.append(
            "Right: the number of right answers that rounds to the mean, if each question has one "
            "right-or-wrong answer; a dash where several do, or none. The intervals rest on "
            "it, and on independent questions."
        )
    return _made(c, "checked-means", "The means as they were read.", specs, c.means, notes)


def checked_pairs(c: CheckedTable) -> Table:
    """Each pair: what follows as if the models had answered different questions."""
    tests = sum(p.p_adjusted == p.p_adjusted for p in c.pairs)
    specs = [
        *_pair_columns(c),
        ColumnSpec("z", "z", lambda p: fixed(p.z, 2), lambda p: p.z),
        ColumnSpec("p", "p", lambda p: _p(p.p_value, c), lambda p: p.p_value),
        ColumnSpec(
            "p_adjusted", "Adjusted p", lambda p: _p(p.p_adjusted, c), lambda p: p.p_adjusted,
            shown=tests > 1,
        ),
        _text("settled", "Settled", lambda p: SETTLED.get(p.settled, DASH)),
    ]  # fmt: skip
    adjusted = f"Adjusted p: Holm over {counted(tests, 'pair')}. " if tests > 1 else ""
    notes = [
        points_note(c, {p.eval for p in c.pairs}),
        "As if the models had answered different questions: equations 5 and 6 of Miller 2024, from "
        "the printed means and errors alone.",
        f"{adjusted}Settled: {'the adjusted p' if adjusted else 'p'} is below {1.0 - c.level:.4g} "
        "whatever the means and errors were before they were rounded or cut off"
        f"{f'; {DASH}: not where they do not fit together' * bool(c.doubted('inconsistent'))}.",
    ]
    if any(p.se != p.se for p in c.pairs):
        notes.append(f"{DASH}: no standard error is printed, and none follows.")
    notes += reservations(c, c.pairs)
    shown = c.pairs if any(p.se == p.se for p in c.pairs) else ()  # else it would be dashes
    title = "What follows from each pair of printed means."
    return _made(c, "checked-pairs", title, specs, shown, notes)


def checked_paired(c: CheckedTable) -> Table:
    """Each pair: what an analysis of the same questions could show."""
    low, high = (f"r = {r:g}" for r in c.correlations)
    units = eval_units(c)

    def interval(p: CheckedPair, se: float) -> str:
        half = z_quantile(c.level) * se
        low, high = (in_units(c, p.eval, p.difference + sign * half) for sign in (-1.0, 1.0))
        return units(p.eval, 0).interval(low, high, sign=True)

    level = percent_of(c.level)
    specs = [
        *_names(),
        ColumnSpec(
            "difference", "Difference",
            lambda p: units(p.eval, 0).number(in_units(c, p.eval, p.difference), sign=True),
            lambda p: p.difference, mark=pair_mark(c),
        ),
        ColumnSpec("ci_low", f"{level} CI", lambda p: interval(p, p.se_paired_low),
                   lambda p: p.se_paired_low, group=low,
                   fields={f"{low}: SE": lambda p: p.se_paired_low}),
        ColumnSpec("low", "p", lambda p: _p(p.p_paired_low, c), lambda p: p.p_paired_low,
                   group=low),
        ColumnSpec("ci_high", f"{level} CI", lambda p: interval(p, p.se_paired_high),
                   lambda p: p.se_paired_high, group=high,
                   fields={f"{high}: SE": lambda p: p.se_paired_high}),
        ColumnSpec("high", "p", lambda p: _p(p.p_paired_high, c), lambda p: p.p_paired_high,
                   group=high),
        ColumnSpec("needed", "Needs r", _needed, lambda p: p.correlation_enough),
    ]  # fmt: skip
    known = [p for p in c.pairs if p.se == p.se]
    notes = [
        points_note(c, {p.eval for p in known}),
        "If the scores of the two models on the same questions correlate by r; means and errors do "
        "not tell r. p is not adjusted.",
        f"Needs r: the correlation above which p is below {1.0 - c.level:.4g} whatever the means "
        "and errors were before they were rounded or cut off.",
        f"{DASH}: no correlation up to 1 is sure to do." * any(_needed(p) == DASH for p in known),
        *reservations(c, known),
    ]
    return _made(c, "checked-paired", "What a paired analysis could show.", specs, known, notes)


def _pair_columns(c: CheckedTable) -> list[ColumnSpec]:
    """Eval, both models, their difference with its error and interval."""
    units = eval_units(c)

    def difference(p: CheckedPair) -> str:
        text = units(p.eval, 0).number(in_units(c, p.eval, p.difference), sign=True)
        if p.se != p.se:
            return text
        error = units(p.eval, 1).of_differences.error(in_units(c, p.eval, p.se))
        return f"{text} ({error})"

    def interval(p: CheckedPair) -> str:
        low, high = (in_units(c, p.eval, x) for x in (p.ci_low, p.ci_high))
        return units(p.eval, 0).interval(low, high, sign=True)

    return [
        *_names(),
        ColumnSpec(
            "difference", "Difference (SE)", difference, lambda p: p.difference, mark=pair_mark(c),
            fields={"Difference": lambda p: p.difference, "SE": lambda p: p.se},
        ),
        ColumnSpec(
            "ci", f"{percent_of(c.level)} CI", interval, lambda p: p.ci_low,
            fields={"CI low": lambda p: p.ci_low, "CI high": lambda p: p.ci_high},
        ),
    ]  # fmt: skip


def _names() -> list[ColumnSpec]:
    return [
        _text("eval", "Eval", lambda p: p.eval),
        _text("model", "Model", lambda p: p.model, same=lambda name: f"model {name}"),
        _text("baseline", "Baseline", lambda p: p.baseline, same=lambda name: f"baseline {name}"),
    ]


def checked_counts(c: CheckedTable) -> Table:
    """Exact tests of the pairs whose numbers of right answers are known."""
    units = eval_units(c)
    pairs = [p for p in c.pairs if p.fisher_p == p.fisher_p]

    def interval(p: CheckedPair) -> str:
        a, b = (in_units(c, p.eval, x) for x in (p.newcombe_low, p.newcombe_high))
        return units(p.eval, 0).interval(a, b, sign=True)

    specs = [
        *_names(),
        ColumnSpec("newcombe", f"{percent_of(c.level)} CI,\nNewcombe", interval,
                   lambda p: p.newcombe_low, mark=pair_mark(c, OF_COUNTS)),
        ColumnSpec("pooled", "p, pooled z", lambda p: _p(p.pooled_p, c), lambda p: p.pooled_p),
        ColumnSpec("fisher", "p, Fisher", lambda p: _p(p.fisher_p, c), lambda p: p.fisher_p),
        ColumnSpec("odds", f"Odds ratio [{percent_of(c.level)} CI]", _odds,
                   lambda p: p.odds_ratio),
    ]  # fmt: skip
    notes = [
        points_note(c, {p.eval for p in pairs}),
        "If each question has one right-or-wrong answer, questions are independent and the models "
        "answered different ones. p is not adjusted.",
        *pair_notes(c, pairs, OF_COUNTS),
    ]
    return _made(c, "checked-counts", "Tests of the right answers.", specs, pairs, notes)


def checked_differences(c: CheckedTable) -> Table:
    """The differences that the table prints, by their own errors."""

    def units(d: CheckedDifference, more: int = 0) -> Units:
        return Units(d.percent, d.digits + more)

    def share(d: CheckedDifference, x: float) -> float:
        return x / 100.0 if d.percent else x

    def difference(d: CheckedDifference) -> str:
        value = units(d).number(share(d, d.difference), sign=True)
        error = units(d, d.se_digits - d.digits).of_differences.error(share(d, d.se))
        return f"{value} ({error})"

    def interval(d: CheckedDifference) -> str:
        return units(d).interval(share(d, d.ci_low), share(d, d.ci_high), sign=True)

    specs = [
        *_names(),
        ColumnSpec(
            "difference", "Difference (SE)", difference, lambda d: d.difference,
            fields={"Difference": lambda d: d.difference, "SE": lambda d: d.se},
        ),
        ColumnSpec(
            "ci", f"{percent_of(c.level)} CI", interval, lambda d: d.ci_low,
            fields={"CI low": lambda d: d.ci_low, "CI high": lambda d: d.ci_high},
        ),
        ColumnSpec("z", "z", lambda d: fixed(d.z, 2), lambda d: d.z),
        ColumnSpec("p", "p", lambda d: _p(d.p_value, c), lambda d: d.p_value),
        _text("settled", "Settled", lambda d: SETTLED.get(d.settled, DASH)),
    ]  # fmt: skip
    left = c.with_errors - len(c.differences)
    does = "does" if left == 1 else "do"
    notes = [
        points_of({d.percent for d in c.differences}),
        "From each printed difference and its own error, or its interval, by the normal law. p is "
        "not adjusted. Settled: p is below "
        f"{1.0 - c.level:.4g} whatever the two were before they were rounded or cut off.",
        (
            f"Left out: {counted(left, 'difference')} that {does} not fit with other printed "
            "numbers, or of which nothing tells the sign."
        )
        * (left > 0),
    ]
    title = "What the printed differences say by their own errors."
    return _made(c, "checked-differences", title, specs, c.differences, notes)


TABLES: Mapping[str, Callable[[CheckedTable], Table]] = {
    "checked-means": checked_means,
    "checked-pairs": checked_pairs,
    "checked-paired": checked_paired,
    "checked-differences": checked_differences,
    "checked-counts": checked_counts,
}


def make_checked(c: CheckedTable, kind: str) -> Table:
    """A table of a checked table by its name; UnknownNameError where there is no such table."""
    if kind not in TABLES:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, TABLES)}")
    return TABLES[kind](c)


def _text(
    key: str, head: str, text: Callable[[Any], str], same: Callable[[str], str] | None = None
) -> ColumnSpec:
    return ColumnSpec(key, head, text, align="l", same=same)


def _p(p: float, c: CheckedTable) -> str:
    return format_p_value(p, level=c.level)


def _needed(p: CheckedPair) -> str:
    """Rounded up: p is not yet below above a smaller one."""
    r = p.correlation_enough
    if r != r:
        return DASH
    return "any" if r <= -1.0 else fixed(ceil(100.0 * r - 1e-9) / 100.0, 2)


def _odds(p: CheckedPair) -> str:
    ends = ", ".join(
        "∞" if x == float("inf") else plain_number(x) for x in (p.odds_low, p.odds_high)
    )
    value = "∞" if p.odds_ratio == float("inf") else plain_number(p.odds_ratio)
    return f"{value} [{ends}]"


def _made(
    c: CheckedTable,
    name: str,
    title: str,
    specs: Sequence[ColumnSpec],
    records: Sequence[Any],
    notes: Sequence[str],
) -> Table:
    if records:
        title += f" {scale_and_size(c, {r.eval for r in records})}."
    shown = [spec for spec in specs if spec.shown]
    table = filled(
        name, title, [s.column for s in shown], [[s.cell(r) for s in shown] for r in records]
    )
    table = replace(
        table,
        notes=tuple(Note(text) for text in notes if text),
        data=tuple(asdict(r) for r in records),
    )
    return said_once(table, shown, "Each row", table.cells)
