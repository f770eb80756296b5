"""Each table of a plan: its columns, its title and its notes."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import (
    DEFAULT,
    GIVEN,
    PILOT,
    PUBLIC,
    Known,
)
from reportkit.analysis.planning.layouts import NO_LIMIT, PROBABILITIES
from reportkit.analysis.planning.observed import MEAN_OF, SPREAD_OF
from reportkit.plans import DECIDED
from reportkit.tables.draft import ColumnSpec, filled
from reportkit.tables.notes import FICTIONAL, Note
from reportkit.tables.planning.against import keeps_its_error, one_model
from reportkit.tables.planning.answers import told
from reportkit.tables.planning.beside import by_formula, left_open
from reportkit.tables.planning.comparisons import others_of_one
from reportkit.tables.planning.designs import epochs_of, epochs_words, for_each, in_one, models_of
from reportkit.tables.planning.epochs import answers_words, bold_words, one_answer_words
from reportkit.tables.planning.noise import (
    limits_of_known,
    most_noise,
    noise_words,
    spread_words,
)
from reportkit.tables.planning.words import (
    cost_text,
    current_words,
    default_words,
    found_cell,
    icc_text,
    limits_words,
    needed_text,
    of_rows,
    power_range,
    questions,
    words_of,
)
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, bare, count, fixed, percent_of, plain_number, share_of


def always(p: Planned) -> str:
    """No sentence stands in the place of this table."""
    return ""


def laid_out(
    p: Planned,
    name: str,
    title: str,
    specs: Sequence[ColumnSpec],
    records: Sequence[Any],
    notes: Sequence[str],
) -> Table:
    shown = [spec for spec in specs if spec.shown]
    made = filled(
        name, title, [s.column for s in shown], [[s.cell(r) for s in shown] for r in records]
    )
    fictional = (FICTIONAL,) if p.fictional else ()
    told_notes = tuple(n if isinstance(n, Note) else Note(n) for n in notes if n)
    return replace(made, notes=(*fictional, *told_notes), data=tuple(map(asdict, records)))


def empty(p: Planned, kind: str, why: str) -> Table:
    """What stands for a table that this plan has nothing for."""
    return laid_out(p, kind, why, [], [], [])


def level_words(p: Planned) -> str:
    return (
        f"At a two-sided level of {percent_of(p.asked.alpha)} and {percent_of(p.asked.power)} "
        "power."
    )


def of_one(p: Planned) -> str:
    """A note of a table whose numbers are of one comparison, where several share the level."""
    return f"All numbers are{in_one(p)}." if in_one(p) else ""


# The answers --------------------------------------------------------------------------------------


def answers(p: Planned) -> Table:
    """Every answer, a row each."""
    specs = [
        ColumnSpec("question", "Question", lambda t: t.question, align="l"),
        ColumnSpec("answer", "Answer", lambda t: t.answer, align="l"),
    ]
    title = f"A plan for a difference of {words_of(p).points(p.asked.difference)}."
    notes = [
        level_words(p),
        default_words(p),
        others_of_one(p),
        *current_words(p),
        *noise_words(p),
        *spread_words(p),
        *p.notes,
    ]
    return laid_out(p, "planning", title, specs, told(p), notes)


OF_ONE_ANSWER = ("correlation", "icc", "icc_scores")

NAMES = {
    "mean": "Expected score",
    "correlation": "Correlation of the models' scores",
    "noise": "Share of one answer's variance that is answer noise",
    "spread": "Standard deviation of scores",
    "other_se": "Standard error of the published mean",
    "scale": "Ends of the scale",
    "omega2": "Variance of the true difference (ω²)",
    "sigma2": "Variance of an answer within a question (σ²), {first}",
    "sigma2_b": "Variance of an answer within a question (σ²), {second}",
    "icc": "ICC of the differences in a cluster",
    "icc_scores": "ICC of one model's scores in a cluster",
    "epochs": "Answers to each question, {first}",
    "epochs_b": "Answers to each question, {second}",
    "cluster_size": "Questions in a cluster",
    "level": "Level of the intervals",
    "power": "Power",
    "cost_question": "Cost of a question",
    "cost_cluster": "Cost of a cluster",
    "cost_answer": "Cost of an answer{of_first}",
    "cost_answer_b": "Cost of an answer of {second}",
    "cost_models": "Models that answer each question",
}
SOURCES = {
    GIVEN: "given",
    PILOT: "the pilot",
    PUBLIC: "public evals",
    DEFAULT: "assumed",
}  # others are told as they are


def known(p: Planned) -> Table:
    """What the plan rests on, and where each number is from."""
    w = words_of(p)

    def span(k: Known) -> str:
        if not k.low < k.high:  # not known, or all of it cut to the value
            return ""
        return f"{_value(p, replace(k, value=k.low))} to {_value(p, replace(k, value=k.high))}"

    ranged = any(k.low == k.low for k in p.known)
    specs = [
        ColumnSpec("name", "What", lambda k: _name(p, k), align="l"),
        # of many units: there is no point to align
        ColumnSpec("value", "Value", lambda k: _value(p, k), lambda k: k.value, align="l"),
        ColumnSpec("source", "From", lambda k: SOURCES.get(k.source, k.source), align="l"),
        ColumnSpec("range", "Range", span, align="l", shown=ranged),
    ]
    title = f"What the plan for {w.points(p.asked.difference)} rests on."
    return laid_out(p, "planning-known", title, specs, p.known, [*p.notes, *limits_of_known(p)])


def _value(p: Planned, k: Known) -> str:
    if k.text:
        return k.text
    if k.name.split()[0] == "mean" and p.percent:
        return f"{fixed(100.0 * k.value, 1)}%"
    if k.name == "noise":
        return share_of(k.value)
    if k.name in DECIDED:
        return percent_of(k.value)
    if k.name in ("epochs", "epochs_b", "cluster_size"):
        return count(round(k.value, 4))
    if k.name == "correlation":
        return fixed(k.value, 2)
    if k.name in ("icc", "icc_scores"):
        return icc_text(k)
    if k.name.startswith("cost"):
        return f"{k.value:,.10g}"
    return bare(k.value) if k.source == GIVEN else plain_number(k.value)


def _name(p: Planned, k: Known) -> str:
    if k.name in NAMES:
        several = k.source == PILOT and p.pilot is not None and not p.pilot.single
        one = ", one answer each" * (several and k.name in OF_ONE_ANSWER)
        first, second = models_of(p)
        both = any(other.name == f"{k.name}_b" for other in p.known)
        return (
            NAMES[k.name].format(first=first, second=second, of_first=f" of {first}" * both) + one
        )
    if k.name.startswith(SPREAD_OF):
        return f"Standard deviation of scores of {k.name.removeprefix(SPREAD_OF)}"
    return f"Score of {k.name.removeprefix(MEAN_OF)}"


# By difference and by size ------------------------------------------------------------------------


def differences(p: Planned) -> Table:
    """Questions needed by difference."""
    w = words_of(p)
    many = p.asked.comparisons > 1
    priced = any(n.cost == n.cost for n in p.needs)
    specs = [
        ColumnSpec("difference", f"Difference{w.unit}", lambda n: w.given_cell(n.difference),
                   lambda n: n.difference, bold=lambda n: n.difference == p.asked.difference),
        ColumnSpec("questions", "Questions", needed_text, lambda n: n.questions),
        ColumnSpec("clusters", "Clusters", lambda n: questions(n.clusters),
                   lambda n: n.clusters, shown=p.clustered),
        ColumnSpec("adjusted", f"For each of {count(p.asked.comparisons)}",
                   lambda n: needed_text(n.for_each), lambda n: n.adjusted, shown=many),
        ColumnSpec("equation", "By formula", lambda n: count(n.equation), lambda n: n.equation),
        ColumnSpec("cost", "Cost", lambda n: cost_text(n.cost), lambda n: n.cost, shown=priced),
    ]  # fmt: skip
    notes = [level_words(p), f"By formula: {_formula(p)}"]
    if p.need.low == p.need.low:
        notes.append("In brackets: " + left_open(p))
    notes += filter(None, [limits_words(p, p.needs)])
    for why in dict.fromkeys(n.reason.short for n in p.needs if n.reason):
        of = [w.given(n.difference) for n in p.needs if n.reason.short == why]
        notes.append(f"{', '.join(of)}: {why}.")
    each = [n for n in p.needs if n.adjusted_reason and not n.reason]  # else it is said
    for why in dict.fromkeys(n.adjusted_reason.short for n in each):
        of = [w.given(n.difference) for n in each if n.adjusted_reason.short == why]
        notes.append(f"{', '.join(of)}, {for_each(p)}: {why}.")
    return laid_out(p, "planning-differences", "Questions needed by the difference to be found.",
                  specs, p.needs, notes)  # fmt: skip


def no_needs(p: Planned) -> str:
    """Of a plan in which no difference has a number."""
    if any(n.questions == n.questions for n in p.needs):
        return ""
    if all(n.reason.never for n in p.needs):
        why = "; ".join(dict.fromkeys(n.reason.short for n in p.needs))
        return f"No number of questions finds any of the differences that are looked at: {why}."
    w = words_of(p)
    told: dict[str, list[str]] = {n.reason: [] for n in p.needs}
    for n in p.needs:
        told[n.reason].append(w.given(n.difference))
    if len(told) == 1:
        return f"The questions that differences need are not known: {p.need.reason}."
    each = " ".join(f"{', '.join(of)}{of_rows(why)}." for why, of in told.items())
    return f"The questions that differences need are not known. {each}"


def _formula(p: Planned) -> str:
    if p.test == "mcnemar":
        return (
            "Connor 1987, with the share of questions that tell the models apart as it is where "
            "they do not differ."
        )
    alone = "" if one_model(p) else f" and the variance of {by_formula(p)}"
    return f"equation 9 of Miller 2024, with z{alone}{keeps_its_error(p)}."


def sizes(p: Planned) -> Table:
    """What numbers of questions find."""
    w = words_of(p)
    many = p.asked.comparisons > 1
    n = p.found.questions
    priced, alone = any(f.cost == f.cost for f in p.founds), one_model(p)
    formula = "By formula" if alone else "By equation 10"
    specs = [
        ColumnSpec("questions", "Questions", lambda f: count(f.questions),
                   lambda f: f.questions, bold=lambda f: f.questions == n),
        ColumnSpec("clusters", "Clusters", lambda f: count(f.clusters), lambda f: f.clusters,
                   shown=p.clustered),
        ColumnSpec("detectable", f"Detectable difference{w.unit}",
                   lambda f: found_cell(w, f), lambda f: f.detectable),
        ColumnSpec("adjusted", f"For each of {count(p.asked.comparisons)}",
                   lambda f: w.cell(f.adjusted), lambda f: f.adjusted, shown=many),
        ColumnSpec("equation", formula, lambda f: w.cell(f.equation), lambda f: f.equation),
        ColumnSpec("power", f"Power for {w.given(p.asked.difference)}",
                   lambda f: power_range(p, f), lambda f: f.power),
        ColumnSpec("cost", "Cost", lambda f: cost_text(f.cost), lambda f: f.cost, shown=priced),
    ]  # fmt: skip
    notes = [level_words(p)]
    if alone:
        notes.append(f"By formula: equation 10 of Miller 2024{keeps_its_error(p)}.")
    if any(f.low == f.low for f in p.founds):
        notes.append(f"In brackets: {left_open(p)}")
    why = dict.fromkeys(r.short for f in p.founds for r in (f.reason, f.adjusted_reason) if r)
    notes += [f"{DASH}: {'; '.join(why)}."] if why else []
    return laid_out(p, "planning-sizes", "What numbers of questions find.", specs, p.founds, notes)


def no_sizes(p: Planned) -> str:
    """Of a plan in which no number of questions is known to find something."""
    if any(f.detectable == f.detectable or f.power == f.power for f in p.founds):
        return ""
    why = "; ".join(dict.fromkeys(f.reason for f in p.founds if f.reason))
    return f"What numbers of questions find is not known: {why}."


# Answers, clusters, costs -------------------------------------------------------------------------


def epochs(p: Planned) -> Table:
    """What more answers to each question do."""
    w = words_of(p)
    n = count(p.found.questions)
    priced = any(a.cost == a.cost for a in p.answers)
    specs = [
        ColumnSpec("answers", "Answers", lambda a: a.name or epochs_of(p, a),
                   align="l"),
        ColumnSpec("variance", "Variance", lambda a: plain_number(a.variance),
                   lambda a: a.variance),
        ColumnSpec("detectable", f"Found by {n}{w.unit}", lambda a: w.cell(a.detectable),
                   lambda a: a.detectable),
        ColumnSpec("questions", f"Questions for {w.given(p.asked.difference)}",
                   needed_text, lambda a: a.questions),
        ColumnSpec("clusters", "Clusters", lambda a: count(a.clusters), lambda a: a.clusters,
                   shown=p.clustered),
        ColumnSpec("cost", "Cost", lambda a: cost_text(a.cost), lambda a: a.cost, shown=priced,
                   bold=lambda a: a.best),
    ]  # fmt: skip
    notes = [answers_words(p)]
    rows = [a for a in p.answers if a.detectable == a.detectable or a.questions == a.questions]
    if any(a.name for a in rows):  # else it is not known what they would leave
        notes.append(f"{NO_LIMIT.capitalize()}: what no number of answers can pass.")
    if any(a.name == PROBABILITIES for a in rows):
        notes.append(f"{PROBABILITIES.capitalize()}: as good, from one pass.")
    if any(a.best for a in rows):
        notes.append(bold_words(rows))
    notes.append(epochs_words(p, tuple(rows)))
    notes.append(of_one(p))
    notes.append(one_answer_words(p, rows))
    if p.noise_assumed:
        notes.append(
            "How much of a score is answer noise is assumed. In brackets, of several answers: with "
            f"{most_noise(p)}, and with none."
        )
    # without a pilot the rows that have names may have nothing left to vary
    told = [a.reason for a in p.answers if a.reason and not (a.name and not p.pilot)]
    why = dict.fromkeys(reason.short for reason in told)
    notes += [f"More answers: {'; '.join(why)}."] if why else []
    return laid_out(p, "planning-epochs", "What more answers to each question buy.", specs, rows,
                  notes)  # fmt: skip
