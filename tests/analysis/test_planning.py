"""A plan: worked examples, independent computations, what cannot be reached and what cannot be."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

import reportkit
from reportkit import stats
from reportkit.analysis.planning.answers import need_of
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import NO_LIMIT, PROBABILITIES
from reportkit.analysis.planning.public import public_range
from reportkit.analysis.planning.unused import unused
from reportkit.analysis.planning.work import work_of
from reportkit.decisions import Decisions
from reportkit.errors import PlanError, UnknownNameError
from reportkit.plans import Asked, asked_of
from reportkit.tables.planning import kinds as planning_tables
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.prose import findings, methods_sentence
from reportkit.tables.planning.words import needed_text, words_of

Z = 1.959964 + 0.841621  # z_{.025} + z_{.20}, statistics.md section 0


def uniform(n: int, k: int, seed: int = 1) -> pd.DataFrame:
    """Two models whose chances are uniform over questions, with correlation 0.5."""
    rng = np.random.default_rng(seed)
    first, other = rng.random(n), rng.random(n)
    second = np.where(rng.random(n) < 0.5, first, other)
    rows = []
    for model, chance in (("A", first), ("B", second)):
        for epoch in range(1, k + 1):
            score = (rng.random(n) < chance).astype(float)
            ids = [f"q{i}" for i in range(n)]
            rows.append(
                pd.DataFrame({"model": model, "question_id": ids, "score": score, "epoch": epoch})
            )
    return pd.concat(rows, ignore_index=True)


def needed_alone(**said):
    """The first answer of a plan, which takes a tenth of the time of all of them."""
    asked = asked_of(said)
    return need_of(work_of(asked, ground_of(asked, None)), asked.difference)


# The paper's worked examples ----------------------------------------------------------------------


@pytest.mark.parametrize(("omega2", "printed"), [(1 / 9, 969), (1 / 12, 727)])
def test_the_example_of_equation_9(omega2, printed):
    """As the paper prints it, and with 1/12 (X2)."""
    found = need_alone(difference=0.03, omega2=omega2)
    assert found.equation == printed
    # the t test asks for 2 more, Guenther 1981
    assert found.questions == printed + 2


@pytest.mark.parametrize(
    ("omega2", "one", "ten"), [(1 / 9, 0.13273, 0.07567), (1 / 12, 0.12852, 0.06801)]
)
def test_the_example_of_equation_10(omega2, one, ten):
    """13.273% and 7.567%, which the paper cuts to 13.2 and 7.5 (X7); with 1/12 12.85% and 6.80%."""
    for epochs, value in ((1, one), (10, ten)):
        p = plan(difference=0.03, omega2=omega2, sigma2=1 / 6, questions=198, epochs=epochs)
        assert p.found.equation == pytest.approx(value, abs=1e-5)
        assert p.found.detectable == pytest.approx(value * 1.005, rel=3e-3)  # by t with 197 df


def test_the_plug_in_counts_the_noise_twice():
    """X6: 1,308 questions with omega^2 corrected, 1,890 as appendix C prints it, at K = 5."""
    facts = plan(None, uniform(20_000, 5), difference=0.03).pilot
    assert facts.questions_corrected == pytest.approx(1308, rel=0.03)
    assert facts.questions_printed == pytest.approx(1890, rel=0.03)
    noise = facts.sigma2_a / 5 + facts.sigma2_b / 5
    assert facts.omega2_printed == pytest.approx(facts.omega2 + noise, rel=1e-3)
    assert facts.questions_low < facts.questions_corrected < facts.questions_high


def test_what_is_given_as_variances_is_what_is_given_as_scores():
    """Uniform chances: Var(x) = 1/12, sigma^2 = 1/6, so that noise is 2/3 and r = 1/24 / (1/4)."""
    p = plan(difference=0.03, mean=0.5, noise=2 / 3, correlation=1 / 6, epochs=5)
    assert p.variances.omega2 == pytest.approx(1 / 12)
    assert p.variances.sigma2_a == p.variances.sigma2_b == pytest.approx(1 / 6)
    assert p.need.equation == 1309  # 7.84888 * 0.15 / 0.0009 = 1308.1


# Independent computations -------------------------------------------------------------------------


def test_mcnemars_power_by_enumeration():
    """Both counts of discordant questions, by the multinomial law; tetrachoric shares by scipy."""
    p = plan(difference=0.1, mean=0.9, correlation=0.3)
    n = int(p.need.questions)
    # 0/1 scores of mean 0.9 and correlation 0.3: the latent correlation, then a mean of 0.8
    a, target = 0.9, 0.81 + 0.3 * 0.09
    h = scipy_stats.norm.ppf(a)

    def both(r, x, y):
        return scipy_stats.multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([x, y])

    low, high = 0.0, 0.99
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if both(middle, h, h) < target else (low, middle)
    p11 = both(low, h, scipy_stats.norm.ppf(0.8))
    p10, p01 = 0.9 - p11, 0.8 - p11
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    rest = np.maximum(n - b - c, 0)
    lg = scipy_stats.multinomial(n, [p10, p01, 1 - p10 - p01]).logpmf(np.stack([b, c, rest], -1))
    chance = np.where(b + c <= n, np.exp(lg), 0.0)
    z = np.abs(b - c) > 1.959964 * np.sqrt(np.maximum(b + c, 1))
    power = float(chance[z & (b + c > 0)].sum())
    assert power == pytest.approx(0.80, abs=0.012)  # in steps: the test is discrete
    assert p.found.power == pytest.approx(power, abs=0.012)


def test_a_planned_power_is_delivered_in_clusters():
    """Twelve clusters of ten right and wrong answers, drawn here, tested by paired_difference."""
    p = plan(
        difference=0.1, mean=0.7, correlation=0.2, noise=0.5, icc=0.06, icc_scores=0.1,
        cluster_size=10, questions=120,
    )  # fmt: skip
    rng = np.random.default_rng(3)
    # latent normals; their correlations by the tetrachoric shares of the covariances
    h, g, m = scipy_stats.norm.ppf(0.7), 12, 10
    shared, own, models = (
        math.tanh(float(v))
        for v in np.ravel(
            [latent(0.7, c) for c in (0.1 * 0.21, 0.1 * 0.21 - 0.06 * 0.336 / 2, 0.2 * 0.21)]
        )
    )
    crossed = own  # of two models in a cluster; `shared` of one
    low = 0.7 - p.found.detectable
    hits, repeats = 0, 1500
    for _ in range(repeats):
        both = rng.standard_normal((g, 1)) * math.sqrt(crossed)
        question = rng.standard_normal((g, m)) * math.sqrt(max(models - crossed, 0.0))
        scores = []
        for mean in (0.7, low):
            alone = rng.standard_normal((g, 1)) * math.sqrt(shared - crossed)
            rest = rng.standard_normal((g, m))
            rest *= math.sqrt(1 - crossed - (shared - crossed) - max(models - crossed, 0.0))
            at = scipy_stats.norm.ppf(mean) + both + question + alone + rest
            scores.append((at > 0).astype(float).ravel())
        clusters = np.repeat(np.arange(g), m)
        hits += stats.paired_difference(*scores, clusters, binary=True).p_value < 0.05
    assert h > 0
    assert hits / repeats == pytest.approx(0.80, abs=0.04)  # 0.02, and three simulation errors


def latent(mean: float, covariance: float) -> np.ndarray:
    from reportkit.stats.planning.expected_law import latent_of

    return latent_of(mean, np.array([covariance]))


def test_several_comparisons_are_a_stricter_level():
    many = plan(difference=0.05, mean=0.7, correlation=0.4, comparisons=4)
    alone = plan(difference=0.05, mean=0.7, correlation=0.4, level=1 - 0.05 / 4)
    assert many.need.adjusted == alone.need.questions
    assert many.found.adjusted == pytest.approx(
        plan(
            difference=0.05, mean=0.7, correlation=0.4, level=0.9875, questions=many.need.questions
        ).found.detectable
    )


def test_the_cheapest_design_is_the_cheapest_of_all():
    """Brute force over equal numbers of answers, each with its own plan."""
    asked = {"difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.5}
    costs = {"cost_question": 4.0, "cost_answer": 0.25}
    p = plan(**asked, **costs)
    by_hand = {}
    for k in range(1, 13):
        n = needed_alone(**asked, epochs=k).questions
        by_hand[k] = n * (4.0 + 2 * 0.25 * k)
    found = next(c for c in p.cheapest if c.difference == 0.05)
    assert found.cost == pytest.approx(min(by_hand.values()))
    best = next(a for a in p.answers if a.best)
    assert best.cost <= 1.01 * min(by_hand.values())


def test_the_limit_and_next_token_probabilities():
    """No answer noise is left: n = z^2 omega^2 / d^2, and a power of t for it."""
    p = plan(difference=0.05, mean=0.5, correlation=0.2, noise=0.5)
    limit = next(a for a in p.answers if a.name == NO_LIMIT)
    probabilities = next(a for a in p.answers if a.name == PROBABILITIES)
    omega2 = 2 * 0.25 * (1 - 0.5 - 0.2)
    assert limit.variance == pytest.approx(omega2)
    assert limit.questions == probabilities.questions
    assert limit.questions == pytest.approx(Z**2 * omega2 / 0.05**2, rel=0.03)
    assert p.share_epochs == stats.epochs_for_share(omega2, 0.25)


@pytest.mark.parametrize("answers", ["shares", "own-units"])
def test_answers_that_are_no_single_token_have_no_next_token_probabilities(answers):
    p = plan(difference=0.05, answers=answers, mean=0.5, spread=0.4, correlation=0.2, noise=0.5)
    assert [a.name for a in p.answers if a.name] == [NO_LIMIT]


def test_a_random_subset_of_this_eval_alone():
    """(1 - n/N) V/n + (n/N) noise/n = d^2/z^2, solved for n: V / (d^2/z^2 + omega^2/N)."""
    p = plan(difference=0.03, omega2=1 / 12, sigma2=0.01, questions=1000)
    found = {o.name: o for o in p.others}
    total = 1 / 12 + 0.02
    by_hand = total / (0.03**2 / Z**2 + (1 / 12) / 1000)
    assert found["subset, this eval alone"].questions == pytest.approx(by_hand, rel=0.01)
    assert found["subset"].questions == p.need.questions
    assert found["subset"].share == pytest.approx(p.need.questions / 1000)


def test_equivalence_needs_what_two_one_sided_tests_need():
    """n = (z_.05 + z_.10)^2 V / M^2 for 80% with no difference: 1.6449 + 1.2816."""
    p = plan(difference=0.03, omega2=1 / 12, margin=0.05)
    found = {o.name: o for o in p.others}
    assert found["equivalence"].equation == math.ceil((1.644854 + 1.281552) ** 2 / 12 / 0.05**2)
    assert found["non-inferiority"].equation == math.ceil((1.644854 + 0.841621) ** 2 / 12 / 0.05**2)


def test_unpaired_needs_both_variances():
    p = plan(difference=0.05, answers="shares", mean=0.5, spread=0.3, correlation=0.5, noise=0.1)
    found = {o.name: o for o in p.others}["unpaired"]
    assert found.equation == math.ceil(Z**2 * 2 * 0.09 / 0.05**2)
    alone = plan(difference=0.05, answers="shares", mean=0.5, spread=0.3, noise=0.1,
                 design="unpaired")  # fmt: skip
    assert alone.need.questions == found.questions
    assert alone.test == "welch"


# Pilots -------------------------------------------------------------------------------------------


def test_a_pilot_of_one_answer_each_says_what_it_can():
    p = plan(None, uniform(50, 1), difference=0.05)
    assert p.need.questions > 1000 and p.need.low < p.need.questions < p.need.high
    assert math.isnan(p.variances.omega2) and math.isnan(p.share_epochs)
    more = [a for a in p.answers if a.epochs_a == 2]
    assert math.isnan(more[0].questions) and "give noise" in more[0].reason
    with_noise = plan(None, uniform(50, 1), difference=0.05, noise=0.4)
    assert [a for a in with_noise.answers if a.epochs_a == 2][0].questions < p.need.questions


def test_a_pilot_that_cannot_tell_omega2_from_0_recommends_no_more_answers():
    """Two models whose chances are the same on every question: nothing is left but answer noise."""
    rng = np.random.default_rng(8)
    chance, rows = rng.random(40), []
    for model in "AB":
        for epoch in (1, 2):
            score = (rng.random(40) < chance).astype(float)
            ids = [f"q{i}" for i in range(40)]
            rows.append(
                pd.DataFrame({"model": model, "question_id": ids, "score": score, "epoch": epoch})
            )
    p = plan(None, pd.concat(rows), difference=0.05, cost_question=9, cost_answer=0.1)
    assert p.variances.omega2 == 0.0 and math.isinf(p.share_epochs)
    [best] = [a for a in p.answers if a.best]  # of the two that are known
    known = [a for a in p.answers if a.questions == a.questions]
    assert [a.epochs_a for a in known] == [1, 2] and best.cost == min(a.cost for a in known)
    more = [a for a in p.answers if a.epochs_a > 2]
    assert all(math.isnan(a.questions) and "cannot be told from 0" in a.reason for a in more)
    assert {c.epochs_a for c in p.cheapest} <= {1.0, 2.0}


def test_where_more_answers_always_pay_the_most_that_are_planned_cost_least():
    """Without omega^2 the same precision takes n K answers, whatever K is: each further answer in
    place of a question saves its price. 57 questions of 64 answers: by equation 9 n is 55 (7.849 *
    .4 / 64 / .03^2), and 2 more by t.
    """
    p = plan(difference=0.03, omega2=0.0, sigma2=0.2, cost_question=10, cost_answer=1)
    [best] = [a for a in p.answers if a.best]
    assert math.isinf(p.share_epochs) and (best.epochs_a, best.questions) == (64, 57)
    assert best.cost == 57 * (10 + 2 * 64) == min(a.cost for a in p.answers if not a.name)
    [row] = [t for t in told(p) if t.question == "Answers to each question that cost least"]
    assert "More than 64 may cost less." in row.assumes and "pilot" not in row.assumes


def test_what_more_answers_leave_is_known_less_well_than_all():
    p = plan(None, uniform(60, 2), difference=0.05)
    rows = {a.epochs_a: a for a in p.answers}
    ratio = {k: rows[k].high / rows[k].low for k in (1.0, 2.0, 8.0)}
    assert ratio[8.0] > ratio[2.0]


def test_a_pilot_with_long_tails_leaves_a_wide_range():
    """Differences in own units: nine of ten 0, the others far off. The range is that of a variance
    with the degrees of freedom that its fourth moment leaves (Mood, Graybill and Boes 1974,
    VI.2.3), here by scipy.
    """
    n, rng = 200, np.random.default_rng(3)
    apart = np.where(rng.random(n) < 0.1, rng.normal(0, 10, n), rng.normal(0, 0.1, n))
    base = rng.normal(50, 5, n)
    rows = [
        pd.DataFrame({"model": model, "question_id": [f"q{i}" for i in range(n)], "score": score})
        for model, score in (("A", base + apart), ("B", base))
    ]
    p = plan(None, pd.concat(rows), difference=0.5)
    v, m4 = apart.var(ddof=1), ((apart - apart.mean()) ** 4).mean()
    df = 2 * v**2 / ((m4 - v**2 * (n - 3) / (n - 1)) / n)
    assert df < 30  # against the 199 of a normal law
    low, high = (df / scipy_stats.chi2.ppf(q, df) for q in (0.975, 0.025))
    # the formula with the variance at either end; one question up or down for the t quantiles
    z = scipy_stats.norm.ppf(0.975) + scipy_stats.norm.ppf(0.8)
    for end, factor in ((p.need.low, low), (p.need.high, high)):
        assert end == pytest.approx(z**2 * v * factor / 0.5**2, abs=3)


def test_the_range_is_wilsons_of_the_questions_that_tell_the_models_apart():
    p = plan(None, uniform(200, 1), difference=0.05)
    frame = uniform(200, 1).pivot(index="question_id", columns="model", values="score")
    apart = int((frame["A"] != frame["B"]).sum())
    z, share = 1.959964, apart / 200
    middle = (share + z * z / 400) / (1 + z * z / 200)
    half = z / (1 + z * z / 200) * math.sqrt(share * (1 - share) / 200 + z * z / 160_000)
    assert p.pilot.factor_low == pytest.approx((middle - half) / share, rel=1e-5)
    assert p.pilot.factor_high == pytest.approx((middle + half) / share, rel=1e-5)


def test_a_pilot_beside_what_is_expected():
    """A given correlation beats the pilot's; its mean and its noise stay."""
    p = plan(None, uniform(400, 4), difference=0.05, correlation=0.1, epochs=1)
    of = {k.name: k for k in p.known}
    assert of["correlation"].value == 0.1 and of["correlation"].source == "given"
    assert of["mean"].source == of["noise"].source == "pilot"
    assert of["noise"].value == pytest.approx(2 / 3, abs=0.04)


