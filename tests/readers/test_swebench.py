"""SWE-bench reports and folders of instance reports: the denominator is all instances, and every
zero says why.
"""

import json
import math
from pathlib import Path

import fsspec
import pytest

from reportkit import read_scores
from reportkit.errors import ScoresError
from reportkit.inputs.files import BrokenFile, File
from reportkit.loading.importing import import_scores
from reportkit.readers import swebench
from reportkit.scores.scores import facts_of

RESOLVED = ["django__django-1", "django__django-2"]
UNRESOLVED = ["sympy__sympy-3", "scikit-learn__scikit-learn-4"]
OTHERS = {"empty_patch_ids": ["psf__requests-5"], "error_ids": ["astropy__astropy-6"],
          "incomplete_ids": ["pydata__xarray-7", "pydata__xarray-8"]}  # fmt: skip


def report(**more):
    """A report with the fields of swebench 5.0.2's make_run_report: 2 of 8 instances resolved."""
    done = RESOLVED + UNRESOLVED
    return (
        {
            "total_instances": 8,
            "submitted_instances": 6,
            "completed_instances": 4,
            "resolved_instances": 2,
            "unresolved_instances": 2,
            "empty_patch_instances": 1,
            "error_instances": 1,
            "completed_ids": done,
            "submitted_ids": done + OTHERS["empty_patch_ids"] + OTHERS["error_ids"],
            "resolved_ids": RESOLVED,
            "unresolved_ids": UNRESOLVED,
            "schema_version": 2,
        }
        | OTHERS
        | more
    )


def write(path: Path, value) -> File:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=4))
    return File(str(path))


def read(folder: Path, value, name="org__model-4.1.run-1.json"):
    file = write(folder / name, value)
    assert swebench.claims(file) == "run"
    return swebench.read(file)[0]


def test_the_mean_is_over_all_instances_submitted_or_not(tmp_path):
    run = read(tmp_path, report())
    # resolved_instances / total_instances
    assert run.rows["score"].mean() == 2 / 8 == run.harness_metrics[0].mean
    assert math.isnan(run.harness_metrics[0].se) and run.harness_metrics[0].reason == swebench.NO_SE
    assert set(run.rows["status"]) == {"ok"} and run.n_planned == 8


def test_every_zero_by_rule_is_told_and_kept_apart(tmp_path):
    run = read(tmp_path, report())
    raw = dict(zip(run.rows["question_id"], run.rows["score_raw"], strict=True))
    assert (raw["psf__requests-5"], raw["astropy__astropy-6"], raw["pydata__xarray-7"]) == (
        "empty patch", "error", "not submitted")  # fmt: skip
    assert {n.split(":")[1].split(";")[0].strip() for n in run.notes if "score 0" in n} == {
        "empty patch", "error", "not submitted"}  # fmt: skip


def test_the_repository_is_a_column(tmp_path):
    rows = read(
        tmp_path,
        report(
            completed_ids=["org/repo:pr-12"],
            resolved_ids=["a__b-c-9"],
            unresolved_ids=["odd"],
            total_instances=math.nan,
        ),
    ).rows.set_index("question_id")["repository"]
    assert (
        rows["org/repo:pr-12"] == "org/repo" and rows["a__b-c-9"] == "a/b-c" and rows.isna()["odd"]
    )


def test_model_and_run_come_from_the_name_of_the_file(tmp_path):
    run = read(tmp_path, report())
    assert (run.model, run.run_id) == ("org/model-4.1", "org__model-4.1.run-1")
    assert read(tmp_path / "20240620_agent", report(), "results.json").model == "20240620_agent"


