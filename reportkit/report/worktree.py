"""The git commit of the working tree that a report is made in, where there is one."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WAIT = 20.0  # seconds for git: a report does not wait longer to say where it was made


def with_tree(given: Mapping[str, Any], out: str | os.PathLike[str]) -> dict[str, Any]:
    """What a command said (manifest.as_given), with `tree` where the current folder lies in a
    working tree of git: its commit, and whether files that git knows had changed since.

    out: the folder of the reports, whose files do not count: else the second of two equal builds
    would say that something changed. Files that git does not know do not count either; the hashes
    of the inputs say what these were. The name of a branch, a path or an address is not told. None
    of it is ever an error: without git, without a commit or without an answer there is no `tree`.
    """
    tree = working_tree(Path.cwd(), Path(out))
    return {**given, "tree": tree} if tree else dict(given)


def working_tree(folder: Path, out: Path) -> dict[str, Any]:
    """`commit` and `changed` of the tree that a folder lies in; nothing where there is none, and
    `changed` None where git does not say it.
    """
    git = shutil.which("git")
    if git is None:
        return {}
    told = _asked(git, folder, "rev-parse", "HEAD", "--show-toplevel")
    commit, _, top = (told or "").rstrip("\n").partition("\n")
    if not commit or not top:
        return {}
    inside = os.path.relpath(os.path.realpath(folder / out), os.path.realpath(top))
    paths = [":(top)"]
    if inside.split(os.sep)[0] not in (os.curdir, os.pardir):
        paths.append(f":(top,exclude,literal){inside}")
    changes = _asked(git, folder, "status", "--porcelain", "--untracked-files=no", "--", *paths)
    return {"commit": commit, "changed": None if changes is None else bool(changes)}


def _asked(git: str, folder: Path, *words: str) -> str | None:
    """What git answers, or None. Hooks of git, such as those of pre-commit, set variables that name
    another tree; they do not count. No program that the tree's settings name is run for it.
    """
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env |= {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    command = [git, "-c", "core.fsmonitor=false", "-C", os.fspath(folder), *words]
    try:
        done = subprocess.run(
            command, env=env, capture_output=True, text=True, errors="replace", timeout=WAIT,
            check=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout
