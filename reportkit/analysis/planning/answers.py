"""Every answer of a plan, from what is asked and what it rests on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportkit import stats
from reportkit.analysis.planning.answered import (
    Answers,
    Cheapest,
    Found,
    Gap,
    Layout,
    Need,
    PilotFacts,
    Planned,
)
from reportkit.plans import Asked
from reportkit.analysis.planning.basis import (
    Basis,
    Observation,
    Shape,
    Variances,
    certain,
)
from reportkit.analysis.planning.ground import Ground, range_factors
from reportkit.analysis.planning.others import other_answers
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.solve import (
    Count,
    Curve,
    Goal,
    curve,
    detectable,
    needed,
    too_few,
)
from reportkit.decisions.values import published_of
from reportkit.record import Record
from reportkit.stats.pair_designs import PairDesigns

POINTS = (0.01, 0.02, 0.03, 0.05, 0.1)  # of the range of scores: differences beside the asked one
SIZES = (100, 200, 500, 1000, 2000, 5000)
EPOCHS = (1, 2, 3, 4, 6, 8, 10, 16, 32)
CURVE_EPOCHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
CLUSTER_SIZES = (1, 2, 5, 10, 20, 50)
FRONTIER = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0)  # times the difference
CURVES = 4
MOST_EPOCHS = 64  # of a design on the cost frontier
NO_LIMIT, PROBABILITIES = "no limit", "next-token probabilities"


@dataclass(frozen=True, slots=True)
class Work(Record):
    """What all answers share."""

    asked: Asked
    ground: Ground
    goal: Goal
    adjusted: Goal
    factors: tuple[float, float]

    @property
    def basis(self) -> Basis:
        return self.ground.basis

    @property
    def shape(self) -> Shape:
        return self.ground.shape

    def variances(self, shape: Shape | None = None) -> Variances:
        return self.basis.variances((shape or self.shape).cluster_size)

    def count(self, difference: float, shape: Shape, goal: Goal | None = None) -> Count:
        return needed([self.basis.design(shape)], difference, [shape], goal or self.goal)[0]

    def cost(self, questions: float, clusters: float, shape: Shape) -> float:
        """Of a plan; nan where no cost is said."""
        if not self.asked.priced:
            return math.nan
        of_question, of_cluster, of_a, of_b = self.asked.costs
        answers = shape.epochs_a * of_a + (shape.epochs_b * of_b if self.asked.paired else 0.0)
        grouped = 0.0 if math.isnan(clusters) else clusters * of_cluster
        return questions * (of_question + answers) + grouped


def work_of(asked: Asked, ground: Ground) -> Work:
    width = ground.basis.width
    goal = Goal(asked.level, asked.power, width)
    adjusted = Goal(asked.adjusted_level, asked.power, width)
    return Work(asked, ground, goal, adjusted, range_factors(ground))


def answered(asked: Asked, ground: Ground, pilot: Pilot | None) -> Planned:
    """Every answer; see analysis.planning.plan."""
    w = work_of(asked, ground)
    need = need_of(w, asked.difference)
    n = asked.questions if asked.questions == asked.questions else need.questions
    found = _founds(w, [n])[0]
    layouts, best_size = _layouts(w)
    return Planned(
        asked=asked,
        known=ground.known,
        shape=w.shape,
        variances=w.variances(),
        percent=ground.percent,
        width=ground.basis.width,
        need=need,
        needs=tuple(need_of(w, d) for d in _differences(w)),
        found=found,
        founds=_founds(w, _sizes(n)),
        answers=_answers(w, n),
        share_epochs=_share_epochs(w),
        layouts=layouts,
        best_size=best_size,
        cheapest=_frontier(w),
        others=other_answers(w, need, pilot),
        gaps=_gaps(w, pilot, n),
        test=_test(w),
        pilot=_facts(w, pilot),
        curves=_curves(w),
        epochs_curve=_epochs_curve(w, n),
    )


# Questions ----------------------------------------------------------------------------------------


def _differences(w: Work) -> list[float]:
    """Differences worth a row, with the one that is asked for."""
    ends = [x * w.basis.width for x in POINTS]
    if not w.ground.percent and w.basis.width == 1.0:
        ends = [x * w.asked.difference for x in (0.5, 1.0, 2.0, 4.0)]
    found = {round(x, 12) for x in (*ends, w.asked.difference)}
    return sorted(found)


def need_of(w: Work, difference: float) -> Need:
    """The questions that a difference needs, with their range, equation and cost."""
    shape = w.shape
    count = w.count(difference, shape)
    more = w.count(difference, shape, w.adjusted) if w.asked.comparisons > 1 else count
    low, high = _range(w, difference, shape)
    return Need(
        difference, shape.epochs_a, shape.epochs_b, count.questions, count.clusters, low, high,
        more.questions, more.clusters, _equation(w, difference, shape, w.asked.level),
        w.cost(count.questions, count.clusters, shape), count.least, count.reason,
    )  # fmt: skip


def _range(w: Work, difference: float, shape: Shape) -> tuple[float, float]:
    """What a pilot's own uncertainty, or the range of public evals, leaves open."""
    design = w.basis.design(shape)
    if isinstance(w.basis, Observation) and not isinstance(design, str):
        if math.isnan(w.factors[0]):
            return math.nan, math.nan
        ends: list[PairDesigns | str] = [certain(design, f) for f in w.factors]
    elif w.ground.low is not None and w.ground.high is not None:
        ends = [w.ground.low.design(shape), w.ground.high.design(shape)]
    else:
        return math.nan, math.nan
    low, high = needed(ends, difference, [shape, shape], w.goal)
    return low.questions, high.questions


