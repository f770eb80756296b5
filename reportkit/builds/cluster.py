"""Reports made by the workers of a dask.distributed cluster. Their files come back as bytes, and
are put in place here, as those of a local build are.

The rows go with the job, unless the workers see the folder of the build, on a file system that they
share. A worker that dies is dask's to notice: it gives the job to another one. Who dies twice over
one report has probably too little memory for it, and the report fails.
"""

import asyncio
import json
import logging
import os
import pickle
import signal
import threading
import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from reportkit.builds.job import Job
from reportkit.builds.run import run, unasked
from reportkit.builds.worker import (
    Made,
    Parcel,
    difference,
    made_here,
    make,
    read_files,
    seal_of,
    write_files,
)
from reportkit.errors import ClusterError, MissingPackageError, NotebookError, add_extra

CONNECT = 20.0  # seconds in which a scheduler answers
LOOK = 0.05  # seconds between two looks at the jobs
ASK = 2.0  # seconds between two questions whether there are workers
MOST = 2**28  # bytes of jobs on the way at once: the scheduler holds them in memory
TRIES = 2  # workers that may die over a report
DIED_TWICE = "its worker died twice; perhaps the machines ran out of memory"


@contextmanager
def on_cluster(address: str, jobs: int | None) -> Iterator[Any]:
    """What runs jobs on the cluster of a scheduler: of an address, or of a scheduler file that ends
    with .json. Without an address it is the current dask client's, or that of dask's configuration
    (DASK_SCHEDULER_ADDRESS), or one of so many workers on this machine.

    MissingPackageError without dask, ClusterError where no scheduler answers, or where its workers
    would not make the same bytes.
    """
    with ExitStack() as stack, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dask's own versions; ours are compared below
        client = _client(address, jobs, stack)
        _check_workers(client, address)
        yield partial(_run_all, client)