def test_a_pilot_of_one_model():
    frame = uniform(100, 2)
    p = plan(None, frame[frame["model"] == "A"], difference=0.05)
    of = {k.name: k.source for k in p.known}
    # 67% answer noise leaves less correlation than public evals have
    assert of["mean"] == of["noise"] == "pilot" and of["correlation"] == "default"
    assert p.need.questions > 0


def test_a_pilot_of_one_model_keeps_its_answers_and_clusters():
    """Of 40 questions in clusters of 4, with 3 answers to each, "1 answer, from the pilot" and
    questions without clusters were planned.
    """
    frame = uniform(40, 3)
    alone = frame[frame["model"] == "A"]
    clusters = alone["question_id"].str[1:].astype(int) // 4
    p = plan(None, alone.assign(cluster_id=clusters.astype(str)), difference=0.05)
    assert p.shape == Shape(3.0, 3.0, 4.0)
    of = {k.name: (k.value, k.source) for k in p.known}
    assert of["epochs"] == (3.0, "pilot") and of["cluster_size"] == (4.0, "pilot")
    given = plan(None, alone, difference=0.05, epochs=1)
    assert given.shape == Shape(1.0, 1.0)


def test_how_alike_scores_are_is_known_of_a_pilot_of_one_model():
    """What clusters add to n SE^2 of its mean, a third of it for each pair of four, over one
    answer's variance: by numpy. Questions that are nearly as hard share a cluster.
    """
    frame = uniform(40, 3)
    alone = frame[frame["model"] == "A"]
    answers = alone.groupby("question_id")["score"].agg(list)
    x = np.array(answers.tolist())
    near = x.mean(axis=1) + np.random.default_rng(3).normal(0.0, 0.4, 40)
    place = np.argsort(np.argsort(near)) // 4
    cluster = dict(zip(answers.index, place, strict=True))
    grouped = alone.assign(cluster_id=[f"c{cluster[q]}" for q in alone["question_id"]])
    off = x.mean(axis=1) - x.mean()
    together = 10 / 9 * (np.bincount(place, off) ** 2).sum() / 40
    within, alone_square = x.var(axis=1, ddof=1).mean(), off @ off / 39
    one = alone_square - within / 3 + within
    p = plan(None, grouped, difference=0.05)
    of = {k.name: (k.value, k.source) for k in p.known}
    assert 0.05 < of["icc_scores"][0] < 0.38
    assert of["icc_scores"] == (pytest.approx((together - alone_square) / 3 / one), "pilot")


