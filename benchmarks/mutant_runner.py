"""Runs the mutants of a group of modules: imports the code and its tests once, then forks.

    python benchmarks/mutant_runner.py PLAN.json    in a folder that mutants.py has prepared

The modules of the folder hold all their mutants, as mutmut writes them; a name chooses the one that
runs. One child sees which tests reach which function and how long they take; then each mutant has a
child of its own, which runs the tests that reach it, quickest first, until one fails. A child for a
number in a constant of a module gives the modules that hold the constant its other value.
"""

import ast
import functools
import gc
import inspect
import json
import os
import pickle
import re
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import mutmut.mutation.trampoline as trampoline
import pytest

SURVIVED, KILLED, TIMEOUT, NO_TESTS = "survived", "killed", "timeout", "no tests"
OUT_OF_TIME_SIGNALS = (signal.SIGPROF, signal.SIGALRM)
OUT_OF_TIME, DIED = None, False  # what a child leaves that says nothing
SPARE = 4.0  # seconds beyond three times what its tests take, until a mutant has run out of time
ASLEEP = 10.0  # times as many by the clock on the wall, for a mutant that waits and works no more
MOST_KILLERS = 8  # tests that are asked first as they have killed before
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


class TooLong(BaseException):
    """A test has had its seconds of the processor; no test expects this error."""


def too_long(*_: Any) -> None:
    raise TooLong


@dataclass(slots=True, eq=False)
class Hits:
    """Functions that ran, by test; a fixture that tests share counts for each of them."""

    longest: float
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

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """End a test that is too long for a mutant: what it reaches is not asked for."""
        signal.setitimer(signal.ITIMER_PROF, 1.5 * self.longest)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and "TooLong" not in report.longreprtext:
            print(f"\nfails without a mutant, left out: {report.longreprtext}", flush=True)


@dataclass(slots=True, eq=False)
class Forking:
    """Takes the place of pytest's own loop over the tests that it has collected."""

    plan: dict[str, Any]
    killers: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    kills: Counter[tuple[str, str]] = field(default_factory=Counter)  # by module and test

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if "__mutmut_" not in item.nodeid]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        answer = in_child(lambda: watched(session, self.plan["longest"]))
        assert isinstance(answer, tuple), "the tests do not run without a mutant; see the log"
        seen = Seen(*answer)
        keep(self.plan["seen"], seen.seconds)
        items = {item.nodeid: item for item in session.items}
        gc.freeze()  # a child that collects garbage would copy all that it shares with this process
        for name, results in self.plan["mutants"]:
            add(results, self.outcome(name, seen, items, session))
        for constant in self.plan["constants"]:
            add(constant["out"], self.outcome_of(constant, seen, items, session))
        return True

    def outcome_of(
        self,
        constant: dict[str, Any],
        seen: Seen,
        items: dict[str, pytest.Item],
        session: pytest.Session,
    ) -> Outcome:
        """What becomes of another number in a constant of a module."""
        module, name = constant["module"], constant["name"]
        changed = statements(constant["text"], constant["place"])
        chosen = of_constant(seen, module, users(constant["text"], changed), self.plan)

        def tried() -> str:
            give(module, changed)
            return first_failing(session, [items[test] for test in chosen])

        allowed = SPARE + 3.0 * sum(seen.seconds[test] for test in chosen)
        return result(name, in_child(tried, allowed), len(chosen))

    def outcome(
        self, name: str, seen: Seen, items: dict[str, pytest.Item], session: pytest.Session
    ) -> Outcome:
        function = name.rpartition("__mutmut_")[0]
        module = function.rpartition(".")[0]
        known = [*self.killers[function]]
        known += [t for (m, t), _ in self.kills.most_common() if m == module and t not in known]
        chosen = in_order(seen, function, known, self.plan)
        if not chosen:
            return Outcome(name, NO_TESTS)
        trampoline.set_mutant_under_test(name)
        allowed = SPARE + 3.0 * sum(seen.seconds[test] for test in chosen)
        by = in_child(lambda: first_failing(session, [items[t] for t in chosen]), allowed)
        trampoline.set_mutant_under_test("")
        outcome = result(name, by, len(chosen))
        if isinstance(by, str) and by:
            self.killers[function] = [by, *(k for k in self.killers[function] if k != by)]
            self.kills[module, by] += 1
        return outcome


def result(name: str, by: Any, tests: int) -> Outcome:
    if by == "":
        return Outcome(name, SURVIVED, "", tests)
    if by is OUT_OF_TIME:
        return Outcome(name, TIMEOUT, "", tests)
    if by is DIED:
        return Outcome(name, KILLED, "the process died", tests)
    return Outcome(name, KILLED, by, tests)


