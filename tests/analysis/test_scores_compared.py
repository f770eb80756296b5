"""Next-token probabilities beside sampled answers of the same questions."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.scores_made import frame_of, rows_of

from reportkit.analysis import analyse
from reportkit.tables import make_table

RNG = np.random.default_rng(21)
N = 150
P = RNG.uniform(0.05, 0.95, (2, N))
ANSWERS = (RNG.random((2, N, 3)) < P[:, :, None]).astype(float)  # three to each question


def result(answers=ANSWERS, p=P, clusters=(), **said):
    frame = frame_of(answers, clusters)
    question = frame["question_id"].str[1:].astype(int).to_numpy()
    model = (frame["model"] == "B").astype(int).to_numpy()
    frame = frame.assign(p_correct=p[model, question])
    return analyse(frame, tables="scores-compared", **said)[0]


def of(*args, **said):
    return result(*args, **said).requested["scores-compared"]


def test_both_means_and_what_probabilities_save():
    """Means, SEs and the paired t-test from numpy and scipy."""
    for r, p, answers in zip(of(), P, ANSWERS, strict=True):
        s = answers.mean(axis=1)
        se_p, se_s = p.std(ddof=1) / math.sqrt(N), s.std(ddof=1) / math.sqrt(N)
        assert (r.probability, r.probability_se) == pytest.approx((p.mean(), se_p), rel=1e-12)
        assert (r.sampled, r.sampled_se) == pytest.approx((s.mean(), se_s), rel=1e-12)
        assert r.reduction == pytest.approx(1 - (se_p / se_s) ** 2, rel=1e-12)
        test = scipy_stats.ttest_1samp(p - s, 0.0)
        assert (r.difference, r.p_value) == pytest.approx(((p - s).mean(), test.pvalue), rel=1e-9)
        ends = test.confidence_interval(0.95)
        assert (r.ci_low, r.ci_high) == pytest.approx(tuple(ends), abs=1e-12)
        assert (r.sampled_metric, r.n_questions) == ("points", N)


def test_the_chosen_models_alone_are_compared():
    """Also where the eval itself is that of the probabilities."""
    both = of()
    for metric in ("points", "p_correct"):
        [only] = of(models="B", metric=metric)
        assert only == both[1] and only.model == "B"


def test_what_repeated_answers_predict():
    """The mean variance of an answer within a question is W; of the mean of 3 answers, W / 3 is
    noise. Predicted is its share of the variance of the question means.
    """
    for r, answers in zip(of(), ANSWERS, strict=True):
        noise = answers.var(axis=1, ddof=1).mean() / 3
        assert r.predicted == pytest.approx(noise / answers.mean(axis=1).var(ddof=1), rel=1e-9)
    assert all(math.isnan(r.predicted) for r in of(ANSWERS[:, :, :1]))


def test_prediction_and_saving_are_near_the_truth():
    """p uniform from .05 to .95: Var(p) = .0675 and E[p(1-p)] = .1825. Of the variance of a mean of
    3 answers, .1825 / 3 / (.0675 + .1825 / 3) = .474 is noise.
    """
    rng = np.random.default_rng(0)
    p = rng.uniform(0.05, 0.95, (1, 3000))
    [r] = of((rng.random((1, 3000, 3)) < p[:, :, None]).astype(float), p)
    assert r.predicted == pytest.approx(0.474, abs=0.03)
    assert r.reduction == pytest.approx(0.474, abs=0.03)


def test_clusters_are_those_of_the_eval():
    clusters = [f"c{i // 5}" for i in range(N)]
    r = of(clusters=clusters)[0]
    sums = (P[0] - P[0].mean()).reshape(-1, 5).sum(axis=1)
    se = math.sqrt(30 / 29 * (sums**2).sum()) / N  # equal clusters
    assert r.probability_se == pytest.approx(se, rel=1e-12) and r.n_clusters == 30
    assert math.isnan(r.predicted)


def test_clusters_that_the_user_sets_aside_are_in_neither():
    clusters = [f"c{i // 5}" for i in range(N)]
    assert of(clusters=clusters, cluster="none") == of()
    assert of(clusters=clusters, cluster="none", metric="p_correct") == of(metric="p_correct")


def test_sampled_scores_in_percent_are_compared_as_shares():
    """The numbers are those of scores from 0 to 1, in the units of the report's metric."""
    for r, share in zip(of(100.0 * ANSWERS, range="0,100"), of(), strict=True):
        numbers = (r.probability, r.probability_se, r.sampled, r.sampled_se, r.difference, r.se)
        shares = (share.probability, share.probability_se, share.sampled, share.sampled_se)
        expected = [100.0 * x for x in (*shares, share.difference, share.se)]
        assert numbers == pytest.approx(expected, rel=1e-12)
        assert (r.reduction, r.p_value) == pytest.approx((share.reduction, share.p_value), rel=1e-9)
    percent = of(100.0 * ANSWERS, range="points:0,100", metric="p_correct")
    assert percent == of(metric="p_correct")


