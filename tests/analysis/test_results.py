"""Every number of the records of means, differences and power, by numpy, scipy and statsmodels, on
an eval where a model misses questions.
"""

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from support.assured import assured_ratio_by_integration
from support.scores_made import frame_of, result_of

from reportkit.analysis import analyse

NAN = math.nan
# 3 models, 10 questions of 2 answers, in points; B misses the first two questions.
SCORES = np.array(
    [
        [[3, 5], [8, 8], [1, 4], [9, 7], [2, 2], [6, 9], [4, 4], [7, 10], [5, 3], [8, 6]],
        [[NAN, NAN], [NAN, NAN], [2, 3], [5, 6], [1, 5], [4, 7], [2, 6], [9, 5], [4, 2], [5, 4]],
        [[1, 2], [7, 3], [2, 2], [4, 5], [1, 1], [4, 3], [4, 6], [5, 3], [2, 4], [3, 5]],
    ]
)
MEANS = SCORES.mean(axis=2)
LEVEL, POWER = 0.9, 0.7


def approx(x: float):
    return pytest.approx(x, rel=1e-9, nan_ok=True)


def se_of(x: np.ndarray) -> float:
    return float(x.std(ddof=1) / math.sqrt(len(x)))


def noise_of(model: int, both: np.ndarray) -> float:
    """Variance of a question's mean of 2 answers."""
    return float(SCORES[model][both].var(axis=1, ddof=1).mean() / 2)


@pytest.fixture
def result():
    return result_of(SCORES, level=LEVEL, power=POWER)


def test_means(result):
    for m, answers in zip(result.means, SCORES, strict=True):
        here = answers[~np.isnan(answers[:, 0])]
        x, n = here.mean(axis=1), len(here)
        within = here.var(axis=1, ddof=1).mean()
        low, high = scipy_stats.t.interval(LEVEL, n - 1, x.mean(), se_of(x))
        assert (m.n_questions, m.n_clusters, m.n_answers) == (n, n, 2 * n)
        assert (m.n_unscored, m.n_errors) == (2 * (10 - n), 0)
        assert (m.mean, m.se, m.df) == (approx(x.mean()), approx(se_of(x)), n - 1)
        assert (m.ci_low, m.ci_high, m.level, m.method) == (approx(low), approx(high), LEVEL, "t")
        assert (m.se_unclustered, m.design_effect) == (approx(se_of(x)), approx(1.0))
        assert m.variance_within == approx(within)
        assert m.variance_between == approx(x.var(ddof=1) - within / 2)


def test_right_and_wrong_answers_count_no_more_than_once():
    """20 questions of 4 answers, all but two with 2 of 4 right: they vary less than 80 answers
    would by chance, and so the interval is Wilson's of 40 right answers of 80, by statsmodels.
    """
    answers = np.tile([1, 1, 0, 0], (2, 20, 1))
    answers[:, 0], answers[:, 1] = [1, 1, 1, 0], [1, 0, 0, 0]
    m = result_of(answers).means[0]
    low, high = proportion_confint(40, 80, method="wilson")
    assert (m.mean, m.n_questions, m.n_answers) == (0.5, 20, 80)
    assert (m.ci_low, m.ci_high, m.method) == (approx(low), approx(high), "wilson-effective")


def test_differences(result):
    pairs = ((0, 1), (0, 2), (1, 2))
    p = []
    for (a, b), d in zip(pairs, result.differences, strict=True):
        both = ~np.isnan(MEANS[a]) & ~np.isnan(MEANS[b])
        x, y = MEANS[a][both], MEANS[b][both]
        gap, n = x - y, int(both.sum())
        low, high = scipy_stats.t.interval(LEVEL, n - 1, gap.mean(), se_of(gap))
        p.append(scipy_stats.ttest_rel(x, y).pvalue)
        assert (d.model, d.baseline) == ("ABC"[a], "ABC"[b])
        assert (d.difference, d.se, d.df) == (approx(gap.mean()), approx(se_of(gap)), n - 1)
        assert (d.ci_low, d.ci_high, d.level, d.method) == (approx(low), approx(high), LEVEL, "t")
        assert d.p_value == approx(p[-1])
        assert d.correlation == approx(scipy_stats.pearsonr(x, y)[0])
        assert (d.n_questions, d.n_clusters) == (n, n)
        assert (d.n_only_model, d.n_only_baseline) == (2 if b == 1 else 0, 2 if a == 1 else 0)
        assert d.se_unpaired == approx(math.hypot(se_of(x), se_of(y)))
        matrix = result.correlations
        assert matrix[a][b] == matrix[b][a] == d.correlation
    assert [d.p_adjusted for d in result.differences] == approx(multipletests(p, method="holm")[1])
    assert [result.correlations[i][i] for i in range(3)] == [1.0] * 3


