"""What a plan takes from a pilot, and its rows of questions and differences: by numpy and scipy."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from scipy.optimize import brentq
from support.plans import plan

from reportkit.analysis.planning.answered import PILOT
from reportkit.analysis.planning.answers import (
    _differences,
    _founds,
    _gaps,
    _unknown,
    need_of,
)
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.changed import certain
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.layouts import answers_rows, epochs_curve
from reportkit.analysis.planning.limits import limits_of
from reportkit.analysis.planning.others import OF_THIS_EVAL, other_answers
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.pilot_facts import pilot_facts
from reportkit.analysis.planning.solve import detectable, needed
from reportkit.analysis.planning.work import Work, range_factors, range_of, work_of
from reportkit.decisions import Decisions
from reportkit.errors import PlanError
from reportkit.plans import asked_of
from reportkit.stats.planning.alternative import grown_at
from reportkit.stats.planning.outer_spread import outer_spread

Z_LEVEL, Z_POWER = scipy_stats.norm.ppf(0.975), scipy_stats.norm.ppf(0.8)
Z = Z_LEVEL + Z_POWER
SINGLE = {"difference": 0.05, "mean": 0.7, "correlation": 0.3, "noise": 0.3}
N, K = 60, 2


def work(pilot=None, **said) -> Work:
    asked = asked_of(said)
    return work_of(asked, ground_of(asked, pilot))


def frame_of(answers: np.ndarray, clusters: int = 0) -> pd.DataFrame:
    """answers: models x questions x answers; clusters: questions of each."""
    rows = [
        {"model": "AB"[m], "question_id": f"q{q}", "epoch": k + 1, "score": score}
        for (m, q, k), score in np.ndenumerate(answers)
    ]
    frame = pd.DataFrame(rows)
    if clusters:
        frame["cluster_id"] = (frame["question_id"].str[1:].astype(int) // clusters).astype(str)
    return frame


@pytest.fixture(scope="module")
def answers() -> np.ndarray:
    """Two models of 60 questions and two answers, shares that go together."""
    rng = np.random.default_rng(4)
    question, passage = rng.uniform(-0.1, 0.1, (1, N, 1)), rng.uniform(-0.1, 0.1, (2, N // 4))
    grouped = np.repeat(passage, 4, axis=1)[:, :, None]
    noise = rng.uniform(-0.15, 0.15, (2, N, K))
    return np.array([0.6, 0.5])[:, None, None] + question + grouped + noise


@pytest.fixture(scope="module")
def several(answers):
    return pilot_of(frame_of(answers), Decisions())


@pytest.fixture(scope="module")
def single(answers):
    return pilot_of(frame_of(answers[:, :, :1]), Decisions())


@pytest.fixture(scope="module")
def clustered(answers):
    return pilot_of(frame_of(answers, 4), Decisions())


def parts(answers: np.ndarray) -> tuple[float, float, float]:
    """n SE^2 of the difference of means, and what answers to a question vary by."""
    gap = answers.mean(axis=2)[0] - answers.mean(axis=2)[1]
    within = answers.var(axis=2, ddof=1).mean(axis=1)
    return gap.var(ddof=1), within[0], within[1]


def spread(answers: np.ndarray) -> tuple[float, float]:
    """The variance of scores at the better model's mean over that of both, and its SE; see
    tests/analysis/test_planning_far_apart.py.
    """
    return outer_spread(*answers.mean(axis=2))


def ends(answers: np.ndarray, w: Work, part: float = 1.0) -> tuple[float, float]:
    """The 95% range of the variance of models like the better one, which the pilot's two are 0.1
    apart from: chi-squared, and g -+ t SE by spread; both together by MOVER on the log scale. part:
    of the pilot's variance that is planned.
    """
    g, se = spread(answers)
    half = scipy_stats.t.ppf(0.975, N - 1) * se
    low, high = (1 + (f - 1) / part for f in w.factors)
    down, up = (math.log(x / g) for x in (g - half, g + half))
    return math.exp(-math.hypot(math.log(low), down)), math.exp(math.hypot(math.log(high), up))


def test_the_variances_of_several_answers(answers, several):
    """omega^2 is what is left of the variance of d without half of each model's noise."""
    observed, first, second = parts(answers)
    w = work(several, difference=0.05)
    v = w.variances()
    assert (v.sigma2_a, v.sigma2_b) == pytest.approx((first, second))
    assert v.omega2 == pytest.approx(observed - (first + second) / 2)
    assert w.shape == Shape(2.0, 2.0) and v.at(w.shape) == pytest.approx(observed)
    design = w.basis.design(w.shape)
    assert design.se.item() ** 2 * N == pytest.approx(observed) and design.left is None
    more = w.basis.design(Shape(8.0, 4.0))
    after = v.omega2 + first / 8 + second / 4
    assert more.se.item() ** 2 * N == pytest.approx(after)
    assert more.left.item() == pytest.approx(after / observed)
    # as if each model had so many times 2 answers: 1/2 + 1/2 over 1/8 + 1/4
    assert more.answers.item() == 2.0 and more.more.item() == pytest.approx(1.0 / 0.375)
    assert w.basis.part(Shape(8.0, 4.0)) == pytest.approx(after / observed)
    # each of 4 others shares .1 of one answer's difference, which has all of both models' noise
    given, one = Observation(several, icc=0.1), observed + (first + second) / 2
    assert given.variances(5.0).omega2 == pytest.approx(v.omega2 + one * 4 * 0.1)
    in_clusters = given.design(Shape(2.0, 2.0, 5.0))
    assert in_clusters.se.item() ** 2 * N == pytest.approx(observed + one * 4 * 0.1)


