"""The table of posteriors: of each model's share of right answers, and of differences."""

import math

from reportkit.requested import PosteriorResult
from reportkit.results import EvalResult
from reportkit.tables.cells import Style, interval_fields, model_or_pair
from reportkit.tables.columns import clusters_column, questions_column
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import POINTS, Note, score_notes
from reportkit.text.numbers import DASH, bare, fixed, format_p_value, percent_of


def posterior(r: EvalResult, style: Style) -> Draft:
    """Mean and credible interval of each posterior, and P(A > B) of each comparison."""
    rows = _records(r)
    units = style.signed_units(r)
    interval = f"{percent_of(r.level)} credible"
    specs = [
        ColumnSpec("name", "Posterior of", model_or_pair, align="l"),
        ColumnSpec(
            "mean",
            "Mean",
            lambda p: units.number(p.mean, sign=bool(p.baseline)),
            lambda p: p.mean,
        ),
        ColumnSpec(
            "ci",
            interval,
            lambda p: units.interval(p.ci_low, p.ci_high, sign=bool(p.baseline)),
            lambda p: p.ci_low,
            fields=interval_fields(interval),
        ),
        ColumnSpec(
            "p_greater",
            "P(A > B)",
            _chance,
            lambda p: p.p_greater,
            shown=any(p.baseline for p in rows),
        ),
        ColumnSpec(
            "icc",
            "ICC",
            lambda p: "" if p.baseline else fixed(p.icc, 2),
            lambda p: p.icc,
            shown=any(not math.isnan(p.icc) for p in rows),
        ),
        questions_column(),
        clusters_column(shown=r.clustered),
        ColumnSpec("method", "Method", lambda p: _method(p, r), align="l"),
    ]
    notes = [*_notes(r), *score_notes(r, style)]
    if r.scale.percent and any(p.baseline for p in rows):
        notes.append(Note(POINTS, "units"))
    of = f"answers that score {bare(r.scale.ends[1])}" if r.lower else "right answers"
    title = f"posteriors of the shares of {of} and of their differences."
    return Draft("posterior", title, r, specs, rows, notes, rows)


def _records(r: EvalResult) -> tuple[PosteriorResult, ...]:
    return r.requested["posterior"]  # type: ignore[return-value]


def _chance(p: PosteriorResult) -> str:
    """P(A > B) of a comparison; of one model there is none."""
    return format_p_value(p.p_greater) if p.baseline else ""


# What the cell of each method says, and the sentence below a table that has it.
_METHODS = {
    "beta-binomial": ("uniform prior", "of one share (Beta-Binomial)."),
    "jeffreys": ("Jeffreys' prior", "of one share, Beta(0.5, 0.5)."),
    "clustered-posterior": (
        "shares of {unit}s",
        "each {unit} has a share of its own; the mean is over {unit}s, which all weigh the same, "
        "so it may differ from the mean score.",
    ),
    "bivariate-normal": (
        "paired",
        "of two models on their common questions, by a bivariate normal model.",
    ),
    "beta-difference": (
        "independent",
        "of two models without a common question, taken as independent.",
    ),
}


def _method(p: PosteriorResult, r: EvalResult) -> str:
    words, _ = _METHODS.get(p.method, (DASH, ""))
    return words.format(unit=_unit(r))


def _notes(r: EvalResult) -> list[Note]:
    rows = _records(r)
    methods = list(dict.fromkeys(p.method for p in rows))
    notes = [
        Note(
            "Given the scores and the prior, the true share lies in the credible interval with "
            f"{percent_of(r.level)} probability (Bowyer, Aitchison & Ivanova 2025)."
        )
    ]
    if any(p.baseline for p in rows):
        text = "P(A > B): probability that the true share of the first model is higher."
        notes.append(Note(text, about="p_greater"))
    if any(not math.isnan(p.icc) for p in rows):
        unit = _unit(r)
        notes.append(Note(f"ICC: correlation of two answers of a {unit}.", about="icc"))
    for words, meaning in (_METHODS[m] for m in methods if m in _METHODS):
        text = f"{words[0].upper()}{words[1:]}: {meaning}".format(unit=_unit(r))
        notes.append(Note(text, about="method"))
    if "jeffreys" in methods and len(methods) > 1:
        notes.append(Note("All other methods have uniform priors.", about="method"))
    reasons = sorted({p.reason for p in rows if p.reason})
    if reasons:
        text = f"{DASH}: no posterior is offered, since {'; '.join(reasons)}."
        notes.append(Note(text, "undefined"))
    return notes


def _unit(r: EvalResult) -> str:
    """What answers that depend on each other belong to."""
    return "cluster" if r.clustered else "question"
