"""All values of nested records, each with the names that lead to it."""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

Path = tuple[Any, ...]


def values(record: Any, without: Sequence[str] = (), path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value of nested records with the fields that lead to it. without: fields left out."""
    if is_dataclass(record):
        found = [(f.name, getattr(record, f.name)) for f in fields(record)]
    elif isinstance(record, dict):
        found = list(record.items())
    elif isinstance(record, list | tuple):
        found = list(enumerate(record))
    else:
        yield path, record
        return
    for name, value in found:
        if name not in without:
            yield from values(value, without, (*path, name))
