"""Models with questions of their own, planned from a pilot of both: numpy, scipy, simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan
from support.sweeps import slow

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answers import need_of
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.others import UNPAIRED
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.separate import separated
from reportkit.analysis.planning.work import work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.stats.planning.pilot import variances_df
from reportkit.tables.planning.answers import told

Z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)


def frame(scores: np.ndarray) -> pd.DataFrame:
    """scores: models x clusters x questions of each; of one cluster, none."""
    _, groups, size = scores.shape
    one = {
        "question_id": [f"q{i}" for i in range(groups * size)],
        "cluster_id": np.repeat([f"c{i}" for i in range(groups)], size),
    }
    rows = pd.concat([
        pd.DataFrame({"model": name, "score": s.ravel(), **one})
        for name, s in zip("AB", scores, strict=True)
    ])  # fmt: skip
    return rows.drop(columns="cluster_id") if size == 1 else rows


def normal(rng: np.random.Generator, groups: int, size: int, shared: float) -> np.ndarray:
    """Scores of variance 3 and, in clusters, shared + 2; the models' have 1 + shared in common."""
    cluster = rng.normal(0.0, math.sqrt(shared), (1, groups, 1)) if shared else 0.0
    question = rng.normal(0.0, 1.0, (1, groups, size))
    own = rng.normal(0.0, math.sqrt(2.0 - shared), (2, groups, size))
    return cluster + question + own


def work(scores: np.ndarray, **said):
    asked = asked_of(said)
    return work_of(asked, ground_of(asked, pilot_of(frame(scores), Decisions())))


def other(p: Planned):
    return next(x for x in p.others if x.name == UNPAIRED)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("groups", "size", "shared", "difference"),
    [(10, 5, 1.0, 0.7), slow(10, 5, 0.0, 0.5), slow(50, 1, 0.0, 0.5)],
)
def test_power_is_kept_on_average_over_pilots(groups, size, shared, difference):
    """Simulated: 100 pilots of 50 questions, and the power of Welch's t of as many questions as are
    planned, by the noncentral t. As if the pilot's variance were known it is 0.72 to 0.78.
    """
    rng = np.random.default_rng(3)
    true = 3.0 + (size - 1.0) * shared  # n SE^2 of one model

    def power(questions: float) -> float:
        df = 2.0 * questions / size - 2.0
        t = scipy_stats.t.ppf(0.975, df)
        shift = difference / math.sqrt(2.0 * true / questions)
        return float(1.0 - scipy_stats.nct.cdf(t, df, shift))

    found, held = [], []
    for _ in range(100):
        w = work(normal(rng, groups, size, shared), difference=difference, design="unpaired")
        need = need_of(w, difference)
        found.append(power(need.questions))
        held.append(need.low <= Z**2 * 2.0 * true / difference**2 <= need.high)
    assert np.mean(found) == pytest.approx(0.8, abs=0.03)
    assert np.mean(held) >= 0.9  # of a range of 95%


def test_the_variance_of_both_models_by_numpy():
    scores = np.random.default_rng(8).random((2, 40, 1))
    w = work(scores, difference=0.05, design="unpaired")
    total = scores[:, :, 0].var(axis=1, ddof=1).sum()
    need = need_of(w, 0.05)
    assert need.equation == math.ceil(Z**2 * total / 0.05**2) < need.questions
    p = separated(pilot_of(frame(scores), Decisions())).power
    assert 40 * p.se**2 == pytest.approx(total)
    # Satterthwaite's, of two variances that err together as their scores do
    (a, both), (_, b) = np.cov(scores[:, :, 0])
    assert p.df == pytest.approx(39 * (a + b) ** 2 / (a**2 + b**2 + 2 * both**2))
    assert p.correlation == 0.0


def test_degrees_of_freedom_of_two_variances_by_simulation():
    """Of normal scores that correlate by 0.6: 2 V^2 / Var(V) of 4,000 draws."""
    rng, n = np.random.default_rng(5), 50
    draws = rng.multivariate_normal([0.0, 0.0], [[1.0, 0.6], [0.6, 1.0]], (4000, n))
    v = draws.var(axis=1, ddof=1).sum(axis=1)
    simulated = 2.0 * v.mean() ** 2 / v.var()
    assert simulated == pytest.approx((n - 1) * 4 / (2 + 2 * 0.36), rel=0.05)
    # of each draw the variance of its V, which is unbiased, is 2 V^2 over its degrees of freedom
    own = [2.0 * s**2 / variances_df(*d.T) for s, d in zip(v[:1000], draws[:1000], strict=True)]
    assert np.mean(own) == pytest.approx(v.var(), rel=0.07)
    assert math.isnan(variances_df(np.arange(3.0), np.arange(3.0)))
    assert math.isnan(variances_df(np.ones(9), np.ones(9)))


