"""Plans that take values of a pilot in clusters, or of several answers, beside what is given: the
range of the variance that these make together.
"""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.plans import need_alone, plan

from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.parted import pilots_left
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.decisions import Decisions
from reportkit.plans import Asked
from reportkit.tables.planning import plan_table
from reportkit.tables.planning.noise import ends_words
from reportkit.tables.planning.prose import findings, methods_sentence

CERTAIN = "taken as certain"
T = scipy_stats.t.ppf
Z = scipy_stats.norm.ppf(0.975)


def drawn(n: int, answers: int, size: int = 1, seed: int = 3) -> np.ndarray:
    """Right and wrong answers of two models, shape (2, n, answers), to questions in clusters."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0.8, 1.2, n) + np.repeat(rng.normal(0.0, 0.8, n // size), size)
    own = rng.normal(0.0, 0.6, (2, n))
    right = 1.0 / (1.0 + np.exp(-(level + own)))
    return (rng.random((answers, 2, n)) < right).astype(float).transpose(1, 2, 0)


def frame(answers: np.ndarray, size: int = 1) -> pd.DataFrame:
    rows = [
        {"eval": "e", "model": m, "question_id": f"q{i}", "epoch": k + 1, "score": x}
        | ({"cluster_id": f"c{i // size}"} if size > 1 else {})
        for m, of in zip("AB", answers, strict=False)
        for i, own in enumerate(of)
        for k, x in enumerate(own)
    ]
    return pd.DataFrame(rows)


def jackknife(estimate, units: np.ndarray, noise: float = 1.0) -> tuple[float, float]:
    """By how much a variance may be off, leaving out one unit at a time: exp(-+ t SE / V), or below
    1 - t SE / V where answer noise, which is this part of V, is less; SE^2 = (G - 1) / G sum (V -
    V_left)^2, t with df = 2 S^2 / Var(S) of the changes' variance S (Mood, Graybill and Boes 1974,
    VI.2.3).
    """
    v = estimate(np.ones(len(units), dtype=bool))
    names = np.unique(units)
    g = len(names)
    u = (g - 1) * (v - np.array([estimate(units != name) for name in names]))
    se = math.sqrt((u**2).sum() / (g * (g - 1)))
    s, m4 = u.var(ddof=1), ((u - u.mean()) ** 4).mean()
    df = 2 * s**2 / ((m4 - s**2 * (g - 3) / (g - 1)) / g)
    half = T(0.975, df) * se / v
    return min(math.exp(-half), max(1.0 - half, noise)), math.exp(half)


def one_answer(of: np.ndarray) -> float:
    """Variance of one answer: that of question means, less their noise, and that within."""
    within = of.var(axis=1, ddof=1).mean()
    return of.mean(axis=1).var(ddof=1) - within / of.shape[1] + within


def correlation(x: np.ndarray, y: np.ndarray) -> float:
    """Of one answer each: the covariance of question means has no noise."""
    covariance = np.cov(x.mean(axis=1), y.mean(axis=1))[0, 1]
    return covariance / math.sqrt(one_answer(x) * one_answer(y))


def test_several_answers_beside_a_mean_have_the_range_of_their_correlation():
    """With one answer planned the variance is 2 m (1 - m) (1 - r)."""
    x, y = drawn(50, 4)
    p = plan(None, frame(np.stack([x, y])), difference=0.1, mean=0.7, epochs=1)
    r = correlation(x, y)
    w = np.mean([a.var(axis=1, ddof=1).mean() / one_answer(a) for a in (x, y)])
    low, high = jackknife(lambda k: 1.0 - correlation(x[k], y[k]), np.arange(50), w / (1.0 - r))
    ends = [
        need_alone(difference=0.1, mean=0.7, correlation=1.0 - (1.0 - r) * f).questions
        for f in (low, high)
    ]
    assert [p.need.low, p.need.high] == ends and ends[0] < p.need.questions < ends[1]
    assert not any(CERTAIN in note for note in p.notes)
    assert ends_words(p) == (
        "the same at the ends of the 95% range of the variance (jackknife over its 50 questions) "
        "that the pilot's correlation and answer noise leave open."
    )


def factors(scores: pd.DataFrame, **said) -> tuple[float, float]:
    """By how much the variance of the plan's own shape may be off."""
    g = ground_of(Asked(**said), pilot_of(scores, Decisions()))
    low, high, *_ = (end.times for end in g.ends(g.shape))
    return low, high


