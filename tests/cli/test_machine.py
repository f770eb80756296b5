"""A machine that misbehaves: a full disk, no temporary folder, an interrupt, a strict umask."""

import errno
import os
import signal
import subprocess
import sys
import tempfile

import pytest

from reportkit import cli, interrupts
from reportkit.builds.job import Summary
from reportkit.errors import OutputError
from reportkit.loading.demo import write_demo
from reportkit.loading.importing import import_scores
from reportkit.publishing.whole import write_whole
from reportkit.text.visible import json_text

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def ended(*arguments: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(list(arguments))
    return int(end.value.code or 0)


@pytest.fixture
def full_disk(tmp_path):
    """A folder on a file system of 64 KB, of which 32 are left."""
    folder = tmp_path / "full"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may not mount a file system")
    (folder / "fill").write_bytes(bytes(32 * 1024))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_file_on_a_full_disk_is_status_3_and_not_half_there(full_disk, capsys):
    assert ended("demo", "--to", str(full_disk / "d")) == 3
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "MATH.csv: cannot be written: No space left" in told
    assert list((full_disk / "d").iterdir()) == []


@pytest.mark.slow
def test_a_build_on_a_full_disk_is_status_3_and_keeps_no_half_notebook(full_disk, capsys):
    assert ended("build", "--eval", "MATH", "--out", str(full_disk / "r")) == 3
    told = capsys.readouterr().err
    assert "No space left on device" in told and "Traceback" not in told
    left = {p.name for p in (full_disk / "r").iterdir()} if (full_disk / "r").exists() else set()
    assert left <= {".reportkit", "index.html", "failed"}
    assert not list(full_disk.rglob("*.ipynb"))


def test_a_full_disk_behind_a_failed_report_is_status_3(tmp_path):
    assert Summary(tmp_path, failures={"MATH": f"template.ipynb: {FULL}"}).status == 3
    assert Summary(tmp_path, failures={"MATH": "cell 3: ValueError"}).status == 1
    assert Summary(tmp_path).status == 0


def test_a_file_that_cannot_be_written_whole_is_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_whole(path, b"before")

    def half(self, data):
        with open(self, "wb") as out:
            out.write(data[:2])
        raise FULL

    monkeypatch.setattr("pathlib.Path.write_bytes", half)
    with pytest.raises(OutputError, match=r"a\.txt: cannot be written: No space left on device$"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before" and [*tmp_path.iterdir()] == [path]


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    (tmp_path / "null").symlink_to(os.devnull)
    write_whole(tmp_path / "null", b"x")
    assert (tmp_path / "null").is_symlink() and not os.path.isfile(os.devnull)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (FULL, "No space left on device; make room, or write to another disk"),
        (
            FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']"),
            "['/tmp']; set TMPDIR to a folder that can be written",
        ),
        (OSError(errno.EIO, "Input/output error", "a.csv"), "a.csv: Input/output error\n"),
    ],
)
def test_what_the_machine_lacks_is_a_sentence_and_status_3(monkeypatch, capsys, error, told):
    def fails(**_):
        raise error

    monkeypatch.setattr(cli, "commands", fails)
    assert ended() == 3
    assert told in capsys.readouterr().err


def test_an_interrupt_while_modules_are_imported_is_status_130_and_nothing_else():
    """It comes in the middle of the imports, at a module that every command needs."""
    code = """
import builtins, os, signal, sys
from reportkit.__main__ import main
plain = builtins.__import__

def interrupted(name, *rest):
    if name == "click":
        os.kill(os.getpid(), signal.{})
    return plain(name, *rest)

builtins.__import__ = interrupted
sys.argv[1:] = ["--version"]
main()
"""
    for name, status in (
        ("SIGINT", interrupts.STATUS), ("SIGTERM", interrupts.STATUS), ("SIGWINCH", 0)
    ):  # fmt: skip
        done = subprocess.run([sys.executable, "-c", code.format(name)], capture_output=True)
        assert (done.returncode, done.stderr) == (status, b""), done.stderr


def test_an_interrupt_of_a_command_raises_again():
    """Where interrupts are ignored, as of a program that nohup starts, they stay ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupts.leave_at_once()
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        assert ended("--version") == 0  # ends before a command has begun
        assert ended("power", "--difference", "0.1") == 0
        assert signal.getsignal(signal.SIGINT) is interrupts.end
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        interrupts.leave_at_once()
        interrupts.raise_again()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_no_temporary_folder_is_a_sentence_and_nothing_is_written(tmp_path, monkeypatch, capsys):
    """None of the places that Python tries can be written."""
    nowhere = [os.path.join(os.devnull, "t")]
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: nowhere)
    monkeypatch.setenv("REPORTKIT_FORK", "1")
    assert ended("build", "--eval", "MATH", "--out", str(tmp_path / "r")) == 3
    told = [ln for ln in capsys.readouterr().err.splitlines() if ln.startswith("reportkit: ")]
    assert len(told) == 1 and "set TMPDIR to a folder that can be written" in told[0]
    assert not (tmp_path / "r" / "MATH").exists()


@pytest.mark.slow
@pytest.mark.parametrize("home", [os.path.join(os.devnull, "home"), ""])
def test_a_home_that_is_missing_is_no_matter(tmp_path, home):
    (tmp_path / "e.csv").write_text("model,question_id,score\nA,1,1\nA,2,0\n")
    env = {k: v for k, v in os.environ.items() if k != "HOME" and not k.startswith("XDG_")}
    if home:  # as it is where nothing can be made below it
        env |= dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), home)
    words = [sys.executable, "-m", "reportkit", "import", "e.csv", "--to", "s"]
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "1 added" in done.stdout, done.stderr
    assert sorted(os.listdir(tmp_path)) == ["e.csv", "s"]


@pytest.mark.parametrize("command", [
    ["build", "--eval", "MATH", "--out"],
    ["demo", "--to"],
    ["figure", "means", "--eval", "MATH", "--out"],
    ["init", "e.csv", "--to"],
], ids=lambda c: c[0])  # fmt: skip
def test_an_output_where_nothing_can_be_written_is_named(command, tmp_path, monkeypatch, capsys):
    """Below a home that is read-only, as /dev/null/home is for everybody, root too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "e.csv").write_text("model,question_id,score\nA,1,1\nA,2,0\n")
    place = os.path.join(os.devnull, "home", "out.svg")
    assert ended(*command, place) == 2
    [told] = [ln for ln in capsys.readouterr().err.splitlines() if ln.startswith("reportkit: ")]
    assert told.startswith(f"reportkit: {place}: ") and "Not a directory" in told


@pytest.mark.parametrize(("mask", "mode"), [(0o077, 0o600), (0o022, 0o644)])
def test_the_umask_holds_for_every_file(tmp_path, mask, mode):
    before = os.umask(mask)
    try:
        paths = write_demo(tmp_path / "d")
        import_scores(paths[:1], tmp_path / "s")
    finally:
        os.umask(before)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) > 7 and {p.stat().st_mode & 0o777 for p in files} == {mode}


def test_marks_that_reorder_text_are_codes_in_json():
    """U+202E shows what follows it from right to left: a command that is not the one it seems."""
    text = json_text({"command": "reportkit build 'a\u202eb'", "name": "é 模"})
    assert "\\u202e" in text and "\u202e" not in text and "é 模" in text
