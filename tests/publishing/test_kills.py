"""A kill at every write, rename and removal of a notebook's report, of a build and of an import:
the last good report or the new one is whole, the next run is clean, and nothing is left over.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.helm_logs import helm
from support.kills import every_kill, left_over, whole
from support.places import ROOT
from support.sweeps import but_slow

from reportkit import read_scores
from reportkit.builds import run as runs
from reportkit.builds.build import build
from reportkit.loading import import_work
from reportkit.loading.importing import import_scores
from reportkit.publishing import place
from reportkit.publishing.aside import turn
from reportkit.report.base import BaseReport
from reportkit.report.outputs import record_outputs
from reportkit.results import Results

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts in /proc")


def every(step: int) -> pytest.MarkDecorator:
    """`make test` kills at each so many changes, `make test-all` at each."""
    return pytest.mark.parametrize("step", but_slow((1, step), 1))


class Versioned(BaseReport):
    """A report whose every file says which version it is of; old versions have a file more."""

    PARAMETERS = {"version": 1, "out": ""}

    def __init__(self, **parameters):
        super().__init__(parameters)
        self.title, self.folder = "Versioned", Path(self.parameters["out"])
        self.version = self.parameters["version"]

    def results(self):
        return Results("versioned", "versioned", {"version": self.version}, (), ())

    def manifest(self):
        return {"version": self.version}

    def save_rest(self):
        self._write("tables/a.md", f"{self.version}".encode())
        self._write(f"tables/only-{self.version}.md", f"{self.version}".encode())

    def numbers(self):
        return ()

    def table(self, kind):
        raise NotImplementedError("it has no table of its own")


def publish(out: Path, version: int) -> None:
    Versioned(out=str(out), version=version).finish(documents=False)


def version_of(folder: Path) -> int:
    """The version of a report that is whole: each file that its manifest lists is there, as listed,
    and every one is of that version.
    """
    made = json.loads((folder / "manifest.json").read_text())
    for name, sha256 in made["outputs"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha256, name
    version = made["version"]
    assert (folder / "tables/a.md").read_text() == str(version)
    assert sorted(p.name for p in folder.glob("tables/only-*")) == [f"only-{version}.md"]
    return version


def state_with(out: Path, version: int | None) -> None:
    """A folder of reports in which a good report of that version stands beside the user's notes."""
    shutil.rmtree(out.parent, ignore_errors=True)
    if version is not None:
        publish(out, version)
        (out / "notes.txt").write_text("mine")
        (out / "tables/mine.md").write_text("mine")


def mine(out: Path) -> bool:
    return all((out / n).read_text() == "mine" for n in ("notes.txt", "tables/mine.md"))


@pytest.mark.slow
@every(3)
def test_a_notebooks_report(tmp_path, step):
    out = tmp_path / "reports" / "MATH"
    found = set()
    for kill in every_kill(lambda: publish(out, 2), tmp_path, lambda: state_with(out, 1), step):
        assert mine(out), kill
        found.add(version_of(out))
        publish(out, 3)
        assert version_of(out) == 3 and mine(out) and left_over(out.parent) == [], kill
    assert found == {1, 2}
    # of the whole: its folder, six files, the user's two linked, the exchange, and the old removed
    changes = kill.split()
    assert changes.count("reportkit.exchange") == 1 and changes.count("os.link") == 2
    assert changes.count("open") >= 7 and changes.count("os.remove") >= 7


@pytest.mark.slow
@every(3)
def test_a_first_report_is_there_as_a_whole_or_not_at_all(tmp_path, step):
    out = tmp_path / "reports" / "MATH"
    found = set()
    for _ in every_kill(lambda: publish(out, 2), tmp_path, lambda: state_with(out, None), step):
        found.add(version_of(out) if out.exists() else 0)
        publish(out, 3)
        assert version_of(out) == 3 and left_over(out.parent) == []
    assert found == {0, 2}


