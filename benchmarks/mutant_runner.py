"""Runs the mutants of a group of modules: imports the code and its tests once, then forks.

    python benchmarks/mutant_runner.py PLAN.json    in a folder that mutants.py has prepared

The modules of the folder hold all their mutants, as mutmut writes them; a name chooses the one that
runs. One child sees which tests reach which function and how long they take; then each mutant has a
child of its own, which runs the tests that reach it, quickest first, until one fails. A number in a
constant of a module is changed before the modules are imported, so its child collects tests anew.
"""

import functools
import gc
import json
import math
import os
import pickle
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import mutmut.mutation.trampoline as trampoline
import pytest

SURVIVED, KILLED, TIMEOUT, NO_TESTS = "survived", "killed", "timeout", "no tests"
OUT_OF_TIME, DIED = None, False  # what a child leaves that says nothing
SPARE = 10.0  # seconds beyond three times what its tests take, until a mutant has run out of time
MEMORY = 8 << 30  # bytes of addresses that a mutant may take


@dataclass(frozen=True, slots=True)
class Seen:
    """What the tests do without a mutant: seconds of each, and functions that each one reaches."""

    seconds: dict[str, float]
    reached: dict[str, set[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    status: str
    by: str = ""
    tests: int = 0


@dataclass(slots=True, eq=False)
class Hits:
    """Functions that ran, by test; a fixture that tests share counts for each of them."""

    now: set[str] = field(default_factory=set)
    of_fixture: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, name: str, caller: str | None = None) -> None:
        self.now.add(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        before, self.now = self.now, set()
        try:
            return (yield)
        finally:
            self.of_fixture[id(fixturedef)] |= self.now
            self.now |= before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            print(f"\nfails without a mutant, left out: {report.longreprtext}", flush=True)


@dataclass(slots=True, eq=False)
class Forking:
    """Takes the place of pytest's own loop over the tests that it has collected."""

    plan: dict[str, Any]
    killers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "__mutmut_" not in item.nodeid]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        answer = in_child(lambda: watched(session))
        assert isinstance(answer, tuple), "the tests do not run without a mutant; see the log"
        seen = Seen(*answer)
        keep(self.plan["seen"], seen.seconds)
        items = {item.nodeid: item for item in session.items}
        gc.freeze()  # a child that collects garbage would copy all that it shares with this process
        for name, results in self.plan["mutants"]:
            add(results, self.outcome(name, seen, items, session))
        return True

    def outcome(
        self, name: str, seen: Seen, items: dict[str, pytest.Item], session: pytest.Session
    ) -> Outcome:
        function = name.rpartition("__mutmut_")[0]
        chosen = in_order(seen, function, self.killers[function], self.plan)
        if not chosen:
            return Outcome(name, NO_TESTS)
        trampoline.set_mutant_under_test(name)
        allowed = SPARE + 3.0 * sum(seen.seconds[test] for test in chosen)
        by = in_child(lambda: first_failing(session, [items[t] for t in chosen]), allowed)
        trampoline.set_mutant_under_test("")
        if by == "":
            return Outcome(name, SURVIVED, "", len(chosen))
        if by is OUT_OF_TIME:
            return Outcome(name, TIMEOUT, "", len(chosen))
        if by is DIED:
            return Outcome(name, KILLED, "the process died", len(chosen))
        self.killers[function] = [by, *(k for k in self.killers[function] if k != by)]
        return Outcome(name, KILLED, by, len(chosen))


def in_order(seen: Seen, function: str, killers: list[str], limits: dict[str, float]) -> list[str]:
    """The tests of a function: those that have killed before, then file by file, quickest first.

    limits: in seconds, the longest test that is run, and at_most all of a mutant.
    """
    quick = [t for t, s in seen.seconds.items() if s <= limits["longest"]]
    tests = [t for t in quick if function in seen.reached[t]]
    by_file = defaultdict(list)
    for test in sorted(tests, key=lambda t: seen.seconds[t]):
        by_file[test.partition("::")[0]].append(test)
    files = sorted(by_file.values(), key=lambda held: sum(seen.seconds[t] for t in held))
    ordered = killers[:5] + [t for held in files for t in held if t not in killers[:5]]
    chosen, total = [], 0.0
    for test in ordered:
        total += seen.seconds[test]
        if total <= limits["at_most"]:
            chosen.append(test)
    return chosen


def watched(session: pytest.Session) -> tuple[dict[str, float], dict[str, set[str]]]:
    """What Seen holds, from one run of every test; a test that fails here is left out. No record of
    this module: a test may put another in the place of __main__, and pickle would not find it.
    """
    hits = Hits()
    session.config.pluginmanager.register(hits)
    trampoline.record_trampoline_hit = hits.add
    trampoline.set_mutant_under_test("stats")
    seconds, reached_by = {}, {}
    caches = caches_of_ours()
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        for cache in caches:
            cache.cache_clear()
        failed, started = session.testsfailed, time.process_time()  # others may use the machine
        hits.now = set()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        reached = set(hits.now)
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            for definition in definitions:
                reached |= hits.of_fixture[id(definition)]
        if session.testsfailed > failed:
            continue
        seconds[item.nodeid] = time.process_time() - started
        reached_by[item.nodeid] = reached
    return seconds, reached_by


def caches_of_ours() -> list[Any]:
    """Functions that keep their answers: else only the first test would reach what they call."""
    held = [o for o in gc.get_objects() if isinstance(o, functools._lru_cache_wrapper)]
    return [o for o in held if (o.__module__ or "").partition(".")[0] in ("reportkit", "support")]


def first_failing(session: pytest.Session, items: list[pytest.Item]) -> str:
    """The name of the first test that fails, else an empty one."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return item.nodeid
    return ""


def in_child(work: Callable[[], Any], seconds: float = 0.0) -> Any:
    """What work returns in a process of its own, or what became of that process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = 1
        try:
            if seconds:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_REAL, seconds)
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            answer = pickle.dumps(work())
            with os.fdopen(write, "wb") as pipe:
                pipe.write(answer)
            status = 0
        except BaseException as error:
            print(f"\nthe child stopped: {error!r}", file=sys.stderr, flush=True)
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return OUT_OF_TIME
    if status != 0 or not answer:
        return DIED
    return pickle.loads(answer)