def test_the_range_of_a_pilot_of_one_model_is_that_of_public_evals():
    """It shows no difference: "if the true variance is nan or nan times that of the pilot"."""
    frame = uniform(100, 1)
    p = plan(None, frame[frame["model"] == "A"], difference=0.05)
    assert p.need.low < p.need.questions < p.need.high and not p.pilot.ranges
    said = " ".join([*plan_table(p, "planning-differences").notes, *(a.assumes for a in told(p))])
    assert "nan" not in said and "the pilot's variance" not in said
    assert "the lower quartile of the correlations of public evals" in said
    pair = plan(None, frame, difference=0.05)
    assert pair.pilot.ranges
    assert "the pilot's variance" in " ".join(plan_table(pair, "planning-differences").notes)


def test_a_correlation_that_answer_noise_leaves_alone_has_no_range():
    """With 70% answer noise no more than 0.3 is left, and 0.27 is taken: below the lower quartile
    of public evals "986 (986)" was printed.
    """
    assert public_range("correlation", "binary").low > 0.27
    p = plan(difference=0.05, mean=0.42, noise=0.7)
    of = {k.name: k for k in p.known}
    assert of["correlation"].value == pytest.approx(0.27) and math.isnan(of["correlation"].low)
    assert math.isnan(p.need.low) and math.isnan(p.need.high)
    notes = " ".join(plan_table(p, "planning-known").notes)
    middle = public_range("correlation", "binary").middle
    said = f"0.27, lower than in public evals ({middle}): answer noise of 70% leaves 0.30 at most"
    assert said in notes
    assert "Range:" not in notes
    usual = " ".join(plan_table(plan(difference=0.05, mean=0.42), "planning-known").notes)
    assert "of what answer noise leaves" not in usual


