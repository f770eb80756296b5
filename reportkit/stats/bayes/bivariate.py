"""The bivariate normal model of two right-or-wrong answers: its four cells, its posterior, and
where that has its mass.

Coordinates: u = mu_A - mu_B, v = mu_A + mu_B, z = atanh rho. The posterior is smooth in each of
them, and goes to 0 far out.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit.record import Record


def orthants(
    h: np.ndarray, k: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities of the four sign patterns of two correlated normals, shapes broadcast: (++, +-,
    -+, --).

    The normals have means h and k, variances 1 and correlation tanh(z), so that ++ is Phi_2(h, k;
    tanh z). They come from Owen's T (Owen 1956), which scipy has to full precision for arrays. The
    absolute error is below 1e-15 at any z, also where the correlation is very near to 1 or -1. Each
    probability is a sum of terms of its own size. None is negative. Exchanging h and k exchanges
    the middle two exactly.

    >>> # 1/4 +- asin(1/2) / 2 pi
    >>> [round(float(p), 12) for p in orthants(0.0, 0.0, np.arctanh(0.5))]
    [0.333333333333, 0.166666666667, 0.166666666667, 0.333333333333]
    """
    # the limit from above, where the ratios below exist
    h, k = (np.where(x == 0.0, 1e-300, x) for x in (h, k))
    along, across = (h + k) * np.exp(-z), (h - k) * np.exp(z)
    with np.errstate(over="ignore"):
        owen = special.owens_t(h, (along - across) / (2.0 * h)) + special.owens_t(
            k, (along + across) / (2.0 * k)
        )
    right_h, right_k = h > 0.0, k > 0.0
    owen = np.where(right_h == right_k, owen, -owen)
    # The tail of each normal is its less likely side. One of the four patterns has no tail, two
    # have one.
    tail_h, tail_k = special.ndtr(-np.abs(h)), special.ndtr(-np.abs(k))
    half = (tail_h + tail_k) / 2.0
    neither = 1.0 - half - owen
    only_h, only_k, both = (
        (tail_h - tail_k) / 2.0 + owen,
        (tail_k - tail_h) / 2.0 + owen,
        half - owen,
    )

    def pattern(h_likely: np.ndarray, k_likely: np.ndarray) -> np.ndarray:
        found = np.where(
            h_likely, np.where(k_likely, neither, only_k), np.where(k_likely, only_h, both)
        )
        return np.maximum(found, 0.0)  # rounding

    return (
        pattern(right_h, right_k),
        pattern(right_h, ~right_k),
        pattern(~right_h, right_k),
        pattern(~right_h, ~right_k),
    )


