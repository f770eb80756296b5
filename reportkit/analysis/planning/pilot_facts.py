"""What a plan says of the pilot that it rests on."""

import math
from dataclasses import dataclass

import numpy as np

from reportkit import stats
from reportkit.analysis.planning.answered import Like, PilotFacts
from reportkit.analysis.planning.basis import Observation
from reportkit.analysis.planning.far_apart import like_of
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.reasons import Reason
from reportkit.analysis.planning.work import Work
from reportkit.record import Record
from reportkit.stats.planning.alternative import grown_at


@dataclass(frozen=True, slots=True)
class _ByEquation(Record):
    """Equation 9 with a pilot's variances, and the range that these leave."""

    low: float = math.nan
    estimate: float = math.nan
    high: float = math.nan


def _by_equation(w: Work, parts: stats.PairedComponents | None) -> _ByEquation:
    """Equation 9 with these variances; all nan where answer noise is not known."""
    if parts is None or math.isnan(parts.omega2 + parts.sigma2_a + parts.sigma2_b):
        return _ByEquation()
    if not w.basis.pilot_df > 0.0 or not parts.omega2 + parts.sigma2_a + parts.sigma2_b > 0.0:
        return _ByEquation()
    found = stats.questions_range(
        w.asked.difference,
        parts.omega2,
        parts.sigma2_a,
        parts.sigma2_b,
        w.shape.epochs_a,
        w.shape.epochs_b,
        pilot_df=w.basis.pilot_df,
        level=w.asked.level,
        power=w.asked.power,
    )
    return _ByEquation(found.low, found.estimate, found.high)


def pilot_facts(w: Work, pilot: Pilot | None) -> PilotFacts | None:
    if pilot is None:
        return None
    r = pilot.result
    nan = math.nan
    v = p = None
    low, high = w.factors if isinstance(w.basis, Observation) else (nan, nan)
    if isinstance(w.basis, Observation) and w.asked.paired:  # theirs are of the difference
        v, p = pilot.corrected, pilot.printed

    corrected, printed = _by_equation(w, v), _by_equation(w, p)
    apart, growth = _at_difference(w)
    return PilotFacts(
        r.eval, r.models, pilot.n, (pilot.power or r).n_clusters, r.clustered, pilot.single,
        w.basis.pilot_df, low, high,
        v.omega2 if v else nan, v.sigma2_a if v else nan, v.sigma2_b if v else nan,
        p.omega2 if p else nan, p.sigma2_a if p else nan, p.sigma2_b if p else nan,
        corrected.low, corrected.estimate, corrected.high, printed.estimate,
        r.fictional, r.sources,
        pilot.candidates, apart, growth, _like(w),
        w.ground.together.names if w.ground.together else (),
    )  # fmt: skip


def _like(w: Work) -> Like | None:
    """None too where another model's mean is published."""
    design, published = w.basis.design(w.shape), not math.isnan(w.asked.other_questions)
    if not isinstance(w.basis, Observation) or isinstance(design, Reason) or published:
        return None
    return like_of(w.basis, design)


def _at_difference(w: Work) -> tuple[float, float]:
    """How far the pilot's two models are apart, and how much more the difference of models varies
    that are as far apart as the plan's; nan of one model, and where no such law is known.
    """
    if not isinstance(w.basis, Observation):
        return math.nan, math.nan
    p, design = w.basis.power, w.basis.design(w.shape)
    apart = abs(p.mean_model - p.mean_baseline)
    if isinstance(design, Reason) or not design.bounded[0]:
        return apart, math.nan
    effect = np.full(1, w.asked.difference / w.basis.width)
    return apart, float(grown_at(design, effect).variance[0])
