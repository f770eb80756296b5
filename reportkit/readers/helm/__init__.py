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
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.fields import field_names
from reportkit.readers.helm.answers import answers_of, digest_of
from reportkit.readers.helm.metrics import headline_of, is_bookkeeping
from reportkit.readers.helm.numbers import NO_SE as NO_SE
from reportkit.readers.helm.numbers import harness_metrics, of_split
from reportkit.readers.helm.scores import (
    SEPARATE,
    Column,
    Key,
    has_failed,
    is_plain,
    key_of,
    p_correct,
    scores_of,
)
from reportkit.readers.helm.spent import spent
from reportkit.readers.parsing import (
    as_dict,
    as_list,
    content_hash,
    field_text,
    label,
    load_json,
    number,
)
from reportkit.readers.reader import Claim, Guide, Reader, when_changed
from reportkit.scores.columns import ANSWER
from reportkit.scores.run import Run
from reportkit.text.numbers import counted

HARNESS = "helm"
STATS, SPEC = "per_instance_stats.json", "run_spec.json"

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


def claims(file: File) -> Claim:
    if file.name not in (STATS, SPEC, *_PARTS):
        return ""
    spec, stats = file.sibling(SPEC), file.sibling(STATS)
    ours = bool(spec and b'"adapter_spec"' in spec.head())
    if file.name == STATS:
        return "run" if ours or b'"train_trial_index"' in file.head() else ""
    if file.name == SPEC:
        if not ours:
            return ""
        return "part" if stats else "run"  # a run without scores: read says so
    ours = ours or bool(stats and b'"train_trial_index"' in stats.head())
    return "part" if ours and all(n in file.head() for n in _PARTS[file.name]) else ""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A run's files, those that are not there empty."""

    spec: dict[str, Any]
    state: dict[str, Any]
    requests: list[dict[str, Any]]  # of unperturbed questions
    totals: list[dict[str, Any]]  # HELM's own means
    entries: list[Any]  # its numbers of single answers

    @property
    def adapter(self) -> dict[str, Any]:
        return as_dict(self.spec.get("adapter_spec")) or as_dict(self.state.get("adapter_spec"))


def read(file: File) -> list[Run]:
    """One run for each split: HELM gives a mean for each, and its leaderboards show one."""
    if file.name != STATS:
        raise BrokenFile(
            f"{file.path}: a HELM run without {STATS}, so without scores; copy that file too, or "
            "run again"
        )
    entries = load_json(file, list)
    folder = _folder(file, entries)
    if not folder.adapter.get("model"):
        raise BrokenFile(
            f"{file.path}: no {SPEC} with the model's name beside it; copy the whole run folder"
        )
    notes = []
    if not folder.requests:
        notes.append(
            "no scenario_state.json beside it: errors, texts and groups of the questions are "
            "unknown"
        )
    totals = (field_text(as_dict(t.get("name")).get("name")) or "" for t in folder.totals)
    scores = scores_of(entries, notes, set(filter(is_bookkeeping, totals)))
    if not scores:
        raise BrokenFile(
            f"{file.path}: no score of a question in it, only counts and costs; see the metrics "
            "of the run"
        )
    return [_run(file, folder, split, columns, notes) for split, columns in scores.items()]


def _folder(file: File, entries: list[Any]) -> _Folder:
    spec, state = _beside(file, SPEC, dict), _beside(file, "scenario_state.json", dict)
    totals = [as_dict(t) for t in _beside(file, "stats.json", list)]
    requests = [as_dict(r) for r in as_list(state.get("request_states"))]
    plain = [r for r in requests if is_plain(as_dict(r.get("instance")))]
    return _Folder(spec, state, plain, totals, entries)


