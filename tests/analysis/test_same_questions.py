"""Evals that ask the same questions again: expected numbers are computed here from the scores, as
those of one eval whose question scores are the averages over the evals.
"""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats as sps
from support.scores_made import result_of

from reportkit import stats
from reportkit.analysis import analyse
from reportkit.analysis.macro import macro_results
from reportkit.analysis.same_questions import packed_answers, same_questions
from reportkit.analysis.suite import suite_of
from reportkit.analysis.suite_decided import named_suite
from reportkit.decisions import Decisions
from reportkit.documents.prose.suite import findings, methods
from reportkit.scores.rows import check_rows
from reportkit.stats.pairing import pairing_p_value
from reportkit.tables import make_table

RNG = np.random.default_rng(93)
N = 200
EASY = RNG.uniform(0.1, 0.9, N)


def drawn(rng, p, models=3):
    """models x questions of right or wrong answers to questions that are right with chance p."""
    return (rng.random((models, len(p))) < p).astype(float)


DAN = drawn(RNG, EASY)
ENG = np.where(RNG.random((3, N)) < 0.7, DAN, drawn(RNG, EASY))
OTHER = drawn(RNG, RNG.permutation(EASY))


def suite(**evals):
    return suite_of([result_of(x, eval=name) for name, x in evals.items()])


def test_the_se_of_a_mean_difference_is_that_of_the_questions_averages():
    s = suite(dan=DAN, eng=ENG)
    assert s.same_questions == (("dan", "eng"),)
    for d in s.overall:
        i, j = "ABC".index(d.model), "ABC".index(d.baseline)
        x = ((DAN[i] - DAN[j]) + (ENG[i] - ENG[j])) / 2
        se = x.std(ddof=1) / math.sqrt(N)
        assert (d.difference, d.se, d.df) == pytest.approx((x.mean(), se, N - 1), rel=1e-6)
        assert d.p_value == pytest.approx(sps.ttest_1samp(x, 0).pvalue, rel=1e-4)
        assert (d.ci_low, d.ci_high) == pytest.approx(sps.t.interval(0.95, N - 1, x.mean(), se))
        assert d.n_questions == N
        apart = math.hypot(*((y[i] - y[j]).std(ddof=1) for y in (DAN, ENG))) / 2 / math.sqrt(N)
        assert d.se > 1.1 * apart


def test_the_se_of_an_average_is_that_of_the_questions_averages():
    s = suite(dan=DAN, eng=ENG)
    for a, m in zip(s.averages, macro_results(s.evals), strict=True):
        x = (DAN + ENG)["ABC".index(a.model)] / 2
        assert (a.mean, a.se) == pytest.approx((x.mean(), x.std(ddof=1) / math.sqrt(N)), rel=1e-6)
        assert a.df == pytest.approx(N - 1) and a.n_questions == N
        assert (m.se, m.ci_low, m.n_questions) == (a.se, a.ci_low, N)
        assert a.ci_low < a.mean - 1.9 * a.se and a.ci_high > a.mean + 1.9 * a.se


def test_the_interval_joins_those_of_the_evals_with_their_correlation():
    """Zou 2007: the squared distances, and twice their product times the correlation."""
    s = suite(dan=DAN, eng=ENG)
    for a in s.averages:
        k = "ABC".index(a.model)
        r = np.corrcoef(DAN[k], ENG[k])[0, 1]
        means = [next(m for m in x.means if m.model == a.model) for x in s.evals]
        d, e = (m.mean - m.ci_low for m in means)
        assert a.mean - a.ci_low == pytest.approx(math.sqrt(d * d + e * e + 2 * r * d * e) / 2)


