"""reportkit power: the answers in every format, and one sentence for each mistake."""

import csv
import importlib
import io
import json
import re

import pytest
from click.testing import CliRunner

from reportkit.cli import commands, main
from reportkit.cli.power import FORMATS
from reportkit.plans import QUESTIONS
from reportkit.tables.planning import PLANNING

GIVEN = ["--difference", "0.05", "--mean", "0.8", "--correlation", "0.5", "--noise", "0.3"]


def run(*words: str) -> str:
    done = CliRunner().invoke(commands, ["power", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_terminal_has_answers_formulas_and_a_sentence_to_paste():
    text = run(*GIVEN)
    assert text.startswith("A plan for a difference of 5 percentage points.")
    assert "How:\n" in text and "(z_{a/2} + z_b)^2" in text
    # the notes say "Give yours as noise": how is said before they go on
    assert 0 < text.index("such as noise, is an option: --noise 0.3") < text.index("How:\n")
    assert "For a methods section:" in text
    assert "McNemar's test at a two-sided level of 5%" in " ".join(text.split())


@pytest.mark.parametrize("fmt", [f for f in FORMATS if f not in ("text", "json")])
def test_every_format_holds_the_number(fmt):
    from reportkit.analysis.planning import plan

    need = plan(difference=0.05, mean=0.8, correlation=0.5, noise=0.3).need.questions
    assert str(int(need)) in run(*GIVEN, "--format", fmt)


def test_json_holds_every_number_and_no_infinity():
    found = json.loads(run(*GIVEN, "--other-questions", "50", "--format", "json"))
    assert found["asked"]["difference"] == 0.05 and found["asked"]["margin"] is None
    assert found["need"]["questions"] > 0 and found["pilot"] is None
    published = [o for o in found["others"] if o["name"] == "against a published mean"]
    assert published[0]["questions"] is None and "cannot be reached" in published[0]["reason"]
    assert found["methods"].startswith("We planned")


@pytest.mark.parametrize("table", PLANNING)
def test_every_table_prints(table):
    assert run(*GIVEN, "--table", table, "--cost-question", "1", "--cost-answer", "0.1").strip()


@pytest.mark.slow
def test_level_and_power_are_those_of_the_file_unless_they_are_said(tmp_path, monkeypatch):
    """reportkit.toml of the folder, one that --config names, and options before both."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reportkit.toml").write_text("level = 0.9\npower = 0.7\n")
    (tmp_path / "other.toml").write_text("level = 0.99\n")

    def asked(*words: str) -> tuple[float, float]:
        found = json.loads(run(*GIVEN, *words, "--format", "json"))["asked"]
        return found["level"], found["power"]

    assert asked() == (0.9, 0.7)
    assert asked("--level", "0.95") == (0.95, 0.7)
    assert asked("--power", "0.8", "--config", "other.toml") == (0.99, 0.8)
    rows = json.loads(run(*GIVEN, "--power", "0.9", "--format", "json"))["known"]
    named = {k["name"]: (k["value"], k["source"]) for k in rows}
    assert named["level"] == (0.9, "reportkit.toml") and named["power"] == (0.9, "given")
    known = run(*GIVEN, "--config", "other.toml", "--table", "planning-known")
    assert re.search(r"^Level of the intervals +99% +other\.toml\b", known, re.MULTILINE)
    assert not re.search("^Power", known, re.MULTILINE)
    (tmp_path / "reportkit.toml").unlink()
    assert asked() == (0.95, 0.8)


def test_a_table_is_laid_out_for_the_line_that_is_asked_for():
    """The drop-in of the public evals names this command, for slides: it is 535 pt wide."""
    words = ("--table", "planning-public", "--format", "tex")
    assert "535 pt wide at 8 pt, on a page turned" in run(*words)
    text = run(*words, "--width", "307", "--height", "200")
    assert "parts, for a line of 307 pt on a page 200 pt high." in text


def test_csv_is_unrounded():
    rows = list(csv.DictReader(io.StringIO(run(*GIVEN, "--table", "planning-sizes",
                                               "--format", "csv"))))  # fmt: skip
    assert float(rows[0]["detectable"]) != round(float(rows[0]["detectable"]), 4)


def test_an_option_for_each_thing_that_is_asked():
    help = CliRunner().invoke(commands, ["power", "--help"]).stdout
    assert [n for n in QUESTIONS if f"--{n.replace('_', '-')}" not in help] == []
    assert [t for t in PLANNING if t not in "".join(help.split())] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--difference", "0"], "no number of questions shows a difference of 0"),
        (["--table", "planing"], "did you mean 'planning'"),
        (["nothing.csv"], "no such file"),
        (["--mean", "high"], "mean = 'high' is not a number"),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(words, said, capsys):
    with pytest.raises(SystemExit) as end:
        main(["power", *words])
    out, err = capsys.readouterr()
    assert end.value.code == 2 and not out
    assert said in err and len(err.strip().splitlines()) == 1


def test_how_a_pilot_is_read_is_not_said_where_there_is_none(capsys):
    with pytest.raises(SystemExit) as end:
        main(["power", *GIVEN, "--models", "a,b", "--range", "A=0,10"])
    out, err = capsys.readouterr()
    assert end.value.code == 2 and not out
    assert "--models, --range would change how a pilot is read, and there is none" in err


def test_a_missing_column_is_answered_with_the_files_own(tmp_path, capsys):
    """Every plain table gets an `eval`, which the file may not have."""
    rows = [f"{m},q{i},p{i // 2},{(i + k) % 2}" for k, m in enumerate("AB") for i in range(8)]
    path = tmp_path / "pilot.csv"
    path.write_text("\n".join(["model,question_id,passage,score", *rows]) + "\n")
    with pytest.raises(SystemExit):
        main(["power", str(path), "--cluster", "paragraph"])
    assert "pilot.csv; there are 'passage'\n" in capsys.readouterr().err


def test_a_pilot_with_hostile_names(tmp_path):
    """Names are data: no markup, and no escape of a terminal."""
    rows = ["model,question_id,score"]
    for model, right in (('"<b>A|x</b>"', 12), ("\x1b[31mB$y$", 20)):
        rows += [f"{model},q{i},{int((i * 7) % 30 < right)}" for i in range(30)]
    (tmp_path / "pilot.csv").write_text("\n".join(rows) + "\n")
    text = run(str(tmp_path / "pilot.csv"), "--difference", "0.1")
    assert "\x1b" not in text
    html = run(str(tmp_path / "pilot.csv"), "--table", "planning-gaps", "--format", "html")
    assert "<b>A" not in html


@pytest.mark.parametrize(
    ("name", "end"),
    [("nofile.csv", "no such file or folder\n"), ("pilt.csv", "did you mean 'pilot.csv'?\n")],
)
def test_a_missing_file_is_not_taken_for_one_with_the_same_ending(name, end, tmp_path, capsys):
    for there in ("allnoise.csv", "pilot.csv"):
        (tmp_path / there).write_text("model,question_id,score\n")
    with pytest.raises(SystemExit):
        main(["power", str(tmp_path / name)])
    assert capsys.readouterr().err.endswith(end)


@pytest.mark.parametrize("fmt", [f for f in FORMATS if f not in ("csv", "json")])
def test_a_table_that_a_pilot_has_nothing_for_is_a_sentence_in_every_format(fmt, tmp_path):
    """LaTeX ended in a traceback: the table that stood for it was 0 points wide."""
    rows = [f"e,{m},q{k},{(k * n) % 2}" for m, n in (("a", 3), ("b", 2)) for k in range(40)]
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("\n".join(["eval,model,question_id,score", *rows]) + "\n")
    text = run(str(pilot), "--difference", "0.05", "--table", "planning-epochs", "--format", fmt)
    assert "What more answers to each question would buy is not known" in " ".join(text.split())


def test_a_cluster_of_each_question_is_a_plan_without_clusters(tmp_path):
    """`--cluster question_id` ended in KeyError: 'question_id'."""
    rows = [f"{m},q{i},{(i * 7 + k) % 3 % 2}" for k, m in enumerate("AB") for i in range(40)]
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    said = [str(pilot), "--difference", "0.1"]
    alone = json.loads(run(*said, "--format", "json"))["need"]
    assert json.loads(run(*said, "--cluster", "question_id", "--format", "json"))["need"] == alone
    told = " ".join(run(*said, "--cluster", "question_id").split())
    assert "Each cluster of the pilot (question_id) holds one question: the plan is one" in told


def on_a_terminal(monkeypatch, columns: int, *words: str) -> str:
    module = importlib.import_module("reportkit.cli.power")  # the package has the command itself
    monkeypatch.setattr(module, "terminal_width", lambda: columns)
    return run(*words)


@pytest.mark.parametrize("table", ["planning", "planning-sizes", "planning-public"])
@pytest.mark.parametrize("columns", [80, 120])
def test_a_terminal_has_lines_no_longer_than_its_own(monkeypatch, table, columns):
    """With the words of a file: texts are wrapped, or each row is a block."""
    words = [*GIVEN, "--questions", "500", "--table", table]
    plain, wrapped = run(*words), on_a_terminal(monkeypatch, columns, *words)
    assert max(map(len, wrapped.splitlines())) <= columns
    rules = set(re.findall(r"^-[- ]+$", plain, re.M))
    if table != "planning-sizes":
        assert max(map(len, plain.splitlines())) > 120 and wrapped != plain
        first = "GSM8K" if table == "planning-public" else "Smallest difference that 500"
        assert first in wrapped and rules
    in_words = [{*re.sub(r"(?<=\w-)\n", "", text).split()} for text in (plain, wrapped)]
    assert in_words[0] - in_words[1] <= {*" ".join(rules).split()}


def test_rows_are_blocks_where_columns_do_not_fit(monkeypatch):
    text = on_a_terminal(monkeypatch, 80, "--table", "planning-public")
    assert "Eval          GSM8K\nQuestions     1,319\nModels        4\n" in text
    assert "\n\nEval          MMLU-Pro\nQuestions     12,032\n" in text


def test_help_has_the_defaults_of_a_plan_and_not_those_of_reports():
    text = " ".join(CliRunner().invoke(commands, ["power", "--help"]).output.split())
    assert "[default: of more than two, those that score best]" in text
    assert "every pair of up to four models" not in text
