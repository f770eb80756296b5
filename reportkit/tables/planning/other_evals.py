"""The tables of a plan that show other evals and models: gaps of current models, public evals."""

import math
from typing import Any

from reportkit.analysis.planning import Planned
from reportkit.analysis.planning.public import public_evals
from reportkit.tables.draft import ColumnSpec
from reportkit.tables.planning.kinds import laid_out
from reportkit.tables.planning.words import questions, words_of
from reportkit.tables.table import Table
from reportkit.text.numbers import DASH, bare, count, fixed, percent_of, share_of


def gaps(p: Planned) -> Table:
    """Whether the eval can show gaps as large as those of current models."""
    w = words_of(p)
    specs = [
        ColumnSpec("model", "Model", lambda g: g.model, align="l"),
        ColumnSpec("baseline", "The next", lambda g: g.baseline, align="l"),
        ColumnSpec("difference", f"Gap{w.unit}", lambda g: w.cell(g.difference),
                   lambda g: g.difference),
        ColumnSpec("shown", "Can be shown", lambda g: "yes" if g.shown else "no"),
        ColumnSpec("needed", "Questions for it", lambda g: questions(g.needed),
                   lambda g: g.needed),
    ]  # fmt: skip
    n = count(p.found.questions)
    notes = [
        f"{n} questions find {w.difference(p.found.detectable)} at {percent_of(p.asked.power)} "
        "power. Can be shown: a true gap of this size would be found with that power. The gaps "
        "are of printed or pilot scores, and err themselves.",
    ]
    return laid_out(p, "planning-gaps", "Is this eval worth running?", specs, p.gaps, notes)


def no_gaps(p: Planned) -> str:
    if p.gaps:
        return ""
    return (
        'Give the scores of current models with published, such as --published "A:0.91; B:0.88": '
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
                   lambda e: bare(round(e.cluster_size, 1)) if e.icc else DASH,
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
        f"{DASH}: the published scores do not show it. Recomputed with reportkit from "
        "question-level results of these repositories.",
    ]
    return laid_out(p, "planning-public", "What public evals show.", specs, public_evals(), notes)
