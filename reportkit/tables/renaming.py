"""Models of a result by other names."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from reportkit.errors import ScoresError
from reportkit.facts import FlaggedRows
from reportkit.results import EvalResult, SuiteResult
from reportkit.text.figure_width import shortened_names

LABELS = ("model", "baseline")  # fields of records that hold a model's name
# Fields of a result whose records are of models.
RECORDS = (
    "means",
    "differences",
    "pairs",
    "power",
    "certificates",
    "ranks",
    "runs",
    "left_out",
    "copies",
    "other_questions",
    "flagged",
    "usage",
    "published",
)


# Fields of a suite whose records are of models.
OF_SUITE = ("differences", "overall", "averages", "ranks", "published")


def renamed(of: Any, names: Mapping[str, str]) -> Any:
    """A result or a suite with models by other names."""
    if isinstance(of, SuiteResult):
        return renamed_suite(of, names)
    return renamed_result(of, names)


def in_captions(of: Sequence[Any]) -> Sequence[Any]:
    """Results or a suite with long names as captions and notes write them: without their middle, as
    figures and findings do, so that a name of 200 letters fills no page. The same where none is
    long. A suite keeps the names of its evals.
    """
    models = shortened_names([model for r in of for model in r.models])
    evals = shortened_names([r.eval for r in of if isinstance(r, EvalResult)])
    if not (models or evals):
        return of
    found = [renamed(r, models) if models else r for r in of]
    return [replace(r, eval=evals[r.eval]) if getattr(r, "eval", "") in evals else r for r in found]


def captioned(make: Callable[[Any, Any], Any], results: Any, style: Any) -> Any:
    """A table of results, its caption and notes with long names as in_captions() writes them."""
    table, short = make(results, style), in_captions(results)
    if short is results:
        return table
    other = make(short, style)
    whole = table.whole
    if whole is not None and other.whole is not None:
        whole = replace(whole, title=other.whole.title, notes=other.whole.notes)
    return replace(table, title=other.title, notes=other.notes, whole=whole)


def renamed_suite(s: SuiteResult, names: Mapping[str, str]) -> SuiteResult:
    """The same numbers with models by other names, in every eval."""
    records: dict[str, Any] = {name: _renamed(getattr(s, name), names) for name in OF_SUITE}
    return replace(
        s,
        evals=tuple(renamed_result(r, names) for r in s.evals),
        models=_names(s.models, names),
        baseline=names.get(s.baseline, s.baseline),
        leader=names.get(s.leader, s.leader),
        **records,
    )


def renamed_result(r: EvalResult, names: Mapping[str, str]) -> EvalResult:
    """The same numbers with models by other names; names: old name -> new name.

    >>> empty = EvalResult("e", "m", 0, 0, ("a", "b"), "b", (), (), ())
    >>> renamed_result(empty, {"b": "ours"}).models
    ('a', 'ours')
    """
    models = _names(r.models, names)
    if len(set(models)) < len(models):
        twice = next(m for m in models if models.count(m) > 1)
        raise ScoresError(
            f"two models of eval {r.eval!r} would be called {twice!r}; choose two names"
        )
    records: dict[str, Any] = {name: _renamed(getattr(r, name), names) for name in RECORDS}
    return replace(
        r,
        models=models,
        baseline=names.get(r.baseline, r.baseline),
        best=_names(r.best, names),
        untold=_names(r.untold, names),
        leader=names.get(r.leader, r.leader),
        requested={table: _renamed(found, names) for table, found in r.requested.items()},
        **records,
    )


def _names(models: Iterable[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(m, m) for m in models)


def _renamed(records: Iterable[Any], names: Mapping[str, str]) -> tuple[Any, ...]:
    return tuple(_renamed_record(record, names) for record in records)


def _renamed_record(record: Any, names: Mapping[str, str]) -> Any:
    """A record with its models by their new names, and so the run in it."""
    changed: dict[str, Any] = {}
    for f in fields(record):
        value = getattr(record, f.name)
        if f.name in LABELS:
            changed[f.name] = names.get(value, value)
        elif f.name == "models" and isinstance(record, FlaggedRows):
            changed[f.name] = tuple((names.get(m, m), n) for m, n in value)
        elif f.name == "models":
            changed[f.name] = _names(value, names)
        elif is_dataclass(value):
            changed[f.name] = _renamed_record(value, names)
    return replace(record, **changed)
