"""A report of another kind on the base: what it need not say itself."""

import json
from types import SimpleNamespace

import pytest

from reportkit.documents.macros import Number
from reportkit.errors import OutputError, UnknownNameError
from reportkit.report import Report
from reportkit.report.base import BaseReport
from reportkit.report.suite import SuiteReport
from reportkit.results import Results
from reportkit.tables.table import Column, Table


class Counted(BaseReport):
    """A report of a number."""

    PARAMETERS = {"eval": "E", "count": 1, "out": ""}

    def __init__(self, **parameters):
        super().__init__(parameters)
        self.title = "Counted"
        self.folder = self.parameters["out"]

    def results(self):
        return Results("counted", "counting", {"count": self.parameters["count"]}, (), ())

    def manifest(self):
        return {"command": "count"}

    def table(self, kind):
        return self.show_table(TABLE)

    def save_rest(self):
        self.save_table(TABLE)

    def numbers(self):
        return [Number("E", "", "count", str(self.parameters["count"]))]


TABLE = Table("t", "A table.", (Column("Model", "l"),), (("A",),))


def test_parameters_are_those_of_the_kind(tmp_path):
    cells = {"In": ["", "eval = 'E'\ncount: int = 1", "# Parameters\ncount = 3"], "count": 3}
    namespace = cells | {"eval": "E", "out": tmp_path}
    report = Counted.from_notebook(namespace)
    assert report.parameters == {"eval": "E", "count": 3, "out": tmp_path}
    assert "eval" not in namespace  # the builtin is back
    namespace = cells | {"In": ["# Parameters\ncont = 3"]}
    with pytest.raises(UnknownNameError, match="no parameter 'cont'; did you mean 'count'?"):
        Counted.from_notebook(namespace)
    with pytest.raises(UnknownNameError, match="no parameter 'level'"):
        Counted(level=0.9)


def test_sentences_in_place_of_a_table_do_not_say_that_scores_are_generated(tmp_path):
    """The warning next to them does; a drop-in says it itself, wherever it stands."""
    report = Report(eval="HumanEval", out=tmp_path)
    shown = report.table("data").bundle["text/markdown"]
    assert shown.startswith("Each model: 164 questions, all of the eval,")
    assert "The models are fictional" in report.findings().bundle["text/markdown"].replace(
        "\n", " "
    )
    report.save_rest()
    report.finish(documents=False)
    assert "Fictional models" in (tmp_path / "tables" / "data.md").read_text()


def test_numbers_run_through_and_stay_when_a_cell_runs_again(tmp_path):
    report = Counted(out=tmp_path)
    assert [report.number("table", n) for n in "aba"] == [1, 2, 1]
    assert report.number("figure", "a") == 1
    assert "Table 3" in report.show_table(TABLE).bundle["text/markdown"]


def test_it_saves_and_finishes(tmp_path):
    report = Counted(out=tmp_path, count=5)
    said = report.finish(documents=False)
    where = f"The tables, figures and numbers are in `{tmp_path}`."
    assert said.bundle["text/plain"] == where
    assert "No document was made" in report.finish().bundle["text/plain"]
    made = json.loads((tmp_path / "manifest.json").read_text())
    assert made["command"] == "count"
    assert set(made["outputs"]) == {
        *(f"tables/t.{suffix}" for suffix in ("tex", "md", "html", "typ", "csv")),
        "numbers.tex",
        "numbers.md",
        "reportkit-preamble.tex",
        "results.json",
    }
    assert r"\rkset{E}{}{count}{5}" in (tmp_path / "numbers.tex").read_text()
    assert r"| E |  | count | 5 | `\rk{E}{}{count}` |  |" in (tmp_path / "numbers.md").read_text()
    parameters = json.loads((tmp_path / "results.json").read_text())["report"]["parameters"]
    assert parameters == {"count": 5}


def test_a_build_makes_the_documents_itself(tmp_path):
    report = Counted(out=tmp_path)
    report.build = "counting"
    assert report.finish() is None


def test_an_eval_that_nobody_named_is_not_told_as_unknown(tmp_path):
    """The notebook's own example is MATH, which its user may never have typed."""
    rows = [f"{m},{q},{q % 2},{e}" for e in ("algebra", "history") for m in "AB" for q in range(4)]
    (tmp_path / "x.csv").write_text("\n".join(["model,question_id,score,eval", *rows]) + "\n")
    given = {"scores": str(tmp_path / "x.csv"), "out": str(tmp_path / "r")}
    with pytest.raises(UnknownNameError) as error:
        Report(**given)
    assert str(error.value) == (
        "no eval is named, so name one: -p eval NAME (in Python eval=NAME); there are 'algebra', "
        "'history'"
    )
    with pytest.raises(UnknownNameError, match="^no eval 'MATH'; there are 'algebra', 'history'$"):
        Report(eval="MATH", **given)
    assert Report(eval="history", **given).title == "history"


def test_an_evals_report_is_one():
    assert issubclass(Report, BaseReport)


def test_marks_that_reorder_text_are_codes_in_all_that_a_notebook_shows(tmp_path):
    """The command too, which is there to be copied. After U+202E text runs from the right."""
    path, models = tmp_path / "a\u202egpj.csv", ("m\u202eledom", "\u2066b")
    rows = [f"{m},q{q},{(q + k) % 3 // 2}" for k, m in enumerate(models) for q in range(9)]
    path.write_text("\n".join(["model,question_id,score", *rows]))
    report = Report(eval=path.stem, scores=str(path), baseline=models[0], out=tmp_path / "r")
    shown = [report.table("differences"), report.figure("differences"), report.made()]
    texts = [text for s in shown for mime, text in s.bundle.items() if mime != "image/png"]
    assert len(texts) > 9 and not any(set("\u202e\u2066") & set(text) for text in texts)
    assert "U+202E" in report.made().bundle["text/plain"]


@pytest.mark.parametrize("kind", [Report, SuiteReport])
@pytest.mark.parametrize("out", ["reports", "reports/mine"])
def test_a_notebook_without_scores_takes_the_place_of_no_real_report(
    kind, out, tmp_path, monkeypatch
):
    """The variable of a scheduler that holds no scores is no wish for the demonstration."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{m},{q},{q % 2}" for m in "AB" for q in range(4)]
    (tmp_path / "MATH.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    Report(eval="MATH", scores="MATH.csv", out="reports/mine").finish(documents=False)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    name = {"eval": "MATH"} if kind is Report else {"evals": "MATH"}
    with pytest.raises(OutputError, match="real scores, and no scores were given.*another out$"):
        kind(**name, out=out)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    kind(**name, out="elsewhere").finish(documents=False)
    kind(**name, out="elsewhere").finish(documents=False)


@pytest.mark.parametrize(("columns", "shown"), [(14, True), (15, False)])
def test_a_table_of_more_than_14_columns_is_saved_and_not_shown(columns, shown):
    names = tuple(Column(f"m{i}") for i in range(columns))
    made = Table("correlations", "T.", names, (("1",) * columns,))
    saved = []
    report = SimpleNamespace(
        decisions=SimpleNamespace(asked=()), shown=SimpleNamespace(best=(), baseline=""),
        _short=lambda kind, digits: made, save_table=saved.append, show_table=lambda table: table,
    )  # fmt: skip
    assert Report.table(report, "means") is (made if shown else None)
    assert saved == [made]
