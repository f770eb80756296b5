"""Every printed cell of the tables of differences and correlations, against scipy, numpy and
statsmodels.
"""

import math
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from support.assured import assured_ratio_by_integration
from support.scores_made import NAMES, result_of, rows_of

from reportkit import analyse
from reportkit.tables import make_table
from reportkit.tables.differences import _exact_notes

DASH, MINUS = "\N{EM DASH}", "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def scores() -> np.ndarray:
    """Three models on 25 questions, in points; C is not far from B."""
    rng = np.random.default_rng(11)
    questions = rng.normal(50, 10, 25)
    lift = np.array([[6.0], [0.0], [1.5]])
    return (questions + lift + rng.normal(0, 7, (3, 25))).round()


def signed(x: float, digits: int = 1) -> str:
    return f"{x:+.{digits}f}".replace("-", MINUS)


def p_text(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def test_differences(scores):
    table = make_table(result_of(scores), "differences")
    pairs = list(combinations(range(3), 2))
    tests = [scipy_stats.ttest_rel(scores[a], scores[b]) for a, b in pairs]
    adjusted = multipletests([t.pvalue for t in tests], method="holm")[1]
    assert len(table.cells) == 3
    ratio = assured_ratio_by_integration(24, 24)  # of the detectable effect
    for row, (a, b), test, p in zip(rows_of(table), pairs, tests, adjusted, strict=True):
        gap = scores[a] - scores[b]
        se = gap.std(ddof=1) / math.sqrt(25)
        low, high = test.confidence_interval(0.95)
        assert row == {
            "model": NAMES[a],
            "baseline": NAMES[b],
            "difference": f"{signed(gap.mean())} ({se:.1f})",
            "ci": f"({signed(low)}, {signed(high)})",
            "p_value": p_text(test.pvalue),
            "p_adjusted": p_text(p),
            "correlation": f"{np.corrcoef(scores[a], scores[b])[0, 1]:.2f}",
            "mde": f"{ratio * se:.1f}",
        }
    # The columns p and adjusted p differ, so that one in the place of the other is seen.
    assert any(row["p_value"] != row["p_adjusted"] for row in rows_of(table))
    assert "Adjusted p: Holm over 3 comparisons." in table.notes
    assert "Intervals are not adjusted." in table.notes
    assert table.title.endswith("Model minus baseline; 95% intervals: Student's t; metric: points; "
                                "25 common questions.")  # fmt: skip


def test_level_and_power_are_in_the_notes_and_in_what_is_detectable(scores):
    table = make_table(result_of(scores, level=0.9, power=0.9), "differences")
    gap = scores[0] - scores[1]
    ratio = assured_ratio_by_integration(24, 24, level=0.9, power=0.9)
    assert rows_of(table)[0]["mde"] == f"{ratio * gap.std(ddof=1) / 5:.1f}"
    pairs = combinations(scores, 2)
    sizes = sorted(ratio * (a - b).std(ddof=1) / 5 for a, b in pairs)
    assert f"{sizes[0]:.1f}" != f"{sizes[2]:.1f}"
    found = f"true differences of {sizes[0]:.1f} to {sizes[2]:.1f} are found with 90% power"
    assert f"Detectable: {found} at the unadjusted 10% level." in table.notes


def test_models_on_different_questions_get_a_column_of_the_common_ones(scores):
    holes = scores.copy()
    holes[2, :5] = np.nan
    table = make_table(result_of(holes), "differences")
    assert [row["questions"] for row in rows_of(table)] == ["25", "20", "20"]
    # the caption says it, of every pair too; that of several evals does not
    assert "Model minus baseline; " in table.title and "20 to 25 common questions" in table.title
    minus = "Model minus baseline, on common questions."
    every = make_table(result_of(holes), "differences-all")
    assert "Model minus baseline; " in every.title and "20 to 25 common" in every.title
    assert minus not in (*table.notes, *every.notes)
    two = make_table([result_of(holes), replace(result_of(holes), eval="Y")], "differences")
    assert sum(minus in note for note in two.notes) == 1
    gap = (scores[1] - scores[2])[5:]
    se = gap.std(ddof=1) / math.sqrt(20)
    assert rows_of(table)[2]["difference"] == f"{signed(gap.mean())} ({se:.1f})"


def test_one_comparison_is_not_adjusted(scores):
    table = make_table(result_of(scores[:2]), "differences")
    assert not any(n.startswith("Adjusted p") for n in table.notes)
    one = make_table(result_of(scores[:1]), "differences")
    assert one.cells == () and "There is one model: nothing to compare." in one.notes


def test_correlations(scores):
    result = result_of(scores)
    table = make_table(result, "correlations")
    matrix = np.corrcoef(scores)
    assert [c.head for c in table.columns] == ["Model", "A", "B", "C"]
    assert table.cells == tuple(
        (NAMES[i], *(f"{matrix[i, j]:.2f}" for j in range(3))) for i in range(3)
    )


def test_correlations_of_several_evals_are_a_list(scores):
    table = make_table(
        [result_of(scores), result_of(scores[:2, ::-1] + 1, eval="b")], "correlations"
    )
    matrix = np.corrcoef(scores)
    expected = [
        ("toy", NAMES[a], NAMES[b], f"{matrix[a, b]:.2f}") for a, b in combinations(range(3), 2)
    ]
    assert table.cells == (*expected, ("b", "A", "B", f"{matrix[0, 1]:.2f}"))


def test_a_score_that_never_varies_has_no_correlation(scores):
    flat = scores.copy()
    flat[1] = 50
    table = make_table(result_of(flat), "correlations")
    between = f"{np.corrcoef(scores[0], scores[2])[0, 1]:.2f}"
    assert [column.head for column in table.columns] == ["Model", "A", "C"]
    assert table.cells == (("A", "1.00", between), ("C", between, "1.00"))
    assert "Left out, as the score never varies: B." in table.notes
    assert not any(n.startswith(f"{DASH}: undefined") for n in table.notes)
    assert len(table.data) == 9  # the CSV has every pair


def test_of_one_score_that_varies_the_matrix_is_whole(scores):
    flat = scores.copy()
    flat[1:] = 50
    table = make_table(result_of(flat), "correlations")
    assert [row[1:] for row in table.cells] == [("1.00", DASH, DASH), *[(DASH,) * 3] * 2]
    assert any(n.startswith(f"{DASH}: undefined") for n in table.notes)
    assert not any("Left out" in n for n in table.notes)


def test_the_models_that_are_left_in_are_numbered_in_their_order(scores):
    """Of five, the second and the fourth never vary; the CSV's order is that of the models."""
    flat = np.array([scores[0], np.full(25, 50.0), scores[1], np.full(25, 1.0), scores[2]])
    names = tuple(f"a-model-with-a-very-long-name-{k}" for k in range(5))
    table = make_table(replace(result_of(flat), models=names), "correlations")
    assert [row[0] for row in table.cells] == [
        f"{k}. a-model-with-a-very-long-name-{i}" for k, i in enumerate((0, 2, 4), 1)
    ]
    matrix = np.corrcoef(scores)
    assert [row[1:] for row in table.cells] == [
        tuple(f"{matrix[i, j]:.2f}" for j in range(3)) for i in range(3)
    ]
    assert f"Left out, as the score never varies: {names[1]}, {names[3]}." in table.notes


def test_long_names_are_numbered():
    result = result_of(np.arange(8.0).reshape(2, 4) ** 2)
    names = ("a-model-with-a-very-long-name-1", "b")
    table = make_table(replace(result, models=names), "correlations")
    assert [c.head for c in table.columns] == ["Model", "1", "2"]
    assert [row[0] for row in table.cells] == ["1. a-model-with-a-very-long-name-1", "2. b"]


def test_a_standard_error_of_0_without_an_interval_says_why():
    """A has both questions of each of 20 clusters right, B one of them: d is 0.5 in each."""
    clusters = [f"c{i // 2}" for i in range(40)]
    rows = pd.DataFrame(
        {
            "model": ["A"] * 40 + ["B"] * 40,
            "question_id": [*range(40)] * 2,
            "score": [1.0] * 40 + [1.0, 0.0] * 20,
            "cluster_id": clusters * 2,
        }
    )
    table = make_table(analyse(rows)[0], "differences").whole
    assert table.cells[0][2:4] == ("+50.0 (0.0)", "—")
    said = [n for n in table.notes if n.kind == "flat"]
    assert said == [
        "A and B differ by the same amount in every cluster: a standard error of 0 then says "
        "nothing of the error of this amount, and there is no interval."
    ]
    assert not [n for n in make_table(analyse(rows.drop(columns="cluster_id"))[0], "differences")
                .notes if n.kind == "flat"]  # fmt: skip


def test_the_caption_says_in_how_many_clusters_the_common_questions_are():
    """Their SEs and intervals are clustered, and a table is pasted without the table of means."""
    rng = np.random.default_rng(5)
    rows = [
        {"model": m, "question_id": f"q{i}", "cluster_id": f"c{i // 5}", "score": rng.random() < p}
        for m, p in (("A", 0.6), ("B", 0.5))
        for i in range(60)
    ]
    result, _ = analyse(pd.DataFrame(rows))
    told = "60 common questions in 12 clusters (cluster_id)"
    assert told in make_table(result, "differences").title
    without, _ = analyse(pd.DataFrame(rows).drop(columns="cluster_id"))
    assert "clusters" not in make_table(without, "differences").title


@pytest.mark.parametrize(("comparisons", "more"), [(6, False), (7, True)])
def test_the_exact_p_of_six_comparisons_stands_in_the_note(comparisons, more):
    records = [
        SimpleNamespace(model=f"m{i}", baseline="A", p_value=0.3, p_exact=0.25, p_mid=0.2)
        for i in range(comparisons)
    ]
    notes = _exact_notes(SimpleNamespace(level=0.95, n_tests=comparisons), records)
    assert notes[0].count("0.250 (0.200)") == 6
    assert notes[1:] == ["Those of the other comparisons are in the CSV."] * more
