"""What a report says it can detect: which model is meant, why there is a dash, units, clusters."""

import math

import numpy as np
import pandas as pd
import pytest
from support.scores_made import result_of, rows_of

from reportkit import analyse
from reportkit.analysis.detectable import designs_of, detectable_with, needed_for
from reportkit.stats.planning.alternative import alternative
from reportkit.tables import make_table

DASH = "\N{EM DASH}"


def right_and_wrong(n: int, shares: tuple[float, ...], seed: int = 5) -> np.ndarray:
    """0/1 scores, shape (models, n), of questions with a difficulty of their own."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=n)
    ability = np.log(np.array(shares) / (1 - np.array(shares)))
    chance = 1 / (1 + np.exp(-(1.3 * ability[:, None] - difficulty)))
    return (rng.random((len(shares), n)) < chance).astype(float)


def test_the_record_says_what_the_plan_rests_on():
    scores = right_and_wrong(200, (0.8, 0.75))
    d, p = (getattr(result_of(scores), name)[0] for name in ("differences", "power"))
    gap = scores[0] - scores[1]
    assert (p.method, p.n_clusters, p.direction, p.reason) == ("tango", 200, "lower", "")
    assert p.se == d.se == pytest.approx(gap.std(ddof=1) / math.sqrt(200))
    assert (p.mean_model, p.mean_baseline) == (scores[0].mean(), scores[1].mean())
    assert p.apart == pytest.approx(np.abs(gap).mean())
    assert p.correlation == pytest.approx(np.corrcoef(scores)[0, 1])
    assert p.mde < p.room <= 1.0


def test_low_means_are_told_upwards():
    result = result_of(1 - right_and_wrong(200, (0.8, 0.75)))
    assert result.power[0].direction == "higher"
    assert any("the other higher." in n for n in make_table(result, "power").notes)


@pytest.mark.parametrize("said", [{}, {"level": 0.9, "power": 0.7}], ids=["usual", "own"])
@pytest.mark.parametrize("kind", ["right and wrong", "points", "shares", "a range", "answers"])
@pytest.mark.parametrize("clusters", [0, 4])
def test_tables_ask_the_same_as_the_report(kind, clusters, said):
    """The table's own cells from the record: once the questions is what the record says, and that
    many questions are needed for it, at every level.
    """
    rng = np.random.default_rng(1)
    shares = np.clip(rng.normal([[0.6], [0.55], [0.7]], 0.2, (3, 120)), 0.0, 1.0)
    scores = {
        "right and wrong": right_and_wrong(120, (0.9, 0.8, 0.7)),
        "points": rng.normal(50, 9, (3, 40)),
        "shares": shares,
        "a range": 20 + 60 * shares,
        "answers": (rng.random((3, 120, 4)) < shares[:, :, None]).astype(float),
    }[kind]
    sizes = rng.integers(1, 2 * clusters, 120) if clusters else []
    groups = np.repeat(np.arange(len(sizes)), sizes)[: scores.shape[1]]
    more = {"range": [20, 80]} if kind == "a range" else {}
    result = result_of(scores, groups, **said, **more)
    assert all(p.mde > 0.0 for p in result.power)
    again = detectable_with(result.power, result.scale)
    assert again == pytest.approx([p.mde for p in result.power], rel=1e-9)
    for k, p in enumerate(result.power):
        found = needed_for(result.power, result.scale, p.mde)[k]
        of_cluster = p.n_questions / p.n_clusters
        assert found.questions == pytest.approx(p.n_questions, abs=2 * of_cluster)
        assert found.clusters == pytest.approx(p.n_clusters, abs=2)


def test_a_declared_range_gives_the_same_plan_in_its_own_units():
    scores = right_and_wrong(150, (0.85, 0.8))
    rows = [
        {"model": m, "question_id": str(i), "score": x}
        for m, column in zip("ab", scores, strict=True)
        for i, x in enumerate(column)
    ]
    frame = pd.DataFrame(rows).assign(eval="e")
    unit = analyse(frame)[0]
    own = analyse(frame.assign(score=1 + 9 * frame["score"]), range=[1, 10])[0]
    a, b = unit.power[0], own.power[0]
    assert b.mde == pytest.approx(9 * a.mde, rel=1e-9) and b.direction == a.direction
    assert b.room == pytest.approx(9 * a.room) and b.mean_model == pytest.approx(
        1 + 9 * a.mean_model
    )
    for ways in ({"questions": 2.0}, {"questions": 4.0}):
        assert detectable_with(own.power, own.scale, **ways) == pytest.approx(
            9 * detectable_with(unit.power, unit.scale, **ways), rel=1e-9
        )
    needed = [needed_for(r.power, r.scale, e)[0] for r, e in ((unit, 0.02), (own, 0.18))]
    assert needed[0] == needed[1]


def test_what_the_scale_does_not_leave_is_a_dash_with_the_reason():
    scores = np.array([[1.0, 0, 1, 0, 1, 1], [0.0, 1, 1, 0, 1, 0]])
    result = result_of(scores)
    assert result.power[0].reason == "scale" and math.isnan(result.power[0].mde)
    table = make_table(result, "differences-all")
    assert "mde" not in rows_of(table)[0]  # a column of dashes
    why = "no difference that the scale leaves would be found so often."
    assert f"There is no detectable difference to print: {why}" in table.notes
    assert not any(
        "Detectable" in note or "detectable difference the" in note for note in table.notes
    )
    two = make_table([result, result_of(scores, eval="other")], "differences-all")
    assert rows_of(two)[0]["mde"] == DASH and f"Detectable, {DASH}: {why}" in two.notes
    assert any(
        "no difference that the scale leaves" in n for n in make_table(result, "power").notes
    )


def test_designs_without_a_test_have_no_plan():
    """Three clusters of shares in own units: no interval, and no detectable difference."""
    scores = np.random.default_rng(2).normal(50, 9, (2, 9))
    result = result_of(scores, np.repeat(list("abc"), 3))
    assert result.differences[0].method == "none"
    assert result.power[0].reason == "no-test"
    flat = result_of(np.array([[50.0] * 8, [40.0] * 8]))
    assert flat.power[0].reason == "no-variance"
    notes = make_table(flat, "power").notes
    # 50 and 40 do differ: what cannot be told is by how much the difference varies
    assert any("differ by the same amount, or not at all, on every question" in n for n in notes)


def test_clusters_are_those_of_the_questions_that_both_models_have():
    """10 clusters of 30 questions and 40 of 6; B has 2 and 20 of them. Were the questions of a
    cluster alike, its SE would be worth (sum m^2)^2 / sum m^4 = 2520^2 / 1645920 = 3.86 clusters of
    one size, fewer than 5: a dash. By the clusters of all questions it would be worth 13.4.
    """
    groups = np.repeat(np.arange(50), np.repeat([30, 6], [10, 40]))
    scores = np.random.default_rng(3).normal(50, 9, (2, len(groups)))
    scores[1, (groups < 8) | (groups > 29)] = math.nan
    [p] = result_of(scores, groups).power
    assert (p.n_questions, p.n_clusters, p.reason) == (180, 22, "few-large")
    assert p.alike == pytest.approx(2520**2 / 1645920)
    assert math.isnan(p.mde)


def test_clustered_designs_say_the_clusters_needed():
    """Whole clusters of the mean size, 5 questions: questions are five times the clusters."""
    scores = np.random.default_rng(3).normal(50, 9, (2, 60))
    result = result_of(scores, np.repeat(np.arange(12), 5))
    needed = needed_for(result.power, result.scale, 2.0)[0]
    assert needed.questions == 5 * needed.clusters
    table = make_table(result, "power")
    row = rows_of(table)[0]
    keys = [c.key for c in table.columns if c.key.startswith("needed_for_")]
    for key in keys:
        questions, clusters = row[key].rstrip(")").split(" (")
        assert int(questions.replace(",", "")) == 5 * int(clusters.replace(",", ""))
    assert any(
        n.endswith("more questions mean more clusters of the same sizes.") for n in table.notes
    )
    # Twice the clusters have more than twice the degrees of freedom less one.
    twice = detectable_with(result.power, result.scale, questions=2.0)[0]
    assert twice < result.power[0].mde / math.sqrt(2)


def test_answer_noise_needs_repeated_answers():
    result = result_of(right_and_wrong(60, (0.8, 0.7)))
    assert np.isnan(detectable_with(result.power, result.scale, answers=4.0)).all()
    assert len(detectable_with([], result.scale)) == 0 and needed_for([], result.scale, 0.1) == []


@pytest.mark.parametrize(("clusters", "each"), [(8, 10), (9, 20), (8, 1)])
def test_few_clusters_of_shares_have_a_plan_of_their_own(clusters, each):
    """The scale's room is not what they detect: the ratio to the SE goes on from ten clusters."""
    rng = np.random.default_rng(2)
    base = rng.beta(3, 2, clusters * each)
    scores = np.clip(base + rng.normal(0.0, 0.05, (2, len(base))), 0.01, 0.99)
    names = [f"c{i // each}" for i in range(len(base))] if each > 1 else ()
    r = result_of(scores, names)
    [d], [p] = r.differences, r.power
    assert d.method == "tango-effective"
    assert 3.4 * d.se < d.mde < min(5.0 * d.se, p.room / 2.0)
    [needed] = needed_for(r.power, r.scale, d.mde)
    # 8 questions are the number, and too few to be printed
    assert needed.few == (clusters * each < 30)
    assert needed.few or needed.clusters == clusters


