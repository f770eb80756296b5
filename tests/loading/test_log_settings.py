"""Logs under reportkit.toml: what the options do to the numbers, and that every command and
notebook sees the same.

The logs are OpenAI Evals' record files, written here: question k is right where `right` says so, an
error where it is None.
"""

import contextlib
import csv
import io
import json
import os
import pty
import shlex
import subprocess
import sys

import pandas as pd
import pytest
from click.testing import CliRunner
from support.helm_logs import helm

from reportkit.analysis import analyse
from reportkit.cli import commands, main
from reportkit.decisions import Decisions
from reportkit.documents.prose import findings
from reportkit.errors import ScoresError, UnknownNameError
from reportkit.kernels import VARIABLE
from reportkit.loading.evals import open_scores
from reportkit.loading.handover import Handover, read_handover, write_handover
from reportkit.loading.read import read_scores
from reportkit.report import Report
from reportkit.report.manifest import as_given, manifest
from reportkit.scores.frames import scores_of
from reportkit.scores.scores import facts_of
from reportkit.tables import make_table

pytestmark = pytest.mark.usefixtures("warm")


def log(
    path,
    model: str,
    right,
    created: str = "2026-01-01",
    accuracy: float | None = None,
    run: str = "",
):
    lines: list[dict] = [
        {
            "spec": {
                "completion_fns": [model],
                "eval_name": "sums",
                "run_id": run or path.stem,
                "created_at": created,
                "run_config": {"max_samples": None},
            }
        }
    ]
    for k, answer in enumerate(right):
        type, data = (
            ("match", {"correct": answer})
            if answer is not None
            else ("sampling", {"prompt": "?", "sampled": ""})
        )
        lines.append(
            {
                "run_id": run or path.stem,
                "event_id": k,
                "sample_id": f"sums.{k}",
                "type": type,
                "data": data,
                "created_at": created,
            }
        )
    scored = [a for a in right if a is not None]
    lines.append(
        {"final_report": {"accuracy": sum(scored) / len(scored) if accuracy is None else accuracy}}
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


T, F = True, False


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with two models; org/b has an error in one question of five. The current folder is
    beside it.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "logs").mkdir()
    log(tmp_path / "logs" / "a.jsonl", "a", [T, T, F, T, F])
    log(tmp_path / "logs" / "b.jsonl", "org/b", [T, F, F, T, None])
    return tmp_path


def invoke(*arguments: str):
    return CliRunner().invoke(commands, list(arguments), catch_exceptions=False)


def means(*arguments: str) -> dict[str, float]:
    rows = csv.DictReader(
        io.StringIO(invoke("table", "means", *arguments, "--format", "csv").stdout)
    )
    return {r["model"]: float(r["mean"]) for r in rows}


def test_an_error_is_left_out_or_counts_as_zero_as_the_file_says(logs):
    assert means("logs") == {"a": 0.6, "org/b": 0.5}  # 3 of 5, 2 of 4
    (logs / "reportkit.toml").write_text(
        '[evals.sums]\nerrors = "zero"\n[models]\n"org/b" = "b"\n', encoding="utf-8"
    )
    assert means("logs") == {"a": 0.6, "b": 0.4}  # 2 of 5
    decisions = Decisions(evals={"sums": {"errors": "zero"}})
    result, warnings = analyse(read_scores(logs / "logs", decisions))
    assert [w.message for w in warnings if w.code == "errors-zero"] == [
        "Errored answers count as 0, as was decided: 1 of them."
    ]
    # The rows of the log, of which the harness left the error out, are what its own mean comes
    # from.
    assert [c.agrees for r in result.runs for c in r.checks] == [True, True]


def test_the_data_table_counts_what_was_planned_and_what_failed(logs):
    log(logs / "logs" / "a.jsonl", "a", [T, T, F, T, F], accuracy=0.7)
    for options, errors in ((Decisions(), "1"), (Decisions(errors="zero"), "1")):
        table = invoke("table", "data", "logs").stdout if options == Decisions() else ""
        result, _ = analyse(read_scores("logs", options))
        made = make_table(result, "data")
        whole = made.whole or made  # columns with one value in all rows are told in a note
        heads = [c.head for c in whole.columns]
        rows = {row[0]: dict(zip(heads, row, strict=True)) for row in whole.cells}
        assert (
            rows["org/b"]["Planned"],
            rows["org/b"]["Errors"],
            rows["org/b"]["Harness check"],
        ) == (
            "5",
            errors,
            "agrees",
        )
        assert (
            rows["a"]["Harness check"] == "differs"
            and not table
            or "a: the harness check differs: no known reason." in table
        )
        assert [d["harness_check"] for d in made.data] == ["differs: no known reason", "agrees"]


