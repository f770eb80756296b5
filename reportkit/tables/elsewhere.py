"""Scores that others published, beside ours: text with the decimals that they have, and the
sentence that says what they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from reportkit.results import EvalResult
from reportkit.suites import PublishedScore
from reportkit.tables.cells import Style
from reportkit.tables.notes import Note
from reportkit.text.numbers import DASH

PUBLISHED = "Published"  # above the scores of others


def published_text(p: PublishedScore | None, r: EvalResult, style: Style) -> str:
    """A published score with the decimals that it has, and no more than ours."""
    if p is None:
        return DASH
    units = style.signed_units(r)
    given = -int(Decimal(repr(p.score)).normalize().as_tuple().exponent)
    own = max(0, given - 2 * r.scale.percent)
    return replace(units, digits=min(units.digits, own)).number(p.score)


def published_rows(r: EvalResult, style: Style) -> list[Mapping[str, tuple[str, float | None]]]:
    """The published scores as rows of the table of means. Each says itself that it is published, as
    rows of a table may be put in another order.
    """
    return [
        {
            "model": (f"{p.model} ({PUBLISHED.lower()})", None),
            "mean": (published_text(p, r, style), p.score),
        }
        for p in r.published
    ]


def published_data(r: EvalResult) -> list[dict[str, Any]]:
    """The same as records of a CSV file."""
    return [
        {"model": p.model, "mean": p.score, "published": p.source or "yes"} for p in r.published
    ]


def published_note(published: Sequence[PublishedScore], several: bool = True) -> Note:
    """What published scores are, and where they stand. several: they may be of several evals."""
    if not published:
        return Note("", "published")
    sources: dict[tuple[str, str], list[str]] = {}
    for p in published:
        if p.source:
            sources.setdefault((p.model, p.source), []).append(p.eval)
    models = [model for model, _ in sources]
    told = "; ".join(
        f"{model}{_on(evals, several and models.count(model) > 1)}: {source}"
        for (model, source), evals in sources.items()
    )
    text = f"{PUBLISHED}: scores that others give, without rows; no test is run on them."
    return Note(f"{text} Sources: {told}." if told else text, "published")


def _on(evals: Iterable[str], named: bool) -> str:
    return f" on {', '.join(evals)}" if named else ""