@pytest.mark.parametrize(("epochs", "seed"), [(4.0, 3), (2.0, 3), (64.0, 5)])
def test_several_answers_are_planned_with_the_range_of_noise_and_correlation(epochs, seed):
    """V / (2 s^2) = 1 - r - w + w / K, w the noise share, over both models."""
    x, y = drawn(60, 4, seed=seed)

    def noise(kept: np.ndarray) -> float:
        return np.mean([a.var(axis=1, ddof=1).mean() / one_answer(a) for a in (x[kept], y[kept])])

    def variance(kept: np.ndarray) -> float:
        w = noise(kept)
        return 1.0 - correlation(x[kept], y[kept]) - w + w / epochs

    found = factors(frame(np.stack([x, y])), difference=0.1, mean=0.7, epochs=epochs)
    whole = np.ones(60, bool)
    part = noise(whole) / epochs / variance(whole)
    assert found == pytest.approx(jackknife(variance, np.arange(60), part), rel=1e-9)


def test_the_variance_at_the_upper_end_is_no_more_than_with_fewer_answers():
    """Where nearly all of the variance is noise, little is left and that is hardly known: the end
    was 195,000 questions, where one answer needs 3,280 at most. The law of the scores is the
    plan's, so that the questions may be some more.
    """
    said = {"difference": 0.05, "mean": 0.75}
    scores = frame(drawn(50, 3, 5, seed=11), 5)
    needs = [need_alone(None, scores, epochs=k, **said) for k in (1, 3, 6, 32, 500)]
    highs = [n.high for n in needs]
    assert max(highs[2:]) < 1.05 * highs[1] < highs[0] and highs[-1] > needs[-1].questions


def test_one_model_has_the_range_of_its_noise_with_the_correlation_that_is_assumed():
    """V / (2 s^2) = 1 - r - w + w / K, r that of the plan: it was taken to go with the noise, and
    170 to 200 questions did not hold the 140 that were needed.
    """
    x = drawn(60, 4)[:1]
    scores = frame(x)
    p = plan(None, scores, difference=0.1, epochs=2)
    r = next(k.value for k in p.known if k.name == "correlation")

    def variance(kept: np.ndarray) -> float:
        w = x[0][kept].var(axis=1, ddof=1).mean() / one_answer(x[0][kept])
        return 1.0 - r - w + w / 2.0

    found = factors(scores, difference=0.1, epochs=2)
    whole = variance(np.ones(60, bool))
    w = x[0].var(axis=1, ddof=1).mean() / one_answer(x[0])
    low, high = jackknife(variance, np.arange(60), w / 2.0 / whole)
    assert found[0] == pytest.approx(low, rel=1e-9)
    assert found[1] == pytest.approx(min(high, (1.0 - r) / whole), rel=1e-9)  # of one answer