def test_more_than_a_twentieth_left_out_is_warned_of_loudly(logs):
    _, warnings = analyse(read_scores("logs"))
    [warning] = [w for w in warnings if w.code == "many-excluded"]
    # One error of five planned: 20%.
    assert (
        warning.model == "org/b"
        and "1 of 5 planned answers (20.0%) is excluded: 1 error." in warning.message
    )
    log(logs / "logs" / "b.jsonl", "org/b", [T] * 19 + [None])  # 5% is not more than 5%
    assert not [w for w in analyse(read_scores("logs/b.jsonl"))[1] if w.code == "many-excluded"]


def test_of_two_full_runs_the_command_line_chooses_before_the_file(logs, capsys):
    log(logs / "logs" / "later.jsonl", "a", [T, T, T, T, T], "2026-02-01")
    with pytest.raises(SystemExit) as stopped:
        main(["table", "means", "logs"])
    said = capsys.readouterr().err
    assert (
        stopped.value.code == 2 and "later.jsonl" in said and "a.jsonl" in said and "--runs" in said
    )
    (logs / "reportkit.toml").write_text('[evals.sums]\nruns = "latest"\n', encoding="utf-8")
    assert means("logs")["a"] == 1.0
    assert means("logs", "--runs", "first")["a"] == 0.6
    assert means("logs", "--runs", "pool")["a"] == 0.8  # ten answers, eight right
    said = invoke("check", "logs").stdout
    assert (
        "1 run left out" in said
        and "a on sums" in said
        and "its harness's own numbers: agrees" in said
    )
    said = invoke(
        "table", "data", "logs", "--format", "tex"
    ).stdout  # by their names: a report does not say where they lay
    said = said.replace(r"\mbox{2026-01-01}", "2026-01-01")  # which stays whole
    assert r"Left out: a, a.jsonl of 2026-01-01: another run counts (latest): later.jsonl." in said


def test_a_model_whose_only_run_was_cancelled_is_named_in_the_report(logs):
    read = read_scores("logs")
    text = (logs / "logs" / "b.jsonl").read_text(encoding="utf-8")
    # unfinished
    (logs / "logs" / "b.jsonl").write_text(text[: text.index('{"final_report"')], encoding="utf-8")
    result, warnings = analyse(read_scores("logs"))
    assert result.models == ("a",) and [left.run.model for left in result.left_out] == ["org/b"]
    [warning] = [w for w in warnings if w.code == "model-left-out"]
    assert warning.model == "org/b" and warning.message.startswith(
        "org/b is not in this report: the run ended with status"
    )
    assert not [w for w in analyse(read)[1] if w.code == "model-left-out"]
    assert not [
        w for w in analyse(read_scores("logs"), models=["a"])[1] if w.code == "model-left-out"
    ]


def test_check_says_what_agrees_and_what_was_not_read(logs):
    log(logs / "logs" / "a.jsonl", "a", [T, T, F, T, F], accuracy=0.7)
    (logs / "logs" / "notes.txt").write_text("nothing", encoding="utf-8")
    said = invoke("check", "logs").stdout
    assert (
        "a: 5 planned, 5 scored (openai-evals, a.jsonl)\n      DIFFERS: accuracy 0.7; the rows "
        "give 0.6 (SE 0.24" in said
    )
    assert (
        "org/b: 5 planned, 4 scored, 1 errored (openai-evals, b.jsonl)\n      agrees: accuracy 0.5"
        in said
    )
    assert "1 file skipped" in said and "logs/notes.txt" in said