def test_tiny_scores_are_planned_as_exactly_as_others():
    """The ratio to the SE is that of scores a million times as large."""
    scores = np.clip(np.random.default_rng(4).normal(0.6, 0.2, (2, 100)), 0.01, 1.0)
    ratios = [d.mde / d.se for d in (result_of(scores * k).differences[0] for k in (1e-6, 1e-12))]
    assert ratios[0] == pytest.approx(ratios[1], rel=1e-4)


def test_few_tiny_shares_have_a_plan_too():
    rng = np.random.default_rng(6)
    base = rng.beta(3, 2, 8) * 1e-9
    d = result_of(base + rng.uniform(0.0, 1e-10, (2, 8))).differences[0]
    assert d.method == "tango-effective"
    assert 3.4 * d.se < d.mde < 6.0 * d.se


def test_models_near_an_end_have_no_plan_and_the_table_says_why():
    """One wrong answer of both models together in 50 questions each; with two there is a plan."""
    scores = np.ones((2, 50))
    scores[0, 0] = 0.0
    result = result_of(scores)
    assert result.power[0].reason == "near-end" and math.isnan(result.power[0].mde)
    text = (
        "There is no detectable difference to print: the two models together are fewer than 2 "
        "questions away from an end of the scale."
    )
    assert text in make_table(result, "differences-all").notes
    scores[1, 1] = 0.0
    assert result_of(scores).power[0].reason == ""


