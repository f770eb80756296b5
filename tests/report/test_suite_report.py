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
