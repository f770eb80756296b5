"""The printed cells of the table other-methods, and of the exact p below the differences, by scipy
and by hand.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats as sps
from support.scores_made import result_of, rows_of

from reportkit.errors import ScoresError
from reportkit.tables import make_table

MINUS, DASH = "\N{MINUS SIGN}", "\N{EM DASH}"
NAN = math.nan


def table_of(scores, clusters=(), **said):
    result = result_of(np.asarray(scores, dtype=float), clusters, tables="other-methods", **said)
    return make_table(result, "other-methods")


def paired(both: int, only_a: int, only_b: int, neither: int) -> np.ndarray:
    """Two models by the counts of questions that both, one or none has right."""
    a = [1] * both + [1] * only_a + [0] * only_b + [0] * neither
    b = [1] * both + [0] * only_a + [1] * only_b + [0] * neither
    return np.array([a, b], dtype=float)


def exact_and_mid(only_a: int, only_b: int) -> tuple[float, float]:
    """scipy's binomial test of one half, and the same less the chance of what was seen."""
    n = only_a + only_b
    exact = sps.binomtest(only_a, n).pvalue
    return exact, exact - sps.binom.pmf(only_a, n, 0.5)


def test_newcombes_interval_and_exact_p():
    """The airway data of Bentur et al. 2009: 1, 1, 7 and 12 of 21 children, for which Fagerland,
    Lydersen & Laake 2014 print (-0.507, -0.026), p .070 and mid-p .039.
    """
    [row] = rows_of(table_of(paired(1, 1, 7, 12)))
    assert row["newcombe"] == f"({MINUS}50.7, {MINUS}2.6)"
    exact, mid = exact_and_mid(1, 7)
    assert (round(exact, 3), round(mid, 3)) == (0.070, 0.039)
    assert (row["p_exact"], row["p_mid"]) == (f"{exact:.3f}", f"{mid:.3f}")


def signs_of(differences) -> tuple[float, float]:
    """W+, and the share of all ways to sign the ranks that is at least as far from their middle."""
    d = np.asarray(differences)[np.abs(differences) > 1e-12]
    ranks = sps.rankdata(np.round(np.abs(d), 9))
    found, middle = ranks[d > 0].sum(), ranks.sum() / 2
    sums = [sum(r for r, up in zip(ranks, ups, strict=True) if up)
            for ups in itertools.product((False, True), repeat=len(d))]  # fmt: skip
    far = [abs(w - middle) >= abs(found - middle) - 1e-9 for w in sums]
    return float(found), sum(far) / len(far)


def test_wilcoxons_test_of_scores_with_ties():
    """All 2^10 ways to sign ten differences, of which some are alike and one is 0."""
    a = np.array([0.1, 0.4, 0.35, 0.8, 0.9, 0.6, 0.2, 0.75, 0.5, 0.3, 0.55])
    b = np.array([0.2, 0.1, 0.25, 0.8, 0.5, 0.4, 0.3, 0.45, 0.1, 0.2, 0.15])
    table = table_of([a, b])
    [row], (w, p) = rows_of(table), signs_of(a - b)
    assert (row["w_plus"], row["p_signed_ranks"]) == (f"{w:.1f}", f"{p:.3f}") and w % 1 == 0.0
    assert p != pytest.approx(sps.ttest_rel(a, b).pvalue, abs=5e-4) and "p_exact" not in row
    assert any("Wilcoxon's, exact" in n for n in table.notes)


def test_the_same_answers_in_another_order_have_no_ranks():
    """The means of 0.1, 0.7, 0.9 and of 0.9, 0.7, 0.1 differ by rounding alone, and that is no
    difference: without care W+ is 3 and not 0.
    """
    answers = np.array([[0.1, 0.1, 0.4], [0.2, 0.1, 0.9], [0.1, 0.7, 0.9], [0.3, 0.2, 0.1]])
    assert (answers.mean(axis=1) != answers[:, ::-1].mean(axis=1)).any()
    [row] = rows_of(table_of([answers, answers[:, ::-1]]))
    assert (row["w_plus"], row["p_signed_ranks"]) == ("0.0", "1.000")
    assert row["difference"] == "0.0 (0.0)"


