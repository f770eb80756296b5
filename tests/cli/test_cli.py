"""The commands: what they print, their exit status, and what they do not import."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from reportkit.cli import commands, main
from reportkit.decisions import SPECS, flag
from reportkit.errors import OutputError
from reportkit.loading.demo import EVALS, MODELS
from reportkit.loading.importing import import_scores
from reportkit.loading.read import read_scores
from reportkit.report import Report

pytestmark = pytest.mark.usefixtures("warm")

HEAD = "model,question_id,score\n"


def invoke(*arguments: str):
    return CliRunner().invoke(commands, [str(a) for a in arguments], catch_exceptions=False)


def refused(arguments, capsys) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([str(a) for a in arguments])
    found = capsys.readouterr()
    assert stopped.value.code == 2 and found.out == "" and "Traceback" not in found.err
    return found.err


# Miller 2024, Table 5: MGSM, Galleon minus Dreadnought -2.7% (1.7%); each format writes it its own
# way.
FORMATS = {
    "md": "−2.7 (1.7)",
    "tex": r"$-$2.7 (1.7)",
    "html": ">&#8722;2.7 (1.7)<",
    "typ": "[−2.7~(1.7)]",
}


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_table_in_each_format(fmt):
    done = invoke("table", "differences", "--eval", "MGSM", "--format", fmt)
    assert done.exit_code == 0 and FORMATS[fmt] in done.stdout and "Fictional" in done.stdout


@pytest.mark.parametrize(
    ("name", "suffix"), [("latex", "tex"), ("markdown", "md"), ("typst", "typ")]
)
def test_a_format_by_its_other_name(name, suffix):
    """The names that render_table takes."""
    one, other = (invoke("table", "means", "--eval", "MGSM", "--format", f) for f in (name, suffix))
    assert one.exit_code == 0 and one.stdout == other.stdout


def test_a_table_with_more_digits(capsys):
    """MGSM of Galleon is 1882 right answers of 2500: 75.28%."""
    done = invoke("table", "means", "--eval", "MGSM", "--digits", "2")
    assert "75.28% (" in done.stdout
    told = refused(["table", "means", "--eval", "MGSM", "--digits", "16"], capsys)
    assert (
        told
        == "reportkit: digits = 16 is no number of decimals: give a whole number from 0 to 15\n"
    )


def test_names_in_a_list_or_one_by_one():
    together = invoke("table", "means", "--eval", "MGSM", "--models", "Frigate,Galleon")
    apart = invoke("table", "means", "--eval", "MGSM", "--models", "Frigate", "--models", "Galleon")
    assert together.stdout == apart.stdout and "Dreadnought" not in apart.stdout


def test_a_mistake_that_every_eval_has_is_told_once(capsys, tmp_path):
    told = refused(["build", "--cluster", "nope", "--out", tmp_path / "out"], capsys)
    what = "no field 'nope' to cluster by; there are"
    without, clustered = told.splitlines()  # the demonstration has clusters in three evals
    assert without == f"reportkit: evals 'MATH', 'HumanEval': {what} none"
    assert clustered == f"evals 'MGSM', 'RACE-H', 'DROP': {what} 'cluster_id'"
    # DROP has another metric than the others, so it is told apart
    told = refused(["build", "--metric", "nope", "--out", tmp_path / "out"], capsys)
    lines = told.splitlines()
    assert len(lines) == 2 and lines[0].endswith("no metric 'nope'; there are 'match'")
    assert lines[1] == "eval 'DROP': no metric 'nope'; there are 'f1'"
    assert not (tmp_path / "out").exists()


def test_a_metric_that_one_eval_lacks_stops_only_that_report(tmp_path):
    for name, metric in (("e1", "f1"), ("e2", "em")):
        rows = [f"{m},{q},{q % 2},{metric}" for m in "AB" for q in range(4)]
        (tmp_path / f"{name}.csv").write_text("\n".join([HEAD.strip() + ",metric", *rows]))
    files = [tmp_path / "e1.csv", tmp_path / "e2.csv"]
    done = invoke("build", *files, "--metric", "f1", "--formats", "md", "--out", tmp_path / "out")
    assert done.exit_code == 1 and done.stdout.startswith("1 report built, 1 failed")
    told = done.stderr.splitlines()
    assert told == [
        "read 2 files",  # one line, however many they are, where no terminal shows them pass
        "[1/1] e1: built",
        "failed e2: eval 'e2': no metric 'f1'; there are 'em'",
        "  to run it again: reportkit build e1.csv e2.csv --eval e2 --metric e2=f1 --formats md "
        "--out out",
    ]
    assert (tmp_path / "out" / "e1").is_dir() and not (tmp_path / "out" / "e2").exists()


def test_a_range_of_a_metric_that_no_eval_has_is_refused(tmp_path, capsys):
    """One that some eval has is for that eval; reportkit.toml may name one that is not read today,
    which a note tells.
    """
    for name, metric in (("e1", "judge"), ("e2", "em")):
        rows = [f"{m},{q},{1 + q % 2},{metric}" for m in "AB" for q in range(4)]
        (tmp_path / f"{name}.csv").write_text("\n".join([HEAD.strip() + ",metric", *rows]))
    files, out = [tmp_path / "e1.csv", tmp_path / "e2.csv"], tmp_path / "out"
    for command in (["build", "--out", out], ["table", "means"]):
        told = refused([*command, *files, "--range", "juge:1,10"], capsys)
        assert (
            told.strip() == "reportkit: range: no metric 'juge' in any eval; did you mean 'judge'?"
        )
        assert not out.exists()
    told = refused(["table", "means", *files, "--range", "x:1,10"], capsys)
    assert told.strip() == "reportkit: range: no metric 'x' in any eval; there are 'judge', 'em'"
    assert invoke("table", "means", *files, "--range", "judge:1,10").exit_code == 0
    config = tmp_path / "reportkit.toml"
    config.write_text("[evals.e1]\nrange = { juge = [1, 10] }\n")
    words = ["--config", config, "--formats", "md", "--out", out]
    done = invoke("build", files[0], *words)
    assert done.exit_code == 0 and "no metric 'juge'" in done.stderr


def test_files_that_are_skipped_for_one_reason_are_told_together(tmp_path):
    (tmp_path / "s.csv").write_text(HEAD + "A,1,1\nA,2,0\nB,1,1\nB,2,1\n")
    for number in range(4):
        (tmp_path / f"notes{number}.csv").write_text("a,b\n1,2\n")
    (tmp_path / "other.csv").write_bytes(b"\xff\xfe\x00")
    done = invoke("table", "means", tmp_path)
    assert done.exit_code == 0 and "| A |" in done.stdout
    told = [line for line in done.stderr.splitlines() if line.startswith("skipped ")]
    assert len(told) == 2, told
    [many] = [line for line in told if "4 files (check names them), such as " in line]
    assert "notes" in many.partition(": ")[0] and "no column" in many
    [one] = [line for line in told if line != many]
    assert one.startswith(f"skipped {tmp_path}/other.csv: ")


def test_several_reasons_of_one_file_are_one_line(tmp_path):
    """With no path within it, and no code for a line's end."""
    (tmp_path / "s.csv").write_text(HEAD + "A,1,1\nA,2,0\n")
    (tmp_path / "t.csv").write_text(HEAD + "A,1,x\n,2,0\n")
    for command in (["check"], ["table", "means"], ["import", "--to", tmp_path / "to"]):
        done = invoke(*command, tmp_path)
        [line] = [ln for ln in done.output.splitlines() if "not a number" in ln]
        assert "column 'model': no value" in line and "; column 'score': not a number" in line
        assert str(tmp_path) not in line.partition("column")[2] and "\\n" not in line


