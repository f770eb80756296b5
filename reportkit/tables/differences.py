"""Paired differences and correlations between models: Table 5 of Miller 2024."""

import math
from collections.abc import Sequence
from dataclasses import replace

from reportkit.analysis.best import better_one_sided
from reportkit.analysis.exact import FEW
from reportkit.results import DifferenceResult, EvalResult
from reportkit.tables.captions import (
    common_in_clusters,
    intervals_of,
    metric_of,
    of_column,
    sentence,
)
from reportkit.tables.cells import (
    Style,
    estimate_words,
)
from reportkit.tables.columns import estimate_column, interval_column
from reportkit.tables.data_notes import apart_notes, data_notes, settings_notes
from reportkit.tables.detectable import meant_notes, no_mde_notes, reasons_of
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import (
    ALLOWED_TOO,
    FILES,
    UNADJUSTED,
    Note,
    difference_notes,
    first_few,
    in_points,
    no_pair,
    undefined_note,
)
from reportkit.text.numbers import (
    DASH,
    Units,
    count,
    counted,
    fixed,
    format_p_value,
    noun_of,
    percent_of,
)

EXACT_SHOWN = 6  # comparisons whose exact p a note tells


def differences(r: EvalResult, style: Style) -> Draft:
    """Paired differences with interval, p-values, correlation and smallest detectable effect: Table
    5 of Miller 2024.

    The common questions have a column where their numbers differ, else a note tells the number.
    """
    questions = len({d.n_questions for d in r.differences}) > 1
    return _with_range(r, style, _differences(r, style, r.differences, questions))


def differences_with_questions(r: EvalResult, style: Style) -> Draft:
    """The same, always with the column of common questions: for tables of several evals."""
    return _with_range(r, style, _differences(r, style, r.differences, questions=True))


def differences_all(r: EvalResult, style: Style) -> Draft:
    """Every pair of models and every column with a number, each interval by itself, p adjusted over
    all pairs.
    """
    draft = differences_all_with_dashes(r, style)
    if not r.power or any(d.mde == d.mde for d in r.pairs):
        return draft
    why = Note(f"There is no detectable difference to print: {reasons_of(r)}.", "undefined")
    specs = [spec for spec in draft.specs if spec.key != "mde"]
    return replace(draft, specs=specs, notes=[*(n for n in draft.notes if n.about != "mde"), why])


def differences_all_with_dashes(r: EvalResult, style: Style) -> Draft:
    """The same with a column of nothing but dashes: for tables of several evals, which have only
    the columns that all of them have.
    """
    draft = _differences(r, style, r.pairs, questions=True)
    title = f"{estimate_words('paired differences', r, style)} of every two models."
    return replace(draft, name="differences-all", title=title, full=True)


def left_to_files(r: EvalResult) -> str:
    """What stands in a document in the place of the table of every pair."""
    if not r.pairs:
        return ""
    if len(r.pairs) == len(r.differences) and not r.leader:
        return "Every pair of models is in the table of differences."
    return (
        f"{counted(len(r.pairs), 'comparison')} of two models, each with its own interval and a p "
        "adjusted over all of them, are in tables/differences-all.csv."
    )


