"""The tables of a checked table: its means as they were read, what each pair allows to conclude,
exact tests of counts.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.published import CheckedMean, CheckedPair, CheckedTable, Scale
from reportkit.tables.draft import ColumnSpec, filled
from reportkit.tables.table import Table
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    fixed,
    format_p_value,
    percent_of,
    plain_number,
)

FROM = {
    "printed": "printed",
    "interval": "its interval",
    "largest": "the largest possible",
    "none": DASH,
}
SETTLED = {
    "yes": "yes",
    "no": "no",
    "rounding": "depends on rounding",
    "unknown": DASH,
}


def eval_units(c: CheckedTable) -> Callable[[str, int], Units]:
    """How the numbers of an eval are printed: with the digits of its own means, and more of them
    where that is asked for.
    """
    digits: dict[str, int] = {}
    for m in c.table.means:
        if m.mean is not None:
            own = max(0, len(f"{m.mean.step:.12f}".rstrip("0").partition(".")[2]))
            digits[m.eval] = max(digits.get(m.eval, 0), own)
    scales = c.scales

    def units(name: str, more: int = 0) -> Units:
        return Units(scales.get(name, Scale()).percent, digits.get(name, 1) + more)

    return units


def in_units(c: CheckedTable, name: str, x: float) -> float:
    """A number of the table as Units print it: of percentages the share."""
    return x / 100.0 if c.scales.get(name, Scale()).percent else x


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
        return f"{value} ({units(m.eval, m.se_from != 'printed').error(in_units(c, m.eval, m.se))})"

    counted = any(m.counts for m in c.means)
    level = percent_of(c.level)
    specs = [
        _text("eval", "Eval", lambda m: m.eval),
        _text("model", "Model", lambda m: m.model),
        ColumnSpec("n", "Questions", lambda m: count(m.n), lambda m: m.n),
        ColumnSpec(
            "mean", "Mean (SE)", mean, lambda m: m.mean,
            fields={"Mean": lambda m: m.mean, "SE": lambda m: m.se},
        ),
        _text("se_from", "SE from", lambda m: FROM[m.se_from]),
        ColumnSpec(
            "counts", "Right", lambda m: count(float(m.counts)) if m.counts else DASH,
            lambda m: float(m.counts or "nan"), shown=counted,
        ),
        ColumnSpec(
            "ci", f"{level} CI,\nWilson", lambda m: ends(m, "ci_low", "ci_high"),
            lambda m: m.ci_low, shown=counted,
        ),
        ColumnSpec(
            "exact", f"{level} CI,\nexact", lambda m: ends(m, "exact_low", "exact_high"),
            lambda m: m.exact_low, shown=counted,
        ),
    ]  # fmt: skip
    notes = []
    if any(m.se_from == "largest" for m in c.means):
        notes.append(
            "The largest possible SE: none is printed; no independent scores of this scale have a "
            "larger one, and one right-or-wrong answer to each question has it."
        )
    if counted:
        notes.append(
            "Right: the only number of right answers that rounds to the mean, if each question has "
            "one right-or-wrong answer. The intervals rest on it, and on independent questions."
        )
    return _made("checked-means", "The means as they were read.", specs, c.means, notes)


def checked_pairs(c: CheckedTable) -> Table:
    """Each pair: what follows for different questions, and what a paired analysis could show."""
    units = eval_units(c)
    low, high = (f"{r:g}" for r in c.correlations)
    level = percent_of(c.level)

    def difference(p: CheckedPair) -> str:
        u = units(p.eval, 0)
        text = u.number(in_units(c, p.eval, p.difference), sign=True)
        if p.se != p.se:
            return text
        return f"{text} ({units(p.eval, 1).error(in_units(c, p.eval, p.se))})"

    def interval(p: CheckedPair) -> str:
        a, b = (in_units(c, p.eval, x) for x in (p.ci_low, p.ci_high))
        return units(p.eval, 0).interval(a, b, sign=True)

    paired = "Paired: p if r is"
    specs = [
        _text("eval", "Eval", lambda p: p.eval),
        _text("model", "Model", lambda p: p.model),
        _text("baseline", "Baseline", lambda p: p.baseline),
        ColumnSpec(
            "difference", "Difference (SE)", difference, lambda p: p.difference,
            fields={"Difference": lambda p: p.difference, "SE": lambda p: p.se},
        ),
        ColumnSpec(
            "ci", f"{level} CI", interval, lambda p: p.ci_low,
            fields={"CI low": lambda p: p.ci_low, "CI high": lambda p: p.ci_high},
        ),
        ColumnSpec("z", "z", lambda p: fixed(p.z, 2), lambda p: p.z),
        ColumnSpec("p", "p", lambda p: _p(p.p_value, c), lambda p: p.p_value),
        ColumnSpec(
            "p_adjusted", "Adjusted p", lambda p: _p(p.p_adjusted, c), lambda p: p.p_adjusted,
            shown=len(c.pairs) > 1,
        ),
        _text("settled", "Settled", lambda p: SETTLED[p.settled]),
        ColumnSpec(
            "low", low, lambda p: _p(p.p_paired_low, c), lambda p: p.p_paired_low, group=paired,
        ),
        ColumnSpec(
            "high", high, lambda p: _p(p.p_paired_high, c), lambda p: p.p_paired_high, group=paired,
        ),
        ColumnSpec(
            "needed", "p < α\nfrom r =".replace("α", f"{1.0 - c.level:.4g}"), _needed,
            lambda p: p.correlation_needed,
        ),
    ]  # fmt: skip
    adjusted = f"Adjusted p: Holm over {len(c.pairs)} pairs. " if len(c.pairs) > 1 else ""
    settled = "the adjusted p" if adjusted else "p"
    notes = [
        "Difference, interval, z and p: as if the models had answered different questions "
        "(equations 5 and 6 of Miller 2024), from the printed means and errors alone.",
        f"{adjusted}Settled: {settled} is below {1.0 - c.level:.4g} whatever the means and errors "
        "were before they were rounded or cut off.",
        "Paired: p of an analysis of the same questions, if the scores of the two models correlate "
        f"by {low} or by {high}; not adjusted. Means and errors do not tell the correlation.",
    ]
    if not c.pairs:
        notes = ["No eval has two models: there is nothing to compare."]
    title = "What each pair of printed means allows to conclude."
    return _made("checked-pairs", title, specs, c.pairs, notes)


def checked_counts(c: CheckedTable) -> Table:
    """Exact tests of the pairs whose numbers of right answers are known."""
    units = eval_units(c)
    pairs = [p for p in c.pairs if p.fisher_p == p.fisher_p]

    def interval(p: CheckedPair) -> str:
        a, b = (in_units(c, p.eval, x) for x in (p.newcombe_low, p.newcombe_high))
        return units(p.eval, 0).interval(a, b, sign=True)

    specs = [
        _text("eval", "Eval", lambda p: p.eval),
        _text("model", "Model", lambda p: p.model),
        _text("baseline", "Baseline", lambda p: p.baseline),
        ColumnSpec("newcombe", f"{percent_of(c.level)} CI,\nNewcombe", interval,
                   lambda p: p.newcombe_low),
        ColumnSpec("pooled", "p, pooled z", lambda p: _p(p.pooled_p, c), lambda p: p.pooled_p),
        ColumnSpec("fisher", "p, Fisher", lambda p: _p(p.fisher_p, c), lambda p: p.fisher_p),
        ColumnSpec("odds", f"Odds ratio [{percent_of(c.level)} CI]", _odds,
                   lambda p: p.odds_ratio),
    ]  # fmt: skip
    notes = [
        "If each question has one right-or-wrong answer, questions are independent and the models "
        "answered different ones. p is not adjusted.",
    ]
    return _made("checked-counts", "Tests of the right answers.", specs, pairs, notes)


TABLES: Mapping[str, Callable[[CheckedTable], Table]] = {
    "checked-means": checked_means,
    "checked-pairs": checked_pairs,
    "checked-counts": checked_counts,
}


def make_checked(c: CheckedTable, kind: str) -> Table:
    """A table of a checked table by its name; UnknownNameError where there is no such table."""
    if kind not in TABLES:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, TABLES)}")
    return TABLES[kind](c)


def _text(key: str, head: str, text: Callable[[Any], str]) -> ColumnSpec:
    return ColumnSpec(key, head, text, align="l")


def _p(p: float, c: CheckedTable) -> str:
    return format_p_value(p, level=c.level)


def _needed(p: CheckedPair) -> str:
    if p.correlation_needed != p.correlation_needed:
        return DASH
    return "any" if p.correlation_needed <= 0.0 else fixed(p.correlation_needed, 2)


def _odds(p: CheckedPair) -> str:
    ends = ", ".join(
        "∞" if x == float("inf") else plain_number(x) for x in (p.odds_low, p.odds_high)
    )
    value = "∞" if p.odds_ratio == float("inf") else plain_number(p.odds_ratio)
    return f"{value} [{ends}]"


def _made(
    name: str, title: str, specs: Sequence[ColumnSpec], records: Sequence[Any], notes: Sequence[str]
) -> Table:
    shown = [spec for spec in specs if spec.shown]
    table = filled(
        name, title, [s.column for s in shown], [[s.cell(r) for s in shown] for r in records]
    )
    return replace(table, notes=tuple(notes), data=tuple(asdict(r) for r in records))
