"""What kind of scores these are, where the caller does not say it: as a report decides it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reportkit.stats.digits import exponent

PIECE = 100_000  # scores (0.8 MB)
BEYOND = 1e-9  # what rounding may add to a score between 0 and 1


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

    binary, share: what the caller says; where one is said, the other is not so, and scores beyond 0
    and 1 are a ValueError. None for both: it is seen in the scores.

    >>> kind_of(None, None, np.array([1.0, 0.0])), kind_of(None, None, np.array([100.0, 0.0]))
    (Kind(binary=True, share=True, factor=1.0), Kind(binary=True, share=True, factor=100.0))
    >>> kind_of(False, None, np.array([1.0, 0.0])), kind_of(None, None, np.array([0.5, 0.0]))
    (Kind(binary=False, share=False, factor=1.0), Kind(binary=False, share=True, factor=1.0))
    """
    said = binary is not None or share is not None
    ends = [_ends(s) for s in scores]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    if binary or share:
        if low < -BEYOND or high > 1.0 + BEYOND:  # without any score neither is so
            raise ValueError(
                f"scores run from {low:g} to {high:g}; binary and share need scores between 0 and 1"
            )
        return Kind(bool(binary), bool(share))
    if high == 100.0 and not said and _are(scores, 100.0):
        return Kind(True, True, 100.0)
    if 0.0 <= low <= high <= 1.0 and not said:
        return Kind(_are(scores, 1.0), True)
    largest = max(-low, high)
    return Kind(False, False, 2.0 ** exponent(largest) if math.isfinite(largest) else 1.0)


def one_answer_kind(binary: bool | None, share: bool | None, *scores: np.ndarray) -> Kind:
    """The same, where binary scores are one answer to each question: each is right or wrong."""
    kind = kind_of(binary, share, *scores)
    if binary:
        check_answers(*scores)
    return kind


def check_answers(*scores: np.ndarray) -> None:
    """ValueError unless each score is one answer, right or wrong.

    >>> check_answers(np.array([1.0, 0.0]))
    """
    for s in scores:
        between = (s > BEYOND) & (s < 1.0 - BEYOND)
        if between.any():
            raise ValueError(
                f"{int(between.sum())} of {len(s)} scores are neither 0 nor 1, such as "
                f"{s[between][0]:g}; binary is for one right-or-wrong answer to each question"
            )


def _ends(s: np.ndarray) -> tuple[float, float]:
    """The lowest and the highest score there is; (inf, -inf) without any."""
    low, high = math.inf, -math.inf
    for part in _parts(s):
        low = min(low, float(np.fmin.reduce(part, axis=None, initial=np.inf)))
        high = max(high, float(np.fmax.reduce(part, axis=None, initial=-np.inf)))
    return low, high


def _are(scores: tuple[np.ndarray, ...], right: float) -> bool:
    """Whether every score there is is 0 or `right`."""
    parts = (part for s in scores for part in _parts(s))
    return all(bool(((x == 0.0) | (x == right) | (x != x)).all()) for x in parts)


def _parts(s: np.ndarray) -> Iterator[np.ndarray]:
    """The scores in pieces that stay in the processor's cache while they are looked at."""
    if s.size <= PIECE:
        yield s
        return
    step = max(1, PIECE * len(s) // s.size)
    yield from (s[k : k + step] for k in range(0, len(s), step))
