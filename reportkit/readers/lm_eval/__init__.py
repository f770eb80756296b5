"""lm-evaluation-harness (lm-eval 0.4.13): samples_<task>_<stamp>.jsonl is a run;
results_<stamp>.json names its model and groups. lmms-eval (of August 2026) is a dialect of it.

Each task is an eval of its own, as is each group that lm-eval gives a number for: its results table
shows both, so each of its numbers can be found and checked here under the same name. A group (mmlu)
is its subtasks' questions together, as `subtask/doc_id`, with the columns `subtask` (the natural
cluster) and, where groups are nested, `subgroup`. Group and subtasks hold the same answers: a
report shows one or the other, which is why both stand under one category, the outermost group. A
group without a number, such as a leaderboard, is a list of evals.

Repeats have no scores of their own (a filter chose among them), so there is one epoch. The doc_hash
is the same across models.
"""

import glob
import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.lm_eval.results import Results, load, metrics_of
from reportkit.readers.lm_eval.samples import Samples, parse
from reportkit.readers.parsing import as_dict, field_text, load_json, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.readers.spent import whole_run
from reportkit.scores.run import HarnessMetric, Run

HARNESS = "lm-eval"
# lmms-eval writes the same with the stamp first: <stamp>_results.json, <stamp>_samples_<task>.jsonl
DIALECT = "lmms-eval"
_FIRST = re.compile(r"(\d{8}_\d{6})_(?:results\.json|samples_(.+)\.jsonl)$")
_STAMP = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl?$")
_SAMPLES = re.compile(rb'\s*\{"doc_id":.*"(doc|target)":', re.DOTALL)
_RESULTS = re.compile(rb'\s*\{\s*"results":\s*\{.*_stderr,[^"]+":', re.DOTALL)
# of model_args, as lm-eval looks for them
NAMES_MODEL = ("peft", "delta", "pretrained", "model", "path", "engine")
POOLED = "its error holds for these subtasks alone; for others like them: --cluster subtask"
MACRO = "each subtask counts the same, however many questions it has; ours counts questions"
SINGLE = "one question in each subtask has no spread, so the group has no standard error"
OTHERWISE = "not a mean of scores of questions"
UNSHARED = "not all of its subtasks have scores of questions under this name"


def claims(file: File) -> Claim:
    if _is_samples(file):
        return "run"
    if not _RESULTS.match(file.head()):
        return ""
    try:
        results = Results(load_json(file))
    except BrokenFile:
        return "run"  # read says so
    needed = file.named or results.groups or _lacking(results, _samples(file))
    return "run" if needed else "part"


def read(file: File) -> list[Run]:
    return [_task_run(file)] if _is_samples(file) else _read_results(file)


def _is_samples(file: File) -> bool:
    if not file.head().strip():
        return _is_named_so(file) and bool(_stamp(file))  # empty: read says so
    # A long document may push what follows it out of the first bytes; then the name has to do.
    return bool(_SAMPLES.match(file.head())) and (b'resps":' in file.head() or _is_named_so(file))


def _is_named_so(file: File) -> bool:
    first = _FIRST.match(file.name)
    return file.name.startswith("samples_") or bool(first and first[2])


def _read_results(file: File) -> list[Run]:
    """The groups; the tasks too where the user named this file and not the folder."""
    results, beside = load(file), _samples(file)
    if not beside:
        raise BrokenFile(
            f"{file.path}: results without scores of questions; run lm-eval with --log_samples, "
            "or copy the samples_*.jsonl files too"
        )
    groups = {
        g: [t for t in leaves if t in results.numbers] for g, leaves in results.leaves.items()
    }
    wanted = {t for leaves in groups.values() for t in leaves}
    tasks = {}
    for sample in beside:
        task = _task(sample, results)
        if file.named or task in wanted:
            tasks[task] = _task_run(sample)
    runs = list(tasks.values()) if file.named else []
    problems = []
    if missing := _lacking(results, beside):
        problems.append(
            f"no samples file of {', '.join(map(repr, missing[:5]))}; copy the whole folder"
        )
    for group, leaves in groups.items():
        there = [tasks[t] for t in leaves if t in tasks]
        if not there or len(there) < len(leaves):
            problems.append(
                f"group {group!r} is left out: not all of its subtasks have a samples file"
            )
        elif not _shared(there):
            problems.append(f"group {group!r} is left out: its subtasks have no metric in common")
        else:
            runs.append(_group_run(file, results, group, there))
    if not runs and problems:
        raise BrokenFile(f"{file.path}: {'; '.join(problems)}")
    file.lacks += problems
    return runs


