"""lighteval's own numbers of a task, each with what it is or why it cannot be compared."""

import math
from collections.abc import Iterator
from typing import Any

import pandas as pd

from reportkit.readers.parsing import as_dict, as_list, number
from reportkit.scores.run import HarnessMetric
from reportkit.scores.selfcheck import computed, same

SEVERAL = (
    "the plain mean of several tasks' numbers; beside it stands the mean of their standard errors, "
    "which is not the standard error of that mean"
)
LOST = "the details hold {held} of the {all} questions that lighteval counted"
NO_SCORE = "not a mean of scores of questions"
NEAR = 1e-6  # of a whole number


def harness_metrics(
    told: dict[str, Any], full: str, config: dict[str, Any], rows: pd.DataFrame
) -> tuple[list[HarnessMetric], int]:
    """The numbers of one task, and those of several tasks that it has its part in; and how many
    questions there were, 0 where the details have lost none.

    told: lighteval's numbers of all tasks. full: the task's name there. config: its settings. rows:
    what its details hold.
    """
    numbers = as_dict(told.get(full))
    held = rows["question_id"].nunique()
    asked = number(config.get("effective_num_docs"))
    if not asked > 0:  # -1 in some versions
        asked = _questions_of(numbers, rows)
    lost = LOST.format(held=held, all=f"{asked:.0f}") if asked > held else ""
    own = list(_of_task(numbers, config, rows, lost))
    n_asked = int(asked) if any(lost and m.reason == lost for m in own) else 0
    return [*own, *_of_several(told, full)], n_asked


def _questions_of(numbers: dict[str, Any], rows: pd.DataFrame) -> float:
    """How many questions a mean and its standard error are of; nan where they do not tell.

    Of scores that are 0 or 1, se^2 = m (1 - m) / (n - 1). What comes out counts only where n and
    the right answers m n are whole numbers.
    """
    for name, scores in rows.groupby("metric", sort=False)["score"]:
        mean, se = number(numbers.get(str(name))), number(numbers.get(f"{name}_stderr"))
        if not (0 < mean < 1 and se > 0 and scores.dropna().isin([0.0, 1.0]).all()):
            continue
        n = mean * (1 - mean) / se**2 + 1
        if math.isfinite(n) and all(abs(v - round(v)) < NEAR * max(1, v) for v in (n, mean * n)):
            return float(round(n))
    return math.nan


def _of_task(
    numbers: dict[str, Any], config: dict[str, Any], rows: pd.DataFrame, lost: str
) -> Iterator[HarnessMetric]:
    """lost: what the details lack, a reason for the numbers that do not come out of them."""
    there = set(rows["metric"])
    functions: dict[str, str] = {}
    for metric in map(as_dict, as_list(config.get("metrics"))):
        name, function = metric.get("metric_name"), metric.get("corpus_level_fn")
        for one in name if isinstance(name, list) else [name]:
            functions[str(one)] = str(function.get(one) if isinstance(function, dict) else function)
    for name, mean in numbers.items():
        if name.endswith("_stderr") or not isinstance(mean, int | float):
            continue
        function = functions.get(name, "mean")
        se = number(numbers.get(f"{name}_stderr"))
        reason = NO_SCORE if name not in there else ""
        if not reason and "mean" not in function:
            reason = f"aggregated by {function[:40]}"
        if not reason and lost and not _comes_out(rows[rows["metric"] == name], number(mean), se):
            reason = lost
        yield HarnessMetric(name, number(mean), se, how="" if reason else "mean", reason=reason)


def _comes_out(rows: pd.DataFrame, mean: float, se: float) -> bool:
    ours = computed(rows)
    return same(mean, ours[0]) and (math.isnan(se) or same(se, ours[1]))


def _of_several(results: dict[str, Any], full: str) -> Iterator[HarnessMetric]:
    """lighteval's numbers of several tasks that a task has its part in, by the task's metrics."""
    own = as_dict(results.get(full))
    for name, numbers in results.items():
        family, average, _ = name.partition(":_average")
        if name != "all" and not (average and full.startswith(f"{family}:")):
            continue
        for metric, mean in as_dict(numbers).items():
            if metric in own and not metric.endswith("_stderr") and isinstance(mean, int | float):
                se = number(as_dict(numbers).get(f"{metric}_stderr"))
                yield HarnessMetric(
                    metric, number(mean), se, how="", called=f"in {name!r}", reason=SEVERAL
                )
