"""The tables of a plan that show other evals and models: gaps of current models, public evals."""

import math
from typing import Any

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.answered import Gap
from reportkit.analysis.planning.public import correlation_ranges, public_evals
from reportkit.analysis.planning.reasons import Reason
from reportkit.tables.draft import ColumnSpec
from reportkit.tables.planning.kinds import laid_out
from reportkit.tables.planning.noise import SCORES
from reportkit.tables.planning.words import Words, questions, words_of
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, count, counted, fixed, percent_of, share_of


def gaps(p: Planned) -> Table:
    """Whether the eval can show gaps as large as those of current models."""
    w = words_of(p)
    specs = [
        ColumnSpec("model", "Model", lambda g: g.model, align="l"),
        ColumnSpec("baseline", "The next", lambda g: g.baseline, align="l"),
        ColumnSpec("difference", f"Gap{w.unit}", lambda g: w.cell(g.difference),
                   lambda g: g.difference),
        ColumnSpec("shown", "Can be shown", _shown),
        ColumnSpec("needed", "Questions for it", lambda g: questions(g.needed),
                   lambda g: g.needed),
    ]  # fmt: skip
    notes = [
        f"{_found(p, w)} Can be shown: a true gap of this size would be found with "
        f"{percent_of(p.asked.power)} power. The gaps are of printed or pilot scores, which have "
        "errors of their own.",
    ]
    if any(not g.difference > 0.0 for g in p.gaps):
        notes.append(f"Questions for it, {DASH}: no number of questions shows a gap of 0.")
    return laid_out(p, "planning-gaps", "What gaps between models need.", specs, p.gaps, notes)


def _shown(g: Gap) -> str:
    if g.difference > 0.0 and math.isnan(g.needed):
        return DASH
    return "yes" if g.shown else "no"


def _found(p: Planned, w: Words) -> str:
    """The difference that the questions find, or why none is known."""
    f = p.found
    if math.isnan(f.detectable):
        return f"{DASH}: {_why_none(p).short}."
    text = f"{counted(f.questions, 'question')} find {w.difference(f.detectable)} at "
    text += f"{percent_of(p.asked.power)} power."
    return f"{text} {DASH}: not known." if DASH in map(_shown, p.gaps) else text


def _why_none(p: Planned) -> Reason:
    """Why it is not known what the questions find."""
    why = p.found.reason if p.found.questions == p.found.questions else p.need.reason
    return why or p.found.reason


def no_gaps(p: Planned) -> str:
    if any(_shown(g) != DASH for g in p.gaps):
        return ""
    if p.gaps:
        return f"Whether the eval can show these gaps is not known: {_why_none(p)}."
    return (
        'Give the scores of current models, such as published = "A:0.91; B:0.88": '
        "this table then says which of their gaps the eval can show."
    )


def public(p: Planned) -> Table:
    """What public evals show, with their sources."""

    def middle(values: tuple[float, ...], digits: int = 2) -> str:
        return fixed(values[1], digits) if values else DASH

    def of(name: str) -> Any:
        return lambda e: getattr(e, name)[1] if getattr(e, name) else math.nan

    specs = [
        ColumnSpec("name", "Eval", lambda e: e.name, align="l"),
        ColumnSpec("questions", "Questions", lambda e: count(e.questions), lambda e: e.questions),
        ColumnSpec("models", "Models", lambda e: count(e.models), lambda e: e.models),
        ColumnSpec("correlation", "Correlation", lambda e: middle(e.correlation),
                   of("correlation")),
        ColumnSpec("noise", "Noise", lambda e: share_of(of("noise")(e)), of("noise")),
        ColumnSpec("size", "Cluster size",
                   lambda e: fixed(e.cluster_size, 1) if e.icc else DASH,
                   lambda e: e.cluster_size),
        ColumnSpec("icc", "ICC", lambda e: middle(e.icc), of("icc")),
        ColumnSpec("gap", "Gap", lambda e: middle(e.gap, 3), of("gap")),
        # behind the numbers: where a page does not hold all columns, they stand there once
        ColumnSpec("scores", "Scores", lambda e: e.scores, align="l"),
        ColumnSpec("repository", "Repository", lambda e: e.repository, align="l"),
    ]  # fmt: skip
    notes = [
        "Medians: correlation, ICC of differences and gap of models next to each other by their "
        "mean (gap: of the ten best), with one answer for each question; noise, the share of a "
        "score's variance within questions, over models.",
        f"Correlations that plans take, quartiles of these medians: {_ranges()}. Noise and ICC are "
        "those of all evals that show them.",
        f"{DASH}: the published scores do not show it. Recomputed with reportkit from "
        "question-level results of these repositories.",
    ]
    return laid_out(p, "planning-public", "What public evals show.", specs, public_evals(), notes)


def _ranges() -> str:
    """Which correlations plans take, of which evals."""
    return "; ".join(
        f"{fixed(r.low, 2)}, {fixed(r.middle, 2)} and {fixed(r.high, 2)} of the {r.evals} evals of "
        f"{SCORES[r.answers]}"
        for r in correlation_ranges()
    )