def test_a_split_is_named_by_its_size_among_its_repositories_and_the_note_says_so(tmp_path):
    ids = [f"django__django-{k}" for k in range(500)]
    full = report(
        total_instances=500,
        resolved_ids=ids[:100],
        unresolved_ids=ids[100:],
        completed_ids=ids,
        submitted_ids=ids,
        **dict.fromkeys(OTHERS, []),
    )
    run = read(tmp_path, full)
    assert run.eval == "SWE-bench Verified" and any(
        "does not name its split" in n for n in run.notes
    )
    other = {
        k: [i.replace("django", "apache") for i in v] if isinstance(v, list) else v
        for k, v in full.items()
    }
    assert read(tmp_path, other).eval == "SWE-bench"


def test_a_report_that_hides_instances_is_refused(tmp_path):
    for value in (
        report(total_instances=300),  # 8 named
        # the unresolved ones are nowhere
        {"resolved": RESOLVED, "no_generation": [], "no_logs": []},
        {"resolved_instances": 2, "total_instances": 8},
        report(
            **dict.fromkeys(
                ["completed_ids", "submitted_ids", "resolved_ids", "unresolved_ids", *OTHERS], []
            )
        ),
    ):
        with pytest.raises(BrokenFile, match="model-4"):
            read(tmp_path, value)


def test_a_report_before_version_2_has_no_total_and_says_so(tmp_path):
    run = read(
        tmp_path,
        {"resolved": ["a__b-1"], "generated": ["a__b-1", "a__b-2"], "no_generation": ["a__b-3"]},
    )
    assert (
        run.rows["score"].mean() == 1 / 3
        and any("no total" in n for n in run.notes)
        and not run.harness_metrics
    )


def test_failures_of_the_machine_are_noted_and_counted_as_the_benchmark_does(tmp_path):
    run = read(tmp_path, report(infra_failure_ids=["astropy__astropy-6"], ambiguous_failure_ids=[]))
    assert run.rows["score"].mean() == 2 / 8 and any("may be the machine's" in n for n in run.notes)


def test_a_pending_instance_is_unscored(tmp_path):
    run = read(tmp_path, report(pending_ids=["astropy__astropy-6"]))
    row = run.rows.set_index("question_id").loc["astropy__astropy-6"]
    assert row["status"] == "unscored" and math.isnan(row["score"])


# A report for each instance -----------------------------------------------------------------------


def instances(folder: Path) -> Path:
    """logs/run_evaluation/<run>/<model>/<instance>/report.json with the fields of swebench's
    grading.py.
    """
    base = folder / "logs" / "run_evaluation" / "run-1" / "org__m"
    for k, id in enumerate(RESOLVED + UNRESOLVED):
        told = {
            "patch_is_None": False,
            "patch_exists": True,
            "patch_successfully_applied": True,
            "resolved": k < 2,
            "tests_status": {"FAIL_TO_PASS": {"success": ["t"], "failure": []}},
        }
        write(base / id / "report.json", {id: told})
    return base


def test_a_folder_of_instance_reports_is_one_run_and_its_denominator_is_unknown(tmp_path):
    instances(tmp_path)
    frame = read_scores(tmp_path)
    assert frame["model"].unique() == ["org/m"] and frame["score"].mean() == 0.5 and len(frame) == 4
    (run,) = facts_of(frame).runs
    assert (
        any("4 report.json files" in n and "are unknown" in n for n in run.notes)
        and not run.harness_metrics
    )


def test_a_broken_instance_report_is_an_error_and_no_stop(tmp_path):
    base = instances(tmp_path)
    (base / "sympy__sympy-3" / "report.json").write_text('{"sympy__sy')
    raw = read_scores(tmp_path).set_index("question_id")["score_raw"]
    assert raw["sympy__sympy-3"] == "error" and len(raw) == 4


@pytest.mark.parametrize("content", ["", "  \n", '{"django__', "{}"])
def test_where_the_first_report_is_broken_the_others_are_still_a_run(tmp_path, content):
    base = instances(tmp_path)
    (base / "django__django-1" / "report.json").write_text(content)
    skipped = []
    frame = read_scores(tmp_path, skipped=lambda path, why: skipped.append((path, why)))
    raw = frame.set_index("question_id")["score_raw"]
    # 4 instances, of which one of the two resolved is lost: 0, as reporting.py of the harness
    # counts an empty report.
    assert raw["django__django-1"] == "error" and frame["score"].mean() == 1 / 4 and not skipped
    assert any("1 of 4 instances: error" in n for n in facts_of(frame).runs[0].notes)


