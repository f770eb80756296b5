"""Power of Newcombe's interval: the sum over both binomial laws, by the interval of a report."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from reportkit.stats.means.proportions import modified_wilson_interval
from reportkit.stats.pairs.paired import mover_ends
from reportkit.stats.planning.newcombe import MOST, newcombe_power


def counted(a, b, n_a, n_b, level):
    ends = []
    for n in (n_a, n_b):
        found = [modified_wilson_interval(k, n, level) for k in range(n + 1)]
        ends.append(np.array([(i.low, i.high) for i in found]))
    x, y = np.arange(n_a + 1)[:, None] / n_a, np.arange(n_b + 1) / n_b
    low_x, high_x = ends[0].T[:, :, None]
    low, high = mover_ends(x, low_x, high_x, y, *ends[1].T)
    first = scipy_stats.binom.pmf(np.arange(n_a + 1), n_a, a)
    return first @ ((low > 0.0) | (high < 0.0)) @ scipy_stats.binom.pmf(
        np.arange(n_b + 1), n_b, b
    )  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "n_a", "n_b", "level"),
    [(0.91, 0.95, 432, 1000, 0.95), (0.63, 0.71, 336, 1319, 0.95), (0.95, 0.89, 317, 317, 0.95),
     (0.37, 0.29, 336, 700, 0.99), (0.99, 0.95, 300, 500, 0.95), (0.7, 0.7, 300, 300, 0.9)],
)  # fmt: skip
def test_it_is_the_sum_over_both_binomial_laws(a, b, n_a, n_b, level):
    """Pairs of counts at the edge of significance are all or nothing here: to 0.005."""
    found = newcombe_power(a, b, n_a, n_b, level=level).item()
    assert found == pytest.approx(counted(a, b, n_a, n_b, level), abs=0.005)


@pytest.mark.parametrize(
    ("a", "b", "n_a", "n_b"),
    [(0.652, 0.712, 12_714, 500), (0.642, 0.712, 1210, 500), (0.9, 0.93, 500, 8000),
     (0.55, 0.5, 4000, 4000)],
)  # fmt: skip
def test_bins_of_many_counts_are_parted_where_the_edge_is(a, b, n_a, n_b):
    """Many questions against a few: bins of the few are wide beside what the many vary by."""
    found = newcombe_power(a, b, n_a, n_b).item()
    assert found == pytest.approx(counted(a, b, n_a, n_b, 0.95), abs=0.003)


def test_of_ever_more_questions_the_other_share_is_left_uncertain():
    """The published share of 1000 is above .89 where Wilson's lower end is: the score test."""
    edge = 0.89 + scipy_stats.norm.ppf(0.975) * np.sqrt(0.89 * 0.11 / 1000)
    wanted = scipy_stats.binom.sf(np.floor(1000 * edge), 1000, 0.93)
    for n in (1e7, MOST, 1e19):
        assert newcombe_power(0.89, 0.93, n, 1000).item() == pytest.approx(wanted, abs=0.005)


def test_parts_of_a_question_and_shares_at_an_end_are_allowed():
    """Of 0 right against .1 of 100 each, 7 or more are significant: to parts of a count."""
    sizes = newcombe_power(0.8, 0.7, np.array([200.0, 200.5, 201.0]), 400)
    assert sizes[0] < sizes[1] < sizes[2]
    exact = counted(0.0, 0.1, 100, 100, 0.95)
    assert newcombe_power(0.0, 0.1, 100, 100).item() == pytest.approx(exact, abs=0.1)
