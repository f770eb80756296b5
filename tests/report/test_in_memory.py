"""Reports of scores in memory, and of a file of one eval that nobody named."""

import json

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import UnknownNameError
from reportkit.report import Report
from reportkit.report.planning import PlanningReport
from reportkit.report.suite import SuiteReport


@pytest.fixture
def frame():
    rng = np.random.default_rng(1)
    rows = [
        (eval, model, f"q{q}", int(rng.random() < 0.6))
        for eval in ("algebra", "history")
        for model in "AB"
        for q in range(60)
    ]
    return pd.DataFrame(rows, columns=["eval", "model", "question_id", "score"])


def finished(report):
    said = report.finish().bundle["text/plain"]
    return json.loads((report.folder / "manifest.json").read_text()), said


def test_a_report_takes_a_frame(frame, tmp_path):
    report = Report(eval="history", scores=frame, out=tmp_path / "r")
    mine = frame[frame["eval"] == "history"]
    expected = mine.groupby("model")["score"].mean()
    assert {m.model: m.mean for m in report.result.means} == pytest.approx(expected.to_dict())
    made, said = finished(report)
    assert made["command"] is None
    assert [(i["file"], i["rows"]) for i in made["inputs"]] == [("DataFrame", 240)]
    assert "this is a script" in said  # no notebook that could be saved and converted
    assert "reportkit.build(scores)" in said


def test_a_frame_of_one_eval_needs_no_name(frame, tmp_path):
    one = frame[frame["eval"] == "algebra"]
    assert Report(scores=one, out=tmp_path).title == "algebra"
    unnamed = one.drop(columns="eval")
    assert Report(scores=unnamed, eval="quiz", out=tmp_path).title == "quiz"
    with pytest.raises(UnknownNameError, match="^no eval is named.*'algebra', 'history'$"):
        Report(scores=frame, out=tmp_path)
    with pytest.raises(UnknownNameError, match="^no eval 'latin'; there are 'algebra', 'history'$"):
        Report(eval="latin", scores=frame, out=tmp_path)


def test_a_file_of_one_eval_needs_no_name(frame, tmp_path):
    """MATH is the notebook's own example, and not what its user asks for."""
    frame[frame["eval"] == "algebra"].to_csv(tmp_path / "x.csv", index=False)
    given = {"scores": str(tmp_path / "x.csv"), "out": tmp_path / "r"}
    assert Report(**given).title == "algebra"
    with pytest.raises(UnknownNameError, match="^no eval 'MATH'"):
        Report(eval="MATH", **given)


def test_a_suite_takes_a_frame(frame, tmp_path):
    report = SuiteReport(scores=frame, out=tmp_path / "s")
    made, _ = finished(report)
    assert report.title == "Suite of 2 evals"
    assert (made["command"], made["inputs"][0]["file"]) == (None, "DataFrame")


def test_a_plan_takes_a_frame_for_its_pilot(frame, tmp_path):
    pilot = frame[frame["eval"] == "algebra"]
    report = PlanningReport(difference=0.05, scores=pilot, out=tmp_path / "p")
    pilot.to_csv(tmp_path / "pilot.csv", index=False)
    same = PlanningReport(difference=0.05, scores=str(tmp_path / "pilot.csv"), out=tmp_path / "q")
    assert (
        report.results().to_json()["planning"]["answers"]
        == (same.results().to_json()["planning"]["answers"])
    )
    made, _ = finished(report)
    assert (made["command"], made["inputs"][0]["rows"]) == (None, 120)