def test_an_eval_five_times_is_no_surer_than_once():
    s = suite(**{f"version {k}": DAN for k in range(5)}, other=OTHER)
    assert s.same_questions == (tuple(f"version {k}" for k in range(5)),)
    first = suite(one=DAN, other=OTHER)
    for d in s.overall:
        i, j = "ABC".index(d.model), "ABC".index(d.baseline)
        v = (DAN[i] - DAN[j]).var(ddof=1) / N
        w = (OTHER[i] - OTHER[j]).var(ddof=1) / N
        assert d.se == pytest.approx(math.sqrt(25 * v + w) / 6, rel=1e-6)
        df = (25 * v + w) ** 2 / ((25 * v) ** 2 / (N - 1) + w**2 / (N - 1))
        assert d.df == pytest.approx(df, rel=1e-6)
        assert d.n_questions == 2 * N
    assert first.same_questions == ()


def test_clusters_that_two_evals_share_are_the_units():
    """40 templates of 5 questions: the SE is that of the sums over templates. Sizes are equal, so
    CR2 is the variance of the 40 means.
    """
    of = [f"t{k // 5}" for k in range(N)]
    easy = np.repeat(RNG.uniform(0.1, 0.9, 40), 5)
    a, b = drawn(RNG, easy, 2), drawn(RNG, easy, 2)
    b = np.where(RNG.random((2, N)) < 0.6, a, b)
    s = suite_of([result_of(x, of, eval=e) for e, x in (("dan", a), ("eng", b))])
    [d] = s.overall
    x = ((a[0] - a[1] + b[0] - b[1]) / 2).reshape(40, 5).mean(axis=1)
    assert s.same_questions and d.n_questions == N
    assert d.se == pytest.approx(x.std(ddof=1) / math.sqrt(40), rel=1e-6)


def test_a_few_questions_that_one_eval_lacks():
    """150 of the questions are in both: their covariance counts, by the correlation over all."""
    part = ENG.copy()
    part[:, 150:] = math.nan
    s = suite(dan=DAN, eng=part)
    d = s.overall[0]
    x, y = DAN[0] - DAN[1], (ENG[0] - ENG[1])[:150]
    u, v = x - x.mean(), y - y.mean()
    r = (u[:150] @ v) / math.sqrt((u @ u) * (v @ v))
    e, f = x.std(ddof=1) / math.sqrt(N), y.std(ddof=1) / math.sqrt(150)
    assert d.se == pytest.approx(math.sqrt(e * e + f * f + 2 * max(r, 0) * e * f) / 2, rel=1e-6)
    assert d.n_questions == N


def test_models_that_never_differ_leave_the_correlation_unknown_and_count_as_one():
    """Of two alike models the SE of each eval is from its interval; of both evals it is no less."""
    x = np.array([DAN[0], DAN[0]])
    s = suite(dan=x, eng=np.array([ENG[0], ENG[0]]))
    [d], [one] = s.overall, suite(dan=x).overall
    assert d.difference == 0.0 and d.se == pytest.approx(one.se)


def test_ids_by_chance_are_no_proof():
    """Two to five evals of 60 questions with the ids 0 to 59 and scores of their own: in 400 suites
    at most 0.1% are found.
    """
    rng = np.random.default_rng(5)
    found = 0
    for k in range(400):
        n = 60
        evals = [_bare(drawn(rng, rng.beta(0.5, 0.4, n), 4), str(e)) for e in range(2 + k % 4)]
        found += bool(same_questions(evals))
    assert found <= 2  # 0.4 expected at most; P(more than 2) is 1% of a binomial at 0.1%


def _bare(x, name):
    """A record with no more than the question asks for: an analysis takes too long for 400."""
    e = SimpleNamespace(questions=np.arange(x.shape[1]), clusters=None, means=x.T)
    models = tuple("ABCDEF"[: len(x)])
    return SimpleNamespace(
        eval=name, models=models, n_questions=x.shape[1], answers=packed_answers(e)
    )


