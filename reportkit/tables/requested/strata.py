"""The table of means over strata, and of weighted means."""

import math

from reportkit.requested import StratumResult
from reportkit.results import EvalResult
from reportkit.tables.cells import (
    Style,
    estimate_words,
)
from reportkit.tables.columns import (
    clusters_column,
    estimate_column,
    interval_column,
    questions_column,
)
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.notes import Note, missing_notes, score_notes, undefined_note
from reportkit.text.numbers import fixed, percent_of

ALL = "All"


def strata(r: EvalResult, style: Style) -> Draft:
    """Mean (SE) and interval over all strata, then of each stratum, for each model."""
    rows: tuple[StratumResult, ...] = r.requested["strata"]  # type: ignore[assignment]
    parted = any(x.stratum for x in rows)
    units, interval = style.signed_units(r), f"{percent_of(r.level)} CI"
    specs = [
        ColumnSpec("stratum", "Stratum", lambda x: x.stratum or ALL, align="l", shown=parted),
        ColumnSpec("model", "Model", lambda x: x.model, align="l"),
        estimate_column("mean", "Mean", r, style),
        interval_column(interval, units, shown=style.theme != "ci"),
        ColumnSpec(
            "weight",
            "Weight",
            lambda x: f"{fixed(100.0 * x.weight, 1)}%",
            lambda x: x.weight,
            shown=parted,
        ),
        questions_column(),
        clusters_column(shown=r.clustered),
    ]
    notes = [
        *(_strata_notes(r) if parted else _weight_notes(r)),
        *score_notes(r, style),
        *missing_notes(r),
        undefined_note(any(math.isnan(x.se) or math.isnan(x.ci_low) for x in rows)),
    ]
    what = estimate_words("mean score" if parted else "weighted mean score", r, style)
    title = f"{what} of each model over strata." if parted else f"{what} of each model."
    return Draft("strata", title, r, specs, rows, notes, rows)


def _strata_notes(r: EvalResult) -> list[Note]:
    field, weights = r.options.get("strata", ""), r.options.get("weights", "")
    by = f"the sum of {weights} over its questions" if weights else "its share of the questions"
    return [
        Note(
            f"Strata: {field}. They are taken as all there are, so what differs between them is no "
            "noise (Cochran 1977)."
        ),
        Note(f"Weight of a stratum: {by}, the same for every model.", about="weight"),
        Note(
            f"{ALL}: the sum over strata of weight × mean; its SE is the root of the sum of "
            "(weight × SE)²."
        ),
    ]


def _weight_notes(r: EvalResult) -> list[Note]:
    field = r.options.get("weights", "")
    return [
        Note(
            f"Weighted by {field}: the sum of weight × score over the sum of the weights of the "
            "questions that the model answered; the weights are taken as fixed."
        )
    ]
