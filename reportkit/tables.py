"""Records -> tables of finished text: which numbers stand in which column, and the notes that explain them."""

import math
from collections.abc import Callable, Iterable
from typing import Any, get_args

from reportkit.certificates import certificate_table
from reportkit.errors import UnknownNameError, did_you_mean
from reportkit.formatting import (
    DASH,
    Units,
    count,
    counted,
    fixed,
    format_p_value,
    percent_of,
    plain_number,
    units_of,
)
from reportkit.results import DifferenceResult, EvalResult, MeanResult, PowerResult
from reportkit.table import Column, Row, Table, Theme, table_of


def _score_note(r: EvalResult) -> str:
    if r.scale.percent:
        return f"Metric: {r.metric}."
    return f"Metric: {r.metric}, in its own units; scores run from {r.scale.low:g} to {r.scale.high:g}."


def _dash_note(undefined: bool) -> str:
    return f"{DASH}: not estimable, from scores that do not vary or too few questions or clusters." if undefined else ""


def _no_pair(r: EvalResult) -> str:
    return (
        "There is one model: nothing to compare." if len(r.models) == 1 else "No two models have a question in common."
    )


def means_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Mean (SE), interval, questions, clusters and answers per question: Tables 2 and 3 of Miller 2024."""
    u, level = units_of(r), percent_of(r.level)
    heads = {
        "error-bars": "Mean (SE)",
        "plain": "Mean",
        "pm": f"Mean ± {level}",
        "ci": f"Mean [{level} CI]",
        "stacked": "Mean (SE)",
    }
    columns = [
        Column("Model", "l"),
        Column(heads[theme]),
        Column(f"{level} CI"),
        Column("Questions"),
        Column("Clusters"),
    ]
    columns.append(Column("Answers per question"))

    def rows() -> Iterable[Row]:
        for m in r.means:
            k = m.n_answers / m.n_questions if m.n_questions else math.nan
            rest: list[float | None] = [m.ci_low, m.n_questions, m.n_clusters if r.clustered else None, k]
            cells = [
                m.model, _mean_cell(m, u, theme), u.interval(m.ci_low, m.ci_high), count(m.n_questions),
                count(m.n_clusters) if r.clustered else DASH, count(k),
            ]  # fmt: skip
            yield cells, [None, m.mean, *rest]
            if theme == "stacked":
                yield ["", f"({u.error(m.se)})", "", "", "", ""], [None] * 6

    clusters = f"Clusters: {r.cluster_field}." if r.clustered else "No clusters are declared."
    notes = [_score_note(r), clusters, _dash_note(any(m.se != m.se or m.ci_low != m.ci_low for m in r.means))]
    return table_of("means", "mean score (standard error) of each model.", columns, rows(), notes, list(r.means), r)


def _mean_cell(m: MeanResult, u: Units, theme: Theme) -> str:
    bare = Units(u.percent, u.digits)
    if theme == "error-bars":
        return u.with_error(m.mean, m.se)
    if theme == "stacked":
        return u.number(m.mean)
    number = bare.number(m.mean).removesuffix("%")
    if theme == "plain" or number == DASH:
        return number
    if theme == "ci":
        if m.ci_low != m.ci_low:
            return f"{number} {DASH}"
        return f"{number} [{u.number(m.ci_low).removesuffix('%')}, {u.number(m.ci_high).removesuffix('%')}]"
    half = (m.ci_high - m.ci_low) / 2.0
    return f"{number} ± {u.error(half).removesuffix('%')}"


def clustering_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Clustered and naive SE, their ratio, the design effect: Table 4 of Miller 2024."""
    u = units_of(r)
    columns = [Column("Model", "l")] + [
        Column(h) for h in ("Clustered SE", "Naive SE", "Ratio", "Design effect", "Effective questions", "df")
    ]

    def rows() -> Iterable[Row]:
        for m in r.means:
            ratio = math.sqrt(m.design_effect) if m.design_effect == m.design_effect else math.nan
            effective = m.n_questions / m.design_effect if m.design_effect > 0.0 else math.nan
            cells = [m.model, u.error(m.se), u.error(m.se_unclustered), fixed(ratio, 2), fixed(m.design_effect, 2)]
            cells += [count(round(effective)) if effective == effective else DASH, fixed(m.df, 1)]
            yield cells, [None, m.se, m.se_unclustered, ratio, m.design_effect, effective, m.df]

    if r.clustered:
        note = f"{counted(r.n_clusters, 'cluster')} ({r.cluster_field}) of {counted(r.n_questions, 'question')}."
    else:
        note = "No clusters are declared: every question is its own cluster, and both standard errors are the same."
    notes = [note, _dash_note(any(m.design_effect != m.design_effect for m in r.means))]
    return table_of(
        "clustering", "what clustering does to the standard errors.", columns, rows(), notes, list(r.means), r
    )