def test_wilcoxons_test_has_no_place_beside_clusters_or_single_right_or_wrong_answers():
    scores = np.random.default_rng(3).random((2, 12))
    for given in ([scores, [f"c{i // 3}" for i in range(12)]], [np.round(scores)]):
        assert "w_plus" not in rows_of(table_of(*given))[0]


def test_more_than_500_questions_that_differ_are_too_many_to_count_signs():
    scores = np.random.default_rng(3).random((3, 501))
    scores[1, 0] = scores[0, 0]
    table = table_of(scores)
    told = {(r["model"], r["baseline"]): r["p_signed_ranks"] for r in rows_of(table)}
    assert [pair for pair, p in told.items() if p != DASH] == [("A", "B")]
    expected = sps.wilcoxon(scores[0, 1:], scores[1, 1:], method="exact").pvalue
    assert told["A", "B"] == f"{expected:.3f}"
    assert any("more than 500 questions differ" in n for n in table.notes)


def test_p_for_screening():
    """scipy's Benjamini-Hochberg over the p-values of all six pairs of four models."""
    rng = np.random.default_rng(8)
    scores = rng.normal(0, 1, (4, 30)) + np.array([[0.0], [0.5], [0.9], [1.0]])
    rows = rows_of(table_of(scores))
    p = [sps.ttest_rel(scores["ABCD".index(r["model"])], scores["ABCD".index(r["baseline"])]).pvalue
         for r in rows]  # fmt: skip
    expected = sps.false_discovery_control(p, method="bh")
    assert len(rows) == 6 and "p_exact" not in rows[0] and "newcombe" not in rows[0]
    for row, value in zip(rows, expected, strict=True):
        assert row["p_bh"] == (f"{value:.3f}" if value >= 0.001 else "<0.001")
    assert [f"{x:.3f}" for x in p] != [f"{x:.3f}" for x in expected]


def test_a_baseline_makes_a_family_of_its_own():
    scores = np.random.default_rng(4).normal(0, 1, (4, 30)) + np.arange(4)[:, None] / 4
    rows = rows_of(table_of(scores, baseline="B"))
    assert [(r["model"], r["baseline"]) for r in rows] == [("A", "B"), ("C", "B"), ("D", "B")]
    p = [sps.ttest_rel(scores[k], scores[1]).pvalue for k in (0, 2, 3)]
    adjusted = sps.false_discovery_control(p, method="bh")
    assert [r["p_bh"] for r in rows] == [f"{x:.3f}" for x in adjusted]


def test_the_correlation_of_clusters():
    """With clusters of one size it is Pearson's of the cluster means."""
    rng = np.random.default_rng(6)
    shared = np.repeat(rng.normal(0, 1, 8), 5)
    scores = rng.normal(0, 1, (2, 40)) + shared
    [row] = rows_of(table_of(scores, np.repeat([f"c{g}" for g in range(8)], 5)))
    means = scores.reshape(2, 8, 5).mean(axis=2)
    assert row["correlation_clusters"] == f"{np.corrcoef(means)[0, 1]:.2f}"
    assert row["correlation"] == f"{np.corrcoef(scores)[0, 1]:.2f}"
    assert row["correlation"] != row["correlation_clusters"]