def _equation(w: Work, difference: float, shape: Shape, level: float) -> float:
    """Equation 9 of Miller 2024; of 0/1 answers with one each and no clusters, Connor 1987."""
    v, power = w.variances(), w.asked.power
    if shape.epochs_a == shape.epochs_b == 1.0 and math.isnan(v.sigma2_a + v.sigma2_b):
        v = Variances(_one_answer(w), 0.0, 0.0)  # the two are not known apart, and need not be
    if math.isnan(v.at(shape)) or not v.at(shape) > 0.0:
        return math.nan
    if w.asked.paired and w.ground.answers == "binary" and shape == Shape():
        q = v.at(shape)  # p10 + p01 - (p10 - p01)^2
        p10, p01 = (q + difference) / 2.0, (q - difference) / 2.0
        if p01 >= 0.0 and p10 + p01 <= 1.0:
            return stats.mcnemar_questions_needed(p10, p01, level=level, power=power)
    return stats.questions_needed(
        difference, v.omega2, v.sigma2_a, v.sigma2_b, shape.epochs_a, shape.epochs_b,
        level=level, power=power,
    )  # fmt: skip


def _one_answer(w: Work) -> float:
    """n SE^2 of a pilot with one answer each."""
    if not isinstance(w.basis, Observation):
        return math.nan
    p = w.basis.power
    return p.n_questions * p.se**2


# What so many questions find ----------------------------------------------------------------------


def _sizes(n: float) -> list[float]:
    known = {n} if n == n else set()
    return sorted({*map(float, SIZES), *known})


def _founds(w: Work, sizes: Sequence[float]) -> tuple[Found, ...]:
    """What each of these numbers of questions finds."""
    shape, d = w.shape, w.asked.difference
    design = w.basis.design(shape)
    v = w.variances()
    total = _one_answer(w) if math.isnan(v.at(shape)) else v.at(shape)
    of_power = curve(design, d, w.goal)
    adjusted = curve(design, d, w.adjusted) if w.asked.comparisons > 1 else of_power
    rows = []
    for n in sizes:
        clusters = math.floor(n / shape.cluster_size) if shape.grouped and n == n else math.nan
        size = detectable([design], n, [shape], w.goal)[0]
        more = size
        if w.asked.comparisons > 1:
            more = detectable([design], n, [shape], w.adjusted)[0]
        equation = power = math.nan
        if total > 0.0 and n == n:
            equation = stats.minimum_detectable_effect(
                n, total, level=w.asked.level, power=w.asked.power
            )
            power = stats.power(d, math.sqrt(total / n), level=w.asked.level)
        few = too_few(n, shape)
        rows.append(
            Found(
                n, clusters, size.difference, more.difference, equation,
                math.nan if few else of_power.at(n), math.nan if few else adjusted.at(n),
                power, size.reason,
            )
        )  # fmt: skip
    return tuple(rows)


# Answers to each question -------------------------------------------------------------------------