def differences_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Paired differences with interval, p-values, correlation and smallest detectable effect: Table 5 of Miller 2024."""
    u, level = units_of(r), percent_of(r.level)
    heads = ["Difference (SE)", f"{level} CI", "p", "Adjusted p", "Correlation", "Detectable", "Questions"]
    columns = [Column("Model", "l"), Column("Baseline", "l"), *(Column(h) for h in heads)]

    def row(d: DifferenceResult) -> Row:
        cells = [
            d.model, d.baseline, u.with_error(d.difference, d.se, sign=True),
            u.interval(d.ci_low, d.ci_high, sign=True), format_p_value(d.p_value), format_p_value(d.p_adjusted),
            fixed(d.correlation, 2), u.error(d.mde), count(d.n_questions),
        ]  # fmt: skip
        values = [None, None, d.difference, d.ci_low, d.p_value, d.p_adjusted, d.correlation, d.mde, d.n_questions]
        return cells, values

    power = r.power[0].power if r.power else 0.8
    notes = [
        "There is one model: nothing to compare."
        if not r.differences
        else "Model minus baseline, on common questions.",
        f"Adjusted p: Holm over the {count(len(r.differences))} comparisons." if len(r.differences) > 1 else "",
        f"Detectable: the smallest true difference found with {percent_of(power)} power." if r.differences else "",
        _score_note(r),
        _dash_note(any(x != x for d in r.differences for x in (d.se, d.ci_low, d.correlation, d.mde))),
    ]
    rows = map(row, r.differences)
    return table_of("differences", "paired differences (standard error).", columns, rows, notes, list(r.differences), r)


def correlations_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Pearson correlations of question scores, on the common questions of each pair."""
    columns = [Column("Model", "l"), *(Column(m) for m in r.models)]
    rows = [
        ([m, *(fixed(c, 2) for c in line)], [None, *line]) for m, line in zip(r.models, r.correlations, strict=True)
    ]
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
        # Answers err independently, also within a cluster: their part of SE^2 is what the unclustered SE^2 has beside the
        # variance between questions.
        noise = m.se_unclustered**2 - m.variance_between / max(m.n_questions, 1)
        share = noise / m.se**2 if m.se > 0.0 else math.nan
        share = 1.0 if share > 1.0 - 1e-9 else share
        halved, gone = m.se * math.sqrt(1.0 - share / 2.0), m.se * math.sqrt(1.0 - share)
        se = [m.se, halved, gone if share < 1.0 else math.nan]
        cells = [m.model, count(k), plain_number(m.variance_between), plain_number(m.variance_within)]
        cells += [f"{fixed(100 * share, 0)}%" if share == share else DASH, *map(u.error, se)]
        rows.append((cells, [None, k, m.variance_between, m.variance_within, share, *se]))
    single = any(m.variance_within != m.variance_within for m in r.means)
    note = f"{DASH}: with one answer for each question, the two cannot be told apart." if single else ""
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
    width = r.scale.high - r.scale.low
    effects = [0.01, 0.02, 0.05] if r.scale.percent else [round(width * x, 6) for x in (0.01, 0.02, 0.05)]
    now, needed = "Detectable difference", "Questions needed to detect"
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


def data_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """What was read: questions, answers, what is missing, and the files."""
    heads = ["Questions", "of all", "Answers", "Without a score", "Errors"]
    columns = [Column("Model", "l"), *(Column(h) for h in heads)]
    rows: list[Row] = []
    data: list[Any] = []
    for m in r.means:
        share = m.n_questions / r.n_questions
        number = f"{Units(True, 1).number(share)}"
        cells = [m.model, count(m.n_questions), number, *map(count, (m.n_answers, m.n_unscored, m.n_errors))]
        rows.append((cells, [None, m.n_questions, share, m.n_answers, m.n_unscored, m.n_errors]))
        keys = ("model", "n_questions", "n_clusters", "n_answers", "n_unscored", "n_errors")
        data.append({"eval": r.eval, "metric": r.metric} | {k: getattr(m, k) for k in keys})
    files = [f"{s['file']}: {count(s['rows'])} rows, SHA-256 {s['sha256'][:12]}." for s in r.sources]
    notes = [f"{counted(r.n_questions, 'question')} in all.", *files, "A missing score is left out; it is never 0."]
    return table_of("data", "what was read.", columns, rows, notes, data, r)


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
ON_REQUEST = ("certificate",)  # tables that a report has only where they are asked for


def make_table(result: EvalResult, kind: str, theme: str = "error-bars") -> Table:
    """A table by its name; UnknownNameError where there is no such table or theme."""
    if kind not in TABLES:
        raise UnknownNameError(f"no table {kind!r}{did_you_mean(kind, TABLES)}")
    check_theme(theme)
    return TABLES[kind](result, theme)  # type: ignore[arg-type]


def check_theme(theme: str) -> None:
    if theme not in get_args(Theme):
        raise UnknownNameError(f"no theme {theme!r}{did_you_mean(theme, get_args(Theme))}")


def numbers(r: EvalResult) -> list[tuple[str, str, str, str]]:
    """Every number for prose, as (eval, model, what, text); a pair is "A - B" in place of the model."""
    u = units_of(r)
    found = [(r.eval, "", "questions", count(r.n_questions))]
    if r.clustered:
        found.append((r.eval, "", "clusters", count(r.n_clusters)))
    for m in r.means:
        texts = {
            "mean": u.number(m.mean), "se": u.error(m.se), "ci": u.interval(m.ci_low, m.ci_high),
            "cilow": u.number(m.ci_low), "cihigh": u.number(m.ci_high), "n": count(m.n_questions),
        }  # fmt: skip
        found += [(r.eval, m.model, what, text) for what, text in texts.items()]
    for d in r.differences:
        texts = {
            "difference": u.number(d.difference, sign=True), "se": u.error(d.se),
            "ci": u.interval(d.ci_low, d.ci_high, sign=True), "p": format_p_value(d.p_value),
            "adjustedp": format_p_value(d.p_adjusted), "correlation": fixed(d.correlation, 2),
            "mde": u.error(d.mde), "n": count(d.n_questions),
        }  # fmt: skip
        found += [(r.eval, f"{d.model} - {d.baseline}", what, text) for what, text in texts.items()]
    for c in r.certificates:
        name = f"{c.model} - {c.baseline}" if c.baseline else c.model
        found.append((r.eval, name, "coverage", Units(True, 1).number(c.coverage)))
    return found