def test_all_answers_where_some_are_missing():
    """Var = s_A^2/n_A + s_B^2/n_B - 2 n_C s_AB/(n_A n_B) and t with n_B - 1 degrees of freedom."""
    rng = np.random.default_rng(9)
    scores = rng.normal(0, 2, (2, 40)) + rng.normal(10, 3, 40)
    scores[0, :4], scores[1, 30:] = NAN, NAN
    table = table_of(np.vstack([scores, scores[:1] + 1.0]))
    rows = rows_of(table)
    a, b = (s[~np.isnan(s)] for s in scores)
    common = scores[:, 4:30]
    covariance = np.cov(common)[0, 1]
    variance = a.var(ddof=1) / 36 + b.var(ddof=1) / 30 - 2 * 26 * covariance / (36 * 30)
    value, se = a.mean() - b.mean(), math.sqrt(variance)
    low, high = sps.t.interval(0.95, 29, value, se)

    def signed(x: float) -> str:
        return f"{x:+.1f}".replace("-", MINUS)

    assert rows[0]["available"] == f"{signed(value)} ({se:.1f})"
    assert rows[0]["available_ci"] == f"({signed(low)}, {signed(high)})"
    assert rows[0]["available_p"] == f"{2 * sps.t.sf(abs(value) / se, 29):.3f}"
    # A and C answered the same questions.
    assert (rows[1]["available"], rows[1]["available_ci"]) == (DASH, DASH)
    assert any(n.endswith("no answer is missing.") for n in table.notes)
    assert any("only where answers are missing at random" in n for n in table.notes)


# Exact p below the table of differences -----------------------------------------------------------


def exact_notes(result) -> list[str]:
    notes = make_table(result, "differences").notes
    return [note for note in notes if "McNemar's exact p" in note]


def test_few_questions_that_decide_have_an_exact_p_below_the_table():
    exact, mid = exact_and_mid(7, 2)
    result = result_of(paired(12, 7, 2, 9))
    assert exact_notes(result) == [
        "McNemar's exact p (mid-p in brackets), where fewer than 25 questions tell two models "
        f"apart: A and B {exact:.3f} ({mid:.3f})."
    ]
    [d] = result.differences
    assert (d.p_exact, d.p_mid) == (pytest.approx(exact), pytest.approx(mid))


@pytest.mark.parametrize("only_a, told", [(14, True), (15, False)])
def test_from_25_questions_on_there_is_none(only_a, told):
    result = result_of(paired(20, only_a, 10, 20))
    assert bool(exact_notes(result)) == told
    assert math.isnan(result.differences[0].p_exact) != told


def test_of_clusters_and_of_models_that_are_level_there_is_none():
    scores = paired(12, 7, 2, 9)
    in_clusters = result_of(scores, [f"c{i // 2}" for i in range(30)])
    assert not exact_notes(in_clusters) and math.isnan(in_clusters.differences[0].p_exact)
    assert not exact_notes(result_of(paired(12, 3, 3, 9)))  # every p is 1


def test_of_many_comparisons_the_first_are_told():
    rng = np.random.default_rng(2)
    scores = (rng.random((5, 30)) < np.linspace(0.4, 0.9, 5)[:, None]).astype(float)
    four = result_of(scores[:4])
    [note] = exact_notes(four)
    few = [d for d in four.differences if d.p_exact == d.p_exact]
    assert len(few) == 6 and note.count(" and ") == 6 and "CSV" not in note
    assert "(mid-p in brackets), not adjusted, where" in note  # six comparisons share the level


def test_one_model_has_nothing_to_compare():
    with pytest.raises(ScoresError, match="There is one model, so there is nothing to compare"):
        table_of(paired(5, 3, 2, 10)[:1])


def test_where_wilcoxons_test_has_no_p_there_is_no_column_for_it():
    rng = np.random.default_rng(3)
    right, shares = rng.random((2, 60)) < 0.7, rng.uniform(0.1, 0.9, (2, 60))
    keys = [[c.key for c in make_table(r, "other-methods").columns] for r in (
        result_of(x.astype(float), tables="other-methods") for x in (shares, right)
    )]  # fmt: skip
    assert ["p_signed_ranks" in k for k in keys] == [True, False]