def _answers(w: Work, n: float) -> tuple[Answers, ...]:
    best = best_shape(w)
    finite = best is not None and math.isfinite(best.epochs_a + best.epochs_b)
    shapes = [(Shape(k, k, w.shape.cluster_size), "") for k in map(float, EPOCHS)]
    for shape in (w.shape, *([best] if finite and best is not None else [])):
        if shape not in [s for s, _ in shapes]:
            shapes.append((shape, ""))
    shapes.sort(key=lambda s: (s[0].epochs_a, s[0].epochs_b))
    endless = Shape(math.inf, math.inf, w.shape.cluster_size)
    shapes += [(endless, NO_LIMIT), (endless, PROBABILITIES)]
    designs = [w.basis.design(s) for s, _ in shapes]
    every = [s for s, _ in shapes]
    counts = needed(designs, w.asked.difference, every, w.goal)
    sizes = detectable(designs, n, every, w.goal) if n == n else [None] * len(every)
    rows = []
    for (shape, name), count, size in zip(shapes, counts, sizes, strict=True):
        single = Shape(1.0, 1.0, shape.cluster_size)  # one pass over the questions
        cost = math.nan
        if name != NO_LIMIT:
            cost = w.cost(count.questions, count.clusters, single if name else shape)
        variance = w.variances().at(shape)
        rows.append(
            Answers(
                name, shape.epochs_a, shape.epochs_b, variance,
                size.difference if size is not None else math.nan, count.questions, count.clusters,
                cost, reason=count.reason,
            )
        )  # fmt: skip
    priced = [r.cost for r in rows if not r.name and r.cost == r.cost]
    least = min(priced, default=math.nan) if best is not None else math.nan
    return tuple(replace(r, best=not r.name and r.cost == least) for r in rows)


def best_shape(w: Work) -> Shape | None:
    """The answers that cost least for a given precision; None without costs, or where it is not
    known how much is answer noise. inf where more always pay.
    """
    v = w.variances()
    of_question, of_cluster, of_a, of_b = w.asked.costs
    of_question += of_cluster / w.shape.cluster_size
    known = not math.isnan(v.omega2 + v.sigma2_a + v.sigma2_b)
    if not (known and w.asked.priced and of_a > 0.0 and v.omega2 + v.sigma2_a > 0.0):
        return None
    size = w.shape.cluster_size
    if not w.asked.paired:  # the other model's answers are what they are
        rest = v.omega2 + v.sigma2_b / w.shape.epochs_b
        if rest == 0.0 and of_question == 0.0:
            return None
        one = stats.best_epochs(rest, v.sigma2_a, cost_question=of_question, cost_a=of_a)
        return Shape(one.epochs_a, w.shape.epochs_b, size)
    if (v.omega2 == 0.0 and of_question == 0.0) or not of_b > 0.0:
        return None
    both = stats.best_epochs(
        v.omega2, v.sigma2_a, v.sigma2_b, cost_question=of_question, cost_a=of_a, cost_b=of_b
    )
    return Shape(both.epochs_a, both.epochs_b, size)


def _share_epochs(w: Work) -> float:
    v = w.variances()
    if math.isnan(v.omega2 + v.sigma2_a + v.sigma2_b):
        return math.nan
    return stats.epochs_for_share(v.omega2, v.sigma2_a + v.sigma2_b)


def _epochs_curve(w: Work, n: float) -> tuple[tuple[float, float], ...]:
    """Answers to each question, with the difference that the plan's questions then find."""
    if math.isnan(n):
        return ()
    every = [Shape(float(k), float(k), w.shape.cluster_size) for k in (*CURVE_EPOCHS, math.inf)]
    designs = [w.basis.design(s) for s in every]
    sizes = detectable(designs, n, every, w.goal)
    return tuple((s.epochs_a, size.difference) for s, size in zip(every, sizes, strict=True))


# Clusters and costs -------------------------------------------------------------------------------


def _layouts(w: Work) -> tuple[tuple[Layout, ...], float]:
    """Clusters of other sizes, and the size that costs least; none without clusters."""
    if not w.shape.grouped:
        return (), math.nan
    sizes = sorted({*map(float, CLUSTER_SIZES), w.shape.cluster_size})
    shapes = [Shape(w.shape.epochs_a, w.shape.epochs_b, s) for s in sizes]
    designs = [w.basis.design(s) for s in shapes]
    rows = []
    for s, c in zip(shapes, needed(designs, w.asked.difference, shapes, w.goal), strict=True):
        groups = c.clusters if s.grouped else c.questions
        cost = w.cost(c.questions, groups, s)
        rows.append(
            Layout(s.cluster_size, c.questions, groups, cost, s == w.shape, c.reason)
        )
    return tuple(rows), _best_size(w)


def _best_size(w: Work) -> float:
    """m* = sqrt((c_G / c_q) (v - t) / t), Cochran 1977 (9.6): c_G the cost of a cluster, c_q of a
    question with its answers, v the variance of a difference, t what two questions of a cluster
    share.
    """
    _, of_cluster, *_ = w.asked.costs
    alone = w.basis.variances(1.0).at(w.shape)
    size = w.shape.cluster_size
    shared = (w.variances().at(w.shape) - alone) / (size - 1.0)
    each = w.cost(1.0, math.nan, w.shape)
    if not (of_cluster > 0.0 and each > 0.0 and alone > 0.0) or math.isnan(shared):
        return math.nan
    if shared <= 0.0:
        return math.inf
    return max(1.0, round(math.sqrt(of_cluster / each * max(alone - shared, 0.0) / shared)))