def test_a_pilot_on_another_scale():
    """The same answers as 0 and 100: every number of questions is the same."""
    frame = uniform(100, 2)
    shares = plan(None, frame, difference=0.05)
    percent = plan(None, frame.assign(score=100 * frame["score"]), difference=5.0)
    assert percent.need.questions == shares.need.questions
    assert percent.found.detectable == pytest.approx(100 * shares.found.detectable)
    assert not percent.percent


def test_a_clustered_pilot_plans_other_clusters():
    frame = uniform(200, 1)
    clusters = frame["question_id"].str[1:].astype(int) // 4
    p = plan(None, frame.assign(cluster_id=clusters.astype(str)), difference=0.05)
    assert p.shape == Shape(1.0, 1.0, 4.0)
    assert p.need.questions == 4 * p.need.clusters
    larger = plan(
        None, frame.assign(cluster_id=clusters.astype(str)), difference=0.05, cluster_size=10,
        icc=0.1,
    )  # fmt: skip
    assert larger.need.questions == 10 * larger.need.clusters
    assert larger.need.questions > p.need.questions


def test_two_models_that_answer_alike_show_nothing():
    frame = uniform(50, 1)
    a = frame[frame["model"] == "A"]
    p = plan(None, pd.concat([a, a.assign(model="B")]), difference=0.05)
    assert math.isnan(p.need.questions) and "same score on every question" in p.need.reason


