"""Which models are bold: a confidence set for the best, from each model's comparisons with all
others.
"""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from support.score_tests import score_tail
from support.scores_made import result_of

from reportkit.analysis import analyse
from reportkit.documents.prose import findings
from reportkit.tables import make_table
from reportkit.tables.writers.render import render_table

PAIRS = ((0, 1), (0, 2), (1, 2))
# A is best. B is worse by its own p of 0.04, but not by Holm over three pairs; C is worse in
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


def test_bold_shares_the_level_among_the_comparisons_of_a_model():
    """B is behind A with p = 0.04, 0.02 one-sided, and it has two rivals at most: 0.04 is below 5%.
    Holm over all three pairs gives 0.08, which main took until now.
    """
    p, adjusted = p_values(SCORES)
    assert p[0] < 0.05 < adjusted[0] and adjusted[1] < 0.05
    assert SCORES.mean(axis=1).argmax() == 0
    result = result_of(SCORES)
    assert result.best == ("A",) and result.untold == ()
    assert [m.may_be_best for m in result.means] == ["yes", "no", "no"]
    table = make_table(result, "means")
    assert {table.cells[i][0] for i, _ in table.bold} == {"A"}
    wide = make_table([result, result_of(SCORES[1:], eval="b")], "means")
    heads = [c.head for c in wide.columns]
    assert ("toy", "A") in {(wide.cells[i][0], heads[j]) for i, j in wide.bold}


def test_a_baseline_changes_nothing_of_it():
    """The report compares two pairs then; which model is best was still not known beforehand."""
    assert result_of(SCORES, baseline="B").best == ("A",)


def test_the_level_decides_how_small_p_must_be():
    """B has two rivals, since it is not clearly ahead of C: at 97% its one-sided p of 0.02 counts
    0.04, which is not below 3%.
    """
    p, _ = p_values(SCORES)
    assert 0.03 < p[0] < 0.05 and p[2] > 0.06
    assert result_of(SCORES, level=0.97).best == ("A", "B")
    assert result_of(100 - SCORES, level=0.97, better="lower").best == ("A", "B")  # best first


@pytest.mark.parametrize("models", [1, 2])
def test_one_model_has_no_rival(models):
    result = result_of(SCORES[:models])
    assert result.best == (() if models == 1 else ("A",)) and result.untold == ()
    assert result.means[0].may_be_best == ("" if models == 1 else "yes")


def test_of_two_models_the_test_is_one_sided():
    """A is ahead on 3 questions and behind on none: McNemar's p is 0.083, and 0.042 one-sided.

    The interval holds 0 and the p is above 5%: the sentence says why B is not bold.
    """
    a, b = np.repeat([1.0, 0.0], [8, 4]), np.repeat([1.0, 0.0], [5, 7])
    result = result_of([a, b])
    [d] = result.differences
    assert d.p_value == d.p_adjusted == pytest.approx(scipy_stats.chi2.sf(3, 1))
    assert d.ci_low < 0 < d.ci_high and result.best == ("A",)
    assert "A one-sided test at the 5% level finds B lower." in findings(result)
    assert result_of([b, a], better="lower").best == ("A",)


def test_ties_do_not_depend_on_the_order_of_the_input():
    """All equal: all bold, by their names; the one with more questions leads."""
    s = np.array([[1, 0, 1, 0, 1, 0.0]] * 6)
    rows = [
        {"model": m, "question_id": f"q{q}", "score": s[k, q]}
        for k, m in enumerate("FCADBE")
        for q in range(6)
        if m != "A" or q > 1
    ]
    for order in (rows, rows[::-1]):
        result, _ = analyse(pd.DataFrame(order), eval="scores")
        assert result.best == tuple("BCDEFA")
        assert result.leader == "B" == result.differences[0].baseline


