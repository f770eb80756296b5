"""The process that kernels are forked from: `python server.py LISTENER ALIVE [MODULE ...]`, with
the numbers of two sockets. It is run as a file, knows no option, and ends when ALIVE is closed.

It has one thread and has done imports, nothing else: a fork copies the one thread that asks for it,
and would leave the locks of others locked for ever. A client connects, sends one line and gets one:

    {"argv": [...], "env": {...}}   ──►   {"pid": 12}  or  {"refused": "why"}

and, when the kernel has ended, {"status": 0}. Its process id is nobody else's until the client
closes the connection; a kernel that lives then is killed with its process group.
"""

import sys

if __name__ == "__main__":
    del sys.path[0]  # the folder of this file: its modules are none of a notebook's

import atexit
import ctypes
import gc
import importlib
import importlib.util
import json
import os
import selectors
import shutil
import signal
import socket
import threading
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, NoReturn

# What a kernel imports before its first cell, as far as this ipykernel has it.
KERNEL = (
    "ipykernel.kernelapp",
    "ipykernel.debugger",
    "ipykernel.zmqshell",
    "IPython.core.completerlib",
    "IPython.extensions.storemagic",
    "pdb",
    "sqlite3",
    "tornado.platform.asyncio",
)
# What every report imports sooner or later; a test compares it with what one imports.
MODULES = (
    "reportkit.report.one_eval",
    "reportkit.report.suite",
    "reportkit.figures.phones",
    "reportkit.figures.svg",
    "reportkit.loading.demo",
    "matplotlib.style",
    "PIL.BmpImagePlugin",
    "PIL.GifImagePlugin",
    "PIL.JpegImagePlugin",
    "PIL.PpmImagePlugin",
    "PIL.PngImagePlugin",
    "filelock",
    "psutil",
    "pyarrow.pandas_compat",
    "pandas.core.arrays.arrow.extension_types",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "scipy.cluster.hierarchy",
    "typst",
)
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux's prctl


def prepare(modules: tuple[str, ...]) -> dict[str, str]:
    """The imports, found where a kernel finds them: its own before the current folder counts, those
    of a notebook after. Returns what libraries put into the environment meanwhile.
    """
    before = dict(os.environ)
    for name in KERNEL:
        with suppress(ImportError):
            importlib.import_module(name)
    shellapp = importlib.import_module("IPython.core.shellapp")
    path = list(sys.path)
    shellapp.InteractiveShellApp.init_path(SimpleNamespace(ignore_cwd=False))
    # as ipykernel does it before a notebook can import matplotlib
    if not os.environ.get("MPLBACKEND"):
        os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    for name in (*MODULES, *modules):
        importlib.import_module(name)
    importlib.import_module("reportkit.text.environment").load_templates()
    sys.path[:] = path
    del os.environ["MPLBACKEND"]  # each kernel sets it itself
    return {name: value for name, value in os.environ.items() if before.get(name) != value}


def threads() -> int:
    """Threads of this process: Python's, and those that libraries have started by themselves."""
    return len(os.listdir("/proc/self/task"))


def without_threads() -> None:
    """Forks once for nothing: BLAS ends its threads before a fork and begins them again when it is
    next asked for a product, in the kernel.
    """
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


class Server:
    """Forks a kernel for each connection, and tells it of its end."""

    def __init__(self, listener: socket.socket, alive: socket.socket, env: dict[str, str]):
        self.listener, self.alive = listener, alive
        self.env = env  # what imports have put into the environment
        self.kernels: dict[socket.socket, int] = {}
        self.told: set[socket.socket] = set()
        self.woken, self.wake = socket.socketpair()
        for end in (self.woken, self.wake):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.wake.fileno(), warn_on_full_buffer=False)
        self.selector = selectors.DefaultSelector()
        for one in (listener, alive, self.woken):
            self.selector.register(one, selectors.EVENT_READ)

    def serve(self) -> None:
        """Until the process that started this one has gone, or has closed its end."""
        while True:
            for key, _ in self.selector.select():
                found: Any = key.fileobj
                if found is self.alive:
                    return
                if found is self.listener:
                    self._begin(self.listener.accept()[0])
                elif found is self.woken:
                    self.woken.recv(4096)
                elif found in self.kernels:
                    self._end(found)
            self._tell()

    def close(self) -> None:
        for connection in [*self.kernels]:
            self._end(connection)

    def _begin(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        try:
            with connection.makefile("rb") as lines:
                asked = json.loads(lines.readline())
            if (found := threads()) > 1:
                raise RuntimeError(f"{found} threads")
            pid = os.fork()
        except (OSError, ValueError, RuntimeError) as error:
            _send(connection, {"refused": str(error)})
            connection.close()
            return
        if pid == 0:
            self._become(asked["argv"], asked["env"], connection)
        os.setpgid(pid, pid)
        self.kernels[connection] = pid
        self.selector.register(connection, selectors.EVENT_READ)
        _send(connection, {"pid": pid})

    def _tell(self) -> None:
        """Of kernels that have ended; their process ids are kept until the clients have read it."""
        for connection, pid in self.kernels.items():
            if connection not in self.told:
                ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None:
                    killed = ended.si_code != os.CLD_EXITED
                    _send(connection, {"status": -ended.si_status if killed else ended.si_status})
                    self.told.add(connection)

    def _end(self, connection: socket.socket) -> None:
        """The client has closed its connection: of the kernel nothing is left."""
        pid = self.kernels.pop(connection)
        if connection not in self.told:
            os.killpg(pid, signal.SIGKILL)
        self.told.discard(connection)
        os.waitpid(pid, 0)
        self.selector.unregister(connection)
        connection.close()

    def _become(self, argv: list[str], env: dict[str, str], connection: socket.socket) -> NoReturn:
        """The child: a kernel, as its command would start it, until its end."""
        status = 1
        try:
            os.setpgid(0, 0)
            ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            # folders that imports made for want of a home: others use them too
            atexit.unregister(shutil.rmtree)
            self.selector.close()
            ours = (self.listener, self.alive, self.woken, self.wake, connection)
            for end in (*ours, *self.kernels):
                end.close()
            os.environ.clear()
            os.environ.update(self.env | env)
            if "numpy.random" in sys.modules:  # Python's own random begins anew by itself
                sys.modules["numpy.random"].seed()
            launcher = importlib.util.find_spec("ipykernel_launcher")
            sys.argv = [str(launcher and launcher.origin), *argv]
            sys.orig_argv = [sys.executable, "-m", "ipykernel_launcher", *argv]
            sys.modules["ipykernel.kernelapp"].launch_new_instance()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        finally:
            _finish(status)


def _finish(status: int) -> NoReturn:
    """The end of a process, as Python's own, without taking its modules down one by one."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _send(connection: socket.socket, answer: dict[str, Any]) -> None:
    with suppress(OSError):  # the client has gone; that its end is closed is seen next
        connection.sendall(json.dumps(answer).encode() + b"\n")


def main(listener: int, alive: int, *modules: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's; the client ends its kernels
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # ipykernel reads it when it is imported
    out, err = os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1), os.dup2(nowhere, 2)  # what libraries say of themselves is no output
    env = prepare(modules)
    os.dup2(out, 1), os.dup2(err, 2)
    for number in (out, err, nowhere):
        os.close(number)
    without_threads()
    gc.collect()
    gc.freeze()
    server = Server(socket.socket(fileno=listener), socket.socket(fileno=alive), env)
    try:
        server.serve()
    finally:
        server.close()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
