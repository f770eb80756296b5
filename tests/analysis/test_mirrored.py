"""Scores of which the lower is better are the mirror image of those of which the higher is: an eval
and a suite of the scores with the other sign have the same ranks, tests and best models, and each
mean, difference and interval with the other sign.
"""

import math
from typing import Any

import numpy as np
import pytest
from support.record_values import values
from support.scores_made import result_of

from reportkit.analysis.suite import suite_of
from reportkit.results import EvalResult

TURNED = {"difference", "mean", "mean_model", "mean_baseline", "mean_common", "cluster_mean"}
SWAPPED = {
    "ci_low": "ci_high",
    "ci_high": "ci_low",
    "cluster_low": "cluster_high",
    "cluster_high": "cluster_low",
}
SAID = {"tables": "equivalence,ranks,simultaneous,clustering-all", "margin": 0.5}
# what is given: the direction, the range, and the scores themselves
LEFT_OUT = ("lower", "scale", "options", "answers")
N = 24


def evals(sign: float) -> list[EvalResult]:
    """One complete, with the leader that the data chose; one with gaps and a baseline; one in
    clusters, of four models.
    """
    rng = np.random.default_rng(4)
    whole, gaps, grouped = (
        rng.normal(size=(1, N)) + rng.normal(size=(5, N)) + [[0.9], [0.6], [0.4], [-0.6], [1.0]]
        for _ in range(3)
    )
    gaps[1, :4] = math.nan
    said = SAID | {"better": "higher" if sign > 0 else "lower"}
    return [
        result_of(sign * whole, eval="whole", **said),
        result_of(sign * gaps, eval="gaps", baseline="B", **said),
        result_of(sign * grouped[:4], [f"c{q // 3}" for q in range(N)], eval="grouped", **said),
    ]


def mirrored(record: Any) -> dict[tuple[Any, ...], Any]:
    held = dict(values(record, LEFT_OUT))
    ends = {p: -held[(*p[:-1], SWAPPED[p[-1]])] for p in held if p[-1] in SWAPPED}
    return held | {p: -x for p, x in held.items() if p[-1] in TURNED} | ends


@pytest.mark.parametrize("of", [lambda e: e, suite_of], ids=["evals", "suite"])
def test_where_lower_is_better_all_is_the_mirror_image(of):
    up, down = dict(values(of(evals(1.0)), LEFT_OUT)), mirrored(of(evals(-1.0)))
    assert up.keys() == down.keys()
    numbers = {path for path, x in up.items() if isinstance(x, float)}
    assert len(numbers) > 500
    assert {p: down[p] for p in up if p not in numbers} == {
        p: x for p, x in up.items() if p not in numbers
    }
    other = {
        path: (up[path], down[path])
        for path in numbers
        if down[path] != pytest.approx(up[path], rel=1e-9, abs=1e-12, nan_ok=True)
    }
    assert other == {}
