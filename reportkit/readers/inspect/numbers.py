"""What Inspect computed of a log's scores: every number by its name, with how it is made again from
the rows, or why it is not.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from reportkit.readers.inspect.computations import ANSWERS as EACH
from reportkit.readers.inspect.computations import computation
from reportkit.readers.inspect.values import as_number, row_metric
from reportkit.readers.parsing import as_dict, escaped, label_text, number
from reportkit.scores.run import HarnessMetric
from reportkit.scores.selfcheck import computed, equal, rows_of

OWN = "a metric of the task's own, and the log does not tell how it is computed"
DRAWN = "Inspect draws it at random"
NO_MEAN = "no mean of scores of questions"
ONE = "one question or cluster has no standard error, and Inspect gives 0"
ANSWERS = "each answer counts as a question of its own, where a report takes each question's mean"
MACRO = "each group counts the same, however many questions it has; ours counts questions"
# Inspect's own metrics that nothing in the rows gives again
_NO_MEANS = {
    "perplexity_per_token",
    "perplexity_per_seq",
    "krippendorff_alpha",
    "frequency",
    "aggregate",
}


def harness_metrics(
    log: Any, samples: Sequence[Any], cells: dict[str, list[Any]], rows: pd.DataFrame
) -> list[HarnessMetric]:
    """Each number that Inspect has for a scorer and a reducer."""
    if not log.results:
        return []
    held = _Held(samples, log.results.completed_samples)
    views = [
        _View(log, score, row_metric(score, cells), held, rows) for score in log.results.scores
    ]
    return [told for view in views for told in view.numbers()]


def fields_used(log: Any) -> set[str]:
    """The metadata that Inspect's own numbers are clustered or grouped by."""
    found = set()
    for score in log.results.scores if log.results else []:
        for metric in score.metrics.values():
            inner = as_dict(as_dict(metric.params.get("metric")).get("params"))
            found |= {metric.params.get("cluster"), metric.params.get("group_key")}
            found.add(inner.get("cluster"))
    return {key for key in found if isinstance(key, str) and key}


@dataclass(frozen=True, slots=True)
class _Held:
    """The answers that the log still holds."""

    samples: Sequence[Any]
    completed: int  # answers that were there when Inspect computed its numbers
    known: dict[str, dict[str, set[str]]] = field(default_factory=dict)  # what groups() found

    def questions(self, scorer: str) -> int:
        """Questions with a value of a scorer other than nan."""
        return len({str(s.id) for s in self.samples if self._has(s, scorer)})

    def _has(self, sample: Any, scorer: str) -> bool:
        score = (sample.scores or {}).get(scorer)
        return score is not None and not (
            isinstance(score.value, float) and score.value != score.value
        )

    def groups(self, key: str) -> dict[str, set[str]]:
        """For each group as Inspect calls it, what the rows call it."""
        if key not in self.known:
            found = self.known.setdefault(key, {})
            for sample in self.samples:
                value = (sample.metadata or {}).get(key)
                found.setdefault(str(value), set()).add(label_text(value) or "")
        return self.known[key]


@dataclass(frozen=True, slots=True)
class _Of:
    """What a number is of: all questions, or one group."""

    where: tuple[str, ...] = ()
    problem: str = ""  # why its rows cannot be told
    label: str = ""  # the group's name, where its rows cannot be told


@dataclass(slots=True)
class _Pairs:
    """Means and standard errors, each error with its cluster's column."""

    means: list[tuple[float, str]] = field(default_factory=list)  # and whose they may be
    ses: list[tuple[str, float]] = field(default_factory=list)


