"""What a build says while it works, and at its end."""

import json

import pytest

from reportkit.builds import build as builds
from reportkit.builds.job import Summary
from reportkit.cli import main
from reportkit.cli.progress import progress


def tell(quiet: bool, log_format: str) -> None:
    with progress(quiet, log_format) as said:
        for k in range(3):
            said(f"reading {k}.csv", 0, 0)
        said("MATH: built", 1, 2)
        said("x\x1b[31m: failed", 2, 2)


def test_lines_for_readers_objects_for_programs_and_nothing_for_who_asks_for_quiet(capsys):
    tell(False, "text")
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.split("\n") == [
        "read 3 files", "[1/2] MATH: built", "[2/2] x\\x1b[31m: failed", "",
    ]  # fmt: skip
    tell(False, "json")
    told = capsys.readouterr()
    assert told.out == ""
    assert list(map(json.loads, told.err.splitlines())) == [
        {"files_read": 3},
        {"message": "MATH: built", "done": 1, "of": 2},
        {"message": "x\x1b[31m: failed", "done": 2, "of": 2},
    ]
    for log_format in ("text", "json"):
        tell(True, log_format)
        assert capsys.readouterr() == ("", "")


@pytest.fixture
def done(tmp_path, monkeypatch):
    summary = Summary(
        tmp_path, built=["a"], unchanged=["b"], why={"a": "its scores changed", "b": "same"},
        failures={"c": "no room"}, skipped={"x.txt": "no scores"}, notes=["a note"],
    )  # fmt: skip
    monkeypatch.setattr(builds, "build", lambda *_, **__: summary)
    return summary


def said(capsys, *words: str) -> tuple[str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["build", "scores.csv", *words])
    assert stopped.value.code == 1
    return capsys.readouterr()


def test_the_end(done, capsys):
    out, err = said(capsys)
    assert out == f"1 report built, 1 unchanged, 1 failed: {done.out}/index.html\n"
    assert err == "a note\nskipped x.txt: no scores\nfailed c: no room\n"
    out, err = said(capsys, "--why")
    assert out.startswith("a: its scores changed\nb: same\n1 report")
    assert said(capsys, "--quiet") == ("", "failed c: no room\n")
    out, err = said(capsys, "--log-format", "json")
    assert err == "" and json.loads(out) == {
        "out": str(done.out), "fictional": False, "status": 1, "built": ["a"],
        "unchanged": ["b"], "why": done.why, "failures": {"c": "no room"},
        "skipped": {"x.txt": "no scores"}, "notes": ["a note"], "commands": {}, "gate": "",
        "alarms": 0,
    }  # fmt: skip


def test_the_end_names_the_command_that_runs_a_failed_report_again_and_the_gate(done, capsys):
    done.commands, done.gate = {"c": "reportkit build x --eval c"}, "--fail-on moved: a"
    told = [
        "failed c: no room",
        "  to run it again: reportkit build x --eval c",
        "--fail-on moved: a",
    ]
    assert said(capsys)[1].splitlines()[2:] == told
    assert said(capsys, "--quiet")[1].splitlines() == told


def test_with_no_scores_an_object_says_that_it_is_fiction(done, capsys):
    with pytest.raises(SystemExit):
        main(["build", "--log-format", "json"])
    assert json.loads(capsys.readouterr().out)["fictional"] is True
