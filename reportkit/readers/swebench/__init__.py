"""SWE-bench: the report of a run (<model>.<run_id>.json), the folder with a report.json for each
instance, or the details of every instance that SWE-bench/experiments keeps of mini-SWE-agent.

Field names read in swebench 5.0.2 (harness/reporting.py, grading.py) and in SWE-bench/SWE-bench at
09749dc0; those of reports before version 2 (resolved, generated, no_generation) in seven reports of
aorwall/SWE-bench-docker at b6be089; the details of 25 models in data/leaderboards.json of
SWE-bench/swe-bench.github.io at f1176b6.
The benchmark divides by all instances: an empty patch, an error of the harness and an instance that
was not submitted score 0, and `score_raw` says which it was.
"""

import math
import os
import posixpath
from dataclasses import replace
from typing import Any

from reportkit.inputs.files import BrokenFile, File, of_folder
from reportkit.inputs.paths import folder_of, name_of
from reportkit.readers.parsing import as_list, load_json, number
from reportkit.readers.reader import Claim, Guide, Reader
from reportkit.readers.swebench.instances import (
    DETAILS,
    INSTANCE,
    first_of,
    is_instance,
    read_instances,
    read_with_another,
    stands_in_logs,
    summary,
)
from reportkit.readers.swebench.outcomes import (
    HARNESS,
    METRIC,
    OUTCOMES,
    of_instances,
    outcomes_of,
    run_of,
)
from reportkit.scores.run import HarnessMetric, Run

NO_SE = "SWE-bench prints no standard error"


def claims(file: File) -> Claim:
    if not file.name.endswith(".json"):
        return ""
    if not file.named and file.path in read_with_another(file):
        return "part"
    head = file.head()
    own = file.name == INSTANCE and is_instance(file)
    # The first that can be told stands for the run: one that is empty or broken belongs to it, and
    # must not.
    if file.name == INSTANCE and not file.named and (own or _is_broken(file)):
        first = of_folder("first report", folder_of(file.folder), lambda: first_of(file))
        if first:
            return "part" if first != name_of(file.folder) or summary(file) else "run"
    if own:
        return "run"
    if not head.lstrip().startswith(b"{"):
        return ""
    if not file.named and stands_in_logs(file):
        return "part"
    if file.name == DETAILS:
        return "run" if b'"resolved"' in head else ""
    if b'"resolved_instances"' in head or b'"resolved_ids"' in head:
        return "run"
    return "run" if b'"resolved"' in head and b'"no_generation"' in head else ""


def _is_broken(file: File) -> bool:
    try:
        return not load_json(file)  # {} names no instance
    except BrokenFile:
        return True


def read(file: File) -> list[Run]:
    if file.name == INSTANCE and is_instance(file):
        return read_instances(file)
    report = load_json(file)
    found = of_instances(report)
    if file.name == DETAILS and found:
        return [run_of(file, *_model(file), found, len(found), [])]
    if found and not any(f in report for fields in OUTCOMES.values() for f in fields):
        return read_instances(file)
    outcomes = outcomes_of(report)
    listed = {f for fields in OUTCOMES.values() for f in fields if isinstance(report.get(f), list)}
    if not listed & {"unresolved_ids", "completed_ids", "submitted_ids", "generated"}:
        raise BrokenFile(
            f"{file.path}: it lists the resolved instances and not the others, so their share is "
            "unknown; give the report of swebench 2 or later, or the folder of report.json files"
        )
    total, n = number(report.get("total_instances")), len(outcomes)
    if not n:
        raise BrokenFile(f"{file.path}: a report that names no instance; run the evaluation again")
    if total > n:
        raise BrokenFile(
            f"{file.path}: it names {n} of its {int(total)} instances; those not submitted score "
            "0 and have no ids; add them as incomplete_ids"
        )
    notes = []
    if math.isnan(total):
        notes.append("the report gives no total: the share is that of the instances it names")
    sick = sum(len(as_list(report.get(f))) for f in ("infra_failure_ids", "ambiguous_failure_ids"))
    if sick:
        notes.append(
            f"the report says that {sick} failures may be the machine's; the benchmark counts "
            "them as failures"
        )
    metrics = _harness_metrics(report, total, outcomes)
    run = run_of(file, *_model(file), outcomes, n, notes)
    return [replace(run, harness_metrics=metrics)]


def _harness_metrics(
    report: dict[str, Any], total: float, outcomes: dict[str, str]
) -> list[HarnessMetric]:
    """The share of resolved instances that the report gives, where it gives one."""
    resolved = number(report.get("resolved_instances"))
    if not total > 0 or math.isnan(resolved):
        return []
    reason = NO_SE
    if len(outcomes) != total:
        reason = f"the report says {total:.0f} instances and names {len(outcomes)}; {NO_SE}"
    counted = sum(o == "resolved" for o in outcomes.values()) / total
    return [HarnessMetric(METRIC, resolved / total, reason=reason, counted_mean=counted)]


def _model(file: File) -> tuple[str, str]:
    """Model and run of <model>.<run_id>.json; other names say nothing, and the folder's stands for
    both.
    """
    stem = file.name.removesuffix(".json")
    model, dot, run_id = stem.rpartition(".")
    if not dot or run_id in ("results", "report"):
        folder = posixpath.basename(file.folder.replace(os.sep, "/"))
        if folder == "results":
            folder = posixpath.basename(posixpath.dirname(file.folder.replace(os.sep, "/")))
        model, run_id = model or ("" if folder in (".", "..") else folder) or stem, stem
    return model.replace("__", "/", 1), f"{model}.{run_id}"


READER = Reader(
    name=HARNESS,
    claims=claims,
    read=read,
    columns=("repository",),
    guide=Guide(
        harness="SWE-bench",
        files=(
            "reports; of SWE-bench/experiments also `logs/` with `results/results.json`, and "
            "`per_instance_details.json`"
        ),
        about=(
            "the benchmark divides by all instances, so an empty patch, an error or a missing "
            "instance scores 0."
        ),
    ),
)
