"""A dask cluster as it is started by hand: a scheduler and workers, each a process of its own, that
talk TCP.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.places import ROOT

WAIT = 120.0  # seconds, of which a slow machine may need some


@dataclass
class Cluster:
    address: str
    scheduler: subprocess.Popen
    workers: list[subprocess.Popen] = field(default_factory=list)

    @property
    def executor(self) -> str:
        return f"dask:{self.address}"


@contextmanager
def cluster(
    folder: Path, n_workers: int, path: str = str(ROOT), *options: str
) -> Iterator[Cluster]:
    """path: PYTHONPATH of the workers. options: of `dask worker`."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        scheduler, log = _started(
            stack, folder, str(ROOT), "dask_scheduler", "--host=127.0.0.1", "--port=0",
            "--no-dashboard",
        )  # fmt: skip
        address = _told(log, r"Scheduler at:\s+(tcp://\S+)", scheduler)
        made = Cluster(address, scheduler)
        for number in range(n_workers):
            here = folder / f"worker-{number}"
            here.mkdir(exist_ok=True)
            worker, log = _started(
                stack, here, path, "dask_worker", address, "--host=127.0.0.1", "--nthreads=1",
                "--no-dashboard", f"--local-directory={here}", *options,
            )  # fmt: skip
            made.workers.append(worker)
            _told(log, r"(Registered to:)", worker)
        yield made


def _started(
    stack: ExitStack, folder: Path, path: str, module: str, *arguments: str
) -> tuple[subprocess.Popen, Path]:
    log = folder / f"{module}.log"
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, cwd=folder, env={**os.environ, "PYTHONPATH": path}
        )
    stack.callback(_ended, process)
    return process, log


def _ended(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _told(log: Path, pattern: str, process: subprocess.Popen) -> str:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found[1]
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        time.sleep(0.1)
    raise AssertionError(f"{log} never said {pattern!r}: {log.read_text()}")
