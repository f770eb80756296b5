"""Tables over several evals."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from reportkit.decisions import Theme
from reportkit.results import EvalResult
from reportkit.tables.cells import LONG_HEAD, estimate_cell, estimate_head
from reportkit.tables.differences import correlations_table, differences_table
from reportkit.tables.means import means_table
from reportkit.tables.notes import left_notes, score_notes
from reportkit.tables.table import Column, Table, undefined_is_none
from reportkit.text.numbers import DASH, count, counted, fixed, percent_of

MODEL_COLUMNS = 8  # models up to which each has a column of its own
OTHER = "Other evals"  # heading of the evals without a category, where some have one
FICTIONAL = "Fictional models, generated scores."


def several_table(
    results: Sequence[EvalResult],
    kind: str,
    theme: Theme,
    one: Callable[[EvalResult, Theme], Table],
) -> Table:
    """One table of a kind over several evals: models as columns for the means of a few models, else
    a row for each.
    """
    results = _by_category(results)
    models = _models(results)
    if kind == "means" and len(models) <= MODEL_COLUMNS and max(map(len, models)) <= LONG_HEAD:
        return scores_table(results, theme)
    return _stacked(
        results, theme, {"correlations": _pairs_table, "differences": _differences}.get(kind, one)
    )


def scores_table(
    results: Sequence[EvalResult], theme: Theme, columns: Sequence[str] | None = None
) -> Table:
    """A row for each eval, a column for each model: the table that most model reports open with.

    columns: which of Metric, Questions, Clusters, Shots, Answers stand before the models; None:
    those that say something. Bold marks, in each row, the best model and all that the paired test
    does not find lower.
    """
    facts: dict[str, Callable[[EvalResult], tuple[str, float | None]]] = {
        "Metric": lambda r: (r.metric, None),
        "Questions": lambda r: (count(r.n_questions), r.n_questions),
        "Clusters": lambda r: (count(r.n_clusters), r.n_clusters) if r.clustered else (DASH, None),
        "Shots": lambda r: (_agreed(r.shots), None),
        "Answers": lambda r: (
            _agreed([count(m.n_answers / m.n_questions) for m in r.means if m.n_questions]),
            None,
        ),
    }
    said = {
        "Metric": len({r.metric for r in results}) > 1,
        "Questions": True,
        "Clusters": any(r.clustered for r in results),
        "Shots": any(r.shots for r in results),
        "Answers": any(m.n_answers > m.n_questions for r in results for m in r.means),
    }
    shown = [f for f in facts if (said[f] if columns is None else f in columns)]
    models = _models(results)
    cells, values, bold = [], [], set()
    for i, r in enumerate(results):
        means = {m.model: m for m in r.means}
        front = [facts[f](r) for f in shown]
        cells.append(
            (
                r.eval,
                *(text for text, _ in front),
                *(estimate_cell(means[m], r, theme) if m in means else DASH for m in models),
            )
        )
        values.append(
            (None, *(v for _, v in front), *(means[m].mean if m in means else None for m in models))
        )
        bold |= {(i, 1 + len(shown) + models.index(m)) for m in r.best}
    head = estimate_head("mean score", results[0], theme)
    n_pairs = {len(r.models) * (len(r.models) - 1) // 2 for r in results if r.best}
    missing = any(m not in r.models for r in results for m in models)
    top, worse = ("best", "worse") if any(r.lower for r in results) else ("highest", "lower")
    notes = [
        *_joined(results, [_score_sentences(r, theme, "Metric" in shown) for r in results]),
        *_joined(results, [[n for n in left_notes(r) if n] for r in results]),
        "Answers: for each question." if "Answers" in shown else "",
        f"Clusters {DASH}: none are declared."
        if "Clusters" in shown and not all(r.clustered for r in results)
        else "",
        f"{DASH} under a model: it has no scores of that eval." if missing else "",
        f"Bold: in each row the {top} mean, and every model that the paired test"
        f"{', Holm-adjusted over all pairs of models,' if n_pairs - {1} else ''} does not find "
        f"{worse} at the "
        f"{percent_of(1.0 - results[0].level)} level."
        if n_pairs
        else "",
    ]
    title = (
        f"{head[0].upper()}{head[1:]} of {counted(len(models), 'model')} on "
        f"{counted(len(results), 'eval')}."
    )
    return Table(
        "means",
        title,
        (
            Column("Eval", "l"),
            *(Column(f, "l" if f == "Metric" else "r") for f in shown),
            *(Column(m) for m in models),
        ),
        tuple(cells),
        undefined_is_none(values),
        tuple(n for n in notes if n),
        frozenset(bold),
        _sections(results, range(len(results)), len(results)),
        data=tuple(d for r in results for d in means_table(r, theme).data),
    )


def _score_sentences(r: EvalResult, theme: Theme, metric_shown: bool) -> list[str]:
    """What the scores of an eval are; its metric alone needs no words where a column names it."""
    told = [
        n for n in score_notes(r, theme) if n and not (metric_shown and n == f"Metric: {r.metric}.")
    ]
    return [FICTIONAL, *told] if r.fictional else told


def _agreed(values: Sequence[str]) -> str:
    """One value, or the different ones; a dash where nothing is known."""
    return ", ".join(dict.fromkeys(v for v in values if v)) or DASH


def _models(results: Sequence[EvalResult]) -> list[str]:
    return list(dict.fromkeys(m for r in results for m in r.models))


def _by_category(results: Sequence[EvalResult]) -> list[EvalResult]:
    """Evals of one category together, in the order in which the categories first appear; of one
    name, with the metric.
    """
    order = list(dict.fromkeys(r.category for r in results))
    named = [r.eval for r in results]
    apart = [
        replace(r, eval=f"{r.eval} ({r.metric})") if named.count(r.eval) > 1 else r for r in results
    ]
    return sorted(apart, key=lambda r: (not r.category, order.index(r.category)))


def _sections(
    results: Sequence[EvalResult], starts: Sequence[int], size: int
) -> tuple[tuple[int, str], ...]:
    """Headings of the categories, each above the first of its rows; starts: the first row of each
    eval.
    """
    if not any(r.category for r in results):
        return ()
    ends = [*starts[1:], size]
    found = [
        (a, r.category or OTHER) for r, a, b in zip(results, starts, ends, strict=True) if b > a
    ]
    return tuple(s for i, s in enumerate(found) if not i or s[1] != found[i - 1][1])


def _stacked(
    results: Sequence[EvalResult],
    theme: Theme,
    make: Callable[[EvalResult, Theme], Table],
    dropped: tuple[str, ...] = (),
) -> Table:
    """The tables of each eval one under the other, with a column for the eval; columns that some
    lack are left out.

    dropped: how notes begin that say nothing of the columns that will be kept.
    """
    tables = [make(r, theme) for r in results]
    tables = [
        replace(t, notes=tuple(n for n in t.notes if not n.startswith(dropped))) for t in tables
    ]
    shared = [c for c in tables[0].columns if all(c in t.columns for t in tables)]
    cells: list[tuple[str, ...]] = []
    values: list[tuple[float | None, ...]] = []
    bold, starts = set(), []
    for r, t in zip(results, tables, strict=True):
        where = [t.columns.index(c) for c in shared]
        starts.append(len(cells))
        bold |= {(len(cells) + i, 1 + where.index(j)) for i, j in t.bold if j in where}
        cells += [(r.eval, *(row[j] for j in where)) for row in t.cells]
        values += [(None, *(row[j] for j in where)) for row in t.values]
    title = tables[0].title.removeprefix(f"{results[0].eval}: ").rstrip(".")
    return Table(
        tables[0].name,
        f"{title[0].upper()}{title[1:]}, on {counted(len(results), 'eval')}.",
        (Column("Eval", "l"), *shared),
        tuple(cells),
        tuple(values),
        _joined(results, [t.notes for t in tables]),
        frozenset(bold),
        _sections(results, starts, len(cells)),
        data=tuple(d for t in tables for d in t.data),
    )


def _joined(results: Sequence[EvalResult], notes: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Sentences that hold for every eval as they are, the others after the names of their evals."""
    where: dict[str, list[str]] = {}
    for r, said in zip(results, notes, strict=True):
        for note in said:
            where.setdefault(note, []).append(r.eval)
    common = [n for n, names in where.items() if len(names) == len(results)]
    own = [f"{', '.join(names)}: {n}" for n, names in where.items() if n not in common]
    # What counts something counts it in each eval.
    return (
        *(f"In each eval: {n}" if _COUNTS.search(n) and len(results) > 1 else n for n in common),
        *own,
    )


_COUNTS = re.compile(r"\d (comparison|question|common question|cluster)s?\b|all pairs,")


def _differences(r: EvalResult, theme: Theme) -> Table:
    return differences_table(r, theme, questions=True)


def _pairs_table(r: EvalResult, theme: Theme) -> Table:
    """Correlations as a list, since every eval would have its own matrix."""
    table = correlations_table(r, theme)
    data = [d for k, d in enumerate(table.data) if k // len(r.models) < k % len(r.models)]
    return replace(
        table,
        columns=(Column("Model", "l"), Column("Other model", "l"), Column("Correlation")),
        cells=tuple((d["model"], d["other"], fixed(d["correlation"], 2)) for d in data),
        values=undefined_is_none([(None, None, d["correlation"]) for d in data]),
    )