def test_clusters_are_no_proof_either():
    """Ids 0 to 99 in passages of 10, which are easy or hard: in each of 300 pairs of evals the
    passages are others. Question by question, far more would be found.
    """
    rng = np.random.default_rng(6)
    found = 0
    for _ in range(300):
        pair = []
        for e in "ab":
            x = drawn(rng, np.repeat(rng.uniform(0, 1, 10), 10), 3)
            bare = _bare(x, e)
            n = x.shape[1]
            codes = (np.arange(n) // 10).astype(np.int64).tobytes()
            bare.answers = bare.answers[: 8 * n] + codes + bare.answers[16 * n :]
            pair.append(bare)
        found += bool(same_questions(pair))
    assert found <= 2  # 0.3 expected at most; P(more than 2) is 0.4% of a binomial at 0.1%


def test_the_p_value_is_that_of_all_pairings():
    """Of 2,000 random pairings of two columns, as many have so large a sum."""
    rng = np.random.default_rng(8)
    a = rng.normal(size=80)
    b = 0.2 * a + rng.normal(size=80)
    x, y = a - a.mean(), b - b.mean()
    sums = np.array([x @ rng.permutation(y) for _ in range(2000)])
    share = (sums >= x @ y).mean()
    assert pairing_p_value(a, b) == pytest.approx(share, abs=0.03)
    assert pairing_p_value(a, np.ones(80)) == 1.0


def test_one_question_that_all_get_wrong_is_no_proof():
    """By chance in 1 of 100 pairs, so that it would be found in far too many suites."""
    a = np.ones(100)
    a[3] = 0.0
    assert pairing_p_value(a, a) > 0.1


def test_an_average_of_correlated_estimates():
    """By hand: (0.3 + 0.4)^2 of two that are the same, 0.25 of two that are independent."""
    both = [stats.Estimate(1.0, 0.6, 9.0, 10, 10), stats.Estimate(2.0, 0.8, 9.0, 10, 10)]
    same = stats.macro_average(both, correlations=np.ones((2, 2)))
    assert (same.value, same.se, same.df) == pytest.approx((1.5, 0.7, 9.0))
    apart = stats.macro_average(both, correlations=np.eye(2))
    assert (apart.se, apart.df) == pytest.approx((0.5, stats.macro_average(both).df))
    half = stats.macro_average(both, correlations=np.array([[1.0, 0.5], [0.5, 1.0]]))
    assert half.se == pytest.approx(math.sqrt(0.09 + 0.16 + 0.12))


# In words -----------------------------------------------------------------------------------------


def test_the_report_names_the_evals_and_counts_their_questions_once():
    rows = []
    for e, x in (("dan", DAN), ("eng", ENG), ("other", OTHER)):
        for (m, q), score in np.ndenumerate(x):
            rows.append({"eval": e, "model": "ABC"[m], "question_id": str(q), "score": str(score)})
    frame = check_rows(pd.DataFrame(rows, dtype=str))
    s = suite_of([analyse(frame, e)[0] for e in ("dan", "eng", "other")])
    assert s.same_questions == (("dan", "eng"),)
    s = named_suite(s, {"eng": Decisions(name="English")})
    told = findings(s)
    assert "3 evals and 400 questions" in told
    assert (
        "Some evals ask the same questions, by their ids and scores: dan and English. These count "
        "once; where a mean is taken over them, its SE allows for how their errors go together."
    ) in told
    assert s.n_questions == s.to_json()["n_questions"] == 400
    assert s.to_json()["same_questions"] == [["dan", "English"]]
    notes = " ".join(make_table(s, "suite-overall").notes)
    assert (
        "the same questions, by their ids and scores (dan and English): for these the SE" in notes
    )
    assert "no two may share questions" not in notes + methods(s)
    assert "0.1% level over all such pairs (Hoeffding 1951): dan and English." in methods(s)
    macro = " ".join(make_table(s.evals, "macro").notes)
    assert "by their ids and scores (dan and English)" in macro


def test_the_report_of_independent_evals_says_nothing_of_it():
    s = suite(dan=DAN, other=OTHER)
    assert s.same_questions == ()
    assert "same questions" not in findings(s) + methods(s)
    notes = " ".join(make_table(s, "suite-overall").notes)
    assert "evals are taken as independent, so no two may share questions" in notes
