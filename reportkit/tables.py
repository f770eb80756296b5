"""Records -> tables of finished text: which numbers stand in which column, and the notes that explain them."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, get_args

from reportkit.certificates import certificate_table
from reportkit.data_table import data_table
from reportkit.errors import ScoresError, UnknownNameError, did_you_mean
from reportkit.formatting import (
    DASH,
    Units,
    bare,
    count,
    counted,
    fixed,
    format_p_value,
    percent_of,
    plain_number,
    share_of,
    units_of,
)
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult
from reportkit.table import Column, Row, Table, Theme, table_of
from reportkit.variance import answer_noise


def _units(r: EvalResult, theme: Theme) -> Units:
    """Themes for the text of a paper leave the percent signs to a note."""
    return units_of(r) if theme in ("error-bars", "stacked") else replace(units_of(r), unit="")


def estimate_head(what: str, r: EvalResult, theme: Theme) -> str:
    """The head of a column of estimate_cell, such as Mean (SE)."""
    level = percent_of(r.level)
    return what + {"plain": "", "pm": f" ± {level}", "ci": f" [{level} CI]"}.get(theme, " (SE)")


def _told(theme: Theme, what: str, r: EvalResult) -> str:
    """What a caption calls an estimate, with what the theme prints beside it."""
    beside = {
        "plain": "",
        "pm": f" ± half its {percent_of(r.level)} interval",
        "ci": f" [{percent_of(r.level)} interval]",
    }
    return what + beside.get(theme, " (standard error)")


def estimate_cell(x: MeanResult | DifferenceResult, r: EvalResult, theme: Theme) -> str:
    """A mean or a difference as the theme prints it: 65.5% (0.7%), 65.5, 65.5 ± 1.3, 65.5 [64.2, 66.8], or on two lines."""
    u, sign = _units(r, theme), isinstance(x, DifferenceResult)
    value, se = (x.difference, x.se) if isinstance(x, DifferenceResult) else (x.mean, x.se)
    number = u.number(value, sign=sign)
    if theme == "plain" or number == DASH:
        return number
    if theme == "ci":
        low, high = u.number(x.ci_low, sign=sign), u.number(x.ci_high, sign=sign)
        return f"{number} {DASH}" if DASH in (low, high) else f"{number} [{low}, {high}]"
    if theme == "pm":
        return f"{number} ± {u.error((x.ci_high - x.ci_low) / 2.0)}"
    return number + ("\n" if theme == "stacked" else " ") + f"({u.error(se)})"


LONG_HEAD = 24  # characters of a model's name that can head a column


def score_notes(r: EvalResult, theme: Theme) -> list[str]:
    """What the scores are, and what the theme leaves to say about them."""
    units = (
        "" if r.scale.percent else f", in its own units; scores run from {bare(r.scale.low)} to {bare(r.scale.high)}"
    )
    unsigned = r.scale.percent and not _units(r, theme).unit
    half = f"±: half the width of the {percent_of(r.level)} interval." if theme == "pm" else ""
    better = ", of which lower is better" if r.lower else ""
    return [f"Metric: {r.metric}{units}{better}.", "Scores are percentages." if unsigned else "", half]


def best_note(r: EvalResult) -> str:
    """What bold stands for."""
    if not r.best:
        return ""
    over = ", Holm-adjusted over all pairs," if len(r.models) > 2 else ""
    return (
        f"Bold: the {r.top} mean, and every model that the paired test{over} does not find {r.worse} "
        f"at the {percent_of(1.0 - r.level)} level."
    )


NAMED = 3  # models whose missing answers a note counts one by one


def left_notes(r: EvalResult) -> list[str]:
    """Which models' numbers are not of all answers or questions: a pasted table has no warnings beside it."""
    none = [m.model for m in r.means if not m.n_questions]
    limits = {run["model"]: run["limit"] for run in r.runs if run["limit"]}
    cut = [f"{model} ({limit})" for model, limit in limits.items()]
    gone = [f"{m.model} {count(n)} of {count(r.planned(m))}" for m in r.means
            if (n := r.planned(m) - m.n_answers) and m.n_questions]  # fmt: skip
    zeroed = [f"{m.model} {count(n)}" for m, n in zip(r.means, r.zeroed, strict=False) if n]

    def told(found: list[str]) -> str:
        more = f", and of {count(len(found) - NAMED)} more models" if len(found) > NAMED else ""
        return ", ".join(found[:NAMED]) + more

    return [f"No score of this metric: {told(none)}." if none else "",
            f"Cut down to part of the questions: {told(cut)}." if cut else "",
            f"Answers without a score, left out: {told(gone)}." if gone else "",
            f"Answers that failed or were not given, counted as 0: {told(zeroed)}." if zeroed else ""]  # fmt: skip


