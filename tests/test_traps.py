"""Traps of papermill and kernels, by their numbers in the notes on documents. The others are tested
beside what they concern: 1, 2, 5 and 11 in test_build.py, 8, 12 to 18 and 25 in test_documents.py,
19 to 24 in latex/.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest

from reportkit.builds.build import build
from reportkit.report.parameters import PARAMETERS
from reportkit.text.assets import asset

TEMPLATE = str(asset("notebooks", "template.ipynb"))


MODELS, BASELINE = "None,1e5", "True"


def papermill_runs(folder: Path, *words: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "papermill", TEMPLATE, *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=240, **options
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """One run of bare papermill: names it takes for numbers, an output named by a parameter, no
    terminal at either end.
    """
    folder = tmp_path_factory.mktemp("papermill")
    (folder / "reports").mkdir()
    rows = [
        f"{m},{q},{(q + k) % 2}"
        for k, m in enumerate(("007", "1e5", "True", "None"))
        for q in range(6)
    ]
    (folder / "007.csv").write_text("model,question_id,score\n" + "\n".join(rows) + "\n")
    reading, writing = os.pipe()
    words = ["reports/{eval}.ipynb", "-p", "scores", "007.csv", "-r", "eval", "007"]
    words += ["-p", "models", MODELS, "-p", "baseline", BASELINE]
    done = papermill_runs(folder, *words, stdin=reading)
    os.close(reading), os.close(writing)
    return folder, done


def test_trap_03_names_that_papermill_takes_for_numbers_stay_names(ran):
    folder, done = ran
    assert done.returncode == 0, done.stderr[-800:]
    result = json.loads((folder / "reports/007/results.json").read_text())["evals"][0]
    assert (
        result["eval"] == "007"
        and result["models"] == ["None", "1e5", "True"]
        and result["baseline"] == "True"
    )


def test_bare_papermill_leaves_the_same_behind_as_a_build(ran, warm, tmp_path, monkeypatch):
    folder, _ = ran
    assert sorted(os.listdir(folder)) == ["007.csv", "reports"]
    made = folder / "reports" / "007"
    [said] = nbformat.read(made.with_suffix(".ipynb"), as_version=4).cells[-1].outputs
    assert said.data["text/plain"] == f"The report is in `{made}`."
    assert str(made) not in (made / "report.html").read_text(encoding="utf-8")
    monkeypatch.chdir(folder)
    done = build(["007.csv"], models=MODELS, baseline=BASELINE, out=tmp_path / "built")
    assert done.failures == {}
    alone, built = files(made), files(tmp_path / "built" / "007")
    assert alone.keys() == built.keys() and "report.pdf" in built
    same = ("tables/", "figures/", "numbers", "results")
    assert [n for n in built if alone[n] != built[n] and n.startswith(same)] == []


def files(folder: Path) -> dict[str, bytes]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


@pytest.mark.slow  # tests/report/test_base.py has the sentence without papermill
def test_bare_papermill_fails_on_a_parameter_that_the_notebook_does_not_have(tmp_path):
    done = papermill_runs(tmp_path, "out.ipynb", "-p", "evl", "MGSM")
    assert done.returncode == 1
    assert "no parameter 'evl'; did you mean 'eval'?" in done.stderr
    assert not (tmp_path / "reports").exists()


def test_trap_04_papermill_knows_every_parameter():
    assert set(papermill.inspect_notebook(TEMPLATE)) == set(PARAMETERS)


def test_trap_06_the_kernel_comes_with_us():
    assert any(r.startswith("ipykernel") for r in importlib.metadata.requires("reportkit"))


@pytest.mark.slow  # builds/test_wheel.py has a build as a command, and what it says
def test_trap_07_a_build_says_nothing_of_encryption(tmp_path):
    command = [
        sys.executable,
        "-m",
        "reportkit",
        "build",
        "--eval",
        "HumanEval",
        "--formats",
        "md",
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "encrypt" not in done.stderr


def test_trap_09_a_parameter_may_name_the_output(ran):
    folder, _ = ran
    assert [p.name for p in (folder / "reports").glob("*.ipynb")] == ["007.ipynb"]


def test_trap_10_neither_end_needs_a_terminal(ran):
    """Both paths are given, so that a pipe for standard input is not read as the notebook."""
    folder, done = ran
    assert done.returncode == 0 and not done.stdout.lstrip().startswith("{")
    assert Path(folder / "reports/007/report.html").is_file()
