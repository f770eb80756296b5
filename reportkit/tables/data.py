"""The data table: what a report was made from, what is missing in it, and whether the harness's own
numbers agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportkit.facts import LeftOut
from reportkit.results import EvalResult, MeanResult, UsageResult
from reportkit.tables.cells import Style
from reportkit.tables.data_notes import data_notes
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import FILES, Note
from reportkit.tables.several import stacked
from reportkit.tables.table import Table
from reportkit.tables.usage import usage_columns, usage_notes, usage_record
from reportkit.text.numbers import DASH, Units, count, counted, noun_of

SHOWN_FILES = 6  # that a table names with their hashes


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of one model."""

    mean: MeanResult
    share: float  # of all questions of the eval
    planned: int | None  # answers, where a log says how many
    errors: int  # also those that count as 0
    runs: int
    usage: UsageResult | None
    check: str  # whether the harness's numbers come out of the rows, with the reason where not

    @property
    def verdict(self) -> str:
        return self.check.partition(": ")[0]


def data(r: EvalResult, style: Style) -> Draft:
    """What was read: questions, answers, what is missing, the files; of logs what was planned, what
    the runs took, and the self-check.
    """
    return _data(r, [r])


def data_of_several(results: Sequence[EvalResult], style: Style) -> Table:
    """The same of several evals below each other: a column that one of them has, all have."""
    return stacked(lambda r, style: _data(r, results))(results, style)


def _data(r: EvalResult, results: Sequence[EvalResult]) -> Draft:
    """results: all evals of the table, which decide what columns there are."""
    logs = any(x.runs for x in results)
    rows = _rows(r)
    specs = [
        ColumnSpec("model", "Model", lambda x: x.mean.model, align="l"),
        ColumnSpec(
            "questions",
            "Questions",
            lambda x: count(x.mean.n_questions),
            lambda x: x.mean.n_questions,
            same=lambda text: noun_of(text, "question"),
        ),
        ColumnSpec(
            "share",
            "of all",
            lambda x: Units(True, 1).number(x.share),
            lambda x: x.share,
            same=lambda text: "all of the eval" if text == "100.0%" else f"{text} of all",
        ),
        ColumnSpec(
            "planned",
            "Planned",
            _planned_text,
            lambda x: x.planned,
            shown=logs,
            same=lambda text: "" if text == DASH else f"{noun_of(text, 'answer')} planned",
            idle=(DASH,),
        ),
        ColumnSpec(
            "answers",
            "Answers",
            lambda x: count(x.mean.n_answers),
            lambda x: x.mean.n_answers,
            core=not _one_each(results),
            same=lambda text: noun_of(text, "answer"),
        ),
        ColumnSpec(
            "unscored",
            "Without a score",
            lambda x: count(x.mean.n_unscored),
            lambda x: x.mean.n_unscored,
            same=lambda text: "none without a score" if text == "0" else f"{text} without a score",
        ),
        ColumnSpec(
            "errors",
            "Errors",
            lambda x: count(x.errors),
            lambda x: x.errors,
            same=lambda text: "no errors" if text == "0" else noun_of(text, "error"),
        ),
        *usage_columns(results, lambda x: x.usage),
        ColumnSpec(
            "check",
            "Harness check",
            lambda x: x.verdict or DASH,
            align="l",
            shown=logs,
            same=lambda text: "" if text == DASH else f"harness check {text}",
            idle=(DASH,),
        ),
    ]
    notes = [
        *_question_notes(r),
        *_check_notes(r, rows),
        *usage_notes(r),
        *_left_notes(r),
        *_decision_notes(r),
        *data_notes(r),
        *_file_notes(r),
    ]
    records = [_csv_record(x, used=any(x.usage for x in results)) for x in rows]
    return Draft(
        *("data", "what was read.", r, specs, rows, notes, records),
        each="Each model" if len(rows) > 1 else r.models[0],
        single=len(results) == 1,
    )


def _rows(r: EvalResult) -> list[_Read]:
    from reportkit.scores.selfcheck import verdict

    rows = []
    usage = {u.model: u for u in r.usage}
    for m, zeroed in zip(r.means, r.zeroed or [0] * len(r.means), strict=True):
        runs = [run for run in r.runs if run.model == m.model]
        known = any(run.n_planned for run in runs)
        checks = [c for run in runs for c in run.checks if c.metric == r.metric]
        rows.append(
            _Read(
                mean=m,
                share=m.n_questions / max(r.n_asked, r.n_questions),
                planned=r.planned(m) if known else None,
                errors=m.n_errors + zeroed,
                runs=sum(len(run.makers()) for run in runs),
                usage=usage.get(m.model),
                check=verdict(checks),
            )
        )
    return rows