def _dash_note(undefined: bool) -> str:
    return (
        f"{DASH}: not estimable, from scores or clusters that do not vary, or too few questions or clusters."
        if undefined
        else ""
    )


def _no_pair(r: EvalResult) -> str:
    return (
        "There is one model: nothing to compare." if len(r.models) == 1 else "No two models have a question in common."
    )


def means_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Mean (SE), interval, questions, clusters and answers per question: Tables 2 and 3 of Miller 2024."""
    u, level = _units(r, theme), percent_of(r.level)
    columns = [Column("Model", "l"), Column(estimate_head("Mean", r, theme))]
    columns += [Column(f"{level} CI")] * (theme != "ci")
    columns += [Column(h) for h in ("Questions", "Clusters", "Answers per question")]
    columns += [Column("Shots")] * bool(r.shots)

    def row(i: int, m: MeanResult) -> Row:
        k = m.n_answers / m.n_questions if m.n_questions else math.nan
        cells = [m.model, estimate_cell(m, r, theme)]
        values: list[float | None] = [None, m.mean]
        if theme != "ci":
            cells.append(u.interval(m.ci_low, m.ci_high))
            values.append(m.ci_low)
        cells += [count(m.n_questions), count(m.n_clusters) if r.clustered else DASH, count(k)]
        values += [m.n_questions, m.n_clusters if r.clustered else None, k]
        if r.shots:
            cells.append(r.shots[i] or DASH)
            values.append(None)
        return cells, values

    clusters = f"Clusters: {r.cluster_field}." if r.clustered else "No clusters are declared."
    undefined = any(m.se != m.se or m.ci_low != m.ci_low for m in r.means)
    notes = [*score_notes(r, theme), clusters, best_note(r), *left_notes(r), _dash_note(undefined)]
    rows = [row(i, m) for i, m in enumerate(r.means)]
    table = table_of("means", f"{_told(theme, 'mean score', r)} of each model.", columns, rows, notes, list(r.means), r)
    return replace(table, bold=frozenset((i, 1) for i, m in enumerate(r.means) if m.model in r.best))


def _df(df: float) -> str:
    """Degrees of freedom: a decimal where there is one to tell."""
    return count(round(df)) if df >= 100.0 or df.is_integer() else fixed(df, 1)


def clustering_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Clustered and naive SE, their ratio, the design effect: Table 4 of Miller 2024."""
    u = units_of(r)
    u = replace(u, digits=u.digits + 1)  # the ratio of the two should be seen in them
    columns = [Column("Model", "l")] + [
        Column(h) for h in ("Clustered SE", "Naive SE", "Ratio", "Design effect", "Effective questions", "df")
    ]

    def rows() -> Iterable[Row]:
        for m in r.means:
            ratio = math.sqrt(m.design_effect) if m.design_effect == m.design_effect else math.nan
            effective = m.n_questions / m.design_effect if m.design_effect > 0.0 else math.nan
            cells = [m.model, u.error(m.se), u.error(m.se_unclustered), fixed(ratio, 2), fixed(m.design_effect, 2)]
            cells += [count(round(effective)) if effective == effective else DASH, _df(m.df)]
            yield cells, [None, m.se, m.se_unclustered, ratio, m.design_effect, effective, m.df]

    if r.clustered:
        note = f"{counted(r.n_clusters, 'cluster')} ({r.cluster_field}) of {counted(r.n_questions, 'question')}."
    else:
        note = "No clusters are declared: every question is its own cluster, and both standard errors are the same."
    table_rows = list(rows())
    notes = [note, _dash_note(any(DASH in cells for cells, _ in table_rows))]
    return table_of(
        "clustering", "what clustering does to the standard errors.", columns, table_rows, notes, list(r.means), r
    )


