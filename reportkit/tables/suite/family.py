"""What several evals say together: every difference in one family, the mean of a model's
differences over evals, and the ranks.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from reportkit.analysis.best import EVERY_PAIR
from reportkit.results import EvalResult, RankResult, SuiteResult
from reportkit.suites import OverallResult, SuiteDifference
from reportkit.tables.captions import (
    caption_of,
    common_of,
    evals_of,
    intervals_of,
    metrics_of,
    of_column,
    sentence,
)
from reportkit.tables.cells import (
    Style,
    estimate_cell,
    estimate_fields,
    estimate_head,
    estimate_words,
)
from reportkit.tables.columns import estimate_column, interval_column, questions_column
from reportkit.tables.draft import ColumnSpec, category_sections, filled, said_once
from reportkit.tables.notes import (
    ALLOWED_TOO,
    FICTIONAL,
    UNADJUSTED,
    Note,
    difference_notes,
    joined_notes,
    no_pair,
    undefined_note,
    without_metric,
)
from reportkit.tables.suite.same import independent
from reportkit.tables.table import Table
from reportkit.text.numbers import (
    bare,
    count,
    counted,
    format_p_value,
    joined,
    noun_of,
    percent_of,
    units_of,
)

Specs = Sequence[ColumnSpec]


def pooled_evals(s: SuiteResult) -> list[EvalResult]:
    """The evals that are averaged."""
    return [r for r in s.evals if r.eval in s.weights]


def finest(s: SuiteResult) -> EvalResult:
    """The averaged eval whose decimals those of averages are."""
    return max(pooled_evals(s), key=lambda r: units_of(r).digits, default=s.evals[0])


def suite_differences(s: SuiteResult, style: Style) -> Table:
    """Every comparison of every eval, p adjusted over all of them."""
    of = {r.eval: r for r in s.evals}
    first = s.evals[0]
    head = f"{percent_of(s.level)} CI"
    fields = estimate_fields("Difference", first, style)

    def units(d: SuiteDifference) -> Any:
        return style.signed_units(of[d.eval])

    specs = [
        ColumnSpec("eval", "Eval", lambda d: d.eval, align="l"),
        ColumnSpec("model", "Model", lambda d: d.model, align="l"),
        ColumnSpec("baseline", "Baseline", lambda d: d.baseline, align="l"),
        ColumnSpec(
            "difference",
            estimate_head("Difference", first, style),
            lambda d: estimate_cell(d, of[d.eval], style),
            lambda d: d.difference,
            fields=fields,
        ),
        ColumnSpec(
            "ci",
            head,
            lambda d: units(d).interval(d.ci_low, d.ci_high, sign=True),
            lambda d: d.ci_low,
            shown=style.theme != "ci",
            fields={f"{head} low": lambda d: d.ci_low, f"{head} high": lambda d: d.ci_high},
        ),
        *_p_specs(s.level),
        questions_column(),
    ]
    notes = [fictional_of(s)]
    if s.n_tests > 1:
        text = (
            f"Adjusted p: Holm over the {counted(s.n_tests, 'comparison')} of this table, so that "
            f"with {percent_of(s.level)} confidence none below {1.0 - s.level:.4g} is a false "
            "finding."
        )
        notes += [Note(text, "adjusted", about="p_adjusted"), UNADJUSTED]
    notes += not_averaged({e: found.reason for e, found in s.shared.items()}, "Not compared here")
    shown = [r for r in s.evals if any(d.eval == r.eval for d in s.differences)]
    notes += _without_comparison(s, shown)
    notes += joined_notes(shown, [without_metric(difference_notes(r, style)) for r in shown])
    notes.append(undefined_note(any(math.isnan(d.ci_low) for d in s.differences)))
    about = sentence(
        "Model minus baseline",
        of_column(intervals_of(s.differences, s.level), style.theme),
        metrics_of(shown),
        f"{common_of(s.differences)} in each eval" if s.differences else "",
    )
    words = estimate_words("paired differences", first, style)
    title = caption_of(f"{words[0].upper()}{words[1:]} on {counted(len(shown), 'eval')}.", about)
    table = suite_table("suite-differences", title, specs, s.differences)
    evals = [d.eval for d in s.differences]
    starts = [evals.index(r.eval) for r in shown]
    sections = category_sections(shown, starts, len(evals))
    return replace(table, notes=tuple(n for n in notes if n), sections=sections)


def _without_comparison(s: SuiteResult, shown: Sequence[EvalResult]) -> list[Note]:
    """Which evals have no row in a table of differences, and why."""
    if not s.differences:  # a report has no such table
        text = (
            f"Without a baseline, {len(s.models)} models are compared over all evals together, not "
            "on each; name a baseline."
        )
        with_best = not s.baseline and len(s.models) > EVERY_PAIR
        return [Note(text, "empty") if with_best else no_pair(s)]
    why = {}
    for r in s.counted:
        if r not in shown:
            lacks = s.baseline and s.baseline not in r.models
            why[r.eval] = "no question that both models answered"
            if lacks or len(r.models) == 1:
                why[r.eval] = f"{s.baseline if lacks else 'a second model'} was not run on it"
    return not_averaged(why, "Not compared")


def suite_overall(s: SuiteResult, style: Style) -> Table:
    """The mean of each comparison's differences over the evals that both models have. Comparisons
    that are not made stand in a note; the CSV has them.
    """
    r = finest(s)
    baselines = {d.baseline for d in s.overall}
    specs = [
        ColumnSpec("model", "Model", lambda d: d.model, align="l"),
        ColumnSpec(
            "baseline",
            "Baseline",
            lambda d: d.baseline,
            align="l",
            same=lambda name: "",  # the caption names it
        ),
        estimate_column("difference", "Difference", r, style),
        interval_column(
            f"{percent_of(s.level)} CI", style.signed_units(r), sign=True, shown=style.theme != "ci"
        ),
        *_p_specs(s.level),
        ColumnSpec(
            "evals",
            "Evals",
            lambda d: count(d.n_evals),
            lambda d: d.n_evals,
            same=evals_told(s),
        ),
        ColumnSpec(
            "questions",
            "Questions",
            lambda d: count(d.n_questions),
            lambda d: d.n_questions,
            same=lambda text: noun_of(text, "question"),
        ),
    ]
    notes = [*overall_notes(s), *difference_notes(r, style)[1:]]  # the first is of one metric
    notes = notes if s.overall else [no_pair(s)]
    of = min(baselines) if len(baselines) == 1 else "baseline"
    if s.leader:
        of += f", the {r.top} average"
    about = sentence(
        f"Model minus {of}",
        of_column(f"{percent_of(s.level)} intervals: Student's t", style.theme),
        metrics_of(pooled_evals(s)),
    )
    made = [d for d in s.overall if not d.reason]
    what = over(estimate_words("mean differences", r, style), s, [d.n_evals for d in made])
    table = suite_table("suite-overall", caption_of(what, about), specs, made)
    table = replace(table, notes=tuple(notes), data=tuple(asdict(d) for d in s.overall))
    return said_once(table, specs, "Each comparison", table.cells)


def evals_told(s: SuiteResult) -> Callable[[str], str]:
    """What a note says where every row is of so many evals; nothing of the caption's number."""
    caption = count(len(pooled_evals(s) or s.evals))
    return lambda text: "" if text == caption else noun_of(text, "eval")


