"""A folder with a report.json for each instance, <run_id>/<model>/<instance>/report.json, and the
lists that SWE-bench/experiments keeps beside it.
"""

import re

from reportkit.inputs.files import BrokenFile, File, of_folder
from reportkit.inputs.paths import folder_of, joined, name_of
from reportkit.readers.parsing import field_text, load_json
from reportkit.readers.swebench.outcomes import of_instances, outcomes_of, run_of
from reportkit.scores.run import Run

INSTANCE = "report.json"


def read_with_another(file: File) -> set[str]:
    """The reports beside this one that were read as one run: they need not be opened again."""
    if file.name != INSTANCE:
        return set()
    known: set[str] = of_folder("reports read", folder_of(file.folder), set)
    return known


def first_of(file: File) -> str:
    """The name of the first folder beside a report's own whose report can be told, or ""."""
    found = next((f for f in file.cousins() if is_instance(f)), None)
    return name_of(found.folder) if found else ""


def is_instance(file: File) -> bool:
    head = file.head()
    return b'"resolved"' in head and b'"patch_' in head and b'"resolved_ids"' not in head


def read_instances(file: File) -> list[Run]:
    """All reports of one model's folder, <run_id>/<model>/<instance>/report.json."""
    outcomes: dict[str, str] = {}
    notes = []
    files = list(file.cousins()) or [file]
    for one in files:
        try:
            report = load_json(one)
        except BrokenFile:
            report = {}
        found = of_instances(report)
        outcomes |= found
        if not found:  # the harness counts an empty or broken report as an error
            outcomes[folder_name(one.folder)] = "error"
    if set(outcomes.values()) == {"error"}:
        raise BrokenFile(
            f"{file.path}: none of {len(files)} reports of instances can be read; copy the "
            "folder again"
        )
    notes.append(
        f"read from {len(files)} report.json files: instances without one (not submitted, empty "
        "patches, errors) "
        "are unknown, while the benchmark counts them as 0; give the report of the run for its "
        "share"
    )
    folder, planned = folder_of(file.folder), 0
    model = folder_name(folder)
    if model == "logs":  # SWE-bench/experiments: <model>/logs/<instance>
        folder = folder_of(folder)
        model = folder_name(folder)
        told = _add_lists(folder, file, outcomes)
        notes = notes if told is None else told
        planned = 0 if notes else len(outcomes)
    read_with_another(file).update(f.path for f in files if f.path != file.path)
    model = field_text(model) or "model"
    run_id = f"{model}.{folder_name(folder_of(folder))}"
    return [run_of(file, model.replace("__", "/", 1), run_id, outcomes, planned, notes)]


# SWE-bench/experiments: <split>/<model>/logs, with one of these beside it
LISTS = "results.json"  # in results/: some of the instances by their outcome
DETAILS = "per_instance_details.json"  # every instance
_SPLITS = {"verified": 500, "lite": 300, "test": 2294}


def _add_lists(folder: str, file: File, outcomes: dict[str, str]) -> list[str] | None:
    """Adds the instances that a file beside logs/ names and that have no report, and tells how many
    of the split are left; None where that is not known.
    """
    details = File(joined(folder, "-"), False, file.root).sibling(DETAILS)
    beside = details or File(joined(folder, "results", "-"), False, file.root).sibling(LISTS)
    if beside is None:
        return None
    try:
        report = load_json(beside)
    except BrokenFile as error:
        return [f"its list of results is not read: {error}"]
    listed = outcomes_of(report) | of_instances(report)
    for instance, outcome in listed.items():
        outcomes.setdefault(instance, outcome)
    whole = _SPLITS.get(folder_name(folder_of(folder)), 0)
    if (details and listed) or 0 < whole <= len(outcomes):
        return []
    if not whole:
        return None
    return [
        f"{whole - len(outcomes)} of the {whole} instances of the split have no report and are in "
        "no list: they are unknown, while the benchmark counts them as 0"
    ]


def stands_in_logs(file: File) -> bool:
    """Whether this is such a file of a model whose logs/ has reports of instances."""
    folder = file.folder
    if file.name == LISTS and folder_name(folder) == "results":
        folder = folder_of(folder)
    elif file.name != DETAILS:
        return False
    logs = joined(folder, "logs")
    one = File(joined(logs, "-", INSTANCE), False, file.root)
    try:
        return bool(of_folder("first report", logs, lambda: first_of(one)))
    except BrokenFile:
        return False


def summary(file: File) -> File | None:
    """The report of the run, where the harness puts it: beside
    logs/run_evaluation/<run_id>/<model>/<instance>/.
    """
    model = folder_of(file.folder)
    run = folder_of(model)
    base = folder_of(folder_of(folder_of(run)))
    if file.remote and not base:
        return None
    beside = File(joined(base, "-"), False, file.root)
    return beside.sibling(f"{folder_name(model)}.{folder_name(run)}.json")


def folder_name(folder: str) -> str:
    return re.split(r"[/\\]", folder.rstrip("/\\"))[-1]