def _differences(
    r: EvalResult, style: Style, records: Sequence[DifferenceResult], questions: bool
) -> Draft:
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    several = sum(d.p_value == d.p_value for d in records) > 1
    specs = [
        ColumnSpec("model", "Model", lambda d: d.model, align="l"),
        ColumnSpec(
            "baseline",
            "Baseline",
            lambda d: d.baseline,
            align="l",
            same=lambda name: f"baseline {name}",
        ),
        estimate_column("difference", "Difference", r, style),
        interval_column(interval, units, sign=True, shown=style.theme != "ci"),
        ColumnSpec(
            "p_value",
            "p",
            lambda d: format_p_value(d.p_value, level=r.level),
            lambda d: d.p_value,
            core=not several,
        ),
        ColumnSpec(
            "p_adjusted",
            "Adjusted p",
            lambda d: format_p_value(d.p_adjusted, level=r.level),
            lambda d: d.p_adjusted,
            core=several,
        ),
        ColumnSpec(
            "p_greater",
            "P(A > B)",
            lambda d: format_p_value(d.p_greater),
            lambda d: d.p_greater,
            shown=_has_chances(records),
            core=False,
        ),
        ColumnSpec(
            "correlation",
            "Correlation",
            lambda d: fixed(d.correlation, 2),
            lambda d: d.correlation,
            same=lambda text: "" if text == DASH else f"correlation {text}",
        ),
        ColumnSpec(
            "mde",
            "Detectable",
            lambda d: units.of_differences.error(d.mde),
            lambda d: d.mde,
            core=False,
        ),
        ColumnSpec(
            "questions",
            "Questions",
            lambda d: count(d.n_questions),
            lambda d: d.n_questions,
            shown=questions,
            same=lambda text: noun_of(text, "common question"),
        ),
    ]
    notes = [
        *_comparison_notes(r, records),
        *_exact_notes(r, records),
        *apart_notes(r, records, units),
        *(difference_notes(r, style) if any(d.n_questions for d in records) else ()),
        *data_notes(r),
        *settings_notes(r),
        undefined_note(any(_undefined(d) for d in records)),
        *_flat_notes(r, records),
        *no_mde_notes(r),
    ]
    title = f"{estimate_words('paired differences', r, style)}."
    return Draft(
        *("differences", title, r, specs, records, notes, records),
        each="Each comparison",
        about=_about(r, style, records),
        told=("baseline", "questions"),
    )


def _about(r: EvalResult, style: Style, records: Sequence[DifferenceResult]) -> str:
    """The rest of the caption: what is subtracted, the intervals, the questions."""
    baselines = {d.baseline for d in records}
    of = "Model minus baseline"
    if len(baselines) == 1:
        of = f"Model minus {min(baselines)}"
    if r.leader and baselines == {r.leader}:
        of += f", the {r.top} mean{r.among}"
    if in_points(r, style):
        of += ", in percentage points"
    if not any(d.n_questions for d in records):
        of = ""
    intervals = of_column(intervals_of(records, r.level), style.theme)
    return sentence(of, intervals, metric_of(r), common_in_clusters(r, records))


def _with_range(r: EvalResult, style: Style, draft: Draft) -> Draft:
    found = _detectable_range(r, r.differences, style.signed_units(r))
    return replace(draft, notes=[*draft.notes, found])


def _detectable_range(r: EvalResult, records: Sequence[DifferenceResult], units: Units) -> Note:
    """How small a true difference the comparisons would find, for a table without the column."""
    known = sorted(d.mde for d in records if d.mde == d.mde)
    if not known or not r.power:
        return Note("")
    low, high = units.points(known[0]), units.points(known[-1])
    sizes = high if low == high else f"{low.split(' ')[0]} to {high}"
    text = (
        f"Detectable: true differences of {sizes} are found with {percent_of(r.power[0].power)} "
        f"power at the unadjusted {percent_of(1.0 - r.level)} level."
    )
    return Note(text, "range", counts=True)


def _flat_notes(r: EvalResult, records: Sequence[DifferenceResult]) -> list[Note]:
    """Why a standard error of 0 has no interval beside it."""
    flat = [d for d in records if d.n_questions and d.method == "none" and d.se == 0.0]
    if not flat:
        return []
    who = f"{flat[0].model} and {flat[0].baseline}"
    if len(flat) > 1:
        who += f", and {counted(len(flat) - 1, 'further pair')},"
    unit = "cluster" if r.clustered else "question"
    text = (
        f"{who} differ by the same amount in every {unit}: a standard error of 0 then says nothing "
        "of the error of this amount, and there is no interval."
    )
    return [Note(text, "flat", counts=True)]