def test_a_report_cut_behind_its_head_is_an_error_and_stops_nothing(tmp_path):
    first = instances(tmp_path) / "django__django-1" / "report.json"
    first.write_text(first.read_text()[:-9])
    frame = read_scores(tmp_path)
    assert (
        frame.set_index("question_id")["score_raw"]["django__django-1"] == "error"
        and len(frame) == 4
    )


def test_where_no_report_can_be_read_nothing_is_made_up(tmp_path):
    for path in instances(tmp_path).glob("*/report.json"):
        path.write_text(path.read_text()[:-9])
    with pytest.raises(ScoresError, match="none of 4 reports of instances can be read"):
        read_scores(tmp_path)


def test_a_path_with_two_slashes_is_the_same_folder(tmp_path):
    assert len(read_scores(f"{instances(tmp_path)}//")) == 4


@pytest.mark.parametrize("there", ["a new folder", "a folder that had no report yet"])
def test_an_import_notices_instances_that_finish_later(tmp_path, there):
    base = instances(tmp_path / "logs")
    if there != "a new folder":
        (base / "sympy__sympy-9").mkdir()
    to = tmp_path / "scores"
    assert import_scores([tmp_path / "logs"], to).rows == 4
    assert len(import_scores([tmp_path / "logs"], to).unchanged) == 1
    told = {"patch_exists": True, "patch_successfully_applied": True, "resolved": True}
    write(base / "sympy__sympy-9" / "report.json", {"sympy__sympy-9": told})
    again = import_scores([tmp_path / "logs"], to)
    assert (len(again.replaced), again.unchanged, again.rows) == (1, [], 5)
    assert read_scores(to)["score"].mean() == 3 / 5  # 2 of 4, and the new one


def test_an_import_at_a_url_notices_them_too(tmp_path):
    memory, url = fsspec.filesystem("memory"), "memory://swe-later"
    first, *later = sorted(instances(tmp_path).rglob("report.json"))
    for file in (first, *later):
        memory.pipe(f"/swe-later/run/m/{file.parent.name}/report.json", file.read_bytes())
        done = import_scores([url], tmp_path / "scores")
    assert done.rows == 4 and len(import_scores([url], tmp_path / "scores").unchanged) == 1


def test_beside_the_runs_report_the_instances_are_its_parts(tmp_path):
    instances(tmp_path)
    write(tmp_path / "org__m.run-1.json", report())
    frame = read_scores(tmp_path)
    assert len(frame) == 8 and frame["score"].mean() == 2 / 8


def test_at_a_url_the_instances_are_found_as_well(tmp_path):
    memory = fsspec.filesystem("memory")
    for file in instances(tmp_path).rglob("report.json"):
        memory.pipe(f"/swe/{file.relative_to(tmp_path).as_posix()}", file.read_bytes())
    assert read_scores("memory://swe")["score"].to_list() == [1.0, 1.0, 0.0, 0.0]
    memory.pipe("/swe/org__m.run-1.json", json.dumps(report()).encode())
    assert len(read_scores("memory://swe")) == 8


def test_instance_reports_under_logs_take_the_name_above(tmp_path):
    base = instances(tmp_path)
    base.rename(tmp_path / "logs" / "moved")
    (tmp_path / "20240620_agent").mkdir()
    (tmp_path / "logs" / "moved").rename(tmp_path / "20240620_agent" / "logs")
    assert read_scores(tmp_path / "20240620_agent")["model"].unique() == ["20240620_agent"]


