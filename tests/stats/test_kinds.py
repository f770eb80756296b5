"""What kind of scores these are. Each expected kind is the rule in words: right and wrong are 0 and
1, or 0 and 100; shares lie from 0 to 1; others are divided by a power of 2 if their squares are too
large or too small for a double.
"""

import numpy as np
import pytest

from reportkit.stats.kinds import PIECE, Kind, kind_of

NAN = float("nan")


@pytest.mark.parametrize(
    "scores, expected",
    [
        ([0.0, 1.0, NAN], Kind(True, True)),
        ([1.0, 1.0], Kind(True, True)),
        ([0.0, 0.0], Kind(True, True)),
        ([0.0, 0.5, NAN], Kind(False, True)),
        ([0.0, 100.0, NAN], Kind(True, True, 100.0)),
        ([100.0, 100.0], Kind(True, True, 100.0)),
        ([0.0, 1.0, 100.0], Kind(False, False)),
        ([0.0, 50.0, 100.0], Kind(False, False)),
        ([0.0, 101.0], Kind(False, False)),
        ([-0.5, 1.0], Kind(False, False)),
        ([-1.0, 100.0], Kind(False, False)),
        ([0.0, 1.5], Kind(False, False)),
        ([0.0, 2.0], Kind(False, False)),
        ([NAN, NAN], Kind(False, False)),
        ([0.0, float("inf")], Kind(False, False)),
        ([0.0, 2.0**400], Kind(False, False, 2.0**400)),
        ([-(2.0**400), 1.0], Kind(False, False, 2.0**400)),
        ([-(2.0**-400), 0.0], Kind(False, False, 2.0**-400)),
    ],
)
def test_kinds_are_seen_in_the_scores(scores, expected):
    assert kind_of(None, None, np.array(scores)) == expected


@pytest.mark.parametrize("binary", [None, False, True])
@pytest.mark.parametrize("share", [None, False, True])
def test_what_is_said_holds(binary, share):
    """Of 0/1 scores, and of scores of 0 and 100; what is not said is not so once the other is."""
    for top in (1.0, 100.0):
        if top > 1.0 and (binary or share):
            with pytest.raises(ValueError, match="scores run from 0 to 100"):
                kind_of(binary, share, np.array([0.0, top]))
            continue
        found = kind_of(binary, share, np.array([0.0, top]))
        if binary is None and share is None:
            assert found == Kind(True, True, top)
        else:
            assert found == Kind(binary is True, share is True)


@pytest.mark.parametrize("one", [0.5, 1.5, -1.0, 100.0, NAN])
@pytest.mark.parametrize("shape", [(2 * PIECE + 3,), (PIECE, 3), (2, PIECE)])
def test_a_single_score_counts_wherever_it_stands(one, shape):
    """Long arrays are looked at in pieces: one odd score, at each end, is as in a short one."""
    expected = kind_of(None, None, np.array([0.0, 1.0, one]))
    for place in (0, -1):
        s = np.ones(shape)
        s.reshape(-1)[1::2] = 0.0
        s.reshape(-1)[place] = one
        assert kind_of(None, None, s) == expected
        assert kind_of(None, None, np.array([0.0, 1.0]), s) == expected


def test_several_arrays_are_of_one_kind():
    assert kind_of(None, None, np.array([0.0]), np.array([100.0])) == Kind(True, True, 100.0)
    assert kind_of(None, None, np.array([1.0]), np.array([0.5])) == Kind(False, True)
    assert kind_of(None, None, np.array([1.0]), np.array([-0.5])) == Kind(False, False)
    assert kind_of(None, None, np.zeros(0), np.array([1.0])) == Kind(True, True)