def _run(
    file: File, folder: _Folder, split: str, scores: dict[str, Column], shared: list[str]
) -> Run:
    """The run of one split. shared: notes that hold for all splits."""
    notes, adapter = list(shared), folder.adapter
    everything = len({str(r["instance"].get("id")) for r in folder.requests})
    requests = [
        r for r in folder.requests if (field_text(r["instance"].get("split")) or "") == split
    ]
    planned = {key_of(r["instance"].get("id"), r) for r in requests}
    failed = {key_of(r["instance"].get("id"), r) for r in requests if has_failed(r)}
    if failed:
        notes.append(
            f"{counted(len(failed), 'answer')} whose request failed: an error here, while HELM "
            "scores the empty answer"
        )
    headline = headline_of(scores, as_list(folder.spec.get("groups")))
    rows = _rows(scores, headline, planned, failed)
    choices: Column = {}
    if _separate(adapter):
        choices = p_correct(requests, failed, notes)
    if choices:
        further = _rows({"p_correct": choices}, "p_correct", planned, failed)
        rows = pd.concat([rows, further], ignore_index=True)
    rows = _with_fields(rows, requests, _sub_splits(scores))
    answers = answers_of(requests)
    if answers:
        keys = zip(rows["question_id"], rows["epoch"], strict=True)
        rows[ANSWER] = [answers.get(Key(question, epoch - 1)) for question, epoch in keys]
    limit = adapter.get("max_eval_instances")
    cut = isinstance(limit, int) and everything >= limit
    name, arguments = _named(folder.spec, file, split)
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
        run_id=_run_id(file, split, created, answers),
        eval_args=arguments,
        created=created,
        written=when_changed(file),
        limit=f"max_eval_instances={limit}" if cut else "",
        shots=field_text(adapter.get("max_train_instances")) or "",
        temperature=field_text(adapter.get("temperature")) or "",
        n_planned=len(planned),
        **spent(folder.entries, split, separate=_separate(adapter)),
        headline=headline,
        p_kind="sequence" if choices else "",
        notes=notes,
        harness_metrics=harness_metrics(of_split(folder.totals, split), scores, failed, rows),
    )


def _separate(adapter: dict[str, Any]) -> bool:
    """Whether each choice was a request of its own."""
    return str(adapter.get("method")).startswith(SEPARATE)


def _beside(file: File, name: str, kind: type) -> Any:
    beside = file.sibling(name)
    return load_json(beside, kind) if beside else kind()


def _rows(
    scores: dict[str, Column], headline: str, planned: set[Key], failed: set[Key]
) -> pd.DataFrame:
    """Scores as rows, the headline first, with the answers that lack it; failed answers are errors
    in every metric.
    """
    columns: dict[str, list[Any]] = {
        c: [] for c in ("question_id", "epoch", "metric", "score", "status", "score_raw")
    }
    for metric in sorted(scores, key=lambda m: m != headline):
        known = scores[metric]
        missing = sorted(planned - set(known)) if metric == headline else []
        for key in [*known, *missing]:
            score = known[key].score if key in known else math.nan
            status = "unscored" if math.isnan(score) else "ok"
            if key in failed:
                status = "error"
            values = (
                key.instance,
                key.trial + 1,
                metric,
                score if status == "ok" else math.nan,
                status,
                None if math.isnan(score) else repr(score),
            )
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
    return pd.DataFrame(columns)


def _sub_splits(scores: dict[str, Column]) -> dict[str, str]:
    """The sub-split of each question, as the scores tell it."""
    return {
        key.instance: answer.sub_split
        for column in scores.values()
        for key, answer in column.items()
        if answer.sub_split
    }


def _with_fields(
    rows: pd.DataFrame, requests: list[Any], sub_splits: dict[str, str]
) -> pd.DataFrame:
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
            **{f"extra_data.{k}": label(v) for k, v in as_dict(instance.get("extra_data")).items()},
        }
    if sub_splits:
        rows = rows.assign(sub_split=rows["question_id"].map(sub_splits))
        for known in fields.values():
            del known["sub_split"]
    if not fields:
        return rows
    names = field_names(list(fields.values()))
    table = pd.DataFrame(
        list(fields.values()), index=list(fields), columns=names, dtype=object
    ).dropna(axis="columns", how="all")
    return rows.join(table, on="question_id")


def _named(spec: dict[str, Any], file: File, split: str) -> tuple[str, str]:
    """The eval's name, and the arguments that choose or word its questions."""
    full = field_text(spec.get("name")) or _last(file.folder, 1)
    name, _, rest = full.partition(":")
    arguments = dict(p.split("=", 1) for p in rest.split(",") if "=" in p)
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


def _run_id(file: File, split: str, created: str, answers: Mapping[Key, str]) -> str:
    """The same where the answers are, whatever the suite."""
    if not answers:
        return f"{_last(file.folder, 2)} {split} {created}".strip()
    told = sorted(f"{key.instance} {key.trial} {digest}" for key, digest in answers.items())
    return f"{_last(file.folder, 1)} {split} {digest_of(told)}"


def _last(path: str, parts: int) -> str:
    return "/".join(re.split(r"[/\\]", path.rstrip("/\\"))[-parts:])


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    prefix="extra_data.",
    columns=("sub_split",),
    guide=Guide(
        harness="HELM",
        files="run folders",
        about="a failed request is an error; HELM itself scores the empty answer.",
    ),
)