def test_the_two_best_of_many_models_are_compared():
    frame = uniform(60, 1)
    third = frame[frame["model"] == "A"].assign(model="C", score=0.0)
    p = plan(None, pd.concat([third, frame]), difference=0.05)
    assert set(p.pilot.models) == {"A", "B"}
    assert [g.baseline for g in p.gaps][-1] == "C"
    two = plan(None, pd.concat([third, frame]), Decisions(models=("A", "C")), difference=0.05)
    assert set(two.pilot.models) == {"A", "C"}


# What cannot be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"difference": 0}, "no number of questions shows a difference of 0"),
        ({"difference": -0.1}, "give its size"),
        ({"power": 1}, "which no number of questions reaches"),
        ({"power": 80}, "write 80% as 0.8"),
        ({"power": 0.04}, "which the test has where there is no difference"),
        ({"level": 95}, "write 95% as 0.95"),
        ({"omega2": -1}, "the variance over questions of the true difference cannot be negative"),
        ({"omega2": 0.1, "sigma2": -1}, "one answer within a question cannot be negative"),
        ({"sigma2": 0.1}, "comes with omega2"),
        ({"omega2": 0.1, "mean": 0.5}, "leave out mean"),
        ({"omega2": 0}, "are both 0"),
        ({"spread": -1}, "cannot be negative"),
        ({"epochs": 0}, "give 1 or more"),
        ({"epochs": 1.5}, "a whole number of answers"),
        ({"cluster_size": 0.5}, "holds 1 question or more"),
        ({"cluster_size": 30, "questions": 20}, "do not fill one cluster"),
        ({"questions": 0}, "1 or more"),
        ({"comparisons": 0}, "1 or more"),
        ({"margin": 0}, "above 0"),
        ({"cost_answer": -1}, "a cost cannot be negative; give 0 or more"),
        ({"cost_answer": "0,002"}, "write 0.002"),
        ({"cost_models": 1}, "2 or more"),
        ({"cost_models": 3, "cost_answer_b": 1}, "mean cost as cost_answer"),
        ({"cost_models": 3, "epochs_b": 2}, "leave out epochs_b"),
        ({"mean": "x"}, "is not a number"),
        ({"difference": "x"}, "is not a number"),
        ({"mean": math.inf}, "is not a number"),
        ({"design": "pared"}, "did you mean 'paired'"),
        ({"mean": 1.0}, "no models can be told apart"),
        ({"mean": 90}, "write 90% as 0.9"),
        ({"correlation": 1}, "no difference is left to find"),
        ({"correlation": 0.6, "noise": 0.5}, "correlate by at most 0.5"),
        ({"noise": 1.5}, "is no share"),
        ({"answers": "shares", "mean": 0.5, "spread": 0.6}, "standard deviation of at most 0.5"),
        ({"answers": "own-units"}, "give spread"),
        ({"cluster_size": 5, "icc": 1.5}, "icc = 1.5 is none"),
        ({"cluster_size": 5, "icc": 0.9, "noise": 0.5, "correlation": 0.1}, "at most"),
        ({"cluster_size": 5, "icc": -0.9, "noise": 0.1}, "icc = -0.9 cannot be in clusters of 5"),
    ],
)
def test_impossible_plans_are_refused_with_the_reason(asked, why):
    with pytest.raises((PlanError, UnknownNameError), match=why):
        plan(**asked)


def test_a_plan_is_of_what_is_asked():
    asked = asked_of({"difference": 0.03, "mean": 0.8, "correlation": 0.4})
    assert plan(asked).need == plan(difference=0.03, mean=0.8, correlation=0.4).need


def test_what_is_not_asked_is_named():
    with pytest.raises(UnknownNameError, match="did you mean 'correlation'"):
        asked_of({"corelation": 0.5})


def test_what_cannot_be_reached_says_what_limits_it():
    p = plan(difference=0.01, mean=0.7, correlation=0.4, other_questions=500, questions=300)
    of = {o.name: o for o in p.others}
    published = of["against a published mean"]
    assert math.isinf(published.questions)
    # z sqrt(V_B / n_B) = 2.8016 sqrt(.21 / 500) = .0574. Of our mean without error, x, Wilson's
    # lower end of the published one is above it from x + 1.96 sqrt(x (1 - x) / 500) on; of 500
    # binomial answers, between whole numbers by parts, 80% shall be beyond
    right = np.arange(501)

    def beyond(x: float) -> float:
        edge = 500 * (x + 1.96 * math.sqrt(x * (1 - x) / 500))
        return np.interp(edge, right + 0.5, scipy_stats.binom.sf(right, 500, 0.7))

    x = optimize.brentq(lambda x: beyond(x) - 0.8, 0.5, 0.69)
    told = float(re.search(r"no difference below ([\d.]+) points", published.reason)[1])
    assert told == pytest.approx(100 * (0.7 - x), abs=0.01)
    assert of["subset"].equation == p.need.equation > 300
    assert math.isinf(of["subset"].questions) and "fewer than are needed" in of["subset"].reason
    assert "the scale ends" in need_alone(difference=0.8, mean=0.6).reason