def test_the_variances_of_one_answer(answers, single):
    """They are not known apart, unless the share of noise is given: .4 of each model's."""
    one = answers[:, :, 0]
    observed = (one[0] - one[1]).var(ddof=1)
    assert math.isnan(work(single, difference=0.05).variances().omega2)
    given = work(single, difference=0.05, noise=0.1)
    assert [(k.value, k.source) for k in given.ground.known if k.name == "noise"] == [
        (0.1, "given")
    ]
    v = given.variances()
    noise = 0.1 * one.var(axis=1, ddof=1)
    assert (v.sigma2_a, v.sigma2_b) == pytest.approx(tuple(noise))
    assert v.omega2 == pytest.approx(observed - noise.sum())
    need = need_of(work(single, difference=0.05), 0.05)
    assert need.equation == math.ceil(Z**2 * observed / 0.05**2)


def test_the_variances_in_clusters(answers, clustered):
    """In the pilot's clusters of 4 the variance is G / (G - 1) times the sum of squared sums over n
    (of clusters of one size, CR2 is that); each of 3 others shares a third of what it adds.
    """
    observed, first, second = parts(answers)
    gap = answers.mean(axis=2)[0] - answers.mean(axis=2)[1]
    sums, g = (gap - gap.mean()).reshape(-1, 4).sum(axis=1), N // 4
    total = g / (g - 1) * (sums**2).sum() / N
    w = work(clustered, difference=0.05)
    assert w.shape == Shape(2.0, 2.0, 4.0)
    assert w.variances().at(w.shape) == pytest.approx(total)
    shared = (total - observed) / 3
    noise = (first + second) / 2
    icc = w.basis.in_cluster(4.0)  # of one answer each, as the one that is given
    assert icc == pytest.approx(shared / (observed + noise))
    again = work(clustered, difference=0.05, icc=icc)
    assert again.variances().at(w.shape) == pytest.approx(total)
    assert again.basis.design(w.shape).se.item() ** 2 * N == pytest.approx(total)
    wider = w.basis.variances(10.0)
    assert wider.omega2 == pytest.approx(observed - noise + 9 * shared)
    assert w.basis.variances(1.0).omega2 == pytest.approx(observed - noise)
    design = w.basis.design(Shape(2.0, 2.0, 10.0))
    assert design.se.item() ** 2 * N == pytest.approx(observed + 9 * shared)
    assert design.clusters.item() == 6.0


def test_what_clusters_of_a_pilot_share_goes_with_another_mean(answers):
    """Of one answer's difference: what two questions of a passage share, over its variance of
    omega^2 and the noise of both models. That of public evals, .03, was taken.
    """
    alone = np.random.default_rng(6).uniform(-0.15, 0.15, (2, N, 1))  # of no passage
    answers = answers + alone
    clustered = pilot_of(frame_of(answers, 4), Decisions())
    observed, first, second = parts(answers)
    gap = answers.mean(axis=2)[0] - answers.mean(axis=2)[1]
    sums, g = (gap - gap.mean()).reshape(-1, 4).sum(axis=1), N // 4
    shared = (g / (g - 1) * (sums**2).sum() / N - observed) / 3
    one = observed + (first + second) / 2
    assert 0.05 < shared / one < 0.3
    asked = asked_of({"difference": 0.05, "mean": 0.6})
    known = {k.name: k for k in ground_of(asked, clustered).known}
    assert (known["icc"].source, known["icc"].value) == (PILOT, pytest.approx(shared / one))
    given = ground_of(asked_of({"difference": 0.05, "mean": 0.6, "icc": 0.2}), clustered)
    assert next(k for k in given.known if k.name == "icc").value == 0.2


