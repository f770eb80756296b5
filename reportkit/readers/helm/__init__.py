"""HELM (crfm-helm 0.5.16): a run folder; per_instance_stats.json stands for the run, the files
beside it are its parts.

Ids are unique for one scenario and its arguments, so the arguments belong to the eval, and so does
the split (valid, test): HELM gives a mean for each. A train trial (the same questions after other
examples) is an epoch. Perturbed questions are other questions and are left out. A failed request is
an error; HELM itself scores the empty answer.
"""

import hashlib
import math
import re
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.choices import p_right
from reportkit.readers.fields import field_names
from reportkit.readers.helm.metrics import headline_of, is_bookkeeping, is_known
from reportkit.readers.parsing import as_dict, as_list, content_hash, field_text, load_json, number
from reportkit.readers.reader import Claim, Reader
from reportkit.scores.run import HarnessMetric, Run

HARNESS = "helm"
STATS, SPEC = "per_instance_stats.json", "run_spec.json"
NO_SE = "HELM prints no standard error"

# Each file of a run by its name, with what its beginning must hold.
_PARTS = {
    "scenario_state.json": (b'"adapter_spec"',),
    "stats.json": (b'"name"', b'"count"'),
    "scenario.json": (b'"definition_path"',),
    "instances.json": (b'"input"', b'"references"'),
    "display_predictions.json": (b'"instance_id"', b'"predicted_text"'),
    "display_requests.json": (b'"instance_id"', b'"request"'),
}
# Arguments of a run's name that leave the questions as they are.
_NO_QUESTIONS = {
    "model",
    "model_deployment",
    "max_train_instances",
    "max_eval_instances",
    "num_train_trials",
    "groups",
    "data_augmentation",
}
_Key = tuple[str, int]  # instance id, train trial
_Column = dict[_Key, tuple[float, str]]  # score and sub-split


def claims(file: File) -> Claim:
    if file.name not in (STATS, SPEC, *_PARTS):
        return ""
    spec, stats = file.sibling(SPEC), file.sibling(STATS)
    ours = bool(spec and b'"adapter_spec"' in spec.head())
    if file.name == STATS:
        return "run" if ours or b'"train_trial_index"' in file.head() else ""
    if file.name == SPEC:
        return "" if not ours else "part" if stats else "run"  # without scores: read says so
    ours = ours or bool(stats and b'"train_trial_index"' in stats.head())
    return "part" if ours and all(n in file.head() for n in _PARTS[file.name]) else ""


def read(file: File) -> list[Run]:
    """One run for each split: HELM gives a mean for each, and its leaderboards show one."""
    if file.name != STATS:
        raise BrokenFile(
            f"{file.path}: a HELM run without {STATS}, so without scores; copy that file too, or "
            "run again"
        )
    entries = load_json(file, list)
    spec, state = _beside(file, SPEC, dict), _beside(file, "scenario_state.json", dict)
    totals = [as_dict(t) for t in _beside(file, "stats.json", list)]
    if not (as_dict(spec.get("adapter_spec")) or as_dict(state.get("adapter_spec"))).get("model"):
        raise BrokenFile(
            f"{file.path}: no {SPEC} beside it names the model; copy the whole run folder"
        )
    requests = [
        r
        for r in as_list(state.get("request_states"))
        if _plain(as_dict(as_dict(r).get("instance")))
    ]
    notes = []
    if not requests:
        notes.append(
            "no scenario_state.json beside it: errors, texts and groups of the questions are "
            "unknown"
        )
    scores = _scores(entries, notes)
    if not scores:
        raise BrokenFile(
            f"{file.path}: no score of a question in it, only counts and costs; see the metrics "
            "of the run"
        )
    return [
        _run(file, split, columns, spec, state, requests, totals, list(notes))
        for split, columns in scores.items()
    ]


def _run(
    file: File,
    split: str,
    scores: dict[str, _Column],
    spec: dict[str, Any],
    state: dict[str, Any],
    requests: list[Any],
    totals: list[dict[str, Any]],
    notes: list[str],
) -> Run:
    adapter = as_dict(spec.get("adapter_spec")) or as_dict(state.get("adapter_spec"))
    everything = len({str(r["instance"].get("id")) for r in requests})
    requests = [r for r in requests if (field_text(r["instance"].get("split")) or "") == split]
    planned = {_key(r["instance"].get("id"), r) for r in requests}
    failed = {_key(r["instance"].get("id"), r) for r in requests if _failed(r)}
    if failed:
        notes.append(
            f"{len(failed)} answers have failed requests: errors here, while HELM scores the "
            "empty answer"
        )
    headline = headline_of(scores, as_list(spec.get("groups")))
    rows = _rows(scores, headline, planned, failed)
    if p := _p_correct(requests, str(adapter.get("method")), failed, notes):
        rows = pd.concat(
            [rows, _rows({"p_correct": p}, "p_correct", planned, failed)], ignore_index=True
        )
    rows = _with_fields(rows, requests)
    limit = adapter.get("max_eval_instances")
    name, arguments = _named(spec, file, split)
    created = _created(requests)
    # Two subjects whose scores are the same are no copies.
    identity = hashlib.sha256(
        f"{file.sha256()} {name} {arguments}".encode("utf-8", "replace")
    ).hexdigest()
    return Run(
        HARNESS,
        name,
        str(adapter["model"]),
        rows,
        file=file.path,
        sha256=identity,
        run_id=f"{_last(file.folder, 2)} {split} {created}".strip(),
        eval_args=arguments,
        created=created,
        limit=f"max_eval_instances={limit}"
        if isinstance(limit, int) and everything >= limit
        else "",
        shots=field_text(adapter.get("max_train_instances")) or "",
        temperature=field_text(adapter.get("temperature")) or "",
        n_planned=len(planned),
        headline=headline,
        p_kind="sequence" if p else "",
        notes=notes,
        harness_metrics=_harness_metrics(totals, split, scores, failed, rows),
    )