def test_a_few_large_clusters_have_no_plan_and_the_table_says_why():
    """80, 20 and 10 times 5 questions: (sum m^2)^2 / sum m^4 = 7050^2 / 41126250 = 1.2."""
    scores = np.random.default_rng(8).normal(50, 9, (2, 150))
    result = result_of(scores, np.repeat(np.arange(12), [80, 20] + [5] * 10))
    [p] = result.power
    assert p.reason == "few-large" and p.alike == pytest.approx(7050**2 / 41126250)
    assert p.alike < p.worth < 12
    text = "so that the eval may be worth fewer than 5 clusters of one size"
    assert any(text in note for note in make_table(result, "power").notes)
    even = result_of(scores, np.repeat(np.arange(10), 15)).power[0]
    assert even.reason == "" and (even.worth, even.alike) == pytest.approx((10.0, 10.0))
    alone = result_of(scores).power[0]
    assert math.isnan(alone.worth) and math.isnan(alone.alike)


def test_more_questions_than_too_few_are_planned_or_none():
    """An eval of 400 questions of which 20 would do says so, and prints no number."""
    scores = np.random.default_rng(9).normal(0.0, 1.0, (2, 400)) * 0.005 + 0.5
    result = result_of(scores)
    [needed] = needed_for(result.power, result.scale, 0.005)
    assert needed.few and math.isnan(needed.questions)
    table = make_table(result, "power")
    text = f"Questions needed, {DASH}: fewer than 30 questions would do, too few to plan."
    assert text in table.notes
    assert not any("no difference that the scale leaves" in note for note in table.notes)


