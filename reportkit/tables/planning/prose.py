"""A plan in sentences: what it comes to, and a sentence for a methods section, to paste."""

import math
from collections.abc import Mapping

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import (
    DEFAULT,
    PILOT,
    PUBLIC,
    PUBLISHED,
    Answers,
    Known,
    Need,
    Other,
    PilotFacts,
)
from reportkit.analysis.planning.public import correlation_ranges, public_range
from reportkit.tables.planning.against import one_model, whose
from reportkit.tables.planning.beside import between
from reportkit.tables.planning.designs import cheapest, each_model, for_each, whose_cost, with_these
from reportkit.tables.planning.noise import (
    SCORES,
    alike_words,
    icc_of_pilot,
    noise_words,
    public_words,
    spread_words,
)
from reportkit.tables.planning.of_pilot import open_names, pilot_ends
from reportkit.tables.planning.words import (
    cost_range,
    cost_text,
    found_range,
    icc_text,
    in_clusters,
    needed_range,
    needed_text,
    power_range,
    share_score,
    size_text,
    sized_need,
    unanswered,
    words_of,
)
from reportkit.tables.planning.words import (
    ranged as is_ranged,
)
from reportkit.text.numbers import bare, count, counted, fixed, joined, percent_of, share_of

NO_PLAN = "No plan:"
TESTS = {
    "mcnemar": "McNemar's test",
    "t": "a paired t test",
    "welch": "an unpaired t test (Welch)",
    "mover": "the interval of the difference of two means",
    "newcombe": "Newcombe's interval of the difference of two shares",
}


def findings(p: Planned) -> str:
    """The plan in a few sentences."""
    parts = [_needed(p), _brackets(p), _noise(p), _gaps(p), cheapest(p)]
    if p.limited:  # what the eval's questions find comes before what it would take
        needed = "" if p.need.reason and p.need.reason == p.found.reason else _needed(p)
        parts = [_found(p), _noise(p), _gaps(p), with_these(p), needed]
    if p.pilot is not None and p.pilot.fictional:
        parts.append("The pilot's models are fictional and their scores generated.")
    return " ".join(part for part in parts if part)


def _brackets(p: Planned) -> str:
    """What the range in brackets is; of assumed noise other words say it."""
    if not is_ranged(p.need) or p.noise_open:
        return ""
    of_variance = p.pilot is not None and p.pilot.ranges
    if not (of_variance or pilot_ends(p)):
        return "In brackets are the numbers between the quartiles of public evals."
    quartiles = public_words(p)
    beside = f", with the quartiles of the {quartiles} in public evals" * bool(quartiles)
    return f"In brackets is what the pilot leaves open at 95%{beside}."


def _gaps(p: Planned) -> str:
    """Whether so many questions show the gaps of current models."""
    if len(p.gaps) == 1 and not p.gaps[0].difference > 0.0:
        return "The two models have the same score, so that there is no gap to find."
    if not p.gaps or math.isnan(p.found.detectable):  # not known of any
        return ""
    gap, n = words_of(p).difference(p.gaps[0].difference), counted(p.found.questions, "question")
    return _shown(sum(g.shown for g in p.gaps), len(p.gaps), n, gap)


def _shown(shown: int, gaps: int, questions: str, gap: str = "") -> str:
    """
    >>> _shown(1, 1, "641 questions", "2.5 points")
    '641 questions can show the gap of 2.5 points between the two models.'
    >>> _shown(0, 3, "641 questions")
    'Of the 3 gaps between models next to each other, 641 questions can show none.'
    """
    if gaps == 1:
        can = "can" if shown else "cannot"
        return f"{questions} {can} show the gap of {gap} between the two models."
    some = count(shown) if shown else "none"
    which = f"Of the {count(gaps)} gaps between models next to each other"
    return f"{which}, {questions} can show {some}."


def _goal(p: Planned) -> str:
    difference = p.asked.difference
    return f"a true difference of {words_of(p).points(difference)}{between(p, difference)}"


def _power(p: Planned, *, least: bool) -> str:
    """Of the questions that are planned. least: fewer would do."""
    return f"{'at least ' * least}{percent_of(p.asked.power)}"


def _needed(p: Planned) -> str:
    """The questions that the difference takes; of several comparisons, each of them."""
    n, m, level = p.need, p.asked.comparisons, "at"
    if math.isnan(n.questions):
        return f"No number of questions is known to find {_goal(p)}: {n.reason.short}."
    beside = _of_several(p)
    if m > 1 and not n.for_each.reason:
        n, level = n.for_each, f"in each of {count(m)} comparisons that share"
    text = f"It takes {needed_text(n)} questions{whose(p)}"
    if n.clusters == n.clusters:
        text += f", in {counted(n.clusters, 'cluster')} of {size_text(p.shape.cluster_size)}"
    text += f", with {each_model(p, p.need.epochs_a, p.need.epochs_b)} to each,"
    text += f" to find {_goal(p)} with {_power(p, least=n.least)} power {level} a two-sided level "
    text += f"of {percent_of(p.asked.alpha)}"
    text += f"; that costs {cost_range(n)}{whose_cost(p) * (m > 1)}." if n.cost == n.cost else "."
    return " ".join(filter(None, [text, beside]))