def test_a_published_mean_counts_with_its_own_error():
    p = plan(difference=0.1, mean=0.7, correlation=0.4, other_questions=1000)
    found = {o.name: o for o in p.others}["against a published mean"]
    assert found.questions > found.equation == math.ceil(0.21 / (0.1**2 / Z**2 - 0.21 / 1000))


def test_few_clusters_are_not_planned():
    p = plan(difference=0.3, mean=0.6, correlation=0.3, cluster_size=50)
    assert p.need.clusters == 8 and p.need.least
    few = plan(difference=0.3, mean=0.6, correlation=0.3, cluster_size=50, questions=200)
    assert math.isnan(few.found.detectable) and "fewer than 8 clusters" in few.found.reason


def test_a_frontier_ends_where_the_questions_end():
    p = plan(difference=0.04, mean=0.7, correlation=0.3, noise=0.5, questions=600,
             cost_question=1, cost_answer=0.1)  # fmt: skip
    reached = [c for c in p.cheapest if c.cost == c.cost]
    assert all(c.questions <= 600 for c in reached) and len(reached) < len(p.cheapest)
    assert "questions themselves differ too much" in p.cheapest[0].reason


def test_a_budget_of_questions_is_used_at_its_best():
    """By asking for a number of answers on its own: the fewest whose need the budget covers; where
    answers cost little, more of them with fewer questions.
    """
    asked = {"difference": 0.03, "mean": 0.7, "correlation": 0.5, "noise": 0.3}
    found = plan(**asked, questions=1000).within
    assert found is not None
    k = found.epochs_a
    assert k > 1
    more, fewer = (need_alone(**asked, epochs=x).questions for x in (k, k - 1))
    assert found.questions == more <= 1000 < fewer
    priced = plan(**asked, questions=1000, cost_question=1.0, cost_answer=0.01)
    best = priced.within
    own = need_alone(**asked, epochs=best.epochs_a).questions
    assert best.cost == pytest.approx(own * (1.0 + 2 * 0.01 * best.epochs_a))
    assert best.cost < more * (1.0 + 2 * 0.01 * k)
    assert priced.found.cost == pytest.approx(1000 * (1.0 + 2 * 0.01))


def test_a_budget_that_no_number_of_answers_makes_enough_says_so():
    found = plan(difference=0.03, questions=200).within
    assert math.isnan(found.questions)
    assert "questions themselves differ too much" in found.reason
    assert plan(difference=0.03).within is None


@pytest.mark.parametrize("asked", [{}, {"questions": 1000}])
def test_a_printed_number_of_questions_is_the_one_that_is_priced(asked):
    """The cost over the cost of one question with its answers is the count that prints."""
    p = plan(difference=0.03, cost_question=2.0, cost_answer=0.1, **asked)
    assert needed_text(p.need).split()[0].replace(",", "") == f"{p.need.cost / 2.2:.0f}"


def test_a_last_cluster_that_is_not_full_is_counted_and_paid():
    """1,003 questions in clusters of 10: 100 are full, and 3 questions need one more."""
    asked = {"questions": 1003, "cluster_size": 10, "icc": 0.2, "cost_cluster": 5.0}
    found = plan(difference=0.03, mean=0.7, correlation=0.5, noise=0.3, **asked).found
    assert (found.clusters, found.cost) == (101, 101 * 5.0)


def test_a_budget_leads_and_the_methods_sentence_speaks_of_it():
    p = plan(difference=0.03, questions=1000)
    assert [t.question for t in told(p)][0].startswith("Smallest difference that 1,000 questions")
    assert findings(p).startswith("With 80% power, the smallest difference that 1,000 questions")
    sentence = methods_sentence(p)
    assert sentence.startswith("We use 1,000 questions, 1 answer to each")
    assert words_of(p).found_points(p.found.detectable) in sentence


def test_gaps_of_current_models():
    p = plan(difference=0.05, mean=0.8, correlation=0.4, questions=500,
             published="A:0.9; B:0.88; C:0.7")  # fmt: skip
    assert [(g.model, g.baseline, g.shown) for g in p.gaps] == [("A", "B", False), ("B", "C", True)]
    assert p.gaps[0].needed > 500 > p.gaps[1].needed


def test_the_record_is_its_own_parameters():
    """What a notebook records makes the same record again."""
    asked = Asked(difference=0.05, mean=0.8, published="A:0.9", cost_answer="0.1")
    again = asked_of(asked.parameters())
    assert again.parameters() == asked.parameters() and again.said() == asked.said()
    assert replace(asked, mean=0.7).said()["mean"] == 0.7


# Statistics that miss a quantity ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda: stats.questions_needed(0.03), "variance over questions of the two models' true"),
        (lambda: stats.minimum_detectable_effect(100), "omega2 is missing"),
        (lambda: stats.questions_range(0.03, 0.1), "degrees of freedom of the pilot's variance"),
        (lambda: stats.power(0.03), "standard error of the difference"),
        (lambda: stats.mcnemar_questions_needed(0.1), "only the second model has right"),
        (lambda: stats.unpaired_questions_needed(0.03, 0.1), "second model's question scores"),
        (lambda: stats.noninferiority_questions_needed(0.03), "variance of one question's"),
        (lambda: stats.units_needed(0.03), "variance of one question's difference"),
        (lambda: stats.best_epochs(0.1), "answer noise"),
        (lambda: stats.best_epochs(0.1, 0.1), "what one more question costs"),
        (lambda: stats.clustered_omega_squared(0.1), "intraclass correlation of the models'"),
        (lambda: stats.clusters_needed(100), "mean number of questions in a cluster"),
    ],
)
def test_a_missing_quantity_says_what_it_is_and_where_to_get_it(call, what):
    with pytest.raises(ValueError, match=what) as error:
        call()
    assert "is missing: it is " in str(error.value)


