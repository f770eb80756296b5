"""Processes that are killed at one of their writes, renames or removals: at each of them in turn.

Python raises an audit event before each; the process kills itself (SIGKILL) in the k-th. Of a file
that is opened for writing there are two ends: before it is opened, and when half of it is written.

A run of several processes that takes long is not made again for each kill: `picture` keeps what a
kill of all of them would leave at each change.
"""

import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from reportkit.publishing.aside import STATE

CHANGES = {
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "reportkit.exchange",
}  # fmt: skip
# of reportkit's own, between two runs
KEPT = {".gitignore", "fingerprints.json", "lock", "questions", "turn", "work"}
FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def before_each(folder: Path, act: Callable[[str, Path], None]) -> None:
    """From now on `act` is called before each change that this process makes below the folder, and
    those that are forked from it; with the event and its path.
    """
    busy = False

    def hook(event: str, arguments: tuple) -> None:
        nonlocal busy
        if busy or not (event in CHANGES or event == "open" and arguments[2] & FLAGS):
            return
        path = place(event, arguments)
        if path is None or folder not in (path, *path.parents):
            return
        busy = True
        try:
            act(event, path)
        finally:
            busy = False

    sys.addaudithook(hook)


def watch(folder: Path, last: int, half: bool, seen: list[str]) -> None:
    """From now on this process dies at its change number `last` below the folder."""

    def count(event: str, path: Path) -> None:
        seen.append(event)
        if len(seen) > last:
            if half and event == "open":
                write_half(path)
            os.kill(os.getpid(), signal.SIGKILL)

    before_each(folder, count)


def write_half(path: Path) -> None:
    with suppress(OSError):  # a temporary file has the folder's name
        path.unlink(missing_ok=True)  # another name of the same file keeps what it has
        path.write_bytes(b"half a fi")


def picture(folder: Path, into: Path) -> None:
    """From now on a picture of the folder is kept before each change in it: what a kill of all
    processes would leave there. Where a file is opened for writing there is a second one, with half
    of it written. They are folders of `into`, named so that they sort by time.
    """

    def keep(event: str, path: Path) -> None:
        now = into / f"{time.monotonic_ns():020}-{os.getpid()}-{event}"
        copied(folder, now, into / "files")
        if event == "open":
            half = now.with_name(f"{now.name}-half")
            copied(folder, half, into / "files")
            write_half(half / path.relative_to(folder))

    before_each(folder, keep)


def copied(folder: Path, to: Path, store: Path) -> None:
    """A copy of a folder. Of a file that is as it was in the copy before, it is the same file."""
    store.mkdir(parents=True, exist_ok=True)
    for here, _, names in os.walk(folder):
        there = to / Path(here).relative_to(folder)
        there.mkdir(parents=True, exist_ok=True)
        for name in names:
            with suppress(FileNotFoundError):  # another process takes it away meanwhile
                path = Path(here, name)
                found = path.stat()
                kept = store / f"{found.st_ino}-{found.st_mtime_ns}-{found.st_size}"
                if not kept.exists():
                    shutil.copy2(path, kept)
                os.link(kept, there / name)


def place(event: str, arguments: tuple) -> Path | None:
    """The file that an event is about."""
    path = arguments[0]
    if isinstance(path, int) or path is None:
        return None
    path = os.fsdecode(path)
    folders = {"os.remove": 1, "os.rmdir": 1, "os.mkdir": 2, "os.rename": 2, "os.link": 2}
    at = arguments[folders[event]] if event in folders else -1
    if isinstance(at, int) and at >= 0:
        path = os.path.join(os.readlink(f"/proc/self/fd/{at}"), path)
    return Path(os.path.abspath(path))


def whole(folder: Path) -> str:
    """The hash of a report that is whole."""
    made = json.loads((folder / "manifest.json").read_text())
    for name, sha256 in made["outputs"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha256, name
    return hashlib.sha256(json.dumps(made["outputs"]).encode()).hexdigest()


def left_over(home: Path) -> list[str]:
    """Hidden names in a folder of reports that are none of reportkit's own state."""
    state = home / STATE
    unknown = [n for n in os.listdir(state) if n not in KEPT] if state.is_dir() else []
    work = os.listdir(state / "work") if (state / "work").is_dir() else []
    hidden = [p.name for p in home.rglob(".*") if STATE not in p.parts]
    return unknown + work + hidden


def killed(action: Callable[[], object], folder: Path, last: int, half: bool = False) -> list[str]:
    """Runs the action in a process of its own that is killed at a change; returns the changes that
    it made where it came to its end, and nothing where it was killed.
    """
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        seen: list[str] = []
        watch(folder.resolve(), last, half, seen)
        status = 1
        try:
            action()
            os.write(tell, json.dumps(seen).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(tell)
    with os.fdopen(told) as stream:
        seen_by_child = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return []
    assert status == 0, "the action failed by itself"
    return json.loads(seen_by_child)


def every_kill(
    action: Callable[[], object], folder: Path, before: Callable[[], object], step: int = 1
) -> Iterator[str]:
    """Kills the action at its first change, at its second and so on (step: each so many), until it
    comes to its end; `before` makes the state that each begins with. Yields a name for each kill,
    and at the end the changes of the whole.
    """
    before()
    events = killed(action, folder, 10_000)
    for last in range(0, 10_000, step):
        opens = last >= len(events) or events[last] == "open"
        for half in (False, True) if opens else (False,):
            before()
            changes = killed(action, folder, last, half)
            if changes:
                yield " ".join(changes)
                return
            yield f"{last} {'half' if half else 'before'}"
