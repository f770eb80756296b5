"""Folders made aside and put in place: what stays of the user's, who waits, what is swept."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.places import ROOT

from reportkit.errors import OutputError
from reportkit.loading.importing import import_scores
from reportkit.publishing import exchange, place
from reportkit.publishing.aside import STATE, Aside, turn
from reportkit.report import Report

MGSM = {"eval": "MGSM"}


def fill(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    outputs = {name.replace("__", "/"): "" for name in files}
    (folder / "manifest.json").write_text(json.dumps({"outputs": outputs}))


def put(home: Path, name: str, **files: str) -> None:
    with Aside(home, name) as aside:
        fill(aside.new, **files)
        aside.publish(home / name)


def found(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): p.read_text(encoding="latin-1")
        for p in folder.rglob("*")
        if p.is_file() and p.name != "manifest.json"
    }


def no_exchange(monkeypatch):
    monkeypatch.setattr(place, "exchange", lambda one, other: False)


def no_function(monkeypatch):
    monkeypatch.setattr(exchange, "_renameat2", lambda: None)


def as_it_is(monkeypatch):
    assert exchange._renameat2() is not None or not sys.platform.startswith("linux")


WAYS = (as_it_is, no_exchange, no_function)


@pytest.mark.parametrize("way", WAYS)
def test_files_of_the_user_stay_and_those_of_the_old_report_go(tmp_path, monkeypatch, way):
    way(monkeypatch)
    put(tmp_path, "r", a="1", tables__old="1", tables__b="1")
    (tmp_path / "r/tables/mine").write_text("mine")
    (tmp_path / "r/own/deep").mkdir(parents=True)
    (tmp_path / "r/own/deep/x").write_text("x")
    (tmp_path / "elsewhere").write_text("far")
    (tmp_path / "r/link").symlink_to("../elsewhere")
    inode = (tmp_path / "r/own/deep/x").stat().st_ino
    put(tmp_path, "r", a="2", tables__b="2")
    now = {"a": "2", "tables/b": "2", "tables/mine": "mine", "own/deep/x": "x", "link": "far"}
    assert found(tmp_path / "r") == now
    assert os.readlink(tmp_path / "r/link") == "../elsewhere"
    assert (tmp_path / "r/own/deep/x").stat().st_ino == inode  # the same file, not a copy
    assert os.listdir(tmp_path / STATE / "work") == []


def test_what_is_there_without_a_manifest_is_the_users(tmp_path):
    (tmp_path / "r/tables").mkdir(parents=True)
    (tmp_path / "r/tables/a").write_text("mine")
    (tmp_path / "r/b").write_text("mine")
    put(tmp_path, "r", b="new")  # a name of ours is written, as ever
    assert found(tmp_path / "r") == {"tables/a": "mine", "b": "new"}


@pytest.mark.parametrize("way", WAYS)
def test_a_manifest_that_names_files_elsewhere_harms_none(tmp_path, monkeypatch, way):
    way(monkeypatch)
    (tmp_path / "other").write_text("other")
    (tmp_path / "r").mkdir()
    outputs = {"../other": "", str(tmp_path / "other"): ""}
    (tmp_path / "r/manifest.json").write_text(json.dumps({"outputs": outputs}))
    put(tmp_path, "r", a="1")
    assert found(tmp_path / "r") == {"a": "1"} and (tmp_path / "other").read_text() == "other"


@pytest.mark.parametrize("to", ("../other", "..", "a/b", "/"))
def test_a_list_of_work_that_names_another_folder_is_not_followed(tmp_path, to):
    work = tmp_path / "home" / STATE / "work" / "dead"
    (work / "new").mkdir(parents=True)
    (work / "new/x").write_text("x")
    (work / place.BEGUN).write_text(json.dumps({"to": to, "own": ["manifest.json"]}))
    with turn(tmp_path / "home"):
        pass
    assert sorted(os.listdir(tmp_path)) == ["home"]
    assert os.listdir(tmp_path / "home") == [STATE] and not work.exists()


def test_a_file_in_the_way_is_named_and_stays(tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r/tables").write_text("mine")
    with pytest.raises(OutputError, match="r/tables: in the way of the report's tables/a"):
        put(tmp_path, "r", tables__a="1")
    assert found(tmp_path / "r") == {"tables": "mine"}
    with pytest.raises(OutputError, match="r/tables: a file, where the report's folder goes"):
        put(tmp_path / "r", "tables", a="1")


def test_the_living_are_not_swept_and_the_dead_are(tmp_path):
    code = (
        "import os, sys; from pathlib import Path\n"
        "from reportkit.publishing.aside import Aside\n"
        "a = Aside(Path(sys.argv[1]), 'dead'); (a.new / 'x').write_text('x'); os._exit(9)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    alive = Aside(tmp_path, "alive")
    (alive.new / "x").write_text("x")
    assert subprocess.run(command, env=env, timeout=60).returncode == 9
    assert len(os.listdir(tmp_path / STATE / "work")) == 2
    with turn(tmp_path):
        assert os.listdir(tmp_path / STATE / "work") == [alive.folder.name]
    assert found(alive.new) == {"x": "x"}
    alive.close()
    assert os.listdir(tmp_path / STATE / "work") == []


def test_the_second_of_two_waits_for_its_turn_and_says_so(tmp_path):
    order, told = [], threading.Event()

    def second() -> None:
        with turn(tmp_path, told.set):
            order.append("second")

    with turn(tmp_path, lambda: order.append("waited")):
        thread = threading.Thread(target=second)
        thread.start()
        assert told.wait(60)
        order.append("first")
    thread.join(60)
    assert order == ["first", "second"]


@pytest.mark.parametrize(
    ("mask", "folders", "files"), ((0o077, 0o700, 0o600), (0o002, 0o775, 0o664))
)
def test_the_umask_holds(tmp_path, mask, folders, files):
    before = os.umask(mask)
    try:
        Report(**MGSM, out=str(tmp_path / "reports/MGSM")).finish(documents=False)
        (tmp_path / "s.csv").write_text("model,question_id,score\nA,1,1\n")
        import_scores([tmp_path / "s.csv"], tmp_path / "scores")
        (tmp_path / "s.csv").chmod(files)
    finally:
        os.umask(before)
    for path in tmp_path.rglob("*"):
        if "lock" not in path.name and "turn" not in path.name:
            wanted = folders if path.is_dir() else files
            assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_in_a_folder_of_everybodys_the_state_is_in_the_reports_own(tmp_path):
    """As /tmp is, where another user's state would be in the way."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o1777)
    out = tmp_path / "shared/MGSM"
    for _ in range(2):
        Report(**MGSM, out=str(out)).finish(documents=False)
        assert os.listdir(tmp_path / "shared") == ["MGSM"]
        assert (out / "numbers.tex").is_file() and os.listdir(out / STATE / "work") == []


def test_a_name_may_be_as_long_as_a_file_system_takes(tmp_path):
    name = "n" * 255
    put(tmp_path, name, a="1")
    assert found(tmp_path / name) == {"a": "1"}


# A notebook's report ------------------------------------------------------------------------------


def test_cells_alone_change_nothing_until_the_report_is_finished(tmp_path):
    out = tmp_path / "reports/MGSM"
    Report(**MGSM, out=str(out)).finish(documents=False)
    before = found(out)
    report = Report(**MGSM, out=str(out), level=0.9)
    report.table("means")
    report.figure("means", "column")
    assert found(out) == before
    report.finish(documents=False)
    after = found(out)
    assert after["tables/means.md"] != before["tables/means.md"]
    assert "figures/means-column.svg" in after


def test_a_cell_that_runs_again_after_the_end_is_part_of_the_same_report(tmp_path):
    out = tmp_path / "MGSM"
    report = Report(**MGSM, out=str(out))
    report.table("means")
    report.finish(documents=False)
    before = found(out)
    report.table("means", digits=3)
    assert found(out) == before
    report.finish(documents=False)
    after = found(out)
    changed = {n for n in after if after[n] != before[n]}
    assert set(after) == set(before) and "tables/means.md" in changed
    assert all(n.startswith("tables/means.") for n in changed), changed


def test_a_report_that_fails_at_its_end_leaves_the_last_one(tmp_path, monkeypatch):
    out = tmp_path / "MGSM"
    Report(**MGSM, out=str(out)).finish(documents=False)
    before = found(out)
    report = Report(**MGSM, out=str(out), level=0.9)
    monkeypatch.setattr(report, "numbers", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        report.finish(documents=False)
    assert found(out) == before
    report._aside.close()
    assert os.listdir(tmp_path / STATE / "work") == []