def test_only_questions_with_both():
    p = P.copy()
    p[0, :40] = np.nan
    answers = ANSWERS.copy()
    answers[0, 100:] = np.nan
    answers[1] = np.nan
    made = result(answers, p)
    [r] = made.requested["scores-compared"]
    assert (r.model, r.n_questions) == ("A", 60)
    assert r.probability == pytest.approx(p[0, 40:100].mean(), rel=1e-12)
    assert r.sampled == pytest.approx(answers[0, 40:100].mean(), rel=1e-12)
    assert "has both: B." in " ".join(make_table(made, "scores-compared").notes)


def test_the_probabilities_may_be_the_reports_metric():
    asked = result(metric="p_correct")
    assert asked.metric == "p_correct"
    assert asked.requested["scores-compared"] == of()


def test_what_cannot_be_compared_is_said():
    twice = result(p=P * 2)
    assert "p_correct runs from 0.1" in twice.refused["scores-compared"]
    nothing = result(p=np.where(np.arange(N) < 0, P, np.nan))
    assert "none of its 900 rows has a score" in nothing.refused["scores-compared"]
    # Two metrics in rows of their own, of different questions.
    answers = np.where(np.arange(N) < 70, ANSWERS[:, :, 0], np.nan)
    p = np.where(np.arange(N) < 70, np.nan, P)
    apart = pd.concat([frame_of(answers), frame_of(p, metric="p_correct")])
    refused = analyse(apart.dropna(subset="score"), tables="scores-compared")[0].refused
    assert "to the same question" in refused["scores-compared"]
    alone = frame_of(P, metric="p_correct")
    refused = analyse(alone, tables="scores-compared")[0].refused["scores-compared"]
    assert "no metric of sampled answers beside p_correct" in refused


def test_what_the_table_prints():
    table = make_table(result(), "scores-compared")
    first, p, s = rows_of(table)[0], P[0], ANSWERS[0].mean(axis=1)
    ratio = (p.std() / s.std()) ** 2
    assert first["reduction"] == f"{100 * (1 - ratio):.0f}%"
    se = p.std(ddof=1) / math.sqrt(N)
    assert first["probability"] == f"{100 * p.mean():.1f}% ({100 * se:.1f}%)"
    assert "predicted" in first and first["questions"] == "150"
    notes = " ".join(table.notes)
    assert "Miller 2024, section 3.2" in notes and "(metric points)" in notes
    assert "Predicted: the same from" in notes
    single = make_table(result(ANSWERS[:, :, :1]), "scores-compared")
    assert "predicted" not in rows_of(single)[0] and "Predicted" not in " ".join(single.notes)
    # Probabilities that vary more than the answers save less than nothing.
    worse = result(np.repeat([[0.4, 0.6]], 2, axis=0).repeat(N // 2, axis=1))
    assert rows_of(make_table(worse, "scores-compared"))[0]["reduction"].startswith("−")
