"""How an eval is best laid out: answers to each question, clusters, and the cheapest design."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from reportkit import stats
from reportkit.analysis.planning.answered import Answers, Cheapest, Layout
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.solve import Count, detectable, needed
from reportkit.analysis.planning.unreached import why_none
from reportkit.analysis.planning.work import Work, range_of

EPOCHS = (1, 2, 3, 4, 6, 8, 10, 16, 32)
CURVE_EPOCHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
CLUSTER_SIZES = (1, 2, 5, 10, 20, 50)
FRONTIER = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0)  # times the difference
MOST_EPOCHS = 64  # of a design on the cost frontier
NO_LIMIT, PROBABILITIES = "no limit", "next-token probabilities"
T = TypeVar("T")


# Answers to each question -------------------------------------------------------------------------


def answers_rows(w: Work, n: float) -> tuple[Answers, ...]:
    best = best_shape(w)
    finite = best is not None and math.isfinite(best.epochs_a + best.epochs_b)
    shapes = [(Shape(k, k, w.shape.cluster_size), "") for k in map(float, EPOCHS)]
    for shape in (w.shape, *([best] if finite and best is not None else [])):
        if shape not in [s for s, _ in shapes]:
            shapes.append((shape, ""))
    shapes.sort(key=lambda s: (s[0].epochs_a, s[0].epochs_b))
    endless = Shape(math.inf, math.inf, w.shape.cluster_size)
    shapes.append((endless, NO_LIMIT))
    if w.ground.answers == "binary" or w.asked.omega2 == w.asked.omega2:
        shapes.append((endless, PROBABILITIES))  # an answer in part is more than one token
    designs = [w.basis.design(s) for s, _ in shapes]
    every = [s for s, _ in shapes]
    counts = needed(designs, w.asked.difference, every, w.goal)
    counts = _never_worse(every, counts, [c.questions for c in counts])
    found = [math.nan] * len(every)
    if n == n:
        found = [s.difference for s in detectable(designs, n, every, w.goal)]
        found = _never_worse(every, found, found)
    rows = []
    for (shape, name), count, size in zip(shapes, counts, found, strict=True):
        single = Shape(1.0, 1.0, shape.cluster_size)  # one pass over the questions
        cost = math.nan
        if name != NO_LIMIT:
            cost = w.cost(count.questions, count.clusters, single if name else shape)
        variance = w.variances().at(shape)
        low, high = range_of(w, w.asked.difference, shape)
        rows.append(
            Answers(
                name, shape.epochs_a, shape.epochs_b, variance, size, count.questions,
                count.clusters, cost, reason=count.reason, low=low, high=high,
            )
        )  # fmt: skip
    priced = [r.cost for r in rows if not r.name and r.cost == r.cost]
    # Where more always pay, the least of those listed is not the least of all.
    least = min(priced, default=math.nan) if finite else math.nan
    return tuple(replace(r, best=not r.name and r.cost == least) for r in rows)


def best_shape(w: Work) -> Shape | None:
    """The answers that cost least for a given precision; None without costs, or where it is not
    known how much is answer noise. inf where more always pay.
    """
    v = w.variances()
    of_question, of_cluster, of_a, of_b = w.asked.costs
    of_question += of_cluster / w.shape.cluster_size
    known = not math.isnan(v.omega2 + v.sigma2_a + v.sigma2_b)
    if v.omega2 == 0.0 and isinstance(w.basis, Observation):
        return None  # of a pilot that cannot tell it from 0
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


def share_epochs(w: Work) -> float:
    v = w.variances()
    if math.isnan(v.omega2 + v.sigma2_a + v.sigma2_b):
        return math.nan
    return stats.epochs_for_share(v.omega2, v.sigma2_a + v.sigma2_b)


def epochs_curve(w: Work, n: float) -> tuple[tuple[float, float], ...]:
    """Answers to each question, with the difference that the plan's questions then find."""
    if math.isnan(n):
        return ()
    every = [Shape(float(k), float(k), w.shape.cluster_size) for k in (*CURVE_EPOCHS, math.inf)]
    designs = [w.basis.design(s) for s in every]
    found = [s.difference for s in detectable(designs, n, every, w.goal)]
    found = _never_worse(every, found, found)
    return tuple((s.epochs_a, size) for s, size in zip(every, found, strict=True))


