"""Plans from a pilot whose two models are far apart: they are for two like the one that is farther
from the middle of the scale.
"""

import functools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy import stats as scipy_stats
from support.plans import plan

from reportkit.analysis.planning.answers import need_of
from reportkit.analysis.planning.far_apart import alike
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.others import other_answers
from reportkit.analysis.planning.pilot import Pilot, pilot_of
from reportkit.analysis.planning.work import Work, ends_of, work_of
from reportkit.decisions import Decisions
from reportkit.plans import asked_of
from reportkit.stats.planning.outer_spread import outer_spread
from reportkit.stats.planning.tails import pair_ends
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import findings, methods_sentence

Z = scipy_stats.norm.ppf(0.975)


def frame(scores: dict[str, np.ndarray]) -> pd.DataFrame:
    """Scores of shape (n, K) of each model."""
    return pd.DataFrame(
        {"model": m, "question_id": f"q{i}", "epoch": k + 1, "score": x}
        for m, of in scores.items() for (i, k), x in np.ndenumerate(of)
    )  # fmt: skip


def answered(means: tuple[float, float], n: int, answers: int) -> dict[str, np.ndarray]:
    """Right and wrong answers of two models, whose chances go together."""
    rng = np.random.default_rng(7)
    ranks = rng.uniform(size=(n, 1))
    return {
        m: (rng.uniform(size=(n, answers)) < scipy_stats.beta.ppf(ranks, 2 * p, 2 * (1 - p))) * 1.0
        for m, p in zip("AB", means, strict=True)
    }


def work_from(pilot: Pilot, **said) -> Work:
    asked = asked_of(said, Decisions())
    return work_of(asked, ground_of(asked, pilot))


@functools.cache
def several() -> Pilot:
    return pilot_of(frame(answered((0.93, 0.7), 80, 3)), Decisions())


@functools.cache
def single(n: int = 400) -> Pilot:
    return pilot_of(frame(answered((0.9, 0.7), n, 1)), Decisions())


def wilson(share: float, n: float) -> np.ndarray:
    middle, half = share + Z**2 / (2 * n), Z * math.sqrt(share * (1 - share) / n + (Z / n / 2) ** 2)
    return np.array([middle - half, middle + half]) / (1 + Z**2 / n)


def told_apart(p: float, other: float, share: float) -> float:
    """The share of questions that tell two models of mean p apart, where so many tell one of them
    from the other model: with the same correlation of the normal variables behind both models'
    answers (tetrachoric, by scipy).
    """

    def right(x: float, y: float, rho: float) -> float:
        law = scipy_stats.multivariate_normal(cov=[[1.0, rho], [rho, 1.0]])
        return float(law.cdf(scipy_stats.norm.ppf([x, y])))

    both = (p + other - share) / 2.0
    rho = optimize.brentq(lambda r: right(p, other, r) - both, -0.9, 0.999)
    return 2.0 * (p - right(p, p, rho))


def test_one_answer_each_of_models_like_the_better_one():
    """A share q tells both apart (told_apart), and by equation 10 a margin M takes (z_.05 +
    z_.10)^2 q / M^2. A pilot of 400 questions, so that what is added to rare counts moves q by less
    than 2%.
    """
    w = work_from(single(), difference=0.05)
    a, b = single().scores
    p, other = a.mean(), b.mean()
    q = told_apart(p, other, (a != b).mean())
    found = {o.name: o for o in other_answers(w, need_of(w, 0.05), single())}
    z = scipy_stats.norm.ppf([0.95, 0.9, 0.8])
    for name, power in (("equivalence", z[1]), ("non-inferiority", z[2])):
        assert found[name].equation == pytest.approx((z[0] + power) ** 2 * q / 0.05**2, rel=0.02)
        assert found[name].low < found[name].questions < found[name].high
    apart = (a != b).mean() - (p - other) ** 2
    assert q < 0.6 * apart  # what it took before


def test_questions_of_their_own_have_the_range_of_the_better_mean():
    """2 p (1 - p) of two models like the better one: p (1 - p) at both ends of Wilson's interval of
    p, over the sum of both models', which is seen with chi-squared ends; both together by MOVER on
    the log scale. Little is added to counts of 400 questions: within 2%.
    """
    w = work_from(single(), difference=0.05, design="unpaired")
    a, b = (x.mean() for x in single().scores)
    ends = wilson(a, 400)
    seen, other = 400 * w.basis.power.se**2, b * (1 - b)

    def part(p: float) -> float:
        return p * (1 - p) / (p * (1 - p) + other)

    for end, factor, p in zip(ends_of(w, w.shape), w.factors, ends[::-1], strict=True):
        far = math.hypot(math.log(factor), math.log(part(p) / part(a)))
        expected = seen * math.exp(math.copysign(far, math.log(factor)))
        assert end.variance == pytest.approx(expected, rel=0.02)
        assert abs(math.log(end.variance / seen)) > 1.5 * abs(math.log(factor))


