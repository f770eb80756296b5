"""Starts the process that kernels are forked from, and asks it for kernels."""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportkit.kernels import SERVER, VARIABLE

OFF = "REPORTKIT_FORK"  # the environment variable that leaves it out, where it is 0
# What may differ between two kernels: the job, and what jupyter_client tells of their parent.
_APART = {VARIABLE, "JPY_PARENT_PID", "JPY_SESSION_NAME", "PYTEST_CURRENT_TEST"}
_PATIENCE = 60.0  # seconds for the imports; a kernel that is started as everywhere takes as long


@dataclass(frozen=True, slots=True)
class Origin:
    """What a kernel begins with, and where the server that has begun with it listens."""

    python: str
    folder: str
    env: Mapping[str, str]
    address: str = ""

    def begins_as(self, other: "Origin") -> bool:
        return (
            _same_python(self.python, other.python)
            and self.folder == other.folder
            and _compared(self.env) == _compared(other.env)
        )


class Forked:
    """A forked kernel, as far as jupyter_client asks a subprocess.Popen."""

    stdin = stdout = stderr = None

    def __init__(self, connection: socket.socket, pid: int):
        self.pid = pid
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        return self._status(0.0)

    def wait(self) -> int | None:
        return self._status(None)

    def send_signal(self, signum: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, signum)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def _status(self, patience: float | None) -> int | None:
        if self.returncode is None:
            self._connection.settimeout(patience)
            try:
                self.returncode = int(_read(self._connection)["status"])
            except (BlockingIOError, TimeoutError):
                return None
            except (OSError, ValueError, LookupError):  # the server has died, and its kernels
                self.returncode = -signal.SIGKILL
            self._connection.close()
        return self.returncode


_here: Origin | None = None  # the server that this process asks
_until_the_end = ExitStack()  # holds the server of `serve`
atexit.register(_until_the_end.close)


def fork(command: Sequence[str], env: Mapping[str, str], folder: str) -> Forked | None:
    """The kernel that a command starts, forked; None where it would not be the same, or where the
    server does not answer.
    """
    if _here is None or command[1:3] != ["-m", "ipykernel_launcher"]:
        return None
    if not _here.begins_as(Origin(command[0], folder, env)):
        return None
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_PATIENCE)
    try:
        connection.connect(_here.address)
        asked = json.dumps({"argv": list(command[3:]), "env": dict(env)})
        connection.sendall(asked.encode() + b"\n")
        return Forked(connection, int(_read(connection)["pid"]))
    except (OSError, ValueError, LookupError):
        connection.close()
        return None


@contextmanager
def serving(modules: Sequence[str] = ()) -> Iterator[Origin | None]:
    """The server of this process, until the end of the block; None where the system cannot fork a
    kernel. It does its imports meanwhile. modules: to import beside those of every report.
    """
    global _here
    if _here is not None or not _can():
        yield _here
        return
    folder = tempfile.mkdtemp(prefix="reportkit-")
    try:
        with _started(Path(folder, "kernels"), modules) as origin:
            _here = origin
            yield origin
    finally:
        _here = None
        shutil.rmtree(folder, ignore_errors=True)


def serve(modules: Sequence[str] = ()) -> None:
    """The server of this process until its end; another one, where kernels now begin otherwise."""
    if _here is None or not _here.begins_as(Origin(sys.executable, os.getcwd(), os.environ)):
        _until_the_end.close()
        _until_the_end.enter_context(serving(modules))


def lost() -> bool:
    """Whether the server of this process has died, and the kernels with it."""
    if _here is None:
        return False
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(_here.address) != 0


def join(origin: Origin | None) -> None:
    """This process asks the server that another has started."""
    global _here
    _here = origin


@contextmanager
def _started(address: Path, modules: Sequence[str]) -> Iterator[Origin | None]:
    env = dict(os.environ)
    # Arrow's own memory manager would begin a thread
    own = {"JE_ARROW_MALLOC_CONF": "background_thread:false"} | env
    ours, theirs = socket.socketpair()
    with ours, socket.socket(socket.AF_UNIX) as listener:
        with theirs:
            try:
                listener.bind(os.fspath(address))
                listener.listen(64)
                process = subprocess.Popen(
                    [sys.executable, SERVER, *map(str, (listener.fileno(), theirs.fileno())),
                     *modules],
                    env=own, stdin=subprocess.DEVNULL, start_new_session=True,
                    pass_fds=(listener.fileno(), theirs.fileno()),
                )  # fmt: skip
            except OSError:  # a path too long for an address, no more processes
                yield None
                return
        listener.close()
        try:
            yield Origin(sys.executable, os.getcwd(), env, os.fspath(address))
        finally:
            ours.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _can() -> bool:
    return sys.platform == "linux" and os.environ.get(OFF) != "0"


def _compared(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name not in _APART}


def _same_python(one: str, other: str) -> bool:
    if one == other:
        return True
    with suppress(OSError):
        return os.path.dirname(one) == os.path.dirname(other) and os.path.samefile(one, other)
    return False


def _read(connection: socket.socket) -> Any:
    """The next line; each is short and written at once."""
    line = b""
    while not line.endswith(b"\n"):
        found = connection.recv(4096)
        if not found:
            raise ConnectionError("closed")
        line += found
    return json.loads(line)
