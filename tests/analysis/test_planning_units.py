"""A plan from a pilot of scores from 0 to 10, whose models have changed their names, is the plan of
the same scores from 0 to 1: with each difference ten times, each variance a hundred times, and all
else the same.
"""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.record_values import values

from reportkit.analysis.planning import plan
from reportkit.analysis.planning.answered import Planned
from reportkit.decisions import Decisions
from reportkit.plans import asked_of

SQUARED = {"omega2", "sigma2_a", "sigma2_b", "variance", "omega2_printed", "sigma2_printed_a",
           "sigma2_printed_b"}  # fmt: skip
SAID = {"comparisons": 3, "level": 0.9, "power": 0.9}
COSTS = {"cost_question": 2.0, "cost_answer": 0.1}
SIDES = ("sigma2", "sigma2_printed", "epochs")
SWAPPED = {f"{s}_a": f"{s}_b" for s in SIDES} | {f"{s}_b": f"{s}_a" for s in SIDES}

# of each model, its mean and, of scores in part, its standard deviation
OF_MODELS = {("known", k, "value"): ("known", k ^ 1, "value") for k in (0, 1, 2, 3)}


def pilot(kind: str) -> tuple[np.ndarray, list[str]]:
    """Answers of two models, and the clusters of the questions."""
    rng = np.random.default_rng(4)
    hard = rng.uniform(-0.3, 0.3, (1, 60, 1)) + 0.1 * np.repeat(rng.normal(size=15), 4)[:, None]
    answers = 3 if kind == "answers" else 1
    noise = rng.uniform(-0.25, 0.25, (2, 60, answers))
    scores = np.clip(np.array([0.62, 0.5])[:, None, None] + hard + noise, 0.0, 1.0)
    if kind == "right":
        scores = (scores > 0.55).astype(float)
    return scores, [f"c{q // 4}" for q in range(60)] if kind == "clusters" else []


def planned(kind: str, unit: float = 1.0, swapped: bool = False, **said: Any) -> Planned:
    scores, clusters = pilot(kind)
    scores = scores[::-1] if swapped else scores
    rows = [
        {"model": "AB"[m], "question_id": f"q{q}", "epoch": k + 1, "score": unit * x}
        for (m, q, k), x in np.ndenumerate(scores)
    ]
    frame = pd.DataFrame(rows)
    if clusters:
        frame["cluster_id"] = [clusters[int(q[1:])] for q in frame["question_id"]]
    asked = asked_of({"difference": 0.08 * unit, **SAID, **said})
    return plan(asked, frame, Decisions(range=f"0,{unit:g}" if unit != 1.0 else ""))


def numbers(p: Planned) -> dict[tuple[Any, ...], Any]:
    return {path: x for path, x in values(p) if isinstance(x, float | int | np.ndarray)}


def power_of(path: tuple[Any, ...], p: Planned) -> int:
    """By which power of the unit a number grows."""
    first, name = path[0], path[-1]
    if name in SQUARED:
        return 2
    if first == "known":
        return int(p.known[path[1]].name.startswith(("mean", "spread")))
    apart = ("difference", "detectable", "width", "apart")
    if first in ("found", "founds"):
        apart = (*apart, "adjusted", "equation", "low", "high")
    if first == "answers":
        apart = (*apart, "equation", "detectable_low", "detectable_high")
    return int(name in apart or (first == "epochs_curve" and name == 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "said"),
    [("right", {}), ("answers", COSTS), ("clusters", {}), ("shares", {"design": "unpaired"})],
)
def test_a_plan_in_another_unit_and_with_the_models_turned_round(kind, said):
    share, other = planned(kind, **said), planned(kind, 10.0, swapped=True, **said)
    ours, theirs = numbers(share), numbers(other)
    assert ours.keys() == theirs.keys() and len(ours) > 100
    assert [k.name for k in share.known] == [k.name for k in other.known]
    for path, x in ours.items():
        turned = (*path[:-1], SWAPPED.get(path[-1], path[-1]))
        if path[0] == "asked" or path == ("percent",):
            continue
        if path[0] == "answers" and not share.asked.paired:
            turned = path  # only the first model is asked again
        if path in OF_MODELS and " of " in share.known[path[1]].name:
            turned = OF_MODELS[path]
        expected = pytest.approx(x * 10.0 ** power_of(path, share), rel=1e-6, nan_ok=True)
        assert theirs[turned] == expected, path
