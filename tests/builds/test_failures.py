"""What goes wrong in one report stops no other, and leaves the last good one as it was."""

import errno
import html
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner
from support.places import ROOT
from support.small_notebooks import small_notebook, without_kernels
from support.sweeps import slow

from reportkit.builds import after, run
from reportkit.builds import build as builds
from reportkit.builds.build import build
from reportkit.cli import commands, main
from reportkit.errors import OutputError
from reportkit.loading.importing import import_scores
from reportkit.publishing.aside import STATE

# Kernels are forked, as they are where nothing is said.
pytestmark = pytest.mark.usefixtures("warm")

EVALS = ("bad", "good")
LIMIT = 5.0
# What a notebook does on the eval of that name, and what its failure says.
WAYS = {
    "dies": ("import os; os._exit(1)", "died"),
    "hangs": ("import time; time.sleep(300)", "longer than 5 seconds; .* --time-limit"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "room": (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))",
        "File too large",
    ),
    "nowhere": ("out = '/dev/null/x'", "Not a directory"),
    "idle": ("out = mkdtemp()", "without report.finish"),
}


def scores(folder: Path, evals: Sequence[str] = EVALS) -> list[str]:
    """A table for each eval."""
    folder.mkdir(exist_ok=True)
    for e in evals:
        rows = [f"{m},q{k},{k % 2}" for m in "AB" for k in range(4)]
        (folder / f"{e}.csv").write_text("\n".join(["model,question_id,score", *rows]) + "\n")
    return [str(folder / f"{e}.csv") for e in evals]


def report(out: Path, name: str) -> dict[str, bytes]:
    folder = out / name
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*") if p.is_file()
    }  # fmt: skip


def build_well(sources, **options) -> None:
    """Good reports, without a kernel."""
    with pytest.MonkeyPatch.context() as patch:
        without_kernels(patch)
        assert build(sources, **options).failures == {}


def work_left(out: Path) -> list[str]:
    return os.listdir(out / STATE / "work")


@pytest.mark.slow
def test_each_is_of_one_report_and_the_next_build_makes_that_one_alone(tmp_path):
    evals = [*WAYS, "good"]
    sources, out = scores(tmp_path / "in", evals), tmp_path / "reports"
    good = small_notebook(tmp_path / "mine.ipynb")
    options = {"out": out, "formats": ["md"], "notebook": str(good)}
    build_well(sources, **options)
    before = {e: report(out, e) for e in evals}
    cells = [f"if eval == {e!r}:\n    {cell}" for e, (cell, _) in WAYS.items()]
    small_notebook(good, "from tempfile import mkdtemp", *cells)
    done = build(sources, **options, time_limit=LIMIT)
    assert (done.status, done.built, sorted(done.failures)) == (1, ["good"], sorted(WAYS))
    for e, (_, message) in WAYS.items():
        assert re.search(message, done.failures[e]), done.failures[e]
        assert report(out, e) == before[e], e
    assert work_left(out) == [] and report(out, "good") != before["good"]
    one = scores(tmp_path / "in", ["raises", "good"])
    small_notebook(good, "if eval == 'raises':\n    1 / 0")
    assert build(one, **options).built == ["good", "suite"]
    again = build(one, **options)
    assert (again.built, again.unchanged) == ([], ["good", "suite"])
    assert list(again.failures) == ["raises"]


def test_documents_that_find_no_room(tmp_path, monkeypatch):
    from reportkit.documents import make

    sources, out = scores(tmp_path / "in"), tmp_path / "reports"
    options = {"out": out, "formats": ["md"], "notebook": str(small_notebook(tmp_path / "m.ipynb"))}
    real = make.make_documents

    def full(notebook, folder, **rest):
        if rest["title"] == "bad":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "report.md")
        return real(notebook, folder, **rest)

    monkeypatch.setattr(make, "make_documents", full)
    done = build(sources, **options)
    assert done.built == ["good", "suite"] and "No space left" in done.failures["bad"]
    # of a full disk the notebook may be half of one, so none is kept
    assert work_left(out) == [] and not (out / "failed").exists() and not (out / "bad").exists()