def test_without_a_test_nothing_is_bold_and_all_means_are_marked():
    """Three questions with scores that are no shares allow no interval (statistics.md, 4.1)."""
    result = result_of([[10.0, 20.0, 35.0], [11.0, 12.0, 13.0]])
    assert result.best == () and result.untold == ("A", "B")
    table = make_table(result, "means")
    assert not table.bold and all(row[1].endswith(" †") for row in table.cells)
    assert any(n.startswith("Nothing is bold: the data allow no test") for n in table.notes)
    assert any(n.startswith("†: ") for n in table.notes)


def test_a_model_with_few_questions_is_marked_and_not_bold():
    """E answered 3 of 60 questions, all wrong: no test finds it worse, its mean is the lowest."""
    rng = np.random.default_rng(2)
    s = (rng.random((5, 60)) < [[0.9], [0.85], [0.4], [0.3], [0.0]]).astype(float)
    s[4, 3:] = np.nan
    result = result_of(s)
    assert result.untold == ("E",) and result.best[0] == "A" and "C" not in result.best
    last = result.means[4]
    assert last.may_be_best == "unknown" and math.isnan(last.rank_low)
    for fmt in ("md", "tex", "html", "typ"):
        text = render_table(make_table(result, "means"), fmt)
        assert ("dagger" if fmt == "tex" else "†") in text
    assert "unknown" in render_table(make_table(result, "means"), "csv")
    assert "There is too little data to tell whether E may be the best." in findings(result)
    wide = make_table([result, result_of(s, eval="b")], "means")
    # too little to tell, and of other questions: a mark for each
    assert all(row[-1].endswith(" †‡") for row in wide.cells)


def test_a_model_without_a_test_does_not_lead():
    """Of five models E is right on the one question of 60 that it answered: the highest mean, but
    one question allows no test. All are compared with A, the best of those that have one.
    """
    rng = np.random.default_rng(2)
    s = (rng.random((5, 60)) < [[0.9], [0.85], [0.4], [0.3], [1.0]]).astype(float)
    s[4, 1:] = np.nan
    result = result_of(s)
    means = [m.mean for m in result.means]
    assert max(means) == means[4] == 1.0 and means[0] == s[0].mean() == max(means[:4])
    assert result.leader == "A" and {d.baseline for d in result.differences} == {"A"}
    assert [d.model for d in result.differences] == list("BCDE")


@pytest.mark.parametrize(("sign", "better"), [(1.0, "higher"), (-1.0, "lower")])
def test_of_more_than_four_models_the_comparisons_are_those_with_the_best(sign, better):
    """Bonferroni over the rivals of each model, by hand from scipy's t tests; where lower is better
    the leader has the lowest mean.
    """
    rng = np.random.default_rng(7)
    s = rng.normal(size=(1, 40)) + rng.normal(size=(5, 40)) + [[2.0], [1.7], [1.2], [0.6], [-0.5]]
    s *= sign
    result = result_of(s, better=better)
    ahead = "greater" if sign > 0 else "less"
    p = {
        (i, j): scipy_stats.ttest_rel(s[i], s[j], alternative=ahead).pvalue
        for i in range(5)
        for j in range(5)
        if i != j
    }
    top = int((sign * s).mean(axis=1).argmax())
    assert result.leader == result.best[0] == "ABCDE"[top]
    assert [d.model for d in result.differences] == [m for m in "ABCDE" if m != result.leader]
    for d in result.differences:
        i = "ABCDE".index(d.model)
        rivals = max(sum(p[i, j] > 0.025 for j in range(5) if j != i), 1)
        one = scipy_stats.ttest_rel(s[i], s[top])
        assert d.ci_comparisons == rivals
        assert d.p_adjusted == pytest.approx(min(1.0, rivals * one.pvalue), rel=1e-9)
        ends = one.confidence_interval(1 - 0.05 / rivals)
        assert (d.ci_low, d.ci_high) == pytest.approx((ends.low, ends.high), rel=1e-9)
        found_worse = any(rivals * p[j, i] < 0.05 for j in range(5) if j != i)
        assert (d.model in result.best) == (not found_worse)
    assert len(result.pairs) == 10 and all(d.ci_comparisons == 1 for d in result.pairs)
    assert [d.p_adjusted for d in result.pairs] == pytest.approx(
        multipletests([d.p_value for d in result.pairs], method="holm")[1]
    )
    notes = make_table(result, "differences").notes
    assert any("which the data chose" in n for n in notes)
    assert any("bold rests on the same" in n for n in notes)
    notes = make_table(result, "differences-all").notes
    assert any("over 10 comparisons, a family of their own" in n for n in notes)
    named = make_table(result_of(s, baseline="C", better=better), "differences").notes
    assert any("bold rests on another family" in n for n in named)
    four = result_of(s[:4], better=better)
    assert len(four.differences) == 6 and four.leader == ""


