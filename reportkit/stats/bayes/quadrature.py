"""Deterministic integration of posteriors: where the mass is, smooth sums, quantiles.

Where a smooth density goes to 0 on both sides, the error of the trapezoid rule falls exponentially
with the number of nodes (Trefethen & Weideman 2014). The nodes only have to be where the mass is.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from scipy import special

DROP = 25.0  # natural logarithms below the peak at which a density is cut: e^-25 = 1.4e-11


def normal_nodes(count: int, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of a standard normal law by the trapezoid rule, from -reach to reach; both
    of shape (count,).

    >>> z, weights = normal_nodes(25, 5.0)
    >>> round(float(weights.sum()), 9), round(float(weights @ z**4), 3)   # fourth moment: 3
    (1.0, 3.0)
    """
    at = np.linspace(-reach, reach, count)
    weights = np.exp(-(at**2) / 2.0)
    return at, weights / weights.sum()


def smooth_cdf(steps: np.ndarray | float, density: np.ndarray) -> np.ndarray:
    """Integrals of a smooth function up to given points, from its values at equally spaced nodes.

    density: shape (..., m), values at nodes 0, 1, ..., m-1, negligible at both ends. steps: shape
    (...), the upper limits in units of the spacing. The sinc interpolant is integrated term by
    term: sum_j f_j (1/2 + Si(pi (x-j)) / pi), as accurate as the trapezoid rule for the whole,
    which it becomes far to the right (Stenger 1993).

    >>> x = np.arange(-16, 17) / 2
    >>> f = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    >>> round(float(smooth_cdf((1.96 + 8) * 2, f) / 2), 9), round(float(special.ndtr(1.96)), 9)
    (0.975002105, 0.975002105)
    """
    at = np.pi * (np.asarray(steps)[..., None] - np.arange(density.shape[-1]))
    return np.einsum("...j,...j->...", density, 0.5 + special.sici(at)[0] / np.pi)


def quantile(cdf: Callable[[float], float], p: float, low: float, high: float) -> float:
    """The point where an increasing function reaches p, by false position (Illinois), to 1e-9 of
    the first bracket.

    low, high: a bracket. It may be a narrow guess: where it does not hold the point, it is widened.

    >>> round(quantile(lambda x: x * x, 0.25, 0.0, 1.0), 12)
    0.5
    """
    below, above, width = cdf(low) - p, cdf(high) - p, high - low
    while below > 0.0 and width < 1e9:
        low, high, above, width = low - width, low, below, 2.0 * width
        below = cdf(low) - p
    while above < 0.0 and width < 1e9:
        low, high, below, width = high, high + width, above, 2.0 * width
        above = cdf(high) - p
    stayed, x = 0, low
    for step in range(200):
        # Every fourth step halves the bracket, so that it shrinks for any curve.
        guess = (
            (low * above - high * below) / (above - below)
            if step % 4 != 3 and above > below
            else (low + high) / 2.0
        )
        last, x = x, guess
        at = cdf(x) - p
        if at <= 0.0:
            above = above / 2.0 if stayed == 1 else above
            low, below, stayed = x, at, 1
        else:
            below = below / 2.0 if stayed == -1 else below
            high, above, stayed = x, at, -1
        if min(abs(x - last), high - low) <= 1e-9 * width or at == 0.0:
            break
    return x


def zoom(
    log_density: Callable[..., np.ndarray],
    box: list[tuple[float, float]],
    drop: float = DROP,
    nodes: int = 33,
) -> list[tuple[float, float]]:
    """The part of a box that holds a smooth density with one peak: all that is within `drop`
    logarithms of the peak.

    log_density: takes one array of coordinates for each side of the box, broadcast against each
    other. The box is cut down to the nodes above the threshold and one more on each side, until it
    stays; a peak of any width is found if the slopes lead to it. A slanting ridge may pass between
    coarse nodes and be cut. So the box grows again where the density is above the threshold at an
    edge, and a last pass takes twice as many nodes.
    """
    outer, last = box, 2 * nodes - 1
    for _ in range(60):
        axes = [np.linspace(low, high, nodes) for low, high in box]
        values = log_density(*np.meshgrid(*axes, indexing="ij", sparse=True))
        inside = values > np.max(values) - drop
        kept, settled = [], True
        for k, axis in enumerate(axes):
            seen = np.flatnonzero(inside.any(axis=tuple(j for j in range(len(axes)) if j != k)))
            more = (axis[-1] - axis[0]) / 4.0
            low = axis[seen[0] - 1] if seen[0] else max(outer[k][0], axis[0] - more)
            high = axis[seen[-1] + 1] if seen[-1] < nodes - 1 else min(outer[k][1], axis[-1] + more)
            kept.append((float(low), float(high)))
            settled &= (
                axis[0] <= low and high <= axis[-1] and high - low > 0.8 * (axis[-1] - axis[0])
            )
        box = kept
        if settled and nodes == last:
            break
        nodes = last if settled else nodes
    return box


@cache
def _legendre(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    return special.roots_legendre(nodes)


def gauss_legendre(low: float, high: float, nodes: int = 128) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights, shape (nodes,), of the integral from low to high.

    >>> x, w = gauss_legendre(0.0, 2.0)
    >>> round(float(w @ x**3), 12)
    4.0
    """
    x, w = _legendre(nodes)
    half = (high - low) / 2.0
    return low + half * (1.0 + x), half * w


def refine(integrate: Callable[[int], tuple[float, ...]], tolerance: float) -> tuple[float, ...]:
    """Results of a quadrature with more and more nodes, until they no longer change.

    integrate: nodes on each axis -> (low, high, sd, ...): two ends, the standard deviation, and
    other results. All must move by less than `tolerance`, the first three also by less than 100
    tolerance sd. Errors of smooth integrands fall exponentially with the nodes, so that what is
    left is far below the last move.
    """
    last: tuple[float, ...] | None = None
    for nodes in (25, 35, 49, 69, 97, 137):
        found = integrate(nodes)
        if last is not None:
            moved = [abs(x - y) for x, y in zip(found, last, strict=True)]
            if max(moved) < tolerance and max(moved[:3]) < 100.0 * tolerance * found[2]:
                return found
        last = found
    raise ArithmeticError(
        f"the posterior's integral still moves by {max(moved):.1g} at {nodes} nodes on each axis"
    )
