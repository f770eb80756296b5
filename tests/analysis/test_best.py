"""Which models are bold: the best, and all that the paired test, adjusted over every pair, does not
find worse.
"""

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from support.scores_made import result_of

from reportkit.tables import make_table

PAIRS = ((0, 1), (0, 2), (1, 2))
# A is best. B is worse by its own p of 0.04, but not once three pairs are tested; C is worse in
# any case.
SCORES = np.array(
    [
        [46, 48, 48, 48, 57, 52, 46, 42, 46, 50, 53, 50, 57, 49, 59, 55, 54, 42, 50, 52],
        [47, 50, 55, 45, 55, 51, 38, 41, 56, 44, 48, 39, 55, 46, 55, 36, 48, 39, 42, 53],
        [46, 46, 41, 43, 44, 47, 48, 46, 46, 45, 47, 46, 53, 41, 54, 44, 47, 30, 45, 53],
    ]
)


def p_values(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By scipy, and adjusted by statsmodels."""
    p = np.array([scipy_stats.ttest_rel(scores[i], scores[j]).pvalue for i, j in PAIRS])
    return p, multipletests(p, method="holm")[1]


def test_bold_takes_the_p_value_adjusted_over_all_pairs():
    p, adjusted = p_values(SCORES)
    assert p[0] < 0.05 < adjusted[0] and adjusted[1] < 0.05  # the two rules differ on B
    assert SCORES.mean(axis=1).argmax() == 0
    result = result_of(SCORES)
    assert result.best == ("A", "B")
    table = make_table(result, "means")
    assert {table.cells[i][0] for i, _ in table.bold} == {"A", "B"}
    wide = make_table([result, result_of(SCORES[:2], eval="b")], "means")
    # In the second eval A and B are the only pair: their p needs no adjustment.
    heads = [c.head for c in wide.columns]
    assert {(wide.cells[i][0], heads[j]) for i, j in wide.bold} == {
        ("toy", "A"),
        ("toy", "B"),
        ("b", "A"),
    }


def test_a_baseline_changes_nothing_of_it():
    """The report compares two pairs then; which model is best was still not known beforehand."""
    assert result_of(SCORES, baseline="A").best == ("A", "B")


def test_the_level_decides_how_small_p_must_be():
    """At 90% the adjusted p of B, 0.08, is small enough."""
    _, adjusted = p_values(SCORES)
    assert 0.05 < adjusted[0] < 0.1
    assert result_of(SCORES, level=0.9).best == ("A",)


@pytest.mark.parametrize("models", [1, 2])
def test_one_model_has_no_rival(models):
    best = result_of(SCORES[:models]).best
    assert best == (() if models == 1 else ("A",))