def test_clusters_beside_a_mean_have_the_range_of_correlation_and_icc():
    """V / (2 s^2) = (1 - r) n SE^2 / V_d, SE that of clusters: with G of one size G / (G - 1) sum
    S_c^2 / n^2, S_c the sum of a cluster's differences less their mean, V_d their variance.
    """
    (x, y), size = drawn(60, 1, 5), 5
    clusters = np.arange(60) // size

    def variance(kept: np.ndarray) -> float:
        a, b = x[kept, 0], y[kept, 0]
        d = a - b
        n, g = len(d), len(d) // size
        sums = (d - d.mean()).reshape(g, size).sum(axis=1)
        effect = g / (g - 1) * (sums**2).sum() / n / d.var(ddof=1)
        return (1.0 - np.corrcoef(a, b)[0, 1]) * effect

    scores = frame(np.stack([x, y]), size)
    found = factors(scores, difference=0.02, mean=0.7)
    whole = variance(np.ones(60, bool))
    own = jackknife(variance, clusters)
    of_clusters = [11 / scipy_stats.chi2.ppf(q, 11) for q in (0.975, 0.025)]  # of 12
    own = min(own[0], of_clusters[0]), max(own[1], of_clusters[1])
    p = plan(None, scores, difference=0.02, mean=0.7)
    icc = next(k.value for k in p.known if k.name == "icc")
    r = np.corrcoef(x[:, 0], y[:, 0])[0, 1]
    taken = (1.0 - r) * (1.0 + (size - 1) * icc)  # of an ICC that is no less than 0
    assert found == pytest.approx([own[0] * whole / taken, own[1] * whole / taken], rel=1e-9)
    assert p.need.low < p.need.questions < p.need.high
    # the correlation that makes such a variance needs as many, but for the law of its scores
    for end, factor in zip((p.need.low, p.need.high), found, strict=True):
        other = {"correlation": 1.0 - (1.0 - r) * factor, "cluster_size": size, "icc": icc}
        of_law = need_alone(difference=0.02, mean=0.7, icc_scores=0.1, **other).questions
        assert end == pytest.approx(of_law, rel=0.02)


def test_one_model_in_clusters_has_the_range_of_its_mean_by_its_clusters():
    """Wilson's, of as many answers as vary like its mean, and (z / t)^2 of these: t with 11 degrees
    of freedom. SE^2 of 12 clusters of 5 as above.
    """
    x = drawn(60, 1, 5)[:1]
    scores = x[0, :, 0]
    sums = (scores - scores.mean()).reshape(12, 5).sum(axis=1)
    m, square = scores.mean(), 12 / 11 * (sums**2).sum() / 60**2
    n = m * (1 - m) / square * (Z / T(0.975, 11)) ** 2
    ends = sorted(np.roots([1 + Z**2 / n, -2 * m - Z**2 / n, m**2]).real)
    p = plan(None, frame(x, 5), difference=0.1, correlation=0.4, icc=0.05)
    mean = next(k for k in p.known if k.name == "mean")
    assert [mean.low, mean.high] == pytest.approx(ends, rel=1e-9)
    assert p.need.low < p.need.questions <= p.need.high
    assert not any(CERTAIN in note for note in p.notes)


def test_what_is_planned_is_said_where_a_reader_looks_for_it():
    p = plan(None, frame(drawn(60, 1, 5), 5), difference=0.1, mean=0.7)
    assert ends_words(p) == (
        "the same at the ends of the 95% range of the variance (jackknife over its 12 clusters) "
        "that the pilot's correlation and ICC of differences leave open."
    )
    assert "at the ends of the 95% range of what the pilot shows, " in methods_sentence(p)
    assert "In brackets is what the pilot leaves open at 95%." in findings(p)
    known = " ".join(str(plan_table(p, "planning-known")).split())
    assert "Each cluster is left out in turn" in known
    assert "no narrower than the chi-squared range of so many clusters." in known


def test_models_with_questions_of_their_own_have_the_range_of_their_scores():
    """V / (2 s^2) = 1 - w + w / K: the correlation has no part in it."""
    x, y = drawn(60, 4)

    def variance(kept: np.ndarray) -> float:
        w = np.mean([a.var(axis=1, ddof=1).mean() / one_answer(a) for a in (x[kept], y[kept])])
        return 1.0 - 0.75 * w

    said = {"difference": 0.1, "mean": 0.7}
    found = factors(frame(np.stack([x, y])), design="unpaired", **said)
    whole = variance(np.ones(60, bool))
    noise = (1.0 - whole) / 0.75 / 4.0
    assert found == pytest.approx(jackknife(variance, np.arange(60), noise / whole), rel=1e-9)
    p = plan(None, frame(np.stack([x, y])), **said)
    [own] = [o for o in p.others if o.name == "unpaired"]
    alone = plan(None, frame(np.stack([x, y])), design="unpaired", **said)
    assert (own.low, own.high) == (alone.need.low, alone.need.high)
    assert own.low < own.questions < own.high


