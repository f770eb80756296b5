"""The means of an eval, and what clustering does to their standard errors: Tables 2 to 4 of Miller
2024.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from reportkit.decisions import Theme
from reportkit.results import EvalResult, MeanResult
from reportkit.tables.cells import estimate_cell, estimate_head, estimate_words, units_in
from reportkit.tables.notes import best_note, dash_note, left_notes, score_notes
from reportkit.tables.table import Column, Row, Table, table_of
from reportkit.text.numbers import DASH, count, counted, fixed, percent_of, units_of


def means_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Mean (SE), interval, questions, clusters and answers per question: Tables 2 and 3 of Miller
    2024.
    """
    u, level = units_in(r, theme), percent_of(r.level)
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
    notes = [*score_notes(r, theme), clusters, best_note(r), *left_notes(r), dash_note(undefined)]
    rows = [row(i, m) for i, m in enumerate(r.means)]
    table = table_of(
        "means",
        f"{estimate_words(theme, 'mean score', r)} of each model.",
        columns,
        rows,
        notes,
        list(r.means),
        r,
    )
    return replace(
        table, bold=frozenset((i, 1) for i, m in enumerate(r.means) if m.model in r.best)
    )


def _df(df: float) -> str:
    """Degrees of freedom: a decimal where there is one to tell."""
    return count(round(df)) if df >= 100.0 or df.is_integer() else fixed(df, 1)


def clustering_table(r: EvalResult, theme: Theme = "error-bars") -> Table:
    """Clustered and naive SE, their ratio, the design effect: Table 4 of Miller 2024."""
    u = units_of(r)
    u = replace(u, digits=u.digits + 1)  # the ratio of the two should be seen in them
    columns = [Column("Model", "l")] + [
        Column(h)
        for h in ("Clustered SE", "Naive SE", "Ratio", "Design effect", "Effective questions", "df")
    ]

    def rows() -> Iterable[Row]:
        for m in r.means:
            ratio = math.sqrt(m.design_effect) if m.design_effect == m.design_effect else math.nan
            effective = m.n_questions / m.design_effect if m.design_effect > 0.0 else math.nan
            cells = [
                m.model,
                u.error(m.se),
                u.error(m.se_unclustered),
                fixed(ratio, 2),
                fixed(m.design_effect, 2),
            ]
            cells += [count(round(effective)) if effective == effective else DASH, _df(m.df)]
            yield cells, [None, m.se, m.se_unclustered, ratio, m.design_effect, effective, m.df]

    if r.clustered:
        note = (
            f"{counted(r.n_clusters, 'cluster')} ({r.cluster_field}) of "
            f"{counted(r.n_questions, 'question')}."
        )
    else:
        note = (
            "No clusters are declared: every question is its own cluster, and both standard "
            "errors are the same."
        )
    table_rows = list(rows())
    notes = [note, dash_note(any(DASH in cells for cells, _ in table_rows))]
    return table_of(
        "clustering",
        "what clustering does to the standard errors.",
        columns,
        table_rows,
        notes,
        list(r.means),
        r,
    )
