"""Plans against a published mean of scores in part, of a model that is nearer to an end."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from support.plans import need_alone, plan

from reportkit.stats.evidence import effective_number
from reportkit.stats.means.intervals import MeanArrays, mean_ends, mean_interval
from reportkit.stats.pairs.paired import mover_ends
from reportkit.stats.planning.against import against, least_told
from reportkit.stats.planning.expected import expected_design, expected_pair


@pytest.mark.slow
@pytest.mark.parametrize(("mean", "difference", "se", "spread", "clusters"), [
    (0.84, 0.04, 0.009, 0.15, {}), (0.16, 0.04, 0.009, 0.15, {}), (0.6, 0.05, 0.011, 0.3, {}),
    (0.84, 0.05, 0.012, 0.2, {"cluster_size": 5, "icc_scores": 0.1}),
])  # fmt: skip
def test_a_better_model_has_a_smallest_difference(mean, difference, se, spread, clusters):
    """It is the planned one, of the planned number. Means were looked for that the scale does not
    have, and the plan said that no difference was found so often.
    """
    said = {"mean": mean, "design": "unpaired", "other_questions": 1200, "answers": "shares",
            "other_se": se, "spread": spread, **clusters}  # fmt: skip
    p = plan(difference=difference, **said)
    assert p.found.detectable == pytest.approx(difference, rel=0.02 if clusters else 0.003)
    n = int(p.need.questions)
    assert plan(questions=n, **said).found.detectable == p.found.detectable


def test_where_the_scale_leaves_a_better_model_no_such_variance_ours_is_worse():
    """At .8 + .1 scores have a variance of at most .09, at .8 + .3 none: of .15 ours is at .7, with
    the Beta law's skewness there, by scipy.
    """
    d = expected_design(expected_pair("share", mean=0.8, variance=0.03))
    known = {"fixed": 0.02, "fixed_n": 500.0, "fixed_df": 499.0}
    d = replace(d, se=np.sqrt(0.17 / d.n), **{k: np.array([v]) for k, v in known.items()})
    one = np.ones(1)
    for difference in (0.1, 0.3):
        away, worse = (
            against(replace(d, moved=moved * one), one, 400 / d.n, 0.8 * one, difference * one)
            for moved in (-1.0, 1.0)
        )
        assert away.skew.item() == worse.skew.item()


@pytest.mark.slow
def test_so_few_questions_that_few_show_what_a_better_model_loses_are_not_planned():
    """40 of them in effect, part = .04^2 / (.04^2 + .15^2): with fewer the interval of our mean is
    Wilson's. Simulated: Beta scores, the interval of the report (MOVER of both means'); 1,500 evals
    of each, an error of 0.010. The 256 and 97 questions planned before had 0.69 and 0.71.
    """
    rng = np.random.default_rng(18)
    for mean, ours, other, own, theirs in (
        (0.93, 0.96, 3000, 0.15, 0.196), (0.85, 0.91, 3000, 0.19, 0.24),
    ):  # fmt: skip
        said = {"mean": mean, "design": "unpaired", "other_questions": other, "answers": "shares",
                "spread": own, "other_se": theirs / math.sqrt(other)}  # fmt: skip
        p = plan(difference=ours - mean, **said)
        lost = (1.0 - ours) ** 2
        assert p.need.questions == math.ceil(40 * (lost + own**2) / lost)
        assert p.need.least and p.found.power >= 0.8
        few = plan(questions=p.need.questions - 1, difference=ours - mean, **said)
        assert math.isnan(few.found.power)
        hits = 0
        for _ in range(1500):
            ends = []
            for m, v, n in ((ours, own**2, int(p.need.questions)), (mean, theirs**2, other)):
                k = m * (1.0 - m) / v - 1.0
                s = rng.beta(m * k, (1.0 - m) * k, n)
                i = mean_interval(s, share=True)
                ends.append((np.array(s.mean()), np.array(i.low), np.array(i.high)))
            low, high = mover_ends(*ends[0], *ends[1])
            hits += not low <= 0.0 <= high
        assert hits / 1500 >= 0.78


def test_the_fewest_questions_are_those_of_40_clusters_in_effect():
    """Ours has V_A / 5 = .04 / 5 between clusters: of .9 + .03 .07^2 / (.07^2 + .008) of them show
    what is lost, of .9 - .03 .13^2 / (.13^2 + .008).
    """
    d = expected_design(expected_pair("share", mean=0.9, variance=0.03))
    known = {"fixed": 0.03, "fixed_n": 500.0, "fixed_df": 99.0}
    d = replace(d, clusters=d.n / 5, se=np.sqrt(0.07 / d.n),
                **{k: np.array([v]) for k, v in known.items()})  # fmt: skip
    one = np.ones(1)
    least = least_told(replace(d, moved=-one), 0.9 * one, 0.03 * one)
    assert least.item() == pytest.approx(5 * 40 * (0.07**2 + 0.008) / 0.07**2, rel=1e-9)
    least = least_told(replace(d, moved=one), 0.9 * one, 0.03 * one)
    assert least.item() == pytest.approx(5 * 40 * (0.13**2 + 0.008) / 0.13**2, rel=1e-9)
    for changed in (d, replace(d, moved=-one, bounded=np.zeros(1, bool))):
        assert math.isnan(least_told(changed, 0.9 * one, 0.03 * one).item())


def test_a_difference_that_leaves_too_little_to_the_end_says_so():
    """The 3.6 points that 200 questions find leave .034 to the end, and 40 of them in effect need
    40 (.034^2 + .15^2) / .034^2 = 819 or so.
    """
    p = plan(mean=0.93, design="unpaired", other_questions=1000, answers="shares", spread=0.15,
             other_se=0.0062, questions=200)  # fmt: skip
    assert math.isnan(p.found.detectable)
    said = "no difference is stated for so few questions: for one that they find, [0-9,]+ questions"
    assert re.fullmatch(f"{said} are the fewest that are planned", p.found.reason)


def in_clusters(rng, mean, spread, size, clusters, evals):
    """Means of clusters of Beta scores around Beta shares."""
    share = rng.beta(mean * spread, (1.0 - mean) * spread, (evals, clusters))
    share = np.clip(share, 1e-6, 1.0 - 1e-6)[..., None]
    shape = (evals, clusters, size)
    a, b = (np.broadcast_to(k, shape) for k in (5.0 * share, 5.0 * (1.0 - share)))
    return rng.beta(a, b).mean(-1)


@pytest.mark.slow
@pytest.mark.parametrize(("mean", "difference", "clusters"), [(0.8, 0.04, 500)])
def test_in_clusters_a_better_model_keeps_the_power(mean, difference, clusters):
    """The report's interval of both, Wilson's on effective answers of fewer than 100 clusters.
    Simulated: 4,000 evals, an error of 0.005; of a question's variance mean (1 - mean) (1 / 13 + 12
    / 13 / 6), 1 / 13 of mean (1 - mean) is between clusters of Beta shares. By t 46 clusters were
    planned for 5 points, and had 0.762.
    """
    rng, size, ours = np.random.default_rng(7), 10, mean + difference

    def variances(m):
        between = m * (1.0 - m) / 13.0
        within = (m * (1.0 - m) - between) / 6.0
        return between + within, between + within / size

    (question, cluster), (_, theirs) = variances(ours), variances(mean)
    icc = (cluster * size / question - 1.0) / (size - 1.0)
    p = plan(mean=mean, difference=difference, design="unpaired", answers="shares",
             other_questions=clusters * size, other_se=math.sqrt(theirs / clusters),
             spread=math.sqrt(question), cluster_size=size, icc_scores=icc)  # fmt: skip
    assert not p.need.least
    evals, means = 4000, []
    for m, units in ((ours, int(p.need.clusters)), (mean, clusters)):
        x = np.concatenate([in_clusters(rng, m, 12.0, size, units, 500) for _ in range(8)])
        shown = np.minimum(effective_number(x), effective_number(1.0 - x))
        se = x.std(axis=1, ddof=1) / math.sqrt(units)
        of = MeanArrays(x.mean(1), se, units - 1.0, units * size, units, shown)
        means.append((of.value, *mean_ends(of, share=True)[:2]))
    low, _ = mover_ends(*means[0], *means[1])
    assert 0.78 <= np.count_nonzero(low > 0.0) / evals <= 0.82


def test_a_published_mean_that_few_questions_show_promises_no_power():
    """.05^2 / (.05^2 + .0297) of 240 questions is 18.6, in effect; of 280 21.7."""
    said = {"mean": 0.95, "difference": 0.045, "design": "unpaired", "answers": "shares",
            "spread": 0.2}  # fmt: skip
    few, enough = (
        plan(**said, other_questions=n, other_se=math.sqrt(0.0297 / n)) for n in (240, 280)
    )
    assert math.isnan(few.need.questions) and math.isnan(few.found.power)
    assert (
        few.need.reason.short
        == "the published mean rests on too few questions with partly wrong answers"
    )
    asks = "rests on at least 20 questions with partly wrong answers, and this one rests on 18.6"
    assert asks in few.need.reason
    assert enough.need.questions > 0


def test_the_fewest_questions_for_a_difference_far_from_the_mean_are_its_own():
    """Ours is told as it is there. With the power of a smaller difference, 0.035, seven tenths of
    what .95 leaves, the plan asked for more: 40 (.13^2 + .2^2) / .13^2 are enough.
    """
    p = plan(mean=0.95, difference=0.08, design="unpaired", answers="shares", spread=0.2,
             other_questions=1000, other_se=0.005)  # fmt: skip
    assert not p.beyond and math.isinf(p.limits.difference)
    assert p.need.least and p.need.questions == math.ceil(40 * (0.13**2 + 0.04) / 0.13**2)
    assert p.found.power > 0.95


@pytest.mark.slow
def test_right_answers_in_clusters_have_40_clusters_in_effect_and_30_published_ones():
    """With fewer, plans had up to 0.89 of 0.80 (benchmarks/planning.md). At 0.9 the clusters of 10
    vary by .09 (1 + 9 * .1) / 10 = .0171: .1^2 / (.1^2 + .0171) of a cluster is one in effect.
    """
    part = 0.01 / (0.01 + 0.0171)
    said = {"mean": 0.9, "design": "unpaired", "cluster_size": 10, "icc_scores": 0.1}
    p = plan(difference=0.12, other_questions=20_000, **said)
    assert p.need.least and p.need.clusters == math.ceil(40.0 / part)  # 109
    few, enough = (math.floor(30.0 / part), math.ceil(30.0 / part))  # 81, 82
    assert (
        "at least 30 clusters with wrong answers"
        in need_alone(difference=0.12, other_questions=10 * few, **said).reason
    )
    assert need_alone(difference=0.12, other_questions=10 * enough, **said).questions > 0


def test_the_smallest_difference_is_found_beside_an_interval_that_finds_nothing_at_an_end():
    """Of clusters without a right answer the interval of the mean says little, so that a model with
    a mean of 0 is not found. The plan then said that no difference could be found.
    """
    p = plan(difference=0.1, mean=0.7, design="unpaired", cluster_size=10, icc_scores=0.1,
             other_questions=5000)  # fmt: skip
    assert p.found.power > 0.8 and 0.05 < p.found.detectable <= 0.1
