"""The means of an eval, and what clustering does to their standard errors: Tables 2 to 4 of Miller
2024.
"""

import math
from dataclasses import asdict
from itertools import chain
from typing import Any

from reportkit.results import EvalResult, MeanResult
from reportkit.tables.captions import (
    intervals_of,
    means_in_clusters,
    metric_of,
    of_column,
    questions_of,
    sentence,
)
from reportkit.tables.cells import Style, estimate_words
from reportkit.tables.columns import estimate_column, interval_column
from reportkit.tables.data_notes import data_notes, mark_of, other_notes
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.elsewhere import published_data, published_note, published_rows
from reportkit.tables.notes import (
    REPEATS,
    Note,
    best_note,
    missing_notes,
    score_notes,
    undefined_note,
)
from reportkit.text.numbers import DASH, count, fixed, noun_of, percent_of


def means(r: EvalResult, style: Style) -> Draft:
    """Mean (SE), interval, questions, clusters and answers per question: Tables 2 and 3 of Miller
    2024.
    """
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    shots = dict(zip(r.models, r.shots, strict=False))
    specs = [
        ColumnSpec("model", "Model", lambda m: m.model, align="l"),
        estimate_column(
            "mean",
            "Mean",
            r,
            style,
            bold=lambda m: m.model in r.best,
            mark=lambda m: mark_of(r, m.model),
        ),
        interval_column(interval, units, shown=style.theme != "ci"),
        ColumnSpec(
            "questions",
            "Questions",
            lambda m: count(m.n_questions),
            lambda m: m.n_questions,
            same=lambda text: noun_of(text, "question"),
        ),
        ColumnSpec(
            "clusters",
            "Clusters",
            lambda m: count(m.n_clusters) if r.shares_clusters else DASH,
            lambda m: m.n_clusters if r.shares_clusters else None,
            same=lambda text: "" if text == DASH else f"{text} clusters",
            idle=(DASH,),
        ),
        ColumnSpec(
            "answers",
            "Answers per question",
            lambda m: count(answers_per_question(m)),
            answers_per_question,
            same=lambda text: "" if text == "1" else f"{text} answers to each question",
            idle=("1",),
        ),
        ColumnSpec(
            "shots",
            "Shots",
            lambda m: shots[m.model] or DASH,
            shown=bool(r.shots),
            same=lambda text: noun_of(text, "shot"),
        ),
    ]
    clusters = Note(f"Clusters: {r.cluster_field}.", "clusters", about="clusters")
    if not r.shares_clusters:
        clusters = Note(f"{_independent(r)}.", "clusters")
    undefined = any(math.isnan(m.se) or math.isnan(m.ci_low) for m in r.means)
    notes = [
        *score_notes(r, style),
        clusters,
        *best_note(r),
        *missing_notes(r),
        *other_notes(r, style),
        *data_notes(r),
        published_note(r.published, several=False),
        undefined_note(undefined),
    ]
    title = f"{estimate_words('mean score', r, style)}{' of each model' * (len(r.models) > 1)}."
    data: list[Any] = list(r.means)
    if r.published:
        data = [asdict(m) | {"published": ""} for m in r.means] + published_data(r)
    below = published_rows(r, style)
    intervals = of_column(intervals_of(r.means, r.level), style.theme)
    return Draft(
        *("means", title, r, specs, r.means, notes, data, below),
        about=sentence(intervals, metric_of(r), questions_of(r)),
        told=("questions", "clusters", "answers"),
    )


def answers_per_question(m: MeanResult) -> float:
    """How often a model answered a question, on average; nan where it answered none."""
    if not m.n_questions:
        return math.nan
    return m.n_answers / m.n_questions