def test_a_table_as_csv_is_unrounded():
    rows = list(
        csv.DictReader(
            io.StringIO(invoke("table", "means", "--eval", "MGSM", "--format", "csv").stdout)
        )
    )
    # 1882, 1950 and 1745 right answers of 2500: what the demonstration is made to hold.
    assert [(r["model"], float(r["mean"])) for r in rows] == list(
        zip(MODELS, (0.7528, 0.78, 0.698), strict=True)
    )


def test_every_eval_models_in_order_and_a_baseline():
    lines = invoke("table", "means").stdout.splitlines()
    assert [line.split(" | ")[0][2:] for line in lines[4:9]] == list(EVALS)
    chosen = invoke(
        "table",
        "differences",
        "--eval",
        "MGSM",
        "--models",
        "Frigate,Galleon",
        "--baseline",
        "Dreadnought",
    )
    rows = [
        line.split(" | ")[:2]  # the baseline of every row stands in the title
        for line in chosen.stdout.splitlines()
        if line.startswith(("| Fri", "| Gal", "| Dre"))
    ]
    assert rows == [["| Frigate", "−8.2 (1.7)"], ["| Galleon", "−2.7 (1.7)"]]
    assert "Model minus Dreadnought" in chosen.stdout


def test_mistakes_are_one_message(capsys, tmp_path):
    assert "no table 'meens'; did you mean 'means'?" in refused(["table", "meens"], capsys)
    assert "no eval 'MGS' in the demonstration; did you mean 'MGSM'?" in refused(
        ["table", "means", "--eval", "MGS"], capsys
    )
    assert "no such file" in refused(["check", tmp_path / "gone.csv"], capsys)
    assert "no eval 'MGS' in the demonstration; did you mean 'MGSM'?" in refused(
        ["check", "--eval", "MGS"], capsys
    )
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refused(["demo", "--to", tmp_path / "file"], capsys)