def test_intervals_with_a_chosen_best_are_tangos_of_right_and_wrong_answers():
    """Each end is the difference at which Tango's score statistic (1998, equation 4) has the tail
    that is left to one rival; two models that are nearly alike have an adjusted p of 1 and no more.
    """
    rng = np.random.default_rng(5)
    right = (rng.random((5, 90)) < [[0.8], [0.79], [0.75], [0.6], [0.5]]).astype(float)
    result = result_of(right)
    top = "ABCDE".index(result.leader)
    for d in result.differences:
        other, best = right["ABCDE".index(d.model)], right[top]
        b, c = int((other > best).sum()), int((other < best).sum())
        assert (d.method, d.ci_comparisons > 1) == ("tango", True)
        left = 0.025 / d.ci_comparisons
        assert score_tail(b, c, 90, d.ci_high) == pytest.approx(left, rel=1e-6)
        assert 1.0 - score_tail(b, c, 90, d.ci_low) == pytest.approx(left, rel=1e-6)
        assert d.p_adjusted == min(1.0, d.ci_comparisons * d.p_value)
    assert max(d.p_adjusted for d in result.differences) == 1.0


def test_what_a_printed_adjusted_p_puts_behind_is_not_bold():
    """C, D and E follow A closely, half a point behind it; B is noisy, and behind A with p = 0.04.

    With A as the baseline Holm comes to B last and prints 0.04. Of B's own four rivals Bonferroni
    would ask for 0.02 x 4 below 5%: without the baseline B is bold.
    """
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(3, 40)) * 0.05
    noise -= noise.mean(axis=1, keepdims=True)
    a = rng.normal(size=40)
    wide = scipy_stats.norm.ppf((np.arange(40) + 0.5) / 40)[rng.permutation(40)]
    t = scipy_stats.t.isf(0.02, 39)
    gap = t * wide.std(ddof=1) / np.sqrt(40)
    s = np.array([a, a - gap + wide, *(a - 1.5 * gap + noise)])
    named, free = result_of(s, baseline="A"), result_of(s)
    b = next(d for d in named.differences if d.model == "B")
    assert b.p_value == pytest.approx(0.04) == b.p_adjusted
    assert named.best == ("A",) and free.best == ("A", "B")
    [b] = [d for d in free.differences if d.model == "B"]
    assert (b.ci_comparisons, b.p_adjusted) == (4, pytest.approx(0.16))


def test_each_side_of_a_comparison_keeps_its_own_numbers():
    """Comparisons with the best model turn a pair round where the best stands first: whichever way,
    variances, answers and means are those that the records of the means have.
    """
    rng = np.random.default_rng(8)
    scores = rng.uniform(0.2, 0.6, (5, 40, 1))
    scores[2] += 0.2
    spread = np.array([0.01, 0.02, 0.03, 0.04, 0.05])[:, None, None]
    answers = np.clip(scores + spread * rng.normal(size=(5, 40, 3)), 0.0, 1.0)
    result = result_of(answers)
    of = {m.model: m for m in result.means}
    sides = set()
    for p in result.power:
        a, b = of[p.model], of[p.baseline]
        sides.add(p.model < p.baseline)
        assert (p.sigma2_model, p.sigma2_baseline) == pytest.approx(
            (a.variance_within, b.variance_within), rel=1e-9
        )
        assert (p.mean_model, p.mean_baseline) == pytest.approx((a.mean, b.mean), rel=1e-9)
    assert sides == {True, False}