def test_power(result):
    """The t of so many degrees, the SE an estimate of as many (scipy, by integration; the package's
    normal form of it differs by less than 1%). The SE is that of the difference: a floor at the
    answer noise made it too large on average.
    """
    assert [p.mde for p in result.power] == [d.mde for d in result.differences]
    for (a, b), p in zip(((0, 1), (0, 2), (1, 2)), result.power, strict=True):
        both = ~np.isnan(MEANS[a]) & ~np.isnan(MEANS[b])
        gap = (MEANS[a] - MEANS[b])[both]
        noise = noise_of(a, both), noise_of(b, both)
        total = gap.var(ddof=1)
        assert p.omega2 == approx(max(0.0, total - sum(noise)))
        assert (p.sigma2_model, p.sigma2_baseline) == (approx(2 * noise[0]), approx(2 * noise[1]))
        assert (p.model, p.baseline) == ("ABC"[a], "ABC"[b])
        assert (p.epochs_model, p.epochs_baseline) == (2, 2)
        assert (p.n_questions, p.alpha, p.power) == (both.sum(), 0.1, POWER)
        df = both.sum() - 1
        ratio = assured_ratio_by_integration(df, df, LEVEL, POWER)
        assert p.mde == pytest.approx(ratio * math.sqrt(total / len(gap)), rel=0.01)
        assert p.se == approx(math.sqrt(total / len(gap)))
        assert (p.method, p.df, p.n_clusters, p.direction) == ("t", df, both.sum(), "")
        assert (p.mean_model, p.mean_baseline) == (
            approx(MEANS[a][both].mean()),
            approx(MEANS[b][both].mean()),
        )


def test_a_baseline_turns_the_pairs_that_it_begins(result):
    """B is the baseline: C minus B is B minus C with the other sign."""
    found = result_of(SCORES, level=LEVEL, power=POWER, baseline="B")
    first, second = found.differences
    assert (first.model, first.difference) == ("A", result.differences[0].difference)
    turned = result.differences[2]
    assert (second.model, second.baseline) == ("C", "B")
    assert second.difference == -turned.difference
    assert (second.ci_low, second.ci_high) == (-turned.ci_high, -turned.ci_low)
    assert (second.se, second.p_value, second.mde) == (turned.se, turned.p_value, turned.mde)
    assert (second.n_only_model, second.n_only_baseline) == (2, 0)
    adjusted = multipletests([first.p_value, second.p_value], method="holm")[1]
    assert [first.p_adjusted, second.p_adjusted] == approx(adjusted)
    assert [p.model for p in found.power] == ["A", "C"]
    assert found.power[1].sigma2_model == result.power[2].sigma2_baseline


def test_clusters_of_two_questions():
    """Clusters of one size: the SE is that of the cluster means on G - 1 degrees of freedom, also
    of what the models would have unpaired. B misses a whole cluster.
    """
    result = result_of(SCORES, np.repeat(list("vwxyz"), 2), level=LEVEL, power=POWER)
    means = MEANS.reshape(3, 5, 2).mean(axis=2)
    assert result.means[0].se == approx(se_of(means[0]))
    assert (result.means[0].n_clusters, result.means[1].n_clusters) == (5, 4)
    assert result.means[0].se_unclustered == approx(se_of(MEANS[0]))
    assert result.means[0].design_effect == approx((se_of(means[0]) / se_of(MEANS[0])) ** 2)
    d = result.differences[0]
    a, b = means[0][1:], means[1][1:]
    assert (d.se, d.df, d.n_clusters) == (approx(se_of(a - b)), 3, 4)
    assert d.se_unpaired == approx(math.hypot(se_of(a), se_of(b)))


@pytest.mark.parametrize(
    ("said", "size"), [({}, 2), ({"cluster": "passage"}, 3), ({"cluster": "none"}, 1)]
)
def test_the_clusters_are_those_of_the_decided_field(said, size):
    """12 questions in pairs by cluster_id, in threes by passage; clusters of one size: the SE is
    that of their means, by scipy.
    """
    scores = np.random.default_rng(5).normal(50.0, 9.0, (2, 12))
    frame = frame_of(scores, [f"c{q // 2}" for q in range(12)])
    place = frame["question_id"].str[1:].astype(int)
    result, _ = analyse(frame.assign(passage=(place // 3).map("p{}".format)), **said)
    for m, x in zip(result.means, scores, strict=True):
        assert m.n_clusters == 12 // size
        assert m.se == approx(scipy_stats.sem(x.reshape(-1, size).mean(axis=1)))
    gaps = (scores[0] - scores[1]).reshape(-1, size).mean(axis=1)
    assert result.differences[0].se == approx(scipy_stats.sem(gaps))


def test_on_the_same_questions_the_unpaired_error_is_that_of_the_two_means():
    d = result_of(SCORES[[0, 2]]).differences[0]
    assert d.se_unpaired == approx(math.hypot(se_of(MEANS[0]), se_of(MEANS[2])))
    assert (d.n_only_model, d.n_only_baseline, d.n_questions) == (0, 0, 10)


def test_models_that_share_one_question_or_none():
    """One common question: a difference and no error of any kind. None: no power either."""
    scores = np.array([[1.0, 2.0, 4.0, NAN, NAN], [NAN, NAN, 3.0, 5.0, 8.0]])
    result = result_of(scores)
    d = result.differences[0]
    assert (d.difference, d.n_questions, d.n_only_model, d.n_only_baseline) == (1.0, 1, 2, 2)
    assert all(math.isnan(x) for x in (d.se, d.se_unpaired, d.mde, d.correlation, d.p_value))
    assert len(result.power) == 1 and math.isnan(result.power[0].mde)
    scores[1, 2] = NAN
    result = result_of(scores)
    assert result.differences[0].n_questions == 0 and result.power == ()


def test_a_score_that_never_varies_correlates_with_nothing_and_not_with_itself():
    result = result_of(np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]]))
    assert result.correlations[0][0] == 1.0
    assert all(math.isnan(x) for x in (*result.correlations[1], result.correlations[0][1]))


