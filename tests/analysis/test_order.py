"""In which order models stand, and which way comparisons run."""

import math

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis import analyse
from reportkit.analysis.order import best_of
from reportkit.analysis.suite import suite_of


def rows_of(shares: dict[str, float], n: int = 20, eval: str = "e") -> pd.DataFrame:
    """Models that have the first so many of n questions right."""
    rows = [
        (eval, m, f"q{q}", float(q < share * n)) for m, share in shares.items() for q in range(n)
    ]
    return pd.DataFrame(rows, columns=["eval", "model", "question_id", "score"])


TEN = {f"m{k}": share for k, share in enumerate([0.3, 0.9, 0.5, 0.1, 0.7, 0.2, 0.8, 0.4, 0.6, 1])}
BEST_FIRST = ["m9", "m1", "m6", "m4", "m8", "m2", "m7", "m0", "m5", "m3"]


def test_ten_models_stand_best_first_wherever_models_stand():
    r = analyse(rows_of(TEN))[0]
    assert list(r.models) == BEST_FIRST
    assert [m.model for m in r.means] == [x.model for x in r.ranks] == BEST_FIRST
    assert [m.mean for m in r.means] == sorted(TEN.values(), reverse=True)
    assert [d.model for d in r.differences] == BEST_FIRST[1:]


def test_where_lower_is_better_the_lowest_stands_first():
    r = analyse(rows_of(TEN), better="lower")[0]
    assert list(r.models) == BEST_FIRST[::-1] and r.leader == "m3"


def test_seven_models_and_named_models_stay_where_they_are():
    eight = {m: share for m, share in TEN.items() if m not in ("m8", "m9")}
    assert list(analyse(rows_of(eight))[0].models) == [m for m in BEST_FIRST if m in eight]
    seven = {m: share for m, share in eight.items() if m != "m7"}
    assert list(analyse(rows_of(seven))[0].models) == list(seven)
    named = [*TEN][::-1]
    assert list(analyse(rows_of(TEN), models=named)[0].models) == named


def test_of_many_models_every_comparison_is_the_other_minus_the_better():
    r = analyse(rows_of(TEN))[0]
    place = {m: k for k, m in enumerate(BEST_FIRST)}
    assert len(r.pairs) == 45
    assert all(place[d.model] > place[d.baseline] for d in (*r.pairs, *r.differences))
    for d in r.pairs:
        assert d.difference == pytest.approx(TEN[d.model] - TEN[d.baseline])
        assert d.ci_low <= d.difference <= d.ci_high and d.difference < 0.0


def test_equal_means_stand_by_name_and_no_score_stands_last():
    frame = rows_of(dict.fromkeys(TEN, 0.5))
    frame.loc[frame.model == "m0", "score"] = np.nan
    assert list(analyse(frame)[0].models) == [*[f"m{k}" for k in range(1, 10)], "m0"]


def test_the_numbers_are_those_of_any_other_order():
    """Every number of a model and of a pair, beside the analysis of the models in their order."""
    by_score, as_named = analyse(rows_of(TEN))[0], analyse(rows_of(TEN), models=[*TEN])[0]
    assert {m.model: m for m in by_score.means} == {m.model: m for m in as_named.means}
    turned = {(d.model, d.baseline): d.turned() for d in as_named.pairs}
    known = turned | {(d.model, d.baseline): d for d in as_named.pairs}
    for d in by_score.pairs:
        other = known.get((d.model, d.baseline)) or turned[(d.baseline, d.model)]
        if (other.model, other.baseline) != (d.model, d.baseline):
            other = other.turned()
        assert (d.difference, d.se, d.p_adjusted, d.ci_low, d.mde) == pytest.approx(
            (other.difference, other.se, other.p_adjusted, other.ci_low, other.mde), nan_ok=True
        )


def test_a_suite_of_ten_models_stands_by_the_average():
    """m3 has 0.1 and 1, 0.55 on average; m9 1 and 0.05, 0.525."""
    other = dict.fromkeys(TEN, 0.05) | {"m3": 1.0}
    evals = [analyse(rows_of(shares, eval=e))[0] for e, shares in (("a", TEN), ("b", other))]
    averages = {m: (TEN[m] + other[m]) / 2 for m in TEN}
    ranked = sorted(averages, key=lambda m: -averages[m])
    assert ranked[:2] == ["m3", "m9"]
    s = suite_of(evals)
    assert [a.mean for a in s.averages] == pytest.approx([averages[m] for m in ranked])
    assert tuple(a.model for a in s.averages) == s.models
    assert suite_of(evals, models=[*TEN]).models == tuple(TEN)


def test_of_models_that_all_have_nothing_each_is_the_best():
    """All means are 0, so that nothing is within a share of the largest."""
    assert best_of([0.0, math.nan, 0.0]) == [0, 2]
    assert best_of([0.0, -0.0, 1.0], lower=True) == [0, 1]
