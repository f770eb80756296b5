"""What kind of scores these are, where the caller does not say it: as a report decides it."""

import math
from dataclasses import dataclass

import numpy as np

from reportkit.stats.digits import exponent


@dataclass(frozen=True, slots=True)
class Kind:
    """binary: each score is right or wrong. share: scores lie between 0 and 1. factor: what they
    are to be divided by first: 100 where right and wrong are written 100 and 0; a power of 2 where
    a double does not hold the squares of scores in other units.
    """

    binary: bool
    share: bool
    factor: float = 1.0


def kind_of(binary: bool | None, share: bool | None, *scores: np.ndarray) -> Kind:
    """The kind of scores, arrays of any shape; nan is no score.

    binary, share: what the caller says; where one is said, the other is not so. None for both: it
    is seen in the scores.

    >>> kind_of(None, None, np.array([1.0, 0.0])), kind_of(None, None, np.array([100.0, 0.0]))
    (Kind(binary=True, share=True, factor=1.0), Kind(binary=True, share=True, factor=100.0))
    >>> kind_of(False, None, np.array([1.0, 0.0])), kind_of(None, None, np.array([0.5, 0.0]))
    (Kind(binary=False, share=False, factor=1.0), Kind(binary=False, share=True, factor=1.0))
    """
    if binary or share:
        return Kind(bool(binary), bool(share))
    said = binary is not None or share is not None
    high = max(float(np.fmax.reduce(s, axis=None, initial=-np.inf)) for s in scores)
    if high == 100.0 and not said and _are(scores, 100.0):
        return Kind(True, True, 100.0)
    low = min(float(np.fmin.reduce(s, axis=None, initial=np.inf)) for s in scores)
    if 0.0 <= low <= high <= 1.0 and not said:
        return Kind(_are(scores, 1.0), True)
    largest = max(-low, high)
    return Kind(False, False, 2.0 ** exponent(largest) if math.isfinite(largest) else 1.0)


def _are(scores: tuple[np.ndarray, ...], right: float) -> bool:
    """Whether every score there is is 0 or `right`."""
    return all(bool(((s == 0.0) | (s == right) | (s != s)).all()) for s in scores)
