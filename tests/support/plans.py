"""Plans of which a part is worked out where a test reads it: most tests read one or two of them."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from functools import cache, cached_property, partial
from typing import Any
from unittest.mock import patch

import pandas as pd

from reportkit.analysis import planning
from reportkit.analysis.planning import Planned, answers
from reportkit.analysis.planning.answered import Need
from reportkit.analysis.planning.answers import need_of
from reportkit.analysis.planning.ground import ground_of
from reportkit.analysis.planning.pilot import pilot_of
from reportkit.analysis.planning.work import work_of
from reportkit.decisions import Decisions
from reportkit.plans import Asked, asked_of

# what makes each part: `curves`, `epochs_curve`, `answers`, `cheapest` and `others` of a plan
PARTS = ("_curves", "epochs_curve", "answers_rows", "frontier", "other_answers")


class Later(Sequence[Any]):
    """A part of a plan, worked out when it is first read."""

    def __init__(self, work: Callable[[], Sequence[Any]]) -> None:
        self._work = work

    @cached_property
    def made(self) -> Sequence[Any]:
        return self._work()

    def __getitem__(self, at: Any) -> Any:
        return self.made[at]

    def __len__(self) -> int:
        return len(self.made)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Sequence) else other)

    __hash__ = None  # type: ignore[assignment]


def plan(*asked: Any, **said: Any) -> Planned:
    """reportkit.plan, whose parts are worked out where they are read; one plan of what is asked
    again, but of a pilot.
    """
    try:
        return _kept(*asked, **said)
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        return _planned(*asked, **said)


@cache
def _kept(*asked: Any, **said: Any) -> Planned:
    return _planned(*asked, **said)


def _planned(*asked: Any, **said: Any) -> Planned:
    with ExitStack() as stack:
        for name in PARTS:
            stack.enter_context(patch.object(answers, name, later(getattr(answers, name))))
        return planning.plan(*asked, **said)


def later(make: Callable[..., Sequence[Any]]) -> Callable[..., Later]:
    return lambda *given: Later(partial(make, *given))


def whole(p: Planned) -> Planned:
    """With all parts worked out, for what asks whether they are tuples."""
    parts = {f.name: getattr(p, f.name) for f in fields(p)}
    return replace(p, **{name: x.made for name, x in parts.items() if isinstance(x, Later)})


def need_alone(
    asked: Asked | None = None,
    scores: pd.DataFrame | None = None,
    decisions: Decisions | None = None,
    **said: Any,
) -> Need:
    """What reportkit.plan calls `need`, where a test reads nothing else of a plan."""
    asked = asked or asked_of(said, decisions)
    pilot = None if scores is None else pilot_of(scores, decisions or Decisions())
    return need_of(work_of(asked, ground_of(asked, pilot)), asked.difference)
