"""Every answer of a plan, from what is asked and what it rests on."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reportkit import stats
from reportkit.analysis.planning.against import formula_questions, formula_square, of_one_model
from reportkit.analysis.planning.answered import (
    GIVEN,
    Found,
    Gap,
    Known,
    Need,
    Planned,
)
from reportkit.analysis.planning.basis import Shape, Variances
from reportkit.analysis.planning.current import current_scores
from reportkit.analysis.planning.fewer import alone
from reportkit.analysis.planning.ground import Ground
from reportkit.analysis.planning.layouts import (
    answers_rows,
    cheapest_for_each,
    epochs_curve,
    frontier,
    layouts_of,
    share_epochs,
    within,
)
from reportkit.analysis.planning.limits import limits_of, too_few
from reportkit.analysis.planning.others import other_answers
from reportkit.analysis.planning.pilot import Pilot
from reportkit.analysis.planning.pilot_facts import pilot_facts
from reportkit.analysis.planning.reasons import Reason
from reportkit.analysis.planning.solve import Count, Curve, curve
from reportkit.analysis.planning.undeclared import as_of_shares, each_alone, undeclared
from reportkit.analysis.planning.unused import lowered, unused, without_range
from reportkit.analysis.planning.work import (
    Work,
    ends_of,
    finds_ranges,
    one_answer,
    ordered,
    range_of,
    test_of,
    work_of,
)
from reportkit.plans import DECIDED, Asked

POINTS = (0.01, 0.02, 0.03, 0.05, 0.1)  # of the range of scores: differences beside the asked one
SIZES = (100, 200, 500, 1000, 2000, 5000)
CURVES = 4


def answered(asked: Asked, ground: Ground, pilot: Pilot | None) -> Planned:
    """Every answer; see analysis.planning.plan."""
    w = work_of(asked, ground)
    need = need_of(w, asked.difference)
    n = asked.questions if asked.questions == asked.questions else need.questions
    founds = tuple(_as_needed(f, need) for f in _founds(w, _sizes(n)))
    layouts, best_size = layouts_of(w)
    return Planned(
        asked=asked,
        known=(*ground.known, *_decided(asked), *_costs(asked)),
        shape=w.shape,
        variances=w.variances(),
        percent=ground.percent,
        width=ground.basis.width,
        need=need,
        needs=tuple(need_of(w, d) for d in _differences(w)),
        found=next((f for f in founds if f.questions == n), _unknown(n)),
        founds=founds,
        answers=answers_rows(w, n),
        share_epochs=share_epochs(w),
        layouts=layouts,
        best_size=best_size,
        cheapest=frontier(w),
        others=other_answers(w, need, pilot),
        gaps=_gaps(w, pilot, n),
        within=within(w),
        for_each=cheapest_for_each(w),
        test=test_of(w),
        pilot=pilot_facts(w, pilot),
        curves=_curves(w),
        epochs_curve=epochs_curve(w, n),
        notes=(
            *unused(asked, ground),
            *without_range(asked, ground, pilot),
            *undeclared(pilot),
            *each_alone(pilot),
            *as_of_shares(asked, ground),
            *lowered(ground, pilot),
            *of_one_model(w, need),
        ),
        limits=limits_of(w.basis.design(w.shape), ground.basis.width, asked.difference),
    )


def _decided(a: Asked) -> Iterator[Known]:
    """The level and the power that are not the usual ones, and the file that decides them."""
    said = a.said()
    for name in DECIDED:
        if name in said:
            yield Known(name, getattr(a, name), a.file if name in a.of_file else GIVEN)


def _costs(a: Asked) -> Iterator[Known]:
    """What is paid, as it was given."""
    names = ("cost_question", "cost_cluster", "cost_answer", "cost_answer_b")
    for name in names:
        if getattr(a, name) > 0.0:
            yield Known(name, getattr(a, name), GIVEN)
    if a.of_many and a.priced:
        yield Known("cost_models", a.cost_models, GIVEN)


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
    low, high = range_of(w, difference, shape, count.questions)
    more, more_low, more_high = count, low, high
    if w.asked.comparisons > 1:
        more = w.count(difference, shape, w.adjusted)
        more_low, more_high = range_of(w.for_each, difference, shape, more.questions)
    return Need(
        difference, shape.epochs_a, shape.epochs_b, count.questions, count.clusters, low, high,
        more.questions, more.clusters, _equation(w, difference, shape, w.asked.level),
        w.cost(count.questions, count.clusters, shape), count.least, count.reason,
        w.cost(more.questions, more.clusters, shape), more.least, more.reason, more_low, more_high,
    )  # fmt: skip


def _equation(w: Work, difference: float, shape: Shape, level: float) -> float:
    """Equation 9 of Miller 2024; of 0/1 answers with one each and no clusters, Connor 1987."""
    if not math.isnan(w.asked.published_questions):
        return formula_questions(w, difference, shape, level)
    v, power = w.variances(), w.asked.power
    if shape.epochs_a == shape.epochs_b == 1.0 and math.isnan(v.sigma2_a + v.sigma2_b):
        v = Variances(one_answer(w), 0.0, 0.0)  # the two are not known apart, and need not be
    if isinstance(w.basis.design(shape), str) or not v.at(shape) > 0.0:
        return math.nan
    if w.asked.paired and w.ground.answers == "binary" and shape == Shape():
        q = v.at(shape) / w.basis.width**2  # of models that do not differ p10 + p01
        effect = difference / w.basis.width
        p10, p01 = (q + effect) / 2.0, (q - effect) / 2.0
        if p01 < 0.0 or p10 + p01 > 1.0:
            return math.nan  # models that are right apart so seldom cannot differ by so much
        return stats.mcnemar_questions_needed(p10, p01, level=level, power=power)
    return stats.questions_needed(
        difference, v.omega2, v.sigma2_a, v.sigma2_b, shape.epochs_a, shape.epochs_b,
        level=level, power=power,
    )  # fmt: skip


# What so many questions find ----------------------------------------------------------------------


def _sizes(n: float) -> list[float]:
    known = {n} if n == n else set()
    return sorted({*map(float, SIZES), *known})


def _founds(w: Work, sizes: Sequence[float]) -> tuple[Found, ...]:
    """What each of these numbers of questions finds."""
    shape, d = w.shape, w.asked.difference
    design = w.basis.design(shape)
    left_open = _left_open(w)
    of_power = w.curve(d)
    adjusted = w.curve(d, w.adjusted) if w.asked.comparisons > 1 else of_power
    rows = []
    for n in sizes:
        clusters = _clusters(n, shape.cluster_size) if shape.grouped else math.nan
        size = more = w.sizes(n, [shape])[0]
        if w.asked.comparisons > 1:
            more = w.sizes(n, [shape], w.adjusted)[0]
        equation = power = math.nan
        # of a pilot that does not show it, it is not known
        square = math.nan if isinstance(design, Reason) else formula_square(w, n, shape)
        if square > 0.0:
            equation = stats.minimum_detectable_effect(
                1, square, level=w.asked.level, power=w.asked.power
            )
            power = stats.power(d, math.sqrt(square), level=w.asked.level)
        few = isinstance(design, Reason) or bool(too_few(n, shape, design))
        finds = math.nan if few else of_power.at(n)
        low, high, power_low, power_high = (
            [math.nan] * 4 if few else left_open(n, size.difference, finds)
        )
        rows.append(
            Found(
                n, clusters, size.difference, more.difference, equation,
                finds, math.nan if few else adjusted.at(n),
                power, size.reason, w.cost(n, clusters, shape),
                low, high, power_low, power_high, more.reason,
            )
        )  # fmt: skip
    return tuple(rows)


def _as_needed(f: Found, need: Need) -> Found:
    """Beside too few published answers, the reason that the plan has, which tells more."""
    why, more = f.reason, f.adjusted_reason
    if why.kind == need.reason.kind == "few published":
        why = need.reason
    if more.kind == need.adjusted_reason.kind == "few published":
        more = need.adjusted_reason
    return replace(f, reason=why, adjusted_reason=more)


def _left_open(w: Work) -> Callable[[float, float, float], Sequence[float]]:
    """Of a number of questions, what it finds and its power, the same at both ends of what a pilot,
    public evals, or answer noise that is assumed, leave open: `low` to `power_high` of Found; nan
    where nothing is.
    """
    ends = ends_of(w, w.shape)
    if not ends:
        return lambda *_: [math.nan] * 4
    of_designs = [curve(alone(e.design, w.shape), w.asked.difference, w.goal) for e in ends]
    found = finds_ranges(w, w.shape)
    much, none, *others = of_designs  # the end of most questions has the least power

    def at(n: float, finds: float, power: float) -> Sequence[float]:
        powers = [c.at(n) for c in (none, much, *others)]
        return (*found(n, finds), *ordered(*powers, power))

    return at


def _unknown(n: float) -> Found:
    """What a number of questions finds that is not known itself."""
    return Found(n, n, n, n, n, n, n, n, Reason("no number of questions is known"))


def _clusters(n: float, size: float) -> float:
    """The clusters that hold so many questions: the fewest whose questions, as a count, are no
    fewer. Of 4.17 questions each 178 hold 742, as `needed` counts them, though it is 741.67.

    >>> _clusters(742.0, 100 / 24), _clusters(743.0, 100 / 24), _clusters(1003.0, 10.0)
    (178, 179, 101)
    """
    return math.floor((math.ceil(n) - 1.0) / size + 1e-9) + 1


# Current models -----------------------------------------------------------------------------------


def _gaps(w: Work, pilot: Pilot | None, n: float) -> tuple[Gap, ...]:
    """Models next to each other, and whether so many questions can show that they differ so."""
    scores = current_scores(w.asked)
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


def _curves(w: Work) -> tuple[Curve, ...]:
    """Power over questions for some differences: the one that is asked for, and others that are
    planned.
    """
    design = w.basis.design(w.shape)
    asked, most = w.asked.difference, limits_of(design, w.basis.width).difference
    planned = [d for d in _differences(w) if d < most or d == asked]
    every = sorted(planned, key=lambda d: abs(math.log(d / asked)))[:CURVES]
    return tuple(w.curve(d) for d in sorted(every))
