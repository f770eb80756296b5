"""Data quality in words: what is there, what is missing, which rules are broken, what could be a cluster."""

from collections.abc import Mapping, Sequence

import pandas as pd

from reportkit.errors import ReportkitError, UnknownNameError, did_you_mean
from reportkit.formatting import count, counted
from reportkit.scores import COLUMNS, EvalScores, names, numbers, select, validate


def check_lines(
    frame: pd.DataFrame, evals: Sequence[str], models: Sequence[str], metric: str, clusters: Mapping[str, str]
) -> tuple[list[str], bool]:
    """Lines for a terminal, and whether every eval can be reported on."""
    lines: list[str] = []
    sound = True
    for name in evals:
        rows = frame[frame["eval"] == name]
        if rows.empty:
            raise UnknownNameError(f"no eval {name!r}{did_you_mean(name, frame['eval'].unique())}")
        lines += [name, f"  {counted(len(rows), 'row')}, {counted(rows['question_id'].nunique(), 'question')}, "
                  f"{counted(rows['model'].nunique(), 'model')}, metric{'s' if rows['metric'].nunique() > 1 else ''} "
                  f"{', '.join(rows['metric'].unique())}"]  # fmt: skip
        broken = validate(rows)
        lines += [f"  BROKEN {v.rule}: {v.message.partition(': ')[2]}" for v in broken]
        try:
            chosen = select(rows, name, models=models, metric=metric, cluster=clusters.get(name, clusters.get("", "")))
            lines += _models(chosen)
        except ReportkitError as error:
            sound = False
            if not broken:
                lines.append(f"  BROKEN {error}")
        lines += [*_candidates(rows), ""]
    return lines[:-1], sound


def _models(e: EvalScores) -> list[str]:
    n = len(e.questions)
    unit = "0 or 1" if e.binary else f"{e.low:g} to {e.high:g}"
    lines = [f"  scores are {unit}; " + (f"clusters: {e.cluster_field}, {count(e.clusters.max() + 1)}"
             if e.clusters is not None else "no clusters are declared")]  # fmt: skip
    lines += ["  ok: no rule is broken"]
    for column, model in enumerate(e.models):
        epochs = e.epochs[:, column]
        answered = int((epochs > 0).sum())
        some = epochs[epochs > 0]
        repeats = f", {some.min()} to {some.max()} answers each" if answered and some.max() > some.min() else ""
        repeats = f", {some.max()} answers each" if answered and some.min() == some.max() > 1 else repeats
        gaps = [f"{count(n - answered)} questions missing"] if answered < n else []
        gaps += [f"{count(int(e.n_unscored[column]))} answers unscored"] if e.n_unscored[column] else []
        gaps += [f"{count(int(e.n_errors[column]))} errors"] if e.n_errors[column] else []
        lines.append(f"  {model}: {counted(answered, 'question')}{repeats}{'; ' + ', '.join(gaps) if gaps else ''}")
    common = int((e.epochs > 0).all(axis=1).sum())
    if common < n:
        lines.append(f"  {count(common)} of {count(n)} questions have a score from every model")
    return lines


def _candidates(rows: pd.DataFrame) -> list[str]:
    """Fields that are the same for every answer to a question and group the questions; never used unless declared."""
    questions = rows["question_id"].nunique()
    found = []
    for column in (c for c in rows.columns if c not in COLUMNS):
        labels = names(rows[column])
        groups = labels.nunique()
        if not 1 < groups < questions or labels.isna().any():
            continue
        # A column of decimals is a measurement, not a label.
        values, text = numbers(rows[column])
        if not text.any() and (values % 1 != 0).any():
            continue
        pairs = pd.DataFrame({"q": rows["question_id"], "c": labels}).drop_duplicates()
        if len(pairs) == questions:
            found.append(f"{column} ({count(groups)} groups)")
    return [f"  could be clusters: {', '.join(found)}; declare one with --cluster EVAL=FIELD"] if found else []