def test_several_answers_have_the_range_of_the_better_mean():
    """Wilson's interval of as many answers as vary like its mean; the variance at both ends of it
    by the law of the plan, which other tests have.
    """
    w = work_from(several(), difference=0.05)
    design = w.basis.design(w.shape)
    p = several().scores[0].mean()
    se = scipy_stats.sem(several().scores[0])
    seen, now = 80 * design.se.item() ** 2, alike(design)[1]
    assert now < 0.6
    ends = wilson(p, p * (1 - p) / se**2)
    for end, factor, mean in zip(ends_of(w, w.shape), w.factors, ends[::-1], strict=True):
        there = alike(replace(design, mean_a=np.array([mean])))[1]
        far = math.hypot(math.log(factor), math.log(there / now))
        expected = seen * math.exp(math.copysign(far, math.log(factor)))
        assert end.variance == pytest.approx(expected, rel=1e-6)


def test_one_answer_each_at_the_ends_of_both():
    """Wilson's interval of the share that tells the models apart, and that of the better mean, of
    which as many questions tell them apart: two models like the better one then vary by as much as
    MOVER says, but for what is added to rare counts.
    """
    w = work_from(single(), difference=0.05)
    a, b = single().scores
    p, other, q = a.mean(), b.mean(), (a != b).mean()
    now = told_apart(p, other, q)
    for end, share, mean in zip(
        ends_of(w, w.shape), wilson(q, 400), wilson(p, 400)[::-1], strict=True
    ):
        seen, moved = told_apart(p, other, share), told_apart(mean, other, q)
        far = math.copysign(math.hypot(*np.log([seen / now, moved / now])), share - q)
        d = end.design
        found = d.n.item() * d.se.item() ** 2 * alike(d)[1]
        assert math.log(found / now) == pytest.approx(far, rel=0.05)


def shares(n: int, rng: np.random.Generator) -> np.ndarray:
    """Of two models, 0 to 4 fifths right and more, shape (2, n)."""
    ranks = rng.uniform(size=n)
    chances = [scipy_stats.beta.ppf(ranks, 3 * p, 3 * (1 - p)) for p in (0.9, 0.7)]
    return np.array([rng.binomial(5, c) / 5 for c in chances])


def test_the_spread_of_the_outer_model_and_its_error():
    """(p - low) (high - p) at the outer mean over the mean of both, by the ends that plans take;
    its standard error by 4,000 bootstrap draws, within 15% of 120 questions.
    """
    rng = np.random.default_rng(3)
    x, y = shares(120, rng)
    spread, se = outer_spread(x, y)
    low, high = (v.item() for v in pair_ends(np.array([x, y]).T, np.array([0]), np.array([1])))
    first, second = ((m.mean() - low) * (high - m.mean()) for m in (x, y))
    # by variances over n, and these over n - 1
    assert spread == pytest.approx(2.0 * first / (first + second), abs=0.02)
    drawn = [rng.integers(120, size=120) for _ in range(4000)]
    assert se == pytest.approx(np.std([outer_spread(x[i], y[i])[0] for i in drawn]), rel=0.15)
    assert outer_spread(y, x)[0] > 1.0 > spread > 0.3
    assert math.isnan(outer_spread(np.ones(5), np.zeros(5))[0])
    assert math.isnan(outer_spread(np.ones(1), np.zeros(1))[1])


def test_shares_have_the_range_of_the_better_models_spread():
    """g -+ t SE of outer_spread, t with 119 degrees of freedom, and the chi-squared range."""
    x, y = shares(120, np.random.default_rng(3))
    pilot = pilot_of(frame({"A": x[:, None], "B": y[:, None]}), Decisions(range="0,1"))
    w = work_from(pilot, difference=0.04)
    seen = (x - y).var(ddof=1)
    g, se = outer_spread(x, y)
    half = scipy_stats.t.ppf(0.975, 119) * se
    for end, factor, there in zip(
        ends_of(w, w.shape), w.factors, (g - half, g + half), strict=True
    ):
        far = math.hypot(math.log(factor), math.log(there / g))
        expected = seen * math.exp(math.copysign(far, math.log(factor)))
        assert end.variance == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("mean", [1.0, 0.0])
