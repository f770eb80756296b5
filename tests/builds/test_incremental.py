"""What a second build makes again: what changed, and nothing else."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.helm_logs import helm
from support.places import LOGS, ROOT, needs
from support.small_notebooks import small_notebook

from reportkit import analyse, read_scores
from reportkit.analysis.gone import NotRead
from reportkit.analysis.moved import Comparison
from reportkit.builds import fingerprint
from reportkit.builds import run as runs
from reportkit.builds.build import build
from reportkit.builds.fingerprint import FILE, MISSING, NEW, PARTS, UNCHANGED, asked, nothing_to_do
from reportkit.builds.job import Output, Summary
from reportkit.builds.moved import Compared
from reportkit.inputs.files import listed_once
from reportkit.inputs.sources import expand
from reportkit.loading import cache
from reportkit.loading.cache import ReadLogs
from reportkit.loading.config import Settings
from reportkit.publishing.aside import STATE, Aside
from reportkit.report.outputs import record_outputs
from reportkit.results import Results

EVALS = ("one", "two", "three")


def table(path: Path, *evals: str, first: float = 1.0) -> str:
    """A table; `first` is the score of one row of the first eval."""
    rows = [f"{e},{m},q{k},{k % 2}" for e in evals for m in "AB" for k in range(4)]
    rows[0] = f"{evals[0]},A,q0,{first}"
    path.write_text("\n".join(["eval,model,question_id,score", *rows]) + "\n")
    return str(path)


@pytest.fixture
def kernels(monkeypatch):
    """Reports of one file, made in this process: the names of those that were made."""
    made = []

    def execute(job, aside: Path) -> None:
        made.append(job.name)
        (aside / "results.json").write_text(json.dumps({"evals": []}))
        (aside / "table.md").write_text(str(job.parameters))
        (aside / "manifest.json").write_text(json.dumps({"fictional": False, "inputs": []}))
        record_outputs(aside)

    monkeypatch.setattr(runs, "write_report", execute)
    return made


@pytest.fixture
def at_once(monkeypatch):
    """Files that were written a moment ago are as good as old ones."""
    monkeypatch.setattr(cache, "TOO_NEW", -3600.0)
    monkeypatch.setattr(fingerprint, "TOO_NEW", -3600.0)


ALL = (*EVALS, "suite")


def why(sources, **options) -> dict[str, str]:
    done = build(sources, **options)
    assert done.failures == {}
    changed = {name for name, reason in done.why.items() if reason != UNCHANGED}
    assert changed == {*done.built} and {*done.why} - changed == {*done.unchanged}
    return done.why


def test_one_changed_row_makes_its_report_again_and_the_suite(tmp_path, kernels):
    """All evals in one table; and each in a table of its own."""
    out = tmp_path / "reports"
    source = table(tmp_path / "all.csv", *EVALS)
    assert why([source], out=out) == dict.fromkeys(ALL, NEW)
    assert why([source], out=out) == dict.fromkeys(ALL, UNCHANGED)
    kernels.clear()
    rows = Path(source).read_text().replace("two,A,q0,0", "two,A,q0,1")
    Path(source).write_text(rows)
    found = why([source], out=out)
    moved = dict.fromkeys(["two", "suite"], PARTS["scores"])
    expected = dict.fromkeys(EVALS, UNCHANGED) | moved
    assert found == expected and kernels == ["two", "suite"]
    kernels.clear()
    Path(source).write_text(f"{rows}four,A,q0,1\nfour,B,q0,1\nfour,A,q1,0\nfour,B,q1,1\n")
    found = why([source], out=out)
    new = {"four": NEW, "suite": found["suite"]}
    assert found == dict.fromkeys(EVALS, UNCHANGED) | new and kernels == ["four", "suite"]
    sources = [table(tmp_path / f"{e}.csv", e) for e in EVALS]
    why(sources, out=out)
    kernels.clear()
    table(tmp_path / "two.csv", "two", first=0.5)
    assert why(sources, out=out) == expected and kernels == ["two", "suite"]


def test_a_report_whose_folder_gets_another_name_leaves_none_behind(tmp_path, monkeypatch):
    """One that differs in case alone comes later: both get names of their own. The user's own files
    stay; a report of an eval that the sources no longer have stays too.
    """
    out, source = tmp_path / "reports", tmp_path / "all.csv"

    def execute(job, aside: Path) -> None:
        found = [analyse(read_scores(source), e)[0] for e in job.evals]
        made = Results(job.name, "template", {}, tuple(found), ()).to_json()
        (aside / "results.json").write_text(json.dumps(made))
        (aside / "manifest.json").write_text(json.dumps({"fictional": False, "inputs": []}))
        record_outputs(aside)

    monkeypatch.setattr(runs, "write_report", execute)
    why([table(source, "A1", "B", "C")], out=out)
    assert {p.name for p in out.iterdir() if p.is_dir()} == {"A1", "B", "C", "suite", STATE}
    (out / "A1" / "notes.txt").write_text("mine")
    done = build([table(source, "A1", "B", "a1")], out=out)
    assert len(done.built) == 3 and done.unchanged == ["B"]
    there = {p.name for p in out.iterdir() if p.is_dir()}
    assert there == {"A1", "B", "C", "suite", STATE, *done.built}
    assert [p.name for p in (out / "A1").iterdir()] == ["notes.txt"]
    assert (out / "C" / "manifest.json").is_file()


def test_times_are_nothing_and_content_is_everything(tmp_path, kernels):
    source, out = table(tmp_path / "one.csv", "one"), tmp_path / "reports"
    why([source], out=out)
    os.utime(source, (1, 1))
    assert why([source], out=out) == {"one": UNCHANGED}
    # a copy of all, with other times, in another place
    shutil.copytree(out, tmp_path / "copy", copy_function=shutil.copyfile)
    assert why([source], out=tmp_path / "copy") == {"one": UNCHANGED}
    table(Path(source), "one", first=0.25)
    os.utime(source, (1, 1))  # of the same size, with the same time
    assert why([source], out=out) == {"one": PARTS["scores"]}


@pytest.mark.slow
def test_every_part_is_a_reason_with_a_name(tmp_path, kernels, monkeypatch):
    source, out = table(tmp_path / "one.csv", "one"), tmp_path / "reports"
    notebook = small_notebook(tmp_path / "m.ipynb")
    now = {"out": out, "notebook": str(notebook)}

    def changed() -> str:
        [reason] = why([source], **now).values()
        assert why([source], **now) == {"one": UNCHANGED}
        return reason

    assert changed() == NEW
    now |= {"level": 0.9}
    assert changed() == PARTS["decisions"]
    now |= {"seed": 3}
    assert changed() == PARTS["decisions"]
    now |= {"formats": ["md"]}
    assert changed() == PARTS["formats"]
    small_notebook(notebook, "pass")
    assert changed() == PARTS["notebook"]
    monkeypatch.setattr(fingerprint, "__version__", "9.9")
    assert changed() == PARTS["reportkit"]
    monkeypatch.setattr(fingerprint, "code_digest", lambda: "other code")
    assert changed() == PARTS["reportkit"]
    monkeypatch.setattr(fingerprint, "files_digest", lambda folder: "other templates")
    assert changed() == PARTS["templates"]
    real = fingerprint.importlib.metadata.version
    monkeypatch.setattr(
        fingerprint.importlib.metadata, "version",
        lambda name: "9" if name == "typst" else real(name),
    )  # fmt: skip
    assert changed() == PARTS["libraries"]
    shutil.copy(source, tmp_path / "other.csv")
    source = str(tmp_path / "other.csv")
    assert PARTS["command"] in changed()
    (out / "one/table.md").unlink()
    assert changed() == MISSING
    (out / "one/table.md").write_text("by hand")
    assert changed() == MISSING
    (out / "one/manifest.json").write_text("{}")
    assert changed() == MISSING
    shutil.rmtree(out / "one")
    assert changed() == MISSING
    (out / STATE / FILE).unlink()
    assert changed() == NEW
    for damaged in ("", "[]", '{"format": "reportkit/fingerprints@1", "reports": {"one": {}}}'):
        (out / STATE / FILE).write_text(damaged)
        assert changed() == NEW, damaged
    (out / "one/notes.txt").write_text("mine")  # the user's own is no reason
    assert why([source], **now) == {"one": UNCHANGED}
    assert why([source], **now, force=True) == {"one": fingerprint.FORCED}
    assert (out / "one/notes.txt").read_text() == "mine"


def test_of_a_broken_neighbour_a_report_says_so_and_is_made_again(tmp_path, kernels, at_once):
    """The report names the files that could not be read."""
    folder, out = tmp_path / "in", tmp_path / "reports"
    folder.mkdir()
    broken = Path(table(folder / "one.csv", "one"))
    table(folder / "two.csv", "two")
    why([str(folder)], out=out)
    good = broken.read_text()
    broken.write_text(good.replace("one,A,q1,1", "one,A,q1,X0"))
    assert why([str(folder)], out=out) == {"two": PARTS["unread"]}
    assert why([str(folder)], out=out) == {"two": UNCHANGED}
    broken.write_text(good)
    assert why([str(folder)], out=out) == {
        "one": UNCHANGED, "two": PARTS["unread"], "suite": UNCHANGED
    }  # fmt: skip


def test_the_digests_of_code_and_templates_are_of_their_content(tmp_path):
    from reportkit import version

    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    before = fingerprint.files_digest(tmp_path / "templates")
    assert before == fingerprint.files_digest(ROOT / "templates")
    template = tmp_path / "templates" / "index.html.j2"
    template.write_text(template.read_text() + " ")
    assert fingerprint.files_digest(tmp_path / "templates") != before
    code = "import sys; from reportkit.version import code_digest; print(code_digest())"
    shutil.copytree(ROOT / "reportkit", tmp_path / "reportkit")

    def digest() -> str:
        told = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, text=True, capture_output=True,
            env=os.environ | {"PYTHONPATH": "."},
        )  # fmt: skip
        return told.stdout.strip()

    assert digest() == version.code_digest()
    (tmp_path / "reportkit/stats/means/mean.py").open("a").write("# other\n")
    assert digest() != version.code_digest() and len(digest()) == 64


def test_an_input_that_goes_back_to_what_it_was_is_not_taken_for_the_report_in_place(
    tmp_path, kernels, monkeypatch
):
    """A build that is killed between the report's exchange and the note of it."""
    source, out = table(tmp_path / "one.csv", "one"), tmp_path / "reports"
    why([source], out=out)
    with monkeypatch.context() as killed:
        killed.setattr(fingerprint.Fingerprints, "built", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            build([source], out=out, level=0.9)
    assert "0.9" in (out / "one/table.md").read_text()
    assert why([source], out=out) == {"one": MISSING}
    assert "0.9" not in (out / "one/table.md").read_text()


# Logs that are not read again ---------------------------------------------------------------------


def read_now(sources, out: Path, **options) -> list[str]:
    """The logs that a build has read."""
    told = []
    build(sources, out=out, progress=lambda message, _, total: told.append((message, total)),
          **options)  # fmt: skip
    return [m.removeprefix("reading ") for m, total in told if not total]


@pytest.mark.slow
def test_of_many_logs_with_one_new_one_is_read(tmp_path, kernels, at_once):
    logs, out = tmp_path / "logs", tmp_path / "reports"
    for k in range(12):
        helm(logs / f"{k:02d}", eval=f"e{k % 4}", model=f"m{k}")
    options = {"formats": ["md"]}
    assert len([p for p in read_now([str(logs)], out, **options) if "per_instance" in p]) == 12
    # other files of the folders are no logs, and are looked at each time
    assert [p for p in read_now([str(logs)], out, **options) if "per_instance" in p] == []
    kernels.clear()
    new = helm(logs / "12", eval="e0", model="new")
    found = [p for p in read_now([str(logs)], out, **options) if "per_instance" in p]
    assert found == [str(new)] and kernels == ["e0", "suite"]
    changed = helm(logs / "07", eval="e3", model="m7", scores=(0.0, 0.0, 0.0))
    kernels.clear()
    found = [p for p in read_now([str(logs)], out, **options) if "per_instance" in p]
    assert found == [str(changed)] and kernels == ["e3", "suite"]
    # what lies beside a log counts, also where the log itself is as it was
    helm(logs / "01", eval="e1", model="m1", passage="other")
    found = [p for p in read_now([str(logs)], out, **options) if "per_instance" in p]
    assert found == [str(logs / "01/per_instance_stats.json")]
    kept = len(list((out / STATE / "read").glob("*.parquet")))
    shutil.rmtree(logs / "05")
    read_now([str(logs)], out, **options)
    assert len(list((out / STATE / "read").glob("*.parquet"))) == kept - 1 == 12


def test_a_log_that_may_still_change_is_read_again(tmp_path, kernels):
    """Two changes within one tick of the clock have one time."""
    log, out = helm(tmp_path / "logs"), tmp_path / "reports"
    for _ in range(2):
        assert str(log) in read_now([str(tmp_path / "logs")], out)


@pytest.mark.slow
def test_what_is_kept_of_other_code_or_is_damaged_is_not_used(
    tmp_path, kernels, at_once, monkeypatch
):
    log, out = helm(tmp_path / "logs"), tmp_path / "reports"
    folder = out / STATE / "read"

    def again() -> bool:
        return str(log) in read_now([str(tmp_path / "logs")], out)

    assert again() and not again()
    monkeypatch.setattr(cache, "code_digest", lambda: "other")
    assert again() and not again()
    for path in folder.glob("*.parquet"):
        path.write_bytes(b"PAR1 damaged")
    assert again() and not again()
    for damaged in ("", "[]", '{"made_by": 1}', '{"logs": []}'):
        (folder / "index.json").write_text(damaged)
        assert again() and not again(), damaged
    shutil.rmtree(folder)
    assert again() and not again()


@needs(LOGS)
def test_real_logs_of_every_harness_come_back_exactly(tmp_path, at_once):
    import pandas as pd

    first, runs_of = ReadLogs.at(tmp_path / "read"), {}
    with listed_once():
        for file in expand(str(LOGS)):
            try:
                content = first.read(file, {})
            except Exception:
                continue  # no log, or broken: the readers' tests say which
            if isinstance(content, list):
                runs_of[file.path] = content
        with Aside(tmp_path) as aside:
            first.write(aside)
        second = ReadLogs.at(tmp_path / "read")
        for file in expand(str(LOGS)):
            kept = second.kept(file)
            assert (kept is not None) == (file.path in runs_of), file.path
            for before, after in zip(runs_of.get(file.path, ()), kept or (), strict=True):
                pd.testing.assert_frame_equal(before.rows, after.rows)
                assert repr(before.facts()) == repr(after.facts())
                assert file.sha256()
    assert len({r.harness for runs in runs_of.values() for r in runs}) >= 5


# Nothing to do ------------------------------------------------------------------------------------


def test_a_build_with_nothing_to_do_is_seen_without_reading(tmp_path, kernels, at_once):
    logs, out = tmp_path / "logs", tmp_path / "reports"
    for k in range(3):
        helm(logs / str(k), eval=f"e{k}")
    notebook = small_notebook(tmp_path / "m.ipynb")
    output, said = Output(out=str(out), notebook=str(notebook)), {"strict": False}

    def same(**more) -> bool:
        words = asked([str(logs)], said | more, Settings(), output)
        done = nothing_to_do(words, [str(logs)], out)
        assert done is None or done.unchanged == ["e0", "e1", "e2", "suite"] and done.status == 0
        return done is not None

    def built() -> None:
        build([str(logs)], settings=Settings(), output=output)

    assert not same()
    built()
    assert same() and not same(level=0.9)
    index = out / "index.html"
    changes = [
        lambda: helm(logs / "1", eval="e1", scores=(0.0, 0.0, 1.0)),
        lambda: helm(logs / "1", eval="e1", passage="beside"),
        lambda: os.utime(logs / "1/per_instance_stats.json", (1, 1)),
        lambda: (logs / "other.txt").write_text("a new file"),
        lambda: (logs / "other.txt").unlink(),
        lambda: small_notebook(notebook, "pass"),
        lambda: (out / "e2/table.md").unlink(),
        lambda: (out / "e2/table.md").write_text("by hand"),
        lambda: shutil.rmtree(out / "e0"),
        lambda: index.unlink(),
        lambda: index.write_text(index.read_text() + " "),
        lambda: (out / STATE / FILE).unlink(),
        lambda: (out / STATE / FILE).write_text('{"format": "reportkit/fingerprints@1"}'),
    ]
    for number, change in enumerate(changes):
        change()
        assert not same(), number
        built()
        assert same(), number


def test_files_that_may_still_change_are_looked_into(tmp_path, kernels):
    source, out = table(tmp_path / "one.csv", "one"), tmp_path / "reports"
    build([source], out=out)
    words = asked([source], {"strict": False}, Settings(), Output(out=str(out)))
    assert nothing_to_do(words, [source], out) is None


def test_a_night_without_an_eval_that_could_not_be_read_is_not_nothing_to_do(tmp_path):
    """The same build once more tells of it again, and its gate falls again."""
    quiet = Comparison((), (), (), (), (), (), (), (), (), 0.05)
    lacking = replace(quiet, not_read=(NotRead("one", "one.csv", "broken"),))
    for comparison, kept_last in ((quiet, True), (lacking, False)):
        summary = Summary(tmp_path, compared=[Compared("the build before", comparison)])
        kept = fingerprint.Fingerprints(tmp_path)
        fingerprint.remember(kept, "words", lambda: {"listed": "", "looked": {}}, summary)
        assert bool(kept.last) is kept_last


def test_a_failure_is_not_nothing_to_do(tmp_path, at_once, monkeypatch):
    source, out = table(tmp_path / "one.csv", "one"), tmp_path / "reports"
    monkeypatch.setattr(
        runs, "write_report", lambda job, aside: (_ for _ in ()).throw(OSError("no"))
    )
    assert build([source], out=out).status == 1
    words = asked([source], {"strict": False}, Settings(), Output(out=str(out)))
    assert nothing_to_do(words, [source], out) is None


@pytest.mark.slow
def test_the_command_says_why_and_imports_nothing_heavy_where_nothing_is_to_do(tmp_path):
    """With a real kernel; the file is of an hour ago."""
    source = table(tmp_path / "one.csv", "one")
    notebook = small_notebook(tmp_path / "m.ipynb")
    words = ["build", source, "--out", "r", "--formats", "md", "--notebook", str(notebook), "--why"]
    code = (
        "import sys\nfrom reportkit import cli\n"
        "try:\n    cli.main(sys.argv[1:])\nfinally:\n"
        "    print('heavy:', sorted({'pandas', 'numpy', 'papermill'} & {*sys.modules}))"
    )

    def run() -> str:
        told = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)}, timeout=240,
        )  # fmt: skip
        assert told.returncode == 0, told.stderr
        return told.stdout

    for path in (Path(source), notebook):
        wait_until_old(path)
    assert "one: not built before\n1 report built, 0 failed" in run()
    said = run()
    assert "one: nothing changed\n0 reports built, 1 unchanged, 0 failed" in said
    assert "heavy: []" in said
    table(Path(source), "one", first=0.5)
    assert re.search("one: its scores changed\n1 report built, 0 failed", run())


def wait_until_old(path: Path) -> None:
    import time

    while time.time() - path.stat().st_ctime < fingerprint.TOO_NEW + 0.1:
        time.sleep(0.1)