def test_a_model_without_a_score_has_nan_and_counts():
    frame = frame_of(SCORES)
    frame.loc[frame["model"] == "B", "score"] = NAN
    m = analyse(frame, level=LEVEL)[0].means[1]
    assert (m.model, m.method, m.level) == ("B", "none", LEVEL)
    assert (m.n_questions, m.n_clusters, m.n_answers) == (0, 0, 0)
    numbers = (m.mean, m.se, m.df, m.ci_low, m.ci_high, m.se_unclustered, m.design_effect)
    assert all(math.isnan(x) for x in (*numbers, m.variance_between, m.variance_within))
    frame.loc[frame["model"] == "C", "score"] = NAN
    for r in analyse(frame, level=LEVEL)[0].ranks:  # one model alone has a score
        assert (r.level, r.method) == (LEVEL, "none")
        assert all(math.isnan(x) for x in (r.rank, r.low, r.high))


def test_where_lower_is_better_the_lowest_mean_is_the_best_and_first():
    """A beats B by 40 questions of 100, as in the tests of ranks; with better="lower" B beats A."""
    right = np.array([[1] * 60 + [0] * 40, [1] * 20 + [0] * 80, [1] * 21 + [0] * 79])
    higher = analyse(frame_of(right))[0]
    lower = analyse(frame_of(right).assign(better="lower"))[0]
    assert higher.best == ("A",) and lower.best == ("B", "C")
    assert [(r.rank, r.low, r.high) for r in higher.ranks] == [(1, 1, 1), (3, 2, 3), (2, 2, 3)]
    assert [(r.rank, r.low, r.high) for r in lower.ranks] == [(3, 3, 3), (1, 1, 2), (2, 1, 2)]


def test_a_rank_set_shares_the_level_among_the_comparisons_of_its_model():
    """C solves nothing and lies clearly below both, so B has one rival, A, and all of the level.

    A solves 5 or 3 questions that B does not, and none the other way round: McNemar's p without a
    correction is P(chi2_1 > 5) = 0.025, and P(chi2_1 > 3) = 0.083, one-sided 0.042: B is found
    worse, and A alone may be the best. Of 2, 0.157 and 0.079: both may.
    """
    assert 0.025 < scipy_stats.chi2.sf(5, 1) < 0.05 < scipy_stats.chi2.sf(3, 1) < 0.1
    assert scipy_stats.chi2.sf(2, 1) > 0.1
    nothing = [0] * 60
    for more, worst in ((5, 1), (3, 1), (2, 2)):
        a, b = [1] * 40 + [0] * 20, [1] * (40 - more) + [0] * (20 + more)
        ranks = result_of(np.array([a, b, nothing])).ranks
        assert (ranks[0].rank, ranks[0].low, ranks[0].high) == (1, 1, worst)
        assert (ranks[1].low, ranks[1].high) == (1 if worst == 2 else 2, 2)
        assert (ranks[2].low, ranks[2].high) == (3, 3)
        assert (ranks[0].level, ranks[0].method) == (0.95, "bonferroni")


def test_ranks_count_clusters_and_not_questions():
    """Four clusters of ten questions with differences around 3, 1, -1 and 1: t is 4.4 on the 40
    questions, and 1.2 on the clusters, where 3.2 would be needed.
    """
    questions = np.tile(np.arange(10.0), 4)
    gaps = np.repeat([3.0, 1.0, -1.0, 1.0], 10)
    scores = np.array([questions + gaps, questions])
    assert gaps.mean() / se_of(gaps) > 4 and gaps.mean() / se_of(gaps[::10]) < 1.3
    alone, clustered = result_of(scores), result_of(scores, np.repeat(list("wxyz"), 10))
    assert [(r.low, r.high) for r in alone.ranks] == [(1, 1), (2, 2)]
    assert [(r.low, r.high) for r in clustered.ranks] == [(1, 2), (1, 2)]
