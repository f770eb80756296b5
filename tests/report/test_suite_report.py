"""A suite's report where no build hands over what it needs: in a notebook that papermill runs."""

import pytest

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
