"""How far the variance of a plan may be off by what a pilot shows beside given values, where these
err together: spread, correlation, answer noise, and how alike a cluster is.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from reportkit.analysis.planning.answered import PILOT, Known
from reportkit.analysis.planning.basis import Shape
from reportkit.analysis.planning.parted import pilots_left
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.piloted import (
    has_ranges,
    lacking,
    takes_published_mean,
)
from reportkit.analysis.planning.values import Values
from reportkit.record import Record
from reportkit.stats.intervals import t_quantile
from reportkit.stats.planning.needed import variance_range
from reportkit.stats.planning.pilot import variance_df

LEAST_FACTOR = 0.01  # of a variance, at the lower end of its range
LEAST_PARTS = 4
ALIKE = 3  # the place of the ICC in `shown`
MOST_OFF = 50.0  # of a logarithm: what is so far off is not known


@dataclass(frozen=True, slots=True)
class Together(Record):
    """The values of a plan that a pilot shows, and those of the pilot without each of its parts.

    shown: square of the spread, correlation, answer noise, ICC. left: the same without each part,
    shape (parts, 4). shares: of the pilot that each part has.
    """

    names: tuple[str, ...]  # of those that the pilot shows
    shown: np.ndarray
    left: np.ndarray
    shares: np.ndarray
    df: float = math.inf  # of the clusters, where the pilot says how alike they are

    def factors(self, shape: Shape, variance: float) -> tuple[float, float]:
        """The ends of the 95% range of n SE^2 in a shape, over `variance`, which the plan takes: 1
        and 1 where no value of the pilot counts, inf where there is no upper end, nan where both
        are not known.
        """
        low, high = self._ends(shape)
        if low == high:
            return 1.0, 1.0
        if math.isnan(low + high) or not variance > 0.0:
            return math.nan, math.nan
        return max(LEAST_FACTOR, min(1.0, low / variance)), max(1.0, high / variance)

    def _ends(self, shape: Shape) -> tuple[float, float]:
        """Those of the shape by itself; the same number where no value of the pilot counts.

        V is variance_at. A part with the share s of the pilot adds u = (1/s - 1) (V - V_left); V
        has the SE sqrt(mean of u^2 / (1/s - 1)), the jackknife's for parts that are not all of one
        size (Busing, Meijer and van der Leeden 1999). The ends are V exp(-+ t SE / V), t with
        variance_df of u. What the pilot's noise is taken from may be nearly nothing but noise: the
        lower end is then V - t SE, no less than the noise alone; of models that hardly differ V
        exp(-t SE / V) was above V in up to 0.40 of pilots. Where the ICC is the pilot's they are no
        nearer than variance_range of the clusters: of 8 to 20 of them the jackknife's alone held V
        in 0.89 to 0.96, with these in 0.94 or more (benchmarks/planning.md).
        """
        seen = float(variance_at(self.shown, shape))
        if not seen > 0.0:  # by what is seen of answer noise, or of clusters
            return 0.0, math.inf
        parts = 1.0 / self.shares - 1.0
        added = parts * (seen - variance_at(self.left.T, shape))
        se = math.sqrt(float((added**2 / parts).mean()))
        if se <= 1e-9 * seen:
            return seen, seen
        half = float(t_quantile(0.95, variance_df(added))) * se
        if not half < math.inf:
            return math.nan, math.nan
        off = min(half / seen, MOST_OFF)
        low, high = (seen * factor for factor in variance_range(self.df))
        low, high = min(low, seen * math.exp(-off)), max(high, seen * math.exp(off))
        if "noise" in self.names:
            low = min(low, max(seen - half, noise_at(self.shown, shape)))
        if self.df < math.inf:  # no cluster is more alike than one whose questions are one
            high = min(high, max(seen, self._of_clusters_alike()._ends(shape)[1]))
        return low, high

    def _of_clusters_alike(self) -> "Together":
        """With an ICC of 1, which leaves out how far the pilot's may be off."""
        shown, left = self.shown.copy(), self.left.copy()
        shown[ALIKE] = left[:, ALIKE] = 1.0
        return replace(self, shown=shown, left=left, df=math.inf)


