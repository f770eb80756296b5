"""The sentences below a table: what the scores are, what bold marks, what is missing."""

from reportkit.decisions import Theme
from reportkit.results import EvalResult
from reportkit.tables.cells import units_in
from reportkit.text.numbers import DASH, bare, count, percent_of


def score_notes(r: EvalResult, theme: Theme) -> list[str]:
    """What the scores are, and what the theme leaves to say about them."""
    units = (
        ""
        if r.scale.percent
        else f", in its own units; scores run from {bare(r.scale.low)} to {bare(r.scale.high)}"
    )
    unsigned = r.scale.percent and not units_in(r, theme).unit
    half = f"±: half the width of the {percent_of(r.level)} interval." if theme == "pm" else ""
    better = ", of which lower is better" if r.lower else ""
    return [
        f"Metric: {r.metric}{units}{better}.",
        "Scores are percentages." if unsigned else "",
        half,
    ]


def best_note(r: EvalResult) -> str:
    """What bold stands for."""
    if not r.best:
        return ""
    over = ", Holm-adjusted over all pairs," if len(r.models) > 2 else ""
    return (
        f"Bold: the {r.top} mean, and every model that the paired test{over} does not find "
        f"{r.worse} "
        f"at the {percent_of(1.0 - r.level)} level."
    )


NAMED = 3  # models whose missing answers a note counts one by one


def left_notes(r: EvalResult) -> list[str]:
    """Which models' numbers are not of all answers or questions: a pasted table has no warnings
    beside it.
    """
    none = [m.model for m in r.means if not m.n_questions]
    limits = {run["model"]: run["limit"] for run in r.runs if run["limit"]}
    cut = [f"{model} ({limit})" for model, limit in limits.items()]
    gone = [f"{m.model} {count(n)} of {count(r.planned(m))}" for m in r.means
            if (n := r.planned(m) - m.n_answers) and m.n_questions]  # fmt: skip
    zeroed = [f"{m.model} {count(n)}" for m, n in zip(r.means, r.zeroed, strict=False) if n]

    def told(found: list[str]) -> str:
        more = f", and of {count(len(found) - NAMED)} more models" if len(found) > NAMED else ""
        return ", ".join(found[:NAMED]) + more

    return [
        f"No score of this metric: {told(none)}." if none else "",
        f"Cut down to part of the questions: {told(cut)}." if cut else "",
        f"Answers without a score, left out: {told(gone)}." if gone else "",
        f"Answers that failed or were not given, counted as 0: {told(zeroed)}." if zeroed else "",
    ]


def dash_note(undefined: bool) -> str:
    return (
        f"{DASH}: not estimable, from scores or clusters that do not vary, or too few questions "
        "or clusters."
        if undefined
        else ""
    )


def no_pair(r: EvalResult) -> str:
    return (
        "There is one model: nothing to compare."
        if len(r.models) == 1
        else "No two models have a question in common."
    )
