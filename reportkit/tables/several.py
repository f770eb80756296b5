"""Tables over several evals."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from reportkit.analysis.suite import by_category
from reportkit.results import EvalResult, MeanResult
from reportkit.tables.captions import intervals_of, metrics_of, of_each, sentence
from reportkit.tables.cells import (
    Style,
    estimate_cell,
    estimate_fields,
    estimate_words,
)
from reportkit.tables.columns import questions_column
from reportkit.tables.data_notes import OTHER, data_notes, mark_of, other_notes
from reportkit.tables.draft import (
    ColumnSpec,
    Draft,
    category_sections,
    filled,
    table_of_several,
)
from reportkit.tables.grid import MODEL_KEY
from reportkit.tables.means import means
from reportkit.tables.notes import (
    FILES,
    NAMED,
    Note,
    fictional_notes,
    how_tested,
    joined_notes,
    missing_notes,
    score_notes,
    untold_note,
)
from reportkit.tables.scales import scales_of
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count, counted, percent_of, share_of

MODEL_COLUMNS = 8  # models up to which each has a column of its own


def all_models(results: Sequence[EvalResult]) -> list[str]:
    """The models of all evals, in the order in which they first appear."""
    return list(dict.fromkeys(m for r in results for m in r.models))


def stacked(
    one: Callable[[EvalResult, Style], Draft],
) -> Callable[[Sequence[EvalResult], Style], Table]:
    """The maker of a table of several evals from that of one: the evals below each other."""

    def make(results: Sequence[EvalResult], style: Style) -> Table:
        return table_of_several([one(r, style) for r in by_category(results)], style.theme)

    return make


def models_in_columns(
    results: Sequence[EvalResult], style: Style, facts: Sequence[str] | None = None
) -> Table:
    """A row for each eval, a column for each model: the table that most model reports open with.

    facts: keys of the columns before the models: metric, questions, clusters, shots, answers; None:
    those that say something. Bold marks, in each row, the best model and all that the paired test
    does not find lower.
    """
    results = by_category(results)
    before = [s for s in facts_of(results) if (s.shown if facts is None else s.key in facts)]
    models = all_models(results)
    specs = [
        ColumnSpec("eval", "Eval", lambda r: r.eval, align="l"),
        *before,
        *(model_column(model, results[0], style) for model in models),
    ]
    shown = {spec.key for spec in before}
    notes = notes_of(results, style, shown | {"metric"})  # the caption says it
    if facts is None:
        notes = (*notes, *shots_notes(results))
    table = filled(
        "means",
        title_of_means(results, len(models), style),
        [spec.column for spec in specs],
        [[spec.cell(r) for spec in specs] for r in results],
    )
    return replace(
        table,
        fit=True,
        notes=notes,
        sections=category_sections(results, range(len(results)), len(results)),
        scales=scales_of((r.eval, r.scale, r.lower) for r in results),
        data=tuple(d for r in results for d in means(r, style).csv_records()),
    )


def title_of_means(results: Sequence[EvalResult], models: int, style: Style) -> str:
    """The caption of a table of evals by models."""
    words = estimate_words("mean score", results[0], style)
    intervals = ""
    if style.theme in ("ci", "pm"):
        intervals = intervals_of([m for r in results for m in r.means], results[0].level)
    return (
        f"{words[0].upper()}{words[1:]} of {counted(models, 'model')} on "
        f"{counted(len(results), 'eval')}. "
        + sentence(intervals, metrics_of(results), of_each(results))
    )


def facts_of(results: Sequence[EvalResult]) -> list[ColumnSpec]:
    """What is told of each eval before its models; shown where it says something."""
    return [
        ColumnSpec(
            "metric",
            "Metric",
            lambda r: r.metric,
            align="l",
            shown=len({r.metric for r in results}) > 1,
        ),
        questions_column(),
        ColumnSpec(
            "clusters",
            "Clusters",
            lambda r: count(r.n_clusters) if r.clustered else DASH,
            lambda r: r.n_clusters if r.clustered else None,
            shown=any(r.shares_clusters for r in results),
        ),
        ColumnSpec(
            "shots",
            "Shots",
            lambda r: agreed(r.shots),
            shown=len({agreed(r.shots) for r in results}) > 1,
        ),
        ColumnSpec(
            "answers",
            "Answers",
            lambda r: agreed(
                [count(m.n_answers / m.n_questions) for m in r.means if m.n_questions]
            ),
            shown=any(m.n_answers > m.n_questions for r in results for m in r.means),
        ),
    ]


def shots_notes(results: Sequence[EvalResult]) -> tuple[Note, ...]:
    """The shots of all evals, where they are the same; else a column has them."""
    known = {agreed(r.shots) for r in results}
    if len(known) > 1 or known == {DASH}:
        return ()
    return (Note(f"Shots: {known.pop()} in each eval."),)


def model_column(model: str, first: EvalResult, style: Style) -> ColumnSpec:
    """The column of one model; its records are evals, of which first has the level of all."""

    def text(r: EvalResult) -> str:
        if model not in r.models:
            return DASH
        return estimate_cell(r.means[r.models.index(model)], r, style)

    def reader(field: Callable[[MeanResult], float]) -> Callable[[EvalResult], float | None]:
        def read(r: EvalResult) -> float | None:
            if model not in r.models:
                return None
            return field(r.means[r.models.index(model)])

        return read

    fields = estimate_fields(model, first, style)
    return ColumnSpec(
        f"{MODEL_KEY}{model}",
        model,
        text,
        reader(lambda m: m.mean),
        bold=lambda r: model in r.best,
        mark=lambda r: mark_of(r, model),
        fields={name: reader(field) for name, field in fields.items()},
    )


def agreed(values: Sequence[str]) -> str:
    """One value, or the different ones; a dash where nothing is known."""
    return ", ".join(dict.fromkeys(v for v in values if v)) or DASH


def notes_of(results: Sequence[EvalResult], style: Style, shown: set[str]) -> tuple[Note, ...]:
    """What holds of each eval, then what the columns mean."""
    of_scores = [
        [*fictional_notes(r), *_score_sentences(r, style, "metric" in shown)] for r in results
    ]
    notes = [
        *joined_notes(results, of_scores),
        *joined_notes(results, [missing_notes(r) for r in results]),
        *_other_notes(results, style),
        *joined_notes(results, [data_notes(r) for r in results]),
    ]
    if "answers" in shown:
        notes.append(Note("Answers: for each question.", about="answers"))
    if "clusters" in shown and not all(r.clustered for r in results):
        notes.append(Note(f"Clusters {DASH}: none are declared.", about="clusters"))
    if any(model not in r.models for r in results for model in all_models(results)):
        notes.append(Note(f"{DASH}: the model has no scores of that eval."))
    return (*notes, *_bold_note(results))


def _other_notes(results: Sequence[EvalResult], style: Style) -> tuple[Note, ...]:
    """What the mark of means of other questions stands for; of many evals in one sentence."""
    marked = [r for r in results if r.other_questions]
    if len(marked) <= NAMED:
        return joined_notes(results, [other_notes(r, style) for r in results])
    share, model, name = min(
        (o.n_shared / o.n_usual, o.model, r.eval) for r in marked for o in r.other_questions
    )
    text = (
        f"{OTHER}: not of all the questions that most models answered; the smallest share of them "
        f"is {share_of(share)}, of {model} on {name}."
    )
    where = Note("Means on the common questions: column mean_common of the CSV.", FILES)
    return (Note(text, "other questions"), where)


def _score_sentences(r: EvalResult, style: Style, metric_shown: bool) -> list[Note]:
    """What the scores of an eval are; the metric's name needs no words where a column has it."""
    notes = score_notes(r, style)
    return [note for note in notes if not (metric_shown and note.kind == "metric")]


def _bold_note(results: Sequence[EvalResult]) -> tuple[Note, ...]:
    """What bold stands for in rows of several evals, and the mark of a mean."""
    marks = joined_notes(results, [untold_note(r) for r in results])
    shown = [r for r in results if r.best]
    if not shown:
        return marks
    top, worse = "highest", "lower"
    if any(r.lower for r in results):
        top, worse = "best", "worse"
    tests = how_tested(any(len(r.models) > 2 for r in shown))
    text = (
        f"Bold: in each row the {percent_of(results[0].level)} confidence set for the best model: "
        f"the {top} mean, and every model that {tests} not find {worse} at the "
        f"{percent_of(1.0 - results[0].level)} level."
    )
    return (Note(text, "bold"), *marks)
