"""What kind of scores these are, where the caller does not say it: as a report decides it."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Kind:
    """binary: each score is right or wrong. share: scores lie between 0 and 1. factor: what they
    are to be divided by for that, 100 where right and wrong are written 100 and 0.
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
    if binary is not None or share is not None:
        return Kind(bool(binary), bool(share))
    high = max(float(np.fmax.reduce(s, axis=None, initial=-np.inf)) for s in scores)
    if high == 100.0 and _are(scores, 100.0):
        return Kind(True, True, 100.0)
    if not high <= 1.0:
        return Kind(False, False)
    low = min(float(np.fmin.reduce(s, axis=None, initial=np.inf)) for s in scores)
    return Kind(_are(scores, 1.0), low >= 0.0)


def _are(scores: tuple[np.ndarray, ...], right: float) -> bool:
    """Whether every score there is is 0 or `right`."""
    return all(bool(((s == 0.0) | (s == right) | (s != s)).all()) for s in scores)