def variance_at(values: np.ndarray, shape: Shape) -> np.ndarray:
    """n SE^2 of the difference of two models with alike scores: with V = 2 s^2 (1 - r) of one
    answer each, V - 2 w s^2 + w s^2 (1/K_A + 1/K_B) + (m - 1) ICC V.

    values: s^2, r, w and the ICC of a difference, in the first dimension; any others follow. An
    estimate that cannot be, as an ICC below what a cluster can have, counts as it is.

    >>> variance_at(np.array([0.25, 0.5, 0.25, 0.1]), Shape(1.0, 1.0, 5.0)).item()   # 0.25 * 1.4
    0.35
    >>> variance_at(np.array([0.25, 0.5, 0.25, 0.1]), Shape(2.0, 2.0, 5.0)).item()   # - 0.0625
    0.2875
    """
    square, correlation, noise, icc = values
    of_one = 2.0 * square * (1.0 - correlation)
    several = 1.0 / shape.epochs_a + 1.0 / shape.epochs_b - 2.0
    return of_one * (1.0 + (shape.cluster_size - 1.0) * icc) + noise * square * several


def noise_at(values: np.ndarray, shape: Shape) -> float:
    """What answer noise alone makes of it, w s^2 (1/K_A + 1/K_B): no variance is less."""
    square, _, noise, _ = values
    return float(noise * square * (1.0 / shape.epochs_a + 1.0 / shape.epochs_b))


def together(values: Values) -> Together | None:
    """None where no such value is the pilot's, or each has a range of its own; and where the pilot
    without one of its parts does not show them all.
    """
    pilot, names = values.pilot, err_together(values)
    if pilot is None or pilot.rows is None or not names:
        return None
    if "correlation" in names and lacking(pilot):
        return None
    if takes_published_mean(values.asked, pilot):
        return None
    known = _known(values)
    parts = list(pilots_left(pilot))
    shown, *left = (_numbers(values, known, p) for p in (pilot, *(p for p, _ in parts)))
    if len(left) < LEAST_PARTS or np.isnan(left).any():
        return None
    shares = np.array([share for _, share in parts])
    return Together(names, shown, np.array(left), shares, _clusters_df(pilot, names))


def err_together(values: Values) -> tuple[str, ...]:
    """The values of a pilot, beside its mean, that a plan takes, where none has a range of its own;
    each counts for the variance.
    """
    pilot = values.pilot
    if pilot is None or has_ranges(pilot):
        return ()
    return tuple(k.name for k in _known(values).values() if k.source == PILOT)


def _clusters_df(pilot: Pilot, names: tuple[str, ...]) -> float:
    """Degrees of freedom of the clusters that an ICC rests on; inf where none is the pilot's."""
    if "icc" in names and pilot.power is not None:
        return pilot.power.df
    return min(m.df for m in pilot.result.means) if "icc_scores" in names else math.inf


def _known(values: Values) -> dict[str, Known]:
    """What the variance rests on beside the mean, which has a range of its own."""
    found = [values.spread()] if values.answers != "binary" else []
    if values.asked.paired:
        found.append(values.correlation())
    found.append(values.noise())
    if values.grouped:
        found.append(values.icc() if values.asked.paired else values.icc_scores())
    return {k.name: k for k in found}


def _numbers(values: Values, known: dict[str, Known], pilot: Pilot) -> np.ndarray:
    """Those of variance_at, with what this pilot shows, as it is estimated."""
    low, high = values.ends
    mean = values.mean().value
    of = {name: k.value for name, k in known.items()}
    seen = {
        "correlation": pilot.correlation, "noise": pilot.noise,
        "icc": pilot.icc_seen, "icc_scores": pilot.icc_scores_seen,
    }  # fmt: skip
    of |= {name: seen[name] for name in seen if name in known and known[name].source == PILOT}
    if "spread" in known:
        of["spread"] = replace(values, pilot=pilot).spread().value
    square = of["spread"] ** 2 if "spread" in of else (mean - low) * (high - mean)
    alike = of.get("icc", of.get("icc_scores", 0.0))
    return np.array([square, of.get("correlation", 0.0), of["noise"], alike])