def test_what_a_file_system_raises_is_one_sentence(capsys, monkeypatch, tmp_path):
    """Back ends have classes of their own for it: botocore's NoCredentialsError derives from
    Exception alone.
    """
    import fsspec

    class NoCredentials(Exception):
        pass

    class Locked(fsspec.AbstractFileSystem):
        def _refuse(self, *arguments, **options):
            raise NoCredentials("Unable to locate credentials")

        isfile = info = find = glob = ls = _open = _refuse

    fsspec.register_implementation("locked", Locked, clobber=True)
    for command in (
        ["check"],
        ["build"],
        ["table", "means"],
        ["import", "--to", str(tmp_path / "s")],
    ):
        for url in ("locked://bucket/x", "locked://bucket/*.csv"):
            told = refused([*command, url], capsys)
            assert (
                told.count("\n") == 1
                and f"{url}: cannot be read: Unable to locate credentials (NoCredentials)" in told
            )
    assert not (tmp_path / "s").exists()

    def missing(url):
        raise ImportError("Install gcsfs to access GCS")

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    told = refused(["check", "gs://bucket/x"], capsys)
    assert (
        "gs://bucket/x: cannot be read: Install gcsfs to access GCS; "
        'add the extra "remote" in the folder of reportkit: pip install -e ".[remote]"' in told
    )


def test_check_says_what_is_there_and_what_is_broken(tmp_path):
    (tmp_path / "x.csv").write_text(HEAD + "A,1,1\nA,2,\nB,1,0\nB,2,1\nB,3,1\n")
    done = invoke("check", tmp_path / "x.csv")
    assert done.exit_code == 0
    assert "5 rows, 3 questions, 2 models" in done.stdout and "ok: no rule is broken" in done.stdout
    assert "A: 1 question; 2 questions missing, 1 answer unscored" in done.stdout
    assert "1 of 3 questions has a score from every model" in done.stdout
    (tmp_path / "y.csv").write_text(HEAD + "A,1,1\nA,1,0\n")
    done = invoke("check", tmp_path)
    assert done.exit_code == 2
    assert "BROKEN duplicate: 1 repeated row: model 'A', question_id '1'" in done.stdout
    assert "ok: no rule is broken" in done.stdout  # x is told all the same


def test_check_says_which_of_several_metrics_is_the_headline(tmp_path):
    """The first, or the one that is asked for. A name with a comma is told from its neighbour."""
    for name, metrics in (("x", ("em,strict", "em,flexible")), ("y", ("em", "f1"))):
        rows = [f'{m},{q},{q % 2},"{metric}"' for metric in metrics for m in "AB" for q in range(4)]
        (tmp_path / f"{name}.csv").write_text("\n".join([HEAD.strip() + ",metric", *rows]))
    told = invoke("check", tmp_path).stdout
    assert "metrics em,strict; em,flexible; the headline is em,strict\n" in told
    assert "metrics em, f1; the headline is em\n" in told
    assert "the headline is f1\n" in invoke("check", tmp_path / "y.csv", "--metric", "f1").stdout