def test_the_formula_beside_mcnemars_number_is_connors():
    """q = 2 p (1 - p) (1 - r) = .108 of two equal models; (1.96 sqrt(q) + .8416 sqrt(q - D^2))^2 /
    D^2 = 336.7, where equation 9 gives 339.07."""
    p = plan(difference=0.05, mean=0.9, correlation=0.4, noise=0.0)
    assert p.need.equation == 337
    first = told(p)[0]
    assert "q - difference^2" in first.formula
    assert "gives 337" in first.assumes
    shares = plan(difference=0.05, answers="shares", omega2=0.108)
    assert told(shares)[0].formula.startswith("n = (z_{a/2} + z_b)^2 (omega^2")


def test_no_formula_for_models_that_differ_in_fewer_questions_than_the_difference():
    """Equal models at 99% that correlate by .9 differ in q = .002 of their questions."""
    p = plan(difference=0.009, mean=0.99, correlation=0.9, noise=0.0)
    assert math.isnan(p.need.equation)


def test_models_of_their_own_questions_cannot_leave_the_scale_either():
    p = plan(difference=0.7, mean=0.5)
    assert "the scale ends 50 points" in p.need.reason
    (own,) = [o for o in p.others if o.name == "unpaired"]
    assert math.isinf(own.questions)
    assert "the scale ends 50 points" in own.reason


def test_a_range_runs_from_low_to_high():
    # with 0.5% left of the scale a higher correlation asks for a few questions more
    (row,) = [x for x in plan(mean=0.995, difference=0.01).answers if x.name == PROBABILITIES]
    assert row.low < row.high


# What is given and not used -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"icc": 0.2, "icc_scores": 0.3}, ["icc", "icc_scores"]),  # no clusters
        ({"icc": 0.2, "icc_scores": 0.3, "cluster_size": 5}, []),
        ({"icc": 0.2, "cluster_size": 5, "design": "unpaired"}, ["icc"]),
        ({"correlation": 0.4, "design": "unpaired"}, ["correlation"]),
        ({"spread": 0.3}, ["spread"]),
        ({"spread": 0.3, "answers": "shares"}, []),
        ({"spread": 12.0, "mean": 40.0, "answers": "own-units"}, ["mean"]),
        ({"other_questions": 400}, ["other_questions"]),
        ({"other_se": 0.01}, ["other_se"]),  # both models answer the same questions
        ({"other_se": 0.01, "design": "unpaired"}, ["other_se"]),  # of how many questions?
        ({"other_se": 0.01, "design": "unpaired", "other_questions": 900}, ["other_se"]),
        (
            {
                "other_se": 0.01,
                "design": "unpaired",
                "other_questions": 900,
                "answers": "shares",
                "spread": 0.3,
            },
            [],
        ),
        ({"cost_cluster": 3.0, "cost_question": 1.0}, ["cost_cluster"]),
        ({"mean": 0.6, "correlation": 0.5, "noise": 0.2, "epochs": 3}, []),
    ],
)
def test_a_number_that_changes_nothing_is_told(given, names):
    asked = asked_of({"difference": 0.05} | given)
    assert [n.split(" ")[0] for n in unused(asked, ground_of(asked, None))] == names
    without = {k: v for k, v in given.items() if k not in names}
    assert needed_alone(difference=0.05, **without) == needed_alone(difference=0.05, **given)


def test_what_changes_nothing_stands_below_the_answers_and_below_what_is_known():
    p = plan(difference=0.05, spread=0.3)
    [note] = p.notes
    assert note.startswith("spread = 0.3 changes nothing: ")
    for table in (planning_tables.answers(p), planning_tables.known(p)):
        assert note in " ".join(str(table).split())


def test_a_pilot_with_several_answers_shows_its_own_noise():
    """The plan takes the pilot's; a noise that is given beside it is not used, and told."""
    pilot = uniform(60, 4)
    [note] = plan(None, pilot, difference=0.05, noise=0.1).notes
    assert note == "noise = 0.1 changes nothing: the pilot shows it."


def test_a_percentage_is_told_how_it_is_written():
    with pytest.raises(PlanError, match=r"mean = '70%' is not a number; write 70% as 0.7"):
        plan(difference=0.05, mean="70%")


@pytest.mark.slow
def test_several_comparisons_have_their_own_cost():
    """3,480 questions of 0.4 with two answers of 0.002 each; in clusters of 8."""
    asked = {"difference": 0.03, "mean": 0.7, "cost_question": 0.4, "cost_answer": 0.002}
    p = plan(asked_of(asked | {"cluster_size": 8, "comparisons": 3}))
    answers = {x.question: x.answer for x in told(p)}
    heads = list(answers)
    n, more = p.need.questions, p.need.adjusted
    cost = answers["The same, for each of 3 comparisons"].partition("costs ")[2].partition(" (")[0]
    assert float(cost.replace(",", "")) == pytest.approx(more * 0.404, abs=0.5)
    paid = answers["What that costs"].partition(" (")[0]
    assert float(paid.replace(",", "")) == pytest.approx(n * 0.404, abs=0.5)
    # "that" is the number above it
    assert heads.index("What that costs") < heads.index("The same, for each of 3 comparisons")
    assert "Answers to each question that cost least for one comparison" in heads