def test_against_a_published_mean_the_turn_is_between_the_ends():
    """Our scores may vary more than the published ones, or less: where they vary as much the plan
    turns to the other side, and no number in the range is outside it.
    """
    rng = np.random.default_rng(8)
    x = np.clip(np.repeat(rng.beta(1.2, 0.8, 20), 3) + rng.normal(0, 0.1, 60), 0, 1).round(4)
    scores = frame(x[None, :, None], 3)
    said = {"difference": 0.08, "design": "unpaired", "other_questions": 1800, "mean": 0.62}
    shares = Decisions(range="0,1")
    p = plan(None, scores, decisions=shares, other_se=0.011, **said)
    assert p.need.low < p.need.questions < p.need.high
    g = ground_of(Asked(other_se=0.011, **said), pilot_of(scores, shares))
    *ends, turned = g.ends(g.shape)
    size = g.shape.cluster_size
    assert turned.variances(size).at(g.shape) / 2 == pytest.approx(1800 * 0.011**2, rel=1e-9)
    assert ends[0].times < turned.times < ends[1].times


def test_no_range_where_a_pilot_does_not_show_its_values_without_a_part():
    """Three clusters; and fewer than 5 questions with a wrong answer of one model."""
    few = frame(drawn(30, 1, 10), 10)
    right = np.ones((2, 60, 1))
    right[0, :9] = 0.0
    right[1, 6:10] = 0.0
    for scores in (few, frame(right, 5)):
        p = plan(None, scores, difference=0.1, mean=0.8)
        assert math.isnan(p.need.low)
        assert any(CERTAIN in note for note in p.notes)


def test_parts_of_many_questions_are_of_one_size_and_the_whole_is_the_pilot():
    """130 questions in 60 parts: of 2 or 3. What is left without one has the rest of them."""
    scores = frame(drawn(130, 2))
    pilot = pilot_of(scores, Decisions())
    left = list(pilots_left(pilot))
    assert len(left) == 60 and sum(share for _, share in left) == pytest.approx(1.0)
    assert {round(share * 130) for _, share in left} == {2, 3}
    for part, share in left:
        assert part.result.n_questions == 130 - round(share * 130) == part.power.n_questions
    sizes = [share for _, share in left]
    means = np.average([p.correlation for p, _ in left], weights=sizes)
    assert means == pytest.approx(pilot.correlation, abs=2e-3)


def test_more_answers_have_no_higher_end_where_their_noise_is_assumed_too():
    """Noise from none to 90% of what the correlation leaves, and a variance of clusters that the
    pilot leaves open: both ends at once left more with unlimited answers than with one.
    """
    p = plan(None, frame(drawn(60, 1, 5), 5), difference=0.1, mean=0.7)
    ends = [(row.low, row.high) for row in p.answers if not math.isnan(row.high)]
    assert len(ends) > 4 and p.noise_assumed
    highs = [high for _, high in ends]
    assert highs == sorted(highs, reverse=True) and highs[0] == p.need.high
    assert all(low < high for low, high in ends)


def test_clusters_whose_sums_are_all_alike_show_no_variance_and_leave_it_open():
    """Each has 3 of 5 right by one model and 2 by the other: an ICC of -1/4, taken as 0."""
    rng = np.random.default_rng(2)
    a = np.concatenate([rng.permutation([0, 1, 1, 1, 0]) for _ in range(20)])
    b = np.concatenate([rng.permutation([0, 1, 0, 1, 0]) for _ in range(20)])
    p = plan(None, frame(np.stack([a, b])[:, :, None].astype(float), 5), difference=0.1, mean=0.6)
    assert math.isnan(p.need.low) and any(CERTAIN in note for note in p.notes)
    known = " ".join(str(plan_table(p, "planning-known")).split())
    assert "An ICC that the pilot shows to be below 0 is taken as 0." in known
    assert "jackknife" not in known


