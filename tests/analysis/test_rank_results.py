"""Ranks of an analysis: from scores to records, and how often all true ranks are in their sets."""

import math

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis import analyse
from reportkit.results import Results
from reportkit.scores.rows import check_rows


def ranks_of(table: dict[str, list[float]], **options):
    """A list of scores for each model, nan where it has none."""
    rows = [
        {"eval": "toy", "model": m, "question_id": f"q{i}", "score": x}
        for m, s in table.items()
        for i, x in enumerate(s)
    ]
    result, _ = analyse(check_rows(pd.DataFrame(rows).dropna()), **options)
    return {r.model: (r.rank, r.low, r.high) for r in result.ranks}


def test_two_models_are_ranked_where_their_interval_excludes_0():
    """40 questions of 100 that only A solves: McNemar's p is far below 5%; of two it is not."""
    assert ranks_of({"A": [1] * 60 + [0] * 40, "B": [1] * 20 + [0] * 80}) == {
        "A": (1, 1, 1),
        "B": (2, 2, 2),
    }
    assert ranks_of({"A": [1] * 60 + [0] * 40, "B": [1] * 58 + [0] * 42}) == {
        "A": (1, 1, 2),
        "B": (2, 1, 2),
    }


def test_ties_share_the_best_rank_and_a_baseline_changes_nothing():
    table = {"A": [1, 0] * 50, "B": [0, 1] * 50, "C": [0] * 95 + [1] * 5}
    expected = {"A": (1, 1, 2), "B": (1, 1, 2), "C": (3, 3, 3)}
    assert ranks_of(table) == ranks_of(table, baseline="A") == expected


def test_a_rank_has_its_model_and_the_method_of_its_set():
    """One model alone with scores has no set: nobody is compared with it."""
    rows = [
        {"eval": "toy", "model": m, "question_id": f"q{i}", "score": x, "status": status}
        for m, x, status in (("A", 1, "ok"), ("B", 0, "ok"), ("C", None, "error"))
        for i in range(30)
    ]
    for kept, method in (("ABC", "bonferroni"), ("AB", "bonferroni"), ("AC", "none")):
        result, _ = analyse(check_rows(pd.DataFrame([r for r in rows if r["model"] in kept])))
        assert [(r.model, r.method) for r in result.ranks] == [(m, method) for m in kept]


def test_one_model_has_no_ranks():
    assert ranks_of({"A": [1, 0, 1]}) == {}


def test_with_missing_scores_a_rank_counts_the_models_that_scored_higher_on_common_questions():
    """A has the easy half alone and a mean of 0.8; there B has 1.0. So B is first, though its mean
    of 0.7 is lower.
    """
    gap = [math.nan] * 50
    found = ranks_of({"A": [1] * 40 + [0] * 10 + gap, "B": [1] * 70 + [0] * 30})
    assert found["B"][0] == 1 and found["A"] == (2, 2, 2)
    # B's mean lies below that of A, which is found worse: too little is known for a set.
    assert all(math.isnan(x) for x in found["B"][1:])


def test_a_model_that_shares_no_question_has_a_set_without_a_rank():
    gap = [math.nan] * 50
    found = ranks_of({"A": [1] * 50 + gap, "B": gap + [1] * 50, "C": [0, 1] * 50})
    assert math.isnan(found["A"][0]) and math.isnan(found["B"][0])
    assert found["C"] == (3, 3, 3) and found["A"][1:] == found["B"][1:] == (1, 2)


def test_a_model_without_a_score_is_outside_the_ranking():
    rows = [
        {
            "eval": "toy",
            "model": m,
            "question_id": f"q{i}",
            "score": x,
            "status": "ok" if x == x else "error",
        }
        for m, s in {
            "A": [1] * 60 + [0] * 40,
            "B": [1] * 20 + [0] * 80,
            "C": [math.nan] * 100,
        }.items()
        for i, x in enumerate(s)
    ]
    result, _ = analyse(check_rows(pd.DataFrame(rows)))
    a, b, c = result.ranks
    assert (a.low, a.high, b.low, b.high) == (1, 1, 2, 2) and c.model == "C"
    assert all(math.isnan(x) for x in (c.rank, c.low, c.high))


def test_ranks_are_not_in_the_json():
    rows = [
        {"eval": "toy", "model": m, "question_id": f"q{i}", "score": i % 2}
        for m in "AB"
        for i in range(9)
    ]
    result, warnings = analyse(check_rows(pd.DataFrame(rows)))
    assert (
        result.ranks
        and "ranks" not in Results("toy", "n", {}, (result,), warnings).to_json()["evals"][0]
    )


@pytest.mark.slow  # a minute and a half of simulated reports
@pytest.mark.parametrize("truth", [[0.5] * 6, [0.3, 0.3, 0.4, 0.6, 0.6, 0.9]])
def test_a_true_rank_is_in_its_set_as_often_as_promised(truth):
    """200 evals of 6 models with 0/1 answers to 60 questions; each model's set by itself. Three SEs
    of simulation below 95% would be a finding.
    """
    rng, held, sharp, runs = np.random.default_rng(3), np.zeros(6), 0, 200
    t = np.array(truth)
    best, worst = (
        1 + (t[None, :] > t[:, None]).sum(axis=1),
        6 - (t[None, :] < t[:, None]).sum(axis=1),
    )
    for _ in range(runs):
        s = (rng.random((60, 6)) < t).astype(float)
        found = list(ranks_of({f"m{i}": s[:, i].tolist() for i in range(6)}).values())
        # A set that is not given says nothing wrong.
        held += [
            not (low > b or high < w)
            for (_, low, high), b, w in zip(found, best, worst, strict=True)
        ]
        sharp += any(high - low < 5 for _, low, high in found)
        assert all(low <= rank <= high for rank, low, high in found if low == low)
    assert (held / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)).all()
    assert sharp == runs if truth[5] == 0.9 else sharp / runs < 0.5  # not by saying nothing
