"""Means over declared strata, and means of questions that weigh differently."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.scores_made import frame_of, result_of, rows_of

from reportkit.analysis import analyse
from reportkit.errors import ScoresError
from reportkit.tables import make_table

RNG = np.random.default_rng(8)
N = 90
SUBJECT = np.repeat(["art", "bio", "law"], [20, 30, 40])
WEIGHT = RNG.integers(1, 5, N).astype(float)
SCORES = np.clip(RNG.normal(np.repeat([0.3, 0.5, 0.7], [20, 30, 40]), 0.15, (2, N)), 0.01, 0.99)


def result(scores=SCORES, clusters=(), subject=SUBJECT, weight=WEIGHT, **said):
    frame = frame_of(scores, clusters)
    place = frame["question_id"].str[1:].astype(int)
    frame = frame.assign(
        subject=pd.Series(subject)[place].to_numpy(),
        importance=pd.Series(weight)[place].astype(str).to_numpy(),
    )
    return analyse(frame, tables="strata", **said)[0]


def of(*args, **said):
    found = result(*args, **said).requested["strata"]
    return {(r.model, r.stratum): r for r in found}


def test_strata_are_weighed_by_their_share_of_the_questions():
    """Cochran 1977, chapter 5: sqrt(sum W_h^2 s_h^2 / n_h), Welch's degrees of freedom."""
    found = of(strata="subject")
    x = SCORES[0]
    parts = [x[h == SUBJECT] for h in ("art", "bio", "law")]
    pieces = np.array([(len(p) / N) ** 2 * p.var(ddof=1) / len(p) for p in parts])
    se = math.sqrt(pieces.sum())
    df = pieces.sum() ** 2 / sum(v**2 / (len(p) - 1) for v, p in zip(pieces, parts, strict=True))
    overall = found["A", ""]
    assert overall.mean == pytest.approx(x.mean(), abs=1e-12)
    assert (overall.se, overall.df) == pytest.approx((se, df), rel=1e-12)
    half = scipy_stats.t.isf(0.025, df) * se
    assert (overall.ci_low, overall.ci_high) == pytest.approx((x.mean() - half, x.mean() + half))
    assert (overall.method, overall.n_questions, overall.weight) == ("t", N, 1.0)
    bio = found["A", "bio"]
    assert bio.weight == pytest.approx(30 / 90) and bio.n_questions == 30
    ends = scipy_stats.ttest_1samp(parts[1], 0.0).confidence_interval(0.95)
    assert (bio.mean, bio.ci_low, bio.ci_high) == pytest.approx((parts[1].mean(), *ends))
    # What differs between subjects is no noise: the SE is below that of the means table.
    assert overall.se < 0.85 * x.std(ddof=1) / math.sqrt(N)


def test_the_order_is_all_then_the_strata_by_name():
    found = result(strata="subject").requested["strata"]
    names = ["", "", "art", "art", "bio", "bio", "law", "law"]
    assert [r.stratum for r in found] == names and [r.model for r in found] == ["A", "B"] * 4


def test_equal_weights_for_every_subject():
    """weight 1 / n_h in each stratum: the mean of the three subject means."""
    sizes = {"art": 20, "bio": 30, "law": 40}
    weight = np.array([1 / sizes[s] for s in SUBJECT])
    overall = of(strata="subject", weights="importance", weight=weight)["B", ""]
    parts = [SCORES[1][h == SUBJECT] for h in sizes]
    assert overall.mean == pytest.approx(np.mean([p.mean() for p in parts]), abs=1e-12)
    se = math.sqrt(sum(p.var(ddof=1) / len(p) / 9 for p in parts))
    assert overall.se == pytest.approx(se, rel=1e-12)


def linearised(x, w):
    """Weighted mean and the SE of its linearised ratio: n/(n-1) sum w^2 u^2 / (sum w)^2."""
    mean = np.average(x, weights=w)
    n = len(x)
    return mean, math.sqrt(n / (n - 1) * (w**2 * (x - mean) ** 2).sum()) / w.sum()


def test_weights_alone():
    found = of(weights="importance")
    assert set(found) == {("A", ""), ("B", "")}
    for model, x in zip("AB", SCORES, strict=True):
        r = found[model, ""]
        assert (r.mean, r.se) == pytest.approx(linearised(x, WEIGHT), rel=1e-12)
        half = scipy_stats.t.isf(0.025, N - 1) * r.se
        assert (r.ci_low, r.ci_high) == pytest.approx((r.mean - half, r.mean + half), rel=1e-12)


def test_weights_whose_sum_is_beyond_all_numbers():
    huge = of(weights="importance", weight=WEIGHT * 4e307)["A", ""]
    assert huge.mean == pytest.approx(np.average(SCORES[0], weights=WEIGHT), abs=1e-12)


def test_weights_that_differ_within_strata():
    found = of(strata="subject", weights="importance")
    parts = [(SCORES[0][h == SUBJECT], WEIGHT[h == SUBJECT]) for h in ("art", "bio", "law")]
    share = np.array([w.sum() for _, w in parts]) / WEIGHT.sum()
    of_parts = [linearised(x, w) for x, w in parts]
    overall = found["A", ""]
    assert overall.mean == pytest.approx(np.average(SCORES[0], weights=WEIGHT), abs=1e-12)
    se = math.sqrt(sum(s**2 * se**2 for s, (_, se) in zip(share, of_parts, strict=True)))
    assert overall.se == pytest.approx(se, rel=1e-12)
    law = found["A", "law"]
    assert (law.mean, law.se) == pytest.approx(of_parts[2], rel=1e-12)
    assert law.weight == pytest.approx(share[2], rel=1e-12)