def test_two_variances_that_seem_known_bound_no_degrees_of_freedom():
    """Half of both models' answers are right, and neither goes with the other: u is 1/2 of each
    question, V is 2/3, and (1/4 - 4/9 + 2 (2/9) / 3) / 4 < 0 is no variance of V.
    """
    a, b = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    assert variances_df(a, b) == math.inf


def right(groups: int, size: int) -> np.ndarray:
    return (np.random.default_rng(2).random((2, groups, size)) < 0.7).astype(float)


@pytest.mark.parametrize(
    "scores", [normal(np.random.default_rng(1), 10, 5, 1.0), right(60, 1), right(12, 5)]
)
def test_a_paired_plan_says_what_an_unpaired_one_does(scores):
    said = {"difference": 0.2, "scores": frame(scores)}
    p, apart = plan(**said), plan(**said, design="unpaired")
    for name in ("questions", "clusters", "low", "high", "equation"):
        assert getattr(other(p), name) == pytest.approx(getattr(apart.need, name), nan_ok=True)
    assert other(p).low < other(p).equation < other(p).questions < other(p).high
    assert apart.pilot.ranges and math.isnan(apart.pilot.omega2)  # that is of the difference
    [assumes] = [t.assumes for t in told(apart)[:1]]
    assert "correlation" not in assumes and "In brackets" in assumes


def test_what_the_same_questions_save_is_true():
    """Where scores of the pilot go against each other they save nothing."""
    rng = np.random.default_rng(4)
    a = rng.normal(0.0, 1.0, (1, 60, 1))
    for sign, said in ((1.0, "fewer."), (-1.0, "No fewer are needed")):
        scores = np.concatenate([a, sign * a + rng.normal(0.0, 1.0, (1, 60, 1))])
        p = plan(difference=0.3, scores=frame(scores))
        assumes = next(t.assumes for t in told(p) if "each answers its own" in t.question)
        assert said in assumes
        assert "though" not in assumes
        fewer = other(p).questions - p.need.questions
        assert (fewer > 0) == (sign > 0)
        assert not fewer > 0 or f"each needs {fewer:,.0f} fewer." in assumes


def test_clusters_that_are_given_are_of_the_scores():
    """V (1 + (m - 1) ICC), V of both models; Welch's degrees of freedom are those of both."""
    scores = np.random.default_rng(8).random((2, 80, 1))
    w = work(scores, difference=0.05, design="unpaired", cluster_size=4, icc_scores=0.2)
    total = 1.6 * scores[:, :, 0].var(axis=1, ddof=1).sum()
    assert need_of(w, 0.05).equation == math.ceil(Z**2 * total / 0.05**2)
    assert [(k.value, k.source) for k in w.ground.known if k.name == "icc_scores"] == [
        (0.2, "given")
    ]
    assert bool(w.basis.design(w.shape).separate[0])


def test_scores_that_go_together_have_the_degrees_of_freedom_of_one_model():
    """By Satterthwaite's formula they are the 39 of one model, which two models with questions in
    common have too: the design says which it is.
    """
    scores = np.repeat(np.random.default_rng(8).random((1, 40, 1)), 2, axis=0)
    scores[1, 0] += 1e-4
    w = work(scores, difference=0.1, design="unpaired")
    d = w.basis.design(w.shape)
    assert d.df.item() == pytest.approx(39, rel=1e-5) and d.separate.tolist() == [True]
    assert not work(scores, difference=0.1).basis.design(w.shape).separate.any()


def test_right_and_wrong_answers_may_be_two_other_scores():
    """20 and 80: models that answer apart from each other differ in p (1 - q) + q (1 - p) of their
    answers, by 60; and plans need as many questions as of 0 and 1.
    """
    scores = right(60, 1)
    written, ends = frame(20.0 + 60.0 * scores), Decisions(range="20,80")
    (p, q) = scores.mean(axis=(1, 2))
    of_pilot = separated(pilot_of(written, ends)).power
    assert of_pilot.apart == pytest.approx(60 * (p * (1 - q) + q * (1 - p)))
    found = need_alone(None, written, ends, difference=6, design="unpaired")
    known = need_alone(difference=0.1, scores=frame(scores), design="unpaired")
    for name in ("questions", "low", "high", "equation"):
        assert getattr(found, name) == getattr(known, name)


def test_models_with_questions_of_their_own_are_apart_by_their_two_scores():
    """p (1 - q) + q (1 - p) of 0/1 scores; of 1 and 5 four times that, the width of their scale."""
    right = np.random.default_rng(5).random((2, 40, 1)) < [[[0.7]], [[0.5]]]
    p, q = right.mean(axis=(1, 2))
    for low, high in ((0, 1), (1, 5)):
        pilot = pilot_of(frame(np.where(right, high, low)), Decisions(range=f"{low},{high}"))
        apart = separated(pilot).power.apart
        assert apart == pytest.approx((high - low) * (p * (1 - q) + q * (1 - p)))
