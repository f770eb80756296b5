"""The report of a plan: its notebook, its tables and figures, and what it leaves behind."""

import json
import re
import shlex
import subprocess
import sys
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from support.places import ROOT

from reportkit.analysis.planning import plan
from reportkit.builds.build import build
from reportkit.builds.plan import asked_words
from reportkit.documents.prose.planning import numbers
from reportkit.errors import PlanError, UnknownNameError
from reportkit.figures import PLAN_KINDS, draw_plan
from reportkit.loading.config import load
from reportkit.report.parameters import planning_parameters_cell
from reportkit.report.planning import PlanningReport
from reportkit.tables.planning import PLANNING, plan_table

pytestmark = pytest.mark.usefixtures("warm")

NOTEBOOK = nbformat.read(ROOT / "notebooks" / "planning.ipynb", as_version=4)


def shown_by(method: str) -> list[str]:
    code = "\n".join(c.source for c in NOTEBOOK.cells if c.cell_type == "code")
    return re.findall(rf'report\.{method}\("([\w-]+)"', code)


def test_the_notebook_shows_every_table_and_figure_of_a_plan():
    assert sorted(shown_by("table")) == sorted(PLANNING)
    assert sorted(shown_by("figure")) == sorted(PLAN_KINDS)


def test_how_a_plan_was_made_stands_below_its_methods():
    """Below the large table of public evals it was alone on the last page of a Word document: from
    the methods it takes the references along.
    """
    cells = [cell.source for cell in NOTEBOOK.cells]
    heads = [source for source in cells if source.startswith("## ")]
    assert heads[-2:] == ["## Methods", "## How this was made"]


def test_the_parameters_are_made_from_the_record():
    assert NOTEBOOK.cells[0].source == planning_parameters_cell()
    assert NOTEBOOK.cells[0].metadata.tags == ["parameters"]


@pytest.fixture(scope="module")
def left(tmp_path_factory):
    """A report of a plan with costs, clusters and published scores."""
    folder = tmp_path_factory.mktemp("plan") / "made"
    report = PlanningReport(
        difference=0.05, mean=0.8, cluster_size=8, cost_question=5, cost_answer=0.1,
        published="A:0.9; B:0.8", questions=1000, out=str(folder),
    )  # fmt: skip
    for kind in PLANNING:
        report.table(kind)
    for kind in PLAN_KINDS:
        report.figure(kind)
    report.finish(documents=False)
    return folder


def test_what_a_plan_leaves_behind(left):
    tables = {p.stem for p in (left / "tables").glob("*.csv")}
    assert tables == set(PLANNING)
    figures = {p.stem for p in (left / "figures").glob("*.svg")}
    assert figures == {name for kind in PLAN_KINDS for name in (kind, f"{kind}-column")}
    results = json.loads((left / "results.json").read_text())
    assert results["format"] == "reportkit/results@1" and results["evals"] == []
    assert results["planning"]["need"]["questions"] > 0
    assert results["report"]["parameters"]["difference"] == 0.05
    manifest = json.loads((left / "manifest.json").read_text())
    assert manifest["command"] == (
        "reportkit build --notebook planning --ask difference=0.05 --ask mean=0.8 --ask "
        '\'published={"A": {"score": 0.9, "source": ""}, "B": {"score": 0.8, '
        '"source": ""}}\' --ask questions=1000 --ask cluster_size=8 --ask cost_question=5 '
        "--ask cost_answer=0.1 --ask level=0.95 --ask power=0.8"  # of reportkit.toml, unless said
    )
    assert manifest["fictional"] is None and manifest["inputs"] == []
    assert (
        r"\rk" in (left / "numbers.tex").read_text() or "Plan" in (left / "numbers.md").read_text()
    )


def test_an_unknown_parameter_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'difference'"):
        PlanningReport(diference=0.05)


@pytest.mark.slow
def test_the_level_of_the_file_is_in_the_report_and_in_its_command(tmp_path, monkeypatch):
    """The same plan where the file has gone, and where it says another level."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "reportkit.toml"
    file.write_text("level = 0.99\npower = 0.9\n")

    def made(**said) -> tuple[dict, list[str]]:
        report = PlanningReport(**{"difference": 0.05, "mean": 0.8, **said})
        words = shlex.split(report.manifest()["command"])
        asks = [w for before, w in pairwise(words) if before == "--ask"]
        return report.results().planning, asks

    by_file, asks = made()
    assert by_file["asked"]["level"] == 0.99 and by_file["asked"]["power"] == 0.9
    assert {"level=0.99", "power=0.9"} <= {*asks}
    beaten, asks_of_beaten = made(level=0.95)  # the default, which is said
    assert beaten["asked"]["level"] == 0.95 and "level=0.95" in asks_of_beaten
    file.write_text("level = 0.8\n")
    assert made(**asked_words(asks))[0] == by_file
    file.unlink()
    assert made(**asked_words(asks_of_beaten))[0] == beaten
    assert made()[0]["need"]["questions"] < by_file["need"]["questions"]


@pytest.mark.parametrize(
    ("words", "level"),
    [({}, 0.99), ({"level": 0.9}, 0.9), ({"level": 0.9, "ask": ("level=0.8",)}, 0.8)],
)
def test_a_build_hands_the_notebook_the_level_that_counts(tmp_path, monkeypatch, words, level):
    """--ask before --level before reportkit.toml; the notebook is not run here."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reportkit.toml").write_text("level = 0.99\n")
    jobs = []
    ran = lambda todo: [jobs.append(j) or (j, None) for j in todo]  # noqa: E731
    monkeypatch.setattr("reportkit.builds.plan.runner", lambda output: nullcontext(ran))
    build(notebook="planning", settings=load(), out="reports", **words)
    [job] = jobs
    assert job.parameters["level"] == level and job.parameters["power"] == 0.8


