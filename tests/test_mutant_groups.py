"""Each module of stats, analysis, tables and text has tests that answer for its mutants."""

from support.benchmarks import benchmark
from support.places import ROOT

groups = benchmark("mutant_groups")


def test_every_module_with_functions_is_in_one_group():
    assert groups.modules_with_functions() == set(groups.MODULES)
    assert len(set(groups.MODULES)) == len(groups.MODULES)


def test_the_tests_of_each_group_are_there():
    tests = {test for group in groups.GROUPS.values() for test in group.tests}
    assert [test for test in tests if not (ROOT / test).exists()] == []
