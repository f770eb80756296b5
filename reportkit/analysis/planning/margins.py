"""Questions to show that two models are alike within a margin, or that one is not worse by it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from reportkit import stats
from reportkit.analysis.planning.answered import Other
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.far_apart import alike
from reportkit.analysis.planning.fewer import fewer_of
from reportkit.analysis.planning.limits import least_questions
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.analysis.planning.solve import WHY, Count, planned
from reportkit.analysis.planning.work import End, Work, ends_of, one_answer, ordered
from reportkit.record import Record
from reportkit.stats.evidence import dense
from reportkit.stats.intervals import z_quantile
from reportkit.stats.pairs.designs import PairDesigns
from reportkit.stats.planning.assured import Known, assured
from reportkit.stats.planning.detectable import LEAST_KNOWN_DF, MCNEMAR, NO_TEST, TANGO, refusals
from reportkit.stats.planning.within_margin import MOST_COUNTED, margin_questions

EQUIVALENCE, NOT_WORSE = "equivalence", "non-inferiority"


def total_of(w: Work) -> float:
    """n SE^2 of the difference of two models alike."""
    v = w.variances().at(w.shape)
    return one_answer(w) if math.isnan(v) else v


def equivalence(w: Work) -> Other:
    """Two one-sided tests of models that are alike: each may fail with half of 1 - power."""
    return _within(w, EQUIVALENCE, (1.0 + w.asked.power) / 2.0)


def not_worse(w: Work) -> Other:
    return _within(w, NOT_WORSE, w.asked.power)


@dataclass(frozen=True, slots=True)
class _Margin(Record):
    """A one-sided test of models that are alike. level: of the two-sided interval: 90% for tests
    at 5%. power: of one test. both: whether the other side is tested too.
    """

    margin: float
    level: float
    power: float
    both: bool
    shape: Shape
    width: float

    def count(self, design: PairDesigns, total: float, known: Known) -> Count:
        """Questions and clusters by t, with what is not known of the variance counted."""
        sure = (np.asarray(known.df) >= LEAST_KNOWN_DF).all()
        ratio = assured(math.inf, known, level=self.level, power=self.power).ratio
        if not sure or np.isnan(ratio).any():
            return Count(math.nan, reason=WHY[NO_TEST])
        if design.method[0] == MCNEMAR:
            units = self._counted(total, known)
        else:
            units = self._by_variance(design, total, known)
        return planned(units, design, self.shape, least_questions(design))

    def _by_variance(self, design: PairDesigns, total: float, known: Known) -> int:
        """By t, and by Tango's variance where the report takes his test."""
        units = self._units(total, known)
        if _by_t(design, units):
            return units
        most = self._units(self._by_tango(total, float(design.apart[0])), known)
        while most > units and _by_t(design, most - 1):  # before, the report goes over to t
            most = max(units, most - max(1, most // 50))
        return max(units, most)

    def _units(self, total: float, known: Known) -> int:
        """Clusters, or questions where there are none."""
        return stats.units_needed(
            self.margin, total, self.shape.cluster_size,
            pilot_df=known, level=self.level, power=self.power,
        ).clusters  # fmt: skip

    def _counted(self, total: float, known: Known) -> int:
        """By the power of Tango's test, which a report takes for right-or-wrong answers, one to
        each question. What is not known of the variance asks for as many times more as by t.
        """
        apart, margin = total / self.width**2, self.margin / self.width
        near = self._units(self._by_tango(total, apart), Known())
        if near * apart > MOST_COUNTED:
            return self._units(self._by_tango(total, apart), known)
        joint = 2.0 * self.power - 1.0 if self.both else self.power
        found = margin_questions(near, apart, margin, level=self.level, power=joint, both=self.both)
        more = self._units(total, known) / self._units(total, Known())
        return math.ceil(found * more * (1 - 1e-12))

    def _by_tango(self, total: float, apart: float) -> float:
        """The variance with which a t test needs as many questions as Tango's, which has that of
        models that differ by the margin: answers to ever so few questions that tell the models
        apart show less than they vary by. apart: mean |d| of models alike.

        Tango 1998: n = (z_a sqrt(v) + z_b sqrt(q))^2 / M^2, q = p10 + p01 of models alike, v = 2 p
        + M (1 - M), p the p01 that is most likely where p10 - p01 is M.
        """
        q, m = apart, self.margin / self.width
        b, c = 2.0 * m - q, -q * m * (1.0 - m) / 2.0
        v = (math.sqrt(b * b - 8.0 * c) - b) / 2.0 + m * (1.0 - m)
        z_a, z_b = z_quantile(self.level), float(special.ndtri(self.power))
        return total * max(1.0, (z_a * math.sqrt(v / q) + z_b) / (z_a + z_b)) ** 2


def _by_t(d: PairDesigns, units: int) -> bool:
    """Whether the report takes a t interval of so many clusters, or questions, of scores that are
    not right or wrong with one answer to each question.
    """
    times = units / d.clusters
    if d.method[0] != TANGO:
        return True
    clusters, n = np.full(1, float(units)), d.n * times
    alone = d.clusters >= d.n * (1.0 - 1e-9)
    return bool(dense(d.shown * times, clusters, np.where(alone, clusters, n))[0])


def _within(w: Work, name: str, power: float) -> Other:
    nan, design, total = math.nan, w.basis.design(w.shape), total_of(w)
    if isinstance(design, Reason):
        return Other(name, nan, nan, nan, reason=design)
    reason = WHY.get(str(refusals(design)[0]), NONE)
    total *= alike(design)[1]
    if not total > 0.0 and not reason:
        reason = Reason("the scores of the pilot do not vary") if total == 0.0 else WHY[NO_TEST]
    if reason:
        return Other(name, nan, nan, nan, reason=reason)
    of = _Margin(
        w.asked.the_margin,
        2.0 * w.asked.level - 1.0,
        power,
        name == EQUIVALENCE,
        w.shape,
        w.basis.width,
    )
    n = _best_count(w, of)
    equation = stats.noninferiority_questions_needed(of.margin, total, level=of.level, power=power)
    low, high = ordered(*_range(of, ends_of(w, w.shape)), n.questions)
    return Other(
        name, n.questions, n.clusters, equation, reason=n.reason, least=n.least, low=low, high=high
    )


def _best_count(w: Work, of: _Margin) -> Count:
    """Of the plan's shape, no more than of fewer answers."""
    fewer, counts = fewer_of(w.basis, [w.shape]), []
    for shape, design in zip(fewer.shapes, fewer.designs, strict=True):
        variance = total_of(w) if shape == w.shape else w.variances().at(shape)
        known = w.basis.known(shape) if isinstance(w.basis, Observation) else Known()
        if isinstance(design, Reason) or not variance > 0.0:
            counts.append(Count(math.nan))
        else:
            counts.append(_count_alike(of, design, variance, known))
    return counts[fewer.best(np.array([c.questions for c in counts]))[0]]


def _range(of: _Margin, ends: Sequence[End]) -> tuple[float, float]:
    """The questions at the ends of what is not known."""
    found = [math.nan, math.nan]
    for i, end in enumerate(ends):
        if not isinstance(end.design, Reason) and end.variance > 0.0:
            found[i] = _count_alike(of, end.design, end.variance, Known()).questions
    return found[0], found[1]


def _count_alike(of: _Margin, design: PairDesigns, total: float, known: Known) -> Count:
    """total: n SE^2 of models as far apart as the design's."""
    design, times = alike(design)
    return of.count(design, total * times, known)
