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

import papermill
import pytest

from reportkit.report.parameters import PARAMETERS
from reportkit.text.assets import asset

TEMPLATE = str(asset("notebooks", "template.ipynb"))


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
    command = [sys.executable, "-m", "papermill", TEMPLATE, "reports/{eval}.ipynb"]
    command += [
        "-p",
        "scores",
        "007.csv",
        "-r",
        "eval",
        "007",
        "-p",
        "models",
        "None,1e5",
        "-p",
        "baseline",
        "True",
    ]
    done = subprocess.run(
        [*command, "-p", "out", "made"], cwd=folder, stdin=reading, capture_output=True, text=True
    )
    os.close(reading), os.close(writing)
    return folder, done


def test_trap_03_names_that_papermill_takes_for_numbers_stay_names(ran):
    folder, done = ran
    assert done.returncode == 0, done.stderr[-800:]
    result = json.loads((folder / "made" / "results.json").read_text())["evals"][0]
    assert (
        result["eval"] == "007"
        and result["models"] == ["None", "1e5", "True"]
        and result["baseline"] == "True"
    )


def test_trap_04_papermill_knows_every_parameter():
    assert set(papermill.inspect_notebook(TEMPLATE)) == set(PARAMETERS)


def test_trap_06_the_kernel_comes_with_us():
    assert any(r.startswith("ipykernel") for r in importlib.metadata.requires("reportkit"))


@pytest.mark.slow  # report/test_made.py has a build as a command, and what it says
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
    assert [p.name for p in (folder / "reports").iterdir()] == ["007.ipynb"]


def test_trap_10_neither_end_needs_a_terminal(ran):
    """Both paths are given, so that a pipe for standard input is not read as the notebook."""
    folder, done = ran
    assert done.returncode == 0 and not done.stdout.lstrip().startswith("{")
    assert Path(folder / "made" / "report.html").is_file()