@pytest.mark.slow
@every(3)
@pytest.mark.parametrize("reason", ("no exchange", "current folder"))
def test_where_files_are_moved_one_by_one_the_next_start_ends_it(
    tmp_path, monkeypatch, reason, step
):
    """A file system without the exchange, and a report in the current folder."""
    out = tmp_path / "reports" / "MATH"
    if reason == "no exchange":
        monkeypatch.setattr(place, "exchange", lambda one, other: False)

    def start() -> None:
        os.chdir(tmp_path)
        state_with(out, 1)
        if reason == "current folder":
            os.chdir(out)

    home = out.parent if reason == "no exchange" else out
    found = set()
    try:
        for kill in every_kill(lambda: publish(out, 2), tmp_path, start, step):
            with turn(home):  # whatever starts next
                pass
            assert mine(out) and left_over(home) == [], kill
            found.add(version_of(out))
            publish(out, 3)
            assert version_of(out) == 3 and mine(out), kill
            if reason == "current folder":
                assert os.path.samefile(".", out)
    finally:
        os.chdir(ROOT)
    assert found == {1, 2} and "reportkit.exchange" not in kill


SCORES = "eval,model,question_id,score\n" + "".join(
    f"{e},{m},q{k},{k % 2}\n" for e in ("one", "two") for m in "AB" for k in range(4)
)


@every(37)
def test_a_build(tmp_path, monkeypatch, step):
    """The notebooks are left out here: what a kernel writes aside is not yet published."""
    source, out = tmp_path / "scores.csv", tmp_path / "reports"
    source.write_text(SCORES)
    version = 0

    def execute(job, aside: Path) -> None:
        (aside / "report.ipynb").write_text("{}")
        (aside / "tables").mkdir()
        for name in ("a", f"only-{version}"):
            (aside / f"tables/{name}.md").write_text(str(version))
        (aside / "results.json").write_text("{}")
        (aside / "manifest.json").write_text(json.dumps({"version": version, "fictional": False}))
        record_outputs(aside)

    def made(now: int) -> None:
        nonlocal version
        version = now
        assert build([str(source)], out=out, force=True).failures == {}

    def start() -> None:
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(tmp_path / "good", out)

    monkeypatch.setattr(runs, "write_report", execute)
    made(1)
    shutil.copytree(out, tmp_path / "good")
    names, found = ("one", "two"), set()
    for kill in every_kill(lambda: made(2), out, start, step):
        found.add(tuple(version_of(out / n) for n in names))
        assert (out / "index.html").read_text().rstrip().endswith("</html>"), kill
        made(3)
        assert [version_of(out / n) for n in names] == [3, 3], kill
        assert left_over(out) == [], kill
    assert found == {(1, 1), (2, 1), (2, 2)} or step > 1
    assert kill.split().count("reportkit.exchange") == 3  # of each eval, and of the suite


@pytest.mark.slow
@every(7)
def test_an_import(tmp_path, monkeypatch, step):
    monkeypatch.setattr(import_work, "COMMIT", 0.0)
    logs, folder = tmp_path / "logs", tmp_path / "scores"

    def scores(value: float) -> None:
        for name in "ab":
            helm(logs / name, eval=name, scores=(value, 1.0, 0.0))

    def start() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        scores(0.0)
        import_scores([logs], folder)
        scores(1.0)

    def first() -> tuple[float, ...]:
        rows = read_scores(folder)
        assert len(rows) == 6
        return tuple(float(rows[rows["eval"] == e]["score"].iloc[0]) for e in "ab")

    found = set()
    for kill in every_kill(lambda: import_scores([logs], folder), folder, start, step):
        found.add(first())
        import_scores([logs], folder)
        assert first() == (1.0, 1.0) and left_over(folder) == [], kill
        # for each eval its rows, and the questions that it had
        assert len(list(folder.glob("eval=*/*.parquet"))) == 2, kill
        assert len(list(folder.glob("questions/*/*.parquet"))) == 2, kill
    assert found == {(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)} or step > 1


# With real reports and real kernels ---------------------------------------------------------------


