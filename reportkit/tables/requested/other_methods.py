"""The table of paired differences by other methods than the report's."""

import math
from collections.abc import Callable, Sequence

from reportkit.analysis.requested.other_methods import RANKED
from reportkit.requested import OtherMethodsResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style
from reportkit.tables.columns import difference_column, interval_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, difference_notes, undefined_notes
from reportkit.text.numbers import Units, counted, fixed, format_p_value, percent_of

ALL = "All answers"


def other_methods(r: EvalResult, style: Style) -> Draft:
    """Each comparison by the report's method, then by others."""
    rows: tuple[OtherMethodsResult, ...] = r.requested["other-methods"]  # type: ignore[assignment]
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    ranked = _any(rows, "w_plus")
    specs = [
        ColumnSpec("model", "Model", lambda d: d.model, align="l"),
        ColumnSpec("baseline", "Baseline", lambda d: d.baseline, align="l"),
        difference_column(units),
        interval_column(interval, units, sign=True),
        _p_spec("p_value", "p", r, lambda d: d.p_value),
        _p_spec("p_bh", "BH p", r, lambda d: d.p_bh),
        _p_spec("p_exact", "Exact p", r, lambda d: d.p_exact, shown=_any(rows, "p_exact")),
        _p_spec("p_mid", "Mid-p", r, lambda d: d.p_mid, shown=_any(rows, "p_mid")),
        ColumnSpec("w_plus", "W+", lambda d: fixed(d.w_plus, 1), lambda d: d.w_plus, shown=ranked),
        _p_spec("p_signed_ranks", "Signed-rank p", r, lambda d: d.p_signed_ranks, shown=ranked),
        ColumnSpec(
            "newcombe",
            f"Newcombe's {interval}",
            lambda d: units.interval(d.newcombe_low, d.newcombe_high, sign=True),
            lambda d: d.newcombe_low,
            shown=_any(rows, "newcombe_low"),
            fields={
                f"Newcombe's {interval} low": lambda d: d.newcombe_low,
                f"Newcombe's {interval} high": lambda d: d.newcombe_high,
            },
        ),
        ColumnSpec(
            "correlation",
            "Correlation",
            lambda d: fixed(d.correlation, 2),
            lambda d: d.correlation,
            shown=r.clustered,
        ),
        ColumnSpec(
            "correlation_clusters",
            "Of clusters",
            lambda d: fixed(d.correlation_clusters, 2),
            lambda d: d.correlation_clusters,
            shown=r.clustered,
        ),
        *_available_specs(r, units, interval, _any(rows, "available")),
    ]
    notes = [*_notes(r, rows), *difference_notes(r, style), *_dashes(r, rows)]
    title = "paired differences by other methods."
    return Draft("other-methods", title, r, specs, rows, notes, rows)


def _any(rows: Sequence[OtherMethodsResult], name: str) -> bool:
    return any(not math.isnan(getattr(d, name)) for d in rows)


def _p_spec(
    key: str,
    head: str,
    r: EvalResult,
    read: Callable[[OtherMethodsResult], float],
    shown: bool = True,
) -> ColumnSpec:
    return ColumnSpec(
        key, head, lambda d: format_p_value(read(d), level=r.level), read, shown=shown
    )


def _available_specs(r: EvalResult, units: Units, interval: str, shown: bool) -> list[ColumnSpec]:
    """The difference of all answers, with its error, interval and p."""
    return [
        ColumnSpec(
            "available",
            "Difference (SE)",
            lambda d: units.with_error(d.available, d.available_se, sign=True),
            lambda d: d.available,
            group=ALL,
            shown=shown,
            fields={
                f"{ALL}: difference": lambda d: d.available,
                f"{ALL}: SE": lambda d: d.available_se,
            },
        ),
        ColumnSpec(
            "available_ci",
            interval,
            lambda d: units.interval(d.available_low, d.available_high, sign=True),
            lambda d: d.available_low,
            group=ALL,
            shown=shown,
            fields={
                f"{ALL}: {interval} low": lambda d: d.available_low,
                f"{ALL}: {interval} high": lambda d: d.available_high,
            },
        ),
        ColumnSpec(
            "available_p",
            "p",
            lambda d: format_p_value(d.available_p, level=r.level),
            lambda d: d.available_p,
            group=ALL,
            shown=shown,
        ),
    ]


def _notes(r: EvalResult, rows: Sequence[OtherMethodsResult]) -> list[Note]:
    tests = sum(not math.isnan(d.p_value) for d in rows)
    notes = [
        Note("Model minus baseline, on common questions.", "pairing"),
        Note(
            f"BH p: Benjamini & Hochberg over {counted(tests, 'comparison')}. Of those below a "
            "share q, on average at most q are false findings: for screening.",
            about="p_bh",
            counts=True,
        ),
    ]
    if _any(rows, "p_exact"):
        notes += [
            Note("Exact p and mid-p: McNemar's.", about="p_exact"),
            Note(
                "Newcombe's interval: Newcombe 1998, method 10; it is no dual of a p here.",
                about="newcombe",
            ),
        ]
    if _any(rows, "w_plus"):
        text = (
            "Signed-rank p: Wilcoxon's, exact, also with ties; W+: the sum of the ranks of the "
            "differences above 0. It tests that differences lie alike on both sides of 0, not "
            "that their mean is 0."
        )
        notes.append(Note(text, about="p_signed_ranks"))
    if r.clustered:
        text = (
            "Correlation: Pearson's, over questions. Of clusters: the one with which SE² of the "
            "difference is the sum of the models' SE² less twice it times their product."
        )
        notes.append(Note(text, about="correlation_clusters"))
    if _any(rows, "available"):
        text = (
            f"{ALL}: each model's mean over all its own answers. It holds only where answers are "
            "missing at random: a model that lacks the hard questions gains by it."
        )
        notes.append(Note(text, about="available"))
    return notes


def _dashes(r: EvalResult, rows: Sequence[OtherMethodsResult]) -> list[Note]:
    """What a dash stands for, where there is one."""
    shown = ["se", "ci_low"]
    shown += [name for name in ("p_exact",) if _any(rows, name)]
    shown += ["correlation_clusters"] if r.clustered else []
    reasons = []
    if any(math.isnan(getattr(d, name)) for d in rows for name in shown):
        reasons.append("not estimable, as scores or clusters do not vary, or there are too few")
    if _any(rows, "w_plus") and any(math.isnan(d.w_plus) for d in rows):
        reasons.append(f"more than {RANKED} questions differ, which are too many to count signs")
    if _any(rows, "available") and any(math.isnan(d.available) for d in rows):
        reasons.append("no answer is missing")
    return undefined_notes(reasons)
