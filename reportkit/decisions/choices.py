"""The choices of decisions that have few."""

from typing import Literal

Theme = Literal["error-bars", "plain", "pm", "ci", "stacked", "pp"]
Reruns = Literal["ask", "latest", "first", "pool"]
Errors = Literal["", "exclude", "zero"]
Better = Literal["", "higher", "lower"]
MatchOn = Literal["id", "content_hash"]
Prior = Literal["uniform", "jeffreys"]
# Tables that a report has only where they are asked for, in the order in which it shows them.
OnRequest = Literal[
    "posterior", "pass", "common", "equivalence", "simultaneous", "strata", "scores-compared",
    "clustering-all", "other-methods", "f1", "regression", "ranks", "certificate",
]  # fmt: skip
CsvText = Literal["guarded", "raw"]
Rows = Literal["", "evals", "models"]
Average = Literal["", "equal", "questions", "weights"]
# Tables of several evals, which no report of one eval has.
ELSEWHERE = dict.fromkeys(
    (
        "macro",
        "suite",
        "suite-overall",
        "suite-differences",
        "suite-ranks",
        "paper2",
        "paper3",
        "paper4",
        "paper5",
    ),
    "is a table of several evals, and a report is of one; print it with `reportkit table {name}`",
)
