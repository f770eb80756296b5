"""The lines of one samples_*.jsonl of lm-eval: scores of questions by metric and filter, and the
choices' probabilities.
"""

import hashlib
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from reportkit.inputs.files import BrokenFile, File
from reportkit.readers.choices import brier, is_letter, p_right
from reportkit.readers.fields import check_filled, short_fields
from reportkit.readers.parsing import as_dict, as_list, content_hash, json_lines, label, number

# Aggregations whose values of questions are parts of a sum, not scores (a lambada "perplexity" is a
# log-likelihood).
_NO_MEANS = {
    "perplexity",
    "weighted_perplexity",
    "bits_per_byte",
    "f1",
    "matthews_corrcoef",
    "mcc",
    "bleu",
    "chrf",
    "chrf++",
    "ter",
    "word_perplexity",
    "byte_perplexity",
}
_NOT_METRICS = {
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
    # of lmms-eval
    "input",
    "input_media",
    "token_counts",
}
# SHA-256 of JSON's null and {}: a document that the harness did not hash
_OF_NOTHING = tuple(hashlib.sha256(text).hexdigest() for text in (b"null", b"{}"))

LONGEST_FUNCTION = 40  # characters of an aggregation's name; a longer one is code


@dataclass(slots=True)
class Samples:
    rows: pd.DataFrame
    n_questions: int
    headline: str
    p_kind: str = ""
    # metrics that lm-eval does not average, with the reason
    aggregations: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def metrics(self) -> set[str]:
        return set(self.rows["metric"])


@dataclass(slots=True)
class _Line:
    """What is kept of a line: prompts and answers are not."""

    id: str
    hash: str
    filter: str
    scores: dict[str, Any]
    fields: dict[str, str | None]
    logliks: list[float]
    letters: bool
    golds: list[int]


def parse(file: File, config: dict[str, Any]) -> Samples:
    """config: the task's of the results file, empty where that is missing. Raises BrokenFile."""
    lines = [_line(row, f"{file.path}, line {number}") for number, row in json_lines(file)]
    if not lines:
        raise BrokenFile(f"{file.path}: the file is empty; copy it again, or run the eval again")
    names = list(dict.fromkeys((m, line.filter) for line in lines for m in line.scores))
    if {m for m, _ in names} == {"bypass"}:
        raise BrokenFile(
            f"{file.path}: predictions without scores (--predict_only); run lm-eval without it"
        )
    by_filter: dict[str, list[int]] = {}
    for i, line in enumerate(lines):
        by_filter.setdefault(line.filter, []).append(i)
    cells = sum(len(by_filter[chosen]) for _, chosen in names)
    check_filled(file.path, len(names), cells, sum(len(line.scores) for line in lines))
    columns, functions = _Columns(lines), _functions(config)
    for metric, chosen in names:
        if metric != "bypass":
            usual = metric if metric in _NO_MEANS else "mean"
            if any(isinstance(line.scores.get(metric), _Own) for line in lines):
                usual = "the task's own function"
            function = functions.get(metric, usual)
            columns.add_metric(metric, chosen, by_filter[chosen], function)
    if not columns.metrics:
        raise BrokenFile(
            f"{file.path}: no score of any question in it: "
            f"{'; '.join(columns.notes) or 'no metrics'}"
        )
    headline = columns.metrics[0]
    kind = columns.add_p_correct(by_filter[lines[0].filter])
    hashes = {line.id: line.hash for line in lines}
    if twice := len(hashes) - len(set(hashes.values())):
        repeat = "question repeats" if twice == 1 else "questions repeat"
        columns.notes.append(
            f"{twice} {repeat} another one word for word (doc_hash): both are kept"
        )
    rows = columns.rows()
    return Samples(rows, len(hashes), headline, kind, columns.aggregations, columns.notes)


@dataclass(slots=True)
class _Columns:
    """The columns of the rows while they grow, a metric at a time."""

    lines: list[_Line]
    metrics: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    place: list[int] = field(default_factory=list)  # the line that each score is of
    aggregations: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add_metric(self, metric: str, chosen: str, where: list[int], function: str) -> None:
        """The scores of one metric and filter in these lines, unless its values are no scores."""
        name = f"{metric},{chosen}"
        values = [self.lines[i].scores.get(metric) for i in where]
        if metric == "brier_score" and any(isinstance(v, list) for v in values):
            values = [_brier(self.lines[i]) for i in where]
            self.notes.append(f"{name}: recomputed from the log-likelihoods of the choices")
        elif function in _NO_MEANS or not all(_is_number(v) for v in values if v is not None):
            self.notes.append(f"{name} is left out: its values of questions are not scores")
            return
        elif function != "mean":
            short = len(function) < LONGEST_FUNCTION
            named = function if short else "the task's own function"
            self.aggregations[name] = f"aggregated by {named}"
        self._add(name, where, [number(v) for v in values])

    def add_p_correct(self, first: list[int]) -> str:
        """The probability of the right choice in the lines of the first filter, where they have
        choices. What kind of probability it is, or "".
        """
        where = [i for i in first if self.lines[i].logliks]
        if not where:
            return ""
        lines = [self.lines[i] for i in where]
        if problem := _disagree(lines):
            self.notes.append(f"p_correct is left out: {problem}")
            return ""
        self._add("p_correct", where, [p_right(line.logliks, line.golds) for line in lines])
        return "next-token" if all(line.letters for line in lines) else "sequence"

    def _add(self, name: str, where: list[int], scores: list[float]) -> None:
        self.place += where
        self.metrics += [name] * len(where)
        self.scores += scores

    def rows(self) -> pd.DataFrame:
        columns: dict[str, Any] = {
            "question_id": [self.lines[i].id for i in self.place],
            "epoch": 1,
            "metric": self.metrics,
            "score": self.scores,
            "status": ["unscored" if math.isnan(s) else "ok" for s in self.scores],
            "content_hash": [self.lines[i].hash for i in self.place],
        }
        for name, values in short_fields([line.fields for line in self.lines]).items():
            columns[f"doc.{name}"] = [values[i] for i in self.place]
        return pd.DataFrame(columns)