@pytest.mark.slow
def test_a_suite_that_fails_is_run_again_by_its_command(cold, tmp_path, monkeypatch):
    """The command takes every decision again, and makes the suite alone."""
    from reportkit.documents import make

    scores(tmp_path / "in")
    monkeypatch.setenv("REPORTKIT_FORK", "1")
    monkeypatch.chdir(tmp_path)
    real = make.make_documents

    def full(notebook, folder, **rest):
        if rest["title"] == "Suite of 2 evals":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "report.md")
        return real(notebook, folder, **rest)

    options = {"formats": ["md"], "out": "r", "level": 0.9, "evals": {"bad": {"name": "B=d"}}}
    with monkeypatch.context() as patched:
        patched.setattr(make, "make_documents", full)
        done = build("in", **options)
    assert done.built == ["bad", "good"] and [*done.failures] == ["suite"]
    command = done.commands["suite"]
    page = Path("r/index.html").read_text()
    assert html.escape(command) in re.sub(r"</?span[^>]*>", "", page)  # of words that stay whole
    words = shlex.split(command)
    assert words[:3] == ["reportkit", "build", "in"] and words[-4:-2] == ["--out", "r"]
    ran = CliRunner().invoke(commands, [*words[1:], "--formats", "md"], catch_exceptions=False)
    assert ran.exit_code == 0 and "suite: built" in ran.output and "good: built" not in ran.output
    made = json.loads(Path("r/suite/results.json").read_text())
    assert made["report"]["parameters"]["level"] == 0.9
    assert "B=d" in Path("r/suite/report.md").read_text()


def test_a_source_that_vanishes_after_it_was_looked_at(tmp_path, monkeypatch):
    import_scores(scores(tmp_path / "in"), tmp_path / "scores")
    out, real = tmp_path / "reports", builds.read_fingerprints

    def gone(folder):
        for path in (tmp_path / "scores/eval=bad").glob("*.parquet"):
            path.unlink()
        return real(folder)

    monkeypatch.setattr(builds, "read_fingerprints", gone)
    notebook = str(small_notebook(tmp_path / "m.ipynb"))
    done = build([str(tmp_path / "scores")], out=out, formats=["md"], notebook=notebook)
    assert done.built == ["good"] and "damaged or gone" in done.failures["bad"]