@pytest.mark.slow
def test_the_cost_of_several_comparisons_counts_whole_clusters():
    """Of a size that is no whole number, questions do not go with clusters exactly: 317 clusters of
    2.5 have 793 questions, counted whole.
    """
    costs = {"cost_question": 2.0, "cost_cluster": 3.0, "cost_answer": 0.1}
    p = plan(difference=0.06, mean=0.7, cluster_size=2.5, comparisons=3, **costs)
    n = p.need
    assert (n.adjusted, n.adjusted_clusters) == (793, 317)
    assert n.adjusted_cost == pytest.approx(2.2 * 793 + 3.0 * 317, abs=1e-9)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"mean": "8%"}, r"mean = '8%' is not a number; write 8% as 0\.08"),
        ({"mean": 80}, r"mean = 80 is no expected score between 0 and 1; write 80% as 0\.8"),
        ({"mean": 1}, "mean = 1 is no expected score between 0 and 1: where all answers are right"),
        ({"mean": -3}, r"mean = -3 is no expected score between 0 and 1; write 80% as 0\.8"),
        ({"noise": 1.5}, r"noise = 1\.5 is no share: it is the share of a score's variance"),
        ({"noise": 44}, r"and at most 1; write 44% as 0\.44$"),
        ({"noise": -1}, "and at most 1$"),
        ({"difference": 5}, "difference = 5: scores from 0 to 1 cannot differ by so much; write 5 "
         r"points as 0\.05; of scores in units of their own, say answers = own-units"),
        ({"difference": 1}, "cannot differ by so much; give less than 1; of scores in units"),
        ({"margin": 2}, r"margin = 2: scores from 0 to 1 .*; write 2 points as 0\.02"),
        ({"omega2": 0.1, "difference": 5}, r"difference = 5: .* write 5 points as 0\.05"),
    ],
)  # fmt: skip
def test_a_number_in_the_wrong_unit_is_named_with_the_right_one(said, message):
    with pytest.raises(PlanError, match=message):
        plan(**{"difference": 0.05, **said})


def test_a_difference_in_units_of_their_own_may_be_large():
    assert need_alone(difference=5, answers="own-units", spread=12).questions > 30


def test_a_difference_as_large_as_the_scale_of_a_pilot_is_refused():
    """Scores of 0 and 100: 100 is the whole scale, and 5 a part of it."""
    pilot = uniform(60, 1)
    pilot["score"] = 100.0 * (pilot["score"] > 0.5)
    with pytest.raises(PlanError, match="scores from 0 to 100 cannot .*; give less than 100$"):
        plan(None, pilot, difference=100)
    assert need_alone(None, pilot, difference=30).questions >= 30


def test_equivalence_is_planned_with_no_fewer_questions_than_a_difference():
    """By z, (1.645 + 1.282)^2 and (1.645 + 0.842)^2 times the variance 2 * .8 * .2 * (1 - .43) over
    .3^2 are 17.4 and 12.5 questions; no power is stated for so few.
    """
    p = plan(difference=0.3, mean=0.8)
    found = {o.name: o for o in p.others}
    assert [found[n].equation for n in ("equivalence", "non-inferiority")] == [18, 13]
    assert [found[n].questions for n in ("equivalence", "non-inferiority")] == [30, 30]
    answers = {x.question: x.answer for x in told(p)}
    head = "Questions to show that two equal models are within 30 points"
    assert answers[head] == "30 questions, the fewest that are planned"


def test_equivalence_in_clusters_is_planned_with_no_fewer_than_eight():
    p = plan(difference=0.3, mean=0.7, cluster_size=10)
    same = next(o for o in p.others if o.name == "equivalence")
    assert (same.questions, same.clusters) == (80, 8) and same.least


def test_where_all_is_given_beside_a_pilot_nothing_of_it_is_called_certain():
    pilot = uniform(60, 4)
    all_given = {"mean": 0.6, "correlation": 0.3, "spread": 0.3, "noise": 0.4}
    p = plan(None, pilot, difference=0.05, **all_given)
    assert math.isnan(p.need.low) and not any("certain" in n for n in p.notes)


# What is asked, and what is decided of a pilot ----------------------------------------------------


def test_a_decision_on_a_pilot_is_told_from_what_is_asked():
    """ "did you mean 'cost_cluster'?" was no help."""
    with pytest.raises(UnknownNameError, match=r"give decisions=Decisions\(cluster=\.\.\.\)"):
        plan(difference=0.05, cluster="passage")
    with pytest.raises(UnknownNameError, match="did you mean 'cost_cluster'"):
        plan(difference=0.05, cost_clusters=2)


def test_plans_of_tests_are_plans():
    """support.plans makes parts of a plan where they are read."""
    asked = {"difference": 0.05, "mean": 0.8, "cost_question": 5.0, "cost_answer": 0.1}
    whole, later = reportkit.plan(**asked), plan(**asked)
    assert repr(whole.need) == repr(later.need) == repr(need_alone(**asked))
    for part in ("curves", "epochs_curve", "answers", "cheapest", "others"):
        made = getattr(whole, part)
        assert len(made) > 0 and repr(made) == repr(tuple(getattr(later, part))), part


def test_level_and_power_of_the_decisions_hold_where_none_are_asked():
    decided = Decisions(level=0.9, power=0.7)
    asked = plan(difference=0.05, mean=0.8, level=0.9, power=0.7)
    assert plan(difference=0.05, mean=0.8, decisions=decided).need == asked.need
    assert asked.need != need_alone(difference=0.05, mean=0.8)