@dataclass
class _View:
    """The numbers of one scorer under one reducer."""

    log: Any
    score: Any
    metric: str  # the rows' name
    held: _Held
    rows: pd.DataFrame

    @cached_property
    def reducer(self) -> str:
        """Of a question's answers; "answers" where Inspect took each as it is."""
        if self.score.reducer:
            return str(self.score.reducer)
        several = (self.log.eval.config.epochs or 1) > 1
        n = self.score.scored_samples or 0
        return EACH if several and n > self.held.questions(self.score.scorer) else "mean"

    @cached_property
    def lost(self) -> str:
        """Why nothing can be compared: answers that the log no longer holds, or values that are no
        numbers.
        """
        n, all_ = len(self.held.samples), self.held.completed
        if n < all_:
            return f"the log holds {n} of the {all_} answers that Inspect scored"
        if not len(self._own):
            return "its values are not numbers"
        questions, scored = self.held.questions(self.score.scorer), self.score.scored_samples or 0
        if questions < scored and self.reducer != EACH:
            return (
                f"the log holds {questions} of the {scored} questions that Inspect computed it from"
            )
        return ""

    @cached_property
    def _own(self) -> pd.DataFrame:
        return self.rows[self.rows["metric"] == self.metric]

    def numbers(self) -> Iterator[HarnessMetric]:
        pairs: dict[_Of, _Pairs] = {}
        others = []
        for metric in self.score.metrics.values():
            name, of, params = self._named(metric)
            value = number(metric.value)
            base = _plain(name)
            if base in ("accuracy", "mean"):
                whose = "" if name == base else name
                pairs.setdefault(of, _Pairs()).means.append((value, whose))
            elif base == "stderr":
                cluster = params.get("cluster")
                column = f"metadata.{cluster}" if isinstance(cluster, str) and cluster else ""
                pairs.setdefault(of, _Pairs()).ses.append((column, value))
            else:
                others.append(self._other(name, of, params, value))
        for of, found in pairs.items():
            yield from self._pairs(of, found)
        yield from others

    def _named(self, metric: Any) -> tuple[str, _Of, dict[str, Any]]:
        """What was computed, of which questions, with which parameters."""
        params = as_dict(metric.params)
        key = params.get("group_key")
        if not isinstance(key, str):
            group = getattr(metric, "group", None)
            return (f"{group} {metric.name}" if group else metric.name), _Of(), params
        inner = as_dict(params.get("metric"))
        name = str(inner.get("name") or "")
        label = escaped(str(metric.name))
        if metric.name == params.get("all_label", "all"):
            if params.get("all", "samples") == "samples":
                return name, _Of(), as_dict(inner.get("params"))
            return f"macro {name}", _Of(), {"group_key": key}
        template = str(params.get("name_template") or "{group_name}")
        known = self.held.groups(key)
        # the template is text of the log: its one field is replaced, and nothing is looked up
        called = [g for g in known if template.replace("{group_name}", g) == metric.name]
        values = set().union(*(known[g] for g in called))
        alike = [g for g in known if known[g] & values]  # 4 and 4.0 are two groups to Inspect
        if len(called) != 1 or len(values) != 1 or len(alike) != 1:
            problem = f"the log does not tell which questions are of group {label!r}"
            return name, _Of((), problem, label), as_dict(inner.get("params"))
        return name, _Of((f"metadata.{escaped(key)}", values.pop())), as_dict(inner.get("params"))

    def _pairs(self, of: _Of, found: _Pairs) -> Iterator[HarnessMetric]:
        """Each mean; the first with each standard error."""
        for k, (mean, whose) in enumerate(found.means or [(math.nan, "")]):
            for cluster, se in found.ses if found.ses and k == 0 else [("", math.nan)]:
                how = self.reducer
                if cluster and how == "mean":
                    how = "mean-cr1"
                told = HarnessMetric(self.metric, mean, se, how, cluster)
                yield self._told(told, of, foreign=bool(whose))

    def _other(self, name: str, of: _Of, params: dict[str, Any], value: float) -> HarnessMetric:
        """A number that is neither a mean nor a standard error."""
        how, cluster, why = _recipe(name, params)
        # the name of an interval in a log may be another metric's
        foreign = how.startswith(("lower", "upper", "wilson"))
        if how and self.reducer != "mean":
            how += f" of {self.reducer}"
        told = HarnessMetric(self.metric, value, how=how, cluster=cluster, reason=why)
        return self._told(replace(told, called=_called(name, params)), of, foreign=foreign)

    def _told(self, told: HarnessMetric, of: _Of, *, foreign: bool) -> HarnessMetric:
        """A number with what is known of it. foreign: it may be of a metric that is not Inspect's
        own, and is compared only where it agrees.
        """
        called = " ".join(w for w in (told.called, of.label and f"of group {of.label}") if w)
        told = replace(told, called=called, where=tuple(of.where))
        if not told.how:
            return told
        if self.lost or of.problem:
            return _without(told, self.lost or of.problem)
        if lacking := [c for c in (*of.where[:1], told.cluster) if c and c not in self.rows]:
            return _without(told, f"the log has no field {lacking[0]!r} of its questions")
        counted, one = self._counted(told)
        if foreign and not equal(told, counted):
            return _without(told, OWN)
        why = [self._why(told), self._stopped(), ONE if one else ""]
        reason = next(filter(None, why), "")
        return replace(told, reason=reason, counted_mean=counted[0], counted_se=counted[1])

    def _counted(self, told: HarnessMetric) -> tuple[tuple[float, float], bool]:
        """Our numbers with the answers that were invalidated after the run, as Inspect has them.
        And whether one question or cluster is all there is, of which Inspect says 0.
        """
        own = rows_of(self.rows, told)
        invalid = own["status"] == "invalidated"
        if invalid.any():
            raw = own["score_raw"].map(as_number, na_action="ignore")
            own = own.assign(score=own["score"].where(~invalid, raw).astype(float))
        mean, se = computed(own, told.how, told.cluster, computation)
        if own["score"].isna().all():
            return (0.0, 0.0), False
        if told.called:
            return (0.0 if mean != mean else mean, se), mean != mean
        return (mean, 0.0 if se != se else se), se != se

    def _why(self, told: HarnessMetric) -> str:
        """Why our numbers are not Inspect's, where they are not, or are no report's."""
        if self.reducer == EACH:
            return ANSWERS
        if self.reducer != "mean":
            return f"{self.reducer} of each question's answers, where a report takes their mean"
        own = rows_of(self.rows, told)
        invalidated = int((own["status"] == "invalidated").sum())
        if invalidated:
            return f"Inspect counts the {invalidated} invalidated answers"
        if not (own["status"] == "ok").any() and not told.mean:
            return "no answer is scored, and Inspect gives 0"
        return MACRO if told.how.startswith("macro") else ""

    def _stopped(self) -> str:
        if self.log.status == "success":
            return ""
        return (
            f"the run ended as {self.log.status!r}, and what was scored meanwhile is missing from "
            "Inspect's numbers"
        )


