"""What became of the instances of a run, as rows."""

import math
from typing import Any

import pandas as pd

from reportkit.inputs.files import File
from reportkit.readers.parsing import as_dict, as_list
from reportkit.scores.rows import ZEROED
from reportkit.scores.run import Run

HARNESS = "swebench"
METRIC = "resolved"

# Outcomes in the order in which the first that lists an instance decides, with the fields that list
# them.
OUTCOMES = {
    "resolved": ("resolved_ids", "resolved"),
    "pending": ("pending_ids",),
    "error": ("error_ids", "test_errored", "install_fail", "reset_failed", "no_logs", "failed_ids"),
    "timeout": ("test_timeout",),
    "empty patch": ("empty_patch_ids", "no_generation"),
    "not submitted": ("incomplete_ids",),
    "unresolved": (
        "unresolved_ids",
        "completed_ids",
        "submitted_ids",
        "generated",
        "with_logs",
        "applied",
    ),
}
# 0 by the benchmark's rule, and worth a note
_ZERO = ("error", "timeout", "empty patch", "not submitted")
# Splits are told by their size, and only among the repositories of the original: no report names
# its split.
_SIZES = {2294: "SWE-bench", 500: "SWE-bench Verified", 300: "SWE-bench Lite"}
_ORIGINAL = {
    *("astropy", "django", "matplotlib", "mwaskom", "pallets", "psf", "pydata", "pylint-dev"),
    *("pytest-dev", "scikit-learn", "sphinx-doc", "sympy"),
}


def outcomes_of(report: dict[str, Any]) -> dict[str, str]:
    """What became of each instance."""
    out: dict[str, str] = {}
    for outcome, fields in OUTCOMES.items():
        for id in (i for f in fields for i in as_list(report.get(f)) if isinstance(i, str) and i):
            out.setdefault(id, outcome)
    return out


def of_instances(report: dict[str, Any]) -> dict[str, str]:
    """The same of a report that has an object for each instance."""
    told = {i: as_dict(t).get("resolved") for i, t in report.items() if "resolved" in as_dict(t)}
    return {i: "resolved" if t is True else "unresolved" for i, t in told.items() if i}


def run_of(
    file: File, model: str, run_id: str, outcomes: dict[str, str], planned: int, notes: list[str]
) -> Run:
    ids = sorted(outcomes)
    for outcome in _ZERO:
        if k := sum(o == outcome for o in outcomes.values()):
            notes.append(
                f"{k} of {len(ids)} instances: {outcome}; score 0, as the benchmark counts them"
            )
    if k := sum(o == "pending" for o in outcomes.values()):
        notes.append(f"{k} of {len(ids)} instances are pending: unscored")
    repositories = [_repository(i) for i in ids]
    rows = pd.DataFrame(
        {
            "question_id": ids,
            "epoch": 1,
            "metric": METRIC,
            "score": [
                math.nan if outcomes[i] == "pending" else float(outcomes[i] == "resolved")
                for i in ids
            ],
            "status": ["unscored" if outcomes[i] == "pending" else "ok" for i in ids],
            "score_raw": [outcomes[i] for i in ids],
            ZEROED: [outcomes[i] in _ZERO for i in ids],
            "repository": ["/".join(m) if m else None for m in repositories],
        }
    )
    original = all(m and m[0] in _ORIGINAL for m in repositories)
    name = _SIZES.get(planned, "SWE-bench") if original else "SWE-bench"
    if name != "SWE-bench":
        notes.append(
            f"called {name} for its {planned} instances: the report does not name its split"
        )
    return Run(
        HARNESS,
        name,
        model,
        rows,
        file=file.path,
        sha256=file.sha256(),
        run_id=run_id,
        n_planned=planned,
        headline=METRIC,
        notes=notes,
    )


def _repository(instance: str) -> tuple[str, str] | None:
    """Owner and name of an instance's repository.

    >>> _repository("django__django-123"), _repository("org/name:pr-7"), _repository("x")
    (('django', 'django'), ('org', 'name'), None)
    """
    whole, _, number = instance.rpartition("-")
    whole = whole.removesuffix(":pr")
    places = [(at, len(mark)) for mark in ("__", "/") if (at := whole.find(mark, 1)) > 0]
    at, length = min(places, default=(0, 0))
    owner, name = whole[:at], whole[at + length :]
    return (owner, name) if number.isdecimal() and owner and name and "/" not in owner else None
