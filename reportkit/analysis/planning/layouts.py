"""How an eval is best laid out: answers to each question, clusters, and the cheapest design."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from reportkit import stats
from reportkit.analysis.planning.against import formula_square, question_variance
from reportkit.analysis.planning.answered import Answers, Cheapest, Layout
from reportkit.analysis.planning.basis import Observation, Shape
from reportkit.analysis.planning.fewer import MOST_EPOCHS, fewer_of
from reportkit.analysis.planning.solve import Count
from reportkit.analysis.planning.unreached import why_none
from reportkit.analysis.planning.work import Work, finds_ranges, range_of, ranges_of
from reportkit.record import Record

EPOCHS = (1, 2, 3, 4, 6, 8, 10, 16, 32)
CURVE_EPOCHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64)
CLUSTER_SIZES = (1, 2, 5, 10, 20, 50)
MOST_SIZE = 30  # of clusters, whose cost is looked at whatever the formula says
FRONTIER = (0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0)  # times the difference
# Models whose numbers of answers differ are worth it where they save so much of the cost: what a
# plan rests on is never known to 2%, and one number for both is simpler to run and to report.
LEAST_SAVED = 0.02
NO_LIMIT, PROBABILITIES = "no limit", "next-token probabilities"


# Answers to each question -------------------------------------------------------------------------


def answers_rows(w: Work, n: float) -> tuple[Answers, ...]:
    """What some numbers of answers do, among them those of the plan and the cheapest; n: the plan's
    questions.
    """
    best = _least(w)
    shapes = [(of_answers(w, float(k)), "") for k in EPOCHS]
    for shape in (w.shape, *([best] if best else [])):
        if shape not in [s for s, _ in shapes]:
            shapes.append((shape, ""))
    shapes.sort(key=lambda s: (s[0].epochs_a, s[0].epochs_b))
    endless = of_answers(w, math.inf)
    shapes.append((endless, NO_LIMIT))
    if w.ground.answers == "binary" or w.asked.omega2 == w.asked.omega2:
        shapes.append((endless, PROBABILITIES))  # an answer in part is more than one token
    every = [s for s, _ in shapes]
    counts = w.counts(w.asked.difference, every)
    found = [s.difference for s in w.sizes(n, every)] if n == n else [math.nan] * len(every)
    ranges = ranges_of(w, w.asked.difference, every, [c.questions for c in counts])
    rows = []
    for (shape, name), count, size, (low, high) in zip(shapes, counts, found, ranges, strict=True):
        single = replace(shape, epochs_a=1.0, epochs_b=1.0)  # one pass over the questions
        cost = math.nan
        if name != NO_LIMIT:
            cost = w.cost(count.questions, count.clusters, single if name else shape)
        least = most = math.nan
        if name == NO_LIMIT:
            least, most = finds_ranges(w, shape)(n, size)
        rows.append(
            Answers(
                name, shape.epochs_a, shape.epochs_b, question_variance(w, shape), size,
                count.questions, count.clusters, cost,
                best=not name and shape == best, reason=count.reason, low=low, high=high,
                equation=_equation(w, n, shape),
                detectable_low=least, detectable_high=most,
            )
        )  # fmt: skip
    return tuple(rows)


def _least(w: Work) -> Shape | None:
    """The answers that cost least, with any number of questions; None without costs."""
    x = _least_cost(w)
    if x is None or math.isnan(x.questions):
        return None
    return Shape(x.epochs_a, x.epochs_b, w.shape.cluster_size)


def _least_cost(w: Work) -> Cheapest | None:
    if not w.asked.priced:
        return None
    [designs] = search(w, [w.asked.difference])
    return _cheapest(w, w.asked.difference, designs)


def cheapest_for_each(w: Work) -> Cheapest | None:
    """The design that costs least where several comparisons share the level; None without costs, or
    of one comparison.
    """
    x = _least_cost(w.for_each) if w.asked.comparisons > 1 else None
    return _with_range(w.for_each, x) if x is not None else None


def _with_range(w: Work, x: Cheapest) -> Cheapest:
    """The design with what is left open of its questions."""
    if math.isnan(x.questions):
        return x
    shape = Shape(x.epochs_a, x.epochs_b, w.shape.cluster_size)
    low, high = range_of(w, x.difference, shape, x.questions)
    return replace(x, low=low, high=high)


def _equation(w: Work, n: float, shape: Shape) -> float:
    """Equation 10; nan where nothing is left to vary, or it is not known what."""
    square = formula_square(w, n, shape)
    return stats.minimum_detectable_effect(1, square, level=w.asked.level, power=w.asked.power)


def of_answers(w: Work, k: float) -> Shape:
    """The plan's shape with k answers of both models; where the other model's answers are what they
    are, of the first.
    """
    return Shape(k, k if w.asked.paired else w.shape.epochs_b, w.shape.cluster_size)


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
    every = [of_answers(w, float(k)) for k in (*CURVE_EPOCHS, math.inf)]
    found = w.sizes(n, every)
    return tuple((s.epochs_a, size.difference) for s, size in zip(every, found, strict=True))


# Clusters and costs -------------------------------------------------------------------------------


def layouts_of(w: Work) -> tuple[tuple[Layout, ...], float]:
    """Clusters of other sizes, and the size that costs least; none without clusters."""
    if not w.shape.grouped:
        return (), math.nan
    best = _best_size(w)
    every = {*map(float, CLUSTER_SIZES), w.shape.cluster_size}
    sizes = sorted(every | ({best} if math.isfinite(best) else set()))
    shapes = [Shape(w.shape.epochs_a, w.shape.epochs_b, s) for s in sizes]
    rows = []
    for s, c in zip(shapes, w.counts(w.asked.difference, shapes), strict=True):
        groups = c.clusters if s.grouped else c.questions
        cost = w.cost(c.questions, groups, s)
        rows.append(Layout(s.cluster_size, c.questions, groups, cost, s == w.shape, c.reason))
    return tuple(rows), best


def _best_size(w: Work) -> float:
    """The size of clusters with which the plan costs least: of every whole number up to MOST_SIZE,
    or twice that of the formula, and the plan's own; a pilot says less of larger clusters. inf
    where by the formula more always pay, nan where a cluster has no cost.
    """
    formula, most = _formula_size(w), MOST_SIZE
    if math.isinf(formula) or not w.asked.costs[1] > 0.0:
        return formula
    if formula == formula:
        most = max(most, 2 * int(formula))
    sizes = {*map(float, range(1, most + 1)), w.shape.cluster_size}
    shapes = [replace(w.shape, cluster_size=size) for size in sorted(sizes)]
    priced = []
    for shape, c in zip(shapes, w.counts(w.asked.difference, shapes), strict=True):
        cost = w.cost(c.questions, c.clusters if shape.grouped else c.questions, shape)
        if cost == cost:
            priced.append((cost, shape.cluster_size))
    return min(priced)[1] if priced else math.nan


def _formula_size(w: Work) -> float:
    """m* = sqrt((c_G / c_q) (v - t) / t), section 9.6 of Cochran 1977: c_G the cost of a
    cluster, c_q of a question with its answers, v the variance of a difference, t what two
    questions of a cluster share.
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