def _noise(p: Planned) -> str:
    """That answer noise is assumed, where these questions have several answers each, and how much
    scores vary.
    """
    noise = noise_words(p) if p.noise_open else []
    return " ".join([*noise, *spread_words(p)])


def _lowered(k: Known) -> bool:
    """Whether answer noise leaves no correlation such as public evals, or the pilot, have."""
    if k.source != PUBLIC:
        return k.source == DEFAULT
    middles = {r.low: r.middle for r in correlation_ranges()}
    return k.value < middles.get(k.low, k.value)


def _of_several(p: Planned) -> str:
    """The questions of one comparison alone where several share the level; or that theirs are not
    known.
    """
    n, m = p.need.for_each, p.asked.comparisons
    if not m > 1:
        return ""
    if n.reason:
        share = f"Where {count(m)} comparisons share this level, no number of questions is known"
        return f"{share} to find it: {n.reason.short}."
    one = p.need
    cost = f"; that costs {cost_range(one)}" * (one.cost == one.cost)
    return f"One comparison alone takes {sized_need(p, one)}{cost}."


def _found(p: Planned) -> str:
    """What the questions that the eval has find."""
    f = p.found
    if math.isnan(f.detectable):
        if f.reason.never:
            return ""
        told = unanswered(f.reason, short=True)
        answers = each_model(p, p.shape.epochs_a, p.shape.epochs_b)
        return f"What {counted(f.questions, 'question')} with {answers} to each find is {told}."
    w = words_of(p)
    text = (
        f"With {percent_of(p.asked.power)} power, the smallest difference that "
        f"{counted(f.questions, 'question')} find is {w.found_points(f.detectable)}"
        f"{found_range(w, f)}"
    )
    if p.asked.comparisons > 1:
        several = f"{for_each(p)} that share the level"
        why = f.adjusted_reason
        each = unanswered(why, short=True) if why else w.found_points(f.adjusted)
        text += f" ({several} {each})" if why else f" ({each} {several})"
    if f.power == f.power:
        text += f"; their power for {_goal(p)} is {power_range(p, f)}"
    return f"{text}; they cost {cost_text(f.cost)}." if f.cost == f.cost else f"{text}."


def methods_sentence(p: Planned) -> str:
    """One sentence for a methods section: size, difference, power, test, and what it rests on. Of
    an eval that has so many questions and no more, the difference that these find.
    """
    w, many = words_of(p), p.asked.comparisons > 1
    n = p.need.for_each if many else p.need
    number, clusters, difference = n.questions, n.clusters, w.points(p.asked.difference)
    found_at = p.asked.difference
    planned, reason, power = "We planned", n.reason, _power(p, least=n.least)
    if p.limited:
        found = p.found.adjusted if many else p.found.detectable
        number, clusters = p.found.questions, p.found.clusters
        reason = p.found.adjusted_reason if many else p.found.reason
        planned, power = "We use", percent_of(p.asked.power)
        difference = w.found_points(found)
        number = number if found == found else math.nan
        found_at = found
    if math.isnan(number):
        return f"{NO_PLAN} {reason.short}."
    level, among = percent_of(1.0 - p.asked.level), ""
    if many:
        among = f" ({level}, Bonferroni over {count(p.asked.comparisons)} comparisons)"
        level = percent_of(float(f"{1.0 - p.asked.adjusted_level:.3g}"))
    size = in_clusters(number, clusters, p.shape.cluster_size)
    size += whose(p)
    answers = each_model(p, p.shape.epochs_a, p.shape.epochs_b)
    return (
        f"{planned} {size}, {answers} to each, so that {TESTS[p.test]} at a two-sided level of "
        f"{level}{among} finds a true difference of {difference}{between(p, found_at)} with "
        f"{power} power{rests(p, n)} ({method(p, p.test)}; reportkit)."
    )


def method(p: Planned, test: str) -> str:
    """Whose formula the number begins with, and what it allows for beside it."""
    if test == "mcnemar":
        return "Connor 1987, with the share of questions that tell such models apart"
    if test == "newcombe":
        return "Newcombe 1998, method 10, summed over both binomial laws"
    if test == "mover":
        return "Donner & Zou 2012, summed over both means and their standard errors"
    error = "the error of the published mean, " if one_model(p) else ""
    return (
        f"Miller 2024, eq. 9, with {error}the degrees of freedom of the test and the variance at "
        "the difference"
    )