def clustering(r: EvalResult, style: Style) -> Draft:
    """Clustered and naive SE, their ratio, the design effect: Table 4 of Miller 2024."""
    units = style.units(r, more=1)  # the ratio of the two should be seen in them
    specs = [
        ColumnSpec("model", "Model", lambda m: m.model, align="l"),
        ColumnSpec("se", "Clustered SE", lambda m: units.error(m.se), lambda m: m.se),
        ColumnSpec(
            "se_unclustered",
            "Naive SE",
            lambda m: units.error(m.se_unclustered),
            lambda m: m.se_unclustered,
        ),
        ColumnSpec("ratio", "Ratio", lambda m: fixed(se_ratio(m), 2), se_ratio),
        ColumnSpec(
            "design_effect",
            "Design effect",
            lambda m: fixed(m.design_effect, 2),
            lambda m: m.design_effect,
        ),
        ColumnSpec(
            "effective",
            "Effective questions",
            lambda m: _rounded_count(effective_questions(m)),
            effective_questions,
        ),
        ColumnSpec(
            "icc", "ICC", lambda m: fixed(m.icc, 2), lambda m: m.icc, shown=r.shares_clusters
        ),
        ColumnSpec(
            "df",
            "df",
            lambda m: _df(m.df),
            lambda m: m.df,
            same=lambda df: "" if df == DASH else f"{noun_of(df, 'degree')} of freedom",
        ),
    ]
    if r.shares_clusters:
        note = Note(f"{means_in_clusters(r)}.", "clusters", counts=True)
    else:
        own = "" if r.clustered else "every question is its own cluster, and "
        text = f"{_independent(r)}: {own}both standard errors are the same."
        note = Note(text, REPEATS)
    notes = [note]
    numbers: list[tuple[float, ...]] = [
        (m.se, m.se_unclustered, m.design_effect, effective_questions(m), m.df) for m in r.means
    ]
    if r.shares_clusters:
        text = (
            "ICC: correlation of two questions of a cluster, by analysis of variance; below 0 they "
            "are less alike than by chance."
        )
        notes.append(Note(text, about="icc"))
        numbers.append(tuple(m.icc for m in r.means))
    notes.append(Note("df: degrees of freedom of the standard error.", about="df"))
    undefined = not all(map(math.isfinite, chain.from_iterable(numbers)))
    notes.append(undefined_note(undefined))
    title = "what clustering does to the standard errors."
    data = [_clustering_record(m) for m in r.means]
    return Draft("clustering", title, r, specs, r.means, notes, data, about=sentence(metric_of(r)))


def _clustering_record(m: MeanResult) -> dict[str, Any]:
    """What the CSV has of a model: what clusters do to its standard error."""
    names = ("model", "n_questions", "n_clusters", "mean", "se", "se_unclustered", "design_effect")
    record = {name: getattr(m, name) for name in names}
    more = {"ratio": se_ratio(m), "effective_questions": effective_questions(m)}
    return record | more | {"icc": m.icc, "df": m.df}


def se_ratio(m: MeanResult) -> float:
    """How many times wider the clusters make the standard error: the root of the design effect."""
    return math.sqrt(m.design_effect)


def effective_questions(m: MeanResult) -> float:
    """Independent questions that would tell as much as these clusters; nan without a design
    effect.
    """
    if not m.design_effect > 0.0:
        return math.nan
    return m.n_questions / m.design_effect


def _rounded_count(n: float) -> str:
    if not math.isfinite(n):
        return DASH
    return count(round(n))


def _df(df: float) -> str:
    """Degrees of freedom: a decimal where they are few and not whole."""
    if df >= 100.0 or df.is_integer():
        return count(round(df))
    return fixed(df, 1)


def no_clusters(r: EvalResult) -> str:
    """What stands in the place of a clustering table that would say nothing."""
    if r.shares_clusters:
        return ""
    return f"{_independent(r)}: every question counts as independent."


def _independent(r: EvalResult) -> str:
    """Why clusters change nothing: none are declared, or each holds one question."""
    if r.clustered:
        return (
            f"Each cluster ({r.cluster_field}) holds one question, so that clusters change nothing"
        )
    return "No clusters are declared"