def test_clusters_of_a_pilot_are_as_large_as_the_questions_that_both_answered(answers):
    """60 questions of A in 15 clusters, 50 of them of B too: 3.33 in each. So many questions as are
    planned find the difference that they are planned for.
    """
    frame = frame_of(answers, 4)
    lost = frame["question_id"].isin([f"q{q}" for q in range(0, 40, 4)]) & (frame["model"] == "B")
    w = work(pilot_of(frame[~lost], Decisions()), difference=0.05)
    assert w.shape.cluster_size == pytest.approx(50 / 15)
    need = need_of(w, 0.05)
    assert need.questions == math.ceil(need.clusters * 50 / 15 - 1e-9)
    assert need.questions != need.clusters * 50 / 15  # else the next line shows nothing
    assert _founds(w, [need.questions])[0].clusters == need.clusters
    least, fewer = (
        detectable([w.basis.design(w.shape)], clusters * 50 / 15, [w.shape], w.goal)[0].difference
        for clusters in (need.clusters, need.clusters - 1)
    )
    assert least <= 0.05 < fewer


def test_how_alike_scores_in_a_cluster_are(answers, clustered):
    """Clusters of 4: the squared SE of the mean is 1 + 3 r times that of 60 questions; of one
    answer it is less, and the mean of both models'.
    """
    x = answers.mean(axis=2)
    of_clusters = scipy_stats.sem(x.reshape(2, N // 4, 4).mean(axis=2), axis=1)
    r = ((of_clusters / scipy_stats.sem(x, axis=1)) ** 2 - 1) / 3
    # of one answer's variance, which is more than that of the means of two
    noise = answers.var(axis=2, ddof=1).mean(axis=1) / 2
    r = r * x.var(axis=1, ddof=1) / (x.var(axis=1, ddof=1) + noise)
    assert (r > 0.08).all() and abs(r[0] - r[1]) > 0.02
    assert clustered.icc_scores == pytest.approx(r.mean())


def test_what_is_known_from_a_pilot_of_several_answers(answers, several):
    """Of one answer each: the covariance of the means over both models' whole standard deviation,
    and the mean share of noise.
    """
    means, within = answers.mean(axis=2), answers.var(axis=2, ddof=1).mean(axis=1)
    whole = means.var(axis=1, ddof=1) + within * (1 - 1 / K)
    known = {k.name: k.value for k in work(several, difference=0.05, mean=0.6).ground.known}
    cov = np.cov(means)[0, 1]
    assert known["correlation"] == pytest.approx(cov / math.sqrt(whole[0] * whole[1]))
    assert known["noise"] == pytest.approx((within / whole).mean())
    assert known["spread"] == pytest.approx(np.sqrt(whole).mean())
    seen = {k.name: k.value for k in work(several, difference=0.05).ground.known}
    assert (seen["mean of A"], seen["mean of B"]) == pytest.approx(tuple(means.mean(axis=1)))
    assert seen["noise"] == pytest.approx(known["noise"])


def test_the_facts_of_a_pilot(answers, several):
    """Equation 9 with its variances, and with those that appendix C prints, which count the noise
    twice; the chi-squared range of its degrees of freedom.
    """
    observed, first, second = parts(answers)
    w = work(several, difference=0.05)
    f = pilot_facts(w, several)
    df = w.basis.pilot_df
    factors = df / scipy_stats.chi2.ppf((0.975, 0.025), df)
    assert N - 1 < df < N + 10  # tails shorter than normal ones
    assert range_factors(w.ground) == pytest.approx(tuple(factors))
    assert (f.factor_low, f.factor_high) == pytest.approx(tuple(factors))
    n = Z**2 * observed / 0.05**2
    assert f.questions_corrected == math.ceil(n)
    assert (f.questions_low, f.questions_high) == tuple(np.ceil(n * factors))
    assert f.omega2 == pytest.approx(observed - (first + second) / 2)
    assert f.omega2_printed == pytest.approx(observed * (N - 1) / N)  # the paper divides by n
    printed = f.omega2_printed + (f.sigma2_printed_a + f.sigma2_printed_b) / 2
    assert f.questions_printed == math.ceil(Z**2 * printed / 0.05**2)
    assert (f.sigma2_a, f.sigma2_b, f.df) == pytest.approx((first, second, df))
    assert (f.n_questions, f.clustered, f.single, f.models) == (N, False, False, ("A", "B"))


def test_the_facts_of_a_pilot_at_another_level_and_power(answers, several):
    """Equation 9 at 90% and a power of 90%: (z_.05 + z_.10)^2 times the variance over d^2."""
    w = work(several, difference=0.05, level=0.9, power=0.9)
    z = scipy_stats.norm.ppf(0.95) + scipy_stats.norm.ppf(0.9)
    n = z**2 * parts(answers)[0] / 0.05**2
    f = pilot_facts(w, several)
    factors = range_factors(w.ground)
    assert f.questions_corrected == math.ceil(n)
    assert (f.questions_low, f.questions_high) == tuple(np.ceil(n * np.array(factors)))


@pytest.mark.parametrize(("questions", "part"), [(1000, 30), (20, 20)])
def test_a_part_of_an_eval_is_30_questions_or_all(several, questions, part):
    """A difference of .4 would be seen in a few of them."""
    w = work(several, difference=0.4, questions=questions)
    [other] = [o for o in other_answers(w, need_of(w, 0.4), several) if o.name == OF_THIS_EVAL]
    assert other.questions == part


def test_a_part_of_an_eval_has_the_range_of_the_pilots_variance(answers, several):
    """SE^2 = (1 - n/N) f V/n + (n/N) q/n by scipy's noncentral t, f at the ends of the range, of
    models like the better one, and q the answer noise, of 1000 questions; within 2 questions, for
    what is added to rare counts.
    """
    w = work(several, difference=0.05, questions=1000)
    [other] = [o for o in other_answers(w, need_of(w, 0.05), several) if o.name == OF_THIS_EVAL]
    observed, first, second = parts(answers)
    q = (first + second) / 2

    def enough(n: int, f: float) -> bool:
        se = math.sqrt((1 - n / 1000) * f * observed / n + q / 1000)
        at = scipy_stats.t.ppf(0.975, n - 1)
        return scipy_stats.nct.sf(at, n - 1, 0.05 / se) >= 0.8

    low, high = ends(answers, w)
    times = spread(answers)[0]
    least = [next(n for n in range(30, 1001) if enough(n, times * f)) for f in (low, 1.0, high)]
    assert [other.low, other.questions, other.high] == pytest.approx(least, abs=2)


def test_no_part_of_an_eval_is_planned_in_clusters():
    w = work(**SINGLE, cluster_size=5, icc=0.2, questions=1000)
    [other] = [o for o in other_answers(w, need_of(w, 0.05), None) if o.name == OF_THIS_EVAL]
    assert math.isnan(other.questions) and other.reason == "this is planned only without clusters"


def test_a_pilots_range_goes_with_its_variance(answers, several):
    """Questions go nearly with the variance."""
    w = work(several, difference=0.02)
    low, high = range_of(w, 0.02, w.shape)
    assert low < w.count(0.02, w.shape).questions < high
    least, most = ends(answers, w)
    assert high / low == pytest.approx(most / least, rel=0.02)
    part = w.basis.part(Shape(8.0, 8.0))
    more = range_of(w, 0.02, Shape(8.0, 8.0))
    least, most = ends(answers, w, part)
    assert more[1] / more[0] == pytest.approx(most / least, rel=0.03)


def test_what_questions_find_has_the_pilots_range():
    """In own units, of 400 questions: by scipy's noncentral t with 399 degrees of freedom and the
    pilot's variance at the ends of its chi-squared range, 0.72 to 1.49 times as large.
    """
    rng = np.random.default_rng(5)
    scores = np.round(rng.normal(50.0, 9.0, (2, 60, 1)), 3)
    p = plan(scores=frame_of(scores), difference=2.0, answers="own-units", questions=400)
    [found] = [f for f in p.founds if f.questions == 400.0]
    variance = np.var(scores[0] - scores[1], ddof=1)
    df = work(pilot_of(frame_of(scores), Decisions()), difference=2.0).basis.pilot_df
    factors = df / scipy_stats.chi2.ppf((0.975, 0.025), df)
    critical = scipy_stats.t.ppf(0.975, 399)

    def power_of(d: float, factor: float) -> float:
        at = d / math.sqrt(variance * factor / 400.0)
        return scipy_stats.nct.sf(critical, 399, at)  # the other tail has next to nothing

    ends = [brentq(lambda d, f=f: power_of(d, f) - 0.8, 0.1, 20.0) for f in factors]
    assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-3)
    powers = [power_of(2.0, f) for f in factors]
    assert (found.power_high, found.power_low) == pytest.approx(tuple(powers), abs=1e-3)
    assert found.low < found.detectable < found.high


def test_each_model_alone(answers, single, several):
    """Unpaired: both models' variances of a question's score, over one answer and over two."""
    for pilot, scores in ((single, answers[:, :, 0]), (several, answers.mean(axis=2))):
        w = work(pilot, difference=0.02)
        found = {o.name: o for o in other_answers(w, need_of(w, 0.02), pilot)}
        total = scores.var(axis=1, ddof=1).sum()
        assert found["unpaired"].equation == math.ceil(Z**2 * total / 0.02**2)


def test_models_that_are_alike_vary_as_the_pilots_difference_does(answers, single, several):
    """(z_.05 + z_.10)^2 and (z_.05 + z_.20)^2 times the variance of a question's difference, also
    of one answer each, where it is not known what of it is noise. The models are 0.1 apart, far
    more than chance: each like the better one varies 1 + T e / v^2 as much, with v and T the
    variance and the third moment of both and e = 0.05, half of that.
    """
    z = scipy_stats.norm.ppf([0.95, 0.9, 0.8])
    for pilot, scores in ((single, answers[:, :, 0]), (several, answers.mean(axis=2))):
        w = work(pilot, difference=0.02, margin=0.015)
        found = {o.name: o for o in other_answers(w, need_of(w, 0.02), pilot)}
        total = (scores[0] - scores[1]).var(ddof=1)
        third, half = scipy_stats.moment(scores, 3, axis=1).mean(), np.ptp(scores.mean(axis=1)) / 2
        total *= 1.0 + third * half / scores.var(axis=1, ddof=1).mean() ** 2
        for name, power in (("equivalence", z[1]), ("non-inferiority", z[2])):
            equation = (z[0] + power) ** 2 * total / 0.015**2
            # what is added to rare counts moves the mean by 0.003
            assert found[name].equation == pytest.approx(equation, rel=0.015)
            assert equation <= found[name].questions


def test_a_pilot_in_percent():
    """0 and 100 in place of 0 and 1: the same questions for a difference of 5 in place of .05. 0/1
    scores have Wilson's range of the questions that tell the models apart.
    """
    rng = np.random.default_rng(6)
    right = (rng.random((2, 90, 1)) < np.array([0.8, 0.7])[:, None, None]).astype(float)
    w, percent = (
        work(pilot_of(frame_of(times * right), Decisions()), difference=times * 0.05)
        for times in (1.0, 100.0)
    )
    need, same = need_of(w, 0.05), need_of(percent, 5.0)
    assert (same.questions, same.equation) == (need.questions, need.equation)
    assert (same.low, same.high) == (need.low, need.high)
    q = ((right[0] - right[1]).var(ddof=1) + np.array([0.0, -(0.05**2)])) ** 0.5  # Connor 1987
    assert need.equation == math.ceil(((Z_LEVEL * q[0] + Z_POWER * q[1]) / 0.05) ** 2)
    [one], [other] = _founds(w, [500.0]), _founds(percent, [500.0])
    assert other.detectable == pytest.approx(100 * one.detectable)
    assert _differences(percent) == [1.0, 2.0, 3.0, 5.0, 10.0]
    apart = int((right[0] != right[1]).sum())
    wilson = scipy_stats.binomtest(apart, 90).proportion_ci(method="wilson")
    assert w.factors == pytest.approx((wilson.low * 90 / apart, wilson.high * 90 / apart))
    assert percent.factors == pytest.approx(w.factors)


# Rows ---------------------------------------------------------------------------------------------


def test_the_questions_that_a_difference_needs():
    """Connor 1987 with p10 + p01 = .294; with two answers equation 9 with .168 + .126 / 2."""
    w = work(**SINGLE, cost_question=2.0, cost_answer=0.5)
    need = need_of(w, 0.05)
    connor = (Z_LEVEL * math.sqrt(0.294) + Z_POWER * math.sqrt(0.294 - 0.05**2)) ** 2 / 0.05**2
    assert need.equation == math.ceil(connor)
    assert need.questions == need.adjusted == w.count(0.05, Shape()).questions
    assert need.cost == 3.0 * need.questions and math.isnan(need.clusters)
    assert math.isnan(need.low) and math.isnan(need.high) and not need.least
    two = need_of(work(**SINGLE, epochs=2), 0.04)
    assert two.equation == math.ceil(Z**2 * (0.168 + 0.063) / 0.04**2)
    assert (two.epochs_a, two.epochs_b, two.difference) == (2, 2, 0.04)
    public = work(difference=0.05, mean=0.7, noise=0.2)
    ranged = need_of(public, 0.05)
    assert (ranged.low, ranged.high) == range_of(public, 0.05, Shape())
    assert ranged.low < ranged.questions < ranged.high


def test_the_questions_of_several_comparisons():
    w, strict = work(**SINGLE, comparisons=4), work(**SINGLE, level=1 - 0.05 / 4)
    need = need_of(w, 0.05)
    assert need.adjusted == need_of(strict, 0.05).questions > need.questions
    [found], [other] = _founds(w, [800.0]), _founds(strict, [800.0])
    assert (found.adjusted, found.power_adjusted) == (other.detectable, other.power)
    assert found.adjusted > found.detectable and found.power_adjusted < found.power


@pytest.mark.parametrize("said", [{"mean": 0.7, "noise": 0.2}, SINGLE])
def test_the_range_of_several_comparisons_is_that_of_their_level(said):
    """With what public evals leave open of the correlation, and with none."""
    said = {"difference": 0.05, "cost_question": 2.0} | said
    each = need_of(work(**said, comparisons=4), 0.05).for_each
    alone = need_of(work(**said, level=1 - 0.05 / 4), 0.05)
    for name in ("questions", "low", "high", "cost", "least", "reason"):
        assert str(getattr(each, name)) == str(getattr(alone, name)), name


def test_what_so_many_questions_find():
    """Equation 10, and the power by the normal law; the power that is planned for at the number
    needed; no power for fewer than 30 questions.
    """
    w = work(**SINGLE, cost_question=2.0, cost_answer=0.5)
    enough = w.count(0.05, Shape()).questions
    few, some, needed = _founds(w, [20.0, 500.0, enough])
    none = _unknown(math.nan)
    se = math.sqrt(0.294 / 500)
    assert some.equation == pytest.approx(Z * se)
    law = scipy_stats.norm
    power = law.cdf(0.05 / se - Z_LEVEL) + law.cdf(-0.05 / se - Z_LEVEL)
    assert some.power_equation == pytest.approx(power)
    assert some.power == pytest.approx(power, abs=0.03)
    assert some.adjusted == some.detectable and some.power_adjusted == some.power
    [size] = detectable([w.basis.design(Shape())], 500.0, [Shape()], w.goal)
    assert some.detectable == size.difference and (some.cost, some.reason) == (1500.0, "")
    assert needed.power == pytest.approx(0.8, abs=0.001)
    assert math.isnan(few.power) and math.isnan(few.power_adjusted)
    assert math.isnan(few.detectable) and "fewer than 30" in few.reason and few.cost == 60.0
    assert math.isnan(none.detectable) and none.reason == "no number of questions is known"
    grouped = work(**SINGLE, cluster_size=10, icc=0.1, cost_cluster=7.0)
    assert [(f.clusters, f.cost) for f in _founds(grouped, [1003.0])] == [(101, 707.0)]


def test_the_gaps_of_published_means():
    """Each model and the next one; equal means need no number; fewest points first where lower is
    better is a pilot's to say.
    """
    w = work(**SINGLE, published="C:0.7; A:0.9; B:0.7; D:0.8")
    gaps = _gaps(w, None, 400.0)
    assert [(g.model, g.baseline) for g in gaps] == [("A", "D"), ("D", "C"), ("C", "B")]
    assert [g.difference for g in gaps] == pytest.approx([0.1, 0.1, 0.0])
    need = w.count(gaps[0].difference, Shape()).questions
    assert gaps[0].needed == need < 400 and gaps[0].shown
    assert math.isnan(gaps[2].needed) and not gaps[2].shown
    assert [g.shown for g in _gaps(w, None, need - 1)][0] is False


def test_scores_that_do_not_vary_plan_nothing():
    """A variance of 0 would make one question enough, whatever the difference."""
    pilot = pilot_of(frame_of(np.ones((2, 20, 1))), Decisions())
    w = work(pilot, difference=0.03, other_questions=100)
    found = {o.name: o for o in other_answers(w, need_of(w, 0.03), pilot)}
    assert len(found) == 4
    for other in found.values():
        assert math.isnan(other.questions) and (
            "var" in other.reason or "the same score" in other.reason
        )


def test_published_percentages_are_told_how_shares_are_written():
    with pytest.raises(PlanError, match="score 42.5 of 'A' is not from 0 to 1; write 42.5% as 0.4"):
        work(published="A:42.5", **SINGLE)


def test_a_correlation_that_cannot_be_is_named():
    with pytest.raises(PlanError, match="correlation = 2 cannot be planned with"):
        work(correlation=2)


def test_more_answers_never_need_more_questions():
    """Two answers of two models differ more within questions than their means do over questions:
    omega^2 is set to 0, and what a third answer would leave is not known. It was said to need more.
    """
    swing = np.tile([[0.0, 1.0], [1.0, 0.0]], (15, 1))  # each question: one right, one wrong
    answers = np.array([swing, swing])
    answers[0, :4] = 1.0
    w = work(pilot_of(frame_of(answers), Decisions()), difference=0.05)
    assert w.variances().omega2 == 0.0
    sizes = [w.basis.design(Shape(k, k)) for k in (1.0, 2.0, 3.0, 4.0)]
    assert [isinstance(d, str) for d in sizes] == [False, False, True, True]
    found = [d for _, d in epochs_curve(w, 200.0) if d == d]
    assert found == sorted(found, reverse=True) and len(found) == 2


@pytest.mark.parametrize("seed", [2, 4, 9])
def test_the_low_end_of_a_clustered_range_goes_with_the_variance(seed):
    """Equation 9: questions are as the variance. With 24 clusters of 4 the low end was the number
    itself, as the share of questions that tell the models apart stayed what it was.
    """
    rng = np.random.default_rng(seed)
    groups = np.arange(24).repeat(4)
    hard = 0.8 * rng.standard_normal(24)[groups] + rng.standard_normal(96)
    own = 0.5 * rng.standard_normal((2, 24))[:, groups] + 0.5 * rng.standard_normal((2, 96))
    right = rng.random((2, 96)) < 1.0 / (1.0 + np.exp(-1.0 - hard - own))
    w = work(pilot_of(frame_of(right[:, :, None].astype(float), 4), Decisions()), difference=0.1)
    known = needed([certain(w.basis.design(w.shape))], 0.1, [w.shape], w.goal)[0].questions
    low, high = range_of(w, 0.1, w.shape)
    assert low == pytest.approx(w.factors[0] * known, rel=0.08)
    assert high > 1.6 * known


def repeated() -> np.ndarray:
    """Three 0/1 answers of two models to each of 100 questions, in passages of four."""
    rng = np.random.default_rng(5)
    hard = 0.8 * rng.standard_normal(25).repeat(4) + rng.standard_normal(100)
    own = np.array([[0.9], [0.5]]) + 0.5 * rng.standard_normal((2, 100))
    share = 1.0 / (1.0 + np.exp(-own - hard))
    return (rng.random((2, 100, 3)) < share[:, :, None]).astype(float)


@pytest.mark.parametrize("clusters", [0, 4])
def test_no_limit_of_answers_is_what_ever_more_answers_come_to(clusters):
    """By its definition; in clusters it was 15% smaller than what 10^9 answers find."""
    w = work(pilot_of(frame_of(repeated(), clusters), Decisions()), difference=0.05)
    shapes = [Shape(k, k, w.shape.cluster_size) for k in (1e9, math.inf)]
    found = detectable([w.basis.design(s) for s in shapes], 800, shapes, w.goal)
    assert found[1].difference == pytest.approx(found[0].difference, rel=1e-4)


def test_more_answers_never_find_less():
    """A definition: who has ten answers can leave out some. What 64 answers leave of a pilot's
    variance is known less well, and asked for more.
    """
    w = work(pilot_of(frame_of(repeated(), 4), Decisions()), difference=0.05)
    curve = [size for _, size in epochs_curve(w, 800)]
    assert all(b <= a for a, b in itertools.pairwise(curve)) and curve[0] > 1.4 * curve[-1]
    rows = answers_rows(w, 800)
    for sizes in ([r.questions for r in rows], [r.detectable for r in rows]):
        assert all(b <= a for a, b in itertools.pairwise(sizes))


def test_several_answers_of_both_models_need_no_more_questions_than_any():
    """Paired answers have the 30 of any plan, also where the report's test is t: of 9 right answers
    in 10, 4 wrong ones would take 40.
    """
    right = np.ones((2, 100, 3))
    right[0, :30, 0] = right[1, 20:50, 1] = 0.0
    w = work(pilot_of(frame_of(right), Decisions()), difference=0.02)
    design = w.basis.design(w.shape)
    assert design.method[0] == "t" and limits_of(design, 1.0).questions == 30


def right_and_wrong() -> np.ndarray:
    """Four answers of a model that is right in 9 of 10, and of one in half of them."""
    rng = np.random.default_rng(6)
    hard = rng.normal(0.0, 0.3, (1, 60, 1))
    chances = np.clip(np.array([0.88, 0.5])[:, None, None] + hard, 0.0, 1.0)
    return (rng.random((2, 60, 4)) < chances).astype(float)


def test_what_lies_within_questions_is_a_part_of_what_both_models_vary_by():
    """(s_A + s_B) / (p (1 - p) + q (1 - q)), by numpy."""
    answers = right_and_wrong()
    (p, q), (first, second) = answers.mean(axis=(1, 2)), parts(answers)[1:]
    design = work(pilot_of(frame_of(answers), Decisions()), difference=0.1).basis.design(
        Shape(8.0, 8.0)
    )
    assert p - q > 0.3
    within = (first + second) / (p * (1 - p) + q * (1 - q))
    assert design.within.item() == pytest.approx(within)


def test_the_fewest_questions_are_those_of_the_difference_as_a_part_of_the_scale():
    """Answers nearly all alike: models that differ by 0.05 do so on 10 of some hundred questions,
    as they do by 5 of 100.
    """
    answers = np.ones((2, 60, 4))
    answers[0, :3] = answers[1, 2:6] = answers[1, 9, :2] = answers[0, 20, :1] = 0.0
    found = []
    for width, decisions in ((1.0, Decisions()), (100.0, Decisions(range="0,100"))):
        pilot = pilot_of(frame_of(width * answers), decisions)
        design = work(pilot, difference=0.05 * width).basis.design(Shape(4.0, 4.0))
        found.append(limits_of(design, width, 0.05 * width).questions)
    share = grown_at(design, np.array([0.05])).shown.item() / design.n.item()
    assert found == [math.ceil(10 / share)] * 2 and found[0] > 30


def even(questions: int) -> pd.DataFrame:
    """Two of four answers to each question are right, three to every fifth of A: the models' means
    vary by far less than such answers do by themselves.
    """
    answers = np.zeros((2, questions, 4))
    answers[:, :, :2] = 1.0
    answers[0, ::5, 2] = 1.0
    return frame_of(answers)


def test_a_pilot_varies_by_no_less_than_its_answer_noise():
    """Var of an answer, by hand: 1/3 where two of four are right, 1/4 where three are. Halving the
    answers doubles the questions.
    """
    w = work(pilot_of(even(50), Decisions()), difference=0.05)
    noise = ((40 / 3 + 10 / 4) / 50 + 1 / 3) / 4
    assert w.variances().at(w.shape) == pytest.approx(noise)
    by_answers = {k: w.count(0.05, Shape(k, k)).questions for k in (2.0, 3.0, 4.0)}
    assert by_answers[4.0] == pytest.approx(by_answers[2.0] / 2, rel=0.03)
    assert by_answers[4.0] == pytest.approx(by_answers[3.0] * 3 / 4, rel=0.03)
    assert by_answers[4.0] == pytest.approx(Z**2 * noise / 0.05**2, rel=0.1)


def test_the_correlation_of_a_pilot_is_that_of_one_answer_each(answers, several):
    """Of the answers themselves, by numpy; the means of two answers correlate by more."""
    first, second = answers
    crossed = [np.cov(first[:, i], second[:, j])[0, 1] for i in range(K) for j in range(K)]
    spread = [x.mean(axis=1).var(ddof=1) + x.var(axis=1, ddof=1).mean() / 2 for x in answers]
    expected = np.mean(crossed) / math.sqrt(np.prod(spread))
    [known] = [k for k in work(several, difference=0.05).ground.known if k.name == "correlation"]
    assert known.value == pytest.approx(expected)
    assert known.value < several.power.correlation
    beside = work(several, difference=0.05, mean=0.5).ground.known
    assert known in beside


def test_a_noise_that_a_pilot_shows_changes_nothing_beside_it_either(several):
    """Which its note says: the questions of models with questions of their own, too."""
    plain, given = work(several, difference=0.05), work(several, difference=0.05, noise=0.2)
    need = need_of(plain, 0.05)
    assert other_answers(given, need, several) == other_answers(plain, need, several)