def _frontier(w: Work) -> tuple[Cheapest, ...]:
    """For each difference the cheapest answers and questions; where the eval has so many questions
    and no more, with no more.
    """
    if not w.asked.priced:
        return ()
    size = w.shape.cluster_size
    candidates = {Shape(float(k), float(k), size) for k in range(1, 13)}
    candidates |= {Shape(float(k), float(k), size) for k in (16, 24, 32, 48, MOST_EPOCHS)}
    best = best_shape(w)
    if best is not None and math.isfinite(best.epochs_a + best.epochs_b):
        candidates.add(best)
    shapes = sorted(candidates, key=lambda s: (s.epochs_a, s.epochs_b))
    designs = [w.basis.design(s) for s in shapes]
    rows = []
    for times in FRONTIER:
        difference = times * w.asked.difference
        counts = needed(designs, difference, shapes, w.goal)
        rows.append(_cheapest(w, difference, shapes, counts))
    return tuple(rows)


def _cheapest(
    w: Work, difference: float, shapes: Sequence[Shape], counts: Sequence[Count]
) -> Cheapest:
    limit = w.asked.questions if w.asked.questions == w.asked.questions else math.inf
    priced = [
        (w.cost(c.questions, c.clusters, s), s, c)
        for s, c in zip(shapes, counts, strict=True)
        if c.questions <= limit
    ]
    if priced:
        cost, s, c = min(priced, key=lambda x: x[0])
        return Cheapest(difference, s.epochs_a, s.epochs_b, c.questions, c.clusters, cost)
    reason = next((c.reason for c in counts if c.reason), "")
    if any(c.questions == c.questions for c in counts):
        reason = (
            f"{limit:,.0f} questions do not find it, with up to {MOST_EPOCHS} answers to each: "
            "the questions themselves differ too much"
        )
    nan = math.nan
    return Cheapest(difference, nan, nan, nan, nan, nan, reason)


# Current models -----------------------------------------------------------------------------------


def _gaps(w: Work, pilot: Pilot | None, n: float) -> tuple[Gap, ...]:
    """Models next to each other, and whether so many questions can show that they differ so."""
    scores = {m: s for m, (s, _) in published_of(w.asked.published).items()}
    if not scores and pilot is not None:
        scores = {m.model: m.mean for m in pilot.current}
    lower = pilot is not None and pilot.result.lower
    order = sorted(scores, key=lambda m: scores[m], reverse=not lower)
    rows = []
    for a, b in zip(order, order[1:], strict=False):
        gap = abs(scores[a] - scores[b])
        count = w.count(gap, w.shape) if gap > 0.0 else Count(math.nan)
        rows.append(Gap(a, b, gap, count.questions, bool(count.questions <= n)))
    return tuple(rows)


# The rest -----------------------------------------------------------------------------------------


def _test(w: Work) -> str:
    """The test of the report that is planned for."""
    if not w.asked.paired:
        return "welch"
    design = w.basis.design(w.shape)
    if not isinstance(design, str) and design.method[0] == "tango":
        return "mcnemar"
    return "t"


def _facts(w: Work, pilot: Pilot | None) -> PilotFacts | None:
    if pilot is None:
        return None
    r = pilot.result
    nan = math.nan
    v = p = None
    if isinstance(w.basis, Observation):
        v, p = pilot.corrected, pilot.printed
    low, high = w.factors if v is not None else (nan, nan)

    def by_equation(parts: stats.PairedComponents | None) -> float:
        if parts is None or math.isnan(parts.omega2 + parts.sigma2_a + parts.sigma2_b):
            return nan
        return stats.questions_needed(
            w.asked.difference, parts.omega2, parts.sigma2_a, parts.sigma2_b,
            w.shape.epochs_a, w.shape.epochs_b, level=w.asked.level, power=w.asked.power,
        )  # fmt: skip

    return PilotFacts(
        r.eval, r.models, pilot.n, r.n_clusters, r.clustered, pilot.single,
        w.basis.pilot_df, low, high,
        v.omega2 if v else nan, v.sigma2_a if v else nan, v.sigma2_b if v else nan,
        p.omega2 if p else nan, p.sigma2_a if p else nan, p.sigma2_b if p else nan,
        by_equation(v), by_equation(p), r.fictional, r.sources,
    )  # fmt: skip


def _curves(w: Work) -> tuple[Curve, ...]:
    """Power over questions for some differences: the one that is asked for, and others."""
    design = w.basis.design(w.shape)
    asked = w.asked.difference
    every = sorted(_differences(w), key=lambda d: abs(math.log(d / asked)))[:CURVES]
    return tuple(curve(design, d, w.goal) for d in sorted(every))