def overall_notes(s: SuiteResult) -> list[Note]:
    """What the mean difference is, how it is tested and adjusted, and what it leaves out."""
    which = f"{weighted(s)}mean, over the evals that both models have, of model minus baseline"
    notes = [
        fictional_of(s),
        Note(f"Difference: the {which}."),
        Note(
            "SE: the root of the sum of the evals' squared SEs, times their squared weights; "
            f"{independent(s)}. p: Student's t with Welch-Satterthwaite degrees of freedom."
        ),
    ]
    if flat := joined(_without_variance(s), "and"):
        zero = f"On {flat} a difference has an SE of 0, which says nothing of its error"
        text = f"{zero}: the larger half of its interval over the quantile of t takes its place."
        notes.append(Note(text, "flat"))
    tests = sum(d.p_value == d.p_value for d in s.overall)
    if s.leader:
        allowed = max((d.ci_comparisons for d in s.overall), default=1)
        text = (
            "Baseline: the best average, which the data chose. Adjusted p allows for that choice: "
            f"Bonferroni over {counted(allowed, 'comparison')}."
        )
        notes += [Note(text, "adjusted", about="p_adjusted"), ALLOWED_TOO]
    elif tests > 1:
        text = f"Adjusted p: Holm over {counted(tests, 'comparison')}."
        notes += [Note(text, "adjusted", about="p_adjusted"), UNADJUSTED]
    notes += apart_notes(s)
    notes += [Note(text, "refused") for text in not_compared(s)]
    return kept(notes)