def _one_each(results: Sequence[EvalResult]) -> bool:
    """Whether the answers of each row are its questions again, and no log says how many it planned.
    One number for all rows is told in words.
    """
    means = [m for r in results for m in r.means]
    planned = any(run.n_planned for r in results for run in r.runs)
    several = len({m.n_answers for m in means}) > 1
    return several and not planned and all(m.n_answers == m.n_questions for m in means)


def _planned_text(x: _Read) -> str:
    if x.planned is None:
        return DASH
    return count(x.planned)


def _csv_record(x: _Read, *, used: bool) -> dict[str, Any]:
    """used: some log says what its run took."""
    record: dict[str, Any] = {
        "model": x.mean.model,
        "n_questions": x.mean.n_questions,
        "n_clusters": x.mean.n_clusters,
        "n_answers": x.mean.n_answers,
        "n_unscored": x.mean.n_unscored,
        "n_errors": x.errors,
        "n_planned": x.planned,
        "n_runs": x.runs,
        "harness_check": x.check,
    }
    return record | (usage_record(x.usage) if used else {})


def _question_notes(r: EvalResult) -> list[Note]:
    asked = max(r.n_asked, r.n_questions)
    if any(m.n_questions == asked for m in r.means):  # the table says it
        return []
    text = f"{counted(asked, 'question')} in all"
    if r.n_asked > r.n_questions:
        text += f", of which {count(r.n_questions)} have a score"
    return [Note(f"{text}.", "questions", counts=True)]


def _check_notes(r: EvalResult, rows: list[_Read]) -> list[Note]:
    """What the check is, and where it says more than a word, for which models."""
    if not r.runs:
        return []
    makers = dict.fromkeys(
        " ".join(w for w in maker if w) for run in r.runs for maker in run.makers()
    )
    text = (
        f"Harness check: whether the means and standard errors that {', '.join(makers)} printed "
        "come out of the rows."
    )
    models: dict[str, list[str]] = {}
    for x in rows:
        if x.check != x.verdict:
            models.setdefault(x.check, []).append(x.mean.model)
    notes = [Note(text, "check")]
    for check, names in models.items():
        notes.append(Note(f"{', '.join(names)}: the harness check {check}.", "check"))
    return notes


def _left_notes(r: EvalResult) -> list[Note]:
    """Runs that do not count, and files that could not be read."""
    notes = [Note(f"Left out: {_left_out(run)}.", "left out") for run in r.left_out]
    for file in r.unread[:SHOWN_FILES]:
        notes.append(Note(f"Not read: {file.file}: {file.why}.", "unread"))
    if r.unread[SHOWN_FILES:]:
        more = counted(len(r.unread) - SHOWN_FILES, "further file")
        notes.append(Note(f"And {more} not read.", "unread"))
    return notes


def _left_out(left: LeftOut) -> str:
    text = f"{left.run.model}, {left.run.file}"
    if left.run.created:
        text += f" of {left.run.created[:10]}"
    text += f": {left.why}"
    if left.instead:
        text += f" {left.instead}"
    return text


def _decision_notes(r: EvalResult) -> list[Note]:
    notes = []
    options = ", ".join(f"{k} = {v}" for k, v in r.options.items() if k != "aliases")
    if options:
        notes.append(Note(f"Decided for this eval: {options}.", "options"))
    if any(r.zeroed):
        rule = "answers that failed or were not given count as 0"
    else:
        rule = "no 0 takes its place"  # not last: "0. scores.csv" began a line
    notes.append(Note(f"A missing score is left out; {rule}.", "missing"))
    return notes


def _file_notes(r: EvalResult) -> list[Note]:
    notes = []
    for s in r.sources[:SHOWN_FILES]:
        text = f"{s.file}: {counted(s.rows, 'row')}, SHA-256 {s.sha256[:12]}."
        notes.append(Note(text, "file"))
    if r.sources[SHOWN_FILES:]:
        more = counted(len(r.sources) - SHOWN_FILES, "further file")
        notes.append(Note(f"And {more}.", "file"))
        notes.append(Note("manifest.json names all of them.", FILES))
    return notes