def test_check_of_one_eval_tells_of_no_other_and_skipped_files_are_named_once(logs):
    helm(logs / "logs/h1", "h", eval="other", scores=(1.0, 0.0, 1.0))
    # on part of the questions: left out
    helm(logs / "logs/h2", "h", eval="other", scores=(1.0, 0.0))
    helm(logs / "logs/h3", "k", eval="other", scores=(1.0, 0.0, 1.0))
    text = (logs / "logs" / "b.jsonl").read_text(encoding="utf-8")
    (logs / "logs" / "cut.jsonl").write_text(text[: len(text) // 2], encoding="utf-8")
    whole = invoke("check", "logs").stdout
    assert (
        "1 run left out\n  h on other, logs/h2/per_instance_stats.json: 2 of 3 questions" in whole
    )
    assert "1 file skipped\n  line 4: not JSON" in whole and whole.count("cut.jsonl") == 1
    one = invoke("check", "logs", "--eval", "sums").stdout
    assert "h2" not in one and "left out" not in one and "1 file skipped" in one
    # HELM's runs lie in files of one name, each in its run's folder.
    assert (
        "h: 3 planned, 3 scored (helm, h1/per_instance_stats.json)" in whole
        and "(openai-evals, a.jsonl)" in whole
    )
    result, _ = analyse(read_scores("logs", skipped=lambda *_: None), "other")
    assert [s.file for s in result.sources] == [
        "h1/per_instance_stats.json",
        "h3/per_instance_stats.json",
    ]


def test_check_fits_its_lines_to_a_terminal_and_leaves_a_file_alone(logs, monkeypatch):
    log(
        logs / "logs" / "a.jsonl",
        "org/a-model-with-a-long-name-" + "x" * 60,
        [T, T, F, T, F],
        accuracy=0.7,
    )
    plain = invoke("check", "logs").stdout
    assert max(map(len, plain.splitlines())) > 100
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "reportkit", "check", "logs"]
    done = subprocess.Popen(command, stdout=theirs, env=os.environ | {"COLUMNS": "60"})
    os.close(theirs)
    found = b""
    with contextlib.suppress(OSError):  # how Linux says that the other end is closed
        while part := os.read(ours, 4096):
            found += part
    assert done.wait() == 0
    os.close(ours)
    terminal = found.decode().replace("\r", "")
    assert all(
        len(line) <= 60 or len(line.split()) == 1 for line in terminal.splitlines()
    )  # longer: one name, unbroken
    assert " ".join(terminal.split()) == " ".join(plain.split())


def test_a_broken_file_is_left_out_and_fatal_where_strict(logs, capsys):
    text = (logs / "logs" / "b.jsonl").read_text(encoding="utf-8")
    (logs / "logs" / "cut.jsonl").write_text(text[: len(text) // 2], encoding="utf-8")
    assert invoke("check", "logs").exit_code == 0
    for command in (["check"], ["table", "means"], ["build"]):
        with pytest.raises(SystemExit) as stopped:
            main([*command, "logs", "--strict"])
        assert stopped.value.code == 2 and "cut.jsonl" in capsys.readouterr().err
    assert not (logs / "reports").exists()


def test_questions_with_other_ids_are_paired_by_their_content(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    head = "model,question_id,content_hash,score,extra\n"
    (tmp_path / "x.csv").write_text(
        head + "a,1,p,1,u\na,2,q,0,v\nb,1,q,0,v\nb,2,p,1,u\n", encoding="utf-8"
    )
    with pytest.raises(SystemExit):
        main(["table", "differences", "x.csv"])
    said = capsys.readouterr().err
    assert "--match-on content_hash" in said and 'match_on = "content_hash"' in said
    done = invoke("table", "correlations", "x.csv", "--match-on", "content_hash", "--format", "csv")
    # the same answers to the same two questions
    assert done.exit_code == 0 and "1.0" in done.stdout
    (tmp_path / "reportkit.toml").write_text(
        '[evals.x]\nmatch_on = "content_hash"\ncluster = "extra"\n', encoding="utf-8"
    )
    assert "clusters: extra (2 groups)" in invoke("check", "x.csv").stdout


def test_a_slip_in_the_file_is_one_message_and_a_name_that_fits_nothing_is_told(logs, capsys):
    (logs / "reportkit.toml").write_text('[evals.sum]\nruns = "latest"\n', encoding="utf-8")
    done = invoke("check", "logs")
    assert (
        done.exit_code == 0
        and "[evals.'sum'] fits none of the evals; did you mean 'sums'?" in done.stderr
    )
    (logs / "other.toml").write_text("[evals.sums]\nrun = 1\n", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        main(["check", "logs", "--config", "other.toml"])
    assert (
        stopped.value.code == 2
        and "unknown key 'run' in [evals.sums]; did you mean 'runs'?" in capsys.readouterr().err
    )


@pytest.mark.parametrize("folder", ["logs", "scores"])
def test_a_model_that_is_renamed_is_named_by_its_new_name(logs, capsys, folder):
    """The rows have the old name, so "no model" alone would not be true."""
    if folder == "scores":
        assert invoke("import", "logs", "--to", "scores").exit_code == 0
    (logs / "reportkit.toml").write_text('[aliases]\n"org/b" = "Beta"\n', encoding="utf-8")
    for wrong in ("--baseline", "--models"):
        with pytest.raises(SystemExit) as stopped:
            main(["table", "means", folder, wrong, "org/b"])
        said = f"no model 'org/b' in {folder} any more: it is renamed to 'Beta'; use this name"
        assert stopped.value.code == 2 and said in capsys.readouterr().err


def test_check_refuses_what_build_refuses(logs, capsys):
    for wrong, said in (
        (["--cluster", "sum=sample_id"], "no eval 'sum' in logs; did you mean 'sums'?"),
        (["--baseline", "org/c"], "no model 'org/c' in logs; did you mean 'org/b'?"),
        (["--models", "org/c"], "no model 'org/c' in logs; did you mean 'org/b'?"),
    ):
        for command in ("build", "check", "table means"):
            with pytest.raises(SystemExit) as stopped:
                main([*command.split(" "), "logs", *wrong])
            assert stopped.value.code == 2 and said in capsys.readouterr().err
    (logs / "logs" / "x.csv").write_text(
        "model,question_id,score\nother,1,1\na,1,0\na,2,1\nother,2,0\n"
    )
    done = invoke("check", "logs", "--baseline", "other")
    assert (
        done.exit_code == 2
        and "  BROKEN eval 'sums': no model 'other' to be the baseline" in done.stdout
    )
    assert done.stdout.count("BROKEN") == 1


def test_the_name_in_the_logs_stands_for_every_eval_split_from_it(logs, capsys):
    helm(logs / "logs" / "h", "h", eval="sums")
    both = ["sums (helm)", "sums (openai-evals)"]
    opened = open_scores(["logs"])
    assert sorted(opened.evals) == both and sorted(opened.chosen("sums")) == both
    assert (
        opened.chosen("sums (helm)") == ["sums (helm)"]
        and opened.chosen(["sums", "sums (helm)"]) == opened.evals
    )

    def clusters(decisions):
        return {e: opened.decided(decisions, e).cluster for e in opened.evals}

    own = {"sums (helm)": {"cluster": "y"}}
    assert clusters(Decisions(evals={"sums": {"cluster": "x"}} | own)) == {
        "sums (helm)": "y",
        "sums (openai-evals)": "x",
    }
    assert clusters(Decisions(cluster="z", evals=own)) == {
        "sums (helm)": "y",
        "sums (openai-evals)": "z",
    }
    done = invoke(
        "check", "logs", "--eval", "sums", "--cluster", "sums (helm)=extra_data.passage_id"
    )
    assert "sums (helm)\n" in done.stdout and "sums (openai-evals)\n" in done.stdout
    assert "clusters: extra_data.passage_id (2 groups)" in done.stdout
    (logs / "reportkit.toml").write_text("[evals.'sums (helm)']\ncluster = 'no.such'\n")
    assert (
        invoke(
            "check", "logs/h", "logs/a.jsonl", "--cluster", "sums (helm)=extra_data.passage_id"
        ).exit_code
        == 0
    )  # beats the file
    (logs / "reportkit.toml").unlink()
    with pytest.raises(SystemExit):
        main(["build", "logs", "--eval", "sum"])
    assert "no eval 'sum' in logs; did you mean 'sums'?" in capsys.readouterr().err


def test_handed_over_rows_give_what_the_logs_give(logs, monkeypatch):
    (logs / "logs" / "t.csv").write_text(
        "eval,model,question_id,score,odd\nother,a,1,0.5,\nother,a,é,1,x\n", encoding="utf-8"
    )
    frame = read_scores("logs", Decisions(evals={"sums": {"errors": "zero"}}))
    for name, files in (("sums", ["logs/a.jsonl", "logs/b.jsonl"]), ("other", ["logs/t.csv"])):
        given = {"sources": ["logs"], "options": []}
        job = Handover("template", name, files, given, scores_of(frame))
        write_handover(logs / "jobs" / name, job)
        monkeypatch.setenv(VARIABLE, str(logs / "jobs" / name))
        back = read_handover()
        assert back is not None and (back.notebook, back.given) == ("template", given)
        found = back.scores_of(name, files)
        assert found is not None and back.scores_of(name, ["elsewhere"]) is None
        assert repr(analyse(found)) == repr(analyse(frame, name))  # repr: nan is nan
        assert [s.file for s in analyse(found)[0].sources] == [
            f.removeprefix("logs/") for f in files
        ]
    monkeypatch.delenv(VARIABLE)
    assert read_handover() is None


def test_a_notebook_by_itself_follows_the_file_of_its_folder(logs):
    (logs / "reportkit.toml").write_text('[models]\n"org/b" = "b"\n', encoding="utf-8")
    assert Report(eval="sums", scores="logs").result.models == ("a", "b")


def test_a_build_of_logs_applies_the_options_in_its_kernels(logs):
    log(logs / "logs" / "later.jsonl", "a", [T, T, T, T, T], "2026-02-01")
    (logs / "my.toml").write_text(
        'logs = "logs"\nout = "built"\nbaseline = "b"\n[evals.sums]\nerrors = '
        '"zero"\n[models]\n"org/b" = "b"\n',
        encoding="utf-8",
    )
    done = invoke("build", "--config", "my.toml", "--runs", "latest", "--formats", "md")
    assert done.exit_code == 0, done.stderr
    folder = logs / "built" / "sums"
    [made] = json.loads((folder / "results.json").read_text(encoding="utf-8"))["evals"]
    assert {m["model"]: m["mean"] for m in made["means"]} == {"a": 1.0, "b": 0.4} and made[
        "baseline"
    ] == "b"
    assert not {"runs", "options", "sources"} & set(made)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert [i["file"] for i in manifest["inputs"]] == ["b.jsonl", "later.jsonl"]
    assert manifest["options"] == {"errors": "zero", "runs": "latest", "aliases": {"org/b": "b"}}
    assert (
        manifest["command"]
        == "reportkit build --eval sums --baseline b --errors sums=zero --runs sums=latest "
        "--config my.toml --formats md"
    )
    assert {"index.html", "sums"} <= {p.name for p in (logs / "built").iterdir()}
    assert [p.parent.name for p in (logs / "built").glob("*/results.json")] == ["sums"]
    assert "Harness check" in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_manifests_command_makes_the_report_again(logs, monkeypatch):
    """As given: a folder stays a folder, HELM's runs are not three files of one name, and no path
    of the machine is in it.
    """
    helm(logs / "logs/h1", "h", eval="o t")
    helm(logs / "logs/h2", "k", eval="o t", scores=(0.0, 0.0, 1.0))
    (logs / "elsewhere.toml").write_text("[models]\nk = 'K'\n", encoding="utf-8")
    assert (
        invoke(
            "build",
            str(logs / "logs"),
            "--eval",
            "o t",
            "--config",
            str(logs / "elsewhere.toml"),
            "--match-on",
            "id",
            "--formats",
            "md",
        ).exit_code
        == 0
    )
    [made] = [p for p in (logs / "reports").iterdir() if p.is_dir() and p.name[0] != "."]
    manifest = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    assert (
        manifest["command"]
        == "reportkit build logs --eval 'o t' --match-on 'o t=id' --config elsewhere.toml "
        "--formats md"
    )
    assert [i["file"] for i in manifest["inputs"]] == [
        "h1/per_instance_stats.json",
        "h2/per_instance_stats.json",
    ]
    assert manifest["parameters"]["scores"] == [
        "h1/per_instance_stats.json",
        "h2/per_instance_stats.json",
    ]
    before = {p.relative_to(made): p.read_bytes() for p in made.rglob("*") if p.is_file()}
    again = invoke(*shlex.split(manifest["command"])[1:], "--out", "again")
    assert again.exit_code == 0
    assert {
        p.relative_to(logs / "again" / made.name): p.read_bytes()
        for p in (logs / "again" / made.name).rglob("*")
        if p.is_file()
    } == before
    (logs / "below").mkdir()
    monkeypatch.chdir(logs / "below")
    assert as_given([str(logs / "logs"), "../logs/a.jsonl", "s3://b/x"])["sources"] == [
        "logs",
        "../logs/a.jsonl",
        "s3://b/x",
    ]


def test_an_evals_own_logs_are_all_that_counts_for_it(logs):
    (logs / "mine").mkdir()
    log(logs / "mine" / "a.jsonl", "a", [T, T, T, T, F], run="mine")
    (logs / "mine" / "t.csv").write_text(
        "eval,model,question_id,score\nsums,a,1,0\nelse,a,1,1\n", encoding="utf-8"
    )
    (logs / "reportkit.toml").write_text(
        'logs = ["logs", "mine"]\n[evals.sums]\nlogs = "mine/*.jsonl"\n', encoding="utf-8"
    )
    said = (
        "eval 'sums' is left out here: logs of [evals.'sums'] in reportkit.toml names other files"
    )
    for sources in ((), ("logs", "mine")):
        assert means(*sources, "--eval", "sums") == {"a": 0.8}  # 4 of 5
        done = invoke("check", *sources)
        assert done.exit_code == 0 and f"3 files skipped\n  {said}:" in done.stdout
        assert [line.strip() for line in done.stdout.splitlines()[-3:]] == [
            "logs/a.jsonl",
            "logs/b.jsonl",
            "mine/t.csv",
        ]
    assert (
        invoke("import", "logs", "mine", "--to", "scores", "--config", "reportkit.toml").exit_code
        == 0
    )
    assert means("scores", "--eval", "sums") == {"a": 0.8}
    assert Report(eval="sums", scores=["logs", "mine"]).result.models == ("a",)
    with pytest.raises(
        ScoresError, match="no scores here .logs/a.jsonl: eval 'sums' is left out here"
    ):
        read_scores("logs", logs={"sums": ["mine/*.jsonl"]})


def test_runs_of_one_model_carry_their_checks_when_pooled(logs):
    log(logs / "logs" / "later.jsonl", "a", [T, T, T, T, T], "2026-02-01")
    frame = read_scores("logs", Decisions(evals={"sums": {"runs": "pool"}}))
    [pooled] = [r for r in facts_of(frame).runs if r.model == "a"]
    assert [c.harness_mean for c in pooled.checks] == [0.6, 1.0] and pooled.n_planned == 10
    assert pooled.counts == {"ok": 10} and len(pooled.inputs) == 2
    result = analyse(frame)[0]
    runs = {record["model"]: record["n_runs"] for record in make_table(result, "data").data}
    assert runs["a"] == 2 and {*runs.values()} == {1, 2}
    [made] = manifest([result], {"seed": 0}, None, {})["harnesses"]
    assert made["runs"] == sum(runs.values())


@pytest.mark.parametrize("made", [{"errors": "zero"}, {"runs": "pool"}])
def test_a_scores_folder_takes_the_same_decisions_as_its_logs(logs, made):
    if "runs" in made:
        log(logs / "logs" / "later.jsonl", "a", [T, T, T, T, T], "2026-02-01")
    assert invoke("import", "logs", "--to", "scores").exit_code == 0
    decisions, aliases = Decisions(evals={"sums": made}), {"org/b": "b"}
    results = [analyse(read_scores(s, decisions, aliases=aliases))[0] for s in ("logs", "scores")]
    assert repr(results[0].means) == repr(results[1].means) and results[0].models == ("a", "b")
    assert [[c.agrees for c in r.checks] for r in results[0].runs] == [
        [c.agrees for c in r.checks] for r in results[1].runs
    ]
    assert "agrees: accuracy" in invoke("check", "scores", "--runs", "latest").stdout


def table(path, rows):
    pd.DataFrame(rows).to_csv(path, index=False)


def test_a_model_whose_metric_has_another_name_is_an_empty_row_and_no_loss(tmp_path):
    for model, metric in (("A", "acc"), ("B", "exact_match")):
        table(
            tmp_path / f"{model}.csv",
            {
                "eval": "e",
                "model": model,
                "question_id": range(4),
                "metric": metric,
                "score": [1, 0, 1, 1],
            },
        )
    result, warnings = analyse(read_scores(tmp_path))
    assert [(m.model, m.n_questions) for m in result.means] == [("A", 4), ("B", 0)]
    assert [w.model for w in warnings if w.code == "no-score"] == ["B"]
    assert "No score of this metric: B." in make_table(result, "means").notes


def test_errors_that_count_as_zero_do_so_in_a_column_that_is_a_metric_too(tmp_path):
    rows = {
        "eval": "e",
        "model": "A",
        "question_id": range(4),
        "score": [1, 1, None, 0],
        "f1": [0.5, 1, None, 0.5],
        "status": ["ok", "ok", "error", "ok"],
    }
    table(tmp_path / "t.csv", rows)
    frame = read_scores(tmp_path / "t.csv", Decisions(errors="zero"))
    result, _ = analyse(frame, metric="f1")
    # 2 / 4
    assert (result.means[0].mean, result.means[0].n_questions, result.zeroed) == (0.5, 4, (1,))
    assert analyse(frame)[0].means[0].mean == 0.5  # 2 / 4
    assert analyse(read_scores(tmp_path / "t.csv"), metric="f1")[0].means[0].mean == pytest.approx(
        2 / 3
    )


def test_what_a_benchmark_counts_as_zero_is_told_and_can_be_left_out(tmp_path):
    report = {
        "total_instances": 5,
        "resolved_ids": ["a__b-1", "a__b-2"],
        "unresolved_ids": ["a__b-3"],
        "error_ids": ["a__b-4"],
        "incomplete_ids": ["a__b-5"],
        "submitted_ids": [],
        "resolved_instances": 2,
    }
    (tmp_path / "gpt.run1.json").write_text(json.dumps(report), encoding="utf-8")
    result, warnings = analyse(read_scores(tmp_path))
    # 2 of 5; an error, and one not submitted
    assert result.means[0].mean == 0.4 and result.zeroed == (2,)
    assert "2 of them" in next(w.message for w in warnings if w.code == "errors-zero")
    notes = " ".join(make_table(result, "means").notes + make_table(result, "data").notes)
    assert "counted as 0: gpt 2." in notes and "no 0 takes" not in notes
    made = make_table(result, "data")
    whole = made.whole or made  # what a single row has alike is told in a note
    heads = [c.head for c in whole.columns]
    assert dict(zip(heads, whole.cells[0], strict=True))["Errors"] == "2"
    result, _ = analyse(read_scores(tmp_path, Decisions(errors="exclude")))
    assert (result.means[0].mean, result.means[0].n_errors) == (pytest.approx(2 / 3), 2)


def test_a_table_of_several_evals_says_of_which_what_is_missing(tmp_path):
    for name, scores in (("e", [1, 0, None, 1]), ("f", [1, 1, 0, 0])):
        rows = [
            {"eval": name, "model": m, "question_id": i, "score": s}
            for m in "AB"
            for i, s in enumerate(scores)
        ]
        table(tmp_path / f"{name}.csv", rows)
    notes = make_table([analyse(read_scores(tmp_path), e)[0] for e in "ef"], "means").notes
    assert "e: Answers without a score, left out: A 1 of 4, B 1 of 4." in notes and not [
        n for n in notes if n.startswith("f")
    ]


def test_where_lower_is_better_the_lowest_is_best(tmp_path):
    scores = {
        "A": [0.1, 0.2, 0.1, 0.2] * 5,
        "B": [0.9, 0.8, 1.0, 0.9] * 5,
        "C": [2.0, 1.9, 2.1, 2.2] * 5,
    }
    rows = [
        {"eval": "e", "model": m, "question_id": i, "score": s}
        for m, v in scores.items()
        for i, s in enumerate(v)
    ]
    table(tmp_path / "t.csv", rows)
    for better, best, ranks in (("", ("C",), [3, 2, 1]), ("lower", ("A",), [1, 2, 3])):
        decisions = Decisions(evals={"e": {"better": better}})
        result, _ = analyse(read_scores(tmp_path / "t.csv", decisions))
        assert result.best == best and [r.rank for r in result.ranks] == ranks
        assert all(r.low <= r.rank <= r.high for r in result.ranks)
    told = findings(result)
    assert "A has the lowest (best) mean" in told and "find every other model higher" in told
    made = make_table(result, "means")
    assert (
        "the lowest mean" in " ".join(made.notes)
        and "lower is better" in " ".join(made.notes)
        and made.bold == {(0, 1)}
    )


def test_a_run_on_part_of_the_questions_and_a_file_under_two_names_are_told(logs):
    text = (logs / "logs" / "a.jsonl").read_text(encoding="utf-8")
    (logs / "logs" / "a.jsonl").write_text(
        text.replace('"max_samples": null', '"max_samples": 5'), encoding="utf-8"
    )
    result, warnings = analyse(read_scores("logs"))
    assert (
        "Cut down to part of the questions: a (max_samples=5)." in make_table(result, "means").notes
    )
    assert "a (max_samples=5)" in next(w.message for w in warnings if w.code == "limited")
    copy = {
        "eval": {
            f"HumanEval/{k}": [{"base_status": "pass", "plus_status": "pass"}] for k in range(4)
        }
    }
    for name in ("gpt", "copy of gpt"):
        (logs / f"{name}_vllm_temp_0.0_eval_results.json").write_text(
            json.dumps(copy), encoding="utf-8"
        )
    _, warnings = analyse(read_scores(str(logs / "*_eval_results.json")))
    assert "have the same file" in next(w.message for w in warnings if w.code == "same-file")


def test_check_shows_everything_where_one_eval_waits_for_a_choice(logs, capsys):
    log(logs / "logs" / "later.jsonl", "a", [T, T, T, T, T], "2026-02-01")
    table(
        logs / "logs" / "t.csv",
        {"eval": "other", "model": "a", "question_id": range(3), "score": [1, 0, 1]},
    )
    done = invoke("check", "logs")
    assert done.exit_code == 2 and "BROKEN eval 'sums': model 'a' has 2 full runs" in done.stdout
    assert "org/b: 4 questions" in done.stdout and "  a: 3 questions" in done.stdout, done.stdout
    (logs / "logs" / "b.jsonl").unlink()  # no other model
    done = invoke("check", "logs")
    assert (
        done.exit_code == 2
        and "sums\n  BROKEN eval 'sums'" in done.stdout
        and "\nother\n" in f"\n{done.stdout}"
    )
    with pytest.raises(SystemExit):
        main(["table", "means", "logs"])
    assert "2 full runs" in capsys.readouterr().err


def test_a_file_that_could_not_be_read_is_named_in_the_report(logs):
    (logs / "logs" / "cut.jsonl").write_text(
        (logs / "logs" / "a.jsonl").read_text("utf-8")[:300], encoding="utf-8"
    )
    result, _ = analyse(read_scores("logs"))
    [note] = [n for n in make_table(result, "data").notes if n.startswith("Not read: ")]
    assert note.startswith("Not read: cut.jsonl: ") and str(logs) not in note


def test_an_eval_that_is_not_there_names_the_files_that_could_not_be_read(tmp_path):
    """It may be in one of them. Of many, three are named."""
    head = "eval,model,question_id,score\n"
    (tmp_path / "b.csv").write_text(f"{head}b,A,q0,1\nb,A,q1,0\n")
    for k in range(5):
        (tmp_path / f"a{k}.csv").write_text(f"{head}a{k},A,q0,1\na{k},A,q1,X0\n")
    there = open_scores([str(tmp_path)])
    with pytest.raises(UnknownNameError) as told:
        there.chosen("a0")
    first, *files, more = str(told.value).split("\n")
    assert first.startswith(f"no eval 'a0' in {tmp_path}")
    for k, line in enumerate(files):
        assert line.startswith(f"could not be read: {tmp_path}/a{k}.csv: column 'score': not a num")
    assert len(files) == 3 and more == "and 2 more"
