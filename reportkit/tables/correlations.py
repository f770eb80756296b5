"""Correlations of question scores between models: a matrix, or a list of pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reportkit.results import EvalResult
from reportkit.tables.captions import compared_of, metric_of, sentence
from reportkit.tables.cells import LONG_HEAD, Style
from reportkit.tables.draft import ColumnSpec, Draft
from reportkit.tables.grid import MODEL_KEY
from reportkit.tables.notes import REPEATS, Note, first_few, no_pair
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
    """Pearson correlations of question scores, on the common questions of each pair; without the
    models whose score never varies, which have none.
    """
    places = _varying(r)
    models = [r.models[i] for i in places]
    # Long names would make the heads taller than the table: then columns are numbered.
    if max(map(len, models)) > LONG_HEAD:
        heads = [str(k) for k in range(1, len(models) + 1)]
        names = [f"{k}. {model}" for k, model in enumerate(models, 1)]
    else:
        heads = names = models
    specs = [
        ColumnSpec(
            "model",
            "Model",
            lambda line: line.name,
            align="l",
            fields={"Model": lambda line: line.model},
        ),
        *(
            _matrix_spec(place, model, head)
            for place, model, head in zip(places, models, heads, strict=True)
        ),
    ]
    lines = [
        _Line(model, name, r.correlations[place])
        for place, model, name in zip(places, models, names, strict=True)
    ]
    data = [_csv_record(pair) for pair in _cells(r)]
    title = "correlation of question scores between models."
    about = sentence(metric_of(r), compared_of(r, r.pairs))
    notes = [*_correlation_notes(r, places), _constant_note(r, places)]
    return Draft("correlations", title, r, specs, lines, notes, data, about=about)


def _varying(r: EvalResult) -> Sequence[int]:
    """The places of the models whose score varies; of all where fewer than two do."""
    every = range(len(r.models))
    places = [i for i in every if not math.isnan(r.correlations[i][i])]
    return places if len(places) > 1 else every


def _constant_note(r: EvalResult, places: Sequence[int]) -> Note:
    left = [model for i, model in enumerate(r.models) if i not in places]
    text = f"Left out, as the score never varies: {first_few(left)}."
    return Note(text if left else "", "constant", counts=True)


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
    notes = _correlation_notes(r, range(len(r.models)))
    return Draft("correlations", title, r, specs, pairs, notes, data)


def _cells(r: EvalResult) -> list[_Pair]:
    """Every cell of the matrix, row by row."""
    return [
        _Pair(model, other, correlation)
        for model, line in zip(r.models, r.correlations, strict=True)
        for other, correlation in zip(r.models, line, strict=True)
    ]


def _csv_record(pair: _Pair) -> dict[str, Any]:
    return {"model": pair.model, "other": pair.other, "correlation": pair.correlation}


def _correlation_notes(r: EvalResult, places: Sequence[int]) -> list[Note]:
    """places: of the models that the table has."""
    if len(r.models) == 1:
        return [Note(str(no_pair(r)), REPEATS)]
    notes = [Note("Pearson, over common questions.", "pairing")]
    if any(math.isnan(r.correlations[i][j]) for i in places for j in places):
        text = (
            f"{DASH}: undefined, with fewer than two common questions or a model whose score never "
            "varies."
        )
        notes.append(Note(text, "undefined"))
    return notes
