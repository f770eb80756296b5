"""Processes that are killed at one of their writes, renames or removals: at each of them in turn.

Python raises an audit event before each; the process kills itself (SIGKILL) in the k-th. Of a file
that is opened for writing there are two ends: before it is opened, and when half of it is written.
"""

import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

CHANGES = {
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "reportkit.exchange",
}  # fmt: skip
FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def watch(folder: Path, last: int, half: bool, seen: list[str]) -> None:
    """From now on this process dies at its change number `last` below the folder."""
    busy = False

    def hook(event: str, arguments: tuple) -> None:
        nonlocal busy
        if busy or not (event in CHANGES or event == "open" and arguments[2] & FLAGS):
            return
        path = place(event, arguments)
        if path is None or folder not in (path, *path.parents):
            return
        seen.append(event)
        if len(seen) <= last:
            return
        busy = True
        if half and event == "open":
            with suppress(OSError):  # a temporary file has the folder's name
                path.write_bytes(b"half a fi")
        os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


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
    for last in range(0, 10_000, step):
        for half in (False, True):
            before()
            changes = killed(action, folder, last, half)
            if changes:
                yield " ".join(changes)
                return
            yield f"{last} {'half' if half else 'before'}"