def test_clusters_within_strata():
    """G/(G-1) sum of squared cluster sums over n^2, in each stratum: clusters of five."""
    clusters = [f"c{i // 5}" for i in range(N)]
    overall = of(strata="subject", clusters=clusters)["A", ""]
    total = 0.0
    for h, n in (("art", 20), ("bio", 30), ("law", 40)):
        x = SCORES[0][h == SUBJECT]
        sums = (x - x.mean()).reshape(-1, 5).sum(axis=1)
        total += (n / N) ** 2 * (n // 5) / (n // 5 - 1) * (sums**2).sum() / n**2
    assert overall.se == pytest.approx(math.sqrt(total), rel=1e-12)
    assert overall.n_clusters == 18


def test_a_stratum_keeps_its_weight_where_a_model_lacks_answers():
    scores = SCORES.copy()
    scores[0, :15] = np.nan  # of 20 in art
    found = of(scores, strata="subject")
    x = scores[0]
    means = [np.nanmean(x[h == SUBJECT]) for h in ("art", "bio", "law")]
    assert found["A", ""].mean == pytest.approx(np.dot(means, [2 / 9, 3 / 9, 4 / 9]), abs=1e-12)
    assert found["A", ""].n_questions == 75
    assert found["B", ""].mean == pytest.approx(SCORES[1].mean(), abs=1e-12)


def test_no_mean_over_all_without_an_answer_in_one_stratum():
    scores = SCORES.copy()
    scores[0, :20] = np.nan
    found = of(scores, strata="subject")
    for key in (("A", ""), ("A", "art")):
        assert math.isnan(found[key].mean) and found[key].method == "none"
    assert not math.isnan(found["A", "bio"].mean) and not math.isnan(found["B", ""].mean)


def test_few_wrong_answers_have_no_t_interval():
    """Three wrong of 90: Wilson's interval on an effective number, inside the scale."""
    right = np.ones((2, N))
    right[0, [5, 40, 80]] = 0.0
    found = of(right, strata="subject")
    assert found["A", ""].method == "wilson-effective"
    assert 0.8 < found["A", ""].ci_low < 1 - 3 / 90 < found["A", ""].ci_high < 1.0
    # No wrong answer: the modified Wilson ends of 90 questions, z^2 / (n + z^2) below 1.
    z2 = scipy_stats.norm.isf(0.025) ** 2
    assert found["B", ""].ci_low == pytest.approx(90 / (90 + z2), rel=1e-9)


@pytest.mark.parametrize("clusters", [(), [f"{h}{q % 7}" for q, h in enumerate(SUBJECT)]])
def test_a_stratum_of_shares_has_the_interval_of_a_report_of_it_alone(clusters):
    """Near 1 it keeps to the scale, where that of t would end above."""
    high = np.clip(SCORES + 0.45, 0.0, 1.0)
    high[:, 60:] = 1.0
    high[:, [62, 75]] = 0.93
    law = SUBJECT == "law"
    own = [c for c, here in zip(clusters, law, strict=False) if here]
    for m in result_of(high[:, law], own).means:
        row = of(high, clusters, strata="subject")[m.model, "law"]
        t = scipy_stats.t.ppf(0.975, m.df)
        assert m.mean + t * m.se > 1.0 >= row.ci_high
        assert (row.ci_low, row.ci_high, row.method) == (m.ci_low, m.ci_high, m.method)


@pytest.mark.parametrize("bad", ["-1", "nan", "inf", "much"])
def test_what_is_no_weight_is_named(bad):
    weight = WEIGHT.astype(object)
    weight[3] = bad
    why = f"no weight of 0 or more in 'importance': 1 question, the first 'q3' with '{bad}'; give"
    with pytest.raises(ScoresError, match=why):
        result(weights="importance", weight=weight)
    with pytest.raises(ScoresError, match="all weights in 'importance' are 0"):
        result(weights="importance", weight=np.zeros(N))


def test_clusters_over_two_strata_are_refused():
    clusters = [f"c{i // 7}" for i in range(N)]
    refused = result(strata="subject", clusters=clusters).refused["strata"]
    assert "a cluster has questions in two strata" in refused


def test_what_the_table_prints():
    made = result(strata="subject")
    table = make_table(made, "strata")
    rows = rows_of(table)
    x = SCORES[0][SUBJECT == "law"]
    se = x.std(ddof=1) / math.sqrt(40)
    assert rows[0]["stratum"] == "All" and rows[0]["weight"] == "100.0%"
    law = next(row for row in rows if row["stratum"] == "law" and row["model"] == "A")
    assert law["mean"] == f"{100 * x.mean():.1f}% ({100 * se:.1f}%)"
    assert (law["weight"], law["questions"]) == ("44.4%", "40")
    notes = " ".join(table.notes)
    assert (
        "Strata: subject." in notes and "Weight of a stratum: its share of the questions" in notes
    )
    alone = make_table(result(weights="importance"), "strata")
    assert [c.key for c in alone.columns] == ["model", "mean", "ci", "questions"]
    assert "Weighted by importance" in " ".join(alone.notes)
    assert "weighted mean score" in alone.title
    both = make_table(result(strata="subject", weights="importance"), "strata")
    assert "the sum of importance over its questions" in " ".join(both.notes)
