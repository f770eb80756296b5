"""Sweeps of which `make test` takes a part, and `make test-all` every value."""

from collections.abc import Iterable
from typing import Any

import pytest


def some(values: Iterable[Any], each: int = 3) -> list[Any]:
    """The values, of which all but each so many are slow."""
    return [v if k % each == 0 else slow(v) for k, v in enumerate(values)]


def slow(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


def but_slow(values: Iterable[Any], *left: Any) -> list[Any]:
    """The values, of which these are slow."""
    return [slow(v) if v in left else v for v in values]