def test_answers_that_differ_say_whose_they_are():
    """The second model's answers cost eight times as much: it gets fewer."""
    p = plan(difference=0.03, noise=0.3, cost_question=5, cost_answer=0.05, cost_answer_b=0.4)
    best = next(a for a in p.answers if a.best)
    assert best.epochs_a > best.epochs_b
    texts = {n.what: n.text for n in numbers(p)}
    a, b = f"{best.epochs_a:g}", f"{best.epochs_b:g}"
    assert texts["bestanswers"] == f"{a} of the first model and {b} of the second model"
    assert texts["answers"] == "1"


@pytest.mark.slow
def test_figures_say_what_they_show(left):
    p = plan(difference=0.05, mean=0.8, cost_question=5, cost_answer=0.1)
    for kind in PLAN_KINDS:
        figure = draw_plan(p, kind)
        assert figure.title.endswith(".") and len(figure.alt) > 80
    assert f"{int(p.need.questions):,} questions" in draw_plan(p, "planning-power").alt
    assert draw_plan(plan(difference=0.05, omega2=0.1), "planning-epochs") is None
    assert draw_plan(plan(difference=0.05), "planning-costs") is None
    with pytest.raises(UnknownNameError, match="did you mean 'planning-power'"):
        draw_plan(p, "planning-powr")


@pytest.mark.slow
def test_what_a_plan_says_stands_in_its_document_once(tmp_path):
    """Five sentences stood below both tables, word for word. Alone, as a file, each has its own."""
    asked = {"difference": 0.05, "mean": 0.71, "design": "unpaired", "other_questions": 1319}
    report = PlanningReport(out=str(tmp_path / "plan"), **asked)
    first, second = (report.table(k) for k in ("planning", "planning-known"))
    said = "Only one model is run."
    assert said in first.bundle["text/plain"] and said not in second.bundle["text/plain"]
    assert "Answer noise is that of one answer." in second.bundle["text/plain"]
    assert said in str(plan_table(report.planned, "planning-known"))
    alone = PlanningReport(out=str(tmp_path / "alone"), **asked).table("planning-known")
    assert said in alone.bundle["text/plain"]


def test_a_pilot_of_fictional_models_says_so():
    from reportkit import demo_scores
    from reportkit.decisions import Decisions

    p = plan(None, demo_scores(["HumanEval"]), Decisions(eval="HumanEval"), difference=0.05)
    assert "fictional" in plan_table(p).notes[0].lower()
    assert "fictional data" in draw_plan(p, "planning-power").title


def test_a_plan_that_cannot_be_builds_nothing(tmp_path):
    for ask, why in (
        ("difference=0", "a difference of 0"),
        ("difference", "write NAME=VALUE"),
        ("cluster=my passage", "decided of the pilot's scores; write --cluster 'my passage'"),
    ):
        with pytest.raises(PlanError, match=why):
            build(notebook="planning", ask=(ask,), out=str(tmp_path / "reports"))
    assert not (tmp_path / "reports").exists()


def built(folder: Path, *words: str) -> dict[str, bytes]:
    """The files of a plan that the command makes in a folder."""
    command = [sys.executable, "-m", "reportkit", "build", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = folder / words[words.index("--out") + 1] / "planning"
    paths = (p for p in made.rglob("*") if p.is_file())
    return {p.relative_to(made).as_posix(): p.read_bytes() for p in paths}


@pytest.mark.slow
def test_a_plan_of_a_pilot_follows_columns_and_file_and_so_does_its_command(tmp_path):
    """The notebook plans from the scores that the build read. B and C differ in 2 of 8 questions,
    A and B, which the file does not name, in 4.
    """
    scores = {"A": "11111111", "B": "11110000", "C": "11110011"}
    rows = [f"{m},q{i},{s}" for m, all in scores.items() for i, s in enumerate(all)]
    (tmp_path / "pilot.csv").write_text("\n".join(["llm,prompt,score", *rows]) + "\n")
    (tmp_path / "other.toml").write_text(
        'theme = "pm"\n[models]\n"C" = "see"\n[evals.pilot]\ncategory = "Language"\n'
    )
    columns = ["--columns", "model=llm,question_id=prompt", "--config", "other.toml"]
    asked = ["--notebook", "planning", "--ask", "questions=100", "--models", "B,see"]
    first = built(tmp_path, "pilot.csv", *asked, *columns, "--formats", "md", "--out", "one")
    results = json.loads(first["results.json"])
    compared = results["planning"]["pilot"]
    assert compared["models"] == ["B", "see"]
    parameters = results["report"]["parameters"]
    assert (parameters["category"], parameters["theme"]) == ("Language", "pm")
    command = shlex.split(json.loads(first["manifest.json"])["command"])
    assert command[:2] == ["reportkit", "build"]
    assert built(tmp_path, *command[2:], "--out", "two") == first


@pytest.mark.slow
def test_a_build_of_the_planning_notebook(tmp_path):
    """Twice the same bytes, and a front page with it."""
    for out in ("one", "two"):
        words = ["build", "--notebook", "planning", "--ask", "difference=0.05", "--formats", "md"]
        done = subprocess.run(
            [sys.executable, "-m", "reportkit", *words, "--out", out],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    one, two = (tmp_path / out / "planning" for out in ("one", "two"))
    names = sorted(p.relative_to(one).as_posix() for p in one.rglob("*") if p.is_file())
    assert "report.md" in names and "planning" in (tmp_path / "one/index.html").read_text()
    assert all((one / n).read_bytes() == (two / n).read_bytes() for n in names)
