"""The tables of a plan by its layout: clusters of other sizes, and the cheapest designs."""

import math
from collections.abc import Sequence

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Layout
from reportkit.analysis.planning.reasons import Reason
from reportkit.analysis.planning.undeclared import could_be_clusters
from reportkit.tables.draft import ColumnSpec
from reportkit.tables.planning.designs import epochs_of, epochs_words
from reportkit.tables.planning.epochs import designs_words
from reportkit.tables.planning.kinds import laid_out, level_words, of_one
from reportkit.tables.planning.noise import assumed_notes
from reportkit.tables.planning.words import (
    NOT_KNOWN,
    cost_text,
    of_rows,
    questions,
    unanswered,
    words_of,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count, counted, share_of


def _by_reason(
    told: Sequence[tuple[str, Reason]], before: str = "", short: bool = True
) -> list[str]:
    """A note for each reason as it is printed, with the rows that have no number by it.

    >>> few, fewer = Reason("few: 3", "they are too few"), Reason("few: 2", "they are too few")
    >>> _by_reason([("1 point", few), ("2 points", fewer), ("3 points", Reason(""))])
    ['1 point, 2 points: not known, as they are too few.']
    >>> _by_reason([("1 point", Reason("too many are needed", kind="never"))])
    ['1 point cannot be reached: too many are needed.']
    """
    rows: dict[str, list[str]] = {}
    for row, reason in told:
        if reason:
            why = f"{NOT_KNOWN}, as {reason.short if short else reason}"
            if reason.never:
                why = unanswered(reason, short=short)
            rows.setdefault(why, []).append(row)
    return [f"{before}{', '.join(each)}{of_rows(why)}." for why, each in rows.items()]


def clusters(p: Planned) -> Table:
    """Questions by the size of clusters."""
    priced = [x for x in p.layouts if x.cost == x.cost]
    least = min(priced, key=lambda x: (x.cost, x.cluster_size), default=None)
    specs = [
        ColumnSpec("size", "Questions in a cluster",
                   lambda x: count(x.cluster_size), lambda x: x.cluster_size,
                   bold=lambda x: x.asked),
        ColumnSpec("clusters", "Clusters", lambda x: questions(x.clusters, x.reason),
                   lambda x: x.clusters),
        ColumnSpec("questions", "Questions", lambda x: questions(x.questions, x.reason),
                   lambda x: x.questions),
        ColumnSpec("cost", "Cost", lambda x: cost_text(x.cost), lambda x: x.cost,
                   shown=bool(priced), bold=lambda x: x == least),
    ]  # fmt: skip
    notes = [level_words(p), f"Fewer than {count(p.limits.clusters)} clusters are not planned."]
    notes.append(f"Bold: the planned size{'' if least is None else _least_words(p, least)}.")
    notes += [of_one(p), _known_by_clusters(p)]
    notes += _by_reason([(count(x.cluster_size), x.reason) for x in p.layouts], "Clusters of ")
    title = f"Clusters for a difference of {words_of(p).points(p.asked.difference)}."
    return laid_out(p, "planning-clusters", title, specs, p.layouts, notes)


def _known_by_clusters(p: Planned) -> str:
    """Why single questions may take fewer than clusters that are not alike; empty where no pilot in
    clusters leaves that open.
    """
    if p.pilot is None or not (p.pilot.ranges and p.pilot.clustered):
        return ""
    questions, clusters = counted(p.pilot.n_questions, "question"), p.pilot.n_clusters
    return (
        f"The pilot's {questions} show how single questions vary, and its {count(clusters)} "
        "clusters, less well, how clusters do. Each number allows for that."
    )


def _least_words(p: Planned, least: Layout) -> str:
    """Of which sizes the other bold one costs least, and what it saves."""
    text = " and the least cost"
    if math.isinf(p.best_size):
        text += " of these sizes"
    asked = next(x for x in p.layouts if x.asked)
    if not least.cost < asked.cost:
        return text
    return f"{text}, {share_of(1.0 - least.cost / asked.cost)} less than that of the planned size"


def no_clusters(p: Planned) -> str:
    if any(questions(x.questions, x.reason) != DASH for x in p.layouts):
        return ""
    if p.layouts:
        return " ".join(_by_reason([(count(x.cluster_size), x.reason) for x in p.layouts],
                                   "Clusters of ", short=False))  # fmt: skip
    hint = could_be_clusters(p.pilot.candidates) if p.pilot is not None else ""
    return " ".join(filter(None, ["The plan has no clusters: cluster_size is 1.", hint]))


def costs(p: Planned) -> Table:
    """The cheapest design for each difference."""
    w = words_of(p)
    specs = [
        ColumnSpec("difference", f"Difference{w.unit}", lambda c: w.cell(c.difference),
                   lambda c: c.difference, bold=lambda c: c.difference == p.asked.difference),
        ColumnSpec("epochs", "Answers", lambda c: epochs_of(p, c),
                   lambda c: c.epochs_a),
        ColumnSpec("questions", "Questions", lambda c: questions(c.questions, c.reason),
                   lambda c: c.questions),
        ColumnSpec("clusters", "Clusters", lambda c: count(c.clusters), lambda c: c.clusters,
                   shown=p.clustered),
        ColumnSpec("cost", "Cost", lambda c: cost_text(c.cost), lambda c: c.cost),
    ]  # fmt: skip
    notes = [level_words(p)]
    if no_noise(p):
        notes.append(
            "Planned were as many answers as the pilot has: what more would leave is not known."
        )
    else:
        notes.append(designs_words(p))
    if p.asked.questions == p.asked.questions:
        notes.append(f"No design has more than {count(p.asked.questions)} questions.")
    notes += [of_one(p), epochs_words(p, p.cheapest), *assumed_notes(p)]
    notes += _by_reason([(w.difference(c.difference), c.reason) for c in p.cheapest])
    return laid_out(p, "planning-costs", "The cheapest design for each difference.", specs,
                  p.cheapest, notes)  # fmt: skip


def no_costs(p: Planned) -> str:
    if any(questions(c.questions, c.reason) != DASH for c in p.cheapest):
        return ""
    if p.cheapest:
        w = words_of(p)
        told = [(w.difference(c.difference), c.reason) for c in p.cheapest]
        return " ".join(_by_reason(told, short=False))
    return "No costs were given: with cost_question and cost_answer the cheapest design is found."


def no_noise(p: Planned) -> str:
    if not math.isnan(p.variances.sigma2_a + p.variances.sigma2_b):
        return ""
    return (
        "What more answers to each question would buy is not known: a model has one answer for "
        "each question of the pilot, which cannot tell answer noise from what questions differ by."
    )


def no_epochs(p: Planned) -> str:
    """Of a plan in which no number of answers has a number of questions."""
    if why := no_noise(p):
        return why
    if any(a.detectable == a.detectable or a.questions == a.questions for a in p.answers):
        return ""
    why = "; ".join(dict.fromkeys(a.reason.short for a in p.answers if a.reason))
    return f"What more answers to each question would buy is not known: {why}." if why else ""
