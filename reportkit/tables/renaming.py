"""Models of a result by other names."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from reportkit.errors import ScoresError
from reportkit.results import EvalResult

LABELS = ("model", "baseline")  # fields of records that hold a model's name


def renamed_result(r: EvalResult, names: Mapping[str, str]) -> EvalResult:
    """The same numbers with models by other names; names: old name -> new name.

    >>> empty = EvalResult("e", "m", 0, 0, ("a", "b"), "b", (), (), ())
    >>> renamed_result(empty, {"b": "ours"}).models
    ('a', 'ours')
    """
    models = tuple(names.get(m, m) for m in r.models)
    if len(set(models)) < len(models):
        twice = next(m for m in models if models.count(m) > 1)
        raise ScoresError(
            f"two models of eval {r.eval!r} would be called {twice!r}; choose two names"
        )
    return replace(
        r,
        models=models,
        baseline=names.get(r.baseline, r.baseline),
        best=tuple(names.get(m, m) for m in r.best),
        untold=tuple(names.get(m, m) for m in r.untold),
        leader=names.get(r.leader, r.leader),
        means=_renamed(r.means, names),
        differences=_renamed(r.differences, names),
        pairs=_renamed(r.pairs, names),
        power=_renamed(r.power, names),
        certificates=_renamed(r.certificates, names),
        requested={table: _renamed(records, names) for table, records in r.requested.items()},
        ranks=_renamed(r.ranks, names),
        runs=_renamed(r.runs, names),
        left_out=_renamed(r.left_out, names),
        other_questions=_renamed(r.other_questions, names),
        copies=tuple(replace(c, models=tuple(names.get(m, m) for m in c.models)) for c in r.copies),
        flagged=tuple(
            replace(f, models=tuple((names.get(m, m), n) for m, n in f.models)) for f in r.flagged
        ),
    )


def _renamed(records: Iterable[Any], names: Mapping[str, str]) -> tuple[Any, ...]:
    return tuple(_renamed_record(record, names) for record in records)


def _renamed_record(record: Any, names: Mapping[str, str]) -> Any:
    """A record, or a mapping such as that of a run, with its models by their new names."""
    if is_dataclass(record) and not isinstance(record, type):
        labels = [f.name for f in fields(record) if f.name in LABELS]
        return replace(
            record, **{k: names.get(getattr(record, k), getattr(record, k)) for k in labels}
        )
    return {**record, **{k: names.get(record[k], record[k]) for k in LABELS if k in record}}
