"""A plan in sentences: what it comes to, and a sentence for a methods section, to paste."""

import math

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import GIVEN, PILOT, PUBLIC
from reportkit.tables.planning.words import (
    cost_text,
    in_clusters,
    needed_text,
    power_text,
    rounded,
    sized_text,
    words_of,
)
from reportkit.text.numbers import bare, count, counted, fixed, percent_of, share_of

TESTS = {
    "mcnemar": "McNemar's test",
    "t": "a paired t test",
    "welch": "an unpaired t test (Welch)",
}


def findings(p: Planned) -> str:
    """The plan in a few sentences."""
    w, n, f = words_of(p), p.need, p.found
    goal = f"a true difference of {w.points(p.asked.difference)}"
    if math.isnan(n.questions):
        text = f"No number of questions is known to find {goal}: {n.reason}."
    else:
        text = f"It takes {needed_text(n)} questions"
        if n.clusters == n.clusters:
            text += f", in {counted(n.clusters, 'cluster')} of {count(p.shape.cluster_size)},"
        text += f" to find {goal} with {percent_of(p.asked.power)} power at a two-sided level of "
        text += percent_of(p.asked.alpha)
        text += f"; that costs {cost_text(n.cost)}." if n.cost == n.cost else "."
    parts = [text]
    if p.asked.questions == p.asked.questions and f.detectable == f.detectable:
        has = "has" if f.power != f.power else f"finds that difference with {power_text(f.power)} "
        parts.append(
            f"An eval of {counted(f.questions, 'question')} {has}power; the smallest difference "
            f"that it finds with {percent_of(p.asked.power)} power is "
            f"{w.found_points(f.detectable)}."
        )
    best = next((a for a in p.answers if a.best), None)
    if best is not None and (best.epochs_a, best.epochs_b) != (p.shape.epochs_a, p.shape.epochs_b):
        both = counted(best.epochs_a, "answer")
        if best.epochs_a != best.epochs_b:
            both = f"{count(best.epochs_a)} and {count(best.epochs_b)} answers"
        size = sized_text(best, p.shape.cluster_size)
        parts.append(f"Cheapest are {both} to each of {size}: that costs {cost_text(best.cost)}.")
    if p.gaps:
        shown = sum(g.shown for g in p.gaps)
        some = "none" if not shown else count(shown)
        parts.append(
            f"Of {counted(len(p.gaps), 'gap')} between current models next to each other, {some} "
            "can be shown by so many questions."
        )
    if p.pilot is not None and p.pilot.fictional:
        parts.append("The pilot's models are fictional and their scores generated.")
    return " ".join(parts)


def methods_sentence(p: Planned) -> str:
    """One sentence for a methods section: size, difference, power, test, and what it rests on."""
    w, n = words_of(p), p.need
    if math.isnan(n.questions):
        return f"No plan: {n.reason}."
    level = p.asked.adjusted_level if p.asked.comparisons > 1 else p.asked.level
    number = n.adjusted if p.asked.comparisons > 1 else n.questions
    clusters = n.adjusted_clusters if p.asked.comparisons > 1 else n.clusters
    if n.low == n.low and p.asked.comparisons == 1:
        number = rounded(number)
    size = in_clusters(number, clusters, p.shape.cluster_size)
    among = ""
    if p.asked.comparisons > 1:
        among = f" (Bonferroni over {count(p.asked.comparisons)} comparisons)"
    if not p.asked.paired:
        size += " for each model"
    answers = f"{counted(p.shape.epochs_a, 'answer')} to each"
    if p.shape.epochs_a != p.shape.epochs_b:
        answers = f"{count(p.shape.epochs_a)} and {count(p.shape.epochs_b)} answers to each"
    return (
        f"We planned {size}, {answers}, so that {TESTS[p.test]} at a two-sided level of "
        f"{percent_of(round(1.0 - level, 6))}{among} finds a true difference of "
        f"{w.points(p.asked.difference)} with {percent_of(p.asked.power)} power{_rests(p)} "
        "(Miller 2024, eq. 9, with the degrees of freedom of the test and the variance at the "
        "difference; reportkit)."
    )


def _rests(p: Planned) -> str:
    """What the plan rests on, as a clause."""
    if p.pilot is not None and p.pilot.df == p.pilot.df and math.isfinite(p.pilot.df):
        pilot = f", from a pilot of {counted(p.pilot.n_questions, 'question')}"
        if p.need.low == p.need.low and not p.asked.comparisons > 1:
            pilot += f" whose uncertainty leaves {needed_text(p.need)}"
        return pilot
    values = {k.name: k for k in p.known}
    parts = []
    if (k := values.get("mean")) is not None:
        shown = f"{fixed(100.0 * k.value, 0)}%" if p.percent else bare(k.value)
        parts.append(f"an expected score of {shown}")
    if (k := values.get("correlation")) is not None:
        told = " (the median of public evals)" if k.source == PUBLIC else ""
        parts.append(f"a correlation of {fixed(k.value, 2)}{told}")
    if (k := values.get("noise")) is not None and p.shape.epochs_a * p.shape.epochs_b > 1.0:
        parts.append(f"{share_of(k.value)} answer noise")
    if (k := values.get("omega2")) is not None:
        parts.append(f"omega^2 = {k.value:.4g}")
        if (s := values.get("sigma2")) is not None and s.value:
            parts.append(f"sigma^2 = {s.value:.4g}")
    if (k := values.get("icc")) is not None:
        parts.append(f"an intraclass correlation of {k.value:.2g}")
    if not parts:
        return ""
    source = {k.source for k in p.known}
    taken = ", from a pilot:" if PILOT in source and GIVEN not in source else ", for"
    return f"{taken} {' and '.join([', '.join(parts[:-1])] * bool(parts[:-1]) + parts[-1:])}"
