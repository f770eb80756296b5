"""What a model's share right is over questions or clusters: the moments of Phi of a normal
variable, of which two models share a part and another part is the model's own.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record
from reportkit.stats.bayes.quadrature import normal_nodes
from reportkit.stats.planning.discordance import quantiles

# Correlation of normal variables where all answers to a question are alike
MOST_ALIKE = 0.999
REACH = 4.2  # of the nodes, in standard deviations
ALONE, ALONE_WEIGHTS = normal_nodes(11, REACH)
BY_PARTS = np.stack([k * special.ndtr(ALONE) ** (k - 1) * ALONE_WEIGHTS for k in (1, 2, 3, 4)])
# Of what both models share: only closer nodes see a step of width sqrt(1 - both). Central moments
# up to the fourth are then right to 0.2%.
SHARED_NODES = (25, 49, 97, 193)
CLOSE = 1.1


@dataclass(frozen=True, slots=True)
class Grid(Record):
    """Nodes of what a question means for both models, and their weights, shape (N,) each."""

    at: np.ndarray
    weights: np.ndarray

    def mean(self, x: np.ndarray) -> np.ndarray:
        """Over questions, (..., N) to (...); of a pair the same whatever pairs are beside it."""
        return _mean(x, self.weights)


def _mean(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("...i,i->...", x, weights))


GRIDS = tuple(Grid(*normal_nodes(n, REACH)) for n in SHARED_NODES)


def grids_of(both: np.ndarray) -> Iterator[tuple[np.ndarray, Grid]]:
    """Which pairs each grid is for, by the correlation of the two models' variables, shape (P,).

    >>> [(k.tolist(), len(grid.at)) for k, grid in grids_of(np.array([0.5, 0.95, 0.0, 0.999]))]
    [([0, 2], 25), ([1], 49), ([3], 193)]
    """
    width = np.sqrt(1.0 - np.minimum(both, MOST_ALIKE))
    needed = np.digitize(
        2.0 * REACH / (CLOSE * width), [n - 1 for n in SHARED_NODES[:-1]], right=True
    )
    for i, grid in enumerate(GRIDS):
        pairs = np.flatnonzero(needed == i)
        if len(pairs):
            yield pairs, grid


def share_powers(
    share: np.ndarray, own: np.ndarray, both: np.ndarray, grid: Grid = GRIDS[0]
) -> np.ndarray:
    """Means of the first four powers of a model's share right of a question, shape (4, P, N): by
    what the question means for both models.

    share: of all questions. own: correlation of the normal variables of two answers of one model to
    a question. both: of two models' answers to it. All of shape (P,).

    With U = (m + sqrt(own - both) z) / sqrt(1 - own), the mean of Phi(U)^k over z is, by parts,
    that of k Phi(x)^(k-1) Phi((m - sqrt(1 - own) x) / sqrt(own - both)) over x, both normal. The
    one without a narrow step is taken.

    >>> one = np.ones(1)   # normal variables of correlation 1/2, mean 0: orthants 1/2, 1/3, 1/4
    >>> GRIDS[0].mean(share_powers(0.5 * one, 0.5 * one, 0.5 * one))[:3, 0].round(4).tolist()
    [0.5, 0.3333, 0.25]
    >>> # nearly all answers to a question are alike: the share of a question is nearly 0 or 1
    >>> p = GRIDS[0].mean(share_powers(0.8 * one, 0.999 * one, 0.4 * one))
    >>> p[:3, 0].round(3).tolist()
    [0.8, 0.795, 0.792]
    """
    at, own, both = (x[:, None, None] for x in (quantiles(share), own, both))
    mean = at + np.sqrt(both) * grid.at[:, None]
    noise, alone = np.sqrt(1.0 - own), np.sqrt(np.maximum(own - both, 0.0))
    direct = alone <= noise
    step = np.where(direct, alone, -noise) / np.where(direct, noise, alone)
    p = special.ndtr(mean / np.where(direct, noise, alone) + step * ALONE)
    k = np.flatnonzero(direct)
    powers = np.asarray(np.einsum("...i,ki->k...", p, BY_PARTS))
    square = p[k] * p[k]
    for i, of_direct in enumerate((p[k], square, square * p[k], square * square)):
        powers[i, k] = _mean(of_direct, ALONE_WEIGHTS)
    return powers
