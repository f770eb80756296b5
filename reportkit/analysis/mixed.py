"""Percent beside shares in one metric, and models whose names look the same: doubts, no rules."""

from collections.abc import Iterable, Sequence

import numpy as np

from reportkit.facts import MixedUnits

# Above this the best score of a model is more likely percent than a mark from 1 to 10.
SURE = 10.0


def mixed_units(means: np.ndarray, models: Sequence[str]) -> MixedUnits | None:
    """Models whose scores may be shares beside others whose scores may be percent; None where
    nothing looks so. means: (n, M) of question scores as they came, nan where there is none, of
    scores without a declared range.

    A model within 0 to 1 counts where it has two different scores; one beyond 1 where it is within
    0 to 100 and reaches above SURE. Where another model goes beyond 1 otherwise, such as one up to
    7 or 140, the scores are counts or marks, of which a weak model may have only 0 and 1.

    >>> mixed_units(np.array([[0.0, 100.0], [1.0, 0.0]]), ["A", "B"])
    MixedUnits(shares=('A',), percent=('B',), top=100.0)
    """
    shares, percent, top = [], [], 0.0
    for model, column in zip(models, means.T, strict=True):
        present = column[~np.isnan(column)]
        if not len(present):
            continue
        low, high = float(present.min()), float(present.max())
        if low >= 0.0 and high <= 1.0:
            shares += [model] if low < high else []
        elif low >= 0.0 and SURE < high <= 100.0:
            percent.append(model)
            top = max(top, high)
        else:
            return None
    return MixedUnits(tuple(shares), tuple(percent), top) if shares and percent else None


def alike(models: Iterable[str]) -> list[tuple[str, ...]]:
    """Names that differ by case, or by spaces at their ends, alone.

    >>> alike(["alpha", "beta", "Alpha "])
    [('alpha', 'Alpha ')]
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(models):
        groups.setdefault(name.strip().casefold(), []).append(name)
    return [tuple(names) for names in groups.values() if len(names) > 1]
