"""Correlations of question scores, as a matrix in which similar models stand together."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.figures.grid import Grid, draw_grid
from reportkit.figures.words import ends, listed, told
from reportkit.results import EvalResult
from reportkit.tables.captions import compared_of, metric_of, sentence
from reportkit.text.numbers import fixed

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


ENDS = (0.0, -0.2, -0.5, -1.0)  # of the colours' scale, which always reaches 1


def draw(result: EvalResult, width: float) -> "Canvas | None":
    """The lower triangle. Light to dark in one hue: the order of the colours is one of lightness
    alone.
    """
    order = similarity_order(result.correlations)
    cells = {
        (i, j): result.correlations[a][b]
        for i, a in enumerate(order)
        for j, b in enumerate(order[:i])
    }
    least = min([0.0, *(r for r in cells.values() if math.isfinite(r))])
    low = next(end for end in ENDS if end <= least)
    key = "Correlation of question scores"
    if len(order) > 2:
        key += "; similar models stand together"
    grid = Grid(
        models=[result.models[a] for a in order],
        cells=cells,
        shapes={at: "_" for at, r in cells.items() if math.isnan(r)},
        words={"_": "undefined"},
        colours="Blues",
        ends=(low, 1.0),
        key=key,
        caption=lambda: told(title(result), result.fictional),
        show=lambda r: fixed(r, 2),
        tick=lambda r: f"{r:g}".replace("-", "−"),
    )
    return draw_grid(result, grid, width)


def title(result: EvalResult) -> str:
    order = ", similar models next to each other" if len(result.models) > 2 else ""
    about = sentence("Pearson's correlations", metric_of(result), compared_of(result, result.pairs))
    what = f"correlations of question scores between every two models{order}"
    return f"{result.eval}: {what}. {about}"


def alt(result: EvalResult) -> str:
    pairs = [
        (r, i, j)
        for i, row in enumerate(result.correlations)
        for j, r in enumerate(row[:i])
        if math.isfinite(r)
    ]
    said = [
        f"{result.models[i]} and {result.models[j]} {fixed(r, 2)}"
        for r, i, j in ends(pairs, lambda pair: pair[0])
    ]
    return f"Matrix of correlations on {result.eval}, {listed(said, len(pairs), 'pair')}."


def similarity_order(correlations: Sequence[Sequence[float]]) -> list[int]:
    """Models in the order of a tree of average linkage on 1 - r, neighbours as similar as it lets
    them be.

    An undefined correlation counts as farthest, 2. Of an order and its reverse, the one that starts
    with the model listed earlier. Models without any correlation come last, as they were; fewer
    than three with one keep their order.

    >>> similarity_order([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])
    [0, 2, 1]
    """
    known: list[int] = []
    unknown: list[int] = []
    for i, row in enumerate(correlations):
        has_one = any(math.isfinite(r) for j, r in enumerate(row) if j != i)
        (known if has_one else unknown).append(i)
    return _tree_order(correlations, known) + unknown


def _tree_order(correlations: Sequence[Sequence[float]], models: Sequence[int]) -> list[int]:
    if len(models) < 3:
        return list(models)
    import numpy as np
    from scipy.cluster.hierarchy import leaves_list, linkage

    own = np.array(correlations, dtype=float)[np.ix_(models, models)]
    r = own[np.triu_indices(len(models), 1)]
    distance = np.where(np.isnan(r), 2.0, 1.0 - np.clip(r, -1.0, 1.0))
    order = [models[i] for i in leaves_list(linkage(distance, "average", optimal_ordering=True))]
    return order if order[0] < order[-1] else order[::-1]