# Names and neighbours -----------------------------------------------------------------------------


def _stamp(file: File) -> str:
    match = _FIRST.match(file.name) or _STAMP.search(file.name)
    return match[1] if match else ""


def _samples(results: File) -> list[File]:
    """The samples files of a results file: the stamp is the only link. Names come from the listing,
    never from the log.
    """
    stamp = _stamp(results)
    if _FIRST.match(results.name):
        return results.siblings(f"{stamp}_samples_*.jsonl")
    return results.siblings(f"samples_*_{glob.escape(stamp)}.jsonl") if stamp else []


def _results_of(samples: File) -> tuple[Results, list[str]]:
    """What the results file of a samples file says, and a note where there is none."""
    stamp = _stamp(samples)
    pattern = f"*_{glob.escape(stamp)}.json"
    if _FIRST.match(samples.name):
        pattern = f"{stamp}_results.json"
    for file in samples.siblings(pattern) if stamp else []:
        if _RESULTS.match(file.head()):
            try:
                return load(file), []
            except BrokenFile as error:
                return Results(), [
                    f"model, version and settings are unknown, the folder names the model: {error}"
                ]
    return Results(), [
        "no results file of the same stamp beside it: the folder names the model, settings are "
        "unknown"
    ]


def _task(samples: File, results: Results) -> str:
    """The task of a samples file; older versions wrote a "_" for each odd character of its name."""
    stem = samples.name.removesuffix(".jsonl").removesuffix(f"_{_stamp(samples)}")
    stem = stem.removeprefix(f"{_stamp(samples)}_").removeprefix("samples_")
    if stem in results.numbers:
        return stem
    return next((t for t in results.numbers if re.sub(r"\W", "_", t) == stem), stem)


def _lacking(results: Results, beside: list[File]) -> list[str]:
    """Tasks that the results name and no samples file holds."""
    return results.without({_task(s, results) for s in beside})


# Runs ---------------------------------------------------------------------------------------------


def _task_run(file: File) -> Run:
    results, notes = _results_of(file)
    task = _task(file, results)
    config = as_dict(as_dict(results.get("configs")).get(task))
    samples = parse(file, config)
    planned = number(as_dict(as_dict(results.get("n-samples")).get(task)).get("effective"))
    if planned > samples.n_questions:
        raise BrokenFile(
            f"{file.path}: {samples.n_questions} of the {planned:.0f} questions of its results "
            "file; if it was "
            "cut off on its way, copy it again"
        )
    own = _harness_metrics(results.numbers.get(task), samples, results.lower(task))
    own = [_without_lost(told, samples.rows, planned) for told in own]
    settings = as_dict(config.get("generation_kwargs"))
    return replace(
        _run(file, results, task, samples.rows, notes + samples.notes),
        temperature=field_text(settings.get("temperature")) or "",
        n_planned=samples.n_questions,
        harness_metrics=own,
        p_kind=samples.p_kind,
        headline=samples.headline,
    )


def _run(file: File, results: Results, name: str, rows: pd.DataFrame, notes: list[str]) -> Run:
    """What tasks and groups have alike."""
    config, stamp = as_dict(results.get("config")), _stamp(file)
    folder = re.split(r"[/\\]", file.folder)[-1] or "model"
    model = field_text(results.get("model_name")) or folder
    arguments = config.get("model_args")
    keys = (
        list(arguments)
        if isinstance(arguments, dict)
        else re.findall(r"(\w+)=", str(arguments or ""))
    )
    if results and not any(k in NAMES_MODEL for k in keys):
        notes = [
            *notes,
            f"the model's arguments do not name it, so lm-eval made up {model!r}: give it a name",
        ]
    version = as_dict(results.get("versions")).get(name)
    limit = config.get("limit")
    return Run(
        DIALECT if _FIRST.match(file.name) else HARNESS,
        name,
        model,
        rows,
        file=file.path,
        sha256=file.sha256(),
        run_id=f"{model}/{name}/{stamp}" if stamp else "",
        eval_version="" if version in (None, "N/A") else field_text(version) or "",
        harness_version=field_text(results.get("lm_eval_version")) or "",
        created=_created(results.get("date"), stamp),
        limit="" if limit is None else f"limit={field_text(limit)}",
        shots=field_text(as_dict(results.get("n-shot")).get(name)) or "",
        category=results.category(name),
        notes=notes,
        **whole_run(
            results.get("total_evaluation_time_seconds"), len(as_dict(results.get("n-samples")))
        ),
    )


