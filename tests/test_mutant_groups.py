"""Each module with numbers has tests that answer for its mutants; a constant is changed in every
place that holds it, and in no other.
"""

import importlib
import sys

import pytest
from support.benchmarks import benchmark
from support.places import ROOT

groups = benchmark("mutant_groups")


def test_every_module_with_functions_is_in_one_group():
    assert groups.modules_with_functions() == set(groups.MODULES)
    assert len(set(groups.MODULES)) == len(groups.MODULES)


def test_the_tests_of_each_group_are_there():
    tests = {test for group in groups.GROUPS.values() for test in group.tests}
    assert [test for test in tests if not (ROOT / test).exists()] == []


@pytest.mark.parametrize("folder", ["stats", "analysis"])
def test_the_tests_of_numbers_are_named(folder):
    """The tests of a whole folder are too many for what one mutant may take."""
    named = {test for group in groups.GROUPS.values() for test in group.tests}
    there = (ROOT / "tests" / folder).glob("test_*.py")
    assert [t.name for t in there if t.relative_to(ROOT).as_posix() not in named] == []


def test_a_constant_is_changed_where_it_is_held_and_nowhere_else(tmp_path, monkeypatch):
    """test_held sets ENDS = 3 and WIDE = 2.5; one module imports ENDS, the other has 3 of its own,
    which is the same object. A method that a module names has defaults which cannot be set.
    """
    pytest.importorskip("mutmut")
    runner = benchmark("mutant_runner")
    texts = {
        "held": "ENDS = 3\nWIDE = 2.5\ndef told(a=WIDE, *, b=WIDE): return ENDS, WIDE, a, b\n",
        "user": "from test_held import ENDS\nclass A:\n def f(self, k=1): return k\nf = A().f\n",
        "other": "ENDS = 3\n",
    }
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in texts.items():
        (tmp_path / f"test_{name}.py").write_text(text)
    held, user, other = (importlib.import_module(f"test_{name}") for name in texts)
    try:
        for text in ("ENDS = 4", "WIDE = 5.0"):
            runner.give("test_held", runner.statements(text, 0))
    finally:
        for name in texts:
            del sys.modules[f"test_{name}"]
    assert held.told() == (4, 5.0, 5.0, 5.0)
    assert (user.ENDS, other.ENDS) == (4, 3)


@pytest.mark.slow
def test_functions_that_are_waited_for_are_functions():
    """Without them the mutants of builds/cluster could not be made."""
    pytest.importorskip("mutmut")
    found = benchmark("mutants").functions_in("def a(): pass\nclass B:\n async def b(self): pass\n")
    assert sorted(found) == ["a", "b"]
