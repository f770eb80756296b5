"""Each answer of a plan in words: the question, the answer, its formula and what it assumes."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import PILOT
from reportkit.analysis.planning.layouts import NO_LIMIT, PROBABILITIES
from reportkit.analysis.planning.limits import no_power
from reportkit.analysis.planning.reasons import NONE, Reason
from reportkit.tables.planning.against import (
    against_words,
    finds_by,
    head_of,
    is_told,
    little_by,
    needs_by,
    no_noise_by,
    one_model,
)
from reportkit.tables.planning.beside import (
    SAME_ENDS,
    by_formula,
    by_test,
    formula_above,
    left_open,
    pilot_words,
    plan_of,
    range_words,
)
from reportkit.tables.planning.comparisons import (
    cheapest_for_each,
    needed_for_each,
    none_for_each,
    with_each,
)
from reportkit.tables.planning.costs import best_formulas, cost_formulas, cost_words
from reportkit.tables.planning.designs import best_of, each_model, in_one, of_all, planned_by
from reportkit.tables.planning.epochs import limit_formulas, looked_at
from reportkit.tables.planning.noise import assumed, of_probabilities
from reportkit.tables.planning.other_designs import other_designs
from reportkit.tables.planning.telling import Told
from reportkit.tables.planning.words import (
    NOT_KNOWN,
    Words,
    because,
    cost_range,
    cost_text,
    found_range,
    found_text,
    least_words,
    limits_words,
    needed_text,
    open_ends,
    power_of,
    power_range,
    power_text,
    size_text,
    sized_text,
    standing,
    words_of,
)
from reportkit.text.numbers import DASH, count, counted, share_of

LONG = 40  # letters of a reason that is not said twice
SAME = "By the same test, with the same allowances."


def told(p: Planned, *, short: bool = False) -> list[Told]:
    """Every answer that this plan has. short: where their reasons have been said in full."""
    w = words_of(p)
    first, second = [*_questions(p, w)], [*_finds(p, w)]
    if p.limited:  # what the eval's questions find comes before what it would take
        first, second = [*second, *_within(p, w)], first
    every = [*first, *second, *_epochs(p, w), *_clusters(p), *other_designs(p, w)]
    return _once(p, every, short=short)


def _once(p: Planned, answers: list[Told], *, short: bool) -> list[Told]:
    """The answers; a reason, or that noise is assumed, is said once."""
    said: set[Reason] = set()
    noise_said = False
    noise = assumed(p)
    found: list[Told] = []
    for t in answers:
        answer = _with_why(t, said, short=short)
        if len(t.why) > LONG:
            said |= {t.why, t.why.cause or t.why}
        assumes = t.assumes
        if noise and noise in assumes:
            assumes = assumes.replace(noise, "") if noise_said else assumes
            noise_said = True
        found.append(replace(t, answer=answer, assumes=assumes))
    return found


def _with_why(t: Told, said: Collection[Reason], *, short: bool) -> str:
    """An answer with its reason, where there is one: in full, in its short form where the cause has
    been said, or not again.
    """
    if not t.why:
        return t.answer
    if t.why in said:
        return f"{t.answer}, as above"
    return because(t.answer, t.why, short=short or t.why.cause in said)


def _questions(p: Planned, w: Words) -> Iterator[Told]:
    a, n = p.asked, p.need
    head = head_of(p, w.given(a.difference), each_model(p, n.epochs_a, n.epochs_b))
    assumes = by_test(p.test, n.equation) + formula_above(p) + plan_of(p) + against_words(p)
    text = needed_text(n)
    if n.clusters == n.clusters:
        text += (
            f" questions, in {counted(n.clusters, 'cluster')} of {size_text(p.shape.cluster_size)}"
        )
    elif n.least:
        text += " questions"
    if n.least:
        text += least_words(p, n.difference)
    if n.reason:
        text = standing(n.reason)
    limits = f" {limits_words(p, [n])}".rstrip()
    yield Told(head, text, *needs_by(p), assumes + range_words(p) + limits, n.questions, n.reason)
    if n.cost == n.cost:
        formula, maths = cost_formulas(p)
        paid = f"{cost_range(n)}{of_all(p)}"
        yield Told("What that costs", paid, formula, maths, cost_words(p), n.cost)
    if a.comparisons > 1:
        yield needed_for_each(p)


def _finds(p: Planned, w: Words) -> Iterator[Told]:
    f, a = p.found, p.asked
    if math.isnan(f.questions):
        return
    n = counted(f.questions, "question")
    text = with_each(p, found_text(w, f), w.difference(f.adjusted), f.adjusted_reason)
    if math.isnan(f.detectable):
        text = standing(f.reason)
    # it is the first answer of an eval that has so many questions: nothing stands above
    assumes = by_test(p.test, math.nan) if p.limited else SAME
    if f.equation == f.equation:
        formula = "The formula" if one_model(p) else "Equation 10"
        assumes += f" {formula} leaves these out, and gives {w.difference(f.equation)}."
        if p.limited:  # else the first answer has said it
            assumes += pilot_words(p, f.detectable, f.equation)
    # as above, but for an eval that has so many questions, of which this is the first answer
    ends = f" In brackets: {left_open(p)}" if p.limited else SAME_ENDS
    assumes += ends * bool(found_range(w, f)) + none_for_each(p, f)
    why = f.reason if math.isnan(f.detectable) else NONE
    yield Told(f"Smallest difference that {n} find", text, *finds_by(p), assumes, f.detectable, why)
    each = NOT_KNOWN if math.isnan(f.power_adjusted) else power_of(p, f.power_adjusted)
    text = with_each(p, power_range(p, f), each, NONE)
    if math.isnan(f.power):
        text = NOT_KNOWN if f.reason else DASH
    assumes = SAME
    if f.power_equation == f.power_equation:
        se = "" if is_told(p) else f", with the SE of {by_formula(p)},"
        assumes += f" The formula{se} leaves these out, and gives {power_text(f.power_equation)}."
    if f.power_low == f.power_low:
        assumes += f" In brackets: the power of the same {n} at the same ends."
    least = next((c.least for c in p.curves if c.difference == a.difference), 0.0)
    yield Told(
        f"Power of {n} for a difference of {w.given(a.difference)}", text,
        "power = Phi(difference/SE - z_{a/2}) + Phi(-difference/SE - z_{a/2})",
        r"\Phi(\delta/\mathrm{SE} - z_{\alpha/2}) + \Phi(-\delta/\mathrm{SE} - z_{\alpha/2})",
        assumes, f.power, no_power(f.reason, f.questions, least) if math.isnan(f.power) else NONE,
    )  # fmt: skip


def _within(p: Planned, w: Words) -> Iterator[Told]:
    """The best use of the questions that the eval has."""
    n, d = counted(p.asked.questions, "question"), w.given(p.asked.difference)
    if p.found.cost == p.found.cost:
        formula, maths = cost_formulas(p)
        yield Told(
            f"What {n} cost",
            f"{cost_text(p.found.cost)}{of_all(p)}",
            formula,
            maths,
            cost_words(p),
            p.found.cost,
        )
    x = p.within
    if x is None or math.isnan(p.found.detectable):
        return
    head = f"Cheapest design with no more than {n} that finds {d}{in_one(p)}"
    chosen = "Of the designs with no more questions, the one that costs least."
    if x.cost != x.cost:
        head = f"Fewest answers to each question with which no more than {n} find {d}{in_one(p)}"
        chosen = "The fewest answers to each question; with costs, the cheapest design is given."
    answer = standing(x.reason)
    if x.questions == x.questions:
        answer = f"{each_model(p, x.epochs_a, x.epochs_b)} to each of {sized_text(p, x)}"
    if x.cost == x.cost:
        answer += f"; costs {cost_text(x.cost)}{of_all(p)}"
    formulas = needs_by(p, several=(x.epochs_a, x.epochs_b) != (1.0, 1.0))
    yield Told(head, answer, *formulas, chosen + assumed(p), x.epochs_a, x.reason)


# Answers to each question -------------------------------------------------------------------------


def _epochs(p: Planned, w: Words) -> Iterator[Told]:
    if math.isnan(p.variances.sigma2_a + p.variances.sigma2_b):
        yield Told(
            "Answers to each question (epochs) that serve best",
            "not known: a model has one answer for each question of the pilot",
            "", "", "One answer cannot tell what differs between questions (ω²) from what "
            "differs between two answers to one question (σ²). What one answer each needs is "
            "known all the same. Ask the pilot's questions twice of each model, or give noise.",
        )  # fmt: skip
        return
    if p.variances.sigma2_a + p.variances.sigma2_b == 0.0:
        yield from _no_noise(p)
        return
    yield from _best(p)
    limit = next(x for x in p.answers if x.name == NO_LIMIT)
    if limit.detectable == limit.detectable and p.found.questions == p.found.questions:
        n = counted(p.found.questions, "question")
        ends = open_ends(limit.detectable_low, limit.detectable_high, w.cell)
        formula, maths, assumes = limit_formulas(p, w, limit)
        yield Told(
            f"Smallest difference that {n} find with unlimited answers to each",
            w.difference(limit.detectable) + ends,
            formula, maths, assumes + SAME_ENDS * bool(ends), limit.detectable,
        )  # fmt: skip
    row = of_probabilities(p)
    if row is not None and p.need.questions == p.need.questions:
        yield Told(
            "With next-token probabilities in place of sampled answers",
            f"{sized_text(p, row)}, {_fewer(row.questions, p.need.questions)}",
            *no_noise_by(p),
            "They have no answer noise, as unlimited answers would have none, for the price of one "
            "pass. They measure the same only at the temperature that answers are sampled at, and "
            f"where an answer is one of a few tokens.{assumed(p)}", row.questions,
        )  # fmt: skip


def _fewer(questions: float, than: float) -> str:
    """
    >>> _fewer(90, 100), _fewer(100, 100), _fewer(998, 1000), _fewer(101, 100)
    ('10% fewer', 'as many', 'nearly as many', 'no fewer')
    """
    if questions > than:
        return "no fewer"
    if questions == than:
        return "as many"
    saved = 1.0 - questions / than
    return "nearly as many" if saved < 0.01 else f"{share_of(saved)} fewer"


def _no_noise(p: Planned) -> Iterator[Told]:
    """What is gained where a score is said, or seen, to have no answer noise."""
    noise = next((k for k in p.known if k.name == "noise"), None)
    if noise is None:
        return
    head, why = "More answers to each question", "a score has no answer noise"
    if any(x.name == PROBABILITIES for x in p.answers):
        head += ", or next-token probabilities"
    if noise.source == PILOT:
        why = "the pilot shows no answer noise"
    yield Told(
        head, f"gain nothing: {why}", "sigma_A^2 = sigma_B^2 = 0",
        r"\sigma_A^2 = \sigma_B^2 = 0",
        "They remove answer noise alone. What differs between questions stays.",
    )  # fmt: skip


def _best(p: Planned) -> Iterator[Told]:
    best = best_of(p)
    if best is not None:
        assumes = (
            f"{looked_at(p, best)} The number of questions is not limited, and each has the same "
            f"cost.{planned_by(p, best)}{assumed(p)}"
        )
        answer = (
            f"{each_model(p, best.epochs_a, best.epochs_b)} to each of {sized_text(p, best)}; "
            f"costs {cost_range(best)}{of_all(p)}"
        )
        which = in_one(p)
        which += ", were more questions to be had" if p.limited else ""
        yield Told(
            f"Answers to each question that cost least{which}", answer, *best_formulas(p), assumes,
            best.epochs_a,
        )  # fmt: skip
        yield from cheapest_for_each(p)
        return
    answer, why = counted(p.share_epochs, "answer"), NONE
    if math.isinf(p.share_epochs) and p.clustered and p.need.reason:  # nothing is known of it
        answer, why = standing(p.need.reason), p.need.reason
    elif math.isinf(p.share_epochs):
        answer = "no number: as far as is known, all of the variance is answer noise"
    elif math.isnan(p.share_epochs):
        answer = DASH
    yield Told(
        "More answers to each question gain little after", answer,
        *little_by(p),
        "A rule of thumb for a fixed list of questions; with costs, the cheapest number is given."
        + assumed(p), p.share_epochs, why,
    )  # fmt: skip


def _clusters(p: Planned) -> Iterator[Told]:
    if not p.layouts:
        return
    asked = next(x for x in p.layouts if x.asked)
    average = "" if asked.cluster_size == round(asked.cluster_size) else " on average"
    answer = f"{counted(asked.clusters, 'cluster')} of {count(asked.cluster_size)} questions"
    answer += average
    priced, more = [x for x in p.layouts if x.cost == x.cost], ""
    if math.isinf(p.best_size) and priced:
        least = count(min(priced, key=lambda x: x.cost).cluster_size)
        more = f"of the sizes in the table of clusters, {least} questions in each cost least"
    elif math.isfinite(p.best_size):
        best = next((x for x in p.layouts if x.cluster_size == p.best_size), asked)
        more = f"{count(p.best_size)} questions in each would cost least"
        if best.cost < asked.cost:
            more += f", {share_of(1.0 - best.cost / asked.cost)} less"
    guide = ""
    if asked.reason:  # which comes behind the answer
        answer, guide = standing(asked.reason), f" {more[0].upper()}{more[1:]}." if more else ""
    elif more:
        answer += f"; {more}"
    if p.best_size == p.best_size:
        guide += (
            " The size that costs least is looked for around that of section 9.6 of Cochran 1977."
        )
    alike = "the models' differences" if p.asked.paired else "one model's scores"
    yield Told(
        "Clusters, and how large", answer,
        "omega_cl^2 = omega^2 (1 + (m - 1) ICC), m questions in a cluster",
        r"\omega_{cl}^2 = \omega^2 (1 + (m - 1)\,\mathrm{ICC})",
        f"All clusters have one size; the ICC is that of {alike}.{guide}",
        asked.clusters, asked.reason,
    )  # fmt: skip
