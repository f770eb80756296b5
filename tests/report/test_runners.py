"""The notebook under every runner, each with a real kernel: the same drop-ins, documents where the
notebook's own file is known for certain, and a last cell that says what is true.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import papermill
import pytest
from nbconvert.exporters import get_exporter
from support.installed import environment

from reportkit.documents import DEFAULT, FORMATS, entry_points
from reportkit.text.assets import asset

TEMPLATE = asset("notebooks", "template.ipynb")
DROP_INS = ("tables/means.tex", "figures/means.svg", "numbers.tex", "results.json")
DOCUMENTS = {f"report.{name}" for name in DEFAULT}


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> dict[str, str]:
    """The environment of a process that finds our exporters, as an installed reportkit has them."""
    return environment(tmp_path_factory.mktemp("installed"))


def run(folder: Path, *words: str, env=None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=240,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done


def last_words(path: Path) -> str:
    """What the last cell says."""
    cell = nbformat.read(path, as_version=4).cells[-1]
    [output] = cell.outputs
    assert output.data["text/plain"] == output.data["text/markdown"]
    return output.data["text/plain"]


def check_drop_ins(folder: Path) -> None:
    assert [name for name in DROP_INS if not (folder / name).is_file()] == []


def check_no_documents(report: Path, said: str) -> None:
    """Drop-ins alone; the sentence names their folder and a command that exists."""
    check_drop_ins(report)
    assert not any(report.glob("report.*"))
    assert f"`{report}`" in said and "No document was made" in said
    [name] = re.findall(r"`jupyter nbconvert --to (\S+) NOTEBOOK.ipynb`", said)
    assert name == "reportkit-html" or get_exporter(name).form is FORMATS["html"]


def check_documents(report: Path, said: str) -> None:
    check_drop_ins(report)
    assert {p.name for p in report.glob("report.*")} == {*DOCUMENTS, "report.ipynb"}
    assert said == f"The report is in `{report}`."
    assert "Table 1" in (report / "report.html").read_text(encoding="utf-8")
    assert str(report) not in (report / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow  # builds/test_build.py has a report of papermill's command too
def test_papermills_command(tmp_path):
    run(tmp_path, "papermill", str(TEMPLATE), "out.ipynb", "-p", "eval", "HumanEval")
    check_documents(tmp_path / "reports" / "HumanEval", last_words(tmp_path / "out.ipynb"))


@pytest.mark.slow
def test_papermills_python_api_with_the_path_injected(tmp_path, monkeypatch):
    """As PapermillOperator of Airflow runs it: in another process than a papermill command."""
    monkeypatch.chdir(tmp_path)
    given = {"eval": "HumanEval", "PAPERMILL_OUTPUT_PATH": "made/{eval}.ipynb"}
    Path("made").mkdir()
    papermill.execute_notebook(str(TEMPLATE), "made/{eval}.ipynb", given, progress_bar=False)
    said = last_words(tmp_path / "made" / "HumanEval.ipynb")
    check_documents(tmp_path / "reports" / "HumanEval", said)
    text = (tmp_path / "reports/HumanEval/report.ipynb").read_text()
    assert "PAPERMILL_OUTPUT_PATH" not in text and str(tmp_path) not in text


@pytest.mark.slow
def test_papermills_python_api_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    papermill.execute_notebook(
        str(TEMPLATE), "out.ipynb", {"eval": "HumanEval"}, progress_bar=False
    )
    check_no_documents(tmp_path / "reports" / "HumanEval", last_words(tmp_path / "out.ipynb"))


@pytest.mark.slow
def test_a_file_that_papermill_does_not_save_meanwhile_is_not_taken(tmp_path):
    """An output of an earlier run lies at the path: no document may be made of that."""
    words = ["papermill", str(TEMPLATE), "out.ipynb", "-p", "eval", "HumanEval"]
    run(tmp_path, *words, "--inject-output-path")
    check_documents(tmp_path / "reports" / "HumanEval", last_words(tmp_path / "out.ipynb"))
    shutil.rmtree(tmp_path / "reports")
    run(tmp_path, *words, "--inject-output-path", "--no-request-save-on-cell-execute")
    check_no_documents(tmp_path / "reports" / "HumanEval", last_words(tmp_path / "out.ipynb"))


@pytest.mark.slow
def test_nbconvert_executes_the_notebook_and_makes_its_document(tmp_path, installed):
    shutil.copy(TEMPLATE, tmp_path / "mine.ipynb")
    done = ["nbconvert", "--execute", "mine.ipynb", "--output", "out"]
    run(tmp_path, *done, "--to", "notebook", env=installed)
    report = tmp_path / "reports" / "MATH"
    said = last_words(tmp_path / "out.ipynb")
    check_no_documents(report, said)
    # what it says is true
    [command] = re.findall(r"`jupyter (nbconvert .*) NOTEBOOK.ipynb`", said)
    run(tmp_path, *command.split(), "out.ipynb", env=installed)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<title>MATH</title>" in page and "Table 1" in page and "<img" in page
    assert "No document was made" not in page and str(tmp_path) not in page
    for name in re.findall(r"reportkit-\w+", said):
        get_exporter(f"reportkit.documents.exporter.{name[10:].capitalize()}Exporter")


def test_every_format_is_an_exporter_of_nbconvert():
    named = entry_points()
    assert list(named) == [f"reportkit{mark}{name}" for mark in "-_" for name in FORMATS]
    for name, target in named.items():
        exporter, form = get_exporter(target.replace(":", "."))(), FORMATS[name[10:]]
        assert (exporter.form, exporter.file_extension) == (form, f".{form.name}"), name


@pytest.mark.slow
def test_jupyter_server_offers_only_what_its_addresses_take(tmp_path, installed):
    """JupyterLab's menu lists what this function returns in the server's process."""
    code = """
from jupyter_server.serverapp import ServerApp
from nbconvert.exporters.base import get_export_names
print(*[n for n in get_export_names() if n.startswith("reportkit")])
ServerApp.instance()
print(*[n for n in get_export_names() if n.startswith("reportkit")])
"""
    (tmp_path / "menu.py").write_text(code)
    before, after = (
        set(line.split()) for line in run(tmp_path, "menu", env=installed).stdout.splitlines()
    )
    assert before == set(entry_points())
    # /nbconvert/(?P<format>\w+) in jupyter_server/nbconvert/handlers.py
    assert after == {n for n in entry_points() if re.fullmatch(r"\w+", n)}
    assert len(after) == len(FORMATS)