def differences_table(r: EvalResult, theme: Theme = "error-bars", *, questions: bool = False) -> Table:
    """Paired differences with interval, p-values, correlation and smallest detectable effect: Table 5 of Miller 2024.

    questions: a column of the common questions also where their number is the same for all, and a note would do.
    """
    u, level = _units(r, theme), percent_of(r.level)
    columns = [Column("Model", "l"), Column("Baseline", "l"), Column(estimate_head("Difference", r, theme))]
    columns += [Column(f"{level} CI")] * (theme != "ci")
    columns += [Column(h) for h in ("p", "Adjusted p", "Correlation", "Detectable")]
    counts = {d.n_questions for d in r.differences}
    questions = questions or len(counts) > 1
    if questions:
        columns.append(Column("Questions"))

    def row(d: DifferenceResult) -> Row:
        cells = [d.model, d.baseline, estimate_cell(d, r, theme)]
        values: list[float | None] = [None, None, d.difference]
        if theme != "ci":
            cells.append(u.interval(d.ci_low, d.ci_high, sign=True))
            values.append(d.ci_low)
        cells += [format_p_value(d.p_value), format_p_value(d.p_adjusted), fixed(d.correlation, 2), u.error(d.mde)]
        values += [d.p_value, d.p_adjusted, d.correlation, d.mde]
        if questions:
            cells.append(count(d.n_questions))
            values.append(d.n_questions)
        return cells, values

    power = r.power[0].power if r.power else 0.8
    notes = [
        f"Model minus baseline, on {'' if questions else count(r.differences[0].n_questions) + ' '}common questions."
        if r.power
        else _no_pair(r),
        f"Adjusted p: Holm over {counted(r.n_tests, 'comparison')}; intervals are not adjusted."
        if r.n_tests > 1
        else "",
        f"Detectable: the smallest true difference found with {percent_of(power)} power at the unadjusted "
        f"{percent_of(1.0 - r.level)} level."
        if r.power
        else "",
        *score_notes(r, theme),
        _dash_note(any(x != x for d in r.differences for x in (d.se, d.ci_low, d.correlation, d.mde))),
    ]
    rows = map(row, r.differences)
    title = f"{_told(theme, 'paired differences', r)}."
    return table_of("differences", title, columns, rows, notes, list(r.differences), r)


def correlations_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Pearson correlations of question scores, on the common questions of each pair."""
    # Long names would make the heads taller than the table: then columns are numbered.
    numbered = max(map(len, r.models)) > LONG_HEAD
    heads = [str(i) for i in range(1, len(r.models) + 1)] if numbered else list(r.models)
    columns = [Column("Model", "l"), *(Column(h) for h in heads)]
    names = [f"{i}. {m}" for i, m in enumerate(r.models, 1)] if numbered else list(r.models)
    rows = [([m, *(fixed(c, 2) for c in line)], [None, *line]) for m, line in zip(names, r.correlations, strict=True)]
    data: list[Any] = [
        {"eval": r.eval, "metric": r.metric, "model": a, "other": b, "correlation": c}
        for a, line in zip(r.models, r.correlations, strict=True)
        for b, c in zip(r.models, line, strict=True)
    ]
    undefined = any(c != c for line in r.correlations for c in line)
    note = (
        f"{DASH}: undefined, with fewer than two common questions or a model whose score never varies."
        if undefined
        else ""
    )
    notes = ["Pearson, over common questions.", note]
    return table_of("correlations", "correlation of question scores between models.", columns, rows, notes, data, r)


def variance_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Variance between and within questions, and what more answers for each question would buy."""
    u = units_of(r)
    heads = ["Answers", "Between", "Within", "Noise share"]
    columns = [Column("Model", "l"), *(Column(h) for h in heads)]
    columns += [Column(h, group="SE with answers") for h in ("as now", "doubled", "unlimited")]
    rows: list[Row] = []
    for m in r.means:
        k = m.n_answers / m.n_questions if m.n_questions else math.nan
        noise = answer_noise(m)
        se = [noise.now, noise.doubled, noise.unlimited]
        cells = [m.model, count(k), plain_number(m.variance_between), plain_number(m.variance_within)]
        cells += [share_of(noise.share), *map(u.error, se)]
        rows.append((cells, [None, k, m.variance_between, m.variance_within, noise.share, *se]))
    single = any(m.variance_within != m.variance_within for m in r.means)
    still = any(m.se == 0.0 and m.variance_within == m.variance_within for m in r.means)
    reasons = ["with one answer for each question, the two cannot be told apart"] * single
    reasons += ["there is no standard error to share out"] * still
    note = f"{DASH}: {'; '.join(reasons)}." if reasons else ""
    notes = [
        "Answers: for each question. Between: variance over questions, answer noise removed. Within: variance of one "
        "answer to a question. Both in squared score units.",
        "Noise share: the part of the squared SE that more answers would remove.",
        "Between 0: not distinguishable from 0; what unlimited answers would leave is not estimable."
        if any(m.variance_between == 0.0 for m in r.means)
        else "",
        note,
    ]
    return table_of("variance", "variance between and within questions.", columns, rows, notes, list(r.means), r)