@dataclass(frozen=True, slots=True)
class Priced(Record):
    """A design, and what it costs; without costs, its answers."""

    shape: Shape
    count: Count
    price: float

    @property
    def equal(self) -> bool:
        """Whether both models give as many answers."""
        return self.shape.epochs_a == self.shape.epochs_b


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
    return _with_range(w, _designs(w, [w.asked.difference])[0])


def _designs(w: Work, differences: Sequence[float]) -> tuple[Cheapest, ...]:
    limit = w.asked.questions if w.asked.questions == w.asked.questions else math.inf
    return tuple(
        _cheapest(w, difference, designs, limit)
        for difference, designs in zip(differences, search(w, differences), strict=True)
    )


def _cheapest(
    w: Work, difference: float, designs: Sequence[Priced], limit: float = math.inf
) -> Cheapest:
    """The design that costs least, with no more questions than the limit; without costs, the first
    that has enough. One of unequal answers that is not the plan's own has to save LEAST_SAVED.
    """
    can = [x for x in designs if x.count.questions <= limit]
    if can:
        x = min(can, key=lambda x: x.price)
        simple = [y for y in can if y.equal or y.shape == w.shape]
        if w.asked.paired and w.asked.priced and simple:
            y = min(simple, key=lambda x: x.price)
            x = x if x.price <= (1.0 - LEAST_SAVED) * y.price else y
        cost = w.cost(x.count.questions, x.count.clusters, x.shape)
        return Cheapest(difference, x.shape.epochs_a, x.shape.epochs_b, x.count.questions,
                        x.count.clusters, cost)  # fmt: skip
    nan = math.nan
    why = why_none(w, difference, [x.shape for x in designs], [x.count for x in designs])
    return Cheapest(difference, nan, nan, nan, nan, nan, why)


def search(w: Work, differences: Sequence[float]) -> list[list[Priced]]:
    """The designs that are looked at for each difference, fewest answers first: every whole number
    of answers up to MOST_EPOCHS, the plan's own, and those near the best of the formula, which may
    be more, and others of each model.
    """
    shapes = {of_answers(w, float(k)) for k in range(1, MOST_EPOCHS + 1)} | {w.shape}
    best = best_shape(w)
    if best is not None and math.isfinite(best.epochs_a + best.epochs_b):
        shapes |= set(_near(w, best))
    ordered = sorted(shapes, key=lambda s: (s.epochs_a, s.epochs_b))
    fewer = fewer_of(w.basis, ordered)
    found = []
    for difference in differences:
        counts = zip(ordered, w.counts_of(difference, fewer), strict=True)
        found.append([Priced(s, c, _price(w, s, c)) for s, c in counts])
    return found


def _near(w: Work, best: Shape) -> Iterator[Shape]:
    """Numbers of answers up to two from these, and from the best that are equal; the same for
    models that nothing tells apart.
    """
    steps = (-2.0, -1.0, 0.0, 1.0, 2.0)
    pairs: Iterable[tuple[float, float]] = itertools.product(steps, steps)
    v, (*_, of_a, of_b) = w.variances(), w.asked.costs
    if not w.asked.paired:
        pairs = ((step, 0.0) for step in steps)
    elif of_a == of_b and v.sigma2_a == v.sigma2_b:
        pairs = zip(steps, steps, strict=True)
    else:  # the best that are equal lie between: K^2 = (c_A K_A^2 + c_B K_B^2) / (c_A + c_B)
        squares = of_a * best.epochs_a**2 + of_b * best.epochs_b**2
        k = float(round(math.sqrt(squares / (of_a + of_b))))
        for step in steps:
            yield replace(best, epochs_a=max(1.0, k + step), epochs_b=max(1.0, k + step))
        pairs = () if w.asked.of_many else pairs
    for a, b in pairs:
        yield replace(best, epochs_a=max(1.0, best.epochs_a + a),
                      epochs_b=max(1.0, best.epochs_b + b))  # fmt: skip


def _price(w: Work, shape: Shape, count: Count) -> float:
    return w.cost(count.questions, count.clusters, shape) if w.asked.priced else shape.epochs_a
