"""reportkit check-table: what it prints, its exit status, its report."""

import json
import re
import shlex
import subprocess
import sys

import nbformat
import pytest
from click.testing import CliRunner
from support.places import ROOT
from support.published_tables import PAPER

from reportkit.cli import commands, main
from reportkit.documents.prose.made import how_made
from reportkit.report.checked import CheckReport
from reportkit.report.parameters import check_parameters_cell
from reportkit.tables.published import TABLES

HOSTILE = [
    "<script>alert(1)</script>", "a|b", "$x$ \\input{y}", "#import \"z\"", "*b* _c_ `d`",
    "\x1b[31mred", "[x](javascript:y)", "../../etc", "=cmd()", "a\u202eb",
]  # fmt: skip


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paper.md").write_text(PAPER, encoding="utf-8")
    return tmp_path


def run(*words, status=0):
    done = CliRunner().invoke(commands, ["check-table", *words])
    assert done.exit_code == status, done.output
    return done.stdout


def test_the_terminal_shows_findings_conclusions_and_tables(paper):
    out = run("paper.md")
    assert "5 printed numbers do not" in out and "Does not fit together:" in out
    assert "the mean is 87.7% in Table 1 and 86.7% in Table 2" in " ".join(out.split())
    assert "Galleon scores above Dreadnought on DROP" in " ".join(out.split())
    assert all(len(line) <= 130 for line in out.splitlines())


def test_json_has_every_number_and_no_nan(paper):
    found = json.loads(run("paper.md", "--format", "json"), parse_constant=pytest.fail)
    assert found["format"] == "reportkit/check-table@1"
    assert len(found["pairs"]) == 5 and found["level"] == 0.95
    assert sum(f["severity"] == "inconsistent" for f in found["findings"]) == 5
    [drop] = [p for p in found["pairs"] if p["eval"] == "DROP"]
    assert drop["difference"] == pytest.approx(4.0) and drop["fisher_p"] is None


def test_the_gate(paper):
    run("paper.md", "--fail-on", "inconsistent", status=1)
    (paper / "fine.csv").write_text("eval,A,B\nQA,65.5%,63.0%\n")
    run("fine.csv", "--fail-on", "inconsistent")


def test_a_row_of_a_table_without_a_name_is_told_by_its_line(paper):
    """138 of 164 is 84.1; 143 is 87.20 and 144 is 87.80. A sentence begins with the line."""
    (paper / "t.csv").write_text("eval,model,mean,n\nQ,A,84.1,164\nQ,B,87.5,164\n")
    said = run("t.csv", "--scale", "percent")
    assert "  - Line 3, Q, B: 87.5% is no share of 164" in said and "  - line" not in said


def test_a_report_says_with_which_options_it_was_made(paper):
    said = how_made(CheckReport(table="paper.md", scale="percent", level=0.9).manifest())
    assert "**Decisions:** level = 0.9; scale = percent; all others at their defaults." in said
    assert said.startswith(
        "- **Numbers:** copied from a published table, in paper.md.\n- **Input:**"
    )
    assert "harness" not in said and "Seed" not in said  # nobody ran anything, nothing is drawn


def test_the_options_reach_the_check(paper):
    (paper / "t.csv").write_text("eval;A;B\nQ;65,5 ± 1,3;63,0 ± 1,3\n")
    words = ["t.csv", "--decimal", "comma", "--scale", "percent", "--plus-minus", "interval"]
    out = json.loads(run(*words, "--questions", "Q=5000", "--level", "0.9", "--correlations",
                         "0,0.5", "--baseline", "A", "--format", "json"))  # fmt: skip
    assert (out["level"], out["correlations"]) == (0.9, [0.0, 0.5])
    assert out["pairs"][0]["baseline"] == "A" and out["means"][0]["n"] == 5000
    assert out["options"]["plus_minus"] == "interval"


def test_a_mistake_is_one_sentence_and_status_2(paper, capsys):
    (paper / "t.csv").write_text("eval,model,mean,qestions\nQ,A,1,2\n")
    for words in (["t.csv"], ["gone.csv"], ["paper.md", "--scale", "per"]):
        with pytest.raises(SystemExit) as ended:
            main(["check-table", *words])
        said = capsys.readouterr()
        assert ended.value.code == 2 and said.out == ""
        assert said.err.startswith("reportkit: ") and said.err.count("\n") == 1


