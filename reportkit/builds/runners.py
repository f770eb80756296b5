"""Where the reports of a build are made: on this machine, or on a cluster.

A new place is a module with a function like `run.on_this_machine`, and a line in EXECUTORS.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from reportkit.builds.cluster import on_cluster
from reportkit.builds.job import Job, Output
from reportkit.builds.run import run_all
from reportkit.errors import UnknownNameError, did_you_mean

# Yields each job when it ends, with its problem or None.
RunAll = Callable[[Sequence[Job]], Iterator[tuple[Job, str | None]]]
# Takes the address that follows the name and a colon, and how many reports are made at once.
Executor = Callable[[str, int | None], AbstractContextManager[RunAll]]


@contextmanager
def _on_this_machine(_address: str, jobs: int | None) -> Iterator[RunAll]:
    yield partial(run_all, jobs=jobs)


EXECUTORS: dict[str, Executor] = {"local": _on_this_machine, "dask": on_cluster}
WITH_ADDRESS = ("dask",)


def check_executor(executor: str) -> None:
    """UnknownNameError where nothing is called so.

    >>> check_executor("dask:10.0.0.5:8786")
    >>> check_executor("dusk")
    Traceback (most recent call last):
        ...
    reportkit.errors.UnknownNameError: no executor 'dusk'; did you mean 'dask'?
    """
    name, colon, address = executor.partition(":")
    if name not in EXECUTORS:
        raise UnknownNameError(f"no executor {name!r}{did_you_mean(name, EXECUTORS)}")
    if colon and name not in WITH_ADDRESS:
        raise UnknownNameError(
            f"--executor {executor}: {name} takes no address; give --executor {name}"
        )
    if colon and not address.strip():
        raise UnknownNameError(
            f"--executor {executor}: the address is missing; give that of the scheduler, such as "
            f"--executor {name}:tcp://10.0.0.5:8786"
        )


def runner(output: Output) -> AbstractContextManager[RunAll]:
    """What runs the jobs of a build, from its begin to its end. ReportkitError where there is no
    such place.
    """
    name, _, address = output.executor.partition(":")
    return EXECUTORS[name](address, output.jobs)