def _created(date: object, stamp: str) -> str:
    """UTC from the results; without them the stamp, which is local time."""
    try:
        return datetime.fromtimestamp(number(date), UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        if digits := re.fullmatch(r"(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)", stamp):
            return "{}-{}-{}T{}:{}:{}".format(*digits.groups())
        day, _, time = stamp.partition("T")
        return f"{day}T{time.split('.')[0].replace('-', ':')}" if stamp else ""


def _group_run(file: File, results: Results, group: str, tasks: list[Run]) -> Run:
    inside, shared = results.leaves[group], _shared(tasks)
    frames = []
    for task in tasks:
        rows = task.rows[task.rows["metric"].isin(shared)]
        frames.append(
            rows.assign(
                question_id=task.eval + "/" + rows["question_id"],
                subtask=task.eval,
                subgroup=inside[task.eval] or None,
            )
        )
    together = pd.concat(frames, ignore_index=True)
    if not any(inside.values()):
        together = together.drop(columns="subgroup")
    every = [n for t in tasks for n in t.notes]
    notes = [f"{n} (in {every.count(n)} of {len(tasks)} subtasks)" for n in dict.fromkeys(every)]
    run = _run(file, results, group, together, notes)
    lower = set.union(*(results.lower(name) for name in (group, *inside)))
    told = metrics_of(as_dict(results.get("groups")).get(group))
    own = {metric: numbers for metric, numbers in told.items() if metric in shared}
    named = [
        HarnessMetric(metric, *numbers, how="", reason=UNSHARED)
        for metric, numbers in told.items()
        if metric not in shared
    ]
    # A group is a copy where its subtasks are copies.
    parts = hashlib.sha256("".join(sorted(t.sha256 for t in tasks)).encode()).hexdigest()
    return replace(
        run,
        sha256=parts,
        headline=next(iter(own), ""),
        n_planned=sum(t.n_planned for t in tasks),
        shots=run.shots if len({t.shots for t in tasks}) == 1 else "",
        temperature=_same(t.temperature for t in tasks),
        p_kind=_same(t.p_kind for t in tasks),
        harness_metrics=[
            replace(
                _group_metric(together, metric, mean, se),
                lower_is_better=metric.partition(",")[0] in lower,
            )
            for metric, (mean, se) in own.items()
        ]
        + named,
    )


def _shared(tasks: list[Run]) -> set[str]:
    """Metrics that all of them have."""
    return set.intersection(*(set(t.rows["metric"]) for t in tasks))


def _same(values: Iterable[str]) -> str:
    """The one value, or "" where there are several."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else ""


# What lm-eval says --------------------------------------------------------------------------------


def _harness_metrics(numbers: object, samples: Samples, lower: set[str]) -> list[HarnessMetric]:
    out = []
    for name, (mean, se) in metrics_of(numbers).items():
        reason = samples.aggregations.get(name, "") if name in samples.metrics else OTHERWISE
        out.append(HarnessMetric(name, mean, se, how="" if reason else "mean", reason=reason,
                                 lower_is_better=name.partition(",")[0] in lower))  # fmt: skip
    return out


def _without_lost(told: HarnessMetric, rows: pd.DataFrame, planned: float) -> HarnessMetric:
    """A number that is not compared where the file lost answers of its metric and filter."""
    n = int((rows["metric"] == told.metric).sum())
    if not told.how or not n < planned:
        return told
    why = f"the file holds {n} of the {planned:.0f} questions that lm-eval scored"
    return replace(told, how="", reason=why)


def _group_metric(rows: pd.DataFrame, metric: str, mean: float, se: float) -> HarnessMetric:
    """A group's number: weighted by questions (how "pooled") or the plain mean of its subtasks
    ("macro"), whichever it is.
    """
    scores = rows.loc[(rows["metric"] == metric) & rows["score"].notna()]
    plain = float(scores.groupby("subtask", sort=False)["score"].mean().mean())
    macro = abs(plain - mean) < abs(float(scores["score"].mean()) - mean) - 1e-12
    how, reason = ("macro", MACRO) if macro else ("pooled", POOLED)
    single = SINGLE if not scores["subtask"].duplicated().any() else ""
    return HarnessMetric(
        metric, mean, se, how=how, cluster="subtask", reason=reason, se_reason=single
    )


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    prefix="doc.",
    columns=("subtask", "subgroup"),
    guide=Guide(
        harness="lm-evaluation-harness",
        files="`samples_*.jsonl` with `results_*.json`",
        about="needs `--log_samples`; a group [is an eval too](suites.md#over-the-evals).",
    ),
)