def _beside(file: File, name: str, kind: type) -> Any:
    found = file.sibling(name)
    return load_json(found, kind) if found else kind()


def _plain(value: dict[str, Any]) -> bool:
    """Whether an instance or a metric's name is of the question itself, not of a perturbed one."""
    return bool(value) and not value.get("perturbation")


def _key(id: object, record: dict[str, Any]) -> _Key:
    trial = record.get("train_trial_index")
    return str(id), trial if isinstance(trial, int) and 0 <= trial < 10**6 else 0


def _failed(request: dict[str, Any]) -> bool:
    result = request.get("result")
    return not isinstance(result, dict) or result.get("success") is False


def _scores(entries: list[Any], notes: list[str]) -> dict[str, dict[str, _Column]]:
    """Scores by split, metric, question and trial; nan where HELM counted none."""
    out: dict[str, dict[str, _Column]] = {}
    perturbed, skipped, unknown, twice = 0, set(), set(), 0
    for entry in map(as_dict, entries):
        if not _plain(entry):
            perturbed += bool(entry)
            continue
        key = _key(entry.get("instance_id"), entry)
        for stat in map(as_dict, as_list(entry.get("stats"))):
            name = as_dict(stat.get("name"))
            metric = field_text(name.get("name"))
            if not metric or not _plain(name):
                continue
            if is_bookkeeping(metric):
                skipped.add(metric)
                continue
            if not is_known(metric):
                unknown.add(metric)
            column = out.setdefault(field_text(name.get("split")) or "", {}).setdefault(metric, {})
            twice += key in column
            column.setdefault(
                key, (number(stat.get("mean")), field_text(name.get("sub_split")) or "")
            )
    if perturbed:
        notes.append(f"{perturbed} answers to perturbed questions are left out")
    if skipped:
        notes.append(
            f"{len(skipped)} counts, costs and confidences are no scores: "
            f"{', '.join(sorted(skipped))}"
        )
    if unknown:
        notes.append(
            f"read as scores, though not among HELM's known ones: {', '.join(sorted(unknown))}"
        )
    if twice:
        notes.append(
            f"{twice} scores stand twice for one question, trial and metric; the first counts"
        )
    scored = {
        s: {m: c for m, c in by.items() if not all(math.isnan(v) for v, _ in c.values())}
        for s, by in out.items()
    }
    return {split: by for split, by in scored.items() if by}


def _rows(
    scores: dict[str, _Column], headline: str, planned: set[_Key], failed: set[_Key]
) -> pd.DataFrame:
    """Scores as rows, the headline first, with the answers that lack it; failed answers are errors
    in every metric.
    """
    columns: dict[str, list[Any]] = {
        c: [] for c in ("question_id", "epoch", "metric", "score", "status", "score_raw")
    }
    for metric in sorted(scores, key=lambda m: m != headline):
        found = scores[metric]
        missing = sorted(planned - set(found)) if metric == headline else []
        for key in [*found, *missing]:
            score, _ = found.get(key, (math.nan, ""))
            status = "error" if key in failed else "unscored" if math.isnan(score) else "ok"
            values = (key[0], key[1] + 1, metric, score if status == "ok" else math.nan, status,
                      None if math.isnan(score) else repr(score))  # fmt: skip
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
    return pd.DataFrame(columns)


