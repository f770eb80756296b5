"""Columns that several tables have."""

from typing import Any

from reportkit.results import EvalResult
from reportkit.tables.cells import (
    Style,
    estimate_fields,
    estimate_head,
    estimate_text,
    interval_fields,
)
from reportkit.tables.draft import ColumnSpec
from reportkit.text.numbers import Units, count


def estimate_column(key: str, what: str, r: EvalResult, style: Style, **more: Any) -> ColumnSpec:
    """An estimate as the theme shows it; more: further fields of the column, such as bold."""
    name = "difference" if key == "difference" else "mean"
    units = style.signed_units(r)
    return ColumnSpec(
        key,
        estimate_head(what, r, style),
        lambda x: estimate_text(x, units, style),
        lambda x: getattr(x, name),
        fields=estimate_fields(what, r, style),
        **more,
    )


def difference_column(units: Units) -> ColumnSpec:
    """A difference with its standard error, in every theme."""
    return ColumnSpec(
        "difference",
        "Difference (SE)",
        lambda x: units.with_error(x.difference, x.se, sign=True),
        lambda x: x.difference,
        fields={"Difference": lambda x: x.difference, "SE": lambda x: x.se},
    )


def interval_column(
    head: str, units: Units, *, sign: bool = False, shown: bool = True
) -> ColumnSpec:
    """An interval; sign: of a difference. Pages sort by its lower end."""
    return ColumnSpec(
        "ci",
        head,
        lambda x: units.interval(x.ci_low, x.ci_high, sign=sign),
        lambda x: x.ci_low,
        shown=shown,
        fields=interval_fields(head),
    )


def questions_column(shown: bool = True) -> ColumnSpec:
    """How many questions a record is of."""
    return ColumnSpec(
        "questions",
        "Questions",
        lambda x: count(x.n_questions),
        lambda x: x.n_questions,
        shown=shown,
    )


def clusters_column(shown: bool = True) -> ColumnSpec:
    """How many clusters these questions are in."""
    return ColumnSpec(
        "clusters", "Clusters", lambda x: count(x.n_clusters), lambda x: x.n_clusters, shown=shown
    )