def _client(address: str, jobs: int | None, stack: ExitStack) -> Any:
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingPackageError(
            f"--executor dask needs dask.distributed; {add_extra('dask')}"
        ) from None

    if not address:
        with suppress(ValueError):
            return Client.current()
        configured = dask.config.get("scheduler-address", None)
        address = configured or dask.config.get("scheduler-file", None) or ""
    if not address:
        with _without_interrupts():  # of Ctrl-C the workers hear from us
            cluster = LocalCluster(
                n_workers=jobs or unasked(),
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs="CRITICAL",
            )
        return stack.enter_context(Client(stack.enter_context(cluster)))
    if address.endswith(".json"):
        address = _address_in(address)
    elif "://" not in address:
        address = f"tcp://{address}"
    stack.enter_context(_quiet())
    try:
        with ThreadPoolExecutor(1) as pool:  # in a notebook this thread has a loop that runs
            pool.submit(asyncio.run, _answers(address)).result()
        return stack.enter_context(Client(address, timeout=CONNECT, set_as_default=False))
    except Exception as error:  # what a network and dask's own checks of an address raise
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ClusterError(
            f"--executor dask:{address}: no dask scheduler answers there ({first}); check the "
            "address, and that the scheduler runs"
        ) from None


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes that are started in here do not hear of Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _address_in(path: str) -> str:
    """The address that a scheduler has written into its file."""
    try:
        return str(json.loads(Path(path).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        why = getattr(error, "strerror", None) or "not as a scheduler writes it"
        raise ClusterError(
            f"{path}: no scheduler file ({why}); start the scheduler with --scheduler-file {path}"
        ) from None


async def _answers(address: str) -> None:
    """Raises where no scheduler answers. A client of dask that meets something else at the address
    takes a minute to give up, and ends with a traceback.
    """
    from distributed import rpc
    from distributed.comm import parse_address
    from distributed.comm.addressing import get_address_host_port
    from distributed.security import Security

    get_address_host_port(address, strict=True)
    security = Security().get_connection_args("client")
    if parse_address(address)[0] == "tls" and security.get("ssl_context") is None:
        raise ValueError("dask's configuration names no certificates (distributed.comm.tls)")
    async with rpc(address, timeout=CONNECT, connection_args=security) as scheduler:
        try:
            told = await asyncio.wait_for(scheduler.identity(), CONNECT)
        except MemoryError:  # the first bytes are taken for a length
            raise ValueError("what answers speaks another language") from None
    if told.get("type") != "Scheduler":
        raise ValueError(f"a {told.get('type')} answers, which is no scheduler")


@contextmanager
def _quiet() -> Iterator[None]:
    """dask's own lines about what goes wrong are left out: our sentence says it."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _check_workers(client: Any, address: str) -> None:
    """ClusterError where a worker would make other bytes. One that comes later says it itself."""
    ours = made_here()
    place = f"--executor dask{':' * bool(address)}{address}"
    missing = f"{place}: a worker has no reportkit that works; install {ours['reportkit']} there"
    told = client.get_versions(packages=["reportkit"])["workers"]
    for worker in told.values():
        found = worker["packages"].get("reportkit")
        if found is None:
            raise ClusterError(missing)
        differs = difference({"reportkit": found}, {"reportkit": ours["reportkit"]})
        if differs:
            raise ClusterError(f"{place}: {differs}")
    for theirs in client.run(made_here, on_error="return").values():
        if isinstance(theirs, Exception):
            raise ClusterError(missing)
        differs = difference(theirs, ours)
        if differs:
            raise ClusterError(f"{place}: {differs}")


@dataclass(slots=True)
class _Flight:
    """A job on its way. sent: how often."""

    number: int
    job: Job
    future: Any = None
    size: int = 0
    sent: int = 0


def _run_all(client: Any, plan: Sequence[Job]) -> Iterator[tuple[Job, str | None]]:
    """Runs the jobs on the cluster. Yields each when it ends, with its problem or None."""
    if not plan:
        return
    at_work = _AtWork(client, plan)
    client.subscribe_topic(at_work.topic, at_work.has_begun)
    try:
        yield from at_work.ended()
    finally:  # also where an interrupt ends it
        at_work.cancel()


class _AtWork:
    """The jobs of one build on a cluster. begun: how often a worker began each."""

    def __init__(self, client: Any, plan: Sequence[Job]):
        self.client = client
        self.waiting = deque(_Flight(k, job) for k, job in enumerate(plan))
        self.flying: list[_Flight] = []
        self.begun: Counter[int] = Counter()
        self.topic = f"reportkit-{uuid.uuid4().hex}"
        self.limit = plan[0].output.time_limit
        self.made_with = made_here()
        self.shared = _is_shared(client, plan[0])

    def has_begun(self, event: tuple[Any, int]) -> None:
        self.begun[event[1]] += 1

    def ended(self) -> Iterator[tuple[Job, str | None]]:
        asked = last = time.monotonic()
        while self.waiting or self.flying:
            self._send()
            landed = [f for f in self.flying if self._has_landed(f)]
            for flight in landed:
                self.flying.remove(flight)
                made = self._made(flight)
                if made is None:
                    self.waiting.appendleft(flight)
                else:
                    yield flight.job, run(flight.job, partial(_put, made))
            now = time.monotonic()
            if now - asked > ASK:
                asked = now
                last = now if self._has_workers() else last
                if self.limit and now - last > self.limit:
                    yield from self._give_up()
            if not landed:
                time.sleep(LOOK)

    def _send(self) -> None:
        """Sends jobs, as many as the scheduler may hold."""
        while self.waiting:
            full = sum(f.size for f in self.flying) > MOST
            if full and self.flying:
                return
            flight = self.waiting.popleft()
            parcel = self._parcel(flight)
            flight.size, flight.sent = parcel.size, flight.sent + 1
            name = f"reportkit-{uuid.uuid4().hex}"
            flight.future = self.client.submit(make, parcel, self.topic, key=name, pure=False)
            self.flying.append(flight)

    def _parcel(self, flight: _Flight) -> Parcel:
        job = flight.job
        return Parcel(
            number=flight.number,
            job=pickle.dumps(replace(job, handover=os.path.abspath(job.handover))),
            notebook=Path(job.notebook).read_bytes(),
            files=None if self.shared else _handed(job),
            seal=seal_of(job.handover),
            folder=os.getcwd(),
            made_with=self.made_with,
        )

    def _has_landed(self, flight: _Flight) -> bool:
        if self.begun[flight.number] > TRIES:  # dask would go on, on one worker after the other
            return True
        return bool(flight.future.status != "pending")

    def _made(self, flight: _Flight) -> Made | None:
        """What became of a job; None: it is to be sent again."""
        future, begun = flight.future, self.begun[flight.number]
        if begun > TRIES:
            self.client.cancel([future], force=True)
            return Made(problem=DIED_TWICE)
        if future.status == "finished":
            return self._finished(flight, future.result(timeout=CONNECT))
        if future.status in ("cancelled", "lost"):
            return Made(problem="the cluster is gone: its scheduler has closed the connection")
        error = future.exception(timeout=CONNECT)
        if type(error).__name__ != "KilledWorker":
            return Made(problem=f"a worker could not begin it: {type(error).__name__}: {error}")
        # Too many workers died for dask; of those that did not die over this one, it knows nothing.
        if begun < TRIES and flight.sent <= TRIES:
            return None
        return Made(problem=DIED_TWICE)

    def _finished(self, flight: _Flight, made: Made) -> Made | None:
        if made.unseen and self.shared:
            self.shared = False
            return None
        if made.died and self.begun[flight.number] < TRIES:
            return None
        return made

    def _has_workers(self) -> bool:
        try:
            return bool(self.client.nthreads())
        except Exception:  # the scheduler is gone, of which each job hears by itself
            return True

    def _give_up(self) -> Iterator[tuple[Job, str | None]]:
        left = [*self.flying, *self.waiting]
        self.cancel()
        self.flying, self.waiting = [], deque()
        for flight in left:
            yield flight.job, f"no worker came within {self.limit:g} seconds (--time-limit)"

    def cancel(self) -> None:
        with suppress(Exception):  # a scheduler that is gone makes nothing any more
            self.client.cancel([f.future for f in self.flying], force=True)


def _put(made: Made, _job: Job, folder: Path) -> None:
    """Writes what came back, a notebook that failed too. NotebookError with its problem."""
    write_files(made.files, folder)
    if made.problem:
        raise NotebookError(made.problem)


def _is_shared(client: Any, job: Job) -> bool:
    """Whether all workers see the folder of what a job's notebook is handed."""
    handover = os.path.abspath(job.handover)
    seen = client.run(seal_of, handover).values()
    return bool(seen) and {*seen} == {seal_of(handover)}


def _handed(job: Job) -> dict[str, bytes]:
    """What a job's notebook is handed; of a suite that of its evals too."""
    root, own = Path(job.handover).parent, Path(job.handover).name
    names = dict.fromkeys([own, *(e.folder for e in job.each)])
    return {
        f"{name}/{path}": data for name in names for path, data in read_files(root / name).items()
    }