def test_a_model_without_a_wrong_answer_is_no_error(mean):
    rng = np.random.default_rng(5)
    of = {"A": np.full((60, 3), mean), "B": (rng.uniform(size=(60, 3)) < 0.5) * 1.0}
    w = work_from(pilot_of(frame(of), Decisions()), difference=0.05)
    need = need_of(w, 0.05)
    assert math.isnan(need.high) or need.low <= need.questions <= need.high


def test_the_plan_names_both_scores():
    """Right answers of 120 questions: counted here. Wilson's interval as above."""
    scores = answered((0.93, 0.7), 120, 1)
    p = plan(scores=frame(scores), difference=0.05)
    right = [of.mean(axis=1) for of in scores.values()]
    mean = right[0].mean()
    low, high = wilson(mean, 120)
    like = p.pilot.like
    assert (like.score, like.low, like.high) == pytest.approx((mean, low, high)) and like.down
    first, second = (f"{100 * x:.2f}".rstrip("0").rstrip(".") + "%" for x in (mean, mean - 0.05))
    assert f"a true difference of 5 percentage points (from {first} to {second})" in (
        methods_sentence(p)
    ) and f"5 percentage points (from {first} to {second})" in findings(p)
    text = " ".join(str(t) for t in told(p))
    assert f"The plan is for one at {first} and one at {second}." in text
    assert f"of models that do not differ (both at {first})." in text
    assert "with the SE of the pilot's two models" in text
    ends = " to ".join(f"{100 * x:.2f}".rstrip("0").rstrip(".") + "%" for x in (low, high))
    assert f"The range also allows for the error of the score of {first} ({ends})." in text


def test_shares_name_the_score_alone():
    x, y = shares(120, np.random.default_rng(3))
    scores = frame({"A": 1.0 - x[:, None], "B": 1.0 - y[:, None]})
    p = plan(scores=scores, difference=0.04, decisions=Decisions(range="0,1"))
    like = p.pilot.like
    assert not like.down and like.score == pytest.approx((1.0 - x).mean()) and math.isnan(like.low)
    assert like.other(0.04) == like.score + 0.04
    assert "The range also allows for what is not known of how scores vary at" in " ".join(
        str(t) for t in told(p)
    )


def test_models_that_are_near_each_other_name_none():
    p = plan(scores=frame(answered((0.8, 0.79), 80, 2)), difference=0.05)
    assert p.pilot.like is None and "(from" not in methods_sentence(p)


def test_a_range_that_is_missing_says_why():
    """One wrong answer of 60 of the better model; no question that both have wrong, as in no other
    question is one of them wrong.
    """
    ones, few, many = np.ones((60, 1)), np.ones((60, 1)), np.ones((60, 1))
    few[0], many[:12], ones[20:28] = 0.0, 0.0, 0.0
    said = "show is taken as certain, and no range tells of it, as"
    for a, b, why in (
        (few, many, "a model has fewer than 5 questions with a wrong answer"),
        (1.0 - few, 1.0 - many, "a model has fewer than 5 questions with a right answer"),
        (ones, many, "no question has a wrong answer of both models"),
    ):
        p = plan(scores=frame({"A": a, "B": b}), difference=0.1, mean=0.7)
        assert [n for n in p.notes if n.endswith(f"{said} {why}.")], p.notes


def test_a_model_whose_shares_are_all_the_same_has_no_range():
    """They show nothing of how its scores vary."""
    x, y = np.full((60, 1), 0.9), np.random.default_rng(5).uniform(0.2, 0.6, (60, 1))
    w = work_from(pilot_of(frame({"A": x, "B": y}), Decisions(range="0,1")), difference=0.05)
    assert ends_of(w, w.shape) == () and math.isnan(need_of(w, 0.05).high)


def test_which_model_is_the_baseline_changes_no_range():
    """With A as the baseline the comparison is B minus A."""
    x, y = shares(120, np.random.default_rng(3))
    scores = frame({"A": x[:, None], "B": y[:, None]})
    found = []
    for baseline in ("", "A"):
        told = Decisions(range="0,1", models=("A", "B"), baseline=baseline)
        w = work_from(pilot_of(scores, told), difference=0.04)
        found.append([end.variance for end in ends_of(w, w.shape)])
    assert found[0] == pytest.approx(found[1])
