"""Of several models each pair, and each model, has the numbers that an eval of these alone has; and
which model stands first turns a difference round and changes no other number.
"""

import math
from dataclasses import fields
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from support.scores_made import NAMES, frame_of
from support.sweeps import slow

from reportkit.analysis import analyse
from reportkit.results import EvalResult

N = 30
CLUSTERS = [f"c{q // 3}" for q in range(N)]
# of the family that a comparison belongs to, or of all models together
OF_ALL = {"p_adjusted", "ci_comparisons", "mean_common", "rank", "rank_low", "rank_high",
          "may_be_best"}  # fmt: skip
SAID = {"level": 0.9, "power": 0.7}


def scores(kind: str) -> np.ndarray:
    """Four models and up to three answers to a question; B and C miss questions of their own."""
    rng = np.random.default_rng(6)
    hard = rng.normal(0.0, 0.15, (1, N, 1))
    chance = np.clip(np.array([0.75, 0.6, 0.5, 0.7])[:, None, None] + hard, 0.05, 0.95)
    found = {
        "right": lambda: (rng.random((4, N, 1)) < chance).astype(float),
        "answers": lambda: (rng.random((4, N, 3)) < chance).astype(float),
        "shares": lambda: np.clip(chance + rng.normal(0.0, 0.1, (4, N, 1)), 0.0, 1.0),
        "points": lambda: 100.0 * chance + rng.normal(0.0, 9.0, (4, N, 2)),
    }[kind]()
    found[1, :6] = math.nan
    found[2, 20:23] = math.nan
    if kind == "answers":
        found[3, :, 1:] = math.nan  # one answer for each question of D
    return found


def result(frame: Any, **said: Any) -> EvalResult:
    return analyse(frame, **SAID, **said)[0]


def numbers(record: Any, but: set[str]) -> dict[str, Any]:
    return {f.name: getattr(record, f.name) for f in fields(record) if f.name not in but}


def assert_same(one: Any, other: Any, but: set[str] = frozenset()) -> None:
    ours, theirs = numbers(one, but), numbers(other, but)
    for name, x in ours.items():
        if isinstance(x, float):
            same = theirs[name] == pytest.approx(x, rel=1e-9, abs=1e-12, nan_ok=True)
        else:
            same = theirs[name] == x
        assert same, (name, x, theirs[name])


@pytest.mark.parametrize("clusters", [[], CLUSTERS], ids=["alone", "clusters"])
@pytest.mark.parametrize("kind", ["right", "answers", "shares", "points"])
def test_a_pair_is_that_of_an_eval_of_the_two(kind, clusters):
    frame = frame_of(scores(kind), clusters)
    whole = result(frame)
    assert len(whole.differences) == 6
    for k, (a, b) in enumerate(combinations("ABCD", 2)):
        pair = result(frame[frame["model"].isin([a, b])])
        assert_same(whole.differences[k], pair.differences[0], OF_ALL)
        assert_same(whole.power[k], pair.power[0])
        for m in pair.means:
            assert_same(whole.means["ABCD".index(m.model)], m, OF_ALL)
        matrix, alone = whole.correlations, pair.correlations
        i, j = "ABCD".index(a), "ABCD".index(b)
        assert (matrix[i][j], matrix[j][j]) == pytest.approx((alone[0][1], alone[1][1]))


@pytest.mark.parametrize(
    ("kind", "clusters"),
    [
        ("right", CLUSTERS),
        ("answers", []),
        ("shares", []),
        ("points", CLUSTERS),
        slow("right", []),
        slow("answers", CLUSTERS),
        slow("shares", CLUSTERS),
        slow("points", []),
    ],
)
def test_gaps_of_others_are_no_gaps_of_a_pair(kind, clusters):
    """A and D answered every question: without the gaps of B and C, or in an eval of the questions
    that all have, nothing moves but what is of all.
    """
    found = scores(kind)
    for a, b in permutations((0, 1, 2, 3), 2):
        common = ~np.isnan(found[[a, b], :, 0]).any(axis=0)
        groups = [c for c, here in zip(clusters, common, strict=False) if here]
        pair = frame_of(found[[a, b]][:, common], groups)
        alone = result(pair)
        names = NAMES[a], NAMES[b]
        frame = frame_of(found, clusters)
        whole = result(frame, baseline=names[1])
        [d] = [d for d in whole.differences if d.model == names[0]]
        [p] = [p for p in whole.power if p.model == names[0]]
        but = OF_ALL | {"model", "baseline", "n_only_model", "n_only_baseline", "direction"}
        assert_same(d, alone.differences[0], but)
        assert_same(p, alone.power[0], but)
        only = [int((~np.isnan(found[k, :, 0]) & ~common).sum()) for k in (a, b)]
        assert [d.n_only_model, d.n_only_baseline] == only