@pytest.mark.parametrize(
    "content",
    [
        '{"resolved_ids": ["a__b-1"',
        '{"resolved_ids": 5}',
        '{"resolved_ids": [[1]], "x": "' + "y" * 9,
    ],
)
def test_a_hostile_or_cut_report_is_refused_in_a_sentence(tmp_path, content):
    (tmp_path / "m.r.json").write_text(content)
    with pytest.raises(ScoresError, match=r"m\.r\.json"):
        read_scores(tmp_path)


def test_reports_of_other_tools_are_not_claimed(tmp_path):
    for name, value in (
        ("report.json", {"resolved": True}),
        ("a.b.json", {"ids": []}),
        ("c.json", ["resolved_ids"]),
    ):
        assert swebench.claims(write(tmp_path / name, value)) == ""


def test_the_layout_of_experiments_joins_reports_and_lists(tmp_path):
    folder = tmp_path / "evaluation" / "verified" / "20250101_agent"
    for number, resolved in ((1, True), (2, False), (3, False)):
        name = f"django__django-{number}"
        one = {name: {"patch_exists": True, "resolved": resolved}}
        write(folder / "logs" / name / "report.json", one)
    lists = {"no_generation": ["psf__requests-5"], "no_logs": [], "resolved": ["django__django-1"]}
    write(folder / "results" / "results.json", lists)
    write(folder / "results" / "resolved_by_repo.json", {"django/django": {"resolved": 1}})
    found = read_scores(tmp_path)
    assert dict(zip(found["question_id"], found["score"], strict=True)) == {
        "django__django-1": 1, "django__django-2": 0, "django__django-3": 0, "psf__requests-5": 0
    }  # fmt: skip
    assert found["model"].unique().tolist() == ["20250101_agent"]
    [run] = facts_of(found).runs
    assert any("496 of the 500 instances of the split" in note for note in run.notes)
    # the list alone does not say which instances are unresolved
    with pytest.raises(ScoresError, match="lists the resolved instances and not the others"):
        read_scores(str(folder / "results" / "results.json"))


def test_details_of_every_instance_are_a_run_and_complete_the_reports_beside_them(tmp_path):
    """Of mini-SWE-agent, evaluation/bash-only/<model>; logs/ is only there for who fetches it."""
    folder = tmp_path / "evaluation" / "bash-only" / "20251124_mini_a"
    details = {
        f"django__django-{k}": {"cost": 0.25, "api_calls": 14, "resolved": k < 3} for k in range(4)
    }
    write(folder / "per_instance_details.json", details)
    alone = read_scores(tmp_path)
    assert alone["model"].unique().tolist() == ["20251124_mini_a"]
    assert dict(zip(alone["question_id"], alone["score"], strict=True)) == {
        f"django__django-{k}": float(k < 3) for k in range(4)
    }
    [run] = facts_of(alone).runs
    assert run.n_planned == 4 and not any("unknown" in note for note in run.notes)
    for k in range(3):
        name = f"django__django-{k}"
        one = {name: {"patch_exists": True, "resolved": True}}
        write(folder / "logs" / name / "report.json", one)
    beside = read_scores(tmp_path)
    assert beside["score"].tolist() == alone["score"].tolist()
    assert [run.n_planned for run in facts_of(beside).runs] == [4]
    write(folder / "per_instance_details.json", {})
    [run] = facts_of(read_scores(tmp_path)).runs
    assert run.n_planned != 3 and any("without one" in note for note in run.notes)


def test_many_reports_are_listed_once(tmp_path, monkeypatch):
    """Each file of a folder that lists its folders again would be a square of their number."""
    for number in range(30):
        name = f"django__django-{number}"
        write(tmp_path / "run" / "m" / name / "report.json",
              {name: {"patch_exists": True, "resolved": True}})  # fmt: skip
    opened = []
    real = File.open
    monkeypatch.setattr(File, "open", lambda self: opened.append(self.path) or real(self))
    assert len(read_scores(tmp_path)) == 30
    assert len(opened) <= 30 + 4  # each once, and the first when it is claimed