def test_the_variance_that_more_answers_leave_is_that_of_the_record():
    """Answers of pure chance: omega2 is hardly above 0, and a quarter of the noise is left."""
    rng = np.random.default_rng(10)
    answers = (rng.random((2, 200, 4)) < 0.5).astype(float)
    rows = [
        {"model": m, "question_id": str(i), "epoch": k + 1, "score": answers[j, i, k]}
        for j, m in enumerate("ab")
        for i in range(200)
        for k in range(4)
    ]
    result = analyse(pd.DataFrame(rows).assign(eval="e"))[0]
    [p] = result.power
    gap = answers.mean(axis=2)[0] - answers.mean(axis=2)[1]
    assert p.se == pytest.approx(gap.std(ddof=1) / math.sqrt(200))
    noise = p.sigma2_model / 4 + p.sigma2_baseline / 4
    left = (p.omega2 + noise / 4) / (200 * p.se**2 if p.omega2 == 0.0 else p.omega2 + noise)
    four = detectable_with(result.power, result.scale, answers=4.0)[0]
    assert four / p.mde == pytest.approx(math.sqrt(left), rel=0.15)


def of_answers(*right: np.ndarray, top: float = 1.0) -> pd.DataFrame:
    """Models a, b ..: right answers, shape (n, K), nan where there is none."""
    return pd.DataFrame(
        {"model": m, "question_id": str(i), "epoch": k + 1, "score": top * x, "eval": "e"}
        for m, column in zip("abc", right, strict=False)
        for i, row in enumerate(column)
        for k, x in enumerate(row)
        if x == x
    )


def several_right(n: int, k: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    hard, luck = rng.normal(size=n), rng.normal(size=(3, n))
    share = 1 / (1 + np.exp(-(2.0 - 1.2 * hard - 0.6 * luck)))
    return [(rng.random((n, k)) < s[:, None]).astype(float) for s in share]


def test_several_answers_are_planned_by_their_law_whatever_the_scale_and_the_gaps():
    """The table's cells from the record are the report's, also where a model has fewer answers, or
    lacks questions; 0/100 scores have 100 times the difference.
    """
    answers = several_right(80, 6, 4)
    answers[1][:, 4:] = np.nan
    answers[2][:15] = np.nan
    frame = of_answers(*answers)
    result = analyse(frame)[0]
    own = [p.mde for p in result.power]
    assert detectable_with(result.power, result.scale) == pytest.approx(own, rel=1e-9)
    of_law = designs_of(result.power, result.scale)
    assert sum(len(law.pairs) for law in alternative(of_law).several) == 3
    # w of a and c on the 65 common questions: mean s^2 over mean p (1 - p), of both models
    a, c = answers[0][15:], answers[2][15:]
    p = np.array([a.mean(), c.mean()])
    inside = a.var(axis=1, ddof=1).mean() + c.var(axis=1, ddof=1).mean()
    k = next(i for i, p in enumerate(result.power) if {p.model, p.baseline} == {"a", "c"})
    assert of_law.within[k] == pytest.approx(inside / (p * (1 - p)).sum())
    ab = next(i for i, p in enumerate(result.power) if {p.model, p.baseline} == {"a", "b"})
    assert of_law.answers[ab] == pytest.approx(2 / (1 / 6 + 1 / 4))
    hundred = analyse(of_answers(*answers, top=100.0))[0]
    assert [p.mde for p in hundred.power] == pytest.approx(100 * np.array(own), rel=1e-9)
    four, again = (detectable_with(r.power, r.scale, answers=4.0) for r in (result, hundred))
    assert again == pytest.approx(100 * four, rel=1e-9) and (four < own).all()


def test_a_pair_without_an_answer_leaves_the_others_theirs():
    """A dash for models near an end, then the number that the other pair has on its own."""
    scores = right_and_wrong(200, (0.8, 0.75))
    plain = result_of(scores)
    near = result_of(np.array([np.ones(200), np.r_[0.0, np.ones(199)]]))
    powers = [near.power[0], plain.power[0]]
    found = needed_for(powers, plain.scale, 0.02)
    [alone] = needed_for(plain.power, plain.scale, 0.02)
    assert math.isnan(found[0].questions) and found[1:] == [alone]
    assert 2000 < alone.questions < 20_000


def test_a_model_beyond_the_ends_that_both_share_is_not_taken_to_vary_between_them():
    """One model has 0.5 everywhere, the other 0.85 on average: between the ends of both together,
    0.24 and 0.78, the second has no place. A difference that is found four times in five is more
    than one that is just significant; it was 0.6 standard errors.
    """
    scores = np.random.default_rng(1).beta(6, 1, 805)
    frame = pd.DataFrame({
        "model": ["same"] * 805 + ["other"] * 805, "question_id": [*range(805)] * 2,
        "score": [*np.full(805, 0.5), *scores],
    })  # fmt: skip
    row = analyse(frame)[0].differences[0]
    assert row.mde > 1.96 * row.se