def test_hostile_names_are_names_in_every_format(paper):
    rows = [f'"{h.replace(chr(34), chr(34) * 2)}","{h.replace(chr(34), chr(34) * 2)}{m}",{v}%,100'
            for h in HOSTILE for m, v in (("A", 61), ("B", 99))]  # fmt: skip
    (paper / "h.csv").write_text("eval,model,mean,n\n" + "\n".join(rows), encoding="utf-8")
    text = run("h.csv")
    assert "\x1b" not in text and "\u202e" not in text
    md = run("h.csv", "--format", "md")
    assert "<script>" not in md and not re.search(r"(?<!\\)\]\(javascript", md)
    names = {p["eval"] for p in json.loads(run("h.csv", "--format", "json"))["pairs"]}
    assert "<script>alert(1)</script>" in names and len(names) == len(HOSTILE)


# The report ---------------------------------------------------------------------------------------


def test_the_notebook_has_the_parameters_and_every_table():
    nb = nbformat.read(ROOT / "notebooks" / "check-table.ipynb", as_version=4)
    assert nb.cells[0].source == check_parameters_cell()
    code = "\n".join(c.source for c in nb.cells)
    assert [k for k in TABLES if f'report.table("{k}")' not in code] == []


def test_a_report_in_a_script(paper):
    report = CheckReport(table="paper.md", correlations="0.3,0.7", out="mine")
    assert "text/markdown" in report.findings().bundle
    assert report.table("checked-counts") is None  # no count is known
    assert report.table("checked-pairs") is not None
    report.finish(documents=False)
    found = json.loads((paper / "mine" / "results.json").read_text())
    assert found["format"] == "reportkit/check-table@1"
    manifest = json.loads((paper / "mine" / "manifest.json").read_text())
    assert manifest["command"] == "reportkit check-table paper.md --out mine"
    assert (
        manifest["inputs"][0]["file"] == "paper.md" and len(manifest["inputs"][0]["sha256"]) == 64
    )
    kept = sorted(p.name for p in (paper / "mine" / "tables").glob("*.tex"))
    assert kept == [
        "checked-differences.tex",
        "checked-means.tex",
        "checked-paired.tex",
        "checked-pairs.tex",
    ]
    assert str(paper) not in "".join(
        p.read_text() for p in (paper / "mine").rglob("*") if p.is_file()
    )


@pytest.mark.slow
def test_the_recorded_command_runs_with_several_numbers_of_questions(paper):
    (paper / "q.csv").write_text("eval,A,B\nX,65.5%,63.0%\nY,60%,61%\n")
    report = CheckReport(table="q.csv", questions="X=200;Y=100", out="mine")
    report.finish(documents=False)
    command = json.loads((paper / "mine" / "manifest.json").read_text())["command"]
    words = shlex.split(command)
    assert words[:2] == ["reportkit", "check-table"]
    again = json.loads(run(*words[2:], "--format", "json"))
    assert {(m["eval"], m["n"]) for m in again["means"]} == {("X", 200), ("Y", 100)}


@pytest.mark.slow
def test_the_recorded_command_asks_for_the_same_documents(paper):
    made = []
    words = ["check-table", "paper.md", "--formats", "docx,md", "--out", "one/x"]
    for out in ("one/x", "two/x"):
        command = [sys.executable, "-m", "reportkit", *words[:-1], out]
        subprocess.run(command, check=True, capture_output=True, cwd=paper)
        files = (p for p in (paper / out).rglob("*") if p.is_file())
        made.append({p.relative_to(paper / out).as_posix(): p.read_bytes() for p in files})
        words = shlex.split(json.loads(made[0]["manifest.json"])["command"])[1:]
        assert words[-4:] == ["--out", "x", "--formats", "md,docx"]
        words = [*words[:-4], *words[-2:], "--out", ""]
    assert made[0] == made[1] and "report.docx" in made[0] and "report.tex" not in made[0]


@pytest.mark.slow
def test_out_makes_the_report_twice_with_the_same_bytes(paper):
    rows = "".join(f'"{h.replace(chr(34), chr(34) * 2)}",A,61%,100\n' for h in HOSTILE)
    (paper / "h.csv").write_text("eval,model,mean,n\n" + rows, encoding="utf-8")
    command = [sys.executable, "-m", "reportkit", "check-table"]
    for source in ("paper.md", "h.csv"):
        found = []
        for out in ("one/x", "two/x"):
            words = [*command, source, "--out", out, "--scale", "percent"]
            subprocess.run(words, check=True, capture_output=True, cwd=paper)
            files = sorted(p for p in (paper / out).rglob("*") if p.is_file())
            found.append({p.relative_to(paper / out).as_posix(): p.read_bytes() for p in files})
        assert found[0] == found[1]
        assert {"report.html", "report.md", "report.tex", "report.pdf", "results.json"} <= set(
            found[0]
        )
        html = found[0]["report.html"].decode()
        assert "<script>alert" not in html and str(paper) not in html
        if source == "paper.md":
            command_again = json.loads(found[0]["manifest.json"])["command"]
            assert command_again == "reportkit check-table paper.md --scale percent --out x"
