"""What a reader of harness logs hands on: one run of one model on one eval, with its rows and what
the harness said of it.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

# Columns of a run's rows; further columns are fields of the questions, such as metadata.passage_id
# or doc.subject, and ZEROED, true where an answer that failed or was not given has the score 0 by
# the benchmark's rule or the user's word.
ROWS = ("question_id", "epoch", "metric", "score", "status")


@dataclass(frozen=True, slots=True)
class HarnessMetric:
    """A number that the harness itself computed: what the self-check compares our own with.

    how: the name of the computation. selfcheck.HOW holds those that every harness may use: "mean"
    (of question means, ddof 1), "mean-cr1" (the same mean, its SE by clusters with the factor
    G/(G-1)) and others. The reader may know more names, such as Inspect's "pass_at_2". A number
    whose computation nobody knows is not compared, and `reason` says why.
    """

    metric: str  # as in the rows
    mean: float = math.nan
    se: float = math.nan
    how: str = "mean"
    cluster: str = ""  # column of the rows that the SE is clustered by
    reason: str = ""  # why it is not compared, or what else there is to know of it
    se_reason: str = ""  # why its standard error alone cannot be had again
    # What our rows give when they are counted as `reason` says that the harness does, such as
    # errors as 0; nan: `reason` says nothing of the kind. Only if these are the harness's numbers
    # is it the reason that ours differ.
    counted_mean: float = math.nan
    counted_se: float = math.nan
    lower_is_better: bool = False


@dataclass(slots=True)
class Run:
    """One run. rows: one for each question, epoch and metric, with the columns ROWS at least; a
    score is null exactly where status is not ok, and text in `score_raw` is what the harness wrote.
    content_hash, where the log holds the question's text, is the hash of input, choices and target:
    the same question has the same one in every run.
    """

    harness: str
    eval: str
    model: str
    rows: pd.DataFrame
    file: str = ""  # path or URL
    sha256: str = ""
    logged_eval: str = ""  # as the log calls the eval, where policies made several evals of it
    run_id: str = ""  # the same in a copy; not always different in another run
    task_id: str = ""  # the same in a retry
    eval_version: str = ""
    # task arguments that may change the questions, as text; part of the eval's identity
    eval_args: str = ""
    harness_version: str = ""
    created: str = ""  # ISO 8601, sorts by time
    status: str = "success"  # success, started, cancelled, error
    limit: str = ""  # what cut the questions down, as text; empty: all of them
    shots: str = ""
    temperature: str = ""
    n_planned: int = 0  # questions times epochs; 0: unknown
    # metric that the harness or the format puts first; empty: the first of the rows
    headline: str = ""
    # column that the harness's own clustered SE uses: the default cluster of the eval
    cluster: str = ""
    category: str = ""
    positional_ids: bool = False  # ids are positions in a list that may have been shuffled
    p_kind: str = ""  # of p_correct: next-token, sequence (sum over the tokens of a choice)
    harness_metrics: list[HarnessMetric] = field(default_factory=list)
    # the files it was read from as read_scores lists them
    inputs: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(
        default_factory=dict
    )  # answers of the log's first metric by status, before any policy
    checks: list[Any] = field(
        default_factory=list
    )  # of selfcheck.SelfCheck, filled in by read_scores before any policy
    notes: list[str] = field(default_factory=list)  # what was left out, and why, in a sentence each
