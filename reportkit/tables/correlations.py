"""Correlations of question scores between models: a matrix, or a list of pairs."""

import math
from dataclasses import dataclass
from typing import Any

from reportkit.results import EvalResult
from reportkit.tables.captions import compared_of, metric_of, sentence
from reportkit.tables.cells import LONG_HEAD, Style
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.grid import MODEL_KEY
from reportkit.tables.notes import REPEATS, Note, no_pair
from reportkit.text.numbers import DASH, fixed


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of the matrix of correlations."""

    model: str
    name: str  # with a number where the heads have numbers
    correlations: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Pair:
    """One cell of the matrix of correlations."""

    model: str
    other: str
    correlation: float


def correlations(r: EvalResult, style: Style) -> Draft:
    """Pearson correlations of question scores, on the common questions of each pair."""
    # Long names would make the heads taller than the table: then columns are numbered.
    if max(map(len, r.models)) > LONG_HEAD:
        heads = [str(i) for i in range(1, len(r.models) + 1)]
        names = [f"{i}. {model}" for i, model in enumerate(r.models, 1)]
    else:
        heads = names = list(r.models)
    specs = [
        ColumnSpec(
            "model",
            "Model",
            lambda line: line.name,
            align="l",
            fields={"Model": lambda line: line.model},
        ),
        *(
            _matrix_spec(j, model, head)
            for j, (model, head) in enumerate(zip(r.models, heads, strict=True))
        ),
    ]
    lines = [
        _Line(model, name, row)
        for model, name, row in zip(r.models, names, r.correlations, strict=True)
    ]
    data = [_csv_record(pair) for pair in _cells(r)]
    title = "correlation of question scores between models."
    about = sentence(metric_of(r), compared_of(r, r.pairs))
    return Draft("correlations", title, r, specs, lines, _correlation_notes(r), data, about=about)


def _matrix_spec(place: int, model: str, head: str) -> ColumnSpec:
    return ColumnSpec(
        f"{MODEL_KEY}{model}",
        head,
        lambda line: fixed(line.correlations[place], 2),
        lambda line: line.correlations[place],
        fields={model: lambda line: line.correlations[place]},
    )


def correlation_pairs(r: EvalResult, style: Style) -> Draft:
    """The same as a list of pairs: for tables of several evals, which would have a matrix each."""
    specs = [
        ColumnSpec("model", "Model", lambda pair: pair.model, align="l"),
        ColumnSpec("other", "Other model", lambda pair: pair.other, align="l"),
        ColumnSpec(
            "correlation",
            "Correlation",
            lambda pair: fixed(pair.correlation, 2),
            lambda pair: pair.correlation,
        ),
    ]
    order = {model: i for i, model in enumerate(r.models)}
    pairs = [pair for pair in _cells(r) if order[pair.model] < order[pair.other]]
    title = "correlation of question scores between models."
    data = [_csv_record(pair) for pair in _cells(r)]
    return Draft("correlations", title, r, specs, pairs, _correlation_notes(r), data)


def _cells(r: EvalResult) -> list[_Pair]:
    """Every cell of the matrix, row by row."""
    return [
        _Pair(model, other, correlation)
        for model, line in zip(r.models, r.correlations, strict=True)
        for other, correlation in zip(r.models, line, strict=True)
    ]


def _csv_record(pair: _Pair) -> dict[str, Any]:
    return {"model": pair.model, "other": pair.other, "correlation": pair.correlation}


def _correlation_notes(r: EvalResult) -> list[Note]:
    if len(r.models) == 1:
        return [Note(str(no_pair(r)), REPEATS)]
    notes = [Note("Pearson, over common questions.", "pairing")]
    if any(math.isnan(c) for line in r.correlations for c in line):
        text = (
            f"{DASH}: undefined, with fewer than two common questions or a model whose score never "
            "varies."
        )
        notes.append(Note(text, "undefined"))
    return notes
