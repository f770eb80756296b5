"""What an interrupt (Ctrl-C) or SIGTERM does: before a command has begun, the process ends with
nothing to show; from then on it is Python's KeyboardInterrupt, which the command tells of. A
process that waits for work from another one begins none of it any more.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

STATUS = 130  # as shells give it


def _leave(*_: object) -> None:
    os._exit(STATUS)


def leave_at_once() -> None:
    """While modules are imported. Where whoever started us has interrupts ignored, they stay so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _leave)


def raise_again() -> None:
    """When a command begins, which has something to clean up and to say."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, end)
    if signal.getsignal(signal.SIGTERM) is _leave:
        signal.signal(signal.SIGTERM, _end_all)


def end(*_: object) -> None:
    """Raises KeyboardInterrupt. What libraries log while their work is taken from them is nothing
    that a user could act on.
    """
    logging = sys.modules.get("logging")  # else there is none
    if logging:
        logging.disable(logging.CRITICAL)
    raise KeyboardInterrupt


def _end_all(*_: object) -> None:
    """A terminal sends an interrupt to every process, a scheduler its SIGTERM perhaps to this one
    alone. A second one would end what the first has to clean up.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    multiprocessing = sys.modules.get("multiprocessing")  # else there are none
    for worker in multiprocessing.active_children() if multiprocessing else ():
        worker.terminate()
    end()


_heard = False  # by a process that waits for work
_working = False


def _hear(*_: object) -> None:
    global _heard
    _heard = True


def _end_work(*_: object) -> None:
    """SIGTERM, to a process that waits for work or has some."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _hear()
    if _working:
        end()


@contextmanager
def held() -> Iterator[None]:
    """In here an interrupt waits; in a process that is started in here, until `wait_for_work`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def wait_for_work() -> None:
    """From now on an interrupt is only remembered."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _hear)
    signal.signal(signal.SIGTERM, _end_work)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


@contextmanager
def at_work() -> Iterator[None]:
    """A piece of work, which an interrupt ends; after an interrupt there is no further one."""
    global _heard, _working
    waits = signal.getsignal(signal.SIGINT) is _hear
    try:
        _working = True
        if _heard:
            raise KeyboardInterrupt
        if waits:
            signal.signal(signal.SIGINT, end)
        yield
    except KeyboardInterrupt:
        _heard = _heard or waits
        raise
    finally:
        _working = False
        if waits:
            signal.signal(signal.SIGINT, _hear)