def _exact_notes(r: EvalResult, records: Sequence[DifferenceResult]) -> list[Note]:
    """McNemar's exact p and mid-p of comparisons that few questions decide."""
    few = [d for d in records if d.p_exact == d.p_exact and d.p_value < 1.0]
    if not few:
        return []
    one = len(few) > 1 and len({d.baseline for d in records}) == 1  # the caption names it
    told = []
    for d in few[:EXACT_SHOWN]:
        exact, mid = (format_p_value(p, level=r.level) for p in (d.p_exact, d.p_mid))
        who = d.model if one else f"{d.model} and {d.baseline}"
        told.append(f"{who} {exact} ({mid})")
    not_adjusted = ", not adjusted" if r.n_tests > 1 else ""
    text = (
        f"McNemar's exact p (mid-p in brackets){not_adjusted}, where fewer than {FEW} questions "
        f"tell two models apart: {'; '.join(told)}."
    )
    notes = [Note(text, "exact", counts=True)]
    if len(few) > len(told):
        notes.append(Note("Those of the other comparisons are in the CSV.", FILES))
    return notes


def _undefined(d: DifferenceResult) -> bool:
    return any(math.isnan(x) for x in (d.se, d.ci_low, d.correlation))


def _has_chances(records: Sequence[DifferenceResult]) -> bool:
    return any(not math.isnan(d.p_greater) for d in records)


def _comparison_notes(r: EvalResult, records: Sequence[DifferenceResult]) -> list[Note]:
    """What is compared, how p and the intervals are adjusted, and what Detectable means."""
    if any(d.n_questions for d in records):
        notes = [Note("Model minus baseline, on common questions.", "minus")]
    else:
        notes = [no_pair(r)]
    notes += _family_notes(r, records)
    if _has_chances(records):
        text = (
            "P(A > B): posterior probability that the true mean of the model is above that of the "
            "baseline, with uniform priors (Bowyer, Aitchison & Ivanova 2025)."
        )
        notes.append(Note(text, "posterior", about="p_greater"))
    if r.power:
        text = (
            "Detectable: the smallest true difference found with "
            f"{percent_of(r.power[0].power)} power at the unadjusted "
            f"{percent_of(1.0 - r.level)} level."
        )
        notes += [Note(text, "detectable", about="mde"), *meant_notes(r)]
    return notes


BOLD = "In the table of means, bold rests on"


def _family_notes(r: EvalResult, records: Sequence[DifferenceResult]) -> list[Note]:
    """How p and the intervals are adjusted, and whether bold rests on the same comparisons."""
    tests = sum(d.p_value == d.p_value for d in records)
    if tests < 2:
        return []
    if any(d.ci_comparisons > 1 for d in records):
        most = max(d.ci_comparisons for d in records)
        text = (
            f"Baseline: the {r.top} mean{r.among}, which the data chose. Adjusted p allows for "
            "that choice: Bonferroni over the comparisons of a model with every model that it is "
            f"not clearly ahead of, up to {count(most)}."
        )
        return [
            Note(text, "adjusted", counts=True),
            ALLOWED_TOO,
            Note(f"{BOLD} the same comparisons, one-sided.", "family"),
            _behind_another(r, records),
        ]
    over, bold = f"Holm over {counted(tests, 'comparison')}", f"{BOLD} the same tests, one-sided."
    if len(records) < len(r.pairs):
        bold = f"{BOLD} another family: the comparisons of each model with all others."
    elif len(r.differences) < len(r.pairs):
        over, bold = f"{over}, a family of their own", ""
    adjusted = Note(f"Adjusted p: {over}.", "adjusted", about="p_adjusted", counts=True)
    return [adjusted, UNADJUSTED, Note(bold, "family", about="p_adjusted")]


def _behind_another(r: EvalResult, records: Sequence[DifferenceResult]) -> Note:
    """Which models are not bold though their comparison with the best mean does not show why."""
    out = {m.model for m in r.means if m.may_be_best == "no"}
    better = better_one_sided(r)
    others = [d.model for d in records if d.model in out and d.baseline not in better[d.model]]
    if not others:
        return Note("", "family")
    text = f"Found {r.worse} than a model other than this baseline, and so not bold"
    return Note(f"{text}: {first_few(others)}.", "family")
