"""The report over several evals, as builds, papermill and scripts make it."""

import json
import shlex

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from support.places import ROOT
from support.scores_made import frame_of

from reportkit import analyse, build
from reportkit.cli import commands
from reportkit.decisions import Decisions
from reportkit.errors import UnknownNameError
from reportkit.loading.config import load
from reportkit.report.suite import SuiteReport
from reportkit.schema import results_schema

RNG = np.random.default_rng(4)
SCORES = {
    name: RNG.uniform(0, 1, (models, n)).round(3)
    for name, models, n in (("alpha", 3, 30), ("Suite", 3, 20), ("gamma", 2, 25))
}
FORMATS = ("md",)
pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Three evals; on gamma, C was not run. One is called like the suite's folder."""
    folder = tmp_path_factory.mktemp("evals")
    for name, x in SCORES.items():
        frame_of(x, eval=name).to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.fixture(scope="module")
def built(files, tmp_path_factory):
    out = tmp_path_factory.mktemp("built")
    summary = build([str(files)], out=out, formats=FORMATS, models="C,A")
    assert (summary.failures, summary.built) == ({}, ["Suite-e6d6f6", "alpha", "gamma", "suite"])
    return out


def results(folder):
    return json.loads((folder / "results.json").read_text())


def contents(folder):
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def test_every_build_of_several_evals_has_a_suite(built, files):
    """Its numbers are those of the evals' own reports; no eval's report has its folder."""
    found = results(built / "suite")
    jsonschema.validate(found, results_schema())
    assert [e["eval"] for e in found["evals"]] == ["Suite", "alpha", "gamma"]
    for e, folder in zip(found["evals"], ("Suite-e6d6f6", "alpha", "gamma"), strict=True):
        assert [e] == results(built / folder)["evals"]
    assert found["suite"]["models"] == ["C", "A"]
    assert found["report"]["name"] == "suite" and found["report"]["notebook"] == "suite"
    [overall] = found["suite"]["overall"]
    assert (overall["model"], overall["baseline"], overall["n_evals"]) == ("C", "A", 2)


def test_it_links_to_the_report_of_each_eval(built):
    text = (built / "suite" / "report.md").read_text()
    for name, folder in (("Suite", "Suite-e6d6f6"), ("alpha", "alpha"), ("gamma", "gamma")):
        assert f"- [{name}](../{folder}/report.md)" in text
        assert (built / folder / "report.md").is_file()


def test_each_eval_takes_the_named_models_that_it_has(built):
    assert results(built / "gamma")["evals"][0]["models"] == ["A"]
    assert results(built / "alpha")["evals"][0]["models"] == ["C", "A"]
    row = (built / "suite" / "tables" / "suite.md").read_text().splitlines()
    [gamma] = [line for line in row if line.startswith("| gamma")]
    assert gamma.split("|")[-3].strip() == "—"


@pytest.mark.slow
def test_an_eval_with_none_of_the_models_is_left_out_with_a_note(files, tmp_path):
    summary = build([str(files)], out=tmp_path, formats=FORMATS, models="C")
    assert summary.failures == {} and summary.built == ["Suite-e6d6f6", "alpha", "suite"]
    assert summary.notes == ["eval 'gamma': none of the named models was run on it"]


def test_a_model_of_no_chosen_eval_is_an_error(files, tmp_path):
    with pytest.raises(UnknownNameError, match="no model 'C' in the chosen evals"):
        build([str(files)], out=tmp_path / "out", models="A,C", eval="gamma")
    with pytest.raises(UnknownNameError, match="no model 'Z' in"):
        build([str(files)], out=tmp_path / "out", models="A,Z")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_baseline_that_one_eval_lacks_is_a_note(files, tmp_path):
    summary = build([str(files)], out=tmp_path, formats=FORMATS, baseline="C")
    assert summary.failures == {}
    assert summary.notes == ["eval 'gamma': the baseline 'C' was not run on it"]
    suite = results(tmp_path / "suite")["suite"]
    assert suite["baseline"] == "C"
    assert {(d["model"], d["n_evals"]) for d in suite["overall"]} == {("A", 2), ("B", 2)}
    assert results(tmp_path / "gamma")["evals"][0]["baseline"] is None


@pytest.mark.slow  # test_incremental.py counts the reports of one eval
def test_one_eval_has_no_suite(files, tmp_path):
    assert build([str(files)], out=tmp_path, formats=FORMATS, eval="alpha").built == ["alpha"]


