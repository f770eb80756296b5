"""Percent beside shares: which scores are asked about, and which are not."""

import numpy as np
import pytest
from support.scores_made import frame_of

from reportkit.analysis import analyse
from reportkit.analysis.mixed import mixed_units
from reportkit.facts import MixedUnits

SHARE = [0.0, 1.0, 1.0, 0.5]
PERCENT = [0.0, 100.0, 40.0, 100.0]


def asked(*scores, **decisions):
    """What is asked of models A, B, ... with these scores, and the codes of the warnings."""
    result, warnings = analyse(frame_of(np.array(scores)), **decisions)
    return result.mixed, [w.message for w in warnings if w.code == "mixed-units"]


def test_one_model_in_percent():
    mixed, [message] = asked(SHARE, PERCENT, SHARE[::-1])
    assert mixed == MixedUnits(("A", "C"), ("B",), 100.0)
    assert message == (
        "A and C have scores within 0 to 1, B up to 100: percent and shares may be mixed. If it is "
        "percent, divide B's by 100; if not, declare the range with --range."
    )


def test_two_models_in_percent():
    mixed, [message] = asked(SHARE, PERCENT, [11.0, 20.0, 30.5, 7.0])
    assert mixed == MixedUnits(("A",), ("B", "C"), 100.0)
    assert "A has scores within 0 to 1, B and C up to 100" in message
    assert "If they are percent, divide theirs by 100" in message


@pytest.mark.parametrize(
    "scores",
    [
        (SHARE, [0.0, 10.0, 4.0, 3.0]),  # marks up to 10, of which a weak model has the lowest
        (SHARE, [0.0, 101.0, 4.0, 3.0]),  # counts: no percent
        (SHARE, PERCENT, [0.0, 7.0, 2.0, 1.0]),  # counts: a model between the two
        (SHARE, [-1.0, 50.0, 4.0, 3.0]),
        ([0.0, 0.0, 0.0, 0.0], PERCENT),  # 0 is 0 in either
        (SHARE, SHARE[::-1]),
        (PERCENT, PERCENT[::-1]),
    ],
)
def test_other_scores_are_not_asked_about(scores):
    assert asked(*scores) == (None, [])


def test_a_declared_range_is_believed():
    assert asked(SHARE, PERCENT, range=(0, 100)) == (None, [])


def test_a_model_without_answers_ends_nothing():
    nothing = [np.nan] * 4
    assert mixed_units(np.array([nothing, SHARE, PERCENT]).T, "ABC") == MixedUnits(
        ("B",), ("C",), 100.0
    )


def test_the_edge_is_above_ten():
    assert asked(SHARE, [0.0, 10.5, 4.0, 3.0])[0] == MixedUnits(("A",), ("B",), 10.5)
