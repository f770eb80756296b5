"""A suite's report where no build hands over what it needs: in a notebook that papermill runs."""

import json

import pytest
from support.places import ROOT

from reportkit.report import Report
from reportkit.report.base import BaseReport
from reportkit.report.shown import Shown
from reportkit.report.suite import SuiteReport


@pytest.mark.parametrize("scores", ["", [], None, [""]])
def test_without_scores_it_is_of_the_demonstration(scores, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = SuiteReport(evals="HumanEval", models="Galleon,Dreadnought", scores=scores)
    (result,) = report.suite.evals
    assert result.eval == "HumanEval"
    assert result.fictional
    # 1371 and 1422 of 1640 answers (statistics.md, section 5)
    assert [m.mean for m in result.means] == pytest.approx([1371 / 1640, 1422 / 1640])


def test_warnings_stand_in_the_order_of_the_evals(tmp_path, monkeypatch):
    """Read in another order, as the manifest's command names them, they are the same."""
    monkeypatch.chdir(tmp_path)
    for name in "abc":
        tmp_path.joinpath(f"{name}.csv").write_text("model,question_id,score\nm,q,1\nn,q,0\n")
    read, again = (
        SuiteReport(scores=files, order="c,a")
        for files in (["a.csv", "b.csv", "c.csv"], ["c.csv", "a.csv", "b.csv"])
    )
    assert [w.eval for w in read.warnings] == [e for e in "cab" for _ in "mn"]  # one question each
    assert read.warnings == again.warnings
    assert read.notes() is not None
    assert "\n- **Warnings:** in the section on the data.\n" in listed(read, monkeypatch)


def listed(report: BaseReport, monkeypatch) -> str:
    """What "How this was made" lists."""
    shown: list[Shown] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    report.made()
    return shown[0].bundle["text/markdown"]


def test_how_a_report_was_made_says_where_its_warnings_stand(tmp_path, monkeypatch):
    """Of some reports the list said that there are none, and of the others nothing. The notebooks
    show them below the heading "Data".
    """
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("e.csv").write_text("model,question_id,score\nm,q,1\nn,q,0\n")
    report = Report(scores="e.csv")
    assert report.warnings
    assert "\n- **Warnings:** in the section on the data.\n" in listed(report, monkeypatch)
    for name in ("template", "suite"):
        cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text())["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        shown = sources.index("report.notes()")
        assert [text for text in sources[:shown] if text.startswith("## ")][-1] == "## Data"


@pytest.mark.parametrize("kind", [Report, SuiteReport])
def test_no_warnings_are_an_entry_of_a_list(kind, tmp_path, monkeypatch):
    """A line of its own, "There are no warnings.", stood alone at the head of a page."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{model},q{k},{(k + at) % 2}" for at, model in enumerate("mn") for k in range(200)]
    tmp_path.joinpath("e.csv").write_text("\n".join(["model,question_id,score", *rows]))
    report = kind(scores="e.csv")
    assert report.warnings == ()
    assert report.notes() is None
    assert "\n- **Warnings:** none.\n" in listed(report, monkeypatch)