def log_density(counts: np.ndarray, u: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Log posterior at mu_A - mu_B = u, mu_A + mu_B = v, rho = tanh z, up to a constant; shapes
    broadcast.

    Normal priors of mu (theta uniform), 2 Beta(4, 2) - 1 of rho with the Jacobian of tanh,
    multinomial likelihood.
    """
    log_prior = 4.0 * special.log_expit(2.0 * z) + 2.0 * special.log_expit(-2.0 * z)
    found = log_prior - (u * u + v * v) / 4.0
    for count, p in zip(counts, orthants((v + u) / 2.0, (v - u) / 2.0, z), strict=True):
        if count:
            found = found + count * np.log(np.maximum(p, 1e-300))
    return found


def _derivatives(
    counts: np.ndarray, u: np.ndarray, v: np.ndarray, z: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Gradient (u, v) and negative Hessian (uu, uv, vv) of log_density at fixed z."""
    h, k = (v + u) / 2.0, (v - u) / 2.0
    along, across = v * np.exp(-z) / 2.0, u * np.exp(z) / 2.0
    phi_h, phi_k = (np.exp(-x * x / 2.0) / math.sqrt(2.0 * math.pi) for x in (h, k))
    # (k - rho h) / sqrt(1 - rho^2) and (h - rho k) / ...
    given_h, given_k = along - across, along + across
    phi_2 = phi_h * np.exp(-given_h * given_h / 2.0) / math.sqrt(2.0 * math.pi) * np.cosh(z)
    rho = np.tanh(z)
    g = np.array([-h, -k])
    # hh, hk, kk of minus the log
    hessian = np.array([np.ones_like(h), np.zeros_like(h), np.ones_like(h)])
    for count, p, sign_h, sign_k in zip(
        counts, orthants(h, k, z), (1, 1, -1, -1), (1, -1, 1, -1), strict=True
    ):
        if not count:
            continue
        p = np.maximum(p, 1e-300)
        # d/dh P = +- phi(h) Phi(+- given h); the second derivative by differentiating once more.
        d_h = sign_h * phi_h * special.ndtr(sign_k * given_h) / p
        d_k = sign_k * phi_k * special.ndtr(sign_h * given_k) / p
        cross = sign_h * sign_k * phi_2 / p
        g += count * np.array([d_h, d_k])
        hessian += count * np.array(
            [
                d_h * d_h + h * d_h + rho * cross,
                d_h * d_k - cross,
                d_k * d_k + k * d_k + rho * cross,
            ]
        )
    hh, hk, kk = hessian
    return (
        (g[0] - g[1]) / 2.0,
        (g[0] + g[1]) / 2.0,
        (hh - 2.0 * hk + kk) / 4.0,
        (hh - kk) / 4.0,
        (hh + 2.0 * hk + kk) / 4.0,
    )


def slice_modes(counts: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, ...]:
    """Mode (u, v) of each slice of constant z, and the negative Hessian there (uu, uv, vv), by
    damped Newton steps.

    There is one mode, because a slice is log-concave: each cell is the normal measure of a shifted
    quadrant (Prekopa).
    """
    n = counts.sum()
    h, k = (float(special.ndtri((counts[0] + right + 0.5) / (n + 1.0))) for right in counts[1:3])
    # Start at the observed shares. Where rho rules these out, start nearer to equal (or opposite)
    # models.
    factor = np.array([1.0, 0.25, 0.0625, 0.0])
    start_u, start_v = (
        (h - k) * np.repeat(factor, 4)[:, None],
        (h + k) * np.tile(factor, 4)[:, None],
    )
    values = log_density(counts, start_u, start_v, z)
    best = values.argmax(axis=0)
    u, v, value = start_u[best, 0], start_v[best, 0], values[best, np.arange(len(z))]
    # Slices that the data rule out (a cell seen whose probability is below 1e-300) stay where they
    # start.
    with np.errstate(all="ignore"):
        for _ in range(30):
            g_u, g_v, uu, uv, vv = _derivatives(counts, u, v, z)
            det = uu * vv - uv * uv
            step_u, step_v = (vv * g_u - uv * g_v) / det, (uu * g_v - uv * g_u) / det
            # twice what is left to gain
            size = np.where(g_u * step_u + g_v * step_v > 1e-7, 1.0, 0.0)
            if not size.any():
                break
            step_u, step_v = np.where(size > 0.0, step_u, 0.0), np.where(size > 0.0, step_v, 0.0)
            for _ in range(12):
                to = log_density(counts, u + size * step_u, v + size * step_v, z)
                worse = ~(to >= value)
                if not worse.any():
                    break
                size = np.where(worse, size / 2.0, size)
            size = np.where(worse, 0.0, size)
            u, v = u + size * step_u, v + size * step_v
            value = np.where(worse, value, to)
            if not size.any():
                break
    return u, v, uu, uv, vv


def u_of_difference(difference: float, v: np.ndarray) -> np.ndarray:
    """The u at which Phi((v + u)/2) - Phi((v - u)/2) is the given difference, by Newton steps from
    above.

    In the normal quantile of (1 + difference)/2 the curve is odd, increasing and convex to the
    right of 0.
    """
    target = float(special.ndtri((1.0 + abs(difference)) / 2.0))
    # Two bounds from above: of the curve by one of its two halves, and by its slope at 0.
    u = np.minimum(np.abs(v) + 2.0 * target, 2.0 * target * np.exp(v * v / 8.0))
    for _ in range(60):
        h, k = (v + u) / 2.0, (v - u) / 2.0
        share = (special.ndtr(h) + special.ndtr(-k)) / 2.0
        y = special.ndtri(share)
        slope = (np.exp((y * y - h * h) / 2.0) + np.exp((y * y - k * k) / 2.0)) / 4.0
        step = (y - target) / slope
        u = u - step
        if (np.abs(step) < 1e-13 * (1.0 + np.abs(u))).all():
            break
    return math.copysign(1.0, difference) * u


@dataclass(frozen=True, slots=True)
class Slices(Record):
    """Where slices of constant z lie; all arrays of shape (nz,), except reach.

    A point of a slice is v + sv y2, u + slope sv y2 + su y1: at the mode y1 and y2 are
    uncorrelated, of unit spread.
    """

    u: np.ndarray
    v: np.ndarray
    su: np.ndarray
    sv: np.ndarray
    slope: np.ndarray
    reach: np.ndarray  # shape (4, nz): how far y1 goes below and above 0, then y2


def slices(counts: np.ndarray, z: np.ndarray, drop: float) -> Slices:
    """Slices, each as far as its density is within `drop` logarithms of the highest one; the width
    of a slice counts in this.

    A slice that the data rule out (see slice_modes) has no width.
    """
    u, v, uu, uv, vv = slice_modes(counts, z)
    top = log_density(counts, u, v, z)
    with np.errstate(all="ignore"):
        su, slope, sv = 1.0 / np.sqrt(uu), -uv / uu, 1.0 / np.sqrt(vv - uv * uv / uu)
        mass = top + np.log(su * sv)
    ruled_out = ~np.isfinite(mass)
    su, slope, sv = (np.where(ruled_out, 0.0, x) for x in (su, slope, sv))
    mass = np.where(ruled_out, -np.inf, mass)
    threshold = top - np.maximum(drop - (mass.max() - mass), 3.0)
    radii = 2.0 ** np.arange(0.0, 9.1, 0.25)[:, None]
    reach = []
    for y1, y2 in (
        (-radii, 0.0 * radii),
        (radii, 0.0 * radii),
        (0.0 * radii, -radii),
        (0.0 * radii, radii),
    ):
        values = log_density(counts, u + slope * sv * y2 + su * y1, v + sv * y2, z)
        reach.append(radii[np.argmax(values < threshold, axis=0), 0])
    return Slices(u, v, su, sv, slope, np.array(reach))
