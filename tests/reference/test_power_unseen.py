"""The figures of benchmarks/power.md and docs/statistics.md on what no report can know."""

import pytest
from scipy import stats
from support.benchmarks import benchmark
from support.places import ROOT


@pytest.fixture(scope="module")
def unseen():
    return benchmark("power_unseen")


@pytest.fixture(scope="module")
def rows(unseen):
    return unseen.rows()


def test_the_page_has_what_the_script_prints(rows):
    page = (ROOT / "benchmarks" / "power.md").read_text()
    assert len(rows) == 8
    for row in rows:
        assert "| " + " | ".join(row) + " |" in page


def test_a_detectable_difference_has_its_power_at_the_correlation_observed(rows):
    """Exact sums over all tables of right and wrong; the other ways are those of the docs."""
    powers = [[float(cell) for cell in row[4:]] for row in rows]
    as_observed, any_right, shared, fewer = zip(*powers, strict=True)
    assert min(as_observed) >= 0.80 and max(as_observed) <= 0.82
    assert round(min(any_right), 2) == 0.70 and round(max(any_right), 2) == 0.76
    assert round(min(shared), 2) == 0.67 and round(max(shared), 2) == 0.74
    assert round(min(fewer), 2) == 0.82 and max(fewer) > 0.99


def test_the_four_ways_are_the_same_while_the_models_are_equal(unseen):
    for p10, p01 in unseen.falls(0.8, 0.2, 0.0).values():
        assert p10 == pytest.approx(0.1) and p01 == pytest.approx(0.1)


def test_powers_are_those_of_scipy(unseen):
    """Of 20 questions only one model wins some, each with .3: significant from 4 on."""
    assert unseen.power(20, 0.3, 0.0) == pytest.approx(stats.binom.sf(3, 20, 0.3))