def test_columns_of_other_names_are_said_on_the_command_line_or_in_the_file(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    # question_id is not what identifies the questions here: the column that is said to be it stands
    # in its place.
    text = "llm,prompt_id,question_id,score\nA,1,u,1\nA,2,v,0\nB,1,w,1\nB,2,x,1\n"
    (tmp_path / "logs/x.csv").write_text(text)
    (tmp_path / "logs/other.csv").write_text("city,country\nBonn,D\n")
    given = ["--columns", "question_id=prompt_id,model=llm"]
    # The column that is lacking is the one to name, and there is no column 'model'.
    for command in (["check", "logs"], ["table", "means", "logs"], ["import", "logs", "--to", "s"]):
        assert "--columns model=THEIRS" in refused([*command], capsys)
    assert "2 questions, 2 models" in invoke("check", "logs", *given).stdout
    rows = csv.DictReader(
        io.StringIO(invoke("table", "means", "logs", *given, "--format", "csv").stdout)
    )
    # 1 of 2, 2 of 2
    assert [(r["model"], float(r["mean"])) for r in rows] == [("A", 0.5), ("B", 1.0)]
    built = invoke(
        "build",
        "logs",
        "--columns",
        "model=llm",
        "--columns",
        "question_id=prompt_id",
        "--formats",
        "md",
    )
    assert built.exit_code == 0 and "1 report built" in built.stdout
    assert invoke("import", "logs", "--to", "s", *given).exit_code == 0
    assert "2 questions, 2 models" in invoke("check", "s").stdout
    (tmp_path / "reportkit.toml").write_text(
        "[columns]\nquestion_id = 'prompt_id'\nmodel = 'llm'\n"
    )
    assert "2 questions, 2 models" in invoke("check", "logs").stdout
    assert invoke("import", "logs", "--to", "t").exit_code == 0
    assert Report(eval="x", scores="logs").result.models == ("A", "B")
    assert (
        "4 questions, 2 models"
        in invoke("check", "logs", "--columns", "question_id=question_id").stdout
    )
    assert "did you mean 'question_id'" in refused(
        ["check", "logs", "--columns", "question=prompt_id"], capsys
    )
    assert "names no column" in refused(["check", "logs", "--columns", "question_id"], capsys)
    assert "no column 'promt' to map; did you mean 'prompt_id'" in refused(
        ["check", "logs/x.csv", "--columns", "cluster_id=promt"], capsys
    )


def test_a_wide_table_in_a_file_is_told_where_it_can_be_read(tmp_path, capsys):
    (tmp_path / "wide.csv").write_text("question_id,A,B\n1,1,0\n2,0,1\n")
    told = refused(["check", tmp_path / "wide.csv"], capsys)
    assert "no column 'model', 'score'" in told and "--columns model=THEIRS" in told
    assert "for a table with a column for each model say --read wide=A,B" in told


def test_a_folder_whose_only_table_lacks_columns_says_so(tmp_path, capsys):
    (tmp_path / "x.csv").write_text("llm,prompt,score\nA,1,1\n")
    told = refused(["check", tmp_path], capsys)
    assert "no scores here (" in told and "x.csv: no columns 'model' and 'question_id')" in told
    assert "--columns question_id=THEIRS" in told and "[columns] in reportkit.toml" in told


def test_check_names_what_could_be_clusters(tmp_path):
    (tmp_path / "x.csv").write_text("model,question_id,score,topic\nA,1,1,p\nA,2,0,p\nA,3,1,q\n")
    assert "could be clusters: topic (2 groups)" in invoke("check", tmp_path / "x.csv").stdout
    done = invoke("check", tmp_path / "x.csv", "--cluster", "x=topic")
    assert "; clusters: topic (2 groups)" in done.stdout


def test_the_demonstration_as_files_keeps_its_label(tmp_path):
    done = invoke("demo", "--to", tmp_path)
    assert done.stdout.splitlines() == [str(tmp_path / f"{name}.csv") for name in EVALS]
    table = invoke("table", "means", tmp_path / "MGSM.csv").stdout
    assert "75.3% (1.6%)" in table and "Fictional models" in table  # Miller 2024, Table 2
    assert list(read_scores(tmp_path)["eval"].unique()) == sorted(EVALS)
    built = invoke("build", tmp_path / "MGSM.csv", "--formats", "md", "--out", tmp_path / "out")
    assert built.exit_code == 0 and "1 report built, 0 failed" in built.stdout
    assert "ictional" in (tmp_path / "out/MGSM/report.md").read_text(encoding="utf-8")
    assert '"fictional": true' in (tmp_path / "out/MGSM/manifest.json").read_text(encoding="utf-8")


def test_help_names_every_command_and_option():
    assert all(
        f"  {name} " in invoke("--help").stdout for name in ("build", "check", "demo", "table")
    )
    options = (
        "--eval --models --baseline --metric --cluster --notebook --formats --theme --out --jobs"
    )
    assert all(option in invoke("build", "--help").stdout for option in options.split(" "))


# name: rows, the cell of the differences table, the reason that a reader is given
SMALL = {
    "one question": (HEAD + "A,1,1\nB,1,0\n", "\\+100.0 (—)", "—: not estimable"),
    "one model": (HEAD + "A,1,1\nA,2,0\n", "|---:|\n\n", "There is one model: nothing to compare."),
    "one cluster": (
        "model,question_id,score,cluster_id\nA,1,1,c\nA,2,0,c\nB,1,1,c\nB,2,1,c\n",
        "−50.0 (—)",
        "—: not estimable",
    ),
    "no common question": (
        HEAD + "A,1,1\nA,2,0\nB,3,1\nB,4,0\n",
        "| A | — | — | — | — |",
        "No two models have a question in common.",
    ),
    # Tango's bounds with no discordant pair are +-z^2 / (n + z^2): at n = 2, 3.8415 / 5.8415 =
    # 0.658.
    "all the same": (
        HEAD + "A,1,1\nA,2,1\nB,1,1\nB,2,1\n",
        "0.0 (0.0) | (−65.8, +65.8) | 1.000 | — |",
        "2 common questions.",
    ),
}


@pytest.mark.parametrize("kind", SMALL)
def test_what_cannot_be_estimated_is_a_dash_with_a_reason(tmp_path, kind):
    text, cell, reason = SMALL[kind]
    (tmp_path / "x.csv").write_text(text)
    found = invoke("table", "differences", tmp_path / "x.csv")
    assert found.exit_code == 0 and cell in found.stdout and reason in found.stdout
    for table in ("means", "clustering", "correlations", "variance", "power", "data"):
        done = invoke("table", table, tmp_path / "x.csv")
        assert (
            done.exit_code == 0
            and "nan" not in done.stdout.lower()
            and "inf" not in done.stdout.lower()
        )


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running some code."""
    code += "\nimport sys; print('MODULES', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split("MODULES ")[1].split())


def test_commands_import_only_what_they_need():
    assert loaded("import reportkit") & {"numpy", "pandas", "scipy", "matplotlib"} == set()
    code = "from reportkit.cli import commands\n"
    code += "commands(['table', 'differences', '--eval', 'MGSM'], standalone_mode=False)"
    found = loaded(code)
    assert found & {"matplotlib", "papermill", "nbconvert", "nbformat"} == set()
    assert "reportkit.analysis" in found
    checked = loaded("import reportkit.cli.quality, reportkit.loading.importing")
    assert checked & {"scipy", "matplotlib", "papermill", "nbconvert", "nbformat"} == set()
    assert "reportkit.readers.inspect" in checked  # each harness's formulas wait until it is read


def test_names_reach_the_terminal_as_one_line_without_controls(tmp_path, capsys):
    name = "\x1b[2Jm\nok: no rule is broken\u202e"
    (tmp_path / "a\x1b[31m\n.csv").write_text(
        f'model,question_id,score\n"{name}",q1,1\n"{name}",q2,0\n', newline=""
    )
    (tmp_path / "\u202egpj.csv").write_text("")
    result = invoke("check", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert not set("\x1b\u202e") & set(result.output)
    assert (
        "a\\x1b[31m\\n\n" in result.output
        and "  \\x1b[2Jm\\nok: no rule is broken\\u202e: 2 questions" in result.output
    )
    assert "\\u202egpj.csv" in result.output
    assert "\\u202egpj.csv" in refused(["table", "means", str(tmp_path), "--strict"], capsys)
    made = invoke("import", str(tmp_path), "--to", str(tmp_path / "to"))
    assert not set("\x1b\u202e") & set(made.output) and "added " in made.output


def test_an_import_into_no_folder_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("model,question_id,score\nm,q,1\n")
    with pytest.raises(OutputError, match="--to names no folder"):
        import_scores([tmp_path / "a.csv"], to="")


def test_a_question_to_a_plan_needs_the_plan(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    message = refused(["build", "--ask", "difference=0.03"], capsys)
    assert "give --notebook planning too" in message
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--to", ""],
        ["import", "s.csv", "--to", ""],
        ["table", "means", "s.csv", "--eval", ","],
        ["build", "s.csv", "--out", " "],
        ["build", "s.csv", "--formats", ""],
        ["build", "s.csv", "--summary", ""],
        ["build", "s.csv", "--against", ""],
        ["check", "s.csv", "--config", ""],
        ["figure", "means", "s.csv", "--to", ""],
        ["init", "s.csv", "--to", ""],
        ["init", ""],
        ["diff", "", "reports"],
        ["diff", "reports", ""],
        ["check-table", ""],
        ["check-table", "t.csv", "--out", ""],
        ["check-table", "t.csv", "--baseline", " "],
        ["power", "s.csv", "--difference", ""],
        ["build", "s.csv", "--notebook", ""],
        ["build", "s.csv", "--executor", ""],
        *(["build", "s.csv", flag(name), ""] for name in SPECS if name != "certificate"),
    ],
)
def test_an_empty_argument_is_an_error(words, tmp_path, monkeypatch):
    """The variable of a script that holds nothing names no place and decides nothing: what it was
    to choose would be all there is. Nothing is written.
    """
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text("model,question_id,score\nm,q1,1\nm,q2,0\n")
    Path("t.csv").write_text("eval,model,mean,questions\ne,a,50%,100\ne,b,60%,100\n")
    before = sorted(tmp_path.iterdir())
    result = invoke(*words)
    assert result.exit_code == 2 and "empty" in result.output
    assert sorted(tmp_path.iterdir()) == before


def test_an_eval_that_nobody_asks_for_need_not_have_the_ids(tmp_path, capsys):
    """Of a folder, --id is asked of the evals of --eval alone, as --cluster is."""
    (tmp_path / "a.csv").write_text("model,question_id,score,pid\nm,1,1,x\nm,2,0,y\n")
    (tmp_path / "b.csv").write_text("model,question_id,score\nm,1,1\nm,2,0\n")
    result = invoke("table", "means", str(tmp_path), "--eval", "a", "--id", "pid")
    assert result.exit_code == 0 and "2 questions" in result.output
    for more in ([], ["--eval", "b"], ["--eval", "a,b"]):
        words = ["table", "means", str(tmp_path), "--id", "pid", *more]
        assert "eval 'b': id = 'pid' is no field" in refused(words, capsys)


def test_tables_of_many_nights_are_told_together(tmp_path):
    """Each night's table gives way to another one: one line, not one more every night."""
    for night in range(1, 6):
        rows = "".join(f"A,{q},{(q + night) % 2},2026-11-0{night}\n" for q in range(3))
        (tmp_path / f"s{night}.csv").write_text(f"eval,{HEAD.strip()},created\n" + "".join(
            f"e,{row}\n" for row in rows.splitlines()
        ))  # fmt: skip
    done = invoke("table", "means", tmp_path, "--runs", "latest")
    assert done.exit_code == 0
    [told] = [line for line in done.stderr.splitlines() if line.startswith("skipped ")]
    assert "4 files (check names them), such as " in told and "another table counts" in told
