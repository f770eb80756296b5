"""Plans that take single values of a pilot beside what is given: the ranges of these values."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

from reportkit.decisions import Decisions
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.noise import ends_words
from reportkit.tables.planning.prose import findings, methods_sentence

Z = scipy_stats.norm.ppf(0.975)
CERTAIN = "show is taken as certain"


def answers(n: int = 60, models: str = "AB", seed: int = 4) -> dict[str, np.ndarray]:
    """Right and wrong answers to questions that are easier or harder for all models."""
    right, rng = np.random.default_rng(1).beta(2.0, 1.0, n), np.random.default_rng(seed)
    return {m: (rng.random(n) < right).astype(float) for m in models}


def shares(n: int = 60, seed: int = 5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    own = rng.beta(1.2, 0.8, n)
    return {m: np.clip(own + rng.normal(0.0, 0.2, n), 0.0, 1.0).round(4) for m in "AB"}


def frame(scores: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = [
        {"eval": "e", "model": m, "question_id": f"q{i}", "score": x}
        for m, of in scores.items()
        for i, x in enumerate(of)
    ]
    return pd.DataFrame(rows)


def wilson(share: float, n: float) -> list[float]:
    """By the roots of (p - share)^2 = z^2 p (1 - p) / n."""
    return sorted(np.roots([1 + Z**2 / n, -2 * share - Z**2 / n, share**2]).real)


def of_variance(ends: list[float]) -> list[float]:
    """The means of the least and of the most variance between two."""
    low, high = ends
    return [max(ends, key=lambda e: abs(e - 0.5)), min(max(low, 0.5), high)]


def correlation_range(x: np.ndarray, y: np.ndarray) -> list[float]:
    """Fisher's z, its error by the fourth moments of both scores (Steiger and Hakstian 1982), and t
    with df = 2 V^2 / Var(V) of what each question adds (Mood, Graybill and Boes 1974, VI.2.3).
    """
    n, a, b = len(x), x - x.mean(), y - y.mean()

    def m(i: int, j: int) -> float:
        return float((a**i * b**j).mean())

    r = m(1, 1) / math.sqrt(m(2, 0) * m(0, 2))
    square = (
        m(2, 2) / (m(2, 0) * m(0, 2))
        + r**2 / 4 * (m(4, 0) / m(2, 0) ** 2 + m(0, 4) / m(0, 2) ** 2 + 2 * m(2, 2)
                      / (m(2, 0) * m(0, 2)))
        - r * (m(3, 1) / (m(2, 0) ** 1.5 * m(0, 2) ** 0.5)
               + m(1, 3) / (m(2, 0) ** 0.5 * m(0, 2) ** 1.5))
    )  # fmt: skip
    se = math.sqrt(square / (n - 1)) / (1 - r**2)
    u, v = a / a.std(), b / b.std()
    added = u * v - r / 2 * (u**2 + v**2)
    variance, m4 = added.var(ddof=1), ((added - added.mean()) ** 4).mean()
    df = 2 * variance**2 / ((m4 - variance**2 * (n - 3) / (n - 1)) / n)
    half = scipy_stats.t.ppf(0.975, df) * se
    return [math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)]


def known(p, name: str):
    return next(k for k in p.known if k.name == name)


def test_the_mean_of_one_model_has_wilsons_interval_and_the_plan_its_range():
    a = answers(models="A")
    p = plan(None, frame(a), difference=0.1, correlation=0.4)
    ends = wilson(a["A"].mean(), 60)
    assert [known(p, "mean").low, known(p, "mean").high] == pytest.approx(ends, rel=1e-9)
    of = [need_alone(difference=0.1, correlation=0.4, mean=m).questions for m in of_variance(ends)]
    assert [p.need.low, p.need.high] == of and of[0] < p.need.questions <= of[1]
    assert not any(CERTAIN in note for note in p.notes)
    assert ends_words(p).startswith(
        f"the same at the ends of the 95% interval (Wilson) of the pilot's mean, "
        f"{100 * ends[0]:.1f}% to {100 * ends[1]:.1f}%"
    )
    assert "at the ends of the 95% range of that score, " in methods_sentence(p)
    assert "In brackets is what the pilot leaves open at 95%." in findings(p)


def test_the_mean_of_a_model_with_fewer_answers_rests_on_these():
    """Of 60 questions the second model, which is the published one, answered 45."""
    scores = frame(answers())
    scores = scores[(scores["model"] == "A") | (scores["question_id"].str[1:].astype(int) < 45)]
    p = plan(None, scores, difference=0.15, design="unpaired", other_questions=900)
    ends = wilson(scores[scores["model"] == "B"]["score"].mean(), 45)
    assert [known(p, "mean").low, known(p, "mean").high] == pytest.approx(ends, rel=1e-9)


def test_the_mean_of_two_models_has_that_of_answers_that_vary_alike():
    a = answers()
    both = (a["A"] + a["B"]) / 2
    square = both.var(ddof=1) / 60
    m = both.mean()
    p = plan(None, frame(a), difference=0.1, correlation=0.2)
    ends = wilson(m, m * (1 - m) / square)
    assert [known(p, "mean").low, known(p, "mean").high] == pytest.approx(ends, rel=1e-9)
    assert p.need.low < p.need.questions < p.need.high


def test_with_a_mean_given_the_range_is_of_the_correlation():
    a = answers()
    p = plan(None, frame(a), difference=0.1, mean=0.7)
    ends = correlation_range(a["A"], a["B"])
    assert [known(p, "correlation").low, known(p, "correlation").high] == pytest.approx(ends)
    of = [
        need_alone(difference=0.1, mean=0.7, correlation=known(p, "correlation").high).questions,
        need_alone(difference=0.1, mean=0.7, correlation=known(p, "correlation").low).questions,
    ]
    assert [p.need.low, p.need.high] == of and of[0] < p.need.questions < of[1]
    assert "95% interval (Fisher's z) of the pilot's correlation" in ends_words(p)
    assert "at the ends of the 95% range of that correlation, " in methods_sentence(p)
    assert "Fisher's z with the error that what each" in " ".join(
        str(plan_table(p, "planning-known")).split()
    )


def test_one_model_alone_has_the_range_of_its_mean_and_of_public_correlations():
    a = answers(models="A")
    p = plan(None, frame(a), difference=0.1)
    r = known(p, "correlation")
    far, near = of_variance(wilson(a["A"].mean(), 60))
    ends = [
        need_alone(difference=0.1, mean=far, correlation=r.high).questions,
        need_alone(difference=0.1, mean=near, correlation=r.low).questions,
    ]
    assert [p.need.low, p.need.high] == ends
    assert (
        "In brackets is what the pilot leaves open at 95%, with the quartiles of the correlation "
        "in public evals." in findings(p)
    )


def test_shares_have_the_range_of_their_spread_and_correlation():
    a = shares()
    said = {"decisions": Decisions(range="0,1"), "difference": 0.05}
    p = plan(None, frame(a), mean=0.6, **said)
    spread, r = known(p, "spread"), known(p, "correlation")
    assert [r.low, r.high] == pytest.approx(correlation_range(a["A"], a["B"]))
    assert spread.low < spread.value == pytest.approx((a["A"].std(ddof=1) + a["B"].std(ddof=1)) / 2)
    of = {"answers": "shares", "mean": 0.6, "difference": 0.05}
    ends = [
        need_alone(**of, spread=spread.low, correlation=r.high).questions,
        need_alone(**of, spread=spread.high, correlation=r.low).questions,
    ]
    assert [p.need.low, p.need.high] == ends
    assert not any(CERTAIN in note for note in p.notes)
    assert "of that standard deviation and that correlation, " in methods_sentence(p)
    # a mean of scores in part says little of how they vary
    alone = plan(None, frame(a), spread=0.3, correlation=0.5, **said)
    assert math.isnan(alone.need.low) and not any(CERTAIN in note for note in alone.notes)


def test_with_few_wrong_answers_there_is_no_range_and_a_note_says_so():
    """Fewer than 5 of one model: the range of a correlation would hold it too seldom."""
    a = answers()
    a["A"][:] = 1.0
    a["A"][:4] = 0.0
    p = plan(None, frame(a), difference=0.1, mean=0.8)
    assert math.isnan(known(p, "correlation").low) and math.isnan(p.need.low)
    assert any(f"what else its 60 questions {CERTAIN}" in note for note in p.notes)