def test_an_index_that_cannot_be_written_is_a_failure_with_a_name(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    without_kernels(monkeypatch)
    monkeypatch.setattr(after, "write_index", full)
    notebook = str(small_notebook(tmp_path / "m.ipynb"))
    done = build(scores(tmp_path / "in"), out=tmp_path / "r", formats=["md"], notebook=notebook)
    assert done.built == ["bad", "good", "suite"]
    assert done.failures == {"index.html": "cannot be written: No space left on device"}


def test_reports_are_made_at_once_where_processes_pay(monkeypatch):
    """Where nobody says how many: one process for three reports, for each processor, four at most;
    and one where the machine has no locks that processes share.
    """
    monkeypatch.setattr(run, "processors", lambda: 3)
    assert [run.at_once(None, n) for n in (0, 5, 6, 9, 100)] == [1, 1, 2, 3, 3]
    monkeypatch.setattr(run, "processors", lambda: 64)
    assert run.at_once(None, 100) == 4 and run.at_once(7, 1) == 7
    monkeypatch.setattr(run, "_have_locks", lambda: False)
    assert run.at_once(None, 100) == 1 and run.at_once(2, 100) == 2


@pytest.mark.slow  # publishing/test_kills.py kills builds, and tests above end a report early
def test_a_worker_that_is_killed_takes_no_other_report_with_it(tmp_path, cold):
    """As by a machine that runs out of memory. Of kernels that are not forked it is the parent."""
    kill = "import os, signal\nif eval == 'bad':\n    os.kill(os.getppid(), signal.SIGKILL)"
    notebook = str(small_notebook(tmp_path / "m.ipynb", kill))
    out = tmp_path / "reports"
    sources = scores(tmp_path / "in")
    done = build(sources, out=out, formats=["md"], notebook=notebook, jobs=2)
    assert done.built == ["good", "suite"]
    assert "its process died" in done.failures["bad"]
    small_notebook(tmp_path / "m.ipynb")
    build_well(sources, out=out, formats=["md"], notebook=notebook)
    assert work_left(out) == []


@pytest.mark.parametrize(
    ("end", "jobs"),
    [(signal.SIGINT, "1"), slow(signal.SIGTERM, "2"), slow(signal.SIGINT, "2"),
     slow(signal.SIGTERM, "1")],
)  # fmt: skip
def test_an_interrupt_ends_with_130_and_nothing_half_done(tmp_path, jobs, end):
    evals = (*EVALS, "third", "fourth")  # a process is handed one more than it works at
    sources, out = scores(tmp_path / "in", evals), tmp_path / "reports"
    notebook = small_notebook(tmp_path / "m.ipynb")
    options = {"out": out, "formats": ["md"], "notebook": str(notebook)}
    build_well(sources, **options)
    before = {e: report(out, e) for e in evals}
    begun = tmp_path / "begun"
    begun.mkdir()
    small_notebook(notebook, f"import pathlib, time; pathlib.Path({str(begun)!r}, eval).touch(); "
                   "time.sleep(300)")  # fmt: skip
    words = ["build", *sources, "--out", str(out), "--formats", "md", "--notebook", str(notebook)]
    process = subprocess.Popen(
        [sys.executable, "-m", "reportkit", *words, "--jobs", jobs],
        env=os.environ | {"PYTHONPATH": str(ROOT), "REPORTKIT_FORK": "1"},
        text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 120
    while len(os.listdir(begun)) < int(jobs) and time.monotonic() < until:
        time.sleep(0.05)
    children = psutil.Process(process.pid).children(recursive=True)
    if end == signal.SIGINT:
        os.killpg(process.pid, end)  # as a terminal's Ctrl-C
    else:
        process.send_signal(end)  # to one process, as of `timeout` and schedulers
    told, errors = process.communicate(timeout=120)
    assert process.returncode == 130, (told, errors)
    assert "Traceback" not in errors and "interrupted" in errors, errors
    assert {e: report(out, e) for e in evals} == before and work_left(out) == []
    assert len(os.listdir(begun)) == int(jobs)
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_the_demonstration_never_stands_among_real_reports(tmp_path, monkeypatch, capsys):
    without_kernels(monkeypatch)
    notebook = str(small_notebook(tmp_path / "m.ipynb"))
    out = tmp_path / "reports"
    done = build(scores(tmp_path / "in"), out=out, formats=["md"], notebook=notebook)
    assert done.failures == {}
    before = {e: report(out, e) for e in EVALS}
    index = (out / "index.html").read_bytes()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main(["build", "--out", str(out), "--notebook", notebook])
    told = capsys.readouterr().err
    assert stopped.value.code == 2 and "holds the report 'bad' of real scores" in told
    assert {e: report(out, e) for e in EVALS} == before
    assert (out / "index.html").read_bytes() == index
    with pytest.raises(OutputError, match="real scores"):
        build(out=out)
    with pytest.raises(OutputError, match="is a report of real scores"):
        build(out=out / "bad")  # nor into one of them
    assert {e: report(out, e) for e in EVALS} == before
    # reports of the demonstration may be made again
    options = {"eval": "MGSM", "formats": ["md"], "notebook": notebook}
    for _ in range(2):
        assert build(out=tmp_path / "demo", **options).failures == {}


@pytest.mark.slow  # the example is built again in test_example.py
def test_the_command_of_the_demonstration_makes_its_reports_again(tmp_path, monkeypatch):
    """It named no documents, and so it made others than those that stand beside it."""
    monkeypatch.chdir(tmp_path)
    assert build(eval="MGSM,MATH", out="reports", formats=["tex", "md"]).failures == {}
    reports = ("MATH", "MGSM", "suite")
    manifests = [json.loads(Path(f"reports/{r}/manifest.json").read_text()) for r in reports]
    math, mgsm, both = (shlex.split(made["command"]) for made in manifests)
    asked = ["--formats", "md,tex"]
    assert math == ["reportkit", "build", "--eval", "MATH", *asked]
    assert mgsm == ["reportkit", "build", "--eval", "MGSM", *asked]
    assert sorted(both) == sorted([*math, "--eval", "MGSM"])
    files = [p for r in reports for p in Path("reports", r).rglob("*") if p.is_file()]
    before = {path: path.read_bytes() for path in files}
    shutil.rmtree("reports")
    ran = CliRunner().invoke(commands, both[1:], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    files = [p for r in reports for p in Path("reports", r).rglob("*") if p.is_file()]
    assert {path: path.read_bytes() for path in files} == before


@pytest.mark.parametrize("command", (["build"], ["table", "means"], ["check"], ["import"]))
def test_an_empty_argument_is_an_error(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    more = ["--to", "scores"] if command == ["import"] else []
    for words in ([""], ["  "], ["x.csv", ""]):
        with pytest.raises(SystemExit) as stopped:
            main([*command, *words, *more])
        assert stopped.value.code == 2
        assert "an empty argument names no scores" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


def test_a_full_disk_outside_of_a_report_is_one_line(monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x.csv")

    monkeypatch.setattr("reportkit.builds.build.open_scores", full)
    with pytest.raises(SystemExit) as stopped:
        main(["build", "x.csv", "--out", "/nowhere"])
    assert stopped.value.code == 3
    assert capsys.readouterr().err == (
        "reportkit: x.csv: No space left on device; make room, or write to another disk\n"
    )


@pytest.mark.parametrize("command", (["check"], ["table", "means"]))
def test_what_uses_the_demonstration_says_so_first(tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        main([*command, "--eval", "MGSM"])
    assert stopped.value.code == 0
    told = capsys.readouterr()
    first = "no scores are given: this is the demonstration, and its models are fictional"
    said = told.err if command[0] == "table" else told.out
    assert said.split("\n")[0] == first
