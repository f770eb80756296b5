"""Each module of stats, analysis, tables and text has tests that answer for its mutants."""

import importlib.util

from tests.support.places import ROOT


def groups():
    path = ROOT / "benchmarks" / "mutant_groups.py"
    spec = importlib.util.spec_from_file_location("mutant_groups", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_module_with_functions_is_in_one_group():
    found = groups()
    assert found.modules_with_functions() == set(found.MODULES)
    assert len(set(found.MODULES)) == len(found.MODULES)


def test_the_tests_of_each_group_are_there():
    tests = {test for group in groups().GROUPS.values() for test in group.tests}
    assert [test for test in tests if not (ROOT / test).exists()] == []