def power_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Smallest detectable differences by questions and answers, questions needed by difference: equations 9 and 10."""
    u = units_of(r)
    # About 1, 2 and 5 hundredths of the range of scores, in round numbers.
    unit = 10.0 ** round(math.log10((r.scale.high - r.scale.low) or 1.0) - 2)
    effects = [0.01, 0.02, 0.05] if r.scale.percent else [float(f"{unit * x:.1g}") for x in (1, 2, 5)]
    now, needed = "Detectable difference", "Questions needed\nto detect"
    columns = [Column("Model", "l"), Column("Baseline", "l"), Column("Questions"), Column("Answers")]
    columns += [Column(h, group=now) for h in ("as it is", "2× questions", "4× questions", "4× answers")]
    columns += [Column(f"{100 * e:g}%" if r.scale.percent else f"{e:g}", group=needed) for e in effects]

    def row(p: PowerResult) -> Row:
        noise = p.sigma2_model / p.epochs_model + p.sigma2_baseline / p.epochs_baseline
        total = p.omega2 + noise
        more = p.mde * math.sqrt((p.omega2 + noise / 4.0) / total) if total > 0.0 else math.nan
        mdes = [p.mde, p.mde / math.sqrt(2.0), p.mde / 2.0, more]
        questions = [
            math.ceil(p.n_questions * (p.mde / e) ** 2 * (1 - 1e-12)) if p.mde > 0 and e else math.nan for e in effects
        ]
        k = count(p.epochs_model)
        if p.epochs_baseline != p.epochs_model:
            k += f", {count(p.epochs_baseline)}"
        cells = [p.model, p.baseline, count(p.n_questions), k, *map(u.error, mdes), *map(count, questions)]
        return cells, [None, None, p.n_questions, p.epochs_model, *mdes, *questions]

    first = r.power[0] if r.power else None
    known = [p.omega2 == p.omega2 for p in r.power]
    notes = [
        f"At a two-sided level of {percent_of(first.alpha)} and {percent_of(first.power)} power." if first else _no_pair(r),
        "Where the questions' true differences are not distinguishable from equal, answer noise alone sets what is detectable."
        if any(p.omega2 == 0.0 for p in r.power)
        else "",
        f"4× answers, {DASH}: with one answer for each question, answer noise is not known." if not all(known) else "",
    ]  # fmt: skip
    return table_of("power", "what this eval can detect.", columns, map(row, r.power), notes, list(r.power), r)


TABLES: dict[str, Callable[[EvalResult, Theme], Table]] = {
    "means": means_table,
    "clustering": clustering_table,
    "differences": differences_table,
    "correlations": correlations_table,
    "variance": variance_table,
    "power": power_table,
    "data": data_table,
    "certificate": certificate_table,
}
PAPER = {f"paper{n}": n for n in (2, 3, 4, 5)}  # layouts of Miller 2024
KINDS = (*TABLES, *PAPER)
ON_REQUEST = ("certificate",)  # tables that a report has only where they are asked for


def make_table(result: EvalResult | Sequence[EvalResult], kind: str, theme: str = "error-bars") -> Table:
    """A table by its name, of one eval or of several; UnknownNameError where there is no such table or theme.

    Of several evals, the means of up to eight models stand in columns; the other tables have a column for the eval.
    paper2 to paper5 are the layouts of Miller 2024 (see several.paper_table), of one eval or of several.
    """
    if kind not in KINDS:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, KINDS)}")
    check_theme(theme)
    results = [result] if isinstance(result, EvalResult) else list(result)
    if len({r.level for r in results}) > 1:
        raise ScoresError("evals analysed at different levels make no table; analyse all of them at one level")
    if kind in TABLES and len(results) == 1:
        return TABLES[kind](results[0], theme)  # type: ignore[arg-type]
    from reportkit.several import paper_table, several_table

    if kind in PAPER:
        return paper_table(results, PAPER[kind], theme)  # type: ignore[arg-type]
    return several_table(results, kind, theme)  # type: ignore[arg-type]


def check_theme(theme: str) -> None:
    if theme not in get_args(Theme):
        raise UnknownNameError(f"no theme {theme!r}{did_you_mean(theme, get_args(Theme))}")
