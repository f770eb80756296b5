"""Scores of a HELM run's questions: what HELM wrote, and the probability of the right choice."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from reportkit.readers.choices import p_right
from reportkit.readers.helm.metrics import is_bookkeeping, is_known
from reportkit.readers.parsing import as_dict, as_list, field_text, number
from reportkit.text.numbers import counted

SEPARATE = "multiple_choice_separate"  # methods of which each choice was a request of its own


class Key(NamedTuple):
    """The answer that a number is of."""

    instance: str
    trial: int  # the train trial, from 0


class Scored(NamedTuple):
    score: float
    sub_split: str


Column = dict[Key, Scored]


def is_plain(value: dict[str, Any]) -> bool:
    """Whether an instance or a metric's name is of the question itself, not of a perturbed one."""
    return bool(value) and not value.get("perturbation")


def key_of(id: object, record: dict[str, Any]) -> Key:
    """The question and the train trial that a record is of."""
    trial = record.get("train_trial_index")
    if not isinstance(trial, int) or not 0 <= trial < 10**6:
        trial = 0
    return Key(str(id), trial)


def has_failed(request: dict[str, Any]) -> bool:
    result = request.get("result")
    return not isinstance(result, dict) or result.get("success") is False


# What HELM wrote ----------------------------------------------------------------------------------


def scores_of(
    entries: list[Any], notes: list[str], counts: Iterable[str] = ()
) -> dict[str, dict[str, Column]]:
    """Scores by split, metric, question and trial; nan where HELM counted none. counts: names of
    HELM's further numbers that are no scores.
    """
    entries = [as_dict(e) for e in entries]
    perturbed = sum(bool(e) and not is_plain(e) for e in entries)
    skipped = {*counts}
    unknown: set[str] = set()
    twice = 0
    out: dict[str, dict[str, Column]] = {}
    for entry in filter(is_plain, entries):
        key = key_of(entry.get("instance_id"), entry)
        for metric, name, stat in stats_of(entry):
            if is_bookkeeping(metric):
                skipped.add(metric)
                continue
            if not is_known(metric):
                unknown.add(metric)
            column = out.setdefault(field_text(name.get("split")) or "", {}).setdefault(metric, {})
            twice += key in column
            sub_split = field_text(name.get("sub_split")) or ""
            column.setdefault(key, Scored(number(stat.get("mean")), sub_split))
    told = {
        f"left out: {counted(perturbed, 'answer')} to perturbed questions": perturbed,
        f"{len(skipped)} counts, costs and confidences are not scores: "
        f"{', '.join(sorted(skipped))}": len(skipped),
        f"read as scores, though HELM does not list them: {', '.join(sorted(unknown))}": len(
            unknown
        ),
        f"{counted(twice, 'score')} given again for one question, trial and metric; the first "
        "counts": twice,
    }
    notes += [note for note, count in told.items() if count]
    scored = {split: _scored(columns) for split, columns in out.items()}
    return {split: columns for split, columns in scored.items() if columns}


def stats_of(entry: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Metric, full name and values of each number that HELM has for an unperturbed answer."""
    for stat in map(as_dict, as_list(entry.get("stats"))):
        name = as_dict(stat.get("name"))
        metric = field_text(name.get("name"))
        if metric and is_plain(name):
            yield metric, name, stat


def _scored(columns: dict[str, Column]) -> dict[str, Column]:
    """The metrics that have a score at all."""
    return {
        metric: column
        for metric, column in columns.items()
        if not all(math.isnan(answer.score) for answer in column.values())
    }


# What the log-probabilities say -------------------------------------------------------------------


@dataclass(slots=True)
class _Choices:
    """The choices of one question in one trial."""

    right: list[bool]  # whether each of them is right
    logliks: dict[int, float] = field(default_factory=dict)
    cut: bool = False  # whether a prompt was cut


def p_correct(requests: list[Any], failed: set[Key], notes: list[str]) -> Column:
    """Probability of the right choices among all of a question, where each choice was a request of
    its own.

    A request's log-probability covers the prompt too, which the choices share: it cancels in the
    softmax, unless prompts were cut to different lengths.
    """
    asked = _choices(requests, failed)
    if cut := sum(c.cut for c in asked.values()):
        notes.append(
            f"no p_correct for {counted(cut, 'answer')}: with a prompt that was cut, choices "
            "cannot be compared"
        )
    out: Column = {}
    lacking = 0
    for key, choices in asked.items():
        logliks = [choices.logliks.get(k, math.nan) for k in range(len(choices.right))]
        p = p_right(logliks, [k for k, right in enumerate(choices.right) if right])
        lacking += any(map(math.isnan, logliks))
        if not choices.cut and len(choices.right) > 1 and not math.isnan(p):
            out[key] = Scored(p, "")
    if lacking:
        notes.append(
            f"no p_correct for {counted(lacking, 'answer')}: a choice has no log-probability, so "
            "the others' shares are unknown"
        )
    return out


def _choices(requests: list[Any], failed: set[Key]) -> dict[Key, _Choices]:
    out: dict[Key, _Choices] = {}
    for r in requests:
        index, instance = r.get("reference_index"), r["instance"]
        if not isinstance(index, int) or r.get("request_mode") not in (None, "original"):
            continue
        key = key_of(instance.get("id"), r)
        tags = [as_list(as_dict(x).get("tags")) for x in as_list(instance.get("references"))]
        if key in failed or not 0 <= index < len(tags):
            continue
        choices = out.setdefault(key, _Choices(["correct" in t for t in tags]))
        choices.cut |= bool(r.get("prompt_truncated"))
        completions = as_list(as_dict(r.get("result")).get("completions"))
        if len(completions) == 1:
            choices.logliks[index] = number(as_dict(completions[0]).get("logprob"))
    return out