def _plain(name: str) -> str:
    """A metric's name; of one of another package it is not Inspect's for certain."""
    return name.rpartition("/")[2]


def _recipe(name: str, params: dict[str, Any]) -> tuple[str, str, str]:
    """How a number is made again, the column it is clustered by, and else why it is not."""
    if name in ("std", "var"):
        return name, "", ""
    if name == "bootstrap_stderr" or params.get("method") == "bootstrap":
        return "", "", DRAWN
    kind, _, rest = name.partition(" ")
    if kind == "macro" and rest in _INNER:
        return f"macro {_INNER[rest]}", f"metadata.{escaped(params['group_key'])}", ""
    level = params.get("level", 0.95)
    if name in _ENDS and isinstance(level, float) and 0.0 < level < 1.0:
        cluster = params.get("cluster")
        column = f"metadata.{cluster}" if isinstance(cluster, str) and cluster else ""
        return f"{_ENDS[name]} {level!r}", column, ""
    return "", "", NO_MEAN if _plain(kind) in _NO_MEANS else OWN


_INNER = {"accuracy": "mean", "mean": "mean", "std": "std", "var": "var", "stderr": "stderr"}
_ENDS = {
    "ci lower": "lower",
    "ci upper": "upper",
    "ci_wilson lower": "wilson-lower",
    "ci_wilson upper": "wilson-upper",
}


def _called(name: str, params: dict[str, Any]) -> str:
    kind, _, rest = name.partition(" ")
    if kind == "macro":
        return f"{escaped(rest)} averaged over {escaped(params['group_key'])}"
    return escaped(name)


def _without(told: HarnessMetric, why: str) -> HarnessMetric:
    """A number that is named and not compared."""
    return replace(told, how="", reason=why)