@pytest.mark.slow
def test_an_evals_report_with_all_its_files(tmp_path):
    script = ROOT / "tests/support/kills_of_a_report.py"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    env["JE_ARROW_MALLOC_CONF"] = "background_thread:false"  # no thread lives at a fork
    command = [sys.executable, str(script), str(tmp_path)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100 and left_over(tmp_path / "reports") == []


# What each Python process runs first: it dies at a change, or keeps pictures of all of them.
HOOK = """
import os, sys
from pathlib import Path
from support.kills import before_each, picture

def count(event, path):
    global left
    dies = "ipykernel_launcher" in sys.orig_argv if who == "kernel" else os.getpid() == main
    if dies:
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)

folder, main, who = Path(os.environ["CHANGED"]), os.getpid(), os.environ["WHO"]
if who == "all":
    picture(folder, Path(os.environ["PICTURES"]))
elif who:
    left = int(os.environ["AT"])
    before_each(folder, count)
"""


def run(tmp_path: Path, words: Sequence[str], who: str = "", at: int = 0) -> int:
    """A command that makes reports in tmp_path/reports. who: "kernel" or "command" dies at its
    change number `at` there; of "all" each change has a picture in tmp_path/pictures.
    """
    (tmp_path / "hook").mkdir(exist_ok=True)
    (tmp_path / "hook/sitecustomize.py").write_text(HOOK)
    paths = [tmp_path / "hook", ROOT / "tests", ROOT]
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "CHANGED": str(tmp_path / "reports"),
        "PICTURES": str(tmp_path / "pictures"),
        "WHO": who,
        "AT": str(at),
    }
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, env=env, capture_output=True, text=True,
        timeout=600, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if who == "kernel":
        assert "died" in done.stderr, done.stderr
    return done.returncode


def kills_of(tmp_path: Path, words: Sequence[str], other: Sequence[str]) -> list[str]:
    """The command is killed at each change that it makes in a folder of a good report; `other` are
    further words, with which the report is another one. Returns the changes.

    It runs once, and a picture of each change is what a kill of all its processes there leaves.
    """
    reports, good = tmp_path / "reports", tmp_path / "good"
    report = reports / "HumanEval"
    assert run(tmp_path, words) == 0
    (report / "notes.txt").write_text("mine")
    before = whole(report)
    shutil.copytree(reports, good)
    assert run(tmp_path, [*words, *other], "all") == 0
    after, found, changes = whole(report), set(), []
    assert after != before
    pictures = sorted((tmp_path / "pictures").glob("[0-9]*"))
    for path in pictures:
        shutil.rmtree(reports)
        path.rename(reports)
        found.add(now := whole(report))
        with turn(reports):  # whatever starts next
            pass
        assert whole(report) == now and (report / "notes.txt").read_text() == "mine", path.name
        assert left_over(reports) == [], path.name
        changes.append(path.name.partition("-")[2])
    assert found == {before, after}
    return changes


PAPERMILL = (
    *("papermill", str(ROOT / "notebooks/template.ipynb"), "out.ipynb"),
    *("-p", "eval", "HumanEval"),
)


@pytest.mark.slow
def test_papermill_with_a_real_kernel(tmp_path):
    changes = kills_of(tmp_path, PAPERMILL, ("-p", "level", "0.9"))
    assert sum(c.endswith("reportkit.exchange") for c in changes) == 1 and len(changes) > 200


@pytest.mark.slow
def test_a_build_with_real_kernels(tmp_path):
    words = ("reportkit", "build", "--eval", "HumanEval", "--formats", "html")
    changes = kills_of(tmp_path, words, ("--level", "0.9"))
    assert sum(c.endswith("reportkit.exchange") for c in changes) == 1 and len(changes) > 200
    assert len({c.partition("-")[0] for c in changes}) == 2  # the command's, and its kernel's


@pytest.mark.slow
def test_after_a_kill_the_same_command_makes_the_report_again(tmp_path):
    """Real kills: of the kernel alone, which the command outlives, and of the command alone."""
    report = tmp_path / "reports/HumanEval"
    build = ("reportkit", "build", "--eval", "HumanEval", "--formats", "html")
    for words, other, again, kills in (
        (PAPERMILL, ("-p", "level", "0.9"), (), (("kernel", 60), ("kernel", 130))),
        (build, ("--level", "0.9"), ("--force",), (("kernel", 40), ("command", 6))),
    ):
        assert run(tmp_path, [*words, *again]) == 0
        before = whole(report)
        for who, at in kills:
            assert run(tmp_path, [*words, *other], who, at) != 0
            assert whole(report) == before, (who, at)
            assert run(tmp_path, [*words, *again]) == 0
            assert whole(report) == before and left_over(report.parent) == [], (who, at)