def _never_worse(shapes: Sequence[Shape], of: Sequence[T], sizes: Sequence[float]) -> list[T]:
    """Of each shape that of the least size among those with no more answers: more answers never
    find less. What they leave of a pilot's variance is known less well, and would ask for more.

    >>> two, four, mixed = Shape(2.0, 2.0), Shape(4.0, 4.0), Shape(8.0, 1.0)
    >>> _never_worse([two, four, mixed], ["a", "b", "c"], [50.0, 60.0, 70.0])
    ['a', 'a', 'c']
    """
    kept = []
    for i, shape in enumerate(shapes):
        best = i  # also where its size is not known
        for k, fewer in enumerate(shapes):
            no_more = fewer.epochs_a <= shape.epochs_a and fewer.epochs_b <= shape.epochs_b
            if no_more and sizes[k] < sizes[best]:
                best = k
        kept.append(of[best])
    return kept


# Clusters and costs -------------------------------------------------------------------------------


def layouts_of(w: Work) -> tuple[tuple[Layout, ...], float]:
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
        rows.append(Layout(s.cluster_size, c.questions, groups, cost, s == w.shape, c.reason))
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


def frontier(w: Work) -> tuple[Cheapest, ...]:
    """For each difference the cheapest answers and questions; where the eval has so many questions
    and no more, with no more.
    """
    if not w.asked.priced:
        return ()
    return _designs(w, [times * w.asked.difference for times in FRONTIER])


def within(w: Work) -> Cheapest | None:
    """The cheapest design for the plan's difference with the questions that the eval has; without
    costs, that with the fewest answers. None where the eval may have any number of questions.
    """
    if math.isnan(w.asked.questions):
        return None
    return _designs(w, [w.asked.difference])[0]


def _designs(w: Work, differences: Sequence[float]) -> tuple[Cheapest, ...]:
    size = w.shape.cluster_size
    every = [*map(float, range(1, 13)), 16.0, 24.0, 32.0, 48.0, float(MOST_EPOCHS)]
    candidates = {Shape(k, k if w.asked.paired else w.shape.epochs_b, size) for k in every}
    candidates.add(w.shape)
    best = best_shape(w)
    if best is not None and math.isfinite(best.epochs_a + best.epochs_b):
        candidates.add(best)
    shapes = sorted(candidates, key=lambda s: (s.epochs_a, s.epochs_b))
    designs = [w.basis.design(s) for s in shapes]
    rows = []
    for difference in differences:
        counts = needed(designs, difference, shapes, w.goal)
        rows.append(_cheapest(w, difference, shapes, counts))
    return tuple(rows)


def _cheapest(
    w: Work, difference: float, shapes: Sequence[Shape], counts: Sequence[Count]
) -> Cheapest:
    """The design that costs least; without costs, the first that has enough questions."""
    limit = w.asked.questions if w.asked.questions == w.asked.questions else math.inf
    can = [(s, c) for s, c in zip(shapes, counts, strict=True) if c.questions <= limit]
    if can:
        s, c = min(can, key=lambda x: _price(w, *x))
        cost = w.cost(c.questions, c.clusters, s)
        return Cheapest(difference, s.epochs_a, s.epochs_b, c.questions, c.clusters, cost)
    nan = math.nan
    why = why_none(w, difference, shapes, counts)
    return Cheapest(difference, nan, nan, nan, nan, nan, why)


def _price(w: Work, shape: Shape, count: Count) -> float:
    return w.cost(count.questions, count.clusters, shape) if w.asked.priced else shape.epochs_a