def _without_variance(s: SuiteResult) -> list[str]:
    """The averaged evals on which a difference that is averaged has an SE of 0."""
    tested = [{d.model, d.baseline} for d in s.overall if d.p_value == d.p_value]
    return [
        r.eval
        for r in pooled_evals(s)
        if any(d.se == 0.0 and {d.model, d.baseline} in tested for d in r.pairs)
    ]


def flat_note(s: SuiteResult) -> Note:
    """Where the SE of an average leaves out an eval that has the same score everywhere."""
    averaged = {a.model for a in s.averages if a.se == a.se}
    flat = [
        r.eval for r in pooled_evals(s) if any(m.se == 0.0 and m.model in averaged for m in r.means)
    ]
    if not flat:
        return Note("")
    zero = f"On {joined(flat, 'and')} a model has an SE of 0, which says nothing of its error"
    text = f"{zero}: the SE of its average is too small."
    return Note(text, "flat", about="average")


def untold_average(s: SuiteResult) -> list[str]:
    """The models with an average that no test finds worse, and of which too little is known to say
    that they may have the best one.
    """
    return [x.model for x in s.ranks if x.rank == x.rank and math.isnan(x.low)]


def not_compared(s: SuiteResult) -> list[str]:
    """A sentence for each reason why comparisons over the evals are not made."""
    why: dict[str, list[OverallResult]] = {}
    for d in s.overall:
        if d.reason:
            why.setdefault(d.reason, []).append(d)
    return [
        f"Not compared: {own[0].model} and {own[0].baseline}"
        + (f", and {counted(len(own) - 1, 'further pair')}" if own[1:] else "")
        + f": {reason}."
        for reason, own in why.items()
    ]


def apart_notes(s: SuiteResult) -> list[Note]:
    """Which evals are in no average, and why."""
    return not_averaged(s.apart)


def not_averaged(apart: Mapping[str, str], what: str = "Not averaged") -> list[Note]:
    """A sentence for each reason why evals are left out of something. apart: eval -> reason."""
    why: dict[str, list[str]] = {}
    for name, reason in apart.items():
        why.setdefault(reason, []).append(name)
    said = {r: re.sub("^its? ", "each ", r) if n[1:] else r for r, n in why.items()}
    return [Note(f"{what}: {', '.join(names)} ({said[r]}).") for r, names in why.items()]


def weighted(s: SuiteResult) -> str:
    """How the evals weigh in a mean, before the word mean.

    Empty where they weigh the same.
    """
    return "weighted " if len(set(s.weights.values())) > 1 else ""


def weight_note(s: SuiteResult) -> Note:
    """The weights of an average."""
    if not weighted(s):
        return Note("Every eval weighs the same, whatever its number of questions.")
    total = math.fsum(s.weights.values())
    told = (f"{name} {bare(round(w / total, 4))}" for name, w in s.weights.items())
    return Note(f"Weights: {', '.join(told)}.")


def _p_specs(level: float) -> list[ColumnSpec]:
    return [
        ColumnSpec(
            "p_value", "p", lambda d: format_p_value(d.p_value, level=level), lambda d: d.p_value
        ),
        ColumnSpec(
            "p_adjusted",
            "Adjusted p",
            lambda d: format_p_value(d.p_adjusted, level=level),
            lambda d: d.p_adjusted,
        ),
    ]


def over(what: str, s: SuiteResult, each: Sequence[int] = ()) -> str:
    return f"{what[0].upper()}{what[1:]} over {evals_of(len(pooled_evals(s) or s.evals), each)}."


def suite_table(
    name: str,
    title: str,
    specs: Specs,
    records: Sequence[SuiteDifference | OverallResult | RankResult],
) -> Table:
    shown = [spec for spec in specs if spec.shown]
    rows = [[spec.cell(x) for spec in shown] for x in records]
    table = filled(name, title, [spec.column for spec in shown], rows)
    return replace(table, data=tuple(asdict(x) for x in records))


def fictional_of(s: SuiteResult) -> Note:
    return FICTIONAL if s.fictional else Note("")


def kept(notes: Sequence[Note]) -> list[Note]:
    return [note for note in notes if note]
