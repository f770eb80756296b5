"""The commit of the working tree that a report is made in: what counts as a change, and that
nothing about git ever stops a report.
"""

import os
import subprocess
from pathlib import Path

import pytest
from support import programs

from reportkit.report.worktree import with_tree, working_tree


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    command = [programs.program("git"), *who, *words]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path) -> Path:
    """A working tree with one commit, and a folder in it."""
    folder = tmp_path / "tree"
    (folder / "inner").mkdir(parents=True)
    (folder / "reportkit.toml").write_text("level = 0.9\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "first")
    return folder


def test_the_commit_and_whether_files_of_it_changed(tree):
    commit = git(tree, "rev-parse", "HEAD").strip()
    assert len(commit) == 40
    clean = {"commit": commit, "changed": False}
    assert working_tree(tree, Path("reports")) == clean
    assert working_tree(tree / "inner", Path("reports")) == clean
    (tree / "new.txt").write_text("git does not know it")
    assert working_tree(tree, Path("reports")) == clean
    (tree / "reportkit.toml").write_text("level = 0.95\n")
    assert working_tree(tree, Path("reports")) == clean | {"changed": True}
    assert working_tree(tree / "inner", Path("reports")) == clean | {"changed": True}


@pytest.mark.parametrize("out", ["reports", "a folder/[x]*", "inner/../reports"])
def test_reports_that_are_committed_are_no_change(tree, out):
    """Else the second of two equal builds would say another thing than the first."""
    (tree / out).mkdir(parents=True)
    (tree / out / "report.md").write_text("first")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "reports")
    (tree / out / "report.md").write_text("second")
    assert working_tree(tree, Path(out))["changed"] is False
    assert working_tree(tree, tree / out)["changed"] is False  # an absolute path
    assert working_tree(tree, Path("elsewhere"))["changed"] is True
    assert working_tree(tree, Path("../out of it"))["changed"] is True


def test_without_git_a_tree_or_a_commit_there_is_nothing(tmp_path, monkeypatch):
    assert working_tree(tmp_path, Path("reports")) == {}
    git(tmp_path, "init", "-q")
    assert working_tree(tmp_path, Path("reports")) == {}
    assert working_tree(tmp_path / "gone", Path("reports")) == {}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert working_tree(tmp_path, Path("reports")) == {}


def test_a_git_that_does_not_answer(tree, tmp_path, monkeypatch):
    """One that fails at status, and one that fails at all."""
    commit = git(tree, "rev-parse", "HEAD").strip()
    real = programs.program("git")
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\ncase "$*" in *status*) exit 128;; esac\nexec {real} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    assert working_tree(tree, Path("reports")) == {"commit": commit, "changed": None}
    fake.write_text("#!/bin/sh\nexit 3\n")
    assert working_tree(tree, Path("reports")) == {}
    fake.write_text("#!/bin/nowhere\n")
    assert working_tree(tree, Path("reports")) == {}


def test_a_hook_of_another_tree_changes_nothing(tree, tmp_path, monkeypatch):
    """git tells its hooks, such as those of pre-commit, where it works."""
    commit = git(tree, "rev-parse", "HEAD").strip()
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / "index"))
    assert working_tree(tree, Path("reports")) == {"commit": commit, "changed": False}


def test_no_program_of_the_tree_is_run_and_its_index_stays(tree):
    """A tree may name a program that watches its files; a report starts none."""
    git(tree, "config", "core.fsmonitor", "touch ran;false")
    before = (tree / ".git" / "index").stat().st_mtime_ns
    (tree / "reportkit.toml").touch()
    assert working_tree(tree, Path("reports"))["changed"] is False
    assert not (tree / "ran").exists()
    assert (tree / ".git" / "index").stat().st_mtime_ns == before


def test_what_a_command_said_gets_the_tree(tree, monkeypatch):
    given = {"sources": ["s"], "options": []}
    monkeypatch.chdir(tree)
    assert with_tree(given, "reports")["tree"]["changed"] is False
    monkeypatch.chdir(tree.parent)
    assert with_tree(given, "reports") == given
