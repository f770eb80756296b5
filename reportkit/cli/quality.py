"""Data quality in words: what is there, what is missing, which rules are broken, what could be a
cluster.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from reportkit.analysis.copies import copies
from reportkit.analysis.mixed import alike, mixed_units
from reportkit.analysis.questioned import UNMASK, copied, decide, mixed
from reportkit.analysis.questions import common_means
from reportkit.analysis.settings import unlike
from reportkit.decisions import Decisions
from reportkit.errors import ReportkitError, UnknownNameError, did_you_mean
from reportkit.facts import LeftOut, RunFacts, SelfCheck
from reportkit.inputs.sources import told_apart
from reportkit.loading.declared import decided_scores
from reportkit.loading.evals import check_baseline
from reportkit.scores.candidates import candidates_text, cluster_candidates
from reportkit.scores.ranges import proposed_range
from reportkit.scores.scores import Scores
from reportkit.scores.select import EvalScores, is_share, select, sound_scores, validate
from reportkit.scores.selfcheck import verdict
from reportkit.text.numbers import DASH, Units, count, counted, listed, span

SHOWN = 3  # files of one reason that are named


def check_lines(
    scores: Scores, name: str, models: Sequence[str], d: Decisions, is_sound: bool = False
) -> tuple[list[str], bool]:
    """Lines for a terminal about one eval, and whether it can be reported on.

    d: what is decided for it. is_sound: `validate` finds nothing in its rows, as they are.
    """
    of_eval = as_read = scores.of(name)
    rows = of_eval.rows
    if rows.empty:
        raise UnknownNameError(f"no eval {name!r}{did_you_mean(name, scores.evals)}")
    metrics = rows["metric"].unique()
    told = f"metric {metrics[0]}"
    if len(metrics) > 1:
        told = f"metrics {listed(metrics)}; the headline is {d.metric or metrics[0]}"
    lines = [
        name,
        f"  {counted(len(rows), 'row')}, {counted(rows['question_id'].nunique(), 'question')}, "
        f"{counted(rows['model'].nunique(), 'model')}, {told}",
    ]
    declared, sound, broken = "", True, []
    try:
        of_eval = decided_scores(of_eval, name, d)
        rows = of_eval.rows
        broken = [] if is_sound and of_eval is as_read else validate(of_eval)
        lines += [f"  BROKEN {v.rule}: {v.message.partition(': ')[2]}" for v in broken]
        check_baseline(of_eval, name, d.baseline)
        take = select if broken else sound_scores
        chosen = take(of_eval, name, models=models, metric=d.metric, cluster=d.cluster)
        declared = chosen.cluster_field
        runs = of_eval.facts.runs
        apart = unlike(chosen.models, chosen.shots, chosen.limits, runs)
        lines += [*_models(chosen), *(f"  unlike: {t}" for t in apart), *_doubtful(chosen)]
    except ReportkitError as error:
        sound = False
        if not broken:
            lines.append(f"  BROKEN {error}")
    lines += _candidates(rows, declared)
    runs = [r for r in of_eval.facts.runs if not models or r.model in models]
    return [*lines, *_runs(runs)], sound


def wrapped(lines: Sequence[str], width: int) -> list[str]:
    """Lines for a terminal of that width: broken between words alone, what follows further in than
    the line began.

    >>> wrapped(["  a longer/name here"], 12)
    ['  a', '      longer/name', '      here']
    """
    from rich.cells import cell_len

    out = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip(" "))]
        first, *words = line[len(indent) :].split(" ")
        now = indent + first
        for word in words:
            if cell_len(f"{now} {word}") > width:
                out.append(now)
                now = f"{indent}    {word}"
            else:
                now = f"{now} {word}"
        out.append(now)
    return out


def alike_lines(models: Sequence[str]) -> list[str]:
    """Names of models that look the same in print; empty where none do."""
    lines = [
        f"  doubtful: {' and '.join(map(repr, names))} differ by case or spaces alone: if they are "
        "one model, give it one name: of a table in its rows, of logs under [aliases] in "
        "reportkit.toml."
        for names in alike(models)
    ]
    return ["", "models", *lines] if lines else []


def left_lines(
    out: Sequence[LeftOut], skipped: Sequence[tuple[str, str]], evals: Sequence[str] = ()
) -> list[str]:
    """What is not in the scores: runs that a policy leaves out, with the reason and the self-check,
    and files not read.

    evals: only the runs of these, where there are any.
    """
    known = {(r.run.file, _why(r)) for r in out}
    out = [r for r in out if not evals or {*evals} & {*r.evals}]
    lines = ["", f"{counted(len(out), 'run')} left out"] if out else []
    for left in out:
        run = left.run
        lines.append(f"  {run.model} on {run.eval}, {run.file}: {_why(left)}")
        if found := verdict(run.checks):
            lines.append(f"    its harness's own numbers: {found}")
    reasons: dict[str, list[str]] = {}
    for path, why in skipped:
        if (path, why) not in known:
            reasons.setdefault(why, []).append(path)
    lines += ["", f"{counted(sum(map(len, reasons.values())), 'file')} skipped"] if reasons else []
    for why, paths in reasons.items():
        more = f" and {count(len(paths) - SHOWN)} more" if len(paths) > SHOWN else ""
        lines += [
            f"  {why}:",
            *(f"    {p}" for p in paths[:SHOWN]),
            *([f"   {more}"] if more else []),
        ]
    return lines


def _why(left: LeftOut) -> str:
    return f"{left.why} {left.instead}".rstrip()


def _runs(runs: Sequence[RunFacts]) -> list[str]:
    """The runs of an eval: where each comes from, what it planned and scored, and its harness's
    numbers beside ours.
    """
    said: dict[str, list[str]] = {}
    for run in runs:
        kind = f"p_correct is the probability of the {_P_KINDS.get(run.p_kind, run.p_kind)}"
        for note in [*([kind] if run.p_kind else []), *run.notes]:
            said.setdefault(note, []).append(run.model)
    lines = [
        f"  note{'' if len(w) == len(runs) else ' on ' + ', '.join(w)}: {note}"
        for note, w in said.items()
    ]
    lines += ["  runs, and the harness's own numbers beside ours"] if runs else []
    files = told_apart([run.file for run in runs])
    for run in runs:
        maker = " ".join(w for w in (run.harness, run.harness_version) if w)
        planned = [f"{count(run.n_planned)} planned"] if run.n_planned else []
        counts = [f"{count(run.counts.get(s, 0))} {told}" for s, told in _COUNTS.items()
                  if s in run.counts or s == "ok"]  # fmt: skip
        lines.append(
            f"    {run.model}: {', '.join([*planned, *counts])} ({maker}, {files[run.file]})"
        )
        lines += [f"      {line}" for line in _numbers(run.checks)]
    return lines


_COUNTS = {"ok": "scored", "error": "errored", "unscored": "unscored", "invalidated": "invalidated"}
_P_KINDS = {"next-token": "right answer's token", "sequence": "right answer, all its tokens"}


def _numbers(checks: Sequence[SelfCheck]) -> list[str]:
    """The harness's numbers to ten digits, for somebody who looks for them in the log: first those
    that do not agree.
    """
    lines = []
    for c in (c for c in checks if c.agrees is False):
        lines.append(
            f"DIFFERS: {_number(c, c.harness_mean, c.harness_se)}; the rows give "
            f"{_pair(c.mean, c.se)}: {c.reason}"
        )
    for value, what in ((None, "not compared"), (True, "agrees")):
        reasons: dict[str, list[str]] = {}
        for c in (c for c in checks if c.agrees is value):
            reasons.setdefault(c.reason, []).append(_number(c, c.harness_mean, c.harness_se))
        lines += [
            f"{what}: {'; '.join(told)}{': ' + why if why else ''}" for why, told in reasons.items()
        ]
    return lines or ["nothing to compare: the harness left no numbers"]


def _number(c: SelfCheck, mean: float, se: float) -> str:
    name = " ".join(w for w in (c.metric, c.called) if w)
    part = f" where {c.part}" if c.part else ""
    return f"{name} {_pair(mean, se)}{part}{' by ' + c.cluster if c.cluster else ''}"


def _pair(mean: float, se: float) -> str:
    return " ".join(
        [f"{mean:.10g}" if mean == mean else DASH, *([f"(SE {se:.10g})"] if se == se else [])]
    )


def _models(e: EvalScores) -> list[str]:
    n = len(e.questions)
    lines = [
        f"  scores are {_scores_are(e)}; "
        + (
            f"clusters: {e.cluster_field} ({counted(e.clusters.max() + 1, 'group')})"
            if e.clusters is not None
            else "no clusters are declared"
        )
    ]
    lines += _range_lines(e)
    lines += ["  ok: no rule is broken"]
    common, units = common_means(e), _units(e)
    for column, model in enumerate(e.models):
        epochs = e.epochs[:, column]
        answered = int((epochs > 0).sum())
        some = epochs[epochs > 0]
        repeats = ""
        if answered and some.max() > some.min():
            repeats = f", {some.min()} to {some.max()} answers each"
        elif answered and some.max() > 1:
            repeats = f", {some.max()} answers each"
        gaps = [f"{counted(n - answered, 'question')} missing"] if answered < n else []
        if e.n_unscored[column]:
            gaps.append(f"{counted(int(e.n_unscored[column]), 'answer')} unscored")
        if e.n_errors[column]:
            gaps.append(counted(int(e.n_errors[column]), "error"))
        line = f"  {model}: {counted(answered, 'question')}{repeats}"
        if gaps:
            line += f"; {', '.join(gaps)}"
        if answered and 0 < common.n < n:
            mean = units.number(float(e.means[epochs > 0, column].mean()))
            line += f"; mean {mean}, on the common questions "
            line += units.number(float(common.means[column]))
        lines.append(line)
    if common.n < n:
        who = "every model"
        if not (e.epochs > 0).any(axis=0).all():
            who += " that has any"
        verb = "has" if common.n == 1 else "have"
        lines.append(f"  {count(common.n)} of {count(n)} questions {verb} a score from {who}")
    return lines


def _scores_are(e: EvalScores) -> str:
    """Which scores there are, or may be."""
    text = span(f"{e.low:g}", f"{e.high:g}")
    if e.binary:
        low, high = e.unit.ends or (0.0, 1.0)
        text = f"{low:g} or {high:g}"
    if e.unit.known == "declared":
        text += " as declared"
    return text


def _range_lines(e: EvalScores) -> list[str]:
    """A range that the scores may have; never used unless declared."""
    unclear = e.unit.known or mixed_units(e.means, e.models)
    proposed = "" if unclear else proposed_range(np.array([e.low, e.high]))
    if not proposed:
        return []
    return [
        f"  could have a range: {proposed}; declare it with --range EVAL={proposed}, so that the "
        "intervals know its ends"
    ]


def _units(e: EvalScores) -> Units:
    """A decimal of a percent; of scores in their own units, three decimals."""
    if is_share(e.low, e.high):
        return Units(True, 1)
    return Units(False, 3)


def _doubtful(e: EvalScores) -> list[str]:
    """What a careful analyst would ask about the scores."""
    texts = [f"{text}. {UNMASK}" for text in copied(copies(e))]
    units = None if e.unit.known else mixed_units(e.means, e.models)
    texts = [*([mixed(units)] if units else []), *texts]
    return [f"  doubtful: {text}" for text in (*texts, *map(decide, e.flagged))]


def _candidates(rows: pd.DataFrame, declared: str) -> list[str]:
    """The fields that could be clusters, in a line: the first of many."""
    found = cluster_candidates(rows, declared)
    if not found:
        return []
    return [f"  could be clusters: {candidates_text(found)}; declare one with --cluster EVAL=FIELD"]