class _Own(float):
    """A score out of an object: the task combines such objects by a function of its own."""


def _score(value: object) -> object:
    """A value of a question; lmms-eval may write an object that has the score beside its answer."""
    if isinstance(value, dict) and isinstance(value.get("score"), int | float):
        return _Own(value["score"])
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _line(row: dict[str, Any], where: str) -> _Line:
    if row.get("doc_id") is None or isinstance(row["doc_id"], dict | list):
        raise BrokenFile(f"{where}: no doc_id; this is no samples file of lm-eval, or was changed")
    doc, named = as_dict(row.get("doc")), as_list(row.get("metrics"))
    metrics = [m for m in (named or row) if isinstance(m, str) and m not in _NOT_METRICS]
    scores = {m: _score(row.get(m)) for m in metrics}
    logliks, texts = _choices(row, "acc_mutual_info" in scores)
    return _Line(
        str(row["doc_id"]),
        _hash(row),
        str(row.get("filter") or "none"),
        scores,
        {k: label(v) for k, v in doc.items() if v is not None},
        logliks,
        all(map(is_letter, texts)),
        _golds(row.get("target"), texts, doc, checked=isinstance(scores.get("acc"), int | float))
        if logliks
        else [],
    )


def _hash(row: dict[str, Any]) -> str:
    """The first digits of the harness's own hash of the document; where it is the hash of none, as
    lmms-eval writes it of a document with a picture, of what was asked.
    """
    digest = row.get("doc_hash")
    if digest in _OF_NOTHING:
        return content_hash([row.get("input"), row.get("input_media")], None, row.get("target"))
    if not (isinstance(digest, str) and re.fullmatch("[0-9a-f]{16,}", digest)):
        return content_hash(row.get("doc"), None, row.get("target"))
    return digest[:16]


def _choices(row: dict[str, Any], halved: bool) -> tuple[list[float], list[str]]:
    """Log-likelihood and text of each choice; empty where the answers are text. halved: the rest is
    unconditional.
    """
    pairs = as_list(row.get("filtered_resps"))
    if len(pairs) < 2 or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        return [], []
    try:
        logliks = [float(p[0]) for p in pairs]  # written as text
    except (TypeError, ValueError, OverflowError):
        return [], []
    arguments = as_dict(row.get("arguments"))
    k = len(pairs) // 2 if halved else len(pairs)
    texts = [str(as_dict(arguments.get(f"gen_args_{i}")).get("arg_1", "")) for i in range(k)]
    return (logliks[:k], texts) if k > 1 else ([], [])


def _golds(target: object, texts: list[str], doc: dict[str, Any], *, checked: bool) -> list[int]:
    """Indices of the right choices: the target is an index, a list of them, or the text of one
    choice; empty where it is none.

    Of several inputs with one continuation (winogrande) all choices have the target's text, and it
    says nothing. Two readings are trusted only if acc is there for _disagree to check them: a
    number that is an index and another choice's text, and a text that the document lists among its
    choices while the model was asked for others, such as letters.
    """
    text, known = str(target).strip(), [t.strip() for t in texts]
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    golds = parsed if isinstance(parsed, list) else [parsed]
    if golds and all(type(g) is int and 0 <= g < len(texts) for g in golds):
        one_reading = all(k in golds for k, t in enumerate(known) if t == text)
        return golds if checked or one_reading else []
    listed = [str(c).strip() for c in as_list(doc.get("choices"))][: len(texts)]
    for choices in (known, listed) if checked else (known,):
        if text in choices:
            return [choices.index(text)] if choices.count(text) == 1 else []
    return []


def _brier(line: _Line) -> float:
    return brier(line.logliks, line.golds[0]) if line.logliks and len(line.golds) == 1 else math.nan


def _disagree(lines: list[_Line]) -> str:
    """Why the right choices are not those that lm-eval scored; "" where acc is what the
    log-likelihoods say.
    """
    if any(not line.golds for line in lines):
        unknown = sum(not line.golds for line in lines)
        return (
            f"the target of {unknown} of {len(lines)} questions does not tell which choice is right"
        )
    for line in lines:
        best = max(range(len(line.logliks)), key=line.logliks.__getitem__)
        acc = line.scores.get("acc")
        if isinstance(acc, int | float) and acc != float(best in line.golds):
            return f"acc of question {line.id!r} is not what its log-likelihoods and target say"
    return ""


def _functions(config: dict[str, Any]) -> dict[str, str]:
    """How a task aggregates its metrics, where it says so."""
    metrics = [as_dict(m) for m in as_list(config.get("metric_list"))]
    return {str(m.get("metric")): str(m["aggregation"]) for m in metrics if m.get("aggregation")}