def add(results: str, outcome: Outcome) -> None:
    with Path(results).open("a") as out:
        print(json.dumps(asdict(outcome)), file=out)


def keep(place: str, seconds: dict[str, float]) -> None:
    path = Path(place)
    path.write_text(json.dumps(seconds))


@dataclass(slots=True, eq=False)
class Chosen:
    """Runs the tests that were quick without a mutant, quickest first, until one fails."""

    seconds: dict[str, float]
    longest: float

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [i for i in items if self.seconds.get(i.nodeid, math.inf) <= self.longest]


@contextmanager
def text_of(path: Path, text: str) -> Iterator[None]:
    before = path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def run_constants(plan: dict[str, Any]) -> None:
    """Each changed constant in a child that imports the code, and the tests, with it."""
    import hypothesis  # noqa: F401  what every child imports
    import pandas  # noqa: F401
    import scipy.stats  # noqa: F401

    seconds = json.loads(Path(plan["seen"]).read_text())
    for mutant in plan["constants"]:
        with text_of(Path(mutant["path"]), mutant["text"]):
            arguments = [*plan["arguments"], "-x"]
            status = in_child(
                lambda a=arguments: pytest.main(a, [Chosen(seconds, plan["longest"])]), 600.0
            )
        add(mutant["out"], Outcome(mutant["name"], of_run(status)))


def of_run(status: Any) -> str:
    if status is OUT_OF_TIME:
        return TIMEOUT
    if status == pytest.ExitCode.OK and status is not DIED:
        return SURVIVED
    return KILLED


def main() -> int:
    plan = json.loads(Path(sys.argv[1]).read_text())
    if plan["constants"]:
        run_constants(plan)
        return 0
    return pytest.main(plan["arguments"], [Forking(plan)])


if __name__ == "__main__":
    sys.exit(main())
