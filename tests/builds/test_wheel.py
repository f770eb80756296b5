"""The wheel by itself: installed into a fresh environment, away from the checkout, it builds a
report.
"""

import configparser
import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest
from support import programs
from support.places import ROOT

from reportkit.documents import entry_points
from reportkit.kernels import ENTRY_POINTS
from reportkit.schema import results_schema

CLEAN = {
    k: v
    for k, v in os.environ.items()
    if not k.startswith(("PYTHON", "VIRTUAL_ENV", "JUPYTER", "REPORTKIT"))
}
HOME = "/dev/null/home"  # cannot be written


def run(*command, cwd, **env: str) -> subprocess.CompletedProcess:
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        env=CLEAN | env,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        ROOT,
        "--no-deps",
        "--quiet",
        "--wheel-dir",
        folder,
        cwd=folder,
    )
    [path] = folder.glob("reportkit-*.whl")
    return path


@pytest.mark.slow
def test_the_wheel_carries_templates_and_notebooks_and_no_tests(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("templates", "notebooks"):
        # What git knows: a stray file of a working copy is nobody's contract.
        listed = run(programs.program("git"), "ls-files", folder, cwd=ROOT).stdout.split()
        assert listed and [name for name in listed if f"reportkit/{name}" not in inside] == []
    assert {"reportkit/cli/build.py", "reportkit/loading/demo.parquet"} <= inside
    assert not [
        name
        for name in inside
        if name.split("/")[0] in ("tests", "reports", "benchmarks", "templates")
    ]


def test_the_wheel_carries_the_schema_of_its_results(wheel):
    with zipfile.ZipFile(wheel) as archive:
        shipped = json.loads(archive.read("reportkit/results.schema.json"))
    assert shipped == results_schema()


def test_notice_names_all_that_is_installed_beside_it(wheel):
    """And of what licence is who passes it on bound by: pandoc's, which is a program of its own."""
    told = (ROOT / "NOTICE").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = [re.split(r"[<>=]", d)[0] for d in project["dependencies"]]
    assert len(names) > 20 and [n for n in names if not re.search(rf"\b{n}\b", told)] == []
    pandoc = told.partition("pypandoc-binary ")[2].partition("\n  typst ")[0]
    assert "GNU General Public License" in pandoc and "source" in pandoc
    with zipfile.ZipFile(wheel) as archive:
        [notice] = [name for name in archive.namelist() if name.endswith("/NOTICE")]
        assert archive.read(notice).decode() == told


def test_security_says_what_is_trusted_and_how_to_report():
    text = (ROOT / "SECURITY.md").read_text()
    parts = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    assert parts.keys() == {"What is trusted", "What is not trusted", "How to report"}
    trusted, data = parts["What is trusted"], parts["What is not trusted"]
    assert "notebooks and templates" in trusted
    assert [w for w in ("Logs", "names", "parameters", "reportkit.toml") if w not in data] == []


def test_the_wheel_names_its_formats_to_nbconvert_and_its_kernels_to_papermill(wheel):
    with zipfile.ZipFile(wheel) as archive:
        [path] = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        said = configparser.ConfigParser(delimiters="=")
        said.read_string(archive.read(path).decode())
    assert dict(said["nbconvert.exporters"]) == entry_points()
    assert {group: dict(said[group]) for group in ENTRY_POINTS} == ENTRY_POINTS
    assert dict(said["console_scripts"]) == {"reportkit": "reportkit.__main__:main"}


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A report of the wheel, beside the packages of this environment, on a machine whose home
    cannot be written and where kernels are not forked; and what the build said.
    `test_it_asks_for_all_that_a_report_needs` and `.ci/bounds`, which CI runs, install the packages
    that the wheel asks for.
    """
    folder = tmp_path_factory.mktemp("installed")
    place = folder / "place"
    words = ("-m", "pip", "install", "--quiet", "--no-deps", "--target", place, wheel)
    run(sys.executable, *words, cwd=folder)
    env = {
        "PYTHONPATH": str(place),  # before the checkout, which this environment has a link to
        "REPORTKIT_FORK": "0",
        "HOME": HOME,
        "MPLCONFIGDIR": f"{HOME}/mpl",
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
    }
    return builds_a_report(folder, place, sys.executable, "-m", "reportkit", **env)


def test_an_installed_reportkit_builds_the_same_bytes_without_the_checkout(installed, demo_reports):
    """In any folder, at any number of jobs, beside any other report, and of kernels that are forked
    and of those that are not.
    """
    one, other = files(installed[0]), files(demo_reports / "MGSM")
    assert one.keys() == other.keys() and [n for n in one if one[n] != other[n]] == []


def files(folder: Path) -> dict[str, bytes]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


def test_no_path_and_no_warning_of_a_library_enters_the_notebook(installed):
    """Of a home that cannot be written IPython and matplotlib warn, with paths."""
    folder, told = installed
    assert "encrypt" not in told  # as a kernel says of itself
    notebook = nbformat.read(folder / "report.ipynb", as_version=4)
    outputs = [o for c in notebook.cells for o in c.get("outputs", [])]
    assert outputs and not [o for o in outputs if o.output_type == "stream"]
    text = (folder / "report.ipynb").read_text()
    for path in (HOME, str(folder.parents[2]), "/tmp/", str(ROOT), sys.prefix, "not a writable"):
        assert path not in text


@pytest.mark.slow
def test_it_asks_for_all_that_a_report_needs(wheel, tmp_path):
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    words = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    run(scripts / "python", *words, cwd=tmp_path)
    builds_a_report(tmp_path, tmp_path / "env", scripts / "reportkit")


def builds_a_report(folder: Path, place: Path, *command: object, **env: str) -> tuple[Path, str]:
    """The report's folder, and messages of the build: by the package that lies below a place, in a
    folder where nothing else is.
    """
    work = folder / "work"
    work.mkdir()
    home = "import reportkit; print(reportkit.__file__)"
    python = Path(str(command[0])).with_name("python")
    assert Path(run(python, "-c", home, cwd=work, **env).stdout.strip()).is_relative_to(place)
    done = run(*command, "build", "--eval", "MGSM", "--out", "X", cwd=work, **env)
    said = done.stdout
    assert "demonstration" in said.splitlines()[0]
    assert said.splitlines()[-1].startswith("1 report built, 0 failed")
    for name in (
        "report.html",
        "report.md",
        "report.tex",
        "report.pdf",
        "report.ipynb",
        "tables/means.tex",
    ):
        assert (work / "X" / "MGSM" / name).stat().st_size > 0, name
    result = json.loads((work / "X" / "MGSM" / "results.json").read_text())["evals"][0]
    # Miller 2024, Table 2: MGSM of Galleon 75.3%, of Dreadnought 78.0%.
    assert [round(100 * m["mean"], 1) for m in result["means"][:2]] == [75.3, 78.0]
    assert os.listdir(work) == ["X"]
    return work / "X" / "MGSM", done.stderr