def _p_correct(requests: list[Any], method: str, failed: set[_Key], notes: list[str]) -> _Column:
    """Probability of the right choices among all of a question, where each choice was a request of
    its own.

    A request's log-probability covers the prompt too, which the choices share: it cancels in the
    softmax, unless prompts were cut to different lengths.
    """
    if not method.startswith("multiple_choice_separate"):
        return {}
    choices: dict[_Key, dict[int, float]] = {}
    right: dict[_Key, list[bool]] = {}  # whether each choice of a question is right
    cut = set()
    for r in requests:
        index, instance = r.get("reference_index"), r["instance"]
        if not isinstance(index, int) or r.get("request_mode") not in (None, "original"):
            continue
        key = _key(instance.get("id"), r)
        references = [as_list(as_dict(x).get("tags")) for x in as_list(instance.get("references"))]
        if key in failed or not 0 <= index < len(references):
            continue
        if r.get("prompt_truncated"):
            cut.add(key)
        right.setdefault(key, ["correct" in tags for tags in references])
        completions = as_list(as_dict(r.get("result")).get("completions"))
        if len(completions) == 1:
            choices.setdefault(key, {})[index] = number(as_dict(completions[0]).get("logprob"))
    if cut:
        notes.append(
            f"no p_correct for {len(cut)} answers: their prompts were cut, so their choices do "
            "not compare"
        )
    out: _Column = {}
    lacking = 0
    for key, told in right.items():
        logliks = [choices.get(key, {}).get(k, math.nan) for k in range(len(told))]
        p = p_right(logliks, [k for k, correct in enumerate(told) if correct])
        lacking += any(map(math.isnan, logliks))
        if key not in cut and len(told) > 1 and not math.isnan(p):
            out[key] = p, ""
    if lacking:
        notes.append(
            f"no p_correct for {lacking} answers: a choice has no log-probability, so the "
            "others' shares are unknown"
        )
    return out


def _with_fields(rows: pd.DataFrame, requests: list[Any]) -> pd.DataFrame:
    """Rows with the questions' hashes, sub-splits and further data as columns."""
    fields: dict[str, dict[str, str | None]] = {}
    for r in requests:
        instance = r["instance"]
        id = str(instance.get("id"))
        if id in fields:
            continue
        references = [as_dict(x) for x in as_list(instance.get("references"))]
        texts = [as_dict(x.get("output")).get("text") for x in references]
        right = [
            t for t, x in zip(texts, references, strict=True) if "correct" in as_list(x.get("tags"))
        ]
        fields[id] = {
            "content_hash": content_hash(as_dict(instance.get("input")), texts, right),
            "sub_split": field_text(instance.get("sub_split")),
            **{
                f"extra_data.{k}": field_text(v)
                for k, v in as_dict(instance.get("extra_data")).items()
            },
        }
    if not fields:
        return rows
    names = field_names(list(fields.values()))
    table = pd.DataFrame(
        list(fields.values()), index=list(fields), columns=names, dtype=object
    ).dropna(axis="columns", how="all")
    return rows.join(table, on="question_id")


def _harness_metrics(
    totals: list[dict[str, Any]],
    split: str,
    scores: dict[str, _Column],
    failed: set[_Key],
    rows: pd.DataFrame,
) -> list[HarnessMetric]:
    """HELM's means over trials of means over questions, one for each metric (and sub-split) of a
    split.
    """
    out = []
    trials = rows.groupby(["metric", "question_id"]).size().groupby("metric").nunique()
    uneven = set(trials.index[trials > 1])
    for stat in totals:
        name = as_dict(stat.get("name"))
        metric, mean = field_text(name.get("name")) or "", number(stat.get("mean"))
        if (
            metric not in scores
            or not _plain(name)
            or math.isnan(mean)
            or (name.get("split") or "") != split
        ):
            continue
        part = field_text(name.get("sub_split")) or ""
        if {part} != {sub for _, sub in scores[metric].values()}:
            out.append(
                HarnessMetric(
                    metric,
                    mean,
                    how="part",
                    reason=f"HELM's mean is of sub-split {part!r} alone; {NO_SE}",
                )
            )
            continue
        why = [f"HELM scores the {len(failed)} answers whose requests failed"] if failed else []
        why += (
            ["questions differ in their number of trials, and HELM averages trials"]
            if metric in uneven
            else []
        )
        by_trial = (
            pd.Series({key: score for key, (score, _) in scores[metric].items()})
            .groupby(level=1)
            .mean()
        )
        out.append(
            HarnessMetric(
                metric, mean, reason="; ".join([*why, NO_SE]), counted_mean=float(by_trial.mean())
            )
        )
    return out


def _named(spec: dict[str, Any], file: File, split: str) -> tuple[str, str]:
    """The eval's name, and the arguments that choose or word its questions."""
    full = field_text(spec.get("name")) or _last(file.folder, 1)
    name, _, told = full.partition(":")
    arguments = dict(p.split("=", 1) for p in told.split(",") if "=" in p)
    arguments = {k: v for k, v in arguments.items() if k not in _NO_QUESTIONS}
    scenario = as_dict(as_dict(spec.get("scenario_spec")).get("args"))
    arguments = (
        {k: str(v) for k, v in scenario.items()} | arguments | ({"split": split} if split else {})
    )
    return name, ", ".join(f"{k}={v}" for k, v in sorted(arguments.items()))


def _created(requests: list[Any]) -> str:
    """When the last request was made: the files hold no date of the run."""
    stamps = [number(as_dict(r.get("result")).get("request_datetime")) for r in requests]
    last = max((s for s in stamps if 0 < s < 1e11), default=0.0)
    return datetime.fromtimestamp(last, UTC).isoformat() if last else ""


def _last(path: str, parts: int) -> str:
    return "/".join(re.split(r"[/\\]", path.rstrip("/\\"))[-parts:])


READER = Reader(
    name=HARNESS, claims=claims, read=read, prefix="extra_data.", columns=("sub_split",)
)
