"""Matrices of models x models: differences with significance marked by shape, correlations ordered
by similarity.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.figures.canvas import NARROW, axis_units
from reportkit.figures.captions import alpha_of
from reportkit.figures.grid import Cell, Grid, draw_grid
from reportkit.results import EvalResult
from reportkit.text.numbers import fixed, units_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


def differences(result: EvalResult, width: float) -> "Canvas | None":
    place = {model: i for i, model in enumerate(result.models)}
    cells: dict[Cell, float] = {}
    shapes: dict[Cell, str] = {}
    for d in result.differences:  # lists a pair once; the other direction is its negative
        for at, sign in (
            ((place[d.model], place[d.baseline]), 1),
            ((place[d.baseline], place[d.model]), -1),
        ):
            cells[at] = sign * d.difference
            clear = d.p_adjusted < 1.0 - result.level  # an undefined p is unclear too
            shapes[at] = (
                "_"
                if math.isnan(cells[at])
                else "o"
                if not clear
                else "^"
                if cells[at] > 0
                else "v"
            )
    u = units_of(result)
    top = max((abs(v) for v in cells.values() if math.isfinite(v)), default=0.0) or 1.0
    # The units stand here, as the cells have no room for them.
    key = f"Row minus column ({axis_units(result, width < NARROW)[1]})"
    names = {
        "^": f"row higher, adjusted p < {alpha_of(result)}",
        "v": f"row lower, adjusted p < {alpha_of(result)}",
        "o": f"adjusted p ≥ {alpha_of(result)} or undefined",
        "_": "undefined difference",
    }
    return draw_grid(
        result,
        Grid(
            models=result.models,
            cells=cells,
            shapes=shapes,
            words=names,
            colours="PuOr",
            ends=(-top, top),
            key=key,
            show=lambda v: u.number(v, sign=True).removesuffix("%"),
        ),
        width,
    )


def correlations(result: EvalResult, width: float) -> "Canvas | None":
    """The lower triangle. Light to dark in one hue: the order of the colours is one of lightness
    alone.
    """
    order = similarity_order(result.correlations)
    cells = {
        (i, j): result.correlations[a][b]
        for i, a in enumerate(order)
        for j, b in enumerate(order[:i])
    }
    shapes = {at: "_" for at, r in cells.items() if math.isnan(r)}
    low = min([0.0, *(r for r in cells.values() if math.isfinite(r))])
    key = "Correlation of question scores" + (
        "; similar models stand together" if len(order) > 2 else ""
    )
    return draw_grid(
        result,
        Grid(
            models=[result.models[a] for a in order],
            cells=cells,
            shapes=shapes,
            words={"_": "undefined"},
            colours="Blues",
            ends=(low, 1.0),
            key=key,
            show=lambda r: fixed(r, 2),
        ),
        width,
    )


def similarity_order(correlations: Sequence[Sequence[float]]) -> list[int]:
    """Models in the order of a tree of average linkage on 1 - r, neighbours as similar as it lets
    them be.

    An undefined correlation counts as farthest, 2. Of an order and its reverse, the one that starts
    with the model listed earlier. Fewer than three models, or none with a correlation, keep their
    order.

    >>> similarity_order([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])
    [0, 2, 1]
    """
    n = len(correlations)
    if n < 3 or not any(math.isfinite(r) for i, row in enumerate(correlations) for r in row[:i]):
        return list(range(n))
    import numpy as np
    from scipy.cluster.hierarchy import leaves_list, linkage

    r = np.array(correlations, dtype=float)[np.triu_indices(n, 1)]
    distance = np.where(np.isnan(r), 2.0, 1.0 - np.clip(r, -1.0, 1.0))
    order = [int(i) for i in leaves_list(linkage(distance, "average", optimal_ordering=True))]
    return order if order[0] < order[-1] else order[::-1]