def rests(p: Planned, of: Need | Answers | Other) -> str:
    """What the plan rests on, as a clause. of: whose questions are planned."""
    ranged = not (math.isnan(of.low) and math.isnan(of.high)) and not p.limited
    values = {k.name: k for k in p.known}
    if p.pilot is not None and p.pilot.ranges:
        noise, of_pilot = _noise_of_pilot(p, values), _range_of_pilot(p, of) * ranged
        return f", from {_pilot(p.pilot)}{noise}{_beside_pilot(p, values)}{of_pilot}"
    parts = _scores(p, values)
    if (k := values.get("correlation")) is not None:
        parts.append(f"a correlation of {fixed(k.value, 2)}{_source(p, k)}")
    if (k := values.get("noise")) is not None and (p.shape.several or isinstance(of, Answers)):
        source = _source(p, k)
        if p.noise_assumed and ranged:
            source = f" (assumed; range: {needed_range(of)} questions)"
        parts.append(f"{share_of(k.value)} answer noise{source}")
    if (k := values.get("omega2")) is not None:
        parts.append(f"ω² = {k.value:.4g}")
        if (s := values.get("sigma2")) is not None and s.value:
            parts.append(f"σ² = {s.value:.4g}")
    if (k := values.get("icc" if p.asked.paired else "icc_scores")) is not None:
        parts.append(f"an intraclass correlation of {icc_text(k)}{_source(p, k)}")
    return _listed(parts) + _quartiles(p, of) * ranged


def _noise_of_pilot(p: Planned, values: Mapping[str, Known]) -> str:
    """How much answer noise it shows, where several answers to a question are planned with that."""
    k = values.get("noise")
    if k is None or k.source != PILOT or not p.shape.several:
        return ""
    return f" with {share_of(k.value)} answer noise"


def _beside_pilot(p: Planned, values: Mapping[str, Known]) -> str:
    """How alike a cluster is taken to be, where the pilot does not show it."""
    k = values.get(icc_of_pilot(p))
    if k is None or k.source == PILOT:
        return ""
    return f" and for an intraclass correlation of {icc_text(k)}{_source(p, k)}"


def _range_of_pilot(p: Planned, of: Need | Answers | Other) -> str:
    alike = " of the variance, with the quartiles of the ICC" * bool(alike_words(p))
    return f" (95% range{alike}: {needed_range(of)} questions)"


def _quartiles(p: Planned, of: Need | Answers | Other) -> str:
    """The range that public evals leave, or a pilot's mean; that of assumed noise is beside it."""
    several = p.noise_assumed and (p.shape.several or isinstance(of, Answers))
    if several or not is_ranged(of):
        return ""
    where = "between the quartiles of public evals"
    names = open_names(p)
    if names:
        alike = f", and the quartiles of the {public_words(p)}" * bool(public_words(p))
        where = f"at the ends of the 95% range of {' and '.join(names)}{alike},"
    return f"; {where} {needed_range(of)} questions"


def _listed(parts: list[str]) -> str:
    """
    >>> _listed([]), _listed(["a"]), _listed(["a", "b", "c"])
    ('', ', for a', ', for a, b and c')
    """
    return f", for {joined(parts, 'and')}" * bool(parts)


def _scores(p: Planned, values: Mapping[str, Known]) -> list[str]:
    """What is expected of one model's scores."""
    parts = []
    if (k := values.get("mean")) is not None:
        shown = share_score(k.value) if p.percent else bare(k.value)
        parts.append(f"an expected score of {shown}{_source(p, k)}")
    if (k := values.get("spread")) is not None:
        parts.append(f"a standard deviation of scores of {k.value:.4g}{_source(p, k)}")
    if (k := values.get("other_se")) is not None:
        parts.append(f"a standard error of the published mean of {k.value:.4g}")
    return parts


def _source(p: Planned, k: Known) -> str:
    """Where a value is from, behind it; what was given says none."""
    if k.name == "correlation" and _lowered(k):
        return " (assumed, as so much answer noise leaves no higher one)"
    if k.source == PUBLISHED:
        return " (the mean of published scores)" if k.low < k.high else " (as published)"
    if k.source == DEFAULT or (k.name == "noise" and p.noise_assumed):
        return " (assumed)"
    if k.source == PUBLIC and k.name == "spread":  # theirs goes with the expected score
        return " (from public evals)"
    if k.source == PUBLIC and k.name == "correlation":
        kinds = {r.middle: r.answers for r in correlation_ranges()}
        if kinds.get(k.value):
            return f" (the median of public evals of {SCORES[kinds[k.value]]})"
    if k.source == PUBLIC and k.value == public_range(k.name).middle:
        return " (the median of public evals)"
    if k.source == PILOT and p.pilot is not None:
        return f" ({_pilot(p.pilot)})"
    return ""


def _pilot(pilot: PilotFacts) -> str:
    text = f"a pilot of {counted(pilot.n_questions, 'question')}"
    return f"{text} in {counted(pilot.n_clusters, 'cluster')}" if pilot.clustered else text