def test_the_suite_alone_has_the_same_numbers(built, files, tmp_path):
    said = {"models": "C,A", "formats": FORMATS, "notebook": "suite"}
    summary = build([str(files)], out=tmp_path, **said)
    assert summary.built == ["suite"]
    alone, whole = contents(tmp_path / "suite"), contents(built / "suite")
    assert [n for n in whole if n.startswith("tables/") and alone[n] != whole[n]] == []
    assert alone["results.json"] == whole["results.json"]
    assert "- alpha\n" in alone["report.md"].decode()  # no report stands beside it


@pytest.mark.slow
def test_its_command_makes_the_same_bytes_and_so_do_two_jobs(
    cold, built, files, tmp_path, monkeypatch
):
    monkeypatch.setenv("REPORTKIT_FORK", "1")
    monkeypatch.chdir(files.parent)
    (tmp_path / "one").mkdir()
    said = {"models": "C,A", "formats": FORMATS, "eval": "alpha,gamma"}
    assert build([files.name], out=tmp_path / "one", jobs=2, **said).failures == {}
    command = json.loads((tmp_path / "one" / "suite" / "manifest.json").read_text())["command"]
    words = [*shlex.split(command)[1:], "--out", str(tmp_path / "two"), "--formats", "md"]
    done = CliRunner().invoke(commands, words)
    assert done.exit_code == 0, done.output
    assert contents(tmp_path / "one" / "suite") == contents(tmp_path / "two" / "suite")


@pytest.mark.slow
def test_what_is_decided_for_one_eval_holds_in_the_suite(files, tmp_path):
    (tmp_path / "reportkit.toml").write_text("level = 0.9\n[evals.alpha]\nbetter = 'lower'\n")
    settings = load(tmp_path / "reportkit.toml")
    said = {"formats": FORMATS, "notebook": "suite"}
    build([str(files)], settings=settings, out=tmp_path / "out", **said)
    found = results(tmp_path / "out" / "suite")
    assert found["suite"]["apart"] == {"alpha": "it has scores of which lower is better"}
    assert {m["level"] for e in found["evals"] for m in e["means"]} == {0.9}
    command = json.loads((tmp_path / "out" / "suite" / "manifest.json").read_text())["command"]
    assert "--better alpha=lower" in command and "--level 0.9" in command


def test_a_script_makes_the_report_too(files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = SuiteReport(scores=str(files), evals="alpha,gamma", baseline="A")
    report.finish(documents=False)
    made = tmp_path / "reports" / "suite"
    assert [r.eval for r in report.suite.evals] == ["alpha", "gamma"]
    assert (made / "tables" / "suite-overall.tex").is_file() and (made / "numbers.tex").is_file()
    own, _ = analyse(frame_of(SCORES["alpha"], eval="alpha"), Decisions(baseline="A"))
    assert results(made)["evals"][0]["means"][0]["mean"] == own.means[0].mean


def test_a_notebook_that_no_build_runs_takes_the_models_that_each_eval_has(files):
    report = SuiteReport(scores=str(files), models="C,A", evals="alpha,gamma")
    assert [r.models for r in report.suite.evals] == [("C", "A"), ("A",)]
    with pytest.raises(UnknownNameError, match="no model 'Z' in any eval"):
        SuiteReport(scores=str(files), models="A,Z")


def test_the_scores_behind_a_suite_are_those_of_all_its_evals(files):
    """The means of each eval come out of them again."""
    report = SuiteReport(scores=str(files), models="C,A", evals="alpha,gamma")
    assert "scores" not in vars(report)  # they are read when they are asked for
    found = report.scores.groupby(["eval", "model"])["score"].mean().to_dict()
    of = {(r.eval, m.model): m.mean for r in report.result.evals for m in r.means}
    assert set(of) == {("alpha", "C"), ("alpha", "A"), ("gamma", "A")}
    assert found == pytest.approx(of, abs=1e-12)


@pytest.mark.slow
def test_a_copy_of_the_notebook_makes_one_report(files, tmp_path):
    copy = tmp_path / "mine.ipynb"
    copy.write_text((ROOT / "notebooks" / "suite.ipynb").read_text())
    summary = build([str(files)], out=tmp_path / "out", formats=FORMATS, notebook=str(copy))
    assert summary.built == ["suite"]