def in_order(seen: Seen, function: str, killers: list[str], limits: dict[str, float]) -> list[str]:
    """The tests of a function: those that have killed before, of its own mutants and then of its
    module's; then those that are called as the function or its module is; then the quickest of each
    file, the next of each, and so on.

    limits: in seconds, the longest test that is run, and at_most all of a mutant.
    """
    quick = [t for t, s in seen.seconds.items() if s <= limits["longest"]]
    tests = [t for t in quick if function in seen.reached[t]]
    about = stems(function)
    place: dict[str, tuple[int, int, float]] = {}
    held: Counter[str] = Counter()
    for test in sorted(tests, key=lambda t: seen.seconds[t]):
        file = test.partition("::")[0]
        place[test] = -len(about & stems(test)), held[file], seen.seconds[test]
        held[file] += 1
    first = [t for t in killers if t in place][:MOST_KILLERS]
    ordered = first + [t for t in sorted(tests, key=lambda t: place[t]) if t not in first]
    chosen, total = [], 0.0
    for test in ordered:
        total += seen.seconds[test]
        if total <= limits["at_most"]:
            chosen.append(test)
    return chosen


def stems(name: str) -> set[str]:
    """How the longer words of a dotted name or of a test begin."""
    words = re.findall("[a-z]{4,}", name.lower())
    return {word[:4] for word in words} - {"repo", "test", "anal", "stat", "tabl", "text"}


def of_constant(
    seen: Seen, module: str, functions: set[str], limits: dict[str, float]
) -> list[str]:
    """The tests of a constant: of the functions that name it, else of its module, else all."""
    quick = [t for t, s in seen.seconds.items() if s <= limits["longest"]]

    def rank(test: str) -> tuple[int, float]:
        here = [f.removeprefix(f"{module}.") for f in seen.reached[test] if f.startswith(module)]
        if any(plain(name) in functions for name in here):
            return 0, seen.seconds[test]
        return 2 - bool(here), seen.seconds[test]

    chosen, total = [], 0.0
    for test in sorted(quick, key=rank):
        total += seen.seconds[test]
        if total <= limits["at_most"]:
            chosen.append(test)
    return chosen


def plain(name: str) -> str:
    """The name of a function or method as its module has it."""
    return name.rpartition("\u01c1")[2].removeprefix("x_")


def statements(text: str, place: int) -> list[ast.stmt]:
    """The statement of a module at a place, and the constants after it that name what it sets."""
    body = ast.parse(text).body
    found = [body[place]]
    names = names_in(body[place], ast.Store)
    for statement in body[place + 1 :]:
        constant = isinstance(statement, ast.Assign | ast.AnnAssign)
        if constant and names_in(statement, ast.Load) & names:
            found.append(statement)
            names |= names_in(statement, ast.Store)
    return found


def names_in(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    nodes = ast.walk(node)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, context)}


def users(text: str, changed: list[ast.stmt]) -> set[str]:
    """The functions of a module that name a constant."""
    names = set().union(*(names_in(one, ast.Store) for one in changed))
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    return {f.name for f in functions if names_in(f, ast.Load) & names}


def give(module: str, changed: list[ast.stmt]) -> None:
    """Set constants of an imported module anew, also where they are imported or defaults."""
    holder = vars(sys.modules[module])
    names = set().union(*(names_in(one, ast.Store) for one in changed))
    before = {name: holder[name] for name in names if name in holder}
    for statement in changed:
        exec(compile(ast.Module([statement], []), module, "exec"), holder)
    new = {id(old): holder[name] for name, old in before.items() if not isinstance(old, int)}
    for other in [vars(m) for m in list(sys.modules.values()) if ours(m)]:
        for name, old in before.items():
            if name in other and other[name] is old and not its_own(other, name):
                other[name] = holder[name]
        for value in filter(inspect.isfunction, list(other.values())):
            value.__defaults__ = tuple(new.get(id(d), d) for d in value.__defaults__ or ()) or None
            for key, default in (value.__kwdefaults__ or {}).items():
                value.__kwdefaults__[key] = new.get(id(default), default)


def its_own(module: dict[str, Any], name: str) -> bool:
    """Whether a module sets a name itself: 3 is the same object wherever it stands."""
    text = Path(module["__file__"]).read_text(encoding="utf-8")
    return bool(re.search(rf"^[\w, ]*\b{name}\b[\w, ]*(: [^=]+)?= ", text, re.MULTILINE))


def ours(module: Any) -> bool:
    first = getattr(module, "__name__", "").partition(".")[0]
    return first in ("reportkit", "tests", "support") or first.startswith("test_")


def watched(
    session: pytest.Session, longest: float
) -> tuple[dict[str, float], dict[str, set[str]]]:
    """What Seen holds, from one run of every test; a test that fails here is left out. No record of
    this module: a test may put another in the place of __main__, and pickle would not find it.
    """
    hits = Hits(longest)
    signal.signal(signal.SIGPROF, too_long)
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
    """What work returns in a process of its own, or what became of that process; seconds are of the
    processor.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = 1
        try:
            if seconds:
                for ends in OUT_OF_TIME_SIGNALS:
                    signal.signal(ends, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_PROF, seconds)  # others may use the machine
                signal.setitimer(signal.ITIMER_REAL, ASLEEP * seconds)
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
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in OUT_OF_TIME_SIGNALS:
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


def main() -> int:
    plan = json.loads(Path(sys.argv[1]).read_text())
    return pytest.main(plan["arguments"], [Forking(plan)])


if __name__ == "__main__":
    sys.exit(main())
