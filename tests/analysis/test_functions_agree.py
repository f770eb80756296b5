"""The functions of reportkit.stats, with nothing said but the scores, give what a report prints of
the same data: every number of every mean and of every difference.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from reportkit import analyse, stats

N = 40


@dataclass(frozen=True)
class Data:
    """Two models' scores, shape (n,) each, and clusters or None."""

    a: np.ndarray
    b: np.ndarray
    clusters: np.ndarray | None = None


def drawn(seed, kind, clusters=False):
    rng = np.random.default_rng(seed)
    draw = {
        "0/1": lambda p: (rng.random(N) < p).astype(float),
        "0/100": lambda p: 100.0 * (rng.random(N) < p),
        "shares": lambda p: rng.beta(10 * p, 10 - 10 * p, N),
        "few low": lambda p: np.where(rng.random(N) < p, 1.0, rng.random(N)),
        "own units": lambda p: 1 + 9 * rng.random(N) * p,
    }[kind]
    return Data(draw(0.95), draw(0.8), np.arange(N) // 4 if clusters else None)


right = np.ones(20)
KINDS = {
    "19 of 20 and 20 of 20": Data(np.r_[np.zeros(1), np.ones(19)], right),
    "identical": Data(np.r_[np.zeros(3), np.ones(17)], np.r_[np.zeros(3), np.ones(17)]),
    "all right, all wrong": Data(right, 0 * right),
    "constant in own units": Data(3 * right, 5 * right),
    "three questions": Data(np.array([1.0, 0.5, 0.0]), np.array([0.5, 0.5, 1.0])),
} | {
    f"{kind}{', clusters' * clusters}": drawn(k, kind, clusters)
    for k, kind in enumerate(("0/1", "0/100", "shares", "few low", "own units"))
    for clusters in (False, True)
}


def frame(data):
    n = len(data.a)
    rows = {"model": np.repeat(["A", "B"], n), "question_id": np.tile(np.arange(n), 2),
            "score": np.r_[data.a, data.b]}  # fmt: skip
    return pd.DataFrame(rows | ({} if data.clusters is None else
                                {"cluster_id": np.tile(data.clusters, 2)}))  # fmt: skip


def equal(one, other, scale=1.0):
    if isinstance(one, str):
        return one == other
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return abs(one - other) <= 1e-12 * max(scale, abs(other))


def assert_equal(found, record, scale):
    for name, value in found.items():
        assert equal(value, getattr(record, name), scale), (name, value, getattr(record, name))


@pytest.mark.parametrize("kind", KINDS)
def test_the_functions_defaults_are_the_reports(kind):
    data = KINDS[kind]
    scale = max(np.abs(data.a).max(), np.abs(data.b).max())
    result, _ = analyse(frame(data))
    for m, scores in zip(result.means, (data.a, data.b), strict=True):
        e = stats.mean_estimate(scores, data.clusters)
        plain = stats.mean_estimate(scores, se="clt")
        i = stats.mean_interval(scores, data.clusters)
        shape = stats.design_effect(scores, data.clusters) if data.clusters is not None else None
        found = {
            "mean": e.value, "se": e.se, "df": e.df, "n_questions": e.n_questions,
            "n_clusters": e.n_clusters, "ci_low": i.low, "ci_high": i.high, "level": i.level,
            "method": i.method, "se_unclustered": plain.se,
        }  # fmt: skip
        if shape is not None:
            found["design_effect"] = shape.design_effect
        assert_equal(found, m, scale)
    [d] = result.differences
    one = stats.paired_difference(data.a, data.b, data.clusters)
    pair = stats.all_pairs(np.column_stack([data.a, data.b]), data.clusters)
    assert_equal(
        {
            "difference": one.estimate.value, "se": one.estimate.se, "df": one.estimate.df,
            "n_questions": one.estimate.n_questions, "n_clusters": one.estimate.n_clusters,
            "ci_low": one.interval.low, "ci_high": one.interval.high, "level": one.interval.level,
            "method": one.interval.method, "p_value": one.p_value, "p_adjusted": one.p_value,
            "correlation": one.correlation,
        },
        d, scale,
    )  # fmt: skip
    assert_equal(
        {
            "difference": pair.difference[0], "se": pair.se[0], "df": pair.df[0],
            "ci_low": pair.low[0], "ci_high": pair.high[0], "method": str(pair.method[0]),
            "p_value": pair.p_value[0], "p_adjusted": pair.p_adjusted[0],
            "correlation": pair.correlation[0], "n_questions": pair.n_questions[0],
            "n_clusters": pair.n_clusters[0],
        },
        d, scale,
    )  # fmt: skip


def test_what_the_caller_says_holds():
    """19 of 20 said to be no count: t, by hand 0.95 -+ 2.093 * 0.05."""
    scores = np.r_[np.zeros(1), np.ones(19)]
    assert stats.mean_interval(scores).method.startswith("wilson")
    found = stats.mean_interval(scores, binary=False)
    assert found.method == "t" and abs(found.high - (0.95 + 2.0930240544 * 0.05)) < 1e-9
    assert stats.paired_difference(scores, scores[::-1]).interval.method == "tango"
    assert stats.paired_difference(scores, scores[::-1], binary=False).interval.method == "t"
    percent = stats.mean_interval(100 * scores)
    assert abs(percent.high - 100 * stats.mean_interval(scores).high) < 1e-12


@pytest.mark.parametrize(
    ("right", "of", "said"),
    [
        (0.65, 100, "0.65 successes of 100 are no counts: give whole numbers, the right answers "
         "and all; for a share of 0.65 give 65 and 100; scores that are not counts have"),
        (2.5, 10, "2.5 successes of 10 are no counts"),
        (2, 10.5, "2 successes of 10.5 are no counts"),
        (11, 10, "11 successes of 10 is no share"),
        (-1, 10, "-1 successes of 10 is no share"),
        (0, 0, "0 successes of 0 is no share"),
        (math.nan, 10, "nan successes of 10 is no share"),
        (1, math.inf, "1 successes of inf is no share"),
    ],
)  # fmt: skip
def test_a_count_is_an_integer(right, of, said):
    for interval in (
        stats.wilson_interval,
        stats.modified_wilson_interval,
        stats.counted_interval,
        stats.clopper_pearson_interval,
    ):
        with pytest.raises(ValueError, match=said.replace("(", r"\(")):
            interval(right, of)


def test_a_count_that_a_product_made_is_taken():
    assert 0.29 * 100 != 29  # 28.999999999999996
    assert stats.wilson_interval(0.29 * 100, 100) == stats.wilson_interval(29, 100)


@pytest.mark.parametrize("counts", [(0.5, 2), (2, 1.5), (-1, 2), (math.nan, 1), (1, math.inf)])
def test_mcnemars_counts_are_integers_too(counts):
    with pytest.raises(ValueError, match="are no counts; give the questions that only one model"):
        stats.mcnemar_p_value(*counts)