def unequal(sizes: list[int], seed: int, level: float = 3.0) -> pd.DataFrame:
    """Right and wrong answers of two models to questions in clusters of these sizes."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    n = len(cluster)
    logit = level + 0.8 * rng.normal(size=len(sizes))[cluster] + 1.2 * rng.normal(size=n)
    right = 1.0 / (1.0 + np.exp(-(logit + 0.7 * rng.normal(size=(2, n)))))
    scores = frame((rng.random((2, n)) < right).astype(float)[:, :, None])
    return scores.assign(cluster_id=[f"c{cluster[int(q[1:])]}" for q in scores["question_id"]])


def test_no_range_is_wider_than_clusters_whose_questions_are_one():
    """Few clusters hold most questions, and little is known of the ICC: the end was 13,000 times
    what is needed. With an ICC of 1 it is 2 p (1 - p) (1 - r) m, r given.
    """
    sizes = [30, 15, 8, 4, 2, 2] + [1] * 14
    p = plan(None, unequal(sizes, 6), difference=0.05, correlation=0.14)
    mean = next(k for k in p.known if k.name == "mean")
    near = max(mean.low, 0.5) if mean.low < 0.5 else mean.low  # of the most variance
    most = 2.0 * near * (1.0 - near) * (1.0 - 0.14) * sum(sizes) / len(sizes)
    assert p.need.high == pytest.approx(
        (Z + scipy_stats.norm.ppf(0.8)) ** 2 * most / 0.05**2, rel=0.1
    )
    assert p.need.low < p.need.questions < p.need.high


def test_no_range_of_the_mean_alone_where_how_alike_clusters_are_has_none():
    """All but one cluster are single questions: without it nothing shows the ICC. The range of the
    mean alone held what is needed in 0.28 of such pilots.
    """
    scores = unequal([40] + [1] * 20, 3, level=1.0)
    for said in ({"correlation": 0.24}, {"mean": 0.7}):
        p = plan(None, scores, difference=0.05, **said)
        assert math.isnan(p.need.low + p.need.high) and any(CERTAIN in n for n in p.notes)
        assert all(math.isnan(k.low) for k in p.known if k.name == "mean")


def test_a_pilot_of_one_cluster_has_no_range_and_no_traceback():
    scores = frame(drawn(30, 3, 10)).assign(cluster_id="c0")
    p = plan(None, scores, difference=0.05, correlation=0.15)
    assert p.need.questions > 0.0


def test_ranges_hold_the_number_that_they_are_of():
    """Near an end of the scale, or of a design whose fewest questions are many, both ends may be on
    one side of the number; then it is the end itself.
    """
    rng = np.random.default_rng(5)
    of = np.repeat((rng.random((2, 30)) < 0.6).astype(float)[:, :, None], 3, axis=2)
    for said in ({"correlation": 0.99, "epochs": 8}, {"correlation": 0.15, "questions": 100}):
        p = plan(None, frame(of), difference=0.05, **said)
        rows = [(p.need.low, p.need.questions, p.need.high)]
        rows += [(o.low, o.questions, o.high) for o in p.others]
        rows += [(f.low, f.detectable, f.high) for f in p.founds]
        rows += [(f.power_low, f.power, f.power_high) for f in p.founds]
        known = [row for row in rows if not math.isnan(sum(row))]
        assert len(known) > 4
        assert all(low <= own <= high for low, own, high in known)


def test_right_answers_to_some_of_a_questions_repeats_count_for_their_part():
    """Of 200 answers of each model to 20 questions some 30 are wrong, which is 3 questions' worth:
    too few for a range of the correlation, though 5 questions or more have a wrong answer.
    """
    rng = np.random.default_rng(3)
    right = 1.0 / (
        1.0 + np.exp(-(3.0 + 1.5 * rng.normal(size=20) + 0.7 * rng.normal(size=(2, 20))))
    )
    of = (rng.random((10, 2, 20)) < right).astype(float).transpose(1, 2, 0)
    wrong = (1.0 - of).sum(axis=(1, 2))
    assert wrong.min() < 50 and ((of < 1.0).any(axis=2).sum(axis=1) >= 5).all()
    p = plan(None, frame(of), difference=0.1, mean=0.9)
    assert math.isnan(p.need.low) and any(CERTAIN in note for note in p.notes)
